"""Word what was learned and extracted: patterns, warnings, counts of pages, unreadable records."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..base.terminal import bar, clip, display_width, fill, line_width, printable, say, wrap
from ..errors import plural
from ..review.explanation import TEXT_WIDTH, warnings_of

if TYPE_CHECKING:
    from ..pattern_files.pattern_file import PatternSet
    from ..storage.source import PageSource, Skipped
    from ..values import Pattern, SitePatterns

#: The summary of a broad crawl shows so many sites, those with the most pages; ``--debug`` shows all.
SITES_SHOWN = 20

#: Lists show so many rows: the patterns and sites with the largest counts, the first of the skipped records.
ROWS_SHOWN = 20

#: What articles may lack.
NO_TITLE, NO_DAY, NO_AUTHOR, DOUBTS = "title", "day", "author", "confidence"

#: The fields of articles that have a place on the pages of a layout, in words.
_FIELD_WORDS = {"authors": "authors", "date_published": "day", "tags": "topics", "categories": "topics"}

#: Columns for the name of a site in a table, and for the longest bar.
SITE_WIDTH, _BAR_WIDTH = 30, 24
#: What the pages of a layout are, and what those without one are called.
_KIND_WORDS, _UNUSED_WORD = {"article": "articles", "index": "lists"}, "unused"
#: Where the url of a sample begins.
INDENT = " " * 10


def learn_summary(patterns: PatternSet, width: int, *, debug: bool = False) -> Iterator[str]:
    """Yield the lines that tell what was learned: the sites, their patterns, the unused pages.

    :param width: columns of a line; longer lines are cut, warnings broken, urls neither.
    :param debug: show all sites, and the sections of every pattern.
    """
    sites = sorted(patterns.sites.values(), key=lambda site: (-site.pages, site.site))
    totals = (
        plural(sum(len(site.patterns) for site in sites), "pattern"),
        plural(sum(site.clusters for site in sites), "cluster"),
        plural(sum(site.pages for site in sites), "page"),
        plural(len(sites), "site"),
    )
    yield "learned {} from {} of {} of {}".format(*totals)
    shown = sites if debug else sites[:SITES_SHOWN]
    for site in shown:
        yield ""
        yield from _site_lines(site, width, debug=debug)
    if len(shown) < len(sites):
        yield ""
        yield f"and {plural(len(sites) - len(shown), 'smaller site')} (--debug shows all)"


def _site_lines(site: SitePatterns, width: int, *, debug: bool) -> Iterator[str]:
    counts = (
        plural(site.pages, "page"),
        plural(site.clusters, "cluster"),
        plural(len(site.patterns), "pattern"),
    )
    yield clip(f"{printable(site.site) or '(no site)'}: {', '.join(counts)}", width)
    if site.patterns:
        yield f"  {'layout':>6}  {'score':>10}  {'kind':<8} {'pages':>7} {'text':>5} {'title':>5}  sample"
    for number, pattern in enumerate(site.patterns, 1):
        yield from _pattern_lines(number, pattern, width)
        if debug:
            yield from (clip(line, width) for line in _section_lines(pattern))
    if site.unused:
        yield f"  unused: {plural(sum(group.pages for group in site.unused), 'page')}"
    if languages := printable(", ".join(site.languages)):
        yield clip(f"  languages: {languages} (pages state wrong ones, or none)", width)
    for name, values in site.common.items():
        stated = clip(printable(values[0]), TEXT_WIDTH)
        yield clip(
            f"  {name.replace('_', ' ')}: most pages state the same, which is left out: {stated}", width
        )
    for group in site.unused:
        yield clip(f"  {group.pages:>10,}  {printable(group.reason)}, such as", width)
        yield _url_line(group.sample_url)
    for warning in warnings_of(site):
        yield from wrap(f"  warning: {warning}", width, INDENT)


def _url_line(url: str) -> str:
    """Return the line of a sample's url, whole at any width, since its end tells it from others."""
    return f"{INDENT}{printable(url)}"


def _pattern_lines(number: int, pattern: Pattern, width: int) -> Iterator[str]:
    title = printable(pattern.sample_title) or "(no title)"
    shares = f"{_percent(pattern.main_share)} {_percent(pattern.title_share)}"
    figures = f"{pattern.score:>10,.1f}  {fill(pattern.kind, 8)} {pattern.pages:>7,} {shares}"
    yield clip(f"  {number:>6}  {figures}  {title}", width)
    yield _url_line(pattern.sample_url or pattern.name)
    if shown := sorted({_FIELD_WORDS[place.field] for place in pattern.places}):  # from a sample of the pages
        yield clip(f"{INDENT}shows {', '.join(shown)}", width)


def _percent(share: float | None) -> str:
    """Return a share as a cell of a table; a dash if it is unknown."""
    return f"{'-':>5}" if share is None else f"{share:>5.0%}"


def _section_lines(pattern: Pattern) -> Iterator[str]:
    if pattern.container:
        yield f"      main text in: {printable(pattern.container)}"
    for path in pattern.excluded:
        yield f"      but not in: {printable(path)}"
    yield f"      {'section':>7}  {'DiffScore':>9}  {'MainScore':>9}  feature"
    for number, section in enumerate(pattern.sections):
        mark = "*" if section.feature in pattern.titles else " "
        scores = f"{section.diff_score:>9.3f}  {section.main_score:>9.1f}"
        yield f"      {number:>6}{mark}  {scores}  {printable(section.feature)}"
    if pattern.titles:
        yield f"      *: title, from {printable(', '.join(pattern.titles))}"


def layouts_summary(patterns: Mapping[str, SitePatterns], width: int, encoding: str) -> Iterator[str]:
    """Yield a table of the layouts of each site, the largest sites first, with a bar for the pages of each.

    :param patterns: the sites by their names.
    :param encoding: that of the stream, which may have no blocks for bars.
    """
    sites = sorted(patterns.values(), key=lambda site: (-site.pages, site.site))
    rows: list[tuple[str, str, int]] = []
    for site in sites:
        name = printable(site.site) or "(no site)"
        for number, pattern in enumerate(site.patterns, 1):
            rows.append((name, f"{number} {_KIND_WORDS[pattern.kind]}", pattern.pages))
            name = ""
        if unused := sum(group.pages for group in site.unused):
            rows.append((name, _UNUSED_WORD, unused))
    shown = rows[:ROWS_SHOWN]
    most = max((pages for *_, pages in rows), default=0) or 1
    cells = [("site", "layout", 0), *shown]
    names = min(SITE_WIDTH, max(display_width(name) for name, *_ in cells))
    kinds = max(len(what) for _, what, _ in cells)
    yield f"{fill('site', names)}  {'layout':<{kinds}}  {'pages':>7}"
    for name, what, pages in shown:
        share = bar(pages / most, _BAR_WIDTH, encoding)
        yield clip(f"{fill(name, names)}  {what:<{kinds}}  {pages:>7,}  {share}", width)
    if more := sum(1 for _, what, _ in rows[ROWS_SHOWN:] if what != _UNUSED_WORD):
        yield f"and {plural(more, 'layout')} more"


@dataclass
class ExtractCounts:
    """What became of the pages of one run of `scrapy extract`, counted while it runs.

    :param matched: for each pattern, the number of articles that it gave; ``by_themselves``: of those without
        a pattern.
    :param reasons: why pages gave no article.
    :param unknown_sites: the sites of pages that the pattern file does not know.
    :param lacking: what articles lack; ``lacking_such_as``: the url of one that lacks it.
    :param copies: number of articles that had come before.
    """

    matched: Counter[str] = field(default_factory=Counter)
    by_themselves: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    unknown_sites: Counter[str] = field(default_factory=Counter)
    lacking: Counter[str] = field(default_factory=Counter)
    lacking_such_as: dict[str, str] = field(default_factory=dict)
    new: int = 0
    copies: int = 0
    unreadable: int = 0

    @property
    def articles(self) -> int:
        """The number of articles."""
        return self.matched.total() + self.by_themselves

    @property
    def pages(self) -> int:
        """The number of pages, whatever became of them."""
        return self.articles + self.reasons.total() + self.copies + self.unreadable


def extract_summary(counts: ExtractCounts, width: int) -> Iterator[str]:
    """Yield the lines that tell how many articles came out and by what, and what became of other pages."""
    from ..extraction.result import Reason

    articles = counts.articles
    left_out, uncertain = (counts.reasons[reason] for reason in (Reason.LEFT_OUT, Reason.UNCERTAIN))
    others = (
        (counts.reasons.total() - left_out - uncertain, "without an article"),
        (uncertain, "too uncertain"),
        (counts.copies, "with an article that came before"),
        (left_out, "left out by their url"),
        (counts.unreadable, "unreadable"),
    )
    alone = f" ({counts.by_themselves:,} by the page alone)" if counts.by_themselves else ""
    without = "".join(f", {number:,} {what}" for number, what in others if number)
    yield f"{plural(counts.pages, 'page')}: {plural(articles, 'article')}{alone}{without}"
    if not articles:
        yield from _counter_lines(counts.reasons, width)
    if counts.matched:
        yield "articles by the pattern of their page:"
        yield from _counter_lines(counts.matched, width)
    if counts.unknown_sites:
        yield "of sites that the pattern file does not know:"
    yield from _counter_lines(counts.unknown_sites, width)


def _counter_lines(counter: Counter[str], width: int) -> Iterator[str]:
    rows = sorted(counter.items(), key=lambda row: (-row[1], row[0]))
    for name, number in rows[:ROWS_SHOWN]:
        yield clip(f"  {number:>8,}  {printable(name) or '(no site)'}", width)
    if others := rows[ROWS_SHOWN:]:
        yield f"  {sum(number for _, number in others):>8,}  of {len(others):,} others"


def say_skipped(sources: Iterable[PageSource], *, debug: bool = False) -> None:
    """Name the unreadable records of the inputs on standard error; see :func:`skipped_summary`."""
    for line in skipped_summary(sources, line_width(sys.stderr), debug=debug):
        say(sys.stderr, line)


def skipped_summary(sources: Iterable[PageSource], width: int, *, debug: bool = False) -> Iterator[str]:
    """Yield the lines that name the unreadable records of the inputs, if there are any.

    :param debug: show all records that the sources have named, not only the first twenty of each source.
    """
    for source in sources:
        if not source.skipped_count:
            continue
        shown = source.skipped if debug else source.skipped[:ROWS_SHOWN]
        yield f"could not be read: {_records(source.skipped_count)} of {printable(str(source.path))}"
        for skipped in shown:
            yield clip(f"  {printable(skipped.record)}: {printable(skipped.reason)}", width)
        if more := source.skipped_count - len(shown):
            yield f"  and {more:,} more{_how_to_see(source, shown)}"


def _records(number: int) -> str:
    from ..storage.source import MAX_COUNTED

    return plural(number, "record") if number < MAX_COUNTED else f"{number:,} or more records"


def _how_to_see(source: PageSource, shown: Sequence[Skipped]) -> str:
    if len(shown) == len(source.skipped):
        return ""
    named = len(source.skipped)
    return f" (--debug shows {'all' if named == source.skipped_count else f'the first {named}'})"
