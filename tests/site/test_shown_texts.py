"""Texts that lists show for other pages are counted by what they are, not by the lists."""

from __future__ import annotations

import pytest
from news_pages import story
from path_pages import placed, words

from scrapy_webstemmer import Page, extract, learn
from scrapy_webstemmer.page.parsing import parse_text
from scrapy_webstemmer.page.walk import layout_of
from scrapy_webstemmer.site.shown_texts import shown_texts
from scrapy_webstemmer.site.subtrees import ends_of

HOST = "shore.example"


def post(number: int, *, is_link: bool) -> str:
    """Return a post as its own page and lists show it, with its heading."""
    told = story(HOST, number)
    title = f'<a href="/story/{number}.html">{told.title}</a>' if is_link else told.title
    paragraphs = "".join(f"<p>{text}</p>" for text in told.paragraphs)
    tag = "h2" if is_link else "h1"
    head = f'<{tag} class="name">{title}</{tag}>'
    return f'<article class="post">{head}<div class="entry">{paragraphs}</div></article>'


def page_with(url: str, title: str, posts: str) -> Page:
    """Return a page of a blog, with a box in its sidebar that has headings with links, too."""
    box = "".join(
        f'<div class="tip"><h3><a href="/tips/{n}">Tip {n}</a></h3>'
        f"<p>Mind the tide when you walk number {n}.</p></div>"
        for n in range(3)
    )
    html = (
        f"<html><head><title>{title} - The Shore</title></head><body><div id='main'>{posts}</div>"
        f"<div id='side'>{box}</div><div id='foot'><p>Printed on the shore, every week.</p></div>"
        "</body></html>"
    )
    return Page(f"http://{HOST}{url}", html.encode())


def test_posts_that_lists_show_whole_are_no_boilerplate() -> None:
    """However many lists show a post, and whether its own page was learned or not, it is the post's text."""
    own = {
        number: page_with(f"/story/{number}.html", story(HOST, number).title, post(number, is_link=False))
        for number in range(1, 31)
    }
    shown = "".join(post(number, is_link=True) for number in range(1, 7))
    lists = [page_with(f"/list/{number}/", f"List {number}", shown) for number in range(5)]
    patterns = learn([*(own[number] for number in range(4, 31)), *lists])
    for number in range(1, 8):
        article = extract(own[number], patterns)
        assert article is not None
        assert article.text == story(HOST, number).text
    texts = {text for found in patterns.sites[HOST].boilerplate.values() for text in found}
    assert "mind the tide when you walk number 0." in texts  # shown on all pages, in a place of its own
    assert "printed on the shore, every week." in texts


def test_next_stories_below_each_article_are_no_boilerplate() -> None:
    """However many pages show a story below their own, its headline and its byline are its own."""

    def told(number: int) -> str:
        head = f"<h1>{story(HOST, number).title}</h1><p class=by>By {('Ann Lee', 'Bo Roe')[number % 2]}</p>"
        text = "".join(f"<p>{text}</p>" for text in story(HOST, number).paragraphs)
        return f"<article><header class=head>{head}</header>{text}</article>"

    pages = [
        page_with(f"/story/{n}.html", story(HOST, n).title, told(n) + told((n + 1) % 12) + told((n + 2) % 12))
        for n in range(12)
    ]
    patterns = learn(pages)
    article = extract(pages[0], patterns)
    assert article is not None
    assert article.text == story(HOST, 0).text
    assert [author.name for author in article.authors] == ["Ann Lee"]


def test_what_stands_below_a_heading_that_leads_to_a_page_is_shown_for_it() -> None:
    """It ends with the part of the heading; on a flat page with the next heading. One heading is none."""

    def shown(body: str) -> dict[str, str]:
        layout = layout_of("http://x.example/", parse_text(body))
        found = shown_texts(layout, ends_of(layout.parents))
        return {layout.blocks[index].text: name for index, name in found.items()}

    parts = "<div><h2><a href='/{0}'>One {0}</a></h2><p>text {0}</p></div>"
    both = shown(f"<p>before</p>{parts.format('a')}{parts.format('b')}<p>after</p>")
    assert both == {"One a": "one a", "text a": "one a", "One b": "one b", "text b": "one b"}
    flat = shown("<h2><a href='/a'>A</a></h2><p>of a</p><h2><a href='/b'>B</a></h2><p>of b</p>")
    assert flat["of a"] == "a"
    assert "of b" not in flat  # nothing says where it ends
    assert shown(parts.format("a") + "<h2>No link</h2><p>text</p>") == {}


LEAD = '<h2><a href="/next">Gale at the pier</a></h2>'
TWO = f"<p>{words(40, 20)}</p><p>{words(80, 20)}</p>"
OWN = f"<h1>Tides of May</h1><p>{words(1, 20)}</p>"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (f'{OWN}<div class="next">{LEAD}{TWO}</div>', ["body/div.next"]),
        (f"{OWN}<article>{LEAD}{TWO}</article>", ["body/article"]),
        (f'{OWN}<div class="next"><div>{LEAD}</div>{TWO}</div>', ["body/div.next"]),
        (f'{OWN}<div class="next"><a href="/n"><h2>Gale</h2></a>{TWO}</div>', ["body/div.next"]),
        (
            '<h1><a href="/">Tides of May</a></h1>' + OWN[21:] + f"<article>{LEAD}{TWO}</article>",
            ["body/article"],
        ),
        # a heading like that of the page, in an article: it need not be a link
        (f"<article>{OWN}</article><article><h1>Gale</h1>{TWO}</article>", ["body/article"]),
        (f"<article>{OWN}</article><div><article><h1>Gale</h1>{TWO}</article></div>", ["body/div"]),
        (f"<article>{OWN}<article><h2>Gale</h2>{TWO}</article></article>", []),
        (f'<div>{OWN}</div><div class="next"><h1>Gale</h1>{TWO}</div>', []),
        # no headline, or one that leads nowhere, to another site, or names the page itself
        (f'{OWN}<div class="next">{TWO}</div>', []),
        (f'{OWN}<div class="next"><h2>Gale</h2>{TWO}</div>', []),
        (f'{OWN}<div class="next"><h2><a href="http://b.example/">Gale</a></h2>{TWO}</div>', []),
        (f'{OWN}<div class="next"><h2><a href="/x">Tides of May</a></h2>{TWO}</div>', []),
        # the author's part, a picture, and a row of pictures, each with a text
        (f"{OWN}<div>{LEAD}{TWO}</div>", []),
        (f'{OWN}<div class="box">{LEAD}<p>{words(40, 20)}</p></div>', []),
        (f'{OWN}<div class="row">{f"<div>{LEAD}<p>{words(40, 20)}</p></div>" * 2}</div>', []),
        # neither the page's title nor its text stands before it
        (f'<div class="next">{LEAD}{TWO}</div>{OWN}', []),
        (f'<h1>Tides of May</h1><div class="next">{LEAD}{TWO}</div>', []),
    ],
)
def test_another_story_in_full(body: str, found: list[str]) -> None:
    """It is a part of the template that begins with the headline of another page, with several paragraphs."""
    page = placed(body, titles=["Tides of May"])[0]
    assert [page.paths[node] for node in page.stories] == found
    assert all(page.repeated[node] and page.leading[node] for node in page.stories)
    assert placed(body, titles=[""])[0].stories == []
