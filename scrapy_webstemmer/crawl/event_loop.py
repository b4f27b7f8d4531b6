"""The event loop of a crawl: asyncio's, or the reactor's if that is another one."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

from twisted.internet.interfaces import IReactorTime

from ..base.parts import Parts, do_parts

_Value = TypeVar("_Value")

#: Seconds that work goes on before the event loop gets its turn. A turn costs some .1 ms.
_A_TURN = 0.005


async def in_turns(work: Parts[_Value]) -> _Value:
    """Do work in parts, and return its result.

    Between two parts the event loop gets its turn, if it has waited for more than some milliseconds.
    """
    while True:
        try:
            do_parts(work, _A_TURN)
        except StopIteration as done:
            result: _Value = done.value
            return result
        await pause()


def call_later(seconds: float, function: Callable[[], object]) -> bool:
    """Call a function after some seconds; return False, and do not call it, if no event loop runs."""
    try:
        asyncio.get_running_loop().call_later(seconds, function)
    except RuntimeError:
        reactor: Any = sys.modules.get("twisted.internet.reactor")
        if reactor is None or not reactor.running:
            return False
        reactor.callLater(seconds, function)
    return True


async def apart(work: Callable[[], _Value]) -> _Value:
    """Do work that cannot be done in parts in a thread, so that the event loop gets its turns meanwhile."""
    if _is_in_asyncio():
        return await asyncio.to_thread(work)
    from twisted.internet.threads import deferToThread

    return cast("_Value", await deferToThread(work))


async def pause(seconds: float = 0.0) -> None:
    """Let all waiting tasks run, for some seconds."""
    if _is_in_asyncio():
        await asyncio.sleep(seconds)
        return
    from twisted.internet import reactor
    from twisted.internet.task import deferLater

    await deferLater(cast("IReactorTime", reactor), seconds)


def _is_in_asyncio() -> bool:
    """Return whether a task of asyncio calls."""
    try:
        return asyncio.current_task() is not None
    except RuntimeError:
        return False
