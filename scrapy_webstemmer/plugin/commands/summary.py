"""Word what was learned or extracted, and what decided about a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...errors import plural
from .base import clip, fill, printable, wrap

if TYPE_CHECKING:
    from ...article.result import ReadPage, Result
    from ...patterns.pattern_file import PatternSet
    from ...storage.source import PageSource, Skipped
    from ...values import Article, LearnWarning, Pattern, SitePatterns

# --- Make the summaries of commands: what was learned or extracted, which pages were unused, and why
#
# The warnings say which patterns should not be trusted, and what to do about it.

#: The summary of a broad crawl shows so many sites, those with the most pages; ``--debug`` shows all.
SITES_SHOWN = 20

#: Lists show so many rows: the patterns and sites with the largest counts, the first of the skipped records.
ROWS_SHOWN = 20

#: The fields of articles that have a place on the pages of a layout, in words.
_FIELDS = {"authors": "authors", "date_published": "day", "tags": "topics"}

#: Where the url of a sample begins.
_INDENT = " " * 10


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
        stated = clip(printable(values[0]), _TITLE)
        yield clip(
            f"  {name.replace('_', ' ')}: most pages state the same, which is left out: {stated}", width
        )
    for group in site.unused:
        yield clip(f"  {group.pages:>10,}  {printable(group.reason)}, such as", width)
        yield _url_line(group.sample_url)
    for warning in warning_lines(site):
        yield from wrap(warning, width, _INDENT)


def _url_line(url: str) -> str:
    """Return the line of a sample's url, whole at any width, since its end tells it from others."""
    return f"{_INDENT}{printable(url)}"


def _pattern_lines(number: int, pattern: Pattern, width: int) -> Iterator[str]:
    title = printable(pattern.sample_title) or "(no title)"
    shares = f"{_percent(pattern.main_share)} {_percent(pattern.title_share)}"
    figures = f"{pattern.score:>10,.1f}  {fill(pattern.kind, 8)} {pattern.pages:>7,} {shares}"
    yield clip(f"  {number:>6}  {figures}  {title}", width)
    yield _url_line(pattern.sample_url or pattern.name)
    if shown := sorted({_FIELDS[place.field] for place in pattern.places}):  # from a sample of the pages
        yield clip(f"{_INDENT}shows {', '.join(shown)}", width)


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


@dataclass
class ExtractCounts:
    """What became of the pages of one run of `scrapy extract`, counted while it runs."""

    matched: Counter[str] = field(default_factory=Counter)
    unmatched: int = 0
    by_themselves: int = 0
    unknown_sites: Counter[str] = field(default_factory=Counter)
    uncertain: int = 0
    left_out: int = 0
    unreadable: int = 0


def extract_summary(counts: ExtractCounts, width: int) -> Iterator[str]:
    """Yield the lines that tell how many articles came out and by what, and what became of other pages."""
    from ...incremental import SEGMENTS

    articles = counts.matched.total() + counts.by_themselves
    others = (
        (counts.unmatched, "without an article"),
        (counts.uncertain, "too uncertain"),
        (counts.left_out, "left out by their url"),
        (counts.unreadable, "unreadable"),
    )
    pages = articles + sum(number for number, _ in others)
    alone = f" ({counts.by_themselves:,} by the page alone)" if counts.by_themselves else ""
    rest = "".join(f", {number:,} {what}" for number, what in others if number)
    yield f"{plural(pages, 'page')}: {plural(articles, 'article')}{alone}{rest}"
    if counts.matched.keys() - {SEGMENTS}:
        yield "articles by the pattern of their page:"
        yield from _counter_lines(counts.matched, width)
    if counts.unknown_sites:
        yield "of sites that the pattern file does not know:"
    yield from _counter_lines(counts.unknown_sites, width)


def _counter_lines(counter: Counter[str], width: int) -> Iterator[str]:
    rows = sorted(counter.items(), key=lambda row: (-row[1], row[0]))
    for name, number in rows[:ROWS_SHOWN]:
        yield clip(f"  {number:>8,}  {printable(name) or '(no site)'}", width)
    if len(rows) > ROWS_SHOWN:
        rest = sum(number for _, number in rows[ROWS_SHOWN:])
        yield f"  {rest:>8,}  of {len(rows) - ROWS_SHOWN:,} others"


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
    from ...storage.source import MAX_COUNTED

    return plural(number, "record") if number < MAX_COUNTED else f"{number:,} or more records"


def _how_to_see(source: PageSource, shown: Sequence[Skipped]) -> str:
    if len(shown) == len(source.skipped):
        return ""
    named = len(source.skipped)
    return f" (--debug shows {'all' if named == source.skipped_count else f'the first {named}'})"


def warning_lines(site: SitePatterns) -> Iterator[str]:
    """Yield a line for each warning of a site: what is wrong, what to do, and the patterns concerned.

    A kind that only a later release knows is shown by its name.
    """
    for warning in site.warnings:
        yield f"  warning: {_warning_text(warning)}{_sample(warning, site)}"


def _warning_text(warning: LearnWarning) -> str:
    from ...patterns.trust import WARNINGS

    pages, patterns = plural(warning.pages, "page"), plural(len(warning.patterns), "layout")
    if warning.kind not in WARNINGS:
        return f"{printable(warning.kind)}, {pages}"
    wrong, advice = WARNINGS[warning.kind]
    return f"{wrong.format(pages=pages, patterns=patterns)}; {advice}"


def _sample(warning: LearnWarning, site: SitePatterns) -> str:
    """Return the numbers of the patterns concerned, as the table shows them."""
    numbers = {pattern.name: str(number) for number, pattern in enumerate(site.patterns, 1)}
    found = [numbers[name] for name in warning.patterns if name in numbers]
    return f" (layout {', '.join(found)})" if found else ""


# --- Word what extraction found out about a page: `scrapy extract --explain`
#
# Nothing is decided or computed here. All figures come from the extraction of the page.

#: Of a site with many patterns, those most similar to the page are shown.
PATTERNS_SHOWN = 10
#: What a site's line says of layouts other than paths.
_FORMS = {
    "sequence": ", layouts of 2009",
    "tree-edit": ", layout trees with wildcards",
    "leaves": ", text leaves of layout trees",
}
#: Columns for a title.
_TITLE = 80
#: Parts of the log odds of an article, in words: the context's, and the page's own evidence. Where a value is
#: not 0 or 1, the words say what grows with it.
_WORDS = {
    "own": "the page itself",
    "shape": "pages with urls of this shape",
    "layout": "pages of this layout",
    "site": "pages of this site",
    "undated": "no date, where the site's articles have one",
    "slug": "url: words in its last part",
    "in_list_folder": "url: a folder for lists",
    "dated": "url: a date",
    "list_page": "url: a further page of a list",
    "number": "url: its last part is a number",
    "front": "url: the front page",
    "og_article": "og:type says article",
    "og_other": "og:type says something else",
    "published": "a time of publication",
    "post": "WordPress calls it a post",
    "static": "WordPress calls it a static page",
    "term": "WordPress calls it a tag or a category",
    "embeddable": "it can be embedded",
    "shortlink": "a short link",
    "neighbours": "it names a next or previous page",
    "beside": "links to a next or previous page",
    "typed_article": "JSON-LD or microdata: an article",
    "typed_list": "JSON-LD or microdata: a list",
    "commentable": "a place for comments",
    "one_article": "exactly one article element",
    "body_single": "body: classes of a single post",
    "body_static": "body: classes of a static page",
    "body_list": "body: classes of a list",
    "text": "running text",
    "paragraphs": "text in paragraphs",
    "linked": "share of the text in links",
    "titled": "it shows its title",
    "in_title": "the title element has a text of the page",
    "title_words": "words in the title",
    "named": "words in the title element",
    "date_line": "a line with a date",
    "headlines": "headings that lead to other pages",
    "under_headline": "the text stands below such a heading",
    "below": "headings above the longest text",
    "below_headline": "the longest text stands below a heading that leads elsewhere",
}


def explanation_text(result: Result) -> str:
    """Return the account of a page, with an empty line at its end."""
    lines = "".join(f"  {line}\n" for line in _lines(result))
    return f"{printable(result.url)}\n{lines}\n"


def _lines(result: Result) -> Iterator[str]:
    from ...article.result import Reason

    yield from _outcome(result)
    if result.reason != Reason.LEFT_OUT:
        yield _site(result.site)
    if result.site is not None:
        yield from _patterns(result, result.site)
    yield from _probability(result)
    yield from _parts(result)


def _outcome(result: Result) -> Iterator[str]:
    if result.uncertain is not None:
        confidence, least = result.uncertain.confidence, result.min_confidence
        yield f"no article: {result.reason}: {confidence:g} ({least:g} is enough)"
        return
    if result.article is None:
        yield f"no article: {printable(result.reason)}"
        return
    confidence = result.article.confidence
    yield "article" if confidence is None else f"article, with the confidence {confidence:.2f}"


def _site(site: SitePatterns | None) -> str:
    if site is None:
        return "site: not in the pattern file"
    learned = f"{plural(len(site.patterns), 'pattern')} from {plural(site.pages, 'page')}"
    form = _FORMS.get(site.layout, "")
    return f"site: {printable(site.site)}, {learned}{form}"


def _patterns(result: Result, site: SitePatterns) -> Iterator[str]:
    """Yield the similarity of each pattern. A star marks the one by which the page was read."""
    match = result.match
    if result.compared:
        least = ("more than " if site.layout == "sequence" else "") + f"{result.threshold:.2f}"
        yield f"similarity to the patterns ({least} is a match):"
        ranked = sorted(result.compared, key=lambda row: -row[1])
        for pattern, share in ranked[:PATTERNS_SHOWN]:
            mark = "*" if match is not None and match.pattern.name == pattern.name else " "
            yield f"  {mark} {share:.2f}  {pattern.kind:<7}  {printable(pattern.name)}"
        if len(ranked) > PATTERNS_SHOWN:
            yield f"    and {len(ranked) - PATTERNS_SHOWN:,} less similar"
    left = len(site.patterns) - len(result.compared)
    if left and result.layout is not None and result.layout.blocks:
        yield f"not compared, since the page lacks too much of them: {plural(left, 'pattern')}"
    if match is not None and not match.pattern.name:
        yield "read by its own evidence, since no pattern of articles is like it"


def _probability(result: Result) -> Iterator[str]:
    """Yield the sums that give the probability of an article. Evidence that the page lacks is left out."""
    if (verdict := result.verdict) is None:
        return
    from ...verdict.classifier import MOST_ODDS, own_odds, weights

    found, least = f"{verdict.probability:.2f}", f"{verdict.least:.2f}"
    yield f"probability of an article: {found} ({least} is enough); its log odds are"
    known, own = weights(), own_odds(verdict.evidence)
    yield from _sum(known.context, {"own": own, **verdict.context._asdict()})
    yield f"the page itself, from {-MOST_ODDS:g} to {MOST_ODDS:g}:"
    yield from _sum(known.evidence, verdict.evidence._asdict())


def _sum(weights: Mapping[str, float], values: Mapping[str, float]) -> Iterator[str]:
    """Yield the parts of log odds that count, the strongest first: each with its words, value and weight."""
    yield f"  {weights['base']:5.2f}  to begin with"
    parts = [(value * weights[name], name) for name, value in values.items() if value]
    for part, name in sorted(parts, key=lambda part: -abs(part[0])):
        yield f"  {part:5.2f}  {_WORDS[name]} ({values[name]:.2f} * {weights[name]:.2f})"


def _parts(result: Result) -> Iterator[str]:
    """Yield where title and main text stand, and what was left out."""
    from ...site.main_text import excluded_blocks

    if result.article is not None and result.site is not None and result.site.layout != "paths":
        yield f"title: {_quoted(result.article.title)}"
        return
    if result.page is None:
        return
    placed, match, (title, place, main, chosen) = result.page
    yield f"title: {_quoted(title)}" + (f", at {printable(place)}" if place else "")
    of_all = f"{len(main):,} of {plural(len(placed.layout.blocks), 'block')}"
    missing = "" if chosen.learned else f", since there is none in {printable(match.pattern.container)}"
    yield f"main text: {of_all}, in {printable(placed.paths[chosen.node])}{missing}"
    for path, blocks in excluded_blocks(placed, chosen):
        yield f"excluded: {plural(blocks, 'block')} in {printable(path)}"
    if chosen.comments:
        yield f"left out as comments: {plural(chosen.comments, 'block')}"
    if result.article is not None:
        yield from _field_lines(result.page, result.site, result.article)


def _field_lines(read: ReadPage, site: SitePatterns | None, article: Article) -> Iterator[str]:
    """Yield the fields of an article with where each value comes from."""
    from ...article.metadata import LINE, STATED
    from ...article.result import fields_of
    from ...options import ExtractOptions
    from ...site.main_text import supplementary_blocks

    (placed, match, (title, place, main, _)), found = read, article.metadata
    if found is None:
        return
    sub = supplementary_blocks(placed, match.pattern, main, title, place)
    fields = fields_of(read, site, ExtractOptions(), sub)
    if fields is None:
        return
    fields.metadata()
    for name, value in found._asdict().items():
        if value in (None, ()) or name.endswith("_raw"):
            continue
        several = value if isinstance(value, tuple) else (value,)
        shown = ", ".join(str(getattr(one, "name", one)) for one in several)
        missing = LINE if name == "date_published" and fields.published[0] is None else STATED
        source = fields.sources.get(name, missing)
        yield f"{name.replace('_', ' ')}: {clip(printable(shown), _TITLE)}; {printable(source)}"


def _quoted(title: str) -> str:
    return f'"{clip(printable(title), _TITLE)}"' if title else "none"
