from __future__ import annotations

from scrapy_webstemmer.base.sequences import Words
from scrapy_webstemmer.classic.patterns_2009 import SequenceSection, find_title_section
from scrapy_webstemmer.values import Section


def section(diff: float, main: float, *texts: str) -> SequenceSection:
    """Return a section with its scores and its text on each page."""
    return SequenceSection(Section("p", diff, main), tuple(map(Words, texts)))


BODY = section(0.9, 500, "0123456789", "9876543210")
MENU = section(0.0, 0, "Home, News, Ferry", "Home, News, Ferry")
TITLE = section(0.8, 9, "Seals return", "Night ferry stops")
BYLINE = section(0.7, 8, "by A. Walker", "by B. Rider")


def test_title_is_most_like_the_anchor_texts() -> None:
    """The section that is most like the anchor texts to the page is the title."""
    anchors = [["Seals return!", "Read more"], ["Night ferry stops"]]
    assert find_title_section([MENU, BYLINE, TITLE, BODY], anchors, 0.6) == 2


def test_likeness_is_weighed_by_diff_score() -> None:
    """A section that never changes is not the title, even if it has the anchor text."""
    assert find_title_section([MENU, TITLE, BODY], [["Home News Ferry"], ["Home News Ferry"]], 0.6) is None


def test_threshold_must_be_passed() -> None:
    """It is not enough if likeness times DiffScore just reaches the threshold."""
    anchors = [["Seals return"], ["Night ferry stops"]]
    assert find_title_section([TITLE, BODY], anchors, 0.8) is None
    assert find_title_section([TITLE, BODY], anchors, 0.79) == 0


def test_title_stands_before_the_main_text() -> None:
    """The section with the largest MainScore, and those after it, are not candidates."""
    anchors = [["Seals return"], ["Night ferry stops"]]
    assert find_title_section([MENU, BODY, TITLE], anchors, 0.6) is None


def test_without_anchor_texts_the_main_text_serves() -> None:
    """If no anchor text elects a section, the section that recurs in the main text is the title."""
    title = section(0.8, 9, "harbour seal", "the night ferry")
    body = section(0.9, 500, "A long text about the harbour seal", "Another text, of the night ferry")
    assert find_title_section([MENU, BYLINE, title, body], [[], ["Click here"]], 0.6) == 2


def test_none_is_elected_by_most_pages() -> None:
    """Pages without a title also vote. If there are equally many votes, the pattern has a title."""
    texts = ["Seals return", "xyz", "xyz"]
    title, body = section(0.8, 9, *texts), section(0.9, 500, "one", "two", "three")
    assert find_title_section([title, body], [["Seals return"], [], []], 0.6) is None
    title, body = section(0.8, 9, *texts[:2]), section(0.9, 500, "one", "two")
    assert find_title_section([title, body], [["Seals return"], []], 0.6) == 0


def test_anchor_texts_without_letters_are_skipped() -> None:
    """An anchor text that is only an arrow does not name a page."""
    assert find_title_section([TITLE, BODY], [["»", ""], ["…"]], 0.6) is None
