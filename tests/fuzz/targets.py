"""The targets: what is done with an input of each kind, and what must hold. Errors of ours are allowed."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from pathlib import Path

import seeds
from fragments import check_fragment

from scrapy_webstemmer import Article, ExtractOptions, LearnOptions, Page, PatternSet, extract, learn
from scrapy_webstemmer.errors import WebstemmerError
from scrapy_webstemmer.plugin.commands.output import json_line, text_record
from scrapy_webstemmer.plugin.commands.summary import learn_summary
from scrapy_webstemmer.storage import merged_linkinfo, open_pages
from scrapy_webstemmer.storage.linkinfo_file import LinkinfoFile

__all__ = ["Targets"]

#: Characters that a terminal obeys, that a line of text cannot have, or that change the direction of writing.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_FIELD = re.compile(r"(?:!(?:UN)?MATCHED|PATTERN|TITLE|MAIN-\d+|SUB-\d+): ")
_FALLBACK = ExtractOptions(fallback=True, threshold=0.0, date=True, markdown=True)


class Targets:
    """The targets by their kinds.

    :param folder: for inputs that are read from files.
    """

    def __init__(self, folder: Path) -> None:
        logging.disable(logging.WARNING)
        logging.getLogger("scrapy_webstemmer").handlers = [_Loud()]
        self._file = folder / "input"
        self._others = seeds.pages(3)
        self._patterns, self._classic = seeds.patterns(), seeds.classic_patterns()
        self.by_kind: dict[str, Callable[[bytes, int], None]] = {
            "page": self.page,
            "pattern file": self.pattern_file,
            "2009 pattern file": self.pattern_file,
            "linkinfo": self.linkinfo,
            "zip": self.source,
            "WARC": self.source,
            "SQLite": self.source,
            "Markdown": lambda data, number: check_fragment(data),
        }

    def page(self, data: bytes, number: int) -> None:
        """Extract from a page in both ways; learn from every tenth page, with three others."""
        page = Page(f"http://{seeds.HOST}/x.html", data, ("utf-8", None, "shift_jis")[number % 3])
        for patterns, options in (
            (self._patterns, _FALLBACK),
            (self._classic, ExtractOptions(threshold=0.0)),
        ):
            try:
                _check_output(page, extract(page, patterns, options))
            except WebstemmerError:
                if number % 10:
                    raise
        if number % 10 == 0:
            options = LearnOptions() if number % 20 else LearnOptions.classic(min_score=-1)
            _check_summary(learn([page, *self._others], options=options))

    def pattern_file(self, data: bytes, number: int) -> None:
        """Load the file, show it, and extract with its patterns."""
        self._file.write_bytes(data)
        patterns = PatternSet.load(self._file)
        _check_summary(patterns)
        page = self._others[0]
        _check_output(page, extract(page, patterns, ExtractOptions(threshold=0.0)))
        patterns.save(self._file)

    def linkinfo(self, data: bytes, number: int) -> None:
        """Read the linkinfo."""
        self._file.write_bytes(data)
        found = LinkinfoFile(self._file).linkinfo() or {}
        assert all(isinstance(text, str) for _, texts in found.items() for text in texts)

    def source(self, data: bytes, number: int) -> None:
        """Read all pages and anchors."""
        self._file.write_bytes(data)
        with open_pages(self._file) as pages:
            for page in pages:
                assert isinstance(page.body, bytes)
            pages.count()
            for url, texts in (merged_linkinfo([pages]) or {}).items():
                assert url.encode()
                assert all(text.encode() for text in texts)


class _Loud(logging.Handler):
    """Turns a logged error, which means a fault on one page, into an exception."""

    def emit(self, record: logging.LogRecord) -> None:
        raise AssertionError(record.getMessage())


def _check_output(page: Page, article: Article | None) -> None:
    """Raise if an article has control characters, or its text output more than one line for a field."""
    line = json_line(page, article, "utf-8")
    assert "\n" not in line[:-1]
    line.encode()
    record = text_record(page, article, "utf-8")
    assert not _CONTROLS.search(record)
    assert all(_FIELD.match(line) for line in record.rstrip("\n").split("\n"))


def _check_summary(patterns: PatternSet) -> None:
    for line in learn_summary(patterns, 200, debug=True):
        assert not _CONTROLS.search(line)
        assert "\n" not in line
