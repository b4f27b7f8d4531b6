"""The rules for tags."""

from __future__ import annotations

import pytest

from scrapy_webstemmer.page.tags import CLASSIC, HEADINGS, TEXT_TAGS, TODAY, TagRules


@pytest.mark.parametrize("rules", [TODAY, CLASSIC])
def test_a_tag_has_one_meaning(rules: TagRules) -> None:
    """Each tag is at most one of these: a step of the path, skipped, a cut."""
    assert not rules.block & rules.skipped
    assert not rules.block & rules.cut
    assert not rules.skipped & rules.cut


def test_an_author_writes_blocks() -> None:
    """Tags of running text divide a page, except for groups of rows, which parsers may add or leave out."""
    assert TEXT_TAGS - TODAY.block == {"thead", "tbody", "tfoot"}
    assert HEADINGS <= TEXT_TAGS


def test_sections_of_html5_are_blocks_today_only() -> None:
    """Sectioning elements are steps of today's paths, but transparent in layouts of 2009."""
    sections = {"article", "aside", "footer", "header", "main", "nav", "section"}
    assert sections <= TODAY.block
    assert not sections & CLASSIC.block
