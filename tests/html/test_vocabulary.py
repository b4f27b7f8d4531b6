"""The vocabulary of a site, and the paths that it gives."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from scrapy_webstemmer.html.parsing import parse
from scrapy_webstemmer.html.walk import layout_of
from scrapy_webstemmer.site.boilerplate import (
    MAX_DEPTH,
    MAX_INTERNED,
    OwnPaths,
    Paths,
    learn_vocabulary,
)
from scrapy_webstemmer.values import Layout, Page, Step


def layout(html: str) -> Layout:
    page = Page("http://example.com/", html.encode())
    return layout_of(page.url, parse(page))


def path_of(html: str, vocabulary: Mapping[str, int]) -> str:
    """Return the path of the last block of a page."""
    found = layout(html)
    return Paths(vocabulary).of(found)[found.blocks[-1].node]


def test_values_that_recur_belong_to_the_site() -> None:
    """Classes and ids are counted by page, with their tag; values of a single page are left out."""
    pages = [
        layout('<div id=main class="post featured"><p class=lead>a<p class=lead>b</div>'),
        layout("<div id=main class=post><p>a</div>"),
        layout("<section class=post>b</section>"),
    ]
    assert learn_vocabulary(pages, 0.0, 2) == {"div#main": 2, "div.post": 2}


@pytest.mark.parametrize(("share", "known"), [(0.4, True), (0.41, False)])
def test_values_recur_from_a_share_of_the_pages_on(share: float, known: bool) -> None:
    """On a large site, a value must be on more pages than on a small one."""
    pages = [layout("<div class=a>x</div>")] * 4 + [layout("<div>x</div>")] * 6
    assert ("div.a" in learn_vocabulary(pages, share, 2)) is known


@pytest.mark.parametrize(("count", "known"), [(10, True), (11, False)])
def test_numbered_values_are_numbers(count: int, known: bool) -> None:
    """More than ten values that differ in their digits only are left out, even if they recur."""
    html = "".join(f"<div id=post-{number}>x</div>" for number in range(count))
    assert ("div#post-1" in learn_vocabulary([layout(html)] * 3, 0.0, 2)) is known


@pytest.mark.parametrize(
    ("element", "step"),
    [
        ("<div id=main class=a>", "div#main"),
        ("<div id=own class=a>", "div.a"),
        ("<div id=own class='unknown b a'>", "div.a.b"),
        ("<div class='rare a'>", "div.a"),
        ("<div class='rare'>", "div.rare"),
        ("<section class=a id=main>", "section"),
        ("<div class='x/y'>", "div.x|y"),
    ],
)
def test_steps_of_a_path(element: str, step: str) -> None:
    """An element's name has its known id, else its most usual classes in alphabetical order."""
    vocabulary = {"div#main": 9, "div.a": 10, "div.b": 8, "div.rare": 2, "div.x/y": 5}
    assert path_of(f"{element}text", vocabulary) == f"body/{step}"


def test_transparent_elements_are_no_steps() -> None:
    """Inline elements and groups of rows are not in a path."""
    html = "<table><tbody><tr><td><span class=a><b>text</b></span></td></tr></tbody></table>"
    assert path_of(html, {}) == "body/table/tr/td"


def test_paths_end_at_a_depth() -> None:
    """Elements nested deeper than a hundred share a path, so paths stay short."""
    found = Paths({}).of(layout("<div>a" * 300))
    assert max(path.count("/") for path in found) == MAX_DEPTH
    assert found[-1] == found[-2]


def test_paths_do_not_depend_on_earlier_pages() -> None:
    """Paths are the same, however many other pages came before."""
    html = "<div class=a><p>text</p></div>"
    used = Paths({"div.a": 2})
    for number in range(0, MAX_INTERNED + 10_000, 10_000):
        many = "".join(f"<div id=i{n} class=a>x</div>" for n in range(number, number + 10_000))
        used.of(layout(many))
    assert used.of(layout(html)) == Paths({"div.a": 2}).of(layout(html))


def test_ids_of_headings_are_no_part_of_a_path() -> None:
    """Ids of headings are made from their texts, so articles with the same heading share them."""
    pages = [layout("<div id=main><h2 id=summary class=part>Summary</h2></div>")] * 3
    vocabulary = learn_vocabulary(pages, 0.0, 2)
    assert vocabulary == {"div#main": 3, "h2.part": 3}
    assert path_of("<div id=main><h2 id=summary>Summary</h2></div>", {"h2#summary": 3}) == "body/div/h2"


def test_own_paths_name_all_that_an_element_has() -> None:
    """Without a vocabulary, the id or all classes count, digits folded; not on body, nor ids of headings."""
    steps = (
        Step("body", "page-17", ("dark",)),
        Step("div", "post-17", ("post",)),
        Step("ul", "", ("wide", "col-2", "col-3", "a/b")),
        Step("h2", "some-heading", ()),
    )
    page = Layout("http://a.example/", steps, (-1, 0, 1, 2), (0,) * 4, (0,) * 4, ())
    names = ("body", "div#post-0", "ul.a|b.col-0.wide", "h2")
    assert OwnPaths().of(page) == tuple("/".join(names[: n + 1]) for n in range(4))
