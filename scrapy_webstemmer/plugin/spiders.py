"""The spider ``textcrawler``, and its arguments."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urldefrag, urljoin, urlsplit

import scrapy
from scrapy.downloadermiddlewares.offsite import OffsiteMiddleware
from scrapy.http import HtmlResponse
from scrapy.linkextractors import IGNORED_EXTENSIONS, LinkExtractor

from scrapy_webstemmer.base.urls import canonical_url
from scrapy_webstemmer.errors import OptionError, SlowExpressionError
from scrapy_webstemmer.html.anchors import announced_by
from scrapy_webstemmer.options import Patience, UrlRule, accepts, check_expressions
from scrapy_webstemmer.plugin.middlewares import LARGEST_FEED, AreaMiddleware, load_cookies, unzipped
from scrapy_webstemmer.plugin.settings import WebstemmerSettings, fill_in

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

_RULE, _NO_NAME = re.compile(r"(accept|reject)[0-9]*"), re.compile(r"[\s/?#]")
# --- Read and check the arguments of textcrawler, and turn them into settings
#
# Arguments come from the command line, as ``-a NAME=VALUE``, or from Python.

_FLAGS = dict.fromkeys(("yes", "true", "on", "1"), True) | dict.fromkeys(("no", "false", "off", "0"), False)
_STORED = (".sqlite", ".zip")


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlArguments:
    """The checked arguments of a crawl.

    :param urls: the start pages.
    :param rules: decide which urls are followed, and are tried in this order. If none of them is for
        accepting, other urls are followed in the start pages' folders, except images, archives and the like.
    :param index: the file name that is added to urls that end in a slash.
    :param nofollow: True: the crawl obeys links and pages that say nofollow.
    :param settings: the settings that the other arguments set, with their values.
    :param sources: the name of the argument that set each of these settings.
    """

    urls: tuple[str, ...]
    rules: tuple[UrlRule, ...] = ()
    index: str = ""
    nofollow: bool = True
    settings: Mapping[str, Any] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, url: Any = "", *, index: Any = "", nofollow: Any = True, **others: Any) -> CrawlArguments:
        """Return the arguments of a command line or of a call from Python.

        :param others: ``accept`` and ``reject``, with a number behind the word if there are several, and the
            names in :data:`SETTINGS`. Rules are tried in the order of their arguments.
        :raises OptionError: a value is invalid, or the argument does not exist; the error names the argument.
        """
        for name in others:
            if name not in SETTINGS and not _RULE.fullmatch(name):
                raise OptionError(name, others[name], _no_such(name))
        given = {name: value for name, value in others.items() if name in SETTINGS}
        return cls(
            urls=tuple(_urls("url", url)),
            rules=tuple(_rules({name: value for name, value in others.items() if name not in given})),
            index=_index("index", index),
            nofollow=_flag("nofollow", nofollow),
            settings={SETTINGS[name][0]: SETTINGS[name][1](name, value) for name, value in given.items()},
            sources={SETTINGS[name][0]: name for name in given},
        )

    def renamed(self, error: OptionError, settings: Mapping[str, Any]) -> OptionError:
        """Return an error about a setting as an error about the argument that set it."""
        name = error.name
        if name in self.sources and settings.get(name) == self.settings[name]:
            name = self.sources[name]
        return OptionError(name, error.value, error.reason)


def is_web_url(url: str) -> bool:
    """Return whether a url is http or https, and has a host and a possible port."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # an impossible port, or an invalid IPv6 address
        return False


def _no_such(name: str) -> str:
    names = ["url", "accept", "reject", "index", "nofollow", *SETTINGS]
    closest = difflib.get_close_matches(name, names, n=1)
    return "there is no such argument; " + (
        f"did you mean {closest[0]}?" if closest else f"there are {', '.join(names)}"
    )


def _words(name: str, value: Any) -> list[str]:
    """Return the values of a list, or of a string with white space between them."""
    values = value.split() if isinstance(value, str) else value
    if not isinstance(values, list | tuple) or not all(isinstance(one, str) and one for one in values):
        raise OptionError(name, value, "must be text, or a list of texts")
    return list(values)


def _urls(name: str, value: Any) -> Iterator[str]:
    urls = [url.removesuffix(",") for url in _words(name, value)]
    for url in urls:
        if not is_web_url(url):
            raise OptionError(name, url, "must begin with http:// or https:// and a host")
    if not urls:
        raise OptionError(name, value, "must be the url where to begin, or several with white space between")
    yield from urls


def _rules(arguments: Mapping[str, Any]) -> Iterator[UrlRule]:
    for name, value in arguments.items():
        patterns = _words(name, value)
        if not patterns:
            raise OptionError(
                name, value, "must be a regular expression, or several with white space between"
            )
        check_expressions(name, *patterns)
        yield from (UrlRule(pattern, accept=name.startswith("accept")) for pattern in patterns)


def _index(name: str, value: Any) -> str:
    if not isinstance(value, str) or _NO_NAME.search(value):
        raise OptionError(name, value, "must be the name of a file, such as index.html")
    return value


def _flag(name: str, value: Any) -> bool:
    text = str(value).strip().lower()
    if text not in _FLAGS:
        raise OptionError(name, value, "must be yes or no")
    return _FLAGS[text]


def _number(name: str, value: Any, least: float, reason: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise OptionError(name, value, reason) from None
    if isinstance(value, bool) or not math.isfinite(number) or number < least:
        raise OptionError(name, value, reason)
    return number


def _delay(name: str, value: Any) -> float:
    return _number(name, value, 0, "must be a number of seconds from 0 on")


def _timeout(name: str, value: Any) -> float:
    return _number(name, value, 0.001, "must be a number of seconds above 0")


def _count(name: str, value: Any, reason: str) -> int:
    number = _number(name, value, 0, reason)
    if number != int(number):
        raise OptionError(name, value, reason)
    return int(number)


def _depth(name: str, value: Any) -> int:
    """Return a DEPTH_LIMIT.

    To Scrapy 0 means no limit, so our 0 becomes -1, which every link exceeds.
    """
    if value is None or str(value).strip().lower() in ("unlimited", "none"):
        return 0
    return _count(name, value, "must be a whole number from 0 on, or unlimited") or -1


def _size(name: str, value: Any) -> int:
    return _count(name, value, "must be a number of bytes from 0 (no limit) on")


def _text(name: str, value: Any) -> str:
    if value is None or not str(value).strip():
        raise OptionError(name, value, "must not be empty")
    return str(value).strip()


def _learning_set(name: str, value: Any) -> str:
    """Return the path of a learning set.

    A prefix becomes the name of a zip, as in 2009; the name of a file stays as it is.
    """
    text = _text(name, value)
    return text if text.lower().endswith(_STORED) else f"{text}.%(timestamp)s.zip"


def _as_it_is(name: str, value: Any) -> Any:  # noqa: ARG001 - the setting has its own check
    return value


#: For each argument that sets a setting: the setting's name, and the function that reads the value.
SETTINGS: dict[str, tuple[str, Callable[[str, Any], Any]]] = {
    "depth": ("DEPTH_LIMIT", _depth),
    "delay": ("DOWNLOAD_DELAY", _delay),
    "timeout": ("DOWNLOAD_TIMEOUT", _timeout),
    "max_size": ("DOWNLOAD_MAXSIZE", _size),
    "robots": ("ROBOTSTXT_OBEY", _flag),
    "cookies": ("WEBSTEMMER_COOKIE_FILE", _text),
    "charset": ("WEBSTEMMER_DEFAULT_ENCODING", _text),
    "output": ("WEBSTEMMER_LEARNING_SET", _learning_set),
    "timestamp": ("WEBSTEMMER_TIMESTAMP", _text),
    "urldb": ("WEBSTEMMER_URLDB", _text),
    "linkinfo": ("WEBSTEMMER_LINKINFO", _as_it_is),
}


# --- Scrapy spider ``textcrawler``: crawl a site as the crawler of 2009 did, with Scrapy's own means
#
# Imports are absolute so that ``scrapy runspider`` can run this file.

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

_NO_PAGES = sorted({
    *IGNORED_EXTENSIONS,
    *"class gz mkv mobi ram rpm tgz wmv".split(),  # 2009
    *"atom avif csv deb eot epub flac heic ics json mjs mpeg ogv opus ttf wasm woff woff2".split(),
})  # fmt: skip
_REJECT = rf"(?i)^[a-z]+://[^/?#]*/[^?#]*\.(?:{'|'.join(map(re.escape, _NO_PAGES))})(?=[;?#]|$)"
_LINKS = LinkExtractor(
    tags=("a", "area", "frame", "iframe"), attrs=("href", "src"), deny_extensions=(), unique=False
)
#: The path of a start page that may be a sitemap or a feed; these may be as large as the protocol allows.
_SITEMAP = re.compile(r"(?i)(?:\.(?:xml|gz|rss|atom)|/feed/?|/robots\.txt)$")
#: A robots.txt leads to an index, and an index to sitemaps.
_SITEMAP_LEVELS = 2
_USUAL_PORT, _PORT = re.compile(r":(?:80|443)?$"), re.compile(r":\d+$")
_BETWEEN = re.compile(r"[\s,]+")
# X-Robots-Tag: a value for a single crawler begins with the crawler's name and a colon. Some rules have a
# colon, too: their names are left out here.
_FOR_ONE = re.compile(r"\s*(?!unavailable_after|max-)([\w-]+)\s*:", re.IGNORECASE)


class TextCrawler(scrapy.Spider):
    """Crawl a site, or a part of it. The spider yields no items: the add-on collects the pages.

    :param url: the start page, or several with white space between.
    :param arguments: those of :class:`~scrapy_webstemmer.plugin.spiders.CrawlArguments`.
    :raises OptionError: an argument has an invalid value; the error names the argument.
    """

    name = "textcrawler"

    def __init__(self, url: Any = "", **arguments: Any) -> None:
        super().__init__()
        self.arguments = CrawlArguments.parse(url=url, **arguments)
        self.start_urls = [self._page_url(scrapy.Request(url).url) for url in self.arguments.urls]
        self.state: dict[str, Any] = {}  # Scrapy saves it in the job's folder

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        """Set this spider's defaults; the project's settings override them."""
        super().update_settings(settings)
        for name, value in DEFAULTS.items():
            settings.set(name, value, priority="addon")

    @classmethod
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
                load_cookies(fill_in(options.cookie_file, spider.name, options.timestamp))
        except OptionError as error:
            raise spider.arguments.renamed(error, crawler.settings) from None
        return spider

    async def start(self) -> AsyncIterator[scrapy.Request]:
        """Yield requests of the start pages. A page to which one redirects counts as a start page."""
        for url in dict.fromkeys(self.start_urls):
            size = {"download_maxsize": LARGEST_FEED} if _SITEMAP.search(urlsplit(url).path) else {}
            yield scrapy.Request(url, self.parse_start, dont_filter=True, meta=size)

    def parse_start(self, response: Response) -> Iterator[scrapy.Request]:
        """Follow a start page's links, and add the folder of its final url to the area.

        If it is a feed or a sitemap, its whole host is in the area: it announces pages from anywhere there.
        """
        self.state.setdefault("landed", []).append(urldefrag(response.url).url)
        if isinstance(response, HtmlResponse):
            yield from self.parse(response)
            return
        self.state.setdefault("hosts", []).append(urljoin(response.url, "/"))
        yield from self.parse_announced(response)

    def parse_announced(self, response: Response, level: int = 0) -> Iterator[scrapy.Request]:
        """Follow what a feed, a sitemap or a robots.txt announces: pages of the area, sitemaps of its host.

        :param level: number of sitemaps that led to this one.
        """
        try:
            body = unzipped(response)
        except (OSError, EOFError, ValueError) as error:
            self.logger.warning("%s is skipped: %s", response, error)
            return
        found = announced_by(body, response.url)
        host = urlsplit(response.url).netloc
        if found.sitemaps and level < _SITEMAP_LEVELS:
            # the sitemaps of an index are as near to the start as the index itself
            response.meta["depth"] = response.meta.get("depth", 0) - 1
            for url in found.sitemaps:
                if is_web_url(url) and urlsplit(url).netloc == host:
                    meta = {"download_maxsize": LARGEST_FEED, "allow_offsite": True}
                    yield scrapy.Request(url, self.parse_announced, meta=meta, cb_kwargs={"level": level + 1})
        yield from self._follow(response, map(self._page_url, found.pages))

    def parse(self, response: Response) -> Iterator[scrapy.Request]:
        """Follow a page's links."""
        if not isinstance(response, HtmlResponse):
            return
        if self.arguments.nofollow and says_nofollow(response):
            self.logger.info("No link of %s is followed: it says nofollow", response)
            return
        yield from self._follow(response, self._links(response))

    def _follow(self, response: Response, urls: Iterable[str]) -> Iterator[scrapy.Request]:
        begun = _canonical(self._begun())
        patience = Patience(response.url)
        try:
            for url in dict.fromkeys(urls):
                if self._accepts(url, patience) and canonical_url(url) not in begun:
                    yield scrapy.Request(url)
        except SlowExpressionError as error:
            self._note(error, "no further link of it is followed")

    def accepts(self, url: str) -> bool:
        """Return whether links and redirects to a url are followed. Only http and https urls ever are."""
        try:
            return self._accepts(url, Patience(url))
        except SlowExpressionError as error:
            self._note(error, "it is not followed")
            return False

    def _accepts(self, url: str, patience: Patience) -> bool:
        if not is_web_url(url):
            return False  # a page must not make us read local files
        rules = self.arguments.rules
        if not any(rule.accept for rule in rules):
            rules = (*rules, *_area((*self._begun(), *self.state.get("hosts", ()))))
        return accepts(rules, self._page_url(url), patience)

    def _note(self, error: SlowExpressionError, outcome: str) -> None:
        self.logger.error("%s; %s", error, outcome)
        crawler = getattr(self, "crawler", None)  # a spider that was made by hand has none
        if crawler and crawler.stats:
            crawler.stats.inc_value("webstemmer/errors/expressions")

    def _begun(self) -> tuple[str, ...]:
        """Return the urls of the start pages, before and after redirects."""
        return (*self.start_urls, *self.state.get("landed", ()))

    def _links(self, response: HtmlResponse) -> Iterator[str]:
        if not has_tree(response):
            return
        for link in _LINKS.extract_links(response):
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
    from scrapy_webstemmer.plugin.addon import Addon  # loads all of learning; `scrapy list` needs none

    settings.setdefault_in_component_priority_dict("ADDONS", Addon, 500)
    settings.set_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", OffsiteMiddleware, None)
    settings.setdefault_in_component_priority_dict("DOWNLOADER_MIDDLEWARES", AreaMiddleware, 50)


def has_tree(response: HtmlResponse) -> bool:
    """Return whether parsel made a tree of a response.

    Before version 1.10, parsel reads an HTML response as JSON if its body is valid JSON.
    """
    return hasattr(response.selector.root, "iter")


def says_nofollow(response: HtmlResponse) -> bool:
    """Return whether a page asks all crawlers, in its head or its headers, not to follow its links."""
    if not has_tree(response):
        return False
    headers = [value.decode("latin-1") for value in response.headers.getlist("X-Robots-Tag")]
    metas = [meta for meta in response.css("meta[name][content]") if meta.attrib["name"].lower() == "robots"]
    rules = [value for value in headers if not _FOR_ONE.match(value)]
    rules += [meta.attrib["content"] for meta in metas]
    return any(word in ("nofollow", "none") for rule in rules for word in _BETWEEN.split(rule.lower()))


@lru_cache(maxsize=16)
def _canonical(urls: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(canonical_url, urls))


@lru_cache(maxsize=16)
def _area(urls: tuple[str, ...]) -> tuple[UrlRule, ...]:
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
