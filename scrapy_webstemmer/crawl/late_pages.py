"""Remember the pages whose articles come at the end of a crawl, when their site has been learned."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from scrapy.http import HtmlResponse, Request
from scrapy.utils.job import job_dir

from ..base.urls import canonical_url, site_of
from ..items import KEY, USE

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from ..items import CrawledPage
    from ..values import Page

logger = logging.getLogger(__name__)

#: The file in the job's folder that names the pages of a paused job.
_FILE = "webstemmer-late-pages.jsonl"
#: The keys of a request's meta that other components of ours need when its article comes.
_META = (USE, KEY, "redirect_urls", "depth")


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
        return cls(Path(folder) / _FILE if folder else None)

    def __len__(self) -> int:
        return len(self._pages)

    def __iter__(self) -> Iterator[str]:
        return iter(self._pages)

    def add(self, item: CrawledPage) -> None:
        """Add a page; a later version replaces an earlier one."""
        key, request = canonical_url(item.page.url), item.response.request if item.response else None
        meta = {name: request.meta[name] for name in _META if name in request.meta} if request else {}
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
