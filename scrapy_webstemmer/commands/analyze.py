"""`scrapy analyze`: learn the layouts of the sites in a learning set, and save them as a pattern file.

What other commands learn from the pages that they are given is learned and saved here as well.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scrapy.exceptions import UsageError

from ..base.terminal import line_width, say
from ..engines import ENGINES
from ..errors import PatternFileError, plural
from ..options import LearnOptions
from ..pattern_files.pattern_sources import is_resource, locked
from .arguments import (
    LEARN,
    CommandError,
    add_arguments,
    add_flag,
    add_value,
    add_workers_argument,
    learn_options,
)
from .base import WebstemmerCommand
from .exports import check_output
from .inputs import INPUTS, LINKINFO_NAME, PATTERN_FILE, check_pages, note, open_inputs, progress
from .summary import learn_summary, skipped_summary

if TYPE_CHECKING:
    from ..pattern_files.pattern_file import PatternSet
    from ..storage.source import PageSource
    from ..values import Page


class Command(WebstemmerCommand):
    """Learn patterns from stored pages."""

    usage = "[options] INPUT... -o PATTERNS"
    summary = "Learn the layouts of crawled pages"
    description = (
        "Learn the layouts of crawled pages and save them as a pattern file for `scrapy extract` and"
        f" WEBSTEMMER_PATTERNS. {INPUTS}"
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's options."""
        super().add_options(parser)
        add_value(parser, "-o -O --output", "PATTERNS", "the pattern file to write")
        add_arguments(parser, LEARN)
        add_value(
            parser,
            "--linkinfo",
            "NAME",
            "zip member or file that holds the anchor texts, 'linkinfo' if not given; with an empty name"
            " the anchor texts come from the pages themselves, whatever the inputs record",
            default=LINKINFO_NAME,
        )
        add_workers_argument(parser)
        add_flag(parser, "-d --debug", "show the sections of each pattern")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Learn from the inputs, write the pattern file, and print what was learned."""
        options = learn_options(opts, self.settings)
        check_pages(args)
        if not opts.output:
            raise UsageError("say with -o which pattern file to write")
        check_output(opts.output, args, PATTERN_FILE)
        _check_format(opts.output, options)
        learned = _learn(args, opts, options)
        if len(learned.patterns):
            learned = learned._replace(patterns=save_patterns(learned.patterns, opts.output))
        for line in _lines(learned, opts):
            say(sys.stdout, line)
        if not len(learned.patterns):
            reason = _reason(learned)
            raise CommandError(f"no pattern was learned, and {opts.output} was not written: {reason}")


class _Learned(NamedTuple):
    """What the inputs gave.

    :param pages: number of pages that were read, before any was left out.
    :param skipped: number of unreadable records.
    :param unread: the lines that name them.
    """

    patterns: PatternSet
    pages: int
    skipped: int
    unread: Sequence[str]


def _check_format(name: str, options: LearnOptions) -> None:
    """Refuse a pattern file whose format cannot hold the patterns. Raises UsageError."""
    from ..pattern_files.pattern_file import CLASSIC_SUFFIX

    if is_resource(name):
        raise UsageError(f"{name}: names a resource of a package, which cannot be written")
    if name.lower().endswith(CLASSIC_SUFFIX) and CLASSIC_SUFFIX not in ENGINES[options.layout].formats:
        raise UsageError(f"{name}: {CLASSIC_SUFFIX} is the format of 2009: add --classic, or call it .json")


def _learn(inputs: list[str], opts: argparse.Namespace, options: LearnOptions) -> _Learned:
    from ..api import learn
    from ..storage import merged_linkinfo

    with open_inputs(inputs, opts.linkinfo) as sources, progress(sources, "learning") as pages:
        linkinfo = merged_linkinfo(sources) if opts.linkinfo else None
        if linkinfo is None and opts.linkinfo not in ("", LINKINFO_NAME):
            note(f"warning: no input has linkinfo called {opts.linkinfo}")
        numbers = count()
        counted = (page for page, _ in zip(pages, numbers, strict=False))
        patterns = learn(counted, linkinfo, options, workers=opts.workers)
        unread = list(skipped_summary(sources, line_width(sys.stdout), debug=opts.debug))
        return _Learned(patterns, next(numbers), sum(len(source.skipped) for source in sources), unread)


def learn_given(
    sources: Sequence[PageSource],
    read: Sequence[Iterable[Page]],
    options: LearnOptions,
    *,
    workers: int = 1,
    what: str = "",
) -> tuple[PatternSet, PatternSet]:
    """Learn the sites of pages; return what was learned, and those patterns by which the pages are read.

    The second set lacks the sites of a single page, and those that taught nothing: their pages are read one
    by one, as if nothing but the page itself was known.

    :param read: the pages of the sources, with the urls that they have.
    :param what: what is learned, for the progress bar.
    """
    from ..api import learn
    from ..pattern_files.pattern_file import PatternSet
    from ..storage import merged_linkinfo

    with progress(sources, f"learning {what}".strip(), read) as pages:
        learned = learn(pages, merged_linkinfo(sources), options, workers=workers)
    known = {name: site for name, site in learned.sites.items() if site.patterns and site.pages > 1}
    return learned, PatternSet(known)


def save_patterns(patterns: PatternSet, name: str) -> PatternSet:
    """Write patterns, with the corrections that the file which they replace has by then, and return them."""

    with locked(name) if Path(name).is_file() else nullcontext():
        patterns = _with_corrections(patterns, name)
        patterns.save(name)
    return patterns


def _with_corrections(patterns: PatternSet, name: str) -> PatternSet:
    """Return patterns with the corrections in the file that they replace; name those without a place."""
    from ..pattern_files.pattern_file import PatternSet
    from ..patterns.corrections import corrected, corrected_again

    try:
        before = PatternSet.load(name).sites if Path(name).is_file() else {}
        sites = corrected_again(patterns.sites, before)
    except PatternFileError as error:
        note(f"warning: corrections in the old pattern file are lost: {error}")
        return patterns
    for site, learned in sites.items():
        for unfit in corrected(learned)[1]:
            what = " ".join(filter(None, (unfit.what, unfit.path or unfit.container)))
            note(f"warning: {site}: this correction fits no layout any more: {what}")
    return PatternSet(sites)


def _lines(learned: _Learned, opts: argparse.Namespace) -> Iterator[str]:
    """Yield what was learned about each site, and which records could not be read."""
    patterns, width = learned.patterns, line_width(sys.stdout)
    if patterns.sites:
        yield from learn_summary(patterns, width, debug=opts.debug)
    if learned.unread:
        yield from ("", *learned.unread)
    if len(patterns):
        yield f"\nnext: scrapy extract {opts.output} INPUT... -O articles.jsonl"


def _reason(learned: _Learned) -> str:
    """Return why no pattern was learned."""
    if not learned.pages:
        skipped = plural(learned.skipped, "record")
        return f"{skipped} could not be read" if learned.skipped else "the inputs have no pages"
    reasons: Counter[str] = Counter()
    for site in learned.patterns.sites.values():
        for group in site.unused:
            reasons[group.reason] += group.pages
    if not reasons:
        return f"-a and -j leave out all of {plural(learned.pages, 'page')}"
    return ", ".join(f"{plural(pages, 'page')}: {reason}" for reason, pages in reasons.most_common())
