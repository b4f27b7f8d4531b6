"""Similarity of texts and sequences; knows nothing of HTML or pages.

RapidFuzz computes longest common subsequences of strings exactly, in
bit-parallel time O(len(a) * len(b) / 64). What is no string here, words and
features, is interned to code points first: equal items get the same one,
different items different ones, whatever the hash seed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from rapidfuzz.distance import LCSseq

__all__ = [
    "HUGE_TEXT",
    "LONG_TEXT",
    "OPENING",
    "Openings",
    "Words",
    "common_length",
    "common_sequence",
    "common_words",
    "dice",
]

#: Characters from which texts are compared by words.
LONG_TEXT = 200

#: Characters from which the order of the words is skipped: comparing costs their product.
HUGE_TEXT = 50_000

#: Characters of a text that an estimate looks at.
OPENING = 500

# Ideographs, and letters of other scripts that are written without spaces, are words of their own.
_UNSPACED = "぀-ヿ㐀-䶿一-鿿豈-﫿가-힯฀-๿"
_WORD = re.compile(rf"(?:(?![{_UNSPACED}])\w)+|[{_UNSPACED}]")
_PIECE = re.compile(rf"(?:(?![{_UNSPACED}])[^\W_])+|[{_UNSPACED}]|(?:(?![{_UNSPACED}])[\W_])+")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_SPACED_PIECE = re.compile(r"[^\W_]+|[\W_]+")  # the same for other scripts, and three times as fast

T = TypeVar("T")


class Words:
    """A text as its words in lower case, without what stands between them; as long as these are.

    >>> len(Words("Über 3 Tage, am Meer"))
    15
    """

    __slots__ = ("letters", "words")

    def __init__(self, text: str) -> None:
        #: The words, an ideograph each for itself.
        self.words: tuple[str, ...] = tuple(_WORD.findall(text.lower()))
        #: The words without a gap between them: the significant characters.
        self.letters = "".join(self.words)

    def __len__(self) -> int:
        return len(self.letters)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words) and self.letters == other.letters

    def __hash__(self) -> int:
        return hash(self.letters)


def common_length(a: str, b: str) -> int:
    """Return the length of the longest common subsequence of two texts, in characters.

    Of characters where either text is shorter than 200; of words and of what
    stands between them, each counted with its length, above: long texts share
    most letters by chance. From 50,000 characters on the order of the words is
    skipped, and the length is an upper bound. Symmetric, 0 to the shorter length, and
    ``common_length(a, a) == len(a)``.

    Cost: len(a) * len(b) / 64 steps, linear where one text has 50,000.
    """
    if a == b:
        return len(a)
    if min(len(a), len(b)) < LONG_TEXT:
        return LCSseq.similarity(a, b)
    return _common_weight(_PIECE.findall(a), _PIECE.findall(b))


def common_words(a: Words, b: Words) -> int:
    """Return the same as :func:`common_length` in significant characters, of letters or of whole words."""
    if a == b:
        return len(a)
    if min(len(a), len(b)) < LONG_TEXT:
        return LCSseq.similarity(a.letters, b.letters)
    return _common_weight(a.words, b.words)


class Openings:
    """Texts of which many pairs are compared, by their first 500 characters.

    Each text is divided into words once, not once a pair.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._codes = _Codes()
        self._coded: dict[int, str] = {}

    def common_length(self, i: int, j: int) -> float:
        """Return an estimate of :func:`common_length` for two of the texts.

        It is exact where neither is longer than 500 characters. Of longer ones the share of the
        shorter text that is found in the other's opening counts for all of it. Symmetric, 0 to the shorter
        length. Cost: at most 4,000 steps.
        """
        a, b = self._texts[i], self._texts[j]
        shorter = min(len(a), len(b))
        if a == b:
            return shorter
        if shorter < LONG_TEXT:
            return LCSseq.similarity(a[:OPENING], b[:OPENING])
        return LCSseq.similarity(self._code(i), self._code(j)) * max(1.0, shorter / OPENING)

    def _code(self, number: int) -> str:
        """Return a text's opening with each piece of n characters as n times its code point."""
        code = self._coded.get(number)
        if code is None:
            opening = self._texts[number][:OPENING]
            pieces = (_PIECE if _IS_UNSPACED.search(opening) else _SPACED_PIECE).findall(opening)
            code = self._coded[number] = "".join(map(self._codes.__getitem__, pieces))
        return code


class _Codes(dict[str, str]):
    """For a word of n letters n times a code point of its own."""

    def __missing__(self, word: str) -> str:
        code = self[word] = _code_point(len(self)) * len(word)
        return code


def dice(a: Words, b: Words) -> float:
    """Return the share of two texts that they have in common, 0 to 1; two empty texts are alike."""
    total = len(a) + len(b)
    return 2 * common_words(a, b) / total if total else 1.0


def common_sequence(a: Sequence[T], b: Sequence[T]) -> list[T]:
    """Return a longest common subsequence of two sequences of hashable items, the same in every run.

    Cost: len(a) * len(b) / 64 steps, and as many bits of memory. At most a
    million different items.
    """
    codes: dict[T, str] = {}
    found: list[T] = []
    for block in LCSseq.opcodes(_encode(a, codes), _encode(b, codes)):
        if block.tag == "equal":
            found.extend(a[block.src_start : block.src_end])
    return found


def _common_weight(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the largest sum of lengths that a common subsequence of two sequences of words has.

    A word of n letters is written as n times its code point. That is exact: an
    alignment may split a word between several equal ones, but joining it again
    loses nothing, since equal words are equally long and alignments do not cross.
    """
    if max(sum(map(len, a)), sum(map(len, b))) >= HUGE_TEXT:
        return sum(len(word) * count for word, count in (Counter(a) & Counter(b)).items())
    codes: dict[str, str] = {}
    return LCSseq.similarity(*("".join(_repeated(words, codes)) for words in (a, b)))


def _repeated(words: Sequence[str], codes: dict[str, str]) -> Iterable[str]:
    return (code * len(word) for code, word in zip(_encode(words, codes), words, strict=True))


def _encode(items: Sequence[T], codes: dict[T, str]) -> str:
    """Return a sequence as a string, a code point an item, and note the new ones in ``codes``."""
    for item in items:
        if item not in codes:
            codes[item] = _code_point(len(codes))
    return "".join([codes[item] for item in items])


def _code_point(number: int) -> str:
    return chr(number if number < 0xD800 else number + 0x800)  # surrogates are no characters
