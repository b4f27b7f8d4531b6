"""The example project as a user finds it: a folder beside the package, not installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "example_project"
sys.path.insert(0, str(EXAMPLE))


@pytest.fixture(scope="session")
def example() -> Path:
    """Return the folder of the example project."""
    return EXAMPLE
