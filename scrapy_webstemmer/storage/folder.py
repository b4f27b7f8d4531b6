"""Read pages from folders of HTML files as wget mirrors write them, from lists of files, and from files.

wget names a file after its url: ``host/path``, with ``index.html`` for a folder, and the query after ``?``
(or ``@``). With ``--adjust-extension`` it adds another ``.html`` at the end. The name does not tell whether
that was added. So the page gets the likelier url, and the other one as its alias.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from urllib.parse import quote

from ..base.urls import is_host
from ..errors import LearningSetError
from ..values import Linkinfo, Page
from .linkinfo_file import LINKINFO_NAME, is_linkinfo, read_linkinfo
from .source import (
    GZIP_MAGIC,
    MAX_BODY,
    SAMPLE_SIZE,
    TOO_LARGE,
    PageSource,
    cause_of,
    is_binary,
    looks_like_html,
    open_regular,
)

HTML_SUFFIX = re.compile(r"\.x?html?(?:[?@].*)?\Z", re.IGNORECASE | re.DOTALL)
_QUERY = re.compile(r"\?|(?<=.)@(?=[^@?]*=)", re.DOTALL)
_TIME_FOLDER = re.compile(r"[0-9]{12}\Z")
_NOT_IN_HOST = re.compile(r"[^\w.-]+", re.ASCII)
#: The host of a file whose name tells none.
_NO_HOST = "localhost"
_OUTSIDE = "is a link that leads out of the folder"


class HtmlFolder(PageSource):
    """The HTML files under a folder, in the order of their names.

    The suffix or the first bytes of a file show whether it is a page; all other files are ignored. Links to
    folders are not followed, and links to files only if these are inside the folder. If no folder above a
    file is named after a host, its host is the name of the folder itself: ``http://FOLDER/path``. An unpacked
    crawl of 2009, ``TIMESTAMP/host/path``, is read like its zip.

    :param linkinfo_name: the file in the folder that holds the linkinfo; empty: none is read.
    :raises LearningSetError: the folder does not exist.
    """

    def __init__(self, path: str | Path, *, linkinfo_name: str = LINKINFO_NAME) -> None:
        super().__init__(path)
        if not self.path.is_dir():
            raise LearningSetError(self.path, "no such folder")
        self._root = self.path.resolve()
        self._host = host_of_place(self._root.name)
        self.made_up = None if is_host(self._root.name) else self._host
        self._linkinfo = self._root / linkinfo_name if linkinfo_name else None

    def __iter__(self) -> Iterator[Page]:
        for path in self._files():
            name = path.relative_to(self._root)
            try:
                if path == self._linkinfo or not is_page(path):
                    continue
                body = _read(path)
            except (OSError, ValueError) as error:
                self._skip(str(name), cause_of(error))
                continue
            urls = file_urls(_without_stamp(name.parts), self._host)
            yield Page(urls[0], body, aliases=urls[1:], name=str(name))

    def linkinfo(self) -> Linkinfo | None:
        """Return the anchor texts of the folder's linkinfo file, if it has one."""
        if self._linkinfo is None or not self._linkinfo.is_file():
            return None
        if self._linkinfo.is_symlink() and not self._is_inside(self._linkinfo):
            self._skip(str(self._linkinfo), _OUTSIDE)
            return None
        return read_linkinfo([self._linkinfo], self._skip)

    def _files(self) -> Iterator[Path]:
        """Yield the files of a folder in the order of their names, then those of its subfolders."""
        folders = [self._root]
        while folders:  # not recursive, since a path can have two thousand folders
            folder = folders.pop()
            try:
                with os.scandir(folder) as entries:
                    is_folder = {entry.name: entry.is_dir(follow_symlinks=False) for entry in entries}
            except OSError as error:
                self._skip(str(folder), cause_of(error))
                continue
            paths = [folder / name for name in sorted(is_folder)]
            for path in paths:
                if is_folder[path.name]:
                    continue
                if not path.is_symlink() or self._is_inside(path):
                    yield path
                elif HTML_SUFFIX.search(path.name):
                    self._skip(str(path.relative_to(self._root)), _OUTSIDE)
            folders += [path for path in reversed(paths) if is_folder[path.name]]

    def _is_inside(self, path: Path) -> bool:
        """Return whether a path leads to a place in the folder. A link to itself leads to its own place."""
        return Path(os.path.realpath(path)).is_relative_to(self._root)


class FileList(PageSource):
    """The files that a list names, in the order of the list; each is a page.

    A line is a file name or ``url<TAB>file name``. Blank lines and lines that begin with ``#`` are ignored.
    Without a url, a relative name gives the url if it is a name of wget or of the 2009 crawler,
    ``[BASEID/]host/path``; any other file belongs to the host ``localhost``. A listed file that is called
    ``linkinfo`` is not a page: it holds anchor texts for the other files.

    :param lines: read once, on construction.
    :param linkinfo_name: the name of files that hold linkinfo; empty: linkinfo is not used.
    :param linkinfo: a file that holds linkinfo, whether the list names it or not.
    """

    def __init__(
        self,
        lines: Iterable[str],
        *,
        path: str | Path = "-",
        linkinfo_name: str = LINKINFO_NAME,
        linkinfo: Path | None = None,
    ) -> None:
        super().__init__(path)
        self.made_up = _NO_HOST
        stripped = (line.rstrip("\r\n") for line in lines)
        listed = [line for line in stripped if line.strip() and not line.startswith("#")]
        named = dict.fromkeys(line for line in listed if "\t" not in line)
        of_linkinfo = {line: Path(line) for line in named if is_linkinfo(Path(line), linkinfo_name)}
        self._linkinfo = [*filter(None, [linkinfo]), *of_linkinfo.values()] if linkinfo_name else []
        self._lines = [line for line in listed if line not in of_linkinfo]

    def __iter__(self) -> Iterator[Page]:
        for line in self._lines:
            url, tab, name = line.rpartition("\t")
            try:
                body = _read(Path(name))
            except (OSError, ValueError) as error:
                self._skip(name, cause_of(error))
                continue
            urls = (url.strip(),) if tab else file_urls(_without_base(PurePath(name).parts), _NO_HOST)
            yield Page(urls[0], body, aliases=urls[1:], name=name)

    def count(self) -> int:
        return len(self._lines)

    def linkinfo(self) -> Linkinfo | None:
        """Return the anchor texts of the listed linkinfo files, if there are any."""
        return read_linkinfo(self._linkinfo, self._skip) if self._linkinfo else None


class HtmlFile(PageSource):
    """A single page.

    A relative name gives the url as in a list. Any other page has the url of its file, and no site.

    :param body: the page's content if it is not read from the file; ``path`` is then ``stdin``.
    :ivar url: the page's url; None: it follows from the name.
    """

    made_up = ""

    def __init__(self, path: str | Path, *, body: bytes | None = None) -> None:
        super().__init__(path)
        self.url: str | None = None
        self._body = body

    def __iter__(self) -> Iterator[Page]:
        try:
            body = _read(self.path) if self._body is None else _bounded(self._body)
        except (OSError, ValueError) as error:
            self._skip(str(self.path), cause_of(error))
            return
        if not body:
            self._skip(str(self.path), "is empty")
            return
        urls = self._urls()
        yield Page(urls[0], body, aliases=urls[1:], name=str(self.path))

    def count(self) -> int:
        return 1

    def _urls(self) -> tuple[str, ...]:
        if self.url is not None:
            return (self.url,)
        if self._body is not None:
            return (f"file:///{self.path}",)
        parts = _without_base(self.path.parts)
        if len(parts) > 1 and is_host(parts[0]):
            return file_urls(parts, "")
        return (self.path.absolute().as_uri(),)


def host_of_place(name: str) -> str:
    """Return the host of pages whose place alone is known: the name of their folder, or of their zip.

    >>> host_of_place("www.example.com"), host_of_place("My pages")
    ('www.example.com', 'my-pages')
    """
    return name if is_host(name) else _NOT_IN_HOST.sub("-", name).strip("-.").lower() or _NO_HOST


def file_urls(parts: tuple[str, ...], host: str) -> tuple[str, ...]:
    """Return the likeliest url of a mirrored file, then its other possible urls.

    :param parts: the file's path, relative to the mirror.
    :param host: the host, if the first part is not a host.

    >>> file_urls(("www.example.com", "news", "index.html"), "mirror")
    ('http://www.example.com/news/', 'http://www.example.com/news/index.html')
    >>> file_urls(("a.html?page=2.html",), "mirror")
    ('http://mirror/a.html?page=2', 'http://mirror/a.html?page=2.html')
    """
    parts = tuple(part for part in parts if part != os.sep)
    if len(parts) > 1 and is_host(parts[0]):
        host, parts = parts[0].replace("+", ":"), parts[1:]
    *folders, name = parts
    base = "".join(["http://", host, "/", *(f"{_quoted(folder)}/" for folder in folders)])
    path, *query = _QUERY.split(name, maxsplit=1)
    page = "" if path in ("index.html", "index.htm") else _quoted(path)
    if query:
        plain = _quoted(query[0])
        shorter = plain.removesuffix(".html")
        urls = [f"{base}{page}?{shorter}", f"{base}{page}?{plain}", f"{base}{_quoted(path)}?{shorter}"]
    elif page:
        urls = [base + page, base + page.removesuffix(".html")]
    else:
        urls = [base, base + _quoted(path)]
    return tuple(dict.fromkeys(urls))


def _without_base(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return a listed file's path without the base id of a crawl, a timestamp or any other name."""
    if len(parts) > 2 and (_TIME_FOLDER.match(parts[0]) or (is_host(parts[1]) and not is_host(parts[0]))):
        return parts[1:]
    return _without_stamp(parts)


def _without_stamp(parts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the part of a path after a timestamp if it begins with a host; else the whole path."""
    for i, part in enumerate(parts[:-2]):
        if is_host(part):
            break
        if _TIME_FOLDER.match(part) and is_host(parts[i + 1]):
            return parts[i + 1 :]
    return parts


def _quoted(name: str) -> str:
    """Percent-encode what a url cannot hold; text that looks encoded already stays as it is."""
    return quote(os.fsencode(name), safe="%!$&'()*+,;=:@~/?")


def is_page(path: Path) -> bool:
    """Return whether a regular file is an HTML page, by its suffix or by its first bytes.

    :raises OSError: the file cannot be read.
    """
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        sample = unzipped(stream.read(SAMPLE_SIZE), SAMPLE_SIZE)
    return not is_binary(sample) if HTML_SUFFIX.search(path.name) else looks_like_html(sample)


def _read(path: Path) -> bytes:
    """Return a regular file's content.

    :raises OSError: the file cannot be read.
    :raises ValueError: the file is too large, or not a regular file.
    """
    with open_regular(path) as stream:
        return _bounded(unzipped(_bounded(stream.read(MAX_BODY + 1)), MAX_BODY + 1))


def unzipped(body: bytes, most: int) -> bytes:
    """Return a file's bytes, and of a gzip file so many bytes of its content at most.

    :raises ValueError: it is damaged.
    """
    if not body.startswith(GZIP_MAGIC):
        return body
    try:
        return zlib.decompressobj(wbits=31).decompress(body, most)
    except zlib.error as error:
        raise ValueError(f"damaged gzip file: {error}") from None


def _bounded(body: bytes) -> bytes:
    if len(body) > MAX_BODY:
        raise ValueError(TOO_LARGE)
    return body
