"""The reference pages say what the code says."""

from __future__ import annotations

import re
from pathlib import Path

import scrapy_webstemmer

DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_python_page_has_every_public_name() -> None:
    """The Python page documents each name that the package offers, and no other."""
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\.\. auto\w+:: scrapy_webstemmer\.(\w+)$", text, re.MULTILINE)
    assert sorted(documented) == sorted(scrapy_webstemmer.__all__)


def test_the_changelog_begins_with_this_version() -> None:
    """The topmost version in the changelog is the package's own."""
    versions = re.findall(
        r"^## (\S+)", (DOCS.parent / "CHANGES.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert versions[0] == scrapy_webstemmer.__version__
