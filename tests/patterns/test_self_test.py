from __future__ import annotations

from dataclasses import replace

import pytest
from path_pages import placed, words

from scrapy_webstemmer.patterns.best_readings import read_best
from scrapy_webstemmer.patterns.clusters import Template
from scrapy_webstemmer.site.placed import PlacedLayout
from scrapy_webstemmer.values import Pattern

TEXT, SHARE, SIDE = "body/div.text", "body/div.text/div.box", "body/div.side"
PATTERN = Pattern("p", "article", 1.0, 10, (), container=TEXT, excluded=(SHARE,))
NO_AFFIXES: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


def site(pages: int = 10, wrapped: int = 0) -> list[PlacedLayout]:
    """Return articles; in the first ones excluded elements hold all of the text, as repeated records."""
    return placed(
        *(
            f'<div class="text">{_text(n, n < wrapped)}</div>'
            f'<div class="side"><p>{words(n + 80, 4)}</p></div>'
            for n in range(pages)
        )
    )


def _text(number: int, wrapped: bool) -> str:
    text, share = f"<p>{words(number, 40)}</p>", f'<div class="box">{words(number + 40, 4)}</div>'
    record = f'<div class="box">{text}<a href="/more">more</a></div>'
    return 3 * record if wrapped else text + share


def at_best(pattern: Pattern, pages: list[PlacedLayout]) -> Pattern:
    """Return the pattern of a site's only layout as it reads these pages best."""
    return best([pattern], [Template(pages, pattern.container)])[0]


def best(patterns: list[Pattern], templates: list[Template]) -> list[Pattern]:
    """Return patterns as they read their pages best, without the share of main text that was measured."""
    found, confidences, _ = read_best(patterns, templates, NO_AFFIXES)
    assert all(0 < confidence < 1 for confidence in confidences.values())
    assert all(0 <= one.main_share <= 1 for one in found if one.main_share is not None)
    return [replace(one, main_share=None) for one in found]


def test_what_reads_its_pages_well_stays() -> None:
    """A pattern with a container and an exclusion that leave all of the text is not changed."""
    assert at_best(PATTERN, site()) == PATTERN


def test_a_sample_of_the_pages_is_read() -> None:
    """A pattern of articles is tested on those of its pages that are looked at closely."""
    template = Template(site(), TEXT, samples=4)
    _, _, read = read_best([PATTERN], [template], NO_AFFIXES)
    assert [page for page, *_ in read] == template.sample
    assert len(read) == 4


def test_lists_are_not_tested() -> None:
    """A pattern of lists keeps its exclusions: most of their text is in records."""
    index = replace(PATTERN, kind="index")
    assert at_best(index, site(wrapped=10)) == index


def test_confidence_is_low_where_hardly_any_text_is_found() -> None:
    """The mean confidence of a pattern, and its share of main text, say how it reads its pages."""
    beside = placed(*(f'<nav><a href="/{n}">{words(n)}</a></nav>' for n in range(9)))
    patterns = [PATTERN, replace(PATTERN, name="q")]
    templates = [Template(site(), TEXT), Template(beside, TEXT)]
    found, confidences, read = read_best(patterns, templates, NO_AFFIXES)
    assert [main for page, main, _ in read if page in templates[0].pages] == [[0]] * 10
    assert confidences["p"] > 0.9 > 0.3 > confidences["q"]
    assert found[0].main_share == pytest.approx(0.85, abs=0.1)


def test_a_sister_lends_its_container() -> None:
    """A layout of articles takes the container of another one that reads its pages better for sure."""
    pages = site(20)
    ours, theirs = replace(PATTERN, container=SIDE, excluded=()), replace(PATTERN, name="q", excluded=())
    templates = [Template(pages[:12], SIDE), Template(pages[12:], TEXT)]
    found = best([ours, theirs], templates)
    assert [one.container for one in found] == [TEXT, TEXT]
    assert (found[0].name, found[1]) == ("p", theirs)
    index = replace(ours, kind="index")
    assert best([index, theirs], templates) == [index, theirs]


def test_two_ways_that_read_the_same_stay() -> None:
    """Where the other container holds the same text, or a page lacks it, a layout keeps its own."""
    pages = placed(
        *(f'<div class="text"><div class="in"><p>{words(n, 40)}</p></div></div>' for n in range(12))
    )
    outer, inner = replace(PATTERN, excluded=()), replace(PATTERN, container=f"{TEXT}/div.in", excluded=())
    both = [Template(pages[:6], outer.container), Template(pages[6:], inner.container)]
    assert best([outer, inner], both) == [outer, inner]
    elsewhere = replace(PATTERN, container=SIDE, excluded=())
    assert best([outer, elsewhere], both)[0] == outer


def test_what_is_gained_on_the_pages_of_others_counts() -> None:
    """What two pages cannot tell for sure, the pages of another layout can."""
    text = f"{TEXT}/div.in"
    pages = placed(
        *(
            f'<div class="text"><p>{words(n, 3 if n % 2 else 200)}</p>'
            f'<div class="in"><p>{words(n + 50, 60)}</p></div></div>'
            for n in range(14)
        )
    )
    few = replace(PATTERN, container=text, excluded=(), pages=2)
    many = replace(PATTERN, name="q", excluded=(), pages=12)
    small, large = Template(pages[:2], text), Template(pages[2:], TEXT)
    elsewhere = placed(*(f'<div class="text"><p>{words(n)}</p></div>' for n in range(12)))
    assert best([few, many], [small, Template(elsewhere, TEXT)])[0].container == text
    assert [one.container for one in best([few, many], [small, large])] == [TEXT, TEXT]
    more = replace(few, pages=13)
    assert best([more, many], [small, large])[0].container == text
