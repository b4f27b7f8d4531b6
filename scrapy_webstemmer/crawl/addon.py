"""Scrapy add-on: add the components that a project's settings ask for.

A project names the add-on once, in ``ADDONS``.
"""

from __future__ import annotations

from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.exceptions import NotConfigured
from scrapy.settings import BaseSettings

from .charset import DefaultEncodingMiddleware
from .cookies import CookieFileMiddleware
from .feed_settings import OWN_EXPORTERS
from .linkinfo import LinkinfoMiddleware
from .page_pipeline import PagePipeline
from .reports import said_in_a_line
from .scrapy_inside import use_own_item_processor, works_at_the_end
from .settings import PAGE_OPTIONS, WebstemmerSettings
from .urldb_middleware import UrlDbMiddleware

# Behind the middlewares of projects and of Scrapy: its output goes to nobody else.
_MIDDLEWARE_ORDER = -10_000
# Before the middlewares of projects, so that it sees the requests that those let pass.
_URLDB_ORDER = 70
# The place of CookiesMiddleware, which is replaced.
_COOKIES_ORDER = 700
# Between MetaRefreshMiddleware (580), which reads pages, and HttpCompressionMiddleware (590), which
# decompresses them.
_ENCODING_ORDER = 585
# Before the pipelines of projects, which are numbered from 0 on.
_PIPELINE_ORDER = -20

# Each of these settings asks for a component.
_WORK = (*PAGE_OPTIONS, "urldb", "cookie_file", "default_encoding")


class Addon:
    """Enable the components that the settings ask for.

    Components that the project names itself stay as they are.
    """

    def __repr__(self) -> str:
        """Return the name for Scrapy's list of add-ons."""
        return "scrapy_webstemmer.Addon"

    @said_in_a_line
    def update_settings(self, settings: BaseSettings) -> None:
        """Add the middlewares, the pipeline and the formats of feeds to a crawl's settings.

        :raises NotConfigured: no setting asks for a component, or the add-on is switched off.
        :raises OptionError: a setting has an invalid value.
        """
        options = WebstemmerSettings.from_settings(settings)
        if not options.enabled:
            raise NotConfigured
        # all feeds may have our formats, unless the project has its own exporters of these names
        exporters = {**OWN_EXPORTERS, **settings.getdict("FEED_EXPORTERS_BASE")}
        settings.set("FEED_EXPORTERS_BASE", exporters, priority="addon")
        options.check_set(settings, _WORK)
        _add_page_components(settings, options)
        if works_at_the_end(options):
            use_own_item_processor(settings)
        _add_downloader_middlewares(settings, options)


def _add_page_components(settings: BaseSettings, options: WebstemmerSettings) -> None:
    """Add the middleware that finds pages, the pipeline that takes them, and the URLDB middleware."""
    add = settings.setdefault_in_component_priority_dict
    if any(getattr(options, field) for field in PAGE_OPTIONS):
        add("SPIDER_MIDDLEWARES", LinkinfoMiddleware, _MIDDLEWARE_ORDER)
        if not PagePipeline.is_in(settings):
            add("ITEM_PIPELINES", PagePipeline, _PIPELINE_ORDER)
    if options.urldb is not None:
        add("SPIDER_MIDDLEWARES", UrlDbMiddleware, _URLDB_ORDER)


def _add_downloader_middlewares(settings: BaseSettings, options: WebstemmerSettings) -> None:
    """Add the middlewares for cookies and charsets, which work for every spider."""
    add = settings.setdefault_in_component_priority_dict
    if options.cookie_file is not None:
        settings.set_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", CookiesMiddleware, None)
        add("DOWNLOADER_MIDDLEWARES", CookieFileMiddleware, _COOKIES_ORDER)
    if options.default_encoding is not None:
        add("DOWNLOADER_MIDDLEWARES", DefaultEncodingMiddleware, _ENCODING_ORDER)
