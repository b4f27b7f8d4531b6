"""Learning sets in SQLite keep what is stored, whatever other processes write and whatever is killed."""

from __future__ import annotations

import contextlib
import random
import sqlite3
import tempfile
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlite_files import damage, execute, start

from scrapy_webstemmer.base import database
from scrapy_webstemmer.base.urls import canonical_url
from scrapy_webstemmer.errors import LearningSetError
from scrapy_webstemmer.storage import SqliteLearningSet, open_pages, source
from scrapy_webstemmer.storage import sqlite as sqlite_module
from scrapy_webstemmer.values import Announcement, Page

A, B = "http://example.com/a", "http://example.com/b"

WRITER = """
import sys
from scrapy_webstemmer.storage import SqliteLearningSet
from scrapy_webstemmer.values import Page

path, name, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
with SqliteLearningSet(path) as pages:
    for index in range(number):
        url = f"http://example.com/{name}/{index:05}"
        pages.add_page(Page(url, b"<p>" + url.encode() * 99), [("http://example.com/", "Home"), (url, url)])
        print(url, flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "set.sqlite"


@pytest.fixture
def pages(path: Path) -> Iterator[SqliteLearningSet]:
    with SqliteLearningSet(path) as pages:
        yield pages


PATHS = st.text(st.characters(exclude_categories=()), max_size=8).map(
    lambda path: f"http://example.com/{path}"
)
PAGES = st.builds(
    Page,
    st.text(max_size=8).map(lambda path: f"http://example.com/{path}"),
    st.binary(max_size=200),
    st.none() | st.text(min_size=1, max_size=8),
    st.none() | st.datetimes().map(str),
    st.lists(st.text(max_size=20), max_size=3).map(tuple),
)
ANCHORS = st.lists(st.tuples(PATHS, st.sampled_from("abc") | st.text(min_size=1, max_size=8)), max_size=6)


@given(st.lists(st.tuples(PAGES, ANCHORS), max_size=6))
def test_what_was_written_is_read(stored: list[tuple[Page, list[tuple[str, str]]]]) -> None:
    """The last version of each url comes back, in the order of the urls; only its anchors count."""
    last = {canonical_url(page.url): (page, anchors) for page, anchors in stored}
    expected: dict[str, dict[str, int]] = {}
    for _, anchors in last.values():
        for target, text in anchors:
            texts = expected.setdefault(canonical_url(target), {})
            texts[text] = texts.get(text, 0) + 1
    with tempfile.TemporaryDirectory() as folder, SqliteLearningSet(Path(folder, "x")) as pages:
        for page, anchors in stored:
            pages.add_page(page, anchors)
        assert list(pages) == [last[key][0] for key in sorted(last)]
        assert pages.count() == len(last)
        assert dict((pages.linkinfo() or {}).items()) == expected
        assert pages.skipped == []


def test_anchors_without_their_page(pages: SqliteLearningSet) -> None:
    """They replace the page's earlier ones, and its row stays; for an unknown page they are added once."""
    pages.add_page(Page(A, b"body", "utf-8"), [(B, "old"), (B, "both")])
    pages.add_anchors(A, [(B, "both"), (B, "new"), (B, "new"), (B, "")])
    assert list(pages) == [Page(A, b"body", "utf-8")]
    assert dict((pages.linkinfo() or {}).items()) == {B: {"both": 1, "new": 2}}
    for _ in range(2):
        pages.add_anchors("http://example.com/index", [(B, "new"), (A, "A"), (A, "A")])
    pages.add_page(Page(A, b"body", "utf-8"), [])
    assert pages.count() == 1
    assert dict((pages.linkinfo() or {}).items()) == {A: {"A": 1}}


@pytest.mark.parametrize("number", [0, 1, 2])
def test_small_sets(path: Path, pages: SqliteLearningSet, number: int) -> None:
    """A file with no page, one or two is a learning set."""
    for index in range(number):
        pages.add_page(Page(f"http://example.com/{index}", b""))
    with open_pages(path) as opened:
        assert opened.count() == number == len(list(opened))
        assert opened.linkinfo() is None


def test_a_body_may_hold_any_byte(pages: SqliteLearningSet) -> None:
    """NUL bytes and bytes that are not text are stored unchanged."""
    page = Page(A, bytes(range(256)) * 2)
    pages.add_page(page, [(B, "a\0b")])
    assert list(pages) == [page]
    assert dict((pages.linkinfo() or {}).items())[B] == {"a\0b": 1}


def test_text_that_cannot_be_encoded_is_made_storable(pages: SqliteLearningSet) -> None:
    """A page with lone surrogates, as broken pages have them, is stored."""
    pages.add_page(Page(A + "\udc80", b"", aliases=("\ud800",)), [(B, "\ud800")])
    assert [(page.url, page.aliases) for page in pages] == [(A + "\ufffd", ("\ufffd",))]
    assert dict((pages.linkinfo() or {}).items())[B] == {"\ufffd": 1}


def test_crawling_a_page_again_does_not_count_its_anchors_twice(pages: SqliteLearningSet) -> None:
    """Only the newest version of a page contributes anchors."""
    pages.add_page(Page(A, b"1"), [(B, "old"), (B, "both"), (B, "both")])
    pages.add_page(Page(B, b"1"), [(B, "both")])
    pages.add_page(Page(A, b"2"), [(B, "both"), (B, "new")])
    assert dict((pages.linkinfo() or {}).items()) == {B: {"both": 2, "new": 1}}
    pages.add_page(Page(A, b"3"))
    assert dict((pages.linkinfo() or {}).items()) == {B: {"both": 2, "new": 1}}, (
        "no anchors given: none replaced"
    )
    pages.add_page(Page(A, b"4"), [])
    pages.add_page(Page(B, b"4"), [])
    assert pages.linkinfo() is None


def test_anchors_without_text_say_nothing(pages: SqliteLearningSet) -> None:
    """An empty anchor text is not recorded."""
    pages.add_page(Page(A, b""), [(B, "")])
    assert pages.linkinfo() is None


def test_another_sites_anchors_are_not_given_back(path: Path, pages: SqliteLearningSet) -> None:
    """Two sites never mix, although the file has the anchors of both."""
    other = "http://other.example/x"
    pages.add_page(Page(A, b""), [(other, "from abroad"), (B, "b")])
    pages.add_page(Page("http://www.example.com/", b""), [(B, "b")])
    linkinfo = pages.linkinfo()
    assert linkinfo
    assert dict(linkinfo.items()) == {B: {"b": 2}}
    pages.add_page(Page("http://other.example/", b""), [(other, "from abroad")])
    assert dict(linkinfo.items()) == {B: {"b": 2}, other: {"from abroad": 1}}


def test_linkinfo_has_canonical_urls(pages: SqliteLearningSet) -> None:
    """A url has its canonical spelling, whatever the anchor has."""
    pages.add_page(Page(A, b""), [("HTTP://EXAMPLE.com:80/b#top", "b")])
    assert dict((pages.linkinfo() or {}).items()) == {B: {"b": 1}}


def test_the_encoding_is_kept(pages: SqliteLearningSet) -> None:
    """A page has the charset that was stored, or none."""
    pages.add_page(Page(A, b"", "utf-8"))
    pages.add_page(Page(B, b""))
    assert [page.encoding for page in pages] == ["utf-8", None]


def test_killed_while_writing(path: Path) -> None:
    """After kill -9 every page that was reported as stored is there, and the next writer goes on."""
    reported: list[str] = []
    for turn, chance in enumerate((random.Random(1), random.Random(2), random.Random(3))):
        process = start(WRITER, path, str(turn), 100_000)
        assert process.stdout is not None
        for _ in range(chance.randrange(1, 60)):
            reported.append(process.stdout.readline().strip())
        process.kill()
        reported += process.communicate()[0].split()
        with open_pages(path) as pages:
            stored = [page.url for page in pages]
            assert set(reported) <= set(stored)
            assert dict((pages.linkinfo() or {}).items())["http://example.com/"] == {"Home": len(stored)}
    with SqliteLearningSet(path) as pages:
        pages.add_page(Page(A, b"after"))
        assert A in {page.url for page in pages}
        assert pages.skipped == []


def test_two_writers_and_a_reader(path: Path) -> None:
    """Two processes that make and fill the same file lose nothing, and a third can read it meanwhile."""
    number = 80
    processes = [start(WRITER, path, name, number) for name in ("one", "two")]
    first = processes[0].stdout
    assert first is not None
    first.readline()
    with open_pages(path) as meanwhile:
        assert list(meanwhile)
        for process in processes:
            process.communicate()
            assert process.returncode == 0
        assert meanwhile.count() == 2 * number
        assert dict((meanwhile.linkinfo() or {}).items())["http://example.com/"] == {"Home": 2 * number}


def test_threads_share_one_learning_set(pages: SqliteLearningSet) -> None:
    """Several threads may store pages through the same object."""

    def store(name: int) -> None:
        for index in range(20):
            pages.add_page(Page(f"http://example.com/{name}/{index}", b""), [(A, "a")])

    threads = [threading.Thread(target=store, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert pages.count() == 80
    assert dict((pages.linkinfo() or {}).items())[A] == {"a": 80}


def test_pages_may_be_added_while_reading(pages: SqliteLearningSet) -> None:
    """An iteration gives the pages that were there when it began."""
    pages.add_page(Page(A, b""))
    pages.add_page(Page(B, b""))
    iterator = iter(pages)
    assert next(iterator).url == A
    pages.add_page(Page("http://example.com/c", b""))
    assert [page.url for page in iterator] == [B]
    assert len(list(pages)) == 3


def test_reading_is_lazy_and_a_damaged_row_is_named(path: Path, caplog: Any) -> None:
    """The first page comes before the damaged second one is read, which is logged once."""
    with SqliteLearningSet(path) as pages:
        for name in "abc":
            pages.add_page(Page(f"http://example.com/{name}", b"x" * 100))
    execute(path, "UPDATE page SET body = substr(body, 1, 9) WHERE key = ?", B)
    with open_pages(path) as opened:
        iterator = iter(opened)
        assert next(iterator).url == A
        assert opened.skipped == []
        assert [page.url for page in iterator] == ["http://example.com/c"]
        assert len(list(opened)) == 2
        assert opened.skipped == [source.Skipped(B, "damaged row: incomplete")]
    assert [record.name for record in caplog.records] == ["scrapy_webstemmer.storage"]


@pytest.mark.parametrize(
    "change",
    [
        "body = x'00ff00'",
        "body = 'text'",
        "body = x''",
        "aliases = '['",
        "aliases = '5'",
        "aliases = '{\"a\": 1}'",
        "aliases = '\"text\"'",
        "aliases = '[1]'",
        "aliases = '[[\"a\"]]'",
        "aliases = printf('%.*c', 200000, '[')",
        "aliases = x'00'",
        "encoding = x'00'",
        "fetched = x'00'",
    ],
)
def test_kinds_of_damaged_rows(path: Path, change: str) -> None:
    """A damaged row of any kind does not stop the reading of the others."""
    with SqliteLearningSet(path) as pages:
        pages.add_page(Page(A, b"a"))
        pages.add_page(Page(B, b"b"))
    execute(path, f"UPDATE page SET {change} WHERE key = ?", A)
    with open_pages(path) as opened:
        assert [page.url for page in opened] == [B]
        assert [skipped.record for skipped in opened.skipped] == [A]


def test_text_that_is_no_utf8_is_read(path: Path) -> None:
    """Damaged text loses some characters, but the file can be read."""
    with SqliteLearningSet(path) as pages:
        pages.add_page(Page(A, b"a"), [(B, "b")])
        pages.add_page(Page(B, b"b"))
    execute(path, "UPDATE page SET url = CAST(x'68ff' AS TEXT), key = CAST(x'68ff' AS TEXT) WHERE key = ?", A)
    execute(path, "UPDATE anchor SET text = CAST(x'ff' AS TEXT)")
    with open_pages(path) as opened:
        assert sorted(page.url for page in opened) == [B, "h\ufffd"]
        assert dict((opened.linkinfo() or {}).items()) == {B: {"\ufffd": 1}}


@pytest.mark.parametrize(
    "ledger", [None, "5", "[5]", "[[1]]", "[[1, Infinity]]", f"[[1, {2**64}]]", "[" * 200_000, '{"a": 1}']
)
def test_a_ledger_that_is_damaged_is_named(path: Path, ledger: str | None) -> None:
    """A page whose earlier anchors are unknown can still be stored."""
    with SqliteLearningSet(path) as pages:
        pages.add_page(Page(A, b"a"), [(B, "b")])
    execute(path, "UPDATE page SET anchors = ?", b"\0" if ledger is None else zlib.compress(ledger.encode()))
    with SqliteLearningSet(path) as pages:
        pages.add_page(Page(A, b"new"), [(B, "c")])
        assert [page.body for page in pages] == [b"new"]
        assert [skipped.record for skipped in pages.skipped] == [A]


def test_a_page_that_is_too_large(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A body beyond the limit is refused when it is stored, and skipped when it is read."""
    with SqliteLearningSet(path) as pages:
        pages.add_page(Page(A, b"x" * 1001))
        pages.add_page(Page(B, b"x" * 1000))
    for module in (sqlite_module, source):
        monkeypatch.setattr(module, "MAX_BODY", 1000)
    with SqliteLearningSet(path) as pages:
        assert [page.url for page in pages] == [B]
        assert [skipped.record for skipped in pages.skipped] == [A]
        with pytest.raises(LearningSetError, match="larger than") as caught:
            pages.add_page(Page(A, b"x" * 1001))
        assert caught.value.record == A


def test_a_packed_bomb_is_not_unpacked(path: Path) -> None:
    """A small row that would unpack to more than the limit is skipped."""
    with SqliteLearningSet(path) as pages:
        pages.add_page(Page(A, b"x"))
    packer = zlib.compressobj(9)
    bomb = packer.compress(bytes(source.MAX_BODY)) + packer.compress(b"x") + packer.flush()
    execute(path, "UPDATE page SET body = ?", bomb)
    with open_pages(path) as opened:
        assert list(opened) == []
        assert "larger than 64 MiB" in opened.skipped[0].reason


def test_a_failed_write_leaves_the_set_as_it_was(pages: SqliteLearningSet) -> None:
    """Page and anchors are stored together or not at all, and the next page can be stored."""
    with pytest.raises(TypeError):
        pages.add_page(Page(A, None))  # type: ignore[arg-type]
    page = Page(A, b"")
    object.__setattr__(page, "encoding", object())  # no Page is made with it, and SQLite cannot store it
    with pytest.raises(LearningSetError):
        pages.add_page(page, [(B, "b")])
    assert pages.count() == 0
    pages.add_page(Page(A, b""))
    assert pages.count() == 1


@pytest.mark.parametrize("version", [0, 2, 99])
def test_another_version_is_refused(path: Path, version: int) -> None:
    """A file of another format version is not changed, and the error names the version."""
    SqliteLearningSet(path).close()
    execute(path, f"PRAGMA user_version = {version}")
    for open_it in (SqliteLearningSet, open_pages):
        with pytest.raises(LearningSetError, match=f"format version {version}"):
            open_it(path)


def test_other_sqlite_files_are_refused_untouched(path: Path) -> None:
    """Another program's database is not a learning set, and opening it does not change it."""
    execute(path, "CREATE TABLE t (x)")
    before = path.read_bytes()
    for open_it in (SqliteLearningSet, open_pages):
        with pytest.raises(LearningSetError, match="not a learning set"):
            open_it(path)
    assert path.read_bytes() == before


def test_files_that_are_no_database_are_refused(path: Path) -> None:
    """A text file cannot be opened for writing, and neither can a path in a missing folder."""
    path.write_text("no database" * 1000)
    with pytest.raises(LearningSetError, match="not a database"):
        SqliteLearningSet(path)
    with pytest.raises(LearningSetError, match="unable to open"):
        SqliteLearningSet(path.parent / "missing" / "set.sqlite")


def test_reading_never_makes_a_file(path: Path) -> None:
    """A missing learning set is an error when it is opened for reading."""
    with pytest.raises(LearningSetError):
        SqliteLearningSet(path, readonly=True)
    assert not path.exists()


def test_an_empty_file_becomes_a_learning_set(path: Path) -> None:
    """An empty file that another tool has made is filled."""
    path.touch()
    with SqliteLearningSet(path) as pages:
        pages.add_page(Page(A, b""))
        assert pages.count() == 1


def add_one(path: Path) -> None:
    with SqliteLearningSet(path) as pages:
        pages.add_page(Page(A, b"new"), [(B, "b")])


def read_all(path: Path) -> None:
    with open_pages(path) as pages:
        pages.count()
        list(pages)
        list((pages.linkinfo() or {}).items())


@pytest.mark.parametrize("seed", range(25))
def test_flipped_bytes_give_our_error_or_none(path: Path, seed: int) -> None:
    """Damage at any place gives no error or one of ours, in reading and in writing."""
    with SqliteLearningSet(path) as pages:
        for index in range(30):
            body = random.Random(index).randbytes(3000)
            pages.add_page(Page(f"http://example.com/{index}", body), [(A, "a" * 99), (B, f"{index}" * 99)])
    damage(path, seed)
    for use in (read_all, add_one):
        with contextlib.suppress(LearningSetError):
            use(path)


def test_a_file_that_is_cut_off(path: Path) -> None:
    """A truncated file is an error of ours that names it."""
    with SqliteLearningSet(path) as pages:
        for index in range(30):
            pages.add_page(Page(f"http://example.com/{index}", random.Random(index).randbytes(3000)))
    path.write_bytes(path.read_bytes()[:8192])
    with pytest.raises(LearningSetError, match=r"set\.sqlite"):
        read_all(path)


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"


@pytest.mark.parametrize(
    ("statements", "name"),
    [
        (["DROP TABLE page", f"CREATE VIEW page AS {ENDLESS} SELECT i AS id, 'a' AS key FROM n"], "page"),
        (["CREATE TRIGGER more AFTER INSERT ON page BEGIN DELETE FROM anchor; END"], "more"),
        (["CREATE VIEW statistics AS SELECT COUNT(*) FROM page"], "statistics"),
        (
            [
                "DROP TABLE anchor",
                "CREATE TABLE anchor (id, target, text, site, count AS (zeroblob(1000000000)))",
            ],
            "anchor.count",
        ),
        (
            ["DROP TABLE anchor", "CREATE TABLE anchor (id, target, text DEFAULT 'a', site, count)"],
            "anchor.text",
        ),
        (
            [
                "PRAGMA writable_schema = ON",
                "UPDATE sqlite_master SET rootpage = 0,"
                f" sql = 'CREATE VIEW page AS {ENDLESS} SELECT i FROM n' WHERE name = 'page'",
            ],
            "page",
        ),
    ],
    ids=["view", "trigger", "other view", "computed column", "default", "doctored"],
)
def test_what_would_run_is_refused(path: Path, statements: list[str], name: str) -> None:
    """A file with views, triggers or computed columns is refused, for reading and for writing."""
    with SqliteLearningSet(path) as pages:
        pages.add_page(Page(A, b"a"))
    db = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        db.execute(statement)
    db.close()
    for open_it in (SqliteLearningSet, open_pages):
        with pytest.raises(LearningSetError, match=rf"(?:does not have: {name}$|damaged)"):
            open_it(path)


def test_rows_without_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that gives more rows than it has room for is damaged; reading and counting the rows ends."""
    with SqliteLearningSet(path) as pages:
        for name in "abcde":
            pages.add_page(Page(f"http://example.com/{name}", b""), [(A, name)])
    with open_pages(path) as opened:
        linkinfo = opened.linkinfo()
        assert linkinfo is not None
        monkeypatch.setattr(database, "size_of", lambda _: 18)  # room for three rows
        for read in (lambda: next(iter(opened)), lambda: dict(linkinfo.items())):
            with pytest.raises(LearningSetError, match="the same rows again and again") as caught:
                read()
            assert caught.value.damaged
        assert opened.count() == 4


def test_rows_that_share_their_content(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the packed bodies have more than twice the bytes of the file, it is damaged: rows share bytes."""
    with SqliteLearningSet(path) as pages:
        for name in "abcde":
            pages.add_page(Page(f"http://example.com/{name}", random.Random(name).randbytes(1000)))
    monkeypatch.setattr(sqlite_module, "size_of", lambda _: 1200)
    with open_pages(path) as opened:
        iterator = iter(opened)
        assert len([next(iterator), next(iterator)]) == 2
        with pytest.raises(LearningSetError, match="its rows share their content"):
            next(iterator)


def test_reading_leaves_nothing_and_locks_nothing(path: Path) -> None:
    """Reading neither changes nor locks a learning set that nobody writes, and makes no file beside it."""
    with SqliteLearningSet(path) as pages:
        pages.add_page(Page(A, b"a"), [(B, "b")])
    before = path.read_bytes(), path.stat().st_mtime_ns
    with open_pages(path) as opened:
        assert list(opened)
        assert dict((opened.linkinfo() or {}).items())
        assert list(path.parent.iterdir()) == [path]
        execute(path, "PRAGMA locking_mode = EXCLUSIVE")
        execute(path, "BEGIN EXCLUSIVE")
        assert opened.count() == 1
    assert list(path.parent.iterdir()) == [path]
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


@pytest.mark.parametrize("linked", [False, True])
def test_a_crawl_that_begins_while_a_set_is_read(path: Path, linked: bool) -> None:
    """Pages that change while they are read come in the old or the new version, and none is lost."""
    (path.parent / "folder").mkdir()
    real = path.parent / "folder" / "set"
    if linked:
        path.symlink_to(real)
    urls = [f"http://example.com/{number:03}" for number in range(100)]
    old, new = b"old" * 2000, random.Random(1).randbytes(9000)
    with SqliteLearningSet(path) as pages:
        for url in urls:
            pages.add_page(Page(url, old), [(A, "a")])
    with open_pages(path) as opened:
        iterator = iter(opened)
        read = [next(iterator) for _ in range(10)]
        with SqliteLearningSet(path) as crawl:
            for url in urls:
                crawl.add_page(Page(url, new), [(B, "b")])
            read += [next(iterator) for _ in range(10)]
        read += iterator  # the crawl has ended, and its log is gone
        assert [page.url for page in read] == urls
        assert [page.body == new for page in read] == [False] * 10 + [True] * 90
        assert dict((opened.linkinfo() or {}).items()) == {B: {"b": 100}}
        assert opened.skipped == []
    assert list(real.parent.iterdir()) == [real] * linked


@pytest.mark.parametrize("pages_too", [False, True])
def test_anchors_that_change_while_they_are_read(path: Path, pages_too: bool) -> None:
    """Anchors are read in one pass. If a crawl begins meanwhile, the error says what to do."""
    with SqliteLearningSet(path) as pages:
        pages.add_page(Page(A, b"a"), [(A, "a"), (B, "b")])
    with open_pages(path) as opened:
        linkinfo = opened.linkinfo()
        assert linkinfo is not None
        items = iter(linkinfo.items())
        next(items)
        with SqliteLearningSet(path) as crawl:
            crawl.add_page(Page(A, b"a"), [])
        if pages_too:
            assert list(opened)
        with pytest.raises(LearningSetError, match="another program has begun to write to it; read it again"):
            list(items)
        assert dict(linkinfo.items()) == {}


def test_a_set_that_is_replaced_while_it_is_read(path: Path) -> None:
    """If another file takes the name, only the pages of the open file are read."""
    for name, target in (("new", path.with_name("new")), ("old", path)):
        with SqliteLearningSet(target) as pages:
            for index in range(3):
                pages.add_page(Page(f"http://example.com/{name}/{index}", name.encode()))
    with open_pages(path) as opened:
        iterator = iter(opened)
        first = next(iterator)
        path.with_name("new").replace(path)
        assert [page.body for page in (first, *iterator)] == [b"old"] * 3


def test_pages_that_are_stored_together_share_their_anchors(pages: SqliteLearningSet) -> None:
    """The number of an anchor that is new is right if it comes again, and if its first page is replaced."""
    anchors = [(B, "b"), (B, "b"), (A, "a")]
    with pages.transaction():
        pages.add_page(Page(A, b"a"), anchors)
        pages.add_page(Page(B, b"b"), anchors[1:])
        pages.add_page(Page(A, b"c"), anchors[:1])
    linkinfo = pages.linkinfo()
    assert linkinfo is not None
    assert dict(linkinfo.items()) == {A: {"a": 1}, B: {"b": 2}}


def test_what_is_stored_together_is_stored_or_not_at_all(pages: SqliteLearningSet) -> None:
    """A block that raises leaves nothing, and later changes do not rely on what it had done."""
    with pages.transaction():
        pages.add_page(Page(A, b"1"), [(B, "both"), (B, "old")])
        pages.add_page(Page(B, b"1"), [(B, "both")])
    with contextlib.suppress(RuntimeError), pages.transaction():
        pages.add_page(Page(A, b"2"), [(B, "new")])
        raise RuntimeError
    assert [page.body for page in pages] == [b"1", b"1"]
    assert dict((pages.linkinfo() or {}).items()) == {B: {"both": 2, "old": 1}}
    with pages.transaction():
        pages.add_page(Page(A, b"3"), [(B, "new")])
        pages.add_anchors("http://example.com/elsewhere", [(B, "old"), (B, "new")])
    assert dict((pages.linkinfo() or {}).items()) == {B: {"both": 1, "new": 1, "old": 1}}


def test_anchors_that_another_connection_removes_are_counted_anew(path: Path) -> None:
    """A row of the table that is remembered may be gone by the next page."""
    with SqliteLearningSet(path) as ours, SqliteLearningSet(path) as theirs:
        ours.add_page(Page(A, b"1"), [(B, "b")])
        theirs.add_page(Page(A, b"2"), [])
        ours.add_page(Page("http://example.com/c", b"1"), [(B, "b")])
        assert dict((ours.linkinfo() or {}).items()) == {B: {"b": 1}}


# What feeds say about pages


def test_what_feeds_say_comes_with_the_pages(pages: SqliteLearningSet, path: Path) -> None:
    """Under any url of a page, whether it was stored before or after; the last word counts."""
    pages.add_page(Page(A, b"a"))
    pages.add_announced(
        "http://example.com/feed",
        {
            "https://example.com/a": Announcement("A", "2014-05-06", ("Ann Lee", "Bo\ud800b")),
            "http://example.com/old": Announcement(authors=("Eve",)),
            "http://example.com/silent": Announcement("A title alone"),
        },
    )
    pages.add_page(Page(B, b"b", aliases=("http://example.com/old",)))
    pages.add_page(Page("http://example.com/silent", b"c"))
    expected = [
        Announcement("", "2014-05-06", ("Ann Lee", "Bo\ud800b")),
        Announcement(authors=("Eve",)),
        None,
    ]
    assert [page.announced for page in pages] == expected
    with SqliteLearningSet(path, readonly=True) as reader:
        assert [page.announced for page in reader] == expected
    pages.add_announced("http://example.com/feed", {A: Announcement("", "2015-01-01")})
    page = pages.page(A)
    assert page is not None
    assert page.announced == Announcement("", "2015-01-01", ("Ann Lee", "Bo\ud800b"))


def test_a_file_without_the_table_of_feeds(pages: SqliteLearningSet, path: Path) -> None:
    """One of an earlier release can be read; it gets the table when somebody adds to it."""
    pages.add_page(Page(A, b"a"))
    pages.close()
    execute(path, "DROP TABLE announced")
    with SqliteLearningSet(path, readonly=True) as reader:
        assert [page.announced for page in reader] == [None]
    with SqliteLearningSet(path) as writer:
        writer.add_announced(A, {A: Announcement(authors=("Ann Lee",))})
        assert [page.announced for page in writer] == [Announcement(authors=("Ann Lee",))]


@pytest.mark.parametrize("authors", ["'{'", "'7'", "x'ff'", "'[1, [\"Eve\"]]'", "7", f"'{'[' * 99_999}'"])
def test_damaged_words_of_a_feed(authors: str, pages: SqliteLearningSet, path: Path) -> None:
    """The page is read without them."""
    pages.add_page(Page(A, b"a"))
    pages.add_announced(A, {A: Announcement(authors=("Ann Lee",))})
    execute(path, f"UPDATE announced SET authors = {authors}")
    (page,) = pages
    assert page.announced in (None, Announcement())
