from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from lxml import etree
from path_pages import layout, place, words

from scrapy_webstemmer import Page, extract, learn
from scrapy_webstemmer.fields.field_places import DAY
from scrapy_webstemmer.fields.metadata import Fields
from scrapy_webstemmer.fields.publication import LINE, MARKED, SAID_CHANGED, STATED, Clue, evidence_by_day
from scrapy_webstemmer.page.statements import CHANGED
from scrapy_webstemmer.site.placed import PlacedLayout
from scrapy_webstemmer.values import FieldPlace, Pattern

TIME_5 = "<time datetime=2014-03-05>earlier</time>"
HTML5 = '<time datetime="2014-05-06T09:00:00Z">yesterday</time>'
JSON_LD = '<script type="application/ld+json">{{"dateModified": "2019-01-01", {}}}</script>'


def date_of(body: str, head: str = "", sub: int = 0, url: str = "") -> str | None:
    """Return the date of a page whose first blocks are supplementary, and the others its main text."""
    page = page_of(body, head, url)
    return publication_date(page, range(sub, len(page.layout.blocks)), range(sub))


def publication_date(
    page: PlacedLayout, main: Sequence[int], sub: Sequence[int], title: str = ""
) -> str | None:
    """Return the day of publication that is found on a page without a pattern."""
    pattern = Pattern("", "article", 0.0, 0, ())
    time, _ = Fields(page, main, pattern, title=title, sub=sub).published
    return time and time[: len("2014-05-06")]


def page_of(body: str, head: str = "", url: str = "") -> PlacedLayout:
    made = layout(body, head=head)
    return place([replace(made, url=url or made.url)])[0]


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="article:published_time" content="2014-05-06T23:30:00-07:00">',
        '<meta name="date" content="2014-05-06">',
        '<meta name="DC.date.issued" content="2014-05-06">',
        '<meta name="published" content="May 6, 2014">',
        '<meta name="published" content="1399361400">',
        '<meta name="published-date" content="2014-05-06">',
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
    assert date_of("<p>© 2019 Gazette</p><p>text</p>", head, sub=1) is None


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
    for mark, date in (
        ("", None),
        ("pubdate", "2014-05-06"),
        ("itemprop=datePublished", "2014-05-06"),
        ("class='entry-date published updated'", "2014-05-06"),
        ("class=updated", None),
    ):
        page = page_of(f"<p>text</p><p>{HTML5.replace('<time', f'<time {mark}')}</p>")
        assert publication_date(page, [0], []) == date, mark


def test_a_list_of_other_articles() -> None:
    """Their dates do not count, however they are marked."""
    other = '<li><a href="/{0}">Other {0}</a> <time class="published" datetime="2001-01-0{0}">x</time></li>'
    others = f"<ul>{''.join(map(other.format, range(1, 6)))}</ul>"
    assert publication_date(page_of(f"<p>text</p>{others}"), [0], []) is None
    assert publication_date(page_of(f"<p>{HTML5}</p><p>text</p>{others}"), [0, 1], []) == "2014-05-06"


def test_the_date_in_the_foot_of_an_article() -> None:
    """A ``time`` below the text that is marked as the publication's counts, whatever the part is called."""
    foot = '<footer class="meta">by Ann, <time class="published" datetime="2014-05-06">x</time></footer>'
    page = page_of(f"<p>text</p>{foot}<div class='comments'><p>so it is {HTML5}</p></div>")
    assert page.repeated[page.layout.blocks[1].node]
    assert publication_date(page, [0], []) == "2014-05-06"


@pytest.mark.parametrize(
    ("path", "date"),
    [
        ("/2014/05/06/seals.html", "2014-05-06"),
        ("/blog/2014/05/06", "2014-05-06"),
        ("/2014-05-06-seals", "2014-05-06"),
        ("/2014_05_06/seals?day=1999-01-01", "2014-05-06"),
        ("/news/2014/may/06/seals", "2014-05-06"),
        ("/2014/october/6/seals", "2014-10-06"),
        ("/2014/seals/06/more", "2011-05-01"),
        ("/2014/05/seals", "2011-05-01"),
        ("/2014/05/61/seals", "2011-05-01"),
        ("/2014/04/84-bend/seals", "2011-05-01"),
        ("/1914-05-067", "2011-05-01"),
        ("/1394/03/10/seals", "2011-05-01"),
        ("/seals?2014-05-06", "2011-05-01"),
    ],
)
def test_a_date_in_the_url(path: str, date: str) -> None:
    """A whole date in the url's path is the surest; numbers that only look like one are none."""
    head = '<meta name="pubdate" content="2011-05-01">'
    found = date_of("<p>text</p>", head, url=f"http://example.com{path}")
    assert found == (None if path.startswith("/2014/0") and date < "2014" else date)


@pytest.mark.parametrize("path", ["/magazine/2014/05/16/seals", "/magazine/archive/2014/07/seals/12"])
def test_the_url_of_an_issue(path: str) -> None:
    """The day that a page both states and shows counts more than the day, or the month, of an issue."""
    head, url = JSON_LD.format('"datePublished": "2014-05-06"'), f"http://example.com{path}"
    line = "<p>By Ann</p><time datetime=2014-05-06>May 6, 2014</time>"
    assert date_of(f"<h1>Seals</h1>{line}<p>text</p>", head, sub=3, url=url) == "2014-05-06"
    assert date_of("<p>text</p>", head, url=url) == ("2014-05-16" if "/16/" in path else None)


def test_a_day_behind_words_in_the_url() -> None:
    """They may be about that day; it counts if the page has no other."""
    url = "http://example.com/news/fair-2014-05-16"
    assert date_of("<p>Posted on May 6, 2014</p><p>text</p>", sub=1, url=url) == "2014-05-06"
    assert date_of("<p>text</p>", url=url) == "2014-05-16"


def test_a_month_in_the_url() -> None:
    """Of several dates that a page states, the one in the month of its url is that of its publication."""
    head, url = '<meta name="pubdate" content="2011-05-01">', "http://example.com/2014/05/seals"
    assert date_of("<p>text</p>", head, url=url) is None
    assert date_of("<p>May 6, 2014</p><p>text</p>", head, sub=1, url=url) == "2014-05-06"
    for day in ("2014-04-30", "2014-05-01", "2014-06-01"):  # it may be another day where the server is
        assert date_of("<p>text</p>", head.replace("2011-05-01", day), url=url) == day
    assert date_of("<p>text</p>", head.replace("2011-05-01", "2014-06-02"), url=url) is None


def test_a_line_beside_the_main_text() -> None:
    """A date between title and text counts, or just below the text; also as the first line of the text."""
    text = "<p>It rained on the seals, and they did not mind.</p>"
    page = page_of(f"<h1>Seals</h1><p>Posted on May 6, 2014</p>{text}")
    assert publication_date(page, [2], [], "body/h1") == "2014-05-06"
    page = page_of(f"<h1>Seals</h1>{text}<div>Filed on May 6, 2014</div>")
    assert publication_date(page, [1], [], "body/h1") == "2014-05-06"
    page = page_of(f"<h1>Seals</h1><p>6 May 2014</p>{text}")
    assert publication_date(page, [1, 2], [], "body/h1") == "2014-05-06"
    menu = "<p>a</p><p>b</p><p>c</p><p>d</p>"  # the head of a newspaper has the day of the visit
    page = page_of(f"<div>1 May 2014</div>{menu}<h1>Seals</h1>{text}")
    assert publication_date(page, [6], [], "body/h1") is None


@pytest.mark.parametrize(
    "line",
    [
        "Tuesday, 6 May 2014, 9:30",
        "by Ann, May 6, 2014",
        "06.05.2014",
        "16/05/2014",
        "2014-05-06",
        "6. Mai 2014",
    ],
)
def test_a_dated_line(line: str) -> None:
    """A supplementary section with a whole date states the publication."""
    day = "2014-05-16" if "16" in line else "2014-05-06"
    assert date_of(f"<p>{line}</p><p>text</p>", sub=1) == day


@pytest.mark.parametrize(
    "line",
    [
        "May 2014",
        "2014",
        "Copyright 2014",
        "4 min read, 2014 words",
        "by Ann",
        "5/2014",
        "xyz 19, 2014 1:31 pm",
        "05/06/2014",  # of May or of June
        "3 days ago",
        "© May 6, 2014 Gazette",
        "Copyright 6 May 2014",
        "(c) 2014-05-06 Gazette",
        "Page generated on May 6, 2014",
        "Last crawled: May 6, 2014",
    ],
)
def test_a_line_without_a_day(line: str) -> None:
    """A year or a month alone is not a date, nor that of a copy. A date in the main text is the author's."""
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


@pytest.mark.parametrize(
    ("language", "line", "day"),
    [
        ("en", "By Ann Lee • 5/16/14 12:21pm", "2014-05-16"),
        ("en", "5/6/14", None),
        ("en-GB", "5/6/14", "2014-06-05"),
        ("de", "Stand: 06.05.14", "2014-05-06"),
        ("de", "Version 6.5.14", None),
        ("de", "um 10:05:14 Uhr", None),
        ("ja", "16/05/14", None),
    ],
)
def test_a_year_of_two_digits(language: str, line: str, day: str | None) -> None:
    """It counts where the order is known, and the year is not named first; with dots in full."""
    head = f'<meta name="language" content="{language}">'
    assert date_of(f"<p>{line}</p><p>text</p>", head, sub=1) == day


def test_a_sentence_below_a_picture() -> None:
    """What a picture shows was on another day, unless the sentence says that something was published."""
    said = "Seals lie on the big stones near the old pier of the harbour on May 5, 2014."
    text = f"<p>{'the text ' * 40}</p>"
    for caption in (f"<p>{said}</p>", "<figure><figcaption>Seals, May 5, 2014</figcaption></figure>"):
        page = page_of(f"<h1>Seals</h1>{caption}{text}")
        assert publication_date(page, [2], [], "body/h1") is None
        page = page_of(f"<h1>Seals</h1>{caption}<p>May 6, 2014</p>{text}")
        assert publication_date(page, [3], [], "body/h1") == "2014-05-06"
    page = page_of(f"<h1>Seals</h1><p>{said.replace('Seals lie', 'This was published')}</p>{text}")
    assert publication_date(page, [2], [], "body/h1") == "2014-05-05"


def test_a_title_in_a_bar() -> None:
    """A bar above all else may have the title, too: the day is beside the heading."""
    menu = "".join(f"<p>part {number}</p>" for number in range(20))
    page = page_of(
        f"<div>Seals by the sea</div>{menu}<p>News | May 6, 2014</p><h1>Seals by the sea</h1>"
        f"{'<p>Share</p>' * 7}<p>{'the text ' * 40}</p>"
    )
    assert publication_date(page, [len(page.layout.blocks) - 1], [], page.places[0]) == "2014-05-06"


def test_a_line_of_the_text_that_ends_in_a_bar() -> None:
    """Signs may stand around a line with the day."""
    page = page_of("<h1>Seals</h1><p>seals</p><p>│6 May 2014 Ann Lee│</p><p>the text of it</p>")
    assert publication_date(page, [1, 2, 3], [], page.places[0]) == "2014-05-06"


def test_the_order_of_day_and_month() -> None:
    """The page's language tells it, or another day of the page; otherwise there is no day."""
    line, other = "<p>05/06/2014</p>", "<p>a</p><div>Open until {}</div>"
    assert date_of(f"{line}<p>text</p>", '<meta name="language" content="de">', sub=1) == "2014-06-05"
    assert date_of(f"{line}<p>text</p>", '<meta name="language" content="en-GB">', sub=1) == "2014-06-05"
    assert date_of(f"{line}<p>text</p>", '<meta name="language" content="en-US">', sub=1) is None
    for shown, day in (("31/12/2019", "2014-06-05"), ("12/31/2019", "2014-05-06")):
        page = page_of(f"{line}<p>text</p>{'<p>more</p>' * 5}{other.format(shown)}")
        assert publication_date(page, [1, 2], [0]) == day


@pytest.mark.parametrize(
    ("language", "stated", "day"),
    [
        ("fr", "05/06/2014", "2014-06-05"),
        ("en", "05/06/2014", None),
        ("en-GB", "5/6/2014 8:00:00 AM", "2014-06-05"),
        ("es", "5/6/2014 8:00 a.m.", "2014-06-05"),
        ("en", '05/06/2014"><meta name="lastmod" content="05/28/2014', "2014-05-06"),
    ],
)
def test_the_order_in_a_stated_day(language: str, stated: str, day: str | None) -> None:
    """The page's language tells it, or another stated day."""
    head = f'<meta name="language" content="{language}"><meta name="date" content="{stated}">'
    assert date_of("<p>text</p>", head) == day


def test_two_zones_in_what_is_stated() -> None:
    """Of two stated days next to each other the more surely stated one counts."""
    head = '<meta name="date" content="2014-05-07">' + JSON_LD.format(
        '"datePublished": "2014-05-06T23:00:00Z"'
    )
    assert date_of("<p>text</p>", head) == "2014-05-06"
    page = '{"@type": "WebPage", "datePublished": "2014-05-07T02:00:00Z"}'
    head = JSON_LD.format('"@type": "Article", "datePublished": "2014-05-06"')
    assert date_of("<p>text</p>", f'{head}<script type="application/ld+json">{page}</script>') == "2014-05-06"


def test_the_zone_of_the_readers() -> None:
    """The day that readers see counts, not that of the same time in another zone."""
    head = '<meta property="article:published_time" content="2014-05-07T01:30:00Z">'
    assert date_of("<p>Tuesday, May 6, 2014</p><p>text</p>", head, sub=1) == "2014-05-06"
    time = '<time datetime="2014-05-07T01:30:00Z">May 6, 2014</time>'
    assert date_of(f"<p>{time}</p><p>text</p>", sub=1) == "2014-05-06"


def test_the_zone_of_the_readers_far_from_the_text() -> None:
    """A marked time in no part of the article is that of its readers, too."""
    head = '<meta property="article:published_time" content="2014-05-07T01:30:00Z">'
    time = '<time itemprop=datePublished datetime="2014-05-07T01:30:00Z">May 6, 2014</time>'
    body = f"<div><p>{time}</p></div>{'<p>word</p>' * 10}<p>text</p>"
    assert publication_date(page_of(body, head), [11], []) == "2014-05-06"


def test_a_day_that_a_template_states_by_mistake() -> None:
    """The day that readers see counts if a marked element states quite another one."""
    time = 'Posted on <time class=published datetime="2012-11-09T23:15:57Z">May 6, 2014</time>'
    assert date_of(f"<p>{time}</p><p>text</p>", sub=1) == "2014-05-06"


def test_a_learned_place_with_several_days() -> None:
    """What a place shows several times on a page, with different days, is a list."""
    for days, day in ((("2014-05-06",), "2014-05-06"), (("2011-01-02", "2011-03-04"), None)):
        shown = "".join(f"<i>x</i><div class=day>{one}</div><b>{'word ' * 30}</b>" for one in days)
        page = page_of(f"<h1>Seals</h1><p>the text of it</p>{'<p>more of it</p>' * 20}<div>{shown}</div>")
        path = next(path for path in page.places if path.endswith("day"))
        pattern = Pattern(
            "", "article", 0.0, 9, (), places=(FieldPlace(DAY, path, "{year}-{month}-{day}", 9),)
        )
        time, _ = Fields(page, range(1, 12), pattern, title=page.places[0]).published
        assert time == day


def test_a_line_far_behind_the_text() -> None:
    """A line below the links of a template counts if it says that something was published."""
    links = "".join(
        f"<p><a href=/{name}>{name}</a> and more</p>" for name in ("share", "mark", "mail", "print")
    )
    line = (
        "<p>{} on Tuesday, May 6th, 2014 at 9:15 pm and is filed under Seals. You can leave a response.</p>"
    )
    for said, day in (("This entry was posted", "2014-05-06"), ("The harbour was closed", None)):
        page = page_of(f"<p>text</p>{links}{line.format(said)}")
        assert publication_date(page, [0], []) == day


def test_a_label_far_behind_the_text() -> None:
    """A day alone counts there, too, below a label that says so."""
    for label, day in (("Published", "2014-05-06"), ("Opened", None)):
        foot = f"{'<p>some link and more</p>' * 6}<h4>{label}</h4><p>May 6, 2014</p>"
        assert publication_date(page_of(f"<p>text</p>{foot}"), [0], []) == day


def test_a_time_in_the_title() -> None:
    """A marked time in the element of the title counts; a day in its words does not."""
    for day, wanted in (("<time datetime=2014-05-06>6 May</time>", "2014-05-06"), ("of May 6, 2014", None)):
        article = extract(f"<h1>Harbour {day}</h1>{f'<p>{words(1, 60)}</p>' * 3}")
        assert article.date == wanted


def test_the_posts_of_a_thread() -> None:
    """They may look like a list of articles, with links to who wrote them; the first has the day."""
    post = "<li><div>2014-05-0{0}</div><div><a href=/u/{0}>Ann</a></div><div>{1}</div></li>"
    posts = "".join(post.format(number, words(number, 60)) for number in range(1, 5))
    page = place([layout(f"<h1>The ferry</h1><ol>{posts}</ol>")])[0]
    places = (FieldPlace(DAY, page.places[1], "{year}-{month}-{day}", 9),)
    fields = Fields(page, [3], Pattern("", "article", 0.0, 9, (), places=places), title=page.places[0])
    assert fields.published[0] == "2014-05-01"
    assert fields.sources[DAY].startswith(page.places[1])


def test_a_list_above_the_title() -> None:
    """The day may stand in a list with author and topics; one with several days is of other articles."""
    for days, day in ((["May 6, 2014"], "2014-05-06"), (["May 6, 2014", "May 9, 2014"], None)):
        shown = "".join(f"<p>{one}</p>" for one in days)
        page = page_of(f"<aside>{shown}</aside><h1>Seals</h1>{'<p>the text of it</p>' * 3}")
        title = len(days)
        assert page.repeated[page.layout.blocks[0].node]
        assert publication_date(page, range(title + 1, title + 4), [], page.places[title]) == day


def test_the_day_of_a_teaser() -> None:
    """A day beside the headline of another article, in a sidebar or in the text, is none of this one."""
    stated = JSON_LD.format('"datePublished": "2014-05-06"')
    card = "<div><h3><a href=/{0}>About the harbour {0}</a></h3>{1}</div>"
    cards = "".join(card.format(number, "<span>May 9, 2014</span>" * (number == 3)) for number in range(4))
    teaser = card.format(9, "<p>May 9, 2014</p>")
    for above, inside in ((f"<aside>{cards}</aside>", ""), ("", teaser)):
        page = page_of(f"{above}<h1>Seals</h1><p>a text</p>{inside}<p>more of the text</p>", stated)
        paths = [path for path in page.places if path.endswith("h1")]
        main = [index for index, block in enumerate(page.layout.blocks) if "text" in block.text]
        assert any(block.text == "May 9, 2014" for block in page.layout.blocks)
        assert publication_date(page, main, [], paths[0]) == "2014-05-06"


def test_a_line_among_the_first_of_the_text() -> None:
    """A line with the day may stand in the text's own element, below the authors."""
    page = page_of(f"<h1>Seals</h1><h4>Ann Lee</h4><h4>May 6 2014</h4>{'<p>the text of it</p>' * 4}")
    assert publication_date(page, [1, 3, 4, 5, 6], [], page.places[0]) == "2014-05-06"


def test_elements_that_touch_in_a_line() -> None:
    """A line whose elements only a style sheet keeps apart has each of their days."""
    line = "<p><span>Ann Lee</span><span>May 6, 2014</span><span>June 9, 2019</span></p>"
    assert date_of(f"{line}<p>text</p>", sub=1) == "2014-05-06"
    assert date_of("<p>McAnn, 5th of May 2014</p><p>text</p>", sub=1) == "2014-05-05"


def test_a_change_beside_what_is_stated() -> None:
    """A day that is said to be that of a change does not count beside a stated publication."""
    head = '<meta property="article:published_time" content="2014-05-06">'
    stated = head + JSON_LD.format('"datePublished": "2014-05-06"')
    assert date_of("<p>Updated January 1, 2019</p><p>text</p>", stated, sub=1) == "2014-05-06"
    assert date_of("<p>text</p>", JSON_LD.format('"name": "x"')) is None


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("Saturday 13 June 2026, 6 pm, Old Harbour", None),
        ('<time datetime="2026-06-13T18:00">Saturday 13 June 2026</time>', None),
        ("Application deadline: 13 June 2026", None),
        ("Decided: 13 January 2010", None),
        ("Published on 13 June 2026", "2026-06-13"),
        ("Updated on 13 June 2026", "2026-06-13"),
        ("13 January 2010", "2010-01-13"),
    ],
)
def test_a_shown_day_beside_a_stated_one(line: str, day: str | None) -> None:
    """A later day is that of an event, unless words say more; one with another label is something else's."""
    head = JSON_LD.format('"datePublished": "2014-05-06"').replace('"dateModified": "2019-01-01", ', "")
    assert date_of(f"<h1>Seals</h1><p>{line}</p><p>text</p>", head, sub=2) == (day or "2014-05-06")


@pytest.mark.parametrize(
    "line", ["Deadline: 13 June 2026", "Bewerbungsschluss: 13.06.2026", "申請截止：2026年6月13日"]
)
def test_a_day_ahead(line: str) -> None:
    """What a label calls the end of something is no day of publication, also if it is the only day."""
    assert date_of(f"<h1>Seals</h1><p>{line}</p><p>text</p>", sub=2) is None
    assert date_of(f"<h1>Seals</h1><p>6 May 2014. {line}</p><p>text</p>", sub=2) == "2014-05-06"


def test_the_day_of_the_visit() -> None:
    """The header of a newspaper has it; a header with the title has the article's day."""
    text = f"<div><p>{'the text ' * 40}</p></div>"
    for body, day in (
        ("<header><p>Gazette</p><div>6 May 2014</div></header><h1>Seals</h1>", None),
        ("<header><div>6 May 2014</div><h1>Seals</h1></header>", "2014-05-06"),
        ("<div id=currentDate>6 May 2014</div><h1>Seals</h1>", None),
        ("<div class=date>6 May 2014</div><h1>Seals</h1>", "2014-05-06"),
    ):
        page = page_of(f"{body}{text}")
        title = next(path for path in page.places if path.endswith("h1"))
        assert publication_date(page, [len(page.places) - 1], [], title) == day


@pytest.mark.parametrize(
    ("dateline", "day"),
    [
        ("HARBOUR, May 6, 2014 /PRNewswire/ -- ", "2014-05-06"),
        ("OLD HARBOUR--(BUSINESS WIRE)--May 6, 2014-- ", "2014-05-06"),
        ("Harbour, 6. Mai 2014 (GLOBE NEWSWIRE) -- ", "2014-05-06"),
        ("HARBOUR, Fife – May 6, 2014 – ", "2014-05-06"),
        ("On May 6, 2014 – a Tuesday – ", None),
        ("HARBOUR -- On May 6, 2014, ", None),
    ],
)
def test_the_dateline_of_a_release(dateline: str, day: str | None) -> None:
    """A text that begins with place and day, and then a dash or an agency, was sent on that day."""
    body = f"<h1>Seals</h1><p>{dateline}{'the seals have come back ' * 20}</p><p>{words(1, 60)}</p>"
    page = page_of(body)
    assert publication_date(page, [1, 2], [], page.places[0]) == day
    stated = page_of(body, '<meta name="date" content="2014-05-05">')  # it came out on the day before
    assert publication_date(stated, [1, 2], [], stated.places[0]) == "2014-05-05"


@pytest.mark.parametrize(("byline", "authors"), [("<p>By Ann Moss</p>", ["Ann Moss"]), ("", [])])
def test_a_text_of_one_line_with_a_dateline(byline: str, authors: list[str]) -> None:
    """The only line of a text may have its day; who wrote it is asked for all the same."""
    body = f"<h1>Seals</h1>{byline}<div><p>BERGEN, March 4, 2026 - {words(1, 30)}</p></div>"
    article = extract(Page("https://example.com/seals", body.encode()))
    assert article is not None
    assert (article.date, [author.name for author in article.authors]) == ("2026-03-04", authors)


def test_a_change_on_the_day_after() -> None:
    """On a learned site it is that of no publication in another zone, if the page says what each day is."""
    published, changed = Clue(STATED, "2014-05-06", "", ("data",)), Clue(STATED, "2014-05-07", "", (CHANGED,))
    updated = Clue(LINE, "2014-05-07", "", ("head line", SAID_CHANGED, "alone"))
    evidence = evidence_by_day([published, changed, updated], is_learned=True)
    assert evidence.keys() == {"2014-05-06"}
    shown = Clue(LINE, "2014-05-06", "", ("head line", "said published", "alone"))
    assert "2014-05-06" in evidence_by_day([published, changed, shown], is_learned=True)
    before = published._replace(time="2013-02-01")
    assert "2014-05-06" in evidence_by_day([before, changed, shown], is_learned=True)
    marked = Clue(MARKED, "2014-05-06", "", ("head mark", "alone"))
    assert "2014-05-06" in evidence_by_day([before, changed, marked], is_learned=True)


def test_several_ways_say_more_than_one() -> None:
    """A day that the page both states and shows is surer than one that it only shows or only states."""
    line = "<p>May 6, 2014</p><p>Seals and boats</p><p>Since May 1, 2011 in this harbour</p>"
    head = '<meta name="pubdate" content="2014-05-06">'
    assert date_of(f"{line}<p>text</p>", head, sub=3) == "2014-05-06"
    assert date_of(f"<p>first</p><p>{HTML5}</p><p>text</p>", sub=2) == "2014-05-06"


def test_the_tree_is_not_changed() -> None:
    """The search for the date does not change the page."""
    page = page_of(f"<p>{HTML5}</p><p>May 6, 2011<svg></svg></p>", JSON_LD.format('"datePublished": "2014"'))
    assert page.layout.markup
    root = page.layout.markup.tree()
    before = etree.tostring(root)
    publication_date(page, [1], [0])
    assert etree.tostring(root) == before


@pytest.mark.parametrize(
    "head",
    [
        '<p>Updated <time datetime="2019-04-09">9</time> Posted <time datetime="2014-05-06">5</time></p>',
        '<p>A <time datetime="2019-04-09">9 April</time> B <time datetime="2014-05-06">6 May</time></p>',
        "<p>Updated 9 April 2019 Posted 6 May 2014</p>",
        "<p>Aktualisiert: 9.4.2019</p><p>Veröffentlicht: 6.5.2014</p>",
        "<p>2014年5月6日 公開 2019年4月9日 更新</p>",
        "<p>6 May 2014, updated 9 April 2019</p>",
        "<p>6 May 2014, 8:15 Updated: 9 April 2019 7 comments</p>",
        "<ul><li>Received: 3 January 2014<li>Accepted: 4 March 2014<li>Published: 6 May 2014</ul>",
        "<p>Received: 3 January 2014</p><p>Accepted: 4 March 2014</p><p>Available online 6 May 2014</p>",
        "<p>Received 3 January 2014; accepted 4 March 2014; published online 6 May 2014</p>",
        "<p>Recibido: 3 de enero de 2014. Aceptado: 4 de marzo de 2014. Publicado: 6 de mayo de 2014.</p>",
        "<dl><dt>Received<dd>3 January 2014<dt>Accepted<dd>4 March 2014<dt>Published<dd>6 May 2014</dl>",
        '<p>Sent <time datetime="2014-01-03">a</time>; published <time datetime="2014-05-06">b</time></p>',
    ],
)
def test_the_publication_among_several_times(head: str) -> None:
    """The words beside a time tell what it is; without such words the earliest of those together counts."""
    body = f"<h1>Harbour news</h1>{head}<div><p>{'the text ' * 40}</p><p>{'more text ' * 40}</p></div>"
    page = page_of(body)
    blocks = page.layout.blocks
    main = [number for number, block in enumerate(blocks) if "text" in block.text]
    assert publication_date(page, main, (), title=page.places[0]) == "2014-05-06"


@pytest.mark.parametrize(
    "line",
    [
        "Ann Lee / May 6, 2014",
        '<time datetime="2014-05-06">6 May</time>',
        '<span class="age" title="2014-05-06T10:00:00">5 years ago</span>',
        "6 พฤษภาคม 2557",
        "16 اردیبهشت ۱۳۹۳",
    ],
)
@pytest.mark.parametrize(
    "note",
    [
        "<b>2019-04-09 edit:</b> the lamp is heavy.",
        '<i>Edit <time datetime="2019-04-09">today</time></i>: heavy.',
    ],
)
def test_a_note_in_the_text(line: str, note: str) -> None:
    """The day beside the title is that of the publication, not the one of a note in the text."""
    texts = f"<p>{'the text ' * 40}</p><p>{note}</p><p>{'more text ' * 40}</p>"
    page = page_of(f"<h1>Harbour news</h1><p>{line}</p><div>{texts}</div>")
    main = range(2, len(page.layout.blocks))
    assert publication_date(page, main, (), title=page.places[0]) == "2014-05-06"


@pytest.mark.parametrize(
    "quoted",
    [
        "<blockquote><p>seals</p>- Ann (@ann) <a>May 9, 2019</a></blockquote>",
        "<blockquote><p>by Ann on <time datetime='2019-05-09'>May 9, 2019</time></p></blockquote>",
        "<figure><figcaption>Ann, May 9, 2019</figcaption></figure>",
        "<ul><li>Harbour fair, May 9, 2019</li><li>a boat</li></ul>",
    ],
)
@pytest.mark.parametrize("left_out", [False, True])
def test_a_day_in_a_quotation(quoted: str, *, left_out: bool) -> None:
    """It is not that of the article, whether the text has the quotation or not; above the text, it may be."""
    head = JSON_LD.format('"datePublished": "2014-05-06"')
    page = page_of(f"<h1>Seals</h1><p>{'the text ' * 40}</p>{quoted}<p>{'more text ' * 40}</p>", head)
    count = len(page.layout.blocks)
    main = [1, count - 1] if left_out else range(1, count)
    assert publication_date(page, main, [], page.places[0]) == "2014-05-06"
    page = page_of(f"<h1>Seals</h1><ul><li>Ann</li><li>May 6, 2014</li></ul><p>{'the text ' * 40}</p>")
    assert publication_date(page, [1, 2, 3], [], page.places[0]) == "2014-05-06"


def test_a_time_zone_in_brackets() -> None:
    """A line with the day in the text may end in one."""
    page = page_of("<h1>Seals</h1><p>seals</p><p>6 May 2014 6:48 PM (GMT)</p><p>the text of it</p>")
    assert publication_date(page, [1, 2, 3], [], page.places[0]) == "2014-05-06"


def test_a_number_in_the_url_is_the_last_resort() -> None:
    """It counts if the page neither states nor shows a day."""
    url = "http://a.example/news/20140506-ferry.html"
    assert date_of("<p>text</p>", url=url) == "2014-05-06"
    assert date_of("<p>text</p>", '<meta name="date" content="2014-05-05">', url=url) == "2014-05-05"


def test_a_day_whose_parts_are_elements() -> None:
    """No space may stand between them."""
    line = "<div><b>May</b><b>6</b><b>2014</b></div>"
    assert date_of(f"<h1>Ferry</h1>{line}<p>{'text ' * 40}</p>", sub=2) == "2014-05-06"


@pytest.mark.parametrize(
    ("line", "published", "modified"),
    [
        ("Published March 5, 2014 | Updated March 7, 2014", "2014-03-05", "2014-03-07"),
        ("March 5, 2014</p><p>Last updated: March 7, 2014", "2014-03-05", "2014-03-07"),
        (
            f"{TIME_5} <time class=updated datetime=2014-03-07T08:00>later</time>",
            "2014-03-05",
            "2014-03-07T08:00:00",
        ),
        (f"{TIME_5} <time itemprop=dateModified>2014-03-07</time>", "2014-03-05", None),
        ("<abbr class=modified title=2014-03-07>yesterday</abbr>", None, "2014-03-07"),
        ("Updated March 7, 2014", "2014-03-07", "2014-03-07"),
        ("March 5, 2014", "2014-03-05", None),
        ("Updated March 7, 2014</p><p>Updated March 8, 2014</p><p>March 5, 2014", "2014-03-05", None),
    ],
)
def test_a_shown_change(line: str, published: str | None, modified: str | None) -> None:
    """Words or a mark say that a time is that of the last change; several of them say nothing."""
    page = page_of(
        f"<h1>Harbour news</h1><p>{line}</p><div><p>{'the text ' * 40}</p><p>{'more ' * 40}</p></div>"
    )
    main = [len(page.places) - 2, len(page.places) - 1]
    fields = Fields(page, main, Pattern("", "article", 0.0, 0, ()), title=page.places[0])
    assert (fields.published[0], fields.modified[0]) == (published, modified)


def test_a_change_that_stands_first() -> None:
    """Beside a time that is marked as the publication's, one that is marked as a change's is no other."""
    changed = "<time class=updated datetime=2014-05-09T09:00>May 9, 2014</time>"
    made = "<time class=published datetime=2014-05-06T09:00>May 6, 2014</time>"
    more = "<p>Last updated on May 9, 2014</p>"
    page = page_of(f"<h1>Harbour news</h1><p>{changed}{made} by Ann</p>{more}<p>{'the text ' * 40}</p>")
    assert publication_date(page, [2, 3], [], page.places[0]) == "2014-05-06"
    alone = page_of(f"<h1>Harbour news</h1><p>{changed} by Ann</p><p>{'the text ' * 40}</p>")
    assert publication_date(alone, [2], [], alone.places[0]) == "2014-05-09"


def test_a_time_behind_what_recurs() -> None:
    """What the site has below each text, such as a form, may stand between it and the day."""
    page = page_of(f"<p>{'the text ' * 40}</p>{'<p>Write to us.</p>' * 5}<p>May 6, 2014</p>")
    assert publication_date(page, [0], []) is None
    recurs = bytes([0, *[1] * 5, 0])
    assert publication_date(replace(page, boilerplate=recurs), [0], []) == "2014-05-06"


def test_a_stated_change() -> None:
    """It counts more than a shown one, in ISO 8601 or in words."""
    for stated in ("2014-03-09", "March 9, 2014", "Sun, 03/09/2014 - 10:30"):
        head = f'<meta property="article:modified_time" content="{stated}">'
        page = page_of("<p>Updated March 7, 2014</p>", head)
        assert Fields(page, [0], Pattern("", "article", 0.0, 0, ())).modified == ("2014-03-09", stated)


@pytest.mark.parametrize(("name", "day"), [("entry-meta", "2026-05-04"), ("sidebar", None)])
def test_a_day_below_the_text_in_the_line_of_metadata(name: str, day: str | None) -> None:
    """Such a line is no text, but its day is the article's; that of a sidebar is not."""
    text = (
        "The ferry is late again, because the bell on the quay is cracked and nobody hears it in the fog. "
        * 4
    )
    post = (
        f"<h1>The ferry is late</h1><div><p>{text}</p><p>{text}</p></div><div class={name}>May 4, 2026</div>"
    )
    body = f"<div class=post>{post}</div><div>Harbour news</div>"
    page = Page("https://harbour.example/ferry", f"<html lang=en><body>{body}".encode())
    assert extract(page).date_published == day


def test_a_title_without_spaces_is_no_label() -> None:
    """The headline of another story may say that something came out; its day says nothing of this page."""
    other = "<h5>ロボット大図鑑にイチゴ自動栽培ロボットが公開されました</h5><p>2019/07/12</p>"
    page = page_of(f"<div class=text><p>{words(1, 60)}.</p></div><div>{other}</div>")
    clues = Fields(page, range(1), Pattern("", "article", 0.0, 0, ())).clues
    assert [clue.evidence for clue in clues] == [("foot line", "alone")]
    page = page_of(f"<div class=text><p>{words(1, 60)}.</p></div><div><p>公開日</p><p>2019/07/12</p></div>")
    assert publication_date(page, range(1), ()) == "2019-07-12"


SENTENCES = "<p>The ferry to the islands sails again, and the harbour is full of boats and gulls.</p>" * 5


@pytest.mark.parametrize(
    "line",
    [
        "<p>When: Saturday 14 June 2025, 7 pm</p>",
        "<p>[Edit 9 April 2026: the gulls have gone.]</p>",
        "<h3>Edit 2026-04-09</h3>",
        "<blockquote><p>Gulls!</p>Mayor, April 9, 2026</blockquote>",
    ],
)
def test_the_first_lines_of_a_text_may_say_when_something_else_is(line: str) -> None:
    """A day between title and text is that of the publication, whatever the text begins with."""
    body = (
        f"<h1>The ferry sails again</h1><p class=meta>5 March 2025</p><div class=text>{line}{SENTENCES}</div>"
    )
    page = Page("https://gulls.example/ferry", f"<title>The ferry sails again</title>{body}".encode())
    article = extract(page, learn([page]))
    assert article is not None
    assert article.date == "2025-03-05"


def test_an_attribute_that_says_something_else() -> None:
    """Readers see the day in the text of a ``time``."""
    assert (
        date_of("<p><time datetime='2014-07-03T10:18:46Z'>Publié le 6 mai 2014</time></p><p>text</p>")
        == "2014-05-06"
    )


def test_a_day_below_a_label_far_behind_the_text() -> None:
    """The label may have an element of its own; a line far below that is in a comment says nothing."""
    text, links = f"<div>{words(7, 60)}</div>", "".join(f"<p>link {at}</p>" for at in range(30))
    label = "<div><p>Published</p><p class=date>May 6, 2014</p></div>"
    assert publication_date(page_of(f"{text}{links}{label}"), [0], []) == "2014-05-06"
    line = "<div><p>Ann Lee</p><p>posted May 6, 2014</p></div>"
    assert publication_date(page_of(f"{text}{links}{line}"), [0], []) is None


@pytest.mark.parametrize(
    ("element", "links", "published"),
    [
        ("<p>Last updated <time datetime=2014-05-06>1 year ago</time></p>", 1, "2014-05-06"),
        ('<p>By Ann <span itemprop="dateModified">6. May 2014</span></p>', 50, None),
        ("<ul><li id=footer-info-lastmod>This page was last edited on 6 May 2014, at 12:13.</ul>", 50, None),
    ],
)
def test_a_change_that_is_shown_below_the_text(element: str, links: int, published: str | None) -> None:
    """It is the day of a page that shows no other, if it stands just below the text."""
    page = page_of(f"<h1>title</h1><div><p>{words(7, 60)}</p></div>{'<p>link</p>' * links}{element}")
    fields = Fields(page, [1], Pattern("", "article", 0.0, 0, ()))
    assert (fields.modified[0], fields.published[0]) == ("2014-05-06", published)
