"""Pattern files of many sites: a row a site, read when it is asked for, written by several processes."""

from __future__ import annotations

import multiprocessing
import pickle
import sqlite3
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from news_pages import article, index

from scrapy_webstemmer import PatternSet, extract, learn
from scrapy_webstemmer.base import database as sqlite_files
from scrapy_webstemmer.errors import PatternFileError
from scrapy_webstemmer.pattern_files import pattern_database as stored
from scrapy_webstemmer.pattern_files import pattern_file as files
from scrapy_webstemmer.values import Page

NAMES = ["patterns.json", "patterns.sqlite"]


def some_pages() -> list[Page]:
    """Return pages of a site."""
    host = "press.example"
    return [*(article(host, number) for number in range(1, 9)), index(host, 1, range(1, 9))]


@pytest.fixture(scope="module")
def learned() -> PatternSet:
    """Return the patterns of a site."""
    return learn(some_pages())


def of_sites(learned: PatternSet, *names: str) -> dict[str, Any]:
    """Return the same patterns for some sites."""
    (one,) = learned.sites.values()
    return {name: replace(one, site=name) for name in names}


def test_a_sqlite_file_has_the_same_patterns(learned: PatternSet, tmp_path: Path) -> None:
    """They are equal to those of a JSON file, and give the same articles; also in another process."""
    for name in NAMES:
        learned.save(tmp_path / name)
    one, other = (PatternSet.load(tmp_path / name) for name in NAMES)
    assert dict(one.sites) == dict(other.sites) == dict(learned.sites)
    assert dict(pickle.loads(pickle.dumps(other)).sites) == dict(learned.sites)
    assert len(other) == len(one)
    for page in some_pages():
        assert extract(page, other) == extract(page, one)


def test_sites_are_read_when_they_are_asked_for(
    learned: PatternSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening a file of thousands of sites reads none of them; a site is read once."""
    path = tmp_path / "patterns.sqlite"
    PatternSet(of_sites(learned, *(f"site{n}.example" for n in range(3_000)))).save(path)
    read: list[str] = []
    checked = files.site_in
    monkeypatch.setattr(files, "site_in", lambda entry: read.append(entry["site"]) or checked(entry))
    patterns = PatternSet.load(path)
    assert len(patterns.sites) == 3_000
    assert "site7.example" in patterns.sites
    assert read == ["site7.example"]
    assert patterns.site_of("http://site7.example/a") is patterns.sites["site7.example"]
    assert patterns.site_of("http://unknown.example/a") is None
    assert read == ["site7.example"]


def test_a_damaged_site_costs_itself(learned: PatternSet, tmp_path: Path) -> None:
    """The error names the file and the site; the others can be read."""
    path = tmp_path / "patterns.sqlite"
    PatternSet(of_sites(learned, "a.example", "b.example", "c.example", "d.example")).save(path)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE site SET content = substr(content, 1, 100) WHERE name = 'a.example'")
        db.execute("UPDATE site SET content = 'text' WHERE name = 'b.example'")
        db.execute(
            "UPDATE site SET content = (SELECT content FROM site WHERE name = 'd.example')"
            " WHERE name = 'c.example'"
        )
    db.close()
    patterns = PatternSet.load(path)
    for name in "abc":
        with pytest.raises(PatternFileError, match=rf"patterns\.sqlite: {name}\.example: has "):
            patterns.sites[f"{name}.example"]
    assert patterns.sites["d.example"].patterns


@pytest.mark.parametrize(
    "damage",
    [
        "INSERT INTO site VALUES (NULL, x'00')",
        "UPDATE site SET name = CAST(x'ff' AS TEXT) WHERE name = 'b.example'",
        "UPDATE site SET name = x'ff' WHERE name = 'b.example'",
        "INDEX",
    ],
)
def test_a_damaged_list_of_sites(damage: str, learned: PatternSet, tmp_path: Path) -> None:
    """Whoever goes through the sites gets an error that names the file, and no KeyError."""
    path = tmp_path / "patterns.sqlite"
    PatternSet(of_sites(learned, "a.example", "b.example", "c.example")).save(path)
    with sqlite3.connect(path) as db:
        if damage == "INDEX":  # the index has other names than the table
            db.execute("PRAGMA writable_schema = ON")
            db.execute("CREATE TABLE other (name TEXT PRIMARY KEY COLLATE NOCASE, content BLOB)")
            db.execute("INSERT INTO other SELECT char(96 + rowid) || upper(name), content FROM site")
            query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
            names = ("sqlite_autoindex_site_1", "sqlite_autoindex_other_1")
            roots = [db.execute(query, (name,)).fetchone()[0] for name in names]
            change = "UPDATE sqlite_master SET rootpage = ? WHERE name = ?"
            for root, name in ((-1, names[0]), (roots[0], names[1]), (roots[1], names[0])):
                db.execute(change, (root, name))
        else:
            db.execute(damage)
    db.close()
    patterns = PatternSet.load(path)
    with pytest.raises(PatternFileError, match=r"patterns\.sqlite"):
        [patterns.sites[name] for name in patterns.sites]
    with pytest.raises(PatternFileError, match=r"patterns\.sqlite"):
        dict(PatternSet.load(path).sites)
    with pytest.raises(PatternFileError, match=r"patterns\.sqlite"):
        len(PatternSet.load(path))
    with pytest.raises(KeyError):
        PatternSet.load(path).sites["d.example"]


def test_a_bomb_is_refused(learned: PatternSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that would fill the memory is not unpacked."""
    path = tmp_path / "patterns.sqlite"
    learned.save(path)
    monkeypatch.setattr(stored, "_LARGEST_SITE", 1_000)
    with pytest.raises(PatternFileError, match="too large"):
        dict(PatternSet.load(path).sites)


@pytest.mark.parametrize("is_new", [True, False])
def test_a_full_disk_leaves_no_half_of_a_file(
    is_new: bool, learned: PatternSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new file is removed again, and an old one stays as it was."""
    path = tmp_path / "patterns.sqlite"
    if not is_new:
        learned.save(path)

    def full(*_: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(stored.zlib, "compress", full)
    with pytest.raises(PatternFileError, match="disk is full"):
        learned.save(path)
    assert [*tmp_path.iterdir()] == ([] if is_new else [path])
    assert is_new or PatternSet.load(path).sites.keys() == learned.sites.keys()


def test_other_sqlite_files_are_refused(tmp_path: Path) -> None:
    """The message says what the file is not."""
    path = tmp_path / "other.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE page (id)")
    db.close()
    with pytest.raises(PatternFileError, match="is a SQLite file, but not a pattern file"):
        PatternSet.load(path)
    with pytest.raises(PatternFileError, match="is a SQLite file, but not a pattern file"):
        PatternSet().save(path)


def without_tables(folder: Path) -> Path:
    """Return a SQLite file in which nothing has been written yet."""
    path = folder / "patterns.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA journal_mode = WAL")
    db.close()
    assert path.stat().st_size
    return path


def test_a_file_that_another_process_is_making_is_waited_for(tmp_path: Path) -> None:
    """Between its first byte and its tables, a file is no other file."""
    path = without_tables(tmp_path)
    made = threading.Timer(0.2, stored.write_sites, [path, {}], {"keep_others": True})
    made.start()
    assert not PatternSet.load(path).sites
    made.join()


def test_an_empty_file_is_not_waited_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody makes its tables: then it is no pattern file."""
    monkeypatch.setattr(sqlite_files, "_MAKING", 0.05)
    path = without_tables(tmp_path)
    with pytest.raises(PatternFileError, match="not a pattern file"):
        PatternSet.load(path)


def test_nothing_is_written_that_cannot_be_read_again(
    learned: PatternSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A JSON file that would be too large is refused, and the old one stays; a SQLite file may be large."""
    path = tmp_path / "patterns.json"
    learned.save(path)
    before = path.read_bytes()
    monkeypatch.setattr(files, "MAX_VALUES", 3 * files._values_in(before))
    many = PatternSet(of_sites(learned, *"abcdef"))
    with pytest.raises(PatternFileError, match=r"more than can be read again.*\.sqlite"):
        many.save(path)
    assert path.read_bytes() == before
    many.save(tmp_path / "patterns.sqlite")
    assert len(PatternSet.load(tmp_path / "patterns.sqlite").sites) == 6


def _add(path: str, sites: dict[str, Any]) -> None:
    for name, site in sites.items():
        files.add_sites(path, {name: site})


@pytest.mark.parametrize("name", NAMES)
def test_several_processes_add_to_a_file(name: str, learned: PatternSet, tmp_path: Path) -> None:
    """None of them loses what another one has written."""
    path = str(tmp_path / name)
    context = multiprocessing.get_context("spawn")
    sites = [of_sites(learned, *(f"{letter}{n}.example" for n in range(8))) for letter in "ab"]
    processes = [context.Process(target=_add, args=(path, own)) for own in sites]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    assert dict(PatternSet.load(path).sites) == sites[0] | sites[1]


@pytest.mark.parametrize("name", NAMES)
def test_sites_are_added_and_replaced(name: str, learned: PatternSet, tmp_path: Path) -> None:
    """Other sites stay as they are."""
    path = str(tmp_path / name)
    first, second = of_sites(learned, "a", "b"), of_sites(learned, "b", "c")
    second["b"] = replace(second["b"], pages=7)
    files.add_sites(path, first)
    assert dict(files.add_sites(path, second).sites) == first | second
    PatternSet(second).save(path)
    assert dict(PatternSet.load(path).sites) == second
