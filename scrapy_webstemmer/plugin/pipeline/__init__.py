"""Scrapy item pipeline: store the pages of a crawl, and extract their articles."""

from .pages import ArticlePipeline, IncrementalPipeline, LearningSetPipeline, PagePipeline

__all__ = [
    "ArticlePipeline",
    "IncrementalPipeline",
    "LearningSetPipeline",
    "PagePipeline",
]
