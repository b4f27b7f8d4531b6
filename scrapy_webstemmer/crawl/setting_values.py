"""Read the value of one setting, and say which setting it is that has an invalid one."""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from scrapy.settings import BaseSettings

from ..errors import OptionError
from ..options import ExtractOptions, LearnOptions, Limits, UrlRule
from .feed_settings import at_home, listed

_Options = TypeVar("_Options", ExtractOptions, LearnOptions, Limits)

#: How the names of all settings begin.
PREFIX = "WEBSTEMMER_"
_TIMESTAMP = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]*")
_UNKNOWN_PLACEHOLDER = re.compile(r"%\((?!(spider|time|timestamp)\)s)")


def setting_name(option: str) -> str:
    """Return the name of the setting of a field of :class:`WebstemmerSettings`."""
    return PREFIX + option.upper()


def limits_of(settings: BaseSettings) -> Limits:
    """Return the limits that the settings of a crawl or a command set.

    :raises OptionError: a value is invalid; the error names the setting and the value.
    """
    return read_options(settings, "limits", Limits)


def _refused(option: str, settings: BaseSettings, reason: str) -> OptionError:
    name = setting_name(option)
    return OptionError(name, settings.get(name), reason)


def _value(settings: BaseSettings, option: str) -> Any:
    """Return the value of a setting; None: it has none, or an empty string."""
    value = settings.get(setting_name(option))
    return None if value == "" else value


def read(settings: BaseSettings, option: str, reader: Callable[[Any], Any]) -> Any:
    """Return what a function reads from a setting's value."""
    try:
        return reader(settings.get(setting_name(option)))
    except (ValueError, TypeError) as error:
        raise _refused(option, settings, str(error)) from None


def read_flag(settings: BaseSettings, option: str, default: bool) -> bool:
    try:
        return settings.getbool(setting_name(option), default)
    except (ValueError, TypeError):
        raise _refused(option, settings, "must be True or False") from None


def read_path(settings: BaseSettings, option: str) -> str | None:
    paths = read_paths(settings, option)
    if len(paths) > 1:
        raise _refused(option, settings, "must be one path")
    if paths and paths[0].endswith(("/", os.sep)):
        raise _refused(option, settings, "must be a file, and this is the name of a folder")
    return paths[0] if paths else None


def read_learning_set_pages(settings: BaseSettings, learning_set: str | None) -> int | None:
    """Return the most pages of a site that the learning set keeps; None: all.

    :param learning_set: its path.
    """
    value = _value(settings, "learning_set_pages")
    if value is None:
        return None
    text = str(value).strip()
    if isinstance(value, bool) or not (text.isascii() and text.isdigit() and int(text)):
        raise _refused("learning_set_pages", settings, "must be a whole number from 1 on")
    if learning_set and learning_set.lower().endswith(".zip"):
        reason = f"needs a SQLite file, since a zip keeps all its pages; {setting_name('learning_set')} is"
        raise _refused("learning_set_pages", settings, f"{reason} {learning_set}")
    return int(text)


def read_linkinfo(settings: BaseSettings) -> str:
    """Return the name of a zip's linkinfo; an empty name switches linkinfo off.

    False (the value or a word for it), None and an empty string give an empty name.
    """
    value = settings.get(setting_name("linkinfo"), "linkinfo")
    if isinstance(value, bool) or value is None or value in ("True", "true", "1", "False", "false", "0"):
        return "linkinfo" if value in (True, "True", "true", "1") else ""
    if not isinstance(value, str) or "/" in value:
        raise _refused("linkinfo", settings, "must be a name without slashes, or False")
    return value.strip()


def read_timestamp(settings: BaseSettings) -> str | None:
    value = _value(settings, "timestamp")
    if value is None:
        return None
    if isinstance(value, bool) or not _TIMESTAMP.fullmatch(str(value)):
        raise _refused("timestamp", settings, "must be letters, digits, dots, dashes and underscores")
    return str(value)


def read_encoding(settings: BaseSettings, option: str) -> str | None:
    value = settings.get(setting_name(option)) or None
    try:
        ExtractOptions(encoding=value)
    except OptionError as error:
        raise _refused(option, settings, error.reason) from None
    return value


def read_paths(settings: BaseSettings, option: str) -> tuple[str, ...]:
    """Return one path or several; a string separates them by commas, as in Scrapy's own lists."""
    value = settings.get(setting_name(option))
    if value is None:
        return ()
    refused = _refused(option, settings, "must be a path, or a list of paths")
    try:
        parts = [value] if isinstance(value, os.PathLike) else listed(value, "[")
    except ValueError:
        raise refused from None
    if not isinstance(parts, list | tuple) or not all(isinstance(part, str | os.PathLike) for part in parts):
        raise refused
    paths = tuple(at_home(text) for part in parts if (text := str(part).strip()))
    if uris := [path for path in paths if "://" in path]:
        raise _refused(option, settings, f"must be a path on this machine, and {uris[0]} is another uri")
    if any(_UNKNOWN_PLACEHOLDER.search(path) for path in paths):
        raise _refused(
            option, settings, "nothing but %(spider)s, %(time)s and %(timestamp)s can be filled in"
        )
    return paths


def read_learn_options(settings: BaseSettings) -> LearnOptions:
    """Return how a crawl learns: path layouts of registered domains."""
    options = read_options(settings, "learn_options", LearnOptions)
    for name, only in (("layout", "paths"), ("site", "domain")):
        if getattr(options, name) != only:
            raise _refused("learn_options", settings, f"{name} must be {only!r}; `scrapy analyze` has others")
    return options


def read_extract_options(settings: BaseSettings) -> ExtractOptions:
    """Return how patterns are applied to pages. Where two options have settings of their own, these count."""
    options = read_options(settings, "extract_options", ExtractOptions)
    share = _value(settings, "min_confidence")
    if share is not None:
        try:
            options = replace(options, min_confidence=float(share) if isinstance(share, str) else share)
        except ValueError:
            raise _refused("min_confidence", settings, "must be a number from 0 to 1") from None
    if _value(settings, "all_kinds") is not None:
        options = replace(options, all_kinds=read_flag(settings, "all_kinds", False))
    return options


def read_options(settings: BaseSettings, option: str, cls: type[_Options]) -> _Options:
    value: Any = settings.get(setting_name(option))
    if isinstance(value, cls):
        return value
    try:
        changes = dict(settings.getdict(setting_name(option), {}))
    except (ValueError, TypeError):
        raise _refused(option, settings, "must be a dict, or its JSON") from None
    known = [field.name for field in dataclasses.fields(cls)]
    if unknown := [name for name in changes if name not in known]:
        raise _refused(option, settings, f"there is no option {unknown[0]!r}, only {', '.join(known)}")
    try:
        if "url_rules" in changes:
            changes["url_rules"] = _url_rules(changes["url_rules"])
        return cls(**changes)
    except (OptionError, TypeError) as error:
        raise _refused(option, settings, str(error)) from None


def _url_rules(rules: Any) -> tuple[UrlRule, ...]:
    """Return rules, each a rule already, or written as [pattern, accept]."""
    reason = 'url_rules must be a list of rules, each such as ["/news/", true]'
    if not isinstance(rules, list | tuple):
        raise TypeError(reason)
    read = []
    for rule in rules:
        try:
            pattern, accept = (rule.pattern, rule.accept) if isinstance(rule, UrlRule) else rule
        except (TypeError, ValueError):
            accept = None
        if not isinstance(accept, bool):
            raise TypeError(f"{reason}; {rule!r} is none")
        read.append(UrlRule(pattern, accept))
    return tuple(read)
