"""Scrapy item pipelines: the takers of page items."""

from .articles import ArticlePipeline, load_patterns
from .incremental import IncrementalPipeline
from .learning_set import LearningSetPipeline
from .taking import PageConsumed

__all__ = [
    "ArticlePipeline",
    "IncrementalPipeline",
    "LearningSetPipeline",
    "PageConsumed",
    "load_patterns",
]
