"""Groups of like siblings that carry links: teasers, comments, entries of a menu or a list.

One template made them from a list of things, so they have the same path under
the same parent, and none of them is nearly all of the group.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from itertools import chain, compress
from typing import NamedTuple, TypeAlias

from ..blocks.tags import TEXT_TAGS
from ..values import Block, Layout
from .paths import above, last_step, tag_of
from .subtrees import children_of, mark, running_totals

__all__ = ["Groups", "find_groups", "lead_paths", "sums", "with_known_leads"]

#: Siblings of which a group consists, at least.
SIZE = 3
#: Share of them that carry a link, at least.
LINKED = 0.8
_LEAST_LINKS = LINKED * SIZE
#: Share of the group's text that the heaviest of them holds, at most: rows of a page are no group.
HEAVIEST = 0.7
#: Share of an element's text that is links, from which on it is a lead wherever its path leads on.
_LINK_TEXT = 0.3

_NEVER = frozenset({"p", "td", "th"})


#: Some children of an element; as a range if they are all of them, and nothing stands in any.
_Siblings: TypeAlias = "list[int] | range"


class Groups(NamedTuple):
    """For each node, whether it, or what it stands in, belongs to a group.

    :param templated: of siblings with links that the template made: groups of bare list items or rows are
        the author's, and none.
    :param leading: of siblings that lead to other pages of the site, whoever made them.
    """

    templated: tuple[bool, ...]
    leading: tuple[bool, ...]


class _Sums:
    """For each node the sum of a value over all nodes in it, as far as it is asked for."""

    __slots__ = ("_ends", "_values", "totals")

    def __init__(self, values: Sequence[int], ends: Sequence[int]) -> None:
        self._values, self._ends, self.totals = values, ends, running_totals(values)

    def of(self, nodes: _Siblings) -> Sequence[int]:
        """Return the sums of some siblings."""
        if isinstance(nodes, range):
            return self._values[nodes.start : nodes.stop]
        ends, totals = self._ends, self.totals
        return [totals[ends[node]] - totals[node] for node in nodes]


def sums(layout: Layout, value: Callable[[Block], float]) -> list[float]:
    """Return for each node the sum of a block's value over all blocks in it."""
    found = [0.0] * len(layout.steps)
    for block in layout.blocks:
        found[block.node] += value(block)
    add_up(layout, found)
    return found


def add_up(layout: Layout, values: list[float]) -> None:
    """Add each node's value to its ancestors', in place."""
    parents = layout.parents
    for node in range(len(values) - 1, 0, -1):
        if value := values[node]:
            values[parents[node]] += value


def find_groups(layout: Layout, paths: Sequence[str], ends: Sequence[int]) -> Groups:
    """Return which nodes of a page stand in groups.

    :param ends: for each node the index after the last one in it.

    Cost: some running totals over the nodes, and a look at the children of each element with links.
    """
    links, leads = _Sums(layout.links, ends), _Sums(layout.leads, ends)
    weights: _Sums | None = None
    in_template, in_leads = [False] * len(paths), [False] * len(paths)
    for parent, children in _parents_with_links(layout.parents, links.totals, ends):
        if in_template[parent] and in_leads[parent]:
            continue  # all in it is in a group anyway
        for name, nodes in _alike(parent, children, paths, ends):
            leading = _carry(nodes, leads)
            templated = name not in TEXT_TAGS and (leading or _carry(nodes, links))
            if not (leading or templated):
                continue
            if weights is None:
                weights = _Sums(_weights(layout), ends)
            if _are_even(nodes, weights):
                if templated:
                    _mark(in_template, nodes, ends)
                if leading:
                    _mark(in_leads, nodes, ends)
    return Groups(tuple(in_template), tuple(in_leads))


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


def _weights(layout: Layout) -> list[int]:
    found = [0] * len(layout.steps)
    for block in layout.blocks:  # parting it in four, as it is no plain tuple, would take half as long again
        found[block.node] += block.weight
    return found


def _carry(nodes: _Siblings, links: _Sums) -> bool:
    """Return whether enough of some siblings have one of these links in them."""
    size = len(nodes)
    return size - links.of(nodes).count(0) >= LINKED * size


def _are_even(nodes: _Siblings, weights: _Sums) -> bool:
    """Return whether none of some siblings holds nearly all of their text."""
    heavy = weights.of(nodes)
    return max(heavy) <= HEAVIEST * sum(heavy)


def _mark(flags: list[bool], nodes: _Siblings, ends: Sequence[int]) -> None:
    if isinstance(nodes, range):
        flags[nodes.start : nodes.stop] = [True] * len(nodes)
    else:
        mark(flags, nodes, ends)


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


def _parents_with_links(
    parents: Sequence[int], links: Sequence[int], ends: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the nodes with children and links enough for a group, and how many children; outer first."""
    return [
        (parent, children)
        for parent, children in Counter(parents).items()
        if children >= SIZE and parent >= 0 and links[ends[parent]] - links[parent] >= _LEAST_LINKS
    ]


def _alike(
    parent: int, children: int, paths: Sequence[str], ends: Sequence[int]
) -> Iterator[tuple[str, _Siblings]]:
    """Yield siblings by what they have in common: the same step, or a class and what stands in them.

    Of the comments of a page some are the author's, or odd ones.

    :param children: how many children the parent has.
    """
    child, end = parent + 1, ends[parent]
    if end - child == children and paths[child:end].count(paths[child]) == children:
        if step := _group_step(paths[child]):  # entries of a menu, mostly
            yield step, range(child, end)
        return
    same: dict[str, list[int]] = defaultdict(list)
    while child < end:  # not by children_of: this is the hottest loop of all
        same[paths[child]].append(child)
        child = ends[child]
    for path, alike in same.items():
        if len(alike) >= SIZE and (step := _group_step(path)):
            yield step, alike
    if len(same) == 1:
        return
    for name, kinds in _shared_classes(tuple(same)):
        alike = [node for path in kinds for node in same[path]]
        if len(alike) >= SIZE and _share_a_child(alike, paths, ends):
            yield name, alike


@lru_cache(maxsize=16384)
def _group_step(path: str) -> str:
    """Return a path's last step if its elements may be a group, else the empty string."""
    return "" if tag_of(path) in _NEVER else last_step(path)


@lru_cache(maxsize=16384)
def _shared_classes(siblings: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the classes that several paths of siblings have, with these; none that is a whole step."""
    steps = {last_step(path): path for path in siblings}
    classed: dict[str, list[str]] = defaultdict(list)
    for step, path in steps.items():
        tag, *classes = step.split(".")
        if _group_step(path):
            for name in dict.fromkeys(classes):
                classed[f"{tag}.{name}"].append(path)
    shared = ((name, tuple(paths)) for name, paths in classed.items() if len(paths) > 1)
    return tuple((name, paths) for name, paths in shared if name not in steps)


def _share_a_child(nodes: Sequence[int], paths: Sequence[str], ends: Sequence[int]) -> bool:
    """Return whether most of some nodes have a child of the same kind."""
    kinds = ({last_step(paths[child]) for child in children_of(node, ends)} for node in nodes)
    shared = Counter(step for steps in kinds for step in steps)
    return max(shared.values(), default=0) >= LINKED * len(nodes)


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
