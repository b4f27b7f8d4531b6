"""Every threshold of learning and extraction, named and explained.

``LearnOptions()`` and ``ExtractOptions()`` are the defaults for today's web,
``.classic()`` gives the behaviour of Webstemmer 0.7.1 (2009). A bad value raises
:class:`~scrapy_webstemmer.errors.OptionError`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from .errors import OptionError

__all__ = ["ExtractOptions", "LearnOptions", "UrlRule"]


@dataclass(frozen=True, slots=True)
class UrlRule:
    """Accept or reject the urls in which a regular expression is found."""

    pattern: str
    accept: bool = True


def accepts(rules: tuple[UrlRule, ...], url: str) -> bool:
    """Return whether the rules let a url through.

    The first rule that is found in the url decides. Without rules every url
    passes; with rules, one that none of them matches does not.
    """
    for rule in rules:
        if re.search(rule.pattern, url):
            return rule.accept
    return not rules


def _check_share(options: object, *names: str) -> None:
    for name in names:
        value = getattr(options, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise OptionError(name, value, "must be a number from 0 to 1")


def _check_expressions(name: str, *patterns: str) -> None:
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise OptionError(name, pattern, f"is no regular expression: {error}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnOptions:
    """How patterns are learned."""

    encoding: str | None = None
    url_rules: tuple[UrlRule, ...] = ()
    site: str = "domain"
    mangle: str | None = None
    cluster_threshold: float = 0.8
    samples: int = 0
    title_threshold: float = 0.3
    min_score: float = 0.0

    def __post_init__(self) -> None:
        _check_share(self, "cluster_threshold", "title_threshold")
        _check_expressions("url_rules", *(rule.pattern for rule in self.url_rules))

    @classmethod
    def classic(cls, **changes: Any) -> LearnOptions:
        """Return the 2009 behaviour, with changes."""
        return cls(**({"cluster_threshold": 0.97, "title_threshold": 0.6, "min_score": 100.0} | changes))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractOptions:
    """How patterns are applied to a page."""

    encoding: str | None = None
    url_rules: tuple[UrlRule, ...] = ()
    mangle: str | None = None
    threshold: float = 0.5
    strict: bool = False
    diff_threshold: float = 0.5
    main_threshold: float = 50.0

    def __post_init__(self) -> None:
        _check_share(self, "threshold", "diff_threshold")
        _check_expressions("url_rules", *(rule.pattern for rule in self.url_rules))

    @classmethod
    def classic(cls, **changes: Any) -> ExtractOptions:
        """Return the 2009 behaviour, with changes."""
        return cls(**({"threshold": 0.8} | changes))
