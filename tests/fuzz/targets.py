"""The targets: what is done with an input of each kind, and what must hold. Errors of ours are allowed."""

from __future__ import annotations

import logging
import random
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import seeds
from fragments import check_fragment
from mutations import mutated

from scrapy_webstemmer import Article, ExtractOptions, LearnOptions, Page, PatternSet, extract, learn
from scrapy_webstemmer.base.work import compiled
from scrapy_webstemmer.errors import LimitError, WebstemmerError
from scrapy_webstemmer.html.anchors import Address
from scrapy_webstemmer.html.parsing import decode
from scrapy_webstemmer.plugin.commands.inputs import json_line, text_record
from scrapy_webstemmer.plugin.commands.summary import learn_summary
from scrapy_webstemmer.storage import merged_linkinfo, open_pages
from scrapy_webstemmer.storage.folder import LinkinfoFile

sys.path.append(str(Path(__file__).parents[1]))  # where the modules are that several tests use
from odd_markup import FRAGMENTS
from two_readings import ARE_TWO, URL, differences, is_known, reading

__all__ = ["Targets", "odd_page"]

#: Characters that a terminal obeys, that a line of text cannot have, or that change the direction of writing.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_FIELD = re.compile(r"(?:!(?:UN)?MATCHED|PATTERN|TITLE|MAIN-\d+|SUB-\d+): ")
_FALLBACK = ExtractOptions(fallback=True, threshold=0.0, date=True, markdown=True, comments=True)
_WEB, _TIME = (
    re.compile(r"https?://[^\r\n\t]+", re.IGNORECASE),
    re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d.*)?"),
)


class Targets:
    """The targets by their kinds.

    :param folder: for inputs that are read from files.
    """

    def __init__(self, folder: Path) -> None:
        logging.disable(logging.WARNING)
        self.compares = ARE_TWO
        logging.getLogger("scrapy_webstemmer").handlers = [_Loud()]
        self._file = folder / "input"
        self._others = seeds.pages(3)
        self._patterns, self._classic = seeds.patterns(), seeds.classic_patterns()
        self.by_kind: dict[str, Callable[[bytes, int], None]] = {
            "page": self.page,
            "markup": self.markup,
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

    def markup(self, data: bytes, number: int) -> None:
        """Read all that a page's source has; if ``compares`` is set, compare it with what its tree has."""
        page = Page(URL, data, ("utf-8", None, "shift_jis")[number % 3])
        if self.compares and not is_known(decode(page)):
            found = differences(page)
            # tags without an effect count for one reading alone
            assert not found or {kind for kind, _ in filter(None, found.get("error", ()))} == {LimitError}, (
                found
            )
        else:
            reading(page)
        read_source(data)

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


def odd_page(inputs: Sequence[bytes], chance: random.Random) -> bytes:
    """Return a page of random fragments, or a changed seed."""
    if chance.random() < 0.5:
        return mutated(inputs, chance)
    fragments = chance.choices(FRAGMENTS, k=int(2 ** chance.uniform(0, 8)))
    data = bytearray("".join(fragments).encode("utf-8", "surrogatepass"))
    for _ in range(chance.choice((0, 0, 1, 3))):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


def read_source(data: bytes) -> None:
    """Call all methods of the compiled reading on bytes, within small limits and within large ones."""
    scan = compiled("html.scan")
    if scan is None:
        return
    text = scan.text_of(data)
    assert text is None or text == data.decode().strip().encode()
    text = data.decode("utf-8", "replace").strip().replace("\0", "").encode()
    for limits in ((3, 2, 2), (1_000_000, 2_000, 1_000_000)):
        one = scan.Scan(text, *limits)
        if one.elements > limits[0] or one.depth > limits[1] or one.attributes > limits[2]:
            continue  # it was not read to its end
        *_, relations = one.layout(Address(URL))
        assert len([*one.links()]) <= one.elements
        assert len(one[:]) == len(one) == len([one[number] for number in range(len(one))])
        assert all(
            isinstance(part, str) for part in (one.title_text(), one.og_title(), one.base_href() or "")
        )
        assert len(one.stated(relations)) <= 100
        assert one[-3:] == [*one][-3:]


class _Loud(logging.Handler):
    """Turns a logged error, which means a fault on one page, into an exception."""

    def emit(self, record: logging.LogRecord) -> None:
        raise AssertionError(record.getMessage())


def _check_output(page: Page, article: Article | None) -> None:
    """Raise if an article has control characters, or its text output more than one line for a field.

    What it states has the right form.
    """
    stated = article.metadata if article else None
    if article and stated:
        urls = (stated.main_image, stated.canonical_url, *stated.videos, *stated.audios)
        named = (*stated.authors, *stated.breadcrumbs, *stated.images)
        assert all(_WEB.fullmatch(url) for url in (*urls, *(one.url for one in named)) if url)
        dates = (stated.date_published, stated.date_modified, *(one.date for one in article.comments or ()))
        assert all(_TIME.fullmatch(one) for one in dates if one)
        assert all(one.text for one in article.comments or ())
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
