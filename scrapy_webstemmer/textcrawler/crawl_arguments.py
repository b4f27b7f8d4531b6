"""The arguments of the spider ``textcrawler``: read and checked, and turned into settings.

They come from the command line, as ``-a NAME=VALUE``, or from Python.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ..errors import OptionError
from ..options import UrlRule, check_expressions

_RULE, _NOT_IN_NAME = re.compile(r"(accept|reject)[0-9]*"), re.compile(r"[\s/?#]")
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
    """

    urls: tuple[str, ...]
    rules: tuple[UrlRule, ...] = ()
    index: str = ""
    nofollow: bool = True
    settings: Mapping[str, Any] = field(default_factory=dict)

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
        return cls(
            urls=tuple(_urls(url)),
            rules=tuple(_rules({name: value for name, value in others.items() if name not in SETTINGS})),
            index=_index(index),
            nofollow=_checked("nofollow", nofollow, _flag, _YES_OR_NO),
            settings={
                SETTINGS[name].setting: _checked(name, value, *SETTINGS[name][1:])
                for name, value in others.items()
                if name in SETTINGS
            },
        )

    def renamed(self, error: OptionError, settings: Mapping[str, Any]) -> OptionError:
        """Return an error about a setting as an error about the argument that set it."""
        name = error.name
        if name in self.settings and settings.get(name) == self.settings[name]:
            name = next(argument for argument, row in SETTINGS.items() if row.setting == name)
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
    if not isinstance(values, list | tuple) or not all(isinstance(word, str) and word for word in values):
        raise OptionError(name, value, "must be text, or a list of texts")
    return list(values)


def _urls(value: Any) -> list[str]:
    urls = [url.removesuffix(",") for url in _words("url", value)]
    for url in urls:
        if not is_web_url(url):
            raise OptionError("url", url, "must begin with http:// or https:// and a host")
    if not urls:
        raise OptionError("url", value, "must be the url where to begin, or several with white space between")
    return urls


def _rules(arguments: Mapping[str, Any]) -> Iterator[UrlRule]:
    for name, value in arguments.items():
        patterns = _words(name, value)
        if not patterns:
            raise OptionError(
                name, value, "must be a regular expression, or several with white space between"
            )
        check_expressions(name, *patterns)
        yield from (UrlRule(pattern, accept=name.startswith("accept")) for pattern in patterns)


def _index(value: Any) -> str:
    if not isinstance(value, str) or _NOT_IN_NAME.search(value):
        raise OptionError("index", value, "must be the name of a file, such as index.html")
    return value


def _checked(name: str, value: Any, read: Callable[[Any], Any], must_be: str) -> Any:
    """Return what a function reads from the value of an argument. Raises OptionError if it refuses it."""
    try:
        return read(value)
    except (KeyError, TypeError, ValueError):
        raise OptionError(name, value, must_be) from None


def _flag(value: Any) -> bool:
    return _FLAGS[str(value).strip().lower()]


def _number(value: Any, least: float = 0) -> float:
    number = float(value)
    if isinstance(value, bool) or not math.isfinite(number) or number < least:
        raise ValueError
    return number


def _count(value: Any) -> int:
    number = _number(value)
    if number != int(number):
        raise ValueError
    return int(number)


def _depth(value: Any) -> int:
    """Return a DEPTH_LIMIT.

    To Scrapy 0 means no limit, so our 0 becomes -1, which every link exceeds.
    """
    if value is None or str(value).strip().lower() in ("unlimited", "none"):
        return 0
    return _count(value) or -1


def _text(value: Any) -> str:
    if value is None or not str(value).strip():
        raise ValueError
    return str(value).strip()


def _learning_set(value: Any) -> str:
    """Return the path of a learning set.

    A prefix becomes the name of a zip, as in 2009; the name of a file stays as it is.
    """
    text = _text(value)
    return text if text.lower().endswith(_STORED) else f"{text}.%(timestamp)s.zip"


class _Setting(NamedTuple):
    """A setting that an argument sets: its name, the function that reads the value, and what this must be."""

    setting: str
    read: Callable[[Any], Any]
    must_be: str


_YES_OR_NO, _NOT_EMPTY = "must be yes or no", "must not be empty"
#: The arguments that set a setting.
SETTINGS: dict[str, _Setting] = {
    "depth": _Setting("DEPTH_LIMIT", _depth, "must be a whole number from 0 on, or unlimited"),
    "delay": _Setting("DOWNLOAD_DELAY", _number, "must be a number of seconds from 0 on"),
    "timeout": _Setting(
        "DOWNLOAD_TIMEOUT", partial(_number, least=0.001), "must be a number of seconds above 0"
    ),
    "max_size": _Setting("DOWNLOAD_MAXSIZE", _count, "must be a number of bytes from 0 (no limit) on"),
    "robots": _Setting("ROBOTSTXT_OBEY", _flag, _YES_OR_NO),
    "cookies": _Setting("WEBSTEMMER_COOKIE_FILE", _text, _NOT_EMPTY),
    "charset": _Setting("WEBSTEMMER_DEFAULT_ENCODING", _text, _NOT_EMPTY),
    "output": _Setting("WEBSTEMMER_LEARNING_SET", _learning_set, _NOT_EMPTY),
    "timestamp": _Setting("WEBSTEMMER_TIMESTAMP", _text, _NOT_EMPTY),
    "urldb": _Setting("WEBSTEMMER_URLDB", _text, _NOT_EMPTY),
    "linkinfo": _Setting("WEBSTEMMER_LINKINFO", lambda value: value, ""),
}
