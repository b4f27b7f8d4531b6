"""Write cleaned HTML as Markdown, in the dialect of GitHub. Needs the extra ``markdown``."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from markdownify import MarkdownConverter

__all__ = ["as_markdown", "heading"]

_BLANK_LINES = re.compile(r"\n{3,}")
_FENCED = re.compile(r"(^(?P<fence>`{3,})\n.*?^(?P=fence)$)", re.MULTILINE | re.DOTALL)
_CAPTION = re.compile(r"<table><caption>(.*?)</caption>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_PIPE = re.compile(r"(?<!\\)\|")
#: Characters that would end the target of a link, with their escapes.
_TARGET = str.maketrans({" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E"})


class _Converter(MarkdownConverter):  # type: ignore[misc]
    """markdownify's converter, which here also escapes characters that would be read as markup."""

    def convert_pre(self, el: Any, text: str, parent_tags: Any) -> str:  # noqa: ARG002 - markdownify passes all
        """Put code in a fence that has more backticks than any run of backticks in the code."""
        longest = max(map(len, re.findall("`+", text)), default=0)
        fence = "`" * max(3, longest + 1)
        code = text.strip("\n")
        return f"\n\n{fence}\n{code}\n{fence}\n\n" if code else ""

    def convert_td(self, el: Any, text: str, parent_tags: Any) -> str:  # noqa: ARG002 - as above
        """Keep a cell on one line, and escape bars that would divide it."""
        cells = max(1, int(el.get("colspan", 1)))
        return " " + _PIPE.sub(r"\|", " ".join(text.split())) + " |" * cells

    convert_th = convert_td

    def convert_a(self, el: Any, text: str, parent_tags: Any) -> str:
        """Escape what would end a link's target."""
        el["href"] = el["href"].translate(_TARGET)
        return str(super().convert_a(el, text, parent_tags))

    def convert_img(self, el: Any, text: str, parent_tags: Any) -> str:  # noqa: ARG002 - as above
        """Escape what would end an image's target or text."""
        alt = self.escape(" ".join(el.get("alt", "").split()), parent_tags)
        return f"![{alt}]({el['src'].translate(_TARGET)})"


_CONVERTER = _Converter(
    heading_style="atx",
    bullets="-",
    escape_misc=True,
    table_infer_header=True,
    sub_symbol="<sub>",
    sup_symbol="<sup>",
)


def as_markdown(html: str) -> str:
    """Return cleaned HTML (:func:`~.render.render`) as Markdown.

    The first row of a table is its head. A caption stands before its table. Code is
    fenced. Text that is nested too deep to convert is written as paragraphs.

    Cost: one parse by Beautiful Soup, and one visit of each element, in pure Python.
    """
    try:
        text = str(_CONVERTER.convert(_CAPTION.sub(r"<p>\1</p><table>", html)))
    except RecursionError:
        lines = filter(str.strip, _TAG.sub("\n", html).split("\n"))
        text = str(_CONVERTER.convert("".join(f"<p>{line}</p>" for line in lines)))
    found, end = [], 0
    for code in _FENCED.finditer(text):  # code keeps its empty lines
        found += [_BLANK_LINES.sub("\n\n", text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*found, _BLANK_LINES.sub("\n\n", text[end:])]).strip("\n")


def heading(title: str) -> str:
    """Return a title as a heading of the first level; empty if the title is empty."""
    return as_markdown(f"<h1>{escape(title, quote=False)}</h1>") if title else ""
