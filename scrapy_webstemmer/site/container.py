"""Where the main text of a layout stands.

Find the elements in which an author's text runs, and the texts there that only look like boilerplate.

What an author puts between paragraphs is part of the article: lists with links, an introduction that many
posts share, a heading that recurs. Only what stands on nearly every page comes from the template.

Find the container: the element that holds a cluster's main text.

An article is more than the sections that all pages share: headings, lists,
quotes and code stand where the author put them. One element holds them all. The
search goes down from the body, as long as one child holds nearly all of its
parent's mass on most pages. *Mass* is text outside links that is not boilerplate
(:meth:`~.model.PlacedLayout.masses`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from ..html.tags import HEADINGS
from .boilerplate import BoilerplateKey, keys_of
from .model import PlacedLayout
from .paths import coarse, is_under, tag_of

# --- Find the elements in which an author's text runs

#: An element holds running text on a page if more than this share of the container's new text outside links
#: is directly in it ...
_MUCH = 0.3
#: ... and on the template if this is so on at least this share of its pages.
_PAGES = 0.5
#: A recurring text is the template's if it is on at least this share of the pages.
_NEARLY_ALL = 0.9


def running_elements(pages: Sequence[PlacedLayout], container: str) -> set[str]:
    """Return the paths of the elements in a container that directly hold much of its text, on most pages.

    Cost: linear in the number of blocks.
    """
    counts: Counter[str] = Counter()
    for page in pages:
        held: Counter[str] = Counter()
        inside = {path: is_under(path, container) for path in set(page.places)}
        for block, path, boilerplate in zip(page.layout.blocks, page.places, page.boilerplate, strict=True):
            if not boilerplate and inside[path] and not page.repeated[block.node]:
                held[coarse(path)] += block.plain
        whole = held.total()
        counts.update(element for element, plain in held.items() if plain > _MUCH * whole)
    return {element for element, count in counts.items() if count >= _PAGES * len(pages)}


def author_texts(pages: Sequence[PlacedLayout], container: str) -> set[BoilerplateKey]:
    """Return texts that count as boilerplate, but are the author's, since only some pages have them."""
    elements = running_elements(pages, container)
    counts = Counter(key for page in pages for key in set(_recurring(page, elements).values()))
    return {key for key, count in counts.items() if count < _NEARLY_ALL * len(pages)}


def with_author_texts(pages: Iterable[PlacedLayout], texts: Collection[BoilerplateKey]) -> list[PlacedLayout]:
    """Return pages on which some texts are no boilerplate."""
    elements = {coarse(path) for path, _ in texts}
    found = []
    for page in pages:
        spared = {number for number, key in _recurring(page, elements).items() if key in texts}
        flags = (known and number not in spared for number, known in enumerate(page.boilerplate))
        found.append(replace(page, boilerplate=tuple(flags)) if spared else page)
    return found


def _recurring(page: PlacedLayout, elements: Collection[str]) -> dict[int, BoilerplateKey]:
    """Return the boilerplate directly in some elements: the numbers of its blocks, with their keys."""
    numbers = [
        number
        for number, (path, boilerplate) in enumerate(zip(page.places, page.boilerplate, strict=True))
        if boilerplate and coarse(path) in elements
    ]
    texts, places = [page.layout.blocks[n].text for n in numbers], [page.places[n] for n in numbers]
    return dict(zip(numbers, keys_of(texts, places, page.title), strict=True))


# --- Find the container: the element that holds a cluster's main text

#: These elements hold one thing that an author wrote, so they are not containers.
_STOP = HEADINGS | {"p", "li", "pre"}

#: An element holds the main text if it has at least this share of its parent's mass ...
HELD = 0.8
#: ... on at least this share of the pages on which the parent has mass.
_ON_PAGES = 0.7
#: A larger cluster's container serves for a page if it holds more than this share of the page's mass.
_SOME_TEXT = 0.1


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


def share_containers(clusters: Sequence[Sequence[PlacedLayout]], containers: Sequence[str]) -> list[str]:
    """Return for each cluster its own container, or that of a larger cluster if its pages have text in it.

    If comments outweigh the article on some pages of a template, its pages fall
    into two clusters. Then the larger cluster tells where the main text is.

    :param clusters: largest first.
    :param containers: the container of each cluster.
    """
    found: list[str] = []
    for pages, own in zip(clusters, containers, strict=True):
        larger = (path for path in dict.fromkeys(found) if not is_under(own, path))
        found.append(next((path for path in larger if _holds_text(pages, path)), own))
    return found


def _holds_text(pages: Sequence[PlacedLayout], path: str) -> bool:
    count, least = 0, _ON_PAGES * len(pages)
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
        if sum(one >= HELD for one in held) >= _ON_PAGES * present:
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
        if masses[child] < HELD * masses[node]:
            child = ends[child]
        elif stops(page.paths[child]):
            break  # no other child can hold as much
        else:
            node, child = child, child + 1
    return node
