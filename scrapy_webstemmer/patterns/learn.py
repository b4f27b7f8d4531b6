"""Learn a site's patterns: pages form clusters, and clusters give patterns (path layouts).

``classic/patterns.py`` learns the layouts of 2009.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ..base.sampling import drawn
from ..layouts.boilerplate import BoilerplateTexts, bare_keys
from ..layouts.clusters import cluster
from ..layouts.container import share_containers
from ..layouts.placed import PlacedLayout
from ..layouts.profile_table import ProfileTable
from ..layouts.similarity import Profile, profile_of
from ..layouts.templates import Template, join_templates
from ..layouts.traits import SiteTraits, place_all
from ..options.learn import LearnOptions
from ..values.layouts import Layout
from ..values.patterns import LearnWarning, Pattern, SitePatterns, UnusedPages
from .kinds import mean_odds, odds_by_shape
from .pattern import Titles, find_container_of
from .told import dated_articles, odds_of_odd_pages, tell_kinds, with_article
from .trust import find_warnings, with_figures

__all__ = ["learn_paths"]

#: On sites whose layouts count as known, a pattern needs at least this number of pages.
_LEAST_PAGES = 3
#: A template is one of index pages if more than this share of its container's text leads to other pages. It
#: is then not joined to a template of articles.
_LISTS = 0.5


def learn_paths(
    site: str,
    layouts: Sequence[Layout],
    anchors: Mapping[str, Collection[str]],
    options: LearnOptions,
) -> SitePatterns:
    """Learn the patterns of one site from its pages.

    :param layouts: the site's pages, sorted by url.
    :param anchors: for a page's url, the anchor texts that lead to it.
    """
    traits, pages = place_all(layouts, options)
    profiles = {page.url: profile_of(page) for page in pages}
    clusters = _clusters(pages, profiles, options)
    kept, unused = _large_enough(clusters, len(pages), options)
    known = len(pages) >= options.known_pages
    templates = _with_containers(kept, profiles, known, options)
    titles = Titles(anchors, traits.affixes)
    if known:
        templates = _joined(templates, titles, options)
    told = with_article(
        [part for template in templates for part in tell_kinds(template, titles, traits.affixes, options)]
    )
    patterns = [with_figures(part.pattern, part.template.pages, anchors, traits.affixes) for part in told]
    by_name = {part.pattern.name: part.template for part in told}
    if len(pages) == 1:  # a text that the next page has, too, stands on two pages: it is boilerplate
        traits = replace(traits, boilerplate=BoilerplateTexts(bare_keys(pages[0].layout, pages[0].paths)))
    odds = {url: value for part in told for url, value in part.odds.items()}
    taken = {page.url for members in kept for page in members}
    odd = odds_of_odd_pages((page for page in pages if page.url not in taken), traits.affixes, options)
    warnings = find_warnings(by_name, patterns, anchors, odds | odd, options.known_pages)
    found = _site_patterns(site, traits, (len(pages), len(clusters)), patterns, unused, warnings)
    return replace(
        found,
        shapes=odds_by_shape(odds | odd),
        odd_odds=mean_odds([*odd.values()]),
        dated=dated_articles(told) if known else 0.0,
    )


def _clusters(
    pages: Sequence[PlacedLayout], profiles: Mapping[str, Profile], options: LearnOptions
) -> list[list[PlacedLayout]]:
    urls = [page.url for page in pages]
    found = cluster(
        [profiles[url] for url in urls],
        ProfileTable,
        options.least_similarity,
        keys=urls,
        kinds=[frozenset(profiles[url]) for url in urls],  # equal kinds: similarity 1
    )
    return [[pages[index] for index in members] for members in found]


def _large_enough(
    clusters: list[list[PlacedLayout]], pages: int, options: LearnOptions
) -> tuple[list[list[PlacedLayout]], list[UnusedPages]]:
    """Return the clusters that give a pattern, and the unused pages.

    On a small site every page counts. On a large site a layout of one or two pages
    is that of an odd page (an imprint, an error), and a page like it is not an article.
    """
    least = _LEAST_PAGES if pages >= options.known_pages else 1
    kept = [members for members in clusters if len(members) >= least] or clusters
    if len(kept) == len(clusters):
        return kept, []
    small = [page.url for members in clusters if len(members) < least for page in members]
    return kept, [UnusedPages(f"fewer than {least} pages have this layout", len(small), small[0])]


def _with_containers(
    clusters: list[list[PlacedLayout]], profiles: Mapping[str, Profile], known: bool, options: LearnOptions
) -> list[Template]:
    """Return a template for each cluster, with the container that its sample of pages shows.

    :param known: whether enough pages of the site are known for clusters to share a container.
    """
    samples = [drawn(members, options.samples) for members in clusters]
    containers = [find_container_of(sample, options) for sample in samples]
    if known:
        containers = share_containers(samples, containers, options.container_pages)
    return [
        Template(members, container, samples=options.samples, profiles=profiles)
        for members, container in zip(clusters, containers, strict=True)
    ]


def _joined(templates: list[Template], titles: Titles, options: LearnOptions) -> list[Template]:
    """Return the templates, with several joined into one if they are the same template."""
    return join_templates(
        templates,
        lambda own: titles.of(own)[:1],
        lambda own: own.lead_share > _LISTS,
        options.least_similarity,
    )


def _site_patterns(
    site: str,
    traits: SiteTraits,
    counts: tuple[int, int],
    patterns: list[Pattern],
    unused: list[UnusedPages],
    warnings: tuple[LearnWarning, ...],
) -> SitePatterns:
    return SitePatterns(
        site=site,
        layout="paths",
        pages=counts[0],
        clusters=counts[1],
        patterns=tuple(sorted(patterns, key=lambda pattern: (-pattern.score, pattern.name))),
        unused=tuple(unused),
        warnings=warnings,
        vocabulary=traits.vocabulary,
        boilerplate={path: tuple(sorted(texts)) for path, texts in sorted(traits.boilerplate.texts.items())},
        prefixes=traits.affixes[0],
        suffixes=traits.affixes[1],
    )
