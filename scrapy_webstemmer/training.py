"""Learn in a process of its own, while a crawl ends: update a pattern file, and extract the pages that wait.

The process decides which sites need learning, and from which of their pages. It talks with the crawl through
a folder that nobody else can read::

    task          the task, a pickle
    progress      a line of text that says how far the work is
    articles      for each waiting page its url, its article if it has one, and the reason or the error if
                  it has none: pickles, one after the other
    outcome.json  what was done; it is written last
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from .api import extract_in_parts, learn
from .base.files import replacing
from .base.parts import Parts
from .base.samples import PageSample
from .base.workers import Workers
from .errors import LearningSetError, PageError, WebstemmerError, plural
from .extraction.result import Result
from .options import ExtractOptions, LearnOptions
from .pattern_files.pattern_file import PatternSet, add_sites
from .site.model import HANDFUL
from .storage.sqlite import SqliteLearningSet
from .values import Article, Page, SitePatterns

#: A site is learned again when this many times as many of its pages are known.
_GROWN = 1.5
#: Bound: sites with so many pages together are learned at the same time.
_PAGES_AT_A_TIME = 10_000

#: Takes the step that is being done, and how far it is.
_Say = Callable[..., None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What is to be learned and extracted.

    :param learning_set: the path of the learning set, a SQLite file.
    :param patterns: the path of the pattern file, which is made if it is missing.
    :param sites: the sites of the crawl's pages; no other site is learned.
    :param waiting: the urls of stored pages whose articles are wanted.
    :param drifted: the sites that have changed since they were learned.
    :param with_anchors: whether anchor texts of the learning set are used; False: those of the pages.
    :param workers: number of processes that share the work.
    """

    learning_set: str
    patterns: str
    sites: tuple[str, ...]
    waiting: tuple[str, ...] = ()
    drifted: frozenset[str] = frozenset()
    learn: LearnOptions = field(default_factory=LearnOptions)
    extract: ExtractOptions = field(default_factory=ExtractOptions)
    with_anchors: bool = True
    workers: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was done.

    :param learned: for each learned site, the number of pages that it was learned from.
    :param known: those of the crawl's sites that are in the pattern file now.
    :param learning: seconds that learning took.
    :param extracting: seconds that extraction took.
    """

    learned: Mapping[str, int] = field(default_factory=dict)
    known: Sequence[str] = ()
    learning: float = 0.0
    extracting: float = 0.0


class Entry(NamedTuple):
    """What has become of a waiting page.

    :param article: None: it gives none.
    :param reason: why it gives none.
    :param error: the error on which reading it has ended; empty: there was none.
    """

    url: str
    article: Article | None = None
    reason: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Folder:
    """The files through which the two processes talk."""

    path: Path

    @property
    def articles(self) -> Path:
        """The file of the articles."""
        return self.path / "articles"

    def write_task(self, task: Task) -> None:
        """Write the task."""
        (self.path / "task").write_bytes(pickle.dumps(task))

    def read_task(self) -> Task:
        """Return the task."""
        task: Task = pickle.loads((self.path / "task").read_bytes())  # noqa: S301 - this user's own file
        return task

    def say(self, progress: str) -> None:
        """Say how far the work is."""
        with replacing(self.path / "progress") as stream:
            stream.write(progress.encode())

    def progress(self) -> str:
        """Return how far the work is; empty: it has not begun."""
        try:
            return (self.path / "progress").read_text(encoding="utf-8")
        except OSError:
            return ""

    def write_outcome(self, outcome: Outcome) -> None:
        """Write what was done, which ends the work."""
        (self.path / "outcome.json").write_text(json.dumps(asdict(outcome)), encoding="utf-8")

    def read_outcome(self) -> Outcome:
        """Return what was done."""
        return Outcome(**json.loads((self.path / "outcome.json").read_text(encoding="utf-8")))

    def read_articles(self) -> Iterator[Entry]:
        """Yield what has become of each waiting page."""
        with self.articles.open("rb") as stream, suppress(EOFError):
            while True:
                yield pickle.load(stream)  # noqa: S301 - as above


def update(task: Task, folder: Folder, say: _Say) -> Outcome:
    """Learn the sites that need it, write the pattern file, and write the articles of the waiting pages.

    :param say: told from time to time how far the work is.
    :raises LearningSetError: the learning set cannot be read.
    :raises PatternFileError: the pattern file cannot be read or written.

    Time and memory of learning are bounded by the sample of each site (``max_pages``) and by
    :data:`_PAGES_AT_A_TIME`; extraction takes time for each waiting page.
    """
    begin = time.monotonic()
    with SqliteLearningSet(task.learning_set) as learning_set:
        patterns = PatternSet.load(task.patterns) if Path(task.patterns).exists() else PatternSet()
        learned = _learn(task, learning_set, patterns, say)
        if learned:
            patterns = add_sites(task.patterns, learned)
        middle = time.monotonic()
        _extract(task, learning_set, patterns, folder, say)
    return Outcome(
        learned={name: site.pages for name, site in sorted(learned.items())},
        known=[site for site in task.sites if site in patterns.sites],
        learning=round(middle - begin, 1),
        extracting=round(time.monotonic() - middle, 1),
    )


def _learn(
    task: Task, learning_set: SqliteLearningSet, patterns: PatternSet, say: _Say
) -> dict[str, SitePatterns]:
    """Return the patterns of the sites that need learning and have given some."""
    counts = learning_set.count_pages(task.sites)
    wanted = sites_to_learn(counts, patterns, task.drifted, task.learn.max_pages)
    learned: dict[str, SitePatterns] = {}
    fresh, done = set(task.waiting), 0
    for sites in _batches(wanted, counts, task):
        keys_of = learning_set.keys_of(sites).values()
        keys = [key for all_keys in keys_of for key in pages_to_learn(all_keys, fresh, task.learn.max_pages)]
        first, done = done + 1, done + len(sites)
        numbers = f"site {done:,}" if done == first else f"sites {first:,} to {done:,}"
        which = f"{numbers} of {len(wanted):,}"
        pages = _told(filter(None, map(learning_set.page, keys)), len(keys), which, say)
        anchors = learning_set.linkinfo(sites) if task.with_anchors else None
        new_patterns = learn(pages, anchors, task.learn, workers=task.workers)
        learned |= {name: site for name, site in new_patterns.sites.items() if site.patterns}
    return learned


def sites_to_learn(
    counts: Mapping[str, int], patterns: PatternSet, drifted: Collection[str], most: int
) -> list[str]:
    """Return the sites that need learning: new ones, those that have grown by half, and those that drifted.

    :param counts: number of known pages of each site.
    :param most: number of pages that learning draws at most; 0: all. From then on a site does not grow.
    """
    return [
        site
        for site, count in sorted(counts.items())
        if count >= HANDFUL and _needs(patterns.sites.get(site), count, site in drifted, most)
    ]


def _needs(known: SitePatterns | None, count: int, has_drifted: bool, most: int) -> bool:
    if known is None or has_drifted:
        return True
    before = known.usual.known if known.usual else known.pages
    return count >= _GROWN * before and not 0 < most <= before


def pages_to_learn(keys: Sequence[str], fresh: Collection[str], most: int) -> list[str]:
    """Return the pages that a site is learned from, in their order: all, or a sample.

    Half of the sample may be pages that no pattern fits. A new layout of a large site would otherwise have
    hardly a page in it.

    :param keys: the urls of all pages.
    :param fresh: the urls of those that no pattern fits.
    :param most: the size of the sample; 0: all pages.
    """
    if not 0 < most < len(keys):
        return list(keys)
    new = _drawn([key for key in keys if key in fresh], most // 2)
    return sorted(new | _drawn([key for key in keys if key not in new], most - len(new)))


def _drawn(keys: Sequence[str], most: int) -> set[str]:
    """Return a sample that is drawn evenly from the directories of the urls."""
    sample = PageSample(most)
    return set(keys).difference([sample.add(key) for key in keys]) if most else set()


def _batches(sites: Sequence[str], counts: Mapping[str, int], task: Task) -> Iterator[list[str]]:
    batch: list[str] = []
    pages = 0
    for site in sites:
        size = min(counts[site], task.learn.max_pages or counts[site])
        if batch and pages + size > _PAGES_AT_A_TIME:
            yield batch
            batch, pages = [], 0
        batch.append(site)
        pages += size
    if batch:
        yield batch


def _told(pages: Iterator[Page], total: int, which: str, say: _Say) -> Iterator[Page]:
    for number, page in enumerate(pages, 1):
        say(f"reading {which}", f"{number:,} of {plural(total, 'page')}")
        yield page
    say(f"learning {which}")


def _extract(
    task: Task, learning_set: SqliteLearningSet, patterns: PatternSet, folder: Folder, say: _Say
) -> None:
    """Write the entries of the waiting pages. Pages of sites that were not learned are read as well."""
    work = partial(_entry_of, patterns=patterns, options=replace(task.extract, fallback=True))
    with (
        folder.articles.open("wb") as stream,
        Workers[None, tuple[str, Page], bytes](work, task.workers, together=True, forked=True) as pool,
    ):
        for number, key in enumerate(task.waiting, 1):
            say("extracting", f"{number:,} of {plural(len(task.waiting), 'page')}")
            try:
                page = learning_set.page(key)
            except LearningSetError as error:  # its row is damaged
                stream.write(pickle.dumps(Entry(key, error=str(error))))
                continue
            if page is not None:
                stream.writelines(entry for _, entry in pool.add(None, (key, page), len(page.body)))
        stream.writelines(entry for _, entry in pool.rest())


def _entry_of(task: tuple[str, Page], patterns: PatternSet, options: ExtractOptions) -> Parts[bytes]:
    key, page = task
    try:
        result = yield from extract_in_parts(page, patterns, options)
    except PageError:
        result = Result(page.url)
    except Exception as error:  # an error of ours costs this page, and no other
        return pickle.dumps(Entry(key, error=f"{type(error).__name__}: {error}"))
    return pickle.dumps(Entry(key, result.article, result.reason))


#: Format: seconds between two lines of progress.
_PAUSE = 0.5


class _Progress:
    """Says what is being done and how far it is, and ends the process when its parent has ended.

    A new step is said at once, numbers within a step twice a second.
    """

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._parent = os.getppid()
        self._next = 0.0
        self._step = ""

    def __call__(self, step: str, done: str = "") -> None:
        now = time.monotonic()
        if step == self._step and now < self._next:
            return
        self._next, self._step = now + _PAUSE, step
        if os.getppid() != self._parent:
            sys.exit("the crawl has ended")
        self._folder.say(f"{step}: {done}" if done else step)


def main(folder: str) -> None:
    """Do the task in a folder. An error is the last line on standard error, and gives the exit status 1."""
    files = Folder(Path(folder))
    try:
        files.write_outcome(update(files.read_task(), files, _Progress(files)))
    except (WebstemmerError, OSError) as error:
        sys.exit(str(error))
