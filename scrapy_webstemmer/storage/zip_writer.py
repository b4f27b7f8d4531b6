"""Crawls into zip files in the layout of the 2009 crawler, so that its own programs read them, too.

A member a page, ``TIMESTAMP/host/path``, and at the end one with the linkinfo: for each url that is
linked to a line ``('TIMESTAMP/host/path', ['anchor text', …])``. The original read these lines with
``eval`` in Python 2, hence what is not ASCII is written as ``u'…'``, with escapes.
"""

from __future__ import annotations

import logging
import os
import re
import shlex
import shutil
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from ..base.atomic import replacing
from ..base.database import transaction, translated
from ..base.urls import canonical_url, link_key
from ..errors import LearningSetError
from .linkinfo_file import LINKINFO_NAME
from .sniffing import ZIP_MAGICS
from .sqlite import LEARNING_SET, SqliteLearningSet
from .zip import BASE_ID_NOTE, ZIP_ERRORS, ZipLearningSet

__all__ = ["MAX_REPEATS", "ZipCrawl", "linkinfo_lines", "page_name"]

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

logger = logging.getLogger("scrapy_webstemmer.storage")


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


class ZipCrawl(SqliteLearningSet):
    """The pages of a crawl on their way into a zip.

    They are stored in ``NAME.zip.sqlite``, from which :meth:`close` writes ``NAME.zip``; then it removes the
    SQLite file. A zip that is there is added to, pages and linkinfo. A SQLite file that is there, left by a
    crawl that was killed, is added to as well, so that its pages come into the zip, too.

    Pages of the same base id replace their earlier versions; of other base ids there may be further
    versions. No other process can open the SQLite file meanwhile.

    Memory, while the zip is written: some 300 bytes for each page and each different anchor.

    :param base_id: what stands before the hosts; the time ``YYYYMMDDHHMM``, in UTC, tells readers when.
        None: the time at which the first of the pages was fetched.
    :param linkinfo_name: the member that holds the linkinfo.
    :raises LearningSetError: one of the two files is none of ours, or another process is using it.
    :raises OSError: the zip that is there cannot be read.
    """

    def __init__(
        self, path: str | Path, base_id: str | None = None, linkinfo_name: str = LINKINFO_NAME
    ) -> None:
        self.zip_path = Path(path)
        self._base_id, self._linkinfo_name = base_id, linkinfo_name or LINKINFO_NAME
        self._is_open = False
        _holds_zip(self.zip_path)
        try:
            super().__init__(f"{path}.sqlite", timeout=0)
            self._keep_others_away()
        except LearningSetError as error:
            if not error.busy:
                raise
            raise _in_use(self.zip_path) from error
        self._is_open = True
        if pages := self.count():
            logger.info("%s: goes on with what an earlier crawl has left, pages: %d", self.path, pages)

    def close(self) -> None:
        """Write the zip, and remove the SQLite file; harmless when repeated.

        :raises LearningSetError: the zip cannot be written, or not with all pages; the SQLite file stays.
        """
        if not self._is_open:
            return
        self._is_open = False
        try:
            self._write()
            if self.skipped:
                raise LearningSetError(self.path, f"stays, since {self.zip_path} lacks some of its pages")
            self._remove()
            logger.info("Wrote %s", self.zip_path)
        finally:
            super().close()

    def _keep_others_away(self) -> None:
        """Lock the file until it is closed: it is removed then, with all that others would store in it."""
        try:
            with translated(LEARNING_SET, self.path):
                self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
                with transaction(self._db):
                    pass
            if not self.path.exists():  # the crawl that had it has removed it since it was opened here
                raise _in_use(self.zip_path)
        except BaseException:
            super().close()
            raise

    def _write(self) -> None:
        """Write the zip, in the place of the one that is there, unless nothing has come to it."""
        try:
            earlier = _holds_zip(self.zip_path)
            if earlier and not self.count() and self.linkinfo() is None:
                return
            with replacing(self.zip_path) as stream:
                if earlier:
                    with self.zip_path.open("rb") as old:
                        shutil.copyfileobj(old, stream)
                with zipfile.ZipFile(stream, "a") as out:
                    self._add_to(out)
        except (*ZIP_ERRORS, LearningSetError) as error:
            advice = f"`scrapy zip {shlex.quote(str(self.path))}`, or another crawl, makes the zip"
            reason = f"cannot be written: {error}; the pages are safe in {self.path}: {advice}"
            raise LearningSetError(self.zip_path, reason) from error

    def _remove(self) -> None:
        """Remove the file while it is locked, so that no other crawl can have begun to fill it."""
        with translated(LEARNING_SET, self.path):
            # Without a log, whose name might belong to a new file when this one is closed.
            self._db.execute("PRAGMA journal_mode = MEMORY")
        if os.name == "nt":  # no open file can be removed there
            super().close()
        try:
            self.path.unlink()
        except OSError as error:
            raise LearningSetError(self.path, f"cannot be removed: {error.strerror}") from error

    def _add_to(self, out: zipfile.ZipFile) -> None:
        base_id = self._base_id or self._first_time()
        earlier = out.namelist()
        names = self._add_pages(out, base_id)
        if self._linkinfo_name in earlier or not any("/" in name for name in earlier):
            self._add_linkinfo(out, base_id, names)
        elif self.linkinfo() is not None:
            logger.info(
                "%s has pages of an earlier crawl without linkinfo and gets none: learning finds the"
                " anchors in the pages",
                self.zip_path,
            )
        if not _TIME.fullmatch(base_id):
            _note_base_id(out, base_id)
        out.filelist = list({info.filename: info for info in out.filelist}.values())

    def _add_pages(self, out: zipfile.ZipFile, base_id: str) -> dict[str, str]:
        """Add the pages, and return the names of all pages of the base id by the urls that lead to them."""
        earlier = (name for name in out.namelist() if name.startswith(f"{base_id}/"))
        names = {link_key(f"http://{name.partition('/')[2]}"): name for name in earlier}
        aliases: dict[str, str] = {}
        for page in self:
            name = names.get(link_key(page.url)) or page_name(base_id, page.url)
            if len(name) > _MAX_NAME:
                self._skip(page.url, "the url is too long for a zip")
                continue
            _add_member(out, name, page.fetched, [page.body])
            names[link_key(page.url)] = name
            aliases |= {link_key(alias): name for alias in page.aliases}
        return aliases | names

    def _add_linkinfo(self, out: zipfile.ZipFile, base_id: str, names: Mapping[str, str]) -> None:
        """Add what was recorded before, each line with what has come to it, and then all that is new."""
        linkinfo = self.linkinfo()
        if linkinfo is None:
            return
        new: dict[str, Counter[str]] = defaultdict(Counter)
        for target, texts in linkinfo.items():
            new[names.get(link_key(target)) or page_name(base_id, target)].update(texts)
        lines = (line.encode("ascii") for line in self._merged_lines(new))
        _add_member(out, self._linkinfo_name, None, lines)

    def _merged_lines(self, new: dict[str, Counter[str]]) -> Iterator[str]:
        if _holds_zip(self.zip_path):
            with ZipLearningSet(self.zip_path, linkinfo_name=self._linkinfo_name) as earlier:
                for name, texts in earlier.linkinfo_lines():
                    yield from linkinfo_lines(name, Counter(texts) + new.pop(name, Counter()))
        for name in sorted(new):
            yield from linkinfo_lines(name, new[name])

    def _first_time(self) -> str:
        """Return the time at which the first page was fetched, or where no page has one, that of now."""
        with translated(LEARNING_SET, self.path):
            (first,) = self._db.execute("SELECT min(fetched) FROM page").fetchone()
        return (_time(first) or datetime.now(UTC)).strftime("%Y%m%d%H%M")


def _in_use(path: Path) -> LearningSetError:
    return LearningSetError(path, f"another crawl is adding to it, or another program is using {path}.sqlite")


def _holds_zip(path: Path) -> bool:
    """Return whether a zip is there; what is missing or empty may become one.

    :raises LearningSetError: it is no zip, or a damaged one.
    """
    if not path.exists() or (path.is_file() and not path.stat().st_size):
        return False
    if not path.is_file():
        raise LearningSetError(path, "is not a file")
    with path.open("rb") as stream:
        if not stream.read(4).startswith(ZIP_MAGICS):
            raise LearningSetError(path, "is not a zip file")
    ZipLearningSet(path).close()
    return True


def _note_base_id(out: zipfile.ZipFile, base_id: str) -> None:
    """Let the zip's comment say what its names begin with, where that does not look like a time."""
    note = f"{BASE_ID_NOTE}{base_id}".encode()
    lines = out.comment.splitlines()
    if note not in lines:
        out.comment = b"\n".join([*lines, note])


def _add_member(out: zipfile.ZipFile, name: str, fetched: str | None, content: Iterable[bytes]) -> None:
    """Add a member, in the place of one that has its name, whose bytes stay in the file."""
    out.NameToInfo.pop(name, None)
    with out.open(_info(name, fetched), "w") as member:
        for part in content:
            member.write(part)


def _info(name: str, fetched: str | None) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    time = _time(fetched)
    if time is not None and _FIRST_YEAR <= time.year < _FIRST_YEAR + 128:
        info.date_time = time.timetuple()[:6]
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info


def _time(fetched: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(fetched or "")
    except (TypeError, ValueError):  # TypeError: in a damaged file
        return None
