"""Patterns with wildcards: their composition, and how they match pages."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_trees import TREES, tree

from scrapy_webstemmer.trees.edit_distance import MAX_CELLS
from scrapy_webstemmer.trees.layout_trees import Tree
from scrapy_webstemmer.trees.wildcards import PatternMatch, compose, compose_labels, match_pattern

#: The published table, line by line.
TABLE = {
    ("*", "*"): "*", ("*", "+"): "*", ("*", "$"): "*", ("*", "?"): "*", ("*", "a"): "*",
    ("+", "+"): "+", ("+", "$"): "+", ("+", "?"): "*", ("+", "a"): "+",
    ("$", "$"): "$", ("$", "?"): "?", ("$", "a"): "$",
    ("?", "?"): "?", ("?", "a"): "?",
    ("a", "a"): "a", ("a", "b"): "$", ("#text 1", "#text 2"): "$", ("#text 1", "#text 1"): "#text 1",
}  # fmt: skip


@pytest.mark.parametrize(("pair", "expected"), TABLE.items())
def test_the_table_of_the_paper(pair: tuple[str, str], expected: str) -> None:
    """Each entry of the table holds, in both orders."""
    assert compose_labels(*pair) == compose_labels(*reversed(pair)) == expected


def composed(*pages: Tree) -> Tree:
    pattern = pages[0]
    for page in pages[1:]:
        found = compose(pattern, page)
        assert found is not None
        pattern = found
    return pattern


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ([tree("a", "=one"), tree("a", "=one")], tree("a", "=one")),
        ([tree("a", "=one"), tree("a", "=two")], tree("a", "$")),
        ([tree("a", "b", "c"), tree("a", "c")], tree("a", "?", "c")),
        ([tree("a", "c"), tree("a", "b", "c")], tree("a", "?", "c")),
        ([tree("a", "b", "b", "c"), tree("a", "c")], tree("a", "*", "c")),
        ([tree("a", "$", "c"), tree("a", "c")], tree("a", "?", "c")),
        ([tree("a", "+", "c"), tree("a", "c")], tree("a", "*", "c")),
        ([tree("a", "*", "c"), tree("a", "b", "b", "c")], tree("a", "*", "c")),
        ([tree("a", "+", "c"), tree("a", "b", "b", "c")], tree("a", "+", "c")),
        ([tree("a", tree("p", "$"), tree("p", "$")), tree("a", "p")], tree("a", "+")),
        ([tree("a", "b", "c"), tree("a", "d", "e")], tree("a", "$", "$")),
        ([tree("a", tree("b", "=one")), tree("a", tree("b", "=two"))], tree("a", tree("b", "$"))),
        ([tree("a"), tree("b")], tree("$")),
    ],
)
def test_composition(pages: list[Tree], expected: Tree) -> None:
    """What pages have in common stays, and the rest becomes wildcards; neighbours become one."""
    assert composed(*pages) == expected


def test_paragraphs_become_one_wildcard() -> None:
    """However many paragraphs two pages have, one wildcard stands for them; the heading has its own."""
    short = tree("div", tree("h1", "=one"), tree("p", "=two"), tree("p", "=three"))
    long = tree("div", tree("h1", "=four"), *(tree("p", f"={number}") for number in range(5)))
    assert composed(short, long) == composed(long, short) == tree("div", tree("h1", "$"), "+")


def match(pattern: Tree, page: Tree) -> PatternMatch | None:
    found, cells = match_pattern(pattern, page)
    assert cells <= MAX_CELLS
    return found


def cost(pattern: Tree, page: Tree) -> int | None:
    found = match(pattern, page)
    return None if found is None else found.cost


@pytest.mark.parametrize(
    ("pattern", "page", "expected"),
    [
        (tree("a", "b"), tree("a", "b"), 0),
        (tree("a", "b"), tree("a", "c"), None),  # a replacement with another label
        (tree("a", "=one"), tree("a", "=two"), None),
        (tree("a", "$"), tree("a", "b"), 0),  # a replacement of a wildcard
        (tree("a", "$"), tree("a", tree("b", "c", "=one")), 0),  # an ancestor is taken
        (tree("a", "$"), tree("a", "b", "b"), None),  # an insertion
        (tree("a", "?"), tree("a", "b", "b"), None),
        (tree("a", "+"), tree("a", "b", "b"), 0),  # the left sibling is taken
        (tree("a", "*"), tree("a", "b", "c", "b"), 0),
        (tree("a", "b"), tree("a", "b", "c"), None),
        (tree("a", "?", "b"), tree("a", "b"), 1),  # removals
        (tree("a", "*", "b"), tree("a", "b"), 1),
        (tree("a", "?", "*"), tree("a"), 2),
        (tree("a", "$"), tree("a"), None),
        (tree("a", "+"), tree("a"), None),
        (tree("a", "b"), tree("a"), None),
        (tree("a", "+", "b", "+"), tree("a", "b", "b", "b"), 0),
        (tree("a", "+", "b", "+"), tree("a", "b", "b"), None),
        (tree("$"), tree("a"), 0),
        (tree("a"), tree("b"), None),
    ],
)
def test_match_rules(pattern: Tree, page: Tree, expected: int | None) -> None:
    """A page is accepted at the cost of the optional wildcards that take nothing, or rejected (None)."""
    assert cost(pattern, page) == expected


def test_passages() -> None:
    """A passage is the text that one wildcard takes, in the order of the page."""
    pattern = tree("a", tree("b", "$"), "=fixed", "+", "?")
    page = tree("a", tree("b", "=one"), "=fixed", tree("p", "=two", tree("b", "=three")), tree("p", "=four"))
    found = match(pattern, page)
    assert found is not None
    assert found.cost in (0, 1)
    assert found.passages[0] == ("one",)
    assert [text for passage in found.passages[1:] for text in passage] == ["two", "three", "four"]


@given(st.lists(TREES, min_size=1, max_size=5))
def test_accepts_the_pages_it_was_made_from(pages: list[Tree]) -> None:
    """A pattern accepts every page that it was composed of."""
    pattern = composed(*pages)
    assert all(match(pattern, page) for page in pages)


WILD = st.sampled_from(["$", "+", "?", "*", "a", "b", "p", "=one"])


@st.composite
def patterns(draw: st.DrawFn) -> Tree:
    """Draw a pattern of two levels."""
    inner = [tree("p", *draw(st.lists(WILD, max_size=3))), *draw(st.lists(WILD, max_size=3))]
    return tree("root", *draw(st.permutations(inner)))


def accepts(pattern: Tree, page: Tree, i: int = 0, j: int = 0) -> bool:
    """Return whether a pattern accepts a page, by trying all ways."""
    if pattern.names[i] in "$?+*":
        return True
    if pattern.labels[i] != page.labels[j]:
        return False
    ours, theirs = pattern.children[i], page.children[j]
    spans = [range(len(theirs) + 1) if pattern.names[x] in "+*" else range(2) for x in ours]
    for counts in product(*spans):
        if sum(counts) != len(theirs):
            continue
        at, good = 0, True
        for x, count in zip(ours, counts, strict=True):
            good &= count > 0 or pattern.names[x] in "?*"
            good &= all(accepts(pattern, page, x, y) for y in theirs[at : at + count])
            at += count
        if good:
            return True
    return False


@given(patterns(), TREES)
def test_matches_as_all_ways_do(pattern: Tree, page: Tree) -> None:
    """A page is accepted exactly if one of all ways to divide its nodes among the pattern's fits."""
    assert (match(pattern, page) is not None) == accepts(pattern, page)


@given(patterns(), TREES)
def test_composition_only_adds(pattern: Tree, page: Tree) -> None:
    """A pattern composed with a page accepts that page, and a page that it accepted before."""
    found = composed(pattern, page)
    assert match(found, page)
    example = Tree(
        tuple("a" if name in {"$", "+", "?", "*"} else name for name in pattern.names),
        pattern.texts,
        pattern.parents,
    )
    assert match(pattern, example)
    assert match(found, example)


def test_stops_before_too_many_cells() -> None:
    """A mapping beyond the bound is not made: there is neither a pattern nor a match."""
    count = int(MAX_CELLS**0.5) + 1
    one, two = (tree("a", *(f"={text} {n}" for n in range(count))) for text in ("one", "two"))
    assert compose(one, two) is None
    assert match_pattern(tree("a", *["?"] * count), two) == (None, MAX_CELLS + 1)
