from __future__ import annotations

import pytest
from path_pages import layout, place

from scrapy_webstemmer.extraction.article_html import render
from scrapy_webstemmer.fields.image_sources import image_tags
from scrapy_webstemmer.fields.images import article_images, first_picture, media_in, pictures
from scrapy_webstemmer.page.markup import attributes_of
from scrapy_webstemmer.values import Pattern

PATTERN = Pattern("p", "article", 1.0, 5, (), container="body/div#c", excluded=("body/div#c/div.share",))


def images_on(body: str, title: str = "") -> list[str]:
    """Return the sources of a page's images. The main text is all blocks with "text" in them."""
    page = place([layout(body)], vocabulary_pages=1)[0]
    main = [index for index, block in enumerate(page.layout.blocks) if "text" in block.text]
    markup = page.layout.markup
    images = [markup.images[index] for index in article_images(page, PATTERN, main, title)]
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


@pytest.mark.parametrize(
    ("before", "images"),
    [
        ("<h1>A</h1><figure><img src=1.jpg><figcaption>A seal</figcaption></figure>", ["1.jpg"]),
        (
            "<div class=hero><img src=1.jpg width=900></div><h1>A</h1><div><img src=2.jpg></div>",
            ["1.jpg", "2.jpg"],
        ),
        ("<h1>A</h1><div class=lead><a href=/big.jpg><img src=1.jpg></a></div>", ["1.jpg"]),
        ("<h1>A</h1><div><a href=/shop><img src=1.jpg></a></div><p><img src=/icons/share.png></p>", []),
        ("<h1>A</h1><div class=by><img src=1.jpg width=48 height=48><p>Ann</p></div>", []),
        ("<h1>A</h1><div class=author-photo><img src=1.jpg></div><aside><img src=2.jpg></aside>", []),
    ],
)
def test_the_picture_that_leads_to_the_text(before: str, images: list[str]) -> None:
    """A large picture between title and text is the article's; above the title only in one ``article``."""
    body = "<header><img src=0.jpg></header><{0}>" + before + "<div id=c><p>text</p><p>text</p></div></{0}>"
    assert images_on(body.format("article"), "body/article/h1") == images
    assert images_on(body.format("article"), "body/article/h2") == []
    below = [image for image in images if "hero" not in before or image != "1.jpg"]
    assert images_on(body.format("section"), "body/section/h1") == below


GALLERIES = (
    "<figure><img src={0}></figure>",
    "<figure class=wide><a href=/big{0}.jpg><img src={0}></a></figure>",
    "<div class=item><a href=/big{0}.jpg><img src={0}></a></div>",
    "<dl class=item><dt class=icon><a href=/big{0}.jpg><img src={0}></a></dt><dd>caption</dd></dl>",
)


@pytest.mark.parametrize("entry", GALLERIES)
@pytest.mark.parametrize("page", ["<p>text</p>{}", "<p>text</p>{}<p>text</p>"])
def test_a_gallery(entry: str, page: str) -> None:
    """The pictures of a gallery are the article's, between its paragraphs or behind them, linked or not."""
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


@pytest.mark.parametrize(
    "image",
    [
        "<img src=/none.gif file=/seal.jpg class=zoom>",
        "<img data-src='/seal-{width}x.jpg' src=/seal.jpg>",
        "<img data-src='/seal-{width}x.jpg' src=/blank.gif><noscript><img src=/seal.jpg></noscript>",
        "<img src='/seal.jpg?w=20&amp;blur=50' srcset='/small.jpg 400w, /seal.jpg 1200w'>",
        "<img src='/w_16,e_blur:900/s.jpg' srcset='/seal.jpg 1200w'>",
        "<img src='/seal.jpg' srcset='/larger.jpg 1200w' style='max-width:1px'>",
    ],
)
def test_the_address_of_a_picture_that_a_script_loads(image: str) -> None:
    """It is no part of an address that a script completes, and not that of a picture for the time before."""
    assert '<img src="http://example.com/seal.jpg"' in html_of(f"<p>text</p><p>{image}</p>")


def html_of(body: str) -> str:
    """Return the HTML of a page with this body, with all its blocks and the images between them."""
    page = place([layout(f"<div id=c>{body}</div>")], vocabulary_pages=1)[0]
    blocks = range(len(page.layout.blocks))
    return render(page.layout, blocks, image_tags(page.layout, article_images(page, PATTERN, blocks)))


@pytest.mark.parametrize(
    "image",
    [
        "<img src=/plugins/lazy_placeholder.gif alt=Seals>",
        "<img src=/blank.gif class=lazy>",
        "<img src=/img/spacer.gif>",
        "<img src='/Placeholder%20Image.png.webp'>",
        "<img src=/img/pixel.gif>",
        "<img src=https://count.example/watch/7 style='position:absolute; left:-9999px'>",
        "<img src=https://count.example/watch?id=7 style='width:1px; height:1px'>",
        "<img src=/loader.png style='display: none'>",
    ],
)
def test_placeholders_are_no_images(image: str) -> None:
    """A file that a script replaces is no picture, nor is one that counts visits."""
    assert html_of(f"<p>text</p><p>{image}</p><p>more {image}</p>") == "<p>text</p><p>more</p>"
    real = image.replace("<img ", "<img data-src=/seal.jpg ")
    assert ("seal.jpg" in html_of(f"<p>text</p><p>{real}</p>")) == ("style" not in image or "none" in image)


@pytest.mark.parametrize("name", ["pixel-8-review.jpg", "blank-page.png", "loading-dock.jpg", "clear.jpg"])
def test_pictures_with_the_name_of_a_placeholder(name: str) -> None:
    """A name with other words is that of a picture, and so is a photo with a short one."""
    assert name in html_of(f"<p>text</p><p><img src=/{name}></p>")


def test_the_text_of_a_placeholder() -> None:
    """A text that programs write for a picture that is not there yet says nothing."""
    assert html_of("<p>text</p><p><img src=/a.jpg alt=blank></p>").endswith('a.jpg" alt=""></p>')


@pytest.mark.parametrize(
    ("image", "text"),
    [
        ("<img src=/1f633.png class='smilie smilie--emoji' alt=😳>", "😳"),
        ("<img src=/images/emoji/twitter/frowning.png?v=9 alt=':frowning:'>", ":frowning:"),
        ("<img src=/gx/smile.png alt=':-)'>", ":-)"),
        ("<img src=/forum/smilies/1.gif>", ""),
    ],
)
def test_emoji_are_text(image: str, text: str) -> None:
    """A sign that is written as a picture stays in its line as a text, and is no picture."""
    assert html_of(f"<p>text</p><p>So so {image}</p>") == f"<p>text</p><p>So so {text}</p>".replace(
        " </p>", "</p>"
    )
    assert "<img" not in html_of(f"<p>text</p><p>{image}</p>")


def test_copies_of_a_picture() -> None:
    """A picture that is shown again without a text between, in another size, comes once, with its text."""
    copies = "<div><img src='/a.jpg?w=400'></div><div><img src='/a-300x200.jpg' alt=Seals></div>"
    assert html_of(f"<p>text</p>{copies}<p>text</p>").count("<img") == 1
    assert 'alt="Seals"' in html_of(f"<p>text</p>{copies}<p>text</p>")
    assert (
        html_of(f"<p>text</p>{'<p>text</p>'.join(['<div><img src=/a.jpg></div>'] * 2)}<p>text</p>").count(
            "<img"
        )
        == 2
    )
    made = "<div><img src='/image?url=a.jpg'></div><div><img src='/image?url=b.jpg'></div>"
    assert html_of(f"<p>text</p>{made}<p>text</p>").count("<img") == 2
    cells = "<tr><td><img src=/yes.png></td><td><img src=/yes.png></td><td>text</td></tr>"
    assert html_of(f"<p>text</p><table>{cells}</table>").count("<img") == 2


def test_a_figure_whose_caption_is_no_text() -> None:
    """A picture is the article's though its caption was left out, but not with other words beside it."""
    caption = "<figcaption>A seal</figcaption>"
    named = "<div class=wp-caption><img src=2><p class=wp-caption-text>Two seals</p></div>"
    assert images_on(f"<div id=c><p>text</p><figure><img src=1>{caption}</figure>{named}</div>") == ["1", "2"]
    figure = f"<figure><img src=1><p>Buy</p>{caption}</figure>"
    assert images_on(f"<div id=c><p>text</p>{figure}<p>text</p></div>") == []


@pytest.mark.parametrize(
    ("name", "images"),
    [("message-avatar", []), ("cta-box", []), ("author-photo", []), ("post author-lee", ["1"])],
)
def test_portraits_and_calls(name: str, images: list[str]) -> None:
    """The picture of an author, and that of a call to do something, is not the article's."""
    box = f"<div class='{name}'><div class=in><img src=1></div><p>Buy</p></div>"
    assert images_on(f"<div id=c><p>text</p>{box}<p>text</p></div>") == images


@pytest.mark.parametrize(
    ("before", "url"),
    [
        ("", "http://example.com/seal.jpg"),
        ("<p><img src=/icons/a.png></p><p><img src=/b.svg></p>", "http://example.com/seal.jpg"),
        ("<p><img src=/c.jpg width=80 height=90></p>", "http://example.com/seal.jpg"),
        ("<p><img src=/d.jpg width=800 height=600></p>", "http://example.com/d.jpg"),
    ],
)
def test_the_first_picture(before: str, url: str) -> None:
    """It is no drawing, no sign of the site, and not small."""
    page = place(
        [layout(f"<div id=c><p>text</p>{before}<p><img src=/seal.jpg></p></div>")], vocabulary_pages=1
    )[0]
    tags = image_tags(page.layout, article_images(page, PATTERN, [0]))
    assert first_picture(page, tags) == url
    assert first_picture(page, {}) == ""


def test_films_and_recordings() -> None:
    """Players and media in the element that holds the text are the article's; of several forms the first."""
    body = (
        "<iframe src=https://www.youtube.com/embed/no></iframe><div id=c><p>text</p>"
        "<div><iframe data-src=//www.youtube.com/embed/abc></iframe><iframe src=http://ad.example/></iframe></div>"
        "<video src=/a.mp4></video><audio><source src=/b.mp3><source src=/b.ogg></audio><p>text</p></div>"
    )
    page = place([layout(body)], vocabulary_pages=1)[0]
    media = media_in(page, [0, 1])
    assert [url.rpartition("/")[2] for url in media["video"]] == ["abc", "a.mp4"]
    assert [url.rpartition("/")[2] for url in media["audio"]] == ["b.mp3"]
