#!/usr/bin/env python3
"""Print the corpora that .ci/run measures: those that once failed, and a sample of the others.

    ci_sample.py [--number N] PATH...

PATH is a corpus, or a folder with corpora as .tar.xz. At most N paths are printed, one a line, ordered by
their names. A digest of the names draws the sample: the same names always give the same sample, and a new
corpus replaces at most one other. Corpora whose names begin with ``speed`` have no articles and are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path

_ENDING = ".tar.xz"
_FOR_TIMING = "speed"

#: Sites that lost many articles, or much of their F1, with an earlier version.
ONCE_FAILED = frozenset(
    {
        "abotyim",
        "accdm",
        "agora",
        "atlbitdevs",
        "big9-nypost",
        "chaibasa",
        "dawnoftitans",
        "drupalsk",
        "hitchingpost",
        "karstieltopia",
        "lafuite",
        "marketlytics",
        "promigas",
        "villapiana",
    }
)


def sample(corpora: Iterable[Path], number: int) -> list[Path]:
    """Return at most so many of the corpora: those that once failed, then those with the least digests."""

    def rank(path: Path) -> tuple[bool, bytes]:
        name = _name(path)
        return name not in ONCE_FAILED, sha256(name.encode()).digest()

    scored = [path for path in corpora if not _name(path).startswith(_FOR_TIMING)]
    return sorted(sorted(scored, key=rank)[:number], key=_name)


def find(paths: Sequence[Path]) -> list[Path]:
    """Return the corpora: a folder without gold.jsonl stands for its archives."""
    found = []
    for path in paths:
        several = path.is_dir() and not (path / "gold.jsonl").exists()
        found += sorted(path.glob(f"*{_ENDING}")) if several else [path]
    return found


def _name(path: Path) -> str:
    return path.name.removesuffix(_ENDING)


def main() -> None:
    """Print the sample."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument("--number", type=int, default=40, help="corpora at most (default: 40)")
    args = parser.parse_args()
    for path in sample(find(args.paths), args.number):
        print(path)


if __name__ == "__main__":
    main()
