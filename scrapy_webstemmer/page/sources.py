"""Open a page once: its layout and its links, from its bytes or from a tree."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from ..base.compiled import compiled
from ..base.parts import Parts
from ..errors import PageError
from ..options import Limits
from ..values import Block, Layout, Markup, Page
from .addresses import Address
from .anchors import base_url, links_in, tree_base
from .charsets import decode, utf8_of
from .limits import SHORT, check_layout, check_limit, check_page, check_text, check_tree, parse_within
from .moved import new_order
from .parsing import Element, as_shown, parse_text
from .shown import fates_of, with_main_text
from .tags import TODAY
from .text import fold_title
from .walk import layout_of

if TYPE_CHECKING:
    from .scan import Scan
    from .scan_layout import Columns

# Two ways open a page: its bytes in one compiled pass, or lxml's tree of it. Both give the same. The tree is
# the reference. It also serves if the package was installed without its compiled module, or if the caller has
# parsed the page.

#: A larger page, which only a limit of the user lets pass, has places beyond the compiled module's numbers.
_LARGEST_SCANNED = 2**28
#: The comment that browsers write into a page that they save. The number is the length of the url.
_SAVED_FROM = re.compile(rb"<!--\s*saved from url=\(\d+\)(\S+)\s*-->", re.IGNORECASE)
#: Bound: the comment stands in so many bytes at the beginning, before the page's first element.
_BEGINNING = 4096
_CANONICAL_LINK = "//link[contains(concat(' ', normalize-space(@rel), ' '), ' canonical ')]/@href"
_OG_URL = "//meta[@property='og:url']/@content"


#: A page that is open for reading.
Source: TypeAlias = "TreeSource | _ScanSource"


def open_page(page: Page, encoding: str | None, limits: Limits) -> Source:
    """Open a page.

    :param encoding: the charset of pages that declare none; None: see :func:`~.charsets.decode`.
    :raises PageError: the body is a picture or another binary file.
    :raises LimitError: the page is too large, or has too many or too deeply nested elements.

    Cost: an eighth of lxml's parse; without the compiled module one and a half of it.
    """
    check_page(page, limits)
    scans, layouts = compiled("page.scan"), compiled("page.scan_layout")
    if scans is not None and layouts is not None and len(page.body) < _LARGEST_SCANNED:
        source = utf8_of(page, encoding)
        attributes = limits.attributes if len(source) >= SHORT else len(source)
        scan = scans.Scan(source, limits.elements, limits.depth, attributes)
        if scan.misses:
            scan = scans.Scan(as_shown(source.decode()).encode(), limits.elements, limits.depth, attributes)
        return _ScanSource(page, scan, layouts.layout_of, limits)
    text = decode(page, encoding)
    check_text(page.url, text, limits)
    return TreeSource(page.url, parse_text(text), limits, page.body)


class TreeSource:
    """A page's lxml tree. It is not changed.

    :raises LimitError: the page has too many or too deeply nested elements.
    """

    def __init__(self, url: str, root: Element, limits: Limits, body: bytes = b"") -> None:
        check_tree(url, root, limits, body)
        self.root = root

    def layout(self, url: str) -> Layout:
        """Return the page's layout, with its markup."""
        return layout_of(url, self.root, TODAY, keep_markup=True)

    def links(self) -> Iterable[tuple[str, str]]:
        """Return the target and the text of each link."""
        return links_in(self.root)

    def base(self, url: str) -> str:
        """Return the base of the page's relative urls."""
        return tree_base(self.root, url)


class _ScanSource:
    """A page's source, read by the compiled module; beyond a limit it was not read to its end."""

    def __init__(self, page: Page, scan: Scan, layout_of: Callable[..., Columns], limits: Limits) -> None:
        self._scan, self._layout_of = scan, layout_of
        attributes = scan.attributes if len(scan.source) >= SHORT else 0
        check_limit(page.url, limits, "attributes", attributes)
        check_limit(page.url, limits, "elements", scan.elements)
        check_limit(page.url, limits, "depth", scan.depth)

    def layout(self, url: str) -> Layout:
        """Return the page's layout, with its markup."""
        scan, address, told = self._scan, Address(url), self._scan.told()
        if new_order(told, scan.body_pieces):  # few pages have parts that are moved
            return layout_of(url, parse_text(scan.source.decode()), keep_markup=True)
        fates = fates_of(told, scan)
        read = self._layout_of(scan, address, *fates)

        def read_all(seen: Collection[int]) -> tuple[Sequence[Block], Sequence[tuple[int, int]]]:
            every = self._layout_of(scan, address, {}, seen)
            scan.settle(*fates)
            return every[4], every[6]

        if more := with_main_text(fates, read[4], scan, read_all):
            fates, read = more, self._layout_of(scan, address, *more)
        steps, parents, links, leads, blocks, nodes, spans, images, relations, instead = read
        return Layout(
            url=url,
            steps=steps,
            parents=parents,
            links=links,
            leads=leads,
            blocks=blocks,
            title_element=fold_title(scan.title_text()),
            og_title=fold_title(scan.og_title()),
            stated=scan.stated(relations),
            markup=Markup(
                scan,
                nodes,
                spans,
                images,
                base=lambda: self.base(url),
                tree=lambda: parse_text(scan.source.decode()),
                stating=scan.stating_elements,
                inline=scan.inline,
                end_of=scan.end_of,
                marked=scan.marked,
                instead=instead,
                fates=fates,
            ),
        )

    def links(self) -> Iterable[tuple[str, str]]:
        """Return the target and the text of each link."""
        return self._scan.links()

    def base(self, url: str) -> str:
        """Return the base of the page's relative urls."""
        return base_url(self._scan.base_href(), url)


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
    layout = with_announced(source.layout(page.url), page)
    check_layout(layout, limits)
    return layout


def with_announced(layout: Layout, page: Page) -> Layout:
    """Return a layout with what the server announced of its page."""
    return replace(layout, announced=page.announced) if page.announced else layout


def stated_urls(page: Page, encoding: str | None, limits: Limits) -> list[str]:
    """Return the urls that a page states as its own, the most reliable first.

    They stand in the comment of the browser that saved the page, as the canonical url, and as ``og:url``.
    Only whole urls count. An unreadable page states none. Cost: one parse.
    """
    urls = [url.decode("ascii", "replace") for url in _SAVED_FROM.findall(page.body[:_BEGINNING])]
    try:
        root = parse_within(page, encoding, limits)
    except PageError:
        return []
    urls += [str(url).strip() for path in (_CANONICAL_LINK, _OG_URL) for url in root.xpath(path)]
    return [url for url in dict.fromkeys(urls) if url.lower().startswith(("http://", "https://"))]
