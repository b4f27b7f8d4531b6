"""Article or index: do a cluster's pages hold text, or lead to it?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from .container import container_on
from .paths import is_under
from .placed import PlacedLayout

__all__ = ["lead_shares", "main_mass"]


def lead_shares(pages: Sequence[PlacedLayout], container: str) -> list[float]:
    """Return for each page the share of the container's text in groups that lead to other pages, 0 to 1."""
    inside = {path: is_under(path, container) for path in set().union(*(page.places for page in pages))}
    return [_lead_share(page, inside) for page in pages]


def main_mass(pages: Sequence[PlacedLayout], container: str) -> float:
    """Return the mean mass of the container, in characters."""
    found = []
    for page in pages:
        node = container_on(page, container)
        found.append(0.0 if node is None else page.masses()[node])
    return fmean(found)


def _lead_share(page: PlacedLayout, inside: Mapping[str, bool]) -> float:
    total = leads = 0
    for block, path, static in zip(page.layout.blocks, page.places, page.static, strict=True):
        if not static and inside[path]:
            weight = block.weight
            total += weight
            if page.leading[block.node]:
                leads += weight
    return leads / total if total else 0.0
