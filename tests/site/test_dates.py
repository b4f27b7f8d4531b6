from __future__ import annotations

import pytest
from path_pages import placed, words

from scrapy_webstemmer.page.days import is_dated
from scrapy_webstemmer.verdict.evidence import has_date_line


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
    assert is_dated(f"http://2014.example/{path}") == found


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
def test_lines_with_a_date(line: str, found: bool) -> None:
    """A short line with a date is a date line; a date in a sentence or in a list of pages is none."""
    (page,) = placed(line)
    assert has_date_line(page) == found


def test_days_that_look_alike_are_date_lines() -> None:
    """Folded days of one month recur and become boilerplate, but each page still has its own day."""
    days = [f"{n} September 2014" for n in range(11, 15)]
    pages = placed(*(f"<div>{day}</div><p>{words(n, 40)}</p>" for n, day in enumerate(days)))
    assert all(page.boilerplate[0] for page in pages)
    assert all(map(has_date_line, pages))
