from __future__ import annotations

from scrapy_webstemmer.blocks.parsing import parse
from scrapy_webstemmer.blocks.tags import CLASSIC
from scrapy_webstemmer.blocks.walk import layout_of
from scrapy_webstemmer.classic.features import features_of
from scrapy_webstemmer.values import Page


def blocks(html: str) -> list[tuple[str, str]]:
    """Return feature and text of each block of a page."""
    page = Page(url="http://example.com/", body=html.encode())
    layout = layout_of(page.url, parse(page), CLASSIC)
    features = features_of(layout)
    return [(features[block.node], block.text) for block in layout.blocks]


def test_feature_is_the_end_of_the_path() -> None:
    """A feature names the last three block tags; other tags are transparent."""
    html = "<body><div><table><tr><td><section><b>one cell</b></section></td></tr></table></div>"
    assert blocks(html) == [("table/tr/td", "one cell")]


def test_telling_attributes_are_part_of_the_feature() -> None:
    """Six attributes count, in alphabetical order and lower case, with their white space; others do not."""
    html = '<p valign=TOP id=A style="x" rowspan=2 colspan=3 class="b  C " align=left>some text</p>'
    assert blocks(html) == [
        ("p:align=left:class=b  c :colspan=3:id=a:rowspan=2:valign=top", "some text"),
    ]


def test_signs_outside_ascii_are_question_marks() -> None:
    """An attribute value of another script keeps its length only."""
    assert blocks('<p class="日本x">some text</p>') == [("p:class=??x", "some text")]


def test_text_outside_block_tags_has_the_empty_feature() -> None:
    """What stands in the body itself, and before a block tag, is a block without a path."""
    assert blocks("<html><body class=a>loose text<p>some text</p></body></html>")[0] == ("", "loose text")


def test_text_after_the_last_block_tag_is_lost() -> None:
    """Nothing ends the last run of text, so it is no block."""
    assert blocks("<body><p>some text</p><b>more text</b>") == [("p", "some text")]


def test_text_before_and_after_an_inner_block_has_the_same_feature() -> None:
    """An inner block cuts its parent's text in two."""
    assert blocks("<div>text before<p>text inside</p>text after</div>") == [
        ("div", "text before"),
        ("div/p", "text inside"),
        ("div", "text after"),
    ]


def test_breaks_cut_without_naming() -> None:
    """Text before and after br or hr are two blocks of one feature."""
    assert blocks("<p>first line<br>second line<hr></p>") == [("p", "first line"), ("p", "second line")]


def test_empty_elements_do_not_cut() -> None:
    """A block tag without any content is as if it were not there."""
    assert blocks("<p>first <span class=icon></span>second</p>") == [("p", "first second")]
    assert blocks("<p>first <span class=icon> </span>second</p>") == [("p", "first"), ("p", "second")]


def test_title_comes_first() -> None:
    """The title element is a block, and the first one."""
    html = (
        "<html><head><title>A page</title><style>body {}</style></head><body><p>some text</p></body></html>"
    )
    assert blocks(html) == [("title", "A page"), ("p", "some text")]


def test_short_blocks_are_dropped() -> None:
    """Blocks of less than five significant characters are none; underscores and digits are significant."""
    assert blocks("<p>four</p><p>t e n 10</p><p>under_</p><p>(...!?)</p>") == [
        ("p", "t e n 10"),
        ("p", "under_"),
    ]


def test_drop_caps_are_text() -> None:
    """An image's alt of one letter belongs to the text, if the block begins with it."""
    assert blocks("<p><img alt=O>nce upon a time</p>") == [("p", "Once upon a time")]
    assert blocks("<p>Once <img alt=O>upon a time</p>") == [("p", "Once upon a time")]
    assert blocks("<p><img alt=Once>upon a time</p>") == [("p", "upon a time")]


def test_skipped_elements_do_not_cut() -> None:
    """Scripts, styles, options and comments are skipped, and the text goes on."""
    html = "<p>some <!-- no --><script>x = 1</script><select><option>choice</option></select>text</p>"
    assert blocks(html) == [("p", "some text")]


def test_white_space_is_folded_in_preformatted_text() -> None:
    """A block is one line, under pre too."""
    assert blocks("<pre>first line\n   second line</pre>") == [("pre", "first line second line")]
