"""Word the warnings of `scrapy analyze`: which patterns should not be trusted, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .terminal import plural, printable

if TYPE_CHECKING:
    from ...values.patterns import LearnWarning, SitePatterns

__all__ = ["warning_lines"]

#: For each kind of warning: what is wrong, and what to do.
_TEXTS = {
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
    "comments outweigh the text": (
        "what looks like comments is more than the text on {pages} of {patterns}",
        "look at the articles; if comments are in them, add their path to `excluded` in the pattern file",
    ),
    "rules withdrawn": (
        "what the rules left out of {patterns} was all of the text on {pages}; they were withdrawn there",
        "look at the articles, which may have more in them than the text",
    ),
    "pages unlike their layout": (
        "{pages} of {patterns} are of the other kind, article or list",
        "look at the samples; whether a page gives an article is decided page by page",
    ),
    "hardly any articles": (
        "only {pages} of this site look like articles",
        "look at the samples; with article_threshold=0 and min_confidence=0 every page gives what there is",
    ),
    "unused pages": (
        "{pages} went into no pattern",
        "see the reasons above; crawl more pages of rare layouts",
    ),
}


def warning_lines(site: SitePatterns) -> Iterator[str]:
    """Yield a line for each warning of a site: what is wrong, what to do, and the patterns concerned.

    A kind that only a later release knows is shown by its name.
    """
    for warning in site.warnings:
        yield f"  warning: {_text(warning)}{_sample(warning, site)}"


def _text(warning: LearnWarning) -> str:
    pages, patterns = plural(warning.pages, "page"), plural(len(warning.patterns), "layout")
    if warning.kind not in _TEXTS:
        return f"{printable(warning.kind)}, {pages}"
    wrong, advice = _TEXTS[warning.kind]
    return f"{wrong.format(pages=pages, patterns=patterns)}; {advice}"


def _sample(warning: LearnWarning, site: SitePatterns) -> str:
    """Return the numbers of the patterns concerned, as the table shows them."""
    numbers = {pattern.name: str(number) for number, pattern in enumerate(site.patterns, 1)}
    found = [numbers[name] for name in warning.patterns if name in numbers]
    return f" (layout {', '.join(found)})" if found else ""
