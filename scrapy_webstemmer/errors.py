"""The errors that the package raises: one root, and subclasses with the evidence; words for messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def visible(text: str) -> str:
    """Return a text with all unprintable characters escaped: a terminal would obey or hide them.

    Urls and file names come from strangers, and messages end up in logs.

    >>> print(visible("a\\x1b[2J\\u202eb"))
    a\\x1b[2J\\u202eb
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def plural(number: int, word: str) -> str:
    """Return a number with its noun.

    >>> plural(1, "page"), plural(1200, "page")
    ('1 page', '1,200 pages')
    """
    return f"{number:,} {word}" + ("" if number == 1 else "s")


class WebstemmerError(Exception):
    """The root of all errors that the package raises on purpose. They can be pickled and copied."""

    def __reduce__(self) -> tuple[Any, ...]:
        # without this, an error is made anew by a call with the message alone, and most of ours take more
        return _remade, (type(self), self.args), self.__dict__


def _remade(kind: type[WebstemmerError], args: tuple[object, ...]) -> WebstemmerError:
    """Return an error with its arguments, and without the attributes that its ``__init__`` sets."""
    return kind.__new__(kind, *args)


class OptionError(WebstemmerError, ValueError):
    """An option, a setting or a command's argument has an invalid value.

    :param name: the option as the user wrote it (``min_score``, ``WEBSTEMMER_PATTERNS``).
    :param value: the invalid value.
    :param reason: what a valid value must be.
    """

    def __init__(self, name: str, value: object, reason: str) -> None:
        super().__init__(f"{name}={value!r}: {reason}")
        self.name, self.value, self.reason = name, value, reason


class PageError(WebstemmerError):
    """A page cannot be turned into layout blocks. The run skips it and goes on."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(visible(f"{url or '(no url)'}: {reason}"))
        self.url, self.reason = url, reason


class LimitError(PageError):
    """A page exceeds a limit. The run skips it and goes on.

    :param limit: the exceeded field of :class:`~scrapy_webstemmer.options.Limits`.
    """

    def __init__(self, url: str, limit: str, reason: str) -> None:
        super().__init__(url, f"{reason} (limit {limit!r})")
        self.limit = limit


class SlowExpressionError(PageError):
    """A user's regular expression takes too long on a page. The run skips the page and goes on.

    :param pattern: the expression.
    """

    def __init__(self, url: str, pattern: str) -> None:
        super().__init__(url, f"the regular expression {pattern!r} takes too long")
        self.pattern = pattern


class RecordError(WebstemmerError):
    """A file or folder of records cannot be opened, read or written.

    :param path: the file or folder.
    :param reason: what is wrong with it.
    :param record: the url, zip member or row that is wrong; None: the file as a whole.
    :ivar busy: whether another process is using the file; the same call may succeed later.
    :ivar damaged: whether SQLite found the file damaged; nothing more may be written to it.
    """

    busy = damaged = False

    def __init__(self, path: str | Path, reason: str, record: str | None = None) -> None:
        where = f"{path}: {record}" if record else str(path)
        super().__init__(visible(f"{where}: {reason}"))
        self.path, self.reason, self.record = Path(path), reason, record


class PatternFileError(RecordError):
    """A pattern file cannot be read or written.

    :param path: the file.
    :param reason: what is wrong with it.
    :param record: number of the first wrong line, from 1, or the site that is wrong; None: neither is known.
    :ivar line: the number of the line; None: no single line is wrong.
    """

    def __init__(self, path: str | Path, reason: str, record: str | int | None = None) -> None:
        line = record if isinstance(record, int) else None
        super().__init__(
            f"{path}:{line}" if line else path, reason, record if isinstance(record, str) else None
        )
        self.path, self.line = Path(path), line


class LearningSetError(RecordError):
    """A learning set, or another source of pages, cannot be opened, read or written."""


class UrlDbError(RecordError):
    """A database of seen urls cannot be opened, read or written."""


class WorkerError(WebstemmerError):
    """A worker process has died: it was killed, or it ran out of memory."""
