"""START HERE: learn patterns from pages, and extract the article of a page.

    learn:    page -> blocks -> clusters -> sections, scores, title, container -> pattern
    extract:  page -> blocks -> pattern -> article

Both begin with the same steps. ``extraction/page_steps.py`` and ``learning/learn_sites.py`` have the further
steps of each. This module does not use Scrapy, and it does not read or write files. Between two calls it
keeps only what a ``PatternSet`` holds.
"""

from __future__ import annotations

import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import overload

from lxml import etree

from .base.parts import Parts, finish, rarely_collected
from .base.urls import site_of
from .base.workers import Workers
from .engines import ENGINES
from .errors import PageError
from .extraction.page_steps import (
    is_surely_list,
    read_alone,
    read_by_itself,
    read_by_site,
    with_article,
    without_thresholds,
)
from .extraction.result import Reason, Result
from .extraction.stated_text import or_stated
from .learning.learn_sites import HOW_TO_READ, accepted, add_linkinfo, learn_sites
from .learning.page_reading import Wanted, read_pages
from .learning.site_pages import SitePages
from .options import ExtractOptions, LearnOptions, accepts, check_kind
from .page.parsing import Element, whole_tree
from .page.sources import Source, TreeSource, read_layout, stated_urls
from .pattern_files.pattern_file import PatternSet
from .site.copies import content_of, plain_url
from .values import Article, Layout, Linkinfo, Page

logger = logging.getLogger(__name__)

#: Options are frozen, so all calls share one default instance.
_LEARN, _EXTRACT = LearnOptions(), ExtractOptions()
#: Bound: a longer text is no name of a file, and no url.
_LONGEST_NAME = 4_096
_NOSCRIPT = re.compile(rb"</?noscript\b[^<>]*+>", re.IGNORECASE)
#: A text that is only for browsers without scripts has so many significant characters; a request has fewer.
_LEAST_SPARE = 300


def learn(
    pages: Iterable[Page],
    linkinfo: Linkinfo | None = None,
    options: LearnOptions = _LEARN,
    *,
    workers: int = 1,
) -> PatternSet:
    """Learn the layouts of the sites that the pages come from.

    :param pages: read once, one at a time. Their order does not change the result. If a page comes in
        several versions, the one fetched last counts.
    :param linkinfo: for each url, the anchor texts under which other pages link to it, with counts. None:
        take the anchors from the pages themselves, in all their versions.
    :param workers: number of processes that share the work; 1: this process does it all. The number does
        not change the result. The processes read the pages. Where a process can be copied, they also
        learn the sites.
    :raises WorkerError: if one of the processes dies.

    An unreadable page is logged, counted in its site's ``unused``, and skipped. So is a page without a whole
    url, whose site is ``""``. A very large site is learned from a sample (``options.max_pages``). Sites are
    learned one by one and do not affect each other.

    Memory: about 8 KB a page (pages of 23 KB that share most of their text), or twice the text of pages that
    share none. Cost: linear in the number of pages, plus a pairwise comparison of at most 300 pages a site.
    """
    check_kind("options", options, LearnOptions)
    if isinstance(pages, Page | str | bytes | PathLike):
        raise TypeError(f"pages must be several, not {type(pages).__name__}; {HOW_TO_READ}")
    if linkinfo is not None and not hasattr(linkinfo, "items"):
        raise TypeError(f"linkinfo must map urls to counts of texts, and is a {type(linkinfo).__name__}")
    sites: dict[str, SitePages] = defaultdict(lambda: SitePages(options.max_pages))
    wanted = Wanted(options, anchors=linkinfo is None)
    with rarely_collected():
        for page, reading in read_pages(accepted(pages, sites, wanted), workers):
            sites[site_of(page.url, options.site)].take(page, reading)
        if linkinfo is not None:
            add_linkinfo(linkinfo, sites, options)
        return PatternSet(dict(sorted(learn_sites(sites, options, workers))))


@overload
def extract(
    page: Page | str | bytes,
    patterns: None = None,
    options: ExtractOptions = ...,
    *,
    url: str = "",
    root: Element = None,
) -> Article: ...


@overload
def extract(
    page: Page | str | bytes,
    patterns: PatternSet,
    options: ExtractOptions = ...,
    *,
    url: str = "",
    root: Element = None,
) -> Article | None: ...


def extract(
    page: Page | str | bytes,
    patterns: PatternSet | None = None,
    options: ExtractOptions = _EXTRACT,
    *,
    url: str = "",
    root: Element = None,
) -> Article | None:
    """Return the article on a page.

    Without patterns the page is read by what pages are like in general, and there always is an article:
    who asks for a page gets the text that it has. ``probability`` says whether the page is an
    article at all, and ``confidence`` whether this is the right text; thresholds and rules for urls do not
    count. Only a page without any text gives an article without one, which is false: ``if article:``. With
    the patterns of its site a page is read better.

    With patterns the result is None if the page looks like a list or another kind of page, unless
    ``options.all_kinds`` asks for these, too, or if the article's confidence is lower than
    ``options.min_confidence``. A page of a learned site may match no
    pattern. It is then read by its own evidence: its article has the pattern ``""``.
    ``options.unmatched`` switches this off. Pages of a site that was not learned are read only with
    ``options.fallback``. If fewer than 30 pages of a site were learned, a page's own evidence is always added
    to its pattern's.

    A page that shows no text of its own, but states one as the ``articleBody`` of JSON-LD or has one in the
    data of its scripts, gives that, with a low confidence and no pattern.

    :param page: a page, or its HTML: bytes as they were fetched, or text, whose charset is not looked for.
    :param patterns: the result of :func:`learn` or ``PatternSet.load``.
    :param url: the page's url, if ``page`` is HTML. Empty: the one that the page states as its own; if it
        states none, links stay relative.
    :param root: the root of the page's lxml tree, if the caller has parsed the page; it is not changed.
        Layouts of 2009 do not use it, since they need the tree of the parser of 2009.
    :raises PageError: if the page cannot be read.

    Cost: one parse (none if ``root`` is given, one more for HTML without a url), one walk, and at most two
    comparisons with each pattern of the page's site. Without patterns up to twice as much.
    """
    page = _page_of(page, url, options)
    if root is not None:
        check_kind("root", root, etree._Element, "getroot() of a tree, and root of a Selector, are one")
    source = None if root is None else TreeSource(page.url, whole_tree(root), options.limits)
    if patterns is None:
        return finish(_extract_alone(page, options, source))
    _check(page, patterns, options)
    return finish(_article_of(page, patterns, options, source))


def _article_of(
    page: Page, patterns: PatternSet, options: ExtractOptions, source: Source | None = None
) -> Parts[Article | None]:
    """Extract an article, in parts. The last one gives up the rest: no garbage collector looks at it."""
    return (yield from extract_in_parts(page, patterns, options, source=source)).article


def _page_of(page: Page | str | bytes, url: str, options: ExtractOptions) -> Page:
    """Return a page, given itself or its HTML. Raises TypeError for what is neither."""
    check_kind("options", options, ExtractOptions)
    if isinstance(page, Page):
        if url:
            raise TypeError("a Page has its own url, so url is only for HTML as text or bytes")
        return page
    if isinstance(page, str):
        _check_is_text(page)
        bare = Page(url, page.encode("utf-8", "replace"), encoding="utf-8")
    elif isinstance(page, bytes):
        bare = Page(url, page)
    else:
        raise TypeError(f"page must be a Page, or HTML as text or bytes, not {type(page).__name__}")
    if not url and (stated := stated_urls(bare, options.encoding, options.limits)):
        return replace(bare, url=stated[0])
    return bare


def _check_is_text(text: str) -> None:
    """Raise TypeError if what should be the text of a page is the name of a file, or a url."""
    if "<" in text or len(text) > _LONGEST_NAME:
        return
    if text.lower().startswith(("http://", "https://")) and len(text.split()) == 1:
        raise TypeError(f"page must be HTML, not its url; fetch {text.strip()!r:.200} first")
    with suppress(OSError, ValueError):
        if Path(text).is_file():
            raise TypeError(
                f"page must be HTML, not the name of a file; Path({text!r:.200}).read_bytes() reads it"
            )


def _extract_alone(page: Page, options: ExtractOptions, source: Source | None) -> Parts[Article]:
    """Extract the article of a page without patterns, in parts."""
    layout = yield from read_layout_alone(page, options, source)
    result = or_stated((yield from read_alone(layout, options)), without_thresholds(options))
    assert result.article is not None  # noqa: S101 - whoever asks for a page gets an article
    return result.article


def read_layout_alone(page: Page, options: ExtractOptions, source: Source | None = None) -> Parts[Layout]:
    """Return the layout of a page that gives its text whatever the page is, in parts."""
    layout = yield from read_layout(page, options.encoding, options.limits, source)
    yield
    return (yield from _or_spare(page, layout, options))


def _or_spare(page: Page, layout: Layout, options: ExtractOptions) -> Parts[Layout]:
    """Return a page's layout; if it shows hardly any text, one with the text for browsers without scripts.

    Some forums have no other. It counts if it is longer than a request to switch scripts on.
    """
    shown = sum(block.plain for block in layout.blocks)
    if shown >= _LEAST_SPARE or not _NOSCRIPT.search(page.body):
        return layout
    without = replace(page, body=_NOSCRIPT.sub(b"", page.body))
    spare = yield from read_layout(without, options.encoding, options.limits)
    return spare if sum(block.weight for block in spare.blocks) >= _LEAST_SPARE + shown else layout


def extract_all(
    pages: Iterable[Page], patterns: PatternSet, options: ExtractOptions = _EXTRACT, *, workers: int = 1
) -> Iterator[tuple[Page, Article | None]]:
    """Yield each page with its article, in the order of the pages; None where it gives none.

    Without patterns, learn them from the pages themselves: ``extract_all(pages, learn(pages))``, if ``pages``
    can be read twice.

    Up to sixteen pages are taken before the first article comes: they are read together, which takes a fifth
    less time than one by one.

    An unreadable page is logged, and gives none. Nor does a page whose article has come before, under a
    url that differs only in its form, unless ``options.copies`` asks for it. The other parameters are those
    of :func:`extract`.

    :param workers: number of processes that share the work. The number does not change the result.
    :raises WorkerError: if one of the processes dies.
    """
    if isinstance(pages, Page | str | bytes | PathLike):
        raise TypeError(f"pages must be several, not {type(pages).__name__}; {HOW_TO_READ}")
    work = partial(_article_or_none, patterns=patterns, options=options)
    contents: set[bytes] = set()
    with Workers[Page, Page, "Article | None"](work, workers, together=True) as pool:
        for page, article in pool.in_turn(_checked(pages, patterns, options)):
            if article is not None and not options.copies:
                content = content_of(article.url, article.title, article.text)
                article = None if content in contents else article
                contents.add(content)
            yield page, article


def _checked(
    pages: Iterable[Page], patterns: PatternSet, options: ExtractOptions
) -> Iterator[tuple[Page, Page, int]]:
    for page in pages:
        _check(page, patterns, options)
        yield page, page, len(page.body)


def _article_or_none(page: Page, patterns: PatternSet, options: ExtractOptions) -> Parts[Article | None]:
    try:
        article = yield from _article_of(page, patterns, options)
    except PageError as error:
        logger.warning("page skipped: %s", error)
        return None
    if article is None or options.copies:
        return article
    return replace(article, url=plain_url(article.url, article.canonical_url))


def _check(page: Page, patterns: PatternSet, options: ExtractOptions) -> None:
    check_kind("page", page, Page)
    check_kind("patterns", patterns, PatternSet, "PatternSet.load(path) reads a pattern file")
    check_kind("options", options, ExtractOptions)


def explain(page: Page, patterns: PatternSet, options: ExtractOptions = _EXTRACT) -> Result:
    """Extract the article of a page, and return all that was found out and what decided.

    An unreadable page has a result, too.
    """
    _check(page, patterns, options)
    try:
        return finish(extract_in_parts(page, patterns, options, thorough=True))
    except PageError as error:
        return Result(page.url, f"it cannot be read: {error.reason}", patterns.site_of(page.url), error=error)


def extract_in_parts(
    page: Page,
    patterns: PatternSet,
    options: ExtractOptions = _EXTRACT,
    *,
    source: Source | None = None,
    thorough: bool = False,
) -> Parts[Result]:
    """Do the work of :func:`extract` in parts. Each part takes about as long as the parse, or less.

    :param source: the page, if the caller has opened it.
    :param thorough: read the page even if its url shows already that it gives no article.
    """
    result = yield from _read_in_parts(page, patterns, options, source, thorough)
    return or_stated(result, options)


def _read_in_parts(
    page: Page, patterns: PatternSet, options: ExtractOptions, source: Source | None, thorough: bool
) -> Parts[Result]:
    if not accepts(options.url_rules, page.url):
        return Result(page.url, Reason.LEFT_OUT)
    site = patterns.site_of(page.url)
    if site is None and not options.fallback:
        return Result(page.url, Reason.UNKNOWN_SITE)
    if site and (read := ENGINES[site.layout].read):
        result: Result = yield from read(page, site, patterns, options, source)
        return result
    if site and not thorough and is_surely_list(page.url, site, options):
        return Result(page.url, Reason.NOT_AN_ARTICLE, site)
    layout = yield from read_layout(page, options.encoding, options.limits, source)
    if options.all_kinds:
        layout = yield from _or_spare(page, layout, options)
    if not layout.blocks:
        return Result(page.url, Reason.NO_TEXT, site, layout)
    yield
    if site is None:
        result = yield from read_by_itself(layout, options)
    else:
        result = yield from read_by_site(layout, site, patterns.model(site.site), options)
    if result.reason or result.page is None:
        return result
    yield
    return (yield from with_article(result, result.page, options))
