"""The zip files of the 2009 crawler."""

from __future__ import annotations

import contextlib
import re
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_webstemmer.errors import LearningSetError
from scrapy_webstemmer.storage import open_pages, source
from scrapy_webstemmer.storage.linkinfo_file import parse_linkinfo_line
from scrapy_webstemmer.values import Page

STAMP = "202611210900"
NAME = f"{STAMP}/example.com/a"
URL = "http://example.com/a"


@given(st.text(), st.lists(st.text(), max_size=5), st.sampled_from([repr, ascii]))
@example("", [], repr)
@example("a", ["'", '"', "'\"", "\\", "\0", "\ud800", "\x85\u2028"], ascii)
def test_a_line_that_was_written_is_read(name: str, texts: list[str], write: Any) -> None:
    """A line gives back any name of a page and any anchor texts."""
    assert parse_linkinfo_line(write((name, texts)) + "\n") == (name, texts)


@pytest.mark.parametrize(
    ("line", "parsed"),
    [
        ("(u'a', [u'b', u'\\u3042'])", ("a", ["b", "あ"])),
        ("('a', ['b',],)", ("a", ["b"])),
        ("( 'a' , [ ] )", ("a", [])),
    ],
)
def test_lines_of_older_programs(line: str, parsed: tuple[str, list[str]]) -> None:
    """Lines of Python 2, and other spellings of the same form, are read."""
    assert parse_linkinfo_line(line) == parsed


@pytest.mark.parametrize(
    "line",
    [
        "",
        "('a')",
        "('a', 'b')",
        "('a', ('b',))",
        "('a', ['b'], 'c')",
        "('a', [b'b'])",
        "('a', [1])",
        "('a', ['b' 'c'])",
        "('a', ['b'",
        "('a', ['\\d'])",
        "('a', ['\\N{DIGIT ONE}'])",
        "('a', ['\\UFFFFFFFF'])",
        "('a', [f'{1}'])",
        "('a', ['b'])) or print('c'",
        "__import__('os').system('true')",
        "('a', [__import__('os').system('true')])",
        "(" * 10_000,
        "-" * 100_000 + "1",
        "('a', [" + "'b' " * 10_000,
    ],
)
def test_other_shapes_are_malformed(line: str) -> None:
    """Only a name and a list of texts is accepted, even if Python could read other lines."""
    with pytest.raises(ValueError, match="malformed"):
        parse_linkinfo_line(line)


def test_pages_and_linkinfo(make_zip: Any) -> None:
    """A member is a page, its name gives url and time, and linkinfo has the same urls."""
    lines = [(NAME, ["A", "A", "the page"]), (f"{STAMP}/example.com/not stored", ["B"])]
    linkinfo = "".join(f"{line!r}\n" for line in lines).encode()
    path = make_zip({NAME: b"<p>a", "linkinfo": linkinfo, "read.me": b"no host"})
    with open_pages(path) as pages:
        assert list(pages) == [Page(URL, b"<p>a", fetched="2026-11-21T09:00:00Z")]
        assert pages.count() == 1
        assert dict((pages.linkinfo() or {}).items()) == {
            URL: {"A": 2, "the page": 1},
            "http://example.com/not%20stored": {"B": 1},
        }
        assert pages.skipped == []


@pytest.mark.parametrize("name", ["My pages", "www.example.com"])
def test_files_without_a_folder(make_zip: Any, tmp_path: Path, name: str) -> None:
    """HTML files that were zipped alone are the pages of a folder with the name of the zip."""
    files = {"a.html": b"<p>a", "index.html": b"<p>b", "style.css": b"", "x/e.com": b""}
    (tmp_path / name).mkdir()
    for file in ("a.html", "index.html"):
        (tmp_path / name / file).write_bytes(files[file])
    with open_pages(make_zip(files, f"{name}.zip")) as zipped, open_pages(tmp_path / name) as folder:
        assert list(zipped) == [*folder, Page("http://x/e.com", b"")]
        assert zipped.made_up == folder.made_up


@pytest.mark.parametrize("number", [0, 1, 2])
def test_small_zips(make_zip: Any, number: int) -> None:
    """A zip of no page, one or two is a source; without a linkinfo member there is no linkinfo."""
    path = make_zip({f"{STAMP}/example.com/{index}": b"\0" for index in range(number)})
    with open_pages(path) as pages:
        assert [page.body for page in pages] == [b"\0"] * number
        assert pages.count() == number
        assert pages.linkinfo() is None


@pytest.mark.parametrize(
    ("name", "fetched"),
    [
        (NAME, "2026-11-21T09:00:00Z"),
        ("209913990000/e.com/a", None),
        ("e.com/a", None),
        ("2026/e.com/a", None),
    ],
)
def test_times(make_zip: Any, name: str, fetched: str | None) -> None:
    """A member whose name has no time, or an impossible one, is still a page."""
    assert [page.fetched for page in open_pages(make_zip({name: b""}))] == [fetched]


def test_the_last_member_of_a_name_counts(tmp_path: Path) -> None:
    """A page that was stored twice is read once, in its newer version."""
    path = tmp_path / "twice.zip"
    with zipfile.ZipFile(path, "w") as out:
        out.writestr(NAME, b"old")
        with pytest.warns(UserWarning, match="Duplicate"):
            out.writestr(NAME, b"new")
    with open_pages(path) as pages:
        assert [page.body for page in pages] == [b"new"]


def test_the_name_of_the_linkinfo_member(make_zip: Any) -> None:
    """Another member can hold the linkinfo, or none."""
    path = make_zip({NAME: b"", "linkinfo": b"('e/a', ['A'])", "x/links": b"('e/b', ['B'])"})
    assert dict(open_pages(path, linkinfo_name="x/links").linkinfo() or {}) == {"http://e/b": {"B": 1}}
    with open_pages(path, linkinfo_name="") as pages:
        assert pages.linkinfo() is None
        assert [page.url for page in pages] == [URL, "http://x/links"]


def test_a_hostile_line_is_named_and_not_executed(make_zip: Any, tmp_path: Path) -> None:
    """Code in the linkinfo is not executed; the lines around it are read."""
    victim = tmp_path / "victim"
    code = f"__import__('pathlib').Path({str(victim)!r}).touch()"
    linkinfo = f"('e/a', ['A'])\n{code}\n('e/b', [{code}])\n\n\udcff\n('e/a', ['A', 'C'])"
    path = make_zip({"linkinfo": linkinfo.encode("utf-8", "surrogateescape")})
    with open_pages(path) as pages:
        for _ in range(2):
            assert dict((pages.linkinfo() or {}).items()) == {"http://e/a": {"A": 2, "C": 1}}
        assert [skipped.record for skipped in pages.skipped] == ["linkinfo:2", "linkinfo:3", "linkinfo:5"]
    assert not victim.exists()


def test_a_line_without_end(make_zip: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is too long is held only up to the limit, and the next line is read."""
    monkeypatch.setattr("scrapy_webstemmer.storage.linkinfo_file.MAX_LINE", 50)
    path = make_zip({"linkinfo": b"('e/a', ['" + b"x" * 200 + b"'])\n('e/b', ['B'])\n"})
    with open_pages(path) as pages:
        assert dict((pages.linkinfo() or {}).items()) == {"http://e/b": {"B": 1}}
        assert [skipped.record for skipped in pages.skipped] == ["linkinfo:1"]


def damage(path: Path, sought: bytes) -> None:
    content = path.read_bytes()
    assert content.count(sought) == 1
    path.write_bytes(content.replace(sought, sought[::-1]))


def test_reading_is_lazy_and_a_damaged_member_is_named(make_zip: Any) -> None:
    """The first page comes before the damaged second one is read; the third follows."""
    path = make_zip({f"{STAMP}/e.com/{name}": f"body of {name}".encode() for name in "abc"})
    damage(path, b"body of b")
    with open_pages(path) as pages:
        iterator = iter(pages)
        assert next(iterator).url == "http://e.com/a"
        assert pages.skipped == []
        assert [page.url for page in iterator] == ["http://e.com/c"]
        assert [skipped.record for skipped in pages.skipped] == [f"{STAMP}/e.com/b"]


def test_damaged_linkinfo(make_zip: Any) -> None:
    """The linkinfo before the damage counts, and the damage is named."""
    path = make_zip({"linkinfo": b"('e/a', ['A'])\n('e/b', ['B'])\n", NAME: b"a"})
    damage(path, b"'B'])\n")
    with open_pages(path) as pages:
        assert dict((pages.linkinfo() or {}).items()).get("http://e/b") is None
        assert "linkinfo" in {re.sub(":.*", "", skipped.record) for skipped in pages.skipped}
        assert [page.url for page in pages] == [URL]


def test_members_that_cannot_be_unpacked(make_zip: Any) -> None:
    """An encrypted member, or one of an unknown compression, costs only that page."""
    path = make_zip({NAME: b"a", f"{STAMP}/example.com/b": b"b", f"{STAMP}/example.com/c": b"c"})
    content = bytearray(path.read_bytes())
    first, second = (match.start() for match in list(re.finditer(b"PK\x01\x02", content))[:2])
    content[first + 8] |= 1  # encrypted
    content[second + 10] = 99  # an unknown compression
    start = content.find(b"PK\x03\x04")
    content[start + 6] |= 1
    path.write_bytes(content)
    with open_pages(path) as pages:
        assert [page.url for page in pages] == ["http://example.com/c"]
        assert len(pages.skipped) == 2


def test_a_page_that_is_too_large(tmp_path: Path) -> None:
    """A small member that unpacks to more than the limit is skipped."""
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr(NAME, bytes(source.MAX_BODY + 1))
        out.writestr(f"{STAMP}/example.com/b", b"b")
    with open_pages(tmp_path / "bomb.zip") as pages:
        assert [page.body for page in pages] == [b"b"]
        assert pages.skipped == [source.Skipped(NAME, source.TOO_LARGE)]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_zip_that_is_cut_off(make_zip: Any, share: float) -> None:
    """A zip without its directory gives an error that names the file and the program that repairs it."""
    path = make_zip({NAME: b"a" * 1000, f"{STAMP}/example.com/b": b"b"})
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    with pytest.raises(LearningSetError, match=r"crawl\.zip: damaged zip: .*`zip -FF .*crawl\.zip --out NEW"):
        open_pages(path)


@pytest.mark.parametrize("members", [{NAME: b"<p>a" * 99, "linkinfo": b"('e/a', ['A'])\n" * 9}])
def test_flipped_bytes_give_our_error_or_none(make_zip: Any, members: Mapping[str, bytes]) -> None:
    """Any wrong byte gives no error or one of ours."""
    path = make_zip(members)
    whole = path.read_bytes()
    for position in range(4, len(whole)):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 0x55]) + whole[position + 1 :])
        with contextlib.suppress(LearningSetError), open_pages(path) as pages:
            assert len(list(pages)) <= 2
            pages.linkinfo()


@pytest.mark.parametrize(("method", "name"), [(zipfile.ZIP_BZIP2, "bzip2"), (zipfile.ZIP_LZMA, "LZMA")])
def test_other_compressions_are_refused_by_name(tmp_path: Path, method: int, name: str) -> None:
    """bzip2 and LZMA could take any memory: a page or linkinfo in them is skipped, with their name."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr(NAME, bytes(1000))
        archive.writestr("linkinfo", "('e/a', ['A'])")
        archive.writestr(f"{STAMP}/example.com/b", b"b", zipfile.ZIP_STORED)
    with open_pages(path) as pages:
        assert [page.body for page in pages] == [b"b"]
        assert not pages.linkinfo()
        reason = f"damaged member: compression {name} is not read here"
        assert pages.skipped == [source.Skipped(NAME, reason), source.Skipped("linkinfo", reason)]


def test_what_a_member_says_of_its_size_is_not_believed(tmp_path: Path) -> None:
    """A wrong size in the directory changes nothing: stored pages are whole, and packed ones have a limit."""
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(NAME, b"a" * 1000)
        archive.writestr(f"{STAMP}/example.com/b", bytes(source.MAX_BODY + 1), zipfile.ZIP_DEFLATED)
    content = bytearray(path.read_bytes())
    first, second = (match.start() for match in re.finditer(b"PK\x01\x02", content))
    struct.pack_into("<L", content, first + 24, 0xFFFFFF)
    struct.pack_into("<L", content, second + 24, 0x7FFFFFFF)
    path.write_bytes(content)
    with open_pages(path) as pages:
        assert [page.body for page in pages] == [b"a" * 1000]
        assert [skipped.reason for skipped in pages.skipped] == [source.TOO_LARGE]


def overlapping(number: int, content: bytes) -> bytes:
    """Return a zip whose members share packed content: each contains the next one with its header."""
    names = [f"{STAMP}/example.com/{index}".encode() for index in range(number)]
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(content) + packer.flush()
    area, places, size, before = packed, [], len(content), b""
    for name in reversed(names):
        checksum = zlib.crc32(content, zlib.crc32(before))
        numbers = (20, 0, 8, 0, 0x21, checksum, len(area), size, len(name), 0)
        header = struct.pack("<4s5H3L2H", b"PK\x03\x04", *numbers) + name
        places.append((name, numbers, len(header) + len(area)))
        # Within the member that contains it, the header is a stored block of its own.
        area = struct.pack("<BHH", 0, len(header), len(header) ^ 0xFFFF) + header + area
        before, size = header + before, size + len(header)
    area = area[5:]
    directory = b"".join(
        struct.pack("<4sH5H3L5H2L", b"PK\x01\x02", 20, *numbers, 0, 0, 0, 0, len(area) - from_end) + name
        for name, numbers, from_end in places
    )
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, number, number, len(directory), len(area), 0)
    return area + directory + end


def test_members_that_share_their_content(tmp_path: Path) -> None:
    """Members that overlap the next one are named, counted and not unpacked; the last one is read."""
    path = tmp_path / "a.zip"
    path.write_bytes(overlapping(5, b"<p>text" * 1000))
    # Older versions of Python read them all; newer ones refuse them, too.
    with contextlib.suppress(zipfile.BadZipFile), zipfile.ZipFile(path) as archive:
        assert {len(archive.read(name)) // 1000 for name in archive.namelist()} == {7}
    with open_pages(path) as pages:
        assert [page.body for page in pages] == [b"<p>text" * 1000]
        assert {skipped.reason for skipped in pages.skipped} == {
            "damaged member: its data overlaps that of another member"
        }
        assert pages.skipped_count == 4


def test_a_wrong_length_costs_one_member(make_zip: Any) -> None:
    """If a member claims a wrong length, the members after it are read."""
    path = make_zip({f"{STAMP}/example.com/{name}": b"body" for name in "abc"})
    content = bytearray(path.read_bytes())
    first = content.index(b"PK\x01\x02")
    struct.pack_into("<L", content, first + 20, 100_000)
    path.write_bytes(content)
    with open_pages(path) as pages:
        assert [page.url for page in pages] == ["http://example.com/b", "http://example.com/c"]
        assert [skipped.record for skipped in pages.skipped] == [f"{STAMP}/example.com/a"]


def test_complaints_are_counted_and_the_first_are_named(make_zip: Any, caplog: Any) -> None:
    """Of many malformed lines, the first hundred are named and logged once each; the others are counted."""
    path = make_zip({"linkinfo": b"x\n" * (source.MAX_NAMED + 7)})
    with open_pages(path) as pages:
        for _ in range(2):
            pages.linkinfo()
        assert len(pages.skipped) == source.MAX_NAMED
        assert pages.skipped_count == source.MAX_NAMED + 7
    assert len(caplog.records) == source.MAX_NAMED + 1
    assert caplog.messages[-1].endswith("further unreadable records are counted, not named")


def test_counting_complaints_has_an_end(make_zip: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source stops remembering malformed lines at a limit."""
    monkeypatch.setattr(source, "MAX_COUNTED", 500)
    with open_pages(make_zip({"linkinfo": b"x\n" * 600})) as pages:
        pages.linkinfo()
        assert pages.skipped_count == len(pages._known) == 500


def test_a_long_complaint_is_cut(make_zip: Any) -> None:
    """A very long name of a record is cut, so that it does not fill memory and logs."""
    path = make_zip({f"{STAMP}/example.com/{'a' * 60_000}": b"body of it"})
    damage(path, b"body of it")
    with open_pages(path) as pages:
        assert list(pages) == []
        assert len(pages.skipped[0].record) < 1_100
