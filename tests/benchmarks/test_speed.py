"""The benchmark of speed measures what it says, on pages that are always the same."""

from __future__ import annotations

import doctest
from pathlib import Path
from typing import Any

import pytest
import speed_growth
import speed_runs
import speed_tables
from speed_growth import GENERATED, pages_of
from speed_measures import EXTRACT_STAGES, LEARN_STAGES, SpeedCorpus, measure
from speed_patterns import multiplied
from speed_runs import worker_times
from speed_site import site_page, site_pages
from speed_timing import stages

from scrapy_webstemmer import ExtractOptions, PatternSet, extract, learn
from scrapy_webstemmer.base.compiled import compiled

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def corpus() -> SpeedCorpus:
    """Return a generated site: 40 pages to learn from, eight to extract."""
    pages = list(site_pages(48))
    return SpeedCorpus("small", pages[:40], pages[40:], {pages[1].url: {"Read more": 1}})


@pytest.fixture(scope="module")
def results(corpus: SpeedCorpus) -> dict[str, Any]:
    """Return the figures of the small site, with some for the other parts."""
    growth = [{"pages": n, "seconds": n / 500, "peak": 60 + n / 100} for n in (100, 1_000, 2_000)]
    return {
        "corpora": [measure(corpus, [])],
        "growth": {GENERATED: growth},
        "commands": {"scrapy version": 0.4},
        "workers": [{"command": "analyze", "workers": n, "seconds": 3.0 - n, "cpu": 2.0} for n in (1, 2)],
        "machine": speed_tables.machine(),
    }


def test_a_number_always_gives_the_same_page() -> None:
    """Pages differ only by their number, and no two have the same url."""
    assert site_page(7) == site_page(7)
    assert [page.url for page in pages_of(GENERATED, 30)] == [site_page(n).url for n in range(30)]
    assert len({page.url for page in site_pages(300)}) == 300


def test_the_generated_site_has_articles_and_lists() -> None:
    """The stories are learned as articles, and the lists as indexes."""
    pages = list(site_pages(120))
    patterns = learn(pages)
    assert {(extract(page, patterns) is None) for n, page in enumerate(pages) if n % 10} == {False}
    assert {(extract(page, patterns) is None) for n, page in enumerate(pages) if n % 10 == 0} == {True}


def test_every_stage_is_called(corpus: SpeedCorpus) -> None:
    """Learning and extraction call every timed stage, except those for small sites only."""
    with stages(LEARN_STAGES) as learning:
        patterns = learn(corpus.learn, corpus.linkinfo)
    with stages(EXTRACT_STAGES) as extracting:
        for page in corpus.test:
            extract(page, patterns)
    assert all(learning.values())
    uncompiled = [] if compiled("page.scan") else ["blocks"]  # a part of the compiled reading
    assert [stage for stage, seconds in extracting.items() if not seconds] == [*uncompiled, "own evidence"]


def test_patterns_are_multiplied(corpus: SpeedCorpus) -> None:
    """A page matches the same pattern among a hundred as it does alone."""
    (site,) = learn(corpus.learn).sites.values()
    first = next(pattern for pattern in site.patterns if pattern.kind == "article")
    many = multiplied(site, first, 100)
    assert len({pattern.name for pattern in many.patterns}) == 100
    options = ExtractOptions(unmatched=False)
    articles = [extract(page, PatternSet({site.site: many}), options) for page in corpus.test]
    assert {article.pattern for article in articles if article} == {first.name}


def test_exponent_of_growth() -> None:
    """The example in the docstring is true; too few sizes give no exponent."""
    found = doctest.testmod(speed_growth)
    assert (found.failed, found.attempted) == (0, 1)
    assert speed_growth.exponent([{"pages": 1_000, "seconds": 1.0}]) is None


@pytest.mark.parametrize("name", speed_tables.TABLES)
def test_every_table_has_its_columns(results: dict[str, Any], name: str) -> None:
    """Each table has rows, and each row has a cell for every column."""
    lines = speed_tables.TABLES[name](results).partition("\n\n")[0].splitlines()
    assert len(lines) > 2
    assert len({line.count(" | ") for line in lines}) == 1


def test_workers_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole commands run on a small learning set with two processes; a row says what each has taken."""
    monkeypatch.setattr(speed_runs, "_ROUNDS", 1)
    rows = worker_times(tmp_path, 40, counts=(2,))
    assert [(row["command"], row["workers"]) for row in rows] == [
        (command, 2) for command in ("analyze", "analyze, 20 sites", "extract")
    ]
    assert all(row["cpu"] > 0 < row["seconds"] for row in rows)
