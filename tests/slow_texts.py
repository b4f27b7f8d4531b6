"""How the time of our regular expressions grows with a text that somebody wrote to slow them down.

Every expression at the top of a module of the package is found, and used as the package uses it.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import scrapy_webstemmer

ROOT = Path(scrapy_webstemmer.__file__).parent
#: Lengths of the texts, in characters. Linear time grows eightfold from one to the other, quadratic 64-fold.
SHORT, LONG = 500, 4_000
#: Growth from which an expression is reported.
TOO_MUCH = 24.0
#: Seconds below which it does not matter on the long text: most of what is linear takes a tenth of this, and
#: what looks at each character from each character before it takes more.
SECONDS = 0.003
#: Seconds on a few characters from which the time is taken to grow exponentially.
STOP = 0.05
#: What is called with a text; each but ``escape`` and ``compile``.
METHODS = {"search", "match", "fullmatch", "split", "findall", "finditer", "sub", "subn"}
#: Characters that are tried in each expression, beside its own.
COMMON = " \na0-<"


class Used(NamedTuple):
    """An expression, where it stands, and a method by which the package uses it."""

    name: str
    pattern: re.Pattern[Any]
    method: str


def modules() -> Iterator[Any]:
    """Yield all modules of the package."""
    for found in pkgutil.walk_packages([str(ROOT)], "scrapy_webstemmer."):
        if ".spark" not in found.name:  # it needs Spark, and has no expression
            yield importlib.import_module(found.name)


def expressions() -> list[Used]:
    """Return all expressions at the top of modules, with each method by which they are used."""
    found = []
    for module in modules():
        path = Path(module.__file__)
        if path.suffix != ".py":
            path = path.parent / f"{path.name.partition('.')[0]}.py"  # that from which it was compiled
        if not path.exists():
            continue  # what is no Python uses the expressions of others
        source = path.read_text(encoding="utf-8")
        for name, value in vars(module).items():
            if not isinstance(value, re.Pattern) or (
                f"{name} = " not in source and f"{name}, " not in source
            ):
                continue
            used = set(re.findall(rf"\b{name}\.(\w+)\b", source)) & METHODS
            found += [Used(f"{module.__name__}.{name}", value, method) for method in sorted(used)]
    return found


def calls_of_re() -> Iterator[str]:
    """Yield where the package calls a function of ``re`` in which an expression is written: none may."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            module = node.func.value
            if isinstance(module, ast.Name) and module.id == "re" and node.func.attr in METHODS:
                yield f"{path.relative_to(ROOT)}:{node.lineno}"


def source(pattern: re.Pattern[Any]) -> str:
    """Return an expression as text."""
    return pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")


def attacks(pattern: re.Pattern[Any]) -> Iterator[Callable[[int], Any]]:
    """Yield makers of texts of some length: a part of the expression's characters, over and over."""
    text = source(pattern)
    own = dict.fromkeys(re.findall(r"\\u([0-9a-f]{4})", text))
    letters = dict.fromkeys(char for char in text if char not in r"()[]{}|^$*+?\\" or f"\\{char}" in text)
    chars = [*dict.fromkeys([*COMMON, *(chr(int(code, 16)) for code in own), *letters])][:24]
    words = re.findall(r"[\w<>\"!:/=-]{3,}", re.sub(r"\\.|\[[^\]]*\]", " ", text))[:6]
    units = [*chars, *("".join(pair) for pair in product(chars[:11], repeat=2)), *words]
    for head, unit, tail in product(["", *words[:2]], units, ["", "! !"]):
        yield partial(_text, head, unit, tail, isinstance(pattern.pattern, bytes))


def _text(head: str, unit: str, tail: str, as_bytes: bool, length: int) -> Any:
    text = head + unit * (length // len(unit)) + tail
    return text.encode("latin-1", "replace") if as_bytes else text


def seconds(used: Used, text: Any) -> float:
    """Return the processor time that an expression takes on a text."""
    method = getattr(used.pattern, used.method)
    begun = time.process_time()
    if used.method in ("sub", "subn"):
        method(text[:0], text)
    elif used.method == "finditer":
        list(method(text))
    else:
        method(text)
    return time.process_time() - begun


def growth(used: Used) -> tuple[float, str]:
    """Return by how much the time grows on the worst text that was found, and how this begins."""
    worst = 0.0, ""
    for attack in attacks(used.pattern):
        # what grows exponentially is stopped before it runs for years
        if any(seconds(used, attack(length)) > STOP for length in (16, 22, 200)):
            return float("inf"), repr(attack(22))
        # what takes so little on a quarter does not matter on the whole, even if it grows with the square
        if seconds(used, attack(LONG // 4)) < SECONDS / 32:
            continue
        long = attack(LONG)
        if seconds(used, long) < SECONDS:
            continue
        taken = min(seconds(used, long) for _ in range(5))
        if taken >= SECONDS:
            least = max(min(seconds(used, attack(SHORT)) for _ in range(3)), 1e-6)
            worst = max(worst, (taken / least, repr(long[:40])))
            if worst[0] >= TOO_MUCH:
                break
    return worst


def report() -> Iterator[str]:
    """Yield a line for each expression whose time grows faster than the text.

    One that repeats nothing looks at a few characters from each place of a text, however long this is.
    """
    for used in expressions():
        if not set("*+{") & set(source(used.pattern)):
            continue
        factor, text = growth(used)
        if factor >= TOO_MUCH:
            yield f"{used.name}.{used.method}: {factor:.0f} times the time on 8 times the text: {text}"


if __name__ == "__main__":
    for line in report():
        print(line)
    print(*calls_of_re(), sep="\n")
