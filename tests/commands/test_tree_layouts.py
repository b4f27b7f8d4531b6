"""The commands with layout trees: `scrapy analyze --layout tree-edit` and `--layout leaves`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrapy_webstemmer.engines import ENGINES

TREE_LAYOUTS = [name for name, one in ENGINES.items() if one.has_trees]


@pytest.mark.parametrize("layout", TREE_LAYOUTS)
def test_learned_trees_give_articles(
    run: Callable[..., Any], crawl: Path, write_zip: Any, make_story: Any, read_items: Any, layout: str
) -> None:
    """Patterns of layout trees are learned, named in the file, applied and explained."""
    done = run("analyze", "crawl.zip", "-o", "patterns.json", "--layout", layout)
    assert done.status == 0, done.err
    (site,) = json.loads(crawl.with_name("patterns.json").read_bytes())["sites"]
    assert site["layout"] == layout
    assert site["usual"] is None
    stories = [make_story(number) for number in range(30, 40)]
    write_zip("new.zip", {s.url: s.body for s in stories})
    assert run("extract", "patterns.json", "new.zip", "-O", "articles.jsonl").status == 0
    items = {item["url"]: item for item in read_items(crawl.with_name("articles.jsonl"))}
    long = [s for s in stories if sum(len(text.split()) for text in s.paragraphs) > 100]
    assert items.keys() >= {s.url for s in long}
    assert all(set(s.paragraphs) <= set(items[s.url]["text"].split("\n")) for s in long)
    assert all(item["confidence"] is None for item in items.values())
    told = run("extract", "patterns.json", "new.zip", "--explain")
    assert told.status == 0
    assert "layout trees" in told.out


@pytest.mark.parametrize("layout", ["paths", *TREE_LAYOUTS])
def test_classic_has_its_own_layout(run: Callable[..., Any], crawl: Path, layout: str) -> None:
    """--classic and another layout are an error of the command line."""
    done = run("analyze", "crawl.zip", "-o", "patterns.json", "--classic", "--layout", layout)
    assert done.status == 2
    assert f"--layout {layout}: not with --classic" in done.err


def test_unknown_layouts_are_refused(run: Callable[..., Any], crawl: Path) -> None:
    """The error names the layouts that there are."""
    done = run("analyze", "crawl.zip", "-o", "patterns.json", "--layout", "blocks")
    assert done.status == 2
    assert "tree-edit" in done.err


def test_files_of_2009_hold_no_trees(run: Callable[..., Any], crawl: Path) -> None:
    """A file in the format of 2009 cannot hold layout trees."""
    done = run("analyze", "crawl.zip", "-o", "patterns.pat", "--layout", "leaves")
    assert done.status == 2
    assert "add --classic" in done.err


def test_drift_says_that_it_cannot_compare(run: Callable[..., Any], crawl: Path) -> None:
    """Drift is only for path layouts: the command says so and is no traceback."""
    assert run("analyze", "crawl.zip", "-o", "patterns.json", "--layout", "leaves").status == 0
    done = run("drift", "patterns.json", "crawl.zip")
    assert "does not say what its pages usually give" in done.out + done.err
    assert "Traceback" not in done.err
