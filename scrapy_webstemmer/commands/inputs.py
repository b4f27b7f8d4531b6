"""The inputs of a command: tell what they are, open them, show a progress bar while they are read.

A mistake is answered with what is right.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from glob import escape, glob
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from ..base.terminal import printable, say
from ..base.urls import is_host
from ..crawl.settings import WebstemmerSettings
from ..errors import LearningSetError, PageError, visible
from ..pattern_files.pattern_sources import is_resource
from ..values import Page
from .arguments import CommandError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ..storage.source import FetchedPages, PageSource

logger = logging.getLogger(__name__)

#: The 2009 crawler's name for the zip member, or file, that holds the anchor texts.
LINKINFO_NAME = "linkinfo"

#: What INPUT may be, for the help of commands that fetch nothing.
INPUTS = (
    "INPUT is a learning set, a .warc or .warc.gz file, a .zip of Webstemmer 0.7.1, a folder of HTML files,"
    " a single one, a .list of files, or - for standard input."
)
#: The endings of lists, which may have urls among their lines.
_LIST_ENDINGS = (".list", ".txt")
_LIST_HEAD = 1 << 12
#: What a crawl fills in in a path: its spider, or a time.
_PLACEHOLDER = re.compile(r"%\((?:spider|time|timestamp)\)s")
_URL_BEGINS = "a url must begin with http:// or https://"

#: Kinds of files.
PATTERN_FILE, LEARNING_SET_FILE, ARTICLES_FILE = "a pattern file", "a learning set", "a file of articles"
#: Not known more closely: that of a crawl that was killed has its mark only in the log beside it.
_SQLITE = "a SQLite file"
#: The mark of a SQLite file stands here in its header.
_SQLITE_MARK = slice(68, 72)
_KIND_OF_MARK = {b"WSTP": PATTERN_FILE, b"WSTM": LEARNING_SET_FILE, b"WSTU": "a URLDB"}
_PATTERN_ENDINGS = (".json", ".pat")
_FILE_HEAD = 1 << 16


def is_url(name: str) -> bool:
    """Return whether an input is the url of a page to fetch."""
    return name.lower().startswith(("http://", "https://"))


def fetches(name: str) -> bool:
    """Return whether an input is a url, or a list that begins with one. Cost: its first bytes are read."""
    if is_url(name):
        return True
    try:
        if name == "-":
            head = sys.stdin.buffer.peek(_LIST_HEAD)  # type: ignore[union-attr]
        elif Path(name).suffix.lower() in _LIST_ENDINGS:
            with Path(name).open("rb") as stream:
                head = stream.read(_LIST_HEAD)
        else:
            return False
    except (OSError, ValueError, AttributeError):  # standard input may be closed, or not a file
        return False
    return any(is_url(line) and "\t" not in line for _, line in lines_of(head)[:1])


def lines_of(content: bytes) -> list[tuple[int, str]]:
    """Return the lines of a list with their numbers, without comments and empty ones."""
    is_wide = content.startswith((BOM_UTF16_LE, BOM_UTF16_BE))  # as PowerShell's > writes it
    text = content.decode("utf-16" if is_wide else "utf-8-sig", errors="replace")
    lines = (line.strip() for line in text.splitlines())
    return [(number, line) for number, line in enumerate(lines, 1) if line and not line.startswith("#")]


def _lacks_scheme(name: str) -> bool:
    """Return whether a name looks like a url without its beginning: a host, with a port or a path."""
    host, slash, _ = name.partition("/")
    return is_host(host) and bool(slash or ":" in host)


def check_patterns(args: Sequence[str]) -> None:
    """Refuse a command line that does not begin with a pattern file. Raises UsageError."""

    if not args or args[0] == "-":
        raise UsageError("give a pattern file and at least one INPUT")
    if not is_resource(args[0]):
        check_inputs(args[:1])


def check_inputs(inputs: Sequence[str], *, urls: bool = False) -> None:
    """Refuse a command line without inputs, or with inputs that do not exist.

    :param urls: an input may be a url, which is fetched.
    :raises UsageError: an input is missing, or standard input is named twice.
    """
    if not inputs:
        raise UsageError("give at least one INPUT")
    if inputs.count("-") > 1:
        raise UsageError("standard input (-) can be read only once")
    for name in inputs:
        if name == "-" or (urls and is_url(name)):
            continue
        if is_url(name):
            raise UsageError(f"{name}: is not fetched here; `scrapy articles` crawls and learns a site")
        if not Path(name).exists():
            hint = f"; {_URL_BEGINS}" if urls and _lacks_scheme(name) else ""
            if name.lower().startswith("file:"):  # the url of an article that came from a file
                hint = "; a file is named by its path, without file://"
            raise UsageError(f"{name}: there is no such file or folder{hint}")


def check_file(path: Path) -> None:
    """Refuse what is not a file, or is empty, since SQLite would take it for a database.

    :raises UsageError: it is no file. :raises CommandError: it is empty.
    """
    if not path.is_file():
        raise UsageError(f"{path}: {'is not a file' if path.exists() else 'there is no such file'}")
    if not path.stat().st_size:
        raise CommandError(f"{path}: is empty")


def _kind_of(name: str) -> str:
    """Return what a file is, in words; empty if that is unknown. Cost: its beginning is read."""
    from ..classic.pat_files import is_classic
    from ..pattern_files.pattern_file import CLASSIC_SUFFIX, FORMAT
    from ..storage.source import SQLITE_MAGIC, ZIP_MAGICS, looks_like_html

    try:
        if Path(name).is_dir():
            return "a folder"
        if not Path(name).is_file():  # what is read from a pipe would be gone
            return ""
        with Path(name).open("rb") as stream:
            head = stream.read(_FILE_HEAD)
    except (OSError, ValueError):
        return ""
    if head.startswith(SQLITE_MAGIC):
        return _KIND_OF_MARK.get(head[_SQLITE_MARK], _SQLITE)
    if head.startswith(ZIP_MAGICS):
        return "a zip"
    if head.startswith(b"WARC/"):
        return "a WARC file"
    # patterns of 2009 begin like many a text, so their name counts as well
    is_old = Path(name).suffix.lower() == CLASSIC_SUFFIX and is_classic(head)
    if is_old or f'"{FORMAT}"'.encode() in head[:200]:
        return PATTERN_FILE
    if _begins_with_article(head):
        return ARTICLES_FILE
    return "a page" if looks_like_html(head) else ""


def check_replaced(name: str, kind: str) -> None:
    """Refuse to replace a file of another kind, such as a learning set. Raises UsageError.

    Patterns replace patterns alone: if their name was forgotten, the first input stands in its place.
    """
    path = Path(name)
    present = _kind_of(name) if path.is_file() else ""
    if present == _SQLITE and kind in (LEARNING_SET_FILE, PATTERN_FILE):
        return  # opening it tells
    is_text = kind == PATTERN_FILE and path.is_file() and path.stat().st_size and not is_patterns(name)
    if is_text or present not in ("", "a page", kind):
        present = present or "not a pattern file"
        raise UsageError(f"{name}: is {present}, which is not to be overwritten: choose another name")


def _begins_with_article(head: bytes) -> bool:
    try:
        row = json.loads(head.lstrip(b"[ \r\n").partition(b"\n")[0].rstrip(b", \r"))
    except (ValueError, RecursionError):
        return False
    return isinstance(row, dict) and {"url", "text"} <= row.keys()


def split_patterns(args: Sequence[str], settings: BaseSettings) -> tuple[str | None, list[str]]:
    """Return the pattern file and the inputs of a command line.

    :param args: inputs, with or without a pattern file before them. Without one, that of the project;
        if there is none, it is None.
    :raises UsageError: an input is a pattern file, or something else that has no pages.
    """
    if not args:
        raise UsageError("give at least one INPUT")
    first, others = args[0], list(args[1:])
    if is_patterns(first):
        if not others:
            raise UsageError(f"{first}: is taken for the pattern file; give at least one INPUT behind it")
        return first, others
    later = next((name for name in others if not is_url(name) and _kind_of(name) == PATTERN_FILE), None)
    if later is not None:
        kind = "a url" if is_url(first) else _kind_of(first) or "no pattern file"
        raise UsageError(f"{first}: is {kind}; the pattern file, {later}, comes first")
    return _patterns_of_project(settings), list(args)


def is_patterns(name: str) -> bool:
    """Return whether an argument is a pattern file, a damaged one by its name, or a resource of a package."""

    if name == "-" or is_url(name):
        return False
    if not Path(name).exists():
        return is_resource(name) and not _lacks_scheme(name)
    kind = _kind_of(name)
    return kind == PATTERN_FILE or (not kind and Path(name).suffix.lower() in _PATTERN_ENDINGS)


def _patterns_of_project(settings: BaseSettings) -> str | None:
    """Return the only pattern file of the project, whatever stands for its placeholders; say what is used."""
    named = WebstemmerSettings.from_settings(settings).patterns
    present = [path for name in named for path in ([name] if is_resource(name) else _files_of(name))]
    if len(present) == 1:
        note(f"patterns: {present[0]}, as the settings of the project say")
        return present[0]
    if named:
        why = f"there are {len(present)}: name one with --patterns" if present else "there is no such file"
        note(f"patterns: none of the project, {', '.join(named)}: {why}")
    return None


def _files_of(template: str) -> list[str]:
    """Return the files whose names a path gives, with anything in place of the spider and the time."""
    return glob(_PLACEHOLDER.sub("*", escape(template)))  # noqa: PTH207 - a path may be absolute


def check_pages(inputs: Sequence[str], *, urls: bool = False) -> None:
    """Refuse inputs that are something else than pages, and say what they are.

    :param urls: an input may be a url, which is fetched.
    :raises UsageError: an input is missing or has no pages, or standard input is named twice.
    """
    check_inputs(inputs, urls=urls)
    for name in inputs:
        if name != "-" and not is_url(name) and (kind := _kind_of(name)) in (PATTERN_FILE, ARTICLES_FILE):
            raise UsageError(f"{name}: is {kind}, and has no pages")


@contextmanager
def open_inputs(
    names: Sequence[str], linkinfo_name: str = LINKINFO_NAME, fetched: FetchedPages | None = None
) -> Iterator[list[PageSource]]:
    """Open sources of pages by name, ``-`` for standard input; close them at the end.

    :param linkinfo_name: the zip member, or file, that holds the anchor texts; empty: none is read.
    :param fetched: the pages of the names that are urls.
    :raises LearningSetError: a source cannot be read.
    """
    with ExitStack() as stack:
        opened: list[PageSource] = []
        for are_urls, group in groupby(names, is_url):
            if not are_urls:
                opened += (
                    stack.enter_context(_opened(name, linkinfo_name, alone=len(names) == 1)) for name in group
                )
            elif fetched is not None:
                opened.append(fetched.part(list(group)))
        yield opened


def _opened(name: str, linkinfo_name: str, *, alone: bool) -> PageSource:
    """Open an input. A file that is no page is skipped when its turn comes, as long as it is not alone."""
    from ..storage import open_pages
    from ..storage.folder import HTML_SUFFIX, HtmlFile

    try:
        return open_pages(name, linkinfo_name=linkinfo_name)
    except LearningSetError as error:
        if Path(name).suffix.lower() in _LIST_ENDINGS and not error.damaged:
            raise LearningSetError(name, f"{error.reason}; in a list of urls, {_URL_BEGINS}") from None
        if alone or not HTML_SUFFIX.search(name):
            raise
        return HtmlFile(name)


def without_lists(names: Sequence[str]) -> list[str]:
    """Return inputs with the lines of each list that begins with a url in its place.

    :raises LearningSetError: a list cannot be read.
    :raises UsageError: one of its lines is neither a url nor a file; the error has its number.
    """

    inputs: list[str] = []
    for name in names:
        if is_url(name) or not fetches(name):
            inputs.append(name)
            continue
        try:
            content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        except OSError as error:
            raise LearningSetError(name, error.strerror or str(error)) from None
        for number, line in lines_of(content):
            if not is_url(line) and not Path(line).exists():
                raise UsageError(f"{name}, line {number}: {line}: there is no such file; {_URL_BEGINS}")
            inputs.append(line)
    return inputs


@contextmanager
def progress(
    sources: Sequence[PageSource], what: str, read: Sequence[Iterable[Page]] = ()
) -> Iterator[Iterable[Page]]:
    """Give the pages of all sources in order, with a progress bar if standard error is a terminal.

    The bar stays until the block ends, and log messages appear above it.

    :param read: what gives the pages of the sources; none: the sources themselves.
    """
    pages = chain.from_iterable(read or sources)
    if not sys.stderr.isatty():
        yield pages
        return
    from tqdm import tqdm
    from tqdm.contrib.logging import logging_redirect_tqdm

    counts = [source.count() for source in sources]
    total = None if None in counts else sum(filter(None, counts))
    # The redirection would log to the terminal even with --nolog or --logfile.
    to_terminal = any(getattr(handler, "stream", None) is sys.stderr for handler in logging.root.handlers)
    redirected = logging_redirect_tqdm() if to_terminal else nullcontext()
    # tqdm's thread that watches for stalled bars would keep workers from being forked.
    tqdm.monitor_interval = 0
    with redirected, tqdm(pages, what, total, unit=" pages", leave=False, miniters=1) as bar:
        yield bar


def problem_of(page: Page, error: Exception) -> str:
    """Return why a page cannot be read. An error of ours is logged; it must not cost all other pages."""
    if isinstance(error, PageError):
        return str(error)
    logger.error("not read: %s", visible(page.url), exc_info=error)
    return f"{page.url}: {type(error).__name__}: {error}"


def note(line: str) -> None:
    """Write a line to standard error, above the progress bar if there is one."""
    if (bars := sys.modules.get("tqdm")) is None:
        say(sys.stderr, printable(line))
    else:
        bars.tqdm.write(printable(line), file=sys.stderr)
