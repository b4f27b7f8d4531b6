"""Read the names of authors from a text that states them: what is around the names, and between several.

Programs state names with the markup of a link, after a word ("By Ann Lee"), or several in one text ("Ann Lee,
Bob Roe and Cy Poe"). A text is only divided where all its parts are names: of two words or more, or in a
script without spaces. So "Lee, Ann" and "Food and Drug Administration" stay whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from html import unescape

from .calendars import joining_words
from .days import begins_saying, byline_words
from .text import divided_as_list, fold

#: A value has at most so many characters. Bound: the names in longer texts are not remembered.
_LONGEST_VALUE, _LONGEST_KEPT = 100, 300
_LETTER, _WORD = re.compile(r"[^\W\d_]"), re.compile(r"\w+")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://|mailto:|javascript:|data:|/[/@]|www\.", re.IGNORECASE)
#: Tags, and an address in such brackets.
_TAG = re.compile(r"<[/!]?[a-z][^<>]*>", re.IGNORECASE)
#: A label before names: no name has a colon. It may be a list: "Text, Photos:".
_LABEL = re.compile(r"(?:[^\W\d_]+,\s)?[^\W\d_][^:：,]{0,30}[:：]\s*(?=\S)")
#: What always stands between two; what may also stand in a name, or between its parts.
_DIVIDER, _COMMA = re.compile(r"(?<!\s)\s*+[;；、]\s*+"), re.compile(r"(?<!\s)\s*+[,，،]\s*+")
_MAY_JOIN = r"(?<!\s)(?:\s*+[|&+•/]\s*+|\s++·\s++)"
#: The words of other languages between two that templates keep on pages in any.
_USUAL_JOINERS = frozenset("and with et och og und y".split())
#: What may stand behind a name: a full stop, an address, a handle, an agency or role in brackets.
_BEHIND_NAME = re.compile(
    r"(?<=[a-zà-ÿ]{3})\.$|(?<=[\w.])\s(?:\(?[^\s(),;]*@[^\s(),;]+\)?|\((?:[A-Z]{2,5}|Reuters|[a-z][a-z ]*)\))"
)
#: The end of a link with another one behind it.
_LINK_ENDS = re.compile(r"</(?:a|li)>\s*(?=<(?:a|li)\b)", re.IGNORECASE)
#: A place of one word.
PLACE = re.compile(r"[A-ZÀ-Þ][a-zß-ÿ]{3,}")
#: A full name, and behind a sign one word: an agency, a section, a place; or, behind "For", an employer.
_WITH_SOURCE = re.compile(
    r"([^\W\d_]\S*\s[^\W\d_].*?)\s(?:[-–—|/]\s[^\s\d\u3040-\uffff]+|F(?:or|OR)\s[^\W\d_a-z].*)"
)
#: Scripts without spaces: a name of two characters or more is one word.
_IDEOGRAPH = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_IDEOGRAPHS = re.compile(rf"{_IDEOGRAPH}{{2,}}")
#: Several names in Chinese; in Japanese, it may be one.
_CHINESE_NAMES = re.compile(r"[\u3400-\u9fff]{2,4}(?:\s[\u3400-\u9fff]{2,4})+")
#: What has more, or longer, words than a name in these scripts.
_IDEOGRAPHIC_TEXT = re.compile(rf"{_IDEOGRAPH}(?:{_IDEOGRAPH}{{4}}|・|\s\S+\s)")
#: The address of an author with the name in brackets, as in RSS.
_ADDRESSED = re.compile(r"[^\s@]++@[^\s@(]++\s*+\((.+)\)\s*")
#: What may stand between a day and a name.
SIGNS = " -–—,|·•"
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
OTHER_PARTS = (
    r"(?:phot|foto|фото|φωτο|bild|image|immag|illustr|ilustr|иллюстр|artwork|graphic|grafi|video|credit|"
    r"courtesy|medical|reviewe[dr]|checked|sponsor|present|support|fund|power|brought|transl|tradu|übers|vertaal|"
    r"写真|撮影|摄影|攝影|編譯|编译|翻譯|翻译|사진)"
)
_OTHER_PART = re.compile(rf"(?i)\b{OTHER_PARTS}")
#: What somebody has done, in brackets behind the name.
_OTHER_IN_BRACKETS = re.compile(rf"(?i)\s\({OTHER_PARTS}\w*\)$")
_TEXT_IN_BRACKETS = re.compile(rf"(?i)\s\((?:{'|'.join(map(re.escape, LABELS))})\)$")
#: How a word for a role, or for an employer, begins. It is the last word, or a small letter follows.
_ROLE = re.compile(
    r"(?:^|\s|/)(?i:advis|agenc|agentur|anal[iy]st|bureau|colabora|columnist|consult|contribut|coordin|corr[ei]spond|"
    r"direct|direkt|editor|educat|engineer|expert|"
    r"fotogra|fotógra|founder|giornal|jornal|journal|kolumn|korrespond|lectur|manag|mitarbeit|periodis|photogra|"
    r"president|produc|profess|r[eé]dac|redak|redaz|report|research|scientist|specialist|strateg|universi|writer|"
    r"(?:afp|ap|c[efit]o|chronicle|critic|dpa|efe|gazette|herald|magazine?|news|newsroom|press|reuters|staff|times|"
    r"tribune|upi)\b)\S*+(?:$|\s+[a-z])"
)
#: How a word for an office begins, in its name.
_OFFICE = re.compile(rf"(?i)(?:^|[\s/])(?:{'|'.join(byline_words()['offices'])})\S*+(?:$|\s+(?-i:[a-zа-яё]))")
_LONG_PLACE = re.compile(f"(?i){'|'.join(byline_words()['places of several words'])}")

#: What begins with a small letter in the middle of a name.
PARTICLES = frozenset(
    "af al bin da das de del della den der di do dos du e el i la le ten ter van vom von y zu".split()
)
#: A bare name has so many words and so many characters.
NAME_WORDS, _LONGEST_BARE = range(2, 4), 40
#: No bare name has such a sign: "Topic: Harbours", "What Is It?".
_NO_BARE_NAME = re.compile(r"[:：](?:\s|$)|[?!]$")

#: A word for an author before a name, with a sign or without a space, in scripts without spaces.
GLUED = re.compile(
    r"((?<![\u3400-\u9fff])文|撰文|執筆|執筆者|筆者|著者|投稿者|ライター|記者|记者|作者)\s*[:：/／|｜]\s*|"
    r"((?<![\u3400-\u9fff])文)(?:・(?:写真|撮影|構成|編集))*\s?[・･●=＝:：/／|｜\s]\s?"
    r"(?=[\u3040-\u30ff\u3400-\u9fff])|"
    r"(記者|记者|作者)\s?(?=[\u3400-\u9fff]{2,4}(?![\u3400-\u9fff]))"
)
#: What stands behind names in other languages.
BEHIND_AUTHOR = re.compile(
    r"(?<=[\u3400-\u9fff々])\s?(?:記者|特派員|[/／]\s?文|[／/\s][^／/\s]{0,8}(?:報導|报导|報道|报道))$|"
    r"(?<=\S)\s(?:द्वारा$|(?:기자|특파원)$)|(?<=[\uac00-\ud7af])(?:기자|특파원)$"
)


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
    if (source := _WITH_SOURCE.fullmatch(text)) and not _OFFICE.search(source[1]):
        text = source[1]
    text = before_other_part(text, language)
    if "@" in text and (addressed := _ADDRESSED.fullmatch(text)):
        text = addressed[1]
    if not text.isascii():
        text = GLUED.sub(r" \1\2\3: ", text, count=1)
    parts = _DIVIDER.split(_BEHIND_NAME.sub("", without_label(text, language)))
    if len(parts) > 1 and all(map(_FAMILY_FIRST.fullmatch, parts)):
        parts = [*map(given_first, parts)]
    for part in parts:
        for name in _divided(BEHIND_AUTHOR.sub("", part), language):
            plain = BEHIND_AUTHOR.sub("", without_label(name, language))
            if is_name(plain):
                names.append(plain)
    authors = [name for name in names if not _OTHER_IN_BRACKETS.search(name)] or names
    return (*dict.fromkeys(map(partial(_TEXT_IN_BRACKETS.sub, ""), authors)),)


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


def before_other_part(text: str, language: str) -> str:
    """Return a text up to where it names those who have done something else than writing.

    >>> before_other_part("Ann Lee, Photos: Bob Roe", ""), before_other_part("Words and photos by Bob", "")
    ('Ann Lee', 'Words and photos by Bob')
    """
    other = _other_part(language).search(text)
    before = text[: other.start()].rstrip(_EDGES + "(") if other else ""
    last = before.casefold().split()[-1:]
    is_label = LABELS.union(("and", "&"), joining_words(language)).issuperset(last)
    return text if is_label else before


@lru_cache(maxsize=1 << 7)
def _other_part(language: str) -> re.Pattern[str]:
    by = "|".join(map(re.escape, sorted(before_authors(language))))
    part = rf"[\s,;|(]{OTHER_PARTS}(?:\w*(?:\s(?:{by})\s|\s?[:：=／/])|(?<=[\u3040-\ud7af])[\s・·])"
    return re.compile(rf"\.\s+(?:\S+\s+){{0,2}}by\s|{part}", re.IGNORECASE)  # "Dr. Jan von Lee" is a name


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
    """Return the names that a text joins; the text alone if one of them is no full name, or an office."""
    if language.startswith("zh") and _CHINESE_NAMES.fullmatch(text):
        return text.split()
    joiner = _joiner(language)
    first, *others = _COMMA.split(text)
    if others and is_full(first) and not _OFFICE.search(first):
        text = ", ".join(filter(None, [first, *(_without_roles(part, joiner) for part in others)]))
    parts = joiner.split(text)
    names = [name for part in parts for name in _with_degrees(_COMMA.split(part))]
    is_office = len(names) == len(parts) and any(map(_OFFICE.search, parts))
    return names if len(names) > 1 and all(map(is_full, names)) and not is_office else [text]


def _without_roles(text: str, joiner: re.Pattern[str]) -> str:
    """Return a text behind a name and a comma; if it begins with a role, only the full names behind that."""
    first, *others = [*filter(None, map(str.strip, joiner.split(f" {text}")))] or [""]
    names = (part for part in others if is_full(part) and not is_role(part))
    return ", ".join(names) if is_role(first) else text


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
    """Return whether a text behind a name is a role, an office, or a place of several words.

    Its last word may have a small letter, or its first, if it is no particle.

    >>> [is_role(text) for text in ("river expert", "Staff Writer", "Professor of History", "Professor Roe")]
    [True, True, True, False]
    >>> [is_role(text) for text in ("special to Harbour Times", "Harbour Institute", "New York")]
    [True, True, True]
    """
    first, *others = text.split() or [""]
    is_small = first.islower() and first.isalpha() and first not in PARTICLES
    is_small = is_small or (others[-1] if others else first)[:1].islower()
    return is_small or bool(_ROLE.search(text) or _OFFICE.search(text) or _LONG_PLACE.fullmatch(text))


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
        and all(word[0].isalpha() and not word[0].islower() for word in words)
        and not any(map(begins_saying, words))
        and not _IDEOGRAPHIC_TEXT.search(text)
    )
