from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from path_pages import layout, place, words

from scrapy_webstemmer.fields.comments import read_comments, who_began
from scrapy_webstemmer.page.calendars import days_in
from scrapy_webstemmer.site.threads import find_comments
from scrapy_webstemmer.values import Author, Comment

TEXT = f"<p>{words(1, 40)}</p>"
COMMENT = '<li id="c{0}"><div>Ada, 12.5.2010 at 10:2{0}</div><p>{1}</p></li>'


def thread(count: int) -> str:
    return f"<ol>{''.join(COMMENT.format(n, words(10 + n)) for n in range(count))}</ol>"


def _day_of(line: str) -> str:
    return next((shown.day for shown in days_in(line)), "")


def read(body: str) -> list[Comment]:
    """Return the comments of a page."""
    page = place([layout(f"{TEXT}{body}")])[0]
    found = find_comments(page, [0])
    return [*read_comments(page, found, _day_of)] if found else []


def records(form: str, *rows: tuple[str, ...]) -> str:
    """Return comments of a form, in which the values of a row replace ``{0}``, ``{1}``, and so on."""
    return f"<ol>{''.join(f'<li id=c{n}>{form.format(*row)}</li>' for n, row in enumerate(rows))}</ol>"


SAID = (
    ("Ann Lee", "May 6, 2010", words(1)),
    ("bob99", "May 30, 2010", "So?"),
    ("Cy", "June 1, 2010", words(3)),
)
READ = [Comment("Ann Lee", "2010-05-06", words(1)), Comment("bob99", "2010-05-30", "So?")]


@pytest.mark.parametrize(
    "form",
    [
        "<div>{0}, {1} at 10:20</div><p>{2}</p>",
        "<div><b>{0}</b> {1}</div><p>{2}</p>",
        "<div><cite class=fn>{0}</cite> says:</div><div>{1}</div><p>{2}</p>",
        "<div class=comment-author>By {0}</div><div>{1}</div><p>{2}</p>",
        "<div>{0} says:</div><div>{1}</div><p>{2}</p>",
        "<p>{2}</p><div>By <a href=/u>{0}</a> on <a href=#c>{1}</a> | <a href=#r>Reply</a></div>",
        "<div>{0}<a href=#c>#</a></div><div>{1} <a href=#r>Reply</a></div><p>{2}</p><p>Reply</p>",
    ],
)
def test_author_day_and_text(form: str) -> None:
    """The author has the same place in most records; what is in all of them is neither name nor text."""
    rows = (SAID[0], ("Bob", *SAID[1][1:]), SAID[2]) if "{0}," in form else SAID
    found = read(records(form, *rows))
    assert [one._replace(author="bob99") if one.author == "Bob" else one for one in found[:2]] == READ
    assert len(found) == len(SAID)


def test_a_marked_time_is_exact() -> None:
    """A ``time`` gives the time with its zone."""
    form = (
        '<div><i class=fn>{0}</i> <time datetime="2010-05-06T07:0{1}+02:00">6.5.2010</time></div><p>{2}</p>'
    )
    found = read(records(form, ("Ann", "1", "a"), ("Bob", "2", "b")))
    assert [one.date for one in found] == ["2010-05-06T07:01:00+02:00", "2010-05-06T07:02:00+02:00"]


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (("5/6/2010", "13/6/2010"), ["2010-06-05", "2010-06-13"]),
        (("5/6/2010", "6/13/2010"), ["2010-05-06", "2010-06-13"]),
        (("5.6.2010", "6.7.2010"), ["2010-06-05", "2010-07-06"]),
        (("5/6/2010", "6/7/2010"), [None, None]),
        (("13/6/2010", "6/13/2010"), [None, None]),
    ],
)
def test_days_in_numbers(days: tuple[str, ...], expected: list[str | None]) -> None:
    """The thread tells whether the day or the month comes first. If it does not, the day is unknown."""
    rows = [(f"Reader {'AB'[n]}", day, "text") for n, day in enumerate(days)]
    assert [one.date for one in read(records("<div>{0}, {1}</div><p>{2} {0}</p>", *rows))] == expected


def test_one_reader_wrote_all_comments() -> None:
    """The same name in all records is a name if it stands above the text, first in its line."""
    found = read(
        records("<div><b>Ann</b> {0} <b>Reply</b></div><p>{1}</p>", ("6.5.2010", "a"), ("7.5.2010", "b"))
    )
    assert [(one.author, one.text) for one in found] == [("Ann", "a"), ("Ann", "b")]


def test_the_depth_of_answers() -> None:
    """An answer in another comment is one deeper."""
    answer = COMMENT.format(2, words(12))
    first = COMMENT.format(1, words(11)).replace("</li>", f"<ul>{answer}</ul></li>")
    found = read(f"<ol>{first}{COMMENT.format(3, words(13))}</ol>")
    assert [(one.depth, one.text) for one in found] == [(0, words(11)), (1, words(12)), (0, words(13))]


def test_teasers_with_dates_are_no_comments() -> None:
    """Records with a heading that leads elsewhere are teasers, unless the heading is the author."""
    form = "<li><h3><a{0} href=/{1}>{1}</a></h3><div>{2}</div><p>{3}</p></li>"
    teasers = "".join(form.format("", name.replace(" ", "-"), *rest) for name, *rest in SAID)
    assert read(f"<ul>{teasers}</ul>") == []
    assert read(f"<ul>{''.join(form.format(' class=fn', *row) for row in SAID)}</ul>")[:2] == READ


@given(
    st.lists(
        st.sampled_from(
            [
                *(row[n] for row in SAID for n in range(3)),
                *("<b>", "</b>", "<time datetime=2010-05-06>", "<dl>", "</dl>", "<dt>", "<dd>"),
            ]
        )
    )
)
def test_any_records_are_read(parts: list[str]) -> None:
    """Whatever stands in records, each comment has text, and a day is a day."""
    for one in read(thread(2) + records("".join(parts), ("", "", ""), ("", "", ""))):
        assert one.text
        assert one.date is None or one.date.startswith("2010-0")


def test_who_began_a_discussion() -> None:
    """The author of the first post stands where those of the replies do; a rank of most of them is none."""
    for names, began in ((("Ada", "Bob", "Cy"), (Author("Ada"),)), (("Member", "Member", "Cy"), ())):
        posts = "".join(
            f"<div class=post id=p{n}><div>{name}, 12.5.2010 at 10:2{n}</div><p>{words(20 + n, 20)}</p></div>"
            for n, name in enumerate(names)
        )
        page = place([layout(f"<h1>title</h1><div>{posts}</div>")])[0]
        assert who_began(page, [2]) == began
    below = place([layout(f"<div class=post id=p1>{TEXT}</div><div>{posts}</div>")])[0]
    assert who_began(below, [0]) == ()
