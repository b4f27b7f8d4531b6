#!/usr/bin/env python3
"""Measure articles from the first page on: accuracy, stored data, memory and time.

    measure_incremental.py [--docs] [--work DIR] [--only PART] [--generated N] CORPUS...

CORPUS is a folder, or a .tar.xz of one, with gold.jsonl and pages/; its pages come in the order of a digest
of their urls. Parts:

    accuracy  F1 from page 50 on where there are 100 pages or more, and by pages seen before
    storage   what is kept at a recall of .8 of the template blocks, beside shingles and a site style tree
    cost      CPU time as multiples of the parse
    memory    of a generated site of N pages (100,000)

The tables are printed as Markdown; --docs also writes them, and the plots, into docs/.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from arrival import LARGE, WINDOWS, accuracy, cost, read_in_order
from evalkit import EVALKIT, Evalkit
from serve_corpus import unpack
from storage import prepare, storage
from tables import fill_tables, markdown, mean, show

DOCS = Path(__file__).resolve().parents[2] / "docs"
#: Where the tables stand: those of single sites in an appendix.
PLACES = {
    "incremental.md": ("growth",),
    "other-methods.md": ("incremental", "storage", "default", "cost", "memory"),
}
PARTS = ("accuracy", "storage", "cost", "memory")
#: At most so many pages of a corpus are used to measure storage.
_STORED = 400

Results = Mapping[str, Any]


def measure(folders: Sequence[Path], args: argparse.Namespace) -> Results:
    """Return the results of each part, by the corpus' name or for the generated site."""
    evalkit = Evalkit(args.evalkit)
    found: dict[str, Any] = {part: {} for part in args.only}
    for folder in sorted(folders):
        rows = read_in_order(folder)
        if "accuracy" in found:
            found["accuracy"][folder.name] = accuracy(folder, rows, args.work, evalkit)
        if len(rows) < LARGE:
            continue
        if "storage" in found:
            pages = [(page, row["text"] if evalkit.usable(row) else None) for page, row in rows[:_STORED]]
            found["storage"][folder.name] = storage(list(prepare(pages, evalkit.tokens)))
        if "cost" in found:
            found["cost"][folder.name] = cost(rows)
        print(folder.name, file=sys.stderr, flush=True)
    if "memory" in found:
        found["memory"] = _memory(args.generated)
    return found


def _memory(pages: int) -> list[Any]:
    command = [sys.executable, str(Path(__file__).with_name("growth.py")), str(pages)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    rows: list[Any] = json.loads(done.stdout)
    return rows


def accuracy_table(results: Results) -> str:
    """Return the scores of the corpora with enough pages, and their means."""
    keys = ("precision", "recall", "f1", "title", "false")
    rows = {name: row for name, row in results["accuracy"].items() if row["pages"] >= LARGE}
    cells = [[name, row["pages"], *(show(row[key]) for key in keys)] for name, row in rows.items()]
    means = ["mean", "", *(show(mean(rows.values(), key)) for key in keys)]
    return markdown(["site", "pages", "precision", "recall", "F1", "title", "false"], [*cells, means])


def growth_rows(results: Results) -> list[tuple[str, float | None, float | None]]:
    """Return how F1 grows with the pages seen before: on the large corpora, and on the small ones."""
    found = []
    for number, (start, end) in enumerate(WINDOWS):
        groups: tuple[list[Any], list[Any]] = ([], [])
        for row in results["accuracy"].values():
            scores = row["windows"][number]
            if scores and scores["articles"]:
                groups[row["pages"] < LARGE].append(scores)
        label = f"{start} to {end - 1}" if end < 10_000 else f"{start} or more"
        found.append((label, mean(groups[0], "f1"), mean(groups[1], "f1")))
    return found


def growth_table(results: Results) -> str:
    """Return the rows of :func:`growth_rows`."""
    head = ["pages seen before", f"F1, sites of {LARGE} pages or more", "F1, smaller sites"]
    return markdown(head, [[label, show(large), show(small)] for label, large, small in growth_rows(results)])


def storage_table(results: Results) -> str:
    """Return what each method keeps at least, in KB, with its precision."""
    head = ["site", "page KB", "T_b", "precision", "KB", "batch", "precision", "KB", "ours", "batch"]
    head += ["precision", "KB", "ours"]
    rows = []
    for name, row in results["storage"].items():
        ours = row["segments"]
        cells = [name, f"{row['page bytes'] / 1000:.0f}"]
        cells += _cells(ours) if ours else [f"recall at most {show(row['best recall']['segments'])}", "", ""]
        for other in ("shingles", "style tree"):
            found = row[other]
            share = f"{ours['kept'] / found['kept']:.1%}" if ours and found else ""
            least = [f"recall at most {show(row['best recall'][other])}", "", ""]
            cells += [*(_cells(found) if found else least), share]
        rows.append(cells)
    return markdown(head, rows)


def _cells(outcome: Mapping[str, float]) -> list[str]:
    return [str(outcome["parameter"]), show(outcome["precision"]), f"{outcome['kept'] / 1000:.1f}"]


def default_table(results: Results) -> str:
    """Return the table's mean size, recall and precision with default options."""
    rows = [
        [name, row["pages"], f"{row['default']['kept'] / 1000:.0f}"]
        + [show(row["default"][key]) for key in ("recall", "precision")]
        for name, row in results["storage"].items()
    ]
    return markdown(["site", "pages", "KB", "recall", "precision"], rows)


def cost_table(results: Results) -> str:
    """Return CPU time as multiples of the parse."""
    rows = {name: _times(row) for name, row in results["cost"].items()}
    rows["median"] = [median(column) for column in zip(*rows.values(), strict=True)]
    head = ["site", "reading", "segments and table", "both", "the whole, with the article"]
    return markdown(head, [[name, *(f"{value:.1f}" for value in row)] for name, row in rows.items()])


def _times(row: Mapping[str, float]) -> list[float]:
    return [row["reading"], row["segments"], row["reading"] + row["segments"], row["article"]]


def memory_table(results: Results) -> str:
    """Return memory and segments at some pages of the generated site."""
    rows = results["memory"]
    shown = [row for number, row in enumerate(rows) if number in (1, 2, 5, 10, 25, 50, 75, 100)]
    most = max(row[1] for row in rows)
    cells = [[f"{pages:,}", f"{mib:.1f}", f"{count:,}"] for pages, mib, count in shown]
    return markdown(["pages", "MiB", "segments"], [*cells, ["most", f"{most:.1f}", ""]])


TABLES = {
    "incremental": accuracy_table,
    "growth": growth_table,
    "storage": storage_table,
    "default": default_table,
    "cost": cost_table,
    "memory": memory_table,
}
#: The part from which a table is made, if it has another name.
NEEDED = {"incremental": "accuracy", "growth": "accuracy", "default": "storage"}


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--only", action="append", choices=PARTS, help="this part; may be repeated")
    parser.add_argument("--docs", action="store_true", help="write the tables and the plots of docs/")
    parser.add_argument("--work", type=Path, help="folder to keep everything in (default: a temporary one)")
    parser.add_argument("--generated", type=int, default=100_000, help="pages of the generated site")
    parser.add_argument("--evalkit", type=Path, default=EVALKIT, help="folder with split.py and score.py")
    args = parser.parse_args()
    args.only = args.only or list(PARTS)
    return args


def main() -> None:
    """Measure, print the tables and, if asked for, write the documentation."""
    args = arguments()
    with tempfile.TemporaryDirectory() as temporary:
        args.work = (args.work or Path(temporary)).resolve()
        args.work.mkdir(parents=True, exist_ok=True)
        results = measure([unpack(one.resolve(), args.work / "corpora") for one in args.corpora], args)
        (args.work / "incremental.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    tables = {name: make for name, make in TABLES.items() if NEEDED.get(name, name) in results}
    for name, make in tables.items():
        print(f"\n{name}\n\n{make(results)}", flush=True)
    if args.docs:
        from incremental_plots import write_plots

        for page, names in PLACES.items():
            fill_tables(DOCS / page, {name: tables[name](results) for name in names if name in tables})
        write_plots(results, DOCS / "images")


if __name__ == "__main__":
    main()
