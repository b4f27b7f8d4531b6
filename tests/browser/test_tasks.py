"""What a person does with the review: find what is doubtful and put it right, in few clicks or with keys."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from news_pages import article, articles, indexes

from scrapy_webstemmer import ExtractOptions, Page, PatternSet, extract, learn
from scrapy_webstemmer.storage import SqliteLearningSet

pytestmark = pytest.mark.browser
HOST = "news.example.com"
NAMES = "Wanda Petrel", "Ann Kittiwake", "Bob Turnstone", "Cleo Dunlin", "Emil Knot"
#: The outline of what has the focus.
FOCUS = (
    "const style = getComputedStyle(document.activeElement); return [style.outlineStyle, style.outlineWidth]"
)


def signed(page: Page) -> Page:
    """Return a page with a name below its text that nothing tells from a text."""
    number = int(page.url.rpartition("/")[2].partition(".")[0])
    name = f"<div class=desk><span>{NAMES[number % len(NAMES)]}</span></div>"
    return replace(page, body=page.body.replace(b"</article>", f"{name}</article>".encode()))


def short(page: Page) -> Page:
    """Return a page whose text is a few words."""
    begin, _, rest = page.body.partition(b"<p>")
    return replace(
        page, body=begin + b"<p>" + rest[:40] + b".</p>" + rest[rest.rindex(b"</div></article>") :]
    )


def is_read(browser: Any) -> bool:
    """Return whether the first page knows all articles; on a busy machine it may ask to look again."""
    again = browser.find_elements("link text", "look again")
    for link in again:
        link.click()
    return not again


@pytest.fixture
def review(browser: Any, tmp_path: Path) -> Iterator[tuple[Any, Path]]:
    """Start the review of a site three articles of which are doubtful; return a browser that shows it."""
    from selenium.webdriver.support.wait import WebDriverWait

    pages = [signed(one) for one in articles(HOST, 40)]
    pages += [signed(short(article(HOST, number))) for number in (71, 72, 73)]
    learn([*pages, *indexes(HOST, 10)]).save(tmp_path / "patterns.json")
    with SqliteLearningSet(tmp_path / "pages.sqlite") as stored, stored.transaction():
        for page in pages:
            stored.add_page(page)
    command = [sys.executable, "-m", "scrapy", "review", "patterns.json", "pages.sqlite", "--no-browser"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[4]
        metrics = {"width": 1400, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        try:
            browser.get(url)
            WebDriverWait(browser, 60).until(is_read)
            browser.implicitly_wait(60)  # a click leads to a page that may not be there at once
            yield browser, tmp_path
        finally:
            browser.implicitly_wait(0)
            process.send_signal(signal.SIGINT)
    browser.get("about:blank")


def authors(folder: Path, number: int) -> list[str]:
    """Return the authors of an article by the pattern file as it is now."""
    found = extract(
        signed(article(HOST, number)), PatternSet.load(folder / "patterns.json"), ExtractOptions()
    )
    assert found is not None
    return [one.name for one in found.authors]


def check_saved(browser: Any, folder: Path) -> None:
    """Check that the correction is kept, and shown, and that articles have their authors."""
    assert "authors" in browser.find_element("css selector", "main").text
    assert [authors(folder, number) for number in (3, 7)] == [["Cleo Dunlin"], ["Bob Turnstone"]]


def test_name_the_author_in_eight_clicks(review: tuple[Any, Path]) -> None:
    """Find the doubtful articles, name the author on one of them, see what changes, save."""
    from selenium.webdriver.support.expected_conditions import staleness_of
    from selenium.webdriver.support.wait import WebDriverWait

    browser, folder = review
    assert authors(folder, 3) == []
    clicks = 0

    def click(way: str, what: str, within: Any = browser) -> None:
        nonlocal clicks
        within.find_element(way, what).click()
        clicks += 1

    assert "3 articles much shorter than usual" in browser.find_element("css selector", ".doubts").text
    click("css selector", ".doubts li a")
    browser.switch_to.frame(0)
    (name,) = (one.text for one in browser.find_elements("css selector", "a.w-t") if one.text in NAMES)
    click("link text", name)
    browser.switch_to.default_content()
    row = browser.find_element("css selector", "span:target").find_element("xpath", "ancestor::tr")
    assert name in row.text
    click("xpath", ".//button[.='Show']", row)
    assert browser.find_element("id", "changed").text.startswith("It changes 43 of 43 pages")
    assert {"Wanda Petrel", "Cleo Dunlin"} <= {one.text for one in browser.find_elements("tag name", "ins")}
    before = browser.find_element("css selector", "main")
    click("xpath", "//button[.='Save']")
    WebDriverWait(browser, 60).until(staleness_of(before))
    check_saved(browser, folder)
    assert clicks <= 8


def test_name_the_author_by_the_keyboard_alone(review: tuple[Any, Path]) -> None:
    """The same with Tab and Enter; what has the focus is seen at each step."""
    from selenium.common.exceptions import TimeoutException
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.wait import WebDriverWait

    browser, folder = review

    def enter() -> None:
        """Press Enter, and wait until another page, or another place of it, is shown."""
        before = browser.current_url
        ActionChains(browser).send_keys(Keys.ENTER).perform()
        shown = "return document.readyState == 'complete'"
        WebDriverWait(browser, 60).until(lambda _: browser.current_url != before)
        WebDriverWait(browser, 60).until(lambda _: browser.execute_script(shown))

    def press(script: str) -> None:
        """Press Tab until an expression holds for what has the focus, and then Enter."""
        lost = 0
        for _ in range(300):
            ActionChains(browser).send_keys(Keys.TAB).perform()
            try:  # a busy browser moves the focus a moment later, or loses the first key on a new page
                WebDriverWait(browser, 10).until(lambda _: browser.execute_script(FOCUS)[0] != "none")
            except TimeoutException:
                lost += 1
                assert lost < 3
                continue
            _, width = browser.execute_script(FOCUS)
            assert float(width.removesuffix("px")) >= 2
            if browser.execute_script(f"const it = document.activeElement; return Boolean({script})"):
                enter()
                return
        pytest.fail(f"the keyboard does not lead to {script}")

    press("it.closest('.doubts li')")
    press("it.hash == '#texts'")
    names = "|".join(NAMES)
    press(f"it.textContent == 'Show' && /{names}/.test(it.closest('tr').cells[1].textContent)")
    assert browser.find_element("id", "changed").text.startswith("It changes 43 of 43 pages")
    if browser.execute_script("return document.activeElement.textContent") == "Save":
        enter()
    else:
        press("it.textContent == 'Save'")
    check_saved(browser, folder)
