"""Crawls written to zips: what was written is read, by us, by any reader of zips, by Python 2's ``eval``."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_webstemmer.errors import LearningSetError
from scrapy_webstemmer.pages import open_pages, source, zip_writer
from scrapy_webstemmer.pages.linkinfo_file import parse_linkinfo_line
from scrapy_webstemmer.pages.zip_writer import MAX_REPEATS, ZipWriter, linkinfo_lines, page_name
from scrapy_webstemmer.urls import canonical_url, link_key, well_formed
from scrapy_webstemmer.values import Page

STAMP = "202611210900"
A, B = "http://example.com/a", "http://example.com/b"

WRITER = """
import sys
from scrapy_webstemmer.pages.zip_writer import ZipWriter
from scrapy_webstemmer.values import Page

path, name = sys.argv[1:]
with ZipWriter(path, "202611210900") as pages:
    for index in range(100_000):
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


def lines_of(path: Path, name: str = "linkinfo") -> dict[str, list[str]]:
    """Return the linkinfo as the original reads it, checked to be what Python 2 understands."""
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
    """Of each url the last version comes back under the same name in crawl and linkinfo."""
    last = {link_key(page.url): (page, anchors) for page, anchors in stored}
    expected: dict[str, dict[str, int]] = {}
    for _, anchors in last.values():
        for target, text in anchors:
            texts = expected.setdefault(link_key(target), {})
            texts[well_formed(text)] = texts.get(well_formed(text), 0) + 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.zip")
        with ZipWriter(path, base_id) as writer:
            for page, anchors in stored:
                writer.add_page(page, anchors)
        with open_pages(path) as pages:
            assert {link_key(page.url): page.body for page in pages} == {
                key: page.body for key, (page, _) in last.items()
            }
            assert pages.count() == len(last)
            linkinfo = pages.linkinfo() or {}
            assert {link_key(url): dict(texts) for url, texts in linkinfo.items()} == expected
            assert pages.skipped == []


@given(URLS, BASE_IDS)
@example("http://example.com/../../a?b=/../..", STAMP)
@example("http://../a/./..", STAMP)
@example("http://[broken/\\\0é/../", STAMP)
@example("data:text/html,é", STAMP)
def test_names_are_harmless(url: str, base_id: str) -> None:
    """Whatever the url, a member's name is visible ASCII, and unpacks below the folder of its base id."""
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
    """Scheme and fragment are dropped; what a url may contain stays as it is."""
    assert page_name(STAMP, url) == f"{STAMP}/{name}"


@given(ANY_TEXT, st.dictionaries(ANY_TEXT, st.integers(1, 3), min_size=1))
@example("a", {"'": 1, '"': 1, "'\"": 2, "\\": 1, "\0\n\r\t\x7f\x85\u2028": 1, "あ\U0001f600": 1})
def test_linkinfo_lines(name: str, texts: dict[str, int]) -> None:
    """A line is ASCII without line breaks, and Python and our own reader make the same of it."""
    (line,) = linkinfo_lines(name, texts)
    assert line.endswith(")\n")
    assert line.isascii()
    assert line[:-1].isprintable()
    repeated = [text for text in sorted(texts) for _ in range(texts[text])]
    assert ast.literal_eval(line) == parse_linkinfo_line(line) == (name, repeated)
    assert ("u'" in line or 'u"' in line) or (name.isascii() and all(text.isascii() for text in texts))


def test_texts_that_python_2_decodes() -> None:
    """What is not ASCII has the prefix without which Python 2 takes escapes for text; the rest has none."""
    assert list(linkinfo_lines("a", {"b": 1, "あ\xe9": 2})) == [
        "('a', ['b', u'\\u3042\\xe9', u'\\u3042\\xe9'])\n"
    ]


def test_texts_that_are_on_every_page(path: Path) -> None:
    """A text is repeated a hundred times at most, and many texts go on in another line."""
    with ZipWriter(path, STAMP) as writer:
        for index in range(MAX_REPEATS + 20):
            writer.add_page(Page(f"{B}{index}", b"b"), [(A, "Home"), (A, f"{index:03}" * 99)])
    linkinfo = linkinfo_of(path) or {}
    assert linkinfo[A].pop("Home") == MAX_REPEATS
    assert sorted(linkinfo[A]) == [f"{index:03}" * 99 for index in range(MAX_REPEATS + 20)]
    lines = list(linkinfo_lines("a", {f"{index:04}": 1 for index in range(2500)}))
    read = [parse_linkinfo_line(line)[1] for line in lines]
    assert [len(texts) for texts in read] == [1000, 1000, 500]
    assert [text for texts in read for text in texts] == [f"{index:04}" for index in range(2500)]


def test_complete_after_each_page(path: Path) -> None:
    """After each page any reader of zips finds all pages so far; the linkinfo comes last, at the end."""
    with ZipWriter(path, STAMP) as writer:
        for number in range(1, 20):
            writer.add_page(Page(f"{A}?{number}=", b"%d" % number), [(B, "B")])
            with zipfile.ZipFile(path) as opened:
                names = [f"{STAMP}/example.com/a?{index}=" for index in range(1, number + 1)]
                assert opened.namelist() == names
                assert opened.read(names[-1]) == b"%d" % number
            assert linkinfo_of(path) is None
    with zipfile.ZipFile(path) as opened:
        assert opened.namelist() == [*names, "linkinfo"]
    assert lines_of(path) == {f"{STAMP}/example.com/b": ["B"] * 19}


def test_members_carry_the_time(path: Path) -> None:
    """A member's time is the one at which the page was fetched, if there is one that a zip can hold."""
    times = {"a": "2026-11-21T09:15:30+00:00", "b": None, "c": "1066-10-14T09:00:00", "d": "noon"}
    with ZipWriter(path, STAMP) as writer:
        for name, fetched in times.items():
            writer.add_page(Page(f"http://example.com/{name}", b"x", fetched=fetched))
    with zipfile.ZipFile(path) as opened:
        dates = [info.date_time for info in opened.infolist()]
        assert {info.compress_type for info in opened.infolist()} == {zipfile.ZIP_DEFLATED}
    assert dates == [(2026, 11, 21, 9, 15, 30)] + [(1980, 1, 1, 0, 0, 0)] * 3


def test_anchors_find_the_page_whatever_they_call_it(path: Path) -> None:
    """Linkinfo has the stored page's own name where links spell its url otherwise or were redirected."""
    with ZipWriter(path, STAMP) as writer:
        links = [
            ("http://EXAMPLE.com/a?c=2&b=1", "one"),
            ("https://example.com/a?b=1&c=2", "two"),
            (B, "three"),
        ]
        writer.add_page(Page("http://example.com/", b"x"), links)
        writer.add_page(Page("https://example.com/a?c=2&b=1", b"x", aliases=(B,)), [])
    assert lines_of(path) == {f"{STAMP}/example.com/a?c=2&b=1": ["one", "three", "two"]}


def test_an_alias_that_is_a_page_itself(path: Path) -> None:
    """A page under a url that was once redirected elsewhere replaces nothing, and has its own anchors."""
    with ZipWriter(path, STAMP) as writer:
        writer.add_page(Page(A, b"a", aliases=(B,)), [(B, "to b")])
        writer.add_page(Page(B, b"b"), [])
    with open_pages(path) as pages:
        assert {page.url: page.body for page in pages} == {A: b"a", B: b"b"}
    assert lines_of(path) == {f"{STAMP}/example.com/b": ["to b"]}


def test_a_page_that_is_stored_twice(path: Path) -> None:
    """The newer version and its anchors take the place of the older ones, however the url is spelt."""
    with ZipWriter(path, STAMP) as writer:
        writer.add_page(Page(A + "?c=1&b=2", b"old"), [(B, "old"), (B, "both")])
        writer.add_page(Page(B, b"b"), [])
        writer.add_page(Page(A + "?b=2&c=1", b"new"), [(B, "new"), (B, "both")])
        writer.add_page(Page(B, b"newer"))
    with zipfile.ZipFile(path) as opened:
        assert opened.namelist() == [f"{STAMP}/example.com/a?c=1&b=2", f"{STAMP}/example.com/b", "linkinfo"]
    with open_pages(path) as pages:
        assert [page.body for page in pages] == [b"new", b"newer"]
        assert dict(pages.linkinfo() or {}) == {B: {"both": 1, "new": 1}}


def test_anchors_of_pages_that_are_not_stored(path: Path) -> None:
    """Anchors are recorded without their page, and in the place of what the page had before."""
    with ZipWriter(path, STAMP) as writer:
        writer.add_page(Page(A, b"a"), [(B, "old")])
        writer.add_anchors(A, [(B, "new"), (B, "")])
        writer.add_anchors("http://example.com/", [(B, "home")])
    with open_pages(path) as pages:
        assert [page.url for page in pages] == [A]
        assert dict(pages.linkinfo() or {}) == {B: {"home": 1, "new": 1}}


@pytest.mark.parametrize(("linkinfo_name", "anchors"), [("", [(B, "B")]), ("linkinfo", None)])
def test_without_linkinfo(linkinfo_name: str, anchors: Any, path: Path) -> None:
    """Where it is switched off, or no anchors were given, there is no linkinfo rather than an empty one."""
    with ZipWriter(path, STAMP, linkinfo_name) as writer:
        writer.add_page(Page(A, b"a"), anchors)
        if not linkinfo_name:
            writer.add_anchors(B, [(A, "A")])
    assert linkinfo_of(path) is None


def test_linkinfo_by_another_name(path: Path) -> None:
    """The member that holds the linkinfo is called as it is wished."""
    with ZipWriter(path, STAMP, "links.txt") as writer:
        writer.add_page(Page(A, b"a"), [(B, "B")])
    assert lines_of(path, "links.txt") == {f"{STAMP}/example.com/b": ["B"]}


def test_a_later_crawl_adds(path: Path) -> None:
    """Pages of another base id stand beside the earlier ones, and linkinfo speaks of both crawls."""
    with ZipWriter(path, STAMP) as writer:
        writer.add_page(Page(A, b"a"), [(B, "B"), (B, "é")])
    with ZipWriter(path, "202611220900") as writer:
        writer.add_page(Page(A, b"a2"), [(B, "B")])
        writer.add_page(Page(B, b"b"), [(A, "A")])
    with open_pages(path) as pages:
        assert [(page.url, page.body, (page.fetched or "")[:10]) for page in pages] == [
            (A, b"a", "2026-11-21"),
            (A, b"a2", "2026-11-22"),
            (B, b"b", "2026-11-22"),
        ]
        assert dict(pages.linkinfo() or {}) == {A: {"A": 1}, B: {"B": 2, "é": 1}}
    assert lines_of(path) == {
        f"{STAMP}/example.com/b": ["B", "é"],
        "202611220900/example.com/a": ["A"],
        "202611220900/example.com/b": ["B"],
    }


def test_a_crawl_that_goes_on(path: Path) -> None:
    """Under the same base id pages are replaced, and a url's texts are on one line."""
    with ZipWriter(path, STAMP) as writer:
        writer.add_page(Page(A + "?c=1&b=2", b"old"), [(B, "one")])
    with ZipWriter(path, STAMP) as writer:
        writer.add_page(Page(A + "?b=2&c=1", b"new"), [(B, "two")])
        writer.add_page(Page(B, b"b"))
    with open_pages(path) as pages:
        assert [page.body for page in pages] == [b"new", b"b"]
    assert lines_of(path) == {f"{STAMP}/example.com/b": ["one", "two"]}


def test_a_crawl_after_one_that_was_killed(path: Path, caplog: Any) -> None:
    """A zip whose pages have no linkinfo gets none: half of it would hide the anchors in these pages."""
    caplog.set_level("INFO")
    with zipfile.ZipFile(path, "w") as out:
        out.writestr(f"{STAMP}/example.com/a", b"a")
    with ZipWriter(path, STAMP) as writer:
        writer.add_page(Page(B, b"b"), [(A, "A")])
    assert linkinfo_of(path) is None
    assert "learning finds the anchors in the pages" in caplog.text


def test_malformed_lines_of_an_earlier_linkinfo(path: Path, caplog: Any) -> None:
    """What is no line is named and left behind; nothing in it runs; the others stay."""
    with zipfile.ZipFile(path, "w") as out:
        out.writestr("linkinfo", f"('{STAMP}/example.com/b', ['old'])\nexit(1)\n(u'\\u3042', [u'\\ud800'])\n")
    with ZipWriter(path, STAMP) as writer:
        writer.add_anchors(A, [(B, "new")])
    assert "linkinfo:2: " in caplog.text
    assert lines_of(path) == {f"{STAMP}/example.com/b": ["new", "old"], "あ": ["\ud800"]}


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (Page(A + "x" * 70_000, b"a"), "too long for a zip"),
        (Page(A, bytes(source.MAX_BODY + 1)), source.TOO_LARGE),
    ],
)
def test_pages_that_no_zip_can_hold(page: Page, reason: str, path: Path) -> None:
    """Such a page is an error that names it, and the next one is stored."""
    with ZipWriter(path, STAMP) as writer:
        with pytest.raises(LearningSetError, match=reason) as caught:
            writer.add_page(page, [(B, "B")])
        assert caught.value.record == page.url
        writer.add_page(Page(B, b"b"))
    with open_pages(path) as pages:
        assert [page.url for page in pages] == [B]
    assert linkinfo_of(path) is None


def test_a_full_zip_has_room_for_the_linkinfo(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One page less than the format allows is stored, for the linkinfo; pages can still be replaced."""
    monkeypatch.setattr(zip_writer, "MAX_MEMBERS", 3)
    with ZipWriter(path, STAMP) as writer:
        writer.add_page(Page(A, b"a"), [(B, "B")])
        writer.add_page(Page(B, b"b"))
        with pytest.raises(LearningSetError, match="the zip is full") as caught:
            writer.add_page(Page(A + "/c", b"c"))
        assert caught.value.record == A + "/c"
        writer.add_page(Page(A, b"new"))
    with open_pages(path) as pages:
        assert [page.body for page in pages] == [b"b", b"new"]
        assert dict(pages.linkinfo() or {}) == {B: {"B": 1}}


def test_closing_twice(path: Path) -> None:
    """The second time nothing happens."""
    writer = ZipWriter(path, STAMP)
    writer.add_page(Page(A, b"a"), [(B, "B")])
    writer.close()
    content = path.read_bytes()
    writer.close()
    assert path.read_bytes() == content


def test_linkinfo_that_cannot_be_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error names the member; the pages are there, and the file is released."""
    monkeypatch.setattr("scrapy_webstemmer.pages.zip_file.MAX_SIZE", 300)
    writer = ZipWriter(path, STAMP)
    writer.add_page(Page(A, b"a"), [(f"{B}{index}", "B") for index in range(99)])
    with pytest.raises(LearningSetError, match="linkinfo: the zip is full"):
        writer.close()
    with closing(ZipWriter(path, STAMP)), open_pages(path) as pages:
        assert [page.url for page in pages] == [A]
        assert pages.linkinfo() is None


def started(path: Path, name: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name], stdout=subprocess.PIPE, text=True
    )


def chances() -> Iterator[random.Random]:
    return (random.Random(seed) for seed in range(10))


def test_killed_while_writing(path: Path) -> None:
    """Every page whose storing was reported is there after kill -9, and the next crawl goes on."""
    reported: list[str] = []
    for turn, chance in enumerate(chances()):
        process = started(path, str(turn))
        assert process.stdout is not None
        for _ in range(chance.randrange(1, 150)):
            reported.append(process.stdout.readline().strip())
        process.kill()
        reported += process.communicate()[0].split()
        assert "" not in reported
        with open_pages(path) as pages:
            assert set(reported) <= {page.url for page in pages}
            assert pages.linkinfo() is None
    with ZipWriter(path, STAMP) as writer:
        writer.add_page(Page(A, b"after"))
    with zipfile.ZipFile(path) as opened:
        assert opened.testzip() is None
    with open_pages(path) as pages:
        assert {*reported, A} <= {page.url for page in pages}
        assert all(page.body == b"<p>" + page.url.encode() * 99 for page in pages if page.url != A)
        assert pages.skipped == []


def test_canonical_urls_are_what_linkinfo_gives(path: Path) -> None:
    """Targets come back in the form in which learning compares them."""
    with ZipWriter(path, STAMP) as writer:
        writer.add_anchors(A, [("http://EXAMPLE.com/é?b&a#c", "x")])
    assert linkinfo_of(path) == {canonical_url("http://example.com/é?a=&b="): {"x": 1}}
