"""Run the regular expressions of users with a time limit, so that no page can make one run forever.

An expression is valid if Python's ``re`` accepts it, and it means the same. The package ``regex`` runs it,
since ``regex`` has a time limit. ``docs/libraries.md`` gives the reasons for this choice.
"""

from __future__ import annotations

import re
import time
from functools import lru_cache
from typing import Any

from ..errors import SlowExpressionError

#: What ``re`` reads otherwise than ``regex``. A brace that does not begin a repetition stands for itself; in
#: ``regex`` it may allow errors, as in ``a{e}``. So does a bracket in a set; it may name a class there, as in
#: ``[[:alpha:]]``.
_READ_OTHERWISE = re.compile(r"\\.|\[(\^?\]?(?:\\.|[^\]\\])*+(?:\]|\Z))|\{(?!\d++\}|\d*,\d*\})", re.DOTALL)
_ESCAPED_OR_BRACKET = re.compile(r"\\.|\[", re.DOTALL)

#: Seconds of processor time for all expressions on one page; ordinary expressions take microseconds.
PATIENCE = 0.5

#: The most characters of an expression. Compiling takes 6 microseconds for each.
LONGEST = 50_000


def check_expression(pattern: str) -> None:
    """Check that a text is a valid regular expression.

    :raises ValueError: ``re`` or ``regex`` refuses it, or it is too long; the message has the expression and
        the reason.
    """
    import regex  # it takes time to import, and most projects have no such expressions

    if isinstance(pattern, str) and len(pattern) > LONGEST:
        raise ValueError(f"{pattern[:60]!r}... has {len(pattern):,} characters; {LONGEST:,} are allowed")
    try:
        re.compile(pattern)
        _compiled(pattern)
    except (re.error, regex.error, TypeError, OverflowError, RecursionError) as error:
        raise ValueError(f"{pattern!r} is not a valid regular expression: {error}") from None


class Patience:
    """The time that the expressions of users have left on one page.

    It is processor time, so a busy machine makes no difference. Only a page on which an expression goes
    wrong comes near the limit.

    :param url: the page's url, for errors.
    :param seconds: the time limit for the page.
    """

    def __init__(self, url: str, seconds: float = PATIENCE) -> None:
        self.url = url
        self._left = seconds

    def finds(self, pattern: str, text: str) -> bool:
        """Return whether an expression matches somewhere in a text.

        :raises SlowExpressionError: the page's time is used up.
        """
        return self._timed("search", pattern, text) is not None

    def found(self, pattern: str, text: str) -> str:
        """Return all matches of an expression in a text, joined.

        If the expression has exactly one group, only the group's part of each match counts.

        :raises SlowExpressionError: the page's time is used up.
        """
        if not text:
            return ""
        number = 1 if _compiled(pattern).groups == 1 else 0
        pieces: list[str] = []

        def keep(match: Any) -> str:
            pieces.append(match.group(number) or "")
            return ""

        self._timed("sub", pattern, text, keep)
        return "".join(pieces)

    def _timed(self, method: str, pattern: str, text: str, *before: Any) -> Any:
        """Call a method of a compiled expression, and subtract its time from the time left."""
        begun = time.process_time()
        try:
            return getattr(_compiled(pattern), method)(*before, text, timeout=max(self._left, 1e-6))
        except TimeoutError:
            raise SlowExpressionError(self.url, pattern) from None
        finally:
            self._left -= time.process_time() - begun


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    import regex

    return regex.compile(_READ_OTHERWISE.sub(_as_in_re, pattern), regex.VERSION0)


def _as_in_re(part: re.Match[str]) -> str:
    """Return a part of an expression for ``regex`` that means there what it means in ``re``."""
    if part[0] == "{":
        return r"\{"
    return f"[{_ESCAPED_OR_BRACKET.sub(_escaped, part[1])}" if part[1] else part[0]


def _escaped(part: re.Match[str]) -> str:
    return r"\[" if part[0] == "[" else part[0]
