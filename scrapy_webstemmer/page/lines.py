"""The lines of a page: the texts of its blocks with their inline tags, in a short form.

``by <a.fn author/>Ann Lee</a>`` shows where a value begins and ends. Texts in a line are escaped as in XML,
so each ``<`` begins a tag.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from ..values import Layout, Markup
from .addresses import folder_of
from .marks import CATEGORY, FOLDERS
from .markup import markup_of
from .tags import TODAY
from .text import fold

#: Stands for the tag of a comment, and for those of an element without content: it stands around nothing.
NOTHING = "!"
#: A line has at most so many characters, and so many tags around it.
_LONGEST_LINE, _MOST_PIECES = 1_500, 120
_DIGIT = re.compile(r"\d")


def line_of(layout: Layout, block: int) -> str:
    """Return a block's text with its inline tags; empty if it is long."""
    return line_with(layout, block, ())[0]


def _span_of(markup: Markup, block: int) -> tuple[int, int, int]:
    """Return where a block begins with the elements around it, its own pieces, and where they end.

    All are the same if it is long.
    """
    first, end = markup.blocks[block]
    # comments do not count: in a tree they are as many pieces as they have signs
    if end - first > _MOST_PIECES < sum(tag != NOTHING for tag, _ in markup.inline(first, end)):
        return first, first, first
    begin = first
    while begin > max(0, first - _MOST_PIECES) and _is_wrapper(*markup.inline(begin - 1, begin)[0]):
        begin -= 1
    return begin, first, end


def line_with(layout: Layout, block: int, wanted: Collection[int]) -> tuple[str, dict[int, int]]:
    """Return a block's text with its inline tags, and where in it the text of some pieces begins.

    Nothing if it is long.
    """
    markup = markup_of(layout)
    begin, first, end = _span_of(markup, block)
    line, places = "", dict[int, int]()
    for piece, (tag, text) in enumerate(markup.inline(begin, end), begin):
        if tag != NOTHING and (piece > first or tag[:2] != "</"):  # the block begins behind such a tag
            line += tag
        if piece in wanted:
            places[piece] = len(fold(f"{line}x")) - 1
        line += text
    line = fold(line)
    return (line, places) if len(line) <= _LONGEST_LINE else ("", {})


def _is_wrapper(tag: str, text: str) -> bool:
    """Return whether a piece begins an element around the text behind it, or says nothing."""
    return not text.strip() and (tag == NOTHING or (tag[:1] == "<" and tag[1] != "/"))


_NOT_INLINE = (
    TODAY.block | TODAY.cut | TODAY.skipped | frozenset("html body img meta link title base".split())
)
#: The attributes that the short form of an inline tag shows.
SHOWN = ("class", "rel", "href")


def is_inline(name: str) -> bool:
    """Return whether a line shows an element's tags: not those of a block, an image, or a line break."""
    return name not in _NOT_INLINE


def short_tag(name: str, classes: str | None, relation: str | None, target: str | None) -> str:
    """Return an inline start tag in its short form, without what differs from page to page.

    :param target: of a link; only a folder whose name tells what is in it is shown.

    >>> short_tag("a", "url fn post-7", "author", "https://a.example/author/ann/")
    '<a.url.fn rel=author author/>'
    """
    names = [token for token in (classes or "").split() if not _DIGIT.search(token)]
    shown = ".".join([name, *names])
    if relation:
        shown += f" rel={relation}"
    # the folder around a category may be the one above it
    if (folder := folder_of(target or "")) in FOLDERS and CATEGORY not in (relation or ""):
        shown += f" {folder}/"
    return f"<{shown.translate(_NO_SIGNS)}>"


#: Signs that mean something in a line, or in the form of a place.
_NO_SIGNS = str.maketrans("{}<>&", "()()+")
