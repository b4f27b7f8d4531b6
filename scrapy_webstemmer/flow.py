"""START HERE: learn patterns from pages, and extract the article of a page.

    learn:    page -> blocks -> clusters -> sections, scores, title, container -> pattern
    extract:  page -> blocks -> pattern -> article

Both begin with the same steps. This module does not use Scrapy, and it does not
read or write files. Between two calls it keeps only what a ``PatternSet`` holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from .articles.build import ArticleParts, article_of_paths, markdown_of, parts_of, plain_article
from .articles.explanation import Explanation, Reason
from .base.parts import Parts, finish
from .base.sampling import drawn
from .base.urls import link_key, site_of
from .base.workers import Workers
from .blocks.parsing import Element
from .classic.articles import article_of_sequence, layout_of_2009
from .classic.patterns import learn_sequences, match_sequence, threshold_of_sequences
from .errors import PageError
from .layouts.kind import MOST_ODDS, own_odds, signs_of
from .layouts.main_text import MainTextChoice
from .layouts.placed import PlacedLayout
from .layouts.traits import SiteTraits, learn_traits
from .monitoring.tally import Tally
from .options import TREE_LAYOUTS, ExtractOptions, LearnOptions, accepts
from .patterns.files import PatternSet
from .patterns.index import PatternIndex
from .patterns.kinds import evidence_of, probability
from .patterns.learn import learn_paths
from .patterns.local import beside_others, blended, match_itself
from .patterns.match import ENOUGH_PAGES, Match, match_paths, threshold_of, traits_of
from .patterns.trust import unused_warnings
from .reading.page import Wanted, read_layout
from .reading.pages import read_pages
from .reading.site_pages import SitePages
from .trees.articles import TreePatterns, article_of_tree
from .trees.build import build_tree
from .trees.patterns import learn_leaves, learn_tree_edit
from .values import Article, Layout, Linkinfo, Page, SitePatterns, UnusedPages, Usual

__all__ = ["explain", "extract", "extract_in_parts", "learn"]

#: Reason of unused pages that need no warning: such a page redirects, or is a frame.
_NO_TEXT = "no text"
#: Reason of unused pages that would teach nothing new: enough other pages are learned from.
_NOT_DRAWN = "not in the sample"
#: So many pages of a site show what its pages usually give.
_JUDGED_PAGES = 300
#: What learns a site's patterns, by the layout.
_LEARNERS = {
    "paths": learn_paths,
    "sequence": learn_sequences,
    "tree-edit": learn_tree_edit,
    "leaves": learn_leaves,
}
#: Options are frozen, so all calls share one default instance.
_LEARN, _EXTRACT = LearnOptions(), ExtractOptions()


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

    An unreadable page is logged, counted in its site's ``unused``, and skipped. A very large site is learned
    from a sample (``options.max_pages``). Sites are learned one by one and do not affect each other.

    Memory: about 8 KB a page (pages of 23 KB that share most of their text), or twice the text of pages that
    share none. Cost: linear in the number of pages, plus a pairwise comparison of at most 300 pages a site.
    """
    sites: dict[str, SitePages] = defaultdict(lambda: SitePages(options.max_pages))
    tree = build_tree if options.layout in TREE_LAYOUTS else None
    wanted = Wanted.of(options, anchors=linkinfo is None, tree=tree)
    for page, found in read_pages(_accepted(pages, sites, wanted, options), workers):
        sites[site_of(page.url, options.site)].take(page, found)
    if linkinfo is not None:
        _add_linkinfo(linkinfo, sites, options)
    return PatternSet(dict(sorted(_learn_sites(sites, options, workers))))


def extract(
    page: Page, patterns: PatternSet, options: ExtractOptions = _EXTRACT, *, root: Element = None
) -> Article | None:
    """Return the article on a page; None if the page looks like a list or another kind of page.

    A page of a learned site may match no pattern. It is then read by its own evidence: its article has a low
    confidence and the pattern ``""``. ``options.unmatched`` switches this off. Pages of a site that was not
    learned are read in the same way, but only with ``options.fallback``. If fewer than 30 pages of a site
    were learned, a page's own evidence is always added to its pattern's.

    :param patterns: the result of :func:`learn` or ``PatternSet.load``.
    :param root: the root of the page's lxml tree, if the caller has parsed the page; it is not changed.
        Layouts of 2009 do not use it, since they need the tree of the parser of 2009.
    :raises PageError: if the page cannot be read.

    Cost: one parse (none if ``root`` is given), one walk, and at most two comparisons with each pattern of
    the page's site.
    """
    return finish(extract_in_parts(page, patterns, options, root=root))


def explain(page: Page, patterns: PatternSet, options: ExtractOptions = _EXTRACT) -> Explanation:
    """Extract the article of a page, and return what was found out on the way and what decided.

    An unreadable page is explained, too. The page is compared with all patterns of its site; so this takes
    longer than :func:`extract` on a site with many patterns.
    """
    explanation = Explanation(page.url, thorough=True, choice=MainTextChoice())
    try:
        explanation.article = finish(extract_in_parts(page, patterns, options, explanation=explanation))
    except PageError as error:
        explanation.error = error
        explanation.refuse(f"it cannot be read: {error.reason}")
    return explanation


def extract_in_parts(
    page: Page,
    patterns: PatternSet,
    options: ExtractOptions = _EXTRACT,
    *,
    root: Element = None,
    layout: Layout | None = None,
    explanation: Explanation | None = None,
) -> Parts[Article | None]:
    """Do the work of :func:`extract` in parts. Each part takes about as long as the parse, or less.

    :param layout: the page's layout from ``reading.page.read_layout``, if the caller has it.
    :param explanation: filled with what is found out and what decides; None: nobody wants to know.
    """
    told = explanation or Explanation(page.url)
    if not accepts(options.url_rules, page.url):
        return told.refuse(Reason.LEFT_OUT)
    site = told.site = patterns.site_of(page.url)
    if site is None and not options.fallback:
        return told.refuse(Reason.UNKNOWN_SITE)
    if site and site.layout == "sequence":
        return _classic_article(page, site, options, told)
    if site and site.layout in TREE_LAYOUTS:
        trees = patterns.kept(site.site, TreePatterns.of)
        article = yield from article_of_tree(page, trees, options, root, told)
        return _with_markdown(article, options) if article else None
    if layout is None:
        layout = yield from read_layout(page, options.encoding, options.limits, root)
    told.layout = layout
    if not layout.blocks:
        return told.refuse(Reason.NO_TEXT)
    yield
    if site is None:
        traits = learn_traits([layout], _LEARN)
        return _own_article(traits.place(layout), traits, options, told)
    # with an index the page is compared only with the patterns that it could match best
    index = None if told.thorough else patterns.index(site.site)
    return (yield from _site_article(layout, site, patterns.traits(site.site), index, options, told))


def _site_article(
    layout: Layout,
    site: SitePatterns,
    traits: SiteTraits,
    index: PatternIndex | None,
    options: ExtractOptions,
    told: Explanation,
) -> Parts[Article | None]:
    """Return the article on a page of a learned site, in parts."""
    page = yield from _judged(layout, site, traits, index, options, told)
    if page is None:
        return None
    yield
    return article_of_paths(*page, traits.affixes, options, told.probability or 0.0)


def _judged(
    layout: Layout,
    site: SitePatterns,
    traits: SiteTraits,
    index: PatternIndex | None,
    options: ExtractOptions,
    told: Explanation,
) -> Parts[tuple[PlacedLayout, Match, ArticleParts] | None]:
    """Return a page, its match and its article's parts, in parts; None without an article."""
    placed = traits.place(layout)
    best = match_paths(placed, site, options, index, compared=told.compared)
    told.threshold, told.least = threshold_of(site, options), options.article_threshold
    evidence = told.evidence = evidence_of(placed, site, best, MOST_ODDS)
    told.probability = probability(evidence)
    if told.probability < options.article_threshold:
        told.refuse(Reason.UNLIKE_ARTICLES)  # the page's own evidence cannot make it an article
        return None
    match = best
    if best is not None and best.pattern.kind != "article":
        match = match_paths(placed, site, options, kind="article")
    if match is None and not options.reads_unmatched:
        told.refuse(Reason.NO_MATCH)
        return None
    yield
    if match is None:
        placed, match = match_itself(beside_others(placed, site, traits), traits)
    elif site.pages < ENOUGH_PAGES:
        placed, match = blended(placed, match, site, traits)
    told.match = match
    parts = told.parts = parts_of(placed, match.pattern, traits.affixes, told.choice)
    if parts is None:
        told.refuse(Reason.NO_MAIN_TEXT)
        return None
    told.signs = signs_of(placed, match.pattern.container, parts.main, parts.place)
    told.evidence = evidence._replace(own=own_odds(told.signs))
    told.probability = probability(told.evidence)
    if told.probability < options.article_threshold:
        told.refuse(Reason.NOT_AN_ARTICLE)
        return None
    return placed, match, parts


def _classic_article(
    page: Page, site: SitePatterns, options: ExtractOptions, told: Explanation
) -> Article | None:
    """Return the article on a page of a site with layouts of 2009."""
    layout = told.layout = layout_of_2009(page, site, options)
    if not layout.blocks:
        return told.refuse(Reason.NO_TEXT)
    told.threshold = threshold_of_sequences(options)
    found = match_sequence(layout, site, options, told.compared)
    if found is None:
        return told.refuse(Reason.NO_MATCH)
    told.match = Match(found.pattern, found.similarity)
    return _with_markdown(article_of_sequence(page.url, found, options), options)


def _with_markdown(article: Article, options: ExtractOptions) -> Article:
    """Return an article with its Markdown, if it was asked for."""
    if not options.markdown:
        return article
    return replace(article, markdown=markdown_of(article.title, article.html))


def _own_article(
    page: PlacedLayout, traits: SiteTraits, options: ExtractOptions, told: Explanation
) -> Article | None:
    """Return the article on a page of a site that was not learned, by the page's own evidence."""
    placed, told.match = match_itself(page, traits)
    parts = told.parts = parts_of(placed, told.match.pattern, traits.affixes, told.choice)
    if parts is None:
        return told.refuse(Reason.NO_MAIN_TEXT)
    return article_of_paths(placed, told.match, parts, traits.affixes, options)


def _accepted(
    pages: Iterable[Page], sites: Mapping[str, SitePages], wanted: Wanted, options: LearnOptions
) -> Iterator[tuple[Page, Wanted]]:
    """Yield the pages that the url rules accept, each with the parts of it that learning needs.

    A page that is not in its site's sample will not be in it later: only its anchors are needed.
    """
    anchors_alone = wanted._replace(blocks=False)
    for page in pages:
        name = site_of(page.url, options.site)
        try:
            if not accepts(options.url_rules, page.url):
                continue
            if sites[name].draw(page):
                yield page, wanted
            elif wanted.anchors:
                yield page, anchors_alone
        except PageError as error:
            sites[name].skip(page, error.reason)


def _add_linkinfo(linkinfo: Linkinfo, sites: Mapping[str, SitePages], options: LearnOptions) -> None:
    """Store the anchor texts that lead to the pages. Most links lead to pages that were not stored."""
    known = {key for site in sites.values() for keys in site.keys.values() for key in keys}
    for url, texts in linkinfo.items():
        key = link_key(url)
        if key not in known:
            continue
        site = sites.get(site_of(url, options.site))
        if site is not None:
            for text in texts:
                site.anchors.add(key, text)


def _learn_sites(
    sites: Mapping[str, SitePages], options: LearnOptions, workers: int
) -> Iterator[tuple[str, SitePatterns]]:
    """Yield each site's name and patterns. Large sites come first, so that none is left for the end."""
    learn_one = partial(_learn_named, sites=sites, options=options)
    count = min(workers, len(sites))
    with Workers[str, str, SitePatterns](learn_one, count, batch=1, forked=True) as pool:
        for name in sorted(sites, key=lambda name: (-len(sites[name].layouts), name)):
            yield from pool.add(name, name)
        yield from pool.rest()


def _learn_named(name: str, sites: Mapping[str, SitePages], options: LearnOptions) -> SitePatterns:
    return _learn_site(name, sites[name], options)


def _learn_site(name: str, site: SitePages, options: LearnOptions) -> SitePatterns:
    keyed = [(key, layout) for key, layout in sorted(site.layouts.items()) if layout.blocks]
    layouts = [layout for _, layout in keyed]
    empty = [layout.url for _, layout in sorted(site.layouts.items()) if not layout.blocks]
    unread = [url for key, url in site.unread.items() if key not in site.layouts]
    unused = [
        UnusedPages(reason, len(urls), min(urls))
        for reason, urls in (("could not be read", unread), (_NO_TEXT, empty), (_NOT_DRAWN, site.left_out()))
        if urls
    ]
    if not layouts:
        return SitePatterns(name, options.layout, 0, 0, (), tuple(unused), by=options.site)
    anchors = {layout.url: site.anchors.to(site.keys[key]) for key, layout in keyed}
    learned = _LEARNERS[options.layout](name, layouts, anchors, options)
    unused += learned.unused
    lost = [group for group in unused if group.reason not in (_NO_TEXT, _NOT_DRAWN)]
    warnings = (*learned.warnings, *unused_warnings(lost, len(layouts) + len(unread)))
    known = len(site.layouts) + len(unread) + len(site.left_out())
    return replace(
        learned,
        by=options.site,
        mangle=options.mangle or "",
        unused=tuple(unused),
        warnings=warnings,
        usual=_usual(learned, layouts, known) if options.layout == "paths" else None,
    )


def _usual(site: SitePatterns, layouts: Sequence[Layout], known: int) -> Usual:
    """Return what a site's pages usually give: a sample of them is read with the patterns.

    :param known: number of the site's pages that are known, also those without a layout.
    """
    traits, index, tally = traits_of(site), PatternIndex(site.patterns), Tally()
    for layout in drawn(layouts, _JUDGED_PAGES):
        told = Explanation(layout.url)
        page = finish(_judged(layout, site, traits, index, _EXTRACT, told))
        article = page and plain_article(*page, traits.affixes, told.probability or 0.0)
        tally.add(told, article, layout.fetched)
    return tally.usual(known, max(layout.fetched for layout in layouts))
