"""Tell a crawl from a try: `scrapy shell`, `fetch`, `view`, `parse` and `check` fetch a page to look at it.

Scrapy builds the same components in both cases and does not say which it is. Two traces show it, in Scrapy
2.13 to 2.19. All of these commands but the shell replace the spider's ``start`` by a function of their own.
The shell builds the engine without beginning a crawl, and its default settings stand at the priority
``command``.
"""

from __future__ import annotations

from scrapy.crawler import Crawler
from scrapy.settings import SETTINGS_PRIORITIES

#: The modules of the commands whose requests are not the spider's own.
_COMMANDS = ("scrapy.commands.", "scrapy_webstemmer.commands.")
#: The settings for which the shell has its own defaults. Some of them are only in some versions of Scrapy.
_OF_THE_SHELL = ("DUPEFILTER_CLASS", "KEEP_ALIVE", "LOGSTATS_INTERVAL", "REMOTE_CONTROL_ENABLED")


def is_trial(crawler: Crawler) -> bool:
    """Return whether a crawler only fetches a page to look at it, so that nothing should be stored.

    True: `scrapy shell`, `fetch`, `view`, `parse` or `check`, or a url as an input of `scrapy extract`.
    False: `scrapy crawl` or `runspider`, a script with a crawler process or runner, a job of scrapyd, or a
    crawler that a test has made.

    Components may call it in their ``from_crawler``, and add-ons too.
    """
    start = getattr(crawler.spidercls, "start", None)
    if getattr(start, "__module__", "").startswith(_COMMANDS):
        return True
    return not crawler.crawling and any(
        crawler.settings.getpriority(name) == SETTINGS_PRIORITIES["command"] for name in _OF_THE_SHELL
    )


def shows_results(crawler: Crawler) -> bool:
    """Return whether a crawler is that of `scrapy parse`, which shows what a page gives."""
    return getattr(getattr(crawler.spidercls, "start", None), "__module__", "") == "scrapy.commands.parse"
