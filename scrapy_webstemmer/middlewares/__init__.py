"""Scrapy middlewares: what they are for is said where each is."""

from .linkinfo import LinkinfoMiddleware
from .urldb import UrlDbMiddleware

__all__ = ["LinkinfoMiddleware", "UrlDbMiddleware"]
