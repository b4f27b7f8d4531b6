"""Change and damage the package's SQLite files, or write to them from other processes."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: Ways to damage a learning set of some dozen pages, so that a reader of the whole file meets the damage.
DAMAGES: dict[str, Callable[[Path], object]] = {
    "header": lambda path: _overwrite(path, 16, b"\xff" * 60),
    "list of tables": lambda path: _overwrite(path, 100, bytes(4096 - 100)),
    "page in the middle": lambda path: _overwrite(path, _middle(page_leaves(path)), bytes(4096)),
    "cut off": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "empty": lambda path: path.write_bytes(b""),
    "no database": lambda path: path.write_text("no database" * 1000, encoding="utf-8"),
}


def execute(path: Path, sql: str, *values: Any) -> None:
    """Change a closed file without the package."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(sql, values)
    db.close()


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a process that runs a script, which prints a line for each thing that it has written."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def damage(path: Path, seed: int) -> None:
    """Change forty bytes of a file. The same seed always changes the same bytes."""
    content, chance = bytearray(path.read_bytes()), random.Random(seed)
    for _ in range(40):
        content[chance.randrange(len(content))] = chance.randrange(256)
    path.write_bytes(content)


def _overwrite(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as stream:
        stream.seek(at)
        stream.write(content)


def _middle(places: list[int]) -> int:
    return places[len(places) // 2]


def page_leaves(path: Path) -> list[int]:
    """Return the offsets of those pages of the file that hold rows of stored pages, in UTF-8."""
    content = path.read_bytes()
    return [
        at
        for at in range(4096, len(content), 4096)
        if content[at] == 13 and b"utf-8" in content[at : at + 4096]
    ]
