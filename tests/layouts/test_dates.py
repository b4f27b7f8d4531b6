from __future__ import annotations

from dataclasses import replace

import pytest
from path_pages import placed, words

from scrapy_webstemmer.layouts.dates import dated_share, undated
from scrapy_webstemmer.layouts.placed import PlacedLayout


def page_at(url: str, body: str = "<p>text</p>") -> PlacedLayout:
    (page,) = placed(body)
    return replace(page, layout=replace(page.layout, url=url))


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("2014/09/23/story.html", True),
        ("blog/2014/story/", True),
        ("posts/2014-09-23-story", True),
        ("news/20140923/1", True),
        ("story-2014.html", False),
        ("2014", False),
        ("id/120140923", False),
        ("article/201413", False),
        ("about/", False),
    ],
)
def test_dates_in_urls(path: str, found: bool) -> None:
    """A year as a step, a year with its month, and a whole date are dates; other numbers are not."""
    assert dated_share([f"http://2014.example/{path}"]) == found
    assert undated(page_at(f"http://2014.example/{path}"), 1.0) != found


def test_the_share_of_urls() -> None:
    """The share is that of all urls; it is 0 if there are none."""
    assert dated_share(["http://a.example/2014/1/", "http://a.example/b"]) == 0.5
    assert dated_share([]) == 0.0


def test_only_where_most_articles_are_dated() -> None:
    """If a third of a site's articles have no date in their url, a page without one is not undated."""
    page = page_at("http://a.example/about")
    assert undated(page, 0.67)
    assert not undated(page, 0.66)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("<p>23 September 2014, Ada Quill</p>", True),
        ("<p>2014年9月23日</p>", True),
        ("<p>Since 2014</p>", False),
        (f"<p>{words(1)} on the 23rd of March 2014</p>", False),
        ("".join(f'<div class=t><a href="/{n}">{n}/3/2014</a>{words(n)}</div>' for n in range(1, 5)), False),
    ],
)
def test_a_date_line_serves_too(line: str, found: bool) -> None:
    """A page with a date line is dated; a date in a sentence or in a list of pages is not a date line."""
    assert undated(page_at("http://a.example/about", line), 1.0) != found
