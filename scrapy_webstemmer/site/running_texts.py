"""Find the elements in which an author's text runs, and the texts there that only look like boilerplate."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from ..page.days import is_date_line, names_day
from ..page.tags import HEADINGS, TEXT_TAGS
from ..page.text import boilerplate_keys
from .boilerplate import BoilerplateKey, is_label, keys_of, texts_of
from .paths import ByPath, above, coarse, is_bare, is_under, last_step, tag_of, under_any
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
#: An element with data has at least so many lines, and is on at least so many pages. It has at most this
#: share of the container's text outside links: the text itself is no data.
_LEAST_LINES, _LEAST_PAGES, _MOST_DATA = 3, 3, 0.6
_IN_TABLE = re.compile(r"/(?:table|dl)\b")
#: What holds a single paragraph or line.
_SINGLE = HEADINGS | {"p", "figure"}
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
    in_data = under_any(data_elements(pages, container))
    data = set[BoilerplateKey]()
    for page in pages:
        data.update(_recurring(page, {*filter(in_data, set(page.places))}).values())
        flows = {path: wrapped.get(path) or _flow(path, container) for path in set(page.places)}
        if recurring := _recurring(page, {path for path, flow in flows.items() if flow in elements}):
            counts.update(set(recurring.values()))
            within.update({recurring[index] for index in _within_text(page, recurring, flows)})
            linked = [key for index, key in recurring.items() if not page.layout.blocks[index].plain]
            labels.update(key for key, count in Counter(linked).items() if count > 1)
    few = _NEARLY_ALL * len(pages)
    # another class than that of the text may be the template's: "More in Sports"
    return data | {
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


def data_elements(pages: Sequence[PlacedLayout], container: str) -> set[str]:
    """Return the paths of elements in a container that give data of their article: each page has others.

    They are tables, lists of ingredients, facts about a film. Their lines recur, most of all with folded
    digits ("Weight", "13 kg"), but not all of them together. An element of the template has links, the day of
    the article, or titles of other pages. Outside tables, numbers alone make no difference: "3 min read".

    Or a few lines take turns there: the speakers of a talk.

    Cost: a look at each block for each element around it.
    """
    turns, present = Counter[str](), Counter[str]()
    shown = defaultdict[str, list[int]](list)
    titles = {page.title for page in pages} - {""}
    around = ByPath(partial(_elements_around, container))
    for page in pages:
        present.update({*page.places})
        turns.update(_lines_in_turn(page, container))
        lines = defaultdict[str, list[str]](list)
        others, held = set[str](), Counter[str]()
        whole = 0
        for block, place in zip(page.layout.blocks, page.places, strict=True):
            elements, text, plain = around[place], block.text, block.plain
            if elements is None:
                continue
            whole += plain
            if not elements:
                continue
            has_code = "/pre" in place.partition("/table")[2]  # lines with their numbers
            if plain < block.weight or text in titles or names_day(text) or has_code:
                others.update(elements)
            for element in elements:
                lines[element].append(text)
                held[element] += plain
        for element, texts in lines.items():
            is_data = len(texts) >= _LEAST_LINES and held[element] <= _MOST_DATA * whole
            is_data = is_data and element not in others
            shown[element].append(_hash_of(element, texts) if is_data else 0)
    speakers = {path for path, count in turns.items() if count >= max(_LEAST_PAGES, present[path] / 2)}
    return speakers | {element for element, on_pages in shown.items() if _differ(on_pages)}


def _lines_in_turn(page: PlacedLayout, container: str) -> Iterator[str]:
    """Yield the places with a name at which a few lines take turns, most of them above a paragraph."""
    blocks, places = page.layout.blocks, page.places
    lines = defaultdict[str, list[int]](list)
    for index, path in enumerate(places[:-1]):
        lines[path].append(index)
    for path, at_path in lines.items():
        different = len({blocks[index].text for index in at_path})
        if 1 < different < len(at_path) >= _LEAST_LINES and is_under(path, container) and not is_bare(path):
            below = [index + 1 for index in at_path if places[index + 1] != path]
            above_text = sum(
                blocks[index].plain >= PARAGRAPH
                and not (page.boilerplate[index] or page.repeated[blocks[index].node])
                for index in below
            )
            if 2 * above_text > len(at_path):
                yield path


def _differ(on_pages: Sequence[int]) -> bool:
    """Return whether the texts of an element, by their hashes, are others on nearly all pages; 0: unknown."""
    known = [*filter(None, on_pages)]
    enough = len(known) >= max(_LEAST_PAGES, len(on_pages) / 2)
    return enough and len({*known}) >= _NEARLY_ALL * len(known)


def _hash_of(element: str, texts: Sequence[str]) -> int:
    return hash((*(texts if _IN_TABLE.search(element) else boilerplate_keys(texts)),))


def _elements_around(container: str, path: str) -> list[str] | None:
    """Return the elements in a container around a path, or at it, without single paragraphs or headings.

    None: the path does not lead into the container.
    """
    if not is_under(path, container):
        return None
    around = [element for element in (path, *above(path)) if len(element) > len(container)]
    return [element for element in around if last_step(element) not in _SINGLE]


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

    They are headings, what stands below one of these, questions, code, or several other lines: different
    ones, or two in turn, each above new text. A single line between two paragraphs is a call of the template:
    "Become a member". Above the first of several like headings ("Abstract"), questions or lines there need be
    no text.

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
    lines = [index for index, orders in within if not orders]
    above_new = Counter(recurring[index] for index in lines if not page.boilerplate[index + 1])
    in_turn = len(above_new) > 1 and min(above_new.values()) > 1
    several = in_turn or len({recurring[index] for index in lines}) >= _ORDERING_LINES
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
