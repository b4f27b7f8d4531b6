"""The reference pages agree with the code."""

from __future__ import annotations

import configparser
import json
import re
from dataclasses import fields
from pathlib import Path

import constants
import pytest

import scrapy_webstemmer
from scrapy_webstemmer.items import METADATA_FIELDS
from scrapy_webstemmer.verdict.classifier import weights

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def test_the_python_page_has_every_public_name() -> None:
    """The Python page documents each public name of the package, and no other."""
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\.\. auto\w+:: scrapy_webstemmer\.(\w+)$", text, re.MULTILINE)
    assert sorted(documented) == sorted(scrapy_webstemmer.__all__)


@pytest.mark.parametrize("page", ["docs/design.md", "docs/algorithm.md", "CONTRIBUTING.md"])
def test_modules_that_are_named_exist(page: str) -> None:
    """A page that says where something stands names files that are there."""
    text = (ROOT / page).read_text(encoding="utf-8")
    places = (ROOT, ROOT / "tests" / "benchmarks", Path(scrapy_webstemmer.__file__).parent)
    named = set(re.findall(r"`((?:\w+/)*\w+\.pyx?)`", text))
    assert named
    assert [name for name in named if not any((place / name).exists() for place in places)] == []


def test_the_changelog_begins_with_this_version() -> None:
    """The topmost version in the changelog is the package's own."""
    versions = re.findall(
        r"^## (\S+)", (DOCS.parent / "CHANGES.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert versions[0] == scrapy_webstemmer.__version__


def test_each_extra_is_explained() -> None:
    """The docs say of each extra what it adds; what only tests or docs need is no extra."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    table = (DOCS / "installation.md").read_text(encoding="utf-8").partition("| extra | what it adds |")[2]
    named = re.findall(r"^\| `([\w-]+)` \|", table.partition("\n\n")[0], re.MULTILINE)
    assert sorted(named) == sorted(config["options.extras_require"])


def test_schema_of_article_items_is_that_of_the_code() -> None:
    """The JSON Schema and the tables of docs/articles.md have the fields of an article item in order."""
    text = (DOCS / "articles.md").read_text(encoding="utf-8")
    schema = json.loads((DOCS / "article.schema.json").read_text(encoding="utf-8"))
    names = [field.name for field in fields(scrapy_webstemmer.ArticleItem)]
    own = [name for name in names if name not in METADATA_FIELDS]
    assert list(schema["properties"]) == names
    assert schema["required"] == names
    before, _, stated = text.partition("## Authors, times, topics and more")
    for part, shown in ((before, own), (stated.partition("\n## ")[0], [*METADATA_FIELDS])):
        assert (
            re.findall(r"^\| `(\w+)` \|", part.partition("## Article items")[2] or part, re.MULTILINE)
            == shown
        )


def test_the_page_of_constants_is_that_of_the_code() -> None:
    """``python tests/docs/constants.py`` has been called after the last change of a number."""
    assert constants.PAGE.read_text(encoding="utf-8") == constants.text_of_page()


def test_documented_weights_are_those_of_the_file() -> None:
    """The page of constants has each piece of evidence, in order, with its weight and a description."""
    text = (DOCS / "constants.md").read_text(encoding="utf-8").partition("\n## Weights\n")[2]
    for part, known in zip(text.split("\n### ")[1:], weights(), strict=False):
        found = re.findall(r"^\| `(\w+)` \| ([+-][\d.]+) \| \S.+ \|$", part, re.MULTILINE)
        assert found == [(name, f"{weight:+.2f}") for name, weight in known.items()]
