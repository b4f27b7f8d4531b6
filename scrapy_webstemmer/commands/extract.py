"""`scrapy extract`: apply patterns to stored pages, and write the articles."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from ..base.terminal import line_width, say
from ..errors import plural
from ..options import ExtractOptions, LearnOptions
from .analyze import learn_given, save_patterns
from .arguments import (
    EXTRACT,
    CommandError,
    add_arguments,
    add_flag,
    add_output_arguments,
    add_value,
    add_workers_argument,
    extract_options,
)
from .base import INCOMPLETE, WebstemmerCommand
from .exports import check_output, open_articles, with_format
from .extraction import Extraction
from .fetching import fetch_pages
from .formats import add_format_arguments, check_encoding, is_folder
from .inputs import (
    PATTERN_FILE,
    check_pages,
    check_patterns,
    is_url,
    note,
    open_inputs,
    progress,
    split_patterns,
    without_lists,
)
from .saved_pages import PagesWithUrls
from .summary import ExtractCounts, extract_summary, skipped_summary

if TYPE_CHECKING:
    from ..pattern_files.pattern_file import PatternSet
    from ..storage.source import PageSource
    from ..values import Page


class Command(WebstemmerCommand):
    """Turn pages into articles, by patterns or by what the pages themselves show."""

    takes_urls = True
    usage = "[options] [PATTERNS] INPUT... [-O FILE]"
    summary = "Turn pages into articles, by their layouts"
    description = (
        "Turn pages into articles. INPUT is the url of a page to fetch, an HTML file, a folder of them, a"
        " learning set, a .warc or .warc.gz file, a .zip of Webstemmer 0.7.1, a .list or .txt file of names"
        " or urls, or - for standard input. Each site is learned from the pages that are given, from one page"
        " on. With PATTERNS, a pattern file of `scrapy analyze`, or that of the project, nothing is learned."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's options."""
        super().add_options(parser)
        add_output_arguments(parser)
        add_format_arguments(parser, self.settings)
        add_value(parser, "--patterns", "FILE", "the pattern file, which may also stand before the inputs")
        add_value(
            parser, "--save-patterns", "FILE", "keep what was learned from the inputs as a pattern file"
        )
        add_arguments(parser, EXTRACT)
        add_flag(parser, "--sections", "give each article's sections as well, as JSON lines have them")
        add_workers_argument(parser)
        add_value(parser, "--url", "URL", "the url that the page had, if INPUT is a single page from a file")
        add_flag(parser, "--explain", "instead of articles, write what decided about each page, and how")
        add_flag(parser, "-d --debug", "name each page without an article and the reason, on standard error")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Extract from the inputs, write the articles, and print what became of the pages."""
        patterns, inputs = self._split(args, opts)
        sources = [*args, *([patterns] if patterns else ())]
        inputs = without_lists(inputs)
        check_pages(inputs, urls=True)
        if opts.url is not None and not is_url(opts.url):
            raise UsageError(f"--url {opts.url}: must begin with http:// or https://")
        if opts.save_patterns:
            check_output(opts.save_patterns, args, PATTERN_FILE)
        check_encoding(opts.output_encoding)
        options = extract_options(opts, self.settings)
        if not opts.explain:
            options = with_format(opts, sources, options, self.settings)
        elif is_folder(opts.output):
            raise UsageError(f"{opts.output}: is a folder, and --explain writes one file")
        elif opts.output != "-":
            check_output(opts.output, sources)
        if opts.output == "-" or is_folder(opts.output):
            self.left = INCOMPLETE
        for line in self._extract(patterns, inputs, options, opts):
            say(sys.stderr, line)

    def _split(self, args: list[str], opts: argparse.Namespace) -> tuple[str | None, list[str]]:
        """Return the pattern file, None if there is none, and the inputs. Raises UsageError."""
        if opts.explain and (opts.format or opts.front_matter):
            other = "--format" if opts.format else "--front-matter"
            raise UsageError(f"--explain writes no articles: it has no use for {other}")
        if opts.patterns:
            check_patterns([opts.patterns])
            patterns, inputs = opts.patterns, args
        else:
            patterns, inputs = split_patterns(args, self.settings)
        if patterns and opts.save_patterns:
            raise UsageError(f"--save-patterns: nothing is learned, since {patterns} is given")
        if opts.classic and not patterns:
            raise UsageError("--classic needs a pattern file; `scrapy analyze --classic` makes one")
        return patterns, inputs

    def _extract(
        self, patterns: str | None, inputs: list[str], options: ExtractOptions, opts: argparse.Namespace
    ) -> list[str]:
        """Write the articles, and return the lines of the summary."""
        from ..pattern_files.pattern_file import PatternSet

        loaded = None if patterns is None else PatternSet.load(patterns, options.limits)
        width = line_width(sys.stderr)
        fetched, failed = fetch_pages(self.crawler_process, inputs, guess=opts.encoding is None)
        with open_inputs(inputs, fetched=fetched) as sources:
            if opts.url is not None:
                _give_url(sources, opts.url)
            read: Sequence[Iterable[Page]] = sources
            if loaded is None:
                read = [PagesWithUrls(source, options) for source in sources]
                loaded, options = self._learned(sources, read, options, opts)
            run = Extraction(loaded, options, opts)
            form = "text" if opts.explain else opts.format
            output = open_articles(opts.output, form, opts.output_encoding, self.settings)
            with output as write, progress(sources, "extracting", read) as pages:
                run.write_articles(pages, write)
                run.counts.unreadable += failed + sum(source.skipped_count for source in sources)
                _check_read(run.counts, opts)  # an error leaves the block, and an earlier file stays as it is
            return [*extract_summary(run.counts, width), *skipped_summary(sources, width, debug=opts.debug)]

    def _learned(
        self,
        sources: Sequence[PageSource],
        read: Sequence[Iterable[Page]],
        options: ExtractOptions,
        opts: argparse.Namespace,
    ) -> tuple[PatternSet, ExtractOptions]:
        """Learn the sites of the inputs; return the patterns, and how pages are read with them."""
        learning = LearnOptions(encoding=options.encoding, url_rules=options.url_rules, limits=options.limits)
        learned, patterns = learn_given(sources, read, learning, workers=opts.workers)
        if opts.save_patterns:
            if not patterns.sites:
                note(f"{opts.save_patterns} was not written: no site has two pages to learn from")
            else:
                save_patterns(learned, opts.save_patterns)
        return patterns, replace(options, fallback=True)


def _check_read(counts: ExtractCounts, opts: argparse.Namespace) -> None:
    """Refuse inputs of which no page could be read. Raises CommandError."""
    if counts.pages > counts.unreadable or (opts.explain and counts.pages):
        return
    unread = f"{plural(counts.pages, 'page')} could not be read" if counts.pages else ""
    left = "" if opts.output == "-" else f", and {opts.output} was not written"
    raise CommandError(f"nothing was read{left}: {unread or 'the inputs have no pages'}")


def _give_url(sources: Sequence[PageSource], url: str) -> None:
    """Let a page from a file have the url that the user names. Raises UsageError if it is not alone."""
    from ..storage.folder import HtmlFile

    if len(sources) != 1 or not isinstance(sources[0], HtmlFile):
        raise UsageError("--url goes with a single page: an HTML file, or standard input")
    sources[0].url = url
