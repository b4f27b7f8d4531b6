"""What Scrapy's documented names do not offer: work at the end of a crawl, and the kind of a crawl.

The work comes when all items are done, and before pipelines and feeds are closed. Scrapy closes all pipelines
at the same time. So a pipeline that has more items to give at its end would find the others closed. The
setting ``ITEM_PROCESSOR`` names the object that closes the pipelines. A subclass of it does the work first.

`scrapy shell`, `fetch`, `view`, `parse` and `check` fetch a page to look at it. Scrapy builds the same
components for such a try as for a crawl and does not say which it is. Two traces show it, in Scrapy 2.13 to
2.19. All of these commands but the shell replace the spider's ``start`` by a function of their own. The shell
builds the engine without beginning a crawl, and its default settings stand at the priority ``command``.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from scrapy.crawler import Crawler
from scrapy.http import Request, Response
from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings
from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
from scrapy.utils.misc import load_object

from ..errors import OptionError
from .setting_values import setting_name
from .settings import WebstemmerSettings

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


logger = logging.getLogger(__name__)


class AtTheEnd(ABC):
    """A pipeline that has work to do when all items are done, while later pipelines and feeds are open."""

    crawler: Crawler

    @abstractmethod
    async def finish(self) -> None:
        """Do the work."""


def works_at_the_end(options: WebstemmerSettings) -> bool:
    """Return whether settings ask for work at the end of a crawl."""
    return options.learn or options.learning_set_pages is not None


def use_own_item_processor(settings: BaseSettings) -> None:
    """Replace a crawl's item processor by a subclass that lets our pipeline finish its work first."""
    base = load_object(settings["ITEM_PROCESSOR"])
    if not getattr(base, "finishes_first", False):
        # A project's own processor has the priority of its setting, which ours must reach.
        priority = max(settings.getpriority("ITEM_PROCESSOR") or 0, 15)
        settings.set("ITEM_PROCESSOR", _finishing(base), priority)


def check_end(crawler: Crawler, options: WebstemmerSettings) -> None:
    """Refuse settings that need work at the end of a crawl if nothing calls it.

    :raises OptionError: the project names our pipeline itself, instead of the add-on.
    """
    processor = load_object(crawler.settings["ITEM_PROCESSOR"])
    if works_at_the_end(options) and not getattr(processor, "finishes_first", False):
        name = "learn" if options.learn else "learning_set_pages"
        reason = 'needs the add-on: ADDONS = {"scrapy_webstemmer.Addon": 500}'
        raise OptionError(setting_name(name), getattr(options, name), reason)


async def process_item_apart(crawler: Crawler, item: Any, response: Response | None) -> None:
    """Send an item through the pipelines, with all signals, though no spider yields it now."""
    assert crawler.engine is not None  # noqa: S101 - the crawl has not ended yet
    scraper: Any = crawler.engine.scraper
    if hasattr(scraper, "start_itemproc_async"):  # from Scrapy 2.14 on
        await scraper.start_itemproc_async(item, response=response)
    else:
        await maybe_deferred_to_future(scraper.start_itemproc(item, response=response))


def pipelines_of(crawler: Crawler) -> Iterable[Any]:
    """Return all item pipelines of a crawl that has begun."""
    assert crawler.engine is not None  # noqa: S101 - the crawl has begun
    return _pipelines_in(crawler.engine.scraper.itemproc)


def _pipelines_in(processor: Any) -> Iterable[Any]:
    return getattr(processor, "middlewares", ())


def _finishing(base: type[Any]) -> type[Any]:
    """Return a subclass of an item processor that lets our pipeline finish before any pipeline closes."""
    if hasattr(base, "close_spider_async"):  # from Scrapy 2.14 on

        class FinishingItemProcessor(base):  # type: ignore[misc]
            finishes_first = True

            async def close_spider_async(self) -> None:
                await _finish(self)
                await super().close_spider_async()

        return FinishingItemProcessor

    class EarlierItemProcessor(base):  # type: ignore[misc]
        finishes_first = True

        def close_spider(self, spider: Any) -> Any:
            closing = super().close_spider
            return deferred_from_coro(_finish(self)).addCallback(lambda _: closing(spider))

    return EarlierItemProcessor


async def _finish(processor: Any) -> None:
    """Let our pipeline do the rest of its work; an error is logged, and the crawl ends as usual."""
    for pipeline in _pipelines_in(processor):
        if isinstance(pipeline, AtTheEnd):
            try:
                with _one_more_request(pipeline.crawler.engine):
                    await pipeline.finish()
            except Exception:
                logger.exception("The work at the end of the crawl has failed")


@contextmanager
def _one_more_request(engine: Any) -> Iterator[None]:
    """Let pipelines download what belongs to late articles, as if a request of the spider were under way.

    The engine closes when its last request is done. It would do so once more after each of these downloads,
    and they would fail.
    """
    requests: set[Request] = getattr(getattr(engine, "_slot", None), "inprogress", set())
    request = Request("data:,")
    requests.add(request)
    try:
        yield
    finally:
        requests.discard(request)
        with suppress(Exception):  # it is closed; from Scrapy 2.15 on, another host has opened it again
            engine.downloader.close()
