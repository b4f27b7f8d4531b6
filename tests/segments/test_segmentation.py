"""Text segments: the texts between two tags of a block, and which of them are equal."""

from __future__ import annotations

import subprocess
import sys

import pytest

from scrapy_webstemmer.page.parsing import parse
from scrapy_webstemmer.page.walk import layout_of
from scrapy_webstemmer.segments.segmentation import Segment, Segmenter, digest
from scrapy_webstemmer.values import Page


def segments(html: str, segmenter: Segmenter | None = None) -> list[list[Segment]]:
    """Return the segments of each block of a page."""
    page = Page("http://a.example/", html.encode())
    layout = layout_of(page.url, parse(page), keep_markup=True)
    return [list(block) for block in (segmenter or Segmenter()).segments(layout)]


def segment(path: str, text: str) -> Segment:
    return Segment(digest(path, text), len(text))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>plain</p>", [[("/body/p", "plain")]]),
        ("<p>one <b>two</b> three</p>", [[("/body/p", "one"), ("/body/p b", "two"), ("/body/p", "three")]]),
        ("<p><a href=x>a link</a></p>", [[("/body/p a", "a link")]]),
        (
            "<p><a href=x>a <i>link</i> on</a> &amp; on</p>",
            [[("/body/p a", "a"), ("/body/p a i", "link"), ("/body/p a", "on"), ("/body/p", "& on")]],
        ),
        ("<p>one<!-- a > b <i> -->two</p>", [[("/body/p", "one"), ("/body/p", "two")]]),
        ("<p>one<?php x ?>two</p>", [[("/body/p", "one"), ("/body/p", "two")]]),
        ("<p>one<script>x</script>two</p>", [[("/body/p", "one"), ("/body/p", "two")]]),
        ("<p>one<img src=a>two</p>", [[("/body/p", "one"), ("/body/p", "two")]]),
        ("<p>one<br>two</p>", [[("/body/p", "one")], [("/body/p", "two")]]),
        ("<ul><li>a<li>b</ul>", [[("/body/ul/li", "a")], [("/body/ul/li", "b")]]),
        ("<b><div>x</div>y</b>", [[("/body/div", "x")], [("/body", "y")]]),
        ("<pre><i>a</i> <b>b</b>\n c</pre>", [[("/body/pre", "a b\n c")]]),
    ],
)
def test_segments_of_a_page(html: str, expected: list[list[tuple[str, str]]]) -> None:
    """A block is divided at tags, comments and processing instructions; preformatted text is one segment."""
    found = segments(f"<html><body>{html}</body></html>")
    assert found == [[segment(*each) for each in block] for block in expected]


def test_attributes_and_white_space_make_no_difference() -> None:
    """Two segments are equal if their folded texts and the tags above them are equal."""
    one, other = (
        segments(f"<body {a}><div {b}><p>some \n text <b class={c}>bold</b></p></div>")
        for a, b, c in (("", "", 1), ("class=x", "id=post-17", 2))
    )
    assert one == other


def test_texts_are_looked_up_and_not_changed() -> None:
    """A segmenter that has seen a page gives the same segments again, and so does a new one."""
    html = "<p>one <b>two</b></p>" * 3 + "<div>" * 150 + "deep" + "".join(f"<p>{n}</p>" for n in range(6000))
    segmenter = Segmenter()
    first = segments(html, segmenter)
    assert segments(html, segmenter) == first == segments(html)


def test_elements_in_each_other_without_end() -> None:
    """Inline elements nested twenty thousand deep take linear time and memory."""
    found = segments("<p>a" + "<b>x" * 20_000 + "</p>")
    assert sum(segment.length for block in found for segment in block) > 200


def test_digest_is_the_same_in_every_process() -> None:
    """Digests in a file stay valid: Python's hash seed does not change them."""
    program = "from scrapy_webstemmer.segments.segmentation import digest; print(digest('p', chr(0xD800)))"
    seen = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert seen == {f"{digest('p', chr(0xD800))}\n"}
