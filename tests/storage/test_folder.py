"""Folders of HTML files, and lists of files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scrapy_webstemmer.errors import LearningSetError
from scrapy_webstemmer.storage import folder as folder_module
from scrapy_webstemmer.storage import open_pages, source
from scrapy_webstemmer.storage.folder import FileList, file_urls
from scrapy_webstemmer.storage.source import Skipped
from scrapy_webstemmer.values import Page

HTML = b"<html><p>text</html>"


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    folder = tmp_path / "My mirror"
    folder.mkdir()
    return folder


def put(folder: Path, *names: str, body: bytes = HTML) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)


@pytest.mark.parametrize(
    ("file", "urls"),
    [
        ("www.example.com/a.html", ["http://www.example.com/a.html", "http://www.example.com/a"]),
        ("www.example.com/a", ["http://www.example.com/a"]),
        ("www.example.com/index.html", ["http://www.example.com/", "http://www.example.com/index.html"]),
        ("example.com/a?x=1", ["http://example.com/a?x=1"]),
        (
            "example.com/a.html?x=1.html",
            ["http://example.com/a.html?x=1", "http://example.com/a.html?x=1.html"],
        ),
        ("example.com/a.php@x=1", ["http://example.com/a.php?x=1"]),
        ("example.com/@name/a", ["http://example.com/@name/a"]),
        ("example.com/@name", ["http://example.com/@name"]),
        ("example.com/index.html?p=1", ["http://example.com/?p=1", "http://example.com/index.html?p=1"]),
        ("example.com:8080/a", ["http://example.com:8080/a"]),
        ("example.com+8080/a", ["http://example.com:8080/a"]),
        ("192.168.0.1/a", ["http://192.168.0.1/a"]),
        ("localhost/a", ["http://localhost/a"]),
        ("münchen.example/ü", ["http://münchen.example/%C3%BC"]),
        ("example.com/a%20b#c", ["http://example.com/a%20b%23c"]),
        ("news/a", ["http://mirror/news/a"]),
        ("v1.2/a", ["http://mirror/v1.2/a"]),
        ("example.com", ["http://mirror/example.com"]),
    ],
)
def test_urls_of_files(file: str, urls: list[str]) -> None:
    """A mirrored file gives the url from which wget made it."""
    assert list(file_urls(tuple(file.split("/")), "mirror")) == urls


def test_a_mirror(mirror: Path) -> None:
    """The HTML files come in the order of their names; suffix or first bytes show that they are HTML."""
    put(
        mirror,
        "www.example.com/index.html",
        "www.example.com/b/c.html",
        "www.example.com/b/plain",
        "other.example/x.htm",
    )
    put(mirror, "www.example.com/robots.txt", "www.example.com/style.css", body=b"User-agent: *")
    put(mirror, "www.example.com/i.png", "www.example.com/image.html", body=b"\x89PNG\r\n")
    put(mirror, "www.example.com/nul.html", body=b"\0<p>")
    with open_pages(mirror) as pages:
        assert [page.url for page in pages] == [
            "http://other.example/x.htm",
            "http://www.example.com/",
            "http://www.example.com/nul.html",
            "http://www.example.com/b/c.html",
            "http://www.example.com/b/plain",
        ]
        assert next(iter(pages)) == Page("http://other.example/x.htm", HTML)
        assert pages.skipped == []
        assert pages.linkinfo() is None
        assert pages.count() is None


@pytest.mark.parametrize(
    ("name", "host"),
    [("My mirror", "my-mirror"), ("www.example.com", "www.example.com"), ("日本", "localhost")],
)
def test_a_mirror_without_host_folders(tmp_path: Path, name: str, host: str) -> None:
    """Files directly in a folder belong to a host of its name, so a mirror of one site is an input."""
    put(tmp_path / name, "a.html", "news/b.html")
    assert [page.url for page in open_pages(tmp_path / name)] == [
        f"http://{host}/a.html",
        f"http://{host}/news/b.html",
    ]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_small_folders(mirror: Path, number: int) -> None:
    """A folder of no page, one or two is a source, and an empty file can be a page."""
    for index in range(number):
        put(mirror, f"{index}.html", body=b"")
    assert [page.body for page in open_pages(mirror)] == [b""] * number


def test_symbolic_links(mirror: Path, tmp_path: Path) -> None:
    """Links to folders, to nothing and out of the folder, whose pages are named, are not followed."""
    put(tmp_path, "outside/secret.html")
    put(mirror, "a.html")
    (mirror / "secret.html").symlink_to(tmp_path / "outside" / "secret.html")
    (mirror / "outside").symlink_to(tmp_path / "outside")
    (mirror / "loop").symlink_to(mirror)
    (mirror / "inside.html").symlink_to(mirror / "a.html")
    (mirror / "nothing.html").symlink_to(mirror / "missing.html")
    with open_pages(mirror) as pages:
        found = [page.url for page in pages]
        assert found == ["http://my-mirror/a.html", "http://my-mirror/inside.html"]
        outside = Skipped("secret.html", "is a link that leads out of the folder")
        assert list(pages.skipped) == [outside]


def test_links_that_lead_to_themselves(mirror: Path) -> None:
    """A link to itself, directly or through another link, is not a page, linkinfo or list."""
    put(mirror, "c.html")
    for name, target in (("a.html", "a.html"), ("b1.html", "b2.html"), ("b2.html", "b1.html")):
        (mirror / name).symlink_to(target)
    (mirror / "linkinfo").symlink_to(mirror / "linkinfo")
    (mirror / "x.list").symlink_to("x.list")
    with open_pages(mirror) as pages:
        assert [page.url for page in pages] == ["http://my-mirror/c.html"]
        assert pages.linkinfo() is None
    for name in ("a.html", "linkinfo", "x.list"):
        with pytest.raises(LearningSetError, match=name):
            open_pages(mirror / name)
    with FileList([f"{mirror}/a.html", f"{mirror}/linkinfo", f"{mirror}/c.html"]) as pages:
        assert len(list(pages)) == 1
        assert pages.linkinfo() == {}
        assert pages.skipped_count == 2


def test_linkinfo_that_leads_out_of_the_folder(mirror: Path, tmp_path: Path) -> None:
    """A link called linkinfo is followed only if it leads inside the folder; otherwise it is named."""
    put(tmp_path, "outside", body=b"('e/a', ['secret'])")
    put(mirror, "inside", body=b"('e/a', ['A'])")
    (mirror / "linkinfo").symlink_to(mirror / "inside")
    assert open_pages(mirror).linkinfo() == {"http://e/a": {"A": 1}}
    (mirror / "linkinfo").unlink()
    (mirror / "linkinfo").symlink_to(tmp_path / "outside")
    with open_pages(mirror) as pages:
        assert pages.linkinfo() is None
        assert list(pages) == []
        assert [skipped.reason for skipped in pages.skipped] == ["is a link that leads out of the folder"]


def test_a_pipe_called_linkinfo(mirror: Path) -> None:
    """No read waits for a pipe: in a folder it is ignored, in a list it is named, by itself it is refused."""
    os.mkfifo(mirror / "linkinfo")
    assert open_pages(mirror).linkinfo() is None
    with FileList([f"{mirror}/linkinfo"]) as pages:
        assert list(pages) == []
        assert pages.linkinfo() == {}
        assert [skipped.reason for skipped in pages.skipped] == ["not a regular file"]
    with pytest.raises(LearningSetError, match="neither a file nor a folder"):
        open_pages(mirror / "linkinfo")


def test_folders_in_folders(mirror: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are found at any depth; a folder that is too deep for a path is named."""
    monkeypatch.chdir(mirror)
    try:
        for number in range(2_500):
            Path("f").mkdir()
            os.chdir("f")
            if number in (1_200, 2_400):
                Path("a.html").write_bytes(HTML)
        with open_pages(mirror) as pages:
            assert [page.url.count("/f") for page in pages] == [1_201]
            assert [skipped.reason for skipped in pages.skipped] == ["File name too long"]
    finally:  # pytest cannot remove them
        for _ in range(2_500):
            os.chdir("..")
            Path("f/a.html").unlink(missing_ok=True)
            if Path("f/f").exists():
                Path("f/f").rmdir()
        Path("f").rmdir()


def test_the_order_of_files(mirror: Path) -> None:
    """A folder gives first its files and then its subfolders, both in the order of their names."""
    put(mirror, "b.html", "a/z.html", "a/b/c.html", "a/c.html", "z.html", "c/a.html", "B/a.html")
    paths = [page.url.partition("mirror/")[2] for page in open_pages(mirror)]
    assert paths == "b.html z.html B/a.html a/c.html a/z.html a/b/c.html c/a.html".split()


def test_what_is_no_regular_file_is_not_opened(mirror: Path) -> None:
    """A pipe among the files does not make reading wait."""
    os.mkfifo(mirror / "pipe.html")
    assert list(open_pages(mirror)) == []


def test_unreadable_files_are_named_and_reading_is_lazy(
    mirror: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first page comes before the unreadable second one is read; the third follows."""
    put(mirror, "a.html", "b.html", "c.html")
    whole = folder_module._read

    def refuse(path: Path) -> bytes:
        if path.name == "b.html":
            raise PermissionError(13, "Permission denied")
        return whole(path)

    monkeypatch.setattr(folder_module, "_read", refuse)
    with open_pages(mirror) as pages:
        iterator = iter(pages)
        assert next(iterator).url == "http://my-mirror/a.html"
        assert pages.skipped == []
        assert [page.url for page in iterator] == ["http://my-mirror/c.html"]
        assert pages.skipped == [source.Skipped("b.html", "Permission denied")]


def test_a_file_that_is_too_large(mirror: Path) -> None:
    """A file beyond the limit is skipped and named."""
    put(mirror, "a.html", "b.html")
    with (mirror / "a.html").open("r+b") as stream:
        stream.truncate(source.MAX_BODY + 1)
    with open_pages(mirror) as pages:
        assert [page.url for page in pages] == ["http://my-mirror/b.html"]
        assert pages.skipped == [source.Skipped("a.html", source.TOO_LARGE)]


def test_a_name_that_is_no_text(mirror: Path) -> None:
    """A file whose name is not UTF-8 gets a url that can be stored."""
    try:
        put(mirror, os.fsdecode(b"\xff.html"))
    except OSError:
        pytest.skip("the file system wants names to be text")
    assert [page.url for page in open_pages(mirror)] == ["http://my-mirror/%FF.html"]


def test_a_list_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines name files, or urls and files; blank lines and comments are ignored."""
    put(tmp_path, "www.example.com/a.html", "202611210900/www.example.com/b", "plain.txt")
    monkeypatch.chdir(tmp_path)
    lines = [
        "# files\n",
        "\n",
        "www.example.com/a.html\n",
        "./202611210900/www.example.com/b\r\n",
        "https://www.example.com/c\tplain.txt\n",
        f"{tmp_path}/plain.txt",
    ]
    with FileList(lines) as pages:
        urls = ["http://www.example.com/a.html", "http://www.example.com/b", "https://www.example.com/c"]
        assert [page.url for page in pages] == [*urls, f"http://localhost{tmp_path}/plain.txt"]
        assert {page.body for page in pages} == {HTML}
        assert pages.count() == 4
        assert pages.skipped == []


@pytest.mark.parametrize(
    "line", ["missing.html", ".", "/", "..", "http://example.com/\t", "a\0b", "202611210900"]
)
def test_listed_files_that_cannot_be_read(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that does not name a readable file is skipped and named."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path, "a.html")
    with FileList([line, "a.html"]) as pages:
        assert [page.url for page in pages] == ["http://localhost/a.html"]
        assert len(pages.skipped) == 1


def test_names_with_a_base_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The part before a host is the base id of a crawl; a timestamp is a base id at any place."""
    monkeypatch.chdir(tmp_path)
    names = [
        "morning/example.com/a",
        "202611210900/intranet/a",
        "x/y/202611210900/example.com/a",
        f"{tmp_path}/202611210900/example.com/b",
        "example.org/202611210900/example.com/a",
        "x/y/example.com/a",
    ]
    put(tmp_path, *names)
    assert [page.url for page in FileList(names)] == [
        "http://example.com/a",
        "http://localhost/intranet/a",
        "http://example.com/a",
        "http://example.com/b",
        "http://example.org/202611210900/example.com/a",
        "http://localhost/x/y/example.com/a",
    ]


def test_an_unpacked_crawl(mirror: Path) -> None:
    """A folder with an unpacked zip of 2009 gives the urls and the linkinfo of the zip."""
    put(mirror, "202611210900/www.example.com/a", "202611220900/www.example.com/b.html", "www.example.org/c")
    put(mirror, "linkinfo", body=b"('202611210900/www.example.com/a', ['A', 'A'])\nbad\n")
    with open_pages(mirror) as pages:
        assert [page.url for page in pages] == [
            "http://www.example.com/a",
            "http://www.example.com/b.html",
            "http://www.example.org/c",
        ]
        assert pages.linkinfo() == {"http://www.example.com/a": {"A": 2}}
        assert [skipped.reason for skipped in pages.skipped] == ["malformed linkinfo line"]
    assert open_pages(mirror, linkinfo_name="").linkinfo() is None
    assert open_pages(mirror, linkinfo_name="other").linkinfo() is None


def test_an_empty_list() -> None:
    """An empty list gives no page."""
    assert list(FileList([])) == []


def test_a_missing_folder(tmp_path: Path) -> None:
    """A folder that does not exist is an error."""
    with pytest.raises(LearningSetError, match="no such folder"):
        folder_module.HtmlFolder(tmp_path / "missing")
