#!/usr/bin/env python3
"""Compare `--classic` with what the programs of 2009 learned and extracted.

    compare_classic.py [--work DIR] [--classic DIR] [--evalkit DIR] CORPUS...

DIR has the results of 2009 for a corpus (DIR/NAME/patterns.pat and extract.txt, of 100 and 100 pages as
split.py draws them). For each corpus with results it prints

- the share of lines that `scrapy extract --classic --format text` prints exactly as extract.py did, with the
  patterns of 2009;
- pages matched, precision, recall, F1 and title of the extraction of 2009, and of `scrapy analyze --classic`
  and `scrapy extract --classic` on the same pages.

The exit status is 1 if on any corpus less than 99 of 100 lines are the same, or fewer pages match, or
precision, recall or title are lower by more than .01.
"""

from __future__ import annotations

import argparse
import difflib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from evalkit import EVALKIT, Evalkit
from serve_corpus import unpack

CLASSIC = EVALKIT.parent / "classic"
SCORES = ("precision", "recall", "f1", "title")


def scrapy(*args: str | Path) -> None:
    """Run a Scrapy command; show its output if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", *map(str, args)], capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode:
        sys.exit(f"scrapy {args[0]} failed: {done.stderr.strip()[-500:]}")


def extract(patterns: Path, pages: Path, output: Path) -> Path:
    """Write the text output of the patterns on the pages, and return the file."""
    scrapy("extract", "--classic", "--format", "text", "-c", "utf-8", patterns, pages, "-O", output)
    return output


def lines(path: Path) -> list[str]:
    """Return the lines of a file; only a newline ends a line."""
    return path.read_text(encoding="utf-8").rstrip("\n").split("\n")


def same_share(old: list[str], new: list[str]) -> float:
    """Return the share of lines that are the same, in order, of the longer text."""
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks()) / max(len(old), len(new))


def articles(path: Path) -> dict[str, tuple[str, str]]:
    """Return for each matched page its title and its main text."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    page: tuple[list[str], list[str]] = [], []
    for line in lines(path):
        label, _, text = line.partition(": ")
        if label in ("!MATCHED", "!UNMATCHED"):
            page = [], []
            if label == "!MATCHED":
                found[text] = page
        elif label == "TITLE" or label.startswith("MAIN-"):
            page[label != "TITLE"].append(text)
    return {name: (" ".join(title), "\n".join(main)) for name, (title, main) in found.items()}


def score(path: Path, corpus: Path, folder: Path, evalkit: Evalkit) -> dict[str, Any]:
    """Return the scores of a text output, with the number of pages that it matched."""
    found = articles(path)
    predictions = folder / "predictions.jsonl"
    with predictions.open("w", encoding="utf-8") as out:
        for row in map(json.loads, (folder / "urls.jsonl").open(encoding="utf-8")):
            if row["set"] == "test":
                title, text = found.get(row["id"], ("", ""))
                out.write(json.dumps({"url": row["url"], "title": title, "text": text}) + "\n")
    return {**evalkit.score(corpus, predictions), "matched": len(found)}


def compare(corpus: Path, args: argparse.Namespace, evalkit: Evalkit) -> bool:
    """Print a corpus' rows, and return whether the result is at least as good as in 2009."""
    root = unpack(corpus.resolve(), args.work / "corpora")
    folder: Path = args.work / root.name
    evalkit.halves(root, folder, 100, 100)
    then = args.classic / root.name
    again = extract(then / "patterns.pat", folder / "test.zip", folder / "again.txt")
    share = same_share(lines(then / "extract.txt"), lines(again))
    learned = folder / "learned.pat"
    scrapy("analyze", "--classic", "-c", "utf-8", folder / "learn.zip", "-o", learned)
    results = [
        score(path, root, folder, evalkit)
        for path in (then / "extract.txt", extract(learned, folder / "test.zip", folder / "now.txt"))
    ]
    for name, result in zip(("2009", "now"), results, strict=True):
        cells = " ".join(evalkit.show(result[key]) for key in SCORES)
        print(f"{root.name if name == '2009' else '':16} {name:4} {result['matched']:5d} {cells}", end="")
        print(f"  same lines {share:.2%}" if name == "now" else "")
    old, new = results
    return (
        share >= 0.99
        and new["matched"] >= old["matched"]
        and all(new[key] >= old[key] - 0.01 for key in SCORES if old[key] is not None)
    )


def with_results(corpora: Iterable[Path], classic: Path) -> list[Path]:
    """Return the corpora that have results of 2009. Only their names are looked at."""
    return [one for one in corpora if (classic / one.name.removesuffix(".tar.xz")).is_dir()]


def main() -> int:
    """Compare every corpus with results of 2009, and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--work", type=Path, help="folder to keep everything in (default: a temporary one)")
    parser.add_argument("--classic", type=Path, default=CLASSIC, help="folder with the results of 2009")
    parser.add_argument("--evalkit", type=Path, default=EVALKIT, help="folder with split.py and score.py")
    args = parser.parse_args()
    evalkit = Evalkit(args.evalkit)
    known = with_results(args.corpora, args.classic)
    print(f"{'corpus':16}      pages {'P':>5} {'R':>5} {'F1':>5} {'title':>5}")
    with tempfile.TemporaryDirectory() as temporary:
        args.work = (args.work or Path(temporary)).resolve()
        lower = [corpus.name for corpus in known if not compare(corpus, args, evalkit)]
    if lower or not known:
        print(f"not as good as in 2009: {', '.join(lower)}" if lower else "no results of 2009 for any corpus")
    return 1 if lower or not known else 0


if __name__ == "__main__":
    sys.exit(main())
