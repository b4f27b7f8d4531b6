"""The results of speed.py as Markdown tables, by their names in docs/performance.md."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

from speed_growth import exponent
from speed_measures import EXTRACT_STAGES, LEARN_STAGES
from tables import markdown

__all__ = ["TABLES", "machine"]

#: The results: each part by its name, as ``speed.py`` gathers it.
Results = Mapping[str, Any]

_LIBRARIES = (
    "scrapy-webstemmer",
    "scrapy",
    "lxml",
    "rapidfuzz",
    "trafilatura",
    "readability-lxml",
    "newspaper4k",
    "resiliparse",
    "turbohtml",
)


def machine() -> dict[str, str]:
    """Return the processor and the versions of Python and libraries, on which the figures depend."""
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text(encoding="utf-8").splitlines()
        processor = next(
            (line.partition(": ")[2] for line in lines if line.startswith("model name")), processor
        )
    found = {"processor": processor, "system": platform.system(), "Python": platform.python_version()}
    return found | {name: _version(name) for name in _LIBRARIES}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def machine_table(results: Results) -> str:
    """Return the machine and the versions."""
    return markdown(["what", "which"], results["machine"].items())


def _ratio(results: Results, key: str, unit: str = "parse") -> float:
    """Return the median over the corpora of one figure as a multiple of another."""
    return median(row[key] / row[unit] for row in results["corpora"])


def _share(results: Results, stages: str, stage: str, whole: str) -> float:
    return median(row[stages][stage] / row[whole] for row in results["corpora"])


def extract_table(results: Results) -> str:
    """Return extraction and its stages as multiples of lxml's parse of the same pages, and the rate."""
    corpora = results["corpora"]
    rows = [["lxml parse", "1.00", "", _rate(median(row["test pages"] / row["parse"] for row in corpora))]]
    for key, words in (
        ("extract", "**title and text**"),
        ("extract html", "**with HTML**"),
        ("extract fields", "**with all fields**"),
        ("together", "title and text, sixteen pages together"),
        ("together html", "with HTML, in this way"),
        ("together fields", "with all fields, in this way"),
        ("extract in Python", "title and text, without the compiled modules"),
    ):
        ratios = sorted(row[key] / row["parse"] for row in corpora)
        rate = median(row["test pages"] / row[key] for row in corpora)
        rows.append([words, f"{median(ratios):.2f}", f"{ratios[0]:.2f} to {ratios[-1]:.2f}", _rate(rate)])
    rows.append(["in Scrapy: the longest part", f"{_ratio(results, 'longest part'):.2f}", "", ""])
    for stage in EXTRACT_STAGES.values():
        rows.append([f"of it: {stage}", f"{_share(results, 'extract stages', stage, 'parse'):.2f}", "", ""])
    return markdown(["from bytes to", "times lxml's parse", "of all sites", "pages a second"], rows)


def _rate(value: float) -> str:
    return f"{value:,.0f}"


def tools_table(results: Results) -> str:
    """Return the generic extractors on the same pages."""
    corpora = results["corpora"]
    rows = [
        [
            "scrapy-webstemmer",
            f"{_ratio(results, 'extract'):.2f}",
            "1.0",
            _rate(median(row["test pages"] / row["extract"] for row in corpora)),
        ]
    ]
    for name in corpora[0]["tools"]:
        times = median(row["tools"][name] / row["parse"] for row in corpora)
        ours = median(row["tools"][name] / row["extract"] for row in corpora)
        rate = median(row["test pages"] / row["tools"][name] for row in corpora)
        rows.append([name, f"{times:.2f}", f"{ours:.1f}", _rate(rate)])
    return markdown(["from bytes to text", "times lxml's parse", "times ours", "pages a second"], rows)


def learn_table(results: Results) -> str:
    """Return learning in microseconds a page, by stage; medians over the corpora with 100 pages or more."""
    rows_of = [row for row in results["corpora"] if row["learn pages"] >= 100] or results["corpora"]
    rate = median(row["learn pages"] / row["learn"] for row in rows_of)
    rows = [
        [
            "**learning, bytes to patterns**",
            _micros(median(r["learn"] / r["learn pages"] for r in rows_of)),
            f"**{_rate(rate)}**",
        ]
    ]
    for stage in LEARN_STAGES.values():
        rows.append(
            [stage, _micros(median(r["learn stages"][stage] / r["learn pages"] for r in rows_of)), ""]
        )
    every = results["corpora"]
    rows.insert(
        1,
        [
            "the same of all sites, small ones and their larger pages too",
            _micros(median(r["learn"] / r["learn pages"] for r in every)),
            _rate(median(r["learn pages"] / r["learn"] for r in every)),
        ],
    )
    rest = median((r["learn"] - sum(r["learn stages"].values())) / r["learn pages"] for r in rows_of)
    rows.append(["the rest", _micros(max(rest, 0.0)), ""])
    return markdown(["stage", "microseconds a page", "pages a second"], rows)


def _micros(seconds: float) -> str:
    return f"{seconds * 1e6:,.0f}"


def patterns_table(results: Results) -> str:
    """Return extraction against 1, 10 and 100 patterns of a site."""
    measured = [row["patterns"] for row in results["corpora"] if row["patterns"]]
    rows = []
    for count in measured[0]:
        whole = median(row[count]["extract"] / row["1"]["extract"] for row in measured)
        match = median(row[count]["match"] / row[count]["extract"] for row in measured)
        rows.append([count, f"{whole:.2f}", f"{match:.0%}"])
    return markdown(["patterns", "time, one pattern being 1", "matching alone, of extraction"], rows)


def growth_table(results: Results) -> str:
    """Return seconds, rate and peak memory by the number of pages, and the exponents of growth."""
    rows = [
        [
            source,
            f"{row['pages']:,}",
            f"{row['seconds']:.2f}",
            _rate(row["pages"] / row["seconds"]),
            f"{row['peak']:,.0f}",
        ]
        for source, found in results["growth"].items()
        for row in found
    ]
    table = markdown(["site", "pages", "seconds", "pages a second", "peak MiB"], rows)
    return "\n\n".join([table, *_exponents(results)])


def _exponents(results: Results) -> Iterator[str]:
    for source, found in results["growth"].items():
        fitted = exponent(found)
        if fitted is not None:
            yield f"From 1,000 pages on, the time for *{source}* grows as pages to the power of {fitted:.2f}."


def commands_table(results: Results) -> str:
    """Return the CPU time of whole commands."""
    rows = [[f"`{name}`", f"{seconds:.2f}"] for name, seconds in results["commands"].items()]
    return markdown(["whole command", "CPU seconds"], rows)


def workers_table(results: Results) -> str:
    """Return seconds by the clock for each command and number of processes, and CPU seconds of all."""
    alone = {row["command"]: row["seconds"] for row in results["workers"] if row["workers"] == 1}
    rows = [
        [_command(command), count, f"{seconds:.2f}", f"{alone[command] / seconds:.2f}", f"{cpu:.2f}"]
        for command, count, seconds, cpu in (row.values() for row in results["workers"])
    ]
    return markdown(["command", "processes", "seconds", "times as fast as one", "CPU seconds"], rows)


def _command(name: str) -> str:
    command, comma, rest = name.partition(",")
    return f"`scrapy {command}`{comma}{rest}"


#: The tables by their names in the documentation.
TABLES: Mapping[str, Callable[[Results], str]] = {
    "extract": extract_table,
    "tools": tools_table,
    "patterns": patterns_table,
    "learn": learn_table,
    "growth": growth_table,
    "commands": commands_table,
    "workers": workers_table,
    "machine": machine_table,
}

#: The part from which each table is made.
PART_OF = {name: name for name in ("growth", "commands", "workers", "machine")}
