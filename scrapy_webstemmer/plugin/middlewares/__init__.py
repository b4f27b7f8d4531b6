"""Scrapy middlewares for spiders and downloads; each module says what its middleware does."""
