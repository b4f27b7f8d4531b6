"""Elements that are marked as an author, a topic, a time; lines with their inline tags."""

from __future__ import annotations

import pytest

from scrapy_webstemmer.html.marks import line_of, marks_in
from scrapy_webstemmer.html.sources import open_page
from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.values import Layout, Page

URL = "http://a.example/news/1"


def layout(body: str) -> Layout:
    return open_page(Page(URL, f"<body>{body}".encode()), None, Limits()).layout(URL)


def marks(body: str) -> list[tuple[str, str]]:
    return [(mark.kind, mark.value) for mark in marks_in(layout(body))]


@pytest.mark.parametrize(
    "body",
    [
        '<p>by <a rel="author" href="/x">Ann Lee</a></p>',
        '<p>by <a href="/author/ann/">Ann Lee</a></p>',
        '<p>by <a href="/author/ann/page/1/">Ann Lee</a></p>',
        '<p>by <a href="/?author=7">Ann Lee</a></p>',
        '<p>by <span class="author vcard"><span>by</span> <a class="url fn" href="/x">Ann Lee</a></span></p>',
        '<p class="post-author">Ann Lee</p>',
        '<p>by <span class="byline-author-name">Ann Lee</span></p>',
        '<h3><a href="/author/ann-lee">All posts by Ann Lee</a></h3>',
    ],
)
def test_an_author(body: str) -> None:
    """A class, a relation or a folder marks an author; of elements in each other the innermost counts."""
    assert marks(body) == [("author", "Ann Lee")]


@pytest.mark.parametrize(
    "body",
    [
        '<p class="comment-author">Ann Lee</p>',
        '<p class="author-avatar">Ann Lee</p>',
        '<p>icons by <a href="http://icons.example/authors/ann">Ann Lee</a></p>',
        '<p><!-- <a rel="author" href="/x">Ann Lee</a> --></p>',
        '<div class="author">' + "<p>much text</p>" * 60 + "</div>",
        '<img class="author" alt="Ann Lee">',
        '<a rel="author" href="/x"></a>',
        f'<a rel="author" href="/x-1">{"x " * 1_000}</a>',
    ],
)
def test_no_author(body: str) -> None:
    """Comments, pictures, long texts and the folders of other sites mark nobody."""
    assert marks(body) == []


def test_topics() -> None:
    """A relation or a folder marks a topic, but not if it is a category."""
    body = (
        '<p><a rel="tag" href="/x/ferries">ferries</a> <a href="/tag/seals/">seals</a>'
        '<a rel="category tag" href="/c/news">News</a> <a rel="tag" href="/category/all/">All</a>'
        '<a href="/?tag=7">2014</a> <a href="/news/tag">tags</a></p>'
    )
    assert marks(body) == [("topic", "ferries"), ("topic", "seals"), ("topic", "2014")]


def test_times() -> None:
    """A ``time`` or an ``abbr`` of old microformats; a change is not a publication."""
    body = (
        '<p><time datetime="2014-05-06">x</time> <time class="post-date" datetime="2014-05-07">x</time>'
        '<time class="updated" datetime="2015-01-01">x</time> <abbr title="2014-05-08T09:00:00Z">x</abbr>'
        '<abbr class="published" title="2014-05-09">x</abbr> <abbr title="for example">e.g.</abbr></p>'
    )
    assert marks(body) == [
        ("time", "2014-05-06"), ("published", "2014-05-07"), ("time", "2014-05-08T09:00:00Z"),
        ("published", "2014-05-09"),
    ]  # fmt: skip


def test_kinds_and_blocks() -> None:
    """Only marks of the wanted kinds in the wanted blocks are read."""
    page = layout('<p><a rel="tag" href="/t">a</a></p><p>b</p><p><a rel="author" href="/x">Ann</a></p>')
    assert [mark.value for mark in marks_in(page, ["author"])] == ["Ann"]
    assert [mark.value for mark in marks_in(page, ["topic", "author"], range(1))] == ["a"]
    assert [mark.value for mark in marks_in(page, ["author"], range(2))] == []


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ('<p>by <a class="fn post-7" href="/author/ann">Ann &amp; Bob</a> &lt;3</p>',
         "by <a.fn author/>Ann &amp; Bob</a> &lt;3"),
        ('<p><span class="byline"><b>Ann</b></span>, <i class="icon"></i> 3</p>',
         "<span.byline><b>Ann</b></span>, 3"),
        ('<p>a<!-- <b>x</b> -->b</p>', "ab"),
        ('<p><img src="x">Ann <a rel="{x}" href="/2014/ann">Bob</a></p>', "Ann <a rel=(x)>Bob</a>"),
        ("<p>" + "word " * 400 + "</p>", ""),
    ],
)  # fmt: skip
def test_lines(body: str, line: str) -> None:
    """A line has the inline tags around its text, without what differs from page to page."""
    assert line_of(layout(body), 0) == line
