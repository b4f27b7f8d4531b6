"""`scrapy webstemmer zip`: make the zip of a crawl that was killed, or had no room for it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from scrapy.exceptions import UsageError

from ..base.terminal import printable, say
from ..crawl.settings import WebstemmerSettings
from ..errors import plural
from .base import WebstemmerCommand
from .inputs import check_file


class Command(WebstemmerCommand):
    """Turn the SQLite files beside zips into these zips."""

    usage = "NAME.zip.sqlite..."
    summary = "Make the zip of a crawl that was killed"
    description = (
        "Put the pages of NAME.zip.sqlite into NAME.zip, and remove NAME.zip.sqlite. A crawl into"
        " NAME.zip leaves it if it is killed or has no room for the zip. An existing zip is added to."
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002 - it has no options
        """Make one zip after the other."""
        from ..storage.zip_crawl import ZipCrawl

        _check(args)
        options = WebstemmerSettings.from_settings(self.settings)
        self.left = "each zip is either complete or as it was"
        for name in args:
            with ZipCrawl(Path(name).with_suffix(""), options.timestamp, options.linkinfo) as crawl:
                pages = crawl.count() or 0
            say(sys.stderr, printable(f"{crawl.zip_path}: {plural(pages, 'page')} added, {name} removed"))


def _check(names: list[str]) -> None:
    """Refuse names that are not those of such files. Raises UsageError."""
    if not names:
        raise UsageError("give at least one NAME.zip.sqlite")
    for name in names:
        if not name.lower().endswith(".zip.sqlite"):
            raise UsageError(f"{name}: is not called NAME.zip.sqlite")
        check_file(Path(name))
