"""`scrapy drift`: tell whether sites have changed since their patterns were learned."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from typing import TYPE_CHECKING

from ..base.parts import finish
from ..base.terminal import clip, line_width, printable, say
from ..base.urls import site_of
from ..errors import plural
from .arguments import CommandError, add_arguments, add_flag, add_value, extract_options, of_fields
from .base import FAILED, WebstemmerCommand
from .inputs import INPUTS, check_inputs, check_patterns, note, open_inputs, problem_of, progress
from .saved_pages import with_stated_url
from .summary import say_skipped

if TYPE_CHECKING:
    from ..monitoring.find_drift import Drift
    from ..monitoring.tally import Tally
    from ..options import ExtractOptions
    from ..pattern_files.pattern_file import PatternSet
    from ..values import Page, Usual

#: What to do about a change.
_WHAT_TO_DO = "look at the example, and learn the site's layouts again from new pages, with scrapy analyze"
#: The options by which a crawl is compared with the learned pages. Others would change what is usual.
_COMPARED_BY = of_fields("encoding", "url_rules", "date")
#: Index of the median among the quantiles.
_MEDIAN = 2


class Command(WebstemmerCommand):
    """Compare stored pages with what their sites usually gave."""

    usage = "[options] PATTERNS INPUT..."
    summary = "Tell whether sites have changed since they were learned"
    description = (
        "Read the pages of a later crawl with a pattern file of `scrapy analyze`, and compare what they"
        " give with what the learned pages gave. The status is 1 if a site has changed for the worse,"
        f" which means that its layouts should be learned again, and 0 if no site has. {INPUTS}"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's options."""
        super().add_options(parser)
        add_arguments(parser, _COMPARED_BY, classic=False)
        add_value(
            parser, "--since", "DATE", "look only at pages fetched on DATE or later, YYYY-MM-DD", type=_day
        )
        add_flag(parser, "-d --debug", "name each page that fits no layout, on standard error")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Read the pages, and print a table a site. The status is 1 if a site has changed."""
        from ..pattern_files.pattern_file import PatternSet

        check_patterns(args)
        check_inputs(args[1:])
        options = extract_options(opts, self.settings, _COMPARED_BY)
        check = _Check(PatternSet.load(args[0], options.limits), options, opts.since or "", debug=opts.debug)
        with open_inputs(args[1:]) as sources:
            with progress(sources, "reading") as pages:
                check.read(pages)
            say_skipped(sources, debug=opts.debug)
        if check.tell():
            self.exitcode = FAILED


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not a day like 2026-11-30") from None


class _Check:
    """One run: pages in, and a tally a site."""

    def __init__(self, patterns: PatternSet, options: ExtractOptions, since: str, *, debug: bool) -> None:
        self.patterns, self.options, self.since, self.debug = patterns, options, since, debug
        self.tallies: dict[str, Tally] = {}
        self.unknown: Counter[str] = Counter()
        self.earlier = self.left_out = 0

    def read(self, pages: Iterable[Page]) -> None:
        """Count what the pages give; name each unreadable page."""
        for page in pages:
            if self.since and (page.fetched or "")[:10] < self.since:
                self.earlier += 1
                continue
            try:
                self._add(with_stated_url(page, self.patterns, self.options))
            except Exception as error:
                note(f"not read: {problem_of(page, error)}")

    def _add(self, page: Page) -> None:
        from ..api import extract_in_parts
        from ..extraction.result import Reason
        from ..monitoring.tally import Tally, fits

        result = finish(extract_in_parts(page, self.patterns, self.options))
        if result.reason == Reason.LEFT_OUT:
            self.left_out += 1
            return
        if result.site is None:
            self.unknown[site_of(page.url)] += 1
            return
        tally = self.tallies.setdefault(result.site.site, Tally(dates=self.options.date))
        tally.add(result, page.fetched or "")
        if self.debug and fits(result) is False:
            note(f"fits no layout: {page.url}")

    def tell(self) -> bool:
        """Print a table a site, and what could not be compared. Return whether a site has changed.

        :raises CommandError: no site could be compared.
        """
        from ..monitoring.find_drift import find_drift

        width, changed, compared = line_width(sys.stdout), False, 0
        reasons = []
        if self.earlier:
            pages = plural(self.earlier, "page")
            reasons.append(f"{pages} from before {self.since}, or from an unknown time")
        for name, number in sorted(self.unknown.items()):
            reasons.append(
                f"{name or '(no site)'}: the pattern file does not know the site of {plural(number, 'page')}"
            )
        for name, tally in sorted(self.tallies.items()):
            usual = self.patterns.sites[name].usual
            reason = why_not(usual, tally)
            if usual is None or reason:
                reasons.append(f"{name or '(no site)'}: {reason}")
                continue
            drift = find_drift(usual, tally)
            for line in drift_lines(name, usual, tally, drift):
                say(sys.stdout, clip(line, width))
            changed, compared = changed or drift is not None, compared + 1
        if not compared:
            left_out = f"-a and -j leave out all of {plural(self.left_out, 'page')}" if self.left_out else ""
            reason = "; ".join(reasons) or left_out or "the inputs have no pages"
            raise CommandError(f"no site could be compared: {reason}")
        for reason in reasons:
            say(sys.stderr, printable(f"not compared: {reason}"))
        return changed


def why_not(usual: Usual | None, tally: Tally) -> str:
    """Return why a site cannot be compared; empty if it can."""
    from ..monitoring.find_drift import LEAST_PAGES

    if usual is None:
        return (
            "the pattern file does not say what its pages usually give: it has other layouts than paths, or"
            " was learned by an earlier version; learn again with scrapy analyze"
        )
    if tally.judged < LEAST_PAGES:
        return f"{plural(tally.judged, 'page')} of it are too few to tell a change: {LEAST_PAGES} are needed"
    return ""


def drift_lines(name: str, usual: Usual, tally: Tally, drift: Drift | None) -> Iterator[str]:
    """Yield the lines of a site's table. A star marks what has changed; a sentence says how, and what to do.

    :param name: the site.
    :param drift: the changes; None: there are none.
    """
    now = tally.usual(tally.judged)
    changed = {change.key for change in drift.changes} if drift else set()
    yield f"{printable(name) or '(no site)'}: {'has changed' if drift else 'no change'}"
    yield f"  {'':<28}{'now':>16}{'usually':>16}"
    for key, label, cells in _rows(now, usual):
        mark = "*" if key in changed else " "
        yield f"{mark} {label:<28}{cells[0]:>16}{cells[1]:>16}"
    if drift:
        yield f"  {printable(drift.sentence())}"
        yield f"  {_WHAT_TO_DO}"


def _rows(now: Usual, usual: Usual) -> Iterator[tuple[str, str, list[str]]]:
    """Yield what is compared, its label, and its cells: now, and usually."""
    columns = (now, usual)
    yield "", "pages", [f"{column.judged:,}" for column in columns]
    yield "layout", "fit a layout", [_share(column.fitting, column.judged) for column in columns]
    yield (
        "articles",
        "give an expected article",
        [_share(column.given, column.expected) for column in columns],
    )
    yield "", "articles", [_share(column.articles, column.judged) for column in columns]
    yield "title", "with title", [_share(column.titled, column.articles) for column in columns]
    if now.dated is not None:
        yield "date", "with date", [_share(column.dated, column.articles) for column in columns]
    yield "length", "median length", [_median(column.lengths, ",.0f") for column in columns]
    yield "confidence", "median confidence", [_median(column.confidences, ".2f") for column in columns]


def _share(number: int | None, total: int) -> str:
    if number is None:
        return "-"
    return f"{number:,} {number / total:>6.0%}" if total else f"{number:,} {'-':>6}"


def _median(values: tuple[float, ...], form: str) -> str:
    return format(values[_MEDIAN], form) if values else "-"
