"""Layouts drawn by Hypothesis: any tree, with few steps and texts, so that siblings are often alike."""

from __future__ import annotations

from array import array

from hypothesis import strategies as st

from scrapy_webstemmer.page.text import weight
from scrapy_webstemmer.values import Block, Column, Layout, Step

STEPS = [
    Step("div", "", ()),
    Step("div", "", ("item",)),
    Step("div", "", ("item", "odd")),
    Step("div", "", ("item", "even")),
    Step("div", "main.text", ()),
    Step("li", "", ()),
    Step("li", "", ("item",)),
    Step("h2", "", ()),
    Step("p", "", ()),
    Step("p", "", ("item",)),
]
TITLE = "A tale of two seals"
TEXTS = ["Imprint", "Page 12", "Page 7", "12", TITLE, f"Comments on {TITLE}", "a b"]


@st.composite
def trees(draw: st.DrawFn, most: int = 24) -> Column:
    """Draw the parents of some nodes in page order: a parent is the node before, or one around that node."""
    parents = array("i", [-1])
    for node in range(1, draw(st.integers(1, most))):
        around = [node - 1]
        while parents[around[-1]] >= 0:
            around.append(parents[around[-1]])
        parents.append(draw(st.sampled_from(around)))
    return parents


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    """Draw a layout whose blocks stand in the order of their nodes."""
    parents = draw(trees())
    size = len(parents)
    links = draw(st.lists(st.sampled_from([0, 1, 1, 2]), min_size=size, max_size=size))
    kinds = draw(st.lists(st.sampled_from(STEPS), min_size=1, max_size=4))
    blocks = []
    for node in sorted(draw(st.lists(st.integers(0, size - 1), max_size=2 * size))):
        text = draw(st.sampled_from(TEXTS))
        blocks.append(Block(node, text, weight(text), draw(st.integers(0, weight(text)))))
    return Layout(
        url="http://example.com/",
        steps=(Step("body", "", ()), *(draw(st.sampled_from(kinds)) for _ in range(size - 1))),
        parents=parents,
        links=array("i", links),
        leads=array("i", [draw(st.sampled_from([count, count, 0])) for count in links]),
        blocks=tuple(blocks),
        title_element=draw(st.sampled_from(["", TITLE, "Imprint"])),
    )
