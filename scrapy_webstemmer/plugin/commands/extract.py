"""`scrapy extract`: apply patterns to stored pages, and write the articles."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

from scrapy.exceptions import UsageError

from ..setting_values import feed_formats
from ..settings import limits_of
from .arguments import (
    EXTRACT,
    add_arguments,
    add_output_arguments,
    add_workers_argument,
    check_output,
    extract_options,
    is_url,
)
from .base import INCOMPLETE, WebstemmerCommand, line_width, say
from .exports import (
    add_format_arguments,
    check_articles_output,
    check_encoding,
    is_folder,
    open_articles,
    open_output,
    options_for,
    output_format,
)
from .extraction import Extraction
from .inputs import check_pages, fetch_pages, note, open_inputs, progress, split_patterns
from .summary import extract_summary, skipped_summary

if TYPE_CHECKING:
    from ...options import ExtractOptions
    from ...storage.source import PageSource


class Command(WebstemmerCommand):
    """Apply patterns to stored pages."""

    takes_urls = True
    usage = "[options] [PATTERNS] INPUT... [-O FILE], or [options] --incremental INPUT... [-O FILE]"
    summary = "Turn crawled pages into articles, by their layouts"
    description = (
        "Turn crawled pages into articles with a pattern file of `scrapy analyze`: one article a page"
        " that matches a pattern, nothing for the others. INPUT is a learning set, a .warc or .warc.gz"
        " file, a .zip of Webstemmer 0.7.1, a folder of HTML files, a single one, a .list of files, - for"
        " standard input, or the url of a page to fetch. Without PATTERNS the project's own pattern file is"
        " taken. With --incremental there is no pattern file, and"
        " each page is read against what the pages before it have in common."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's options."""
        super().add_options(parser)
        add_output_arguments(parser)
        add_format_arguments(parser, self.settings)
        parser.add_argument(
            "--incremental",
            action="store_true",
            help="without PATTERNS, take out what recurs on the pages read so far, from the first page on",
        )
        add_arguments(parser, EXTRACT)
        parser.add_argument(
            "--sections",
            action="store_true",
            help="give each article's sections as well, as JSON lines have them",
        )
        add_workers_argument(parser)
        parser.add_argument(
            "--url", metavar="URL", help="the url that the page had, if INPUT is a single page from a file"
        )
        parser.add_argument(
            "--explain",
            action="store_true",
            help="instead of articles, write what decided about each page, and how",
        )
        parser.add_argument(
            "-d",
            "--debug",
            action="store_true",
            help="name each page without an article and the reason, on standard error",
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Extract from the inputs, write the articles, and print what became of the pages."""
        patterns, inputs = self._split(args, opts)
        check_pages(inputs, urls=True)
        if opts.url is not None and not is_url(opts.url):
            raise UsageError(f"--url {opts.url}: must begin with http:// or https://")
        check_encoding(opts.output_encoding)
        options = replace(extract_options(opts), limits=limits_of(self.settings))
        if not opts.explain:
            options = self._check_format(args, opts, options)
        elif is_folder(opts.output):
            raise UsageError(f"{opts.output}: is a folder, and --explain writes one file")
        elif opts.output != "-":
            check_output(opts.output, args)
        if opts.output == "-" or is_folder(opts.output):
            self.left = INCOMPLETE
        for line in self._extract(patterns, inputs, options, opts):
            say(sys.stderr, line)

    def _split(self, args: list[str], opts: argparse.Namespace) -> tuple[str | None, list[str]]:
        """Return the pattern file (None with ``--incremental``) and the inputs. Raises UsageError."""
        if opts.explain and (opts.format or opts.front_matter):
            other = "--format" if opts.format else "--front-matter"
            raise UsageError(f"--explain writes no articles: it has no use for {other}")
        if opts.incremental:
            if opts.classic or opts.explain:
                other = "--classic" if opts.classic else "--explain"
                raise UsageError(f"--incremental and {other} do not go together")
            if opts.workers > 1:
                raise UsageError("--incremental reads one page after the other: it has no use for --workers")
            return None, args
        patterns, inputs, is_of_project = split_patterns(args, self.settings)
        if is_of_project:
            note(f"patterns: {patterns}, as the settings of the project say")
        return patterns, inputs

    def _check_format(
        self, args: list[str], opts: argparse.Namespace, options: ExtractOptions
    ) -> ExtractOptions:
        """Find out the format, and return the options that it needs. Raises UsageError."""
        check_articles_output(opts.output, args)
        known, front_matter = feed_formats(self.settings), opts.front_matter
        opts.format = output_format(opts.output, opts.format, known, front_matter=front_matter)
        return options_for(opts.format, options, sections=opts.sections, front_matter=front_matter)

    def _extract(
        self, patterns: str | None, inputs: list[str], options: ExtractOptions, opts: argparse.Namespace
    ) -> list[str]:
        """Write the articles, and return the lines of the summary."""
        from ...patterns.pattern_file import PatternSet

        loaded = None if patterns is None else PatternSet.load(patterns, options.limits)
        run = Extraction(loaded, options, opts)
        width = line_width(sys.stderr)
        fetched = fetch_pages(self.crawler_process, inputs, guess=opts.encoding is None)
        with open_inputs(inputs, fetched=fetched) as sources:
            if opts.url is not None:
                _give_url(sources, opts.url)
            with (
                self._output(opts) as out,
                progress(sources, "extracting") as pages,
            ):
                run.write(pages, out)
            run.counts.unreadable += sum(source.skipped_count for source in sources)
            return [*extract_summary(run.counts, width), *skipped_summary(sources, width, debug=opts.debug)]

    def _output(self, opts: argparse.Namespace) -> AbstractContextManager[TextIO]:
        """Open the output for what the pages give."""
        if opts.explain:
            return open_output(opts.output, opts.output_encoding)
        return open_articles(opts.output, opts.format, opts.output_encoding, self.settings)


def _give_url(sources: Sequence[PageSource], url: str) -> None:
    """Let a page from a file have the url that the user names. Raises UsageError if it is not alone."""
    from ...storage.folder import HtmlFile

    if len(sources) != 1 or not isinstance(sources[0], HtmlFile):
        raise UsageError("--url goes with a single page: an HTML file, or standard input")
    sources[0].url = url
