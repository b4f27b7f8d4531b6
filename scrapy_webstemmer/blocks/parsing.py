"""Decode a page's bytes and parse them to an lxml tree, the same as parsel's tree of a Scrapy response."""

from __future__ import annotations

import codecs
import logging
import re
from functools import lru_cache
from html import escape
from typing import Any, TypeAlias

from lxml import etree
from parsel import Selector
from w3lib.encoding import html_body_declared_encoding, html_to_unicode, resolve_encoding

from ..base.compiled import compiled
from ..errors import PageError
from ..values.pages import Page

_scan = compiled("blocks.scan")

logger = logging.getLogger(__name__)

_LOOK_AT = 512
#: The beginnings of binary files, and control characters that no text has. NUL is not among them: pages that
#: were padded or cut may have it.
_BINARY = re.compile(rb"^(?:\x89PNG|GIF8|\xff\xd8\xff|%PDF|PK\x03\x04|\x1f\x8b)|[\x01-\x06\x0e-\x1a]")
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)

_BOM, _BOM_TEXT = codecs.BOM_UTF8, "\ufeff"

#: Replaces bytes that are not a character.
_LOST = "\ufffd"

#: Codecs of Python that turn bytes into text but are not charsets of pages; some of them never fail.
_NO_CHARSETS = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"})

#: An lxml element; lxml has no types of its own.
Element: TypeAlias = Any


def parse(page: Page, encoding: str | None = None) -> Element:
    """Return the root of a page's tree; an empty ``html`` element for a page without elements and text.

    :param encoding: see :func:`decode`.
    :raises PageError: the body is a picture or another binary file.

    Cost: the decoding and one lxml parse.
    """
    return parse_text(decode(page, encoding))


def decode(page: Page, encoding: str | None = None) -> str:
    """Return a page's text.

    :param encoding: the charset of pages that declare none; None: UTF-8 if all but a few bytes are valid,
        else cp1252.
    :raises PageError: the body is a picture or another binary file.

    The charset is that of the byte order mark, else the one that the transport
    declared, else the one in the page's head. An unknown name counts as none.
    Invalid bytes become replacement characters.
    """
    if (
        _BINARY.search(page.body[:_LOOK_AT])
        and not page.body.startswith(_MARKS)
        and not _utf16(page.encoding)
    ):
        raise PageError(page.url, "is a binary file, not HTML")
    declared = f"text/html; charset={page.encoding}" if page.encoding else None
    try:
        used, text = html_to_unicode(
            declared,
            page.body,
            default_encoding="cp1252",
            auto_detect_fun=lambda body: encoding or _guess(body),
        )
        if _utf16(used) and b"\0" not in page.body[:_LOOK_AT] and not page.body.startswith(_MARKS):
            text = page.body.decode("utf-8", "replace")  # declared as UTF-16, but in ASCII: browsers do this
        if used.replace("_", "-") not in _NO_CHARSETS:
            return text
    except (LookupError, UnicodeError) as error:  # a codec such as base64, or halves of characters
        logger.debug("charset of %s skipped: %s", page.url, error)
    return page.body.decode(_guess(page.body), "replace")


def utf8_of(page: Page, encoding: str | None = None) -> bytes:
    """Return a page's text in UTF-8, as parsers get it: without NULs, and without white space around it.

    :param encoding: see :func:`decode`.
    :raises PageError: the body is a picture or another binary file.

    Cost: most pages are in UTF-8 and say so: their bytes are only checked.
    """
    body = page.body.removeprefix(_BOM)
    is_utf8 = len(body) < len(page.body) or _is_utf8(page, encoding)
    if is_utf8 and not _BINARY.search(body[:_LOOK_AT]):
        found = _text_of(body)
        if found is not None:
            return found
    text = decode(page, encoding).strip().replace("\0", "")
    return text.removeprefix(_BOM_TEXT).encode("utf-8", "replace")  # libxml2 leaves one mark out, too


def _text_of(body: bytes) -> bytes | None:
    """Return bytes without white space around them, if they are plain UTF-8; else None."""
    if _scan is not None:
        text: bytes | None = _scan.text_of(body)
        return text
    try:
        body.decode()
    except UnicodeDecodeError:
        return None
    text = body.strip()
    # white space of other kinds may stand around it
    edges = b" " < text[:1] < b"\x80" and b" " < text[-1:] < b"\x80"
    return text if edges and b"\0" not in text else None


def _is_utf8(page: Page, encoding: str | None) -> bool:
    """Return whether a page's charset is UTF-8, if its bytes allow it."""
    if page.encoding:
        return _is_name_of_utf8(page.encoding)
    declared = html_body_declared_encoding(page.body)
    if declared:
        return _is_name_of_utf8(declared)
    return encoding is None


@lru_cache
def _is_name_of_utf8(name: str) -> bool:
    return resolve_encoding(name) == "utf-8"


def parse_text(text: str) -> Element:
    """Return the root of a page's tree, given its text."""
    root = Selector(text=text, type="html").root
    if not isinstance(root, etree._Element):  # parsel before 1.10 parses text that happens to be JSON as JSON
        root = Selector(text=f"<p>{escape(text)}</p>", type="html").root
    return root


def _utf16(encoding: str | None) -> bool:
    return bool(encoding) and (resolve_encoding(encoding) or "").startswith(("utf-16", "utf-32"))


def _guess(body: bytes) -> str:
    """Return the charset of a page that declares none: UTF-8 if that is what most of it is, else cp1252.

    In pages of other charsets two bytes in a row are hardly ever a character of UTF-8. So a page with more
    than two of them for each byte that fits nowhere is UTF-8, but for something that was pasted or cut.
    """
    text = body.decode("utf-8", "replace")
    lost = text.count(_LOST)
    wrong = lost - body.count(_LOST.encode())
    valid = len(text) - len(text.encode("ascii", "ignore")) - lost
    return "utf-8" if not wrong or valid > 2 * wrong else "cp1252"
