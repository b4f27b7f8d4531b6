"""Scrapy downloader middleware: sends the cookies of a ``cookies.txt``."""

from __future__ import annotations

import logging
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from http.cookiejar import Cookie, DefaultCookiePolicy
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.exceptions import NotConfigured
from scrapy.http.cookies import CookieJar

from ..errors import OptionError
from ..settings import WebstemmerSettings, fill_in, setting_name

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

__all__ = ["CookieFileMiddleware", "load_cookies", "read_cookies"]

logger = logging.getLogger(__name__)

_HTTP_ONLY = "#HttpOnly_"  # curl's mark; for a crawler such a cookie is one like any other
_FLAGS = {"TRUE": True, "FALSE": False}
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


class CookieFileMiddleware(CookiesMiddleware):
    """Scrapy's own cookies middleware, with jars that begin with the cookies of a file.

    It takes the place of the built-in one. What the site sets is kept during
    the crawl, as ever; nothing is written back to the file. A cookie without
    a domain goes back to its very host, as from browsers.

    :param debug: log the cookies that are sent and received.
    :param cookies: what each jar begins with.
    """

    def __init__(self, debug: bool = False, cookies: Iterable[Cookie] = ()) -> None:
        super().__init__(debug)
        self.cookies = tuple(cookies)
        self.jars = defaultdict(self._new_jar)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> CookieFileMiddleware:
        """Return the middleware of a crawl.

        :raises NotConfigured: there is no cookie file.
        :raises OptionError: it cannot be read, or cookies are switched off.
        """
        options = WebstemmerSettings.from_settings(crawler.settings)
        if not options.enabled:
            raise NotConfigured
        if options.cookie_file is None:
            raise NotConfigured(f"{setting_name('cookie_file')} is not set")
        if not crawler.settings.getbool("COOKIES_ENABLED"):
            reason = "no cookie is sent while COOKIES_ENABLED is False"
            raise OptionError(setting_name("cookie_file"), options.cookie_file, reason)
        middleware = super().from_crawler(crawler)
        spider = (crawler.spider or crawler.spidercls).name
        path = fill_in(options.cookie_file, spider, options.timestamp)
        middleware.cookies = tuple(load_cookies(path))
        logger.info("%s: %d cookies that have not expired", path, len(middleware.cookies))
        return middleware

    def _new_jar(self) -> CookieJar:
        jar = CookieJar(DefaultCookiePolicy(strict_ns_domain=DefaultCookiePolicy.DomainStrictNonDomain))
        for cookie in self.cookies:
            jar.set_cookie(cookie)
        return jar


def load_cookies(path: Path) -> list[Cookie]:
    """Return the cookies of a file, expired ones left out.

    :raises OptionError: it cannot be read; names the setting and the file, and never a cookie's value.
    """
    try:
        cookies = list(read_cookies(path.read_text(encoding="utf-8-sig")))
    except OSError as error:
        raise OptionError(setting_name("cookie_file"), str(path), error.strerror or "unreadable") from None
    except UnicodeDecodeError:
        raise OptionError(setting_name("cookie_file"), str(path), "is no text in UTF-8") from None
    except ValueError as error:
        raise OptionError(setting_name("cookie_file"), str(path), str(error)) from None
    return [cookie for cookie in cookies if not cookie.is_expired(int(time.time()))]


def read_cookies(text: str) -> Iterator[Cookie]:
    """Yield the cookies of a Mozilla (Netscape) ``cookies.txt``, expired ones too.

    Seven columns with tabs between them: domain, whether its subdomains get
    the cookie, path, whether it is for https only, when it expires (seconds
    since 1970; nothing, 0 or less: with the session), name, value.

    :raises ValueError: a line is no cookie; says which one, and nothing that stands in it.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.removesuffix("\r").removeprefix(_HTTP_ONLY)
        if not line.strip() or line.startswith("#"):
            continue
        try:
            yield _cookie(line.split("\t"))
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from None


def _cookie(columns: list[str]) -> Cookie:
    if len(columns) == 6:
        columns = [*columns, ""]  # an editor has cut off the tab before an empty value
    if len(columns) != 7:
        raise ValueError(f"a cookie has 7 columns with tabs between them, here are {len(columns)}")
    if any(map(_CONTROL.search, columns)):
        raise ValueError("there are control characters in it")
    domain, subdomains, path, secure, expires, name, value = columns
    domain = _domain(domain, _flag(subdomains, 2))
    return Cookie(
        version=0,
        name=name,
        value=value,
        port=None,
        port_specified=False,
        domain=domain,
        domain_specified=domain.startswith("."),
        domain_initial_dot=domain.startswith("."),
        path=path or "/",
        path_specified=bool(path),
        secure=_flag(secure, 4),
        expires=(seconds := _expires(expires)),
        discard=seconds is None,
        comment=None,
        comment_url=None,
        rest={},
    )


def _domain(domain: str, subdomains: bool) -> str:
    """Return a domain as cookie jars write it: with a dot in front if subdomains are meant."""
    host = domain.strip().lower().removeprefix(".")
    if not host:
        raise ValueError("there is no domain in column 1")
    if "." not in host and ":" not in host:
        host += ".local"  # what Python's jars call hosts of one word, localhost among them
    return f".{host}" if subdomains or domain.startswith(".") else host


def _flag(text: str, column: int) -> bool:
    if text.strip().upper() not in _FLAGS:
        raise ValueError(f"column {column} is neither TRUE nor FALSE")
    return _FLAGS[text.strip().upper()]


def _expires(text: str) -> int | None:
    try:
        seconds = int(float(text.strip() or 0))
    except (ValueError, OverflowError):
        raise ValueError("column 5 is no time: seconds since 1970, or 0") from None
    return seconds if seconds > 0 else None
