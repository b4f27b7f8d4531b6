"""Learn and extract on Apache Spark: many machines, WARC files on an object store. Needs the extra ``spark``.

    files -> read_warcs, read_linkinfo -> pages, linkinfo -> learn_sites -> patterns
                                          pages, patterns -> extract_articles -> results -> articles, drift_of

``python -m scrapy_webstemmer.spark`` does it as a job. Nothing is decided here: workers read pages as
``api.learn`` and ``api.extract`` do. Sites are independent, so the worker that learns a site gets
the readings of its sample, and never a body.
"""

from .learned_sites import learn_sites
from .page_tables import read_linkinfo, read_warcs
from .site_articles import RESULTS, drift_of, extract_articles
from .tables import LINKINFO, PAGES, PATTERNS, pattern_bytes, pattern_set, pattern_table

__all__ = [
    "LINKINFO",
    "PAGES",
    "PATTERNS",
    "RESULTS",
    "drift_of",
    "extract_articles",
    "learn_sites",
    "pattern_bytes",
    "pattern_set",
    "pattern_table",
    "read_linkinfo",
    "read_warcs",
]
