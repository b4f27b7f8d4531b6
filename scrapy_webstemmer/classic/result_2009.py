"""Extract the article of a page by the layouts of 2009."""

from __future__ import annotations

from functools import partial

from ..base.parts import Parts
from ..extraction.make_article import with_markdown
from ..extraction.result import Reason, Result
from ..options import ExtractOptions
from ..patterns.match import Match
from ..values import Page, SitePatterns
from .articles_2009 import article_of_sequence
from .layouts_2009 import layout_of_2009
from .patterns_2009 import match_sequence, threshold_of_sequences


def result_of_2009(
    page: Page, site: SitePatterns, _patterns: object, options: ExtractOptions, _source: object
) -> Parts[Result]:
    """Return what extraction finds on a page of a site with layouts of 2009, in parts.

    :raises PageError: if the page cannot be read, or goes beyond a limit.
    """
    layout = layout_of_2009(page, site, options)
    if not layout.blocks:
        return Result(page.url, Reason.NO_TEXT, site, layout)
    yield
    match, compared = match_sequence(layout, site, options)
    least = threshold_of_sequences(options)
    found = partial(Result, page.url, site=site, layout=layout, compared=compared, threshold=least)
    if match is None:
        return found(Reason.NO_MATCH)
    article = with_markdown(article_of_sequence(page.url, match, options), options)
    return found(match=Match(match.pattern, match.similarity), article=article)
