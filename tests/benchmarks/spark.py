#!/usr/bin/env python3
"""Measure learning and extraction on Spark: pages a second, overhead, growth, and the memory of a worker.

    spark.py --folder FOLDER [--pages 20000 200000] [--workers 1 2]
    spark.py --compare CORPUS...

The pages are generated, of a site for each hundred of them; one site has half of all pages. They are stored
as Parquet in the folder, once. Each number of pages and of workers is measured in a process of its own, with
`local[workers]`: JVM, Python workers and the driver share this machine. Besides, some pages are extracted
without Spark, as `scrapy extract` does it: in one process, and in as many as there are workers, side by side,
which is what the machine itself gives.

With --compare nothing is measured: the pages of corpora (folders with gold.jsonl, or .tar.xz of them) are
written into WARC files, and patterns and articles must be the same bytes as without Spark.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from speed_site import HOST, site_page

from scrapy_webstemmer import ExtractOptions, PageError, PatternSet, extract, learn
from scrapy_webstemmer.values import Page

#: A site for so many pages.
_PAGES_A_SITE = 100
#: In so many tasks the pages are read; a crawl has a task for each of its files.
_PARTS = 12
#: So many pages are extracted without Spark.
_PLAIN = 4_000


def page_of(number: int, pages: int) -> Page:
    """Return a generated page. Every second one is of the same site."""
    sites = pages // _PAGES_A_SITE
    name = "large" if number % 2 else f"site{number // 2 % (sites - 1)}"
    found = site_page(number)
    host = f"{name}.example"
    return Page(found.url.replace(HOST, host), found.body.replace(HOST.encode(), host.encode()))


def session(workers: int) -> Any:
    """Return a session with so many workers on this machine."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = str(Path(__file__).parent)  # workers make pages
    found = (
        SparkSession.builder.master(f"local[{workers}]")
        .config("spark.driver.memory", "4g")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "32")
        .getOrCreate()
    )
    found.sparkContext.setLogLevel("OFF")
    return found


def make(folder: Path, pages: int) -> None:
    """Store generated pages as Parquet."""
    import pyarrow

    def rows(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            numbers = batch.column(0).to_pylist()
            for at in range(0, len(numbers), 100):
                some = [page_of(number, pages) for number in numbers[at : at + 100]]
                columns = [
                    pyarrow.array([one.url for one in some]),
                    pyarrow.array([one.body for one in some]),
                ]
                yield pyarrow.RecordBatch.from_arrays(columns, names=["url", "body"])

    spark = session(2)
    table = spark.range(0, pages, numPartitions=64).mapInArrow(rows, "url string, body binary")
    table.write.mode("overwrite").parquet(str(folder / f"{pages}.parquet"))


def memory_of_workers() -> int:
    """Return the resident memory of the largest Python worker that runs now, in MiB."""
    largest = 0
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if b"pyspark.daemon" in (path / "cmdline").read_bytes():
                pages = int((path / "statm").read_text().split()[1])
                largest = max(largest, pages * os.sysconf("SC_PAGE_SIZE") >> 20)
        except OSError:
            continue
    return largest


def measure(folder: Path, pages: int, workers: int) -> dict[str, float]:
    """Return the seconds of learning and of extraction, and the memory of a worker in MiB."""
    from scrapy_webstemmer.spark import extract_articles, learn_sites

    spark = session(workers)
    stored = folder / f"{pages}.parquet"
    size = sum(path.stat().st_size for path in stored.glob("*.parquet"))
    spark.conf.set("spark.sql.files.maxPartitionBytes", str(size // _PARTS + 1))
    spark.conf.set("spark.sql.files.openCostInBytes", "0")
    table = spark.read.parquet(str(stored))
    table.limit(10).mapInArrow(lambda batches: batches, table.schema).collect()  # starts all processes
    peaks, ended = [0, 0], threading.Event()

    def watch() -> None:
        while not ended.wait(0.5):
            peaks[-1] = max(peaks[-1], memory_of_workers())

    threading.Thread(target=watch, daemon=True).start()
    begin = time.monotonic()
    learned = str(folder / f"{pages}-{workers}.patterns")
    learn_sites(table).write.mode("overwrite").parquet(learned)
    middle = time.monotonic()
    peaks.append(0)
    results = extract_articles(table, spark.read.parquet(learned))
    results.write.mode("overwrite").parquet(str(folder / f"{pages}-{workers}.results"))
    end = time.monotonic()
    ended.set()
    number = (
        spark.read.parquet(str(folder / f"{pages}-{workers}.results")).where("article is not null").count()
    )
    seconds = {"learning": middle - begin, "extraction": end - middle}
    return {**seconds, "learning_memory": max(peaks[:-1]), "extraction_memory": peaks[-1], "articles": number}


def plain(folder: Path, pages: int, workers: list[int]) -> list[float]:
    """Return the pages a second that processes extract without Spark: one alone, and several together."""
    from scrapy_webstemmer.spark import pattern_set

    spark = session(1)
    patterns = pattern_set(spark.read.parquet(str(folder / f"{pages}-{workers[0]}.patterns")))
    spark.stop()
    return [sum(rates_of(pages, patterns, number)) for number in (1, max(workers))]


def rates_of(pages: int, patterns: PatternSet, processes: int) -> list[float]:
    """Return the pages a second of each of several processes that extract at the same time."""
    context = multiprocessing.get_context("fork")
    ready, found = context.Barrier(processes), context.SimpleQueue()

    def work(first: int) -> None:
        some = [page_of(number, pages) for number in range(first, first + _PLAIN)]
        ready.wait()
        begin = time.monotonic()
        for page in some:
            line_of(page, patterns)
        found.put(_PLAIN / (time.monotonic() - begin))

    running = [context.Process(target=work, args=(_PLAIN * number,)) for number in range(processes)]
    for process in running:
        process.start()
    rates = [found.get() for _ in running]
    for process in running:
        process.join()
    return rates


def in_a_process(*arguments: str) -> Any:
    """Return what this file prints with other arguments."""
    command = [sys.executable, __file__, *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def report(folder: Path, sizes: list[int], workers: list[int]) -> None:
    """Measure all numbers of pages and workers, and print the figures."""
    found: dict[tuple[int, int], dict[str, float]] = {}
    print(
        "| pages | workers | learning, pages/s | extraction, pages/s | memory of a worker, MiB | articles |"
    )
    print("|--:|--:|--:|--:|--:|--:|", flush=True)
    for pages in sizes:
        if not (folder / f"{pages}.parquet" / "_SUCCESS").exists():
            in_a_process("--folder", str(folder), "--make", str(pages))
        for number in workers:
            one = in_a_process("--folder", str(folder), "--one", str(pages), str(number))
            found[pages, number] = one
            rates = " | ".join(f"{pages / one[what]:,.0f}" for what in ("learning", "extraction"))
            memory = f"{one['learning_memory']:,}, {one['extraction_memory']:,}"
            print(f"| {pages:,} | {number} | {rates} | {memory} | {one['articles']:,} |", flush=True)
    few, many = min(sizes), max(sizes)
    rate, together = in_a_process("--folder", str(folder), "--plain", str(few), *map(str, workers))
    print(f"one process without Spark: extraction {rate:,.0f} pages/s")
    print(f"{max(workers)} processes without Spark are {together / rate:.2f} times as fast as one")
    for what in ("learning", "extraction"):
        for pages in sizes:
            times = [found[pages, number][what] for number in workers]
            print(
                f"{what}, {pages:,} pages: {workers[-1]} workers are {times[0] / times[-1]:.2f} times as fast"
            )
        if few != many:
            exponent = math.log(found[many, workers[-1]][what] / found[few, workers[-1]][what])
            print(f"{what}: time grows with pages to the power of {exponent / math.log(many / few):.2f}")
    for pages in sizes:
        overhead = rate / (pages / found[pages, 1]["extraction"]) if 1 in workers else math.nan
        print(f"{pages:,} pages: one worker takes {overhead:.2f} times as long as a process without Spark")


# --- The same as without Spark


def compare(corpora: list[Path], pages: int) -> bool:
    """Return whether patterns and articles of corpora are the same bytes with and without Spark."""
    from fields import halves
    from fields import page_of as page_in

    from scrapy_webstemmer.spark import extract_articles, learn_sites, pattern_bytes, read_warcs
    from scrapy_webstemmer.storage.warc import WarcFile

    with TemporaryDirectory() as name:
        paths = []
        for corpus in corpora:
            if corpus.is_file():
                with tarfile.open(corpus) as archive:
                    archive.extractall(name, filter="data")
                corpus = Path(name) / corpus.name.partition(".tar")[0]
            first, second = halves(corpus)
            paths.append(f"{name}/{corpus.name}.warc.gz")
            write_warc(Path(paths[-1]), [page_in(corpus, row) for row in [*first, *second][:pages]])
        every = [page for path in paths for page in WarcFile(path)]
        expected = learn(every)
        lines = sorted(filter(None, (line_of(page, expected) for page in every)))
        stored = read_warcs(session(2), paths)
        patterns = learn_sites(stored).cache()
        given = {row.site: bytes(row.patterns) for row in patterns.collect()}
        same = given == {name: pattern_bytes(site) for name, site in expected.sites.items()}
        results = extract_articles(stored, patterns).where("article is not null").collect()
        same_lines = sorted(row.article for row in results) == lines
    words = {True: "the same bytes", False: "NOT THE SAME"}
    print(f"{len(every):,} pages of {len(expected.sites)} sites: patterns {words[same]}")
    print(f"{len(lines):,} articles: {words[same_lines]}")
    return same and same_lines


def line_of(page: Page, patterns: Any) -> str:
    """Return the line of a page's article; empty: it has none."""
    try:
        article = extract(page, patterns, ExtractOptions())
    except PageError:
        return ""
    return "" if article is None else json.dumps(article.to_dict(), ensure_ascii=False)


def write_warc(path: Path, pages: list[Page]) -> None:
    """Write pages as responses."""
    from io import BytesIO

    from warcio.statusandheaders import StatusAndHeaders  # type: ignore[import-untyped]
    from warcio.warcwriter import WARCWriter  # type: ignore[import-untyped]

    with path.open("wb") as stream:
        writer = WARCWriter(stream, gzip=True)
        for page in pages:
            kind = f"text/html; charset={page.encoding}" if page.encoding else "text/html"
            http = StatusAndHeaders("200 OK", [("Content-Type", kind)], protocol="HTTP/1.1")
            dated = {"WARC-Date": page.fetched or "2026-11-24T09:00:00Z"}
            body = BytesIO(page.body)
            writer.write_record(
                writer.create_warc_record(
                    page.url, "response", payload=body, http_headers=http, warc_headers_dict=dated
                )
            )


def main() -> None:
    """Do what the arguments say."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--pages", type=int, nargs="+", default=[20_000, 200_000])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--compare", type=Path, nargs="+", metavar="CORPUS")
    parser.add_argument("--of-each", type=int, default=60, help="pages of each corpus with --compare")
    parser.add_argument("--make", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--one", type=int, nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--plain", type=int, nargs="+", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.compare:
        sys.exit(not compare(args.compare, args.of_each))
    if args.folder is None:
        parser.error("--folder is missing")
    args.folder.mkdir(parents=True, exist_ok=True)
    if args.make:
        make(args.folder, args.make)
        print("true")
    elif args.one:
        print(json.dumps(measure(args.folder, *args.one)))
    elif args.plain:
        print(json.dumps(plain(args.folder, args.plain[0], args.plain[1:])))
    else:
        report(args.folder, args.pages, args.workers)


if __name__ == "__main__":
    main()
