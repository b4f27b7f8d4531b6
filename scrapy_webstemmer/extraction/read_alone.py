"""Read a page of which no other page of its site is known: by what pages are like in general.

The page is placed in a site of its own, which says what its template is. Its title is what its title element
and its headings agree on. The main text is the most likely one (``site/block_odds.py``).
"""

from __future__ import annotations

from dataclasses import replace

from ..base.parts import Parts
from ..options import ExtractOptions
from ..patterns.match import Match
from ..site.block_odds import likely_text
from ..site.model import place_all
from ..site.titles import rank_titles
from ..values import Layout, Pattern
from ..verdict.classifier import NO_CONTEXT, Verdict, own_odds, probability_alone
from ..verdict.evidence import evidence_of
from .make_article import parts_of, without_title
from .page_steps import with_article
from .result import ReadPage, Reason, Result


def read_by_itself(layout: Layout, options: ExtractOptions) -> Parts[Result]:
    """Read a page of a site that was not learned, in parts. The pattern in the result has no name."""
    model, (placed,) = place_all([layout])
    evidence = evidence_of(placed, model.affixes)
    article = probability_alone(own_odds(evidence))
    verdict = Verdict(evidence, NO_CONTEXT, article, options.article_threshold)
    result = Result(layout.url, layout=layout, threshold=options.threshold or 0.0, verdict=verdict)
    if article < verdict.least:
        return result._replace(reason=Reason.NOT_AN_ARTICLE)
    yield
    titles = rank_titles([placed], {}, model.affixes)
    pattern = Pattern(name="", kind="article", score=0.0, pages=0, sections=(), titles=titles)
    parts = parts_of(placed, pattern, model.affixes)
    yield
    likely = likely_text(placed, parts.main, parts.chosen.node, article)
    page = ReadPage(placed, Match(pattern, 0.0), parts, article, likely=likely.confidence)
    page = page.with_main(without_title(placed, likely.blocks, parts.title), model.affixes)
    reason = "" if page.parts.main else Reason.NO_MAIN_TEXT
    return result._replace(reason=reason, match=page.match, page=page)


def read_alone(layout: Layout, options: ExtractOptions) -> Parts[Result]:
    """Read a page that somebody asks for, in parts: it has an article, whatever the page is.

    Thresholds have no say. The article is empty only if the page shows no text.
    """
    options = replace(options, article_threshold=0.0, min_confidence=0.0)
    result = yield from read_by_itself(layout, options)
    assert result.page is not None  # noqa: S101 - no threshold keeps it out
    yield
    result = with_article(result._replace(reason=""), result.page, options)
    if layout.blocks or result.article is None:
        return result
    # of a page without text nothing can be judged
    return result._replace(reason=Reason.NO_TEXT, article=replace(result.article, probability=None))
