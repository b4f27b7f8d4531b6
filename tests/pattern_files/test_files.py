"""Pattern files: what was written is read again, and other files are refused."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapy_webstemmer.errors import PatternFileError
from scrapy_webstemmer.options import LARGEST
from scrapy_webstemmer.pattern_files.pattern_file import FORMAT, VERSION, PatternSet
from scrapy_webstemmer.values import QUANTILES, Frame, Pattern, Section, SitePatterns, UnusedPages, Usual
from scrapy_webstemmer.verdict.classifier import SIGNS

_texts = st.text(max_size=12)
_tuples = st.lists(_texts, max_size=3).map(tuple)
_numbers = st.floats(-LARGEST, LARGEST)
_counts = st.integers(0, 10**9)
_sections = st.lists(st.builds(Section, _texts, _numbers, _numbers, _numbers), max_size=3).map(tuple)
_frames = st.lists(st.builds(Frame, _texts, _texts, _texts), max_size=3).map(tuple)


@st.composite
def _patterns(draw: st.DrawFn) -> Pattern:
    sections = draw(_sections)
    titles = st.none() | st.integers(0, len(sections) - 1) if sections else st.none()
    return Pattern(
        name=draw(_texts),
        kind=draw(st.sampled_from(["article", "index"])),
        score=draw(_numbers),
        pages=draw(_counts),
        sections=sections,
        title=draw(titles),
        titles=draw(_tuples),
        profile=draw(st.dictionaries(_texts, _numbers, max_size=3)),
        container=draw(_texts),
        excluded=draw(_tuples),
        frames=draw(_frames),
        sample_title=draw(_texts),
        sample_url=draw(_texts),
        odds=draw(_numbers),
    )


@st.composite
def _usuals(draw: st.DrawFn) -> Usual:
    known, judged, fitting, expected, given = sorted((draw(_counts) for _ in range(5)), reverse=True)
    articles = draw(st.integers(given, judged))
    parts = st.integers(0, articles)
    size = len(QUANTILES) if articles else 0
    return Usual(
        known,
        judged,
        fitting,
        expected,
        given,
        articles,
        odd=draw(st.integers(0, min(articles, judged - fitting))),
        titled=draw(parts),
        dated=draw(st.none() | parts),
        lengths=tuple(sorted(draw(st.lists(_counts, min_size=size, max_size=size)))),
        confidences=tuple(sorted(draw(st.lists(st.floats(0, 1), min_size=size, max_size=size)))),
        latest=draw(_texts),
    )


def _without_filter(site: SitePatterns) -> SitePatterns:
    return replace(site, mangle="") if site.layout == "paths" else site


_sites = st.builds(
    SitePatterns,
    site=_texts,
    layout=st.sampled_from(["paths", "sequence"]),
    pages=_counts,
    clusters=_counts,
    patterns=st.lists(_patterns(), max_size=2).map(tuple),
    unused=st.lists(st.builds(UnusedPages, _texts, _counts, _texts), max_size=2).map(tuple),
    vocabulary=st.dictionaries(_texts, _counts, max_size=3),
    boilerplate=st.dictionaries(_texts, _tuples, max_size=3),
    shapes=st.dictionaries(_texts, _numbers, max_size=3),
    odds=_numbers,
    signs=st.dictionaries(st.sampled_from(SIGNS), _numbers, max_size=3),
    prefixes=_tuples,
    suffixes=_tuples,
    mangle=st.sampled_from(["", "[a-z]+", "(a)|b", "\\w"]),
    usual=st.none() | _usuals(),
).map(_without_filter)
_sets = st.lists(_sites, max_size=3).map(lambda sites: PatternSet({site.site: site for site in sites}))

SITE = SitePatterns(
    "example.com",
    "paths",
    9,
    2,
    (
        Pattern(
            "http://example.com/1",
            "article",
            12.5,
            8,
            (Section("body/h1", 0.9, 20.0, 22.0), Section("body/p", 0.8, 300.5, 310.0)),
            title=0,
            titles=("body/h1",),
            profile={"body": 1.0},
            container="body",
        ),
    ),
    (UnusedPages("no text", 1, "http://example.com/2"),),
    vocabulary={"div.a": 3},
    boilerplate={"body/p": ("imprint",)},
    usual=Usual(12, 9, 8, 7, 6, 7, 1, 6, 5, (10, 20, 30, 40, 50), (0.1, 0.2, 0.3, 0.4, 0.5), "2026-11-22"),
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "site.json"
    PatternSet({"example.com": SITE}).save(path)
    return path


def _change(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


@settings(max_examples=60)
@given(patterns=_sets)
def test_round_trip(patterns: PatternSet, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Saved patterns are loaded as equal ones. Saved again, they give the same bytes."""
    path = tmp_path_factory.getbasetemp() / "round.json"
    patterns.save(path)
    loaded = PatternSet.load(path)
    assert loaded == patterns
    first = path.read_bytes()
    loaded.save(path)
    assert path.read_bytes() == first


def test_order_of_sites_has_no_part(tmp_path: Path) -> None:
    """The same patterns give the same bytes, whatever the order in which the sites were added."""
    sites = [(name, SitePatterns(name, "paths", 0, 0, ())) for name in ("b.example", "a.example")]
    PatternSet(dict(sites)).save(tmp_path / "1")
    PatternSet(dict(reversed(sites))).save(tmp_path / "2")
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_number_of_patterns() -> None:
    """The length of a set is the number of patterns of all its sites."""
    assert len(PatternSet()) == 0
    assert len(PatternSet({"a": SITE, "b": SITE})) == 2


def test_file_is_readable_json(file: Path) -> None:
    """A pattern file is UTF-8 JSON with short lines, and states its format."""
    text = file.read_text(encoding="utf-8")
    data = json.loads(text)
    assert (data["format"], data["version"]) == (FORMAT, VERSION)
    assert data["sites"][0]["patterns"][0]["sections"][1]["feature"] == "body/p"
    assert max(map(len, text.splitlines())) <= 120
    assert text.endswith("}\n")


@pytest.mark.parametrize(
    "text",
    ["\0\x1b[31m\x7f", "\u2028\u2029\u202e", '"\\"\\\\', "</script>", "日本\U0001f600", "\ufeff", "\r\n\t "],
)
def test_hostile_strings_survive(text: str, tmp_path: Path) -> None:
    """Control characters, quotes and line separators are the same after saving and loading."""
    site = SitePatterns(text, "paths", 1, 1, (), vocabulary={text: 2}, boilerplate={text: (text,)})
    PatternSet({text: site}).save(tmp_path / "x")
    assert PatternSet.load(tmp_path / "x").sites == {text: site}


def test_half_characters_do_not_stop_saving(tmp_path: Path) -> None:
    """A lone surrogate, which UTF-8 does not allow, is written as a question mark."""
    site = SitePatterns("example.com", "paths", 1, 1, (), suffixes=("a\ud800b",))
    PatternSet({"example.com": site}).save(tmp_path / "x")
    assert PatternSet.load(tmp_path / "x").sites["example.com"].suffixes == ("a?b",)


def test_file_may_lack_what_has_a_default(file: Path) -> None:
    """A person who edits a file may leave out fields with a default."""
    _change(file, lambda data: [data["sites"][0].pop(key) for key in ("boilerplate", "vocabulary", "usual")])
    site = PatternSet.load(file).sites["example.com"]
    assert (site.boilerplate, site.usual) == ({}, None)


def test_file_of_before_is_read(file: Path) -> None:
    """What nothing uses any more is left out; what a later version may have is an error."""
    _change(file, lambda data: data["sites"][0].update(dated=0.9))
    assert PatternSet.load(file).sites["example.com"].signs == {}
    _change(file, lambda data: data["sites"][0].update(later=1))
    with pytest.raises(PatternFileError, match="no 'later'"):
        PatternSet.load(file)


@pytest.mark.parametrize("version", [0, VERSION - 1, VERSION + 1, str(VERSION), None, 1.5, [VERSION], True])
def test_other_version(file: Path, version: object) -> None:
    """A file of another version is refused; the error names the version and the file."""
    _change(file, lambda data: data.update(version=version))
    with pytest.raises(PatternFileError, match="version") as caught:
        PatternSet.load(file)
    assert repr(version) in str(caught.value)
    assert caught.value.path == file


@pytest.mark.parametrize("text", ["[]", "5", "null", '"text"', "{}", '{"format": "other", "version": 1}'])
def test_other_format(tmp_path: Path, text: str) -> None:
    """JSON without the format of a pattern file is not a pattern file."""
    (tmp_path / "x").write_text(text)
    with pytest.raises(PatternFileError, match="not a pattern file"):
        PatternSet.load(tmp_path / "x")


def test_site_that_is_there_twice(file: Path) -> None:
    """Two entries for one site are an error."""
    _change(file, lambda data: data["sites"].append(data["sites"][0]))
    with pytest.raises(PatternFileError, match="twice"):
        PatternSet.load(file)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_number_that_json_lacks(file: Path, number: str) -> None:
    """NaN or infinity as a score is refused, since it cannot be compared."""
    _change(file, lambda data: data["sites"][0]["patterns"][0].update(score=float(number)))
    with pytest.raises(PatternFileError):
        PatternSet.load(file)


_PATTERN = ("sites", 0, "patterns", 0)
_USUAL = ("sites", 0, "usual")


@pytest.mark.parametrize(
    ("place", "value", "named"),
    [
        (("sites",), None, "NoneType"),
        (("sites",), 5, "int"),
        (("sites",), ["site"], "SitePatterns"),
        (("sites", 0, "unknown"), 1, "unknown"),
        (("sites", 0, "pages"), "9", "pages"),
        (("sites", 0, "pages"), 9.5, "pages"),
        (("sites", 0, "pages"), True, "pages"),
        (("sites", 0, "layout"), "tree", "tree"),
        (("sites", 0, "layout"), [], "layout"),
        (("sites", 0, "patterns"), {}, "patterns"),
        (("sites", 0, "patterns"), [5], "Pattern"),
        (("sites", 0, "vocabulary"), ["div.a"], "vocabulary"),
        (("sites", 0, "vocabulary"), {"div.a": "3"}, "vocabulary"),
        (("sites", 0, "boilerplate"), {"body": "text"}, "boilerplate"),
        (("sites", 0, "boilerplate"), {"body": [5]}, "boilerplate"),
        (("sites", 0, "leads"), [None], "leads"),
        (("sites", 0, "suffixes"), "text", "suffixes"),
        (("sites", 0, "signs"), {"titled": "1"}, "SitePatterns.signs['titled'] must be a number, not '1'"),
        (("sites", 0, "signs"), {"titled": 1.0, "count": 1.0}, "signs has no 'count'"),
        (("sites", 0, "mangle"), "a", "mangle is only for layouts of 2009"),
        (("sites", 0, "unused"), [["reason", 1, "url"]], "UnusedPages"),
        (("sites", 0, "usual"), [], "usual"),
        (("sites", 0, "usual"), {}, "missing"),
        ((*_USUAL, "unknown"), 1, "unknown"),
        ((*_USUAL, "judged"), 9.5, "judged"),
        ((*_USUAL, "judged"), 13, "more pages of a kind than pages"),
        ((*_USUAL, "given"), 8, "more pages of a kind than pages"),
        ((*_USUAL, "articles"), 10, "more pages of a kind than pages"),
        ((*_USUAL, "odd"), 2, "more articles of a kind than articles"),
        ((*_USUAL, "titled"), 8, "more articles of a kind than articles"),
        ((*_USUAL, "dated"), 8, "more articles of a kind than articles"),
        ((*_USUAL, "dated"), "5", "dated"),
        ((*_USUAL, "lengths"), [10, 20, 30, 40], "Usual.lengths must be 5 ascending numbers"),
        ((*_USUAL, "lengths"), [10, 20, 40, 30, 50], "Usual.lengths must be 5 ascending numbers"),
        ((*_USUAL, "lengths"), [10, 20, 30, 40, 50.5], "Usual.lengths must be a whole number, not 50.5"),
        ((*_USUAL, "lengths"), [10, 20, 30, 40, 10**300], "Usual.lengths cannot be 1000"),
        ((*_USUAL, "lengths"), {}, "lengths"),
        ((*_USUAL, "confidences"), [], "Usual.confidences must be 5 ascending numbers"),
        ((*_USUAL, "confidences"), [0, True, 1, 1, 1], "Usual.confidences must be a number, not True"),
        ((*_USUAL, "latest"), None, "latest"),
        ((*_PATTERN, "unknown"), 1, "unknown"),
        ((*_PATTERN, "name"), 5, "name"),
        ((*_PATTERN, "kind"), "page", "page"),
        ((*_PATTERN, "score"), "12", "score"),
        ((*_PATTERN, "score"), None, "score"),
        ((*_PATTERN, "score"), 1e101, "Pattern.score cannot be 1e+101"),
        ((*_PATTERN, "pages"), 10**300, "Pattern.pages cannot be 1000"),
        ((*_PATTERN, "pages"), -1, "Pattern.pages cannot be -1"),
        ((*_PATTERN, "odds"), -(10**300), "Pattern.odds cannot be -1000"),
        ((*_PATTERN, "profile"), {"body": 10**300}, "Pattern.profile['body'] cannot be 1000"),
        ((*_PATTERN, "sections", 0, "weight"), 10**300, "Section.weight cannot be 1000"),
        (("sites", 0, "vocabulary"), {"div.a": -1}, "SitePatterns.vocabulary['div.a'] cannot be -1"),
        ((*_PATTERN, "title"), 2, "title"),
        ((*_PATTERN, "title"), -1, "title"),
        ((*_PATTERN, "title"), 0.5, "title"),
        ((*_PATTERN, "profile"), {"body": None}, "profile"),
        ((*_PATTERN, "sections", 0), ["body", 1, 1, 1], "Section"),
        ((*_PATTERN, "sections", 0, "diff_score"), "1", "diff_score"),
        ((*_PATTERN, "sections", 0, "place"), 1, "place"),
    ],
)
def test_value_that_cannot_be(file: Path, place: tuple[Any, ...], value: object, named: str) -> None:
    """Unknown keys, wrong types and values out of range are errors that name the key or the value."""

    def change(data: Any) -> None:
        for key in place[:-1]:
            data = data[key]
        data[place[-1]] = value

    _change(file, change)
    with pytest.raises(PatternFileError, match="not a valid pattern file") as caught:
        PatternSet.load(file)
    assert named in str(caught.value)


@pytest.mark.parametrize("number", ["1e400", "-1e400", "9" * 300])
def test_numbers_that_are_none(file: Path, number: str) -> None:
    """A number that Python reads as infinity, or cannot reckon with, is an error that names it."""
    file.write_text(re.sub(r'"score": [^,]+', f'"score": {number}', file.read_text(), count=1))
    with pytest.raises(PatternFileError, match=r"Pattern\.score cannot be") as caught:
        PatternSet.load(file)
    assert len(str(caught.value)) < 200 + len(str(file))


@pytest.mark.parametrize(
    ("place", "key"),
    [
        ((), "sites"),
        (("sites", 0), "site"),
        (("sites", 0), "patterns"),
        (_PATTERN, "sections"),
        (_PATTERN, "kind"),
    ],
)
def test_missing_value(file: Path, place: tuple[Any, ...], key: str) -> None:
    """A field without a default must be there."""

    def change(data: Any) -> None:
        for step in place:
            data = data[step]
        del data[key]

    _change(file, change)
    with pytest.raises(PatternFileError, match=key):
        PatternSet.load(file)


def test_truncated_file(file: Path) -> None:
    """A file that ends early, at whatever place, is an error."""
    whole = file.read_bytes().rstrip()
    for length in range(0, len(whole), 37):
        file.write_bytes(whole[:length])
        with pytest.raises(PatternFileError):
            PatternSet.load(file)


def test_a_file_that_an_editor_has_marked(file: Path) -> None:
    """A mark before UTF-8, which editors of Windows write, makes no difference."""
    whole = file.read_bytes()
    assert PatternSet.loads(b"\xef\xbb\xbf" + whole) == PatternSet.loads(whole)


def test_error_names_the_line(file: Path) -> None:
    """The error of a mistake made in editing names its line."""
    lines = file.read_text().split("\n")
    lines[2] = lines[2].rstrip(",") + ",,"
    file.write_text("\n".join(lines))
    with pytest.raises(PatternFileError, match=f"^{file}:3: is not valid JSON") as caught:
        PatternSet.load(file)
    assert caught.value.line == 3


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"version": ' + b"1" * 5000 + b"}",
        b"\xff\xfe\x00",
        '{"format": "é"}'.encode("latin-1"),
        "{}".encode("utf-16"),
        b"\0",
        b"SQLite format 3\0",
    ],
    ids=["brackets", "braces", "number", "bytes", "latin-1", "utf-16", "nul", "sqlite"],
)
def test_hostile_file(tmp_path: Path, data: bytes) -> None:
    """Deep nesting, endless numbers and invalid UTF-8 are errors, not crashes."""
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(PatternFileError):
        PatternSet.load(tmp_path / "x")


@pytest.mark.parametrize("name", ["missing", ".", "missing/file", "a" * 300, "nul\0"])
def test_path_that_cannot_be(tmp_path: Path, name: str) -> None:
    """A missing file, a folder and an impossible name are errors, both in reading and in writing."""
    with pytest.raises(PatternFileError):
        PatternSet.load(tmp_path / name)
    if name != "missing":
        with pytest.raises(PatternFileError):
            PatternSet().save(tmp_path / name)
    assert not [path for path in tmp_path.iterdir() if path.name != "missing"]


def test_nothing_is_evaluated(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python expression is text where text is allowed, and else an error. It never runs."""
    monkeypatch.chdir(file.parent)
    program = "__import__('os').mkdir('evaluated')"
    _change(file, lambda data: data["sites"][0].update(site=program, layout="sequence", mangle=program))
    assert PatternSet.load(file).sites[program].mangle == program
    _change(file, lambda data: data["sites"][0].update(pages=program))
    with pytest.raises(PatternFileError):
        PatternSet.load(file)
    file.write_text(f"({program}, 'name', 0, [])")
    with pytest.raises(PatternFileError):
        PatternSet.load(file)
    assert list(file.parent.iterdir()) == [file]


def test_failed_writing_leaves_the_old_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk is full, the old file stays as it was, and no other file is left."""
    old = file.read_bytes()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PatternFileError, match="No space left on device"):
        PatternSet().save(file)
    assert file.read_bytes() == old
    assert list(file.parent.iterdir()) == [file]


def test_interrupted_writing_leaves_the_old_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C during writing also leaves the old file."""
    old = file.read_bytes()

    def interrupted(handle: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        PatternSet().save(file)
    assert file.read_bytes() == old
    assert list(file.parent.iterdir()) == [file]


def test_link_stays_a_link(file: Path) -> None:
    """A symbolic link stays, and the file that it leads to is written."""
    link = file.with_name("link")
    link.symlink_to(file)
    PatternSet().save(link)
    assert link.is_symlink()
    assert PatternSet.load(file) == PatternSet()


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664])
def test_mode_is_kept(file: Path, mode: int) -> None:
    """The new file has the mode of the old one, so that the same users can read it."""
    file.chmod(mode)
    PatternSet().save(file)
    assert file.stat().st_mode & 0o7777 == mode


def test_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    """The user's mask decides the mode of a new file."""
    (tmp_path / "usual").touch()
    PatternSet().save(tmp_path / "new")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    """A pipe, such as /dev/stdout may be, is written to and not replaced."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        PatternSet().save(pipe)
        assert json.loads(os.read(reader, 65536))["sites"] == []
    finally:
        os.close(reader)
    assert pipe.is_fifo()
