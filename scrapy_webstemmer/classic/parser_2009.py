"""Parse a page into the tree that the HTML parser of 2009 made.

Layouts of 2009 depend on where elements end, and parsers do not agree on that for
broken pages. Source: Webstemmer 0.7.1: which tags it knew, which tags end which
elements, what it took for a tag. The sets below are its own. The main points:

- Unknown tags are ignored: those of HTML5, and ``form``.
- An end tag also ends all elements that were opened since its own. Without a start tag it is ignored.
- ``html``, ``head``, ``body``, ``noscript`` and the like are ignored, too, so they never nest. A ``title``
  goes to the head, wherever it stands.
- ``->`` ends a comment, and ``<`` begins a tag whatever follows.
- Entities are looked up in lower case (``&Eacute;`` is é). An unknown entity stays, without its semicolon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import name2codepoint
from typing import Any, NamedTuple

from lxml import etree

from ..errors import LimitError
from ..options import Limits
from ..page.charsets import decode
from ..page.limits import check_page
from ..page.parsing import Element
from ..values import Page, valid_text

_BLOCK = frozenset(
    "title p h1 h2 h3 h4 h5 h6 tr td th dt dd li ul ol dir menu pre dl div center frameset blockquote table "
    "fieldset address".split()
)
_RAW = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style")}
_INLINE = frozenset(
    "tt i b u s strike big small nobr em strong dfn code samp kbd var cite abbr acronym a applet object "
    "button font map q sub sup span bdo layer ilayer iframe select textarea label option".split()
)
_VOID = frozenset(
    "basefont br area link img param hr input colgroup col frame isindex meta base embed".split()
)
_KNOWN_TAGS = _BLOCK | _RAW.keys() | _INLINE | _VOID

#: What a start tag ends: the innermost element of the first group, unless a later one is of the second group.
_ENDED = {
    "li": (("li",), ("ul", "ol")),
    "option": (("option",), ("select",)),
    "tr": (("tr",), ("table",)),
    **dict.fromkeys(("dt", "dd"), (("dt", "dd"), ("dl",))),
    **dict.fromkeys(("td", "th"), (("td", "th"), ("tr", "table"))),
}
_ENDED_BY_BLOCK = (("p",), tuple(_BLOCK))
#: An end tag does not end its element if one of these was opened later.
_KEEPS_OPEN = {"td": ("tr", "table"), "tr": ("table",), "li": ("ul", "ol"), "dt": ("dl",), "dd": ("dl",)}

_MARKUP = re.compile(r"[&<]")
_ENTITY = re.compile(r"&([a-zA-Z0-9#]*)(;?)")
_CODE_POINT = re.compile(r"#(?:[xX]([0-9a-fA-F]{1,8})|([0-9]{1,8}))")
_COMMENT = re.compile(r"<!-++(?:>|.*?->)", re.DOTALL)
_SPACE = re.compile(r"\s*")
_TAG_NAME = re.compile(r"[^\s<>/?!=\"']*")
_VALUE = re.compile(r"\"([^\"]*)(?:\"|\Z)|'([^']*)(?:'|\Z)|([^\s<>]*)")
#: The attributes that layouts and anchors use.
_KEPT_ATTRIBUTES = frozenset("id class align valign rowspan colspan href alt title aria-label".split())
#: A page may have this many tags, entities and texts for each element that the limit allows.
_TOKENS = 5
_LIMITS = Limits()


def parse_2009(page: Page, encoding: str | None = None, limits: Limits = _LIMITS) -> Element:
    """Return the root of a page's tree as :func:`classic_tree` makes it.

    :param encoding: the charset of pages that declare none; None: UTF-8 where it fits, else by ``lang``.
    :raises PageError: if the body is a picture or another binary file.
    :raises LimitError: if the page exceeds a limit.
    """
    check_page(page, limits)
    return classic_tree(decode(page, encoding), page.url, limits)


class _Tag(NamedTuple):
    name: str
    attributes: dict[str, str]
    is_end: bool


def classic_tree(text: str, url: str = "", limits: Limits = _LIMITS) -> Element:
    """Return the root of a page's tree: ``html`` with a ``head`` and a ``body``.

    :param url: the page's url, for errors.
    :raises LimitError: if there are too many elements, or they are nested too deep.

    Cost: linear in the length of the text; about ten times the cost of lxml's own parser.
    """
    tree = _Tree()
    for count, token in enumerate(_tokens(text)):
        if count > _TOKENS * limits.elements:
            raise LimitError(url, "elements", f"has more than {limits.elements:,} elements")
        if len(tree.open) > limits.depth:
            raise LimitError(url, "depth", f"has an element in more than {limits.depth:,} others")
        if isinstance(token, str):
            tree.text.append(token)
        elif token.is_end:
            tree.end(token.name)
        else:
            tree.start(token.name, token.attributes)
    return tree.close()


def _tokens(text: str) -> Iterator[str | _Tag]:
    """Yield the texts and tags of a page. Comments are left out, and entities are replaced."""
    at = 0
    while markup := _MARKUP.search(text, at):
        if markup.start() > at:
            yield text[at : markup.start()]
        at = markup.start()
        if text[at] == "&":
            entity = _ENTITY.match(text, at)
            assert entity is not None  # noqa: S101 - it begins with the character that was found
            yield _character(entity[1])
            at = entity.end()
        elif text.startswith("<!", at):
            at = _after_declaration(text, at)
        else:
            tag, at = _read_tag(text, at)
            if tag is not None:
                yield tag
                if tag.name in _RAW and not tag.is_end:
                    at = _after_raw_text(text, at, tag.name)
                    yield _Tag(tag.name, {}, is_end=True)
    yield text[at:]


def _character(name: str) -> str:
    known = name2codepoint.get(name.lower())
    if known is not None:
        return chr(known)
    code_point = _CODE_POINT.fullmatch(name)
    if code_point is None:
        return "&" + name
    code = int(code_point[1], 16) if code_point[1] else int(code_point[2])
    return chr(code) if code < 0x110000 else "&" + name


def _after_declaration(text: str, at: int) -> int:
    if text.startswith("<!-", at):
        comment = _COMMENT.match(text, at)
        return comment.end() if comment else len(text)
    end = text.find(">", at)
    return end + 1 if end >= 0 else len(text)


def _after_raw_text(text: str, at: int, tag: str) -> int:
    """Return the position after a script or a style sheet and its end tag."""
    end = _RAW[tag].search(text, at)
    return _read_tag(text, end.start())[1] if end else len(text)


def _read_tag(text: str, at: int) -> tuple[_Tag | None, int]:
    """Return the tag that begins at a ``<``, and the position after it.

    The tag is None for ``<?…>``, and if the text ends within it.
    """
    at += 1
    is_end, ignored = text.startswith("/", at), text.startswith("?", at)
    at += is_end or ignored
    tag = ""
    attributes: dict[str, str] = {}
    pending = ""
    while at < len(text):
        at = _end(_SPACE, text, at)
        sign = text[at : at + 1]
        if sign == "=":
            at = _end(_SPACE, text, at + 1)
            if text[at : at + 1] in ("<", ">"):
                continue
            value = _VALUE.match(text, at)
            assert value is not None  # noqa: S101 - it also matches the empty text
            if pending:
                attributes[pending] = next(part for part in value.groups() if part is not None)
            pending, at = "", value.end()
            continue
        if pending:
            attributes[pending] = pending
        pending = ""
        if sign in ("<", ">"):
            return None if ignored else _Tag(tag, attributes, is_end), at + (sign == ">")
        at += sign != "" and sign in "/?!\"'"
        end = _end(_TAG_NAME, text, at)
        name, at = text[at:end].lower(), end
        if tag:
            pending = name
        else:
            tag = name
    return None, at


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


class _Tree:
    """The growing tree.

    ``open`` has the elements that have not ended, from the body on; ``text`` the texts since the last tag.
    """

    def __init__(self) -> None:
        self.root = etree.Element("html")
        self.head = etree.SubElement(self.root, "head")
        self.open: list[Any] = [etree.SubElement(self.root, "body")]
        self.text: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag not in _KNOWN_TAGS:
            return
        if tag == "hr" or (tag in _BLOCK and tag not in _ENDED):
            self._end_previous(*_ENDED_BY_BLOCK)
        elif tag in _ENDED:
            self._end_previous(*_ENDED[tag])
        in_head = tag in ("title", "base", "link", "meta")
        # a void element of the head does not divide the text, and joining the parts again would take time
        if tag not in _VOID or not in_head:
            self._flush()
        element = etree.SubElement(self.head if in_head else self.open[-1], tag)
        for key, value in attributes.items():
            if key in _KEPT_ATTRIBUTES:
                element.set(key, valid_text(_ENTITY.sub(lambda entity: _character(entity[1]), value)))
        if tag not in _VOID:
            self.open.append(element)

    def end(self, tag: str) -> None:
        if tag in _KNOWN_TAGS and tag not in _VOID:
            self._end_previous((tag,), _KEEPS_OPEN.get(tag, ()))

    def close(self) -> Element:
        self._flush()
        return self.root

    def _end_previous(self, tags: tuple[str, ...], stops: tuple[str, ...]) -> None:
        for i in range(len(self.open) - 1, 0, -1):
            tag = self.open[i].tag
            if tag in tags:
                self._flush()
                del self.open[i:]
                return
            if tag in stops:
                return

    def _flush(self) -> None:
        """Add the text since the last tag to the tree."""
        if not self.text:
            return
        text, parent = valid_text("".join(self.text)), self.open[-1]
        self.text = []
        last = next(parent.iterchildren(reversed=True), None)  # len() would visit each child
        if last is not None:
            last.tail = (last.tail or "") + text
        else:
            parent.text = (parent.text or "") + text
