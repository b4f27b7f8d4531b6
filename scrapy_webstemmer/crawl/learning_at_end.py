"""Learn at the end of a crawl, and give the articles of the pages that have waited for it."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Request, Response
from scrapy.utils.job import job_dir

from ..base.urls import canonical_url, site_of
from ..engines import ENGINES
from ..errors import plural
from ..extraction.result import Result
from ..items import KEY, USE, CrawledPage
from ..monitoring.tally import fits
from ..storage.sqlite import SqliteLearningSet
from ..training import Folder, Outcome, Task
from ..values import Article, Page
from .event_loop import pause
from .learning_process import LearningError, SkippedError, running
from .page_store import PageStore
from .reports import count, count_for_level, log_of
from .settings import WebstemmerSettings, learned_patterns, opened, path_of

logger = logging.getLogger(__name__)

#: The file in the job's folder that names the pages of a paused job.
_LATE_PAGES_FILE = "webstemmer-late-pages.jsonl"
#: The keys of a request's meta that other components of ours need when its article comes.
_KEPT_META = (USE, KEY, "redirect_urls", "depth")
#: At most so many processes share the work at the end.
_MOST_LEARNING = 4

#: Gives a page's article, or the reason why there is none. The flag says whether its site is known now.
_Give = Callable[["Response | None", "Article | None", str, bool], Awaitable[None]]


@dataclass(eq=False)
class LearningAtEnd:
    """Keeps a crawl's patterns up to date: while it goes on, pages wait that no pattern fits.

    At its end another process learns the sites that need it, and extracts the articles of these pages.

    :param store: the crawl's learning set, a SQLite file.
    :param path: the pattern file.
    :param pages: the pages that wait.
    """

    crawler: Crawler
    options: WebstemmerSettings
    store: PageStore
    path: str
    pages: LatePages

    @classmethod
    def from_settings(
        cls, crawler: Crawler, options: WebstemmerSettings, store: PageStore | None
    ) -> Self | None:
        """Return the learning of a crawl, or None if no setting asks for it.

        :raises OptionError: the pattern file cannot be written, or its folder cannot be made.
        """
        if not options.learn or store is None:
            return None
        path = path_of(crawler, learned_patterns(options), options.timestamp)
        with opened("patterns", path):
            pass  # that it cannot be written would be noticed at the end, when all is read
        return cls(crawler, options, store, str(path), LatePages.of(crawler))

    def keep(self, item: CrawledPage, result: Result | None) -> bool:
        """Return whether a page has to wait, and remember it if so.

        :param result: what extraction found out about the page; None: its site was not learned.
        """
        if result is not None and not _is_unlike(result):
            self.pages.drop(item.page.url)
            return False
        if item.seen:  # this version of the page is needed
            self.store.add(replace(item, seen=""))
        try:
            self.pages.add(item)
        except OSError as error:  # the disk is full: only a resumed job would read the file
            level = count_for_level(self.crawler, "webstemmer/errors/late", logging.ERROR)
            message = "Cannot write which pages wait (later failures are at DEBUG): %s"
            self._log.log(level, message, error)
        return True

    async def run(self, drifted: Collection[str], sites: Collection[str], give: _Give) -> None:
        """Learn what is to be learned, and give the articles that come of it.

        A page that could not be stored cannot wait.

        :param drifted: the sites that have changed.
        :param sites: the sites of the crawl's pages that have not waited.
        :param give: called for each page that has waited, with its article and the response of an article,
            or with the reason why there is none.
        """
        for url in self.store.lost:
            self.pages.drop(url)
        wanted = sorted(self.pages.sites.union(sites))
        if not wanted:
            return
        task = Task(
            learning_set=str(self.store.learning_set.path),
            patterns=self.path,
            sites=tuple(wanted),
            waiting=tuple(self.pages),
            drifted=frozenset(drifted),
            learn=self.options.learn_options,
            extract=self.options.wanted_options,
            with_anchors=bool(self.options.linkinfo),
            workers=min(os.cpu_count() or 1, _MOST_LEARNING),
        )
        try:
            async with running(task, self.crawler.spider) as (folder, caught):
                outcome = folder.read_outcome()
                self._report(outcome)
                await self._give(folder, outcome, give, caught)
        except SkippedError:
            self._say_that_pages_wait("Learning was skipped")
        except LearningError as error:
            count(self.crawler, "webstemmer/errors/learn")
            self._log.error("Cannot learn: %s", error)
            self._say_that_pages_wait("Learning has failed")

    async def _give(self, folder: Folder, outcome: Outcome, give: _Give, caught: Sequence[float]) -> None:
        known, is_told = set(outcome.known), False
        with SqliteLearningSet(self.store.learning_set.path, readonly=True) as pages:
            for url, article, reason, error in folder.read_articles():
                if error:
                    count(self.crawler, "webstemmer/errors/extract")
                    self._log.error("Cannot extract %s: %s", url, error)
                    continue
                page = pages.page(url) if article is not None else None
                response = self.pages.response_to(url, page) if page is not None else None
                await give(response, article, reason, site_of(url) in known)
                await pause()
                if caught and not is_told:
                    is_told = True
                    self._log.info("Articles are still to come; Ctrl-C once more ends the crawl without them")
        self.pages.close()

    def _report(self, outcome: Outcome) -> None:
        learned = sum(outcome.learned.values())
        count(self.crawler, "webstemmer/learned/sites", len(outcome.learned))
        count(self.crawler, "webstemmer/learned/pages", learned)
        parts = ["No site needs learning"]
        if learned:
            pages = f"from {plural(learned, 'page')} in {outcome.learning:.1f} s"
            parts = [f"Sites learned: {len(outcome.learned):,}, {pages}"]
        if learned or self.pages:
            parts.append(f"pages extracted: {len(self.pages):,}, in {outcome.extracting:.1f} s")
            if Path(self.path).exists():
                parts.append(f"patterns: {self.path}")
        self._log.info("%s", "; ".join(parts))

    def _say_that_pages_wait(self, what: str) -> None:
        count(self.crawler, "webstemmer/waiting", len(self.pages))
        verb = "has" if len(self.pages) == 1 else "have"
        article = "final article" if self.options.at_once else "article"
        message = "%s: %s %s given no %s yet. %s keeps what the next crawl learns from"
        values = (what, plural(len(self.pages), "page"), verb, article, self.store.learning_set.path)
        self._log.warning(message, *values)

    @property
    def _log(self) -> logging.LoggerAdapter[logging.Logger]:
        return log_of(self.crawler, logger)


def _is_unlike(result: Result) -> bool:
    """Return whether no learned layout is like a page of a learned site."""
    if result.site is None or not ENGINES[result.site.layout].judges:
        return False
    return fits(result) is False if result.site.patterns else result.layout is not None


class LatePages:
    """The pages of a crawl that could not be judged yet, each once, by their canonical urls.

    The pages themselves are in the learning set. With ``JOBDIR`` their names are also in a file of the job,
    so that a resumed job knows them.

    Memory: some 300 bytes a page.

    :param path: the file of a job; None: the crawl is not part of a job.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.sites: set[str] = set()
        self._pages: dict[str, tuple[str, dict[str, Any]]] = {}  # the url and some of the meta of its request
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                self._read(line)

    @classmethod
    def of(cls, crawler: Crawler) -> Self:
        """Return the pages of a crawl: none, or those that a paused job has left."""
        folder = job_dir(crawler.settings)
        return cls(Path(folder) / _LATE_PAGES_FILE if folder else None)

    def __len__(self) -> int:
        return len(self._pages)

    def __iter__(self) -> Iterator[str]:
        return iter(self._pages)

    def add(self, item: CrawledPage) -> None:
        """Add a page; a later version replaces an earlier one."""
        key, request = canonical_url(item.page.url), item.response.request if item.response else None
        meta = {name: request.meta[name] for name in _KEPT_META if name in request.meta} if request else {}
        if request is not None and (request.method != "GET" or request.body):
            meta[USE] = False  # a request without body, which comes instead, would take part
        url = request.url if request else item.page.url
        self._take(key, url, meta)
        if self.path is not None:
            # a key may be of any kind; whoever reads it takes it as text
            line = json.dumps([key, url, meta], default=str) + "\n"
            with self.path.open("a", encoding="utf-8") as stream:
                stream.write(line)

    def drop(self, url: str) -> None:
        """Forget a page: a later version of it has been judged."""
        self._pages.pop(canonical_url(url), None)

    def response_to(self, key: str, page: Page) -> HtmlResponse:
        """Return a response like that of the crawl, made from the stored page."""
        url, meta = self._pages[key]
        request = Request(url, meta=meta, dont_filter=True)
        return HtmlResponse(page.url, body=page.body, encoding=page.encoding or "utf-8", request=request)

    def close(self) -> None:
        """Forget all pages: their articles have come."""
        self._pages.clear()
        if self.path is None:
            return
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            logger.error("Cannot remove a file, so a resumed job would give its articles again: %s", error)

    def _take(self, key: str, url: str, meta: dict[str, Any]) -> None:
        self._pages[key] = url, meta
        self.sites.add(site_of(key))

    def _read(self, line: str) -> None:
        """Take a line of the file. A line that a kill has cut off is left out: its page is fetched again."""
        try:
            key, url, meta = json.loads(line)
            self._take(str(key), str(url), dict(meta))
        except (ValueError, TypeError):
            logger.warning("%s: a line is damaged and left out", self.path)
