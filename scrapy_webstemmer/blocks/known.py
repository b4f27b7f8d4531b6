"""Read the pieces and texts of pages, and keep the results, since most come again on other pages of the site.

Nine pieces in ten and three texts in four were on an earlier page of the site: navigation, or tags with
the white space after them. Their meaning is looked up, not computed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from .links import NAME, NOWHERE, leads_to_picture, link_to
from .markup import COMMENT, CUT, LINK, SKIPPED, TRANSPARENT, comment_end, plain_text, tag_reader
from .tags import TagRules

#: The most pieces and texts that are kept, and the most characters of each: memory must stay bounded in a
#: crawl of months.
MAX_PIECES, _LONGEST_PIECE = 10_000, 500
MAX_TEXTS, _LONGEST_TEXT = 5_000, 200

#: The kind of a link to a picture, to a place on its own page, or without content. A walk looks at these more
#: closely.
RARE_LINK = 10

#: The meaning of a piece: the kind of its tag; the :class:`~scrapy_webstemmer.values.layouts.Step` of a
#: block-level element, the :data:`Link` of a link, or the end tag of a skipped element; and the text after
#: the tag, empty for white space after a tag that ends a run. A bare tuple, since a page has many new pieces.
Meaning: TypeAlias = tuple[int, Any, str]

_HREF = ' href="'


class KnownPieces:
    """Reads pieces.

    ``known`` has the pieces that were read, except for long ones and those of ``pre`` elements. A walk has to
    see the latter itself.
    """

    def __init__(self, rules: TagRules) -> None:
        self.known: dict[str, Meaning] = {}
        self._tags = tag_reader(rules)
        self._known_tags = self._tags.known
        self._keeps_space = rules.drop_caps

    def read(self, piece: str) -> Meaning:
        """Return the meaning of a piece that is not known; if it is not long, it is known from now on."""
        tag, _, text = piece.partition(">")
        known_tag = self._known_tags.get(tag)
        if known_tag is None and tag[:2] == "a ":
            found = _read_link(tag, text)
        else:
            kind, name, step = known_tag or self._tags.read(tag)
            if kind <= CUT:
                if kind and text.isspace() and not self._keeps_space:
                    text = ""
                found = kind, step, text
            elif kind < SKIPPED and kind != LINK:
                found = kind, None, text
            else:
                found = _read_other(kind, name, piece)
            if name == "pre":
                return found
        if len(piece) <= _LONGEST_PIECE:
            if len(self.known) >= MAX_PIECES:
                self.known.clear()
            self.known[piece] = found
        return found


def _read_other(kind: int, name: str, piece: str) -> Meaning:
    """Return the meaning of a link without attributes, or of a piece that begins something to skip."""
    tag, _, text = piece.partition(">")
    if kind == LINK:
        return _read_link(tag, text)
    if kind == COMMENT and (end := comment_end(piece)) in piece:
        return TRANSPARENT, None, piece.partition(end)[2]
    return kind, f"/{name}>" if kind == SKIPPED else None, text


def _read_link(tag: str, text: str) -> Meaning:
    begin = tag.find(_HREF) + len(_HREF)
    if begin < len(_HREF):
        return RARE_LINK if tag[-1] == "/" else LINK, NAME if ' name="' in tag else NOWHERE, text
    href = plain_text(tag[begin : tag.find('"', begin)]).strip()
    link = link_to(href)
    return RARE_LINK if tag[-1] == "/" or href[:1] == "#" or leads_to_picture(link) else LINK, link, text


class KnownTexts:
    """Reads texts: folds and weighs them. ``known`` has the texts that were read, except for long ones."""

    def __init__(self, rules: TagRules) -> None:
        self.known: dict[str, tuple[str, int]] = {}
        self._fold, self._weigh = rules.fold, rules.weigh

    def read(self, sources: Sequence[str]) -> list[tuple[str, int]]:
        """Return for each text of the source its folded form and its weight."""
        known = self.known
        found: list[Any] = [*map(known.get, sources)]
        new = [number for number, text in enumerate(found) if text is None]
        if len(known) + len(new) > MAX_TEXTS:
            known.clear()
        texts = [self._fold(plain_text(sources[number])) for number in new]
        for number, text, weight in zip(new, texts, self._weigh(texts), strict=True):
            found[number] = text, weight
            if len(sources[number]) <= _LONGEST_TEXT:
                known[sources[number]] = text, weight
        return found


@lru_cache
def known_pieces(rules: TagRules) -> KnownPieces:
    """Return the reader of pieces by these rules; all pages share it."""
    return KnownPieces(rules)


@lru_cache
def known_texts(rules: TagRules) -> KnownTexts:
    """Return the reader of texts by these rules; all pages share it."""
    return KnownTexts(rules)
