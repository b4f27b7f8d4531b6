"""The attribute filter: reduce attribute values to what a regular expression finds in them."""

from __future__ import annotations

import re
from dataclasses import replace

from ..base.expressions import Patience
from ..values.layouts import Layout, Step

_ATTRIBUTE = re.compile(r":(align|class|colspan|id|rowspan|valign)=")


def filtered(layout: Layout, pattern: str) -> Layout:
    """Return a layout of 2009 with each attribute value reduced to what an expression finds in it, joined.

    If the expression has one group, only what the group finds is kept.

    :raises SlowExpressionError: if the expression takes too long on this page.

    Cost: the expression is applied once to each different element.
    """
    patience = Patience(layout.url)
    changed = {step: _filtered(step, pattern, patience) for step in dict.fromkeys(layout.steps)}
    return replace(layout, steps=tuple(changed[step] for step in layout.steps))


def _filtered(step: Step, pattern: str, patience: Patience) -> Step:
    parts = _ATTRIBUTE.split(step.id)
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    left = (f":{key}={patience.found(pattern, value)}" for key, value in pairs)
    return step._replace(id="".join(left))
