"""`scrapy extract`: apply patterns to stored pages, and write the articles."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TextIO, TypeAlias

from scrapy.exceptions import UsageError

from ...errors import PageError, visible
from ..setting_values import ARTICLE_FIELDS, feed_formats
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
from .base import INCOMPLETE, WebstemmerCommand, line_width, say, write
from .exports import open_export
from .inputs import (
    FORMATS,
    check_encoding,
    check_pages,
    fetch_pages,
    json_line,
    json_line_with_sections,
    note,
    open_inputs,
    open_output,
    output_format,
    progress,
    split_patterns,
    with_stated_url,
)
from .summary import ExtractCounts, extract_summary, skipped_summary

if TYPE_CHECKING:
    from ...options import ExtractOptions
    from ...patterns.pattern_file import PatternSet
    from ...storage.source import PageSource
    from ...values import Article, Page

logger = logging.getLogger(__name__)

# --- The work of `scrapy extract`: pages in, records out, and counts of what became of the pages

#: Returns the record of a page and its article, if it gave one, in a charset.
_Write: TypeAlias = "Callable[[Page, Article | None, str], str]"


class _Outcome(NamedTuple):
    """The result for one page.

    :param text: the text to write.
    :param pattern: name of the pattern that matched; empty for an article without a pattern; None if there is
        no article.
    :param problem: why the page could not be read; empty if it could.
    :param reason: why there is no article; empty if there is one, or if extraction is incremental.
    :param content: what tells the article from others, if copies are to be left out; else empty.
    """

    text: str = ""
    pattern: str | None = None
    problem: str = ""
    reason: str = ""
    content: bytes = b""


@dataclass(frozen=True)
class _Task:
    """Turn a page into the text to write. Other processes get this object, and know nothing else."""

    outcome_of: Callable[[Page], _Outcome]

    def __call__(self, page: Page) -> _Outcome:
        try:
            return self.outcome_of(page)
        except PageError as error:
            return _Outcome(problem=str(error))
        except Exception as error:  # an error of ours on one page must not cost all others
            logger.exception("not read: %s", visible(page.url))
            return _Outcome(problem=f"{page.url}: {type(error).__name__}: {error}")


@dataclass(frozen=True)
class _ByPatterns:
    """Give the record of a page's article, and the reason if there is none.

    :param write: returns the record; None: the account of the page takes its place.
    :param thorough: find out more about each page than its article needs.
    """

    patterns: PatternSet
    options: ExtractOptions
    write: _Write | None
    encoding: str
    thorough: bool

    def __call__(self, page: Page) -> _Outcome:
        from ...api import explain, extract_in_parts
        from ...base.work import finish
        from .explanation import explanation_text

        if self.thorough:
            result = explain(page, self.patterns, self.options)
        else:
            result = finish(extract_in_parts(page, self.patterns, self.options))
        if self.write is None:
            pattern = result.article.pattern if result.article else None
            return _Outcome(explanation_text(result), pattern, str(result.error or ""), result.reason)
        if result.error:
            return _Outcome(problem=str(result.error), reason=result.reason)
        found = _outcome_with(page, result.article, self.options, self.write, self.encoding)
        return found._replace(reason=result.reason)


def _outcome_with(
    page: Page, article: Article | None, options: ExtractOptions, write: _Write, encoding: str
) -> _Outcome:
    """Return the outcome for a page that could be read, with what tells its article from others."""
    from ...site.copies import content_of, plain_url

    if article is None or options.copies:
        return _Outcome(write(page, article, encoding), article.pattern if article else None)
    if article.metadata:
        article = replace(article, url=plain_url(article.url, article.metadata.canonical_url))
    content = content_of(article.url, article.title, article.text)
    return _Outcome(write(page, article, encoding), article.pattern, content=content)


class Extraction:
    """One run: pages in, records out, and counts. Without patterns, extraction is incremental."""

    def __init__(
        self, patterns: PatternSet | None, options: ExtractOptions, opts: argparse.Namespace
    ) -> None:
        self.patterns, self.options = patterns, options
        self.task = _Task(_outcome_of(patterns, options, opts))
        self.workers: int = opts.workers
        self.explain: bool = opts.explain
        self.debug: bool = opts.debug
        self.counts = ExtractCounts()
        self._contents: set[bytes] = set()

    def write(self, pages: Iterable[Page], out: TextIO) -> None:
        """Write the record of each page, in the order of the pages; name each unreadable page."""
        from ...base.work import Workers

        pool: Workers[str, Page, _Outcome] = Workers(self.task, self.workers)
        pages = (with_stated_url(page, self.patterns, self.options) for page in pages)
        with pool:
            for page in pages if self.explain else self._accepted(pages):
                for url, outcome in pool.add(page.url, page, len(page.body)):
                    self._take(url, outcome, out)
            for url, outcome in pool.rest():
                self._take(url, outcome, out)

    def _accepted(self, pages: Iterable[Page]) -> Iterator[Page]:
        from ...article.result import Reason
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
                self._count_without(page.url, Reason.LEFT_OUT)

    def _take(self, url: str, outcome: _Outcome, out: TextIO) -> None:
        """Write the record of a page, and count the page."""
        if outcome.content in self._contents:
            self.counts.copies += 1
            if self.debug:
                note(f"no article: {url}: its article has come before, under another url")
            return
        if outcome.content:
            self._contents.add(outcome.content)
        write(out, outcome.text)
        if outcome.problem:
            self.counts.unreadable += 1
            note(f"not read: {outcome.problem}")
            return
        if outcome.pattern is None:
            self._count_without(url, outcome.reason)
        elif not outcome.pattern:
            self.counts.by_themselves += 1
        else:
            self.counts.matched[outcome.pattern] += 1

    def _count_without(self, url: str, reason: str) -> None:
        """Count a page that gives no article, and name it if that is wanted."""
        from ...article.result import Reason
        from ...base.urls import site_of

        if reason == Reason.LEFT_OUT:
            self.counts.left_out += 1
        elif reason == Reason.UNCERTAIN:
            self.counts.uncertain += 1
        else:
            self.counts.unmatched += 1
            if self.patterns is not None and self.patterns.site_of(url) is None:
                self.counts.unknown_sites[site_of(url)] += 1
        if self.debug:
            note(f"no article: {url}{': ' if reason else ''}{reason}")


def _outcome_of(
    patterns: PatternSet | None, options: ExtractOptions, opts: argparse.Namespace
) -> Callable[[Page], _Outcome]:
    """Return what the options ask for. Without patterns, extraction is incremental."""
    # a format of Scrapy's feeds gets the rows that JSON lines have
    record = None if opts.explain else FORMATS.get(opts.format, json_line)
    if record is json_line:
        options = replace(options, sections=opts.sections)
        record = json_line_with_sections if opts.sections else json_line
    elif record is not None:  # other formats have no such fields
        options = replace(options, metadata=False, comments=False)
    if patterns is not None:
        thorough = opts.explain or opts.debug
        return _ByPatterns(patterns, options, record, opts.output_encoding, thorough)
    assert record is not None  # noqa: S101 - only --explain goes without a format
    return _incremental(options, record, opts.output_encoding)


def _incremental(options: ExtractOptions, write: _Write, encoding: str) -> Callable[[Page], _Outcome]:
    """Return a function that counts a page's segments and gives the record of the page's article."""
    from ...html.anchors import find_anchors
    from ...html.sources import open_page
    from ...incremental import IncrementalExtractor

    extractor = IncrementalExtractor(options=options)

    def extract(page: Page) -> _Outcome:
        source = open_page(page, options.encoding, options.limits)
        anchors = find_anchors(source, page, options.limits).anchors
        article = extractor.extract(page, anchors, source=source)
        return _outcome_with(page, article, options, write, encoding)

    return extract


# --- `scrapy extract`: turn stored pages into articles with the patterns of a pattern file


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
        parser.add_argument(
            "--format",
            metavar="FORMAT",
            choices=sorted({*FORMATS, *feed_formats(self.settings)}),
            help="jsonl, one JSON object an article; text, the output of Webstemmer 0.7.1; markdown; or a"
            " format of Scrapy's feeds, such as csv, json or xml; if not given, the ending of FILE chooses"
            " it, and jsonl is that of a FILE without one",
        )
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
        if opts.output != "-":
            check_output(opts.output, args)
        else:
            self.left = INCOMPLETE
        check_encoding(opts.output_encoding)
        if not opts.explain:
            opts.format = output_format(opts.output, opts.format, feed_formats(self.settings))
        if opts.format == "markdown":
            opts.markdown = True
        if opts.format == "text":
            opts.copies = True  # it has a record of each page
        options = replace(extract_options(opts), limits=limits_of(self.settings))
        for line in self._extract(patterns, inputs, options, opts):
            say(sys.stderr, line)

    def _split(self, args: list[str], opts: argparse.Namespace) -> tuple[str | None, list[str]]:
        """Return the pattern file (None with ``--incremental``) and the inputs. Raises UsageError."""
        if opts.explain and opts.format:
            raise UsageError("--explain writes no articles: it has no use for --format")
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
        if opts.format is None or opts.format in FORMATS:
            return open_output(opts.output, opts.output_encoding)
        return open_export(opts.output, opts.format, opts.output_encoding, ARTICLE_FIELDS, self.settings)


def _give_url(sources: Sequence[PageSource], url: str) -> None:
    """Let a page from a file have the url that the user names. Raises UsageError if it is not alone."""
    from ...storage.folder import HtmlFile

    if len(sources) != 1 or not isinstance(sources[0], HtmlFile):
        raise UsageError("--url goes with a single page: an HTML file, or standard input")
    sources[0].url = url
