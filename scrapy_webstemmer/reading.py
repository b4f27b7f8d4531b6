"""What learning takes from one page, whatever the others are: its layout and its anchors.

This is most of the work of learning, and can be done in several processes or kept from one run
to the next (``packing.py``). Both want it small: as bytes it takes some 3 KB for a page of 20.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from lxml import etree

from .blocks.anchors import find_anchors
from .blocks.bounds import check_layout, check_page, check_text, check_tree
from .blocks.classic import parse_classic
from .blocks.mangling import mangled
from .blocks.parsing import Element, decode, parse_text
from .blocks.tags import CLASSIC, TODAY
from .blocks.walk import layout_of
from .errors import PageError, visible
from .limits import Limits
from .options import LearnOptions
from .packing import Reading, compress, from_bytes, pack, to_bytes, unpack
from .shelf import ShelvedPage
from .urls import site_of, well_formed
from .values import Page
from .workers import Workers

__all__ = ["Wanted", "digest_of", "parse_within", "read_page", "read_pages"]

logger = logging.getLogger("scrapy_webstemmer.flow")

#: What reading depends on beside our own code and lxml; all come with a version.
_LIBRARIES = ("parsel", "regex", "w3lib", "tldextract")


class Wanted(NamedTuple):
    """What of :class:`~scrapy_webstemmer.options.LearnOptions` matters when a page is read.

    :param encoding: charset of pages that declare none.
    :param layout: ``paths`` or ``sequence``.
    :param site: what a site is, ``domain`` or ``host``.
    :param mangle: of attribute values only what this regular expression finds counts; None: all.
    :param limits: what a page may have at most.
    :param anchors: whether anchors are wanted.
    """

    encoding: str | None = None
    layout: str = "paths"
    site: str = "domain"
    mangle: str | None = None
    limits: Limits = Limits()
    anchors: bool = True

    @classmethod
    def of(cls, options: LearnOptions, *, anchors: bool) -> Wanted:
        """Return what matters of some options."""
        return cls(options.encoding, options.layout, options.site, options.mangle, options.limits, anchors)


def parse_within(page: Page, encoding: str | None, limits: Limits) -> Element:
    """Return the root of a page's tree, as :func:`~scrapy_webstemmer.blocks.parsing.parse` does.

    :raises PageError: if the body is a picture or another binary file.
    :raises LimitError: if parsing it would take too long, or its tree is too large or too deep.
    """
    text = decode(page, encoding)
    check_text(page.url, text, limits)
    root = parse_text(text)
    check_tree(page.url, root, limits, page.body)
    return root


def read_page(page: Page, wanted: Wanted) -> Reading:
    """Return what learning takes from a page; cost: one parse, one walk, and one more for the anchors."""
    try:
        return _read_within(page, wanted)
    except PageError as error:
        return Reading(None, problem=error.reason)
    except Exception as error:  # a fault of ours on one page is no reason to lose all others
        logger.exception("page passed over: %s", visible(page.url))
        return Reading(None, problem=f"{type(error).__name__}: {error}")


def _read_within(page: Page, wanted: Wanted) -> Reading:
    limits, classic = wanted.limits, wanted.layout == "sequence"
    check_page(page, limits)
    root = (parse_classic if classic else parse_within)(page, wanted.encoding, limits)
    if classic:
        check_tree(page.url, root, limits)
    layout = layout_of(well_formed(page.url), root, CLASSIC if classic else TODAY)
    check_layout(layout, limits)
    if wanted.mangle:
        layout = mangled(layout, wanted.mangle, classic=classic)
    if not wanted.anchors:
        return Reading(layout)
    own = site_of(page.url, wanted.site)
    anchors = find_anchors(root, page, limits).anchors
    pairs = {(one.key, one.text): None for one in anchors if site_of(one.target, wanted.site) == own}
    return Reading(layout, tuple(pairs))


class Sent(NamedTuple):
    """What was read of a page, as it goes from one process to another.

    :param plain: as bytes.
    :param packed: the same as a learning set keeps it; empty if none does.
    """

    plain: bytes
    packed: bytes


def read_pages(pages: Iterable[Page], wanted: Wanted, workers: int = 1) -> Iterator[tuple[Page, Reading]]:
    """Yield pages with what was read of them, in any order.

    What a learning set has kept of a page is not read again, if neither the page, what is wanted of it nor
    the code that reads it have changed since; what it has not is kept there.

    :param workers: read in so many processes; 1: in this one.
    :raises WorkerError: if one of them dies.
    """
    read = partial(_read, wanted=wanted, send=workers > 1)
    with Workers[tuple[Page, bytes], tuple[Page, bool], Reading | Sent](read, workers) as pool:
        for page in pages:
            digest = digest_of(page, wanted) if isinstance(page, ShelvedPage) else b""
            kept = _kept(page, digest)
            if kept is not None:
                yield page, kept
                continue
            plain = Page(page.url, page.body, page.encoding, aliases=page.aliases)
            yield from map(_received, pool.add((page, digest), (plain, bool(digest)), len(page.body)))
        yield from map(_received, pool.rest())


def _kept(page: Page, digest: bytes) -> Reading | None:
    """Return what a learning set has kept of a page, if that is of today."""
    if not isinstance(page, ShelvedPage) or page.kept is None or page.kept[0] != digest:
        return None
    return unpack(page.kept[1])


def _read(task: tuple[Page, bool], wanted: Wanted, send: bool) -> Reading | Sent:
    """Read a page, in this process or, to send what was read, in another."""
    page, keep = task
    reading = read_page(page, wanted)
    if not send:
        return reading
    plain = to_bytes(reading)
    return Sent(plain, compress(plain) if keep else b"")


def _received(done: tuple[tuple[Page, bytes], Reading | Sent]) -> tuple[Page, Reading]:
    """Return a page with what was read of it; if its learning set keeps that, it does now."""
    (page, digest), found = done
    reading = found if isinstance(found, Reading) else from_bytes(found.plain)
    if isinstance(page, ShelvedPage):
        page.shelf.keep(page.row, digest, found.packed if isinstance(found, Sent) else pack(reading))
    return page, reading


def digest_of(page: Page, wanted: Wanted) -> bytes:
    """Return what changes whenever something else would be read of a page."""
    digest = _code().copy()
    digest.update(repr((*wanted, page.url, page.encoding, page.aliases)).encode())
    digest.update(page.body)
    return digest.digest()


@lru_cache(maxsize=1)
def _code() -> blake2b:
    """Return a digest of the code that reads pages, ours and that of others."""
    digest = blake2b(digest_size=16)
    folder = Path(__file__).parent
    for path in sorted(
        [*folder.glob("blocks/*.py"), folder / "packing.py", folder / "urls.py", Path(__file__)]
    ):
        digest.update(path.read_bytes())
    versions = [version(name) for name in _LIBRARIES]
    digest.update(repr((*versions, etree.LXML_VERSION, etree.LIBXML_VERSION, sys.byteorder)).encode())
    return digest
