"""What leads to other pages of the site wherever it stands, as the site's groups of such links show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain, compress

from ..values import Layout
from .groups import Groups
from .paths import above
from .subtrees import mark, running_totals

__all__ = ["lead_paths", "with_known_leads"]

#: Share of an element's text that is links, from which on it is a lead wherever its path leads on.
_LINK_TEXT = 0.3


def lead_paths(
    pages: Sequence[tuple[Layout, Sequence[str], Sequence[bool]]],
    least: int = 2,
    share: float = 0.3,
) -> frozenset[str]:
    """Return the paths whose elements mostly stand in groups that lead to other pages.

    A tag page with a single entry has no group, but the site's other tag pages
    show that what stands there leads on.

    :param pages: for each page its layout, the paths of its nodes, and which of them are grouped.
    :param least: pages on which a path must be grouped, and ``share`` of those on which it carries a link.

    Cost: a pass over the nodes, and a look-up for each path at which links stand.
    """
    groups: Counter[str] = Counter()
    for _, paths, flags in pages:
        groups.update(set(compress(paths, flags)))
    possible = {path for path, n in groups.items() if n >= least}
    links: Counter[str] = Counter()
    around = _Around(possible)
    for layout, paths, _ in pages:
        links.update(set(chain.from_iterable(map(around.__getitem__, set(compress(paths, layout.leads))))))
    return frozenset(path for path in possible if groups[path] >= share * links[path])


class _Around(dict[str, tuple[str, ...]]):
    """For a path those of some paths that lead to it or to what it stands in, found once for all pages."""

    def __init__(self, paths: Collection[str]) -> None:
        super().__init__()
        self._paths = paths

    def __missing__(self, path: str) -> tuple[str, ...]:
        found = self[path] = tuple([one for one in (path, *above(path)) if one in self._paths])
        return found


def with_known_leads(
    found: Groups, layout: Layout, paths: Sequence[str], ends: Sequence[int], known: Collection[str]
) -> Groups:
    """Return groups with what leads to other pages elsewhere on the site, however few of it is here.

    :param known: paths that lead on wherever enough of their text is links.

    Cost: a look at the nodes at these paths, and some passes over the page if there are such.
    """
    leading = found.leading
    nodes = [node for node, path in enumerate(paths) if path in known and not leading[node]]
    if nodes:
        leads = running_totals(layout.leads)
        nodes = [node for node in nodes if leads[ends[node]] > leads[node]]
    if not nodes:
        return found
    flags = list(leading)
    mark(flags, _mostly_links(layout, nodes, ends), ends)
    return Groups(found.templated, tuple(flags))


def _mostly_links(layout: Layout, nodes: Sequence[int], ends: Sequence[int]) -> list[int]:
    """Return those of some nodes of whose text much is links."""
    weights, in_links = [0] * len(layout.steps), [0] * len(layout.steps)
    for block in layout.blocks:
        weight = block.weight
        weights[block.node] += weight
        in_links[block.node] += weight - block.plain
    text, links = running_totals(weights), running_totals(in_links)
    return [
        node
        for node in nodes
        if links[end := ends[node]] - links[node] >= _LINK_TEXT * (text[end] - text[node])
    ]
