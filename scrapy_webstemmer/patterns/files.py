"""Pattern files: one JSON document, UTF-8, stable key order (placeholder)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ..errors import PatternFileError
from ..values import LeftOver, Pattern, Section, SitePatterns

FORMAT_VERSION = 1


@dataclass(frozen=True)
class PatternSet:
    sites: Mapping[str, SitePatterns] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(len(site.patterns) for site in self.sites.values())

    @classmethod
    def load(cls, path: str | Path) -> PatternSet:
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
            if data["format"] != FORMAT_VERSION:
                raise PatternFileError(path, f"format {data['format']!r} is not known")
            sites = {}
            for row in data["sites"]:
                row["patterns"] = tuple(
                    Pattern(**{**p, "sections": tuple(Section(*s) for s in p["sections"])}) for p in row["patterns"]
                )
                row["left_over"] = tuple(LeftOver(*x) for x in row["left_over"])
                sites[row["site"]] = SitePatterns(**row)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise PatternFileError(path, f"is no pattern file: {error}") from None
        return cls(sites)

    def save(self, path: str | Path) -> None:
        data = {"format": FORMAT_VERSION, "sites": [asdict(s) for s in self.sites.values()]}
        Path(path).write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")
