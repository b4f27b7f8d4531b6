"""Read the names of authors from a text that states them: what is around the names, and between several.

Programs state names with the markup of a link, after a word ("By Ann Lee"), or several in one text ("Ann Lee,
Bob Roe and Cy Poe"). A text is only divided where all its parts are names: of two words or more, or in a
script without spaces. So "Lee, Ann" and "Food and Drug Administration" stay whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from html import unescape

from .calendars import DAY_FIRST, before_weekday, days_in, joining_words
from .days import begins_saying, byline_words, says_changed, says_published
from .text import divided_as_list, fold

#: A value has at most so many characters. Bound: the names in longer texts are not remembered.
_LONGEST_VALUE, _LONGEST_KEPT = 100, 300
_LETTER, _WORD = re.compile(r"[^\W\d_]"), re.compile(r"\w+")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://|mailto:|javascript:|data:|/[/@]|www\.", re.IGNORECASE)
#: Tags, and an address in such brackets.
_TAG = re.compile(r"<[/!]?[a-z][^<>]*>", re.IGNORECASE)
#: A label before names: no name has a colon.
_LABEL = re.compile(r"[^\W\d_][^:：]{0,30}[:：]\s*(?=\S)")
#: What always stands between two; what may also stand in a name, or between its parts.
_DIVIDER, _COMMA = re.compile(r"(?<!\s)\s*+[;；、]\s*+"), re.compile(r"(?<!\s)\s*+[,，،]\s*+")
_LIST_SIGNS = re.compile(r"(?<!\s)(?:\s*+[|•/]\s*+|\s++[·–—-]\s++)")
_MAY_JOIN = r"(?<!\s)(?:\s*+[|&+•/]\s*+|\s++·\s++)"
#: The words of other languages between two that templates keep on pages in any.
_USUAL_JOINERS = frozenset("and with et och og und y".split())
#: What may stand behind a name: a full stop, an address, a handle, an agency or role in brackets, with whom
#: somebody wrote, a picture.
_BEHIND_NAME = re.compile(
    r"(?<=[a-zà-ÿ]{3})\.$|(?<=[\w.])(?:\s\(?[^\s(),;]*@[^\s(),;]+\)?"
    r"|\s\((?:[A-Z]{2,5}|Reuters|[a-z][a-z ]*|(?:avec|com|con|met|mit|with)\s[^()]*)\)"
    r"|\s(?:avec|com|con|met|mit|with)\s(?:[A-Z]{2,5}|dpa|Reuters)$|\s*[\u2600-\u27bf\ufe0f\U0001f000-\U0001faff]+)"
)
#: The end of a link with another one behind it.
_LINK_ENDS = re.compile(r"</(?:a|li)>\s*(?=<(?:a|li)\b)", re.IGNORECASE)
#: A place, and one behind a full name.
_PLACE = re.compile(r"[A-ZÀ-Þ][a-zß-ÿ]{3,}")
_LAST_PLACE = re.compile(rf"(\s[^\s,]+),\s?{_PLACE.pattern}$")
#: Scripts without spaces: a name of two characters or more is one word.
_IDEOGRAPH = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_IDEOGRAPHS = re.compile(rf"{_IDEOGRAPH}{{2,}}")
#: What has more, or longer, words than a name in these scripts.
_IDEOGRAPHIC_TEXT = re.compile(rf"{_IDEOGRAPH}(?:{_IDEOGRAPH}{{4}}|・|\s\S+\s)")
#: The address of an author with the name in brackets, as in RSS.
_ADDRESSED = re.compile(r"[^\s@]++@[^\s@(]++\s*+\((.+)\)\s*")
_EDGES = " \t\r\n,;:：|•–—"
#: A name as one of several in catalogues: "Lee, Ann M.".
_FAMILY_FIRST = re.compile(r"(?:[a-z]+\s){0,2}[^\W\d_a-z][\w'’-]+,\s[^\W\d_a-z](?:[^\W\d_A-Z]|\.$)[^,]*")
#: Pictures and signs before a name.
_BEFORE_NAME = re.compile(r"[\s\u2022-\u2bff\ufe0f\U0001f000-\U0001faff]+")
#: A degree behind a name and a comma: "MD", "PhD", "Ph.D.", "E-RYT".
DEGREE = re.compile(r"(?:(?:[A-Z][a-z]?-?){1,5}[A-Z]|[A-Z][a-z]{0,2}\.\s?[A-Z][a-z]?\.?|[JS]r\.?)")

#: The words before an author, by language, names may begin with some of them in other languages: "Di", "Von".
#: And what says "author" in front of a colon, in many languages.
_BEFORE_AUTHORS: Mapping[str, list[str]] = byline_words()["before authors"]
LABELS = frozenset(map(str.casefold, byline_words()["labels of authors"]))
#: What programs state where they have no name, and a template that they have not filled.
_NO_NAME = re.compile(
    r"(?i)(?:null|none|undefined)(?: (?:null|none|undefined))*|n/a|unknown|true|false|\[object object\]"
    r"|super user|(?:your |author )?name(?:, \S+@\S+)?|(\w)\1{2,}"
    r"|.*(?:\{\{|\}\}|<%|\$\{).*"
)
#: How words before "by" begin that say that somebody has done something else than writing.
_OTHER_PART = re.compile(
    r"(?i)\b(?:phot|foto|фото|φωτο|bild|image|immag|illustr|ilustr|иллюстр|artwork|graphic|grafi|video|credit|"
    r"courtesy|medical|reviewed|checked|sponsor|present|support|fund|power|brought|transl|tradu|übers|vertaal)"
)
#: How a word for a role, or for an employer, begins. It is the last word, or a small letter follows.
_ROLE = re.compile(
    r"(?:^|\s|/)(?i:advis|agenc|agentur|anal[iy]st|bureau|colabora|columnist|consult|contribut|coordin|corr[ei]spond|"
    r"direct|direkt|editor|educat|engineer|expert|"
    r"fotogra|fotógra|founder|giornal|jornal|journal|kolumn|korrespond|lectur|manag|mitarbeit|periodis|photogra|"
    r"president|produc|profess|r[eé]dac|redak|redaz|report|research|scientist|specialist|strateg|universi|writer|"
    r"(?:afp|ap|c[efit]o|chronicle|critic|dpa|efe|gazette|herald|magazine?|news|newsroom|press|reuters|staff|times|"
    r"tribune|upi)\b)\S*+(?:$|\s+[a-z])"
)

#: A full name with a job behind it.
_WITH_JOB = re.compile(
    r"(\S+(?:\s\S+){1,2}?)\s(?i:(?:the )?associated press|staff writer|"
    r"(?:staff )?reporter|journalist\w*|giornalista|periodista|redakt[eö]\w+)"
)

#: What begins with a small letter in the middle of a name.
PARTICLES = frozenset(
    "af al bin da das de del della den der di do dos du e el i la le ten ter van von y zu".split()
)
#: A bare name has so many words and so many characters.
NAME_WORDS, _LONGEST_BARE = range(2, 4), 40
#: No bare name has such a sign: "Topic: Harbours", "What Is It?".
_NO_BARE_NAME = re.compile(r"[:：](?:\s|$)|[?!]$")

#: A word before authors is one of so many first words of a line; a line that consists of so many is a label.
#: The label for authors up to its colon has at most the last number: "Autor del artículo:".
_FIRST_WORDS, LABEL_WORDS, _LONGEST_LABEL = 4, 2, 3
#: At most so many words stand between a user and the day; a line of names has so many characters.
_BEFORE_DAY, LONGEST_LINE = 2, 100
#: What may stand between a day and a name.
SIGNS = " -–—,|·•"
#: A word between a name and the day behind it.
_BEFORE_NUMBER = re.compile(r"(?:^|,?\s)(?:am|el|le|on)$")
#: What ends a name in a line.
_NAME_END = re.compile(r"[|·•●⋅∙／｜()\[\]{}:;\n]|\s/|/\s|\s[-–—]|\d")
#: The last word of a text, if it is longer than "Edith"; where an element ends there may be no space.
_LAST_WORD = re.compile(r"(?:(?<=[a-zà-ÿ])[A-Z][^\W\d_A-Z]{5,}|\b[^\W\d_][^\W\d_A-Z]{5,})$")
#: A word for an author before a name, with a sign or without a space, in scripts without spaces.
_GLUED = re.compile(
    r"((?<![\u3400-\u9fff])文|撰文|執筆|執筆者|筆者|著者|投稿者|ライター|記者|记者|作者)\s*[:：/／|｜]\s*|"
    r"((?<![\u3400-\u9fff])文)(?:・(?:写真|撮影|構成|編集))*\s?[・･●=＝:：/／|｜\s]\s?"
    r"(?=[\u3040-\u30ff\u3400-\u9fff])|"
    r"(記者|记者|作者)\s?(?=[\u3400-\u9fff]{2,4}(?![\u3400-\u9fff]))"
)
#: The word for a reporter behind a name in Korean.
REPORTER = "기자"
#: Names with this word behind them; what stands between two; what stands behind names in other languages.
REPORTERS = re.compile(
    rf"(?<![\uac00-\ud7af])((?:[\uac00-\ud7af]{{2,4}}\s?[·ㆍ]\s?)*[\uac00-\ud7af]{{2,4}})\s?"
    rf"(?:{REPORTER}|특파원)(?![\uac00-\ud7af])"
)
_BETWEEN_REPORTERS = re.compile(r"\s?[·ㆍ]\s?")
_BEHIND_AUTHOR = re.compile(
    r"(?<=[\u3400-\u9fff々])\s?(?:記者|特派員|[/／]\s?文|[／/][^／/\s]{0,8}(?:報導|报导|報道|报道))$|"
    r"(?<=\S)\s(?:द्वारा$|(?:기자|특파원)$)|(?<=[\uac00-\ud7af])(?:기자|특파원)$"
)
#: What stands behind the name of who took a picture.
_TOOK_PICTURE = "摄", "攝", "撮影"
#: A colon without a space behind it: "Written by:Ann Lee".
_GLUED_COLON = re.compile(r"(?<=[^\W\d_]):(?=[^\W\d_])")
#: The article before a name in Greek, which has a word for "by" before it.
_GREEK_ARTICLE = re.compile(r"(?<=\bγράφει)(?::?\s(?:ο/η|ο|η))(?=\s)", re.IGNORECASE)


def is_name(text: str) -> bool:
    """Return whether a text can be an author's name: short, with a letter, and no address or placeholder."""
    if not 0 < len(text) <= _LONGEST_VALUE or not _LETTER.search(text):
        return False
    return not _ADDRESS.match(text) and not _NO_NAME.fullmatch(text)


def is_topic(text: str) -> bool:
    """Return whether a text can be the name of a topic: short, with a letter or a digit, and no address."""
    return 0 < len(text) <= _LONGEST_VALUE and any(map(str.isalnum, text)) and not _ADDRESS.match(text)


def without_tags(text: str) -> str:
    """Return a text of a statement without tags and references of HTML, folded.

    >>> without_tags("<a href='/ann'>Ann&nbsp;Lee</a>")
    'Ann Lee'
    """
    if "&" in text:
        text = unescape(text)
    return fold(_TAG.sub(" ", text) if "<" in text else text)


def names_in(text: str, language: str = "") -> list[str]:
    """Return the names in a text that states one author or several; none if it states no name.

    :param language: of the page. The words before and between names are those of this language; the one of
        English counts everywhere, since many templates keep it.

    >>> names_in("By Ann Lee, Bob Roe and Cy Poe", "en")
    ['Ann Lee', 'Bob Roe', 'Cy Poe']
    >>> names_in("Lee, Ann"), names_in("Marks and Spencer", "en")
    (['Lee, Ann'], ['Marks and Spencer'])
    >>> names_in("Ann Lee, senior editor, Bob Roe"), names_in("ann@a.example (Ann Lee)")
    (['Ann Lee', 'Bob Roe'], ['Ann Lee'])
    >>> names_in("Lee, Ann; Roe, Bob"), names_in('["Ann Lee", "Bob Roe"]')
    (['Ann Lee', 'Bob Roe'], ['Ann Lee', 'Bob Roe'])

    Cost: linear in the length of the text.
    """
    read = _names_in if len(text) <= _LONGEST_KEPT else _names_in.__wrapped__
    return [*read(text, language)]


@lru_cache(maxsize=1 << 8)  # the pages of a site have few authors
def _names_in(text: str, language: str) -> tuple[str, ...]:
    names = []
    if "&" in text:
        text = unescape(text)
    text = divided_as_list(without_tags(_LINK_ENDS.sub("; ", text) if "<" in text else text))
    if "@" in text and (addressed := _ADDRESSED.fullmatch(text)):
        text = addressed[1]
    if not text.isascii():
        text = _GLUED.sub(r" \1\2\3: ", text, count=1)
    parts = _DIVIDER.split(_BEHIND_NAME.sub("", without_label(text, language)))
    if len(parts) > 1 and all(map(_FAMILY_FIRST.fullmatch, parts)):
        parts = [*map(given_first, parts)]
    for part in parts:
        for name in _divided(_BEHIND_AUTHOR.sub("", part), language):
            plain = _BEHIND_AUTHOR.sub("", without_label(name, language))
            if (job := _WITH_JOB.fullmatch(plain)) and not is_role(job[1]):
                plain = job[1].rstrip(SIGNS)
            if text.casefold().startswith("by ") and is_full(short := capitals(plain, language)):
                plain = short  # "By Ann Lee in Oslo"
            if is_name(plain):
                names.append(plain)
    return (*dict.fromkeys(names),)


def given_first(text: str) -> str:
    """Return the name of one person with the family name behind, as catalogues have it before a comma.

    >>> given_first("van Berg, Ann"), given_first("Ann van Berg")
    ('Ann van Berg', 'Ann van Berg')
    """
    family, comma, given = text.partition(",")
    return joined_name(given.strip(), "", family.strip()) if comma and "," not in given else text


def says_author(label: str, language: str) -> bool:
    """Return whether a label says that its value is an author.

    >>> says_author("Written by", ""), says_author("Autor", ""), says_author("Reading time", "")
    (True, True, False)
    """
    last = label.casefold().split()[-1:]
    return bool(last) and (last[0] in LABELS or last[0] in before_authors(language))


def says_other_part(label: str, language: str) -> bool:
    """Return whether a label says that whom it names has done something else than writing.

    >>> [says_other_part(label, "") for label in ("Photo by", "Words and photos by", "Written by")]
    [True, False, False]
    """
    is_several = {"and", "&", *joining_words(language)} & {*label.casefold().split()}
    return not is_several and _OTHER_PART.search(label) is not None


def says_who(text: str) -> bool:
    """Return whether a text has a word for an author, or for another part in an article, in any language.

    >>> says_who("posted by"), says_who("photo:"), says_who("tickets")
    (True, True, False)
    """
    known = LABELS.union(*_BEFORE_AUTHORS.values())
    return not known.isdisjoint(_WORD.findall(text.casefold())) or says_other_part(text, "")


def without_label(text: str, language: str = "") -> str:
    """Return a text without a label before it: words with a colon, or the word that stands before authors.

    >>> without_label("Text: Ann Lee"), without_label("von Ann Lee", "de"), without_label("Von Miller", "en")
    ('Ann Lee', 'Ann Lee', 'Von Miller')
    """
    text = text.strip(_EDGES)
    if sign := _BEFORE_NAME.match(text):
        text = text[sign.end() :]
    if (label := _LABEL.match(text)) and not _ADDRESS.match(text):
        text = text[label.end() :]
    first, _, others = text.partition(" ")
    if others[: len("by ")].casefold() == "by " and not _OTHER_PART.search(first):  # "Posted by Ann Lee"
        return others[len("by ") :].strip(_EDGES)
    return others.strip(_EDGES) if others and first.casefold() in before_authors(language) else text


@lru_cache(maxsize=1 << 7)
def before_authors(language: str) -> frozenset[str]:
    """Return the words that stand before authors in a language, and in English."""
    words = *_BEFORE_AUTHORS.get(language.partition("-")[0].lower(), ()), *_BEFORE_AUTHORS["en"]
    return frozenset(map(str.casefold, words))


@lru_cache(maxsize=1 << 7)
def _joiner(language: str) -> re.Pattern[str]:
    words = "|".join(map(re.escape, sorted(joining_words(language) | _USUAL_JOINERS)))
    return re.compile(rf"(?:{_MAY_JOIN}|\s*[,，،]?\s+(?:{words})\s+)", re.IGNORECASE)


def _divided(text: str, language: str) -> list[str]:
    """Return the names that a text joins; the text alone if one of them is no full name."""
    joiner = _joiner(language)
    first, *others = _COMMA.split(text)
    if others and is_full(first):
        text = ", ".join([first, *(part for part in others if not all(map(is_role, joiner.split(part))))])
    first, *others = _LIST_SIGNS.split(text)
    persons = [part for part in others if not (is_role(part) or _PLACE.fullmatch(part))]
    if len(persons) < len(others) and is_full(first):
        text = " | ".join([first, *persons])
    *parts, last = joiner.split(text)
    names = [name for part in (*parts, last) for name in _with_degrees(_COMMA.split(part))]
    if len(names) > 1 and all(map(is_full, names)):
        return names
    # "Ann, Bob and Cy": a list of which only the end is joined by a word is one of names, not of their parts
    is_list = len(parts) == 1 and _COMMA.search(parts[0]) and not _COMMA.search(last)
    return names if is_list and all(" " not in name and is_name(name) for name in names) else [text]


def _with_degrees(parts: Sequence[str]) -> list[str]:
    """Return the parts of a list, those that are degrees with the name before them."""
    names: list[str] = []
    for part in parts:
        if names and DEGREE.fullmatch(part) and is_full(names[-1]):
            names[-1] += f", {part}"
        else:
            names.append(part)
    return names


def without_half(name: str, language: str) -> str:
    """Return a name in a byline without half of another name.

    >>> [without_half(f"Ann Lee{behind}", "en") for behind in (", MD", " and Herald")]
    ['Ann Lee, MD', 'Ann Lee']
    """
    first, *others = _joiner(language).split(name)
    return first if others and is_full(first) and not all(map(is_full, others)) else name


def is_role(text: str) -> bool:
    """Return whether a text behind a name has a small letter in its last word, or a word for a role.

    >>> [is_role(text) for text in ("river expert", "Staff Writer", "Professor of History", "Professor Roe")]
    [True, True, True, False]
    """
    words = text.split()
    return bool(words) and (words[-1][0].islower() or _ROLE.search(text) is not None)


def is_full(name: str) -> bool:
    """Return whether a text is a name of several words, or one in a script without spaces."""
    words = [word for word in name.split() if _LETTER.search(word)]
    return is_name(name) and (len(words) > 1 or bool(_IDEOGRAPHS.fullmatch(name)))


def joined_name(given: str, additional: str, family: str) -> str:
    """Return the name whose parts are stated one by one; the family comes first in Chinese, Japanese, Korean.

    >>> joined_name("Ann", "", "Lee"), joined_name("太郎", "", "山田")
    ('Ann Lee', '山田太郎')
    """
    if _IDEOGRAPHS.fullmatch(family + given) and given and family:
        return f"{family}{given}"
    return " ".join(filter(None, (given, additional, family)))


def capitals(text: str, language: str) -> str:
    """Return the words with which a text begins that are names, with those between them; or its only word."""
    kept, words = 0, text.split()
    joining = PARTICLES | joining_words(language) | _USUAL_JOINERS | {"+"}
    for number, word in enumerate(words, 1):
        letter = next(filter(str.isalpha, word), "")
        if letter and not letter.islower():
            kept = number
        elif word != "&" and word not in joining:
            break
    return " ".join(words[:kept]).rstrip(",&") if kept else text if len(words) == 1 else ""


def is_bare_name(text: str) -> bool:
    """Return whether a text is two or three words with capitals, as far as its script has them.

    Between them may be what joins the parts of a name. None of them is a word beside a day.

    >>> [is_bare_name(text) for text in ("Ann Lee", "Ann van der Lee", "Last Updated", "Topic: Seals")]
    [True, True, False, False]
    """
    first, *others = text.split() or [""]
    words = [first, *(word for word in others if word not in PARTICLES)]
    if len(words) not in NAME_WORDS or len(text) > _LONGEST_BARE or _NO_BARE_NAME.search(text):
        return False
    return (
        "/" not in text
        and words[-1] == [first, *others][-1]
        and all(word[0].isalpha() and not word[0].islower() for word in words)
        and not any(map(begins_saying, words))
        and not _IDEOGRAPHIC_TEXT.search(text)
    )


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
        text = _GREEK_ARTICLE.sub("", _GLUED.sub(r" \1\2\3: ", text, count=1))
    text = _GLUED_COLON.sub(": ", text)
    known, folded = before_authors(language), text.casefold()
    if ":" not in folded and not any(map(folded.__contains__, known)):
        return []
    begin = end = 0
    for day in days_in(text, language):
        begin, end = (day.end if _is_label_of_day(text[end : day.begin], known) else begin), day.end
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
                others = _LIST_SIGNS.split(text, maxsplit=1)[1:]  # "Photos by Bob Roe | Text by Ann Lee"
                return names_in_byline(others[0], language) if others else []
            behind = " ".join(words[end or at + 1 :]).lstrip(": |")
            named = _NAME_END.split(before_day(behind, language), maxsplit=1)[0]
            named = _next_byline(language).split(named, maxsplit=1)[0]
            first, *others = named.split() or [""]
            if len(named) < len(behind):
                whole, named = named, _without_said(named)
                if named == whole and behind[len(named)] == ":":
                    # the next label: "Words: Ann Lee Photos: Bob Roe"
                    named = named.rpartition(" ")[0] or named
            if first.islower() and 0 < len(others) <= _BEFORE_DAY and before_day(behind, language) != behind:
                named = first  # a user, then words up to the day: "by josh on Friday, 10 July"
            named = _LAST_PLACE.sub(r"\1", capitals(_BEFORE_NUMBER.sub("", named), language))
            names = names_in(named, language)
            return [short for name in names if is_name(short := without_half(name, language))]
    return []


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
    return re.compile(rf"\.\s+(?:\S+\s+){{0,2}}(?:{words})\s", re.IGNORECASE)


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
    beside = text[days[0].end :] if not text[: days[0].begin].strip(SIGNS) else text[: days[0].begin]
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
    text = _BEHIND_AUTHOR.sub("", text)
    if len(text) > LONGEST_LINE or any(map(str.isdecimal, text)) or text.count(":") > 1:
        return []
    names = [text] if text.count(" ") < NAME_WORDS[-1] else names_in(text, language)  # two have four words
    return names if all(map(is_bare_name, names)) else []
