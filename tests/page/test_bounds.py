"""A page beyond a limit is found before it takes time; a page at the limit passes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.errors import LimitError
from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.page.anchors import find_anchors
from scrapy_webstemmer.page.limits import check_layout, check_page, check_text, check_tree
from scrapy_webstemmer.page.parsing import parse_text
from scrapy_webstemmer.page.sources import TreeSource, open_page
from scrapy_webstemmer.page.walk import layout_of
from scrapy_webstemmer.values import Page

URL = "http://example.com/"
ATTRIBUTES = "".join(f" a{n}={n}" for n in range(4_000))


def test_size() -> None:
    """A page may have as many bytes as the limit, and no more."""
    check_page(Page(URL, b"x" * 9), Limits(page_size=9))
    with pytest.raises(
        LimitError, match=r"example\.com/: has more than 8 bytes \(limit 'page_size'\)"
    ) as caught:
        check_page(Page(URL, b"x" * 9), Limits(page_size=8))
    assert caught.value.limit == "page_size"


@pytest.mark.parametrize(
    "before",
    [
        "<p",
        "<p x='>'",
        '<p x=">" y',
        "<p x=a>b</p><i",
        "<b><script a='>'>a<b</script><i",
        "<p/x/",
        "<p x = y",
    ],
)
def test_attributes(before: str) -> None:
    """All attributes of one element count, in any form; those of other elements do not."""
    limits = Limits(attributes=3_000)
    text = f"{before} {ATTRIBUTES}>" + " " * 120_000
    with pytest.raises(LimitError, match="more than 3,000 attributes"):
        check_text(URL, text, limits)
    check_text(URL, text, Limits(attributes=4_010))
    check_text(URL, f"<script>if (a<b{ATTRIBUTES}</script>", limits)
    check_text(URL, "<p a=1 b=2>" * 20_000, limits)


@pytest.mark.parametrize("tag", ["<p a=1 b='2' c=\"3\" d>", "<p a/b/c/d>", "<script a b c d>"])
def test_few_attributes_may_be_too_many(tag: str) -> None:
    """A limit below the number of attributes of usual tags holds for usual tags, too."""
    text = tag * 20_000
    with pytest.raises(LimitError, match="more than 3 attributes"):
        check_text(URL, text, Limits(attributes=3))
    check_text(URL, text, Limits(attributes=4))


def test_values_are_no_attributes() -> None:
    """A long value, or one with many words in quotes, is one attribute."""
    check_text(URL, f"<img src='data:{'a= ' * 30_000}' alt=x>", Limits(attributes=100))
    check_text(URL, f"<img data-json={'a=b,' * 30_000} alt=x>", Limits(attributes=100))


@given(st.text("<>/='\"a -!", max_size=40))
def test_any_text_has_an_end(piece: str) -> None:
    """For any text the check ends, without an error or with that of the limit."""
    text = piece * (130_000 // max(1, len(piece)))
    try:
        check_text(URL, text, Limits(attributes=1_000))
    except LimitError as error:
        beyond = error.limit
    else:
        beyond = ""
    assert beyond in ("", "attributes")


@pytest.mark.parametrize("piece", ["<script>", "<p a='", '<p a="', "<style x=", "<a b=c'", "<script '"])
def test_no_part_of_a_text_is_read_twice(piece: str) -> None:
    """Many tags or values that begin and never end take linear time: 2 MB are done in a moment."""
    check_text(URL, piece * 300_000, Limits(attributes=1_000_000))


def test_elements() -> None:
    """All elements count, html and body too."""
    root = parse_text("<p>a<p>b<i>c</i>")
    check_tree(URL, root, Limits(elements=5))
    with pytest.raises(LimitError, match="more than 4 elements"):
        check_tree(URL, root, Limits(elements=4))


def test_few_tags() -> None:
    """A source with few tags has few elements, whatever elements parsers add."""
    source = b"<td>a<td>b<p>c"
    root = parse_text(source.decode())
    check_tree(URL, root, Limits(elements=10), source)
    with pytest.raises(LimitError, match="more than 4 elements"):
        check_tree(URL, root, Limits(elements=4), source)


@pytest.mark.parametrize("beside", ["", "<p>a" * 100])
def test_depth(beside: str) -> None:
    """The elements around the innermost element count; those beside it do not."""
    root = parse_text(beside + "<div>" * 10 + "<b>a" + beside)
    check_tree(URL, root, Limits(depth=12))
    with pytest.raises(LimitError, match="in more than 11 others"):
        check_tree(URL, root, Limits(depth=11))


def test_nothing_is_dropped_by_the_parser_unseen() -> None:
    """A page that is nested too deeply for the parser is beyond even the largest possible limit."""
    with pytest.raises(LimitError):
        check_tree(URL, parse_text("<div>" * 5_000 + "text"), Limits(depth=2_000))


def test_blocks() -> None:
    """The layout blocks of a page are limited, and so are the characters of each."""
    layout = layout_of(URL, parse_text("<p>first</p><p>the second</p>"))
    check_layout(layout, Limits(blocks=2, block_size=10))
    for limits, reason in ((Limits(blocks=1), "1 layout blocks"), (Limits(block_size=9), "9 characters")):
        with pytest.raises(LimitError, match=reason):
            check_layout(layout, limits)


def test_anchors() -> None:
    """The limit counts links with a text to other pages."""
    root = parse_text("<a href=/a>a</a><a href=/b></a><a href=#c>c</a><a href=/d>d</a>")
    source = TreeSource(URL, root, Limits())
    assert len(find_anchors(source, Page(URL, b""), Limits(anchors=2)).anchors) == 2
    with pytest.raises(LimitError, match="more than 1 links"):
        find_anchors(source, Page(URL, b""), Limits(anchors=1))


def _numbered(form: str, number: int) -> str:
    return "".join(map(form.format, range(number)))


#: Pages that would take long if any part of them were read again and again, and the limit that they exceed.
HOSTILE = {
    "elements": ("<b>x</b>" * 1_000_000, "elements"),
    "empty elements": ("<br>" * 1_000_000, "elements"),
    "attributes": (f"<p{_numbered(' a{0}=1', 500_000)}>x", "attributes"),
    "one name": (f"<p{' a=1' * 1_000_000}>x", "attributes"),
    "a tag without an end": ("<a " * 3_000_000, "attributes"),
    "depth": ("<div>" * 40_000 + "x", "depth"),
    "closed depth": ("<i>" * 40_000 + "x" + "</i>" * 40_000, "depth"),
    "tables": ("<table>" * 40_000, "depth"),
    "a long value": (f'<p class="{"x " * 5_000_000}">t', ""),
    "a long name": (f"<{'n' * 10_000_000}>t", ""),
    "a long tag": (f'<p class="{"x" * 10_000_000}', ""),
    "end tags": ("</" * 5_000_000, ""),
    "end tags of nothing": ("<i>" * 400 + "</x>" * 500_000, ""),
    "end tags of nothing in a link": ("<a href=/x>" + "</x> " * 2_000_000, ""),
    "long end tags of nothing": ("<i>" * 400 + "</abcdefghijk>" * 200_000, ""),
    "comments": ("<!--" * 2_500_000, ""),
    "escaped scripts": ("<script><!--<script>" * 500_000, ""),
    "references": ("&amp;" * 1_000_000, ""),
    "different references": (f"<title>{_numbered('&#{0};', 100_000)}", ""),
    "unknown references": (f"<title>{_numbered('&a{0}', 300_000)}", ""),
    "a long reference": (f"<p>&#{'9' * 5_000_000};", ""),
    "open links with images": (f"{_numbered('<b><a href=/{0}>', 240)}{'<img alt=x>' * 10_000}", ""),
    "links within the page": ("<p>" + "<a href='#'><!--<b>--></a>" * 10_000, ""),
}


@pytest.mark.parametrize(("text", "limit"), HOSTILE.values(), ids=HOSTILE)
def test_hostile_pages(text: str, limit: str) -> None:
    """A page that is large in any respect is read in linear time, or refused by the limit that it exceeds."""
    page, found = Page(URL, text.encode()), ""
    assert len(page.body) <= Limits().page_size
    try:
        source = open_page(page, None, Limits())
        layout = source.layout(URL)
        find_anchors(source, page)
    except LimitError as error:
        found = error.limit
    else:
        check_layout(layout, Limits())
    assert found == limit
