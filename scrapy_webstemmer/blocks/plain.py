"""A page's text without its tags, as `scrapy html2txt` prints it.

Source: html2txt of Webstemmer 0.7.1. Departures: a paragraph ends where its element ends, not only where the
next one begins; preformatted text keeps its lines; see ``PLAIN`` for the tags.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..values import Page
from .parsing import parse
from .tags import PLAIN
from .text import fold_paragraph
from .walk import layout_of

__all__ = ["plain_lines"]


def plain_lines(page: Page, encoding: str | None = None) -> Iterator[str]:
    """Yield the title and the text of a page, a paragraph a line.

    :param encoding: the charset of pages that declare none; None: UTF-8 where it fits, else cp1252.
    :raises PageError: the page is a picture or another binary file.

    White space is folded; between ideographs a line break is no space. Cost: that of the parse.
    """
    root = parse(page, encoding)
    title = root.find(".//title")
    if title is not None and (text := fold_paragraph("".join(title.itertext()))):
        yield text
    for block in layout_of(page.url, root, PLAIN).blocks:
        yield from block.text.split("\n")
