"""Folders of HTML files as wget mirrors write them, and lists of such files.

wget names a file after its url: ``host/path``, ``index.html`` for a folder, the query after ``?``
(or ``@``), and with ``--adjust-extension`` another ``.html`` at the end. The name does not tell
whether that was added: the likelier url becomes the page's, the other one its alias.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from urllib.parse import quote

from ..errors import LearningSetError
from ..urls import is_host
from ..values import Page
from .sniffing import SAMPLE, is_binary, looks_like_html
from .source import MAX_BODY, TOO_LARGE, PageSource

__all__ = ["FileList", "HtmlFolder", "file_urls"]

_HTML_SUFFIX = re.compile(r"\.x?html?(?:[?@].*)?\Z", re.IGNORECASE | re.DOTALL)
_QUERY = re.compile(r"\?|(?<=.)@(?=[^@?]*=)", re.DOTALL)
_STAMP = re.compile(r"[0-9]{12}\Z")
_NO_HOST = re.compile(r"[^\w.-]+", re.ASCII)


class HtmlFolder(PageSource):
    """The HTML files under a folder, in the order of their names.

    A file is a page by its suffix or by how it begins; others are passed over.
    Symbolic links to folders are not followed, those to files only where they
    stay inside. Files without a host's folder above them belong to the host
    named like the folder: ``http://FOLDER/path``.

    :raises LearningSetError: there is no such folder.
    """

    def __init__(self, path: str | Path, *, encoding: str | None = None) -> None:
        super().__init__(path, encoding=encoding)
        if not self.path.is_dir():
            raise LearningSetError(self.path, "no such folder")
        self._root = self.path.resolve()

    def __iter__(self) -> Iterator[Page]:
        name = self._root.name
        host = name if is_host(name) else _NO_HOST.sub("-", name).strip("-.").lower() or "localhost"
        for path in self._files():
            parts = path.relative_to(self._root).parts
            try:
                body = _read(path) if _is_page(path) else None
            except (OSError, ValueError) as error:
                self._skip(str(PurePath(*parts)), _reason(error))
                continue
            if body is not None:
                url, *aliases = file_urls(parts, host)
                name = str(PurePath(*parts))
                yield Page(url, body, self.encoding, aliases=tuple(aliases), name=name)

    def _files(self) -> Iterator[Path]:
        for folder, subfolders, names in os.walk(self._root, onerror=self._unreadable):
            subfolders.sort()
            for name in sorted(names):
                path = Path(folder, name)
                if not path.is_symlink() or path.resolve().is_relative_to(self._root):
                    yield path

    def _unreadable(self, error: OSError) -> None:
        self._skip(str(error.filename), _reason(error))


class FileList(PageSource):
    """The files that a list names, each a page, in the order of the list.

    A line is a file name or ``url<TAB>file name``; blank lines and those that
    begin with ``#`` are passed over. Without a url, a relative name is read as
    wget's or the 2009 crawler's, ``[TIMESTAMP/]host/path``; any other file belongs
    to the host ``localhost``.

    :param lines: read once, on construction.
    """

    def __init__(self, lines: Iterable[str], *, path: str | Path = "-", encoding: str | None = None) -> None:
        super().__init__(path, encoding=encoding)
        stripped = (line.rstrip("\r\n") for line in lines)
        self._lines = [line for line in stripped if line.strip() and not line.startswith("#")]

    def __iter__(self) -> Iterator[Page]:
        for line in self._lines:
            url, tab, name = line.rpartition("\t")
            try:
                body = _read(Path(name))
            except (OSError, ValueError) as error:
                self._skip(name, _reason(error))
                continue
            urls = (url.strip(),) if tab else _listed_urls(PurePath(name).parts)
            yield Page(urls[0], body, self.encoding, aliases=urls[1:], name=name)

    def count(self) -> int:
        return len(self._lines)


def file_urls(parts: tuple[str, ...], host: str) -> tuple[str, ...]:
    """Return the url that a mirrored file stands for, then the other urls it may stand for.

    :param parts: the file's path, relative to the mirror.
    :param host: where the first part is none.

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


def _listed_urls(parts: tuple[str, ...]) -> tuple[str, ...]:
    stamped = len(parts) > 2 and _STAMP.match(parts[0])
    return file_urls(parts[1:] if stamped else parts, "localhost")


def _quoted(name: str) -> str:
    """Percent-encode what a url cannot hold; what looks encoded already is left as it is."""
    return quote(os.fsencode(name), safe="%!$&'()*+,;=:@~/?")


def _is_page(path: Path) -> bool:
    """Return whether a regular file is an HTML page, by its suffix or by how it begins."""
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        sample = stream.read(SAMPLE)
    return not is_binary(sample) if _HTML_SUFFIX.search(path.name) else looks_like_html(sample)


def _read(path: Path) -> bytes:
    """Return a regular file's content.

    :raises OSError: it cannot be read.
    :raises ValueError: it is too large or no regular file (reading a pipe would wait for ever).
    """
    if not path.is_file():
        path.stat()  # says why, where there is no such file
        raise ValueError("not a regular file")
    with path.open("rb") as stream:
        body = stream.read(MAX_BODY + 1)
    if len(body) > MAX_BODY:
        raise ValueError(TOO_LARGE)
    return body


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)
