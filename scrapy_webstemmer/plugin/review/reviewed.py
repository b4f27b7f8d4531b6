"""What a review shows: the sites of a pattern file, a sample of their pages, and what became of each page.

Nothing is decided here: pages are extracted as `scrapy extract` does it.
"""

from __future__ import annotations

import math
import sqlite3
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from ...api import explain, extract
from ...base.files import replacing
from ...base.urls import drawn
from ...errors import PageError
from ...html.text import day_in_url
from ...monitoring.changes import Difference, difference
from ...options import ExtractOptions
from ...patterns.make_patterns import corrected
from ...patterns.pattern_file import PatternSet, add_sites, is_store
from ...site.excluded import BOILERPLATE, SAME, PartEvidence, part_evidence
from ...site.main_text import EXCLUDED, LIST, OUTSIDE, SPARED, TEMPLATE, left_out, supplementary_blocks
from ...site.paths import is_under

if TYPE_CHECKING:
    from ...article.result import Result
    from ...monitoring.changes import SiteChanges
    from ...site.model import PlacedLayout
    from ...storage.sqlite import SqliteLearningSet
    from ...values import Correction, Page, Pattern, SitePatterns

#: So many pages of a site are read; a site is kept until so many others were looked at.
SAMPLE, _KEPT = 200, 8
#: A confidence below this is worth a look.
_UNSURE = 0.5
#: An article is odd if it is so many times as long, or as short, as the median of its layout.
_MANY_TIMES = 5
#: So many characters of a text tell whether two pages have the same.
_BEGINNING = 200

#: What may become of a block, with the words for it.
FATES: Mapping[str, str] = {
    "title": "the title",
    "main": "main text",
    "sub": "supplementary text, such as a byline or a date",
    SPARED: "a comment, or what stands elsewhere as well",
    EXCLUDED: "a part that is left out",
    LIST: "a list that leads to other pages",
    OUTSIDE: "outside the element that holds the text",
    TEMPLATE: "what the site repeats",
}

#: The letters that stand for these, beside the colours.
LETTERS = dict(zip(FATES, "TMSRXLON", strict=True))


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
    def need(self) -> tuple[float, ...]:
        """A key that sorts sites by how much they need a look."""
        pages = self.articles + self.indexes + self.unused
        left = self.unused / pages if pages else 1.0
        return not self.articles, len(self.site.warnings), left


class ReviewedPage(NamedTuple):
    """What a page gives.

    :param layout: the number of the layout by which it was read, from 1 on; 0: by none.
    :param reason: why it gives no article; empty if it gives one.
    :param length: of the article's text, in characters.
    :param day: of publication, if the page or its url says so.
    :param odd: why it is worth a look; empty: it is not.
    """

    url: str
    layout: int
    reason: str
    title: str = ""
    length: int = 0
    confidence: float = 0.0
    day: str = ""
    odd: str = ""


class Change(NamedTuple):
    """A change of a site's corrections: one that is added, or taken back."""

    correction: Correction
    taken_back: bool = False

    def over(self, known: Iterable[Correction]) -> tuple[Correction, ...]:
        """Return the corrections after this change of them."""
        others = tuple(one for one in known if one[:3] != self.correction[:3])
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


def _copy(path: Path) -> None:
    """Copy a pattern file to a name that nothing has; it begins with the file's own."""
    name = f"{path.name}.{datetime.now(UTC):%Y%m%dT%H%M%S}.before"
    if is_store(path):
        with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(path.with_name(name))) as new:
            old.backup(new)
    else:
        with replacing(path.with_name(name)) as stream:
            stream.write(path.read_bytes())


@dataclass
class Review:
    """Patterns, and stored pages that are read with them.

    :param stored: the pages; each site's are looked up when somebody looks at it.
    :param path: the pattern file, into which corrections are written; None: there are none.
    :param before: the patterns that these are to replace; None: there are none.
    :param changes: what that changes, for each site.
    :param sample: so many pages of a site are read at most.
    """

    patterns: PatternSet
    stored: SqliteLearningSet
    options: ExtractOptions = field(default_factory=ExtractOptions)
    path: Path | None = None
    before: PatternSet | None = None
    changes: Mapping[str, SiteChanges] = field(default_factory=dict)
    sample: int = SAMPLE
    _has_copy: bool = field(default=False, init=False)
    _pages: OrderedDict[str, list[ReviewedPage]] = field(default_factory=OrderedDict, init=False)

    @cached_property
    def sites(self) -> list[ReviewedSite]:
        """The sites, those that need a look first. Cost: a pass over the stored rows, without bodies."""
        counts = self.stored.count_pages(self.patterns.sites)
        sites = ((name, self.patterns.in_use(name)) for name in self.patterns.sites)
        found = [_reviewed(site, counts.get(name, 0)) for name, site in sites if site]
        return sorted(found, key=lambda one: (*(-value for value in one.need), one.site.site))

    def site(self, name: str) -> ReviewedSite | None:
        """Return a site of the pattern file; None: it has no such site."""
        return next((one for one in self.sites if one.site.site == name), None)

    def pages(self, name: str) -> list[ReviewedPage]:
        """Return a sample of a site's pages, those that are worth a look first.

        Cost: that of extracting them; later calls cost nothing.
        """
        if name not in self._pages:
            self._pages[name] = self._read(name)
            while len(self._pages) > _KEPT:
                self._pages.popitem(last=False)
        self._pages.move_to_end(name)
        return self._pages[name]

    def result(self, url: str, *, before: bool = False) -> Result | None:
        """Return all that extraction finds out about a stored page; None: it is not stored.

        :param before: by the patterns that these are to replace.
        """
        page, patterns = self.stored.page(url), self.before if before else self.patterns
        return None if page is None or patterns is None else explain(page, patterns, self.options)

    def trial(self, name: str, change: Change) -> Trial:
        """Return what a correction would change on the sampled pages of a site. Nothing is written."""
        site = self.patterns.sites[name]
        new = replace(site, corrections=change.over(site.corrections))
        unfit = not change.taken_back and change.correction in corrected(new)[1]
        sets = PatternSet({name: site}), PatternSet({name: new})
        options = self._plain
        found, number = [], 0
        for page in self._sampled(name):
            number += 1
            try:
                articles = [extract(page, one, options) for one in sets]
            except PageError:
                continue
            if one := difference(page.url, *articles):
                found.append(one)
        return Trial(not unfit, number, sorted(found, key=lambda one: one.rank))

    def correct(self, name: str, change: Change) -> None:
        """Change the corrections in the pattern file. The first time, the old file is copied.

        :raises OSError: the copy cannot be written.
        :raises PatternFileError: the pattern file cannot be read or written.
        """
        assert self.path is not None  # noqa: S101 - without it nobody can correct anything
        if not self._has_copy:
            _copy(self.path)
            self._has_copy = True
        site = PatternSet.load(self.path).sites[name]
        today = datetime.now(UTC).date().isoformat()
        change = change._replace(correction=change.correction._replace(date=today))
        new = replace(site, corrections=change.over(site.corrections))
        self.patterns = add_sites(str(self.path), {name: new})
        self._pages.pop(name, None)
        self.__dict__.pop("sites", None)

    @property
    def _plain(self) -> ExtractOptions:
        """Options for an article with title and text alone."""
        return replace(self.options, html=False, sections=False, metadata=False)

    def _read(self, name: str) -> list[ReviewedPage]:
        site = self.patterns.in_use(name)
        numbers = {one.name: number for number, one in enumerate(site.patterns if site else (), 1)}
        options = replace(self._plain, date=True)
        found, beginnings = [], Counter[str]()
        for page in self._sampled(name):
            result = explain(page, self.patterns, options)
            article = result.article
            match = result.match
            row = ReviewedPage(
                page.url, numbers.get(match.pattern.name, 0) if match else 0, str(result.reason)
            )
            if article is not None:
                beginnings[article.text[:_BEGINNING]] += 1
                row = row._replace(title=article.title, length=len(article.text))
                row = row._replace(day=article.date or day_in_url(page.url))
                row = row._replace(confidence=1.0 if article.confidence is None else article.confidence)
            found.append((row, article.text[:_BEGINNING] if article else ""))
        return _odd_first(found, beginnings)

    def _sampled(self, name: str) -> Iterable[Page]:
        keys = [_Key(key) for key in self.stored.keys_of([name]).get(name, [])]
        return filter(None, (self.stored.page(key.url) for key in drawn(keys, self.sample)))


class _Key(NamedTuple):
    """What ``drawn`` takes for a page."""

    url: str


def _reviewed(site: SitePatterns, stored: int) -> ReviewedSite:
    def pages(kind: str) -> int:
        return sum(one.pages for one in site.patterns if one.kind == kind)

    return ReviewedSite(site, stored, pages("article"), pages("index"), sum(one.pages for one in site.unused))


def _odd_first(
    found: Sequence[tuple[ReviewedPage, str]], beginnings: Mapping[str, int]
) -> list[ReviewedPage]:
    """Return pages with why they are worth a look, those that are it most first."""
    lengths: dict[int, list[int]] = {}
    for row, _ in found:
        if not row.reason:
            lengths.setdefault(row.layout, []).append(row.length)
    usual = {layout: median(own) for layout, own in lengths.items()}
    ranked = []
    for row, beginning in found:
        if row.reason:
            ranked.append((1.0, row))
            continue
        times = (row.length + 1) / (usual[row.layout] + 1)
        odd = [
            words
            for words, holds in (
                ("no title", not row.title),
                ("same text as another page", beginnings[beginning] > 1),
                ("not sure", row.confidence < _UNSURE),
                ("very long", times > _MANY_TIMES),
                ("very short", times < 1 / _MANY_TIMES),
            )
            if holds
        ]
        rank = -len(odd) - (1 - row.confidence) - abs(math.log(times)) / 10
        ranked.append((rank, row._replace(odd=", ".join(odd))))
    return [row for _, row in sorted(ranked, key=lambda one: (one[0], one[1].url))]


# --- What became of the blocks of a page


class Run(NamedTuple):
    """Blocks of a page that stand one after the other, and of which the same became.

    :param fate: one of :data:`FATES`; empty: nothing is known of it.
    :param part: the path of the part that is left out, if it is; else the path of the first block.
    """

    fate: str
    part: str
    blocks: list[int]


def runs_of(result: Result) -> list[Run]:
    """Return the blocks of a page in runs, in the order of the page."""
    if result.layout is None:
        return []
    fates = _fates(result)
    places = result.page.placed.places if result.page else ()
    found: list[Run] = []
    for index in range(len(result.layout.blocks)):
        fate, part = fates.get(index, ("", ""))
        if not found or (found[-1].fate, fate == EXCLUDED and found[-1].part != part) != (fate, False):
            found.append(Run(fate, part or (places[index] if places else ""), []))
        found[-1].blocks.append(index)
    return found


def _fates(result: Result) -> dict[int, tuple[str, str]]:
    if result.page is None:
        return {}
    placed, match, (title, place, main, chosen) = result.page
    found = left_out(placed, chosen) | dict.fromkeys(main, ("main", ""))
    shown = next((index for index, path in enumerate(placed.places) if path == place), None)
    if shown is not None:
        node = placed.layout.blocks[shown].node
        own = (index for index, block in enumerate(placed.layout.blocks) if block.node == node)
        found |= dict.fromkeys(own, ("title", ""))
    if main:
        sub = supplementary_blocks(placed, match.pattern, main, title, place)
        found |= dict.fromkeys(sub, ("sub", ""))
    return found


class SectionLine(NamedTuple):
    """A section of a layout, with what becomes of it on the layout's pages.

    :param fates: for each fate, how many blocks of the sampled pages have it.
    :param values: some of its texts.
    :param part: the path of the part that is left out and holds it; empty: there is none.
    """

    feature: str
    diff_score: float
    main_score: float
    pages: int
    fates: Mapping[str, int]
    values: Sequence[str]
    part: str = ""


#: So many pages of a layout show what becomes of its sections; so many texts of a section are shown.
_SHOWING, _VALUES = 20, 3
#: A part is near the limit if this share of its text more or less would change what becomes of it.
_NEAR = 0.15


class PartLine(NamedTuple):
    """A part of the element that holds the text, and by which rule it is text or is not.

    :param evidence: what speaks against it on some pages.
    :param diff_score: of the layout's section at its path; None: there is none.
    :param rule: the rule that leaves it out; empty: it is not left out.
    """

    path: str
    evidence: PartEvidence
    diff_score: float | None
    rule: str

    @property
    def is_near(self) -> bool:
        """Whether it is text, or is not, by little."""
        return abs(self.evidence.share - BOILERPLATE) < _NEAR


class LayoutLines(NamedTuple):
    """What becomes of the sections of a layout, and of the parts of the element that holds its text."""

    sections: Sequence[SectionLine]
    parts: Sequence[PartLine]


def layout_lines(review: Review, name: str, number: int, pattern: Pattern) -> LayoutLines:
    """Return the sections of a layout in their order, and its parts. Cost: that of extracting some pages."""
    own = [row.url for row in review.pages(name) if row.layout == number and not row.reason][:_SHOWING]
    fates: dict[str, Counter[str]] = {}
    values: dict[str, dict[str, None]] = {}
    pages: Counter[str] = Counter()
    read: list[PlacedLayout] = []
    for url in own:
        result = review.result(url)
        if result is None or result.page is None or result.layout is None:
            continue
        known, placed = _fates(result), result.page.placed
        read.append(placed)
        for index, (block, path) in enumerate(zip(result.layout.blocks, placed.places, strict=True)):
            fates.setdefault(path, Counter())[known.get(index, ("", ""))[0]] += 1
            values.setdefault(path, {}).setdefault(block.text[:_BEGINNING])
        pages.update({*placed.places})
    out = (*pattern.excluded, *pattern.cut)
    sections = [
        SectionLine(
            one.feature,
            one.diff_score,
            one.main_score,
            pages[one.feature],
            fates.get(one.feature, {}),
            [*values.get(one.feature, {})][:_VALUES],
            next((part for part in out if is_under(one.feature, part)), ""),
        )
        for one in pattern.sections
    ]
    return LayoutLines(sections, part_lines(read, pattern, out))


def part_lines(pages: Sequence[PlacedLayout], pattern: Pattern, excluded: Sequence[str]) -> list[PartLine]:
    """Return the parts that are left out, and those that nearly are, those with most text first.

    :param pages: some pages of a layout.
    :param excluded: the paths that do not count there.
    """
    if not pages:
        return []
    scores = {one.feature: one.diff_score for one in pattern.sections}
    found = (
        PartLine(path, one, scores.get(path), _rule(path, one, pattern, excluded, scores.get(path, 1.0)))
        for path, one in part_evidence(pages, pattern.container).items()
    )
    return sorted((one for one in found if one.rule or one.is_near), key=lambda one: -one.evidence.weight)


def _rule(path: str, found: PartEvidence, pattern: Pattern, excluded: Sequence[str], score: float) -> str:
    """Return the rule that leaves out a part; empty: it is not left out, or an element around it is."""
    if path in pattern.cut:
        return "a correction"
    if path not in excluded:
        return ""
    if found.share > BOILERPLATE:
        return f"more than {BOILERPLATE:.0%} of its text is repeated, in records or in links"
    if score <= SAME:
        return f"its text is nearly the same on all pages (DiffScore up to {SAME:.2f})"
    return "so it was on the pages that were learned from, or on this page"
