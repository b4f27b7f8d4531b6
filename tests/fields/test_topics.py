"""Which topics an article has, where its site has taught no place."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from news_pages import articles

from scrapy_webstemmer import Page, extract, learn

TEXT = "".join(
    f"<p>{'The harbour was quiet, and nobody saw the boat that left. ' * 3}{at}</p>" for at in range(5)
)
OWN = '<p class="filed">In <a href="/category/news/" rel="category tag">News</a></p>'
CLOUD = "".join(
    f'<a href="/tag/{name}/" class="tag-cloud-link">{name}</a> ' for name in ("bells", "eels", "ice")
)


def topics_of(after: str, before: str = "", around: str = "") -> Sequence[str]:
    """Return the topics of a page with a heading, its text, and something around them."""
    body = f"<h1>A quiet harbour</h1>{before}<div class=text>{TEXT}</div>{after}"
    page = f"<html lang=en><title>A quiet harbour</title><body><article>{body}</article>{around}"
    return extract(page, url="http://a.example/quiet/").tags


@pytest.mark.parametrize(
    "line",
    [
        OWN,
        '<div class="news-category">News</div>',
        '<ul><li><a href="/taxonomy/term/4">News</a></li></ul>',
        "<p><a href=/kategorie/news/>News</a></p>",
        "<p>Tags: News</p>",
        "<p>Themen: <a href=/thema/news>#News</a></p>",
        "<div><span>Temas</span> <a href=/temas/news>News</a></div>",
        "<dl><dt>Details</dt><dd class=category-name>Category: <a href=/news>News</a></dd></dl>",
        "<p>Etiketter: News.</p>",
        "<p>Diese Seite hat die Tags: News</p>",
        "<div><b>Schlagworte:</b><p><a href=/schlagworte/news>News</a></p></div>",
        "<p>标签：News</p>",
    ],
)
def test_a_line_that_names_topics_or_categories(line: str) -> None:
    """Marked categories and labelled lines count below the text, and between it and the title."""
    assert topics_of(line) == ("News",)
    assert topics_of("", before=line) == ("News",)


def test_a_line_of_several() -> None:
    """Commas divide what has no links."""
    assert topics_of("<p>Labels: seals, boats; the tide</p>") == ("seals", "boats", "the tide")
    assert topics_of("<p>Labels: a sentence that goes on for so long that it can be no topic</p>") == ()


def test_topics_come_before_categories() -> None:
    """Who gives an article topics has chosen them for it."""
    assert topics_of(f"{OWN}<p><a href=/tag/seals/ rel=tag>Seals</a></p>") == ("Seals",)
    assert topics_of(f"{OWN}<p>Tags: <a href=/t/1>Seals</a></p>") == ("Seals",)


@pytest.mark.parametrize("name", ["Uncategorized", "Non classé", "Sin categoría", "Без рубрики", "未分類"])
def test_no_category_is_none(name: str) -> None:
    """What publishing systems call the category of what is in none says nothing."""
    assert topics_of(OWN.replace("News", name)) == ()


@pytest.mark.parametrize(
    "cloud",
    [
        f"<div class=tagcloud>{CLOUD}</div>",
        f"<aside>{CLOUD}</aside>",
        f"<div id=sidebar>{CLOUD}</div>",
        f"<footer>{CLOUD}</footer>",
        f"<div class=widget_tag_cloud>{CLOUD.replace('<a', '<a rel=tag')}</div>",
    ],
)
def test_a_cloud_has_the_topics_of_the_site(cloud: str) -> None:
    """Without topics of its own an article has its categories, or none."""
    assert topics_of("", around=cloud) == ()
    assert topics_of(OWN, around=cloud) == ("News",)


def test_a_single_page_teaches_no_cloud() -> None:
    """What a page shows of the topics of its site is no place of its own topics if no other page tells so."""
    cloud = "<aside><div class=tagcloud><a rel=tag href=/tag/eels>eels</a></div></aside>"
    own = "<footer><a rel=tag href=/tag/seals>seals</a></footer>"
    body = f"<title>A quiet harbour</title><article><h1>A quiet harbour</h1>{TEXT}{own}</article>{cloud}"
    page = Page("http://a.example/quiet/", f"<html lang=en>{body}".encode())
    assert extract(page, learn([page])).tags == ("seals",)


def test_a_menu_of_categories() -> None:
    """A list of them, or a menu, is that of the site."""
    menu = "".join(f"<li><a href=/category/{name}/>{name}</a></li>" for name in ("bells", "eels", "ice"))
    assert topics_of("", around=f"<nav><ul>{menu}</ul></nav>") == ()
    assert topics_of("", around=f"<div><ul>{menu}</ul></div>") == ()


def test_learned_places_of_categories() -> None:
    """A site whose articles have categories alone teaches where they stand; all of them come out."""
    names = ["Harbour", "Village", "Weather"]
    pages = [
        _filed(page, [names[at % 3], names[(at + 1) % 3]])
        for at, page in enumerate(articles("a.example", 12))
    ]
    patterns = learn(pages[:9])
    site = patterns.site_of("http://a.example/")
    assert site is not None
    places = [place.field for pattern in site.patterns for place in pattern.places]
    assert "categories" in places
    for at, page in enumerate(pages[9:], 9):
        article = extract(page, patterns)
        assert article is not None
        assert article.tags == (names[at % 3], names[(at + 1) % 3])


def _filed(page: Page, names: Sequence[str]) -> Page:
    """Return a page whose article is filed under some categories."""
    links = ", ".join(f'<a href="/category/{name.lower()}/" rel="category tag">{name}</a>' for name in names)
    body = page.body.replace(b"</h1>", f"</h1><p class=filed>Filed under {links}</p>".encode())
    return Page(page.url, body)


LIST = "<ul><li><a href=/t/1>Seals</a><li><a href=/t/2>Boats</a></ul>"


@pytest.mark.parametrize("label", ["<h3>Tags</h3>", "<p class=headline>Topics</p>", "Categories:"])
def test_a_list_below_a_label(label: str) -> None:
    """The links of a list are topics if a label stands before it."""
    assert topics_of(f"<div>{label}{LIST}</div>") == ("Seals", "Boats")


def test_a_cloud_below_a_label() -> None:
    """A cloud of a few topics counts, without the numbers in their links; a large one does not."""
    link = '<a class=tag-link href="/t/{0}/"><span>{0}</span><span class=count>3</span></a>'
    links = "".join(map(link.format, ("seals", "boats")))
    cloud = "<p>Tags</p><div class=tags><div class=tag-cloud>{}</div></div>"
    assert topics_of("", around=cloud.format(links)) == ("seals", "boats")
    many = "".join(map(link.format, "abcdefgh"))
    assert topics_of("", around=f"<aside>{cloud.format(many)}</aside>") == ()


def test_a_list_of_the_site() -> None:
    """Long names are titles of others."""
    titles = LIST.replace("Seals", "How the seals came back to the quiet harbour")
    assert topics_of(f"<div><h3>Topics</h3>{titles}</div>") == ()


def test_topics_in_the_bar_of_the_site() -> None:
    """A search panel in the header has topics; that of the article, with its title, has its own."""
    panel = "<header><div><a href=/tag/ice/>ice</a></div>{}</header>"
    page = "<html lang=en><title>A quiet harbour</title><body>{}<div class=text>{}</div>"
    title = "<h1>A quiet harbour</h1>"
    bar = extract(page.format(panel.format("") + title, TEXT), url="http://a.example/quiet/")
    head = extract(page.format(panel.format(title), TEXT), url="http://a.example/quiet/")
    assert (bar.tags, head.tags) == ((), ("ice",))


def test_a_text_in_what_is_named_after_a_part() -> None:
    """An element that holds the whole text is no sidebar; a page builder's text is in a widget, as all is."""
    tags = "<ul id=post-tags><li><a rel=tag href=/tag/ice/>#ice</a></ul>"
    for name in ("sidebar-container", "widget-span"):
        body = f"<div class={name}><h1>A quiet harbour</h1><div class=text>{TEXT}</div>{tags}</div>"
        page = f"<html lang=en><title>A quiet harbour</title><body>{body}"
        assert extract(page, url="http://a.example/quiet/").tags == ("ice",)
    body = f"<div class=widget-span><h1>A quiet harbour</h1><div class=text>{TEXT}</div></div>"
    page = f"<html lang=en><title>A quiet harbour</title><body>{body}<div class=widget-span>{tags}</div>"
    assert extract(page, url="http://a.example/quiet/").tags == ("ice",)
