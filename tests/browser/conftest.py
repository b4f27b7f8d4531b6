"""A browser without a window."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

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
