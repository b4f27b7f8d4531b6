"""Give the fields of an article: what its page states, corrected and completed by what the site teaches.

For each field the first of these that gives a value decides:

1. the url, for a day;
2. the places where the layout's pages show it (``site/fields.py``);
3. what the page states to programs (``html/statements.py``), if not most of the site's articles state it;
4. elements near the text that are marked as an author, a topic, a time (``html/marks.py``);
5. for a day, on request: a line beside the text, read by the library htmldate (the extra ``dates``).

Many urls have a year and a month alone. Then a day of another month is that of something else: of a
modification, of a related page, of the day on which a new template was built.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache, cached_property
from importlib.util import find_spec
from itertools import chain, islice

from lxml import etree, html

from ..html.marks import AUTHOR, PUBLISHED, TIME, TOPIC, Mark, block_at, line_of, marks_in
from ..html.statements import Statements, is_name, is_topic
from ..html.text import NO_XML, day_in, day_in_url, day_with, is_in_month, is_stamp, iso_time
from ..site.fields import AUTHORS, DAY, LANGUAGE, TAGS, day_at, values_in
from ..site.model import PlacedLayout, in_comments
from ..site.threads import find_comments, tags_of
from ..values import ArticleImage, Author, Comment, FieldPlace, Metadata, Pattern, SitePatterns
from .comments import read_comments

logger = logging.getLogger(__name__)

#: Where a value may come from, in the words of ``--explain``; a learned place is named.
URL, STATED, MARKED, LINE = "the url", "stated", "a marked element", "a line with a date"
TEXTS, TEXT = "the texts of the site", "the text"

#: Marks count in so many blocks before the main text, and after it.
_BEFORE, _AFTER = 12, 40
#: So many blocks before the main text, above its title, and after it may have a line with its date.
_NEAR_BEFORE, _ABOVE, _NEAR_AFTER = 5, 2, 3
#: If so many pages of a layout are known, a field that has no place there is not looked for elsewhere.
_ENOUGH_PAGES = 10
#: So many lines at a place are read.
_MOST_LINES = 50
#: More topics than this are those of the site.
_MOST_TOPICS = 30
#: A line with a date weighs at most this, with names and topics.
_LINE = 100
#: The first line of the main text is a date if it has at most this number of words.
_DATE_ALONE = 4
#: Number of characters of a line that are read, as in htmldate itself.
_LONGEST = 52
#: The language of a text is known if it has so many bytes; so many characters, of so many blocks, are read.
_ENOUGH_TEXT, _LONGEST_TEXT, _READ_BLOCKS = 100, 1_000, 20
#: An unexpected language must be so much likelier than all expected ones: e to this power. Dialects are not.
_SURELY_OTHER = 50
#: A language is clear if it is so much likelier than the next one, for each character.
_CLEARLY = 0.05
#: The latest possible date. It is fixed: the present would make the result depend on the day of the run.
_LATEST = datetime(2039, 12, 31)
_NUMBER, _TIME_OF_DAY = re.compile(r"\d+"), re.compile(r"\d{1,2}(?::\d{2})+")
_DAY = len("2014-05-06")


class Fields:
    """The fields of one article. Each is looked for when it is asked for.

    :param page: the page; its layout has its markup. The markup is not changed.
    :param main: indexes of the blocks of the main text.
    :param pattern: the pattern by which the page was read.
    :param site: what is learned about the site; None: nothing is.
    :param title: the path of the title; empty: the page shows none.
    :param sub: indexes of the blocks of the supplementary sections.
    :param lines: look for the day in lines of text, too; needs the extra ``dates``.
    :ivar sources: for a field that was looked for, where its value comes from, unless it is stated.

    Cost: that of reading the statements; a look at the lines at the learned places; a search for marks near
    the text for what is found nowhere else.
    """

    def __init__(
        self,
        page: PlacedLayout,
        main: Sequence[int],
        pattern: Pattern,
        site: SitePatterns | None = None,
        *,
        title: str = "",
        sub: Sequence[int] = (),
        lines: bool = False,
    ) -> None:
        assert page.layout.markup is not None  # noqa: S101 - the layout of an article has it
        self._page, self._main, self._pattern, self._site = page, main, pattern, site
        self._markup, self._title, self._sub, self._lines = page.layout.markup, title, sub, lines
        self._statements = Statements(self._markup, page.url, page.layout.announced)
        self._common: Mapping[str, Sequence[str]] = site.common if site else {}
        self._known_lines: dict[int, str] = {}
        self.sources: dict[str, str] = {}

    def metadata(self, images: tuple[ArticleImage, ...] = ()) -> Metadata:
        """Return all fields but the comments.

        :param images: the pictures in the article.
        """
        stated = self._statements
        published, published_raw = self.published
        modified, modified_raw = stated.modified
        return Metadata(
            date_published=published,
            date_published_raw=published_raw,
            date_modified=modified,
            date_modified_raw=modified_raw,
            authors=self.authors,
            description=self._own("description", stated.description),
            main_image=self._own("main_image", stated.image),
            videos=stated.videos,
            audios=stated.audios,
            language=self.language,
            tags=self.tags,
            breadcrumbs=stated.breadcrumbs,
            canonical_url=stated.canonical or None,
            site_name=stated.site_name or None,
            comment_count=stated.comment_count,
            images=images,
        )

    def _own(self, field: str, value: str) -> str | None:
        """Return a stated value; None if there is none, or if it is the site's and not the article's."""
        return None if not value or value in self._common.get(field, ()) else value

    # ---- authors, topics, language -----------------------------------------------------------------------

    @property
    def authors(self) -> tuple[Author, ...]:
        """The authors."""
        stated = self._statements.authors
        if names := [name for name in self._values_at(AUTHORS) if is_name(name)]:
            urls = {one.name: one.url for one in stated}
            return tuple(Author(name, urls.get(name)) for name in names)
        if stated or self._shows_nothing:
            return stated
        for mark in self._near(AUTHOR):
            if is_name(mark.value):
                self.sources[AUTHORS] = MARKED
                return (Author(mark.value, self._statements.address(mark.url) or None),)
        return ()

    @property
    def tags(self) -> tuple[str, ...]:
        """The topics."""
        if names := self._values_at(TAGS):
            return tuple(names)
        if self._statements.tags or self._shows_nothing:
            return self._statements.tags
        if names := self._marked_topics():
            self.sources[TAGS] = MARKED
        return tuple(names)

    def _marked_topics(self) -> list[str]:
        """Return the topics of the first element with topics; later ones may be those of other articles."""
        layout, found, first = self._page.layout, dict[str, None](), None
        for mark in self._near(TOPIC):
            block = block_at(layout, mark.piece)
            if self._page.boilerplate[block] or not is_topic(mark.value):
                continue
            element = self._page.places[block], layout.parents[layout.blocks[block].node]
            if element != (first or element):
                break
            found[mark.value], first = None, element
        return [*found] if len(found) <= _MOST_TOPICS else []

    @property
    def language(self) -> str | None:
        """The language; that of the site or of the text if the page states none, or one not to trust."""
        stated, learned = self._statements.language, self._site.languages if self._site else ()
        if not learned or stated.partition("-")[0] not in ("", *self._common.get(LANGUAGE, ())):
            return stated or None
        several = len(learned) > 1
        found = self._language_among(learned) if several else learned[0]
        if found and found == stated.partition("-")[0]:
            return stated
        if found:
            self.sources[LANGUAGE] = TEXT if several else TEXTS
        return found or None

    def _language_among(self, languages: Sequence[str]) -> str:
        """Return the language of the text; empty: it is short, or nothing can tell.

        :param languages: those that are expected.
        """
        text = prose(self._page, self._main)
        return language_in(text, languages) if has_language(text) and can_tell_languages() else ""

    @property
    def _shows_nothing(self) -> bool:
        """Whether enough pages of the layout are known to say that what has no place there is not shown."""
        return self._pattern.pages >= _ENOUGH_PAGES

    def _places(self, field: str) -> list[FieldPlace]:
        return [place for place in self._pattern.places if place.field == field]

    @cached_property
    def _blocks_at(self) -> Mapping[str, list[int]]:
        """The blocks at each place of the pattern's fields."""
        found: dict[str, list[int]] = {place.path: [] for place in self._pattern.places}
        for index, path in enumerate(self._page.places):
            if path in found:
                found[path].append(index)
        return found

    def _values_at(self, field: str) -> list[str]:
        for place in self._places(field):
            blocks = self._blocks_at.get(place.path)
            if blocks and (found := values_in(place.form, map(self._line, blocks[:_MOST_LINES]))):
                self.sources[field] = _named(place)
                return found
        return []

    def _line(self, block: int) -> str:
        """Return a block's text with its inline tags; authors and topics often stand in one block."""
        if block not in self._known_lines:
            self._known_lines[block] = line_of(self._page.layout, block)
        return self._known_lines[block]

    def _near(self, kind: str) -> list[Mark]:
        """Return the marks of a kind in and around the main text, but not those of comments and of lists."""
        layout, main = self._page.layout, self._main
        if not main:
            return []
        near = range(max(0, main[0] - _BEFORE), min(main[-1] + _AFTER + 1, len(layout.blocks)))
        found = []
        for mark in marks_in(layout, [kind], near):
            block = block_at(layout, mark.piece)
            if block in near:
                node = layout.blocks[block].node
                if (kind == TOPIC or not self._page.leading[node]) and not in_comments(layout, node):
                    found.append(mark)
        return found

    # ---- comments ----------------------------------------------------------------------------------------

    @property
    def comments(self) -> tuple[Comment, ...]:
        """The readers' comments."""
        page, main, known = self._page, self._main, self._site.threads if self._site else None
        found = find_comments(page, main, range(main[0] + 1, len(page.layout.blocks)), known)
        return read_comments(page, found, self._day_of) if found else ()

    def _day_of(self, line: str) -> str:
        """Return the day in a line: in a form or with a month that the site teaches, or by htmldate."""
        months = self._site.months if self._site else {}
        found = (day_in(form, line, months) for form in self._day_forms)
        day = next(filter(None, found), "") or day_with(line, months)
        return day or (day_in_line(line) if _has_htmldate() else "")

    @cached_property
    def _day_forms(self) -> list[str]:
        """The forms in which the site writes days, whatever the layout."""
        patterns = self._site.patterns if self._site else ()
        places = (place for one in patterns for place in one.places if place.field == DAY)
        return [*dict.fromkeys(place.form for place in places)]

    # ---- the time of publication -------------------------------------------------------------------------

    @cached_property
    def published(self) -> tuple[str | None, str | None]:
        """The time of publication in ISO 8601, as exact as it is known, and the text that it was read from.

        If a time zone is given, it is the time in that zone.
        """
        stated = ((STATED, time, raw) for raw in self._statements.publications if (time := iso_time(raw)))
        time, raw = next(((time, raw) for _, time, raw in stated if self._may_be(time)), (None, None))
        day, source = day_in_url(self._page.url), URL
        if not day:
            months = self._site.months if self._site else {}
            for place in self._places(DAY):
                lines = [self._page.layout.blocks[n].text for n in self._blocks_at[place.path]]
                shown = day_at(place, lines, months)
                if self._may_be(shown):
                    day, source = shown, _named(place)
                    break
        if day:
            self.sources[DAY] = source
            return (time, raw) if time and time.startswith(day) else (day, None)
        found = [(STATED, time, raw)] if time else chain(self._marked_times(), self._dated_lines())
        for source, time, raw in found:
            if self._may_be(time):
                self.sources[DAY] = source
                return time, raw
        return None, None

    def _may_be(self, time: str) -> bool:
        """Return whether a time can be that of the publication."""
        return (
            bool(time)
            and time[:_DAY] not in self._common.get(DAY, ())
            and is_in_month(self._page.url, time[:_DAY])
        )

    def _marked_times(self) -> Iterator[tuple[str, str, str]]:
        """Yield the times of elements that are marked as such.

        First those that are marked as the publication's: in and before the text, and below it if they agree;
        several are those of other articles. Then any in the article.
        """
        layout = self._page.layout
        times = [
            (mark.kind, block_at(layout, mark.piece), time, mark.value)
            for mark in self._near(TIME)
            if (time := iso_time(mark.value))
        ]
        marked = [one for one in times if one[0] == PUBLISHED]
        below = {time[:_DAY] for _, block, time, _ in marked if block > self._main[-1]}
        for _, block, time, raw in marked:
            if block <= self._main[-1] or len(below) == 1:
                yield MARKED, time, raw
        own = {*self._main, *self._sub, *self._lines_before()}
        yield from ((MARKED, time, raw) for kind, block, time, raw in times if kind == TIME and block in own)

    def _lines_before(self) -> list[int]:
        """Return the blocks between title and main text; further up only what is new, and in no list.

        The head of a newspaper's page may have the day on which the page was fetched.
        """
        page, first = self._page, self._main[0]
        blocks, places = page.layout.blocks, page.places
        title = places.index(self._title) if self._title in places else first
        begin = min(title, first)
        near = [
            n for n in range(max(begin + 1, first - _NEAR_BEFORE), first) if not page.leading[blocks[n].node]
        ]
        above = [
            n for n in range(max(0, begin - _ABOVE), begin) if self._is_alone(n) and not page.boilerplate[n]
        ]
        return above + near

    def _is_alone(self, block: int) -> bool:
        """Return whether a block is in no list."""
        page, node = self._page, self._page.layout.blocks[block].node
        return not (page.repeated[node] or page.leading[node])

    def _dated_lines(self) -> Iterator[tuple[str, str, str]]:
        """Yield the days in lines: of supplementary sections, beside the text, at its beginning."""
        if not self._lines:
            return
        blocks, main = self._page.layout.blocks, self._main
        after = range(main[-1] + 1, min(main[-1] + 1 + _NEAR_AFTER, len(blocks)))
        near = [*self._lines_before(), *filter(self._is_alone, after)]
        lines = [blocks[n].text for n in near if blocks[n].weight <= _LINE]
        if len(blocks[main[0]].text.split()) <= _DATE_ALONE:
            lines.append(blocks[main[0]].text)
        for line in (*(blocks[n].text for n in self._sub), *filter(is_stamp, lines)):
            if day := day_in_line(line):
                yield LINE, day, line


@cache
def _has_htmldate() -> bool:
    return find_spec("htmldate") is not None


def _named(place: FieldPlace) -> str:
    """Return a learned place in words."""
    return f"{place.path}: {place.form}"


@cache
def can_tell_languages() -> bool:
    """Return whether the extra ``language`` is installed, and works."""
    try:
        import py3langid  # noqa: F401 - only to see whether it is there
    except ImportError:
        return False
    return True


def prose(page: PlacedLayout, main: Sequence[int]) -> str:
    """Return the beginning of a main text without listings: code is in no language that people speak."""
    blocks, places = page.layout.blocks, page.places
    kept = islice((n for n in main if "pre" not in tags_of(places[n])), _READ_BLOCKS)
    return "\n".join(blocks[n].text for n in kept)[:_LONGEST_TEXT]


def has_language(text: str) -> bool:
    """Return whether a text is long enough to tell its language: a sentence, in any script."""
    return len(text.encode("utf-8", "replace")) >= _ENOUGH_TEXT


def language_in(text: str, among: Sequence[str] = ()) -> str:
    """Return the language of a text as a code of ISO 639; empty: none is clear. Needs the extra ``language``.

    :param text: some hundred characters are enough.
    :param among: the languages that are expected; empty: any. Another one is returned only if it is much
        likelier.

    Cost: a millisecond and a half; the first call loads the library's model.
    """
    from py3langid import rank  # an extra

    logging.getLogger("py3langid").setLevel(logging.WARNING)  # it logs that it begins
    found = rank(text)
    likely = [pair for pair in found if pair[0] in among and found[0][1] - pair[1] < _SURELY_OTHER]
    (best, most), (_, next_best) = [*likely, (None, -math.inf)][:2] if likely else found[:2]
    return str(best) if most - next_best >= _CLEARLY * len(text) else ""


def day_in_line(text: str) -> str:
    """Return the day in a line of text, ``YYYY-MM-DD``; empty if there is none, or only a guess at one.

    Such a guess is the first day of a year. An error of the library does not cost the article. Needs the
    extra ``dates``. Cost: some hundred microseconds.
    """
    from htmldate import find_date  # an extra

    page = html.Element("html")
    etree.SubElement(page, "head")
    line = etree.SubElement(etree.SubElement(page, "body"), "div", {"class": "date"})
    line.text = NO_XML.sub("", text[:_LONGEST])
    try:
        found = str(
            find_date(page, extensive_search=True, original_date=True, url="", max_date=_LATEST) or ""
        )
    except Exception as error:  # what a library makes of odd characters and dates, nobody foresees
        logger.debug("no date in %r: %s: %s", text, type(error).__name__, error)
        return ""
    if not found:
        return ""
    digits = _NUMBER.findall(_TIME_OF_DAY.sub("", text[:_LONGEST]))
    numbers = {int(one) for one in digits if len(one) <= len("2014")}
    year, _, day = map(int, found.split("-"))
    return found if day in numbers and {year, year % 100} & numbers else ""
