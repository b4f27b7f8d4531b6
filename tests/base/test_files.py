"""Files are written completely or not at all: their content, their mode, and the files left beside them."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from scrapy_webstemmer.base.files import is_writable, replacing

posix = pytest.mark.skipif(os.name != "posix", reason="other systems have other file permissions")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "file"


def test_the_old_content_stays_until_the_end(path: Path) -> None:
    """Until the block ends, the old file is there; after it only the new one."""
    path.write_bytes(b"old")
    with replacing(path) as stream:
        stream.write(b"new")
        stream.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"new"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_error_leaves_the_old_file_alone(path: Path, error: type[BaseException]) -> None:
    """Whatever ends the block early, the old file stays, and nothing is left beside it."""
    path.write_bytes(b"old")

    def fail() -> None:
        with replacing(path) as stream:
            stream.write(b"new")
            raise error

    with pytest.raises(error):
        fail()
    assert path.read_bytes() == b"old"
    assert list(path.parent.iterdir()) == [path]


@posix
@pytest.mark.parametrize(("mask", "expected"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_has_the_usual_mode(path: Path, mask: int, expected: int) -> None:
    """A new file has the mode that any file of the process would have."""
    before = os.umask(mask)
    try:
        with replacing(path):
            pass
    finally:
        os.umask(before)
    assert mode(path) == expected


def test_the_mask_of_the_process_is_not_touched(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The umask stays: otherwise everybody could write the files that other threads make meanwhile."""
    monkeypatch.setattr(os, "umask", lambda _: pytest.fail("changed"))
    with replacing(path):
        pass
    assert path.exists()


@posix
@pytest.mark.parametrize("old", [0o600, 0o640, 0o444])
def test_the_mode_is_kept(path: Path, old: int) -> None:
    """A replaced file keeps its mode, and while the new one is written nobody else can read it."""
    path.touch()
    path.chmod(old)
    with replacing(path):
        (part,) = set(path.parent.iterdir()) - {path}
        assert mode(part) & ~old & 0o077 == 0
    assert mode(path) == old


@posix
def test_a_link_stays_a_link(path: Path) -> None:
    """The target of a link is replaced, or made if it does not exist."""
    link = path.with_name("link")
    link.symlink_to(path)
    for content in (b"first", b"second"):
        with replacing(link) as stream:
            stream.write(content)
        assert link.is_symlink()
        assert path.read_bytes() == content


@posix
def test_a_link_that_leads_to_itself(path: Path) -> None:
    """A link to itself is an error, since there is no file to write."""
    path.symlink_to(path)
    with pytest.raises(OSError, match="symbolic links"), replacing(path):
        pass
    with pytest.raises(OSError, match="symbolic links"):
        is_writable(path)
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("exists", [True, False])
@pytest.mark.parametrize("refused", ["file", "folder", None])
def test_what_may_be_written(
    path: Path, monkeypatch: pytest.MonkeyPatch, exists: bool, refused: str | None
) -> None:
    """The file, if it exists, and its folder must be writable: the new content begins beside the file."""
    if exists:
        path.touch()
    forbidden = {"file": path, "folder": path.parent}.get(refused or "")
    monkeypatch.setattr(os, "access", lambda place, _: Path(place) != forbidden)
    assert is_writable(path) == (forbidden is None or (refused == "file" and not exists))


@posix
def test_the_folder_of_a_link_is_the_one_it_leads_to(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new content begins beside the file, not beside the link."""
    folder = path.parent / "locked"
    folder.mkdir()
    path.symlink_to(folder / "file")
    monkeypatch.setattr(os, "access", lambda place, _: Path(place) != folder)
    assert not is_writable(path)


@posix
def test_what_is_no_regular_file_is_written_directly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is made beside a device, so its folder need not be writable."""
    monkeypatch.setattr(os, "access", lambda place, _: str(place) == os.devnull)
    assert is_writable(os.devnull)
    with replacing(os.devnull) as stream:
        stream.write(b"gone")


def test_a_full_disk_is_named(path: Path) -> None:
    """The error of a full disk names the file that has no room; other errors stay as they are."""
    with pytest.raises(OSError, match="file") as full, replacing(path):
        raise OSError(errno.ENOSPC, "no room")
    assert full.value.filename == str(path)
    with pytest.raises(OSError, match="lost") as other, replacing(path):
        raise OSError(errno.EIO, "lost")
    assert other.value.filename is None


@pytest.mark.parametrize("name", ["x" * 250, "\N{SNOWMAN}" * 83])
def test_a_long_name(tmp_path: Path, name: str) -> None:
    """The new content has a place beside a file whose name is as long as it may be."""
    with replacing(tmp_path / name) as stream:
        stream.write(b"new")
    assert (tmp_path / name).read_bytes() == b"new"
