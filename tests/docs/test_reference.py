"""The reference pages agree with the code."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import scrapy_webstemmer

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_python_page_has_every_public_name() -> None:
    """The Python page documents each public name of the package, and no other."""
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\.\. auto\w+:: scrapy_webstemmer\.(\w+)$", text, re.MULTILINE)
    assert sorted(documented) == sorted(scrapy_webstemmer.__all__)


def test_the_changelog_begins_with_this_version() -> None:
    """The topmost version in the changelog is the package's own."""
    versions = re.findall(
        r"^## (\S+)", (DOCS.parent / "CHANGES.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert versions[0] == scrapy_webstemmer.__version__


def test_schema_of_article_items_is_that_of_the_code() -> None:
    """The JSON Schema in docs/settings.md has exactly the fields of an article item, in order."""
    text = (DOCS / "settings.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```json\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    schema = json.loads(block)
    names = [field.name for field in fields(scrapy_webstemmer.ArticleItem)]
    assert list(schema["properties"]) == [*schema["required"], "sections"] == names
    table = text.partition("## Article items")[2].partition("JSON Schema")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == names
