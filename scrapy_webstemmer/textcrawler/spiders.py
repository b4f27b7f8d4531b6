"""Scrapy spider ``textcrawler``: crawl a site as the crawler of 2009 did, with Scrapy's own means.

Imports are absolute so that ``scrapy runspider`` can run this file.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Generator, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Self
from urllib.parse import urldefrag, urljoin, urlsplit

import scrapy
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.offsite import OffsiteMiddleware
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.settings import BaseSettings

from scrapy_webstemmer.base.expressions import Patience
from scrapy_webstemmer.base.urls import canonical_url
from scrapy_webstemmer.crawl.cookies import load_cookies
from scrapy_webstemmer.crawl.linkinfo import LARGEST_FEED, unzipped
from scrapy_webstemmer.crawl.reports import count, said_in_a_line
from scrapy_webstemmer.crawl.settings import WebstemmerSettings, path_of
from scrapy_webstemmer.errors import OptionError, SlowExpressionError, plural, visible
from scrapy_webstemmer.items import is_html
from scrapy_webstemmer.options import UrlRule, accepts
from scrapy_webstemmer.page.announced import announced_by
from scrapy_webstemmer.page.parsing import with_late_elements
from scrapy_webstemmer.textcrawler.area import ANYWHERE, AreaMiddleware, area_of
from scrapy_webstemmer.textcrawler.crawl_arguments import CrawlArguments, is_web_url

#: Scrapy's settings for this spider; those of the project and of the command line override them.
DEFAULTS: dict[str, Any] = {
    "DEPTH_LIMIT": 1,
    "DOWNLOAD_TIMEOUT": 300,
    "DOWNLOAD_MAXSIZE": 1_000_000,
    "ROBOTSTXT_OBEY": True,
    # Breadth first: a crawl that is stopped early has then fetched the pages nearest to the start pages.
    "DEPTH_PRIORITY": 1,
    "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
    # A page that reloads itself every minute is a page, not a redirect.
    "METAREFRESH_MAXDELAY": 10,
}

_LINK_EXTRACTOR = LinkExtractor(
    tags=("a", "area", "frame", "iframe"), attrs=("href", "src"), deny_extensions=(), unique=False
)
#: The path of a start page that may be a sitemap or a feed; these may be as large as the protocol allows.
_SITEMAP = re.compile(r"(?i)(?:\.(?:xml|gz|rss|atom)|/feed/?|/robots\.txt)$")
#: A robots.txt leads to an index, and an index to sitemaps.
_SITEMAP_LEVELS = 2
_NO_ANNOUNCEMENT = "no RSS or Atom feed, no XML sitemap, and no robots.txt that names one"
_RULE_SEPARATORS = re.compile(r"[\s,]+")
# X-Robots-Tag: a value for a single crawler begins with the crawler's name and a colon. Some rules have a
# colon, too: their names are left out here.
_FOR_ONE = re.compile(r"\s*(?!unavailable_after|max-)([\w-]+)\s*:", re.IGNORECASE)


class TextCrawler(scrapy.Spider):
    """Crawl a site, or a part of it. The spider yields no items: the add-on collects the pages.

    :param url: the start page, or several with white space between.
    :param arguments: those of :class:`~scrapy_webstemmer.textcrawler.crawl_arguments.CrawlArguments`.
    :raises OptionError: an argument has an invalid value; the error names the argument.
    """

    name = "textcrawler"
    defaults: ClassVar[Mapping[str, Any]] = DEFAULTS

    def __init__(self, url: Any = "", **arguments: Any) -> None:
        super().__init__()
        self.arguments = CrawlArguments.parse(url=url, **arguments)
        self.start_urls = [self._page_url(scrapy.Request(url).url) for url in self.arguments.urls]
        self.state: dict[str, Any] = {}  # Scrapy saves it in the job's folder

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Set this spider's defaults; the project's settings override them."""
        super().update_settings(settings)
        for name, value in cls.defaults.items():
            settings.set(name, value, priority="addon")

    @classmethod
    @said_in_a_line
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """Return the spider of a crawl, with its arguments as settings of the crawl.

        Settings on the command line override arguments; arguments override all other settings.

        :raises OptionError: an argument has an invalid value; the error names the argument.
        """
        spider = super().from_crawler(crawler, *args, **kwargs)
        for name, value in spider.arguments.settings.items():
            crawler.settings.set(name, value, priority="spider")
        _add_components(crawler.settings)
        try:
            options = WebstemmerSettings.from_settings(crawler.settings)
            if options.cookie_file is not None:
                load_cookies(path_of(crawler, options.cookie_file, options.timestamp))
        except OptionError as error:
            raise spider.arguments.renamed(error, crawler.settings) from None
        return spider

    async def start(self) -> AsyncIterator[scrapy.Request]:
        """Yield requests of the start pages. A page to which one redirects counts as a start page."""
        for url in dict.fromkeys(self.start_urls):
            size = {"download_maxsize": LARGEST_FEED} if _SITEMAP.search(urlsplit(url).path) else {}
            yield self.request(url, self.parse_start, dont_filter=True, meta=size)

    def request(self, url: str, callback: Any = None, **arguments: Any) -> scrapy.Request:
        """Return one of the spider's requests."""
        return scrapy.Request(url, callback, **arguments)

    def parse_start(self, response: Response) -> Iterator[scrapy.Request]:
        """Follow a start page's links, and add the folder of its final url to the area.

        If it is a feed or a sitemap, its whole host is in the area: it announces pages from anywhere there.
        """
        self.state.setdefault("landed", []).append(urldefrag(response.url).url)
        if is_html(response):
            yield from self.parse(response)
            return
        self.state.setdefault("hosts", []).append(urljoin(response.url, "/"))
        yield from self.parse_announced(response)

    def parse_announced(self, response: Response, level: int = 0) -> Iterator[scrapy.Request]:
        """Follow what a feed, a sitemap or a robots.txt announces: sitemaps, and pages of the area.

        It may stand on another host than all that it announces. Then this is followed all the same, but not
        the links on these pages, which are not in the area.

        :param level: number of sitemaps that led to this one.
        """
        try:
            body = unzipped(response)
        except (OSError, EOFError, ValueError) as error:
            self._skip(response, f"is skipped: {error}")
            return
        announced = announced_by(body, response.url)
        sitemaps = [url for url in announced.sitemaps if is_web_url(url)]
        if sitemaps and level < _SITEMAP_LEVELS:
            # the sitemaps of an index are as near to the start as the index itself
            response.meta["depth"] = response.meta.get("depth", 0) - 1
            host = urlsplit(response.url).netloc
            for url in [url for url in sitemaps if urlsplit(url).netloc == host] or sitemaps:
                meta = {"download_maxsize": LARGEST_FEED, "allow_offsite": True}
                yield self.request(url, self.parse_announced, meta=meta, cb_kwargs={"level": level + 1})
        yield from self._follow_announced(response, [url for url in announced.pages if is_web_url(url)])
        if not announced.sitemaps and not announced.pages:
            self._skip(response, f"announces no page: it is {_NO_ANNOUNCEMENT}")

    def _skip(self, response: Response, reason: str) -> None:
        """Say why a response, which is no page, leads to none."""
        self.logger.warning("%s %s", response, reason)

    def _follow_announced(self, response: Response, urls: Sequence[str]) -> Iterator[scrapy.Request]:
        pages = [*map(self._page_url, urls)]
        followed = yield from self._follow(response, pages)
        if followed or not pages:
            return
        if any(rule.accept for rule in self.arguments.rules):
            self.logger.warning("%s announces %s, and accept leaves out all of them", response, _pages(urls))
            return
        followed = yield from self._follow(response, pages, anywhere=True)
        if followed:
            message = "%s announces %s, and none of them is in its folder or on its host: links on them are"
            message += " not followed; accept=REGEX says which are"
            self.logger.warning(message, response, _pages(urls))

    def parse(self, response: Response) -> Iterator[scrapy.Request]:
        """Follow a page's links."""
        if not is_html(response):
            return
        if self.arguments.nofollow and says_nofollow(response):
            self.logger.info("No link of %s is followed: it says nofollow", response)
            return
        yield from self._follow(response, self._links(response))

    def _follow(
        self, response: Response, urls: Iterable[str], *, anywhere: bool = False
    ) -> Generator[scrapy.Request, None, int]:
        """Follow urls, but for start pages; return how many.

        :param anywhere: whether those outside of the area are followed, too.
        """
        begun, followed = _canonical(self._begun()), 0
        patience = Patience(response.url)
        meta = {"allow_offsite": True} if anywhere else {}
        try:
            for url in dict.fromkeys(urls):
                if self._accepts(url, patience, anywhere=anywhere) and canonical_url(url) not in begun:
                    followed += 1
                    yield self.request(url, meta=meta)
        except SlowExpressionError as error:
            self._note(error, "no further link of it is followed")
        return followed

    def accepts(self, url: str) -> bool:
        """Return whether links and redirects to a url are followed. Only http and https urls ever are."""
        try:
            return self._accepts(url, Patience(url))
        except SlowExpressionError as error:
            self._note(error, "it is not followed")
            return False

    def _accepts(self, url: str, patience: Patience, *, anywhere: bool = False) -> bool:
        if not is_web_url(url):
            return False  # a page must not make us read local files
        rules = self.arguments.rules
        if not any(rule.accept for rule in rules):
            rules = (*rules, *self._area(anywhere=anywhere))
        return accepts(rules, self._page_url(url), patience)

    def _area(self, *, anywhere: bool) -> tuple[UrlRule, ...]:
        return ANYWHERE if anywhere else area_of((*self._begun(), *self.state.get("hosts", ())))

    def _note(self, error: SlowExpressionError, outcome: str) -> None:
        self.logger.error("%s; %s", error, outcome)
        crawler = getattr(self, "crawler", None)  # a spider that was made by hand has none
        if crawler:
            count(crawler, "webstemmer/errors/expressions")

    def _begun(self) -> tuple[str, ...]:
        """Return the urls of the start pages, before and after redirects."""
        return (*self.start_urls, *self.state.get("landed", ()))

    def _links(self, response: TextResponse) -> Iterator[str]:
        if not has_tree(response):
            return
        text = with_late_elements(response.text)  # lxml puts them beside the root, where no link is found
        if text is not response.text:
            body = text.encode(response.encoding, "xmlcharrefreplace")
            response = response.replace(body=body, encoding=response.encoding)
        for link in _LINK_EXTRACTOR.extract_links(response):
            if not (link.nofollow and self.arguments.nofollow):
                yield self._page_url(link.url)

    def _page_url(self, url: str) -> str:
        """Return a url without its fragment; a folder's url gets the name of the index file."""
        url = urldefrag(url).url
        if not self.arguments.index or "?" in url:
            return url
        if not urlsplit(url).path:
            url += "/"
        return url + self.arguments.index if url.endswith("/") else url


def _add_components(settings: BaseSettings) -> None:
    """Add the add-on if it is missing, and replace Scrapy's offsite middleware by ours.

    ``update_settings`` cannot do this, because Scrapy restores the project's components after it.
    """
    from scrapy_webstemmer.crawl.addon import Addon  # loads all of learning; `scrapy list` needs none

    settings.setdefault_in_component_priority_dict("ADDONS", Addon, 500)
    settings.set_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", OffsiteMiddleware, None)
    settings.setdefault_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", AreaMiddleware, 50)


def _pages(urls: Sequence[str]) -> str:
    """Return the number of pages, and the first one, in words."""
    return f"{plural(len(urls), 'page')} such as {visible(urls[0])}"


def has_tree(response: TextResponse) -> bool:
    """Return whether parsel made a tree of a response.

    Before version 1.10, parsel reads an HTML response as JSON if its body is valid JSON.
    """
    return hasattr(response.selector.root, "iter")


def says_nofollow(response: TextResponse) -> bool:
    """Return whether a page asks all crawlers, in its head or its headers, not to follow its links."""
    if not has_tree(response):
        return False
    headers = [value.decode("latin-1") for value in response.headers.getlist("X-Robots-Tag")]
    metas = [meta for meta in response.css("meta[name][content]") if meta.attrib["name"].lower() == "robots"]
    rules = [value for value in headers if not _FOR_ONE.match(value)]
    rules += [meta.attrib["content"] for meta in metas]
    return any(
        word in ("nofollow", "none") for rule in rules for word in _RULE_SEPARATORS.split(rule.lower())
    )


@lru_cache(maxsize=16)
def _canonical(urls: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(canonical_url, urls))
