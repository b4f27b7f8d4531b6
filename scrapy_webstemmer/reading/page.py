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
from ..blocks.sources import Source, TreeSource, open_page
from ..blocks.tags import CLASSIC
from ..blocks.walk import layout_of
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
    check_page(page, limits)
    text = decode(page, encoding)
    check_text(page.url, text, limits)
    root = parse_text(text)
    check_tree(page.url, root, limits, page.body)
    return root


def read_layout(
    page: Page, encoding: str | None, limits: Limits, source: Source | None = None
) -> Parts[Layout]:
    """Return a page's layout with its markup, in parts. After the first one the caller may change the tree.

    :param source: the page, if the caller has opened it.
    :raises PageError: if the page cannot be read, or goes beyond a limit.
    """
    if source is None:
        source = open_page(page, encoding, limits)
        yield
    layout = source.layout(page.url)
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
    source = _open(page, wanted)
    layout = _layout(page, source, wanted) if wanted.blocks else None
    if not wanted.anchors:
        return Reading(layout)
    own = site_of(page.url, options.site)
    anchors = find_anchors(source, page, options.limits).anchors
    pairs = {(one.key, one.text): None for one in anchors if site_of(one.target, options.site) == own}
    return Reading(layout, tuple(pairs))


def _open(page: Page, wanted: Wanted) -> Source:
    options = wanted.options
    if options.layout == "sequence":
        check_page(page, options.limits)
        return TreeSource(page.url, parse_classic(page, options.encoding, options.limits), options.limits)
    if wanted.tree is not None and wanted.blocks:
        return TreeSource(page.url, parse_within(page, options.encoding, options.limits), options.limits)
    return open_page(page, options.encoding, options.limits)


def _layout(page: Page, source: Source, wanted: Wanted) -> Layout:
    options, url = wanted.options, well_formed(page.url)
    if isinstance(source, TreeSource) and options.layout == "sequence":
        layout = layout_of(url, source.root, CLASSIC)
    else:
        layout = replace(source.layout(url), markup=None)
    check_layout(layout, options.limits)
    if wanted.tree is not None and isinstance(source, TreeSource):
        return replace(layout, tree=wanted.tree(source.root))
    return filtered(layout, options.mangle) if options.mangle else layout
