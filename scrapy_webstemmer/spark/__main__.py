"""Learn and extract as a Spark job: ``python -m scrapy_webstemmer.spark``, or ``spark-submit`` on this file.

Imports are absolute for ``spark-submit``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from py4j.protocol import Py4JJavaError
from pyspark import SparkConf
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from scrapy.exceptions import UsageError
from scrapy.settings import Settings

from scrapy_webstemmer.base.terminal import printable, say
from scrapy_webstemmer.commands.arguments import (
    EXTRACT,
    LEARN,
    CommandError,
    add_arguments,
    extract_options,
    learn_options,
)
from scrapy_webstemmer.errors import WebstemmerError
from scrapy_webstemmer.options import ExtractOptions, LearnOptions
from scrapy_webstemmer.spark.job import Job
from scrapy_webstemmer.spark.page_tables import paths_in

#: So many files are read before what they give is stored.
_FILES_AT_ONCE = 256


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what a command line says; return the exit status."""
    parser = _parser()
    opts = parser.parse_args(arguments)
    try:
        options = (learn_options if opts.action == "learn" else extract_options)(opts, Settings())
        _check_folder(opts.patterns if opts.action == "learn" else opts.output)
        paths = [path for name in opts.inputs for path in paths_in(name, opts.prefix)]
        with _session(opts.master) as spark:
            _work(spark, paths, opts, options)
    except UsageError as error:
        parser.error(str(error))
    except WebstemmerError as error:
        say(sys.stderr, printable(f"error: {error}"))
        return 1
    return 0


def _work(
    spark: SparkSession,
    paths: Sequence[str],
    opts: argparse.Namespace,
    options: LearnOptions | ExtractOptions,
) -> None:
    """Do the job, and print its summary. Raises CommandError with what Spark says in its first line."""
    job = Job(spark, paths, opts)
    try:
        for line in job.learn(options) if isinstance(options, LearnOptions) else job.extract(options):
            say(sys.stdout, line)
    except Py4JJavaError as error:
        raise CommandError(_first_line(error.java_exception.toString())) from error
    except PySparkException as error:
        raise CommandError(_first_line(str(error))) from error


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0]


def _check_folder(name: str) -> None:
    """Refuse a folder that Spark would write, and then not find. Raises UsageError."""
    if any(sign in name for sign in "[]{}*?\\"):
        raise UsageError(f"{name}: Spark would read []{{}}*?\\ in the name of a folder as a pattern")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m scrapy_webstemmer.spark", description=__doc__.partition("\n")[0]
    )
    actions = parser.add_subparsers(dest="action", required=True)
    for action, table, what in (
        ("learn", LEARN, "learn the patterns of all sites, and write them as a table"),
        ("extract", EXTRACT, "extract the articles of all pages"),
    ):
        command = actions.add_parser(action, help=what)
        command.add_argument(
            "inputs",
            nargs="+",
            metavar="INPUT",
            help="WARC files: paths, globs, urls, or lists of them that end in .paths or .paths.gz; paths of"
            " whatever else `scrapy analyze` reads, such as learning sets; folders"
            " of Parquet files with the columns url and body that end in .parquet",
        )
        command.add_argument("--patterns", required=True, help="the table of patterns, or a pattern file")
        command.add_argument("--prefix", default="", help="put before each path of a list")
        command.add_argument("--master", help="where Spark runs, local[*] if nothing says otherwise")
        command.add_argument(
            "--files", type=int, default=_FILES_AT_ONCE, help="store results after so many files"
        )
        add_arguments(command, table)
        if action == "extract":
            command.add_argument("--output", required=True, help="the folder for what the pages give")
            command.add_argument(
                "--format", choices=("jsonl", "parquet"), default="jsonl", help="of the articles"
            )
    return parser


@contextmanager
def _session(master: str | None) -> Iterator[SparkSession]:
    """Give the session: one that runs already, else one that is stopped at the end."""
    if "JAVA_HOME" not in os.environ and shutil.which("java") is None:
        raise CommandError("Spark needs Java 17 or newer, and neither PATH nor JAVA_HOME leads to one")
    conf = SparkConf()
    if master or not conf.contains("spark.master"):
        conf.setMaster(master or "local[*]")
    if conf.get("spark.master", "").startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        conf.setIfMissing("spark.sql.shuffle.partitions", "16")
    conf.setIfMissing("spark.ui.showConsoleProgress", str(sys.stderr.isatty()).lower())
    running = SparkSession.getActiveSession()
    session = SparkSession.builder.config(conf=conf).appName("scrapy-webstemmer").getOrCreate()
    try:
        yield session
    finally:
        if running is None:
            session.stop()


if __name__ == "__main__":
    sys.exit(main())
