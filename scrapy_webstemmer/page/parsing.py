"""Parse a page to an lxml tree, the same as parsel's tree of a Scrapy response, of what browsers show."""

from __future__ import annotations

import binascii
import re
from collections.abc import Mapping
from html import escape
from typing import Any, AnyStr, TypeAlias

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
    r"<!--.*?(?:--!?>|\Z)|<[!?/][^>]*|<(script|style|title|noscript|noframes|template)\b.*?(?:</\1\s*>|\Z)"
    rf"|<(?:{'|'.join(sorted(IN_HEAD))})(?=[\s/>])(?:[^>\"']++|\"[^\"]*+\"|'[^']*+')*+|<([a-z][^\s/<>]*)",
    re.IGNORECASE | re.DOTALL,
)
_TEXT_FORMS = (_BODY_END, _SEEN, _EMAIL, _BODY, _BEFORE_BODY)
_FORMS: Mapping[type, Any] = {
    str: (*_TEXT_FORMS, "data-cfemail", "<body>"),
    bytes: (
        *(re.compile(form.pattern.encode(), form.flags & ~re.UNICODE) for form in _TEXT_FORMS),
        b"data-cfemail",
        b"<body>",
    ),
}


def as_shown(source: AnyStr) -> AnyStr:
    """Return a page's source with what browsers show and parsers do not see.

    These are bodies without a tag, elements behind the end of the body, and hidden addresses of mail.

    Cost: three searches. Who reads the tags anyway (``scan.pyx``) knows whether they are needed.
    """
    source = with_body(with_late_elements(source))
    _, _, email, *_, mark, _ = _FORMS[type(source)]
    if mark not in source:
        return source
    whole: AnyStr = email.sub(_with_address, source)
    return whole


def _with_address(match: re.Match[AnyStr]) -> AnyStr:
    """Return an element with the address of mail that a script of Cloudflare writes into it.

    It stands there as hexadecimal numbers, each combined with the first one by exclusive or.
    """
    element, hidden = match.groups()
    first, *others = binascii.unhexlify(hidden[: len(hidden) // 2 * 2])
    address = bytes(byte ^ first for byte in others).decode("ascii", "replace")
    if "\ufffd" in address or "@" not in address:
        return match[0]
    shown: Any = escape(address) if isinstance(element, str) else escape(address).encode()
    whole: AnyStr = element + shown
    return whole


def with_body(source: AnyStr) -> AnyStr:
    """Return a page's source with a tag for its body, if it has none, and parsers do not see where it begins.

    A page need not have the tag. Parsers of HTML 4 leave elements that they do not know in the head. Cost: a
    search for the tag; without one, a look at all before the first element of the body.

    >>> with_body("<title>A</title><article><p>a</p></article>")
    '<title>A</title><body><article><p>a</p></article>'
    """
    _, _, _, body, before, _, tag = _FORMS[type(source)]
    if body.search(source):
        return source
    last, bracket = 0, tag[-1:]
    for match in before.finditer(source):
        at = match.start()
        if source[last:at].strip().strip(bracket).strip():
            break  # a text begins the body
        if match[2]:
            name = match[2] if isinstance(source, str) else match[2].decode("ascii", "replace")
            if name.lower() in ENDS_HEAD or name.lower() == "frame" or bracket not in source[at:]:
                break
            whole: AnyStr = source[:at] + tag + source[at:]
            return whole
        last = match.end()
    return source


def with_late_elements(source: AnyStr) -> AnyStr:
    """Return a page's source without the ends of its body, if elements follow them.

    Parsers leave out what follows; browsers show it in the body. Cost: a search for the end.

    >>> with_late_elements("<body><p>a</p></body></html><p>b</p>")
    '<body><p>a</p><p>b</p>'
    """
    end, seen, *_ = _FORMS[type(source)]
    first = end.search(source)
    if first is None or seen.search(source, first.end()) is None:
        return source
    whole: AnyStr = end.sub(source[:0], source)
    return whole


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
