"""Writing zip files in the layout of the 2009 crawler, so that its own programs read them, too.

A member a page, ``TIMESTAMP/host/path``, and at the end one with the linkinfo: for each url that is
linked to a line ``('TIMESTAMP/host/path', ['anchor text', …])``. The original read these lines with
``eval`` in Python 2, hence what is not ASCII is written as ``u'…'``, with escapes.
"""

from __future__ import annotations

import logging
import re
import zipfile
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from ..errors import LearningSetError
from ..urls import canonical_url, link_key, well_formed
from ..values import Page
from .source import MAX_BODY, TOO_LARGE
from .zip import BASE_ID_NOTE, ZipLearningSet
from .zip_file import MAX_MEMBERS, GrowingZip

__all__ = ["MAX_REPEATS", "ZipWriter", "linkinfo_lines", "page_name"]

#: How often the linkinfo repeats a text for one url at most; in a navigation it is on every page.
MAX_REPEATS = 100

#: Texts on one line of the linkinfo; where there are more, another line goes on.
_LINE_TEXTS = 1000

#: Bytes that a member's name can have.
_MAX_NAME = 0xFFFF

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
# The second would be another port once the scheme is gone.
_UNUSUAL = re.compile(r"[^!-~]|\\|\Ahttps://[^/?#]*:443(?![0-9])", re.IGNORECASE)
_USUAL = "".join(chr(code) for code in range(ord("!"), ord("~") + 1) if chr(code) != "\\")
_DOTS = re.compile(r"(?<=/)\.\.?(?=/|\Z)")
_TIME = re.compile(r"[0-9]{12}")
_FIRST_YEAR = 1980

logger = logging.getLogger("scrapy_webstemmer.pages")


def page_name(base_id: str, url: str) -> str:
    """Return what a page is called in a zip: visible ASCII characters, with no ``.`` or ``..`` as a part.

    The scheme and the fragment are dropped; otherwise it is the url as it is, or where that has unusual
    characters its canonical form.

    >>> page_name("202611210900", "https://www.example.com/a.html?b")
    '202611210900/www.example.com/a.html?b'
    """
    url = canonical_url(url) if _UNUSUAL.search(url) else url.partition("#")[0]
    rest = quote(_SCHEME.sub("", url, count=1), safe=_USUAL)
    return _DOTS.sub(lambda dots: dots[0].replace(".", "%2E"), f"{base_id}/{rest}")


def linkinfo_lines(name: str, texts: Mapping[str, int]) -> Iterator[str]:
    """Yield the lines of the linkinfo for a page: ASCII, literals of Python 2 and 3.

    :param texts: anchor texts with their counts; each is repeated, up to :data:`MAX_REPEATS` times.

    >>> print(*linkinfo_lines("202611210900/www.example.com/", {"Home": 2, "Über": 1}), sep="")
    ('202611210900/www.example.com/', ['Home', 'Home', u'\\xdcber'])
    <BLANKLINE>
    """
    repeated = [_literal(text) for text in sorted(texts) for _ in range(min(texts[text], MAX_REPEATS))]
    for start in range(0, len(repeated), _LINE_TEXTS):
        yield f"({_literal(name)}, [{', '.join(repeated[start : start + _LINE_TEXTS])}])\n"


def _literal(text: str) -> str:
    return ("" if text.isascii() else "u") + ascii(text)


class ZipWriter:
    """A learning set in a zip file; one that is there is added to, pages and linkinfo.

    After each page the file is a complete zip. The linkinfo is held in memory and written by
    :meth:`close`: some 300 bytes for each different anchor, and 4 for each link of each page. A zip
    whose process was killed has no linkinfo of that process.

    A page that is stored again under the same base id replaces its earlier version; of other base ids
    there may be further versions. One process can write at a time.

    :param base_id: what stands before the hosts; the time ``YYYYMMDDHHMM``, in UTC, tells readers when.
    :param linkinfo_name: the member that holds the linkinfo; empty: no anchors are recorded.
    :raises LearningSetError: the file is no zip, or another process is adding to it.
    :raises OSError: it cannot be opened or written.
    """

    def __init__(self, path: str | Path, base_id: str, linkinfo_name: str = "linkinfo") -> None:
        self.path = Path(path)
        self._base_id, self._linkinfo_name = base_id, linkinfo_name
        self._zip = GrowingZip(self.path)
        self._anchors = _Anchors()
        self._aliases: dict[str, str] = {}
        self._names: dict[str, str] = {}
        for name in self._zip:
            if name.startswith(f"{base_id}/"):
                self._names[link_key(f"http://{name.partition('/')[2]}")] = name
        self._without_linkinfo = linkinfo_name not in self._zip and any("/" in name for name in self._zip)
        if not _TIME.fullmatch(base_id):
            self._note_base_id()

    def add_page(self, page: Page, anchors: Iterable[tuple[str, str]] | None = None) -> None:
        """Store a page and the anchors it carries; on return the page is in the file.

        :param anchors: (target url, anchor text) of each anchor; those without a text are left out.
            None: leave what is recorded as it is.
        :raises LearningSetError: the body is larger than 64 MiB, the url is too long, the zip is full, or
            the file cannot be written.
        """
        if len(page.body) > MAX_BODY:
            raise LearningSetError(self.path, TOO_LARGE, record=page.url)
        key = link_key(page.url)
        name = self._names.get(key) or page_name(self._base_id, page.url)
        if len(name) > _MAX_NAME:
            raise LearningSetError(self.path, "the url is too long for a zip", record=page.url)
        if len(self._zip) >= MAX_MEMBERS - 1 and name not in self._zip:  # one is for the linkinfo
            raise LearningSetError(self.path, "the zip is full", record=page.url)
        self._zip.add(_info(name, page.fetched), [page.body])
        self._names[key] = name
        for alias in page.aliases:
            self._aliases[link_key(alias)] = name
        if anchors is not None:
            self.add_anchors(page.url, anchors)

    def add_anchors(self, url: str, anchors: Iterable[tuple[str, str]]) -> None:
        """Record the anchors of a page, whether it is stored or not, in the place of those recorded before.

        Those that another process recorded stay.
        """
        if self._linkinfo_name:
            self._anchors.replace(link_key(url), anchors)

    def wait_up_to(self, seconds: float) -> None:
        """Do nothing: a zip is locked from the beginning, so that nobody is ever waited for."""

    def close(self) -> None:
        """Write the linkinfo and release the file; harmless when repeated.

        :raises LearningSetError: the linkinfo cannot be written; the pages are safe all the same.
        """
        if self._zip.closed:
            return
        try:
            self._write_linkinfo()
        finally:
            self._zip.close()

    def __enter__(self) -> ZipWriter:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def _note_base_id(self) -> None:
        """Let the zip's comment say what its names begin with, since it does not look like a time."""
        note = f"{BASE_ID_NOTE}{self._base_id}".encode()
        lines = self._zip.comment.splitlines()
        if note not in lines:
            self._zip.comment = b"\n".join([*lines, note])

    def _write_linkinfo(self) -> None:
        if not self._anchors:
            return
        if self._without_linkinfo:
            logger.info(
                "%s has pages of an earlier crawl without linkinfo and gets none: learning finds the"
                " anchors in the pages",
                self.path,
            )
            return
        lines = (line.encode("ascii") for line in self._linkinfo_lines())
        self._zip.add(_info(self._linkinfo_name, None), lines)

    def _linkinfo_lines(self) -> Iterator[str]:
        """Yield what was recorded before, each line with what has come to it, and then all that is new."""
        new: dict[str, Counter[str]] = defaultdict(Counter)
        for (target, text), count in self._anchors.counts().items():
            new[self._target_name(target)][well_formed(text)] += count
        if self._linkinfo_name in self._zip:
            with ZipLearningSet(self.path, linkinfo_name=self._linkinfo_name) as earlier:
                for name, texts in earlier.linkinfo_lines():
                    yield from linkinfo_lines(name, Counter(texts) + new.pop(name, Counter()))
        for name in sorted(new):
            yield from linkinfo_lines(name, new[name])

    def _target_name(self, target: str) -> str:
        """Return what the page that a url leads to is called, or would be if it were stored."""
        key = link_key(target)
        return (
            self._names.get(key) or self._aliases.get(key) or page_name(self._base_id, canonical_url(target))
        )


class _Anchors:
    """Which page carries which anchors: the pages of a site have most of them in common."""

    def __init__(self) -> None:
        self._ids: dict[tuple[str, str], int] = {}
        self._pages: dict[str, array[int]] = {}

    def __bool__(self) -> bool:
        return bool(self._pages)

    def replace(self, page: str, anchors: Iterable[tuple[str, str]]) -> None:
        """Note a page's (target, text) pairs, and forget those that it had."""
        ids = (self._ids.setdefault((target, text), len(self._ids)) for target, text in anchors if text)
        self._pages[page] = array("I", ids)

    def counts(self) -> dict[tuple[str, str], int]:
        """Return how many times each pair is on the pages."""
        counts = Counter(number for ids in self._pages.values() for number in ids)
        return {pair: counts[number] for pair, number in self._ids.items() if counts[number]}


def _info(name: str, fetched: str | None) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    try:
        time = datetime.fromisoformat(fetched or "")
    except ValueError:
        time = datetime(_FIRST_YEAR, 1, 1)
    if _FIRST_YEAR <= time.year < _FIRST_YEAR + 128:
        info.date_time = time.timetuple()[:6]
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info
