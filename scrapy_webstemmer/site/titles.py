"""Find the title of pages: the text that is most like the page's anchor texts and its ``title`` element.

Source: documentation of Webstemmer, title. There the title is the section whose text is most like the
anchor texts that refer to the page, times its DiffScore, voted over the cluster. Departures: the ``title``
element, without what the site repeats in it, is evidence beside the anchor texts. It and ``og:title`` are
candidates. A page without the learned place may show its title elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import compress

from rapidfuzz.distance import Indel
from rapidfuzz.process import extractOne

from ..page.tags import HEADINGS
from ..page.text import fold, plain_punctuation
from ..values import Pattern
from .affixes import PART_LENGTH, Affixes, strip_affixes, title_ends, without_additions
from .own_title import LONGEST_SHOWN, own_title
from .paths import OG_TITLE, TITLE_ELEMENT, tag_of
from .placed import PlacedLayout
from .weighing import first_texts

#: Bound: this many places are kept: the best one, and others for pages without it.
_KEPT_PLACES = 4
#: So much longer may a text be in the page's source, with line breaks in preformatted text, or "…" for "...".
_MORE_CHARACTERS = 20
#: Factors for candidates that are evidence themselves: they count a little less than independent ones.
_HEAD_FACTORS = {TITLE_ELEMENT: 0.85, OG_TITLE: 0.9}
#: A heading counts this much more, so that it wins if two candidates are equally alike.
_HEADING_BONUS = 0.05
#: The likeness of a heading on a page without evidence: a higher level is more likely the title.
_HEADLINES = {"h1": 0.5, "h2": 0.4, "h3": 0.3}
#: If fewer ``title`` elements than this share of the pages differ in more than numbers, they do not name
#: pages ...
_NAMING = 0.5
#: ... provided that there are at least this many pages.
_LEAST_PAGES = 3
#: A learned title less like the title element than this gives way to a block ...
_DOUBTFUL_LIKENESS = 0.5
#: ... that is at least this much like the title element.
_CERTAIN = 0.9
#: A title's place has at least this mean likeness to the evidence.
_LEAST_LIKENESS = 0.3
#: Columns have their title in the head on at least this share of the pages.
_COLUMN_PAGES = 0.7
#: Headlines are on at least this share of the pages, with as many texts that differ in more than numbers.
_HEADLINE_PAGES = 0.9
_NUMBERS = re.compile(r"\d+")
#: A title agrees with a text from this likeness on: a word or two may differ.
_AGREES = 0.7
#: The likeness of a text of at least this length that begins or ends the title element.
_PART_LIKENESS = 0.9
#: A longer part of the title element counts up to this much more: it is the title, not the site's name.
_COVERED = 0.05


def rank_titles(
    pages: Sequence[PlacedLayout], anchors: Mapping[str, Collection[str]], affixes: Affixes
) -> tuple[str, ...]:
    """Return the places whose texts are most like the pages' anchor texts and ``title`` elements, best first.

    :param anchors: for a page's url, the anchor texts that lead to it.
    :returns: at most four paths.

    Cost: one pass over the blocks, and a comparison of strings for each anchor text and each text at a
    possible place. Such a place is on enough pages, with enough different texts.
    """
    by_page = [_candidates(page, affixes) for page in pages]
    possible = _possible(by_page)
    # "Section 4.38" names none
    named = {_NUMBERS.sub("0", page.layout.title_element) for page in pages}
    naming = len(pages) < _LEAST_PAGES or len(named) >= _NAMING * len(pages)
    scores: dict[str, float] = defaultdict(float)
    texts: dict[str, set[str]] = defaultdict(set)
    for page, candidates in zip(pages, by_page, strict=True):
        evidence = _Evidence(page, anchors.get(page.url, ()), naming)
        for path in filter(possible.__contains__, candidates):
            text = fold(candidates[path])
            like = evidence.likeness(text) if evidence.any else _HEADLINES.get(tag_of(path), 0.0)
            scores[path] += like * _HEAD_FACTORS.get(path, 1.0)
            texts[path].add(text)

    def likeness(path: str) -> float:
        return _likeness(path, scores[path], len(texts[path]), len(pages))

    ranked = sorted(scores, key=lambda path: -round(likeness(path), 6))  # equal ones stay in order
    kept = tuple(path for path in ranked[:_KEPT_PLACES] if likeness(path) >= _LEAST_LIKENESS)
    if kept and kept[0] in _HEAD_FACTORS:  # the head is no evidence for itself
        headlines = _only_headlines(by_page)
        return (*headlines, *(path for path in kept if path not in headlines))[:_KEPT_PLACES]
    return kept or _headings_of_columns(pages, by_page)


def _only_headlines(by_page: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """Return the place of the only ``h1`` of nearly all pages, if each page has another text there."""
    texts: dict[str, set[str]] = defaultdict(set)
    for candidates in by_page:
        headlines = [path for path in candidates if tag_of(path) == "h1"]
        if len(headlines) == 1:
            texts[headlines[0]].add(_NUMBERS.sub("0", candidates[headlines[0]]))
    return tuple(path for path, at_path in texts.items() if len(at_path) >= _HEADLINE_PAGES * len(by_page))


def _headings_of_columns(
    pages: Sequence[PlacedLayout], by_page: Sequence[Mapping[str, str]]
) -> tuple[str, ...]:
    """Return the headings with which the ``title`` elements begin or end, if they are several: of columns.

    All pages of a column have the same title. One heading for all is the site's name.
    """
    counts: Counter[str] = Counter()
    texts: dict[str, set[str]] = defaultdict(set)
    for page, candidates in zip(pages, by_page, strict=True):
        parts = {page.layout.title_element, *title_ends(page.layout.title_element)}
        for path, text in candidates.items():
            if tag_of(path) in HEADINGS and fold(text) in parts:
                counts[path] += 1
                texts[path].add(text)
    most = [path for path, count in counts.most_common(1) if count >= _COLUMN_PAGES * len(pages)]
    return tuple(path for path in most if len(texts[path]) > 1)


def _likeness(path: str, score: float, texts: int, pages: int) -> float:
    """Return the rating of a place: its mean likeness, less if it has few different texts."""
    different = texts if texts > 1 else 0  # a text that all pages have is not a title
    variety = min(1.0, 2 * different / pages) if pages > 2 else 1.0
    return score / pages * variety + (_HEADING_BONUS if tag_of(path) in HEADINGS else 0.0)


def _possible(by_page: Sequence[Mapping[str, str]]) -> frozenset[str]:
    """Return the places that would be rated high enough if all their texts were exactly the evidence."""
    texts: dict[str, list[str]] = defaultdict(list)
    for candidates in by_page:
        for path, text in candidates.items():
            texts[path].append(text)
    return frozenset(
        path
        for path, at_path in texts.items()
        if _likeness(path, len(at_path), len(set(at_path)), len(by_page)) >= _LEAST_LIKENESS
    )


def title_on(page: PlacedLayout, pattern: Pattern, affixes: Affixes) -> tuple[str, str]:
    """Return the title of a page and its place: by the places that its pattern knows, or by its own evidence.

    :param affixes: the texts that the site puts before and after its titles.
    """
    title, place = title_of(page, pattern.titles, affixes, pattern.headline) if pattern.titles else ("", "")
    return (title, place) if title else own_title(page, pattern.container, affixes)


def title_of(
    page: PlacedLayout, places: Sequence[str], affixes: Affixes, headline: str = ""
) -> tuple[str, str]:
    """Return a page's title and its place; both are empty if the page shows none.

    It is the text at the first learned place that the page has. If this text is
    unlike the page's title element, or stands only in the head, a block that is like
    the title element is preferred.

    :param places: the learned places, best first.
    :param headline: the one that is surely the title if the page has it; empty: none is.
    """
    candidates = _candidates(page, affixes, frozenset(places)) if places else {}
    if headline in candidates:
        return fold(candidates[headline]), headline
    best = next((path for path in places if path in candidates), "")
    text = fold(candidates.get(best, ""))
    is_shown = best and best not in _HEAD_FACTORS
    if not is_shown or _Evidence(page, ()).likeness(text) < _DOUBTFUL_LIKENESS:
        title, path = _most_alike(page)
        if path:
            return title, path
    return text, best


def _most_alike(page: PlacedLayout) -> tuple[str, str]:
    """Return the text that is most like the title element, and its place; empty if none is."""
    evidence = _Evidence(page, ())
    longest = min(LONGEST_SHOWN, evidence.longest_certain())
    first = dict(zip(reversed(page.places), reversed(page.boilerplate), strict=True))
    no_title = {*compress(first, first.values())}  # the title element may have the site's name alone
    best, title, place = 0.0, "", ""
    for path, shown in first_texts(page, None, longest).items():
        if path not in no_title and evidence.may_be_certain(lower := (text := fold(shown)).lower()):
            like = evidence.like_title_element(lower, _CERTAIN)
            if like > best:
                best, title, place = like, text, path
                if best == 1.0:
                    break
    return (title, place) if best >= _CERTAIN else ("", "")


def is_called(page: PlacedLayout, title: str, place: str, anchors: Collection[str]) -> bool:
    """Return whether a page's title agrees with an anchor text or with the ``title`` element.

    :param place: the place of the title. If it is the ``title`` element, only anchor texts count.
    :param anchors: the anchor texts that lead to the page.
    """
    evidence = _Evidence(page, anchors)
    text = title.lower()
    likenesses = [_best_likeness(text, evidence.anchors)] if evidence.anchors else []
    if evidence.raw and place != TITLE_ELEMENT:
        likenesses.append(evidence.like_title_element(text))
    return bool(text) and max(likenesses, default=0.0) >= _AGREES


def _best_likeness(text: str, others: Sequence[str]) -> float:
    """Return the likeness of a text to the most similar of some others, from 0 to 1."""
    return extractOne(text, others, scorer=Indel.normalized_similarity)[1]


def _candidates(page: PlacedLayout, affixes: Affixes, only: Collection[str] | None = None) -> dict[str, str]:
    """Return the texts that can be the title: that of the first element at each path, and those of the head.

    :param only: the paths to look at, beside those of the head; None: all.
    """
    texts = without_additions(first_texts(page, only, LONGEST_SHOWN), page, affixes)
    if page.title:
        texts[TITLE_ELEMENT] = page.title
    if page.layout.og_title:
        texts[OG_TITLE] = strip_affixes(page.layout.og_title, affixes)
    return texts


def _is_part(text: str, title: str) -> bool:
    """Return whether a part of a title begins or ends it, or is its larger part as whole words."""
    if title.startswith(text) or title.endswith(text):
        return True
    if len(text) < len(title) / 2:
        return False
    before, _, after = title.partition(text)
    return not (before.rstrip()[-1:].isalnum() or after.lstrip()[:1].isalnum())


class _Evidence:
    """The evidence for a page's title: its anchor texts and its ``title`` element."""

    def __init__(self, page: PlacedLayout, anchors: Collection[str], naming: bool = True) -> None:
        """Take the evidence of a page; ``naming`` tells whether its ``title`` element is part of it."""
        title, stripped = (page.layout.title_element, page.title) if naming and page.title else ("", "")
        self.anchors = [anchor.lower() for anchor in anchors]
        self.raw = plain_punctuation(title.lower())
        self.stripped = plain_punctuation(stripped.lower())
        before, _, behind = self.raw.partition(self.stripped or self.raw or "\n")
        #: What the site adds to its titles: no title itself.
        self._added = f"{before}\n{behind}"
        #: Whether there is any evidence.
        self.any = bool(self.anchors or title)

    def longest_certain(self) -> int:
        """Return the length beyond which no text is certainly like the title element, folded or not."""
        return int(max(len(self.raw), len(self.stripped) * (2 - _CERTAIN) / _CERTAIN) + _MORE_CHARACTERS)

    def may_be_certain(self, text: str) -> bool:
        """Return whether a text in lower case may be certainly like the title element; most are too short."""
        is_long = len(text) >= len(self.stripped) * _CERTAIN / (2 - _CERTAIN)
        return is_long or not text.isascii() or text in self.raw

    def likeness(self, text: str) -> float:
        """Return the mean likeness to the anchor texts and to the title element, from 0 to 1.

        Missing evidence is left out of the mean.
        """
        text = text.lower()
        likenesses = []
        if self.anchors:
            likenesses.append(_best_likeness(text, self.anchors))
        if self.raw:
            likenesses.append(self.like_title_element(text))
        return sum(likenesses) / len(likenesses) if likenesses else 0.0

    def like_title_element(self, text: str, least: float = 0.0) -> float:
        """Return the likeness of a text in lower case to the title element, 0 to 1; 0 if below ``least``."""
        text = plain_punctuation(text)
        like = Indel.normalized_similarity(text, self.stripped, score_cutoff=least)
        if (
            text in self.raw
            and text not in self._added
            and ((len(text) >= PART_LENGTH and _is_part(text, self.raw)) or text in title_ends(self.raw))
        ):
            like = max(like, _PART_LIKENESS + _COVERED * len(text) / len(self.raw))
        return like
