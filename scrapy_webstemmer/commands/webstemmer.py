"""`scrapy webstemmer NAME`: the commands that few need, so that Scrapy's list of commands stays short."""

from __future__ import annotations

import argparse
import sys

from ..base.terminal import say
from . import html2txt, learning_set, urldb_command
from .base import WebstemmerCommand

#: The commands by their names. Each is also a command of ``scrapy`` itself, as before there was this one.
COMMANDS: dict[str, type[WebstemmerCommand]] = {
    "html2txt": html2txt.Command,
    "learning-set": learning_set.Command,
    "urldb": urldb_command.Command,
}

_CALLED = "scrapy webstemmer"


class Command(WebstemmerCommand):
    """Run the command that the first argument names."""

    usage = "NAME [options] ..."
    summary = f"Further commands: {', '.join(COMMANDS)}"
    description = f"Commands that are needed now and then. {_CALLED} NAME -h explains one of them."

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add a parser for each command, with its options and Scrapy's global ones."""
        self.report_in_one_line(parser)
        self._parser = parser
        parsers = parser.add_subparsers(title="commands", metavar="NAME", prog=_CALLED)
        for name, cls in COMMANDS.items():
            command = cls()
            command.settings = self.settings
            subparser = parsers.add_parser(
                name,
                help=command.summary,
                usage=f"{_CALLED} {name} {command.syntax()}",
                description=command.long_desc(),
                formatter_class=parser.formatter_class,
                conflict_handler="resolve",
            )
            command.add_options(subparser)
            subparser.set_defaults(command=command, error=subparser.error)
        parser.set_defaults(command=None, profile=None)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        """Process the options of the chosen command."""
        command: WebstemmerCommand | None = opts.command
        if command is not None:
            self._parser.error = opts.error  # type: ignore[method-assign] # Scrapy reports a UsageError by it
            command.process_options(args, opts)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Run the chosen command; without one, list all of them."""
        command: WebstemmerCommand | None = opts.command
        if command is None:
            super().run(args, opts)
        else:
            command.crawler_process = self.crawler_process
            command.run(args, opts)
            self.exitcode = command.exitcode

    def work(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002 - it has neither
        """List the commands."""
        for name, command in COMMANDS.items():
            say(sys.stdout, f"{name:<13} {command.summary}")
        say(sys.stdout, f"\nUse `{_CALLED} NAME -h` to see more about one of them")
