"""Read the names in a line that names authors: behind a word such as "by", beside a day, or alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..page.calendars import DAY_FIRST, before_weekday, days_in
from ..page.days import begins_saying, byline_words, says_changed, says_published
from ..page.names import (
    BEHIND_AUTHOR,
    GLUED,
    LABELS,
    NAME_WORDS,
    PLACE,
    SIGNS,
    before_authors,
    before_other_part,
    capitals,
    is_bare_name,
    names_in,
    says_other_part,
    without_half,
)

#: A word before authors is one of so many first words of a line; a line that consists of so many is a label.
#: The label for authors up to its colon has at most the last number: "Autor del artículo:".
_FIRST_WORDS, LABEL_WORDS, _LONGEST_LABEL = 4, 2, 3
#: At most so many words stand between a user and the day; a line of names has so many characters.
_BEFORE_DAY, LONGEST_LINE = 2, 100
#: A place behind a full name.
_LAST_PLACE = re.compile(rf"(\s[^\s,]+),\s?{PLACE.pattern}$")
#: A word between a name and the day behind it.
_BEFORE_NUMBER = re.compile(r"(?:^|,?\s)(?:am|el|le|on)$")
#: The words of labels that may stand behind a name, and what ends a name in a line.
_NEXT_LABELS = "|".join(byline_words()["labels behind authors"])
_NAME_END = re.compile(
    r"[|·•●⋅∙／｜()（）\[\]{}:;\n]|\s/|/\s|\s[-–—]|\d|(?<![Pp]rof)(?<! med)(?<=[a-zà-ÿ]{3})\.\s"
    r"|\.\s(?=Category|Categories|Filed|Posted|Published|Tag|Updated)"
    rf"|\s(?:{_NEXT_LABELS})(?=[\s/(（]|$)"
)
#: What stands between the parts of a line.
_BETWEEN = re.compile(r"[|·•●⋅∙／｜]|\s[-–—/]\s")
#: A time behind a day.
_TIME = re.compile(
    r"[\W_]*(?:[^\W\d_]{1,3}\s)?\d{1,2}[:.]\d\d(?::\d\d)?(?:\s?(?i:[ap]\.?m\b)\.?|\s?Uhr\b|\s?h\b)?"
)
#: A colon without a space behind it: "Written by:Ann Lee".
_GLUED_COLON = re.compile(r"(?<=[^\W\d_]):(?=[^\W\d_])")
#: The word for a reporter behind a name in Korean, and what may say more of a reporter.
REPORTER, _OF_REPORTER = "기자", r"(?:[\uac00-\ud7af]{0,4}전문|선임|수습|인턴|객원|논설|시민|취재)"
#: Names with this word behind them that are none of a picture; what stands between two.
_REPORTERS = re.compile(
    rf"(?<![\uac00-\ud7af])(?<!사진[\s=:])(?<!사진\s[=:]\s)(?!{_OF_REPORTER}\s?{REPORTER})"
    rf"((?:[\uac00-\ud7af]{{2,4}}\s?[·ㆍ]\s?)*[\uac00-\ud7af]{{2,4}}?)\s?"
    rf"(?:{_OF_REPORTER}?\s?{REPORTER}|특파원)(?![\uac00-\ud7af])"
)
_BETWEEN_REPORTERS = re.compile(r"\s?[·ㆍ]\s?")
#: The article before a name in Greek, which has a word for "by" before it.
_GREEK_ARTICLE = re.compile(r"(?<=\bγράφει)(?::?\s(?:ο/η|ο|η))(?=\s)", re.IGNORECASE)


def names_of_line(text: str, language: str) -> list[str]:
    """Return the names in a line of which it is known that it names authors.

    >>> names_of_line("Ann Lee and Bob Roe, May 6, 2014", "en")
    ['Ann Lee', 'Bob Roe']
    """
    if names := names_in_byline(text, language):
        return names
    return names_in(_NAME_END.split(before_day(text, language), maxsplit=1)[0].strip(SIGNS), language)


def before_day(text: str, language: str) -> str:
    """Return a text up to its first day, or to the weekday before it."""
    days = days_in(text, language)
    return before_weekday(text[: days[0].begin].rstrip(SIGNS)).rstrip(SIGNS) if days else text


def names_in_byline(text: str, language: str) -> list[str]:
    """Return the names behind a word that stands before authors; none if the line has none of these.

    >>> names_in_byline("Posted by Ann Lee on May 6, 2014 | 3 comments", "en")
    ['Ann Lee']
    >>> names_in_byline("Written by:Ann Lee", "en")
    ['Ann Lee']
    """
    if not text.isascii():
        if reporters := _REPORTERS.findall(before_other_part(text, language)):
            return [*dict.fromkeys(_BETWEEN_REPORTERS.split("·".join(reporters)))]
        text = _GREEK_ARTICLE.sub("", GLUED.sub(r" \1\2\3: ", text.replace("：", ": "), count=1))
    text = _GLUED_COLON.sub(": ", text)
    known, folded = before_authors(language), text.casefold()
    if ":" not in folded and not any(map(folded.__contains__, known)):
        return []
    begin = end = 0
    for day in days_in(text, language):
        begin, end = (day.end if _is_label_of_day(text[end : day.begin], known) else begin), day.end
    may_follow = (end > 0 or says_published(text)) and not says_changed(text)
    text = text[begin:].lstrip(SIGNS) if begin else text
    words = text.split()
    for at in [at for at, word in enumerate(words) if word not in SIGNS][:_FIRST_WORDS]:
        bare = words[at].strip(":").casefold()
        label = words[at : at + _LONGEST_LABEL] if bare in LABELS else ()
        colon = next((end for end, part in enumerate(label, at + 1) if part[-1] == ":"), 0)
        if bare in known or colon:
            end = colon or at + 1
            before = " ".join(words[:end])
            if says_changed(before) or says_other_part(before, language):
                return []
            behind = before_other_part(" ".join(words[end:]).lstrip(": |"), language)
            named = _NAME_END.split(before_day(behind, language), maxsplit=1)[0]
            first, *others = named.split() or [""]
            if behind[len(named) :].startswith(":"):
                named = _without_next_label(named)
            elif others and begins_saying(others[-1]):  # "Ann Lee Updated"
                named = named.rpartition(others[-1])[0].rstrip(SIGNS)
            if first.islower() and 0 < len(others) <= _BEFORE_DAY and before_day(behind, language) != behind:
                named = first  # a user, then words up to the day: "by josh on Friday, 10 July"
            named = _LAST_PLACE.sub(r"\1", capitals(_BEFORE_NUMBER.sub("", named), language))
            return [without_half(name, language) for name in names_in(named, language)]
    return _names_at_end(words, known, language) if may_follow else []


def _names_at_end(words: Sequence[str], known: frozenset[str], language: str) -> list[str]:
    """Return the names behind the last word for authors in a line: "May 6 in News, Sport by Ann Lee"."""
    behind = range(len(words) - 1, _FIRST_WORDS - 1, -1)
    last = next((at for at in behind if words[at].casefold() in known), len(words))
    named = _NAME_END.split(" ".join(words[last + 1 :]), maxsplit=1)[0]
    names = names_in(capitals(named, language), language)
    return names if all(map(is_bare_name, names)) else []


def _without_next_label(text: str) -> str:
    """Return a text in front of a colon without the label that ends there.

    >>> _without_next_label("Ann Lee Photos"), _without_next_label("Ann Lee Translated by")
    ('Ann Lee', 'Ann Lee')
    """
    words = text.split()
    while len(words) > 1 and words[-1].islower():
        words.pop()
    return " ".join(words[:-1])


def _is_label_of_day(text: str, known: frozenset[str]) -> bool:
    """Return whether a text before a day only says that something was published: "Posted on"."""
    words = [word.strip(":") for word in text.casefold().split()]
    return len(words) <= LABEL_WORDS and not says_changed(text) and (known | LABELS).isdisjoint(words)


def names_by_day(text: str, language: str) -> list[str]:
    """Return the names of which a line with one day consists besides it; none if it may be anything else.

    >>> names_by_day("Dec 17, 2025 | Ann Lee", "en")
    ['Ann Lee']
    >>> names_by_day("News | May 6, 2014 · 4 min · Ann Lee", "en")
    ['Ann Lee']
    >>> names_by_day("Harbour of Oslo | May 6, 2014 | Local News", "en")
    []
    """
    days = days_in(text, language, DAY_FIRST)  # whichever day it is
    if len(days) != 1:
        return []
    before, behind = before_weekday(text[: days[0].begin].rstrip(SIGNS)), text[days[0].end :]
    time = _TIME.match(behind)
    before, first, *others = before.strip(SIGNS), *_BETWEEN.split(behind[time.end() :] if time else behind)
    parts = [before] if " " in before else others if before else [first, *others]
    ways = (_NAME_END.split(part.strip(SIGNS), maxsplit=1)[0].rstrip() for part in parts)
    return next(filter(None, (bare_names(_BEFORE_NUMBER.sub("", named), language) for named in ways)), [])


def bare_names(text: str, language: str) -> list[str]:
    """Return the names of which a line consists; none if it may be anything else."""
    text = BEHIND_AUTHOR.sub("", text)
    if len(text) > LONGEST_LINE or any(map(str.isdecimal, text)) or text.count(":") > 1:
        return []
    names = [text] if text.count(" ") < NAME_WORDS[-1] else names_in(text, language)  # two have four words
    return names if all(map(is_bare_name, names)) else []
