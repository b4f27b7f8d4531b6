"""The comparison with the programs of 2009."""

from __future__ import annotations

from pathlib import Path

from compare_classic import with_results


def test_corpora_without_results_of_2009_are_left_alone(tmp_path: Path) -> None:
    """The names of the folders with results decide: no corpus is opened, so none needs to exist."""
    (tmp_path / "daily").mkdir()
    known = [Path("daily.tar.xz"), Path("folder/daily")]
    assert with_results([*known, Path("weekly.tar.xz")], tmp_path) == known
