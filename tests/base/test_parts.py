"""Work in parts is done, its result and its errors come out, and the garbage collector seldom looks."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from news_pages import articles

from scrapy_webstemmer import Page, learn
from scrapy_webstemmer.base.parts import (
    COLLECT_AFTER,
    Parts,
    do_parts,
    finish,
    finish_together,
    rarely_collected,
    skip_old_objects,
)


def work(done: list[int], error: Exception | None = None) -> Parts[str]:
    """Do two parts."""
    done.append(1)
    yield
    done.append(2)
    if error:
        raise error
    return "result"


def test_all_parts_are_done() -> None:
    """``finish`` does all parts in turn and returns the generator's result."""
    done: list[int] = []
    assert finish(work(done)) == "result"
    assert done == [1, 2]


def test_parts_are_done_until_the_time_is_over() -> None:
    """At least one part is done; the rest waits for the next call, which ends with the result."""
    done: list[int] = []
    parts = work(done)
    do_parts(parts, 0.0)
    assert done == [1]
    with pytest.raises(StopIteration) as ended:
        do_parts(parts, 60.0)
    assert (done, ended.value.value) == ([1, 2], "result")


@pytest.mark.parametrize("is_on", [True, False])
def test_the_garbage_collector_waits_for_all_parts(is_on: bool) -> None:
    """It is off while parts are done and between them; then it is as it was before."""
    seen: list[bool] = []

    def looking() -> Parts[None]:
        for _ in range(3):
            seen.append(gc.isenabled())
            yield

    (gc.enable if is_on else gc.disable)()
    try:
        finish(looking())
        assert (seen, gc.isenabled()) == ([False] * 3, is_on)
    finally:
        gc.enable()


def test_errors_come_out() -> None:
    """An error in one part is raised by ``finish``."""
    with pytest.raises(ValueError, match="wrong"):
        finish(work([], ValueError("wrong")))


def test_several_works_go_on_in_turn() -> None:
    """A part of each is done before the next part of any; results come in the order of the works."""
    done: list[tuple[str, int]] = []

    def named(name: str, parts: int) -> Parts[str]:
        for part in range(parts):
            done.append((name, part))
            yield
        return name

    assert finish_together([named("a", 1), named("b", 3), named("c", 0), named("d", 2)]) == [*"abcd"]
    assert done == [("a", 0), ("b", 0), ("d", 0), ("b", 1), ("d", 1), ("b", 2)]
    assert finish_together([]) == []


def test_an_error_of_one_work_ends_all() -> None:
    """It comes out, and the garbage collector is as before."""
    done: list[int] = []
    with pytest.raises(ValueError, match="wrong"):
        finish_together([work([], ValueError("wrong")), work(done)])
    assert (done, gc.isenabled()) == ([1], True)


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
