"""Scrapy downloader middleware: send the cookies of a ``cookies.txt``."""

from __future__ import annotations

import logging
import re
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from http.cookiejar import Cookie, DefaultCookiePolicy
from pathlib import Path

from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.http.cookies import CookieJar

from ..errors import OptionError
from .reports import said_in_a_line
from .setting_values import setting_name
from .settings import WebstemmerSettings, path_of

logger = logging.getLogger(__name__)

_HTTP_ONLY = "#HttpOnly_"  # curl's mark; to a crawler such a cookie is like any other
_COLUMNS_WANTED = (
    "a cookie has 7 columns with tabs between them: domain, TRUE or FALSE, path, TRUE or FALSE, seconds "
    "since 1970 or 0, name, value; none may hold control characters"
)
_CHAR, _FLAG = r"[^\x00-\x1f\x7f]", " *(TRUE|FALSE) *"
#: The columns of a line. If the value is empty, an editor may have removed the last tab.
_COOKIE_LINE = re.compile(
    rf" *(\.?)((?![. $]){_CHAR}++)\t{_FLAG}\t({_CHAR}*)\t{_FLAG}\t({_CHAR}*)\t({_CHAR}*)(?:\t({_CHAR}*))?",
    re.IGNORECASE,
)


class CookieFileMiddleware(CookiesMiddleware):
    """Scrapy's cookies middleware, with jars that start with the cookies of a file.

    It replaces the built-in middleware. Cookies that the site sets are kept during the crawl, as usual;
    nothing is written back to the file. A cookie without a domain is sent only to the host that set it, as
    browsers do.

    :param debug: log the cookies that are sent and received.
    :param cookies: the cookies that each jar starts with.
    """

    def __init__(self, debug: bool = False, cookies: Iterable[Cookie] = ()) -> None:
        super().__init__(debug)
        self.cookies = tuple(cookies)
        self.jars = defaultdict(self._new_jar)

    @classmethod
    @said_in_a_line
    def from_crawler(cls, crawler: Crawler) -> CookieFileMiddleware:
        """Return the middleware of a crawl.

        :raises NotConfigured: no cookie file is set.
        :raises OptionError: the file cannot be read, or cookies are switched off.
        """
        options = WebstemmerSettings.from_crawler(crawler, "cookie_file")
        cookie_file = str(options.cookie_file)
        if not crawler.settings.getbool("COOKIES_ENABLED"):
            reason = "no cookie is sent while COOKIES_ENABLED is False"
            raise OptionError(setting_name("cookie_file"), cookie_file, reason)
        middleware = super().from_crawler(crawler)
        path = path_of(crawler, cookie_file, options.timestamp)
        middleware.cookies = tuple(load_cookies(path))
        logger.info("%s: %d cookies that have not expired", path, len(middleware.cookies))
        return middleware

    def _new_jar(self) -> CookieJar:
        jar = CookieJar(DefaultCookiePolicy(strict_ns_domain=DefaultCookiePolicy.DomainStrictNonDomain))
        for cookie in self.cookies:
            jar.set_cookie(cookie)
        return jar


def load_cookies(path: Path) -> list[Cookie]:
    """Return the cookies of a file that have not expired.

    :raises OptionError: the file cannot be read; the error names the setting and the file, never a cookie's
        value.
    """
    try:
        cookies = list(read_cookies(path.read_text(encoding="utf-8-sig")))
    except OSError as error:
        reason = error.strerror or "unreadable"
    except UnicodeDecodeError:
        reason = "is not UTF-8 text"
    except ValueError as error:
        reason = str(error)
    else:
        return [cookie for cookie in cookies if not cookie.is_expired(int(time.time()))]
    raise OptionError(setting_name("cookie_file"), str(path), reason) from None


def read_cookies(text: str) -> Iterator[Cookie]:
    """Yield the cookies of a Mozilla (Netscape) ``cookies.txt``, expired ones too.

    A line has seven columns with tabs between them: domain, whether its subdomains get the cookie, path,
    whether it is for https only, when it expires, name, value. The time of expiry is in seconds since 1970;
    an empty column, 0 or less means the end of the session.

    :raises ValueError: a line is not a cookie; the message has the line's number, but nothing of its content.
    """
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.removesuffix("\r").removeprefix(_HTTP_ONLY)
        if not line.strip() or line.startswith("#"):
            continue
        try:
            yield _cookie(line)
        except (ValueError, OverflowError):  # their messages may show the line
            raise ValueError(f"line {number}: {_COLUMNS_WANTED}") from None


def _cookie(line: str) -> Cookie:
    """Return the cookie of a line.

    Python's own reader shows a cookie that it refuses, for example a cookie for subdomains whose domain does
    not begin with a dot. It reads ``true`` as ``FALSE``, and 0 as a time in 1970.

    :raises ValueError: the line has no cookie, or an impossible time.
    """
    match = _COOKIE_LINE.fullmatch(line)
    if match is None:
        raise ValueError
    dot, host, subdomains, path, secure, expires, name, value = match.groups(default="")
    host = host.rstrip(" ").lower()
    if "." not in host and ":" not in host:
        host += ".local"  # as Python's jars do with hosts of one word, such as localhost
    has_subdomains = bool(dot) or subdomains.upper() == "TRUE"
    seconds = int(float(expires.strip() or 0))
    return Cookie(
        version=0,
        name=name,
        value=value,
        port=None,
        port_specified=False,
        domain=f".{host}" if has_subdomains else host,
        domain_specified=has_subdomains,
        domain_initial_dot=has_subdomains,
        path=path or "/",
        path_specified=False,
        secure=secure.upper() == "TRUE",
        expires=seconds if seconds > 0 else None,
        discard=seconds <= 0,
        comment=None,
        comment_url=None,
        rest={},
    )
