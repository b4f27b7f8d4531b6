"""Read and check the settings of the Scrapy side, which are named ``WEBSTEMMER_*``.

No other module reads these settings.
"""

from __future__ import annotations

import dataclasses
import difflib
import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from scrapy.exceptions import NotConfigured

from ..base.limits import Limits
from ..errors import OptionError, WebstemmerError
from ..options import ExtractOptions, UrlRule
from .feed_settings import read_feeds, read_fields

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

__all__ = [
    "PAGE_OPTIONS",
    "SETTING_NAMES",
    "TIMESTAMP",
    "WebstemmerSettings",
    "fill_in",
    "limits_of",
    "opened",
    "path_of",
    "setting_name",
    "source_of",
    "warn_of_unknown_names",
]

logger = logging.getLogger(__name__)

#: The fields that need the pages of a crawl.
PAGE_OPTIONS = ("learning_set", "patterns", "segments")

#: The 2009 crawler's format of times, in names of files and of a zip's members; the times are in UTC here.
TIMESTAMP = "%Y%m%d%H%M"

_PREFIX = "WEBSTEMMER_"
_TIMESTAMP = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]*")
_UNKNOWN_PLACEHOLDER = re.compile(r"%\((?!(spider|time|timestamp)\)s)")


@dataclass(frozen=True, slots=True, kw_only=True)
class WebstemmerSettings:
    """The checked values of our settings; a field ``some_name`` is the setting ``WEBSTEMMER_SOME_NAME``.

    :param enabled: False: no component of ours takes part in the crawl.
    :param learning_set: the file that collects pages and linkinfo; None: nothing is stored.
    :param patterns: pattern files, each a path or ``package:resource``; empty: nothing is extracted by
        patterns.
    :param segments: the file of the segment tables, which hold what sites repeat; None: they are not used.
    :param urldb: the database of the urls that earlier crawls have stored; None: there is none.
    :param linkinfo: the name of the linkinfo in a zip; empty: no anchors are recorded, in any kind of
        learning set.
    :param timestamp: replaces ``%(timestamp)s`` in paths, and begins the names in a zip; None: the time is
        used.
    :param cookie_file: a file of cookies to send, in the format of Mozilla's ``cookies.txt``; None: the crawl
        sends only cookies that sites set.
    :param default_encoding: charset of responses that declare none; None: Scrapy guesses.
    :param articles: the feeds of articles, as in Scrapy's ``FEEDS``; empty: they have none of their own.
    :param fields: the fields of articles in their own feeds, with their new names; empty: all but the
        sections.
    :param articles_to_pipelines: True: articles are items, and go through the pipelines that come after ours.
    :param extract_options: how patterns are applied to a page; its limits are those of the next field.
    :param limits: upper limits for a page and for a pattern file.

    Paths are templates: ``%(spider)s`` stands for the spider's name, ``%(time)s`` and ``%(timestamp)s`` for
    the time of the call; see :func:`fill_in`.
    """

    enabled: bool = True
    learning_set: str | None = None
    patterns: tuple[str, ...] = ()
    segments: str | None = None
    urldb: str | None = None
    linkinfo: str = "linkinfo"
    timestamp: str | None = None
    cookie_file: str | None = None
    default_encoding: str | None = None
    articles: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    articles_to_pipelines: bool = False
    extract_options: ExtractOptions = field(default_factory=ExtractOptions)
    limits: Limits = field(default_factory=Limits)

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Return the values in a crawl's settings.

        :raises OptionError: a value is invalid; the error names the setting and the value.
        """
        limits = limits_of(settings)
        return cls(
            enabled=_flag(settings, "enabled", True),
            learning_set=_path(settings, "learning_set"),
            patterns=_paths(settings, "patterns"),
            segments=_path(settings, "segments"),
            urldb=_path(settings, "urldb"),
            linkinfo=_linkinfo(settings),
            timestamp=_timestamp(settings),
            cookie_file=_path(settings, "cookie_file"),
            default_encoding=_encoding(settings, "default_encoding"),
            articles=_read(settings, "articles", read_feeds),
            fields=_read(settings, "fields", read_fields),
            articles_to_pipelines=_flag(settings, "articles_to_pipelines", False),
            extract_options=replace(_extract_options(settings), limits=limits),
            limits=limits,
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler, *work: str) -> Self:
        """Return the values for a component of a crawl.

        :param work: the fields that give the component something to do.
        :raises NotConfigured: none of these fields is set, or everything is switched off (then without a
            message).
        :raises OptionError: as :meth:`from_settings`.
        """
        options = cls.from_settings(crawler.settings)
        if not options.enabled:
            raise NotConfigured
        if work and not any(getattr(options, field) for field in work):
            warn_of_unknown_names(crawler.settings)
            names = ", ".join(setting_name(field) for field in work)
            raise NotConfigured(f"none of {names} is set" if len(work) > 1 else f"{names} is not set")
        return options


#: The names of all settings.
SETTING_NAMES = tuple(_PREFIX + option.name.upper() for option in dataclasses.fields(WebstemmerSettings))


def path_of(crawler: Crawler, template: str, timestamp: str | None = None) -> Path:
    """Return the path that a template gives in a crawl: the spider's name and the time are filled in.

    The spider itself need not exist yet.
    """
    return Path(source_of(crawler, template, timestamp))


def source_of(crawler: Crawler, template: str, timestamp: str | None = None) -> str:
    """Return the path or the ``package:resource`` that a template gives in a crawl; see :func:`path_of`."""
    return _filled_in(template, (crawler.spider or crawler.spidercls).name, timestamp)


def fill_in(template: str, spider: str, timestamp: str | None = None) -> Path:
    """Return a path template with the spider's name and the present time (UTC) filled in.

    :param timestamp: replaces ``%(timestamp)s``; None: the time as ``YYYYMMDDHHMM``.
    """
    return Path(_filled_in(template, spider, timestamp))


def _filled_in(template: str, spider: str, timestamp: str | None) -> str:
    now = datetime.now(UTC)
    text = template.replace("%(spider)s", spider).replace("%(time)s", now.strftime("%Y-%m-%dT%H-%M-%S"))
    return text.replace("%(timestamp)s", timestamp or now.strftime(TIMESTAMP))


@contextmanager
def opened(option: str, path: Path) -> Iterator[None]:
    """Make the folder of a file that a setting names, and report an error in the block as the setting's.

    :raises OptionError: the file cannot be opened or created; the error names the setting and the file.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield
    except (WebstemmerError, OSError) as error:
        raise OptionError(setting_name(option), str(path), str(error)) from None


def limits_of(settings: BaseSettings | None) -> Limits:
    """Return the limits that the settings of a crawl or a command set.

    :param settings: None, which Scrapy's commands may have, gives the defaults.

    :raises OptionError: a value is invalid; the error names the setting and the value.
    """
    if settings is None:
        return Limits()
    value: Any = settings.get(setting_name("limits"))
    if isinstance(value, Limits):
        return value
    changes = _changes(settings, "limits", Limits)
    try:
        return Limits(**changes)
    except OptionError as error:
        raise _refused("limits", settings, str(error)) from None


def setting_name(option: str) -> str:
    """Return the name of the setting of a field of :class:`WebstemmerSettings`."""
    return _PREFIX + option.upper()


def warn_of_unknown_names(settings: BaseSettings) -> None:
    """Log a warning for each setting whose name begins like ours but is unknown."""
    for name in settings:
        if isinstance(name, str) and name.startswith(_PREFIX) and name not in SETTING_NAMES:
            logger.warning("Unknown setting %s: %s", name, _hint(name))


def _hint(name: str) -> str:
    own = [known.removeprefix(_PREFIX) for known in SETTING_NAMES]
    closest = difflib.get_close_matches(name.removeprefix(_PREFIX), own, n=1)
    return f"did you mean {_PREFIX}{closest[0]}?" if closest else f"there are {', '.join(SETTING_NAMES)}"


def _refused(option: str, settings: BaseSettings, reason: str) -> OptionError:
    name = setting_name(option)
    return OptionError(name, settings.get(name), reason)


def _read(settings: BaseSettings, option: str, read: Callable[[Any], Any]) -> Any:
    """Return what a function reads from a setting's value."""
    try:
        return read(settings.get(setting_name(option)))
    except (ValueError, TypeError) as error:
        raise _refused(option, settings, str(error)) from None


def _flag(settings: BaseSettings, option: str, default: bool) -> bool:
    try:
        return settings.getbool(setting_name(option), default)
    except (ValueError, TypeError):
        raise _refused(option, settings, "must be True or False") from None


def _path(settings: BaseSettings, option: str) -> str | None:
    paths = _paths(settings, option)
    if len(paths) > 1:
        raise _refused(option, settings, "must be one path")
    return paths[0] if paths else None


def _linkinfo(settings: BaseSettings) -> str:
    """Return the name of a zip's linkinfo; an empty name switches linkinfo off.

    False (the value or a word for it), None and an empty string give an empty name.
    """
    value = settings.get(setting_name("linkinfo"), "linkinfo")
    if isinstance(value, bool) or value is None or value in ("True", "true", "1", "False", "false", "0"):
        return "linkinfo" if value in (True, "True", "true", "1") else ""
    if not isinstance(value, str) or "/" in value:
        raise _refused("linkinfo", settings, "must be a name without slashes, or False")
    return value.strip()


def _timestamp(settings: BaseSettings) -> str | None:
    value = settings.get(setting_name("timestamp"))
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not _TIMESTAMP.fullmatch(str(value)):
        raise _refused("timestamp", settings, "must be letters, digits, dots, dashes and underscores")
    return str(value)


def _encoding(settings: BaseSettings, option: str) -> str | None:
    value = settings.get(setting_name(option)) or None
    try:
        ExtractOptions(encoding=value)
    except OptionError as error:
        raise _refused(option, settings, error.reason) from None
    return value


def _paths(settings: BaseSettings, option: str) -> tuple[str, ...]:
    """Return one path or several; a string separates them by commas, as in Scrapy's own lists."""
    value = settings.get(setting_name(option))
    if value is None:
        return ()
    parts = value.split(",") if isinstance(value, str) else value
    if isinstance(parts, os.PathLike):
        parts = [parts]
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str | os.PathLike) for part in parts):
        raise _refused(option, settings, "must be a path, or a list of paths")
    paths = tuple(text for part in parts if (text := str(part).strip()))
    if any(_UNKNOWN_PLACEHOLDER.search(path) for path in paths):
        raise _refused(
            option, settings, "nothing but %(spider)s, %(time)s and %(timestamp)s can be filled in"
        )
    return paths


def _extract_options(settings: BaseSettings) -> ExtractOptions:
    value: Any = settings.get(setting_name("extract_options"))
    if isinstance(value, ExtractOptions):
        return value
    changes = _changes(settings, "extract_options", ExtractOptions)
    try:
        if "url_rules" in changes:
            changes["url_rules"] = tuple(_url_rule(rule) for rule in changes["url_rules"])
        return ExtractOptions(**changes)
    except (OptionError, TypeError) as error:
        raise _refused("extract_options", settings, str(error)) from None


def _changes(settings: BaseSettings, option: str, values: type[Any]) -> dict[str, Any]:
    """Return the fields of an options object that a setting names, with their new values."""
    try:
        changes = dict(settings.getdict(setting_name(option), {}))
    except (ValueError, TypeError):
        raise _refused(option, settings, "must be a dict, or its JSON") from None
    known = [one.name for one in dataclasses.fields(values)]
    if unknown := [name for name in changes if name not in known]:
        raise _refused(option, settings, f"there is no option {unknown[0]!r}, only {', '.join(known)}")
    return changes


def _url_rule(rule: Any) -> UrlRule:
    """Return a rule written as a mapping or as (pattern, accept)."""
    if isinstance(rule, UrlRule):
        return rule
    return UrlRule(**rule) if isinstance(rule, Mapping) else UrlRule(*rule)
