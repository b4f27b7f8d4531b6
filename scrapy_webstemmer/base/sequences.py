"""Measure the similarity of texts and sequences; this module knows nothing of HTML or pages.

RapidFuzz computes longest common subsequences of strings exactly, in
bit-parallel time O(len(a) * len(b) / 64). Words and features are first encoded
as code points: equal items get the same one, different items get different
ones. The hash seed has no influence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from typing import TypeVar

from rapidfuzz.distance import LCSseq

#: From this many characters on, texts are compared by words.
LONG_TEXT = 200

#: From this many characters on, the order of the words is ignored: the cost is the product of both lengths.
HUGE_TEXT = 50_000

# Each ideograph is a word, and so is each letter of other scripts that are written without spaces.
_UNSPACED = "぀-ヿ㐀-䶿一-鿿豈-﫿가-힯฀-๿"
_WORD = rf"(?:(?![{_UNSPACED}])\w)+|[{_UNSPACED}]"

T = TypeVar("T")

#: Compiled when it is used: that takes some milliseconds, and to extract articles does not need it.
_word = lru_cache(partial(re.compile, _WORD))


class Words:
    """The words of a text in lower case, without the characters between them.

    The length is the sum of the words' lengths.

    :param codes: the code points of words so far. Several texts that are compared in pairs share them, so
        that each is encoded once.

    >>> len(Words("Über 3 Tage, am Meer"))
    15
    """

    __slots__ = ("_coded", "codes", "letters", "words")

    def __init__(self, text: str, codes: dict[str, str] | None = None) -> None:
        #: The words; each ideograph is a word.
        self.words: tuple[str, ...] = tuple(_word().findall(text.lower()))
        #: The words joined without a gap: the significant characters, and underscores.
        self.letters = "".join(self.words)
        self.codes = {} if codes is None else codes
        self._coded = ""

    @property
    def coded(self) -> str:
        """The words in code points, as :func:`_common_weight` compares them."""
        if not self._coded:
            self._coded = "".join(_repeated(self.words, self.codes))
        return self._coded

    def __len__(self) -> int:
        return len(self.letters)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Words) and self.letters == other.letters

    def __hash__(self) -> int:
        return hash(self.letters)


def common_words(a: Words, b: Words) -> int:
    """Return the length of the longest common subsequence of two texts, in characters of their words.

    If either text is shorter than 200 characters, it is a subsequence of characters.
    Otherwise it is one of words, each counted with its length: long texts share most
    letters by chance. If a text has 50,000 characters or more, the order of the words
    is ignored, and the length is an upper bound. Symmetric, from 0 to the shorter
    length, and ``common_words(a, a) == len(a)``.

    Cost: len(a) * len(b) / 64 steps; linear if one text has 50,000 characters.
    """
    if a == b:
        return len(a)
    if min(len(a), len(b)) < LONG_TEXT:
        return LCSseq.similarity(a.letters, b.letters)
    if a.codes is b.codes and max(len(a), len(b)) < HUGE_TEXT:
        return LCSseq.similarity(a.coded, b.coded)
    return _common_weight(a.words, b.words)


def dice(a: Words, b: Words) -> float:
    """Return the share of two texts that both have in common, from 0 to 1; 1 for two empty texts."""
    total = len(a) + len(b)
    return 2 * common_words(a, b) / total if total else 1.0


def common_sequence(a: Sequence[T], b: Sequence[T]) -> list[T]:
    """Return a longest common subsequence of two sequences of hashable items; the same one in every run.

    The sequences may have a million different items at most.

    Cost: len(a) * len(b) / 64 steps, and as many bits of memory.
    """
    codes: dict[T, str] = {}
    common: list[T] = []
    for block in LCSseq.opcodes(_encode(a, codes), _encode(b, codes)):
        if block.tag == "equal":
            common.extend(a[block.src_start : block.src_end])
    return common


def _common_weight(a: Sequence[str], b: Sequence[str]) -> int:
    """Return the length in characters of the heaviest common subsequence of two sequences of words.

    A word of n letters is written as n times its code point. That is exact: an
    alignment may split a word between several equal ones, but joining it again
    loses nothing. Equal words are equally long, and alignments do not cross.
    """
    if max(sum(map(len, a)), sum(map(len, b))) >= HUGE_TEXT:
        return sum(len(word) * count for word, count in (Counter(a) & Counter(b)).items())
    codes: dict[str, str] = {}
    return LCSseq.similarity(*("".join(_repeated(words, codes)) for words in (a, b)))


def _repeated(words: Sequence[str], codes: dict[str, str]) -> Iterable[str]:
    return (code * len(word) for code, word in zip(_encode(words, codes), words, strict=True))


def _encode(items: Sequence[T], codes: dict[T, str]) -> str:
    """Return a sequence as a string with one code point per item; add new items to ``codes``."""
    for item in items:
        if item not in codes:
            number = len(codes)
            codes[item] = chr(number if number < 0xD800 else number + 0x800)  # surrogates are not characters
    return "".join([codes[item] for item in items])
