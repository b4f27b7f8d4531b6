from __future__ import annotations

from dataclasses import replace

from path_pages import placed, words

from scrapy_webstemmer.patterns.confidence import read_best
from scrapy_webstemmer.patterns.trust import verified
from scrapy_webstemmer.site.model import PlacedLayout
from scrapy_webstemmer.site.templates import Template
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


def test_exclusions_that_leave_the_text_stay() -> None:
    """A pattern that reads its own pages well is not changed."""
    assert verified(PATTERN, site(), NO_AFFIXES) == (PATTERN, 0)


def test_what_takes_the_text_is_withdrawn() -> None:
    """An exclusion that empties three pages in ten is withdrawn; others stay."""
    both = replace(PATTERN, excluded=(f"{TEXT}/div.other", SHARE))
    assert verified(both, site(wrapped=3), NO_AFFIXES) == (replace(both, excluded=(f"{TEXT}/div.other",)), 3)
    assert verified(both, site(wrapped=2), NO_AFFIXES) == (both, 0)


def test_a_container_beside_the_text_is_withdrawn() -> None:
    """A container that holds hardly any of the text that the pages show by themselves is withdrawn."""
    beside = replace(PATTERN, container=SIDE, excluded=())
    found, pages = verified(beside, site(), NO_AFFIXES)
    assert (found, pages) == (replace(beside, container=""), 10)


def test_comments_by_name_may_be_longer_than_the_article() -> None:
    """Excluded comments are no reason to withdraw anything, however many they are."""
    comments = f'<div class="comments"><p>{words(7, 900)}</p></div>'
    pages = placed(*(f'<div class="text"><p>{words(n, 9)}</p>{comments}</div>' for n in range(3)))
    pattern = replace(PATTERN, excluded=(f"{TEXT}/div.comments",))
    assert verified(pattern, pages, NO_AFFIXES) == (pattern, 0)


def test_lists_are_not_tested() -> None:
    """A pattern of lists keeps its exclusions: most of their text is in records."""
    index = replace(PATTERN, kind="index")
    assert verified(index, site(wrapped=10), NO_AFFIXES) == (index, 0)


def test_a_sister_lends_its_container() -> None:
    """A layout of articles takes the container of another one that reads its pages better for sure."""
    pages = site(20)
    ours, theirs = replace(PATTERN, container=SIDE, excluded=()), replace(PATTERN, name="q", excluded=())
    templates = [Template(pages[:12], SIDE), Template(pages[12:], TEXT)]
    found = read_best([ours, theirs], templates, NO_AFFIXES)
    assert [one.container for one in found] == [TEXT, TEXT]
    assert (found[0].name, found[1]) == ("p", theirs)
    index = replace(ours, kind="index")
    assert read_best([index, theirs], templates, NO_AFFIXES) == [index, theirs]


def test_two_ways_that_read_the_same_stay() -> None:
    """Where the other container holds the same text, or a page lacks it, a layout keeps its own."""
    pages = placed(
        *(f'<div class="text"><div class="in"><p>{words(n, 40)}</p></div></div>' for n in range(12))
    )
    outer, inner = replace(PATTERN, excluded=()), replace(PATTERN, container=f"{TEXT}/div.in", excluded=())
    both = [Template(pages[:6], outer.container), Template(pages[6:], inner.container)]
    assert read_best([outer, inner], both, NO_AFFIXES) == [outer, inner]
    elsewhere = replace(PATTERN, container=SIDE, excluded=())
    assert read_best([outer, elsewhere], both, NO_AFFIXES)[0] == outer
