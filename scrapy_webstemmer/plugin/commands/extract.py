"""`scrapy extract`: turn stored pages into articles with the patterns of a pattern file."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TextIO

from scrapy.exceptions import UsageError

from ...errors import PageError, visible
from ..settings import limits_of
from .arguments import (
    EXTRACT,
    add_arguments,
    add_output_arguments,
    add_workers_argument,
    check_inputs,
    check_output,
    extract_options,
)
from .base import WebstemmerCommand
from .inputs import note, open_inputs, progress
from .output import FORMATS, check_encoding, open_output, output_format
from .summary import ExtractCounts, extract_summary, skipped_summary
from .terminal import line_width, say, write

if TYPE_CHECKING:
    from ...options import ExtractOptions
    from ...patterns.files import PatternSet
    from ...values import Article, Page

__all__ = ["Command"]

logger = logging.getLogger(__name__)


class Command(WebstemmerCommand):
    """Apply patterns to stored pages."""

    def syntax(self) -> str:
        """Return the command's arguments."""
        return "[options] PATTERNS INPUT... [-O FILE], or [options] --incremental INPUT... [-O FILE]"

    def short_desc(self) -> str:
        """Return the command's line in the list of commands."""
        return "Turn crawled pages into articles, by their layouts"

    def long_desc(self) -> str:
        """Return what the command's help says."""
        return (
            "Turn crawled pages into articles with a pattern file of `scrapy analyze`: one article a page"
            " that matches a pattern, nothing for the others. INPUT is a learning set, a .warc or .warc.gz"
            " file, a .zip of Webstemmer 0.7.1, a folder of HTML files, a single one, a .list of files, or -"
            " for standard input. With --incremental there is no pattern file: each page is read against what"
            " the pages before it have in common."
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
        parser.add_argument(
            "--incremental",
            action="store_true",
            help="without PATTERNS, take out what recurs on the pages read so far, from the first page on",
        )
        add_arguments(parser, EXTRACT)
        add_workers_argument(parser)
        parser.add_argument(
            "-d", "--debug", action="store_true", help="name the pages that do not match, on standard error"
        )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Extract from the inputs, write the articles, and print what became of the pages."""
        patterns, inputs = _split(args, opts)
        check_inputs(inputs)
        if opts.output != "-":
            check_output(opts.output, args)
        check_encoding(opts.output_encoding)
        opts.format = output_format(opts.output, opts.format)
        if opts.format == "markdown":
            opts.markdown = True
        options = replace(extract_options(opts), limits=limits_of(self.settings))
        for line in _extract(patterns, inputs, options, opts):
            say(sys.stderr, line)


def _split(args: list[str], opts: argparse.Namespace) -> tuple[str | None, list[str]]:
    """Return the pattern file (None with ``--incremental``) and the inputs. Raises UsageError."""
    if opts.incremental:
        if opts.classic:
            raise UsageError("--incremental and --classic do not go together")
        if opts.workers > 1:
            raise UsageError("--incremental reads one page after the other: it has no use for --workers")
        return None, args
    if not args or args[0] == "-":
        raise UsageError("give a pattern file and at least one INPUT")
    check_inputs(args[:1])
    return args[0], args[1:]


def _extract(
    patterns: str | None, inputs: list[str], options: ExtractOptions, opts: argparse.Namespace
) -> list[str]:
    """Write the articles, and return the lines of the summary."""
    from ...patterns.files import PatternSet

    loaded = None if patterns is None else PatternSet.load(patterns, options.limits)
    run = _Extraction(loaded, options, opts)
    width = line_width(sys.stderr)
    with open_inputs(inputs) as sources:
        with (
            open_output(opts.output, opts.output_encoding) as out,
            progress(sources, "extracting") as pages,
        ):
            run.write(pages, out)
        run.counts.unreadable += sum(source.skipped_count for source in sources)
        return [*extract_summary(run.counts, width), *skipped_summary(sources, width, debug=opts.debug)]


class _Outcome(NamedTuple):
    """The result for one page.

    :param text: the text to write.
    :param pattern: name of the pattern that matched; empty for an article without a pattern; None if there is
        no article.
    :param problem: why the page could not be read; empty if it could.
    """

    text: str = ""
    pattern: str | None = None
    problem: str = ""


@dataclass(frozen=True)
class _Task:
    """Turn a page into the text to write. Other processes get this object, and know nothing else."""

    extract: Callable[[Page], Article | None]
    format: str
    encoding: str

    def __call__(self, page: Page) -> _Outcome:
        try:
            article = self.extract(page)
        except PageError as error:
            return _Outcome(problem=str(error))
        except Exception as error:  # an error of ours on one page must not cost all others
            logger.exception("not read: %s", visible(page.url))
            return _Outcome(problem=f"{page.url}: {type(error).__name__}: {error}")
        text = FORMATS[self.format](page, article, self.encoding)
        return _Outcome(text, article.pattern if article else None)


class _Extraction:
    """One run: pages in, records out, and counts. Without patterns, extraction is incremental."""

    def __init__(
        self, patterns: PatternSet | None, options: ExtractOptions, opts: argparse.Namespace
    ) -> None:
        self.patterns, self.options = patterns, options
        extract = _incremental(options) if patterns is None else _ByPatterns(patterns, options)
        self.task = _Task(extract, opts.format, opts.output_encoding)
        self.workers: int = opts.workers
        self.name_unmatched: bool = opts.debug
        self.counts = ExtractCounts()

    def write(self, pages: Iterable[Page], out: TextIO) -> None:
        """Write the record of each page, in the order of the pages; name each unreadable page."""
        from ...base.workers import Workers

        pool: Workers[str, Page, _Outcome] = Workers(self.task, self.workers)
        with pool:
            for page in self._accepted(pages):
                for url, outcome in pool.add(page.url, page, len(page.body)):
                    self._take(url, outcome, out)
            for url, outcome in pool.rest():
                self._take(url, outcome, out)

    def _accepted(self, pages: Iterable[Page]) -> Iterator[Page]:
        from ...options import accepts

        for page in pages:
            try:
                accepted = accepts(self.options.url_rules, page.url)
            except PageError as error:
                self.counts.unreadable += 1
                note(f"not read: {error}")
                continue
            if accepted:
                yield page
            else:
                self.counts.left_out += 1

    def _take(self, url: str, outcome: _Outcome, out: TextIO) -> None:
        """Write the record of a page, and count the page."""
        if outcome.problem:
            self.counts.unreadable += 1
            note(f"not read: {outcome.problem}")
            return
        if outcome.pattern is None:
            self._count_unmatched(url)
        elif not outcome.pattern:
            self.counts.by_themselves += 1
        else:
            self.counts.matched[outcome.pattern] += 1
        write(out, outcome.text)

    def _count_unmatched(self, url: str) -> None:
        from ...base.urls import site_of

        self.counts.unmatched += 1
        if self.patterns is not None and self.patterns.site_of(url) is None:
            self.counts.unknown_sites[site_of(url)] += 1
        if self.name_unmatched:
            note(f"unmatched: {url}")


@dataclass(frozen=True)
class _ByPatterns:
    """Return the article of a page that matches a pattern. Other processes get this object."""

    patterns: PatternSet
    options: ExtractOptions

    def __call__(self, page: Page) -> Article | None:
        from ...flow import extract

        return extract(page, self.patterns, self.options)


def _incremental(options: ExtractOptions) -> Callable[[Page], Article | None]:
    """Return a function that counts a page's segments and returns the page's article."""
    from ...blocks.anchors import find_anchors
    from ...blocks.bounds import check_page
    from ...incremental import IncrementalExtractor
    from ...reading.page import parse_within

    extractor = IncrementalExtractor(options=options)

    def extract(page: Page) -> Article | None:
        check_page(page, options.limits)
        root = parse_within(page, options.encoding, options.limits)
        return extractor.extract(page, find_anchors(root, page, options.limits).anchors, root=root)

    return extract
