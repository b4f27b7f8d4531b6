"""Scrapy middlewares for spiders and downloads; each module says what its middleware does."""

from .area import AreaMiddleware
from .cookies import CookieFileMiddleware
from .encoding import DefaultEncodingMiddleware
from .linkinfo import LinkinfoMiddleware
from .urldb import UrlDbMiddleware

__all__ = [
    "AreaMiddleware",
    "CookieFileMiddleware",
    "DefaultEncodingMiddleware",
    "LinkinfoMiddleware",
    "UrlDbMiddleware",
]
