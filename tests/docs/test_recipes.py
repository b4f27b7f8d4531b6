"""Each recipe of docs/recipes.md does what it says.

The recipe for pages that scripts render is run by ``tests/browser``.
"""

from __future__ import annotations

import ast
import gzip
import json
import re
import shlex
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from loopback import serve
from news_pages import article, articles, index, story
from recipes import (
    AUTHORS,
    HOST,
    REQUIRED,
    ROOT,
    TOPICS,
    Kitchen,
    blocks,
    commands,
    make_kitchen,
    need,
    publish,
    recipes,
    scripts,
    table,
)

from scrapy_webstemmer import extract

pytestmark = pytest.mark.once

STORIES = 24


@pytest.fixture
def kitchen(tmp_path: Path) -> Iterator[Kitchen]:
    """Serve a site of 24 stories, and return a folder to work in."""
    with serve() as server:
        publish(server, STORIES)
        yield make_kitchen(tmp_path, server)


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def titles(numbers: range) -> list[str]:
    return sorted(story(HOST, number).title for number in numbers)


def crawl(kitchen: Kitchen) -> None:
    """Run the first command of the page."""
    (command,) = commands("A table in pandas")
    kitchen.run(command)
    assert sorted(row["title"] for row in rows(kitchen.folder / "articles.jsonl")) == titles(range(1, 25))


def test_each_recipe_has_a_test() -> None:
    """A recipe that is added needs a test that runs it, here or in tests/browser."""
    tests = [Path(__file__), ROOT / "tests" / "browser" / "test_rendered.py"]
    named = {
        node.value
        for path in tests
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
    }
    assert recipes()
    assert recipes().keys() <= named


@pytest.mark.recipes
def test_pandas(kitchen: Kitchen) -> None:
    """The table has a row an article; months and topics are counted."""
    need("pandas")
    crawl(kitchen)
    (script,) = scripts("A table in pandas")
    out = kitchen.python(
        f"{script}\nprint(len(articles), len(articles.columns), articles['date'].isna().sum())"
    )
    assert re.findall(r"^(\S+) +(\d+)$", out, re.MULTILINE) == [
        ("2026-10", "12"),
        ("2026-11", "12"),
        *((topic, "8") for topic in sorted(TOPICS)),
    ]
    assert out.splitlines()[-1] == "24 30 0"
    (other,) = re.findall(r"`(pd\.DataFrame.*?)`", recipes()["A table in pandas"])
    page = "extract('<title>A title</title><p>A text</p>')"
    first = "import pandas as pd\nfrom scrapy_webstemmer import extract"
    assert kitchen.python(f"{first}\nfound = [{page}]\nprint({other}.shape)") == "(1, 30)\n"


@pytest.mark.recipes
def test_duckdb(kitchen: Kitchen) -> None:
    """The query gives a row an author."""
    need("duckdb")
    crawl(kitchen)
    (script,) = scripts("SQL with DuckDB")
    out = kitchen.python(script)
    found = re.findall(r"│ (\w+ \w+) +│ +(\d+) │ ([\d-]+) +│", out)
    assert found == [(AUTHORS[0], "12", "2026-10-25"), (AUTHORS[1], "12", "2026-11-24")]


@pytest.mark.recipes
def test_parquet(kitchen: Kitchen) -> None:
    """The kept pages become a Parquet file, of which columns are read; DuckDB reads it as well."""
    need("pandas", "pyarrow", "duckdb")
    crawl(kitchen)
    kitchen.server.asked.clear()
    (command,) = commands("Parquet")
    kitchen.run(command)
    assert kitchen.server.asked == []
    (script,) = scripts("Parquet")
    out = kitchen.python(
        f"{script}\nprint(*sorted(articles['title']), sep='\\n')\n"
        "import duckdb\nprint(duckdb.sql(\"SELECT count(*) FROM '*.parquet'\").fetchall()[0][0])"
    )
    assert out.splitlines()[-25:] == [*titles(range(1, 25)), "24"]


@pytest.mark.recipes
def test_langchain(kitchen: Kitchen) -> None:
    """The loader gives a document an article, with text and plain metadata."""
    need("langchain_core")
    crawl(kitchen)
    (script,) = scripts("A loader for LangChain")
    shown = "print(json.dumps([[d.page_content, d.metadata] for d in documents]))"
    documents = json.loads(kitchen.python(f"{script}\n{shown}").splitlines()[-1])
    told = {story(HOST, n).text: story(HOST, n).title for n in range(1, 25)}
    assert {text: metadata["title"] for text, metadata in documents} == told
    assert {key for _, metadata in documents for key in metadata} >= {"source", "title", "date"}
    assert all(isinstance(one, str) for _, metadata in documents for one in metadata.values())


@pytest.mark.recipes
def test_llama_index(kitchen: Kitchen) -> None:
    """The reader gives a document for each article of a folder, and none for its lists."""
    need("llama_index")
    folder = kitchen.folder / "pages"
    folder.mkdir()
    for number in range(1, 21):
        (folder / f"{number}.html").write_bytes(article(HOST, number).body)
    for number in range(1, 5):
        body = index(HOST, number, range(5 * number, 5 * number + 8)).body
        (folder / f"list{number}.html").write_bytes(body)
    (script,) = scripts("A reader for LlamaIndex")
    shown = "import json; print(json.dumps([[d.id_, d.text, d.metadata['title']] for d in documents]))"
    found = json.loads(kitchen.python(f"{script}\n{shown}").splitlines()[-1])
    base = kitchen.server.url("/")
    expected = [[f"{base}{n}.html", story(HOST, n).text, story(HOST, n).title] for n in range(1, 21)]
    assert sorted(found) == sorted(expected)


def test_feeds(kitchen: Kitchen) -> None:
    """Only the feed's pages are fetched; a later call adds what is new, and keeps what was."""
    first, second = commands("Articles of feeds")
    kitchen.run(first)
    out = kitchen.folder / "articles.jsonl"
    assert sorted(row["title"] for row in rows(out)) == titles(range(20, 25))
    assert set(kitchen.server.paths()) == {"/feed.xml", *(f"/story/{n}.html" for n in range(20, 25))}
    publish(kitchen.server, STORIES + 2)
    kitchen.server.asked.clear()
    with serve() as other:
        publish(other, 3)
        lines = f"{kitchen.server.url('/feed.xml')}\n{other.url('/feed.xml')}\n"
        (kitchen.folder / "feeds.txt").write_text(lines, encoding="utf-8")
        kitchen.run(second)
    assert set(kitchen.server.paths()) == {"/feed.xml", "/story/25.html", "/story/26.html"}
    expected = titles(range(20, 27)) + titles(range(1, 4))
    assert sorted(row["title"] for row in rows(out)) == sorted(expected)


@pytest.mark.recipes
def test_300_sites(kitchen: Kitchen) -> None:
    """Three stand for all: on the second day one is redesigned and one is gone, and the report says so."""
    need("pandas")  # with the other recipes: it takes long
    title = "300 sites each day, and a report of what broke"
    kitchen.project()
    for script in scripts(title):
        kitchen.write(script)
    daily, report = commands(title)
    (shown,) = [text for kind, text in blocks(title) if kind == "text"]
    broken = kitchen.folder / "broken.txt"
    with ExitStack() as stack:
        servers = [stack.enter_context(serve()) for _ in range(2)]
        gone = ExitStack()
        servers.append(gone.enter_context(serve()))
        names = [server.url("").removeprefix("http://") for server in servers]
        (kitchen.folder / "sites.txt").write_text("\n".join(names) + "\n", encoding="utf-8")
        for server in servers:
            publish(server, 30)
        kitchen.run(daily)
        assert not broken.exists() or broken.read_text(encoding="utf-8") == ""
        for name in names:
            found = rows(kitchen.folder / f"{name}.jsonl")
            assert sorted(row["title"] for row in found) == titles(range(1, 31))
        for server, template in zip(servers, ("press", "bulletin"), strict=False):
            server.asked.clear()
            publish(server, 45, template)
        gone.close()
        kitchen.run(daily)
        assert "/story/1.html" not in servers[0].paths()
        lines = sorted(kitchen.run(report).splitlines())
    assert {line.split(" ", 1)[1].partition(" ")[0] for line in lines} == {f"http://{n}/" for n in names[1:]}
    expected = {words for _, _, words in (line.split(" ", 2) for line in shown.splitlines())}
    assert {line.split(" ", 2)[2] for line in lines} == expected
    for name, numbers in zip(names, (range(1, 46), range(1, 46), range(1, 31)), strict=True):
        found = rows(kitchen.folder / f"{name}.jsonl")
        assert sorted(row["title"] for row in found) == titles(numbers)


def test_cron(kitchen: Kitchen) -> None:
    """The line of the crontab is run by a shell with the crontab's own PATH; if it fails, it prints why."""
    (table_,) = [text for kind, text in blocks("Docker and cron") if kind == "text"]
    assert "%" not in table_  # cron makes a line break of it
    path, line = table_.splitlines()
    assert path.startswith("PATH=/srv/venv/bin:")
    programs = path.removeprefix("PATH=").replace("/srv/venv/bin", str(kitchen.programs))
    when, command = re.match(r"((?:\S+ ){5})(.*)", line).groups()  # type: ignore[union-attr]
    assert when == "0 6 * * * "
    command = command.replace("/srv/news", str(kitchen.folder))
    assert kitchen.run(command, path=programs) == ""
    assert sorted(row["title"] for row in rows(kitchen.folder / "articles.jsonl")) == titles(range(1, 25))
    kitchen.server.pages.clear()
    for kept in kitchen.folder.glob("127.0.0.1-*"):
        kept.unlink()
    assert "the server answers 404" in kitchen.run(command, path=programs)


@pytest.mark.recipes
def test_docker(tmp_path: Path) -> None:
    """The lines of the Dockerfile of docs/installation.md are run, one after the other, in environments.

    There need be no Docker: each FROM is a fresh environment of this Python, each RUN a shell in it, and the
    folders of the image are folders of the test. No user is made. Then the command of the recipe is run.
    """
    if not REQUIRED:
        pytest.skip("it needs PyPI and a minute; WEBSTEMMER_RECIPE_TESTS=required runs it")
    page = (ROOT / "docs" / "installation.md").read_text(encoding="utf-8")
    (file,) = re.findall(r"^```dockerfile\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (image, words) = re.fullmatch(
        r"docker run --rm -v news:/data (\w+) (.+)", *commands("Docker and cron")
    ).groups()
    assert f"docker build -t {image} " in page
    python, work, user = Path(), tmp_path, ""
    with serve() as server:
        publish(server, 12)

        def run(words: list[str]) -> None:
            environment = {"PATH": f"{python}/bin:/usr/bin:/bin", "HOME": str(tmp_path)}
            environment["SCRAPY_WEBSTEMMER_COMPILED"] = "0"  # tests of the packages compile the same wheel
            done = subprocess.run(
                words, cwd=work, env=environment, capture_output=True, text=True, check=False, timeout=600
            )
            assert done.returncode == 0, done.stderr + done.stdout

        def placed(text: str) -> str:
            return re.sub(r"(?<![\w.:/])/(src|wheels|data)\b", rf"{tmp_path}/\1", text)

        for line in filter(None, file.splitlines()):
            word, _, rest = line.partition(" ")
            if word == "FROM":
                python = tmp_path / re.sub(r"\W", "-", rest)
                venv.create(python, with_pip=True)
            elif line == "COPY . /src":
                _copy_checkout(tmp_path / "src")
            elif word == "COPY":
                assert rest == "--from=build /wheels /wheels"
                assert [*(tmp_path / "wheels").glob("scrapy_webstemmer-*.whl")]
            elif rest.startswith("useradd "):
                (user,) = re.fullmatch(
                    r"useradd --create-home (\w+) && mkdir /data && chown \1 /data", rest
                ).groups()
            elif word == "RUN":
                run(["bash", "-e", "-c", placed(rest)])
            elif word in ("USER", "VOLUME"):
                assert rest == {"USER": user, "VOLUME": "/data"}[word]
            elif word == "WORKDIR":
                work = Path(placed(rest))
                work.mkdir()
            else:
                assert word == "ENTRYPOINT"
                told = words.replace("https://news.example", server.url(""))
                run([*json.loads(rest), *shlex.split(told)])
    assert sorted(row["title"] for row in rows(work / "articles.jsonl")) == titles(range(1, 13))


def _copy_checkout(to: Path) -> None:
    """Copy what a package is built from."""
    to.mkdir()
    made = shutil.ignore_patterns("__pycache__", "*.so", "*.c")
    shutil.copytree(ROOT / "scrapy_webstemmer", to / "scrapy_webstemmer", ignore=made)
    for name in ("setup.cfg", "setup.py", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
        shutil.copy(ROOT / name, to / name)


def articles_of(kitchen: Kitchen, command: str) -> list[str]:
    """Run a command on the right side of a table, and return the titles of the articles that it writes."""
    for kept in kitchen.folder.glob("127.0.0.1-*"):
        kept.unlink()
    out = kitchen.run(command)
    name = next(iter(re.findall(r"-O (\S+)", command)), "")
    texts = (
        [path.read_text(encoding="utf-8") for path in kitchen.folder.glob(f"{name}/**/*.md")] if name else []
    )
    if texts or "markdown" in command:
        return [text.split("\n")[0].removeprefix("# ") for text in texts or [out]]
    found = rows(kitchen.folder / name) if name else [json.loads(line) for line in out.splitlines()]
    return [row["title"] for row in found]


def stock(kitchen: Kitchen) -> None:
    """Give a kitchen the files that commands of the tables name."""
    urls = [kitchen.server.url(f"/story/{number}.html") for number in (1, 2)]
    (kitchen.folder / "urls.txt").write_text("\n".join(urls), encoding="utf-8")
    (kitchen.folder / "pages").mkdir()
    with (kitchen.folder / "news.warc.gz").open("wb") as archive:
        for page in articles(HOST, 3):
            (kitchen.folder / "pages" / page.url.rpartition("/")[2]).write_bytes(page.body)
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page.body
            head = {
                "WARC-Type": "response",
                "WARC-Target-URI": page.url,
                "WARC-Date": "2026-11-24T09:00:00Z",
                "Content-Type": "application/http; msgtype=response",
                "Content-Length": len(http),
            }
            lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
            archive.write(gzip.compress(f"WARC/1.0\r\n{lines}\r\n".encode() + http + b"\r\n\r\n"))


def given(kitchen: Kitchen) -> dict[str, Any]:
    """Return what the Python of the tables works with."""
    return {"url": kitchen.server.url("/story/1.html"), "html": kitchen.server.pages["/story/1.html"]}


@pytest.mark.recipes
@pytest.mark.parametrize(
    ("title", "counts"),
    [
        ("From trafilatura", [1, 2, 3, 24, 5]),
        ("From news-please", [24, 5, 1, 3]),
        ("From newspaper4k", [1, 24]),
    ],
)
def test_from_others_to_ours(kitchen: Kitchen, title: str, counts: list[int]) -> None:
    """Each line on the right side of a table gives the articles that it names, in a command or in Python."""
    need("pandas")  # as above
    stock(kitchen)
    namespace = {"extract": extract, **given(kitchen)}
    told, last = story(HOST, 1), set(titles(range(1, 25)))
    found = []
    for _, code in table(title):
        if code.startswith("scrapy "):
            names = articles_of(kitchen, code)
            assert set(names) <= last
            found.append(len(names))
        elif code.startswith("a = "):
            exec(code, namespace)
        else:
            value = eval(code, namespace)
            text = (
                value["text"] if isinstance(value, dict) else value[1] if isinstance(value, tuple) else value
            )
            assert text == told.text
    assert found == counts


@pytest.mark.recipes
@pytest.mark.parametrize(
    ("title", "library"), [("From trafilatura", "trafilatura"), ("From newspaper4k", "newspaper")]
)
def test_what_others_have(kitchen: Kitchen, title: str, library: str) -> None:
    """What stands on the left side exists: options of the command, and Python that runs.

    news-please is not installed here, since it brings much along; its names were looked up in 1.6.16.
    """
    need(library)
    run = [sys.executable, "-m", "trafilatura.cli", "--help"]
    usage = subprocess.run(run, capture_output=True, text=True, check=False).stdout
    script = [f"import {library}", *(f"{name} = {value!r}" for name, value in given(kitchen).items())]
    for code, _ in table(title):
        if code.startswith("trafilatura "):
            options = [word for word in shlex.split(code) if word.startswith("-")]
            assert options
            assert all(re.search(rf"(^|[\s,\[]){option}\b", usage) for option in options), code
        elif "build" in code:  # it would crawl
            script.append("newspaper.build")
        else:
            script.append(code if " = " in code else f"print({code})")
    assert story(HOST, 1).title in kitchen.python("\n".join(script))
