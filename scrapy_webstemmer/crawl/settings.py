"""The checked settings of the Scrapy side, which are named ``WEBSTEMMER_*``."""

from __future__ import annotations

import dataclasses
import difflib
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Self

from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.settings import BaseSettings

from ..base.files import is_writable
from ..errors import OptionError, WebstemmerError
from ..items import METADATA_FIELDS
from ..options import ExtractOptions, LearnOptions, Limits
from ..pattern_files.pattern_sources import is_resource
from .feed_settings import feed_exporters, read_feeds, read_fields, usual_fields
from .item_classes import ItemClass, read_item_class
from .setting_values import (
    PREFIX,
    limits_of,
    read,
    read_encoding,
    read_extract_options,
    read_flag,
    read_learn_options,
    read_learning_set_pages,
    read_linkinfo,
    read_path,
    read_paths,
    read_timestamp,
    setting_name,
)

logger = logging.getLogger(__name__)

#: Who writes this in the name of a setting means one of ours.
_LIKE_OURS = "WEBSTEM"

#: The fields that need the pages of a crawl.
PAGE_OPTIONS = ("learning_set", "patterns", "at_once")

#: The 2009 crawler's format of times, in names of files and of a zip's members; the times are in UTC here.
TIMESTAMP = "%Y%m%d%H%M"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebstemmerSettings:
    """The checked values of our settings; a field ``some_name`` is the setting ``WEBSTEMMER_SOME_NAME``.

    :param enabled: False: no component of ours takes part in the crawl.
    :param learning_set: the file that collects pages and linkinfo; None: nothing is stored.
    :param learning_set_pages: the most pages of a site that this file keeps after a crawl; None: all.
    :param patterns: pattern files, each a path or ``package:resource``; empty: nothing is extracted by
        patterns.
    :param learn: True: sites are learned at the end of the crawl, and the patterns are kept in the pattern
        file; see :func:`learned_patterns`.
    :param at_once: True: pages whose site is not known yet give their article at once, by their own evidence.
        If the crawl learns, these articles are provisional, and come again at its end.
    :param urldb: the database of the urls that earlier crawls have stored; None: there is none.
    :param linkinfo: the name of the linkinfo in a zip; empty: no anchors are recorded, in any kind of
        learning set.
    :param timestamp: replaces ``%(timestamp)s`` in paths, and begins the names in a zip; None: the time is
        used.
    :param cookie_file: a file of cookies to send, in the format of Mozilla's ``cookies.txt``; None: the crawl
        sends only cookies that sites set.
    :param default_encoding: charset of responses that declare none; None: Scrapy guesses.
    :param articles: the feeds of articles, as in Scrapy's ``FEEDS``; empty: they have none of their own;
        None: a file named after the spider, unless a feed of the project asks for them.
    :param item: the class of the articles that users get; None: :class:`~scrapy_webstemmer.ArticleItem`.
    :param fields: the fields of articles in their own feeds, with their new names; empty: all but the
        sections. With a class, its fields that get the values.
    :param articles_to_pipelines: True: articles are items, and go through the pipelines that come after ours.
    :param learn_options: how sites are learned at the end of a crawl; its limits are those of the last field.
    :param extract_options: how patterns are applied to a page; what the next fields say, too, is theirs.
    :param min_confidence: an article with a lower confidence does not come out.
    :param all_kinds: True: other kinds of pages give their text, too, and ``page_type`` says of which kind
        each is.
    :param limits: upper limits for a page and for a pattern file.

    Paths are templates: ``%(spider)s`` stands for the spider's name, ``%(time)s`` and ``%(timestamp)s`` for
    the beginning of the crawl; see :func:`fill_in`.
    """

    enabled: bool = True
    learning_set: str | None = None
    learning_set_pages: int | None = None
    patterns: tuple[str, ...] = ()
    learn: bool = False
    at_once: bool = False
    urldb: str | None = None
    linkinfo: str = "linkinfo"
    timestamp: str | None = None
    cookie_file: str | None = None
    default_encoding: str | None = None
    articles: Mapping[str, Any] | None = None
    item: ItemClass | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    articles_to_pipelines: bool = False
    learn_options: LearnOptions = field(default_factory=LearnOptions)
    extract_options: ExtractOptions = field(default_factory=ExtractOptions)
    min_confidence: float = ExtractOptions().min_confidence
    all_kinds: bool = False
    limits: Limits = field(default_factory=Limits)

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        """Return the values in a crawl's settings.

        :raises OptionError: a value is invalid; the error names the setting and the value. Warnings about
            names that are misspelt come first: one of them may be the reason.
        """
        try:
            return cls._read(settings)
        except OptionError:
            warn_of_unknown_names(settings)
            raise

    @classmethod
    def _read(cls, settings: BaseSettings) -> Self:
        limits = limits_of(settings)
        extract_options = read_extract_options(settings)
        fields = read(settings, "fields", read_fields)
        usual = usual_fields(extract_options)
        learning_set = read_path(settings, "learning_set")
        options = cls(
            enabled=read_flag(settings, "enabled", True),
            learning_set=learning_set,
            learning_set_pages=read_learning_set_pages(settings, learning_set),
            patterns=read_paths(settings, "patterns"),
            learn=read_flag(settings, "learn", False),
            at_once=read_flag(settings, "at_once", False),
            urldb=read_path(settings, "urldb"),
            linkinfo=read_linkinfo(settings),
            timestamp=read_timestamp(settings),
            cookie_file=read_path(settings, "cookie_file"),
            default_encoding=read_encoding(settings, "default_encoding"),
            articles=read(settings, "articles", partial(read_feeds, formats=feed_exporters(settings))),
            item=read_item_class(settings, fields, usual),
            fields=fields,
            articles_to_pipelines=read_flag(settings, "articles_to_pipelines", False),
            learn_options=replace(read_learn_options(settings), limits=limits),
            extract_options=replace(extract_options, limits=limits),
            min_confidence=extract_options.min_confidence,
            all_kinds=extract_options.all_kinds,
            limits=limits,
        )
        if options.urldb is not None and options.urldb == options.learning_set:
            reason = f"is the file of {setting_name('learning_set')}, too"
            raise OptionError(setting_name("urldb"), options.urldb, reason)
        if not options.learn:
            return options
        if reason := _why_not_learn(options):
            raise OptionError(setting_name("learn"), True, reason)
        return replace(options, patterns=(learned_patterns(options),))

    @property
    def wanted_options(self) -> ExtractOptions:
        """How patterns are applied, without the parts of articles that no field is for."""
        extract = self.extract_options
        wanted = self.item.fields if self.item else self.fields or usual_fields(extract)
        day = "date" in wanted and extract.metadata and not extract.date  # it comes with the other fields
        markdown = extract.markdown or "markdown" in self.fields
        html = self.articles_to_pipelines or markdown or not {"html", "images"}.isdisjoint(wanted)
        return replace(
            extract,
            html=extract.html and html,
            markdown=markdown,
            sections="sections" in wanted,
            comments="comments" in wanted,
            metadata=not set(METADATA_FIELDS).isdisjoint(wanted) or day,
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler, *work: str) -> Self:
        """Return the values for a component of a crawl.

        :param work: the fields that give the component something to do.
        :raises NotConfigured: none of these fields is set, or everything is switched off (then without a
            message).
        :raises OptionError: as :meth:`from_settings`.
        """
        options = cls.from_settings(crawler.settings)
        if not options.enabled:
            raise NotConfigured
        if work:
            options.check_set(crawler.settings, work)
        return options

    def check_set(self, settings: BaseSettings, work: Sequence[str]) -> None:
        """Refuse settings that give a component nothing to do; names that are misspelt are warned of first.

        :param work: the fields that give it something to do.
        :raises NotConfigured: none of these fields is set.
        """
        if not any(getattr(self, field) for field in work):
            warn_of_unknown_names(settings)
            names = ", ".join(map(setting_name, work))
            raise NotConfigured(f"none of {names} is set" if len(work) > 1 else f"{names} is not set")


def _why_not_learn(options: WebstemmerSettings) -> str:
    """Return why a crawl cannot learn with the other settings; empty if it can."""
    from ..pattern_files.pattern_file import CLASSIC_SUFFIX

    path, patterns = options.learning_set, options.patterns
    if path is None:
        return f"needs {setting_name('learning_set')}, the file that keeps the pages"
    if path.lower().endswith(".zip"):
        return f"needs a SQLite file as {setting_name('learning_set')}, and {path} is a zip"
    if len(patterns) > 1:
        return f"needs one file in {setting_name('patterns')}, the one that it writes"
    if patterns and (is_resource(patterns[0]) or patterns[0].lower().endswith(CLASSIC_SUFFIX)):
        return f"cannot write {patterns[0]}: {setting_name('patterns')} must be a path that ends in .json"
    return ""


def learned_patterns(options: WebstemmerSettings) -> str:
    """Return the path template of the pattern file of a crawl that learns.

    Unless a setting names it, it stands beside the learning set: ``news.patterns.json`` for ``news.sqlite``.
    """
    if options.patterns:
        return options.patterns[0]
    path = Path(options.learning_set or "")
    known = path.suffix.lower() in (".sqlite", ".sqlite3", ".db")
    return str(path.with_name((path.stem if known else path.name) + ".patterns.json"))


#: The names of all settings.
SETTING_NAMES = tuple(setting_name(option.name) for option in dataclasses.fields(WebstemmerSettings))


def path_of(crawler: Crawler, template: str, timestamp: str | None = None) -> Path:
    """Return the path that a template gives in a crawl: the spider's name and the time are filled in.

    The spider itself need not exist yet.
    """
    return Path(source_of(crawler, template, timestamp))


def source_of(crawler: Crawler, template: str, timestamp: str | None = None) -> str:
    """Return the path or the ``package:resource`` that a template gives in a crawl; see :func:`path_of`."""
    return fill_in(template, (crawler.spider or crawler.spidercls).name, beginning_of(crawler), timestamp)


def beginning_of(crawler: Crawler) -> datetime:
    """Return the time (UTC) that all names of a crawl have: when it was asked for first."""
    begun: datetime = vars(crawler).setdefault("webstemmer_begun", datetime.now(UTC))
    return begun


def fill_in(template: str, spider: str, begun: datetime, timestamp: str | None = None) -> str:
    """Return a template of a path with the spider's name and the beginning of the crawl filled in.

    :param timestamp: replaces ``%(timestamp)s``; None: the time as ``YYYYMMDDHHMM``.
    """
    text = template.replace("%(spider)s", spider).replace("%(time)s", begun.strftime("%Y-%m-%dT%H-%M-%S"))
    return text.replace("%(timestamp)s", timestamp or begun.strftime(TIMESTAMP))


@contextmanager
def opened(option: str, path: Path) -> Iterator[None]:
    """Make the folder of a file that a setting names, and report an error in the block as the setting's.

    :raises OptionError: the file cannot be opened, created or written; the error names the setting and the
        file.
    """
    if path.is_dir():
        raise OptionError(setting_name(option), str(path), "is a folder")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not is_writable(path):  # SQLite would open a file for reading alone, and say nothing
            raise OSError("cannot be written, or no file can be made in its folder")
        yield
    except (WebstemmerError, OSError) as error:
        raise OptionError(setting_name(option), str(path), str(error)) from None


def warn_of_unknown_names(settings: BaseSettings) -> None:
    """Log a warning for each setting whose name is like ours, perhaps in small letters, but is unknown."""
    for name in settings:
        if isinstance(name, str) and _LIKE_OURS in name.upper() and name not in SETTING_NAMES:
            logger.warning("Unknown setting %s: %s", name, _hint(name))


def _hint(name: str) -> str:
    options = [known.removeprefix(PREFIX) for known in SETTING_NAMES]
    ending = name.upper().rpartition(_LIKE_OURS)[2].partition("_")[2]
    closest = difflib.get_close_matches(ending, options, n=1)
    return f"did you mean {PREFIX}{closest[0]}?" if closest else f"there are {', '.join(SETTING_NAMES)}"
