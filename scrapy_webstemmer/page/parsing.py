"""Parse a page to an lxml tree, the same as parsel's tree of a Scrapy response, of what browsers show."""

from __future__ import annotations

import re
from html import escape
from typing import Any, TypeAlias

from lxml import etree
from parsel import Selector

from ..values import Page
from .charsets import decode
from .tags import ENDS_HEAD, IN_HEAD, SHOWN_TAG

#: An lxml element; lxml has no types of its own.
Element: TypeAlias = Any

#: The ends of a page's body, and an element that readers see.
_BODY_END = re.compile(r"</(?:body|html)\s*>", re.IGNORECASE)
_SEEN = re.compile(SHOWN_TAG.pattern.decode(), re.IGNORECASE)
#: An address of mail that Cloudflare has hidden from programs, and what stands in its place for these.
_EMAIL = re.compile(
    r"""(<(?:a|span)\b[^<>]*\bdata-cfemail=["']?([0-9a-f]{6,400})["'\s>](?:[^<>]*>)?)[^<]*""", re.IGNORECASE
)
_BODY = re.compile(r"<body\b", re.IGNORECASE)
#: What stands before a body without a tag, and the name of its first element.
_BEFORE_BODY = re.compile(
    r"<!--.*?(?:--!?>|\Z)|<[!?/][^>]*+>?|<(script|style|title|noscript|noframes|template)\b.*?(?:</\1\s*>|\Z)"
    rf"|<(?:{'|'.join(sorted(IN_HEAD))})(?=[\s/>])(?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*+>?|<([a-z][^\s/<>]*)",
    re.IGNORECASE | re.DOTALL,
)


def as_shown(text: str) -> str:
    """Return a page's text with what browsers show and parsers do not see.

    These are bodies without a tag, elements behind the end of the body, and hidden addresses of mail.

    Cost: three searches. Who reads the tags anyway (``scan.pyx``) knows whether they are needed.
    """
    text = with_body(with_late_elements(text))
    return _EMAIL.sub(_with_address, text) if "data-cfemail" in text else text


def _with_address(match: re.Match[str]) -> str:
    """Return an element with the address of mail that a script of Cloudflare writes into it.

    It stands there as hexadecimal numbers, each combined with the first one by exclusive or.
    """
    element, hidden = match.groups()
    first, *others = bytes.fromhex(hidden[: len(hidden) // 2 * 2])
    address = bytes(byte ^ first for byte in others)
    return element + escape(address.decode()) if address.isascii() and b"@" in address else match[0]


def with_body(text: str) -> str:
    """Return a page's text with a tag for its body, if it has none, and parsers do not see where it begins.

    A page need not have the tag. Parsers of HTML 4 leave elements that they do not know in the head. Cost: a
    search for the tag; without one, a look at all before the first element of the body.

    >>> with_body("<title>A</title><article><p>a</p></article>")
    '<title>A</title><body><article><p>a</p></article>'
    """
    if _BODY.search(text):
        return text
    last = 0
    for match in _BEFORE_BODY.finditer(text):
        at, name = match.start(), match[2]
        if text[last:at].strip() or (name and name.lower() in {*ENDS_HEAD, "frame"}):
            break  # parsers see that the body begins here
        if name and ">" in text[at:]:
            return f"{text[:at]}<body>{text[at:]}"
        last = match.end()
    return text


def with_late_elements(text: str) -> str:
    """Return a page's text without the ends of its body, if elements follow them.

    Parsers leave out what follows; browsers show it in the body. Cost: a search for the end.

    >>> with_late_elements("<body><p>a</p></body></html><p>b</p>")
    '<body><p>a</p><p>b</p>'
    """
    first = _BODY_END.search(text)
    if first is None or _SEEN.search(text, first.end()) is None:
        return text
    return _BODY_END.sub("", text)


def parse(page: Page, encoding: str | None = None) -> Element:
    """Return the root of a page's tree; an empty ``html`` element for a page without elements and text.

    :param encoding: see :func:`~.charsets.decode`.
    :raises PageError: the body is a picture or another binary file.

    Cost: the decoding and one lxml parse.
    """
    return parse_text(decode(page, encoding))


def parse_text(text: str) -> Element:
    """Return the root of a page's tree, given its text."""
    if text.strip() == "\ufeff":  # libxml2 leaves the mark out, and then gives back what it was given
        text = ""
    text = as_shown(text)
    root = Selector(text=text, type="html").root
    if not isinstance(root, etree._Element):  # parsel before 1.10 parses text that happens to be JSON as JSON
        root = Selector(text=f"<p>{escape(text)}</p>", type="html").root
    return root


def whole_tree(root: Element) -> Element:
    """Return the root of a page's tree with all of the page in it; itself, if nothing stands beside it.

    Lxml puts elements behind the end of a page beside its root. A page with these is parsed once more.
    """
    late = [other for other in root.itersiblings() if isinstance(other.tag, str)]
    if not late:
        return root
    pieces = [etree.tostring(part, encoding="unicode", method="html") for part in (root, *late)]
    return parse_text("".join(pieces))
