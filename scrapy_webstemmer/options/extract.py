"""The options of extraction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from ..base.limits import Limits
from ..errors import OptionError
from .checks import check_common, check_number, check_share
from .url_rules import UrlRule

_LIMITS = Limits()
#: For each option that needs an extra: the extra's name, and the module that it installs.
_EXTRAS: Mapping[str, tuple[str, str]] = {
    "markdown": ("markdown", "markdownify"),
    "date": ("dates", "htmldate"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractOptions:
    """How patterns are applied to a page. Shares are from 0 to 1.

    :param encoding: charset of pages that declare none; None: UTF-8 where it fits, else cp1252.
    :param url_rules: rules that choose the pages to extract from, see :func:`accepts`.
    :param threshold: a page matches a pattern if they agree in at least this share of the page's text. None:
        .4 if 30 or more pages of the site were learned, else 0, since a small learning set lacks some
        layouts of its site. For layouts of 2009 the share must be larger than this; None: .8. For ``leaves``
        it is the rate of the common tree; None: .6. A pattern of ``tree-edit`` accepts a page or does not.
    :param strict: match only pages that have every section of the pattern.
    :param article_threshold: least probability that a page is an article, not a list or another kind of
        page; 0: every page gives the text that it has, if ``min_confidence`` is 0 as well. Only for
        ``paths``.
    :param unmatched: read a page that matches no pattern of its site by its own evidence. If it looks like
        an article, it gives one, with an empty pattern. None: yes, unless ``strict`` or ``threshold`` asks
        for a match. Only for ``paths``.
    :param fallback: read the pages of sites that were not learned in the same way, whatever they look like.
    :param min_confidence: an article with a lower confidence does not come out; 0: every article comes out.
        Only for ``paths``: articles of other layouts, and of ``IncrementalExtractor``, have no calibrated
        confidence, and always come out.
    :param html: give the main text also as HTML. Without it extraction takes up to a third less time.
    :param sections: give the article's parts with their kinds. Without them its ``sections`` are empty.
    :param comments: also give the readers' comments, each as a section of kind ``comment`` after all others;
        not without ``sections``.
        A single comment on a page is not found. Only for ``paths``.
    :param markdown: also give the article as Markdown; needs the extra ``markdown``, and ``html``.
    :param date: look for the day of publication; needs the extra ``dates``. Only for ``paths``.
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
    unmatched: bool | None = None
    fallback: bool = False
    min_confidence: float = 0.01
    html: bool = True
    sections: bool = True
    comments: bool = False
    markdown: bool = False
    date: bool = False
    limits: Limits = _LIMITS
    mangle: str | None = None
    diff_threshold: float = 0.5
    main_threshold: float = 50.0

    def __post_init__(self) -> None:
        check_common(self)
        for name in ("strict", "fallback", "html", "sections", "comments", "markdown", "date"):
            if not isinstance(getattr(self, name), bool):
                raise OptionError(name, getattr(self, name), "must be True or False")
        if self.unmatched is not None and not isinstance(self.unmatched, bool):
            raise OptionError("unmatched", self.unmatched, "must be True, False or None")
        for name, needed in (("markdown", "html"), ("comments", "sections")):
            if getattr(self, name) and not getattr(self, needed):
                raise OptionError(name, True, f"needs the option {needed}")
        _check_extras(self)
        check_share(self, "article_threshold", "min_confidence", "diff_threshold")
        if self.threshold is not None:
            check_share(self, "threshold")
        check_number(self, "main_threshold", 0)

    @property
    def reads_unmatched(self) -> bool:
        """Whether pages that match no pattern of their site are read."""
        if self.unmatched is not None:
            return self.unmatched
        return not self.strict and self.threshold is None

    @classmethod
    def classic(cls, **changes: Any) -> ExtractOptions:
        """Return the behaviour and the defaults of Webstemmer 0.7.1, with changes."""
        return cls(**({"threshold": 0.8} | changes))


def _check_extras(options: ExtractOptions) -> None:
    for name, (extra, module) in _EXTRAS.items():
        if getattr(options, name) and find_spec(module) is None:
            install = f'pip install "scrapy-webstemmer[{extra}]"'
            raise OptionError(name, True, f"needs {module}, which is not installed: {install}")
