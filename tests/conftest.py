"""A small news site on loopback, and pages to learn from."""

from __future__ import annotations

import gc
import gzip
import json
import logging
import os
import random
import signal
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from loopback import QuietHandler, listening

# No test asserts a time, since the machine may be busy with other things. Property tests have the same
# examples each time, so that a run fails only if the code is wrong, ...
settings.register_profile(
    "same", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True, max_examples=30
)
# ... and more and other examples each time with pytest --hypothesis-profile=search.
settings.register_profile("search", parent=settings.get_profile("same"), derandomize=False, max_examples=100)
# ... or fewer, where the code has been tested with them and only the libraries are others.
settings.register_profile("few", parent=settings.get_profile("same"), max_examples=5)
settings.load_profile("same")

# A shell starts its background jobs with SIGINT ignored, and nohup with SIGHUP. The commands that tests send
# signals to would inherit this, and rightly go on.
for _signal, _usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(_signal) is signal.SIG_IGN:
        signal.signal(_signal, _usual)

# Processes that tests start load no model of languages, which takes a second of each.
_NO_MODEL = Path(__file__).parent / "no_model"
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(_NO_MODEL), os.environ.get("PYTHONPATH")]))


def pytest_configure(config: pytest.Config) -> None:
    """Let each process begin to collect at another place: what one has compiled, the others read."""
    tests, worker = Path(__file__).parent, getattr(config, "workerinput", None)
    if worker and [Path(one).resolve() for one in config.args] == [tests]:
        rooms = {one.parent for one in tests.glob("*/test_*.py")}
        places = sorted(map(str, rooms.union(tests.glob("test_*.py"))))
        first = len(places) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
        config.args = [*places[first:], *places[:first]]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Bring the tests into an order that all processes have."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: str(item.path))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Let the garbage collector never look at the tests, which stay: crawls would have it look at all."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.fixture
def look_at_all() -> Iterator[None]:
    """Let the garbage collector look at all objects, as it does where nobody has asked for less."""
    gc.unfreeze()
    yield
    gc.freeze()


@pytest.fixture(autouse=True)
def _log_as_before() -> Iterator[None]:
    """Take back what commands and crawls of Scrapy set for all logs of a process: other tests read them."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    logging.captureWarnings(False)
    root.handlers[:] = handlers
    root.setLevel(level)


ARTICLES = 12
_SUBJECTS = """The harbour board
A retired teacher
The night ferry
One of the beekeepers
The town archive
Her brother
The youngest player
A visiting engineer
The choir
Nobody at the mill
The new librarian
The old lighthouse""".splitlines()
_VERBS = """measured
forgot
repaired
described
abandoned
rented
painted
counted
recorded
sold
carried
defended""".splitlines()
_OBJECTS = """a bridge over the eastern canal
forty crates of apples
the register of lost umbrellas
an unfinished opera
three maps of the marshes
the smallest observatory in the county
a bicycle built for five
every second lamp
a letter that had never been opened
the last coal barge
two hundred hand-made tiles
the bell of the chapel""".splitlines()
_ENDINGS = """before the winter storms came
while the council was still voting
although the money had run out
and nobody asked for a receipt
because the road was under water
as the photographs clearly show
which surprised even the mayor
until the paint had dried
so the meeting went on past midnight
without telling the neighbours
when the river froze again
to the delight of the children""".splitlines()


def _sentence(chance: random.Random) -> str:
    return " ".join(chance.choice(words) for words in (_SUBJECTS, _VERBS, _OBJECTS, _ENDINGS)) + "."


@dataclass(frozen=True)
class Story:
    """The true contents of an article of the site."""

    title: str
    paragraphs: tuple[str, ...]


def story(number: int, host: str) -> Story:
    """Return the story that a host tells under a number. All stories differ."""
    chance = random.Random(f"{host}/{number}")
    title = f"{chance.choice(_SUBJECTS)} and {chance.choice(_OBJECTS)}, part {number}"
    count = 4 + number % 3
    return Story(title, tuple(" ".join(_sentence(chance) for _ in range(4)) for _ in range(count)))


def article(number: int, host: str) -> str:
    told = story(number, host)
    text = "".join(f"<p>{paragraph}</p>\n" for paragraph in told.paragraphs)
    return _page(
        f"{told.title} - {host} news",
        f'<article class="story"><h1 class="headline">{told.title}</h1>\n'
        f'<div class="body">\n{text}</div></article>'
        f'<aside class="more"><h2>More</h2><ul>{_links([number % ARTICLES + 1], host)}</ul></aside>',
    )


def _links(numbers: list[int], host: str) -> str:
    return "".join(f'<li><a href="/article/{n}.html#top">{story(n, host).title}</a></li>\n' for n in numbers)


def _page(title: str, main: str) -> str:
    return (
        f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>{title}</title></head>\n<body>'
        f'<nav class="top"><a href="/">Home</a> <a href="/about.html">About us</a></nav>\n'
        f'<main id="content">{main}</main>\n'
        f'<footer class="foot"><p>All rights reserved.</p></footer></body></html>'
    )


def index(host: str) -> str:
    more = (
        '<a href="/article/1.html"><img src="/1.png" alt="Picture of part one"></a>'
        '<a href="/moved.html" rel="nofollow">The story that moved</a>'
        '<a href="/never-stored.pdf">A report</a><a href="mailto:desk@example.com">Mail</a>'
        '<a href="http://[broken/">Broken</a>'
    )
    return _page(
        f"{host} news", f'<ul class="list">{_links(list(range(1, ARTICLES + 1)), host)}</ul><p>{more}</p>'
    )


def about(host: str) -> str:
    return _page("About us", f"<h1>About us</h1><p>We write from {host} for whoever reads.</p>")


@dataclass
class Reply:
    body: bytes
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


_AWKWARD = {
    "/empty.html": Reply(b""),
    "/nul.html": Reply(b"<html><body><p>a\0b</p><a href='/x\0y'>N\0L</a></body></html>"),
    "/wrong-charset.html": Reply("<p>café</p><a href='/é?q=é'>é</a>".encode("latin-1")),
    "/unknown-charset.html": Reply("<p>café</p>".encode(), "text/html; charset=x-nobody"),
    "/not-html.html": Reply(b"\x00\x01\x02\xff\xfe" * 100),
    "/data.json": Reply(json.dumps({"a": 1}).encode(), "application/json"),
    "/gone.html": Reply(b"<h1>Not here</h1><p>This page is gone.</p>", status=404),
    "/moved.html": Reply(b"", status=301, headers={"Location": "/article/3.html"}),
}


def reply(path: str, host: str) -> Reply:
    """Return what the site answers; the same host name and path always get the same bytes."""
    path = path.partition("?")[0]
    base = f"http://{host}"
    name = host.partition(":")[0]
    if path in _AWKWARD:
        return _AWKWARD[path]
    if path == "/":
        return Reply(index(name).encode())
    if path == "/about.html":
        return Reply(gzip.compress(about(name).encode()), headers={"Content-Encoding": "gzip"})
    if path == "/sitemap.xml":
        urls = "".join(f"<url><loc>{base}/article/{n}.html</loc></url>" for n in range(1, ARTICLES + 1))
        xml = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
        return Reply(xml.encode(), "application/xml")
    number = path.removeprefix("/article/").removesuffix(".html")
    if path.startswith("/article/") and number.isdigit():
        return Reply(article(int(number), name).encode())
    return Reply(b"<h1>Not found</h1>", status=404)


class _Handler(QuietHandler):
    def answer(self) -> None:
        answer = reply(self.path, self.headers["Host"])
        self.send_response(answer.status)
        for name, value in {"Content-Type": answer.content_type, **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body)


@dataclass(frozen=True)
class NewsSite:
    """The site while it is served; it has the same pages, with other stories, as ``localhost``."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def other_url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def article_urls(self) -> list[str]:
        return [f"{self.url}/article/{number}.html" for number in range(1, ARTICLES + 1)]

    def story(self, url: str) -> Story:
        """Return what the article at a url tells."""
        host, number = url.removeprefix("http://").removesuffix(".html").split("/article/")
        return story(int(number), host.partition(":")[0])


@pytest.fixture(scope="session")
def news_site() -> Iterator[NewsSite]:
    """Serve the site on loopback."""
    with listening(_Handler) as port:
        yield NewsSite(port)
