"""Learn at the end of a crawl in another process, and give the articles of the pages that waited for it."""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from scrapy.http import HtmlResponse, Request
from scrapy.utils.job import job_dir

from ..base.urls import canonical_url, site_of
from ..engines import ENGINES
from ..errors import plural
from ..monitoring.changes import fits
from ..storage.sqlite import SqliteLearningSet
from ..training import Folder, Outcome, Task
from .reports import KEY, USE, count
from .scrapy_internals import Turn, pause
from .settings import learned_patterns, opened, path_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from scrapy import Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from ..article.result import Result
    from ..items import CrawledPage
    from ..values import Article, Page
    from .page_store import PageStore
    from .settings import WebstemmerSettings

logger = logging.getLogger(__name__)

#: Seconds between two looks at the process, and between two lines of the log about it.
_LOOK, _SAY = 0.05, 10.0
# --- Run the process that learns at the end of a crawl, while the event loop stays free

#: The process looks for this package also where this one has found it.
_ROOT = str(Path(__file__).resolve().parents[2])
_CODE = (
    "import sys; sys.path.append(sys.argv[1]); from scrapy_webstemmer.training import main; main(sys.argv[2])"
)
#: Bytes on the disk below which a process may not even be able to write why it ends.
_NO_ROOM = 100_000
#: Characters of the process's standard error that are shown if it fails.
_SHOWN = 2_000
_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name)]


class LearningError(Exception):
    """The process has failed; the message is what it says."""


class SkippedError(Exception):
    """Somebody has interrupted it."""


@asynccontextmanager
async def running(task: Task, spider: Spider | None) -> AsyncIterator[Folder]:
    """Let another process do a task, and give the folder with the results.

    The process ends with this one, whatever happens. Ctrl-C and SIGTERM end it alone: the crawl then closes
    in order. Its progress is logged.

    :raises LearningError: it has failed.
    :raises SkippedError: it was interrupted.
    """
    try:
        place = tempfile.TemporaryDirectory(prefix="webstemmer-", ignore_cleanup_errors=True)
    except OSError as error:
        raise LearningError(f"there is no room for temporary files: {error}") from None
    with place as name:
        folder = Folder(Path(name))
        try:
            folder.write_task(task)
            await _run(folder, task.learning_set, spider)
        except OSError as error:  # no memory for another process, or no room in the folder
            raise LearningError(f"its process cannot be started: {error}") from None
        yield folder


async def _run(folder: Folder, learning_set: str, spider: Spider | None) -> None:
    errors = folder.path / "stderr"
    with errors.open("wb") as stream, _interruptions() as caught, _process(folder, stream) as process:
        logger.info("Learning from %s; Ctrl-C skips it", learning_set, extra={"spider": spider})
        said = time.monotonic()
        while process.poll() is None and not caught:
            await pause(_LOOK)
            if time.monotonic() - said > _SAY:
                said = time.monotonic()
                logger.info("Progress: %s", folder.progress() or "starting", extra={"spider": spider})
    if caught:
        raise SkippedError
    if process.returncode:
        raise LearningError(_end_of(errors) or _guess(folder, process.returncode))


def _guess(folder: Folder, status: int) -> str:
    """Return why the process may have ended, if it has not said it."""
    if shutil.disk_usage(folder.path).free < _NO_ROOM:
        return f"there is no room left in {folder.path.parent} for its temporary files"
    return f"it ended with status {status}"


@contextmanager
def _process(folder: Folder, stream: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run the process in a group of its own: Ctrl-C on the terminal then reaches the crawl alone."""
    # -P: the folder of the crawl may have a queue.py that has nothing to do with us
    command = [sys.executable, "-P", "-c", _CODE, _ROOT, str(folder.path)]
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    process = subprocess.Popen(  # noqa: S603 - our own module
        command, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream, **apart
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


#: What was caught, a list for each learning that goes on in this process; and the handlers before them.
_caught: list[list[int]] = []
_handlers: dict[int, Any] = {}


@contextmanager
def _interruptions() -> Iterator[list[int]]:
    """Keep the next Ctrl-C or SIGTERM from the crawl; give the list in which it is noted.

    Several crawls of one process may learn at the same time: one interruption is meant for all of them.
    """
    caught: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield caught
        return
    if not _handlers:
        # A handler that is not Python's (None) could not be put back, and an ignored signal stays ignored.
        before = {number: signal.getsignal(number) for number in _SIGNALS}
        _handlers.update({n: one for n, one in before.items() if one not in (None, signal.SIG_IGN)})
        for number in _handlers:
            signal.signal(number, _skip)
    _caught.append(caught)
    try:
        yield caught
    finally:
        # by identity: lists that have caught nothing are equal
        _caught[:] = [one for one in _caught if one is not caught]
        if not _caught:
            _restore()


def _skip(number: int, _frame: object) -> None:
    """Note an interruption; the next one is for the crawls."""
    for caught in _caught:
        caught.append(number)
    _restore()


def _restore() -> None:
    """Put the handlers back, unless somebody has replaced ours."""
    for number, handler in _handlers.items():
        if signal.getsignal(number) is _skip:
            signal.signal(number, handler)
    _handlers.clear()


def _end_of(errors: Path) -> str:
    return errors.read_text(encoding="utf-8", errors="replace")[-_SHOWN:].strip()


# --- Remember the pages whose articles come at the end of a crawl, when their site has been learned

#: The file in the job's folder that names the pages of a paused job.
_FILE = "webstemmer-late-pages.jsonl"
#: The keys of a request's meta that other components of ours need when its article comes.
_META = (USE, KEY, "redirect_urls", "depth")


@dataclass(frozen=True, slots=True)
class _LatePage:
    """What is left of a request until its page's article comes.

    :param url: the url that was requested.
    :param meta: some of its meta.
    """

    url: str
    meta: dict[str, Any] = field(default_factory=dict)


class LatePages:
    """The pages of a crawl that could not be judged yet, each once, by their canonical urls.

    The pages themselves are in the learning set. With ``JOBDIR`` their names are also in a file of the job,
    so that a resumed job knows them.

    Memory: some 300 bytes a page.

    :param path: the file of a job; None: the crawl is not part of a job.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.sites: set[str] = set()
        self._pages: dict[str, _LatePage] = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                self._read(line)

    @classmethod
    def of(cls, crawler: Crawler) -> Self:
        """Return the pages of a crawl: none, or those that a paused job has left."""
        folder = job_dir(crawler.settings)
        return cls(Path(folder) / _FILE if folder else None)

    def __len__(self) -> int:
        return len(self._pages)

    def __iter__(self) -> Iterator[str]:
        return iter(self._pages)

    def add(self, item: CrawledPage) -> None:
        """Add a page; a later version replaces an earlier one."""
        key, request = canonical_url(item.page.url), item.response.request if item.response else None
        meta = {name: request.meta[name] for name in _META if name in request.meta} if request else {}
        if request is not None and (request.method != "GET" or request.body):
            meta[USE] = False  # a request without body, which comes instead, would take part
        late = _LatePage(request.url if request else item.page.url, meta)
        self._take(key, late)
        if self.path is not None:
            # a key may be of any kind; whoever reads it takes it as text
            line = json.dumps([key, late.url, late.meta], default=str) + "\n"
            with self.path.open("a", encoding="utf-8") as stream:
                stream.write(line)

    def drop(self, url: str) -> None:
        """Forget a page: a later version of it has been judged."""
        self._pages.pop(canonical_url(url), None)

    def response_to(self, key: str, page: Page) -> HtmlResponse:
        """Return a response like that of the crawl, made from the stored page."""
        late = self._pages[key]
        request = Request(late.url, meta=late.meta, dont_filter=True)
        return HtmlResponse(page.url, body=page.body, encoding=page.encoding or "utf-8", request=request)

    def close(self) -> None:
        """Forget all pages: their articles have come."""
        self._pages.clear()
        if self.path is None:
            return
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            logger.error("Cannot remove a file, so a resumed job would give its articles again: %s", error)

    def _take(self, key: str, late: _LatePage) -> None:
        self._pages[key] = late
        self.sites.add(site_of(key))

    def _read(self, line: str) -> None:
        """Take a line of the file. A line that a kill has cut off is left out: its page is fetched again."""
        try:
            key, url, meta = json.loads(line)
            self._take(str(key), _LatePage(str(url), dict(meta)))
        except (ValueError, TypeError):
            logger.warning("%s: a line is damaged and left out", self.path)


# --- Learn at the end of a crawl, and give the articles of the pages that have waited for it

#: At most so many processes share the work at the end.
_MOST_WORKERS = 4

#: Gives a page's article, or the reason why there is none. The flag says whether its site is known now.
_Give = Callable[["Response | None", "Article | None", str, bool], Awaitable[None]]


@dataclass(eq=False)
class LearningAtEnd:
    """Keeps a crawl's patterns up to date: while it goes on, pages wait that no pattern fits.

    At its end another process learns the sites that need it, and extracts the articles of these pages.

    :param store: the crawl's learning set, a SQLite file.
    :param path: the pattern file.
    :param pages: the pages that wait.
    """

    crawler: Crawler
    options: WebstemmerSettings
    store: PageStore
    path: str
    pages: LatePages
    _has_failed: bool = field(default=False, init=False)

    @classmethod
    def from_settings(
        cls, crawler: Crawler, options: WebstemmerSettings, store: PageStore | None
    ) -> Self | None:
        """Return the learning of a crawl, or None if no setting asks for it.

        :raises OptionError: the folder of the pattern file cannot be made.
        """
        if not options.learn or store is None:
            return None
        path = path_of(crawler, learned_patterns(options), options.timestamp)
        with opened("patterns", path):  # this makes its folder
            return cls(crawler, options, store, str(path), LatePages.of(crawler))

    def keep(self, item: CrawledPage, result: Result | None) -> bool:
        """Return whether a page has to wait, and remember it if so.

        :param result: what extraction found out about the page; None: its site was not learned.
        """
        if result is not None and not _is_unlike(result):
            self.pages.drop(item.page.url)
            return False
        if item.seen:
            self.store.add_again(item)
        try:
            self.pages.add(item)
        except OSError as error:  # the disk is full: only a resumed job would read the file
            count(self.crawler, "webstemmer/errors/late")
            level = logging.DEBUG if self._has_failed else logging.ERROR
            self._has_failed = True
            message = "Cannot write which pages wait (later failures are at DEBUG): %s"
            logger.log(level, message, error, extra=self._extra)
        return True

    async def run(self, drifted: Collection[str], sites: Collection[str], give: _Give) -> None:
        """Learn what is to be learned, and give the articles that come of it.

        A page that could not be stored cannot wait.

        :param drifted: the sites that have changed.
        :param sites: the sites of the crawl's pages that have not waited.
        :param give: called for each page that has waited, with its article and the response of an article,
            or with the reason why there is none.
        """
        for url in self.store.lost:
            self.pages.drop(url)
        wanted = sorted(self.pages.sites.union(sites))
        if not wanted:
            return
        task = Task(
            learning_set=str(self.store.learning_set.path),
            patterns=self.path,
            sites=tuple(wanted),
            waiting=tuple(self.pages),
            drifted=frozenset(drifted),
            learn=self.options.learn_options,
            extract=self.options.wanted_options,
            with_anchors=bool(self.options.linkinfo),
            workers=min(os.cpu_count() or 1, _MOST_WORKERS),
        )
        try:
            async with running(task, self.crawler.spider) as folder:
                outcome = folder.read_outcome()
                self._report(outcome)
                await self._give(folder, outcome, give)
        except SkippedError:
            self._say_that_pages_wait("Learning was skipped")
        except LearningError as error:
            count(self.crawler, "webstemmer/errors/learn")
            logger.error("Cannot learn: %s", error, extra=self._extra)
            self._say_that_pages_wait("Learning has failed")

    async def _give(self, folder: Folder, outcome: Outcome, give: _Give) -> None:
        turn, known = Turn(), set(outcome.known)
        with closing(SqliteLearningSet(self.store.learning_set.path, readonly=True)) as pages:
            for url, article, reason, error in folder.read_articles():
                if error:
                    count(self.crawler, "webstemmer/errors/extract")
                    logger.error("Cannot extract %s: %s", url, error, extra=self._extra)
                    continue
                page = pages.page(url) if article is not None else None
                response = self.pages.response_to(url, page) if page is not None else None
                await give(response, article, reason, site_of(url) in known)
                await turn.pass_on()
        self.pages.close()

    def _report(self, outcome: Outcome) -> None:
        learned = sum(outcome.learned.values())
        count(self.crawler, "webstemmer/learned/sites", len(outcome.learned))
        count(self.crawler, "webstemmer/learned/pages", learned)
        if not learned and not self.pages:
            logger.info("No site needs learning", extra=self._extra)
            return
        parts = [f"pages extracted: {len(self.pages):,}, in {outcome.extracting:.1f} s"]
        if learned:
            pages = f"from {plural(learned, 'page')} in {outcome.learning:.1f} s"
            parts.insert(0, f"Sites learned: {len(outcome.learned):,}, {pages}")
        else:
            parts.insert(0, "No site needs learning")
        parts += [f"memory: at most {outcome.memory:,} MiB a process", f"patterns: {self.path}"]
        logger.info("%s", "; ".join(parts), extra=self._extra)

    def _say_that_pages_wait(self, what: str) -> None:
        count(self.crawler, "webstemmer/waiting", len(self.pages))
        verb = "has" if len(self.pages) == 1 else "have"
        article = "final article" if self.options.at_once else "article"
        message = "%s: %s %s given no %s yet. %s keeps what the next crawl learns from"
        values = (what, plural(len(self.pages), "page"), verb, article, self.store.learning_set.path)
        logger.warning(message, *values, extra=self._extra)

    @property
    def _extra(self) -> dict[str, object]:
        return {"spider": self.crawler.spider}


def _is_unlike(result: Result) -> bool:
    """Return whether no learned layout is like a page of a learned site."""
    if result.site is None or not ENGINES[result.site.layout].judges:
        return False
    return fits(result) is False if result.site.patterns else result.layout is not None
