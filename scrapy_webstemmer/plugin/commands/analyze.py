"""`scrapy analyze`: learn the layouts of the sites in a learning set, and save them as a pattern file."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from ..settings import limits_of
from .arguments import (
    LEARN,
    add_arguments,
    add_workers_argument,
    check_inputs,
    check_output,
    learn_options,
)
from .base import WebstemmerCommand
from .inputs import LINKINFO_NAME, note, open_inputs, progress
from .summary import learn_summary, skipped_summary
from .terminal import line_width, plural, say

if TYPE_CHECKING:
    from ...options import LearnOptions
    from ...patterns.files import PatternSet

__all__ = ["Command"]


class Command(WebstemmerCommand):
    """Learn patterns from stored pages."""

    def syntax(self) -> str:
        """Return the command's arguments."""
        return "[options] INPUT... -o PATTERNS"

    def short_desc(self) -> str:
        """Return the command's line in the list of commands."""
        return "Learn the layouts of crawled pages"

    def long_desc(self) -> str:
        """Return what the command's help says."""
        return (
            "Learn the layouts of crawled pages and save them as a pattern file for `scrapy extract` and"
            " WEBSTEMMER_PATTERNS. INPUT is a learning set, a .warc or .warc.gz file, a .zip of Webstemmer"
            " 0.7.1, a folder of HTML files, a single one, a .list of files, or - for standard input."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's options."""
        super().add_options(parser)
        parser.add_argument("-o", "--output", metavar="PATTERNS", help="the pattern file to write")
        add_arguments(parser, LEARN)
        parser.add_argument(
            "--linkinfo",
            metavar="NAME",
            default=LINKINFO_NAME,
            help="zip member or file that holds the anchor texts, 'linkinfo' if not given; with an empty name"
            " the anchor texts come from the pages themselves, whatever the inputs record",
        )
        add_workers_argument(parser)
        parser.add_argument("-d", "--debug", action="store_true", help="show the sections of each pattern")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Learn from the inputs, write the pattern file, and print what was learned."""
        options = replace(learn_options(opts), limits=limits_of(self.settings))
        check_inputs(args)
        if not opts.output:
            raise UsageError("say with -o which pattern file to write")
        check_output(opts.output, args)
        _check_format(opts.output, options)
        patterns, unread = _learn(args, opts, options)
        patterns.save(opts.output)
        _tell(patterns, unread, opts)


def _check_format(name: str, options: LearnOptions) -> None:
    """Refuse a pattern file whose format cannot hold the patterns. Raises UsageError."""
    from ...patterns.files import CLASSIC_SUFFIX

    if name.lower().endswith(CLASSIC_SUFFIX) and options.layout != "sequence":
        raise UsageError(f"{name}: {CLASSIC_SUFFIX} is the format of 2009: add --classic, or call it .json")


def _learn(
    inputs: list[str], opts: argparse.Namespace, options: LearnOptions
) -> tuple[PatternSet, list[str]]:
    """Return the patterns, and the lines that name unreadable records."""
    from ...flow import learn
    from ...storage import merged_linkinfo

    with (
        open_inputs(inputs, opts.linkinfo) as sources,
        progress(sources, "learning") as pages,
    ):
        linkinfo = merged_linkinfo(sources) if opts.linkinfo else None
        if linkinfo is None and opts.linkinfo not in ("", LINKINFO_NAME):
            note(f"warning: no input has linkinfo called {opts.linkinfo}")
        patterns = learn(pages, linkinfo, options, workers=opts.workers)
        return patterns, list(skipped_summary(sources, line_width(sys.stdout), debug=opts.debug))


def _tell(patterns: PatternSet, unread: list[str], opts: argparse.Namespace) -> None:
    for line in learn_summary(patterns, line_width(sys.stdout), debug=opts.debug):
        say(sys.stdout, line)
    for line in ["", *unread] if unread else []:
        say(sys.stdout, line)
    if len(patterns):
        say(sys.stdout, f"\nnext: scrapy extract {opts.output} INPUT... -O articles.jsonl")
    else:
        say(sys.stderr, f"warning: no pattern was learned, {opts.output} is empty: {_reason(patterns)}")


def _reason(patterns: PatternSet) -> str:
    pages = sum(site.pages for site in patterns.sites.values())
    if pages < 3:
        return f"{plural(pages, 'page')} read, and a pattern takes several pages with the same layout"
    return "no pages had enough of their layout in common"
