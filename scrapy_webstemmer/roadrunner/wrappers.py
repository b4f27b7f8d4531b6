"""RoadRunner's wrappers as the patterns of a site, and the articles that they give.

Source: Crescenzi, Mecca and Merialdo 2001; see ``union_free.py``. The authors presuppose pages of one class.
Here these are the clusters of News Ripper. The pages of a cluster that its wrapper rejects are tried again,
with a wrapper of their own. A wrapper's fields have no names; title and text are told from one another as
with tree edit distance.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from html import escape
from typing import NamedTuple

from ..article.result import Reason, Result, with_markdown
from ..base.urls import drawn
from ..base.work import Parts
from ..errors import LimitError
from ..html.sources import Source, TreeSource
from ..html.text import weight
from ..options import ExtractOptions, LearnOptions
from ..patterns.match import Match
from ..patterns.pattern_file import PatternSet
from ..patterns.stores import write_rows
from ..reading import parse_within, read_layout
from ..trees.common_trees import Rates
from ..trees.layout_trees import LabelledPassages, Tree, build_tree, label_passages
from ..trees.tree_clusters import ripper_clusters
from ..trees.tree_patterns import tree_of_pattern
from ..values import Article, ArticleSection, Layout, Page, Pattern, SitePatterns, UnusedPages
from .union_free import MOST_STEPS, Program, Reading, generalize, part_of, tokens_of, tree_of

_ALONE, _TOO_LONG = "no other page has this layout", "takes too long to compare"
_TOO_LARGE = "pattern beyond the limit 'elements'"
#: So many pages are compared pairwise to find those that begin clusters.
_SAMPLE = 1_000
#: So many wrappers are made of a cluster at most. Each takes a look at all pages that are left.
_WRAPPERS = 5
#: Steps for all pages of a site. They take one to two minutes.
_SITE_STEPS = 30_000_000
#: A step takes as long as so many comparisons of blocks.
_COST = 8
#: A page that is compared with a wrapper takes at least so many steps, even if it is soon rejected.
_LEAST = 50


# --- Learn the wrappers of a site


def learn_wrappers(
    site: str,
    layouts: Sequence[Layout],
    _anchors: Mapping[str, Collection[str]],
    options: LearnOptions,
    _known: int = 0,
) -> SitePatterns:
    """Learn a site's wrappers from its pages' layout trees.

    :param layouts: layouts that have trees, in the order of their urls.
    :param _anchors: not used: the method looks at the pages alone.

    Cost: that of :func:`~scrapy_webstemmer.trees.tree_clusters.ripper_clusters`. For each wrapper, at most
    ``options.samples`` pages are generalized, each in a bounded number of steps, and all pages are read. If
    the comparisons take too long, the pages that are left teach nothing.
    """
    left: dict[str, list[str]] = defaultdict(list)
    rates = Rates([layout.tree for layout in layouts], keys=[layout.url for layout in layouts])
    try:
        clusters = ripper_clusters(rates, options.least_similarity, sample=_SAMPLE)
    except LimitError:
        clusters = []
        left[_TOO_LONG] += [layout.url for layout in layouts]
    patterns = []
    learner = _Learner(options)
    for members in clusters:
        waiting = [layouts[index] for index in members]
        for _ in range(_WRAPPERS):
            if len(waiting) < 2 or learner.left <= 0:
                break
            wrapper = learner.wrapper(waiting)
            taken = {page.url for page in wrapper.pages}
            waiting = [page for page in waiting if page.url not in taken]
            if len(taken) > 1 and len(wrapper.tree) <= learner.largest:
                patterns.append(learner.pattern(wrapper))
            else:
                left[_ALONE if len(taken) < 2 else _TOO_LARGE] += taken
        left[_ALONE if len(waiting) < 2 or learner.left > 0 else _TOO_LONG] += [page.url for page in waiting]
    return SitePatterns(
        site=site,
        layout="roadrunner",
        pages=len(layouts),
        clusters=len(clusters),
        patterns=tuple(sorted(patterns, key=lambda pattern: (-pattern.score, pattern.name))),
        unused=tuple(
            UnusedPages(reason, len(urls), min(urls)) for reason, urls in sorted(left.items()) if urls
        ),
    )


class _Wrapper(NamedTuple):
    """A wrapper, its program, and the pages that it accepts."""

    tree: Tree
    program: Program
    pages: Sequence[Layout]


class _Learner:
    """Makes the wrappers of a site, in a bounded number of steps.

    :ivar left: the steps that are left. When they are used up, nothing is accepted any more.
    :ivar largest: the most nodes of a wrapper.
    """

    def __init__(self, options: LearnOptions) -> None:
        self.left = _SITE_STEPS
        self.largest = 2 * options.limits.elements
        self._samples = options.samples

    def wrapper(self, pages: Sequence[Layout]) -> _Wrapper:
        """Return the wrapper that begins with one of some pages, and accepts this one at least."""
        first, *others = drawn(pages, self._samples)
        tree, program = first.tree, Program(first.tree)
        for page in others:
            if len(tree) > self.largest:
                break
            if self._read(program, page.tree) is None:
                general, taken = generalize(part_of(tree), part_of(page.tree), min(self.left, MOST_STEPS))
                self.left -= taken
                if general is not None:
                    tree = tree_of(general)
                    program = Program(tree)
        accepted = [page for page in pages if page is first or self._read(program, page.tree)]
        return _Wrapper(tree, program, accepted)

    def pattern(self, wrapper: _Wrapper) -> Pattern:
        """Return a pattern. Its kind says whether a typical page gives an article."""
        pages = sorted(wrapper.pages, key=lambda page: (len(page.tree), page.url))
        typical = pages[(len(pages) - 1) // 2]
        read = self._read(wrapper.program, typical.tree)
        found = label_passages(read.passages) if read else None
        mass = weight(" ".join(found.text)) if found else 0
        return Pattern(
            name=typical.url,
            kind="article" if found else "index",
            score=round(math.log(len(pages)) * mass, 2),
            pages=len(pages),
            sections=(),
            sample_title=found.title if found else "",
            sample_url=typical.url,
            tree=write_rows(wrapper.tree.names, wrapper.tree.texts, wrapper.tree.parents),
        )

    def _read(self, program: Program, page: Tree) -> Reading | None:
        """Return how a program reads a page; None if it rejects it, or takes too many steps."""
        reading, taken = program.read(tokens_of(page), min(self.left, MOST_STEPS))
        self.left -= taken
        return reading


# --- Read a page with the wrappers of its site


class _Wrappers(NamedTuple):
    """The patterns of a site, each with its program."""

    patterns: Sequence[tuple[Pattern, Program]]

    @classmethod
    def of(cls, site: SitePatterns) -> _Wrappers:
        return cls([(pattern, Program(tree_of_pattern(pattern))) for pattern in site.patterns])


def result_of_wrapper(
    page: Page, site: SitePatterns, patterns: PatternSet, options: ExtractOptions, source: Source | None
) -> Parts[Result]:
    """Return what extraction finds on a page of a site with wrappers, in parts.

    Of the wrappers that accept the page, the one wins to which the largest share of its tokens belongs.

    :param patterns: all patterns, which keep the programs of the site's.
    :param source: the page, if the caller has opened it. Its tree, if it has one, is used before the first
        part ends.
    :raises PageError: the page cannot be read, or goes beyond a limit.
    """
    if not isinstance(source, TreeSource):
        root = parse_within(page, options.encoding, options.limits)
        source = TreeSource(page.url, root, options.limits, page.body)
    tokens = tokens_of(build_tree(source.root))
    layout = yield from read_layout(page, options.encoding, options.limits, source)
    if not layout.blocks:
        return Result(page.url, Reason.NO_TEXT, site, layout)
    compared: list[tuple[Pattern, float]] = []
    best: tuple[Pattern, Reading] | None = None
    steps = options.limits.steps // _COST
    for pattern, program in patterns.kept(site.site, _Wrappers.of).patterns:
        reading, taken = program.read(tokens, steps - _LEAST)
        steps -= _LEAST + taken
        if steps <= 0:
            raise LimitError(page.url, "steps", f"takes more than {options.limits.steps:,} comparisons")
        compared.append((pattern, reading.share if reading else 0.0))
        if reading and (best is None or reading.share > best[1].share):
            best = pattern, reading
        yield
    result = partial(Result, page.url, site=site, layout=layout, compared=compared, threshold=0.0)
    if best is None:
        return result(Reason.NO_MATCH)
    pattern, reading = best
    result = partial(result, match=Match(pattern, reading.share))
    labelled = label_passages(reading.passages)
    if labelled is None:
        return result(Reason.NO_MAIN_TEXT)
    return result(article=with_markdown(_article(page.url, pattern, labelled), options))


def _article(url: str, pattern: Pattern, found: LabelledPassages) -> Article:
    """Return an article: one line, one paragraph of HTML and one section for each text."""
    title = [ArticleSection("title", found.title)] if found.title else []
    return Article(
        url=url,
        title=found.title,
        text="\n".join(found.text),
        html="\n".join(f"<p>{escape(text, quote=False)}</p>" for text in found.text),
        sections=(*title, *(ArticleSection("main", text) for text in found.text)),
        pattern=pattern.name,
    )
