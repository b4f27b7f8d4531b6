"""The vocabulary of a site, and the paths that it gives."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

import pytest

from scrapy_webstemmer.page.parsing import parse
from scrapy_webstemmer.page.walk import layout_of
from scrapy_webstemmer.site.paths import MAX_DEPTH, MAX_INTERNED, AllNames, Paths
from scrapy_webstemmer.site.vocabulary import learn_vocabulary
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
    assert learn_vocabulary(pages, 2) == {"div#main": 2, "div.post": 2}


def test_all_values_of_a_single_page_are_known() -> None:
    """There is nothing to compare a page with, as if all others were the same."""
    page = layout(
        "<div id=p7 class='post topic-7'><div class='post a'>x</div><p class=lead>y</div><h2 id=t>z</h2>"
    )
    alone = learn_vocabulary([page], 1)
    assert alone == dict.fromkeys(learn_vocabulary([page, page], 2), 1)
    assert alone.keys() == {"div#p7", "div.post", "div.topic-7", "div.a", "p.lead"}
    assert learn_vocabulary([page], 2) == {}


def test_values_that_go_with_the_content_are_not_known() -> None:
    """What only some elements of a kind have names their content, though a box shows one on every page."""
    box = "<aside><div class='post topic-0 wide'>x</div></aside>"
    pages = [
        layout(f"<main><div id=p{n} class='post topic-{n % 7} {'wide' * (n % 3 > 0)}'>x</div>{box}</main>")
        for n in range(30)
    ]
    assert learn_vocabulary(pages, 2) == {"div.post": 30}


@pytest.mark.parametrize("count", [5, 18, 99])
@pytest.mark.parametrize(("lack", "known"), [(0, True), (4, False)])
def test_what_few_elements_lack_is_layout_from_few_and_many_pages(count: int, lack: int, known: bool) -> None:
    """A value is known if one in 20 elements lacks it at most; how many pages there are does not matter."""
    pages = [layout(f"<div class='post {'wide' * (number % 5 >= lack)}'>x</div>") for number in range(count)]
    assert ("div.wide" in learn_vocabulary(pages, 1)) is known


def test_values_of_rare_elements_are_known() -> None:
    """An element that few pages have keeps its values: no other value of it is more common."""
    pages = [layout("<div class=a>x</div>")] * 98 + [layout("<div class='b c'>x</div>")] * 2
    assert learn_vocabulary(pages, 2) == {"div.a": 98, "div.b": 2, "div.c": 2}


def test_numbers_of_posts_are_no_names() -> None:
    """Values that differ from page to page in digits only are left out, though an index repeats them."""
    post = "<div id=post-{0} class='post p{0}'>x</div>"
    pages = [layout(post.format(number)) for number in range(9)]
    index = layout("".join(post.format(number) for number in range(9)))
    assert learn_vocabulary([*pages, index], 2) == {"div.post": 10}


def test_numbers_that_all_pages_have_are_names() -> None:
    """A value with digits is as good as others if pages do not differ in it."""
    html = "<div id=text-17 class='box box-1'>x</div><div id=text-23 class='box box-2'>y</div>"
    known = {"div#text-17", "div#text-23", "div.box", "div.box-1", "div.box-2"}
    assert learn_vocabulary([layout(html)] * 3, 2).keys() == known


def test_siblings_keep_what_tells_them_apart() -> None:
    """If each page has several elements of a kind, their values are compared over whole pages.

    Here pages of two layouts have three texts each, at places of which one has the first, the other the rest.
    """
    texts = [f"<div class='text text-{number}'>x</div>" for number in range(3)]
    pages = [layout(f"<main>{texts[0]}{texts[1]}</main><div>{texts[2]}</div>")] * 5
    pages += [layout(f"<main>{texts[0]}</main><div>{texts[1]}{texts[2]}</div>")] * 5
    assert learn_vocabulary(pages, 2) == dict.fromkeys(
        ["div.text", "div.text-0", "div.text-1", "div.text-2"], 10
    )


def test_an_id_counts_however_rare_its_element_is() -> None:
    """An id of a rare layout is a name, though the classes of its element are common."""
    pages = [layout("<div class=content>x</div>")] * 20 + [layout("<div id=author class=content>x</div>")] * 2
    assert learn_vocabulary(pages, 2) == {"div#author": 2, "div.content": 22}


@pytest.mark.parametrize(
    ("element", "step"),
    [
        ("<div id=main class=a>", "div#main"),
        ("<div id=own class=a>", "div.a"),
        ("<div id=own class='unknown b a'>", "div.a.b"),
        ("<div class='rare'>", "div.rare"),
        ("<section class=a id=main>", "section"),
        ("<div class='x/y'>", "div.x|y"),
    ],
)
def test_steps_of_a_path(element: str, step: str) -> None:
    """An element's name has its known id, else its known classes in alphabetical order."""
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
    vocabulary = learn_vocabulary(pages, 2)
    assert vocabulary == {"div#main": 3, "h2.part": 3}
    assert path_of("<div id=main><h2 id=summary>Summary</h2></div>", {"h2#summary": 3}) == "body/div/h2"


def test_without_a_vocabulary_paths_name_all_that_an_element_has() -> None:
    """The id or all classes count, but no ids of headings."""
    steps = (
        Step("body", "page-17", ("dark",)),
        Step("div", "post-17", ("post",)),
        Step("ul", "", ("wide", "col-2", "col-3", "a/b")),
        Step("h2", "some-heading", ()),
    )
    none = array("i", [0]) * len(steps)
    page = Layout("http://a.example/", steps, array("i", [-1, 0, 1, 2]), none, none, ())
    names = ("body#page-17", "div#post-17", "ul.a|b.col-2.col-3.wide", "h2")
    assert AllNames().of(page) == tuple("/".join(names[: n + 1]) for n in range(4))
