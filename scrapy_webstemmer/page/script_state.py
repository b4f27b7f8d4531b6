"""Read the article that a page has only in the data from which its scripts make the page.

Such data is JSON in a script element: by itself (``type="application/json"``), or given to a name
(``window.__STATE__ = {...}``, also by ``JSON.parse``). The article is the object in it that has the page's
title as one of its values. Its text is the longest of its other values: a text, HTML, or the paragraphs of an
editor as objects in objects. Data that is made by calls of functions is not read: no script is run.

React may send it in rows, which scripts put together. Some are elements; without an article as an object, the
heaviest of these is the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from html import escape, unescape
from typing import Any, NamedTuple

from ..values import Markup
from .json_ld import LONGEST, values_of
from .markup import attributes_of, plain_text
from .text import LONGEST_TITLE, fold_title, weight

#: A statement of a script that gives a value to a name; so many are looked at.
_GIVEN = re.compile(
    r"(?:^\s*+|[;{}\n])[^\S\n]*+(?:(?:var|let|const)\s++)?[\w.$]++(?:\[[^]\s]{0,99}\])?+\s*+=\s*+"
    r"(?:JSON\.parse\(\s*+)?(?=[\"{\[])"
)
_MOST_GIVEN = 1_000
#: What scripts write for a value that is not there, and JSON does not know.
_UNDEFINED = re.compile(r"(?<=[:,\[])\s*(?:undefined|NaN|void 0)(?=\s*[,}\]])")
_DECODER = json.JSONDecoder(strict=False)
_TAG = re.compile(r"<[^<>]*>")
#: A script with a piece of React's rows (Next.js), and the begin of a row: its number; then a text of so many
#: bytes, or JSON, with letters before it if it tells scripts what to load.
_PIECE = re.compile(r'self\.__next_f\b[^.;"]{0,9}\.push\(\[1,\s*("(?:[^"\\]|\\.)*+")\]\)')
_ROW = re.compile(rb"\s*([0-9a-f]*):(?:T([0-9a-f]{1,8}),|[A-Z]*)")
#: The elements in rows that are not the text of an article; one with it has so many paragraphs at least.
_NO_TEXT_IN = frozenset("aside button footer form h1 head header nav script style svg title".split())
_PARAGRAPHS = 2
#: The key of an object that is a title, such as ``{"rendered": "..."}`` of WordPress.
_TITLED = re.compile("title|headline", re.IGNORECASE)
#: At most so many objects are looked at, in so many others: a state may hold all that its site knows.
_MOST_VALUES, _DEEPEST = 100_000, 40
#: Elements are nested deeper.
_DEEPEST_ELEMENT = 150
#: A text without a space that is a word and no key; how addresses, names of styles and other data begin.
_WORD = re.compile(r"[^\w]*[A-Z]?[a-z]{1,30}[^\w]*")
_NO_TEXT = ("http://", "https://", "/", "#", "data:", "{", "[{", ".")


class StateArticle(NamedTuple):
    """An article in the data of a page's scripts."""

    #: Empty: that of the page.
    title: str
    #: The paragraphs, plain or as HTML.
    texts: tuple[str, ...]


def article_in_state(markup: Markup, titles: tuple[str, ...], least: int = 1) -> StateArticle | None:
    """Return the article that scripts of a page have as data; None: there is none.

    :param markup: the page's markup.
    :param titles: how the page calls itself, the surest first; a part of such a title counts, too.
    :param least: the text has so many significant characters at least.

    Cost: linear in the length of the scripts.
    """
    known = [title for title in titles if title]
    best: tuple[tuple[bool, int, int], StateArticle] | None = None
    # the pieces of a text for React are in several scripts, of which some are short
    scripts = [one for one in _scripts(markup) if len(one[1]) >= least or "__next_f" in one[1]]
    rows, elements = _rows_of(scripts)
    state = _State()
    for value in state.objects([*_values(scripts), *rows]):
        title, exact = _title_of(value, known)
        if title:
            rest = {key: one for key, one in value.items() if one != title}
            rank = exact, len(title), state.weight(rest)
            if rank[-1] >= least and (best is None or rank > best[0]):
                best = rank, StateArticle(fold_title(unescape(title)), tuple(state.texts(rest)))
    if best is None and elements:
        return StateArticle("", (max(elements, key=_prose),))
    return best[1] if best else None


def _scripts(markup: Markup) -> Iterator[tuple[str, str]]:
    """Yield the type and the text of each script, and of the attribute in which Inertia has its page."""
    for _, tag in markup.marked({"": (b"data-page=",)}, 0, len(markup.pieces)):
        yield "application/json", attributes_of(tag).get("data-page", "")
    for number, tag in markup.marked({"script": (b"",)}, 0, len(markup.pieces)):
        if not tag.endswith("/"):  # what stands behind it is no part of it
            kind = attributes_of(tag).get("type", "").lower()
            yield kind, plain_text(markup.pieces[number].partition(">")[2])


def _values(scripts: Iterable[tuple[str, str]]) -> Iterator[Any]:
    """Yield the values that are data in scripts."""
    for kind, text in scripts:
        if kind.endswith("json") and not kind.endswith("ld+json"):
            yield from map(_with_texts, values_of(text))
        else:
            yield from _given(text)


def _with_texts(value: Any) -> Any:
    """Return a value of a JSON script. In a list of Nuxt's, objects name the texts beside them by numbers.

    A long text is taken once, or pages would get longer.
    """
    if not isinstance(value, list):
        return value
    long = {number: one for number, one in enumerate(value) if isinstance(one, str)}
    short = {number: one for number, one in long.items() if len(one) <= LONGEST_TITLE}

    def text(one: Any) -> Any:
        return short.get(one) or long.pop(one, one) if type(one) is int else one

    return [
        *value,
        *({key: text(one) for key, one in each.items()} for each in value if isinstance(each, dict)),
    ]


def _given(text: str) -> Iterator[Any]:
    """Yield the values that a script gives to names. Each is read from its begin: the text is read once."""
    if len(text) > LONGEST:
        return
    text, at = _UNDEFINED.sub("null", text), 0
    for _ in range(_MOST_GIVEN):
        if (given := _GIVEN.search(text, at)) is None:
            return
        try:
            value, at = _DECODER.raw_decode(text, given.end())
        except (ValueError, RecursionError):
            at = given.end()
            if not given.start():  # somebody may have written what is not quite JSON
                yield from values_of(text[at:])
            continue
        yield from values_of(value) if isinstance(value, str) else (value,)


def _rows_of(scripts: Iterable[tuple[str, str]]) -> tuple[list[Any], list[str]]:
    """Return the values in React's rows, and as HTML those of its texts and elements that have paragraphs."""
    values, texts, at = list[Any](), dict[str, str](), 0
    pieces = ",".join([piece for _, text in scripts for piece in _PIECE.findall(text)])
    stream = "".join([str(one) for found in values_of(f"[{pieces}]") for one in found]).encode(
        "utf-8", "replace"
    )
    rows = []
    while row := _ROW.match(stream, at):
        begin = row.end()
        at = begin + int(row[2], 16) if row[2] else stream.find(b"\n", begin) + 1 or len(stream)
        if row[2]:
            texts["$" + row[1].decode()] = stream[begin:at].decode("utf-8", "replace")
        else:
            rows.append(stream[begin:at])
    html = [*texts.values()]

    def with_texts(one: dict[str, Any]) -> dict[str, Any]:  # each once, so that no page gets longer
        return {
            key: texts.pop(value, value) if isinstance(value, str) else value for key, value in one.items()
        }

    for one in rows:
        with suppress(ValueError, RecursionError):
            values.append(json.loads(one, object_hook=with_texts))
    return values, [one for one in (*html, *map(_as_html, values)) if one.count("<p") >= _PARAGRAPHS]


def _as_html(value: Any, inside: bool = False, depth: int = 0) -> str:
    """Return the HTML of React's elements in a value: ``["$", name, key, {"children": ...}]``."""
    if depth > _DEEPEST_ELEMENT:
        return ""
    if isinstance(value, str):
        return escape(value) if inside and not value.startswith("$") else ""
    if isinstance(value, list) and value[:1] == ["$"] and isinstance(value[-1], dict):
        name, own = str(value[1]), value[-1].get("dangerouslySetInnerHTML")
        if name in _NO_TEXT_IN:
            return ""
        html = str(own["__html"]) if isinstance(own, dict) and "__html" in own else ""
        html = html or _as_html(value[-1].get("children"), True, depth + 1)
        return f"<{name}>{html}</{name}>" if name.isalnum() else html
    if isinstance(value, dict) and not inside:
        value = [*value.values()]
    return "".join([_as_html(one, inside, depth + 1) for one in value]) if isinstance(value, list) else ""


def _title_of(value: Mapping[str, Any], titles: list[str]) -> tuple[str, bool]:
    """Return the value of an object that is the page's title, and whether it is the whole of one."""
    titled = [part for key, part in value.items() if isinstance(part, dict) and _TITLED.search(key)]
    texts = (one for part in (value, *titled) for one in part.values())
    short = [one for one in texts if isinstance(one, str) and 0 < len(one) <= LONGEST_TITLE]
    folded = {fold_title(unescape(one)): one for one in short}
    for title in titles:
        if title in folded:
            return folded[title], True
    parts = [fold for fold in folded if any(_is_part(fold, title) for title in titles)]
    return (folded[max(parts, key=len)], False) if parts else ("", False)


def _is_part(text: str, title: str) -> bool:
    """Return whether a text is the begin or the end of a title, with several words or most of its letters."""
    return (" " in text or 2 * len(text) > len(title)) and (title.startswith(text) or title.endswith(text))


class _State:
    """The weights of values: objects in objects are weighed once."""

    def __init__(self) -> None:
        self._weights: dict[int, int] = {}
        #: The values themselves, so that no other gets the number of one that is gone.
        self._kept: list[Any] = []

    def objects(self, values: Iterable[Any]) -> Iterator[dict[str, Any]]:
        """Yield the objects in values, those that hold others first; a bounded number."""
        todo = [(one, 0) for one in values if isinstance(one, dict | list)]
        for _ in range(_MOST_VALUES):
            if not todo:
                return
            value, depth = todo.pop()
            inner = list(value.values() if isinstance(value, dict) else value)
            for one in inner:  # the answer of a server may be in it as a text
                if isinstance(one, str) and one.startswith(('{"', '[{"')):
                    inner += values_of(one)
            todo += [(one, depth + 1) for one in inner if isinstance(one, dict | list) and depth < _DEEPEST]
            if isinstance(value, dict):
                yield value

    def weight(self, value: Any, depth: int = 0) -> int:
        """Return the number of significant characters in the texts of a value."""
        if isinstance(value, str):
            return _prose(value)
        if not isinstance(value, dict | list) or depth > _DEEPEST:
            return 0
        if id(value) not in self._weights:
            inner = value.values() if isinstance(value, dict) else value
            self._weights[id(value)] = sum([self.weight(one, depth + 1) for one in inner])
            self._kept.append(value)
        return self._weights[id(value)]

    def texts(self, value: Any, depth: int = 0) -> list[str]:
        """Return the paragraphs of a value: of an object, those of its longest value; of a list, of all."""
        if isinstance(value, str):
            return [value] if _prose(value) else []
        if isinstance(value, dict):
            longest = max(value.values(), key=self.weight, default=None)
            return self.texts(longest, depth + 1) if depth <= _DEEPEST else []
        if not isinstance(value, list) or depth > _DEEPEST:
            return []
        each = [self.texts(one, depth + 1) for one in value]
        inner = [text for texts in each for text in texts]
        if max(map(len, each), default=0) <= 1 and any(text != text.strip() for text in inner[:-1]):
            return ["".join(inner)]  # pieces of one paragraph, such as a word in bold: spaces are theirs
        return inner


def _prose(text: str) -> int:
    """Return the number of significant characters of a text; 0 for an address, a key or a style."""
    if text.startswith(_NO_TEXT) or (" " not in text and text.isascii() and not _WORD.fullmatch(text)):
        return 0
    return weight(_TAG.sub("", text) if "<" in text else text)
