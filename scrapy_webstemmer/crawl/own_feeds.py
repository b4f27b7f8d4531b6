"""Open the feeds that only articles go to: those that a setting names, or a file named after the spider."""

from __future__ import annotations

import bz2
import csv
import gzip
import logging
import lzma
import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.extensions.feedexport import FeedExporter, FileFeedStorage
from scrapy.extensions.postprocessing import PostProcessingManager
from scrapy.settings import Settings
from scrapy.signalmanager import SignalManager
from scrapy.utils.job import job_dir
from scrapy.utils.misc import build_from_crawler
from scrapy.utils.python import without_none_values
from w3lib.url import file_uri_to_path

from ..errors import OptionError
from ..pattern_files.pattern_file import FORMAT
from ..storage.source import SQLITE_MAGIC
from .feed_settings import ARTICLE_FIELDS, feed_exporters, read_fields
from .reports import count
from .setting_values import setting_name
from .settings import WebstemmerSettings, path_of, source_of

if TYPE_CHECKING:
    from filelock import FileLock


#: Formats in which an item is safe as soon as its line is.
_LINE_FORMATS = {"csv", "jsonlines", "jsonl", "jl"}
#: Formats with something around all items.
_CLOSED_FORMATS = {"json", "xml", "parquet"}
#: How a compressed file is opened, by the end of the name of the plugin that compresses it.
_OPENERS: Mapping[str, Callable[[Path], Any]] = {
    "GzipPlugin": gzip.open,
    "LZMAPlugin": lzma.open,
    "Bz2Plugin": bz2.open,
}
_CHUNK_SIZE = 1 << 20
#: Signs in the beginning of files that no crawl replaces by articles.
_SIGNS_OF_KINDS = {"a SQLite file": SQLITE_MAGIC, "a pattern file": f'"{FORMAT}"'.encode()}
_SIGNS_WITHIN = 200
_OTHER_NAME = "choose a new name, or one with %(time)s, or JSON lines"
#: What Scrapy leaves in the folder of a job.
_JOB_FILES = ("requests.seen", "requests.queue", "spider.state")


def usual_feed(number: int = 1) -> dict[str, Any]:
    """Return the file of a spider's articles if no setting says where they go.

    A crawl without an article leaves it as it is: nobody has asked for an empty file.

    :param number: 2 and more while other crawls write those before.
    """
    ending = "" if number == 1 else f"-{number}"
    return {
        f"%(spider)s.articles{ending}.jsonl": {
            "format": "jsonlines",
            "encoding": "utf-8",
            "store_empty": False,
        }
    }


class InUseError(OptionError):
    """Another crawl writes a file for articles: each would destroy what the other writes."""


class OwnFeeds(FeedExporter):
    """The exporter of our own feeds. It opens no file before the first article.

    A file that is there is replaced, unless the crawl goes on with what an earlier one has begun: a resumed
    job, or a crawl that skips what the URLDB knows. Then articles are added to it. Until the crawl ends, its
    files are locked by empty files beside them.

    :raises InUseError: another crawl writes one of the files.
    :raises OptionError: a feed cannot work; the error names the setting, the uri, and the reason.
    """

    def __init__(self, crawler: Crawler, options: WebstemmerSettings, feeds: Mapping[str, Any]) -> None:
        goes_on = options.urldb is not None or _is_resumed(crawler)
        checked = {}
        for uri, feed in _filled_in(crawler, options, feeds).items():
            with _refusals(uri):
                if options.item is None:
                    read_fields(feed["fields"])
                checked[uri] = _with_mode(crawler, uri, feed, goes_on=goes_on, chosen=bool(options.fields))
                _try(FeedExporter(_scoped(crawler, {uri: checked[uri]})), uri)
        super().__init__(_scoped(crawler, checked))
        paths = [_local_path(uri) for uri in checked if "%(" not in uri and not _is_of_user(crawler, uri)]
        self._locks = [_locked(path) for path in paths if path is not None]
        crawler.signals.connect(self._unlock, signals.engine_stopped)

    def _unlock(self) -> None:
        """Let other crawls write the files."""
        for lock in filter(None, self._locks):
            with suppress(OSError):  # on Windows it goes when the lock is released
                Path(lock.lock_file).unlink()
            lock.release()

    def open_spider(self, spider: Spider) -> None:
        """Prepare the feeds."""
        super().open_spider(spider)
        for slot in self.slots:
            # of a compressed file, only the program that reads it can say where a line ends
            storage: Any = slot.storage
            if is_by_lines(slot) and "postprocessing" not in slot.feed_options:
                _end_last_line(Path(storage.path))

    async def close_spider(self, spider: Spider) -> None:
        """Store the feeds. One whose only article could not be written is open, and no longer as it was."""
        for slot in self.slots:
            slot.store_empty = slot.store_empty or slot.file is not None
        await super().close_spider(spider)

    def names(self) -> str:
        """Return the uris of the feeds, for people: without placeholders, when the spider is there."""
        filled = {slot.uri_template: slot.uri for slot in self.slots if "%(batch_" not in slot.uri_template}
        return ", ".join(filled.get(uri, uri) for uri in self.feeds)

    def kept(self) -> str:
        """Return the files that stay as they were, since no article came to replace them; empty: none."""
        slots = [slot for slot in self.slots if slot.file is None and not slot.store_empty]
        names = (slot.uri for slot in slots if slot.feed_options.get("overwrite"))
        return ", ".join(name for name in names if (path := _local_path(name)) and path.exists())


def _locked(path: Path) -> FileLock | None:
    """Return the lock of a file that the crawl is going to write; None: there are no locks in its folder.

    :raises InUseError: another crawl has it, in this process or in another one.
    """
    from filelock import FileLock, Timeout  # it takes longer to import than a page to extract

    if path.exists() and not path.is_file():  # standard output, for example
        return None
    path = Path(os.path.realpath(path))
    lock = FileLock(path.with_name(f".{path.name}.lock"), timeout=0)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        if not Path(lock.lock_file).exists():  # some versions say so of a folder that cannot be written to
            return None
        reason = "another crawl is writing it: give each its own, for example with %(spider)s or %(time)s"
        raise InUseError(setting_name("articles"), path.name, reason) from None
    except (OSError, NotImplementedError):
        return None
    return lock


def _try(exporter: FeedExporter, uri: str) -> None:
    """Make a feed's exporter of items, on nothing: its options may be such that it cannot be made.

    So may its uri: the spider lacks what a placeholder names.
    """
    spider: Spider | None = exporter.crawler.spider
    if spider is not None:
        try:
            with suppress(AttributeError):  # the spider may have all that it needs when it is opened
                exporter.open_spider(spider)  # this opens no file
        except KeyError as error:
            raise ValueError(f"the spider has nothing for %({error.args[0]})s") from None
    options = exporter.feeds[uri]
    file: Any = BytesIO()
    if "postprocessing" in options:
        file = PostProcessingManager(options["postprocessing"], file, options)
    build_from_crawler(
        exporter.exporters[options["format"]],
        exporter.crawler,
        file,
        fields_to_export=options["fields"],
        encoding=options["encoding"],
        indent=options["indent"],
        **options["item_export_kwargs"],
    )


def is_by_lines(slot: Any) -> bool:
    """Return whether an item of a feed is safe as soon as its line is on the disk."""
    return isinstance(slot.storage, FileFeedStorage) and slot.format in _LINE_FORMATS


def _is_resumed(crawler: Crawler) -> bool:
    """Return whether the crawl goes on with a job."""
    folder = job_dir(crawler.settings)
    return folder is not None and any((Path(folder) / name).exists() for name in _JOB_FILES)


def _filled_in(crawler: Crawler, options: WebstemmerSettings, feeds: Mapping[str, Any]) -> dict[str, Any]:
    """Return feeds with their paths filled in, and with the fields that they have.

    A project's setting for batches is for feeds whose uri numbers them.
    """
    chosen = options.fields or {name: name for name in ARTICLE_FIELDS}
    fields = None if options.item else dict(chosen)  # None: an item of another class has what its class says
    filled = {}
    for uri, feed in feeds.items():
        uri = source_of(crawler, uri, options.timestamp)
        usual = {"fields": fields} if "%(batch_" in uri else {"fields": fields, "batch_item_count": 0}
        filled[uri] = {**usual, **feed}
    return filled


def _with_mode(
    crawler: Crawler, uri: str, feed: Mapping[str, Any], *, goes_on: bool, chosen: bool
) -> dict[str, Any]:
    """Return the options of a feed, which say whether its file is replaced.

    :param goes_on: whether articles are added to a file unless the feed says otherwise.
    :param chosen: whether a setting names the fields of articles.
    :raises ValueError: nothing can be written there, or nothing can be added to the file that is there.
    """
    path = _local_path(uri)
    if path is None or _is_of_user(crawler, uri):
        return dict(feed)
    if uri.endswith(("/", os.sep)):
        raise ValueError("is the name of a folder")
    feed = {"overwrite": not goes_on, **feed}
    if "%(" in str(path):  # it has the time in its name, or what the spider says
        return feed
    _check_place(path)
    if feed["overwrite"] or not path.exists() or not path.stat().st_size:
        return feed
    _check_end(path, feed)
    if feed["format"] == "csv":
        arguments = feed.get("item_export_kwargs", {})
        if feed["fields"] and "postprocessing" not in feed and arguments.get("include_headers_line", True):
            feed["fields"] = _columns(path, feed, chosen=chosen)
        feed["item_export_kwargs"] = {"include_headers_line": False, **arguments}
    return feed


def _columns(path: Path, feed: Mapping[str, Any], *, chosen: bool) -> Any:
    """Return the fields for the columns of a CSV file to which articles are added, in the order of the file.

    A file of an earlier version may have fewer columns than articles have fields.

    :raises ValueError: the file has other columns than these fields, or lacks one that was chosen.
    """
    fields = feed["fields"]
    if not isinstance(fields, Mapping):
        fields = {name: name for name in fields}
    with path.open(encoding=feed["encoding"], newline="") as stream:
        rows = csv.reader(stream, delimiter=feed.get("item_export_kwargs", {}).get("delimiter", ","))
        columns = next(rows, [])
    names = {new: name for name, new in fields.items()}
    if odd := {*columns} - {*names} | ({*names} - {*columns} if chosen else set()):
        raise ValueError(
            f"nothing can be added, since columns differ ({', '.join(sorted(odd))}): {_OTHER_NAME}"
        )
    return {names[column]: column for column in columns}


def check_files_are_apart(crawler: Crawler, options: WebstemmerSettings, feeds: Mapping[str, Any]) -> None:
    """Refuse feeds of articles whose file the crawl uses for something else: each would destroy the other.

    :raises OptionError: the error names the setting, the uri, and what the file is for.
    """
    used = {}
    for option in ("learning_set", "urldb", "cookie_file", "patterns"):
        value = getattr(options, option)
        for template in (value,) if isinstance(value, str) else value or ():
            path = path_of(crawler, template, options.timestamp)
            used[_place(str(path))] = f"is the file of {setting_name(option)}"
    project = crawler.get_extension(FeedExporter)
    items = "has the project's items (FEEDS, -o, -O): choose another file, or set "
    name = (crawler.spider or crawler.spidercls).name
    for uri in project.feeds if project else ():
        used[_place(uri.replace("%(name)s", name))] = items + setting_name("articles_to_pipelines")
    for uri in _filled_in(crawler, options, feeds):
        place = _place(uri)
        if place in used and not uri.startswith("stdout:"):
            raise OptionError(setting_name("articles"), uri, used[place])
        used[place] = "is there twice"


def _place(uri: str) -> str:
    """Return where a feed is, however its uri is written."""
    path = _local_path(uri)
    return uri if path is None else os.path.normcase(os.path.realpath(path))


def _local_path(uri: str) -> Path | None:
    """Return the path of a feed that is a file on this machine."""
    if PureWindowsPath(uri).drive or not urlsplit(uri).scheme:
        return Path(uri)
    return Path(file_uri_to_path(uri)) if uri.startswith("file:") else None


def _is_of_user(crawler: Crawler, uri: str) -> bool:
    """Return whether a project has its own way to store files."""
    storages = without_none_values(crawler.settings.getdict("FEED_STORAGES"))
    return urlsplit(uri).scheme in storages


def _check_place(path: Path) -> None:
    if path.is_dir():
        raise ValueError("is a folder")
    place = next(place for place in (path, *path.absolute().parents) if place.exists())
    if place != path and not place.is_dir():
        raise ValueError(f"{place} is not a folder")
    if not os.access(place, os.W_OK):
        raise ValueError(f"{place} cannot be written to")
    if path.is_file():
        with path.open("rb") as stream:
            head = stream.read(_SIGNS_WITHIN)
        for kind, sign in _SIGNS_OF_KINDS.items():
            if sign in head:
                raise ValueError(f"is {kind}, which is not to be overwritten: choose another name")


def _check_end(path: Path, feed: Mapping[str, Any]) -> None:
    """Check that articles can be added to a file."""
    if feed["format"] in _CLOSED_FORMATS:
        raise ValueError(f"nothing can be added to a file in the format {feed['format']}: {_OTHER_NAME}")
    if "x".encode(feed["encoding"]) != b"x":
        raise ValueError(f"nothing can be added to a file in {feed['encoding']}: {_OTHER_NAME}")
    for plugin in feed.get("postprocessing", ()):
        name = plugin if isinstance(plugin, str) else plugin.__name__
        if (opener := _OPENERS.get(name.rpartition(".")[2])) and not _is_whole(path, opener):
            raise ValueError(f"nothing can be added, since the end of the file is missing: {_OTHER_NAME}")


def _is_whole(path: Path, opener: Callable[[Path], Any]) -> bool:
    """Return whether a compressed file can be read to its end. Cost: reading it."""
    try:
        with opener(path) as stream:
            while stream.read(_CHUNK_SIZE):
                pass
    except (OSError, EOFError, zlib.error, lzma.LZMAError):
        return False
    return True


@contextmanager
def _refusals(uri: str) -> Iterator[None]:
    """Refuse a feed with which the exporter cannot work, by the reason that it logs."""
    errors = _Errors()
    logger = logging.getLogger(FeedExporter.__module__)
    logger.addFilter(errors)
    try:
        yield
    except Exception as error:
        reason = " ".join(errors.lines) or str(error) or type(error).__name__
        raise OptionError(setting_name("articles"), uri, reason) from None
    finally:
        logger.removeFilter(errors)


class _Errors(logging.Filter):
    """Keeps the errors of a logger out of the log, and remembers them."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is logged."""
        if record.levelno < logging.ERROR:
            return True
        self.lines.append(record.getMessage())
        return False


class _Scoped:
    """A crawler as the exporter of our own feeds sees it: with these feeds alone, and stats of ours.

    The exporter's signals reach nobody, since the project's handlers expect only the project's feeds.
    """

    def __init__(self, crawler: Crawler, feeds: Mapping[str, Any]) -> None:
        self._crawler = crawler
        self.settings = Settings(dict(crawler.settings))
        self.settings.set("FEEDS", dict(feeds), priority="cmdline")
        self.settings.set("FEED_URI", None, priority="cmdline")
        self.settings.set("FEED_EXPORTERS", feed_exporters(crawler.settings), priority="cmdline")
        self.stats = self
        self.signals = SignalManager(self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._crawler, name)

    def inc_value(self, key: str, number: int = 1, start: int = 0) -> None:
        """Raise a stat, under our own name."""
        count(self._crawler, "webstemmer/" + key, start + number)


_scoped: Callable[..., Any] = _Scoped  # the exporter takes it for a crawler


def _end_last_line(path: Path) -> None:
    """End the last line of a file that a killed crawl has left, so that nothing is added to it."""
    try:
        with path.open("r+b") as stream:
            stream.seek(-1, os.SEEK_END)
            if stream.read(1) != b"\n":
                stream.write(b"\n")
    except OSError:  # there is no such file, or it is empty
        return


def flush_feeds(exporters: Sequence[FeedExporter]) -> bool:
    """Bring all that was given to feeds onto the disk, if the feeds are such that this can be done.

    :returns: whether every item and article so far is safe.
    """
    slots = [slot for exporter in exporters for slot in exporter.slots]
    if not all(map(is_by_lines, slots)):
        return False
    for slot in slots:
        if not slot.itemcount:
            continue
        try:
            file: Any = slot.file
            file.flush()
            os.fsync(file.fileno())
        except (OSError, ValueError, AttributeError):  # the disk is full, or the file is a compressed one
            return False
    return True
