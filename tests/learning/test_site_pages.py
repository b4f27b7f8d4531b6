"""The parts of a site's pages that are kept."""

from __future__ import annotations

from scrapy_webstemmer.learning.page_reading import Wanted, read_page
from scrapy_webstemmer.learning.site_pages import LeftOut, SitePages
from scrapy_webstemmer.values import Page


def page(name: str, body: str = "", fetched: str = "2026") -> Page:
    return Page(f"http://example.com/{name}", body.encode(), fetched=fetched)


def taken(site: SitePages, *pages: Page) -> SitePages:
    for one in pages:
        site.take(one, read_page(one, Wanted()))
    return site


def test_pages_that_are_not_drawn() -> None:
    """Only pages in the sample are kept; those that leave it are dropped. The anchors of all pages count."""
    site = SitePages(3)
    pages = [page(f"{number}", f"<p>{number}</p><a href=/x>to x</a>") for number in range(12)]
    for one in pages:
        site.draw(one)
        taken(site, one)
    assert len(site.layouts) == len(site.keys) == 3
    left = {f"example.com/{number}" for number in range(12)} - site.layouts.keys()
    assert site.left_out == (9, min(left))
    site.others = LeftOut(3, "example.com/0")
    assert site.left_out == (12, "example.com/0")
    assert [site.draw(one) for one in pages].count(True) == 3
    assert site.anchors.to(["example.com/x"]) == {"to x"}


def test_of_several_versions_the_latest_counts() -> None:
    """The latest version counts in any order; if two have the same time, their contents decide."""
    versions = [page("a", f"<p>{text}</p>", text[:1]) for text in ("1", "2 old", "2 new")]
    found = {
        site.layouts["example.com/a"].blocks[0].text
        for order in (versions, versions[::-1])
        for site in [taken(SitePages(), *order)]
    }
    assert found == {"2 old"}
