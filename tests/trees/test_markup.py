from __future__ import annotations

import pytest
from hypothesis import given
from layout_trees import drawn_trees, parsed, tree_of

from scrapy_webstemmer.page.parsing import parse_text
from scrapy_webstemmer.review.tree_pages import tree_html, tree_lines
from scrapy_webstemmer.trees.layout_trees import Tree, tag_of
from scrapy_webstemmer.trees.tree_selection import Selection


def test_a_tree_as_html() -> None:
    """Names become tags with their id and classes, texts are escaped, void elements have no end tag."""
    tree = tree_of(["html", ["body .home", ["hr"], ["div #a .b .c", "1 < 2 & 3"], ["img"]]])
    assert tree_html(tree).split("\n") == [
        "<!DOCTYPE html>",
        '<html><body class="home"><hr><div id="a" class="b c">1 &lt; 2 &amp; 3</div>',
        "<img></body>",
        "</html>",
        "",
    ]


@pytest.mark.parametrize("attributes", [False, True])
def test_html_of_a_page_is_read_again(attributes: bool) -> None:
    """The HTML of an ordinary page's tree has the same tree."""
    tree = parsed(
        "<html><head><title>A &lt;b&gt;</title></head><body class=x><ul id='a b' class=c><li>&amp;amp; one"
        "<li>two</ul><table><tr><td>3</td></tr></table></body></html>",
        attributes=attributes,
    )
    assert parsed(tree_html(tree), attributes=attributes) == tree


def test_nothing_in_html_runs() -> None:
    """Elements that run, load or swallow are written as unknown ones, and hostile text is text."""
    hostile = (
        "<script>alert(1)</script><style>@import 'x'</style><iframe src=x onload=y></iframe>"
        "<svg onload=z></svg><p onclick=w>&lt;script&gt;alert(2)&lt;/script&gt;"
        "<b id='\"onmouseover=v' class='\"><script>'>t</b><x-y\"z>u<plaintext>rest"
    )
    for tree in (parsed(hostile, Selection.read("all"), attributes=True), parsed(hostile, attributes=True)):
        root = parse_text(tree_html(tree))
        tags = {element.tag for element in root.iter()}
        assert tags.isdisjoint({"script", "style", "iframe", "svg", "plaintext"})
        assert {name for element in root.iter() for name in element.attrib} <= {"id", "class"}


def test_odd_names_are_not_written() -> None:
    """A name with signs that would end a tag is replaced."""
    assert "<x-unknown></x-unknown>" in tree_html(tree_of(["html", ['a"b<c']]))


def test_tags_of_names() -> None:
    """The tag is what stands before the id and the classes."""
    assert (tag_of("div #a .b"), tag_of("p")) == ("div", "p")


@given(drawn_trees())
def test_each_node_is_a_line(tree: Tree) -> None:
    """A tree has one line a node, indented by its depth."""
    depths = [(len(line) - len(line.lstrip())) // 2 for line in tree_lines(tree)]
    assert depths[0] == 0
    assert all(depths[node] == depths[tree.parents[node]] + 1 for node in range(1, len(tree)))


def test_deep_trees() -> None:
    """Depth is no matter for the stack."""
    size = 10_000
    deep = Tree(("div",) * size, ("",) * size, tuple(range(-1, size - 1)))
    assert tree_html(deep).count("</div>") == size
