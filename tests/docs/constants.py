"""Write the page about the constants that decide, from the code: ``python tests/docs/constants.py``."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path

import scrapy_webstemmer
from scrapy_webstemmer import ExtractOptions, LearnOptions
from scrapy_webstemmer.site.own_title import TitleEvidence
from scrapy_webstemmer.verdict import classifier
from scrapy_webstemmer.verdict.classifier import Context
from scrapy_webstemmer.verdict.evidence import Evidence

PACKAGE = Path(scrapy_webstemmer.__file__).parent
PAGE = Path(__file__).resolve().parents[2] / "docs" / "constants.md"

#: The rooms that decide. The others read, store and write.
ROOMS = "site verdict patterns reading article extraction monitoring learning api training".split()

HEAD = """# Constants that decide

Each number of the code on which a decision rests, with its reason. `python tests/docs/constants.py` writes
this page from the code, and a test compares the two. A number is *fitted* by a program, *measured* on real
sites, or *set*: chosen by hand. A *bound* says how much is looked at, kept or shown at most, and a *format*
is a fact of a format; neither decides on usual pages.
[Settings](settings.md#webstemmer_extract_options) and Python can change options. Nothing can change the other
numbers.

The weights of evidence are in files that programs write: `verdict/weights.json` and
`site/title_weights.json`, which are [below](#weights), those of the types of pages in
`verdict/page_type_weights.json` (`tests/benchmarks/fit_page_types.py`), of blocks in
`site/block_weights.json` (`fit_blocks.py`), and of days and authors in `fields/day_weights.json` and
`fields/author_weights.json` (`fit_fields.py`).
"""

WEIGHTS = """
## Weights

`tests/benchmarks/fit_verdict.py` fits the weights of the evidence that a page is an article, and
`fit_titles.py` those for the title of a page alone. [The algorithm](algorithm.md#articles-and-lists) says how
they are added up. A value is from 0 to 1, and 1 for yes, unless the table says otherwise.
"""
#: What is weighed beside the fields of a class.
OTHERS = {"base": "added in any case", "own": "the sum of the table above, -6 to 6"}


def text_of_page() -> str:
    """Return the page."""
    parts = [HEAD, "## Options\n\n| option | value | what it is |\n|---|---|---|\n"]
    parts += [f"| `{cls.__name__}.{name}` | {value} | {why} |\n" for cls, name, value, why in options()]
    parts.append(
        "\n## Numbers in the code\n\n| where | number | value | from | what it is |\n|---|---|---|---|---|\n"
    )
    parts += [
        f"| `{where}` | `{name}` | {value} | {source(why)} | {why} |\n"
        for where, name, value, why in numbers()
    ]
    parts.append(WEIGHTS)
    for title, cls, known in weighed():
        parts.append(f"\n### {title}\n\n| evidence | weight | what it is |\n|---|--:|---|\n")
        parts += [f"| `{name}` | {weight:+.2f} | {what} |\n" for name, weight, what in weights_of(cls, known)]
    text = parts[0] + "\n" + "".join(parts[1:])
    return re.sub(r":\w+:(?=`)", "", text).replace("``", "`")


def options() -> Iterator[tuple[type, str, str, str]]:
    """Yield class, name, default and description of each option that is a number."""
    for cls in (LearnOptions, ExtractOptions):
        described = dict(
            re.findall(r":param (\w+): ((?:.+\n?)+?)(?=\s*:param|\s*:raises|\n\n|\Z)", cls.__doc__ or "")
        )
        for one in fields(cls):
            if one.default is not MISSING and type(one.default) in (int, float):
                yield cls, one.name, shown(one.default), " ".join(described.get(one.name, "").split())


def weighed() -> Iterator[tuple[str, type, dict[str, float]]]:
    """Yield title, class and weights of each kind of evidence that is documented."""
    yield "The page's own evidence that it is an article", Evidence, classifier.weights().evidence
    yield "Mean log odds of the pages beside it", Context, classifier.weights().context
    known = json.loads((PACKAGE / "site" / "title_weights.json").read_text(encoding="utf-8"))
    yield "The title of a page that is read alone", TitleEvidence, known


def weights_of(cls: type, known: dict[str, float]) -> Iterator[tuple[str, float, str]]:
    """Yield name, weight and description of each weight; two of them are no field of the class."""
    described = re.findall(r":param \w+: ((?:.+\n?)+?)(?=\s*:param|\n\n|\s*\Z)", cls.__doc__ or "")
    what = {**OTHERS, **dict(zip(cls._fields, described, strict=True))}  # type: ignore[attr-defined]
    for name, weight in known.items():
        yield name, weight, re.sub(r"~[\w.]+\.", "", " ".join(what[name].split())).removesuffix(".")


def numbers() -> Iterator[tuple[str, str, str, str]]:
    """Yield module, name, value and comment of each number at the top of a module."""
    for path in sorted(PACKAGE.rglob("*.py")):
        where = path.relative_to(PACKAGE)
        if where.with_suffix("").parts[0] not in ROOMS:
            continue
        text = path.read_text(encoding="utf-8")
        for node in ast.parse(text).body:
            names = names_of(node)
            value = value_of(node)
            if names and value is not None:
                yield where.as_posix(), ", ".join(names), value, comment_above(text.split("\n"), node.lineno)


def names_of(node: ast.stmt) -> list[str]:
    """Return the names that a statement gives values to."""
    if not isinstance(node, ast.Assign):
        return []
    (target,) = node.targets
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return [part.id for part in parts if isinstance(part, ast.Name)]


def value_of(node: ast.stmt) -> str | None:
    """Return the number, or the numbers, of an assignment; None if it assigns something else."""
    assert isinstance(node, ast.Assign) or not names_of(node)
    try:
        value = ast.literal_eval(node.value) if isinstance(node, ast.Assign) else None
    except ValueError:
        return None
    values = value if isinstance(value, tuple) else (value,)
    return ", ".join(map(shown, values)) if {type(one) for one in values} <= {int, float} else None


def shown(value: float) -> str:
    """Return a number as the documentation writes it."""
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


def comment_above(lines: list[str], number: int) -> str:
    """Return the comment above a line. What goes on from the constant before begins with an ellipsis."""
    found: list[str] = []
    at = number - 2
    while at >= 0 and lines[at].startswith("#") and not lines[at].startswith("# ---"):
        found.insert(0, lines[at].lstrip("#: "))
        at -= 1
    return " ".join(found).replace("|", "\\|")


def source(why: str) -> str:
    """Return where a number comes from, as its comment says it."""
    for kind in ("Bound", "Format"):
        if why.startswith(f"{kind}:"):
            return kind.lower()
    if "--fit" in why or "fitted" in why.lower():
        return "fitted"
    return "measured" if "measured" in why.lower() else "set"


if __name__ == "__main__":
    PAGE.write_text(text_of_page(), encoding="utf-8")
