"""The commands in the README and the documentation run as they stand there."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import scrapy
from forked_scrapy import run_scrapy
from news_pages import articles, indexes

from scrapy_webstemmer import Page, learn
from scrapy_webstemmer.storage.sqlite import SqliteLearningSet
from scrapy_webstemmer.storage.urldb import ARTICLE, UrlDb, url_digest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n?((?:(?!\$ ).*\n)*)", re.MULTILINE)

#: What cannot run here, by the first words: what installs, what is tested in another place, what takes hours,
#: programs that need not be there, and a package that is not for all versions.
NOT_HERE = (
    "pip install", "pip show", "SCRAPY_WEBSTEMMER_COMPILED=0 pip", "docker ", "bash example_project/run",
    "bash tests/run", "python tests/", "zip -FF", "sqlite3 ", "scrapy crawl article ",
)  # fmt: skip

SPIDER = """
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class NewsSpider(CrawlSpider):
    name = "news"
    start_urls = ["{url}/"]
    rules = (Rule(LinkExtractor(allow="/(article|moved|about)"), follow=True),)
"""


class Documented(NamedTuple):
    """A command and what stands below it."""

    page: str
    command: str
    output: str


def commands(page: Path) -> list[Documented]:
    """Return the commands of a page that can run here."""
    found = []
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for command, output in COMMAND.findall(block):
            text = command.replace("\\\n", " ")
            if not text.startswith(NOT_HERE):
                found.append(Documented(page.name, re.sub(r"\s+#\s.*", "", text), output))
    return found


def run(command: str, folder: Path, environment: dict[str, str], *, fails: bool = False) -> str:
    """Run a command, and return its log. It gives one line if it fails, and never a traceback."""
    words = shlex.split(command)
    if words[0] == "scrapy" and "|" not in words:
        done = run_scrapy(*words[1:], cwd=folder, env=environment)
    else:
        shell = ["bash", "-e", "-o", "pipefail", "-c", command]
        done = subprocess.run(
            shell, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
    log = done.stderr + done.stdout
    assert done.returncode == fails, f"{command}\n{log}"
    assert "Traceback" not in log, f"{command}\n{log}"
    return log


@pytest.fixture
def environment() -> dict[str, str]:
    """Return an environment in which ``scrapy`` and ``python`` are those of the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SCRAPY_")}
    return {**kept, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"}


@pytest.fixture
def free_port() -> int:
    """Return a port on which nobody listens."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


#: What runs of the example leave in its folder.
_MADE = shutil.ignore_patterns("output", ".venv", "__pycache__", ".scrapy")


def store(path: Path, pages: list[Page]) -> None:
    with SqliteLearningSet(path) as learning_set:
        for page in pages:
            learning_set.add_page(page)


def add_pages(folder: Path, news_site: Any) -> None:
    """Write the pages, folders and lists that `scrapy extract` can learn from."""
    for name in ("pages", "mirror"):
        (folder / name).mkdir()
        for number, page in enumerate(articles("news.example", 8)):
            (folder / name / f"{number}.html").write_bytes(page.body)
    (folder / "page.html").write_bytes(articles("news.example", 1)[0].body)
    (folder / "urls.txt").write_text("\n".join(news_site.article_urls[:3]), encoding="utf-8")


@pytest.fixture
def stored(project: Any, news_site: Any) -> Any:
    """Return a project that has the files which the commands name, but those that commands make."""
    pages = [*articles("news.example", 20), *indexes("news.example", 6)]
    folder = project.folder
    for name in ("news.sqlite", "pages.sqlite", "saved.sqlite", "news.zip.sqlite"):
        store(folder / name, pages)
    redesigned = [*articles("news.example", 20, "bulletin"), *indexes("news.example", 6, "bulletin")]
    store(folder / "today.sqlite", [replace(page, fetched="2026-11-21T09:00:00Z") for page in redesigned])
    store(folder / "empty.sqlite", [])
    add_pages(folder, news_site)
    learn(pages).save(folder / "patterns.json")
    for name, page in zip(("page.html", "story.html", "a.html", "b.html"), pages, strict=False):
        (folder / name).write_bytes(page.body)
    old = folder / "200906011200" / "news.example"
    old.mkdir(parents=True)
    for number, page in enumerate(pages):
        (old / f"{number}.html").write_bytes(page.body)
    (folder / "linkinfo").write_text("", encoding="utf-8")
    with UrlDb(folder / "news.urldb") as urls:
        urls.mark(url_digest("https://news.example/2026/11/harbour.html"), ARTICLE)
    project.write("spiders/news.py", SPIDER.format(url=news_site.url))
    project.add_settings('SPIDER_MODULES = ["press.spiders", "scrapy_webstemmer.textcrawler.spiders"]')
    return project


#: Pages whose commands have tests of their own: below, and in tests/docs/test_recipes.py.
OWN = {"README.md", "step-by-step.md", "recipes.md"}


def at_home(command: str, news_site: Any) -> str:
    """Return a command with addresses of the local site in place of those of the web."""
    command = re.sub(
        r"(extract .*|fetch .*)https://news\.example/\S*", rf"\1{news_site.article_urls[0]}", command
    )
    command = re.sub(r"(articles )https://news\.example/", rf"\1{news_site.url}/", command)
    command = re.sub(r"(articles )https://intern\.example/", r"\1http://127.0.0.1:9/", command)
    return re.sub(r"(-a url=)https://[\w.]+/", rf"\1{news_site.url}/", command)


@pytest.mark.once
@pytest.mark.parametrize("page", [page for page in FILES if commands(page) and page.name not in OWN], ids=str)
def test_commands_run(page: Path, stored: Any, news_site: Any, environment: dict[str, str]) -> None:
    """The commands of a page run one after the other, in a project that has the files they name."""
    if page.name == "reliability.md":
        with (stored.folder / "news.sqlite").open("r+b") as file:  # the page is about a damaged one
            file.truncate(10_000)
    for one in commands(page):
        fails = one.output.startswith("error: ") or "scrapy drift" in one.command  # the site has changed
        run(at_home(one.command, news_site), stored.folder, environment, fails=fails)


@pytest.mark.once
def test_the_first_screen_of_the_readme(project: Any, news_site: Any, environment: dict[str, str]) -> None:
    """A new project with the three lines in place of its ``ADDONS`` gives articles; so do all commands."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    three = next(block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "ADDONS" in block)
    path = project.folder / "press" / "settings.py"
    settings = path.read_text(encoding="utf-8")
    if scrapy.version_info >= (2, 14):
        assert "\nADDONS = {}\n" in settings
    path.write_text(
        settings.replace("ADDONS = {}\n", three) if "ADDONS = {}" in settings else settings + three
    )
    project.write("spiders/news.py", SPIDER.format(url=news_site.url))
    add_pages(project.folder, news_site)
    for one in commands(ROOT / "README.md"):
        run(at_home(one.command, news_site), project.folder, environment)
    with (project.folder / "more.csv").open(encoding="utf-8", newline="") as stream:
        assert len([*csv.DictReader(stream)]) == 10  # a page, a folder of eight, and a url
    for name in ("news.articles.jsonl", "articles.jsonl"):
        lines = (project.folder / name).read_text(encoding="utf-8").splitlines()
        assert {json.loads(line)["url"] for line in lines} >= set(news_site.article_urls)


@pytest.mark.once
def test_step_by_step(tmp_path: Path, environment: dict[str, str], free_port: int) -> None:
    """The demo site is written, served, crawled, learned, crawled again and compared, as the page says."""
    folder = Path(shutil.copytree(ROOT / "example_project", tmp_path / "demo", ignore=_MADE))
    all_steps = [
        one.command.replace("8000", str(free_port)) for one in commands(ROOT / "docs/step-by-step.md")
    ]
    steps = [step for step in all_steps if not step.startswith(("cd ", "source ", "scrapy crawl news"))]
    last = next(number for number, step in enumerate(steps) if "demo_site compare" in step) + 2
    server = None
    try:
        for step in steps[:last]:
            if " serve " in step:
                words = [sys.executable, *shlex.split(step)[1:]]
                server = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True)
                assert server.stdout is not None
                assert server.stdout.readline() == f"http://127.0.0.1:{free_port}/\n"
            else:
                run(step, folder, environment)  # the comparison fails if less than .98 is exact
    finally:
        if server is not None:
            server.terminate()
            server.communicate()
