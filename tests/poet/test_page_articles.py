"""Providers and page objects for scrapy-poet: what they give, and what they refuse at the start."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from news_pages import article, articles, index, story, story_url
from scrapy.http import HtmlResponse, Response, TextResponse, XmlResponse
from scrapy.settings import Settings
from scrapy.spiders import Spider
from scrapy.statscollectors import MemoryStatsCollector

from scrapy_webstemmer import ArticleItem, OptionError, learn

pytest.importorskip("scrapy_poet", reason="the extra poet is not installed")
pytest.importorskip("zyte_common_items", reason="the extra poet is not installed")

from web_poet import AnyResponse, ApplyRule, HttpResponse, RulesRegistry, default_registry
from web_poet.serialization import deserialize_leaf, serialize_leaf
from zyte_common_items import Article, ArticleMetadata

from scrapy_webstemmer import poet
from scrapy_webstemmer.poet import (
    AnyResponseProvider,
    ArticleItemPage,
    ArticleProvider,
    PageArticle,
    WebstemmerArticlePage,
)

HOST = "news.example"
ITEM = ArticleItem("http://a.example/1", "A title", "Some text", "<p>Some text</p>", confidence=0.75)


@pytest.fixture(scope="module")
def patterns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a pattern file that was learned from 30 articles."""
    path = tmp_path_factory.mktemp("learned") / "patterns.json"
    learn(articles(HOST, 30)).save(path)
    return path


def provider(**settings: Any) -> tuple[ArticleProvider, dict[str, Any]]:
    """Return the provider of a crawl with these settings, and the crawl's stats."""
    stats = MemoryStatsCollector(SimpleNamespace(settings=Settings(), spider=None))
    spider = Spider(name="news")
    crawler = SimpleNamespace(settings=Settings(settings), spider=spider, spidercls=Spider, stats=stats)
    return ArticleProvider(SimpleNamespace(crawler=crawler)), stats._stats


def found(one: ArticleProvider, response: Response) -> PageArticle:
    """Return what a provider gives for a response."""
    (result,) = asyncio.run(one({PageArticle}, response=response))
    return result


def response_of(page: Any, cls: type[Any] = HtmlResponse, **values: Any) -> Any:
    """Return the response that brings a page."""
    return cls(page.url, body=page.body, encoding="utf-8", **values)


def test_article_of_a_response(patterns: Path) -> None:
    """A response gives the article that the patterns find, with its confidence, and is counted."""
    one, stats = provider(WEBSTEMMER_PATTERNS=str(patterns))
    result = found(one, response_of(article(HOST, 40)))
    assert result.url == story_url(HOST, 40)
    assert (result.item.title, result.item.text) == (story(HOST, 40).title, story(HOST, 40).text)
    assert result.item.confidence > 0.9
    assert stats["webstemmer/matched"] == 1


def test_an_article_below_the_least_confidence_is_none(patterns: Path) -> None:
    """Page objects get no article that the crawl's settings keep back."""
    one, stats = provider(WEBSTEMMER_PATTERNS=str(patterns), WEBSTEMMER_MIN_CONFIDENCE=1)
    assert found(one, response_of(article(HOST, 40))).item is None
    assert stats == {"webstemmer/uncertain": 1}


def test_list_gives_no_article(patterns: Path) -> None:
    """A list of articles gives none."""
    one, stats = provider(WEBSTEMMER_PATTERNS=str(patterns))
    assert found(one, response_of(index(HOST, 1, range(8)))).item is None
    assert stats == {"webstemmer/unmatched": 1}


@pytest.mark.parametrize(
    "response",
    [
        response_of(article(HOST, 40), status=404),
        response_of(article(HOST, 40), XmlResponse),
        response_of(article(HOST, 40), TextResponse, headers={"Content-Type": "text/plain"}),
        Response(story_url(HOST, 40), body=b"\x89PNG"),
        HtmlResponse(story_url(HOST, 40)),
    ],
    ids=["not found", "XML", "plain text", "image", "empty"],
)
def test_response_that_is_no_page_gives_no_article(response: Response, patterns: Path) -> None:
    """An error, an empty page and anything but HTML give no article, and no error."""
    one, stats = provider(WEBSTEMMER_PATTERNS=str(patterns))
    assert found(one, response) == PageArticle(response.url, None)
    assert "webstemmer/errors/extract" not in stats


def test_html_is_known_by_its_headers(patterns: Path) -> None:
    """A text counts as HTML if its headers say so: some download handlers have their own classes."""
    one, _ = provider(WEBSTEMMER_PATTERNS=str(patterns))
    headers = {"Content-Type": "Text/HTML; charset=utf-8"}
    assert found(one, response_of(article(HOST, 40), TextResponse, headers=headers)).item


def test_page_beyond_a_limit_gives_no_article(patterns: Path) -> None:
    """A page that is too large is counted, and gives no article."""
    one, stats = provider(WEBSTEMMER_PATTERNS=str(patterns), WEBSTEMMER_LIMITS={"page_size": 100})
    assert found(one, response_of(article(HOST, 40))).item is None
    assert stats == {"webstemmer/limits/page_size": 1}


def test_options_hold(patterns: Path) -> None:
    """WEBSTEMMER_EXTRACT_OPTIONS says how the patterns are applied."""
    one, _ = provider(
        WEBSTEMMER_PATTERNS=str(patterns), WEBSTEMMER_EXTRACT_OPTIONS={"url_rules": [["/story/", False]]}
    )
    assert found(one, response_of(article(HOST, 40))).item is None


@pytest.mark.parametrize("fields", [[], ["sections"]])
def test_sections_come_if_they_are_asked_for(fields: list[str], patterns: Path) -> None:
    """An article has its parts if WEBSTEMMER_FIELDS names them, as in the feeds of other crawls."""
    one, _ = provider(WEBSTEMMER_PATTERNS=str(patterns), WEBSTEMMER_FIELDS=fields)
    assert bool(found(one, response_of(article(HOST, 40))).item.sections) is bool(fields)


def test_without_the_setting_there_is_no_crawl() -> None:
    """The crawl does not begin; NotConfigured would switch off all of scrapy-poet."""
    with pytest.raises(OptionError, match=r"WEBSTEMMER_PATTERNS=.*ArticleProvider needs a pattern file"):
        provider(WEBSTEMMER_PATTERNS=None)


def test_before_the_first_learning_no_page_gives_an_article(caplog: Any) -> None:
    """While the pattern file is missing, a warning says how to make it, and the crawl goes on."""
    one, _ = provider(WEBSTEMMER_PATTERNS="no-such.json")
    assert "`scrapy analyze LEARNING_SET -o no-such.json` makes it" in caplog.text
    assert found(one, response_of(article(HOST, 40))).item is None


def test_switched_off_there_are_no_articles() -> None:
    """With WEBSTEMMER_ENABLED=False nothing is loaded, and no page gives an article."""
    one, _ = provider(WEBSTEMMER_ENABLED=False, WEBSTEMMER_PATTERNS="no-such.json")
    assert found(one, response_of(article(HOST, 40))).item is None


def test_any_response() -> None:
    """AnyResponse holds the response that Scrapy downloaded."""
    (result,) = AnyResponseProvider(SimpleNamespace())({AnyResponse}, response=response_of(article(HOST, 1)))
    assert (str(result.url), result.text) == (story_url(HOST, 1), article(HOST, 1).body.decode())


def item_of(cls: Any, item: ArticleItem | None) -> Any:
    """Return the item of a page object."""
    values = {"page_article": PageArticle("http://a.example/1", item)}
    if cls is WebstemmerArticlePage:
        values["response"] = HttpResponse("http://a.example/1", body=b"<p>Some text</p>")
    return asyncio.run(cls(**values).to_item())


def test_item_of_ours() -> None:
    """An ArticleItem is given as it is; without an article there is None, which Scrapy skips."""
    assert item_of(ArticleItemPage, ITEM) is ITEM
    assert item_of(ArticleItemPage, None) is None


def test_item_of_zyte_common_items() -> None:
    """The fields of an article stand in those of a zyte_common_items.Article, and no others are filled."""
    item = item_of(WebstemmerArticlePage, replace(ITEM, date="2026-05-04"))
    downloaded = item.metadata.dateDownloaded
    assert item == Article(
        url="http://a.example/1",
        headline="A title",
        articleBody="Some text",
        articleBodyHtml="<p>Some text</p>",
        datePublished="2026-05-04T00:00:00",
        metadata=ArticleMetadata(probability=0.75, dateDownloaded=downloaded),
    )
    assert item.metadata.get_date_downloaded_parsed().utcoffset().total_seconds() == 0


def test_unknown_values_are_none() -> None:
    """What is not known of an article is None, also the probability."""
    item = item_of(WebstemmerArticlePage, replace(ITEM, title="", confidence=None))
    assert (item.headline, item.datePublished, item.get_probability()) == (None, None, None)


def test_no_article_has_the_probability_0() -> None:
    """A page without an article has an item with its url and the probability 0, as zyte's own pages have."""
    item = item_of(WebstemmerArticlePage, None)
    assert (item.url, item.get_probability()) == ("http://a.example/1", 0.0)
    assert (item.headline, item.articleBody, item.articleBodyHtml, item.datePublished) == (None,) * 4


def test_fields_of_a_page_without_an_article() -> None:
    """Each field of a page without an article can be read alone."""
    page = WebstemmerArticlePage(
        HttpResponse("http://a.example/1", body=b""), PageArticle("http://a.example/1", None)
    )
    assert (page.headline, page.articleBody, page.metadata.probability) == (None, None, 0.0)
    assert (page.authors, page.datePublished, page.mainImage, page.canonicalUrl) == (None,) * 4


text = st.text(st.characters(exclude_categories=["Cs"]))
items = st.builds(
    ArticleItem,
    url=text,
    title=text,
    text=text,
    html=text,
    pattern=text,
    confidence=st.none() | st.floats(0, 1),
    date=st.none() | text,
)


@given(st.builds(PageArticle, text, st.none() | items))
def test_what_is_saved_is_read_again(one: PageArticle) -> None:
    """scrapy-poet's cache and fixtures give back the same article."""
    assert asdict(deserialize_leaf(PageArticle, serialize_leaf(one))) == asdict(one)


@pytest.mark.parametrize("cls", [ArticleItem, Article], ids=lambda cls: cls.__name__)
def test_rules_leave_room_for_others(cls: type) -> None:
    """The rules hold for all urls. Any page object of a project comes first, whatever its order."""
    from scrapy_webstemmer.poet import rules  # noqa: F401 - importing it registers the rules

    ours = [rule for rule in default_registry.get_rules() if rule.use.__module__.startswith(poet.__name__)]
    (rule,) = [rule for rule in ours if rule.to_return is cls]
    registry = RulesRegistry(rules=ours)
    assert registry.page_cls_for_item("http://a.example/1", cls) is rule.use
    other = type("Other", (rule.use,), {})
    everywhere = ApplyRule("", use=other, to_return=cls)
    for order in ([*ours, everywhere], [everywhere, *ours]):
        assert RulesRegistry(rules=order).page_cls_for_item("http://a.example/1", cls) is other


@pytest.mark.parametrize("missing", ["scrapy_poet", "zyte_common_items"])
def test_missing_library_is_named(missing: str) -> None:
    """Without the extra the package works, and naming a provider says what to install."""
    program = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "import scrapy_webstemmer; scrapy_webstemmer.Addon\n"
        "import scrapy_webstemmer.poet"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError: ")
    assert f"needs {missing}" in last
    assert 'pip install "scrapy-webstemmer[poet]"' in last
