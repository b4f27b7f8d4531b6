"""Open a page, to read its layout and its links: its bytes in one compiled pass, or lxml's tree of it.

Both ways give the same. The tree is the reference. It also serves if the package was installed without its
compiled module, or if the caller has parsed the page.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from ..base.compiled import compiled
from ..base.limits import Limits
from ..errors import LimitError
from ..values.layouts import Layout, Markup
from ..values.pages import Page
from .anchors import base_url, links_in, tree_base
from .bounds import SHORT, check_page, check_text, check_tree
from .links import Address
from .parsing import Element, decode, parse_text, utf8_of
from .tags import TODAY
from .text import fold
from .walk import layout_of

if TYPE_CHECKING:
    from .scan import Scan

_scan = compiled("blocks.scan")

#: A larger page, which only a limit of the user lets pass, has places beyond the compiled module's numbers.
_LARGEST = 2**28


class Source(Protocol):
    """A page that is open for reading."""

    def layout(self, url: str) -> Layout:
        """Return the page's layout, with its markup."""

    def links(self) -> Iterable[tuple[str, str]]:
        """Return the target and the text of each link, as :func:`~.anchors.links_in` does."""

    def base(self, url: str) -> str:
        """Return the base of the page's relative urls."""


def open_page(page: Page, encoding: str | None, limits: Limits) -> Source:
    """Open a page.

    :param encoding: the charset of pages that declare none; None: see :func:`~.parsing.decode`.
    :raises PageError: the body is a picture or another binary file.
    :raises LimitError: the page is too large, or has too many or too deeply nested elements.

    Cost: a sixth of lxml's parse; without the compiled module one and a half of it.
    """
    check_page(page, limits)
    if _scan is not None and len(page.body) < _LARGEST:
        source = utf8_of(page, encoding)
        attributes = limits.attributes if len(source) >= SHORT else len(source)
        scan = _scan.Scan(source, limits.elements, limits.depth, attributes)
        return _ScanSource(page, scan, limits)
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

    def __init__(self, page: Page, scan: Scan, limits: Limits) -> None:
        self._scan = scan
        if scan.attributes > limits.attributes and len(scan.source) >= SHORT:
            reason = f"has an element with more than {limits.attributes:,} attributes"
            raise LimitError(page.url, "attributes", reason)
        if scan.elements > limits.elements:
            raise LimitError(page.url, "elements", f"has more than {limits.elements:,} elements")
        if scan.depth > limits.depth:
            raise LimitError(page.url, "depth", f"has an element in more than {limits.depth:,} others")

    def layout(self, url: str) -> Layout:
        """Return the page's layout, with its markup."""
        scan = self._scan
        steps, parents, links, leads, blocks, nodes, spans, images, relations = scan.layout(Address(url))
        return Layout(
            url=url,
            steps=steps,
            parents=parents,
            links=links,
            leads=leads,
            blocks=blocks,
            title_element=fold(scan.title_text()),
            og_title=fold(scan.og_title()),
            stated=scan.stated(relations),
            markup=Markup(scan, nodes, spans, images, lambda: self.base(url), self._tree),
        )

    def _tree(self) -> Element:
        return parse_text(self._scan.source.decode())

    def links(self) -> Iterable[tuple[str, str]]:
        """Return the target and the text of each link."""
        found: Iterable[tuple[str, str]] = self._scan.links()
        return found

    def base(self, url: str) -> str:
        """Return the base of the page's relative urls."""
        return base_url(self._scan.base_href(), url)
