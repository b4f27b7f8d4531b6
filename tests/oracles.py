"""Slow and obviously right versions of functions that are fast in the package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any

from scrapy_webstemmer.page.tags import TagRules
from scrapy_webstemmer.site.profiles import Profile
from scrapy_webstemmer.trees.layout_trees import Tree

#: A feature and the weight of the blocks that have it.
Runs = Sequence[tuple[str, int]]


def common_weight(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the largest sum of lengths of a common subsequence, by the textbook's table."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, left in enumerate(a):
        for j, right in enumerate(b):
            both = table[i][j] + len(left) if left == right else 0
            table[i + 1][j + 1] = max(table[i][j + 1], table[i + 1][j], both)
    return table[-1][-1]


def path_similarity(a: Profile, b: Profile) -> float:
    """Return the weight of the features that both pages have, over the weight of all; 0 to 1, symmetric."""
    total = sum(a.values()) + sum(b.values())
    if not total:
        return 1.0
    return sum(a[name] + b[name] for name in a.keys() & b.keys()) / total


def is_subsequence(short: Sequence[str], long: Sequence[str]) -> bool:
    rest = iter(long)
    return all(item in rest for item in short)


def assigned_weight(runs: Runs, sections: Sequence[str], complete: bool) -> int | None:
    """Return the largest weight that can be assigned in order, after trying every way to divide the runs."""
    weights = []
    for ends in combinations(range(len(runs) + len(sections)), max(len(sections) - 1, 0)):
        borders = [0, *(end - i for i, end in enumerate(ends)), len(runs)]
        parts = [
            [weight for feature, weight in runs[begin:end] if feature == section]
            for section, (begin, end) in zip(sections, pairwise(borders), strict=False)
        ]
        if borders == sorted(borders) and (all(parts) or not complete):
            weights.append(sum(map(sum, parts)))
    return max(weights, default=None)


def aligned_weight(a: Runs, b: Runs) -> int:
    """Return the largest weight over all sequences of features that both contain."""
    best = 0
    for sections in set(_subsequences([feature for feature, _ in a])):
        if is_subsequence(sections, [feature for feature, _ in b]):
            best = max(best, sum(assigned_weight(runs, sections, True) or 0 for runs in (a, b)))
    return best


def _subsequences(items: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for size in range(1, len(items) + 1):
        yield from combinations(items, size)


def complete_linkage(scores: Sequence[Sequence[float]], threshold: float) -> set[frozenset[int]]:
    """Return the clusters: the two whose least similar members are most alike are joined first.

    Similarities above the threshold must differ, so that no choice is left open.
    """
    clusters = [frozenset([i]) for i in range(len(scores))]
    while len(clusters) > 1:
        worst, a, b = max(
            (min(scores[i][j] for i in a for j in b), sorted(a), sorted(b))
            for a, b in combinations(clusters, 2)
        )
        if worst < threshold:
            break
        clusters = [found for found in clusters if sorted(found) not in (a, b)] + [frozenset(a + b)]
    return set(clusters)


def visible_texts(element: Any, rules: TagRules) -> Iterator[tuple[str, str]]:
    """Yield the words that a page shows, each with the tag of the block that holds it, by recursion."""
    if not isinstance(element.tag, str) or element.tag in rules.skipped or "hidden" in element.attrib:
        return
    if element.tag == "dialog" and "open" not in element.attrib:
        return
    yield from ((word, element.tag) for word in (element.text or "").split())
    for child in element:
        for word, tag in visible_texts(child, rules):
            yield word, tag if tag in rules.block else element.tag
        yield from ((word, element.tag) for word in (child.tail or "").split())


def fine_pairs(first: Tree, second: Tree, ours: int = 0, theirs: int = 0) -> set[tuple[int, int]]:
    """Return the fine mapping of two subtrees by the published rule: the heads of two sorted lists."""
    if first.labels[ours] != second.labels[theirs]:
        return set()
    found = {(ours, theirs)}
    left = sorted(first.children[ours], key=lambda node: -first.sizes[node])
    right = sorted(second.children[theirs], key=lambda node: -second.sizes[node])
    while left and right:
        larger_left = first.sizes[left[0]] >= second.sizes[right[0]]
        head, others = (left.pop(0), right) if larger_left else (right.pop(0), left)
        labels = (first.labels, second.labels) if larger_left else (second.labels, first.labels)
        partner = next((node for node in others if labels[0][head] == labels[1][node]), None)
        if partner is not None:
            others.remove(partner)
            found |= fine_pairs(first, second, *((head, partner) if larger_left else (partner, head)))
    return found


def ripper_clusters(rates: Sequence[Sequence[float]], threshold: float) -> list[list[int]]:
    """Return News Ripper's clusters of pages in the order of their keys, after sorting all pairs."""
    pages = range(len(rates))
    free, clusters = set(pages), []
    for _, a, b in sorted(
        (-rates[a][b], a, b) for a, b in combinations(pages, 2) if rates[a][b] >= threshold
    ):
        begun = [page for page in (a, b) if page in free]
        if begun:
            free -= set(begun)
            joined = [page for page in free if max(rates[page][start] for start in begun) >= threshold]
            free -= set(joined)
            clusters.append(sorted(begun + joined))
    clusters += [[page] for page in free]
    return sorted(clusters, key=lambda members: (-len(members), members[0]))


def leader_clusters(rates: Sequence[Sequence[float]], threshold: float) -> list[list[int]]:
    """Return the clusters of pages in the order of their keys, around leaders."""
    clusters: list[list[int]] = []
    for page in range(len(rates)):
        home = [one for one in clusters if rates[one[0]][page] >= threshold]
        if home:
            home[0].append(page)
        else:
            clusters.append([page])
    return sorted(clusters, key=lambda members: (-len(members), members[0]))
