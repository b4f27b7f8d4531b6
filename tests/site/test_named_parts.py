"""Parts of a page by their names."""

from __future__ import annotations

import pytest
from path_pages import layout, place, words

from scrapy_webstemmer import Page, extract, learn
from scrapy_webstemmer.site.named_parts import in_footer, kind_of
from scrapy_webstemmer.values import Step

TEXT = "<div class=body><p>The ferry is late.</p></div>"


@pytest.mark.parametrize(
    ("body", "is_own"),
    [
        (f"<div class=post>{TEXT}<div class=post-footer>Ann Lee</div></div>", True),
        (f"<article>{TEXT}<footer>Ann Lee</footer></article>", True),
        (f"<article>{TEXT}</article><footer>Ann Lee</footer>", False),
        (f"<article>{TEXT}</article><article><p>x</p><footer>Ann Lee</footer></article>", False),
        (f"<article>{TEXT}<footer><div class=related>Ann Lee</div></footer></article>", False),
        (f"<div class=post>{TEXT}<div>Ann Lee</div></div>", False),
    ],
)
def test_an_article_has_a_footer_of_its_own(body: str, is_own: bool) -> None:
    """It has the article's name, or stands in the same element ``article`` as the text."""
    (page,) = place([layout(body)])
    blocks = page.layout.blocks
    node = next(block.node for block in blocks if block.text == "Ann Lee")
    assert in_footer(page.layout, page.ends, node, blocks[0].node) is is_own


@pytest.mark.parametrize(
    ("name", "is_text"), [("entry-meta", False), ("postmetadata", False), ("lead", True)]
)
def test_the_line_of_metadata_is_no_text(name: str, is_text: bool) -> None:
    """Where few pages of the site are known, its name tells it; its day is read all the same."""

    def page(number: int) -> Page:
        line = f"<div class={name}>May {number}, 2026 | Ann Lee{number} | {words(7 * number, 4)}</div>"
        body = f"<div class=post><h1>{words(number, 5)}</h1>{line}<p>{words(9 * number, 60)}.</p></div>"
        return Page(f"https://harbour.example/{number}/{number}", f"<body>{body}".encode())

    article = extract(page(4), learn([*map(page, (3, 5, 6, 7))]))
    assert (words(28, 4) in article.text) is is_text
    assert article.date_published == "2026-05-04"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("gull_block_related_posts", "related"),
        ("gull-related-article-row", "related"),
        ("un-related-row", ""),
        ("gull-block-latest-posts__list", "related"),
        ("recentArticles", "related"),
        ("latest-update", ""),
        ("social-embed", ""),
        ("social-box", "social"),
    ],
)
def test_related_posts_are_no_text_whatever_else_is_in_their_name(name: str, kind: str) -> None:
    """Themes put their own name before it, and what is a part of it behind."""
    assert kind_of(Step("div", "", ("row", name))) == kind


SECTION = "<section id={0}><h2>{1}</h2><p>{2}</p></section>"


@pytest.mark.parametrize(
    ("names", "is_text"),
    [
        (("related-work", "2.1 Related work ¶", "boats", "Boats"), True),
        (("cookies", "Cookies", "boats", "Boats"), True),
        (("cookies class=box-cookies", "Cookies", "boats", "Boats"), False),
        (("related-posts", "Related posts", "comments", "3 comments"), False),
        (("related-posts", "Related posts", "boats", "Ships"), False),
        (("related", "More", "boats", "Boats"), False),
    ],
)
def test_a_section_whose_id_comes_from_its_heading_is_text(
    names: tuple[str, str, str, str], is_text: bool
) -> None:
    """Programs for documentation make such ids; those of a template have no such section beside them."""
    own = words(1, 20)
    (page,) = place([layout(SECTION.format(*names[:2], own) + SECTION.format(*names[2:], words(30, 60)))])
    node = next(block.node for block in page.layout.blocks if block.text == own)
    assert bool(page.repeated[node]) is not is_text


@pytest.mark.parametrize(
    ("inside", "behind", "is_text"),
    [
        ("", "<p>{}</p>", True),
        ("", "<div>{}</div>", False),
        ("", "", False),
        ('<a href="/more">More</a>', "<p>{}</p>", False),
        ("<form><p>Send it</p></form>", "<p>{}</p>", False),
    ],
    ids=["text", "box behind", "end", "link", "form"],
)
def test_a_section_in_running_text_is_text(inside: str, behind: str, is_text: bool) -> None:
    """One whose id comes from its heading needs no other beside it, if it is between paragraphs."""
    own = words(1, 20)
    section = f'<div id="related-work"><h2>Related work</h2><p>{own}</p>{inside}</div>'
    (page,) = place([layout(f"<p>{words(30, 60)}</p>{section}{behind.format(words(90, 60))}")])
    node = next(block.node for block in page.layout.blocks if block.text == own)
    assert bool(page.repeated[node]) is not is_text


@pytest.mark.parametrize(
    ("name", "behind", "is_text"),
    [
        ("id=market-share", "<p>{}</p>", True),
        ("id=footer", "", False),
        ("id=market-share class=share", "<p>{}</p>", False),
    ],
)
def test_a_table_in_running_text_is_text(name: str, behind: str, is_text: bool) -> None:
    """Its id names what it shows. Old templates are made of tables: one that stands elsewhere is a part."""
    own = words(1, 20)
    body = f"<p>{words(30, 60)}</p><table {name}><tr><th>Year<td>{own}</table>{behind.format(words(90, 60))}"
    (page,) = place([layout(body)])
    node = next(block.node for block in page.layout.blocks if block.text == own)
    assert bool(page.named[node]) is not is_text


def test_a_listing_with_a_button_is_no_toolbar() -> None:
    """The class ``code-toolbar`` stands around listings."""
    listing = "<div class=code-toolbar><pre>print(harbour)</pre><button>Copy</button></div>"
    article = extract(f"<h1>Lamps</h1><p>{words(1, 40)}</p>{listing}<p>{words(50, 40)}</p>")
    assert article.text.split("\n")[1:-1] == ["print(harbour)"]


LONG = f"<p>{words(1, 200)}</p>"


def test_a_long_heading_gives_no_id() -> None:
    """An id comes from a heading of usual length, so that no page takes long."""
    section = "<section id={0}><h2>{0} {1}</h2><p>{0}</p></section>"
    for length, is_text in ((5, True), (200, False)):
        (page,) = place(
            [layout(section.format("related", "x" * length) + section.format("boats", "") + LONG)]
        )
        node = next(block.node for block in page.layout.blocks if block.text == "related")
        assert bool(page.repeated[node]) is not is_text
