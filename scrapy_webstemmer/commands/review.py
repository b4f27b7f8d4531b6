"""`scrapy review`: look at what was learned and extracted, or at what another pattern file changes."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from operator import add, attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scrapy.exceptions import UsageError

from ..base.terminal import clip, line_width, printable, say
from ..base.urls import site_of
from ..errors import plural
from ..pattern_files.pattern_sources import is_resource
from .arguments import (
    CommandError,
    add_arguments,
    add_flag,
    add_value,
    add_workers_argument,
    extract_options,
    of_fields,
    whole_number,
)
from .base import FAILED, WebstemmerCommand
from .inputs import INPUTS, check_inputs, check_patterns, note, open_inputs, problem_of, progress
from .saved_pages import stored_pages, with_stated_url
from .summary import say_skipped

if TYPE_CHECKING:
    from ..monitoring.differences import Difference, SiteChanges
    from ..options import ExtractOptions
    from ..pattern_files.pattern_file import PatternSet
    from ..review.reviewed import Review
    from ..values import Page

#: The options by which articles are compared: by title and text.
_COMPARED_BY = of_fields("encoding", "url_rules")
#: So many pages are shown, of each so many lines of text; a line has at most so many columns.
_PAGES_SHOWN, _LINES_SHOWN, _LINE_WIDTH = 20, 2, 100

_NO_PAGES = "the inputs have no pages that could be read"

#: For each kind of difference, what is said of the pages concerned.
_CHANGE_WORDS = {
    "lost": "lost their article",
    "text": "got another text",
    "title": "got another title",
    "gained": "got an article",
}


class Command(WebstemmerCommand):
    """Show what was learned and what it gives, in a browser; or compare what two pattern files give."""

    usage = "[options] PATTERNS INPUT..."
    summary = "Look at what was learned in a browser, or compare two pattern files"
    description = (
        "Show the sites, layouts and pages of a pattern file in a browser: what became of each text of a"
        " page, the article beside it, and the pages that are worth a look. With --export, write the same as"
        " files that need no server. With --before, read the pages with another pattern file as well, and"
        " show which of them lose their article, get one, or get another title or text, those that change"
        " most first. With --text as well, print that; the status is then 1 if a page loses its article or"
        " gets another title or text, and 0 if none does, so a script can ask before a relearned file goes"
        f" live. {INPUTS}"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's options."""
        super().add_options(parser)
        add_value(parser, "--before", "OLD", "the pattern file that PATTERNS is to replace")
        add_flag(parser, "--text", "with --before: print what changes")
        add_value(parser, "--export", "FOLDER", "write the review as files into a new folder")
        where = "where to listen, any free one if not given"
        add_value(parser, "--port", "PORT", where, type=whole_number(0, 65535), default=0)
        add_flag(parser, "--no-browser", "print the address, and open no browser")
        add_arguments(parser, _COMPARED_BY, classic=False)
        add_workers_argument(parser)
        add_flag(parser, "-d --debug", "with --text: show all pages that change")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Show or write the review, or compare; then the status says whether articles changed."""
        from ..pattern_files.pattern_file import PatternSet

        _check_options(opts)
        check_patterns(args)
        check_inputs(args[1:])
        options = extract_options(opts, self.settings, _COMPARED_BY)
        if opts.before is not None:
            check_patterns([opts.before])
        if opts.text:
            self._compare(args, opts, options)
            return
        from ..review.reviewed import Review

        patterns = PatternSet.load(args[0], options.limits)
        with stored_pages(args[1:], options, patterns) as learning_set:
            if not learning_set.count():
                raise CommandError(f"there is nothing to show: {_NO_PAGES}")
            can_write = opts.export is None and not is_resource(args[0])
            review = Review(patterns, learning_set, options, Path(args[0]) if can_write else None)
            if opts.before is not None:
                review.before = PatternSet.load(opts.before, options.limits)
                with progress([learning_set], "comparing") as pages:
                    review.changes = _compared(pages, review.before, patterns, options, opts.workers)
            if opts.export is None:
                _serve(review, opts)
            else:
                _export(review, Path(opts.export))

    def _compare(self, args: list[str], opts: argparse.Namespace, options: ExtractOptions) -> None:
        """Read the pages twice, and print what differs. The status is 1 if an article is not as before."""
        from ..pattern_files.pattern_file import PatternSet

        before, after = (PatternSet.load(name, options.limits) for name in (opts.before, args[0]))
        with open_inputs(args[1:]) as sources:
            with progress(sources, "comparing") as pages:
                changes = _compared(pages, before, after, options, opts.workers)
            say_skipped(sources, debug=opts.debug)
        if not changes:
            raise CommandError(f"there is nothing to compare: {_NO_PAGES}")
        for line in report(changes, line_width(sys.stdout), every=opts.debug):
            say(sys.stdout, line)
        if any(change.kind != "gained" for site in changes.values() for change in site.differences):
            self.exitcode = FAILED


def _check_options(opts: argparse.Namespace) -> None:
    """Refuse options that do not go together. Raises UsageError."""
    if opts.text and opts.before is None:
        raise UsageError("--text prints what changes: say with --before since which pattern file")
    if opts.text and opts.export is not None:
        raise UsageError("--export and --text exclude each other")


def _serve(review: Review, opts: argparse.Namespace) -> None:
    """Answer a browser until the user ends the command."""
    from ..review.server import ReviewServer

    try:
        server = ReviewServer(review, opts.port)
    except OSError as error:
        raise CommandError(f"--port {opts.port}: {error.strerror or error}") from None
    with server:
        say(sys.stdout, f"The review is at {server.url} until you press Ctrl-C")
        sys.stdout.flush()
        if not opts.no_browser:
            webbrowser.open(server.url)
        with suppress(KeyboardInterrupt):
            server.serve_forever()


def _export(review: Review, folder: Path) -> None:
    """Write the review as files. Raises CommandError if that cannot be done."""
    from ..review.views import export

    try:
        folder.mkdir(parents=True)
        number = sum(1 for _ in export(review, folder))
    except OSError as error:
        raise CommandError(f"--export {folder}: {error.strerror or error}") from None
    say(sys.stderr, printable(f"{plural(number, 'file')} written; open {folder / 'index.html'} in a browser"))


class _Comparison(NamedTuple):
    """What a page gives before and after: whether there is an article, and how they differ."""

    articles: tuple[bool, bool] = (False, False)
    difference: Difference | None = None
    problem: str = ""


def _comparison(page: Page, before: PatternSet, after: PatternSet, options: ExtractOptions) -> _Comparison:
    """Extract a page with both pattern files."""
    from ..api import extract
    from ..monitoring.differences import difference

    try:
        articles = [extract(page, patterns, options) for patterns in (before, after)]
        were_given = (articles[0] is not None, articles[1] is not None)
        return _Comparison(were_given, difference(page.url, *articles))
    except Exception as error:
        return _Comparison(problem=problem_of(page, error))


def _compared(
    pages: Iterable[Page], before: PatternSet, after: PatternSet, options: ExtractOptions, workers: int
) -> dict[str, SiteChanges]:
    """Return what changes on each site. Pages that cannot be read are named and left out."""
    from ..base.workers import Workers
    from ..monitoring.differences import SiteChanges
    from ..review.reviewed import title_and_text

    changes: dict[str, SiteChanges] = defaultdict(SiteChanges)
    stated = (with_stated_url(with_stated_url(page, after, options), before, options) for page in pages)
    compare = partial(_comparison, before=before, after=after, options=title_and_text(options))
    pool: Workers[str, Page, _Comparison] = Workers(compare, workers)
    with pool:
        for url, compared in pool.in_turn((page.url, page, len(page.body)) for page in stated):
            if compared.problem:
                note(f"not read: {compared.problem}")
                continue
            known = after.site_of(url) or before.site_of(url)
            site = changes[known.site if known else site_of(url)]
            site.pages += 1
            site.articles = [*map(add, site.articles, compared.articles)]
            if compared.difference:
                site.differences.append(compared.difference)
    return dict(changes)


def report(changes: dict[str, SiteChanges], width: int, *, every: bool) -> Iterator[str]:
    """Yield the lines that say what changes: the sites, then the pages, those that change most first.

    :param every: show all pages, and not the first ones alone.
    """
    from ..monitoring.differences import KINDS

    for name, site in sorted(changes.items(), key=lambda item: (-len(item[1].differences), item[0])):
        counts = site.count()
        words = ", ".join(f"{counts[kind]:,} {_CHANGE_WORDS[kind]}" for kind in KINDS if counts[kind])
        articles = f"{plural(site.articles[0], 'article')} before, {site.articles[1]:,} after"
        begin = f"{printable(name) or '(no site)'}: {plural(site.pages, 'page')}, {articles}"
        yield clip(f"{begin}: {words or 'no change'}", width)
    differences = [change for site in changes.values() for change in site.differences]
    differences.sort(key=attrgetter("rank"))
    shown = differences if every else differences[:_PAGES_SHOWN]
    for change in shown:
        yield ""
        yield from _page_lines(change, width)
    if len(shown) < len(differences):
        yield ""
        yield f"and {plural(len(differences) - len(shown), 'page')} more (--debug shows all)"


def _page_lines(change: Difference, width: int) -> Iterator[str]:
    """Yield the lines of a page: its url, what changes, titles, and lines of text that go and come."""
    share = f", {change.share:.0%} of it" if change.kind == "text" else ""
    yield printable(change.url)
    yield clip(f"  {_CHANGE_WORDS[change.kind]}{share} ({plural(change.length, 'character')})", width)
    width = min(width, _LINE_WIDTH)
    for sign, title, lines in zip("-+", change.titles, (change.gone, change.new), strict=True):
        if change.titles[0] != change.titles[1]:
            yield clip(f"  {sign} title: {printable(title)}", width)
        yield from (clip(f"  {sign} {printable(line)}", width) for line in lines[:_LINES_SHOWN])
        if len(lines) > _LINES_SHOWN:
            yield f"  {sign} ..."
