"""The example project goes all the way from pages to articles on the demo site."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from demo_site.compare import compare
from demo_site.site import write


@pytest.fixture
def environment(example: Path) -> dict[str, str]:
    """Return an environment that finds the project's modules from any folder."""
    return {**os.environ, "PYTHONPATH": str(example), "SCRAPY_SETTINGS_MODULE": "demo_crawl.settings"}


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


def test_from_pages_to_articles(tmp_path: Path, environment: dict[str, str], demo_url: str) -> None:
    """Patterns learned on day one give exactly the articles of day two, and no other page."""

    def scrapy(*arguments: str) -> None:
        command = [sys.executable, "-m", "scrapy", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        assert "Deprecat" not in done.stderr, done.stderr

    (tmp_path / "output").mkdir()
    crawl = ("crawl", "textcrawler", "-a", f"url={demo_url}", "-a", "depth=unlimited")
    scrapy(*crawl)
    scrapy("analyze", "output/site.sqlite", "-o", "patterns.json")
    write(tmp_path / "demo", 2)
    scrapy(*crawl, "-s", "WEBSTEMMER_PATTERNS=patterns.json", "-O", "a.jsonl")

    result = compare(tmp_path / "demo" / "truth.jsonl", tmp_path / "a.jsonl")
    assert (result.groups[1].total, result.groups[2].total) == (90, 54)
    assert not result.unexpected
    assert result.passed, "\n".join(result.differences)
    assert result.groups[1].exact >= 88
