"""Make the tables of `scrapy drift`: what a site's pages give now, beside what they usually give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .terminal import plural, printable

if TYPE_CHECKING:
    from ...monitoring.drift import Drift
    from ...monitoring.tally import Tally
    from ...values.patterns import Usual

__all__ = ["drift_lines", "why_not"]

#: What to do about a change.
_ADVICE = "look at the example, and learn the site's layouts again from new pages, with scrapy analyze"
#: Index of the median among the quantiles.
_MEDIAN = 2


def why_not(usual: Usual | None, tally: Tally) -> str:
    """Return why a site cannot be compared; empty if it can."""
    from ...monitoring.drift import LEAST_PAGES

    if usual is None:
        return (
            "the pattern file does not say what its pages usually give: it has other layouts than paths, or"
            " was learned by an earlier version; learn again with scrapy analyze"
        )
    if tally.judged < LEAST_PAGES:
        return f"{plural(tally.judged, 'page')} of it are too few to tell a change: {LEAST_PAGES} are needed"
    return ""


def drift_lines(name: str, usual: Usual, tally: Tally, drift: Drift | None) -> Iterator[str]:
    """Yield the lines of a site's table. A star marks what has changed; a sentence says how, and what to do.

    :param name: the site.
    :param drift: the changes; None: there are none.
    """
    now = tally.usual(tally.judged)
    changed = {change.key for change in drift.changes} if drift else set()
    yield f"{printable(name) or '(no site)'}: {'has changed' if drift else 'no change'}"
    yield f"  {'':<28}{'now':>16}{'usually':>16}"
    for key, label, cells in _rows(now, usual):
        mark = "*" if key in changed else " "
        yield f"{mark} {label:<28}{cells[0]:>16}{cells[1]:>16}"
    if drift:
        yield f"  {printable(drift.sentence())}"
        yield f"  {_ADVICE}"


def _rows(now: Usual, usual: Usual) -> Iterator[tuple[str, str, tuple[str, str]]]:
    """Yield what is compared, its label, and its cells: now, and usually."""
    both = (now, usual)

    def row(key: str, label: str, cells: list[str]) -> tuple[str, str, tuple[str, str]]:
        return key, label, (cells[0], cells[1])

    yield row("", "pages", [f"{one.judged:,}" for one in both])
    yield row("layout", "fit a layout", [_share(one.fitting, one.judged) for one in both])
    yield row("articles", "give an expected article", [_share(one.given, one.expected) for one in both])
    yield row("", "articles", [_share(one.articles, one.judged) for one in both])
    yield row("title", "with title", [_share(one.titled, one.articles) for one in both])
    if now.dated is not None:
        cells = ["-" if one.dated is None else _share(one.dated, one.articles) for one in both]
        yield row("date", "with date", cells)
    yield row("length", "median length", [_median(one.lengths, ",.0f") for one in both])
    yield row("confidence", "median confidence", [_median(one.confidences, ".2f") for one in both])


def _share(number: int, total: int) -> str:
    return f"{number:,} {number / total:>6.0%}" if total else f"{number:,} {'-':>6}"


def _median(values: tuple[float, ...], form: str) -> str:
    return format(values[_MEDIAN], form) if values else "-"
