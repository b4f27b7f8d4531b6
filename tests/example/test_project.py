"""The example project goes all the way from pages to articles on the demo site."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from demo_site.compare import compare
from demo_site.site import build, truth, write
from forked_scrapy import run_scrapy

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def environment(example: Path) -> dict[str, str]:
    """Return an environment that finds the project's modules from any folder."""
    path = os.pathsep.join([str(example), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, "SCRAPY_SETTINGS_MODULE": "demo_crawl.settings"}


@pytest.fixture
def demo_url(tmp_path: Path, environment: dict[str, str]) -> Iterator[str]:
    """Serve day one of the demo site from ``tmp_path/demo``."""
    write(tmp_path / "demo", 1)
    command = [sys.executable, "-m", "demo_site", "serve", str(tmp_path / "demo")]
    with (
        (tmp_path / "server.log").open("w") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment) as server,
    ):
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.terminate()


def crawl(folder: Path, environment: dict[str, str], url: str, *arguments: str) -> str:
    """Crawl the site as the project's settings say; return the log."""
    given = ("-a", f"url={url}", "-a", "depth=unlimited")
    done = run_scrapy("crawl", "textcrawler", *given, *arguments, cwd=folder, env=environment)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    assert "Deprecat" not in done.stderr, done.stderr
    return done.stderr


def shown_of(log: str) -> list[str]:
    """Return the lines that ``example_project/run`` shows of a log."""
    script = (ROOT / "example_project" / "run").read_text(encoding="utf-8")
    (command,) = re.findall(r"sed -n (-e '.*?'\s*\\\n\s*-e '.*?') \"\$log\"", script)
    words = ["sed", "-n", *shlex.split(command.replace("\\\n", " "))]
    return subprocess.run(words, input=log, capture_output=True, text=True, check=True).stdout.splitlines()


def articles(day: int) -> set[str]:
    """Return the addresses of the articles of a day."""
    return {str(record["path"]) for record in truth(day)}


def other_pages(day: int) -> set[str]:
    """Return the addresses of all other pages of a day: fronts, sections, tags, archives, about."""
    return {path for path in build(day) if path.endswith(("/", ".html"))} - articles(day)


def test_three_days(tmp_path: Path, environment: dict[str, str], demo_url: str) -> None:
    """The crawl of each day gives exactly the day's articles; it warns of the redesign and of nothing else.

    Each crawl learns what it needs at its end, and skips the articles of earlier crawls: all other pages are
    fetched once.
    """
    changed, demo = [], tmp_path / "demo"
    urldb = ("-s", "WEBSTEMMER_URLDB=output/seen.urldb")
    requests, known = Counter[str](), set[str]()
    for day in (1, 2, 3):
        write(demo, day)
        feed = tmp_path / f"day{day}.jsonl"
        log = crawl(tmp_path, environment, demo_url, "-s", f"WEBSTEMMER_ARTICLES={feed.name}", *urldb)
        result = compare(demo / "truth.jsonl", feed, only_new=True)
        assert result.passed, "\n".join([*result.unexpected, *result.differences])
        assert (result.new.total, result.new.found) == ((90, 54, 90)[day - 1],) * 2
        assert "'webstemmer/learned/sites': 1" in log
        shown = shown_of(log)
        assert shown[-1].startswith("   Sites learned: 1, from ")
        assert [line.partition(": ")[0] for line in shown[:-1]] == ["   WARNING"] * (day == 3)
        if "'webstemmer/drift/127.0.0.1'" in log:
            assert "127.0.0.1 has changed: " in log
            changed.append(day)
        before = requests
        requests = Counter(re.findall(r'"GET (\S+) HTTP', (tmp_path / "server.log").read_text("utf-8")))
        assert requests - before == Counter(other_pages(day) | (articles(day) - known) | {"/robots.txt"})
        known |= articles(day)
    assert changed == [3]
