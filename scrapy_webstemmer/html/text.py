"""The text of elements: its white space, its weight, its lines, the time or the day that it states."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from .calendars import days_in, month_of

# --- Fold and weigh the texts of blocks, and give the key by which two texts are the same boilerplate

#: A title has at most so many characters; on 60 real sites the longest has 151. What is beyond is cut: a
#: title is compared with the text of each place of its page.
LONGEST_TITLE = 1_000

#: Characters that nobody sees: soft hyphens, spaces without a width, signs of formulas that are not written.
#: Those that join letters or keep them apart (U+200C, U+200D) are none of them: they change how a word looks.
UNSEEN = "\xad\u200b\u2060\u2061\u2062\u2063\u2064\ufeff"

_INSIGNIFICANT = re.compile(r"[\W_]+")
_INSIGNIFICANT_ASCII = bytes(code for code in range(1, 128) if not chr(code).isalnum())
_ASCII = re.compile(r"[\x00-\x7f]+")
_NO_WORD = re.compile(r"\W+")
_ASCII_SPACE = re.compile(r"[ \t\n\r\f\v]+")
_DIGITS = re.compile(r"\d+")
_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_RUN_OF_ZEROS = re.compile(rb"00+")
_ASCII_BYTES = bytes(range(128))
_LETTER = re.compile(r"[^\W\d_]")
_SIGNS = {"'": "‘’‚‛´`", '"': "“”„‟«»", "-": "‐‑‒–—―−", "...": "…"}
_PLAIN = str.maketrans({sign: plain for plain, signs in _SIGNS.items() for sign in signs})
_SIGN = re.compile(f"[{''.join(_SIGNS.values())}]")
# Ideographs, kana and their punctuation: scripts without spaces.
_IDEOGRAPH = "[\u3000-\u9fff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff]"
# No space, not even that of ideographs, stands before it: a run of white space is looked at once.
_LINE_BREAK = re.compile(rf"(?<={_IDEOGRAPH})(?<!\s)[^\S\n]*+\n\s*+(?={_IDEOGRAPH})")


def weight(text: str) -> int:
    """Return the number of significant characters: letters, digits and ideographs."""
    return len(_INSIGNIFICANT.sub("", text))


def weights(texts: Sequence[str]) -> list[int]:
    """Return the :func:`weight` of each text, in a fraction of the time. No text may have a NUL."""
    if not texts:
        return []
    ascii_only = "\0".join(texts).encode("ascii", "ignore").translate(None, _INSIGNIFICANT_ASCII)
    found = [len(kept) for kept in ascii_only.split(b"\0")]
    for number, text in enumerate(texts):
        if not text.isascii():
            found[number] += weight(_ASCII.sub("", text))
    return found


def word_weights(texts: Sequence[str]) -> list[int]:
    """Return the number of significant characters of each text, counted as in 2009: underscores count too."""
    return [len(_NO_WORD.sub("", text)) for text in texts]


def fold(text: str) -> str:
    """Return the text with single spaces for white space, none at the ends, and without what nobody sees.

    >>> fold("  the har\\xadbour \\u200b\\n wall ")
    'the harbour wall'
    """
    return " ".join(seen(text).split())


def seen(text: str) -> str:
    """Return a text without the characters that nobody sees."""
    if not text.isascii():
        for one in UNSEEN:  # in most texts there is none, and a search for one character is the fastest
            text = text.replace(one, "")
    return text


def fold_title(text: str) -> str:
    """Return the text of a ``title`` folded, and cut if it is too long for a title."""
    return fold(text)[:LONGEST_TITLE].rstrip()


def fold_paragraph(text: str) -> str:
    """Return the same as :func:`fold`, but drop a line break between ideographs."""
    return fold(_LINE_BREAK.sub("", text))


def fold_ascii(text: str) -> str:
    """Return the text with runs of ASCII white space as one space, and no space of any kind at the ends."""
    return _ASCII_SPACE.sub(" ", text.strip()).strip()


def plain_punctuation(text: str) -> str:
    """Return a text with plain quotation marks, dashes and dots, as they often stand in a page's head.

    >>> plain_punctuation("“Wait” – for…")
    '"Wait" - for...'
    """
    return text if text.isascii() or not _SIGN.search(text) else text.translate(_PLAIN)


def fold_lines(text: str) -> str:
    """Return preformatted text with its lines and indentation, but no white space at the lines' ends."""
    lines = [line.rstrip() for line in seen(text).replace("\r\n", "\n").split("\n")]
    return "\n".join(lines).strip("\n")


def boilerplate_key(text: str) -> str:
    """Return the key that two texts share if they are the same boilerplate.

    Case is folded and, in texts with letters, each run of digits.

    >>> boilerplate_key("12 Comments") == boilerplate_key("7 comments")
    True
    >>> boilerplate_key("12") == boilerplate_key("7")
    False
    """
    text = text.lower()
    return _DIGITS.sub("0", text) if _LETTER.search(text) else text


def boilerplate_keys(texts: Sequence[str]) -> list[str]:
    """Return the :func:`boilerplate_key` of each text, in a fraction of the time."""
    lower = "\1".join([text.lower() for text in texts])  # one by one: most are ASCII, which is faster
    plain, folded = lower.split("\1"), _fold_digits(lower).split("\1")
    if len(plain) != len(texts):  # a text has the separator in it, or there are no texts
        return [boilerplate_key(text) for text in texts]
    return [
        text if text == own or not _LETTER.search(text) else own
        for text, own in zip(plain, folded, strict=True)
    ]


def _fold_digits(text: str) -> str:
    """Return the text with each run of digits as one zero, in a fraction of the time of a search."""
    data = text.encode("utf-8", "surrogatepass")
    others = data.translate(None, _ASCII_BYTES).decode("utf-8", "surrogatepass")
    if _DIGITS.search(others):
        return _DIGITS.sub("0", text)
    # a search for two given characters is ten times faster than one for a class of characters
    return _RUN_OF_ZEROS.sub(b"0", data.translate(_ZEROS)).decode("utf-8", "surrogatepass")




# --- Read a time in ISO 8601

#: A day, and perhaps a time with a zone, in one of the ways of ISO 8601, or nearly so.
_ISO = re.compile(
    r"(?P<year>\d{4})([-/.]?)(?P<month>\d\d?)\2(?P<day>\d\d?)"
    r"(?:[T ]\s?(?P<time>\d\d?:\d\d(?::\d\d)?)(?:\.\d{1,9})?\s?(?P<zone>Z|UTC|GMT|[+-]\d\d:?\d\d|[+-]\d\d)?)?"
)
#: The years of the web. The last is fixed: the present would make the result depend on the day of the run.
_FIRST_YEAR, _LAST_YEAR = 1990, 2039
#: Characters that do not count beside a time: white space, and control characters that nobody sees.
_BESIDE_TIME = "".join(map(chr, range(33))) + "\x7f\x85\xa0\ufffe"
#: Lengths of ``2014-05-06T07:30:00Z`` and ``2014-05-06T07:30:00+02:00``, which most pages state.
_USUAL_TIMES = (20, 25)
#: A longer text is no time.
_LONGEST_TIME = 60


def iso_time(text: str) -> str | None:
    """Return a time in ISO 8601, as exact as the text gives it; None if the text is none.

    Only numbers are read, and the form of mails, which has a standard. A zone that is not given is not added.

    >>> [iso_time(text) for text in ("2014-05-06", "2014/5/6 7:30 +0200", "Tue, 06 May 2014 07:30:00 GMT")]
    ['2014-05-06', '2014-05-06T07:30:00+02:00', '2014-05-06T07:30:00+00:00']
    """
    text = text.strip(_BESIDE_TIME)
    if len(text) > _LONGEST_TIME or not text.isascii():
        return None
    with suppress(ValueError, TypeError, OverflowError):
        if len(text) in _USUAL_TIMES and text[4:17:3] == "--T::":
            return _in_range(datetime.fromisoformat(text))
        if (found := _ISO.fullmatch(text)) is None:
            return _in_range(parsedate_to_datetime(text))
        day = datetime(int(found["year"]), int(found["month"]), int(found["day"]))
        if not found["time"]:
            return _in_range(day) and day.date().isoformat()
        zone = (found["zone"] or "").replace("UTC", "Z").replace("GMT", "Z")
        hours, rest = found["time"].split(":", 1)
        return _in_range(datetime.fromisoformat(f"{day.date().isoformat()}T{hours:0>2}:{rest}{zone}"))
    return None


def _in_range(time: datetime) -> str | None:
    return time.isoformat() if _FIRST_YEAR <= time.year <= _LAST_YEAR else None


#: The attributes of other elements that may have a time, and how one begins there; seconds or milliseconds
#: since 1970 only if the attribute's name says it.
_TIMED = re.compile(r"title|datetime|data-.*")
_STAMP, _STAMPED = re.compile(r"1\d{9}(?:\d{3})?"), re.compile(r"time|date|stamp|epoch")
_WHOLE_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]|$)")


def time_in_attributes(attributes: Mapping[str, str]) -> str:
    """Return the time that an attribute has for programs, or in words; empty: none does."""
    for name, value in attributes.items():
        if not _TIMED.fullmatch(name) or len(value) > _LONGEST_TIME:
            continue
        if _STAMP.fullmatch(value) and _STAMPED.search(name):
            seconds = int(value[: len("1700000000")])
            return datetime.fromtimestamp(seconds, UTC).isoformat()
        if _WHOLE_TIME.match(value) and iso_time(value):
            return value
        if name == "title" and (days := days_in(value)):
            return days[0].day
    return ""


# --- Read a day in a url, or in the form that a site uses
#
# Read a day in a url, or in the form that a site uses: ``{month} {day}, {year}``. The form and the words for
# months are learned from lines whose day is known (``site/field_places.py``); other words are names of months
# in one of many languages (``calendars.py``). An asterisk in a form stands for an ordinal: ``1st``.

#: A whole date in a url's path, and a year with its month.
_URL_DAY = re.compile(
    r"/((?:19|20)\d\d)/(\d\d)/(\d\d)(?=[/.]|$)|(?<!\d)((?:19|20)\d\d)([-_])(\d\d)\5(\d\d)(?!\d)"
)
_URL_MONTH = re.compile(r"/((?:19|20)\d\d)/(0[1-9]|1[0-2])/")
_PART = re.compile(r"\d+|[^\W\d_]+")
#: Letters at the end of a day's number.
_ORDINAL = re.compile(r"[a-zà-ÿ]{1,3}(?=[\s,.])")
_SLOT = re.compile(r"\{(\w+)\}")
#: So many characters stand between the parts of a day, which is looked for among so many words and numbers.
_GAP, _MOST_PARTS = 6, 30
#: A word for a month is this near to the day or the year; so many other words may stand between the parts.
_NEAR, _BETWEEN = 2, 2
#: The share of a form's words that must stand for the month that they mostly stand for ...
_SURE = 0.9
#: ... and the share of its months that must have the word that they mostly have.
_MOSTLY = 0.6
#: A day beside a month is at least this one.
_LAST = 28
#: A year of two digits from here on is of the last century.
_CENTURY = 70
_SLOTS = {"year": r"\d{4}|\d{2}", "day": r"\d{1,2}", "month": r"\d{1,2}|[^\W\d_]+"}


def is_day(text: str) -> bool:
    """Return whether a text is a day, ``YYYY-MM-DD``."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def day_in_url(url: str) -> str:
    """Return the day that a url's path names, ``YYYY-MM-DD``; empty: it names no whole day."""
    path = f"/{url.partition('//')[2].partition('/')[2].partition('?')[0]}"
    for numbers in _URL_DAY.finditer(path):
        day = "-".join(number for number in numbers.groups() if number and number.isdigit())
        if is_day(day):
            return day
    return ""


def is_in_month(url: str, day: str) -> bool:
    """Return whether a day is in the month that a url's path names, or next to it, as in other time zones.

    A url that names no month says nothing against a day.
    """
    named = _URL_MONTH.search(f"/{url.partition('//')[2].partition('/')[2]}")
    if named is None:
        return True
    months = int(day[:4]) * 12 + int(day[5:7]) - int(named[1]) * 12 - int(named[2])
    return months == 0 or (months == 1 and day.endswith("-01")) or (months == -1 and int(day[8:]) >= _LAST)


class Reading(NamedTuple):
    """A way to read a day in a text.

    :param form: the text of the day with ``{year}``, ``{month}``, ``{day}`` in place of its parts.
    :param word: the word for the month, casefolded; empty: it is a number.
    """

    form: str
    word: str


@lru_cache(maxsize=1 << 12)  # the same line is read for the words and for the places
def readings_of(text: str, day: str) -> tuple[Reading, ...]:
    """Return the ways to read a known day in a text, those with the fewest other words between its parts.

    >>> readings_of("le 6 mai 2014 par Ann", "2014-05-06")
    (Reading(form='{day} {month} {year}', word='mai'),)

    Cost: linear in the first thirty words and numbers of the text.
    """
    year, month, number = map(int, day.split("-"))
    parts = [*_PART.finditer(text)][:_MOST_PARTS]
    values = {
        at: int(part[0])
        for at, part in enumerate(parts)
        if part[0].isdecimal() and len(part[0]) <= len("2014")
    }
    short = {at: value for at, value in values.items() if len(parts[at][0]) <= len("05")}
    years = [at for at, value in values.items() if value == (year % 100 if at in short else year)]
    days = [at for at, value in short.items() if value == number]
    months = [at for at, value in short.items() if value == month]
    words = [at for at, part in enumerate(parts) if at not in values and not part[0].isdecimal()]
    found: dict[Reading, int] = {}
    for of_year, of_day in product(years, days):
        near = [at for at in words if min(abs(at - of_year), abs(at - of_day)) <= _NEAR]
        for of_month in {*months, *near}:
            slots = {of_year: "year", of_month: "month", of_day: "day"}
            others = max(slots) - min(slots) - _BETWEEN
            if len(slots) == len(_SLOTS) and others <= _BETWEEN and (one := _reading(text, parts, slots)):
                found[one] = min(others, found.get(one, others))
    least = min(found.values(), default=0)
    return tuple(reading for reading, others in found.items() if others == least)


def _reading(text: str, parts: Sequence[re.Match[str]], slots: Mapping[int, str]) -> Reading | None:
    """Return the reading with some parts of a text in its slots; None: nobody writes a day like this."""
    numbers = sorted(slots)
    if slots[numbers[1]] == "year":
        return None
    form, word = "", ""
    for at, after in zip(numbers, [*numbers[1:], None], strict=True):
        gap = "" if after is None else text[parts[at].end() : parts[after].start()]
        if slots[at] == "day" and (ending := _ORDINAL.match(gap)):
            gap = f"*{gap[ending.end() :]}"
        if (
            (after is not None and not gap)
            or len(gap) > _GAP
            or any(one.isdigit() or one in "{}" for one in gap)
        ):
            return None
        form += f"{{{slots[at]}}}{gap}"
        if slots[at] == "month" and not parts[at][0].isdecimal():
            word = parts[at][0].casefold()
    return Reading(form, word)


def are_months(words: Sequence[tuple[str, int]]) -> bool:
    """Return whether words stand for months: each for one, and most months have one word.

    :param words: each word with the month of its line's day. An empty word is a number.
    """
    named = [pair for pair in words if pair[0]]
    by_word: dict[str, Counter[int]] = defaultdict(Counter)
    by_month: dict[int, Counter[str]] = defaultdict(Counter)
    for word, month in named:
        by_word[word][month] += 1
        by_month[month][word] += 1
    if not named:
        return True
    same = sum(max(counts.values()) for counts in by_word.values())
    most = sum(max(counts.values()) for counts in by_month.values())
    return len(by_month) > 1 and same >= _SURE * len(named) and most >= _MOSTLY * len(named)


def is_day_form(form: str) -> bool:
    """Return whether a text is the form of a day."""
    return sorted(_SLOT.findall(form)) == sorted(_SLOTS)


def day_in(form: str, text: str, months: Mapping[str, int]) -> str:
    """Return the first day that stands in a text as a form says, ``YYYY-MM-DD``.

    Empty: none does, or its word for the month is not known.

    :param months: the site's own words for months, with their numbers.

    >>> day_in("{day} {month} {year}", "le 6 mai 2014 par Ann", {"mai": 5})
    '2014-05-06'
    """
    found = _expression(form).search(text)
    if found is None:
        return ""
    year, word, day = found["year"], found["month"], found["day"]
    month = int(word) if word.isdecimal() else months.get(word.casefold()) or month_of(word.casefold())
    century = 0 if len(year) > len("14") else 1900 if int(year) >= _CENTURY else 2000
    try:
        return date(int(year) + century, month, int(day)).isoformat()
    except ValueError:
        return ""


def day_with(text: str, months: Mapping[str, int]) -> str:
    """Return the first day in a text that names the month, the year in four digits; empty: there is none.

    >>> day_with("Ann on May 6th, 2014 at 7:29", {"may": 5})
    '2014-05-06'
    """
    parts = [part[0] for part in _PART.finditer(text)][:_MOST_PARTS]
    for at, word in enumerate(parts):
        if month := months.get(word.casefold()) or month_of(word.casefold()):
            near = parts[max(0, at - _NEAR - 1) : at] + parts[at + 1 : at + _NEAR + 2]
            years = [one for one in near if one.isdecimal() and len(one) == len("2014")]
            days = [one for one in near if one.isdecimal() and len(one) <= len("06")]
            for year, day in product(years, days):
                if is_day(found := f"{year}-{month:02}-{day:>02}"):
                    return found
    return ""


@lru_cache(maxsize=1 << 10)
def _expression(form: str) -> re.Pattern[str]:
    source = re.escape(form).replace(r"\*", "[a-zà-ÿ]{1,3}")
    for name, characters in _SLOTS.items():
        source = source.replace(re.escape(f"{{{name}}}"), f"(?P<{name}>{characters})", 1)
    return re.compile(rf"(?<!\d){source}(?!\d)")


# --- Tell whether a url or a text has a date: only numbers count, no names of months

_YEAR = r"(?<!\d)(?:19[89]|20[0-4])\d"
_MONTH, _DAY = r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12]\d|3[01])"
#: A year as a step of the url's path, a year with its month, or a whole date.
_IN_URL = re.compile(rf"/{_YEAR}(?=/)|{_YEAR}[-_.]{_MONTH}(?!\d)|{_YEAR}{_MONTH}{_DAY}(?!\d)")

_YEAR_IN_TEXT, _DAY_IN_TEXT = re.compile(rf"{_YEAR}(?!\d)"), re.compile(r"(?<!\d)\d\d?(?!\d)")
#: Every such text has this. Most texts have no digit at all, so one search is enough for them.
HINT_OF_TIME = re.compile(r"\d[:.]\d|\d\d\d\d")
_TIME_IN_TEXT = re.compile(r"(?<![\d:.])[012]?\d[:.][0-5]\d(?![\d:])")


def is_dated(url: str) -> bool:
    """Return whether a url has a date after its host."""
    return _IN_URL.search("/" + url.partition("//")[2].partition("/")[2]) is not None


def is_stamp(text: str) -> bool:
    """Return whether a text gives a day of a year, or a time of day, in digits.

    >>> [is_stamp(text) for text in ("12 mayo, 2010", "hace 3 horas", "10:20", "In 2010")]
    [True, False, True, False]
    """
    if not HINT_OF_TIME.search(text):
        return False
    return _TIME_IN_TEXT.search(text) is not None or names_day(text)


def names_day(text: str) -> bool:
    """Return whether a text has a year and the number of a day, in digits."""
    return _YEAR_IN_TEXT.search(text) is not None and _DAY_IN_TEXT.search(text) is not None
