from __future__ import annotations

import math
import random

import pytest
from sequence_pages import layout_of_texts

from scrapy_webstemmer.classic.patterns_2009 import learn_sequences
from scrapy_webstemmer.classic.result_2009 import match_sequence
from scrapy_webstemmer.options import ExtractOptions, LearnOptions
from scrapy_webstemmer.values import Layout, Pattern, Section, SitePatterns

BODIES = (
    "Every second lamp was counted before the winter storms came, while the council was voting",
    "Nobody at the mill carried the last coal barge, because this road flooded twice that year",
    "Her brother sold three maps of marshes to visiting engineers, which surprised everybody there",
)
TITLES = ("Lamps of Bergen", "Coal is going", "The cartographer")


def article(number: int) -> Layout:
    texts = [
        ("h2", "The daily example"),
        ("h1", TITLES[number]),
        ("p", BODIES[number]),
        ("div:class=foot", "All rights reserved"),
    ]
    return layout_of_texts(texts, f"http://example.com/article/{number}")


def index(number: int) -> Layout:
    texts = [
        ("h2", "The daily example"),
        ("li", f"[{'teaser ' * 9}]"),
        ("div:class=foot", "All rights reserved"),
    ]
    return layout_of_texts(texts, f"http://example.com/index/{number}")


ARTICLES = [article(number) for number in range(3)]
ANCHORS = {page.url: [TITLES[number]] for number, page in enumerate(ARTICLES)}


def learn(layouts: list[Layout], **changes: object) -> SitePatterns:
    return learn_sequences("example.com", layouts, ANCHORS, LearnOptions.classic(**changes))


def test_a_cluster_gives_a_pattern() -> None:
    """Pages of one layout give one pattern with its sections, its scores and the place of the title."""
    site = learn(ARTICLES, min_score=-1, title_threshold=0.3)
    (pattern,) = site.patterns
    assert [section.feature for section in pattern.sections] == ["h2", "h1", "p", "div:class=foot"]
    assert [section.diff_score > 0.3 for section in pattern.sections] == [False, True, True, False]
    assert (pattern.title, pattern.pages, pattern.kind) == (1, 3, "article")
    assert pattern.score == pytest.approx(
        math.log(3) * sum(section.main_score for section in pattern.sections), abs=0.01
    )
    assert pattern.name == pattern.sample_url
    assert [pattern.sample_title] == ANCHORS[pattern.sample_url]
    assert (site.layout, site.pages, site.clusters, site.unused) == ("sequence", 3, 1, ())


def test_pages_of_no_pattern_are_unused_with_a_reason() -> None:
    """A page with its own layout, one without blocks, and a cluster with a low score are all named."""
    lonely = layout_of_texts([("pre", "a page of its own")], "http://example.com/lonely")
    empty = layout_of_texts([], "http://example.com/empty")
    site = learn([*ARTICLES, index(1), index(2), lonely, empty], min_score=20)
    assert [pattern.pages for pattern in site.patterns] == [3]
    assert site.pages == 7
    assert {(left.reason, left.pages, left.sample_url) for left in site.unused} == {
        ("no layout blocks", 1, empty.url),
        ("no other page has this layout", 1, lonely.url),
        ("pattern below the minimum score", 2, index(1).url),
    }


def test_minus_one_keeps_all_patterns() -> None:
    """Without a minimum score, even a pattern without content is kept."""
    assert len(learn([*ARTICLES, index(1), index(2)], min_score=-1).patterns) == 2
    assert len(learn([*ARTICLES, index(1), index(2)], min_score=0).patterns) == 2


def test_order_of_pages_is_nothing_to_the_patterns() -> None:
    """The same pages in any order give the same patterns."""
    pages = [*ARTICLES, index(1), index(2)]
    expected = learn(pages, min_score=-1)
    for seed in range(5):
        random.Random(seed).shuffle(pages)
        assert learn(pages, min_score=-1) == expected


def pattern_of(name: str, *features: str) -> Pattern:
    return Pattern(name, "article", 1.0, 2, tuple(Section(feature, 1.0, 99.0) for feature in features))


def match(layout: Layout, *patterns: Pattern, **changes: object):
    site = SitePatterns("example.com", "sequence", 2, 1, patterns)
    return match_sequence(layout, site, ExtractOptions.classic(**changes))[0]


PAGE = layout_of_texts([("h1", "12345"), ("p", "123456789012345"), ("p", "12345"), ("div", "[12345]")])


def test_the_heaviest_pattern_matches() -> None:
    """The pattern whose sections take most of the page matches, with the blocks of each section."""
    found = match(PAGE, pattern_of("small", "p"), pattern_of("large", "h1", "p", "li"), threshold=0.5)
    assert (found.pattern.name, found.similarity) == ("large", 25 / 30)
    assert [[block.text for block in blocks] for blocks in found.sections] == [
        ["12345"],
        ["123456789012345", "12345"],
        [],
    ]


def test_equal_patterns_go_to_the_earlier() -> None:
    """If patterns take equally much of a page, the first one in the file matches."""
    small, large = pattern_of("small", "p"), pattern_of("large", "p", "h1")  # the h1 comes before the p
    assert match(PAGE, small, large, threshold=0.5).pattern.name == "small"
    assert match(PAGE, large, small, threshold=0.5).pattern.name == "large"


def test_bound_does_not_decide() -> None:
    """A pattern with more of the page's features, but in another order, loses to a pattern that fits."""
    found = match(PAGE, pattern_of("order", "div", "p", "h1"), pattern_of("fits", "h1", "p"), threshold=0.5)
    assert found.pattern.name == "fits"


def test_share_must_be_larger_than_the_threshold() -> None:
    """A page does not match if the pattern takes exactly the threshold."""
    assert match(PAGE, pattern_of("most", "h1", "p"), threshold=25 / 30) is None
    assert match(PAGE, pattern_of("most", "h1", "p"), threshold=0.83) is not None
    assert match(PAGE, pattern_of("some", "p"), threshold=None) is None
    assert match(PAGE, pattern_of("most", "h1", "p"), threshold=None) is not None


def test_strict_asks_for_all_sections() -> None:
    """In strict mode, a pattern does not match if the page lacks one of its sections."""
    more, less = pattern_of("more", "h1", "p", "ul", "div"), pattern_of("less", "h1", "p")
    assert match(PAGE, more, less).pattern.name == "more"
    assert match(PAGE, more, less, strict=True).pattern.name == "less"


def test_pages_without_blocks_match_nothing() -> None:
    """An empty page matches nothing."""
    assert match(layout_of_texts([]), pattern_of("any", "p"), threshold=0) is None
