"""Anchors: which links of a page count, and their texts and urls."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree
from parsel import Selector
from w3lib.url import safe_url_string

from scrapy_webstemmer.base.urls import canonical_url, link_key
from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.page import anchors
from scrapy_webstemmer.page.anchors import Anchor, PageAnchors, find_anchors
from scrapy_webstemmer.page.sources import TreeSource, open_page
from scrapy_webstemmer.page.tags import LONGEST_LINK_TEXT
from scrapy_webstemmer.values import Page

URL = "https://www.example.com/news/today.html"


def anchors_of(html: str, encoding: str = "utf-8", aliases: tuple[str, ...] = ()) -> PageAnchors:
    """Return the anchors of a page's source."""
    source = TreeSource(URL, Selector(text=html).root, Limits())
    return find_anchors(source, Page(URL, b"", encoding, aliases=aliases))


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<a href='/x'>Plain</a>", "Plain"),
        ("<a href='/x'> White\n\t space\xa0here </a>", "White space here"),
        ("<a href='/x'>un<b>brok</b>en</a>", "unbroken"),
        ("<a href='/x'><h3>Title</h3><p>Teaser</p></a>", "Title Teaser"),
        ("<a href='/x'>one<br>two</a>", "one two"),
        ("<a href='/x'><!-- no -->yes<script>no()</script></a>", "yes"),
        ("<a href='/x'><img alt='A picture'></a>", "A picture"),
        ("<a href='/x'><img alt='A picture'><noscript><img alt='A picture'></noscript></a>", "A picture"),
        ("<a href='/x'><img alt='A picture'>Words win</a>", "Words win"),
        ("<a href='/x' aria-label='By label'><i></i></a>", "By label"),
        ("<a href='/x' title='By title'><img src='i.png'></a>", "By title"),
        ("<map><area href='/x' alt='An area'></map>", "An area"),
        ("<a href='/x' rel='nofollow'>Not followed</a>", "Not followed"),
    ],
)
def test_anchor_text(html: str, text: str) -> None:
    """The text is what a reader sees, or hears from a screen reader; white space is folded."""
    assert anchors_of(html) == ((Anchor("https://www.example.com/x", text),), 0)


def test_anchor_text_is_bounded() -> None:
    """A link around a long text keeps the text's beginning."""
    ((anchor,), _) = anchors_of(f"<a href='/x'>{'word ' * LONGEST_LINK_TEXT}</a>")
    assert anchor.text.startswith("word word")
    assert len(anchor.text) <= LONGEST_LINK_TEXT


#: Pieces of hrefs and bases that urljoin treats in special ways.
PIECES = ["//", *"/?#;:a", "..", ".", "b.html", "http:", "https://", "x.example", "%2F", "HTTP:"]


@given(
    st.lists(st.sampled_from(PIECES), max_size=6).map("".join),
    st.lists(st.sampled_from(PIECES), max_size=6).map("".join),
)
@example("", "//://a")
@example("a/./", "../b.html")
@example("a/b.html", "../../b.html")
def test_targets_are_those_of_urljoin(path: str, href: str) -> None:
    """Links are resolved as by urljoin, though pages of one folder share the targets that are known."""
    page = Page(f"https://www.example.com/{path}", b"")
    root = Selector(text="<a>text</a>").root
    root.find(".//a").set("href", href)
    try:
        joined = urljoin(page.url, href)
        target = canonical_url(safe_url_string(joined))
        kept = target.startswith("http") and link_key(target) != link_key(page.url)
        # the host is that of the joined url: w3lib 2.3 changes a url with an empty host and port
        # ("https://://a") into one with the host "a"
        wanted = [target] if kept and urlsplit(joined).hostname else []
    except ValueError:
        wanted = []
    assert [anchor.target for anchor in find_anchors(TreeSource(URL, root, Limits()), page).anchors] == wanted


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("other.html", "https://www.example.com/news/other.html"),
        (" \n/x ", "https://www.example.com/x"),
        ("//cdn.example.net/x#part", "https://cdn.example.net/x"),
        ("HTTP://Example.NET/x?b=2&a=1", "http://example.net/x?a=1&b=2"),
        ("?page=2", "https://www.example.com/news/today.html?page=2"),
        ("/search?q=\xe9", "https://www.example.com/search?q=%E9"),
    ],
)
def test_target(href: str, target: str) -> None:
    """Targets are absolute, canonical, and encoded as Scrapy would request them from this page."""
    ((anchor,), _) = anchors_of(f"<a href='{href}'>text</a>", encoding="latin-1")
    assert anchor.target == target == canonical_url(target)


@pytest.mark.parametrize(
    "html",
    [
        "<a href='mailto:a@example.com'>Mail</a>",
        "<a href='javascript:void(0)'>Script</a>",
        "<a href='data:text/plain,a'>Data</a>",
        "<a name='top'>No link</a>",
        "<a href='/x'> </a>",
        "<a href='/x'><img alt=''></a>",
        "<a href='#comments'>To itself</a>",
        "<a href='http://www.example.com/news/today.html'>To itself</a>",
        "<a href='/old.html'>To itself, as it was called</a>",
    ],
)
def test_what_is_no_anchor(html: str) -> None:
    """Other schemes, links without text and links of a page to itself are left out."""
    assert anchors_of(html, aliases=("https://www.example.com/old.html",)) == ((), 0)


@pytest.mark.parametrize("href", ["http://[broken/", "http:///x", "http://:80/", "http://ex ample.com:x/"])
def test_broken_urls_are_counted(href: str) -> None:
    """An invalid url is counted, and the next link is found."""
    found = anchors_of(f"<a href='{href}'>Broken</a><a href='/x'>Sound</a>")
    assert [anchor.text for anchor in found.anchors if "example.com/x" in anchor.target] == ["Sound"]
    assert found.broken + len(found.anchors) == 2


def test_several_texts_a_target_in_order() -> None:
    """All anchors are there in the order of the page, also two with the same text."""
    found = anchors_of("<a href='/x'>One</a><a href='/y'>Y</a><a href='/x'>Two</a><a href='/x'>One</a>")
    assert [anchor.text for anchor in found.anchors] == ["One", "Y", "Two", "One"]


@pytest.mark.parametrize(
    ("base", "target"),
    [
        ("/deep/er/", "https://www.example.com/deep/er/x"),
        ("https://other.example/a/b", "https://other.example/a/x"),
        ("http://[broken/", "https://www.example.com/news/x"),
    ],
)
def test_base(base: str, target: str) -> None:
    """Relative urls are relative to the first base that the page has; an invalid base counts as none."""
    html = f"<base target='_top'><base href='{base}'><base href='/2/'><a href='x'>t</a>"
    assert anchors_of(html).anchors == (Anchor(target, "t"),)


def test_tree_is_left_as_it_is() -> None:
    """A search for anchors changes nothing in the tree."""
    root = Selector(text="<p>a<a href='/x'>b<!--c--><i>d</i></a>e<noscript><img></noscript></p>").root
    before = etree.tostring(root)
    find_anchors(TreeSource(URL, root, Limits()), Page(URL, b""))
    assert etree.tostring(root) == before


def test_a_link_in_a_link_is_one_of_its_own() -> None:
    """A link that is left open does not take the text of the next link."""
    assert anchors_of("<a href='/1'>one <b>more</b> <a href='/2'>two").anchors == (
        Anchor("https://www.example.com/1", "one more"),
        Anchor("https://www.example.com/2", "two"),
    )


@pytest.mark.parametrize("encoding", ["x-nobody", "", "base64", "utf-16", "idna"])
def test_links_of_a_page_with_an_odd_charset(encoding: str) -> None:
    """An unknown charset, or one that is not usable in a url, does not break the page's links."""
    found = anchors_of("<a href='/a?b=1'>one</a>", encoding)
    assert found == ((Anchor("https://www.example.com/a?b=1", "one"),), 0)


def test_targets_that_depend_on_the_page_are_its_own() -> None:
    """What is known of a site's links is what they mean on all pages: paths from the root, whole urls."""
    body = b"<a href=c>c</a><a href=/d>d</a><a href='?e=1'>e</a>"
    for folder in ("a", "b", "a"):
        page = Page(f"http://example.com/{folder}/x", body)
        found = [
            one.target.partition(".com")[2]
            for one in find_anchors(open_page(page, None, Limits()), page).anchors
        ]
        assert found == [f"/{folder}/c", "/d", f"/{folder}/x?e=1"]


def test_known_anchors_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site with any number of links takes no more memory, and its anchors are the same."""
    monkeypatch.setattr(anchors, "_MOST_KEPT", 3)
    for _ in range(2):
        targets = [one.target for one in anchors_of("".join(f"<a href=/{n}>a</a>" for n in range(8))).anchors]
        assert [target.rpartition("/")[2] for target in targets] == [str(n) for n in range(8)]
        assert len(anchors._known_anchors("https://www.example.com", "utf-8")) <= 3
