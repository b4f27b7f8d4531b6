"""The options of learning and extraction: every threshold, with its reason and its limits."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from w3lib.encoding import resolve_encoding

from .base.expressions import Patience, check_expression
from .engines import ENGINES
from .errors import OptionError

#: Largest number of a file, far beyond any score: sums and products of a few of them are numbers still.
LARGEST = 1e100

_DEEPEST = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How large a page and a pattern file may be.

    A page beyond a limit is skipped, counted and named. The defaults are at least six times the maximum of
    1,700 ordinary pages. With them no page takes much longer than a second.

    :param page_size: bytes of a page.
    :param attributes: attributes of one element. A parser's time grows with the square of their number. They
        are counted on pages of 120,000 characters or more: a shorter page takes about 1.4 s at most.
    :param elements: elements of a page; a layout tree in a pattern file may have twice as many nodes.
    :param depth: elements around an element. libxml2 drops elements nested deeper than about 2,000.
    :param blocks: layout blocks of a page.
    :param block_size: characters of a layout block.
    :param anchors: links of a page that have a text.
    :param steps: comparisons of a block with a section, in total for all patterns of 2009 tried on a page; a
        comparison of nodes of layout trees counts as eight of them.
    :param patterns: patterns in a pattern file.
    :param sections: sections of a pattern.
    """

    page_size: int = 10 * 1024 * 1024
    attributes: int = 5_000
    elements: int = 50_000
    depth: int = 500
    blocks: int = 20_000
    block_size: int = 1_000_000
    anchors: int = 10_000
    steps: int = 4_000_000
    patterns: int = 100_000
    sections: int = 10_000

    def __post_init__(self) -> None:
        for limit in fields(self):
            _check_number(self, limit.name, 1, whole=True)
        if self.depth > _DEEPEST:
            raise OptionError("depth", self.depth, f"must be {_DEEPEST} at most: parsers drop what is deeper")


def check_kind(name: str, value: object, kind: type, hint: str = "") -> None:
    """Raise a TypeError if an argument is of another kind.

    :param name: the argument.
    :param hint: how to make one of the right kind.
    """
    if not isinstance(value, kind):
        what = "bytes" if kind is bytes else f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}"
        message = f"{name} must be {what}, not {type(value).__name__}"
        raise TypeError(f"{message}; {hint}" if hint else message)


def _check_common(options: ExtractOptions | LearnOptions) -> None:
    """Raise an OptionError if an option that learning and extraction share is invalid.

    Url rules in a list become a tuple.
    """
    _check_encoding(options.encoding)
    if not isinstance(options.limits, Limits):
        raise OptionError("limits", options.limits, "must be a Limits value")
    if not isinstance(options.url_rules, tuple | list):
        raise OptionError("url_rules", options.url_rules, "must be UrlRule values")
    object.__setattr__(options, "url_rules", tuple(options.url_rules))  # options can be hashed
    for rule in options.url_rules:
        if not isinstance(rule, UrlRule):
            raise OptionError("url_rules", rule, "must be UrlRule values")
        if not isinstance(rule.accept, bool):
            raise OptionError("url_rules", rule, "its accept must be True or False")
    check_expressions("url_rules", *(rule.pattern for rule in options.url_rules))
    if options.mangle is not None:
        check_expressions("mangle", options.mangle)


def _check_number(
    options: object, name: str, least: float, most: float = math.inf, *, whole: bool = False
) -> None:
    """Raise an OptionError if the named option is not a number of a range, or not a whole one."""
    value = getattr(options, name)
    kinds = int if whole else int | float
    if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value <= most:
        kind, end = "a whole number" if whole else "a number", "on" if most == math.inf else f"to {most}"
        raise OptionError(name, value, f"must be {kind} from {least} {end}")


def check_expressions(name: str, *patterns: str) -> None:
    """Raise an OptionError that names the option if one of its patterns is not a valid regular expression."""
    for pattern in patterns:
        try:
            check_expression(pattern)
        except ValueError as error:
            raise OptionError(name, pattern, str(error)) from None


def _check_encoding(encoding: str | None) -> None:
    if encoding is None:
        return
    known = resolve_encoding(encoding) if isinstance(encoding, str) else None
    try:
        b"\xe9".decode(known or "", "replace")
    except (LookupError, UnicodeError):  # unknown, or a codec that is not a charset: base64, idna
        raise OptionError("encoding", encoding, "is not a charset that Python knows") from None


@dataclass(frozen=True, slots=True)
class UrlRule:
    """Accept or reject the urls in which a regular expression is found."""

    pattern: str
    accept: bool = True


def accepts(rules: tuple[UrlRule, ...], url: str, patience: Patience | None = None) -> bool:
    """Return whether the rules accept a url.

    The first rule that is found in the url decides. A url in which none of them is found is
    accepted, unless one of the rules is for accepting.

    :param patience: the time limit of the page on which the url stands; None: the url is the page's own.
    :raises SlowExpressionError: if the rules take too long.
    """
    patience = patience or Patience(url)
    for rule in rules:
        if patience.finds(rule.pattern, url):
            return rule.accept
    return not any(rule.accept for rule in rules)


_LIMITS = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractOptions:
    """How patterns are applied to a page. Shares are from 0 to 1.

    :param encoding: charset of pages that declare none; None: UTF-8 where it fits, else by ``lang``.
    :param url_rules: rules that choose the pages to extract from, see :func:`accepts`.
    :param threshold: a page matches a pattern if they agree in at least this share of the page's text. None:
        .4 if 30 or more pages of the site were learned, else 0, since a small learning set lacks some
        layouts of its site. For layouts of 2009 the share must be larger than this; None: .8. For ``leaves``
        it is the rate of the common tree; None: .6. A pattern of ``tree-edit`` accepts a page or does not.
    :param strict: match only pages that have every section of the pattern.
    :param article_threshold: least probability that a page is an article, not a list or another kind of
        page; 0: every page gives the text that it has, if ``min_confidence`` is 0 as well. Only for
        ``paths``.
    :param all_kinds: other kinds of pages give their text, too: products, forums, documentation, lists and so
        on; and ``page_type`` says of which kind each is. Nothing but an empty page, an error page and the
        rules for urls keeps a page out; ``min_confidence`` is for articles alone. Pages that are no articles,
        or that match no pattern, are read as if nothing was known of their site. Only for ``paths``.
    :param unmatched: read a page that matches no pattern of its site by its own evidence. If it looks like
        an article, it gives one, with an empty pattern. None: yes, unless ``strict`` or ``threshold`` asks
        for a match. Only for ``paths``.
    :param fallback: read the pages of sites that were not learned, each by what pages are like in general.
        Such an article has an empty pattern.
    :param min_confidence: an article with a lower confidence does not come out; 0: every article comes out.
        Only for ``paths``: articles of other layouts have no calibrated confidence, and always come out.
    :param html: give the main text also as HTML. Without it extraction takes up to a third less time.
    :param copies: also give an article with the title and text of an earlier one, and another form of its
        url: a crawl finds pages again under urls such as ``?share=``, or ``/amp/``. If not, it comes out
        once. For what reads many pages in one process: a crawl, ``scrapy extract``, ``extract_all``.
    :param sections: give the article's parts with their kinds. Without them its ``sections`` are empty.
    :param comments: also give the readers' comments, each with its author, date, text and depth. A single
        comment on a page is not found. Only for ``paths``.
    :param markdown: also give the article as Markdown; needs ``html``.
    :param date: give the day of publication, also without ``metadata``. Only for ``paths``.
    :param metadata: also give the article's authors, times, description, picture, language, topics and more.
        Without them extraction takes up to a quarter less time. Only for ``paths``.
    :param limits: how large a page may be and, with layouts other than ``paths``, how many comparisons with
        patterns it may take.

    Only for layouts of 2009; others ignore them:

    :param mangle: attribute filter, a regular expression: only the parts that it finds in attribute values
        count. None: the filter that was used for learning.
    :param diff_threshold: a section is part of the article, main or supplementary, if its DiffScore is at
        least this.
    :param main_threshold: such a section is main text if its MainScore is at least this.
    """

    encoding: str | None = None
    url_rules: tuple[UrlRule, ...] = ()
    threshold: float | None = None
    strict: bool = False
    article_threshold: float = 0.18
    all_kinds: bool = False
    unmatched: bool | None = None
    fallback: bool = False
    min_confidence: float = 0.01
    html: bool = True
    copies: bool = False
    sections: bool = True
    comments: bool = False
    markdown: bool = False
    date: bool = False
    metadata: bool = True
    limits: Limits = _LIMITS
    mangle: str | None = None
    diff_threshold: float = 0.5
    main_threshold: float = 50.0

    def __post_init__(self) -> None:
        _check_common(self)
        for option in fields(self):
            if isinstance(option.default, bool) and not isinstance(getattr(self, option.name), bool):
                raise OptionError(option.name, getattr(self, option.name), "must be True or False")
        if self.unmatched is not None and not isinstance(self.unmatched, bool):
            raise OptionError("unmatched", self.unmatched, "must be True, False or None")
        if self.markdown and not self.html:
            raise OptionError("markdown", True, "needs the option html")
        for name in ("article_threshold", "min_confidence", "diff_threshold"):
            _check_number(self, name, 0, 1)
        if self.threshold is not None:
            _check_number(self, "threshold", 0, 1)
        _check_number(self, "main_threshold", 0)

    @property
    def reads_unmatched(self) -> bool:
        """Whether pages that match no pattern of their site are read."""
        if self.unmatched is not None:
            return self.unmatched
        return not self.strict and self.threshold is None

    @classmethod
    def classic(cls, **changes: Any) -> ExtractOptions:
        """Return the behaviour and the defaults of Webstemmer 0.7.1, with changes."""
        return cls(**({"threshold": 0.8, "copies": True} | changes))


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnOptions:
    """How patterns are learned. Shares are from 0 to 1.

    :param encoding: charset of pages that declare none; None: UTF-8 where it fits, else by ``lang``.
    :param url_rules: rules that choose the pages to learn from, see :func:`accepts`.
    :param site: whether a site is a registered ``domain`` or a ``host``.
    :param layout: what describes the place of a block. ``paths``: its whole path in the site's vocabulary.
        ``sequence`` (2009): its last three block tags with up to six attributes each, and its place among the
        other blocks. Three published methods are for comparison. The page is a tree of elements and texts for
        ``tree-edit`` (Reis and others 2004) and ``leaves`` (News Ripper, 2005), and a row of tags and texts
        for ``roadrunner`` (Crescenzi and others 2001).
    :param cluster_threshold: least similarity of two pages in one cluster. None: that of the layout, .5 for
        ``paths`` and ``sequence``, .8 for ``tree-edit``, .6 for ``leaves`` and ``roadrunner``. With ``paths``
        the result hardly depends on it between .35 and .65; 2009: .97.
    :param max_pages: learn from at most this number of pages of a site, drawn evenly from the directories of
        their urls; 0: from all.
    :param samples: look closely at most at this number of a cluster's pages. ``paths``: to find sections,
        title, container and exclusions, on 60 of them at most; a share of pages then has an error below .13.
        ``sequence``: to compare a page with a cluster. ``tree-edit``: to compose a pattern. ``leaves`` takes
        all. 0: all pages; with ``paths`` the boilerplate of a large site is then counted on all its pages,
        instead of on a thousand.
    :param limits: how large a page may be.

    Only for ``sequence``:

    :param mangle: attribute filter, a regular expression: only the parts that it finds in attribute values
        count.
    :param title_threshold: a section can be the title if its likeness to an anchor text, times its
        DiffScore, is more than this.
    :param min_score: patterns with a lower score are dropped; -1 keeps all.
    """

    encoding: str | None = None
    url_rules: tuple[UrlRule, ...] = ()
    site: str = "domain"
    layout: str = "paths"
    cluster_threshold: float | None = None
    max_pages: int = 5_000
    samples: int = 150
    limits: Limits = _LIMITS
    mangle: str | None = None
    title_threshold: float = 0.6
    min_score: float = -1.0

    def __post_init__(self) -> None:
        _check_common(self)
        if self.site not in ("domain", "host"):
            raise OptionError("site", self.site, "must be 'domain' or 'host'")
        if not isinstance(self.layout, str) or self.layout not in ENGINES:
            raise OptionError("layout", self.layout, f"must be one of {', '.join(ENGINES)}")
        if self.cluster_threshold is not None:
            _check_number(self, "cluster_threshold", 0, 1)
        _check_number(self, "title_threshold", 0, 1)
        for name in ("max_pages", "samples"):
            _check_number(self, name, 0, whole=True)
        _check_number(self, "min_score", -1)
        changed = {option.name for option in fields(self) if getattr(self, option.name) != option.default}
        for layout, engine in ENGINES.items():
            for name in engine.options:
                if layout != self.layout and name in changed:
                    reason = f"is only for {engine.form} (layout={layout!r})"
                    raise OptionError(name, getattr(self, name), reason)

    @property
    def least_similarity(self) -> float:
        """The least similarity of two pages in one cluster, 0 to 1."""
        return ENGINES[self.layout].similarity if self.cluster_threshold is None else self.cluster_threshold

    @classmethod
    def classic(cls, **changes: Any) -> LearnOptions:
        """Return the behaviour and the defaults of Webstemmer 0.7.1, with changes."""
        classic: dict[str, Any] = {
            "layout": "sequence",
            "cluster_threshold": 0.97,
            "min_score": 100.0,
            "max_pages": 0,
            "samples": 0,
        }
        return cls(**(classic | changes))
