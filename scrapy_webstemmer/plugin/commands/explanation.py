"""Word what extraction found out about a page: `scrapy extract --explain`.

Nothing is decided or computed here. All figures come from the extraction of the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ...errors import plural
from .terminal import clip, printable

if TYPE_CHECKING:
    from ...articles.explanation import Explanation
    from ...values.patterns import SitePatterns

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


def explanation_text(explanation: Explanation) -> str:
    """Return the account of a page, with an empty line at its end."""
    lines = "".join(f"  {line}\n" for line in _lines(explanation))
    return f"{printable(explanation.url)}\n{lines}\n"


def _lines(told: Explanation) -> Iterator[str]:
    from ...articles.explanation import Reason

    yield from _outcome(told)
    if told.reason != Reason.LEFT_OUT:
        yield _site(told.site)
    if told.site is not None:
        yield from _patterns(told, told.site)
    yield from _probability(told)
    yield from _parts(told)


def _outcome(told: Explanation) -> Iterator[str]:
    if told.uncertain is not None:
        yield f"no article: {told.reason}: {told.uncertain.confidence:g} ({told.min_confidence:g} is enough)"
        return
    if told.article is None:
        yield f"no article: {printable(told.reason)}"
        return
    confidence = told.article.confidence
    yield "article" if confidence is None else f"article, with the confidence {confidence:.2f}"


def _site(site: SitePatterns | None) -> str:
    if site is None:
        return "site: not in the pattern file"
    learned = f"{plural(len(site.patterns), 'pattern')} from {plural(site.pages, 'page')}"
    form = _FORMS.get(site.layout, "")
    return f"site: {printable(site.site)}, {learned}{form}"


def _patterns(told: Explanation, site: SitePatterns) -> Iterator[str]:
    """Yield the similarity of each pattern. A star marks the one by which the page was read."""
    match = told.match
    if told.compared:
        least = f"more than {told.threshold:.2f}" if site.layout == "sequence" else f"{told.threshold:.2f}"
        yield f"similarity to the patterns ({least} is a match):"
        ranked = sorted(told.compared, key=lambda row: -row[1])
        for pattern, share in ranked[:PATTERNS_SHOWN]:
            mark = "*" if match is not None and match.pattern.name == pattern.name else " "
            yield f"  {mark} {share:.2f}  {pattern.kind:<7}  {printable(pattern.name)}"
        if len(ranked) > PATTERNS_SHOWN:
            yield f"    and {len(ranked) - PATTERNS_SHOWN:,} less similar"
    left = len(site.patterns) - len(told.compared)
    if left and told.layout is not None and told.layout.blocks:
        yield f"not compared, since the page lacks too much of them: {plural(left, 'pattern')}"
    if match is not None and not match.pattern.name:
        yield "read by its own evidence, since no pattern of articles is like it"


def _probability(told: Explanation) -> Iterator[str]:
    """Yield the sums that give the probability of an article. Evidence that the page lacks is left out."""
    if told.evidence is None or told.context is None or told.probability is None:
        return
    from ...verdict.classifier import MOST_ODDS, own_odds, weights

    yield f"probability of an article: {told.probability:.2f} ({told.least:.2f} is enough); its log odds are"
    known, own = weights(), own_odds(told.evidence)
    yield from _sum(known.context, {"own": own, **told.context._asdict()})
    yield f"the page itself, from {-MOST_ODDS:g} to {MOST_ODDS:g}:"
    yield from _sum(known.evidence, told.evidence._asdict())


def _sum(weights: Mapping[str, float], values: Mapping[str, float]) -> Iterator[str]:
    """Yield the parts of log odds that count, the strongest first: each with its words, value and weight."""
    yield f"  {weights['base']:5.2f}  to begin with"
    parts = [(value * weights[name], name) for name, value in values.items() if value]
    for part, name in sorted(parts, key=lambda part: -abs(part[0])):
        yield f"  {part:5.2f}  {_WORDS[name]} ({values[name]:.2f} * {weights[name]:.2f})"


def _parts(told: Explanation) -> Iterator[str]:
    """Yield where title and main text stand, and what was left out."""
    if told.article is not None and told.site is not None and told.site.layout != "paths":
        yield f"title: {_quoted(told.article.title)}"
        return
    if told.parts is not None:
        place = f", at {printable(told.parts.place)}" if told.parts.place else ""
        yield f"title: {_quoted(told.parts.title)}{place}"
    if told.match is None or told.choice is None or told.layout is None:
        return
    blocks = len(told.parts.main) if told.parts else 0
    of_all = f"{blocks:,} of {plural(len(told.layout.blocks), 'block')}"
    missing = (
        "" if told.choice.learned else f", since there is none in {printable(told.match.pattern.container)}"
    )
    yield f"main text: {of_all}, in {printable(told.choice.container)}{missing}"
    yield from _excluded(told.choice.excluded)
    if told.choice.comments:
        yield f"left out as comments: {plural(told.choice.comments, 'block')}"


def _excluded(excluded: Sequence[tuple[str, int]]) -> Iterator[str]:
    for path, blocks in excluded:
        yield f"excluded: {plural(blocks, 'block')} in {printable(path)}"


def _quoted(title: str) -> str:
    return f'"{clip(printable(title), _TITLE)}"' if title else "none"
