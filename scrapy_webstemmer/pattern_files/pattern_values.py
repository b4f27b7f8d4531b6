"""Patterns as values of JSON: written plainly, and read again with strict checks.

The layout tree of a pattern is a list of rows, one for each node. A row is the node's depth, a space, and its
label: ``0 html``, ``3 div``, ``4 #text Read on``, ``4 $``. The nodes are in pre-order. Texts and wildcards
are leaves. The root has the depth 0, and a child is one deeper than its parent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from ..engines import ENGINES
from ..fields.field_places import is_form
from ..options import LARGEST, check_expressions
from ..patterns.corrections import OF_LAYOUTS, OF_PARTS
from ..values import QUANTILES, Pattern, SitePatterns, Usual
from ..verdict.classifier import SIGNS

#: What the value of a field is in JSON, by its type.
_JSON_WORDS: dict[Any, str] = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    tuple: "a list",
    Mapping: "an object",
}
#: Fields of a site in files of before, of which nothing is used any more: ``signs`` says what this said.
_FORMER = frozenset({"dated"})
_TREE_ROW = re.compile(r"(0|[1-9][0-9]{0,5}) ([^ ].*)", re.DOTALL)
_TEXT_NODE = "#text"
#: Nodes without children: texts and wildcards.
_LEAVES = frozenset({_TEXT_NODE, *"$+?*"})


def site_in(entry: Any) -> SitePatterns:
    """Return the site that a JSON object describes. Raises ValueError or TypeError."""
    if isinstance(entry, dict):
        entry = {key: value for key, value in entry.items() if key not in _FORMER}
    site: SitePatterns = _read(SitePatterns, entry, "SitePatterns")
    known = (*OF_PARTS, *OF_LAYOUTS)
    if wrong := {correction.what for correction in site.corrections}.difference(known):
        raise ValueError(f"a correction cannot be {min(wrong)!r:.60}; it is one of {', '.join(known)}")
    engine = ENGINES.get(site.layout)
    if engine is None:
        raise ValueError(f"layout {site.layout!r} is not known")
    if site.by not in ("domain", "host"):
        raise ValueError(f"by {site.by!r} is not known")
    if "mangle" not in engine.options and site.mangle:
        raise ValueError("mangle is only for layouts of 2009")
    if any(bool(pattern.tree) is not engine.has_trees for pattern in site.patterns):
        trees = ", ".join(name for name, known_engine in ENGINES.items() if known_engine.has_trees)
        raise ValueError(f"patterns have a tree if their layout is one of {trees}")
    if any(not 1 <= month <= 12 for month in site.months.values()):
        raise ValueError("months must map words to numbers from 1 to 12")
    if wrong := {*site.signs}.difference(SIGNS):
        raise ValueError(f"signs has no {min(wrong)!r:.60}")
    check_expressions("mangle", site.mangle)
    return site


def _check_pattern(pattern: Pattern) -> None:
    if pattern.kind not in ("article", "index"):
        raise ValueError(f"kind {pattern.kind!r} is not known")
    if pattern.title is not None and pattern.title >= len(pattern.sections):
        raise ValueError(f"title {pattern.title} is not the number of a section")
    for place in pattern.places:
        if not is_form(place.field, place.form):
            raise ValueError(f"{place.form!r:.60} is not a form of {place.field}")
    read_rows(pattern.tree)


def _check_usual(usual: Usual) -> None:
    of_pages = (usual.given, usual.expected, usual.fitting, usual.judged, usual.known)
    of_articles = (usual.odd, usual.titled, usual.dated or 0)
    if list(of_pages) != sorted(of_pages) or not usual.given <= usual.articles <= usual.judged:
        raise ValueError("Usual has more pages of a kind than pages")
    if max(of_articles) > usual.articles or usual.odd > usual.judged - usual.fitting:
        raise ValueError("Usual has more articles of a kind than articles")
    for name in ("lengths", "confidences"):
        values = list(getattr(usual, name))
        if len(values) != (len(QUANTILES) if usual.articles else 0) or values != sorted(values):
            raise ValueError(f"Usual.{name} must be {len(QUANTILES)} ascending numbers, or none")


_CHECKS: dict[Any, Callable[[Any], None]] = {Pattern: _check_pattern, Usual: _check_usual}


def _read(kind: Any, value: Any, name: str) -> Any:
    """Return a JSON value as one of a type that the fields of a site have.

    :param name: what the value is called in errors.
    :raises ValueError: a key is unknown, or a number is none that learning gives: ``1e400``, or one with
        hundreds of digits; a negative count.
    :raises TypeError: the value has another type, or lacks a field.
    """
    if kind is str and isinstance(value, str):
        return value
    if kind in (int, float) and isinstance(value, int | kind) and not isinstance(value, bool):
        if not (0 if kind is int else -LARGEST) <= value <= LARGEST:
            raise ValueError(f"{name} cannot be {value!r:.60}")
        return value
    outer, inner = get_origin(kind), get_args(kind)
    if outer is UnionType:  # with None
        return None if value is None else _read(inner[0], value, name)
    if outer is tuple and isinstance(value, list):
        return tuple([_read(inner[0], entry, name) for entry in value])
    if outer is Mapping and isinstance(value, dict):
        return {key: _read(inner[1], entry, f"{name}[{key!r:.60}]") for key, entry in value.items()}
    if outer is None and kind not in _JSON_WORDS and isinstance(value, dict):
        return _read_object(kind, value)
    words = _JSON_WORDS.get(outer or kind) or f"an object with the fields of {kind.__name__}"
    raise TypeError(f"{name} must be {words}, not {value!r:.60}")


def _read_object(cls: Any, row: dict[str, Any]) -> Any:
    """Return a value of a class whose fields a JSON object has; raises what :func:`_read` does."""
    kinds = _kinds(cls)
    if unknown := row.keys() - kinds.keys():
        raise ValueError(f"{cls.__name__} has no {min(unknown)!r}")
    made = cls(**{key: _read(kinds[key], value, f"{cls.__name__}.{key}") for key, value in row.items()})
    if check := _CHECKS.get(cls):
        check(made)
    return made


@lru_cache
def _kinds(cls: Any) -> dict[str, Any]:
    """Return the fields of a class of values that a file may have, with their types."""
    made = {field.name for field in fields(cls) if field.metadata.get("made")} if is_dataclass(cls) else set()
    return {name: kind for name, kind in get_type_hints(cls).items() if name not in made}


def plain(value: Any) -> Any:
    """Return a value as JSON objects and lists, which :func:`site_in` reads again."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    elif is_dataclass(value):
        stored = (field.name for field in fields(value) if not field.metadata.get("made"))
        value = {name: getattr(value, name) for name in stored}
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, tuple) else value


def write_rows(names: Sequence[str], texts: Sequence[str], parents: Sequence[int]) -> tuple[str, ...]:
    """Return the rows of a tree, given the arrays of its nodes in pre-order."""
    depths: list[int] = []
    rows = []
    for name, text, parent in zip(names, texts, parents, strict=True):
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        rows.append(f"{depths[-1]} {name} {text}" if name == _TEXT_NODE else f"{depths[-1]} {name}")
    return tuple(rows)


def read_rows(rows: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]:
    """Return the names, texts and parents of a tree's nodes.

    :raises ValueError: a row is not valid, or not at a depth where a node can be.

    Cost: linear in the rows.
    """
    names: list[str] = []
    texts: list[str] = []
    parents: list[int] = []
    #: The last node at each depth, down to the last node.
    branch: list[int] = []
    for node, row in enumerate(rows):
        match = _TREE_ROW.fullmatch(row)
        if match is None:
            raise ValueError(f"row {node + 1} of a tree is not a depth and a label: {row!r:.60}")
        depth = int(match[1])
        leaf = bool(names) and names[-1] in _LEAVES
        if depth > len(branch) - leaf or (depth == 0) != (node == 0):
            raise ValueError(f"row {node + 1} of a tree cannot have the depth {depth}")
        name, _, text = match[2].partition(" ")
        if name != _TEXT_NODE:
            name, text = match[2], ""
        elif not text:
            raise ValueError(f"row {node + 1} of a tree is a text without text")
        names.append(name)
        texts.append(text)
        parents.append(branch[depth - 1] if depth else -1)
        branch[depth:] = [node]
    return tuple(names), tuple(texts), tuple(parents)
