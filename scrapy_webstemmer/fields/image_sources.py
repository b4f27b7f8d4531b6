"""Find the absolute urls of a page's links and images, including lazily loaded images."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import islice, takewhile
from urllib.parse import quote

from ..page.addresses import is_placeholder
from ..page.instead import tags_from
from ..page.markup import Base, attributes_of, markup_of, plain_text
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
#: So a style hides an image that counts visits: beside the screen, or as such a pixel. And any, for a script.
_AWAY = re.compile(r"-9999|(?<![\w-])(?:width|height)\s*:\s*[012](?:px)?\s*(?:[;!]|$)", re.IGNORECASE)
_NOT_SHOWN = re.compile(r"(?<![\w-])display\s*:\s*none", re.IGNORECASE)
#: What the class of an image says if a script loads it later; the end of a drawing's address, or none.
_LAZY, _DRAWING = (
    re.compile(r"(?:^|[\s_-])lazy", re.IGNORECASE),
    re.compile(r"\.(?:gif|svg)(?:[?#]|$)|^#", re.IGNORECASE),
)
#: What an address asks of a server for the time until a script loads the picture.
_PREVIEW = re.compile(r"[?&,/](?:w|width)[=_]\d{1,2}(?!\d)|[?&,/](?:e_)?blur[=:]", re.IGNORECASE)
#: Attributes that may have a picture's address are those of scripts, and some of Discuz.
_OF_SCRIPTS = ("data-", "file", "zoomfile")
#: What programs write for a picture that another one will replace.
_NO_ALTS = frozenset(("blank", "image", "placeholder", "placeholder image", "spacer", "undefined", "null"))
#: The url of a sign that is written as a picture, and its text if that tells enough: an emoji, or a face of
#: signs.
_SIGN_URL = re.compile(
    r"/(?:emojis?|emoticons?|smile[yi]s?|smilies|twemoji|joypixels)/|[/.]emoji[.-]", re.IGNORECASE
)
_SIGN = re.compile(
    "[\u2600-\u27bf\u2b50\u2b55\ufe0f\u200d\u20e3\U0001f000-\U0001faff]+|[:;=8][-'o^]?[()DPpOo/|*]|:[a-z_]+:"
)
#: The url of a background in a style.
_BACKGROUND = re.compile(r"""url\(\s*["']?([^"'()\s]+)""", re.IGNORECASE)
#: How the urls of a picture's sizes differ, besides their queries: ``boat-300x200.jpg``, ``/80w/boat.jpg``.
_SIZES = re.compile(r"-\d{2,4}x\d{2,4}(?=\.\w+$)|(?<=/)\d{2,4}(?:w|x\d{2,4})(?=/)")
#: A text with more characters is not that of a sign.
_LONGEST_SIGN = 40
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
    return _without_copies(layout, {index: fold(tag) for index, tag in tags if tag.startswith("<img ")})


def _without_copies(layout: Layout, tags: dict[int, str]) -> dict[int, str]:
    """Return the tags of images without those of pictures that were shown since the last text.

    Such a one is that for a narrower screen, or the one that opens. In a table it may be a sign.
    """
    markup, parents, steps = markup_of(layout), layout.parents, layout.steps
    kept: dict[int, str] = {}
    shown: dict[str, int] = {}
    before = -1
    for index, tag in tags.items():
        image = markup.images[index]
        if image.before != before:
            before, shown = image.before, {}
        first = shown.setdefault(_picture_key(tag), index)
        cells = {steps[image.node].tag, steps[parents[image.node]].tag}
        if first == index or cells & {"td", "th"}:
            kept[index] = tag
        elif kept[first].endswith(' alt="">'):  # the copy may have its text
            kept[first] = f"{kept[first].partition(' alt=')[0]} alt={tag.partition(' alt=')[2]}"
    return kept


def _picture_key(tag: str) -> str:
    """Return what the urls of one picture in several sizes have in common."""
    url = tag.split('"', 2)[1]
    path = url.partition("?")[0]
    return _SIZES.sub("", path) if PICTURE.search(path) else url  # a program may make any picture


def image_tag(pieces: Sequence[str], at: int, base: Base) -> str:
    """Return an image as clean HTML; empty if it shows nothing. An emoji or a smiley comes as its text.

    :param pieces: the page as pieces of markup.
    :param at: index of the piece with the image's tag.
    :param base: the base of relative urls.
    """
    source, image = image_source(pieces, at, base)
    if not source or not _shows_picture(image):
        return ""
    alt = fold(image.get("alt", ""))
    if len(alt) <= _LONGEST_SIGN and (_SIGN_URL.search(source) or _SIGN.fullmatch(alt)):
        return escape(alt, quote=False)
    return f'<img src="{escape(source)}" alt="{escape(alt) if alt.lower() not in _NO_ALTS else ""}">'


#: A ``picture``, and what may stand before its image: sources, their ends, and comments.
_PICTURE, _IN_PICTURE = ("picture>", "picture "), ("source ", "/source>", "!")


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
    return next((url for url in candidates if url and not is_placeholder(url)), ""), image


def _sources(pieces: Sequence[str], at: int, piece: str, image: Mapping[str, str]) -> Iterator[str]:
    around = [image, *_sources_of_picture(pieces, at, piece)]
    yield from _loaded_later(around)
    fallback = _fallback(pieces, at, piece)
    if fallback is not None and _shows_picture(hidden := attributes_of(pieces[fallback])):
        yield from _loaded_later([hidden])
        yield hidden.get("src", "")
        yield _largest(hidden.get("srcset", ""))
    source = image.get("src", "")
    is_lazy = _LAZY.search(image.get("class", "")) or _PREVIEW.search(source)
    is_drawing = _DRAWING.search(source)
    if not is_lazy and not is_drawing:
        yield source  # most have no need of the others
    if not piece.startswith("img "):
        yield from _BACKGROUND.findall(image.get("style", ""))
    sets = [_largest(attributes["srcset"]) for attributes in around if attributes.get("srcset")]
    sets += [value for name, value in image.items() if name.startswith(_OF_SCRIPTS) and PICTURE.search(value)]
    if is_lazy or (is_drawing and not any(map(_DRAWING.search, sets))):
        yield from (*sets, source)  # a placeholder: by its class, or a drawing for a photo
    else:
        yield from (source, *sets) if is_drawing else sets
    before = pieces[at - 1]
    if before.startswith("a ") and PICTURE.search(target := href_of(before)):
        yield target


def _loaded_later(elements: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """Yield the addresses that elements have for a script, those of single pictures first."""
    later = [pair for attributes in elements for pair in attributes.items() if loads_later(pair[0])]
    yield from (value for name, value in later if not name.endswith("srcset"))
    yield from (_largest(value) for name, value in later if name.endswith("srcset"))


def _shows_picture(image: Mapping[str, str]) -> bool:
    """Return whether an image shows something, and does not only count visits."""
    style = image.get("style", "")
    if _PIXELS & {image.get("width"), image.get("height")} or _AWAY.search(style):
        return False
    is_hidden = "hidden" in image or _NOT_SHOWN.search(style)
    return not is_hidden or any(map(loads_later, image))


def _fallback(pieces: Sequence[str], number: int, piece: str) -> int | None:
    """Return the piece of the image in the ``noscript`` behind an ``img``; None: there is none."""
    if not piece.startswith("img ") or piece.partition(">")[2].strip():
        return None
    inside = False
    for at, tag, text in islice(tags_from(pieces, number + 1), _MOST_TAGS):
        name = tag.partition(" ")[0]
        if inside and name == "img":
            return at
        if name == "noscript":
            inside = True
        elif name == "/noscript" or (not inside and (text.strip() or tag[:1] not in ("", "/"))):
            break
    return None


def _sources_of_picture(pieces: Sequence[str], at: int, piece: str) -> list[dict[str, str]]:
    """Return the attributes of each ``source`` before the image in a ``picture``, or in one without any."""
    begin, end = at, at + _PICTURE_SIZE
    if not piece.startswith(_PICTURE):
        begin, end = at - 1, at
        while begin > at - _PICTURE_SIZE and pieces[begin].startswith(_IN_PICTURE):
            begin -= 1
        if not pieces[begin].startswith(_PICTURE):
            return []
    inside = takewhile(lambda inner: inner.startswith(_IN_PICTURE), pieces[begin + 1 : end])
    return [attributes_of(inner) for inner in inside if inner.startswith("source ")]


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
