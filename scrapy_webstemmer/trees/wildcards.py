"""Compose the pages of a cluster into a pattern with wildcards, and match pages with it (ne-patterns).

Source: Reis and others 2004, steps 2 and 3. A pattern is a tree whose leaves may be wildcards: ``$`` stands
for one subtree, ``+`` for one or more siblings, ``?`` for one subtree or none, ``*`` for any number of
siblings.

What the paper leaves open, and what is done here:

- A page is mapped on a pattern with the costs of two pages. A wildcard takes what it stands for at no cost.
- The pages are composed in the order of their urls. The caller gives it.
- Wildcards that are siblings side by side become one: ``+`` if one of them is required, else ``*``. So do
  paragraphs (``p``) that hold nothing but wildcards: an author writes as many as the text takes, and without
  this rule each paragraph would be a passage of its own. Several ``$`` alone stay as they are.
- An optional node without a partner never becomes required again: f(``?``, node) is ``?``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import inf
from typing import NamedTuple, TypeAlias

from .edit_distance import MAX_CELLS, Costs, map_trees
from .layout_trees import TEXT, Node, Tree, count_paths

#: The wildcards for one subtree, and for siblings.
_FOR_SUBTREE, _FOR_SIBLINGS = frozenset({"$", "?"}), frozenset({"+", "*"})
WILDCARDS = _FOR_SUBTREE | _FOR_SIBLINGS
_OPTIONAL = frozenset({"?", "*"})

#: A node of the pattern and one of the page, of which one may be missing; and the parent's new number.
_Item: TypeAlias = tuple[int | None, int | None, int]


class PatternMatch(NamedTuple):
    """How a pattern accepts a page.

    :param cost: the number of optional wildcards that take nothing.
    :param passages: for each wildcard that takes text, its texts, both in the order of the page.
    """

    cost: int
    passages: tuple[tuple[str, ...], ...]


def compose_labels(a: str, b: str) -> str:
    """Return the label that stands for two labels: the table f of the paper. It is symmetric.

    A wildcard stands for siblings if one of the two does, and is optional if one of them is.
    """
    if a == b:
        return a
    wild = {a, b} & WILDCARDS
    if wild.isdisjoint(_FOR_SIBLINGS):
        return "$" if wild.isdisjoint(_OPTIONAL) else "?"
    return "+" if wild.isdisjoint(_OPTIONAL) else "*"


def compose(pattern: Tree, page: Tree, cells: int = MAX_CELLS) -> Tree | None:
    """Return the pattern that accepts all that a pattern accepts, and a page.

    :param pattern: a pattern, or a page to begin with.
    :return: None if the mapping takes too many cells.

    Cost: one mapping, and linear in the nodes.
    """
    costs = Costs(pattern.sizes, page.sizes, *_wild(pattern))
    mapping = map_trees(pattern, page, cells=cells, costs=costs)
    if mapping is None:
        return None
    partners: dict[int, list[int]] = defaultdict(list)
    for node, partner in mapping.pairs:
        partners[node].append(partner)
    return _merged(_composed(pattern, page, partners))


def _wild(tree: Tree) -> tuple[frozenset[int], frozenset[int]]:
    """Return the nodes that are wildcards for one subtree, and those for siblings."""
    single = frozenset(node for node, name in enumerate(tree.names) if name in _FOR_SUBTREE)
    return single, frozenset(node for node, name in enumerate(tree.names) if name in _FOR_SIBLINGS)


def _composed(pattern: Tree, page: Tree, partners: Mapping[int, Sequence[int]]) -> Tree:
    nodes: list[Node] = []
    todo: list[_Item] = [(0, 0, -1)]
    while todo:
        i, j, parent = todo.pop()
        a = "?" if i is None else pattern.labels[i]
        b = "?" if j is None else page.labels[j]
        label = compose_labels(a, b)
        if i is None or j is None or label in WILDCARDS:
            nodes.append((label, "", parent))
            continue
        below = list(_aligned(pattern.children[i], page.children[j], partners))
        todo += [(*pair, len(nodes)) for pair in reversed(below)]
        nodes.append((pattern.names[i], pattern.texts[i], parent))
    return Tree.of(nodes)


def _aligned(
    ours: Sequence[int], theirs: Sequence[int], partners: Mapping[int, Sequence[int]]
) -> Iterator[tuple[int | None, int | None]]:
    """Yield the children of two mapped nodes in their order, each with its first partner or None."""
    waiting = list(reversed(theirs))
    for node in ours:
        taken = partners.get(node, ())
        while taken and waiting[-1] != taken[0]:
            yield None, waiting.pop()
        yield node, taken[0] if taken else None
        del waiting[len(waiting) - len(taken) :]
    yield from ((None, node) for node in reversed(waiting))


def _merged(tree: Tree) -> Tree:
    """Return a pattern in which wildcards and plain paragraphs side by side are one wildcard."""
    nodes: list[Node] = []
    todo: list[tuple[int, str, int]] = [(0, "", -1)]
    while todo:
        node, wildcard, parent = todo.pop()
        place = len(nodes)
        nodes.append((wildcard or tree.names[node], tree.texts[node], parent))
        if wildcard:
            continue
        below: list[tuple[int, str, int]] = []
        for plain, run in groupby(tree.children[node], lambda child: _is_plain(tree, child)):
            members = list(run)
            merged = _merge([tree.names[member] for member in members]) if plain else ""
            below += [(member, merged, place) for member in (members[:1] if merged else members)]
        todo += reversed(below)
    return Tree.of(nodes)


def _is_plain(tree: Tree, node: int) -> bool:
    """Return whether a node is a wildcard, or a paragraph with nothing but wildcards."""
    below = tree.children[node]
    paragraph = tree.names[node] == "p" and all(tree.names[child] in WILDCARDS for child in below)
    return tree.names[node] in WILDCARDS or (paragraph and bool(below))


def _merge(run: Sequence[str]) -> str:
    """Return the wildcard for a run of wildcards and plain paragraphs; empty if they stay as they are."""
    if len(run) == 1 or set(run) == {"$"}:
        return ""
    return "*" if _OPTIONAL.issuperset(run) else "+"


def match_pattern(pattern: Tree, page: Tree, most: int = MAX_CELLS) -> tuple[PatternMatch | None, int]:
    """Return how a pattern accepts a page, None if it does not; and the number of cells that it took.

    The costs are those of the paper. A pair with different labels, a node of the page without a partner, and
    a node of the pattern without one are ruled out. But ``?`` and ``*`` without a partner cost 1, and what a
    wildcard takes costs nothing.

    :param most: the most cells that it may take. If they are not enough, it took one more.

    Cost: linear for most pages that the pattern does not accept, else one mapping.
    """
    if not _may_accept(pattern, page):
        return None, 0
    lost = [1 if name in _OPTIONAL else inf for name in pattern.names]
    costs = Costs(lost, [inf] * len(page), *_wild(pattern))
    mapping = map_trees(pattern, page, cells=most, costs=costs)
    if mapping is None:
        return None, most + 1
    if mapping.distance == inf:
        return None, mapping.cells
    passages = _passages(page, mapping.pairs, costs.wild)
    return PatternMatch(int(mapping.distance), passages), mapping.cells


def _may_accept(pattern: Tree, page: Tree) -> bool:
    """Return whether a page has all nodes that a pattern requires, each under the same ancestors."""
    numbers: dict[tuple[int, str], int] = {}
    required = count_paths(pattern, numbers)
    wild = {number for (_, label), number in numbers.items() if label in WILDCARDS}
    counts = count_paths(page, numbers)
    return all(path in wild or count <= counts[path] for path, count in required.items())


def _passages(
    page: Tree, pairs: Sequence[tuple[int, int]], wild: frozenset[int]
) -> tuple[tuple[str, ...], ...]:
    passages: dict[int, list[str]] = defaultdict(list)
    for node, partner in pairs:
        if node in wild:
            passages[node] += [page.texts[leaf] for leaf in page.subtree(partner) if page.names[leaf] == TEXT]
    return tuple(tuple(texts) for texts in passages.values() if texts)
