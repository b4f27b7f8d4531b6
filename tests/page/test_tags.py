"""The rules for tags."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.page import tags
from scrapy_webstemmer.page.tags import CLASSIC, HEADINGS, TEXT_TAGS, TODAY, TagRules, role_of_classes


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


#: Parts of classes that tell how an element is read, in all writings.
_PARTS = (
    "sr only visually hidden Screen screen reader readers Text show for element invisible assistive elementor"
    " focusable cite foot note fn back link ref reversefootnote katex mwe Math math jax preview mjx chtml not"
    " linenos lnt ln line number hljs n print image credit - _ - _"
).split(" ")


@given(st.lists(st.sampled_from([*_PARTS, " ", " "]), max_size=9).map("".join))
def test_classes_tell_together_what_each_of_them_tells(classes: str) -> None:
    """An element is read as the first of its classes by rank says; most are not looked at one by one."""
    assert role_of_classes(classes) == max(map(tags._role_of_class, classes.split()), default=0)
