"""Features of 2009: what a block looks like, by the last three block tags of its path.

Source: Webstemmer 0.7.1, layout blocks. Each tag is followed by those of the
attributes ``align class colspan id rowspan valign`` that it has, in this order,
as ``:key=value`` in lower case; characters outside ASCII are written as ``?``.

>>> from scrapy_webstemmer.values import Layout, Step
>>> steps = (Step("html", "", ()), Step("div", ":class=story:id=s1", ()), Step("p", "", ()))
>>> features_of(Layout("", steps, (-1, 0, 1), (), (), ()))
('', 'div:class=story:id=s1', 'div:class=story:id=s1/p')
"""

from __future__ import annotations

from ..blocks.tags import CLASSIC
from ..values import Layout, Step

__all__ = ["PATH_LENGTH", "features_of"]

#: Block tags of a path that make its feature.
PATH_LENGTH = 3


_Names = tuple[str, ...]


def features_of(layout: Layout) -> tuple[str, ...]:
    """Return the feature of each node of a layout that was made with the tags of 2009.

    Text that stands in no block tag at all has the empty feature. Cost: linear
    in the number of nodes.
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
    """Return how a step is written, in a tuple; an empty one for what is no block tag (``html``)."""
    return (step.tag + step.id,) if step.tag in CLASSIC.block else ()
