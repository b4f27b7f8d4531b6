from __future__ import annotations

from scrapy_webstemmer.classic.result_2009 import SequenceMatch, article_of_sequence
from scrapy_webstemmer.options import ExtractOptions
from scrapy_webstemmer.values import Article, ArticleSection, Block, Pattern, Section

SECTIONS = (
    (Section("title", 0.7, 60.0), ["Seals return - Example"]),
    (Section("h1", 0.2, 3.0), ["Seals", "return"]),
    (Section("p", 0.5, 50.0), ["Nine < ten seals", "& a pup"]),
    (Section("h3", 0.5, 49.0), ["by A. Walker"]),
    (Section("ul/li", 0.49, 99.0), ["Imprint"]),
    (Section("div", 0.9, 70.0), []),
)


def article(title: int | None, **changes: object) -> Article:
    pattern = Pattern("http://example.com/1", "article", 1.0, 2, tuple(found for found, _ in SECTIONS), title)
    blocks = tuple(tuple(Block(0, text, 9, 9) for text in texts) for _, texts in SECTIONS)
    match = SequenceMatch(pattern, 0.91239, blocks)
    return article_of_sequence("http://example.com/2", match, ExtractOptions.classic(**changes))


def test_sections_by_place_and_scores() -> None:
    """Sections after the title with both scores are main text; others that differ are supplementary."""
    assert article(title=1).sections == (
        ArticleSection("sub", "Seals return - Example", 0),
        ArticleSection("title", "Seals", 1),
        ArticleSection("title", "return", 1),
        ArticleSection("main", "Nine < ten seals", 2),
        ArticleSection("main", "& a pup", 2),
        ArticleSection("sub", "by A. Walker", 3),
    )


def test_title_text_and_html() -> None:
    """The title is one line for any scores, the text has one line for each block, and the HTML is escaped."""
    found = article(title=1)
    assert found.title == "Seals return"
    assert found.text == "Nine < ten seals\n& a pup"
    assert found.html == "<p>Nine &lt; ten seals</p>\n<p>&amp; a pup</p>"
    assert (found.url, found.pattern) == ("http://example.com/2", "http://example.com/1")
    assert found.confidence is None


def test_without_a_title_all_sections_may_be_main() -> None:
    """A pattern without a title gives no title, and main text may stand anywhere."""
    found = article(title=None)
    assert found.title == ""
    assert next(part.text for part in found.sections if part.kind == "main") == "Seals return - Example"


def test_thresholds_decide_what_is_main() -> None:
    """Lower thresholds make more sections main text."""
    assert article(title=1, main_threshold=49, diff_threshold=0.49).text.splitlines()[2:] == [
        "by A. Walker",
        "Imprint",
    ]
