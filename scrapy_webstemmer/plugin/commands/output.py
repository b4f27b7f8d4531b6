"""Write what `scrapy extract` gives: JSON lines, the text of 2009 or Markdown, to a file or a stream."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from itemadapter import ItemAdapter
from scrapy.exceptions import UsageError

from ...articles.signs import shown_url
from ...base.atomic import replacing
from ...items import ArticleItem
from .terminal import one_line

if TYPE_CHECKING:
    from ...values.articles import Article, ArticleSection
    from ...values.pages import Page


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
    if not sections:
        del item["sections"]
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
