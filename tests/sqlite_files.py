"""What tests do to the SQLite files of the package: change and damage them, write from other processes."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any


def execute(path: Path, sql: str, *values: Any) -> None:
    """Change a closed file behind the package's back."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute(sql, values)
    db.close()


def start(script: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a process that runs a script, and prints a line for each thing that it has written."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def damage(path: Path, seed: int) -> None:
    """Change forty bytes of a file to others, the same ones for the same seed."""
    content, chance = bytearray(path.read_bytes()), random.Random(seed)
    for _ in range(40):
        content[chance.randrange(len(content))] = chance.randrange(256)
    path.write_bytes(content)
