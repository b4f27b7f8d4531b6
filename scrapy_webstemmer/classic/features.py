"""Compute the features of 2009: the last three block tags of a block's path, with their attributes.

Source: Webstemmer 0.7.1, layout blocks. Each tag is followed by its attributes, as
``:key=value`` in lower case. Only ``align class colspan id rowspan valign`` count,
and they come in this order. Characters outside ASCII are written as ``?``.

>>> from scrapy_webstemmer.values.layouts import Layout, Step
>>> steps = (Step("html", "", ()), Step("div", ":class=story:id=s1", ()), Step("p", "", ()))
>>> features_of(Layout("", steps, (-1, 0, 1), (), (), ()))
('', 'div:class=story:id=s1', 'div:class=story:id=s1/p')
"""

from __future__ import annotations

from ..blocks.tags import CLASSIC
from ..values.layouts import Layout, Step

#: Number of block tags that make a feature.
PATH_LENGTH = 3


_Names = tuple[str, ...]


def features_of(layout: Layout) -> tuple[str, ...]:
    """Return the feature of each node of a layout that was made with the tags of 2009.

    Text outside all block tags has the empty feature. Cost: linear in the number
    of nodes.
    """
    paths: dict[tuple[_Names, Step], _Names] = {}
    found: list[_Names] = []
    for step, parent in zip(layout.steps, layout.parents, strict=True):
        above = found[parent] if parent >= 0 else ()
        path = paths.get((above, step))
        if path is None:
            path = paths[above, step] = (above + _names(step))[-PATH_LENGTH:]
        found.append(path)
    return tuple("/".join(path) for path in found)


def _names(step: Step) -> _Names:
    """Return a step as a feature shows it, in a tuple; an empty one if it is not a block tag (``html``)."""
    return (step.tag + step.id,) if step.tag in CLASSIC.block else ()
