"""Article or index: do a cluster's pages hold text, or lead to it?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from .container import container_on
from .paths import is_under
from .placed import PlacedLayout

__all__ = ["lead_share", "main_mass"]


def lead_share(pages: Sequence[PlacedLayout], container: str) -> float:
    """Return the mean share of the container's text that stands in groups leading to other pages, 0 to 1."""
    inside = {path: is_under(path, container) for path in set().union(*(page.paths for page in pages))}
    return fmean(_page_lead_share(page, inside) for page in pages)


def main_mass(pages: Sequence[PlacedLayout], container: str) -> float:
    """Return the mean mass of the container, in characters."""
    found = []
    for page in pages:
        node = container_on(page, container)
        found.append(0.0 if node is None else page.masses()[node])
    return fmean(found)


def _page_lead_share(page: PlacedLayout, inside: Mapping[str, bool]) -> float:
    total = leads = 0
    for block, static in zip(page.layout.blocks, page.static, strict=True):
        if not static and inside[page.paths[block.node]]:
            total += block.weight
            leads += block.weight if page.leading[block.node] else 0
    return leads / total if total else 0.0
