"""Compare what two pattern files give, and say it in lines."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..base.terminal import clip, printable
from ..errors import PageError, plural, visible
from .inputs import note
from .saved_pages import with_stated_url

if TYPE_CHECKING:
    from ..monitoring.changes import Difference, SiteChanges
    from ..options import ExtractOptions
    from ..pattern_files.pattern_file import PatternSet
    from ..values import Page

logger = logging.getLogger(__name__)

#: So many pages are shown, of each so many lines of text; a line has at most so many columns.
_PAGES_SHOWN, _LINES_SHOWN, _LINE = 20, 2, 100

#: For each kind of difference, what is said of the pages concerned.
_WORDS = {
    "lost": "lost their article",
    "text": "got another text",
    "title": "got another title",
    "gained": "got an article",
}


class _Both(NamedTuple):
    """What a page gives before and after: whether there is an article, and how they differ."""

    articles: tuple[bool, bool] = (False, False)
    difference: Difference | None = None
    problem: str = ""


@dataclass(frozen=True)
class _Compare:
    """Extract a page with both pattern files. Other processes get this object."""

    before: PatternSet
    after: PatternSet
    options: ExtractOptions

    def __call__(self, page: Page) -> _Both:
        from ..api import extract
        from ..monitoring.changes import difference

        try:
            articles = [extract(page, one, self.options) for one in (self.before, self.after)]
            given = articles[0] is not None, articles[1] is not None
            return _Both(given, difference(page.url, *articles))
        except PageError as error:
            return _Both(problem=str(error))
        except Exception as error:  # an error of ours on one page must not cost all others
            logger.exception("not read: %s", visible(page.url))
            return _Both(problem=f"{page.url}: {type(error).__name__}: {error}")


def compared(
    pages: Iterable[Page],
    before: PatternSet,
    after: PatternSet,
    options: ExtractOptions,
    workers: int = 1,
) -> dict[str, SiteChanges]:
    """Return what changes on each site. Pages that cannot be read are named and left out."""
    from ..base.urls import site_of
    from ..base.work import Workers
    from ..monitoring.changes import SiteChanges

    found: dict[str, SiteChanges] = defaultdict(SiteChanges)

    def take(url: str, both: _Both) -> None:
        if both.problem:
            note(f"not read: {both.problem}")
            return
        known = after.site_of(url) or before.site_of(url)
        site = found[known.site if known else site_of(url)]
        site.pages += 1
        site.articles = [count + given for count, given in zip(site.articles, both.articles, strict=True)]
        if both.difference:
            site.differences.append(both.difference)

    pool: Workers[str, Page, _Both] = Workers(_Compare(before, after, options), workers)
    with pool:
        for one in pages:
            page = with_stated_url(with_stated_url(one, after, options), before, options)
            for url, both in pool.add(page.url, page, len(page.body)):
                take(url, both)
        for url, both in pool.rest():
            take(url, both)
    return dict(found)


def report(found: dict[str, SiteChanges], width: int, *, every: bool) -> Iterator[str]:
    """Yield the lines that say what changes: the sites, then the pages, those that change most first.

    :param every: show all pages, and not the first ones alone.
    """
    from ..monitoring.changes import KINDS

    for name, site in sorted(found.items(), key=lambda item: (-len(item[1].differences), item[0])):
        counts = site.count()
        changes = ", ".join(f"{counts[kind]:,} {_WORDS[kind]}" for kind in KINDS if counts[kind])
        articles = f"{site.articles[0]:,} articles before, {site.articles[1]:,} after"
        begin = f"{printable(name) or '(no site)'}: {plural(site.pages, 'page')}, {articles}"
        yield clip(f"{begin}: {changes or 'no change'}", width)
    differences = [one for site in found.values() for one in site.differences]
    differences.sort(key=lambda one: one.rank)
    shown = differences if every else differences[:_PAGES_SHOWN]
    for one in shown:
        yield ""
        yield from _page_lines(one, width)
    if len(shown) < len(differences):
        yield ""
        yield f"and {plural(len(differences) - len(shown), 'page')} more (--debug shows all)"


def _page_lines(one: Difference, width: int) -> Iterator[str]:
    """Yield the lines of a page: its url, what changes, titles, and lines of text that go and come."""
    share = f", {one.share:.0%} of it" if one.kind == "text" else ""
    yield printable(one.url)
    yield clip(f"  {_WORDS[one.kind]}{share} ({plural(one.length, 'character')})", width)
    for sign, title, other, lines in (("-", *one.titles, one.gone), ("+", *one.titles[::-1], one.new)):
        if title != other:
            yield clip(f"  {sign} title: {printable(title)}", min(width, _LINE))
        texts = [printable(line) for line in lines]
        yield from (clip(f"  {sign} {text}", min(width, _LINE)) for text in texts[:_LINES_SHOWN])
        if len(texts) > _LINES_SHOWN:
            yield f"  {sign} ..."
