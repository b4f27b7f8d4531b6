"""A page as its layout blocks, and the elements that hold them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


class Block(NamedTuple):
    """A layout block: a run of text between block-level tags.

    It is a tuple for the sake of speed: a page has hundreds of blocks.

    :param node: index of the nearest block-level element in the layout's nodes.
    :param text: the text, with white space folded (line breaks are kept under ``pre``).
    :param weight: number of significant characters: letters, digits and ideographs.
    :param plain: the weight of the text outside links, 0 to ``weight``.
    """

    node: int
    text: str
    weight: int
    plain: int


class Step(NamedTuple):
    """What one block-level element looks like in the page's source.

    :param tag: its name, in lower case.
    :param id: its id; in layouts of 2009 all its telling attributes, ``:key=value``, as one string.
    :param classes: its class tokens, in the order of the source.
    """

    tag: str
    id: str
    classes: tuple[str, ...]


class Image(NamedTuple):
    """An image between blocks.

    :param before: number of blocks before it.
    :param node: index of the block-level element that holds it.
    :param piece: index of its piece in the markup.
    :param link: target of the link around it; None: it is not in a link.
    """

    before: int
    node: int
    piece: int
    link: str | None


@dataclass(frozen=True, slots=True)
class Markup:
    """A page's markup, and the places of the layout's parts in it.

    :param pieces: the markup as pieces, ``tag>text``, escaped as in XML; a tag is one of the elements as they
        are nested, not always one of the source.
    :param nodes: for each node, the index of its first piece.
    :param blocks: for each block, the index of its first piece, and the index after its last one.
    :param images: the images between blocks.
    :param base: returns the base of relative urls.
    :param tree: returns the root of the page's tree, which must not be changed.
    """

    pieces: Sequence[str]
    nodes: Sequence[int]
    blocks: Sequence[tuple[int, int]]
    images: Sequence[Image]
    base: Callable[[], str]
    tree: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Layout:
    """A page as its layout blocks, and the block-level elements (nodes) that hold them.

    Nodes are numbered in the order of the page: a parent comes before its children.

    :param url: the page's url.
    :param steps: what each node looks like.
    :param parents: index of each node's parent, -1 for the first.
    :param links: number of ``a`` elements directly in each node, including those without text or target.
    :param leads: number of these that lead to another page of the same host.
    :param blocks: the blocks, in the order of the page.
    :param title_element: text of the ``title`` element; empty if there is none.
    :param og_title: the ``og:title``; empty if there is none.
    :param stated: the facts that the page's markup states about it (``blocks/facts.py``).
    :param fetched: the time at which the page was fetched, ISO 8601; empty: unknown.
    :param markup: the markup that the layout was made from; None: it was not asked for.
    :param tree: the page's layout tree, a ``Tree`` of the room ``trees``; None: it was not asked for.
    """

    url: str
    steps: tuple[Step, ...]
    parents: tuple[int, ...]
    links: tuple[int, ...]
    leads: tuple[int, ...]
    blocks: tuple[Block, ...]
    title_element: str = ""
    og_title: str = ""
    stated: frozenset[str] = frozenset()
    fetched: str = ""
    markup: Markup | None = None
    tree: Any = None
