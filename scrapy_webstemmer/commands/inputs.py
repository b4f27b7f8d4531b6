"""Open the inputs of a command, and show a progress bar while they are read."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from ..base.terminal import printable, say
from ..values import Page
from .arguments import fetches, is_url, lines_of

if TYPE_CHECKING:
    from ..storage.source import FetchedPages, PageSource

#: The 2009 crawler's name for the zip member, or file, that holds the anchor texts.
LINKINFO_NAME = "linkinfo"


@contextmanager
def open_inputs(
    names: Sequence[str], linkinfo_name: str = LINKINFO_NAME, fetched: FetchedPages | None = None
) -> Iterator[list[PageSource]]:
    """Open sources of pages by name, ``-`` for standard input; close them at the end.

    :param linkinfo_name: the zip member, or file, that holds the anchor texts; empty: none is read.
    :param fetched: the pages of the names that are urls.
    :raises LearningSetError: a source cannot be read.
    """
    from ..storage import open_pages

    with ExitStack() as stack:
        opened: list[PageSource] = []
        for are_urls, some in groupby(names, is_url):
            if not are_urls:
                opened += (stack.enter_context(open_pages(one, linkinfo_name=linkinfo_name)) for one in some)
            elif fetched is not None:
                opened.append(fetched.part(list(some)))
        yield opened


def without_lists(names: Sequence[str]) -> list[str]:
    """Return inputs with the lines of each list that begins with a url in its place.

    :raises LearningSetError: a list cannot be read.
    """
    from ..errors import LearningSetError

    found: list[str] = []
    for name in names:
        if is_url(name) or not fetches(name):
            found.append(name)
            continue
        try:
            content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        except OSError as error:
            raise LearningSetError(name, error.strerror or str(error)) from None
        found += lines_of(content)
    return found


@contextmanager
def progress(
    sources: Sequence[PageSource], what: str, read: Sequence[Iterable[Page]] = ()
) -> Iterator[Iterable[Page]]:
    """Give the pages of all sources in order, with a progress bar if standard error is a terminal.

    The bar stays until the block ends, and log messages appear above it.

    :param read: what gives the pages of the sources; none: the sources themselves.
    """
    pages = (page for one in read or sources for page in one)
    if not sys.stderr.isatty():
        yield pages
        return
    from tqdm import tqdm
    from tqdm.contrib.logging import logging_redirect_tqdm

    counts = [source.count() for source in sources]
    total = None if None in counts else sum(filter(None, counts))
    # The redirection would log to the terminal even with --nolog or --logfile.
    to_terminal = any(getattr(handler, "stream", None) is sys.stderr for handler in logging.root.handlers)
    redirected = logging_redirect_tqdm() if to_terminal else nullcontext()
    # tqdm's thread that watches for stalled bars would keep workers from being forked.
    tqdm.monitor_interval = 0
    with redirected, tqdm(pages, what, total, unit=" pages", leave=False, miniters=1) as bar:
        yield bar


def note(line: str) -> None:
    """Write a line to standard error, above the progress bar if there is one."""
    if (bars := sys.modules.get("tqdm")) is None:
        say(sys.stderr, printable(line))
    else:
        bars.tqdm.write(printable(line), file=sys.stderr)
