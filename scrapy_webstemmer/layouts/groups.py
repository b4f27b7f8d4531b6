"""Groups of like siblings that carry links: teasers, comments, entries of a menu or a list.

One template made them from a list of things, so they have the same path under
the same parent, and none of them is nearly all of the group.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ..blocks.tags import TEXT_TAGS
from ..values import Block, Layout
from .paths import last_step, tag_of

__all__ = ["carrying", "grouped", "lead_paths", "sums"]

#: Siblings of which a group consists, at least.
SIZE = 3
#: Share of them that carry a link, at least.
LINKED = 0.8
#: Share of the group's text that the heaviest of them holds, at most: rows of a page are no group.
HEAVIEST = 0.7

_NEVER = frozenset({"p", "td", "th"})


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


def carrying(layout: Layout, links: Sequence[int]) -> list[bool]:
    """Return for each node whether it or a node in it has one of these links."""
    found = [count > 0 for count in links]
    parents = layout.parents
    for node in range(len(found) - 1, 0, -1):
        if found[node]:
            found[parents[node]] = True
    return found


def grouped(layout: Layout, paths: Sequence[str], links: Sequence[int], *, templated: bool) -> list[bool]:
    """Return for each node whether it, or what it stands in, belongs to a group.

    :param links: for each node the number of links that count.
    :param templated: groups of bare list items or rows are the author's, and none.
    """
    linked = carrying(layout, links)
    weights = sums(layout, lambda block: block.weight)
    found = [False] * len(paths)
    for (_, name), nodes in _like_siblings(layout, paths).items():
        if templated and name in TEXT_TAGS:
            continue
        heavy = [weights[node] for node in nodes]
        if sum(linked[node] for node in nodes) >= LINKED * len(nodes) and max(heavy) <= HEAVIEST * sum(heavy):
            for node in nodes:
                found[node] = True
    return inherited(layout, found)


def _like_siblings(layout: Layout, paths: Sequence[str]) -> dict[tuple[int, str], list[int]]:
    """Return by parent and name the siblings of one path, and those that share a class and a child.

    Of the comments of a page some are the author's, or odd ones.
    """
    steps = [last_step(path) for path in paths]
    children: dict[int, list[int]] = defaultdict(list)
    for node, parent in enumerate(layout.parents):
        children[parent].append(node)
    return {
        (parent, name): alike
        for parent, nodes in children.items()
        if len(nodes) >= SIZE
        for name, alike in _alike(nodes, steps, children)
        if len(alike) >= SIZE and tag_of(name) not in _NEVER
    }


def _alike(
    nodes: Sequence[int], steps: Sequence[str], children: Mapping[int, Sequence[int]]
) -> Iterator[tuple[str, list[int]]]:
    """Yield siblings by what they have in common: the same step, or a class and what stands in them."""
    same: dict[str, list[int]] = defaultdict(list)
    classed: dict[str, list[int]] = defaultdict(list)
    for node in nodes:
        step = steps[node]
        same[step].append(node)
        if "." in step:  # most have no class
            tag, *classes = step.split(".")
            for name in classes:
                classed[f"{tag}.{name}"].append(node)
    yield from same.items()
    for name, alike in classed.items():
        if name not in same and len(alike) >= SIZE and _share_a_child(alike, steps, children):
            yield name, alike


def _share_a_child(nodes: Sequence[int], steps: Sequence[str], children: Mapping[int, Sequence[int]]) -> bool:
    """Return whether most of some nodes have a child of the same kind."""
    shared = Counter(step for node in nodes for step in {steps[child] for child in children.get(node, ())})
    return max(shared.values(), default=0) >= LINKED * len(nodes)


def inherited(layout: Layout, flags: list[bool]) -> list[bool]:
    """Return the flags with each node's handed on to all nodes in it."""
    parents = layout.parents
    for node in range(1, len(flags)):
        if flags[parents[node]]:
            flags[node] = True
    return flags


def lead_paths(
    pages: Iterable[tuple[Layout, Sequence[str], Sequence[bool]]], least: int = 2, share: float = 0.3
) -> frozenset[str]:
    """Return the paths whose elements mostly stand in groups that lead to other pages.

    A tag page with a single entry has no group, but the site's other tag pages
    show that what stands there leads on.

    :param pages: for each page its layout, the paths of its nodes, and which of them are grouped.
    :param least: pages on which a path must be grouped, and ``share`` of those on which it carries a link.
    """
    groups: Counter[str] = Counter()
    links: Counter[str] = Counter()
    for layout, paths, flags in pages:
        groups.update({path for path, flag in zip(paths, flags, strict=True) if flag})
        found = carrying(layout, layout.leads)
        links.update({path for path, flag in zip(paths, found, strict=True) if flag})
    return frozenset(path for path, n in groups.items() if n >= least and n >= share * links[path])
