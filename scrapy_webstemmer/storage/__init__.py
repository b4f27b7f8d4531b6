"""Read and write stored pages: SQLite learning sets (the default), WARC, the 2009 zip, folders, lists.

A source yields one page at a time. Nothing here decodes, parses or compares pages.
"""

from .opening import open_pages
from .source import PageSource, Skipped, merged_linkinfo
from .sqlite import SqliteLearningSet

__all__ = ["PageSource", "Skipped", "SqliteLearningSet", "merged_linkinfo", "open_pages"]
