"""Regular expressions of users: which ones are valid, what they find, and that they end."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.base.expressions import LONGEST, Patience, check_expression
from scrapy_webstemmer.errors import PageError, SlowExpressionError

URL = "http://example.com/"
#: Expressions whose time grows exponentially on text that almost matches.
SLOW = ["(a|aa)+$", r"(?:a+b?)+\Z", "^(([a-z])+.)+[A-Z]([a-z])+$", r"(a|b|ab)*(?=c)", r"(?:(?:a|a)(?:a|a))+$"]
#: Expressions from our documentation and from that of 2009, and others with the usual constructs.
DOCUMENTED = [
    "/news/", r"\.html$", "[a-z]+", "(post)-(1)", "(?!)", r"^http://[^/]+/\d{4}/\d\d/", "(?i:NEWS)",
    r"(?i)^[a-z]+://[^/?#]*/[^?#]*\.(?:gif|jpe?g)(?=[;?#]|$)", r"(?<=-)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}", "",
]  # fmt: skip


@pytest.mark.parametrize("pattern", DOCUMENTED)
@given(text=st.text("abnews/:.html?-0123#\n") | st.just("http://example.com/2026/11/News-post-12.html?a"))
def test_they_mean_what_they_mean_for_re(pattern: str, text: str) -> None:
    """An expression finds what Python's own engine finds."""
    check_expression(pattern)
    patience = Patience(URL)
    assert patience.finds(pattern, text) == bool(re.search(pattern, text))
    found = re.finditer(pattern, text)
    assert patience.found(pattern, text) == "".join(match.group() for match in found)


@pytest.mark.filterwarnings("ignore:Possible:FutureWarning")  # Python may read [[ otherwise one day
@pytest.mark.parametrize(
    ("pattern", "found", "not_found"),
    [
        ("a{e}", "a{e}", "b"),
        ("(?:x){s<=1}", "x{s<=1}", "y"),
        ("[[:alpha:]]", ":]", "b"),
        ("a{2}{", "aa{", "a"),
        ("[]{e}]", "{", "a"),
        ("[^[]", "a", "["),
        (r"[\]{]{2}", "]{", "{"),
        (r"\{e}", "{e}", "e"),
    ],
)
def test_what_regex_reads_otherwise(pattern: str, found: str, not_found: str) -> None:
    """Errors that ``regex`` would allow, and its names of classes, are plain text as in ``re``."""
    for text in (found, not_found):
        assert Patience(URL).finds(pattern, text) == bool(re.search(pattern, text)) == (text == found)


@pytest.mark.filterwarnings("ignore:Possible:FutureWarning")
@given(st.text("ab[]{}\\^:,e2<=(?:)", max_size=9), st.text("ab[]{}:,e2<=", max_size=6))
def test_what_is_valid_means_the_same(pattern: str, text: str) -> None:
    """An expression that is valid finds what it finds for ``re``."""
    try:
        check_expression(pattern)
    except ValueError:
        return
    assert Patience(URL).finds(pattern, text) == bool(re.search(pattern, text))


@pytest.mark.parametrize("pattern", SLOW)
def test_they_end(pattern: str) -> None:
    """An expression that would take years is stopped; the error names the page and the expression."""
    check_expression(pattern)
    patience = Patience(URL, 0.05)
    with pytest.raises(SlowExpressionError) as caught:
        patience.finds(pattern, "a" * 5000 + "!")
    assert isinstance(caught.value, PageError)
    assert (caught.value.url, caught.value.pattern) == (URL, pattern)


def test_a_page_has_one_patience() -> None:
    """All searches on one page share one time limit, however short each of them is."""
    patience = Patience(URL, 0.05)
    tried: list[bool] = []

    def try_many() -> None:
        while True:
            tried.append(patience.finds("(a|aa)+$", "a" * 14 + "!"))

    with pytest.raises(SlowExpressionError):
        try_many()
    assert tried


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("x(", "missing )"),
        ("*", "nothing to repeat"),
        (5, "first argument must be string"),
        ("a{99999999999999}", "the repetition number is too large"),
        ("(" * 50_000, "maximum recursion depth exceeded"),
        (r"\p{L}", r"bad escape"),
        ("(?<=a+)b", "look-behind"),
    ],
)
def test_what_they_cannot_be(pattern: str, reason: str) -> None:
    """An expression that Python's engine or ``regex`` refuses is an error that gives it and the reason."""
    message = f"{pattern!r} is not a valid regular expression: {reason}"
    with pytest.raises(ValueError, match=re.escape(message)):
        check_expression(pattern)


def test_how_long_they_may_be() -> None:
    """Compiling takes time for every character, so an expression from a file has a limit."""
    check_expression("a" * LONGEST)
    with pytest.raises(ValueError, match=r"^'a{60}'\.\.\. has 50,001 characters; 50,000 are allowed$"):
        check_expression("a" * (LONGEST + 1))


def outcome(pattern: str) -> str:
    """Return why an expression is refused, or how a search with it ends."""
    try:
        check_expression(pattern)
    except ValueError as error:
        return str(error)
    try:
        return f"is found: {Patience(URL, 0.05).finds(pattern, 'abba' * 9)}"
    except SlowExpressionError as error:
        return f"is slow: {error.pattern}"


@pytest.mark.filterwarnings("ignore:Possible:FutureWarning")  # Python may read [[ otherwise one day
@given(st.text("ab()[]{}|*+?\\^$.0123,:=!<>P", max_size=20))
def test_whatever_is_written(pattern: str) -> None:
    """Any text is refused with a reason, or can be used."""
    assert re.match(r".* is not a valid regular expression: |is found: |is slow: ", outcome(pattern))
