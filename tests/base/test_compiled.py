"""The compiled modules: they are found, they can be switched off, and the log says if they are missing."""

from __future__ import annotations

import logging
import subprocess
import sys
from importlib.util import find_spec

import pytest
from lxml import etree

from scrapy_webstemmer.base import work as module
from scrapy_webstemmer.base.work import SWITCH, compiled, say_what_is_missing
from scrapy_webstemmer.html.sources import TreeSource, open_page
from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.values import Page

MODULES = ("html.scan", "site.placing")
#: Prints how many modules are in use.
COUNT = (
    "from scrapy_webstemmer.base.work import compiled;"
    f"print(sum(compiled(name) is not None for name in {MODULES}))"
)


@pytest.mark.parametrize("name", MODULES)
def test_modules_that_were_built_are_found(name: str) -> None:
    """A module that is there is used, if it fits libxml2; one that is not is None, and no error."""
    built = find_spec(f"scrapy_webstemmer.{name}") is not None
    fits = name != "html.scan" or etree.LIBXML_VERSION >= (2, 14)
    assert (compiled(name) is not None) == (built and fits)
    assert compiled("html.nowhere") is None


def test_modules_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an environment variable Python code does everything."""
    monkeypatch.setenv(SWITCH, "0")
    done = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"


def test_older_parsers_nest_in_other_ways(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With an older libxml2 pages are read by their trees, so that each has one reading; the log says it."""
    monkeypatch.setattr(module.etree, "LIBXML_VERSION", (2, 12, 9))
    compiled.cache_clear()
    try:
        assert compiled("html.scan") is None
        caplog.set_level(logging.INFO)
        say_what_is_missing(logging.getLogger("test"))
        assert "libxml2 2.12" in caplog.text
        assert "lxml 6" in caplog.text
        assert isinstance(open_page(Page("http://e.example/", b"<p>a"), None, Limits()), TreeSource)
    finally:
        compiled.cache_clear()


@pytest.mark.parametrize("there", [True, False])
def test_the_log_says_if_they_are_missing(
    there: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One line says that pages are read more slowly; nothing is said if all is well."""
    monkeypatch.setattr(module, "compiled", lambda name: object() if there else None)
    caplog.set_level(logging.INFO)
    say_what_is_missing(logging.getLogger("test"))
    assert [record.levelname for record in caplog.records] == ([] if there else ["INFO"])
