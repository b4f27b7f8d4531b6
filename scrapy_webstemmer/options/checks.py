"""Check the values of options. An invalid value raises an OptionError that names the option."""

from __future__ import annotations

from typing import Protocol

from w3lib.encoding import resolve_encoding

from ..base.expressions import check_expression
from ..base.limits import Limits
from ..errors import OptionError
from .url_rules import UrlRule


def check_kind(name: str, value: object, kind: type, hint: str = "") -> None:
    """Raise a TypeError if an argument is of another kind.

    :param name: the argument.
    :param hint: how to make one of the right kind.
    """
    if not isinstance(value, kind):
        what = "bytes" if kind is bytes else f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}"
        message = f"{name} must be {what}, not {type(value).__name__}"
        raise TypeError(f"{message}; {hint}" if hint else message)


class CommonOptions(Protocol):
    """What learning and extraction are both told about pages."""

    @property
    def encoding(self) -> str | None: ...
    @property
    def url_rules(self) -> tuple[UrlRule, ...]: ...
    @property
    def limits(self) -> Limits: ...
    @property
    def mangle(self) -> str | None: ...


def check_common(options: CommonOptions) -> None:
    """Raise an OptionError if an option that learning and extraction share is invalid.

    Url rules in a list become a tuple.
    """
    _check_encoding(options.encoding)
    if not isinstance(options.limits, Limits):
        raise OptionError("limits", options.limits, "must be a Limits value")
    if not isinstance(options.url_rules, tuple | list):
        raise OptionError("url_rules", options.url_rules, "must be UrlRule values")
    object.__setattr__(options, "url_rules", tuple(options.url_rules))  # options can be hashed
    for rule in options.url_rules:
        if not isinstance(rule, UrlRule):
            raise OptionError("url_rules", rule, "must be UrlRule values")
    check_expressions("url_rules", *(rule.pattern for rule in options.url_rules))
    if options.mangle is not None:
        check_expressions("mangle", options.mangle)


def check_share(options: object, *names: str) -> None:
    """Raise an OptionError if one of the named options is not a number from 0 to 1."""
    for name in names:
        value = getattr(options, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise OptionError(name, value, "must be a number from 0 to 1")


def check_number(options: object, name: str, least: float) -> None:
    """Raise an OptionError if the named option is not a number that is at least the given one."""
    value = getattr(options, name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= least:
        raise OptionError(name, value, f"must be a number from {least} on")


def check_count(options: object, name: str) -> None:
    """Raise an OptionError if the named option is not a whole number from 0 on."""
    value = getattr(options, name)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise OptionError(name, value, "must be a whole number from 0 on")


def check_expressions(name: str, *patterns: str) -> None:
    """Raise an OptionError that names the option if one of its patterns is not a valid regular expression."""
    for pattern in patterns:
        try:
            check_expression(pattern)
        except ValueError as error:
            raise OptionError(name, pattern, str(error)) from None


def _check_encoding(encoding: str | None) -> None:
    if encoding is None:
        return
    known = resolve_encoding(encoding) if isinstance(encoding, str) else None
    try:
        b"\xe9".decode(known or "", "replace")
    except (LookupError, UnicodeError):  # unknown, or a codec that is not a charset: base64, idna
        raise OptionError("encoding", encoding, "is not a charset that Python knows") from None
