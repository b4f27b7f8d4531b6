"""What the package offers, and what importing it costs."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import scrapy_webstemmer


def test_import_loads_nothing() -> None:
    """Importing the package imports none of its modules, and neither Scrapy nor lxml."""
    names = "name for name in sys.modules if name.startswith(('scrapy', 'lxml', 'twisted'))"
    code = f"import sys, scrapy_webstemmer; print(sorted({names}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "['scrapy_webstemmer']\n"


def test_type_checkers_see_every_name() -> None:
    """The imports for type checkers match those at run time."""
    tree = ast.parse(Path(scrapy_webstemmer.__file__).read_text(encoding="utf-8"))
    (guard,) = (
        node for node in tree.body if isinstance(node, ast.If) and isinstance(node.body[0], ast.ImportFrom)
    )
    seen = {
        alias.name: node.module
        for node in guard.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == scrapy_webstemmer._HOME
    assert sorted(seen) == sorted(scrapy_webstemmer.__all__)


def test_unknown_name_is_an_attribute_error() -> None:
    """An unknown name is an AttributeError, and dir() lists the known names."""
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        scrapy_webstemmer.Nothing  # noqa: B018
    assert set(scrapy_webstemmer.__all__) <= set(dir(scrapy_webstemmer))
