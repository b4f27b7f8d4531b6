"""The attribute filter: what it keeps of values, and that it never takes very long."""

from __future__ import annotations

import pytest

from scrapy_webstemmer.classic.layouts_2009 import features_of, filtered
from scrapy_webstemmer.errors import SlowExpressionError
from scrapy_webstemmer.page.parsing import parse
from scrapy_webstemmer.page.tags import CLASSIC
from scrapy_webstemmer.page.walk import layout_of
from scrapy_webstemmer.values import Layout, Page


def layout(html: str) -> Layout:
    page = Page("http://example.com/", html.encode())
    return layout_of(page.url, parse(page), CLASSIC)


@pytest.mark.parametrize(
    ("expression", "feature"),
    [
        ("[a-z]+", "div:class=posthentry:id=post"),
        ("^[a-z]+", "div:class=post:id=post"),
        ("([a-z]+)-", "div:class=post:id=post"),
        ("(post)-(1)", "div:class=post-1:id=post-1"),
        ("nothing", "div:class=:id="),
    ],
)
def test_values(expression: str, feature: str) -> None:
    """A value is reduced to what the expression, or its one group, finds in it, joined."""
    found = layout('<div id="post-123" class="post-123 hentry">some text</div>')
    assert features_of(filtered(found, expression))[-1] == feature


def test_an_expression_that_goes_wrong_on_a_page() -> None:
    """An expression that would take years on a value is an error that names the page and the expression."""
    page = layout(f"<div id={'a' * 60}b>x</div>")
    with pytest.raises(SlowExpressionError, match=r"http://example\.com/: .*'\(a\|aa\)\+\$' takes too long"):
        filtered(page, "(a|aa)+$")
