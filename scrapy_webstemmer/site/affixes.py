"""Learn and remove what a site puts before and after the title in the ``title`` element."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

#: Prefixes and suffixes of ``title`` elements, with the separators between them and the title.
Affixes = tuple[tuple[str, ...], tuple[str, ...]]

#: Bound: so many separators count from each end of a title: each makes a part of it, which is kept. On 60
#: real sites no title has more than 6 of them.
_MOST_BREAKS = 20

_BREAK = re.compile(r"(?<!\s)\s*+[^\w\s'’\"“”()\[\],.!?%&#$+]++\s*+")


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
    breaks = [found for found in _BREAK.finditer(title) if found.start() > 0 and found.end() < len(title)]
    before, after = breaks[:_MOST_BREAKS], breaks[-_MOST_BREAKS:]
    return tuple(title[: one.end()] for one in before), tuple(title[one.start() :] for one in after)


@lru_cache(maxsize=32)  # as for strip_affixes
def ends_of(title: str) -> frozenset[str]:
    """Return the parts with which a title begins or ends, without the separators.

    >>> sorted(ends_of("Net | API | Example"))
    ['API | Example', 'Example', 'Net', 'Net | API']
    """
    breaks = [*_BREAK.finditer(title)]
    ends = {title[: one.start()] for one in breaks[:_MOST_BREAKS]}
    ends |= {title[one.end() :] for one in breaks[-_MOST_BREAKS:]}
    return frozenset(ends - {""})


@lru_cache(maxsize=32)  # several steps of extraction ask for the same title
def strip_affixes(title: str, affixes: Affixes) -> str:
    """Return a title without the longest prefix and suffix of its site; the result is never empty."""
    before, after = affixes
    prefix = max((p for p in before if title.startswith(p)), key=len, default="")
    rest = title[len(prefix) :]
    suffix = max((s for s in after if rest.endswith(s) and len(s) < len(rest)), key=len, default="")
    return rest[: len(rest) - len(suffix)].strip() or title


def _recurring(counts: Counter[str], needed: float) -> tuple[str, ...]:
    return tuple(sorted(affix for affix, count in counts.items() if count >= needed))
