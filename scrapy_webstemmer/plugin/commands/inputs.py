"""Open the inputs of a command, and show a progress bar while they are read."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from types import MappingProxyType
from typing import TYPE_CHECKING

from .terminal import printable

if TYPE_CHECKING:
    from ...storage import PageSource
    from ...values.pages import Page

#: The 2009 crawler's name for the zip member, or file, that holds the anchor texts.
LINKINFO_NAME = "linkinfo"

_NONE: Mapping[str, PageSource] = MappingProxyType({})


@contextmanager
def open_inputs(
    names: Sequence[str], linkinfo_name: str = LINKINFO_NAME, fetched: Mapping[str, PageSource] = _NONE
) -> Iterator[list[PageSource]]:
    """Open sources of pages by name, ``-`` for standard input; close them at the end.

    :param linkinfo_name: the zip member, or file, that holds the anchor texts; empty: none is read.
    :param fetched: the sources of names that are urls.
    :raises LearningSetError: a source cannot be read.
    """
    from ...storage import open_pages

    with ExitStack() as stack:
        yield [
            fetched.get(name) or stack.enter_context(open_pages(name, linkinfo_name=linkinfo_name))
            for name in names
        ]


@contextmanager
def progress(sources: Sequence[PageSource], what: str) -> Iterator[Iterable[Page]]:
    """Give the pages of all sources in order, with a progress bar if standard error is a terminal.

    The bar stays until the block ends, and log messages appear above it.
    """
    from tqdm import tqdm
    from tqdm.contrib.logging import logging_redirect_tqdm

    counts = [source.count() for source in sources] if sys.stderr.isatty() else [None]
    total = None if None in counts else sum(filter(None, counts))
    pages = (page for source in sources for page in source)
    # The redirection would log to the terminal even with --nolog or --logfile.
    to_terminal = any(getattr(handler, "stream", None) is sys.stderr for handler in logging.root.handlers)
    redirected = logging_redirect_tqdm() if to_terminal else nullcontext()
    # tqdm's thread that watches for stalled bars would keep workers from being forked.
    tqdm.monitor_interval = 0
    with redirected, tqdm(pages, what, total, unit=" pages", leave=False, miniters=1, disable=None) as bar:
        yield bar


def note(line: str) -> None:
    """Write a line to standard error, above the progress bar if there is one."""
    from tqdm import tqdm

    tqdm.write(printable(line), file=sys.stderr)
