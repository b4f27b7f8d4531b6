"""The engines: ways to learn a site's layouts, and to read its pages by them.

An engine is a folder with functions, and an entry here. Who needs a function of an engine asks for it by the
name of the layout. No other module tells layouts apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pkgutil import resolve_name
from typing import Any


@dataclass(frozen=True)
class Engine:
    """What the suite knows of an engine. Its functions are imported when they are first asked for.

    :param similarity: the least similarity of two pages in one cluster, if the options do not say it.
    :param learns: where the function is that learns a site, ``module:name`` within the package. It takes the
        site's name, its layouts sorted by url, for each url the anchor texts that lead to it, the
        :class:`~.options.LearnOptions`, and the number of the site's pages that are known. It returns
        :class:`~.values.SitePatterns`.
    :param reads: where the function is that reads a page. It takes the page, the patterns of its site, all
        patterns, the :class:`~.options.ExtractOptions`, and the page's open source or None. It works in parts
        (``base/parts.py``), and returns a ``Result``. Empty: the steps of ``api.py`` read it.
    :param opens: where the function is that opens a page to learn from it: it takes the page and the options,
        and returns a ``Source``. Empty: as all pages are opened.
    :param describes: where the function is that gives the layout of such a page: it takes the page, its
        source, and the options. Empty: its layout blocks, and what it states of its fields.
    :param options: the options of learning that only this engine has.
    :param form: what is said of a site's layouts; empty: nothing, since they are the usual ones.
    :param judges: whether its pages are placed in their site. They are judged, their parts have paths that
        can be corrected, and what is usual for the site is known.
    :param has_trees: whether its patterns have a tree.
    :param above: whether a page matches a pattern only if it is more similar than the least similarity.
    :param formats: endings of names of pattern files that only this engine's patterns fit in.
    """

    similarity: float
    learns: str
    reads: str = ""
    opens: str = ""
    describes: str = ""
    options: tuple[str, ...] = ()
    form: str = ""
    judges: bool = False
    has_trees: bool = False
    above: bool = False
    formats: tuple[str, ...] = ()

    @cached_property
    def learn(self) -> Callable[..., Any]:
        """The function that learns a site."""
        return _function(self.learns)

    @cached_property
    def read(self) -> Callable[..., Any] | None:
        """The function that reads a page; None: the steps of ``api.py`` do."""
        return _function(self.reads) if self.reads else None

    @cached_property
    def open(self) -> Callable[..., Any] | None:
        """The function that opens a page to learn from it; None: as all pages are opened."""
        return _function(self.opens) if self.opens else None

    @cached_property
    def describe(self) -> Callable[..., Any] | None:
        """The function that gives the layout of a page to learn from; None: as for all pages."""
        return _function(self.describes) if self.describes else None


def _function(place: str) -> Callable[..., Any]:
    function: Callable[..., Any] = resolve_name(f"{__package__}.{place}")
    return function


def _of_trees(similarity: float, learns: str, form: str) -> Engine:
    return Engine(
        similarity,
        learns=f"trees.learn_trees:{learns}",
        reads="trees.match_trees:result_of_tree",
        opens="trees.match_trees:open_with_tree",
        describes="trees.match_trees:layout_with_tree",
        form=form,
        has_trees=True,
    )


#: The engines by the name of their layout, which pattern files and ``LearnOptions.layout`` have.
ENGINES: Mapping[str, Engine] = {
    "paths": Engine(0.5, learns="learning.learn_sites:learn_placed", judges=True),
    "sequence": Engine(
        0.5,
        learns="classic.patterns_2009:learn_sequences",
        reads="classic.result_2009:result_of_2009",
        opens="classic.layouts_2009:open_of_2009",
        describes="classic.layouts_2009:layout_to_learn_2009",
        options=("mangle", "title_threshold", "min_score"),
        form="layouts of 2009",
        above=True,
        formats=(".pat",),
    ),
    "tree-edit": _of_trees(0.8, "learn_tree_edit", "layout trees with wildcards"),
    "leaves": _of_trees(0.6, "learn_leaves", "text leaves of layout trees"),
    "roadrunner": Engine(
        0.6,
        learns="roadrunner.wrappers:learn_wrappers",
        reads="roadrunner.wrappers:result_of_wrapper",
        opens="trees.match_trees:open_with_tree",
        describes="trees.match_trees:layout_with_tree",
        form="union-free expressions over layout trees",
        has_trees=True,
    ),
}
