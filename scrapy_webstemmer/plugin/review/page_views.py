"""How pages are shown: what became of a page's text; layout trees of one page or two, clusters of pages.

A page of a stranger is shown as the cleaned HTML of its blocks, without addresses, in a frame in which
nothing runs, loads or leads away. Pages of trees have up to a million lines, so these are written as text,
and not made as elements: all of it is escaped, and a text that is written from right to left changes the
order of nothing beyond its line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from lxml import html

from ...article.article_html import render
from ...article.result import markdown_of
from ...html.text import NO_XML
from ...items import ArticleItem
from ...trees.common_trees import TreeMapping
from ...trees.layout_trees import TEXT, Tree, tree_html
from ...trees.tree_clusters import LeafCounts, own_leaves
from ..commands.summary import explanation_text
from . import Content, Links, View, h, head, page, page_of, text_of, way
from .reviewed import FATES, Run, runs_of

if TYPE_CHECKING:
    from ...article.result import Result
    from ...values import Article

# --- What became of a page's text, the article beside it, and how it was decided

#: What stays of elements in the frame: these attributes.
_KEPT = ("colspan", "rowspan", "start")
#: The letters that stand for what became of blocks, beside the colours.
_LETTERS = dict(zip(FATES, "TMSRXLON", strict=True))


def badge(fate: str, *content: Content) -> Any:
    """Return the letter and the colour of what became of a block, with content behind it."""
    return h("span", h("b", _LETTERS[fate]), content, class_=f"badge {fate}", title=FATES[fate])


def legend() -> Any:
    """Return what the letters and colours mean."""
    items = [h("li", badge(fate, f" {words}")) for fate, words in FATES.items()]
    return h("section", h("h2", "Colours and letters"), h("ul", items, class_="legend"))


def result_page(result: Result, links: Links) -> str:
    """Return the view of a page."""
    site = result.site
    steps = [] if site is None else [(View("site", site.site), site.site)]
    number = _number_of(result)
    if site is not None and number:
        steps.append((View("layout", site.site, number), f"Layout {number}"))
    article = result.article or result.uncertain
    frame = h(
        "iframe",
        srcdoc=_frame(result),
        sandbox="",
        title="The page, with what became of its text",
        class_="shown",
    )
    says = h("p", f"No article: {result.reason}.", class_="reason") if result.reason else None
    body = h(
        "main",
        way(links, *steps),
        h("h1", h("bdi", article.title if article and article.title else result.url)),
        h("p", h("bdi", result.url), class_="quiet"),
        says,
        legend(),
        h(
            "div",
            h("section", h("h2", "The page"), frame if result.layout and result.layout.blocks else None),
            h("section", h("h2", "The article"), _article(article) if article else h("p", "There is none.")),
            class_="sides",
        ),
        h("section", h("h2", "How it was decided"), h("pre", explanation_text(result))),
    )
    return page(f"{result.url} - review", body)


def _number_of(result: Result) -> int:
    """Return the number of the layout by which a page was read, from 1 on; 0: by none."""
    names = [pattern.name for pattern in result.site.patterns] if result.site else []
    name = result.match.pattern.name if result.match else ""
    return names.index(name) + 1 if name in names else 0


def _article(article: Article) -> Iterator[Any]:
    """Yield an article as text, and as HTML, Markdown and JSON to open."""
    yield h("div", [h("p", line, dir="auto") for line in article.text.split("\n")], class_="text")
    row = {name: value for name, value in ArticleItem.from_article(article).items() if value is not None}
    ways = [
        ("HTML", article.html),
        ("Markdown", markdown_of(article.title, article.html) if find_spec("markdownify") else ""),
        ("JSON", json.dumps(row, ensure_ascii=False, indent=1)),
    ]
    for name, text in ways:
        if text:
            yield h("details", h("summary", name), h("pre", text))


def _frame(result: Result) -> str:
    """Return a page as its blocks, each run in the colour of what became of it."""
    layout = result.layout
    if layout is None or layout.markup is None:
        return ""
    body = [_run(run, render(layout, run.blocks)) for run in runs_of(result)]
    return page("Page", h("div", body, class_="page"))


def _run(run: Run, cleaned: str) -> Any:
    words = FATES.get(run.fate, "")
    element = h("div", class_=f"run {run.fate}", title=f"{words}: {run.part}" if words else run.part)
    if run.fate:
        element.append(h("b", _LETTERS[run.fate], class_="letter", title=words))
    for one in html.fragments_fromstring(f"<div>{NO_XML.sub('', cleaned)}</div>"):
        element.append(_harmless(one))
    return element


def _harmless(root: Any) -> Any:
    """Return an element in which no address and no style is left; pictures become their texts."""
    for one in list(root.iter()):
        if not isinstance(one.tag, str):
            one.drop_tree()
            continue
        if one.tag == "img":
            text = f"[picture: {one.get('alt', '')}]"
            one.tag, one.text = "span", text
        for name in set(one.attrib) - {*_KEPT}:
            del one.attrib[name]
    return root


# --- Layout trees, mappings of two, and clusters

#: Nodes that are deeper are not indented any more, so that narrow windows have room for their text.
_MOST_INDENTED = 20

#: How deep a node is, for its style.
_DEPTHS = "".join(f".d{depth} {{ --depth: {depth}; }}\n" for depth in range(1, _MOST_INDENTED + 1))


def tree_page(tree: Tree, name: str) -> str:
    """Return a tree as HTML, with a head that lets a browser load and run nothing.

    :param name: what the window is called, such as the page's url.

    Cost: linear in the nodes.
    """
    doctype, _, html = tree_html(tree).partition("\n")
    return f"{doctype}\n{head(name, text_of('tree.css'))}\n{html}"


def mapping_page(mapping: TreeMapping, names: Sequence[str]) -> str:
    """Return a page with two trees side by side: common nodes in colour, text leaves dropped and kept.

    :param names: a name for each of the two pages, such as its url.

    No script is in it. Cost: linear in the nodes.
    """
    counts = LeafCounts.of([mapping.first, mapping.second])
    sides = [[pair[side] for pair in mapping.pairs] for side in (0, 1)]
    sizes = f"{len(mapping.pairs):,} common nodes of {len(mapping.first):,} and {len(mapping.second):,}"
    links = " and ".join(f'<a href="#page{side}">{escape(name)}</a>' for side, name in enumerate(names, 1))
    written = [
        f'<h1>Similarity rate {mapping.rate:.3f}</h1><p class="pages">{sizes}, in {links}</p>',
        '<ul class="tree"><li class="common">common node</li>'
        '<li class="kept">"text that is kept: only this page has it"</li>'
        '<li class="dropped">"text that is dropped: both pages have it"</li></ul>',
        f'<p class="quiet">A node more than {_MOST_INDENTED} levels deep has its depth before it.</p><main>',
    ]
    for side, (tree, common) in enumerate(zip((mapping.first, mapping.second), sides, strict=True)):
        written.append(f'<section><h2 id="page{side + 1}">{escape(names[side])}</h2><ul class="tree">\n')
        written += _lines(tree, set(common), set(own_leaves(tree, counts)))
        written.append("</ul></section>")
    return page_of("Mapping of two pages", "".join([*written, "</main>"]), style=_style())


def _lines(tree: Tree, common: set[int], kept: set[int]) -> Iterator[str]:
    depths: list[int] = []
    for node, name in enumerate(tree.names):
        depth = depths[tree.parents[node]] + 1 if node else 0
        depths.append(depth)
        classes = ["common"] if node in common else []
        if name == TEXT:
            classes.append("kept" if node in kept else "dropped")
        if depth:
            classes.append(f"d{min(depth, _MOST_INDENTED)}")
        number = f"<small>{depth}</small> " if depth > _MOST_INDENTED else ""
        quote = '"' if name == TEXT else ""
        text = f"{quote}<bdi>{escape(tree.texts[node] if name == TEXT else name)}</bdi>{quote}"
        yield f'<li class="{" ".join(classes)}">{number}{text}</li>\n'


def cluster_page(
    names: Sequence[str], pairs: Sequence[tuple[float, int, int]], threshold: float, least: float
) -> str:
    """Return a page with News Ripper's clusters, their rates, and a threshold to move.

    :param names: the pages' names, in the order of their keys.
    :param pairs: rates and the indexes of the two pages; all pairs whose rate is ``least`` or more.
    :param threshold: the threshold to begin with, from 0 to 1.
    :param least: the lowest threshold, in full hundredths.

    Cost: the page has a few bytes for each pair.
    """
    ordered = sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2]))
    data = json.dumps({"pages": list(names), "pairs": ordered}, separators=(",", ":"))
    for sign in "<>&":  # nothing in it may end the element
        data = data.replace(sign, f"\\u{ord(sign):04x}")
    body = (
        '<h1>Clusters</h1><p class="moved"><label for="threshold">Threshold</label> <input type="range" '
        f'id="threshold" min="{least:.2f}" max="1" step="0.01" value="{threshold}" autocomplete="off"> '
        '<output id="shown" for="threshold"></output></p>'
        '<p class="quiet">Move the threshold with the mouse or the arrow keys. The number before a page is '
        f"its rate with the first page of its cluster; rates below {least:.2f} are not shown.</p>"
        "<noscript><p>Your browser runs no scripts, so the clusters are missing.</p></noscript>"
        '<div id="clusters" class="clusters"></div>'
        f'<script type="application/json" id="data">{data}</script>'
    )
    return page_of("Clusters", body, style=_style(), script=text_of("clusters.js"))


def _style() -> str:
    return text_of("views.css") + _DEPTHS
