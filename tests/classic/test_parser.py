"""The tree of 2009, tested by the layout blocks that it gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_webstemmer.classic.layouts_2009 import features_of
from scrapy_webstemmer.classic.parser_2009 import classic_tree, parse_2009
from scrapy_webstemmer.errors import LimitError
from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.page.parsing import parse
from scrapy_webstemmer.page.tags import CLASSIC
from scrapy_webstemmer.page.walk import layout_of
from scrapy_webstemmer.values import Page


def blocks(html: str) -> list[tuple[str, str]]:
    """Return the features and the texts of a page's blocks."""
    layout = layout_of("http://example.com/", classic_tree(html), CLASSIC)
    features = features_of(layout)
    return [(features[block.node], block.text) for block in layout.blocks]


def test_a_plain_page() -> None:
    """Well-formed HTML gives the same tree as any parser."""
    html = (
        "<html><head><title>Of mice</title></head><body><h1 id=top>Mice again</h1><div class='a b'>"
        "<p>First <b>bold</b> words<br>second line</p><ul><li>An item<li>Another</ul></div></body></html>"
    )
    assert blocks(html) == [
        ("title", "Of mice"),
        ("h1:id=top", "Mice again"),
        ("div:class=a b/p", "First bold words"),
        ("div:class=a b/p", "second line"),
        ("div:class=a b/ul/li", "An item"),
        ("div:class=a b/ul/li", "Another"),
    ]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        # tags of later years are ignored
        ("<article><section><p>Words here</p></section></article>", [("p", "Words here")]),
        ("<p>Before <form><p>After it</form>", [("p", "Before"), ("p", "After it")]),
        # an end tag ends all elements since its own, or nothing
        (
            "<div id=a><a><div id=b>Inside b</a>After a</div>End of it<p>.",
            [("div:id=a/div:id=b", "Inside b"), ("div:id=a", "After a"), ("", "End of it")],
        ),
        ("<div id=a>One two</p>three four</div>", [("div:id=a", "One twothree four")]),
        (
            "<ul><li>First item<ul><li>Inner item</ul>rest of it</ul>",
            [("ul/li", "First item"), ("li/ul/li", "Inner item"), ("ul/li", "rest of it")],
        ),
        # which start tag ends which element
        ("<p>Paragraph<h2>Heading</h2>", [("p", "Paragraph"), ("h2", "Heading")]),
        ("<p>Paragraph<hr>After the rule<p>.", [("p", "Paragraph"), ("", "After the rule")]),
        ("<p><span>Inside a span<p>Another one", [("p/span", "Inside a span"), ("p", "Another one")]),
        (
            "<table><tr><td>Cell one<td>Cell two<tr><td>Cell three</table>",
            [("table/tr/td", "Cell one"), ("table/tr/td", "Cell two"), ("table/tr/td", "Cell three")],
        ),
        (
            "<table><tr><td><table><tr><td>Inner cell</table>Outer cell</table>",
            [("table/tr/td", "Inner cell"), ("table/tr/td", "Outer cell")],
        ),
        (
            "<dl><dt>A term<dd>What it is<dt>Next one</dl>",
            [("dl/dt", "A term"), ("dl/dd", "What it is"), ("dl/dt", "Next one")],
        ),
        ("<select><option>Passed over<option>As well</select>Kept text<p>.", [("", "Kept text")]),
        # the title goes to the head; noscript is ignored
        (
            "<p>Words here</p><noscript>No script</noscript><svg><title>Picture</title></svg><p>.",
            [("title", "Picture"), ("p", "Words here"), ("", "No script")],
        ),
        # what counts as a tag
        ("<p>Less < b than>this one", [("p", "Less this one")]),
        ("<p>Even <>more of it", [("p", "Even more of it")]),
        ("<p>An unclosed <div more words", [("p", "An unclosed")]),
        ("<div class = Big id='x>y'>Some words</div>", [("div:class=big:id=x>y", "Some words")]),
        ("<div id=a id=b>Some words</div>", [("div:id=b", "Some words")]),
        ("<div id>Some words</div>", [("div:id=id", "Some words")]),
        ("<div id=a&amp;b>Some words</div>", [("div:id=a&b", "Some words")]),
        ("<br/><p/>Some words</P>", [("p", "Some words")]),
        # what is skipped
        ("<p>One <!-- no > words -->and two", [("p", "One and two")]),
        ("<p>One <!-- ends -> here -->and two", [("p", "One here -->and two")]),
        ("<p>One <!---->and <!-->two", [("p", "One and two")]),
        ("<p>Words <!-- the rest is lost", [("p", "Words")]),
        ("<p>Words <!DOCTYPE x><?php echo '<p>' ?>there", [("p", "Words"), ("p", "' ?>there")]),
        ("<script>if (a<b) '<p>'</scrip</script>Words here<p>.", [("", "Words here")]),
        ("<p>Words<script>never ends <p>at all", [("p", "Words")]),
        # entities
        ("<p>caf&Eacute; &amp &#x41;&#66; &apos;q&apos; &nbsp;end", [("p", "café & AB &aposq&apos  end")]),
        ("<p>&#1114112; &#99999999999; words", [("p", "&#1114112 &#99999999999 words")]),
    ],
)
def test_how_pages_were_read_in_2009(html: str, expected: list[tuple[str, str]]) -> None:
    """Broken and unusual markup gives the same blocks as in 2009."""
    assert blocks(html) == expected


def test_white_space_of_2009() -> None:
    """ASCII white space is folded. Other spaces are kept between words and removed at the ends."""
    assert blocks("<p>\u3000One\xa0\xa0two \n three\u3000four\xa0</p>") == [
        ("p", "One\xa0\xa0two three\u3000four")
    ]


def test_links_can_be_found() -> None:
    """The attributes that anchors need are kept, and so is the base url."""
    root = classic_tree('<base href="/x/"><a href="a.html?b=1&amp;c=2" onclick=run()>Text</a><img alt="A"> ')
    assert [element.get("href") for element in root.iter("a", "base")] == ["/x/", "a.html?b=1&c=2"]
    assert root.find(".//a").attrib.keys() == ["href"]
    assert root.find(".//img").get("alt") == "A"


def test_charsets_are_those_of_every_page() -> None:
    """A declared charset counts first, then the one that was asked for."""
    body = "<p>Grüße aus Köln".encode("latin-1")
    for page, encoding in ((Page("http://a/", body, "latin-1"), None), (Page("http://a/", body), "latin-1")):
        assert parse_2009(page, encoding).findtext(".//p") == "Grüße aus Köln"


_PIECES = "<p> </p> <div <td </table> <script> </script <!-- --> &amp; &#0; title li text é \ud800".split()
_MARKUP = st.lists(st.sampled_from([*"<>&;=/!?-'\" \n\0", *_PIECES])).map("".join)


@given(_MARKUP)
def test_any_text_has_a_tree(text: str) -> None:
    """Any text gives a tree of head and body that can be written as HTML."""
    root = classic_tree(text)
    assert [child.tag for child in root] == ["head", "body"]
    etree.tostring(root, encoding="unicode")


_INNER = st.recursive(
    st.sampled_from(["some words", "other words", "<b>bold words</b>", "<a href=x>a link</a>"]),
    lambda inner: st.builds(
        "<{0} class={1}>{2}</{0}>".format,
        st.sampled_from(["div", "blockquote", "center"]),
        st.sampled_from(["a", "b"]),
        st.lists(inner, max_size=3).map(" ".join),
    ),
    max_leaves=12,
)


@given(_INNER)
def test_on_well_formed_pages_parsers_agree(inner: str) -> None:
    """If elements are nested correctly, the layout is the same as with lxml's tree."""
    html = f"<html><head><title>A title</title></head><body>{inner}<p>end of it</p></body></html>"
    page = Page("http://example.com/", html.encode())
    ours, other = (layout_of(page.url, tree, CLASSIC) for tree in (classic_tree(html), parse(page)))
    assert [block.text for block in ours.blocks] == [block.text for block in other.blocks]
    assert features_of(ours) == features_of(other)


def test_deep_pages() -> None:
    """Elements may be nested as deep as the limit allows."""
    assert len(blocks("<div>" * 499 + "Some words")) == 1
    with pytest.raises(LimitError, match="more than 500 others"):
        blocks("<div>" * 501 + "Some words")


def test_many_tags() -> None:
    """Tags and entities are counted while they are read, even if they are ignored later."""
    limits = Limits(elements=10)
    classic_tree("<x>" * 50, "", limits)
    for sign in ("<x>", "&amp;", "</p>"):
        with pytest.raises(LimitError, match="more than 10 elements"):
            classic_tree(sign * 60, "", limits)


def test_what_goes_to_the_head_parts_no_text() -> None:
    """The text around a meta or link element is one text. A title ends the paragraph."""
    body = classic_tree("<p>a<meta name=x>b<link rel=y>c<title>t</title>d").find("body")
    assert body.find("p").text == "abc"
