"""The values that travel between the rooms of the package, in the order of the flow. All are frozen."""

from __future__ import annotations

import re
import warnings
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from html import escape
from itertools import chain
from typing import Any, NamedTuple, Protocol, TypeAlias

#: The characters that XML 1.0 cannot have, among them all that UTF-8 cannot have.
NO_XML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_CONTROLS = bytes({*range(32)} - {*b"\t\n\r"})


def valid_text(text: str) -> str:
    """Return a text without the characters that XML 1.0 or UTF-8 cannot have.

    Cost: a fraction of that of a search, for a text that has none of them.
    """
    if text.isprintable():
        return text
    try:
        data = text.encode()
    except UnicodeEncodeError:
        return NO_XML.sub("", text)
    has_none = len(data.translate(None, _CONTROLS)) == len(data)
    return text if has_none and "\ufffe" not in text and "\uffff" not in text else NO_XML.sub("", text)


def _valid(value: Any) -> Any:
    """Return a value with valid texts, those of tuples as well."""
    if isinstance(value, tuple):
        valid = map(_valid, value)
        return type(value)(*valid) if hasattr(value, "_fields") else tuple(valid)
    return valid_text(value) if isinstance(value, str) else value


class Linkinfo(Protocol):
    """For each url, the anchor texts under which other pages link to it, with counts; a mapping is one."""

    def items(self) -> Iterable[tuple[str, Mapping[str, int]]]:
        """Return the urls, each with its anchor texts."""


class Announcement(NamedTuple):
    """What a feed, or a sitemap of news, says about a page of its site.

    :param title: of the article; empty: it says none, as with the others.
    :param published: the time of publication, ISO 8601.
    :param authors: their names.
    """

    title: str = ""
    published: str = ""
    authors: tuple[str, ...] = ()

    def over(self, earlier: Announcement | None) -> Announcement:
        """Return what this and an earlier one say together; what both say is taken from this one."""
        pairs = zip(self, earlier or Announcement(), strict=True)
        return Announcement._make(new or old for new, old in pairs)


#: What the fields of a page may be. Scrapy has the bytes in ``response.body``.
_IN_PAGE: dict[str, Any] = {"url": str, "body": bytes, "encoding": str | None, "fetched": str | None}
_IN_PAGE |= {"aliases": tuple | list, "announced": Announcement | None}


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it was fetched.

    :param url: the page's absolute url.
    :param body: the page's bytes, after any transfer or content encoding has been undone.
    :param encoding: name of the charset, as the transport declared it; None: find it in the body.
    :param fetched: the time at which it was fetched, as an ISO 8601 string in UTC; None: unknown.
    :param aliases: other urls that lead to this page, such as one that was redirected to it.
    :param name: the page's name in its source, such as a zip member or a file; empty: it has only its url.
    :param announced: what a feed of its site says about it; None: nothing is known.
    """

    url: str
    body: bytes
    encoding: str | None = None
    fetched: str | None = None
    aliases: tuple[str, ...] = ()
    name: str = field(default="", compare=False)
    announced: Announcement | None = None

    def __post_init__(self) -> None:
        for name, kind in _IN_PAGE.items():
            if not isinstance(value := getattr(self, name), kind):
                what, hint = getattr(kind, "__name__", kind), "; see response.body" * (name == "body")
                raise TypeError(f"{name} of a Page must be {what}, not {type(value).__name__}{hint}")

    def __repr__(self) -> str:
        """Return the page in a line, without its body."""
        declared = f", encoding={self.encoding!r}" if self.encoding else ""
        return f"<Page {self.url!r}: {len(self.body):,} bytes{declared}>"


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


class Trace(NamedTuple):
    """Where a page shows a value of one of its article's fields, or states it without showing it.

    :param field: the field, a name of ``Article``.
    :param value: a name, a topic, a day ``YYYY-MM-DD``, or another text that the page states.
    :param stated: whether the page states the value to programs; else an element is marked as its place.
    :param block: index of the block that shows it; -1: none does.
    :param line: the block's text with its inline tags (``page/marks.py``); empty: none shows it.
    :param at: where the value begins in the line; -1: unknown, as for days.
    """

    field: str
    value: str
    stated: bool
    block: int = -1
    line: str = ""
    at: int = -1


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
    :param stating: returns what elements state about the page, each as its kind, a name and a value, given
        the names of what ``meta`` elements may state (``page/facts.py``).
    :param inline: returns for the pieces from one up to another the tag in its short form, and the text
        (``page/marks.py``).
    :param end_of: returns the index of the piece that ends the element of another piece.
    :param marked: returns the pieces, from one up to another, whose start tag has one of some bytes: those
        for elements of its name, or those for all, which have the name "". Each as its index and its tag.
    :param instead: for the first piece of an element that is not read as it stands, the text that is read
        instead (``page/instead.py``); empty for an element that is passed over.
    :param fates: the indexes of the pieces that begin hidden elements, each with that of its last piece; and
        of those that begin elements which are shown though their kind is not (``page/shown.py``).
    """

    pieces: Sequence[str]
    nodes: Sequence[int]
    blocks: Sequence[tuple[int, int]]
    images: Sequence[Image]
    base: Callable[[], str]
    tree: Callable[[], Any]
    stating: Callable[[Collection[str]], Iterable[tuple[str, str, str]]]
    inline: Callable[[int, int], Sequence[tuple[str, str]]]
    end_of: Callable[[int], int]
    marked: Callable[[Mapping[str, tuple[bytes, ...]], int, int], Sequence[tuple[int, str]]]
    instead: Mapping[int, str] = field(default_factory=dict)
    fates: tuple[Mapping[int, int], Collection[int]] = ({}, ())


#: A number for each node of a page, as an array of the type ``i``: loops over it are quick, and it is small.
Column: TypeAlias = "array[int]"


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
    :param stated: the facts that the page's markup states about it (``page/facts.py``).
    :param fetched: the time at which the page was fetched, ISO 8601; empty: unknown.
    :param traces: where the page shows what it states about its article; only for learning.
    :param markup: the markup that the layout was made from; None: it was not asked for.
    :param tree: the page's layout tree, a ``Tree`` of the room ``trees``; None: it was not asked for.
    :param announced: what a feed says about the page; None: nothing is known.
    """

    url: str
    steps: tuple[Step, ...]
    parents: Column
    links: Column
    leads: Column
    blocks: tuple[Block, ...]
    title_element: str = ""
    og_title: str = ""
    stated: frozenset[str] = frozenset()
    fetched: str = ""
    traces: tuple[Trace, ...] = ()
    markup: Markup | None = None
    tree: Any = None
    announced: Announcement | None = None


class Author(NamedTuple):
    """Who wrote an article.

    :param url: of a page about the author; None: unknown.
    """

    name: str
    url: str | None = None


class Breadcrumb(NamedTuple):
    """A step on the way from the site's front page to a page; ``url`` is None if the step has no link."""

    name: str
    url: str | None = None


class ArticleImage(NamedTuple):
    """A picture in an article.

    :param url: its absolute url.
    :param alt: the text that stands for it; None: the page gives none.
    :param caption: the text below it; None: it has none.
    """

    url: str
    alt: str | None = None
    caption: str | None = None


class Comment(NamedTuple):
    """A reader's comment.

    :param author: the name; None: it is not known.
    :param date: ISO 8601, a day or a time, as exact as it is known; None: it is not known.
    :param text: a line for each paragraph.
    :param depth: number of comments in which it stands: 0 for one that answers none.
    """

    author: str | None
    date: str | None
    text: str
    depth: int = 0


class ArticleSection(NamedTuple):
    """A part of an article.

    :param kind: ``title``, ``main``, or ``sub`` (supplementary).
    :param number: index of its section in the pattern; None for path layouts.
    """

    kind: str
    text: str
    number: int | None = None


@dataclass(frozen=True, kw_only=True)  # without slots, so that ``made`` only sets what is given
class Article:
    """The article of a page: its title, its text, and what the page states about it.

    Texts and numbers that are not known, or were not asked for, are None, and collections are empty. Times,
    authors and so on have the names and the forms of ``zyte_common_items.Article``, in the style of Python.
    Whatever a page has in its text and its statements, all texts here are valid in XML 1.0 and in UTF-8:
    everything that leaves the package is made from an article. An article is true if it has a text.

    :param url: the page's url.
    :param title: one line; empty if the page shows none.
    :param text: the main text: each paragraph, heading, list item or line of code is one line.
    :param html: the main text as cleaned HTML.
    :param pattern: name of the pattern that matched; empty if none did.
    :param confidence: the probability that the article is right, 0 to 1, calibrated on real sites. None
        without calibration: for layouts of 2009, and layout trees.
    :param probability: the probability that the page is an article, and not a list or another kind of page,
        0 to 1. None where nothing judges it: for layouts of 2009 and layout trees.
    :param provisional: whether it came before its site was learned, in a crawl that gives articles at once.
        It comes again if the page still is an article then.
    :param page_type: the type of the page if all kinds of pages were asked for: ``article``, ``collection``
        (it lists other pages), ``documentation``, ``forum``, ``product`` or ``service``; else None.
    :param page_type_confidence: the probability that the type is right, 0 to 1, calibrated; None if there is
        no type.
    :param date: the day of publication, ``YYYY-MM-DD``: that of ``date_published``.
    :param markdown: the title as a heading and the main text as Markdown.
    :param sections: the parts in the order of the page, each with its kind.
    :param date_published: the time of publication, ISO 8601, as exact as the page gives it.
    :param date_published_raw: the text that it was read from.
    :param date_modified: the time of the last change, in the same way.
    :param date_modified_raw: the text that it was read from.
    :param authors: in their order.
    :param description: a short text about the article.
    :param main_image: the url of the picture that the page shows to others, or else of the article's first.
    :param videos: urls of videos, those that are stated first.
    :param audios: urls of recordings, in the same way.
    :param language: a BCP 47 tag, such as ``pt-BR``.
    :param tags: topics, as the publisher names them.
    :param breadcrumbs: the way from the site's front page.
    :param canonical_url: the url that the page calls its own.
    :param site_name: the name of the site.
    :param comment_count: number of readers' comments.
    :param images: the pictures in the article's HTML, in their order; none if there is no HTML.
    :param comments: the readers' comments, in the order of the page.
    :param comments_read: whether the comments were asked for: then a page without any has none.
    """

    url: str
    title: str
    text: str
    html: str = ""
    pattern: str = ""
    confidence: float | None = None
    probability: float | None = None
    provisional: bool = False
    page_type: str | None = None
    page_type_confidence: float | None = None
    date: str | None = None
    markdown: str | None = None
    sections: tuple[ArticleSection, ...] = ()
    date_published: str | None = None
    date_published_raw: str | None = None
    date_modified: str | None = None
    date_modified_raw: str | None = None
    authors: tuple[Author, ...] = ()
    description: str | None = None
    main_image: str | None = None
    videos: tuple[str, ...] = ()
    audios: tuple[str, ...] = ()
    language: str | None = None
    tags: tuple[str, ...] = ()
    breadcrumbs: tuple[Breadcrumb, ...] = ()
    canonical_url: str | None = None
    site_name: str | None = None
    comment_count: int | None = None
    images: tuple[ArticleImage, ...] = ()
    comments: tuple[Comment, ...] = ()
    comments_read: bool = False

    @classmethod
    def made(cls, values: Mapping[str, Any]) -> Article:
        """Return the article with some values by their names. It takes a third of the time of a call."""
        article = object.__new__(cls)
        article.__dict__.update(values)
        article.__post_init__()
        return article

    def __post_init__(self) -> None:
        # Nearly all articles are valid, and one look at all their texts takes a fraction of one at each. The
        # sections mostly have the main text once more.
        rows = [*chain.from_iterable([getattr(self, name) for name in _COLLECTIONS])]
        rows += chain.from_iterable([row for row in rows if isinstance(row, tuple)])
        rows += [section.text for section in self.sections if section.kind != "main"]
        main = "\n".join([section.text for section in self.sections if section.kind == "main"])
        rows.append("" if main == self.text else main)
        whole = "\n".join([text for text in (*self.__dict__.values(), *rows) if isinstance(text, str)])
        if valid_text(whole) is not whole:
            self.__dict__.update({name: _valid(value) for name, value in self.__dict__.items()})

    def __bool__(self) -> bool:
        """Return whether the article has a text."""
        return bool(self.text)

    @property
    def metadata(self) -> Article:
        """The article itself, under the name that its fields once had. Deprecated."""
        warnings.warn("Article.metadata: the article has its fields now", DeprecationWarning, stacklevel=2)
        return self

    def to_dict(self, *, sections: bool = False) -> dict[str, Any]:
        """Return the article as the lines of JSON have it: the same keys in the same order, in plain types.

        What is empty is None. Only ``comments`` is an empty list if they were asked for and there are none.

        :param sections: whether its sections are wanted, which have the text once more; else they are None.
        """
        row = {name: _plain(getattr(self, name)) for name in _ARTICLE_FIELDS}
        if not sections:
            row["sections"] = None
        for part in row["sections"] or ():
            del part["number"]
        if self.comments_read:
            row["comments"] = row["comments"] or []
        return row

    def _repr_html_(self) -> str:
        """Return the article as HTML for notebooks."""
        title = escape(self.title or self.url)
        if self.url.lower().startswith(("http://", "https://")):
            title = f'<a href="{escape(self.url)}" rel="noreferrer">{title}</a>'
        names = ", ".join(author.name for author in self.authors)
        shown = {"date": self.date, "authors": names, "tags": ", ".join(self.tags)}
        shown |= {key: getattr(self, key) for key in ("language", "confidence", "probability", "page_type")}
        rows = [
            f"<tr><th>{name}</th><td>{escape(str(value))}</td></tr>"
            for name, value in shown.items()
            if value not in (None, "")
        ]
        text = self.html or "".join(f"<p>{escape(line)}</p>" for line in self.text.split("\n"))
        return f"<h2>{title}</h2><table>{''.join(rows)}</table>{text}"


#: The fields of an article, in the order in which lines of JSON, feeds and tables have them.
_ARTICLE_FIELDS = tuple(each.name for each in fields(Article) if each.name != "comments_read")
#: Its collections, all but the sections.
_COLLECTIONS = {each.name for each in fields(Article) if each.default == ()} - {"sections"}


def _plain(value: Any) -> Any:
    """Return a value of an article in plain types; None for an empty tuple."""
    if not isinstance(value, tuple):
        return value
    return [row._asdict() if hasattr(row, "_asdict") else row for row in value] or None


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


class FieldPlace(NamedTuple):
    """A place where the pages of a layout show one of their article's fields.

    :param field: ``authors``, ``tags`` or ``date_published``.
    :param path: the path of the blocks that show it.
    :param form: the line around a value, or its end nearest to the value: ``by <a.fn author/>{}</a>``. For a
        day the form of the day itself: ``{month} {day}, {year}``. ``*`` is any line: somebody has said what
        it shows.
    :param pages: number of pages that it was learned from.
    """

    field: str
    path: str
    form: str
    pages: int


class Frame(NamedTuple):
    """A line at the head or the foot of the main text that a template fills in.

    :param path: the path of the line.
    :param begin, end: the folded texts before and after what is filled in; both empty: a day is filled in.
        ``<a>`` before it: it is one of several links alone.
    """

    path: str
    begin: str
    end: str


#: Marks a field that follows from others, so that no file has it.
_NOT_IN_FILES = {"made": True}


@dataclass(frozen=True, slots=True)
class Pattern:
    """A cluster's layout with its scores. It is saved, and new pages are matched against it.

    :param name: unique within a site; the url of a typical page of the cluster.
    :param kind: ``article``, or ``index`` if most of its pages lead to articles. Whether a page gives an
        article is decided for each page.
    :param score: ln(number of pages) times the sum of MainScores.
    :param pages: number of pages that it was learned from.
    :param sections: the layout, in the order of the page.
    :param title: index in ``sections`` of the section that holds the title; None: no section holds it.
    :param titles: the places where the title stands, best first: paths of blocks, ``head/title``,
        ``head/og:title`` (only path layouts).
    :param profile: for each feature its mean share of a page's text; pages are matched by it (only path
        layouts).
    :param container: path of the element that holds the main text; empty for layouts of 2009.
    :param excluded: paths under the container that hold no main text.
    :param frames: lines at the head and the foot of the main text that are none (only path layouts).
    :param cut: paths that hold no main text since a correction says so, whatever text they have; ``kept``:
        paths that hold some, wherever they stand; ``headline``: the path of the title, whatever the ``title``
        element says. No file has these three: they follow from the site's corrections.
    :param sample_title: the title of one of the pages.
    :param sample_url: the url of that page.
    :param main_share: mean share of a page's text that is main text, 0 to 1; None: unknown, as for all
        layouts of 2009.
    :param title_share: share of the pages whose title agrees with an anchor text that leads to them, or with
        their ``title`` element if the title was not taken from it; None: unknown.
    :param odds: mean log odds that the pages of its layout are articles, by each page's own evidence; the
        fewer the pages, the nearer to 0 (only path layouts).
    :param places: where its pages show the fields of their articles, best first (only path layouts).
    :param tree: the nodes of its layout tree in pre-order, each as its depth and its label (only layout
        trees; see ``pattern_files/pattern_values.py``).
    :param leaves: texts that two pages or more have as a leaf, each with the number of these pages (only
        ``leaves``).
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
    frames: tuple[Frame, ...] = ()
    cut: tuple[str, ...] = field(default=(), metadata=_NOT_IN_FILES)
    kept: tuple[str, ...] = field(default=(), metadata=_NOT_IN_FILES)
    headline: str = field(default="", metadata=_NOT_IN_FILES)
    sample_title: str = ""
    sample_url: str = ""
    main_share: float | None = None
    title_share: float | None = None
    odds: float = 0.0
    places: tuple[FieldPlace, ...] = ()
    tree: tuple[str, ...] = ()
    leaves: Mapping[str, int] = field(default_factory=dict)


class Correction(NamedTuple):
    """What somebody has put right in the patterns of a site. Learning the site anew applies it again.

    :param what: of a part: ``leave out`` (it is no text), ``keep`` (it is, wherever it stands; repeated texts
        only if the path is their own), ``title``, ``no title``, ``authors``, ``day``, ``topics`` (it shows
        them). Of a layout: ``article`` or ``no article`` (what its pages are), ``forget``.
    :param path: of the part; empty for a layout as a whole.
    :param container: that of the layout, which tells where the correction belongs. If it is empty, or no
        layout has this container and the path, a part is corrected in all layouts that have the path.
    :param date: the day on which it was made, ``YYYY-MM-DD``; empty: unknown.
    """

    what: str
    path: str = ""
    container: str = ""
    date: str = ""


class UnusedPages(NamedTuple):
    """Pages from which no pattern was learned: the reason, their number, and the url of one of them."""

    reason: str
    pages: int
    sample_url: str


class LearnWarning(NamedTuple):
    """A reason not to trust a site's patterns, or some of them.

    :param kind: ``few pages`` and others; ``docs/what-to-trust.md`` says when each is given.
    :param pages: number of the site's pages that are concerned.
    :param patterns: names of the patterns that are concerned; none: the whole site.
    """

    kind: str
    pages: int
    patterns: tuple[str, ...] = ()


#: The shares of articles below the quantiles that ``Usual`` has.
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, slots=True)
class Usual:
    """What a site's pages usually gave when it was learned. A later crawl is compared with it.

    These are counts, so that the difference between two shares can be tested. A page is judged if it was
    compared with the patterns, and it fits if it is like one of them: see ``monitoring/tally.py``.

    :param known: number of the site's pages that were known, also those that were not judged.
    :param judged: number of pages that were judged.
    :param fitting: number of these that fit a pattern.
    :param expected: number of these that should give an article, by all that is known of the site.
    :param given: number of these that gave an article.
    :param articles: number of articles that all judged pages gave.
    :param odd: number of these whose page fits no pattern.
    :param titled: number of these with a title.
    :param dated: number of these with a date; None: dates were not looked for.
    :param lengths: quantiles of the articles' lengths in characters, one for each of ``QUANTILES``; empty:
        there are no articles.
    :param confidences: the same quantiles of the articles' confidences.
    :param latest: the newest time at which one of the pages was fetched, ISO 8601; empty: unknown.
    """

    known: int
    judged: int
    fitting: int
    expected: int
    given: int
    articles: int
    odd: int
    titled: int
    dated: int | None = None
    lengths: tuple[int, ...] = ()
    confidences: tuple[float, ...] = ()
    latest: str = ""


@dataclass(frozen=True, slots=True)
class SitePatterns:
    """The patterns of one site, and all else that was learned about it.

    :param site: the registered domain of its pages' urls, or their host; ``by`` says which.
    :param layout: ``paths``, or the layout of another engine, such as ``sequence`` for the layouts of 2009;
        see ``LearnOptions.layout``.
    :param pages: number of pages that were learned from.
    :param clusters: number of clusters that they formed, including single pages.
    :param patterns: the patterns, best score first.
    :param unused: the pages that gave no pattern.
    :param warnings: the reasons not to trust the patterns.
    :param vocabulary: attribute values that belong to the site's templates, each with its number of pages.
    :param boilerplate: text that the site repeats: for each path, the folded texts.
    :param shapes: for each shape of urls, the mean log odds that pages with such urls are articles.
    :param odds: the mean log odds that its pages are articles; the fewer the pages, the nearer to 0.
    :param prefixes: texts that the site puts before titles in the ``title`` element.
    :param suffixes: texts that it puts after them.
    :param mangle: attribute filter, a regular expression, only for ``sequence``: only the parts that it finds
        in attribute values count; empty: all parts.
    :param signs: the evidence that most of its articles have in common, with the share that has it.
    :param by: what the pages of the site have in common: their registered ``domain`` or their ``host``.
    :param usual: what its pages usually give; None: unknown, as for all layouts but ``paths``.
    :param months: words that stand for months on its pages, each with the number of the month.
    :param common: for a field of an article, values that most pages state, and that are the site's.
    :param languages: the languages of its articles, if pages state a wrong one (it is in ``common``) or none;
        empty: what they state is right, or nobody looked.
    :param threads: for the path of an element with readers' comments, the tags from each comment to the line
        with its date: ``li/div/p``.
    :param corrections: what somebody has put right, in this order. The patterns are as they were learned:
        ``PatternSet.site_of`` gives them as they were corrected.
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
    odds: float = 0.0
    prefixes: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    mangle: str = ""
    signs: Mapping[str, float] = field(default_factory=dict)
    by: str = "domain"
    usual: Usual | None = None
    months: Mapping[str, int] = field(default_factory=dict)
    common: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    threads: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    corrections: tuple[Correction, ...] = ()
