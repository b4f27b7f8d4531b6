"""Cleaned HTML as Markdown, in the dialect of GitHub.

There are three steps. HTML becomes a tree of what Markdown can say (``html_tree.py``); the tree becomes text
with marks for what is markup; and the marks become the signs of Markdown (``markdown_signs.py``).
"""

# ruff: noqa: ARG002 - markdownify passes all arguments to each method

from __future__ import annotations

import re
from html import escape
from typing import Any

from markdownify import MarkdownConverter

from ..page.text import TAG
from .html_tree import code_text, markdown_tree
from .markdown_signs import (
    CODE,
    DELETED,
    EMPHASIS,
    IMAGE_SIGN,
    LINE,
    STRONG,
    TARGET,
    autolink,
    finished,
    source,
    target,
)

#: Bound: markdown is shorter than its HTML, but for the signs before the lines of quotations and lists. If
#: it is so many times as long, at most so many of these are written in each other.
_LONGER, _FEW = 3, 3
#: Several line breaks: in emphasis or a link they would end the paragraph.
_BREAKS = re.compile(r"(?<![ \t])(?:[ \t]*\n){2,}[ \t]*")
#: The beginning of a line that would be an item of a list.
_NUMBER = re.compile(r"^([0-9]{1,9})(?=[.)](?:[ \t]|$))", re.MULTILINE)
#: The same, or a heading, a quotation or a fence, or a line that underlines a heading or the head of a table.
_LINE_START = re.compile(
    r"^(?=[-+](?:[ \t]|$)|>|~~~|#{1,6}(?:[ \t]|$)|=+[ \t]*$|[|: \t]*-[|:\- \t]*$)", re.MULTILINE
)
#: What means something wherever it stands: a backslash, the signs of code, emphasis and links, and those of
#: HTML where a name follows. The latter, and an underscore or a tilde, also where the text may go on in
#: another element: an underscore within a word is no emphasis, nor is a tilde that only begins something.
_SIGNS = re.compile(
    r"[\\`*\[\]]|<(?=[a-z/!?]|$)|&(?=#?\w*(?:;|$))|(?<![^\W_])_|_(?![^\W_])|(?<!\s)~", re.IGNORECASE
)
_INDENTS, _SPACES = re.compile(r"\n[ \t]+"), re.compile(r"\s+")
_BACKTICKS = re.compile("`+")
_CLOSING_HASHES = re.compile(r"((?:^|[ \t]))(?=#+$)")
_HEADING_TAG = re.compile("<(/?)h([1-5])>")
#: Lists that may follow a line of text directly.
_INTERRUPTS = re.compile(r"(?:-|1\.) ")
_BEFORE_LINE = re.compile(r"\n(?=[^\n])")


class _Converter(MarkdownConverter):  # type: ignore[misc]
    """markdownify's walk through a tree, with its own way to write what is met there.

    Each method returns an element as Markdown, given its content as Markdown. ``parent_tags`` are the names
    of the elements around it. ``_inline`` among them says that no line may end here, ``_noformat`` that this
    is code.
    """

    def escape(self, text: str, parent_tags: Any) -> str:
        """Return text none of whose signs is taken for markup within a line; people read the others, too."""
        text = _SIGNS.sub(r"\\\g<0>", text)
        return text.replace("|", "\\|") if {"td", "th"} & parent_tags else text

    def convert_p(self, el: Any, text: str, parent_tags: Any) -> str:
        """Write a paragraph, none of whose lines begins anything else."""
        if "_inline" in parent_tags:
            return f" {text.strip()} "
        text = _paragraph(text)
        return f"\n\n{text}\n\n" if text else ""

    convert_figcaption = convert_address = convert_summary = convert_p

    def convert_item_text(self, el: Any, text: str, parent_tags: Any) -> str:
        """Write the text of an item of a list; a list may follow without an empty line."""
        return f" {text.strip()} " if "_inline" in parent_tags else f"\n{_paragraph(text)}\n"

    convert_figure = convert_details = MarkdownConverter.convert_div

    def convert_hN(self, n: int, el: Any, text: str, parent_tags: Any) -> str:  # noqa: N802 - markdownify's
        """Write a heading; none in a cell of a table."""
        if "_inline" in parent_tags:
            return f" {text} "
        text = _CLOSING_HASHES.sub(r"\1\\", " ".join(text.split()))
        return f"\n\n{'#' * n} {text}\n\n" if text else ""

    def convert_br(self, el: Any, text: str, parent_tags: Any) -> str:
        """Write a line break; a space where no line may end."""
        return " " if {"_inline", "_noformat"} & parent_tags else "  \n"

    def convert_blockquote(self, el: Any, text: str, parent_tags: Any) -> str:
        """Write a quotation with its sign before each line."""
        text = text.strip()
        if "_inline" in parent_tags:
            return f" {text} "
        quoted = "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))
        return f"\n\n{quoted}\n\n" if text else ""

    def convert_list(self, el: Any, text: str, parent_tags: Any) -> str:
        """Write a list; after the text of an item it needs an empty line if it does not begin at 1."""
        text = text.strip("\n")
        before = "\n" if "li" in parent_tags and _INTERRUPTS.match(text) else "\n\n"
        return f"{before}{text}\n\n" if text else ""

    convert_ul = convert_ol = convert_list

    def convert_li(self, el: Any, text: str, parent_tags: Any) -> str:
        """Write an item of a list, its lines indented under its text."""
        bullet = f"{el['value']}. " if el.get("value") else "- "
        text = _indented(text.strip(), len(bullet))
        return f"{bullet}{text}\n" if text else "\n"

    def convert_dt(self, el: Any, text: str, parent_tags: Any) -> str:
        """Write a term on a line of its own."""
        text = " ".join(_paragraph(text).split())
        return f" {text} " if "_inline" in parent_tags else f"\n\n{text}\n" if text else ""

    def convert_dd(self, el: Any, text: str, parent_tags: Any) -> str:
        """Write what a term means below it."""
        text = _indented(_paragraph(text), len(":   "))
        if "_inline" in parent_tags:
            return f" {text} "
        return f"\n:   {text}\n" if text else ""

    def convert_pre(self, el: Any, text: str, parent_tags: Any) -> str:
        """Write a listing in a fence of more backticks than it has; in a cell of a table as code."""
        code = el.get_text()
        if "_inline" in parent_tags:
            return f" {_code(code, parent_tags)} "
        fence = "`" * max(3, 1 + max(map(len, _BACKTICKS.findall(code)), default=0))
        lines = "\n".join(line.join(LINE) for line in code.split("\n"))
        return f"\n\n{fence}{_language_of(el)}\n{lines}\n{fence}\n\n"

    def convert_code(self, el: Any, text: str, parent_tags: Any) -> str:
        """Write code within a line, as it is."""
        return text if "_noformat" in parent_tags else _code(code_text(el), parent_tags)

    convert_kbd = convert_samp = convert_code

    def convert_em(self, el: Any, text: str, parent_tags: Any) -> str:
        """Write emphasis, strong emphasis or a deletion; one in another of its kind says nothing new."""
        marks, kind = _EMPHASES[el.name]
        if kind & parent_tags or "_noformat" in parent_tags:
            return text
        if marks is DELETED and "~~" in text:  # in code or a target, where some renderers take it for the end
            return _around(text, "<del>", "</del>")
        return _around(text, *marks)

    convert_i = convert_b = convert_strong = convert_del = convert_s = convert_em

    def convert_sub(self, el: Any, text: str, parent_tags: Any) -> str:
        """Write what Markdown has no signs for as HTML."""
        return text if "_noformat" in parent_tags else _around(text, f"<{el.name}>", f"</{el.name}>")

    convert_sup = convert_sub

    def convert_a(self, el: Any, text: str, parent_tags: Any) -> str:
        """Write a link so that nothing in its target ends it; where its text is the target, that alone."""
        href = el.get("href", "")
        if not href or "_noformat" in parent_tags:
            return text
        if el.string == href and (link := autolink(href)):
            return link.join(TARGET)
        return _around(text, "[", f"]({target(href).join(TARGET)})")

    def convert_img(self, el: Any, text: str, parent_tags: Any) -> str:
        """Write an image so that nothing in its target and text ends them."""
        alt = self.escape(" ".join(el.get("alt", "").split()), parent_tags)
        return f"{IMAGE_SIGN}[{alt}]({target(el['src']).join(TARGET)})"

    def convert_td(self, el: Any, text: str, parent_tags: Any) -> str:
        """Write a cell on one line."""
        return f" {' '.join(text.split())}" + " |" * max(1, int(el.get("colspan", 1)))

    convert_th = convert_td


def _language_of(listing: Any) -> str:
    """Return the language of a listing; empty: it is not known."""
    return " ".join(listing.get("class") or ()).removeprefix("language-")


_EMPHASES = {
    tag: (marks, {tag, other})
    for marks, pair in ((EMPHASIS, ("em", "i")), (STRONG, ("b", "strong")), (DELETED, ("del", "s")))
    for tag, other in (pair, pair[::-1])
}


def _paragraph(text: str) -> str:
    """Return text none of whose lines begins a list or a heading."""
    text = _INDENTS.sub("\n", text.strip(" \t\r\n"))
    return _LINE_START.sub(r"\\", _NUMBER.sub(r"\1\\", text))


def _indented(text: str, width: int) -> str:
    """Return text with all lines but the first one indented."""
    return _BEFORE_LINE.sub("\n" + " " * width, text)


def _around(text: str, before: str, after: str) -> str:
    """Return text with something before and after it, all within its white space; nothing around nothing."""
    inner = text.strip()
    if not inner:
        return text
    first, _, last = text.partition(inner)
    inner = _BREAKS.sub("  \n", inner)
    return f"{first}{before}{inner}{after}{last}"


def _code(code: str, parent_tags: set[str]) -> str:
    """Return code within its marks; in a cell of a table its bars divide nothing."""
    if {"td", "th"} & parent_tags:
        code = code.replace("|", "\\|")
    return _around(_SPACES.sub(" ", code), *CODE)


_CONVERTER = _Converter(table_infer_header=True)


def as_markdown(html: str) -> str:
    """Return cleaned HTML (:func:`~.article_html.render`) as Markdown.

    The first row of a table is its head. A caption stands before its table. Code is
    fenced. Text that is nested too deep to convert is written as paragraphs.

    Quotations and lists write signs before each of their lines. If these are most of the text, only the
    outermost are written.

    Cost: one parse by Beautiful Soup, and one visit of each element, in pure Python; twice this if most of
    the text would be such signs.
    """
    html = source(html)
    try:
        text = _CONVERTER.convert_soup(markdown_tree(html))
        if len(text) > _LONGER * len(html):
            text = _CONVERTER.convert_soup(markdown_tree(html, _FEW))
    except RecursionError:
        lines = filter(str.strip, TAG.sub("\n", html).split("\n"))
        text = _CONVERTER.convert_soup(markdown_tree("".join(f"<p>{line}</p>" for line in lines)))
    return finished(text).strip("\n")


def heading(title: str) -> str:
    """Return a title as a heading of the first level; empty if the title is empty."""
    return as_markdown(f"<h1>{escape(title, quote=False)}</h1>") if title else ""


def document(title: str, html: str) -> str:
    """Return a title as a heading of the first level, and cleaned HTML below it.

    From its first heading of that level on, all headings of the HTML are one level lower.
    """
    first = html.find("<h1>")
    if title and first >= 0:
        html = html[:first] + _HEADING_TAG.sub(lambda tag: f"<{tag[1]}h{int(tag[2]) + 1}>", html[first:])
    return "\n\n".join(filter(None, (heading(title), as_markdown(html))))
