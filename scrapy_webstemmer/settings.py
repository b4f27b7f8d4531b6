"""The settings of the Scrapy side; no other module knows the ``WEBSTEMMER_*`` names."""

from __future__ import annotations

import difflib
import logging
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import OptionError
from .options import ExtractOptions, UrlRule

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

__all__ = ["SETTING_NAMES", "WebstemmerSettings", "fill_in", "setting_name", "warn_of_unknown_names"]

logger = logging.getLogger(__name__)

_PREFIX = "WEBSTEMMER_"
_UNKNOWN_PLACEHOLDER = re.compile(r"%\((?!(spider|time)\)s)")


@dataclass(frozen=True, slots=True, kw_only=True)
class WebstemmerSettings:
    """The values of our settings, checked. A field ``some_name`` is the setting ``WEBSTEMMER_SOME_NAME``.

    :param enabled: False: nothing of ours takes part in the crawl.
    :param learning_set: where pages and linkinfo are accumulated; None: nothing is stored.
    :param patterns: pattern files; empty: nothing is extracted.
    :param articles_to_pipelines: articles pass the pipelines that come after ours.
    :param extract_options: how patterns are applied to a page.

    Paths are templates: ``%(spider)s`` stands for the spider's name and
    ``%(time)s`` for the time of the call; see :func:`fill_in`.
    """

    enabled: bool = True
    learning_set: str | None = None
    patterns: tuple[str, ...] = ()
    articles_to_pipelines: bool = False
    extract_options: ExtractOptions = field(default_factory=ExtractOptions)

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> WebstemmerSettings:
        """Return the values in a crawl's settings.

        :raises OptionError: a value cannot be; names the setting and the value.
        """
        learning_set = _paths(settings, "learning_set")
        if len(learning_set) > 1:
            raise _refused("learning_set", settings, "must be one path")
        return cls(
            enabled=_flag(settings, "enabled", True),
            learning_set=learning_set[0] if learning_set else None,
            patterns=_paths(settings, "patterns"),
            articles_to_pipelines=_flag(settings, "articles_to_pipelines", False),
            extract_options=_extract_options(settings),
        )


#: Every setting that there is.
SETTING_NAMES = tuple(_PREFIX + option.name.upper() for option in fields(WebstemmerSettings))


def fill_in(template: str, spider: str) -> Path:
    """Return a path template with the spider's name and the present time (UTC) filled in."""
    time = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S")
    return Path(template.replace("%(spider)s", spider).replace("%(time)s", time))


def setting_name(option: str) -> str:
    """Return the setting of a field of :class:`WebstemmerSettings`."""
    return _PREFIX + option.upper()


def warn_of_unknown_names(settings: BaseSettings) -> None:
    """Log a warning for each setting that looks like one of ours and is none."""
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


def _flag(settings: BaseSettings, option: str, default: bool) -> bool:
    try:
        return settings.getbool(setting_name(option), default)
    except (ValueError, TypeError):
        raise _refused(option, settings, "must be True or False") from None


def _paths(settings: BaseSettings, option: str) -> tuple[str, ...]:
    """Return one path or several; in a string they are separated by commas, as in Scrapy's own lists."""
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
        raise _refused(option, settings, "nothing but %(spider)s and %(time)s can be filled in")
    return paths


def _extract_options(settings: BaseSettings) -> ExtractOptions:
    value: Any = settings.get(setting_name("extract_options"))
    if isinstance(value, ExtractOptions):
        return value
    try:
        changes = dict(settings.getdict(setting_name("extract_options"), {}))
    except (ValueError, TypeError):
        raise _refused("extract_options", settings, "must be a dict, or its JSON") from None
    known = [option.name for option in fields(ExtractOptions)]
    if unknown := [name for name in changes if name not in known]:
        reason = f"there is no option {unknown[0]!r}, only {', '.join(known)}"
        raise _refused("extract_options", settings, reason)
    try:
        if "url_rules" in changes:
            changes["url_rules"] = tuple(_url_rule(rule) for rule in changes["url_rules"])
        return ExtractOptions(**changes)
    except (OptionError, TypeError) as error:
        raise _refused("extract_options", settings, str(error)) from None


def _url_rule(rule: Any) -> UrlRule:
    """Return a rule written as a mapping or as (pattern, accept)."""
    if isinstance(rule, UrlRule):
        return rule
    return UrlRule(**rule) if isinstance(rule, Mapping) else UrlRule(*rule)
