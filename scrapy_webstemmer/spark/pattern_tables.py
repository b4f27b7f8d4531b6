"""Patterns as rows of a table, and a table as patterns."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame

from ..errors import PatternFileError
from ..pattern_files.pattern_file import VERSION, PatternSet
from ..patterns.corrections import corrected_again
from ..values import SitePatterns
from .tables import PATTERNS, Row, Values, mapped

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

logger = logging.getLogger(__name__)


def pattern_bytes(site: SitePatterns) -> bytes:
    """Return a pattern file of one site."""
    file = io.BytesIO()
    PatternSet({site.site: site}).save(file)
    return file.getvalue()


def pattern_row(site: SitePatterns) -> tuple[Any, ...]:
    """Return the row of a site."""
    return site.site, site.pages, VERSION, pattern_bytes(site)


def pattern_set(patterns: DataFrame) -> PatternSet:
    """Return all patterns of a table, for ``PatternSet.save`` or ``api.extract``. They fit into memory."""
    files = {row.site: bytes(row.patterns) for row in patterns.select("site", "patterns").collect()}
    return PatternSet({name: PatternSet.loads(files[name]).sites[name] for name in sorted(files)})


def pattern_table(spark: SparkSession, patterns: PatternSet) -> DataFrame:
    """Return the table of a pattern set."""
    return spark.createDataFrame([pattern_row(site) for site in patterns.sites.values()], PATTERNS)


def with_corrections(patterns: DataFrame, before: DataFrame) -> DataFrame:
    """Return patterns that were learned anew, with the corrections that their sites have in another table."""
    old = before.selectExpr("site", "patterns as before")
    return mapped(patterns.join(old, "site", "left"), _corrected, PATTERNS)


def _corrected(rows: Iterator[Row]) -> Values:
    for row in rows:
        name, before = row["site"], row["before"]
        try:
            old = PatternSet.loads(before).sites if before else {}
        except PatternFileError as error:
            logger.warning("corrections in the old patterns are lost: %s", error)
            old = {}
        if any(site.corrections for site in old.values()):
            yield pattern_row(corrected_again(PatternSet.loads(row["patterns"]).sites, old)[name])
        else:
            yield name, row["pages"], row["version"], row["patterns"]
