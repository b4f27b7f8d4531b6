"""Learn and remove what a site puts before and after the title: in the ``title`` element, and in headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from html import unescape

import regex

from ..base.urls import name_in_host
from ..page.tags import HEADINGS
from ..page.text import fold, letters, name_letters, plain_punctuation
from .paths import tag_of
from .placed import PlacedLayout
from .subtrees import innermost

#: Prefixes and suffixes of ``title`` elements, with the separators between them and the title.
Affixes = tuple[tuple[str, ...], tuple[str, ...]]
#: One page does not tell what its site adds to titles.
NO_AFFIXES: Affixes = ((), ())

#: Bound: so many separators count from each end of a title: each makes a part of it, which is kept. On 60
#: real sites no title has more than 6 of them.
_MOST_BREAKS = 20
#: A shorter text may stand in a title, or in the ``title`` element, by chance.
PART_LENGTH = 8

#: A name of a site beside a title has so many letters and digits.
_NAME_LETTERS = range(3, 41)

# With regex, unlike re, marks are parts of words: the vowels of Thai and Hindi stand above and below letters.
_SIGN = r"[^\w\s'’\"“”()\[\],.!?%&#$+]"
#: What closes a part of a title before white space or a sign belongs to that part.
_CLOSES = "(?![）」』】》〉]++[^\\w])"
_BREAK = regex.compile(rf"(?<!\s)\s*+{_SIGN}++\s*+")
_EDGE = regex.compile(rf"\A\s*+{_SIGN}++\s*+|(?<!\s)\s*+{_SIGN}++\s*+\Z")
#: A hyphen or a colon in a word, of scripts that have spaces between words.
_SPACED = r"[\p{Latin}\p{Greek}\p{Cyrillic}\d]"
_HYPHEN = regex.compile(rf"(?<={_SPACED})[-:](?={_SPACED})")
_CJK = r"[\p{Han}\p{Hiragana}\p{Katakana}]"
#: A break that is no part of a word: signs beside white space, a bar, or a sign in a script without spaces.
SPACED_BREAK = regex.compile(
    rf"(?<!\s)\s++{_SIGN}++\s*+|(?<!{_SIGN}){_CLOSES}{_SIGN}++\s++|[|｜]|(?<={_CJK})(?:_++|-(?={_CJK}))|_++(?={_CJK})"
)


def learn_affixes(titles: Sequence[str], share: float = 0.05, least: int = 2) -> Affixes:
    """Return the prefixes and suffixes that recur among a site's distinct titles.

    A title is cut only at separators between words (dashes, bars, colons ...), so a
    word with which many titles begin is not a prefix.

    :param share: an affix must be in this share of the titles, from 0 to 1 ...
    :param least: ... and in this many titles in any case.

    Cost: linear in the number of separators.
    """
    distinct = sorted({title for title in titles if title})
    needed = max(least, share * len(distinct))
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    for title in distinct:
        prefixes, suffixes = affixes_of(title)
        before.update(prefixes)
        after.update(suffixes)
    return _recurring(before, needed), _recurring(after, needed)


def affixes_of(title: str) -> Affixes:
    """Return the parts with which a title begins and ends, one of each per separator.

    >>> affixes_of("Ferry delayed - Example News")
    (('Ferry delayed - ',), (' - Example News',))
    """
    breaks = [match for match in _breaks(title) if match.start() > 0 and match.end() < len(title)]
    before, after = breaks[:_MOST_BREAKS], breaks[-_MOST_BREAKS:]
    return tuple(title[: match.end()] for match in before), tuple(title[match.start() :] for match in after)


def _breaks(title: str) -> list[regex.Match[str]]:
    """Return the breaks in a title. A hyphen or a colon in its first or in its last word is none.

    "git-log" and "git-push" have no prefix. A site's name may stand behind a hyphen without spaces, but
    hardly one of a single word: on 13 of 213 sites such words recur, and none is the site's.
    """
    first, last = len(title.split(" ", 1)[0]), title.rfind(" ")
    return [
        match
        for match in _BREAK.finditer(title)
        if first < match.start() < last or not _HYPHEN.match(title, match.start())
    ]


@lru_cache(maxsize=32)  # as for strip_affixes
def title_ends(title: str) -> tuple[str, ...]:
    """Return the parts with which a title begins or ends, without the separators, the longest first.

    >>> title_ends("Net | API | Example")
    ('API | Example', 'Net | API', 'Example', 'Net')
    """
    breaks = _breaks(title)
    ends = {title[: match.start()] for match in breaks[:_MOST_BREAKS]}
    ends |= {title[match.end() :] for match in breaks[-_MOST_BREAKS:]}
    return tuple(sorted(ends - {""}, key=lambda end: (-len(end), end)))


def site_beside(page: PlacedLayout, title: str) -> str:
    """Return the name of the site that the head has behind a page's title, or before it; empty: it has none.

    "Ferry delayed - The Example News" has "The Example News" on ``www.example.com``, and wherever "Ferry
    delayed" is the title. On 561 pages that state their site's name, too, the latter gave the same one on
    459, and a part of it or a longer one on 60.
    """
    head, title_letters = page.layout.title_element, letters(title)
    breaks = [*SPACED_BREAK.finditer(head)] if title_letters else []
    if not breaks:
        return ""
    first, last = breaks[0], breaks[-1]
    ends = ((head[last.end() :], head[: last.start()]), (head[: first.start()], head[first.end() :]))
    for name, rest in ends:
        short = name_letters(name)
        is_whole = letters(rest) == title_letters and len(short) in _NAME_LETTERS and not short.isdecimal()
        if short not in title_letters and (is_whole or _names_host(name, page.url)):
            return name.strip()
    return ""


def _names_host(name: str, url: str) -> bool:
    """Return whether a text has the letters of a url's host, or is a part of it."""
    short = name_letters(name)
    if len(short) not in _NAME_LETTERS:
        return False
    host = letters(name_in_host(url))
    return short in host or (len(host) > _NAME_LETTERS.start and host in short)


@lru_cache(maxsize=32)  # several steps of extraction ask for the same title
def strip_affixes(title: str, affixes: Affixes) -> str:
    """Return a title without the longest prefix and suffix of its site; the result is never empty."""
    before, after = affixes
    prefix = max((p for p in before if title.startswith(p)), key=len, default="")
    stripped = title[len(prefix) :]
    suffix = max((s for s in after if stripped.endswith(s)), key=len, default="")
    stripped = stripped[: len(stripped) - len(suffix)].strip()
    if not (prefix or suffix) and (breaks := _breaks(title)):  # as an earlier template may have them
        if title[: breaks[0].start()] in _names(after):
            stripped = title[breaks[0].end() :]
        elif title[breaks[-1].end() :] in _names(before):
            stripped = title[: breaks[-1].start()]
    return stripped or title


@lru_cache(maxsize=16)  # a suffix and a prefix of a few sites
def _names(affixes: tuple[str, ...]) -> frozenset[str]:
    """Return affixes without the separators between them and the title."""
    return frozenset(_EDGE.sub("", affix) for affix in affixes)


def _recurring(counts: Counter[str], needed: float) -> tuple[str, ...]:
    return tuple(sorted(affix for affix, count in counts.items() if count >= needed))


#: A label and the bar between it and a title. Other signs may be a part of the title.
_BAR = re.compile(r"(?<!\s)\s*+[|｜]")
_BARRED = re.compile(r"[^|｜]+[|｜]\s*|\s*[|｜][^|｜]+")
#: A subtitle has at most so many times the characters of its title.
_SUBTITLE = 3


def without_additions(texts: dict[str, str], page: PlacedLayout, affixes: Affixes) -> dict[str, str]:
    """Return texts of a page. Those with the title that the head of the page states have no more than that.

    A heading may end with the site's name, as the head does: with the one of its host.
    There may be a topic or a label before the title, or a date, a link or a subtitle behind it, each in an
    element of its own or behind a bar. The head may have a shorter title; so what is not set apart is a part
    of the title.
    """
    og_title = strip_affixes(page.layout.og_title, affixes)
    names = [page.title, og_title]
    if page.title == page.layout.title_element:  # nothing is known of what the site adds to it
        for whole in (page.title, og_title):
            names += [part for part in title_ends(whole) if 2 * len(part) > len(whole)]
    names = [plain_punctuation(fold(name)).lower() for name in names if name]
    head = page.layout.title_element
    whole = plain_punctuation(f"{head}\n{page.layout.og_title}").lower()
    site = max((suffix for suffix in affixes[1] if head.endswith(suffix)), key=len, default="")
    if not site and (bars := [*_BAR.finditer(head)]):
        site = head[bars[-1].start() :]
    names_site = _names_host(site, page.url)
    is_learned = page.layout.markup is not None  # or the trail to a page would be as good as its heading
    trimmed = texts.copy()
    for path, text in texts.items():
        is_heading = tag_of(path) in HEADINGS
        title = _title_in(text, names, whole) if is_learned or is_heading else ""
        if names_site and is_heading and text.endswith(site):
            trimmed[path] = text.removesuffix(site)
        elif title and (_BARRED.fullmatch(text.replace(title, "", 1)) or _is_set_apart(page, path, title)):
            trimmed[path] = title
    return trimmed


def _title_in(text: str, names: Sequence[str], whole: str) -> str:
    """Return the part of a text that is one of some names, and begins or ends it; empty: there is none.

    :param names: in lower case, with plain punctuation.
    :param whole: the titles of the head as they stand there. If they have the whole text, it is the title.
    """
    folded = fold(text)
    plain = plain_punctuation(folded).lower()
    if len(plain) != len(folded) or plain in whole:  # a letter or sign may have another length
        return ""
    for name in names:
        surplus = len(plain) - len(name)
        if 0 < surplus <= len(name) and plain.endswith(name):
            return folded[surplus:]
        if 0 < surplus <= _SUBTITLE * len(name) and plain.startswith(name):
            return folded[: len(name)]
    return ""


def _is_set_apart(page: PlacedLayout, path: str, title: str) -> bool:
    """Return whether an element ends before a title in its heading, or begins behind it.

    Without markup, while a site is learned, nobody knows: yes.
    """
    markup, blocks = page.layout.markup, page.layout.blocks
    if markup is None:
        return True
    first = page.places.index(path)
    heading = innermost(page.layout, blocks[first].node, HEADINGS)
    end = page.ends[heading] if heading else blocks[first].node + 1
    texts = []
    for index in range(first, len(blocks)):
        if blocks[index].node >= end:
            break
        texts += [*(unescape(text) for _, text in markup.inline(*markup.blocks[index])), " "]
    parts = (fold("".join(part)) for n in range(len(texts)) for part in (texts[:n], texts[n:]))
    return any(title in part and not any(map(str.isalnum, part.replace(title, "", 1))) for part in parts)
