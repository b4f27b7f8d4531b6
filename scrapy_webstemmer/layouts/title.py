"""Where the title stands: the text that other pages, and the page's head, call the page by.

Source: documentation of Webstemmer, title: the section whose text is most like
the anchor texts that refer to the page, times its DiffScore, voted over the
cluster. Departures: the ``title`` element, freed of what the site repeats in
it, is evidence beside the anchors; it and ``og:title`` are candidates; and a
page that lacks the learned place may show its title elsewhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import compress

from rapidfuzz.distance import Indel
from rapidfuzz.process import extractOne

from ..blocks.tags import HEADINGS
from ..blocks.text import fold, plain_punctuation
from .affixes import Affixes, ends_of, strip_affixes
from .paths import OG_TITLE, TITLE_ELEMENT, tag_of
from .placed import PlacedLayout

__all__ = ["boilerplate_paths", "is_called", "rank_titles", "title_of"]

#: Places that are kept: the best one, and where to look if a page lacks it.
_KEPT = 4
_LONGEST = 300
#: Evidence that is a candidate itself is held to be worth a little less than an independent one.
_OWN = {TITLE_ELEMENT: 0.85, OG_TITLE: 0.9}
#: Of two that are equally alike, the heading.
_HEADING = 0.05
#: Likeness of a heading to what a page is called where nothing says that: the larger, the likelier.
_HEADLINES = {"h1": 0.5, "h2": 0.4, "h3": 0.3}
#: Share of the pages' ``title`` elements that must differ for them to name pages, not a part of the site ...
_NAMING = 0.5
#: ... where there are so many pages.
_SEVERAL = 3
#: A learned title less like the title element than this gives way to a block ...
_DOUBTFUL = 0.5
#: ... that is at least this much like it.
_CERTAIN = 0.9
#: Mean likeness to what the pages are called by that the title's place has, at least.
_LEAST = 0.3
#: A title agrees with what is this much like it: a word or two may be other ones.
_AGREES = 0.7
#: Likeness of a block that begins or ends the title element, from this length on.
_PART, _PART_LENGTH = 0.9, 8
#: Of two such texts, the name of the site and the title, the longer one is the title.
_COVERED = 0.05


def rank_titles(
    pages: Sequence[PlacedLayout],
    anchors: Mapping[str, Collection[str]],
    affixes: Affixes,
) -> tuple[str, ...]:
    """Return the places whose text is most like what the pages are called by, best first.

    :param anchors: for a page's url, the anchor texts that lead to it.
    :returns: at most four paths.

    Cost: one pass over the blocks, and a comparison of strings for each anchor text and each text at a
    place that enough pages have, with enough different texts, to be like enough.
    """
    found = [_candidates(page, affixes) for page in pages]
    possible = _possible(found)
    named = {page.layout.title_element for page in pages}
    naming = len(pages) < _SEVERAL or len(named) >= _NAMING * len(pages)
    scores: dict[str, float] = defaultdict(float)
    texts: dict[str, set[str]] = defaultdict(set)
    for page, candidates in zip(pages, found, strict=True):
        evidence = _Evidence(page, anchors.get(page.url, ()), naming)
        for path in filter(possible.__contains__, candidates):
            text = fold(candidates[path])
            like = evidence.likeness(text) if evidence.any else _HEADLINES.get(tag_of(path), 0.0)
            scores[path] += like * _OWN.get(path, 1.0)
            texts[path].add(text)

    def likeness(path: str) -> float:
        return _likeness(path, scores[path], len(texts[path]), len(pages))

    order = {path: number for number, path in enumerate(scores)}
    ranked = sorted(scores, key=lambda path: (-round(likeness(path), 6), order[path]))
    return tuple(path for path in ranked[:_KEPT] if likeness(path) >= _LEAST)


def _likeness(path: str, score: float, texts: int, pages: int) -> float:
    """Return what counts for a place: its mean likeness, less if it has few different texts."""
    different = texts if texts > 1 else 0  # a text that all pages have is no title
    variety = min(1.0, 2 * different / pages) if pages > 2 else 1.0
    return score / pages * variety + (_HEADING if tag_of(path) in HEADINGS else 0.0)


def _possible(found: Sequence[Mapping[str, str]]) -> frozenset[str]:
    """Return the places that are like enough if all their texts are what the pages are called by."""
    texts: dict[str, list[str]] = defaultdict(list)
    for candidates in found:
        for path, text in candidates.items():
            texts[path].append(text)
    return frozenset(
        path for path, own in texts.items() if _likeness(path, len(own), len(set(own)), len(found)) >= _LEAST
    )


def title_of(page: PlacedLayout, places: Sequence[str], affixes: Affixes) -> tuple[str, str]:
    """Return a page's title and where it stands; both empty if the page shows none.

    The first of the learned places that the page has; if what stands there is
    unlike the page's title element, or in the head only, a block that is like it.
    """
    candidates = _candidates(page, affixes, frozenset(places))
    evidence = _Evidence(page, ())
    best = next((path for path in places if path in candidates), "")
    if not best or best in _OWN or evidence.likeness(fold(candidates[best])) < _DOUBTFUL:
        texts = _candidates(page, affixes).items()
        # the site's name may be all that its title element says
        no_title = boilerplate_paths(page) | _OWN.keys()
        alike = {
            path: evidence.likeness(fold(text), _CERTAIN) for path, text in texts if path not in no_title
        }
        path = max(alike, key=lambda path: alike[path], default="")
        if path and alike[path] >= _CERTAIN:
            return fold(dict(texts)[path]), path
    return fold(candidates.get(best, "")), best


def is_called(page: PlacedLayout, title: str, place: str, anchors: Collection[str]) -> bool:
    """Return whether a page's title agrees with an anchor text, or with a ``title`` element other than it.

    :param place: where the title stands: one that is the ``title`` element does not speak for itself.
    :param anchors: the anchor texts that lead to the page.
    """
    evidence = _Evidence(page, anchors)
    text = title.lower()
    found = [_best_likeness(text, evidence.anchors)] if evidence.anchors else []
    if evidence.raw and place != TITLE_ELEMENT:
        found.append(evidence.like_title_element(text))
    return bool(text) and max(found, default=0.0) >= _AGREES


def _best_likeness(text: str, others: Sequence[str]) -> float:
    """Return the likeness to the one of some texts that is most like it, 0 to 1."""
    return extractOne(text, others, scorer=Indel.normalized_similarity)[1]


def _candidates(page: PlacedLayout, affixes: Affixes, only: Collection[str] | None = None) -> dict[str, str]:
    """Return the texts that could be the title: the first element of each path, and those of the head.

    :param only: the paths to look at beside the head's; None: all.
    """
    found: dict[str, str] = {}
    nodes: dict[str, int] = {}
    for path, block in zip(page.places, page.layout.blocks, strict=True):
        if only is not None and path not in only:
            continue
        if path not in nodes:
            nodes[path], found[path] = block.node, block.text
        elif nodes[path] == block.node and len(found[path]) <= _LONGEST:
            found[path] += f" {block.text}"
    found = {path: text for path, text in found.items() if len(text) <= _LONGEST}
    if page.title:
        found[TITLE_ELEMENT] = page.title
    if page.layout.og_title:
        found[OG_TITLE] = strip_affixes(page.layout.og_title, affixes)
    return found


def boilerplate_paths(page: PlacedLayout) -> set[str]:
    """Return the paths at which boilerplate stands on a page."""
    return set(compress(page.places, page.boilerplate))


def _is_part(text: str, title: str) -> bool:
    """Return whether a text begins or ends a title, or is the larger part of it, between separators."""
    if title.startswith(text) or title.endswith(text):
        return True
    before, found, after = title.partition(text)
    if not found or len(text) < len(title) / 2:
        return False
    return not (before.rstrip()[-1:].isalnum() or after.lstrip()[:1].isalnum())


class _Evidence:
    """What a page is called by."""

    def __init__(self, page: PlacedLayout, anchors: Collection[str], naming: bool = True) -> None:
        """Take what names a page; ``naming``: whether its ``title`` element does."""
        title = page.layout.title_element if naming and page.title else ""
        self.anchors = [anchor.lower() for anchor in anchors]
        self.raw = plain_punctuation(title.lower())
        self.stripped = plain_punctuation(page.title.lower()) if title else ""
        #: Whether there is anything.
        self.any = bool(self.anchors or title)

    def likeness(self, text: str, least: float = 0.0) -> float:
        """Return the mean likeness to the anchors and to the title element, where there are any, 0 to 1.

        :param least: without anchors, what less is worth nothing: it may come out as 0.
        """
        text = text.lower()
        found = []
        if self.anchors:
            found.append(_best_likeness(text, self.anchors))
        if self.raw:
            found.append(self.like_title_element(text, 0.0 if found else least))
        return sum(found) / len(found) if found else 0.0

    def like_title_element(self, text: str, least: float = 0.0) -> float:
        """Return the likeness of a text in lower case to the title element, 0 to 1; 0 for less than asked."""
        text = plain_punctuation(text)
        like = Indel.normalized_similarity(text, self.stripped, score_cutoff=least)
        if (len(text) >= _PART_LENGTH and _is_part(text, self.raw)) or text in self._ends:
            like = max(like, _PART + _COVERED * len(text) / len(self.raw))
        return like

    @cached_property
    def _ends(self) -> frozenset[str]:
        """What the title element begins or ends with, up to a separator."""
        return ends_of(self.raw)
