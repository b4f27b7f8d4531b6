"""Clusters of 2009: a page joins the first cluster all of whose pages are like it.

Source: Webstemmer 0.7.1, clustering. Clusters are tried in the order of how
little the directories of their urls differ from the page's own; of equals, first
the one that was tried earlier for the page before. Departure: pages come in the
order of their urls; in 2009 in that of a hash table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import TypeVar

__all__ = ["first_fit"]

T = TypeVar("T")


def first_fit(
    items: Sequence[T],
    similarity: Callable[[T, T], float],
    threshold: float,
    url: Callable[[T], str],
    samples: int = 0,
) -> list[list[int]]:
    """Return the clusters as lists of indexes, each in the order of the urls.

    :param similarity: of two items, symmetric, 0 to 1.
    :param url: of an item; the order of the items has no part in the result.
    :param samples: of how many members of a cluster a page must reach the threshold; 0: of all, so that
        every pair of a cluster reaches it.

    Cost: one comparison for each pair of items, or for each item and sampled member, in the worst case.
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
    """A cluster while it grows, and the directories that its pages are in."""

    def __init__(self) -> None:
        self.members: list[int] = []
        self.directories: set[tuple[str, ...]] = set()

    def add(self, index: int, directory: tuple[str, ...]) -> None:
        self.members.append(index)
        self.directories.add(directory)

    def distance(self, directory: tuple[str, ...]) -> tuple[bool, ...]:
        """Return what orders clusters: where a directory differs from the nearest one here, host first."""
        return min(
            tuple(left != right for left, right in zip_longest(directory, own)) for own in self.directories
        )

    def sampled(self, samples: int, urls: Sequence[str]) -> list[int]:
        """Return the members to compare with, drawn by their urls: no chance in it."""
        if not 0 < samples < len(self.members):
            return self.members
        return sorted(self.members, key=lambda i: hashlib.sha256(urls[i].encode()).digest())[:samples]


def _directory(url: str) -> tuple[str, ...]:
    return tuple(url.partition("://")[2].split("/")[:-1])
