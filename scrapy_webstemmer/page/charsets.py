"""Decode a page's bytes: the charset is a declared one, unless the bytes tell another."""

from __future__ import annotations

import codecs
import logging
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from w3lib.encoding import html_body_declared_encoding, html_to_unicode, resolve_encoding

from ..errors import PageError
from ..values import Page

logger = logging.getLogger(__name__)

_LOOK_AT = 512
#: The beginnings of binary files, and control characters of which a text has hardly any. NUL is not among
#: them: pages that were padded or cut may have it.
_BINARY = (b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"%PDF", b"PK\x03\x04", b"\x1f\x8b")
_MOST_CONTROLS, _CONTROLS = 2, bytes((*range(0x01, 0x07), *range(0x0E, 0x1B)))
_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)

_BOM, _BOM_TEXT = codecs.BOM_UTF8, "\ufeff"

#: What may declare a charset wherever it stands in the head, and what may only look so.
_ANY_DECLARATION = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1|\Z)|<body\b"
    rb"|<meta(?=\s+charset|[^<>]*http-equiv)[^<>]*?charset\s*=\s*[\"']?\s*(?P<name>[\w-]+)",
    re.IGNORECASE | re.DOTALL,
)
#: Names of charsets that browsers know and w3lib does not, without what may stand around them.
_ALIASES = {"cn-big5": "big5", "koi": "koi8-r", "koi8": "koi8-r", "ksc_5601": "cp949", "windows-949": "cp949"}
_AROUND_NAME = re.compile(r"^(?:x-)+|-[ei]$")

#: Replaces bytes that are not a character.
_REPLACEMENT = "\ufffd"

#: Codecs of Python that turn bytes into text but are not charsets of pages; some of them never fail.
_NO_CHARSETS = frozenset({"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"})


def decode(page: Page, encoding: str | None = None) -> str:
    """Return a page's text.

    :param encoding: the charset of pages that declare none; None: UTF-8 if all but a few bytes are valid,
        else one of the page's language, else cp1252.
    :raises PageError: the body is a picture or another binary file.

    The charset is that of the byte order mark, else the one that the transport
    declared, else the one in the page's head. An unknown name counts as none.
    But bytes that are UTF-8 are UTF-8, whatever is declared, and others are not: a server
    or an old template may declare a wrong charset. A few bytes of cp1252 may be pasted into
    UTF-8; other invalid bytes become replacement characters.
    """
    if _is_binary(page.body) and not page.body.startswith(_BOMS) and not _is_wide(page.encoding):
        raise PageError(page.url, "is a binary file, not HTML")
    declared = f"text/html; charset={_w3lib_name(page.encoding)}" if page.encoding else None
    try:
        used, text = html_to_unicode(
            declared,
            page.body,
            default_encoding="cp1252",
            auto_detect_fun=lambda body: _declared_anywhere(body) or encoding or _guessed(body),
        )
        if (
            # declared as UTF-16, but in ASCII: browsers do this
            (_is_wide(used) and b"\0" not in page.body[:_LOOK_AT] and not page.body.startswith(_BOMS))
            or (not used.startswith("utf") and _is_utf8_all_the_same(page.body, used))
        ):
            used, text = "utf-8", page.body.decode("utf-8", "replace")
        if used == "utf-8" and _REPLACEMENT in text:
            text = _with_wrong_bytes(page.body, encoding)
        if used == "cp1252" and _has_other_letters(page.body):
            text = page.body.decode(_guessed(page.body), "replace")
        if used.replace("_", "-") not in _NO_CHARSETS:
            return text
    except (LookupError, UnicodeError) as error:  # a codec such as base64, or halves of characters
        logger.debug("charset of %s skipped: %s", page.url, error)
    return page.body.decode(_guessed(page.body), "replace")


@lru_cache(maxsize=1 << 8)
def _w3lib_name(name: str) -> str:
    """Return the name of a charset as w3lib knows it; one that nobody knows stays as it is."""
    if resolve_encoding(name):
        return name
    name = _AROUND_NAME.sub("", name.lower())
    return _ALIASES.get(name, name)


def _declared_anywhere(body: bytes) -> str | None:
    """Return the charset that a page's head declares under a name, or at a place, that w3lib does not know.

    W3lib looks into the first 4,096 bytes. Browsers change the charset wherever it is declared in the head.
    """
    for match in _ANY_DECLARATION.finditer(body):
        if match["name"]:
            return resolve_encoding(_w3lib_name(match["name"].decode()))
        if match[0][:2].lower() == b"<b":
            break
    return None


def _is_binary(body: bytes) -> bool:
    """Return whether bytes are a picture or another binary file, by their beginning."""
    head = body[:_LOOK_AT]
    return head.startswith(_BINARY) or len(head) - len(head.translate(None, _CONTROLS)) > _MOST_CONTROLS


def utf8_of(page: Page, encoding: str | None = None) -> bytes:
    """Return a page's text in UTF-8, as parsers get it.

    It has no NULs, and no white space around it.

    :param encoding: see :func:`decode`.
    :raises PageError: the body is a picture or another binary file.

    Cost: most pages are in UTF-8 and say so: their bytes are only checked.
    """
    body = page.body.removeprefix(_BOM)
    is_utf8 = len(body) < len(page.body) or _is_utf8(page, encoding)
    if is_utf8 and not _is_binary(body) and (plain := _plain_utf8(body)) is not None:
        return plain
    text = decode(page, encoding).strip().replace("\0", "")
    return text.removeprefix(_BOM_TEXT).encode("utf-8", "replace")  # libxml2 leaves one mark out, too


def _plain_utf8(body: bytes) -> bytes | None:
    """Return bytes without white space around them, if they are plain UTF-8; else None."""
    if not body.isascii():
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
    declared = page.encoding or html_body_declared_encoding(page.body)
    return resolve_encoding(declared) == "utf-8" if declared else encoding is None


def _is_wide(encoding: str | None) -> bool:
    return bool(encoding) and (resolve_encoding(encoding) or "").startswith(("utf-16", "utf-32"))


#: The bytes that are no ASCII: each is a character, or a wrong one, unless characters have two bytes.
_HIGH, _UPPER_HALF = re.compile(rb"[\x80-\xff]"), bytes(range(0x80, 0x100))
#: So many bytes show already that a page is not UTF-8; to look at all takes as long as the rest of reading.
_SAMPLE_SIZE = 2_000
#: A character of two bytes looks like one of UTF-8 in one of five cases, if it is in GB 2312, and less often
#: in other charsets. So many in a row do not by chance.
_ENOUGH_CHARACTERS = 10


#: A word of letters that are all beyond ASCII; so much of a page is searched for such words.
_OTHER_WORD, _OTHER_WITHIN = re.compile(rb"[\xc0-\xff]{4,}"), 50_000


def _is_utf8_all_the_same(body: bytes, charset: str) -> bool:
    """Return whether a page of a declared charset is UTF-8.

    :param charset: the declared one. If its characters have one byte, one character of UTF-8 is enough.
    """
    first = _HIGH.search(body)
    if first is None or not _is_mostly_utf8(body[first.start() : first.start() + _SAMPLE_SIZE], False):
        return False
    least = 1 if len(_UPPER_HALF.decode(charset, "replace")) == len(_UPPER_HALF) else _ENOUGH_CHARACTERS
    return _is_mostly_utf8(body, True, least)


def _has_other_letters(body: bytes) -> bool:
    """Return whether a page has words without ASCII, as in no language that is written in cp1252."""
    return len(_OTHER_WORD.findall(body[:_OTHER_WITHIN])) >= _ENOUGH_CHARACTERS


def _with_wrong_bytes(body: bytes, encoding: str | None) -> str:
    """Return the text of a page that is declared or guessed to be UTF-8, and has invalid bytes.

    With more than two of them for each character that is UTF-8, the declaration is wrong.
    """
    valid, wrong = _count_characters(body, False)
    if wrong > 2 * valid and not body.startswith(_BOM):
        return body.decode(encoding or _guessed(body), "replace")
    return body.removeprefix(_BOM).decode("utf-8", _PASTED)


#: What is left of a character of UTF-8 that was cut. Letters of cp1252 have a letter or a space behind them,
#: and two of its signs hardly ever follow each other.
_CUT = re.compile(rb"[\xc2-\xf4](?![a-zA-Z ])[\x80-\xbf]*+|[\x80-\xbf]{2,}+")
_PASTED = "scrapy_webstemmer_pasted"


def _as_cp1252(error: Any) -> tuple[str, int]:
    """Return a wrong byte of UTF-8, such as a pasted curly quote, as what it is in cp1252."""
    body, at = error.object, error.start
    if cut := _CUT.match(body, at):
        return _REPLACEMENT, cut.end()
    return body[at : at + 1].decode("cp1252", "replace"), at + 1


codecs.register_error(_PASTED, _as_cp1252)


#: The charsets of old pages, by their language. Source: HTML Standard, 13.2.3.2, what browsers assume for
#: readers of a language; and others in which many such pages are.
_OF_LANGUAGE: Mapping[bytes, tuple[str, ...]] = {
    **dict.fromkeys(b"be bg kk ky mk sr tg tt".split(), ("cp1251",)),
    **dict.fromkeys((b"ru", b"uk"), ("cp1251", "koi8-u")),
    **dict.fromkeys(b"cs hr hu pl ro sk sl".split(), ("iso8859-2", "cp1250")),
    **dict.fromkeys(b"et lt lv".split(), ("cp1257",)),
    **dict.fromkeys(b"az ku tr".split(), ("cp1254",)),
    **dict.fromkeys((b"ar", b"fa"), ("cp1256",)),
    b"el": ("iso8859-7", "cp1253"),
    b"he": ("cp1255",),
    b"ja": ("euc-jp", "cp932"),
    b"ko": ("cp949",),
    b"th": ("cp874",),
    b"vi": ("cp1258",),
    b"zh": ("gb2312", "big5hkscs", "gb18030"),
    **dict.fromkeys(b"zh-cn zh-hans zh-sg".split(), ("gb18030",)),
    **dict.fromkeys(b"zh-hant zh-hk zh-tw".split(), ("big5hkscs",)),
}
#: The language of a page, which is looked for in so many bytes.
_LANG_WITHIN = 4096
_HTML_LANG = re.compile(rb"<html\b[^<>]*?\blang\s*=\s*[\"']?([a-z]+(?:-[a-z]+)?)", re.IGNORECASE)
#: What comes out if a text is in another charset: wrong characters, and controls that no page has.
_UNFIT = re.compile(r"[\x80-\x9f\ufffd]")
#: A charset fits if there are enough characters that are not ASCII, most are no capitals, and at most this
#: share are such ones.
_MOST_UNFIT = 0.02
_NO_ASCII = dict.fromkeys(range(0x80))


def _guessed(body: bytes) -> str:
    """Return the charset of a page that declares none.

    UTF-8 if that is what most of it is, else one of its language that fits, else cp1252.
    """
    if _is_mostly_utf8(body, True, 0):
        return "utf-8"
    match = _HTML_LANG.search(body, 0, _LANG_WITHIN)
    language = match[1].lower() if match else b""
    for charset in _OF_LANGUAGE.get(language) or _OF_LANGUAGE.get(language.partition(b"-")[0], ()):
        text = body.decode(charset, "replace")
        others = text.translate(_NO_ASCII)
        capitals = sum(map(str.isupper, others))  # as which cp1251 has the small letters of KOI8
        is_fit = len(_UNFIT.findall(others)) <= _MOST_UNFIT * len(others) and 2 * capitals <= len(others)
        if is_fit and len(others) >= _ENOUGH_CHARACTERS:
            return resolve_encoding(charset) or charset  # of GB 2312 the one with more characters
    return "cp1252"


def _is_mostly_utf8(body: bytes, is_whole: bool, least: int = 1) -> bool:
    """Return whether bytes are UTF-8, but for something that was pasted or cut.

    In pages of other charsets two bytes in a row are hardly ever a character of UTF-8. So a page with more
    than two of them for each byte that fits nowhere is UTF-8.

    :param is_whole: whether the last character has all its bytes.
    :param least: it has so many of these characters at least.
    """
    valid, wrong = _count_characters(body, is_whole)
    return valid >= least and (not wrong or valid > 2 * wrong)


def _count_characters(body: bytes, is_whole: bool) -> tuple[int, int]:
    """Return how many characters beyond ASCII bytes have as UTF-8, and how many wrong ones."""
    text, _ = codecs.utf_8_decode(body, "replace", is_whole)
    lost = text.count(_REPLACEMENT)
    return len(text) - len(text.encode("ascii", "ignore")) - lost, lost - body.count(_REPLACEMENT.encode())
