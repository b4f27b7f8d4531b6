"""Write blocks of a page as cleaned HTML: only the elements of running text, no scripts or styles."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from html import escape, unescape
from types import MappingProxyType
from typing import Final, TypeAlias

from ..page.markup import attributes_of, markup_of
from ..page.tags import HEADINGS, TEXT_TAGS
from ..page.text import fold, fold_lines
from ..site.subtrees import any_in, children_of, ends_of
from ..values import Column, Layout, Markup
from .inline import inline_html

_CELLS = ("td", "th")
#: Attributes that belong to the structure; their values are small numbers.
_KEPT_ATTRIBUTES = {"td": ("colspan", "rowspan"), "th": ("colspan", "rowspan"), "ol": ("start",)}
#: For each part of a list, table or the like, the elements that it may be a part of.
_WHOLES = {
    "li": {"ul", "ol"},
    "dt": {"dl"},
    "dd": {"dl"},
    "tr": {"table"},
    "td": {"tr"},
    "th": {"tr"},
    "caption": {"table"},
    "figcaption": {"figure"},
    "summary": {"details"},
}
#: Elements of which the elements around them tell whether they are written.
_PLACED = HEADINGS.union(_WHOLES)
#: What holds anything in some pages' frames.
_ITEMS = frozenset("li dd td th".split())
_WITH_ATTRIBUTES = frozenset({*_KEPT_ATTRIBUTES, "pre"})
_NUMBER = re.compile(r"[0-9]{1,3}")
#: How classes name the language of a listing: those of the HTML Standard and of the usual highlighters.
_LANGUAGES = re.compile(
    r"(?:^|\s)(?:(?:language|lang|brush|highlight-source|src\s+src)(?:-|:\s*)([\w+#.-]+)"
    r"|highlight-([\w+#.-]+)\s+notranslate|(?:sourceCode|hljs|^highlight)\s+([a-z][\w+#.]*)$)",
    re.IGNORECASE,
)
#: How attributes do, and what is the name of a language.
_LANGUAGE_NAME = re.compile(r"data-(?:[a-z]+-)*lang(?:uage)?")
_LANGUAGE = re.compile(r"[a-z][a-z0-9+#._-]{0,29}")
#: What says that there is none.
_NO_LANGUAGE = frozenset({"none", "default", "nohighlight", "notranslate"})
#: A listing and its ``code``, whatever their tags have; it is among so many of its first pieces.
_LISTING, _CODE = {"pre": (b"",), "code": (b"",)}, 3
#: Elements around a listing may name its language if they hold little else: so many elements at most.
_AROUND_CODE, _LARGEST_AROUND = frozenset("div figure table tr td".split()), 12
#: Bound: so many elements are written around a text; what is nested more deeply stands in the last of them.
#: Ten tables in each other, as old pages have them for their layout, are thirty.
_DEEPEST = 40


#: A line break; and a link that is all of a text.
_BREAK = {"br": (b"",)}
_LINK = re.compile(r'\s*<a href="([^"]*)">([^<]*(?:<(?!/a>)[^<]*)*)</a>\s*')

_NO_IMAGES: Mapping[int, str] = MappingProxyType({})


#: An element that is open in the output: its node in the layout, its tag, the next element around it, and the
#: number of open elements with this one. It is a plain tuple, since each block makes one.
_Open: TypeAlias = "tuple[int, str, _Open | None, int]"
_TAG: Final = 1
_AROUND: Final = 2
_DEPTH: Final = 3


def render(layout: Layout, blocks: Sequence[int], images: Mapping[int, str] = _NO_IMAGES) -> str:
    """Return blocks as HTML: their elements of running text, nested as on the page, with absolute links.

    :param layout: the page's layout, with its markup.
    :param blocks: indexes of blocks, in the order of the page.
    :param images: the tags of images that stand between blocks, by their indexes; images within a block are
        always written.
    """
    markup = markup_of(layout)
    chains, cells = _Chains(layout, _item_around(layout, blocks)), _Cells(layout, markup, images)
    pieces: list[str] = []
    opened: _Open | None = None
    last = -1
    for index, node, html, marked in _blocks_and_images(layout, markup, blocks, images):
        wanted = chains[node]
        if wanted is opened:  # after a br, or in another element of the template within one item
            pieces.append("</p><p>" if wanted[_TAG] == "p" and _are_parted(markup, last, index) else "<br>")
        elif opened and wanted[_AROUND] is opened[_AROUND] and wanted[_TAG] not in _WITH_ATTRIBUTES:
            pieces.append(f"</{opened[_TAG]}><{wanted[_TAG]}>")
            opened = wanted
        else:
            _change(cells, opened, wanted, pieces)
            opened = wanted
        if marked and wanted[_TAG] in HEADINGS and (link := _LINK.fullmatch(html)):
            html = _without_own_link(link, layout.url)
        pieces.append(html if not marked else fold_lines(html) if wanted[_TAG] == "pre" else fold(html))
        last = index
    _change(cells, opened, None, pieces)
    return "".join(pieces)


def _item_around(layout: Layout, blocks: Sequence[int]) -> int:
    """Return the innermost item or cell that holds all of several blocks; -1: there is none.

    It is the frame of a page, or an item of a menu that was not closed: its list or table says nothing.
    """
    nodes, parents = [layout.blocks[index].node for index in blocks], layout.parents
    first, last = min(nodes, default=-1), max(nodes, default=-1)
    if first == last:
        return -1
    while first != last:  # nodes are in the order of the page
        first, last = (first, parents[last]) if last > first else (parents[first], last)
    while first >= 0 and layout.steps[first].tag not in _ITEMS:
        first = parents[first]
    return first


def _are_parted(markup: Markup, first: int, second: int) -> bool:
    """Return whether an empty line is between two lines: who has no paragraphs writes two line breaks.

    :param first, second: the indexes of their blocks; -1: it is an image.
    """
    if first < 0 or second < 0:
        return False
    breaks = markup.marked(_BREAK, markup.blocks[first][1], markup.blocks[second][0] + 1)
    return len(breaks) > 1


def _without_own_link(link: re.Match[str], url: str) -> str:
    """Return a heading that is a link; if it leads to the heading's own place on the page, its text alone."""
    page, _, fragment = unescape(link[1]).partition("#")
    return link[2] if fragment and page == url.partition("#")[0] else link[0]


def _blocks_and_images(
    layout: Layout, markup: Markup, blocks: Sequence[int], images: Mapping[int, str]
) -> list[tuple[int, int, str, bool]]:
    """Return blocks and images in the order of the page: index, node, HTML, whether to fold its white space.

    The index of an image is -1.

    :param images: the tags of images that stand between blocks, by their indexes.
    """
    marked = inline_html(layout, markup, blocks)
    left = deque([(markup.images[image], tag) for image, tag in images.items()])
    parts = []
    for index in blocks:
        while left and left[0][0].before <= index:
            image, tag = left.popleft()
            parts.append((-1, image.node, tag, False))
        node, text, _, _ = layout.blocks[index]
        html = marked.get(index)
        if html is None and ("&" in text or "<" in text or ">" in text):
            text = escape(text, quote=False)
        parts.append((index, node, html or text, html is not None))
    return [*parts, *((-1, image.node, tag, False) for image, tag in left)]


def _change(cells: _Cells, opened: _Open | None, wanted: _Open | None, pieces: list[str]) -> None:
    """Write the end and start tags that lead from one place of the page to another."""
    starts = ""
    cell: int | None = None
    while opened is not wanted:
        if opened is not None and (wanted is None or opened[_DEPTH] >= wanted[_DEPTH]):
            node, tag, around, _ = opened
            if tag == "tr" and cell is not None:
                pieces.append(cells.after(cell))
            pieces.append(f"</{tag}>")
            cell, opened = node, around
        elif wanted is not None:
            tag = wanted[_TAG]
            starts = f"{cells.start(wanted) if tag in _WITH_ATTRIBUTES else f'<{tag}>'}{starts}"
            wanted = wanted[_AROUND]
    pieces.append(starts)


class _Cells:
    """Writes start tags with the attributes that are kept, and the cells of a table that have no text.

    Only cells with text are blocks. Without the empty ones the others would stand in the wrong columns.
    """

    def __init__(self, layout: Layout, markup: Markup, images: Iterable[int]) -> None:
        self._layout, self._markup, self._images = layout, markup, images
        #: For the cells of the rows that have been looked at, the empty ones directly before and after.
        self._before: dict[int, str] = {}
        self._after: dict[int, str] = {}

    def start(self, opened: _Open) -> str:
        """Return a start tag with what it keeps; before a cell the empty cells that come before it."""
        node, tag, *_ = opened
        if tag == "pre":
            language = self._language(node)
            return f'<pre class="language-{language}">' if language else "<pre>"
        empty = self._beside(node, self._before) if tag in _CELLS else ""
        return empty + self._tag(node)

    def after(self, cell: int) -> str:
        """Return the empty cells after one, the last of its row that has text; nothing if it is no cell."""
        return self._beside(cell, self._after) if self._is_cell(cell) else ""

    def _beside(self, cell: int, cells: dict[int, str]) -> str:
        if cell not in cells:
            self._read_row(self._layout.parents[cell])
        return cells.get(cell, "")

    def _read_row(self, row: int) -> None:
        """Find the empty cells of a row, and beside which others they stand."""
        last, empty = -1, ""
        for cell in filter(self._is_cell, children_of(row, self._ends)):
            if not any_in(self._filled, cell, self._ends[cell]):
                empty += f"{self._tag(cell)}</{self._layout.steps[cell].tag}>"
                continue
            self._before[cell], self._after[cell], self._after[last] = empty, "", empty
            last, empty = cell, ""
        self._after[last] = empty

    def _is_cell(self, node: int) -> bool:
        return self._layout.steps[node].tag in _CELLS

    def _tag(self, node: int) -> str:
        tag = self._layout.steps[node].tag
        attributes = attributes_of(self._markup.pieces[self._markup.nodes[node]])
        numbers = [(name, attributes.get(name, "")) for name in _KEPT_ATTRIBUTES[tag]]
        written = "".join(f' {name}="{value}"' for name, value in numbers if _NUMBER.fullmatch(value))
        return f"<{tag}{written}>"

    def _language(self, node: int) -> str:
        """Return the language of a listing: as its element says, the ``code`` in it, or what is around it."""
        begin, parents = self._markup.nodes[node], self._layout.parents
        tags = self._markup.marked(_LISTING, begin, begin + _CODE)
        if language := next(filter(None, [_language_in(tag) for _, tag in tags]), ""):
            return language
        node = parents[node]
        while node > 0 and self._ends[node] - node <= _LARGEST_AROUND:
            step = self._layout.steps[node]
            if step.tag not in _AROUND_CODE:
                break
            if language := _language_named(" ".join(step.classes)):
                return language
            node = parents[node]
        return ""

    @cached_property
    def _ends(self) -> Column:
        return ends_of(self._layout.parents)

    @cached_property
    def _filled(self) -> list[int]:
        """Return the nodes that have text, or an image that is written."""
        images = (self._markup.images[index].node for index in self._images)
        return sorted([*(block.node for block in self._layout.blocks), *images])


class _Chains(dict[int, _Open]):
    """For each node, the innermost element of running text: the node itself, or an element around it.

    Text outside all such elements is a paragraph. An element around several nodes is looked up once.
    """

    def __init__(self, layout: Layout, outside: int) -> None:
        """Take a layout, and an element that is not written, nor what is around it; -1: all are."""
        super().__init__()
        self._layout = layout
        #: The same, but None where text would be such a paragraph.
        self._around: dict[int, _Open | None] = {-1: None, outside: None}

    def __missing__(self, node: int) -> _Open:
        around, parents, steps = self._around, self._layout.parents, self._layout.steps
        new, inner = [], node
        while inner not in around:
            new.append(inner)
            inner = parents[inner]
        opened = around[inner]
        for inner in reversed(new):
            tag = steps[inner][0]
            if tag in TEXT_TAGS and (tag not in _PLACED or _has_its_place(tag, opened)):
                depth = opened[_DEPTH] if opened else 0
                if depth < _DEEPEST:
                    opened = (inner, tag, opened, depth + 1)
            around[inner] = opened
        self[node] = opened = opened or (node, "p", None, 1)
        return opened


def _has_its_place(tag: str, around: _Open | None) -> bool:
    """Return whether an element is one there: a part is inside its whole, and a caption begins no section."""
    if tag in HEADINGS:
        return around is None or around[_TAG] != "figcaption"
    while around:
        if around[_TAG] in _WHOLES[tag]:
            return True
        around = around[_AROUND]
    return False


@lru_cache(maxsize=1 << 10)
def _language_in(tag: str) -> str:
    """Return the language that a start tag of a listing names; empty: it names none."""
    attributes = attributes_of(tag)
    named = (value for name, value in attributes.items() if _LANGUAGE_NAME.fullmatch(name))
    return _as_language(next(named, "")) or _language_named(attributes.get("class", ""))


@lru_cache(maxsize=1 << 10)
def _language_named(classes: str) -> str:
    match = _LANGUAGES.search(classes)
    return _as_language(next(filter(None, match.groups()), "")) if match else ""


def _as_language(name: str) -> str:
    name = name.strip().rstrip(";.").lower()
    return name if _LANGUAGE.fullmatch(name) and name not in _NO_LANGUAGE else ""
