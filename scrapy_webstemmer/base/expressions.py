"""Regular expressions of users, which no page can make run for ever.

What they may be is what Python's ``re`` takes, and they mean the same; but they are run by the package
``regex``, which can be told when to stop. See ``docs/libraries.md`` for the choice.
"""

from __future__ import annotations

import re
import time
from functools import lru_cache
from typing import Any

import regex

from ..errors import SlowExpressionError

__all__ = ["PATIENCE", "Patience", "check_expression"]

#: Seconds of processor time that the expressions may take on one page: ordinary ones take microseconds.
PATIENCE = 0.5


def check_expression(pattern: str) -> None:
    """Make sure that a text is a regular expression that can be used.

    :raises ValueError: ``re`` or ``regex`` refuses it; says which expression, and why.
    """
    try:
        re.compile(pattern)
        _compiled(pattern)
    except (re.error, regex.error, TypeError, OverflowError, RecursionError) as error:
        raise ValueError(f"{pattern!r} is not a valid regular expression: {error}") from None


class Patience:
    """How long the expressions of users may still take on one page.

    It is processor time, where the system tells it, so that a busy machine makes no difference. Only a page
    on which an expression goes wrong ever comes near the limit.

    :param url: the page's, for errors.
    """

    def __init__(self, url: str, seconds: float = PATIENCE) -> None:
        self.url = url
        self._left = seconds

    def finds(self, pattern: str, text: str) -> bool:
        """Return whether an expression is found in a text.

        :raises SlowExpressionError: the time is over.
        """
        return self._timed("search", pattern, text) is not None

    def found(self, pattern: str, text: str) -> str:
        """Return all that an expression finds in a text, joined; of one with one group only what that finds.

        :raises SlowExpressionError: the time is over.
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
        """Call a method of a compiled expression, and note what it has cost."""
        begun = time.process_time()
        try:
            return getattr(_compiled(pattern), method)(*before, text, timeout=max(self._left, 1e-6))
        except TimeoutError:
            raise SlowExpressionError(self.url, pattern) from None
        finally:
            self._left -= time.process_time() - begun


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    return regex.compile(pattern, regex.VERSION0)
