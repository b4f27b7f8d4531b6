"""Patterns as values of JSON: written plainly, and read again with strict checks.

The layout tree of a pattern is a list of rows, one for each node. A row is the node's depth, a space, and its
label: ``0 html``, ``3 div``, ``4 #text Read on``, ``4 $``. The nodes are in pre-order. Texts and wildcards
are leaves. The root has the depth 0, and a child is one deeper than its parent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any

from ..engines import ENGINES
from ..fields.field_places import is_form
from ..options import LARGEST, check_expressions
from ..patterns.corrections import OF_LAYOUTS, OF_PARTS
from ..values import (
    QUANTILES,
    Correction,
    FieldPlace,
    Frame,
    LearnWarning,
    Pattern,
    Section,
    SitePatterns,
    UnusedPages,
    Usual,
)
from ..verdict.classifier import SIGNS

#: For each type of a field, the types that its JSON value may have.
_JSON_TYPES: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "float | None": (int, float, type(None)),
    "int | None": (int, type(None)),
    "Usual | None": (dict, type(None)),
    "tuple": (list,),
    "Mapping": (dict,),
}
#: Fields of a site in files of before, of which nothing is used any more: ``signs`` says what this said.
_FORMER = frozenset({"dated"})
_TREE_ROW = re.compile(r"(0|[1-9][0-9]{0,5}) ([^ ].*)", re.DOTALL)
_TEXT_NODE = "#text"
#: Nodes without children: texts and wildcards.
_LEAVES = frozenset({_TEXT_NODE, *"$+?*"})


def site_in(entry: Any) -> SitePatterns:
    """Return the site that a JSON object describes. Raises ValueError, TypeError or KeyError."""
    if isinstance(entry, dict):
        entry = {key: value for key, value in entry.items() if key not in _FORMER}
    values = _checked(SitePatterns, entry)
    values["patterns"] = tuple(_pattern(row) for row in values["patterns"])
    for name, cls in (("unused", UnusedPages), ("warnings", LearnWarning), ("corrections", Correction)):
        values[name] = _all(cls, values.get(name, ()))
    known = (*OF_PARTS, *OF_LAYOUTS)
    if wrong := {correction.what for correction in values["corrections"]}.difference(known):
        raise ValueError(f"a correction cannot be {min(wrong)!r:.60}; it is one of {', '.join(known)}")
    if values.get("usual") is not None:
        values["usual"] = _usual(values["usual"])
    engine = ENGINES.get(values["layout"])
    if engine is None:
        raise ValueError(f"layout {values['layout']!r} is not known")
    if values.get("by", "domain") not in ("domain", "host"):
        raise ValueError(f"by {values['by']!r} is not known")
    if "mangle" not in engine.options and values.get("mangle"):
        raise ValueError("mangle is only for layouts of 2009")
    if any(bool(pattern.tree) is not engine.has_trees for pattern in values["patterns"]):
        trees = ", ".join(name for name, known_engine in ENGINES.items() if known_engine.has_trees)
        raise ValueError(f"patterns have a tree if their layout is one of {trees}")
    if any(not 1 <= month <= 12 for month in values.get("months", {}).values()):
        raise ValueError("months must map words to numbers from 1 to 12")
    if wrong := {*values.get("signs", ())}.difference(SIGNS):
        raise ValueError(f"signs has no {min(wrong)!r:.60}")
    check_expressions("mangle", values.get("mangle", ""))
    return SitePatterns(**values)


def _pattern(row: Any) -> Pattern:
    values = _checked(Pattern, row)
    values["sections"] = _all(Section, values["sections"])
    if values["kind"] not in ("article", "index"):
        raise ValueError(f"kind {values['kind']!r} is not known")
    title = values.get("title")
    if title is not None and not 0 <= title < len(values["sections"]):
        raise ValueError(f"title {title} is not the number of a section")
    values["places"] = _all(FieldPlace, values.get("places", ()))
    values["frames"] = _all(Frame, values.get("frames", ()))
    for place in values["places"]:
        if not is_form(place.field, place.form):
            raise ValueError(f"{place.form!r:.60} is not a form of {place.field}")
    read_rows(values.get("tree", ()))
    return Pattern(**values)


def _all(cls: Any, rows: Iterable[Any]) -> tuple[Any, ...]:
    """Return the values of a class that some JSON objects describe."""
    return tuple(cls(**_checked(cls, row)) for row in rows)


def _usual(row: Any) -> Usual:
    usual = Usual(**_checked(Usual, row))
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
    return usual


def _checked(cls: Any, row: Any) -> dict[str, Any]:
    """Return a JSON object as the arguments of a class of values; unknown keys and wrong types are errors."""
    if not isinstance(row, dict):
        raise TypeError(f"{cls.__name__} is {type(row).__name__}, not an object")
    hints = _hints(cls)
    values = {}
    for key, value in row.items():
        if key not in hints:
            raise ValueError(f"{cls.__name__} has no {key!r}")
        wanted = str(getattr(hints[key], "__forward_arg__", hints[key]))  # named tuples keep them so
        allowed = _JSON_TYPES.get(wanted) or _JSON_TYPES[wanted.partition("[")[0]]
        if not isinstance(value, allowed) or isinstance(value, bool):
            raise TypeError(f"{cls.__name__}.{key} has the wrong type: {value!r:.60}")
        if isinstance(value, int | float):
            _check_number(wanted, value, f"{cls.__name__}.{key}")
        values[key] = _frozen(wanted, value, f"{cls.__name__}.{key}")
    return values


@lru_cache
def _hints(cls: Any) -> dict[str, Any]:
    """Return the fields of a class of values that a file may have, with their types."""
    made = {field.name for field in fields(cls) if field.metadata.get("made")} if is_dataclass(cls) else set()
    return {name: hint for name, hint in cls.__annotations__.items() if name not in made}


def _check_number(wanted: str, value: float, name: str) -> None:
    """Refuse a number that no learning gives: ``1e400``, or one with hundreds of digits; a negative count."""
    if not (0 if "int" in wanted else -LARGEST) <= value <= LARGEST:
        raise ValueError(f"{name} cannot be {value!r:.60}")


def _frozen(wanted: str, value: Any, name: str) -> Any:
    """Return a list of strings or numbers as a tuple, other values as they are; check those of a mapping."""
    if wanted == "tuple[str, ...]":
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise TypeError(f"{name} must be a list of strings")
        return tuple(value)
    if wanted in ("tuple[int, ...]", "tuple[float, ...]"):
        for number in value:
            if not isinstance(number, int if "int" in wanted else int | float) or isinstance(number, bool):
                raise TypeError(f"{name} must be a list of numbers")
            _check_number(wanted, number, name)
        return tuple(value)
    if wanted == "Mapping[str, tuple[str, ...]]":
        return {key: _frozen("tuple[str, ...]", texts, name) for key, texts in value.items()}
    if wanted in ("Mapping[str, int]", "Mapping[str, float]"):
        for key, number in value.items():
            if not isinstance(number, int | float) or isinstance(number, bool):
                raise TypeError(f"{name} must map to numbers")
            _check_number(wanted, number, f"{name}[{key!r:.60}]")
    return value


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
