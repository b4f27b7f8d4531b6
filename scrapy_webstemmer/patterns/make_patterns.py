"""Learn a site's patterns: pages form clusters, and clusters give patterns (path layouts)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain, starmap
from typing import NamedTuple

from ..base.samples import drawn
from ..fields.field_places import AUTHORS, MOST_PLACES, find_places, learn_months
from ..fields.traces import common_values
from ..options import ExtractOptions, LearnOptions
from ..site.affixes import Affixes
from ..site.boilerplate import BoilerplateKey, BoilerplateTexts, bare_keys
from ..site.excluded import find_excluded
from ..site.frames import find_frames
from ..site.model import ENOUGH_PAGES, MOST_SINGLE, SiteModel, place_all
from ..site.placed import PlacedLayout
from ..site.profiles import Profile, profile_of
from ..site.running_texts import author_texts, data_elements, with_author_texts
from ..site.titles import rank_titles, title_on
from ..values import Layout, Pattern, SitePatterns, UnusedPages
from ..verdict.classifier import PageOdds, own_odds
from ..verdict.evidence import Evidence, evidence_of
from .best_readings import read_best
from .clusters import Template, cluster, join_templates
from .sections import find_container, find_sections
from .trust import find_warnings, with_title_share

#: An anchor text that leads to this number of pages or more ("Read more") is not the name of any of them.
_MANY_TARGETS = 3


class Titles:
    """The places of the title on a template's pages, ranked once, for joining templates and for patterns."""

    def __init__(self, anchors: Mapping[str, Collection[str]], affixes: Affixes) -> None:
        self._anchors, self._affixes = _telling(anchors), affixes
        self._known: dict[tuple[str, int], tuple[str, ...]] = {}

    def of(self, template: Template) -> tuple[str, ...]:
        """Return the places of a template's title, best first."""
        key = template.pages[0].url, len(template.pages)  # this pair is enough to tell templates apart
        if key not in self._known:
            self._known[key] = rank_titles(template.sample, self._anchors, self._affixes)
        return self._known[key]


def _telling(anchors: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
    """Return the anchor texts without those that lead to many pages, such as "Read more"."""
    targets = Counter(chain.from_iterable(anchors.values()))
    return {url: [text for text in texts if targets[text] < _MANY_TARGETS] for url, texts in anchors.items()}


def pattern_of(template: Template, titles: tuple[str, ...] = ()) -> Pattern:
    """Return a template's pattern, without the title of its sample.

    :param titles: where the title stands, best first.
    """
    sample, container = template.sample, template.container
    sections = find_sections(sample)
    features = [section.feature for section in sections]
    typical = _typical(sample)
    return Pattern(
        name=typical.url,
        kind=template.kind,
        score=round(math.log(len(template.pages)) * sum(section.main_score for section in sections), 2),
        pages=len(template.pages),
        sections=sections,
        title=next((features.index(path) for path in titles if path in features), None),
        titles=titles,
        profile=template.profile,
        container=container,
        excluded=find_excluded(sample, container),
        sample_url=typical.url,
    )


def _typical(pages: Sequence[PlacedLayout]) -> PlacedLayout:
    """Return the page of median length, which is neither very short nor very long."""
    ordered = sorted(pages, key=lambda page: (sum([block.weight for block in page.layout.blocks]), page.url))
    return ordered[(len(ordered) - 1) // 2]


#: Bound: so many pages of a site show what it writes for months.
_MONTH_PAGES = 300
#: Bound: so many pages of a layout are looked at closely, unless all are to be. What a template has is on
#: nearly all of its pages or on few.
_MOST_SAMPLES = 60
#: On sites whose layouts count as known, a pattern needs at least this number of pages.
_LEAST_PAGES = 3
#: Articles and lists of one layout are learned apart if there are at least this number of each.
_LEAST_OF_BOTH = 3
#: A page with at least this probability counts as an article.
_LEAST_ARTICLE = ExtractOptions().article_threshold


class LearnedPaths(NamedTuple):
    """The patterns of a site, and what is known of its pages.

    :param model: what the site's pages have in common.
    :param pages: the pages, placed in the site.
    :param evidence: the evidence of pages on whether they are articles, by url; some may be missing.
    """

    site: SitePatterns
    model: SiteModel
    pages: Sequence[PlacedLayout]
    evidence: Mapping[str, Evidence]


def learn_paths(
    site: str, layouts: Sequence[Layout], anchors: Mapping[str, Collection[str]], options: LearnOptions
) -> LearnedPaths:
    """Learn the patterns of one site from its pages.

    :param layouts: the site's pages, sorted by url.
    :param anchors: for a page's url, the anchor texts that lead to it.
    """
    model, pages = place_all(layouts, sample=bool(options.samples))
    profiles = {page.url: profile_of(page) for page in pages}
    clusters = clusters_of(pages, profiles, options)
    evidence = {page.url: evidence_of(page, model.affixes) for page in pages}
    odds, articles = _judged(pages, clusters, evidence)
    kept, unused = _large_enough(clusters, len(pages))
    templates = _templates(_kinds_apart(kept, articles), profiles, options)
    of_articles = [template for template in templates if template.kind == "article"]
    texts = set[BoilerplateKey]().union(*(author_texts(each.sample, each.container) for each in of_articles))
    model, templates = _with_author_texts(model, templates, texts)
    titles = Titles(anchors, model.affixes)
    if len(pages) >= ENOUGH_PAGES:
        templates = join_templates(templates, lambda each: titles.of(each)[:1])
    patterns, confidences = _read_patterns(templates, odds, titles, model.affixes)
    patterns = [
        with_title_share(pattern, template.sample, anchors, model.affixes)
        for pattern, template in zip(patterns, templates, strict=True)
    ]
    if len(pages) <= MOST_SINGLE:
        # a text that the next page has, too, stands on two pages: it is boilerplate
        shown = (key for page in pages for key in bare_keys(page.layout, page.paths))
        model = replace(model, boilerplate=BoilerplateTexts(chain(model.boilerplate.all_keys(), shown)))
    by_name = {pattern.name: template for pattern, template in zip(patterns, templates, strict=True)}
    warnings = find_warnings(by_name, patterns, anchors, articles, confidences)
    sample = drawn([page for page in pages if page.url in articles], _MONTH_PAGES)
    months = learn_months(sample)
    patterns = _with_places(patterns, by_name, months)
    learned = SitePatterns(
        site=site,
        layout="paths",
        pages=len(pages),
        clusters=len(clusters),
        patterns=tuple(sorted(patterns, key=lambda pattern: (-pattern.score, pattern.name))),
        unused=tuple(unused),
        warnings=warnings,
        vocabulary=model.vocabulary,
        boilerplate={
            path: tuple(sorted(at_path)) for path, at_path in sorted(model.boilerplate.texts.items())
        },
        prefixes=model.affixes[0],
        suffixes=model.affixes[1],
        months=months,
        common=common_values(sample),
        shapes=odds.by_shape(),
        odds=odds.of_site(),
        signs=odds.signs,
    )
    if len(pages) == 1:
        return LearnedPaths(learned, model, [model.place(pages[0].layout)], {})
    now = with_author_texts(pages, texts)
    same = {page.url: evidence[page.url] for page, before in zip(now, pages, strict=True) if page is before}
    return LearnedPaths(learned, model, now, same)


def clusters_of(
    pages: Sequence[PlacedLayout], profiles: Mapping[str, Profile], options: LearnOptions
) -> list[list[PlacedLayout]]:
    """Return the pages with the same layout, largest cluster first."""
    urls = [page.url for page in pages]
    clusters = cluster([profiles[url] for url in urls], options.least_similarity, keys=urls)
    return [[pages[index] for index in members] for members in clusters]


def _judged(
    pages: Sequence[PlacedLayout],
    clusters: Sequence[Sequence[PlacedLayout]],
    evidence: Mapping[str, Evidence],
) -> tuple[PageOdds, set[str]]:
    """Return the odds of pages, and the urls of those that count as articles.

    :param clusters: those with the same layout.
    :param evidence: that on each page, by its url.
    """
    answers = {page.url for page in pages if page.is_answer}
    by_url = {url: own_odds(known) for url, known in evidence.items()}
    odds = PageOdds(by_url, [[page.url for page in members] for members in clusters], evidence, answers)
    likely = {url for url, probability in odds.probabilities().items() if probability >= _LEAST_ARTICLE}
    return odds, likely - answers


def _large_enough(
    clusters: list[list[PlacedLayout]], pages: int
) -> tuple[list[list[PlacedLayout]], list[UnusedPages]]:
    """Return the clusters that give a pattern, and the unused pages.

    On a small site every page counts. On a large site a layout of one or two pages
    is that of an odd page (an imprint, an error), and a page like it is not an article.
    """
    least = _LEAST_PAGES if pages >= ENOUGH_PAGES else 1
    kept = [members for members in clusters if len(members) >= least] or clusters
    if len(kept) == len(clusters):
        return kept, []
    small = [page.url for members in clusters if len(members) < least for page in members]
    return kept, [UnusedPages(f"fewer than {least} pages have this layout", len(small), small[0])]


def _kinds_apart(
    clusters: list[list[PlacedLayout]], articles: Collection[str]
) -> list[tuple[str, list[PlacedLayout]]]:
    """Return clusters with their kind, those of enough articles and lists as one of each; largest first.

    :param articles: the urls of the pages that count as articles.
    """
    parted: list[tuple[str, list[PlacedLayout]]] = []
    for members in clusters:
        of_articles = [page for page in members if page.url in articles]
        others = [page for page in members if page.url not in articles]
        if min(len(of_articles), len(others)) >= _LEAST_OF_BOTH:
            parted += [("article", of_articles), ("index", others)]
        else:
            parted.append(("article" if len(of_articles) >= len(others) else "index", members))
    return sorted(parted, key=lambda part: (-len(part[1]), part[1][0].url))


def _templates(
    clusters: list[tuple[str, list[PlacedLayout]]], profiles: Mapping[str, Profile], options: LearnOptions
) -> list[Template]:
    """Return a template for each cluster, with the container that its sample of pages shows.

    :param clusters: each with its kind.
    """
    samples = min(options.samples, _MOST_SAMPLES)
    return [
        Template(members, find_container(drawn(members, samples)), kind, samples=samples, profiles=profiles)
        for kind, members in clusters
    ]


def _with_author_texts(
    model: SiteModel, templates: list[Template], texts: Collection[BoilerplateKey]
) -> tuple[SiteModel, list[Template]]:
    """Return a site's model and templates with some texts that are no boilerplate."""
    if not texts:
        return model, templates
    others = (key for key in model.boilerplate.all_keys() if key not in texts)
    return replace(model, boilerplate=BoilerplateTexts(others)), [
        replace(template, pages=with_author_texts(template.pages, texts)) for template in templates
    ]


def _read_patterns(
    templates: Sequence[Template], odds: PageOdds, titles: Titles, affixes: Affixes
) -> tuple[list[Pattern], dict[str, float]]:
    """Return the patterns of templates, as their pages are read best, with the frames of their texts.

    The mean confidence in the articles of each comes with them, by its name.
    """
    patterns = _with_article([_pattern(template, odds, titles, affixes) for template in templates])
    patterns, confidences, read = read_best(patterns, templates, affixes)
    pairs = zip(patterns, templates, strict=True)
    articles_of = [(template.sample, known.container) for known, template in pairs if known.kind == "article"]
    frames = find_frames(read, chain.from_iterable(starmap(data_elements, articles_of)))
    return [
        replace(pattern, frames=frames) if pattern.kind == "article" else pattern for pattern in patterns
    ], confidences


def _pattern(template: Template, odds: PageOdds, titles: Titles, affixes: Affixes) -> Pattern:
    pattern = pattern_of(template, titles.of(template))
    sample = next(page for page in template.sample if page.url == pattern.sample_url)
    title, _ = title_on(sample, pattern, affixes)
    return replace(pattern, sample_title=title, odds=odds.of_layout([page.url for page in template.pages]))


def _with_places(
    patterns: Sequence[Pattern], templates: Mapping[str, Template], months: Mapping[str, int]
) -> list[Pattern]:
    """Return patterns with the places where the pages of those of articles show fields.

    :param templates: for a pattern's name, the template that it was learned from.
    """
    placed = [
        replace(pattern, places=find_places(templates[pattern.name].sample, months))
        if pattern.kind == "article"
        else pattern
        for pattern in patterns
    ]
    return [_with_authors_elsewhere(pattern, templates[pattern.name], placed) for pattern in placed]


def _with_authors_elsewhere(pattern: Pattern, template: Template, patterns: Sequence[Pattern]) -> Pattern:
    """Return a pattern with the places of authors of other layouts, where its own pages do not tell any.

    Those of topics and days are not the same on all layouts: they would be clouds, and days without a time.
    """
    if pattern.kind != "article" or any(place.field == AUTHORS for place in pattern.places):
        return pattern
    others = {place for other in patterns for place in other.places if place.field == AUTHORS}
    paths = {path for page in template.sample for path in page.places} if others else set()
    shown = sorted(
        (place for place in others if place.path in paths), key=lambda place: (-place.pages, place)
    )
    return replace(pattern, places=(*pattern.places, *shown[:MOST_PLACES]))


def _with_article(patterns: list[Pattern]) -> list[Pattern]:
    """Return the patterns. If none is of articles, the one most like articles is marked as such."""
    if any(pattern.kind == "article" for pattern in patterns):
        return patterns
    best = max(patterns, key=lambda pattern: (pattern.odds, pattern.pages, pattern.name))
    return [replace(best, kind="article") if pattern is best else pattern for pattern in patterns]
