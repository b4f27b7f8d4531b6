"""Features of Scrapy itself, and notebooks. Each check returns what came of it."""

from __future__ import annotations

import json
import signal
import subprocess

from registry import check
from trial import Trial, expect


@check("scrapy", "Scrapy, newest")
@check("scrapy-2.13", "Scrapy, oldest", "scrapy == 2.13.*")
def scrapy(trial: Trial) -> str:
    """Crawl without anything else."""
    return trial.usual()


@check("select-reactor", "`TWISTED_REACTOR` without asyncio, newest Scrapy")
@check("select-reactor-2.13", "`TWISTED_REACTOR` without asyncio, oldest Scrapy", "scrapy == 2.13.*")
def select_reactor(trial: Trial) -> str:
    """Crawl in a reactor that is not asyncio's."""
    return trial.usual(TWISTED_REACTOR="twisted.internet.selectreactor.SelectReactor")


@check("no-reactor", "`TWISTED_REACTOR_ENABLED = False`")
def no_reactor(trial: Trial) -> str:
    """Crawl in asyncio, without a Twisted reactor."""
    return trial.usual(TWISTED_REACTOR_ENABLED=False)


PROCESS = """
import sys
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.utils.project import get_project_settings

process = AsyncCrawlerProcess(get_project_settings())
process.crawl("site", url=sys.argv[1])
process.start()
"""


@check("async-crawler-process", "`AsyncCrawlerProcess` in a script")
def async_crawler_process(trial: Trial) -> str:
    """Crawl from a script."""
    trial.write("script.py", PROCESS)
    trial.command = ("script.py",)
    return trial.usual()


@check("httpcache", "`HTTPCACHE_ENABLED`")
def httpcache(trial: Trial) -> str:
    """Collect from the site, and then extract from Scrapy's cache alone."""
    trial.learn(HTTPCACHE_ENABLED=True)
    with trial.site.requests() as paths:
        bare = trial.crawl("bare", addon=False, HTTPCACHE_ENABLED=True)
        from_cache = trial.extract(HTTPCACHE_ENABLED=True)
    expect(not paths, f"{len(paths)} requests in spite of the cache")
    trial.expect_same(bare, from_cache)
    hits = from_cache.stats["httpcache/hit"]
    return f"the second crawl took {hits} responses from the cache, none from the site; {trial.articles()}"


def interrupted(trial: Trial, name: str, responses: int, **settings: object) -> None:
    """Begin a crawl, and stop it with SIGINT after so many responses."""
    environment = trial.environment(name, True, {"LOG_LEVEL": "DEBUG", **settings})
    process = subprocess.Popen(
        trial.arguments(), cwd=trial.folder, env=environment, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    seen = 0
    for line in process.stderr:
        seen += "Crawled (200)" in line
        if seen == responses:
            process.send_signal(signal.SIGINT)
            seen += 1  # a second signal would kill it
    expect(process.wait() == 0, f"the stopped crawl has status {process.returncode}")
    reason = json.loads(trial.read(f"{name}.stats"))["finish_reason"]
    expect(reason == "shutdown", f"the crawl was not stopped, but {reason}")


@check("jobdir", "`JOBDIR`, stopped by Ctrl-C and resumed")
def jobdir(trial: Trial) -> str:
    """Stop both crawls half way, and go on with them."""
    feeds = {"items.jsonl": {"format": "jsonlines"}}
    collect = {"JOBDIR": "job1", "WEBSTEMMER_LEARNING_SET": "learning.sqlite"}
    interrupted(trial, "stopped1", 60, **collect)
    trial.crawl("resumed1", **collect)
    trial.analyze()
    trial.site.publish(2)
    bare = trial.crawl("bare", addon=False)
    extract = {"WEBSTEMMER_PATTERNS": "patterns.json", "WEBSTEMMER_ARTICLES": "articles.jsonl"}
    interrupted(trial, "stopped2", 90, JOBDIR="job2", FEEDS=feeds, **extract)
    trial.crawl("resumed2", JOBDIR="job2", FEEDS=feeds, **extract)
    items = sorted(trial.read("items.jsonl").splitlines())
    expect(items == sorted(bare.items.splitlines()), "the items are not those of one whole crawl")
    return f"after both crawls {trial.articles()}, none twice; {len(items)} items as from one whole crawl"


#: Runs the cells of a notebook, which are separated by lines of dashes, in a Jupyter kernel.
NOTEBOOK = """
import sys
import nbformat
from nbclient import NotebookClient

cells = open(sys.argv[1]).read().replace("URL", sys.argv[-1]).split("\\n---\\n")
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
for cell in notebook.cells:
    for output in cell.outputs:
        print(output.get("text", ""))
"""
CRAWL_CELLS = """
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.utils.project import get_project_settings
---
settings = get_project_settings()
settings["TWISTED_REACTOR_ENABLED"] = False
runner = AsyncCrawlerRunner(settings)
await runner.crawl("site", url="URL")
"""
LEARN_CELLS = """
import json
import sys
from scrapy_webstemmer import extract, learn
from scrapy_webstemmer.storage import open_pages
---
with open_pages("learning.sqlite") as pages:
    patterns = learn(pages)
---
with open_pages("learning.sqlite") as pages, open("notebook.jsonl", "w") as feed:
    for page in pages:
        article = extract(page, patterns)
        if article:
            feed.write(json.dumps({"url": article.url, "title": article.title, "text": article.text}) + "\\n")
---
assert "scrapy" not in sys.modules
"""


@check(
    "notebook",
    "a Jupyter notebook: a crawl, and `learn` and `extract`",
    "scrapy",
    "nbclient",
    "ipykernel",
    shown=("ipykernel", "nbclient"),
)
def notebook(trial: Trial) -> str:
    """Crawl in the event loop of a kernel; learn and extract in another kernel, without Scrapy."""
    trial.write("notebook.py", NOTEBOOK)
    trial.write("crawl.cells", CRAWL_CELLS)
    trial.write("learn.cells", LEARN_CELLS)
    trial.command = ("notebook.py", "crawl.cells")
    outcome = trial.usual()
    trial.site.publish(1)
    trial.run(str(trial.python), "notebook.py", "learn.cells", "-")
    learned = trial.articles("notebook.jsonl")
    crawled = f"`AsyncCrawlerRunner` with `TWISTED_REACTOR_ENABLED = False`: {outcome}"
    return f"{crawled}; `learn` and `extract`: {learned}"
