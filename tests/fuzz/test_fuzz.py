"""A sample of the fuzzing: no input causes anything but errors of ours."""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from scrapy_webstemmer.errors import WebstemmerError

FOLDER = Path(__file__).parent
KINDS = (
    "page",
    "small page",
    "markup",
    "pattern file",
    "2009 pattern file",
    "linkinfo",
    "zip",
    "WARC",
    "SQLite",
    "Markdown",
    "feed",
    "sitemap",
    "statements",
    "request",
)


@pytest.fixture(scope="module")
def fuzzing() -> Iterator[ModuleType]:
    """Return the script as a module."""
    sys.path.insert(0, str(FOLDER))
    spec = importlib.util.spec_from_file_location("fuzzing_run", FOLDER / "run.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["fuzzing_run"] = module
    spec.loader.exec_module(module)
    yield module
    sys.path.remove(str(FOLDER))


@pytest.fixture(scope="module")
def seeds(fuzzing: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[bytes]]:
    """Return the seeds of each kind."""
    return fuzzing.made_seeds(tmp_path_factory.mktemp("seeds"))


@pytest.fixture
def targets(fuzzing: ModuleType, tmp_path: Path) -> Iterator[Any]:
    """Return the targets; they take over our log."""
    yield fuzzing.Targets(tmp_path)
    logging.disable(logging.NOTSET)
    logging.getLogger("scrapy_webstemmer").handlers.clear()


@pytest.mark.filterwarnings("ignore:Possible:FutureWarning")  # Python may read [[ differently one day
@pytest.mark.parametrize("kind", KINDS)
def test_a_sample(
    kind: str, fuzzing: ModuleType, seeds: dict[str, list[bytes]], targets: Any, tmp_path: Path
) -> None:
    """Fifty changed inputs of each kind, and the inputs that were kept, cause only errors of ours."""
    keeper = fuzzing.Keeper(tmp_path / "kept", seconds=1000)
    result = fuzzing.fuzz(kind, range(50), 7, seeds[kind], targets, keeper)
    assert result.inputs == 50
    assert result.faults == []
    assert list(keeper.folder.iterdir()) == []
    for number, data in fuzzing.kept(fuzzing.EXAMPLES, kind):
        with contextlib.suppress(WebstemmerError):
            targets.by_kind[kind](data, number)


@pytest.mark.parametrize("fault", ["raise", "slow"])
def test_what_is_found_is_kept(fault: str, fuzzing: ModuleType, tmp_path: Path) -> None:
    """An input that causes another error, or takes too long, is kept with its number; others are not."""
    seen = []

    def target(data: bytes, number: int) -> None:
        seen.append((number, data))
        assert list(keeper.folder.iterdir())  # it is kept even if the process is killed now
        if number == 2 and fault == "raise":
            raise ZeroDivisionError

    seconds = -1 if fault == "slow" else 1000
    keeper = fuzzing.Keeper(tmp_path / "kept", seconds)
    targets = SimpleNamespace(by_kind={"a kind": target})
    result = fuzzing.fuzz("a kind", range(4), 1, [b"input"], targets, keeper)
    assert len(result.faults) == (fault == "raise")
    assert sorted(fuzzing.kept(keeper.folder, "a kind")) == (seen[2:3] if fault == "raise" else seen)
