"""The figures of speed.py as plots."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from typing import Any

from measures import OURS
from plots import COLOURS, write_figures
from speed_tables import Results

__all__ = ["write_speed_plots"]


_COLOURS = {**COLOURS, "turbohtml": "#7a7a7a"}


def write_speed_plots(results: Results, folder: Path) -> list[Path]:
    """Write speed-tools.svg and speed-growth.svg; the same results give the same bytes."""
    plots = {"speed-tools": _plot_tools, "speed-growth": _plot_growth}
    return write_figures({folder / f"{name}.svg": plot for name, plot in plots.items()}, results)


def _plot_tools(pyplot: Any, results: Results) -> Any:
    """Plot the time of each tool, as multiples of lxml's parse."""
    corpora = results["corpora"]
    times = {
        OURS: median(row["extract"] / row["parse"] for row in corpora),
        **{
            name: median(row["tools"][name] / row["parse"] for row in corpora) for name in corpora[0]["tools"]
        },
    }
    figure, axes = pyplot.subplots(figsize=(8, 2.6))
    names = list(times)[::-1]
    axes.barh(names, [times[name] for name in names], color=[_COLOURS[name] for name in names])
    axes.set_xscale("log")
    axes.set_xlabel("time from bytes to text, lxml's parse of the same pages being 1")
    axes.grid(visible=True, axis="x")
    return figure


def _plot_growth(pyplot: Any, results: Results) -> Any:
    """Plot the seconds of learning by the number of pages, and peak memory."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(8, 3.6))
    for (source, rows), mark in zip(results["growth"].items(), "osD^v", strict=False):
        pages = [row["pages"] for row in rows]
        left.plot(pages, [row["seconds"] for row in rows], f"{mark}-", color=COLOURS[OURS], label=source)
        right.plot(pages, [row["peak"] for row in rows], f"{mark}-", color=COLOURS[OURS], label=source)
    for axes, what in ((left, "CPU seconds"), (right, "peak MiB")):
        axes.set_xscale("log")
        axes.set_xlabel("pages learned from")
        axes.set_title(what, fontsize=11)
        axes.grid(visible=True)
    left.set_yscale("log")
    right.legend(frameon=False)
    return figure
