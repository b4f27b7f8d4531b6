"""Where links and images of a page lead: absolute urls, lazily loaded images included."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from urllib.parse import urljoin

from ..blocks.parsing import Element

__all__ = ["absolute", "image_source", "image_tag"]

_LINKS = ("http://", "https://", "mailto:")
_IMAGES = ("http://", "https://")
#: A candidate of a srcset: a url, and its width or density.
_CANDIDATE = re.compile(r"([^\s,]\S*[^\s,]|[^\s,])(?:\s+([0-9.]+)[wx])?\s*(?:,|$)")
#: What is this small counts visits and shows nothing.
_PIXELS = {"0", "1", "2", "0px", "1px", "2px"}


def absolute(href: str | None, url: str, schemes: tuple[str, ...] = _LINKS) -> str:
    """Return a target as an absolute url; empty for one that leads nowhere or runs something."""
    if not href:
        return ""
    try:
        target = urljoin(url, href.strip())
    except ValueError:
        return ""
    return target if target.lower().startswith(schemes) else ""


def image_tag(image: Element, url: str) -> str:
    """Return an ``img`` element as clean HTML; empty if it shows nothing."""
    source = image_source(image, url)
    if not source or _PIXELS & {image.get("width"), image.get("height")}:
        return ""
    return f'<img src="{escape(source)}" alt="{escape(" ".join(image.get("alt", "").split()))}">'


def image_source(image: Element, url: str) -> str:
    """Return the url of an image; empty if it has none.

    What a script would put in its place (``data-src`` and the like) comes first,
    since ``src`` is then a placeholder; then ``src``; then the largest candidate
    of a ``srcset``, its own or that of a ``source`` of its ``picture``.
    """
    candidates = (absolute(value, url, _IMAGES) for value in _sources(image))
    return next(filter(None, candidates), "")


def _sources(image: Element) -> Iterator[str]:
    lazy = [name for name in image.attrib if name.startswith("data-")]
    for name in lazy:
        if name.endswith(("src", "original")):
            yield image.get(name)
    yield image.get("src", "")
    picture = next(image.iterancestors("picture"), None)  # the parser puts the image into the source
    others = () if picture is None else picture.iter("source")
    for element in (image, *others):
        for name in element.attrib:
            if name.endswith("srcset"):
                yield _largest(element.get(name))


def _largest(srcset: str) -> str:
    found = [(float(size) if _is_number(size) else 1.0, url) for url, size in _CANDIDATE.findall(srcset)]
    return max(found, key=lambda candidate: candidate[0], default=(0.0, ""))[1]


def _is_number(text: str) -> bool:
    return bool(re.fullmatch(r"[0-9]+(\.[0-9]+)?", text))
