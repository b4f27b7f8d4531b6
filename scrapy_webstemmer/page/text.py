"""Fold and weigh the texts of blocks, and give the key by which two texts are the same boilerplate.

The language that a text is in, or states, is told here, too.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Sequence
from functools import cache, lru_cache
from html import unescape
from unicodedata import category

#: A title has at most so many characters; on 60 real sites the longest has 151. What is beyond is cut: a
#: title is compared with the text of each place of its page.
LONGEST_TITLE = 1_000

#: Characters that nobody sees: soft hyphens, spaces without a width, signs of formulas that are not written.
#: Those that join letters or keep them apart (U+200C, U+200D) are none of them: they change how a word looks.
UNSEEN = "\xad\u200b\u2060\u2061\u2062\u2063\u2064\ufeff"

#: A list of texts as programs write one, and what is between two of them.
_LIST, _IN_LIST = re.compile(r"""\[\s*["'](.+)["']\s*\]"""), re.compile(r"""["']\s*,\s*["']""")
#: A tag in a line of inline HTML.
TAG = re.compile(r"<[^<>]*>")

_INSIGNIFICANT = re.compile(r"[\W_]+")
_INSIGNIFICANT_ASCII = bytes(code for code in range(1, 128) if not chr(code).isalnum())
_ASCII = re.compile(r"[\x00-\x7f]+")
_NO_WORD = re.compile(r"\W+")
_ASCII_SPACE = re.compile(r"[ \t\n\r\f\v]+")
_DIGITS = re.compile(r"\d+")
_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_RUN_OF_ZEROS = re.compile(rb"00+")
_ASCII_BYTES = bytes(range(128))
_LETTER, _WORD = re.compile(r"[^\W\d_]"), re.compile(r"[^\W_]+")
_PUNCTUATION = {"'": "‘’‚‛´`", '"': "“”„‟«»", "-": "‐‑‒–—―−", "...": "…"}
_PLAIN_SIGNS = str.maketrans({sign: plain for plain, signs in _PUNCTUATION.items() for sign in signs})
_ANY_PUNCTUATION = re.compile(f"[{''.join(_PUNCTUATION.values())}]")
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z]{1,31}\d{0,2});")
_ESCAPED = re.compile(r"<(i|em|b|strong|sub|sup|span)\b[^<>]*>([^<>]*)</\1>", re.IGNORECASE)
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
    sizes = [len(kept) for kept in ascii_only.split(b"\0")]
    for index, text in enumerate(texts):
        if not text.isascii():
            sizes[index] += weight(_ASCII.sub("", text))
    return sizes


def word_weights(texts: Sequence[str]) -> list[int]:
    """Return the number of significant characters of each text, counted as in 2009: underscores count too."""
    return [len(_NO_WORD.sub("", text)) for text in texts]


def fold(text: str) -> str:
    """Return the text with single spaces for white space, none at the ends, and without what nobody sees.

    >>> fold("  the har\\xadbour \\u200b\\n wall ")
    'the harbour wall'
    """
    if text.isprintable() and "  " not in text:  # then it has no other white space, and nothing unseen
        return text.strip(" ")
    return " ".join(seen(text).split())


def seen(text: str) -> str:
    """Return a text without the characters that nobody sees."""
    if not text.isascii():
        for char in UNSEEN:  # in most texts there is none, and a search for one character is the fastest
            text = text.replace(char, "")
    return text


def fold_title(text: str) -> str:
    """Return the text of a ``title`` folded, and cut if it is too long for a title.

    Many templates escape it twice, or escape what is an element in the heading.

    >>> fold_title("Tom &amp; Ann&#8217;s <em>Bee</em>, a > b")
    'Tom & Ann’s Bee, a > b'
    """
    if "&" in text:
        text = _REFERENCE.sub(lambda reference: unescape(reference[0]), text)
    if "</" in text:
        text = _ESCAPED.sub(r"\2", text)
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
    return text if text.isascii() or not _ANY_PUNCTUATION.search(text) else text.translate(_PLAIN_SIGNS)


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
        text if text == key or not _LETTER.search(text) else key
        for text, key in zip(plain, folded, strict=True)
    ]


#: Longer texts are hardly ever on several pages, and take the most memory.
_LONGEST_KNOWN = 100


class BoilerplateKeys(dict[str, str]):
    """The :func:`boilerplate_key` of each short text so far: most texts of a page are on others, too."""

    def of(self, texts: Sequence[str]) -> list[str]:
        """Return the key of each text."""
        new = [text for text in texts if text not in self]
        keys = dict(zip(new, boilerplate_keys(new), strict=True)) if new else {}
        self.update([(text, key) for text, key in keys.items() if len(text) <= _LONGEST_KNOWN])
        return [keys.get(text) or self[text] for text in texts]


def _fold_digits(text: str) -> str:
    """Return the text with each run of digits as one zero, in a fraction of the time of a search."""
    data = text.encode("utf-8", "surrogatepass")
    others = "" if text.isascii() else data.translate(None, _ASCII_BYTES).decode("utf-8", "surrogatepass")
    if _DIGITS.search(others):
        return _DIGITS.sub("0", text)
    # a search for two given characters is ten times faster than one for a class of characters
    return _RUN_OF_ZEROS.sub(b"0", data.translate(_ZEROS)).decode("utf-8", "surrogatepass")


#: What hardly a text in English has none of.
_ENGLISH = " the ", " and ", " of ", " to "
#: The language of a text is known if it has so many bytes.
_ENOUGH_TEXT = 100
#: An unexpected language must be so much likelier than all expected ones: e to this power. Dialects are not.
_SURELY_OTHER = 50
#: A language is clear if it is so much likelier than the next one, for each character.
_CLEAR_MARGIN = 0.05


@cache
def can_tell_languages() -> bool:
    """Return whether the extra ``language`` is installed, and works."""
    try:
        import py3langid  # noqa: F401 - only to see whether it is there
    except ImportError:
        return False
    return True


def has_language(text: str) -> bool:
    """Return whether a text is long enough to tell its language: a sentence, in any script."""
    return len(text.encode("utf-8", "replace")) >= _ENOUGH_TEXT


def may_be_in(text: str, language: str) -> bool:
    """Return whether a text may be in the language that its page states: many templates state English.

    >>> may_be_in("Die Fähre liegt im Hafen.", "en"), may_be_in("La nave è in porto.", "it")
    (False, True)
    """
    return bool(language) and (language != "en" or any(map(text.__contains__, _ENGLISH)))


def language_in(text: str, among: Sequence[str] = ()) -> str:
    """Return the language of a text as a code of ISO 639; empty: none is clear. Needs the extra ``language``.

    :param text: some hundred characters are enough; a shorter one than a sentence is in none.
    :param among: the languages that are expected; empty: any. Another one is returned only if it is much
        likelier.

    Cost: a millisecond and a half; the first call loads the library's model.
    """
    if not (has_language(text) and can_tell_languages()):
        return ""
    from py3langid import rank  # an extra

    logging.getLogger("py3langid").setLevel(logging.WARNING)  # it logs that it begins
    ranked = rank(text)
    likely = [pair for pair in ranked if pair[0] in among and ranked[0][1] - pair[1] < _SURELY_OTHER]
    (best, most), (_, next_best) = [*likely, (None, -math.inf)][:2] if likely else ranked[:2]
    return str(best) if most - next_best >= _CLEAR_MARGIN * len(text) else ""


#: A language tag; behind it may stand another one, an encoding, or an end that is missing.
_LANGUAGE_TAG = re.compile(
    r"\s*([a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?)(?=-?\s*$|[,;.])", re.IGNORECASE
)


@lru_cache(maxsize=1 << 10)
def language_tag(text: str) -> str:
    """Return the first language tag of a text in its usual writing, as BCP 47 has it; empty: it has none.

    >>> [language_tag(text) for text in ("PT_br", "zh-hant-tw", "de, en", "en_US.UTF-8", "Low German")]
    ['pt-BR', 'zh-Hant-TW', 'de', 'en-US', '']
    """
    match = _LANGUAGE_TAG.match(text.replace("_", "-"))
    if match is None:
        return ""
    first, *others = match[1].split("-")
    return "-".join(
        [first.lower(), *(part.title() if len(part) == len("Hant") else part.upper() for part in others)]
    )


@lru_cache(maxsize=1 << 8)  # the pages of a site have few authors
def words_of(text: str) -> str:
    """Return the words of a name in lower case, without signs."""
    return " ".join(_WORD.findall(text.casefold()))


def ends_in_word(text: str) -> bool:
    """Return whether a text ends in a letter, a digit, or a sign that belongs to a letter: it is no sentence.

    >>> ends_in_word("Harbour news"), ends_in_word("สมชาย ใจดี"), ends_in_word("The boat came.")
    (True, True, False)
    """
    last = text[-1:]
    return last.isalnum() or category(last or " ").startswith("M")


def letters(text: str) -> str:
    """Return the letters and digits of a name in lower case."""
    return words_of(text).replace(" ", "")


def name_letters(name: str) -> str:
    """Return the letters and digits of a site's name without an article of English before them."""
    return letters(name).removeprefix("the")


def divided_as_list(text: str) -> str:
    """Return the texts of a list as programs write one, divided by semicolons; any other text as it is.

    >>> divided_as_list("['Ann Lee', 'Bob Roe']")
    'Ann Lee; Bob Roe'
    """
    listed = _LIST.fullmatch(text)
    return _IN_LIST.sub("; ", listed[1]) if listed else text
