"""Pattern files from other places than paths: resources of packages, streams, bytes."""

from __future__ import annotations

import io
import os
import sys
import threading
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from scrapy_webstemmer.errors import PatternFileError
from scrapy_webstemmer.pattern_files import pattern_sources as sources
from scrapy_webstemmer.pattern_files.pattern_file import PatternSet
from scrapy_webstemmer.pattern_files.pattern_sources import is_resource
from scrapy_webstemmer.values import Pattern, Section, SitePatterns

PATTERN = Pattern("http://a.example/1", "article", 1.0, 2, (Section("body", 0.5, 9.0),))
PATTERNS = PatternSet({"a.example": SitePatterns("a.example", "paths", 2, 1, (PATTERN,))})


def content() -> bytes:
    stream = io.BytesIO()
    PATTERNS.save(stream)
    return stream.getvalue()


def write_folder(folder: Path, files: dict[str, bytes]) -> Path:
    """Write files as a folder that can stand on ``sys.path``."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def write_wheel(folder: Path, files: dict[str, bytes]) -> Path:
    """Write files as a zip that can stand on ``sys.path``, as an egg or a wheel does."""
    with zipfile.ZipFile(folder / "news.whl", "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return folder / "news.whl"


@pytest.fixture(params=[write_folder, write_wheel])
def package(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, dict[str, bytes]], None]:
    """Return a function that installs a package with files, in a folder or in a wheel."""

    def install(name: str, files: dict[str, bytes]) -> None:
        parts = name.split(".")
        modules = {"/".join([*parts[:end], "__init__.py"]): b"" for end in range(1, len(parts) + 1)}
        inside = {"/".join([*parts, file]): data for file, data in files.items()}
        monkeypatch.syspath_prepend(request.param(tmp_path, modules | inside))
        for end in range(1, len(parts) + 1):
            monkeypatch.delitem(sys.modules, ".".join(parts[:end]), raising=False)

    return install


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("press:patterns.json", True),
        ("press.data.news:patterns.json", True),
        ("press:data/patterns.json", True),
        ("a.b:patterns.json", True),
        ("patterns.json", False),
        ("C:patterns.json", False),
        ("C:\\data\\patterns.json", False),
        ("C:/data/patterns.json", False),
        ("c:d:patterns.json", False),
        ("press:/patterns.json", False),
        ("press:\\patterns.json", False),
        ("http://a.example/patterns.json", False),
        ("./press:patterns.json", False),
        ("data/press:patterns.json", False),
        ("2026-11-21T09:00:00.json", False),
        ("press.:patterns.json", False),
        (".press:patterns.json", False),
        ("press:", False),
        (":patterns.json", False),
        ("", False),
    ],
)
def test_which_names_are_resources(name: str, expected: bool) -> None:
    """A package, a colon and a relative path are a resource; drives, urls and times are paths."""
    assert is_resource(name) is expected


@pytest.mark.parametrize("name", ["press", "press.data"])
@pytest.mark.parametrize("file", ["patterns.json", "news/2026/patterns.json"])
def test_a_resource_is_read(package: Callable[..., None], name: str, file: str) -> None:
    """Patterns are read from a package in a folder or in a wheel; its name may have dots."""
    package(name, {file: content()})
    assert PatternSet.load(f"{name}:{file}") == PATTERNS


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("nopress:a.json", "cannot be read: No module named 'nopress'"),
        ("press.none:a.json", "cannot be read: No module named 'press.none'"),
        ("press:none.json", "cannot be read: the package press has no resource none.json"),
        ("press:none/a.json", "cannot be read: the package press has no resource none/a.json"),
        ("press:folder", "cannot be read: the package press has no resource folder"),
        ("press:../a.json", "cannot be read: the package press has no resource ../a.json"),
        ("press:bad.json", "is not valid JSON"),
    ],
)
def test_a_resource_that_cannot_be_read(package: Callable[..., None], source: str, reason: str) -> None:
    """The error names the resource and says what is wrong."""
    package("press", {"bad.json": b"{", "folder/a.json": b"{}"})
    with pytest.raises(PatternFileError) as caught:
        PatternSet.load(source)
    assert str(caught.value).startswith(source)
    assert reason in str(caught.value)


def test_a_file_with_such_a_name_needs_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Path, and a string with a folder, are always paths; a resource is never written."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PatternFileError, match="cannot be written: this names a resource of a package"):
        PATTERNS.save("press:a.json")
    assert not list(tmp_path.iterdir())
    PATTERNS.save(Path("press:a.json"))
    assert PatternSet.load(Path("press:a.json")) == PatternSet.load("./press:a.json") == PATTERNS


@pytest.mark.parametrize("classic", [False, True])
def test_streams_and_bytes(classic: bool, tmp_path: Path) -> None:
    """What a stream gets is what a file gets, in both formats; a stream is read from where it stands."""
    suffix, layout = ("pat", "sequence") if classic else ("json", "paths")
    patterns = PatternSet({"*": replace(PATTERNS.sites["a.example"], site="*", layout=layout)})
    patterns.save(tmp_path / f"a.{suffix}")
    stream = io.BytesIO()
    patterns.save(stream, classic=classic)
    assert stream.getvalue() == (tmp_path / f"a.{suffix}").read_bytes()
    loaded = PatternSet.loads(stream.getvalue())
    stream.seek(0)
    assert PatternSet.load(stream) == loaded == PatternSet.load(tmp_path / f"a.{suffix}")
    assert not stream.closed
    with (tmp_path / f"b.{suffix}").open("wb") as file:
        patterns.save(file)
    assert (tmp_path / f"b.{suffix}").read_bytes() == stream.getvalue()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    """Patterns come through a named pipe, as a shell's ``<(...)`` is one."""
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(content(),))
    writer.start()
    assert PatternSet.load(tmp_path / "pipe") == PATTERNS
    writer.join()


def test_errors_name_the_stream(tmp_path: Path) -> None:
    """An error names the file of a stream; without a file it says that a stream or bytes are wrong."""
    with pytest.raises(PatternFileError, match=r"^<bytes>:1: is not valid JSON"):
        PatternSet.loads(b"{")
    with pytest.raises(PatternFileError, match=r"^<stream>: is not a pattern file"):
        PatternSet.load(io.BytesIO(b"{}"))
    (tmp_path / "a.json").write_bytes(b"{}")
    with (
        (tmp_path / "a.json").open("rb") as file,
        pytest.raises(PatternFileError, match=r"a\.json: is not a"),
    ):
        PatternSet.load(file)


def test_a_stream_of_text_is_a_mistake_of_the_caller() -> None:
    """A file that was opened for text is a TypeError that says so."""
    with pytest.raises(TypeError, match="must be open for bytes"):
        PatternSet.load(io.StringIO("{}"))  # type: ignore[arg-type]


def test_an_endless_stream_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more than the largest size is read of a stream."""
    monkeypatch.setattr(sources, "MAX_FILE", 10)
    stream = io.BytesIO(b"x" * 1000)
    with pytest.raises(PatternFileError, match="larger"):
        PatternSet.load(stream)
    assert stream.tell() == 11
