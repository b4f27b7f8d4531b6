#!/usr/bin/env python3
"""Write scrapy_webstemmer/page/words.json: the names of months and weekdays, and how languages join names.

    pip install babel==2.18.0 && python tests/benchmarks/words.py [--show LANGUAGE...]

The names are those of Unicode's CLDR (https://cldr.unicode.org), as Babel has them: wide and abbreviated,
as they stand in a date and alone, of all countries and scripts of a language; also with the letters that
the form of a date writes before or behind a month without a space, as in Hebrew; their cases; and those
that programs write, and CLDR does not have. Languages for which CLDR has few texts are left out, and a name
that stands for several months of a language, or begins with a number. The weekdays, Monday first, are those
of all languages: only two of them are ever compared. "and" has the words that join the last two of a list,
and some more. Only this command needs Babel. Its version 2.19 has the months of another calendar for Sinhala.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from babel import Locale, localedata

FILE = Path(__file__).parent.parent.parent / "scrapy_webstemmer" / "page" / "words.json"
#: A name that begins with a number is read as a number: ``3월``.
_NAME = re.compile(r"[^\W\d_][^\U00010000-\U0010ffff]*")  # Babel has some of a rare script for all languages
_LISTS = {"standard", "standard-short", "standard-narrow"}
_WORDS = re.compile(r"\{0\}\s+([^{}\s,]+)\s+\{1\}")
#: A language counts if CLDR has the names of so many languages in it.
_LANGUAGES = 150
#: A part of the form of a date: a text in quotes, letters that stand for a value, or any other text.
_FORM = re.compile(r"'([^']*)'|([A-Za-z]+)|([^A-Za-z']+)")
_BEFORE, _BEHIND = re.compile(r"[^\W\d_]*$"), re.compile(r"[^\W\d_]*")
#: The numbers of months in Vietnamese.
_VIETNAMESE = *"một hai ba tư năm sáu bảy tám chín mười".split(), "mười một", "mười hai"
#: Names of months that programs write, and CLDR does not have, by their language.
_OF_PROGRAMS: dict[str, dict[str, int]] = {
    "de": {"mrz": 3},
    "te": {"జూలై": 7, "ఆగష్టు": 8},
    "uk": {"кві": 4, "тра": 5, "чер": 6, "сер": 8, "жов": 10, "лис": 11, "гру": 12},
    "vi": {f"tháng {number}": month for month, number in enumerate(_VIETNAMESE, 1)},
}
#: How the ends of names of months change in a date, as "5. februara" in Serbian, where CLDR has them alone.
_SERBIAN = [("bar$", "bra"), ("бар$", "бра"), ("(?<!ba)([rtlnj])$", r"\1a"), ("(?<!ба)([ртлнј])$", r"\1а")]
_DECLINED = {
    "bs": [*_SERBIAN, ("i$", "a"), ("и$", "а")],
    "et": [("ber$", "bril"), ("(?<!be)([rtsl])$", r"\1il"), ("(?<=uu[nl])i$", "il")],  # "mail" is English
    "eu": [("a$", "ak")],
    "fi": [("kuu$", "kuun")],
    "hr": [("oga$", "og")],
    "ka": [("ი$", "ს"), ("ო$", "ოს"), ("[აე]([რლ])ი$", r"\1ის"), ("(?<![აე][რლ])ი$", "ის")],
    "lv": [("lis$", "ļa"), ("(?<!l)is$", "a"), ("is$", "ī"), ("(?<!i)s$", "a"), ("(?<!i)s$", "ā")],
    "sl": [("ec$", "ca"), ("ber$", "bra"), ("ar$", "arja"), ("([ltj])$", r"\1a")],
    "sr": _SERBIAN,
    "te": [("్$", "ు")],
    "tg": [("$", "и")],
}
#: Other words that join names, by their language: before some sounds, between spaces, or more formal.
_ALSO_JOINS = {
    "de": "sowie", "es": "e", "fi": "sekä", "fr": "avec", "it": "ed", "pl": "oraz", "ro": "şi", "sv": "samt",
    "th": "และ", "uk": "та й",
}  # fmt: skip
#: What CLDR has for a month without a name.
_NONE = re.compile(r"M\d\d", re.IGNORECASE)


def names_of(own: Mapping[str, Any]) -> dict[str, set[int]]:
    """Return the months, or the weekdays, for which the names of a locale stand."""
    found: dict[str, set[int]] = defaultdict(set)
    for widths in own.values():
        for width in ("wide", "abbreviated"):
            for number, name in widths.get(width, {}).items():
                if _NAME.fullmatch(name) and not _NONE.fullmatch(name):
                    found[" ".join(name.casefold().split())].add(number)
    return found


def attached(locale: Locale) -> set[tuple[str, str]]:
    """Return the letters that stand before and behind a month's name in the dates of a locale."""
    found = {("", "")}
    for width in ("full", "long", "medium"):
        parts = [
            ("", ""),
            *(
                (part[2] or "", part[1] or part[3] or "")
                for part in _FORM.finditer(locale.date_formats[width].pattern)
            ),
            ("", ""),
        ]
        for (_, before), (field, _), (_, behind) in zip(parts, parts[1:], parts[2:], strict=False):
            if field in ("MMM", "MMMM", "LLL", "LLLL"):
                letters = _BEFORE.search(before), _BEHIND.match(behind)
                found.add(tuple(one[0] if one else "" for one in letters))
    return found


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--show", nargs="*", default=[], metavar="LANGUAGE", help="print these as well")
    args = parser.parse_args()
    names: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    joined: dict[str, set[str]] = defaultdict(set)
    weekdays: list[set[str]] = [set() for _ in range(7)]
    for code in localedata.locale_identifiers():
        locale = Locale.parse(code)
        if len(locale.languages) < _LANGUAGES:
            continue
        for name, months in names_of(locale.months).items():
            for before, behind in attached(locale):
                names[locale.language][f"{before}{name}{behind}"] |= months
        for number, name in chain.from_iterable(own["wide"].items() for own in locale.months.values()):
            for end, other in _DECLINED.get(locale.language, ()):
                if _NAME.fullmatch(name) and not _NONE.fullmatch(name) and re.search(end, name):
                    names[locale.language][re.sub(end, other, name).casefold()].add(number)
        for name, days in names_of(locale.days).items():
            for day in days:
                weekdays[day].add(name.rstrip("."))
        for name in _LISTS & {*locale.list_patterns}:
            pattern = locale.list_patterns[name]
            joined[locale.language].update(_WORDS.findall(pattern.get("2", "")))
    for language, others in _ALSO_JOINS.items():
        joined[language].update(others.split())
    for language, own in _OF_PROGRAMS.items():
        for name, month in own.items():
            names[language][name].add(month)
    by_language = {
        language: [sorted(name for name, of in own.items() if of == {month}) for month in range(1, 13)]
        for language, own in sorted(names.items())
    }
    by_language = {language: own for language, own in by_language.items() if all(own)}
    words = {language: sorted(own) for language, own in sorted(joined.items()) if own}
    rows = [
        ",\n".join(
            f"  {json.dumps(language)}: {json.dumps(own, ensure_ascii=False)}"
            for language, own in table.items()
        )
        for table in (by_language, words)
    ]
    days = ",\n".join(f"  {json.dumps(sorted(own), ensure_ascii=False)}" for own in weekdays)
    text = f'{{"months": {{\n{rows[0]}\n}}, "weekdays": [\n{days}\n], "and": {{\n{rows[1]}\n}}}}\n'
    FILE.write_text(text, encoding="utf-8")
    print(f"{FILE}: {len(by_language)} languages, {FILE.stat().st_size:,} bytes")
    for language in args.show:
        print(language, by_language.get(language), words.get(language))


if __name__ == "__main__":
    main()
