"""The package is built as docs/design.md says: each room uses only lower rooms, and Scrapy is at the top."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import scrapy_webstemmer

PACKAGE = Path(scrapy_webstemmer.__file__).parent
CORE = (
    "errors",
    "base",
    "values",
    "options",
    "blocks",
    "layouts",
    "verdict",
    "classic",
    "reading",
    "patterns",
    "segments",
    "articles",
    "trees",
    "monitoring",
    "extraction",
    "learning",
    "flow",
    "incremental",
)
#: From the ground up.
ROOMS = (*CORE, "storage", "upkeep", "items", "plugin")
MODULES = sorted(set(PACKAGE.rglob("*.py")) - {PACKAGE / "__init__.py"})


def imported(path: Path) -> Iterator[tuple[str, ...]]:
    """Yield the absolute dotted names that a module imports, as tuples of parts."""
    package = ("scrapy_webstemmer", *path.relative_to(PACKAGE).parent.parts)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = tuple(node.module.split(".")) if node.module else ()
            yield from ((*base, *module, alias.name) for alias in node.names)


def room_of(path: Path) -> str:
    """Return the room in which a module stands: a folder, or a module of its own."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def test_a_room_imports_only_rooms_below_it() -> None:
    """No module imports from a room that stands above its own."""
    wrong = {}
    for path in MODULES:
        rooms = {name[1] for name in imported(path) if name[0] == "scrapy_webstemmer"}
        if above := rooms - set(ROOMS[: ROOMS.index(room_of(path)) + 1]):
            wrong[str(path.relative_to(PACKAGE))] = above
    assert wrong == {}


def test_only_its_side_imports_scrapy() -> None:
    """Only the plugin imports Scrapy or Twisted; ``items`` does so only for the type checker."""
    wrong = [
        str(path.relative_to(PACKAGE))
        for path in MODULES
        if room_of(path) not in ("plugin", "items")
        and not {name[0] for name in imported(path)}.isdisjoint({"scrapy", "twisted"})
    ]
    assert wrong == []


@pytest.mark.parametrize("name", scrapy_webstemmer.__all__)
def test_public_names_are_there_and_explained(name: str) -> None:
    """Each public name of the package exists and has a docstring."""
    assert getattr(scrapy_webstemmer, name).__doc__


def test_commands_are_registered() -> None:
    """The installed package registers each command module of commands/ with ``scrapy``.

    The command has the module's name. A hyphen, which no module can have, is an underscore there.
    """
    modules = {
        path.stem.replace("_", "-")
        for path in (PACKAGE / "plugin" / "commands").glob("*.py")
        if "class Command(" in path.read_text(encoding="utf-8")
    }
    points = entry_points(group="scrapy.commands")
    ours = {point.name: point.module for point in points if point.value.startswith("scrapy_webstemmer.")}
    assert ours.keys() == modules
    assert all(module.endswith(f".{name.replace('-', '_')}") for name, module in ours.items())
