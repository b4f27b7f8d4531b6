"""`scrapy extract` writes Parquet, Markdown with front matter, and a file for each article."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from scrapy_webstemmer.items import ArticleItem

#: The fields of an article, as a crawl gives them.
FIELDS = [*ArticleItem.__dataclass_fields__]


def test_parquet_has_all_columns(run: Callable[..., Any], patterns: Path, write_zip: Any) -> None:
    """Their types are the same whatever is known of the articles, and without any article."""
    write_zip("bare.zip", {"http://news.example/none": b"<title>none</title>"})
    schemas = []
    for source in (["crawl.zip", "--sections", "--comments"], ["bare.zip"]):
        done = run("extract", "patterns.json", *source, "-O", "a.parquet")
        assert done.status == 0
        schemas.append(pyarrow.parquet.read_schema(patterns.with_name("a.parquet")))
    assert schemas[0] == schemas[1]
    assert schemas[0].names == FIELDS


def test_parquet_goes_to_standard_output(patterns: Path) -> None:
    """It can be piped into another program."""
    command = [sys.executable, "-m", "scrapy", "extract", "patterns.json", "crawl.zip", "--format", "parquet"]
    done = subprocess.run(command, capture_output=True, cwd=patterns.parent)
    assert pyarrow.parquet.read_table(io.BytesIO(done.stdout)).num_rows == 20


@pytest.mark.parametrize("name", ["{}:csv", "./{}.x:csv", "-:csv", "stdout:csv"])
def test_the_format_may_follow_a_colon(name: str, run: Callable[..., Any], patterns: Path) -> None:
    """``-O FILE:FORMAT`` means the same as in Scrapy's own commands, also for standard output."""
    done = run("extract", "patterns.json", "crawl.zip", "-O", name.format("a"))
    assert done.status == 0
    path = patterns.with_name(name.format("a").removesuffix(":csv"))
    written = path.read_text(encoding="utf-8") if "{}" in name else done.out
    assert written.startswith("url,title,")
    assert not [*patterns.parent.glob("*:*")]


def test_a_colon_without_a_format_stays(run: Callable[..., Any], patterns: Path) -> None:
    """What follows a colon may be a part of the name."""
    assert run("extract", "patterns.json", "crawl.zip", "-O", "a:b.csv").status == 0
    assert run("extract", "patterns.json", "crawl.zip", "-O", "stdout:").out.startswith('{"url"')
    assert [one.name for one in patterns.parent.glob("*:*")] == ["a:b.csv"]


def test_parquet_without_its_library_is_one_line(
    run: Callable[..., Any], patterns: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what to install, and nothing is written."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = run("extract", "patterns.json", "crawl.zip", "-O", "a.parquet")
    assert (done.status, done.out) == (1, "")
    assert done.err == (
        "error: the format parquet cannot be written: Parquet needs pyarrow, which is not installed:"
        ' pip install "scrapy-webstemmer[parquet]"\n'
    )
    assert not patterns.with_name("a.parquet").exists()


def test_a_file_for_each_article(run: Callable[..., Any], patterns: Path, make_story: Any) -> None:
    """In a folder that is made or is there, by one process or two; what is there otherwise stays."""
    for arguments in ([], ["--workers", "2"]):
        done = run("extract", "patterns.json", "crawl.zip", "-O", "news/", *arguments)
        assert (done.status, done.out) == (0, "")
    (notes := patterns.with_name("news") / "notes.md").write_text("mine", encoding="utf-8")
    files = [*patterns.with_name("news").glob("news.example/*.md")]
    assert len(files) == 20
    story = make_story(7)
    (path,) = (one for one in files if one.name.startswith("story_7_"))
    text = "\n\n".join(story.paragraphs)
    assert path.read_text(encoding="utf-8") == f"# {story.title}\n\n<{story.url}>\n\n{text}\n"
    done = run(
        "extract", "patterns.json", "crawl.zip", "-O", "news", "--front-matter", "--format", "markdown"
    )
    assert done.status == 0
    assert {*patterns.with_name("news").rglob("*.md")} == {*files, notes}
    head = f'---\ntitle: "{story.title}"\nurl: "{story.url}"\n---\n'
    assert path.read_text(encoding="utf-8") == f"{head}\n# {story.title}\n\n{text}\n"
    assert notes.read_text(encoding="utf-8") == "mine"


STATING = """<meta name="author" content="Ann Lee">
<meta property="article:published_time" content="2026-05-14">
<meta property="article:tag" content="Sea"><meta property="article:tag" content="Ferries"></head>"""


def test_front_matter_has_what_is_stated(
    run: Callable[..., Any], patterns: Path, write_zip: Any, make_story: Any
) -> None:
    """Author, day and topics are looked for; the articles of a file follow each other without rules."""
    stories = [make_story(number) for number in (30, 31)]
    pages = {one.url: one.body.replace(b"</head>", STATING.encode()) for one in stories}
    write_zip("new.zip", pages)
    done = run("extract", "patterns.json", "new.zip", "--front-matter", "-O", "a.md")
    assert done.status == 0
    content = patterns.with_name("a.md").read_text(encoding="utf-8")
    stated = 'date: "2026-05-14"\nauthors: ["Ann Lee"]\ntags: ["Sea", "Ferries"]\n'
    assert content == "".join(
        f'---\ntitle: "{one.title}"\nurl: "{one.url}"\n{stated}---\n\n# {one.title}\n\n'
        + "\n\n".join(one.paragraphs)
        + "\n\n"
        for one in stories
    )
