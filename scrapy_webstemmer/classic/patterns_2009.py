"""Learn the patterns of 2009: sequences of sections.

Source: documentation of Webstemmer. Departures: see the other modules of this package. Also, a page from
which no pattern was learned is reported as unused, with the reason.

Clusters. Source: Webstemmer 0.7.1. A page joins the first cluster whose pages are all like it. The first
cluster to be tried is the one whose directories differ least from the directory of the page's url. Of equal
clusters, the one that was tried earlier for the page before comes first. Departure: pages come in the order
of their urls; in 2009 they came in the order of a hash table.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import zip_longest
from typing import TypeVar

from ..base.samples import drawn
from ..learning.learn_sites import site_of_clusters
from ..options import LearnOptions
from ..page.text import fold
from ..values import Layout, Pattern, Section, SitePatterns
from .assignment_2009 import assign
from .layouts_2009 import SequenceLayout, as_sequence, sequence_similarity
from .sections_2009 import find_sequence_sections, find_title_section

_Item = TypeVar("_Item")

_NO_BLOCKS, _ALONE = "no layout blocks", "no other page has this layout"
_NOTHING_COMMON, _LOW_SCORE = "pages without a common layout", "pattern below the minimum score"


def learn_sequences(
    site: str,
    layouts: Sequence[Layout],
    anchors: Mapping[str, Collection[str]],
    options: LearnOptions,
    _known: int = 0,
) -> SitePatterns:
    """Learn the patterns of a site from its pages.

    :param layouts: the layouts of the site's pages, made with the tags of 2009.
    :param anchors: for the url of each layout, the anchor texts that lead to it.

    Cost: that of :func:`first_fit`, and at most
    2,000 comparisons of texts for each section of a cluster.
    """
    left: dict[str, list[str]] = defaultdict(list)
    pages = [as_sequence(layout) for layout in layouts]
    left[_NO_BLOCKS] = [page.layout.url for page in pages if not page.features]
    pages = [page for page in pages if page.features]
    threshold = options.least_similarity
    clusters = first_fit(
        pages,
        lambda a, b: sequence_similarity(a, b, threshold),
        threshold,
        lambda page: page.layout.url,
        options.samples,
    )
    patterns = []
    for members in clusters:
        chosen = [pages[i] for i in members]
        learned = _learn_cluster(chosen, anchors, options)
        if isinstance(learned, Pattern):
            patterns.append(learned)
        else:
            left[learned].extend(page.layout.url for page in chosen)
    return site_of_clusters(site, "sequence", len(layouts), len(clusters), patterns, left)


def _learn_cluster(
    pages: Sequence[SequenceLayout], anchors: Mapping[str, Collection[str]], options: LearnOptions
) -> Pattern | str:
    """Return a cluster's pattern, or the reason why it has none."""
    if len(pages) < 2:
        return _ALONE
    learned = find_sequence_sections(pages)
    if not learned:
        return _NOTHING_COMMON
    sections = tuple(section.section for section in learned)
    score = round(math.log(len(pages)) * sum(section.main_score for section in sections), 2)
    if score < options.min_score:
        return _LOW_SCORE
    texts = [anchors.get(page.layout.url, ()) for page in pages]
    return _pattern(pages, sections, find_title_section(learned, texts, options.title_threshold), score)


def _pattern(
    pages: Sequence[SequenceLayout], sections: tuple[Section, ...], title: int | None, score: float
) -> Pattern:
    typical = sorted(pages, key=lambda page: (page.weight, page.layout.url))[(len(pages) - 1) // 2]
    blocks = assign(typical.features, [section.feature for section in sections])
    shown = blocks[title] if title is not None else ()
    return Pattern(
        name=typical.layout.url,
        kind="article",
        score=score,
        pages=len(pages),
        sections=sections,
        title=title,
        sample_title=fold(" ".join(typical.layout.blocks[i].text for i in shown)),
        sample_url=typical.layout.url,
    )


def first_fit(
    items: Sequence[_Item],
    similarity: Callable[[_Item, _Item], float],
    threshold: float,
    url: Callable[[_Item], str],
    samples: int = 0,
) -> list[list[int]]:
    """Return the clusters as lists of indexes, each in the order of the urls; the largest cluster is first.

    :param similarity: gives the similarity of two items, symmetric, 0 to 1.
    :param url: gives the url of an item; the order of the items does not change the result.
    :param samples: number of members of a cluster with which a page is compared; 0: with all, so that every
        pair of a cluster reaches the threshold.

    Cost: in the worst case one comparison for each pair of items, or for each item and sampled member.
    """
    urls = [url(item) for item in items]
    clusters: list[_Cluster] = []
    for index in sorted(range(len(items)), key=urls.__getitem__):
        directory = tuple(urls[index].partition("://")[2].split("/")[:-1])
        clusters.sort(key=lambda known: known.distance(directory))
        for cluster in clusters:
            members = drawn(cluster.members, samples, urls.__getitem__)
            if all(similarity(items[index], items[member]) >= threshold for member in members):
                break
        else:
            cluster = _Cluster()
            clusters.append(cluster)
        cluster.members.append(index)
        cluster.directories.add(directory)
    return sorted(
        (cluster.members for cluster in clusters), key=lambda members: (-len(members), urls[members[0]])
    )


class _Cluster:
    """A growing cluster, and the directories of its pages."""

    def __init__(self) -> None:
        self.members: list[int] = []
        self.directories: set[tuple[str, ...]] = set()

    def distance(self, directory: tuple[str, ...]) -> tuple[bool, ...]:
        """Return a sort key: at which steps a directory differs from the nearest one here, host first."""
        return min(
            tuple(left != right for left, right in zip_longest(directory, known))
            for known in self.directories
        )
