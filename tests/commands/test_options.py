"""The commands' options: complete, documented, and cheap to load."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from scrapy.commands import ScrapyCommand
from scrapy.settings import Settings

from scrapy_webstemmer import ExtractOptions, LearnOptions
from scrapy_webstemmer.commands import (
    analyze,
    articles,
    drift,
    extract,
    html2txt,
    learning_set,
    urldb_command,
)
from scrapy_webstemmer.commands.arguments import EXTRACT, LEARN, Argument

DOCS = Path(__file__).resolve().parents[2] / "docs" / "commands.md"
COMMANDS = {
    "analyze": analyze.Command,
    "articles": articles.Command,
    "drift": drift.Command,
    "extract": extract.Command,
    "html2txt": html2txt.Command,
    "learning-set": learning_set.Command,
    "urldb": urldb_command.Command,
}
PRESETS = {"analyze": (LEARN, LearnOptions), "extract": (EXTRACT, ExtractOptions)}


class Bare(ScrapyCommand):
    """A command that has only Scrapy's global options."""

    def short_desc(self) -> str:
        return "nothing"

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        raise NotImplementedError


def actions(command: ScrapyCommand) -> list[argparse.Action]:
    """Return a command's options, as its parser gets them."""
    command.settings = Settings()
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    return parser._actions


def option_names(command: ScrapyCommand) -> set[str]:
    """Return a command's own option names, short and long."""
    ours = {name for action in actions(command) for name in action.option_strings}
    return ours - {name for action in actions(Bare()) for name in action.option_strings}


def documented(command: str) -> dict[str, str]:
    """Return the rows of a command's option table in the docs: the names of an option, and its meaning."""
    text = DOCS.read_text(encoding="utf-8")
    part = re.split(r"^## ", text, flags=re.MULTILINE)
    (section,) = [s for s in part if s.startswith(f"scrapy {command}\n")]
    rows = re.findall(r"^\| (`-.*?) \| (.*?) \|$", section, re.MULTILINE)
    return dict(rows)


@pytest.mark.parametrize("name", COMMANDS)
def test_documented_options_are_those_of_the_code(name: str) -> None:
    """The table in docs/commands.md has exactly the options of the command."""
    names = {word for row in documented(name) for word in re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", row)}
    assert names == option_names(COMMANDS[name]())


@pytest.mark.parametrize("name", PRESETS)
def test_documented_defaults_are_those_of_the_presets(name: str) -> None:
    """Defaults and values of --classic in the docs are those of the options objects."""
    table, cls = PRESETS[name]
    rows = documented(name)
    for argument in table:
        (row,) = [meaning for names, meaning in rows.items() if argument.flags[-1] in names]
        usual, classic = getattr(cls(), argument.field), getattr(cls.classic(), argument.field)
        cells = [cell.strip() for cell in row.split("|")][1:]
        values = [classic] if argument.classic else [usual, classic]
        if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
            assert [float(cell) for cell in cells if cell] == [float(value) for value in values]


@pytest.mark.parametrize("name", PRESETS)
def test_every_option_of_the_table_is_a_field(name: str) -> None:
    """Each option of the command line is a field of the options object."""
    table, cls = PRESETS[name]
    assert {argument.field for argument in table} <= {field.name for field in fields(cls)}


@pytest.mark.parametrize("name", COMMANDS)
def test_scrapy_keeps_its_own_options(name: str) -> None:
    """No option of ours takes a letter or a name from Scrapy's global options."""
    own = {tuple(action.option_strings) for action in actions(Bare())}
    assert own <= {tuple(action.option_strings) for action in actions(COMMANDS[name]())}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_no_colon(name: str) -> None:
    """Scrapy's help would print a line that ends with a colon as a heading."""
    own = {action.dest for action in actions(Bare())}
    assert all(":" not in (a.help or "") for a in actions(COMMANDS[name]()) if a.dest not in own)


def test_options_that_share_a_name_mean_the_same() -> None:
    """An option of both commands has the same letters in both, except for their own thresholds."""
    learn, apply = ({a.field: a.flags for a in table} for table in (LEARN, EXTRACT))
    assert {field: learn[field] for field in learn.keys() & apply.keys()} == {
        field: apply[field] for field in learn.keys() & apply.keys()
    }
    assert all(isinstance(argument, Argument) for argument in (*LEARN, *EXTRACT))


def test_importing_the_commands_is_cheap() -> None:
    """Every `scrapy` call imports the commands, so slow imports happen only when a command runs."""
    code = (
        f"import sys, {', '.join(command.__module__ for command in COMMANDS.values())};"
        "heavy = {'rapidfuzz', 'tqdm', 'warcio', 'tldextract', 'sqlite3'};"
        "core = {'scrapy_webstemmer.api', 'scrapy_webstemmer.storage'};"
        "print(sorted((heavy | core) & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
