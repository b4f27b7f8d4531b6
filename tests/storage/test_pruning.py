"""A learning set is pruned: which pages stay, what is still known about them, and what goes on meanwhile."""

from __future__ import annotations

import contextlib
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlite_files import damage, execute, start

from scrapy_webstemmer.base.parts import finish
from scrapy_webstemmer.base.samples import PageSample, digest_of
from scrapy_webstemmer.base.urls import canonical_url, link_key
from scrapy_webstemmer.errors import LearningSetError, OptionError
from scrapy_webstemmer.storage import SqliteLearningSet, open_pages
from scrapy_webstemmer.storage import pruning as pruning_module
from scrapy_webstemmer.storage.anchor_table import unpack_ledger
from scrapy_webstemmer.storage.pruning import Keep, PageChoice, Pruning, StoredPage
from scrapy_webstemmer.values import Announcement, Page

OLD, NEW, NEWEST = (f"2026-11-{day}T09:00:00+00:00" for day in ("01", "20", "22"))
NOVEMBER_10 = 1_794_268_800.0
HOME, A, B, C = (f"https://example.com/{name}" for name in ("", "news/a", "news/b", "old/c"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "set.sqlite"


@pytest.fixture
def pages(path: Path) -> Iterator[SqliteLearningSet]:
    with SqliteLearningSet(path) as pages:
        yield pages


def prune(pages: SqliteLearningSet, *keep: Any, **options: Any) -> dict[str, int]:
    """Prune a set at once; return how many pages of each site were dropped."""
    pruning = Pruning(pages, Keep(*keep), **options)
    finish(pruning.in_parts())
    return dict(pruning.dropped)


def urls(pages: SqliteLearningSet) -> list[str]:
    return [page.url for page in pages]


def texts(pages: SqliteLearningSet) -> dict[str, dict[str, int]]:
    return {url: dict(found) for url, found in (pages.linkinfo() or {}).items()}


def directory(key: str) -> str:
    return link_key(key).partition("?")[0].rpartition("/")[0]


# Which pages stay

STORED = st.lists(
    st.tuples(
        st.sampled_from(["http://", "https://"]),
        st.sampled_from(["a.com/", "a.com/b/", "a.com/b/c/", "a.com/?u=/x/"]),
        st.integers(0, 30),
        st.sampled_from([None, "yesterday", OLD, NEW, NEWEST, "2026-11-20T10:00:00+01:00"]),
    ),
    max_size=60,
    unique_by=lambda one: one[:3],
).map(
    lambda found: [
        StoredPage(row, canonical_url(f"{scheme}{folder}{name}"), when, "[]")
        for row, (scheme, folder, name, when) in enumerate(found)
    ]
)


def chosen(pages: Sequence[StoredPage], keep: Keep) -> set[str]:
    choice = PageChoice(keep)
    for page in pages:
        choice.add(page)
    kept, gone = {page.id for page in choice.kept}, {row for row, _ in choice.left_out}
    assert not kept & gone
    assert kept | gone == {page.id for page in pages}
    return {page.key for page in choice.kept}


def first_of_each(pages: Sequence[StoredPage], size: int) -> set[str]:
    """Return the choice by its definition: by rank in the directory, then by time, then by digest."""
    folders = defaultdict(list)
    for page in pages:
        name = link_key(page.key)
        place = (-page.time, digest_of(name), name + "#" + page.key[:5], page.key)
        folders[directory(page.key)].append(place)
    ranked = [(rank, *one) for found in folders.values() for rank, one in enumerate(sorted(found))]
    return {key for *_, key in sorted(ranked)[:size]}


@given(STORED, st.integers(1, 20), st.randoms())
def test_the_choice_is_even_and_new(pages: list[StoredPage], size: int, chance: Any) -> None:
    """At most so many pages stay, in any order; while there is room, each directory keeps its newest."""
    kept = chosen(pages, Keep(size))
    assert len(kept) == min(size, len(pages))
    chance.shuffle(pages)
    assert chosen(pages, Keep(size)) == kept == first_of_each(pages, size)
    folders = {directory(page.key) for page in pages}
    if size >= len(folders):
        for folder in folders:
            found = [page for page in pages if directory(page.key) == folder]
            newest = max(page.time for page in found)
            assert any(page.key in kept and page.time == newest for page in found)


@given(STORED.map(lambda found: [page._replace(fetched=None) for page in found]), st.integers(1, 20))
def test_without_times_the_pages_stay_that_learning_draws(pages: list[StoredPage], size: int) -> None:
    """If nothing tells the pages' ages, those stay that a sample of this size has."""
    pages = [page for page in pages if page.key.startswith("https")]
    sample, drawn = PageSample(size), {link_key(page.key) for page in pages}
    for page in pages:
        drawn -= {sample.add(link_key(page.key)) or ""}
    assert {link_key(key) for key in chosen(pages, Keep(size))} == drawn


@given(STORED, st.none() | st.integers(1, 20))
def test_old_pages_go(pages: list[StoredPage], size: int | None) -> None:
    """Pages before a time go in any case, and pages of unknown time do not for that reason."""
    young = [page for page in pages if page.fetched not in (OLD,)]
    assert chosen(pages, Keep(size, NOVEMBER_10)) == chosen(young, Keep(size))


# What is still known

NAMES = [f"https://example.com/{name}" for name in ("", "a/1", "a/2", "a/3", "b/1", "b/2")]
ALIASES = {NAMES[1]: ("https://example.com/gone",), NAMES[2]: ("http://example.com/b/1",)}
PAGES = st.builds(
    Page,
    st.sampled_from(NAMES),
    st.binary(max_size=20),
    fetched=st.none() | st.sampled_from([OLD, NEW, NEWEST]),
).map(lambda page: replace(page, aliases=ALIASES.get(page.url, ())))
ANCHORS = st.lists(
    st.tuples(
        st.sampled_from(
            [*NAMES, "http://example.com/a/2", "https://example.com/gone", "https://other.example/"]
        ),
        st.sampled_from("abc"),
    ),
    max_size=6,
)
STEPS = st.lists(st.tuples(PAGES, ANCHORS) | st.integers(1, 4), max_size=14)


def ledgers(pages: SqliteLearningSet) -> Counter[int]:
    """Return what the ledgers of all pages count, by the row of the anchor."""
    total: Counter[int] = Counter()
    for (packed,) in pages.connection.execute("SELECT anchors FROM page"):
        total.update(unpack_ledger(packed))
    return total


@given(STEPS)
def test_what_is_said_about_pages_that_stay(steps: list[tuple[Page, list[tuple[str, str]]] | int]) -> None:
    """Texts that lead to kept pages stay, and what kept pages say; nothing else does. The sums are right."""
    with tempfile.TemporaryDirectory() as folder, SqliteLearningSet(Path(folder, "x")) as pages:
        for step in steps:
            if not isinstance(step, int):
                pages.add_page(*step)
                continue
            before = texts(pages)
            prune(pages, step)
            stored = list(pages)
            assert len(stored) <= step
            names = {link_key(name) for page in stored for name in (page.url, *page.aliases)}
            now = texts(pages)
            for url, found in before.items():
                if link_key(url) in names:
                    assert now[url].keys() == found.keys()
            said = ledgers(pages)
            for row, target, count in pages.connection.execute("SELECT id, target, count FROM anchor"):
                assert count > 0
                assert count >= said.pop(row, 0)
                if link_key(target) not in names:
                    assert (row, count) in ledgers(pages).items()
            assert not said, "a ledger refers to a row that is gone"


def test_a_later_version_of_a_kept_page_counts_right(pages: SqliteLearningSet) -> None:
    """What a dropped page said about kept pages stays; a kept page's own anchors are replaced as ever."""
    pages.add_page(Page(A, b"", fetched=OLD), [(HOME, "Home"), (A, "a"), (C, "c")])
    pages.add_page(Page(B, b"", fetched=NEW), [(HOME, "Home"), (A, "a")])
    pages.add_page(Page(HOME, b"", fetched=NEW), [(HOME, "Home"), (A, "a"), (B, "b")])
    assert prune(pages, 2) == {"example.com": 1}
    assert urls(pages) == [HOME, B]
    assert texts(pages) == {HOME: {"Home": 3}, A: {"a": 2}, B: {"b": 1}}
    pages.add_page(Page(HOME, b"", fetched=NEWEST), [(A, "new"), (B, "b")])
    assert texts(pages) == {HOME: {"Home": 2}, A: {"a": 1, "new": 1}, B: {"b": 1}}
    pages.add_page(Page(B, b"", fetched=NEWEST), [])
    assert texts(pages) == {HOME: {"Home": 1}, A: {"new": 1}, B: {"b": 1}}


def test_nothing_remains_of_a_page_that_is_dropped_later(pages: SqliteLearningSet) -> None:
    """What dropped pages said about a page goes when that page goes, too."""
    pages.add_page(Page(A, b"", fetched=OLD), [(B, "from a")])
    pages.add_page(Page(B, b"", fetched=NEW), [])
    assert prune(pages, 1) == {"example.com": 1}
    assert texts(pages) == {B: {"from a": 1}}
    pages.add_page(Page(C, b"", fetched=NEWEST), [(B, "from c"), (B, "from a")])
    assert prune(pages, 1) == {"example.com": 1}
    assert texts(pages) == {B: {"from a": 1, "from c": 1}}
    pages.add_page(Page(C, b"", fetched=NEWEST), [])
    assert pages.linkinfo() is None


def test_a_page_is_linked_to_under_all_its_names(pages: SqliteLearningSet) -> None:
    """Anchors to a redirected url, or to the other scheme, lead to the page that is stored."""
    short = "https://example.com/b"
    pages.add_page(Page(B, b"", fetched=NEW, aliases=(short,)), [])
    links = [(short, "short"), (B.replace("https", "http"), "old scheme"), ("https://example.com/x", "x")]
    pages.add_page(Page(A, b"", fetched=OLD), links)
    prune(pages, 1)
    assert texts(pages) == {short: {"short": 1}, B.replace("https", "http"): {"old scheme": 1}}
    pages.add_page(Page(C, b"", fetched=NEWEST), [])
    prune(pages, 1)
    assert pages.linkinfo() is None


def test_a_page_that_is_stored_under_both_schemes(pages: SqliteLearningSet) -> None:
    """If the older version is dropped, what others said about the page stays for the newer one."""
    pages.add_page(Page(A, b"", fetched=OLD), [(B, "from a")])
    pages.add_page(Page(B.replace("https", "http"), b"", fetched=NEW), [])
    pages.add_page(Page(B, b"", fetched=NEWEST), [])
    for number in (2, 1):
        assert prune(pages, number) == {"example.com": 1}
        assert texts(pages) == {B: {"from a": 1}}
    assert urls(pages) == [B]


def test_each_site_for_itself(pages: SqliteLearningSet) -> None:
    """The number counts for each site; with a site, only its pages go; a dry run drops none."""
    for site in ("example.com", "other.example"):
        for number in range(3):
            pages.add_page(Page(f"https://{site}/{number}", b"", fetched=NEW))
    assert prune(pages, 3) == {}
    assert prune(pages, 1, dry_run=True) == {"example.com": 2, "other.example": 2}
    assert prune(pages, 1, None, "example.com") == {"example.com": 2}
    assert len(urls(pages)) == 4
    pruning = Pruning(pages, Keep(2))
    finish(pruning.in_parts())
    assert pruning.left == {"example.com": 1, "other.example": 2}
    assert pages.count() == 3


def test_pages_older_than_a_time(pages: SqliteLearningSet) -> None:
    """Without a number, only the age counts; a page of unknown age stays."""
    for url, when in ((A, OLD), (B, NEW), (C, None)):
        pages.add_page(Page(url, b"", fetched=when))
    assert prune(pages, None, NOVEMBER_10) == {"example.com": 1}
    assert urls(pages) == [B, C]


def test_a_number_below_one_is_refused(pages: SqliteLearningSet) -> None:
    """No pages at all is not a learning set."""
    with pytest.raises(OptionError, match="from 1 on"):
        Pruning(pages, Keep(0))


# What goes on meanwhile


def fill(pages: SqliteLearningSet, number: int, body: bytes = b"") -> None:
    for index in range(number):
        url = f"https://example.com/{index:03}"
        pages.add_page(
            Page(url, body, fetched=f"2026-11-21T09:{index:02}:00+00:00"), [(HOME, "Home"), (url, "x")]
        )


@pytest.mark.parametrize("same", [False, True])
@pytest.mark.parametrize("parts", range(1, 17))
def test_a_page_that_is_stored_anew_meanwhile_stays(path: Path, parts: int, same: bool) -> None:
    """A crawl's pages are not dropped at any step, and nothing that a ledger refers to is lost."""
    url = "https://example.com/000"
    with SqliteLearningSet(path) as pages, SqliteLearningSet(path) as other:
        crawl = pages if same else other
        fill(pages, 20)
        for number in range(5):
            pages.add_page(Page(f"https://another.example/{number}", b""))
        pruning = Pruning(pages, Keep(3))
        work = pruning.in_parts()
        for _ in range(parts):
            next(work, None)
        crawl.add_page(Page(url, b"new", fetched=NEWEST), [(url, "x"), (url, "new"), (HOME, "Home")])
        crawl.add_page(Page(HOME, b"new", fetched=NEWEST), [("https://example.com/001", "one")])
        finish(work)
        left = {page.url: page.body for page in pages}
        assert left[url] == left[HOME] == b"new"
        said = ledgers(pages)
        counts = dict(pages.connection.execute("SELECT id, count FROM anchor"))
        assert all(counts[row] >= count for row, count in said.items())
        assert texts(pages)[url]["new"] == 1


def test_a_site_that_others_drop_meanwhile(path: Path) -> None:
    """If another process has dropped all pages of a site, the other sites are pruned."""
    with SqliteLearningSet(path) as pages:
        fill(pages, 5)
        for name in ("another", "zoo"):
            for number in range(5):
                pages.add_page(Page(f"https://{name}.example/{number}", b""))
        pruning = Pruning(pages, Keep(3))
        work = pruning.in_parts()
        next(work)
        execute(path, "DELETE FROM page WHERE site = 'example.com'")
        finish(work)
        assert pruning.dropped == {"another.example": 2, "zoo.example": 2}
        assert pruning.left == {"another.example": 3, "example.com": 0, "zoo.example": 3}


PRUNER = """
import sys
from scrapy_webstemmer.storage import SqliteLearningSet
from scrapy_webstemmer.storage.pruning import Keep, Pruning

with SqliteLearningSet(sys.argv[1]) as pages:
    for _ in Pruning(pages, Keep(10)).in_parts():
        print("part", flush=True)
"""


def test_killed_while_pruning(path: Path) -> None:
    """After kill -9 at any part the set is whole, and only pages that were to go are gone."""
    with SqliteLearningSet(path) as pages:
        fill(pages, 60)
    expected = [f"https://example.com/{index:03}" for index in range(50, 60)]
    for parts in (1, 3, 5, 8):
        process = start(PRUNER, path)
        assert process.stdout is not None
        for _ in range(parts):
            process.stdout.readline()
        process.kill()
        process.communicate()
        with SqliteLearningSet(path) as pages:
            assert set(expected) <= set(urls(pages))
            counts = dict(pages.connection.execute("SELECT id, count FROM anchor"))
            assert all(counts[row] >= count for row, count in ledgers(pages).items())
            assert pages.skipped == []
    with SqliteLearningSet(path) as pages:
        prune(pages, 10)
        assert urls(pages) == expected
        assert texts(pages) == {HOME: {"Home": 10}} | {url: {"x": 1} for url in expected}


def test_two_prune_at_a_time(path: Path) -> None:
    """Two that prune the same file at a time drop each page once, and keep the same ones."""
    with SqliteLearningSet(path) as ours, SqliteLearningSet(path) as theirs:
        fill(ours, 30)
        prunings = [Pruning(ours, Keep(5)), Pruning(theirs, Keep(5))]
        works = [pruning.in_parts() for pruning in prunings]
        for _ in range(40):
            for work in works:
                next(work, None)
        assert sum((pruning.dropped for pruning in prunings), Counter()) == {"example.com": 25}
        assert urls(ours) == [f"https://example.com/{index:03}" for index in range(25, 30)]
        assert ledgers(ours) == dict(ours.connection.execute("SELECT id, count FROM anchor"))


def test_a_locked_file_is_tried_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another program writes, the work goes on trying, part after part; in the end it fails."""
    with SqliteLearningSet(path) as pages, SqliteLearningSet(path) as other:
        fill(pages, 9)
        pages.wait_up_to(0)
        work = Pruning(pages, Keep(1)).in_parts()
        with other.transaction():
            for _ in range(20):
                next(work)
            assert pages.count() == 9
        finish(work)
        assert pages.count() == 1
        fill(pages, 9)
        monkeypatch.setattr(pruning_module, "PATIENCE", -1)
        with other.transaction(), pytest.raises(LearningSetError, match="locked") as caught:
            prune(pages, 1)
        assert caught.value.busy


def test_the_space_is_used_again(path: Path) -> None:
    """A set that is filled and pruned again and again stops growing, and can be made smaller."""
    sizes = []
    with SqliteLearningSet(path) as pages:
        for turn in range(6):
            for number in range(40):
                url, when = f"https://example.com/{turn}-{number}", f"2026-11-{turn + 1:02}T09:00:00"
                pages.add_page(Page(url, random.Random(url).randbytes(5000), fetched=when), [(url, url)])
            prune(pages, 20)
            sizes.append(pages.connection.execute("PRAGMA page_count").fetchone()[0])
            assert pages.connection.execute("SELECT COUNT(*) FROM anchor").fetchone() == (20,)
        assert sizes[-1] <= 1.1 * sizes[1]
        pages.give_space_back()
        assert pages.connection.execute("PRAGMA page_count").fetchone()[0] < sizes[-1]
        assert pages.count() == 20


@pytest.mark.parametrize(
    "change", ["fetched = x'00'", "aliases = '['", "aliases = '[1, {}]'", "anchors = x'00'"]
)
def test_damaged_rows(path: Path, change: str) -> None:
    """A row with a damaged column is judged by what is left of it."""
    with SqliteLearningSet(path) as pages:
        fill(pages, 6)
    execute(path, f"UPDATE page SET {change} WHERE key LIKE '%3'")
    with SqliteLearningSet(path) as pages:
        assert sum(prune(pages, 2).values()) == 4
        assert pages.count() == 2


def test_rows_without_a_key_are_left_alone(path: Path) -> None:
    """A row that is not a page is neither counted nor dropped."""
    with SqliteLearningSet(path) as pages:
        fill(pages, 4)
    execute(path, "UPDATE page SET key = x'00' WHERE key LIKE '%0'")
    with SqliteLearningSet(path) as pages:
        assert prune(pages, 1) == {"example.com": 2}
        assert pages.count() == 2


@pytest.mark.parametrize("seed", range(15))
def test_flipped_bytes_give_our_error_or_none(path: Path, seed: int) -> None:
    """Damage at any place gives no error or one of ours."""
    with SqliteLearningSet(path) as pages:
        fill(pages, 30, random.Random(1).randbytes(3000))
    damage(path, seed)
    with contextlib.suppress(LearningSetError):
        with SqliteLearningSet(path) as pages:
            prune(pages, 3)
        with open_pages(path) as opened:
            list(opened)


def test_what_feeds_say_about_dropped_pages_goes_with_them(pages: SqliteLearningSet) -> None:
    """What they say about pages that stay, or are still to come, stays."""
    pages.add_page(Page(A, b"a", fetched=OLD, aliases=("https://example.com/old",)))
    pages.add_page(Page(B, b"b", fetched=NEW))
    said = dict.fromkeys([A, B, C, "https://example.com/old"], Announcement(authors=("Ann Lee",)))
    pages.add_announced(HOME, said)
    assert prune(pages, 1) == {"example.com": 1}
    assert {key for (key,) in pages.rows("SELECT key FROM announced")} == {link_key(B), link_key(C)}
