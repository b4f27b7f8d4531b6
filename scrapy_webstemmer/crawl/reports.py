"""Count a crawl's stats and lines of log under ``webstemmer/``, and report pages and settings that failed."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.utils.defer import maybe_deferred_to_future
from scrapy.utils.log import LogCounterHandler
from twisted.logger import globalLogBeginner

from ..errors import LimitError, OptionError, PageError, WebstemmerError

logger = logging.getLogger(__name__)

#: The attribute of a crawler with what its crawl has counted. The stats may keep nothing, or also what other
#: crawls have counted; what we say must be true all the same.
_COUNTS = "webstemmer_counts"
#: The attribute of a crawler with the first failure of each stat.
_FAILURES = "webstemmer_failures"
#: The attribute of a crawler with what counts our lines of its log.
_LINE_COUNTERS = "webstemmer_line_counters"

_Params = ParamSpec("_Params")
_Result = TypeVar("_Result")


def log_of(crawler: Crawler, logger: logging.Logger) -> logging.LoggerAdapter[logging.Logger]:
    """Return a logger whose lines name the spider of a crawl."""
    return logging.LoggerAdapter(logger, {"spider": crawler.spider})


def count(crawler: Crawler, key: str, number: int = 1) -> None:
    """Add a number to one of the crawl's stats."""
    vars(crawler).setdefault(_COUNTS, Counter())[key] += number
    if crawler.stats:
        crawler.stats.inc_value(key, number)


def counted(crawler: Crawler) -> Mapping[str, int]:
    """Return what this crawl has counted, whatever its stats collector keeps of it."""
    counts: Mapping[str, int] = vars(crawler).get(_COUNTS, {})
    return counts


def count_for_level(crawler: Crawler, key: str, level: int) -> int:
    """Count a failure, and return the level at which to log it: a later one of its kind is for debugging."""
    count(crawler, key)
    return level if counted(crawler)[key] == 1 else logging.DEBUG


def first_failure(crawler: Crawler, key: str) -> str:
    """Return the url and the reason of the first failure that was counted in a stat; empty: there is none."""
    return str(vars(crawler).get(_FAILURES, {}).get(key, ""))


def report_failure(crawler: Crawler, key: str, url: str, error: Exception) -> None:
    """Count and log the failure of a page; an unexpected error is logged with its traceback.

    :param key: the stat to count in; its last part is the verb of the log message. A LimitError is counted in
        the stat of its limit instead.
    """
    count(crawler, f"webstemmer/limits/{error.limit}" if isinstance(error, LimitError) else key)
    task = key.rpartition("/")[2]
    level = logging.WARNING if isinstance(error, PageError) else logging.ERROR
    # the message of a page's error begins with its url
    reason = error.reason if isinstance(error, PageError) and error.url == url else error
    vars(crawler).setdefault(_FAILURES, {}).setdefault(key, f"{url}: {reason}")
    trace = None if isinstance(error, WebstemmerError | OSError) else error  # these say what is wrong
    log_of(crawler, logger).log(level, "Cannot %s %s: %s", task, url, reason, exc_info=trace)


def reason_of(error: BaseException | None) -> str:
    """Return why nothing came of a request, in words."""
    cause = error  # with newer Scrapy, the error that has the reasons is the cause of another one
    while cause is not None and not getattr(cause, "reasons", None):
        cause = cause.__cause__
    inner = ", ".join(filter(None, (str(reason.value) for reason in getattr(cause, "reasons", ()))))
    return inner or str(error) or type(error).__name__


async def send(crawler: Crawler, signal: object, **values: Any) -> None:
    """Send a signal, and wait for the handlers."""
    if hasattr(crawler.signals, "send_catch_log_async"):  # from Scrapy 2.14 on
        await crawler.signals.send_catch_log_async(signal, **values)
    else:
        await maybe_deferred_to_future(crawler.signals.send_catch_log_deferred(signal, **values))


def said_in_a_line(make: Callable[_Params, _Result]) -> Callable[_Params, _Result]:
    """Let a function that begins a crawl say in one line which setting is wrong, if it raises OptionError.

    Scrapy does not catch the error, so asyncio or Twisted would log it with twenty lines of traceback, the
    reason in the last of them. These records are left out.
    """

    @wraps(make)
    def saying(*args: _Params.args, **kwargs: _Params.kwargs) -> _Result:
        try:
            return make(*args, **kwargs)
        except OptionError as error:
            if not getattr(error, _SAID, False):
                setattr(error, _SAID, True)
                logger.error("The crawl does not begin: %s", error)
                _leave_out_tracebacks()
            raise

    return saying


#: Marks an error that the log has.
_SAID = "_is_said"


#: What Twisted says in a line of its own before the traceback of an error that nobody has taken.
_UNHANDLED = "Unhandled error in Deferred:"


class _NotSaid(logging.Filter):
    """Leaves out what Twisted and asyncio say about an error that the log has already.

    :ivar refused: number of these errors whose heading has not come yet.
    """

    refused = 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record says something new."""
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if self.refused and record.name == "twisted" and record.getMessage() == _UNHANDLED:
            self.refused -= 1
            return False
        return not getattr(error, _SAID, False)


_not_said = _NotSaid()


def _leave_out_tracebacks() -> None:
    """Let the tracebacks of a refused crawl be left out."""
    if _not_said not in logging.getLogger("twisted").filters:
        for name in ("asyncio", "twisted"):
            logging.getLogger(name).addFilter(_not_said)
        # Until a program says where Twisted logs to, its severe errors go to standard error, past the log.
        globalLogBeginner.beginLoggingTo([], discardBuffer=True, redirectStandardIO=False)
    _not_said.refused += 1


def _is_ours(record: logging.LogRecord) -> bool:
    return record.name.startswith(f"{__name__.partition('.')[0]}.")


class OwnLines(logging.Filter):
    """Count our lines of a crawl under ``webstemmer/log_count/`` instead of ``log_count/``.

    A project may stop or report a crawl that has too many warnings, and these must be its own. Errors are the
    exception: they stay where others are counted, so that no monitor misses them.

    It exists as long as the crawler.

    :param is_ours: tells our lines from those of others.
    """

    def __init__(self, crawler: Crawler, is_ours: Callable[[logging.LogRecord], bool] = _is_ours) -> None:
        super().__init__()
        self.crawler, self.is_ours = crawler, is_ours
        # signals hold their handlers by weak references
        vars(crawler).setdefault(_LINE_COUNTERS, []).append(self)
        self._join_counters()  # Scrapy 2.13 counts from the beginning, later versions from spider_opened on
        crawler.signals.connect(self._join_counters, signals.spider_opened)

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether Scrapy counts a line."""
        if record.levelno >= logging.ERROR or not self.is_ours(record):
            return True
        count(self.crawler, f"webstemmer/log_count/{record.levelname}")
        return False

    def _join_counters(self) -> None:
        for handler in logging.root.handlers:
            if isinstance(handler, LogCounterHandler) and handler.crawler is self.crawler:
                handler.addFilter(self)
