"""Read one page: by the patterns of its site, or by its own evidence. The steps of ``api.extract``."""

from __future__ import annotations

from functools import partial

from .article.result import ReadPage, Reason, Result, article_of_paths, parts_of, with_markdown
from .base.urls import url_shape
from .base.work import Parts
from .classic.patterns_2009 import (
    article_of_sequence,
    layout_of_2009,
    match_sequence,
    threshold_of_sequences,
)
from .options import ExtractOptions
from .patterns.match import (
    Match,
    beside_others,
    best_match,
    blended,
    compare,
    match_itself,
    threshold_of,
)
from .site.boilerplate import Affixes
from .site.model import ENOUGH_PAGES, PlacedLayout, SiteModel
from .values import Layout, Page, SitePatterns
from .verdict.classifier import Context, Verdict, own_odds, probability, undated
from .verdict.evidence import Evidence, evidence_of

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
    layout: Layout, site: SitePatterns, model: SiteModel, options: ExtractOptions
) -> Parts[Result]:
    """Read a page of a learned site, in parts. Only for path layouts.

    :param model: what is learned about the site besides its patterns.
    """
    return (yield from read_placed(model.place(layout), site, model, options))


def read_placed(
    placed: PlacedLayout,
    site: SitePatterns,
    model: SiteModel,
    options: ExtractOptions,
    evidence: Evidence | None = None,
) -> Parts[Result]:
    """Do the work of :func:`read_by_site` for a page that is placed in its site.

    :param evidence: the page's own evidence, if it is known.
    """
    compared, threshold = compare(placed, site, options), threshold_of(site, options)
    match = best_match(compared, threshold)
    verdict = _verdict(placed, site, match, evidence or evidence_of(placed, model.affixes), options)
    found = partial(
        Result,
        placed.url,
        site=site,
        layout=placed.layout,
        compared=compared,
        threshold=threshold,
        verdict=verdict,
    )
    if verdict.probability < verdict.least:
        return found(Reason.NOT_AN_ARTICLE)
    if match is not None and match.pattern.kind != "article":
        match = best_match((one for one in compared if one.pattern.kind == "article"), threshold)
    if match is None and not options.reads_unmatched:
        return found(Reason.NO_MATCH)
    yield
    if match is None:
        placed, match = match_itself(beside_others(placed, site, model), model)
    elif site.pages < ENOUGH_PAGES:
        placed, match = blended(placed, match, site, model)
    page = ReadPage(placed, match, parts_of(placed, match.pattern, model.affixes))
    return found("" if page.parts.main else Reason.NO_MAIN_TEXT, match=match, page=page)


def _verdict(
    page: PlacedLayout, site: SitePatterns, match: Match | None, evidence: Evidence, options: ExtractOptions
) -> Verdict:
    shape = site.shapes.get(url_shape(page.url), 0.0)
    doubt = undated(evidence, site.dated, site.pages)
    context = Context(shape, match.pattern.odds if match else 0.0, site.odds, doubt)
    return Verdict(evidence, context, probability(own_odds(evidence), context), options.article_threshold)


def read_by_itself(page: PlacedLayout, model: SiteModel) -> Result:
    """Read a page of a site that was not learned.

    :param page: placed in a site that has only this page.
    :param model: that of this site.
    """
    placed, match = match_itself(page, model)
    read = ReadPage(placed, match, parts_of(placed, match.pattern, model.affixes))
    reason = "" if read.parts.main else Reason.NO_MAIN_TEXT
    return Result(page.url, reason, layout=page.layout, match=match, page=read)


def result_of_2009(page: Page, site: SitePatterns, options: ExtractOptions) -> Result:
    """Return what extraction finds on a page of a site with layouts of 2009.

    :raises PageError: if the page cannot be read, or goes beyond a limit.
    """
    layout = layout_of_2009(page, site, options)
    if not layout.blocks:
        return Result(page.url, Reason.NO_TEXT, site, layout)
    match, compared = match_sequence(layout, site, options)
    least = threshold_of_sequences(options)
    found = partial(Result, page.url, site=site, layout=layout, compared=compared, threshold=least)
    if match is None:
        return found(Reason.NO_MATCH)
    article = with_markdown(article_of_sequence(page.url, match, options), options)
    return found(match=Match(match.pattern, match.similarity), article=article)


def with_article(result: Result, page: ReadPage, affixes: Affixes, options: ExtractOptions) -> Result:
    """Return the result for a page with the page's article, or with why the article does not come out."""
    article = article_of_paths(page, affixes, options, result.probability, result.site)
    least = options.min_confidence
    if (article.confidence or 0.0) >= least:
        return result._replace(article=article)
    return result._replace(reason=Reason.UNCERTAIN, uncertain=article, min_confidence=least)
