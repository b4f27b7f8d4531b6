"""Read the settings for the feeds of articles: where they go, in which format, and with which fields."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import PurePath
from typing import Any

from ..items import ArticleItem

#: The fields of an article.
ARTICLE_FIELDS = tuple(one.name for one in fields(ArticleItem))

#: For the end of a file's name, Scrapy's name of the format.
_FORMATS = {".json": "json", ".csv": "csv", ".xml": "xml"}


def read_feeds(value: Any) -> dict[str, dict[str, Any]] | None:
    """Return feeds as Scrapy's ``FEEDS`` has them; None if the setting says nothing.

    :param value: a uri or a path, several of them (a list, or a string with commas), or a mapping of uris to
        options of a feed (or its JSON). A ``+`` before a uri: its file is added to. An empty string: no feed.
    :raises ValueError: it is something else.

    >>> read_feeds("articles.jsonl")
    {'articles.jsonl': {'format': 'jsonlines', 'encoding': 'utf-8'}}
    """
    if value is None:
        return None
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = json.loads(value)
    if isinstance(value, Mapping):
        if not all(isinstance(options, Mapping) for options in value.values()):
            raise ValueError("must have the options of a feed for each uri")
        return dict(_feed(str(uri), options) for uri, options in value.items())
    if isinstance(value, str):
        value = [part.strip() for part in value.split(",")]
    uris = [value] if isinstance(value, os.PathLike) else value
    if not isinstance(uris, list | tuple) or not all(isinstance(uri, str | os.PathLike) for uri in uris):
        raise ValueError("must be a uri, or what FEEDS may be")
    return dict(_feed(str(uri), {}) for uri in uris if str(uri))


def _feed(uri: str, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return a feed's uri without its ``+``, and its options with their defaults."""
    if uri.startswith("+"):
        uri, options = uri[1:], {"overwrite": False, **options}
    suffix = PurePath(uri).suffix.lower()
    return uri, {"format": _FORMATS.get(suffix, "jsonlines"), "encoding": "utf-8", **options}


def usual_fields(*, with_sections: bool) -> dict[str, str]:
    """Return the fields that articles have if none are chosen; the sections only if they are asked for."""
    return {name: name for name in ARTICLE_FIELDS if name != "sections" or with_sections}


def read_fields(value: Any) -> dict[str, str]:
    """Return the chosen fields of an article, each with the name that it is to have.

    :param value: names (a list, or a string with commas), or a mapping of names to new names (or its JSON);
        None or an empty string: no choice was made.
    :raises ValueError: it is something else, there is no such field, or two have the same new name.

    >>> read_fields({"title": "headline"}), read_fields("url, text")
    ({'title': 'headline'}, {'url': 'url', 'text': 'text'})
    """
    if value is None or value == "":
        return {}
    if isinstance(value, str):
        text = value.strip()
        value = json.loads(text) if text.startswith("{") else [part.strip() for part in text.split(",")]
    chosen = dict(value) if isinstance(value, Mapping) else {name: name for name in value}
    for name, new in chosen.items():
        if name not in ARTICLE_FIELDS:
            raise ValueError(f"there is no field {name!r}, only {', '.join(ARTICLE_FIELDS)}")
        if not isinstance(new, str):
            raise ValueError(f"the new name of {name} must be text")
    if len(set(chosen.values())) < len(chosen):
        raise ValueError("two fields have the same new name")
    return chosen
