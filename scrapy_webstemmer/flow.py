"""START HERE: the way through the program, from pages to patterns and from a page to its article.

    learn:    page -> blocks -> clusters -> sections, scores, title, container -> pattern
    extract:  page -> blocks -> pattern -> article

Both walk the same first rooms. Nothing here knows of Scrapy, reads or writes a
file, or keeps anything from one call to the next but what a ``PatternSet`` holds.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from .articles.build import article_of_paths
from .articles.sequence import article_of_sequence
from .blocks.bounds import check_layout, check_page, check_tree
from .blocks.classic import parse_classic
from .blocks.mangling import mangled
from .blocks.parsing import Element
from .blocks.tags import CLASSIC, TODAY
from .blocks.walk import layout_of
from .errors import PageError
from .layouts.anchor_texts import AnchorTexts
from .layouts.dates import undated
from .layouts.placed import PlacedLayout
from .layouts.traits import SiteTraits, learn_traits
from .options import ExtractOptions, LearnOptions, accepts
from .patterns.files import PatternSet
from .patterns.learn import learn_paths
from .patterns.local import blended, match_itself
from .patterns.match import ENOUGH_PAGES, match_paths
from .patterns.sequence import learn_sequences, match_sequence
from .patterns.trust import left_over_warnings
from .reading import Reading, Wanted, parse_within, read_pages
from .urls import link_key, site_of, well_formed
from .values import Article, Block, Layout, LeftOver, Linkinfo, Page, SitePatterns

__all__ = ["extract", "learn"]

logger = logging.getLogger(__name__)

#: Why a page is left over that nobody misses: it redirects, or is a frame.
_NO_TEXT = "no text"
#: What is frozen may be shared by all calls.
_LEARN, _EXTRACT = LearnOptions(), ExtractOptions()


def learn(
    pages: Iterable[Page],
    linkinfo: Linkinfo | None = None,
    options: LearnOptions = _LEARN,
    *,
    workers: int = 1,
) -> PatternSet:
    """Learn the layouts of the sites that the pages come from.

    :param pages: read once, one at a time; their order has no part in the result. Of several versions of
        a page the one fetched last counts.
    :param linkinfo: for a url, the anchor texts under which other pages link to it, with counts; None:
        the anchors of the pages themselves, in all their versions.
    :param workers: read the pages in so many processes, which has no part in the result either; 1: in this
        one.
    :raises WorkerError: if one of the processes dies.

    A page that cannot be read is logged, counted in its site's ``left_over``, and
    passed over. Sites are learned one by one and have no part in each other's
    result. Memory: 8 KB for a page of 23 KB, of which most recurs on other pages, and
    twice the text of a page of its own. Cost: linear in the number of pages, but for comparing at most 300
    pages of a site pairwise.
    """
    sites: dict[str, _SitePages] = defaultdict(_SitePages)
    wanted = Wanted.of(options, anchors=linkinfo is None)
    for page, found in read_pages(_accepted(pages, sites, options), wanted, workers):
        _keep(page, found, sites[site_of(page.url, options.site)])
    if linkinfo is not None:
        _add_linkinfo(linkinfo, sites, options)
    return PatternSet({name: _learn_site(name, sites[name], options) for name in sorted(sites)})


def extract(
    page: Page, patterns: PatternSet, options: ExtractOptions = _EXTRACT, *, root: Element = None
) -> Article | None:
    """Return the article on a page, or None if it matches no pattern of articles.

    With ``options.fallback`` a page that matches no pattern at all gives what it says by itself: an article
    with a similarity close to 0 and the empty string for a pattern. Where few pages of the site are known, a
    page's own evidence adds to its pattern's, whatever the options.

    :param patterns: what :func:`learn` returned, or ``PatternSet.load``.
    :param root: the root of the page's lxml tree, if the caller has parsed it; it is not changed. Layouts
        of 2009 have no use for it: they are those of the parser of 2009.
    :raises PageError: if the page cannot be read.

    Cost: one parse (none if ``root`` is given), one walk, one comparison a pattern of the page's site.
    """
    if not accepts(options.url_rules, page.url):
        return None
    site = patterns.site_of(page.url)
    if site is None and not options.fallback:
        return None
    options = options.for_layout(site.layout if site else "paths")
    check_page(page, options.limits)
    mangle = options.mangle if options.mangle is not None or site is None else site.mangle
    if site and site.layout == "sequence":
        layout = layout_of(page.url, parse_classic(page, options.encoding, options.limits), CLASSIC)
        check_layout(layout, options.limits)
        layout = mangled(layout, mangle, classic=True) if mangle else layout
        found = match_sequence(layout, site, options) if layout.blocks else None
        return article_of_sequence(page.url, found, options) if found else None
    root = parse_within(page, options.encoding, options.limits) if root is None else root
    check_tree(page.url, root, options.limits)
    layout = layout_of(page.url, root, TODAY, keep_markup=True)
    check_layout(layout, options.limits)
    layout = mangled(layout, mangle) if mangle else layout
    if not layout.blocks:
        return None
    if site is None:
        traits = learn_traits([layout], _LEARN)
        return _own_article(traits.place(layout), traits, options)
    traits = patterns.traits(site.site)
    placed = traits.place(layout)
    match = match_paths(placed, site, options, patterns.index(site.site))
    if match is None:
        # of a small site every page is read, even if none that was learned from had text
        return _own_article(placed, traits, options if site.pages else replace(options, fallback=True))
    if match.pattern.kind != "article" or undated(placed, site.dated):
        return None
    if site.pages < ENOUGH_PAGES:
        placed, match = blended(placed, match, site, traits)
    return article_of_paths(placed, match, traits.affixes, options)


def _own_article(page: PlacedLayout, traits: SiteTraits, options: ExtractOptions) -> Article | None:
    """Return what a page says by itself, if that is asked for."""
    if not options.fallback:
        return None
    placed, match = match_itself(page, traits)
    return article_of_paths(placed, match, traits.affixes, options)


@dataclass(slots=True)
class _SitePages:
    """What is kept of a site's pages while they are read.

    Dictionaries by the page's :func:`~scrapy_webstemmer.urls.link_key`; ``shared`` has the steps, texts and
    blocks of all pages, which mostly recur.
    """

    layouts: dict[str, Layout] = field(default_factory=dict)
    versions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    keys: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    anchors: AnchorTexts = field(default_factory=AnchorTexts)
    unread: dict[str, str] = field(default_factory=dict)
    shared: dict[object, Any] = field(default_factory=dict)

    def keep(self, key: str, layout: Layout, fetched: str) -> None:
        """Keep a page's layout; what it has in common with other pages, most of it, is kept once for all."""
        known, once = self.shared.get, self.shared.setdefault
        steps = tuple(map(once, layout.steps, layout.steps))
        self.layouts[key] = replace(
            layout,
            steps=once(steps, steps),
            parents=once(layout.parents, layout.parents),
            links=once(layout.links, layout.links),
            leads=once(layout.leads, layout.leads),
            blocks=tuple([known(block) or self._share(block) for block in layout.blocks]),
            fetched=fetched,
        )

    def _share(self, block: Block) -> Block:
        """Keep a block that is new; its text may be known from another place."""
        node, text, weight, plain = block
        shared = Block(node, self.shared.setdefault(text, text), weight, plain)
        self.shared[shared] = shared
        return shared


def _accepted(pages: Iterable[Page], sites: dict[str, _SitePages], options: LearnOptions) -> Iterator[Page]:
    """Yield the pages that the url rules let through."""
    for page in pages:
        try:
            if accepts(options.url_rules, page.url):
                yield page
        except PageError as error:
            _pass_over(page, error.reason, sites[site_of(page.url, options.site)])


def _pass_over(page: Page, problem: str, site: _SitePages) -> None:
    key, url = link_key(page.url), well_formed(page.url)
    logger.warning("page passed over: %s", PageError(page.url, problem))
    site.unread[key] = min(url, site.unread.get(key, url))


def _keep(page: Page, found: Reading, site: _SitePages) -> None:
    """Keep of a page its layout, its names and its anchors to other pages of its site."""
    key, version = link_key(page.url), _version(page)
    site.keys[key].update((key, *map(link_key, page.aliases)))
    layout = found.layout
    if layout is None:
        _pass_over(page, found.problem, site)
        return
    known = site.versions.get(key, ())
    if version >= known:
        if version == known:  # two records of one time: what is in them decides
            layout = max(layout, site.layouts[key], key=_content)
        site.versions[key] = version
        site.keep(key, layout, page.fetched or "")
    for target, text in found.anchors:
        site.anchors.add(target, text)


def _version(page: Page) -> tuple[str, ...]:
    """Return what orders a page's versions: the time, then anything but the body in which two can differ."""
    return page.fetched or "", page.encoding or "", page.url


def _content(layout: Layout) -> tuple[object, ...]:
    """Return all that was read from a page's body, in an order that the order of reading has no part in."""
    return (
        layout.blocks,
        layout.steps,
        layout.parents,
        layout.links,
        layout.leads,
        layout.title_element,
        layout.og_title,
    )


def _add_linkinfo(linkinfo: Linkinfo, sites: dict[str, _SitePages], options: LearnOptions) -> None:
    for url, texts in linkinfo.items():
        site = sites.get(site_of(url, options.site))
        if site is not None:
            key = link_key(url)
            for text in texts:
                site.anchors.add(key, text)


def _learn_site(name: str, site: _SitePages, options: LearnOptions) -> SitePatterns:
    site.shared.clear()
    keyed = [(key, layout) for key, layout in sorted(site.layouts.items()) if layout.blocks]
    layouts = [layout for _, layout in keyed]
    empty = [layout.url for _, layout in sorted(site.layouts.items()) if not layout.blocks]
    unread = [url for key, url in site.unread.items() if key not in site.layouts]
    left_over = [
        LeftOver(reason, len(urls), min(urls))
        for reason, urls in (("could not be read", unread), (_NO_TEXT, empty))
        if urls
    ]
    if not layouts:
        return SitePatterns(name, options.layout, 0, 0, (), tuple(left_over), by=options.site)
    anchors = {layout.url: site.anchors.to(site.keys[key]) for key, layout in keyed}
    learn_layouts = learn_sequences if options.layout == "sequence" else learn_paths
    learned = learn_layouts(name, layouts, anchors, options)
    left_over += learned.left_over
    lost = [group for group in left_over if group.reason != _NO_TEXT]
    warnings = (*learned.warnings, *left_over_warnings(lost, len(layouts) + len(unread)))
    return replace(
        learned,
        by=options.site,
        mangle=options.mangle or "",
        left_over=tuple(left_over),
        warnings=warnings,
    )
