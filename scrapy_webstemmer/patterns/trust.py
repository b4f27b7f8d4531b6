"""Compute what a person needs to know before trusting patterns: figures and warnings (path layouts)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from statistics import fmean

from ..base.urls import url_shape
from ..errors import plural
from ..site.affixes import Affixes
from ..site.model import ENOUGH_PAGES
from ..site.paths import is_bare, is_under
from ..site.placed import PlacedLayout
from ..site.titles import is_called, title_on
from ..values import LearnWarning, Pattern, UnusedPages
from .clusters import Template

#: For each kind of warning: what is wrong, and what to do.
WARNINGS = {
    "corrections without a place": (
        "somebody has corrected earlier patterns, and some corrections fit no layout of these {pages}",
        "look at the articles with scrapy review, and correct them again if need be",
    ),
    "few pages": (
        "only {pages} learned from: what is an article, and what belongs to it, is less certain",
        "crawl 30 pages or more",
    ),
    "few pages of a layout": (
        "{patterns} learned from fewer than ten pages each, {pages} in all",
        "crawl more pages like these",
    ),
    "redesigns": (
        "{patterns} of articles have little in common, but like urls: an old and a new design ({pages})",
        "learn from pages of today's design only, with -a or -j, or from a new crawl",
    ),
    "no anchor texts": (
        "no anchor text of their own leads to {pages}: titles rest on the title element",
        "crawl index pages as well, or add the linkinfo",
    ),
    "same answers": (
        "{pages} of different urls are the same: the site refused the crawler, or has no such pages",
        "look at one of them; crawl more slowly, or with the cookies that the site asks for",
    ),
    "no text": (
        "hardly any text of {pages} of {patterns} of articles is main text",
        "look at them with scrapy review; text that a site shows on many pages is no main text",
    ),
    "doubtful articles": (
        "the articles of {patterns} with {pages} are more likely wrong than right",
        "look at them with scrapy review, and correct what it shows",
    ),
    "hardly any articles": (
        "hardly any page of this site looks like an article ({pages}), whatever the kind of its layouts",
        "crawl the pages to which its lists lead; if these are the articles, article_threshold=0 and"
        " min_confidence=0 take every page for one",
    ),
    "unused pages": (
        "{pages} went into no pattern",
        "see the reasons above; crawl more pages of rare layouts",
    ),
}


def warning_text(warning: LearnWarning) -> str:
    """Return a warning in words: what is wrong, and what to do.

    A kind that only a later release knows is shown by its name.
    """
    pages, patterns = plural(warning.pages, "page"), plural(len(warning.patterns), "layout")
    if warning.kind not in WARNINGS:
        return f"{warning.kind}, {pages}"
    wrong, advice = WARNINGS[warning.kind]
    return f"{wrong.format(pages=pages, patterns=patterns)}; {advice}"


#: A layout is well known from this number of pages on: text and title are then as good as they get.
_WELL_KNOWN = 10
#: Warn of layouts with fewer pages if they have more than this share of the articles.
_FEW_SHARE = 0.1
#: If anchor texts lead to less than this share of the pages, the linkinfo is practically missing.
_ANCHORED = 0.1
#: A layout of articles with less than this share of main text has none: half a percent, shown as 0 %.
_LEAST_TEXT = 0.005
#: If the mean confidence in a layout's articles is below this, they are more likely wrong than right.
_DOUBTFUL_CONFIDENCE = 0.5
#: Layouts that share less than this of the elements around the main text have little in common ...
_UNLIKE = 0.2
#: ... and show the same kind of page if at least this share of their urls is alike.
_URLS_ALIKE = 0.5
#: One or two odd pages need no warning; this number of pages does.
_SEVERAL_PAGES = 3
#: If less than this share of a site's pages are articles, the whole site is misread or has no articles.
_HARDLY_ANY = 0.05
#: Warn if more than this share of the pages gave no pattern.
_UNUSED_SHARE = 0.1


def with_title_share(
    pattern: Pattern, pages: Sequence[PlacedLayout], anchors: Mapping[str, Collection[str]], affixes: Affixes
) -> Pattern:
    """Return a pattern with its share of agreeing titles, on a sample of its pages."""
    titles = [title_on(page, pattern, affixes) for page in pages]
    agreeing = [
        is_called(page, title, place, anchors.get(page.url, ()))
        for page, (title, place) in zip(pages, titles, strict=True)
    ]
    return replace(pattern, title_share=round(fmean(agreeing), 3))


def find_warnings(
    templates: Mapping[str, Template],
    patterns: Sequence[Pattern],
    anchors: Mapping[str, Collection[str]],
    articles: Collection[str],
    confidences: Mapping[str, float],
) -> tuple[LearnWarning, ...]:
    """Return the reasons not to trust a site's patterns; one alone if it is a site of lists with text.

    :param templates: for a pattern's name, the template that it was learned from.
    :param anchors: for a page's url, the anchor texts that lead to it.
    :param articles: the urls of the pages that count as articles.
    :param confidences: for the name of a pattern of articles, the mean confidence in them, 0 to 1.
    """
    pages = len(anchors)
    few = LearnWarning("few pages", pages) if pages < ENOUGH_PAGES else None
    are_few = len(articles) < _HARDLY_ANY * pages
    hardly = LearnWarning("hardly any articles", len(articles)) if are_few else None
    of_articles = [pattern for pattern in patterns if pattern.kind == "article"]
    if hardly and not any(_shows_articles(templates[pattern.name], articles) for pattern in of_articles):
        # whatever else is odd follows from that
        return tuple(filter(None, (few or hardly, _same_answers(templates), _without_text(of_articles))))
    warnings = (
        few or hardly,
        None if few else _few_of_layout(of_articles),
        _redesigns(of_articles, templates),
        _without_text(of_articles),
        _no_anchors(anchors),
        _same_answers(templates),
        _doubtful(of_articles, confidences),
    )
    return tuple(filter(None, warnings))


def _shows_articles(template: Template, articles: Collection[str]) -> bool:
    """Return whether half of a layout's pages or more are articles."""
    return 2 * sum(page.url in articles for page in template.pages) >= len(template.pages)


def _of_layouts(kind: str, pages: Mapping[str, int]) -> LearnWarning | None:
    """Return a warning of some layouts; None: there are none.

    :param pages: for the name of a layout's pattern, the number of its pages that are concerned.
    """
    return LearnWarning(kind, sum(pages.values()), tuple(pages)) if pages else None


def _without_text(articles: Sequence[Pattern]) -> LearnWarning | None:
    empty = {
        pattern.name: pattern.pages
        for pattern in articles
        if pattern.main_share is not None and pattern.main_share < _LEAST_TEXT
    }
    return _of_layouts("no text", empty)


def _doubtful(articles: Sequence[Pattern], confidences: Mapping[str, float]) -> LearnWarning | None:
    large = [pattern for pattern in articles if pattern.pages >= _SEVERAL_PAGES]
    doubtful = {
        pattern.name: pattern.pages for pattern in large if confidences[pattern.name] < _DOUBTFUL_CONFIDENCE
    }
    return _of_layouts("doubtful articles", doubtful)


def _same_answers(templates: Mapping[str, Template]) -> LearnWarning | None:
    answers = sum(page.is_answer for template in templates.values() for page in template.pages)
    return LearnWarning("same answers", answers) if answers else None


def _few_of_layout(articles: Sequence[Pattern]) -> LearnWarning | None:
    few = {pattern.name: pattern.pages for pattern in articles if pattern.pages < _WELL_KNOWN}
    are_many = sum(few.values()) > _FEW_SHARE * sum(pattern.pages for pattern in articles)
    return _of_layouts("few pages of a layout", few) if are_many else None


def _redesigns(articles: Sequence[Pattern], templates: Mapping[str, Template]) -> LearnWarning | None:
    """Warn of layouts that have little in common although their pages' urls are alike.

    If the times of fetching are known, they must not overlap: two designs that are
    in use at the same time are not a redesign.
    """
    large = [pattern for pattern in articles if pattern.pages >= _SEVERAL_PAGES]
    redesigned: dict[str, int] = {}
    for a, b in combinations(large, 2):
        if _frames_alike(a, b) < _UNLIKE:
            pages, others = templates[a.name].pages, templates[b.name].pages
            if _urls_alike(pages, others) >= _URLS_ALIKE and not _overlap(pages, others):
                redesigned |= {a.name: a.pages, b.name: b.pages}
    return _of_layouts("redesigns", redesigned)


def _frames_alike(a: Pattern, b: Pattern) -> float:
    """Return the share of the elements around the main text that two patterns have in common, 0 to 1.

    Elements are compared by their ids and classes. If a pattern has none, nothing can be compared: 1.
    """
    ours, theirs = (
        {
            step
            for section in pattern.sections
            if not is_under(section.feature, pattern.container)
            for step in section.feature.split("/")
            if not is_bare(step)
        }
        for pattern in (a, b)
    )
    return len(ours & theirs) / len(ours | theirs) if ours and theirs else 1.0


def _urls_alike(pages: Sequence[PlacedLayout], others: Sequence[PlacedLayout]) -> float:
    """Return the share of urls that have the same shape in both clusters, 0 to 1."""
    a, b = (Counter(url_shape(page.url) for page in cluster) for cluster in (pages, others))
    return sum(min(a[shape] / len(pages), b[shape] / len(others)) for shape in a)


def _overlap(pages: Sequence[PlacedLayout], others: Sequence[PlacedLayout]) -> bool:
    """Return whether both clusters are known to have been fetched in overlapping periods of days."""
    a, b = (sorted(page.layout.fetched[:10] for page in cluster) for cluster in (pages, others))
    return bool(a[0] and b[0]) and a[0] <= b[-1] and b[0] <= a[-1]


def _no_anchors(anchors: Mapping[str, Collection[str]]) -> LearnWarning | None:
    without = sum(not texts for texts in anchors.values())
    is_missing = len(anchors) - without < _ANCHORED * len(anchors)
    return LearnWarning("no anchor texts", without) if is_missing else None


def unused_warnings(unused: Sequence[UnusedPages], pages: int) -> tuple[LearnWarning, ...]:
    """Return a warning if many pages are unused.

    :param unused: the unused pages, except those that need no warning (for example, without text).
    :param pages: number of the site's pages that have text or could not be read.
    """
    number = sum(group.pages for group in unused)
    return (LearnWarning("unused pages", number),) if number > _UNUSED_SHARE * pages else ()
