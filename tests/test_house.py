"""The package is built as docs/design.md says: each room uses only lower rooms, and Scrapy is at the top."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from importlib.metadata import entry_points
from itertools import chain
from pathlib import Path
from types import FrameType

import pytest
from news_pages import articles
from two_readings import ARE_TWO

import scrapy_webstemmer
from scrapy_webstemmer.base.compiled import compiled

PACKAGE = Path(scrapy_webstemmer.__file__).parent
CORE = (
    "errors",
    "values",
    "base",
    "engines",
    "options",
    "page",
    "site",
    "verdict",
    "fields",
    "patterns",
    "extraction",
    "monitoring",
    "learning",
    "classic",
    "pattern_files",
    "trees",
    "roadrunner",
    "api",
)
_NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
}  # fmt: skip
#: The rooms that import Scrapy.
SCRAPYS = ("crawl", "textcrawler", "poet", "commands")
#: From the ground up.
ROOMS = (*CORE, "storage", "training", "items", "review", *SCRAPYS, "plugin", "spark")
#: What a variable may not be called: its value has a name, whatever it is.
VAGUE = frozenset({"found", "one", "own", "thing", "things"})
MODULES = sorted(set(PACKAGE.rglob("*.py")) - {PACKAGE / "__init__.py"})


@cache
def parsed(path: Path) -> ast.Module:
    """Return the tree of a module, which several tests look at."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path, *, when_running: bool = False) -> Iterator[tuple[str, ...]]:
    """Yield the absolute dotted names that a module imports, as tuples of parts.

    :param when_running: without what only a type checker imports.
    """
    package = ("scrapy_webstemmer", *path.relative_to(PACKAGE).parent.parts)
    top = parsed(path).body
    if when_running:
        top = [node for node in top if not isinstance(node, ast.If)]  # "if TYPE_CHECKING"
    for node in chain.from_iterable(map(ast.walk, top)):
        if isinstance(node, ast.Import):
            yield from (tuple(alias.name.split(".")) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = tuple(node.module.split(".")) if node.module else ()
            yield from ((*base, *module, alias.name) for alias in node.names)


def room_of(path: Path) -> str:
    """Return the room in which a module stands: a folder, or a module of its own."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def test_a_room_imports_only_rooms_below_it() -> None:
    """No module imports from a room that stands above its own."""
    wrong = {}
    for path in MODULES:
        rooms = {name[1] for name in imported(path) if name[0] == "scrapy_webstemmer"}
        if above := rooms - set(ROOMS[: ROOMS.index(room_of(path)) + 1]):
            wrong[str(path.relative_to(PACKAGE))] = above
    assert wrong == {}


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Modules can be brought into an order in which each imports only earlier ones, functions included."""
    names = {path.relative_to(PACKAGE).with_suffix("").parts: path for path in MODULES}
    graph: dict[Path, set[Path]] = {path: set() for path in MODULES}
    for path in MODULES:
        for name in imported(path, when_running=True):
            target = names.get(name[1:]) or names.get(name[1:-1])
            if name[0] == "scrapy_webstemmer" and target not in (None, path):
                graph[path].add(target)
    TopologicalSorter(graph).prepare()  # raises CycleError


def test_a_file_is_found_by_its_name() -> None:
    """No two modules have the same name, there are at most 200, and none is long."""
    own = [path for path in MODULES if path.name != "__init__.py"]
    assert [name for name, number in Counter(path.name for path in own).items() if number > 1] == []
    assert len(own) <= 200
    # others have no more lines of code than lines
    long = [path for path in MODULES if path.read_text(encoding="utf-8").count("\n") > 300]
    assert [str(path) for path in long if lines_of_code(path) > 300] == []


def test_what_is_run_exists() -> None:
    """The tests that the CI and the guide for contributors name are there."""
    root = Path(__file__).parent.parent
    texts = [(root / name).read_text(encoding="utf-8") for name in (".ci/run", "CONTRIBUTING.md")]
    named = {name for text in texts for name in re.findall(r"\btests(?:/\w+(?:\.py)?)+", text)}
    assert len(named) > 10
    assert {name for name in named if not (root / name).exists()} == set()


def test_a_module_has_one_subject() -> None:
    """No module is divided into chapters: each of them would be a module."""
    divided = [
        str(path.relative_to(PACKAGE))
        for path in [*MODULES, *PACKAGE.rglob("*.pyx")]
        if any(line.lstrip().startswith("# ---") for line in path.read_text(encoding="utf-8").splitlines())
    ]
    assert divided == []


def test_a_variable_says_what_it_is() -> None:
    """No variable or argument has a name that fits any value."""
    vague = []
    for path in MODULES:
        for node in ast.walk(parsed(path)):
            name = node.arg if isinstance(node, ast.arg) else getattr(node, "id", "")
            if name in VAGUE and not isinstance(getattr(node, "ctx", None), ast.Load):
                vague.append(f"{path.relative_to(PACKAGE)}:{node.lineno}: {name}")
    assert vague == []


def test_the_file_of_a_room_has_names_only() -> None:
    """An ``__init__.py`` says what its room is for, and may import names and list them; code has a module."""
    code = []
    for path in MODULES:
        if path.name == "__init__.py":
            for node in parsed(path).body:
                is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
                is_import = isinstance(node, ast.Import | ast.ImportFrom)
                if not (is_docstring or is_import or ast.unparse(node).startswith("__all__ = ")):
                    code.append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
    assert code == []


def lines_of_code(path: Path) -> int:
    """Return the number of lines that are neither empty nor comments nor docstrings."""
    source = path.read_text(encoding="utf-8")
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):  # a docstring
            lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def calls_of(work: Callable[[], object]) -> list[tuple[Path, Path]]:
    """Return for each call from file to file in the package, while work is done, the caller's and its own."""
    found = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_back:
            caller, own = (Path(one.f_code.co_filename) for one in (frame.f_back, frame))
            if PACKAGE in caller.parents and PACKAGE in own.parents:
                found.append((caller.relative_to(PACKAGE), own.relative_to(PACKAGE)))

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return found


def test_the_way_of_a_page_only_leads_down() -> None:
    """Extraction goes through the files that the docs name, and no file calls one in a room above its own."""
    pages = articles("press.example", 31)
    patterns = scrapy_webstemmer.learn(pages[1:])
    scrapy_webstemmer.extract(pages[1], patterns)  # what is computed once for a site is known now
    calls = calls_of(lambda: scrapy_webstemmer.extract(pages[0], patterns))
    entered = {str(own) for _, own in calls}
    text = (Path(__file__).parent.parent / "docs" / "design.md").read_text(encoding="utf-8")
    (way,) = re.findall(r"A page to its article.*?\n\n(.*?)\n\n", text, re.DOTALL)
    assert set(re.findall(r"`(\w+/?\w+\.py)`", way)) - {"api.py"} <= entered
    numbers = re.findall(r"a\spage enters (\d+) files.*?it enters (\d+).*?modules (\d+)", text, re.DOTALL)[0]
    readings = (ARE_TWO, compiled("site.weighing") is not None)
    assert len(entered) <= int(numbers[[(True, True), (False, True), (False, False)].index(readings)])
    place = {path: ROOMS.index(room_of(PACKAGE / path)) for call in calls for path in call}
    climbs = {(caller, own) for caller, own in calls if place[own] > place[caller]}
    assert {caller for caller, _ in climbs} <= {Path("base/parts.py")}  # asks for the next part


def test_only_its_side_imports_scrapy() -> None:
    """Only its rooms and Spark's command import Scrapy; ``items`` does so only for the type checker."""
    wrong = [
        str(path.relative_to(PACKAGE))
        for path in MODULES
        if room_of(path) not in (*SCRAPYS, "items")
        and path != PACKAGE / "spark" / "__main__.py"
        and not {name[0] for name in imported(path)}.isdisjoint({"scrapy", "twisted"})
    ]
    assert wrong == []


@pytest.mark.parametrize("name", scrapy_webstemmer.__all__)
def test_public_names_are_there_and_explained(name: str) -> None:
    """Each public name of the package exists and has a docstring."""
    assert getattr(scrapy_webstemmer, name).__doc__


def test_commands_are_registered() -> None:
    """The installed package registers each command module of commands/ with ``scrapy``.

    The command has the module's name. A hyphen, which no module can have, is an underscore there. If another
    module has the name, ``_command`` is added.
    """
    modules = {
        path.stem.removesuffix("_command").replace("_", "-")
        for path in (PACKAGE / "commands").glob("*.py")
        if "class Command(" in path.read_text(encoding="utf-8")
    }
    points = entry_points(group="scrapy.commands")
    ours = {point.name: point.module for point in points if point.value.startswith("scrapy_webstemmer.")}
    assert ours.keys() == modules
    assert all(name.replace("-", "_") in module.rpartition(".")[2] for name, module in ours.items())
