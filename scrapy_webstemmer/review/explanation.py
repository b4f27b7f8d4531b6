"""Say in words what extraction found out about a page, and what learning warns of.

Nothing is decided or computed here. All figures come from the extraction of the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ..base.terminal import clip, printable
from ..engines import ENGINES
from ..errors import plural
from ..items import METADATA_FIELDS
from ..values import Article, LearnWarning, SitePatterns

if TYPE_CHECKING:
    from ..extraction.result import ReadPage, Result

#: Of a site with many patterns, those most similar to the page are shown.
PATTERNS_SHOWN = 10
#: An article with a lower confidence is more likely wrong than right.
DOUBTFUL = 0.5
#: Columns for a text of a page.
TEXT_WIDTH = 80
#: Parts of the log odds of an article, in words: the context's, and the page's own evidence. Where a value is
#: not 0 or 1, the words say what grows with it.
_ODDS_WORDS = {
    "own": "the page itself",
    "shape": "pages with urls of this shape",
    "layout": "pages of this layout",
    "site": "pages of this site",
    "signs": "what the site's articles usually have",
    "slug": "url: words in its last part",
    "in_list_folder": "url: a folder for lists",
    "dated": "url: a date",
    "list_page": "url: a further page of a list",
    "front": "url: the front page",
    "og_article": "og:type says article",
    "og_other": "og:type says something else",
    "published": "a time of publication",
    "post": "WordPress calls it a post",
    "static": "WordPress calls it a static page",
    "embeddable": "it can be embedded",
    "neighbours": "it names a next or previous page",
    "beside": "links to a next or previous page",
    "typed_article": "JSON-LD or microdata: an article",
    "typed_list": "JSON-LD or microdata: a list",
    "sold": "something is sold",
    "commentable": "a place for comments",
    "one_article": "exactly one article element",
    "body_single": "body: classes of a single post",
    "body_static": "body: classes of a static page",
    "body_list": "body: classes of a list",
    "text": "running text",
    "paragraphs": "text in paragraphs",
    "linked": "share of the text in links",
    "titled": "it shows its title",
    "headed": "its title or first heading stands above the longest text",
    "in_title": "the title element has a text of the page",
    "title_words": "words in the title",
    "named": "words in the title element",
    "date_line": "a line with a date",
    "under_headline": "the text stands below a heading that leads elsewhere",
    "below": "headings above the longest text",
    "below_headline": "the longest text stands below a heading that leads elsewhere",
}


def explanation_text(result: Result) -> str:
    """Return the account of a page, with an empty line at its end."""
    lines = "".join(f"  {line}\n" for line in _lines(result))
    return f"{printable(result.url)}\n{lines}\n"


def _lines(result: Result) -> Iterator[str]:
    from ..extraction.result import Reason

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
    confidence, page_type = result.article.confidence, result.article.page_type
    yield "article" if confidence is None else f"article, with the confidence {confidence:.2f}"
    if page_type is not None:
        yield f"type of the page: {page_type}, with the probability {result.article.page_type_confidence:.2f}"
    if result.refusal:
        yield f"it comes out since all kinds of pages are asked for: {printable(result.refusal)}"


def _site(site: SitePatterns | None) -> str:
    if site is None:
        return "site: not in the pattern file"
    learned = f"{plural(len(site.patterns), 'pattern')} from {plural(site.pages, 'page')}"
    form = ENGINES[site.layout].form
    return f"site: {printable(site.site)}, {learned}" + (f", {form}" if form else "")


def _patterns(result: Result, site: SitePatterns) -> Iterator[str]:
    """Yield the similarity of each pattern. A star marks that by which the page was read."""
    match = result.match
    if result.compared:
        least = ("more than " if ENGINES[site.layout].above else "") + f"{result.threshold:.2f}"
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
    from ..verdict.classifier import MOST_ODDS, has_sign, own_odds, weights

    probability, least = f"{verdict.probability:.2f}", f"{verdict.least:.2f}"
    yield f"probability of an article: {probability} ({least} is enough); its log odds are"
    fitted = weights()
    yield from _sum(fitted.context, {"own": own_odds(verdict.evidence), **verdict.context._asdict()})
    usual = result.site.signs if result.site else {}
    words = {**_ODDS_WORDS, "linked": "most of the text outside links"}
    if lacking := [words[name] for name in usual if not has_sign(verdict.evidence, name)]:
        yield f"not so, but usual on this site: {'; '.join(lacking)}"
    yield f"the page itself, from {-MOST_ODDS:g} to {MOST_ODDS:g}:"
    yield from _sum(fitted.evidence, verdict.evidence._asdict())


def _sum(weights: Mapping[str, float], values: Mapping[str, float]) -> Iterator[str]:
    """Yield the parts of log odds that count, the strongest first: each with its words, value and weight."""
    yield f"  {weights['base']:5.2f}  to begin with"
    parts = [(value * weights[name], name) for name, value in values.items() if value]
    for part, name in sorted(parts, key=lambda part: -abs(part[0])):
        yield f"  {part:5.2f}  {_ODDS_WORDS[name]} ({values[name]:.2f} * {weights[name]:.2f})"


def _parts(result: Result) -> Iterator[str]:
    """Yield where title and main text stand, and what was left out."""
    from ..site.main_text import excluded_blocks

    if result.article is not None and result.site and not ENGINES[result.site.layout].judges:
        yield f"title: {_quoted(result.article.title)}"
        return
    if result.page is None:
        return
    placed, match, (title, place, main, chosen), *_ = result.page
    yield f"title: {_quoted(title)}" + (f", at {printable(place)}" if place else "")
    of_all = f"{len(main):,} of {plural(len(placed.layout.blocks), 'block')}"
    missing = "" if chosen.learned else f", since there is none in {printable(match.pattern.container)}"
    yield f"main text: {of_all}, in {printable(placed.paths[chosen.node])}{missing}"
    for path, blocks in excluded_blocks(placed, chosen):
        yield f"excluded: {plural(blocks, 'block')} in {printable(path)}"
    if chosen.comments:
        yield f"left out as comments: {plural(chosen.comments, 'block')}"
    article = result.uncertain if result.article is None else result.article
    if article is not None:
        yield from _field_lines(result.page, result.site, article)


def _field_lines(read: ReadPage, site: SitePatterns | None, article: Article) -> Iterator[str]:
    """Yield the fields of an article with where each value comes from."""
    from ..extraction.make_article import fields_of
    from ..fields.publication import STATED
    from ..site.main_text import supplementary_blocks

    placed, match, (title, place, main, _), *_ = read
    sub = supplementary_blocks(placed, match.pattern, main, title, place)
    fields = fields_of(read, site, sub)
    if fields is None:
        return
    fields.metadata()
    for name in METADATA_FIELDS:
        value = getattr(article, name)
        if value in (None, ()) or name.endswith("_raw"):
            continue
        values = value if isinstance(value, tuple) else (value,)
        shown = ", ".join(str(getattr(entry, "name", entry)) for entry in values)
        source = fields.sources.get(name, STATED)
        yield f"{name.replace('_', ' ')}: {clip(printable(shown), TEXT_WIDTH)}; {printable(source)}"


def _quoted(title: str) -> str:
    return f'"{clip(printable(title), TEXT_WIDTH)}"' if title else "none"


def warnings_of(site: SitePatterns) -> Iterator[str]:
    """Yield each warning of a site in words: what is wrong, what to do, and the patterns concerned."""
    from ..patterns.trust import warning_text

    for warning in site.warnings:
        yield f"{printable(warning_text(warning))}{_layouts(warning, site)}"


def _layouts(warning: LearnWarning, site: SitePatterns) -> str:
    """Return the numbers of the patterns concerned, as the table shows them."""
    numbers = {pattern.name: str(number) for number, pattern in enumerate(site.patterns, 1)}
    concerned = [numbers[name] for name in warning.patterns if name in numbers]
    return f" (layout {', '.join(concerned)})" if concerned else ""
