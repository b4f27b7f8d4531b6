"""Read the JSON-LD of a page as it stands there: many templates and editors write what is not valid JSON.

Read as what is meant: comments and CDATA sections around it or in it, commas before a closing bracket or
another comma, several values one after the other, quotes that are escaped as in HTML or once more as in JSON,
quotes and line breaks within a text, signs behind a backslash that need none, and characters by their numbers
as scripts write them. Valid JSON is read without all that. What cannot be read so, such as an object of a
script, is read by its brackets and colons alone.

Source: RFC 8259; JSON-LD 1.1; HTML Standard, restrictions for contents of script elements.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from html import unescape
from itertools import islice
from typing import Any

#: A longer text is not read: its values take twenty times its memory.
LONGEST_JSON = 1_000_000
#: At most so many values of a list; so many values that stand one after the other are read.
MOST_IN_LIST, _MOST_VALUES = 50, 2_000
#: So deep may an object be in others that only hold it.
_DEEPEST_OBJECT = 5

#: The keys that have the text of an article, or objects that have it.
_BODY_KEYS = ("articleBody", "text", "reviewBody", "liveBlogUpdate", "recipeInstructions", "itemListElement")

#: What may stand around the values, and between them: comments of HTML, or the begin of one that has the
#: values in it; the same of a CDATA section; and the signs of scripts that hide these.
_NOTHING = re.compile(
    r"(?:\s|\ufeff|;|,|//(?=\s*(?:<!|-->|\]\]))|/\*(?=\s*(?:<!|-->|\]\]))|\*/|<!--[^{}\[\]<]*-->|<!--|-->|<!\[CDATA\[|\]\]>)*+"
)
#: A quotation mark ends a text if what follows can stand behind one: a colon, a closing bracket, a comma with
#: another value, or a key whose comma is missing. Others belong to the text.
_STRING = (
    r'"(?:[^"\\]|\\(?:.|\Z)'
    r'|"(?!\s*(?:[:}\]]|,\s*(?:["{\[}\]\d,/-]|<!--|true|false|null)|/[/*]|"[\w@]++"\s*:|\Z)))*+'
    r'(?P<end>"|\Z)'
)
#: A text; a comment; a comma that no value follows.
_TOKEN = re.compile(
    rf"(?P<text>{_STRING})|//[^\n]*|/\*.*?(?:\*/|\Z)|<!--(?:(?!<!--|-->).)*+-->|,(?=\s*+[}}\],])", re.DOTALL
)
#: What a text may not have in it as it stands: quotes, and a backslash before a sign that needs none. Scripts
#: write a character by its number in two digits, too.
_INNER = re.compile(r"""\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})|\\'?|["]""")
#: The first quote of values whose quotes are all escaped, or made round by an editor.
_FIRST_QUOTE = re.compile(r"[\[{\s]*+(\\\"|&(?:amp;)?(?:quot|#0*34|#x0*22);|[“”„″])", re.IGNORECASE)
_ROUND_QUOTES = str.maketrans(dict.fromkeys("“”„″", '"'))
#: A key of schema.org with its vocabulary before it, as RDF has it.
_PREFIXED = re.compile(r'"(?:schema:|https?://schema\.org/)(?=\w+"\s*+:)')
#: The tokens of a text that is read loosely: texts, which may be between other quotes, signs, and bare words.
_LOOSE = re.compile(
    r"""["](?:[^"\\]|\\(?:.|\Z))*+(?:["]|\Z)|'(?:[^'\\]|\\(?:.|\Z))*+(?:'|\Z)|[{}\[\]:,]|[^\s{}\[\]:,"']++""",
    re.DOTALL,
)
_DEEPEST_LOOSE, _NOTHINGS = 20, frozenset("null undefined nil None NaN true false True False".split())
_DECODER = json.JSONDecoder(strict=False)
#: The kinds of objects of JSON-LD that are looked for, by the end of their type in lower case.
_TYPE_ENDS = {
    "article": ("article", "posting", "report", "review", "recipe"),
    "page": ("webpage", "itempage"),
    "breadcrumbs": ("breadcrumblist",),
    "site": ("website",),
}


def values_of(text: str) -> list[Any]:
    """Return the values in a text of JSON-LD, in their order; none if it has none, or is very long.

    >>> values_of("<!-- nothing -->"), values_of("var a = {'a': 1, b: undefined")
    ([], [{'a': 1}])
    >>> values_of('// <![CDATA[\\n{"a": "1",} // ]]>')
    [{'a': '1'}]

    Cost: linear in the length of the text.
    """
    if len(text) > LONGEST_JSON:
        return []
    if '"schema:' in text or "schema.org/" in text:
        text = _PREFIXED.sub('"', text)
    try:
        values = [_DECODER.decode(text)]
    except (ValueError, RecursionError):  # also numbers that are too long
        values = _read(text)
    # somebody has written the JSON as a text, and this once more as JSON
    return [inner for value in values for inner in (_read(value) if isinstance(value, str) else (value,))]


def _read(text: str) -> list[Any]:
    """Return the values in a text that need not be valid JSON."""
    text = _NOTHING.sub("", text, count=1)
    if quote := _FIRST_QUOTE.match(text):
        if quote[1][:1] == "&":
            text = unescape(unescape(text) if "&amp;" in quote[1].lower() else text)
        elif quote[1][:1] == "\\":
            text = text.replace('\\"', '"')
        else:
            text = text.translate(_ROUND_QUOTES)
    values = [*_decoded(_TOKEN.sub(_valid, text))]
    return values if any(isinstance(value, dict | list | str) for value in values) else _loosely(text)


def _loosely(text: str) -> list[Any]:
    """Return the objects and lists in a text by its brackets and colons, whatever else is wrong in it.

    >>> _loosely("var a = {name: 'Ann', 'age':, , url: undefined tags: ['x' 'y'")
    [{'name': 'Ann', 'tags': ['x', 'y']}]
    """
    values: list[Any] = []
    inside: list[Any] = [values]
    word, key = None, None  # the last text, which is a key if a colon follows
    for token in _LOOSE.finditer(text):
        sign, holder = token[0], inside[-1]
        if sign == ":":
            key = word
        elif sign in ",}]":
            key = None
            if sign != "," and len(inside) > 1:
                inside.pop()
        elif len(inside) > _DEEPEST_LOOSE:
            break
        else:
            value: Any = {} if sign == "{" else [] if sign == "[" else _scalar(sign)
            if isinstance(holder, list):
                holder.append(value)
            elif isinstance(key, str) and value is not None:
                holder.setdefault(key, value)
            word, key = value, None
            if sign in "{[":
                inside.append(value)
    return [value for value in values if isinstance(value, dict | list)]


def _scalar(text: str) -> str | int | None:
    """Return a text between quotes, a word or a number; None: one that stands for no value."""
    if text[0] in "\"'":
        return next(_decoded(_as_json(text[1:].removesuffix(text[0]))), None)
    return int(text) if text.isdecimal() and len(text) < 20 else None if text in _NOTHINGS else text


def _valid(token: re.Match[str]) -> str:
    """Return a text as valid JSON has it, and nothing for a comment and a comma without a value."""
    text = token["text"]
    if not text:
        return " "
    return _as_json(text[1 : len(text) - len(token["end"])])


def _as_json(inner: str) -> str:
    """Return what stands between quotes as a text of JSON."""
    if '"' in inner or "\\" in inner:
        inner = _INNER.sub(_escaped, inner)
    return f'"{inner}"'


def _escaped(match: re.Match[str]) -> str:
    """Return a sign of a text as valid JSON has it."""
    sign = match[0]
    if sign[1:2] == "x":
        return f"\\u00{sign[2:]}"
    return "'" if sign == "\\'" else f"\\{sign}" if len(sign) == 1 else sign


def _decoded(text: str) -> Iterator[Any]:
    at = 0
    for _ in range(_MOST_VALUES):
        between = _NOTHING.match(text, at)
        at = between.end() if between else at
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield value


def objects_in(texts: list[str]) -> list[dict[str, Any]]:
    """Return the objects of JSON-LD that stand by themselves: those of lists and graphs, main entities."""
    objects = (obj for text in texts for value in values_of(text) for obj in _objects(value))
    return [*islice(objects, _MOST_VALUES)]


def _objects(value: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    inner = value if isinstance(value, list) else ()
    if isinstance(value, dict):
        yield value
        inner = [value.get(key) for key in ("@graph", "mainEntity", "breadcrumb")]
    if depth < _DEEPEST_OBJECT:
        for part in inner:
            yield from _objects(part, depth + 1)


def body_of(value: Any, depth: int = 0) -> str:
    """Return the text that an object has, or the objects in it, a line for each; empty: none.

    >>> body_of({"liveBlogUpdate": [{"articleBody": "Ten."}, {"articleBody": "Nine."}]})
    'Ten.\\nNine.'
    """
    if isinstance(value, dict) and depth <= _DEEPEST_OBJECT:
        return next(filter(None, (body_of(value.get(key), depth + 1) for key in _BODY_KEYS)), "")
    if isinstance(value, list):
        return "\n".join(filter(None, (body_of(part, depth) for part in list_of(value))))
    return value if isinstance(value, str) else ""


def by_kind(objects: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Return objects of JSON-LD by their kind: ``article``, ``page``, ``breadcrumbs``, ``site``."""
    kinds: dict[str, list[dict[str, Any]]] = {}
    for obj in objects:
        names = (name for name in list_of(obj.get("@type")) if isinstance(name, str))
        for kind in {kind for name in names for kind in _kinds_of(name)}:
            kinds.setdefault(kind, []).append(obj)
    return kinds


@lru_cache(maxsize=1 << 10)
def _kinds_of(name: str) -> tuple[str, ...]:
    """Return the kinds of objects of a type."""
    return tuple(kind for kind, ends in _TYPE_ENDS.items() if name.lower().endswith(ends))


def list_of(value: Any) -> list[Any]:
    """Return the values that a key of JSON-LD has, a bounded number of them; those of lists in it as well.

    PHP writes a list with gaps as an object whose keys are numbers.

    >>> list_of([{"@list": ["Ann", ["Bob"]]}, None, "Cy"]), list_of({"0": "Ann", "2": "Bob"})
    (['Ann', 'Bob', 'Cy'], ['Ann', 'Bob'])
    """
    if isinstance(value, str):  # as most are
        return [value]
    values: list[Any] = []
    todo = [value]
    while todo and len(values) < MOST_IN_LIST:
        inner = todo.pop()
        if isinstance(inner, dict):
            is_list = all(map(str.isdecimal, inner))
            inner = [*inner.values()] if is_list else inner.get("@list", inner.get("@set", inner))
        if isinstance(inner, list):
            todo.extend(reversed(inner[:MOST_IN_LIST]))
        elif inner is not None:
            values.append(inner)
    return values


def first_of(value: Any) -> Any:
    """Return the first of these values; None: there is none."""
    return next(iter(list_of(value)), None)
