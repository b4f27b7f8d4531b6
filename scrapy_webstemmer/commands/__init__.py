"""Scrapy commands: learn patterns from stored pages, extract articles, and look after a crawl's files.

Entry points name the ``Command`` classes, so the commands work in any project and outside one. Every `scrapy`
call imports these modules. So what takes time to import is imported only when a command runs.
"""
