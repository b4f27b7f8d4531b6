"""Which passage is the text of a page, and which one its title."""

from __future__ import annotations

import pytest

from scrapy_webstemmer.trees.tree_articles import label_passages

TEXT = tuple(f"word{number} words" for number in range(51))


@pytest.mark.parametrize("passages", [[], [("one",)], [("word " * 100,)], [("word",) * 100]])
def test_no_text_without_a_hundred_words(passages: list[tuple[str, ...]]) -> None:
    """A page whose passages have 100 words or fewer has no text."""
    assert label_passages(passages) is None


def test_the_longest_passage_is_the_text() -> None:
    """The longest passage is the text, leaf by leaf; of two equal ones the first."""
    other = tuple(f"other{number} words" for number in range(51))
    found = label_passages([("one",), TEXT, other])
    assert found is not None
    assert found.text == TEXT


@pytest.mark.parametrize(
    ("before", "after", "title"),
    [
        ([("word1 word2",)], [("word3",)], "word1 word2"),  # two words shared, and one
        ([("word1 word2",), ("one",), ("two",)], [("word3",)], "word3"),  # 2 / 3 and 1 / 1
        ([("WORD1",)], [("two",)], "WORD1"),
        ([("word1 word1",)], [("word2",)], "word1 word1"),  # each word counts once, so the first one wins
        ([("one two",)], [("three",)], ""),
        ([(" ".join(f"word{number}" for number in range(21)),)], [("word1",)], "word1"),
        ([("word1", "word2")], [], "word1 word2"),
    ],
)
def test_the_title_shares_words_and_stands_near(
    before: list[tuple[str, ...]], after: list[tuple[str, ...]], title: str
) -> None:
    """The title has at most 20 words and the largest number of shared words by distance."""
    found = label_passages([*before, TEXT, *after])
    assert found is not None
    assert found.title == title
