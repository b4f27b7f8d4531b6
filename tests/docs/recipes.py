"""Take the recipes out of docs/recipes.md, and run what they say against a site that is served here."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest
from loopback import Answer, WebServer, links
from news_pages import article, index

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "recipes.md"
#: Whether the tests that need the dependency group `recipes` must run.
REQUIRED = os.environ.get("WEBSTEMMER_RECIPE_TESTS") == "required"
#: The site of the page, and what its stories have beside their text.
SITE = "https://news.example"
HOST = "127.0.0.1"
AUTHORS = ("Brigid Hale", "Odo Marsh")
TOPICS = ("Food", "Ships", "Weather")

_RECIPE = re.compile(r"^## (.+)\n((?:(?!## ).*\n)*)", re.MULTILINE)
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\| (`.+) \| (`.+) \|$", re.MULTILINE)
_CODE = re.compile(r"`([^`]+)`")
_COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)$", re.MULTILINE)
_FEED = '<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>{}</channel></rss>'


def recipes() -> dict[str, str]:
    """Return the text of each recipe by its title."""
    return dict(_RECIPE.findall(PAGE.read_text(encoding="utf-8")))


def blocks(title: str) -> list[tuple[str, str]]:
    """Return language and text of each fenced block of a recipe."""
    return _BLOCK.findall(recipes()[title])


def commands(title: str) -> list[str]:
    """Return the commands of a recipe."""
    return [line for kind, text in blocks(title) if kind == "console" for line in _COMMAND.findall(text)]


def scripts(title: str) -> list[str]:
    """Return the Python blocks of a recipe."""
    return [text for kind, text in blocks(title) if kind == "python"]


def table(title: str) -> list[tuple[str, str]]:
    """Return the rows of a recipe's table: code of another program, and code of ours."""
    return [
        (_CODE.findall(left)[0], _CODE.findall(right)[0]) for left, right in _ROW.findall(recipes()[title])
    ]


def need(*names: str) -> None:
    """Skip the test if a library is not installed, or fail if all of them are required."""
    if missing := [name for name in names if find_spec(name) is None]:
        (pytest.fail if REQUIRED else pytest.skip)(f"not installed: {', '.join(missing)}")


def publish(server: WebServer, stories: int, template: str = "press") -> None:
    """Let a server have a site with a front page, archives, stories of some days and authors, and a feed."""
    for number in range(1, stories + 1):
        stated = (
            f'<meta property="article:published_time" content="2026-{10 + number % 2}-{number % 28 + 1:02}">'
            f'<meta name="author" content="{AUTHORS[number % 2]}">'
            f'<meta property="article:tag" content="{TOPICS[number % 3]}">'
        )
        body = article(HOST, number, template).body.decode()
        server.pages[f"/story/{number}.html"] = body.replace("</head>", f"{stated}</head>", 1)
    archives = range(-(-stories // 10))
    for number in archives:
        told = [n for n in range(number * 10 + 1, number * 10 + 11) if n <= stories]
        server.pages[f"/archive/{number}.html"] = index(HOST, number, told, template).body.decode()
    server.pages["/"] = links(*(f"/archive/{number}.html" for number in archives))
    latest = range(max(1, stories - 4), stories + 1)
    items = "".join(f"<item><link>{server.url(f'/story/{n}.html')}</link></item>" for n in latest)
    headers = {"Content-Type": "application/rss+xml"}
    server.pages["/feed.xml"] = Answer(_FEED.format(items).encode(), headers=headers)


@dataclass(frozen=True)
class Kitchen:
    """A folder in which recipes are run, with ``scrapy`` on its path that needs no rest between requests."""

    folder: Path
    programs: Path
    server: WebServer

    def here(self, text: str) -> str:
        """Return a text with the local site in place of that of the page."""
        own = self.server.url("")
        name = own.removeprefix("http://")
        text = text.replace(SITE, own).replace("https://SITE", "http://SITE")
        return text.replace("news.example.", f"{name.replace(':', '-')}.")

    def environment(self, path: str = "") -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SCRAPY_")}
        return {**kept, "PATH": path or f"{self.programs}{os.pathsep}{kept['PATH']}"}

    def run(self, command: str, *, path: str = "", status: int = 0) -> str:
        """Run a command of the page in a shell; return what it prints."""
        words = ["bash", "-e", "-o", "pipefail", "-c", self.here(command)]
        done = self._run(words, path, status)
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout

    def python(self, script: str) -> str:
        """Run a script of the page as a reader would; return what it prints."""
        return self._run([sys.executable, "-c", self.here(script)], "", 0).stdout

    def write(self, script: str) -> None:
        """Add a block to the file that its first line names."""
        path = self.folder / script.split("\n")[0].removeprefix("# ")
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n{script}")

    def project(self) -> Kitchen:
        """Make a fresh project in the folder, and return a kitchen there."""
        self._run([sys.executable, "-m", "scrapy", "startproject", "press", "."], "", 0)
        return self

    def _run(self, words: list[str], path: str, status: int) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            words,
            cwd=self.folder,
            env=self.environment(path),
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == status, f"{words}\n{done.stderr}{done.stdout}"
        return done


def make_kitchen(folder: Path, server: WebServer) -> Kitchen:
    """Return a kitchen in a new folder."""
    programs, place = folder / "programs", folder / "here"
    programs.mkdir()
    place.mkdir()
    scrapy = programs / "scrapy"
    fast = "-s DOWNLOAD_DELAY=0 -s AUTOTHROTTLE_ENABLED=0"
    scrapy.write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m scrapy "$@" {fast}\n', encoding="utf-8"
    )
    scrapy.chmod(0o755)
    return Kitchen(place, programs, server)
