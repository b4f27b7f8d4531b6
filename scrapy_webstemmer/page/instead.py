"""What is read instead of some elements: the source of a formula; nothing for a link that only shows the way.

Both readings of a page ask here, with their pieces of markup. What they find is kept with the markup, so that
text and HTML agree.

Sources: MathML Core, ``annotation``; the output of KaTeX and of MathJax 2 to 4.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from urllib.parse import unquote

from ..values import Step
from .markup import attributes_of, comment_end, name_of, plain_text
from .tags import (
    FORMULA,
    MARK,
    NOT_READ,
    PICTURE,
    PICTURED,
    PICTURES,
    TODAY,
    loads_later,
    role_by,
    text_of_image,
)
from .text import fold, weight

#: Signs of footnotes that have no letter; they belong to the text.
_NOTE_SIGNS = frozenset("*∗⁎†‡ ")
#: An arrow with a number: the second place to which a footnote leads back.
_NUMBERED_ARROW = re.compile(r"[\^\u2190-\u21ff\u27f0-\u27ff\u2900-\u297f\u2b00-\u2bff]\W*\d{1,2}")
_BRACKETS = ("[［", "]］")
_EDIT_CLASS = re.compile(r"(?:^|[\s_-])edit(?:section|link|button)?(?:$|[\s_-])", re.IGNORECASE)
#: A group that only says how large a formula is, and what hides the source from parsers of XML.
_STYLED = re.compile(r"\{\\(?:display|text)style\b\s*(.*)\}", re.DOTALL)
_CDATA = re.compile(r"%\s*<!\[CDATA\[|%\s*\]\]>")
#: So many pieces behind a formula are searched for the script with its source.
_MOST_BEHIND = 8
#: Elements that show something by themselves.
_MEDIA = PICTURES | {"img", "picture", "video", "iframe", "object", "canvas", "svg"}
#: The attributes that have a formula's source.
_TEX = ("data-latex", "data-tex")
#: The elements whose text may be the source of a formula, or another form of it.
_SOURCES = ("annotation", "annotation-xml", "script", "style")


class Instead:
    """What is read instead of some elements of a page.

    :param pieces: the page as pieces of markup.
    :ivar texts: for the first piece of each such element, the text that stands for it, mostly none.
    """

    def __init__(self, pieces: Sequence[str]) -> None:
        self._pieces = pieces
        self.texts: dict[int, str] = {}
        #: Up to this piece there is no formula in what has been searched, and these elements are around more
        #: than a formula. Or elements within each other would be searched again and again.
        self._searched = -1
        self._around: set[int] = set()

    def passes(
        self,
        number: int,
        place: str,
        heading: Step | None,
        around: Step,
        has_text: bool,
        behind_heading: bool,
    ) -> bool:
        """Return whether a link, or an element at a heading, is no text; note it.

        :param number: its first piece.
        :param place: the place on its own page to which it leads; empty: to none.
        :param heading: the heading in which it stands; None: it stands in none.
        :param around: the element around the heading.
        :param has_text: whether there is text before it in the heading, or where it stands.
        :param behind_heading: whether it stands in a heading or directly behind one.
        """
        tag = self._tag(number)
        is_link, attributes = name_of(tag) == "a", attributes_of(tag)
        # a link alone may be the heading itself
        at_heading = behind_heading and ((has_text or not is_link) if heading else not has_text)
        names = (heading.id, around.id, attributes.get("id")) if heading and has_text else ()
        is_passed = (
            (is_link and role_by("a", attributes) == NOT_READ)
            or (place and (self._is_sign(number) or unquote(place) in names))
            or (at_heading and self._edits(number, attributes.get("class", "")))
        )
        if is_passed:
            self.texts[number] = ""
        return bool(is_passed)

    def _is_sign(self, number: int) -> bool:
        """Return whether a link to a place on its own page is a sign, such as ``¶``, ``#`` or ``↩``.

        Such a link leads to its own heading, or from a footnote back to the text. One with a picture is none.
        """
        parts = self._within(number, MARK)
        return is_sign(_text_of(parts)) and not any(tag.startswith("img") for _, tag, _ in parts)

    def _edits(self, number: int, classes: str) -> bool:
        """Return whether an element at a heading is a link to edit its section, as in wikis.

        It has no letters but those of links, and stands in brackets or has a class that says so.
        """
        parts, outside, linked, depth = self._within(number, 2 * MARK), "", "", 0
        for _, tag, text in parts:
            if name_of(tag) == "a":
                depth += -1 if tag[0] == "/" else tag[-1] != "/"
            if depth:
                linked += text
            else:
                outside += text
        if not weight(plain_text(linked)) or weight(plain_text(outside)):
            return False
        text = fold(_text_of(parts))
        is_bracketed = text[0] in _BRACKETS[0] and text[-1] in _BRACKETS[1]
        return is_bracketed or _EDIT_CLASS.search(classes) is not None

    def _within(self, number: int, most: int) -> list[tuple[int, str, str]]:
        """Return the tags of an element with the texts behind them; none if there are more than so many."""
        opened: list[int] = []
        parts = [*self._some(number, most, opened)]
        return [] if opened else parts

    def _some(self, number: int, most: int, opened: list[int]) -> Iterator[tuple[int, str, str]]:
        """Yield the tags of an element with the texts behind them, at most so many."""
        for part in self._parts(number, opened):
            yield part
            most -= part[1] != ""  # only one of the readings has a piece for a tag that has no effect
            if not most:
                return

    def fallback(self, number: int) -> int | None:
        """Return the piece of the first image in a ``noscript``; None: it has none near its beginning."""
        return next((at for at, tag, _ in self._some(number, MARK, []) if tag.startswith("img ")), None)

    def is_block(self, number: int, *, is_line: bool) -> bool:
        """Return whether a custom element is block-level: it begins with such an element, or stands alone.

        :param number: its first piece.
        :param is_line: whether a line may begin with it: no text stands before it, in no running text.
        """
        opened, last, unread, has_text = list[int](), number, 0, False
        for at, tag, text in self._some(number, 2 * MARK, opened):
            last = at
            if len(opened) >= unread > 0:
                continue
            unread, name = 0, name_of(tag)
            if at > number and tag[:1] not in ("", "/"):
                if name in TODAY.block:
                    return True
                if name in TODAY.skipped or role_by(name, attributes_of(tag)) == NOT_READ:
                    unread = len(opened) if tag[-1] != "/" else 0
                    continue
            has_text = has_text or bool(text.strip())
            if has_text and not is_line:
                return False
        return has_text and not opened and self._ends_line(last)

    def _ends_line(self, end: int) -> bool:
        """Return whether a block-level or a custom element begins or ends next behind a tag."""
        for at, tag, text in tags_from(self._pieces, end):
            if at > end and tag:
                name = name_of(tag)
                return name in TODAY.block or name in TODAY.cut or "-" in name
            if text.strip():
                break
        return False

    def is_picture(self, number: int) -> bool:
        """Return whether an element stands for a picture that a script or a style shows: it has no other.

        An element with a text has a background for it, and is no picture.

        :param number: the piece of an element of which this may be so by its tag.
        """
        parts = self._within(number, 4 * MARK)
        if not parts or any(name_of(tag) in _MEDIA for _, tag, _ in parts[1:-1]):
            return False
        tag = parts[0][1]
        name, attributes = name_of(tag), attributes_of(tag)
        if name == "picture":
            return any(inner.startswith("source ") for _, inner, _ in parts[1:])
        urls = (url for name, url in attributes.items() if loads_later(name))
        if name == "figure" or any(map(PICTURE.search, urls)):
            return True
        return "url(" in attributes.get("style", "").lower() and not weight(_text_of(parts))

    def text_of(self, number: int) -> str:
        """Return the text for which an image stands, and note it; empty: it stands for none."""
        if text := fold(text_of_image(attributes_of(self._tag(number)))):
            self.texts[number] = text
        return text

    def formula(self, number: int) -> str | None:
        """Return the source of the formula in an element, else its text, and note it; None: there is none.

        :param number: the first piece of an element whose role is that of a formula.

        Cost: a look at each tag in it, once for elements within each other.
        """
        name, role = self._role(number)
        is_whole = name in ("math", "script")  # whatever is in it
        if not is_whole and (number < self._searched or number in self._around):
            return None
        formula, opened, last, source = _Formula(), list[int](), number, None
        for at, tag, text in self._parts(number, opened):
            last, inner = at, name_of(tag)
            if not is_whole and inner in TODAY.block:
                break
            formula.add(inner, tag, text)
        if opened and not is_whole:  # the element goes on behind this
            self._around.update(opened)
        elif role == PICTURED and self._is_followed(number, last):
            source = ""
        elif formula.has_any or is_whole:
            source = formula.text()
        if not formula.has_any:
            self._searched = last
        if source is not None:
            self.texts[number] = source
            self._pass_copy(last)
        return source

    def _pass_copy(self, end: int) -> None:
        """Note an element that shows a formula again: directly behind it, hidden from screen readers."""
        if (following := self._following(end)) is not None:
            tag = self._tag(following)
            hides = tag[-1] != "/" and name_of(tag) not in TODAY.block and name_of(tag) != "a"
            if hides and attributes_of(tag).get("aria-hidden") == "true":
                self.texts[following] = ""

    def _tag(self, number: int) -> str:
        return self._pieces[number].partition(">")[0]

    def _role(self, number: int) -> tuple[str, int]:
        tag = self._tag(number)
        return name_of(tag), role_by(name_of(tag), attributes_of(tag))

    def _is_followed(self, number: int, end: int) -> bool:
        """Return whether the source of a formula follows its picture; or the picture its preview."""
        if (following := self._following(end)) is None:
            return False
        name, role = self._role(following)
        is_preview = "preview" in self._tag(number).lower()
        return (role == FORMULA and name == "script") or (role == PICTURED and is_preview)

    def _following(self, end: int) -> int | None:
        """Return the piece of the next element, without text between, behind a tag; None: there is none."""
        left = _MOST_BEHIND
        for at, tag, text in tags_from(self._pieces, end):
            if at > end and tag and tag[0] != "/":
                return at
            left -= tag != ""
            if text.strip() or not left:
                break
        return None

    def _parts(self, number: int, opened: list[int]) -> Iterator[tuple[int, str, str]]:
        """Yield the tags of an element, from its own to its end, with their pieces and the texts behind.

        :param opened: filled with the pieces that begin the elements which are open.
        """
        for at, tag, text in tags_from(self._pieces, number):
            if tag[:1] == "/":
                opened.pop()
            elif tag and tag[-1] != "/":
                opened.append(at)
            yield at, tag, text if opened else ""
            if not opened:
                return


def is_sign(text: str) -> bool:
    """Return whether the text of a link is a sign, such as ``¶``, ``#`` or ``↩``.

    >>> [is_sign(text) for text in ("¶", "↩ 2", "*", "#1")]
    [True, True, False, False]
    """
    text = text.strip()
    if not text or _NOTE_SIGNS.issuperset(text):
        return False
    return not weight(text) or _NUMBERED_ARROW.fullmatch(text) is not None


def tags_from(pieces: Sequence[str], number: int) -> Iterator[tuple[int, str, str]]:
    """Yield the tags from a piece on, with their pieces and the texts behind; of comments these alone."""
    closing = ""
    for at in range(number, len(pieces)):
        piece = pieces[at]
        tag, _, text = piece.partition(">")
        if closing or piece[:1] in ("!", "?"):
            closing = closing or comment_end(piece)
            text = piece.partition(closing)[2]
            closing, tag = "" if closing in piece else closing, ""
        yield at, tag, text


class _Formula:
    """What the markup of a formula says: its source by what states it, and its letters."""

    def __init__(self) -> None:
        self._tex: dict[str, str] = {}
        self._words: list[str] = []
        #: What states the source, while the text of its element is read.
        self._way = ""
        self._depth = 0
        self.has_any = False

    def add(self, name: str, tag: str, text: str) -> None:
        """Take a tag and the text behind it; no tag if the text goes on."""
        is_start = tag[:1] not in ("", "/")
        attributes = attributes_of(tag) if is_start else {}
        has_content = is_start and tag[-1] != "/"
        if name == "math":
            self._depth += 1 if has_content else -1 if not is_start else 0
            self.has_any = True
            self._state("alttext", attributes.get("alttext", ""))
        elif name in _SOURCES:
            self._way = _way_of(name, attributes, self._tex) if has_content else ""
        for attribute in _TEX:
            self._state("attribute", attributes.get(attribute, ""))
        text = plain_text(text)
        if self._way:
            self._tex[self._way] = self._tex.get(self._way, "") + text
            self.has_any = True
        elif self._depth:
            self._words.append(text)

    def _state(self, way: str, text: str) -> None:
        if text.strip() and way not in self._tex:
            self._tex[way] = text
            self.has_any = True

    def text(self) -> str:
        """Return the source; if there is none, the letters and signs."""
        for way in ("annotation", "attribute", "script", "alttext"):
            if tex := fold(_CDATA.sub(" ", self._tex.get(way, ""))):
                styled = _STYLED.fullmatch(tex)
                return styled[1].strip() if styled else tex
        joined = ""
        for word in filter(None, map(fold, self._words)):  # "1" over "2" is not "12"
            joined += f" {word}" if joined[-1:].isalnum() and word[0].isalnum() else word
        return joined


def _way_of(name: str, attributes: Mapping[str, str], known: Collection[str]) -> str:
    """Return what the text of an element is: a source of a formula, once; else another form of it."""
    kind = attributes.get("encoding" if name == "annotation" else "type", "").lower()
    states = "tex" in kind and name in ("annotation", "script") and name not in known
    return name if states else "other"


def _text_of(parts: Sequence[tuple[int, str, str]]) -> str:
    return plain_text("".join([text for _, _, text in parts]))
