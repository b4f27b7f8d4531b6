"""The options of learning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from ..base.limits import Limits
from ..errors import OptionError
from .checks import check_common, check_count, check_number, check_share
from .url_rules import UrlRule

#: Layouts that describe a page as a tree of elements and texts.
TREE_LAYOUTS = ("tree-edit", "leaves")
#: All layouts, each with the least similarity of two pages in one cluster.
LAYOUTS: Mapping[str, float] = {"paths": 0.5, "sequence": 0.5, "tree-edit": 0.8, "leaves": 0.6}
#: Options of :class:`LearnOptions` that are only for layouts of 2009.
_CLASSIC = ("mangle", "title_threshold", "min_score")

_LIMITS = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnOptions:
    """How patterns are learned. Shares are from 0 to 1.

    :param encoding: charset of pages that declare none; None: UTF-8 where it fits, else cp1252.
    :param url_rules: rules that choose the pages to learn from, see :func:`accepts`.
    :param site: whether a site is a registered ``domain`` or a ``host``.
    :param layout: what describes the place of a block. ``paths``: its whole path in the site's vocabulary.
        ``sequence`` (2009): its last three block tags with up to six attributes each, and its place among the
        other blocks. Two published methods describe the page as a tree of elements and texts: ``tree-edit``
        (Reis and others 2004) and ``leaves`` (News Ripper, 2005).
    :param cluster_threshold: least similarity of two pages in one cluster. None: that of the layout, .5 for
        ``paths`` and ``sequence``, .8 for ``tree-edit``, .6 for ``leaves``. With ``paths`` the result hardly
        depends on it between .35 and .65; 2009: .97.
    :param max_pages: learn from at most this number of pages of a site, drawn evenly from the directories of
        their urls; 0: from all.
    :param samples: look closely at most at this number of a cluster's pages. ``paths``: to find sections,
        title, container and exclusions; a share of pages then has an error below .08. ``sequence``: to
        compare a page with a cluster. ``tree-edit``: to compose a pattern. ``leaves`` takes all. 0: all
        pages; with ``paths`` the boilerplate of a large site is then counted on all its pages, instead of on
        a thousand.
    :param vocabulary_share: a class or id belongs to the site's vocabulary if at least this share of its
        pages has it,
    :param vocabulary_pages: and at least this number of pages.
    :param boilerplate_share: a text at one path is boilerplate if at least this share of the site's pages
        has it,
    :param boilerplate_pages: and at least this number of pages.
    :param section_support: a section must be on at least this share of a cluster's pages (``paths``).
    :param container_share: the container must hold at least this share of its parent's mass (text outside
        links that is not boilerplate),
    :param container_pages: on at least this share of the cluster's pages.
    :param known_pages: from this number of pages on, the site's layouts count as known: a layout of one or
        two pages gives no pattern, and clusters that differ only in their authors' markup are joined.
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
    vocabulary_share: float = 0.02
    vocabulary_pages: int = 2
    boilerplate_share: float = 0.02
    boilerplate_pages: int = 3
    section_support: float = 0.5
    container_share: float = 0.8
    container_pages: float = 0.7
    known_pages: int = 30
    limits: Limits = _LIMITS
    mangle: str | None = None
    title_threshold: float = 0.6
    min_score: float = -1.0

    def __post_init__(self) -> None:
        check_common(self)
        if self.site not in ("domain", "host"):
            raise OptionError("site", self.site, "must be 'domain' or 'host'")
        if not isinstance(self.layout, str) or self.layout not in LAYOUTS:
            raise OptionError("layout", self.layout, f"must be one of {', '.join(LAYOUTS)}")
        shares = [name for name in self.__slots__ if name.endswith(("_share", "_threshold", "_support"))]
        if self.cluster_threshold is None:
            shares.remove("cluster_threshold")
        check_share(self, *shares)
        check_share(self, "container_pages")
        for name in ("max_pages", "samples", "vocabulary_pages", "boilerplate_pages", "known_pages"):
            check_count(self, name)
        check_number(self, "min_score", -1)
        if self.layout != "sequence":
            _check_defaults(self, *_CLASSIC)

    @property
    def least_similarity(self) -> float:
        """The least similarity of two pages in one cluster, 0 to 1."""
        return LAYOUTS[self.layout] if self.cluster_threshold is None else self.cluster_threshold

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


def _check_defaults(options: LearnOptions, *names: str) -> None:
    for option in fields(options):
        value = getattr(options, option.name)
        if option.name in names and value != option.default:
            raise OptionError(option.name, value, "is only for layouts of 2009 (layout='sequence')")
