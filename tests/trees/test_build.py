from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from layout_trees import parsed
from lxml import etree

from scrapy_webstemmer.page.parsing import parse_text
from scrapy_webstemmer.review.tree_pages import tree_lines
from scrapy_webstemmer.trees.layout_trees import TEXT, build_tree
from scrapy_webstemmer.trees.tree_selection import Selection

PAGE = """<html><head><title>A &amp; B</title><script>x()</script></head><body class=home>
<!-- left out --><div id=main class="wide  story">
<p>Some <b>bold
 <i>and</i></b>&nbsp;more.</p>tail<ul><li>one<li>two</ul></div></body></html>"""


def lines(html: str, words: str = "", **kwargs: bool) -> list[str]:
    """Return the lines of a tree within its body."""
    found = tree_lines(parsed(html, Selection.read(words), **kwargs))
    start = next(number for number, line in enumerate(found) if line.strip().startswith("body"))
    return [line.removeprefix("    ") for line in found[start + 1 :]]


def test_the_default_tree() -> None:
    """Elements and texts are nodes; ignored tags join their texts; comments and scripts are removed."""
    assert tree_lines(parsed(PAGE)) == [
        "html",
        "  head",
        "    title",
        '      "A & B"',
        "  body",
        "    div",
        "      p",
        '        "Some bold and more."',
        '      "tail"',
        "      ul",
        "        li",
        '          "one"',
        "        li",
        '          "two"',
    ]


def test_attributes_take_part_in_names() -> None:
    """The parts of id and class follow the tag in alphabetical order, each once."""
    names = parsed('<body class=home><div id="main" class="wide story wide">x</div>', attributes=True).names
    assert names == ("html", "body .home", "div #main .story .wide", TEXT)


@pytest.mark.parametrize(
    ("html", "words", "expected"),
    [
        ("a<ul><li>b</ul>c", "-lists", ['"a c"']),
        ("<ul><li>b<li>c</ul>", "-items", ["ul", '  "b c"']),
        ("<div>a<div>b</div></div>", "-div", ['"a b"']),
        ("<p>a<br>b", "", ["p", '  "a b"']),
        ("<p>a<br>b", "+br", ["p", '  "a"', "  br", '  "b"']),
        ("<p>a<b>b</b>c", "", ["p", '  "abc"']),
        ("<p>a<b>b</b>c", "+fonts", ["p", '  "a"', "  b", '    "b"', '  "c"']),
        ("<p>a<del>b</del>c", "", ["p", '  "ac"']),
        ("<p>a<!-- b -->c<?d?>e", "", ["p", '  "ace"']),
        ("<nav>a<x-y>b</x-y></nav>", "", ["nav", '  "a b"']),
        ("<nav>a</nav>", "-sections", ['"a"']),
        ("<p>a<svg><text>b</text></svg>", "", ["p", '  "a"']),
        ("<p>a<template>b</template>", "", ["p", '  "a"']),
        ("<p> <b> </b></p>", "", ["p"]),
    ],
)
def test_fates(html: str, words: str, expected: list[str]) -> None:
    """What is ignored leaves its content, what is removed leaves nothing, and words never run together."""
    assert lines(f"<html><head></head><body>{html}</body></html>", words) == expected


def test_a_page_of_nothing() -> None:
    """A page without elements is a tree of one node."""
    assert parsed("").names == ("html",)


def test_the_page_is_not_changed() -> None:
    """Building a tree leaves the elements as they are."""
    root = parse_text(PAGE)
    before = etree.tostring(copy.deepcopy(root))
    build_tree(root, Selection.read("none"))
    assert etree.tostring(root) == before


def test_deep_and_wide_pages() -> None:
    """A tree is as deep as its page, and as wide; there is no recursion."""
    deep = parsed("<div>" * 480 + "x" + "</div>" * 480)
    assert deep.names.count("div") == 480
    assert len(parsed("<i>a<b>b" * 2_000)) < 10
    assert parsed("<p>a" * 20_000).names.count("p") == 20_000


@given(st.text("<>/abpdiv lsu!-&;\"'=", max_size=80), st.sampled_from(["", "all", "none"]))
def test_any_page_gives_a_sound_tree(html: str, words: str) -> None:
    """Each parent is a kept element before its children, and each text is folded and not empty."""
    tree = parsed(html, Selection.read(words), attributes=True)
    assert tree.parents[0] == -1
    for node in range(1, len(tree)):
        assert tree.parents[node] < node <= tree.parents[node] + tree.sizes[tree.parents[node]]
        assert tree.names[tree.parents[node]] != TEXT
    for name, text in zip(tree.names, tree.texts, strict=True):
        assert (name == TEXT) == bool(text)
        assert text == " ".join(text.split())
