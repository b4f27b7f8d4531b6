"""Pages that are written otherwise: their articles' texts stay, and so does what belongs together."""

from __future__ import annotations

import news_pages
import pytest
from corpora import Corpus, LearnPage
from lxml import html
from rewrites import OTHER_URLS, REWRITES, other_key
from rewritten import rewritten

from scrapy_webstemmer.base.urls import link_key
from scrapy_webstemmer.values import Page

HOST = "daily.example"


def texts(page: Page) -> list[str]:
    """Return the words of a page's body."""
    return " ".join(html.document_fromstring(page.body.decode()).find("body").itertext()).split()


@pytest.mark.parametrize("name", REWRITES)
def test_pages_written_otherwise_have_their_texts(name: str) -> None:
    """No word is lost, something changes, and the same page is always written in the same way."""
    pages = [*news_pages.articles(HOST, 6)]
    changed = [*map(REWRITES[name], pages)]
    assert all(set(texts(before)) <= set(texts(after)) for before, after in zip(pages, changed, strict=True))
    assert [*map(REWRITES[name], pages)] == changed
    assert (changed == pages) == (name == "as they are")


@pytest.mark.parametrize("name", REWRITES)
def test_what_is_no_page_stays(name: str) -> None:
    """A picture or an empty body has nothing to write otherwise, but for its url."""
    for body in (b"\x89PNG\r\n\x1a\n\0\0", b""):
        assert REWRITES[name](Page(f"http://{HOST}/a", body)).body == body


def test_pages_with_other_urls_know_each_other() -> None:
    """The anchors of pages lead to the other urls, in the corpus and in the pages."""
    page = Page(f"http://{HOST}/a/b.html", f'<a href="/c">c</a><a href="http://{HOST}/#x">x</a>'.encode())
    found = rewritten(
        Corpus(None, None, [LearnPage(page, ((f"{HOST}/c", "c"),))], {page.url: page}, None),  # type: ignore[arg-type]
        OTHER_URLS,
    )
    ((changed, anchors),) = found.learn
    assert link_key(changed.url) == other_key(link_key(page.url)) != link_key(page.url)
    assert anchors == ((other_key(f"{HOST}/c"), "c"),)
    links = [link.get("href") for link in html.document_fromstring(changed.body).iter("a")]
    assert links == [f"http://{other_key(f'{HOST}/c')}", f"http://{HOST}/#x"]
    assert found.test == {page.url: changed}
