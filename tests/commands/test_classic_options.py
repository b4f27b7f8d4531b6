"""Each option of the 2009 programs does what it did; each test fails if its option is ignored.

The options of html2txt are tested in `test_html2txt.py`. The debug levels, the output's charset and the order
of accept and reject patterns are tested in `test_analyze.py` and `test_extract.py`.
"""

from __future__ import annotations

import io
import random
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrapy_webstemmer import PatternSet
from scrapy_webstemmer.values import SitePatterns

STAMP = "202611210900"
HOST = "www.example.com"
PAGES = 6
PATTERN_FILE = """### version=0.6.1
(900.0, '202611210900/www.example.com/old.html', 0, [(0.9, 20.0, 'div/h1'), (0.9, 40.0, 'div/p:class=lead'), \
(0.9, 400.0, 'div/p:class=text'), (0.4, 10.0, 'div/p:class=by')])
"""


def words(seed: object, count: int, letters: str = "nopqrstuvwxyz") -> str:
    """Return words; the same seed always gives the same words."""
    chance = random.Random(repr(seed))
    return " ".join("".join(chance.choices(letters, k=8)) for _ in range(count))


def title(number: int) -> str:
    """Return a title whose letters do not occur in the text."""
    return words(f"title {number}", 4, "abcdefghijklm")


def page(number: int, *, more: str = "", attributes: str = "") -> str:
    """Return a page as sites wrote them in 2009: no HTML5, one layout."""
    return (
        f"<html><head><title>News site of the town</title></head><body><div>Home World Sport Weather</div>"
        f"<div {attributes}><h1>{title(number)}</h1><p>{words(number, 60)}</p>{more}</div>"
        f"<div>Copyright by the news site of the town</div></body></html>"
    )


@pytest.fixture
def put_zip(workdir: Path) -> Callable[..., Path]:
    """Return a function that writes a crawl of 2009: pages by name, and the linkinfo by member."""

    def put(pages: dict[str, bytes | str], name: str = "crawl.zip", **members: str) -> Path:
        with zipfile.ZipFile(workdir / name, "w") as archive:
            for path, body in pages.items():
                archive.writestr(f"{STAMP}/{HOST}/{path}", body)
            for member, content in members.items():
                archive.writestr(member, content)
        return workdir / name

    return put


@pytest.fixture
def analyze(run: Callable[..., Any], workdir: Path) -> Callable[..., SitePatterns]:
    """Return a function that learns a pattern file of 2009 from crawl.zip and returns the site's patterns."""

    def analyzed(*arguments: str, inputs: tuple[str, ...] = ("crawl.zip",)) -> SitePatterns:
        done = run("analyze", "--classic", *inputs, "-o", "news.pat", *arguments)
        if done.err.startswith("error: no pattern was learned, and news.pat was not written: "):
            assert done.status == 1
            return SitePatterns("example.com", "sequence", 0, 0, ())
        assert done.status == 0, done.err
        return PatternSet.load(workdir / "news.pat").sites["example.com"]

    return analyzed


def linkinfo(text: Callable[[int], str] = title) -> str:
    """Return linkinfo with a text for each page."""
    return "".join(f"{(f'{STAMP}/{HOST}/{n}.html', [text(n)])!r}\n" for n in range(PAGES))


def stories() -> dict[str, bytes | str]:
    """Return the pages of a crawl."""
    return {f"{number}.html": page(number) for number in range(PAGES)}


def test_analyze_writes_what_extract_reads(
    run: Callable[..., Any], put_zip: Callable[..., Path], analyze: Callable[..., SitePatterns]
) -> None:
    """A crawl becomes a .pat file, and that gives the text of 2009; no JSON file is needed."""
    put_zip(stories(), linkinfo=linkinfo())
    assert [pattern.pages for pattern in analyze().patterns] == [PAGES]
    done = run("extract", "--format", "text", "news.pat", "crawl.zip")
    records = done.out.split("\n\n")
    assert records[0].splitlines()[0] == f"!MATCHED: {STAMP}/{HOST}/0.html"
    assert f"\nTITLE: {title(0)}\nMAIN-3: {words(0, 60)}" in records[0]
    assert len(records) == PAGES + 1


def test_analyze_c(put_zip: Callable[..., Path], analyze: Callable[..., SitePatterns]) -> None:
    """-c: pages that declare no charset are learned like those that do."""
    bodies = {
        f"{n}.html": page(n, more="<p>" + "".join(random.Random(n).choices("日本語新聞文字東京大阪", k=40)))
        for n in range(PAGES)
    }
    put_zip({name: body.replace("<head>", "<head><meta charset=utf-8>") for name, body in bodies.items()})
    declared = analyze()
    put_zip({name: body.encode("euc-jp") for name, body in bodies.items()})
    assert analyze("-c", "euc-jp").patterns == declared.patterns
    assert analyze().patterns != declared.patterns


def test_analyze_a_and_j(put_zip: Callable[..., Path], analyze: Callable[..., SitePatterns]) -> None:
    """-a, -j: the first rule that is found in a page's url decides whether the page is learned from."""
    put_zip(stories())
    assert analyze().pages == PAGES
    assert analyze("-a", "[0-3].html").pages == 4
    assert analyze("-j", "0.html", "-a", ".").pages == PAGES - 1
    assert analyze("-a", ".", "-j", "0.html").pages == PAGES


def test_analyze_t(put_zip: Callable[..., Path], analyze: Callable[..., SitePatterns]) -> None:
    """-t: the threshold decides whether pages that differ by a tenth are one layout or two."""
    pages = stories()
    for number in range(0, PAGES, 2):
        pages[f"{number}.html"] = page(number, more=f"<blockquote>{words(('more', number), 12)}</blockquote>")
    put_zip(pages)
    assert [pattern.pages for pattern in analyze().patterns] == [3, 3]
    assert [pattern.pages for pattern in analyze("-t", ".8").patterns] == [PAGES]


def test_analyze_title_threshold(put_zip: Callable[..., Path], analyze: Callable[..., SitePatterns]) -> None:
    """-T: the threshold decides whether a title is found that holds two thirds of the anchor text."""
    put_zip(stories(), linkinfo=linkinfo(lambda n: title(n) + " " + words(("anchor", n), 4, "0123456789")))
    assert analyze("-T", ".4").patterns[0].title is not None
    assert analyze("-T", ".9").patterns[0].title is None


def test_analyze_score_threshold(put_zip: Callable[..., Path], analyze: Callable[..., SitePatterns]) -> None:
    """-S: patterns that score less are dropped, and -1 keeps all."""
    put_zip(stories() | {f"short-{n}.html": f"<p>{words(n, 3)}" for n in range(3)})
    large, small = analyze("-S", "-1").patterns
    assert small.score < 100 < large.score
    assert analyze().patterns == (large,)
    assert analyze("-S", str(large.score + 1)).patterns == ()


@pytest.mark.parametrize(
    ("arguments", "found"),
    [((), False), (("--linkinfo", "anchors"), True), (("--linkinfo", ""), False)],
    ids=["usual", "named", "none"],
)
def test_analyze_linkinfo(
    put_zip: Callable[..., Path],
    analyze: Callable[..., SitePatterns],
    arguments: tuple[str, ...],
    found: bool,
) -> None:
    """-L, here --linkinfo: the named member has the anchor texts."""
    put_zip(stories(), linkinfo=linkinfo(lambda n: words(n, 4, "0123456789")), anchors=linkinfo())
    assert (analyze(*arguments).patterns[0].title is not None) is found


def test_analyze_anchors_of_the_pages(
    put_zip: Callable[..., Path], analyze: Callable[..., SitePatterns]
) -> None:
    """-L '', here --linkinfo '': the anchors come from the pages, even if the zip has linkinfo."""
    links = "".join(f'<li><a href="/{n}.html">{title(n)}</a>' for n in range(PAGES))
    put_zip(stories() | {"index.html": f"<ul>{links}</ul>"}, linkinfo=linkinfo(lambda n: f"{n} {n}"))
    assert analyze().patterns[0].title is None
    assert analyze("--linkinfo", "").patterns[0].title is not None


def test_analyze_m(put_zip: Callable[..., Path], analyze: Callable[..., SitePatterns]) -> None:
    """-m: a page joins a cluster if it is like a sample of its pages, even if not like all of them."""
    count = 12
    put_zip(
        {
            f"{n}.html": "".join(
                f"<div id=part-{part}><p>{words((n, part), 10)}</div>" for part in range(n, n + 9)
            )
            for n in range(count)
        }
    )
    clusters = {samples: len(analyze("-t", ".8", "-m", str(samples)).patterns) for samples in (0, 1, count)}
    assert clusters[0] == clusters[count]
    assert clusters[1] != clusters[0]


def test_analyze_and_extract_p(
    run: Callable[..., Any], put_zip: Callable[..., Path], analyze: Callable[..., SitePatterns]
) -> None:
    """-P: only the part of attribute values that is found counts, in learning, file and extraction."""
    pages = {f"{n}.html": page(n, attributes=f"id=post-{n}") for n in range(PAGES)}
    put_zip(pages, linkinfo=linkinfo())
    assert analyze().patterns == ()
    learned = analyze("-P", "[a-z]+")
    assert (len(learned.patterns), learned.mangle) == (1, "[a-z]+")
    command = ("extract", "--classic", "--format", "text", "news.pat", "crawl.zip")
    assert run(*command).out.count("!MATCHED") == PAGES
    assert run(*command, "-P", "[0-9]+").out.count("!MATCHED") == 0


OLD_PAGE = (
    "<div><h1>Harbour bridge opens</h1><p class=lead>The first cars crossed it</p>"
    "<p class=text>The bridge over the harbour 日本 was opened</p><p class=by>By our own writer</p></div>"
)


@pytest.fixture
def extract(run: Callable[..., Any], workdir: Path, put_zip: Callable[..., Path]) -> Callable[..., str]:
    """Return a function that extracts a page with a pattern file of 2009 and returns the record."""
    (workdir / "old.pat").write_text(PATTERN_FILE, encoding="ascii")

    def extracted(body: str | bytes, *arguments: str) -> str:
        put_zip({"a.html": body}, "one.zip")
        done = run("extract", "--format", "text", *arguments, "old.pat", "one.zip")
        assert done.status == 0, done.err
        return str(done.out)

    return extracted


DEFAULT = (
    f"!MATCHED: {STAMP}/{HOST}/a.html\nPATTERN: {STAMP}/{HOST}/old.html\n"
    "TITLE: Harbour bridge opens\nSUB-1: The first cars crossed it\n"
    "MAIN-2: The bridge over the harbour 日本 was opened\n\n"
)
UNMATCHED = f"!UNMATCHED: {STAMP}/{HOST}/a.html\n\n"


def test_extract_without_options(extract: Callable[..., str]) -> None:
    """The thresholds of 2009 hold for a file of 2009, with --classic and without."""
    declared = "<meta charset=utf-8>" + OLD_PAGE
    assert extract(declared) == extract(declared, "--classic") == DEFAULT


def test_extract_c(extract: Callable[..., str]) -> None:
    """-c: a page without a charset is read in the charset of the option."""
    assert extract(OLD_PAGE.encode("euc-jp"), "-c", "euc-jp") == DEFAULT
    assert extract(OLD_PAGE.encode("euc-jp")) != DEFAULT


def test_extract_output_charset(run: Callable[..., Any], workdir: Path, extract: Callable[..., str]) -> None:
    """-C: the text is written in the charset."""
    extract(OLD_PAGE, "-C", "shift_jis", "-O", "a.txt")
    assert (workdir / "a.txt").read_bytes() == DEFAULT.encode("shift_jis")


def test_extract_a_and_j(extract: Callable[..., str]) -> None:
    """-a, -j: a page that is rejected has no record."""
    for arguments in (("-a", "/a"), ("-j", "/b", "-a", "/"), ("-a", "/a", "-j", "/")):
        assert extract(OLD_PAGE, *arguments) == DEFAULT
    for arguments in (("-a", "/b"), ("-j", "/a"), ("-j", "/", "-a", "/a")):
        assert extract(OLD_PAGE, *arguments) == ""


def test_extract_t(extract: Callable[..., str]) -> None:
    """-t: the threshold decides whether a page matches a pattern that covers two thirds of it."""
    body = OLD_PAGE + f"<div><i>{'more text ' * 6}</i></div>"
    assert extract(body) == UNMATCHED
    assert extract(body, "-t", ".5") == DEFAULT


def test_extract_strict(extract: Callable[..., str]) -> None:
    """-S: a page that lacks a section of the pattern does not match."""
    body = OLD_PAGE.replace("By our own writer", "")
    assert extract(body) == DEFAULT
    assert extract(body, "-S") == UNMATCHED
    assert extract(OLD_PAGE, "-S") == DEFAULT


def test_extract_diff_threshold(extract: Callable[..., str]) -> None:
    """-T: sections with at least that DiffScore are text, the others are not."""
    assert extract(OLD_PAGE, "--classic", "-T", ".4") == DEFAULT[:-1] + "SUB-3: By our own writer\n\n"
    assert "SUB-1" not in extract(OLD_PAGE, "--classic", "-T", ".95")


def test_extract_main_threshold(extract: Callable[..., str]) -> None:
    """-M: sections with at least that MainScore are main text, the others supplementary."""
    assert "\nMAIN-1: The first cars crossed it\n" in extract(OLD_PAGE, "--classic", "-M", "40")
    assert "\nSUB-2: The bridge" in extract(OLD_PAGE, "--classic", "-M", "401")


@pytest.mark.parametrize(
    "sections",
    [
        "(9, 'www.example.com/', 0, [(0.9, 'div/h1'), (0.4, 'div/p:class=lead'), (0.9, 'div/p:class=text')])",
        "(900.0, 'www.example.com/', 0, 2, [(0.9, 'div/h1'), (0.9, 'div/p:class=text')])",
        "(900.0, 'x.html', 0, 2, [(0.9, 10.0, 'div/h1'), (0.9, 90.0, 'div/p:class=text')])",
    ],
)
def test_extract_with_older_files(extract: Callable[..., str], workdir: Path, sections: str) -> None:
    """Older files, without MainScores or hosts or with a main section's number, give title and main text."""
    (workdir / "old.pat").write_text(sections, encoding="ascii")
    lines = extract(OLD_PAGE, "-t", ".3").splitlines()[2:-1]
    assert [line.partition("-")[0].partition(":")[0] for line in lines] == ["TITLE", "MAIN"]


def unpack(folder: Path) -> list[str]:
    """Unpack a crawl, and return the names of its pages."""
    with zipfile.ZipFile(folder / "crawl.zip") as archive:
        archive.extractall(folder)
        return [name for name in archive.namelist() if "/" in name]


@pytest.mark.parametrize(
    "inputs", [("-", "linkinfo"), ("-",), ("my.list", "linkinfo"), (f"{STAMP}", "linkinfo")], ids=" ".join
)
def test_analyze_files_in_place_of_a_zip(
    put_zip: Callable[..., Path],
    analyze: Callable[..., SitePatterns],
    workdir: Path,
    monkeypatch: pytest.MonkeyPatch,
    inputs: tuple[str, ...],
) -> None:
    """``find … | analyze - linkinfo``: listed files give what their zip gave; linkinfo is listed or given."""
    put_zip(stories(), linkinfo=linkinfo())
    expected = analyze()
    names = unpack(workdir) + (["linkinfo"] if inputs == ("-",) else [])
    listed = "".join(f"./{name}\n" for name in names).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(listed)))
    (workdir / "my.list").write_bytes(listed)
    found = analyze(inputs=inputs)
    assert found.patterns == expected.patterns
    assert found.patterns[0].title is not None


def test_analyze_linkinfo_by_another_name(
    put_zip: Callable[..., Path], analyze: Callable[..., SitePatterns], workdir: Path
) -> None:
    """--linkinfo may give a linkinfo file another name."""
    put_zip(stories())
    (workdir / "anchors").write_text(linkinfo(), encoding="utf-8")
    found = analyze("--linkinfo", "anchors", inputs=("crawl.zip", "anchors"))
    assert found.patterns[0].title is not None


def test_extract_single_pages(run: Callable[..., Any], extract: Callable[..., str], workdir: Path) -> None:
    """HTML files are inputs. Each page has the name of its file, and matches although its host is unknown."""
    for name in ("a.html", "b", "c.txt"):
        (workdir / name).write_text("<!DOCTYPE html><meta charset=utf-8>" + OLD_PAGE, encoding="utf-8")
    done = run("extract", "--format", "text", "old.pat", "a.html", "b", "c.txt")
    records = [
        DEFAULT.replace(f"!MATCHED: {STAMP}/{HOST}/a.html", f"!MATCHED: {n}")
        for n in ("a.html", "b", "c.txt")
    ]
    assert done.out == "".join(records)


def test_extract_a_page_on_standard_input(
    run_process: Callable[..., Any], extract: Callable[..., str], workdir: Path
) -> None:
    """A page on standard input is called stdin, as in 2009."""
    done = run_process(
        "extract",
        "--format",
        "text",
        "old.pat",
        "-",
        input="<html><meta charset=utf-8>" + OLD_PAGE,
        cwd=workdir,
    )
    assert done.out == DEFAULT.replace(f"!MATCHED: {STAMP}/{HOST}/a.html", "!MATCHED: stdin")


def test_a_pat_file_is_for_layouts_of_2009(run: Callable[..., Any], put_zip: Callable[..., Path]) -> None:
    """Patterns that a .pat file cannot hold are not even learned."""
    crawl = put_zip(stories())
    done = run("analyze", "crawl.zip", "-o", "news.pat")
    assert (done.status, done.out) == (2, "")
    assert "add --classic" in done.err
    assert list(crawl.parent.iterdir()) == [crawl]


def test_a_bad_line_of_a_pattern_file_is_one_line_and_status_1(
    run: Callable[..., Any], put_zip: Callable[..., Path]
) -> None:
    """The line is named, and not executed."""
    folder = put_zip(stories()).parent
    (folder / "old.pat").write_text(PATTERN_FILE + "__import__('os').mkdir('ran')\n", encoding="ascii")
    done = run("extract", "old.pat", "crawl.zip")
    assert (done.status, done.out) == (1, "")
    assert done.err == "error: old.pat:3: is not a pattern: (score, 'name', title, [sections])\n"
    assert not (folder / "ran").exists()


def test_the_setting_takes_a_file_of_2009(extract: Callable[..., str], workdir: Path) -> None:
    """WEBSTEMMER_PATTERNS may name a .pat file."""
    assert list(PatternSet.load(workdir / "old.pat").sites) == ["example.com"]
