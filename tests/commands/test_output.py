"""The records of articles, and the files that take them, which appear only when they are complete."""

from __future__ import annotations

import json
import os
import pickle
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from scrapy_webstemmer import Article, ArticleItem, ExtractOptions, Page
from scrapy_webstemmer.commands.arguments import CommandError
from scrapy_webstemmer.commands.exports import check_articles_output, check_format, open_articles, open_output
from scrapy_webstemmer.commands.formats import (
    file_name_of,
    json_line,
    markdown_record,
    options_for,
    output_format,
    record_of,
    text_record,
)
from scrapy_webstemmer.values import ArticleSection

TEXT = st.text(max_size=40)
ARTICLES = st.builds(
    Article,
    url=TEXT,
    title=TEXT,
    text=TEXT,
    html=TEXT,
    sections=st.lists(st.builds(ArticleSection, st.sampled_from(["title", "main", "sub"]), TEXT)).map(tuple),
    pattern=TEXT,
    confidence=st.floats(0, 1),
    date=st.none() | st.dates().map(str),
    markdown=st.none() | TEXT,
)


@given(ARTICLES, st.sampled_from(["utf-8", "ascii", "latin-1", "utf-16-le"]))
def test_json_lines_give_back_what_was_written(article: Article, encoding: str) -> None:
    """An article is one line, from which every field can be read again."""
    page = Page(article.url, b"")
    line = json_line(page, article, encoding, sections=True).encode(encoding).decode(encoding)
    assert line.count("\n") == 1
    item = json.loads(line)
    sections = [{"kind": section.kind, "text": section.text} for section in article.sections]
    own = {name: getattr(article, name) for name in ArticleItem.__dataclass_fields__}
    own |= {name: None for name, value in own.items() if value == ()}
    assert item == {**own, "sections": sections or None}
    item["sections"] = None
    assert json.loads(json_line(page, article, encoding)) == item


@given(ARTICLES)
def test_text_records_have_a_field_on_each_line(article: Article) -> None:
    """No text of a page can look like a field of its own, or like the end of the record."""
    record = text_record(Page(article.url, b""), article, "utf-8")
    assert record.endswith("\n\n")
    assert record.count("\n\n") == 1
    first, second, *rest = record[:-2].splitlines()
    assert first.startswith("!MATCHED: ")
    assert second.startswith("PATTERN: ")
    assert all(line.startswith(("TITLE: ", "MAIN-", "SUB-")) for line in rest)


def test_title_outside_the_sections_is_printed() -> None:
    """A title outside the sections, such as that of the page's head, still has its line."""
    article = Article(
        url="http://a/",
        title="The title",
        text="text",
        sections=(ArticleSection("main", "text"),),
        pattern="p",
    )
    record = text_record(Page("http://a/", b""), article, "utf-8")
    assert record == "!MATCHED: http://a/\nPATTERN: p\nTITLE: The title\nMAIN-0: text\n\n"


def test_markdown_records() -> None:
    """A record has the title as a heading, the source, the text and a rule; other pages have no record."""
    page = Page("http://a/", b"")
    article = Article(
        url="http://a/",
        title="One *",
        text="two\nthree",
        date="2014-05-06",
        markdown="# One \\*\n\ntwo\n\nthree",
    )
    assert markdown_record(page, article, "utf-8") == (
        "# One \\*\n\n2014-05-06, <http://a/>\n\ntwo\n\nthree\n\n---\n\n"
    )
    untitled = replace(article, title="", date=None, markdown="two\n\nthree")
    assert markdown_record(page, untitled, "utf-8") == "<http://a/>\n\ntwo\n\nthree\n\n---\n\n"
    assert markdown_record(page, None, "utf-8") == ""


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://a/b_(c)?d=e", "<http://a/b_(c)?d=e>"),
        ("http://a/><img src=x>", "<http://a/%3E%3Cimg%20src=x%3E>"),
        ("http://a/?b=&lt;c", "[http\\://a/?b\\=\\&lt;c](http://a/?b=&amp;lt;c)"),
        ("<img src=x onerror=y>.html", "\\<img src\\=x onerror\\=y\\>.html"),
        ("javascript:x", "javascript\\:x"),
    ],
)
def test_urls_in_markdown_records(url: str, shown: str) -> None:
    """The url of a web page is a link that nothing in it ends; any other name is text."""
    article = Article(url=url, title="", text="two", markdown="two")
    assert markdown_record(Page(url, b""), article, "utf-8") == f"{shown}\n\ntwo\n\n---\n\n"


def test_a_file_takes_its_name_when_it_is_complete(tmp_path: Path) -> None:
    """While the output is being written, an earlier file stays."""
    path = tmp_path / "a.jsonl"
    path.write_text("before", encoding="utf-8")
    with open_output(str(path), "utf-8") as stream:
        stream.write("after")
        assert path.read_text(encoding="utf-8") == "before"
    assert path.read_text(encoding="utf-8") == "after"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_while_writing_leaves_nothing(tmp_path: Path) -> None:
    """If writing fails, neither a half-written file nor a temporary one stays."""

    def write() -> None:
        with open_output(str(tmp_path / "a.jsonl"), "utf-8") as stream:
            stream.write("half")
            raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        write()
    assert list(tmp_path.iterdir()) == []


STATED = {"date": "2026-05-14", "authors": [{"name": "Ann Lee", "url": None}], "tags": ["Sea", "Ferries"]}


def front_matter(monkeypatch: pytest.MonkeyPatch, **stated: Any) -> dict[str, Any]:
    """Return the front matter of an article, as a parser of YAML reads it."""
    article = Article(url="http://a/?b: c", title="A title", text="two", markdown="# A title\n\ntwo")
    values = {**ArticleItem.from_article(article), **stated}
    monkeypatch.setattr(Article, "to_dict", lambda *_, **__: values)
    record = markdown_record(Page("http://a/", b""), article, "utf-8", front_matter=True)
    assert record.startswith("---\n")
    matter, _, rest = record.removeprefix("---\n").partition("\n---\n")
    assert rest == "\n# A title\n\ntwo\n\n"
    return yaml.safe_load(matter)


def test_front_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    """An article begins with what is known of it, and has no other line with its url, and no rule."""
    assert front_matter(monkeypatch) == {"title": "A title", "url": "http://a/?b: c"}
    found = front_matter(monkeypatch, **STATED)
    assert list(found) == ["title", "url", "date", "authors", "tags"]
    assert found == {"title": "A title", "url": "http://a/?b: c", **STATED, "authors": ["Ann Lee"]}


@given(text=st.text(max_size=30))
def test_front_matter_holds_any_text(text: str) -> None:
    """A parser of YAML reads what was written, whatever characters it has; no text ends the front matter."""
    for hostile in (text, f"\n---\n{text}", f'"{text}', f"\u2028\x85\ufeff\x7f\x00\\{text}: {{#'"):
        with pytest.MonkeyPatch.context() as monkeypatch:
            named = [{"name": hostile, "url": None}]
            monkeypatch.setattr(
                Article,
                "to_dict",
                lambda _, hostile=hostile, named=named: {
                    "title": hostile, "url": hostile, "date": None,
                    "authors": named, "tags": [hostile, "b"],
                },
            )  # fmt: skip
            article = Article(url="http://a/", title="", text="", markdown="text")
            record = markdown_record(Page("http://a/", b""), article, "utf-8", front_matter=True)
        lines = record.split("\n")
        assert lines[0] == "---"
        end = lines.index("---", 1)
        assert lines[end:] == ["---", "", "text", "", ""]
        found = yaml.safe_load("\n".join(lines[1:end]))
        tags = [hostile, "b"]
        authors = {"authors": [hostile]}
        assert found == {"title": hostile, "url": hostile, **authors, "tags": tags}


def test_formats_of_a_folder() -> None:
    """A folder takes Markdown; any other format is refused in a line."""
    assert output_format("news/", None, []) == output_format("news/", "markdown", []) == "markdown"
    for wanted in ("jsonl", "csv", "text"):
        with pytest.raises(UsageError, match=rf"^news/: is a folder, which .* and not as {wanted}$"):
            output_format("news/", wanted, ["csv"])


def test_front_matter_is_for_markdown_alone() -> None:
    """Another format is refused, named or found by the ending."""
    assert output_format("a.md", None, [], front_matter=True) == "markdown"
    assert output_format("a/", None, [], front_matter=True) == "markdown"
    for name, wanted, form in (("a.jsonl", None, "jsonl"), ("a", None, "jsonl"), ("a.md", "text", "text")):
        with pytest.raises(UsageError, match=rf"^--front-matter: only Markdown has it, not {form}$"):
            output_format(name, wanted, ["jsonl"], front_matter=True)


@pytest.mark.parametrize("name", ["articles.", "a.parquet.gz", "a.parquet.", "a.arrow", "s3://b/a.parquet."])
def test_unknown_endings(name: str) -> None:
    """An ending that no format has is refused."""
    with pytest.raises(UsageError, match=r"is not that of a known format: .*parquet"):
        output_format(name, None, ["csv", "parquet"])


def test_the_format_says_what_is_extracted() -> None:
    """Nothing is looked for that has no place, and all that has."""
    all_of_it = ExtractOptions(comments=True)
    plain = options_for("markdown", all_of_it)
    assert (plain.markdown, plain.metadata, plain.comments) == (True, False, False)
    assert options_for("markdown", all_of_it, front_matter=True).metadata
    assert not options_for("markdown", replace(all_of_it, metadata=False), front_matter=True).metadata
    text = options_for("text", all_of_it)
    assert (text.copies, text.metadata, text.comments) == (True, False, False)
    for form in ("jsonl", "csv", "parquet"):
        assert options_for(form, all_of_it, sections=True) == replace(all_of_it, sections=True)
        assert options_for(form, all_of_it) == replace(all_of_it, sections=False)


def test_a_format_is_tried_before_the_work_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it lacks, or a charset that it cannot have, is refused; nothing is written."""
    for form in ("jsonl", "text", "markdown", "csv", "xml", "json", "parquet", "pickle"):
        check_format(form, "latin-1", Settings())
    check_format("jsonl", "utf-16", Settings())
    with pytest.raises(UsageError, match=r"^--output-encoding utf-16: not with the format csv"):
        check_format("csv", "utf-16", Settings())
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        CommandError, match=r'^the format parquet cannot be .* pip install "scrapy-webstemmer'
    ):
        check_format("parquet", "utf-8", Settings())


def article_at(url: str, text: str = "two") -> Article:
    """Return an article with a title."""
    return Article(url=url, title="One", text=text, markdown=f"# One\n\n{text}")


def write_to(name: str, *articles: Article, front_matter: bool = False) -> None:
    """Write articles to a folder, as commands do."""
    record = pickle.loads(pickle.dumps(record_of(name, "markdown", front_matter=front_matter)))
    with open_articles(name, "markdown", "utf-8", Settings()) as write:
        write(record(Page("http://a/", b""), None, "utf-8"))
        for one in articles:
            write(record(Page(one.url, b""), one, "utf-8"))


def test_a_file_for_each_article(tmp_path: Path) -> None:
    """It is named after the url; a file of this name is replaced, and others stay."""
    folder = tmp_path / "news"
    write_to(f"{folder}/", article_at("https://a.example/2026/05/14/the-ferry"))
    (path,) = folder.rglob("*.md")
    assert path == folder / "a.example" / "2026-05-14_the-ferry.md"
    assert path.read_text(encoding="utf-8") == "# One\n\n<https://a.example/2026/05/14/the-ferry>\n\ntwo\n"
    other = path.with_name("notes.md")
    other.write_text("mine", encoding="utf-8")
    write_to(str(folder), article_at("https://a.example/2026/05/14/the-ferry", "three"), front_matter=True)
    assert path.read_text(encoding="utf-8") == (
        '---\ntitle: "One"\nurl: "https://a.example/2026/05/14/the-ferry"\n---\n\n# One\n\nthree\n'
    )
    assert other.read_text(encoding="utf-8") == "mine"
    assert {*folder.rglob("*")} == {path, other, path.parent}


@given(st.lists(st.text(max_size=20), unique=True, max_size=5))
def test_no_article_leaves_its_folder(tmp_path_factory: pytest.TempPathFactory, parts: list[str]) -> None:
    """Hostile urls give files within the folder, one for each."""
    folder = tmp_path_factory.mktemp("news")
    urls = {f"https://a.example/{part}" for part in (*parts, "../" * 20 + "x", "%2e%2e/%2e%2e/x", "..\\x")}
    articles = {one.url: one for one in map(article_at, sorted(urls))}  # characters of control are left out
    write_to(str(folder), *articles.values())
    files = [one for one in folder.rglob("*") if one.is_file()]
    assert len(files) == len(articles) == len([*(folder / "a.example").glob("*.md")])


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    """A line says why: its parent is missing, it is a file, it is an input, or it may not be written."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "pages").mkdir()
    check_articles_output(f"{tmp_path}/new/", [])
    check_articles_output("-", [])
    refused = {
        f"{tmp_path}/no/new/": "there is no folder",
        f"{tmp_path}/file/": "is a file, not a folder",
        f"{tmp_path}/file/new/": "there is no folder",
        f"{tmp_path}/pages": "is an input as well",
    }
    for name, reason in refused.items():
        with pytest.raises(UsageError) as caught:
            check_articles_output(name, ["-", "http://a/", f"{tmp_path}/pages"])
        assert str(caught.value).startswith(f"{name}: {reason}")
    assert not (tmp_path / "new").exists()


def test_a_folder_without_permission_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It needs permission to write, or its parent if it is to be made."""
    asked = []
    monkeypatch.setattr(os, "access", lambda path, mode: asked.append(path))
    for name in (f"{tmp_path}/new/", f"{tmp_path}/"):
        with pytest.raises(UsageError, match="no file can be made there"):
            check_articles_output(name, [])
    assert asked == [tmp_path, tmp_path]


def test_names_of_files_are_those_of_urls() -> None:
    """The record of a folder begins with the name."""
    url = "https://a.example/x?y"
    record = record_of("news/", "markdown")(Page(url, b""), article_at(url), "utf-8")
    assert record.startswith(file_name_of(url) + "\n# One\n")


@pytest.mark.skipif(os.name != "posix", reason="needs a shell that closes files")
@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        ("extract patterns.json crawl.zip >&-", 2, "scrapy extract: error: standard output is closed"),
        ("extract patterns.json crawl.zip -O a.jsonl >&-", 0, "20 articles"),
        ("extract patterns.json crawl.zip -O a.jsonl 2>&-", 0, ""),
        ("analyze crawl.zip -o a.json >&- 2>&-", 0, ""),
    ],
)
def test_a_closed_stream(command: str, status: int, said: str, patterns: Path) -> None:
    """What would be written there is left out, but for articles, which would be lost."""
    line = f"{shlex.quote(sys.executable)} -m scrapy {command}"
    done = subprocess.run(line, shell=True, cwd=patterns.parent, capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    assert said in done.stderr
    assert done.stdout == ""
    assert [path.name for path in patterns.parent.glob("a.json*")] == (
        [] if status else [next(one for one in command.split() if one.startswith("a.json"))]
    )
