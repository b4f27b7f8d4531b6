"""Form clusters as in 2009: a page joins the first cluster whose pages are all like it.

Source: Webstemmer 0.7.1, clustering. The first cluster to be tried is the one whose directories differ
least from the directory of the page's url. Of equal clusters, the one that was tried earlier for the page
before comes first. Departure: pages come in the order of their urls; in 2009 they came in the order of a
hash table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import TypeVar

T = TypeVar("T")


def first_fit(
    items: Sequence[T],
    similarity: Callable[[T, T], float],
    threshold: float,
    url: Callable[[T], str],
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
        path = _directory(urls[index])
        clusters.sort(key=lambda one: one.distance(path))
        for cluster in clusters:
            members = cluster.sampled(samples, urls)
            if all(similarity(items[index], items[member]) >= threshold for member in members):
                break
        else:
            cluster = _Cluster()
            clusters.append(cluster)
        cluster.add(index, path)
    return sorted(
        (cluster.members for cluster in clusters), key=lambda members: (-len(members), urls[members[0]])
    )


class _Cluster:
    """A growing cluster, and the directories of its pages."""

    def __init__(self) -> None:
        self.members: list[int] = []
        self.directories: set[tuple[str, ...]] = set()

    def add(self, index: int, directory: tuple[str, ...]) -> None:
        self.members.append(index)
        self.directories.add(directory)

    def distance(self, directory: tuple[str, ...]) -> tuple[bool, ...]:
        """Return a sort key: at which steps a directory differs from the nearest one here, host first."""
        return min(
            tuple(left != right for left, right in zip_longest(directory, own)) for own in self.directories
        )

    def sampled(self, samples: int, urls: Sequence[str]) -> list[int]:
        """Return the members to compare with. Digests of their urls draw them, so chance has no part."""
        if not 0 < samples < len(self.members):
            return self.members
        return sorted(self.members, key=lambda i: hashlib.sha256(urls[i].encode()).digest())[:samples]


def _directory(url: str) -> tuple[str, ...]:
    return tuple(url.partition("://")[2].split("/")[:-1])
