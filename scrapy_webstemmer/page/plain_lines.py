"""Give a page's text without its tags, as `scrapy webstemmer html2txt` prints it.

Source: html2txt of Webstemmer 0.7.1. Departures: a paragraph ends where its element ends, not only where
the next one begins. Preformatted text keeps its lines. The tags are those of ``PLAIN``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..options import Limits
from ..values import Page
from .charsets import decode
from .limits import check_text, check_tree
from .parsing import Element, parse_text
from .tags import PLAIN
from .text import fold_paragraph
from .walk import layout_of

#: A single file may have more elements than a page of a crawl, nested more deeply.
_FILE_LIMITS = Limits(elements=1_000_000, depth=2_000)


def plain_lines(page: Page, encoding: str | None = None) -> Iterator[str]:
    """Yield the title and the text of a page, one line per paragraph.

    :param encoding: the charset of pages that declare none; None: UTF-8 if the bytes are valid, else cp1252.
    :raises PageError: the page is a picture or another binary file, or is beyond a limit.

    White space is folded; a line break between ideographs is dropped. Cost: that of the parse.
    """
    text = decode(page, encoding)
    check_text(page.url, text, _FILE_LIMITS)
    root = parse_text(text)
    _parse_noframes(root)
    check_tree(page.url, root, _FILE_LIMITS)
    title = root.find(".//title")
    if title is not None and (line := fold_paragraph("".join(title.itertext()))):
        yield line
    for block in layout_of(page.url, root, PLAIN).blocks:
        yield from block.text.split("\n")


def _parse_noframes(root: Element) -> None:
    """Parse what a page with frames has for programs that know none: for newer parsers it is one text."""
    for element in [*root.iter("noframes")]:
        if "<" in (element.text or ""):
            element.append(parse_text(element.text))
            element.text = None
