from __future__ import annotations

from scrapy_webstemmer.classic.layouts_2009 import features_of
from scrapy_webstemmer.page.parsing import parse, parse_text
from scrapy_webstemmer.page.tags import CLASSIC
from scrapy_webstemmer.page.walk import layout_of
from scrapy_webstemmer.values import Page


def blocks(html: str) -> list[tuple[str, str]]:
    """Return the feature and the text of each block of a page."""
    page = Page(url="http://example.com/", body=html.encode())
    layout = layout_of(page.url, parse(page), CLASSIC)
    features = features_of(layout)
    return [(features[block.node], block.text) for block in layout.blocks]


def test_feature_is_the_end_of_the_path() -> None:
    """A feature names the last three block tags. Other tags are ignored."""
    html = "<body><div><table><tr><td><section><b>one cell</b></section></td></tr></table></div>"
    assert blocks(html) == [("table/tr/td", "one cell")]


def test_telling_attributes_are_part_of_the_feature() -> None:
    """Only six attributes count, in alphabetical order and lower case, with their white space."""
    html = '<p valign=TOP id=A style="x" rowspan=2 colspan=3 class="b  C " align=left>some text</p>'
    assert blocks(html) == [
        ("p:align=left:class=b  c :colspan=3:id=a:rowspan=2:valign=top", "some text"),
    ]


def test_signs_outside_ascii_are_question_marks() -> None:
    """Of an attribute value in another script, only the length is kept."""
    assert blocks('<p class="日本x">some text</p>') == [("p:class=??x", "some text")]


def test_text_outside_block_tags_has_the_empty_feature() -> None:
    """Text directly in the body, before a block tag, is a block with the empty feature."""
    assert blocks("<html><body class=a>loose text<p>some text</p></body></html>")[0] == ("", "loose text")


def test_text_after_the_last_block_tag_is_lost() -> None:
    """The last run of text is not a block, since nothing ends it."""
    assert blocks("<body><p>some text</p><b>more text</b>") == [("p", "some text")]


def test_text_before_and_after_an_inner_block_has_the_same_feature() -> None:
    """An inner block divides its parent's text into two blocks."""
    assert blocks("<div>text before<p>text inside</p>text after</div>") == [
        ("div", "text before"),
        ("div/p", "text inside"),
        ("div", "text after"),
    ]


def test_breaks_cut_without_naming() -> None:
    """The texts before and after br or hr are two blocks of one feature."""
    assert blocks("<p>first line<br>second line<hr></p>") == [("p", "first line"), ("p", "second line")]


def test_empty_elements_do_not_cut() -> None:
    """A block tag without content is ignored."""
    assert blocks("<p>first <span class=icon></span>second</p>") == [("p", "first second")]
    assert blocks("<p>first <span class=icon> </span>second</p>") == [("p", "first"), ("p", "second")]


def test_title_comes_first() -> None:
    """The title element is the first block."""
    html = (
        "<html><head><title>A page</title><style>body {}</style></head><body><p>some text</p></body></html>"
    )
    assert blocks(html) == [("title", "A page"), ("p", "some text")]


def test_short_blocks_are_dropped() -> None:
    """A block has at least five significant characters. Underscores and digits are significant."""
    assert blocks("<p>four</p><p>t e n 10</p><p>under_</p><p>(...!?)</p>") == [
        ("p", "t e n 10"),
        ("p", "under_"),
    ]


def test_drop_caps_are_text() -> None:
    """An alt of one letter belongs to the text, if the block begins with its image."""
    assert blocks("<p><img alt=O>nce upon a time</p>") == [("p", "Once upon a time")]
    assert blocks("<p>Once <img alt=O>upon a time</p>") == [("p", "Once upon a time")]
    assert blocks("<p><img alt=Once>upon a time</p>") == [("p", "upon a time")]


def test_skipped_elements_do_not_cut() -> None:
    """Scripts, styles, options and comments are skipped. The text around them is one block."""
    html = "<p>some <!-- no --><script>x = 1</script><select><option>choice</option></select>text</p>"
    assert blocks(html) == [("p", "some text")]


def test_white_space_is_folded_in_preformatted_text() -> None:
    """A block is one line, also under pre."""
    assert blocks("<pre>first line\n   second line</pre>") == [("pre", "first line second line")]


def test_long_attributes() -> None:
    """Of long attributes the beginning counts, so that many elements in one of them take little memory."""
    html = f'<div class="{"x" * 9_000}">{"<p>Some words of a text" * 200}</div>'
    features = features_of(layout_of("", parse_text(html), CLASSIC))
    assert max(map(len, features)) < 600
    assert len({id(feature) for feature in features}) == len(set(features))
