"""Each promise on the page about reliability names a test, and that test exists."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
#: The rows of the tables of promises: the promise, and its test.
ROWS = re.findall(r"^\| (.+) \| (.+) \|$", PAGE.split("\n## Time")[0], re.MULTILINE)
PROMISES = [(promise, test) for promise, test in ROWS if promise not in ("promise", "---")]


def test_there_are_promises() -> None:
    """The page has its tables."""
    assert len(PROMISES) > 40


@pytest.mark.parametrize(("promise", "test"), PROMISES, ids=[test.strip("`") for _, test in PROMISES])
def test_each_promise_has_a_test(promise: str, test: str) -> None:
    """The test of each promise is a function in the named file."""
    file, name = test.strip("`").split("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}


def test_no_test_proves_two_promises() -> None:
    """Each promise has a test of its own."""
    tests = [test for _, test in PROMISES]
    assert sorted(set(tests)) == sorted(tests)
