"""The engines: ways to learn a site's layouts, and to read its pages by them.

An engine is a folder with functions, and an entry here. Who needs a function of an engine asks for it by the
name of the layout. No other module tells layouts apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pkgutil import resolve_name
from typing import Any


@dataclass(frozen=True)
class Engine:
    """What the suite knows of an engine.

    :param similarity: the least similarity of two pages in one cluster, if the options do not say it.
    :param learn: learns a site. It takes the site's name, its layouts sorted by url, for each url the anchor
        texts that lead to it, the :class:`~.options.LearnOptions`, and the number of the site's pages that
        are known. It returns :class:`~.values.SitePatterns`.
    :param read: reads a page. It takes the page, the patterns of its site, all patterns, the
        :class:`~.options.ExtractOptions`, and the page's open source or None. It works in parts
        (``base/parts.py``), and returns a ``Result``. None: the steps of ``api.py`` read it.
    :param parse: gives the root of a page's tree, to learn from it: it takes the page, the encoding and the
        limits. None: pages are opened as everywhere, without a tree if need be.
    :param describe: gives the layout of such a page: it takes the page, its source, and the options. None:
        its layout blocks, and what it states of its fields.
    :param options: the options of learning that only this engine has.
    :param form: what is said of a site's layouts; empty: nothing, since they are the usual ones.
    :param judges: whether its pages are placed in their site. They are judged, their parts have paths that
        can be corrected, and what is usual for the site is known.
    :param has_trees: whether its patterns have a tree.
    :param above: whether a page matches a pattern only if it is more similar than the least similarity.
    :param formats: endings of names of pattern files that only this engine's patterns fit in.
    """

    similarity: float
    learn: Callable[..., Any]
    read: Callable[..., Any] | None = None
    parse: Callable[..., Any] | None = None
    describe: Callable[..., Any] | None = None
    options: tuple[str, ...] = ()
    form: str = ""
    judges: bool = False
    has_trees: bool = False
    above: bool = False
    formats: tuple[str, ...] = ()


def function_at(place: str) -> Callable[..., Any]:
    """Return a function that is imported when it is called, given as ``module:name`` within the package."""
    return partial(_call, place)


def _call(place: str, *arguments: Any) -> Any:
    return resolve_name(f"{__package__}.{place}")(*arguments)


def _of_trees(similarity: float, form: str, learn: str, read: str) -> Engine:
    return Engine(
        similarity,
        learn=function_at(learn),
        read=function_at(read),
        parse=function_at("page.limits:parse_within"),
        describe=function_at("trees.match_trees:layout_with_tree"),
        form=form,
        has_trees=True,
    )


#: The engines by the name of their layout, which pattern files and ``LearnOptions.layout`` have.
ENGINES: Mapping[str, Engine] = {
    "paths": Engine(0.5, function_at("learning.learn_sites:learn_placed"), judges=True),
    "sequence": Engine(
        0.5,
        learn=function_at("classic.patterns_2009:learn_sequences"),
        read=function_at("classic.result_2009:result_of_2009"),
        parse=function_at("classic.parser_2009:parse_2009"),
        describe=function_at("classic.layouts_2009:layout_to_learn_2009"),
        options=("mangle", "title_threshold", "min_score"),
        form="layouts of 2009",
        above=True,
        formats=(".pat",),
    ),
    "tree-edit": _of_trees(
        0.8,
        "layout trees with wildcards",
        "trees.learn_trees:learn_tree_edit",
        "trees.match_trees:result_of_tree",
    ),
    "leaves": _of_trees(
        0.6,
        "text leaves of layout trees",
        "trees.learn_trees:learn_leaves",
        "trees.match_trees:result_of_tree",
    ),
    "roadrunner": _of_trees(
        0.6,
        "union-free expressions over layout trees",
        "roadrunner.wrappers:learn_wrappers",
        "roadrunner.wrappers:result_of_wrapper",
    ),
}
