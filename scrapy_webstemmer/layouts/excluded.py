"""What in a container is not main text: share bars, advertisements, related lists, comments.

Judged by a cluster's statistics, never by words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress, count
from statistics import fmean
from typing import NamedTuple

from ..blocks.tags import HEADINGS, TEXT_TAGS
from ..values import Block
from .boilerplate import BoilerplateKey, keys_of
from .dates import is_date_line
from .paths import above, coarse, is_under, tag_of, under_any
from .placed import PlacedLayout
from .subtrees import any_in, running_totals

__all__ = ["MOST_PATHS", "excluded_on", "find_excluded", "find_excluded_on"]

#: Paths of which is kept what they are in a container, in each of 64; a crawl of months must not grow.
MOST_PATHS = 5_000

#: Share of an element's text that is boilerplate, from which on it is boilerplate on a page ...
_BOILERPLATE = 0.4
#: ... and share of the pages with it on which it is, from which on it is so for the cluster.
_PAGES = 0.6
#: What holds more of the container's mass than this is no boilerplate, whatever else is in it.
_MASS = 0.3
#: A text is one of a few (four advertisements) if this share of the pages with its element has it.
_FEW = 0.1

_NOTHING = (0, 0, 0)
#: Bare elements of running text are the author's; only bare lists and tables as a whole are judged.
_AUTHORS = TEXT_TAGS - {"ul", "ol", "dl", "table"}


class _Part(NamedTuple):
    """What a page has in the container.

    :param inner: the numbers of its blocks there.
    :param keys: the texts of those that may be one of a few.
    """

    page: PlacedLayout
    inner: Sequence[int]
    keys: Mapping[int, BoilerplateKey]


def find_excluded(pages: Sequence[PlacedLayout], container: str) -> tuple[str, ...]:
    """Return the paths under a container that hold no main text.

    On most pages that have such a path, much of its text is boilerplate, one of a few
    texts, in links, or in repeated records with links; and the path does
    not hold much of the container's mass. Cost: linear in the number of nodes.
    """
    places = _places_in(container)
    parts = [_part(page, places) for page in pages]
    few = _few_texts(parts, places)
    seen: dict[str, list[bool]] = defaultdict(list)
    for part in parts:
        judged = {path for path in set(part.page.paths) if places[path].judged}
        for path, verdict in _verdicts(part, places.container, _sums(part, places, few), judged):
            seen[path].append(verdict)
    least = min(2, len(pages))
    return _outermost({p for p, flags in seen.items() if len(flags) >= least and fmean(flags) >= _PAGES})


def find_excluded_on(page: PlacedLayout, container: str, new: Callable[[str], bool]) -> tuple[str, ...]:
    """Return what :func:`find_excluded` finds on a single page, as far as it is new.

    :param new: whether a path is of interest.

    Cost: a look at each of the page's paths, and no more if none is of interest.
    """
    places = _places_in(container)
    wanted = {path for path in set(page.paths) if new(path) and places[path].judged}
    wanted = _with_text(page, wanted) if wanted else wanted
    if not wanted:
        return ()
    part = _part(page, places, keyed=False)  # a text of one page is not one of a few
    sums = _sums(part, places, set())
    found = {path for path, verdict in _verdicts(part, container, sums, wanted) if verdict}
    if not found:
        return ()
    around = {other for path in found for other in above(path) if places[other].judged}
    whole = {path for path, verdict in _verdicts(part, container, sums, around) if verdict}
    return tuple(path for path in _outermost(found | whole) if path in found)


def excluded_on(page: PlacedLayout, inside: Sequence[bool], excluded: Sequence[str]) -> Sequence[str]:
    """Return the excluded paths without those that hold the text of this page, whatever they hold on others.

    Such a part has much of the text in the container, most of it outside links and records. One with a line
    that tells a date is a single comment all the same.

    :param inside: for each node whether it stands in the container.
    :param excluded: what the page's pattern excludes.
    """
    within = under_any(excluded)
    roots = {
        path: next(root for root in excluded if is_under(path, root))
        for path in set(page.places)
        if within(path)
    }
    if not roots:
        return excluded
    blocks, places, repeated = page.layout.blocks, page.places, page.repeated
    new = [n for n, boilerplate in enumerate(page.boilerplate) if not boilerplate and inside[blocks[n].node]]
    much = _MASS * sum([blocks[n].plain for n in new if not repeated[blocks[n].node]])
    held: dict[str, list[Block]] = defaultdict(list)
    for number in new:
        if root := roots.get(places[number]):
            held[root].append(blocks[number])
    return [root for root in excluded if root not in held or not _is_text(held[root], repeated, much)]


def _is_text(blocks: Sequence[Block], repeated: Sequence[bool], much: float) -> bool:
    """Return whether an excluded part is more text than that, most of it outside links and records."""
    single = [block for block in blocks if not repeated[block.node]]
    plain = sum([block.plain for block in single])
    if plain <= much or plain < (1 - _BOILERPLATE) * sum([block.weight for block in blocks]):
        return False
    return not any(map(is_date_line, single))


def _with_text(page: PlacedLayout, paths: Collection[str]) -> set[str]:
    """Return those of some paths that a page has text at: many elements have nothing but a script in them."""
    texts = sorted([block.node for block in page.layout.blocks])
    return {page.paths[node] for node in _nodes_at(page, paths) if any_in(texts, node, page.ends[node])}


def _nodes_at(page: PlacedLayout, paths: Collection[str]) -> Iterator[int]:
    """Return the nodes at some paths; cost: a look-up a node."""
    return compress(count(), map(paths.__contains__, page.paths))


def _outermost(paths: set[str]) -> tuple[str, ...]:
    return tuple(sorted(path for path in paths if paths.isdisjoint(above(path))))


class _Place(NamedTuple):
    """What a path is in a container.

    :param inside: whether it leads through the container, or to it.
    :param judged: whether it is judged by itself.
    :param element: the element of the template there, empty if that is the container.
    :param item: whether it is one of a list.
    """

    inside: bool
    judged: bool = False
    element: str = ""
    item: bool = False


class _Places(dict[str, _Place]):
    """What each path is in one container, looked at once: the pages of a cluster share their paths."""

    def __init__(self, container: str) -> None:
        super().__init__()
        self.container = container

    def __missing__(self, path: str) -> _Place:
        if len(self) > MOST_PATHS:
            self.clear()
        found = self[path] = self._look_at(path)
        return found

    def _look_at(self, path: str) -> _Place:
        container = self.container
        if not is_under(path, container):
            return _Place(inside=False)
        element = coarse(path)
        judged = path != container and not _authors(path, container)
        return _Place(
            inside=True,
            judged=judged,
            element="" if element == container else element,
            item=tag_of(path) == "li",
        )


@lru_cache(maxsize=64)
def _places_in(container: str) -> _Places:
    """Return what is kept from page to page of a container."""
    return _Places(container)


def _authors(path: str, container: str) -> bool:
    """Return whether a path is judged as a part of what encloses it only: running text, and its headings."""
    parent, _, step = path.rpartition("/")
    tag = tag_of(step)
    return (
        step in _AUTHORS
        or tag == "pre"
        or tag_of(parent) == "li"
        or (tag in HEADINGS and parent == container)
    )


def _part(page: PlacedLayout, places: _Places, keyed: bool = True) -> _Part:
    """Return what a page has in the container.

    :param keyed: whether the texts are asked for by which a block may be one of a few.
    """
    inside = {path for path in set(page.places) if places[path].inside}
    inner = [number for number, path in enumerate(page.places) if path in inside]
    keys = _keys(page, {path for path in inside if places[path].element}) if keyed else {}
    return _Part(page, inner, keys)


def _keys(page: PlacedLayout, paths: Collection[str]) -> dict[int, BoilerplateKey]:
    """Return the texts of the blocks at some paths that may be one of a few."""
    blocks = zip(page.places, page.boilerplate, strict=True)
    varying = [
        number for number, (path, boilerplate) in enumerate(blocks) if path in paths and not boilerplate
    ]
    texts = [page.layout.blocks[number].text for number in varying]
    return dict(zip(varying, keys_of(texts, [page.places[n] for n in varying], page.title), strict=True))


def _few_texts(parts: Sequence[_Part], places: _Places) -> set[BoilerplateKey]:
    """Return the texts that a fair share of the cluster's pages with their element of the template have.

    What stands in the container itself is the author's.
    """
    counts: Counter[BoilerplateKey] = Counter()
    present: Counter[str] = Counter()
    for part in parts:
        counts.update(set(part.keys.values()))
        here = {part.page.places[number] for number in part.inner}
        present.update({places[path].element for path in here})
    return {key for key, number in counts.items() if number >= max(2, _FEW * present[places[key[0]].element])}


#: Running totals over a page's nodes, of text in the container: the weight of boilerplate, the weight, and
#: the mass without records.
_Sums = tuple[list[int], list[int], list[int]]


def _verdicts(
    part: _Part, container: str, sums: _Sums, judged: Collection[str]
) -> Iterator[tuple[str, bool]]:
    """Yield those paths at which a page has text in the container, and whether they are boilerplate."""
    paths, ends = part.page.paths, part.page.ends
    bad, text, mass = sums
    totals: dict[str, tuple[int, int, int]] = {}
    whole = 0
    for node in _nodes_at(part.page, {*judged, container}):
        path = paths[node]
        if path == container:
            whole = max(whole, mass[ends[node]] - mass[node])
        elif weight := text[end := ends[node]] - text[node]:
            a, b, c = totals.get(path, _NOTHING)
            totals[path] = a + bad[end] - bad[node], b + weight, c + mass[end] - mass[node]
    for path, (bad_weight, weight, kept) in totals.items():
        yield path, bad_weight > _BOILERPLATE * weight and kept <= _MASS * whole


def _sums(part: _Part, places: _Places, few: set[BoilerplateKey]) -> _Sums:
    page = part.page
    boilerplate, blocks, repeated = page.boilerplate, page.layout.blocks, page.repeated
    recurring = {number for number, key in part.keys.items() if key in few} if few else set()
    bad, text, mass = ([0] * len(page.paths) for _ in range(3))
    for number in part.inner:
        node, _, weight, plain = blocks[number]
        text[node] += weight
        if boilerplate[number]:
            bad[node] += weight
            continue
        in_record = repeated[node]
        if not in_record:
            mass[node] += plain
        refused = (in_record and not places[page.places[number]].item) or number in recurring
        bad[node] += weight if refused else weight - plain
    return running_totals(bad), running_totals(text), running_totals(mass)
