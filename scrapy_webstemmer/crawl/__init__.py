"""A crawl that stores its pages, and gives articles: the add-on, and what it puts into Scrapy's slots."""
