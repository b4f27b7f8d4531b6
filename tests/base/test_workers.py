"""Work shared among processes: the same results in the same order, and nothing hangs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from multiprocessing import current_process, get_context
from pathlib import Path

import pytest

from scrapy_webstemmer.base import workers as module
from scrapy_webstemmer.base.parts import Parts
from scrapy_webstemmer.base.workers import Workers
from scrapy_webstemmer.errors import WorkerError

#: A program that gives two processes more work than they can do, prints so, and waits for Ctrl-C.
ENDLESS = """
import time
from scrapy_webstemmer.base.workers import Workers

if __name__ == "__main__":
    try:
        with Workers(time.sleep, 2) as pool:
            for number in range(1_000):
                print("working", flush=True)
                list(pool.add(number, 0.01))
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


#: Gives two processes more work than they can do, and says so. They are forked or spawned.
ENDLESS_TOO = """
import sys, time
from multiprocessing import current_process, get_context
from scrapy_webstemmer.base import workers as workers

if __name__ == "__main__":
    workers._context = lambda: get_context(sys.argv[1])
    with workers.Workers(time.sleep, 2, batch=1) as pool:
        for number in range(1_000_000):
            print("working", flush=True)
            list(pool.add(number, 0.01 if number < 20 else 3600))
"""


def double(number: int) -> int:
    if number < 0:
        os._exit(1)
    if number == 13:
        raise ValueError("unlucky")
    return 2 * number


def process(number: int) -> int:
    return os.getpid()


def results(function: object, numbers: Iterable[int], count: int) -> Iterator[tuple[str, int]]:
    """Yield the results of a function for numbers, each with its number's name."""
    pool: Workers[str, int, int] = Workers(function, count)  # type: ignore[arg-type]
    with pool:
        for number in numbers:
            yield from pool.add(str(number), number)
        yield from pool.rest()


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_any_number_of_processes_gives_the_same(
    monkeypatch: pytest.MonkeyPatch, method: str, count: int
) -> None:
    """Results come in the order of the things, for any number of processes and any way to start them."""
    monkeypatch.setattr(module, "_context", lambda: get_context(method))
    numbers = [n for n in range(300) if n != 13]
    assert list(results(double, numbers, count)) == [(str(n), 2 * n) for n in numbers]


def test_one_worker_is_this_process() -> None:
    """With one worker no process is started, and each result comes at once."""
    found = results(process, range(3), 1)
    assert next(found) == ("0", os.getpid())


def in_parts(number: int) -> Parts[int]:
    yield
    return double(number)


@pytest.mark.parametrize("count", [1, 2])
def test_things_that_are_worked_on_together(count: int) -> None:
    """Work in parts gives the same results in the same order, whatever the number of processes."""
    numbers = [n for n in range(100) if n != 13]
    with Workers[int, int, int](in_parts, count, together=True) as pool:
        found = [one for number in numbers for one in pool.add(number, number, 1_000)]
        assert count > 1 or len(found) == 96  # sixteen at a time
        found += pool.rest()
    assert found == [(n, 2 * n) for n in numbers]


def test_a_large_thing_is_worked_on_at_once() -> None:
    """It does not wait for others, which might be large, too."""
    pool = Workers[int, int, int](in_parts, 1, together=True)
    assert [*pool.add(1, 1, module._TOGETHER_SIZE)] == [(1, 2)]


def test_several_workers_are_others() -> None:
    """With two workers, all work is done in other processes."""
    assert os.getpid() not in {pid for _, pid in results(process, range(100), 2)}


def test_things_are_sent_so_many_at_a_time() -> None:
    """With batches of one thing, a thing does not wait for others."""
    pool: Workers[int, int, int] = Workers(process, 2, batch=1)
    with pool:
        found = [one for number in range(10) for one in pool.add(number, number)]
        assert [number for number, _ in found] == [0, 1]
        assert len(list(pool.rest())) == 8


@pytest.mark.parametrize(("method", "here"), [("fork", False), ("spawn", True)])
def test_what_cannot_be_sent_is_done_in_copies_or_here(
    monkeypatch: pytest.MonkeyPatch, method: str, here: bool
) -> None:
    """A function that cannot be sent is applied in copies of this process, or in this process."""
    monkeypatch.setattr(module, "_context", lambda: get_context(method))
    unpicklable = threading.Lock()

    def its_process(number: int) -> int:
        assert not unpicklable.locked()
        return os.getpid()

    pool: Workers[int, int, int] = Workers(its_process, 2, batch=1, forked=True)
    with pool:
        found = [process for number in range(4) for _, process in pool.add(number, number)]
        found += [process for _, process in pool.rest()]
    assert len(found) == 4
    assert (set(found) == {os.getpid()}) == here


def test_only_some_things_are_on_their_way() -> None:
    """Things are taken only as results are read, so there may be any number of them."""
    asked: list[int] = []
    numbers = (asked.append(n) or n for n in range(100_000) if n != 13)  # type: ignore[func-returns-value]
    found = results(double, numbers, 2)
    for _ in range(50):
        next(found)
    assert len(asked) < 1_000
    found.close()  # type: ignore[attr-defined]


def test_large_things_go_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thing that is as large as a batch does not wait for others."""
    monkeypatch.setattr(module, "_BATCH", 1_000_000)
    pool: Workers[int, int, int] = Workers(double, 2)
    with pool:
        found = [one for n in range(20, 40) for one in pool.add(n, n, module._BATCH_SIZE)]
        assert 0 < len(found) < 20
        assert found + list(pool.rest()) == [(n, 2 * n) for n in range(20, 40)]


@pytest.mark.parametrize("count", [1, 2])
def test_errors_pass(count: int) -> None:
    """An error of the function is raised in this process."""
    with pytest.raises(ValueError, match="unlucky"):
        list(results(double, range(100), count))


def test_a_killed_process_is_an_error() -> None:
    """A process that dies raises an error; nobody waits for it."""
    with pytest.raises(WorkerError, match="has died"):
        list(results(double, [-1] * 1_000, 2))


def test_an_interrupt_ends_all_processes_quietly() -> None:
    """All processes get Ctrl-C. Only the one that gives the work handles it; the others end with it."""
    command = [sys.executable, "-c", ENDLESS]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, start_new_session=True) as started:
        assert started.stdout is not None
        # 288 things are sent before the first results: after 400 both processes are at work
        assert [started.stdout.readline() for _ in range(400)] == ["working\n"] * 400
        os.killpg(started.pid, signal.SIGINT)
        out, err = started.communicate(timeout=60)
    # Ctrl-C may come between a word and the end of its line
    assert ("interrupted" in out, err, started.returncode) == (True, "", 0)


@pytest.mark.skipif(os.name != "posix", reason="other systems kill processes in another way")
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers_end_with_the_process_that_gives_them_work(method: str, tmp_path: Path) -> None:
    """After kill -9, which no process can handle, the workers end too, in the middle of their work."""
    script = tmp_path / "script.py"
    script.write_text(ENDLESS_TOO)
    command = [sys.executable, str(script), method]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, text=True, start_new_session=True) as started:
        assert started.stdout is not None
        assert [started.stdout.readline() for _ in range(20)] == ["working\n"] * 20
        started.kill()
        try:
            started.communicate(timeout=60)  # until the last process that has the pipe has ended
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            pytest.fail("workers were left behind")


def test_a_copy_that_cannot_be_made_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    """If another thread runs, a function that cannot be sent is applied here, and the log says so once."""
    module._warn_once.cache_clear()
    end = threading.Event()
    other = threading.Thread(target=end.wait)
    other.start()
    try:
        for _ in range(2):
            pool: Workers[int, int, int] = Workers(process, 2, forked=True)
            with pool:
                assert list(pool.add(1, 1)) == [(1, os.getpid())]
    finally:
        end.set()
        other.join()
    (message,) = caplog.messages
    assert message.startswith("One process does all the work, ")
    assert "cannot be copied safely" in message


def test_a_process_that_may_have_no_others_does_the_work(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process of a pool is daemonic, and Python forbids it to start processes."""
    module._warn_once.cache_clear()
    monkeypatch.setitem(current_process()._config, "daemon", True)  # type: ignore[attr-defined]
    assert list(results(process, [1], 2)) == [("1", os.getpid())]
    assert caplog.messages == ["One process does all the work, because a daemonic process may have no others"]


def test_one_process_that_was_asked_for_is_not_worth_a_word(caplog: pytest.LogCaptureFixture) -> None:
    """One worker that was asked for gives no warning."""
    module._warn_once.cache_clear()
    pool: Workers[int, int, int] = Workers(process, 1, forked=True)
    with pool:
        list(pool.add(1, 1))
    assert caplog.messages == []
