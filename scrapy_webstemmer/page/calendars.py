"""Read a day that a text states in full: with the name of its month in any of 140 languages, or in numbers.

Of ``10/01/2012`` the weekday before it tells which number is the day, if only one of the two days is one.

What a site's pages teach about its days (``fields/field_places.py``) must agree with these names.

Sources: the names are those of Unicode's CLDR, and some of programs (``words.json``, which
``tests/benchmarks/words.py`` writes).
The Persian calendar is that of 33 years, which is exact from 1796 to 2256. Thai years are 543
ahead. Years of the web alone count, so no year is one of two calendars.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain, product
from typing import Any, NamedTuple
from unicodedata import normalize

import regex

#: Digits of a year.
_YEAR_LENGTH = len("2014")
#: The years of the web. The last is fixed: the present would make the result depend on the day of the run.
YEARS = range(1990, 2040)
#: Years of Buddha are so far ahead, those of Persia begin with so many years behind.
_BUDDHA, _PERSIA = 543, 621
#: The years before the first of an era, by its name.
_ERAS = {"令和": 2018, "平成": 1988, "民國": 1911, "民国": 1911}
#: What many writers leave out or write in another way, so that it does not count in a name: accents, as in
#: capitals; the dot of the Turkish i; the signs on Arabic alefs, and the forms of some letters; nuktas.
_SPELLINGS = {
    **dict.fromkeys([*range(0x300, 0x370), 0x640, 0x653, 0x654, 0x655, 0x93C, 0x9BC, 0xA3C, 0xABC, 0xB3C]),
    **str.maketrans("ıيىكী", "iییکি"),
}
#: The same sound in Hindi, as a letter and as a sign.
_NASAL = "\u092e\u094d\u092c", "\u0902\u092c"
#: The months of the Persian calendar, which CLDR has in a part of its own that Babel leaves out;
#: without the signs that do not count.
_PERSIAN = "فروردین اردیبهشت خرداد تیر مرداد شهریور مهر ابان اذر دی بهمن اسفند".split()
#: The first day of the Persian year 979.
_PERSIAN_BEGIN = date(1600, 3, 20)
#: The numbers of Chinese and Japanese as digits.
_CJK_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")

#: A number, or a word with the signs above and below its letters, which are no letters for Python.
_PART = regex.compile(r"\d+|[\p{L}\p{M}]+")
#: A day in numbers, the year first: no other order is meant by this. Of three digits, it is that of Taiwan.
_NUMERIC = regex.compile(
    r"(?<![\d/.-])(?P<year>\d{4}|1\d\d)\s?(?:[-/.년]|(?P<sign>年)|оны)(?:[(（][^()（）]{2,8}[)）])?\s?"
    r"(?P<month>\d{1,2})\s?(?:[-/.月월]|(?:-?р )?сарын)\s?(?P<day>\d{1,2})(?!\d)(?:\s?[日일])?+"
)
#: The languages of Taiwan, whose offices count the years from its first one, as in ``113-03-05``.
_TAIWANESE, _TAIWAN = regex.compile(r"zh\b.*(?:hant|tw)", regex.IGNORECASE), 1911
#: The day first: with dots, and in years of Buddha.
_DAY_FIRST = regex.compile(
    r"(?<![\d/.-])(?P<day>\d{1,2})(?:(?P<sign>[-/])|\.\s?)(?P<month>\d{1,2})(?(sign)(?P=sign)|\.\s?)"
    r"(?P<year>(?(sign)25|\d\d)\d\d)(?!\d)"
)
#: Day and month in either order.
_SLASHED = regex.compile(
    r"(?<![\d/.-])(?P<first>\d{1,2})(?P<sign>[-/])(?P<second>\d{1,2})(?P=sign)(?P<year>\d{4})(?![\d/.-])"
)
#: The same with two digits of the year.
_SHORT_YEAR = regex.compile(
    r"(?<![\w/.,:-])(?:(?P<first>\d{1,2})(?P<sign>/)(?P<second>\d{1,2})|(?P<first>\d\d)(?P<sign>\.)(?P<second>\d\d))"
    r"(?P=sign)(?P<year>\d\d)(?![\w/-]|[.,:]\d)"
)
#: Languages that name the year first, also with two digits.
_YEAR_FIRST = frozenset(("fa", "hu", "ja", "ko", "lt", "mn", "zh"))
#: The shapes of days in numbers: in all others the year has four digits, ...
_SHAPES = b"0000", b"/0/00", b"/00/00", b":0:00", b":00:00"
#: ... but for "5 Mar 14", "5-Mar-14", "5, '14". Most texts do not have the parts of these.
_SHORT_SHAPE, _PARTS_OF_SHORT = regex.compile(rb"[0:] {5,6}00|/ {3,4}/00|0 {3,5}00"), (b"   00", b" /00")
_OF_ERA = regex.compile(
    rf"(?P<era>{'|'.join(_ERAS)})\s?(?P<year>\d{{1,3}}|元|[〇零一二三四五六七八九十]{{1,3}})\s?年"
    r"\s?(?P<month>\d{1,2}|[一二三四五六七八九十]{1,2})\s?月\s?(?P<day>\d{1,2}|[一二三四五六七八九十]{1,3})\s?日"
)
_IN_WORDS = regex.compile(
    r"(?P<year>[〇零一二三四五六七八九]{4})年(?P<month>[一二三四五六七八九十]{1,2})月(?P<day>[一二三四五六七八九十]{1,3})日"
)
#: The year without its first digits, behind a Thai month that of Buddha. In other languages the month has few
#: letters, and nothing but a time follows in the line or its part; or an apostrophe stands for the digits.
_SHORT_NAMED = regex.compile(
    r"(?<!\d)(?P<day>\d{1,2})\s?(?P<month>[ก-๎.]{3,12})\s?(?P<year>\d\d)(?![\d:.])"
    r"|(?<![\d:.,/-])(?P<day>\d{1,2})(?:(?P<sign>[/-])|\.? )(?P<month>\p{L}{3,4})(?(sign)(?P=sign)| )"
    r"(?P<year>\d\d)(?=\s?(?:$|[|·•)]|,(?!\s?\d{4})|\d?\d:\d\d))"
    r"|(?<!\p{L})(?P<month>\p{L}{3,12})\.? (?P<day>\d{1,2}), ['’](?P<year>\d\d)(?!\d)"
)
#: Each text with a day has the first of these; most texts do not. One whose month has no name has the second.
_HINT = regex.compile(r"\d{4}|年|[ก-๎]\.?\s?\d\d(?!\d)")
_SIGN_OF_NUMBERS = regex.compile(r"\d\s?[-/.년]|年|сарын")
#: The bytes of a text as its shape: digits are 0, colons and dots colons, slashes and hyphens slashes, and
#: spaces stand for what is no digit in any script. Arabic has the first of the others; Chinese, Japanese,
#: Korean and punctuation have none, nor have bytes that continue a character. A NUL stays between texts.
_SHAPE = bytearray(range(256))
for _byte in (*range(1, 0xD9), *range(0xE2, 0xEA), *range(0xEB, 0xEE)):
    _SHAPE[_byte] = ord(" ")
for _signs, _shape in (("0123456789", "0"), (":.", ":"), ("/-", "/")):
    for _byte in _signs.encode():
        _SHAPE[_byte] = ord(_shape)
#: The orders of day and month.
DAY_FIRST, MONTH_FIRST = "day first", "month first"
#: The regions where English names the day first.
_ENGLISH_DAY_FIRST = frozenset(("GB", "IE", "AU", "NZ", "IN"))
#: One of so many words before a day in numbers, in so many characters, may be its weekday: "Tuesday the".
_WEEKDAY_WORDS, _WEEKDAY_GAP = 2, 20
#: Bound: what longer texts show is not remembered, or long texts of many pages would fill the memory.
_LONGEST_KEPT = 300
#: How a sentence ends.
_SENTENCE_END = regex.compile(r"(?<=\w)[.!?。！？।]$")
#: So many parts of a text are between its day, month and year, in so many characters.
_BETWEEN, _LONGEST_GAP = 3, 10
#: So far before the name of a month or behind it, in parts of the text, stand its day and its year.
_REACH = 2 * _BETWEEN
#: A shorter Latin word is a name in its own language alone: "pm" is July in
#: Nheengatu.
_SHORT_NAME = 3
#: A name has at most so many parts.
_NAME_WORDS = 3


class ShownDay(NamedTuple):
    """A day that a text states.

    :param day: ``YYYY-MM-DD``.
    :param begin: where it begins in the text.
    :param end: where it ends.
    """

    day: str
    begin: int
    end: int


@cache
def _words() -> Mapping[str, Any]:
    words: Mapping[str, Any] = json.loads(files(__package__).joinpath("words.json").read_text("utf-8"))
    return words


def joining_words(language: str) -> frozenset[str]:
    """Return the words that join the last two of a list, in one language; empty: none is known."""
    return frozenset(_words()["and"].get(language.partition("-")[0].lower(), ()))


@cache
def _month_names() -> Mapping[str, Mapping[int, frozenset[str]]]:
    """Return for each name its months, each with its languages."""
    known: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for language, months in _words()["months"].items():
        for month, names in enumerate(months, 1):
            for name in names:
                known[_name_key(name)][month].add(language)
    return {
        name: {month: frozenset(of) for month, of in months.items()} for name, months in known.items() if name
    }


@cache
def _weekdays() -> Mapping[str, frozenset[int]]:
    """Return for each word in the name of a weekday the weekdays for which it stands, Monday is 0."""
    by_word: dict[str, set[int]] = defaultdict(set)
    for weekday, names in enumerate(_words()["weekdays"]):
        for part in {part for word in names for part in _PART.findall(word)}:
            by_word[part].add(weekday)
    return {word: frozenset(weekdays) for word, weekdays in by_word.items()}


def before_weekday(text: str) -> str:
    """Return a text without the weekday that is its last word, if more than one word is before it.

    >>> before_weekday("Ann Lee Tuesday"), before_weekday("Ana Domingo")
    ('Ann Lee', 'Ana Domingo')
    """
    before, _, last = text.rpartition(" ")
    return before if " " in before and last.strip(".,").casefold() in _weekdays() else text


@cache
def _beginnings_of_months() -> frozenset[str]:
    """Return the words with which the names of months begin."""
    return frozenset([*(name.partition(" ")[0] for name in _month_names()), *_PERSIAN])


def _name_key(text: str) -> str:
    return " ".join(_PART.findall(_spelled(text)))


def _spelled(text: str) -> str:
    """Return a word in the spelling that all its writers share."""
    text = text.casefold()
    return text if text.isascii() else normalize("NFD", text).translate(_SPELLINGS).replace(*_NASAL)


def may_be_month(word: str, month: int) -> bool:
    """Return whether a word may stand for a month: it does in a language, or is a name of none in all.

    >>> may_be_month("february", 1), may_be_month("listopad", 11), may_be_month("mensis", 1)
    (False, True, True)
    """
    return month in _month_names().get(_name_key(word), (month,))


@lru_cache(maxsize=1 << 12)
def month_of(word: str, language: str = "") -> int:
    """Return the month for which a word stands; 0: for none, or for several, and not in this language.

    >>> month_of("Februar"), month_of("listopad"), month_of("listopad", "hr")
    (2, 0, 10)
    """
    months = _month_names().get(_name_key(word), {})
    in_language = [month for month, languages in months.items() if language.partition("-")[0] in languages]
    if not in_language and word.isascii() and len(word) < _SHORT_NAME:
        return 0
    matches = in_language if len(in_language) == 1 else [*months]
    return matches[0] if len(matches) == 1 else 0


def may_have_day(text: str) -> bool:
    """Return whether :func:`days_in` may find a day in a text; most texts have none. Cost: a short search."""
    shape = text.encode("utf-8", "surrogatepass").translate(_SHAPE)
    is_other = "年" in text or (not shape.isascii() and _HINT.search(text) is not None)
    return is_other or any(map(shape.__contains__, _SHAPES)) or _SHORT_SHAPE.search(shape) is not None


def with_signs(texts: Sequence[str], *signs: bytes) -> list[int]:
    """Return the indexes of the texts that have one of some signs in their shape, or other digits.

    Cost: a search for each sign in all texts at once; a look at each text where one has other digits.
    """
    shape = "\0".join(texts).encode("utf-8", "surrogatepass").translate(_SHAPE)
    if not shape.isascii():
        each = enumerate(shape.split(b"\0"))
        return [n for n, text in each if not text.isascii() or any(map(text.__contains__, signs))]
    numbers = set[int]()
    for sign in signs:
        number = begin = 0
        while (at := shape.find(sign, begin)) >= 0:
            number += shape.count(b"\0", begin, at)
            numbers.add(number)
            begin = at + 1
    return sorted(numbers)


def dated_among(texts: Sequence[str]) -> list[int]:
    """Return the indexes of the texts in which :func:`days_in` may find a day. No text may have a NUL."""
    dated = [n for n in with_signs(texts, *_SHAPES, *_PARTS_OF_SHORT) if may_have_day(texts[n])]
    if "年" in "".join(texts):
        dated = sorted({*dated, *(n for n, text in enumerate(texts) if "年" in text)})
    return dated


def days_in(text: str, language: str = "", order: str = "") -> list[ShownDay]:
    """Return the days that a text states in full, in its order.

    :param order: of day and month in ``05/06/2014``; empty: it is not known, and this is no day. Others, as
        ``31/05/2014``, tell their order.

    >>> [shown.day for shown in days_in("Ann, March 5th, 2025; edited 2026-04-09, 9:30")]
    ['2025-03-05', '2026-04-09']
    >>> [shown.day for shown in days_in("5 มีนาคม 2569 / ۱۴ اسفند ۱۴۰۴")]
    ['2026-03-05', '2026-03-05']

    Of two that share a part the shorter one counts: ``9 April, posted 5 March 2025`` has no day in April.
    Cost: linear in the length of the text.
    """
    if not may_have_day(text):
        return []
    read = _days_in if len(text) <= _LONGEST_KEPT else _days_in.__wrapped__
    return [*read(text, language, order)]


@lru_cache(maxsize=1 << 12)  # fields of an article ask for the same lines, and pages have many in common
def _days_in(text: str, language: str, order: str) -> tuple[ShownDay, ...]:
    days = [*_with_names(text, language)]
    if _SIGN_OF_NUMBERS.search(text):
        days += [*_in_numbers(text, language), *_slashed(text, order, language)]
    kept: list[ShownDay] = []
    for day in sorted(days, key=lambda day: day.begin):
        if not kept or day.begin >= kept[-1].end:
            kept.append(day)
        elif day.end - day.begin < kept[-1].end - kept[-1].begin:
            kept[-1] = day
    return (*kept,)


def only_day(text: str, language: str) -> str:
    """Return the only day that lines show in full; empty: there is none, or several.

    A sentence does not count: it is about that day, and was not written on it.
    """
    only = ""
    lines = text.split("\n")
    for line in [lines[n] for n in dated_among(lines)]:
        for shown in days_in(line, language):
            if shown.day != only and not _SENTENCE_END.match(line, max(shown.end, len(line) - 1)):
                if only:
                    return ""
                only = shown.day
    return only


def _in_numbers(text: str, language: str) -> Iterator[ShownDay]:
    for expression in (_NUMERIC, _DAY_FIRST, _OF_ERA, _IN_WORDS):
        for match in expression.finditer(text):
            year, month, day = map(_number, match.group("year", "month", "day"))
            if expression is _OF_ERA:
                year += _ERAS[match["era"]]
            elif expression is _NUMERIC and (match["sign"] or _TAIWANESE.match(language)) and year < 1000:
                year += _TAIWAN
            if iso := _iso_day(year, month, day):
                yield ShownDay(iso, *match.span())


def _slashed(text: str, order: str, language: str) -> Iterator[ShownDay]:
    short = _SHORT_YEAR.finditer(text) if language[:2] not in _YEAR_FIRST else ()
    for match in chain(_SLASHED.finditer(text), short):
        first, second, year = map(int, match.group("first", "second", "year"))
        if match.re is _SHORT_YEAR:
            year = _full_year(year)
        told = DAY_FIRST if first == second else _told_order(first, second)
        if not told:
            days = _iso_day(year, second, first), _iso_day(year, first, second)
            told = _weekday_order(text, match.start(), *days) or order
        day, month = (first, second) if told == DAY_FIRST else (second, first)
        if told and (iso := _iso_day(year, month, day)):
            yield ShownDay(iso, *match.span())


def _weekday_order(text: str, begin: int, day_first: str, month_first: str) -> str:
    """Return the order of day and month that the weekday before them tells; empty: none stands there."""
    words = _PART.findall(text[max(0, begin - _WEEKDAY_GAP) : begin].casefold())[: -_WEEKDAY_WORDS - 1 : -1]
    weekdays = min((_weekdays()[word] for word in words if word in _weekdays()), key=len, default=frozenset())
    told = [
        order
        for order, day in ((DAY_FIRST, day_first), (MONTH_FIRST, month_first))
        if day and date.fromisoformat(day).weekday() in weekdays
    ]
    return told[0] if len(told) == 1 else ""


def _told_order(first: int, second: int) -> str:
    """Return the order of two numbers of which one can be no month; empty: both or none can."""
    return "" if (first > 12) == (second > 12) else DAY_FIRST if first > 12 else MONTH_FIRST


def order_of(texts: Iterable[str], language: str = "") -> str:
    """Return the order of day and month in ``05/06/2014``, as texts of its page or its language tell it.

    >>> order_of(["31/05/2014"]), order_of([], "de"), order_of([], "en")
    ('day first', 'day first', '')

    Empty: they do not. English is the only large language in which both are usual, and many templates state
    that of the United States wherever they are used.
    """
    days = (match for text in texts for match in _SLASHED.finditer(text))
    told = {_told_order(int(day["first"]), int(day["second"])) for day in days} - {""}
    if told:
        return told.pop() if len(told) == 1 else ""
    code, _, region = language.partition("-")
    return DAY_FIRST if code and (code != "en" or region in _ENGLISH_DAY_FIRST) else ""


def has_unclear_order(text: str) -> bool:
    """Return whether a text has a day whose order of day and month it does not tell."""
    match = _SLASHED.search(text) or _SHORT_YEAR.search(text) if _SIGN_OF_NUMBERS.search(text) else None
    return match is not None and not _told_order(int(match["first"]), int(match["second"]))


def _number(text: str) -> int:
    """Return the number that a text of digits stands for, also those of Chinese and Japanese."""
    if text == "元":
        return 1
    if "十" in text:
        tens, _, ones = text.partition("十")
        return 10 * _number(tens or "一") + (_number(ones) if ones else 0)
    return int(text.translate(_CJK_DIGITS))


def _full_year(year: int) -> int:
    """Return a year of which the last two digits are given."""
    return year + (2000 if year + 2000 in YEARS else 1900)


def _iso_day(year: int, month: int, day: int) -> str:
    """Return a day of one of the calendars; empty: there is none."""
    if year - _BUDDHA in YEARS:
        year -= _BUDDHA
    elif year + _PERSIA in YEARS:
        return _persian_day(year, month, day)
    try:
        return date(year, month, day).isoformat() if year in YEARS else ""
    except ValueError:
        return ""


def _persian_day(year: int, month: int, day: int) -> str:
    """Return a day of the Persian calendar: six months of 31 days, then five of 30."""
    if not (1 <= month <= 12 and 1 <= day <= (31 if month <= 6 else 30)):
        return ""
    years = year - 979
    days = 365 * years + years // 33 * 8 + (years % 33 + 3) // 4
    days += 31 * (month - 1) - max(0, month - 7) + day - 1
    return (_PERSIAN_BEGIN + timedelta(days)).isoformat()


def _with_names(text: str, language: str) -> Iterator[ShownDay]:
    """Yield the days whose month is named."""
    for short in _SHORT_NAMED.finditer(text):
        is_thai = "ก" <= short["month"] <= "๛"
        month, year = month_of(short["month"], "th" if is_thai else language), int(short["year"])
        year = 2500 + year if is_thai else _full_year(year)
        if month and (iso := _iso_day(year, month, int(short["day"]))):
            yield ShownDay(iso, *short.span())
    parts = [*_PART.finditer(text)]
    words = [part[0] for part in parts]
    years = [n for n, word in enumerate(words) if len(word) == _YEAR_LENGTH and word.isdecimal()]
    near = {at for year in years for at in range(year - _REACH - _NAME_WORDS + 1, year + _REACH + 1)}
    for at in sorted(near.intersection(range(len(words)))):
        if _spelled(words[at]) in _beginnings_of_months():
            month, behind, is_persian = _month_at(words, at, language)
            if month and (day := _day_around(parts, at, behind, month, is_persian)):
                yield day


def _month_at(words: list[str], at: int, language: str) -> tuple[int, int, bool]:
    """Return the month whose name begins at a word, the word behind the name, and whether it is Persian."""
    if (word := _spelled(words[at])) in _PERSIAN:
        return _PERSIAN.index(word) + 1, at + 1, True
    for size in range(min(_NAME_WORDS, len(words) - at), 0, -1):
        if month := month_of(" ".join(words[at : at + size]).casefold(), language):
            return month, at + size, False
    return 0, at, False


def _day_around(parts: list[Any], at: int, behind: int, month: int, is_persian: bool) -> ShownDay | None:
    """Return the nearest day of a month; None: there is none.

    :param at: the first part of the month's name.
    :param behind: the part behind it.
    """
    numbers = {
        n: int(parts[n][0])
        for n in range(max(0, at - _REACH), min(behind + _REACH, len(parts)))
        if parts[n][0].isdecimal() and not at <= n < behind
    }
    days = [n for n in numbers if len(parts[n][0]) <= 2]
    years = [n for n in numbers if len(parts[n][0]) == _YEAR_LENGTH]
    near: list[tuple[int, bool, ShownDay]] = []
    for of_day, of_year in product(days, years):
        first, last = min(of_day, of_year, at), max(of_day, of_year, behind - 1)
        between = {*numbers} & {*range(first, last)} - {of_day, of_year}
        gaps = [n for n in (of_day, of_year, at) if n != first]
        is_year_inside = at < of_year < of_day or of_day < of_year < at
        if between or is_year_inside or not all(_is_near(parts, n, (at, behind)) for n in gaps):
            continue
        year = numbers[of_year]
        if is_persian == (year + _PERSIA in YEARS) and (day := _iso_day(year, month, numbers[of_day])):
            shown = ShownDay(day, parts[first].start(), parts[last].end())
            near.append((last - first, of_year < at, shown))  # of two as near ones the year behind the month
    return min(near)[2] if near else None


def _is_near(parts: list[Any], index: int, month: tuple[int, int]) -> bool:
    """Return whether few words are between a part and the number, or the name of the month, before it."""
    at, behind = month
    before = index - 1
    while not parts[before][0].isdecimal() and not at <= before < behind:
        before -= 1
    return index - before - 1 <= _BETWEEN and parts[index].start() - parts[before].end() <= _LONGEST_GAP
