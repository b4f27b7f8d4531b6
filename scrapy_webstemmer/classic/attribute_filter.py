"""The attribute filter: what a regular expression leaves of attribute values, before they are used."""

from __future__ import annotations

import re
from dataclasses import replace

from ..base.expressions import Patience
from ..values import Layout, Step

__all__ = ["filtered"]

_ATTRIBUTE = re.compile(r":(align|class|colspan|id|rowspan|valign)=")


def filtered(layout: Layout, pattern: str) -> Layout:
    """Return a layout of 2009 in which of each attribute value only what an expression finds is left, joined.

    Of an expression with one group only what that finds is left.

    :raises SlowExpressionError: the expression takes too long on this page.

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
