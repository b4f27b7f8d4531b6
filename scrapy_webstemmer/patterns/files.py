"""Pattern files: one JSON document, UTF-8, with a format version; readable and editable by hand.

``docs/file-formats.md`` describes it. Files of 2009 are told by their content and read as well, see
``classic.py``. Nothing in a file is ever evaluated.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from ..base.atomic import replacing
from ..base.limits import LARGEST, Limits
from ..base.urls import site_of
from ..classic.pattern_file import ANY_SITE, format_classic, is_classic, parse_classic
from ..errors import PatternFileError
from ..layouts.traits import SiteTraits
from ..options import check_expressions
from ..values import LearnWarning, Pattern, Section, SitePatterns, UnusedPages
from .index import PatternIndex
from .match import traits_of

__all__ = ["CLASSIC_SUFFIX", "FORMAT", "VERSION", "PatternSet"]

#: What a pattern file says it is.
FORMAT = "scrapy-webstemmer patterns"
VERSION = 3

#: What files are called that are written in the format of 2009.
CLASSIC_SUFFIX = ".pat"

#: Bytes of a file; a larger one is refused rather than held in memory.
MAX_FILE = 512 * 1024 * 1024

#: Values in a file: each takes some 100 bytes of memory.
MAX_VALUES = 5_000_000

_WIDTH = 110
_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class PatternSet:
    """What was learned of one or many sites.

    :param sites: for a site's name its patterns. A page is only ever compared with its own site's, or
        with those of the site ``*`` where its own has none.
    """

    sites: Mapping[str, SitePatterns] = field(default_factory=dict)
    _traits: dict[str, SiteTraits] = field(default_factory=dict, init=False, repr=False, compare=False)
    _indexes: dict[str, PatternIndex] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __len__(self) -> int:
        """Return the number of patterns of all sites."""
        return sum(len(site.patterns) for site in self.sites.values())

    def site_of(self, url: str) -> SitePatterns | None:
        """Return the patterns of a url's host or registered domain, whichever they were learned by.

        A url without a host tells no site: that of a page from a file. It gets the only patterns there are.
        """
        for by in ("host", "domain"):
            site = self.sites.get(site_of(url, by))
            if site is not None and site.by == by:
                return site
        if len(self.sites) == 1 and not site_of(url):
            return next(iter(self.sites.values()))
        return self.sites.get(ANY_SITE)

    def traits(self, site: str) -> SiteTraits:
        """Return what a site's pages have in common, made ready once and kept with the patterns."""
        traits = self._traits.get(site)
        if traits is None:
            traits = self._traits[site] = traits_of(self.sites[site])
        return traits

    def index(self, site: str) -> PatternIndex:
        """Return a site's patterns by feature, made once and kept with the patterns."""
        index = self._indexes.get(site)
        if index is None:
            index = self._indexes[site] = PatternIndex(self.sites[site].patterns)
        return index

    @classmethod
    def load(cls, path: str | Path, limits: Limits = _LIMITS) -> PatternSet:
        """Return the patterns of a file, ours or one of 2009; the content decides.

        :param limits: how many patterns the file may have, and how many sections each of them.

        :raises PatternFileError: if it cannot be read, is not a pattern file, has an unknown version or a
            value that cannot be.
        """
        content = _content(path)
        if is_classic(content):
            return cls(_within(path, parse_classic(path, content), limits))
        data = _document(path, content)
        try:
            sites = [_site(entry) for entry in data["sites"]]
        except (KeyError, TypeError, ValueError) as error:
            raise PatternFileError(path, f"is not a valid pattern file: {error}") from None
        found = {site.site: site for site in sites}
        if len(found) < len(sites):
            raise PatternFileError(path, "is not a valid pattern file: it has a site twice")
        return cls(_within(path, found, limits))

    def save(self, path: str | Path, *, classic: bool | None = None) -> None:
        """Write a pattern file; the old one stays until the new one is complete.

        The same patterns give the same bytes. A link stays a link, and what is no
        regular file (``/dev/stdout``) is written to directly.

        :param classic: write the format of 2009, which has only a part of what was learned; None: if the
            file is called ``.pat``.
        :raises PatternFileError: if it cannot be written, or not in the format of 2009.
        """
        if classic is None:
            classic = Path(path).suffix.lower() == CLASSIC_SUFFIX
        content = format_classic(path, self.sites) if classic else _json(self.sites)
        try:
            with replacing(path) as stream:
                stream.write(content)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise PatternFileError(path, f"cannot be written: {reason}") from None


def _within(path: str | Path, sites: dict[str, SitePatterns], limits: Limits) -> dict[str, SitePatterns]:
    """Return the sites of a file that has not too many patterns, and none with too many sections."""
    patterns = [pattern for site in sites.values() for pattern in site.patterns]
    if len(patterns) > limits.patterns:
        raise PatternFileError(path, f"has more than {limits.patterns:,} patterns (limit 'patterns')")
    if any(len(pattern.sections) > limits.sections for pattern in patterns):
        raise PatternFileError(
            path, f"has a pattern with more than {limits.sections:,} sections (limit 'sections')"
        )
    return sites


def _content(path: str | Path) -> bytes:
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(MAX_FILE + 1)
    except OSError as error:
        raise PatternFileError(path, f"cannot be read: {error.strerror or error}") from None
    except ValueError:  # a NUL in the name
        raise PatternFileError(path, "is not a pattern file") from None
    if len(content) > MAX_FILE:
        raise PatternFileError(path, f"is larger than {MAX_FILE // 1024 // 1024} MiB")
    return content


def _document(path: str | Path, content: bytes) -> dict[str, Any]:
    if content.count(b",") + content.count(b"[") + content.count(b"{") > MAX_VALUES:
        raise PatternFileError(path, f"has more than {MAX_VALUES:,} values")
    try:
        data = json.loads(content.decode("utf-8"), parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise PatternFileError(path, f"is not valid JSON: {error.msg}", error.lineno) from None
    except (ValueError, RecursionError):  # no UTF-8, a number of 5,000 digits, endless brackets
        raise PatternFileError(path, "is not a pattern file") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise PatternFileError(path, "is not a pattern file")
    if data.get("version") != VERSION or isinstance(data["version"], bool):
        raise PatternFileError(
            path, f"has version {data.get('version')!r}; this release reads version {VERSION}"
        )
    return data


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def _site(entry: Any) -> SitePatterns:
    values = _checked(SitePatterns, entry)
    values["patterns"] = tuple(_pattern(row) for row in values["patterns"])
    values["unused"] = tuple(UnusedPages(**_checked(UnusedPages, row)) for row in values.get("unused", ()))
    values["warnings"] = tuple(
        LearnWarning(**_checked(LearnWarning, row)) for row in values.get("warnings", ())
    )
    values["boilerplate"] = {path: tuple(texts) for path, texts in values.get("boilerplate", {}).items()}
    if values["layout"] not in ("paths", "sequence"):
        raise ValueError(f"layout {values['layout']!r} is not known")
    if values.get("by", "domain") not in ("domain", "host"):
        raise ValueError(f"sites by {values['by']!r} are not known")
    if values["layout"] == "paths" and values.get("mangle"):
        raise ValueError("mangle is for layouts of 2009 alone")
    check_expressions("mangle", values.get("mangle", ""))
    return SitePatterns(**values)


def _pattern(row: Any) -> Pattern:
    values = _checked(Pattern, row)
    values["sections"] = tuple(Section(**_checked(Section, section)) for section in values["sections"])
    if values["kind"] not in ("article", "index"):
        raise ValueError(f"kind {values['kind']!r} is not known")
    title = values.get("title")
    if title is not None and not 0 <= title < len(values["sections"]):
        raise ValueError(f"title {title} is not the number of a section")
    return Pattern(**values)


#: What JSON must give for a field of this type.
_JSON_TYPES: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (int, float),
    "float | None": (int, float, type(None)),
    "int | None": (int, type(None)),
    "tuple": (list,),
    "Mapping": (dict,),
}


def _checked(cls: type[Any], row: Any) -> dict[str, Any]:
    """Return a JSON object as the arguments of one of our values; unknown keys and wrong types are errors."""
    if not isinstance(row, dict):
        raise TypeError(f"{cls.__name__} is {type(row).__name__}, not an object")
    hints = cls.__annotations__
    values = {}
    for key, value in row.items():
        if key not in hints:
            raise ValueError(f"{cls.__name__} has no {key!r}")
        wanted = str(getattr(hints[key], "__forward_arg__", hints[key]))  # as named tuples keep them
        allowed = _JSON_TYPES.get(wanted) or _JSON_TYPES[wanted.partition("[")[0]]
        if not isinstance(value, allowed) or isinstance(value, bool):
            raise TypeError(f"{cls.__name__}.{key} cannot be {value!r:.60}")
        if isinstance(value, int | float):
            _check_number(wanted, value, f"{cls.__name__}.{key}")
        values[key] = _frozen(wanted, value, f"{cls.__name__}.{key}")
    return values


def _check_number(wanted: str, value: float, name: str) -> None:
    """Refuse a number that no learning gives: ``1e400``, or one with hundreds of digits; a negative count."""
    if not (0 if "int" in wanted else -LARGEST) <= value <= LARGEST:
        raise ValueError(f"{name} cannot be {value!r:.60}")


def _frozen(wanted: str, value: Any, name: str) -> Any:
    """Return a list of strings as a tuple, and check what a mapping holds."""
    if wanted == "tuple[str, ...]":
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            raise TypeError(f"{name} must be a list of strings")
        return tuple(value)
    if wanted == "Mapping[str, tuple[str, ...]]":
        return {key: _frozen("tuple[str, ...]", one, name) for key, one in value.items()}
    if wanted in ("Mapping[str, int]", "Mapping[str, float]"):
        for key, one in value.items():
            if not isinstance(one, int | float) or isinstance(one, bool):
                raise TypeError(f"{name} must map to numbers")
            _check_number(wanted, one, f"{name}[{key!r:.60}]")
    return value


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
    """Return JSON in which what fits on a line stands on one, and so does each section."""
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
