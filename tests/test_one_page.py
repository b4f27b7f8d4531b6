"""Extract the article of one page without patterns, from HTML as text or bytes."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from news_pages import article, index
from parsel import Selector
from path_pages import words

from scrapy_webstemmer import Article, ExtractOptions, Page, PageError, UrlRule, extract, learn
from scrapy_webstemmer.api import explain
from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.pattern_files.pattern_file import PatternSet

HOST = "press.example"
LIST = index(HOST, 1, range(1, 9))
URL = f"http://{HOST}/a/b.html"
TEXT = "".join(f"<p>Nine seals were seen at the jetty number {n}, and more may come.</p>" for n in range(9))


def test_a_page_gives_what_it_gives_as_a_page_of_an_unknown_site() -> None:
    """Page, bytes and text are the same page, and its article is that of the option ``fallback``."""
    page = article(HOST, 1)
    found = extract(page)
    assert found == extract(page, PatternSet(), ExtractOptions(fallback=True))
    assert found == extract(page.body, url=page.url) == extract(page.body.decode(), url=page.url)
    assert found
    assert (found.pattern, found.url) == ("", page.url)
    assert found.probability == round(
        explain(page, PatternSet(), ExtractOptions(fallback=True)).probability, 4
    )


def test_thresholds_and_rules_have_no_say() -> None:
    """A list has a text, too, with a low probability, whatever the options ask for."""
    page = LIST
    options = ExtractOptions(
        url_rules=(UrlRule("index", accept=False), UrlRule("never")),
        threshold=1.0,
        strict=True,
        unmatched=False,
        article_threshold=1.0,
        min_confidence=1.0,
    )
    assert extract(page, PatternSet(), ExtractOptions(fallback=True)) is None
    found = extract(page, options=options)
    assert found
    assert found == extract(page)
    assert found.probability is not None
    assert found.probability < ExtractOptions().article_threshold
    assert found.confidence is not None


def test_with_patterns_html_is_a_page_like_any_other() -> None:
    """The thresholds decide, and the url tells the site."""
    pages = [article(HOST, number) for number in range(20)]
    patterns, new = learn(pages), article(HOST, 50)
    assert extract(new.body, patterns, url=new.url) == extract(new, patterns)
    assert extract(LIST.body, patterns, url=LIST.url) is None
    assert extract(new.body, patterns, url="http://other.example/") is None


@pytest.mark.parametrize("name", ["iso-8859-1", "utf-16", "shift_jis", "nonsense"])
@pytest.mark.parametrize("declaration", ['<meta charset="{}">', '<?xml version="1.0" encoding="{}"?>'])
def test_a_text_is_decoded_already(declaration: str, name: str) -> None:
    """Whatever charset it declares, its characters are as they are."""
    found = extract(
        f"{declaration.format(name)}<title>Röbben</title>{TEXT}<p>Seehunde: ü – 日本 – \u0416.</p>"
    )
    assert (found.title, found.text.split("\n")[-1]) == ("Röbben", "Seehunde: ü – 日本 – \u0416.")


@pytest.mark.parametrize("empty", ["", " \n", "\0\0", "\ufeff", "<html>", "<p></p>", "<script>1</script>"])
def test_a_page_without_a_text_is_false(empty: str) -> None:
    """There is an article, which has no text, and nothing has judged it."""
    for page in (empty, empty.encode()):
        found = extract(page, url=URL, options=ExtractOptions(comments=True))
        assert not found
        assert (found.url, found.title, found.text, found.html) == (URL, "", "", "")
        assert (found.confidence, found.probability, found.comments) == (0.0, None, ())


def test_what_a_page_without_a_text_states() -> None:
    """Its title and its fields are there all the same."""
    found = extract('<title>Seals</title><meta name="author" content="Ann Lee"><div id="app"></div>', url=URL)
    assert (bool(found), found.title, found.authors[0].name) == (False, "Seals", "Ann Lee")


def test_text_without_tags() -> None:
    """A text without tags is a page of one paragraph."""
    assert extract("Nine seals were seen\nat the jetty.").text == "Nine seals were seen at the jetty."


def test_where_no_rule_finds_a_text_the_likeliest_counts() -> None:
    """Numbers in a row are a listing's, and no main text by its rules; here there is nothing else."""
    found = extract("<p>1 2 3</p>", url=URL)
    assert found.text == "1 2 3"
    assert found.confidence is not None
    assert found.confidence < 0.5
    assert found.probability is not None


def test_the_first_paragraph_beside_a_part_with_most_of_the_text() -> None:
    """It stays, whichever way the text is found."""
    names = [
        f"The ferry of pier {number} was late by {number} hours, since the sea was rough"
        for number in range(9)
    ]
    first, *others = (f"<p>{name}. Its crew of {len(name)} said so, and went home.</p>" for name in names)
    inner = f"<div class=slides>{''.join(others)}</div>"
    for text in (f"{first}{inner}", f"{inner}{first}"):
        page = f"<title>Ferries</title><article><h1>Ferries</h1><div class=text>{text}</div></article>"
        assert "pier 0" in extract(page, url=URL).text
        (found,) = (extract(one, learn([one])) for one in [Page(URL, page.encode())])
        assert found is not None
        assert "pier 0" in found.text


@pytest.mark.parametrize(
    ("element", "is_text"),
    [
        ("<div class=lead>{}</div>", True),
        ("<details><summary>Who checked this?</summary>{}</details>", False),
    ],
)
def test_a_first_paragraph_between_the_headline_and_the_text(element: str, is_text: bool) -> None:
    """It is text, whatever its tag is, though nearly all of the text is elsewhere; not what readers open."""
    lead = "The ferry of the harbour was late by nine hours, since the sea was rough. Its crew said so. " * 2
    body = f"<h1>The ferry is late</h1>{element.format(lead)}<div class=body>{TEXT * 2}</div>"
    page = f"<title>The ferry is late</title><nav><a href=/>Home</a></nav><main>{body}</main>"
    assert extract(page, url=URL).text.startswith(lead.strip()) == is_text


def test_sections_with_linked_headings_are_the_text_where_there_is_no_other() -> None:
    """They look like teasers of other pages, but a byline alone is no text, whichever way it is found."""
    sign = "<div class=sign><h3><a href=/stars/{0}>Sign {0}</a></h3><span>Week {0}</span><p>{1}.</p></div>"
    signs = "".join(sign.format(number, words(9 * number, 30)) for number in range(6))
    byline = '<p class=byline>By <a rel="author" href=/a/3>Ann Lee</a> 5 May 2026</p>'
    text = f"<article><h1>Your stars</h1>{byline}<div class=content>{signs}</div></article>"
    page = Page(URL, f"<title>Your stars</title><body><main>{text}</main><footer>A herald".encode())
    learned = extract(page, learn([page]), ExtractOptions(article_threshold=0.0, min_confidence=0.0))
    for found in (extract(page.body, url=URL), learned):
        assert found is not None
        assert all(
            f"Sign {number}\nWeek {number}\n{words(9 * number, 30)}." in found.text for number in range(6)
        )


def test_a_text_for_browsers_without_scripts() -> None:
    """It counts if the page shows nothing else, and if it is more than a request."""
    plea = "<noscript>You need to switch on JavaScript to use this page.</noscript>"
    assert not extract(f"<div id=app></div>{plea}", url=URL)
    found = extract(f"<div id=app></div>{plea}<NOSCRIPT data-x='1'>{TEXT}</noscript>", url=URL)
    assert found.text.startswith("You need to")
    assert found.text.endswith("number 8, and more may come.")
    little = extract(f"<p>Loading the seals</p><noscript>{TEXT}</noscript>", url=URL)
    assert little.text.endswith("number 8, and more may come.")
    shown = extract(f"{TEXT}<noscript>{TEXT.replace('Nine', 'Ten')}</noscript>", url=URL)
    assert "Ten" not in shown.text


LINKED = f'{TEXT}<p>See <a href="more.html">more of the seals</a>.</p>'


@pytest.mark.parametrize(
    ("head", "url", "address", "target"),
    [
        ("", URL, URL, f"http://{HOST}/a/more.html"),
        ("", "", "", "more.html"),
        (
            '<link rel="canonical" href="http://c.example/x/y">',
            "",
            "http://c.example/x/y",
            "http://c.example/x/more.html",
        ),
        (
            '<meta property="og:url" content="http://o.example/x/">',
            "",
            "http://o.example/x/",
            "http://o.example/x/more.html",
        ),
        ('<link rel="canonical" href="http://c.example/x/y">', URL, URL, f"http://{HOST}/a/more.html"),
    ],
)
def test_links_without_a_url(head: str, url: str, address: str, target: str) -> None:
    """Without a url the page's own statement counts; without one, links stay as they are or are left out."""
    found = extract(f"<head>{head}</head>{LINKED}", url=url)
    assert found.url == address
    assert f'href="{target}"' in found.html or not url + head
    assert "more of the seals" in found.html


@given(st.text() | st.binary())
def test_any_page(page: str | bytes) -> None:
    """Whatever is given, there is an article, or an error of ours that says why not."""
    with suppress(PageError):
        found = extract(page, url=URL)
        assert bool(found) == bool(found.text)
        found.to_dict()


#: What pages have around their text, and what states something of them.
PIECES = (
    "<h1>Harbour news</h1>",
    "<p>By <a rel=author href=/ann>Ann Lee</a></p>",
    "<p class=byline>Ann Lee</p>",
    "<time datetime=2026-05-06>May 6, 2026</time>",
    "<p>Posted on May 6, 2026 by Bob Roe in <a rel=tag href=/t>Seals</a></p>",
    "<ul class=comments><li><b>Cy</b><p>Words</p></li><li><b>Dee</b><p>Words</p></li></ul>",
    "<figure><img src=a.jpg><figcaption>A seal. Photo: Ann Lee</figcaption></figure>",
    '<script type="application/ld+json">{"@type": "Article", "author": "Ann Lee"}</script>',
    "<div itemscope itemtype=https://schema.org/Article><b itemprop=author>Ann Lee</b></div>",
    "<ul><li><a href=/a>One</a><li><a href=/b>Two</a><li><a href=/c>Three</a></ul>",
    "<aside><p>About Ann Lee</p><p>She writes.</p></aside>",
    "<p>Tags: <a href=/tag/x>x</a>, <a href=/tag/y>y</a></p>",
    "<title>Harbour news | Press</title>",
    "<p>Nine seals were seen at the jetty.</p>",
    f"<article>{TEXT}</article>",
)


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=5).map("".join))
def test_any_pieces(page: str) -> None:
    """However little a page has, and in whatever order, there is an article."""
    found = extract(page, url=URL, options=ExtractOptions(comments=True, all_kinds=True))
    assert bool(found) == bool(found.text)


def test_a_page_beyond_a_limit() -> None:
    """A page that is too large is an error, with or without a url."""
    for url in (URL, ""):
        with pytest.raises(PageError, match="elements"):
            extract(TEXT, url=url, options=ExtractOptions(limits=Limits(elements=5)))
    with pytest.raises(PageError, match=r"^\(no url\): is a binary file"):
        extract(b"\x89PNG\r\n")


def test_a_root_serves_as_well() -> None:
    """A page that the caller has parsed gives the same."""
    from scrapy_webstemmer.page.parsing import parse

    page = article(HOST, 3)
    assert extract(page, root=parse(page)) == extract(page)
    paragraphs = "<p>The ferry is late, and nobody knows why.</p>" * 9
    late = f"<html><body><h1>The ferry</h1></body></html>\n{paragraphs}<!-- made in May -->"
    found = extract(late, root=Selector(late, type="html").root)
    assert "ferry is late" in found.text
    assert found == extract(late)


def test_a_text_that_names_a_file(tmp_path: Path) -> None:
    """The name of a file is a mistake; a text that only looks like one is a text."""
    path = tmp_path / "page.html"
    path.write_bytes(TEXT.encode())
    with pytest.raises(TypeError, match=r"read_bytes\(\) reads it"):
        extract(str(path))
    assert extract(str(path.with_name("other.html"))).text.endswith("other.html")
    assert extract("x" * 10_000).text == "x" * 10_000
    assert extract("http://a.example/ is a url, and this is a text.").text


def test_one_article_is_as_true_as_its_text() -> None:
    """Only the text counts."""
    assert not Article(url=URL, title="Seals", text="", html="<p>x</p>")
    assert Article(url=URL, title="", text="x")


def test_the_old_name_of_the_fields_is_deprecated() -> None:
    """``article.metadata`` is the article itself, for scripts of before."""
    article = Article(url=URL, title="Seals", text="x", language="en")
    with pytest.warns(DeprecationWarning, match="the article has its fields now"):
        assert article.metadata is article
