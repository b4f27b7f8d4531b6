"""Learn the patterns of each site from its pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..base.parts import finish
from ..base.samples import drawn
from ..base.urls import link_key, site_of
from ..base.workers import Workers
from ..engines import ENGINES
from ..errors import PageError
from ..extraction.make_article import plain_article
from ..extraction.page_steps import is_surely_list, read_placed
from ..fields.field_places import LANGUAGE, LEAST_TEXTS
from ..fields.traces import stated_language
from ..monitoring.tally import Tally
from ..options import ExtractOptions, LearnOptions, accepts, check_kind
from ..page.text import can_tell_languages, has_language, language_in
from ..patterns.make_patterns import LearnedPaths, learn_paths
from ..patterns.trust import unused_warnings
from ..site.comment_places import learn_threads
from ..site.copies import find_copies
from ..site.main_text import prose
from ..site.placed import PlacedLayout
from ..site.threads import Comments, find_comments
from ..values import Layout, Linkinfo, Page, Pattern, SitePatterns, UnusedPages
from .page_reading import Wanted
from .site_pages import SitePages

#: Reason of unused pages that need no warning: such a page redirects, or is a frame.
_WITHOUT_TEXT = "no text"
#: Reason of unused pages that would teach nothing new: enough other pages are learned from.
_NOT_DRAWN = "not in the sample"
#: Reason of unused pages that were learned from under another url.
_COPIES = "copies of other pages, under other urls"
_NEED_NO_WARNING = (_WITHOUT_TEXT, _NOT_DRAWN, _COPIES)
#: So many pages of a site show what its pages usually give. On most sites thirty of them are articles, which
#: is enough to tell that later ones are shorter or less sure.
_JUDGED_PAGES = 80
#: The languages of a site are those of so many of its articles. If a few of them agree, these are enough.
_READ_TEXTS, _FEW_TEXTS = 40, 10
#: If this share of the articles that state a language are in it, the statement is right.
_STATED_RIGHT = 0.7
#: If all of some articles state a language, and this share of them the right one, no others are read.
_AGREED = 0.9
#: A language is the site's if so many of the articles are in it, and this share of them.
_IN_LANGUAGE, _LANGUAGE_SHARE = 2, 0.05

#: What to say if somebody gives a path for pages.
HOW_TO_READ = "scrapy_webstemmer.storage.open_pages(path) reads the pages of a file or folder"

_EXTRACT_OPTIONS = ExtractOptions()


def accepted(
    pages: Iterable[Page], sites: Mapping[str, SitePages], wanted: Wanted
) -> Iterator[tuple[Page, Wanted]]:
    """Yield the pages that the url rules accept, each with the parts of it that learning needs.

    A page that is not in its site's sample will not be in it later: only its anchors are needed.
    """
    options, anchors_alone = wanted.options, wanted._replace(blocks=False)
    for page in pages:
        check_kind("each page", page, Page, HOW_TO_READ)
        name = site_of(page.url, options.site)
        try:
            if not accepts(options.url_rules, page.url):
                continue
            if sites[name].draw(page):
                yield page, wanted if sites[name].traces(page) else wanted._replace(traces=False)
            elif wanted.anchors:
                yield page, anchors_alone
        except PageError as error:
            sites[name].skip(page, error.reason)


def add_linkinfo(linkinfo: Linkinfo, sites: Mapping[str, SitePages], options: LearnOptions) -> None:
    """Store the anchor texts that lead to the pages. Most links lead to pages that were not stored."""
    known = {key for site in sites.values() for keys in site.keys.values() for key in keys}
    for url, texts in linkinfo.items():
        key = link_key(url)
        if key in known and (site := sites.get(site_of(url, options.site))):
            for text in texts:
                site.anchors.add(key, text)


def learn_sites(
    sites: Mapping[str, SitePages], options: LearnOptions, workers: int
) -> Iterator[tuple[str, SitePatterns]]:
    """Yield each site's name and patterns. Large sites come first, so that none is left for the end."""

    def learn_named(name: str) -> SitePatterns:
        return learn_site(name, sites[name], options)

    names = sorted(sites, key=lambda name: (-len(sites[name].layouts), name))
    count = min(workers, len(sites))
    with Workers[str, str, SitePatterns](learn_named, count, batch=1, forked=True) as pool:
        yield from pool.in_turn((name, name, 0) for name in names)


def learn_site(name: str, site: SitePages, options: LearnOptions) -> SitePatterns:
    """Return the patterns of a site; none if no page could be read."""
    engine = ENGINES[options.layout]
    stored = [(key, layout) for key, layout in sorted(site.layouts.items()) if layout.blocks]
    empty = [layout.url for _, layout in sorted(site.layouts.items()) if not layout.blocks]
    unread = [url for key, url in site.unread.items() if key not in site.layouts]
    copies = find_copies([layout for _, layout in stored]) if engine.judges else {}
    unused = [*_unused({"could not be read": unread, _WITHOUT_TEXT: empty, _COPIES: copies})]
    left_out = site.left_out
    if left_out.pages:
        unused.append(UnusedPages(_NOT_DRAWN, *left_out))
    layouts = [layout for _, layout in stored if layout.url not in copies]
    if not layouts:
        return SitePatterns(name, options.layout, 0, 0, (), tuple(unused), by=options.site)
    names: dict[str, set[str]] = defaultdict(set)
    for key, layout in stored:
        names[copies.get(layout.url, layout.url)] |= site.keys[key]
    anchors = {layout.url: site.anchors.to(names[layout.url]) for layout in layouts}
    known = len(site.layouts) + len(unread) + left_out.pages
    learned: SitePatterns = engine.learn(name, layouts, anchors, options, known)
    unused += learned.unused
    lost = [group for group in unused if group.reason not in _NEED_NO_WARNING]
    warnings = (*learned.warnings, *unused_warnings(lost, len(layouts) + len(unread)))
    return replace(
        learned, by=options.site, mangle=options.mangle or "", unused=tuple(unused), warnings=warnings
    )


def site_of_clusters(
    site: str,
    layout: str,
    pages: int,
    clusters: int,
    patterns: Iterable[Pattern],
    left: Mapping[str, Collection[str]],
) -> SitePatterns:
    """Return the patterns that an engine has made of the clusters of a site, best score first.

    :param layout: the name of the engine's layout.
    :param left: for each reason the urls of the pages that went into no pattern.
    """
    return SitePatterns(
        site=site,
        layout=layout,
        pages=pages,
        clusters=clusters,
        patterns=tuple(sorted(patterns, key=lambda pattern: (-pattern.score, pattern.name))),
        unused=tuple(_unused(dict(sorted(left.items())))),
    )


def _unused(left: Mapping[str, Collection[str]]) -> Iterator[UnusedPages]:
    """Yield the pages that are left for some reasons."""
    for reason, urls in left.items():
        if urls:
            yield UnusedPages(reason, len(urls), min(urls))


def learn_placed(
    site: str,
    layouts: Sequence[Layout],
    anchors: Mapping[str, Collection[str]],
    options: LearnOptions,
    known: int,
) -> SitePatterns:
    """Learn the patterns of a site whose pages are placed in it, and what they usually give.

    :param layouts: its pages, sorted by url.
    :param anchors: for a page's url, the anchor texts that lead to it.
    :param known: number of the site's pages that are known, also those without a layout.
    """
    learned = learn_paths(site, layouts, anchors, options)
    return replace(learned.site, **_judged(learned, known))


def _judged(learned: LearnedPaths, known: int) -> dict[str, Any]:
    """Return what a site's pages usually give, and the languages and threads of comments of its articles.

    They are the arguments of ``SitePatterns``. A sample is read with the patterns.

    :param known: number of the site's pages that are known, also those without a layout.
    """
    site, model, pages, evidence = learned
    tally, texts, threads = Tally(), list[tuple[str, str]](), list[tuple[PlacedLayout, Comments]]()
    for placed in drawn(pages, _JUDGED_PAGES):
        if is_surely_list(placed.url, site, _EXTRACT_OPTIONS):  # no crawl reads such a page
            continue
        result = finish(read_placed(placed, site, model, _EXTRACT_OPTIONS, evidence.get(placed.url)))
        if (read := result.page) and not result.reason:
            result = result._replace(article=plain_article(read))
            stated = stated_language(placed.layout)
            if stated is not None and has_language(text := prose(placed, read.parts.main)):
                texts.append((stated, text))
            if comments := find_comments(placed, read.parts.main):
                threads.append((placed, comments))
        tally.add(result, placed.layout.fetched)
    usual = tally.usual(known, max(page.layout.fetched for page in pages))
    languages, wrong = _languages(texts)
    common = {**site.common, LANGUAGE: wrong} if wrong else site.common
    return {"usual": usual, "languages": languages, "common": common, "threads": learn_threads(threads)}


def _languages(texts: Sequence[tuple[str, str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the languages of a site's articles, and those that many of its pages state wrongly.

    The first are empty if all pages state the right one. Templates state that of their maker, or none.
    Needs the extra ``language``; without it nothing is known. Cost: a millisecond for each text that is read.

    :param texts: some articles, each with the language that its page states.
    """
    if len(texts) < LEAST_TEXTS or not can_tell_languages():
        return (), ()
    pairs, right = list[tuple[str, str]](), Counter[str]()
    for number in (_FEW_TEXTS, _READ_TEXTS):
        some = texts[:: -(-len(texts) // number)]
        read = ((stated.partition("-")[0], language_in(text)) for stated, text in some)
        pairs = [(stated, language) for stated, language in read if language]
        if len(pairs) < LEAST_TEXTS:
            return (), ()
        right = Counter(stated for stated, language in pairs if stated == language)
        if all(stated for stated, _ in pairs) and right.total() >= _AGREED * len(pairs):
            return (), ()
        if len({language for _, language in pairs}) == 1:
            break
    stating = Counter(stated for stated, _ in pairs)
    wrong = [stated for stated, count in stating.items() if stated and right[stated] < _STATED_RIGHT * count]
    if not (wrong or stating[""]):
        return (), ()
    counts = Counter(language for _, language in pairs)
    least = max(_IN_LANGUAGE, _LANGUAGE_SHARE * counts.total())
    languages = [language for language, count in counts.items() if count >= least]
    return tuple(sorted(languages)), tuple(sorted(wrong))
