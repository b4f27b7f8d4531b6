"""The text of elements: its white space, its weight, its lines, the time that it states.

Fold and weigh the texts of blocks, and give the key by which two texts are the same boilerplate.

Recognise paragraphs that an author wrote as ``div`` elements: many editors have no other ones.

What a ``p`` means for the layout, such a ``div`` means as well: it holds one thing that an author wrote, and
says nothing about the template.

Read a time in ISO 8601.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from email.utils import parsedate_to_datetime

from ..values import Block, Step

# --- Fold and weigh the texts of blocks, and give the key by which two texts are the same boilerplate

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
    """Return the text with each run of white space as one space, and none at the ends."""
    return " ".join(text.split())


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
    return text if text.isascii() else text.translate(_PLAIN)


def fold_lines(text: str) -> str:
    """Return preformatted text with its lines and indentation, but no white space at the lines' ends."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").split("\n")]
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


_DIV, _P = Step("div", "", ()), Step("p", "", ())


# --- Recognise paragraphs that an author wrote as ``div`` elements: many editors have no other ones


def name_paragraphs(steps: list[Step], parents: Sequence[int], blocks: Sequence[Block]) -> None:
    """Make the step of each ``div`` that is a paragraph that of a ``p``.

    It is one if it has text but no block-level element in it, no id, no classes and no name, and if a sibling
    is of the same kind: a ``div`` alone may be what holds the text on other pages.

    :param steps: the steps of a page's nodes. They are changed.

    Cost: a look at each block.
    """
    end = len(parents)
    bare = {
        node
        for node in [block.node for block in blocks]
        if steps[node] == _DIV and (node + 1 == end or parents[node + 1] != node)
    }
    siblings = Counter([parents[node] for node in bare])
    for node in bare:
        if siblings[parents[node]] > 1:
            steps[node] = _P


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
