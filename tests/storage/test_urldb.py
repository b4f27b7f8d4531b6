"""The URLDB keeps what was marked, whatever other processes write and whatever is killed."""

from __future__ import annotations

import contextlib
import random
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlite_files import damage, execute, start

from scrapy_webstemmer.errors import LearningSetError, UrlDbError
from scrapy_webstemmer.storage import SqliteLearningSet
from scrapy_webstemmer.storage import urldb as urldb_module
from scrapy_webstemmer.storage.urldb import ARTICLE, PAGE, Entry, UrlDb, key_digest, url_digest

A, B = url_digest("https://example.com/a"), url_digest("https://example.com/b")

WRITER = """
import sys
from scrapy_webstemmer.storage.urldb import UrlDb, url_digest

path, name, number = sys.argv[1], sys.argv[2], int(sys.argv[3])
with UrlDb(path) as urldb:
    for index in range(number):
        url = f"http://example.com/{name}/{index:05}"
        urldb.mark(url_digest(url), "article")
        urldb.mark(url_digest("http://example.com/"), "page")
        print(url, flush=True)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "seen.sqlite"


@pytest.fixture
def urldb(path: Path) -> Iterator[UrlDb]:
    with UrlDb(path) as urldb:
        yield urldb


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://example.com/a", "https://example.com/a"),
        ("HTTP://EXAMPLE.com:80/a?b=1&a=2#top", "https://example.com:443/a?a=2&b=1"),
        ("http://münchen.example/ä", "http://xn--mnchen-3ya.example/%C3%A4"),
    ],
)
def test_spellings_of_a_url_are_one(one: str, other: str) -> None:
    """A url is known in any spelling, and after its site has moved to https."""
    assert url_digest(one) == url_digest(other)
    assert len(url_digest(one)) == 16


@pytest.mark.parametrize("url", ["http://example.com/A", "http://example.com/a/", "http://www.example.com/a"])
def test_other_urls_are_others(url: str) -> None:
    """Urls for which a server may answer differently stay separate."""
    assert url_digest(url) != A


def test_keys_are_no_urls() -> None:
    """A request's own key never stands for a url, even if it looks like one."""
    assert key_digest("example.com/a") != A
    assert key_digest("a") != key_digest("A")
    assert len({key_digest("\ud800"), url_digest("http://e/\ud800")}) == 2


Step = tuple[str, int, str, int]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["mark", "touch", "prune"]),
        st.integers(0, 4),
        st.sampled_from([PAGE, ARTICLE]),
        st.integers(0, 100),
    ),
    max_size=20,
)


def do(entries: dict[bytes, Entry], step: Step) -> Any:
    """Apply a step to a dict as a URLDB would, and return the expected result."""
    action, number, kind, when = step
    digest = url_digest(f"http://example.com/{number}")
    old = entries.get(digest)
    if action == "mark":
        kinds = {kind, old.kind if old else kind}
        last = max(when, old.last if old else when)
        entries[digest] = Entry(digest, ARTICLE if ARTICLE in kinds else PAGE, last)
        return None
    if action == "touch":
        if old:
            entries[digest] = old._replace(last=max(old.last, when))
        return None
    gone = [each for each in entries.values() if each.last < when]
    for each in gone:
        del entries[each.digest]
    return len(gone)


@given(STEPS)
def test_a_urldb_is_a_dict(steps: list[Step]) -> None:
    """After any steps of marking, touching and pruning, the file holds what a dict would hold."""
    expected: dict[bytes, Entry] = {}
    with tempfile.TemporaryDirectory() as folder, UrlDb(Path(folder, "x")) as urldb:
        for step in steps:
            action, number, kind, when = step
            digest = url_digest(f"http://example.com/{number}")
            result = do(expected, step)
            if action == "mark":
                urldb.mark(digest, kind, when)
            elif action == "touch":
                urldb.touch(digest, when)
            else:
                assert urldb.prune(when) == result
        assert list(urldb) == [expected[digest] for digest in sorted(expected)]
        assert urldb.count() == len(expected)
        assert [urldb.find(digest) for digest in expected] == list(expected.values())


def test_what_was_never_marked_is_not_known(urldb: UrlDb) -> None:
    """Neither looking up a url nor touching it makes an entry."""
    urldb.touch(A)
    assert urldb.find(A) is None
    assert urldb.count() == 0


def test_a_url_is_no_digest(urldb: UrlDb) -> None:
    """A url itself is neither marked nor looked for: no crawl would meet its entry."""
    with pytest.raises(TypeError, match=r"digest must be bytes, not str; url_digest\(url\) gives it"):
        urldb.mark("https://news.example/", "article")  # type: ignore[arg-type]
    assert urldb.count() == 0


def test_marks_are_of_now(urldb: UrlDb, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a time the present time is recorded, in whole seconds."""
    monkeypatch.setattr("time.time", lambda: 1_800_000_000.9)
    urldb.mark(A, PAGE)
    urldb.mark(B, PAGE, when=5)
    urldb.touch(B)
    assert [entry.last for entry in urldb] == [1_800_000_000] * 2


def test_pruning_tells_what_it_removed(urldb: UrlDb) -> None:
    """All removed entries are named once, in the order of their digests, over several transactions."""
    for number in range(2500):
        urldb.mark(key_digest(str(number)), PAGE, when=number)
    told: list[Entry] = []
    assert urldb.prune(2400, told.append) == 2400
    assert [entry.digest for entry in told] == sorted(key_digest(str(number)) for number in range(2400))
    assert sorted(entry.last for entry in urldb) == list(range(2400, 2500))


def test_pruning_gives_space_back(path: Path) -> None:
    """The file gets smaller; another process that reads meanwhile causes no error."""
    with UrlDb(path) as urldb:
        for number in range(3000):
            urldb.mark(key_digest(str(number)), PAGE, when=number)
    size = path.stat().st_size
    with UrlDb(path) as urldb, UrlDb(path) as other:
        other.connection.execute("BEGIN")
        other.count()
        assert urldb.prune(1500) == 1500
        other.connection.execute("COMMIT")
    with UrlDb(path) as urldb:
        assert urldb.prune(2999) == 1499
    assert path.stat().st_size < size / 4
    with UrlDb(path) as urldb:
        assert [entry.last for entry in urldb] == [2999]


def test_killed_while_marking(path: Path) -> None:
    """After kill -9 every url that was reported as marked is there, and the next writer goes on."""
    reported: list[str] = []
    for turn, chance in enumerate((random.Random(1), random.Random(2), random.Random(3))):
        process = start(WRITER, path, str(turn), 100_000)
        assert process.stdout is not None
        for _ in range(chance.randrange(1, 200)):
            reported.append(process.stdout.readline().strip())
        process.kill()
        reported += process.communicate()[0].splitlines()[:-1]  # the last line may be half a line
        with UrlDb(path, readonly=True) as urldb:
            assert all(urldb.find(url_digest(url)) for url in reported)
    with UrlDb(path) as urldb:
        urldb.mark(A, PAGE)


def test_two_writers_and_a_reader(path: Path) -> None:
    """Two processes that make and fill the same file lose nothing; others can read and prune it meanwhile."""
    number = 400
    processes = [start(WRITER, path, name, number) for name in ("one", "two")]
    first = processes[0].stdout
    assert first is not None
    first.readline()
    with UrlDb(path) as meanwhile:
        assert list(meanwhile)
        meanwhile.mark(A, PAGE, when=1)
        assert meanwhile.prune(2) == 1
        for process in processes:
            process.communicate()
            assert process.returncode == 0
        assert meanwhile.count() == 2 * number + 1


def test_entries_may_be_added_while_reading(urldb: UrlDb) -> None:
    """An iteration does not block a writer, and a writer does not disturb it."""
    for number in range(1500):
        urldb.mark(key_digest(str(number)), PAGE)
    with UrlDb(urldb.path, readonly=True) as reader:
        iterator = iter(reader)
        next(iterator)
        urldb.mark(b"\xff" * 16, ARTICLE)
        assert [entry.kind for entry in iterator] == [PAGE] * 1499 + [ARTICLE]


def test_a_lock_is_waited_for_once(urldb: UrlDb, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another process holds the lock, changes fail but look-ups work; only the first change waits."""
    monkeypatch.setattr(urldb_module, "PATIENCE", 0.05)
    urldb.mark(A, ARTICLE)
    with UrlDb(urldb.path) as waiting, UrlDb(urldb.path) as other:
        patience = "PRAGMA busy_timeout"
        assert waiting.connection.execute(patience).fetchone() == (50,)
        other.connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(UrlDbError, match="locked"):
            waiting.mark(B, PAGE)
        assert waiting.connection.execute(patience).fetchone() == (0,)
        assert waiting.find(A)
        other.connection.execute("COMMIT")
        waiting.mark(B, PAGE)
        assert waiting.connection.execute(patience).fetchone() == (50,)


def test_threads_share_one_urldb(urldb: UrlDb) -> None:
    """Several threads may mark urls through the same object."""

    def mark(name: int) -> None:
        for index in range(50):
            urldb.mark(key_digest(f"{name}/{index}"), PAGE)

    threads = [threading.Thread(target=mark, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert urldb.count() == 200


@pytest.mark.parametrize("version", [0, 2, 99])
def test_another_version_is_refused(path: Path, version: int) -> None:
    """A file of another format version is not changed, and the error names the version."""
    UrlDb(path).close()
    execute(path, f"PRAGMA user_version = {version}")
    for readonly in (False, True):
        with pytest.raises(UrlDbError, match=f"format version {version}"):
            UrlDb(path, readonly=readonly)


def test_a_learning_set_is_no_urldb(path: Path) -> None:
    """A learning set does not open as a URLDB, nor a URLDB as a learning set."""
    SqliteLearningSet(path).close()
    with pytest.raises(UrlDbError, match=r"seen\.sqlite: is a SQLite file, but not a URLDB") as caught:
        UrlDb(path)
    assert caught.value.path == path
    path.unlink()
    UrlDb(path).close()
    with pytest.raises(LearningSetError, match="not a learning set"):
        SqliteLearningSet(path)


def test_files_that_are_no_database_are_refused(path: Path) -> None:
    """A text file is refused and does not change; a path in a missing folder is refused, too."""
    path.write_text("no database" * 1000)
    with pytest.raises(UrlDbError, match="not a database"):
        UrlDb(path)
    assert path.read_text() == "no database" * 1000
    with pytest.raises(UrlDbError, match="unable to open"):
        UrlDb(path.parent / "missing" / "seen.sqlite")


def test_reading_never_changes_a_file(path: Path) -> None:
    """Opened for reading, a missing URLDB is an error, and an existing one does not change."""
    with pytest.raises(UrlDbError):
        UrlDb(path, readonly=True)
    assert not path.exists()
    with UrlDb(path) as urldb:
        urldb.mark(A, PAGE)
    with UrlDb(path, readonly=True) as reader:
        assert reader.find(A)
        with pytest.raises(UrlDbError, match="readonly"):
            reader.mark(B, PAGE)


def test_a_closed_urldb_is_an_error_of_ours(urldb: UrlDb) -> None:
    """Use after closing is an error that names the file; closing twice is harmless."""
    urldb.close()
    urldb.close()
    with pytest.raises(UrlDbError, match="closed"):
        urldb.find(A)
    with pytest.raises(UrlDbError, match="closed"):
        urldb.mark(A, PAGE)


def test_rows_that_are_no_entries_are_skipped(path: Path) -> None:
    """A damaged row of any kind does not stop reading and pruning the others."""
    with UrlDb(path) as urldb:
        urldb.mark(A, PAGE, when=7)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA ignore_check_constraints = ON")
    for row in ((b"1", "other", 5), (b"2", "page", "text"), ("text", "page", 5), (b"3", "page", 9e999)):
        db.execute("INSERT INTO seen VALUES (?, ?, ?)", row)
    db.close()
    with UrlDb(path) as urldb:
        assert list(urldb) == [Entry(A, PAGE, 7)]
        assert urldb.find(b"1") is None
        assert urldb.prune(10) == 1


@pytest.mark.parametrize("seed", range(25))
def test_flipped_bytes_give_our_error_or_none(path: Path, seed: int) -> None:
    """Damage at any place gives no error or one of ours, in reading, writing and pruning."""
    with UrlDb(path) as urldb:
        for number in range(2000):
            urldb.mark(key_digest(str(number)), PAGE, when=number)
    damage(path, seed)
    with contextlib.suppress(UrlDbError), UrlDb(path, readonly=True) as urldb:
        list(urldb)
    with contextlib.suppress(UrlDbError), UrlDb(path) as urldb:
        urldb.mark(A, ARTICLE)
        urldb.prune(1000)
