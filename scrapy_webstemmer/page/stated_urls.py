"""Find the url that a saved page had on the web: the page itself may state it."""

from __future__ import annotations

import re

from ..errors import PageError
from ..options import Limits
from ..values import Page
from .limits import parse_within

#: The comment that browsers write into a page that they save. The number is the length of the url.
_SAVED_FROM = re.compile(rb"<!--\s*saved from url=\(\d+\)(\S+)\s*-->", re.IGNORECASE)
#: Bound: the comment stands in so many bytes at the beginning, before the page's first element.
_BEGINNING = 4096
_CANONICAL_LINK = "//link[contains(concat(' ', normalize-space(@rel), ' '), ' canonical ')]/@href"
_OG_URL = "//meta[@property='og:url']/@content"


def stated_urls(page: Page, encoding: str | None, limits: Limits) -> list[str]:
    """Return the urls that a page states as its own, the most reliable first.

    They stand in the comment of the browser that saved the page, as the canonical url, and as ``og:url``.
    Only whole urls count. An unreadable page states none. Cost: one parse.
    """
    urls = [url.decode("ascii", "replace") for url in _SAVED_FROM.findall(page.body[:_BEGINNING])]
    try:
        root = parse_within(page, encoding, limits)
    except PageError:
        return []
    urls += [str(url).strip() for path in (_CANONICAL_LINK, _OG_URL) for url in root.xpath(path)]
    return [url for url in dict.fromkeys(urls) if url.lower().startswith(("http://", "https://"))]
