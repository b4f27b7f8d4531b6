"""Features of 2009: what a block looks like, by the last three block tags of its path.

Source: Webstemmer 0.7.1, layout blocks. Each tag is followed by those of the
attributes ``align class colspan id rowspan valign`` that it has, in this order,
as ``:key=value`` in lower case; signs outside ASCII are written as ``?``.

>>> from scrapy_webstemmer.values import Layout, Step
>>> steps = (Step("html", "", ()), Step("div", ":class=story:id=s1", ()), Step("p", "", ()))
>>> features_of(Layout("", steps, (-1, 0, 1), (), (), ()))
('', 'div:class=story:id=s1', 'div:class=story:id=s1/p')
>>> features_of(Layout("", steps, (-1, 0, 1), (), (), ()), mangle="[a-z]+")[2]
'div:class=story:id=s/p'
"""

from __future__ import annotations

import re

from ..values import Layout, Step
from .tags import CLASSIC

__all__ = ["PATH_LENGTH", "features_of"]

#: Block tags of a path that make its feature.
PATH_LENGTH = 3

_ATTRIBUTE = re.compile(r":(align|class|colspan|id|rowspan|valign)=")

_Names = tuple[str, ...]


def features_of(layout: Layout, mangle: str | None = None) -> tuple[str, ...]:
    """Return the feature of each node of a layout that was made with the tags of 2009.

    :param mangle: what counts of an attribute's value: all that this regular expression
        finds in it (its group, if it has one), joined; None: the whole value.

    Text that stands in no block tag at all has the empty feature. Cost: linear
    in the number of nodes; the expression is applied once to each different one.
    """
    keep = re.compile(mangle) if mangle is not None else None
    known: dict[Step, _Names] = {}
    paths: dict[tuple[_Names, Step], _Names] = {}
    found: list[_Names] = []
    for step, parent in zip(layout.steps, layout.parents, strict=True):
        above = found[parent] if parent >= 0 else ()
        path = paths.get((above, step))
        if path is None:
            if step not in known:
                known[step] = _names(step, keep)
            path = paths[above, step] = (above + known[step])[-PATH_LENGTH:]
        found.append(path)
    return tuple("/".join(path) for path in found)


def _names(step: Step, keep: re.Pattern[str] | None) -> _Names:
    """Return how a step is written, in a tuple; an empty one for what is no block tag (``html``)."""
    if step.tag not in CLASSIC.block:
        return ()
    return (step.tag + (step.id if keep is None else _mangled(step.id, keep)),)


def _mangled(attributes: str, keep: re.Pattern[str]) -> str:
    parts = _ATTRIBUTE.split(attributes)
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    group = 1 if keep.groups == 1 else 0
    return "".join(
        f":{key}=" + "".join(found.group(group) or "" for found in keep.finditer(value))
        for key, value in pairs
    )
