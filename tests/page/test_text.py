"""Texts of blocks, folded and weighed."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.page.text import (
    UNSEEN,
    BoilerplateKeys,
    boilerplate_key,
    boilerplate_keys,
    fold,
    fold_lines,
    fold_paragraph,
    fold_title,
    has_language,
    seen,
    weight,
    weights,
    word_weights,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), (" \n—!?…", 0), ("Over 9 tons", 9), ("snake_case", 9), ("日本、東京", 4), ("Ünïcødé", 7)],
)
def test_weight_counts_letters_digits_and_ideographs(text: str, expected: int) -> None:
    """Punctuation, white space and underscores weigh nothing."""
    assert weight(text) == expected


@given(st.text(), st.text())
def test_weights_add_up(a: str, b: str) -> None:
    """The weight of two joined texts is the sum of their weights."""
    assert weight(a + b) == weight(a) + weight(b)


@given(st.lists(st.text(st.characters(exclude_characters="\0")) | st.text("ab_ ,é日"), max_size=6))
def test_weights_of_many_texts(texts: list[str]) -> None:
    """Texts that are weighed together have the same weights as one by one."""
    assert weights(texts) == [weight(text) for text in texts]


def test_weights_of_2009_count_underscores() -> None:
    """By the rules of 2009, letters, digits, ideographs and underscores weigh one each."""
    assert word_weights(["a_b, 漢字 (42)!", ""]) == [7, 0]


@pytest.mark.parametrize(
    ("text", "folded"),
    [("日本 \n  語", "日本語"), ("日本\nabc", "日本 abc"), ("a\nb", "a b"), ("日 本", "日 本")],
)
def test_line_breaks_between_ideographs(text: str, folded: str) -> None:
    """In a script without spaces, the end of a line is not a space either."""
    assert fold_paragraph(text) == folded


@given(st.text())
def test_fold_leaves_single_spaces(text: str) -> None:
    """Folded text has single spaces, no other white space, and nothing that nobody sees."""
    folded = fold(text)
    assert folded.split(" ") == (seen(text).split() or [""])
    assert not set(folded) & set(UNSEEN)
    assert fold(folded) == folded


def test_fold_lines_keeps_lines_and_indentation() -> None:
    """Preformatted text loses only empty lines at its ends, and white space at the ends of lines."""
    assert fold_lines("\n\r\n  def f():\r\n\n      pass   \n\n") == "  def f():\n\n      pass"


@given(st.text())
def test_fold_lines_weighs_the_same(text: str) -> None:
    """Folded lines have lost only white space and what nobody sees."""
    assert "".join(fold_lines(text).split()) == "".join(seen(text).split())


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("12 Comments", "7 comments", True),
        ("Page 1 of 10", "page 3 OF 9", True),
        ("12", "7", False),
        ("12:30", "09:15", False),
        ("12 comments", "12 remarks", False),
    ],
)
def test_boilerplate_key(a: str, b: str, same: bool) -> None:
    """Texts that differ in numbers alone are the same boilerplate if they have letters, else they are not."""
    assert (boilerplate_key(a) == boilerplate_key(b)) is same


@given(st.lists(st.text() | st.text("aB1 9Σ٣\1"), max_size=6))
def test_boilerplate_keys_of_many_texts(texts: list[str]) -> None:
    """Texts that are folded together, or were folded before, have the same keys as one by one."""
    wanted, known = [boilerplate_key(text) for text in texts], BoilerplateKeys()
    long = [*texts, "A text of 1 page alone. " * 9, *texts]
    assert boilerplate_keys(texts) == known.of(texts) == known.of(texts) == wanted
    assert known.keys() == {*texts}
    assert known.of(long) == known.of(long) == [boilerplate_key(text) for text in long]


@pytest.mark.once
def test_a_folded_text_stays_as_it_is() -> None:
    """Whatever a character is: folding drops it, makes it a space, or keeps it; alone, and beside a space."""
    most = 0x4000  # the characters of most pages each by itself, the others a thousand at a time
    signs = [*map(chr, range(sys.maxunicode + 1))]
    texts = [f"a{sign}b {sign} a" for sign in signs]
    joined = ["".join(texts[at : at + 1024]) for at in range(most, len(texts), 1024)]
    for text in (*(f" {sign} a" for sign in signs[:most]), *texts[:most], *joined):
        assert fold(text) == " ".join(seen(text).split())


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Tom &amp; Ann&#8217;s &#x2014; &quot;bee&quot;", 'Tom & Ann’s — "bee"'),
        ("<em>Vespa</em> <span class='a'>crabro</span>", "Vespa crabro"),
        ("Q&A; AT&T &copy &#; 1 < 2 </i> <b>", "Q&A; AT&T &copy &#; 1 < 2 </i> <b>"),
        ("<p>a</p> <i>b</b>", "<p>a</p> <i>b</b>"),
    ],
)
def test_a_title_that_was_escaped_twice(text: str, title: str) -> None:
    """Whole references are read once more, and pairs of tags left out; other signs are of the title."""
    assert fold_title(text) == title


def test_a_sentence_has_a_language() -> None:
    """It is long enough to tell, in any script; two words are not."""
    assert not has_language("uno\ndos")
    assert has_language("港の船は夜のうちに着いて、どこから来たのか誰も知らなかったので、みんな驚いた。")
