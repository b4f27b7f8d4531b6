"""The command line: ``python -m demo_site write | serve | compare``."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from . import __doc__ as usage
from .compare import REQUIRED, Comparison, compare
from .server import serve
from .site import write
from .stories import DAYS


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m demo_site", description=usage, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    writing = commands.add_parser("write", help="write pages and truth into a folder")
    writing.add_argument("folder", type=Path)
    writing.add_argument("--day", type=int, choices=tuple(DAYS), default=1)
    serving = commands.add_parser("serve", help="serve the pages on 127.0.0.1 and print the url")
    serving.add_argument("folder", type=Path)
    serving.add_argument("--port", type=int, default=0, help="default: a free one")
    comparing = commands.add_parser("compare", help="compare articles with the truth")
    comparing.add_argument("truth", type=Path)
    comparing.add_argument("articles", type=Path)
    comparing.add_argument("--differences", type=Path, help="a file for what differs")
    comparing.add_argument(
        "--exact", type=float, default=REQUIRED, metavar="SHARE",
        help="share of the new articles that must be exact (default: %(default)s)",
    )  # fmt: skip
    comparing.add_argument(
        "--only-new", action="store_true", help="older articles came out before and must not come again"
    )
    return parser.parse_args()


def _report(result: Comparison) -> Iterator[str]:
    yield f"{'':18}{'on the site':>12}{'came out':>10}{'exact title':>13}{'exact text':>12}{'both':>7}"
    groups = [("new articles", result.new), ("older articles", result.older)]
    for name, group in groups if result.older.total else groups[:1]:
        yield f"{name:18}{group.total:12}{group.found:10}{group.title:13}{group.text:12}{group.exact:7}"
    yield f"{'no articles':18}{'':12}{len(result.unexpected):10}  (other pages; articles that came before)"
    yield from (f"    {url}" for url in result.unexpected[:5])
    if result.sample:
        yield f"for example: {result.sample['title']}"
        yield textwrap.shorten(result.sample["text"], 240, placeholder=" …")


def main() -> int:
    """Run a command; return 1 if the comparison is not good enough."""
    arguments = _arguments()
    if arguments.command == "write":
        write(arguments.folder, arguments.day)
    elif arguments.command == "serve":
        serve(arguments.folder / "www", arguments.port)
    else:
        result = compare(
            arguments.truth, arguments.articles, required=arguments.exact, only_new=arguments.only_new
        )
        print("\n".join(_report(result)))
        if arguments.differences:
            arguments.differences.write_text("\n".join(result.differences), encoding="utf-8")
        return 0 if result.passed else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
