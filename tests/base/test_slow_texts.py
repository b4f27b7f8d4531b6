"""No text that somebody wrote makes one of our regular expressions take the square of its length."""

from __future__ import annotations

import re

import pytest
import slow_texts


def test_all_expressions_are_looked_at() -> None:
    """Each stands at the top of its module, where it is found, and none is written in a call."""
    names = {used.name.removeprefix("scrapy_webstemmer.") for used in slow_texts.expressions()}
    assert {"page.text._LINE_BREAK", "base.urls._LETTERS", "storage.linkinfo_file._LINKINFO_LINE"} <= names
    assert list(slow_texts.calls_of_re()) == []


@pytest.mark.once
def test_time_grows_with_the_text() -> None:
    """On eight times the text none takes more than three times as long as eight times the time."""
    assert list(slow_texts.report()) == []


@pytest.mark.once
def test_what_grows_faster_is_found() -> None:
    """Expressions that look for the end of a run from each of its places are reported."""
    for expression in (r" *\n", r"[^\d]*[a-z]", r"(\w+\s*)+:"):
        factor, text = slow_texts.growth(slow_texts.Used("it", re.compile(expression), "sub"))
        assert factor >= slow_texts.TOO_MUCH, (expression, text)
