"""A site's layouts, learned: pages to clusters, clusters to patterns (path layouts).

The layouts of 2009 are learned in ``sequence.py``.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ..layouts.affixes import Affixes
from ..layouts.clusters import cluster
from ..layouts.container import find_container, share_containers
from ..layouts.dates import dated_share
from ..layouts.excluded import find_excluded
from ..layouts.placed import PlacedLayout
from ..layouts.profile_table import ProfileTable
from ..layouts.sections import find_sections
from ..layouts.similarity import Profile, profile_of
from ..layouts.static import StaticTexts, bare_keys
from ..layouts.templates import Template, join_templates
from ..layouts.title import rank_titles, title_of
from ..layouts.traits import SiteTraits, place_all
from ..options import LearnOptions
from ..sampling import drawn
from ..values import Layout, LearnWarning, LeftOver, Pattern, SitePatterns
from .trust import find_warnings, with_figures

__all__ = ["find_container_of", "learn_paths", "pattern_of"]

#: On sites where index pages are told apart, a pattern takes so many pages.
_LEAST_PAGES = 3
#: Pages with less than this share of the mass that a quarter of the site's pages reach are index pages
#: too: a heading over a list.
_LEAST_MASS = 0.05


def learn_paths(
    site: str,
    layouts: Sequence[Layout],
    anchors: Mapping[str, Collection[str]],
    options: LearnOptions,
) -> SitePatterns:
    """Return what the pages of one site teach.

    :param layouts: the site's pages, sorted by url.
    :param anchors: for a page's url, the anchor texts that lead to it.
    """
    traits, pages = place_all(layouts, options)
    profiles = {page.url: profile_of(page) for page in pages}
    clusters = _clusters(pages, profiles, options)
    kept, small = _large_enough(clusters, len(pages), options)
    known = len(pages) >= options.index_pages
    templates = _with_containers(kept, profiles, known, options)
    titles = _Titles(anchors, traits.affixes, options.title_threshold)
    if known:
        templates = _joined(templates, titles, options)
    learned = [
        with_figures(
            pattern_of(template, titles.of(template), traits.affixes, options),
            template.pages,
            anchors,
            traits.affixes,
        )
        for template in templates
    ]
    told = _tell_kinds(learned, templates, len(pages), options)
    patterns, low = _scored_enough(told, options)
    left_over = [*small, *low]
    by_name = {pattern.name: template for pattern, template in zip(learned, templates, strict=True)}
    warnings = find_warnings(by_name, patterns, anchors, options.index_pages)
    if len(pages) == 1:  # on the next page, what this one has as well stands on two
        traits = replace(traits, static=StaticTexts(bare_keys(pages[0].layout, pages[0].paths)))
    found = _site_patterns(site, traits, (len(pages), len(clusters)), patterns, left_over, warnings)
    return replace(found, dated=_dated(told, templates)) if len(pages) >= options.index_pages else found


def _clusters(
    pages: Sequence[PlacedLayout], profiles: Mapping[str, Profile], options: LearnOptions
) -> list[list[PlacedLayout]]:
    urls = [page.url for page in pages]
    found = cluster(
        [profiles[url] for url in urls],
        ProfileTable,
        options.cluster_threshold,
        keys=urls,
        kinds=[frozenset(profiles[url]) for url in urls],  # all text of both is at places that both have
    )
    return [[pages[index] for index in members] for members in found]


def _large_enough(
    clusters: list[list[PlacedLayout]], pages: int, options: LearnOptions
) -> tuple[list[list[PlacedLayout]], list[LeftOver]]:
    """Return the clusters that give a pattern, and what is left over.

    On a small site every page counts; on a large one a layout of one or two
    pages is an odd page (an imprint, an error), and a page like it no article.
    """
    least = _LEAST_PAGES if pages >= options.index_pages else 1
    kept = [members for members in clusters if len(members) >= least] or clusters
    if len(kept) == len(clusters):
        return kept, []
    small = [page.url for members in clusters if len(members) < least for page in members]
    return kept, [LeftOver(f"fewer than {least} pages have this layout", len(small), small[0])]


def _with_containers(
    clusters: list[list[PlacedLayout]], profiles: Mapping[str, Profile], known: bool, options: LearnOptions
) -> list[Template]:
    """Return a template for each cluster, with the container that its sample shows.

    :param known: whether enough pages of the site are known for its clusters to share one.
    """
    samples = [drawn(members, options.samples) for members in clusters]
    containers = [find_container_of(sample, options) for sample in samples]
    if known:
        containers = share_containers(samples, containers, options.container_pages)
    return [
        Template(members, container, samples=options.samples, profiles=profiles)
        for members, container in zip(clusters, containers, strict=True)
    ]


class _Titles:
    """Where the title stands on a template's pages: ranked once, for joining templates and for patterns."""

    def __init__(self, anchors: Mapping[str, Collection[str]], affixes: Affixes, threshold: float) -> None:
        self._anchors, self._affixes, self._threshold = anchors, affixes, threshold
        self._known: dict[tuple[str, int], tuple[str, ...]] = {}

    def of(self, template: Template) -> tuple[str, ...]:
        """Return the places of a template's title, best first."""
        key = template.pages[0].url, len(template.pages)  # no page is in two templates
        if key not in self._known:
            self._known[key] = rank_titles(template.sample, self._anchors, self._affixes, self._threshold)
        return self._known[key]


def _joined(templates: list[Template], titles: _Titles, options: LearnOptions) -> list[Template]:
    """Return the templates with those joined that are one."""
    return join_templates(
        templates,
        lambda own: titles.of(own)[:1],
        lambda own: own.lead_share > options.index_share,
        options.cluster_threshold,
    )


def find_container_of(pages: Sequence[PlacedLayout], options: LearnOptions) -> str:
    """Return the path of a cluster's container, by the options' thresholds."""
    return find_container(pages, options.container_share, options.container_pages)


def pattern_of(
    template: Template, titles: tuple[str, ...], affixes: Affixes, options: LearnOptions
) -> Pattern:
    """Return a template's pattern, its kind still to be told.

    :param titles: where the title stands, best first.
    """
    pages, sample, container = template.pages, template.sample, template.container
    sections = find_sections(sample, options.section_support)
    features = [section.feature for section in sections]
    typical = _typical(pages)
    return Pattern(
        name=typical.url,
        kind="article",
        score=round(math.log(len(pages)) * sum(section.main_score for section in sections), 2),
        pages=len(pages),
        sections=sections,
        title=next((features.index(path) for path in titles if path in features), None),
        titles=titles,
        profile=template.profile,
        container=container,
        excluded=find_excluded(sample, container),
        sample_title=title_of(typical, titles, affixes)[0],
        sample_url=typical.url,
    )


def _typical(pages: Sequence[PlacedLayout]) -> PlacedLayout:
    """Return the page of median length: neither the stub nor the odd giant."""
    ordered = sorted(pages, key=lambda page: (sum([block.weight for block in page.layout.blocks]), page.url))
    return ordered[(len(ordered) - 1) // 2]


def _tell_kinds(
    patterns: list[Pattern], templates: list[Template], pages: int, options: LearnOptions
) -> list[Pattern]:
    """Return the patterns with those of index pages marked; one of articles always remains.

    Index pages are told by what they hold: mostly groups of links to other
    pages, or next to no text beside what the site's articles have.
    """
    if pages < options.index_pages:
        return patterns
    masses = [template.main_mass for template in templates]
    leads = [template.lead_share for template in templates]
    if min(leads) > options.index_share:
        return patterns
    least = _LEAST_MASS * _upper_quartile(masses, [pattern.pages for pattern in patterns])
    return [
        replace(pattern, kind="index") if lead > options.index_share or mass < least else pattern
        for pattern, mass, lead in zip(patterns, masses, leads, strict=True)
    ]


def _dated(patterns: Sequence[Pattern], templates: Sequence[Template]) -> float:
    """Return the share of the articles' pages that have a date in their url."""
    pairs = zip(patterns, templates, strict=True)
    urls = [page.url for pattern, template in pairs if pattern.kind == "article" for page in template.pages]
    return round(dated_share(urls), 4)


def _upper_quartile(values: Sequence[float], weights: Sequence[int]) -> float:
    """Return the value that a quarter of the weight reaches."""
    rest = sum(weights) / 4
    for value, weight in sorted(zip(values, weights, strict=True), reverse=True):
        rest -= weight
        if rest <= 0:
            return value
    return 0.0


def _scored_enough(patterns: list[Pattern], options: LearnOptions) -> tuple[list[Pattern], list[LeftOver]]:
    if options.min_score < 0:
        return patterns, []
    kept = [pattern for pattern in patterns if pattern.score >= options.min_score]
    dropped = [p for p in patterns if p.score < options.min_score]
    if not dropped:
        return kept, []
    reason = f"the pattern scores less than {options.min_score:g}"
    return kept, [LeftOver(reason, sum(pattern.pages for pattern in dropped), dropped[0].sample_url)]


def _site_patterns(
    site: str,
    traits: SiteTraits,
    counts: tuple[int, int],
    patterns: list[Pattern],
    left_over: list[LeftOver],
    warnings: tuple[LearnWarning, ...],
) -> SitePatterns:
    return SitePatterns(
        site=site,
        layout="paths",
        pages=counts[0],
        clusters=counts[1],
        patterns=tuple(sorted(patterns, key=lambda pattern: (-pattern.score, pattern.name))),
        left_over=tuple(left_over),
        warnings=warnings,
        vocabulary=traits.vocabulary,
        static={path: tuple(sorted(texts)) for path, texts in sorted(traits.static.texts.items())},
        leads=tuple(sorted(traits.leads)),
        prefixes=traits.affixes[0],
        suffixes=traits.affixes[1],
    )
