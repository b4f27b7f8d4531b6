"""Output files appear only when they are complete."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer import Article, ArticleItem, Page
from scrapy_webstemmer.plugin.commands.exports import (
    json_line,
    json_line_with_sections,
    markdown_record,
    open_output,
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
    line = json_line_with_sections(page, article, encoding).encode(encoding).decode(encoding)
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
