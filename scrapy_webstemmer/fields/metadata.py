"""Give the fields of an article: what its page states, corrected and completed by what the site teaches.

For each field the first of these that gives a value decides:

1. the url, for a day;
2. the places where the layout's pages show it (``fields/field_places.py``);
3. what the page states to programs (``page/statements.py``), if not most of the site's articles state it;
4. elements near the text that are marked as an author, a topic (``page/marks.py``).

For a day, 3, marked times and lines around the title and the text are one decision (``publication.py``).

Many urls have a year and a month alone. Then a day of another month is that of something else: of a
modification, of a related page, of the day on which a new template was built. A url may also have the day or
the month of an issue: then the page both states and shows another day.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import chain
from typing import Any

from ..base.urls import name_in_host
from ..page.addresses import is_logo
from ..page.calendars import days_in
from ..page.days import DAY_SIZE, day_in, day_in_url, day_like_in_url, is_in_month, says_changed
from ..page.lines import line_of
from ..page.marks import AUTHOR, CATEGORY, MODIFIED, TIME, TOPIC, Mark, block_at, marks_in
from ..page.markup import markup_of
from ..page.names import names_in
from ..page.statements import CHANGED, Statements
from ..page.text import language_in, letters, may_be_in
from ..site.affixes import site_beside
from ..site.main_text import prose
from ..site.named_parts import COMMENTS, is_in
from ..site.placed import PlacedLayout
from ..site.threads import may_be_post
from ..site.weighing import short_lines
from ..values import ArticleImage, Author, Comment, FieldPlace, Pattern, SitePatterns
from .authors import (
    BYLINES,
    AuthorClue,
    likeliest_authors,
    marks_at,
    or_first_stated,
    shown_authors,
    stated_authors,
    with_links,
)
from .breadcrumbs import shown_breadcrumbs
from .bylines import is_handle
from .comments import comments_on, opened_by, who_began
from .field_places import ANY, AUTHORS, CATEGORIES, DAY, LANGUAGE, LEAST_TEXTS, TAGS, day_at, shown_at
from .publication import (
    MARKED,
    SAID_CHANGED,
    STATED,
    Clue,
    agreed_days,
    evidence_by_day,
    field_weights,
    is_other_in_url,
    likeliest,
    marked_changes,
    shown_clues,
    stated_clues,
)
from .surroundings import HEAD, Around, around_text
from .topics import categories_near, is_category, topics_near

#: Where a value may come from, in the words of ``--explain``; a learned place is named.
URL, TEXTS, TEXT = "the url", "the texts of the site", "the text"

#: Marks count in so many blocks before the main text, and after it; those of authors also behind the title.
_BLOCKS_BEFORE, _BLOCKS_AFTER = 12, 40
#: If so many pages of a layout are known, authors who have no place there are hardly looked for elsewhere.
_ENOUGH_PAGES = 10
#: Bound: so many lines at a place are read.
_MOST_LINES = 50
#: A line that says when the page was changed weighs at most this.
_SAYS_CHANGE = 60


class Fields:
    """The fields of one article. Each is looked for when it is asked for.

    :param page: the page; its layout has its markup. The markup is not changed.
    :param main: indexes of the blocks of the main text.
    :param pattern: the pattern by which the page was read.
    :param site: what is learned about the site; None: nothing is.
    :param title: the path of the title; empty: the page shows none.
    :param sub: indexes of the blocks of the supplementary sections.
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
    ) -> None:
        self._page, self._main, self._pattern, self._site = page, main, pattern, site
        self._markup, self._title, self._sub, layout = markup_of(page.layout), title, sub, page.layout
        self._statements = Statements(self._markup, page.url, layout.announced, layout.title_element)
        self._common: Mapping[str, Sequence[str]] = site.common if site else {}
        #: Returns a block's text with its inline tags; authors and topics often stand in one block.
        self._line = cache(partial(line_of, page.layout))
        self.sources: dict[str, str] = {}
        self._statements.language = self.language or ""  # its words tell names and days

    def metadata(self, images: tuple[ArticleImage, ...] = ()) -> dict[str, Any]:
        """Return all fields but the day and the comments, as arguments of ``Article``.

        :param images: the pictures in the article.
        """
        stated = self._statements
        published, published_raw = self.published
        modified, modified_raw = self.modified
        site = f"{self._site_name} {name_in_host(self._page.url)}"
        pictures = (url for url in stated.images if not is_logo(url, site))
        return {
            "date_published": published,
            "date_published_raw": published_raw,
            "date_modified": modified,
            "date_modified_raw": modified_raw,
            "authors": self.authors,
            "description": self._unless_common("description", stated.description),
            "main_image": self._unless_common("main_image", next(pictures, "")),
            "videos": stated.videos,
            "audios": stated.audios,
            "language": self.language,
            "tags": self.tags,
            "breadcrumbs": stated.breadcrumbs or shown_breadcrumbs(self._page.layout, stated.address),
            "canonical_url": self._unless_common("canonical_url", stated.canonical),
            "site_name": stated.site_name or site_beside(self._page, self._shown_title) or None,
            "comment_count": stated.comment_count,
            "images": images,
        }

    def _unless_common(self, field: str, value: str) -> str | None:
        """Return a stated value; None if there is none, or if it is the site's and not the article's."""
        return None if not value or value in self._common.get(field, ()) else value

    @property
    def authors(self) -> tuple[Author, ...]:
        """The authors."""
        language, names = self._statements.language, list[str]()
        for values in self._values_at(AUTHORS):
            others = [*dict.fromkeys(name for value in values for name in names_in(value, language))]
            if {*names} < {*others}:  # the first may be a box about one of several authors
                names = others
        # of a site that states itself as the author, a learned place may be its logo
        if names and not (self._are_sites(names) and any(clue.is_byline for clue in self.author_clues)):
            return with_links(names, self._statements, lambda: self._marks_near(AUTHOR))
        if best := likeliest_authors(self.author_clues):
            if best.source != STATED:
                author = opened_by(self._page, self._main)
                if author and author[0].name not in [other.name for other in best.authors]:
                    return author
                self.sources[AUTHORS] = best.source
            return best.authors
        return who_began(self._page, self._main) if may_be_post(self._page, self._main) else ()

    @cached_property
    def author_clues(self) -> list[AuthorClue]:
        """The authors whom the page names, whether they are those of the article or not."""
        clues = [*stated_authors(self._statements)]
        if self._main:
            marks = self._marks_near(AUTHOR)
            if self._pattern.pages >= _ENOUGH_PAGES:
                # what is marked at a learned place, in another form, is the author
                known = {block for place in self._places(AUTHORS) for block in self._own_blocks_at(place)}
                marks = marks_at(self._page.layout, marks, known)
            shown = [*shown_authors(self._page, self._around.parts, marks, self._dated, self._statements)]
            if any(clue.is_near_title and not self._is_common(clue) for clue in shown):
                clues = [clue for clue in clues if not self._is_common(clue)]
            clues = or_first_stated([*clues, *shown], self._page, self._main, self._statements)
            if any(clue.is_byline and not self._are_sites(clue.names) for clue in shown):
                clues = [clue for clue in clues if not self._are_sites(clue.names)]
        return clues

    def _is_common(self, clue: AuthorClue) -> bool:
        """Return whether most articles of the site state the same authors."""
        return {*clue.names} <= {*self._common.get(AUTHORS, ())}

    def _are_sites(self, names: Sequence[str]) -> bool:
        """Return whether all names are those of users, or of the site."""
        return all(is_handle(name) or letters(name) in self._site_name for name in names)

    @property
    def _shown_title(self) -> str:
        places, blocks = self._page.places, self._page.layout.blocks
        return blocks[places.index(self._title)].text if self._title in places else ""

    @cached_property
    def _site_name(self) -> str:
        """The letters of the site's name: of the stated one, and of what the head has beside the title."""
        title, head = letters(self._shown_title), letters(self._page.layout.title_element)
        beside = head.split(title) if title and title in head else ()
        return " ".join((letters(self._statements.site_name), *beside))

    def _dated(self) -> list[int]:
        """Return the blocks that show a day."""
        return [clue.block for clue in self.clues if clue.block >= 0]

    @property
    def tags(self) -> tuple[str, ...]:
        """The topics."""
        names, stated = next(self._values_at(TAGS), ()), self._statements.tags
        is_first = bool(stated[1:]) and [*map(letters, names)] == [letters(stated[0])]
        if names and not is_first:  # of several, a site may show the first one alone
            return tuple(names)
        self.sources.pop(TAGS, None)
        if stated or not self._main:
            return stated or self._statements.keywords
        near = self._page, self._main, lambda: self._around.parts[HEAD], self._marks_near, self._line
        if names := topics_near(*near):
            self.sources[TAGS] = MARKED
        elif keywords := self._statements.keywords:
            return keywords
        elif learned := next(self._values_at(CATEGORIES), []):
            self.sources[TAGS] = self.sources.pop(CATEGORIES)
            names = [*filter(is_category, learned)]
        elif names := categories_near(*near):
            self.sources[TAGS] = MARKED
        return tuple(names)

    @cached_property
    def language(self) -> str | None:
        """The language; that of the site or of the text if the page states none, or one not to trust."""
        stated, site = self._statements.language, self._site
        base, learned = stated.partition("-")[0], site.languages if site else ()
        alone = site is None or (not learned and site.pages < LEAST_TEXTS)
        is_told = alone or len(learned) > 1  # by the text
        text = prose(self._page, self._main) if is_told else ""
        is_usual = not learned or base not in ("", *self._common.get(LANGUAGE, ()))
        is_sure = may_be_in(text, base) if alone else is_usual
        if is_sure:
            return stated or None
        told = language_in(text, learned or (base,)) if is_told else learned[0]
        if told and told != base:
            self.sources[LANGUAGE] = TEXT if is_told else TEXTS
            return told
        return (stated if told or alone else "") or None

    def _places(self, field: str) -> list[FieldPlace]:
        return [place for place in self._pattern.places if place.field == field]

    @cached_property
    def _blocks_at(self) -> Mapping[str, list[int]]:
        """The blocks at each place of the pattern's fields; not of replies below this one."""
        by_path: dict[str, list[int]] = {place.path: [] for place in self._pattern.places}
        page, last = self._page, max(self._main, default=-1)
        for index in [index for index, path in enumerate(page.places) if path in by_path]:
            blocks = by_path[page.places[index]]
            if not (blocks and blocks[0] <= last < index):
                blocks.append(index)
        return by_path

    def _own_blocks_at(self, place: FieldPlace) -> list[int]:
        """Return the blocks at a place, but behind the text not those of lists of other articles.

        The posts of a thread look like such a list.
        """
        leading, blocks, first = self._page.leading, self._page.layout.blocks, min(self._main, default=0)
        at_place = self._blocks_at[place.path]
        if leading[blocks[first].node]:
            return at_place
        return [index for index in at_place if index < first or not leading[blocks[index].node]]

    def _values_at(self, field: str) -> Iterator[list[str]]:
        language = self._statements.language
        for place in self._places(field):
            blocks = self._blocks_at.get(place.path)
            if blocks and (values := shown_at(place, map(self._line, blocks[:_MOST_LINES]), language)):
                self.sources.setdefault(field, f"{place.path}: {place.form}")
                yield values

    def _marks_near(self, kind: str, blocks: range | None = None) -> list[Mark]:
        """Return the marks of a kind in and around the main text, but not those of replies and of lists.

        :param blocks: only those in these blocks.
        """
        layout, main = self._page.layout, self._main
        if not main:
            return []
        first = min([max(0, main[0] - _BLOCKS_BEFORE), *(self._around.parts[HEAD] if kind == AUTHOR else ())])
        near = range(first, min(main[-1] + _BLOCKS_AFTER + 1, len(layout.blocks)))
        if blocks is not None:
            near = range(max(near.start, blocks.start), min(near.stop, blocks.stop))
        marks = []
        for mark in marks_in(layout, BYLINES if kind == AUTHOR else (kind,), near, main[0]):
            if (block := block_at(layout, mark.piece)) in near:
                node = layout.blocks[block].node
                is_listed = kind not in (TOPIC, CATEGORY) and self._page.leading[node]
                if not is_listed and not is_in(COMMENTS, layout, node):
                    marks.append(mark)
        return marks

    def _times_near(self, kind: str, blocks: range | None) -> list[Mark]:
        """Return the marks of times near the text, with those of changes if one is that of the publication.

        Alone, a time that is marked so is often that of the publication: old microformats need one.
        """
        marks = self._marks_near(kind, blocks)
        is_published = any(mark.kind != kind for mark in marks)
        return [*marks, *self._marks_near(MODIFIED)] if is_published else marks

    @property
    def comments(self) -> tuple[Comment, ...]:
        """The readers' comments."""
        return comments_on(self._page, self._main, self._site.threads if self._site else None, self._day_of)

    def _day_of(self, line: str) -> str:
        """Return the day in a line: in a form or with a month that the site teaches, or as it is stated."""
        months = self._site.months if self._site else {}
        days = (day_in(form, line, months) for form in self._day_forms)
        stated = (span.day for span in days_in(line, self._statements.language))
        return next(filter(None, chain(days, stated)), "")

    @cached_property
    def _day_forms(self) -> list[str]:
        """The forms in which the site writes days, whatever the layout."""
        patterns = self._site.patterns if self._site else ()
        forms = (place.form for pattern in patterns for place in pattern.places if place.field == DAY)
        return [form for form in dict.fromkeys(forms) if form != ANY]

    @cached_property
    def published(self) -> tuple[str | None, str | None]:
        """The time of publication in ISO 8601, as exact as it is known, and the text that it was read from.

        If a time zone is given, it is the time in that zone.
        """
        day, source = "" if self._agreed else day_in_url(self._page.url), URL
        if not day:
            for place in self._places(DAY):
                shown = {self._day_at(place, block) for block in self._own_blocks_at(place)} - {""}
                if len(shown) == 1 and self._may_be(*shown):  # several are those of a list
                    (day,), source = shown, f"{place.path}: {place.form}"
                    break
        clues = [clue for clue in (self._stated_clues if day else self.clues) if self._may_be(clue.time)]
        evidence = {} if day else evidence_by_day(clues, is_learned=self._site is not None)
        known = day or likeliest(evidence, field_weights("day_weights.json"))
        if not known and (known := day_like_in_url(self._page.url)):
            day, source = known, URL
        first = next((clue for clue in clues if clue.day == known and CHANGED not in clue.evidence), None)
        if known:
            self.sources[DAY] = source if day or first is None else first.source
        return (first.time, first.raw) if first else (known or None, None)

    @property
    def modified(self) -> tuple[str | None, str | None]:
        """The time of the last change, in the same way: the first that is stated, or the only one shown."""
        for clue in self._stated_clues:
            if CHANGED in clue.evidence:
                return clue.time, clue.raw
        shown = [(time, mark.value) for mark in self._marks_near(MODIFIED) if (time := mark.time)]
        if not shown and says_changed("\n".join(short_lines(self._page, _SAYS_CHANGE))):
            shown = [clue[1:3] for clue in self.clues if {CHANGED, SAID_CHANGED} & {*clue.evidence}]
        shown = shown or [*marked_changes(self._page, self._statements.language)]
        return shown[0] if len({time[:DAY_SIZE] for time, _ in shown}) == 1 else (None, None)

    @cached_property
    def _around(self) -> Around:
        """The parts of the page that may show day and authors."""
        return around_text(self._page, self._main, {*self._sub}, self._title)

    @cached_property
    def clues(self) -> list[Clue]:
        """The times that the page states and shows, whether they are that of the publication or not."""
        clues = [*self._stated_clues]
        if self._main:
            sub, language = {*self._sub}, self._statements.language
            clues += shown_clues(self._page, self._around, self._main, sub, self._times_near, language)
        return clues

    @cached_property
    def _stated_clues(self) -> tuple[Clue, ...]:
        return (*stated_clues(self._statements),)

    def _day_at(self, place: FieldPlace, block: int) -> str:
        """Return the day that a block shows as a place says, or else the only one that its elements state."""
        layout, months = self._page.layout, self._site.months if self._site else {}
        if place.form == ANY:
            return self._day_of(layout.blocks[block].text)
        if shown := day_at(place, [layout.blocks[block].text], months):
            return shown
        marks = marks_in(layout, [TIME], range(block, block + 1))
        times = [time[:DAY_SIZE] for mark in marks if (time := mark.time)]
        return times[0] if len(times) == 1 else ""

    def _may_be(self, time: str) -> bool:
        """Return whether a time can be that of the publication."""
        day = time[:DAY_SIZE]
        is_common = day in self._common.get(DAY, ())
        return not is_common and (day in self._agreed or is_in_month(self._page.url, day))

    @cached_property
    def _agreed(self) -> set[str]:
        """The days that the page both states and shows, if its url names another one."""
        return agreed_days(self.clues) if is_other_in_url(self._page.url, self._stated_clues) else set()
