"""scrapyd: a project with its patterns inside is deployed as an egg."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from registry import check
from trial import CRAWL_SPIDER, CheckError, Trial, expect

SCRAPYD_CONFIGURATION = """
[scrapyd]
http_port = PORT
bind_address = 127.0.0.1
poll_interval = 0.2
"""
SETUP = """
from setuptools import setup

setup(
    name="press",
    version="1",
    packages=["press"],
    package_data={"press": ["patterns.json"]},
    entry_points={"scrapy": ["settings = press.settings"]},
)
"""
PRESS_SETTINGS = """
SPIDER_MODULES = ["press.spiders"]
ADDONS = {"scrapy_webstemmer.Addon": 500}
WEBSTEMMER_PATTERNS = "press:patterns.json"
WEBSTEMMER_ARTICLES = "articles.jsonl"
FEEDS = {"scrapyd.jsonl": {"format": "jsonlines"}}
"""


@check(
    "scrapyd",
    "scrapyd, with the patterns in the project's egg",
    "scrapy",
    "scrapyd",
    "scrapyd-client",
    "setuptools < 81",
    shown=("scrapyd", "scrapyd-client"),
)
def scrapyd(trial: Trial) -> str:
    """Deploy a project that has its patterns inside, and schedule its spider."""
    trial.learn()
    trial.site.publish(2)
    bare = trial.crawl("bare", addon=False)
    trial.write("press/__init__.py", "")
    trial.write("press/settings.py", PRESS_SETTINGS)
    trial.write("press/spiders.py", CRAWL_SPIDER.format(prepare="pass"))
    trial.write("press/patterns.json", trial.read("patterns.json").decode())
    trial.write("setup.py", SETUP)
    trial.write("scrapy.cfg", "[settings]\ndefault = press.settings\n[deploy]\nproject = press\n")
    trial.run(str(trial.python.with_name("scrapyd-deploy")), "--build-egg", "press.egg")
    folder = trial.folder / "server"
    with free_port() as port:
        (folder).mkdir()
        (folder / "scrapyd.conf").write_text(SCRAPYD_CONFIGURATION.replace("PORT", str(port)))
    server = subprocess.Popen(
        [trial.python.with_name("scrapyd")],
        cwd=folder,
        env={**os.environ, "STATS": "extract.stats"},
        stdout=(folder / "server.log").open("w"),
        stderr=subprocess.STDOUT,
    )
    try:
        run_job(f"http://127.0.0.1:{port}/", trial)
    finally:
        server.terminate()
        server.wait()
    (trial.folder / "articles.jsonl").write_bytes((folder / "articles.jsonl").read_bytes())
    items = (folder / "scrapyd.jsonl").read_bytes()
    expect(sorted(items.splitlines()) == sorted(bare.items.splitlines()), "the items differ")
    return (
        f"the scheduled job wrote {trial.articles()}; {len(items.splitlines())} items as without the add-on"
    )


@contextmanager
def free_port() -> Iterator[int]:
    """Give a port that nobody uses."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        yield one.getsockname()[1]


def run_job(server: str, trial: Trial) -> None:
    """Deploy the egg, schedule the spider, and wait until its job is finished."""

    def call(name: str, data: bytes | None = None, **headers: str) -> dict[str, Any]:
        with urlopen(Request(server + name, data, headers)) as reply:
            answer = json.loads(reply.read())
        expect(answer["status"] == "ok", f"{name}: {answer}")
        return answer

    wait(lambda: call("daemonstatus.json"), "scrapyd does not start")
    parts = {"project": b"press", "version": b"1", "egg": trial.read("press.egg")}
    boundary = "a-boundary-of-these-parts"
    body = b"".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'.encode()
        + (b'; filename="press.egg"' if name == "egg" else b"")
        + b"\r\n\r\n"
        + part
        + b"\r\n"
        for name, part in parts.items()
    )
    kind = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    call("addversion.json", body + f"--{boundary}--\r\n".encode(), **kind)
    call("schedule.json", urlencode({"project": "press", "spider": "site", "url": trial.site.url}).encode())
    wait(lambda: call("listjobs.json?project=press")["finished"], "the job does not end")


def wait(condition: Callable[[], object], message: str, seconds: float = 60) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with suppress(OSError):
            if condition():
                return
        time.sleep(0.2)
    raise CheckError(message)
