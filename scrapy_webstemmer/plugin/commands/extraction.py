"""Turn pages into the records of a command: articles by patterns or without, in order, and counts."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TextIO, TypeAlias

from ...errors import PageError, visible
from .base import write
from .inputs import FORMATS, json_line, json_line_with_sections, note, with_stated_url
from .summary import ExtractCounts

if TYPE_CHECKING:
    from ...options import ExtractOptions
    from ...patterns.pattern_file import PatternSet
    from ...values import Article, Page

logger = logging.getLogger(__name__)

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
            pattern = None if result.article is None else result.article.pattern
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
        return _Outcome(write(page, article, encoding), None if article is None else article.pattern)
    article = replace(article, url=plain_url(article.url, article.canonical_url))
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
