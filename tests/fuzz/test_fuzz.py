"""A sample of the fuzzing: whatever is read, nothing but errors of ours comes of it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parent
KINDS = ("page", "pattern file", "2009 pattern file", "linkinfo", "zip", "WARC", "SQLite")


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


@pytest.mark.filterwarnings("ignore:Possible:FutureWarning")  # Python may read [[ otherwise one day
@pytest.mark.parametrize("kind", KINDS)
def test_a_sample(kind: str, fuzzing: ModuleType, tmp_path: Path) -> None:
    """Of a hundred changed inputs of each kind none makes anything but an error of ours."""
    import logging

    try:
        seeds = fuzzing.made_seeds(tmp_path)
        result = fuzzing.fuzz(kind, range(100), 7, seeds[kind], fuzzing.Targets(tmp_path))
    finally:
        logging.disable(logging.NOTSET)
        logging.getLogger("scrapy_webstemmer").handlers.clear()
    assert result.inputs == 100
    assert result.faults == []
