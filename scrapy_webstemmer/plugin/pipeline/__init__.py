"""Scrapy item pipeline: store the pages of a crawl, and extract their articles."""

from .pages import PagePipeline

__all__ = ["PagePipeline"]
