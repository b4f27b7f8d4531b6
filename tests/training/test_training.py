"""A learning set is learned, and its waiting pages give their articles."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from news_pages import article, articles, indexes, story, story_url

from scrapy_webstemmer import ExtractOptions, LearnOptions, Page, PatternSet, learn
from scrapy_webstemmer import training as module
from scrapy_webstemmer.errors import LearningSetError, PatternFileError
from scrapy_webstemmer.extraction.result import Reason
from scrapy_webstemmer.storage import SqliteLearningSet
from scrapy_webstemmer.training import Folder, Outcome, Task, main, update

ONE, OTHER, FEW = "one.example", "other.example", "few.example"


def store(path: Path, pages: Sequence[Page]) -> None:
    with SqliteLearningSet(path) as learning_set:
        for page in pages:
            learning_set.add_page(page, [])


@pytest.fixture
def pages(tmp_path: Path) -> list[Page]:
    """Return the pages of three sites, which are in a learning set."""
    found = [
        *articles(ONE, 12),
        *indexes(ONE, 3),
        *articles(OTHER, 8, "blog"),
        *indexes(OTHER, 2, "blog"),
        *articles(FEW, 2, "bulletin"),
    ]
    store(tmp_path / "news.sqlite", found)
    return found


def run(folder: Path, said: list[str] | None = None, **changes: Any) -> tuple[Outcome, dict[str, str | None]]:
    """Do a task, and return what was done, and the titles of the waiting pages.

    :param said: gets the steps.
    """
    values: dict[str, Any] = {"sites": (FEW, ONE, OTHER), **changes}
    task = Task(learning_set=str(folder / "news.sqlite"), patterns=str(folder / "patterns.json"), **values)
    files = Folder(folder)
    steps: list[str] = [] if said is None else said
    outcome = update(task, files, lambda step, done="": steps.append(step))
    return outcome, {url: found.title if found else None for url, found, *_ in files.read_articles()}


@pytest.mark.parametrize("workers", [1, 2])
def test_sites_are_learned_and_pages_extracted(tmp_path: Path, pages: list[Page], workers: int) -> None:
    """The sites are learned as `learn` does, except those of few pages; every waiting page has a line."""
    urls = tuple(page.url for page in pages)
    outcome, titles = run(tmp_path, waiting=urls, workers=workers)
    assert outcome.learned == {ONE: 15, OTHER: 10}
    assert outcome.known == [ONE, OTHER]
    wanted = learn([page for page in pages if FEW not in page.url])
    assert PatternSet.load(tmp_path / "patterns.json") == wanted
    assert titles.keys() == set(urls)
    for host, number in ((ONE, 12), (OTHER, 8), (FEW, 2)):
        for one in range(1, number + 1):
            assert titles[story_url(host, one)] == story(host, one).title
    assert [titles[url] for url in urls if "/archive/" in url] == [None] * 5


def test_anchors_of_the_learning_set(tmp_path: Path, pages: list[Page]) -> None:
    """Anchor texts come from the learning set, or from the pages themselves."""
    run(tmp_path)
    from_pages = (tmp_path / "patterns.json").read_bytes()
    with SqliteLearningSet(tmp_path / "news.sqlite") as learning_set:
        for page in pages:
            learning_set.add_anchors(page.url, [(story_url(ONE, 1), "Some other text")])
    for with_anchors in (True, False):
        (tmp_path / "patterns.json").unlink()
        run(tmp_path, with_anchors=with_anchors)
        assert ((tmp_path / "patterns.json").read_bytes() == from_pages) != with_anchors


def test_other_sites_are_not_touched(tmp_path: Path, pages: list[Page]) -> None:
    """Only the crawl's own sites are learned; what the pattern file has of others stays."""
    learn(articles("third.example", 6)).save(tmp_path / "patterns.json")
    outcome, _ = run(tmp_path, sites=(ONE,))
    assert outcome.learned.keys() == {ONE}
    assert PatternSet.load(tmp_path / "patterns.json").sites.keys() == {ONE, "third.example"}


def test_nothing_to_learn(tmp_path: Path, pages: list[Page]) -> None:
    """If no site needs learning, the pattern file is not written, and waiting pages give what they have."""
    run(tmp_path)
    written = (tmp_path / "patterns.json").stat().st_mtime_ns
    outcome, titles = run(tmp_path, waiting=(story_url(ONE, 1), "http://one.example/not-stored"))
    assert outcome.learned == {}
    assert (tmp_path / "patterns.json").stat().st_mtime_ns == written
    assert titles == {story_url(ONE, 1): story(ONE, 1).title}


def test_a_redesign(tmp_path: Path, pages: list[Page]) -> None:
    """A site that has drifted is learned again, and its patterns fit old pages and new ones."""
    run(tmp_path)
    new = [article(ONE, number, "bulletin") for number in range(20, 32)]
    store(tmp_path / "news.sqlite", new)
    outcome, titles = run(tmp_path, drifted=frozenset([ONE]), waiting=tuple(page.url for page in new))
    assert outcome.learned == {ONE: 27}
    assert titles == {story_url(ONE, number): story(ONE, number).title for number in range(20, 32)}
    usual = PatternSet.load(tmp_path / "patterns.json").sites[ONE].usual
    assert usual is not None
    assert usual.fitting == usual.judged == 27


def test_a_large_site_is_learned_from_a_sample(tmp_path: Path, pages: list[Page]) -> None:
    """New pages have their place in the sample, however many old ones there are."""
    new = [article(ONE, number, "bulletin") for number in range(20, 24)]
    store(tmp_path / "news.sqlite", new)
    waiting = tuple(page.url for page in new)
    outcome, titles = run(tmp_path, learn=LearnOptions(max_pages=9), waiting=waiting)
    assert outcome.learned == {ONE: 9, OTHER: 9}
    assert titles == {story_url(ONE, number): story(ONE, number).title for number in range(20, 24)}


def test_sites_are_learned_some_at_a_time(
    tmp_path: Path, pages: list[Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of sites that are learned at the same time does not change the result."""
    run(tmp_path)
    written = (tmp_path / "patterns.json").read_bytes()
    (tmp_path / "patterns.json").unlink()
    monkeypatch.setattr(module, "_PAGES_AT_A_TIME", 1)
    said: list[str] = []
    run(tmp_path, said)
    assert (tmp_path / "patterns.json").read_bytes() == written
    steps = ["reading site 1 of 2", "learning site 1 of 2", "reading site 2 of 2", "learning site 2 of 2"]
    assert list(dict.fromkeys(said)) == steps


def test_damaged_files(tmp_path: Path, pages: list[Page]) -> None:
    """A file that is damaged is an error that names it, and nothing is written."""
    (tmp_path / "patterns.json").write_text("{")
    with pytest.raises(PatternFileError, match=r"patterns\.json"):
        run(tmp_path)
    assert (tmp_path / "patterns.json").read_text() == "{"
    (tmp_path / "patterns.json").unlink()
    (tmp_path / "news.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(LearningSetError, match=r"news\.sqlite"):
        run(tmp_path)


def test_unreadable_page(tmp_path: Path) -> None:
    """A page that cannot be read gives no article; the others do."""
    pages = [*articles(ONE, 6), Page(f"http://{ONE}/picture.html", b"\x89PNG\r\n\x1a\n" + bytes(99))]
    store(tmp_path / "news.sqlite", pages)
    _, titles = run(tmp_path, waiting=tuple(page.url for page in pages))
    assert titles.pop(f"http://{ONE}/picture.html") is None
    assert None not in titles.values()


def test_pages_without_an_article_have_a_reason(tmp_path: Path, pages: list[Page]) -> None:
    """The crawl counts them by it. The least confidence also holds for sites that were not learned."""
    waiting = tuple(page.url for page in pages)
    run(tmp_path, waiting=waiting, extract=ExtractOptions(min_confidence=1.0))
    reasons = {url: (found, reason) for url, found, reason, _ in Folder(tmp_path).read_articles()}
    for url, (found, reason) in reasons.items():
        assert found is None
        assert reason
        assert (reason == Reason.UNCERTAIN) == ("/story/" in url)
    assert len(reasons) == len(pages)
    run(tmp_path, waiting=waiting)
    assert {reason for _, found, reason, _ in Folder(tmp_path).read_articles() if found} == {""}


def task_in(folder: Path) -> Folder:
    files = Folder(folder)
    learning_set, patterns = str(folder / "news.sqlite"), str(folder / "patterns.json")
    files.write_task(Task(learning_set=learning_set, patterns=patterns, sites=(ONE,)))
    return files


def test_process(tmp_path: Path, pages: list[Page]) -> None:
    """The process reads its task from a folder, says how far it is, and writes what was done."""
    files = task_in(tmp_path)
    assert files.progress() == ""
    main(str(tmp_path))
    assert files.read_outcome().learned == {ONE: 15}
    assert files.progress() == "learning site 1 of 1"


def test_process_fails(tmp_path: Path, pages: list[Page], capsys: pytest.CaptureFixture[str]) -> None:
    """An error of the files ends it with a line and the status 1."""
    task_in(tmp_path)
    (tmp_path / "news.sqlite").unlink()
    (tmp_path / "news.sqlite").mkdir()
    with pytest.raises(SystemExit, match=r"news\.sqlite"):
        main(str(tmp_path))


@pytest.mark.skipif(sys.platform == "win32", reason="a process there does not know that its parent has ended")
def test_process_ends_with_its_parent(tmp_path: Path, pages: list[Page]) -> None:
    """If the crawl is killed, the process that it has started does not go on."""
    task_in(tmp_path)
    child = (
        "import os, sys, time\n"
        "from scrapy_webstemmer import training as process\n"
        "parent = os.getppid()\n"
        "progress = process._Progress(process.Folder(process.Path(sys.argv[1])))\n"
        "progress('begun')\n"
        "while os.getppid() == parent: time.sleep(0.01)\n"
        "time.sleep(process._PAUSE)\n"
        "progress('going on')\n"
        "open(sys.argv[1] + '/survived', 'w')\n"
    )
    parent = (
        "import subprocess, sys; subprocess.Popen([sys.executable, '-c', sys.argv[1], sys.argv[2]]); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", parent, child, str(tmp_path)], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as first:
        files = Folder(tmp_path)
        while files.progress() != "begun":
            assert first.poll() is None
        first.kill()
        assert first.stderr is not None
        assert b"the crawl has ended" in first.stderr.read()  # it is open until both have ended
    assert not (tmp_path / "survived").exists()
