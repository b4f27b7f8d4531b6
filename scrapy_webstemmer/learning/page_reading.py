"""Read pages for learning: each once, in one process or several.

Reading a page is most of the work of learning. It needs no other page of the site: so it can be done
anywhere, and in any order.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

from ..base.parts import Parts, finish
from ..base.urls import is_absolute, site_of, well_formed
from ..base.workers import Workers
from ..engines import ENGINES
from ..errors import PageError, visible
from ..fields.traces import traces_of
from ..options import LearnOptions
from ..page.anchors import find_anchors
from ..page.limits import check_layout
from ..page.sources import Source, TreeSource, open_page, with_announced
from ..values import Column, Layout, Page

logger = logging.getLogger(__name__)

#: Bound: the targets of so many links are kept, since most links of a page are on others of its site, too.
_MOST_KEYS = 32_000


@dataclass(frozen=True, slots=True)
class Reading:
    """The parts of a page that were read.

    :param layout: its layout, without the time of its fetch; None if the page is unreadable, or if only
        anchors were wanted.
    :param anchors: the links to other pages of its site: the target's key and the text, each pair once.
    :param problem: the reason why the page is unreadable; empty if it is readable.
    """

    layout: Layout | None
    anchors: tuple[tuple[str, str], ...] = ()
    problem: str = ""


class Wanted(NamedTuple):
    """The parts of a page that are read.

    :param options: how.
    :param anchors: whether anchors are wanted.
    :param blocks: whether the layout is wanted.
    :param traces: whether the layout is to say where the page shows the fields of its article.
    """

    options: LearnOptions = LearnOptions()
    anchors: bool = True
    blocks: bool = True
    traces: bool = True


def read_page(page: Page, wanted: Wanted) -> Reading:
    """Return the parts of a page that learning needs. Cost: one parse, one walk, and one more for anchors."""
    return finish(read_in_parts(page, wanted))


def read_in_parts(page: Page, wanted: Wanted) -> Parts[Reading]:
    """Do the work of :func:`read_page` in parts."""
    try:
        return (yield from _read_within(page, wanted))
    except PageError as error:
        return Reading(None, problem=error.reason)
    except Exception as error:  # an error of ours on one page must not lose all other pages
        logger.exception("page skipped: %s", visible(page.url))
        return Reading(None, problem=f"{type(error).__name__}: {error}")


def _read_within(page: Page, wanted: Wanted) -> Parts[Reading]:
    options = wanted.options
    if not is_absolute(page.url):
        raise PageError(page.url, "its url is not a whole one, such as https://example.com/a")
    engine = ENGINES[options.layout]
    if engine.parse:
        root = engine.parse(page, options.encoding, options.limits)
        source: Source = TreeSource(page.url, root, options.limits)
    else:
        source = open_page(page, options.encoding, options.limits)
    yield
    layout: Layout | None = None
    if wanted.blocks and engine.describe:
        layout = engine.describe(page, source, options)
    elif wanted.blocks:
        layout = yield from layout_to_learn(page, source, options, traces=wanted.traces)
    if not wanted.anchors:
        return Reading(layout)
    yield
    site, by = site_of(page.url, options.site), options.site
    anchors = find_anchors(source, page, options.limits).anchors
    pairs = dict.fromkeys([(key, text) for target, text in anchors if (key := _own_key(target, site, by))])
    return Reading(layout, tuple(pairs))


@lru_cache(maxsize=_MOST_KEYS)
def _own_key(target: str, site: str, by: str) -> str:
    """Return the key of a link's target; empty if that is on another site."""
    return target.partition("://")[2] if site_of(target, by) == site else ""


def layout_to_learn(
    page: Page, source: Source, options: LearnOptions, *, traces: bool = False
) -> Parts[Layout]:
    """Return a page's layout without its markup, in parts.

    :param traces: whether it is to say where the page shows the fields of its article.
    :raises LimitError: if the layout is too large.
    """
    layout = with_announced(source.layout(well_formed(page.url)), page)
    yield
    layout = replace(layout, markup=None, announced=None, traces=traces_of(layout) if traces else ())
    check_layout(layout, options.limits)
    return layout


def read_pages(pages: Iterable[tuple[Page, Wanted]], workers: int = 1) -> Iterator[tuple[Page, Reading]]:
    """Yield each page with the result of reading it, in the order of the pages.

    :param pages: each page with its wanted parts.
    :param workers: number of processes that read; 1: this process reads.
    :raises WorkerError: one of the processes has died.
    """
    shared = Shared()
    read_one = partial(_read_task, Shared() if workers > 1 else None)
    tasks = ((page, (replace(page, fetched=None, name=""), wanted), len(page.body)) for page, wanted in pages)
    with Workers[Page, tuple[Page, Wanted], Reading](read_one, workers, together=True) as pool:
        for page, reading in pool.in_turn(tasks):
            yield page, shared.reading(reading)


def _read_task(shared: Shared | None, task: tuple[Page, Wanted]) -> Parts[Reading]:
    """Read a page. Of equal values one is sent, once per batch, if the process of ``shared`` is another."""
    reading = yield from read_in_parts(*task)
    return shared.reading(reading) if shared else reading


class Shared:
    """Replaces equal values by one object: the pages of a site have most blocks and elements in common."""

    #: The most values that are kept: most values come only once, and a crawl may have any number of them.
    most_values, most_columns = 50_000, 10_000

    def __init__(self) -> None:
        self._values: dict[Any, Any] = {}
        #: The elements of pages; and by their hashes the columns of numbers about them.
        self._columns: dict[Any, Any] = {}

    def reading(self, reading: Reading) -> Reading:
        """Return a reading in which equal parts of earlier pages replace the blocks and elements."""
        layout = reading.layout
        if layout is None:
            return reading
        if len(self._values) > self.most_values:
            self._values.clear()
        if len(self._columns) > self.most_columns:
            self._columns.clear()
        layout = replace(
            layout,
            steps=self._columns.setdefault(layout.steps, layout.steps),
            parents=self._column(layout.parents),
            links=self._column(layout.links),
            leads=self._column(layout.leads),
            blocks=tuple(map(self._values.setdefault, layout.blocks, layout.blocks)),
            stated=self._values.setdefault(layout.stated, layout.stated),
        )
        return replace(reading, layout=layout)

    def _column(self, column: Column) -> Column:
        known: Column = self._columns.setdefault(hash(column.tobytes()), column)
        return known if known == column else column
