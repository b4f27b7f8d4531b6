"""Read one page: by the patterns of its site, or by its own evidence. The steps of ``flow.extract``."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from .article.result import ArticleParts, Explanation, Reason, markdown_of, parts_of
from .base.urls import url_shape
from .base.work import Parts
from .classic.patterns_2009 import article_of_sequence, layout_of_2009, match_sequence, threshold_of_sequences
from .options import ExtractOptions
from .patterns.match import (
    Match,
    beside_others,
    blended,
    match_itself,
    match_paths,
    threshold_of,
)
from .site.model import ENOUGH_PAGES, PlacedLayout, SiteTraits
from .values import Article, Layout, Page, SitePatterns
from .verdict.classifier import Context, own_odds, probability, undated
from .verdict.evidence import Evidence, evidence_of

#: A page with an article: placed in its site, with its match, and with its title and main text.
ReadPage: TypeAlias = tuple[PlacedLayout, Match, ArticleParts]


#: A page is a list, whatever it shows, if the pages with urls of its shape have at most these mean log odds
#: of being articles. Measured on 189 sites: with 20 or 60 pages learned from each, 6 and 20 % of the pages
#: that are no articles are lists by this, and none of some 11,000 articles; with -2.5 one article would be.
_SURE = -3.5


def is_surely_list(url: str, site: SitePatterns, options: ExtractOptions) -> bool:
    """Return whether a page is a list by its url alone, so that it need not be read. Only for path layouts.

    Cost: a look-up.
    """
    if site.layout != "paths" or site.pages < ENOUGH_PAGES or options.article_threshold <= 0:
        return False
    return site.shapes.get(url_shape(url), 0.0) <= _SURE


def read_by_site(
    layout: Layout,
    site: SitePatterns,
    traits: SiteTraits,
    options: ExtractOptions,
    told: Explanation,
) -> Parts[ReadPage | None]:
    """Read a page of a learned site, in parts; None if it gives no article. Only for path layouts.

    :param traits: what is learned about the site besides its patterns.
    :param told: filled with what is found out and what decides.
    """
    return (yield from read_placed(traits.place(layout), site, traits, options, told))


def read_placed(
    placed: PlacedLayout,
    site: SitePatterns,
    traits: SiteTraits,
    options: ExtractOptions,
    told: Explanation,
    evidence: Evidence | None = None,
) -> Parts[ReadPage | None]:
    """Do the work of :func:`read_by_site` for a page that is placed in its site.

    :param evidence: the page's own evidence, if it is known.
    """
    best = match_paths(placed, site, options, compared=told.compared)
    told.threshold, told.least = threshold_of(site, options), options.article_threshold
    told.evidence = evidence or evidence_of(placed, traits.affixes)
    shape = site.shapes.get(url_shape(placed.url), 0.0)
    doubt = undated(told.evidence, site.dated, site.pages)
    told.context = Context(shape, best.pattern.odds if best else 0.0, site.odds, doubt)
    told.probability = probability(own_odds(told.evidence), told.context)
    if told.probability < options.article_threshold:
        told.refuse(Reason.NOT_AN_ARTICLE)
        return None
    match = best
    if best is not None and best.pattern.kind != "article":
        match = match_paths(placed, site, options, kind="article")
    if match is None and not options.reads_unmatched:
        told.refuse(Reason.NO_MATCH)
        return None
    yield
    if match is None:
        placed, match = match_itself(beside_others(placed, site, traits), traits)
    elif site.pages < ENOUGH_PAGES:
        placed, match = blended(placed, match, site, traits)
    told.match = match
    parts = told.parts = parts_of(placed, match.pattern, traits.affixes, told.choice)
    if parts is None:
        told.refuse(Reason.NO_MAIN_TEXT)
        return None
    return placed, match, parts


def read_by_itself(page: PlacedLayout, traits: SiteTraits, told: Explanation) -> ReadPage | None:
    """Read a page of a site that was not learned; None if it has no main text.

    :param page: placed in a site that has only this page.
    :param traits: those of this site.
    :param told: filled with what is found out and what decides.
    """
    placed, match = match_itself(page, traits)
    told.match = match
    parts = told.parts = parts_of(placed, match.pattern, traits.affixes, told.choice)
    if parts is None:
        told.refuse(Reason.NO_MAIN_TEXT)
        return None
    return placed, match, parts


def article_of_2009(
    page: Page, site: SitePatterns, options: ExtractOptions, told: Explanation
) -> Article | None:
    """Return the article on a page of a site with layouts of 2009; None if the page gives none.

    :raises PageError: if the page cannot be read, or goes beyond a limit.
    """
    layout = told.layout = layout_of_2009(page, site, options)
    if not layout.blocks:
        return told.refuse(Reason.NO_TEXT)
    told.threshold = threshold_of_sequences(options)
    found = match_sequence(layout, site, options, told.compared)
    if found is None:
        return told.refuse(Reason.NO_MATCH)
    told.match = Match(found.pattern, found.similarity)
    return article_of_sequence(page.url, found, options)


def unless_uncertain(article: Article, options: ExtractOptions, told: Explanation) -> Article | None:
    """Return the article of a page; None if its confidence is lower than the options ask for.

    :param told: keeps an article that does not come out.
    """
    told.min_confidence = options.min_confidence
    if article.confidence is None or article.confidence >= options.min_confidence:
        return article
    told.uncertain = article
    return told.refuse(Reason.UNCERTAIN)


def with_markdown(article: Article | None, options: ExtractOptions) -> Article | None:
    """Return an article with its Markdown, if there is an article and the options ask for it."""
    if article is None or not options.markdown:
        return article
    return replace(article, markdown=markdown_of(article.title, article.html))
