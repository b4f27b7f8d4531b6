"""The inline markup of a block, as HTML or with the signs that become Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from html import escape, unescape
from itertools import accumulate
from urllib.parse import quote

from ..html.markup import BLOCK, COMMENT, IMAGE, LINK, SKIPPED, TRANSPARENT, Base, skip_element, tag_reader
from ..html.tags import DEEPEST_INLINE, KEPT_INLINE, PICTURES, TODAY
from ..values import Layout, Markup
from .images import absolute, href_of, image_tag

#: Marks around a text, before and after it: characters that Unicode keeps for the use of programs.
EMPHASIS, STRONG, DELETED, CODE = "\ufdd0\ufdd1", "\ufdd2\ufdd3", "\ufdd4\ufdd5", "\ufdd6\ufdd7"
#: Around a line of a fenced listing, and around where a link leads.
LINE, TARGET = "\ufdd8\ufdd9", "\ufdda\ufddb"
#: The first sign of an image.
IMAGE_SIGN = "\ufddc"
# --- Text, code and urls as they are written in Markdown
#
# Text, code and urls as they are written in Markdown, so that none of their characters is taken for markup.
#
# What a sign means depends on what stands beside it. Two runs of code without a space between them are one,
# and some renderers make a link of ``www.`` and all that follows, the backtick of code included. So while a
# document is put together, markup is written as marks: characters that no text has. :func:`finished` knows
# the whole document, and writes signs for the marks.

_RESERVED = re.compile("[\ufdd0-\ufdef]")
_WRITTEN = dict(zip(EMPHASIS + STRONG + DELETED, ("*", "*", "**", "**", "~~", "~~"), strict=True))
_WRITTEN |= {IMAGE_SIGN: "!", **dict.fromkeys(LINE + TARGET, "")}
_MARKS = str.maketrans(_WRITTEN)

#: An end directly before the beginning of the same: both go.
_SEAMS = re.compile("|".join(marks[::-1] for marks in (EMPHASIS, STRONG, DELETED, CODE)))
#: What is written as it stands.
_AS_IT_IS = re.compile("(" + "|".join(f"{one[0]}[^{one}]*{one[1]}" for one in (CODE, LINE, TARGET)) + ")")
_SPACES = re.compile(r"(\s+)")
_BLANK_LINES = re.compile(r"\n{3,}")
_IMAGE_MARK = re.compile(r"!(?=\[)")
#: What makes a link of all up to the next white space for some renderers, and the markup that it would take.
_BARE_URL = re.compile(r"(?<=www)\.|:(?=//)", re.IGNORECASE)
_TAKEN = ("\\", "[", IMAGE_SIGN, EMPHASIS[0], STRONG[0], DELETED[0])

_WEB = re.compile(r"https?://", re.IGNORECASE)
#: What would end the target of a link, or be read as something else there.
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0\s\"()<>\[\\\]`|\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_SIGNS = re.compile(r"[\\`*_\[\]<>&#+=|~!:-]|(?<=[0-9])[.)](?=\s)")
_NO_LINK, _AFTER_PATH = re.compile(r"[\s<>\\`|\x00-\x1f\x7f-\x9f]"), re.compile("[?#]")
_BACKTICKS = re.compile("`+")
_ENTITY = re.compile(r"&(?=#?\w+;)")


def source(html: str) -> str:
    """Return HTML without the characters that serve as marks."""
    return _RESERVED.sub("\ufffd", html)


def target(url: str) -> str:
    """Return a url as the target of a link.

    >>> target("http://e.example/a b(1)?c=&lt;"), target("http://e.example\\\\a")
    ('http://e.example/a%20b%281%29?c=&amp;lt;', 'http://e.example/a')
    """
    if _WEB.match(url):  # a backslash in a path is a slash, as browsers have it
        path = _AFTER_PATH.split(url, maxsplit=1)[0]
        url = path.replace("\\", "/") + url[len(path) :]
    safe = _UNSAFE.sub(lambda found: quote(found[0], safe="", errors="replace"), url)
    return _ENTITY.sub("&amp;", safe)


def autolink(url: str) -> str:
    """Return a url as a link that shows it; empty for one that cannot be such a link.

    >>> autolink("http://e.example/a_(b)"), autolink("http://e.example/a>b"), autolink("javascript:x")
    ('<http://e.example/a_(b)>', '<http://e.example/a%3Eb>', '')
    """
    if not _WEB.match(url) or _ENTITY.search(url):
        return ""
    return f"<{target(url)}>" if _NO_LINK.search(url) else f"<{url}>"


def shown_url(url: str) -> str:
    """Return a url as it is shown: as a link if it is one of the web, else as text.

    >>> shown_url("http://e.example/?a=&lt;b"), shown_url("a <b>.html")
    ('[http\\\\://e.example/?a\\\\=\\\\&lt;b](http://e.example/?a=&amp;lt;b)', 'a \\\\<b\\\\>.html')
    """
    text = _SIGNS.sub(r"\\\g<0>", " ".join(url.split()))
    return autolink(url) or (f"[{text}]({target(url)})" if _WEB.match(url) else text)


def finished(text: str) -> str:
    """Return a document with its marks written; empty lines are left in listings only, but for one."""
    text, joined = _BLANK_LINES.sub("\n\n", text), 1
    while joined:  # where one went, those around it meet
        text, joined = _SEAMS.subn("", text)
    pieces = _AS_IT_IS.split(text)
    before_code = False
    for number in range(len(pieces) - 1, -1, -1):
        piece = pieces[number]
        if number % 2 == 0:
            pieces[number] = _plain(piece, before_code)
            before_code = before_code and not _SPACES.search(piece)
        elif piece[0] == CODE[0]:
            pieces[number], before_code = _backticked(piece[1:-1]), True
    lines = "".join(pieces).split("\n")
    return "\n".join(one[:-2].rstrip() if one.endswith(LINE) else one for one in lines).translate(_MARKS)


def _plain(text: str, before_code: bool) -> str:
    """Return text in which no exclamation mark makes an image of a link, and no url takes markup with it.

    :param before_code: whether code follows, or a link and then code, without white space between them.
    """
    text = _IMAGE_MARK.sub(r"\\!", text)
    if not _BARE_URL.search(text):
        return text
    words = _SPACES.split(text)
    for number, word in enumerate(words):
        is_last = number == len(words) - 1
        end = len(word) if is_last and before_code else 1 + max(map(word.rfind, _TAKEN))
        words[number] = _BARE_URL.sub(r"\\\g<0>", word[:end]) + word[end:]
    return "".join(words)


def _backticked(code: str) -> str:
    """Return code within more backticks than it has in a row."""
    longest = max(map(len, _BACKTICKS.findall(code)), default=0)
    space, fence = " " * bool(longest), "`" * (longest + 1)
    return f"{fence}{space}{code}{space}{fence}"


# --- Write the text of blocks with inline markup: emphasis, links, code, images, but no scripts or styles


def inline_html(layout: Layout, blocks: Sequence[int], base: Base) -> dict[int, str]:
    """Return the HTML of the blocks that have inline markup; all other blocks are plain text.

    White space is as in the source.

    :param layout: the page's layout, with its markup.
    :param blocks: indexes of blocks, in the order of the page.
    :param base: the base of relative links.

    Cost: one pass over the markup of the blocks, and over the markup between blocks that are only a part of
    an element.
    """
    markup = layout.markup
    if markup is None:
        raise ValueError("the layout was made without its markup")
    spans, nodes = markup.blocks, markup.nodes
    # a block that is only the first piece of its element is plain text
    begins = [(nodes[layout.blocks[index].node], index) for index in blocks]
    marked = [(begin, index) for begin, index in begins if spans[index] != (begin, begin + 1)]
    found: dict[int, str] = {}
    read = getattr(markup.pieces, "inline_html", None)  # of the compiled module
    absolute_of, image = partial(absolute, base=base), partial(image_tag, markup.pieces, base=base)
    for begin, group in _grouped(marked, spans):
        if read is None:
            found.update(_read(markup, group, begin, base))
        else:
            found.update(read(spans, group, begin, absolute_of, image, base.has_room, markup.instead))
    return found


def _grouped(
    blocks: Sequence[tuple[int, int]], spans: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, list[int]]]:
    """Yield groups of blocks that must be read together, each with the first piece of its outermost element.

    :param blocks: for each block, the first piece of its element, and the index of the block.

    A new group begins if the elements of this block and of all later ones begin after the last block of the
    group: no element is then around blocks of both groups.
    """
    outermost = list(accumulate((begin for begin, _ in reversed(blocks)), min))
    group: list[int] = []
    start = 0
    for (_, index), begin in zip(blocks, reversed(outermost), strict=True):
        if group and begin >= spans[group[-1]][1]:
            yield start, group
            group = []
        start = start if group else begin
        group.append(index)
    if group:
        yield start, group


def _read(markup: Markup, blocks: Sequence[int], begin: int, base: Base) -> Iterator[tuple[int, str]]:
    """Yield the blocks that have inline markup, with their HTML; reading begins at the piece ``begin``."""
    reader, instead = tag_reader(TODAY), markup.instead
    known, read = reader.known, reader.read
    writer = _Writer(base)
    inline: _Inline | None = None
    outer: list[_Inline | None] = []  # for each open element, the inline element around it
    rest = iter(blocks)
    block = next(rest)
    first, end = markup.blocks[block]
    pieces = enumerate(markup.pieces[begin : markup.blocks[blocks[-1]][1]], begin)
    hidden, shown = markup.fates
    for number, piece in pieces:
        tag, _, text = piece.partition(">")
        if number >= end:
            if html := writer.close():
                yield block, html
            block = next(rest)
            first, end = markup.blocks[block]
        kind, name, _ = known_tag = known.get(tag) or read(tag)
        if kind == IMAGE and name in PICTURES and tag[-1:] != "/" and number not in hidden:
            if number >= first:
                writer.write(image_tag(markup.pieces, number, base), inline)
                writer.marked = True
            number, text = skip_element(pieces, number, piece, known_tag)
            kind = TRANSPARENT
        elif number in instead:
            if number >= first and instead[number]:
                writer.write(escape(instead[number], quote=False), inline)
            if tag[-1:] != "/":
                number, text = skip_element(pieces, number, piece, known_tag)
        elif (kind in (SKIPPED, COMMENT) and number not in shown) or (number in hidden and tag[-1:] != "/"):
            number, text = skip_element(pieces, number, piece, known_tag)
        elif tag[:1] == "/":
            inline = outer.pop() if outer else None
        elif tag and tag[-1] != "/":  # empty if a "<" in an element's name divided it
            outer.append(inline)
            if kind == BLOCK:
                inline = None
            elif kind == LINK and href_of(tag):  # one without a target is no link
                inline = _Inline(_without_links(inline), tag)
            elif name in KEPT_INLINE and (inline is None or inline.depth < DEEPEST_INLINE):
                inline = _Inline(inline, tag, name)
        if number >= first:
            if kind == IMAGE:
                writer.write(image_tag(markup.pieces, number, base), inline)
                writer.marked = True
            if text:
                writer.write(_escaped(text) if "&#" in text else text, inline)
    if html := writer.close():
        yield block, html


def _escaped(text: str) -> str:
    """Return the text of a piece, escaped as in HTML. A piece may have line breaks as ``&#13;``."""
    return escape(unescape(text), quote=False)


class _Inline:
    """An inline element around a text.

    :ivar around: the next inline element around it.
    :ivar depth: number of inline elements around the text, including this one.
    :ivar tag: its start tag on the page.
    :ivar start: the start tag to be written; empty: none; None: a link's, which is not known yet.
    :ivar written: whether it was written already, for an earlier text. Only within the room of the page is it
        written again.
    """

    __slots__ = ("around", "depth", "start", "tag", "written")

    def __init__(
        self, around: _Inline | None, tag: str, start: str | None = None, written: bool = False
    ) -> None:
        self.around = around
        self.depth: int = around.depth + 1 if around else 1
        self.tag = tag
        self.start = start
        self.written = written


def _without_links(inline: _Inline | None) -> _Inline | None:
    """Return the inline elements around a link, without links. Of two nested links the inner one counts."""
    chain: list[_Inline] = []
    link = inline
    while link and _is_no_link(link):
        chain.append(link)
        link = link.around
    if link is None:
        return inline
    found = link.around
    for element in reversed(chain):
        found = _Inline(found, element.tag, element.start, written=True)
    return found


def _is_no_link(inline: _Inline) -> bool:
    return inline.tag[:2] not in ("a", "a ")


class _Writer:
    """Writes the text of one block after the other."""

    def __init__(self, base: Base) -> None:
        self._base = base
        self._pieces: list[str] = []
        #: The inline elements that are open in what is written.
        self._opened: _Inline | None = None
        #: Whether the block has more than text.
        self.marked = False

    def write(self, html: str, inline: _Inline | None) -> None:
        """Write a text or an image inside the inline elements around it."""
        if inline is not self._opened:
            self._change(inline)
        self._pieces.append(html)

    def close(self) -> str:
        """Return the HTML of a block, empty if it is plain text, and begin the next block."""
        if self._opened:
            self._change(None)
        html = "".join(self._pieces) if self.marked else ""
        self._pieces, self.marked = [], False
        return html

    def _change(self, wanted: _Inline | None) -> None:
        """Write the end and start tags that lead from the open elements to those around the next text."""
        opened, self._opened = self._opened, wanted
        starts: list[str] = []
        while opened is not wanted:
            if opened and (wanted is None or opened.depth >= wanted.depth):
                if opened.start:
                    self._pieces.append(f"</{opened.start.partition(' ')[0]}>")
                opened = opened.around
            elif wanted:
                if start := self._start(wanted):
                    starts.append(f"<{start}>")
                wanted = wanted.around
        if starts:
            self.marked = True
            self._pieces += reversed(starts)

    def _start(self, inline: _Inline) -> str:
        if inline.start is None:
            href = absolute(href_of(inline.tag), self._base)
            inline.start = f'a href="{escape(href)}"' if href else ""
        elif inline.written and not self._base.has_room(len(inline.start)):
            inline.start = ""
        inline.written = True
        return inline.start
