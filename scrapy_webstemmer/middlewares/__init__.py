"""Scrapy middlewares: what they are for is said where each is."""

from .linkinfo import LinkinfoMiddleware

__all__ = ["LinkinfoMiddleware"]
