"""A Spark session for the tests, and WARC files of generated pages."""

from __future__ import annotations

import gzip
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from scrapy_webstemmer import Page

#: Spark lives for some minutes here: what Java's best compiler makes would hardly be used.
QUICK = {
    "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "PYSPARK_SUBMIT_ARGS": (
        "--conf spark.ui.enabled=false --conf spark.sql.shuffle.partitions=4 pyspark-shell"
    ),
}


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Start Spark with two workers; skip the test if it is not there, or fail if it is required."""
    needs = {
        "pyspark": find_spec("pyspark"),
        "Java": "JAVA_HOME" in os.environ or shutil.which("java"),
    }
    if missing := [name for name, found in needs.items() if not found]:
        reason = f"not installed: {', '.join(missing)}"
        if os.environ.get("WEBSTEMMER_SPARK_TESTS") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    # other tests keep the model of languages out of processes; these must give the same as this one
    path = os.environ.pop("PYTHONPATH", None)
    os.environ.update(QUICK)
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2, 4]")  # a task may fail three times
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
    if path is not None:
        os.environ["PYTHONPATH"] = path


@pytest.fixture
def write_warc(tmp_path: Path) -> Callable[..., str]:
    """Return a function that writes pages into a WARC file, each in a gzip member of its own."""

    def write(name: str, pages: Iterable[Page], damage: bytes = b"") -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(gzip.compress(record(page)) for page in pages) + damage)
        return str(path)

    return write


def record(page: Page) -> bytes:
    """Return the WARC record of a response."""
    kind = f"text/html; charset={page.encoding}" if page.encoding else "text/html"
    http = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n".encode() + page.body
    date = page.fetched or "2026-11-24T09:00:00Z"
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {page.url}\r\nWARC-Date: {date}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return head.encode() + http + b"\r\n\r\n"
