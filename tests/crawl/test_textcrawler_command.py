"""The textcrawler as the ``scrapy`` command runs it, in a project and without one."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from loopback import WebServer, links, serve

from scrapy_webstemmer.storage.sqlite import SqliteLearningSet
from scrapy_webstemmer.textcrawler import spiders

SUBCLASS = """
from scrapy_webstemmer import TextCrawler


class Crawler(TextCrawler):
    name = "crawler"
"""


@pytest.fixture
def site() -> Iterator[WebServer]:
    """Serve three pages on loopback."""
    with serve() as server:
        server.pages = {"/": links("/a"), "/a": links("/b"), "/b": links()}
        yield server


def stored(path: Path) -> int:
    with SqliteLearningSet(path) as learning_set:
        return len(list(learning_set))


@pytest.mark.parametrize("addon", ["", 'ADDONS = {"scrapy_webstemmer.Addon": 500}'])
def test_in_a_project(addon: str, project: Any, site: WebServer) -> None:
    """A project names the spider's module in SPIDER_MODULES; the add-on may be there already."""
    project.add_settings(f'SPIDER_MODULES.append("scrapy_webstemmer.textcrawler.spiders")\n{addon}')
    assert "textcrawler" in project.scrapy("list")
    project.scrapy("crawl", "textcrawler", "-a", f"url={site.url()}", "-a", "output=set.sqlite")
    assert site.paths() == ["/", "/a"]
    assert stored(project.folder / "set.sqlite") == 2


@pytest.mark.parametrize("own", [True, False], ids=["a subclass", "our own file"])
def test_without_a_project(own: bool, project: Any, site: WebServer) -> None:
    """``scrapy runspider`` runs a subclass of three lines, or the file of the package itself."""
    (project.folder / "scrapy.cfg").unlink()
    (project.folder / "crawler.py").write_text(SUBCLASS, encoding="utf-8")
    file = "crawler.py" if own else str(spiders.__file__)
    arguments = ("-a", f"url={site.url()}", "-a", "output=set.sqlite", "-a", "depth=unlimited")
    project.scrapy("runspider", file, *arguments)
    assert stored(project.folder / "set.sqlite") == 3


@pytest.mark.parametrize(
    ("argument", "reason"),
    [
        ("depth=-1", "must be a whole number from 0 on, or unlimited"),
        ("reject=x(", "'x(' is not a valid regular expression: missing )"),
        ("url=", "must be the url where to begin"),
        ("cookies=missing.txt", "No such file or directory"),
        ("charset=x-nobody", "is not a charset that Python knows"),
        ("dept=1", "did you mean depth?"),
    ],
)
def test_bad_arguments_are_said_at_the_start(
    argument: str, reason: str, project: Any, site: WebServer
) -> None:
    """Nothing is fetched, the exit status is 1, and the last line of the log names the argument."""
    (project.folder / "crawler.py").write_text(SUBCLASS, encoding="utf-8")
    log = project.scrapy("runspider", "crawler.py", "-a", f"url={site.url()}", "-a", argument, status=1)
    name = argument.partition("=")[0]
    last = log.strip().rpartition("\n")[2]
    assert f"ERROR: The crawl does not begin: {name}=" in last
    assert reason in last
    assert "Traceback" not in log
    assert "Unhandled" not in log
    assert site.asked == []


def test_settings_on_the_command_line_come_first(project: Any, site: WebServer) -> None:
    """A setting on the command line overrides an argument that contradicts it."""
    (project.folder / "crawler.py").write_text(SUBCLASS, encoding="utf-8")
    url = f"url={site.url()}"
    project.scrapy("runspider", "crawler.py", "-a", url, "-a", "depth=unlimited", "-s", "DEPTH_LIMIT=1")
    assert site.paths() == ["/", "/a"]


def test_crawl_that_was_interrupted_goes_on(project: Any, site: WebServer) -> None:
    """With a job's folder the next run fetches the start page and the rest of its area."""
    other = site.url("/en/", "localhost")
    site.pages = {"/start/": f"<meta http-equiv=refresh content='0; url={other}'>"}
    site.pages["/en/"] = links(*(f"/en/{n}" for n in range(40)))
    site.pages.update({f"/en/{n}": links(f"/en/{n}/more") for n in range(40)})
    site.pages.update({f"/en/{n}/more": links() for n in range(40)})
    (project.folder / "crawler.py").write_text(SUBCLASS, encoding="utf-8")
    arguments = ("-a", f"url={site.url('/start/')}", "-a", "depth=unlimited", "-a", "output=set.sqlite")
    command = ("runspider", "crawler.py", *arguments, "-s", "JOBDIR=job")
    slow = ("-s", "DOWNLOAD_DELAY=0.05", "-s", "CONCURRENT_REQUESTS=1")
    with project.start(*command, *slow) as crawl:
        lines = 0
        for line in crawl.stderr:
            lines += "] DEBUG: Stored " in line
            if lines == 5:
                crawl.send_signal(signal.SIGINT)
                lines += 1
    before = stored(project.folder / "set.sqlite")
    assert before < 81
    project.scrapy(*command)
    assert stored(project.folder / "set.sqlite") == 81
    fetched = [path for path in site.paths("localhost") if path != "/en/"]
    assert len(fetched) == len(set(fetched)) == 80


def test_log_level(project: Any, site: WebServer) -> None:
    """Scrapy's -L replaces -d: at DEBUG the log names each page and what became of it."""
    project.add_settings('SPIDER_MODULES.append("scrapy_webstemmer.textcrawler.spiders")')
    crawl = ("crawl", "textcrawler", "-a", f"url={site.url()}", "-a", "output=set.sqlite", "-L")
    stored_page = f"Stored {site.url('/a')}"
    assert stored_page in project.scrapy(*crawl, "DEBUG")
    assert stored_page not in project.scrapy(*crawl, "INFO")
