"""Recognise paragraphs that an author wrote as ``div`` elements: many editors have no other ones.

What a ``p`` means for the layout, such a ``div`` means as well: it holds one thing that an author wrote, and
says nothing about the template.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..values import Block, Step

_DIV, _P = Step("div", "", ()), Step("p", "", ())


def name_paragraphs(steps: list[Step], parents: Sequence[int], blocks: Sequence[Block]) -> None:
    """Make the step of each ``div`` that is a paragraph that of a ``p``.

    It is one if it has text but no block-level element in it, no id, no classes and no name, and if a sibling
    is of the same kind: a ``div`` alone may be what holds the text on other pages.

    :param steps: the steps of a page's nodes. They are changed.

    Cost: a look at each block.
    """
    end = len(parents)
    bare = {
        node
        for node in [block.node for block in blocks]
        if steps[node] == _DIV and (node + 1 == end or parents[node + 1] != node)
    }
    siblings = Counter([parents[node] for node in bare])
    for node in bare:
        if siblings[parents[node]] > 1:
            steps[node] = _P
