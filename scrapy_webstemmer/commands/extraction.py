"""Read pages for a command: records of their articles come out, and counts of what became of the pages."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from ..base.urls import site_of
from ..errors import PageError, plural
from ..options import ExtractOptions, accepts
from ..review.explanation import DOUBTFUL, explanation_text
from .formats import Record, record_of
from .inputs import note, problem_of
from .saved_pages import with_stated_url
from .summary import DOUBTS, NO_AUTHOR, NO_DAY, NO_TITLE, ExtractCounts

if TYPE_CHECKING:
    from ..base.parts import Parts
    from ..pattern_files.pattern_file import PatternSet
    from ..values import Article, Page


class _Outcome(NamedTuple):
    """The result for one page.

    :param text: the text to write.
    :param pattern: name of the pattern that matched; empty for an article without a pattern; None if there is
        no article.
    :param problem: why the page could not be read; empty if it could.
    :param reason: why there is no article; empty if there is one.
    :param content: what tells the article from others, if copies are to be left out; else empty.
    :param lacks: what the article lacks, in the words of ``summary.py``.
    """

    text: str = ""
    pattern: str | None = None
    problem: str = ""
    reason: str = ""
    content: bytes = b""
    lacks: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Reading:
    """Give the record of a page's article, or why there is none, in parts. Other processes get this object.

    :param write: returns the record; None: the account of the page takes its place.
    :param thorough: find out more about each page than its article needs.
    """

    patterns: PatternSet
    options: ExtractOptions
    write: Record | None
    encoding: str
    thorough: bool

    def __call__(self, page: Page) -> Parts[_Outcome]:
        try:
            return (yield from self._outcome(page))
        except Exception as error:
            return _Outcome(problem=problem_of(page, error))

    def _outcome(self, page: Page) -> Parts[_Outcome]:
        from ..api import explain, extract_in_parts
        from ..site.copies import content_of, plain_url

        if self.thorough:
            result = explain(page, self.patterns, self.options)
        else:
            result = yield from extract_in_parts(page, self.patterns, self.options)
        article, write = result.article, self.write
        if write is None:
            pattern = None if article is None else article.pattern
            return _Outcome(explanation_text(result), pattern, str(result.error or ""), result.reason)
        if result.error:
            return _Outcome(problem=str(result.error), reason=result.reason)
        if article is None:
            return _Outcome(write(page, article, self.encoding), reason=result.reason)
        content = b""
        if not self.options.copies:
            article = replace(article, url=plain_url(article.url, article.canonical_url))
            content = content_of(article.url, article.title, article.text)
        text, lacks = write(page, article, self.encoding), _lacks(article, self.options)
        return _Outcome(text, article.pattern, "", result.reason, content, lacks)


def _lacks(article: Article, options: ExtractOptions) -> tuple[str, ...]:
    """Return what an article lacks, as far as it was looked for; and whether it is doubtful."""
    looked_for = options.metadata and article.probability is not None  # other layouts than paths have neither
    lacks = {
        NO_TITLE: not article.title,
        NO_DAY: looked_for and not article.date,
        NO_AUTHOR: looked_for and not article.authors,
        DOUBTS: article.confidence is not None and article.confidence < DOUBTFUL,
    }
    return tuple(what for what, lacking in lacks.items() if lacking)


class Extraction:
    """One run: pages in, records out, and counts.

    :param since: articles of pages that were fetched then or later count as new; ISO 8601, empty: none do.
    """

    def __init__(
        self, patterns: PatternSet, options: ExtractOptions, opts: argparse.Namespace, since: str = ""
    ) -> None:
        self.patterns, self.options, self._opts = patterns, options, opts
        self.counts = ExtractCounts()
        self._contents: set[bytes] = set()
        self._since = since
        self._say: Callable[..., object] | None = None

    def write_articles(self, pages: Iterable[Page], write: Callable[[str], object]) -> None:
        """Write the record of each page, in the order of the pages; name each unreadable page."""
        from ..base.workers import Workers

        opts, record = self._opts, None
        if not opts.explain:
            record = record_of(
                opts.output, opts.format, sections=opts.sections, front_matter=opts.front_matter
            )
        thorough = opts.explain or opts.debug
        reading = _Reading(self.patterns, self.options, record, opts.output_encoding, thorough)
        pool: Workers[tuple[str, bool], Page, _Outcome] = Workers(reading, opts.workers, together=True)
        self._say = getattr(pages, "set_postfix_str", None)  # a progress bar
        pages = (with_stated_url(page, self.patterns, self.options) for page in pages)
        with pool:
            accepted = pages if opts.explain else self._accepted(pages)
            tasks = (((page.url, self._is_new(page)), page, len(page.body)) for page in accepted)
            for (url, is_new), outcome in pool.in_turn(tasks):
                self._take(url, outcome, write, is_new=is_new)

    def _is_new(self, page: Page) -> bool:
        return bool(self._since) and (page.fetched or "") >= self._since

    def _accepted(self, pages: Iterable[Page]) -> Iterator[Page]:
        from ..extraction.result import Reason

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

    def _take(self, url: str, outcome: _Outcome, write: Callable[[str], object], *, is_new: bool) -> None:
        """Write the record of a page, and count the page."""
        if outcome.content in self._contents:
            self.counts.copies += 1
            if self._opts.debug:
                note(f"no article: {url}: its article has come before, under another url")
            return
        if outcome.content:
            self._contents.add(outcome.content)
        write(outcome.text)
        if outcome.problem:
            self.counts.unreadable += 1
            note(f"not read: {outcome.problem}")
            return
        if outcome.pattern is None:
            self._count_without(url, outcome.reason)
            return
        if outcome.pattern:
            self.counts.matched[outcome.pattern] += 1
        else:
            self.counts.by_themselves += 1
        if self._say is not None:
            self._say(plural(self.counts.articles, "article"), refresh=False)
        self.counts.new += is_new
        for what in outcome.lacks:
            self.counts.lacking[what] += 1
            self.counts.lacking_such_as.setdefault(what, url)

    def _count_without(self, url: str, reason: str) -> None:
        """Count a page that gives no article, and name it if that is wanted."""
        from ..extraction.result import Reason

        self.counts.reasons[reason] += 1
        if reason == Reason.UNKNOWN_SITE:
            self.counts.unknown_sites[site_of(url)] += 1
        if self._opts.debug:
            note(f"no article: {url}: {reason}")
