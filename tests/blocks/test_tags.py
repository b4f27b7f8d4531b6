"""The tags' meanings."""

from __future__ import annotations

import pytest

from scrapy_webstemmer.blocks.tags import CLASSIC, HEADINGS, TEXT_TAGS, TODAY, TagRules


@pytest.mark.parametrize("rules", [TODAY, CLASSIC])
def test_a_tag_has_one_meaning(rules: TagRules) -> None:
    """No tag is a step of the path and skipped, or a cut, at once."""
    assert not rules.block & rules.skipped
    assert not rules.block & rules.cut
    assert not rules.skipped & rules.cut


def test_an_author_writes_blocks() -> None:
    """Tags of running text divide a page, but for the groups of rows that parsers add or leave out."""
    assert TEXT_TAGS - TODAY.block == {"thead", "tbody", "tfoot"}
    assert HEADINGS <= TEXT_TAGS


def test_sections_of_html5_are_blocks_today_only() -> None:
    """The sectioning elements are steps of today's paths and transparent in the layouts of 2009."""
    sections = {"article", "aside", "footer", "header", "main", "nav", "section"}
    assert sections <= TODAY.block
    assert not sections & CLASSIC.block
