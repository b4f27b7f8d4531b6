"""A page's text without its tags, as `scrapy html2txt` prints it.

Source: html2txt of Webstemmer 0.7.1. Departures: a paragraph ends where its element ends, not only where the
next one begins; preformatted text keeps its lines; see ``PLAIN`` for the tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from ..values import Page
from .parsing import parse
from .tags import PLAIN
from .text import fold
from .walk import layout_of

__all__ = ["plain_lines"]

# Ideographs, kana, and the punctuation that goes with them: scripts that write no spaces.
_IDEOGRAPH = "[\u3000-\u9fff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff]"
_LINE_BREAK = re.compile(rf"(?<={_IDEOGRAPH})[^\S\n]*+\n\s*+(?={_IDEOGRAPH})")


def plain_lines(page: Page, encoding: str | None = None) -> Iterator[str]:
    """Yield the title and the text of a page, a paragraph a line.

    :param encoding: the charset of pages that declare none; None: UTF-8 where it fits, else cp1252.
    :raises PageError: the page is a picture or another binary file.

    White space is folded; between ideographs a line break is no space. Cost: that of the parse.
    """
    root = parse(page, encoding)
    etree.strip_attributes(root, "hidden")  # what a page hides is text all the same
    title = root.find(".//title")
    if title is not None and (text := _fold("".join(title.itertext()))):
        yield text
    layout = layout_of(page.url, root, PLAIN, keep_elements=True)
    for block, runs in zip(layout.blocks, layout.runs, strict=True):
        raw = "".join(text for text, _ in runs)
        preformatted = block.text != fold(raw)
        yield from block.text.split("\n") if preformatted else [_fold(raw)]


def _fold(text: str) -> str:
    return fold(_LINE_BREAK.sub("", text))
