#!/usr/bin/env python3
"""Make the pictures of docs/review.md from the demo site, for light and dark pages.

    pictures.py [--output docs/images]

Needs Chromium, its driver, and fonts for all scripts that the demo site has: on Debian the packages chromium,
chromium-driver and fonts-droid-fallback. The example project must have run (`bash example_project/run`): its
learning set and pattern file are shown. The status is 1 if a picture has more than 200 KB.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

_ROOT = Path(__file__).parents[2]
_OUTPUT = _ROOT / "example_project" / "output"
_FLAGS = "--headless --no-sandbox --disable-gpu --hide-scrollbars --force-color-profile=srgb".split()
#: A picture may have so many bytes.
_MOST = 200_000


def started() -> Any:
    """Return a browser in a window of its own."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in _FLAGS:
        options.add_argument(flag)
    browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    browser.implicitly_wait(30)
    return browser


def shoot(browser: Any, output: Path, name: str, height: int) -> None:
    """Take a picture of what is shown, so many pixels high, in light and in dark."""
    metrics = {"width": 1100, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    for scheme, ending in (("light", ""), ("dark", "-dark")):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        browser.save_screenshot(str(output / f"review-{name}{ending}.png"))


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--output", type=Path, default=_ROOT / "docs" / "images")
    args = parser.parse_args()
    (stored,) = _OUTPUT.glob("*.sqlite")
    (patterns,) = _OUTPUT.glob("*patterns.json")
    command = [sys.executable, "-m", "scrapy", "review", str(patterns), str(stored), "--no-browser"]
    browser = started()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline().split()[4]
        browser.get(first)
        time.sleep(5)  # until some pages of the site are read
        browser.get(first)
        shoot(browser, args.output, "first", 700)
        browser.find_element("css selector", "#rows a").click()
        shoot(browser, args.output, "site", 900)
        layout = browser.find_element("css selector", ".cards a").get_attribute("href")
        browser.find_element("css selector", "td a[href*='%2Fen%2Fnews']").click()
        browser.switch_to.frame(0)
        browser.find_element("css selector", ".w-t.main")  # waits for it
        browser.switch_to.default_content()
        shoot(browser, args.output, "page", 640)
        browser.get(layout)
        shoot(browser, args.output, "layout", 900)
        process.send_signal(signal.SIGINT)
    browser.quit()
    if large := [one.name for one in args.output.glob("review-*.png") if one.stat().st_size > _MOST]:
        sys.exit(f"more than {_MOST:,} bytes: {', '.join(sorted(large))}")


if __name__ == "__main__":
    main()
