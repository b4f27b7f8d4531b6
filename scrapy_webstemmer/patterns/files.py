"""Read and write pattern files: one JSON document in UTF-8, with a format version, for editing by hand.

``docs/file-formats.md`` describes the format. Pattern files of 2009 are recognized by their content and read
as well: see ``classic/pattern_file.py``. Nothing in a file is ever evaluated.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar, cast

from ..base.atomic import replacing
from ..base.limits import Limits
from ..base.urls import site_of
from ..classic.pattern_file import ANY_SITE, format_classic, is_classic, parse_classic
from ..errors import PatternFileError
from ..layouts.traits import SiteTraits
from ..options.checks import check_expressions
from ..options.learn import LAYOUTS, TREE_LAYOUTS
from ..values.patterns import QUANTILES, LearnWarning, Pattern, Section, SitePatterns, UnusedPages, Usual
from .json_values import checked
from .match import traits_of
from .sources import Source, is_resource, name_of, read_source
from .tree_rows import read_rows

#: The format and the version that a pattern file states.
FORMAT = "scrapy-webstemmer patterns"
VERSION = 4

#: Files whose name ends like this are written in the format of 2009.
CLASSIC_SUFFIX = ".pat"

#: Largest number of values in a file. Each takes about 100 bytes of memory.
MAX_VALUES = 5_000_000

_WIDTH = 110
_Made = TypeVar("_Made")
_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class PatternSet:
    """The patterns of one or many sites.

    :param sites: the patterns of each site, by its name. A page is compared only with the patterns of its
        own site, or with those of the site ``*`` if its own site has none.
    """

    sites: Mapping[str, SitePatterns] = field(default_factory=dict)
    _traits: dict[str, SiteTraits] = field(default_factory=dict, init=False, repr=False, compare=False)
    _kept: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __len__(self) -> int:
        """Return the number of patterns of all sites."""
        return sum(len(site.patterns) for site in self.sites.values())

    def site_of(self, url: str) -> SitePatterns | None:
        """Return the patterns of a url's site: its host or its registered domain, whichever was learned.

        The url of a page from a file has no host, so it names no site. If the set has only one site, the
        page gets that site's patterns.
        """
        for by in ("host", "domain"):
            site = self.sites.get(site_of(url, by))
            if site is not None and site.by == by:
                return site
        if len(self.sites) == 1 and not site_of(url):
            return next(iter(self.sites.values()))
        return self.sites.get(ANY_SITE)

    def traits(self, site: str) -> SiteTraits:
        """Return what a site's pages have in common. It is prepared once and kept with the patterns."""
        traits = self._traits.get(site)
        if traits is None:
            traits = self._traits[site] = traits_of(self.sites[site])
        return traits

    def kept(self, site: str, make: Callable[[SitePatterns], _Made]) -> _Made:
        """Return what a function makes of a site's patterns. It is made once and kept with the patterns.

        :param make: always the same function for a site.
        """
        if site not in self._kept:
            self._kept[site] = make(self.sites[site])
        return cast("_Made", self._kept[site])

    @classmethod
    def load(cls, source: Source, limits: Limits = _LIMITS) -> PatternSet:
        """Return the patterns of a file. Its content tells whether the format is ours or that of 2009.

        :param source: a path, a stream that is open for bytes, or a string ``package:resource``: a file in a
            package, also if the package is in a wheel or an egg. A single letter before a colon is a drive.
        :param limits: the largest number of patterns in the file, and of sections in a pattern.

        :raises PatternFileError: if the file cannot be read, is not a pattern file, or has an unknown
            version or an invalid value.
        """
        return cls(_sites(name_of(source), read_source(source), limits))

    @classmethod
    def loads(cls, content: bytes, limits: Limits = _LIMITS) -> PatternSet:
        """Return the patterns of a file's content, as :meth:`load` does."""
        return cls(_sites("<bytes>", content, limits))

    def save(self, target: Source, *, classic: bool | None = None) -> None:
        """Write a pattern file. The old file stays until the new one is complete.

        The same patterns give the same bytes. A symbolic link stays a link. A file that
        is not a regular file (``/dev/stdout``) is written to directly.

        :param target: a path, or a stream that is open for bytes. A stream stays open.
        :param classic: write the format of 2009, which holds only a part of what was learned; None: only if
            the file's name ends in ``.pat``.
        :raises PatternFileError: if the file cannot be written, or the format of 2009 cannot hold the
            patterns.
        """
        name = name_of(target)
        if isinstance(target, str) and is_resource(target):
            raise PatternFileError(name, "cannot be written: this names a resource of a package")
        if classic is None:
            classic = Path(name).suffix.lower() == CLASSIC_SUFFIX
        content = format_classic(name, self.sites) if classic else _json(self.sites)
        try:
            if not isinstance(target, str | PathLike):
                target.write(content)
                return
            with replacing(name) as stream:
                stream.write(content)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise PatternFileError(name, f"cannot be written: {reason}") from None


def _sites(name: str, content: bytes, limits: Limits) -> dict[str, SitePatterns]:
    """Return the sites of a file's content. Raises PatternFileError with the file's name."""
    if is_classic(content):
        return _within(name, parse_classic(name, content), limits)
    data = _document(name, content)
    try:
        sites = [_site(entry) for entry in data["sites"]]
    except (KeyError, TypeError, ValueError) as error:
        raise PatternFileError(name, f"is not a valid pattern file: {error}") from None
    found = {site.site: site for site in sites}
    if len(found) < len(sites):
        raise PatternFileError(name, "is not a valid pattern file: it has a site twice")
    return _within(name, found, limits)


def _within(name: str, sites: dict[str, SitePatterns], limits: Limits) -> dict[str, SitePatterns]:
    """Return the sites of a file, after a check of its numbers of patterns and sections."""
    patterns = [pattern for site in sites.values() for pattern in site.patterns]
    if len(patterns) > limits.patterns:
        raise PatternFileError(name, f"has more than {limits.patterns:,} patterns (limit 'patterns')")
    if any(len(pattern.sections) > limits.sections for pattern in patterns):
        raise PatternFileError(
            name, f"has a pattern with more than {limits.sections:,} sections (limit 'sections')"
        )
    if any(max(len(pattern.tree), len(pattern.leaves)) > 2 * limits.elements for pattern in patterns):
        raise PatternFileError(
            name, f"has a tree with more than {2 * limits.elements:,} nodes (limit 'elements')"
        )
    return sites


def _document(name: str, content: bytes) -> dict[str, Any]:
    if content.count(b",") + content.count(b"[") + content.count(b"{") > MAX_VALUES:
        raise PatternFileError(name, f"has more than {MAX_VALUES:,} values")
    try:
        data = json.loads(content.decode("utf-8"), parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise PatternFileError(name, f"is not valid JSON: {error.msg}", error.lineno) from None
    except (ValueError, RecursionError):  # invalid UTF-8, a number of 5,000 digits, endless brackets
        raise PatternFileError(name, "is not a pattern file") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise PatternFileError(name, "is not a pattern file")
    if data.get("version") != VERSION or isinstance(data["version"], bool):
        raise PatternFileError(
            name, f"has version {data.get('version')!r}; this release reads version {VERSION}"
        )
    return data


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def _site(entry: Any) -> SitePatterns:
    values = checked(SitePatterns, entry)
    values["patterns"] = tuple(_pattern(row) for row in values["patterns"])
    values["unused"] = tuple(UnusedPages(**checked(UnusedPages, row)) for row in values.get("unused", ()))
    values["warnings"] = tuple(
        LearnWarning(**checked(LearnWarning, row)) for row in values.get("warnings", ())
    )
    values["boilerplate"] = {path: tuple(texts) for path, texts in values.get("boilerplate", {}).items()}
    if values.get("usual") is not None:
        values["usual"] = _usual(values["usual"])
    if values["layout"] not in LAYOUTS:
        raise ValueError(f"layout {values['layout']!r} is not known")
    if values.get("by", "domain") not in ("domain", "host"):
        raise ValueError(f"by {values['by']!r} is not known")
    if values["layout"] != "sequence" and values.get("mangle"):
        raise ValueError("mangle is only for layouts of 2009")
    if any(bool(pattern.tree) != (values["layout"] in TREE_LAYOUTS) for pattern in values["patterns"]):
        raise ValueError(f"patterns have a tree if their layout is one of {', '.join(TREE_LAYOUTS)}")
    check_expressions("mangle", values.get("mangle", ""))
    return SitePatterns(**values)


def _pattern(row: Any) -> Pattern:
    values = checked(Pattern, row)
    values["sections"] = tuple(Section(**checked(Section, section)) for section in values["sections"])
    if values["kind"] not in ("article", "index"):
        raise ValueError(f"kind {values['kind']!r} is not known")
    title = values.get("title")
    if title is not None and not 0 <= title < len(values["sections"]):
        raise ValueError(f"title {title} is not the number of a section")
    read_rows(values.get("tree", ()))
    return Pattern(**values)


def _usual(row: Any) -> Usual:
    usual = Usual(**checked(Usual, row))
    parts = (usual.given, usual.expected, usual.fitting, usual.judged, usual.known)
    some = (usual.odd, usual.titled, usual.dated or 0)
    if list(parts) != sorted(parts) or not usual.given <= usual.articles <= usual.judged:
        raise ValueError("Usual has more pages of a kind than pages")
    if max(some) > usual.articles or usual.odd > usual.judged - usual.fitting:
        raise ValueError("Usual has more articles of a kind than articles")
    for name in ("lengths", "confidences"):
        values = list(getattr(usual, name))
        if len(values) != (len(QUANTILES) if usual.articles else 0) or values != sorted(values):
            raise ValueError(f"Usual.{name} must be {len(QUANTILES)} ascending numbers, or none")
    return usual


def _json(sites: Mapping[str, SitePatterns]) -> bytes:
    document = {
        "format": FORMAT,
        "version": VERSION,
        "sites": [_plain(sites[name]) for name in sorted(sites)],
    }
    return (_dump(document) + "\n").encode("utf-8", "replace")


def _plain(value: Any) -> Any:
    """Return a value as JSON objects and lists."""
    if hasattr(value, "_asdict"):
        return {key: _plain(one) for key, one in value._asdict().items()}
    if hasattr(value, "__dataclass_fields__"):
        return {one.name: _plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return value


def _dump(value: Any, indent: str = "") -> str:
    """Return a value as JSON. A value that fits on one line stands on one, and so does each section."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or len(indent) + len(line) <= _WIDTH:
        return line
    if isinstance(value, dict) and value.keys() == set(Section._fields):
        return line
    deeper = indent + "  "
    if isinstance(value, dict):
        rows = [f"{json.dumps(key, ensure_ascii=False)}: {_dump(one, deeper)}" for key, one in value.items()]
        return "{\n" + ",\n".join(deeper + row for row in rows) + f"\n{indent}}}"
    return "[\n" + ",\n".join(deeper + _dump(one, deeper) for one in value) + f"\n{indent}]"
