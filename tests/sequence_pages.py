"""Make layouts of 2009 for tests, from the features and the texts of their blocks."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from hypothesis import strategies as st

from scrapy_webstemmer.page.text import word_weights
from scrapy_webstemmer.values import Block, Layout, Step

#: Features and weights of a page's blocks; few features, so that pages have much in common.
blocks = st.lists(st.tuples(st.sampled_from("abc"), st.integers(1, 9)), max_size=6)


def layout_of_texts(texts: Iterable[tuple[str, str]], url: str = "http://example.com/") -> Layout:
    """Return a layout with a block for each feature (``tag:key=value``) and text; ``[…]`` is a link."""
    steps, parents, made = [Step("html", "", ())], [-1], []
    for feature, text in texts:
        tag, colon, attributes = feature.partition(":")
        steps.append(Step(tag, colon + attributes, ()))
        parents.append(0)
        plain = "" if text.startswith("[") else text
        made.append(Block(len(steps) - 1, text.strip("[]"), *word_weights([text, plain])))
    none = array("i", [0]) * len(steps)
    return Layout(url, tuple(steps), array("i", parents), none, none, tuple(made))


def layout_of_runs(runs: Sequence[tuple[str, int]], url: str = "http://example.com/") -> Layout:
    """Return a layout with blocks of these features and weights."""
    return layout_of_texts([(f"p:id={feature}", "x" * weight) for feature, weight in runs], url)
