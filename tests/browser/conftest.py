"""A browser without a window, and the web pages that commands write, to look at in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import shown_pages

#: The first one that is installed is taken.
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
#: Nothing is looked up or fetched, whatever a page asks for.
_FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-dev-shm-usage
--disable-background-networking --disable-component-update --disable-sync --hide-scrollbars
--force-color-profile=srgb""".split()
_NOWHERE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Start a browser with an empty profile; skip the test if none is there, or fail if one is required."""
    program = next(filter(None, map(shutil.which, _BROWSERS)), None)
    driver = shutil.which("chromedriver")
    needs = {"selenium": find_spec("selenium"), "Chromium": program, "chromedriver": driver}
    if missing := [name for name, found in needs.items() if not found]:
        reason = f"not installed: {', '.join(missing)}"
        if os.environ.get("WEBSTEMMER_BROWSER_TESTS") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = program
    for flag in (*_FLAGS, _NOWHERE, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options=options, service=Service(driver))
    yield started
    started.quit()


@pytest.fixture(scope="session")
def folder(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of pages to show."""
    root = tmp_path_factory.mktemp("pages")
    pages = {f"{name}.html": getattr(shown_pages, name)() for name in shown_pages.MAKERS}
    pages |= {f"article{number}.html": shown_pages.article(number) for number in (0, 1)}
    pages |= {f"paper/{url.removeprefix('http://')}": html for url, html in shown_pages.paper(9).items()}
    pages |= {f"archive/{url.removeprefix('http://')}": html for url, html in shown_pages.paper(400).items()}
    for name, html in pages.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html, encoding="utf-8")
    return root


@pytest.fixture(scope="session")
def written(folder: Path) -> Callable[[str], Path]:
    """Return a function that gives the file that a command of shown_pages.COMMANDS writes."""

    def write(name: str) -> Path:
        path = folder / f"shown-{name}.htm"
        if not path.exists():
            command = [
                sys.executable,
                "-m",
                "scrapy",
                "trees",
                *shown_pages.COMMANDS[name].split(),
                "--html",
                str(path),
            ]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            assert (done.returncode, done.stdout) == (0, ""), done.stderr
        return path

    return write


@pytest.fixture
def show(browser: Any, written: Callable[[str], Path]) -> Iterator[Callable[..., Any]]:
    """Return a function that opens such a file, in a window of some width, and gives the browser."""

    def open_file(name: str, width: int = 1280, scheme: str = "light") -> Any:
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        browser.get_log("browser")  # what an earlier page left
        browser.get(written(name).as_uri())
        return browser

    yield open_file
    browser.get("about:blank")
