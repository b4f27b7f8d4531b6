"""Work in parts: all of it is done, and its result and its errors come out."""

from __future__ import annotations

import pytest

from scrapy_webstemmer.base.parts import Parts, finish


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


def test_errors_come_out() -> None:
    """An error in one part is raised by ``finish``."""
    with pytest.raises(ValueError, match="wrong"):
        finish(work([], ValueError("wrong")))
