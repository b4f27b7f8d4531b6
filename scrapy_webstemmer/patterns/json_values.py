"""Parts of a pattern file as JSON values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..options import LARGEST

# --- Check the values of a pattern file's JSON objects against the fields of our classes of values

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


def checked(cls: type[Any], row: Any) -> dict[str, Any]:
    """Return a JSON object as the arguments of a class of values; unknown keys and wrong types are errors."""
    if not isinstance(row, dict):
        raise TypeError(f"{cls.__name__} is {type(row).__name__}, not an object")
    hints = cls.__annotations__
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


def _check_number(wanted: str, value: float, name: str) -> None:
    """Refuse a number that no learning gives: ``1e400``, or one with hundreds of digits; a negative count."""
    if not (0 if "int" in wanted else -LARGEST) <= value <= LARGEST:
        raise ValueError(f"{name} cannot be {value!r:.60}")


def _frozen(wanted: str, value: Any, name: str) -> Any:
    """Return a list of strings or numbers as a tuple, other values as they are; check those of a mapping."""
    if wanted == "tuple[str, ...]":
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise TypeError(f"{name} must be a list of strings")
        return tuple(value)
    if wanted in ("tuple[int, ...]", "tuple[float, ...]"):
        for one in value:
            if not isinstance(one, int if "int" in wanted else int | float) or isinstance(one, bool):
                raise TypeError(f"{name} must be a list of numbers")
            _check_number(wanted, one, name)
        return tuple(value)
    if wanted == "Mapping[str, tuple[str, ...]]":
        return {key: _frozen("tuple[str, ...]", one, name) for key, one in value.items()}
    if wanted in ("Mapping[str, int]", "Mapping[str, float]"):
        for key, one in value.items():
            if not isinstance(one, int | float) or isinstance(one, bool):
                raise TypeError(f"{name} must map to numbers")
            _check_number(wanted, one, f"{name}[{key!r:.60}]")
    return value


# --- Write a layout tree as rows of text, one for each node, and read it again with strict checks
#
# A row is the node's depth, a space, and its label: ``0 html``, ``3 div``, ``4 #text Read on``, ``4 $``. The
# nodes are in pre-order. Texts and wildcards are leaves. The root has the depth 0, and a child is one deeper
# than its parent.

_ROW = re.compile(r"(0|[1-9][0-9]{0,5}) ([^ ].*)", re.DOTALL)
_TEXT = "#text"
#: Nodes without children, besides texts.
_WILDCARDS = frozenset("$+?*")


def write_rows(names: Sequence[str], texts: Sequence[str], parents: Sequence[int]) -> tuple[str, ...]:
    """Return the rows of a tree, given the arrays of its nodes in pre-order."""
    depths: list[int] = []
    rows = []
    for name, text, parent in zip(names, texts, parents, strict=True):
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        rows.append(f"{depths[-1]} {name} {text}" if name == _TEXT else f"{depths[-1]} {name}")
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
    way: list[int] = []
    for number, row in enumerate(rows):
        found = _ROW.fullmatch(row)
        if found is None:
            raise ValueError(f"row {number + 1} of a tree is not a depth and a label: {row!r:.60}")
        depth = int(found[1])
        leaf = bool(names) and (names[-1] == _TEXT or names[-1] in _WILDCARDS)
        if depth > len(way) - leaf or (depth == 0) != (number == 0):
            raise ValueError(f"row {number + 1} of a tree cannot have the depth {depth}")
        name, text = _parts(found[2], number)
        names.append(name)
        texts.append(text)
        parents.append(way[depth - 1] if depth else -1)
        way[depth:] = [number]
    return tuple(names), tuple(texts), tuple(parents)


def _parts(label: str, number: int) -> tuple[str, str]:
    """Return name and text of a label."""
    name, _, text = label.partition(" ")
    if name != _TEXT:
        return label, ""
    if not text:
        raise ValueError(f"row {number + 1} of a tree is a text without text")
    return name, text
