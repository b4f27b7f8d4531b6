"""What a site puts before and after its pages' titles in the ``title`` element."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

__all__ = ["Affixes", "affixes_of", "ends_of", "learn_affixes", "strip_affixes"]

#: Prefixes and suffixes of ``title`` elements, with the separators between them and the title.
Affixes = tuple[tuple[str, ...], tuple[str, ...]]

#: Characters of a title.
MAX_TITLE = 1_000

_BREAK = re.compile(r"\s*[^\w\s'’\"“”()\[\],.!?%&#$+]+\s*")


def learn_affixes(titles: Sequence[str], share: float = 0.05, least: int = 2) -> Affixes:
    """Return the prefixes and suffixes that recur among a site's distinct titles.

    A title is cut only at separators between words (dashes, bars, colons ...), so a
    word that many titles begin with is no prefix.

    A title that is longer than any that a template makes is not looked at: each of its parts would be kept.

    :param share: of the titles that must have it, at ``least`` in any case.

    Cost: linear in the number of separators.
    """
    distinct = sorted({title for title in titles if 0 < len(title) <= MAX_TITLE})
    needed = max(least, share * len(distinct))
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    for title in distinct:
        prefixes, suffixes = affixes_of(title)
        before.update(prefixes)
        after.update(suffixes)
    return _recurring(before, needed), _recurring(after, needed)


def affixes_of(title: str) -> Affixes:
    """Return what a title begins and ends with, at each separator.

    >>> affixes_of("Ferry delayed - Example News")
    (('Ferry delayed - ',), (' - Example News',))
    """
    breaks = [found for found in _BREAK.finditer(title) if found.start() > 0 and found.end() < len(title)]
    return tuple(title[: one.end()] for one in breaks), tuple(title[one.start() :] for one in breaks)


def ends_of(title: str) -> frozenset[str]:
    """Return what a title begins or ends with, up to each separator; nothing of an endless one.

    >>> sorted(ends_of("Net | API | Example"))
    ['API | Example', 'Example', 'Net', 'Net | API']
    """
    breaks = [*_BREAK.finditer(title)] if len(title) <= MAX_TITLE else []
    ends = {title[: one.start()] for one in breaks} | {title[one.end() :] for one in breaks}
    return frozenset(ends - {""})


@lru_cache(maxsize=32)  # the steps of extraction ask for one title after the other
def strip_affixes(title: str, affixes: Affixes) -> str:
    """Return a title without the longest prefix and suffix of its site; never an empty one."""
    before, after = affixes
    prefix = max((p for p in before if title.startswith(p)), key=len, default="")
    rest = title[len(prefix) :]
    suffix = max((s for s in after if rest.endswith(s) and len(s) < len(rest)), key=len, default="")
    return rest[: len(rest) - len(suffix)].strip() or title


def _recurring(counts: Counter[str], needed: float) -> tuple[str, ...]:
    return tuple(sorted(affix for affix, count in counts.items() if count >= needed))
