"""The web pages that `scrapy trees` writes, as a browser shows them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import shown_pages
from layout_trees import parsed

from scrapy_webstemmer.trees.tree_clusters import ripper_clusters
from scrapy_webstemmer.trees.tree_rates import Rates

pytestmark = pytest.mark.browser
Show = Callable[..., Any]

#: The least contrast of a text and what is behind it, for each line of the trees.
CONTRAST = """
function light(color) {
  const [r, g, b] = color.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255)
    .map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  return .2126 * r + .7152 * g + .0722 * b;
}
function ground(element) {
  for (let one = element; one; one = one.parentElement) {
    const color = getComputedStyle(one).backgroundColor;
    if (!/, 0\\)$/.test(color)) return color;
  }
  return arguments[1];
}
return Math.min(...[...document.querySelectorAll("li, p, h1, h2, small, a, output")].map(one => {
  const back = matchMedia("(prefers-color-scheme: dark)").matches ? "rgb(18, 18, 18)" : "rgb(255, 255, 255)";
  const pair = [light(getComputedStyle(one).color), light(ground(one, back))].sort((a, b) => b - a);
  return (pair[0] + .05) / (pair[1] + .05);
}));
"""

#: The clusters that the page shows, as lists of names; a page in no cluster is alone.
SHOWN = """
return [...document.querySelectorAll("#clusters h2")].flatMap(title => {
  const names = [...title.nextElementSibling.querySelectorAll("bdi")].map(one => one.textContent);
  return title.textContent.startsWith("In no cluster") ? names.map(name => [name]) : [names];
});
"""

MOVE = """
const slider = document.getElementById("threshold");
slider.value = arguments[0];
slider.dispatchEvent(new Event("input"));
"""


def style(browser: Any, selector: str, name: str, pseudo: str | None = None) -> str:
    """Return a computed style of the first element that a selector finds."""
    script = "return getComputedStyle(document.querySelector(arguments[0]), arguments[2])[arguments[1]]"
    return str(browser.execute_script(script, selector, name, pseudo))


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("name", shown_pages.COMMANDS)
def test_pages_run_and_load_nothing(show: Show, name: str, width: int) -> None:
    """No script of a stranger runs, nothing is loaded or reported, and nothing is wider than the window."""
    browser = show(name, width)
    assert browser.execute_script("return typeof window.hacked") == "undefined"
    assert (
        browser.execute_script("return performance.getEntriesByType('resource').map(one => one.name)") == []
    )
    assert browser.get_log("browser") == []
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
    assert browser.execute_script("return [document.characterSet, document.compatMode]") == [
        "UTF-8",
        "CSS1Compat",
    ]
    assert browser.title


def test_the_hostile_page_is_hostile(browser: Any, folder: Path) -> None:
    """Opened as it is, the page of a stranger runs its scripts."""
    browser.get((folder / "hostile.html").as_uri())
    alert = browser.switch_to.alert
    assert alert.text == "1"
    alert.accept()
    browser.get("about:blank")
    browser.get_log("browser")


@pytest.mark.parametrize("script", ["window.hacked = 1", "new Image().src = '//elsewhere.example/x.png'"])
def test_the_policy_holds_for_what_gets_in(show: Show, script: str) -> None:
    """If an element of a stranger were in a page nevertheless, the browser would refuse its script."""
    browser = show("cluster")
    browser.execute_script(
        "document.body.setAttribute('onclick', arguments[0]); document.body.click()", script
    )
    assert browser.execute_script("return typeof window.hacked") == "undefined"
    assert "Content Security Policy" in browser.get_log("browser")[0]["message"]


def test_common_nodes_are_coloured(show: Show) -> None:
    """What both pages have stands out by colour and by a sign; so does text that is kept or dropped."""
    browser = show("map")
    common = style(browser, "main .common", "backgroundColor")
    assert common == "rgb(207, 232, 207)"
    assert style(browser, "main li:not(.common)", "backgroundColor") == "rgba(0, 0, 0, 0)"
    assert style(browser, "main .common", "content", "::before") == '"="'
    assert style(browser, "main .kept", "content", "::before") == '"+"'
    assert style(browser, "main .kept", "fontWeight") == "700"
    assert style(browser, "main .common.dropped", "content", "::before") == '"=−"'
    assert style(browser, "main .dropped", "textDecorationLine") == "line-through"
    legend = browser.execute_script(
        "return [...document.querySelectorAll('body > ul li')].map(li => li.className)"
    )
    assert legend == ["common", "kept", "dropped"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["map", "map-deep", "cluster"])
def test_text_has_contrast(show: Show, name: str, scheme: str) -> None:
    """All text is as dark, or as light, as the guidelines for accessible pages want it (4.5 to 1)."""
    assert show(name, scheme=scheme).execute_script(CONTRAST) >= 4.5


def test_trees_stand_side_by_side_where_there_is_room(show: Show) -> None:
    """In a wide window the trees stand side by side, in a narrow one the second below the first."""
    tops = "return [...document.querySelectorAll('section')].map(one => one.getBoundingClientRect().top)"
    first, second = show("map", 1280).execute_script(tops)
    assert first == second
    first, second = show("map", 400).execute_script(tops)
    assert first < second


def test_deep_nodes_keep_room_for_their_text(show: Show) -> None:
    """However deep a node is, its text takes no more than two lines of a narrow window."""
    heights = "return [...document.querySelectorAll('section:last-child li')].map(one => one.clientHeight)"
    assert max(show("map-deep", 400).execute_script(heights)) <= 2 * 20


def test_a_tree_shows_what_a_page_folds(show: Show) -> None:
    """A tree's page shows all its text, in its charset, and closed elements as well."""
    text = show("show-folded").execute_script("return document.body.innerText")
    assert text.split() == "Müller A folded note A dialog".split()


def test_the_slider_forms_the_clusters_of_the_library(show: Show) -> None:
    """At each threshold the page shows the clusters that the library forms, each page once."""
    browser = show("cluster")
    pages = sorted(shown_pages.paper(9).items())
    urls = [url for url, _ in pages]
    rates = Rates([parsed(html) for _, html in pages], "fine", keys=urls)
    seen = set()
    for step in range(25, 101):
        browser.execute_script(MOVE, step / 100)
        expected = [[urls[page] for page in members] for members in ripper_clusters(rates, step / 100)]
        assert browser.execute_script(SHOWN) == expected, step
        seen.add(len(expected))
    assert len(seen) > 3  # the threshold makes a difference


def test_the_threshold_that_was_asked_for_comes_first(show: Show) -> None:
    """The page begins with the very threshold of the command, though the slider has full hundredths."""
    browser = show("cluster")
    assert browser.find_element("id", "shown").text.startswith("0.655: ")


def test_the_slider_moves_by_keys(show: Show) -> None:
    """The slider has a name and is reached and moved by keys; what it gives is said beside it."""
    from selenium.webdriver.common.keys import Keys

    browser = show("cluster-many")
    browser.find_element("css selector", "body").send_keys(Keys.TAB)
    slider = browser.switch_to.active_element
    assert (slider.get_attribute("id"), slider.accessible_name) == ("threshold", "Threshold")
    slider.send_keys(Keys.ARROW_RIGHT)
    assert browser.find_element("id", "shown").text.startswith("0.61: ")
    slider.send_keys(Keys.END)
    assert browser.find_element("id", "shown").text.startswith("1: ")
    assert sum(map(len, browser.execute_script(SHOWN))) == 400


def test_the_slider_stays_in_sight(show: Show) -> None:
    """At the end of a long list the slider is still in the window."""
    browser = show("cluster-many")
    top = """window.scrollTo(0, document.body.scrollHeight);
    return [scrollY, document.getElementById("threshold").getBoundingClientRect().top]"""
    scrolled, place = browser.execute_script(top)
    assert scrolled > 1_000
    assert 0 <= place < 100


def test_a_page_alone(show: Show) -> None:
    """A single page forms no cluster, and the page says so."""
    browser = show("cluster-one")
    assert browser.find_element("id", "shown").text == "0.6: 0 clusters, 1 page alone"
    assert browser.find_element("css selector", "#clusters h2").text == "In no cluster: 1 page"
