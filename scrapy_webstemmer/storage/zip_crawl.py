"""Write crawls into zip files in the layout of 2009, so that the programs of 2009 can read them, too.

A zip has a member ``TIMESTAMP/host/path`` for each page, and at the end a member with the linkinfo. The
linkinfo has a line ``('TIMESTAMP/host/path', ['anchor text', …])`` for each url that is linked to. The
original read these lines with ``eval`` in Python 2, so text that is not ASCII is written as ``u'…'``, with
escapes.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from ..base.files import replacing
from ..base.urls import canonical_url, link_key
from ..errors import LearningSetError
from .linkinfo_file import LINKINFO_NAME
from .source import ZIP_MAGICS, cause_of
from .sqlite import SqliteLearningSet
from .zip_files import BASE_ID_NOTE, ZIP_ERRORS, ZipLearningSet

logger = logging.getLogger("scrapy_webstemmer.storage")

#: The linkinfo repeats a text at most so often for one url. A text of the navigation is on every page.
MAX_REPEATS = 100

#: The number of texts on one line of the linkinfo; further texts go on another line.
_LINE_TEXTS = 1000

#: Bytes that a member's name can have.
_MAX_NAME = 0xFFFF

_URL_SCHEME = re.compile(r"\A[a-z][a-z0-9+.-]*://", re.IGNORECASE)
# The last part: without https, port 443 would be read as another port than the default one.
_UNUSUAL = re.compile(r"[^!-~]|\\|\Ahttps://[^/?#]*:443(?![0-9])", re.IGNORECASE)
_PLAIN_CHARACTERS = "".join(chr(code) for code in range(ord("!"), ord("~") + 1) if chr(code) != "\\")
_DOTS = re.compile(r"(?<=/)\.\.?(?=/|\Z)")
_TIME_ID = re.compile(r"[0-9]{12}")
#: The first year that the time of a member can have, and how many there are.
_FIRST_YEAR_IN_ZIP, _YEARS_IN_ZIP = 1980, 128


def page_name(base_id: str, url: str) -> str:
    """Return a page's name in a zip: visible ASCII characters, with no ``.`` or ``..`` as a part.

    The name is the url without scheme and fragment. If the url has unusual characters, its canonical form is
    taken.

    >>> page_name("202611210900", "https://www.example.com/a.html?b")
    '202611210900/www.example.com/a.html?b'
    """
    url = canonical_url(url) if _UNUSUAL.search(url) else url.partition("#")[0]
    address = quote(_URL_SCHEME.sub("", url, count=1), safe=_PLAIN_CHARACTERS)
    return _DOTS.sub(lambda dots: dots[0].replace(".", "%2E"), f"{base_id}/{address}")


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
    """The pages of a crawl that are to go into a zip.

    Pages are stored in ``NAME.zip.sqlite``. From it :meth:`close` writes ``NAME.zip``, and then removes the
    SQLite file. If the zip exists already, the pages and the linkinfo are added to it. If the SQLite file
    exists, a crawl was killed. Then the new pages are added to that file, so that its pages come into the
    zip, too.

    A page replaces its earlier version under the same base id; its versions under other base ids stay. No
    other process can open the SQLite file meanwhile.

    Memory, while the zip is written: about 300 bytes for each page and each different anchor.

    :param base_id: the first part of the names, before the host. A time ``YYYYMMDDHHMM``, in UTC, tells
        readers when the pages were fetched. None: the time at which the first of the pages was fetched.
    :param linkinfo_name: the member that holds the linkinfo; empty: the usual name.
    :raises LearningSetError: one of the two files is not ours, or another process is using it.
    :raises OSError: the existing zip cannot be read.
    """

    def __init__(
        self, path: str | Path, base_id: str | None = None, linkinfo_name: str = LINKINFO_NAME
    ) -> None:
        self.zip_path = Path(path)
        self._base_id, self._linkinfo_name = base_id, linkinfo_name or LINKINFO_NAME
        self._is_open = False
        _holds_zip(self.zip_path)  # what is no zip is refused before the crawl
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
        """Write the zip, and remove the SQLite file. Further calls do nothing.

        :raises LearningSetError: the zip cannot be written, or lacks some of the pages; the SQLite file
            stays.
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
        """Lock the file until it is closed.

        It is removed then, with anything that another process would store in it.
        """
        try:
            with self.translated():
                self.connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            with self.transaction():
                pass
            if not self.path.exists():  # another crawl has removed it since it was opened here
                raise _in_use(self.zip_path)
        except BaseException:
            super().close()
            raise

    def _write(self) -> None:
        """Write the zip, in place of an existing one, unless there is nothing to add."""
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
            kept = f"the pages are safe in {self.path}: another crawl into {self.zip_path} makes the zip"
            reason = f"cannot be written: {cause_of(error)}; {kept}"
            raise LearningSetError(self.zip_path, reason) from error

    def _remove(self) -> None:
        """Remove the file while it is locked, so that no other crawl can have begun to fill it."""
        with self.translated():
            # Closing must not remove a log: its name might belong to a new file by then.
            self.connection.execute("PRAGMA journal_mode = MEMORY")
        if os.name == "nt":  # Windows cannot remove an open file
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
        if not _TIME_ID.fullmatch(base_id):
            _note_base_id(out, base_id)
        out.filelist = list({info.filename: info for info in out.filelist}.values())

    def _add_pages(self, out: zipfile.ZipFile, base_id: str) -> dict[str, str]:
        """Add the pages; return the names of all pages of the base id, by the urls that lead to them."""
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
        """Add the linkinfo: the earlier lines, each with its new texts, and then the lines of new urls."""
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
        """Return the time at which the first page was fetched, or the present time if no page has one."""
        with self.translated():
            (first,) = self.connection.execute("SELECT min(fetched) FROM page").fetchone()
        return (_time(first) or datetime.now(UTC)).strftime("%Y%m%d%H%M")


def _in_use(path: Path) -> LearningSetError:
    return LearningSetError(path, f"another crawl is adding to it, or another program is using {path}.sqlite")


def _holds_zip(path: Path) -> bool:
    """Return whether a path is a zip. A missing or empty file is not, but may become one.

    :raises LearningSetError: the path is not a zip, or a damaged one.
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
    """Add a base id that does not look like a time to the zip's comment."""
    note = f"{BASE_ID_NOTE}{base_id}".encode()
    lines = out.comment.splitlines()
    if note not in lines:
        out.comment = b"\n".join([*lines, note])


def _add_member(out: zipfile.ZipFile, name: str, fetched: str | None, content: Iterable[bytes]) -> None:
    """Add a member; it replaces one of the same name, whose bytes stay in the file."""
    out.NameToInfo.pop(name, None)
    info = zipfile.ZipInfo(name)
    time = _time(fetched)
    if time is not None and time.year - _FIRST_YEAR_IN_ZIP in range(_YEARS_IN_ZIP):
        info.date_time = time.timetuple()[:6]
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    with out.open(info, "w") as member:
        for part in content:
            member.write(part)


def _time(fetched: str | None) -> datetime | None:
    try:
        return datetime.fromisoformat(fetched or "")
    except (TypeError, ValueError):  # TypeError: in a damaged file
        return None
