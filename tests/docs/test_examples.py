"""The examples in the README and the documentation are true."""

from __future__ import annotations

import argparse
import doctest
import importlib
import json
import re
import shlex
import textwrap
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple

import pytest
from scrapy.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CONSOLE = ("console", "sh", "bash", "shell")
#: A script of the tests with what it is told, up to the end of the code or of the line.
PROGRAM = re.compile(r"(python |`)((?:tests/)?(?:\w+/)*\w+\.py)((?: [^`|#\n]*)?)")


class Example(NamedTuple):
    """A fenced block: file, line of its first line, language, text."""

    file: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.file.relative_to(ROOT)}:{self.line}"


def examples(*languages: str) -> list[Example]:
    """Return the fenced blocks of these languages."""
    found = []
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            line = text.count("\n", 0, match.start(2)) + 1
            found.append(Example(file, line, match[1], match[2]))
    return [example for example in found if example.language in languages]


def command_lines(program: str) -> list[object]:
    """Return the words of each command in console examples that runs this program."""
    lines = []
    for example in examples(*CONSOLE):
        joined = example.text.replace("\\\n", " ")
        prompted = re.findall(r"^\$ (.*)$", joined, re.MULTILINE)
        for command in prompted or joined.splitlines():
            words = shlex.split(command, comments=True)
            if words[:1] == [program]:
                lines.append(pytest.param(words[1:], id=f"{example}: {command}"))
    return lines


def files_with(pattern: str) -> list[Path]:
    """Return the files in which a regular expression is found."""
    return [file for file in FILES if re.search(pattern, file.read_text(encoding="utf-8"), re.MULTILINE)]


def run(example: Example, namespace: dict[str, object]) -> None:
    """Run an example. If it has a ``yield``, it is the body of a callback, and only its syntax is checked."""
    if re.search(r"^(yield|return)\b", example.text, re.MULTILINE):
        compile("def callback():\n" + textwrap.indent(example.text, "    "), str(example), "exec")
    else:
        padding = "\n" * (example.line - 1)  # a traceback then names the file's own line
        exec(compile(padding + example.text, str(example.file), "exec"), namespace)


#: ``tests/spark`` runs the examples of the one, ``test_recipes.py`` those of the other.
OWN_TESTS = ("scale.md", "recipes.md")


@pytest.mark.parametrize(
    "file",
    [file for file in files_with(r"^```py(thon)?$") if file.name not in OWN_TESTS],
    ids=lambda file: file.name,
)
def test_python_examples_run(file: Path, news_folder: tuple[str, str]) -> None:
    """The Python examples of a file run one after the other, as a reader would type them."""
    namespace: dict[str, object] = {"__name__": "__example__"}
    own = [example for example in examples("python", "py") if example.file == file]
    assert own
    for example in own:
        run(example, namespace)


@pytest.mark.parametrize("file", files_with(r"^>>> "), ids=lambda file: file.name)
def test_interactive_examples_print_what_they_say(file: Path, news_folder: tuple[str, str]) -> None:
    """The ``>>>`` examples of a file print what stands below them."""
    text = "\n".join(example.text for example in examples("pycon", "python") if example.file == file)
    test = doctest.DocTestParser().get_doctest(text, {}, file.name, str(file), 0)
    assert test.examples
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


def test_readme_example_extracts_the_article(
    news_folder: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """The README's Python example prints title, day, authors and text of the new page."""
    (example,) = [e for e in examples("python") if e.file.name == "README.md" and "extract(" in e.text]
    exec(compile(example.text, "README.md", "exec"), {})
    title, text = news_folder
    first, _, rest = capsys.readouterr().out.partition("\n")
    assert first.startswith(f"{title} ")
    assert rest == f"{text}\n"


@pytest.mark.parametrize("example", examples("json"), ids=str)
def test_json_examples_are_json(example: Example) -> None:
    """Each JSON example is one document, or one document on each line."""
    try:
        documents = [json.loads(example.text)]
    except ValueError:
        documents = [json.loads(line) for line in example.text.splitlines()]
    assert documents
    assert all(isinstance(document, dict | list) for document in documents)


def scrapy_command(name: str) -> argparse.ArgumentParser | None:
    """Return the parser of a Scrapy command, ours or Scrapy's own, or None for an unknown command."""
    ours = {point.name: point for point in entry_points(group="scrapy.commands")}
    try:
        cls = (
            ours[name].load() if name in ours else importlib.import_module(f"scrapy.commands.{name}").Command
        )
    except ModuleNotFoundError:
        return None
    command = cls()
    command.settings = Settings()
    parser = argparse.ArgumentParser(prog=f"scrapy {name}", conflict_handler="resolve", allow_abbrev=False)
    command.add_options(parser)
    return parser


@pytest.mark.parametrize("words", command_lines("scrapy"))
def test_scrapy_examples_name_real_commands_and_options(words: list[str]) -> None:
    """A ``scrapy`` example has an existing command, and only options of that command."""
    parser = scrapy_command(words[0])
    assert parser is not None
    _, unknown = parser.parse_known_args(words[1:])
    assert [word for word in unknown if word.startswith("-")] == []


@pytest.mark.parametrize("words", command_lines("bash"))
def test_bash_examples_name_real_scripts(words: list[str]) -> None:
    """A ``bash`` example names an existing script of the checkout."""
    assert (ROOT / words[0]).is_file()


def programs() -> list[object]:
    """Return script and options of each command that runs a program of ``tests``, also within the text."""
    found = {}
    for file in [*FILES, ROOT / "CONTRIBUTING.md"]:
        for start, script, words in PROGRAM.findall(file.read_text(encoding="utf-8")):
            if start == "`" and " --" not in words:  # the name of a file, in the text
                continue
            places = (ROOT / script, ROOT / "tests" / "benchmarks" / script)
            path = next((one for one in places if one.is_file()), ROOT / script)
            name = f"{file.name}: {script} {' '.join(words.split())}"
            found[name] = pytest.param(path, re.findall(r"(?<!\S)--[\w-]+", words), id=name)
    return [*found.values()]


@pytest.mark.parametrize(("script", "options"), programs())
def test_programs_of_the_checkout_have_the_options_that_are_named(script: Path, options: list[str]) -> None:
    """A command that takes too long for tests, or needs a corpus, names a script and options of it."""
    assert script.is_file()
    text = script.read_text(encoding="utf-8")
    assert [option for option in options if f'"{option}"' not in text] == []
