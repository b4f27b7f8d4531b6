"""Articles from the first page on: what they contain, which pattern they have, which pages give none."""

from __future__ import annotations

import pytest
from news_pages import article, articles, indexes, story

from scrapy_webstemmer import ExtractOptions, IncrementalExtractor, Page, PageError, UrlRule
from scrapy_webstemmer.base.urls import site_of
from scrapy_webstemmer.incremental import SEGMENTS
from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.page.anchors import Anchor, find_anchors
from scrapy_webstemmer.page.parsing import parse
from scrapy_webstemmer.page.sources import TreeSource
from scrapy_webstemmer.segments.segment_files import SegmentTables
from scrapy_webstemmer.segments.segment_tables import SegmentOptions

HOST = "a.example"


def tree_of(page: Page) -> TreeSource:
    """Return a page that the caller has parsed."""
    return TreeSource(page.url, parse(page), Limits())


def fed(pages: list[Page], **options: int) -> IncrementalExtractor:
    """Return an extractor that has seen some pages."""
    extractor = IncrementalExtractor(SegmentTables(SegmentOptions(**options)))
    for page in pages:
        extractor.extract(page)
    return extractor


@pytest.mark.parametrize("template", ["press", "blog", "bulletin"])
def test_articles_of_known_templates(template: str) -> None:
    """After the template was seen often enough, title and text are exactly those of the story."""
    extractor = fed(articles(HOST, 8, template))
    for number in range(20, 40):
        found = extractor.extract(article(HOST, number, template))
        assert found is not None
        assert (found.title, found.text) == (story(HOST, number).title, story(HOST, number).text)
        assert found.html.count("<p>") == len(story(HOST, number).paragraphs)


def test_article_says_when_too_little_is_known() -> None:
    """The pattern is empty until enough pages have been seen. The confidence is always None.

    Each page's own evidence says how likely it is that it is an article.
    """
    extractor = fed([], enough_pages=20)
    found = [one for page in articles(HOST, 25) if (one := extractor.extract(page))]
    assert [one.pattern for one in found] == [""] * 19 + [SEGMENTS] * 6
    assert {one.confidence for one in found} == {None}
    assert all(one.probability is not None and 0.16 < one.probability < 1 for one in found)


def test_repeated_pages_do_not_become_template() -> None:
    """A site that is crawled ten times keeps its articles."""
    pages = articles(HOST, 12)
    extractor = fed(pages * 10)
    for number, page in enumerate(pages, 1):
        found = extractor.extract(page)
        assert found is not None
        assert found.text == story(HOST, number).text


def test_sites_never_mix() -> None:
    """The text that one site repeats has no effect on another site with the same boilerplate."""
    extractor = fed(articles(HOST, 20), enough_pages=5)
    elsewhere = extractor.extract(article("b.example", 1))
    assert elsewhere is not None
    assert (elsewhere.pattern, elsewhere.confidence) == ("", None)


def test_same_pages_give_the_same_articles() -> None:
    """Two extractors give the same articles for the same pages in the same order, parsed before or not."""
    pages = [*articles(HOST, 12), *indexes(HOST, 3), *articles(HOST, 5, "blog", 30)]
    one, other = fed([]), fed([])
    assert [one.extract(page) for page in pages] == [
        other.extract(page, source=tree_of(page)) for page in pages
    ]


def test_title_is_the_anchor_text_that_the_page_shows() -> None:
    """A heading is the title if other pages link to the page under this text."""
    body = "<title>Untold</title><h2>Weather</h2><h2>The ferry is late</h2><div><p>{}</p></div>"
    page = Page(f"http://{HOST}/late", body.format("It left an hour after its time. " * 9).encode())
    assert (alone := fed(articles(HOST, 5)).extract(page)) is not None
    assert alone.title == "Untold"
    extractor = fed(articles(HOST, 5))
    linking = [Anchor(page.url, "The ferry is late"), Anchor(page.url, "read on")]
    extractor.extract(article(HOST, 9), linking)
    assert (called := extractor.extract(page)) is not None
    assert called.title == "The ferry is late"


def test_anchors_of_other_sites_do_not_count() -> None:
    """Anchor texts on another site do not name the page."""
    text = "It left an hour after its time. " * 9
    page = Page(f"http://{HOST}/late", f"<title>Untold</title><h2>A name</h2><p>{text}</p>".encode())
    extractor = fed([])
    extractor.extract(article("b.example", 1), [Anchor(page.url, "A name")])
    assert (found := extractor.extract(page)) is not None
    assert found.title == "Untold"


def test_title_without_what_the_site_repeats() -> None:
    """The title loses the site's name once enough pages have it. A repeated title is not the site's name."""
    extractor = fed([])
    words = ("Harbour", "Lantern", "Meadow", "Orchard", "Pebble", "Saddle", "Thimble", "Window")
    for number, word in enumerate(words):
        text = f"{word} {number}. One more of our tales. " * 9
        html = f"<title>{word} rises: a tale - Example</title><p>{text}</p>"
        found = extractor.extract(Page(f"http://{HOST}/{number}", html.encode()))
    assert found is not None
    assert found.title == "Window rises"
    for number in range(9):
        text = f"{number} notes, and no two of them are alike. " * 9
        html = f"<title>Notes - Example</title><p>{text}</p>"
        found = extractor.extract(Page(f"http://{HOST}/notes/{number}", html.encode()))
    assert found is not None
    assert found.title == "Notes"


def test_index_pages_give_no_article() -> None:
    """A page gives no article if nearly all of it leads to other pages."""
    extractor = IncrementalExtractor()
    for page in articles(HOST, 10):
        extractor.extract(page, find_anchors(tree_of(page), page).anchors)
    assert [extractor.extract(page) for page in indexes(HOST, 3)] == [None] * 3


def test_lists_of_headlines_with_text_give_no_article() -> None:
    """A list that shows the beginning of each text has text enough, but it is not an article."""
    extractor = fed(articles(HOST, 10))
    for number in range(3):
        entries = "".join(
            f'<h2><a href="/story/{n}.html">{one.title}</a></h2><p>{one.paragraphs[0]}</p>'
            for n in range(5 * number, 5 * number + 5)
            for one in [story(HOST, n)]
        )
        html = f"<title>Tag {number} - {HOST}</title><div id=entries>{entries}</div>"
        assert extractor.extract(Page(f"http://{HOST}/tag/{number}", html.encode())) is None


def test_pages_that_are_left_out_do_not_count() -> None:
    """A page without text, or one that the url rules reject, is not counted."""
    rules = (UrlRule("/story/"),)
    extractor = IncrementalExtractor(options=ExtractOptions(url_rules=rules))
    refused = Page(f"http://{HOST}/other", article(HOST, 1).body)
    empty = Page(f"http://{HOST}/story/0.html", b"<script>x</script>")
    assert [extractor.extract(page) for page in (refused, empty)] == [None, None]
    assert extractor.tables.table(HOST).counts.pages == 0
    assert extractor.extract(article(HOST, 1)) is not None
    assert extractor.tables.table(HOST).counts.pages == 1


def test_binary_page_is_an_error() -> None:
    """A picture is not a page, and the table does not count it."""
    extractor = IncrementalExtractor()
    with pytest.raises(PageError):
        extractor.extract(Page(f"http://{HOST}/a.png", b"\x89PNG\r\n"))
    assert extractor.tables.table(HOST).counts.pages == 0


def test_markdown_on_request() -> None:
    """The options of extraction count here, too."""
    extractor = IncrementalExtractor(options=ExtractOptions(markdown=True))
    found = [extractor.extract(page) for page in articles(HOST, 7)][-1]
    assert found is not None
    assert found.markdown is not None
    assert found.markdown.startswith(f"# {story(HOST, 7).title}\n")


def test_a_copy_under_another_url_is_not_counted_again() -> None:
    """A page that comes again with a query is known, so that its text does not look like the template's."""
    extractor = IncrementalExtractor()
    page = article("copies.example", 1)
    for ending in ("", "?share=one", "?share=two"):
        extractor.extract(Page(page.url + ending, page.body))
    extractor.extract(article("copies.example", 2))
    assert extractor.tables.table(site_of(page.url)).counts.different == 2
