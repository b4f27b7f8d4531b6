#!/usr/bin/env python3
"""Make the pictures of docs/review.md from the demo site. Needs Chromium and its driver.

    pictures.py [--output docs/images]

The example project must have run (`bash example_project/run`): its learning set and pattern file are shown.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

_ROOT = Path(__file__).parents[2]
_OUTPUT = _ROOT / "example_project" / "output"
_FLAGS = "--headless --no-sandbox --disable-gpu --hide-scrollbars --force-color-profile=srgb".split()


def started() -> Any:
    """Return a browser in a window of its own."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in _FLAGS:
        options.add_argument(flag)
    browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    resize(browser, 760)
    return browser


def resize(browser: Any, height: int) -> None:
    """Give the window a height in pixels."""
    metrics = {"width": 1200, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


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
        browser.get(process.stdout.readline().split()[4])
        browser.find_element("css selector", "#rows a").click()
        browser.save_screenshot(str(args.output / "review-site.png"))
        layout = browser.find_element("css selector", ".cards a").get_attribute("href")
        # a machine may have no fonts for Japanese
        browser.find_element("css selector", "td a[href*='%2Fen%2Fnews']").click()
        browser.save_screenshot(str(args.output / "review-page.png"))
        browser.find_element("partial link text", "tree, text and source").click()
        browser.find_elements("css selector", ".window a")[14].click()
        browser.execute_script("scrollTo(0, 0)")
        browser.save_screenshot(str(args.output / "review-windows.png"))
        resize(browser, 1100)
        browser.get(layout)
        browser.save_screenshot(str(args.output / "review-layout.png"))
        process.send_signal(signal.SIGINT)
    browser.quit()


if __name__ == "__main__":
    main()
