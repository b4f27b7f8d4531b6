"""The tail of the results as Markdown tables: the sites on which most goes wrong, and the unsteady ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from aside import is_aside
from measures import GROWING, OURS
from tables import Results, Scores, markdown, mean, show, sides

#: The generic extractors that give the best text on most sites.
_GENERIC = ("trafilatura", "readability-lxml")
#: A site is clearly behind if the better generic extractor has an F1 that is higher by more than this.
_BEHIND = 0.03
#: Sites with an F1 below each of these are counted.
_LOW = (0.9, 0.8, 0.5)
#: A site loses much if it loses more than this share of its articles.
_MUCH = 0.1
#: The number of sites in the table of the worst ones.
_WORST = 20

#: Draws are compared on sites with at least so many articles. On fewer, one article changes too much.
_ARTICLES = 50
#: A site is shown if its F1 or its share of lost articles changes by more than the first of these numbers.
#: It is counted if one of them changes by more than the second.
_SHOWN, _CHANGED = 0.01, 0.03
#: More pages to learn from should not make a site worse by more than this.
_WORSE = 0.01


def better_tool(result: Mapping[str, Any]) -> tuple[str, float]:
    """Return the generic extractor that is better on a site, and its F1."""
    return max(((tool, result["tools"][tool]["f1"]) for tool in _GENERIC), key=lambda found: found[1])


def behind(result: Mapping[str, Any]) -> float:
    """Return how far our F1 of a site is behind that of the better generic extractor, -1 to 1."""
    f1: float = result["tools"][OURS]["f1"]
    return better_tool(result)[1] - f1


def tail_table(results: Results) -> str:
    """Return how many sites of each group are behind, have a low F1, or lose many articles."""
    rows = []
    for side, group, names in sides(results):
        ours = [results[name]["tools"][OURS] for name in names]
        clearly = sum(behind(results[name]) > _BEHIND for name in names)
        low = (sum(one["f1"] < bound for one in ours) for bound in _LOW)
        much = sum((one["lost"] or 0.0) > _MUCH for one in ours)
        shares = show(mean(ours, "lost")), much, show(mean(ours, "false"))
        rows.append([side, group, len(names), clearly, *low, *shares])
    head = ["sites", "learned from", "number", f"behind by more than {_bound(_BEHIND)}"]
    bounds = [f"F1 below {_bound(bound)}" for bound in _LOW]
    return markdown([*head, *bounds, "lost", "sites that lose more than a tenth", "false"], rows)


def worst_table(results: Results) -> str:
    """Return the sites that are most behind the better generic extractor, the worst first."""
    rows = []
    for name in sorted(results, key=lambda name: (-behind(results[name]), name))[:_WORST]:
        ours = results[name]["tools"][OURS]
        tool, f1 = better_tool(results[name])
        scores = (show(ours[key]) for key in ("f1", "lost", "false"))
        site = f"{name} (aside)" if is_aside(name) else name
        rows.append([site, ours["learned"], *scores, tool, show(f1), show(behind(results[name]))])
    return markdown(["site", "learned", "F1", "lost", "false", "better tool", "its F1", "behind"], rows)


def change_of(found: Mapping[str, Any], key: str) -> float:
    """Return the largest difference of a score over the draws, or over the sizes, of a site."""
    return max(max(values) - min(values) for values in (_values(found[of], key) for of in ("draws", "sizes")))


def _values(rows: Sequence[Scores], key: str) -> list[float]:
    return [row[key] or 0.0 for row in rows]


def worse_with_more(found: Mapping[str, Any]) -> float:
    """Return the largest loss, of F1 or of articles, from some pages to more pages; 0 if there is none."""
    f1s, losts = _values(found["sizes"], "f1"), _values(found["sizes"], "lost")
    losses = [fewer - more for fewer, more in combinations(f1s, 2)]
    losses += [more - fewer for fewer, more in combinations(losts, 2)]
    return max([0.0, *losses])


def draws_table(results: Results) -> str:
    """Return a sentence that counts the sites that change, and a table of them, the most changing first."""
    found = {name: result["draws"] for name, result in results.items()}
    known = {name: site for name, site in found.items() if site["articles"] >= _ARTICLES}
    changes = {name: max(change_of(site, key) for key in ("f1", "lost")) for name, site in known.items()}
    order = sorted(known, key=lambda name: (-changes[name], name))
    shown = [name for name in order if changes[name] > _SHOWN]
    sizes = [*map(str, GROWING), "all"]
    head = ["site", "articles", "learned", "F1, three halves", "lost, three halves"]
    head += [f"{words} {size}" for words in ("F1 of", "lost of") for size in sizes]
    counted = _draws_summary(list(known.values()))
    rows = [_draws_row(name, known[name]) for name in shown]
    return f"{counted}\n\n{markdown(head, rows)}" if rows else counted


def _draws_summary(known: Sequence[Mapping[str, Any]]) -> str:
    f1, lost = (sum(change_of(found, key) > _CHANGED for found in known) for key in ("f1", "lost"))
    worse = sum(worse_with_more(found) > _WORSE for found in known)
    much = _bound(_CHANGED)
    return (
        f"Sites with at least {_ARTICLES} articles: {len(known)}. "
        f"F1 changes by more than {much} on {f1} of them, and the share of lost articles on {lost}. "
        f"More pages are worse by more than {_bound(_WORSE)} on {worse}."
    )


def _bound(value: float) -> str:
    return f"{value:g}".removeprefix("0")


def _draws_row(name: str, found: Mapping[str, Any]) -> list[object]:
    row: list[object] = [name, found["articles"], found["sizes"][-1]["size"]]
    for key in ("f1", "lost"):
        drawn = _values(found["draws"], key)
        row.append(f"{show(min(drawn))} to {show(max(drawn))}")
    for key in ("f1", "lost"):
        *some, whole = found["sizes"]
        by_size = {one["size"]: one[key] for one in some}
        row += [*(show(by_size.get(size)) for size in GROWING), show(whole[key])]
    return row


#: The tables by their names in the documentation.
TABLES: Mapping[str, Callable[[Results], str]] = {
    "tail": tail_table,
    "worst": worst_table,
    "draws": draws_table,
}
