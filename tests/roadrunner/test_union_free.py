"""Union-free expressions: what ACME makes of pages, and which pages a program accepts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.page.parsing import parse_text
from scrapy_webstemmer.pattern_files.pattern_values import read_rows, write_rows
from scrapy_webstemmer.roadrunner.acme import MOST_STEPS, generalize
from scrapy_webstemmer.roadrunner.union_free import (
    FIELD,
    GROUP_NAMES,
    Part,
    Program,
    Reading,
    part_of,
    tokens_of,
    tree_of,
)
from scrapy_webstemmer.trees import layout_trees
from scrapy_webstemmer.trees.layout_trees import KEPT, TEXT, Tree, build_tree

pytestmark = pytest.mark.once

#: The tags of the paper's examples are nodes here, those of running text as well.
ALL = KEPT | {*"q font basefont sup sub tt i b big small strike s u".split()}


def page(html: str) -> Part:
    """Return the content of a page's body as one part."""
    root = parse_text(f"<html><body>{html}</body></html>")
    with patch.object(layout_trees, "KEPT", ALL):
        return part_of(build_tree(root)).parts[0]


def shown(part: Part) -> str:
    """Return an expression as the paper writes it, without the end tags of elements without content."""
    inner = "".join(map(shown, part.parts))
    if part.name in GROUP_NAMES:
        return f"({inner}){part.name[1]}"
    if part.name in (TEXT, FIELD):
        return part.text if part.name == TEXT else "#PCDATA"
    return f"<{part.name}>{inner}</{part.name}>" if inner else f"<{part.name}/>"


def wrapper_of(*pages: str) -> str:
    """Return the expression that some pages give, without the body around it."""
    expression = page(pages[0])
    for html in pages[1:]:
        found, steps = generalize(expression, page(html))
        assert found is not None
        assert 0 < steps < MOST_STEPS
        expression = found
    for html in pages:
        assert reading(expression, page(html)) is not None
    return shown(expression).removeprefix("<body>").removesuffix("</body>")


def reading(expression: Part, one: Part, most: int = MOST_STEPS) -> Reading | None:
    return Program(tree_of(expression)).read(tokens_of(tree_of(one)), most)[0]


BOOKS = (
    "<div>Books of:<b>John Smith</b><ul>"
    "<li><i>Title:</i>DB Primer</li><li><i>Title:</i>Comp. Sys.</li></ul></div>",
    "<div>Books of:<b>Paul Jones</b><img><ul>"
    "<li><i>Title:</i>XML at Work</li><li><i>Title:</i>HTML Scripts</li><li><i>Title:</i>JS</li></ul></div>",
)


@pytest.mark.parametrize("pages", [BOOKS, BOOKS[::-1]])
def test_the_example_of_the_paper(pages: Sequence[str]) -> None:
    """Names and titles are fields, the picture is optional, and the items are an iterator."""
    assert wrapper_of(*pages) == (
        "<div>Books of:<b>#PCDATA</b>(<img/>)?<ul>(<li><i>Title:</i>#PCDATA</li>)+</ul></div>"
    )


def test_fields_take_the_data() -> None:
    """What a field takes is a passage, with a text for each turn of an iterator."""
    expression, _ = generalize(page(BOOKS[0]), page(BOOKS[1]))
    assert expression is not None
    found = reading(expression, page(BOOKS[1]))
    assert found is not None
    assert found.passages == (("Paul Jones",), ("XML at Work", "HTML Scripts", "JS"))
    assert found.share == pytest.approx(1 - 4 / len(tokens_of(tree_of(page(BOOKS[1])))))


def test_string_mismatches() -> None:
    """Equal texts stay, different ones are a field."""
    assert wrapper_of("<p>by<p>Ann<p>on", "<p>by<p>Ben<p>on") == "<p>by</p><p>#PCDATA</p><p>on</p>"


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("<h1>a</h1><hr><p>b", "<h1>a</h1><p>b", "<h1>a</h1>(<hr/>)?<p>b</p>"),
        ("<h1>a</h1>", "<h1>a</h1><hr>", "<h1>a</h1>(<hr/>)?"),
        ("<hr><h1>a</h1>", "<h1>a</h1>", "(<hr/>)?<h1>a</h1>"),
    ],
)
def test_optional_parts(first: str, second: str, expected: str) -> None:
    """What only one of two pages has is optional, wherever it stands."""
    assert wrapper_of(first, second) == wrapper_of(second, first) == expected


def test_squares_of_several_elements() -> None:
    """A square reaches from the mismatch to the next terminal tag."""
    one, two = "<dl><dt>a<dd>b<dt>c<dd>d</dl>", "<dl><dt>e<dd>f<dt>g<dd>h<dt>i<dd>j</dl>"
    assert wrapper_of(one, two) == "<dl>(<dt>#PCDATA</dt><dd>#PCDATA</dd>)+</dl>"


def test_mismatches_within_a_square() -> None:
    """Lists in lists: the mismatch of the inner list is solved while the outer square is matched."""
    one = "<ul><li>a<ol><li>b<li>c</ol></li></ul>"
    two = "<ul><li>d<ol><li>e</ol></li><li>f<ol><li>g<li>h<li>i</ol></li></ul>"
    assert wrapper_of(one, two) == "<ul>(<li>#PCDATA<ol>(<li>#PCDATA</li>)+</ol></li>)+</ul>"


def test_optional_parts_of_a_square() -> None:
    """A picture that some items of a list lack is optional in the iterator."""
    one, two = "<ul><li>a<li><img>b</ul>", "<ul><li>c<li><img>d<li>e</ul>"
    assert wrapper_of(one, two) == "<ul>(<li>(<img/>)?#PCDATA</li>)+</ul>"


def test_an_empty_list_is_a_missing_iterator() -> None:
    """An iterator that a page lacks is optional, in one group."""
    many, more = "<div><p>a<p>b</div>", "<div><p>c<p>d<p>e</div>"
    assert wrapper_of(many, more, "<div></div>") == "<div>(<p>#PCDATA</p>)*</div>"


def test_pages_that_need_a_union_are_rejected() -> None:
    """Two tags of which neither is found on the other side have no union-free expression."""
    assert generalize(page("<div><h1>a</h1></div>"), page("<div><ul><li>a</ul></div>"))[0] is None


def test_paragraphs_side_by_side_are_one_passage() -> None:
    """A field in a paragraph belongs to the passage of the paragraph before it, other fields do not."""
    expression, _ = generalize(
        page("<h1>a</h1><p>b<p>c<h2>d</h2><p>e"), page("<h1>f</h1><p>g<p>h<h2>i</h2><p>j")
    )
    assert expression is not None
    found = reading(expression, page("<h1>1</h1><p>2<p>3<h2>4</h2><p>5"))
    assert found is not None
    assert found.passages == (("1",), ("2", "3"), ("4",), ("5",))


TAGS = "abc"
texts = st.sampled_from("xyz").map(lambda text: Part(TEXT, text))
parts = st.recursive(
    texts | st.sampled_from(TAGS).map(Part),
    lambda below: st.builds(
        lambda name, children: Part(name, "", tuple(children)),
        st.sampled_from(TAGS),
        st.lists(below, max_size=6),
    ),
    max_leaves=25,
)
pages = st.lists(parts, max_size=6).map(lambda children: Part("html", "", tuple(children)))


@given(pages)
def test_a_page_matches_its_own_expression(one: Part) -> None:
    """The expression that a page begins with accepts it, and takes no fields."""
    assert reading(one, one) == Reading((), 1.0)
    assert generalize(one, one)[0] == one


@given(st.lists(pages, min_size=2, max_size=5))
def test_an_expression_accepts_the_pages_it_was_made_of(some: list[Part]) -> None:
    """An expression accepts each page that it was made more general with, and survives being written."""
    expression, accepted = some[0], some[:1]
    for one in some[1:]:
        found, _ = generalize(expression, one)
        if found is not None:
            expression = found
            accepted.append(one)
    tree = tree_of(expression)
    assert Tree(*read_rows(write_rows(tree.names, tree.texts, tree.parents))) == tree
    assert part_of(tree) == expression
    for one in accepted:
        assert reading(expression, one) is not None


@given(pages, pages, pages)
def test_expressions_have_expressions_in_common(first: Part, second: Part, third: Part) -> None:
    """What is made of two expressions accepts the pages of both."""
    one, other = generalize(first, second)[0], generalize(second, third)[0]
    both = generalize(one, other)[0] if one and other else None
    if both is not None:
        assert all(reading(both, each) is not None for each in (first, second, third))


def test_steps_are_bounded() -> None:
    """Pages in which everything is a mismatch take no more than the steps that they may take."""
    chance = random.Random(0)
    shuffled = [
        Part(
            "html",
            "",
            tuple(Part(chance.choice(TAGS), "", (Part(chance.choice(TAGS)),)) for _ in range(3_000)),
        )
        for _ in range(2)
    ]
    found, steps = generalize(*shuffled)
    assert steps <= MOST_STEPS
    assert found is None or reading(found, shuffled[1]) is not None
    assert generalize(*shuffled, steps=10) == (None, 10)


def test_deep_pages_are_rejected() -> None:
    """Elements nested deeper than the bound give no expression, and no RecursionError."""
    deep = [Part(TEXT, text) for text in "xy"]
    for _ in range(2_000):
        deep = [Part("a", "", (one,)) for one in deep]
    assert generalize(deep[0], deep[1])[0] is None
    assert reading(deep[0], deep[0]) is not None


def test_iterators_in_iterators_are_read_in_bounded_steps() -> None:
    """An expression of a hostile file cannot make a page take more than the product of both lengths."""
    nested = Part("a")
    for _ in range(200):
        nested = Part("(*)", "", (nested, Part("(?)")))
    expression = Part("html", "", (nested, Part("b")))
    one = Part("html", "", (Part("a"),) * 200)
    program, tokens = Program(tree_of(expression)), tokens_of(tree_of(one))
    found, steps = program.read(tokens, 10_000_000)
    assert found is None
    assert steps <= 3 * len(program) * len(tokens)
    assert program.read(tokens, 100) == (None, 101)
    assert reading(expression, Part("html", "", (Part("a"), Part("b")))) is not None
