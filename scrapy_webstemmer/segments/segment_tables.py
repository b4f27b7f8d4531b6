"""Detect templates incrementally: count the texts that a site repeats, page by page."""

from __future__ import annotations

import math
import weakref
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from ..base.files import Database, FileFormat
from ..errors import SegmentFileError
from ..html.markup import (
    COMMENT,
    LINK,
    LINK_END,
    SKIPPED,
    TRANSPARENT,
    TagReader,
    plain_text,
    skip_element,
    tag_reader,
)
from ..html.tags import TODAY
from ..html.text import fold
from ..options import SegmentOptions
from ..values import Block, Layout

# --- Divide a page's layout blocks into text segments: each is the text between two tags, with its path

#: Bytes of a digest. As an integer, it has at most two of Python's digits, and SQLite can hold it.
_BYTES = 7
#: The most blocks and the most paths that are kept: the pages of a site share most of them.
_MOST_KNOWN = 5_000
#: Only blocks with at most this many characters of source are kept.
_LONGEST_KNOWN = 300
#: Kinds of tags that begin or end an element in a block, and kinds that are skipped.
_OPENING, _UNREAD = (LINK, TRANSPARENT), (SKIPPED, COMMENT)
#: Limits for the depth of elements and for the characters of a path. Beyond them, an element has its parent's
#: path.
_MAX_DEPTH, _LONGEST_PATH = 100, 1_000


class Segment(NamedTuple):
    """A text segment: the digest of its path and text, and the number of characters of the text."""

    digest: int
    length: int


#: The segments of each block of a page, in the order of the page.
Segmentation = Sequence[Sequence[Segment]]


def digest(path: str, text: str) -> int:
    """Return the digest of a segment: 56 bits, the same in every process.

    >>> digest("body/div", "Home") == digest("body/div", "Home") != digest("body", "Home")
    True
    """
    found = blake2b(f"{path}\0{text}".encode("utf-8", "replace"), digest_size=_BYTES).digest()
    return int.from_bytes(found, "big")


class Segmenter:
    """Divides pages into text segments. It keeps some segments and paths, since many pages share them."""

    def __init__(self) -> None:
        self._segments: dict[tuple[str, str], tuple[Segment, ...]] = {}
        self._paths: dict[tuple[str, str], str] = {}

    def segments(self, layout: Layout) -> Segmentation:
        """Return the text segments of each block of a page.

        :param layout: the page's layout, with its markup.

        The path of a segment is the path of its block, as tags, and the tags of the
        elements in the block that are open there.
        """
        markup = layout.markup
        assert markup is not None  # noqa: S101 - the caller keeps the markup
        reader, paths, known = tag_reader(TODAY), self._node_paths(layout), self._segments
        if len(known) > _MOST_KNOWN:
            known.clear()
        found = []
        for block, (first, end) in zip(layout.blocks, markup.blocks, strict=True):
            path, pieces = paths[block.node], markup.pieces[first:end]
            key = (path, "<".join(pieces))
            segments = known.get(key)
            if segments is None:
                segments = tuple(_segments(block, pieces, path, reader))
                if len(key[1]) <= _LONGEST_KNOWN:
                    known[key] = segments
            found.append(segments)
        return found

    def _node_paths(self, layout: Layout) -> list[str]:
        """Return the path of each node, made of tags alone."""
        known = self._paths
        if len(known) > _MOST_KNOWN:
            known.clear()
        found: list[str] = []
        for step, parent in zip(layout.steps, layout.parents, strict=True):
            key = (found[parent] if parent >= 0 else "", step.tag)
            path = known.get(key)
            if path is None:
                above = key[0]
                path = known[key] = above if above.count("/") >= _MAX_DEPTH else f"{above}/{step.tag}"
            found.append(path)
        return found


def _segments(block: Block, pieces: Sequence[str], path: str, reader: TagReader) -> list[Segment]:
    """Return the segments of a block. Preformatted text is one segment: its tags come from a highlighter."""
    if "/pre" not in path:
        texts = _texts(pieces, path, reader)
        if len(texts) != 1:
            folded = [(path, fold(plain_text(text))) for path, text in texts]
            return [Segment(digest(path, text), len(text)) for path, text in folded]
        path = texts[0][0]
    return [Segment(digest(path, block.text), len(block.text))]


def _texts(pieces: Sequence[str], path: str, reader: TagReader) -> list[tuple[str, str]]:
    """Return the texts of a block as in the source, each with its path.

    :param pieces: the pieces of the block.
    :param path: the path of the element that holds the block.
    """
    found: list[tuple[str, str]] = []
    known, span = reader.known, enumerate(pieces)
    for number, piece in span:
        tag_text, _, text = piece.partition(">")
        tag = known.get(tag_text) or reader.read(tag_text)
        kind = tag.kind
        if kind in _OPENING:
            if tag_text[0] == "/":
                path = _above(path, tag.name)
            elif tag_text[-1] != "/" and len(path) < _LONGEST_PATH:
                path = f"{path} {tag.name}"
        elif kind == LINK_END:
            path = _above(path, "a")
        elif kind in _UNREAD:
            _, text = skip_element(span, number, piece, tag)
        if text and not text.isspace():
            found.append((path, text))
    return found


def _above(path: str, tag: str) -> str:
    """Return the path without an element that ends; the same path if the element began before the block."""
    above, space, name = path.rpartition(" ")
    return above if space and name == tag else path


# --- Tell which blocks of a page are template: enough of their text is in segments that enough pages have


def template_blocks(page: Segmentation, table: SegmentTable) -> list[bool]:
    """Return for each block of a page whether it is template. Cost: a look-up per segment.

    :param table: the site's table; the page must have been counted in it.
    """
    most = table.options.template_ratio
    return [template_ratio(block, table) > most for block in page]


def template_ratio(block: Sequence[Segment], table: SegmentTable) -> float:
    """Return the share of a block's text in template segments, from 0 to 1."""
    least = table.options.template_frequency
    total = template = 0
    for digest, length in block:
        total += length
        if table.frequency(digest) >= least:
            template += length
    return template / total if total else 0.0


# --- Count on how many pages of a site each text segment is, and forget segments that do not come again

#: One integer holds a frequency and the number of a last page: this many bits are the page's.
_PAGE_BITS = 32
_PAGE_MASK = (1 << _PAGE_BITS) - 1
_OPTIONS = SegmentOptions()


class SegmentRow(NamedTuple):
    """A row of the table: a segment, or a page that was counted.

    :param digest: its digest, 56 bits.
    :param frequency: its document frequency: the number of pages on which it was seen.
    :param last: the number of the last of these pages, from 1.
    """

    digest: int
    frequency: int
    last: int


@dataclass(slots=True)
class SiteCounts:
    """Counts of a site's pages.

    :param pages: all pages; the clock by which segments are forgotten.
    :param different: pages without those that were known already.
    """

    pages: int = 0
    different: int = 0


def lifetimes(options: SegmentOptions) -> tuple[int, ...]:
    """Return after how many pages an unseen segment is forgotten, by its document frequency, from 0.

        t = T_b N / (1 + (N - 1) e^-(DF - 1))

    It is rounded. It is T_b for a frequency of 1, and never more than T_b N. The last one holds for all
    higher frequencies.

    >>> lifetimes(SegmentOptions(lifetime=100, longest=10))[:5]
    (0, 100, 232, 451, 691)
    """
    most = options.lifetime * options.longest
    found = [0]
    while found[-1] < most:
        decay = math.exp(1 - len(found))
        found.append(round(most / (1 + (options.longest - 1) * decay)))
    return tuple(found)


class SegmentTable:
    """The segments of one site. The same pages in the same order give the same table.

    A segment takes about 150 bytes of memory, 16 of them information. It is two
    integers in a dictionary: its digest, and its frequency packed with its last page.
    Its digest is also in a list of segments to look at after a certain page, to
    forget them. The work per segment is constant: it is looked at again no more often
    than it has been seen.

    :param counts: the counts of the pages that the rows are from; the table keeps and changes them.
    :param rows: the rows that are known from an earlier crawl.
    """

    def __init__(
        self,
        options: SegmentOptions = _OPTIONS,
        counts: SiteCounts | None = None,
        rows: Iterable[SegmentRow] = (),
    ) -> None:
        self.options = options
        self.counts = counts or SiteCounts()
        self._lifetimes = lifetimes(options)
        self._values: dict[int, int] = {}
        #: By number of a page, the digests to look at after this page was counted.
        self._due: dict[int, array[int]] = defaultdict(lambda: array("Q"))
        for row in rows:
            self._values[row.digest] = row.frequency << _PAGE_BITS | row.last
            self._due[max(self.due(row), self.counts.pages + 1)].append(row.digest)

    def __len__(self) -> int:
        """Return how many segments and pages are known."""
        return len(self._values)

    def __iter__(self) -> Iterator[SegmentRow]:
        """Yield the rows of all known segments and pages, in no order."""
        for digest, value in self._values.items():
            yield SegmentRow(digest, value >> _PAGE_BITS, value & _PAGE_MASK)

    def frequency(self, digest: int) -> int:
        """Return the number of pages on which a segment was seen; 0 if it is not known."""
        return self._values.get(digest, 0) >> _PAGE_BITS

    def add(self, page: int, digests: Iterable[int]) -> bool:
        """Count each segment of a page once. Then forget the segments that were not seen for too long.

        :param page: the digest of the page's name; it must differ from those of segments.
        :returns: whether the page is new. If not, its segments are remembered for longer, but not counted.
        """
        values, counts = self._values, self.counts
        counts.pages += 1
        new = page not in values
        counts.different += new
        raised = (1 << _PAGE_BITS) + counts.pages
        seen = raised if new else counts.pages
        first = []
        for digest in set(digests):
            value = values.get(digest)
            if value is None:
                first.append(digest)
                values[digest] = raised
            else:
                values[digest] = (value & ~_PAGE_MASK) + seen
        if new:
            first.append(page)
        values[page] = (values.get(page, 0) & ~_PAGE_MASK) + raised
        self._due[counts.pages + self._lifetimes[1]].extend(first)
        self._shrink()
        return new

    def due(self, row: SegmentRow) -> int:
        """Return the number of the page after which a segment is forgotten, unless it is seen until then."""
        return self._end(row.frequency, row.last)

    def _end(self, frequency: int, last: int) -> int:
        return last + self._lifetimes[min(frequency, len(self._lifetimes) - 1)]

    def _shrink(self) -> None:
        """Forget the segments that are due; those that were seen since get a later date."""
        values, page = self._values, self.counts.pages
        for digest in self._due.pop(page, ()):
            value = values[digest]
            end = self._end(value >> _PAGE_BITS, value & _PAGE_MASK)
            if end <= page:
                del values[digest]
            else:
                self._due[end].append(digest)


# --- Keep the segment tables of many sites in memory, and save them in a SQLite file for later crawls

_OPTIONS = SegmentOptions()

_SCHEMA = """
CREATE TABLE site (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    pages INTEGER NOT NULL,
    different INTEGER NOT NULL
);
CREATE TABLE segment (
    site INTEGER NOT NULL,
    digest INTEGER NOT NULL,
    frequency INTEGER NOT NULL,
    last INTEGER NOT NULL,
    due INTEGER NOT NULL,
    PRIMARY KEY (site, digest)
) WITHOUT ROWID;
"""

#: The application id is ``WSTS`` in the file's header.
_SEGMENTS = FileFormat("segment table", 0x57535453, 2, _SCHEMA, SegmentFileError)

_SITE = """
INSERT INTO site (name, pages, different) VALUES (?, ?, ?)
ON CONFLICT (name) DO UPDATE SET pages = excluded.pages, different = excluded.different
RETURNING id
"""
_SEGMENT = "INSERT OR REPLACE INTO segment (site, digest, frequency, last, due) VALUES (?, ?, ?, ?, ?)"

# In a damaged file a column may hold anything; invalid rows are skipped.
_ROWS = """
SELECT digest, frequency, min(last, ?) FROM segment
WHERE site = ? AND typeof(digest) = 'integer' AND digest BETWEEN 0 AND 72057594037927935
    AND typeof(frequency) = 'integer' AND frequency BETWEEN 1 AND 4294967295
    AND typeof(last) = 'integer' AND last BETWEEN 0 AND 4294967295
"""
_COUNTS = """
SELECT id, pages, different FROM site WHERE name = ? AND typeof(pages) = 'integer'
    AND typeof(different) = 'integer' AND pages BETWEEN 0 AND 4294967295
"""


class SegmentTables:
    """The tables of all sites of a program, in memory alone. Each site has its own table."""

    def __init__(self, options: SegmentOptions = _OPTIONS) -> None:
        self.options = options
        self._tables: dict[str, SegmentTable] = {}

    def table(self, site: str) -> SegmentTable:
        """Return a site's table; an empty one for a new site."""
        table = self._tables.get(site)
        if table is None:
            table = self._tables[site] = self._load(site)
        return table

    def _load(self, site: str) -> SegmentTable:  # noqa: ARG002 - for classes with stored tables
        return SegmentTable(self.options)


class SegmentFile(SegmentTables):
    """Segment tables that are saved in a SQLite file; a missing or empty file is made into one.

    A site's table is read when its first page comes. A save removes it from memory
    if it is unchanged since the last save and nobody holds it. A page in work holds
    its table, because it may be counted after any number of saves. Saved data
    survives if the process is killed. Two crawls of one site at the same time would
    save only their own counts: give each crawl its own file.

    :raises SegmentFileError: the file is another program's, of an unknown version, damaged or not accessible.
    """

    def __init__(self, path: str | Path, options: SegmentOptions = _OPTIONS) -> None:
        super().__init__(options)
        self.path = Path(path)
        #: For each site in memory, the counts that are in the file.
        self._saved: dict[str, SiteCounts] = {}
        self._file = Database(self.path, _SEGMENTS, readonly=False)
        self._db = self._file.connection

    def save(self) -> None:
        """Save all changes in one transaction. Cost: a look at each segment of the changed sites.

        :raises SegmentFileError: the file cannot be written. Nothing was saved; the next save has it all.
        """
        with self._file.transaction():
            for site in self._changed():
                self._save_site(site, self._tables[site])
        changed = set(self._changed())
        for site in list(self._tables):
            if site in changed:
                self._saved[site] = replace(self._tables[site].counts)
            else:
                self._let_go(site)

    def close(self) -> None:
        """Save and close the file.

        :raises SegmentFileError: the file cannot be written; it is closed in any case.
        """
        try:
            self.save()
        finally:
            self._file.close()

    def _changed(self) -> Iterator[str]:
        return (site for site, saved in self._saved.items() if self._tables[site].counts != saved)

    def _let_go(self, site: str) -> None:
        """Forget a site's table, unless somebody still holds it: later counts in it would be lost."""
        table = weakref.ref(self._tables.pop(site))
        if (used := table()) is None:
            del self._saved[site]
        else:
            self._tables[site] = used

    def _save_site(self, site: str, table: SegmentTable) -> None:
        counts, saved = table.counts, self._saved[site].pages
        values = (site, counts.pages, counts.different)
        number = self._db.execute(_SITE, values).fetchone()[0]
        rows = ((number, *row, table.due(row)) for row in table if row.last > saved)
        self._db.executemany(_SEGMENT, rows)
        self._db.execute("DELETE FROM segment WHERE site = ? AND due <= ?", (number, counts.pages))

    def _load(self, site: str) -> SegmentTable:
        with self._file.translated(site):
            found = self._db.execute(_COUNTS, (site,)).fetchone()
            if found is None:
                self._saved[site] = SiteCounts()
                return SegmentTable(self.options)
            number, *numbers = found
            counts = SiteCounts(*numbers)
            rows = self._db.execute(_ROWS, (counts.pages, number))
            self._saved[site] = replace(counts)
            return SegmentTable(self.options, counts, map(SegmentRow._make, rows))
