"""Make items of the class that a project chooses for its articles.

Inside the suite an article is an :class:`~scrapy_webstemmer.ArticleItem`. It becomes an item of the
project's class when users get it: in a feed, in a pipeline, in a handler of ``article_scraped``. A
``zyte_common_items.Article`` has values of its own form.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from itemadapter import ItemAdapter
from scrapy.crawler import Crawler
from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

from ..errors import OptionError
from ..items import METADATA_FIELDS, ArticleItem
from .feed_settings import ARTICLE_FIELDS
from .reports import report_failure
from .setting_values import read, setting_name


def is_zyte_article(cls: type[Any]) -> bool:
    """Return whether a class is ``zyte_common_items.Article`` or a subclass of it."""
    library = sys.modules.get("zyte_common_items")  # where it is not loaded, no class is of it
    return library is not None and issubclass(cls, library.Article)


def zyte_values(article: ArticleItem) -> dict[str, Any]:
    """Return the values of the fields of a ``zyte_common_items.Article`` that an article gives.

    What is not known of the article is None. Times are ``YYYY-MM-DDTHH:MM:SS``, with a zone if the page gives
    one; a day alone is one at midnight. ``metadata`` is an ``ArticleMetadata`` with the time at which it is
    made, and the probability that the article is right. Authors, pictures and the like are the library's own
    components.
    """
    from zyte_common_items import ArticleMetadata, Audio, Author, Breadcrumb, Image, Video

    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "url": article.url,
        "headline": article.title or None,
        "articleBody": article.text,
        "articleBodyHtml": article.html,
        "datePublished": _at_midnight(article.date_published or article.date),
        "datePublishedRaw": article.date_published_raw,
        "dateModified": _at_midnight(article.date_modified),
        "dateModifiedRaw": article.date_modified_raw,
        "authors": [Author(**author) for author in article.authors or ()] or None,
        "description": article.description,
        "mainImage": Image(url=article.main_image) if article.main_image else None,
        "images": [Image(url=image["url"]) for image in article.images or ()] or None,
        "videos": [Video(url=url) for url in article.videos or ()] or None,
        "audios": [Audio(url=url) for url in article.audios or ()] or None,
        "inLanguage": article.language,
        "breadcrumbs": [Breadcrumb(**breadcrumb) for breadcrumb in article.breadcrumbs or ()] or None,
        "canonicalUrl": article.canonical_url,
        "metadata": ArticleMetadata(dateDownloaded=now, probability=article.confidence),
    }


def _at_midnight(time: str | None) -> str | None:
    return f"{time}T00:00:00" if time and "T" not in time else time


@dataclass(frozen=True, slots=True)
class ItemClass:
    """The class of the articles that users get, and what its constructor takes from an article.

    :param cls: a class of any kind that itemadapter knows.
    :param arguments: for a field of an article, the argument that gets its value.
    :param defaults: the arguments for which the class has a default.
    :param as_zyte: True: the names and the values are those of a ``zyte_common_items.Article``.
    """

    cls: type[Any]
    arguments: Mapping[str, str]
    defaults: frozenset[str] = frozenset()
    as_zyte: bool = False

    @property
    def fields(self) -> Collection[str]:
        """The fields of an article whose values are needed."""
        return ("html", *METADATA_FIELDS) if self.as_zyte else self.arguments

    def item_of(self, article: ArticleItem) -> Any:
        """Return the item of an article. Where the article has no value, the default of the class stays.

        The errors are those of the class, for example if a validator refuses a value.
        """
        values: Mapping[str, object] = zyte_values(article) if self.as_zyte else article
        arguments = {name: values[field] for field, name in self.arguments.items()}
        return self.cls(
            **{
                name: value
                for name, value in arguments.items()
                if value is not None or name not in self.defaults
            }
        )


def make_item(crawler: Crawler, item_class: ItemClass | None, article: ArticleItem) -> Any:
    """Return an article as users get it; None if its class refuses it, which is logged and counted.

    :param item_class: None: an article is an :class:`~scrapy_webstemmer.ArticleItem` for users, too.
    """
    if item_class is None:
        return article
    failure: Exception
    try:
        return item_class.item_of(article)
    except Exception as error:  # the class is the project's, and may raise anything
        failure = error
    except SystemExit as error:  # it would end the task, and the crawl would wait for ever
        failure = RuntimeError(f"its class raises SystemExit: {error}")
    early, final = "webstemmer/errors/provisional/convert", "webstemmer/errors/convert"
    report_failure(crawler, early if article.provisional else final, article.url, failure)
    return None


def read_item_class(
    settings: BaseSettings, chosen: Mapping[str, str], usual: Collection[str]
) -> ItemClass | None:
    """Return the class of a crawl's articles; None if the project has chosen none.

    :param chosen: for a field of an article, the field of the class that gets its value; empty: the fields of
        the same name.
    :param usual: the fields that a dict gets if none are chosen.
    :raises OptionError: there is no such class, or no item of it can be made of an article; the error names
        the setting and the value.
    """
    cls = read(settings, "item", _load)
    if cls is None:
        return None
    fields = ItemAdapter.get_field_names_from_class(cls)  # None: it takes any field, as a dict does
    if fields is not None and (unknown := [name for name in chosen.values() if name not in fields]):
        reason = f"{cls.__name__} has no field {unknown[0]!r}, only {', '.join(fields)}"
        raise OptionError(setting_name("fields"), settings.get(setting_name("fields")), reason)
    as_zyte = is_zyte_article(cls) and not chosen
    same = {name: name for name in ARTICLE_FIELDS if name in (usual if fields is None else fields)}
    if as_zyte:
        same = {name: name for name in zyte_values(ArticleItem("", "", "", ""))}
    names = chosen or same
    arguments, defaults = read(settings, "item", lambda _: _arguments(cls, names))
    return ItemClass(cls, arguments, defaults, as_zyte)


def _load(value: Any) -> type[Any] | None:
    if value is None or value == "":
        return None
    try:
        cls = load_object(value)
    except Exception as error:  # the project's module may raise anything
        raise ValueError(f"cannot be imported: {type(error).__name__}: {error}") from None
    if not isinstance(cls, type) or not ItemAdapter.is_item_class(cls):
        raise ValueError("must be a class of items: scrapy.Item, a dataclass, attrs, pydantic or dict")
    return cls


def _arguments(cls: type[Any], names: Mapping[str, str]) -> tuple[dict[str, str], frozenset[str]]:
    """Return the constructor's arguments for some fields of a class, and all arguments with a default.

    :param names: for a field of an article, the field of the class.
    :raises ValueError: there are no fields, or the constructor does not take them or needs more of them.
    """
    if not names:
        mapping = setting_name("fields")
        raise ValueError(f"has no field of an article ({', '.join(ARTICLE_FIELDS)}); {mapping} names others")
    if issubclass(cls, dict):  # it takes any argument, but its signature does not say so
        return dict(names), frozenset()
    arguments = {ours: _argument(cls, name) for ours, name in names.items()}
    signature = inspect.signature(cls)
    try:
        signature.bind(**dict.fromkeys(arguments.values()))
    except TypeError as error:
        raise ValueError(f"cannot be made of an article: {error}") from None
    parameters = signature.parameters.values()
    return arguments, frozenset(arg.name for arg in parameters if arg.default is not arg.empty)


def _argument(cls: type[Any], name: str) -> str:
    """Return the constructor's name of a field: attrs and pydantic may have an alias for it."""
    fields = {field.name: field for field in getattr(cls, "__attrs_attrs__", ())}
    field = fields.get(name) or getattr(cls, "model_fields", {}).get(name)
    return getattr(field, "alias", None) or name
