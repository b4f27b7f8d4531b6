"""Show mappings and clusters as HTML pages that need nothing from elsewhere.

What they show comes from strangers: all text is escaped, and a policy in the page's head lets a browser run
and load nothing but the page's own style and script.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from html import escape

from .leaves import LeafCounts, own_leaves
from .mapping import TreeMapping
from .tree import TEXT, Tree

__all__ = ["cluster_page", "mapping_page"]

_STYLE = """
body { font: 14px/1.4 sans-serif; margin: 1em; }
main { display: grid; grid-template-columns: 1fr 1fr; gap: 1em; }
section { overflow-x: auto; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.common { background: #cfe8cf; }
.kept { color: #8a2be2; font-weight: bold; }
.dropped { text-decoration: line-through; color: #666; }
.number { color: #666; }
h2 { font-size: 1em; overflow-wrap: anywhere; }
"""

_SCRIPT = """
const data = JSON.parse(document.getElementById("data").textContent);
const slider = document.getElementById("threshold"), shown = document.getElementById("shown");
const list = document.getElementById("clusters");
function clustersAt(threshold) {
  const free = new Set(data.pages.keys()), near = data.pages.map(() => new Map()), found = [];
  for (const [rate, a, b] of data.pairs) { near[a].set(b, rate); near[b].set(a, rate); }
  for (const [rate, a, b] of data.pairs) {
    if (rate < threshold) break;
    const begun = [a, b].filter(page => free.has(page));
    if (!begun.length) continue;
    begun.forEach(page => free.delete(page));
    const joined = [...free].filter(page => begun.some(start => (near[page].get(start) ?? 0) >= threshold));
    joined.forEach(page => free.delete(page));
    found.push({ pages: [...begun, ...joined].sort((x, y) => x - y), near });
  }
  for (const page of free) found.push({ pages: [page], near });
  return found.sort((x, y) => y.pages.length - x.pages.length || x.pages[0] - y.pages[0]);
}
function show() {
  shown.textContent = Number(slider.value).toFixed(2);
  list.replaceChildren();
  clustersAt(Number(slider.value)).forEach((cluster, number) => {
    const title = document.createElement("h2"), pages = document.createElement("ul");
    title.textContent = `Cluster ${number + 1}: ${cluster.pages.length}`;
    for (const page of cluster.pages) {
      const item = document.createElement("li"), rate = cluster.near[page].get(cluster.pages[0]);
      item.textContent = data.pages[page] + (rate === undefined ? "" : ` (${rate.toFixed(3)})`);
      pages.append(item);
    }
    list.append(title, pages);
  });
}
slider.addEventListener("input", show);
show();
"""


def mapping_page(mapping: TreeMapping, names: Sequence[str]) -> str:
    """Return a page with two trees side by side: common nodes in colour, text leaves dropped and kept.

    :param names: a name for each of the two pages, such as its url.

    No script is in it. Cost: linear in the nodes, times their depth for the indentation.
    """
    counts = LeafCounts.of([mapping.first, mapping.second])
    sides = [[pair[side] for pair in mapping.pairs] for side in (0, 1)]
    written = [
        f"<h1>Similarity rate {mapping.rate:.3f}</h1>",
        f"<p>{len(mapping.pairs)} common nodes of {len(mapping.first)} and {len(mapping.second)}. ",
        '<span class="common">common node</span> <span class="kept">text that is kept</span> ',
        '<span class="dropped">text that both pages have</span></p><main>',
    ]
    for tree, common, name in zip((mapping.first, mapping.second), sides, names, strict=True):
        written.append(f"<section><h2>{escape(name)}</h2><pre>")
        written += _lines(tree, set(common), set(own_leaves(tree, counts)))
        written.append("</pre></section>")
    return _page("Mapping of two pages", "".join([*written, "</main>"]))


def _lines(tree: Tree, common: set[int], kept: set[int]) -> Iterator[str]:
    depths: list[int] = []
    for node, name in enumerate(tree.names):
        depths.append(depths[tree.parents[node]] + 1 if node else 0)
        classes = ["common"] if node in common else []
        if name == TEXT:
            classes.append("kept" if node in kept else "dropped")
        shown = escape(f'"{tree.texts[node]}"' if name == TEXT else name)
        yield f'{"  " * depths[node]}<span class="{" ".join(classes)}">{shown}</span>\n'


def cluster_page(names: Sequence[str], pairs: Sequence[tuple[float, int, int]], threshold: float) -> str:
    """Return a page with News Ripper's clusters, their rates, and a threshold to move.

    :param names: the pages' names, in the order of their keys.
    :param pairs: rates and the indexes of the two pages. Pairs that are left out count as unlike.
    :param threshold: the threshold to begin with. The lowest one is that of the pair with the lowest rate.
    """
    ordered = sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2]))
    data = json.dumps({"pages": list(names), "pairs": ordered}, separators=(",", ":"))
    for sign in "<>&":  # nothing in it may end the element
        data = data.replace(sign, f"\\u{ord(sign):04x}")
    least = min([threshold, *(rate for rate, _, _ in ordered[-1:])])
    body = (
        '<h1>Clusters</h1><p><label>Threshold <input type="range" id="threshold" max="1" step="0.01" '
        f'min="{max(0.0, least):.2f}" value="{threshold:.2f}"></label> <output id="shown"></output></p>'
        '<p class="number">The number after a page is its rate with the first page in its list.</p>'
        f'<div id="clusters"></div><script type="application/json" id="data">{data}</script>'
    )
    return _page("Clusters", body, _SCRIPT)


def _page(title: str, body: str, script: str = "") -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    runs = f"script-src 'sha256-{digest}'; " if script else ""
    policy = f"default-src 'none'; {runs}style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>{title}</title><style>{_STYLE}</style></head><body>{body}"
        + (f"<script>{script}</script>" if script else "")
        + "</body></html>\n"
    )
