"""`scrapy extract`: turn stored pages into articles with the patterns of a pattern file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

from scrapy.exceptions import UsageError

from ..errors import PageError
from ..settings import limits_of
from .arguments import (
    EXTRACT,
    add_arguments,
    add_output_arguments,
    check_inputs,
    check_output,
    extract_options,
)
from .base import WebstemmerCommand
from .inputs import note, open_inputs, progress
from .output import FORMATS, check_encoding, open_output, output_format
from .summary import ExtractCounts, extract_summary, skipped_summary
from .terminal import line_width, say

if TYPE_CHECKING:
    from ..options import ExtractOptions
    from ..patterns.files import PatternSet
    from ..values import Page

__all__ = ["Command"]


class Command(WebstemmerCommand):
    """Apply patterns to stored pages."""

    def syntax(self) -> str:
        """Return the command's arguments."""
        return "[options] PATTERNS INPUT... [-O FILE]"

    def short_desc(self) -> str:
        """Return the command's line in the list of commands."""
        return "Turn crawled pages into articles, by their layouts"

    def long_desc(self) -> str:
        """Return what the command's help says."""
        return (
            "Turn crawled pages into articles with a pattern file of `scrapy analyze`: one article a page"
            " that matches a pattern, nothing for the others. INPUT is a learning set, a .warc or .warc.gz"
            " file, a .zip of Webstemmer 0.7.1, a folder of HTML files, a single one, a .list of files, or -"
            " for standard input."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's options."""
        super().add_options(parser)
        add_output_arguments(parser)
        parser.add_argument(
            "--format",
            choices=sorted(FORMATS),
            help="one JSON object an article, the text output of Webstemmer 0.7.1, or Markdown"
            "; if not given, text for a FILE.txt, markdown for a FILE.md and jsonl for all others",
        )
        add_arguments(parser, EXTRACT)
        parser.add_argument(
            "-d", "--debug", action="store_true", help="name the pages that do not match, on standard error"
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Extract from the inputs, write the articles, tell what became of the pages."""
        if not args or args[0] == "-":
            raise UsageError("give a pattern file and at least one INPUT")
        check_inputs(args[:1])
        check_inputs(args[1:])
        if opts.output != "-":
            check_output(opts.output, args)
        check_encoding(opts.output_encoding)
        opts.format = output_format(opts.output, opts.format)
        if opts.format == "markdown":
            opts.markdown = True
        options = replace(extract_options(opts), limits=limits_of(self.settings))
        for line in _extract(args[0], args[1:], options, opts):
            say(sys.stderr, line)


def _extract(
    patterns: str, inputs: list[str], options: ExtractOptions, opts: argparse.Namespace
) -> list[str]:
    """Write the articles, and return the lines of the summary."""
    from ..patterns.files import PatternSet

    run = _Extraction(PatternSet.load(patterns, options.limits), options, opts)
    width = line_width(sys.stderr)
    with open_inputs(inputs) as sources:
        with (
            open_output(opts.output, opts.output_encoding) as out,
            progress(sources, "extracting") as pages,
        ):
            run.write(pages, out)
        run.counts.unreadable += sum(len(source.skipped) for source in sources)
        return [*extract_summary(run.counts, width), *skipped_summary(sources, width, debug=opts.debug)]


class _Extraction:
    """One run: pages in, records out, and counts."""

    def __init__(self, patterns: PatternSet, options: ExtractOptions, opts: argparse.Namespace) -> None:
        self.patterns, self.options = patterns, options
        self.encoding, self.record = opts.output_encoding, FORMATS[opts.format]
        self.name_unmatched: bool = opts.debug
        self.counts = ExtractCounts()

    def write(self, pages: Iterable[Page], out: TextIO) -> None:
        """Write what comes of each page; a page that cannot be read is named, and the rest goes on."""
        from ..flow import extract
        from ..options import accepts

        for page in pages:
            try:
                if not accepts(self.options.url_rules, page.url):
                    self.counts.left_out += 1
                    continue
                article = extract(page, self.patterns, self.options)
            except PageError as error:
                self.counts.unreadable += 1
                note(f"not read: {error}")
                continue
            if article is None:
                self._count_unmatched(page)
            elif not article.pattern:
                self.counts.by_themselves += 1
            else:
                self.counts.matched[article.pattern] += 1
            out.write(self.record(page, article, self.encoding))

    def _count_unmatched(self, page: Page) -> None:
        from ..urls import site_of

        self.counts.unmatched += 1
        if self.patterns.site_of(page.url) is None:
            self.counts.unknown_sites[site_of(page.url)] += 1
        if self.name_unmatched:
            note(f"unmatched: {page.url}")
