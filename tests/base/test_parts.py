"""Work in parts: all of it is done, and its result and its errors come out."""

from __future__ import annotations

import gc

import pytest

from scrapy_webstemmer.base.parts import Parts, do_parts, finish, finish_together


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
