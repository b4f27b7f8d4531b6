"""Tell the kind of a file from its first bytes."""

from __future__ import annotations

import codecs
import re

GZIP_MAGIC = b"\x1f\x8b"
SQLITE_MAGIC = b"SQLite format 3\x00"
ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")  # the second: an empty zip

_IMAGE_MAGICS = (b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"RIFF")
_BINARY_MAGICS = (GZIP_MAGIC, SQLITE_MAGIC, *ZIP_MAGICS, *_IMAGE_MAGICS, b"%PDF")
_PROLOGUE = rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*+"
_START = rb"<(?:!doctype\s+html|html|head|body|title|meta)\b"
_HTML = re.compile(_PROLOGUE + _START, re.IGNORECASE | re.DOTALL)

#: The number of bytes that are examined.
SAMPLE_SIZE = 1024


def is_binary(body: bytes) -> bool:
    """Return whether the body begins like an image, an archive or a PDF."""
    return body.startswith(_BINARY_MAGICS)


def looks_like_html(body: bytes) -> bool:
    """Return whether the body begins like an HTML page, after white space and comments.

    >>> looks_like_html(b"\\n<!-- cached --><!DOCTYPE html><title>News</title>")
    True
    >>> looks_like_html(b"User-agent: *")
    False
    """
    head = body[:SAMPLE_SIZE]
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        head = head.decode("utf-16", "ignore").encode()
    return _HTML.match(head) is not None
