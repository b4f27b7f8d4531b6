"""Engines: a way of learning is a folder with functions and an entry in the registry, and nothing else."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType
from typing import Any

import pytest
from news_pages import article, articles, indexes

import scrapy_webstemmer
from scrapy_webstemmer import LearnOptions, PatternSet, extract, learn
from scrapy_webstemmer.api import explain
from scrapy_webstemmer.base.parts import Parts
from scrapy_webstemmer.engines import ENGINES, Engine, function_at
from scrapy_webstemmer.errors import OptionError
from scrapy_webstemmer.extraction.result import Reason, Result
from scrapy_webstemmer.options import ExtractOptions
from scrapy_webstemmer.review.explanation import explanation_text
from scrapy_webstemmer.values import Article, Layout, Page, Pattern, SitePatterns

HOST = "press.example"


def learn_longest(
    site: str, layouts: list[Layout], _: Any, options: LearnOptions, known: int
) -> SitePatterns:
    """Learn that the longest block of a page is its text."""
    assert known == len(layouts)
    pattern = Pattern(name=layouts[0].url, kind="article", score=1.0, pages=len(layouts), sections=())
    return SitePatterns(site, options.layout, len(layouts), 1, (pattern,), ())


def read_longest(
    page: Page, site: SitePatterns, _: PatternSet, options: ExtractOptions, __: object
) -> Parts[Result]:
    """Return the longest line of a page."""
    yield
    longest = max(page.body.decode().split("\n"), key=len)
    if len(longest) < options.main_threshold:
        return Result(page.url, Reason.NO_MAIN_TEXT, site)
    return Result(
        page.url,
        site=site,
        article=Article(url=page.url, title="", text=longest, pattern=site.patterns[0].name),
    )


@pytest.fixture(autouse=True)
def engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add an engine: a module within the package, and an entry."""
    module = ModuleType("scrapy_webstemmer.longest")
    module.learn_longest, module.read_longest = learn_longest, read_longest  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(scrapy_webstemmer, "longest", module, raising=False)
    new = Engine(
        0.5, function_at("longest:learn_longest"), function_at("longest:read_longest"), form="longest lines"
    )
    monkeypatch.setitem(ENGINES, "longest", new)  # type: ignore[arg-type]


def test_one_engine_more_needs_an_entry_alone(tmp_path: Path) -> None:
    """A new engine learns, is saved and loaded, reads pages, and is explained."""
    options = LearnOptions(layout="longest")
    assert options.least_similarity == 0.5
    learn([*articles(HOST, 12), *indexes(HOST, 4)], options=options).save(tmp_path / "patterns.json")
    learned = PatternSet.load(tmp_path / "patterns.json")
    page = article(HOST, 50)
    found = extract(page, learned)
    assert found is not None
    assert found.text in page.body.decode()
    assert found.pattern == learned.sites[HOST].patterns[0].name
    assert "longest lines" in explanation_text(explain(page, learned))
    empty = explain(replace(page, body=b"<p>Short."), learned)
    assert empty.reason == Reason.NO_MAIN_TEXT


def test_an_unknown_engine_is_an_error() -> None:
    """The error names the engines that there are."""
    with pytest.raises(OptionError, match="paths, sequence, tree-edit, leaves, roadrunner, longest"):
        LearnOptions(layout="shortest")


def test_options_of_an_engine_are_for_it_alone() -> None:
    """An option that only one engine has is an error with the others, unless it has its default."""
    assert LearnOptions(layout="sequence", min_score=3.0).min_score == 3.0
    with pytest.raises(OptionError, match="only for layouts of 2009"):
        LearnOptions(layout="longest", min_score=3.0)


@pytest.mark.parametrize("name", ENGINES)
def test_the_functions_of_each_engine_are_there(name: str) -> None:
    """What the registry names exists."""
    one = ENGINES[name]
    for function in filter(None, (one.learn, one.read, one.parse, one.describe)):
        assert isinstance(function, partial)
        assert callable(resolve_name(f"scrapy_webstemmer.{function.args[0]}"))
