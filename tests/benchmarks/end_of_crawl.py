#!/usr/bin/env python3
"""Measure what learning adds to the end of a crawl: time, memory, and how long the event loop waits.

    end_of_crawl.py [--docs] [PAGES...]

A generated site of PAGES pages (default: 1,000 and 10,000) is served on loopback and crawled once with
``WEBSTEMMER_LEARN``, so that all of its pages wait for their articles until the end. A table gives

- the seconds from the beginning of our work at the end of the crawl to its end,
- the most memory that this adds: the proportional set size (PSS) of the crawl and of the processes that it
  starts, less that of the crawl before; needs Linux,
- the longest CPU time of the crawl's thread between two turns of its event loop meanwhile, and the longest
  time by the clock, in which other processes of the machine have their part.

A second table compares many small sites with one large one: so many pages in a learning set, all of them
waiting, and the seconds that the learning process takes by itself.

--docs writes the tables to docs/performance.md.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from select import select

BENCHMARKS = Path(__file__).resolve().parent
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS.parent)]

from loopback import WebServer, serve  # noqa: E402
from speed_site import HOST, site_page  # noqa: E402
from tables import fill_tables, markdown  # noqa: E402

from scrapy_webstemmer.base.urls import canonical_url  # noqa: E402
from scrapy_webstemmer.storage import SqliteLearningSet  # noqa: E402
from scrapy_webstemmer.training import Folder, Task  # noqa: E402
from scrapy_webstemmer.values import Page  # noqa: E402

DOCS = BENCHMARKS.parents[1] / "docs"

CRAWL = '''
import asyncio
import json
import sys
import time

import scrapy
from scrapy.crawler import CrawlerProcess

from scrapy_webstemmer.crawl.page_pipeline import PagePipeline


class News(scrapy.Spider):
    name = "news"

    async def start(self):
        for number in range(int(sys.argv[2])):
            yield scrapy.Request(f"{sys.argv[1]}/{number}", callback=self.parse)

    def parse(self, response):
        pass


async def ticks(found):
    """Note the longest times between two turns."""
    clock, cpu = time.perf_counter(), time.thread_time()
    while True:
        await asyncio.sleep(0)
        found["clock"] = max(found["clock"], time.perf_counter() - clock)
        found["cpu"] = max(found["cpu"], time.thread_time() - cpu)
        await asyncio.sleep(0.002)
        clock, cpu = time.perf_counter(), time.thread_time()


finish = PagePipeline.finish


async def measured(self):
    found = {"clock": 0.0, "cpu": 0.0}
    task = asyncio.ensure_future(ticks(found))
    with open("/proc/self/smaps_rollup") as file:
        print(next(line for line in file if line.startswith("Pss:")), end="", flush=True)
    begin = time.perf_counter()
    await finish(self)
    found["seconds"] = time.perf_counter() - begin
    task.cancel()
    found["articles"] = self.crawler.stats.get_value("webstemmer/articles")
    print(json.dumps(found), flush=True)


PagePipeline.finish = measured
process = CrawlerProcess({
    "ADDONS": {"scrapy_webstemmer.Addon": 500}, "WEBSTEMMER_LEARNING_SET": "news.sqlite",
    "WEBSTEMMER_LEARN": True, "WEBSTEMMER_ARTICLES": "articles.jsonl", "LOG_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False, "DOWNLOAD_DELAY": 0, "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
})
process.crawl(News)
process.start()
'''


_PROCESS = "import sys; from scrapy_webstemmer.training import main; main(sys.argv[1])"


class _Pages(dict[str, object]):
    """The pages of the generated site by number, made on request; their links lead to the site itself."""

    def get(self, path: str, default: object = None) -> object:
        number = path.strip("/")
        if not number.isdecimal():
            return default
        return site_page(int(number)).body.decode().replace(f"http://{HOST}", "")


def crawl(pages: int, folder: Path) -> dict[str, float]:
    """Crawl the site, and return what was measured at the end."""
    with serve() as site:
        site.pages = _Pages()  # type: ignore[assignment]
        return _measured(site, pages, folder)


def _measured(site: WebServer, pages: int, folder: Path) -> dict[str, float]:
    command = [sys.executable, "-c", CRAWL, site.url(""), str(pages)]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    begin = process.stdout.readline()
    if not begin:
        raise RuntimeError("the crawl has failed")
    before = most = int(begin.split()[1]) / 1024
    while not select([process.stdout], [], [], 0.1)[0]:
        most = max(most, _memory(process.pid))
    line = process.stdout.readline()
    process.communicate()
    found: dict[str, float] = json.loads(line)
    return found | {"memory": most - before}


def _memory(pid: int) -> float:
    """Return the proportional set size of a process and of all that it has started, in MiB."""
    kilobytes = 0
    for one in _family(pid):
        with suppress(OSError):  # it has just ended
            lines = Path(f"/proc/{one}/smaps_rollup").read_text().splitlines()
            kilobytes += next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return kilobytes / 1024


def _family(pid: int) -> Iterator[int]:
    yield pid
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _family(int(child))


def seconds_of(sites: int, pages: int, folder: Path) -> float:
    """Return the seconds that the learning process takes for some sites, each with some pages."""
    urls = []
    with SqliteLearningSet(folder / "news.sqlite") as learning_set:
        for site in range(sites):
            with learning_set.transaction():
                for number in range(pages):
                    page, host = site_page(site * pages + number), f"site{site}.example"
                    body = page.body.replace(HOST.encode(), host.encode())
                    urls.append(page.url.replace(HOST, host))
                    learning_set.add_page(Page(urls[-1], body, "utf-8"), [])
    files = Folder(folder)
    files.write_task(
        Task(
            learning_set=str(folder / "news.sqlite"),
            patterns=str(folder / "patterns.json"),
            sites=tuple(f"site{site}.example" for site in range(sites)),
            waiting=tuple(map(canonical_url, urls)),
            workers=os.cpu_count() or 1,
        )
    )
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", _PROCESS, str(folder)], check=True)
    return time.perf_counter() - begin


def main() -> None:
    """Measure, print the table, and write it if this is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pages", nargs="*", type=int, default=[1_000, 10_000], metavar="PAGES")
    parser.add_argument("--docs", action="store_true", help="write the table to docs/performance.md")
    args = parser.parse_args()
    rows: list[list[object]] = []
    for pages in args.pages:
        with tempfile.TemporaryDirectory() as folder:
            found = crawl(pages, Path(folder))
        figures = [f"{found['seconds']:.1f}", f"{found['memory']:.0f}"]
        figures += [f"{found[key] * 1000:.0f}" for key in ("cpu", "clock")]
        rows.append([f"{pages:,}", found["articles"], *figures])
    head = ("pages", "articles", "seconds", "MiB more", "longest CPU, ms", "longest by the clock, ms")
    table = markdown(head, rows)
    print(table)
    many: list[list[object]] = []
    for sites, pages in ((1, 6_000), (1_000, 6), (1_500, 4)):
        with tempfile.TemporaryDirectory() as folder:
            many.append([f"{sites:,}", f"{pages:,}", f"{seconds_of(sites, pages, Path(folder)):.1f}"])
    broad = markdown(("sites", "pages of each", "seconds"), many)
    print(broad)
    if args.docs:
        fill_tables(DOCS / "performance.md", {"learning": table, "broad": broad})


if __name__ == "__main__":
    main()
