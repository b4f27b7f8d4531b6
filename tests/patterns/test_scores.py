from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.base.sequences import Words, common_words
from scrapy_webstemmer.patterns import sections
from scrapy_webstemmer.patterns.sections import estimated_diff_score, main_score

texts = st.lists(st.text(alphabet="abc ", max_size=12), max_size=6)


def diff_score(found: list[str], *most: int) -> float:
    """Return the DiffScore of texts."""
    return sections.diff_score([*map(Words, found)], *most)


@given(texts)
def test_diff_score_is_that_of_the_documentation(found: list[str]) -> None:
    """DiffScore is the share of all pairs' text that is not in common; 1 for a single text."""
    pairs = list(combinations(map(Words, found), 2))
    total = sum(len(a) + len(b) for a, b in pairs)
    own = sum(len(a) + len(b) - 2 * common_words(a, b) for a, b in pairs)
    wanted = 1.0 if not pairs else own / total if total else 0.0
    assert diff_score(found) == pytest.approx(wanted)


@given(texts, st.permutations(range(6)))
def test_diff_score_does_not_depend_on_the_order(found: list[str], order: list[int]) -> None:
    """Texts in another order give the same score, as long as all pairs are compared."""
    shuffled = [found[i] for i in order if i < len(found)]
    assert diff_score(shuffled) == pytest.approx(diff_score(found))


def test_boilerplate_and_content() -> None:
    """A text that is the same everywhere scores 0; texts without a common character score 1."""
    assert diff_score(["imprint"] * 3) == 0
    assert diff_score(["abc", "def", "ghi"]) == 1
    assert diff_score(["", ""]) == 0


def test_a_sample_of_pairs_is_always_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """If there are more pairs than the maximum, so many are compared, the same ones every time."""
    compared: list[tuple[Words, Words]] = []

    def common(a: Words, b: Words) -> int:
        compared.append((a, b))
        return common_words(a, b)

    found = [f"text {n}" for n in range(100)]
    monkeypatch.setattr(sections, "common_words", common)
    assert diff_score(found, 30) == diff_score(found, 30)
    assert len(compared) == 60
    assert compared[:30] == compared[30:]
    assert all(a != b for a, b in compared)
    assert diff_score(found, 500) == pytest.approx(diff_score(found, 10_000), abs=0.02)


def test_what_is_no_word_does_not_count() -> None:
    """Words are compared, and not the characters between them."""
    assert diff_score(["Seals, return!", "seals return"]) == 0


@given(texts)
def test_the_estimate_is_the_score_of_the_words_of_a_few_texts(found: list[str]) -> None:
    """For up to fifteen texts of up to 500 characters, the estimate is exact, but for what is no word."""
    assert estimated_diff_score(found) == pytest.approx(diff_score(found))


def test_the_estimate_is_near_the_score_of_many_texts() -> None:
    """The openings of fifteen texts give nearly the same score as all pairs of whole texts."""
    draw = random.Random(1)
    names = ["alder", "birch", "cedar", "dogwood", "elm", "fir", "ginkgo", "hazel", "iris", "juniper"]
    lines = [" ".join(draw.choices(names, k=20)) for _ in range(150)]
    assert estimated_diff_score(lines) == estimated_diff_score(lines)
    assert estimated_diff_score(lines) == pytest.approx(diff_score(lines, 2000), abs=0.05)
    articles = [" ".join(draw.choices(names, k=400)) for _ in range(12)]
    assert estimated_diff_score(articles) == pytest.approx(diff_score(articles), abs=0.1)


def test_the_estimate_of_boilerplate_and_content() -> None:
    """Like the score, the estimate is 0 for equal texts, and 1 for a single text or nothing in common."""
    assert estimated_diff_score(["imprint"] * 50) == 0
    assert estimated_diff_score(["abc", "def", "ghi"]) == 1
    assert estimated_diff_score(["", ""]) == 0
    assert estimated_diff_score(["alone"]) == 1


def test_main_score() -> None:
    """MainScore is DiffScore times the mean weight outside links, over all pages of the cluster."""
    assert main_score(0.5, 160, 4) == 20
