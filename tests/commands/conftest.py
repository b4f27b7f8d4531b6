"""Fixtures for the commands: a small site to learn from, and ways to run commands here or in a process."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import forked_scrapy
import pytest
from scrapy.cmdline import execute
from scrapy.settings import Settings

SYLLABLES = ("ba", "do", "fi", "gu", "ka", "lo", "mi", "nu", "pe", "ra", "so", "tu", "ve", "zi")
PAGE = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title} | Example News</title></head>
<body><div id="nav"><a href="/">Home</a> <a href="/world">World</a> <a href="/sport">Sport</a></div>
<div class="story"><h1>{title}</h1><p>{first}</p><p>{second}</p><p>{third}</p></div>
<div id="more"><h2>More stories</h2>{links}</div>
<div id="footer">Copyright Example News, all rights reserved, contact us by mail</div></body></html>
"""


class Story(NamedTuple):
    """An article of the site: its number, title and paragraphs."""

    number: int
    title: str
    paragraphs: tuple[str, ...]

    @property
    def url(self) -> str:
        return f"http://news.example/story/{self.number}.html"

    @property
    def body(self) -> bytes:
        links = "".join(
            f'<p><a href="/story/{other}.html">{story(other).title}</a></p>'
            for other in (self.number * 3 % 20, self.number * 7 % 20)
        )
        first, second, third = self.paragraphs
        page = PAGE.format(title=self.title, first=first, second=second, third=third, links=links)
        return page.encode()


@cache
def story(number: int) -> Story:
    """Return a story of the site; the same number always gives the same story."""
    chance = random.Random(number)

    def words(least: int, most: int) -> str:
        count = chance.randint(least, most)
        return " ".join("".join(chance.choices(SYLLABLES, k=chance.randint(1, 4))) for _ in range(count))

    title = words(4, 8).capitalize()
    return Story(number, title, tuple(words(20, 60).capitalize() + "." for _ in range(3)))


class Result(NamedTuple):
    """What a command printed and left behind."""

    status: int
    out: str
    err: str


@pytest.fixture
def workdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder that is the working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def make_story() -> Callable[[int], Story]:
    """Return the function that makes a story from its number."""
    return story


@pytest.fixture
def write_zip(workdir: Path) -> Callable[..., Path]:
    """Return a function that writes a crawl archive of 2009 into the working folder: pages by url."""

    def write(name: str, pages: dict[str, bytes]) -> Path:
        with zipfile.ZipFile(workdir / name, "w") as archive:
            for url, body in pages.items():
                archive.writestr("202611210900/" + url.partition("://")[2], body)
        return workdir / name

    return write


@pytest.fixture
def crawl(write_zip: Callable[..., Path]) -> Path:
    """Return an archive of twenty stories, crawl.zip in the working folder."""
    return write_zip("crawl.zip", {story(number).url: story(number).body for number in range(20)})


@pytest.fixture(scope="session")
def learned() -> dict[str, bytes]:
    """Return a place for the pattern file that the first test has learned from the archive."""
    return {}


@pytest.fixture
def patterns(crawl: Path, run: Callable[..., Result], learned: dict[str, bytes]) -> Path:
    """Return the pattern file learned from the archive, patterns.json in the working folder."""
    path = crawl.with_name("patterns.json")
    if path.name in learned:
        path.write_bytes(learned[path.name])
    else:
        assert run("analyze", "crawl.zip", "-o", "patterns.json").status == 0
        learned[path.name] = path.read_bytes()
    return path


@pytest.fixture
def run(workdir: Path, capfd: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Return a function that runs a Scrapy command in this process, as `scrapy` would outside a project."""

    def run_command(*argv: str) -> Result:
        capfd.readouterr()
        with pytest.raises(SystemExit) as caught:
            execute(["scrapy", *argv], settings=Settings())
        status = caught.value.code
        return Result(status if isinstance(status, int) else 0, *capfd.readouterr())

    return run_command


@pytest.fixture
def run_process(workdir: Path) -> Callable[..., Result]:
    """Return a function that runs `scrapy` in a process of its own; ``cwd`` and ``input`` may be given."""

    def run_scrapy(*argv: str, **settings: Any) -> Result:
        command = [sys.executable, "-W", "error", "-m", "scrapy", *argv]
        settings = {"capture_output": True, "encoding": "utf-8", "timeout": 120} | settings
        done = subprocess.run(command, **settings)
        return Result(done.returncode, done.stdout, done.stderr)

    return run_scrapy


@pytest.fixture
def run_fork(workdir: Path) -> Callable[..., Result]:
    """Return a function that runs `scrapy` in a fork of a process that has imported it."""

    def run_scrapy(*argv: str, cwd: Path = workdir, stdin: str = "") -> Result:
        done = forked_scrapy.run_scrapy(*argv, cwd=cwd, env=os.environ, strict=True, stdin=stdin)
        return Result(done.returncode, done.stdout, done.stderr)

    return run_scrapy


@pytest.fixture
def read_items() -> Callable[[Path], list[dict[str, Any]]]:
    """Return a function that reads JSON lines."""
    return lambda path: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
