"""The spider's own area decides which requests pass."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.http.request import NO_CALLBACK
from scrapy.settings import Settings
from scrapy.statscollectors import MemoryStatsCollector

from scrapy_webstemmer.textcrawler.area import AreaMiddleware

SPIDER: Any = SimpleNamespace(accepts=lambda url: "/news/" in url)


@pytest.mark.parametrize(
    ("request_", "passes"),
    [
        (Request("http://a.example/news/1"), True),
        (Request("http://a.example/other"), False),
        (Request("http://a.example/robots.txt", callback=NO_CALLBACK), True),
    ],
)
def test_the_spider_decides(request_: Request, passes: bool) -> None:
    """A request passes if the spider accepts its url, or if it has no callback of a spider."""
    stats = MemoryStatsCollector(SimpleNamespace(settings=Settings(), spider=None))
    assert AreaMiddleware(stats).should_follow(request_, SPIDER) == passes
