"""Define the command-line options of learning and extraction, and make options objects of them.

One table fills both the parser and the options object. If an option is not given, the preset decides: today's
defaults, or those of 2009 with ``--classic``. The letters are those of Webstemmer 0.7.1, except ``-L``, which
Scrapy uses for its log level.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from scrapy.exceptions import UsageError
from scrapy.settings import BaseSettings

from ..crawl.setting_values import limits_of
from ..engines import ENGINES
from ..errors import OptionError, WebstemmerError
from ..options import ExtractOptions, LearnOptions, UrlRule

_Options = TypeVar("_Options", LearnOptions, ExtractOptions)


#: Windows can wait for so many processes at once. A typing error must not start thousands of them.
_MOST_PROCESSES = 61
#: What is asked for where an option takes the name of a file or of a folder.
_FILES = frozenset({"FILE", "FOLDER", "OLD"})
SECONDS_A_DAY = 24 * 60 * 60


class Argument(NamedTuple):
    """A command-line option that sets a field of an options object.

    :param flags: the option's names on the command line.
    :param field: the field of LearnOptions or ExtractOptions.
    :param help: one sentence without a colon: Scrapy's help takes a colon at the end of a line for a heading.
    :param settings: further arguments for argparse.
    :param classic: True: the option works only with ``--classic``.
    """

    flags: tuple[str, ...]
    field: str
    help: str
    settings: dict[str, Any]
    classic: bool = False


def _rule(letter: str, name: str, verb: str, *, accept: bool) -> Argument:
    help_ = f"{verb} the pages in whose url REGEX is found (may be repeated; the first that is found decides)"
    settings = {"metavar": "REGEX", "type": partial(UrlRule, accept=accept), "action": "append"}
    return Argument((letter, name), "url_rules", help_, settings)


def _value(flags: str, metavar: str, help_: str, *, classic: bool = False) -> Argument:
    """Return an option that sets the field of its long name to a value."""
    types = {"N": int, "SHARE": float, "SCORE": float}
    settings = {"metavar": metavar, "type": types.get(metavar, str)}
    return Argument(tuple(flags.split()), _field(flags), help_, settings, classic)


def _switch(flags: str, help_: str, field: str = "", *, to: bool = True) -> Argument:
    """Return an option that sets a field to True or False; if none is named, that of its long name."""
    settings = {"action": "store_const", "const": to}
    return Argument(tuple(flags.split()), field or _field(flags), help_, settings)


def _field(flags: str) -> str:
    return flags.rpartition("--")[2].replace("-", "_")


_SHARED = (
    _value("-c --encoding", "NAME", "charset of pages that declare none"),
    _rule("-a", "--accept", "take", accept=True),
    _rule("-j", "--reject", "leave out", accept=False),
    _value(
        "-P --mangle", "REGEX", "compare only those parts of attribute values that REGEX finds", classic=True
    ),
)

LEARN = (
    *_SHARED,
    Argument(
        ("--layout",),
        "layout",
        "what describes a page's layout, paths if not given; the others are older, published methods",
        {"choices": tuple(ENGINES)},
    ),
    _value("-t --cluster-threshold", "SHARE", "similarity from which pages form a cluster, 0 to 1"),
    _value("-T --title-threshold", "SCORE", "score from which a section is the title, 0 to 1", classic=True),
    _value("-S --min-score", "SCORE", "drop patterns that score less; -1 keeps all", classic=True),
    _value("--max-pages", "N", "learn from a sample of N pages of a site that has more; 0 takes all"),
    _value("-m --samples", "N", "learn from at most N pages of a cluster; 0 takes all"),
    Argument(
        ("--site",),
        "site",
        "tell sites apart by the registered domain of a page's url, or by its host",
        {"choices": ("domain", "host")},
    ),
)

EXTRACT = (
    *_SHARED,
    _value(
        "-t --threshold", "SHARE", "share of a page's text that must agree with a pattern for a match, 0 to 1"
    ),
    _switch("-S --strict", "match only pages that lack no section of the pattern"),
    _switch(
        "--all-kinds",
        "give the text of products, forums, lists and all other pages, too; page_type says what a page is",
    ),
    _switch(
        "--fallback",
        "if a page's site is not in the file, give what the page says by itself",
    ),
    _switch(
        "--matched-only", "give nothing for a page that matches no pattern of its site", "unmatched", to=False
    ),
    _value("--min-confidence", "SHARE", "give no article whose confidence is lower than this, 0 to 1"),
    _switch("--copies", "give an article again for each further url that leads to it"),
    _switch("--comments", "give the readers' comments, too, each with its author and date"),
    _value(
        "-T --diff-threshold",
        "SCORE",
        "DiffScore from which a section is part of the article, 0 to 1",
        classic=True,
    ),
    _value("-M --main-threshold", "SCORE", "MainScore from which a section is main text", classic=True),
    _switch("--markdown", "give each article as Markdown as well"),
    _switch("--dates", "give the day of publication, also without other metadata", "date"),
    _switch("--no-metadata", "give no authors, times and so on, which takes less time", "metadata", to=False),
)


def of_fields(*fields: str) -> tuple[Argument, ...]:
    """Return the options of extraction that set some fields."""
    return tuple(argument for argument in EXTRACT if argument.field in fields)


def add_arguments(
    parser: argparse.ArgumentParser, table: Sequence[Argument], *, classic: bool = True
) -> None:
    """Add a table's options to a parser, and ``--classic`` if it is wanted; options not given are None."""
    for argument in table:
        help_ = f"{argument.help} (with --classic)" if argument.classic else argument.help
        parser.add_argument(
            *argument.flags, dest=argument.field, default=None, help=help_, **argument.settings
        )
    if classic:
        add_flag(parser, "--classic", "behave like Webstemmer 0.7.1 where no option says otherwise")
    else:
        parser.set_defaults(classic=False)


def add_flag(parser: argparse.ArgumentParser, names: str, help_: str) -> None:
    """Add an option without a value."""
    parser.add_argument(*names.split(), action="store_true", help=help_)


def add_value(parser: argparse.ArgumentParser, names: str, metavar: str, help_: str, **settings: Any) -> None:
    """Add an option with a value.

    :param settings: further arguments for argparse.
    """
    if metavar in _FILES:
        settings.setdefault("type", _file_name)
    parser.add_argument(*names.split(), metavar=metavar, help=help_, **settings)


def _file_name(text: str) -> str:
    """Return the name of a file or folder. An empty one, as an unset variable gives it, is none."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty")
    return text


def add_output_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where text goes, and in which charset."""
    add_value(
        parser, "-O -o --output", "FILE", "the file to write, standard output if not given or -", default="-"
    )
    add_value(
        parser, "-C --output-encoding", "NAME", "charset of the output, utf-8 if not given", default="utf-8"
    )


def add_workers_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option that says how many processes share the work."""
    add_value(
        parser,
        "--workers",
        "N",
        "share the pages among N processes, 1 if not given; the result is the same",
        type=whole_number(1, _MOST_PROCESSES),
        default=1,
    )


def whole_number(least: int, most: float = math.inf) -> Callable[[str], int]:
    """Return the type of an option whose value is a whole number of a range."""

    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            end = "on" if most == math.inf else f"to {most}"
            raise argparse.ArgumentTypeError(f"must be a whole number from {least} {end}")
        return int(text)

    return read


def learn_options(opts: argparse.Namespace, settings: BaseSettings) -> LearnOptions:
    """Return how a command line and the settings' limits say to learn. Raises UsageError for a bad value."""
    if opts.classic and opts.layout not in (None, "sequence"):
        raise UsageError(f"--layout {opts.layout}: not with --classic, whose layout is sequence")
    return _options(LearnOptions, LEARN, opts, settings)


def extract_options(
    opts: argparse.Namespace, settings: BaseSettings, table: Sequence[Argument] = EXTRACT
) -> ExtractOptions:
    """Return how a command line and the settings' limits say to extract. Raises UsageError as above."""
    return _options(ExtractOptions, table, opts, settings)


def _options(
    cls: type[_Options], table: Sequence[Argument], opts: argparse.Namespace, settings: BaseSettings
) -> _Options:
    values = {a.field: getattr(opts, a.field) for a in table if getattr(opts, a.field) is not None}
    if lost := [a for a in table if a.classic and a.field in values and not opts.classic]:
        raise UsageError(f"{'/'.join(lost[0].flags)}: only with --classic")
    if "url_rules" in values:
        values["url_rules"] = tuple(values["url_rules"])
    try:
        options = cls.classic(**values) if opts.classic else cls(**values)
    except OptionError as error:
        flags = [flag for a in table if a.field == error.name for flag in a.flags if flag.startswith("--")]
        name = "/".join(flags) or error.name
        shown = name if error.value is True else f"{name} {error.value}"  # a flag has no value
        raise UsageError(f"{shown}: {error.reason}") from None
    return replace(options, limits=limits_of(settings))


class CommandError(WebstemmerError):
    """A command has no result. Its message becomes one line, and the exit status is 1."""


def split_action(args: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the action of a command line, ``show`` or ``prune``, and the files. Raises UsageError."""
    action, *names = args or [""]
    if action not in ("show", "prune"):
        raise UsageError(f"{action}: is neither show nor prune" if action else "say show or prune first")
    if not names:
        raise UsageError("give at least one FILE")
    return action, names


def check_page_encoding(name: str | None) -> None:
    """Refuse an unknown charset of pages. Raises UsageError."""
    try:
        ExtractOptions(encoding=name)
    except OptionError as error:
        raise UsageError(f"--encoding {error.value}: {error.reason}") from None
