"""Paragraphs that are written as div elements."""

from __future__ import annotations

import pytest

from scrapy_webstemmer.page.parsing import parse
from scrapy_webstemmer.page.tags import CLASSIC, TODAY, TagRules
from scrapy_webstemmer.page.walk import layout_of
from scrapy_webstemmer.values import Page


def tags(html: str, rules: TagRules = TODAY) -> list[str]:
    """Return the tag of each block."""
    url = "http://www.example.com/"
    layout = layout_of(url, parse(Page(url, html.encode())), rules)
    return [layout.steps[block.node].tag for block in layout.blocks]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<section><div>One</div><div>Two <b>three</b></div></section>", ["p", "p"]),
        (
            "<section><div>One<br>two</div><h2>x</h2><div><a href=a>Three</a></div></section>",
            ["p", "p", "h2", "p"],
        ),
        # one alone may hold the text of other pages
        ("<section><h2>x</h2><div>One<br>two</div></section>", ["h2", "div", "div"]),
        ("<section><p>One</p><div>Two</div></section>", ["p", "div"]),
        # a div that holds others
        ("<section><div>One<div>two</div></div><div>Three</div></section>", ["div", "div", "div"]),
        # names are the template's
        ("<section><div class=a>One</div><div id=b>Two</div><div>Three</div></section>", ["div"] * 3),
        # without text
        ("<section><div></div><div><img src=a></div><div>One</div></section>", ["div"]),
        ("<table><tr><td>One</td><td>Two</td></table>", ["td", "td"]),
    ],
)
def test_paragraphs(html: str, expected: list[str]) -> None:
    """Bare div elements with nothing but text are paragraphs if there are two side by side or more."""
    assert tags(html) == expected


def test_pages_of_2009_have_none() -> None:
    """The layouts of 2009 take tags as they are."""
    assert tags("<div>One paragraph</div><div>Another paragraph</div><br>", CLASSIC) == ["div", "div"]
