"""Show trees, mappings and clusters as HTML pages that need nothing from elsewhere.

What they show comes from strangers. All text is escaped, and a text that is written from right to left
changes the order of nothing beyond its line. A policy in the page's head lets a browser run and load nothing
but the page's own style and script.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from html import escape

from .leaves import LeafCounts, own_leaves
from .mapping import TreeMapping
from .markup import tree_html
from .tree import TEXT, Tree

__all__ = ["cluster_page", "mapping_page", "tree_page"]

#: Nodes that are deeper are not indented any more, so that narrow windows have room for their text.
_MOST_INDENTED = 20

_STYLE = """
:root { color-scheme: light dark; --quiet: #595959; --common: #cfe8cf; --kept: #6a1fb0; --step: 2ch; }
@media (prefers-color-scheme: dark) { :root { --quiet: #b8b8b8; --common: #1f4a2b; --kept: #d3adff; } }
body { font: 14px/1.4 sans-serif; margin: 1em; overflow-wrap: anywhere; }
h2 { font-size: 1em; }
bdi, h2, a { unicode-bidi: isolate; }
main { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1em; }
section, .pages, .clusters { overflow-x: auto; }
ul { list-style: none; margin: 0; padding: 0; }
.tree { font-family: monospace; }
.tree li { position: relative; padding-left: calc(3ch + var(--depth, 0) * var(--step)); }
.tree li::before { position: absolute; left: .2ch; }
.common { background: var(--common); }
.common::before { content: "="; }
.kept { color: var(--kept); font-weight: bold; }
.kept::before { content: "+"; }
.dropped { text-decoration: line-through; color: var(--quiet); }
.dropped::before { content: "\\2212"; }
.common.dropped::before { content: "=\\2212"; }
.quiet, small { color: var(--quiet); }
.moved { position: sticky; top: 0; margin: 0; padding: .5em 0; background: Canvas; }
.moved input { width: min(30em, 100%); vertical-align: middle; }
.clusters li { display: flex; font-variant-numeric: tabular-nums; }
.clusters small { flex: 0 0 7ch; font-size: 1em; }
.clusters bdi { min-width: 0; }
@media (max-width: 45em) { :root { --step: 1ch; } main { grid-template-columns: minmax(0, 1fr); } }
""" + "".join(f".d{depth} {{ --depth: {depth}; }}\n" for depth in range(1, _MOST_INDENTED + 1))

#: Elements that hide their content until a reader asks for it are shown with it.
_TREE_STYLE = """
:root { color-scheme: light dark; overflow-wrap: anywhere; }
dialog { display: block; position: static; }
details::details-content { content-visibility: visible; }
"""

_SCRIPT = """
const data = JSON.parse(document.getElementById("data").textContent);
const slider = document.getElementById("threshold"), shown = document.getElementById("shown");
const list = document.getElementById("clusters"), near = data.pages.map(() => new Map());
for (const [rate, a, b] of data.pairs) { near[a].set(b, rate); near[b].set(a, rate); }
function clustersAt(threshold) {
  const free = new Set(data.pages.keys()), found = [];
  for (const [rate, a, b] of data.pairs) {
    if (rate < threshold) break;
    const begun = [a, b].filter(page => free.has(page));
    if (!begun.length) continue;
    begun.forEach(page => free.delete(page));
    const joined = [...free].filter(page => begun.some(start => (near[page].get(start) ?? 0) >= threshold));
    joined.forEach(page => free.delete(page));
    found.push([...begun, ...joined].sort((x, y) => x - y));
  }
  for (const page of free) found.push([page]);
  return found.sort((x, y) => y.length - x.length || x[0] - y[0]);
}
function element(name, ...content) {
  const made = document.createElement(name);
  made.append(...content);
  return made;
}
function counted(count, noun) { return `${count} ${noun}${count === 1 ? "" : "s"}`; }
function rateOf(page, first) {
  return page === first ? "1.000" : near[page].has(first) ? near[page].get(first).toFixed(3) : "less";
}
function add(title, pages, rated) {
  list.append(element("h2", `${title}: ${counted(pages.length, "page")}`), element("ul", ...pages.map(page =>
    element("li", element("small", rated ? rateOf(page, pages[0]) : ""), element("bdi", data.pages[page])))));
}
function show(threshold) {
  const found = clustersAt(Number(threshold)), large = found.filter(pages => pages.length > 1);
  const alone = found.slice(large.length).flat(), clusters = counted(large.length, "cluster");
  shown.textContent = `${threshold}: ${clusters}, ${counted(alone.length, "page")} alone`;
  list.replaceChildren();
  large.forEach((pages, number) => add(`Cluster ${number + 1}`, pages, true));
  if (alone.length) add("In no cluster", alone, false);
}
slider.addEventListener("input", () => show(slider.value));
show(slider.defaultValue);
"""


def tree_page(tree: Tree, name: str) -> str:
    """Return a tree as HTML, with a head that lets a browser load and run nothing.

    :param name: what the window is called, such as the page's url.

    Cost: linear in the nodes.
    """
    doctype, _, html = tree_html(tree).partition("\n")
    return f"{doctype}\n{_head(name, _TREE_STYLE)}\n{html}"


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
    return _page("Mapping of two pages", "".join([*written, "</main>"]))


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
    return _page("Clusters", body, _SCRIPT)


def _page(title: str, body: str, script: str = "") -> str:
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{_head(title, _STYLE, script)}</head><body>{body}'
        + (f"<script>{script}</script>" if script else "")
        + "</body></html>\n"
    )


def _head(title: str, style: str, script: str = "") -> str:
    """Return what stands in a page's head; it allows this style and this script, and nothing else."""
    runs = f"script-src {_digest(script)}; " if script else ""
    policy = f"default-src 'none'; {runs}style-src {_digest(style)}; base-uri 'none'; form-action 'none'"
    return (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style>"
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
