"""Similarity of texts and sequences, compared with slow oracles."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from oracles import common_weight, is_subsequence

from scrapy_webstemmer.base.sequences import (
    HUGE_TEXT,
    LONG_TEXT,
    Words,
    common_sequence,
    common_words,
    dice,
)

#: Few letters and few words, so that texts have much in common.
short_texts = st.text(alphabet="ab 語", max_size=12)
long_texts = st.lists(
    st.sampled_from(["sea", "harbour", "a", "of", "語語", "und_so", "3", "ß"]), min_size=90, max_size=130
).map(" ".join)
any_texts = st.one_of(short_texts, long_texts, st.text(max_size=300))


def common_length(a: str, b: str) -> int:
    """Return the length of what two texts have in common."""
    return common_words(Words(a), Words(b))


@given(short_texts, short_texts)
def test_short_texts_are_compared_by_characters(a: str, b: str) -> None:
    """Below 200 characters the common length is that of the longest common subsequence of characters."""
    assert common_length(a, b) == common_weight(Words(a).letters, Words(b).letters)


@given(long_texts, long_texts)
def test_long_texts_are_compared_by_words(a: str, b: str) -> None:
    """From 200 significant characters on, the common length is the heaviest common subsequence of words."""
    left, right = Words(a), Words(b)
    if min(len(left), len(right)) >= LONG_TEXT:
        assert common_words(left, right) == common_weight(left.words, right.words)
    else:
        assert common_words(left, right) == common_weight(left.letters, right.letters)


@given(st.lists(any_texts, min_size=2, max_size=4))
def test_texts_may_share_the_codes_of_their_words(texts: list[str]) -> None:
    """Texts that are encoded together have the same in common as any two of them."""
    codes: dict[str, str] = {}
    together, apart = [Words(text, codes) for text in texts], [*map(Words, texts)]
    for number in range(1, len(texts)):
        assert common_words(together[0], together[number]) == common_words(apart[0], apart[number])


@given(any_texts, any_texts)
def test_common_length_is_symmetric_and_bounded(a: str, b: str) -> None:
    """The common length is the same from both sides and at most the length of the shorter text."""
    assert common_length(a, b) == common_length(b, a)
    assert 0 <= common_length(a, b) <= min(len(Words(a)), len(Words(b)))
    assert common_length(a, a) == len(Words(a))


@given(any_texts, any_texts)
def test_dice_is_symmetric_and_bounded(a: str, b: str) -> None:
    """Dice's coefficient is from 0 to 1, the same from both sides, and 1 for a text and itself."""
    left, right = Words(a), Words(b)
    assert dice(left, right) == dice(right, left)
    assert 0 <= dice(left, right) <= 1
    assert dice(left, left) == 1


def test_long_texts_need_whole_words_in_common() -> None:
    """Two long texts with the same letters in different words have nothing in common."""
    a, b = "streaming " * 30, "mastering " * 30
    assert common_words(Words(a), Words(b)) == 0
    assert common_words(Words("streaming"), Words("mastering")) > 0


def test_ideographs_are_words() -> None:
    """A script without spaces is compared sign by sign, also next to letters."""
    assert Words("東京 news漢字").words == ("東", "京", "news", "漢", "字")
    assert common_length("漢字" * 150, "漢" * 300) == 150


def test_words_of_a_text_are_its_significant_characters() -> None:
    """Case, punctuation and white space do not count; digits and underscores do."""
    assert Words("The END, at 9_30!").letters == "theendat9_30"
    assert Words("The END") == Words("the end.")


@given(st.lists(st.integers(0, 4), max_size=9), st.lists(st.integers(0, 4), max_size=9))
def test_common_sequence_is_a_longest_one(a: list[int], b: list[int]) -> None:
    """The common sequence is a subsequence of both, and as long as the oracle says."""
    found = common_sequence(a, b)
    assert is_subsequence(found, a)
    assert is_subsequence(found, b)
    assert len(found) == common_weight([str(n) for n in a], [str(n) for n in b])


def test_interning_passes_over_surrogates() -> None:
    """Items after the 55,296th are still different from each other."""
    items = list(range(60_000))
    assert common_sequence(items, items[55_290:55_310]) == items[55_290:55_310]


def test_huge_texts_are_compared_without_their_order() -> None:
    """From 50,000 characters on, the order of the words does not count, and the result is an upper bound."""
    words = [f"word{number}" for number in range(HUGE_TEXT // 5)]
    assert common_length(" ".join(words), " ".join(reversed(words))) >= HUGE_TEXT
