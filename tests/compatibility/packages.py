"""Packages that download, or look at the items. Each check returns what came of it."""

from __future__ import annotations

import json
import shutil
import subprocess

import standins
from registry import check
from trial import Trial, expect, plain_spider

SPIDERMON_SETTINGS = """
SPIDERMON_ENABLED = True
EXTENSIONS = {"spidermon.contrib.scrapy.extensions.Spidermon": 500}
ITEM_PIPELINES = {"spidermon.contrib.scrapy.pipelines.ItemValidationPipeline": 800}
SPIDERMON_VALIDATION_SCHEMAS = ["schema.json"]
SPIDERMON_VALIDATION_DROP_ITEMS_WITH_ERRORS = True
SPIDERMON_SPIDER_CLOSE_MONITORS = ["monitors.Suite"]
SPIDERMON_MIN_ITEMS = 100
SPIDERMON_ADD_FIELD_COVERAGE = True
SPIDERMON_FIELD_COVERAGE_RULES = {"dict/title": 1.0}
"""
MONITORS = """
from spidermon import Monitor, MonitorSuite
from spidermon.contrib.scrapy.monitors import FieldCoverageMonitor, FinishReasonMonitor, ItemCountMonitor


class ArticleMonitor(Monitor):
    def test_articles(self):
        if "webstemmer/matched" in self.data.stats:
            self.assertEqual(self.data.stats["webstemmer/articles"], 144)


class Suite(MonitorSuite):
    monitors = [ItemCountMonitor, FinishReasonMonitor, FieldCoverageMonitor, ArticleMonitor]
"""
SCHEMA = {
    "type": "object",
    "properties": {"url": {"type": "string"}, "title": {"type": "string", "minLength": 20}},
    "required": ["url", "title"],
    "additionalProperties": False,
}


@check("spidermon", "Spidermon", "scrapy", "spidermon[validation]", shown=("spidermon",))
def spidermon(trial: Trial) -> str:
    """Validate the items, drop some, and monitor counts, field coverage and the articles."""
    trial.project(SPIDERMON_SETTINGS)
    trial.write("monitors.py", MONITORS)
    trial.write("schema.json", json.dumps(SCHEMA))
    outcome = trial.usual()
    stats = json.loads(trial.read("extract.stats"))
    log = trial.read("extract.log").decode()
    expect("[Spidermon] 4 monitors in" in log, "the monitors were not run")
    invalid = stats["spidermon/validation/items/errors"]
    monitors = "monitors of item count, field coverage and `webstemmer/articles` pass"
    return f"{monitors}; {invalid} items dropped as invalid; {outcome}"


BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
PLAYWRIGHT_SETTINGS = f"""
HANDLER = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"
DOWNLOAD_HANDLERS = {{"http": HANDLER, "https": HANDLER}}
PLAYWRIGHT_LAUNCH_OPTIONS = {{
    "executable_path": {BROWSER!r},
    "args": [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ],
}}
"""


@check(
    "scrapy-playwright",
    "scrapy-playwright",
    "scrapy",
    "scrapy-playwright",
    shown=("scrapy-playwright", "playwright"),
)
def scrapy_playwright(trial: Trial) -> str:
    """Load every page in Chromium; it must be installed."""
    expect(BROWSER, "no Chromium or Chrome on the PATH")
    trial.project(PLAYWRIGHT_SETTINGS, prepare='request.meta["playwright"] = True')
    outcome = trial.usual()
    command = [str(BROWSER), "--version"]
    version = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[1]
    return f"every page loaded in Chromium {version}; {outcome}"


SPLASH_SETTINGS = """
import warnings

warnings.filterwarnings("ignore", module="scrapy_splash")  # their number differs from crawl to crawl
SPLASH_URL = "ADDRESS"
DOWNLOADER_MIDDLEWARES = {
    "scrapy_splash.SplashCookiesMiddleware": 723,
    "scrapy_splash.SplashMiddleware": 725,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": 810,
}
REQUEST_FINGERPRINTER_CLASS = "scrapy_splash.SplashRequestFingerprinter"
"""


@check(
    "scrapy-splash",
    "scrapy-splash, with a stand-in for the server",
    "scrapy == 2.13.*",
    "scrapy-splash",
    shown=("scrapy-splash",),
)
def scrapy_splash(trial: Trial) -> str:
    """Get every page from render.html."""
    prepare = 'request.meta["splash"] = {"endpoint": "render.html", "args": {"wait": 0.1}}'
    with standins.splash(trial.site) as url:
        trial.project(SPLASH_SETTINGS.replace("ADDRESS", url), spider=plain_spider(prepare=prepare))
        with trial.site.requests() as paths:
            outcome = trial.usual()
    expect(not paths, f"{len(paths)} requests went past Splash")
    return f"every page as a `SplashTextResponse`; {outcome}"


ZYTE_API_SETTINGS = """
ADDONS = {"scrapy_zyte_api.Addon": 500}
ZYTE_API_KEY = "none"
ZYTE_API_URL = "ADDRESS"
"""


@check(
    "scrapy-zyte-api",
    "scrapy-zyte-api, with a stand-in for the API",
    "scrapy",
    "scrapy-zyte-api",
    shown=("scrapy-zyte-api",),
)
def scrapy_zyte_api(trial: Trial) -> str:
    """Get every page through the API: as browser HTML, and as the body of a response."""
    with standins.zyte_api(trial.site) as url, trial.site.requests() as paths:
        for kind in ("browserHtml", "httpResponseBody"):
            # For browserHtml, a url with another fragment is another request.
            without_fragment = 'request = request.replace(url=request.url.partition("#")[0])'
            prepare = f'{without_fragment}; request.meta["zyte_api_automap"] = {{"{kind}": True}}'
            trial.project(ZYTE_API_SETTINGS.replace("ADDRESS", url), prepare=prepare)
            outcome = trial.usual()
    expect(not paths, f"{len(paths)} requests went past the API")
    return f"with `browserHtml` and with `httpResponseBody`: {outcome}"
