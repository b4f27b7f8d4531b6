"""Turn a page's tree into its layout blocks, in one pass over the tree's pieces."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from html import escape
from itertools import compress
from typing import Any, TypeAlias

from lxml import etree

from ..values import Block, Column, Image, Layout, Markup, Step
from .addresses import OPENS_BY, Address, leads_to_picture, link_of, opens, stays
from .anchors import tree_base
from .facts import facts_in, stating_elements
from .instead import Instead
from .markup import (
    BLOCK,
    BLOCK_END,
    CUT,
    EMPTY_BLOCK,
    IMAGE,
    LINK,
    LINK_END,
    MATH,
    TRANSPARENT,
    attributes_of,
    pieces_of,
    plain_text,
    skip_element,
    tag_reader,
)
from .moved import new_order, reordered
from .parsing import Element
from .shown import ALL_SHOWN, Fates, fates_of, with_main_text
from .tags import (
    HEADINGS,
    PICTURES,
    TEXT_TAGS,
    TODAY,
    TagRules,
    may_be_picture,
    name_paragraphs,
)
from .text import fold_lines, fold_title, weight
from .tree_pieces import TreePieces

# The first element of each kind. An expression with a position stops at the first match.
_TITLE: Any = etree.XPath("string(descendant-or-self::title[1])", smart_strings=False)
_OG_TITLE: Any = etree.XPath(
    "string(descendant-or-self::head[1]/meta[@property = 'og:title' or @name = 'og:title'][1]/@content)",
    smart_strings=False,
)


def layout_of(url: str, root: Element, rules: TagRules = TODAY, keep_markup: bool = False) -> Layout:
    """Return the layout of a parsed page; the tree is not changed.

    :param keep_markup: keep the markup from which the layout is made, to render blocks as HTML.

    Cost: the same as the parse of the page; linear in the number of elements and characters.
    """
    start = next(root.iterchildren("body"), root) if root.tag == "html" and not rules.classic else root
    pieces = pieces_of(start)
    view, fates = TreePieces(pieces), ALL_SHOWN
    if not rules.classic:
        told = view.told()
        if order := new_order(told, lambda: pieces):
            view = TreePieces(pieces := reordered(pieces, order))
            told = view.told()
        fates = fates_of(told, view)
        fates = fates if rules.hides else Fates({}, fates.shown)
    walk = _Walk(url, rules, pieces, fates)
    blocks = walk.read()
    if more := with_main_text(fates, blocks, view, partial(_all_blocks, url, rules, pieces)):
        walk = _Walk(url, rules, pieces, more)
        blocks = walk.read()
    if rules.hides:
        name_paragraphs(walk.steps, walk.parents, blocks)
    return Layout(
        url=url,
        steps=tuple(walk.steps),
        parents=array("i", walk.parents),
        links=_counts(walk.links, len(walk.steps)),
        leads=_counts(walk.leads, len(walk.steps)),
        blocks=tuple(blocks),
        title_element=fold_title(_TITLE(root)),
        og_title=fold_title(_OG_TITLE(root)),
        stated=frozenset() if rules.classic else facts_in(root),
        markup=walk.markup(root, url, view) if keep_markup else None,
    )


def _all_blocks(
    url: str, rules: TagRules, pieces: list[str], shown: Collection[int]
) -> tuple[list[Block], list[tuple[int, int]]]:
    """Return the blocks of a page if nothing is hidden, and their pieces."""
    walk = _Walk(url, rules, pieces, Fates({}, shown))
    return walk.read(), walk.spans()


#: A run of text between two block-level tags or cuts, as in the source; it may become a block. It has: its
#: node, its first piece, the piece after its last, its text, its text in links, and its images (for each
#: its piece and the target of the link around it). A bare tuple: a named one would double the cost of a run.
_Run: TypeAlias = tuple[int, int, int, str, str, tuple[tuple[int, str | None], ...]]


class _Walk:
    """One walk over a page's pieces, and what it finds."""

    def __init__(self, url: str, rules: TagRules, pieces: list[str], fates: Fates) -> None:
        self.address = Address(url)
        self.rules, self.pieces, self.fates = rules, pieces, fates
        self.steps: list[Step] = []
        self.parents: list[int] = []
        self.nodes: list[int] = []
        self.runs: list[_Run] = []
        #: The node of each link, and the node of each link that leads to another page of the host.
        self.links: list[int] = []
        self.leads: list[int] = []
        #: The targets of the links that are open, outermost first.
        self.targets: list[str | None] = []
        #: Whether the text in each of these is that of a link.
        self.linked: list[bool] = []
        #: For each run, whether it is a block.
        self.kept: list[bool] = []
        #: The numbers of the runs in ``pre`` elements, which keep their lines.
        self.listings: list[int] = []
        self.instead = Instead(pieces)
        #: The block-level custom elements that are open: the name, and how many of the name are open in it.
        self.open_customs: list[tuple[str, int]] = []

    def _walk(self) -> None:
        """Walk through all pieces."""
        read, keeps_space = tag_reader(self.rules).read, self.rules.classic
        pieces = enumerate(self.pieces)
        hidden, shown = self.fates
        texts: list[str] = self.begin(next(pieces)[1])
        linked: list[str] = []
        images: list[tuple[int, str | None]] = []
        node = first = preformatted = 0
        behind_heading = False  # or in it
        behind_image = spare = False  # whether there is an image without text since; one from a ``noscript``
        for number, piece in pieces:
            tag, _, text = piece.partition(">")
            kind, name, step = meaning = read(tag)
            if kind == TRANSPARENT and "-" in name and name not in PICTURES:
                is_line = not (texts or images or self.steps[node].tag in TEXT_TAGS)
                kind, step = self.custom(number, tag, name, is_line=is_line)
            if number in hidden or number in shown:
                if number in hidden and tag[-1] != "/":
                    number, text = skip_element(pieces, number, piece, meaning)
            elif preformatted and name == "br" and not keeps_space:  # a line of a listing ends
                text = f"\n{text}"
            elif TRANSPARENT < kind <= CUT:
                behind_image = kind in (BLOCK_END, CUT) and not texts and (bool(images) or behind_image)
                spare = False
                if texts or images:
                    self.listings += [len(self.runs)] if preformatted and not keeps_space else []
                    self.runs.append((node, first, number, "".join(texts), "".join(linked), tuple(images)))
                    texts, linked, images = [], [], []
                behind_heading = behind_heading if kind == CUT else kind != EMPTY_BLOCK and name in HEADINGS
                if step:
                    self.steps.append(step)
                    self.nodes.append(number)
                    self.parents.append(node)
                    if self.is_picture(number, tag):
                        image = number, self.target()
                        self.runs.append((len(self.nodes) - 1, number, number + 1, "", "", (image,)))
                if kind == BLOCK:
                    node = len(self.parents) - 1
                    preformatted += name == "pre"
                elif kind == BLOCK_END:
                    node = self.parents[node]
                    preformatted -= name == "pre"
            elif kind == MATH or (kind == IMAGE and name == "img" and self.is_text(number)):
                formula = self.instead.formula(number) if kind == MATH else self.instead.texts[number]
                if formula is not None:
                    if formula and not texts and not images:
                        first = number
                    if formula:
                        texts.append(escaped := escape(formula, quote=False))
                        linked += [escaped] * self.is_linked()
                    if tag[-1] != "/":
                        number, text = skip_element(pieces, number, piece, meaning)
            elif kind in (TRANSPARENT, LINK) and self.passes(number, tag, node, texts, behind_heading):
                number, text = skip_element(pieces, number, piece, meaning)
            elif kind == LINK:
                self.add_link(node, tag)
            elif kind == TRANSPARENT and name in ("span", "picture") and self.is_picture(number, tag):
                first = first if texts or images else number
                images.append((number, self.target()))
            elif kind == LINK_END:
                del self.targets[-1:], self.linked[-1:]
            elif kind == IMAGE:
                if not texts:
                    first = first if images else number
                    texts += self.drop_cap(piece)
                if spare:
                    del images[-1]
                spare = False
                images.append((number, self.target()))
                if name in PICTURES and tag[-1:] != "/":
                    number, text = skip_element(pieces, number, piece, meaning)
            elif kind > IMAGE:
                if name == "noscript" and self.rules.hides and not (texts or images or behind_image):
                    fallback = self.instead.fallback(number)
                    if fallback is not None:
                        first, spare = number, True
                        images.append((fallback, self.target()))
                number, text = skip_element(pieces, number, piece, meaning)
            if text and (texts or not text.isspace() or preformatted or keeps_space):
                if not texts and not images:
                    first = number
                texts.append(text)
                if self.is_linked():
                    linked.append(text)
        if not self.rules.classic:  # in 2009 text after the last block tag was lost
            runs_to_end = (node, first, len(self.pieces), "".join(texts), "".join(linked), tuple(images))
            self.runs.append(runs_to_end)

    def custom(self, number: int, tag: str, name: str, *, is_line: bool) -> tuple[int, Step | None]:
        """Return the kind of a tag of a custom element, and what a block-level one looks like."""
        if tag[-1:] == "/" or not self.rules.hides or number in self.fates.hidden:
            return TRANSPARENT, None
        if tag[0] != "/" and self.instead.is_block(number, is_line=is_line):
            self.open_customs.append((name, 1))
            return BLOCK, tag_reader(self.rules).step(tag)
        if self.open_customs and self.open_customs[-1][0] == name:  # in one of its own name
            _, depth = self.open_customs.pop()
            depth += -1 if tag[0] == "/" else 1
            if not depth:
                return BLOCK_END, None
            self.open_customs.append((name, depth))
        return TRANSPARENT, None

    def begin(self, piece: str) -> list[str]:
        """Open the first element, which need not be block-level. Return the text at its start."""
        tag, _, text = piece.partition(">")
        self.steps.append(tag_reader(self.rules).step(tag))
        self.parents.append(-1)
        self.nodes.append(0)
        return [text] if text and (self.rules.classic or not text.isspace()) else []

    def drop_cap(self, image: str) -> list[str]:
        """Return the letter that an image at the start of a text shows as its ``alt`` (rules of 2009)."""
        alt = attributes_of(image).get("alt", "") if self.rules.classic else ""
        return [alt] if len(alt) == 1 else []

    def is_picture(self, number: int, tag: str) -> bool:
        """Return whether an element stands for a picture without an ``img``."""
        return self.rules.hides and may_be_picture(tag) and self.instead.is_picture(number)

    def is_text(self, number: int) -> bool:
        """Return whether an image stands for a text in its line."""
        return self.rules.hides and self.instead.text_of(number) != ""

    def target(self) -> str | None:
        """Return the target of the innermost link that is open; None: there is none."""
        return self.targets[-1] if self.targets else None

    def is_linked(self) -> bool:
        """Return whether a text is that of a link; one that names a place or leads to a picture is none."""
        return bool(self.linked) and self.linked[-1]

    def passes(self, number: int, tag: str, node: int, texts: Sequence[str], behind_heading: bool) -> bool:
        """Return whether a link, or another inline element, is passed over (``instead.py``)."""
        if number in self.instead.texts:
            return True
        is_link = tag[:2] in ("a", "a ")
        if not (behind_heading or is_link) or not self.rules.hides or tag[:1] == "/" or tag[-1:] == "/":
            return False
        heading = self.steps[node] if self.steps[node].tag in HEADINGS else None
        has_text = weight(plain_text("".join(texts))) > 0 if heading else bool(texts)
        around = self.steps[max(self.parents[node], 0)]
        place = self.address.place(link_of(attributes_of(tag))) if is_link else ""
        return self.instead.passes(number, place, heading, around, has_text, behind_heading)

    def add_link(self, node: int, tag: str) -> None:
        """Open a link and count it, unless it leads to a picture, or a heading links to itself with it.

        A name is no link, and what opens a part of the page is none, but the title of that part.
        """
        attributes = attributes_of(tag)
        link = link_of(attributes)
        target, to_picture = link[0], leads_to_picture(link)
        in_heading = self.steps[node].tag in HEADINGS and stays(link)
        is_title = not self.rules.classic and (in_heading or opens(link, map(attributes.get, OPENS_BY)))
        counts = target is not None and not (to_picture or is_title)
        if tag[-1] != "/":
            self.targets.append(target)
            self.linked.append(self.rules.classic or counts)
        if counts:
            self.links.append(node)
            if self.address.leads(link):
                self.leads.append(node)

    def read(self) -> list[Block]:
        """Walk, and return the runs with enough text as blocks; note in ``kept`` which runs these are."""
        self._walk()
        least, new = self.rules.min_weight, tuple.__new__
        folded = [self.rules.fold(plain_text(run[3])) for run in self.runs]
        texts = [*zip(folded, self.rules.weigh(folded), strict=True)]
        for index in self.listings:
            texts[index] = fold_lines(plain_text(self.runs[index][3])), texts[index][1]
        self.kept = [whole >= least and text != "" for text, whole in texts]
        # most runs have no links, or links alone: only the other runs need their weight in links
        mixed = [run[4] for run in compress(self.runs, self.kept) if run[4] and run[4] != run[3]]
        weights = iter(self.rules.weigh([plain_text(text) for text in mixed]))
        return [
            new(
                Block,
                (node, text, whole, (0 if linked == source else whole - next(weights)) if linked else whole),
            )
            for (node, _, _, source, linked, _), (text, whole) in compress(
                zip(self.runs, texts, strict=True), self.kept
            )
        ]

    def spans(self) -> list[tuple[int, int]]:
        """Return for each block its first piece, and the piece after its last."""
        return [(run[1], run[2]) for run in compress(self.runs, self.kept)]

    def images(self) -> list[Image]:
        """Return the images of the runs that are not blocks."""
        images: list[Image] = []
        before = 0
        for run, is_block in zip(self.runs, self.kept, strict=True):
            if is_block:
                before += 1
            elif run[5]:
                images += (Image(before, run[0], *image) for image in run[5])
        return images

    def markup(self, root: Element, url: str, pieces: TreePieces) -> Markup:
        """Return the page's markup."""
        return Markup(
            self.pieces,
            self.nodes,
            self.spans(),
            self.images(),
            base=lambda: tree_base(root, url),
            tree=lambda: root,
            stating=partial(stating_elements, root),
            inline=pieces.inline,
            end_of=pieces.end_of,
            marked=pieces.marked,
            instead=self.instead.texts,
            fates=self.fates,
        )


def _counts(numbers: Iterable[int], size: int) -> Column:
    """Return how often each number from 0 to ``size`` - 1 is among some."""
    counts = array("i", [0]) * size
    for number in numbers:
        counts[number] += 1
    return counts
