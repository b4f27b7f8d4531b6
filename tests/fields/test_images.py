from __future__ import annotations

import pytest
from path_pages import layout, place

from scrapy_webstemmer.extraction.article_html import render
from scrapy_webstemmer.fields.image_sources import image_tags
from scrapy_webstemmer.fields.images import article_images, pictures
from scrapy_webstemmer.page.markup import attributes_of
from scrapy_webstemmer.values import Pattern

PATTERN = Pattern("p", "article", 1.0, 5, (), container="body/div#c", excluded=("body/div#c/div.share",))


def images_on(body: str) -> list[str]:
    """Return the sources of a page's images. The main text is all blocks with "text" in them."""
    page = place([layout(body)], vocabulary_pages=1)[0]
    main = [index for index, block in enumerate(page.layout.blocks) if "text" in block.text]
    markup = page.layout.markup
    images = [markup.images[index] for index in article_images(page, PATTERN, main)]
    return [attributes_of(markup.pieces[image.piece])["src"] for image in images]


def test_images_of_the_text() -> None:
    """Images in figures, paragraphs and other elements between the text's blocks are the article's."""
    body = (
        "<img src=0><div id=c><figure><img src=1></figure><p>text</p><p><a href=/x><img src=2></a></p>"
        "<div class=wide><img src=3></div><div class=wide><a href=/big.JPG?x=1><img src=4></a></div>"
        "<blockquote><img src=5><p>text</p></blockquote></div><p><img src=6></p>"
    )
    assert images_on(body) == ["1", "2", "3", "4", "5"]


def test_images_of_the_template() -> None:
    """Buttons, portraits, and images in excluded parts or lists of teasers are not the article's."""
    teaser = "<div class=teaser><img src=4><h3><a href=/x>more</a></h3></div>"
    body = (
        "<div id=c><div class=share><img src=1></div><div class=by><img src=2><p>Ann</p></div><p>text</p>"
        f"<div class=ad><a href=http://ad.example/><img src=3></a></div>{teaser * 3}</div>"
    )
    assert images_on(body) == []


GALLERIES = (
    "<figure><img src={0}></figure>",
    "<figure class=wide><a href=/big{0}.jpg><img src={0}></a></figure>",
    "<div class=item><a href=/big{0}.jpg><img src={0}></a></div>",
    "<dl class=item><dt class=icon><a href=/big{0}.jpg><img src={0}></a></dt><dd>caption</dd></dl>",
)


@pytest.mark.parametrize("entry", GALLERIES)
@pytest.mark.parametrize(
    "page", ["<p>text</p>{}", "<p>text</p>{}<p>text</p>", "<div class=b><p>text</p></div>{}"]
)
def test_a_gallery(entry: str, page: str) -> None:
    """The pictures of a gallery are the article's, within the text or behind it, linked or not."""
    gallery = "".join(map(entry.format, range(1, 5)))
    body = page.format(f"<div class=gallery>{gallery}</div>")
    assert images_on(f"<div id=c>{body}</div>") == ["1", "2", "3", "4"]
    assert images_on(f"<div id=c>{page.format('')}</div>{gallery}") == []


@pytest.mark.parametrize(
    "entry",
    [
        "<div class=t><a href=/{0}><img src={0}></a></div>",
        "<div class=t><a href=/big{0}.jpg><img src={0}></a><a href=/{0}>more</a></div>",
        "<li><a href=/{0}><img src={0}></a></li>",
    ],
)
def test_teasers_are_no_gallery(entry: str) -> None:
    """Pictures that link to other pages, or stand beside links to them, are not the article's."""
    teasers = "".join(map(entry.format, range(1, 5)))
    for body in (f"<p>text</p><ul>{teasers}</ul>", f"<div class=b><p>text</p></div><ul>{teasers}</ul>"):
        assert images_on(f"<div id=c>{body}</div>") == []


def test_a_single_paragraph() -> None:
    """If the text is one paragraph, the images beside it count. Without text there are no images."""
    assert images_on("<div id=c><div class=wide><img src=1></div><p>text</p></div>") == ["1"]
    assert images_on("<div id=c><img src=1></div>") == []


def captions_on(figures: str) -> list[tuple[str, str | None, str | None]]:
    """Return the end of the url, the text and the caption of each image beside a text."""
    page = place([layout(f"<div id=c><p>text</p>{figures}<p>text</p></div>")], vocabulary_pages=1)[0]
    blocks = range(len(page.layout.blocks))
    images = image_tags(page.layout, article_images(page, PATTERN, blocks))
    found = pictures(page, images, render(page.layout, blocks, images))
    return [(one.url.rpartition("/")[2], one.alt, one.caption) for one in found]


@pytest.mark.parametrize(
    ("figures", "expected"),
    [
        (
            "<figure><img src=1 alt=' a  b '><figcaption>A <b>seal</b></figcaption></figure>",
            [("1", "a b", "A seal")],
        ),
        ("<figure><a href=1.jpg><img src=1></a></figure><p class=caption>b</p>", [("1", None, None)]),
        (
            "<div class=wp-caption><p><img src=1></p><p class=wp-caption-text>A seal</p></div>",
            [("1", None, "A seal")],
        ),
        (
            "<figure><img src=1><img src=2><figcaption>two</figcaption></figure>",
            [("1", None, "two"), ("2", None, "two")],
        ),
        ("<p><img src=1></p><p><img src=2></p>", [("1", None, None), ("2", None, None)]),
        ("<p>a <img src=1 alt='&lt;b&gt;\"'> b</p>", [("1", '<b>"', None)]),
        ("<p><img src=1><img src=1><img src=2 width=1></p>", [("1", None, None)]),
        (f"<figure><img src=1><figcaption>{'long ' * 300}</figcaption></figure>", [("1", None, None)]),
    ],
)
def test_captions(figures: str, expected: list[object]) -> None:
    """A ``figcaption`` or an element with the class of a caption is that of the image in the same element."""
    assert captions_on(figures) == expected


def test_a_placeholder_in_a_link_to_a_picture_is_that_picture() -> None:
    """A link around a picture without an address leads to the picture."""
    page = layout("<a href=/real/7.jpg><img src='data:image/gif;base64,R0lGOD'></a><p>text</p>")
    assert "/real/7.jpg" in image_tags(page, [0])[0]
