"""Stream linkinfo from its storage, from one source or from several."""

from __future__ import annotations

import heapq
from abc import abstractmethod
from collections import Counter
from collections.abc import ItemsView, Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from ..base.urls import canonical_url
from ..values.pages import Linkinfo
from .source import PageSource

__all__ = ["MergedLinkinfo", "StreamedLinkinfo", "merged_linkinfo"]


class StreamedLinkinfo(Mapping[str, Mapping[str, int]]):
    """Anchor texts with their counts by canonical url; each access reads the storage.

    ``items()`` streams in the order of the urls' code points and holds one url at a time; ``len()`` costs as
    much as one pass.
    """

    @abstractmethod
    def stream(self) -> Iterator[tuple[str, Mapping[str, int]]]:
        """Yield each url once with its anchor texts, in the order of the urls."""

    def items(self) -> ItemsView[str, Mapping[str, int]]:
        return _StreamedItems(self)

    def __iter__(self) -> Iterator[str]:
        return (url for url, _ in self.stream())

    def __len__(self) -> int:
        return sum(1 for _ in self.stream())


class _StreamedItems(ItemsView[str, Mapping[str, int]]):
    """Items in one pass. The inherited view would look up each url separately."""

    _mapping: StreamedLinkinfo

    def __iter__(self) -> Iterator[tuple[str, Mapping[str, int]]]:
        return self._mapping.stream()


class MergedLinkinfo(StreamedLinkinfo):
    """The union of several linkinfos whose items come in the order of their urls; counts are added."""

    def __init__(self, parts: Iterable[Linkinfo]) -> None:
        self._parts = tuple(parts)

    def stream(self) -> Iterator[tuple[str, Mapping[str, int]]]:
        merged = heapq.merge(*(part.items() for part in self._parts), key=itemgetter(0))
        for url, group in groupby(merged, key=itemgetter(0)):
            yield url, _sum(texts for _, texts in group)

    def __getitem__(self, url: str) -> Mapping[str, int]:
        key = canonical_url(url)
        texts = _sum(part[key] for part in self._parts if key in part)
        if not texts:
            raise KeyError(url)
        return texts


def merged_linkinfo(sources: Iterable[PageSource]) -> Linkinfo | None:
    """Return the linkinfo of several sources as one, streamed lazily; None if no source records any."""
    parts = [linkinfo for source in sources if (linkinfo := source.linkinfo()) is not None]
    if len(parts) < 2:
        return parts[0] if parts else None
    return MergedLinkinfo(parts)


def _sum(texts: Iterable[Mapping[str, int]]) -> Mapping[str, int]:
    total: Counter[str] = Counter()
    for counts in texts:
        total.update(counts)
    return dict(total)
