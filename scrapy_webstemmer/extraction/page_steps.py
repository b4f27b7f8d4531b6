"""Read one page: by the patterns of its site, or by what pages are like in general."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ..base.parts import Parts
from ..base.urls import url_shape
from ..engines import ENGINES
from ..options import ExtractOptions
from ..patterns.confidence import unmatched_confidence
from ..patterns.match import Match, best_match, compare, threshold_of
from ..patterns.own_evidence import UNLIKE, beside_others, blended, by_own_text, with_own_names
from ..site.affixes import NO_AFFIXES
from ..site.edges import above_data, within_article
from ..site.insets import without_ad_labels, without_boxes
from ..site.model import ENOUGH_PAGES, SiteModel, place_alone
from ..site.placed import PlacedLayout
from ..site.threads import without_other_articles
from ..site.titles import title_of
from ..site.weighing import PARAGRAPH
from ..values import Layout, SitePatterns
from ..verdict.classifier import (
    NO_CONTEXT,
    Context,
    Verdict,
    own_odds,
    probability,
    probability_alone,
    signs_of,
)
from ..verdict.evidence import Evidence, evidence_of, is_error_page
from .make_article import article_of_paths, read_in_general, read_page, with_likely_text, without_title
from .result import ReadPage, Reason, Result

#: A page is a list, whatever it shows, if the pages with urls of its shape have at most these mean log odds
#: of being articles. Measured on 213 sites: with 20, 30 or all pages learned from each, 8, 17 and 45 % of the
#: pages that are no articles are lists by this, and none of some 7,500 articles.
_SURE = -3.5

#: An article with a lower confidence is more likely wrong than right: the page's own evidence has a say, too.
_DOUBTFUL = 0.5
#: What pages are like in general has the say on such a page if it is not doubtful itself, and if its F1 is
#: expected to be better by more than this. Measured on 92 of them, of sites with 1 to 20 known pages: F1 goes
#: from .899 to .917; with .05 and .15 it is .914 and .912.
_CLEARLY = 0.1
#: If a site has no more known pages, all its patterns count as doubtful: they tell little of the template,
#: how sure they ever are. Measured on 27 sites, learned from one page each: F1 goes from .965 to .966; with
#: 5 known pages it would be worse. And a pattern of at most so many pages, on any site, has not seen how
#: long a text can be. If it leaves out most of a page, and what pages are like in general finds more than so
#: many times as much, without doubt, that is taken. Measured where it differs: on 27 pages of 4 sites F1
#: goes from .18 to .93, and none is worse. Patterns of more pages know better: below short posts there are
#: long comments.
_FEW, _MANY_TIMES = 3, 3
#: A pattern of at most so many pages does not know which boxes recur. Their names tell it, as on an unknown
#: site. Measured on 214 sites, learned from 5 pages each: 237 texts are better, 83 worse.
_HARDLY_ANY = 5
#: At most so many pages do not show which lines at the ends of a text the template fills in
#: (``site/frames.py``). What is known of such lines in general tells it. Measured on 213 sites, learned from
#: 10 pages each: the F1 of one site grows by .046, that of others changes by .002 at most.
_NO_FRAMES = 12


def is_surely_list(url: str, site: SitePatterns, options: ExtractOptions) -> bool:
    """Return whether a page is a list by its url alone, so that it need not be read. Only for path layouts.

    Cost: a look-up.
    """
    if not ENGINES[site.layout].judges or site.pages < ENOUGH_PAGES:
        return False
    if options.all_kinds or options.article_threshold <= 0:
        return False
    return site.shapes.get(url_shape(url), 0.0) <= _SURE


def read_by_site(
    layout: Layout, site: SitePatterns, model: SiteModel, options: ExtractOptions
) -> Parts[Result]:
    """Read a page of a learned site, in parts. Only for path layouts.

    :param model: what is learned about the site besides its patterns.
    """
    placed = model.place(layout)
    yield
    return (yield from read_placed(placed, site, model, options))


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
    result = Result(placed.url, site=site, layout=placed.layout, compared=compared, threshold=threshold)
    if placed.is_answer:
        return result._replace(reason=Reason.SAME_ANSWER)
    match = best_match(compared, threshold)
    if match is None or match.share < UNLIKE:
        placed, evidence = beside_others(placed, site, model), None
    evidence = evidence or evidence_of(placed, model.affixes)
    yield
    fits = match is not None and match.share >= UNLIKE
    verdict = _verdict(placed, site, match, fits, evidence, options)
    result = result._replace(verdict=verdict)
    is_article = verdict.probability >= verdict.least
    if is_article and match is not None and match.pattern.kind != "article":
        articles = [candidate for candidate in compared if candidate.pattern.kind == "article"]
        match = best_match(articles, threshold)
    if not is_article:
        result = result._replace(reason=Reason.NOT_AN_ARTICLE)
    elif match is None and not options.reads_unmatched:
        result = result._replace(reason=Reason.NO_MATCH)
    else:
        if match is None:
            page, matched = _in_general(placed, model, verdict), None
        else:
            page, matched = _by_pattern(placed, match, site, model, verdict)
        reason = "" if page.parts.main else Reason.NO_MAIN_TEXT
        result = result._replace(reason=reason, match=matched or page.match, page=page)
    if not result.reason or not _gives_others(placed.layout, options):
        return result
    yield
    return _by_itself(result, placed, match, model, verdict.probability)


def _in_general(placed: PlacedLayout, model: SiteModel, verdict: Verdict) -> ReadPage:
    """Return a page that no pattern of its site fits, by what pages are like in general."""
    named = with_own_names(placed, model)
    page = read_in_general(named, model.affixes, verdict.probability, as_article=True)
    # on a site that is known, such a page is less sure than it looks
    return page._replace(likely=page.shares and unmatched_confidence(page.shares))


def _by_pattern(
    placed: PlacedLayout, match: Match, site: SitePatterns, model: SiteModel, verdict: Verdict
) -> tuple[ReadPage, Match]:
    """Return a page as its pattern reads it; where that is doubtful, as its own evidence does.

    The second value is the match with the pattern, to which the page's own evidence may have been added.
    """
    if site.pages < ENOUGH_PAGES:
        placed, match = blended(placed, match, site, model)
    page = read_page(placed, match, model.affixes, verdict.probability)
    if page.confidence < _DOUBTFUL:
        by_itself = read_page(*by_own_text(placed, match, model), model.affixes, verdict.probability)
        page = by_itself if by_itself.confidence > page.confidence else page
    if match.pattern.pages <= _FEW and _leaves_most(page):
        others = beside_others(placed, site, model)
        general = read_in_general(others, model.affixes, verdict.probability, as_article=True)
        if general.confidence >= _DOUBTFUL and _text_weight(general) > _MANY_TIMES * _text_weight(page):
            page = general
    if page.confidence < _DOUBTFUL or site.pages <= _FEW:
        likely = with_likely_text(page, model.affixes, _CLEARLY, as_article=True)
        page = likely if likely.confidence >= _DOUBTFUL and likely.parts.main != page.parts.main else page
    main = without_other_articles(page.placed, page.parts.main)
    few = match.pattern.pages <= _HARDLY_ANY and main
    main = within_article(page.placed, main) if main and site.pages <= _FEW else main
    main = (without_boxes if few else without_ad_labels)(page.placed, main)
    if _HARDLY_ANY < match.pattern.pages <= _NO_FRAMES:
        main = above_data(page.placed, main)
    if len(main) < len(page.parts.main):
        page = page.with_main(main, model.affixes)
    return page, match


def _by_itself(
    result: Result, placed: PlacedLayout, match: Match | None, model: SiteModel, article: float
) -> Result:
    """Return the result for a page of a learned site that gives no article, read by itself.

    This is for those who ask for all kinds of pages. What lists show is boilerplate of their site, and no
    pattern of articles tells where a product has its text: so of the site only the titles' place counts.

    :param article: the probability that the page is an article.
    """
    page = read_in_general(place_alone(placed.layout), NO_AFFIXES, article)
    if not page.parts.main:
        return result
    if match is not None:
        page = _with_learned_title(page, placed, match, model)
    return result._replace(reason="", refusal=result.reason, match=page.match, page=page)


def _with_learned_title(page: ReadPage, placed: PlacedLayout, match: Match, model: SiteModel) -> ReadPage:
    """Return a page that was read by itself with the title at its pattern's place, if it has one.

    The largest heading, or the ``title`` element, may have the site's name on each page.

    :param placed: the same page in its site.
    """
    title, place = title_of(placed, match.pattern.titles, model.affixes, match.pattern.headline)
    if not title:
        return page
    if place in placed.places:
        place = page.placed.places[placed.places.index(place)]
    main = without_title(page.placed, page.parts.main, title)
    return page._replace(parts=page.parts._replace(title=title, place=place, main=main))


def _gives_others(layout: Layout, options: ExtractOptions) -> bool:
    """Return whether a page gives its text though it is no article. A page of an error does not."""
    return options.all_kinds and not is_error_page(layout)


def _text_weight(read: ReadPage) -> int:
    """Return the significant characters of a text outside links."""
    blocks = read.placed.layout.blocks
    return sum([blocks[index].plain for index in read.parts.main])


def _leaves_most(read: ReadPage) -> bool:
    """Return whether a text leaves out most of what a page has outside links and its site does not repeat.

    If it is a line alone, such as the byline, the records of the page may be its sections.
    """
    page, repeated, weight = read.placed, read.placed.repeated, _text_weight(read)
    new = [block for block, known in zip(page.layout.blocks, page.boilerplate, strict=True) if not known]
    single = [block for block in new if weight < PARAGRAPH or not repeated[block.node]]
    return sum([block.plain for block in single]) > _MANY_TIMES * weight


def _verdict(
    page: PlacedLayout,
    site: SitePatterns,
    match: Match | None,
    fits: bool,
    evidence: Evidence,
    options: ExtractOptions,
) -> Verdict:
    shape = site.shapes.get(url_shape(page.url), 0.0)
    signs = signs_of(evidence, site.signs, site.pages, fits=fits)
    context = Context(shape, match.pattern.odds if match else 0.0, site.odds, signs)
    return Verdict(evidence, context, probability(own_odds(evidence), context), options.article_threshold)


def read_by_itself(layout: Layout, options: ExtractOptions) -> Parts[Result]:
    """Read a page of a site that was not learned, in parts. The pattern in the result has no name."""
    placed = place_alone(layout)
    evidence = evidence_of(placed, NO_AFFIXES)
    article = probability_alone(own_odds(evidence))
    verdict = Verdict(evidence, NO_CONTEXT, article, options.article_threshold)
    result = Result(layout.url, layout=layout, threshold=options.threshold or 0.0, verdict=verdict)
    if article < verdict.least:
        if not _gives_others(layout, options):
            return result._replace(reason=Reason.NOT_AN_ARTICLE)
        result = result._replace(refusal=Reason.NOT_AN_ARTICLE)
    yield
    page = read_in_general(placed, NO_AFFIXES, article)
    reason = "" if page.parts.main else Reason.NO_MAIN_TEXT
    return result._replace(reason=reason, match=page.match, page=page)


@lru_cache(maxsize=8)
def without_thresholds(options: ExtractOptions) -> ExtractOptions:
    """Return options by which each page gives its article."""
    return replace(options, article_threshold=0.0, min_confidence=0.0)


def read_alone(layout: Layout, options: ExtractOptions) -> Parts[Result]:
    """Read a page that somebody asks for, in parts: it has an article, whatever the page is.

    Thresholds have no say. The article is empty only if the page shows no text.
    """
    options = without_thresholds(options)
    result = yield from read_by_itself(layout, options)
    assert result.page is not None  # noqa: S101 - no threshold keeps it out
    yield
    result = yield from with_article(result._replace(reason=""), result.page, options)
    if layout.blocks or result.article is None:
        return result
    # of a page without text nothing can be judged
    article = replace(result.article, probability=None, page_type=None, page_type_confidence=None)
    return result._replace(reason=Reason.NO_TEXT, verdict=None, article=article)


def with_article(result: Result, page: ReadPage, options: ExtractOptions) -> Parts[Result]:
    """Return the result for a page with its article, or with why the article does not come out, in parts."""
    if options.all_kinds and result.verdict:
        page = page.with_type(result.verdict.evidence)
    article = yield from article_of_paths(page, options, result.site)
    least = options.min_confidence
    if result.refusal or page.is_other or (article.confidence or 0.0) >= least:
        return result._replace(article=article, page=page)
    return result._replace(reason=Reason.UNCERTAIN, uncertain=article, min_confidence=least)
