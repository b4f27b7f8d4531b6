"""Scrapy item pipeline: takes the pages of a crawl, stores them, and gives their articles."""

from .pages import ArticlePipeline, IncrementalPipeline, LearningSetPipeline, PageConsumed, PagePipeline

__all__ = [
    "ArticlePipeline",
    "IncrementalPipeline",
    "LearningSetPipeline",
    "PageConsumed",
    "PagePipeline",
]
