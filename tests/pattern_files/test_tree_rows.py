"""Layout trees as rows of a pattern file. Invalid rows: tests/trees/test_patterns.py."""

from __future__ import annotations

from hypothesis import given
from small_trees import TREES

from scrapy_webstemmer.pattern_files.pattern_values import read_rows, write_rows
from scrapy_webstemmer.trees.layout_trees import Tree


@given(TREES)
def test_what_is_written_is_read_again(tree: Tree) -> None:
    """Each tree comes back from its rows."""
    rows = write_rows(tree.names, tree.texts, tree.parents)
    assert Tree(*read_rows(rows)) == tree
    assert len(rows) == len(tree)


def test_rows_are_depth_and_label() -> None:
    """A row is the depth and the name, and for a text the text."""
    assert write_rows(("div", "#text", "$"), ("", "two words", ""), (-1, 0, 0)) == (
        "0 div",
        "1 #text two words",
        "1 $",
    )
