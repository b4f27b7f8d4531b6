"""Time the layouts of trees: mappings of two large pages, clusters, learning and extraction."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

from news_pages import article, articles, indexes
from tables import markdown

from scrapy_webstemmer import LearnOptions, Limits, extract, learn
from scrapy_webstemmer.engines import ENGINES
from scrapy_webstemmer.page.limits import parse_within
from scrapy_webstemmer.page.parsing import parse_text
from scrapy_webstemmer.trees.edit_distance import map_trees
from scrapy_webstemmer.trees.layout_trees import build_tree
from scrapy_webstemmer.trees.tree_clusters import leader_clusters, ripper_clusters
from scrapy_webstemmer.trees.tree_rates import Rates, fine_pairs
from scrapy_webstemmer.values import Page

#: The numbers of pages of the made-up site whose times are measured.
_GROWTH = (100, 300, 1_000, 3_000)
#: The mapping, the rule of the clusters, and the layout whose threshold they have.
_CLUSTERINGS = (
    ("fine", ripper_clusters, "leaves"),
    ("restricted", leader_clusters, "tree-edit"),
)


def _paragraphs(letter: str) -> str:
    return "".join(f"<p>{letter} {number}" for number in range(990))


def _half_equal(letter: str) -> str:
    return "".join(f"<p>{letter if number % 2 else 'z'} {number}" for number in range(990))


def _sections(letter: str) -> str:
    paragraphs = "".join(f"<p>{letter} {{0}} {number}" for number in range(12))
    section = f"<div><h2>{letter} {{0}}</h2>{paragraphs}<ul><li>a<li>b</ul></div>"
    return "".join(section.format(number) for number in range(60))


def _rows(letter: str) -> str:
    rows = "".join(f"<tr><td>{letter} {n}<td>{letter} {n} a<td>{letter} {n} b" for n in range(280))
    return f"<table>{rows}</table>"


def _deep(letter: str) -> str:
    return "<div>" * 950 + "".join(f"<p>{letter} {number}" for number in range(500))


#: Pages of some 2,000 nodes. Those with different letters have the same elements and different texts.
_SHAPES: Mapping[str, Callable[[str], str]] = {
    "60 sections with 12 paragraphs": _sections,
    "a table of 280 rows": _rows,
    "990 paragraphs side by side": _paragraphs,
    "the same, every second one equal": _half_equal,
    "950 levels, then 500 paragraphs": _deep,
}


def mappings_table() -> str:
    """Return how long each mapping of two pages takes: the best of five times, in milliseconds."""
    rows = []
    for name, written in _SHAPES.items():
        first, second = (build_tree(parse_text(written(letter))) for letter in "ab")
        cells = []
        for mapping in (fine_pairs, map_trees):
            times = []
            for _ in range(5):
                started = time.perf_counter()
                found = mapping(first, second)
                times.append(time.perf_counter() - started)
            refused = "" if found else " (refused)"
            cells.append(f"{min(times) * 1000:.1f}{refused}")
        rows.append([name, f"{len(first):,}", *cells])
    return markdown(["two pages of", "nodes", "fine", "restricted"], rows)


def clusters_table(sites: Mapping[str, Sequence[Page]]) -> str:
    """Return how long each kind of clusters takes on some sites' pages, and how many there are."""
    rows = []
    for site, pages in sorted(sites.items()):
        trees = [build_tree(parse_within(page, None, Limits())) for page in pages]
        keys = [page.url for page in pages]
        cells = []
        for method, find, layout in _CLUSTERINGS:
            started = time.perf_counter()
            is_restricted = method == "restricted"
            shown = [tree.bare for tree in trees] if is_restricted else trees
            clusters = find(Rates(shown, keys, is_restricted=is_restricted), ENGINES[layout].similarity)
            cells.append(f"{time.perf_counter() - started:.2f} ({len(clusters)})")
        rows.append([site, f"{len(pages):,}", f"{max(map(len, trees)):,}", *cells])
    return markdown(["site", "pages", "largest tree", *(method for method, _, _ in _CLUSTERINGS)], rows)


def growth_table() -> str:
    """Return the times of learning and extraction on a made-up site, by layout and number of pages."""
    rows = []
    for layout in ("paths", *(name for name, one in ENGINES.items() if one.has_trees)):
        cells = []
        for count in _GROWTH:
            pages = [*articles("grow.example", count * 4 // 5), *indexes("grow.example", count // 5)]
            started = time.perf_counter()
            patterns = learn(pages, options=LearnOptions(layout=layout))
            learned = time.perf_counter()
            for number in range(100):
                extract(article("grow.example", 10_000 + number), patterns)
            extracted = time.perf_counter() - learned
            cells.append(f"{(learned - started) / count * 1000:.1f} / {extracted * 10:.1f}")
        rows.append([layout, *cells])
    return markdown(["layout", *(f"{count:,} pages" for count in _GROWTH)], rows)
