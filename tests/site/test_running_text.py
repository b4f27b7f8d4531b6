from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from path_pages import place, placed, words
from tree_pages import layouts

from scrapy_webstemmer.site.excluded import find_excluded
from scrapy_webstemmer.site.frames import find_frames
from scrapy_webstemmer.site.placed import PlacedLayout
from scrapy_webstemmer.site.running_texts import (
    author_texts,
    data_elements,
    running_elements,
    with_author_texts,
)
from scrapy_webstemmer.values import Layout

TEXT = "body/div.text"


def site(standing: int, pages: int = 10, part: str = "<p>{}</p>", head: bool = False) -> list[PlacedLayout]:
    """Return articles of which the first ones have a standing line in their text, or at its head."""
    line = part.format("May the sea be kind to all who read this")
    return placed(
        *(
            f'<div class="text"><p>{words(n, 0 if head else 30)}</p>{line * (n < standing)}'
            f"<p>{words(n + 50, 30)}</p></div>"
            f'<div class="foot"><p>Printed at the harbour</p></div>'
            for n in range(pages)
        )
    )


def boilerplate(page: PlacedLayout) -> list[str]:
    return [block.text for block, flag in zip(page.layout.blocks, page.boilerplate, strict=True) if flag]


def test_text_runs_where_much_of_it_stands() -> None:
    """An element that directly holds much of the container's new text has running text; a footer has none."""
    assert running_elements(site(0), "body") == {TEXT}
    assert running_elements(site(0), "body/div.foot") == set()


def test_records_and_links_are_no_running_text() -> None:
    """A list of links to other pages is no running text, however long it is."""
    links = "".join(f'<div class="t"><a href="/{n}">{words(n)}</a></div>' for n in range(20))
    pages = placed(*(f'<div class="text"><p>{words(n, 20)}</p></div><div>{links}</div>' for n in range(4)))
    assert running_elements(pages, "body") == {TEXT}


def test_what_some_authors_write_is_theirs() -> None:
    """At the head of the text, what six in ten pages have is the author's, on nine in ten the template's."""
    for standing, spared in ((6, True), (8, True), (9, False), (10, False)):
        pages = site(standing, head=True)
        assert boilerplate(pages[0])[0].startswith("May the sea")
        texts = author_texts(pages, "body")
        assert bool(texts) is spared
        assert boilerplate(with_author_texts(pages, texts)[0])[-1] == "Printed at the harbour"
        assert len(boilerplate(with_author_texts(pages, texts)[0])) == 2 - spared


def test_what_gives_a_text_its_order_is_the_authors() -> None:
    """Among new texts, what all pages have stays if it is a heading, below one, a question, code, several."""
    line = "May the sea be kind to all who read this"
    for part, stays in (
        (f"<h2>{line}</h2>", True),
        (f"<h2>Ingredients</h2><p>{words(5, 20)}</p><p>{line}</p>", True),
        (f"<p>{line}?</p>", True),
        (f"<pre>{line}</pre>", True),
        (
            f"<p>{line}</p><p>{words(7, 20)}</p><p>Who wrote it</p><p>{words(8, 20)}</p><p>Where to</p>",
            True,
        ),
        (f"<p>{line}</p>", False),
        (f"<h2>{words(9, 4)}</h2><p>{line}</p>", True),
    ):
        pages = site(10, part=part)
        found = with_author_texts(pages, author_texts(pages, "body"))
        assert (boilerplate(found[0]) == ["Printed at the harbour"]) is stays, part


@pytest.mark.parametrize(
    "turn", ["<p class=who>{}</p><p>{}</p>", "<div class=turn><b class=who>{}</b><p>{}</p></div>"]
)
@pytest.mark.parametrize(("second", "stays"), [("Bo Roe", True), ("Ann Lee", False)])
def test_speakers_of_a_talk(turn: str, second: str, stays: bool) -> None:
    """Two names in turn in elements of their own, above new texts, are the author's; one line is a label."""
    pages = placed(
        *(
            "<div class=talk>"
            + "".join(
                turn.format(("Ann Lee", second)[at % 2], words(n + 50 * at, 20)) for at in range(4 + n % 2)
            )
            + "</div>"
            for n in range(8)
        )
    )
    spared = with_author_texts(pages, author_texts(pages, "body/div.talk"))
    assert (boilerplate(spared[0]) == []) is stays
    assert find_excluded(spared, "body/div.talk") == () or not stays


@pytest.mark.parametrize(("headings", "stays"), [(("Ingredients", "Method"), True), (("Join us",), False)])
def test_headings_alone_in_elements_of_their_own(headings: tuple[str, ...], stays: bool) -> None:
    """A template may have them around each heading alone, for a link beside it; a single one is a call."""
    parts = [f'<div class="head"><h2>{heading}</h2><a href="#a">#</a></div>' for heading in headings]
    pages = placed(
        *(
            f'<div class="story"><p>{words(n, 40)}</p>'
            + "".join(f"{part}<p>{words(n + 50 * at, 40)}</p>" for at, part in enumerate(parts, 1))
            + "</div>"
            for n in range(8)
        )
    )
    spared = with_author_texts(pages, author_texts(pages, "body/div.story"))
    assert (boilerplate(spared[0]) == []) is stays
    assert (find_excluded(spared, "body/div.story") == ()) is stays


def test_the_first_of_several_headings_may_begin_the_text() -> None:
    """``Abstract`` above all text is the author's if other headings of its rank follow; alone it is not."""
    head = "<h2>Abstract</h2><p>{}</p>{}<p>{}</p>"
    for second, stays in (("<h2>{}</h2>", True), ("<h3>{}</h3>", False)):
        pages = placed(
            *(
                head.format(words(n, 30), second.format(words(n + 20, 3)), words(n + 50, 30))
                for n in range(10)
            )
        )
        assert boilerplate(pages[0]) == ["Abstract"]
        found = with_author_texts(pages, author_texts(pages, "body"))
        assert (boilerplate(found[0]) == []) is stays


def test_the_last_of_several_headings_may_end_the_text() -> None:
    """``Summary`` above a short text is the author's if other headings of its rank come before."""
    part = "<h2>{}</h2><p>{}</p>"
    for rank, stays in (("h2", True), ("h3", False)):
        pages = placed(
            *(
                f"<p>{words(n, 30)}</p>"
                + part.format("Coast", words(n + 20, 30))
                + part.format("Hills", words(n + 50, 5)).replace("h2", rank)
                for n in range(10)
            )
        )
        assert boilerplate(pages[0]) == ["Coast", "Hills"]
        spared = with_author_texts(pages, author_texts(pages, "body"))
        assert (boilerplate(spared[0]) == []) is stays


@pytest.mark.parametrize(
    ("rows", "stays"),
    [
        ("<tr><td>Weight<td>{n} kg<tr><td>Speed<td>9 km/h", True),
        ("<tr><td>Weight<td>13 kg<tr><td>Speed<td>9 km/h", False),  # the same on all pages
        ("<tr><td>Weight<td>{n} kg<tr><td>Date<td>6 May 2026", False),
        ("<tr><td>Weight<td>{n} kg<tr><td>Speed<td><a href=/s>9 km/h</a>", False),
        ("<tr><td>Weight<td>{n} kg", False),
        ("<tr><td>Weight<td>{n} kg<tr><td><pre>1</pre><td><pre>2</pre>", False),  # lines of code
        ("<tr><td>Weight<td>{n} kg<tr><td>Name<td>{title}", False),  # of another page
    ],
)
@pytest.mark.parametrize(
    "table",
    ["<table>{}</table>", "<table class=box>{}</table>", "<figure class=block><table>{}</table></figure>"],
)
def test_a_table_that_differs_is_the_authors(table: str, rows: str, stays: bool) -> None:
    """Each article has its own values, though they are the same without their digits."""
    titles = [words(n, 3) for n in range(10)]
    cells = [rows.format(n=n + 10, title=titles[n - 1]) for n in range(10)]
    tables = [table.format(row) for row in cells]
    pages = placed(*(f"<p>{words(n, 30)}</p>{tables[n]}" for n in range(10)), titles=titles)
    assert "Weight" in boilerplate(pages[0])
    spared = with_author_texts(pages, author_texts(pages, "body"))
    assert ("Weight" not in boilerplate(spared[0])) is stays


@pytest.mark.parametrize(
    ("element", "line"),
    [
        ("<ul class=facts>{}</ul>", "<li class=fact><b>{}:</b> {}</li>"),
        ("<div class=facts>{}</div>", "<div class=row>{} {}</div>"),
        ("<div class=facts><h3>Facts</h3>{}</div>", "<p>{}: {}</p>"),
    ],
)
@pytest.mark.parametrize("differs", [True, False])
def test_an_element_with_other_lines_on_each_page_is_the_authors(
    element: str, line: str, differs: bool
) -> None:
    """Its lines recur, but not all of them together: it is no box of the template, and has no frames.

    Numbers alone make no difference.
    """
    facts = {
        "Place": ("Lowick", "Marlow"),
        "Kind": ("Drama", "Satire"),
        "Size": ("A", "B"),
        "Way": ("in", "out"),
    }

    def element_on(page: int) -> str:
        lines = (
            line.format(name, values[page >> bit & differs])
            for bit, (name, values) in enumerate(facts.items())
        )
        return element.format("".join(lines) + line.format("Time", f"{page} min"))

    pages = placed(
        *(
            f"<div class=text><p>{words(n, 30)}</p><p>{words(n + 40, 30)}</p>{element_on(n)}</div>"
            for n in range(12)
        )
    )
    container = "body/div.text"
    spared = with_author_texts(pages, author_texts(pages, container))
    assert (boilerplate(spared[0]) == []) is differs
    assert (find_excluded(spared, container) == ()) is differs
    read = [(page, range(len(page.layout.blocks)), page.paths.index(container)) for page in spared]
    assert (find_frames(read, data_elements(spared, container)) == ()) is differs


@pytest.mark.parametrize(
    ("lines", "kept"),
    [(("Answer: no", "Answer: yes") * 3, 6), (("Become a member",) * 4, 0), (("Join us",) * 3 + ("Why",), 0)],
)
def test_lines_that_take_turns_in_the_text_are_the_authors(lines: Sequence[str], kept: int) -> None:
    """Two lines in turn give the text its order; one alone does not, nor does one with another below it."""
    parts = "".join(f"<p>{line}</p><p>{{}}</p>" for line in lines)
    pages = placed(*(parts.format(*(words(n + 20 * at, 30) for at in range(len(lines)))) for n in range(10)))
    spared = with_author_texts(pages, author_texts(pages, "body"))
    assert len(boilerplate(pages[0])) - len(boilerplate(spared[0])) == kept


def test_a_link_that_pages_repeat_is_the_templates() -> None:
    """A link that stands once in a text is the author's, a button at each paragraph is not."""
    button = '<p><a href="/shop">Buy now</a></p>'

    def text(number: int, buttons: int) -> str:
        lines = (f"<p>{words(9 * number + at, 20)}</p>{button * (at < buttons)}" for at in range(4))
        return "".join(lines)

    for buttons in (1, 3):
        pages = placed(*(text(number, buttons * (number < 6)) for number in range(10)))
        assert any("Buy now" in boilerplate(page) for page in pages)
        assert bool(author_texts(pages, "body")) is (buttons == 1)


def test_a_line_that_names_another_page_is_the_templates() -> None:
    """It is so on some of the pages, too: what follows the label is never the same."""
    line = "<p>Read also: <a href='/{0}.html'>{1}</a></p>"
    pages = placed(
        *(
            f"<p>{words(n, 30)}</p>{line.format(n, words(n, 8)) * (n < 6)}<p>{words(n + 50, 30)}</p>"
            for n in range(10)
        )
    )
    assert [len(boilerplate(page)) for page in pages] == [1] * 6 + [0] * 4
    assert author_texts(pages, "body") == set()


def test_what_stands_around_the_container_is_not_in_the_text() -> None:
    """It keeps its boilerplate."""
    printed = "<div><p>Printed at the harbour</p></div>"
    beside = placed(
        *(f"{printed}<div><p>{words(n, 30)}</p><p>{words(n + 50, 30)}</p></div>" for n in range(10))
    )
    assert author_texts(beside[:6], "body/div") == author_texts(beside, "body/div") == set()


def test_other_elements_keep_their_boilerplate() -> None:
    """A text that recurs in an element of its own is the template's, even between paragraphs."""
    pages = site(6, part='<div class="note">{}</div>')
    assert author_texts(pages, "body") == set()


@given(st.lists(layouts(), min_size=1, max_size=4))
def test_texts_are_only_spared(pages: list[Layout]) -> None:
    """Boilerplate never becomes more, and the pages are otherwise the same."""
    before = place(pages, vocabulary_pages=1)
    after = with_author_texts(before, author_texts(before, "body"))
    for one, other in zip(before, after, strict=True):
        assert all(old or not new for old, new in zip(one.boilerplate, other.boilerplate, strict=True))
        assert one.layout is other.layout
