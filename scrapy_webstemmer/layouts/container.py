"""Find the container: the element that holds a cluster's main text.

An article is more than the sections that all pages share: headings, lists,
quotes and code stand where the author put them. One element holds them all. The
search goes down from the body, as long as one child holds nearly all of its
parent's mass on most pages. *Mass* is text outside links that is not boilerplate
(:meth:`~.placed.PlacedLayout.masses`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from ..blocks.tags import HEADINGS
from .paths import is_under, tag_of
from .placed import PlacedLayout

#: These elements hold one thing that an author wrote, so they are not containers.
_STOP = HEADINGS | {"p", "li", "pre"}

#: On a single page, an element that holds this share of its parent's mass holds the text.
ALONE = 0.8
#: A larger cluster's container serves for a page if it holds more than this share of the page's mass.
_SOME_TEXT = 0.1


def find_container(pages: Sequence[PlacedLayout], share: float, most: float) -> str:
    """Return the path of a cluster's container; that of the body if no element in it holds the text.

    :param share: an element must hold this share of its parent's mass ...
    :param most: ... on this share of the pages on which the parent has mass.

    Cost: linear in the number of nodes.
    """
    masses = [page.masses() for page in pages]
    children = [_with_mass(page, mass) for page, mass in zip(pages, masses, strict=True)]
    nodes: list[int | None] = [0 if mass[0] else None for mass in masses]
    path = pages[0].paths[0]
    while True:
        step = _step_down(pages, masses, children, nodes, share, most)
        if step is None:
            return path
        path, nodes = step


def share_containers(
    clusters: Sequence[Sequence[PlacedLayout]], containers: Sequence[str], most: float
) -> list[str]:
    """Return for each cluster its own container, or that of a larger cluster if its pages have text in it.

    If comments outweigh the article on some pages of a template, its pages fall
    into two clusters. Then the larger cluster tells where the main text is.

    :param clusters: largest first.
    :param containers: the container of each cluster.
    :param most: share of the pages that must have the other container with a tenth of their mass in it.
    """
    found: list[str] = []
    for pages, own in zip(clusters, containers, strict=True):
        larger = (path for path in dict.fromkeys(found) if not is_under(own, path))
        found.append(next((path for path in larger if _holds_text(pages, path, most)), own))
    return found


def _holds_text(pages: Sequence[PlacedLayout], path: str, most: float) -> bool:
    count, least = 0, most * len(pages)
    for left, page in zip(range(len(pages), 0, -1), pages, strict=True):
        if count + left < least:
            return False
        node = container_on(page, path)
        if node is not None:
            masses = page.masses()
            count += masses[node] > _SOME_TEXT * masses[0]
    return count >= least


def _with_mass(page: PlacedLayout, masses: Sequence[float]) -> dict[int, list[int]]:
    """Return for each node its children with mass; the search leads through no others."""
    found: dict[int, list[int]] = defaultdict(list)
    for node, (parent, mass) in enumerate(zip(page.layout.parents, masses, strict=True)):
        if mass:
            found[parent].append(node)
    return found


def _step_down(
    pages: Sequence[PlacedLayout],
    masses: Sequence[list[float]],
    children: Sequence[dict[int, list[int]]],
    nodes: Sequence[int | None],
    share: float,
    most: float,
) -> tuple[str, list[int | None]] | None:
    """Return the path of the child that holds its parent's mass, with its node on each page."""
    shares: dict[str, list[float]] = defaultdict(list)
    heaviest: list[dict[str, int]] = []
    present = 0
    for page, mass, below, node in zip(pages, masses, children, nodes, strict=True):
        found: dict[str, int] = {}
        heaviest.append(found)
        if node is None:
            continue
        present += 1
        for child in below[node]:
            path = page.paths[child]
            if path not in found or mass[child] > mass[found[path]]:
                found[path] = child
        for path, child in found.items():
            shares[path].append(mass[child] / mass[node])
    for path, held in sorted(shares.items()):
        if tag_of(path) in _STOP:
            continue
        if sum(one >= share for one in held) >= most * present:
            return path, [found.get(path) for found in heaviest]
    return None


def container_on(page: PlacedLayout, path: str) -> int | None:
    """Return the node of a container on a page. If there are several, the one with the most mass counts."""
    paths = page.paths
    if (count := paths.count(path)) < 2:
        return paths.index(path) if count else None
    nodes = [node for node, found in enumerate(paths) if found == path]
    masses = page.masses()
    return max(nodes, key=lambda node: (masses[node], -node))


@lru_cache(maxsize=16_384)
def stops(path: str) -> bool:
    """Return whether a search for the container does not go into an element."""
    return tag_of(path) in _STOP


def descend(page: PlacedLayout) -> int:
    """Return the container of a single page by its own masses, for pages without the learned container."""
    masses, ends = page.masses(), page.ends
    node, child = 0, 1
    while masses[node] and child < ends[node]:
        if masses[child] < ALONE * masses[node]:
            child = ends[child]
        elif stops(page.paths[child]):
            break  # no other child can hold as much
        else:
            node, child = child, child + 1
    return node
