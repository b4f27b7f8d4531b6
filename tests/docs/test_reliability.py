"""Each promise on the page about reliability names its tests, and these tests exist."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
#: The promises, each an item of a list. Its tests are in a comment below it.
ITEMS = re.findall(r"^- (.+?)(?=^- |^$)", PAGE.split("\n## Time")[0], re.MULTILINE | re.DOTALL)
PROMISES = {item.partition("<!--")[0].strip(): re.findall(r"tests/\S+::\w+", item) for item in ITEMS}


def test_there_are_promises() -> None:
    """The page has its lists, and each promise has a test."""
    assert len(PROMISES) == len(ITEMS) > 40
    assert [promise for promise, tests in PROMISES.items() if not tests] == []


@cache
def functions(file: str) -> set[str]:
    """Return the names of a file's functions."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}


@pytest.mark.parametrize("test", [test for tests in PROMISES.values() for test in tests])
def test_each_promise_has_a_test(test: str) -> None:
    """The test of each promise is a function in the named file."""
    file, name = test.split("::")
    assert name in functions(file)


def test_no_test_proves_two_promises() -> None:
    """Each promise has tests of its own."""
    tests = [test for found in PROMISES.values() for test in found]
    assert sorted(set(tests)) == sorted(tests)
