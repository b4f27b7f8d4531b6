"""`scrapy learning-set`: show what learning sets have of each site, or drop pages from one."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from ..base.parts import finish
from ..base.terminal import fill, printable, say
from ..errors import plural
from .arguments import SECONDS_A_DAY, CommandError, add_flag, add_value, split_action, whole_number
from .base import WebstemmerCommand
from .inputs import check_file, note
from .summary import SITE_WIDTH

if TYPE_CHECKING:
    from ..storage.pruning import Pruning
    from ..storage.sqlite import StoredSite

_ROW_FORMAT = "{} {:>9}  {:<19}  {:<19} {:>15} {:>10}"


class Command(WebstemmerCommand):
    """Show or prune learning sets."""

    usage = "show FILE... | prune [--pages N] [--older-than DAYS] [--site SITE] [--dry-run] FILE..."
    summary = "Look into learning sets, or shrink them"
    description = (
        "Look into SQLite learning sets, or shrink them. show prints a line a site, its pages, when the"
        " first and the last of them were fetched, the bytes that they take, and its anchors. prune"
        " drops the pages beyond a number or an age, also while a crawl is using the file."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's options."""
        super().add_options(parser)
        pages = "keep at most N pages of each site, evenly from its directories, the newest first"
        add_value(parser, "--pages", "N", pages, type=whole_number(1))
        older = "drop all pages that were fetched more than DAYS days ago"
        add_value(parser, "--older-than", "DAYS", older, type=whole_number(1))
        add_value(parser, "--site", "SITE", "drop pages of this site only")
        add_flag(parser, "--dry-run", "only say what prune would drop")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Show or prune, as the first argument says, the files that the others name."""
        action, names = split_action(args)
        _check(action, names, opts)
        if action == "prune" and not opts.dry_run:
            self.left = "the pages that were dropped so far stay dropped"
        for name in names:
            if action == "show":
                _show(name)
            else:
                _prune(name, opts)


def _check(action: str, names: Sequence[str], opts: argparse.Namespace) -> None:
    """Refuse arguments that are wrong or do not go together. Raises UsageError."""
    limits = {"--pages": opts.pages, "--older-than": opts.older_than, "--site": opts.site}
    if action == "show":
        for option, value in (limits | {"--dry-run": opts.dry_run or None}).items():
            if value is not None:
                raise UsageError(f"{option} goes with prune only")
    if action == "prune" and opts.pages is None and opts.older_than is None:
        raise UsageError("say with --pages how many pages of a site stay, or with --older-than which go")
    for name in names:
        _check_file(Path(name))


def _check_file(path: Path) -> None:
    """Refuse what cannot be a SQLite learning set. Raises UsageError."""
    from ..storage.source import SQLITE_MAGIC

    check_file(path)

    with path.open("rb") as stream:
        if stream.read(len(SQLITE_MAGIC)) != SQLITE_MAGIC:
            raise UsageError(f"{path}: is not a SQLite learning set; other sources of pages stay as they are")


def _show(name: str) -> None:
    from ..storage.sqlite import SqliteLearningSet

    with SqliteLearningSet(name, readonly=True) as learning_set:
        for line in _table(learning_set.sites()):
            say(sys.stdout, line)


def _table(sites: list[StoredSite]) -> Iterator[str]:
    """Yield a line for each site, with a heading, and one for all of them."""
    yield _ROW_FORMAT.format(fill("site", SITE_WIDTH), "pages", "first", "last", "bytes", "anchors")
    for site in sites:
        yield _line(printable(site.site) or "(no site)", *site[1:])
    first = min((site.first for site in sites if site.first), default=None)
    last = max((site.last for site in sites if site.last), default=None)
    pages, size = sum(site.pages for site in sites), sum(site.size for site in sites)
    anchors = sum(site.anchors for site in sites)
    yield _line(f"all: {plural(len(sites), 'site')}", pages, first, last, size, anchors)


def _line(name: str, pages: int, first: str | None, last: str | None, size: int, anchors: int) -> str:
    cells = (f"{pages:,}", _time(first), _time(last), f"{size:,}", f"{anchors:,}")
    return _ROW_FORMAT.format(fill(name, SITE_WIDTH), *cells)


def _time(stored: str | None) -> str:
    return printable(stored or "-")[:19]


def _prune(name: str, opts: argparse.Namespace) -> None:
    from ..storage.pruning import Keep, Pruning
    from ..storage.sqlite import SqliteLearningSet

    since = None if opts.older_than is None else time.time() - opts.older_than * SECONDS_A_DAY
    with SqliteLearningSet(name) as learning_set:
        pruning = Pruning(learning_set, Keep(opts.pages, since, opts.site), dry_run=opts.dry_run)
        try:
            finish(pruning.in_parts())
        finally:
            if pruning.dropped:
                _say_what_was_dropped(name, pruning, opts)
        if opts.site is not None and opts.site not in pruning.left:
            advice = "`scrapy learning-set show` prints the names of its sites"
            raise CommandError(f"{learning_set.path}: has no page of the site {opts.site}; {advice}")
        if not pruning.dropped:
            note(f"{name}: no page is dropped")
        elif not opts.dry_run:
            learning_set.give_space_back()


def _say_what_was_dropped(name: str, pruning: Pruning, opts: argparse.Namespace) -> None:
    """Print a line for each site that lost pages, and the total on standard error."""
    done = "would be dropped" if opts.dry_run else "dropped"
    for site, number in sorted(pruning.dropped.items()):
        left = f"{pruning.left[site]:,} left"
        say(sys.stdout, printable(f"{site or '(no site)'}: {plural(number, 'page')} {done}, {left}"))
    total = plural(sum(pruning.dropped.values()), "page")
    sites = plural(len(pruning.dropped), "site")
    note(f"{name}: {total} of {sites} {done}, {sum(pruning.left.values()):,} left")
