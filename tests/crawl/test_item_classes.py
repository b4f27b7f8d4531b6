"""Articles as items of the project's class: what each kind gets, and what is refused at the start."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import attrs
import pytest
import scrapy
from scrapy.settings import Settings
from scrapy.statscollectors import MemoryStatsCollector

from scrapy_webstemmer import ArticleItem, OptionError
from scrapy_webstemmer.crawl.item_classes import make_item
from scrapy_webstemmer.crawl.settings import WebstemmerSettings
from scrapy_webstemmer.items import METADATA_FIELDS

ARTICLE = ArticleItem("http://a.example/1", "A title", "Some text", "<p>Some text</p>", "p1", 0.75)
MAPPING = {"url": "url", "title": "headline", "text": "body"}


class NewsItem(scrapy.Item):
    url = scrapy.Field()
    headline = scrapy.Field()
    body = scrapy.Field()
    price = scrapy.Field()


@dataclass
class NewsData:
    url: str
    headline: str = ""
    body: str = ""
    price: float | None = None


@attrs.define
class NewsAttrs:
    url: str
    headline: str = attrs.field(default="", validator=attrs.validators.max_len(10))
    body: str = ""
    price: float | None = None


@dataclass
class SameNames:
    """A class that has some of our names and some of its own."""

    title: str
    url: str
    read: bool = False
    date: str = "unknown"


def read(**values: Any) -> WebstemmerSettings:
    """Return our settings if the given ones are set; names come without the prefix."""
    return WebstemmerSettings.from_settings(Settings({f"WEBSTEMMER_{name}": v for name, v in values.items()}))


def made(cls: Any, article: ArticleItem = ARTICLE, **values: Any) -> Any:
    """Return an article as an item of a class."""
    item_class = read(ITEM=cls, **values).item
    assert item_class is not None
    return item_class.item_of(article)


@pytest.mark.parametrize("cls", [NewsItem, NewsData, NewsAttrs, dict])
def test_mapping_names_the_fields_of_the_class(cls: Any) -> None:
    """Each kind of class gets the chosen fields under the new names."""
    item = made(cls, FIELDS=MAPPING)
    assert type(item) is cls
    assert item == cls(url="http://a.example/1", headline="A title", body="Some text")


def test_fields_of_the_same_name_are_filled() -> None:
    """Without a mapping, a class gets the fields that it has; the default of a field stands for no value."""
    assert made(SameNames) == SameNames("A title", "http://a.example/1", read=False, date="unknown")
    assert made(SameNames, replace(ARTICLE, date="2026-05-04")).date == "2026-05-04"


def test_fields_without_a_default_get_none() -> None:
    """Where neither the article nor the class has a value, the field has None."""

    @dataclass
    class Dated:
        date: str | None

    assert made(Dated) == Dated(None)
    assert made(dict, FIELDS='["url", "date"]') == made(dict, FIELDS="url,date")
    assert made(dict, FIELDS="url,date") == {"url": "http://a.example/1", "date": None}


def test_dict_gets_what_articles_usually_have() -> None:
    """A dict gets all fields but sections and comments, if they are not asked for, and what is off."""
    usual = [name for name in ARTICLE if name not in ("sections", "comments")]
    assert list(made("builtins.dict")) == usual
    assert list(made(dict, EXTRACT_OPTIONS={"comments": True})) == [*usual, "comments"]
    assert list(made(dict, FIELDS="url,comments")) == ["url", "comments"]
    without = [name for name in usual if name not in METADATA_FIELDS]
    assert list(made(dict, EXTRACT_OPTIONS={"metadata": False})) == without


def test_settings_may_be_strings() -> None:
    """Class and mapping may be strings, as on the command line."""
    assert made("scrapy_webstemmer.ArticleItem").text == "Some text"
    assert made("builtins.dict", FIELDS='{"title": "headline"}') == {"headline": "A title"}
    assert read(ITEM="").item is None


def test_aliases_of_attrs_are_found() -> None:
    """A field of attrs is named as in the class, whatever its constructor calls it."""

    @attrs.define
    class Aliased:
        _url: str
        title: str = attrs.field(alias="headline")

    item = made(Aliased, FIELDS={"url": "_url", "title": "title"})
    assert item == Aliased(url="http://a.example/1", headline="A title")


def test_pydantic_models_are_filled() -> None:
    """A model gets the chosen fields, checked and converted, also if they have an alias."""
    pydantic = pytest.importorskip("pydantic", minversion="2")
    fields = {"url": (str, ...), "headline": (str, pydantic.Field(alias="name")), "day": (str, "")}
    strict = pydantic.create_model("Model", **fields)
    lenient = pydantic.create_model("Model", __config__={"populate_by_name": True}, **fields)
    for model in (strict, lenient):
        item = made(model, FIELDS={"url": "url", "title": "headline", "date": "day"})
        assert isinstance(item, model)
        assert (item.url, item.headline, item.day) == ("http://a.example/1", "A title", "")


def test_refused_value_is_counted_and_logged(caplog: Any) -> None:
    """If a class refuses a value, there is no item, and the log has the url."""
    stats = MemoryStatsCollector(SimpleNamespace(settings=Settings(), spider=None))
    crawler: Any = SimpleNamespace(stats=stats, spider=None)
    item_class = read(ITEM=NewsAttrs, FIELDS=MAPPING).item
    assert make_item(crawler, item_class, ARTICLE) == NewsAttrs("http://a.example/1", "A title", "Some text")
    assert make_item(crawler, item_class, replace(ARTICLE, title="A long title")) is None
    assert stats.get_stats() == {"webstemmer/errors/convert": 1}
    (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert "Cannot convert http://a.example/1: " in record.getMessage()


def test_without_a_class_articles_stay_what_they_are() -> None:
    """Without the setting, users get the ArticleItem itself."""
    assert make_item(SimpleNamespace(), None, ARTICLE) is ARTICLE


@dataclass
class Needy:
    url: str
    price: float


@dataclass
class Foreign:
    price: float = 0


@dataclass
class Fixed:
    url: str = field(default="", init=False)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("dict", "cannot be imported: ValueError: Error loading object 'dict'"),
        ("nopress.NewsItem", "cannot be imported: ModuleNotFoundError: No module named 'nopress'"),
        (
            "scrapy_webstemmer.items.NewsItem",
            "cannot be imported: NameError: Module 'scrapy_",
        ),
        (5, "cannot be imported: TypeError"),
        ("scrapy_webstemmer.learn", "must be a class of items"),
        ("pathlib.Path", "must be a class of items"),
        (Foreign, "has no field of an article (url, title, "),
        (scrapy.Item, "WEBSTEMMER_FIELDS names others"),
        (Needy, "cannot be made of an article: missing a required argument: 'price'"),
        (Fixed, "cannot be made of an article: got an unexpected keyword argument 'url'"),
    ],
)
def test_bad_classes_are_refused(value: Any, reason: str) -> None:
    """A class that is not there, or that no article can fill, is an error that names the setting."""
    with pytest.raises(OptionError) as caught:
        read(ITEM=value)
    assert (caught.value.name, caught.value.value) == ("WEBSTEMMER_ITEM", value)
    assert reason in caught.value.reason


@pytest.mark.parametrize(
    ("mapping", "reason"),
    [
        ({"title": "headlin"}, "NewsItem has no field 'headlin', only "),
        ("url,title", "NewsItem has no field 'title', only"),
        ({"title": "body", "text": "body"}, "two fields have the same new name"),
    ],
)
def test_bad_mappings_are_refused(mapping: Any, reason: str) -> None:
    """A mapping to a field that the class does not have is an error that names the mapping's setting."""
    with pytest.raises(OptionError) as caught:
        read(ITEM=NewsItem, FIELDS=mapping)
    assert (caught.value.name, caught.value.value) == ("WEBSTEMMER_FIELDS", mapping)
    assert reason in caught.value.reason


def test_articles_of_zyte_common_items() -> None:
    """Without a mapping they have the values that page objects give them; a mapping of one's own counts."""
    zyte = pytest.importorskip("zyte_common_items", reason="the extra poet is not installed")
    item = made("zyte_common_items.Article", replace(ARTICLE, date="2026-05-04"))
    downloaded = item.metadata.dateDownloaded
    assert item == zyte.Article(
        url="http://a.example/1",
        headline="A title",
        articleBody="Some text",
        articleBodyHtml="<p>Some text</p>",
        datePublished="2026-05-04T00:00:00",
        metadata=zyte.ArticleMetadata(probability=0.75, dateDownloaded=downloaded),
    )
    item = made(zyte.Article, FIELDS={"url": "url", "title": "headline", "date": "dateModifiedRaw"})
    assert item == zyte.Article(url="http://a.example/1", headline="A title")


def test_metadata_of_zyte_common_items() -> None:
    """What the page states stands in the library's fields and components, which check their types."""
    zyte = pytest.importorskip("zyte_common_items", reason="the extra poet is not installed")
    item = made(
        "zyte_common_items.Article",
        replace(
            ARTICLE,
            date_published="2026-05-04T10:20:00+02:00",
            date_published_raw="2026-05-04 10:20 +0200",
            date_modified="2026-05-05",
            date_modified_raw="20260505",
            authors=[{"name": "Ann", "url": None}, {"name": "Bob", "url": "http://a.example/bob"}],
            description="About it",
            main_image="http://a.example/a.png",
            images=[{"url": "http://a.example/b.png", "alt": None, "caption": "b"}],
            videos=["http://a.example/v"],
            audios=["http://a.example/s"],
            language="pt-BR",
            breadcrumbs=[{"name": "News", "url": "http://a.example/news"}],
            canonical_url="http://a.example/1",
        ),
    )
    assert (item.datePublished, item.dateModified) == ("2026-05-04T10:20:00+02:00", "2026-05-05T00:00:00")
    assert (item.datePublishedRaw, item.dateModifiedRaw) == ("2026-05-04 10:20 +0200", "20260505")
    assert item.authors == [zyte.Author(name="Ann"), zyte.Author(name="Bob", url="http://a.example/bob")]
    assert (item.description, item.inLanguage, item.canonicalUrl) == (
        "About it",
        "pt-BR",
        "http://a.example/1",
    )
    assert item.mainImage == zyte.Image(url="http://a.example/a.png")
    assert (item.videos, item.audios) == (
        [zyte.Video("http://a.example/v")],
        [zyte.Audio("http://a.example/s")],
    )
    assert item.breadcrumbs == [zyte.Breadcrumb(name="News", url="http://a.example/news")]


@pytest.mark.parametrize(
    ("values", "metadata"),
    [
        ({}, True),
        ({"EXTRACT_OPTIONS": {"metadata": False}}, False),
        ({"FIELDS": "url,authors", "EXTRACT_OPTIONS": {"metadata": False}}, True),
        ({"FIELDS": "url,authors"}, True),
        ({"FIELDS": "url,date", "ITEM": "builtins.dict"}, True),
        ({"FIELDS": "url,date", "EXTRACT_OPTIONS": {"metadata": False}}, False),
        ({"FIELDS": "url,date", "EXTRACT_OPTIONS": {"date": True}}, False),
        ({"ITEM": "builtins.dict"}, True),
        ({"ITEM": "zyte_common_items.Article"}, True),
    ],
)
def test_metadata_is_read_where_a_field_is_for_it(values: dict[str, Any], metadata: bool) -> None:
    """A field of it in WEBSTEMMER_FIELDS or in the project's class is enough."""
    if "zyte" in str(values):
        pytest.importorskip("zyte_common_items", reason="the extra poet is not installed")
    assert read(**values).wanted_options.metadata is metadata
