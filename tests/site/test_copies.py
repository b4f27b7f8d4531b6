from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from path_pages import layout, words
from tree_pages import layouts

from scrapy_webstemmer.site.copies import content_of, find_answers, find_copies, plain_url
from scrapy_webstemmer.values import Layout

MENU = "<ul><li><a href='/'>Home</a></li></ul><p>All rights are with the people of the harbour.</p>"


def article(number: int, url: str = "", title: str = "", own: str = "", after: str = "") -> Layout:
    """Return an article of a site: its own text, and what all pages have."""
    text = own or "".join(f"<p>{words(10 * number + n, 30)}</p>" for n in range(3))
    page = layout(f"{MENU}{text}{after}", number, title or f"Story {words(number)} - Herald")
    return replace(page, url=url) if url else page


def others(first: int = 20, count: int = 5) -> list[Layout]:
    return [article(number) for number in range(first, first + count)]


def copies_of(*pages: Layout) -> dict[str, str]:
    return find_copies(sorted((*pages, *others()), key=lambda page: page.url))


def test_pages_with_the_same_title_and_text_are_one() -> None:
    """Copies stand for the page with the shortest url, however many there are."""
    url = "http://example.com/ferry/"
    urls = [url, f"{url}?share=x", f"{url}?share=mail", "http://example.com/index.php?p=12345678"]
    pages = [article(1, one) for one in urls]
    assert copies_of(*pages) == dict.fromkeys(urls[1:], url)


def answers(names: str) -> list[Layout]:
    """Return pages with the same title and text, but for the name of the request."""
    text = "<p>The page that you asked for could not be found. It may have moved, or never been there.</p>"
    return [
        article(n, f"http://example.com/{name}", "Not found", f"{text}<p>{words(n, 1)}</p>")
        for n, name in enumerate(names.split())
    ]


def test_what_many_urls_have_is_no_copy() -> None:
    """Pages of four names or more are the site's answer to what it does not show; a copy keeps its name."""
    pages = answers("ferry museum/9 ?p=12 2026/11/harbour")
    assert copies_of(*pages) == {}
    assert find_answers([*pages, *others()]) == {page.url for page in pages}
    assert find_answers([*pages[1:], *others()]) == set()
    assert find_answers([*pages, article(9, title="Not found"), *others()]) == set()
    named = answers("ferry ferry/amp news/ferry ferry?share=x ferry?p=1 ?p=1")
    assert find_answers([*named, *others()]) == set()


@pytest.mark.parametrize(
    "form",
    [
        "ferry/?utm_source={}",
        "ferry;sid=e{}f",
        "ferry/?replytocom={}",
        "?id=77&sid={}",
        "ferry?from=story-{}",
    ],
)
def test_an_article_under_many_urls_is_no_answer(form: str) -> None:
    """A link may add a different word to the url each time; the path, or a part of the query, stays."""
    names = [form.format(number) for number in range(5)]
    pages = [article(1, f"http://example.com/{name}") for name in names]
    programs = [article(n, f"http://example.com/?id={n}") for n in range(20, 25)]
    site = sorted([*pages, *programs], key=lambda page: page.url)
    assert find_answers(site) == set()
    assert find_copies(site) == dict.fromkeys([page.url for page in pages[1:]], pages[0].url)
    refused = [replace(page, url=f"http://example.com/?id={n}&lang=en") for n, page in enumerate(pages)]
    others_there = [replace(page, url=f"{page.url}&lang=en") for page in programs]
    assert find_answers([*refused, *others_there]) == {page.url for page in refused}


def test_a_form_of_a_url_has_the_same_text() -> None:
    """A print version has another title, and a page of comments has others. Parts of an article have not."""
    url = "http://example.com/ferry/"
    comments = ("".join(f"<p>{words(n, 30)}</p>" for n in range(first, first + 9)) for first in (300, 400))
    first, second = (article(1, after=after) for after in comments)
    forms = {
        f"{url}print/": article(1, title=f"Print: Story {words(1)}"),
        f"{url}comment-page-2/": second,
    }
    pages = [replace(page, url=form) for form, page in forms.items()]
    assert copies_of(replace(first, url=url), *pages) == dict.fromkeys(forms, url)
    parts = [article(n, f"{url}?page={n}", title=f"Ferry, part {n}") for n in (1, 2, 3)]
    assert copies_of(*parts) == {}
    program = [article(1, f"{url}?id={n}", title=f"Ferry {words(n)}") for n in range(4)]
    assert copies_of(*program) == {}


def test_what_differs_a_little_is_a_copy() -> None:
    """A form, a counter and other links below the same text make no other page."""
    url = "http://example.com/ferry/"
    answer = "<p>Reply to Marek</p><ul><li><a href='/a'>A list of other stories, drawn anew each time</a>"
    assert copies_of(article(1, url), article(1, f"{url}?replytocom=7", after=answer)) == {
        f"{url}?replytocom=7": url
    }


def test_columns_of_one_title_are_several_pages() -> None:
    """Pages of one title with other texts are no copies, though all of the site's furniture is in them."""
    pages = [article(number, title="Weather - Herald") for number in range(4)]
    assert copies_of(*pages) == {}


def test_short_notices_of_one_title_are_several_pages() -> None:
    """Where the furniture is most of a page, the few words that differ decide."""
    pages = [article(n, title="Weather", own=f"<p>{words(n, 3)}</p>") for n in range(4)]
    assert copies_of(*pages) == {}


def test_a_page_of_another_template_is_no_copy() -> None:
    """A print version has a layout of its own, which is to be learned."""
    own = f"<p>{words(1, 40)}</p>"
    pages = [article(1, own=own), article(1, "http://example.com/print/1", own=f"<section>{own}</section>")]
    assert copies_of(*pages) == {}


def test_where_all_titles_are_the_same_only_equal_pages_are_copies() -> None:
    """Nothing tells what is a page's own there, so that a small difference counts."""
    url = "http://example.com/again/"
    pages = [article(n, title="Herald", own=f"<p>{words(n, 3)}</p>") for n in range(5)]
    again = [replace(pages[0], url=url), replace(pages[1], url=f"{url}?a=1")]
    assert find_copies([*pages, *again]) == {url: pages[0].url, f"{url}?a=1": pages[1].url}


@given(st.lists(layouts(), min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_a_copy_is_of_a_page_that_is_none(pages: list[Layout], chance: random.Random) -> None:
    """An original is never a copy itself; pages that are equal to the letter always have one original."""
    named = [replace(page, url=f"http://example.com/{number}") for number, page in enumerate(pages)]
    again = [replace(page, url=f"{page.url}?{chance.randint(0, 9)}") for page in named]
    found = find_copies(sorted([*named, *again], key=lambda page: page.url))
    assert not set(found) & set(found.values())
    for page, copy in zip(named, again, strict=True):
        assert found[copy.url] == found.get(page.url, page.url)


def test_articles_of_two_paths_are_two() -> None:
    """The digest of an article has its path, title and text, but not the query."""
    one = content_of("http://example.com/1", "Title", "Text")
    assert one == content_of("https://example.com/1?share=x", "Title", "Text")
    for form in (
        "www.example.com/1/",
        "example.com/1.html",
        "m.example.com/1/index.php",
        "example.com/amp/1",
    ):
        assert one == content_of(f"https://{form}", "Title", "Text")
    assert one != content_of("http://example.com/ja/1", "Title", "Text")
    assert one != content_of("http://example.org/1", "Title", "Text")
    assert one != content_of("http://example.com/1", "TitleText", "")


def test_a_canonical_url_with_another_path_is_not_believed() -> None:
    """A template may state its front page as canonical on all pages."""
    url = "http://example.com/ferry?share=x"
    assert plain_url(url, "https://example.com/ferry") == "https://example.com/ferry"
    assert plain_url(url, "http://example.com/") == url
    assert plain_url(url, None) == url
    assert plain_url("http://example.com/ferry", "http://example.com/ferry?a=1") == "http://example.com/ferry"
