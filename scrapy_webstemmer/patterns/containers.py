"""Find the container: the element that holds the main text of a cluster's pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ..site.placed import PlacedLayout
from ..site.weighing import HELD, stops

#: An element holds the main text if it has the share ``HELD`` of its parent's mass on at least this share of
#: the pages on which the parent has mass.
_ON_PAGES = 0.7


def find_container(pages: Sequence[PlacedLayout]) -> str:
    """Return the path of a cluster's container; that of the body if no element in it holds the text.

    Cost: linear in the number of nodes.
    """
    masses = [page.masses() for page in pages]
    children = [_with_mass(page, mass) for page, mass in zip(pages, masses, strict=True)]
    nodes: list[int | None] = [0 if mass[0] else None for mass in masses]
    path = pages[0].paths[0]
    while True:
        step = _step_down(pages, masses, children, nodes)
        if step is None:
            return path
        path, nodes = step


def _with_mass(page: PlacedLayout, masses: Sequence[float]) -> dict[int, list[int]]:
    """Return for each node its children with mass; the search leads through no others."""
    with_mass: dict[int, list[int]] = defaultdict(list)
    for node, (parent, mass) in enumerate(zip(page.layout.parents, masses, strict=True)):
        if mass:
            with_mass[parent].append(node)
    return with_mass


def _step_down(
    pages: Sequence[PlacedLayout],
    masses: Sequence[Sequence[float]],
    children: Sequence[dict[int, list[int]]],
    nodes: Sequence[int | None],
) -> tuple[str, list[int | None]] | None:
    """Return the path of the child that holds its parent's mass, with its node on each page."""
    shares: dict[str, list[float]] = defaultdict(list)
    heaviest: list[dict[str, int]] = []
    present = 0
    for page, mass, below, node in zip(pages, masses, children, nodes, strict=True):
        by_path: dict[str, int] = {}
        heaviest.append(by_path)
        if node is None:
            continue
        present += 1
        for child in below[node]:
            path = page.paths[child]
            if path not in by_path or mass[child] > mass[by_path[path]]:
                by_path[path] = child
        for path, child in by_path.items():
            shares[path].append(mass[child] / mass[node])
    for path, held in sorted(shares.items()):
        if not stops(path) and sum(share >= HELD for share in held) >= _ON_PAGES * present:
            return path, [by_path.get(path) for by_path in heaviest]
    return None
