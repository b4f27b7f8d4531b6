"""Do work at the end of a crawl, when all items are done, and before pipelines and feeds are closed.

Scrapy closes all pipelines at the same time. So a pipeline that has more items to give at its end would
find the others closed. The setting ``ITEM_PROCESSOR`` names the object that closes the pipelines. A
subclass of it does the work first.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from typing import Any

from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.settings import BaseSettings
from scrapy.utils.defer import deferred_from_coro, maybe_deferred_to_future
from scrapy.utils.misc import load_object

from ..errors import OptionError
from .setting_values import setting_name
from .settings import WebstemmerSettings

logger = logging.getLogger(__name__)


class AtTheEnd(ABC):
    """A pipeline that has work to do when all items are done, while later pipelines and feeds are open."""

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
    for pipeline in getattr(processor, "middlewares", ()):
        if isinstance(pipeline, AtTheEnd):
            try:
                await pipeline.finish()
            except Exception:
                logger.exception("The work at the end of the crawl has failed")
