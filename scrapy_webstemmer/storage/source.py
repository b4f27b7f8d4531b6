"""Sources of pages: their base class, the records that they skip, joined linkinfo, the kind of a file."""

from __future__ import annotations

import codecs
import heapq
import logging
import re
import zlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import IO, NamedTuple, Self

from ..errors import visible
from ..values import Linkinfo, Page

GZIP_MAGIC = b"\x1f\x8b"
SQLITE_MAGIC = b"SQLite format 3\x00"
ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")  # the second: an empty zip

_IMAGE_MAGICS = (b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"RIFF")
_BINARY_MAGICS = (GZIP_MAGIC, SQLITE_MAGIC, *ZIP_MAGICS, *_IMAGE_MAGICS, b"%PDF")
_PROLOGUE = rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*+"
_START = rb"<(?:!doctype\s+html|html|head|body|title|meta)\b"
_HTML = re.compile(_PROLOGUE + _START, re.IGNORECASE | re.DOTALL)

#: The number of bytes that are examined.
SAMPLE_SIZE = 1024


def is_binary(body: bytes) -> bool:
    """Return whether the body begins like an image, an archive or a PDF."""
    return body.startswith(_BINARY_MAGICS)


def looks_like_html(body: bytes) -> bool:
    """Return whether the body begins like an HTML page, after white space and comments.

    >>> looks_like_html(b"\\n<!-- cached --><!DOCTYPE html><title>News</title>")
    True
    >>> looks_like_html(b"User-agent: *")
    False
    """
    head = body[:SAMPLE_SIZE]
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        head = head.decode("utf-16", "ignore").encode()
    return _HTML.match(head) is not None


logger = logging.getLogger("scrapy_webstemmer.storage")

#: Bytes that a decompressed page may have. A larger page is refused, so that it does not fill the memory.
MAX_BODY = 64 * 1024 * 1024

#: The reason that is reported for a larger page.
TOO_LARGE = f"larger than {MAX_BODY // 1024 // 1024} MiB"

#: The errors that reading a damaged row of a SQLite file raises.
DAMAGE = (ValueError, TypeError, RecursionError, zlib.error)

#: How many unreadable records of a source are named, and how many are counted. A zip of 8 KB can hold
#: millions of malformed lines.
MAX_NAMED, MAX_COUNTED = 100, 100_000

#: Characters that are kept of a record's name, and of the reason.
_MAX_WORDS = 1_000


class Skipped(NamedTuple):
    """A record that could not be read: its url, member, line or file, and the reason."""

    record: str
    reason: str


class PageSource(ABC):
    """Pages of one or many sites, read one at a time.

    Iteration holds one page in memory. It can be repeated, and always gives the same order. Unreadable
    records are skipped. The first hundred are named in :attr:`skipped` and logged, once each; the others are
    only counted.

    :param path: the file or folder; ``-`` for a list from standard input.
    :ivar made_up: the host of urls that only follow from names of files, ``""`` for those without a host;
        None: all urls are those that the pages had.
    :ivar skipped: the first :data:`MAX_NAMED` unreadable records, each once.
    :ivar skipped_count: the number of unreadable records; counting stops at :data:`MAX_COUNTED`.
    """

    made_up: str | None = None

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.skipped: list[Skipped] = []
        self.skipped_count = 0
        self._known: set[int] = set()

    @abstractmethod
    def __iter__(self) -> Iterator[Page]:
        """Yield the pages.

        :raises LearningSetError: the source as a whole cannot be read any further.
        """

    def linkinfo(self) -> Linkinfo | None:
        """Return the recorded anchor texts by canonical url, or None if none are recorded."""
        return None

    def count(self) -> int | None:
        """Return how many records iteration goes through, or None if only reading all would tell."""
        return None

    def close(self) -> None:  # noqa: B027 - most sources keep nothing open
        """Close what is open. Further calls do nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _skip(self, record: str, reason: str) -> None:
        """Count an unreadable record, and name it if it is one of the first. Repeats are ignored."""
        known = hash((record, reason))
        if self.skipped_count >= MAX_COUNTED or known in self._known:
            return
        self._known.add(known)
        self.skipped_count += 1
        if self.skipped_count <= MAX_NAMED:
            skipped = Skipped(_cut(record), _cut(reason))
            self.skipped.append(skipped)
            logger.warning("%s: %s: skipped: %s", self.path, *map(visible, skipped))
        elif self.skipped_count == MAX_NAMED + 1:
            logger.warning("%s: further unreadable records are counted, not named", self.path)


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_WORDS else text[:_MAX_WORDS] + "…"


def cause_of(error: Exception) -> str:
    """Return why a file could not be read, without its name."""
    return getattr(error, "strerror", None) or str(error)


def open_regular(path: Path) -> IO[bytes]:
    """Open a regular file for reading.

    :raises OSError: the file cannot be read.
    :raises ValueError: it is not a regular file: reading a pipe would wait for ever.
    """
    if not path.is_file():
        path.stat()  # raises the reason if there is no such file
        raise ValueError("not a regular file")
    return path.open("rb")


def inflate(data: bytes) -> bytes:
    """Return a stored body, decompressed to at most ``MAX_BODY`` bytes.

    :raises ValueError: the body is larger, or incomplete.
    :raises zlib.error: the data is damaged.
    """
    inflater = zlib.decompressobj()
    body = inflater.decompress(data, MAX_BODY + 1)
    if len(body) > MAX_BODY:
        raise ValueError(TOO_LARGE)
    if not inflater.eof:
        raise ValueError("incomplete")
    return body


class FetchedPages(PageSource):
    """Pages that were fetched from the web, as a source. They are kept compressed, in the order of the urls.

    :param urls: the urls that were asked for, each once.
    """

    def __init__(self, urls: Sequence[str], pages: dict[str, Page] | None = None) -> None:
        super().__init__(urls[0])
        self._urls = urls
        self._pages: dict[str, Page] = {} if pages is None else pages

    def part(self, urls: Sequence[str]) -> FetchedPages:
        """Return the source of some of the pages."""
        return FetchedPages(urls, self._pages)

    def take(self, url: str, page: Page) -> None:
        """Take the page to which a url has led."""
        self._pages[url] = replace(page, body=zlib.compress(page.body, 1))

    def __iter__(self) -> Iterator[Page]:
        for url in self._urls:
            if page := self._pages.get(url):
                yield replace(page, body=zlib.decompress(page.body))

    def count(self) -> int:
        return sum(url in self._pages for url in self._urls)


class MergedLinkinfo:
    """The union of several linkinfos whose items come in the order of their urls; counts are added."""

    def __init__(self, parts: Iterable[Linkinfo]) -> None:
        self._parts = tuple(parts)

    def items(self) -> Iterator[tuple[str, Mapping[str, int]]]:
        """Yield each url once with its anchor texts, in the order of the urls; one url is held at a time."""
        merged = heapq.merge(*(part.items() for part in self._parts), key=itemgetter(0))
        for url, group in groupby(merged, key=itemgetter(0)):
            total: Counter[str] = Counter()
            for _, texts in group:
                total.update(texts)
            yield url, dict(total)


def merged_linkinfo(sources: Iterable[PageSource]) -> Linkinfo | None:
    """Return the linkinfo of several sources as one, streamed lazily; None if no source records any."""
    parts = [linkinfo for source in sources if (linkinfo := source.linkinfo()) is not None]
    if len(parts) < 2:
        return parts[0] if parts else None
    return MergedLinkinfo(parts)
