"""What a page's markup states about the page: names of facts, and nothing from hostile pages but these."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.page.facts import facts_in
from scrapy_webstemmer.page.parsing import parse
from scrapy_webstemmer.page.tags import CLASSIC, TODAY
from scrapy_webstemmer.page.walk import layout_of
from scrapy_webstemmer.values import Page

API = "http://a.example/wp-json/wp/v2"


def facts(html: str) -> frozenset[str]:
    """Return the facts that a page states."""
    return facts_in(parse(Page("http://a.example/", html.encode(), "utf-8")))


def linked_data(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ('<meta property="article:published_time" content="2026-11-22">', {"meta=article:published_time"}),
        ('<meta name="Author" content="Ada Quill">', {"meta=author"}),
        ('<meta itemprop="datePublished" content="2026-11-22">', {"meta=datepublished"}),
        ('<meta name="author" content=" ">', set()),
        ('<meta name="author">', set()),
        ('<meta charset="utf-8">', set()),
        ('<meta property="og:type" content=" Article ">', {"og:type=article"}),
        ('<meta name="og:type" content="website">', {"og:type=website"}),
        ('<meta property="og:type">', {"og:type="}),
    ],
)
def test_meta_elements(html: str, found: set[str]) -> None:
    """Each ``meta`` element with a name and a content is a fact by its name; only og:type has its value."""
    assert facts(html + "<p>text") == found


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ('<link rel="shortlink" href="/?p=7">', {"link=shortlink"}),
        ('<link rel="ShortLink nofollow" href="/?p=7">', {"link=shortlink", "link=nofollow"}),
        ('<link rel="next" href="/story/8">', {"link=next"}),
        ('<link rel="prev" href="/story?page=2">', {"link=prev page"}),
        ('<link rel="next" href="/search?start=20">', {"link=next page"}),
        ('<link rel="alternate">', {"link=alternate"}),
        ('<link rel="alternate" type="application/json+oembed">', {"link=alternate application/json+oembed"}),
        (f'<link rel="alternate" type="x" href="{API}/posts/7">', {"api=posts", "link=alternate x"}),
        ('<link rel="alternate" href="/?rest_route=/wp/v2/pages/7">', {"api=pages", "link=alternate"}),
        (f'<link rel="alternate" href="{API}/posts">', {"link=alternate"}),
        ('<link href="/7">', set()),
    ],
)
def test_relations_in_the_head(html: str, found: set[str]) -> None:
    """Each relation of a ``link`` is a fact. Further pages of a list and addresses of programs are told."""
    assert facts(html + "<p>text") == found


def test_relations_of_links() -> None:
    """The relations of links in the text are facts of their own, whatever their case."""
    assert facts('<p><a href="/8" rel="Next nofollow">on</a> <a href="/9">there</a>') == {
        "a=next",
        "a=nofollow",
    }


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"@type": "NewsArticle"}', {"type=NewsArticle"}),
        ('{"@type" : [ "Article", "Thing"]}', {"type=Article"}),
        (
            '{"@graph": [{"@type":"WebPage"}, {"@type":"http://schema.org/Person"}]}',
            {"type=WebPage", "type=Person"},
        ),
        ('{"@type": "Article", "broken": ', {"type=Article"}),
        ('{"@type": 7}', set()),
        ('{"@type": "An Article"}', set()),
        ("", set()),
    ],
)
def test_types_of_linked_data(text: str, found: set[str]) -> None:
    """The types in JSON-LD are facts, even if it is not valid JSON."""
    assert facts(linked_data(text) + "<p>text") == found


def test_other_scripts_state_nothing() -> None:
    """Only JSON-LD is read: another script may hold anything."""
    assert facts('<script>var x = {"@type": "Article"}</script><p>text') == frozenset()


def test_types_of_microdata() -> None:
    """Each type of microdata is a fact, by the last part of its address."""
    html = '<div itemscope itemtype=" http://schema.org/Article "><b itemtype="Person">Ada</b></div>'
    assert facts(html) == {"type=Article", "type=Person"}


def test_layouts_have_the_facts() -> None:
    """A layout has them; the layouts of 2009, which begin before the body, have none."""
    root = parse(Page("http://a.example/", b'<meta property="og:type" content="article"><p>text'))
    assert layout_of("http://a.example/", root).stated == {"og:type=article"}
    assert not TODAY.classic
    assert CLASSIC.classic
    assert layout_of("http://a.example/", root, CLASSIC).stated == frozenset()


@pytest.mark.parametrize(
    "html",
    [
        "".join(f'<meta name="n{n}" content="x">' for n in range(5_000)),
        f'<a rel="{" ".join(f"r{n}" for n in range(50_000))}" href="/">on</a>',
        f'<meta name="{"n" * 100_000}" content="x">',
        f'<meta property="og:type" content="{"n" * 100_000}">',
        "".join(f'<b itemtype="http://schema.org/T{n}">x</b>' for n in range(5_000)),
        linked_data(json.dumps([{"@type": f"T{n}"} for n in range(5_000)])),
        linked_data('{"@type":' * 20_000),
        linked_data('"@type":' + " " * 200_000),
        linked_data('"@type":[' + " " * 200_000),
        linked_data("[" * 100_000),
    ],
    ids=["metas", "relations", "name", "value", "microdata", "types", "open", "spaces", "list", "nested"],
)
def test_hostile_pages(html: str) -> None:
    """However much a page states, the facts are few and short, and nothing takes the square of its length."""
    found = facts(html + "<p>text")
    assert len(found) <= 100
    assert all(len(fact) <= 60 for fact in found)


_NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters='<>"&'), max_size=80
)


@given(
    st.lists(
        st.builds(
            '<{} {}="{}" content="{}" href="{}">'.format,
            st.sampled_from(["meta", "link", "a", "div"]),
            st.sampled_from(["name", "property", "rel", "itemprop", "itemtype"]),
            _NAMES,
            _NAMES,
            _NAMES,
        ),
        max_size=20,
    )
)
def test_any_names(elements: list[str]) -> None:
    """Whatever the names are, each fact says what kind of fact it is."""
    for fact in facts("".join(elements) + "<p>text"):
        assert fact.partition("=")[0] in {"meta", "og:type", "link", "a", "api", "type"}
