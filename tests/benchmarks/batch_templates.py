"""Template detection in batches, for comparison only: by shingles, and by a site style tree.

Both methods wait until a batch of pages is full. Then they tell for each block whether it is template. They
get the package's blocks, so that all methods answer the same question.

Sources: L. Ma, N. Goharian, A. Chowdhury, M. Chung, *Extracting unstructured data from template generated web
documents*, CIKM 2003. L. Yi, B. Liu, X. Li, *Eliminating noisy information in web pages for data mining*, KDD
2003.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from hashlib import blake2b

from scrapy_webstemmer.page.text import fold
from scrapy_webstemmer.values import Layout

__all__ = ["by_shingles", "by_style_tree", "content_importance", "inner_importance", "leaves", "signatures"]

#: Words in a shingle, and the number of smallest hashes that stand for a block.
_WORDS, _KEPT = 4, 8
#: Weight of an element's content against its own styles (gamma, .9 in the paper).
_ATTENUATION = 0.9

#: The key of a block.
Key = Hashable


def signatures(layout: Layout) -> list[tuple[int, ...]]:
    """Return for each block of a page the smallest hashes of its shingles."""
    return [_signature(block.text) for block in layout.blocks]


def _signature(text: str) -> tuple[int, ...]:
    words = fold(text).lower().split()
    shingles = {" ".join(words[n : n + _WORDS]) for n in range(max(1, len(words) - _WORDS + 1))}
    hashes = (blake2b(one.encode("utf-8", "replace"), digest_size=8).digest() for one in shingles)
    return tuple(sorted(int.from_bytes(one, "big") for one in hashes)[:_KEPT])


def by_shingles(batch: Sequence[Sequence[tuple[int, ...]]], least: int) -> list[list[bool]]:
    """Return for each block of each page whether at least so many pages of the batch have it."""
    pages = Counter(signature for page in batch for signature in set(page))
    return [[pages[signature] >= least for signature in page] for page in batch]


def leaves(layout: Layout) -> list[tuple[Key, str]]:
    """Return for each block of a page its place in the style tree, and its text.

    The place is the way down from the body. Each element on it adds its number among its siblings, and the
    styles (tags and attributes) of all these siblings.
    """
    children: dict[int, list[int]] = defaultdict(list)
    for node, parent in enumerate(layout.parents):
        children[parent].append(node)
    keys: dict[int, int] = {}
    for parent in sorted(children):
        style = tuple((layout.steps[node].tag, layout.steps[node].classes) for node in children[parent])
        for number, node in enumerate(children[parent]):
            keys[node] = hash((keys.get(parent), style, number))
    seen: Counter[int] = Counter()
    found: list[tuple[Key, str]] = []
    for block in layout.blocks:
        found.append(((keys[block.node], seen[block.node]), block.text))
        seen[block.node] += 1
    return found


def content_importance(texts: Sequence[str]) -> float:
    """Return the composite importance of a leaf: 1 minus the mean entropy of its words over its pages.

    :param texts: the leaf's text on each page that has it.

    >>> content_importance(["Home page", "Home page"]), content_importance(["one", "two"])
    (0.0, 1.0)
    """
    if len(texts) == 1:
        return 1.0
    on: dict[str, list[int]] = defaultdict(list)
    for text in texts:
        for word, count in Counter(text.split()).items():
            on[word].append(count)
    return 1 - sum(_entropy(counts, len(texts)) for counts in on.values()) / max(1, len(on))


def inner_importance(styles: Mapping[Key, int], below: Mapping[Key, float]) -> float:
    """Return the composite importance of an inner element.

    :param styles: for each of its styles, the number of pages.
    :param below: for each style, the mean importance of the element's content.

    >>> inner_importance({"a": 2}, {"a": 0.0}), inner_importance({"a": 1}, {"a": 1.0})
    (0.0, 1.0)
    """
    pages = sum(styles.values())
    node = 1.0 if pages == 1 else _entropy(list(styles.values()), pages)
    rest = _ATTENUATION ** len(styles)
    return (1 - rest) * node + rest * sum(below[style] * count / pages for style, count in styles.items())


def _entropy(counts: Sequence[int], pages: int) -> float:
    """Return the entropy of a distribution over so many pages, from 0 to 1 (the same on all pages)."""
    total = sum(counts)
    return max(0.0, -sum(count / total * math.log(count / total, pages) for count in counts))


def by_style_tree(batch: Sequence[Sequence[tuple[Key, str]]], threshold: float) -> list[list[bool]]:
    """Return for each block of each page whether its leaf of the batch's style tree is noise.

    In the paper an element is noise if it and all its content have at most the threshold of importance. A
    block is a leaf, so only its own importance counts.
    """
    texts: dict[Key, list[str]] = defaultdict(list)
    for page in batch:
        for key, text in page:
            texts[key].append(text)
    noise = {key for key, found in texts.items() if content_importance(found) <= threshold}
    return [[key in noise for key, _ in page] for page in batch]
