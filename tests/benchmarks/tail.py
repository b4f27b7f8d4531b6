"""The tail of the results as Markdown tables: the sites on which most goes wrong, and the unsteady ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from aside import is_aside
from measures import ALL, OURS, SIZES
from tables import Results, by_size, markdown, mean, show, sides, size_of

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
#: More pages to learn from should not make a site worse by more than the first of these, none by the second.
_WORSE, _FAR_WORSE = 0.01, 0.03
#: From how many pages to all of them.
_FROM = 30


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


def change_of(result: Mapping[str, Any], key: str) -> float:
    """Return the largest difference of a score between the random halves of a site, 0 to 1."""
    values = _drawn(result, key)
    return max(values) - min(values)


def _drawn(result: Mapping[str, Any], key: str) -> list[float]:
    return [row[key] or 0.0 for row in result["sizes"]["rows"] if row["size"] == ALL]


def worse_with_more(sizes: Mapping[int, Mapping[str, float | None]]) -> float:
    """Return what a site's F1 loses from thirty pages to all; 0 if it loses nothing or has fewer pages.

    :param sizes: the mean scores over the draws, by size.
    """
    if _FROM not in sizes:
        return 0.0
    return max(0.0, (sizes[_FROM]["f1"] or 0.0) - (sizes[ALL]["f1"] or 0.0))


def draws_table(results: Results) -> str:
    """Return a sentence that counts the sites that change, and a table of them, the most changing first."""
    sizes = {name: by_size(results, name) for name in results}
    worse = {name: worse_with_more(found) for name, found in sizes.items()}
    known = [name for name, result in results.items() if result["sizes"]["articles"] >= _ARTICLES]
    changes = {name: max(change_of(results[name], key) for key in ("f1", "lost")) for name in known}
    order = sorted(results, key=lambda name: (-max(changes.get(name, 0.0), worse[name]), name))
    rows = []
    for name in order:
        if max(changes.get(name, 0.0), worse[name]) > _SHOWN:
            halves = (_drawn(results[name], key) for key in ("f1", "lost"))
            cells = (f"{show(min(values))} to {show(max(values))}" for values in halves)
            f1s = (show(sizes[name].get(size, {}).get("f1")) for size in (*SIZES, ALL))
            rows.append([name, results[name]["sizes"]["articles"], *cells, *f1s])
    head = ["site", "articles", "F1, three halves", "lost, three halves", *map(size_of, (*SIZES, ALL))]
    counted = _summary(results, known, worse, [name for name in sizes if _FROM in sizes[name]])
    return f"{counted}\n\n{markdown(head, rows)}" if rows else counted


def _summary(results: Results, known: Sequence[str], worse: Mapping[str, float], many: Sequence[str]) -> str:
    f1, lost = (sum(change_of(results[name], key) > _CHANGED for name in known) for key in ("f1", "lost"))
    some, far = (sum(worse[name] > bound for name in many) for bound in (_WORSE, _FAR_WORSE))
    return (
        f"Sites with {_FROM} pages to learn from: {len(many)}. From {_FROM} pages to all, F1 falls by more "
        f"than {_bound(_WORSE)} on {some} of them, and by more than {_bound(_FAR_WORSE)} on {far}. Sites "
        f"with at least {_ARTICLES} articles: {len(known)}. Between the halves, F1 changes by more than "
        f"{_bound(_CHANGED)} on {f1} of them, and the share of lost articles on {lost}."
    )


def _bound(value: float) -> str:
    return f"{value:g}".removeprefix("0")


#: The tables by their names in the documentation.
TABLES: Mapping[str, Callable[[Results], str]] = {
    "tail": tail_table,
    "worst": worst_table,
    "draws": draws_table,
}
