"""Text without tags: one line per paragraph, and no text lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.commands.html2txt import plain_lines
from scrapy_webstemmer.errors import PageError
from scrapy_webstemmer.values import Page

#: The elements at which html2txt of 2009 began a new line.
BREAKING = "p br div td th li blockquote pre form hr h1 h2 h3 h4 h5 h6 address".split()
TODAY = "article section main header footer figure figcaption aside nav dt dd details summary".split()


def lines(text: str) -> list[str]:
    """Return the lines of a page."""
    return list(plain_lines(Page("http://a/", text.encode()), "utf-8"))


@pytest.mark.parametrize("tag", [*BREAKING, *TODAY])
def test_tags_that_break_the_line(tag: str) -> None:
    """A new line begins at the start of the element and, unlike in 2009, at its end."""
    start, end = ("<table><tr>", "</tr></table>") if tag in ("td", "th") else ("", "")
    inner = "" if tag in ("br", "hr") else f"one</{tag}>"
    assert lines(f"before{start}<{tag}>{inner}{end}after") == ["before", *(["one"] if inner else []), "after"]


@pytest.mark.parametrize("tag", ["b", "a", "span", "font", "em", "x-tag"])
def test_tags_that_do_not(tag: str) -> None:
    """Inline tags leave no trace, not even a space."""
    assert lines(f"<p>be<{tag} class=x>fo</{tag}>re") == ["before"]


@pytest.mark.parametrize("tag", ["script", "style", "select", "template", "svg", "datalist"])
def test_what_is_no_text(tag: str) -> None:
    """Scripts, styles, choices, templates and drawings are left out; the text around them is joined."""
    assert lines(f"<p>be<{tag}>x y</{tag}>fore<!-- comment -->!") == ["before!"]


def test_the_title_comes_first() -> None:
    """The title element comes out once as text, wherever it stands."""
    assert lines("<p>text<title>The\n title</title>") == ["The title", "text"]
    assert lines("<html><head><title></title></head><p>text") == ["text"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("日本\n語", "日本語"),
        ("日\n本\r\n   語", "日本語"),
        ("日本<b>\n</b>語", "日本語"),
        ("カナ。\nかな", "カナ。かな"),
        ("日本 語", "日本 語"),
        ("日本\nword\n語", "日本 word 語"),
        ("한국\n어", "한국 어"),
        ("one\ntwo \t three", "one two three"),
    ],
)
def test_white_space(source: str, text: str) -> None:
    """White space is folded; a line break between ideographs is dropped, even with tags beside it."""
    assert "<" in source or lines(f"<title>{source}</title>") == [text]
    assert lines(f"<p>{source}") == [text]


def test_preformatted_text_keeps_its_lines() -> None:
    """Lines of code keep their indentation."""
    assert lines("<pre>\nif a:\n    b\n\n日\n本</pre>after") == ["if a:", "    b", "", "日", "本", "after"]


def test_hidden_text_is_text() -> None:
    """Without its tags, a page still has all that its author wrote."""
    assert lines("<p hidden>one<div hidden>two</div><noscript>three</noscript>") == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"", []),
        (b"plain text", ["plain text"]),
        (b"<frameset><noframes>no frames</noframes></frameset>", ["no frames"]),
        (b"<frameset><noframes><body><p>no</p><p>frames</body></noframes></frameset>", ["no", "frames"]),
        (b"<p>a<iframe><p>b</p></iframe><noembed><p>c</p></noembed>", ["a"]),
        (b"<meta charset=latin-1><p>caf\xe9", ["café"]),
        (b"<p>\xc6\xfc\xcb\xdc", ["日本"]),
        (b"<div>" * 1000 + b"deep", ["deep"]),
    ],
)
def test_odd_pages(body: bytes, expected: list[str]) -> None:
    """Fragments, frames, pages with or without a declared charset, and unclosed elements give their text."""
    assert list(plain_lines(Page("http://a/", body), "euc-jp")) == expected


def test_a_picture_is_no_page() -> None:
    """A binary file is an error."""
    with pytest.raises(PageError, match="binary"):
        list(plain_lines(Page("http://a/", b"\x89PNG\r\n\x1a\n")))


PIECES = [
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<b>",
    "</b>",
    "<br>",
    "<table>",
    "<td>",
    "<pre>",
    "<ul>",
    "<li>",
    "\n",
]


@given(st.lists(st.sampled_from([*PIECES, "word", "日", "&amp;"]), max_size=20))
def test_no_word_is_lost(pieces: list[str]) -> None:
    """With any tags, every word comes out once, in order."""
    words = [piece for piece in pieces if piece in ("word", "日", "&amp;")]
    text = "".join("".join(lines("".join(pieces))).split())
    assert text == "".join(words).replace("&amp;", "&")
