"""A Spark job whose results are stored group by group of its files.

Inputs are read a group of files at a time, and what a group gives is stored before the next one begins. A job
that is started again goes on behind the groups that are done.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from pathlib import Path
from typing import Any

import pyarrow
from pyspark.sql import DataFrame, SparkSession, functions

from ..base.terminal import printable, say
from ..commands.arguments import CommandError
from ..crawl.parquet import article_types
from ..errors import WebstemmerError, plural
from ..options import ExtractOptions, LearnOptions, Limits
from ..pattern_files.pattern_file import VERSION, PatternSet
from .learned_sites import PROBLEM, links_of, patterns_of, readings_of, samples_in, samples_of
from .page_tables import read_linkinfo, read_pages
from .site_articles import drift_of, extract_articles
from .tables import PATTERNS, pattern_set, pattern_table, with_corrections

#: So many problems are named, and so many sites that have changed.
_MOST_NAMED = 20
_LIMITS = Limits()


class Job:
    """A job whose results are stored group by group."""

    def __init__(self, spark: SparkSession, paths: Sequence[str], opts: argparse.Namespace) -> None:
        self._spark, self._opts = spark, opts
        size = max(1, opts.files)
        self._groups = [paths[at : at + size] for at in range(0, len(paths), size)]

    def learn(self, options: LearnOptions) -> Iterator[str]:
        """Learn, and yield the lines of the summary."""
        target = self._opts.patterns
        paths = [path for group in self._groups for path in group]
        work = f"{target}.work/{_digest(options, paths)}"  # other files would change the samples
        samples = self._stored(f"{work}/samples", lambda: samples_of(read_pages(self._spark, paths), options))
        linkinfo = self._stored(f"{work}/linkinfo", lambda: read_linkinfo(self._spark, paths))
        drawn = samples_in(samples)
        is_recorded = not linkinfo.isEmpty()
        readings = self._in_groups(
            work, lambda pages: readings_of(pages, drawn, options, anchors=not is_recorded)
        )
        if is_recorded:
            readings = readings.union(links_of(linkinfo, drawn, options))
        learned = patterns_of(readings, drawn, options)
        patterns = self._written(f"{work}/patterns", self._corrected(learned))
        sites, pages = patterns.agg(functions.count("*"), functions.sum("pages")).collect()[0]
        problems = readings.where(f"kind = {PROBLEM}").select("key", functions.decode("value", "utf-8"))
        named = [*self._named(problems.distinct())]
        if not pages:
            yield from named
            self._remove(f"{target}.work")
            raise CommandError(f"no page could be read, and {target} was not written")
        if target.endswith((".json", ".sqlite", ".sqlite3", ".db")):
            pattern_set(patterns).save(target)
        else:
            patterns.write.mode("overwrite").parquet(target)
        yield f"learned {plural(sites, 'site')} from {plural(pages, 'page')}: {target}"
        yield from named
        self._remove(f"{target}.work")

    def extract(self, options: ExtractOptions) -> Iterator[str]:
        """Extract, and yield the lines of the summary."""
        patterns, output = self._patterns(options.limits), self._opts.output
        content = patterns.agg(functions.bit_xor(functions.xxhash64("site", "patterns"))).collect()[0][0]
        work = f"{output}/results/{_digest(options, content)}"
        results = self._in_groups(work, lambda pages: extract_articles(pages, patterns, options))
        pages = results.where("url is not null").count()
        if not pages:
            yield from self._named(results.select("reason"))
            self._remove(work)
            raise CommandError(f"no page could be read, and {output} was not written")
        articles = results.where("article is not null").select("article")
        if self._opts.format == "jsonl":
            articles.write.mode("overwrite").text(f"{output}/articles")
        else:
            table = pyarrow.schema([*article_types(pyarrow).items()]).empty_table()
            schema = self._spark.createDataFrame(table).schema
            columns = functions.from_json("article", schema).alias("article")
            articles.select(columns).select("article.*").write.mode("overwrite").parquet(f"{output}/articles")
        left = results.where("article is null and url is not null").groupBy("site", "reason")
        counts = left.agg(functions.count("*").alias("pages"), functions.min("url").alias("example"))
        left_over = self._written(f"{output}/left_over", counts)
        drift = self._written(f"{output}/drift", drift_of(results, patterns))
        broken = results.where("url is null and site is null").select("reason")
        problems = self._written(f"{output}/problems", broken)
        yield f"{plural(pages, 'page')}: {plural(articles.count(), 'article')} in {output}/articles"
        totals = left_over.groupBy("reason").agg(functions.sum("pages").alias("pages"))
        for row in totals.orderBy(functions.desc("pages")).collect():
            yield f"{plural(row.pages, 'page')}: {printable(row.reason)}"
        for row in drift.orderBy("site").limit(_MOST_NAMED).collect():
            yield printable(f"warning: {row.site} has changed since it was learned: {row.change}")
        yield from self._named(problems)

    def _corrected(self, patterns: DataFrame) -> DataFrame:
        """Return patterns with the corrections in those that they replace, as `scrapy analyze` keeps them."""
        try:
            if self._is_there(self._opts.patterns):
                return with_corrections(patterns, self._patterns())
        except WebstemmerError as error:
            say(sys.stderr, printable(f"warning: corrections in the old patterns are lost: {error}"))
        return patterns

    def _patterns(self, limits: Limits = _LIMITS) -> DataFrame:
        name = self._opts.patterns
        if "://" not in name and Path(name).is_file():
            return pattern_table(self._spark, PatternSet.load(name, limits))
        if not self._is_there(name):
            raise CommandError(f"{name}: there is no such table of patterns")
        table = self._spark.read.parquet(name)
        columns = [column.split()[0] for column in PATTERNS.split(", ")]
        if missing := [column for column in columns if column not in table.columns]:
            raise CommandError(f"{name}: is no table of patterns: it has no column {missing[0]}")
        versions = {row.version for row in table.select("version").distinct().collect()} - {VERSION}
        if versions:
            raise CommandError(f"{name}: has version {min(versions)}; this release reads version {VERSION}")
        return table.select(*columns)

    def _named(self, problems: DataFrame) -> Iterator[str]:
        """Yield lines that name what could not be read."""
        if count := problems.count():
            yield f"{plural(count, 'record')} could not be read"
            yield from (f"  {printable(row[-1])}" for row in problems.limit(_MOST_NAMED).collect())

    def _in_groups(self, folder: str, make: Callable[[DataFrame], DataFrame]) -> DataFrame:
        """Return what is made of the pages of all groups, each stored when it is done."""
        tables = []
        for number, group in enumerate(self._groups, 1):
            path = f"{folder}/{_digest(group)}"
            state = "is done already" if self._is_stored(path) else "begins"
            say(sys.stderr, f"group {number:,} of {len(self._groups):,}: {state}")
            tables.append(self._stored(path, partial(self._made, make, group)))
        return reduce(DataFrame.unionByName, tables)

    def _made(self, make: Callable[[DataFrame], DataFrame], group: Sequence[str]) -> DataFrame:
        return make(read_pages(self._spark, group))

    def _stored(self, path: str, make: Callable[[], DataFrame]) -> DataFrame:
        """Return a table that is made and stored, unless it was stored before."""
        return self._spark.read.parquet(path) if self._is_stored(path) else self._written(path, make())

    def _is_stored(self, path: str) -> bool:
        return self._is_there(f"{path}/_SUCCESS")

    def _written(self, path: str, table: DataFrame) -> DataFrame:
        """Return a table as it is stored."""
        table.write.mode("overwrite").parquet(path)
        return self._spark.read.parquet(path)

    def _is_there(self, path: str) -> bool:
        file_system, target = self._path(path)
        return bool(file_system.exists(target))

    def _remove(self, path: str) -> None:
        file_system, target = self._path(path)
        file_system.delete(target, True)

    def _path(self, path: str) -> tuple[Any, Any]:
        """Return a path's file system and the path, as Spark itself sees them."""
        jvm: Any = self._spark.sparkContext._jvm
        target = jvm.org.apache.hadoop.fs.Path(path)
        return target.getFileSystem(self._spark.sparkContext._jsc.hadoopConfiguration()), target


def _digest(*values: object) -> str:
    return hashlib.sha256(repr(values).encode("utf-8", "replace")).hexdigest()[:16]
