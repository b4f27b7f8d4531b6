"""Scrapy middlewares: what they are for is said where each is."""

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
