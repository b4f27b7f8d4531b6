"""`scrapy webstemmer trees`: show the layout trees of pages, map two of them, or form clusters of them."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from itertools import combinations
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from scrapy.exceptions import UsageError

from ..base.terminal import printable, say, write
from ..crawl.setting_values import limits_of
from ..engines import ENGINES
from ..errors import OptionError, PageError, plural
from .arguments import CommandError, add_flag, add_value, check_page_encoding
from .base import WebstemmerCommand
from .exports import check_output, open_output
from .fetching import fetch_pages
from .inputs import check_inputs, note, open_inputs, progress
from .summary import say_skipped

if TYPE_CHECKING:
    from ..trees.layout_trees import Tree
    from ..trees.tree_rates import Rates
    from ..trees.tree_selection import Selection
    from ..values import Page

#: The lowest threshold of the published dialog. The page of clusters has lower rates only if the user asks
#: for a lower threshold.
_LOWEST_THRESHOLD = 0.25
#: The page of clusters has the rates of all pairs of pages, so its size grows with their square.
_MOST_CLUSTERED = 1_000


class _Shown(NamedTuple):
    """A page with its layout tree."""

    url: str
    tree: Tree


class Command(WebstemmerCommand):
    """Show layout trees."""

    takes_urls = True
    usage = "[options] show|map|cluster INPUT... [--html FILE]"
    summary = "Show pages as layout trees, map two of them, or form clusters"
    description = (
        "Work with layout trees as News Ripper has them. show prints the tree of each page, map what two"
        " pages have in common, and cluster which pages are alike. INPUT is what `scrapy extract` takes,"
        " such as a learning set, an HTML file, a folder of them, or the url of a page to fetch."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's options."""
        super().add_options(parser)
        add_value(parser, "-c --encoding", "NAME", "charset of pages that declare none")
        add_value(
            parser,
            "--select",
            "WORDS",
            "the elements that are kept, as in 'default +span -lists', 'all' or 'none p div'",
            default="default",
        )
        add_flag(parser, "--html4", "ignore elements that came after HTML 4.01")
        add_flag(parser, "--attributes", "compare ids and classes as well, not only tags")
        parser.add_argument(
            "--method",
            choices=["fast", "fine", "restricted"],
            default="fine",
            help="the mapping, fine if not given; restricted is that of tree edit distance",
        )
        add_value(
            parser,
            "-t --cluster-threshold",
            "SHARE",
            "only with cluster, the rate from which pages form a cluster, 0 to 1;"
            f" if not given {ENGINES['leaves'].similarity},"
            f" with --method restricted {ENGINES['tree-edit'].similarity}",
            type=float,
        )
        add_value(parser, "--html", "FILE", "write a page to open in a browser, instead of text")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Read the pages, and write what is asked for."""
        if not args or args[0] not in _ACTIONS:
            raise UsageError(f"the first argument must be one of {', '.join(_ACTIONS)}")
        action, inputs = args[0], args[1:]
        check_inputs(inputs, urls=True)
        _check_options(action, opts)
        if opts.html is not None:
            check_output(opts.html, inputs)
        shown = self._read(inputs, _selection(opts), opts)
        if not shown:
            raise CommandError("the inputs have no pages that can be read")
        _ACTIONS[action](shown, opts)

    def _read(self, inputs: list[str], selection: Selection, opts: argparse.Namespace) -> list[_Shown]:
        """Return the pages with their trees; name each unreadable page."""
        shown = []
        fetched, _ = fetch_pages(self.crawler_process, inputs, guess=opts.encoding is None)
        with open_inputs(inputs, "", fetched) as sources:
            with progress(sources, "reading") as pages:
                for page in pages:
                    try:
                        shown.append(_Shown(page.url, self._tree(page, selection, opts)))
                    except PageError as error:
                        note(f"not read: {error}")
            say_skipped(sources)
        return shown

    def _tree(self, page: Page, selection: Selection, opts: argparse.Namespace) -> Tree:
        from ..page.limits import check_page, parse_within
        from ..trees.layout_trees import build_tree

        limits = limits_of(self.settings)
        check_page(page, limits)
        root = parse_within(page, opts.encoding, limits)
        return build_tree(root, selection, attributes=opts.attributes)


def _check_options(action: str, opts: argparse.Namespace) -> None:
    """Refuse options that are invalid, or that the action has no use for. Raises UsageError."""
    restricted = opts.method == "restricted"
    if opts.cluster_threshold is None:
        opts.cluster_threshold = ENGINES["tree-edit" if restricted else "leaves"].similarity
    elif action != "cluster":
        raise UsageError("--cluster-threshold goes with cluster")
    if not 0 <= opts.cluster_threshold <= 1:
        raise UsageError(f"--cluster-threshold {opts.cluster_threshold}: must be from 0 to 1")
    if action == "cluster" and restricted and opts.html is not None:
        raise UsageError("cluster --html goes with --method fast or fine")
    check_page_encoding(opts.encoding)


def _selection(opts: argparse.Namespace) -> Selection:
    from ..trees.tree_selection import Selection

    try:
        return Selection.read(opts.select, classic=opts.html4)
    except OptionError as error:
        raise UsageError(f"--select {error.value}: {error.reason}") from None


def _show(shown: Sequence[_Shown], opts: argparse.Namespace) -> None:
    """Print each page's tree as indented lines, or write one page's tree as HTML."""
    from ..review.tree_pages import tree_page

    if opts.html is not None:
        if len(shown) != 1:
            raise CommandError(f"show --html goes with one page; the inputs have {len(shown):,}")
        _write_html(opts.html, tree_page(shown[0].tree, shown[0].url))
        return
    for url, tree in shown:
        say(sys.stdout, printable(f"{url}: {plural(len(tree), 'node')}"))
        _write_tree(tree)


def _map(shown: Sequence[_Shown], opts: argparse.Namespace) -> None:
    """Print two pages' similarity rate and common tree, or write both trees side by side."""
    from ..review.tree_pages import mapping_page
    from ..trees.tree_mappings import FOOLED, METHODS, map_restricted, missed

    if len(shown) != 2:
        raise CommandError(f"map takes two pages; the inputs have {len(shown):,}")
    mapping = METHODS.get(opts.method, map_restricted)(shown[0].tree, shown[1].tree)
    if mapping is None:
        raise CommandError("the restricted mapping of these two pages takes too long")
    if opts.method == "fast" and (lost := missed(mapping.first, mapping.second)) >= FOOLED:
        say(sys.stderr, f"the fast mapping was fooled: the rate of the fine one is {lost:.3f} higher")
    if opts.html is not None:
        _write_html(opts.html, mapping_page(mapping, [page.url for page in shown]))
        return
    sizes = f"{len(mapping.pairs):,} common nodes of {len(mapping.first):,} and {len(mapping.second):,}"
    distance = "" if mapping.distance is None else f"distance {mapping.distance:,}, "
    say(sys.stdout, f"rate {mapping.rate:.3f}: {distance}{sizes}")
    if mapping.common is not None:
        _write_tree(mapping.common)


def _cluster(shown: Sequence[_Shown], opts: argparse.Namespace) -> None:
    """Print the clusters, each page with its rate to the first one, or write them with all rates.

    For the restricted mapping all texts count as equal, as when such patterns are learned.
    """
    from ..review.tree_pages import cluster_page
    from ..trees.tree_clusters import leader_clusters, ripper_clusters
    from ..trees.tree_rates import Rates

    tree_of = dict(sorted(shown, key=itemgetter(0)))  # of a url that comes twice, the last tree
    urls = [*tree_of]
    restricted = opts.method == "restricted"
    trees = [tree.bare if restricted else tree for tree in tree_of.values()]
    rates = Rates(trees, opts.method, keys=urls)
    if opts.html is not None:
        if len(urls) > _MOST_CLUSTERED:
            raise CommandError(
                f"cluster --html goes with {_MOST_CLUSTERED:,} pages at most, not {len(urls):,}"
            )
        least = min(_LOWEST_THRESHOLD, math.floor(opts.cluster_threshold * 100) / 100)
        pairs = list(_pairs(rates, len(urls), least))
        _write_html(opts.html, cluster_page(urls, pairs, opts.cluster_threshold, least))
        return
    clusters = (leader_clusters if restricted else ripper_clusters)(rates, opts.cluster_threshold)
    for number, members in enumerate(clusters, start=1):
        say(sys.stdout, f"cluster {number}: {plural(len(members), 'page')}")
        for index in members:
            rate = rates.rate(members[0], index)
            say(sys.stdout, printable(f"{rate:.3f} {urls[index]}"))


def _pairs(rates: Rates, count: int, least: float) -> Iterator[tuple[float, int, int]]:
    """Yield the rates of all pairs from the lowest threshold on."""
    for first, second in combinations(range(count), 2):
        if rates.bound(first, second) >= least and (rate := rates.rate(first, second)) >= least:
            yield rate, first, second


def _write_html(name: str, html: str) -> None:
    with open_output(name, "utf-8") as out:
        out.write(html)


def _write_tree(tree: Tree) -> None:
    from ..review.tree_pages import tree_lines

    for line in tree_lines(tree):
        write(sys.stdout, line + "\n")


#: What the first argument may be, and what it does with the pages.
_ACTIONS = {"show": _show, "map": _map, "cluster": _cluster}
