"""Tell what other patterns change: what each page gives with the ones and with the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from ..base.sequences import Words, dice
from ..values import Article

#: The kinds of a difference, the worst first.
LOST, TEXT, TITLE, GAINED = "lost", "text", "title", "gained"
KINDS = (LOST, TEXT, TITLE, GAINED)
#: Another value of a field, if that is what is asked for.
FIELD = "field"
#: Bound: of the lines that differ so many are kept, and so many characters of each.
_KEPT_LINES, _LONGEST_LINE = 3, 200


class Difference(NamedTuple):
    """What other patterns change about the article of a page.

    :param url: the page.
    :param kind: the article is ``lost`` or ``gained``, or has another ``text``, ``title`` or ``field``.
    :param share: how much of the text is not the same, 0 to 1; 1 if one of them is missing.
    :param length: number of characters of the longer text.
    :param titles: the title before and after; empty: there is none, or no article.
    :param gone: the first lines, cut, that the text no longer has.
    :param new: the first lines that it did not have before.
    """

    url: str
    kind: str
    share: float
    length: int
    titles: tuple[str, str]
    gone: tuple[str, ...]
    new: tuple[str, ...]

    @property
    def rank(self) -> tuple[int, float, int, str]:
        """The key that sorts differences: the worst kind first, then those that concern most of a text."""
        return (*KINDS, FIELD).index(self.kind), -self.share, -self.length, self.url


class SiteChanges:
    """What changes on the pages of a site.

    :ivar pages: number of pages that were read.
    :ivar articles: number of articles before, and after.
    :ivar differences: of the pages whose articles are not the same.
    """

    def __init__(self) -> None:
        self.pages = 0
        self.articles = [0, 0]
        self.differences: list[Difference] = []

    def count(self) -> Counter[str]:
        """Return the number of pages with each kind of difference."""
        return Counter(difference.kind for difference in self.differences)


def difference(url: str, before: Article | None, after: Article | None) -> Difference | None:
    """Return how the articles of a page differ that two pattern files give; None: they are the same.

    HTML, fields and confidence do not count.

    Cost: that of a longest common subsequence of both texts; linear from 50,000 characters on.
    """
    texts = [article.text if article else "" for article in (before, after)]
    titles = [article.title if article else "" for article in (before, after)]
    if before is None or after is None:
        kind = GAINED if after else LOST
        if after is before:
            return None
    elif texts[0] != texts[1]:
        kind = TEXT
    elif titles[0] != titles[1]:
        kind = TITLE
    else:
        return None
    share = 1.0 if kind in (LOST, GAINED) else 1 - dice(*map(Words, texts))
    lines = [Counter(filter(None, text.split("\n"))) for text in texts]
    gone, new = _first_lines(lines[0] - lines[1]), _first_lines(lines[1] - lines[0])
    return Difference(url, kind, share, max(map(len, texts)), (titles[0], titles[1]), gone, new)


def field_difference(url: str, before: Article, after: Article, field: str) -> Difference | None:
    """Return how a field of the articles of a page differs; None: it is the same.

    :param field: ``authors``, ``tags`` or ``date_published``.
    """
    values = [_field_of(article, field) for article in (before, after)]
    if values[0] == values[1]:
        return None
    gone, new = (tuple(filter(None, [value])) for value in values)
    return Difference(url, FIELD, 0.0, len(after.text), (before.title, after.title), gone, new)


def _field_of(article: Article, field: str) -> str:
    value = getattr(article, field)
    values = value if isinstance(value, tuple) else (value or "",)
    return ", ".join(str(getattr(person, "name", person)) for person in values)


def _first_lines(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(line[:_LONGEST_LINE] for line in islice(lines, _KEPT_LINES))
