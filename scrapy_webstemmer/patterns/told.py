"""Tell templates of articles from templates of lists, by their pages' own evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..layouts.affixes import Affixes
from ..layouts.dates import dated_share
from ..layouts.placed import PlacedLayout
from ..layouts.templates import Template
from ..layouts.title import rank_titles
from ..options.learn import LearnOptions
from ..values.patterns import Pattern
from .kinds import mean_odds, odds_of
from .pattern import Titles, find_container_of, pattern_of

__all__ = ["Told", "dated_articles", "odds_of_odd_pages", "tell_kinds", "with_article"]

#: Articles and lists of one layout are learned apart if there are at least this number of each.
_LEAST_OF_BOTH = 5


class Told(NamedTuple):
    """A template, its pattern, and the log odds that its pages are articles, by url."""

    template: Template
    pattern: Pattern
    odds: Mapping[str, float]


def tell_kinds(template: Template, titles: Titles, affixes: Affixes, options: LearnOptions) -> Iterator[Told]:
    """Yield a template as one of articles or of lists; as one of each if it has enough pages of both."""
    pattern = pattern_of(template, titles.of(template), affixes, options)
    odds = odds_of(template.sample, pattern, affixes)
    parts = [template]
    articles = sum(value >= 0 for value in odds.values())
    if min(articles, len(odds) - articles) >= _LEAST_OF_BOTH:
        odds |= odds_of((page for page in template.pages if page.url not in odds), pattern, affixes)
        parts = [
            _part(template, [p for p in template.pages if (odds[p.url] >= 0) is kind], options)
            for kind in (True, False)
        ]
    for part in parts:
        if part is not template:
            pattern = pattern_of(part, titles.of(part), affixes, options)
            odds = odds_of(part.sample, pattern, affixes)
        own = mean_odds([*odds.values()])
        kind = "article" if own >= 0 else "index"
        # a layout that both articles and lists have says nothing about a further page
        yield Told(part, replace(pattern, kind=kind, odds=own if part is template else 0.0), odds)


def _part(template: Template, pages: Sequence[PlacedLayout], options: LearnOptions) -> Template:
    """Return some of a template's pages as a template of their own."""
    part = replace(template, pages=pages, lead_shares={})
    return replace(part, container=find_container_of(part.sample, options))


def with_article(told: Sequence[Told]) -> list[Told]:
    """Return the templates. If none is of articles, the one most like articles is marked as such."""
    if any(part.pattern.kind == "article" for part in told):
        return [*told]
    best = max(told, key=lambda part: (part.pattern.odds, part.pattern.pages, part.pattern.name))
    as_article = best._replace(pattern=replace(best.pattern, kind="article"))
    return [as_article if part is best else part for part in told]


def odds_of_odd_pages(
    pages: Iterable[PlacedLayout], affixes: Affixes, options: LearnOptions
) -> dict[str, float]:
    """Return by url the log odds of pages in clusters too small for a pattern, each by its own evidence."""
    odds: dict[str, float] = {}
    for page in pages:
        template = Template([page], find_container_of([page], options))
        titles = rank_titles([page], {}, affixes)
        odds |= odds_of([page], pattern_of(template, titles, affixes, options), affixes)
    return odds


def dated_articles(told: Sequence[Told]) -> float:
    """Return the share of the pages of article patterns that have a date in their url, 0 to 1."""
    urls = [page.url for part in told if part.pattern.kind == "article" for page in part.template.pages]
    return round(dated_share(urls), 4)
