"""On Spark: the same patterns and articles as in one process, whatever happens to a file or a worker."""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from news_pages import articles, indexes

from scrapy_webstemmer import ExtractOptions, LearnOptions, Page, PatternSet, extract, learn
from scrapy_webstemmer.options import UrlRule
from scrapy_webstemmer.patterns.corrections import corrected_again
from scrapy_webstemmer.storage import SqliteLearningSet
from scrapy_webstemmer.values import Announcement, Correction

pytestmark = [pytest.mark.once, pytest.mark.spark]

PLAIN = ExtractOptions()
#: Sites with their templates and number of articles.
SITES = {"one.example.com": ("press", 45), "two.example": ("blog", 12), "three.example": ("bulletin", 33)}


def pages_of(first: int = 1) -> list[Page]:
    found = []
    for host, (template, number) in SITES.items():
        found += [*articles(host, number, template, first), *indexes(host, 6, template)]
    return [replace(page, fetched="2026-11-24T09:00:00Z") for page in found]


def table_of(spark: Any, pages: list[Page]) -> Any:
    rows = [(page.url, bytearray(page.body), page.encoding, page.fetched) for page in pages]
    return spark.createDataFrame(rows, "url string, body binary, encoding string, fetched string")


def lines_of(pages: list[Page], patterns: PatternSet, options: ExtractOptions = PLAIN) -> list[str]:
    found = (extract(page, patterns, options) for page in pages)
    return sorted(json.dumps(one.to_dict(), ensure_ascii=False) for one in found if one)


def files_of(patterns: PatternSet) -> dict[str, bytes]:
    from scrapy_webstemmer.spark import pattern_bytes

    return {name: pattern_bytes(site) for name, site in patterns.sites.items()}


def written_in(output: Path) -> list[str]:
    files = output.glob("articles/part*")
    return sorted(line for path in files for line in path.read_text(encoding="utf-8").splitlines())


def articles_in(results: Any) -> list[str]:
    return sorted(row.article for row in results.where("article is not null").collect())


def written_learning_set(path: Path, *, recorded: bool) -> Path:
    """Write a learning set: links lead to other urls of its pages, and only feeds name the authors."""
    with SqliteLearningSet(path) as stored:
        for page in pages_of():
            host, _, place = page.url.partition("://")[2].partition("/")
            body = re.sub(rb"<title>.*?</title>", b"<title>News</title>", page.body)
            body = re.sub(rb"/story/(\d+)\.html", rb"/s/\1", body)
            links = re.findall(r'<a href="(/s/\d+)">(.*?)</a>', body.decode())
            aliases = [f"http://{host}/s/{number}" for number in re.findall(r"story/(\d+)", place)]
            anchors = [(f"http://{host}{link}", text) for link, text in links] if recorded else None
            stored.add_page(replace(page, body=body, aliases=tuple(aliases)), anchors)
            stored.add_announced(
                f"http://{host}/feed", {page.url: Announcement("", "2026-11-20T09:00:00Z", ("Una Byrne",))}
            )
    return path


@pytest.mark.parametrize("size", [0, 20])
@pytest.mark.parametrize("recorded", [True, False])
def test_a_learning_set(spark: Any, tmp_path: Path, *, size: int, recorded: bool) -> None:
    """Its anchor texts, the other urls of its pages, and what feeds say count, in a function and a job."""
    from scrapy_webstemmer.spark import extract_articles, learn_sites, read_linkinfo, read_warcs

    path, options = (
        written_learning_set(tmp_path / "set.sqlite", recorded=recorded),
        LearnOptions(max_pages=size),
    )
    with SqliteLearningSet(path, readonly=True) as stored:
        every, linkinfo = list(stored), stored.linkinfo()
        assert (linkinfo is not None) == recorded
        expected = learn(every, linkinfo, options)
    bare = learn([replace(page, aliases=()) for page in every], {}, options)
    assert files_of(expected) != files_of(bare)  # without the anchor texts
    pages = read_warcs(spark, [str(path)])
    found = read_linkinfo(spark, [str(path), "none.warc.gz"])
    found = found.union(spark.createDataFrame([("http://elsewhere.example/", "Elsewhere")], found.schema))
    patterns = learn_sites(pages, options, found if recorded else None).cache()
    assert {row.site: bytes(row.patterns) for row in patterns.collect()} == files_of(expected)
    lines = articles_in(extract_articles(pages, patterns))
    assert lines == lines_of(every, expected)
    assert all("Una Byrne" in line for line in lines)  # whom only the feed names
    assert run("learn", str(path), "--patterns", f"{tmp_path}/p.json", "--max-pages", str(size)) == 0
    assert PatternSet.load(tmp_path / "p.json").sites == expected.sites


@pytest.mark.parametrize("size", [0, 20, 5_000])
def test_patterns_and_articles_are_the_same(spark: Any, write_warc: Callable[..., str], size: int) -> None:
    """From WARC files, to the byte; also if sites have more pages than a sample, and pages two versions."""
    from scrapy_webstemmer.spark import extract_articles, learn_sites, read_warcs

    pages = pages_of()
    again = [
        replace(page, body=page.body + b"<p>later", fetched="2026-11-25T09:00:00Z") for page in pages[:5]
    ]
    paths = [write_warc(f"{n}.warc.gz", [*pages, *again][n::3]) for n in range(3)]
    options = LearnOptions(max_pages=size)
    found = read_warcs(spark, [f"file://{path}" for path in paths] if size else paths)
    patterns = learn_sites(found, options).cache()
    expected = learn([*pages, *again], options=options)
    assert {row.site: bytes(row.patterns) for row in patterns.collect()} == files_of(expected)
    assert {row.site: row.pages for row in patterns.collect()} == {
        name: site.pages for name, site in expected.sites.items()
    }
    lines = lines_of([*pages, *again], expected)
    assert articles_in(extract_articles(found, patterns)) == lines
    assert articles_in(extract_articles(found, patterns, broadcast=0)) == lines


def test_rules_for_urls_and_hosts(spark: Any) -> None:
    """Pages that a rule leaves out are not learned; sites may be hosts; others give articles if asked."""
    from scrapy_webstemmer.spark import extract_articles, learn_sites

    pages = pages_of()
    options = LearnOptions(
        site="host", url_rules=(UrlRule(r"two\.example", accept=False), UrlRule("", accept=True))
    )
    patterns = learn_sites(table_of(spark, pages), options).cache()
    expected = learn(pages, options=options)
    assert {row.site: bytes(row.patterns) for row in patterns.collect()} == files_of(expected)
    for fallback in (False, True):
        wanted = ExtractOptions(fallback=fallback)
        for broadcast in (0, 1 << 30):
            results = extract_articles(table_of(spark, pages), patterns, wanted, broadcast=broadcast)
            assert articles_in(results) == lines_of(pages, expected, wanted)


@pytest.mark.parametrize("broadcast", [0, 1 << 30])
def test_which_patterns_a_page_gets(spark: Any, broadcast: int) -> None:
    """Those of its host, else of its site, else of any site; without a host, the only ones that are there."""
    from scrapy_webstemmer.spark import extract_articles, pattern_table

    pages = pages_of()
    learned = learn(pages, options=LearnOptions(site="host")).sites
    bare = [replace(page, url=page.url.partition("example.com/")[2]) for page in pages[:20]]
    one = learned["one.example.com"]
    for sites in (
        {
            "example.com": one,
            "one.example.com": learned["two.example"],
            "three.example": learned["three.example"],
        },
        {"*": one},
        {"*": one, "two.example": learned["two.example"]},
        {"one.example.com": one},
    ):
        patterns = PatternSet({name: replace(site, site=name) for name, site in sites.items()})
        table = pattern_table(spark, patterns)
        results = extract_articles(table_of(spark, [*pages, *bare]), table, broadcast=broadcast)
        assert articles_in(results) == lines_of([*pages, *bare], patterns)


def test_what_cannot_be_read(spark: Any, write_warc: Callable[..., str], tmp_path: Path) -> None:
    """Damaged and missing files, and a record that is too large, are named; all other pages count."""
    from scrapy_webstemmer.spark import extract_articles, learn_sites, read_warcs

    pages = pages_of()
    whole = [write_warc(f"{n}.warc.gz", pages[n::4]) for n in range(4)]
    broken = write_warc("broken.warc.gz", pages[:3], gzip.compress(b"WARC/1.0\r\n")[:-9])
    huge = Page("http://one.example.com/huge.html", b"<p>" + b" " * (65 << 20))
    large = write_warc("large.warc.gz", [huge, Page("http://one.example.com/no.html", b"GIF89a\0")])
    found = read_warcs(spark, [*whole, broken, large, str(tmp_path / "none.warc.gz")])
    patterns = learn_sites(found).cache()
    results = extract_articles(found, patterns).cache()
    expected = learn([*pages, Page("http://one.example.com/no.html", b"GIF89a\0")])
    assert {row.site for row in patterns.collect()} == expected.sites.keys()
    assert {*articles_in(results)} == {*lines_of(pages, expected)}
    problems = [row.reason for row in results.where("url is null and site is null").collect()]
    assert sorted(one.rpartition("/")[2].partition(":")[0] for one in problems) == sorted(
        ["broken.warc.gz", "huge.html", "none.warc.gz"]
    )
    (row,) = results.where("url = 'http://one.example.com/no.html'").collect()
    assert row.reason.startswith("it cannot be read: ")


def test_a_worker_that_is_killed(spark: Any, tmp_path: Path) -> None:
    """Spark does its work again, and the result is the same."""
    from scrapy_webstemmer.spark import extract_articles, learn_sites

    pages, mark = pages_of(), tmp_path / "killed"

    def killing(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            yield batch
            try:
                mark.touch(exist_ok=False)
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)

    table = table_of(spark, pages).repartition(4)
    expected = learn(pages)
    patterns = learn_sites(table.mapInArrow(killing, table.schema)).cache()
    assert {row.site: bytes(row.patterns) for row in patterns.collect()} == files_of(expected)
    mark.unlink()
    results = extract_articles(table.mapInArrow(killing, table.schema), patterns)
    assert articles_in(results) == lines_of(pages, expected)
    assert mark.exists()


def test_changes_of_a_site(spark: Any) -> None:
    """A site with another template than the learned one is named, whichever workers have seen its pages."""
    from scrapy_webstemmer.spark import drift_of, extract_articles, learn_sites

    patterns = learn_sites(table_of(spark, pages_of())).cache()
    new = [*articles("one.example.com", 40, "bulletin", 100), *articles("three.example", 30, "bulletin", 100)]
    results = extract_articles(table_of(spark, new).repartition(3), patterns).cache()
    (row,) = drift_of(results, patterns).collect()
    assert row.site == "example.com"
    assert "fit no layout" in row.change


def test_the_notebook_of_the_documentation(
    spark: Any,
    write_warc: Callable[..., str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It runs as it stands there."""
    monkeypatch.chdir(tmp_path)
    for number in (1, 2):
        write_warc(f"{number}.warc.gz", pages_of()[number - 1 :: 2])
    text = (Path(__file__).parents[2] / "docs" / "scale.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?read_warcs.*?)^```", text, re.MULTILINE | re.DOTALL)
    # Java does not follow when Python goes to another folder
    example = re.sub(r'"(patterns|results)"', rf'"{tmp_path}/\1"', example)
    exec(example, {"spark": spark})
    assert articles_in(spark.read.parquet(f"{tmp_path}/results")) == lines_of(pages_of(), learn(pages_of()))
    assert "site|change" in capsys.readouterr().out


# --- the command


def run(*arguments: str) -> int:
    from scrapy_webstemmer.spark.__main__ import main

    return main(arguments)


def test_the_command(
    spark: Any, write_warc: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Learn and extract by paths, globs and lists; a job that is started again goes on."""
    pages = pages_of()
    for number in range(4):
        write_warc(f"crawl/{number}.warc.gz", pages[number::4])
    (tmp_path / "warc.paths.gz").write_bytes(
        gzip.compress(b"crawl/1.warc.gz\ncrawl/2.warc.gz\n\ncrawl/3.warc.gz\n")
    )
    inputs = [
        f"{tmp_path}/crawl/0*.gz",
        f"{tmp_path}/warc.paths.gz",
        "--prefix",
        f"{tmp_path}/",
        "--files",
        "2",
    ]
    patterns, output = tmp_path / "patterns.json", tmp_path / "out"
    assert run("learn", *inputs, "--patterns", str(patterns)) == 0
    expected = learn(pages)
    assert PatternSet.load(patterns).sites == expected.sites
    said = capsys.readouterr()
    assert said.out == f"learned 3 sites from {len(pages)} pages: {patterns}\n"
    assert said.err.count("begins") == 2
    assert not (tmp_path / "patterns.json.work").exists()
    assert run("learn", *inputs, "--patterns", f"{tmp_path}/table") == 0
    for name in (str(patterns), f"{tmp_path}/table"):
        assert run("extract", *inputs, "--patterns", name, "--output", str(output)) == 0
        written = written_in(output)
        assert written == lines_of(pages, expected)
    said = capsys.readouterr()
    assert f"{len(pages)} pages: {len(written)} articles in {output}/articles\n" in said.out
    assert said.err.count("group 1 of 2: is done already") == 1
    left = spark.read.parquet(f"{output}/left_over").collect()
    assert sum(row.pages for row in left) == len(pages) - len(written)
    groups = sorted(path for path in output.glob("results/*/*") if path.is_dir())
    (groups[0] / "_SUCCESS").unlink()
    assert (
        run("extract", *inputs, "--patterns", str(patterns), "--output", str(output), "--format", "parquet")
        == 0
    )
    said = capsys.readouterr()
    assert (said.err.count("begins"), said.err.count("is done already")) == (1, 1)
    table = spark.read.parquet(f"{output}/articles")
    assert table.count() == len(written)
    titles = {json.loads(line)["url"]: json.loads(line)["title"] for line in written}
    assert {row.url: row.title for row in table.collect()} == titles


def executors_of(session: int) -> list[int]:
    """Return the processes that a cluster on this machine works in, given the id of their session."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if b"ExecutorBackend" in (path / "cmdline").read_bytes() and os.getsid(int(path.name)) == session:
                found.append(int(path.name))
    return found


@pytest.mark.usefixtures("spark")
def test_a_cluster_that_loses_a_machine(write_warc: Callable[..., str], tmp_path: Path) -> None:
    """A master and two machines, each a process of its own: one is killed, and nothing is missing."""
    pages, output = pages_of(), tmp_path / "out"
    paths = [write_warc(f"{number}.warc.gz", pages[number::4]) for number in range(4)]
    learn(pages).save(tmp_path / "p.json")
    command = (sys.executable, "-m", "scrapy_webstemmer.spark", "extract", *paths, "--files", "2")
    options = (
        "--patterns",
        f"{tmp_path}/p.json",
        "--output",
        str(output),
        "--master",
        "local-cluster[2,1,1024]",
    )
    with (tmp_path / "log").open("w") as log:
        job = subprocess.Popen(
            [*command, *options], stdout=log, stderr=log, start_new_session=True, cwd=tmp_path
        )
        while job.poll() is None and not list(output.glob("results/*/*/_SUCCESS")):
            time.sleep(0.1)
        for process in executors_of(job.pid)[:1]:
            os.kill(process, signal.SIGKILL)
            output.with_name("killed").touch()
        job.wait()
    said = (tmp_path / "log").read_text()
    assert job.returncode == 0, said
    assert output.with_name("killed").exists()
    assert executors_of(job.pid) == []
    assert f"{len(pages)} pages: " in said
    written = written_in(output)
    assert written == lines_of(pages, learn(pages))


def test_a_job_with_other_files(
    spark: Any, write_warc: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a killed job has read of some files is not used with others, which change the samples."""
    from scrapy_webstemmer.spark import __main__ as command

    pages = pages_of()
    paths = [write_warc(f"{number}.warc.gz", pages[number::4]) for number in range(4)]
    options = ["--patterns", f"{tmp_path}/p.json", "--max-pages", "9", "--files", "2"]
    with monkeypatch.context() as patch:
        patch.setattr(command.Job, "_remove", lambda *_: None)
        assert run("learn", *paths[:2], *options) == 0
    assert list(tmp_path.glob("p.json.work/*/*/_SUCCESS"))
    assert run("learn", *paths, *options) == 0
    expected = learn(pages, options=LearnOptions(max_pages=9))
    assert PatternSet.load(tmp_path / "p.json").sites == expected.sites


@pytest.mark.parametrize("name", ["p.json", "p.table"])
def test_corrections_stay(
    spark: Any, write_warc: Callable[..., str], tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Patterns that are learned again have the corrections of those that they replace."""
    from scrapy_webstemmer.spark import pattern_set, pattern_table

    learned = dict(learn(pages_of()).sites)
    wrong = Correction("leave out", path="html/body/none")
    learned["example.com"] = replace(learned["example.com"], corrections=(wrong,))
    path, target = write_warc("1.warc.gz", pages_of()), tmp_path / name
    if target.suffix == ".json":
        PatternSet(learned).save(target)
    else:
        pattern_table(spark, PatternSet(learned)).write.parquet(str(target))
    assert run("learn", path, "--patterns", str(target)) == 0
    again = PatternSet.load(target) if target.is_file() else pattern_set(spark.read.parquet(str(target)))
    assert {name: site.corrections for name, site in again.sites.items() if site.corrections} == {
        "example.com": (wrong,)
    }
    assert again.sites == corrected_again(learn(pages_of()).sites, learned)
    if target.is_file():
        target.write_text("{}")
        assert run("learn", path, "--patterns", str(target)) == 0
        assert "warning: corrections in the old patterns are lost: " in capsys.readouterr().err


def test_tables_as_inputs(spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Parquet files with url and body are read as well; a table without a body is refused."""
    pages = pages_of()
    table_of(spark, pages).select("url", "body").write.parquet(f"{tmp_path}/pages.parquet")
    assert run("learn", f"{tmp_path}/pages.parquet", "--patterns", f"{tmp_path}/p.sqlite") == 0
    bare = [replace(page, encoding=None, fetched=None) for page in pages]
    assert dict(PatternSet.load(tmp_path / "p.sqlite").sites) == learn(bare).sites
    table_of(spark, pages).select("url").write.parquet(f"{tmp_path}/urls.parquet")
    assert run("learn", f"{tmp_path}/urls.parquet", "--patterns", f"{tmp_path}/q.sqlite") == 1
    assert f"error: {tmp_path}/urls.parquet: has no column body\n" in capsys.readouterr().err


def test_a_table_of_another_version(
    spark: Any, write_warc: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Patterns of another version are refused in a line."""
    from scrapy_webstemmer.spark import pattern_table

    path = write_warc("1.warc.gz", pages_of()[:50])
    table = pattern_table(spark, learn(pages_of()[:50])).selectExpr(
        "site", "pages", "99 as version", "patterns"
    )
    table.write.parquet(f"{tmp_path}/old")
    arguments = ("--patterns", f"{tmp_path}/old", "--output", f"{tmp_path}/out")
    assert run("extract", path, *arguments) == 1
    assert f"error: {tmp_path}/old: has version 99; this release reads version" in capsys.readouterr().err


def test_problems_are_named(
    spark: Any, write_warc: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A damaged file among twenty does not fail the job; both commands name it."""
    pages = pages_of()
    for number in range(19):
        write_warc(f"crawl/{number}.warc.gz", pages[number::19])
    bad = write_warc("crawl/bad.warc.gz", [], b"\x1f\x8bnothing")
    every = f"{tmp_path}/crawl/*"
    assert run("learn", every, "--patterns", f"{tmp_path}/p.json") == 0
    assert PatternSet.load(tmp_path / "p.json").sites == learn(pages).sites
    assert run("extract", every, "--patterns", f"{tmp_path}/p.json", "--output", f"{tmp_path}/out") == 0
    written = written_in(tmp_path / "out")
    assert written == lines_of(pages, learn(pages))
    said = capsys.readouterr().out
    assert said.count("1 record could not be read\n") == 2
    assert said.count(f"  {bad}: damaged gzip file") == 2
    (row,) = spark.read.parquet(f"{tmp_path}/out/problems").collect()
    assert "bad.warc.gz" in row.reason


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["learn", "none.warc.gz", "--patterns", "p"], 1, "none.warc.gz: No such file or directory"),
        (["learn", "no://x/*.warc.gz", "--patterns", "p"], 1, "no://x/*.warc.gz: Protocol not known: no"),
        (["learn", "none*.warc.gz", "--patterns", "p"], 1, "none*.warc.gz: there is no such file"),
        (["learn", "none.paths.gz", "--patterns", "p"], 1, "none.paths.gz: "),
        (["learn", "here.paths.gz", "--patterns", "p"], 1, "here.paths.gz: Not a gzipped file"),
        (["learn", "folder.parquet", "--patterns", "p"], 1, "error: "),
        (["learn", "here", "--patterns", "p", "--max-pages", "-1"], 2, "--max-pages -1: "),
        (
            ["extract", "here", "--patterns", "none", "--output", "o"],
            1,
            "none: there is no such table of patterns",
        ),
        (["extract", "here", "--patterns", "here", "--output", "o"], 1, "here: is not a pattern file"),
        (["learn", "here"], 2, "--patterns"),
        (["learn", "here", "--patterns", "p[1"], 2, "p[1: Spark would read []{}*?\\ in the name"),
        (["extract", "here", "--patterns", "p", "--output", "o*"], 2, "o*: Spark would read"),
    ],
)
def test_wrong_arguments(
    spark: Any,
    arguments: list[str],
    status: int,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each gives one line, and no traceback."""
    monkeypatch.chdir(tmp_path)
    for name in ("here", "here.paths.gz"):
        Path(name).write_text("{}")
    Path("folder.parquet").mkdir()
    try:
        found = run(*arguments)
    except SystemExit as end:
        found = int(str(end.code))
    assert found == status
    said = capsys.readouterr()
    assert message in said.err
    assert "Traceback" not in said.err


def test_nothing_that_can_be_read(
    spark: Any, write_warc: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Patterns and articles that are there stay there; when the files can be read, the same job does."""
    patterns, path = tmp_path / "p.json", tmp_path / "late.warc.gz"
    learn(pages_of()).save(patterns)
    output = ("--patterns", str(patterns), "--output", f"{tmp_path}/out")
    for arguments in (("learn", f"file://{path}", *output[:2]), ("extract", f"file://{path}", *output)):
        assert run(*arguments) == 1
        said = capsys.readouterr()
        assert f"file://{path}: there is no such file\n" in said.out
        assert said.err.endswith(" was not written\n")
        assert "Traceback" not in said.err
    assert PatternSet.load(patterns).sites == learn(pages_of()).sites
    write_warc(path.name, pages_of())
    assert run("learn", f"file://{path}", *output[:2]) == 0
    assert run("extract", f"file://{path}", *output) == 0
    assert f"{len(pages_of())} pages: " in capsys.readouterr().out


def test_missing_spark_is_named(tmp_path: Path) -> None:
    """Without the extra, the command says in one line how to install it; an import raises ImportError."""
    (tmp_path / "pyspark.py").write_text("raise ImportError('not here', name='pyspark')")
    install = 'pip install "scrapy-webstemmer[spark]"'
    needs = f"scrapy_webstemmer.spark needs pyspark, which is not installed: {install}"
    for arguments, end in (
        (("-m", "scrapy_webstemmer.spark", "learn"), f"error: {needs}\n"),
        (("-c", "import scrapy_webstemmer.spark"), f"ImportError: {needs}\n"),
    ):
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, env=environment)
        assert done.returncode == 1
        assert done.stderr.endswith(end)
        assert ("Traceback" in done.stderr) == (arguments[0] == "-c")


def test_what_workers_send_is_values(spark: Any) -> None:
    """Nothing that a worker gets can run code, whoever has written it."""
    import pickle
    import zlib

    from scrapy_webstemmer.spark.tables import unpacked

    class Harmful:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.system, ("true",)

    for value in (Harmful(), Path("x"), os.getcwd):
        with pytest.raises(pickle.UnpicklingError, match="is no value of a reading"):
            unpacked(zlib.compress(pickle.dumps(value)))
