"""Read and write pattern files: one JSON document in UTF-8, with a format version, for editing by hand.

``docs/file-formats.md`` describes the format. Files of many sites are SQLite files: see
``pattern_database.py``. Files of 2009 are recognized by their content and read as well: see
``classic/pat_files.py``. Nothing in a file is ever evaluated.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from io import TextIOBase
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar, cast

from ..base.files import replacing
from ..base.urls import site_of
from ..classic.pat_files import ANY_SITE, format_classic, is_classic, parse_classic
from ..errors import PatternFileError
from ..options import Limits, check_kind
from ..patterns.corrections import corrected, corrected_again
from ..patterns.match import model_of
from ..site.model import SiteModel
from ..values import Section, SitePatterns
from .pattern_sources import MAX_FILE, Source, is_resource, locked, name_of, read_source
from .pattern_values import plain, site_in

#: The format and the version that a pattern file states.
FORMAT = "scrapy-webstemmer patterns"
#: Format: the version of pattern files.
VERSION = 4

#: Files whose name ends like this are written in the format of 2009.
CLASSIC_SUFFIX = ".pat"

#: Files whose name ends like this are SQLite files, which begin in this way.
STORE_SUFFIXES, _MAGIC = (".sqlite", ".sqlite3", ".db"), b"SQLite format 3\0"

#: Bound: largest number of values in a JSON file. Each takes about 100 bytes of memory.
MAX_VALUES = 5_000_000

#: Format: characters of a line of a table.
_WIDTH = 110
#: Bound: so many names of sites are shown in a line.
_SHOWN_SITES = 3
_Made = TypeVar("_Made")
_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class PatternSet:
    """The patterns of one or many sites.

    :param sites: the patterns of each site, by its name, as they were learned. A page is compared only with
        the patterns of its own site, or with those of the site ``*`` if its own site has none; and with these
        as they were corrected: see :meth:`in_use`.
    """

    sites: Mapping[str, SitePatterns] = field(default_factory=dict)
    _kept: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    _corrected: dict[str, SitePatterns] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_kind("sites", self.sites, Mapping, "PatternSet.load(path) reads a pattern file")

    def __repr__(self) -> str:
        """Return in a line which sites the patterns are of."""
        names = [*islice(self.sites, _SHOWN_SITES + 1)]
        shown = ", ".join([*names[:_SHOWN_SITES], "..."][: len(names)])
        count = f"{len(self.sites):,} site{'s' if len(names) > 1 else ''}" if names else "no site"
        return f"<PatternSet of {count}{': ' if names else ''}{shown}>"

    def __len__(self) -> int:
        """Return the number of patterns of all sites."""
        return sum(len(site.patterns) for site in self.sites.values())

    def site_of(self, url: str) -> SitePatterns | None:
        """Return the patterns of a url's site: its host or its registered domain, whichever was learned.

        They are as they were corrected.

        The url of a page from a file has no host, so it names no site. If the set has only one site, the
        page gets that site's patterns.
        """
        for by in ("host", "domain"):
            site = self.in_use(site_of(url, by))
            if site is not None and site.by == by:
                return site
        if len(self.sites) == 1 and not site_of(url):
            return self.in_use(next(iter(self.sites)))
        return self.in_use(ANY_SITE)

    def in_use(self, name: str) -> SitePatterns | None:
        """Return the patterns of a site as they were corrected; None: there are none.

        Cost: a look-up; the first time, for a site with corrections, a pass over its sections for each.
        """
        site = self.sites.get(name)
        if site is None or not site.corrections:
            return site
        if name not in self._corrected:
            self._corrected[name] = corrected(site)[0]
        return self._corrected[name]

    def model(self, site: str) -> SiteModel:
        """Return what a site's pages have in common. It is prepared once and kept with the patterns."""
        return self.kept(site, model_of)

    def kept(self, site: str, make: Callable[[SitePatterns], _Made]) -> _Made:
        """Return what a function makes of a site's patterns. It is made once and kept with the patterns.

        :param make: always the same function for a site.
        """
        if site not in self._kept:
            self._kept[site] = make(self.sites[site])
        return cast("_Made", self._kept[site])

    @classmethod
    def load(cls, source: Source, limits: Limits = _LIMITS) -> PatternSet:
        """Return the patterns of a file. Its content tells which of the formats it has.

        The sites of a SQLite file are read when they are asked for.

        :param source: a path, a stream that is open for bytes, or a string ``package:resource``: a file in a
            package, also if the package is in a wheel or an egg. A single letter before a colon is a drive.
        :param limits: the largest number of patterns in the file, and of sections in a pattern.

        :raises PatternFileError: if the file cannot be read, is not a pattern file, or has an unknown
            version or an invalid value.
        """
        if isinstance(source, str | PathLike) and (path := _stored(source)):
            from .pattern_database import StoredSites

            return cls(StoredSites(path, partial(_stored_site, limits)))
        return cls(_sites(name_of(source), read_source(source), limits))

    @classmethod
    def loads(cls, content: bytes | str, limits: Limits = _LIMITS) -> PatternSet:
        """Return the patterns of a file's content, as :meth:`load` does."""
        data = content.encode("utf-8", "replace") if isinstance(content, str) else content
        check_kind("content", data, bytes, "PatternSet.load(path) reads a file")
        return cls(_sites("<bytes>", data, limits))

    def save(self, target: Source, *, classic: bool | None = None) -> None:
        """Write a pattern file. The old file stays until the new one is complete.

        The same patterns give the same bytes. A symbolic link stays a link. A file that
        is not a regular file (``/dev/stdout``) is written to directly.

        :param target: a path, or a stream that is open for bytes. A stream stays open. If the name ends in
            ``.sqlite``, ``.sqlite3`` or ``.db``, the file is a SQLite file.
        :param classic: write the format of 2009, which holds only a part of what was learned; None: only if
            the file's name ends in ``.pat``.
        :raises PatternFileError: if the file cannot be written, if the format of 2009 cannot hold the
            patterns, or if they are more than a JSON file may have.
        """
        is_path = isinstance(target, str | PathLike)
        if not is_path and (isinstance(target, TextIOBase) or not hasattr(target, "write")):
            kind = type(target).__name__
            raise TypeError(f"patterns are saved to a path or a stream that is open for bytes, not a {kind}")
        name = name_of(target)
        if isinstance(target, str) and is_resource(target):
            raise PatternFileError(name, "cannot be written: this names a resource of a package")
        if classic is None:
            classic = Path(name).suffix.lower() == CLASSIC_SUFFIX
        if is_path and not classic and is_store(name):
            _write_store(name, self.sites, keep_others=False)
            return
        content = format_classic(name, self.sites) if classic else _json(name, self.sites)
        try:
            with replacing(name) if isinstance(target, str | PathLike) else nullcontext(target) as stream:
                stream.write(content)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise PatternFileError(name, f"cannot be written: {reason}") from None


def add_sites(path: str, learned: Mapping[str, SitePatterns]) -> PatternSet:
    """Add sites that were learned to a pattern file, with the corrections that the file has of them by then.

    The other parameters and the result are those of :func:`change_sites`.
    """
    return change_sites(path, lambda known: corrected_again(learned, known))


def change_sites(
    path: str, change: Callable[[Mapping[str, SitePatterns]], Mapping[str, SitePatterns]]
) -> PatternSet:
    """Change the patterns of some sites in a pattern file, and return all its patterns.

    The file is made if need be. Other processes may change it at the same time: none loses what another one
    has written. Beside it there is then an empty ``.NAME.lock``.

    :param change: gets the sites of the file, and returns those that are new or changed. If it raises, the
        file stays as it was.
    :raises PatternFileError: the file cannot be read or written.
    """
    with locked(path):
        known = PatternSet.load(path).sites if Path(path).exists() else {}
        changed = change(known)
        if is_store(path):
            _write_store(path, changed, keep_others=True)
            return PatternSet.load(path)
        patterns = PatternSet({**known, **changed})
        patterns.save(path)
    return patterns


def _write_store(path: str | PathLike[str], sites: Mapping[str, SitePatterns], *, keep_others: bool) -> None:
    from .pattern_database import write_sites

    rows = ((name, plain(sites[name])) for name in sorted(sites))
    write_sites(Path(path), rows, keep_others=keep_others)


def is_store(name: str | PathLike[str]) -> bool:
    """Return whether a pattern file of this name is a SQLite file."""
    return Path(name).suffix.lower() in STORE_SUFFIXES


def _stored(source: str | PathLike[str]) -> Path | None:
    """Return the path of a SQLite file; None if the source is something else."""
    if isinstance(source, str) and is_resource(source):
        return None
    try:
        if not Path(source).is_file():  # what is read of a pipe is gone
            return None
        if is_store(source):
            # Not opened: on POSIX a process that closes a file loses SQLite's locks on it, and another
            # process would then remove the log to which this one is writing.
            return Path(source)
        with Path(source).open("rb") as stream:
            return Path(source) if stream.read(len(_MAGIC)) == _MAGIC else None
    except (OSError, ValueError):  # whoever reads it says so
        return None


def _stored_site(limits: Limits, entry: Any) -> SitePatterns:
    site = site_in(entry)
    _within(site.site, {site.site: site}, limits)
    return site


def _sites(name: str, content: bytes, limits: Limits) -> dict[str, SitePatterns]:
    """Return the sites of a file's content. Raises PatternFileError with the file's name."""
    if is_classic(content):
        return _within(name, parse_classic(name, content), limits)
    document = _document(name, content)
    try:
        sites = [site_in(entry) for entry in document["sites"]]
    except (KeyError, TypeError, ValueError) as error:
        raise PatternFileError(name, f"is not a valid pattern file: {error}") from None
    by_name = {site.site: site for site in sites}
    if len(by_name) < len(sites):
        raise PatternFileError(name, "is not a valid pattern file: it has a site twice")
    return _within(name, by_name, limits)


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
    if _values_in(content) > MAX_VALUES:
        raise PatternFileError(name, f"has more than {MAX_VALUES:,} values")
    try:
        document = json.loads(content.decode("utf-8-sig"), parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise PatternFileError(name, f"is not valid JSON: {error.msg}", error.lineno) from None
    except (ValueError, RecursionError):  # invalid UTF-8, a number of 5,000 digits, endless brackets
        raise PatternFileError(name, "is not a pattern file") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise PatternFileError(name, "is not a pattern file")
    if document.get("version") != VERSION or isinstance(document["version"], bool):
        raise PatternFileError(
            name, f"has version {document.get('version')!r}; this release reads version {VERSION}"
        )
    return document


def _values_in(content: bytes) -> int:
    """Return about how many values a document has, at most."""
    return content.count(b",") + content.count(b"[") + content.count(b"{")


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def _json(name: str, sites: Mapping[str, SitePatterns]) -> bytes:
    document = {"format": FORMAT, "version": VERSION, "sites": [plain(sites[name]) for name in sorted(sites)]}
    content = (_dump(document) + "\n").encode("utf-8", "replace")
    if _values_in(content) > MAX_VALUES or len(content) > MAX_FILE:
        reason = "would have more than can be read again; a file whose name ends in .sqlite has no such limit"
        raise PatternFileError(name, f"{reason}, and the old file stays as it is")
    return content


def _dump(value: Any, indent: str = "") -> str:
    """Return a value as JSON. A value that fits on one line stands on one, and so does each section."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or len(indent) + len(line) <= _WIDTH:
        return line
    if isinstance(value, dict) and value.keys() == set(Section._fields):
        return line
    deeper = indent + "  "
    if isinstance(value, dict):
        rows = [
            f"{json.dumps(key, ensure_ascii=False)}: {_dump(item, deeper)}" for key, item in value.items()
        ]
        return "{\n" + ",\n".join(deeper + row for row in rows) + f"\n{indent}}}"
    return "[\n" + ",\n".join(deeper + _dump(item, deeper) for item in value) + f"\n{indent}]"
