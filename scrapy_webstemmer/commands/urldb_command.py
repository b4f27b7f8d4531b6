"""`scrapy urldb`: show the urls that earlier crawls have stored, or remove old ones."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from ..base.terminal import say
from ..errors import plural
from .arguments import SECONDS_A_DAY, add_flag, add_value, split_action, whole_number
from .base import WebstemmerCommand
from .inputs import check_file, note

if TYPE_CHECKING:
    from ..storage.urldb import Entry, UrlDb


class Command(WebstemmerCommand):
    """Show or prune URLDB files."""

    usage = "show [--days N] [--url URL] FILE... | prune --days N [-v] FILE..."
    summary = "Look into databases of seen urls, or shrink them"
    description = (
        "Look into the files that WEBSTEMMER_URLDB names, or shrink them. show prints a line an entry,"
        " the url's digest, what was stored of it, and when it was last met. prune removes the entries"
        " not met for a number of days, also while a crawl is using the file."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's options."""
        super().add_options(parser)
        days = "entries not met for N days are old; prune removes them, show marks them as out"
        add_value(parser, "--days", "N", days, type=whole_number(1))
        add_value(parser, "--url", "URL", "show the entry of this url only")
        add_flag(parser, "-v --verbose", "name what prune removes")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Show or prune, as the first argument says, the files that the others name."""
        from ..storage.urldb import UrlDb

        action, names = split_action(args)
        _check(action, names, opts)
        oldest = None if opts.days is None else max(0, int(time.time()) - opts.days * SECONDS_A_DAY)
        with ExitStack() as stack:
            # Open all files before anything is done.
            opened = [stack.enter_context(UrlDb(name, readonly=action == "show")) for name in names]
            if action == "prune":
                self.left = "the urls that were removed so far stay removed"
            for urldb in opened:
                if action == "prune":
                    _prune(urldb, oldest or 0, verbose=opts.verbose)
                elif opts.url is not None:
                    _show_url(urldb, opts.url, oldest)
                else:
                    _show(urldb, oldest)


def _check(action: str, names: Sequence[str], opts: argparse.Namespace) -> None:
    """Refuse arguments that are wrong or do not go together. Raises UsageError."""
    if action == "prune" and opts.days is None:
        raise UsageError("say with --days after how many days prune removes an entry that was not met again")
    if action == "prune" and opts.url is not None:
        raise UsageError("--url goes with show only")
    for name in names:
        check_file(Path(name))


def _show(urldb: UrlDb, oldest: int | None) -> None:
    """Print all entries in the order of their digests; then print their number on standard error."""
    kinds: Counter[str] = Counter()
    out = 0
    for entry in urldb:
        say(sys.stdout, _line(entry, oldest))
        kinds[entry.kind] += 1
        out += oldest is not None and entry.last < oldest
    total = kinds.total()
    counts = ", ".join(plural(kinds[kind], kind) for kind in ("article", "page"))
    ages = "" if oldest is None else f"; {total - out:,} in, {out:,} out"
    note(f"{urldb.path}: {plural(total, 'url')}: {counts}{ages}")


def _show_url(urldb: UrlDb, url: str, oldest: int | None) -> None:
    from ..storage.urldb import url_digest

    entry = urldb.find(url_digest(url))
    if entry is None:
        note(f"{urldb.path}: has not seen {url}")
    else:
        say(sys.stdout, _line(entry, oldest))


def _prune(urldb: UrlDb, oldest: int, *, verbose: bool) -> None:
    def tell(entry: Entry) -> None:
        say(sys.stdout, _line(entry, oldest))

    removed = urldb.prune(oldest, tell if verbose else None)
    note(f"{urldb.path}: {plural(removed, 'url')} removed, {urldb.count():,} left")


def _line(entry: Entry, oldest: int | None) -> str:
    """Return an entry as a line; if there is an age limit, with ``in`` or ``out``."""
    words = [entry.digest.hex(), entry.kind, _time(entry.last)]
    if oldest is not None:
        words.append("out" if entry.last < oldest else "in")
    return " ".join(words)


def _time(seconds: int) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, ValueError, OSError):  # in a damaged file
        return f"@{seconds}"
