"""Holds articles against the truth: line by line, without any of the code that made them."""

from __future__ import annotations

import difflib
import json
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

__all__ = ["REQUIRED", "Comparison", "compare", "read_lines"]

#: The share of the new articles that has to be exact, unless the caller says otherwise.
REQUIRED = 0.98


@dataclass
class Group:
    """What became of the new articles, or of the older ones."""

    total: int = 0
    found: int = 0
    title: int = 0
    text: int = 0
    exact: int = 0


@dataclass
class Comparison:
    """What came out, and what should have.

    :param new: the articles of the last day.
    :param older: those of the days before.
    :param required: the share of the new articles that has to be exact, 0 to 1.
    :param unexpected: urls that are no article, or came out a second time.
    :param differences: for each article that is not exact, its path and what differs.
    :param sample: the longest exact new article, or none.
    """

    new: Group = field(default_factory=Group)
    older: Group = field(default_factory=Group)
    required: float = REQUIRED
    unexpected: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    sample: dict[str, str] | None = None

    @property
    def passed(self) -> bool:
        """Whether enough of the new articles are exact and nothing else came out."""
        new = self.new
        return not self.unexpected and new.total > 0 and new.exact >= self.required * new.total


def read_lines(path: Path) -> Iterator[dict[str, str]]:
    """Yield the records of a file of JSON lines."""
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def _folded(text: str | None) -> str:
    return " ".join((text or "").split())


def _difference(true: dict[str, str], article: dict[str, str] | None) -> str:
    if article is None:
        return f"{true['path']}\n  did not come out\n"
    wanted, got = ([r["title"] or "", *(r["text"] or "").splitlines()] for r in (true, article))
    wanted, got = ([line for line in map(_folded, lines) if line] for lines in (wanted, got))
    lines = difflib.unified_diff(wanted, got, "truth", "article", lineterm="", n=1)
    return f"{true['path']}\n" + textwrap.indent("\n".join(lines), "  ") + "\n"


def compare(truth: Path, articles: Path, *, required: float = REQUIRED, only_new: bool = False) -> Comparison:
    """Compare a file of articles (``url``, ``title``, ``text``) with the truth, white space folded.

    :param required: the share of the new articles that has to be exact, 0 to 1.
    :param only_new: an older article has come out before, so it counts as unexpected.
    """
    result, found = Comparison(required=required), dict[str, dict[str, str]]()
    wanted = {record["path"]: record for record in read_lines(truth)}
    last = max((int(record["day"]) for record in wanted.values()), default=0)
    for article in read_lines(articles):
        path = urlsplit(article["url"]).path
        known = wanted.get(path)
        if known is None or path in found or (only_new and int(known["day"]) < last):
            result.unexpected.append(article["url"])
        else:
            found[path] = article
    for path, true in wanted.items():
        is_new = int(true["day"]) == last
        if is_new or not only_new:
            _count(result, true, found.get(path), is_new=is_new)
    return result


def _count(result: Comparison, true: dict[str, str], article: dict[str, str] | None, *, is_new: bool) -> None:
    group = result.new if is_new else result.older
    got = article or {}
    same = [name in got and _folded(got[name]) == _folded(true[name]) for name in ("title", "text")]
    group.total += 1
    group.found += article is not None
    group.title += same[0]
    group.text += same[1]
    group.exact += all(same)
    if not all(same):
        result.differences.append(_difference(true, article))
    elif is_new and len(true["text"]) > len((result.sample or {}).get("text", "")):
        result.sample = article
