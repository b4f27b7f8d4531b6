"""What in a container is not main text: share bars, advertisements, related lists, comments.

Judged by a cluster's statistics, never by words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from ..blocks.tags import HEADINGS, TEXT_TAGS
from .groups import add_up, inherited, sums
from .paths import coarse, is_under, last_step, tag_of
from .placed import PlacedLayout
from .static import StaticKey, keys_of

__all__ = ["find_excluded"]

#: Share of an element's text that is furniture, from which on it is furniture on a page ...
_FURNITURE = 0.4
#: ... and share of the pages with it on which it is, from which on it is so for the cluster.
_PAGES = 0.6
#: What holds more of the container's mass than this is no furniture, whatever else is in it.
_MASS = 0.3
#: A text is one of a few (four advertisements) if this share of the pages with its element has it.
_FEW = 0.1

#: Share of a path's elements that stand in groups, from which on all of them are of that kind.
_RECORDS = 0.5

#: Bare elements of running text are the author's; only bare lists and tables as a whole are judged.
_AUTHORS = TEXT_TAGS - {"ul", "ol", "dl", "table"}


def find_excluded(pages: Sequence[PlacedLayout], container: str) -> tuple[str, ...]:
    """Return the paths under a container that hold no main text.

    On most pages that have such a path, much of its text is static, one of a few
    texts, in links, or in groups of like siblings with links; and the path does
    not hold much of the container's mass. Cost: linear in the number of nodes.
    """
    few = _few_texts(pages, container)
    pages = _with_records(pages, container)
    seen: dict[str, list[bool]] = defaultdict(list)
    for page in pages:
        for path, verdict in _verdicts(page, container, few):
            seen[path].append(verdict)
    least = min(2, len(pages))
    found = {path for path, flags in seen.items() if len(flags) >= least and fmean(flags) >= _PAGES}
    return tuple(sorted(p for p in found if not any(p != q and is_under(p, q) for q in found)))


def _verdicts(page: PlacedLayout, container: str, few: set[StaticKey]) -> Iterator[tuple[str, bool]]:
    """Yield the paths under the container that a page has text at, and whether they are furniture on it."""
    furniture = _furniture(page, few)
    text = sums(page.layout, lambda block: block.weight)
    masses = page.masses(grouped=0.0)
    whole = max((m for m, path in zip(masses, page.paths, strict=True) if path == container), default=0.0)
    totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for node, path in enumerate(page.paths):
        if path != container and is_under(path, container) and not _authors(path, container):
            total = totals[path]
            total[0] += furniture[node]
            total[1] += text[node]
            total[2] += masses[node]
    for path, (bad, weight, mass) in totals.items():
        if weight:
            yield path, bad > _FURNITURE * weight and mass <= _MASS * whole


def _authors(path: str, container: str) -> bool:
    """Return whether a path is judged as a part of what encloses it only: running text, and its headings."""
    parent, _, step = path.rpartition("/")
    tag = tag_of(step)
    return (
        step in _AUTHORS
        or tag == "pre"
        or tag_of(parent) == "li"
        or (tag in HEADINGS and parent == container)
    )


def _with_records(pages: Sequence[PlacedLayout], container: str) -> Sequence[PlacedLayout]:
    """Return the pages with what stands in groups on other pages of the cluster as groups here, too.

    A post with a single comment has no group of them, but those with many show what stands there.
    """
    all_of: Counter[str] = Counter()
    grouped: Counter[str] = Counter()
    for page in pages:
        paths = [path for path in page.paths if is_under(path, container) and _is_record(path, container)]
        all_of.update(paths)
        here = [path for path, flag in zip(page.paths, page.grouped, strict=True) if flag]
        grouped.update(here)
    records = {path for path in all_of if grouped[path] >= _RECORDS * all_of[path]}
    return [_with_groups(page, records) for page in pages] if records else pages


def _is_record(path: str, container: str) -> bool:
    return path != container and last_step(path) not in TEXT_TAGS


def _with_groups(page: PlacedLayout, records: Collection[str]) -> PlacedLayout:
    flags = [flag or path in records for flag, path in zip(page.grouped, page.paths, strict=True)]
    return replace(page, grouped=tuple(inherited(page.layout, flags)))


def _furniture(page: PlacedLayout, few: set[StaticKey]) -> list[float]:
    """Return for each node the weight of the text in it that is furniture."""
    found = [0.0] * len(page.paths)
    keys = keys_of(page.layout, page.paths, page.title)
    for block, static, key in zip(page.layout.blocks, page.static, keys, strict=True):
        in_group = page.grouped[block.node] and tag_of(key[0]) != "li"
        whole = static or in_group or key in few
        found[block.node] += block.weight if whole else block.weight - block.plain
    add_up(page.layout, found)
    return found


def _few_texts(pages: Sequence[PlacedLayout], container: str) -> set[StaticKey]:
    """Return the texts that a fair share of the cluster's pages with their element of the template have.

    What stands in the container itself is the author's.
    """
    counts: Counter[StaticKey] = Counter()
    present: Counter[str] = Counter()
    for page in pages:
        keys = set(keys_of(page.layout, page.paths, page.title))
        counts.update(keys)
        present.update({coarse(path) for path, _ in keys})
    return {
        (path, text)
        for (path, text), count in counts.items()
        if (element := coarse(path)) != container and count >= max(2, _FEW * present[element])
    }
