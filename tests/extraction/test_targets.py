from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from scrapy_webstemmer.fields.image_sources import image_source
from scrapy_webstemmer.page.anchors import tree_base
from scrapy_webstemmer.page.markup import Base, pieces_of

URL = "http://example.com/a/b"


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("<img src=c.png>", "http://example.com/a/c.png"),
        ("<img src=blank.gif data-src=/c.png>", "http://example.com/c.png"),
        ("<img src=data:image/gif;base64,R0 data-original=/c.png>", "http://example.com/c.png"),
        ("<img data-src=data:image/gif;base64,R0 src=/c.png>", "http://example.com/c.png"),
        ("<img src=/c.png srcset='/d.png 2x'>", "http://example.com/c.png"),
        ("<img srcset='/c.png 320w, /d,e.png 1280w, /f.png 640w'>", "http://example.com/d,e.png"),
        ("<img data-srcset='/c.png, /d.png 2x'>", "http://example.com/d.png"),
        ("<img srcset='/c.png ,x 1..2w'>", "http://example.com/c.png"),
        ("<img srcset=' , /c.png, /d.png 1.5x ,, /e.png 1x'>", "http://example.com/d.png"),
        ("<img srcset='/c.png,/d.png 2x'>", "http://example.com/c.png,/d.png"),
        (
            "<picture><source srcset='/c.avif 9w,/d.avif 8w'><img src=data:,></picture>",
            "http://example.com/c.avif",
        ),
        ("<picture><source srcset=/c.avif><img src=/d.png></picture>", "http://example.com/d.png"),
        (
            "<img src=/blank.gif data-lazy-src=/c.png data-lazy-srcset='/d.png 2x'>",
            "http://example.com/c.png",
        ),
        ("<img src=/blank.png data-srcset='/c.png 1x, /d.png 2x'>", "http://example.com/d.png"),
        ("<picture><source data-srcset=/c.webp><img src=/blank.png></picture>", "http://example.com/c.webp"),
        (
            "<picture><source srcset=/c.jpg><img class='lazy-load' src=/a.jpg></picture>",
            "http://example.com/c.jpg",
        ),
        ("<img src=/blank.gif srcset='/c.jpg 600w'>", "http://example.com/c.jpg"),
        ("<img src=/c.svg srcset='/d.svg 2x'>", "http://example.com/c.svg"),
        ("<img src=/a.jpg> <noscript> <img alt=c src=/c.jpg></noscript>", "http://example.com/c.jpg"),
        ("<p><img src=/a.jpg></p><noscript><img srcset='/c.jpg 2x'></noscript>", "http://example.com/c.jpg"),
        (
            "<img src=/c.jpg><noscript><img src=/v.gif width=1 height=1></noscript>",
            "http://example.com/c.jpg",
        ),
        ("<img src=/c.jpg> text <noscript><img src=/d.jpg></noscript>", "http://example.com/c.jpg"),
        ("<img src=/c.jpg><b></b><noscript><img src=/d.jpg></noscript>", "http://example.com/c.jpg"),
        ("<img src=''>", ""),
        ("<img src=javascript:x()>", ""),
        ("<img src=mailto:a@example.com>", ""),
        ("<img src=http://[>", ""),
        ("<img alt=nothing>", ""),
    ],
)
def test_source_of_an_image(text: str, source: str) -> None:
    """The url that a script loads comes before a placeholder. The largest of a set of sizes is taken."""
    root = html.fromstring(f"<div>{text}</div>")
    pieces = pieces_of(root)
    number = next(number for number, piece in enumerate(pieces) if piece.startswith("img"))
    markup: Any = SimpleNamespace(pieces=pieces, blocks=(), nodes=(0,), base=lambda: tree_base(root, URL))
    assert image_source(pieces, number, Base(markup))[0] == source


@given(
    st.lists(st.sampled_from(["/", "/", ".", "..", ":", ";", "?", "#", "a", "é", "%2f", "\n"])).map("".join),
    st.sampled_from(
        [
            *(f"{URL}{end}" for end in ("", "?b=c", "?", "#b", ";b", "//b/../c")),
            *("http://a.example", "HTTPS://A.example:80?b", "http://[::1]/a", "file:///a/b", "", "a/b"),
        ]
    ),
)
def test_every_url_is_joined_as_by_the_standard_library(url: str, base: str) -> None:
    """A path or a fragment that needs no joining gives the same url as one that does."""
    markup: Any = SimpleNamespace(blocks=(), nodes=(0,), base=lambda: base)
    for begin in "/#":
        assert Base(markup).joined(f"{begin}{url}") == urljoin(base, f"{begin}{url}")
