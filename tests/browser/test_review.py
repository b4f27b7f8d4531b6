"""The review, as a browser shows it: seen, searched, corrected with the keyboard, and hostile pages in it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hostile_pages import HOSTILE
from news_pages import article, articles, indexes, story

from scrapy_webstemmer import Page, PatternSet, learn
from scrapy_webstemmer.storage import SqliteLearningSet

pytestmark = pytest.mark.browser
HOST = "news.example.com"
SCRAPY = [sys.executable, "-m", "scrapy"]

#: What is wrong with a page: what it has loaded, what has run, what is wider than the window.
STATE = """
return [
  performance.getEntriesByType("resource").map(one => one.name).filter(one => !one.includes("?kind=look&")),
  typeof window.hacked,
  document.documentElement.scrollWidth <= innerWidth,
  [...document.querySelectorAll("svg, iframe, select, input[type=search]")]
    .every(one => one.title || one.ariaLabel || one.labels?.length || one.querySelector("title")),
  document.querySelectorAll("h1").length,
];
"""
HOME = (
    "return location.protocol == 'about:' ? 'nothing' : location.origin + location.pathname + '?kind=page&'"
)
FINE = [[], "undefined", True, True, 1]


def with_box(page: Page) -> Page:
    """Return a page with the words of another story in a box, which only a person knows to be no text."""
    number = page.url.rpartition("/")[2].partition(".")[0]
    words = story(f"reader.{HOST}", int(number)).paragraphs[0][:120]
    box = f"<div class=box><p>A reader: {words}"
    begin, end, rest = page.body.decode().partition("</p>")
    return Page(page.url, f"{begin}{end}{box}</p></div>{rest}".encode())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a learning set and a pattern file. Some of the pages are hostile."""
    folder = tmp_path_factory.mktemp("review")
    pages = [*map(with_box, articles(HOST, 40)), *indexes(HOST, 10)]
    patterns = learn(pages)
    patterns.save(folder / "patterns.json")
    old = replace(patterns.sites["example.com"], boilerplate={})
    PatternSet({"example.com": old}).save(folder / "old.json")
    with SqliteLearningSet(folder / "pages.sqlite") as stored, stored.transaction():
        for page in pages:
            stored.add_page(page)
        for number, body in enumerate(HOSTILE):
            good = article(HOST, 900 + number)
            text = good.body.decode().replace("<p>", f"<p>{body}</p><p>", 1)
            stored.add_page(Page(f"http://{HOST}/hostile/{number}.html", text.encode()))
    return folder


@pytest.fixture
def opened(browser: Any, folder: Path) -> Iterator[Callable[..., Any]]:
    """Start the review, and return a function that opens it in a window of some width."""
    command = [*SCRAPY, "review", "patterns.json", "pages.sqlite", "--before", "old.json", "--no-browser"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[4]

        def open_it(query: str = "", width: int = 1400, scheme: str = "light") -> Any:
            metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            browser.get_log("browser")
            browser.get(url + query)
            return browser

        yield open_it
        process.send_signal(signal.SIGINT)
    browser.get("about:blank")


def check(browser: Any) -> None:
    """Check that nothing was loaded or has run, and that the browser has nothing to complain about."""
    assert browser.execute_script(STATE) == FINE
    refused = "violates the following Content Security Policy"  # what a page would load in its frame
    assert [one for one in browser.get_log("browser") if refused not in one["message"]] == []


#: What axe-core finds: its serious faults, each with the first element that has it.
AXE = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"], iframes: false}).then(found => done(found.violations
  .filter(one => ["serious", "critical"].includes(one.impact))
  .map(one => [one.id, one.nodes[0].html.slice(0, 200)])));
"""


def check_accessible(browser: Any) -> None:
    """Check that axe-core finds no serious fault, in the light or the dark colours that are shown."""
    script = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
    browser.execute_script(script)
    assert browser.execute_async_script(AXE) == []


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (400, "dark")])
def test_the_views(opened: Callable[..., Any], width: int, scheme: str) -> None:
    """All of them fit into the window, load nothing, and lead from one to the next."""
    browser = opened("", width, scheme)
    check(browser)
    check_accessible(browser)
    for link in ("example.com", "Layout 1: articles"):
        browser.find_element("link text", link).click()
        check(browser)
        check_accessible(browser)
    browser.find_element("css selector", "td a").click()
    check(browser)
    check_accessible(browser)
    browser.switch_to.frame(0)
    assert browser.execute_script("return document.querySelectorAll('w-t.main, .w-t.main').length") > 0
    browser.switch_to.default_content()
    browser.find_element("link text", "With the patterns before").click()
    check(browser)
    browser.find_element("link text", "All sites").click()
    browser.find_element("partial link text", "What changes").click()
    check(browser)
    check_accessible(browser)


def test_the_search(opened: Callable[..., Any]) -> None:
    """It hides the other sites, and says how many are left."""
    from selenium.common.exceptions import StaleElementReferenceException
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.wait import WebDriverWait

    browser = opened()
    search = browser.find_element("id", "search")
    search.send_keys("nowhere")
    assert browser.find_element("id", "found").text == "0 of 1"
    assert not browser.find_element("css selector", "#rows > li").is_displayed()
    search.clear()
    search.send_keys("EXAMPLE")
    assert browser.find_element("css selector", "#rows > li").is_displayed()
    search.clear()
    search.send_keys("nowhere", Keys.ENTER)  # asks for sites that are not listed, too
    wait = WebDriverWait(browser, 60, ignored_exceptions=[StaleElementReferenceException])  # of the old page
    wait.until(lambda _: "Sites with" in browser.find_element("tag name", "h1").text)
    assert not browser.find_elements("css selector", "#rows > li")


def test_a_correction_with_the_keyboard_alone(opened: Callable[..., Any], folder: Path) -> None:
    """Find the layout, leave out a part, see what changes, save: then `scrapy extract` leaves it out."""
    from selenium.webdriver.common.keys import Keys

    browser = opened()

    def press(is_it: Callable[[Any], bool]) -> None:
        for _ in range(300):
            browser.switch_to.active_element.send_keys(Keys.TAB)
            if is_it(browser.switch_to.active_element):
                browser.switch_to.active_element.send_keys(Keys.ENTER)
                return
        pytest.fail("the keyboard does not lead there")

    def inside_box(one: Any) -> bool:
        row = "return arguments[0].closest('tr')?.cells[0].textContent ?? ''"
        return one.text.startswith("Leave out") and "div.box" in browser.execute_script(row, one)

    press(lambda one: one.text == "example.com")
    press(lambda one: one.text == "Layout 1: articles")
    press(inside_box)
    changed = browser.find_element("id", "changed").text
    assert int(changed.split()[2]) >= 40
    assert browser.find_elements("css selector", "del")
    check(browser)
    check_accessible(browser)
    press(lambda one: one.text == "Save") if browser.switch_to.active_element.text != "Save" else (
        browser.switch_to.active_element.send_keys(Keys.ENTER)
    )
    assert "leave out" in browser.find_element("css selector", "main").text
    check(browser)
    press(lambda one: one.text == "Take back")
    assert browser.find_element("id", "changed").text == changed
    press(lambda one: one.text == "Throw away")
    command = [*SCRAPY, "extract", "patterns.json", "pages.sqlite", "-O", "articles.jsonl"]
    subprocess.run(command, cwd=folder, capture_output=True, check=True)
    texts = [json.loads(line)["text"] for line in (folder / "articles.jsonl").read_text().splitlines()]
    assert len(texts) >= 40
    assert not any("A reader:" in text for text in texts)


def test_without_frames(opened_once: Callable[..., Any]) -> None:
    """Where a browser refuses them, a page shows its texts, and a link leads to the page as it looks."""
    from selenium.webdriver.support.wait import WebDriverWait

    browser = opened_once(f"?kind=page&url=http%3A%2F%2F{HOST}%2Fstory%2F7.html")
    browser.execute_script("for (const one of document.querySelectorAll('iframe')) one.remove()")
    rows = browser.find_elements("css selector", "#texts tbody tr")
    assert {"T", "M"} <= {row.find_element("tag name", "td").text for row in rows}
    assert browser.find_element("css selector", ".text").text
    browser.find_element("link text", "The page without a frame").click()
    WebDriverWait(browser, 60).until(lambda _: browser.find_elements("css selector", "a.w-t.main"))
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    browser.find_element("css selector", "a.w-t.main").click()
    WebDriverWait(browser, 60).until(lambda _: browser.find_elements("css selector", "span:target"))
    row = browser.find_element("css selector", "span:target").find_element("xpath", "ancestor::tr")
    assert row.text.startswith("M")


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_hostile_pages(opened_once: Callable[..., Any], number: int) -> None:
    """Nothing of them runs, is fetched, or gets out of the frame."""
    browser = opened_once(f"?kind=page&url=http%3A%2F%2F{HOST}%2Fhostile%2F{number}.html")
    check(browser)
    browser.switch_to.frame(0)
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    hacked, links = browser.execute_script(
        "return [typeof window.hacked, [...document.links].map(one => [one.href, one.target])]"
    )
    assert hacked == "undefined"
    assert all(href.startswith(browser.execute_script(HOME)) for href, _ in links)
    assert {target for _, target in links} <= {"_top"}
    browser.switch_to.default_content()


@pytest.fixture(scope="module")
def opened_once(browser: Any, folder: Path) -> Iterator[Callable[..., Any]]:
    """Do what ``opened`` does, with one review for all tests."""
    command = [*SCRAPY, "review", "patterns.json", "pages.sqlite", "--no-browser"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[4]

        def open_it(query: str) -> Any:
            browser.get_log("browser")
            browser.get(url + query)
            return browser

        yield open_it
        process.send_signal(signal.SIGINT)
