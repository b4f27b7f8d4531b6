"""The corpora that .ci/run measures."""

from __future__ import annotations

from pathlib import Path

from ci_sample import ONCE_FAILED, find, sample

OTHERS = [Path(f"site{number}.tar.xz") for number in range(100)]
FAILED = [Path(f"{name}.tar.xz") for name in ONCE_FAILED]


def test_corpora_that_once_failed_are_always_in_the_sample() -> None:
    """The others fill the sample up to its number."""
    found = sample([*OTHERS, *FAILED], 40)
    assert set(FAILED) < set(found)
    assert len(found) == len(set(found)) == 40


def test_only_names_decide() -> None:
    """Neither the order of the paths, nor their folder, nor their form changes the sample."""
    names = [path.name for path in sample(OTHERS, 20)]
    assert [path.name for path in sample(reversed(OTHERS), 20)] == names
    unpacked = [Path("elsewhere", path.name.removesuffix(".tar.xz")) for path in OTHERS]
    assert [f"{path.name}.tar.xz" for path in sample(unpacked, 20)] == names


def test_a_new_corpus_replaces_at_most_one_other() -> None:
    """All but one of a sample stay when another corpus comes."""
    before = set(sample(OTHERS[:-1], 20))
    assert len(before - set(sample(OTHERS, 20))) <= 1


def test_small_sets_are_taken_whole_but_for_timing() -> None:
    """A sample of few corpora has all of them, except those without articles."""
    assert sample([Path("speed-docs"), Path("b"), Path("a")], 40) == [Path("a"), Path("b")]


def test_a_folder_stands_for_its_archives(tmp_path: Path) -> None:
    """A folder without gold.jsonl is searched; a corpus is taken as it is."""
    for name in ("b.tar.xz", "a.tar.xz", "README.md"):
        (tmp_path / name).touch()
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "gold.jsonl").touch()
    assert find([tmp_path]) == [tmp_path / "a.tar.xz", tmp_path / "b.tar.xz"]
    assert find([corpus, tmp_path / "b.tar.xz"]) == [corpus, tmp_path / "b.tar.xz"]
