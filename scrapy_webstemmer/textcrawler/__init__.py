"""The spider ``textcrawler``, and the one of `scrapy articles`, which crawls whole sites."""
