"""Pattern files of 2009, of every age, are read and written. Nothing in them runs."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer import PatternSet
from scrapy_webstemmer.classic import pat_files as classic
from scrapy_webstemmer.classic.pat_files import ALWAYS_MAIN, ANY_SITE
from scrapy_webstemmer.errors import PatternFileError
from scrapy_webstemmer.options import LARGEST
from scrapy_webstemmer.pattern_files import pattern_sources as sources
from scrapy_webstemmer.values import Pattern, Section, SitePatterns

NEWEST = """### version=0.6.1
### fname='news.zip'
### cluster_threshold=0.970000
### title_threshold=0.600000
### pages=12

!mangle_pat='[a-z]+'

# 812.5 <200906011200/www.example.net/a.html>
#\t200906011200/www.example.net/a.html
#\t200906011200/www.example.net/b.html
(812.5, '200906011200/www.example.net/a.html', 1, [(0.25, 0.0, 'title'), (0.75, 4.5, 'div:class=x/h1'), \
(0.75, 4.5, 'div:class=x/h1'), (1.0, 300.0, 'div:class=x/p')])

# 90.0 <200906011200/example.net/c.html>
#\t200906011200/example.net/c.html
(90.0, '200906011200/example.net/c.html', -1, [(0.5, 60.0, 'td/p')])
"""
WITH_MAIN_INDEX = "(7.5, '200512011200/example.com/', 0, 1, [(0.6, 5.0, 'h1'), (0.9, 80.0, 'p')])\n"
WITHOUT_MAIN_SCORE = "(7.5, '200503011200/example.com/', 0, 1, [(0.6, 'h1'), (0.9, 'p'), (0.1, 'div')])\n"
H1, P = Section("h1", 0.6, 5.0), Section("p", 0.9, 80.0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "old.pat"


def load(file: Path, text: str | bytes) -> PatternSet:
    """Return the patterns of a file with this content."""
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return PatternSet.load(file)


def only(patterns: PatternSet) -> Pattern:
    """Return the only pattern of a set."""
    (site,) = patterns.sites.values()
    (pattern,) = site.patterns
    return pattern


def test_a_file_of_the_last_release(file: Path) -> None:
    """Scores, names, titles, equal neighbours, the regular expression and numbers of pages are all read."""
    name = "200906011200/www.example.net/a.html"
    h1 = Section("div:class=x/h1", 0.75, 4.5)
    first = (Section("title", 0.25, 0.0), h1, h1, Section("div:class=x/p", 1.0, 300.0))
    second = (Section("td/p", 0.5, 60.0),)
    patterns = (
        Pattern(name, "article", 812.5, 2, first, title=1),
        Pattern("200906011200/example.net/c.html", "article", 90.0, 1, second),
    )
    site = SitePatterns("example.net", "sequence", 12, 2, patterns, mangle="[a-z]+")
    assert load(file, NEWEST).sites == {"example.net": site}


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        (WITH_MAIN_INDEX, (H1, P)),
        (WITHOUT_MAIN_SCORE, (Section("h1", 0.6, ALWAYS_MAIN), Section("p", 0.9, ALWAYS_MAIN))),
    ],
)
def test_older_files(file: Path, text: str, sections: tuple[Section, ...]) -> None:
    """The number of the main section is ignored. Without MainScore, DiffScore alone decides."""
    pattern = only(load(file, text))
    assert (pattern.name[-12:], pattern.score, pattern.title) == ("example.com/", 7.5, 0)
    assert pattern.sections[:2] == sections


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("(7, 'example.com/', 0L, [(1, 5L, 'h1')])", (7.0, 0, 1.0, 5.0)),
        ("(1e3, 'example.com/', -1, [(.5, -1.5E-3, 'h1')])", (1000.0, None, 0.5, -0.0015)),
        ("(nan, 'example.com/', None, [(nan, inf, 'h1')])", (0.0, None, 0.0, LARGEST)),
        (
            "(-1.#IND, 'example.com/', 0, [(1.#QNAN, 1.#INF, 'h1')])",
            (0.0, 0, 0.0, LARGEST),
        ),
        (
            "(-inf, 'example.com/', 0, [(1e999, 1.#INF00, 'h1')])",
            (-LARGEST, 0, *[LARGEST] * 2),
        ),
        ("( 7 ,'example.com/',0 ,[ ( 1 , 2,'h1' , ) , ] , )", (7.0, 0, 1.0, 2.0)),
    ],
)
def test_numbers_of_python_2(file: Path, line: str, expected: tuple[float, ...]) -> None:
    """Whole numbers, longs, exponents, NaN and infinity are read, with space wherever Python allows it."""
    pattern = only(load(file, line))
    section = pattern.sections[0]
    assert (pattern.score, pattern.title, section.diff_score, section.main_score) == expected


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        (rb"'caf\xc3\xa9'", "café"),
        (rb"'caf\xe9'", "café"),
        (rb"u'caf\xe9'", "café"),
        (rb"u'\u65e5\U0001f600\ud83d\ude00'", "日😀😀"),
        (rb"'\u65e5'", r"\u65e5"),
        ("'café'".encode(), "café"),
        ("'café'".encode("latin-1"), "café"),
        ("u'café'".encode(), "café"),
        (rb'''"it's"''', "it's"),
        (rb"""'"it\'s" \\ \"\t\n\r\a\101\0'""", '"it\'s" \\ "\t\n\r\aA\0'),
        (rb"'[a-z]\d+\N{x}'", r"[a-z]\d+\N{x}"),
        (rb"r'\x41\''", r"\x41\'"),
        (rb"U''", ""),
        (rb"u'\ud800'", "\ufffd"),
    ],
)
def test_strings_of_python_2(file: Path, literal: bytes, text: str) -> None:
    """Bytes are UTF-8 if that fits, else Latin-1. Escapes are decoded; unknown escapes are kept."""
    pattern = only(load(file, b"(1, " + literal + b", 0, [(1, 1, " + literal + b")])"))
    assert (pattern.name, pattern.sections[0].feature) == (text, text)


@pytest.mark.parametrize(
    ("literal", "mangle"), [(r"'\d+'", r"\d+"), (r"r'\d+'", r"\d+"), (r"'\\d'", r"\d"), ("''", "")]
)
def test_the_regular_expression(file: Path, literal: str, mangle: str) -> None:
    """It counts for all patterns of the file, wherever it stands, and is written again."""
    patterns = load(file, f"{WITH_MAIN_INDEX}\n!mangle_pat = {literal}\r\n(1, 'example.org/', -1, [])\n")
    assert {site.mangle for site in patterns.sites.values()} == {mangle}
    patterns.save(file)
    assert PatternSet.load(file).sites["example.com"].mangle == mangle


@pytest.mark.parametrize(
    ("name", "site"),
    [
        ("200906011200/www.bbc.co.uk/news/a.html", "bbc.co.uk"),
        ("200906011200/us.example.edu:80/a", "example.edu"),
        ("200906011200/intranet/a", "intranet"),
        ("morning/www.example.com/", "example.com"),
        ("www.example.com/a", "example.com"),
        ("https://www.example.com/a", "example.com"),
        ("http://localhost:8000/", "localhost"),
        ("pages/a.html", ANY_SITE),
        ("a.html", ANY_SITE),
        ("200906011200/a.html", ANY_SITE),
        ("/tmp/www.example.com/a", ANY_SITE),
        ("file:///tmp/a.html", ANY_SITE),
        ("", ANY_SITE),
    ],
)
def test_sites_are_those_of_the_names(file: Path, name: str, site: str) -> None:
    """A pattern belongs to the site of the page in its name. Without a host it serves any site."""
    patterns = load(file, f"(1, {name!r}, 0, [(1, 1, 'p')])")
    assert list(patterns.sites) == [site]
    assert only(patterns).name == name


def test_sites_of_one_file(file: Path) -> None:
    """Patterns are grouped by site in the file's order, which decides between equal patterns."""
    names = ["9/example.org/1", "9/www.example.com/2", "9/example.com/1", "x.html", "9/example.org/0"]
    lines = ["### pages=50", *(f"#\tpage\n({n}, {name!r}, -1, [])" for n, name in enumerate(names))]
    sites = load(file, "\n".join(lines)).sites
    assert {site: [pattern.name for pattern in sites[site].patterns] for site in sites} == {
        "*": ["x.html"],
        "example.com": ["9/www.example.com/2", "9/example.com/1"],
        "example.org": ["9/example.org/1", "9/example.org/0"],
    }
    assert [site.pages for site in sites.values()] == [1, 2, 2]


def test_patterns_of_any_site_serve_pages_that_have_no_other(file: Path) -> None:
    """A page gets the patterns of its own site, else the patterns without a site."""
    patterns = load(file, "(2, '9/www.example.com/1', -1, [])\n(1, 'x.html', -1, [])")
    found = [
        patterns.site_of(url) for url in ("http://example.com/", "http://example.org/", "file:///x", "no url")
    ]
    assert [site and site.site for site in found] == ["example.com", "*", "*", "*"]


def test_a_page_without_a_host_gets_the_only_patterns(file: Path) -> None:
    """A page from a file has no known site. It is compared with the patterns of the only site."""
    one = load(file, "(2, '9/www.example.com/1', -1, [])")
    two = load(file, "(2, '9/www.example.com/1', -1, [])\n(2, '9/www.example.org/1', -1, [])")
    assert one.site_of("file:///tmp/a.html") is one.sites["example.com"]
    assert one.site_of("http://example.org/") is None
    assert two.site_of("file:///tmp/a.html") is None


@pytest.mark.parametrize(
    "line",
    [
        "(1, 'a', 0, [(1, 1, 'p')]",
        "(1, 'a', 0, [(1, 1, 'p')]) # comment",
        "(1, 'a', 0, [(1, 1, 'p')]) + (1,)",
        "(1, 'a', 0, [(1, 1, 'p'), p])",
        "(1, 'a', 0, [(1, 1, 'p') (1, 1, 'p')])",
        "(1, 'a', 0, [(1, 1, 'p' 'q')])",
        "(1, 'a', 0, [(1, 1, 1, 'p')])",
        "(1, 'a', 0, [('p',)])",
        "(1, 'a', 0, [(1, 1, p)])",
        "(1, 'a', 0, [(1, 1, 'p])",
        "(1, 'a', 0, [[1, 1, 'p']])",
        "(1, 'a', 0)",
        "(1, 'a', [(1, 1, 'p')])",
        "(1, 'a', 0, 0, 0, [(1, 1, 'p')])",
        "('1', 'a', 0, [(1, 1, 'p')])",
        "(1, a, 0, [(1, 1, 'p')])",
        "(1j, 'a', 0, [(1, 1, 'p')])",
        "(0x1, 'a', 0, [(1, 1, 'p')])",
        "(1 + 1, 'a', 0, [(1, 1, 'p')])",
        "(1, 'a', 0.5, [(1, 1, 'p')])",
        "(1, 'a', True, [(1, 1, 'p')])",
        "(1, 'a', 1, [(1, 1, 'p')])",
        "(1, 'a', -2, [(1, 1, 'p')])",
        "(1, 'a', 0, [])",
        r"(1, 'a', 0, [(1, 1, '\x4')])",
        r"(1, u'\U00110000', 0, [(1, 1, 'p')])",
        r"(1, u'\u12', 0, [(1, 1, 'p')])",
        "(" * 100_000,
        f"({'1' * 5000}, 'a', 0, [(1, 1, 'p')])",
        f"(1, 'a', {'1' * 5000}, [(1, 1, 'p')])",
        "__import__('os').mkdir('ran')",
        "(1, __import__('os').mkdir('ran'), 0, [])",
        "(1, 'a', -1, [(__import__('os').mkdir('ran'), 1, 'p')])",
        "(1, 'a', -1, [(1, 1, f'{__import__(\"os\").mkdir(\"ran\")}')])",
        "!mangle_pat=__import__('os').mkdir('ran')",
        "!mangle_pat='a' if 1 else __import__('os').mkdir('ran')",
        "!mangle_pat='('",
        "!mangle_pat='a",
        "!mangle_pat=5",
        "!other='a'",
        "word",
        "\0",
    ],
    ids=lambda line: line[:40],
)
@pytest.mark.filterwarnings("error")
def test_a_line_that_does_not_fit_is_named_and_never_runs(
    file: Path, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line of another kind is an error with the line's number, and nothing in it runs."""
    monkeypatch.chdir(file.parent)
    with pytest.raises(PatternFileError) as caught:
        load(file, f"# comment\n\n{WITH_MAIN_INDEX}\r\n{line}\n{WITH_MAIN_INDEX}")
    assert caught.value.line == 5
    assert str(caught.value).startswith(f"{file}:5: ")
    assert len(str(caught.value)) < len(str(file)) + 120
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize(
    ("name", "bound", "reason"),
    [
        ("MAX_LINE", len(WITH_MAIN_INDEX) - 2, "longer"),
        ("MAX_PATTERNS", 1, "patterns"),
        ("MAX_SECTIONS", 3, "sections"),
    ],
)
def test_bounds(file: Path, monkeypatch: pytest.MonkeyPatch, name: str, bound: int, reason: str) -> None:
    """A file has limits for the length of a line and for the numbers of patterns and sections."""
    assert len(load(file, WITH_MAIN_INDEX * 2)) == 2
    monkeypatch.setattr(classic, name, bound)
    with pytest.raises(PatternFileError, match=reason):
        load(file, WITH_MAIN_INDEX * 2)


def test_a_file_without_end_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is larger than any pattern file is not read."""
    monkeypatch.setattr(sources, "MAX_FILE", 100)
    with pytest.raises(PatternFileError, match="larger"):
        load(file, NEWEST)


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b"\n \r\n", b"# caf\xe9 \xff\n"])
def test_the_content_tells_the_format(file: Path, start: bytes) -> None:
    """The beginning of a file tells its format, of 2009 or ours, whatever the file's name."""
    patterns = load(file.with_name("x.json"), start + WITH_MAIN_INDEX.encode())
    assert only(patterns).sections == (H1, P)
    patterns.save(file, classic=False)
    assert file.read_bytes().startswith(b"{")
    assert PatternSet.load(file) == patterns


def test_comments_alone_are_a_file_without_patterns(file: Path) -> None:
    """A file of 2009 without patterns, from a run that learned nothing, is not an error."""
    assert load(file, "### version=0.6.1\n### pages=0\n\n") == PatternSet()


def test_comments_of_a_pattern_that_was_taken_out_do_not_count(file: Path) -> None:
    """If a pattern's line is deleted and its comments stay, the next pattern is not changed."""
    lines = [
        "# 5.0 <9/example.com/1>",
        "#\tone",
        "# 4.0 <9/example.com/2>",
        "#\ttwo",
        "(4, '9/example.com/2', -1, [])",
    ]
    assert only(load(file, "\n".join(lines))).pages == 1


TEXTS = st.text(max_size=12) | st.sampled_from(["it's", 'say "x"', "\\", "\n#", "日本", "\0", "a\tb", "é"])
NUMBERS = st.floats(-LARGEST, LARGEST)
COUNTS = st.integers(0, 10**8)
SECTIONS = st.lists(st.builds(Section, TEXTS, NUMBERS, NUMBERS, st.just(0.0)), max_size=3).map(tuple)
HOSTS = {
    "example.com": ["example.com", "www.example.com:80"],
    "b.co.uk": ["b.co.uk"],
    "localhost": ["localhost"],
}


@st.composite
def site_patterns(draw: st.DrawFn, site: str, mangle: str) -> SitePatterns:
    """Draw the patterns of a site that a file of 2009 can hold."""
    patterns = []
    for number in range(draw(st.integers(1, 3))):
        start = draw(st.sampled_from(["http://", "https://", "200906011200/", "morning/", ""]))
        name = f"{start}{draw(st.sampled_from(HOSTS[site]))}/{number}{draw(TEXTS)}"
        sections = draw(SECTIONS)
        title = draw(st.none() | st.integers(0, len(sections) - 1)) if sections else None
        patterns.append(Pattern(name, "article", draw(NUMBERS), draw(COUNTS), sections, title))
    pages = sum(pattern.pages for pattern in patterns)
    return SitePatterns(site, "sequence", pages, len(patterns), tuple(patterns), mangle=mangle)


@st.composite
def pattern_sets(draw: st.DrawFn) -> PatternSet:
    """Draw a set of patterns that a file of 2009 can hold."""
    names = draw(st.sets(st.sampled_from(sorted(HOSTS))))
    mangle = draw(st.sampled_from(["", "[a-z]+", r"\d'\"", "é"]))
    return PatternSet({name: draw(site_patterns(name, mangle)) for name in sorted(names)})


@given(patterns=pattern_sets())
def test_round_trip(patterns: PatternSet, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Written patterns are read as equal ones. Written again, they give the same bytes."""
    path = tmp_path_factory.getbasetemp() / "round.pat"
    patterns.save(path)
    assert PatternSet.load(path) == patterns
    first = path.read_bytes()
    PatternSet.load(path).save(path)
    assert path.read_bytes() == first


@given(patterns=pattern_sets())
def test_lines_are_what_the_reader_of_2009_takes(
    patterns: PatternSet, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Each line is ASCII: empty, a comment, the regular expression, or a tuple that 2009 can read."""
    path = tmp_path_factory.getbasetemp() / "lines.pat"
    patterns.save(path)
    names = []
    for line in path.read_bytes().decode("ascii").split("\n"):
        if line.startswith("!mangle_pat="):
            assert isinstance(ast.literal_eval(line.partition("=")[2]), str)
        elif line and not line.startswith("#"):
            score, name, title, sections = ast.literal_eval(line)
            assert (type(score), type(name), type(title)) == (float, str, int)
            assert all([type(one) for one in section] == [float, float, str] for section in sections)
            names.append(name.encode("latin-1").decode())
    assert sorted(names) == sorted(
        pattern.name for site in patterns.sites.values() for pattern in site.patterns
    )


def test_patterns_of_all_sites_stand_by_score(file: Path) -> None:
    """All patterns are one list, best score first, in which each site's own order is kept."""
    sites = {}
    for name, scores in (("example.com", (5.0, 1.0, 3.0)), ("example.org", (4.0, 2.0))):
        rows = tuple(
            Pattern(f"http://{name}/{n}", "article", score, 2, (H1,)) for n, score in enumerate(scores)
        )
        sites[name] = SitePatterns(name, "sequence", 9, 3, rows)
    PatternSet(sites).save(file)
    lines = [line for line in file.read_text().split("\n") if line.startswith("(")]
    assert [line[1:4] for line in lines] == ["5.0", "4.0", "2.0", "1.0", "3.0"]
    assert PatternSet.load(file).sites["example.com"].patterns == sites["example.com"].patterns


def test_a_written_file(file: Path) -> None:
    """The file has headers, and for each pattern a comment (score, name, pages) and its line."""
    pattern = Pattern("http://www.example.com/é", "article", 7.25, 1, (H1, P), title=0, sample_title="x")
    PatternSet({"example.com": SitePatterns("example.com", "sequence", 9, 3, (pattern,))}).save(file)
    assert file.read_text() == (
        "### version=0.6.1\n### pages=9\n\n"
        "# 7.25 <http://www.example.com/\\xc3\\xa9> 1 page\n"
        "(7.25, 'http://www.example.com/\\xc3\\xa9', 0, [(0.6, 5.0, 'h1'), (0.9, 80.0, 'p')])\n"
    )


def test_sites_by_host_stay_apart(file: Path) -> None:
    """If sites are hosts, a comment says so. When the file is read, they are hosts again."""
    sites = {
        host: SitePatterns(
            host, "sequence", 2, 1, (Pattern(f"http://{host}/1", "article", 1.0, 2, (H1,)),), by="host"
        )
        for host in ("example.com.net", "example.org.net")
    }
    PatternSet(sites).save(file)
    assert PatternSet.load(file) == PatternSet(sites)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"layout": "paths"}, "--classic"),
        ({"mangle": "a"}, "equal options"),
        ({"by": "host"}, "equal options"),
    ],
)
def test_what_the_format_cannot_hold_is_refused(file: Path, changes: dict[str, str], reason: str) -> None:
    """Patterns of path layouts, and sites learned with different options, are errors. The old file stays."""
    one = SitePatterns("example.com", "sequence", 0, 0, ())
    other = SitePatterns(
        **{"site": "example.org", "layout": "sequence"} | changes, pages=0, clusters=0, patterns=()
    )
    file.write_text("old")
    with pytest.raises(PatternFileError, match=reason):
        PatternSet({"example.com": one, "example.org": other}).save(file)
    assert file.read_text() == "old"


def test_the_suffix_or_the_argument_tells_what_is_written(tmp_path: Path) -> None:
    """A file named .pat is written as in 2009, any other as JSON, unless the caller says otherwise."""
    for name, wanted, start in (
        ("a.pat", None, b"###"),
        ("a.PAT", None, b"###"),
        ("a.json", None, b"{"),
        ("a", None, b"{"),
        ("b.pat", False, b"{"),
        ("b", True, b"###"),
    ):
        PatternSet().save(tmp_path / name, classic=wanted)
        assert (tmp_path / name).read_bytes().startswith(start)


def test_a_link_stays_a_link(file: Path) -> None:
    """A symbolic link named .pat stays, and the file that it leads to is written."""
    file.symlink_to("target")
    PatternSet().save(file)
    assert file.is_symlink()
    assert file.with_name("target").read_bytes().startswith(b"###")


def test_a_pipe_is_written_to(file: Path) -> None:
    """A pipe, such as /dev/stdout may be, can be written to, too. It stays a pipe."""
    os.mkfifo(file)
    reader = os.open(file, os.O_RDONLY | os.O_NONBLOCK)
    try:
        PatternSet().save(file)
        assert os.read(reader, 1000).startswith(b"###")
    finally:
        os.close(reader)
    assert file.is_fifo()
