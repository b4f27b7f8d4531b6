"""Run the first three lines of the README, and what else needs no extra, where only the package is installed.

    python tests/one_line.py

The site of these lines is served here: 200 pages, 120 of them articles. It is crawled as politely as any
other, which takes a minute. All articles must be exact, and one page must give the same article by all ways.
"""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from loopback import WebServer, links, serve
from news_pages import article, index, story

import scrapy_webstemmer
from scrapy_webstemmer import extract

ROOT = Path(__file__).resolve().parents[1]
HOST = "127.0.0.1"
STORIES, ARCHIVES = 120, 78


def publish(server: WebServer) -> None:
    """Let a server have a front page, a page about itself, archives that follow one another, and stories."""
    for number in range(1, STORIES + 1):
        server.pages[f"/story/{number}.html"] = article(HOST, number).body.decode()
    for number in range(ARCHIVES):
        told = [n for n in (2 * number + 1, 2 * number + 2) if n <= STORIES]
        older = f'<p><a href="/archive/{number + 1}.html">Older stories</a></p></body>'
        body = index(HOST, number, told).body.decode()
        server.pages[f"/archive/{number}.html"] = body.replace("</body>", older, 1)
    server.pages["/"] = links("/archive/0.html", "/desk.html")
    server.pages["/desk.html"] = "<title>The desk</title><p>Write to the desk.</p>"


def lines_of_readme() -> tuple[str, str, str]:
    """Return the first two commands of the README, and its first Python."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first, second = re.findall(r"^\$ (scrapy .*?)(?: +#.*)?$", text, re.MULTILINE)[:2]
    (script, *_) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return first, second, script


def run(folder: Path, *words: str) -> str:
    """Run a program of this environment in a folder; return what it prints."""
    bin_folder = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    expect(done.returncode == 0, f"{words}\n{done.stderr}")
    return done.stdout


def expect(holds: bool, what: object) -> None:
    """End the program if something does not hold."""
    if not holds:
        raise SystemExit(f"one_line.py: {what}")


def articles_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def told(*numbers: int) -> list[tuple[str, str]]:
    return sorted((story(HOST, number).title, story(HOST, number).text) for number in numbers)


def three_lines(folder: Path, server: WebServer) -> None:
    """Run what the README says, in an empty folder, and compare what comes out with the truth."""
    crawl, read, script = (
        re.sub(r"https://news\.example/(\S+\.html)", server.url("/story/7.html"), line).replace(
            "https://news.example/", server.url("/")
        )
        for line in lines_of_readme()
    )
    run(folder, "bash", "-c", crawl)
    rows = articles_in(folder / "articles.jsonl")
    found = sorted((row["title"], row["text"]) for row in rows)
    expect(found == told(*range(1, STORIES + 1)), f"{len(rows)} articles, or others: {crawl}")
    print(f"{len(rows)} articles are exact: {crawl}")

    (folder / "pages").mkdir()
    for number in range(1, 7):
        path = folder / ("page.html" if number == 6 else f"pages/{number}.html")
        path.write_bytes(article(HOST, number).body)
    (folder / "new.html").write_bytes(article(HOST, 7).body)
    run(folder, "bash", "-c", read)
    with (folder / "more.csv").open(encoding="utf-8", newline="") as stream:
        found = sorted((row["title"], row["text"]) for row in csv.DictReader(stream))
    expect(found == told(*range(1, 8)), f"{found}: {read}")
    print(f"{len(found)} articles are exact: {read}")

    out = run(folder, sys.executable, "-c", script)
    expect(out.startswith(story(HOST, 7).title) and out.endswith(f"{story(HOST, 7).text}\n"), out)
    print(f"1 article is exact: {script.splitlines()[-3]}")


def one_page_by_all_ways(folder: Path, server: WebServer) -> None:
    """Read one page by each command and in Python: all fields must be the same."""
    url, html = server.url("/story/7.html"), article(HOST, 7).body
    (folder / "page.html").write_bytes(html)
    run(folder, "scrapy", "articles", url, "--pages", "1", "-O", "crawled.jsonl")
    run(folder, "scrapy", "extract", url, "-O", "fetched.jsonl")
    run(folder, "scrapy", "extract", "page.html", "--url", url, "-O", "stored.jsonl")
    found = {"extract()": extract(html, url=url).to_dict()}
    for name in ("crawled", "fetched", "stored"):
        (found[name],) = articles_in(folder / f"{name}.jsonl")
    expect((found["stored"]["title"], found["stored"]["text"]) == told(7)[0], found["stored"])
    for name, one in found.items():
        for field in {**one, **found["stored"]}:
            values = one.get(field, "no such field"), found["stored"].get(field, "no such field")
            expect(values[0] == values[1], f"{name}: {field}: {values}")
    print(f"{len(found['stored'])} fields are the same by {len(found)} ways")


def without_extras(folder: Path, server: WebServer) -> None:
    """Markdown, readers' comments and the review need nothing else."""
    (folder / "pages").mkdir()
    comment = (
        "<div id='comments'><h3>Comments</h3><p>{} says</p><p>I was there, and it was loud.</p></div></body>"
    )
    for number in range(1, 13):
        html = article(HOST, number).body.decode()
        said = html.replace("</body>", comment.format("Ann Lee"), 1)
        (folder / f"pages/{number}.html").write_text(said, encoding="utf-8")
    run(folder, "scrapy", "analyze", "-o", "patterns.json", "pages/")
    markdown = ("-O", "articles.md", "--format", "markdown")
    run(folder, "scrapy", "extract", "patterns.json", "pages/", *markdown)
    run(folder, "scrapy", "extract", "patterns.json", "pages/", "--comments", "-O", "comments.jsonl")
    written = (folder / "articles.md").read_text(encoding="utf-8")
    rows = articles_in(folder / "comments.jsonl")
    for number in range(1, 13):
        title, text = told(number)[0]
        expect(f"# {title}\n" in written and all(line in written for line in text.split("\n")), title)
    expect(len(rows) == 12 and all(row["comments"] is not None for row in rows), rows[0])
    run(folder, "scrapy", "review", "patterns.json", "pages/", "--export", "review")
    shown = (folder / "review/index.html").read_text(encoding="utf-8")
    expect("12 pages" in shown, shown[-1_000:])
    print(f"{len(rows)} articles as Markdown and with comments; the review has {len(shown):,} characters")


def main() -> None:
    """Run all of it."""
    if Path(scrapy_webstemmer.__file__).parent.parent == ROOT:
        raise SystemExit(f"{scrapy_webstemmer.__file__} is the checkout, not an installed package")
    with serve() as server, tempfile.TemporaryDirectory() as name:
        publish(server)
        expect(len(server.pages) == 200, f"{len(server.pages)} pages")
        for part in (without_extras, three_lines, one_page_by_all_ways):
            folder = Path(name, part.__name__)
            folder.mkdir()
            part(folder, server)


if __name__ == "__main__":
    main()
