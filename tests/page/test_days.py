"""Days in urls and in texts: the forms that people write, and the words for months."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.page.days import (
    are_months,
    date_lines,
    day_in,
    day_in_url,
    day_like_in_url,
    is_date_line,
    is_day,
    is_in_month,
    readings_of,
    time_in_attributes,
)
from scrapy_webstemmer.values import Block

MONTHS = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()


@pytest.mark.parametrize(
    ("text", "day", "forms"),
    [
        ("Posted on May 6, 2014 by Ann", "2014-05-06", ["{month} {day}, {year}"]),
        ("6 de mayo de 2014", "2014-05-06", ["{day} de {month} de {year}"]),
        ("Tuesday 6th May 2014", "2014-05-06", ["{day}* {month} {year}"]),
        ("2014年5月6日", "2014-05-06", ["{year}年{month}月{day}"]),
        ("06.05.14", "2014-05-06", ["{day}.{month}.{year}"]),
        ("05/06/2014", "2014-05-06", ["{month}/{day}/{year}"]),
        ("May 2014", "2014-05-06", []),
        ("6 2014 May", "2014-05-06", []),
        ("in 2014 some 6 boats came", "2014-05-06", ["{year} {month} {day}"]),
    ],
)
def test_readings(text: str, day: str, forms: list[str]) -> None:
    """A known day is found in the forms that people write; other words beside its numbers may be a month."""
    assert [reading.form for reading in readings_of(text, day)] == forms


@given(
    st.dates(date(1991, 1, 1), date(2039, 12, 31)),
    st.sampled_from(["{0}. {1} {2}", "{1} {0}, {2}", "{2}-{3}-{0}"]),
)
def test_what_is_read_is_found_again(day: date, form: str) -> None:
    """A reading of a text gives its day, and no other text of the form gives an error."""
    text = f"am {form.format(day.day, MONTHS[day.month - 1], day.year, day.month)} von Ann"
    months = {name.casefold(): at for at, name in enumerate(MONTHS, 1)}
    readings = readings_of(text, day.isoformat())
    assert day.isoformat() in {day_in(reading.form, text, months) for reading in readings}


@given(
    st.text(max_size=60),
    st.sampled_from(["{day} {month} {year}", "{year}*{month}{day}", "{month}/{day}/{year}"]),
)
def test_any_text(text: str, form: str) -> None:
    """Any text has a day in a form, or none."""
    found = day_in(form, text, {"mai": 5})
    assert found == "" or is_day(found)
    assert isinstance(readings_of(text, "2014-05-06"), tuple)
    assert day_in_url(f"http://a.example/{text}") == "" or is_day(day_in_url(f"http://a.example/{text}"))
    assert is_in_month(f"http://a.example/{text}", "2014-05-06") in (True, False)


def test_words_for_months() -> None:
    """Words that always stand for one month are its names; weekdays and other words are none."""
    assert are_months([("mai", 5), ("juni", 6), ("mai", 5), ("", 7)])
    assert are_months([("", 5), ("", 6)])
    assert not are_months([("mai", 5)] * 9)
    assert not are_months([("di", 5), ("di", 6), ("mi", 5), ("mi", 6)])
    assert not are_months([(f"by{number}", 5 + number % 2) for number in range(20)])


@given(st.lists(st.text(st.sampled_from("0912:./- ab٣２ж中"), min_size=1, max_size=9), max_size=6))
def test_date_lines_are_found_at_once(texts: list[str]) -> None:
    """One look at many lines finds those that a look at each does."""
    blocks = [Block(0, text, 10, 10) for text in texts]
    wanted = [number for number, block in enumerate(blocks) if is_date_line(block)]
    assert date_lines(blocks, range(len(blocks))) == wanted


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("news/ferry-20140506.html", "2014-05-06"),
        ("20131231/ferry_20140506", "2014-05-06"),
        ("news/fair-2014-05-06", "2014-05-06"),
        ("ferry-20140231", ""),
        ("ferry-120140506", ""),
        ("ferry?day=20140506", ""),
    ],
)
def test_a_number_that_may_be_a_day(path: str, day: str) -> None:
    """The last number of eight digits in the path may be a day, with signs between or without."""
    assert day_like_in_url(f"http://a.example/{path}") == day


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("2014/05/06/ferry.html", "2014-05-06"),
        ("2014/5/6/ferry", "2014-05-06"),
        ("2014/5/6", "2014-05-06"),
        ("2014/5/678/ferry", ""),
        ("2014/13/6/ferry", ""),
        ("news/2014-05-06-ferry", "2014-05-06"),
        ("news/fair-2014-05-06", ""),
    ],
)
def test_a_day_in_the_path(path: str, day: str) -> None:
    """Its steps are a year, a month and a day, with a zero before a digit or without."""
    assert day_in_url(f"http://a.example/{path}") == day


def test_an_attribute_with_the_day_of_a_change_has_no_time() -> None:
    """What an attribute says in words may be about a change."""
    assert time_in_attributes({"title": "Last updated 9 April 2026"}) == ""
    assert time_in_attributes({"title": "5 March 2025"}) == "2025-03-05"
