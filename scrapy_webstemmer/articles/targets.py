"""Find the absolute urls of a page's links and images, including lazily loaded images."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from html import escape
from urllib.parse import urljoin

from ..blocks.markup import attributes_of, plain_text

_HREF = ' href="'
_LINKS = ("http://", "https://", "mailto:")
_IMAGES = ("http://", "https://")
#: A url in a srcset, and the width or density that may follow it.
_CANDIDATE, _SIZE = re.compile(r"[^\s,]\S*"), re.compile(r"([0-9]+(?:\.[0-9]+)?)[wx]")
#: An image of this width or height counts visits and shows nothing.
_PIXELS = {"0", "1", "2", "0px", "1px", "2px"}
#: Largest number of pieces of markup between the beginning of a ``picture`` and its image.
_PICTURE_SIZE = 100


class Base:
    """The base of a page's relative urls. It is looked up when the first of them is met.

    :param find: returns it.
    """

    def __init__(self, find: Callable[[], str]) -> None:
        self._find = find

    @cached_property
    def url(self) -> str:
        """The base url. Cost: one pass over all elements."""
        return self._find()


def href_of(tag: str) -> str:
    """Return the ``href`` of a start tag; empty if it has none. Cost: a tenth of reading all attributes."""
    begin = tag.find(_HREF) + len(_HREF)
    return plain_text(tag[begin : tag.find('"', begin)]) if begin >= len(_HREF) else ""


def absolute(href: str, base: Base, schemes: tuple[str, ...] = _LINKS) -> str:
    """Return a target as an absolute url; empty if it leads nowhere or its scheme is not allowed."""
    if not href:
        return ""
    if href.startswith(schemes) and href.isprintable() and "[" not in href:
        return href.strip()  # it is absolute already, and joining urls takes longer than all else here
    try:
        target = urljoin(base.url, href.strip())
    except ValueError:
        return ""
    return target if target.lower().startswith(schemes) else ""


def image_tag(pieces: Sequence[str], number: int, base: Base) -> str:
    """Return an image as clean HTML; empty if it shows nothing.

    :param pieces: the page as pieces of markup.
    :param number: index of the piece with the image's tag.
    :param base: the base of relative urls.
    """
    source, image = image_source(pieces, number, base), attributes_of(pieces[number])
    if not source or _PIXELS & {image.get("width"), image.get("height")}:
        return ""
    return f'<img src="{escape(source)}" alt="{escape(" ".join(image.get("alt", "").split()))}">'


def image_source(pieces: Sequence[str], number: int, base: Base) -> str:
    """Return the url of an image; empty if it has none.

    The url that a script would load (``data-src`` and the like) comes first, since
    ``src`` is then a placeholder. Then comes ``src``, and then the largest candidate of
    a ``srcset``: the image's own, or that of a ``source`` in its ``picture``.
    """
    candidates = (absolute(value, base, _IMAGES) for value in _sources(pieces, number))
    return next(filter(None, candidates), "")


def _sources(pieces: Sequence[str], number: int) -> Iterator[str]:
    image = attributes_of(pieces[number])
    for name, value in image.items():
        if name.startswith("data-") and name.endswith(("src", "original")):
            yield value
    yield image.get("src", "")
    for attributes in (image, *_sources_of_picture(pieces, number)):
        for name, value in attributes.items():
            if name.endswith("srcset"):
                yield _largest(value)


def _sources_of_picture(pieces: Sequence[str], number: int) -> Iterator[dict[str, str]]:
    """Yield the attributes of each ``source`` before an image in its ``picture``."""
    begin = number
    while begin > 0 and number - begin < _PICTURE_SIZE:
        begin -= 1
        if pieces[begin].startswith("/picture>"):
            return
        if pieces[begin].startswith(("picture>", "picture ")):
            yield from (attributes_of(p) for p in pieces[begin:number] if p.startswith("source "))
            return


def _largest(srcset: str) -> str:
    return max(_candidates(srcset), key=lambda candidate: candidate[0], default=(0.0, ""))[1]


def _candidates(srcset: str) -> Iterator[tuple[float, str]]:
    """Yield the size and the url of each candidate of a ``srcset``.

    Source: HTML Standard, parsing a srcset attribute. Cost: linear in its length.
    """
    at = 0
    while found := _CANDIDATE.search(srcset, at):
        url = found[0].rstrip(",")
        end = srcset.find(",", found.end()) if url == found[0] else found.end()
        at = end if end >= 0 else len(srcset)
        size = _SIZE.fullmatch(srcset[found.end() : at].strip())
        yield float(size[1]) if size else 1.0, url
