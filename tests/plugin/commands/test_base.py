"""What all commands share."""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable
from typing import Any

import pytest

from scrapy_webstemmer.plugin.commands.html2txt import Command


@pytest.mark.parametrize("error", [None, OSError("no")])
def test_the_garbage_collector_is_as_before(
    run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, error: Exception | None
) -> None:
    """Only while a command works, garbage is looked for less often, and only among new objects."""
    found: list[tuple[bool, bool]] = []
    before = gc.get_threshold()
    gc.unfreeze()

    def work(self: Command, args: list[str], opts: argparse.Namespace) -> None:
        found.append((gc.get_threshold()[0] > before[0], gc.get_freeze_count() > 0))
        if error is not None:
            raise error

    monkeypatch.setattr(Command, "work", work)
    assert run("html2txt", "page.html").status == (1 if error else 0)
    assert found == [(True, True)]
    assert gc.get_threshold() == before
    gc.unfreeze()
