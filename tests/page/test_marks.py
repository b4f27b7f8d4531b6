"""Elements that are marked as an author, a topic, a time; lines with their inline tags."""

from __future__ import annotations

import pytest

from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.page.lines import line_of
from scrapy_webstemmer.page.marks import AGE, MODIFIED, TIME, marks_in
from scrapy_webstemmer.page.sources import open_page
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
        "<p>by <post-author>Ann Lee</post-author></p>",
        '<p>by <span class="byline-author-name">Ann Lee</span></p>',
        '<h3><a href="/author/ann-lee">All posts by Ann Lee</a></h3>',
        '<p><a href="/author/ann-lee">All of Ann Lee\'s posts</a></p>',
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


@pytest.mark.parametrize(
    "body",
    [
        '<div itemprop="author" itemscope><meta itemprop="name" content="Ann Lee"></div>',
        '<p><span itemprop="author" itemscope><a itemprop="url" href="/a"><b itemprop="name">Ann Lee</b></a>,'
        ' <i itemprop="jobTitle">Editor</i></span></p>',
        '<p itemprop="author">Ann Lee</p>',
        '<p itemprop="creator author"><i itemprop="givenName">Ann</i>, <i itemprop="familyName">Lee</i></p>',
        '<p property="schema:author" typeof="Person"><b property="schema:name">Ann Lee</b> in London</p>',
        '<p><b property="http://purl.org/dc/terms/creator" content="Ann Lee">our reporter</b></p>',
        '<p><b property="schema:author" content="Ann Lee"></b></p>',
        '<div class="author"><p itemprop="author"><meta itemprop="name" content="Ann Lee">by Ann</p></div>',
    ],
)
def test_an_author_who_is_stated(body: str) -> None:
    """Microdata and RDFa state an author as a property: the name in the element counts, shown or not."""
    (mark,) = marks_in(layout(f"{body}<p>text</p>"), ["author"])
    assert (mark.value, mark.stated) == ("Ann Lee", True)


def test_a_card() -> None:
    """The name in a card of microformats is that of the author."""
    body = '<p class="p-author h-card"><a class="p-name u-url" href="/ann">Ann Lee</a>, editor</p>'
    assert [(one.value, one.url) for one in marks_in(layout(body))] == [("Ann Lee", "/ann")]


@pytest.mark.parametrize(
    ("element", "time"),
    [
        ('<span class="age" title="2014-05-06T10:00:00">', "2014-05-06T10:00:00"),
        ('<a href="#p" title="2014-05-06 10:00:00Z">', "2014-05-06 10:00:00Z"),
        ('<relative-time datetime="2014-05-06">', "2014-05-06"),
        ('<small title="Tuesday, May 6, 2014 at 10:00 AM">', "2014-05-06"),
        ('<i datetime="Tue May 06 2014 10:00:00 GMT+0000 (Coordinated Universal Time)">', "2014-05-06"),
        ('<b data-timestamp="1399370400">', "2014-05-06T10:00:00+00:00"),
        ('<i data-time="1399370400000">', "2014-05-06T10:00:00+00:00"),
        ('<b data-ts="1399370400000">', "2014-05-06T10:00:00+00:00"),
        ('<i data-bs-title="May 6, 2014">', "2014-05-06"),
        ('<i data-tooltip="6 May 2014">', "2014-05-06"),
        ('<i aria-label="Published May 6, 2014">', "2014-05-06"),
        ('<p data-published="2014-05-06T10:00:00+02:00">', "2014-05-06T10:00:00+02:00"),
    ],
)
def test_ages(element: str, time: str) -> None:
    """An age has its time in an attribute; it is only looked for when it is asked for."""
    body = f"<div>{element}3 days ago</div>"
    assert [(one.kind, one.value) for one in marks_in(layout(body), ["time", "age"])] == [("age", time)]
    assert marks(body) == []


@pytest.mark.parametrize(
    "element",
    ['<span title="20140506">', '<b data-id="1399370400">', '<span class="updated" title="2014-05-06">',
     '<ins datetime="2014-05-06">', '<span title="in 2014">', '<b data-text="May 6, 2014">'],
)  # fmt: skip
def test_no_ages(element: str) -> None:
    """Other numbers, and the times of changes, are none."""
    assert [*marks_in(layout(f"<div>{element}text</div>"), ["time", "age"])] == []


def test_topics() -> None:
    """A relation or a folder marks a topic, but not if it is a category."""
    body = (
        '<p><a rel="tag" href="/x/ferries">ferries</a> <a href="/tag/seals/">seals</a>'
        '<a rel="category tag" href="/c/news">News</a> <a rel="tag" href="/category/all/">All</a>'
        '<a href="/?tag=7">2014</a> <a href="/news/tag">tags</a> '
        '<a class="p-category" href="/x.html">sails</a></p>'
    )
    topics = [*marks_in(layout(body), ["topic"])]
    assert [(mark.value, mark.stated) for mark in topics] == [
        ("ferries", True),
        ("seals", False),
        ("2014", False),
        ("sails", True),
    ]


def test_signs_before_topics() -> None:
    """Signs and pictures before a topic are the template's."""
    links = ("# ferries", "#seals", "\U0001f3f7\ufe0f boats", ".NET", "#")
    body = "".join(f"<a rel=tag href=/x>{link}</a> " for link in links)
    assert [value for _, value in marks(f"<p>{body}</p>")] == ["ferries", "seals", "boats", ".NET"]


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


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('<span itemprop="datePublished" content="2014-05-06">today</span>', "2014-05-06"),
        ('<b property="schema:datePublished" content="2014-05-06T07:30">today</b>', "2014-05-06T07:30"),
        ('<span itemprop="datePublished" content="2014-05-06T07:30-500">today</span>', "2014-05-06"),
        ('<span itemprop="datePublished" content="May 6th, 2014 7:30 pm">today</span>', "2014-05-06"),
        ('<span itemprop="dateModified" content="2014-05-06">today</span>', None),
    ],
)
def test_the_content_of_a_property(line: str, value: str | None) -> None:
    """Microdata and RDFa state a time beside the text that readers see; not that of a change."""
    found = [*marks_in(layout(f"<p>{line}</p>"), (AGE,))]
    assert [mark.value for mark in found] == [value] * (value is not None)


@pytest.mark.parametrize("name", ["datetime", "data-time"])
def test_a_time_in_seconds(name: str) -> None:
    """A ``time`` element may have its time in seconds or milliseconds."""
    page = layout(
        f'<p><time {name}="1399361400000">today</time></p><p><time {name}="1399361400">now</time></p>'
    )
    times = [mark.value for mark in marks_in(page, (TIME,))]
    assert times == ["2014-05-06T07:30:00+00:00"] * 2


def test_the_time_of_a_change() -> None:
    """It is a mark only for those who ask for changes."""
    page = layout('<p><time class="updated" datetime="2014-05-07">then</time></p>')
    assert [*marks_in(page)] == []
    assert [(mark.kind, mark.value) for mark in marks_in(page, (MODIFIED,))] == [(MODIFIED, "2014-05-07")]
