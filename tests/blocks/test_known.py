"""Readers of pieces and texts, which keep the meanings of those that they have read."""

from __future__ import annotations

import pytest

from scrapy_webstemmer.blocks import known as module
from scrapy_webstemmer.blocks.known import RARE_LINK, KnownPieces, KnownTexts
from scrapy_webstemmer.blocks.links import SAME
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
from scrapy_webstemmer.values.layouts import Step


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
        ("a>b", (LINK, ("", None, "", ""), "b")),
        ('a name="b">c', (LINK, (None, None, "", ""), "c")),
    ],
)
def test_what_pieces_mean(piece: str, meaning: object) -> None:
    """A meaning has kind, details and text; white space after a tag that ends a run is not text."""
    reader = KnownPieces(TODAY)
    assert reader.read(piece) == meaning
    assert reader.known == {piece: meaning}


@pytest.mark.parametrize(
    ("attributes", "kind", "link"),
    [
        (' href=" /a "', LINK, ("/a", "", "/a", "")),
        (' class="x" href="b&amp;c"', LINK, ("b&c", "", "./b&c", "")),
        (' href="b%20c?d=%20#e"', LINK, ("b%20c?d=%20#e", "", "./b c", "d=%20")),
        (' href="?page=2"', LINK, ("?page=2", "", SAME, "page=2")),
        (' href="/"', LINK, ("/", "", "", "")),
        (' href="/caf%C3%A9/index.php?id=1"', LINK, ("/caf%C3%A9/index.php?id=1", "", "/caf\u00e9", "id=1")),
        (' href="HTTP://A.com/b#c"', LINK, ("HTTP://A.com/b#c", "a.com", "/b", "")),
        (' href="https://www.a.com/b/?c"', LINK, ("https://www.a.com/b/?c", "a.com", "/b", "c")),
        (' href="//a.com"', LINK, ("//a.com", "a.com", "", "")),
        (' href="mailto:x"', LINK, ("mailto:x", None, "", "")),
        (' href=""', LINK, ("", None, "", "")),
        (' href="#top"', RARE_LINK, ("#top", None, "", "")),
        (' href="&#10; /a &#10;"', LINK, ("/a", "", "/a", "")),
        (' href="/a"/', RARE_LINK, ("/a", "", "/a", "")),
    ],
)
def test_what_links_mean(attributes: str, kind: int, link: object) -> None:
    """A link has its href, host (empty: the page's own; None: no other web page), path and query."""
    assert KnownPieces(TODAY).read(f"a{attributes}>text") == (kind, link, "text")


def test_white_space_in_2009() -> None:
    """By the rules of 2009, white space after a tag that ends a run is text."""
    assert KnownPieces(CLASSIC).read("/div>\n ") == (BLOCK_END, None, "\n ")


@pytest.mark.parametrize("piece", ['pre class="a">b', "/pre>", "p>" + "long" * 1000])
def test_what_is_not_kept(piece: str) -> None:
    """The tags of preformatted text and long pieces do not become known."""
    reader = KnownPieces(TODAY)
    assert reader.read(piece) == reader.read(piece)
    assert not reader.known


def test_known_pieces_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """All known pieces are forgotten when there are too many."""
    monkeypatch.setattr(module, "MAX_PIECES", 10)
    reader = KnownPieces(TODAY)
    for number in range(25):
        reader.read(f"p>{number}")
    assert list(reader.known) == [f"p>{number}" for number in range(20, 25)]


def test_texts() -> None:
    """Each text is folded and weighed, whether it is known or not; long texts do not become known."""
    reader, long = KnownTexts(TODAY), "a " * 500
    expected = [("a & b", 2), ("", 0), (long.strip(), 500), ("a & b", 2)]
    for _ in range(2):
        assert reader.read([" a &amp;\n b", "", long, " a &amp;\n b"]) == expected
    assert set(reader.known) == {" a &amp;\n b", ""}


def test_known_texts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """All known texts are forgotten when there are too many; those just looked up still come out."""
    monkeypatch.setattr(module, "MAX_TEXTS", 4)
    reader = KnownTexts(TODAY)
    assert reader.read(["a", "b", "c"]) == [("a", 1), ("b", 1), ("c", 1)]
    assert reader.read(["a", "dd", "ee"]) == [("a", 1), ("dd", 2), ("ee", 2)]
    assert set(reader.known) == {"dd", "ee"}
