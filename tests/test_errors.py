"""Errors carry their evidence, also from one process to another."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from scrapy_webstemmer import ExtractOptions, Page, PatternSet, errors, extract
from scrapy_webstemmer.commands.arguments import CommandError
from scrapy_webstemmer.crawl.own_feeds import InUseError
from scrapy_webstemmer.errors import (
    LearningSetError,
    LimitError,
    OptionError,
    PageError,
    PatternFileError,
    RecordError,
    SlowExpressionError,
    UrlDbError,
    WebstemmerError,
    WorkerError,
)
from scrapy_webstemmer.review.reviewed import StaleError

URL = "https://news.example.com/a"


def busy() -> UrlDbError:
    """Return an error with an attribute that is set after it is made."""
    error = UrlDbError("seen.urldb", "is in use", "row 3")
    error.busy = True
    return error


EXAMPLES = [
    CommandError("nothing to do"),
    InUseError("WEBSTEMMER_ARTICLES", "a.csv", "another crawl is writing it"),
    LearningSetError("news.db", "is not a database"),
    LearningSetError("news.zip", "is damaged", "a.html"),
    LimitError(URL, "depth", "is too deep"),
    OptionError("site", ["x"], "must be 'domain' or 'host'"),
    PageError(URL, "is a picture"),
    PatternFileError("news.pat", "is not JSON", 7),
    RecordError("news.db", "is locked"),
    SlowExpressionError(URL, "(a*)*"),
    StaleError("this layout"),
    WebstemmerError("something is wrong"),
    WorkerError("a worker process has died"),
    busy(),
]


def kinds(root: type[WebstemmerError]) -> set[type[WebstemmerError]]:
    """Return a class of errors and all its subclasses in the package, but not those that tests define."""
    ours = (kind for kind in root.__subclasses__() if kind.__module__.startswith("scrapy_webstemmer."))
    return {root}.union(*map(kinds, ours))


def test_each_class_has_an_example() -> None:
    """The tests below look at every class of errors that the package has."""
    assert {type(error) for error in EXAMPLES} == kinds(WebstemmerError)
    ours = {kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)}
    assert kinds(WebstemmerError) >= ours


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_errors_can_be_pickled(error: WebstemmerError, protocol: int) -> None:
    """A pickled error has the type, the message and the attributes of the original."""
    found = pickle.loads(pickle.dumps(error, protocol))
    assert type(found) is type(error)
    assert (str(found), found.args, vars(found)) == (str(error), error.args, vars(error))


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_errors_can_be_copied(error: WebstemmerError) -> None:
    """A copy of an error is another error with the same message and attributes."""
    found = copy.copy(error)
    assert found is not error
    assert (type(found), str(found), vars(found)) == (type(error), str(error), vars(error))


def test_an_error_comes_from_a_process_pool() -> None:
    """A user's pool of processes gives a page's error as it was raised, and goes on with the next page."""
    options = ExtractOptions(fallback=True)
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        for url in (URL, URL + "2"):
            page = Page(url, b"\x89PNG\r\n\x1a\n")
            with pytest.raises(PageError) as caught:
                pool.submit(extract, page, PatternSet({}), options).result()
            assert (type(caught.value), caught.value.url) == (PageError, url)
            assert caught.value.reason in str(caught.value)
