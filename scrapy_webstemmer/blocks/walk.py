"""A page's tree to its layout blocks, in one pass over its pieces."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..values import Block, Image, Layout, Markup, Step
from .markup import (
    BLOCK,
    BLOCK_END,
    CUT,
    LINK,
    LINK_END,
    SKIPPED,
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
    walk.run()
    return Layout(
        url=url,
        steps=tuple(walk.steps),
        parents=tuple(walk.parents),
        links=_counts(walk.links, len(walk.steps)),
        leads=_counts(walk.leads, len(walk.steps)),
        blocks=tuple(walk.blocks),
        title_element=_title_element(root),
        og_title=_og_title(root),
        markup=Markup(root, pieces, walk.nodes, walk.spans, walk.images) if keep_markup else None,
    )


class _Walk:
    """What one walk finds."""

    def __init__(self, url: str, rules: TagRules, pieces: list[str]) -> None:
        self.page = url.partition("//")[2].partition("#")[0]
        self.host = self.page.partition("/")[0].lower()
        self.rules, self.pieces = rules, pieces
        self.steps: list[Step] = []
        self.parents: list[int] = []
        self.nodes: list[int] = []
        self.blocks: list[Block] = []
        self.spans: list[tuple[int, int]] = []
        self.images: list[Image] = []
        #: The node of each link, and of each that leads to another page of the host.
        self.links: list[int] = []
        self.leads: list[int] = []
        #: Where the links lead that are open, outermost first.
        self.targets: list[str | None] = []
        # What will be the next block: its texts, those of them in links, its images, and where it begins.
        self.texts: list[str] = []
        self.linked: list[str] = []
        self.pending: list[Image] = []
        self.first = 0
        self.preformatted = 0

    def run(self) -> None:
        """Walk through all pieces.

        What most pieces need stands here and in local names: there are thousands of them on a page.
        """
        reader, rules, steps, parents = tag_reader(self.rules), self.rules, self.steps, self.parents
        texts, pending, linked, targets = self.texts, self.pending, self.linked, self.targets
        known, keeps_space = reader.known, rules.drop_caps
        pieces = enumerate(self.pieces)
        self.begin(next(pieces)[1], reader)
        node = 0
        for number, piece in pieces:
            tag_text, _, text = piece.partition(">")
            tag = known.get(tag_text) or reader.read(tag_text)
            kind, name, step = tag
            if not kind:
                pass
            elif kind <= BLOCK_END:
                if texts or pending:
                    self.flush(node, number)
                if name == "pre":
                    self.preformatted += (kind == BLOCK) - (kind == BLOCK_END)
                if step is not None:
                    steps.append(step)
                    parents.append(node)
                    self.nodes.append(number)
                    if kind == BLOCK:
                        node = len(parents) - 1
                else:
                    node = parents[node]
            elif kind >= SKIPPED:
                number, text = pass_over(pieces, number, piece, tag)
            else:
                self.meet(kind, node, number, tag_text)
            if text and (texts or not text.isspace() or self.preformatted or keeps_space):
                if not texts and not pending:
                    self.first = number
                texts.append(text)
                if targets:
                    linked.append(text)
        if rules.from_body:  # in 2009 what stands after the last block tag was lost
            self.flush(node, len(self.pieces))

    def begin(self, piece: str, reader: TagReader) -> None:
        """Open the first element, block-level or not."""
        tag, _, text = piece.partition(">")
        self.steps.append(reader.step(tag))
        self.parents.append(-1)
        self.nodes.append(0)
        if text:
            self.texts.append(text)

    def meet(self, kind: int, node: int, number: int, tag: str) -> None:
        """Take in the beginning or end of a link, a cut or an image."""
        if kind == LINK:
            self.add_link(node, number, tag)
        elif kind == LINK_END:
            del self.targets[-1:]
        elif kind == CUT:
            self.flush(node, number)
        elif self.rules.drop_caps:
            alt = attributes_of(tag).get("alt", "")
            if len(alt) == 1 and not self.texts:
                self.texts.append(alt)
        else:
            if not self.texts and not self.pending:
                self.first = number
            link = self.targets[-1] if self.targets else None
            self.pending.append(Image(len(self.blocks), node, number, link))

    def add_link(self, node: int, number: int, tag: str) -> None:
        _, found, rest = tag.partition(' href="')
        href = plain_text(rest.partition('"')[0]).strip() if found else None
        if href and href[0] == "#":
            if not self.is_mark(number):
                self.links.append(node)
        else:
            self.links.append(node)
            if href and self.leads_on(href):
                self.leads.append(node)
        if tag[-1] != "/":
            self.targets.append(href)

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
        if href[0] == "/" and href[1:2] != "/":
            return True
        if _WEB.match(href):
            target = href.partition("//")[2].partition("#")[0]
            return target.partition("/")[0].lower() == self.host and target != self.page
        return not _SCHEME.match(href)

    def flush(self, node: int, number: int) -> None:
        """End the block before a piece, if there is one."""
        texts, rules = self.texts, self.rules
        raw = plain_text(texts[0] if len(texts) == 1 else "".join(texts))
        text = fold_lines(raw) if self.preformatted and rules.from_body else rules.fold(raw)
        if text and (whole := rules.weigh(text)) >= rules.min_weight:
            linked = self.linked
            if not linked:
                plain = whole
            else:
                plain = 0 if len(linked) == len(texts) else whole - rules.weigh(plain_text("".join(linked)))
            self.blocks.append(Block(node, text, whole, plain))
            self.spans.append((self.first, number))
        elif self.pending:
            self.images += self.pending
        texts.clear()
        self.linked.clear()
        self.pending.clear()


def _counts(found: Iterable[int], size: int) -> tuple[int, ...]:
    """Return how often each of the first numbers is among those found."""
    counts = [0] * size
    for number in found:
        counts[number] += 1
    return tuple(counts)


def _title_element(root: Element) -> str:
    element = root.find(".//title")
    return "" if element is None else fold("".join(element.itertext()))


def _og_title(root: Element) -> str:
    head = root.find(".//head")
    for meta in () if head is None else head.iterchildren("meta"):
        if "og:title" in (meta.get("property"), meta.get("name")):
            return fold(meta.get("content", ""))
    return ""
