from __future__ import annotations

from path_pages import placed

from scrapy_webstemmer.patterns.sections import find_sections


def test_sections_are_paths_in_the_order_of_the_page() -> None:
    """Each path of the pages is a section; the mean positions give the order."""
    pages = placed(
        "<h1>Seals</h1><p>one</p><div>foot</div>",
        "<h1>Geese</h1><p>two</p><h2>more</h2><p>b</p><div>foot</div>",
    )
    found = find_sections(pages)
    assert [section.feature for section in found] == ["body/h1", "body/p", "body/h2", "body/div"]


def test_sections_that_few_pages_have_are_left_out() -> None:
    """A section must be on half of the pages."""
    pages = placed("<p>one</p><h2>more</h2>", "<p>two</p>")
    assert [section.feature for section in find_sections(pages)] == ["body/p", "body/h2"]
    pages = placed("<p>one</p><h2>more</h2>", "<p>two</p>", "<p>three</p>")
    assert [section.feature for section in find_sections(pages)] == ["body/p"]


def test_scores_of_sections() -> None:
    """Boilerplate has DiffScore 0; weights are means over all pages; links do not count for MainScore."""
    pages = placed(
        '<div>foot</div><p>abcd</p><p>ef<a href="/">gh</a></p>',
        "<div>foot</div><p>uvwxyz</p><h2>only here</h2>",
    )
    found = {section.feature: section for section in find_sections(pages)}
    foot, text, heading = (found[f"body/{tag}"] for tag in ("div", "p", "h2"))
    assert (foot.diff_score, foot.main_score, foot.weight) == (0, 0, 4)
    assert (text.diff_score, text.main_score, text.weight) == (1, 6, 7)
    assert (heading.diff_score, heading.main_score, heading.weight) == (1, 4, 4)


def test_texts_at_one_path_are_one() -> None:
    """DiffScore compares all text of a page at a path: a further paragraph makes a difference."""
    pages = placed("<p>abcde</p><p>fghij</p>", "<p>abcde</p>")
    assert find_sections(pages)[0].diff_score == round(5 / 15, 4)
