"""Read one page for learning: its layout and its anchors, without regard to other pages.

This is most of the work of learning.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..base.limits import Limits
from ..base.parts import Parts
from ..base.urls import site_of, well_formed
from ..blocks.anchors import find_anchors
from ..blocks.bounds import check_layout, check_page, check_text, check_tree
from ..blocks.parsing import Element, decode, parse_text
from ..blocks.tags import CLASSIC, TODAY
from ..blocks.walk import layout_in_parts, layout_of
from ..classic.attribute_filter import filtered
from ..classic.parser import parse_classic
from ..errors import PageError, visible
from ..options.learn import LearnOptions
from ..values.layouts import Layout
from ..values.pages import Page

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reading:
    """The parts of a page that were read.

    :param layout: its layout, without the time of its fetch; None if the page is unreadable, or if only
        anchors were wanted.
    :param anchors: the links to other pages of its site: the target's key and the text, each pair once.
    :param problem: the reason why the page is unreadable; empty if it is readable.
    """

    layout: Layout | None
    anchors: tuple[tuple[str, str], ...] = ()
    problem: str = ""


class Wanted(NamedTuple):
    """The parts of a page that are read.

    :param options: how.
    :param anchors: whether anchors are wanted.
    :param blocks: whether the layout is wanted.
    :param tree: makes the layout tree of a page's root; None: it is not wanted.
    """

    options: LearnOptions = LearnOptions()
    anchors: bool = True
    blocks: bool = True
    tree: Callable[[Element], Any] | None = None


def parse_within(page: Page, encoding: str | None, limits: Limits) -> Element:
    """Return the root of a page's tree, as :func:`~scrapy_webstemmer.blocks.parsing.parse` does.

    :raises PageError: the body is a picture or another binary file.
    :raises LimitError: the parse would take too long, or the tree is too large or too deep.
    """
    text = decode(page, encoding)
    check_text(page.url, text, limits)
    root = parse_text(text)
    check_tree(page.url, root, limits, page.body)
    return root


def read_layout(page: Page, encoding: str | None, limits: Limits, root: Element = None) -> Parts[Layout]:
    """Return a page's layout with its markup, in parts. After the first one the caller may change the tree.

    :param root: the root of the page's lxml tree, if the caller has parsed it; it is not changed.
    :raises PageError: if the page cannot be read, or goes beyond a limit.
    """
    check_page(page, limits)
    if root is None:
        root = parse_within(page, encoding, limits)
        yield
    else:
        check_tree(page.url, root, limits)
    layout = yield from layout_in_parts(page.url, root, TODAY, keep_markup=True)
    check_layout(layout, limits)
    return layout


def read_page(page: Page, wanted: Wanted) -> Reading:
    """Return the parts of a page that learning needs. Cost: one parse, one walk, and one more for anchors."""
    try:
        return _read_within(page, wanted)
    except PageError as error:
        return Reading(None, problem=error.reason)
    except Exception as error:  # an error of ours on one page must not lose all other pages
        logger.exception("page skipped: %s", visible(page.url))
        return Reading(None, problem=f"{type(error).__name__}: {error}")


def _read_within(page: Page, wanted: Wanted) -> Reading:
    options = wanted.options
    classic = options.layout == "sequence"
    check_page(page, options.limits)
    root = (parse_classic if classic else parse_within)(page, options.encoding, options.limits)
    if classic:
        check_tree(page.url, root, options.limits)
    layout = _layout(page, root, wanted) if wanted.blocks else None
    if not wanted.anchors:
        return Reading(layout)
    own = site_of(page.url, options.site)
    anchors = find_anchors(root, page, options.limits).anchors
    pairs = {(one.key, one.text): None for one in anchors if site_of(one.target, options.site) == own}
    return Reading(layout, tuple(pairs))


def _layout(page: Page, root: Element, wanted: Wanted) -> Layout:
    options = wanted.options
    layout = layout_of(well_formed(page.url), root, CLASSIC if options.layout == "sequence" else TODAY)
    check_layout(layout, options.limits)
    if wanted.tree is not None:
        return replace(layout, tree=wanted.tree(root))
    return filtered(layout, options.mangle) if options.mangle else layout
