"""What a site repeats on its pages: attribute values of its templates, ends of titles, texts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, filterfalse, islice
from statistics import fmean
from typing import TypeVar

from ..html.tags import TEXT_TAGS
from ..html.text import boilerplate_key, boilerplate_keys
from ..values import Layout, Step
from .paths import DIGITS, TITLE_ELEMENT, Paths, bare, coarse, tag_of, tokens_of
from .placing import boilerplate_flags

# --- Learn which attribute values belong to a site's templates
#
# A class or id comes from the template if the elements of its kind have it, on page after page. A value that
# names a page's topic, number or day belongs to that page, and would make its path unlike all others. Such a
# value is on some pages only, while another value of the same elements is on all of them: `post` on each
# article, `category-sports` on some. Lists that show the same articles on every page hide this if pages alone
# are counted, so each place of an element is looked at by itself.

#: A value of a template is on at least this share of the pages that have its kind of element. Values are on
#: nearly all of them or on few, so most sites are read in the same way with any share from .9 to 1.
_STEADY = 0.95

_Thing = TypeVar("_Thing")


def learn_vocabulary(layouts: Sequence[Layout], least: int) -> dict[str, int]:
    """Return the attribute values of the templates, ``tag#id`` and ``tag.class``, with their number of pages.

    An element's place is its tag and those around it. A value is compared with the most common value of the
    same elements. All values that differ in their digits only count as one value there: they may be numbers
    of posts.

    :param least: a value must be on this many pages in any case.

    Cost: linear in the number of different elements and places.
    """
    if least == len(layouts) == 1:  # there is nothing to compare with: all values count
        return dict.fromkeys(sorted(chain.from_iterable(map(tokens_of, {*layouts[0].steps}))), 1)
    counts = _ValueCounts()
    for layout in layouts:
        counts.add(layout)
    return counts.steady(least)


class _Numbers(dict[_Thing, int]):
    """Numbers things in the order in which they come, from 0 on."""

    def __missing__(self, thing: _Thing) -> int:
        number = self[thing] = len(self)
        return number


class _ValueCounts:
    """Counts of attribute values and of their shapes, over all and at each place.

    Elements, and values at a place, have numbers: pages have most of them in common, and numbers cost less.
    """

    def __init__(self) -> None:
        self._bare = Paths({})
        self._steps = _Numbers[Step]()
        #: For each place and element the values that it has there; for each of these the value alone.
        self._values: dict[tuple[str, int], Sequence[int]] = {}
        self._there = _Numbers[tuple[str, str]]()
        self._alone: list[str] = []
        #: The pages of each element at a place, of each value at a place, and of each value.
        self._elements = Counter[tuple[str, int]]()
        self._pages_there, self._pages = Counter[int](), Counter[str]()

    def add(self, layout: Layout) -> None:
        """Count a page."""
        places = self._bare.of(layout)
        steps = [*map(self._steps.__getitem__, layout.steps)]
        elements = dict(zip(zip(places, steps, strict=True), layout.steps, strict=True))
        for place, number in filterfalse(self._values.__contains__, elements):
            tokens = tokens_of(elements[place, number])
            values = dict.fromkeys([*tokens, *map(_shape, tokens)])
            self._values[place, number] = [self._there[place, value] for value in values]
        self._alone += [value for _, value in islice(self._there, len(self._alone), None)]
        found = set(chain.from_iterable(map(self._values.__getitem__, elements)))
        self._elements.update(elements.keys())
        self._pages_there.update(found)
        self._pages.update(set(map(self._alone.__getitem__, found)))

    def steady(self, least: int) -> dict[str, int]:
        """Return the values that nearly all elements of their kind have, on this many pages at least.

        A value and its usual one are compared by their pages all in all, and by those at each place at which
        no page has two such elements. Where there are several, they differ without naming the content.
        """
        elements = Counter[int]()
        for element, values in self._values.items():
            elements.update(dict.fromkeys(values, self._elements[element]))
        own, around, most = Counter[str](), Counter[str](), Counter[str]()
        for value, usual in self._usual().items():
            token, pages = self._alone[value], self._pages_there[usual]
            most[token] = max(most[token], self._pages[self._alone[usual]])
            if elements[usual] == pages:
                own[token] += self._pages_there[value]
                around[token] += pages
        return {
            token: count
            for token in sorted(most)
            if (count := self._pages[token]) >= least
            and count + own[token] >= _STEADY * (most[token] + around[token])
        }

    def _usual(self) -> dict[int, int]:
        """Return for each value at a place the one that most pages have there, of the values of its elements.

        An id is compared with ids of its shape only: classes tell what an element is like, an id which it is.
        """
        found: dict[int, int] = {}
        steps = [*self._steps]
        for (place, number), values in self._values.items():
            usual = max(values, key=self._rank, default=0)
            for token in tokens_of(steps[number]):
                value = self._there[place, token]
                other = self._there[place, _shape(token)] if "#" in token else usual
                if self._pages_there[other] > self._pages_there[value]:
                    found[value] = max(found.get(value, value), other, key=self._rank)
                else:
                    found.setdefault(value, value)
        return found

    def _rank(self, value: int) -> tuple[int, int, str]:
        """Return the order of values at a place: by pages there, then by pages all in all."""
        alone = self._alone[value]
        return self._pages_there[value], self._pages[alone], alone


@lru_cache(maxsize=20_000)
def _shape(token: str) -> str:
    """Return a value with its digits folded to a sign that no value has; without digits, the value."""
    return DIGITS.sub(" ", token)


# --- Learn and remove what a site puts before and after the title in the ``title`` element

#: Prefixes and suffixes of ``title`` elements, with the separators between them and the title.
Affixes = tuple[tuple[str, ...], tuple[str, ...]]

#: Bound: so many separators count from each end of a title: each makes a part of it, which is kept. On 60
#: real sites no title has more than 6 of them.
_MOST_BREAKS = 20

_BREAK = re.compile(r"(?<!\s)\s*+[^\w\s'’\"“”()\[\],.!?%&#$+]++\s*+")


def learn_affixes(titles: Sequence[str], share: float = 0.05, least: int = 2) -> Affixes:
    """Return the prefixes and suffixes that recur among a site's distinct titles.

    A title is cut only at separators between words (dashes, bars, colons ...), so a
    word with which many titles begin is not a prefix.

    :param share: an affix must be in this share of the titles, from 0 to 1 ...
    :param least: ... and in this many titles in any case.

    Cost: linear in the number of separators.
    """
    distinct = sorted({title for title in titles if title})
    needed = max(least, share * len(distinct))
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    for title in distinct:
        prefixes, suffixes = affixes_of(title)
        before.update(prefixes)
        after.update(suffixes)
    return _recurring(before, needed), _recurring(after, needed)


def affixes_of(title: str) -> Affixes:
    """Return the parts with which a title begins and ends, one of each per separator.

    >>> affixes_of("Ferry delayed - Example News")
    (('Ferry delayed - ',), (' - Example News',))
    """
    breaks = [found for found in _BREAK.finditer(title) if found.start() > 0 and found.end() < len(title)]
    before, after = breaks[:_MOST_BREAKS], breaks[-_MOST_BREAKS:]
    return tuple(title[: one.end()] for one in before), tuple(title[one.start() :] for one in after)


@lru_cache(maxsize=32)  # as for strip_affixes
def ends_of(title: str) -> frozenset[str]:
    """Return the parts with which a title begins or ends, without the separators.

    >>> sorted(ends_of("Net | API | Example"))
    ['API | Example', 'Example', 'Net', 'Net | API']
    """
    breaks = [*_BREAK.finditer(title)]
    ends = {title[: one.start()] for one in breaks[:_MOST_BREAKS]}
    ends |= {title[one.end() :] for one in breaks[-_MOST_BREAKS:]}
    return frozenset(ends - {""})


@lru_cache(maxsize=32)  # several steps of extraction ask for the same title
def strip_affixes(title: str, affixes: Affixes) -> str:
    """Return a title without the longest prefix and suffix of its site; the result is never empty."""
    before, after = affixes
    prefix = max((p for p in before if title.startswith(p)), key=len, default="")
    rest = title[len(prefix) :]
    suffix = max((s for s in after if rest.endswith(s) and len(s) < len(rest)), key=len, default="")
    return rest[: len(rest) - len(suffix)].strip() or title


def _recurring(counts: Counter[str], needed: float) -> tuple[str, ...]:
    return tuple(sorted(affix for affix, count in counts.items() if count >= needed))


# --- Find boilerplate: text that several pages of a site have at the same path
#
# For each pair of a path and a folded text, the pages are counted. A text that recurs is boilerplate if most
# of the text at its path recurs. Among varying text ("To upgrade:" before each new list of changes) it is the
# author's, unless most pages have it. Paragraphs of articles that lists of the site repeat are the author's,
# too: each of them recurs, but on a few pages only.

#: A path and a folded text at this path (:func:`~scrapy_webstemmer.html.text.boilerplate_key`).
BoilerplateKey = tuple[str, str]

#: A page's layout, the paths of its blocks, its title, and for blocks that it shows for other pages the
#: heading that leads there.
NamedPage = tuple[Layout, Sequence[str], str, Mapping[int, str]]

#: If more than this share of a path's text recurs, all recurring text there is boilerplate.
_PATH_RECURS = 0.5
#: A text with this many characters is a paragraph.
_PARAGRAPH = 60
#: If this many paragraphs recur at a path, the number of pages with them decides ...
_SEVERAL = 5
#: ... : boilerplate is on this mean share of the pages with its element, at least. Articles that lists of the
#: site repeat in full are on a few pages each, however many articles there are.
_WIDESPREAD = 0.1
#: A text is boilerplate if more than this share of the pages with its element of the template have it.
_MOST_PAGES = 0.5
#: A title with this many characters is found in other texts: it is too long to be there by chance.
_TITLE = 10
#: A text with the title in it must have this many other significant characters to be counted without it.
_REST = 5
_HAS_REST = re.compile(rf"(?:[\W_]*[^\W_]){{{_REST}}}")


class BoilerplateTexts:
    """The boilerplate of a site.

    :ivar texts: for each path, the folded texts that are boilerplate there.
    """

    def __init__(self, keys: Iterable[BoilerplateKey]) -> None:
        texts: dict[str, set[str]] = defaultdict(set)
        for path, text in keys:
            texts[path].add(text)
        self.texts = dict(texts)
        self._begins = {path: {text[:1] for text in found} for path, found in texts.items()}

    def among(self, layout: Layout, places: Sequence[str], title: str) -> tuple[bool, ...]:
        """Return for each block of a page whether it is boilerplate.

        :param places: the path of each block.
        :param title: the page's own title, as for :func:`keys_of`.

        Cost: a look at each block; few texts are folded.
        """
        without = _without if len(title) >= _TITLE else None
        known = self.texts, self._begins
        return boilerplate_flags(layout.blocks, tuple(places), title, *known, _known_key, without)

    def has(self, path: str, text: str) -> bool:
        """Return whether a text is boilerplate at a path."""
        texts = self.texts.get(path)
        return texts is not None and boilerplate_key(text) in texts


@lru_cache(maxsize=8_192)  # the same texts come on page after page
def _known_key(text: str) -> str:
    return boilerplate_key(text)


def keys_of(texts: Sequence[str], places: Sequence[str], title: str) -> Iterator[BoilerplateKey]:
    """Return for each text on a page its path and its key, in turn.

    :param places: the path of each text.
    :param title: the page's own title. A line with it and more ("Comments on ...") counts without it.
    """
    return zip(places, boilerplate_keys(_counted(texts, title)), strict=True)


def _counted(texts: Sequence[str], title: str) -> Sequence[str]:
    """Return a page's texts. A text with the page's title and more in it comes without the title."""
    if len(title) < _TITLE or title not in "\n".join(texts):
        return texts
    return [_without(text, title) if title in text else text for text in texts]


def bare_keys(layout: Layout, paths: Sequence[str]) -> Iterator[BoilerplateKey]:
    """Yield for each block of a page its path by tags alone and its folded text; then its ``title`` element.

    For a comparison of two pages alone: nothing tells which of their ids and classes belong to the template.
    These paths begin with a slash, so none of them is a path of the site's vocabulary.
    """
    for block in layout.blocks:
        yield f"/{bare(paths[block.node])}", boilerplate_key(block.text)
    yield f"/{TITLE_ELEMENT}", boilerplate_key(layout.title_element)


def _without(text: str, title: str) -> str:
    rest = text.replace(title, "\0")
    return rest if _HAS_REST.match(rest) else text


def boilerplate_texts(pages: Sequence[NamedPage], share: float, least: int) -> frozenset[BoilerplateKey]:
    """Return the texts of a site that are boilerplate.

    :param share: a text must be on this share of the pages, from 0 to 1 ...
    :param least: ... and on this many pages in any case.

    Cost: linear in the number of blocks.
    """
    seen = _TextCounts()
    for page in pages:
        seen.add(*page)
    seen.count_shown(least)
    needed = max(least, share * len(pages))
    frequent = {key: number for key, number in seen.numbers.items() if seen.pages[number] >= needed}
    recurring = seen.recurring(frequent)
    return frozenset(
        key
        for key, number in frequent.items()
        if key[0] in recurring or seen.pages[number] > _MOST_PAGES * seen.present[coarse(key[0])]
    )


class _TextCounts:
    """Counts of the texts at each path.

    :ivar numbers: for each path and folded text its number, from 0 on.
    :ivar pages: for each number, how many pages have the text.
    :ivar weights: for each number, the weight of the text on all pages together.
    :ivar present: for each element of the template, how many pages have text in it.

    A text that a page shows for another page is a witness for that page, not for the one that shows it.
    However many lists show a post, it is one. This holds where pages have text of their own; what all of them
    show in another place, such as teasers, is counted by pages.
    """

    def __init__(self) -> None:
        self.numbers: dict[BoilerplateKey, int] = {}
        self.pages: Counter[int] = Counter()
        self.weights: list[int] = []
        self.present: Counter[str] = Counter()
        self._own: Counter[str] = Counter()
        self._named: dict[str, set[int]] = {}
        self._shown: defaultdict[int, set[str]] = defaultdict(set)
        self._showing: Counter[int] = Counter()

    def add(self, layout: Layout, places: Sequence[str], title: str, shown: Mapping[int, str]) -> None:
        """Count a page.

        :param shown: for each block that the page shows for another one, the heading that leads there.
        """
        numbers, others = set[int](), set[int]()
        own = set(places)
        for index, (key, block) in enumerate(
            zip(keys_of([block.text for block in layout.blocks], places, title), layout.blocks, strict=True)
        ):
            number = self.numbers.setdefault(key, len(self.weights))
            if number == len(self.weights):
                self.weights.append(0)
            self.weights[number] += block.weight
            if index in shown:
                self._shown[number].add(shown[index])
                others.add(number)
            else:
                numbers.add(number)
        if shown:
            own = {place for index, place in enumerate(places) if index not in shown}
        self._own.update(set(map(_holder, own)))
        self._named.setdefault(boilerplate_key(title), set()).update(numbers)
        self._showing.update(others - numbers)
        self.pages.update(numbers)
        self.present.update(set(map(coarse, set(places))))

    def count_shown(self, least: int) -> None:
        """Count the texts that pages show for others, when all pages have been seen.

        A page that was seen itself is no further witness. There are no more of them than pages with the text.

        :param least: so many pages must have text of their own in the same element of the template.
        """
        paths = {number: _holder(path) for (path, _), number in self.numbers.items() if number in self._shown}
        for number, heads in self._shown.items():
            showing = self._showing[number]
            if self._own[paths[number]] >= least:
                unseen = sum(number not in self._named.get(head, ()) for head in heads)
                showing = min(showing, unseen)
            self.pages[number] += showing

    def recurring(self, frequent: Mapping[BoilerplateKey, int]) -> set[str]:
        """Return the paths at which enough text is frequent, given the numbers of the frequent texts."""
        repeated: Counter[str] = Counter()
        for (path, _), number in frequent.items():
            repeated[path] += self.weights[number]
        total = dict.fromkeys(repeated, 0)
        for (path, _), weight in zip(self.numbers, self.weights, strict=True):
            if path in total:
                total[path] += weight
        repeats = self._paths_of_repeats(frequent)
        return {
            path
            for path, weight in repeated.items()
            if weight > _PATH_RECURS * total[path] and path not in repeats
        }

    def _paths_of_repeats(self, frequent: Mapping[BoilerplateKey, int]) -> set[str]:
        """Return the paths of articles that other pages repeat: each paragraph there is on a few pages."""
        shares: dict[str, list[float]] = defaultdict(list)
        for (path, text), number in frequent.items():
            if len(text) >= _PARAGRAPH:
                shares[path].append(self.pages[number] / self.present[coarse(path)])
        return {
            path for path, found in shares.items() if len(found) >= _SEVERAL and fmean(found) < _WIDESPREAD
        }


@lru_cache(maxsize=20_000)
def _holder(path: str) -> str:
    """Return the path of the element that holds a running text, whatever classes its paragraphs have."""
    while "/" in path and tag_of(path) in TEXT_TAGS:
        path = path.rpartition("/")[0]
    return path
