"""Learn where the pages of a site have readers' comments, and mark these on each page.

Comments weigh more than a short article, and a page with a single one does not show by itself what it is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from ..page.days import date_lines
from .paths import above
from .placed import PlacedLayout
from .records import SIZE
from .subtrees import indexes_in
from .threads import Comments, are_teasers, blocks_of, find_comments, known_thread, levels_at, tags_of

#: So many pages show where a site has comments.
_LEAST_PAGES = 3


def learn_threads(commented: Iterable[tuple[PlacedLayout, Comments]]) -> dict[str, tuple[str, ...]]:
    """Return where many pages of a site have comments: for the path of the element around them their forms.

    A form is the tags from a comment to the line with its date, ``li/div/p``, the most frequent first.

    :param commented: some of the site's pages, with their comments.
    """
    counts = Counter(place for page, comments in commented for place in {*_places_of(page, comments)})
    threads: dict[str, tuple[str, ...]] = {}
    for (thread, form), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        if count >= _LEAST_PAGES and not [*levels_at(f"{thread}/{form}", threads)]:
            threads[thread] = *threads.get(thread, ()), form
    return dict(sorted(threads.items()))


def _places_of(page: PlacedLayout, comments: Comments) -> Iterator[tuple[str, str]]:
    """Yield the path around each comment, and its form; nothing if the records are teasers."""
    if comments.opening or _lead_away(page, comments):
        return
    for record, stamp in zip(comments.elements, comments.stamps, strict=True):
        thread = page.paths[page.layout.parents[record]]
        if record != stamp:
            yield thread, "/".join(tags_of(page.paths[stamp][len(thread) + 1 :]))


def with_comments_marked(pages: Sequence[PlacedLayout]) -> list[PlacedLayout]:
    """Return pages on which readers' comments count as repeated records, though the main text is not known.

    Many comments weigh more than a short article, and not all of them have a link. A page with few of them,
    or with hardly any text of its own, shows by itself no comments; other pages of the site do. Where the
    text of as many pages begins, or most of it stands, there are no comments. Cost: that of
    :func:`find_comments` on each page.
    """
    paragraphs = [page.paragraphs() for page in pages]
    around, counts, below = Counter[str](), Counter[str](), list[Comments | None]()
    for page, main in zip(pages, paragraphs, strict=True):
        comments = find_comments(page, main[:1]) if main else None
        below.append(None if comments is None or comments.opening else comments)
        around.update(_around(page, main, below[-1]))
        counts.update(_holders(page, below[-1]))
    below = [
        comments if all(counts[path] > around[path] for path in _holders(page, comments)) else None
        for page, comments in zip(pages, below, strict=True)
    ]
    commented = zip(pages, below, strict=True)
    known = learn_threads((page, comments) for page, comments in commented if comments)
    lone = _lone_records(pages, paragraphs, around)
    marked = []
    for page, comments in zip(pages, below, strict=True):
        if comments is None and known:
            comments = known_thread(page, (), date_lines(page.layout.blocks, range(len(page.places))), known)
        nodes = [] if comments is None or _lead_away(page, comments) else [*comments.elements]
        single = [node for node, path in enumerate(page.paths) if path in lone and not page.repeated[node]]
        nodes += single if len(single) < SIZE else []
        marked.append(page.with_repeated(nodes))
    return marked


def _holders(page: PlacedLayout, comments: Comments | None) -> set[str]:
    """Return the paths of the elements that hold comments."""
    return {page.paths[page.layout.parents[element]] for element in (comments.elements if comments else ())}


def _around(page: PlacedLayout, paragraphs: Sequence[int], comments: Comments | None) -> set[str]:
    """Return the paths of the elements around a page's first paragraph, and around most of its paragraphs.

    :param comments: what looks like comments does not count.
    """
    held, known = Counter[int](), {*chain.from_iterable(comments.records)} if comments else set[int]()
    for index in paragraphs:
        block = page.layout.blocks[index]
        node = -1 if index in known else block.node
        while node >= 0:
            held[node] += block.plain
            node = page.layout.parents[node]
    first = {path for index in paragraphs[:1] for path in (page.places[index], *above(page.places[index]))}
    return first | {page.paths[node] for node, plain in held.items() if 2 * plain > held[0]}


def _lone_records(
    pages: Sequence[PlacedLayout], paragraphs: Sequence[Sequence[int]], around: Mapping[str, int]
) -> set[str]:
    """Return the paths of repeated records below the text that lead nowhere: there a single one is a comment.

    Each says at least two things, as who wrote and what. On fewer pages the text begins in such a record, or
    goes on behind it.

    :param paragraphs: the paragraphs of each page outside records.
    :param around: on how many pages the text begins in an element with a path, or most of it stands there.
    """
    below, within = Counter[str](), Counter(around)
    for page, main in zip(pages, paragraphs, strict=True):
        if main:
            last = page.layout.blocks[main[-1]].node
            for path, node in _records(page).items():
                (below if node > last else within)[path] += 1
    return {path for path, count in below.items() if count >= _LEAST_PAGES and count > within[path]}


def _records(page: PlacedLayout) -> dict[str, int]:
    """Return the paths of the records of a page that lead nowhere and say several things; a node of each."""
    parents, repeated, leading = page.layout.parents, page.repeated, page.leading
    records: dict[str, list[int]] = defaultdict(list)
    for node, path in enumerate(page.paths):
        if repeated[node] and not leading[node] and not repeated[parents[node]]:
            records[path].append(node)
    texts = sorted([block.node for block in page.layout.blocks])
    return {
        path: nodes[0]
        for path, nodes in records.items()
        if len(nodes) >= SIZE and all(len(indexes_in(texts, node, page.ends[node])) > 1 for node in nodes)
    }


def _lead_away(page: PlacedLayout, comments: Comments) -> bool:
    """Return whether what looks like comments are teasers of other pages."""
    records = blocks_of(page, comments.elements, page.ends[comments.thread])
    return are_teasers(page, records, [""] * len(records))
