"""Read and write pattern files of 2009: ``(score, name, title, [(diff, main, feature), …])``, one a line.

Source: documentation of Webstemmer, "Anatomy of pattern files". The original wrote lines with Python 2's
``repr`` and read them with ``eval``. Here a small grammar of numbers and string literals parses each line. A
line that does not fit is an error with its line number. Nothing is ever evaluated.

Some older files have a fifth element, the number of the main section. It is ignored, as in the original. In
other older files the sections have no MainScore: there DiffScore alone decides what is main text.
"""

from __future__ import annotations

import heapq
import io
import math
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..base.urls import is_host, page_url, site_of, well_formed
from ..errors import OptionError, PatternFileError
from ..options import LARGEST, check_expressions
from ..values import Pattern, Section, SitePatterns

#: The site of patterns whose names have no host. They serve pages of sites without patterns of their own.
ANY_SITE = "*"

#: Limits of a file: characters of a line, patterns, sections. The caller limits the size of the file.
MAX_LINE, MAX_PATTERNS, MAX_SECTIONS = 16 * 1024 * 1024, 100_000, 1_000_000

#: MainScore of sections that have none in the file: higher than any threshold.
ALWAYS_MAIN = 1e9

#: The version of the format, as the programs of 2009 wrote it.
_VERSION = "0.6.1"

_BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?\s*+(?:#|!mangle_pat=|\()")
_HEADER = re.compile(r"###\s*(\w+)=(.*)")
_COUNTED = re.compile(r"# .*> (\d{1,9}) pages?\Z")

# Python 2.5 and older wrote infinities and NaN in the form of Windows, 1.#INF.
_SCORE = r"[-+]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400}|nan|inf|1\.#\w{1,9})(?:[eE][-+]?\d{1,9})?[lL]?"
_TITLE_INDEX = r"(-?\d{1,9}[lL]?|None)"
_STRING = r"""([uUbB]?[rR]?(?:'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+"))"""
_ = r"\s*+"
_PATTERN_HEAD = re.compile(
    rf"\({_}({_SCORE}){_},{_}{_STRING}{_},{_}{_TITLE_INDEX}{_},{_}(?:{_TITLE_INDEX}{_},{_})?\[{_}", re.DOTALL
)
_SECTION = re.compile(
    rf"\({_}({_SCORE}){_},{_}(?:({_SCORE}){_},{_})?{_STRING}{_},?{_}\){_}(?:,{_}|(?=\]))", re.DOTALL
)
_TAIL = re.compile(rf"\]{_},?{_}\)\Z")
_MANGLE = re.compile(rf"!mangle_pat{_}={_}{_STRING}", re.DOTALL)
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|[0-7]{1,3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_QUOTE = re.compile("['\"]")
_CHARACTERS = dict(zip("abfnrtv\\'\"", "\a\b\f\n\r\t\v\\'\"", strict=True))


def is_classic(data: bytes) -> bool:
    """Return whether a file begins like a pattern file of 2009: with a comment, a regexp or a pattern."""
    return _BEGINS.match(data) is not None


@dataclass(slots=True)
class _File:
    """The parts of a file that have been read so far."""

    patterns: list[Pattern] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    mangle: str = ""
    sections: int = 0
    pages: int = 0
    features: dict[str, str] = field(default_factory=dict)


def parse_classic(path: str | Path, data: bytes) -> dict[str, SitePatterns]:
    """Return the patterns of a file of 2009 by site; within a site in the file's order.

    A file does not name its sites. The name of a pattern is one of its pages, ``BASEID/host/path`` or a url.
    The pattern belongs to that page's site, or to :data:`ANY_SITE` if the name has no host.

    :param path: the file's path, for errors.
    :raises PatternFileError: if a line is neither a comment nor ``!mangle_pat`` nor a pattern, or exceeds
        what a file may have. The error names the first such line.

    Cost: linear in the size of the file. Memory: about 150 bytes a section.
    """
    file = _File()
    for number, line in _lines(data):
        try:
            _read_line(file, line)
        except OptionError as error:
            raise PatternFileError(path, f"!mangle_pat: {error.reason}", number) from None
        except ValueError as error:
            raise PatternFileError(path, str(error), number) from None
    return _sites(file)


def _lines(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line that is not empty. Each character stands for a byte."""
    stream = io.BytesIO(data.removeprefix(b"\xef\xbb\xbf"))
    for number, line in enumerate(stream, start=1):
        if stripped := line.strip():
            yield number, stripped.decode("latin-1")


def _read_line(file: _File, line: str) -> None:
    if len(line) > MAX_LINE:
        raise ValueError(f"is longer than {MAX_LINE // 1024 // 1024} MiB")
    if line.startswith("#"):
        _read_comment(file, line)
    elif line.startswith("!"):
        file.mangle = _mangle(line)
    else:
        if len(file.patterns) == MAX_PATTERNS:
            raise ValueError(f"exceeds the limit of {MAX_PATTERNS:,} patterns in a file")
        file.patterns.append(_pattern(file, line))
        file.pages = 0


def _read_comment(file: _File, line: str) -> None:
    """Keep two things from comments: the headers, and the number of pages of the next pattern."""
    if header := _HEADER.fullmatch(line):
        file.headers[header[1]] = header[2].strip()
    elif line.startswith(("#\t", "#  ")):  # a page of the cluster
        file.pages += 1
    elif line.startswith("# "):
        counted = _COUNTED.match(line)
        file.pages = int(counted[1]) if counted else 0


def _mangle(line: str) -> str:
    literal = _MANGLE.fullmatch(line)
    if literal is None:
        raise ValueError("is neither a pattern nor !mangle_pat='regular expression'")
    mangle = _text(literal[1])
    check_expressions("mangle_pat", mangle)
    return mangle


def _pattern(file: _File, line: str) -> Pattern:
    head = _PATTERN_HEAD.match(line)
    if head is None:
        raise ValueError("is not a pattern: (score, 'name', title, [sections])")
    sections, at = [], head.end()
    while section := _SECTION.match(line, at):
        if file.sections == MAX_SECTIONS:
            raise ValueError(f"exceeds the limit of {MAX_SECTIONS:,} sections in a file")
        file.sections += 1
        diff, main, feature = section.groups()
        feature = _text(feature)
        feature = file.features.setdefault(feature, feature)
        sections.append(Section(feature, _score(diff), _score(main) if main else ALWAYS_MAIN))
        at = section.end()
    if not _TAIL.match(line, at):
        raise ValueError(f"is not a pattern from its character {at + 1} on: {line[at : at + 30]!r}")
    title = _title(head[3], len(sections))
    return Pattern(_text(head[2]), "article", _score(head[1]), file.pages, tuple(sections), title)


def _title(literal: str, sections: int) -> int | None:
    index = -1 if literal == "None" else int(literal.rstrip("lL"))
    if not -1 <= index < sections:
        raise ValueError(f"has {index} as the number of its title section, and no such section")
    return None if index < 0 else index


def _score(literal: str) -> float:
    literal = literal.rstrip("lL")
    if "#" in literal:
        literal = ("-" if literal.startswith("-") else "") + ("inf" if "#INF" in literal else "nan")
    return _valid(float(literal))


def _valid(number: float) -> float:
    """Return a number as a valid score: 0 for NaN, and the nearest valid number for one that is too large."""
    if math.isnan(number):
        return 0.0
    return max(-LARGEST, min(LARGEST, float(number)))


def _text(literal: str) -> str:
    """Return the text of a string literal of Python 2.

    A literal without the prefix ``u`` is bytes, which are read as UTF-8 where that fits, else as Latin-1.

    :raises ValueError: if an escape is incomplete, or beyond Unicode.
    """
    prefix = _QUOTE.split(literal, maxsplit=1)[0].lower()
    body = literal[len(prefix) + 1 : -1]
    unicode = "u" in prefix
    if unicode:
        body = _decoded(body)
    if "r" not in prefix:
        body = _ESCAPE.sub(lambda escape: _unescaped(escape[1], unicode), body)
    return well_formed(body if unicode else _decoded(body))


def _decoded(text: str) -> str:
    """Decode a text whose characters stand for bytes of UTF-8; return it unchanged if they do not."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return text


def _unescaped(escape: str, unicode: bool) -> str:
    if escape in _CHARACTERS:
        return _CHARACTERS[escape]
    kind, digits = escape[0], escape[1:]
    if kind == "x" or (unicode and kind in "uU"):
        if not digits or int(digits, 16) > sys.maxunicode:
            raise ValueError(f"has an invalid escape: \\{escape}")
        return chr(int(digits, 16))
    if kind in "01234567":
        return chr(int(escape, 8) & 0xFF)
    return "\\" + escape  # Python keeps an unknown escape as it is; regular expressions are full of them


def _sites(file: _File) -> dict[str, SitePatterns]:
    by = "host" if file.headers.get("sites") == "host" else "domain"
    patterns_of: dict[str, list[Pattern]] = {}
    for pattern in file.patterns:
        patterns_of.setdefault(_site(pattern.name, by), []).append(pattern)
    pages = {site: sum(pattern.pages for pattern in patterns) for site, patterns in patterns_of.items()}
    total = file.headers.get("pages", "")
    if len(patterns_of) == 1 and total.isascii() and total.isdigit() and len(total) < 10:
        pages = dict.fromkeys(patterns_of, int(total))
    return {
        site: SitePatterns(
            site,
            "sequence",
            pages=pages[site],
            clusters=len(patterns),
            patterns=tuple(patterns),
            mangle=file.mangle,
            by=by,
        )
        for site, patterns in sorted(patterns_of.items())
    }


def _site(name: str, by: str) -> str:
    """Return the site of the page that a pattern is named after."""
    url = page_url(name)
    if url == name:
        return site_of(url, by) or ANY_SITE
    host, path, _ = url.removeprefix("http://").partition("/")
    has_base_id = url != "http://" + name
    return site_of(url, by) if path and (has_base_id or is_host(host)) else ANY_SITE


def format_classic(path: str | Path, sites: Mapping[str, SitePatterns]) -> bytes:
    """Return sites as an ASCII pattern file that the programs of 2009 can read.

    All patterns stand in one list, best score first; those of one site keep their order. The format has no
    place for many values. Those that :func:`parse_classic` reads stand in comments; the others are left out.

    :param path: the file's path, for errors.
    :raises PatternFileError: if patterns were not learned with the layouts of 2009, or if sites differ in an
        option for which the format has only one place.
    """
    if any(site.layout != "sequence" for site in sites.values()):
        raise PatternFileError(path, "the 2009 format holds only patterns learned with --classic")
    mangles = {site.mangle for site in sites.values()}
    if len(mangles) > 1 or len({site.by for site in sites.values()}) > 1:
        raise PatternFileError(path, "the 2009 format holds only sites that were learned with equal options")
    lines = [f"### version={_VERSION}", f"### pages={sum(site.pages for site in sites.values())}"]
    if any(site.by == "host" for site in sites.values()):
        lines.append("### sites=host")
    lines += ["", *(f"!mangle_pat={_literal(mangle)}\n" for mangle in mangles if mangle)]
    in_order = [sites[name].patterns for name in sorted(sites)]
    for pattern in heapq.merge(*in_order, key=lambda pattern: -pattern.score):
        lines += [*_pattern_lines(pattern), ""]
    return "\n".join(lines).encode("ascii")


def _pattern_lines(pattern: Pattern) -> tuple[str, str]:
    name, score = _literal(pattern.name), repr(_valid(pattern.score))
    title = -1 if pattern.title is None else pattern.title
    sections = ", ".join(
        f"({_valid(section.diff_score)!r}, {_valid(section.main_score)!r}, {_literal(section.feature)})"
        for section in pattern.sections
    )
    pages = f"{pattern.pages} page" + ("" if pattern.pages == 1 else "s")
    comment = f"# {pattern.score:.12g} <{name[1:-1]}> {pages}"
    return comment, f"({score}, {name}, {title}, [{sections}])"


def _literal(text: str) -> str:
    """Return a text as a string literal of Python 2, its bytes in UTF-8."""
    return repr(well_formed(text).encode())[1:]
