"""Find boilerplate: text that several pages of a site have at the same path.

For each pair of a path and a folded text, the pages are counted. A text that recurs is boilerplate if most
of the text at its path recurs. Among varying text ("To upgrade:" before each new list of changes) it is the
author's, unless most pages have it. Paragraphs of articles that lists of the site repeat are the author's,
too: each article is on other pages than the next. A line between paragraphs that names another page behind a
label ("Read also: ...") is boilerplate if its label recurs.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain

from ..page.days import is_stamp, names_day
from ..page.tags import TEXT_TAGS
from ..page.text import BoilerplateKeys, boilerplate_key, boilerplate_keys
from ..values import Block, Layout
from .paths import TITLE_ELEMENT, bare, coarse, tag_of
from .weighing import PARAGRAPH, boilerplate_flags

#: A path and a folded text at this path (:func:`~scrapy_webstemmer.page.text.boilerplate_key`).
BoilerplateKey = tuple[str, str]

#: A page's layout, the paths of its blocks, its title, and for blocks that it shows for other pages the
#: heading that leads there.
NamedPage = tuple[Layout, Sequence[str], str, Mapping[int, str]]

#: If more than this share of a path's text recurs, all recurring text there is boilerplate.
_PATH_RECURS = 0.5
#: Other pages repeat whole articles at a path if some page has so many of the paragraphs that recur there ...
_SEVERAL_PARAGRAPHS = 5
#: ... and the articles are on different pages: the different sets of pages that have a paragraph are more
#: than this share of these pages. All pages of a section share its boilerplate, an author's a biography.
_OTHER_PAGES = 0.25
#: A text is boilerplate if more than this share of the pages with its element of the template have it.
_ON_MOST_PAGES = 0.5
#: A sentence with numbers weighs at least this, and gives data of its article if it has other numbers on more
#: than this share of its pages. One with a time of day weighs more: "Last changed at 10:32." does not.
_SHORTEST_SENTENCE, _WITH_TIME, _OTHER_NUMBERS = 20, 40, 0.5
_SENTENCE_ENDS = (".", "!", "?", "。")
#: A title with this many characters is found in other texts: it is too long to be there by chance.
_SHORTEST_TITLE = 10
#: A text with the title in it must have this many other significant characters to be counted without it.
_SHORTEST_REST = 5
#: Stands for the link in the key of a line that names another page behind a label.
LINK_MARK = "<a>"
#: A label has about this many characters, and the link has more.
_SHORTEST_LABEL, _LONGEST_LABEL = 3, 30
#: A label in the link itself.
_LINKED_LABEL = re.compile(rf"[^:：|–—-]{{{_SHORTEST_LABEL},{_LONGEST_LABEL}}}(?:[：|]|[:–—-]\s)")
_HAS_REST = re.compile(rf"(?:[\W_]*[^\W_]){{{_SHORTEST_REST}}}")


class BoilerplateTexts:
    """The boilerplate of a site.

    :ivar texts: for each path, the folded texts that are boilerplate there.
    """

    def __init__(self, keys: Iterable[BoilerplateKey]) -> None:
        texts: dict[str, set[str]] = defaultdict(set)
        for path, text in keys:
            texts[path].add(text)
        self.texts = dict(texts)
        self._begins = {path: {text[:1] for text in at_path} for path, at_path in texts.items()}
        self._any: tuple[tuple[str, ...], frozenset[str]] = (), frozenset()
        self._has_labels = any(map(is_label, chain.from_iterable(texts.values())))

    def all_keys(self) -> Iterator[BoilerplateKey]:
        """Return each path with each of its texts."""
        return ((path, text) for path, at_path in self.texts.items() for text in at_path)

    def among(self, layout: Layout, places: Sequence[str], title: str) -> bytes:
        """Return for each block of a page whether it is boilerplate.

        :param places: the path of each block.
        :param title: the page's own title, as for :func:`keys_of`.

        Cost: a look at each block; few texts are folded.
        """
        without = _without_title if len(title) >= _SHORTEST_TITLE else None
        known = self.texts, self._begins
        flags = boilerplate_flags(layout.blocks, tuple(places), title, *known, _known_key, without)
        if not self._has_labels:
            return flags
        labels = labels_in(layout, anywhere=True)
        labelled = {index for index, label in labels if self.has(places[index], label)}
        return bytes(flag or index in labelled for index, flag in enumerate(flags)) if labelled else flags

    def among_any(self, layout: Layout, title: str, paths: Iterable[str]) -> list[bool]:
        """Return for each block of a page whether it is boilerplate at one of some paths, wherever it stands.

        :param title: the page's own title, as for :func:`keys_of`.

        Cost: all texts are folded, and the boilerplate of these paths is looked up.
        """
        key = (*paths,)
        if key != self._any[0]:  # the pages of a site come with the same paths
            self._any = key, frozenset[str]().union(*[self.texts[path] for path in key if path in self.texts])
        texts = self._any[1]
        counted = _texts_counted([block.text for block in layout.blocks], title)
        return [key in texts for key in boilerplate_keys(counted)]

    def has(self, path: str, text: str) -> bool:
        """Return whether a text is boilerplate at a path."""
        texts = self.texts.get(path)
        return texts is not None and boilerplate_key(text) in texts


_known_key = lru_cache(maxsize=8_192)(boilerplate_key)  # the same texts come on page after page


def keys_of(texts: Sequence[str], places: Sequence[str], title: str) -> Iterator[BoilerplateKey]:
    """Return for each text on a page its path and its key, in turn.

    :param places: the path of each text.
    :param title: the page's own title. A line with it and more ("Comments on ...") counts without it.
    """
    return zip(places, boilerplate_keys(_texts_counted(texts, title)), strict=True)


def _texts_counted(texts: Sequence[str], title: str) -> Sequence[str]:
    """Return a page's texts. A text with the page's title and more in it comes without the title."""
    if len(title) < _SHORTEST_TITLE or title not in "\n".join(texts):
        return texts
    return [_without_title(text, title) if title in text else text for text in texts]


def is_label(key: str) -> bool:
    """Return whether a folded text is the label of lines that name other pages."""
    return key.endswith(LINK_MARK)


def labels_in(layout: Layout, *, anywhere: bool = False, last: int = -1) -> Iterator[tuple[int, str]]:
    """Yield the index and the label of each line that names another page of the host: ``Read also: <a>``.

    :param anywhere: for labels that are known: the line may stand anywhere. Otherwise it stands between two
        texts in its parent, of which one is a paragraph there: at the head and the foot, authors name their
        sources so.
    :param last: a line for which a paragraph before it is enough.

    Cost: a look at each block.
    """
    blocks, leads = layout.blocks, layout.leads
    for index, block in enumerate(blocks[1 : max(last + 1, len(blocks) - 1)], 1):
        plain = block.plain
        if plain <= _LONGEST_LABEL and block.weight > 2 * plain and leads[block.node] == 1:
            is_line = anywhere or _is_between(layout, index, index == last)
            if is_line and (label := _label(block.text, plain)):
                yield index, label


def _is_between(layout: Layout, index: int, is_last: bool) -> bool:
    """Return whether a block stands between two texts in its parent, one of them a paragraph there.

    :param is_last: whether the text before it is enough.
    """
    blocks, parents = layout.blocks, layout.parents
    parent, around = parents[blocks[index].node], blocks[index - 1 : index + 2 - is_last : 2]
    return any(other.plain >= PARAGRAPH and parents[other.node] == parent for other in around) and all(
        other.plain and _is_inside(parents, other.node, parent) for other in around
    )


def _is_inside(parents: Sequence[int], node: int, element: int) -> bool:
    """Return whether a node stands in an element. Cost: a look at each node between them."""
    node = parents[node]
    while node > element:
        node = parents[node]
    return node == element


@lru_cache(maxsize=8_192)
def _label(text: str, plain: int) -> str:
    """Return the beginning of a text that is outside its link; if nothing is, its first words up to a sign.

    A label ends with a sign, or has capitals alone; empty if there is none.

    >>> _label("Read also: “The harbour wall”", 8), _label("Read also: The harbour wall", 0)
    ('Read also:<a>', 'Read also:<a>')
    """
    if not plain:
        linked = _LINKED_LABEL.match(text)
        return linked[0].rstrip() + LINK_MARK if linked else ""
    at = 0
    while plain >= 0 and at < len(text):
        plain -= text[at].isalnum()
        at += 1
    label = text[: at - 1].rstrip(" \"'«‘“„")
    is_label = len(label) >= _SHORTEST_LABEL and (not label[-1].isalnum() or label.isupper())
    return label + LINK_MARK if is_label else ""


def texts_of(layout: Layout, *, anywhere: bool = False) -> list[str]:
    """Return the texts of a page's blocks, of those that :func:`labels_in` finds their labels."""
    texts = [block.text for block in layout.blocks]
    for index, label in labels_in(layout, anywhere=anywhere):
        texts[index] = label
    return texts


def bare_keys(layout: Layout, paths: Sequence[str]) -> Iterator[BoilerplateKey]:
    """Yield for each block of a page its path by tags alone and its folded text; then its ``title`` element.

    For a comparison of two pages alone: nothing tells which of their ids and classes belong to the template.
    These paths begin with a slash, so none of them is a path of the site's vocabulary.
    """
    for block in layout.blocks:
        yield f"/{bare(paths[block.node])}", boilerplate_key(block.text)
    yield f"/{TITLE_ELEMENT}", boilerplate_key(layout.title_element)


def _without_title(text: str, title: str) -> str:
    remainder = text.replace(title, "\0")
    return remainder if _HAS_REST.match(remainder) else text


def boilerplate_texts(pages: Sequence[NamedPage], share: float, least: int) -> frozenset[BoilerplateKey]:
    """Return the texts of a site that are boilerplate.

    :param share: a text must be on this share of the pages, from 0 to 1 ...
    :param least: ... and on this many pages in any case, 2 or more.

    Cost: linear in the number of blocks.
    """
    seen = _TextCounts()
    for page in pages:
        seen.add(*page)
    seen.count_shown(least)
    needed = max(least, share * len(pages))
    frequent = {
        (seen.paths[number], text): number
        for number, text in seen.again.items()
        if seen.pages[number] >= needed
    }
    recurring = seen.recurring(frequent)
    return frozenset(
        key
        for key, number in frequent.items()
        if (
            key[0] in recurring
            or is_label(key[1])
            or seen.pages[number] > _ON_MOST_PAGES * seen.present[coarse(key[0])]
        )
        and len(seen.sentences.get(number, ())) <= _OTHER_NUMBERS * seen.pages[number]
    )


class _TextCounts:
    """Counts of the texts at each path.

    :ivar paths: the path of each text, by its number from 0 on.
    :ivar again: for the number of each text that came more than once, the folded text.
    :ivar pages: for each number, how many pages have the text.
    :ivar weights: for each number, the weight of the text on all pages together.
    :ivar present: for each element of the template, how many pages have text in it.
    :ivar sentences: for each number its texts, if they are sentences that give data: reports of shares or
        earthquakes have such, alike but for their data.

    A text that a page shows for another page is a witness for that page, not for the one that shows it.
    However many lists show a post, it is one. This holds where pages have text of their own; what all of them
    show in another place, such as teasers, is counted by pages.
    """

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.again: dict[int, str] = {}
        #: By the hash of the path and the folded text: most texts come once, and would be kept for nothing.
        self._numbers: dict[int, int] = {}
        self.pages, self.weights = array("i"), array("q")
        self.present: Counter[str] = Counter()
        self.sentences = defaultdict[int, set[str]](set)
        self._keys = BoilerplateKeys()
        self._with_text: Counter[str] = Counter()
        self._named: dict[str, set[int]] = {}
        self._shown: defaultdict[int, set[str]] = defaultdict(set)
        self._showing: Counter[int] = Counter()
        #: The numbers of each page's paragraphs.
        self._paragraphs: list[array[int]] = []

    def add(self, layout: Layout, places: Sequence[str], title: str, shown: Mapping[int, str]) -> None:
        """Count a page.

        :param shown: for each block that the page shows for another one, the heading that leads there.
        """
        known, paths = self._numbers, self.paths
        keys = self._keys.of(_texts_counted(texts_of(layout), title))
        numbers = [known.setdefault(hash(pair), len(known)) for pair in zip(places, keys, strict=True)]
        for number, block, key, place in zip(numbers, layout.blocks, keys, places, strict=True):
            if number == len(paths):
                paths.append(place)
                self.pages.append(0)
                self.weights.append(0)
            else:
                self.again.setdefault(number, key)
            self.weights[number] += block.weight
            if "0" in key and gives_data(block, place):
                self.sentences[number].add(block.text)
        long = [number for number, key in zip(numbers, keys, strict=True) if len(key) >= PARAGRAPH]
        self._paragraphs.append(array("i", long))
        own_texts = {number for index, number in enumerate(numbers) if index not in shown}
        own_places = {place for index, place in enumerate(places) if index not in shown}
        for index, head in shown.items():
            self._shown[numbers[index]].add(head)
        self._with_text.update(set(map(_holder, own_places)))
        self._named.setdefault(boilerplate_key(title), set()).update(own_texts)
        self._showing.update({numbers[index] for index in shown} - own_texts)
        for number in own_texts:
            self.pages[number] += 1
        self.present.update(set(map(coarse, set(places))))

    def count_shown(self, least: int) -> None:
        """Count the texts that pages show for others, when all pages have been seen.

        A page that was seen itself is no further witness. There are no more of them than pages with the text.

        :param least: so many pages must have text of their own in the same element of the template.
        """
        for number, heads in self._shown.items():
            showing = self._showing[number]
            if self._with_text[_holder(self.paths[number])] >= least:
                unseen = sum(number not in self._named.get(head, ()) for head in heads)
                showing = min(showing, unseen)
            self.pages[number] += showing

    def recurring(self, frequent: Mapping[BoilerplateKey, int]) -> set[str]:
        """Return the paths at which enough text is frequent, given the numbers of the frequent texts."""
        repeated: Counter[str] = Counter()
        for (path, _), number in frequent.items():
            repeated[path] += self.weights[number]
        total = dict.fromkeys(repeated, 0)
        for number, path in enumerate(self.paths):
            if path in total:
                total[path] += self.weights[number]
        repeats = self._paths_of_repeats(frequent)
        return {path for path, weight in repeated.items() if weight > _PATH_RECURS * total[path]} - repeats

    def _paths_of_repeats(self, frequent: Mapping[BoilerplateKey, int]) -> set[str]:
        """Return the paths of articles that other pages repeat: lists, or the pages of the articles before.

        Cost: a look at each paragraph.
        """
        long = {number for (_, text), number in frequent.items() if len(text) >= PARAGRAPH}
        on_pages = defaultdict[int, list[int]](list)
        several, showing = set[str](), Counter[str]()
        for page, numbers in enumerate(self._paragraphs):
            counts = Counter[str]()
            for number in long.intersection(numbers):
                on_pages[number].append(page)
                counts[self.paths[number]] += 1
            showing.update({*counts})
            several.update([path for path, count in counts.items() if count >= _SEVERAL_PARAGRAPHS])
        sets = defaultdict[str, set[tuple[int, ...]]](set)
        for number, pages in on_pages.items():
            sets[self.paths[number]].add((*pages,))
        return {path for path in several if len(sets[path]) > _OTHER_PAGES * showing[path]}


def gives_data(block: Block, place: str) -> bool:
    """Return whether a block is a sentence in a bare paragraph, without links, that tells no day."""
    return (
        block.plain == block.weight >= _SHORTEST_SENTENCE
        and block.text.endswith(_SENTENCE_ENDS)
        and place.endswith("/p")
        and not names_day(block.text)
        and (block.weight >= _WITH_TIME or not is_stamp(block.text))
    )


@lru_cache(maxsize=20_000)
def _holder(path: str) -> str:
    """Return the path of the element that holds a running text, whatever classes its paragraphs have."""
    while "/" in path and tag_of(path) in TEXT_TAGS:
        path = path.rpartition("/")[0]
    return path
