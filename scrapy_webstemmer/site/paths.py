"""Paths of elements, sums over the subtrees of a page, and the records that a template made from a list."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from ..html.tags import HEADINGS, TEXT_TAGS
from ..values import Layout, Step

#: The places of a title outside the page's blocks.
TITLE_ELEMENT, OG_TITLE = "head/title", "head/og:title"


# --- Read what a path tells: its last step, its tag, its ancestors

#: Bound: with more ancestors than this, looking up the steps of a path takes less time than comparing each
#: of them.
_MANY = 50


@lru_cache(maxsize=16_384)
def last_step(path: str) -> str:
    """Return a path's last step.

    >>> last_step("body/div#main/ul.list")
    'ul.list'
    """
    return path.rpartition("/")[2]


@lru_cache(maxsize=16_384)
def tag_of(path: str) -> str:
    """Return the tag of a path's last step.

    >>> tag_of("body/div#main/ul.list")
    'ul'
    """
    return last_step(path).partition(".")[0].partition("#")[0]


def above(path: str) -> Iterator[str]:
    """Yield the paths of an element's ancestors, inner ones first.

    >>> list(above("body/div#main/ul.list"))
    ['body/div#main', 'body']
    """
    while path := path.rpartition("/")[0]:
        yield path


def is_under(path: str, ancestor: str) -> bool:
    """Return whether a path is the ancestor's path or leads through it."""
    return path == ancestor or path.startswith(ancestor + "/")


def under_any(ancestors: Iterable[str]) -> Callable[[str], bool]:
    """Return a function that tells whether a path is under one of some ancestors (:func:`is_under`).

    >>> within = under_any(["body/nav", "body/div.ads"])
    >>> within("body/nav/ul"), within("body/div.ads"), within("body/div")
    (True, True, False)

    Cost: a comparison with each ancestor; of many, a look-up for each step of a path.
    """
    known = [*ancestors]
    if len(known) > _MANY:
        first = first_above(known)
        return lambda path: bool(first(path))
    beginnings = tuple([f"{one}/" for one in known])
    return lambda path: f"{path}/".startswith(beginnings)


def first_above(ancestors: Sequence[str]) -> Callable[[str], str]:
    """Return a function that returns the first of some ancestors that a path is under; empty: there is none.

    >>> of = first_above(["body/nav", "body/div.ads"])
    >>> of("body/nav/ul"), of("body/div")
    ('body/nav', '')

    Cost: a look-up for each step of a path, however many ancestors there are.
    """
    order = {one: number for number, one in reversed([*enumerate(ancestors)])}

    def first(path: str) -> str:
        return min((one for one in (path, *above(path)) if one in order), key=order.__getitem__, default="")

    return first


def bare(path: str) -> str:
    """Return a path without ids and classes.

    >>> bare("body/div#main/ul.list")
    'body/div/ul'
    """
    return "/".join(map(tag_of, path.split("/")))


@lru_cache(maxsize=65536)
def coarse(path: str) -> str:
    """Return a path without the bare tags of running text at its end.

    Two articles of one template differ if one author used a list and the other a
    quotation, but the element that holds the text is the same.

    >>> coarse("body/article.post/blockquote/p")
    'body/article.post'
    >>> coarse("body/ul.menu/li")
    'body/ul.menu'
    """
    steps = path.split("/")
    while len(steps) > 1 and steps[-1] in TEXT_TAGS:
        steps.pop()
    return "/".join(steps)


# --- Give each element of a site its path

#: Bound: an element nested deeper than this has the path of its nearest ancestor that is not.
MAX_DEPTH = 100

#: Bound: the most pairs of path and element that are kept: memory must stay bounded in a crawl of months.
MAX_INTERNED = 50_000

#: Bound: a longer id or class says nothing about a template. On 60 real sites the longest has 113
#: characters.
MAX_NAME = 200

#: Bound: in a path that would be longer, an element has its tag alone. On the same sites the longest has
#: 2,154 characters. A page has a path for each of its places, so without a limit a few long names take the
#: memory.
MAX_PATH = 2_500

_WHOLE = frozenset({"html", "body"})

#: A number in a class or id.
DIGITS = re.compile(r"\d+")


#: For each element below a path: the element's own path, and the same table for the elements below it.
_Below: TypeAlias = "dict[Step, tuple[str, _Below]]"


class Paths:
    """The paths of a site's elements: names of block-level ancestors, joined by ``/``.

    Names and paths are interned as an automaton. An element that was seen before
    below its parent's path costs one look-up in the table of that path.
    """

    #: How many pairs of path and element are kept.
    most = MAX_INTERNED

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._vocabulary = vocabulary
        self._forget()

    def _forget(self) -> None:
        self._top: _Below = {}
        #: Each path with its table of elements below it; elements with the same path share one table.
        self._known: dict[str, tuple[str, _Below]] = {}
        #: The names of elements in paths.
        self._names: dict[Step, str] = {}
        self._size = 0

    def of(self, layout: Layout) -> tuple[str, ...]:
        """Return the path of each node of a layout."""
        self.make_room()
        places: list[tuple[str, _Below]] = []
        top = self.top()
        for step, parent in zip(layout.steps, layout.parents, strict=True):
            above = places[parent] if parent >= 0 else top
            places.append(above[1].get(step) or self.intern(above, step))
        return tuple([path for path, _ in places])

    def make_room(self) -> None:
        """Forget all paths if there are too many of them."""
        if self._size > self.most:
            self._forget()

    def top(self) -> tuple[str, _Below]:
        """Return the path of no element, and the table of the elements below it."""
        return "", self._top

    def intern(self, above: tuple[str, _Below], step: Step) -> tuple[str, _Below]:
        """Add an element below another one; return its path, with the table of the elements below it."""
        self._size += 1
        path = self._join(above[0], step)
        found = self._known.get(path)
        if found is None:
            found = self._known[path] = path, {}
        above[1][step] = found
        return found

    def _join(self, above: str, step: Step) -> str:
        if above.count("/") >= MAX_DEPTH:
            return above
        name = self._names.get(step)
        if name is None:
            name = self._names[step] = self._name(step)
        path = f"{above}/{name}" if above else name
        return path if len(path) <= MAX_PATH else f"{above}/{step.tag}"

    def _name(self, step: Step) -> str:
        """Return the tag with its telling attributes: a known id, else the known classes."""
        tag, vocabulary = step.tag, self._vocabulary
        if step.id and tag not in HEADINGS and f"{tag}#{step.id}" in vocabulary:
            return f"{tag}#{_without_slash(step.id)}"
        known = sorted([name for name in step.classes if f"{tag}.{name}" in vocabulary])
        return ".".join([tag, *map(_without_slash, known)])


class OwnPaths(Paths):
    """Paths by an element's id, or else all its classes, for pages of a site whose vocabulary is not known.

    Digits are folded, and ``html`` and ``body`` have no names: both would differ from page to page of one
    template.
    """

    most = 5_000  # few, since many elements are on one page only

    def __init__(self) -> None:
        super().__init__({})

    def _name(self, step: Step) -> str:
        if step.tag in _WHOLE:
            return step.tag
        if 0 < len(step.id) <= MAX_NAME and step.tag not in HEADINGS:
            return f"{step.tag}#{_folded(step.id)}"
        return ".".join([step.tag, *sorted({_folded(n) for n in step.classes if len(n) <= MAX_NAME})])


def _folded(value: str) -> str:
    return _without_slash(DIGITS.sub("0", value))


def tokens_of(step: Step) -> list[str]:
    """Return an element's attribute values, ``tag.class`` and ``tag#id``."""
    tokens = [f"{step.tag}.{name}" for name in step.classes if len(name) <= MAX_NAME]
    if 0 < len(step.id) <= MAX_NAME and step.tag not in HEADINGS:
        tokens.append(f"{step.tag}#{step.id}")
    return tokens


def _without_slash(value: str) -> str:
    """Replace the sign that separates the steps of a path."""
    return value.replace("/", "|")


# --- Work with the nodes in an element: they are a range, since nodes are numbered in the order of the page
#
# So the sum over all nodes in an element is the difference of two running totals, and one pass over a page
# serves all its elements.
#
# Find repeated records: like siblings with links, such as teasers, comments, entries of a menu or a list.
#
# One template made them from a list of things. So they have the same path under the same parent, and none of
# them holds nearly all of their text.


def ends_of(parents: Sequence[int]) -> list[int]:
    """Return for each node the index after the last node in it.

    >>> ends_of([-1, 0, 1, 0])
    [4, 3, 3, 4]
    """
    ends = list(range(1, len(parents) + 1))
    for node in range(len(parents) - 1, 0, -1):
        parent = parents[node]
        if ends[parent] < ends[node]:  # the loop meets the last child first
            ends[parent] = ends[node]
    return ends


def add_up(parents: Sequence[int], values: list[float]) -> None:
    """Add each node's value to those of all nodes around it, in place.

    It is for values that are not whole numbers: differences of their running totals would not be exact.
    """
    for node in range(len(values) - 1, 0, -1):
        if value := values[node]:
            values[parents[node]] += value


def running_totals(values: Iterable[int]) -> list[int]:
    """Return the sum of the values before each node, and the sum of all, as :func:`sum_in` needs them."""
    return list(accumulate(values, initial=0))


def sum_in(totals: Sequence[int], ends: Sequence[int], node: int) -> int:
    """Return the sum of a node's value and those of all nodes in it."""
    return totals[ends[node]] - totals[node]


def any_in(nodes: Sequence[int], first: int, end: int) -> bool:
    """Return whether one of some sorted nodes is in the range from ``first`` to before ``end``.

    Cost: a binary search.
    """
    at = bisect_left(nodes, first)
    return at < len(nodes) and nodes[at] < end


def children_of(node: int, ends: Sequence[int]) -> Iterator[int]:
    """Yield the children of a node in the order of the page."""
    child, end = node + 1, ends[node]
    while child < end:
        yield child
        child = ends[child]


def mark(flags: list[bool], nodes: Iterable[int], ends: Sequence[int]) -> None:
    """Set the flags of some nodes and of all nodes in them, in place. Siblings in a row are set at once."""
    start = end = 0
    for node in nodes:
        if node != end:
            flags[start:end] = [True] * (end - start)
            start = node
        end = ends[node]
    flags[start:end] = [True] * (end - start)


#: Records are at least this many siblings.
SIZE = 3
#: At least this share of them have a link.
LINKED = 0.8
_LEAST_LINKS = LINKED * SIZE
#: The heaviest of them holds at most this share of their text: rows of a page are not records.
HEAVIEST = 0.7

_NEVER = frozenset({"p", "td", "th"})


class Records(NamedTuple):
    """Flags that tell for each node whether it is a record, or stands in one.

    :param templated: records with links that the template made. Bare list items and rows are the author's,
        and are not among them.
    :param leading: records that lead to other pages of the site, whether the template or an author made them.
    """

    templated: tuple[bool, ...]
    leading: tuple[bool, ...]


class _Sums:
    """Sums of a value over all nodes in a node, computed on demand."""

    __slots__ = ("_ends", "totals")

    def __init__(self, values: Sequence[int], ends: Sequence[int]) -> None:
        self._ends, self.totals = ends, running_totals(values)

    def of(self, nodes: Sequence[int]) -> Sequence[int]:
        """Return the sums of some siblings."""
        ends, totals = self._ends, self.totals
        return [totals[ends[node]] - totals[node] for node in nodes]


class _Sections:
    """Tells an author's sections, each under its own heading, from records that the template made.

    Headings of records are links, or stand in links. Where records lead to other pages of the site, each link
    in or beside a heading counts as one around it: they are teasers. Elsewhere a bare link beside a heading
    is the author's, if it has a text. Without a text it may lie over the whole record.
    """

    def __init__(self, layout: Layout, ends: Sequence[int]) -> None:
        self._layout, self._ends = layout, ends

    def among(self, nodes: Sequence[int], *, leading: bool) -> bool:
        """Return whether most of some siblings are sections. Cost: a binary search for each.

        :param leading: whether they lead to other pages of the site.
        """
        headings, ends = self._bare if leading else self._plain, self._ends
        return bool(headings) and sum(any_in(headings, n, ends[n]) for n in nodes) >= LINKED * len(nodes)

    @cached_property
    def _bare(self) -> list[int]:
        """The headings without a link in them or beside them."""
        links, parents, ends = self._layout.links, self._layout.parents, self._ends
        return [
            node
            for node, step in enumerate(self._layout.steps)
            if step.tag in HEADINGS and not any(links[node : ends[node]]) and not links[parents[node]]
        ]

    @cached_property
    def _plain(self) -> list[int]:
        """The headings of whose text half or more is outside links, with bare links beside them at most."""
        steps, parents, links = self._layout.steps, self._layout.parents, self._layout.links
        linked = {node for node, _, weight, plain in self._layout.blocks if weight > plain}
        found = {
            node
            for node, _, weight, plain in self._layout.blocks
            if steps[node].tag in HEADINGS
            and plain
            and 2 * plain >= weight
            and (not links[parents[node]] or parents[node] in linked)
        }
        return sorted(found)


def find_records(layout: Layout, paths: Sequence[str], ends: Sequence[int]) -> Records:
    """Return which nodes of a page are records or stand in records.

    :param paths: the path of each node.
    :param ends: for each node the index after the last node in it.

    Cost: some running totals over the nodes, and a look at the children of each element with links.
    """
    links, leads = _Sums(layout.links, ends), _Sums(layout.leads, ends)
    weights: _Sums | None = None
    sections = _Sections(layout, ends)
    in_template, in_leads = [False] * len(paths), [False] * len(paths)
    for parent, children in _parents_with_links(layout.parents, links.totals, ends):
        if in_template[parent] and in_leads[parent]:
            continue  # all its children are in a record anyway
        for name, nodes in _alike(parent, children, paths, ends):
            leading = _carry(nodes, leads)
            templated = name not in TEXT_TAGS and (leading or _carry(nodes, links))
            if not (leading or templated):
                continue
            if weights is None:
                weights = _Sums(_weights(layout), ends)
            if _are_even(nodes, weights):
                if templated and not sections.among(nodes, leading=leading):
                    mark(in_template, nodes, ends)
                if leading:
                    mark(in_leads, nodes, ends)
    return Records(tuple(in_template), tuple(in_leads))


def _weights(layout: Layout) -> list[int]:
    found = [0] * len(layout.steps)
    for block in layout.blocks:  # unpacking a named tuple would take half as long again
        found[block.node] += block.weight
    return found


def _carry(nodes: Sequence[int], links: _Sums) -> bool:
    """Return whether enough of some siblings have one of these links."""
    size = len(nodes)
    return size - links.of(nodes).count(0) >= LINKED * size


def _are_even(nodes: Sequence[int], weights: _Sums) -> bool:
    """Return whether none of some siblings holds nearly all of their text."""
    heavy = weights.of(nodes)
    return max(heavy) <= HEAVIEST * sum(heavy)


def _parents_with_links(
    parents: Sequence[int], links: Sequence[int], ends: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the nodes with enough children and links for records, and how many children; outer first."""
    return [
        (parent, children)
        for parent, children in Counter(parents).items()
        if children >= SIZE and parent >= 0 and links[ends[parent]] - links[parent] >= _LEAST_LINKS
    ]


def _alike(
    parent: int, children: int, paths: Sequence[str], ends: Sequence[int]
) -> Iterator[tuple[str, Sequence[int]]]:
    """Yield groups of like siblings, each with its common step, or with its common class.

    Most siblings with a common class must also have a child of the same kind. Comments are an example: some
    are marked as the author's, or as odd or even.

    :param children: how many children the parent has.
    """
    child, end = parent + 1, ends[parent]
    if end - child == children and paths[child:end].count(paths[child]) == children:
        if step := _record_step(paths[child]):  # mostly entries of a menu
            yield step, range(child, end)
        return
    same: dict[str, list[int]] = defaultdict(list)
    while child < end:  # without children_of: this is the hottest loop of all
        same[paths[child]].append(child)
        child = ends[child]
    for path, alike in same.items():
        if len(alike) >= SIZE and (step := _record_step(path)):
            yield step, alike
    if len(same) == 1:
        return
    for name, kinds in _shared_classes(tuple(same)):
        alike = [node for path in kinds for node in same[path]]
        if len(alike) >= SIZE and _share_a_child(alike, paths, ends):
            yield name, alike


@lru_cache(maxsize=16384)
def _record_step(path: str) -> str:
    """Return a path's last step if its elements may be records, else the empty string."""
    return "" if tag_of(path) in _NEVER else last_step(path)


@lru_cache(maxsize=16384)
def _shared_classes(siblings: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the classes that several paths of siblings share, each with these paths.

    A class is left out if it is the whole step of a sibling.
    """
    steps = {last_step(path): path for path in siblings}
    classed: dict[str, list[str]] = defaultdict(list)
    for step, path in steps.items():
        tag, *classes = step.split(".")
        if _record_step(path):
            for name in dict.fromkeys(classes):
                classed[f"{tag}.{name}"].append(path)
    shared = ((name, tuple(paths)) for name, paths in classed.items() if len(paths) > 1)
    return tuple((name, paths) for name, paths in shared if name not in steps)


def _share_a_child(nodes: Sequence[int], paths: Sequence[str], ends: Sequence[int]) -> bool:
    """Return whether most of some nodes have a child of the same kind."""
    kinds = ({last_step(paths[child]) for child in children_of(node, ends)} for node in nodes)
    shared = Counter(step for steps in kinds for step in steps)
    return max(shared.values(), default=0) >= LINKED * len(nodes)
