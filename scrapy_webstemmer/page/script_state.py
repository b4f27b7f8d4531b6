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
from itertools import chain, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

from ..values import Markup
from .json_ld import LONGEST_JSON, values_of
from .markup import attributes_of, plain_text
from .text import LONGEST_TITLE, TAG, fold_title, weight

#: A statement of a script that gives a value to a name; so many are looked at.
_ASSIGNMENT = re.compile(
    r"(?:^\s*+|[;{}\n])[^\S\n]*+(?:(?:var|let|const)\s++)?[\w.$]++(?:\[[^]\s]{0,99}\])?+\s*+=\s*+"
    r"(?:JSON\.parse\(\s*+)?(?=[\"{\[])"
)
_MOST_ASSIGNMENTS = 1_000
#: What scripts write for a value that is not there, and JSON does not know.
_UNDEFINED = re.compile(r"(?<=[:,\[])\s*(?:undefined|NaN|void 0)(?=\s*[,}\]])")
_DECODER = json.JSONDecoder(strict=False)
#: A script with a piece of React's rows (Next.js), and the begin of a row: its number; then a text of so many
#: bytes, or JSON, with letters before it if it tells scripts what to load.
_ROW_PIECE = re.compile(r'self\.__next_f\b[^.;"]{0,9}\.push\(\[1,\s*("(?:[^"\\]|\\.)*+")\]\)')
_ROW = re.compile(rb"\s*([0-9a-f]*):(?:T([0-9a-f]{1,8}),|[A-Z]*)")
#: The elements in rows that are not the text of an article; one with it has so many paragraphs at least.
_NO_TEXT_IN = frozenset("aside button footer form h1 head header nav script style svg title".split())
_LEAST_PARAGRAPHS = 2
#: The key of an object that is a title, such as ``{"rendered": "..."}`` of WordPress.
_TITLED = re.compile("title|headline", re.IGNORECASE)
#: At most so many objects are looked at, in so many others: a state may hold all that its site knows.
_MOST_OBJECTS, _DEEPEST_VALUE = 100_000, 40
#: Elements are nested deeper.
_DEEPEST_ELEMENT = 150
#: The keys under which editors have a text, even if it is a word.
_TEXT_KEYS = ("text", "value", "content")
#: A text without a space that is a word and no key; how addresses, names of styles and other data begin.
_PLAIN_WORD = re.compile(r"[^\w]*[A-Z]?[a-z]{1,30}[^\w]*")
_DATA_BEGINS = ("http://", "https://", "/", "#", "data:", "{", "[{", ".")


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
    articles: list[tuple[tuple[bool, int, int], str, dict[str, Any]]] = []
    # the pieces of a text for React are in several scripts, of which some are short
    scripts = [(kind, text) for kind, text in _scripts(markup) if len(text) >= least or "__next_f" in text]
    rows, elements = _rows_of(scripts)
    state = _State()
    for value in state.objects([*_values(scripts), *rows]):
        # most have little text, and to weigh it takes less than to look for a title
        title, exact = _title_of(value, known) if state.weight(value) >= least else ("", False)
        if title:
            others = {key: part for key, part in value.items() if part != title}
            if (size := state.weight(others)) >= least:
                articles.append(((exact, len(title), size), title, others))
    if articles:
        _, title, others = max(articles, key=itemgetter(0))
        return StateArticle(fold_title(unescape(title)), tuple(state.texts(others)))
    return StateArticle("", (max(elements, key=_prose_weight),)) if elements else None


def _scripts(markup: Markup) -> Iterator[tuple[str, str]]:
    """Yield the type and the text of each script, and of each attribute with an object (Inertia, React)."""
    for _, tag in markup.marked({"": (b'{"', b"{&quot;", b"{&#34;")}, 0, len(markup.pieces)):
        yield from (("application/json", value) for value in attributes_of(tag).values() if value[:2] == '{"')
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
            yield from _assigned(text)


def _with_texts(value: Any) -> Any:
    """Return a value of a JSON script. In a list of Nuxt's, objects name the texts beside them by numbers.

    A long text is taken once, or pages would get longer.
    """
    if not isinstance(value, list):
        return value
    long = {number: item for number, item in enumerate(value) if isinstance(item, str)}
    short = {number: item for number, item in long.items() if len(item) <= LONGEST_TITLE}

    def text_of(part: Any) -> Any:
        return short.get(part) or long.pop(part, part) if type(part) is int else part

    objects = (item for item in value if isinstance(item, dict))
    return [*value, *({key: text_of(part) for key, part in obj.items()} for obj in objects)]


def _assigned(text: str) -> Iterator[Any]:
    """Yield the values that a script gives to names. Each is read from its begin: the text is read once."""
    if len(text) > LONGEST_JSON:
        return
    text, at = _UNDEFINED.sub("null", text), 0
    for _ in range(_MOST_ASSIGNMENTS):
        if (assignment := _ASSIGNMENT.search(text, at)) is None:
            return
        try:
            value, at = _DECODER.raw_decode(text, assignment.end())
        except (ValueError, RecursionError):
            at = assignment.end()
            if not assignment.start():  # somebody may have written what is not quite JSON
                yield from values_of(text[at:])
            continue
        yield from values_of(value) if isinstance(value, str) else (value,)


def _rows_of(scripts: Iterable[tuple[str, str]]) -> tuple[list[Any], list[str]]:
    """Return the values in React's rows, and as HTML those of its texts and elements that have paragraphs."""
    values, texts, at = list[Any](), dict[str, str](), 0
    pieces = ",".join([piece for _, text in scripts for piece in _ROW_PIECE.findall(text)])
    pushed = chain.from_iterable(values_of(f"[{pieces}]"))
    stream = "".join(map(str, pushed)).encode("utf-8", "replace")
    rows = []
    while row := _ROW.match(stream, at):
        begin = row.end()
        at = begin + int(row[2], 16) if row[2] else stream.find(b"\n", begin) + 1 or len(stream)
        if row[2]:
            texts["$" + row[1].decode()] = stream[begin:at].decode("utf-8", "replace")
        else:
            rows.append(stream[begin:at])
    html = [*texts.values()]

    def with_texts(obj: dict[str, Any]) -> dict[str, Any]:  # each once, so that no page gets longer
        return {key: texts.pop(part, part) if isinstance(part, str) else part for key, part in obj.items()}

    for source in rows:
        with suppress(ValueError, RecursionError):
            values.append(json.loads(source, object_hook=with_texts))
    html += map(_as_html, values)
    return values, [text for text in html if text.count("<p") >= _LEAST_PARAGRAPHS]


def _as_html(value: Any, inside: bool = False, depth: int = 0) -> str:
    """Return the HTML of React's elements in a value: ``["$", name, key, {"children": ...}]``."""
    if depth > _DEEPEST_ELEMENT:
        return ""
    if isinstance(value, str):
        return escape(value) if inside and not value.startswith("$") else ""
    if isinstance(value, list) and value[:1] == ["$"] and isinstance(value[-1], dict):
        name, raw = str(value[1]), value[-1].get("dangerouslySetInnerHTML")
        if name in _NO_TEXT_IN:
            return ""
        html = str(raw["__html"]) if isinstance(raw, dict) and "__html" in raw else ""
        html = html or _as_html(value[-1].get("children"), True, depth + 1)
        return f"<{name}>{html}</{name}>" if name.isalnum() else html
    if isinstance(value, dict) and not inside:
        value = [*value.values()]
    return "".join([_as_html(part, inside, depth + 1) for part in value]) if isinstance(value, list) else ""


def _title_of(value: Mapping[str, Any], titles: list[str]) -> tuple[str, bool]:
    """Return the value of an object that is the page's title, and whether it is the whole of one."""
    titled = [part for key, part in value.items() if isinstance(part, dict) and _TITLED.search(key)]
    texts = (text for part in (value, *titled) for text in part.values())
    short = [text for text in texts if isinstance(text, str) and 0 < len(text) <= LONGEST_TITLE]
    folded = {fold_title(unescape(text)): text for text in short}
    for title in titles:
        if title in folded:
            return folded[title], True
    parts = [text for text in folded if any(_is_part(text, title) for title in titles)]
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
        todo = [(part, 0) for part in values if isinstance(part, dict | list)]
        for _ in range(_MOST_OBJECTS):
            if not todo:
                return
            value, depth = todo.pop()
            inner = list(value.values() if isinstance(value, dict) else value)
            for part in inner:  # the answer of a server may be in it as a text
                if isinstance(part, str) and part.startswith(('{"', '[{"')):
                    inner += values_of(part)
            if depth < _DEEPEST_VALUE:
                todo += [(part, depth + 1) for part in inner if isinstance(part, dict | list)]
            if isinstance(value, dict):
                yield value

    def weight(self, value: Any, depth: int = 0) -> int:
        """Return the number of significant characters in the texts of a value."""
        if isinstance(value, str):
            return _prose_weight(value)
        if not isinstance(value, dict | list) or depth > _DEEPEST_VALUE:
            return 0
        if id(value) not in self._weights:
            inner = _text_values(value) if isinstance(value, dict) else value
            self._weights[id(value)] = sum([self.weight(part, depth + 1) for part in inner])
            self._kept.append(value)
        return self._weights[id(value)]

    def texts(self, value: Any, depth: int = 0) -> list[str]:
        """Return the paragraphs of a value: of an object, those of its longest value; of a list, of all."""
        if isinstance(value, str):
            return [value] if _prose_weight(value) else []
        if isinstance(value, dict):
            longest = max(_text_values(value), key=self.weight, default=None)
            return self.texts(longest, depth + 1) if depth <= _DEEPEST_VALUE else []
        if not isinstance(value, list) or depth > _DEEPEST_VALUE:
            return []
        each = [self.texts(part, depth + 1) for part in value]
        inner = [text for texts in each for text in texts]
        has_spaces = any(text[-1:].isspace() or after[:1].isspace() for text, after in pairwise(inner))
        has_spaces = has_spaces or any(isinstance(part, dict) and "marks" in part for part in value)
        if has_spaces and max(map(len, each)) <= 1 and any(map(_is_piece, value)):
            return ["".join(inner)]  # pieces of one paragraph, such as a word in bold: spaces are theirs
        return inner


def _text_values(value: Mapping[str, Any]) -> list[Any]:
    """Return the values of an object that may have text. A word beside it names a kind or a style."""
    return [part for key, part in value.items() if key in _TEXT_KEYS or not _is_word(part)]


def _is_word(part: Any) -> bool:
    return isinstance(part, str) and " " not in part and bool(_PLAIN_WORD.fullmatch(part))


def _is_piece(part: Any) -> bool:
    """Return whether a value is a text by itself, and not a paragraph that has others in it."""
    return isinstance(part, str) or (
        isinstance(part, dict) and any(isinstance(part.get(key), str) for key in _TEXT_KEYS)
    )


def _prose_weight(text: str) -> int:
    """Return the number of significant characters of a text; 0 for an address, a key or a style."""
    is_key = " " not in text and text.isascii() and not _PLAIN_WORD.fullmatch(text)
    if is_key or text.startswith(_DATA_BEGINS):
        return 0
    return weight(TAG.sub("", text) if "<" in text else text)
