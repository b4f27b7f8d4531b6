"""Find the elements in which an author's text runs, and the texts there that only look like boilerplate."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from ..page.days import is_date_line, names_day
from ..page.tags import HEADINGS, TEXT_TAGS
from .boilerplate import BoilerplateKey, is_label, keys_of, texts_of
from .paths import above, coarse, is_under, tag_of
from .placed import PlacedLayout
from .subtrees import indexes_in
from .weighing import HELD, PARAGRAPH, plain_by_element

#: An element holds running text on a page if more than this share of the container's new text outside links
#: is directly in it ...
_MUCH = 0.3
#: ... and on the template if this is so on at least this share of its pages.
_RUNNING_PAGES = 0.5
#: A recurring text is the template's if it is on at least this share of the pages, at the head or the foot of
#: the text ...
_NEARLY_ALL = 0.9
#: ... : on more than half of them less new text than a line stands before it, or after it.
_LEAST_AROUND = 60
#: So many different lines within a text give it its order; fewer are calls of the template.
_ORDERING_LINES = 3
#: A table has at least so many cells, and is on at least so many pages.
_LEAST_CELLS, _LEAST_TABLES = 4, 3
#: What holds a single paragraph, line or table.
_SINGLE = HEADINGS | {"p", "figure"}
_TABLE_TAGS = frozenset({"table", "dl"})
#: Elements of a text that hold no whole one: where a list has most of it, more than paragraphs are beside it.
_PIECES = TEXT_TAGS - {"blockquote"}
_QUESTION_MARKS = ("?", "？", "؟")


def running_elements(pages: Sequence[PlacedLayout], container: str) -> set[str]:
    """Return the paths of the elements in a container that directly hold much of its text, on most pages.

    Cost: linear in the number of blocks.
    """
    counts: Counter[str] = Counter()
    for page in pages:
        inside = {path: coarse(path) for path in set(page.places) if is_under(path, container)}
        held = plain_by_element(page, inside)
        whole = sum(held.values())
        around: Counter[str] = Counter()
        for element, plain in held.items():
            around[_flow(element, container)] += plain
        counts.update(
            {element for element, plain in chain(held.items(), around.items()) if plain > _MUCH * whole}
        )
    return {element for element, count in counts.items() if count >= _RUNNING_PAGES * len(pages)}


def own_lines(
    pages: Sequence[PlacedLayout], paths: Iterable[str], running: Collection[str], container: str
) -> set[str]:
    """Return those of some paths that are the running text's own headings and paragraphs, with a class.

    Of these each text is judged by itself.

    :param running: the elements with running text, as :func:`running_elements` gives them.
    """
    wrappers = {
        part
        for path, whole in _wrapped_headings(pages, running).items()
        for part in (path, *above(path))
        if len(part) > len(whole)
    }
    return {
        path
        for path in paths
        if path in wrappers or (tag_of(path) in HEADINGS and _flow(path, container) in running)
    }


def author_texts(pages: Sequence[PlacedLayout], container: str) -> set[BoilerplateKey]:
    """Return texts that count as boilerplate, but are the author's.

    Only some pages have them, or they stand within running text: the headings of a recipe, the questions of
    an interview. A link that most of its pages repeat ("Buy now") is not, nor a line that names another page.
    """
    running = running_elements(pages, container)
    wrapped = _wrapped_headings(pages, running)
    elements = {_flow(path, container) for path in running}.union(wrapped.values())
    counts, within, labels = (Counter[BoilerplateKey]() for _ in range(3))
    data = _Tables(elements, container)
    for page in pages:
        data.add(page)
        flows = {path: wrapped.get(path) or _flow(path, container) for path in set(page.places)}
        if recurring := _recurring(page, {path for path, flow in flows.items() if flow in elements}):
            counts.update(set(recurring.values()))
            within.update({recurring[index] for index in _within_text(page, recurring, flows)})
            linked = [key for index, key in recurring.items() if not page.layout.blocks[index].plain]
            labels.update(key for key, count in Counter(linked).items() if count > 1)
    few = _NEARLY_ALL * len(pages)
    # another class than that of the text may be the template's: "More in Sports"
    return data.texts() | {
        key
        for key, count in counts.items()
        if not is_label(key[1])
        and labels[key] <= count / 2
        and (within[key] > count / 2 or (count < few and coarse(key[0]) in running))
    }


def _wrapped_headings(pages: Sequence[PlacedLayout], running: Collection[str]) -> dict[str, str]:
    """Return the paths of headings alone in elements of their own, each with the running element around.

    Some templates have such an element, for a link beside the heading. What is mostly the only one on its
    page may be a call of the template.
    """
    alone, others, several = dict[str, str](), set[str](), Counter[str]()
    for page in pages:
        steps, parents, paths = page.layout.steps, page.layout.parents, page.paths
        sizes = Counter(parents)
        texts: dict[str, set[str]] = defaultdict(set)
        # of a heading in several lines the last one
        headings = {
            block.node: block.text for block in page.layout.blocks if steps[block.node].tag in HEADINGS
        }
        for heading, text in headings.items():
            path, node = paths[heading], parents[heading]
            texts[path].add(text)
            while node > 0 and sizes[node] == 1 and paths[node] not in running:
                node = parents[node]
            if paths[node] in running and node != parents[heading]:
                alone[path] = paths[node]
            else:
                others.add(path)
        several.update({path: len(those) if len(those) > 1 else -1 for path, those in texts.items()})
    return {path: whole for path, whole in alone.items() if path not in others and several[path] >= 0}


class _Tables:
    """The tables in running text, and those that give data of their article: each page has others.

    Their labels recur, and so do values, since digits are folded: "Weight", "13 kg". A table of the template
    has links, or the day of the article.
    """

    def __init__(self, elements: Collection[str], container: str) -> None:
        self._elements, self._container = elements, container
        self._shown = defaultdict[str, list[str]](list)
        self._keys = defaultdict[str, set[BoilerplateKey]](set)

    def add(self, page: PlacedLayout) -> None:
        """Take the tables of a page."""
        layout, ends, at = page.layout, page.ends, 0
        nodes, blocks = page.columns.nodes, layout.blocks
        for node, step in enumerate(layout.steps):
            if node < at or step.tag not in _TABLE_TAGS:
                continue
            path = page.paths[node]
            if _flow(path.rpartition("/")[0], self._container) not in self._elements:
                continue  # old pages stand in tables
            at = ends[node]
            inside = indexes_in(nodes, node, at)
            cells = [blocks[index] for index in inside]
            is_other = any(cell.plain < cell.weight or names_day(cell.text) for cell in cells)
            is_other = is_other or any("/pre" in page.places[index] for index in inside)  # lines of code
            if len(cells) < _LEAST_CELLS or is_other:
                continue
            self._shown[path].append("\n".join([cell.text for cell in cells]))
            self._keys[path].update(_recurring(page, {page.places[index] for index in inside}).values())

    def texts(self) -> set[BoilerplateKey]:
        """Return the recurring texts of the tables of which each page has another."""
        return {
            key
            for path, shown in self._shown.items()
            if len(shown) >= _LEAST_TABLES and len({*shown}) >= _NEARLY_ALL * len(shown)
            for key in self._keys[path]
        }


def _flow(path: str, container: str) -> str:
    """Return the element in whose text a path stands: around the tags of running text.

    Many sites give each paragraph, heading or figure a class.
    """
    path = coarse(path)
    while tag_of(path) in _SINGLE and is_under(parent := path.rpartition("/")[0], container):
        path = coarse(parent)
    return path


def _within_text(
    page: PlacedLayout, recurring: Mapping[int, BoilerplateKey], flows: Mapping[str, str]
) -> Iterator[int]:
    """Yield the recurring blocks that give the text its order: with new text of their element on both sides.

    They are headings, what stands below one of these, questions, code, or several other lines. A single line
    between two paragraphs is a call of the template: "Become a member". Above the first of several like
    headings ("Abstract"), questions or lines there need be no text.

    :param flows: for each path the element in whose text it stands.
    """
    blocks, places, repeated = page.layout.blocks, page.places, page.repeated
    weights, ranks = Counter[str](), Counter[str]()
    headings: dict[str, int] = {}
    candidates: list[tuple[int, str, int, bool]] = []
    for index, (block, path, boilerplate) in enumerate(zip(blocks, places, page.boilerplate, strict=True)):
        element = flows[path]
        tag = page.layout.steps[block.node].tag
        if tag in HEADINGS:
            headings[element] = index
            ranks[path] += 1
        if index in recurring:
            orders = (
                headings.get(element) in recurring or tag == "pre" or block.text.endswith(_QUESTION_MARKS)
            )
            candidates.append((index, element, weights[element], orders))
        elif not (boilerplate or repeated[block.node] or page.names_page(block.text) or is_date_line(block)):
            weights[element] += block.plain
    above = [
        (index, weight, orders)
        for index, element, weight, orders in candidates
        if weights[element] - weight >= _LEAST_AROUND
    ]
    within = [
        (index, orders)
        for index, weight, orders in above
        if weight >= _LEAST_AROUND or ranks[places[index]] > 1
    ]
    several = len({recurring[index] for index, orders in within if not orders}) >= _ORDERING_LINES
    ordering = [index for index, orders in within if orders or several]
    yield from ordering
    like = {places[index] for index in ordering}
    first = next((index for index, weight, _ in reversed(above) if weight < _LEAST_AROUND), -1)
    if first >= 0 and places[first] in like and blocks[first + 1].plain >= _LEAST_AROUND:
        yield first
    for index, element, weight, _ in candidates:  # the last heading, above a short text
        is_last = 0 < weights[element] - weight < _LEAST_AROUND and headings.get(element) == index
        if is_last and places[index] in like:
            yield index


def with_author_texts(pages: Iterable[PlacedLayout], texts: Collection[BoilerplateKey]) -> list[PlacedLayout]:
    """Return pages on which some texts are no boilerplate."""
    paths = {path for path, _ in texts}
    changed = []
    for page in pages:
        spared = {index for index, key in _recurring(page, paths).items() if key in texts}
        flags = (known and index not in spared for index, known in enumerate(page.boilerplate))
        changed.append(replace(page, boilerplate=bytes(flags)) if spared else page)
    return changed


def _recurring(page: PlacedLayout, paths: Collection[str]) -> dict[int, BoilerplateKey]:
    """Return the boilerplate at some paths: the numbers of its blocks, with their keys."""
    indexes = [
        index
        for index, (path, boilerplate) in enumerate(zip(page.places, page.boilerplate, strict=True))
        if boilerplate and path in paths
    ]
    texts = texts_of(page.layout, anywhere=True) if indexes else []
    keys = keys_of([texts[index] for index in indexes], [page.places[index] for index in indexes], page.title)
    return dict(zip(indexes, keys, strict=True))


def paragraphs_beside(page: PlacedLayout, node: int, main: Sequence[int], title: int) -> list[int]:
    """Return the paragraphs beside the element with a text that are text, too.

    They look like those in it, and what is around both does not hold the title: a gallery or a recipe holds
    most of the text then.

    :param node: the element.
    :param main: the blocks of the text in it.
    :param title: the first element with the title; -1: there is none.
    """
    steps, parents = page.layout.steps, page.layout.parents
    around, ends = parents[node], page.ends
    if around <= 0 or around <= title < ends[around] or steps[node].tag in _PIECES:
        return []
    nodes, plains = page.columns.nodes, page.columns.plains
    others = [*indexes_in(nodes, around, node), *indexes_in(nodes, ends[node], ends[around])]
    others = [
        index
        for index in others
        if plains[index] >= PARAGRAPH and parents[nodes[index]] == around and not page.boilerplate[index]
    ]
    if not others:  # as on most pages
        return []
    inside = {steps[nodes[index]] for index in main if steps[nodes[index]].tag == "p"}
    beside = [index for index in others if steps[nodes[index]] in inside]
    held, more = (sum([plains[index] for index in some]) for some in (main, beside))
    return beside if held >= HELD * (held + more) else []
