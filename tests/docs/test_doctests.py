"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import scrapy_webstemmer

PACKAGE = Path(scrapy_webstemmer.__file__).parent
MODULES = sorted(
    ".".join(("scrapy_webstemmer", *path.relative_to(PACKAGE).with_suffix("").parts))
    for path in PACKAGE.rglob("*.py")
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ``>>>`` examples in a module's docstrings print what stands below them."""
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name.removesuffix(".__init__"))
    failed, attempted = doctest.testmod(module)
    assert failed == 0
    assert attempted > 0
