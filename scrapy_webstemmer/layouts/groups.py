"""Groups of like siblings that carry links: teasers, comments, entries of a menu or a list.

One template made them from a list of things, so they have the same path under
the same parent, and none of them is nearly all of the group.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from itertools import compress, count
from typing import NamedTuple

from ..blocks.tags import TEXT_TAGS
from ..values import Block, Layout
from .paths import last_step, tag_of
from .subtrees import children_of, mark, running_totals

__all__ = ["Groups", "find_groups", "lead_paths", "sums", "with_known_leads"]

#: Siblings of which a group consists, at least.
SIZE = 3
#: Share of them that carry a link, at least.
LINKED = 0.8
#: Share of the group's text that the heaviest of them holds, at most: rows of a page are no group.
HEAVIEST = 0.7
#: Share of an element's text that is links, from which on it is a lead wherever its path leads on.
_LINK_TEXT = 0.3

_NEVER = frozenset({"p", "td", "th"})


class Groups(NamedTuple):
    """For each node, whether it, or what it stands in, belongs to a group.

    :param templated: of siblings with links that the template made: groups of bare list items or rows are
        the author's, and none.
    :param leading: of siblings that lead to other pages of the site, whoever made them.
    """

    templated: tuple[bool, ...]
    leading: tuple[bool, ...]


class _Totals(NamedTuple):
    """Running totals over a page's nodes, and where each node ends."""

    ends: Sequence[int]
    links: Sequence[int]
    leads: Sequence[int]
    weights: Sequence[int]


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
        values[parents[node]] += values[node]


def find_groups(layout: Layout, paths: Sequence[str], ends: Sequence[int]) -> Groups:
    """Return which nodes of a page stand in groups.

    :param ends: for each node the index after the last one in it.

    Cost: some running totals over the nodes, and a look at the children of each element with links.
    """
    totals = _Totals(ends, running_totals(layout.links), running_totals(layout.leads), _weights(layout))
    in_template, in_leads = [False] * len(paths), [False] * len(paths)
    for parent in _parents_with_links(layout, totals):
        if in_template[parent] and in_leads[parent]:
            continue  # all in it is in a group anyway
        for name, nodes in _alike(parent, paths, ends):
            leading = _carry(nodes, totals.leads, ends)
            templated = name not in TEXT_TAGS and (leading or _carry(nodes, totals.links, ends))
            if (leading or templated) and _are_even(nodes, totals.weights, ends):
                if templated:
                    mark(in_template, nodes, ends)
                if leading:
                    mark(in_leads, nodes, ends)
    return Groups(tuple(in_template), tuple(in_leads))


def with_known_leads(
    found: Groups, layout: Layout, paths: Sequence[str], ends: Sequence[int], known: Collection[str]
) -> Groups:
    """Return groups with what leads to other pages elsewhere on the site, however few of it is here.

    :param known: paths that lead on wherever enough of their text is links.

    Cost: a look at the nodes at these paths, and some passes over the page if there are such.
    """
    nodes = [node for node in compress(count(), map(known.__contains__, paths)) if not found.leading[node]]
    if not nodes:
        return found
    leading = list(found.leading)
    mark(leading, _known_leads(layout, nodes, ends), ends)
    return Groups(found.templated, tuple(leading))


def _weights(layout: Layout) -> list[int]:
    found = [0] * len(layout.steps)
    for node, _, weight, _ in layout.blocks:
        found[node] += weight
    return running_totals(found)


def _carry(nodes: Sequence[int], links: Sequence[int], ends: Sequence[int]) -> bool:
    """Return whether enough of some siblings have one of these links in them."""
    return sum([links[ends[node]] > links[node] for node in nodes]) >= LINKED * len(nodes)


def _are_even(nodes: Sequence[int], weights: Sequence[int], ends: Sequence[int]) -> bool:
    """Return whether none of some siblings holds nearly all of their text."""
    heavy = [weights[ends[node]] - weights[node] for node in nodes]
    return max(heavy) <= HEAVIEST * sum(heavy)


def _known_leads(layout: Layout, nodes: Sequence[int], ends: Sequence[int]) -> Iterator[int]:
    """Yield those of some nodes that carry links to other pages, which are much of their text."""
    leads = running_totals(layout.leads)
    weights: list[int] = []
    for node in nodes:
        end = ends[node]
        if leads[end] > leads[node]:
            if not weights:
                weights, plain = _weights(layout), _plain_weights(layout)
            text = weights[end] - weights[node]
            if text - (plain[end] - plain[node]) >= _LINK_TEXT * text:
                yield node


def _plain_weights(layout: Layout) -> list[int]:
    found = [0] * len(layout.steps)
    for node, _, _, plain in layout.blocks:
        found[node] += plain
    return running_totals(found)


def _parents_with_links(layout: Layout, totals: _Totals) -> Iterator[int]:
    """Yield the nodes with children and links enough for a group, outer ones first."""
    ends, links = totals.ends, totals.links
    for parent, number in Counter(layout.parents).items():
        if number >= SIZE and parent >= 0 and links[ends[parent]] - links[parent] >= LINKED * SIZE:
            yield parent


def _alike(parent: int, paths: Sequence[str], ends: Sequence[int]) -> Iterator[tuple[str, list[int]]]:
    """Yield siblings by what they have in common: the same step, or a class and what stands in them.

    Of the comments of a page some are the author's, or odd ones.
    """
    same: dict[str, list[int]] = defaultdict(list)
    child, end = parent + 1, ends[parent]
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
    pages: Sequence[tuple[Layout, Sequence[str], Sequence[int], Sequence[bool]]],
    least: int = 2,
    share: float = 0.3,
) -> frozenset[str]:
    """Return the paths whose elements mostly stand in groups that lead to other pages.

    A tag page with a single entry has no group, but the site's other tag pages
    show that what stands there leads on.

    :param pages: for each page its layout, the paths of its nodes, where these end, and which are grouped.
    :param least: pages on which a path must be grouped, and ``share`` of those on which it carries a link.

    Cost: a pass over the nodes, and a look at those whose path is grouped somewhere.
    """
    groups: Counter[str] = Counter()
    for _, paths, _, flags in pages:
        groups.update(set(compress(paths, flags)))
    possible = {path for path, n in groups.items() if n >= least}
    links: Counter[str] = Counter()
    for layout, paths, ends, _ in pages:
        leads = running_totals(layout.leads)
        nodes = compress(count(), map(possible.__contains__, paths))
        links.update({paths[node] for node in nodes if leads[ends[node]] > leads[node]})
    return frozenset(path for path in possible if groups[path] >= share * links[path])
