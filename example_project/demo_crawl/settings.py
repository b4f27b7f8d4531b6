"""A project like any other; the three lines from ADDONS on are what makes it give articles."""

BOT_NAME = "demo_crawl"
SPIDER_MODULES = [
    "scrapy_webstemmer.textcrawler.spiders"
]  # textcrawler; a project of yours has its own spiders
ROBOTSTXT_OBEY = True
FEED_EXPORT_ENCODING = "utf-8"

ADDONS = {"scrapy_webstemmer.Addon": 500}
WEBSTEMMER_LEARNING_SET = (
    "output/site.sqlite"  # the pages; their patterns are beside it, in site.patterns.json
)
WEBSTEMMER_LEARN = True  # sites are learned at the end of a crawl, and learned anew when they have changed
