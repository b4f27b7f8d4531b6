"""Open the place of articles: a file, a stream, or a folder with a file for each article."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO, cast

from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from .arguments import check_output
from .article_records import FORMATS
from .feed_exports import open_export

#: How the name of a folder ends.
_SEPARATORS = tuple(filter(None, ("/", os.sep, os.altsep)))


def is_folder(name: str) -> bool:
    """Return whether an output is a folder, with a file for each article: it ends with a slash, or is one."""
    return name != "-" and (name.endswith(_SEPARATORS) or Path(name).is_dir())


def check_articles_output(name: str, sources: Sequence[str]) -> None:
    """Refuse a place where articles cannot be written.

    :param name: a file, a folder, or ``-`` for standard output.
    :param sources: the inputs: they must not be overwritten.
    :raises UsageError: it is refused; the error says in a line why.
    """
    if name == "-":
        return
    if not is_folder(name):
        check_output(name, sources)
        return
    folder = Path(name)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{name}: is a file, not a folder")
    if not folder.parent.is_dir():
        raise UsageError(f"{name}: there is no folder {folder.parent}")
    if not os.access(folder if folder.exists() else folder.parent, os.W_OK | os.X_OK):
        raise UsageError(f"{name}: no file can be made there")
    if folder.is_dir() and any(Path(one).is_dir() and folder.samefile(one) for one in sources):
        raise UsageError(f"{name}: is an input as well")


@contextmanager
def open_articles(name: str, form: str, encoding: str, settings: Settings | None) -> Iterator[TextIO]:
    """Open the place of articles: a stream that takes the records that :func:`record_of` makes.

    A file takes its name when all is written; the files of a folder, one by one.

    :param name: a file, ``-`` for standard output, or a folder, which is made if it is missing.
    :raises UsageError: the format cannot have this charset.
    :raises CommandError: the format lacks its library, or cannot hold the values of an article.
    """
    if is_folder(name):
        yield cast("TextIO", _Files(Path(name), encoding))
    elif form in FORMATS:
        with open_output(name, encoding) as out:
            yield out
    else:
        with open_export(name, form, encoding, settings) as out:
            yield out


@contextmanager
def open_output(name: str, encoding: str) -> Iterator[TextIO]:
    """Open the output file, or standard output for ``-``.

    The file takes its name when all is written. If the block raises, an earlier file of that name stays as it
    was. A character that the encoding lacks becomes a question mark.
    """
    from ..base.files import replacing

    if name == "-":
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding=encoding, errors="replace", newline="\n")
        yield sys.stdout
        return
    with replacing(name) as stream:
        text = TextIOWrapper(stream, encoding=encoding, errors="replace", newline="\n")
        yield text
        text.flush()
        text.detach()


class _Files(io.TextIOBase):
    """Takes records that begin with the name of a file, and writes each to its file in a folder."""

    def __init__(self, folder: Path, encoding: str) -> None:
        super().__init__()
        folder.mkdir(exist_ok=True)
        self._folder, self._encoding = folder, encoding

    def write(self, text: str) -> int:
        """Write the file of a record, or nothing if the text is empty."""
        from ..base.files import replacing

        if text:
            name, _, content = text.partition("\n")
            path = self._folder / name
            path.parent.mkdir(exist_ok=True)
            with replacing(path) as stream:
                stream.write(content.encode(self._encoding, "replace"))
        return len(text)
