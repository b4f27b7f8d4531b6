"""Static text: what stands at the same path of several pages of a site.

Its document frequency is counted over (path, text with digits folded). A text
that recurs is furniture where most of what stands at its path recurs; among
varying text ("To upgrade:" before each new list of changes) it is the author's,
unless most pages have it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..blocks.text import static_key, static_keys, weight
from ..values import Layout
from .paths import bare, coarse

__all__ = ["StaticKey", "StaticTexts", "bare_keys", "keys_of", "static_texts"]

#: A path and the folded text (:func:`~scrapy_webstemmer.blocks.text.static_key`) that stands there.
StaticKey = tuple[str, str]

#: A page's layout, the paths of its nodes, and its title.
NamedPage = tuple[Layout, Sequence[str], str]

#: Share of a path's text that recurs, from which on all that recurs there is furniture.
_PATH_RECURS = 0.5
#: Share of the pages with its element of the template that have a text, from which on it is furniture.
_MOST_PAGES = 0.5
#: Characters from which on a title is long enough to be meant where it stands in a text, ...
_TITLE = 10
#: ... and significant characters that the text must have beside it.
_REST = 5

#: Texts as they stand on pages that are kept, a site; a crawl of months must not grow without bound.
_MOST_KEPT = 20_000


class StaticTexts:
    """The furniture of a site.

    :ivar texts: for a path, the folded texts that are furniture there.
    """

    def __init__(self, keys: Iterable[StaticKey]) -> None:
        texts: dict[str, set[str]] = defaultdict(set)
        for path, text in keys:
            texts[path].add(text)
        self.texts: Mapping[str, set[str]] = dict(texts)
        self._openings = {path: {text[:1] for text in found} for path, found in texts.items()}
        self._forget()

    def _forget(self) -> None:
        self._kept = 0
        self._known: dict[str, set[str]] = {path: set() for path in self.texts}

    def among(self, layout: Layout, places: Sequence[str], title: str) -> tuple[bool, ...]:
        """Return for each block of a page whether it is furniture.

        :param places: the path of each block.
        :param title: the page's own, as for :func:`keys_of`.

        Furniture is the same to the letter on most pages, so that what has been
        found to be some is kept as it stands: it costs a look-up, and only what
        is new at such a path is folded.
        """
        if self._kept > _MOST_KEPT:
            self._forget()
        if len(title) < _TITLE:
            title = ""
        found = []
        for block, path, known in zip(layout.blocks, places, map(self._known.get, places), strict=True):
            if known is None:
                found.append(False)
                continue
            text = block.text
            own = title != "" and title in text
            found.append((text in known and not own) or self._is_static(path, text, title if own else ""))
        return tuple(found)

    def _is_static(self, path: str, text: str, title: str) -> bool:
        """Return whether a text is furniture at a path; ``title`` is that of the page if the text has it."""
        counted = _without(text, title) if title else text
        opening = counted[:1]
        if opening.lower()[:1] not in self._openings[path] and not opening.isdecimal():
            return False  # nothing that begins like this is furniture here: it need not be folded
        static = static_key(counted) in self.texts[path]
        if static and counted == text:
            self._known[path].add(text)
            self._kept += 1
        return static


def keys_of(
    layout: Layout, paths: Sequence[str], title: str, known: dict[str, str] | None = None
) -> Iterator[StaticKey]:
    """Return for each block of a page its path and folded text, in turn.

    :param title: the page's own. A line that has it and more ("Comments on ...") counts without it.
    :param known: folded texts, by the text as it stands; new ones are added. None: all are new.
    """
    nodes, texts, _, _ = zip(*layout.blocks, strict=True) if layout.blocks else ((),) * 4
    if len(title) >= _TITLE and any(title in text for text in texts):
        texts = tuple([_without(text, title) if title in text else text for text in texts])
    folded = static_keys(texts) if known is None else _folded(texts, known)
    return zip([paths[node] for node in nodes], folded, strict=True)


def _folded(texts: Sequence[str], known: dict[str, str]) -> Iterator[str]:
    """Return the folded texts; most of a page's blocks stand on its site's other pages to the letter."""
    new = [text for text in texts if text not in known]
    if len(known) > _MOST_KEPT:
        known.clear()
        new = list(texts)
    known.update(zip(new, static_keys(new), strict=True))
    return map(known.__getitem__, texts)


def bare_keys(layout: Layout, paths: Sequence[str]) -> Iterator[StaticKey]:
    """Yield for each block of a page its path by tags alone, and its folded text.

    For two pages by themselves: which of their ids and classes are the template's is not known. These paths
    begin with a slash, so that none of them is a path of the site's vocabulary.
    """
    for block in layout.blocks:
        yield f"/{bare(paths[block.node])}", static_key(block.text)


def _without(text: str, title: str) -> str:
    rest = text.replace(title, "\0")
    return rest if weight(rest) >= _REST else text


def static_texts(pages: Sequence[NamedPage], share: float, least: int) -> frozenset[StaticKey]:
    """Return the texts of a site that are furniture.

    :param share: of the pages on which a text must stand, at ``least`` pages in any case.

    Cost: linear in the number of blocks.
    """
    counts: Counter[StaticKey] = Counter()
    weights: defaultdict[StaticKey, int] = defaultdict(int)
    present: Counter[str] = Counter()
    known: dict[str, str] = {}
    for page in pages:
        keys = list(keys_of(*page, known))
        for key, block in zip(keys, page[0].blocks, strict=True):
            weights[key] += block.weight
        counts.update(set(keys))
        present.update({coarse(path) for path in {path for path, _ in keys}})
    needed = max(least, share * len(pages))
    frequent = {key for key, count in counts.items() if count >= needed}
    recurring = _recurring_paths(weights, frequent)
    return frozenset(
        key for key in frequent if key[0] in recurring or counts[key] > _MOST_PAGES * present[coarse(key[0])]
    )


def _recurring_paths(weights: Mapping[StaticKey, int], frequent: set[StaticKey]) -> set[str]:
    """Return the paths of which enough text is frequent, given the weight of each text."""
    total: Counter[str] = Counter()
    repeated: Counter[str] = Counter()
    for (path, _), own in weights.items():
        total[path] += own
    for key in frequent:
        repeated[key[0]] += weights[key]
    return {path for path, recurring in repeated.items() if recurring > _PATH_RECURS * total[path]}
