"""A project like any other; the lines from ADDONS on are what makes it give articles."""

BOT_NAME = "demo_crawl"
SPIDER_MODULES = ["scrapy_webstemmer.plugin.spiders"]  # textcrawler; a project of yours has its own spiders
ROBOTSTXT_OBEY = True
FEED_EXPORT_ENCODING = "utf-8"

ADDONS = {"scrapy_webstemmer.Addon": 500}

# The first crawl collects pages and links here; `scrapy analyze` learns from them.
WEBSTEMMER_LEARNING_SET = "output/site.sqlite"

# Once there are patterns, a crawl gives articles. Here they are named on the command line:
# scrapy crawl textcrawler -a url=... -s WEBSTEMMER_PATTERNS=output/patterns.json -O output/articles.jsonl
# WEBSTEMMER_PATTERNS = "output/patterns.json"
