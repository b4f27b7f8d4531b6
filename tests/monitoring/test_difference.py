"""How the articles of a page differ that two pattern files give."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.monitoring.differences import difference
from scrapy_webstemmer.values import Article

URL = "http://news.example/1"


def article(text: str, title: str = "Title") -> Article:
    return Article(url=URL, title=title, text=text, pattern="a", confidence=0.9)


@pytest.mark.parametrize(
    ("before", "after", "kind", "share"),
    [
        (article("a b c"), None, "lost", 1),
        (None, article("a b c"), "gained", 1),
        (article("one two"), article("one two", "Other"), "title", 0),
        (article("abcd efgh"), article("abcd"), "text", pytest.approx(1 / 3)),
    ],
)
def test_kinds(before: Article | None, after: Article | None, kind: str, share: float) -> None:
    """An article is lost or gained, or has another text or title."""
    found = difference(URL, before, after)
    assert found is not None
    assert (found.kind, found.share) == (kind, share)


def test_what_is_the_same() -> None:
    """No article on either side, or the same title and text: no difference."""
    assert difference(URL, None, None) is None
    assert difference(URL, article("a"), article("a")) is None


def test_lines_that_go_and_come() -> None:
    """Lines are compared as they stand, however often; few are kept, and cut."""
    found = difference(URL, article("a\na\nb\nlong " + "x" * 999), article("a\nb\nc\n\nd\ne\nf"))
    assert found is not None
    assert found.gone == ("a", ("long " + "x" * 999)[:200])
    assert found.new == ("c", "d", "e")
    assert found.length == 1_010


def test_the_worst_comes_first() -> None:
    """Lost articles come before others, and texts that change most before those that change less."""
    pairs = [
        (None, article("a b")),
        (article("aa bb cc"), article("aa bb")),
        (article("aa bb cc"), None),
        (article("aa bb cc"), article("aa")),
        (article("a", "A"), article("a", "B")),
    ]
    found = [one for pair in pairs if (one := difference(URL, *pair))]
    kinds = [(one.kind, round(one.share, 2)) for one in sorted(found, key=lambda one: one.rank)]
    assert kinds == [("lost", 1), ("text", 0.5), ("text", 0.2), ("title", 0), ("gained", 1)]


@given(st.text("ab \n", max_size=40), st.text("ab \n", max_size=40))
def test_both_ways(one: str, other: str) -> None:
    """Seen from the other side, what goes comes, and as much of the text changes."""
    there, back = difference(URL, article(one), article(other)), difference(URL, article(other), article(one))
    assert (there is None) == (back is None) == (one == other)
    if there and back:
        assert (there.gone, there.new, there.share) == (back.new, back.gone, back.share)
        assert 0 <= there.share <= 1
