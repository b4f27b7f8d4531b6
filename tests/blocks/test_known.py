"""What is known by heart."""

from __future__ import annotations

import pytest

from scrapy_webstemmer.blocks import known as module
from scrapy_webstemmer.blocks.known import RARE_LINK, KnownPieces, KnownTexts
from scrapy_webstemmer.blocks.markup import (
    BLOCK,
    BLOCK_END,
    COMMENT,
    CUT,
    IMAGE,
    LINK,
    LINK_END,
    SKIPPED,
    TRANSPARENT,
)
from scrapy_webstemmer.blocks.tags import CLASSIC, TODAY
from scrapy_webstemmer.values import Step


@pytest.mark.parametrize(
    ("piece", "meaning"),
    [
        ('div id="a">b', (BLOCK, Step("div", "a", ()), "b")),
        ("div>\n ", (BLOCK, Step("div", "", ()), "")),
        ("/div>\n ", (BLOCK_END, None, "")),
        ("br/> a", (CUT, None, " a")),
        ("b> ", (TRANSPARENT, None, " ")),
        ("/a> ", (LINK_END, None, " ")),
        ('img src="x"/> ', (IMAGE, None, " ")),
        ("svg>a", (SKIPPED, "/svg>", "a")),
        ("!-- a -->b", (TRANSPARENT, None, "b")),
        ("!-- a>b", (COMMENT, None, "b")),
        ("a>b", (LINK, (None, False, None, ""), "b")),
    ],
)
def test_what_pieces_mean(piece: str, meaning: object) -> None:
    """Kind, what there is to tell of it, and text; white space behind a tag that ends a run is no text."""
    reader = KnownPieces(TODAY)
    assert reader.read(piece) == meaning
    assert reader.known == {piece: meaning}


@pytest.mark.parametrize(
    ("attributes", "kind", "link"),
    [
        (' href=" /a "', LINK, ("/a", True, None, "")),
        (' class="x" href="b&amp;c"', LINK, ("b&c", True, None, "")),
        (' href="HTTP://A.com/b#c"', LINK, ("HTTP://A.com/b#c", False, "a.com", "A.com/b")),
        (' href="//a.com"', LINK, ("//a.com", False, "a.com", "a.com")),
        (' href="mailto:x"', LINK, ("mailto:x", False, None, "")),
        (' href=""', LINK, ("", False, None, "")),
        (' href="#top"', RARE_LINK, ("#top", False, None, "")),
        (' href="/a"/', RARE_LINK, ("/a", True, None, "")),
    ],
)
def test_what_links_mean(attributes: str, kind: int, link: object) -> None:
    """Whether a link leads on is told with it, unless that depends on the page that has it."""
    assert KnownPieces(TODAY).read(f"a{attributes}>text") == (kind, link, "text")


def test_white_space_in_2009() -> None:
    """White space behind a tag that ends a run was a text."""
    assert KnownPieces(CLASSIC).read("/div>\n ") == (BLOCK_END, None, "\n ")


@pytest.mark.parametrize("piece", ['pre class="a">b', "/pre>", "p>" + "long" * 1000])
def test_what_is_not_kept(piece: str) -> None:
    """The begin and the end of preformatted text come again as new, and so do long pieces."""
    reader = KnownPieces(TODAY)
    assert reader.read(piece) == reader.read(piece)
    assert not reader.known


def test_known_pieces_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known is forgotten before it is too much."""
    monkeypatch.setattr(module, "MAX_PIECES", 10)
    reader = KnownPieces(TODAY)
    for number in range(25):
        reader.read(f"p>{number}")
    assert list(reader.known) == [f"p>{number}" for number in range(20, 25)]


def test_texts() -> None:
    """Each text is folded and weighed, whether it is known or not; long ones do not become known."""
    reader, long = KnownTexts(TODAY), "a " * 500
    expected = [("a & b", 2), ("", 0), (long.strip(), 500), ("a & b", 2)]
    for _ in range(2):
        assert reader.read([" a &amp;\n b", "", long, " a &amp;\n b"]) == expected
    assert set(reader.known) == {" a &amp;\n b", ""}


def test_known_texts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known is forgotten before it is too much; what was looked up already stays."""
    monkeypatch.setattr(module, "MAX_TEXTS", 4)
    reader = KnownTexts(TODAY)
    assert reader.read(["a", "b", "c"]) == [("a", 1), ("b", 1), ("c", 1)]
    assert reader.read(["a", "dd", "ee"]) == [("a", 1), ("dd", 2), ("ee", 2)]
    assert set(reader.known) == {"dd", "ee"}
