"""`scrapy html2txt`: print the text of HTML files, without tags. No pattern is needed.

Source: html2txt of Webstemmer 0.7.1. Departures: a paragraph ends where its element ends, not only where
the next one begins. Preformatted text keeps its lines. The tags are those of ``PLAIN`` in ``page/tags.py``.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import url2pathname

from scrapy.exceptions import UsageError

from ..base.terminal import printable, say, write
from ..errors import PageError
from ..options import Limits
from ..values import Page
from .arguments import add_output_arguments, add_value, check_page_encoding
from .base import FAILED, INCOMPLETE, WebstemmerCommand
from .exports import check_output, open_output
from .formats import check_encoding

if TYPE_CHECKING:
    from ..page.parsing import Element

#: A single file may have more elements than a page of a crawl, nested more deeply.
_FILE_LIMITS = Limits(elements=1_000_000, depth=2_000)
_URL_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+):", re.IGNORECASE)  # two letters at least: C: is a drive


class Command(WebstemmerCommand):
    """Strip the tags of HTML files."""

    usage = "[options] [FILE...] [-O FILE]"
    summary = "Strip the tags of HTML files"
    description = (
        "Print the text of HTML files without tags, scripts and styles, one line a paragraph. FILE is a"
        " file, a file: url, or - for standard input, which is read if no FILE is given."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's options."""
        super().add_options(parser)
        add_value(parser, "-c --encoding", "NAME", "charset of pages that declare none")
        add_output_arguments(parser)

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Print the text of one file after the other; unreadable files are named and skipped."""
        check_page_encoding(opts.encoding)
        check_encoding(opts.output_encoding)
        paths = _paths(args or ["-"])
        if opts.output != "-":
            check_output(opts.output, paths)
        else:
            self.left = INCOMPLETE
        with open_output(opts.output, opts.output_encoding) as out:
            for path in paths:
                try:
                    lines = _lines(path, opts.encoding)
                except (PageError, OSError, ValueError) as error:
                    self.exitcode = FAILED
                    say(sys.stderr, printable(f"not read: {_reason(path, error)}"))
                else:
                    for line in lines:
                        write(out, line + "\n")


def _paths(names: Sequence[str]) -> list[str]:
    """Return the named files, ``-`` for standard input. Raises UsageError if one does not exist."""
    if names.count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    paths = [name if name == "-" or Path(name).exists() else _path_of_url(name) for name in names]
    for name, path in zip(names, paths, strict=True):
        if path != "-" and ("\0" in path or not Path(path).exists()):
            raise UsageError(f"{name}: there is no such file")
    return paths


def _path_of_url(name: str) -> str:
    """Return the path of a ``file:`` url, or the name itself if it is not a url. May raise UsageError."""
    scheme = _URL_SCHEME.match(name)
    if scheme and scheme[1].lower() == "file":
        try:
            parts = urlsplit(name)
        except ValueError:
            raise UsageError(f"{name}: is not a url") from None
        if parts.netloc not in ("", "localhost"):
            raise UsageError(f"{name}: is not on this machine")
        return url2pathname(parts.path)
    if scheme and name.startswith("//", scheme.end()):
        fetch = f"scrapy fetch --nolog {shlex.quote(name)} | scrapy html2txt"
        raise UsageError(f"{name}: is not fetched here, but with `{fetch}`")
    return name


def _lines(path: str, encoding: str | None) -> list[str]:
    """Return a page's lines of text. Raises PageError, OSError or ValueError if it cannot be read."""
    from ..storage.folder import unzipped
    from ..storage.source import MAX_BODY, TOO_LARGE

    if path == "-":
        body = sys.stdin.buffer.read(MAX_BODY + 1)
    else:
        with Path(path).open("rb") as stream:
            body = stream.read(MAX_BODY + 1)
    body = unzipped(body, MAX_BODY + 1)
    if len(body) > MAX_BODY:
        raise ValueError(TOO_LARGE)
    return list(plain_lines(Page(path, body), encoding))


def plain_lines(page: Page, encoding: str | None = None) -> Iterator[str]:
    """Yield the title and the text of a page, one line per paragraph.

    :param encoding: the charset of pages that declare none; None: UTF-8 if the bytes are valid, else cp1252.
    :raises PageError: the page is a picture or another binary file, or is beyond a limit.

    White space is folded; a line break between ideographs is dropped. Cost: that of the parse.
    """
    from ..page.charsets import decode
    from ..page.limits import check_text, check_tree
    from ..page.parsing import parse_text
    from ..page.tags import PLAIN
    from ..page.text import fold_paragraph
    from ..page.walk import layout_of

    text = decode(page, encoding)
    check_text(page.url, text, _FILE_LIMITS)
    root = parse_text(text)
    _parse_noframes(root)
    check_tree(page.url, root, _FILE_LIMITS)
    title = root.find(".//title")
    if title is not None and (line := fold_paragraph("".join(title.itertext()))):
        yield line
    for block in layout_of(page.url, root, PLAIN).blocks:
        yield from block.text.split("\n")


def _parse_noframes(root: Element) -> None:
    """Parse what a page with frames has for programs that know none: for newer parsers it is one text."""
    from ..page.parsing import parse_text

    for element in [*root.iter("noframes")]:
        if "<" in (element.text or ""):
            element.append(parse_text(element.text))
            element.text = None


def _reason(path: str, error: PageError | OSError | ValueError) -> str:
    name = "standard input" if path == "-" else path
    reason = error.reason if isinstance(error, PageError) else getattr(error, "strerror", None) or error
    return f"{name}: {reason}"
