"""Read days and times: in ISO 8601, in a url, in the form that a site uses, or in any line.

A form is ``{month} {day}, {year}``. The form and the words for months are learned from lines whose day is
known (``fields/field_places.py``); other words are names of months in one of many languages
(``calendars.py``). An asterisk in a form stands for the letters of an ordinal, as in ``1st``. Where only the
presence of a date matters, only numbers count, no names of months.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from functools import cache, lru_cache
from importlib.resources import files
from itertools import product
from typing import Any, NamedTuple

from ..values import Block
from .calendars import YEARS, days_in, month_of, with_signs
from .tags import HEADINGS

#: A whole date in a url's path, and a year with its month.
_URL_DAY = re.compile(
    r"/((?:19|20)\d\d)/(\d\d?)/(\d\d?)(?=[/.]|$)|/((?:19|20)\d\d)([-_])(\d\d)\5(\d\d)(?!\d)"
)
#: The same with the name of the month.
_URL_NAMED_DAY = re.compile(r"/((?:19|20)\d\d)/([^\W\d_]{3,12})/(\d{1,2})(?=/)")
#: A whole date without signs, which may be another number, or behind words, which may be about that day.
_URL_NUMBER = re.compile(r"(?<!\d)((?:19|20)\d\d)([-_]?)(0[1-9]|1[0-2])\2(\d\d)(?!\d)")
_URL_MONTH = re.compile(r"/((?:19|20)\d\d)/(0[1-9]|1[0-2])/")
_PART = re.compile(r"\d+|[^\W\d_]+")
#: Letters at the end of a day's number.
_ORDINAL = re.compile(r"[a-zà-ÿ]{1,3}(?=[\s,.])")
_SLOT = re.compile(r"\{(\w+)\}")
#: So many characters stand between the parts of a day, which is looked for among so many words and numbers.
_LONGEST_GAP, _MOST_PARTS = 6, 30
#: A word for a month is this near to the day or the year; so many other words may stand between the parts.
_MONTH_REACH, _BETWEEN = 2, 2
#: The share of a form's words that must stand for the month that they mostly stand for ...
_SAME_MONTH = 0.9
#: ... and the share of its months that must have the word that they mostly have.
_SAME_WORD = 0.6
_SLOTS = {"year": r"\d{4}|\d{2}", "day": r"\d{1,2}", "month": r"\d{1,2}|[^\W\d_]+"}
#: Bound: whether longer texts are stamps is not remembered.
_LONGEST_KEPT = 300
#: In these elements a date is the author's.
DATED_BY_AUTHORS = HEADINGS | {"td", "th", "pre", "blockquote", "caption", "figcaption"}
#: What the words beside a day say of it.
_PUBLISHED, _CHANGED, _AHEAD = _SAYINGS = "published", "changed", "ahead"
#: What a label in front of topics may be for.
TOPICS, KEYWORDS, CATEGORIES = "topics", "keywords", "categories"
#: A label before its colon.
_BEFORE_COLON = re.compile(r"[^:：|]{2,40}(?=[:：])")
#: A line that tells when a comment was written weighs at most this, with a name, a time and some controls.
_HEAVIEST_STAMP = 60


#: Number of characters of a day, ``2014-05-06``.
DAY_SIZE = len("2014-05-06")


def is_day(text: str) -> bool:
    """Return whether a text is a day, ``YYYY-MM-DD``."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


#: A day, and perhaps a time with a zone, in one of the ways of ISO 8601, or nearly so.
_ISO = re.compile(
    r"(?P<year>\d{4})([-/.]?)(?P<month>\d\d?)\2(?P<day>\d\d?)"
    r"(?:(?:[T ]\s?(?P<time>\d\d?:\d\d(?::\d\d)?)|T?(?P<digits>\d{6}))(?:\.\d{1,9})?"
    r"\s?(?P<zone>Z|UTC|GMT|[+-]\d\d:?\d\d|[+-]\d\d)?)?"
)
#: A longer text is no time.
_LONGEST_TIME = 80


@lru_cache(maxsize=1 << 5)  # a page states one time in several ways
def iso_time(text: str) -> str | None:
    """Return a time in ISO 8601, as exact as the text gives it; None if the text is none.

    Only numbers are read, and the form of mails, which has a standard. A zone that is not given is not added.

    >>> [iso_time(text) for text in ("2014-05-06", "2014/5/6 7:30 +0200", "Tue, 06 May 2014 07:30:00 GMT")]
    ['2014-05-06', '2014-05-06T07:30:00+02:00', '2014-05-06T07:30:00+00:00']
    >>> [iso_time(text) for text in ("20140506", "20140506T073000Z")]
    ['2014-05-06', '2014-05-06T07:30:00+00:00']
    """
    text = text.strip()
    if len(text) > _LONGEST_TIME or not text.isascii():
        return None
    try:
        if (match := _ISO.fullmatch(text)) is None:
            return _in_range(parsedate_to_datetime(text)) if text else None
        day = datetime(int(match["year"]), int(match["month"]), int(match["day"]))
        if not (clock := match["time"] or match["digits"]):
            return _in_range(day) and day.date().isoformat()
        zone = (match["zone"] or "").replace("UTC", "Z").replace("GMT", "Z")
        clock = f"0{clock}" if clock.find(":") == 1 else clock
        return _in_range(datetime.fromisoformat(f"{day.date().isoformat()}T{clock}{zone}"))
    except (ValueError, TypeError, OverflowError):
        return None


def stated_time(text: str) -> str | None:
    """Return the same for what is stated as a time: it may also be seconds or milliseconds since 1970.

    >>> stated_time("2014-05-06"), stated_time("1399361400"), stated_time("7")
    ('2014-05-06', '2014-05-06T07:30:00+00:00', None)
    >>> stated_time("/Date(1399361400000)/")
    '2014-05-06T07:30:00+00:00'
    """
    if stamp := _UNIX_TIME.fullmatch(text):
        return datetime.fromtimestamp(int(stamp[1]), UTC).isoformat()
    return iso_time(text)


def _in_range(time: datetime) -> str | None:
    return time.isoformat() if time.year in YEARS else None


#: The attributes of other elements that may have a time, and how one begins there; seconds or milliseconds
#: since 1970 only if the attribute's name says it.
_TIMED = re.compile(r"title|datetime|content|aria-label|data-.*")
#: Those that may have a day in words: what a browser, or a style sheet's tooltip, says of an age.
_IN_WORDS = re.compile(r"datetime|content|aria-label|(?:data-.*)?(?:title|tooltip)")
_UNIX_TIME = re.compile(r"(?:/Date\()?(1\d{9})(?:\d{3})?(?:\)/)?")
_NAMED_AS_TIME = re.compile(r"time|date|stamp|epoch|-ts$")
_WHOLE_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]|$)")


def time_in_attributes(attributes: Mapping[str, str]) -> str:
    """Return the time that an attribute has for programs, or in words; empty: none does."""
    for name, value in attributes.items():
        if not _TIMED.fullmatch(name) or len(value) > _LONGEST_TIME:
            continue
        if _UNIX_TIME.fullmatch(value) and _NAMED_AS_TIME.search(name):
            return stated_time(value) or ""
        if _WHOLE_TIME.match(value) and iso_time(value):
            return value
        if _IN_WORDS.fullmatch(name) and not says_changed(value) and (days := days_in(value)):
            return days[0].day
    return ""


def _behind_host(url: str) -> str:
    """Return all that stands behind the host of a url."""
    return "/" + url.partition("//")[2].partition("/")[2]


def day_in_url(url: str) -> str:
    """Return the day with which a step of a url's path begins, ``YYYY-MM-DD``; empty: none does."""
    path = _behind_host(url).partition("?")[0]
    for numbers in _URL_DAY.finditer(path):
        day = "-".join(f"{number:>02}" for number in numbers.groups() if number and number.isdigit())
        if is_day(day):
            return day
    for named in _URL_NAMED_DAY.finditer(path):
        day = f"{named[1]}-{month_of(named[2].casefold()):02}-{int(named[3]):02}"
        if is_day(day):
            return day
    return ""


def day_like_in_url(url: str) -> str:
    """Return the day that the last number in a url's path may be: ``ferry-20140506.html``; empty: none."""
    numbers = [*_URL_NUMBER.finditer(_behind_host(url).partition("?")[0])]
    day = "-".join(numbers[-1].group(1, 3, 4)) if numbers else ""
    return day if is_day(day) else ""


def is_in_month(url: str, day: str) -> bool:
    """Return whether a day is in the month of a url, or next to it, as in other time zones.

    A url that names no month says nothing against a day.
    """
    if not (named := month_in(url)):
        return True
    months, number = int(day[:4]) * 12 + int(day[5:7]) - named, day[8:]
    return months == 0 or (months == 1 and number == "01") or (months == -1 and number >= "28")


@lru_cache(maxsize=1 << 5)  # a page has several days
def month_in(url: str) -> int:
    """Return the month that a url's path names, counted from the year 0; 0: it names none."""
    named = _URL_MONTH.search(_behind_host(url))
    return int(named[1]) * 12 + int(named[2]) if named else 0


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
    readings: dict[Reading, int] = {}
    for of_year, of_day in product(years, days):
        near = [at for at in words if min(abs(at - of_year), abs(at - of_day)) <= _MONTH_REACH]
        for of_month in {*months, *near}:
            slots = {of_year: "year", of_month: "month", of_day: "day"}
            others = max(slots) - min(slots) - _BETWEEN
            if len(slots) == len(_SLOTS) and others <= _BETWEEN and (reading := _reading(text, parts, slots)):
                readings[reading] = min(others, readings.get(reading, others))
    least = min(readings.values(), default=0)
    return tuple(reading for reading, others in readings.items() if others == least)


def _reading(text: str, parts: Sequence[re.Match[str]], slots: Mapping[int, str]) -> Reading | None:
    """Return the reading with some parts of a text in its slots; None: nobody writes a day like this."""
    places = sorted(slots)
    if slots[places[1]] == "year":
        return None
    form, word = "", ""
    for at, after in zip(places, [*places[1:], None], strict=True):
        gap = "" if after is None else text[parts[at].end() : parts[after].start()]
        if slots[at] == "day" and (ending := _ORDINAL.match(gap)):
            gap = f"*{gap[ending.end() :]}"
        is_wrong = any(sign.isdigit() or sign in "{}" for sign in gap)
        if is_wrong or len(gap) > _LONGEST_GAP or (after is not None and not gap):
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
    return len(by_month) > 1 and same >= _SAME_MONTH * len(named) and most >= _SAME_WORD * len(named)


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
    match = _expression(form).search(text)
    if match is None:
        return ""
    year, word, day = match["year"], match["month"], match["day"]
    month = int(word) if word.isdecimal() else months.get(word.casefold()) or month_of(word.casefold())
    century = 0 if len(year) > len("14") else 2000 if int(year) + 2000 in YEARS else 1900
    try:
        return date(int(year) + century, month, int(day)).isoformat()
    except ValueError:
        return ""


@lru_cache(maxsize=1 << 10)
def _expression(form: str) -> re.Pattern[str]:
    source = re.escape(form).replace(r"\*", "[a-zà-ÿ]{1,3}")
    for name, characters in _SLOTS.items():
        source = source.replace(re.escape(f"{{{name}}}"), f"(?P<{name}>{characters})", 1)
    return re.compile(rf"(?<!\d){source}(?!\d)")


_YEAR = r"(?<!\d)(?:19[89]|20[0-4])\d"
_MONTH, _DAY = r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12]\d|3[01])"
#: A year as a step of the url's path, a year with its month, or a whole date.
_IN_URL = re.compile(rf"/{_YEAR}(?=/)|{_YEAR}[-_.]{_MONTH}(?!\d)|{_YEAR}{_MONTH}{_DAY}(?!\d)")

_YEAR_IN_TEXT, _DAY_IN_TEXT = re.compile(rf"{_YEAR}(?!\d)"), re.compile(r"(?<!\d)\d\d?(?!\d)")
#: Every such text has this; most texts have no digit at all.
HINT_OF_TIME = re.compile(r"\d[:.]\d|\d\d\d\d")
_TIME_IN_TEXT = re.compile(r"(?<![\d:.])[012]?\d[:.][0-5]\d(?![\d:])")


def is_dated(url: str) -> bool:
    """Return whether a url has a date after its host."""
    return _IN_URL.search(_behind_host(url)) is not None


def is_stamp(text: str) -> bool:
    """Return whether a text gives a day of a year, or a time of day, in digits.

    >>> [is_stamp(text) for text in ("12 mayo, 2010", "hace 3 horas", "10:20", "In 2010")]
    [True, False, True, False]
    """
    return _is_stamp(text) if len(text) <= _LONGEST_KEPT else _is_stamp.__wrapped__(text)


@lru_cache(maxsize=1 << 12)  # lines of lists and archives are on page after page
def _is_stamp(text: str) -> bool:
    if not HINT_OF_TIME.search(text):
        return False
    return _TIME_IN_TEXT.search(text) is not None or names_day(text)


def names_day(text: str) -> bool:
    """Return whether a text has a year and the number of a day, in digits."""
    return _YEAR_IN_TEXT.search(text) is not None and _DAY_IN_TEXT.search(text) is not None


def date_lines(blocks: Sequence[Block], among: Iterable[int]) -> list[int]:
    """Return the indexes of the blocks that are short lines with a date or a time.

    Cost: one look at all texts if there are none.
    """
    short = [index for index in among if blocks[index].weight <= _HEAVIEST_STAMP]
    texts = [blocks[index].text for index in short]
    return [short[number] for number in with_signs(texts, b"0000", b"0:0") if is_stamp(texts[number])]


def is_date_line(block: Block) -> bool:
    """Return whether a block is a short line that tells when something was written, and perhaps by whom."""
    return block.weight <= _HEAVIEST_STAMP and is_stamp(block.text)


@cache
def byline_words() -> Mapping[str, Any]:
    """Return the words that say, in many languages, who wrote something and when. They are read once."""
    words: Mapping[str, Any] = json.loads(files(__package__).joinpath("byline_words.json").read_text("utf-8"))
    return words


@cache
def _beginnings_of_words(said: str) -> re.Pattern[str]:
    """Return what finds how words begin that say something of a day."""
    return re.compile("|".join(byline_words()[said]))


def says_changed(text: str) -> bool:
    """Return whether a text has a word that says of a time, or of a name, that it is that of a change."""
    return _says(_CHANGED, text)


def says_published(text: str) -> bool:
    """Return whether a text has a word that says of a time that it is that of the publication."""
    return _says(_PUBLISHED, text)


def label_of_topics(text: str) -> str:
    """Return for what a label is that stands before a colon, or alone; empty: there is none.

    >>> label_of_topics("Filed with the tags: seals"), label_of_topics("Filed under: seals")
    ('topics', 'categories')
    >>> label_of_topics("Keywords"), label_of_topics("Seals: a report")
    ('keywords', '')
    """
    if ":" not in text and "：" not in text:  # as in most lines
        return _topic_labels().get(text.casefold(), "")
    label = _BEFORE_COLON.match(text)
    words = label[0].casefold().split() if label else []
    ends = (" ".join(words[at:]) for at in range(len(words)))
    return next(filter(None, map(_topic_labels().get, ends)), "")


@cache
def _topic_labels() -> Mapping[str, str]:
    """Return what the labels are for."""
    kinds = (TOPICS, KEYWORDS, CATEGORIES)
    return {label.casefold(): kind for kind in kinds for label in byline_words()[f"labels of {kind}"]}


@lru_cache(maxsize=1 << 10)
def begins_saying(word: str) -> bool:
    """Return whether a word begins as one that says something of a day."""
    return word.casefold().startswith((*byline_words()[_PUBLISHED], *byline_words()[_CHANGED]))


def _says(said: str, text: str) -> bool:
    return _beginnings_of_words(said).search(text.casefold()) is not None


def said_last(text: str) -> str:
    """Return what the last word of a text that says something of a day says; empty: there is none.

    >>> said_last("posted by Ann, updated"), said_last("Updated after it was published"), said_last("on")
    ('changed', 'published', '')
    >>> said_last("deadline:")
    'ahead'
    """
    text = text.casefold()
    at, last = max(
        (max((match.start() for match in _beginnings_of_words(said).finditer(text)), default=-1), said)
        for said in _SAYINGS
    )
    return last if at >= 0 else ""
