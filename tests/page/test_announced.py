"""The pages that feeds and sitemaps announce."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.page.announced import Announced, announced_by
from scrapy_webstemmer.values import Announcement

HOST = "http://a.example/"
URL = "http://a.example/news/feed"
SITEMAP = (
    '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" '
    'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:x="http://www.w3.org/1999/xhtml">'
    "<url><loc> http://a.example/1?a=1&amp;b=2\n</loc><image:image><image:loc>/1.png</image:loc></image:image>"
    '<x:link rel="alternate" href="/de/1"/></url><url><loc>http://a.example/1?a=1&amp;b=2</loc></url></urlset>'
)
RSS = (
    '<rss version="2.0"><channel><title>News</title><link>http://a.example/</link>'
    "<item><title>A</title><link>http://a.example/1?a=1&amp;b=2</link></item><item><title>B</title></item>"
)
RDF = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">'
    "<channel><link>http://a.example/</link></channel><item><link><![CDATA[/1?a=1&b=2]]></link></item></rdf:RDF>"
)
ATOM = (
    '<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://a.example/"/>'
    '<entry><link rel="self" href="/x"/><link href="/1?a=1&amp;b=2"/></entry></feed>'
)


@pytest.mark.parametrize("text", [SITEMAP, RSS, RDF, ATOM], ids=["sitemap", "rss", "rdf", "atom"])
def test_pages(text: str) -> None:
    """The pages are those of the entries, each once; not pictures, translations, and the feed's own site."""
    found = announced_by(text.encode(), URL)
    assert list(found.pages) == ["http://a.example/1?a=1&b=2"]
    assert not found.sitemaps


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            "<item><title> A\nferry </title><link>/1</link><pubDate>Tue, 06 May 2014 07:30:00 GMT</pubDate>"
            "<author>ann@a.example (Ann Lee)</author></item>",
            Announcement("A ferry", "2014-05-06T07:30:00+00:00", ("Ann Lee",)),
        ),
        (
            "<item><link>/1</link><author>x@a.example (x)</author><dc:creator>Ann Lee</dc:creator>"
            "<dc:creator><![CDATA[Bob & Co]]></dc:creator><dc:creator>Ann Lee</dc:creator></item>",
            Announcement(authors=("Ann Lee", "Bob & Co")),
        ),
        (
            "<item><itunes:author>The show</itunes:author><itunes:title>T</itunes:title><link>/1</link>"
            "<author>ann@a.example</author><pubDate>soon</pubDate><dc:date>2014-05-06</dc:date></item>",
            Announcement(),
        ),
        ("<item><link>/1</link><dc:date>2014-05-06</dc:date></item>", Announcement(published="2014-05-06")),
        ("<item><title>By: Eve</title><link>/1#comment-2</link><dc:creator>Eve</dc:creator></item>", None),
        (
            "<a:entry><a:title>A</a:title><a:link href='/1'/><a:updated>2015-01-01</a:updated><a:author>"
            "<a:name>Ann Lee</a:name><a:email>ann@a.example</a:email></a:author></a:entry>",
            Announcement("A", authors=("Ann Lee",)),
        ),
        (
            "<a:feed><a:author><a:name>Ann Lee</a:name></a:author>"
            "<a:entry><a:link href='/1'/></a:entry></a:feed>",
            Announcement(authors=("Ann Lee",)),
        ),
        (
            "<url><loc>/1</loc><news:news><news:publication><news:name>News</news:name></news:publication>"
            "<news:publication_date>2014-05-06T07:30:00Z</news:publication_date><news:title>A</news:title>"
            "</news:news></url>",
            Announcement("A", "2014-05-06T07:30:00+00:00"),
        ),
        ("<url><loc>/1</loc><lastmod>2014-05-06</lastmod></url>", Announcement()),
    ],
)
def test_what_is_said_about_a_page(entry: str, said: Announcement | None) -> None:
    """Title, time and authors come from the usual elements; not the time of a change, a show, an address."""
    names = {
        "dc": "http://purl.org/dc/elements/1.1/",
        "a": "http://www.w3.org/2005/Atom",
        "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
        "news": "http://www.google.com/schemas/sitemap-news/0.9",
    }
    spaces = "".join(f' xmlns:{prefix}="{name}"' for prefix, name in names.items())
    found = announced_by(f"<rss{spaces}>{entry}</rss>".encode(), URL).pages
    assert [*found.values()] == [said or Announcement()]
    assert ("#" in next(iter(found))) == (said is None)


def test_a_long_feed_is_looked_through_once() -> None:
    """The authors of a feed are not looked for again for each of its entries."""
    entries = "".join(f"<entry><link href='/{n}'/></entry>" for n in range(50_000))
    feed = f"<feed>{entries}<author><name>Ann Lee</name></author>{'<author>x</author>' * 10_000}</feed>"
    found = announced_by(feed.encode(), URL).pages
    assert len(found) == 50_000
    assert {one.authors for one in found.values()} == {("Ann Lee", "x")}


def test_sitemaps() -> None:
    """An index leads to sitemaps. So does a robots.txt, but only under its name."""
    index = b"<sitemapindex><sitemap><loc>/s1.xml</loc></sitemap><sitemap><loc>s2.xml.gz</loc></sitemap>"
    expected = ("http://a.example/s1.xml", "http://a.example/news/s2.xml.gz")
    assert announced_by(index, URL) == Announced({}, expected)
    robots = (
        b"User-agent: *\nDisallow: /x\nsitemap : /s1.xml\nSitemap:\nSITEMAP: http://b.example/s.xml # all\n"
    )
    found = announced_by(robots, "http://a.example/robots.txt")
    assert found.sitemaps[0] == expected[0]
    assert len(found.sitemaps) == 2
    assert announced_by(robots, URL) == Announced()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\0\xff\xfe",
        b"<html><body><a href=/x>x</a></body></html>",
        b"<rss><channel><item><link>http://[broken</link></item></channel></rss>",
        b"<loc>http://a.example/1</loc>",
        b"<url>" * 10_000,
    ],
)
def test_nothing_is_announced(body: bytes) -> None:
    """Documents of other kinds, and broken ones, announce nothing."""
    assert announced_by(body, URL) == Announced()


def test_entities_are_not_resolved() -> None:
    """A document that grows without end, or reads files of the computer, gives nothing."""
    bomb = '<!DOCTYPE u [<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {after} "{f"&{name};" * 10}">' for name, after in zip("abcdefgh", "bcdefghi", strict=True)
    )
    for entity in ("i", "file"):
        text = f'{bomb}<!ENTITY file SYSTEM "file:///etc/passwd">]><urlset><url><loc>&{entity};</loc></url></urlset>'
        found = announced_by(text.encode(), URL)
        assert sum(map(len, found.pages)) < 100
        assert not any("root" in page for page in found.pages)


@given(
    st.lists(
        st.sampled_from([SITEMAP, RSS, ATOM, "<url>", "<loc>", "</loc>", "&", "\x01", "<item/>"]), max_size=5
    )
)
def test_any_text(parts: list[str]) -> None:
    """Whatever stands in a document, absolute urls come out."""
    for page in announced_by("".join(parts).encode(), URL).pages:
        assert page.startswith("http")


DAMAGED = {
    "no character": "&#0;&#x8;&#x1F;&#xFFFE;&#x;&#;",
    "half a pair": "&#xD83D;&#xDE00;&#55357;",
    "beyond all characters": "&#x110000;&#99999999999999999999;&#xFFFFFFFFFFFFFFFFFFFF;",
    "unknown names": "&nope;&nbsp;",
}


@pytest.mark.parametrize("kind", DAMAGED)
@pytest.mark.parametrize("place", ["url", "title", "author", "href", "elsewhere"])
def test_a_damaged_reference_costs_itself_alone(kind: str, place: str) -> None:
    """All urls of the document are there, and the text that the reference stands in."""
    bad = dict.fromkeys(("url", "title", "author", "href", "elsewhere"), "") | {place: DAMAGED[kind]}
    feed = f"""<rss><channel><x>{bad["elsewhere"]}</x>
    <item><title>On&#x65; &#38; <![CDATA[two & &#0;]]>{bad["title"]}</title><link>{HOST}1{bad["url"]}</link>
    <author>Ann{bad["author"]}</author></item>
    <item><link>{HOST}2?a=1&b=2&amp;c&amp;d=&lt</link></item>
    <entry><link href="{HOST}3{bad["href"]}"/></entry></channel></rss>"""
    found = announced_by(feed.encode(), f"{HOST}feed").pages
    wrong = "&nope;\N{NO-BREAK SPACE}" if kind == "unknown names" else ""
    urls = [f"{HOST}1{wrong if place == 'url' else ''}", f"{HOST}2?a=1&b=2&c&d=&lt"]
    assert [*found] == [*urls, f"{HOST}3{wrong if place == 'href' else ''}"]
    said = found[urls[0]]
    assert said.title.replace("&nope;", "").strip() == "One & two & &#0;"
    assert said.authors[0].startswith("Ann")


@pytest.mark.parametrize(
    ("document", "pages"),
    [
        (f"<item><title>One</title><link>{HOST}1</link></item>", 1),
        (f"<entry xmlns='http://www.w3.org/2005/Atom'><link href='{HOST}1'/></entry>", 1),
        (f"<url><loc>{HOST}1</loc></url>", 1),
        (f"<loc>{HOST}1</loc>", 0),
        (f"<link>{HOST}1</link>", 0),
        (f"<item><item><link>{HOST}1</link></item><link>{HOST}2</link></item>", 2),
    ],
)
def test_an_entry_that_is_all_of_the_document(document: str, pages: int) -> None:
    """It is read like one in a feed."""
    assert len(announced_by(document.encode(), f"{HOST}feed").pages) == pages


@given(
    st.lists(st.sampled_from(["&", "#", "x", ";", "0", "D83D", "amp", "<![CDATA[", "]]>", "é", "\0", "<"]))
)
def test_any_references(parts: list[str]) -> None:
    """Whatever stands in a title, the url is read, if the elements are there."""
    for encoding in ("utf-8", "utf-16", "latin-1"):
        title = "".join(parts)
        feed = f"<rss><item><link>{HOST}1</link><title>{title}</title></item></rss>"
        found = announced_by(feed.encode(encoding), f"{HOST}feed").pages
        if encoding == "utf-8" and "<" not in title:
            assert [*found] == [f"{HOST}1"]


@pytest.mark.parametrize("name", ["http://a}b", "", "x<![CDATA[h&#xD83D;", "{"])
def test_any_namespace(name: str) -> None:
    """An odd name of the sitemap's own elements costs no error."""
    document = f"<urlset xmlns='{name}'><url><loc>{HOST}1</loc></url></urlset>"
    found = announced_by(document.encode(), f"{HOST}feed").pages
    assert [*found] in ([f"{HOST}1"], [])
    assert "CDATA" in name or found
