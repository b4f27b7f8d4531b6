"""A tree as pieces of markup."""

from __future__ import annotations

import pytest
from lxml import etree, html

from scrapy_webstemmer.page.markup import (
    BLOCK,
    BLOCK_END,
    COMMENT,
    CUT,
    EMPTY_BLOCK,
    IMAGE,
    LINK,
    LINK_END,
    MAX_KNOWN,
    SKIPPED,
    TRANSPARENT,
    TagReader,
    attributes_of,
    pieces_of,
    skip_element,
)
from scrapy_webstemmer.page.tags import CLASSIC, TODAY


def test_pieces() -> None:
    """A piece is a tag and the text after it; text after the element is not part of its pieces."""
    tree = etree.fromstring("<body><p class='a'>one &amp; <b>two</b></p>three<br/></body>")
    assert pieces_of(tree) == [
        "body>",
        'p class="a">one &amp; ',
        "b>two",
        "/b>",
        "/p>three",
        "br/>",
        "/body>",
    ]
    assert pieces_of(tree[0])[-1] == "/p>"


def test_attributes() -> None:
    """A tag's attributes have the values of the page; text after the tag gives no attributes."""
    image = html.fromstring("<div><img src='a&quot;b' alt='x > y' hidden>c=\"d\"</div>")[0]
    piece = pieces_of(image.getparent())[1]
    assert attributes_of(piece) == {"src": 'a"b', "alt": "x > y", "hidden": ""}


@pytest.mark.parametrize(
    ("tag", "kind", "name"),
    [
        ('div id="a"', BLOCK, "div"),
        ("div/", EMPTY_BLOCK, "div"),
        ("/div", BLOCK_END, "div"),
        ('a href="x"', LINK, "a"),
        ("a", LINK, "a"),
        ("/a", LINK_END, "a"),
        ("br/", CUT, "br"),
        ("br /", CUT, "br"),
        ('img src="x"/', IMAGE, "img"),
        ("svg", SKIPPED, "svg"),
        ("svg/", TRANSPARENT, "svg"),
        ("/svg", TRANSPARENT, "svg"),
        ("b", TRANSPARENT, "b"),
        ("!-- x --", COMMENT, ""),
        ("?x", COMMENT, ""),
        ("", TRANSPARENT, ""),
    ],
)
def test_what_tags_mean(tag: str, kind: int, name: str) -> None:
    """Each tag has its kind: start or end of a block or a link, cut, image, skipped, and so on."""
    found = TagReader(TODAY).read(tag)
    assert (found.kind, found.name) == (kind, name)
    assert (found.step is not None) == (kind in (BLOCK, EMPTY_BLOCK))


def test_empty_elements_in_2009() -> None:
    """By the rules of 2009, empty elements are ignored."""
    assert TagReader(CLASSIC).read("p/").kind == TRANSPARENT


def test_known_tags_are_bounded() -> None:
    """A reader forgets all known tags when there are too many."""
    reader = TagReader(TODAY)
    for number in range(MAX_KNOWN + 10):
        reader.read(f'p id="{number}"')
    assert 0 < len(reader.known) <= MAX_KNOWN
    assert reader.read('p id="7"').step == ("p", "7", ())


@pytest.mark.parametrize(
    ("pieces", "left"),
    [
        (["svg>a", "b>c", "/b>", "/svg>d", "p>"], (3, "d")),
        (["svg>a", "svg>", "/svg>b", "/svg>c"], (3, "c")),
        (["svg>a", "svg/>b", "svgx>", "/svg>c"], (3, "c")),
        (["svg>a", "!-- ", "svg> -->b", "/svg>c"], (3, "c")),
        (["svg>a", "![CDATA[ ", "/svg> ]]>b", "/svg>c"], (3, "c")),
        (["svg>a", "b>c"], (1, "")),
        (["!-- a -->b", "p>"], (0, "b")),
        (["!-- a", "p>", "b> -->c", "p>"], (2, "c")),
        (["?a b?>c", "p>"], (0, "c")),
        (["!-- a", "p>"], (1, "")),
    ],
)
def test_what_is_skipped(pieces: list[str], left: tuple[int, str]) -> None:
    """The page goes on after the end of the element or comment; without an end, the rest is skipped."""
    numbered = enumerate(pieces)
    number, piece = next(numbered)
    tag = TagReader(TODAY).read(piece.partition(">")[0])
    assert skip_element(numbered, number, piece, tag) == left
