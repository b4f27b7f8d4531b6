"""Read pages from files: under the urls that they state, and as a learning set to look them up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin, urlsplit

from ..base.urls import site_of
from ..textcrawler.crawl_arguments import is_web_url
from ..values import Page
from .inputs import note, open_inputs, progress
from .summary import say_skipped

if TYPE_CHECKING:
    from ..options import ExtractOptions
    from ..pattern_files.pattern_file import PatternSet
    from ..storage.source import PageSource
    from ..storage.sqlite import SqliteLearningSet


def with_stated_url(page: Page, patterns: PatternSet | None, options: ExtractOptions) -> Page:
    """Return a page from a file under the url that it states, if the pattern file knows the site."""
    from ..classic.pat_files import ANY_SITE
    from ..page.sources import stated_urls

    if patterns is None or site_of(page.url):
        return page
    for url in stated_urls(page, options.encoding, options.limits):
        site = patterns.site_of(url)
        if site is not None and site.site != ANY_SITE:
            note(f"{page.name}: has the url {url}, as it states")
            return replace(page, url=url)
    return page


class PagesWithUrls:
    """The pages of a source. Those whose urls are made up from the names of files have those that they state.

    A url that several pages state, as that of a front page, is that of the first; of the others it tells only
    the host. Cost: a further parse of such a page.
    """

    def __init__(self, source: PageSource, options: ExtractOptions) -> None:
        self._source, self._options = source, options
        self._urls: dict[str, str] = {}  # by the url from the file's name
        self._given: set[str] = set()

    def __iter__(self) -> Iterator[Page]:
        made_up = self._source.made_up
        for page in self._source:
            is_made_up = made_up is not None and (urlsplit(page.url).hostname or "") == made_up
            yield replace(page, url=self._url(page), aliases=()) if is_made_up else page

    def _url(self, page: Page) -> str:
        from ..page.sources import stated_urls

        if page.url not in self._urls:
            stated = stated_urls(page, self._options.encoding, self._options.limits)
            url = next(filter(is_web_url, stated), page.url)
            if url in self._given:
                url = urljoin(url, f"/{quote(page.name or '')}")
            self._given.add(url)
            self._urls[page.url] = url
        return self._urls[page.url]


@contextmanager
def stored_pages(
    names: Sequence[str], options: ExtractOptions, patterns: PatternSet
) -> Iterator[SqliteLearningSet]:
    """Give the pages of inputs as a learning set, in which a site's pages are found at once.

    A single learning set is it already. Other inputs are copied into one that goes afterwards, and records
    that cannot be read are named.
    """
    from ..storage.sqlite import SqliteLearningSet

    with open_inputs(names, "") as sources, ExitStack() as stack:
        first = sources[0]
        if len(sources) == 1 and isinstance(first, SqliteLearningSet):
            yield first
            return
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="review-")))
        copy = stack.enter_context(SqliteLearningSet(folder / "pages.sqlite"))
        with progress(sources, "reading") as pages, copy.transaction():
            for page in pages:
                copy.add_page(with_stated_url(page, patterns, options))
        say_skipped(sources)
        yield copy
