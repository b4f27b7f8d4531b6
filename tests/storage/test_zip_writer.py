"""Crawls written to zips can be read by us, by any reader of zips, and by Python 2's ``eval``."""

from __future__ import annotations

import ast
import os
import random
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_webstemmer.base.urls import canonical_url, link_key
from scrapy_webstemmer.errors import LearningSetError
from scrapy_webstemmer.storage import SqliteLearningSet, open_pages
from scrapy_webstemmer.storage.linkinfo_file import parse_linkinfo_line
from scrapy_webstemmer.storage.zip_crawl import MAX_REPEATS, ZipCrawl, linkinfo_lines, page_name
from scrapy_webstemmer.values import Page

STAMP = "202611210900"
A, B = "http://example.com/a", "http://example.com/b"

WRITER = """
import sys
from scrapy_webstemmer.storage.zip_crawl import ZipCrawl
from scrapy_webstemmer.values import Page

path, name, number = sys.argv[1:]
with ZipCrawl(path, "202611210900") as pages:
    for index in range(int(number)):
        url = f"http://example.com/{name}/{index:05}"
        pages.add_page(Page(url, b"<p>" + url.encode() * 99), [("http://example.com/", "Home")])
        print(url, flush=True)
"""

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=8)
URLS = st.builds(
    "{}://{}/{}".format,
    st.sampled_from(["http", "https", "HTTPS"]),
    st.sampled_from(
        ["example.com", "EXAMPLE.com:8080", "example.com:443", "intranet", "202611210900", "é.fr"]
    ),
    ANY_TEXT,
).filter(lambda url: not (url.startswith("http:") and ":443" in url))
BASE_IDS = st.sampled_from([STAMP, "monday", "a.com", "1.0"])
ANCHORS = st.lists(st.tuples(URLS, st.sampled_from("abc") | ANY_TEXT.filter(bool)), max_size=6)
PAGES = st.builds(Page, URLS, st.binary(min_size=1, max_size=99), fetched=st.none() | st.datetimes().map(str))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "crawl.zip"


def collected(path: Path) -> Path:
    """Return the file that holds the pages of a crawl into a zip until it ends."""
    return Path(f"{path}.sqlite")


def lines_of(path: Path, name: str = "linkinfo") -> dict[str, list[str]]:
    """Return the linkinfo as the original reads it, and check that Python 2 would understand it."""
    with zipfile.ZipFile(path) as opened:
        lines = opened.read(name).decode("ascii").splitlines()
    return dict(ast.literal_eval(line) for line in lines)


def linkinfo_of(path: Path) -> dict[str, Any] | None:
    with open_pages(path) as pages:
        linkinfo = pages.linkinfo()
        assert pages.skipped == []
        return None if linkinfo is None else dict(linkinfo)


@given(st.lists(st.tuples(PAGES, ANCHORS), max_size=6), BASE_IDS)
def test_what_was_written_is_read(stored: list[tuple[Page, list[tuple[str, str]]]], base_id: str) -> None:
    """A zip has the same bodies and linkinfo as a SQLite file with the same pages, for any scheme."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.zip")
        with ZipCrawl(path, base_id) as crawl, SqliteLearningSet(Path(folder, "x.sqlite")) as other:
            for page, anchors in stored:
                crawl.add_page(page, anchors)
                other.add_page(page, anchors)
            bodies = {link_key(page.url): page.body for page in other}
            expected: dict[str, Counter[str]] = defaultdict(Counter)
            for url, texts in (other.linkinfo() or {}).items():
                expected[link_key(url)].update(texts)
        with open_pages(path) as pages:
            assert {link_key(page.url): page.body for page in pages} == bodies
            assert pages.count() == len(bodies)
            linkinfo = pages.linkinfo() or {}
            assert {link_key(url): dict(texts) for url, texts in linkinfo.items()} == expected
            assert pages.skipped == []


@given(URLS, BASE_IDS)
@example("http://example.com/../../a?b=/../..", STAMP)
@example("http://../a/./..", STAMP)
@example("http://[broken/\\\0é/../", STAMP)
@example("data:text/html,é", STAMP)
def test_names_are_harmless(url: str, base_id: str) -> None:
    """For any url, a member's name is visible ASCII and unpacks below the folder of its base id."""
    name = page_name(base_id, url)
    assert name.isascii()
    assert name.isprintable()
    assert name.startswith(f"{base_id}/")
    assert {" ", "\\"}.isdisjoint(name)
    assert {".", ".."}.isdisjoint(name.split("/"))


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://www.example.com/a.html", "www.example.com/a.html"),
        ("https://example.com/?b=2&a=1", "example.com/?b=2&a=1"),
        ("http://example.com:8080/a/#top", "example.com:8080/a/"),
        ("https://example.com:443/", "example.com/"),
        ("http://example.com/a b/c?d=é", "example.com/a%20b/c?d=%C3%A9"),
        ("http://example.com/http://b.example/", "example.com/http://b.example/"),
    ],
)
def test_names_are_those_of_2009(url: str, name: str) -> None:
    """Scheme and fragment are dropped; all other parts of a usual url stay."""
    assert page_name(STAMP, url) == f"{STAMP}/{name}"


@given(ANY_TEXT, st.dictionaries(ANY_TEXT, st.integers(1, 3), min_size=1))
@example("a", {"'": 1, '"': 1, "'\"": 2, "\\": 1, "\0\n\r\t\x7f\x85\u2028": 1, "あ\U0001f600": 1})
def test_linkinfo_lines(name: str, texts: dict[str, int]) -> None:
    """A line is ASCII without line breaks; Python and our own reader read the same from it."""
    (line,) = linkinfo_lines(name, texts)
    assert line.endswith(")\n")
    assert line.isascii()
    assert line[:-1].isprintable()
    repeated = [text for text in sorted(texts) for _ in range(texts[text])]
    assert ast.literal_eval(line) == parse_linkinfo_line(line) == (name, repeated)
    assert ("u'" in line or 'u"' in line) or (name.isascii() and all(text.isascii() for text in texts))


def test_texts_that_python_2_decodes() -> None:
    """Texts beyond ASCII have the prefix that makes Python 2 decode escapes; other texts have none."""
    assert list(linkinfo_lines("a", {"b": 1, "あ\xe9": 2})) == [
        "('a', ['b', u'\\u3042\\xe9', u'\\u3042\\xe9'])\n"
    ]


def test_texts_that_are_on_every_page(path: Path) -> None:
    """A text is repeated at most a hundred times, and many texts continue on another line."""
    with ZipCrawl(path, STAMP) as writer:
        for index in range(MAX_REPEATS + 20):
            writer.add_page(Page(f"{B}{index}", b"b"), [(A, "Home"), (A, f"{index:03}" * 99)])
    linkinfo = linkinfo_of(path) or {}
    assert linkinfo[A].pop("Home") == MAX_REPEATS
    assert sorted(linkinfo[A]) == [f"{index:03}" * 99 for index in range(MAX_REPEATS + 20)]
    lines = list(linkinfo_lines("a", {f"{index:04}": 1 for index in range(2500)}))
    read = [parse_linkinfo_line(line)[1] for line in lines]
    assert [len(texts) for texts in read] == [1000, 1000, 500]
    assert [text for texts in read for text in texts] == [f"{index:04}" for index in range(2500)]


def test_the_zip_comes_at_the_end(path: Path) -> None:
    """Until the end there is only a SQLite file; then only a zip, with the linkinfo as its last member."""
    with ZipCrawl(path, STAMP) as writer:
        for number in range(1, 20):
            writer.add_page(Page(f"{A}?{number:02}=", b"%d" % number), [(B, "B")])
        assert not path.exists()
        assert writer.path == collected(path)
        assert writer.path.is_file()
    assert list(path.parent.iterdir()) == [path]
    with zipfile.ZipFile(path) as opened:
        names = [f"{STAMP}/example.com/a?{number:02}=" for number in range(1, 20)]
        assert opened.namelist() == [*names, "linkinfo"]
        assert opened.read(names[-1]) == b"19"
    assert lines_of(path) == {f"{STAMP}/example.com/b": ["B"] * 19}


def test_a_crawl_without_pages(path: Path) -> None:
    """It makes an empty zip if there is none or an empty file; an existing zip does not change."""
    path.touch()
    ZipCrawl(path, STAMP).close()
    assert zipfile.ZipFile(path).namelist() == []
    before = path.stat()
    ZipCrawl(path, STAMP).close()
    assert path.stat() == before


def test_members_carry_the_time(path: Path) -> None:
    """A member has the time at which the page was fetched, if a zip can hold that time."""
    times = {"a": "2026-11-21T09:15:30+00:00", "b": None, "c": "1066-10-14T09:00:00", "d": "noon"}
    with ZipCrawl(path, STAMP) as writer:
        for name, fetched in times.items():
            writer.add_page(Page(f"http://example.com/{name}", b"x", fetched=fetched))
    with zipfile.ZipFile(path) as opened:
        dates = [info.date_time for info in opened.infolist()]
        assert {info.compress_type for info in opened.infolist()} == {zipfile.ZIP_DEFLATED}
    assert dates == [(2026, 11, 21, 9, 15, 30)] + [(1980, 1, 1, 0, 0, 0)] * 3


def test_anchors_find_the_page_whatever_they_call_it(path: Path) -> None:
    """Linkinfo uses the stored page's name, even if links spell its url otherwise or are redirected."""
    with ZipCrawl(path, STAMP) as writer:
        links = [
            ("http://EXAMPLE.com/a?c=2&b=1", "one"),
            ("https://example.com/a?b=1&c=2", "two"),
            (B, "three"),
        ]
        writer.add_page(Page("http://example.com/", b"x"), links)
        writer.add_page(Page("https://example.com/a?c=2&b=1", b"x", aliases=(B,)), [])
    assert lines_of(path) == {f"{STAMP}/example.com/a?c=2&b=1": ["one", "three", "two"]}


def test_an_alias_that_is_a_page_itself(path: Path) -> None:
    """A page whose url once redirected elsewhere replaces nothing, and has its own anchors."""
    with ZipCrawl(path, STAMP) as writer:
        writer.add_page(Page(A, b"a", aliases=(B,)), [(B, "to b")])
        writer.add_page(Page(B, b"b"), [])
    with open_pages(path) as pages:
        assert {page.url: page.body for page in pages} == {A: b"a", B: b"b"}
    assert lines_of(path) == {f"{STAMP}/example.com/b": ["to b"]}


def test_a_page_that_is_stored_twice(path: Path) -> None:
    """The newer version and its anchors replace the older ones, in any spelling of the url."""
    with ZipCrawl(path, STAMP) as writer:
        writer.add_page(Page(A + "?c=1&b=2", b"old"), [(B, "old"), (B, "both")])
        writer.add_page(Page(B, b"b"), [])
        writer.add_page(Page(A + "?b=2&c=1", b"new"), [(B, "new"), (B, "both")])
        writer.add_page(Page(B, b"newer"))
    with zipfile.ZipFile(path) as opened:
        assert opened.namelist() == [f"{STAMP}/example.com/a?b=2&c=1", f"{STAMP}/example.com/b", "linkinfo"]
    with open_pages(path) as pages:
        assert [page.body for page in pages] == [b"new", b"newer"]
        assert dict((pages.linkinfo() or {}).items()) == {B: {"both": 1, "new": 1}}


def test_anchors_of_pages_that_are_not_stored(path: Path) -> None:
    """Anchors are recorded without their page, and replace the page's earlier ones."""
    with ZipCrawl(path, STAMP) as writer:
        writer.add_page(Page(A, b"a"), [(B, "old")])
        writer.add_anchors(A, [(B, "new"), (B, "")])
        writer.add_anchors("http://example.com/", [(B, "home")])
    with open_pages(path) as pages:
        assert [page.url for page in pages] == [A]
        assert dict((pages.linkinfo() or {}).items()) == {B: {"home": 1, "new": 1}}


def test_without_linkinfo(path: Path) -> None:
    """Without anchors there is no linkinfo, not an empty one."""
    with ZipCrawl(path, STAMP) as writer:
        writer.add_page(Page(A, b"a"), None)
    assert linkinfo_of(path) is None


def test_anchors_that_were_recorded_before_linkinfo_was_switched_off(path: Path) -> None:
    """The anchors of a killed crawl are not lost with the SQLite file."""
    with ZipCrawl(path, STAMP, "") as writer:
        writer.add_page(Page(A, b"a"), [(B, "B")])
    assert linkinfo_of(path) == {B: {"B": 1}}


def test_linkinfo_by_another_name(path: Path) -> None:
    """The member with the linkinfo has the requested name."""
    with ZipCrawl(path, STAMP, "links.txt") as writer:
        writer.add_page(Page(A, b"a"), [(B, "B")])
    assert lines_of(path, "links.txt") == {f"{STAMP}/example.com/b": ["B"]}


def test_a_later_crawl_adds(path: Path) -> None:
    """Pages of another base id join the earlier ones, and linkinfo has the urls of both crawls."""
    with ZipCrawl(path, STAMP) as writer:
        writer.add_page(Page(A, b"a"), [(B, "B"), (B, "é")])
    with ZipCrawl(path, "202611220900") as writer:
        writer.add_page(Page(A, b"a2"), [(B, "B")])
        writer.add_page(Page(B, b"b"), [(A, "A")])
    with open_pages(path) as pages:
        assert [(page.url, page.body, (page.fetched or "")[:10]) for page in pages] == [
            (A, b"a", "2026-11-21"),
            (A, b"a2", "2026-11-22"),
            (B, b"b", "2026-11-22"),
        ]
        assert dict((pages.linkinfo() or {}).items()) == {A: {"A": 1}, B: {"B": 2, "é": 1}}
    assert lines_of(path) == {
        f"{STAMP}/example.com/b": ["B", "é"],
        "202611220900/example.com/a": ["A"],
        "202611220900/example.com/b": ["B"],
    }


def test_a_crawl_that_goes_on(path: Path) -> None:
    """Under the same base id pages are replaced, and the texts of a url stay on one line."""
    with ZipCrawl(path, STAMP) as writer:
        writer.add_page(Page(A + "?c=1&b=2", b"old"), [(B, "one")])
    with ZipCrawl(path, STAMP) as writer:
        writer.add_page(Page(A + "?b=2&c=1", b"new"), [(B, "two")])
        writer.add_page(Page(B, b"b"))
    with open_pages(path) as pages:
        assert [page.body for page in pages] == [b"new", b"b"]
    assert lines_of(path) == {f"{STAMP}/example.com/b": ["one", "two"]}


def test_a_crawl_after_one_that_was_killed(path: Path, caplog: Any) -> None:
    """A zip whose pages have no linkinfo gets none: half of it would hide the anchors in those pages."""
    caplog.set_level("INFO")
    with zipfile.ZipFile(path, "w") as out:
        out.writestr(f"{STAMP}/example.com/a", b"a")
    with ZipCrawl(path, STAMP) as writer:
        writer.add_page(Page(B, b"b"), [(A, "A")])
    assert linkinfo_of(path) is None
    assert "learning finds the anchors in the pages" in caplog.text


def test_malformed_lines_of_an_earlier_linkinfo(path: Path, caplog: Any) -> None:
    """A malformed line is named and dropped, and never executed; the others stay."""
    with zipfile.ZipFile(path, "w") as out:
        out.writestr("linkinfo", f"('{STAMP}/example.com/b', ['old'])\nexit(1)\n(u'\\u3042', [u'\\ud800'])\n")
    with ZipCrawl(path, STAMP) as writer:
        writer.add_anchors(A, [(B, "new")])
    assert "linkinfo:2: " in caplog.text
    assert lines_of(path) == {f"{STAMP}/example.com/b": ["new", "old"], "あ": ["\ud800"]}


def test_other_members_stay(path: Path) -> None:
    """Another program's members, comments, extra fields and charsets of names stay."""
    info = zipfile.ZipInfo("old", (2009, 6, 1, 12, 0, 0))
    info.comment, info.extra = b"of the member", b"\xff\xee\x02\0ab"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as out:
        out.writestr(info, b"old" * 99)
        out.writestr(f"{STAMP}/e.com/xxx", b"caf\xe9")
        out.comment = b"of the zip"
    path.write_bytes(path.read_bytes().replace(b"/xxx", b"/a\xe9b"))  # Python 2 wrote such names
    for base_id in (STAMP, "monday"):
        with ZipCrawl(path, base_id) as writer:
            writer.add_page(Page(A, b"a"))
    with zipfile.ZipFile(path) as opened:
        names = ["old", f"{STAMP}/e.com/aΘb", f"{STAMP}/example.com/a", "monday/example.com/a"]
        assert opened.namelist() == names
        assert [opened.read(name) for name in names] == [b"old" * 99, b"caf\xe9", b"a", b"a"]
        kept = opened.getinfo("old")
        assert (kept.date_time, kept.comment, kept.extra) == (info.date_time, info.comment, info.extra)
        assert opened.comment == b"of the zip\nwebstemmer base id: monday"


@pytest.mark.parametrize(
    "content", [b"no zip at all" * 9, b"SQLite format 3\0", b"PK", b"PK\x03\x04 and no more"]
)
def test_other_files_are_refused(path: Path, content: bytes) -> None:
    """A file that is not a zip, or a damaged zip, is an error that names it, and does not change."""
    path.write_bytes(content)
    with pytest.raises(LearningSetError, match=r"crawl\.zip: (?:is not a zip file|damaged zip.*`zip -FF )"):
        ZipCrawl(path, STAMP)
    assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


def test_what_is_no_file_is_refused(path: Path) -> None:
    """A pipe is refused without waiting for its other end, and so is a folder."""
    path.mkdir()
    with pytest.raises(LearningSetError, match=r"crawl\.zip: is not a file"):
        ZipCrawl(path, STAMP)
    path.rmdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(path)
        with pytest.raises(LearningSetError, match=r"crawl\.zip: is not a file"):
            ZipCrawl(path, STAMP)


def test_one_crawl_at_a_time(path: Path) -> None:
    """Another process cannot add to the same zip until the first one has closed it."""
    second = [sys.executable, "-c", WRITER, str(path), "b", "1"]
    with ZipCrawl(path, STAMP) as writer:
        writer.add_page(Page(A, b"a"))
        done = subprocess.run(second, capture_output=True, text=True, check=False)
        assert "crawl.zip: another crawl is adding to it" in done.stderr
        with pytest.raises(LearningSetError, match="another crawl is adding to it"):
            ZipCrawl(path, STAMP)
        writer.add_page(Page(B, b"b"))
    subprocess.run(second, check=True, stdout=subprocess.DEVNULL)
    with open_pages(path) as pages:
        assert [page.url for page in pages] == [A, B, "http://example.com/b/00000"]


def test_a_crawl_that_begins_while_another_one_ends(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that was removed after it was opened is not filled, because its pages would be lost."""

    open_set = SqliteLearningSet.__init__

    def open_and_lose(*args: Any, **kwargs: Any) -> None:
        open_set(*args, **kwargs)
        collected(path).unlink()

    monkeypatch.setattr(SqliteLearningSet, "__init__", open_and_lose)
    with pytest.raises(LearningSetError, match="another crawl is adding to it"):
        ZipCrawl(path, STAMP)


def test_a_url_that_is_too_long(path: Path, caplog: Any) -> None:
    """A page whose name is too long for a zip is named, the others are zipped, and the SQLite file stays."""
    writer = ZipCrawl(path, STAMP)
    writer.add_page(Page(A + "x" * 70_000, b"a"))
    writer.add_page(Page(B, b"b"))
    with pytest.raises(LearningSetError, match="lacks some of its pages"):
        writer.close()
    assert "the url is too long for a zip" in caplog.text
    for file, number in ((path, 1), (collected(path), 2)):
        with open_pages(file) as pages:
            assert pages.count() == number


def test_more_than_a_zip_of_2009_holds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond 65,535 members the zip gets the directory of a zip64, so that no page is refused."""
    monkeypatch.setattr("zipfile.ZIP_FILECOUNT_LIMIT", 2)
    with ZipCrawl(path, STAMP) as writer:
        for number in range(5):
            writer.add_page(Page(f"{A}{number}", b"a"), [(B, "B")])
    with zipfile.ZipFile(path) as opened:
        assert len(opened.namelist()) == 6
    assert b"PK\x06\x06" in path.read_bytes()


def test_closing_twice(path: Path) -> None:
    """The second call does nothing."""
    writer = ZipCrawl(path, STAMP)
    writer.add_page(Page(A, b"a"), [(B, "B")])
    writer.close()
    content = path.read_bytes()
    writer.close()
    assert path.read_bytes() == content


@pytest.mark.parametrize("earlier", [True, False])
def test_full_disk(earlier: bool, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The earlier zip does not change, the pages stay beside it, and the next crawl adds them."""
    if earlier:
        with ZipCrawl(path, "monday") as writer:
            writer.add_page(Page(A, b"a"))
    before = path.read_bytes() if earlier else None

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    writer = ZipCrawl(path, STAMP)
    writer.add_page(Page(B, b"b"), [(A, "A")])
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(LearningSetError) as caught:
            writer.close()
    assert "No space left on device; the pages are safe in " in str(caught.value)
    assert f"the pages are safe in {collected(path)}" in str(caught.value)
    assert (path.read_bytes() if path.exists() else None) == before
    assert set(path.parent.iterdir()) == {collected(path), *([path] if earlier else [])}
    ZipCrawl(path, STAMP).close()
    with open_pages(path) as pages:
        assert [page.url for page in pages] == [*([A] if earlier else []), B]
    assert list(path.parent.iterdir()) == [path]


def test_the_time_of_the_first_page(path: Path) -> None:
    """Without a base id, the time at which the first page was fetched is used."""
    with ZipCrawl(path) as writer:
        writer.add_page(Page(A, b"a", fetched="2026-11-21T09:15:00+00:00"))
        writer.add_page(Page(B, b"b", fetched="2026-11-21T09:14:59+00:00"))
        writer.add_page(Page(B + "c", b"c"))
    with open_pages(path) as pages:
        assert {page.fetched for page in pages} == {"2026-11-21T09:14:00Z"}


def started(path: Path, name: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, "100000"], stdout=subprocess.PIPE, text=True
    )


def chances() -> Iterator[random.Random]:
    return (random.Random(seed) for seed in range(10))


@pytest.mark.once
def test_killed_while_writing(path: Path) -> None:
    """After kill -9 each reported page is in the SQLite file, and the next crawl puts it into the zip."""
    reported: list[str] = []
    for turn, chance in enumerate(chances()):
        process = started(path, str(turn))
        assert process.stdout is not None
        for _ in range(chance.randrange(1, 150)):
            reported.append(process.stdout.readline().strip())
        process.kill()
        reported += process.communicate()[0].split()
        assert "" not in reported
        assert not path.exists()
        with open_pages(collected(path)) as pages:
            assert set(reported) <= {page.url for page in pages}
    with ZipCrawl(path, STAMP) as writer:
        writer.add_page(Page(A, b"after"))
    with zipfile.ZipFile(path) as opened:
        assert opened.testzip() is None
    with open_pages(path) as pages:
        assert {*reported, A} <= {page.url for page in pages}
        assert all(page.body == b"<p>" + page.url.encode() * 99 for page in pages if page.url != A)
        assert "http://example.com/" in (pages.linkinfo() or {})
        assert pages.skipped == []


def test_canonical_urls_are_what_linkinfo_gives(path: Path) -> None:
    """Targets come back in their canonical form, which learning compares."""
    with ZipCrawl(path, STAMP) as writer:
        writer.add_anchors(A, [("http://EXAMPLE.com/é?b&a#c", "x")])
    assert linkinfo_of(path) == {canonical_url("http://example.com/é?a=&b="): {"x": 1}}
