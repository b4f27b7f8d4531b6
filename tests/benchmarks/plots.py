"""Plots of the results as SVG, readable on light and on dark pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from measures import ALL, BEST_TOOL, OURS
from tables import Results, by_best_tool, change, curve, rules_rows, show, size_of

#: Colours of middle lightness, which stand out from white and from black.
TEXT = "#7b8b97"
COLOURS = {
    OURS: "#2f8fb3",
    "trafilatura": "#c48a1c",
    "readability-lxml": "#3f9f5f",
    "newspaper4k": "#a86fc0",
    "resiliparse": "#d0605a",
}
#: Few sites are below this F1. The picture leaves out the rest of the scale, so that the lines stay apart.
_LOWEST = 0.5
#: The curve is that of sites with so many pages.
_MANY = 30
_MARKS = {OURS: "o", "trafilatura": "^", "readability-lxml": "s", "newspaper4k": "v", "resiliparse": "D"}


def write_plots(results: Results, folder: Path, names: Iterable[str]) -> list[Path]:
    """Write accuracy-NAME.svg for each of some plots; the same results give the same bytes."""
    return write_figures({folder / f"accuracy-{name}.svg": PLOTS[name] for name in names}, results)


def write_figures(plots: Mapping[Path, Callable[[Any, Any], Any]], results: Any) -> list[Path]:
    """Write figures; a function of pyplot and the results makes each."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": "accuracy",
            "font.family": ["sans-serif"],
            "font.size": 11,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "grid.alpha": 0.35,
            **{f"{part}.color": TEXT for part in ("text", "xtick", "ytick", "grid")},
            "axes.labelcolor": TEXT,
            "axes.edgecolor": TEXT,
        }
    )
    return [_write(path, plot, results) for path, plot in plots.items()]


def _write(path: Path, plot: Any, results: Any) -> Path:
    from matplotlib import pyplot

    figure = plot(pyplot, results)
    figure.savefig(path, transparent=True, bbox_inches="tight", metadata={"Date": None, "Creator": None})
    pyplot.close(figure)
    # matplotlib ends lines with spaces, which the checkout should not have
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(line.rstrip() for line in lines) + "\n", encoding="utf-8")
    return path


def _plot_sites(pyplot: Any, results: Results) -> Any:
    """Plot the F1 of each tool over the sites, from the worst to the best site of each tool."""
    figure, axes = pyplot.subplots(figsize=(8, 4.2))
    every = max(1, len(results) // 12)
    for tool, colour in COLOURS.items():
        f1s = sorted(result["tools"][tool]["f1"] for result in results.values())
        style = {"marker": _MARKS[tool], "markevery": every, "linewidth": 2.5 if tool == OURS else 1.3}
        axes.plot(range(1, len(f1s) + 1), f1s, color=colour, label=tool, **style)
    axes.set_ylim(_LOWEST, 1.005)
    axes.set_ylabel("F1")
    axes.set_xlabel("number of sites with this F1 or a lower one")
    axes.grid(visible=True)
    axes.legend(loc="lower right", frameon=False)
    return figure


def _plot_curve(pyplot: Any, results: Results) -> Any:
    """Plot F1 and titles by the number of pages learned from, of the sites with many, beside another tool."""
    found, other = curve(results, _MANY), by_best_tool(results, _MANY)
    figure, axes = pyplot.subplots(figsize=(8, 4.2))
    sizes = [size for size in found if size <= _MANY and size != ALL] + [ALL]
    places = range(len(sizes))
    for key, style, name in (("f1", "-", "F1"), ("title", "--", "exact titles")):
        values = [found[size][key] for size in sizes]
        axes.plot(places, values, _MARKS[OURS] + style, color=COLOURS[OURS], label=f"{name}, {OURS}")
        line = [other[key]] * len(sizes)
        axes.plot(places, line, style, color=COLOURS[BEST_TOOL], label=f"{name}, {BEST_TOOL}")
    axes.set_xticks(places, [size_of(size) for size in sizes])
    number = found[ALL]["sites"]
    axes.set_xlabel(f"pages of the site that were learned (none: a page alone); means over {number} sites")
    axes.grid(visible=True)
    axes.legend(loc="center right", frameon=False)
    return figure


def _plot_rules(pyplot: Any, results: Results) -> Any:
    """Plot the mean F1 that is lost without each rule that matters; the greatest loss is on top."""
    losses = [(loss, name) for _, name, changes in rules_rows(results) if change(loss := changes["f1"])]
    losses.sort(key=lambda row: (-row[0], row[1]))
    figure, axes = pyplot.subplots(figsize=(8, 0.24 * len(losses) + 0.8))
    axes.barh(range(len(losses)), [loss for loss, _ in losses], color=COLOURS[OURS])
    for row, (loss, _) in enumerate(losses):
        axes.text(max(loss, 0) + 0.002, row, show(loss), va="center", fontsize=9)
    axes.set_yticks(range(len(losses)), [name for _, name in losses])
    axes.set_xlabel("change of the mean F1 without the rule")
    axes.grid(visible=True, axis="x")
    axes.set_axisbelow(True)
    return figure


#: The plots by the names of their files.
PLOTS: Mapping[str, Callable[[Any, Results], Any]] = {
    "sites": _plot_sites,
    "curve": _plot_curve,
    "rules": _plot_rules,
}
