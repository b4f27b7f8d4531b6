"""What a person needs to know before trusting patterns: figures of each, and warnings (path layouts)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from statistics import fmean

from ..base.urls import url_shape
from ..layouts.affixes import Affixes
from ..layouts.paths import is_under, tag_of
from ..layouts.placed import PlacedLayout
from ..layouts.templates import Template
from ..layouts.title import is_called, title_of
from ..values import LearnWarning, Pattern, UnusedPages

__all__ = ["find_warnings", "unused_warnings", "with_figures"]

#: Pages of a cluster that figures are taken from; the error of a share is then below .05 mostly.
_SAMPLE = 100

#: A layout is known well from so many pages on: text and title are then as good as they get.
_ENOUGH = 10
#: Layouts of fewer pages are worth a word if so many of the articles have one.
_MANY = 0.1
#: Share of the pages that anchor texts lead to, below which there is as good as no linkinfo.
_ANCHORED = 0.1
#: Layouts that share less than this of the elements around the main text have little in common ...
_UNLIKE = 0.2
#: ... and are the same kind of page if this share of their urls is alike.
_URLS_ALIKE = 0.5
#: An odd page or two are nothing to warn of.
_LAYOUT = 3
#: Share of a pattern's pages on which records outweigh the main text, from which on comments do.
_OUTWEIGHED = 0.3
#: Share of a pattern's text that leads to other pages, from which on articles look like lists.
_LIST_LIKE = 0.25
#: Share of a pattern's pages that say of themselves that they are of the other kind, from which on it is
#: worth a word.
_AGAINST = 0.3
#: A site fewer of whose pages than this share are articles is read in a wrong way as a whole, or has none.
_HARDLY = 0.05
#: Share of the pages that went into no pattern, from which on it is worth a word.
_UNUSED = 0.1


def with_figures(
    pattern: Pattern,
    pages: Sequence[PlacedLayout],
    anchors: Mapping[str, Collection[str]],
    affixes: Affixes,
) -> Pattern:
    """Return a pattern with its shares of main text and of titles that agree; from 100 pages at most."""
    sample = _spread(pages)
    main = _MainPaths(pattern)
    titles = [title_of(page, pattern.titles, affixes) for page in sample]
    called = [
        is_called(page, title, place, anchors.get(page.url, ()))
        for page, (title, place) in zip(sample, titles, strict=True)
    ]
    return replace(
        pattern,
        main_share=round(fmean(_main_share(page, main) for page in sample), 3),
        title_share=round(fmean(called), 3),
    )


def find_warnings(
    templates: Mapping[str, Template],
    patterns: Sequence[Pattern],
    anchors: Mapping[str, Collection[str]],
    odds: Mapping[str, float],
    known_site: int,
) -> tuple[LearnWarning, ...]:
    """Return what speaks against trusting a site's patterns.

    :param templates: for a pattern's name what it was learned from.
    :param anchors: for a page's url, the anchor texts that lead to it.
    :param odds: for a page's url, the log odds that it is an article, by what it says of itself.
    :param known_site: pages of a site from which on its layouts are taken as known.
    """
    pages = len(anchors)
    articles = [pattern for pattern in patterns if pattern.kind == "article"]
    return tuple(
        warning
        for warning in (
            _few_of_site(pages, known_site),
            _few_of_layout(articles) if pages >= known_site else None,
            _redesigns(articles, templates),
            _no_anchors(anchors),
            _comments(articles, templates),
            _lists(articles, templates) if pages >= known_site else None,
            _unlike_their_layout(patterns, templates, odds) if pages >= known_site else None,
            _hardly_articles(odds) if pages >= known_site else None,
        )
        if warning
    )


def _few_of_site(pages: int, known_site: int) -> LearnWarning | None:
    return LearnWarning("few pages", pages) if pages < known_site else None


def _few_of_layout(articles: Sequence[Pattern]) -> LearnWarning | None:
    few = [pattern for pattern in articles if pattern.pages < _ENOUGH]
    number = sum(pattern.pages for pattern in few)
    if number <= _MANY * sum(pattern.pages for pattern in articles):
        return None
    return LearnWarning("few pages of a layout", number, _names(few))


def _redesigns(articles: Sequence[Pattern], templates: Mapping[str, Template]) -> LearnWarning | None:
    """Warn of layouts that have little in common though their pages' urls are alike.

    Where it is known when the pages were fetched, the times must not overlap:
    two designs that are in use at the same time are just that.
    """
    large = [pattern for pattern in articles if pattern.pages >= _LAYOUT]
    found: dict[str, Pattern] = {}
    for a, b in combinations(large, 2):
        if _frames_alike(a, b) < _UNLIKE:
            pages, others = templates[a.name].pages, templates[b.name].pages
            if _urls_alike(pages, others) >= _URLS_ALIKE and not _overlap(pages, others):
                found |= {a.name: a, b.name: b}
    number = sum(pattern.pages for pattern in found.values())
    return LearnWarning("redesigns", number, tuple(found)) if found else None


def _frames_alike(a: Pattern, b: Pattern) -> float:
    """Return the share of the elements around the main text that two patterns have in common, 0 to 1.

    Elements are known by their ids and classes; where a pattern has none there is nothing to tell by: 1.
    """
    ours, theirs = (
        {
            step
            for section in pattern.sections
            if not is_under(section.feature, pattern.container)
            for step in section.feature.split("/")
            if step != tag_of(step)
        }
        for pattern in (a, b)
    )
    return len(ours & theirs) / len(ours | theirs) if ours and theirs else 1.0


def _urls_alike(pages: Sequence[PlacedLayout], others: Sequence[PlacedLayout]) -> float:
    """Return the share of urls that the other cluster's resemble, 0 to 1."""
    a, b = (Counter(url_shape(page.url) for page in cluster) for cluster in (pages, others))
    return sum(min(a[shape] / len(pages), b[shape] / len(others)) for shape in a)


def _overlap(pages: Sequence[PlacedLayout], others: Sequence[PlacedLayout]) -> bool:
    """Return whether it is known that both were fetched in the same days."""
    a, b = (sorted(page.layout.fetched[:10] for page in cluster) for cluster in (pages, others))
    return bool(a[0] and b[0]) and a[0] <= b[-1] and b[0] <= a[-1]


def _no_anchors(anchors: Mapping[str, Collection[str]]) -> LearnWarning | None:
    without = sum(not texts for texts in anchors.values())
    return (
        LearnWarning("no anchor texts", without)
        if len(anchors) - without < _ANCHORED * len(anchors)
        else None
    )


def _comments(articles: Sequence[Pattern], templates: Mapping[str, Template]) -> LearnWarning | None:
    found, number = [], 0
    for pattern in articles:
        main = _MainPaths(pattern)
        weights = [_weights(page, main) for page in _spread(templates[pattern.name].pages)]
        outweighed = fmean(comments > text for text, comments in weights)
        count = round(outweighed * pattern.pages)
        if outweighed >= _OUTWEIGHED and count >= _LAYOUT:
            found.append(pattern)
            number += count
    return LearnWarning("comments outweigh the text", number, _names(found)) if found else None


def _lists(articles: Sequence[Pattern], templates: Mapping[str, Template]) -> LearnWarning | None:
    found = [p for p in articles if templates[p.name].lead_share >= _LIST_LIKE]
    number = sum(pattern.pages for pattern in found)
    return LearnWarning("articles look like lists", number, _names(found)) if found else None


def _unlike_their_layout(
    patterns: Sequence[Pattern], templates: Mapping[str, Template], odds: Mapping[str, float]
) -> LearnWarning | None:
    """Warn of patterns many of whose pages say of themselves that they are of the other kind."""
    found, number = [], 0
    for pattern in patterns:
        known = [odds[page.url] for page in templates[pattern.name].pages if page.url in odds]
        against = [value for value in known if (value < 0) is (pattern.kind == "article")]
        if len(against) >= max(_LAYOUT, _AGAINST * len(known)):
            found.append(pattern)
            number += len(against)
    return LearnWarning("pages unlike their layout", number, _names(found)) if found else None


def _hardly_articles(odds: Mapping[str, float]) -> LearnWarning | None:
    articles = sum(value >= 0 for value in odds.values())
    return LearnWarning("hardly any articles", articles) if articles < _HARDLY * len(odds) else None


def unused_warnings(unused: Sequence[UnusedPages], pages: int) -> tuple[LearnWarning, ...]:
    """Return a warning if many pages are unused.

    :param unused: but for pages without text, which nobody misses.
    :param pages: how many pages of the site there were, readable or not.
    """
    number = sum(group.pages for group in unused)
    return (LearnWarning("unused pages", number),) if number > _UNUSED * pages else ()


class _MainPaths(dict[str, bool]):
    """Whether a path leads to a pattern's main text; each is looked at once."""

    def __init__(self, pattern: Pattern) -> None:
        super().__init__()
        self.container, self.excluded = pattern.container, pattern.excluded

    def __missing__(self, path: str) -> bool:
        found = self[path] = is_under(path, self.container) and not any(
            is_under(path, out) for out in self.excluded
        )
        return found


def _main_share(page: PlacedLayout, main: _MainPaths) -> float:
    text = whole = 0
    for block, path, boilerplate in zip(page.layout.blocks, page.places, page.boilerplate, strict=True):
        weight = block.weight
        whole += weight
        if not boilerplate and main[path]:
            text += weight
    return text / whole if whole else 0.0


def _weights(page: PlacedLayout, main: _MainPaths) -> tuple[int, int]:
    """Return the weight of a page's main text, and of what looks like comments.

    Comments are repeated records with links. In the main text they must
    lead to other pages (those who wrote them), since an author's own sections
    may be such records; outside of the container they must not, since teasers do.
    """
    text = comments = 0
    for block, path, boilerplate in zip(page.layout.blocks, page.places, page.boilerplate, strict=True):
        if boilerplate:
            continue
        is_main, leading = main[path], page.leading[block.node]
        if page.repeated[block.node]:
            likely = (leading or not is_main) if is_under(path, main.container) else not leading
            if likely:
                comments += block.plain
                continue
        if is_main:
            text += block.weight
    return text, comments


def _spread(pages: Sequence[PlacedLayout]) -> Sequence[PlacedLayout]:
    """Return at most 100 pages, from all over the cluster."""
    return pages[:: -(-len(pages) // _SAMPLE)]


def _names(patterns: Sequence[Pattern]) -> tuple[str, ...]:
    return tuple(pattern.name for pattern in patterns)
