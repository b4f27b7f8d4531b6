"""Find the parts of a container that are not main text: share bars, advertisements, related lists, comments.

The statistics of a cluster decide, never words. What an author puts between paragraphs is part of the
article: lists with links, an introduction that many posts share, a heading that recurs. Only what stands on
nearly every page comes from the template.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, compress, count
from statistics import fmean
from typing import NamedTuple

from ..page.days import is_date_line
from ..page.tags import HEADINGS, TEXT_TAGS
from ..page.text import boilerplate_key
from ..values import Block
from .named_parts import INSETS, is_in
from .paths import ByPath, above, coarse, first_above, is_bare, is_under, last_step, named, tag_of, under_any
from .placed import PlacedLayout
from .running_texts import data_elements, own_lines, running_elements
from .subtrees import any_in, indexes_in, running_totals

#: An element is boilerplate on a page if more than this share of its text is boilerplate.
BOILERPLATE = 0.4
#: It is boilerplate for the cluster if it is so on this share of the pages with it. An element with more than
#: the second share of the container's mass is never boilerplate.
_REFUSED_PAGES, _MOST_MASS = 0.6, 0.3
#: Texts take turns if each of them is on so many pages on average ...
_TURNS = 2
#: ... or if more than this share of what stands in the element stands on so many pages, and the element has
#: at most so many different texts for each page with it: a list of ingredients has more.
_REPEATED_SHARE, _TEXTS_A_PAGE = 0.6, 2
#: An element with so many nodes is a heading alone, and no box.
_HEADING_ALONE = 2

#: The elements that hold the article of a page, with its headline.
_HOLD_ARTICLES = frozenset({"main", "article"})
#: An author's table has one of these, and at least so many of its cells outside links.
_HEADS, _PLAIN_CELLS = frozenset({"th", "caption"}), 1 / 3

#: Bare elements of running text are the author's. Bare lists and tables are judged, but only as a whole.
_AUTHOR_TAGS = TEXT_TAGS - {"ul", "ol", "dl", "table"}


#: The texts of an element on a page, folded, each with its weight.
_Texts = list[tuple[str, int]]


def find_excluded(pages: Sequence[PlacedLayout], container: str) -> tuple[str, ...]:
    """Return the paths under a container that hold no main text.

    On most pages with such a path, much of its text is boilerplate, in links, or
    in repeated records with links. Also, the path does not hold much of the
    container's mass. Or a few texts take turns there. Cost: linear in the number of nodes.
    """
    places, flow = _places_in(container), running_elements(pages, container)
    seen = _verdicts_by_path(pages, places, flow)
    least = min(2, len(pages))
    refused = {path for path, flags in seen.items() if len(flags) >= least and fmean(flags) >= _REFUSED_PAGES}
    turning = _taking_turns(pages, places)
    refused |= {path for path in seen if places[path].part in turning}
    in_data = under_any(data_elements(pages, container))
    refused = {path for path in refused if not in_data(path)}
    return _outermost(refused - own_lines(pages, refused, flow, container) - _of_headline(pages, refused))


def _of_headline(pages: Sequence[PlacedLayout], paths: Collection[str]) -> set[str]:
    """Return those of some paths at which a ``main`` or an ``article`` holds the only ``h1`` of a page.

    The article is there, even if a dialog beside it has more text, and lists in it have most of its own.
    """
    wanted = {path for path in paths if tag_of(path) in _HOLD_ARTICLES}
    holders = set[str]()
    for page in pages if wanted else ():
        headlines = [
            path for path, step in zip(page.paths, page.layout.steps, strict=True) if step.tag == "h1"
        ]
        holders.update(above(headlines[0]) if len(headlines) == 1 else ())
    return wanted & holders


def _verdicts_by_path(
    pages: Sequence[PlacedLayout], places: _Places, flow: Collection[str]
) -> dict[str, list[bool]]:
    """Return for each path under a container that is judged its :func:`_verdicts` on the pages with it.

    :param flow: the elements with an author's running text.
    """
    seen: dict[str, list[bool]] = defaultdict(list)
    for page in pages:
        judged = {path for path in set(page.paths) if places[path].judged}
        for path, verdict in _verdicts(page, places.container, _sums(page, places, flow), judged):
            seen[path].append(verdict)
    return seen


def _taking_turns(pages: Sequence[PlacedLayout], places: _Places) -> set[str]:
    """Return the elements in a container in which texts take turns: a few advertisements, a few authors.

    Lists of which some entries recur are the author's: they have many texts on a page, and as a whole they
    differ.
    """
    elements: dict[str, list[_Texts]] = defaultdict(list)
    shown: Counter[str] = Counter()
    boxes = _boxes(pages, places)
    for page in pages:
        by_element = _texts_by_element(page, places)
        shown.update({text for texts in by_element.values() for text, _ in texts})
        for element, texts in by_element.items():
            elements[element].append(texts)
    turning = {
        element for element, texts in elements.items() if _take_turns(texts, shown, is_box=element in boxes)
    }
    # the few texts of an element around others say nothing about these
    return turning.difference(chain.from_iterable(map(above, elements.keys() - turning)))


def _boxes(pages: Sequence[PlacedLayout], places: _Places) -> set[str]:
    """Return the elements with a name in running text that are no labels, captions, or entries of lists."""
    flow = {places[path].part or places.container for path in running_elements(pages, places.container)}
    parts = {places[path].part for page in pages for path in set(page.places)}
    return {
        part
        for part in parts
        if part and tag_of(part) not in TEXT_TAGS and not is_bare(part) and part.rpartition("/")[0] in flow
    }


def _take_turns(on_pages: Sequence[_Texts], shown: Mapping[str, int], *, is_box: bool) -> bool:
    """Return whether the texts of an element take turns: the whole ones, or in a box single ones.

    :param on_pages: its texts on each page that has it.
    :param shown: for each text, how many pages have it in an element of the template.
    """
    if _TURNS * len({tuple(texts) for texts in on_pages}) <= len(on_pages):
        return True
    texts = [*chain.from_iterable(on_pages)]
    if not is_box or len(on_pages) < _TURNS or len(set(texts)) > _TEXTS_A_PAGE * len(on_pages):
        return False
    again = sum(weight for text, weight in texts if shown[text] >= _TURNS)
    return again > _REPEATED_SHARE * sum(weight for _, weight in texts)


def _texts_by_element(page: PlacedLayout, places: _Places) -> dict[str, _Texts]:
    """Return a page's texts by their elements in a container."""
    by_element: dict[str, _Texts] = {}
    paths = page.places
    for index, block in enumerate(page.layout.blocks):
        element = places[paths[index]][4]
        if element:
            texts = by_element.get(element)
            if texts is None:
                by_element[element] = texts = []
            texts.append((boilerplate_key(block.text), block.weight))
    return by_element


def find_excluded_on(page: PlacedLayout, container: str, new: Callable[[str], bool]) -> tuple[str, ...]:
    """Return the new paths among those that :func:`find_excluded` finds on a single page.

    :param new: tells whether a path is new.

    Cost: a look at each of the page's paths; no more if none is new.
    """
    places = _places_in(container)
    wanted = {path for path in set(page.paths) if new(path) and places[path].judged}
    wanted = _with_text(page, wanted) if wanted else wanted
    if not wanted:
        return ()
    sums = _sums(page, places, running_elements([page], container))
    refused = {path for path, verdict in _verdicts(page, container, sums, wanted) if verdict}
    if not refused:
        return ()
    around = {other for path in refused for other in above(path) if places[other].judged}
    whole = {path for path, verdict in _verdicts(page, container, sums, around) if verdict}
    return tuple(path for path in _outermost(refused | whole) if path in refused)


def excluded_on(page: PlacedLayout, new: Sequence[int], excluded: Sequence[str]) -> Sequence[str]:
    """Return the excluded paths without those that hold main text on this page.

    Such a part has much of the text in the container, most of it outside links and records. But a part with
    a date line is a single comment.

    :param new: the indexes of the blocks in the container that are not boilerplate.
    :param excluded: the paths that the page's pattern excludes.
    """
    part_of, blocks, places = part_by_path(tuple(excluded)), page.layout.blocks, page.places
    held: dict[str, list[Block]] = defaultdict(list)
    for index in new:
        if part := part_of[places[index]]:
            held[part].append(blocks[index])
    if not held:
        return excluded
    repeated = page.repeated
    much = _MOST_MASS * sum([blocks[index].plain for index in new if not repeated[blocks[index].node]])
    texts = {part for part, inside in held.items() if _is_text(inside, repeated, much)}
    return [part for part in excluded if part not in texts] if texts else excluded


@lru_cache(maxsize=64)
def part_by_path(excluded: tuple[str, ...]) -> Mapping[str, str]:
    """Return for each path which of a layout's excluded parts it is in, the first; empty: in none.

    The answers are kept from page to page.
    """
    return ByPath(first_above(excluded))


def _is_text(blocks: Sequence[Block], repeated: bytes, much: float) -> bool:
    """Return whether an excluded part has more text than ``much``, most of it outside links and records.

    A part with a date line does not count as text: it is a comment.
    """
    single = [block for block in blocks if not repeated[block.node]]
    plain = sum([block.plain for block in single])
    if plain <= much or plain < (1 - BOILERPLATE) * sum([block.weight for block in blocks]):
        return False
    return not any(map(is_date_line, single))


def _with_text(page: PlacedLayout, paths: Collection[str]) -> set[str]:
    """Return the paths at which a page has text: many elements hold nothing but a script."""
    texts = sorted([block.node for block in page.layout.blocks])
    return {page.paths[node] for node in _nodes_at(page, paths) if any_in(texts, node, page.ends[node])}


def _nodes_at(page: PlacedLayout, paths: Collection[str]) -> Iterator[int]:
    """Return the nodes at some paths. Cost: a look-up per node."""
    return compress(count(), map(paths.__contains__, page.paths))


def _outermost(paths: set[str]) -> tuple[str, ...]:
    return tuple(sorted(path for path in paths if paths.isdisjoint(above(path))))


class _Place(NamedTuple):
    """A path's role in a container.

    :param inside: whether the path leads to the container or into it.
    :param judged: whether the path is judged by itself.
    :param element: the path's element of the template, empty if that is the container.
    :param item: whether the path is that of a list item.
    :param part: the same as ``element``, in whatever bare elements it stands.
    """

    inside: bool
    judged: bool = False
    element: str = ""
    item: bool = False
    part: str = ""


class _Places(ByPath[_Place]):
    """The role of each path in one container."""

    def __init__(self, container: str) -> None:
        super().__init__(self._place_of)
        self.container = container

    def _place_of(self, path: str) -> _Place:
        container = self.container
        if not is_under(path, container):
            return _Place(inside=False)
        element = coarse(path)
        inner = element.removeprefix(container).lstrip("/")
        step = last_step(path)
        # running text is the author's, and not judged by itself
        judged = path != container and step not in _AUTHOR_TAGS and tag_of(step) != "pre"
        return _Place(
            inside=True,
            judged=judged,
            element="" if element == container else element,
            item=tag_of(path) == "li",
            part=f"{container}/{named(inner)}" if inner else "",
        )


@lru_cache(maxsize=64)
def _places_in(container: str) -> _Places:
    """Return the roles of paths in a container, which are kept from page to page."""
    return _Places(container)


#: Running totals over a page's nodes, for text in the container: the weight of its boilerplate, its weight,
#: and its mass without records.
_Sums = tuple[Sequence[int], Sequence[int], Sequence[int]]


def _verdicts(
    page: PlacedLayout, container: str, sums: _Sums, judged: Collection[str]
) -> list[tuple[str, bool]]:
    """Return the judged paths at which a page has text in the container; for each, is it boilerplate?"""
    paths, ends = page.paths, page.ends
    bad, text, mass = sums
    totals: dict[str, tuple[int, int, int]] = {}
    whole = 0
    for node, path in enumerate(paths):
        if path == container:
            whole = max(whole, mass[ends[node]] - mass[node])
        elif path in judged:
            end = ends[node]
            weight = text[end] - text[node]
            if weight:
                against, held = bad[end] - bad[node], mass[end] - mass[node]
                known = totals.get(path)
                if known is not None:
                    against, weight, held = against + known[0], weight + known[1], held + known[2]
                totals[path] = (against, weight, held)
    share, most = BOILERPLATE, _MOST_MASS * whole
    return [(path, sums[0] > share * sums[1] and sums[2] <= most) for path, sums in totals.items()]


def _sums(page: PlacedLayout, places: _Places, flow: Collection[str]) -> _Sums:
    """Return the running totals of a page.

    :param flow: the elements with an author's running text.
    """
    nodes = len(page.paths)
    bad, text, mass = [0] * nodes, [0] * nodes, [0] * nodes
    for node, weight, refused, held, _ in _judged(page, places, flow):
        text[node] += weight
        bad[node] += refused
        mass[node] += held
    return running_totals(bad), running_totals(text), running_totals(mass)


#: Why a text speaks against the part that it stands in: the site repeats it; it stands in a record with
#: links; it is a link. The last one: it does not.
REPEATED, RECORD, LINK, NOTHING = range(4)


def _judged(
    page: PlacedLayout, places: _Places, flow: Collection[str]
) -> list[tuple[int, int, int, int, int]]:
    """Return for each text its node, its weight, how much of that speaks against its part, its mass, and why.

    :param flow: the elements with an author's running text.
    """
    boilerplate, repeated, paths, container = page.boilerplate, page.repeated, page.places, places.container
    # a record around the whole container (a section of a page builder) says nothing about the parts in it
    around = [repeated[node] for node in _nodes_at(page, {container})]
    outer = bool(around) and all(around)
    teasers, tables = _teasers(page, places, flow), _own_tables(page, places, flow)
    judged = []
    for index, block in enumerate(page.layout.blocks):
        place = places[paths[index]]
        if not place[0]:
            continue
        node, weight, plain = block.node, block.weight, block.plain
        if boilerplate[index]:
            judged.append((node, weight, weight, 0, REPEATED))
            continue
        in_record = repeated[node] and not outer
        mass = 0 if in_record else plain
        if (place[2] or container) in flow or node in tables:
            judged.append((node, weight, 0, mass, NOTHING))  # links and records of a list are the author's
        elif (in_record and (not place[3] or is_in(INSETS, page.layout, node))) or node in teasers:
            judged.append((node, weight, weight, mass, RECORD))
        else:
            judged.append((node, weight, weight - plain, mass, LINK))
    return judged


def _own_tables(page: PlacedLayout, places: _Places, flow: Collection[str]) -> set[int]:
    """Return the nodes of an author's tables, whatever their names are: they stand in running text.

    They have headers or a caption, and a ``figure`` may be around them. Those of links are the template's.
    """
    layout, tables = page.layout, set[int]()
    for node, step in enumerate(layout.steps):
        if step.tag != "table" or node in tables:
            continue
        around = layout.parents[node]
        around = layout.parents[around] if layout.steps[around].tag == "figure" else around
        place = places[page.paths[around]]
        if not place.inside or (place.element or places.container) not in flow:
            continue
        cells = [layout.blocks[index] for index in indexes_in(page.columns.nodes, node, page.ends[node])]
        has_heads = any(layout.steps[cell.node].tag in _HEADS for cell in cells)
        if has_heads and sum([cell.plain > 0 for cell in cells]) >= _PLAIN_CELLS * len(cells):
            tables.update(range(node, page.ends[node]))
    return tables


def _teasers(page: PlacedLayout, places: _Places, flow: Collection[str]) -> set[int]:
    """Return the nodes of boxes about another page: a part with a name, with a heading that leads there.

    An author's own heading may be a link, too: it stands in the running text.
    """
    steps, parents, leads, teasers = page.layout.steps, page.layout.parents, page.layout.leads, set[int]()
    for block in page.layout.blocks:
        node = block.node
        if block.plain or node in teasers or steps[node].tag not in HEADINGS:
            continue
        box = parents[node]
        if not (leads[node] or leads[box]):
            continue
        while box > 0 and (is_bare(page.paths[box]) or page.ends[box] - box <= _HEADING_ALONE):
            box = parents[box]
        place = places[page.paths[box]]
        if place.judged and place.element and place.element not in flow:
            teasers.update(range(box, page.ends[box]))
    return teasers


class PartEvidence(NamedTuple):
    """What speaks against a part of a container, as :func:`find_excluded` sees it.

    :param against: why how much of the part's text speaks against it: REPEATED, RECORD and LINK, each
        as a share of its text on all pages together, 0 to 1.
    :param weight: its text on a page with it, in characters.
    :param pages: number of pages with it; ``refused``: of these on which it counts as no main text.
    """

    against: tuple[float, ...]
    weight: float
    pages: int
    refused: int

    @property
    def share(self) -> float:
        """The share of the text that speaks against the part, 0 to 1."""
        return sum(self.against)


def part_evidence(pages: Sequence[PlacedLayout], container: str) -> dict[str, PartEvidence]:
    """Return what speaks against each part of a container that is judged by itself. Cost: two passes."""
    places = _places_in(container)
    flow = running_elements(pages, container)
    seen = _verdicts_by_path(pages, places, flow)
    weights: dict[str, list[int]] = defaultdict(lambda: [0] * (NOTHING + 1))
    for page in pages:
        for node, weight, refused, _, why in _judged(page, places, flow):
            path = page.paths[node]
            for around in (path, *above(path)):
                if places[around].judged:
                    weights[around][why] += refused
                    weights[around][NOTHING] += weight
    turning = _taking_turns(pages, places)
    for path in seen:
        if places[path].part in turning:  # the site repeats all of it
            seen[path] = [True] * len(seen[path])
            weights[path][:NOTHING] = [weights[path][NOTHING], 0, 0]
    return {
        path: PartEvidence(
            tuple(weight / by_reason[NOTHING] for weight in by_reason[:NOTHING]),
            by_reason[NOTHING] / len(seen[path]),
            len(seen[path]),
            sum(seen[path]),
        )
        for path, by_reason in weights.items()
        if by_reason[NOTHING] and seen[path]
    }
