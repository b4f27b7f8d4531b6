"""The recipe for pages that scripts render, in Chromium."""

from __future__ import annotations

import json
import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
from loopback import serve
from news_pages import story
from recipes import HOST, commands, make_kitchen, publish, scripts

pytestmark = pytest.mark.browser

TITLE = "Pages that scripts render"
#: The system's Chromium, and nothing but the test's own site.
LAUNCH = """
PLAYWRIGHT_LAUNCH_OPTIONS = {{
    "executable_path": {browser!r},
    "args": ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"],
}}
"""
STORIES = 12


def in_a_script(html: str) -> str:
    """Return a page that has its body only when its script has run."""
    head, _, rest = html.partition("<body>")
    body = json.dumps(rest.partition("</body>")[0]).replace("</", "<\\/")
    return f"{head}<body><script>document.body.innerHTML = {body}</script></body></html>"


def test_pages_that_scripts_render(tmp_path: Path) -> None:
    """A site whose pages are empty without scripts gives all its articles."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    needs = {"scrapy-playwright": find_spec("scrapy_playwright"), "Chromium": program}
    if missing := [name for name, found in needs.items() if not found]:
        required = os.environ.get("WEBSTEMMER_BROWSER_TESTS") == "required"
        (pytest.fail if required else pytest.skip)(f"not installed: {', '.join(missing)}")
    (command,) = commands(TITLE)
    with serve() as server:
        publish(server, STORIES)
        for path, page in server.pages.items():
            if isinstance(page, str) and path != "/":
                server.pages[path] = in_a_script(page)
        kitchen = make_kitchen(tmp_path, server).project()
        for script in scripts(TITLE):
            kitchen.write(script)
        kitchen.write(f"# press/settings.py\n{LAUNCH.format(browser=program)}")
        kitchen.run(command)
    lines = (kitchen.folder / "articles.jsonl").read_text(encoding="utf-8").splitlines()
    found = sorted((row["title"], row["text"]) for row in map(json.loads, lines))
    assert found == sorted((story(HOST, n).title, story(HOST, n).text) for n in range(1, STORIES + 1))
