"""The summary words each warning: what is wrong, and what to do about it."""

from __future__ import annotations

import ast
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scrapy_webstemmer.patterns import corrections, trust
from scrapy_webstemmer.patterns.trust import WARNINGS
from scrapy_webstemmer.review.explanation import warnings_of
from scrapy_webstemmer.values import LearnWarning


def lines(*warnings: LearnWarning) -> list[str]:
    patterns = tuple(SimpleNamespace(name=f"http://a.example/{n}") for n in (1, 2, 3))
    site: Any = SimpleNamespace(warnings=warnings, patterns=patterns)
    return list(warnings_of(site))


def raised() -> set[str]:
    """Return the kinds of warnings that occur in the source of learning."""
    paths = (Path(str(module.__file__)) for module in (corrections, trust))
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in paths]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {
        call.args[0].value
        for call in calls
        if isinstance(call.func, ast.Name)
        and call.func.id in ("LearnWarning", "_of_layouts")
        and isinstance(call.args[0], ast.Constant)
        and isinstance(call.args[0].value, str)
    }


def test_each_kind_has_its_text() -> None:
    """There is a text for each kind of warning, and no other text."""
    assert raised() == set(WARNINGS)


@pytest.mark.parametrize("kind", sorted(WARNINGS))
def test_one_line_with_advice(kind: str) -> None:
    """A warning is one line with its figure, advice, and the numbers of the layouts in the table."""
    (line,) = lines(LearnWarning(kind, 1200, ("http://a.example/3", "http://a.example/1")))
    assert not line.startswith((" ", "warning"))
    assert "1,200 pages" in line
    assert "; " in line
    assert line.endswith(" (layout 3, 1)")
    assert "{" not in line


def test_of_the_whole_site() -> None:
    """A warning without layouts names none."""
    assert lines(LearnWarning("few pages", 12)) == [
        "only 12 pages learned from: what is an article, and what belongs to it, is less certain;"
        " crawl 30 pages or more"
    ]


def test_unknown_kinds_are_shown_harmlessly() -> None:
    """A kind from another release is named, without escapes."""
    assert lines(LearnWarning("odd\x1b[2J thing", 1, ("gone",))) == ["odd[2J thing, 1 page"]
