"""Scrapy commands: `scrapy analyze` learns patterns, `scrapy extract` applies them to stored pages.

Entry points name the ``Command`` classes, so the commands work in any project
and outside one. Every `scrapy` call imports them: what takes time to import is
imported when a command runs.
"""
