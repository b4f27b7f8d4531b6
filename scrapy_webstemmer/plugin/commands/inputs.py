"""Inputs and outputs of commands: open and check what is read, and write articles."""

from __future__ import annotations

import codecs
import json
import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from io import TextIOWrapper
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, TextIO

from itemadapter import ItemAdapter
from scrapy.exceptions import UsageError

from ...items import METADATA_FIELDS, ArticleItem
from ..settings import WebstemmerSettings, setting_name
from .arguments import check_inputs, check_patterns, is_url
from .base import one_line, printable

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from ...storage.source import PageSource
    from ...values import Article, ArticleSection, Page

# --- Open the inputs of a command, and show a progress bar while they are read

#: The 2009 crawler's name for the zip member, or file, that holds the anchor texts.
LINKINFO_NAME = "linkinfo"

_NONE: Mapping[str, PageSource] = MappingProxyType({})


@contextmanager
def open_inputs(
    names: Sequence[str], linkinfo_name: str = LINKINFO_NAME, fetched: Mapping[str, PageSource] = _NONE
) -> Iterator[list[PageSource]]:
    """Open sources of pages by name, ``-`` for standard input; close them at the end.

    :param linkinfo_name: the zip member, or file, that holds the anchor texts; empty: none is read.
    :param fetched: the sources of names that are urls.
    :raises LearningSetError: a source cannot be read.
    """
    from ...storage import open_pages

    with ExitStack() as stack:
        yield [
            fetched.get(name) or stack.enter_context(open_pages(name, linkinfo_name=linkinfo_name))
            for name in names
        ]


@contextmanager
def progress(sources: Sequence[PageSource], what: str) -> Iterator[Iterable[Page]]:
    """Give the pages of all sources in order, with a progress bar if standard error is a terminal.

    The bar stays until the block ends, and log messages appear above it.
    """
    from tqdm import tqdm
    from tqdm.contrib.logging import logging_redirect_tqdm

    counts = [source.count() for source in sources] if sys.stderr.isatty() else [None]
    total = None if None in counts else sum(filter(None, counts))
    pages = (page for source in sources for page in source)
    # The redirection would log to the terminal even with --nolog or --logfile.
    to_terminal = any(getattr(handler, "stream", None) is sys.stderr for handler in logging.root.handlers)
    redirected = logging_redirect_tqdm() if to_terminal else nullcontext()
    # tqdm's thread that watches for stalled bars would keep workers from being forked.
    tqdm.monitor_interval = 0
    with redirected, tqdm(pages, what, total, unit=" pages", leave=False, miniters=1, disable=None) as bar:
        yield bar


def note(line: str) -> None:
    """Write a line to standard error, above the progress bar if there is one."""
    from tqdm import tqdm

    tqdm.write(printable(line), file=sys.stderr)


# --- Tell what a file is that somebody has named, so that a mistake can be answered with what is right

PATTERNS = "a pattern file"
_ARTICLES = "a file of articles"
#: The mark of a SQLite file stands here in its header.
_MARK = slice(68, 72)
_MARKS = {
    b"WSTP": PATTERNS,
    b"WSTM": "a learning set",
    b"WSTU": "a URLDB",
    b"WSTS": "a file of segments",
}
_SAMPLE = 1 << 16


def kind_of(name: str) -> str:
    """Return what a file is, in words; empty if that is unknown. Cost: its beginning is read."""
    from ...classic.pat_files import is_classic
    from ...patterns.pattern_file import CLASSIC_SUFFIX, FORMAT
    from ...storage.source import SQLITE_MAGIC, ZIP_MAGICS, looks_like_html

    try:
        if Path(name).is_dir():
            return "a folder"
        with Path(name).open("rb") as stream:
            head = stream.read(_SAMPLE)
    except (OSError, ValueError):
        return ""
    if head.startswith(SQLITE_MAGIC):
        return _MARKS.get(head[_MARK], "")
    if head.startswith(ZIP_MAGICS):
        return "a zip"
    if head.startswith(b"WARC/"):
        return "a WARC file"
    # patterns of 2009 begin like many a text, so their name counts as well
    is_old = Path(name).suffix.lower() == CLASSIC_SUFFIX and is_classic(head)
    if is_old or f'"{FORMAT}"'.encode() in head[:200]:
        return PATTERNS
    if _begins_with_article(head):
        return _ARTICLES
    return "a page" if looks_like_html(head) else ""


def _begins_with_article(head: bytes) -> bool:
    try:
        row = json.loads(head.lstrip(b"[ \r\n").partition(b"\n")[0].rstrip(b", \r"))
    except (ValueError, RecursionError):
        return False
    return isinstance(row, dict) and {"url", "text"} <= row.keys()


def split_patterns(args: Sequence[str], settings: BaseSettings | None) -> tuple[str, list[str], bool]:
    """Return the pattern file and the inputs of a command line, and whether the file is the project's.

    :param args: a pattern file and inputs. Without a pattern file, that of the project is taken.
    :raises UsageError: there is none, or what stands in its place is something else.
    """
    if not args or args[0] == "-":
        check_patterns(args)
    first, others = args[0], list(args[1:])
    kind = "" if is_url(first) else kind_of(first)
    if kind == PATTERNS:
        return first, others, False
    later = next((one for one in others if not is_url(one) and kind_of(one) == PATTERNS), None)
    if later is not None:
        raise UsageError(f"{first}: is {kind or 'no pattern file'}; the pattern file, {later}, comes first")
    if is_url(first) or (kind and kind != _ARTICLES):
        if own := _patterns_of_project(settings):
            return own, list(args), True
        where = f"{first}: give a pattern file before it" + (f", since this is {kind}" if kind else "")
        raise UsageError(f"{where}; the settings name none that is there ({setting_name('patterns')})")
    if kind:
        raise UsageError(f"{first}: is {kind}, not a pattern file; `scrapy analyze INPUT -o FILE` makes one")
    check_patterns(args)
    return first, others, False


def _patterns_of_project(settings: BaseSettings | None) -> str | None:
    """Return the only pattern file that the project's settings name, if it is there."""
    if settings is None:
        return None
    named = WebstemmerSettings.from_settings(settings).patterns
    return named[0] if len(named) == 1 and "%(" not in named[0] and Path(named[0]).exists() else None


def check_pages(inputs: Sequence[str], *, urls: bool = False) -> None:
    """Refuse inputs that are something else than pages, and say what they are.

    :param urls: an input may be a url, which is fetched.
    :raises UsageError: an input is missing or has no pages, or standard input is named twice.
    """
    check_inputs(inputs, urls=urls)
    for name in inputs:
        if name != "-" and not is_url(name) and (kind := kind_of(name)) in (PATTERNS, _ARTICLES):
            raise UsageError(f"{name}: is {kind}, and has no pages")


# --- Write what `scrapy extract` gives: JSON lines, the text of 2009 or Markdown, to a file or a stream


def output_format(name: str, wanted: str | None) -> str:
    """Return the format to write: the one asked for, else that of the file's name, else JSON lines.

    :raises UsageError: the file's name ends in ``.json``, and no format is asked for.
    """
    if wanted is not None:
        return wanted
    suffix = Path(name).suffix.lower()
    if suffix == ".json":
        raise UsageError(f"{name}: the output is one JSON object a line: call it .jsonl")
    return {".txt": "text", ".md": "markdown"}.get(suffix, "jsonl")


def check_encoding(name: str) -> None:
    """Refuse an unknown charset. Raises UsageError."""
    try:
        "".encode(name)
    except (LookupError, ValueError):
        raise UsageError(f"--output-encoding {name}: is not a known charset") from None


@contextmanager
def open_output(name: str, encoding: str) -> Iterator[TextIO]:
    """Open the output file, or standard output for ``-``.

    The file takes its name when all is written. If the block raises, an earlier file of that name stays as it
    was. A character that the encoding lacks becomes a question mark.
    """
    from ...base.files import replacing

    if name == "-":
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding=encoding, errors="replace", newline="\n")
        yield sys.stdout
        return
    with replacing(name) as stream:
        text = TextIOWrapper(stream, encoding=encoding, errors="replace", newline="\n")
        yield text
        text.flush()
        text.detach()


def json_line(page: Page, article: Article | None, encoding: str) -> str:  # noqa: ARG001 - one signature for all
    """Return an article as one line of JSON without its sections, or nothing if the page gave none."""
    return "" if article is None else _json(article, encoding, sections=False)


def json_line_with_sections(page: Page, article: Article | None, encoding: str) -> str:  # noqa: ARG001 - as above
    """Return the same with the article's sections, which have the text once more."""
    return "" if article is None else _json(article, encoding, sections=True)


def _json(article: Article, encoding: str, *, sections: bool) -> str:
    item = ItemAdapter(ArticleItem.from_article(article, sections=sections)).asdict()
    left_out = {*(() if sections else ("sections",)), *(() if article.metadata else METADATA_FIELDS)}
    left_out.update(("comments",) if article.comments is None else ())
    item = {name: value for name, value in item.items() if name not in left_out}
    ascii_only = not codecs.lookup(encoding).name.startswith("utf")
    return json.dumps(item, ensure_ascii=ascii_only) + "\n"


def text_record(page: Page, article: Article | None, encoding: str) -> str:  # noqa: ARG001 - one signature for all
    """Return what Webstemmer 0.7.1 prints about a page: matched or not, pattern, title and sections.

    The page has the name that its source gives it, that of a zip's member or of a file, else its url.
    """
    name = one_line(page.name or page.url)
    if article is None:
        return f"!UNMATCHED: {name}\n\n"
    lines = [f"!MATCHED: {name}", f"PATTERN: {one_line(article.pattern)}"]
    if article.title and all(section.kind != "title" for section in article.sections):
        lines.append(f"TITLE: {one_line(article.title)}")  # the title stands outside the blocks
    for number, section in enumerate(article.sections):
        lines.extend(_section_lines(number if section.number is None else section.number, section))
    return "\n".join(lines) + "\n\n"


def _section_lines(number: int, section: ArticleSection) -> Iterator[str]:
    label = "TITLE" if section.kind == "title" else f"{section.kind.upper()}-{number}"
    for line in section.text.split("\n"):
        if text := one_line(line):
            yield f"{label}: {text}"


def markdown_record(page: Page, article: Article | None, encoding: str) -> str:  # noqa: ARG001 - as above
    """Return an article as Markdown, with its url and a rule at the end, or nothing if the page gave none."""
    from ...article.inline import shown_url

    if article is None:
        return ""
    date = f"{article.date}, " if article.date else ""
    title, _, text = (article.markdown or "").partition("\n\n")
    if not article.title:
        title, text = "", article.markdown or ""
    return "\n\n".join(filter(None, (title, f"{date}{shown_url(article.url)}", text, "---"))) + "\n\n"


#: The output formats by name. Each function returns the record of a page and its article, if it gave one.
FORMATS: dict[str, Callable[[Page, Article | None, str], str]] = {
    "jsonl": json_line,
    "text": text_record,
    "markdown": markdown_record,
}
