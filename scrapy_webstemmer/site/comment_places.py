"""Learn where the pages of a site have readers' comments, and mark these on each page.

Comments weigh more than a short article, and a page with a single one does not show by itself what it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ..page.days import date_lines
from .placed import PlacedLayout
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
    or with hardly any text of its own, shows by itself no comments; other pages of the site do. Cost: that of
    :func:`find_comments` on each page.
    """
    below = [_below_text(page) for page in pages]
    commented = zip(pages, below, strict=True)
    known = learn_threads((page, comments) for page, comments in commented if comments)
    marked = []
    for page, comments in zip(pages, below, strict=True):
        if comments is None and known:
            comments = known_thread(page, (), date_lines(page.layout.blocks, range(len(page.places))), known)
        nodes = () if comments is None or _lead_away(page, comments) else comments.elements
        marked.append(page.with_repeated(nodes))
    return marked


def _below_text(page: PlacedLayout) -> Comments | None:
    """Return the comments below the first paragraph of a page; None: it has none."""
    main = page.paragraphs()
    comments = find_comments(page, main[:1]) if main else None
    return None if comments is None or comments.opening else comments


def _lead_away(page: PlacedLayout, comments: Comments) -> bool:
    """Return whether what looks like comments are teasers of other pages."""
    records = blocks_of(page, comments.elements)
    return are_teasers(page, records, [""] * len(records))
