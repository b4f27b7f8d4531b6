"""Find the day on which an article was published. Needs the extra ``dates``.

The first of these that states a day decides:

1. the url, if its path has a whole date: it is the day where the author lives;
2. the metadata of the head, and JSON-LD;
3. a ``time`` that is marked as the publication's, outside lists of other pages;
4. the first ``time`` in supplementary sections, in the main text, or shortly before it;
5. a line of text with a date ("May 5, 2014, by Ann") in a supplementary section, next to the main text, or
   at its beginning.

Many urls have a year and a month alone. Then a day of another month is that of something else: of a
modification, of a related page, of the day on which a new template was built.

The library htmldate reads the dates. On a whole page it also guesses: from the modification, a copyright
line, the oldest date of the comments. So it gets a small tree with only one of these parts.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from itertools import chain
from urllib.parse import urlsplit

from htmldate import find_date
from lxml import etree, html

from ..html.markup import attributes_of
from ..html.parsing import Element
from ..site.comments import is_stamp
from ..site.model import PlacedLayout
from ..values import Markup

logger = logging.getLogger(__name__)

#: Names of metadata that state a publication; ``date`` alone counts as one.
_PUBLISHED = re.compile(r"publi|pub-?date|creat|issued|posted|(?:^|[.:_-])date$", re.IGNORECASE)
_MODIFIED = re.compile(r"modif|updat|revis", re.IGNORECASE)
_JSON = re.compile(r'"datePublished"\s*:\s*"[^"]*"')
#: Attributes with which a ``meta`` element states something; others may have names that lxml refuses.
_META = frozenset({"name", "property", "itemprop", "pubdate", "content", "datetime"})
_COLON, _DIGITS = re.compile(r"(?<!\s)\s*+:\s*+"), re.compile(r"\d+")
#: Characters that lxml reads in a page, but refuses from us.
_NO_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
#: A whole date in a url's path, and a year with a month.
_YEAR = r"((?:19|20)\d\d)"
_URL_DAY = re.compile(rf"/{_YEAR}/(\d\d)/(\d\d)(?=[/.]|$)|(?<!\d){_YEAR}([-_])(\d\d)\5(\d\d)(?!\d)")
_URL_MONTH = re.compile(rf"/{_YEAR}/(0[1-9]|1[0-2])/")
_A_DAY = timedelta(days=1)
#: So many blocks before the main text, above its title, and after it may have a line with its date.
_BEFORE, _ABOVE, _AFTER = 5, 2, 3
#: If only one of so many blocks below the main text has a ``time`` that is marked as a publication's, it is
#: not that of a list of other articles.
_FOOT = 20
#: Such a line weighs at most this, with names and topics.
_LINE = 100
#: The first line of the main text is a date if it has at most this number of words.
_DATE_ALONE = 4
#: Number of characters of a line that are read, as in htmldate itself.
_LONGEST = 52
#: The latest possible date. It is fixed: the present would make the result depend on the day of the run.
_LATEST = datetime(2039, 12, 31)


def publication_date(
    page: PlacedLayout, main: Sequence[int], sub: Sequence[int], title: str = ""
) -> str | None:
    """Return the day on which an article was published, ``YYYY-MM-DD``; None if the page states none.

    :param page: the page; its layout has its markup. The tree is not changed.
    :param main: indexes of the blocks of the main text.
    :param sub: indexes of the blocks of the supplementary sections.
    :param title: the path of the title.

    If a time zone is given, it is the day in that zone. An error does not cost the article: it then has no
    date. Cost: nothing for a url with a date; else one pass over the page's ``meta``, ``script`` and ``time``
    elements, and a small tree for htmldate.
    """
    try:
        path = urlsplit(page.url).path
        return _day_in(path) or next(filter(_same_month(path), _stated_dates(page, main, sub, title)), None)
    except Exception as error:  # what a library makes of odd characters and dates, nobody foresees
        logger.debug("no date of %r: %s: %s", page.url, type(error).__name__, error)
        return None


def _day_in(path: str) -> str | None:
    """Return the date in a url's path; None if there is no whole date."""
    for numbers in _URL_DAY.finditer(path):
        year, month, day = (int(number) for number in numbers.groups() if number and number.isdigit())
        with suppress(ValueError):
            return date(year, month, day).isoformat()
    return None


def _same_month(path: str) -> Callable[[str], bool]:
    """Return a function that tells whether a day is in the month that a url's path names, or next to it."""
    named = _URL_MONTH.search(path)
    if named is None:
        return lambda _: True
    first = date(int(named[1]), int(named[2]), 1)
    last = (first + timedelta(days=32)).replace(day=1)
    return lambda day: first - _A_DAY <= date.fromisoformat(day) <= last


def _stated_dates(page: PlacedLayout, main: Sequence[int], sub: Sequence[int], title: str) -> Iterator[str]:
    """Yield the days that a page states, the surest first."""
    blocks, markup = page.layout.blocks, page.layout.markup
    assert markup is not None  # noqa: S101 - an article's layout has it
    root = markup.tree()
    if found := _find(_head(root), []):
        yield found
    alone = [
        n for n, block in enumerate(blocks) if not (page.repeated[block.node] or page.leading[block.node])
    ]
    before = _before(page, main[0], page.places.index(title) if title in page.places else None)
    below = range(main[-1] + 1, len(blocks))
    stated = (dict(element.attrib) for element in root.iter("time") if _is_marked(element))
    marked = filter(_is_published, _times_in(markup, sorted({*alone, *before})))
    foot = [*filter(_is_published, _times_in(markup, below[:_FOOT]))]
    others = (time for time in _times_in(markup, sorted({*sub, *main, *before})) if not _is_modified(time))
    for time in chain(stated, marked, foot if len(foot) == 1 else (), others):
        element = _element("time", "", {"datetime": time.get("datetime", "")})
        if found := _find([], [element]):
            yield found
    after = (n for n in below[:_AFTER] if n in alone)
    near = [blocks[n].text for n in (*before, *after) if blocks[n].weight <= _LINE]
    first = blocks[main[0]].text
    beginning = [first] if len(first.split()) <= _DATE_ALONE else []
    lines = (*(blocks[n].text for n in sub), *filter(is_stamp, near + beginning))
    yield from filter(None, (_date_in(line[:_LONGEST]) for line in lines))


def _before(page: PlacedLayout, first: int, title: int | None) -> list[int]:
    """Return the blocks between title and main text; further up, only what is no boilerplate and in no list.

    The head of a newspaper's page may have the day on which the page was fetched.

    :param first: the first block of the main text.
    :param title: the block with the title; None: the page shows none.
    """
    blocks, begin = page.layout.blocks, first if title is None or title > first else title
    near = [n for n in range(max(begin + 1, first - _BEFORE), first) if not page.leading[blocks[n].node]]
    above = [
        n
        for n in range(max(0, begin - _ABOVE), begin)
        if not (page.boilerplate[n] or page.repeated[blocks[n].node] or page.leading[blocks[n].node])
    ]
    return above + near


def _head(root: Element) -> list[Element]:
    """Return copies of the page's metadata about its publication."""
    found = []
    for meta in root.iter("meta"):
        key = meta.get("name") or meta.get("property") or meta.get("itemprop") or ""
        if _PUBLISHED.search(key) and not _MODIFIED.search(key):
            found.append(_element("meta", "", {k: v for k, v in meta.attrib.items() if k in _META}))
    for script in root.iter("script"):
        if script.get("type") == "application/ld+json" and (stated := _JSON.search(script.text or "")):
            text = "{" + _COLON.sub(": ", stated[0], count=1) + "}"
            return [*found, _element("script", text, {"type": "application/ld+json"})]
    return found


def _times_in(markup: Markup, blocks: Iterable[int]) -> Iterator[Mapping[str, str]]:
    """Yield the attributes of the ``time`` elements in some blocks."""
    for first, end in (markup.blocks[index] for index in blocks):
        for piece in markup.pieces[first:end]:
            if piece.startswith("time "):
                yield attributes_of(piece.partition(">")[0])


def _is_published(time: Mapping[str, str]) -> bool:
    """Return whether a ``time`` is marked as the publication's by its class, as many blogs do it."""
    return _PUBLISHED.search(":".join(time.get("class", "").split())) is not None


def _is_modified(time: Mapping[str, str]) -> bool:
    return _MODIFIED.search(f"{time.get('class', '')} {time.get('itemprop', '')}") is not None


def _is_marked(element: Element) -> bool:
    return "pubdate" in element.attrib or bool(_PUBLISHED.search(element.get("itemprop", "")))


def _date_in(text: str) -> str | None:
    """Return the date in a line of text; None if it is a guess, such as the first day of a year."""
    found = _find([], [_element("div", text, {"class": "date"})], text=True)
    if found is None:
        return None
    numbers = {int(digits) for digits in _DIGITS.findall(text) if len(digits) <= len("2014")}
    year, _, day = map(int, found.split("-"))
    return found if day in numbers and {year, year % 100} & numbers else None


def _find(head: Sequence[Element], body: Sequence[Element], text: bool = False) -> str | None:
    """Return the original date that htmldate finds in a page with only these elements."""
    if not head and not body:
        return None
    page = html.Element("html")
    etree.SubElement(page, "head").extend(head)
    etree.SubElement(page, "body").extend(body)
    found = find_date(page, extensive_search=text, original_date=True, url="", max_date=_LATEST)
    return str(found) if found else None


def _element(tag: str, text: str, attributes: Mapping[str, str]) -> Element:
    made = html.Element(tag, {name: _NO_XML.sub("", value) for name, value in attributes.items()})
    made.text = _NO_XML.sub("", text)
    return made
