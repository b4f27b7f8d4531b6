"""The compiled modules: they are found, they can be switched off, and the log says if they are missing."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from lxml import etree

from scrapy_webstemmer.base import compiled as module
from scrapy_webstemmer.base.compiled import MODULES, READING, SWITCH, compiled, say_what_is_missing
from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.page.sources import TreeSource, open_page
from scrapy_webstemmer.values import Page

PACKAGE = Path(module.__file__).parents[1]
#: Prints how many modules are in use.
COUNT = (
    "from scrapy_webstemmer.base.compiled import compiled;"
    f"print(sum(compiled(name) is not None for name in {MODULES}))"
)
#: Prints what is imported for a module that may be compiled.
FILE = "from scrapy_webstemmer.site import weighing; print(weighing.__file__)"


@pytest.mark.parametrize("name", MODULES)
def test_modules_that_were_built_are_found(name: str) -> None:
    """A module that is there is used if it is wanted and fits libxml2; one that is not is no error."""
    spec = find_spec(f"scrapy_webstemmer.{name}")
    built = spec is not None and not str(spec.origin).endswith(".py")
    fits = name not in READING or etree.LIBXML_VERSION >= (2, 14)
    wanted = os.environ.get(SWITCH) != "0" and fits
    assert (compiled(name) is not None) == (built and wanted)
    assert compiled("page.nowhere") is None


def test_modules_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an environment variable Python code does everything."""
    monkeypatch.setenv(SWITCH, "0")
    done = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"
    done = subprocess.run([sys.executable, "-c", FILE], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("weighing.py\n")


@pytest.mark.skipif(None in map(compiled, MODULES), reason="the compiled modules are not there")
@pytest.mark.parametrize("changed", ["site/weighing.py", "page/scan.pyx", "values.pxd"])
def test_a_module_of_another_source_is_not_used(changed: str, tmp_path: Path) -> None:
    """If a source has changed since a module was made from it, Python does the work, and the log says so."""
    copy = tmp_path / "scrapy_webstemmer"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    with (copy / changed).open("a", encoding="utf-8") as file:
        file.write("# changed\n")

    def run(code: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", code]
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)

    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = run(COUNT)
    left = {
        "site/weighing.py": len(MODULES) - 1,
        "page/scan.pyx": len(MODULES) - 3,
        "values.pxd": len(READING),
    }
    assert done.stdout == f"{left[changed]}\n"  # two others are made with what is in scan.pyx
    assert "made from another source" in done.stderr
    assert run(FILE).stdout.startswith(str(copy / "site" / "weighing."))
    assert run(FILE).stdout.endswith(".py\n") == (changed != "page/scan.pyx")


def test_older_parsers_nest_in_other_ways(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With an older libxml2 pages are read by their trees, so that each has one reading; the log says it."""
    monkeypatch.setattr(module.etree, "LIBXML_VERSION", (2, 12, 9))
    compiled.cache_clear()
    try:
        assert compiled("page.scan") is None
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
