from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st
from layout_trees import parsed
from lxml import etree

from scrapy_webstemmer.page.parsing import parse_text
from scrapy_webstemmer.trees.layout_trees import KEPT, REMOVED, TEXT, Tree, build_tree

PAGE = """<html><head><title>A &amp; B</title><script>x()</script></head><body class=home>
<!-- left out --><div id=main class="wide  story">
<p>Some <b>bold
 <i>and</i></b>&nbsp;more.</p>tail<ul><li>one<li>two</ul></div></body></html>"""


#: The elements of HTML 4.01, less the one that the published table does not name: center.
HTML4 = frozenset(
    "a abbr acronym address applet area b base basefont bdo big blockquote body br button caption cite "
    "code col colgroup dd del dfn dir div dl dt em fieldset font form frame frameset h1 h2 h3 h4 h5 h6 "
    "head hr html i iframe img input ins isindex kbd label legend li link map menu meta noframes "
    "noscript object ol optgroup option p param pre q s samp script select small span strike strong "
    "style sub sup table tbody td textarea tfoot th thead title tr tt u ul var".split()
)


def tree_lines(tree: Tree) -> list[str]:
    """Return a tree as indented lines, one a node: its name, or its text in quotation marks."""
    depths: list[int] = []
    for parent in tree.parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    nodes = zip(depths, tree.names, tree.texts, strict=True)
    return ["  " * depth + (f'"{text}"' if name == TEXT else name) for depth, name, text in nodes]


def lines(html: str) -> list[str]:
    """Return the lines of a tree within its body."""
    found = tree_lines(parsed(html))
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


def test_the_published_fates() -> None:
    """Of HTML 4.01 those elements are kept, and those removed, that the published program starts with."""
    assert not KEPT & REMOVED
    ignored = HTML4 - KEPT - REMOVED
    assert sorted(ignored) == sorted(
        "q pre ins a span bdo em strong cite dfn code samp kbd var abbr acronym font basefont sup sub tt i b"
        " big small strike s u".split()
    )
    assert sorted(REMOVED & HTML4) == sorted(
        "param map area meta style link address base br del script noscript".split()
    )


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<br>b", ["p", '  "a b"']),
        ("<p>a<b>b</b>c", ["p", '  "abc"']),
        ("<p>a<del>b</del>c", ["p", '  "ac"']),
        ("<p>a<!-- b -->c<?d?>e", ["p", '  "ace"']),
        ("<div>a<pre>b</pre>c</div>", ["div", '  "a b c"']),
        ("<nav>a<x-y>b</x-y></nav>", ["nav", '  "a b"']),
        ("<p>a<svg><text>b</text></svg>", ["p", '  "a"']),
        ("<p>a<template>b</template>", ["p", '  "a"']),
        ("<p> <b> </b></p>", ["p"]),
    ],
)
def test_fates(html: str, expected: list[str]) -> None:
    """What is ignored leaves its content, what is removed leaves nothing, and words never run together."""
    assert lines(f"<html><head></head><body>{html}</body></html>") == expected


def test_a_page_of_nothing() -> None:
    """A page without elements is a tree of one node."""
    assert parsed("").names == ("html",)


def test_the_page_is_not_changed() -> None:
    """Building a tree leaves the elements as they are."""
    root = parse_text(PAGE)
    before = etree.tostring(copy.deepcopy(root))
    build_tree(root)
    assert etree.tostring(root) == before


def test_deep_and_wide_pages() -> None:
    """A tree is as deep as its page, and as wide; there is no recursion."""
    deep = parsed("<div>" * 480 + "x" + "</div>" * 480)
    assert deep.names.count("div") == 480
    assert len(parsed("<i>a<b>b" * 2_000)) < 10
    assert parsed("<p>a" * 20_000).names.count("p") == 20_000


@given(st.text("<>/abpdiv lsu!-&;\"'=", max_size=80))
def test_any_page_gives_a_sound_tree(html: str) -> None:
    """Each parent is a kept element before its children, and each text is folded and not empty."""
    tree = parsed(html)
    assert tree.parents[0] == -1
    for node in range(1, len(tree)):
        assert tree.parents[node] < node <= tree.parents[node] + tree.sizes[tree.parents[node]]
        assert tree.names[tree.parents[node]] != TEXT
    for name, text in zip(tree.names, tree.texts, strict=True):
        assert (name == TEXT) == bool(text)
        assert text == " ".join(text.split())
