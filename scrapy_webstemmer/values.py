"""The values that travel between the rooms, in the order of the flow; all frozen.

Page -> Layout (of Blocks) -> Cluster -> Section -> Pattern -> Article
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

__all__ = [
    "Article",
    "ArticleSection",
    "Block",
    "Image",
    "LearnWarning",
    "Linkinfo",
    "Markup",
    "Page",
    "Pattern",
    "Section",
    "SitePatterns",
]

#: For a url, the anchor texts under which other pages link to it, with counts.
Linkinfo: TypeAlias = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it was fetched.

    :param url: absolute url under which the page is known.
    :param body: the page's bytes, decoded from any transfer or content encoding.
    :param encoding: the charset's name as the transport declared it; None: find out from the body.
    :param fetched: when, as an ISO 8601 string in UTC; None: unknown.
    :param aliases: further urls that lead to this page (the one that was redirected here).
    :param name: what the source calls the page, a zip's member or a file; empty: nothing but its url.
    """

    url: str
    body: bytes
    encoding: str | None = None
    fetched: str | None = None
    aliases: tuple[str, ...] = ()
    name: str = field(default="", compare=False)


class Block(NamedTuple):
    """A layout block: a run of text between block-level tags.

    A tuple, since a page has hundreds of them and they are made on the hot path.

    :param node: index of the nearest block-level element in the layout's nodes.
    :param text: the text, white space folded (line breaks kept under ``pre``).
    :param weight: number of significant characters: letters, digits and ideographs.
    :param plain: the weight outside links, 0 to ``weight``.
    """

    node: int
    text: str
    weight: int
    plain: int


class Step(NamedTuple):
    """What one block-level element looks like in the page's source.

    :param tag: its name, in lower case.
    :param id: its id; for classic layouts all telling attributes, ``:key=value``, as one string.
    :param classes: its class tokens, in the order of the source.
    """

    tag: str
    id: str
    classes: tuple[str, ...]


class Image(NamedTuple):
    """An image between blocks.

    :param before: how many blocks come before it.
    :param node: the block-level element that holds it.
    :param piece: number of its piece in the markup.
    :param link: where the link around it leads; None if there is none.
    """

    before: int
    node: int
    piece: int
    link: str | None


@dataclass(frozen=True, slots=True)
class Markup:
    """A page's tree, and where in it the parts of its layout are.

    :param root: the root of the tree.
    :param pieces: the tree as pieces, ``tag>text``, as ``blocks/markup.py`` makes them.
    :param nodes: for each node the number of the piece that begins it.
    :param blocks: for each block the first of its pieces, and the one after its last.
    :param images: the images between blocks.
    """

    root: Any
    pieces: Sequence[str]
    nodes: Sequence[int]
    blocks: Sequence[tuple[int, int]]
    images: Sequence[Image]


@dataclass(frozen=True, slots=True)
class Layout:
    """A page as its layout blocks, and the block-level elements (nodes) that hold them.

    Nodes are numbered in the order of the page: a parent comes before its children.

    :param url: the page's url.
    :param steps: what each node looks like.
    :param parents: index of each node's parent, -1 for the first.
    :param links: number of ``a`` elements directly in each node, those without text or target too.
    :param leads: how many of these lead to another page of the same host.
    :param blocks: the blocks, in the order of the page.
    :param title_element: text of the ``title`` element, empty if there is none.
    :param og_title: the ``og:title``, empty if there is none.
    :param fetched: when the page was fetched, ISO 8601; empty: unknown.
    :param markup: what the layout was made from, where it was asked for.
    """

    url: str
    steps: tuple[Step, ...]
    parents: tuple[int, ...]
    links: tuple[int, ...]
    leads: tuple[int, ...]
    blocks: tuple[Block, ...]
    title_element: str = ""
    og_title: str = ""
    fetched: str = ""
    markup: Markup | None = None


class Section(NamedTuple):
    """The blocks that a cluster's pages have at the same place of the layout.

    :param feature: what these blocks look like.
    :param diff_score: how much the text differs from page to page, 0 to 1.
    :param main_score: DiffScore times the mean weight outside links, in characters.
    :param weight: the mean weight on the cluster's pages, in characters.
    """

    feature: str
    diff_score: float
    main_score: float
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Pattern:
    """A cluster's layout with its scores: what is saved and what new pages are matched against.

    :param name: unique within a site; the url of a typical page of the cluster.
    :param kind: ``article``, or ``index`` if most of its pages lead to articles. Whether a page gives an
        article is decided page by page.
    :param score: ln(number of pages) times the sum of MainScores.
    :param pages: how many pages it was learned from.
    :param sections: the layout, in the order of the page.
    :param title: index in ``sections`` of the one that holds the title; None if none of them does.
    :param titles: where the title stands, best first: paths of blocks, ``head/title``, ``head/og:title``
        (path layouts only).
    :param profile: mean share of a page's text by feature, what pages are matched by (path layouts only).
    :param container: path of the element that holds the main text; empty: the main sections alone.
    :param excluded: paths under the container that hold no main text.
    :param sample_title: the title of one of the pages.
    :param sample_url: the url of that page.
    :param main_share: mean share of a page's text that is main text, 0 to 1; None: not known, as with all
        layouts of 2009.
    :param title_share: share of the pages whose title agrees with what they are called: by anchor texts, or
        by a ``title`` element that the title was not taken from; None: not known.
    :param odds: mean of the log odds that its pages are articles, each by what it says of itself; nearer to 0
        the fewer pages there are (path layouts only).
    """

    name: str
    kind: str
    score: float
    pages: int
    sections: tuple[Section, ...]
    title: int | None = None
    titles: tuple[str, ...] = ()
    profile: Mapping[str, float] = field(default_factory=dict)
    container: str = ""
    excluded: tuple[str, ...] = ()
    sample_title: str = ""
    sample_url: str = ""
    main_share: float | None = None
    title_share: float | None = None
    odds: float = 0.0


class UnusedPages(NamedTuple):
    """Pages from which nothing was learned, and why: the reason, how many, one of them."""

    reason: str
    pages: int
    sample_url: str


class LearnWarning(NamedTuple):
    """Why not to trust a site's patterns, or some of them.

    :param kind: ``few pages`` and others; ``docs/commands.md`` says when each is given.
    :param pages: how many of the site's pages are concerned.
    :param patterns: names of the patterns concerned; none: the whole site is.
    """

    kind: str
    pages: int
    patterns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SitePatterns:
    """What was learned of one site.

    :param site: the registered domain of its pages' urls, or their host; ``by`` says which.
    :param layout: ``paths``, or ``sequence`` for the layouts of 2009; see ``LearnOptions.layout``.
    :param pages: how many pages were learned from.
    :param clusters: how many clusters they formed, single pages included.
    :param patterns: best score first.
    :param unused: the pages that went into no pattern.
    :param warnings: what speaks against trusting the patterns.
    :param vocabulary: attribute values that belong to the site's templates, with their number of pages.
    :param boilerplate: text that the site repeats: for a path, the folded texts.
    :param shapes: for what urls of one kind look like, the mean log odds that their pages are articles.
    :param odd_odds: the mean log odds that the pages without a pattern are articles.
    :param prefixes: what the site puts before titles in the ``title`` element.
    :param suffixes: what it puts after them.
    :param mangle: attribute filter, for ``sequence`` alone: of values only what it finds counts; empty: all.
    :param dated: share of the pages of article patterns that have a date in their url, 0 to 1.
    :param by: ``domain`` or ``host``: what pages of the site have in common.
    """

    site: str
    layout: str
    pages: int
    clusters: int
    patterns: tuple[Pattern, ...]
    unused: tuple[UnusedPages, ...] = ()
    warnings: tuple[LearnWarning, ...] = ()
    vocabulary: Mapping[str, int] = field(default_factory=dict)
    boilerplate: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shapes: Mapping[str, float] = field(default_factory=dict)
    odd_odds: float = 0.0
    prefixes: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    mangle: str = ""
    dated: float = 0.0
    by: str = "domain"


class ArticleSection(NamedTuple):
    """A part of an article.

    :param kind: ``title``, ``main``, ``sub``, or ``comment``: a reader's, with the line that tells its date.
    :param number: of the pattern's section that it belongs to, from 0; None where layouts are paths.
    """

    kind: str
    text: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Article:
    """Title and main text of a page.

    :param url: the page's url.
    :param title: one line; empty if the page shows none.
    :param text: the main text, one line a paragraph, heading, list item or line of code.
    :param html: the same as cleaned HTML.
    :param sections: the parts in the order of the page, each with its kind.
    :param pattern: the name of the pattern that matched.
    :param confidence: the probability that the article is right, 0 to 1, calibrated on real sites; None
        where it was not: for layouts of 2009, and for articles without a learning phase.
    :param date: the day of publication, ``YYYY-MM-DD``; None if nothing says so, or it was not asked for.
    :param markdown: the title as a heading and the main text as Markdown; None if it was not asked for.
    """

    url: str
    title: str
    text: str
    html: str
    sections: tuple[ArticleSection, ...]
    pattern: str
    confidence: float | None = None
    date: str | None = None
    markdown: str | None = None
