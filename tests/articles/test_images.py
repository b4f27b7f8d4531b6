from __future__ import annotations

from path_pages import layout, place

from scrapy_webstemmer.articles.images import article_images
from scrapy_webstemmer.blocks.markup import attributes_of
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


def test_a_single_paragraph() -> None:
    """If the text is one paragraph, the images beside it count. Without text there are no images."""
    assert images_on("<div id=c><div class=wide><img src=1></div><p>text</p></div>") == ["1"]
    assert images_on("<div id=c><img src=1></div>") == []
