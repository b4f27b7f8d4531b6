"""What a review shows: the sites of a pattern file, a sample of their pages, and what became of each page.

Nothing is decided here: pages are extracted as `scrapy extract` does it.
"""

from __future__ import annotations

import hashlib
import math
import sqlite3
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from statistics import median
from threading import Event, RLock
from time import sleep
from typing import TYPE_CHECKING, Any, NamedTuple

from ..api import explain, extract
from ..base.files import replacing
from ..base.samples import drawn
from ..errors import PageError, WebstemmerError
from ..extraction.result import Result
from ..monitoring.differences import Difference, SiteChanges, difference, field_difference
from ..options import ExtractOptions
from ..page.days import day_in_url
from ..pattern_files.pattern_file import PatternSet, change_sites, is_store
from ..patterns.corrections import FIELDS, corrected
from ..values import Correction, Page, Pattern, SitePatterns
from .explanation import DOUBTFUL

if TYPE_CHECKING:
    from ..storage.sqlite import SqliteLearningSet

#: So many pages of a site are read; a site is kept until so many others were looked at.
_SAMPLE_PAGES, _KEPT_SITES = 200, 8
#: So that the first view knows what is worth a look, so many pages of a site are read before anybody looks at
#: it, and of so many sites. A page with a larger body waits until somebody asks for it.
_GLANCE, _GLANCES, _LARGE = 60, 100, 1_000_000
#: An article is odd if it is so many times as long, or as short, as the median of its layout.
_MANY_TIMES = 5
#: So many characters of a text tell whether two pages have the same.
BEGINNING = 200


class ReviewedSite(NamedTuple):
    """A site of the pattern file.

    :param site: what is learned.
    :param stored: number of its pages that are stored.
    :param articles: number of pages that its layouts of articles were learned from; ``indexes``: those of
        index pages; ``unused``: of pages that gave no layout.
    """

    site: SitePatterns
    stored: int
    articles: int
    indexes: int
    unused: int

    @property
    def learned(self) -> int:
        """The number of pages that the site was learned from."""
        return self.articles + self.indexes + self.unused

    @property
    def rank(self) -> tuple[float | str, ...]:
        """The key that sorts sites: those that need a look most come first."""
        unused = self.unused / self.learned if self.learned else 1.0
        return bool(self.articles), -len(self.site.warnings), -unused, self.site.site


class ReviewedPage(NamedTuple):
    """What a page gives.

    :param layout: the number of the layout by which it was read; 0: by none.
    :param reason: why it gives no article; empty if it gives one.
    :param length: of the article's text, in characters.
    :param day: of publication, if the page or its url says so.
    :param authors: their names.
    :param odd: why it is worth a look, each one of :data:`ODD`; empty: it is not.
    """

    url: str
    layout: int
    reason: str
    title: str = ""
    length: int = 0
    confidence: float = 0.0
    day: str = ""
    authors: str = ""
    odd: tuple[str, ...] = ()


#: Why a page is worth a look.
ODD = "no title", "low confidence", "same text as another page", "very long", "very short"
_NO_TITLE, _LOW_CONFIDENCE, _SAME_TEXT, _VERY_LONG, _VERY_SHORT = ODD


class Glance(NamedTuple):
    """What some pages of a site give.

    :param pages: number of pages that were read.
    :param articles: number of them that give an article.
    :param titled: number of articles with a title; ``dated``: with a day; ``signed``: with authors.
    :param sure: number of articles that are more likely right than wrong.
    :param odd: the pages that are worth a look, the first ones first.
    """

    pages: int
    articles: int
    titled: int
    dated: int
    signed: int
    sure: int
    odd: Sequence[ReviewedPage]

    @classmethod
    def of(cls, pages: Sequence[ReviewedPage]) -> Glance:
        """Return the counts of pages that come in the order in which they are worth a look."""
        articles = [page for page in pages if not page.reason]
        has = [(page.title, page.day, page.authors, page.confidence >= DOUBTFUL) for page in articles]
        titled, dated, signed, sure = (sum(bool(values[n]) for values in has) for n in range(4))
        odd = [page for page in articles if page.odd]
        return cls(len(pages), len(articles), titled, dated, signed, sure, odd)


class ReviewedLayout(NamedTuple):
    """A layout of a site.

    :param key: a digest of all that was learned of it. It stays the same when something is corrected.
    :param number: its place among the layouts that were learned, from 1 on.
    :param pattern: as it was corrected.
    """

    key: str
    number: int
    pattern: Pattern


def key_of(value: Pattern | Correction) -> str:
    """Return the key of a layout as it was learned, or of a correction, whose day does not count."""
    content = value[:3] if isinstance(value, tuple) else value
    return hashlib.sha256(repr(content).encode("utf-8", "replace")).hexdigest()[:32]


class StaleError(WebstemmerError):
    """What a window shows is not what the pattern file has now, so nothing was saved."""

    def __str__(self) -> str:
        what = super().__str__()
        return f"{what}: it was corrected, or learned again, since this window was opened. Nothing was saved."


class Change(NamedTuple):
    """A change of a site's corrections: one that is added, or taken back.

    :param key: of the layout for which it is made; empty: it need not be there any more.
    """

    correction: Correction
    taken_back: bool = False
    key: str = ""

    def of(self, site: SitePatterns | None) -> SitePatterns:
        """Return a site with its corrections changed.

        :raises StaleError: the site has no such layout or correction, or it fits no layout.
        """
        if site is None:
            raise StaleError("The pattern file has no such site any more")
        known = {correction[:3] for correction in site.corrections}
        if self.taken_back and self.correction[:3] not in known:
            raise StaleError("The pattern file has no such correction any more")
        if self.key and self.key not in map(key_of, site.patterns):
            raise StaleError("The pattern file has no such layout any more")
        new = replace(site, corrections=self.over(site.corrections))
        if not self.taken_back and self.correction in corrected(new)[1]:
            raise StaleError("The correction fits no layout any more")
        return new

    def over(self, known: Iterable[Correction]) -> tuple[Correction, ...]:
        """Return the corrections after this change of them."""
        others = tuple(correction for correction in known if correction[:3] != self.correction[:3])
        return others if self.taken_back else (*others, self.correction)


class Trial(NamedTuple):
    """What a change of the corrections would change.

    :param fits: whether the correction fits a layout at all.
    :param pages: number of pages that were read.
    :param differences: of those whose articles change, the most important first.
    """

    fits: bool
    pages: int
    differences: list[Difference]


def title_and_text(options: ExtractOptions, *, metadata: bool = False) -> ExtractOptions:
    """Return options for articles with title and text alone."""
    return replace(options, html=False, sections=False, metadata=metadata)


def _copy(path: Path) -> None:
    """Copy a pattern file to a name that nothing has; it begins with the file's own."""
    begin, number = f"{path.name}.{datetime.now(UTC):%Y%m%dT%H%M%S}", 1
    while (copy := path.with_name(f"{begin}{f'-{number}' if number > 1 else ''}.before")).exists():
        number += 1
    if is_store(path):
        with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(copy)) as new:
            old.backup(new)
    else:
        with replacing(copy) as stream:
            stream.write(path.read_bytes())


@dataclass
class Review:
    """Patterns, and stored pages that are read with them. Several threads may ask at the same time.

    :param stored: the pages; each site's are looked up when somebody looks at it.
    :param path: the pattern file, into which corrections are written; None: there are none.
    :param before: the patterns that these are to replace; None: there are none.
    :param changes: what that changes, for each site.
    :param has_copy: whether the file was copied before it was corrected.
    :param glances: what some pages of each site give, as far as they were read.
    :param lock: held while pages and patterns are read, which one thread at a time can do.
    """

    patterns: PatternSet
    stored: SqliteLearningSet
    options: ExtractOptions = field(default_factory=ExtractOptions)
    path: Path | None = None
    before: PatternSet | None = None
    changes: Mapping[str, SiteChanges] = field(default_factory=dict)
    has_copy: bool = False
    lock: Any = field(default_factory=RLock)
    glances: dict[str, Glance] = field(default_factory=dict)
    _pages: OrderedDict[str, list[ReviewedPage]] = field(default_factory=OrderedDict, init=False)

    @property
    def sites(self) -> list[ReviewedSite]:
        """The sites, those that need a look first. Cost: a pass over the stored rows, without bodies."""
        with self.lock:  # two threads that ask at the same time do not both find them out
            return self._sites

    @cached_property
    def _sites(self) -> list[ReviewedSite]:
        counts = self.stored.count_pages(self.patterns.sites)
        sites = ((name, self.patterns.in_use(name)) for name in self.patterns.sites)
        reviewed = [_reviewed(site, counts.get(name, 0)) for name, site in sites if site]
        return sorted(reviewed, key=attrgetter("rank"))

    def site(self, name: str) -> ReviewedSite | None:
        """Return a site of the pattern file; None: it has no such site."""
        return next((reviewed for reviewed in self.sites if reviewed.site.site == name), None)

    def layouts(self, name: str) -> list[ReviewedLayout]:
        """Return the layouts of a site in the order in which they were learned, but for forgotten ones."""
        with self.lock:
            learned, site = self.patterns.sites.get(name), self.patterns.in_use(name)
        used = {pattern.name: pattern for pattern in site.patterns} if site else {}
        return [
            ReviewedLayout(key_of(pattern), number, used[pattern.name])
            for number, pattern in enumerate(learned.patterns if learned else (), 1)
            if pattern.name in used
        ]

    def layout(self, name: str, key: str) -> ReviewedLayout | None:
        """Return a layout of a site by its key; None: the site has no such layout."""
        return next((layout for layout in self.layouts(name) if layout.key == key), None)

    def layout_of(self, result: Result) -> ReviewedLayout | None:
        """Return the layout by which a page was read; None: by none."""
        name = result.match.pattern.name if result.match else ""
        layouts = self.layouts(result.site.site) if result.site and name else []
        return next((layout for layout in layouts if layout.pattern.name == name), None)

    def pages(self, name: str) -> list[ReviewedPage]:
        """Return a sample of a site's pages, those that are worth a look first.

        Cost: that of extracting them; later calls cost nothing.
        """
        with self.lock:
            if name not in self._pages:
                self._pages[name] = self._read(name, _SAMPLE_PAGES)
                self.glances[name] = Glance.of(self._pages[name])
                if len(self._pages) > _KEPT_SITES:
                    self._pages.popitem(last=False)
            self._pages.move_to_end(name)
            return self._pages[name]

    def look_around(self, ended: Event | None = None) -> None:
        """Read some pages of the sites that need a look first, so that the first view can say what they give.

        Others may ask meanwhile, after each page.

        :param ended: when it is set, all others are left unread.

        Cost: that of extracting up to 6,000 pages.
        """
        for reviewed in self.sites[:_GLANCES]:
            name = reviewed.site.site
            if name not in self.glances:
                glance = Glance.of(self._read(name, _GLANCE, ended, most=_LARGE))
                if ended is not None and ended.is_set():
                    return
                self.glances.setdefault(name, glance)

    @property
    def is_looked_around(self) -> bool:
        """Whether :meth:`look_around` has nothing left to read."""
        return all(reviewed.site.site in self.glances for reviewed in self.sites[:_GLANCES])

    def result(self, url: str, *, before: bool = False) -> Result | None:
        """Return all that extraction finds out about a stored page; None: it is not stored.

        :param before: by the patterns that these are to replace.
        """
        with self.lock:
            page, patterns = self.stored.page(url), self.before if before else self.patterns
            return None if page is None or patterns is None else explain(page, patterns, self.options)

    def trial(self, name: str, change: Change) -> Trial:
        """Return what a correction would change on the sampled pages of a site. Nothing is written."""
        with self.lock:
            site = self.patterns.sites[name]
            new = replace(site, corrections=change.over(site.corrections))
            unfit = not change.taken_back and change.correction in corrected(new)[1]
            sets = PatternSet({name: site}), PatternSet({name: new})
            field = FIELDS.get(change.correction.what, "")
            options = title_and_text(self.options, metadata=bool(field))
            differences, pages = [], 0
            for page in self._sampled(name, _SAMPLE_PAGES):
                pages += 1
                try:
                    before, after = (extract(page, patterns, options) for patterns in sets)
                except PageError:
                    continue
                differs = difference(page.url, before, after)
                if field and not differs and before and after:
                    differs = field_difference(page.url, before, after, field)
                if differs:
                    differences.append(differs)
            return Trial(not unfit, pages, sorted(differences, key=attrgetter("rank")))

    def correct(self, name: str, change: Change) -> Review:
        """Change the corrections in the pattern file, and return the review of what it has now.

        What others have written to the file stays. The first time, the old file is copied.

        :raises StaleError: the file does not have any more what is to be corrected; it stays as it is.
        :raises OSError: the copy cannot be written.
        :raises PatternFileError: the pattern file cannot be read or written.
        """
        path, today = self._file, datetime.now(UTC).date().isoformat()
        change = change._replace(correction=change.correction._replace(date=today))

        def changed(known: Mapping[str, SitePatterns]) -> dict[str, SitePatterns]:
            new = change.of(known.get(name))
            if not self.has_copy:
                _copy(path)
            return {name: new}

        with self.lock:
            others = {site: glance for site, glance in self.glances.items() if site != name}
            patterns = change_sites(str(path), changed)
            return replace(self, patterns=patterns, has_copy=True, glances=others)

    def again(self) -> Review:
        """Return the review of what the pattern file has now.

        :raises PatternFileError: the pattern file cannot be read.
        """
        with self.lock:
            return replace(self, patterns=PatternSet.load(self._file, self.options.limits), glances={})

    @property
    def _file(self) -> Path:
        assert self.path is not None  # noqa: S101 - without it nobody can correct anything
        return self.path

    def _read(
        self, name: str, number: int, ended: Event | None = None, *, most: float = math.inf
    ) -> list[ReviewedPage]:
        """Return what some pages of a site give, those that are worth a look first.

        :param most: pages with more bytes are left out.
        """
        numbers = {layout.pattern.name: layout.number for layout in self.layouts(name)}
        options = title_and_text(self.options, metadata=True)
        rows = []
        for page in self._sampled(name, number):
            if ended is not None:
                if ended.is_set():
                    break
                sleep(0.001)  # whoever waits for the lock gets it
            if len(page.body) > most:
                continue
            with self.lock:
                result = explain(page, self.patterns, options)
            article = result.article
            layout = numbers.get(result.match.pattern.name, 0) if result.match else 0
            row = ReviewedPage(page.url, layout, str(result.reason))
            if article is not None:
                row = row._replace(
                    title=article.title,
                    length=len(article.text),
                    day=article.date or day_in_url(page.url),
                    authors=", ".join(author.name for author in article.authors),
                    confidence=1.0 if article.confidence is None else article.confidence,
                )
            rows.append((row, article.text[:BEGINNING] if article else ""))
        return _odd_first(rows)

    def _sampled(self, name: str, number: int) -> Iterator[Page]:
        with self.lock:
            keys = self.stored.keys_of([name]).get(name, [])
        for key in drawn(keys, number, str):
            with self.lock:
                page = self.stored.page(key)
            if page is not None:
                yield page


def _reviewed(site: SitePatterns, stored: int) -> ReviewedSite:
    pages = Counter[str]()
    for pattern in site.patterns:
        pages[pattern.kind] += pattern.pages
    unused = sum(group.pages for group in site.unused)
    return ReviewedSite(site, stored, pages["article"], pages["index"], unused)


def _odd_first(rows: Sequence[tuple[ReviewedPage, str]]) -> list[ReviewedPage]:
    """Return pages with why they are worth a look, those that are it most first.

    :param rows: the pages, each with the beginning of its text.
    """
    lengths: dict[int, list[int]] = defaultdict(list)
    beginnings = Counter[str]()
    for row, beginning in rows:
        if not row.reason:
            lengths[row.layout].append(row.length)
            beginnings[beginning] += 1
    usual = {layout: median(of_layout) for layout, of_layout in lengths.items()}
    ranked = []
    for row, beginning in rows:
        if row.reason:
            ranked.append((1.0, row))
            continue
        times = (row.length + 1) / (usual[row.layout] + 1)
        odd = tuple(
            words
            for words, holds in (
                (_NO_TITLE, not row.title),
                (_SAME_TEXT, beginnings[beginning] > 1),
                (_LOW_CONFIDENCE, row.confidence < DOUBTFUL),
                (_VERY_LONG, times > _MANY_TIMES),
                (_VERY_SHORT, times < 1 / _MANY_TIMES),
            )
            if holds
        )
        rank = -len(odd) - (1 - row.confidence) - abs(math.log(times)) / 10
        ranked.append((rank, row._replace(odd=odd)))
    return [row for _, row in sorted(ranked, key=lambda ranking: (ranking[0], ranking[1].url))]
