"""The targets: what is done with an input of each kind, and what must hold. Errors of ours are allowed."""

from __future__ import annotations

import json
import logging
import random
import re
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import seeds
from fragments import check_fragment
from mutations import mutated
from scrapy import Request
from scrapy.http import Response

from scrapy_webstemmer import Article, ExtractOptions, LearnOptions, Page, PatternSet, extract, learn
from scrapy_webstemmer.base.compiled import compiled
from scrapy_webstemmer.commands.formats import json_line, markdown_record, text_record
from scrapy_webstemmer.commands.summary import learn_summary
from scrapy_webstemmer.crawl.linkinfo import unzipped
from scrapy_webstemmer.errors import LimitError, WebstemmerError
from scrapy_webstemmer.page.addresses import Address
from scrapy_webstemmer.page.announced import announced_by
from scrapy_webstemmer.page.charsets import decode
from scrapy_webstemmer.page.moved import new_order
from scrapy_webstemmer.page.parsing import parse_text
from scrapy_webstemmer.page.shown import fates_of
from scrapy_webstemmer.page.sources import TreeSource, open_page
from scrapy_webstemmer.page.statements import Statements
from scrapy_webstemmer.review.reviewed import Review
from scrapy_webstemmer.review.server import ReviewServer
from scrapy_webstemmer.storage import SqliteLearningSet, merged_linkinfo, open_pages
from scrapy_webstemmer.storage.linkinfo_file import read_linkinfo
from scrapy_webstemmer.textcrawler.spiders import TextCrawler
from scrapy_webstemmer.values import NO_XML

sys.path.append(str(Path(__file__).parents[1]))  # where the modules are that several tests use
from odd_markup import FRAGMENTS
from two_readings import ARE_TWO, URL, differences, is_known, reading

__all__ = ["Targets", "odd_page"]

#: Characters that a terminal obeys, that a line of text cannot have, or that change the direction of writing.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_FIELD = re.compile(r"(?:!(?:UN)?MATCHED|PATTERN|TITLE|MAIN-\d+|SUB-\d+): ")
#: What is written of an input has at most so many times its bytes, and so many more.
_LARGEST, _CONSTANT = 20, 2_000
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
        self._folder, self._file = folder, folder / "input"
        self._others = seeds.pages(3)
        self._small: list[Page] = []
        self._patterns, self._classic = seeds.patterns(), seeds.classic_patterns()
        self._spider = TextCrawler(url=f"http://{seeds.HOST}/")
        self._server: _Server | None = None
        extract(self._others[0], self._patterns, _FALLBACK)  # what is loaded once takes a second
        self.by_kind: dict[str, Callable[[bytes, int], None]] = {
            "page": self.page,
            "small page": self.small_page,
            "markup": self.markup,
            "pattern file": self.pattern_file,
            "2009 pattern file": self.pattern_file,
            "linkinfo": self.linkinfo,
            "zip": self.source,
            "WARC": self.source,
            "SQLite": self.source,
            "Markdown": lambda data, number: check_fragment(data),
            "feed": self.feed,
            "sitemap": self.feed,
            "statements": self.statements,
            "request": self.request,
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

    def small_page(self, data: bytes, number: int) -> None:
        """Read a page alone, and by what it teaches: by itself, or together with pages like it."""
        page = Page(f"http://{seeds.HOST}/2026/{number}.html", data, "utf-8")
        _check_output(page, extract(page, options=_FALLBACK))
        self._small = [page, *self._small[:3]]
        with suppress(WebstemmerError):  # one page may be no article
            learned = learn(self._small[: number % 5 or 1])
            _check_output(page, extract(page, learned, _FALLBACK))

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

    def feed(self, data: bytes, number: int) -> None:
        """Read what a feed, a sitemap or a robots.txt announces, and what the spider makes of it."""
        url = f"http://{seeds.HOST}/{('feed', 'sitemap.xml', 'robots.txt')[number % 3]}"
        response = Response(url, body=data)
        try:
            body = unzipped(response)
        except (OSError, EOFError, ValueError):
            return
        pages, sitemaps = announced_by(body, url)
        said = "".join(
            f"{target}{one.title}{one.published}{''.join(one.authors)}" for target, one in pages.items()
        )
        _check_size("announced", said + "".join(sitemaps), body)
        said.encode()
        for one in pages.values():
            assert not one.published or _TIME.fullmatch(one.published)
            assert not any(map(NO_XML.search, (one.title, *one.authors)))
        response.request = Request(url)
        for request in self._spider.parse_announced(response):
            assert request.url.startswith("http")

    def statements(self, data: bytes, number: int) -> None:
        """Extract from a page that states something about its article; both readings find the same."""
        body = seeds.pages(1)[0].body
        place = (b"</head>", b"<article", b"</article>")[number % 3]
        page = Page(f"http://{seeds.HOST}/1.html", body.replace(place, data + place, 1), "utf-8")
        _check_output(page, extract(page, self._patterns, _FALLBACK))
        layouts = [open_page(page, None, _FALLBACK.limits).layout(page.url)]
        if self.compares and not is_known(decode(page)):
            tree = TreeSource(page.url, parse_text(decode(page)), _FALLBACK.limits, page.body)
            layouts.append(tree.layout(page.url))
        found = [Statements(one.markup, page.url) for one in layouts if one.markup]
        methods = {"address", "without_employer", "without_site"}
        names = [name for name in vars(Statements) if not name.startswith("_") and name not in methods]
        for name in names:
            values = [getattr(one, name) for one in found]
            values = [[*one] if isinstance(one, Iterator) else one for one in values]
            assert all(one == values[0] for one in values), (name, values)

    def request(self, data: bytes, number: int) -> None:
        """Send bytes to the server of a review: it answers, or closes, and no error of it is logged."""
        if self._server is None:
            self._server = _Server(self._folder, self._patterns, self._others)
        self._server.ask(data)

    def linkinfo(self, data: bytes, number: int) -> None:
        """Read the linkinfo."""
        self._file.write_bytes(data)
        found = read_linkinfo([self._file], lambda *_: None)
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
    scan, layouts = map(compiled, ("page.scan", "page.scan_layout"))
    if scan is None or layouts is None:
        return
    text = data.decode("utf-8", "replace").strip().replace("\0", "").encode()
    for limits in ((3, 2, 2), (1_000_000, 2_000, 1_000_000)):
        one = scan.Scan(text, *limits)
        if one.elements > limits[0] or one.depth > limits[1] or one.attributes > limits[2]:
            continue  # it was not read to its end
        told = one.told()
        new_order(told, one.body_pieces)
        *_, relations, _ = layouts.layout_of(one, Address(URL), *fates_of(told, one))
        assert len([*one.links()]) <= one.elements
        assert len(one[:]) == len(one) == len([one[number] for number in range(len(one))])
        assert all(
            isinstance(part, str) for part in (one.title_text(), one.og_title(), one.base_href() or "")
        )
        assert len(one.stated(relations)) <= 100
        assert one[-3:] == [*one][-3:]


class _Server(ReviewServer):
    """A server of a review in a thread, which keeps the errors of its requests.

    It is started with the first request, and ends with the process.

    :param folder: for the stored pages and the pattern file.
    """

    def __init__(self, folder: Path, patterns: PatternSet, pages: Sequence[Page]) -> None:
        path = folder / "review.json"
        patterns.save(path)
        stored = SqliteLearningSet(folder / "review.sqlite")
        for page in pages:
            stored.add_page(page)
        super().__init__(Review(patterns, stored, path=path))
        self.faults: list[str] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request: object, client_address: object) -> None:
        self.faults.append(traceback.format_exc())

    def ask(self, data: bytes) -> None:
        """Send bytes, and check the answer."""
        for name, value in ((b"TOKEN", self.token), (b"PORT", str(self.server_port))):
            data = data.replace(name, value.encode())
        received = b""
        with suppress(ConnectionError), socket.create_connection(("127.0.0.1", self.server_port)) as one:
            one.settimeout(20)
            one.sendall(data)
            with suppress(OSError):  # the server may have closed already
                one.shutdown(socket.SHUT_WR)
            while part := one.recv(1 << 16):
                received += part
        faults, self.faults = self.faults, []
        assert not faults, faults[0]
        assert b" 500 " not in received.partition(b"\r\n")[0], received[:2_000]
        PatternSet.load(self.review.path or "")


class _Loud(logging.Handler):
    """Turns a logged error, which means a fault on one page, into an exception."""

    def emit(self, record: logging.LogRecord) -> None:
        raise AssertionError(record.getMessage())


def _check_size(name: str, text: str, data: bytes) -> None:
    """Raise if something that is written of an input is much longer than the input."""
    size = len(text.encode("utf-8", "replace"))
    assert size <= _LARGEST * len(data) + _CONSTANT, (name, size, len(data))


def _check_output(page: Page, article: Article | None) -> None:
    """Raise if an article has control characters, or its text output more than one line for a field.

    What it states has the right form, and nothing is much longer than the page.
    """
    if article is not None:
        for name in article.__dataclass_fields__:
            _check_size(name, json.dumps(getattr(article, name), ensure_ascii=False), page.body)
        _check_size("json_line", json_line(page, article, "utf-8", sections=True), page.body)
        for write in (text_record, markdown_record):
            _check_size(write.__name__, write(page, article, "utf-8"), page.body)
        urls = (article.main_image, article.canonical_url, *article.videos, *article.audios)
        named = (*article.authors, *article.breadcrumbs, *article.images)
        assert all(_WEB.fullmatch(url) for url in (*urls, *(one.url for one in named)) if url)
        dates = (article.date_published, article.date_modified, *(one.date for one in article.comments))
        assert all(_TIME.fullmatch(one) for one in dates if one)
        assert all(one.text for one in article.comments)
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
