"""`scrapy trees`: trees, mappings and clusters of pages, as text and as HTML."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from loopback import serve

from scrapy_webstemmer.page.parsing import parse_text

Run = Callable[..., Any]
HEAD = "<html><head><title>T</title></head><body>"


@pytest.fixture
def two_pages(workdir: Path) -> Path:
    """Write two pages of one template, a.html and b.html; the second has an extra element early on."""
    (workdir / "a.html").write_text(f"{HEAD}<p class=x>One <b>two</b></p><ul><li>Home</ul>")
    (workdir / "b.html").write_text(f"{HEAD}<hr><p>Three</p><ul><li>Home</ul>")
    return workdir


def test_show(run: Run, two_pages: Path) -> None:
    """Each page's tree is printed as indented lines."""
    done = run("trees", "show", "a.html", "--select", "default -lists", "--attributes")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].endswith("a.html: 7 nodes")
    assert lines[1:] == ["html", "  head", "    title", '      "T"', "  body", "    p .x", '      "One two"']


def test_show_html(run: Run, two_pages: Path) -> None:
    """One page's tree is written as HTML."""
    done = run("trees", "show", "a.html", "--html", "tree.html")
    assert (done.status, done.out, done.err) == (0, "", "")
    html = (two_pages / "tree.html").read_text()
    assert html.index("default-src 'none'") < html.index("<p>One two</p>")
    done = run("trees", "show", "a.html", "b.html", "--html", "tree.html")
    assert (done.status, done.err) == (1, "error: show --html goes with one page; the inputs have 2\n")


def test_map(run: Run, two_pages: Path) -> None:
    """The rate and the common tree are printed."""
    done = run("trees", "map", "a.html", "b.html")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "rate 0.818: 9 common nodes of 10 and 11"
    assert [line.strip() for line in lines[1:]] == [
        "html", "head", "title", '"T"', "body", "p", "ul", "li", '"Home"',
    ]  # fmt: skip


def test_a_fooled_mapping_is_named(run: Run, two_pages: Path) -> None:
    """The fast mapping that was fooled gets a warning."""
    done = run("trees", "map", "a.html", "b.html", "--method", "fast")
    assert done.out.startswith("rate 0.455: 5 common nodes")
    assert done.err == "the fast mapping was fooled: the rate of the fine one is 0.364 higher\n"


def test_a_restricted_mapping(run: Run, two_pages: Path) -> None:
    """The restricted mapping has a distance: one text differs, and one element is new."""
    done = run("trees", "map", "a.html", "b.html", "--method", "restricted")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("rate 0.818: distance 2, 9 common nodes of 10 and 11\n")


def test_a_restricted_mapping_that_takes_too_long(run: Run, workdir: Path) -> None:
    """Two pages of thousands of different paragraphs are refused in one line."""
    for name in "ab":
        (workdir / f"{name}.html").write_text("".join(f"<p>{name} {number}" for number in range(1_100)))
    done = run("trees", "map", "a.html", "b.html", "--method", "restricted")
    assert (done.status, done.out) == (1, "")
    assert done.err == "error: the restricted mapping of these two pages takes too long\n"


def test_map_html(run: Run, two_pages: Path) -> None:
    """Both trees stand side by side, with common nodes and the text that is kept and dropped."""
    assert run("trees", "map", "a.html", "b.html", "--html", "map.html").status == 0
    root = parse_text((two_pages / "map.html").read_text())
    sections = root.xpath("//section")
    assert len(sections) == 2
    assert [line.text_content() for line in sections[0].find_class("kept")] == ['"One two"']
    assert [line.text_content() for line in sections[1].find_class("dropped")] == ['"T"', '"Home"']
    assert len(sections[1].find_class("common")) == 9
    assert root.xpath("//script") == []


def test_cluster(run: Run, crawl: Path) -> None:
    """The clusters are printed, each page with its rate."""
    done = run("trees", "cluster", "crawl.zip", "-t", "0.3")
    lines = done.out.splitlines()
    assert (done.status, done.err) == (0, "")
    assert lines[0] == "cluster 1: 20 pages"
    assert lines[1] == "1.000 http://news.example/story/0.html"
    assert len(lines) == 21
    assert run("trees", "cluster", "crawl.zip", "-t", "1").out.count("cluster") == 20


def test_restricted_clusters(run: Run, two_pages: Path) -> None:
    """By the restricted mapping, texts count as equal: three pages with other texts have the rate 1."""
    (two_pages / "c.html").write_text((two_pages / "a.html").read_text().replace("One", "Four"))
    done = run("trees", "cluster", "a.html", "b.html", "c.html", "--method", "restricted")
    assert (done.status, done.err) == (0, "")
    lines = [re.sub("file.*/", "", line) for line in done.out.splitlines()]
    assert lines == ["cluster 1: 3 pages", "1.000 a.html", "0.909 b.html", "1.000 c.html"]


def test_cluster_html(run: Run, crawl: Path) -> None:
    """The page has the rates as data, and the threshold that was asked for."""
    assert run("trees", "cluster", "crawl.zip", "-t", "0.75", "--html", "clusters.html").status == 0
    root = parse_text(crawl.with_name("clusters.html").read_text())
    data = json.loads(root.xpath("string(//script[@id='data'])"))
    assert len(data["pages"]) == 20
    assert len(data["pairs"]) == 190
    assert data["pairs"] == sorted(data["pairs"], key=lambda pair: (-pair[0], pair[1:]))
    assert (root.xpath("string(//input/@value)"), root.xpath("string(//input/@min)")) == ("0.75", "0.25")


def test_cluster_html_with_a_low_threshold(run: Run, two_pages: Path) -> None:
    """If the threshold is lower than the lowest one of the dialog, the page has the rates from it on."""
    (two_pages / "c.html").write_text("<hr>" * 20)
    assert run("trees", "cluster", "a.html", "c.html", "-t", "0.055", "--html", "low.html").status == 0
    root = parse_text((two_pages / "low.html").read_text())
    assert root.xpath("string(//input/@min)") == "0.05"
    assert len(json.loads(root.xpath("string(//script[@id='data'])"))["pairs"]) == 1


def test_cluster_html_of_too_many_pages(run: Run, crawl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of clusters would grow with the square of the number of pages, so there is a limit."""
    monkeypatch.setattr("scrapy_webstemmer.commands.trees._MOST_CLUSTERED", 19)
    done = run("trees", "cluster", "crawl.zip", "--html", "clusters.html")
    assert (done.status, done.err) == (1, "error: cluster --html goes with 19 pages at most, not 20\n")
    assert not crawl.with_name("clusters.html").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "the first argument must be one of show, map, cluster"),
        ("draw a.html", "the first argument must be one of show, map, cluster"),
        ("show", "give at least one INPUT"),
        ("show c.html", "c.html: there is no such file or folder"),
        ("show a.html --select p,nix", "--select nix: must be one of a, "),
        ("show a.html --select sections --html4", "--select sections: must be one of a, "),
        ("map a.html b.html -t 0.5", "--cluster-threshold goes with cluster"),
        ("cluster a.html -t nan", "--cluster-threshold nan: must be from 0 to 1"),
        ("cluster a.html --method restricted --html x", "cluster --html goes with --method fast or fine"),
        ("show a.html -c nix", "--encoding nix: "),
        ("show a.html --html .", ".: is a folder"),
    ],
)
def test_wrong_arguments(run: Run, two_pages: Path, arguments: str, message: str) -> None:
    """A wrong argument is named in one line, with status 2."""
    done = run("trees", *arguments.split())
    assert done.status == 2
    assert message in done.err + done.out


def test_pages_that_cannot_be_read(run: Run, two_pages: Path) -> None:
    """An unreadable page is named; without any page there is an error, and so there is for a third one."""
    (two_pages / "c.html").write_text("<div>" * 600)
    done = run("trees", "show", "c.html")
    assert done.status == 1
    assert "(limit 'depth')" in done.err
    assert "error: the inputs have no pages that can be read" in done.err
    done = run("trees", "map", "a.html", "b.html", "a.html")
    assert (done.status, done.err) == (1, "error: map takes two pages; the inputs have 3\n")


def test_urls(run_fork: Run, two_pages: Path) -> None:
    """A url is fetched, and its page compared with one from a file."""
    with serve() as server:
        server.pages["/b.html"] = (two_pages / "b.html").read_text()
        done = run_fork("trees", "map", "a.html", server.url("/b.html"))
        assert (done.status, done.err) == (0, "")
        assert done.out.startswith("rate 0.818: 9 common nodes of 10 and 11\n")
        done = run_fork("trees", "map", "a.html", server.url("/none"))
    assert done.status == 1
    assert "/none" in done.err


def test_limits(run: Run, two_pages: Path) -> None:
    """A page beyond a limit is named and left out."""
    (two_pages / "c.html").write_text("<div>" * 600)
    done = run("trees", "cluster", "a.html", "c.html")
    assert "(limit 'depth')" in done.err
    assert re.search("cluster 1: 1 page\n", done.out)
