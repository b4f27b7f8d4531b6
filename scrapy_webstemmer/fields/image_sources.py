"""Find the absolute urls of a page's links and images, including lazily loaded images."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from urllib.parse import quote

from ..page.instead import tags_from
from ..page.markup import Base, attributes_of, plain_text
from ..page.tags import PICTURE, loads_later
from ..page.text import UNSEEN, fold
from ..values import Layout

_HREF = ' href="'
_LINK_SCHEMES = ("http://", "https://", "mailto:")
_IMAGE_SCHEMES = ("http://", "https://")
#: A url in a srcset, and the width or density that may follow it.
_CANDIDATE, _SIZE = re.compile(r"[^\s,]\S*"), re.compile(r"([0-9]+(?:\.[0-9]+)?)[wx]")
_UNSEEN = re.compile(f"[{UNSEEN}]")
#: An image of this width or height counts visits and shows nothing.
_PIXELS = {"0", "1", "2", "0px", "1px", "2px"}
#: What the class of an image says if a script loads it later; the end of a drawing's address, or none.
_LAZY, _DRAWING = (
    re.compile(r"(?:^|[\s_-])lazy", re.IGNORECASE),
    re.compile(r"\.(?:gif|svg)(?:[?#]|$)|^#", re.IGNORECASE),
)
#: The url of a background in a style.
_BACKGROUND = re.compile(r"""url\(\s*["']?([^"'()\s]+)""", re.IGNORECASE)
#: Bound: so many tags behind an image are searched for a ``noscript``.
_MOST_TAGS = 10
#: Bound: largest number of pieces of markup between the beginning of a ``picture`` and its image.
_PICTURE_SIZE = 100


def href_of(tag: str) -> str:
    """Return the ``href`` of a start tag; empty if it has none. Cost: a tenth of reading all attributes."""
    begin = tag.find(_HREF) + len(_HREF)
    return plain_text(tag[begin : tag.find('"', begin)]) if begin >= len(_HREF) else ""


def absolute(href: str, base: Base, schemes: tuple[str, ...] = _LINK_SCHEMES) -> str:
    """Return a target as an absolute url; empty if it leads nowhere or its scheme is not allowed."""
    if not href:
        return ""
    if href.startswith(schemes) and href.isprintable() and "[" not in href:
        return href.strip()  # it is absolute already, and joining urls takes longer than all else here
    target = base.joined(href.strip())
    if not target.isascii():  # in a text nobody sees these, and they go; a target keeps them
        target = _UNSEEN.sub(lambda sign: quote(sign[0]), target)
    return target if target.lower().startswith(schemes) else ""


def image_tags(layout: Layout, images: Sequence[int]) -> dict[int, str]:
    """Return the clean tags of images between blocks, by their indexes; of those that show something.

    :param layout: the page's layout, with its markup.
    """
    markup = layout.markup
    if markup is None or not images:
        return {}
    base = Base(markup)
    tags = [(index, image_tag(markup.pieces, markup.images[index].piece, base)) for index in images]
    return {index: fold(tag) for index, tag in tags if tag}


def image_tag(pieces: Sequence[str], at: int, base: Base) -> str:
    """Return an image as clean HTML; empty if it shows nothing.

    :param pieces: the page as pieces of markup.
    :param at: index of the piece with the image's tag.
    :param base: the base of relative urls.
    """
    source, image = image_source(pieces, at, base)
    if not source or _PIXELS & {image.get("width"), image.get("height")}:
        return ""
    return f'<img src="{escape(source)}" alt="{escape(fold(image.get("alt", "")))}">'


#: What may stand beside the sources of a ``picture``: their ends, and comments.
_IN_PICTURE = ("/source>", "!")


def image_source(pieces: Sequence[str], at: int, base: Base) -> tuple[str, dict[str, str]]:
    """Return the url of an image, empty if it has none; and its attributes.

    The url that a script would load (``data-src`` and the like) comes first, since ``src`` is then a
    placeholder. Then comes that of a ``noscript`` behind the image, for readers without scripts. Then come
    ``src``, and the largest candidate of a ``srcset``: the image's own, or that of a ``source`` in its
    ``picture``; in the other order if the ``src`` is only there to be replaced.
    """
    piece = pieces[at]  # one with many sizes takes long to make
    image = attributes_of(piece)
    candidates = (absolute(value, base, _IMAGE_SCHEMES) for value in _sources(pieces, at, piece, image))
    return next(filter(None, candidates), ""), image


def _sources(pieces: Sequence[str], at: int, piece: str, image: Mapping[str, str]) -> Iterator[str]:
    around = [image, *_sources_of_picture(pieces, at)]
    yield from _loaded_later(around)
    fallback = _fallback(pieces, at, piece)
    if fallback is not None and _shows_picture(hidden := attributes_of(pieces[fallback])):
        yield from _loaded_later([hidden])
        yield hidden.get("src", "")
        yield _largest(hidden.get("srcset", ""))
    source = image.get("src", "")
    is_lazy, is_drawing = _LAZY.search(image.get("class", "")), _DRAWING.search(source)
    if not is_lazy and not is_drawing:
        yield source  # most have no need of the others
    if not piece.startswith("img "):
        yield from _BACKGROUND.findall(image.get("style", ""))
    sets = [_largest(attributes["srcset"]) for attributes in around if attributes.get("srcset")]
    sets += [value for name, value in image.items() if name.startswith("data-") and PICTURE.search(value)]
    if is_lazy or (is_drawing and not any(map(_DRAWING.search, sets))):
        yield from (*sets, source)  # a placeholder: by its class, or a drawing for a photo
    else:
        yield from (source, *sets) if is_drawing else sets
    before = pieces[at - 1] if at else ""
    if before.startswith("a ") and PICTURE.search(target := href_of(before)):
        yield target


def _loaded_later(elements: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """Yield the addresses that elements have for a script, those of single pictures first."""
    later = [
        (name, value) for attributes in elements for name, value in attributes.items() if loads_later(name)
    ]
    if not later:  # as for most
        return
    yield from (value for name, value in later if not name.endswith("srcset"))
    yield from (_largest(value) for name, value in later if name.endswith("srcset"))


def _shows_picture(image: Mapping[str, str]) -> bool:
    """Return whether an image shows something, and does not only count visits."""
    return not _PIXELS & {image.get("width"), image.get("height")} and "none" not in image.get("style", "")


def _fallback(pieces: Sequence[str], number: int, piece: str) -> int | None:
    """Return the piece of the image in the ``noscript`` behind an ``img``; None: there is none."""
    if not piece.startswith("img ") or piece.partition(">")[2].strip():
        return None
    inside, left = False, _MOST_TAGS - 1
    for at, tag, text in tags_from(pieces, number + 1):
        name = tag.partition(" ")[0]
        if inside and name == "img":
            return at
        inside = inside or name == "noscript"
        left -= tag != ""
        if not left or (text.strip() and not inside) or (inside and name == "/noscript"):
            break
        if tag and tag[0] != "/" and not inside:
            break
    return None


def _sources_of_picture(pieces: Sequence[str], at: int) -> Iterator[dict[str, str]]:
    """Yield the attributes of each ``source`` before an image in its ``picture``, or in one that has none."""
    sources = []
    if pieces[at].startswith(("picture>", "picture ")):
        for piece in pieces[at + 1 : at + _PICTURE_SIZE]:
            if piece.startswith("source "):
                yield attributes_of(piece)
            elif not piece.startswith(_IN_PICTURE):
                return
        return
    for begin in range(at - 1, max(-1, at - _PICTURE_SIZE), -1):
        piece = pieces[begin]
        if piece.startswith("source "):
            sources.append(piece)
        elif piece.startswith(("picture>", "picture ")):
            yield from map(attributes_of, reversed(sources))
            return
        elif not piece.startswith(_IN_PICTURE):
            return


def _largest(srcset: str) -> str:
    return max(_candidates(srcset), key=lambda candidate: candidate[0], default=(0.0, ""))[1]


def _candidates(srcset: str) -> Iterator[tuple[float, str]]:
    """Yield the size and the url of each candidate of a ``srcset``.

    Source: HTML Standard, parsing a srcset attribute. Cost: linear in its length.
    """
    at = 0
    while start := _CANDIDATE.search(srcset, at):
        url = start[0].rstrip(",")
        end = srcset.find(",", start.end()) if url == start[0] else start.end()
        at = end if end >= 0 else len(srcset)
        size = _SIZE.fullmatch(srcset[start.end() : at].strip())
        yield float(size[1]) if size else 1.0, url
