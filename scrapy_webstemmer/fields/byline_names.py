"""Read the names in a line that names authors: behind a word such as "by", beside a day, or alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from ..page.calendars import DAY_FIRST, before_weekday, days_in
from ..page.days import byline_words, says_changed, says_published
from ..page.names import (
    BEHIND_AUTHOR,
    GLUED,
    LABELS,
    LIST_SIGNS,
    NAME_WORDS,
    OTHER_PARTS,
    PARTICLES,
    PLACE,
    SIGNS,
    before_authors,
    capitals,
    is_bare_name,
    is_name,
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
#: The words before authors in all languages, but for those with which names may begin.
_BEFORE_ANY = frozenset(
    word.casefold() for words in byline_words()["before authors"].values() for word in words
) - (PARTICLES - {"von"})
#: A time behind a day.
_TIME = re.compile(
    r"[\W_]*(?:[^\W\d_]{1,3}\s)?\d{1,2}[:.]\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?|\s?Uhr\b|\s?h\b)?"
)
#: The reporter in brackets with which a report begins, in Chinese, and what stands behind the name there.
_LEAD = 60
_LEAD_REPORTER = re.compile(r"[（(](?:[\u4e00-\u9fff]{0,4})?(?:记者|記者)[:：\s]*([^（()）]{2,30})[)）]")
_BEHIND_REPORTERS = frozenset(
    "整合 综合 綜合 报道 報道 报导 報導 通讯员 通訊員 摄影 攝影 编译 編譯 实习生 文 图".split()
)
_CHINESE_NAME, _CHINESE_GAP = re.compile(r"[\u4e00-\u9fff]{2,4}"), re.compile(r"[、，,\s]+")
#: The last word of a text, if it is longer than "Edith"; where an element ends there may be no space.
_LAST_WORD = re.compile(r"(?:(?<=[a-zà-ÿ])[A-Z][^\W\d_A-Z]{5,}|\b[^\W\d_][^\W\d_A-Z]{5,})$")
#: What stands behind the name of who took a picture.
_TOOK_PICTURE = "摄", "攝", "撮影"
#: A colon without a space behind it: "Written by:Ann Lee".
_GLUED_COLON = re.compile(r"(?<=[^\W\d_]):(?=[^\W\d_])")
#: The word for a reporter behind a name in Korean.
REPORTER = "기자"
#: Names with this word behind them; what stands between two; what stands behind names in other languages.
REPORTERS = re.compile(
    rf"(?<![\uac00-\ud7af])((?:[\uac00-\ud7af]{{2,4}}\s?[·ㆍ]\s?)*[\uac00-\ud7af]{{2,4}})\s?"
    rf"(?:{REPORTER}|특파원)(?![\uac00-\ud7af])"
)
_BETWEEN_REPORTERS = re.compile(r"\s?[·ㆍ]\s?")
#: The article before a name in Greek, which has a word for "by" before it.
_GREEK_ARTICLE = re.compile(r"(?<=\bγράφει)(?::?\s(?:ο/η|ο|η))(?=\s)", re.IGNORECASE)


def _reporters(named: Iterable[str]) -> list[str]:
    """Return the names before a word for reporters, each once."""
    return [*dict.fromkeys(name for several in named for name in _BETWEEN_REPORTERS.split(several))]


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
        if text.endswith(_TOOK_PICTURE):
            return []
        if reporters := REPORTERS.findall(text):
            return _reporters(reporters)
        text = _GREEK_ARTICLE.sub("", GLUED.sub(r" \1\2\3: ", text.replace("：", ": "), count=1))
    text = _GLUED_COLON.sub(": ", text)
    first, _, behind_first = text.partition(" ")
    if first.casefold() in _BEFORE_ANY and first.casefold() not in before_authors(language):
        # the page may say another language than it has: "Por Ana Ruiz"
        named = _NAME_END.split(before_day(behind_first, language), maxsplit=1)[0].strip(SIGNS)
        if is_bare_name(named := capitals(named, language)):
            return [named]
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
        word = words[at]
        bare = word.strip(":").casefold()
        if at and bare in PARTICLES and word[0].isupper():
            continue  # of a name: "Giulio Di Chiara"
        end = _end_of_label(words, at) if bare in LABELS else 0
        if bare in known or end:
            before = " ".join(words[: end or at + 1])
            if says_changed(before) or says_other_part(before, language):
                others = LIST_SIGNS.split(text, maxsplit=1)[1:]  # "Photos by Bob Roe | Text by Ann Lee"
                return names_in_byline(others[0], language) if others else []
            behind = " ".join(words[end or at + 1 :]).lstrip(": |")
            named = _NAME_END.split(before_day(behind, language), maxsplit=1)[0]
            named = _next_byline(language).split(named, maxsplit=1)[0]
            first, *others = named.split() or [""]
            if len(named) < len(behind):
                whole, named = named, _without_said(named)
                if named == whole and behind[len(named)] == ":":
                    named = _without_next_label(named)
            if first.islower() and 0 < len(others) <= _BEFORE_DAY and before_day(behind, language) != behind:
                named = first  # a user, then words up to the day: "by josh on Friday, 10 July"
            named = _LAST_PLACE.sub(r"\1", capitals(_BEFORE_NUMBER.sub("", named), language))
            names = names_in(named, language)
            return [short for name in names if is_name(short := without_half(name, language))]
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


def reporters_in_lead(text: str) -> list[str]:
    """Return the reporters whom a report in Chinese names in brackets at its begin.

    >>> reporters_in_lead("本报讯（记者 高桥 通讯员 李明）港口昨日开放。")
    ['高桥']
    """
    names = list[str]()
    lead = _LEAD_REPORTER.search(text[:_LEAD])
    for name in _CHINESE_GAP.split(lead[1].strip()) if lead else ():
        if not _CHINESE_NAME.fullmatch(name) or name in _BEHIND_REPORTERS:
            break
        names.append(name)
    return names


def _end_of_label(words: Sequence[str], at: int) -> int:
    """Return the place behind the colon of a label that begins with a word; 0: no colon is near.

    >>> _end_of_label("Autor del texto: Ana Ruiz".split(), 0), _end_of_label("By Ann Lee".split(), 0)
    (3, 0)
    """
    for end, word in enumerate(words[at : at + _LONGEST_LABEL], at + 1):
        if word[-1] == ":":
            return end
        if end > at + 1 and not word.islower():
            break
    return 0


@lru_cache(maxsize=1 << 7)
def _next_byline(language: str) -> re.Pattern[str]:
    """Return what finds the begin of a sentence that names somebody else: "Photos by Bob Roe"."""
    words = "|".join(map(re.escape, sorted(before_authors(language))))
    return re.compile(rf"(?:\.\s+(?:\S+\s+){{0,2}}|\s{OTHER_PARTS}\w*\s)(?:{words})\s", re.IGNORECASE)


def _is_label_of_day(text: str, known: frozenset[str]) -> bool:
    """Return whether a text before a day only says that something was published: "Posted on"."""
    words = [word.strip(":") for word in text.casefold().split()]
    return len(words) <= LABEL_WORDS and not says_changed(text) and (known | LABELS).isdisjoint(words)


def names_by_day(text: str, language: str) -> list[str]:
    """Return the names of which a line with one day consists besides it; none if it may be anything else.

    >>> names_by_day("Dec 17, 2025 | Ann Lee", "en")
    ['Ann Lee']
    """
    days = days_in(text, language, DAY_FIRST)  # whichever day it is
    if len(days) != 1:
        return []
    before, behind = before_weekday(text[: days[0].begin].rstrip(SIGNS)), text[days[0].end :]
    time = _TIME.match(behind)
    beside = before if before.strip(SIGNS) else behind[time.end() :] if time else behind
    named = _NAME_END.split(beside.strip(SIGNS), maxsplit=1)[0].rstrip()
    return bare_names(_BEFORE_NUMBER.sub("", named), language)


def _without_said(text: str) -> str:
    """Return the words before a day without the last one, if it says which day that is: "Ann LeeUpdated"."""
    word = _LAST_WORD.search(text)
    if word is None or not word.start() or not (says_changed(word[0]) or says_published(word[0])):
        return text
    return text[: word.start()].rstrip(SIGNS)


def bare_names(text: str, language: str) -> list[str]:
    """Return the names of which a line consists; none if it may be anything else."""
    text = BEHIND_AUTHOR.sub("", text)
    if len(text) > LONGEST_LINE or any(map(str.isdecimal, text)) or text.count(":") > 1:
        return []
    names = [text] if text.count(" ") < NAME_WORDS[-1] else names_in(text, language)  # two have four words
    return names if all(map(is_bare_name, names)) else []
