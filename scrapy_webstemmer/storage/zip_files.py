"""Zips in the layout of 2009: read them, and write them at the end of a crawl."""

from __future__ import annotations

import logging
import os
import re
import shlex
import shutil
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import IO
from urllib.parse import quote

from ..base.files import replacing
from ..base.urls import canonical_url, link_key, page_url, well_formed
from ..errors import LearningSetError
from ..values import Linkinfo, Page
from .folder import LINKINFO_NAME, parse_linkinfo
from .source import MAX_BODY, TOO_LARGE, ZIP_MAGICS, PageSource
from .sqlite import SqliteLearningSet

# --- Read zips of the 2009 crawler: each page is a member ``TIMESTAMP/host/path``, linkinfo is another one

#: In a zip's comment: the words before the base id, if that is not a time.
BASE_ID_NOTE = "webstemmer base id: "

#: The errors that opening or reading a damaged zip raises.
ZIP_ERRORS = (zipfile.BadZipFile, NotImplementedError, OSError, EOFError, RuntimeError, ValueError)

#: The errors that reading a damaged, encrypted or exotic member raises.
_MEMBER_ERRORS = (*ZIP_ERRORS, zlib.error)

#: Compressions that are read: ``zipfile`` unpacks these piece by piece. It unpacks a few bytes of bzip2 to
#: gigabytes at once, and LZMA and Zstandard would take as much memory as a member asks for.
_COMPRESSIONS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})

_OTHER_COMPRESSIONS = {9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "xz"}

#: The least number of bytes before a member's data.
_LOCAL_HEADER = 30


class ZipLearningSet(PageSource):
    """A zip file of the 2009 crawler; if several members have the same name, the last one counts.

    :param linkinfo_name: the member that holds the linkinfo; empty: none is read.
    :raises LearningSetError: the file cannot be read as a zip, for example because its end is missing.
    """

    def __init__(self, path: str | Path, *, linkinfo_name: str = "linkinfo") -> None:
        super().__init__(path)
        self._linkinfo_name = linkinfo_name
        self._zip = self._open()
        self._base_ids = _base_ids(self._zip.comment)
        self._overlapping = _overlapping(self._zip.infolist())
        members = {member.filename: member for member in self._zip.infolist()}
        self._linkinfo_member = members.pop(linkinfo_name, None)
        # A page's name has a host and a path; anything else is not from a crawl.
        # A name that ends in a slash is also a page if the member has content: its url ends in a slash, too.
        self._members = [m for m in members.values() if "/" in m.filename and (m.file_size or not m.is_dir())]

    def __iter__(self) -> Iterator[Page]:
        for member in self._members:
            body = self._body(member)
            if body is not None:
                name = member.filename
                yield Page(self._url(name), body, fetched=_fetched(name), name=name)

    def count(self) -> int:
        return len(self._members)

    def linkinfo(self) -> Linkinfo | None:
        """Return the anchor texts by canonical url. Each call reads them all, about 100 bytes a text."""
        if self._linkinfo_member is None:
            return None
        found: dict[str, Counter[str]] = {}
        for name, texts in self.linkinfo_lines():
            url = canonical_url(self._url(name))
            found.setdefault(url, Counter()).update(well_formed(text) for text in texts)
        return {url: dict(found[url]) for url in sorted(found)}

    def linkinfo_lines(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the names and texts in the linkinfo, unchanged; nothing if there is no linkinfo."""
        if self._linkinfo_member is None:
            return
        try:
            with self._opened(self._linkinfo_member) as stream:
                yield from parse_linkinfo(stream, self._linkinfo_name, self._skip)
        except _MEMBER_ERRORS as error:  # the lines before the damage count
            self._skip(self._linkinfo_name, f"damaged member: {error}")

    def close(self) -> None:
        self._zip.close()

    def _open(self) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(self.path)
        except ZIP_ERRORS as error:
            advice = f"`zip -FF {shlex.quote(str(self.path))} --out NEW.zip` saves what is whole"
            raise LearningSetError(self.path, f"damaged zip: {error}; {advice}") from error

    def _url(self, name: str) -> str:
        base, _, rest = name.partition("/")
        return f"http://{rest}" if base in self._base_ids else page_url(name)

    def _opened(self, member: zipfile.ZipInfo) -> IO[bytes]:
        if member.compress_type not in _COMPRESSIONS:
            name = _OTHER_COMPRESSIONS.get(member.compress_type, member.compress_type)
            raise zipfile.BadZipFile(f"compression {name} is not read here")
        if member in self._overlapping:
            raise zipfile.BadZipFile("its data overlaps that of another member")
        return self._zip.open(member)

    def _body(self, member: zipfile.ZipInfo) -> bytes | None:
        try:
            with self._opened(member) as stream:
                body = stream.read(MAX_BODY + 1)
        except _MEMBER_ERRORS as error:
            self._skip(member.filename, f"damaged member: {error}")
            return None
        if len(body) > MAX_BODY:
            self._skip(member.filename, TOO_LARGE)
            return None
        return body


def _overlapping(members: Iterable[zipfile.ZipInfo]) -> frozenset[zipfile.ZipInfo]:
    """Return the members whose data reaches into the next member.

    A sound zip has no such members. Thousands of members that share a few bytes would take days to unpack.
    The other members share nothing, so all of them together have no more packed bytes than the file.
    """
    ordered = sorted(members, key=lambda member: member.header_offset)
    return frozenset(
        member
        for member, following in pairwise(ordered)
        if member.header_offset + _LOCAL_HEADER + member.compress_size > following.header_offset
    )


def _base_ids(comment: bytes) -> frozenset[str]:
    lines = comment.decode("utf-8", "replace").splitlines()
    return frozenset(line.removeprefix(BASE_ID_NOTE) for line in lines if line.startswith(BASE_ID_NOTE))


def _fetched(name: str) -> str | None:
    """Return the time in a member's name, ``YYYYMMDDHHMM/…``, as ISO 8601."""
    stamp = name.partition("/")[0]
    if len(stamp) != 12 or not stamp.isascii() or not stamp.isdigit():
        return None
    try:
        return f"{datetime.strptime(stamp, '%Y%m%d%H%M').isoformat()}Z"
    except ValueError:
        return None


# --- Write crawls into zip files in the layout of 2009, so that the programs of 2009 can read them, too
#
# A zip has a member ``TIMESTAMP/host/path`` for each page, and at the end a member with the linkinfo. The
# linkinfo has a line ``('TIMESTAMP/host/path', ['anchor text', …])`` for each url that is linked to. The
# original read these lines with ``eval`` in Python 2, so text that is not ASCII is written as ``u'…'``, with
# escapes.

#: The linkinfo repeats a text at most so often for one url. A text of the navigation is on every page.
MAX_REPEATS = 100

#: The number of texts on one line of the linkinfo; further texts go on another line.
_LINE_TEXTS = 1000

#: Bytes that a member's name can have.
_MAX_NAME = 0xFFFF

_SCHEME = re.compile(r"\A[a-z][a-z0-9+.-]*://", re.IGNORECASE)
# The last part: without https, port 443 would be read as another port than the default one.
_UNUSUAL = re.compile(r"[^!-~]|\\|\Ahttps://[^/?#]*:443(?![0-9])", re.IGNORECASE)
_USUAL = "".join(chr(code) for code in range(ord("!"), ord("~") + 1) if chr(code) != "\\")
_DOTS = re.compile(r"(?<=/)\.\.?(?=/|\Z)")
_TIME = re.compile(r"[0-9]{12}")
_FIRST_YEAR = 1980

logger = logging.getLogger("scrapy_webstemmer.storage")


def page_name(base_id: str, url: str) -> str:
    """Return a page's name in a zip: visible ASCII characters, with no ``.`` or ``..`` as a part.

    The name is the url without scheme and fragment. If the url has unusual characters, its canonical form is
    taken.

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
            with self._file.translated():
                self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            with self.together():
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
            advice = f"`scrapy webstemmer zip {shlex.quote(str(self.path))}`, or another crawl, makes the zip"
            reason = f"cannot be written: {error}; the pages are safe in {self.path}: {advice}"
            raise LearningSetError(self.zip_path, reason) from error

    def _remove(self) -> None:
        """Remove the file while it is locked, so that no other crawl can have begun to fill it."""
        with self._file.translated():
            # Closing must not remove a log: its name might belong to a new file by then.
            self._db.execute("PRAGMA journal_mode = MEMORY")
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
        if not _TIME.fullmatch(base_id):
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
        with self._file.translated():
            (first,) = self._db.execute("SELECT min(fetched) FROM page").fetchone()
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
