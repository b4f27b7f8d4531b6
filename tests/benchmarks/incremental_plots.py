"""Plots in SVG: articles become better with the pages seen, and memory does not grow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arrival import LARGE
from measure_incremental import Results, growth_rows
from measures import OURS
from plots import COLOURS, TEXT, write_figures


def write_plots(results: Results, folder: Path) -> list[Path]:
    """Write incremental-growth.svg and -memory.svg, if they were measured."""
    plots = {"accuracy": ("growth", _plot_growth), "memory": ("memory", _plot_memory)}
    measured = [plots[part] for part in sorted(plots.keys() & set(results))]
    return write_figures({folder / f"incremental-{name}.svg": plot for name, plot in measured}, results)


def _plot_growth(pyplot: Any, results: Results) -> Any:
    """Plot F1 by the number of pages of the site that were seen before."""
    rows = growth_rows(results)
    figure, axes = pyplot.subplots(figsize=(8, 3.2))
    labels = [label for label, _, _ in rows]
    for column, colour, name in ((1, COLOURS[OURS], f"sites of {LARGE} pages or more"), (2, TEXT, "smaller")):
        points = [(number, row[column]) for number, row in enumerate(rows) if row[column] is not None]
        axes.plot(*zip(*points, strict=True), "o-", color=colour, label=name)
    axes.set_xticks(range(len(labels)), labels)
    axes.set_xlabel("pages of the site seen before")
    axes.set_ylabel("F1")
    axes.grid(visible=True)
    axes.legend(loc="lower right", frameon=False)
    return figure


def _plot_memory(pyplot: Any, results: Results) -> Any:
    """Plot the memory of the process since the beginning, by pages."""
    pages, mib, _ = zip(*results["memory"], strict=True)
    figure, axes = pyplot.subplots(figsize=(8, 3.2))
    axes.plot(pages, mib, color=COLOURS[OURS])
    axes.axhline(32, color=TEXT, linestyle=":")
    axes.set_ylim(0, 34)
    axes.set_xlabel("pages of the generated site (dotted: 32 MiB)")
    axes.set_ylabel("MiB more than at the beginning")
    axes.grid(visible=True)
    return figure
