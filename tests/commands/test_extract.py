"""`scrapy extract`: write articles as JSON lines or text, to a file or standard output, from any pages."""

from __future__ import annotations

import csv
import inspect
import io
import json
import marshal
import os
import pickle
import stat
import threading
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pyarrow.parquet
import pytest
from news_pages import BAD_PAGES

from scrapy_webstemmer import Article, ExtractOptions, Page, PageError, UrlRule
from scrapy_webstemmer import api as flow
from scrapy_webstemmer.base.parts import Parts
from scrapy_webstemmer.extraction.result import Result
from scrapy_webstemmer.items import ArticleItem
from scrapy_webstemmer.values import ArticleSection

#: The fields of an article, as a crawl gives them.
FIELDS = [*ArticleItem.__dataclass_fields__]


@pytest.fixture
def extracted_with(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ExtractOptions]]:
    """Return the calls of extract with url and options; only urls with ``good`` in them give an article."""
    calls: list[tuple[str, ExtractOptions]] = []

    def extract_in_parts(page: Page, patterns: Any, options: ExtractOptions, **_: Any) -> Parts[Result]:
        yield
        calls.append((page.url, options))
        if "unreadable" in page.url:
            raise PageError(page.url, "is a picture")
        if "good" not in page.url:
            return Result(page.url)
        text = page.body.decode("utf-8")
        sections = (
            ArticleSection("title", "A title\x1b[31m"),
            ArticleSection("main", f"{text}\nwith\u2028two lines"),
            ArticleSection("sub", "aside"),
        )
        article = Article(
            url=page.url,
            title="A title",
            text=text,
            html="<p></p>",
            sections=sections,
            pattern="http://a/pattern",
            confidence=0.5,
        )
        return Result(page.url, article=article)

    monkeypatch.setattr(flow, "extract_in_parts", extract_in_parts)
    return calls


def test_articles_come_out_as_json_lines(
    run: Callable[..., Any], patterns: Path, write_zip: Any, make_story: Any, read_items: Any
) -> None:
    """Each matching page is a UTF-8 JSON object with the item's fields in order; the summary counts them."""
    stories = [make_story(number) for number in range(30, 40)]
    write_zip("new.zip", {s.url: s.body.replace(b"</h1>", " é 新</h1>".encode()) for s in stories})
    done = run("extract", "patterns.json", "new.zip", "-O", "articles.jsonl")
    assert (done.status, done.out) == (0, "")
    assert "10 pages: 10 articles" in done.err
    items = read_items(patterns.with_name("articles.jsonl"))
    assert [list(item) for item in items] == [FIELDS] * 10
    assert [item["url"] for item in items] == [s.url for s in stories]
    for item, s in zip(items, stories, strict=True):
        assert item["title"] == s.title + " é 新"
        assert item["text"].split("\n") == list(s.paragraphs)
    assert "é 新" in patterns.with_name("articles.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("arguments", [[], ["-O", "-"]])
def test_standard_output_takes_the_articles_alone(
    run: Callable[..., Any], patterns: Path, arguments: list[str]
) -> None:
    """Without -O, or with -, articles go to standard output and the summary to standard error."""
    done = run("extract", "patterns.json", "crawl.zip", *arguments)
    assert done.status == 0
    lines = done.out.splitlines()
    assert len(lines) == 20
    assert all(list(json.loads(line)) == FIELDS for line in lines)
    assert "20 articles" in done.err


def test_sections_and_comments_come_on_request(run: Callable[..., Any], patterns: Path) -> None:
    """With --sections each article has its parts, with --comments what readers say; else these are null."""
    for options, is_there in ((["--sections", "--comments"], True), (["--no-metadata"], False)):
        lines = run("extract", "patterns.json", "crawl.zip", *options).out.splitlines()
        items = [json.loads(line) for line in lines]
        assert [list(item) for item in items] == [FIELDS] * 20
        assert (items[0]["sections"] is not None) is (items[0]["comments"] == []) is is_there


def test_text_is_the_output_of_2009(
    run: Callable[..., Any], patterns: Path, write_zip: Any, extracted_with: list[Any]
) -> None:
    """The text format names each page and its pattern, and prints each line of a section on its own line."""
    write_zip("two.zip", {"http://a.example/good": b"some\ttext", "http://a.example/other": b""})
    done = run("extract", "patterns.json", "two.zip", "--format", "text")
    assert done.out == (
        "!MATCHED: 202611210900/a.example/good\nPATTERN: http://a/pattern\nTITLE: A title[31m\n"
        "MAIN-1: some text\nMAIN-1: with two lines\nSUB-2: aside\n\n"
        "!UNMATCHED: 202611210900/a.example/other\n\n"
    )


@pytest.mark.parametrize(
    ("name", "arguments", "first"),
    [
        ("a.jsonl", [], "{"),
        ("a.jl", [], "{"),
        ("a.txt", [], "!"),
        ("a", [], "{"),
        ("a.md", [], "#"),
        ("a.txt", ["--format", "markdown"], "#"),
        ("a.jsonl", ["--format", "text"], "!"),
        ("a.json", ["--format", "jsonl"], "{"),
    ],
)
def test_format_follows_the_option_then_the_name(
    run: Callable[..., Any], patterns: Path, name: str, arguments: list[str], first: str
) -> None:
    """--format decides the format, else the file's name does, else it is JSON lines."""
    assert run("extract", "patterns.json", "crawl.zip", "-O", name, *arguments).status == 0
    assert patterns.with_name(name).read_text(encoding="utf-8")[0] == first


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a file in a format of Scrapy's feeds."""
    content = path.read_bytes()
    if path.suffix == ".json":
        return json.loads(content)
    if path.suffix in (".jl", ".jsonl", ".jsonlines"):
        return [json.loads(line) for line in content.splitlines()]
    if path.suffix == ".csv":
        return [*csv.DictReader(io.StringIO(content.decode(), newline=""))]
    if path.suffix == ".parquet":
        return pyarrow.parquet.read_table(path).to_pylist()
    if path.suffix == ".xml":
        items = ElementTree.fromstring(content)
        return [{field.tag: field.text or "" for field in item} for item in items]
    load = pickle.load if path.suffix == ".pickle" else marshal.load
    stream, rows = io.BytesIO(content), []
    while stream.tell() < len(content):
        rows.append(load(stream))
    return rows


@pytest.mark.parametrize(
    "form", ["json", "jl", "jsonl", "jsonlines", "csv", "xml", "pickle", "marshal", "parquet"]
)
def test_formats_of_feeds(
    run: Callable[..., Any], patterns: Path, write_zip: Any, make_story: Any, form: str
) -> None:
    """A file has the format that its ending says, in each of Scrapy's, with the same articles and fields."""
    stories = [make_story(number) for number in range(30, 36)]
    title = "</h1>", ' "é", &amp; 新</h1>'
    write_zip("new.zip", {s.url: s.body.replace(*(one.encode() for one in title)) for s in stories})
    lines = [json.loads(line) for line in run("extract", "patterns.json", "new.zip").out.splitlines()]
    done = run("extract", "patterns.json", "new.zip", "-O", f"Articles.{form.upper()}")
    assert (done.status, done.out) == (0, "")
    assert "6 articles" in done.err
    path = patterns.with_name(f"Articles.{form.upper()}").rename(patterns.with_name(f"articles.{form}"))
    rows = rows_of(path)
    for name in ("url", "title", "text", "html"):
        assert [row[name].replace("\r\n", "\n") for row in rows] == [line[name] for line in lines]
    if form == "csv":
        assert list(rows[0]) == FIELDS
    elif form != "xml":
        assert rows == lines
    assert b">None<" not in path.read_bytes()
    assert run("extract", "patterns.json", "new.zip", "--format", form, "-O", "a.b").status == 0
    assert patterns.with_name("a.b").read_bytes() == path.read_bytes()


def test_a_format_of_feeds_with_other_fields(run: Callable[..., Any], patterns: Path) -> None:
    """The columns are the same whatever the options ask for; without an article there are none."""
    assert (
        run("extract", "patterns.json", "crawl.zip", "--sections", "--no-metadata", "-O", "a.csv").status == 0
    )
    rows = rows_of(patterns.with_name("a.csv"))
    assert list(rows[0]) == FIELDS
    assert (
        run("extract", "patterns.json", "crawl.zip", "--matched-only", "-j", ".", "-O", "a.csv").status == 0
    )
    assert patterns.with_name("a.csv").read_bytes() == b""
    done = run("extract", "crawl.zip", "--format", "json")
    assert len(json.loads(done.out)) == 20


@pytest.mark.parametrize("form", ["json", "csv", "xml"])
def test_a_format_of_feeds_in_another_charset(
    run: Callable[..., Any], patterns: Path, write_zip: Any, extracted_with: list[Any], form: str
) -> None:
    """What the charset lacks is written otherwise, or becomes a question mark, and the file can be read."""
    write_zip("one.zip", {"http://a.example/good": "naïve 新聞".encode()})
    assert run("extract", "patterns.json", "one.zip", "-O", f"a.{form}", "-C", "latin-1").status == 0
    content = patterns.with_name(f"a.{form}").read_bytes()
    assert {
        "json": rb"na\u00efve \u65b0\u805e",
        "csv": "naïve ??".encode("latin-1"),
        "xml": "naïve &#26032;&#32862;".encode("latin-1"),
    }[form] in content


class Reopening:
    """An exporter as some for columns are: it opens its file anew, by its name, and closes it."""

    def __init__(self, file: Any, **options: Any) -> None:
        self.file, self.items = file, []
        assert options["encoding"] == "utf-8"

    def start_exporting(self) -> None:
        """Begin."""

    def export_item(self, item: dict[str, Any]) -> None:
        assert type(item) is dict
        if "fails" in item["url"]:
            raise ValueError("a value has no column")
        self.items.append(item["title"])

    def finish_exporting(self) -> None:
        self.file.close()
        Path(self.file.name).write_text("|".join(self.items), encoding="utf-8")


def test_a_format_of_the_project(run_fork: Callable[..., Any], patterns: Path, write_zip: Any) -> None:
    """The project's own formats are known, too. If one fails, a line says so, and the earlier file stays."""
    project = patterns.parent
    (project / "scrapy.cfg").write_text("[settings]\ndefault = own.settings\n", encoding="utf-8")
    (project / "own").mkdir()
    source = inspect.getsource(Reopening)
    header = "from pathlib import Path\nfrom typing import Any\n"
    (project / "own" / "columns.py").write_text(header + source, encoding="utf-8")
    settings = 'FEED_EXPORTERS = {"columns": "own.columns.Reopening", "xml": None}\n'
    (project / "own" / "settings.py").write_text(settings, encoding="utf-8")
    done = run_fork("extract", "patterns.json", "crawl.zip", "-O", "a.columns")
    assert (done.status, done.out) == (0, "")
    assert patterns.with_name("a.columns").read_text(encoding="utf-8").count("|") == 19
    done = run_fork("extract", "patterns.json", "crawl.zip", "-O", "a.xml")
    assert done.status == 2
    assert "a.xml: the ending .xml is not that of a known format: columns, csv, " in done.err
    write_zip(
        "bad.zip", {f"http://news.example/story/fails/{n}.html": page_of(patterns, n) for n in range(2)}
    )
    done = run_fork("extract", "patterns.json", "bad.zip", "-O", "a.columns")
    assert done.status == 1
    assert done.err == "error: the format columns cannot be written: a value has no column\n"
    assert patterns.with_name("a.columns").read_text(encoding="utf-8").count("|") == 19


def page_of(patterns: Path, number: int) -> bytes:
    """Return the page of a story of the archive."""
    with zipfile.ZipFile(patterns.with_name("crawl.zip")) as archive:
        return archive.read(archive.namelist()[number])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1", "ascii", "shift_jis", "UTF8"])
def test_json_lines_are_json_in_any_encoding(
    run: Callable[..., Any], patterns: Path, write_zip: Any, extracted_with: list[Any], encoding: str
) -> None:
    """JSON lines lose no character, in any charset."""
    text = "naïve 新聞 😀"
    write_zip("one.zip", {f"http://a.example/good/{n}": f"{text}{n}".encode() for n in range(2)})
    done = run("extract", "patterns.json", "one.zip", "-O", "a.jsonl", "-C", encoding)
    assert done.status == 0
    lines = patterns.with_name("a.jsonl").read_text(encoding=encoding).strip().split("\n")
    assert [json.loads(line)["text"] for line in lines] == [f"{text}0", f"{text}1"]


def test_text_has_question_marks_for_what_the_charset_lacks(
    run: Callable[..., Any], patterns: Path, write_zip: Any, extracted_with: list[Any]
) -> None:
    """A character that the output's charset lacks does not stop the command."""
    write_zip("one.zip", {"http://a.example/good": "naïve 新聞".encode()})
    assert run("extract", "patterns.json", "one.zip", "-O", "a.txt", "-C", "latin-1").status == 0
    assert "MAIN-1: naïve ??\n" in patterns.with_name("a.txt").read_text(encoding="latin-1")


def test_options_set_fields_of_the_options_object(
    run: Callable[..., Any], patterns: Path, extracted_with: list[Any]
) -> None:
    """Every option sets its field; without options the preset decides."""
    names = (
        "--classic --encoding euc-jp --accept story --reject b --mangle x+ --threshold .5 --strict"
        " --min-confidence .75 --diff-threshold .25 --main-threshold 9 --markdown --dates --all-kinds"
    )
    letters = (
        "--classic -c euc-jp -a story -j b -P x+ -t .5 -S --min-confidence .75 -T .25 -M 9 --markdown --dates"
        " --all-kinds"
    )
    for arguments in (names, letters, "", "--classic", "--classic -t .9"):
        assert run("extract", "patterns.json", "crawl.zip", *arguments.split()).status == 0
    classic = ExtractOptions.classic()
    expected = ExtractOptions(
        encoding="euc-jp",
        url_rules=(UrlRule("story", True), UrlRule("b", False)),
        mangle="x+",
        threshold=0.5,
        strict=True,
        all_kinds=True,
        min_confidence=0.75,
        diff_threshold=0.25,
        main_threshold=9.0,
        markdown=True,
        date=True,
        copies=True,
    )
    options = [options for _, options in extracted_with[::20]]
    wanted = [expected, expected, ExtractOptions(), classic, replace(classic, threshold=0.9)]
    assert options == [replace(one, sections=False) for one in wanted]


def test_copies_of_a_page_give_one_article(
    run: Callable[..., Any], patterns: Path, write_zip: Any, make_story: Any
) -> None:
    """An article comes out once, however many urls lead to it, unless all copies are wanted."""
    pages = {f"{s.url}{end}": s.body for s in map(make_story, (30, 31)) for end in ("", "?share=x")}
    write_zip("new.zip", pages)
    for more in ([], ["--workers", "2"]):
        done = run("extract", "patterns.json", "new.zip", "--debug", *more)
        assert [json.loads(line)["url"] for line in done.out.splitlines()] == [*pages][::2]
        assert "2 with an article that came before" in done.err
        assert f"no article: {[*pages][1]}: its article has come before, under another url" in done.err
    done = run("extract", "patterns.json", "new.zip", "--copies")
    assert [json.loads(line)["url"] for line in done.out.splitlines()] == [*pages]


def test_a_rule_that_goes_wrong_on_a_url(run: Callable[..., Any], patterns: Path, write_zip: Any) -> None:
    """The page is named and counted as unreadable, and the other pages are extracted."""
    write_zip("one.zip", {f"http://a.example/{'a' * 60}!": b"<p>text", "http://a.example/b": b"<p>text"})
    done = run("extract", "patterns.json", "one.zip", "-a", "(a|aa)+$", "-a", ".")
    assert done.status == 0
    assert "takes too long" in done.err
    assert "2 pages: 0 articles, 1 without an article, 1 unreadable" in done.err


def test_rules_leave_pages_out_and_their_order_decides(run: Callable[..., Any], patterns: Path) -> None:
    """Pages that the rules reject are not read, and are counted separately."""
    done = run("extract", "patterns.json", "crawl.zip", "-j", "/1[0-9]", "-a", "story/1")
    urls = [json.loads(line)["url"] for line in done.out.splitlines()]
    assert urls == ["http://news.example/story/1.html"]
    assert "20 pages: 1 article, 19 left out by their url" in done.err
    done = run("extract", "patterns.json", "crawl.zip", "-a", "story/1", "-j", "/1[0-9]")
    assert len(done.out.splitlines()) == 11


def test_unreadable_pages_are_named_and_the_rest_goes_on(
    run: Callable[..., Any], patterns: Path, write_zip: Any, extracted_with: list[Any]
) -> None:
    """An unreadable page is named and counted, the others give their articles, and the status is 0."""
    names = ("good/1", "unreadable", "good/2", "other")
    write_zip("mixed.zip", {f"http://a.example/{name}": name.encode() for name in names})
    done = run("extract", "patterns.json", "mixed.zip")
    assert done.status == 0
    assert done.out.count("\n") == 2
    assert "not read: http://a.example/unreadable: is a picture\n" in done.err
    assert "4 pages: 2 articles, 1 without an article, 1 unreadable" in done.err


def test_summary_counts_by_pattern_and_names_unknown_sites(
    run: Callable[..., Any], patterns: Path, write_zip: Any, make_story: Any
) -> None:
    """The summary has a line for each pattern, and one for each site that the pattern file does not know."""
    write_zip("foreign.zip", {f"http://other{n % 2}.example/{n}": make_story(n).body for n in range(3)})
    done = run("extract", "patterns.json", "crawl.zip", "foreign.zip", "-O", "a.jsonl")
    assert "23 pages: 20 articles, 3 without an article\n" in done.err
    assert "\n        20  http://news.example/story/" in done.err
    assert "does not know:\n         2  other0.example\n         1  other1.example\n" in done.err


def test_articles_below_the_least_confidence_do_not_come_out(
    run: Callable[..., Any], run_fork: Any, patterns: Path
) -> None:
    """The others do, and the summary counts both; so it is with several processes."""
    items = [json.loads(line) for line in run("extract", "patterns.json", "crawl.zip").out.splitlines()]
    least = sorted(item["confidence"] for item in items)[10]
    sure = [item for item in items if item["confidence"] >= least]
    for more in ([], ["--workers", "2"]):
        command = ("extract", "patterns.json", "crawl.zip", "--min-confidence", str(least), *more)
        done = run_fork(*command)
        assert [json.loads(line) for line in done.out.splitlines()] == sure
        counts = f"{len(sure)} articles, {20 - len(sure)} too uncertain"
        assert done.err.startswith(f"20 pages: {counts}\n")
    done = run("extract", "patterns.json", "crawl.zip", "--min-confidence", "1", "--debug")
    assert done.err.count(": its confidence is too low\n") == 20


def test_debug_names_the_pages_without_an_article_and_the_reason(
    run: Callable[..., Any], patterns: Path, write_zip: Any
) -> None:
    """With --debug each page without an article is named on standard error, with what decided."""
    pages = {
        "http://other.example/a\x1b[31m": b"<p>nothing</p>",
        "http://news.example/list": b"<p><a href=/1>A headline</a>",
        "http://news.example/none": b"<title>none</title>",
        "http://news.example/out": b"<p>text",
        "http://news.example/picture": b"GIF89a",
    }
    write_zip("other.zip", pages)
    done = run("extract", "patterns.json", "other.zip", "--debug", "-j", "/out")
    assert [line for line in done.err.splitlines() if line.startswith(("no article", "not read"))] == [
        "no article: http://news.example/out: a url rule leaves it out",
        "no article: http://other.example/a[31m: its site is not in the pattern file",
        "no article: http://news.example/list: it is not an article, but a list or another kind of page",
        "no article: http://news.example/none: it has no text",
        "not read: http://news.example/picture: is a binary file, not HTML",
    ]
    assert "5 pages: 0 articles, 3 without an article, 1 left out by their url, 1 unreadable" in done.err
    assert "no article: " not in run("extract", "patterns.json", "other.zip").err
    assert "no article: http://other.example/" in run("extract", "other.zip", "-d").err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "give at least one INPUT"),
        (["patterns.json"], "at least one INPUT"),
        (["crawl.zip", "--patterns", "missing.json"], "missing.json: there is no such file"),
        (["patterns.json", "crawl.zip", "--save-patterns", "a.json"], "patterns.json is given"),
        (["crawl.zip", "--save-patterns", "nowhere/a.json"], "there is no folder nowhere"),
        (["crawl.zip", "--classic"], "--classic needs a pattern file; `scrapy analyze --classic` makes one"),
        (["missing.json", "crawl.zip"], "missing.json: there is no such file"),
        (["patterns.json", "missing.zip"], "missing.zip: there is no such file"),
        (["patterns.json", "crawl.zip", "-O", "nowhere/a.jsonl"], "there is no folder nowhere"),
        (
            ["patterns.json", "crawl.zip", "-O", ".", "--format", "csv"],
            ".: is a folder, which takes articles",
        ),
        (["patterns.json", "crawl.zip", "-O", "new/", "--format", "jsonl"], "new/: is a folder, which takes"),
        (["patterns.json", "crawl.zip", "-O", "no/new/"], "no/new/: there is no folder no"),
        (["patterns.json", "crawl.zip", "-O", "crawl.zip/"], "crawl.zip/: is a file, not a folder"),
        (["patterns.json", ".", "-O", "."], ".: is an input as well"),
        (
            ["patterns.json", "crawl.zip", "-O", "new/", "--explain"],
            "new/: is a folder, and --explain writes",
        ),
        (["patterns.json", "crawl.zip", "--front-matter"], "--front-matter: only Markdown has it, not jsonl"),
        (["patterns.json", "crawl.zip", "-O", "a.parquet", "--front-matter"], "has it, not parquet"),
        (["patterns.json", "crawl.zip", "--explain", "--front-matter"], "it has no use for --front-matter"),
        (["patterns.json", "crawl.zip", "-O", "crawl.zip"], "is an input as well"),
        (["patterns.json", "crawl.zip", "-O", "patterns.json"], "is an input as well"),
        (["--patterns", "patterns.json", "crawl.zip", "-O", "patterns.json"], "is an input as well"),
        (["crawl.zip", "-O", "patterns.json"], "patterns.json: is a pattern file, which is not to be"),
        (
            ["patterns.json", "crawl.zip", "-O", "a.orc"],
            "a.orc: the ending .orc is not that of a known format: csv, jl, json, jsonl, jsonlines,"
            " marshal, md, parquet, pickle, txt, xml; --format FORMAT chooses one for any name",
        ),
        (
            ["patterns.json", "crawl.zip", "-O", "a.parquet.gz"],
            "the ending .gz is not that of a known format",
        ),
        (["patterns.json", "crawl.zip", "-O", "articles."], "articles.: the ending . is not that of a known"),
        (["patterns.json", "crawl.zip", "-O", "a.jsonl.gz"], "the ending .gz is not that of a known format"),
        (["patterns.json", "crawl.zip", "-O", "a.csv", "-C", "utf-16"], "--output-encoding utf-16: not with"),
        (["patterns.json", "crawl.zip", "-x", "a.jsonl"], "no such option: -x"),
        (["crawl.zip", "patterns.json"], "crawl.zip: is a zip; the pattern file, patterns.json, comes first"),
        (["patterns.json", "patterns.json"], "patterns.json: is a pattern file, and has no pages"),
        (["patterns.json", "crawl.zip", "--format", "orc"], "--format: invalid choice"),
        (["patterns.json", "crawl.zip", "--explain", "--format", "text"], "it has no use for --format"),
        (["patterns.json", "crawl.zip", "-C", "no-such"], "--output-encoding no-such"),
        (["patterns.json", "crawl.zip", "-C", "base64"], "--output-encoding base64"),
        (["patterns.json", "crawl.zip", "-t", "2"], "--threshold 2.0: must be a number from 0 to 1"),
        (
            ["patterns.json", "crawl.zip", "--min-confidence", "2"],
            "--min-confidence 2.0: must be a number from",
        ),
        (["patterns.json", "crawl.zip", "-M", "much"], "--main-threshold: invalid float value"),
        (["patterns.json", "crawl.zip", "-a", "["], "--accept/--reject"),
    ],
)
def test_a_wrong_argument_is_one_line_and_status_2(
    run: Callable[..., Any], patterns: Path, arguments: list[str], reason: str
) -> None:
    """The error is one line on standard error, and nothing is written."""
    before = {path: path.read_bytes() for path in patterns.parent.iterdir()}
    done = run("extract", *arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("scrapy extract: error: ")
    assert reason in done.err
    assert done.err.count("\n") == 1
    assert {path: path.read_bytes() for path in patterns.parent.iterdir()} == before


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no JSON",
        b"[]",
        b"{}",
        b'{"format": 999}',
        b'{"format": "scrapy-webstemmer patterns", "version": 999}',
        b"\xff\xfe\x00",
        b"[" * 100_000,
    ],
)
def test_a_pattern_file_that_is_none_is_one_line_and_status_1(
    run: Callable[..., Any], crawl: Path, content: bytes
) -> None:
    """A pattern file of another version, or a file of another kind, is named; no output is written."""
    crawl.with_name("p.json").write_bytes(content)
    done = run("extract", "p.json", "crawl.zip", "-O", "a.jsonl")
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith("error: p.json")
    assert done.err.count("\n") == 1
    assert not crawl.with_name("a.jsonl").exists()


def test_a_pattern_file_of_another_version_is_refused(run: Callable[..., Any], patterns: Path) -> None:
    """An unknown format version is refused, in any place where the file keeps it."""
    document = json.loads(patterns.read_text(encoding="utf-8"))
    versions = [key for key, value in document.items() if isinstance(value, int)]
    assert versions
    for key in versions:
        patterns.write_text(json.dumps(document | {key: 999}), encoding="utf-8")
        done = run("extract", "patterns.json", "crawl.zip")
        assert (done.status, done.out) == (1, "")
        assert "999" in done.err


@pytest.mark.parametrize("content", [b"PK\x03\x04damaged", b"SQLite format 3\x00damaged" * 99, b"text", b""])
def test_a_damaged_input_leaves_the_old_output(
    run: Callable[..., Any], patterns: Path, content: bytes
) -> None:
    """The input is named with status 1, and articles of an earlier run stay."""
    patterns.with_name("bad.input").write_bytes(content)
    patterns.with_name("a.jsonl").write_text("earlier\n", encoding="utf-8")
    done = run("extract", "patterns.json", "bad.input", "-O", "a.jsonl")
    assert done.status == 1
    assert done.err.startswith("error: bad.input")
    assert patterns.with_name("a.jsonl").read_text(encoding="utf-8") == "earlier\n"
    assert not list(patterns.parent.glob(".*"))


@pytest.mark.parametrize("name", BAD_PAGES)
def test_one_bad_page_does_not_stop_the_others(
    run: Callable[..., Any], patterns: Path, write_zip: Any, name: str
) -> None:
    """After a page that is empty, not HTML, 5 MB large or deeply nested the others still give articles."""
    write_zip("bad.zip", {f"http://news.example/{name}.html": BAD_PAGES[name]})
    done = run("extract", "patterns.json", "bad.zip", "crawl.zip")
    assert done.status == 0, done.err
    assert len(done.out.splitlines()) >= 20
    assert "21 pages: " in done.err
    assert "Traceback" not in done.err


def test_interrupt_leaves_status_130_and_the_old_file(
    run: Callable[..., Any], patterns: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C gives no traceback and no half-written file, and the earlier file stays."""

    def extract_in_parts(page: Page, patterns: Any, options: ExtractOptions, **_: Any) -> Parts[Result]:
        yield
        if page.url.endswith("/19.html"):  # the last of all
            raise KeyboardInterrupt
        return Result(page.url, article=Article(url=page.url, title="t", text="x", pattern="p"))

    monkeypatch.setattr(flow, "extract_in_parts", extract_in_parts)
    patterns.with_name("a.jsonl").write_text("earlier\n", encoding="utf-8")
    done = run("extract", "patterns.json", "crawl.zip", "-O", "a.jsonl")
    assert (done.status, done.out, done.err) == (130, "", "interrupted: nothing was written\n")
    assert patterns.with_name("a.jsonl").read_text(encoding="utf-8") == "earlier\n"
    done = run("extract", "patterns.json", "crawl.zip")
    assert (done.status, done.err) == (130, "interrupted: the output is not complete\n")
    assert done.out
    assert sorted(path.name for path in patterns.parent.iterdir()) == [
        "a.jsonl",
        "crawl.zip",
        "patterns.json",
    ]


@pytest.mark.skipif(os.name != "posix", reason="named pipes")
def test_what_is_no_regular_file_is_written_directly(run: Callable[..., Any], patterns: Path) -> None:
    """A named pipe gets the articles, and remains a pipe."""
    pipe = patterns.with_name("pipe")
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    assert run("extract", "patterns.json", "crawl.zip", "-O", "pipe").status == 0
    reader.join(10)
    assert received[0].count(b"\n") == 20
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_link_stays_a_link(run: Callable[..., Any], patterns: Path) -> None:
    """Writing to a symbolic link replaces the file that it points to."""
    patterns.with_name("link.jsonl").symlink_to("target.jsonl")
    assert run("extract", "patterns.json", "crawl.zip", "-O", "link.jsonl").status == 0
    assert patterns.with_name("link.jsonl").is_symlink()
    assert len(patterns.with_name("target.jsonl").read_text(encoding="utf-8").splitlines()) == 20


@pytest.mark.skipif(os.name != "posix", reason="pipes that close")
def test_a_reader_that_goes_away_gives_no_traceback(run_process: Callable[..., Any], patterns: Path) -> None:
    """``scrapy extract … | head`` ends without a message."""
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as stream:
        command = ("extract", "patterns.json", "crawl.zip")
        done = run_process(*command, capture_output=False, stdout=stream, stderr=-1, cwd=patterns.parent)
    assert "Traceback" not in done.err
    assert "Exception" not in done.err
    assert done.status == 1


@pytest.mark.parametrize("inside", [False, True])
def test_as_a_process_in_a_project_and_outside_one(
    run_process: Callable[..., Any], run_fork: Callable[..., Any], patterns: Path, inside: bool
) -> None:
    """The installed command works in an empty folder and in a fresh project, without any warning."""
    folder = patterns.parent
    if inside:
        assert run_fork("startproject", "demo", cwd=folder).status == 0
        folder /= "demo"
    done = run_process("extract", str(patterns), str(patterns.with_name("crawl.zip")), cwd=folder)
    assert done.status == 0
    assert len(done.out.splitlines()) == 20
    assert done.err.startswith("20 pages: 20 articles\n")


@pytest.mark.parametrize("name", ["a.jsonl", "a.txt"])
def test_workers_have_no_part_in_the_result(
    run: Callable[..., Any], patterns: Path, write_zip: Callable[..., Path], make_story: Any, name: str
) -> None:
    """Two processes write the same articles in the same order, and report the same about other pages."""
    pages = {make_story(n).url: make_story(n).body for n in range(40)}
    others = {"http://news.example/picture": b"GIF89a", "http://else.example/": b"<p>Another site</p>"}
    write_zip("more.zip", pages | others)
    alone = run("extract", "-d", "patterns.json", "more.zip", "-O", name)
    shared = run("extract", "-d", "patterns.json", "more.zip", "-O", f"2{name}", "--workers", "2")
    assert patterns.with_name(name).read_bytes() == patterns.with_name(f"2{name}").read_bytes()
    assert "unreadable" in alone.err
    assert (shared.status, shared.err) == (alone.status, alone.err)


@pytest.mark.parametrize("format_", ["jsonl", "text", "markdown"])
def test_articles_on_a_terminal(
    format_: str,
    run: Callable[..., Any],
    patterns: Path,
    write_zip: Any,
    make_story: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a terminal would obey does not reach it, in whatever format."""
    story = make_story(30)
    write_zip("new.zip", {story.url: story.body.replace(b"</p>", "\x1b[2J\x9b2Jend</p>".encode())})
    monkeypatch.setattr("_pytest.capture.EncodedFile.isatty", lambda self: True, raising=False)
    done = run("extract", "patterns.json", "new.zip", "--format", format_)
    assert done.status == 0
    assert "2Jend" in done.out
    assert done.out.replace("\n", "").isprintable()


_CARD = '<div class="card"><a href="/p/{0}.html">Lamp number {0}</a><b>$ {0}</b></div>'
LIST = f"<title>Lamps | Example News</title><h1>Lamps</h1>{''.join(map(_CARD.format, range(9)))}".encode()


@pytest.mark.parametrize("command", ["patterns.json list.zip", "list.zip"])
def test_all_kinds_of_pages(
    command: str, run: Callable[..., Any], patterns: Path, write_zip: Any, make_story: Any
) -> None:
    """A list gives its text and its type if all kinds are asked for, whatever the patterns come from."""
    one = make_story(3)
    write_zip("list.zip", {"http://news.example/tag/lamps": LIST, one.url: one.body})
    plain = [json.loads(line) for line in run("extract", *command.split()).out.splitlines()]
    assert [(row["url"], row["page_type"], row["page_type_confidence"]) for row in plain] == [
        (one.url, None, None)
    ]
    done = run("extract", "--all-kinds", *command.split())
    found = {row["url"]: row for row in map(json.loads, done.out.splitlines())}
    assert found.keys() == {one.url, "http://news.example/tag/lamps"}
    row = found["http://news.example/tag/lamps"]
    assert row["page_type"] == "collection"
    assert 0 < row["page_type_confidence"] <= 1
    assert "Lamp number 8" in row["text"]
    done = run("extract", "--all-kinds", *command.split(), "-O", "found.csv")
    header = (patterns.parent / "found.csv").read_text(encoding="utf-8").splitlines()[0]
    assert {"page_type", "page_type_confidence"} <= {*header.split(",")}


def test_front_matter_has_the_type(run: Callable[..., Any], patterns: Path, write_zip: Any) -> None:
    """It is a line of the YAML where it is known."""
    write_zip("list.zip", {"http://news.example/tag/lamps": LIST})
    arguments = ("patterns.json", "list.zip", "--all-kinds", "--format", "markdown", "--front-matter")
    assert 'page_type: "collection"' in run("extract", *arguments).out.splitlines()
    done = run("extract", "patterns.json", "crawl.zip", "--format", "markdown", "--front-matter")
    assert "page_type" not in done.out
