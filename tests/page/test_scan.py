"""The compiled reading of a page gives the same as the reading of its tree, whatever the markup."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from odd_markup import FRAGMENTS, RICH_PAGE, XHTML
from two_readings import URL, differences, is_known, reading

from scrapy_webstemmer.base.compiled import compiled
from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.values import Page

TEXT = "Über 日本語 caf\u00e9"


def differ(text: str) -> dict[str, object]:
    return differences(Page(URL, text.encode("utf-8", "surrogatepass")))


def forget() -> None:
    """Forget all tags, if the compiled modules are there."""
    for name in ("page.scan", "page.scan_layout"):
        if module := compiled(name):
            module.forget()


@settings(max_examples=500)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12), st.sampled_from(["", "t", XHTML]))
def test_any_markup(fragments: list[str], between: str) -> None:
    """Any fragments in any order, with and without text between them, are read in the same way."""
    text = between.join(fragments) if between != XHTML else XHTML + "".join(fragments)
    assume(not is_known(text))
    assert differ(text) == {}


@settings(max_examples=100)
@given(st.lists(st.sampled_from(FRAGMENTS), min_size=30, max_size=80))
def test_long_pages(fragments: list[str]) -> None:
    """Pages with more markup are read in the same way: it is nested more deeply."""
    text = "<!DOCTYPE html><html><head><title>x</title></head><body>" + "".join(fragments)
    assume(not is_known(text))
    assert differ(text) == {}


@settings(max_examples=300)
@given(st.text("<>/!-?='\"& \n\tapbdivscript#;[]x1é\0", max_size=40))
@example("&#9;")
@example("<p>a<wbr>b<p>c")
@example("<p id='a\r\nb\rc'>d")
@example("<a href=/b>\x1cc")
@example("<title>\x01a\x1c</title>")
@example("<noscript><a rel=author></noscript>a</body><a rel=tag>")
@example("a</html><p itemtype=x>")
@example("<a href=1.jpg><img ></a><a href=2.jpg><img\t\n/></a><a href=3.jpg><img a></a>")
@example("<picture><source srcset=x><img src=y></picture><img alt=z>")
@example("<a href='#'><!-- a <b> c --></a>")
@example("<body>\n<a href=/x>\n<b>c")
@example("<a href=/x>&#32;<!doctype html SYSTEM 'a>b'>")
def test_any_characters(text: str) -> None:
    """So is any sequence of characters, most of which are signs of markup."""
    assume(not is_known(text))
    assert differ(text) == {}


@settings(max_examples=300)
@given(
    st.sampled_from(["p", "pre"]),
    st.text("aB1 \t\n\r,&;\x0b\x01\x7f\u00a0\u00ad\u200bé中\U0001f600", max_size=60),
)
@example("p", "seven b  two spaces " * 3)
@example("p", "a " * 20 + "é" + " 12345678" * 3)
@example("pre", "\r\n\r\n  a\r\n\r    b  \u00a0\n\n&#10;c&nbsp;\n\u200b\n")
@example("pre", "a<div>b  c</div>  d\n  e")
def test_any_text(name: str, text: str) -> None:
    """So is any text, in preformatted elements and in others: eight bytes are looked at at once."""
    assert differ(f"<body><{name}>{text}</{name}><p>x  y") == {}


@settings(max_examples=300)
@given(
    st.text("/?#.:%&=ahtpswindexjg1é ", max_size=30), st.sampled_from(["", "http://", "https://", "//", "/"])
)
@example("www.EXAMPLE.com/a/page.html?x=1#top", "http://")
@example("example.com", "https://")
@example("example.com/a/index.html", "https://")
@example("a/page.html/?y=2", "/")
@example("a/1.jpg", "/")
def test_any_target(target: str, begin: str) -> None:
    """So is the target of any link, in a text and in its own line."""
    link = f'<a href="{begin}{target}">a<b>b</b></a>'
    assert differ(f"<body><p>x {link} <p>{link}<img src=c.jpg><a href='{begin}{target}'>d</a>") == {}


@settings(max_examples=200)
@given(
    st.sampled_from(["og:type", "og:title", "og&#x3A;title", "author", "content"]),
    st.sampled_from(
        ["", " ", "article", "A title that is longer than others &amp; more", " a longer one, behind a space"]
    ),
    st.sampled_from(
        ['{0} content="{1}"', '{0} content="{1}" /', 'content="{1}" {0}', '{0} content="{1}" content="b"']
    ),
)
def test_any_meta(name: str, content: str, form: str) -> None:
    """So is what a meta element states, whatever the contents that its name had before on other pages."""
    tag = form.format(f'property="{name}"', content)
    for other in ("x" * 30, "", content):
        tags = f"<meta {form.format(f'property={name}', other)}><meta {tag}>"
        assert differ(f"<head><title>t</title>{tags}</head><body><p>a") == {}


def test_the_tags_of_many_pages() -> None:
    """A page is read in the same way after pages with more tags than are kept, and tags of any length."""
    for number in range(3):
        many = "".join(f"<p class=c{number}-{n}><a href=/{number}/{n}>a {n}</a>" for n in range(6_000))
        reading(Page(URL, many.encode()), limits=Limits(elements=30_000))
        tags = "".join(f"<p id={'i' * n}>a<a href='/{'b' * n}'>c</a>" for n in (1, 6, 7, 8, 9, 490, 500, 600))
        assert differ(tags) == {}


@settings(max_examples=100)
@given(st.binary(max_size=60))
def test_any_bytes(body: bytes) -> None:
    """So are bytes in any charset, or in none; binary files are refused by both."""
    page = Page(URL, b"<p>a" + body)
    assume(not is_known(page.body.decode("latin-1")))
    assert differences(page) == {}
    assert differences(page, "shift_jis") == {}


def test_a_page_may_end_anywhere() -> None:
    """A page that was cut, at whatever byte, is read in the same way."""
    body = RICH_PAGE.encode()
    for end in range(len(body) + 1):
        assert differences(Page(URL, body[:end])) == {}


def test_pages_that_were_read_before() -> None:
    """What is known of a tag from another page, on which the element is empty or cut, is true here, too."""
    with_picture = "<p>One.</p><figure><picture><source srcset=/a.jpg></picture></figure><p>Two.</p>"
    forget()
    expected = reading(Page(URL, with_picture.encode()))
    for text in ("<picture></picture>", "<picture>", with_picture, RICH_PAGE):
        for end in range(len(text) + 1):
            if text[:end].endswith(">"):
                forget()
                reading(Page(URL, text[:end].encode()))
                assert reading(Page(URL, with_picture.encode())) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n \t\r\n",
        "\0",
        "\xa0\u3000",
        "\ufeff",
        " \ufeff",
        "\ufeff\ufeff",
        "<div><a <a href=/x style='display:none'>a</a><p>b</p></div><p>c",
        "<div><p this is < that, </p and <b>bold</b></p><p>c</div>",
        "<",
        "&",
        "x",
        "{}",
        "[1]",
    ],
)
def test_almost_nothing(text: str) -> None:
    """A page without markup, or without anything, is read in the same way."""
    assert differ(text) == {}


@pytest.mark.parametrize("declares", ["nothing", "the page", "the transport", "another name", "the caller"])
@pytest.mark.parametrize("charset", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "latin-1", "shift_jis"])
def test_charsets(charset: str, declares: str) -> None:
    """A page is decoded in the same way, whatever declares its charset, rightly, wrongly or not at all."""
    meta = f"<meta charset={charset}>" if declares == "the page" else ""
    text = f"<html><head>{meta}<title>{TEXT}</title></head><body><p id='é'>{TEXT} &eacute;\0</p>"
    declared = {"the transport": charset, "another name": "windows-1251"}.get(declares)
    page = Page(URL, text.encode(charset, "replace"), declared)
    assert differences(page, charset if declares == "the caller" else None) == {}


@pytest.mark.parametrize(
    "text",
    [
        "\t\ufeff<p>a",
        "\ufeff\ufeff<p>a",
        " \0\ufeff<a href=/x>q</a>",
        "<p>a\ufeffb",
        "<p><a href='//\x1ex.example/k'>k</a>",
        "<p><a href='/\x1b[2Jworld' rel='\x08next'>World</a> x",
    ],
    ids=ascii,
)
def test_marks_and_control_characters(text: str) -> None:
    """A mark behind white space, and control characters in targets, are read in the same way."""
    assert differ(text) == {}


def test_marks_win() -> None:
    """A byte order mark counts more than what is declared."""
    for mark, charset in ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        page = Page(URL, mark + f"<p>{TEXT}".encode(charset), "latin-1")
        assert differences(page) == {}
        assert [block.text for block in reading(page)["blocks"]] == [TEXT]


@pytest.mark.parametrize("body", [b"\x89PNG\r\n<p>a", b"%PDF", b"<p>\x02a", b"\xef\xbb\xbf<p>\x02a"])
def test_binary_files(body: bytes) -> None:
    """A binary file is refused by both readings, with the same error."""
    assert differences(Page(URL, body)) == {}


@settings(max_examples=100)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12), st.integers(1, 30), st.integers(1, 10))
def test_limits(fragments: list[str], elements: int, depth: int) -> None:
    """A page has as many elements, nested as deeply, for one reading as for the other."""
    text = "".join(fragments)
    assume(not is_known(text))
    assume("</html" not in text.lower())
    page = Page(URL, text.encode("utf-8", "surrogatepass"))
    for limits in (Limits(elements=elements), Limits(depth=depth)):
        assert differences(page, None, limits) == {}


def test_references_of_any_length() -> None:
    """Two long references that begin alike stand for different characters."""
    zeros = "0" * 50
    assert differ(f"<p>&#{zeros}65;b&#{zeros}66;c&#x{zeros}43<p id='&#{zeros}67;&#{zeros}68;'>") == {}


def test_many_attributes() -> None:
    """A short page may have more attributes than the limit; it is read to its end."""
    attributes = "".join(f" a{number}" for number in range(6_000))
    assert differ(f"<p{attributes}>text<p>more") == {}


def test_many_facts_and_images() -> None:
    """Of more than enough facts the same ones are kept, and of more than enough images."""
    relations = " ".join(f"r{number}" for number in range(60))
    links = "".join(f"<a rel='{relations}' rev=x>{number}</a><a rel=s{number}>" for number in range(60))
    images = "".join(f"<img alt='{number}'>" for number in range(150))
    assert differ(f"{links}<a href=/x>{images}</a>") == {}
