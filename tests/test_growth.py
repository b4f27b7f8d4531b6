"""What is written of a page, and the work that it takes, grow with its length and no faster.

For each kind of page one of a third of the length is compared with a larger one. Work is counted: the calls
of functions, and the bytes of memory at their most. Both readings are looked at.
"""

from __future__ import annotations

import cProfile
import io
import json
import math
import tracemalloc
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from growing_pages import FEEDS, HOST, PAGES, URL, name, often, page, words
from python_only import in_python
from two_readings import ARE_TWO

from scrapy_webstemmer import ExtractOptions, Page, PatternSet, extract, learn
from scrapy_webstemmer.api import explain
from scrapy_webstemmer.commands.formats import json_line, markdown_record, text_record
from scrapy_webstemmer.commands.summary import learn_summary
from scrapy_webstemmer.extraction import make_article
from scrapy_webstemmer.extraction.markdown import as_markdown
from scrapy_webstemmer.learning.site_pages import AnchorTexts
from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.page.anchors import find_anchors
from scrapy_webstemmer.page.announced import announced_by
from scrapy_webstemmer.page.sources import open_page
from scrapy_webstemmer.review.explanation import explanation_text
from scrapy_webstemmer.site.block_odds import LikelyText, likely_text
from scrapy_webstemmer.site.insets import without_insets
from scrapy_webstemmer.site.placed import PlacedLayout

#: Twice the length may give 2.3 times as much. Output is at most so many times the page.
EXPONENT, LARGEST = 1.2, 20
#: The lengths of pages, in bytes: for what is written, and for the work on them, which takes longer to count.
SIZES, WORK_SIZES = (4_000, 12_000), (3_000, 9_000)
#: What any page takes, whatever its length: bytes of a field, calls, and bytes of memory.
CONSTANT, CALLS, BYTES = 2_000, 3_000, 200_000
ALL = ExtractOptions(
    fallback=True, article_threshold=0.0, min_confidence=0.0, markdown=True, date=True, comments=True
)


@pytest.fixture(autouse=True)
def all_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take all of a page for its text: a longer page of a kind may look more like one than a short page."""

    def all_blocks(page: PlacedLayout, *told: Any, as_article: bool) -> LikelyText:
        likely_text(page, *told, as_article=as_article)
        return LikelyText(range(len(page.layout.blocks)), 1.0, 1.0)

    def all_of_them(page: PlacedLayout, main: Sequence[int], *told: Any) -> Sequence[int]:
        without_insets(page, main, *told)
        return main

    monkeypatch.setattr(make_article, "likely_text", all_blocks)
    monkeypatch.setattr(make_article, "without_insets", all_of_them)


def written(html: str) -> Mapping[str, int]:
    """Return how many bytes each field and each format of a page has."""
    page = Page(URL, html.encode())
    article = extract(page, PatternSet(), ALL)
    assert article is not None
    fields = {name: getattr(article, name) for name in article.__dataclass_fields__}
    found = {name: json.dumps(value, ensure_ascii=False) for name, value in fields.items() if value}
    writers = {"jsonl": partial(json_line, sections=True), "text": text_record, "md": markdown_record}
    found |= {f"format {name}": write(page, article, "utf-8") for name, write in writers.items()}
    # it says nothing of the Markdown, which takes most of the time
    found["explanation"] = explanation_text(explain(page, PatternSet(), replace(ALL, markdown=False)))
    anchors = find_anchors(open_page(page, None, Limits()), page).anchors
    found["anchors"] = "".join(f"{one.target}{one.text}" for one in anchors)
    return {name: len(text.encode()) for name, text in found.items()}


def exponent(small: float, large: float, sizes: Sequence[int]) -> float:
    """Return with which power of the length something grows."""
    return math.log(large / small) / math.log(sizes[1] / sizes[0])


@pytest.mark.once
@pytest.mark.parametrize("name", PAGES)
def test_what_is_written_of_a_page(name: str) -> None:
    """No field and no format has more than twenty times the bytes of its page, or grows faster than it."""
    htmls = [PAGES[name](size) for size in SIZES]
    sizes = len(htmls[0].encode()), len(htmls[1].encode())
    small, large = map(written, htmls)
    for field, size in large.items():
        assert size <= LARGEST * sizes[1], (field, size, sizes)
        before = small.get(field, 0)
        assert before <= LARGEST * sizes[0] + CONSTANT, (field, before, sizes)
        if size > sizes[1]:
            assert exponent(before + sizes[0], size + sizes[1], sizes) <= EXPONENT, (
                field,
                before,
                size,
                sizes,
            )


@pytest.mark.skipif(not ARE_TWO, reason="all pages are read by their trees")
@pytest.mark.parametrize("name", [name for name in PAGES if name != "elements"])
def test_both_readings_write_the_same(name: str) -> None:
    """What is left out since there is no room for it is the same in both readings."""
    page = Page(URL, PAGES[name](4_000).encode())
    options = replace(ALL, markdown=False, date=False)
    compiled = extract(page, PatternSet(), options)
    with in_python():
        assert extract(page, PatternSet(), options) == compiled


@pytest.fixture
def uncompiled() -> Iterator[None]:
    """Let the calls of the reading be counted."""
    with in_python():
        yield


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """Make what is made once before anything is counted."""
    pages = [Page(URL.replace("1", str(number)), PAGES["headings"](2_000).encode()) for number in range(3)]
    learn(pages)
    assert extract(pages[0], PatternSet(), ALL)


def counted(work: Callable[[], object]) -> int:
    """Return how many functions are called while work is done, those in C included."""
    profile = cProfile.Profile()
    profile.runcall(work)
    return sum(one.callcount for one in profile.getstats())


def peak(work: Callable[[], object]) -> int:
    """Return how many bytes of memory work needs at its most; its calls were counted, so caches are warm."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def check_work(works: Sequence[Callable[[], object]], sizes: Sequence[int]) -> None:
    """Check that the calls and the memory of work on two pages grow no faster than the pages."""
    for count, constant in ((counted, CALLS), (peak, BYTES)):
        small, large = (constant + count(work) for work in works)
        if exponent(small, large, sizes) > EXPONENT:  # a table that all pages share may have grown just then
            small, large = (constant + count(work) for work in works)
        assert exponent(small, large, sizes) <= EXPONENT, (count.__name__, small, large, sizes)


@pytest.mark.once
@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("name", PAGES)
def test_work_on_a_page(name: str) -> None:
    """Reading a page with all of its fields takes calls and memory that grow with its length."""
    pages = [Page(URL, PAGES[name](size).encode()) for size in WORK_SIZES]
    # Markdown has its own test: it takes most of the calls
    options = replace(ALL, markdown=False)
    # the article at the beginning of each page does not grow
    grown = [len(one.body) - len(page("").encode()) for one in pages]
    check_work([partial(extract, one, PatternSet(), options) for one in pages], grown)


@pytest.mark.once
@pytest.mark.parametrize("start", ["<blockquote>", "<ol><li>", "<dl><dd>", "<b>", "<pre>"])
def test_work_on_markdown(start: str) -> None:
    """Text in elements that are nested deeply takes no more work than it is long."""
    htmls = [start * 30 + "<p>x y</p>" * number for number in (100, 400)]
    as_markdown("<p>x</p>")
    check_work([partial(as_markdown, html) for html in htmls], [1, 4])


@pytest.mark.parametrize("name", FEEDS)
def test_feeds(name: str) -> None:
    """What a feed or a sitemap says about its pages, and the work of reading it, grow with its length."""
    feeds = [FEEDS[name](size).encode() for size in (6_000, 24_000)]
    url = f"http://{HOST}/feed"
    check_work([partial(announced_by, feed, url) for feed in feeds], [len(feed) for feed in feeds])
    pages = announced_by(feeds[1], url).pages
    assert pages
    said = [f"{target}{one.title}{one.published}{''.join(one.authors)}" for target, one in pages.items()]
    assert sum(map(len, said)) <= LARGEST * len(feeds[1])


#: Kinds that are also learned from: these meet what learning compares.
LEARNED = (
    "a long class",
    "a long id",
    "many classes",
    "numbers",
    "records of many classes",
    "a long title",
    "a title of all texts",
    "separators",
    "headings",
    "links to authors",
    "topics",
    "comments",
    "times in paragraphs",
)


def site_of(kind: str, size: int) -> list[Page]:
    """Return pages of a site, whose texts differ."""
    html = PAGES[kind](size)
    return [
        Page(f"http://{HOST}/2026/{number}.html", html.replace("ber", name(500 + number)).encode())
        for number in range(4)
    ]


@pytest.mark.once
@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("kind", LEARNED)
def test_learning(kind: str) -> None:
    """Patterns, what is said about them, and the work of learning them grow with the pages of a site."""
    sites = [site_of(kind, size) for size in (3_000, 9_000)]
    sizes = [sum(len(page.body) for page in pages) for pages in sites]
    check_work([partial(learn, pages) for pages in sites], sizes)
    patterns = learn(sites[1])
    stream = io.BytesIO()
    patterns.save(stream)
    assert len(stream.getvalue()) <= LARGEST * sizes[1]
    assert sum(map(len, learn_summary(patterns, 200, debug=True))) <= LARGEST * sizes[1]


def test_anchor_texts() -> None:
    """A page to which very many texts lead is compared with some of them."""
    texts = AnchorTexts()
    for number in range(1_000):
        texts.add("press.example/", words(3, number))
    assert len(texts.to(["press.example/"])) == 100


def html_of(html: str) -> str:
    """Return the HTML of the article of a page."""
    article = extract(Page(URL, html.encode()), PatternSet(), replace(ALL, markdown=False))
    assert article is not None
    return article.html


def test_a_link_around_lines() -> None:
    """A link around some lines is one in each of them; around very many, in those for which there is room."""
    some = html_of(page(f"<p>{words(8)} <a href=/x>" + often("@ y z<br>", 200) + "</a>"))
    assert some.count("<a href=") == some.count(" y z")
    many = html_of(page(f"<p>{words(8)} <a href=/{'x' * 2_000}>" + often("@ y z<br>", 4_000) + "</a>"))
    assert 1 <= many.count("<a href=") < 20 < many.count(" y z")


def test_a_long_base() -> None:
    """Relative links with a base as long as a page do not count it; one of usual length counts."""
    links = "<p>" + often('text of words <a href="@.html">@</a>, ', 900)
    assert html_of(page(links, '<base href="/b/">')).count(f'href="http://{HOST}/b/') > 15
    assert f'href="http://{HOST}/2026/' in html_of(page(links, f'<base href="/{"b" * 5_000}/">'))


def test_elements_around_a_text() -> None:
    """Emphasis that is never closed is written ten times around a text at most."""
    html = html_of(page("<p>" + "<b><i>" * 50 + "word one<br>word two"))
    assert html.count("<b>") == html.count("</b>") == 10


def test_the_caption_of_a_gallery() -> None:
    """Twenty images of a figure have its caption; a caption stands beside its own image."""
    figure = f"<figure>{often('<img src=@.jpg>', 400)}<figcaption>{words(9)}</figcaption></figure>"
    others = "".join(
        f"<figure><img src=/{n}.png><figcaption>Seal {n}</figcaption></figure>" for n in range(3)
    )
    article = extract(
        Page(URL, page(others + "<p>More words of the text</p>" + figure).encode()), PatternSet(), ALL
    )
    assert article is not None
    captions = {one.url.rpartition("/")[2]: one.caption for one in article.images}
    assert [captions[f"{number}.png"] for number in range(3)] == ["Seal 0", "Seal 1", "Seal 2"]
    assert sum(1 for caption in captions.values() if caption == words(9)) == 20


def test_quotations_and_lists_in_each_other() -> None:
    """Five in each other are written as such; of ninety with short lines the outermost are."""
    quoted = as_markdown("<blockquote>" * 5 + f"<p>{words(9)}</p>" + "</blockquote>" * 5)
    assert quoted == f"> > > > > {words(9)}"
    many = as_markdown("<blockquote>" * 90 + "<p>x</p>" * 400)
    assert many.startswith("> > > x\n> > >\n> > > x")


def test_an_entry_with_many_links() -> None:
    """The first links of an entry share what it says; all are announced."""
    feed = f"<rss><channel><item><title>A ferry</title>{often('<link>/@</link>', 400)}</item></channel></rss>"
    pages = announced_by(feed.encode(), URL).pages
    assert [one.title for one in pages.values()] == ["A ferry"] * 10 + [""] * (len(pages) - 10)
