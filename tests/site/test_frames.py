from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from path_pages import placed, words

from scrapy_webstemmer.site.frames import find_frames, without_frames
from scrapy_webstemmer.site.placed import PlacedLayout
from scrapy_webstemmer.values import Frame


def framed(*lines: str, text: str = "<p>{}</p><p>{}</p>", titles: Sequence[str] = ()) -> list[PlacedLayout]:
    """Return pages with a line each at the head of their text, or where ``text`` has ``@``."""
    text = text if "@" in text else "@" + text
    bodies = [
        text.format(words(n, 30), words(n + 300, 30)).replace("@", line) for n, line in enumerate(lines)
    ]
    return placed(*bodies, titles=titles)


def new_on(page: PlacedLayout) -> list[int]:
    """Return the indexes of the blocks that are not boilerplate."""
    return [index for index, known in enumerate(page.boilerplate) if not known]


def frames_of(pages: Sequence[PlacedLayout]) -> tuple[Frame, ...]:
    return find_frames([(page, new_on(page), 0) for page in pages])


def shown_on(page: PlacedLayout, frames: Sequence[Frame]) -> list[str]:
    """Return the texts of a page's blocks without the lines that are filled in."""
    return [page.layout.blocks[index].text for index in without_frames(page, new_on(page), frames)]


OUTER, INNER = "body/article", "body/article/div.text"
NAMES = [words(31 * number, 4) for number in range(30)]


@pytest.mark.parametrize(
    ("line", "frame"),
    [
        ("<p>Posted by {name}</p>", ("posted by", "")),
        ("<p>{name} updated this</p>", ("", "updated this")),
        ("<p>Posted by {name} in Example News</p>", ("posted by", "in example news")),
        ("<p>{name} on the {number}.5.2010</p>", ("", "on the 0.0.0")),
        ("<h4>{number} {name}, 2010</h4>", ("", "")),
        ("<h6>Posted by {name}</h6>", ("posted by", "")),
        ("<p>Text {number}: {name}</p>", ("text 0", "")),
        (
            "<p>This report was posted in {name} {number}, and you can follow the answers to it</p>",
            ("this report was posted in", "0, and you can follow the answers to it"),
        ),
        ("<p>Tags: <a href='/{number}'>{long}</a>, <a href='/b'>{long}</a></p>", ("tags", "")),
        ("<p><a href='/'>Home</a> &gt; {name} &gt; {title}</p>", ("home", "\0")),
        ("<p><a href='/{number}'>{name}</a></p><p><a href='/b'>{long}</a></p>", ("<a>", "")),
    ],
)
@pytest.mark.parametrize("text", ["@<p>{}</p><p>{}</p>", "<p>{}</p><p>{}</p>@"])
def test_a_line_that_a_template_fills_in_is_no_text(line: str, frame: tuple[str, str], text: str) -> None:
    """The same words around a name, a day, a number, links or the title, at the head or the foot."""
    titles = [words(31 * n + 9, 14) for n in range(12)]
    lines = [
        line.format(name=NAMES[n], number=n + 10, title=titles[n], long=words(31 * n, 14)) for n in range(12)
    ]
    pages = framed(*lines, text=text, titles=titles)
    found = frames_of(pages)
    assert [one[1:] for one in found] == [frame]
    assert shown_on(pages[0], found) == [words(0, 30), words(300, 30)]


def test_where_the_line_stands_outside_of_the_text_it_says_nothing() -> None:
    """Pages of another layout, whose container has the text without the line, are no exceptions."""
    text = "<article><div class='text'><p>{}</p><p>{}</p></div>@</article>"
    pages = framed(*(f"<p class='by'>Posted by {name}</p>" for name in NAMES[:24]), text=text)
    outer, inner = (page.paths.index(path) for page, path in ((pages[0], OUTER), (pages[0], INNER)))
    whole = [(page, new_on(page), outer) for page in pages[:12]]
    parts = [(page, new_on(page)[:-1], inner) for page in pages[12:]]
    (found,) = find_frames([*whole, *parts])
    assert found.begin == "posted by"
    assert find_frames([*whole, *((page, main, outer) for page, main, _ in parts)]) == ()


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("<p>{name}</p>", "@<p>{}</p><p>{}</p>"),  # nothing is the same
        ("<p>We write that {long}</p>", "@<p>{}</p><p>{}</p>"),  # a sentence
        ("<p>{number} cups</p>", "@<p>{}</p><p>{}</p>"),  # one letter is not enough: digits are folded
        ("<h3>About {name}</h3>", "@<p>{}</p><p>{}</p>"),  # a heading
        ("<p><a href='/{number}'>All about {name}</a></p>", "<p>{}</p><p>{}</p>@"),  # a lone link
        ("<p><a href='http://example.org/{number}'>{name}</a></p>" * 2, "<p>{}</p><p>{}</p>@"),
        ("<p>Source: <a href='http://example.org/{number}'>{long}</a></p>", "<p>{}</p><p>{}</p>@"),
        ("<p>Asked by {name}</p>", "<p>{}</p>@<p>{}</p>"),  # within the text
        ("<p>Venue: {name}</p><p>Fee: {long}</p>", "<p>{}</p><p>{}</p>@"),  # data of an article
        ("<p>When: {number}.5.2026, {name}</p><p>Venue: {name}</p>", "<p>{}</p><p>{}</p>@"),
        ("<p>Venue: {name}</p>", "@<p>{}</p><p>{}</p>"),
        ("<p>The shares closed at {number} after {number}5.</p>", "<p>{}</p><p>{}</p>@"),
    ],
)
def test_what_an_author_writes_stays(line: str, text: str) -> None:
    """A line that is like no other one, a sentence, a heading, a link, a source and data are the author's."""
    line = line.replace("cups", "c")
    lines = [line.format(name=NAMES[n], number=n + 10, long=words(31 * n, 14)) for n in range(12)]
    assert frames_of(framed(*lines, text=text)) == ()


def test_an_author_has_habits_and_a_template_has_none() -> None:
    """Nine pages without an exception are enough, and 25 with one; two in 30 are a habit."""
    for pages, without, found in ((8, 0, False), (9, 0, True), (24, 1, False), (25, 1, True), (30, 2, False)):
        lines = [f"<p>Posted by {name}</p>" for name in NAMES[: pages - without]]
        lines += [f"<p>{NAMES[number]}</p>" for number in range(without)]
        assert bool(frames_of(framed(*lines))) is found, (pages, without)


def test_a_line_does_not_hide_the_one_behind_it() -> None:
    """Two long lines of the template go; only pages that have text at the path count."""
    line = "<div class='by'>By {2}</div><div class='in'>Filed under <a href='/1'>{0}</a> and {1}</div>"
    lines = (line.format(words(31 * n, 14), chr(97 + n) * 50, NAMES[n]) for n in range(12))
    pages = framed(*lines, "", text="<p>{}</p><p>{}</p>@")
    found = frames_of(pages)
    assert found == (Frame("body/div.in", "filed under", ""), Frame("body/div.by", "by", ""))
    assert [shown_on(pages[n], found) for n in (0, 12)] == [
        [words(n, 30), words(n + 300, 30)] for n in (0, 12)
    ]


def test_a_byline_may_stand_behind_a_standfirst() -> None:
    """So far into the text a line is looked for, but not behind a paragraph."""
    for size, found in ((24, True), (60, False)):
        pages = framed(*(f"<p>{words(n + 600, size)}</p><div>By {NAMES[n]}</div>" for n in range(12)))
        assert frames_of(pages) == ((Frame("body/div", "by", ""),) if found else ())


def test_words_of_the_template_end_where_words_end() -> None:
    """A line that begins with a longer word is another one, and so is one at another path."""
    frames = [Frame("body/p", "by", "")]
    page = placed(f"<p>Bystanders saw it</p><h2>By Ann</h2><p>{words(1, 30)}</p><p>By Ann</p>")[0]
    assert shown_on(page, frames) == ["Bystanders saw it", "By Ann", words(1, 30)]


def test_a_text_of_such_lines_alone_stays() -> None:
    """Nothing is left of it otherwise, and a page without a text is no article."""
    assert shown_on(placed("<p>By Ann</p>")[0], [Frame("body/p", "by", "")]) == ["By Ann"]


@given(st.lists(st.sampled_from(["<p>by a b</p>", "<p>by x</p>", "<p>1.2.2010</p>", "<p>z</p>"]), max_size=9))
def test_what_is_found_goes(lines: list[str]) -> None:
    """What was found on a page is a part of it, in its order, and the same each time."""
    page = placed("".join(lines))[0]
    frames = [Frame("body/p", "by", ""), Frame("body/p", "", "")]
    numbers = range(len(page.layout.blocks))
    once = without_frames(page, numbers, frames)
    assert once == sorted(set(once))
    assert set(once) <= set(numbers)
