"""Make the record of an article: a JSON line, the text of 2009, or Markdown."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from ..base.file_names import file_name_of
from ..base.terminal import one_line
from ..items import values_of

if TYPE_CHECKING:
    from ..values import Article, ArticleSection, Page

#: Returns the record of a page and its article, if it gave one, in a charset.
Record: TypeAlias = "Callable[[Page, Article | None, str], str]"


def json_line(page: Page, article: Article | None, encoding: str) -> str:  # noqa: ARG001 - one signature for all
    """Return an article as one line of JSON with no sections, or nothing if the page gave none."""
    return "" if article is None else _json(article, encoding, sections=False)


def json_line_with_sections(page: Page, article: Article | None, encoding: str) -> str:  # noqa: ARG001 - as above
    """Return the same with the article's sections, which have the text once more."""
    return "" if article is None else _json(article, encoding, sections=True)


def _json(article: Article, encoding: str, *, sections: bool) -> str:
    ascii_only = not codecs.lookup(encoding).name.startswith("utf")
    return json.dumps(values_of(article, sections=sections), ensure_ascii=ascii_only) + "\n"


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


def markdown_record(
    page: Page,  # noqa: ARG001 - as above
    article: Article | None,
    encoding: str,  # noqa: ARG001 - as above
    *,
    front_matter: bool = False,
    named: bool = False,
) -> str:
    """Return an article as Markdown, with its url and a rule at the end, or nothing if the page gave none.

    :param front_matter: it begins with what is known of it as YAML, and has neither the url nor the rule.
    :param named: a line with the name of the article's file comes first, and there is no rule.
    """
    from ..extraction.markdown_signs import shown_url

    if article is None:
        return ""
    title, _, text = (article.markdown or "").partition("\n\n")
    if not article.title:
        title, text = "", article.markdown or ""
    date = f"{article.date}, " if article.date else ""
    url = "" if front_matter else f"{date}{shown_url(article.url)}"
    parts = [_front_matter(article) if front_matter else "", title, url, text]
    content = "\n\n".join(filter(None, [*parts, "" if front_matter or named else "---"]))
    return f"{file_name_of(article.url)}\n{content}\n" if named else f"{content}\n\n"


def _front_matter(article: Article) -> str:
    """Return title, url, page type, date, authors and tags of an article as YAML, between two rules."""
    values = values_of(article)
    stated = {
        "title": values["title"],
        "url": values["url"],
        "page_type": article.page_type,
        "date": values["date"],
        "authors": [one["name"] for one in values["authors"] or ()],
        "tags": values["tags"],
    }
    known = (f"{name}: {_yaml(one)}" for name, one in stated.items() if one or name in ("title", "url"))
    return "\n".join(("---", *known, "---"))


#: Characters that JSON leaves as they are, and YAML does not allow; and the separators of lines and
#: paragraphs, which end a line for older readers.
_NOT_IN_YAML = re.compile(
    r"[^\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)


def _yaml(value: str | list[str]) -> str:
    """Return a text as a double-quoted one of YAML, or several in brackets."""
    return _NOT_IN_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


#: The output formats by name. Each function returns the record of a page and its article, if it gave one.
FORMATS: dict[str, Record] = {
    "jsonl": json_line,
    "text": text_record,
    "markdown": markdown_record,
}
