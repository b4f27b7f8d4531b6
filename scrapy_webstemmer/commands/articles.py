"""`scrapy articles`: crawl sites, learn them, and write their articles, without a project."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import urlsplit

from scrapy.exceptions import UsageError
from scrapy.signals import spider_closed, spider_opened

from ..base.terminal import line_width, say
from ..base.urls import site_of
from ..crawl.reports import reason_of
from ..crawl.settings import WebstemmerSettings
from ..errors import PatternFileError, plural
from ..items import page_stored
from ..textcrawler.crawl_arguments import is_web_url
from .analyze import learn_given, save_patterns
from .arguments import (
    CommandError,
    add_arguments,
    add_flag,
    add_output_arguments,
    add_value,
    add_workers_argument,
    extract_options,
    of_fields,
    whole_number,
)
from .base import WebstemmerCommand, ended_by
from .crawled_sites import CrawledSite, sites_summary
from .exports import check_learning_set, open_articles, with_format
from .extraction import Extraction
from .fetching import OF_COMMAND, run_crawls, store_nothing, when_ended
from .formats import add_format_arguments, check_encoding
from .inputs import note, open_inputs, progress

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from ..options import ExtractOptions
    from ..pattern_files.pattern_file import PatternSet

#: So many requests are sent for a site if no option says otherwise: some five minutes.
_MOST_REQUESTS = 1_000
#: So many sites are crawled at the same time.
_AT_A_TIME = 16
#: A crawl that was ended goes on with its pages for so long. Older ones are fetched again.
_FRESH = timedelta(days=1)
#: Without a terminal, a line tells of the progress after so many pages.
_A_LINE = 100
#: The options of extraction that this command has, too.
_EXTRACTED_BY = of_fields(
    *"url_rules encoding comments markdown date metadata min_confidence copies all_kinds".split()
)


_Tell: TypeAlias = Callable[[CrawledSite], None]
_Write: TypeAlias = Callable[[str], object]


class Command(WebstemmerCommand):
    """Crawl sites and write their articles."""

    crawls = True
    left = "the pages are kept, and the same command goes on"
    usage = "[options] URL... [-O FILE]"
    summary = "Crawl a site, learn it, and write its articles"
    description = (
        "Crawl the site of each URL, learn its layouts, and write its articles. URL is a page of the site, a"
        " feed, a sitemap or a robots.txt. The crawl obeys robots.txt, and asks a server at most four times"
        " a second. Pages and patterns are kept beside FILE, under the name of the site. So the same command"
        " goes on where it was ended, and later it fetches what is new. FILE has all articles each time."
    )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's options."""
        super().add_options(parser)
        add_output_arguments(parser)
        add_format_arguments(parser, self.settings)
        add_value(
            parser,
            "--pages",
            "N",
            f"send at most N requests to a site, {_MOST_REQUESTS:,} if not given; 0 sends any number",
            type=whole_number(0),
            default=_MOST_REQUESTS,
        )
        add_value(parser, "--minutes", "N", "end each crawl after N minutes", type=whole_number(0), default=0)
        add_value(
            parser,
            "--learning-set",
            "FILE",
            "the file that keeps the pages of the sites, SITE.sqlite beside the output if not given",
        )
        add_flag(parser, "--again", "fetch all pages again, also those of known articles")
        add_arguments(parser, _EXTRACTED_BY, classic=False)
        add_workers_argument(parser)
        add_flag(parser, "-d --debug", "name each page without an article and the reason, on standard error")
        parser.set_defaults(explain=False, sections=False)

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        """Crawl the sites, learn them, write the articles, and say what they lack."""
        if not args:
            raise UsageError("give the URL of at least one site")
        for url in args:
            if not is_web_url(url):
                raise UsageError(f"{url}: must begin with http:// or https:// and a host")
        check_encoding(opts.output_encoding)
        options = with_format(opts, [], self._options(opts), self.settings)
        sites = _sites(args, opts)
        for site in sites:
            check_learning_set(site.pages)
            if Path(opts.output).resolve() in (site.pages.resolve(), site.patterns.resolve()):
                raise UsageError(
                    f"{opts.output}: keeps what {site.name} is learned from, or what was learned"
                )
            site.begin()
        ended = self._crawl(sites, options, opts)
        if all(site.problem for site in sites):
            raise CommandError(f"{args[0]}: {sites[0].problem}")
        # if there is no article, an error leaves the block, and an earlier file stays as it is
        with open_articles(opts.output, opts.format, opts.output_encoding, self.settings) as write:
            for site in sites:
                self._write_articles(site, options, opts, write)
            if ended and not any(site.articles for site in sites):
                raise ended_by(ended)
            if len(sites) == 1 and not sites[0].articles:
                raise CommandError(f"{args[0]}: {sites[0].reason}")
            width, encoding = line_width(sys.stderr), sys.stderr.encoding
            for line in sites_summary(sites, width, encoding, has_fields=options.metadata):
                say(sys.stderr, line)
            if not any(site.articles for site in sites):
                raise CommandError("no site gives an article")
        if ended:
            self.left = "the articles of the pages so far are written, and the same command goes on"
            raise ended_by(ended)
        if any(site.lost for site in sites):
            raise CommandError("the articles are those of the stored pages; the same command goes on")
        if all(site.problem or site.is_silent for site in sites):
            raise CommandError("no site answers; the articles are those of earlier calls")

    def _project(self) -> WebstemmerSettings:
        """Return the settings of the project, or the defaults without one."""
        return WebstemmerSettings.from_settings(self.settings)

    def _options(self, opts: argparse.Namespace) -> ExtractOptions:
        """Return the options of the project, with those of the command line."""
        chosen = extract_options(opts, self.settings, _EXTRACTED_BY)
        fields = [
            "limits",
            *(option.field for option in _EXTRACTED_BY if getattr(opts, option.field) is not None),
        ]
        changes = {field: getattr(chosen, field) for field in fields}
        return replace(self._project().extract_options, **changes, fallback=True)

    def _crawl(self, sites: Sequence[CrawledSite], options: ExtractOptions, opts: argparse.Namespace) -> int:
        """Crawl the sites, some at a time; return the signal that has ended the crawls, 0 if none has.

        Raises nothing: a site that cannot be crawled has a problem.
        """
        assert self.crawler_process is not None  # noqa: S101 - every call crawls
        waiting = iter(sites)
        with _shown() as tell:

            def start_next() -> None:
                if (site := next(waiting, None)) is not None:
                    self._start(site, options, opts, tell, start_next)

            for _ in range(_AT_A_TIME):
                start_next()
            number = run_crawls(self.crawler_process)
        for site in sites:
            site.end()
            if site.ended == "finished" and not site.lost and not site.left:
                with suppress(OSError):
                    site.unfinished.unlink()
        return number

    def _start(
        self,
        site: CrawledSite,
        options: ExtractOptions,
        opts: argparse.Namespace,
        tell: _Tell,
        then: Callable[[], None],
    ) -> None:
        """Begin the crawl of a site.

        :param tell: told of each page that is stored.
        :param then: called when the crawl has ended.
        """

        from ..textcrawler.site_crawler import KnownPages, SiteCrawler

        crawler: Crawler = self.crawler_process.create_crawler(SiteCrawler)  # type: ignore[union-attr]
        store_nothing(crawler.settings)
        settings = {"WEBSTEMMER_ENABLED": True, "WEBSTEMMER_LEARNING_SET": str(site.pages)}
        if opts.minutes:
            settings["CLOSESPIDER_TIMEOUT"] = opts.minutes * 60
        crawler.settings.setdict(settings, priority=OF_COMMAND)
        site.crawler = crawler

        def stored() -> None:
            site.fetched += 1
            tell(site)

        def opened() -> None:
            with suppress(OSError):
                site.unfinished.write_text(site.since, encoding="utf-8")

        def closed(reason: str) -> None:
            site.ended = reason

        for handler, signal in ((stored, page_stored), (opened, spider_opened), (closed, spider_closed)):
            crawler.signals.connect(handler, signal, weak=False)
        rules = {
            f"{'accept' if rule.accept else 'reject'}{number}": [rule.pattern]
            for number, rule in enumerate(options.url_rules, 1)
        }
        known = None
        if site.pages.exists() and not opts.again:
            site.since = _since(site)
            known = KnownPages(site.pages, _load(site.patterns), site.since)
        try:
            running = self.crawler_process.crawl(  # type: ignore[union-attr]
                crawler, url=site.urls, known=known, most_pages=opts.pages, **rules
            )
        except Exception as error:  # what a project's setting makes impossible
            site.problem = reason_of(error)
            then()
        else:
            when_ended(running, partial(setattr, site, "problem"), then)

    def _write_articles(
        self, site: CrawledSite, options: ExtractOptions, opts: argparse.Namespace, write: _Write
    ) -> None:
        """Learn a site, write its articles, and note with the site what came of it."""
        if not site.pages.exists():
            return
        learning = replace(self._project().learn_options, encoding=options.encoding, limits=options.limits)
        with open_inputs([str(site.pages)]) as sources:
            if not sources[0].count():
                if not opts.learning_set:
                    with suppress(OSError):  # on Windows an open file stays
                        site.pages.unlink()
                return
            learned, patterns = learn_given(sources, sources, learning, workers=opts.workers, what=site.name)
            site.learned, site.files = learned, [str(site.pages)]
            if patterns.sites:
                save_patterns(learned, str(site.patterns))
                site.files.append(str(site.patterns))
            run = Extraction(patterns, options, opts, since=site.since)
            with progress(sources, f"extracting {site.name}") as pages:
                run.write_articles(pages, write)
            site.counts = run.counts


def _sites(urls: Sequence[str], opts: argparse.Namespace) -> list[CrawledSite]:
    """Return the sites of some urls. Raises UsageError: several have one file."""
    folder = Path(opts.output).parent if opts.output != "-" else Path()
    sites: dict[str, CrawledSite] = {}
    for url in urls:
        port = urlsplit(url).port
        name = f"{site_of(url)}-{port}" if port else site_of(url)
        path = Path(opts.learning_set) if opts.learning_set else folder / f"{name.replace(':', '-')}.sqlite"
        if opts.learning_set and sites and name not in sites:
            raise UsageError("--learning-set: names the file of one site, and there are several")
        sites.setdefault(name, CrawledSite(name, [], path)).urls.append(url)
    return list(sites.values())


def _since(site: CrawledSite) -> str:
    """Return from when on pages are those of a crawl that was not finished, and are not fetched again."""
    try:
        begun = datetime.fromisoformat(site.unfinished.read_text(encoding="utf-8").strip())
        fresh = datetime.now(UTC) - _FRESH
        return max(begun, fresh).isoformat(timespec="seconds")
    except (OSError, ValueError, TypeError):  # there is no such file, or it was damaged
        return site.since


def _load(path: Path) -> PatternSet | None:
    """Return the patterns of earlier calls; None: there are none that can be read."""
    from ..pattern_files.pattern_file import PatternSet

    try:
        return PatternSet.load(path) if path.is_file() else None
    except PatternFileError as error:
        note(f"warning: {error}; it is learned anew")
        return None


@contextmanager
def _shown() -> Iterator[_Tell]:
    """Show how many pages have been fetched: by a bar on a terminal, else by a line now and then.

    It is told of each page by a call.
    """
    from tqdm import tqdm

    tqdm.monitor_interval = 0
    nothing: Iterable[object] | None = None
    with tqdm(nothing, "crawling", unit=" pages", leave=False, disable=None) as bar:

        def tell(site: CrawledSite) -> None:
            if not bar.disable:
                bar.set_postfix_str(site.name, refresh=False)
                bar.update()
            elif site.fetched % _A_LINE == 0:
                note(f"{site.name}: {plural(site.fetched, 'page')} fetched")

        yield tell
