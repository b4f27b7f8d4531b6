"""Cleaned HTML as a tree with nothing in it but what Markdown can say.

Markdown knows paragraphs, lists, quotations, fenced listings, and tables whose cells are one line each. So

- a table with a single cell, or with a table or a listing in a cell, comes as the contents of its cells;
- a listing beside a column of line numbers comes without the numbers;
- a listing comes as its text alone;
- text beside a block-level element becomes a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from bs4 import BeautifulSoup, NavigableString, PageElement, Tag

_HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
#: Elements that are one paragraph.
_PARAGRAPHS = _HEADINGS | frozenset("p dt dd figcaption address summary".split())
#: Elements that hold paragraphs and others.
_HOLDERS = frozenset("div ul ol dl li blockquote figure details".split())
_CELLS = frozenset({"td", "th"})
_TABLE = _CELLS | frozenset({"table", "caption", "tr"})
_BLOCKS = _PARAGRAPHS | _HOLDERS | _TABLE | {"pre"}
#: Elements that write something before each of their lines, each with those that are parts of it.
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
            paragraph = soup.new_tag("item-text" if holder.name == "li" else "p")
            texts[0].insert_before(paragraph)
            paragraph.extend(texts)
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
        for part in [element, *(inner for inner in _elements(element) if inner.name in parts)]:
            part.name = "div"


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
        table.attrs = _inside(table, {"pre"})[-1].attrs
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
    return bool(_inside(code, {"pre"}))


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
        if any(isinstance(inner, Tag) or str(inner).strip() for inner in run):
            yield run
        run = []


def _number_items(ordered: Tag) -> None:
    """Write the number of each item of a list to the item."""
    items = [element for element in _elements(ordered) if element.name == "li"]
    for number, item in enumerate(items, int(str(ordered.get("start", 1)))):
        item["value"] = str(number)
