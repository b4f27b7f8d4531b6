"""Zips that grow: complete after each member, never two writers, nothing that is there overwritten."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from scrapy_webstemmer.errors import LearningSetError
from scrapy_webstemmer.pages import zip_file
from scrapy_webstemmer.pages.zip_file import GrowingZip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "crawl.zip"


def add(growing: GrowingZip, name: str, body: bytes = b"body") -> None:
    growing.add(zipfile.ZipInfo(name), [body])


def fill(path: Path, *names: str) -> None:
    """Add members that hold their own names."""
    growing = GrowingZip(path)
    for name in names:
        add(growing, name, name.encode())
    growing.close()


def members(path: Path) -> dict[str, bytes]:
    """Return what any program that reads zips finds."""
    with zipfile.ZipFile(path) as opened:
        names = opened.namelist()
        assert len(names) == len(set(names))
        return {name: opened.read(name) for name in names}


def test_complete_after_each_member(path: Path) -> None:
    """From its opening on and after each member the file is a zip, in the order of adding."""
    growing = GrowingZip(path)
    expected: dict[str, bytes] = {}
    assert members(path) == expected
    for name, body in (
        ("a/b", b"1"),
        ("é", b""),
        ("c", bytes(range(256)) * 300),
        ("a/b", b"new" * 9),
        ("", b"2"),
    ):
        add(growing, name, body)
        expected.pop(name, None)
        expected[name] = body
        assert list(members(path).items()) == list(expected.items())
    growing.close()
    assert list(members(path).items()) == list(expected.items())


def test_empty_file_is_made_into_a_zip(path: Path) -> None:
    """What `touch` or `mktemp` made counts as missing."""
    path.touch()
    fill(path, "a")
    assert members(path) == {"a": b"a"}


def test_a_zip_is_continued(path: Path) -> None:
    """Members, comments and extra fields of a zip that another program wrote stay."""
    info = zipfile.ZipInfo("old", (2009, 6, 1, 12, 0, 0))
    info.comment, info.extra = b"of the member", b"\xff\xee\x02\0ab"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr(info, b"old" * 99)
        out.writestr("gone", b"first")
        out.comment = b"of the zip"
    fill(path, "new", "gone")
    fill(path, "newer")
    assert members(path) == {"old": b"old" * 99, "new": b"new", "gone": b"gone", "newer": b"newer"}
    with zipfile.ZipFile(path) as opened:
        kept = opened.getinfo("old")
        assert (kept.date_time, kept.comment, kept.extra) == (info.date_time, info.comment, info.extra)
        assert opened.comment == b"of the zip"


def test_a_zip_without_a_sound_directory_is_continued(path: Path, caplog: Any) -> None:
    """The members that are whole are listed again, and nothing that the file holds is overwritten."""
    fill(path, "a/one", "a/two", "a/three")
    content = path.read_bytes()
    cut = content[: content.index(b"three")]
    path.write_bytes(cut)
    fill(path, "a/four")
    assert members(path) == {name: name.encode() for name in ("a/one", "a/two", "a/four")}
    assert path.read_bytes().startswith(cut)
    assert "goes on with the 2 members that are whole; 1 are not" in caplog.text


@pytest.mark.parametrize(
    "content", [b"no zip at all" * 9, b"SQLite format 3\0", b"PK", b"PK\x03\x04 and no more"]
)
def test_other_files_are_refused(path: Path, content: bytes) -> None:
    """What is no zip is an error that names the file, and stays as it is."""
    path.write_bytes(content)
    with pytest.raises(LearningSetError, match=r"crawl\.zip: (?:is no zip file|damaged zip)"):
        GrowingZip(path)
    assert path.read_bytes() == content


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A pipe is refused without waiting for its other end, and a folder is an error of the system's."""
    if not hasattr(os, "mkfifo"):
        pytest.skip("no pipes with names here")
    os.mkfifo(tmp_path / "pipe.zip")
    with pytest.raises(LearningSetError, match=r"pipe\.zip: is no file"):
        GrowingZip(tmp_path / "pipe.zip")
    with pytest.raises(IsADirectoryError):
        GrowingZip(tmp_path)


def test_one_writer_at_a_time(path: Path) -> None:
    """Another process that adds to the same file is refused until the first one has closed it."""
    pytest.importorskip("fcntl", reason="no such locks here")
    code = "import sys; from test_zip_file import fill; fill(__import__('pathlib').Path(sys.argv[1]), 'b')"
    command = [sys.executable, "-c", code, str(path)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    growing = GrowingZip(path)
    add(growing, "a")
    second = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert second.returncode == 1
    assert f"{path}: another crawl is adding to it" in second.stderr
    assert set(members(path)) == {"a"}
    growing.close()
    subprocess.run(command, env=environment, check=True)
    assert set(members(path)) == {"a", "b"}


def test_full_disk(path: Path) -> None:
    """A member that does not fit is an error that names it; the file stays a zip, and smaller ones fit."""
    resource = pytest.importorskip("resource", reason="no such limits here")
    growing = GrowingZip(path)
    add(growing, "a")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (600, limits[1]))
    try:
        with pytest.raises(LearningSetError, match=r"crawl\.zip: large: .*too large") as caught:
            add(growing, "large", os.urandom(600))
        assert caught.value.record == "large"
        assert set(members(path)) == {"a"}
        add(growing, "b")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert set(members(path)) == {"a", "b"}
    growing.close()


def test_without_one_call_for_several_parts(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system cannot write several parts at once, the same bytes are written."""
    fill(path, "a", "b")
    expected = path.read_bytes()
    path.unlink()
    monkeypatch.delattr(os, "writev", raising=False)
    fill(path, "a", "b")
    assert path.read_bytes() == expected


@pytest.mark.parametrize(("limit", "value"), [("MAX_MEMBERS", 2), ("MAX_SIZE", 300)])
def test_the_limits_of_the_format(
    limit: str, value: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A member too many, or behind what a zip can address, is refused; replacing one of them is not."""
    monkeypatch.setattr(zip_file, limit, value)
    growing = GrowingZip(path)
    add(growing, "a")
    add(growing, "b")
    with pytest.raises(LearningSetError, match="c: the zip is full"):
        add(growing, "c", os.urandom(200))
    assert set(members(path)) == {"a", "b"}
    growing.close()


def test_a_member_can_be_replaced_in_a_full_zip(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of members does not grow when one of them is replaced."""
    monkeypatch.setattr(zip_file, "MAX_MEMBERS", 2)
    fill(path, "a", "b", "a")
    assert members(path) == {"a": b"a", "b": b"b"}


def test_a_zip_that_is_too_large_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A zip that has no room left is refused when it is opened."""
    fill(path, "a", "b")
    monkeypatch.setattr(zip_file, "MAX_SIZE", 50)
    with pytest.raises(LearningSetError, match="the zip is full"):
        GrowingZip(path)


def test_damaged_zips_are_continued_or_refused(path: Path) -> None:
    """Whichever byte is wrong, the zip is refused, or a zip again once a member was added."""
    fill(path, "a/one", "a/two")
    whole = path.read_bytes()
    for position in range(len(whole)):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 0x55]) + whole[position + 1 :])
        try:
            fill(path, "a/three")
        except LearningSetError:
            continue
        with zipfile.ZipFile(path) as opened:
            assert opened.read("a/three") == b"a/three"
