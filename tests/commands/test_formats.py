"""`scrapy extract` writes Parquet, Markdown with front matter, and a file for each article."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapy_webstemmer.commands.formats import file_name_of
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


@pytest.mark.parametrize("option", ["-O", "--patterns", "--save-patterns"])
def test_a_name_is_not_empty(option: str, run: Callable[..., Any], patterns: Path) -> None:
    """An unset variable of a shell gives such a name; it would be that of the current folder."""
    before = [*patterns.parent.iterdir()]
    done = run("extract", "patterns.json", "crawl.zip", option, "")
    assert done.status == 2
    assert "the name is empty" in done.err
    assert [*patterns.parent.iterdir()] == before


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


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://news.example/2026/05/14/the-ferry", "news.example/2026-05-14_the-ferry.md"),
        ("https://news.example/2026/05/14/the-ferry/", "news.example/2026-05-14_the-ferry_.md"),
        ("https://news.example/world/the-ferry.html", "news.example/world_the-ferry.html.md"),
        ("https://news.example:8080/a", "news.example+8080/a.md"),
        ("http://news.example/2026/05/14/the-ferry.html", "news.example/2026-05-14_the-ferry_*.md"),
        ("https://news.example/2026-05-14/x", "news.example/2026-05-14_x_*.md"),
        ("https://news.example/The_Ferry", "news.example/the-ferry_*.md"),
        ("https://news.example/view.php?id=7&lang=de", "news.example/view_id-7-lang-de_*.md"),
        ("https://news.example/", "news.example/index_*.md"),
        ("https://news.example/%D0%BF%D0%B0%D1%80%D0%BE%D0%BC", "news.example/паром_*.md"),
        ("https://a.example/x/0123456789", "a.example/x_0123456789_*.md"),
        ("https://a.example/con.html", "a.example/con_*.md"),
        ("https://aux.example/a", "_aux.example/a_*.md"),
        ("https://a.example/%2e%2e/..%5C..%2Fetc", "a.example/etc_*.md"),
        ("file:///home/me/page.html", "files/home_me_page_*.md"),
        ("https://[::", "files/index_*.md"),
        ("", "files/index_*.md"),
    ],
)
def test_name_of_a_file(url: str, name: str) -> None:
    """It is readable; a digest (here ``*``) comes where other urls would have the same name."""
    assert re.sub(r"(?<=_)[0-9a-f]{10}(?=\.md\Z)", "*", file_name_of(url)) == name


def test_documented_names_of_files() -> None:
    """The table in the docs is true."""
    docs = Path(__file__).parents[2] / "docs" / "commands.md"
    rows = re.findall(r"^\| `(\S+)` \| `articles/(\S+)` \|$", docs.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) == 3
    assert rows == [(url, file_name_of(url)) for url, _ in rows]


def test_names_of_long_urls() -> None:
    """The last parts stay, or the beginning of a single one; no character is cut in two."""
    last = "a-long-title-of-an-article" * 2
    assert re.fullmatch(
        rf"a\.example/(b_)+{last}_\w{{10}}\.md", file_name_of(f"http://a.example/{'b/' * 99}{last}")
    )
    assert re.fullmatch(r"a\.example/(海){26}_\w{10}\.md", file_name_of(f"http://a.example/{'海' * 99}"))


PARTS = ["", "a", "A", "a-b", "a_b", "a/b", "a--b", "2026/05/14", "2026-05-14", "2026/05/14/", "a.html"]
TAILS = ["", "/", "?", "?a", "#a", "/0123456789", "%20", " ", "_"]


def test_no_two_urls_share_a_file() -> None:
    """Neither where upper and lower case are the same, nor with another form of Unicode."""
    hosts = ["http://a.example/", "https://a.example/", "https://A.example/", "https://a.example:443/"]
    urls = {"".join(one) for one in product(hosts, PARTS, ["", "/"], PARTS, TAILS)}
    assert len(urls) > 5000
    assert len({unicodedata.normalize("NFKC", file_name_of(url)).casefold() for url in urls}) == len(urls)


#: Windows takes these for devices, with any ending.
DEVICES = {"con", "prn", "aux", "nul", *(f"{one}{n}" for one in ("com", "lpt") for n in range(10))}


@given(st.text() | st.text().map("https://".__add__) | st.text().map("https://a.example/".__add__))
@example("https://a.example/" + "\u0130" * 90)
@example("https://" + "a." * 200 + "example/x")
@example("https://a.example/.hidden")
@example("https://com1.example/lpt9")
@example("https://nul/nul.html/")
@example("https://a.example/-/--/x.")
def test_every_url_has_a_safe_name(url: str) -> None:
    """A folder and a file, whose names no system takes for something else."""
    folder, name = file_name_of(url).split("/")
    for part in (folder, name):
        assert 1 <= len(part.encode()) <= 100
        assert part[0] not in ".-"
        assert part[-1] not in ". "
        assert part.partition(".")[0] not in DEVICES
        assert all(unicodedata.category(one)[0] in "LMN" or one in "-_.+" for one in part)
    assert name.endswith(".md")
