from __future__ import annotations

import pytest
from lxml import etree
from path_pages import layout

from scrapy_webstemmer.article.dates import publication_date

HTML5 = '<time datetime="2014-05-06T09:00:00Z">yesterday</time>'
JSON_LD = '<script type="application/ld+json">{{"dateModified": "2019-01-01", {}}}</script>'


def date_of(body: str, head: str = "", sub: int = 0) -> str | None:
    """Return the date of a page whose first blocks are supplementary."""
    page = layout(body, head=head)
    count = len(page.blocks)
    return publication_date(page, range(sub, count), range(sub))


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="article:published_time" content="2014-05-06T23:30:00-07:00">',
        '<meta name="date" content="2014-05-06">',
        '<meta name="DC.date.issued" content="2014-05-06">',
        '<meta name="og:updated_time" content="2019-01-01"><meta name="pubdate" content="20140506">',
        JSON_LD.format('"datePublished" : "2014-05-06T10:00:00+09:00"'),
    ],
)
def test_metadata(head: str) -> None:
    """The head's or JSON-LD's publication counts, as the day in its own zone. No other date counts."""
    assert date_of("<p>text</p>", head) == "2014-05-06"


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="article:modified_time" content="2019-01-01T10:00:00Z">',
        '<meta name="description" content="On 2019-01-01T10:00:00 it rained">',
        '<meta http-equiv="last-modified" content="2019-01-01">',
        '<meta itemprop="copyrightYear" content="2019">',
        '<meta property="og:url" content="http://example.com/2019/01/01/a">',
        '<link rel="canonical" href="http://example.com/2019/01/01/a">',
        '<meta name="date" content="soon">',
        JSON_LD.format('"uploadDate": "2019-01-01T10:00:00Z"'),
    ],
)
def test_what_is_no_publication(head: str) -> None:
    """Modifications, copyright years, urls and dates in other texts do not state a publication."""
    assert date_of("<p>text</p><p>© 2019 Gazette</p>", head, sub=2) is None


def test_time_elements() -> None:
    """The first ``time`` element of the article that does not state a modification counts."""
    updated = '<time class="updated" datetime="2019-01-01">today</time>'
    assert (
        date_of(f"<p>{updated} {HTML5}</p><p>text <time datetime='2001-01-01'>then</time></p>")
        == "2014-05-06"
    )
    assert date_of(f"<p>{updated}</p>") is None
    assert date_of("<p><time>today</time></p>") is None


def test_time_elements_elsewhere() -> None:
    """Outside the article, for example in a comment, only a ``time`` marked as the publication's counts."""
    page = layout(f"<p>text</p><p>{HTML5}</p>")
    assert publication_date(page, [0], []) is None
    page = layout(f"<p>text</p><p>{HTML5.replace('<time', '<time pubdate')}</p>")
    assert publication_date(page, [0], []) == "2014-05-06"
    page = layout(f"<p>text</p><p>{HTML5.replace('<time', '<time itemprop=datePublished')}</p>")
    assert publication_date(page, [0], []) == "2014-05-06"


@pytest.mark.parametrize(
    "line",
    [
        "Tuesday, 6 May 2014, 9:30",
        "by Ann, May 6, 2014",
        "06.05.2014",
        "06/05/14",
        "2014-05-06",
        "6. Mai 2014",
    ],
)
def test_a_dated_line(line: str) -> None:
    """A supplementary section with a whole date states the publication."""
    assert date_of(f"<p>{line}</p><p>text</p>", sub=1) == "2014-05-06"


@pytest.mark.parametrize(
    "line", ["May 2014", "2014", "Copyright 2014", "4 min read, 2014 words", "by Ann", "5/2014"]
)
def test_a_line_without_a_day(line: str) -> None:
    """A year or a month alone is not a date. A date in the main text is the author's."""
    assert date_of(f"<p>{line}</p><p>On May 6, 2014 it rained</p>", sub=1) is None


@pytest.mark.parametrize(
    "control", ["\x08", "\x0b", "\x1f", "&#1;", "&#x1b;", "\x7f", "&#x85;", "\ufffe", "&#xffff;", "&#xd800;"]
)
def test_control_characters(control: str) -> None:
    """Characters that XML cannot have, in the text, metadata or markup, cost neither date nor article."""
    assert date_of(f"<p>{control}May 6, 2014{control}</p><p>text</p>", sub=1) == "2014-05-06"
    head = '<meta name="date" content="{}2014-05-06" x{}="{}" 1<="z">'
    assert date_of("<p>text</p>", head.format("", control, control)) == "2014-05-06"
    if control[0] != "&":  # of a reference to such a character older parsers leave no value at all
        assert date_of("<p>text</p>", head.format(control, "", "")) == "2014-05-06"
    time = f'<time datetime="{control}2014-05-06" {control}>x</time>'
    assert date_of(f"<p>{time}</p>") in ("2014-05-06", None)


def test_what_the_library_stumbles_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever error the search for the date makes, there is no date, and no error."""

    def fail(*args: object, **kwargs: object) -> str:
        raise RuntimeError("what nobody foresaw")

    monkeypatch.setattr("scrapy_webstemmer.article.dates.find_date", fail)
    assert date_of(f"<p>{HTML5}</p>") is None


def test_metadata_comes_first() -> None:
    """The head counts more than a ``time`` element, and the element more than text."""
    head = '<meta name="pubdate" content="2014-05-01">'
    assert date_of(f"<p>May 6, 2011</p><p>{HTML5}</p>", head, sub=1) == "2014-05-01"
    assert date_of(f"<p>May 6, 2011</p><p>{HTML5}</p>", sub=1) == "2014-05-06"
    assert date_of("<p>first</p><p>May 6, 2011</p><p>text</p>", sub=2) == "2011-05-06"


def test_the_tree_is_not_changed() -> None:
    """The search for the date does not change the page."""
    page = layout(
        f"<p>{HTML5}</p><p>May 6, 2011<svg></svg></p>", head=JSON_LD.format('"datePublished": "2014"')
    )
    root = page.markup.tree()
    before = etree.tostring(root)
    publication_date(page, [1], [0])
    assert etree.tostring(root) == before
