"""Extract articles from the first page on, without a learning phase.

    page -> blocks -> segments, counted in the site's table -> what is template -> container -> article

``api.py`` first learns patterns from many pages. Here each page is read once, when it
comes, and compared with what the earlier pages have in common. The rules that find the
main text on a single page are the same: ``extraction/make_article.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from .base.parts import Parts, finish
from .base.urls import link_key, site_of
from .extraction.make_article import article_of_paths, read_in_general
from .options import ExtractOptions, accepts, check_kind
from .page.anchors import Anchor
from .page.sources import Source, read_layout
from .page.tags import HEADINGS
from .page.text import fold
from .segments.segment_files import SegmentTables
from .segments.segment_tables import SegmentTable, template_blocks
from .segments.segmentation import Segmentation, Segmenter, digest
from .site.affixes import Affixes, affixes_of, strip_affixes
from .site.boilerplate import BoilerplateTexts
from .site.element_paths import OwnPaths
from .site.model import SiteModel
from .site.paths import OG_TITLE, TITLE_ELEMENT
from .site.placed import PlacedLayout
from .values import Article, Layout, Page
from .verdict.classifier import own_odds, probability
from .verdict.evidence import evidence_of, is_error_page

#: The ``pattern`` of articles, once enough pages of their site have been seen.
SEGMENTS = "segments"

#: A page gives an article if its own evidence has at least these log odds. Pages beside it have no part, so a
#: doubtful page counts as an article. Measured on 86 sites, as means over the sites: .0001 of the articles
#: are lost, and .07 of the other pages come out. With -2.5 it would be .0000 and .14, with 0 .010 and .03.
_LEAST_ODDS = -1.5
#: A beginning or end of titles is the site's if at least this share of its pages has it, as in learning.
_AFFIX_SHARE = 0.05

_EXTRACT = ExtractOptions()
# Anchors and titles are counted in the table of the blocks, under paths that no block can have.
_PAGE, _CONTENT = "page", "content"
_ANCHOR, _TITLE, _BEFORE, _AFTER = "anchor", "title", "before title", "after title"

_known_digest = lru_cache(maxsize=5_000)(digest)


class IncrementalExtractor:
    """Extracts the articles of pages in the order in which the pages come.

    :param tables: the table of each site, to which the extractor adds; None: new tables in memory.
    """

    def __init__(self, tables: SegmentTables | None = None, options: ExtractOptions = _EXTRACT) -> None:
        self.tables = SegmentTables() if tables is None else tables
        self.options = options
        self._segmenter = Segmenter()
        self._paths, self._boilerplate = OwnPaths(), BoilerplateTexts(())

    def extract(
        self, page: Page, anchors: Iterable[Anchor] = (), *, source: Source | None = None
    ) -> Article | None:
        """Count a page and return the article on it; None if it has no main text or looks like a list.

        The article's ``confidence`` is None. Its ``probability`` is that by the page's own evidence. Its
        ``pattern`` is empty until enough pages of the site have been seen (``SegmentOptions.enough_pages``).

        :param anchors: the page's links. Their texts help to find the titles of the pages they lead to.
        :param source: the page, if the caller has opened it.
        :raises PageError: if the page cannot be read, or exceeds a limit.

        Cost: one reading of the page, one look-up for each segment, and some passes
        over the blocks. Memory does not grow with the number of pages.
        """
        check_kind("page", page, Page)
        return finish(self.extract_in_parts(page, anchors, source=source))

    def extract_in_parts(
        self,
        page: Page,
        anchors: Iterable[Anchor] = (),
        *,
        source: Source | None = None,
        layout: Layout | None = None,
    ) -> Parts[Article | None]:
        """Do the work of :meth:`extract` in parts. A page that is read in between may be counted first.

        :param layout: the page's layout from ``page.sources.read_layout``, if the caller has it.
        """
        if not accepts(self.options.url_rules, page.url):
            return None
        if layout is None:
            layout = yield from read_layout(page, self.options.encoding, self.options.limits, source)
        if not layout.blocks:
            return None
        yield
        site, key = site_of(page.url), link_key(page.url)
        table = self.tables.table(site)
        segmentation = self._segmenter.segments(layout)
        yield
        own = (anchor for anchor in anchors if site_of(anchor.target) == site)
        name, content = digest(_PAGE, key), digest(_CONTENT, _content(layout))
        if not table.frequency(name) and table.frequency(content):
            name = content  # the same page under another url
        table.add(name, chain((content,), _digests(segmentation), _names(layout, own, table)))
        template = template_blocks(segmentation, table)
        placed, affixes = self._place(layout, template, table, key)
        yield
        article = yield from self._article(placed, affixes)
        if article is None:
            return None
        return _marked(article, table)

    def _place(
        self, layout: Layout, template: Sequence[bool], table: SegmentTable, key: str
    ) -> tuple[PlacedLayout, Affixes]:
        """Return a page's layout placed in its site, and what the site puts before and after titles."""
        layout = replace(layout, title_element=_called(layout, template, table, key))
        affixes = _affixes(layout.title_element, table)
        model = SiteModel({}, self._paths, self._boilerplate, affixes, names=False)
        return replace(model.place(layout), boilerplate=bytes(template)), affixes

    def _article(self, page: PlacedLayout, affixes: Affixes) -> Parts[Article | None]:
        """Return the article in the element that holds most of a page, in parts; None: it seems a list."""
        evidence = evidence_of(page, affixes)
        odds, every = own_odds(evidence), self.options.all_kinds
        if odds < _LEAST_ODDS and not (every and not is_error_page(page.layout)):
            return None
        read = read_in_general(
            page, affixes, probability(odds), (OG_TITLE, TITLE_ELEMENT), as_article=not every
        )
        read = read.with_type(evidence) if every else read
        return (yield from article_of_paths(read, self.options)) if read.parts.main else None


def _content(layout: Layout) -> str:
    """Return a page's title and its text outside links, by which a copy of it is known."""
    return "\n".join((layout.title_element, *(block.text for block in layout.blocks if block.plain)))


def _digests(page: Segmentation) -> Iterator[int]:
    return (segment.digest for segment in chain.from_iterable(page))


def _names(layout: Layout, anchors: Iterable[Anchor], table: SegmentTable) -> Iterator[int]:
    """Yield the digests of texts that name pages: the title, its beginnings and ends, the anchor texts.

    If the title was counted before, its beginnings and ends are not counted again: pages with equal titles
    do not show what the site puts before and after titles.
    """
    title = digest(_TITLE, layout.title_element)
    yield title
    if not table.frequency(title):
        before, after = affixes_of(layout.title_element)
        yield from (_known_digest(_BEFORE, text) for text in before)
        yield from (_known_digest(_AFTER, text) for text in after)
    yield from (_known_digest(_ANCHOR, f"{anchor.key} {anchor.text}") for anchor in anchors)


def _affixes(title: str, table: SegmentTable) -> Affixes:
    """Return those beginnings and ends of a title that are template on the site."""
    least = max(table.options.template_frequency, _AFFIX_SHARE * table.counts.different)
    before, after = affixes_of(title)
    return (
        tuple(text for text in before if table.frequency(_known_digest(_BEFORE, text)) >= least),
        tuple(text for text in after if table.frequency(_known_digest(_AFTER, text)) >= least),
    )


def _called(layout: Layout, template: Sequence[bool], table: SegmentTable, key: str) -> str:
    """Return the page's name: a heading or title that is also an anchor text, else the title element.

    The table stores no texts, but it can tell whether it has counted one.
    """
    headings = (
        fold(block.text)
        for block, boilerplate in zip(layout.blocks, template, strict=True)
        if not boilerplate and layout.steps[block.node].tag in HEADINGS
    )
    titles = (strip_affixes(layout.title_element, _affixes(layout.title_element, table)), layout.og_title)
    candidates = dict.fromkeys(filter(None, chain(headings, titles)))
    known = (text for text in candidates if table.frequency(digest(_ANCHOR, f"{key} {text}")))
    return next(known, layout.title_element)


def _marked(article: Article, table: SegmentTable) -> Article:
    """Return the article; its pattern then says whether enough pages of the site are known."""
    known = table.counts.different >= table.options.enough_pages
    return replace(article, pattern=SEGMENTS if known else "", confidence=None)
