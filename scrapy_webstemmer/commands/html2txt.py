"""`scrapy webstemmer html2txt`: print the text of HTML files, without tags. No pattern is needed."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from scrapy.exceptions import UsageError

from ..base.terminal import printable, say, write
from ..errors import PageError
from ..values import Page
from .arguments import add_output_arguments, add_value, check_page_encoding
from .base import FAILED, INCOMPLETE, WebstemmerCommand
from .exports import check_output, open_output
from .formats import check_encoding

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
        fetch = f"scrapy fetch --nolog {shlex.quote(name)} | scrapy webstemmer html2txt"
        raise UsageError(f"{name}: is not fetched here, but with `{fetch}`")
    return name


def _lines(path: str, encoding: str | None) -> list[str]:
    """Return a page's lines of text. Raises PageError, OSError or ValueError if it cannot be read."""
    from ..page.plain_lines import plain_lines
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


def _reason(path: str, error: PageError | OSError | ValueError) -> str:
    name = "standard input" if path == "-" else path
    reason = error.reason if isinstance(error, PageError) else getattr(error, "strerror", None) or error
    return f"{name}: {reason}"
