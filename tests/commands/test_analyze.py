"""`scrapy analyze`: inputs, options, the summary, and what it does with invalid input."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import sqlite3
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from news_pages import BAD_PAGES

from scrapy_webstemmer import LearnOptions, Page, PatternSet, UrlRule
from scrapy_webstemmer import api as flow
from scrapy_webstemmer.storage import SqliteLearningSet
from scrapy_webstemmer.values import Pattern, SitePatterns


def write_warc(path: Path, pages: dict[str, bytes]) -> None:
    """Write pages as response records, compressed one by one if the name ends in .gz."""
    with path.open("wb") as stream:
        for url, body in pages.items():
            payload = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:test:{url}>\r\n"
                f"WARC-Target-URI: {url}\r\nWARC-Date: 2026-11-21T09:00:00Z\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(payload)}\r\n\r\n"
            )
            record = head.encode() + payload + b"\r\n\r\n"
            stream.write(gzip.compress(record) if path.suffix == ".gz" else record)


def write_set(path: Path, pages: dict[str, bytes]) -> None:
    """Write pages as a learning set, without linkinfo."""
    learning_set = SqliteLearningSet(path)
    for url, body in pages.items():
        learning_set.add_page(Page(url, body))
    learning_set.close()


def write_folder(path: Path, pages: dict[str, bytes]) -> None:
    """Write pages as wget does."""
    for url, body in pages.items():
        file = path / url.partition("://")[2]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(body)


@pytest.fixture
def learned_with(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, Any, LearnOptions]]:
    """Return the calls of learn with number of pages, linkinfo and options; one pattern is made up."""
    calls: list[tuple[int, Any, LearnOptions]] = []
    pattern = Pattern("http://a.example/1", "article", 1.0, 2, ())

    def learn(pages: Any, linkinfo: Any, options: LearnOptions, **_: Any) -> PatternSet:
        calls.append((len(list(pages)), linkinfo, options))
        return PatternSet({"a.example": SitePatterns("a.example", options.layout, 2, 1, (pattern,))})

    monkeypatch.setattr(flow, "learn", learn)
    return calls


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("news.sqlite", write_set),
        ("news.warc", write_warc),
        ("news.warc.gz", write_warc),
        ("news", write_folder),
    ],
)
def test_every_kind_of_input_gives_the_same_patterns(
    run: Callable[..., Any], crawl: Path, make_story: Any, name: str, write: Callable[..., None]
) -> None:
    """A learning set, WARC files, a folder and an archive of the same pages give the same pattern file.

    Only some of them know when the pages were fetched.
    """
    write(crawl.with_name(name), {make_story(number).url: make_story(number).body for number in range(20)})
    for source, target in ((name, "a.json"), ("crawl.zip", "b.json")):
        assert run("analyze", source, "-o", target).status == 0
    texts = (crawl.with_name(file).read_text(encoding="utf-8") for file in ("a.json", "b.json"))
    first, second = (re.sub(r'"latest": "[^"]*"', '"latest": ""', text) for text in texts)
    assert first == second
    assert len(PatternSet.load(crawl.with_name("a.json"))) > 0


def test_a_list_of_files_is_read_from_standard_input(
    run_process: Callable[..., Any], crawl: Path, make_story: Any
) -> None:
    """With ``-``, the pages are the files that standard input names."""
    write_folder(crawl.parent, {make_story(number).url: make_story(number).body for number in range(20)})
    names = "".join(f"news.example/story/{number}.html\n" for number in range(20))
    done = run_process("analyze", "-", "-o", "list.json", input=names, cwd=crawl.parent)
    assert done.status == 0, done.err
    assert "from 20 pages" not in done.err
    assert "20 pages" in done.out


def test_a_file_name_that_is_not_utf8_is_reported_and_skipped(
    workdir: Path, run: Any, monkeypatch: Any
) -> None:
    """A listed name in another charset does not stop the command."""
    names = io.TextIOWrapper(io.BytesIO(b"caf\xe9.html\n"), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", names)
    done = run("analyze", "-", "-o", "p.json")
    assert done.status == 1
    assert "could not be read: 1 record of -" in done.out
    assert done.err.endswith(
        "error: no pattern was learned, and p.json was not written: 1 record could not be read\n"
    )


def test_pages_of_several_inputs_are_learned_together(
    run: Callable[..., Any], write_zip: Any, make_story: Any, learned_with: list[Any]
) -> None:
    """The pages of all inputs are learned as one set."""
    for name, numbers in (("a.zip", range(3)), ("b.zip", range(3, 8))):
        write_zip(name, {make_story(number).url: make_story(number).body for number in numbers})
    assert run("analyze", "a.zip", "b.zip", "-o", "p.json").status == 0
    assert learned_with[0][0] == 8


def test_summary_tells_what_was_learned_and_what_comes_next(
    run: Callable[..., Any], crawl: Path, make_story: Any
) -> None:
    """Standard output has pages, site, pattern with sample, and the next command, but no progress bar."""
    done = run("analyze", "crawl.zip", "-o", "p.json")
    pattern = next(iter(PatternSet.load(crawl.with_name("p.json")).sites.values())).patterns[0]
    assert "20 pages of 1 site" in done.out
    assert "news.example: 20 pages" in done.out
    assert pattern.sample_url in done.out
    assert pattern.sample_title in done.out
    assert pattern.sample_title in {make_story(number).title for number in range(20)}
    assert "scrapy extract p.json INPUT... -O" in done.out
    assert done.err == ""


def test_debug_shows_the_sections_of_each_pattern(run: Callable[..., Any], crawl: Path) -> None:
    """With --debug every section is shown with its scores, and the title is marked."""
    done = run("analyze", "crawl.zip", "-o", "p.json", "--debug")
    pattern = next(iter(PatternSet.load(crawl.with_name("p.json")).sites.values())).patterns[0]
    for section in pattern.sections:
        assert f"{section.main_score:.1f}  {section.feature}" in done.out
    assert "DiffScore" not in run("analyze", "crawl.zip", "-o", "p.json").out


def test_options_set_fields_of_the_options_object(
    run: Callable[..., Any], crawl: Path, learned_with: list[Any]
) -> None:
    """Every option sets its field, and rules keep the order of the command line."""
    letters = "--classic -c euc-jp -a a -j b -a c -P x+ -t .5 -T .25 -S -1 -m 7 --site host"
    names = (
        "--classic --encoding euc-jp --accept a --reject b --accept c --mangle x+ --cluster-threshold .5"
        " --title-threshold .25 --min-score -1 --samples 7 --site host"
    )
    for arguments in (letters, names):
        done = run("analyze", "crawl.zip", "-o", "p.json", *arguments.split())
        assert done.status == 0, done.err
    expected = LearnOptions.classic(
        encoding="euc-jp",
        url_rules=(UrlRule("a", True), UrlRule("b", False), UrlRule("c", True)),
        mangle="x+",
        cluster_threshold=0.5,
        title_threshold=0.25,
        min_score=-1.0,
        samples=7,
        site="host",
    )
    assert [options for _, _, options in learned_with] == [expected, expected]


def test_options_not_given_are_left_to_the_preset(
    run: Callable[..., Any], crawl: Path, learned_with: list[Any]
) -> None:
    """Without options the defaults hold; --classic gives those of 2009. Given options change them."""
    run("analyze", "crawl.zip", "-o", "p.json")
    run("analyze", "crawl.zip", "-o", "p.json", "--classic")
    run("analyze", "crawl.zip", "-o", "p.json", "--classic", "-t", ".9")
    classic = LearnOptions.classic()
    assert [options for _, _, options in learned_with] == [
        LearnOptions(),
        classic,
        replace(classic, cluster_threshold=0.9),
    ]


def test_linkinfo_comes_from_the_named_member(
    run: Callable[..., Any], crawl: Path, make_story: Any, learned_with: list[Any]
) -> None:
    """--linkinfo names the member with the anchor texts; with an empty name there are none."""
    with zipfile.ZipFile(crawl, "a") as archive:
        for name, text in (("linkinfo", "usual"), ("mine", "other")):
            archive.writestr(name, f"{('202611210900/news.example/story/1.html', [text])}\n")
    for arguments in ((), ("--linkinfo", "mine"), ("--linkinfo", "")):
        assert run("analyze", "crawl.zip", "-o", "p.json", *arguments).status == 0
    usual, named, none = (linkinfo for _, linkinfo, _ in learned_with)
    url = make_story(1).url
    assert [dict(usual), dict(named), none] == [{url: {"usual": 1}}, {url: {"other": 1}}, None]


def test_a_linkinfo_name_that_no_input_has_is_a_warning(
    run: Callable[..., Any], crawl: Path, learned_with: list[Any]
) -> None:
    """A misspelt member gives a warning, and the anchors of the pages are used."""
    done = run("analyze", "crawl.zip", "-o", "p.json", "--linkinfo", "lnkinfo")
    assert (done.status, done.err) == (
        0,
        "warning: no input has linkinfo called lnkinfo\n" + done.err.split("\n", 1)[1],
    )
    assert learned_with[0][1] is None


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "at least one INPUT"),
        (["crawl.zip"], "say with -o"),
        (["missing.zip", "-o", "p.json"], "missing.zip: there is no such file"),
        (["-", "-", "-o", "p.json"], "only once"),
        (["crawl.zip", "-o", "nowhere/p.json"], "there is no folder nowhere"),
        (["crawl.zip", "-o", "folder"], "folder: is a folder"),
        (["crawl.zip", "-o", "crawl.zip"], "is an input as well"),
        (["crawl.zip", "-o", "-"], "-: must be a file"),
        (["crawl.zip", "-o", "articles.jsonl"], "articles.jsonl: is a file of articles, which is not to be"),
        (["crawl.zip", "-o", "p.json", "--no-such-option"], "no such option: --no-such-option"),
        (["crawl.zip", "-o", "p.json", "--", "-x"], "-x: there is no such file or folder"),
        (["crawl.zip", "-o"], "expected one argument"),
        (["crawl.zip", "-o", "p.json", "-a", "("], "--accept/--reject"),
        (["crawl.zip", "-o", "p.json", "--classic", "-P", "("], "--mangle"),
        (["crawl.zip", "-o", "p.json", "-S", "50"], "-S/--min-score: only with --classic"),
        (["crawl.zip", "-o", "p.json", "-t", "many"], "--cluster-threshold: invalid float value: 'many'"),
        (["crawl.zip", "-o", "p.json", "-t", "1.5"], "--cluster-threshold 1.5: must be a number from 0 to 1"),
        (["crawl.zip", "-o", "p.json", "-t", "nan"], "--cluster-threshold nan"),
        (["crawl.zip", "-o", "p.json", "-m", "1.5"], "--samples: invalid int value"),
        (["crawl.zip", "-o", "p.json", "-m", "-1"], "--samples -1"),
        (["crawl.zip", "-o", "p.json", "-c", "no-such-charset"], "--encoding no-such-charset"),
        (["crawl.zip", "-o", "p.json", "--site", "planet"], "--site: invalid choice"),
    ],
)
def test_a_wrong_argument_is_one_line_and_status_2(
    run: Callable[..., Any], crawl: Path, arguments: list[str], reason: str
) -> None:
    """The error is one line on standard error, and nothing is written."""
    crawl.with_name("folder").mkdir()
    crawl.with_name("articles.jsonl").write_text('{"url": "", "text": ""}\n', encoding="utf-8")
    before = sorted(crawl.parent.rglob("*"))
    done = run("analyze", *arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("scrapy analyze: error: ")
    assert reason in done.err
    assert done.err.count("\n") == 1
    assert sorted(crawl.parent.rglob("*")) == before


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_an_output_without_permission_is_refused_before_learning(
    run: Callable[..., Any], crawl: Path, learned_with: list[Any]
) -> None:
    """A folder without write permission is reported at once, not after learning."""
    crawl.with_name("locked").mkdir(mode=0o500)
    done = run("analyze", "crawl.zip", "-o", "locked/p.json")
    assert (done.status, learned_with) == (2, [])


@pytest.mark.parametrize("locked", ["file", "folder"])
def test_both_the_output_and_its_folder_must_be_writable(
    run: Callable[..., Any],
    crawl: Path,
    learned_with: list[Any],
    monkeypatch: pytest.MonkeyPatch,
    locked: str,
) -> None:
    """A pattern file is first written beside the old one. If that is impossible, nothing is learned."""
    output = crawl.with_name("p.json")
    output.touch()
    forbidden = output if locked == "file" else output.parent
    monkeypatch.setattr(os, "access", lambda place, *_, **__: Path(place).absolute() != forbidden)
    done = run("analyze", "crawl.zip", "-o", "p.json")
    assert (done.status, learned_with) == (2, [])
    assert "p.json: cannot be written, or no file can be made in its folder" in done.err


@pytest.mark.skipif(os.name != "posix", reason="links need permissions on other systems")
def test_an_output_that_leads_to_itself(
    run: Callable[..., Any], crawl: Path, learned_with: list[Any]
) -> None:
    """A link that leads to itself is an output that cannot be written."""
    crawl.with_name("p.json").symlink_to("p.json")
    done = run("analyze", "crawl.zip", "-o", "p.json")
    assert (done.status, learned_with) == (2, [])
    assert "p.json: Too many levels of symbolic links" in done.err


NOTHING = "error: no pattern was learned, and patterns.json was not written: "


@pytest.mark.parametrize(
    ("pages", "arguments", "reason"),
    [
        ({}, (), "the inputs have no pages"),
        ({"a": b"<p>text"}, ("-a", "other"), "-a and -j leave out all of 1 page"),
        ({"a": b"GIF89a"}, (), "1 page: could not be read"),
        ({"a": b"<title>none</title>", "b": b"GIF89a"}, (), "1 page: could not be read, 1 page: no text"),
        (
            {"a": b"<p>some text", "b": b"<h1>other words</h1>"},
            ("--classic",),
            "2 pages: no other page has this layout",
        ),
        (
            {"a": b"<p>some text", "b": b"<p>other words"},
            ("--classic", "-S", "9999"),
            "2 pages: pattern below the minimum score",
        ),
    ],
)
def test_to_learn_nothing_is_an_error(
    run: Callable[..., Any],
    patterns: Path,
    write_zip: Any,
    pages: dict[str, bytes],
    arguments: tuple[str, ...],
    reason: str,
) -> None:
    """Without a pattern the status is 1, one line says why, and an earlier pattern file stays."""
    before = patterns.read_bytes()
    write_zip("few.zip", {f"http://a.example/{name}": body for name, body in pages.items()})
    done = run("analyze", "few.zip", "-o", "patterns.json", "--nolog", *arguments)
    assert (done.status, done.err) == (1, f"{NOTHING}{reason}\n")
    assert "next:" not in done.out
    assert patterns.read_bytes() == before
    assert run("analyze", "few.zip", "-o", "new.json", *arguments).status == 1
    assert not patterns.with_name("new.json").exists()


@pytest.mark.parametrize("number", [1, 2])
def test_a_learning_set_with_hardly_any_pages(
    run: Callable[..., Any], write_zip: Any, make_story: Any, workdir: Path, number: int
) -> None:
    """One or two pages give a pattern, and a warning that there are few."""
    write_zip("few.zip", {make_story(n).url: make_story(n).body for n in range(number)})
    done = run("analyze", "few.zip", "-o", "p.json")
    assert (done.status, done.err) == (0, "")
    assert "\n  warning: only" in done.out
    assert len(PatternSet.load(workdir / "p.json"))


def damaged_zip(path: Path) -> None:
    path.write_bytes(b"PK\x03\x04" + b"not a zip at all" * 100)


def damaged_sqlite(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\x00" + b"\x01" * 5000)


def foreign_sqlite(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE other (id)")
    connection.close()


def damaged_gzip(path: Path) -> None:
    path.write_bytes(b"\x1f\x8b\x08\x00" + b"\xff" * 200)


def no_learning_set(path: Path) -> None:
    path.write_text("just a text\n", encoding="utf-8")


def empty_file(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize(
    "write", [damaged_zip, damaged_sqlite, foreign_sqlite, damaged_gzip, no_learning_set, empty_file]
)
def test_a_damaged_input_is_one_line_and_status_1(
    run: Callable[..., Any], patterns: Path, write: Callable[[Path], None]
) -> None:
    """The input is named, and an existing pattern file stays as it was."""
    before = patterns.read_bytes()
    write(patterns.with_name("bad.input"))
    done = run("analyze", "bad.input", "-o", "patterns.json")
    assert done.status == 1
    assert done.err.startswith("error: bad.input")
    assert done.err.count("\n") == 1
    assert patterns.read_bytes() == before


def test_a_warc_file_that_breaks_off_gives_what_came_before(
    run: Callable[..., Any], workdir: Path, make_story: Any
) -> None:
    """A truncated WARC file gives its whole records, and no traceback."""
    write_warc(workdir / "a.warc.gz", {make_story(n).url: make_story(n).body for n in range(20)})
    whole = (workdir / "a.warc.gz").read_bytes()
    (workdir / "a.warc.gz").write_bytes(whole[: len(whole) * 3 // 4])
    done = run("analyze", "a.warc.gz", "-o", "p.json")
    assert done.status in (0, 1)
    assert "a.warc.gz" in done.out + done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("name", BAD_PAGES)
def test_one_bad_page_does_not_stop_the_others(
    run: Callable[..., Any], crawl: Path, write_zip: Any, name: str
) -> None:
    """A page that is empty, not HTML, 5 MB large or deeply nested does not stop learning from the others."""
    write_zip("bad.zip", {f"http://news.example/{name}.html": BAD_PAGES[name]})
    done = run("analyze", "crawl.zip", "bad.zip", "-o", "p.json")
    assert done.status == 0, done.err
    assert "Traceback" not in done.err
    (site,) = PatternSet.load(crawl.with_name("p.json")).sites.values()
    assert max(pattern.pages for pattern in site.patterns) >= 15


def test_damaged_records_are_counted_and_named(run: Callable[..., Any], crawl: Path) -> None:
    """A damaged member of an archive is named with its reason, and the others are read."""
    content = bytearray(crawl.read_bytes())
    with zipfile.ZipFile(crawl) as archive:
        member = archive.infolist()[3]
    content[member.header_offset + 30 + len(member.filename) + 20] ^= 0xFF
    crawl.write_bytes(content)
    done = run("analyze", "crawl.zip", "-o", "p.json")
    assert done.status == 0
    assert "could not be read: 1 record of crawl.zip" in done.out
    assert f"  {member.filename}: " in done.out


@pytest.mark.parametrize("workers", ["2", "3"])
def test_workers_have_no_part_in_the_result(
    run: Callable[..., Any], crawl: Path, write_zip: Callable[..., Path], make_story: Any, workers: str
) -> None:
    """Any number of processes gives the same pattern file and report, unreadable pages included."""
    pages = {make_story(n).url: make_story(n).body for n in range(40)}
    write_zip("more.zip", pages | {"http://news.example/picture": b"GIF89a"})
    alone = run("analyze", "more.zip", "-o", "a.json")
    shared = run("analyze", "more.zip", "-o", "a2.json", "--workers", workers)
    assert crawl.with_name("a.json").read_bytes() == crawl.with_name("a2.json").read_bytes()
    assert "could not be read" in alone.out
    assert shared.out.replace("a2.json", "a.json") == alone.out
    assert shared.err.partition("WARNING")[2] == alone.err.partition("WARNING")[2] != ""


@pytest.mark.parametrize("workers", ["0", "62", "two"])
def test_impossible_numbers_of_workers_are_refused(
    run: Callable[..., Any], crawl: Path, workers: str
) -> None:
    """An invalid number of processes is an error, and nothing is learned."""
    done = run("analyze", "crawl.zip", "-o", "a.json", "--workers", workers)
    assert done.status == 2
    assert "argument --workers" in done.err


def test_interrupt_leaves_status_130_and_the_old_file(
    run: Callable[..., Any], patterns: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while learning gives no traceback, and nothing is written."""

    def learn(pages: Any, linkinfo: Any, options: Any, **_: Any) -> PatternSet:
        next(iter(pages))
        raise KeyboardInterrupt

    before = patterns.read_bytes()
    monkeypatch.setattr(flow, "learn", learn)
    done = run("analyze", "crawl.zip", "-o", "patterns.json")
    assert (done.status, done.err) == (130, "interrupted: nothing was written\n")
    assert patterns.read_bytes() == before
    assert sorted(path.name for path in patterns.parent.iterdir()) == ["crawl.zip", "patterns.json"]


def test_escapes_in_a_title_do_not_reach_the_terminal(
    run: Callable[..., Any], write_zip: Any, make_story: Any
) -> None:
    """Control characters of pages are removed from the summary."""
    stories = [make_story(number) for number in range(12)]
    evil = "&#27;]0;owned&#7;\u202e"
    pages = {s.url: s.body.replace(b"<h1>", b"<h1>" + evil.encode()) for s in stories}
    write_zip("evil.zip", pages)
    done = run("analyze", "evil.zip", "-o", "p.json", "-d")
    assert done.status == 0
    assert not set(done.out) & set("\x1b\x07\u202e")


def test_log_messages_go_where_scrapy_is_told(run_fork: Callable[..., Any], workdir: Path) -> None:
    """Scrapy's options decide whether log messages go to the terminal, to a file or nowhere."""
    logged = "missing.html: skipped"
    command = ("analyze", "-", "-o", "p.json")
    for options, on_stderr in (((), True), (("--logfile", "log.txt"), False), (("--nolog",), False)):
        done = run_fork(*command, *options, stdin="missing.html\n")
        assert (done.status, logged in done.err) == (1, on_stderr)
        assert "could not be read: 1 record of -" in done.out
    assert (workdir / "log.txt").read_text(encoding="utf-8").count(logged) == 1


@pytest.mark.parametrize("inside", [False, True])
def test_as_a_process_in_a_project_and_outside_one(
    run_process: Callable[..., Any], run_fork: Callable[..., Any], crawl: Path, inside: bool
) -> None:
    """The installed command works in an empty folder and in a fresh project, without any warning."""
    folder = crawl.parent
    if inside:
        assert run_fork("startproject", "demo", cwd=folder).status == 0
        folder /= "demo"
    done = run_process("analyze", str(crawl), "-o", "p.json", cwd=folder)
    assert (done.status, done.err) == (0, "")
    assert json.loads((folder / "p.json").read_text(encoding="utf-8"))
    assert "20 pages" in done.out
