from __future__ import annotations

import pytest
from sequence_pages import layout_of_texts

from scrapy_webstemmer.classic.layouts_2009 import SequenceLayout, as_sequence
from scrapy_webstemmer.classic.patterns_2009 import find_sequence_sections


def page(number: int, texts: list[tuple[str, str]]) -> SequenceLayout:
    return as_sequence(layout_of_texts(texts, f"http://example.com/{number}"))


def test_scores_of_sections() -> None:
    """Boilerplate has DiffScore 0. Both scores of content are those of the documentation's formulas."""
    found = find_sequence_sections(
        [
            page(1, [("h1", "Same on both"), ("p", "abcdef"), ("div", "[qwert]")]),
            page(2, [("h1", "Same, on both!"), ("p", "abcxyz12"), ("p", "only here"), ("div", "[asdfg]")]),
        ]
    )
    heading, text, links = (section.section for section in found)
    assert (heading.feature, heading.diff_score, heading.main_score, heading.weight) == ("h1", 0, 0, 10)
    # abcdef against abcxyz12onlyhere: 6 + 16 characters, of which abce are common to both
    assert text.diff_score == pytest.approx((6 + 16 - 2 * 4) / (6 + 16), abs=1e-4)
    assert text.main_score == pytest.approx((6 + 16 - 2 * 4) / (6 + 16) * (6 + 16) / 2, abs=1e-2)
    assert (links.feature, links.diff_score, links.main_score) == ("div", 1, 0)


def test_sections_hold_the_texts_of_all_pages() -> None:
    """A section's text on a page is the text of all its blocks, without gaps."""
    found = find_sequence_sections(
        [page(1, [("p", "One two"), ("p", "Three")]), page(2, [("p", "Four five")])]
    )
    assert [[text.letters for text in section.texts] for section in found] == [["onetwothree", "fourfive"]]


def test_pages_without_anything_in_common_have_no_sections() -> None:
    """If no feature is on all pages, there are no sections."""
    assert find_sequence_sections([page(1, [("p", "some text")]), page(2, [("div", "some text")])]) == ()


def test_empty_texts_have_no_part_in_the_diff_score() -> None:
    """If a section is empty on a page, only the other pages are compared."""
    found = find_sequence_sections(
        [
            page(1, [("h1", "Same on all"), ("div", "abcdef"), ("h1", "Same on all")]),
            page(2, [("h1", "Same on all"), ("div", "ghijkl"), ("h1", "Same on all")]),
            page(3, [("div", "mnopqr"), ("h1", "Same on all")]),
        ]
    )
    assert [section.section.feature for section in found] == ["div", "h1"]
    assert [[len(text) for text in section.texts] for section in found] == [[6, 6, 6], [9, 9, 9]]
    assert [section.section.diff_score for section in found] == [1.0, 0.0]
