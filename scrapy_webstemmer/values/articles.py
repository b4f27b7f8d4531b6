"""The article of a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class ArticleSection(NamedTuple):
    """A part of an article.

    :param kind: ``title``, ``main``, ``sub`` (supplementary), or ``comment`` (a reader's comment, with the
        line that has its date).
    :param number: index of its section in the pattern; None for path layouts.
    """

    kind: str
    text: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Article:
    """Title and main text of a page.

    :param url: the page's url.
    :param title: one line; empty if the page shows none.
    :param text: the main text: each paragraph, heading, list item or line of code is one line.
    :param html: the main text as cleaned HTML.
    :param sections: the parts in the order of the page, each with its kind.
    :param pattern: name of the pattern that matched; empty if none did; ``segments`` without a learning
        phase, once enough pages of the site have been seen.
    :param confidence: the probability that the article is right, 0 to 1, calibrated on real sites. None
        without calibration: for layouts of 2009, and for articles without a learning phase.
    :param date: the day of publication, ``YYYY-MM-DD``; None if the page states none, or it was not asked
        for.
    :param markdown: the title as a heading and the main text as Markdown; None if it was not asked for.
    """

    url: str
    title: str
    text: str
    html: str
    sections: tuple[ArticleSection, ...]
    pattern: str
    confidence: float | None = None
    date: str | None = None
    markdown: str | None = None
