"""The task that a crawl gives to the process that learns, and what comes back: values and files.

Both processes use one folder that nobody else can read::

    task          the task, a pickle
    progress      a line of text that says how far the work is
    articles      for each waiting page its url, its article if it has one, and the reason or the error if
                  it has none: pickles, one after the other
    outcome.json  what was done; it is written last
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import NamedTuple

from ..base.files import replacing
from ..options import ExtractOptions, LearnOptions
from ..values import Article


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
    :param memory: the most memory that one of the processes needed, in MiB; 0: unknown.
    """

    learned: Mapping[str, int] = field(default_factory=dict)
    known: Sequence[str] = ()
    learning: float = 0.0
    extracting: float = 0.0
    memory: int = 0


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


def packed(entry: Entry) -> bytes:
    """Return the entry of a waiting page in the file of the articles."""
    return pickle.dumps(entry)
