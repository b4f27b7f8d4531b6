"""Zips without a sound directory: what is whole is read, what is not is counted."""

from __future__ import annotations

import os
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest

from scrapy_webstemmer.errors import LearningSetError
from scrapy_webstemmer.pages import open_pages
from scrapy_webstemmer.pages.zip_file import GrowingZip
from scrapy_webstemmer.pages.zip_recovery import RecoveredZip, recover

STAMP = "202611210900"
MEMBERS = {
    f"{STAMP}/example.com/a": b"<p>a" * 40,
    f"{STAMP}/example.com/b": bytes(range(256)),
    f"{STAMP}/example.com/é": b"",
    "linkinfo": b"('202611210900/example.com/b', ['B'])\n",
}


@pytest.fixture(params=[zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED], ids=["stored", "deflated"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    with zipfile.ZipFile(tmp_path / "crawl.zip", "w", request.param) as out:
        for name, body in MEMBERS.items():
            out.writestr(name, body)
    return tmp_path / "crawl.zip"


def ends_of_members(path: Path) -> list[int]:
    """Return where each member ends, that is, where the next one or the directory begins."""
    with zipfile.ZipFile(path) as opened:
        return [*(info.header_offset for info in opened.infolist()[1:]), opened.start_dir]


def test_cut_off_at_every_byte(path: Path) -> None:
    """However much of a zip is left: the members that are whole are read, or the file is an error of ours."""
    whole, ends = path.read_bytes(), ends_of_members(path)
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        left = [name for name, end in zip(MEMBERS, ends, strict=True) if end <= length]
        if not left:
            with pytest.raises(LearningSetError, match=r"crawl\.zip"):
                open_pages(path)
            continue
        with open_pages(path) as pages:
            assert {page.name: page.body for page in pages} == {
                name: MEMBERS[name] for name in left if name != "linkinfo"
            }
            recorded = {"http://example.com/b": {"B": 1}} if "linkinfo" in left else None
            assert pages.linkinfo() == recorded


def test_what_is_lost_is_said(path: Path, caplog: Any) -> None:
    """The damage is named once, with the number of members that are whole and that are not."""
    path.write_bytes(path.read_bytes()[: ends_of_members(path)[1] + 40])
    with open_pages(path) as pages:
        assert len(list(pages)) == len(list(pages)) == pages.count() == 2
        (skipped,) = pages.skipped
        assert skipped.record == "directory"
        assert skipped.reason.endswith("members that are whole: 2, that are not: 1")
    assert caplog.text.count("damaged zip") == 1


def test_damage_between_members(path: Path) -> None:
    """A header that is destroyed costs its member; those before and after it are found."""
    content = bytearray(path.read_bytes()[: ends_of_members(path)[-1]])
    content[ends_of_members(path)[0]] ^= 0xFF
    path.write_bytes(content)
    with open_pages(path) as pages:
        assert [page.url[-1] for page in pages] == ["a", "é"]
        assert pages.linkinfo() == {"http://example.com/b": {"B": 1}}


def test_damaged_members_are_passed_over(path: Path) -> None:
    """A member whose content is wrong is not whole."""
    content = bytearray(path.read_bytes()[: ends_of_members(path)[-1]])
    content[ends_of_members(path)[0] - 3] ^= 0xFF
    path.write_bytes(content)
    with open_pages(path) as pages:
        assert [page.url[-1] for page in pages] == ["b", "é"]
        (skipped,) = pages.skipped
        assert skipped.reason.endswith("members that are whole: 3, that are not: 1")


def test_what_stands_behind_a_member_that_was_cut_off(tmp_path: Path) -> None:
    """The rest of a long member that was cut off is not looked for in those that were added behind it."""
    path, body = tmp_path / "crawl.zip", os.urandom(5000)
    for name, length in (("cut", 3000), ("more", None)):
        added = GrowingZip(path)
        for index in range(4):
            added.add(zipfile.ZipInfo(f"{name}/{index}"), [body])
        added.close()
        content = path.read_bytes()
        path.write_bytes(content[: content.rindex(body) + (length or len(body))])
    with RecoveredZip(path) as found:
        assert found.namelist() == ["cut/0", "cut/1", "cut/2", "more/0", "more/1", "more/2", "more/3"]
        assert found.lost == 1
        assert found.testzip() is None


def test_a_member_that_unpacks_to_much_more(tmp_path: Path) -> None:
    """A member is unpacked piece by piece, and found whole."""
    path = tmp_path / "crawl.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("a/b", bytes(1 << 24))
        end = out.start_dir
    path.write_bytes(path.read_bytes()[:end])
    with RecoveredZip(path) as found:
        assert (found.namelist(), found.lost) == (["a/b"], 0)


def _header(path: Path, field: int, kind: str, value: int) -> None:
    """Change a field of the first member's header, and cut the directory off."""
    content = bytearray(path.read_bytes()[: ends_of_members(path)[-1]])
    struct.pack_into(kind, content, field, value)
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("field", "kind", "value"),
    [
        (6, "<H", 0x08),  # the length follows the member
        (18, "<L", 0xFFFFFFFF),  # longer than the file
        (26, "<H", 0),  # without a name
        (26, "<H", 0xFFFF),  # with a name that is longer than the file
    ],
)
def test_headers_that_lead_nowhere(field: int, kind: str, value: int, path: Path) -> None:
    """A header that cannot be followed is a member lost; the next ones are found."""
    _header(path, field, kind, value)
    with path.open("rb") as stream:
        found = recover(stream)
    assert (len(found.entries), found.lost) == (3, 1)


def test_a_name_that_is_no_text(path: Path) -> None:
    """A name that claims to be UTF-8 and is not costs its member, not the file."""
    content = path.read_bytes()[: ends_of_members(path)[-1]]
    assert content.count("é".encode()) == 1
    path.write_bytes(content.replace("é".encode(), b"\xff\xff"))
    with open_pages(path) as pages:
        assert [page.url[-1] for page in pages] == ["a", "b"]


def test_more_members_than_a_directory_counts(tmp_path: Path) -> None:
    """All members are found, even more than a zip without zip64 may have."""
    path, number = tmp_path / "many.zip", 0x10001
    header = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 0, 0, 0, 0, 0, 0, 5, 0)
    path.write_bytes(b"".join(header + b"%05x" % index for index in range(number)))
    with RecoveredZip(path) as found:
        assert len(found.infolist()) == number
        assert found.read("0ffff") == b""


def test_empty_file(tmp_path: Path) -> None:
    """In an empty file nothing is found."""
    (tmp_path / "empty").touch()
    with (tmp_path / "empty").open("rb") as stream:
        assert recover(stream) == ([], 0)
