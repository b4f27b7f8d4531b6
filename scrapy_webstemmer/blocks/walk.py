"""A page's tree to its layout blocks, in one pass over its pieces."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from typing import Any, TypeAlias

from lxml import etree

from ..values import Block, Image, Layout, Markup, Step
from .markup import (
    BLOCK,
    BLOCK_END,
    CUT,
    IMAGE,
    LINK,
    LINK_END,
    TagReader,
    attributes_of,
    pass_over,
    pieces_of,
    plain_text,
    tag_reader,
)
from .parsing import Element
from .tags import TODAY, TagRules
from .text import fold, fold_lines, weight

__all__ = ["layout_of"]

_WEB = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.\-\s]*:", re.IGNORECASE)
#: A link to a place on its own page whose text ends within so many pieces is looked at.
_MARK = 16
# The first of each; unlike the search for the next element, that of a position ends where it has found it.
_TITLE: Any = etree.XPath("string(descendant-or-self::title[1])", smart_strings=False)
_OG_TITLE: Any = etree.XPath(
    "string(descendant-or-self::head[1]/meta[@property = 'og:title' or @name = 'og:title'][1]/@content)",
    smart_strings=False,
)


def layout_of(url: str, root: Element, rules: TagRules = TODAY, keep_markup: bool = False) -> Layout:
    """Return the layout of a parsed page; the tree is left as it is.

    :param keep_markup: keep what the layout is made from, to render blocks as HTML.

    Cost: as much as the parse of the page; linear in the number of elements and characters.
    """
    start = root
    if rules.from_body:
        body = root.find("body") if root.tag == "html" else None
        start = root if body is None else body
    pieces = pieces_of(start)
    walk = _Walk(url, rules, pieces)
    walk.walk()
    blocks, spans, images = walk.blocks()
    return Layout(
        url=url,
        steps=tuple(walk.steps),
        parents=tuple(walk.parents),
        links=_counts(walk.links, len(walk.steps)),
        leads=_counts(walk.leads, len(walk.steps)),
        blocks=tuple(blocks),
        title_element=fold(_TITLE(root)),
        og_title=fold(_OG_TITLE(root)),
        markup=Markup(root, pieces, walk.nodes, spans, images) if keep_markup else None,
    )


#: A run of text between two block-level tags or cuts, as it stands in the source; it may be a block. The
#: element that holds it, its first piece, the piece after its last, whether it keeps its lines, its text,
#: what of that is in links, and its images: their pieces, and where the links around them lead. A bare
#: tuple, since making one with names takes as long as all else that is done for a run.
_Run: TypeAlias = tuple[int, int, int, bool, str, str, tuple[tuple[int, str | None], ...]]


class _Walk:
    """What one walk finds."""

    def __init__(self, url: str, rules: TagRules, pieces: list[str]) -> None:
        self.page = url.partition("//")[2].partition("#")[0]
        self.host = self.page.partition("/")[0].lower()
        self.rules, self.pieces = rules, pieces
        self.steps: list[Step] = []
        self.parents: list[int] = []
        self.nodes: list[int] = []
        self.runs: list[_Run] = []
        #: The node of each link, and of each that leads to another page of the host.
        self.links: list[int] = []
        self.leads: list[int] = []
        #: Where the links lead that are open, outermost first.
        self.targets: list[str | None] = []

    def walk(self) -> None:
        """Walk through all pieces.

        What most pieces need stands here and in local names: there are thousands of them on a page.
        """
        reader, steps, parents, nodes = tag_reader(self.rules), self.steps, self.parents, self.nodes
        known, runs, targets, keeps_space = reader.known, self.runs, self.targets, self.rules.drop_caps
        pieces = enumerate(self.pieces)
        texts: list[str] = self.begin(next(pieces)[1], reader)
        linked: list[str] = []
        images: list[tuple[int, str | None]] = []
        node = first = preformatted = 0
        for number, piece in pieces:
            tag_text, _, text = piece.partition(">")
            tag = known.get(tag_text) or reader.read(tag_text)
            kind, name, step = tag
            if not kind:
                pass
            elif kind <= CUT:
                if texts or images:
                    lines = preformatted > 0
                    runs.append((node, first, number, lines, "".join(texts), "".join(linked), tuple(images)))
                    texts.clear()
                    linked.clear()
                    images.clear()
                if name == "pre":
                    preformatted += (kind == BLOCK) - (kind == BLOCK_END)
                if step is not None:
                    steps.append(step)
                    parents.append(node)
                    nodes.append(number)
                    if kind == BLOCK:
                        node = len(parents) - 1
                elif kind == BLOCK_END:
                    node = parents[node]
            elif kind == LINK:
                self.add_link(node, number, tag_text)
            elif kind == LINK_END:
                del targets[-1:]
            elif kind == IMAGE:
                if not texts:
                    first = first if images else number
                    texts += self.drop_cap(tag_text)
                images.append((number, targets[-1] if targets else None))
            else:
                number, text = pass_over(pieces, number, piece, tag)
            if text and (texts or not text.isspace() or preformatted or keeps_space):
                if not texts and not images:
                    first = number
                texts.append(text)
                if targets:
                    linked.append(text)
        if self.rules.from_body:  # in 2009 what stands after the last block tag was lost
            lines, end = preformatted > 0, len(self.pieces)
            runs.append((node, first, end, lines, "".join(texts), "".join(linked), tuple(images)))

    def begin(self, piece: str, reader: TagReader) -> list[str]:
        """Open the first element, block-level or not; return the text in it."""
        tag, _, text = piece.partition(">")
        self.steps.append(reader.step(tag))
        self.parents.append(-1)
        self.nodes.append(0)
        return [text] if text else []

    def drop_cap(self, image: str) -> list[str]:
        """Return the one letter that an image at the beginning of a text shows, for the rules of 2009."""
        alt = attributes_of(image).get("alt", "") if self.rules.drop_caps else ""
        return [alt] if len(alt) == 1 else []

    def add_link(self, node: int, number: int, tag: str) -> None:
        """Count a link, unless it is the sign by which a heading links to itself."""
        begin = tag.find(' href="') + len(' href="')
        href = tag[begin : tag.find('"', begin)].strip() if begin >= len(' href="') else None
        if href and "&" in href:
            href = plain_text(href)
        if tag[-1] != "/":
            self.targets.append(href)
        first = href[:1] if href else ""
        if first == "#" and self.is_mark(number):
            return
        self.links.append(node)
        if href and first != "#" and ((first == "/" and href[1:2] != "/") or self.leads_on(href)):
            self.leads.append(node)

    def is_mark(self, number: int) -> bool:
        """Return whether a link within its page has no text: the sign by which a heading links to itself."""
        for piece in self.pieces[number : number + _MARK]:
            tag, _, text = piece.partition(">")
            if tag == "/a" or (tag[:2] == "a " and tag[-1] == "/"):
                return True
            if weight(plain_text(text)):
                return False
        return True

    def leads_on(self, href: str) -> bool:
        """Return whether a link leads to another page of the same host."""
        if _WEB.match(href):
            target = href.partition("//")[2].partition("#")[0]
            return target.partition("/")[0].lower() == self.host and target != self.page
        return not _SCHEME.match(href)

    def blocks(self) -> tuple[list[Block], list[tuple[int, int]], list[Image]]:
        """Return the runs with enough text as blocks, their pieces, and the images of all others."""
        fold, least, keeps_lines = self.rules.fold, self.rules.min_weight, self.rules.from_body
        texts = [
            (fold_lines if lines and keeps_lines else fold)(unescape(text) if "&" in text else text)
            for _, _, _, lines, text, _, _ in self.runs
        ]
        wholes, plains = self.weights(texts)
        blocks: list[Block] = []
        spans: list[tuple[int, int]] = []
        images: list[Image] = []
        for run, text, whole, plain in zip(self.runs, texts, wholes, plains, strict=True):
            if text and whole >= least:
                node, first, end, *_ = run
                blocks.append(Block(node, text, whole, plain))
                spans.append((first, end))
            elif run[6]:
                images += (Image(len(blocks), run[0], *image) for image in run[6])
        return blocks, spans, images

    def weights(self, texts: list[str]) -> tuple[list[int], list[int]]:
        """Return the weight of each run, and that of its text outside links."""
        weigh = self.rules.weigh
        whole = weigh(texts)
        plain = whole.copy()
        linked = [(number, text) for number, (_, _, _, _, _, text, _) in enumerate(self.runs) if text]
        in_links = weigh([plain_text(text) for _, text in linked])
        for (number, _), weight_in_links in zip(linked, in_links, strict=True):
            plain[number] -= weight_in_links
        return whole, plain


def _counts(found: Iterable[int], size: int) -> tuple[int, ...]:
    """Return how often each of the first numbers is among those found."""
    counts = [0] * size
    for number in found:
        counts[number] += 1
    return tuple(counts)
