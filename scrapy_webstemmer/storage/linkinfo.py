"""Put the linkinfo of several sources together."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter

from ..values.pages import Linkinfo
from .source import PageSource


class MergedLinkinfo:
    """The union of several linkinfos whose items come in the order of their urls; counts are added."""

    def __init__(self, parts: Iterable[Linkinfo]) -> None:
        self._parts = tuple(parts)

    def items(self) -> Iterator[tuple[str, Mapping[str, int]]]:
        """Yield each url once with its anchor texts, in the order of the urls; one url is held at a time."""
        merged = heapq.merge(*(part.items() for part in self._parts), key=itemgetter(0))
        for url, group in groupby(merged, key=itemgetter(0)):
            total: Counter[str] = Counter()
            for _, texts in group:
                total.update(texts)
            yield url, dict(total)


def merged_linkinfo(sources: Iterable[PageSource]) -> Linkinfo | None:
    """Return the linkinfo of several sources as one, streamed lazily; None if no source records any."""
    parts = [linkinfo for source in sources if (linkinfo := source.linkinfo()) is not None]
    if len(parts) < 2:
        return parts[0] if parts else None
    return MergedLinkinfo(parts)
