"""While many values are made, the garbage collector looks less often."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from news_pages import articles

from scrapy_webstemmer import Page, learn
from scrapy_webstemmer.base.collector import COLLECT_AFTER, rarely_collected, skip_old_objects


@pytest.mark.parametrize(
    ("before", "inside"), [(700, COLLECT_AFTER), (COLLECT_AFTER + 1, COLLECT_AFTER + 1), (0, 0)]
)
def test_the_threshold_is_raised_for_a_while(before: int, inside: int) -> None:
    """The threshold is higher inside, unless it was so, or the collector was off; then it is as before."""
    usual = gc.get_threshold()
    gc.set_threshold(before)
    try:
        with rarely_collected():
            assert gc.get_threshold()[0] == inside
        assert gc.get_threshold()[0] == before
    finally:
        gc.set_threshold(*usual)


def test_learning_raises_it() -> None:
    """While a site is learned, the threshold is higher."""
    seen = []

    def pages() -> Iterator[Page]:
        for page in articles("press.example", 3):
            seen.append(gc.get_threshold()[0])
            yield page

    usual = gc.get_threshold()
    learn(pages())
    assert {*seen} == {max(COLLECT_AFTER, usual[0])}
    assert gc.get_threshold() == usual


class Cycle:
    """An object that only the garbage collector removes."""

    def __init__(self) -> None:
        self.itself = self


@pytest.mark.usefixtures("look_at_all")
@pytest.mark.parametrize("collect", [False, True])
def test_old_objects_are_skipped(collect: bool) -> None:
    """What exists is skipped until the end. Garbage among it stays as long, unless it is collected first."""
    gc.disable()
    try:
        garbage = weakref.ref(Cycle())
        end = skip_old_objects(collect=collect)
        assert gc.get_freeze_count() > 0
        gc.collect()
        assert (garbage() is None) == collect
        end()
        assert gc.get_freeze_count() == 0
        gc.collect()
        assert garbage() is None
    finally:
        gc.enable()


@pytest.mark.usefixtures("look_at_all")
def test_objects_that_are_skipped_already_stay_so() -> None:
    """Where a command, or another crawl, lets old objects be skipped, that goes on."""
    gc.freeze()
    skip_old_objects(collect=True)()
    assert gc.get_freeze_count() > 0
