"""The results of accuracy.py as Markdown tables, and the pages of the documentation that show them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from ablation import RULES
from aside import is_aside
from measures import ALL, BEST_TOOL, FEW, NONE, OURS, SIZES

#: Results by corpus and part, as measures.py gives them.
Results = Mapping[str, Mapping[str, Any]]
#: The scores of one corpus, or their means.
Scores = Mapping[str, Any]

#: Sites with at least so many pages to learn from are one case, those with fewer another.
MANY = 26
#: A larger change of a site's F1 by a disturbance is counted.
_CHANGED = 0.02

_SCORES = {
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "title": "title",
    "lost": "lost",
    "false": "false",
}


def show(value: float | None) -> str:
    """Return a score as a cell of a table.

    >>> show(0.98249), show(1.0), show(None), show(-0.0121)
    ('.982', '1.000', '', '-.012')
    """
    return "" if value is None else re.sub(r"^(-?)0\.", r"\1.", f"{value:.3f}")


def mean(rows: Iterable[Scores], key: str) -> float | None:
    """Return the mean of a score over the rows that have it; None if none of them does."""
    values = [row[key] for row in rows if row[key] is not None]
    return fmean(values) if values else None


def means(rows: Sequence[Scores]) -> dict[str, float | None]:
    """Return the mean of each score."""
    return {key: mean(rows, key) for key in _SCORES}


def markdown(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table; the first column is text, the others are numbers."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def groups(results: Results) -> dict[str, list[str]]:
    """Return the names of the corpora: all, those with many pages to learn from, those with fewer."""
    learned = {name: result["tools"][OURS]["learned"] for name, result in results.items()}
    return {
        "all": list(learned),
        f"{MANY} pages or more": [name for name, count in learned.items() if count >= MANY],
        "fewer": [name for name, count in learned.items() if count < MANY],
    }


def means_table(results: Results) -> str:
    """Return the mean scores of each tool over each group of sites."""
    rows = []
    for side, group, names in sides(results):
        for tool in next(iter(results.values()))["tools"]:
            found = means([results[name]["tools"][tool] for name in names])
            lowest = min(results[name]["tools"][tool]["f1"] for name in names)
            cells = [*(show(found[key]) for key in _SCORES), show(lowest)]
            rows.append([side, group, len(names), tool, *cells])
    return markdown(["sites", "learned from", "number", "tool", *_SCORES.values(), "lowest F1"], rows)


def sides(results: Results) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the groups of corpora: those kept aside, the others, and all; empty groups are left out."""
    for side, wanted in (("kept aside", {True}), ("the others", {False}), ("all", {True, False})):
        for group, names in groups(results).items():
            found = [name for name in names if is_aside(name) in wanted]
            if found:
                yield side, group, found


def sites_table(results: Results) -> str:
    """Return our scores on each corpus, and the F1 and title of the other tools."""
    tools = [tool for tool in next(iter(results.values()))["tools"] if tool != OURS]
    rows = []
    for name, result in results.items():
        ours = result["tools"][OURS]
        others = (result["tools"][tool] for tool in tools)
        rows.append(
            [f"{name} (aside)" if is_aside(name) else name, ours["learned"], ours["articles"]]
            + [show(ours[key]) for key in _SCORES]
            + [f"{show(other['f1'])} / {show(other['title'])}" for other in others]
        )
    return markdown(["site", "learned", "articles", *_SCORES.values(), *tools], rows)


def size_of(size: int) -> str:
    """Return a number of pages as a cell."""
    return {ALL: "all", NONE: "none"}.get(size, str(size))


def by_size(results: Results, name: str) -> dict[int, dict[str, float | None]]:
    """Return the mean scores of a site over the draws, for each size of which it has so many pages."""
    rows = results[name]["sizes"]["rows"]
    full = [row for row in rows if row["size"] in (row["learned"], ALL)]
    return {
        size: means([row for row in full if row["size"] == size]) for size in {row["size"] for row in full}
    }


def curve(results: Results, least: int = 0) -> dict[int, dict[str, Any]]:
    """Return for each size the mean scores over the sites that have so many pages.

    The draws of one site are averaged first, so that each site counts once.

    :param least: only sites that have this size.
    """
    sites = [found for name in results for found in [by_size(results, name)] if not least or least in found]
    found = {size: [one[size] for one in sites if size in one] for size in (NONE, *SIZES, ALL)}
    return {size: {**means(rows), "sites": len(rows)} for size, rows in found.items() if rows}


def by_best_tool(results: Results, least: int = 0) -> dict[str, float | None]:
    """Return the mean scores of the generic extractor on the sites and pages of the curve."""
    names = [name for name in results if not least or least in by_size(results, name)]
    return means([means(results[name]["sizes"][BEST_TOOL]) for name in names])


def curve_table(results: Results) -> str:
    """Return the mean scores by the number of pages learned from, and those of a generic extractor."""
    found = {size_of(size): scores for size, scores in curve(results).items()}
    found[BEST_TOOL] = {**by_best_tool(results), "sites": len(results)}
    rows = [
        [size, scores["sites"], *(show(scores[key]) for key in _SCORES)] for size, scores in found.items()
    ]
    return markdown(["learned from", "sites", *_SCORES.values()], rows)


def growth_table(results: Results) -> str:
    """Return the mean F1 of the same sites by the number of pages; no row should fall."""
    rows = []
    for side, wanted in (("kept aside", {True}), ("all", {True, False})):
        sites = [by_size(results, name) for name in results if is_aside(name) in wanted]
        for least in SIZES[1:]:
            same = [one for one in sites if least in one]
            sizes = [size for size in SIZES if size <= least]
            if same:
                f1s = {size: show(mean([one[size] for one in same], "f1")) for size in (*sizes, ALL)}
                rows.append([side, least, len(same), *(f1s.get(size, "") for size in (*SIZES, ALL))])
    return markdown(["sites", "pages at least", "number", *map(size_of, (*SIZES, ALL))], rows)


def few_table(results: Results) -> str:
    """Return the mean scores of all sites when learning from few pages. Smaller sites use all they have."""
    rows = []
    for size in FEW:
        sites = [
            means([row for row in result["sizes"]["rows"] if row["size"] == size])
            for result in results.values()
        ]
        rows.append([size, len(sites), *(show(mean(sites, key)) for key in _SCORES)])
    return markdown(["learned from", "sites", *_SCORES.values()], rows)


def disturbances_table(results: Results) -> str:
    """Return the largest change of a site's F1 by each disturbance, and the site."""
    rows = []
    for kind, words in (("left out", "one page in twenty left out"), ("shuffled", "pages shuffled")):
        for group, names in list(groups(results).items())[1:]:
            changes = {name: _largest_change(results[name]["disturbances"], kind) for name in names}
            if changes:
                worst = max(changes, key=lambda name: changes[name])
                above = sum(change > _CHANGED for change in changes.values())
                rows.append([words, group, show(changes[worst]), worst if changes[worst] else "", above])
    halves = {name: _largest_gap(result["disturbances"]) for name, result in results.items()}
    if worst := max(halves, key=lambda name: halves[name], default=""):
        above = sum(gap > _CHANGED for gap in halves.values())
        rows.append(["two random halves", "25 pages or more each", show(halves[worst]), worst, above])
    return markdown(["disturbance", "learned from", "largest change of F1", "site", "sites above .02"], rows)


def _largest_gap(scores: Mapping[str, Any]) -> float:
    return max((abs(one - other) for one, other in scores["halves"]), default=0.0)


def _largest_change(scores: Mapping[str, Any], kind: str) -> float:
    return max((abs(f1 - scores["f1"]) for f1 in scores[kind]), default=0.0)


def rules_rows(results: Results) -> list[tuple[str, str, dict[str, float | None]]]:
    """Return for each rule its group, its name, and the change of the mean scores without it.

    The mean F1 of sites with many pages and of those with fewer come as ``many`` and ``fewer``.
    """
    rows = []
    for rule in RULES:
        changes: dict[str, float | None] = {}
        for names, prefix in zip(groups(results).values(), ("", "many ", "fewer "), strict=True):
            with_it = means([results[name]["rules"][""] for name in names])
            without = means([results[name]["rules"][rule.name] for name in names])
            for key in _SCORES:
                a, b = with_it[key], without[key]
                changes[prefix + key] = None if a is None or b is None else b - a
        rows.append((rule.group, rule.name, changes))
    return rows


def rules_table(results: Results) -> str:
    """Return the loss without each rule."""
    keys = ("f1", "many f1", "fewer f1", "title", "false")
    rows = [
        [name, group, *(change(changes[key]) for key in keys)] for group, name, changes in rules_rows(results)
    ]
    return markdown(
        ["without", "part", "F1", f"F1, {MANY} pages or more", "F1, fewer", "title", "false"], rows
    )


def change(value: float | None) -> str:
    """Return a difference as a cell; an empty cell if there is none.

    >>> change(-0.0236), change(0.0001), change(0.1)
    ('-.024', '', '+.100')
    """
    if value is None or abs(value) < 0.0005:
        return ""
    return ("+" if value > 0 else "") + show(value)


#: The tables by their names in the documentation.
TABLES: Mapping[str, Callable[[Results], str]] = {
    "means": means_table,
    "sites": sites_table,
    "curve": curve_table,
    "few": few_table,
    "growth": growth_table,
    "disturbances": disturbances_table,
    "rules": rules_table,
}


def fill_in(page: Path, results: Results, tables: Mapping[str, Callable[[Results], str]] = TABLES) -> None:
    """Put the tables of results into their places in a page."""
    fill_tables(page, {name: table(results) for name, table in tables.items()})


def fill_tables(page: Path, tables: Mapping[str, str]) -> None:
    """Put tables into their places in a page, between ``<!-- table NAME -->`` and ``<!-- end -->``."""

    def replace(match: re.Match[str]) -> str:
        return f"{match[1]}\n\n{tables[match[2]]}\n\n{match[3]}" if match[2] in tables else match[0]

    text = page.read_text(encoding="utf-8")
    text = re.sub(r"(<!-- table (\w+) -->).*?(<!-- end -->)", replace, text, flags=re.DOTALL)
    page.write_text(text, encoding="utf-8")
