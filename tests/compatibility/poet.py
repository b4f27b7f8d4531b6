"""scrapy-poet, and zyte-spider-templates with it."""

from __future__ import annotations

import json

from registry import check
from trial import Trial, expect, plain_spider

POET_SETTINGS = """
ADDONS = {"scrapy_poet.Addon": 300}
SCRAPY_POET_PROVIDERS = {"scrapy_webstemmer.poet.ArticleProvider": 1100}
SCRAPY_POET_DISCOVER = ["scrapy_webstemmer.poet.rules"]
"""
POET = ("scrapy-poet", "web-poet", "zyte-common-items")


@check("scrapy-poet", "scrapy-poet, with and without our add-on", "scrapy", *POET, shown=POET)
def scrapy_poet(trial: Trial) -> str:
    """Let a callback ask for the article, without our add-on and with it."""
    trial.learn()
    trial.site.publish(2)
    spider = plain_spider(
        "from scrapy_webstemmer import ArticleItem", argument=", article: ArticleItem | None", item="article"
    )
    trial.project(POET_SETTINGS, spider=spider)
    bare = trial.crawl("bare", addon=False, WEBSTEMMER_PATTERNS="patterns.json")
    outcome = trial.articles("bare.jsonl")
    both = trial.extract("both")
    trial.expect_same(bare, both)
    trial.articles()
    asking = {"twice.jsonl": {"format": "jsonlines", "item_classes": ["scrapy_webstemmer.ArticleItem"]}}
    for settings in ({"FEEDS": asking}, {"WEBSTEMMER_ARTICLES_TO_PIPELINES": True}):
        (trial.folder / "twice.jsonl").unlink(missing_ok=True)
        trial.crawl("twice", WEBSTEMMER_PATTERNS="patterns.json", **settings)
        lines = len(trial.read("twice.jsonl").splitlines())
        expect(lines == 2 * len(bare.items.splitlines()), f"{lines} articles with {settings}")
    return f"the callback's items, with and without our add-on: {outcome}; see [below](#with-scrapy-poet)"


TEMPLATES_SETTINGS = """
ADDONS = {"scrapy_poet.Addon": 300, "zyte_spider_templates.Addon": 1000}
SCRAPY_POET_PROVIDERS = {
    "scrapy_webstemmer.poet.ArticleProvider": 1100,
    "scrapy_webstemmer.poet.AnyResponseProvider": 1110,
}
SCRAPY_POET_DISCOVER = ["scrapy_webstemmer.poet.rules"]
ITEM_PIPELINES = {"zyte_common_items.pipelines.DropLowProbabilityItemPipeline": 0}
"""
TEMPLATES_SPIDER = """
from zyte_spider_templates import ArticleSpider


class NewsSpider(ArticleSpider):
    name = "news"
    custom_settings = {
        **ArticleSpider.custom_settings,
        "SPIDER_MIDDLEWARES": {"zyte_spider_templates.CrawlingLogsMiddleware": None},
    }

    async def start(self):
        for request in self.start_requests():
            request.meta.update(seed=request.url, is_seed_request=True)
            yield request
"""
TEMPLATES = ("scrapy-poet", "zyte-spider-templates")


@check(
    "zyte-spider-templates",
    "zyte-spider-templates, with the [spider shown there](poet.md#zyte-spider-templates)",
    "scrapy",
    *POET,
    "zyte-spider-templates",
    shown=TEMPLATES,
)
def templates(trial: Trial) -> str:
    """Let a spider based on ArticleSpider find the articles, without our add-on, and with it beside."""
    trial.learn()
    trial.site.publish(2)
    trial.project(TEMPLATES_SETTINGS, spider=TEMPLATES_SPIDER)
    items = {}
    for name in ("bare", "both"):
        settings = {"WEBSTEMMER_PATTERNS": "patterns.json"}
        if name == "both":
            settings |= {"WEBSTEMMER_LEARNING_SET": "more.sqlite", "WEBSTEMMER_ARTICLES": "articles.jsonl"}
        environment = {**trial.environment(name, name == "both", settings), "PYTHONWARNINGS": "ignore"}
        command = ("-m", "scrapy", "crawl", "news", "-a", f"url={trial.site.url}")
        log = trial.run(str(trial.python), *command, env=environment)
        trial.write(f"{name}.log", log)
        items[name] = [json.loads(line) for line in trial.read(f"{name}.jsonl").splitlines()]
    lines = [
        {"url": one["url"], "title": one.get("headline", ""), "text": one.get("articleBody", "")}
        for one in items["bare"]
    ]
    trial.write("news.lines", "".join(json.dumps(one) + "\n" for one in lines))
    urls = [sorted(one["url"] for one in found) for found in items.values()]
    expect(urls[0] == urls[1], "the add-on changes the items")
    return f"{trial.articles('news.lines')}; with our add-on beside it, the items are the same"
