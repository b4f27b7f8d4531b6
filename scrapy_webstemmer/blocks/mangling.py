"""What a regular expression leaves of attribute values, before anything is made of them."""

from __future__ import annotations

import re
from dataclasses import replace

from ..base.expressions import Patience
from ..values import Layout, Step

__all__ = ["mangled"]

_CLASSIC_ATTRIBUTE = re.compile(r":(align|class|colspan|id|rowspan|valign)=")


def mangled(layout: Layout, pattern: str, *, classic: bool = False) -> Layout:
    """Return a layout in which of each attribute value only what an expression finds is left, joined.

    :param classic: the layout has the attributes of 2009; of an expression with one group only what that
        finds is left.
    :raises SlowExpressionError: the expression takes too long on this page.

    Cost: the expression is applied once to each different element.
    """
    patience = Patience(layout.url)
    change = _classic_step if classic else _step
    changed = {step: change(step, pattern, patience) for step in dict.fromkeys(layout.steps)}
    return replace(layout, steps=tuple(changed[step] for step in layout.steps))


def _step(step: Step, pattern: str, patience: Patience) -> Step:
    classes = (patience.found(pattern, name) for name in step.classes)
    return Step(step.tag, patience.found(pattern, step.id), tuple(filter(None, classes)))


def _classic_step(step: Step, pattern: str, patience: Patience) -> Step:
    parts = _CLASSIC_ATTRIBUTE.split(step.id)
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    left = (f":{key}={patience.found(pattern, value, group=True)}" for key, value in pairs)
    return step._replace(id="".join(left))
