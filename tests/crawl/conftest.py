"""Crawls in this process, and as the ``scrapy`` command in a fresh project."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import scrapy
from forked_scrapy import ForkedPython, RunningScrapy, run_scrapy
from scrapy import signals

from scrapy_webstemmer.crawl import learning_process
from scrapy_webstemmer.items import article_scraped


@pytest.fixture(scope="session")
def event_loop_of_reactor() -> Iterator[asyncio.AbstractEventLoop]:
    """Install and start Twisted's reactor once for all crawls, because it cannot be started twice."""
    from scrapy.utils.reactor import install_reactor

    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    from twisted.internet import reactor

    reactor.startRunning(installSignalHandlers=False)
    yield reactor._asyncioEventloop
    reactor.fireSystemEvent("shutdown")
    reactor._asyncioEventloop.close()


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let crawls leave their files in a folder of the test."""
    monkeypatch.chdir(tmp_path)


@dataclass
class Crawl:
    """The items, stats and other results of a crawl."""

    scraped: list[Any] = field(default_factory=list)
    articles: list[Any] = field(default_factory=list)
    dropped: list[Any] = field(default_factory=list)
    errors: list[Any] = field(default_factory=list)
    stats: dict[str, Any] = field(default_factory=dict)

    def of(self, cls: type) -> list[Any]:
        """Return the scraped items of a class."""
        return [item for item in self.scraped if isinstance(item, cls)]


@pytest.fixture
def crawl(
    event_loop_of_reactor: asyncio.AbstractEventLoop,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., Crawl]:
    """Return a function that runs a spider in this process and returns what came out.

    The process that learns is a fork. Crawls that are commands start it as those of users do.
    """
    from scrapy.crawler import CrawlerRunner

    caplog.set_level(logging.DEBUG)
    forked = SimpleNamespace(Popen=ForkedPython, DEVNULL=subprocess.DEVNULL)
    monkeypatch.setattr(learning_process, "subprocess", forked)

    def run(spider: type[scrapy.Spider], settings: dict[str, Any] | None = None, **kwargs: Any) -> Crawl:
        quick = {
            "TELNETCONSOLE_ENABLED": False,
            "DOWNLOAD_DELAY": 0,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
            "CONCURRENT_ITEMS": 4,
        }
        runner = CrawlerRunner({**quick, **(settings or {})})
        crawler = runner.create_crawler(spider)
        outcome = Crawl()

        def scraped(item: Any) -> None:
            outcome.scraped.append(item)

        def dropped(item: Any, exception: Exception) -> None:
            outcome.dropped.append((item, exception))

        def failed(item: Any) -> None:
            outcome.errors.append(item)

        def article(article: Any) -> None:
            outcome.articles.append(article)

        crawler.signals.connect(scraped, signals.item_scraped)
        crawler.signals.connect(article, article_scraped)
        crawler.signals.connect(dropped, signals.item_dropped)
        crawler.signals.connect(failed, signals.item_error)

        async def until_done() -> None:
            await runner.crawl(crawler, **kwargs).asFuture(event_loop_of_reactor)

        event_loop_of_reactor.run_until_complete(until_done())
        outcome.stats = crawler.stats.get_stats()
        return outcome

    return run


@dataclass(frozen=True)
class Project:
    """A project that ``scrapy startproject`` has made."""

    folder: Path

    def write(self, name: str, text: str) -> Path:
        """Write a module of the project's package."""
        path = self.folder / "press" / name
        path.write_text(text, encoding="utf-8")
        return path

    def add_settings(self, text: str) -> None:
        """Append to the project's settings."""
        path = self.folder / "press" / "settings.py"
        path.write_text(path.read_text(encoding="utf-8") + "\n" + text + "\n", encoding="utf-8")

    def command(self, *args: str) -> list[str]:
        """Return the command line of a call of ``scrapy``."""
        return [sys.executable, "-m", "scrapy", *args]

    def environment(self) -> dict[str, str]:
        """Return the environment in which ``scrapy`` is called."""
        return {name: value for name, value in os.environ.items() if not name.startswith("SCRAPY_")}

    def start(self, *args: str, env: Mapping[str, str] | None = None) -> RunningScrapy:
        """Start a command, and return it while it runs."""
        return RunningScrapy(*args, cwd=self.folder, env=env or self.environment())

    def scrapy(self, *args: str, status: int = 0, env: Mapping[str, str] | None = None) -> str:
        """Run a command, and return its log. It must not fail, and must not use anything deprecated."""
        done = run_scrapy(*args, cwd=self.folder, env=env or self.environment())
        return self._log(done, status)

    def shell(self, *args: str, status: int = 0) -> str:
        """Run a command as a shell does, with all that it imports itself, and return its log."""
        done = subprocess.run(
            self.command(*args),
            cwd=self.folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return self._log(done, status)

    def _log(self, done: subprocess.CompletedProcess[str], status: int) -> str:
        log = done.stderr + done.stdout
        assert done.returncode == status, log
        assert "ScrapyDeprecationWarning" not in log, log
        assert "DeprecationWarning" not in log, log
        return log


@pytest.fixture(scope="session")
def fresh_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a project as a new user makes it, except that it crawls without delay."""
    folder = tmp_path_factory.mktemp("fresh")
    run_scrapy("startproject", "press", cwd=folder, env=os.environ).check_returncode()
    path = folder / "press" / "press" / "settings.py"
    text = re.sub(
        r"(?m)^(DOWNLOAD_DELAY|CONCURRENT_REQUESTS_PER_DOMAIN).*$", "", path.read_text(encoding="utf-8")
    )
    path.write_text(text, encoding="utf-8")
    return folder / "press"


@pytest.fixture
def project(fresh_project: Path, tmp_path: Path) -> Project:
    """Return a copy of the fresh project, for one test."""
    return Project(Path(shutil.copytree(fresh_project, tmp_path / "press")))
