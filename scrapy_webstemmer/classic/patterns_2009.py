"""Learn the patterns of 2009: clusters of pages, and the sections and the title of each.

Source: documentation of Webstemmer. Departures: see the other modules of this package. Also, a page from
which no pattern was learned is reported as unused, with the reason.

Clusters. Source: Webstemmer 0.7.1. A page joins the first cluster whose pages are all like it. The first
cluster to be tried is the one whose directories differ least from the directory of the page's url. Of equal
clusters, the one that was tried earlier for the page before comes first. Departure: pages come in the order
of their urls; in 2009 they came in the order of a hash table.

Sections are the items of the features' common sequence. Source: documentation of Webstemmer, DiffScore and
MainScore; program of 0.7.1. Texts are compared by their significant characters, in lower case. Pages on which
a section is empty do not count for its DiffScore.

The title is the section most like the anchor texts that lead to the pages. Source: documentation of
Webstemmer, title; program of 0.7.1. Only sections before the one with the largest MainScore are candidates.
Departures: Dice's coefficient counts longest common subsequences, not difflib's matching blocks. If
candidates have equally many votes, the one most like the ``title`` element wins, then the earliest (in 2009
chance decided).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain, zip_longest
from typing import NamedTuple, TypeVar

from ..base.samples import drawn
from ..base.sequences import Words, dice
from ..learning.learn_sites import site_of_clusters
from ..options import LearnOptions
from ..page.text import fold
from ..patterns.sections import diff_score, main_score
from ..values import Layout, Pattern, Section, SitePatterns
from .layouts_2009 import SequenceLayout, as_sequence, assign, common_features, sequence_similarity

#: Largest number of page pairs for a section's DiffScore; the error is below .01 for nearly all sections.
MAX_PAIRS = 2000
#: If no anchor text elects a section: its likeness to the main text, times DiffScore, must exceed this.
_LEAST_LIKENESS = 1.0

#: Significant characters of the title and of the main text that are then compared; the cost is their product.
_COMPARED_TITLE, _COMPARED_TEXT = 300, 3000


@dataclass(frozen=True, slots=True)
class SequenceSection:
    """A section with its scores, and its text on each page that it was learned from."""

    section: Section
    texts: tuple[Words, ...]


def find_sequence_sections(pages: Sequence[SequenceLayout]) -> tuple[SequenceSection, ...]:
    """Return the sections of a cluster in the order of the page, without those that are empty everywhere.

    Cost: at most 2,000 comparisons of two texts for each section, and the product
    of the numbers of blocks and sections for each page.
    """
    features = common_features(pages)
    assigned = [assign(page.features, features) for page in pages]
    by_section = zip(features, zip(*assigned, strict=True), strict=True)
    return tuple(_scored(feature, pages, indexes) for feature, indexes in by_section if any(indexes))


def _scored(
    feature: str, pages: Sequence[SequenceLayout], indexes: Sequence[Sequence[int]]
) -> SequenceSection:
    """Return a section with its scores.

    :param indexes: for each page, the indexes of its blocks that belong to the section.
    """
    blocks = [[page.layout.blocks[i] for i in taken] for page, taken in zip(pages, indexes, strict=True)]
    texts = tuple(Words("\n".join(block.text for block in of_page)) for of_page in blocks)
    filled = [text for text in texts if len(text)]
    diff = diff_score(filled, MAX_PAIRS) if len(filled) > 1 else 0.0
    plain = sum(block.plain for block in chain.from_iterable(blocks))
    weight = sum(block.weight for block in chain.from_iterable(blocks)) / len(pages)
    main = main_score(diff, plain, len(pages))
    return SequenceSection(Section(feature, round(diff, 4), round(main, 2), round(weight, 2)), texts)


def find_title_section(
    sections: Sequence[SequenceSection], anchors: Sequence[Collection[str]], threshold: float
) -> int | None:
    """Return the index of the section that most pages of the cluster elect; None if most elect none.

    :param anchors: for each page of the cluster, the anchor texts that lead to it.
    :param threshold: the likeness to an anchor text, times DiffScore, must exceed this, 0 to 1.
    """
    scores = [candidate.section.main_score for candidate in sections]
    largest = scores.index(max(scores))
    votes = Counter(
        _elect(sections, page, largest, [Words(text) for text in sorted(texts)], threshold)
        for page, texts in enumerate(anchors)
    )
    most = max(votes.values())
    tied = sorted(index for index, count in votes.items() if count == most)
    elected = tied[0] if len(tied) == 1 else max(tied, key=lambda index: _like_element(sections, index))
    return elected if elected < len(sections) else None


def _like_element(sections: Sequence[SequenceSection], index: int) -> float:
    """Return the likeness of a section's texts to the ``title`` elements, summed over the pages."""
    element = next((title for title in sections if title.section.feature == "title"), None)
    if element is None or index >= len(sections):
        return 0.0
    return sum(map(dice, sections[index].texts, element.texts))


def _elect(
    sections: Sequence[SequenceSection], page: int, largest: int, anchors: Sequence[Words], threshold: float
) -> int:
    """Return the index of the section that is this page's title; ``len(sections)`` if none is."""
    anchors = [anchor for anchor in anchors if anchor]
    best, elected = threshold, len(sections)
    for index, candidate in enumerate(sections[:largest]):
        diff = candidate.section.diff_score
        if diff > best:  # a likeness is 1 at most
            score = diff * max((dice(anchor, candidate.texts[page]) for anchor in anchors), default=0.0)
            if score > best:
                best, elected = score, index
    return elected if elected < len(sections) else _elect_by_text(sections, page, largest)


def _elect_by_text(sections: Sequence[SequenceSection], page: int, largest: int) -> int:
    body = sections[largest].texts[page].letters[:_COMPARED_TEXT]
    best, elected = _LEAST_LIKENESS, len(sections)
    for index, candidate in enumerate(sections[:largest]):
        title, diff = candidate.texts[page].letters, candidate.section.diff_score
        if len(title) <= _COMPARED_TITLE and diff * len(title) > best:
            score = diff * _likeness(title, body)
            if score > best:
                best, elected = score, index
    return elected


def _likeness(title: str, body: str) -> float:
    """Return the sum of the squared lengths of the matching blocks, divided by the length of the title."""
    matches = SequenceMatcher(None, body, title, autojunk=False).get_matching_blocks()
    return sum(match.size**2 for match in matches) / len(title)


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
            cluster = _Cluster([], set())
            clusters.append(cluster)
        cluster.members.append(index)
        cluster.directories.add(directory)
    return sorted(
        (cluster.members for cluster in clusters), key=lambda members: (-len(members), urls[members[0]])
    )


class _Cluster(NamedTuple):
    """A growing cluster, and the directories of its pages."""

    members: list[int]
    directories: set[tuple[str, ...]]

    def distance(self, directory: tuple[str, ...]) -> tuple[bool, ...]:
        """Return a sort key: at which steps a directory differs from the nearest one here, host first."""
        return min(
            tuple(left != right for left, right in zip_longest(directory, known))
            for known in self.directories
        )
