"""Read the settings for the feeds of articles: where they go, in which format, and with which fields."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from dataclasses import fields
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import urlsplit

from scrapy.settings import BaseSettings

from ..items import METADATA_FIELDS, ArticleItem
from ..options import ExtractOptions

#: The fields of an article.
ARTICLE_FIELDS = tuple(field.name for field in fields(ArticleItem))

#: The format of a feed whose name has no ending.
_USUAL_FORMAT = "jsonlines"

#: The exporters of formats that Scrapy has not: for the name of a format, the path of a class.
OWN_EXPORTERS = {"parquet": "scrapy_webstemmer.crawl.parquet.ParquetItemExporter"}


def feed_exporters(settings: BaseSettings) -> dict[str, Any]:
    """Return the exporter of each format of feeds: Scrapy's, ours, and those that a project adds.

    A project may have another exporter in the place of ours, or none (None).
    """
    known = settings.getwithbase("FEED_EXPORTERS")
    return {name: cls for name, cls in {**OWN_EXPORTERS, **known}.items() if cls is not None}


def format_in_name(name: str, formats: Collection[str], *, packed: bool = False) -> str:
    """Return the format that the ending of a file's name says; empty if the name has no ending.

    :param name: a path or another uri. The time and the like that are filled in do not count.
    :param formats: those that are known. An ending is the name of one.
    :param packed: whether the file is compressed, so that another ending may follow that of the format.
    :raises ValueError: the ending is not that of a known format.

    >>> format_in_name("s3://bucket/news.v2/%(time)s.articles.CSV", ["csv", "xml"])
    'csv'
    """
    path = PurePath(urlsplit(name).path if "://" in name else name)
    # what ends with a dot has an ending for some versions of Python, and none for others
    endings = [""] if path.name.endswith(".") else path.suffixes
    endings = [ending[1:].lower() for ending in endings if "%(" not in ending]
    for ending in endings[: -3 if packed else -2 : -1]:
        if ending in formats:
            return ending
    if not endings:
        return ""
    raise ValueError(
        f"{name}: the ending .{endings[-1]} is not that of a known format: {', '.join(sorted(formats))}"
    )


def listed(value: Any, signs: str = "{[") -> Any:
    """Return what a string lists, between commas or as JSON; any other value as it is.

    :param signs: with which JSON begins.
    :raises ValueError: it is not valid JSON.
    """
    if not isinstance(value, str):
        return value
    text = value.strip()
    return json.loads(text) if text.startswith(tuple(signs)) else [part.strip() for part in text.split(",")]


def read_feeds(value: Any, formats: Collection[str]) -> dict[str, dict[str, Any]] | None:
    """Return feeds as Scrapy's ``FEEDS`` has them; None if the setting says nothing.

    :param value: a uri or a path, several of them (a list, or a string with commas), or a mapping of uris to
        options of a feed; list and mapping may be JSON. A ``+`` before a uri: its file is added to. An empty
        string: no feed.
    :param formats: the formats that are known.
    :raises ValueError: it is something else, or a name ends like a format that is not known.

    >>> read_feeds("articles.csv", ["csv"])
    {'articles.csv': {'encoding': 'utf-8', 'format': 'csv'}}
    """
    if value is None:
        return None
    value = listed(value)
    if isinstance(value, Mapping):
        if not all(isinstance(options, Mapping) for options in value.values()):
            raise ValueError("must have the options of a feed for each uri")
        return dict(_feed(str(uri), options, formats) for uri, options in value.items())
    uris = [value] if isinstance(value, os.PathLike) else value
    if not isinstance(uris, list | tuple) or not all(isinstance(uri, str | os.PathLike) for uri in uris):
        raise ValueError("must be a uri, or what FEEDS may be")
    return dict(_feed(str(uri), {}, formats) for uri in uris if str(uri))


def _feed(uri: str, options: Mapping[str, Any], formats: Collection[str]) -> tuple[str, dict[str, Any]]:
    """Return a feed's uri without its ``+``, and its options with their defaults."""
    if uri.startswith("+"):
        uri, options = uri[1:], {"overwrite": False, **options}
    uri = "stdout:" if uri == "-" else at_home(uri)  # as in commands, and with -O of Scrapy
    if "format" not in options:
        named = format_in_name(uri, formats, packed="postprocessing" in options)
        options = {"format": named or _USUAL_FORMAT, **options}
    return uri, {"encoding": "utf-8", **options}


def at_home(path: str) -> str:
    """Return a path whose ``~`` is replaced by the user's home, as a shell does it, but not in a setting."""
    return str(Path(path).expanduser()) if path.startswith(("~/", f"~{os.sep}")) else path


def usual_fields(options: ExtractOptions) -> dict[str, str]:
    """Return the fields that are filled if none are chosen; the others are None.

    The sections are filled only if they are chosen; comments and metadata if the options ask for them.
    """
    left_out = {"sections", *(() if options.comments else ("comments",))}
    left_out.update(() if options.metadata else METADATA_FIELDS)
    return {name: name for name in ARTICLE_FIELDS if name not in left_out}


def read_fields(value: Any) -> dict[str, str]:
    """Return the chosen fields of an article, each with the name that it is to have.

    :param value: names (a list, or a string with commas), or a mapping of names to new names; list and
        mapping may be JSON. None or an empty string: no choice was made.
    :raises ValueError: it is something else, there is no such field, or two have the same new name.

    >>> read_fields({"title": "headline"}), read_fields("url, text")
    ({'title': 'headline'}, {'url': 'url', 'text': 'text'})
    """
    if value is None or value == "":
        return {}
    value = listed(value)
    chosen = dict(value) if isinstance(value, Mapping) else {name: name for name in value}
    for name, new in chosen.items():
        if name not in ARTICLE_FIELDS:
            raise ValueError(f"there is no field {name!r}, only {', '.join(ARTICLE_FIELDS)}")
        if not isinstance(new, str):
            raise ValueError(f"the new name of {name} must be text")
    if len(set(chosen.values())) < len(chosen):
        raise ValueError("two fields have the same new name")
    return chosen
