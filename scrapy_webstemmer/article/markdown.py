"""Articles as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from html import escape
from typing import Any

from bs4 import BeautifulSoup, NavigableString, PageElement, Tag
from markdownify import MarkdownConverter

from .inline import (
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

# --- Cleaned HTML as a tree with nothing in it but what Markdown can say
#
# Markdown knows paragraphs, lists, quotations, fenced listings, and tables whose cells are one line each. So
#
# - a table with a single cell, or with a table or a listing in a cell, comes as the contents of its cells;
# - a listing beside a column of line numbers comes without the numbers;
# - a listing comes as its text alone;
# - text beside a block-level element becomes a paragraph.

_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
#: Elements that are one paragraph.
_PARAGRAPHS = _HEADINGS | frozenset("p dt dd figcaption address summary".split())
#: Elements that hold paragraphs and others.
_HOLDERS = frozenset("div ul ol dl li blockquote figure details".split())
_CELLS = frozenset({"td", "th"})
_TABLE = _CELLS | frozenset({"table", "caption", "tr"})
_BLOCKS = _PARAGRAPHS | _HOLDERS | _TABLE | {"pre"}
#: Elements that write something before each of their lines, each with those that are parts of it; at most so
#: many of them are written in each other.
_INDENTED = {"blockquote": (), "ul": ("li",), "ol": ("li",), "dl": ("dt", "dd")}
#: Bound: so many quotations and lists are written in each other.
_DEEPEST = 20
#: Bound: a cell counts for at most so many columns: each of them is a bar in Markdown.
_WIDEST = 20
#: Ends of lines for Python or for a browser; for Markdown only the last two are.
_LINE_ENDS = re.compile("\r\n|[\v\f\x1c-\x1e\x85\u2028\u2029\r\n]")


def markdown_tree(html: str, deepest: int = _DEEPEST) -> BeautifulSoup:
    """Return cleaned HTML as a tree with nothing in it but what Markdown can say.

    :param deepest: so many quotations and lists may stand in each other. Deeper text stands in the last of
        them.

    Cost: a parse by Beautiful Soup, and a few looks at each element.
    """
    soup = BeautifulSoup(html, "html.parser")
    _flatten(soup, deepest)
    if "<table" in html:
        tables = _inside(soup, {"table"})
        frames = {id(table.find_parent("table")) for table in tables}
        for table in tables:
            _simplify_table(table, is_frame=id(table) in frames)
        for part in _inside(soup, _TABLE - {"table"}):
            if part.find_parent("table") is None:
                part.name = "div"
    if "<pre" in html:
        listings = [pre for pre in _inside(soup, {"pre"}) if pre.find_parent("pre") is None]
        for listing in listings:  # each has what is in it: one within it needs no look of its own
            listing.string = "\n".join(_lines(listing))
    if _LINE_ENDS.search(html):
        for text in soup.find_all(string=_LINE_ENDS):
            text.replace_with(NavigableString(_LINE_ENDS.sub("\n", text)))
    _simplify_paragraphs(soup)
    for holder in [soup, *_inside(soup, _HOLDERS)]:
        for texts in list(_texts(holder)):
            _wrap(texts, soup.new_tag("item-text" if holder.name == "li" else "p"))
    for ordered in _inside(soup, {"ol"}):
        _number_items(ordered)
    return soup


def _flatten(soup: Tag, deepest: int) -> None:
    """Make parts of the page of quotations and lists that are nested too deep."""
    depths: dict[int, int] = {}  # for each element, the number of these around its content
    flat: list[tuple[Tag, Sequence[str]]] = []
    for element in soup.descendants:
        if isinstance(element, Tag):
            depth = depths.get(id(element.parent), 0)
            if element.name in _INDENTED:
                depth += 1
                if depth > deepest:
                    flat.append((element, _INDENTED[element.name]))
            depths[id(element)] = depth
            if "colspan" in element.attrs:
                element["colspan"] = str(min(int(str(element["colspan"])), _WIDEST))
    for element, parts in flat:
        for one in [element, *(part for part in _elements(element) if part.name in parts)]:
            one.name = "div"


def code_text(code: Tag) -> str:
    """Return the text of code within a line, with the white space around it; a line break is a space."""
    return "".join(_pieces(code))


def _simplify_table(table: Tag, is_frame: bool) -> None:
    """Make a listing of a table that is one, and contents of its cells of one that Markdown cannot say.

    :param is_frame: whether there is a table in it.
    """
    rows = [element for element in _elements(table) if element.name == "tr"]
    cells = [list(_elements(row)) for row in rows]
    if rows and not is_frame and all(map(_is_listing, cells)):
        listings = [pre for _, code in cells for pre in _inside(code, {"pre"})]
        table.attrs = next((pre.attrs for pre in listings if pre.attrs), {})
        table.name, table.string = "pre", "\n".join(line for _, code in cells for line in _lines(code))
    elif not is_frame and _is_grid(table, rows):
        for caption in _inside(table, {"caption"}):
            caption.name = "p"
            table.insert_before(caption.extract())
    else:
        for part in [table, *_elements(table), *(cell for row in cells for cell in row)]:
            part.name = "div" if part.name in _TABLE - {"table"} or part is table else part.name


def _is_listing(cells: list[Tag]) -> bool:
    """Return whether a row is a part of a listing: a cell with numbers of lines, and one with code."""
    if [cell.name for cell in cells] not in (["td", "td"], ["th", "td"]):
        return False
    numbers, code = cells
    if not "".join(_lines(numbers)).replace(" ", "").isdigit():
        return False
    return bool(_inside(code, {"pre"})) or code.find_parent("pre") is not None


def _is_grid(table: Tag, rows: list[Tag]) -> bool:
    """Return whether a table has rows of cells and nothing else, and no cell several lines of code."""
    parts = [part for part in _elements(table) if part.name not in ("tr", "caption")]
    cells = [cell for row in rows for cell in _elements(row)]
    return (
        len(cells) > 1
        and not parts
        and all(cell.name in _CELLS for cell in cells)
        and not any(_has_text(element) for element in (table, *rows))
        and not any(len(_lines(pre)) > 1 for pre in _inside(table, {"pre"}))
    )


def _lines(element: Tag) -> list[str]:
    """Return the lines of preformatted text, without white space after them and empty ones around them."""
    lines = [line.rstrip() for line in _LINE_ENDS.split("".join(_pieces(element)))]
    return "\n".join(lines).strip("\n").split("\n")


def _pieces(element: Tag) -> Iterator[str]:
    """Yield the text of an element in pieces, with the ends of its lines."""
    last: PageElement = element
    ends_line = True
    for part in element.descendants:
        if isinstance(part, NavigableString):
            block = next(around for around in part.parents if around is element or around.name in _BLOCKS)
            if block is not last and not ends_line:
                yield "\n"
            yield str(part)
            last, ends_line = block, part.endswith("\n")
        elif part.name == "br":
            yield "\n"
        elif part.name == "img":
            yield str(part.get("alt", ""))


def _simplify_paragraphs(soup: Tag) -> None:
    """Make each paragraph that has block-level elements in it an element that may have them.

    Cost: linear; an element knows what is in it from the first one that is looked at.
    """
    holds: dict[int, bool] = {}  # for each element with others in it, whether one of them is no paragraph
    for part in _inside(soup, _BLOCKS):
        other = part.name != "p"
        for around in part.parents:
            if id(around) in holds and holds[id(around)] >= other:
                break
            holds[id(around)] = other
    for element in _inside(soup, _PARAGRAPHS):
        if id(element) not in holds:
            continue
        first = element.contents[0]
        is_only = len(element.contents) == 1 and isinstance(first, Tag) and id(first) not in holds
        if is_only and first.name == "p":
            element.name, first.name = "div", element.name
        elif holds[id(element)] or element.name not in _HEADINGS:
            element.name = "div"


def _inside(element: Tag, names: Set[str]) -> list[Tag]:
    """Return the elements in another one that have certain names; Beautiful Soup's search takes longer."""
    return [part for part in element.descendants if isinstance(part, Tag) and part.name in names]


def _elements(element: Tag) -> Iterator[Tag]:
    return (child for child in element.children if isinstance(child, Tag))


def _has_text(element: Tag) -> bool:
    """Return whether there is text, or an inline element, directly in an element."""
    return next(_texts(element), None) is not None


def _texts(element: Tag) -> Iterator[list[PageElement]]:
    """Yield the runs of text and inline elements directly in an element, but for those of white space."""
    run: list[PageElement] = []
    for child in [*element.children, None]:
        if child is not None and not (isinstance(child, Tag) and child.name in _BLOCKS):
            run.append(child)
            continue
        if any(isinstance(one, Tag) or str(one).strip() for one in run):
            yield run
        run = []


def _wrap(texts: list[PageElement], paragraph: Tag) -> None:
    texts[0].insert_before(paragraph)
    for text in texts:
        paragraph.append(text)


def _number_items(ordered: Tag) -> None:
    """Write the number of each item of a list to the item."""
    items = [element for element in _elements(ordered) if element.name == "li"]
    for number, item in enumerate(items, int(str(ordered.get("start", 1)))):
        item["value"] = str(number)


# --- Cleaned HTML as Markdown, in the dialect of GitHub; needs the extra ``markdown``
#
# There are three steps. HTML becomes a tree of what Markdown can say (:func:`markdown_tree`); the tree
# becomes text with marks for what is markup; and the marks become the signs of Markdown (``inline.py``).

_TAG = re.compile(r"<[^<>]*>")
#: Bound: markdown is shorter than its HTML, but for the signs before the lines of quotations and lists. If
#: it is so many times as long, at most so many of these are written in each other.
_LONGER, _FEW = 3, 3
#: Several line breaks: in emphasis or a link they would end the paragraph.
_BREAKS = re.compile(r"(?<![ \t])(?:[ \t]*\n){2,}[ \t]*")
#: The beginning of a line that would be an item of a list.
_NUMBER = re.compile(r"^([0-9]{1,9})(?=[.)](?:[ \t]|$))", re.MULTILINE)
#: The same, or a heading, or a line that underlines a heading or the head of a table.
_LINE_START = re.compile(r"^(?=-[ \t]|#{1,6}(?:[ \t]|$)|:?-+:?[ \t]*$)", re.MULTILINE)
_INDENTS, _SPACES = re.compile(r"\n[ \t]+"), re.compile(r"\s+")
_BACKTICKS = re.compile("`+")
_CLOSING_HASHES = re.compile(r"((?:^|[ \t]))(?=#+$)")
#: Lists that may follow a line of text directly.
_INTERRUPTS = re.compile(r"(?:-|1\.) ")
_BEFORE_LINE = re.compile(r"\n(?=[^\n])")


class _Converter(MarkdownConverter):  # type: ignore[misc]
    """markdownify's walk through a tree, with its own way to write what is met there.

    Each method returns an element as Markdown, given its content as Markdown. ``parent_tags`` are the names
    of the elements around it. ``_inline`` among them says that no line may end here, ``_noformat`` that this
    is code.
    """

    def convert_p(self, el: Any, text: str, parent_tags: Any) -> str:  # noqa: ARG002 - markdownify passes all
        """Write a paragraph, none of whose lines begins anything else."""
        text = _paragraph(text)
        if "_inline" in parent_tags:
            return f" {text} "
        return f"\n\n{text}\n\n" if text else ""

    convert_figcaption = convert_address = convert_summary = convert_p

    def convert_item_text(self, el: Any, text: str, parent_tags: Any) -> str:  # noqa: ARG002 - as above
        """Write the text of an item of a list; a list may follow without an empty line."""
        text = _paragraph(text)
        return f" {text} " if "_inline" in parent_tags else f"\n{text}\n"

    convert_figure = convert_details = MarkdownConverter.convert_div

    def convert_hN(self, n: int, el: Any, text: str, parent_tags: Any) -> str:  # noqa: ARG002, N802 - as above
        """Write a heading; none in a cell of a table."""
        if "_inline" in parent_tags:
            return f" {text} "
        text = _CLOSING_HASHES.sub(r"\1\\", " ".join(text.split()))
        return f"\n\n{'#' * n} {text}\n\n" if text else ""

    def convert_br(self, el: Any, text: str, parent_tags: Any) -> str:  # noqa: ARG002 - as above
        """Write a line break; a space where no line may end."""
        return " " if {"_inline", "_noformat"} & parent_tags else "  \n"

    def convert_blockquote(self, el: Any, text: str, parent_tags: Any) -> str:  # noqa: ARG002 - as above
        """Write a quotation with its sign before each line."""
        text = text.strip()
        if "_inline" in parent_tags:
            return f" {text} "
        quoted = "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))
        return f"\n\n{quoted}\n\n" if text else ""

    def convert_list(self, el: Any, text: str, parent_tags: Any) -> str:  # noqa: ARG002 - as above
        """Write a list; after the text of an item it needs an empty line if it does not begin at 1."""
        text = text.strip("\n")
        before = "\n" if "li" in parent_tags and _INTERRUPTS.match(text) else "\n\n"
        return f"{before}{text}\n\n" if text else ""

    convert_ul = convert_ol = convert_list

    def convert_li(self, el: Any, text: str, parent_tags: Any) -> str:  # noqa: ARG002 - as above
        """Write an item of a list, its lines indented under its text."""
        bullet = f"{el['value']}. " if el.get("value") else "- "
        text = _indented(text.strip(), len(bullet))
        return f"{bullet}{text}\n" if text else "\n"

    def convert_dt(self, el: Any, text: str, parent_tags: Any) -> str:  # noqa: ARG002 - as above
        """Write a term on a line of its own."""
        text = " ".join(_paragraph(text).split())
        return f" {text} " if "_inline" in parent_tags else f"\n\n{text}\n" if text else ""

    def convert_dd(self, el: Any, text: str, parent_tags: Any) -> str:  # noqa: ARG002 - as above
        """Write what a term means below it."""
        text = _indented(_paragraph(text), len(":   "))
        if "_inline" in parent_tags:
            return f" {text} "
        return f"\n:   {text}\n" if text else ""

    def convert_pre(self, el: Any, text: str, parent_tags: Any) -> str:  # noqa: ARG002 - as above
        """Write a listing in a fence of more backticks than it has; in a cell of a table as code."""
        code = el.get_text()
        if not code.strip():
            return ""
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

    def convert_img(self, el: Any, text: str, parent_tags: Any) -> str:  # noqa: ARG002 - as above
        """Write an image so that nothing in its target and text ends them."""
        alt = self.escape(" ".join(el.get("alt", "").split()), parent_tags)
        return f"{IMAGE_SIGN}[{alt}]({target(el['src']).join(TARGET)})"

    def convert_td(self, el: Any, text: str, parent_tags: Any) -> str:  # noqa: ARG002 - as above
        """Write a cell on one line."""
        return f" {' '.join(text.split())}" + " |" * max(1, int(el.get("colspan", 1)))

    convert_th = convert_td


def _language_of(listing: Any) -> str:
    """Return the language of a listing; empty: it is not known."""
    classes = " ".join(listing.get("class") or ())
    return classes.removeprefix("language-") if classes.startswith("language-") else ""


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


_CONVERTER = _Converter(escape_misc=True, table_infer_header=True)


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
        lines = filter(str.strip, _TAG.sub("\n", html).split("\n"))
        text = _CONVERTER.convert_soup(markdown_tree("".join(f"<p>{line}</p>" for line in lines)))
    return finished(text).strip("\n")


def heading(title: str) -> str:
    """Return a title as a heading of the first level; empty if the title is empty."""
    return as_markdown(f"<h1>{escape(title, quote=False)}</h1>") if title else ""
