"""The area of a crawl: which urls belong to it, and the downloader middleware that keeps it there."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.downloadermiddlewares.offsite import OffsiteMiddleware
from scrapy.http.request import NO_CALLBACK
from scrapy.linkextractors import IGNORED_EXTENSIONS

from ..options import UrlRule

#: Endings of urls that lead to no pages.
_NO_PAGES = sorted({
    *IGNORED_EXTENSIONS,
    *"class gz mkv mobi ram rpm tgz wmv".split(),  # 2009
    *"atom avif csv deb eot epub flac heic ics json mjs mpeg ogv opus ttf wasm woff woff2".split(),
})  # fmt: skip
_REJECT = rf"(?i)^[a-z]+://[^/?#]*/[^?#]*\.(?:{'|'.join(map(re.escape, _NO_PAGES))})(?=[;?#]|$)"
#: The rules of an area without an end.
ANYWHERE = (UrlRule(_REJECT, accept=False), UrlRule(""))
_USUAL_PORT, _PORT = re.compile(r":(?:80|443)?$"), re.compile(r":\d+$")


@lru_cache(maxsize=16)
def area_of(urls: tuple[str, ...]) -> tuple[UrlRule, ...]:
    """Return rules for the urls under the folders of some pages, except images, archives and the like."""
    folders = dict.fromkeys(map(_folder, urls))
    return (UrlRule(_REJECT, accept=False), UrlRule("|".join(folders)))


def _folder(url: str) -> str:
    """Return a regular expression for the urls on the same host, in the same folder or below."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2].lower()
    host, path = _USUAL_PORT.sub("", host), parts.path.rpartition("/")[0]
    port = "" if _PORT.search(host) else "(?::80|:443)?"
    return f"^https?://(?:[^/?#]*@)?(?i:{re.escape(host)}){port}{re.escape(path)}(?=[/?#]|$)"


class AreaMiddleware(OffsiteMiddleware):
    """Drop requests for urls that the spider does not accept.

    This is Scrapy's offsite middleware, but it asks the spider's method ``accepts``. A redirect out of the
    crawl's area therefore ends there: its target is neither fetched nor stored. As in Scrapy, requests with
    ``dont_filter`` or the meta key ``allow_offsite`` pass. So do requests without a callback of the spider,
    such as that for robots.txt.
    """

    def should_follow(self, request: Request, spider: Any) -> bool:
        """Return whether the spider accepts the request's url."""
        return request.callback is NO_CALLBACK or bool(spider.accepts(request.url))
