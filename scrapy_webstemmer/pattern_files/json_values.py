"""Check the values of a pattern file's JSON objects against the fields of our classes, and write them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any

from ..options import LARGEST

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


def checked(cls: Any, row: Any) -> dict[str, Any]:
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
    made = {one.name for one in fields(cls) if one.metadata.get("made")} if is_dataclass(cls) else set()
    return {name: hint for name, hint in cls.__annotations__.items() if name not in made}


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


def plain(value: Any) -> Any:
    """Return a value as JSON objects and lists, which :func:`checked` reads again."""
    if hasattr(value, "_asdict"):
        return {key: plain(one) for key, one in value._asdict().items()}
    if hasattr(value, "__dataclass_fields__"):
        stored = (one.name for one in fields(value) if not one.metadata.get("made"))
        return {name: plain(getattr(value, name)) for name in stored}
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    return value
