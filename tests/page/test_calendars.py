"""Days that a text states in full, in many languages and several calendars."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.page import calendars, days
from scrapy_webstemmer.page.calendars import (
    DAY_FIRST,
    MONTH_FIRST,
    dated_among,
    days_in,
    has_unclear_order,
    joining_words,
    may_be_month,
    may_have_day,
    month_of,
    order_of,
)
from scrapy_webstemmer.page.days import day_in


@pytest.mark.parametrize(
    "text",
    [
        "Posted on November 7th, 2023, by Ann",
        "7 Nov 2023",
        "Tue, 7th of November, 2023 at 10:15",
        "10:15, November 7, 2023",
        "7. November 2023",
        "7 marraskuun, 2023",
        "7. marraskuuta 2023",
        "le 7 novembre 2023",
        "7 de noviembre de 2023",
        "7 de novembre del 2023",
        "2023. november 7.",
        "2023 m. lapkričio 7 d.",
        "7 listopada 2023, środa",
        "7 ноября 2023 г.",
        "7 Νοεμβρίου 2023",
        "7 Kasım 2023",
        "ngày 7 tháng 11 năm 2023",
        "Tháng Mười Một 7, 2023",
        "7 Лис, 2023",
        "٧ نوفمبر ٢٠٢٣",
        "७ नवंबर २०२३",
        "7 พฤศจิกายน 2566",
        "7 พ.ย. 2566",
        "7 พ.ย. 66 10:15",
        "7 พฤศจิกายน 66",
        "7/11/2566",
        "۱۶ آبان ۱۴۰۲",
        "۱۴۰۲/۰۸/۱۶",
        "2023年11月7日",
        "令和5年11月7日",
        "民國112年11月7日",
        "二〇二三年十一月七日",
        "2023년 11월 7일",
        "07.11.2023",
        "2023-11-07T10:15:00+07:00",
        "25 comments, edited 9 May; 7 November 2023",
        "7 a b c November d e f 2023",
        "2023 a b 7 c d November",
        "7. новембра 2023. 10:12",
        "2023. gada 7. novembrī",
        "7. novembra 2023 ob 10.12",
        "7. studenog 2023",
        "7. novembril 2023",
        "2023 წლის 7 ნოემბერს",
        "7 ноябри 2023",
        "2023ko azaroak 7",
        "Ann Lee | 07 Nov 23",
        "7-Nov-23 10:15",
        "7. Nov 23",
        "November 7, '23",
        "112年11月7日",
        "2023 оны 11 сарын 7",
    ],
)
def test_days(text: str) -> None:
    """The names of months are known in many languages, and so are years and digits of other calendars."""
    assert [one.day for one in days_in(text, "pl" if "listopada" in text else "")] == ["2023-11-07"]


@pytest.mark.parametrize(
    "text",
    ["November 2023", "7 November", "7 November 1823", "31 November 2023", "7 2023", "In May, ten of 2023",
     "May 2023, 12 comments", "November, 7 people of all who came in 2023", "10:15 2023 November",
     "1402/13/16", "7 listopada 2023", "7 Nov 23 boats", "at 10:07 Nov 23", "112-11-07"],
)  # fmt: skip
def test_no_day(text: str) -> None:
    """A day needs its month, its year and its number, near each other; a name of two months says nothing."""
    assert days_in(text) == []


@pytest.mark.parametrize("line", ["發布日期：112-11-07", "112.11.07", "112/11/07 10:15"])
def test_the_years_of_taiwan(line: str) -> None:
    """Where its language is written, three digits are one; elsewhere they are a number of another kind."""
    assert [one.day for one in days_in(line, "zh-Hant-TW")] == ["2023-11-07"]
    assert days_in(line, "zh-CN") == days_in(line, "en") == []


def test_two_days() -> None:
    """Each is found where it stands."""
    text = "Updated 9 April 2024. Posted 7 November 2023"
    assert [(one.day, text[one.begin : one.end]) for one in days_in(text)] == [
        ("2024-04-09", "9 April 2024"),
        ("2023-11-07", "7 November 2023"),
    ]


def test_two_days_without_a_sign_between() -> None:
    """A month belongs to the year behind it rather than to the one before its day."""
    text = "By Ann / 21. September 2019 10. January 2023"
    assert [one.day for one in days_in(text)] == ["2019-09-21", "2023-01-10"]


@given(st.dates(date(1990, 3, 21), date(2030, 3, 20)))
def test_persian_days(day: date) -> None:
    """Each day has a date in the Persian calendar; its year begins with spring."""
    year = day.year - 621 - (day < date(day.year, 3, 20))
    found = {
        one.day
        for number in (year, year + 1)
        for month in range(1, 13)
        for at in range(1, 32)
        for one in days_in(f"{number}/{month}/{at}")
    }
    assert day.isoformat() in found
    assert days_in(f"{year}/12/31") == []


def test_a_line_with_two_months_has_one_day_whatever_the_hash_seed() -> None:
    """Of two days that have the same place in a text, the earlier one counts."""
    names = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
    for month, pair in enumerate(pairwise(names), 1):
        days = days_in(f"Printed in Vol 7 No 2, {'-'.join(pair)} 2018", "en")
        assert [one.day for one in days] == [f"2018-{month:02}-02"]


def test_what_is_learned_agrees_with_what_is_known() -> None:
    """A name of a month stands for no other one; a word that is none may stand for any."""
    assert may_be_month("february", 2)
    assert not may_be_month("february", 1)
    assert may_be_month("listopad", 10)
    assert may_be_month("listopad", 11)
    assert may_be_month("mensis", 7)
    assert (month_of("mai"), month_of("listopad"), month_of("listopad", "hr-HR"), month_of("x")) == (
        5,
        0,
        10,
        0,
    )


def test_names_that_nobody_taught() -> None:
    """A form is read with known names, too; a site's own words come first."""
    assert day_in("{day} {month} {year}", "7 novembre 2023", {}) == "2023-11-07"
    assert day_in("{day} {month} {year}", "7 mensis 2023", {"mensis": 3}) == "2023-03-07"


@pytest.mark.parametrize(
    ("text", "order", "day"),
    [
        ("31/12/2019", "", "2019-12-31"),
        ("12/31/2019", DAY_FIRST, "2019-12-31"),
        ("05-05-2019", "", "2019-05-05"),
        ("05/06/2019", DAY_FIRST, "2019-06-05"),
        ("05/06/2019", MONTH_FIRST, "2019-05-06"),
        ("05/06/2019", "", None),
        ("Submitted by Ann on Tue, 10/01/2012 - 19:59", "", "2012-01-10"),
        ("Mon, 10/01/2012", DAY_FIRST, "2012-10-01"),
        ("terça-feira, 10/01/2012", "", "2012-01-10"),
        ("am Dienstag, den 10/01/2012", MONTH_FIRST, "2012-01-10"),
        ("Sun, 10/01/2012", "", None),
        ("Tuesday: 15 posts. 10/01/2012", "", None),
        ("32/12/2019", DAY_FIRST, None),
        ("1/2-2019", DAY_FIRST, None),
        ("1/2/3/2019", DAY_FIRST, None),
        ("10/12/2023 7:38:01 PM | 3 minutes", "", None),
        ("٠٥/٠٦/٢٠١٩ ١٠:١٢", DAY_FIRST, "2019-06-05"),
    ],
)
def test_the_order_of_day_and_month(text: str, order: str, day: str | None) -> None:
    """A day in numbers tells its order if one of them is no month; otherwise it must be known."""
    assert [one.day for one in days_in(text, "en", order)] == ([day] if day else [])
    assert has_unclear_order(text) == any(
        one in text for one in ("05/06/2019", "05-05", "10/12/2023", "10/01", "٠٥/٠٦")
    )


def test_who_tells_the_order() -> None:
    """Other days of the page, if they agree; else a language that has one order."""
    assert order_of(["by Ann", "12/31/2019"], "de") == MONTH_FIRST
    assert order_of(["31/12/2019", "12/31/2019"], "de") == ""
    assert [order_of([], language) for language in ("de-CH", "en-GB", "en-US", "en", "")] == [
        DAY_FIRST,
        DAY_FIRST,
        "",
        "",
        "",
    ]


def test_joining_words() -> None:
    """They are those of the language."""
    assert "and" in joining_words("en")
    assert joining_words("de") == {"sowie", "und"}
    assert joining_words("xx") == frozenset()


@given(st.text(st.sampled_from("0123456789 ./-:mayMay年月日ก۱十")), st.sampled_from(["", "en", "th"]))
def test_any_text(text: str, language: str) -> None:
    """Whatever the text, what is found is a day of the web's years, in the text's order, without overlaps."""
    end = 0
    for one in days_in(text, language):
        assert date.fromisoformat(one.day).year in range(1990, 2040)
        assert end <= one.begin < one.end
        end = one.end


#: Parts of which texts with days consist, and texts that nearly have one.
_PIECES = st.sampled_from(
    [
        *"0123459/-. ,:年月日년월일令和元十二三六〇",
        "2014",
        "2569",
        "1404",
        "May",
        "mai",
        "اسفند",
        "5 มีนาคม",
        "5 นาคม 66",
        "5 มี.ค. 66:10",
        "٢٠١٤",
        "平成",
    ]
)


@given(st.lists(_PIECES, max_size=12).map("".join), st.sampled_from(["", DAY_FIRST, MONTH_FIRST]))
def test_what_spares_a_search_for_days_spares_none(text: str, order: str) -> None:
    """Each text with a day has the sign of one; each with a day in numbers has the sign of these."""
    numeric = [*calendars._in_numbers(text, "zh-TW"), *calendars._slashed(text, order, "")]
    if numeric:
        assert calendars._SIGN_OF_NUMBERS.search(text)
    if numeric or [*calendars._with_names(text, "en")]:
        assert may_have_day(text)
    assert has_unclear_order(text) == any(
        not calendars._told_order(int(found["first"]), int(found["second"]))
        for found in [*calendars._SLASHED.finditer(text)][:1]
    )


def test_long_texts_are_not_remembered() -> None:
    """They give the same days, and fill no memory."""
    line = "Open until May 6, 2014 "
    caches = calendars._days_in, days._is_stamp
    before = [one.cache_info().misses for one in caches]
    for number in range(50):
        assert [one.day for one in days_in(f"{number} {line}{'-' * 300}")] == ["2014-05-06"]
        assert days.is_stamp(f"{number} 2014{'-' * 300}")
    assert [one.cache_info().misses for one in caches] == before


#: Texts of digits of several scripts, of signs, and of letters that have the first bytes of digits.
_TEXTS = st.text(st.sampled_from("09 12:./-年月ab\n٣۲७２éж中のค가–🙂\ud800"), max_size=12)
#: What a line with a day has: a year in any script, or one of two digits behind a Thai month.
_HINT = regex.compile(r"\d{4}|年|[ก-๎]\.?\s?\d\d(?!\d)")


@given(st.lists(_TEXTS, max_size=6))
def test_lines_with_days_are_found_at_once(texts: list[str]) -> None:
    """One look at many lines finds the same as a search in each: those that may have a year."""
    wanted = [number for number, text in enumerate(texts) if _HINT.search(text)]
    assert dated_among(texts) == [n for n, text in enumerate(texts) if may_have_day(text)]
    assert {*wanted} <= {*dated_among(texts)}


@pytest.mark.parametrize("line", ["31/05/2014", "on 31-05-2014", "٣١/٠٥/2014"])
def test_one_line_of_many_tells_the_order_of_days(line: str) -> None:
    """The lines are looked at together; numbers of other scripts count, too."""
    assert order_of(["seals", line, "12/13 boats", "5/6/14"]) == DAY_FIRST
    assert order_of(["seals", "12/13 boats", "5/6/14"]) == ""


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("6 KASIM 2025", "2025-11-06"),
        ("6 ΝΟΕΜΒΡΙΟΥ 2025", "2025-11-06"),
        ("6 FEVRIER 2025", "2025-02-06"),
        ("٦ اكتوبر ٢٠٢٥", "2025-10-06"),
        ("5 فروردين 1404", "2025-03-25"),
        ("21 ফেব্রুয়ারী, 2024", "2024-02-21"),
        ("21 ফেব্রুয়ারি, 2024", "2024-02-21"),
        ("6 फरवरी 2025", "2025-02-06"),
        ("6 नवम्बर 2025", "2025-11-06"),
        ("6 בנובמבר 2025", "2025-11-06"),
        ("5. Mrz 2014", "2014-03-05"),
    ],
)
def test_spellings_of_months(text: str, day: str) -> None:
    """Accents, dots and signs that writers leave out do not count; a form may write letters at a name."""
    assert [one.day for one in days_in(text)] == [day]


@pytest.mark.parametrize("text", ["令和八年三月五日", "中華民國一一五年三月五日", "2026年（令和8年）3月5日"])
def test_years_of_eras_are_read_in_ideographs_and_in_brackets(text: str) -> None:
    """The numbers of an era may be ideographs, and its year may stand behind that of the common era."""
    assert [shown.day for shown in days_in(text)] == ["2026-03-05"]
