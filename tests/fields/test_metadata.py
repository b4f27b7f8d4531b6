"""The metadata of an article: times, and the way to users."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from path_pages import layout, place

from scrapy_webstemmer import ExtractOptions, Page, PatternSet, extract, learn
from scrapy_webstemmer.fields.metadata import Fields
from scrapy_webstemmer.items import METADATA_FIELDS, ArticleItem
from scrapy_webstemmer.page.days import iso_time
from scrapy_webstemmer.values import Article, Pattern

TEXT = "<h1>A title of some length</h1>" + "".join(
    f"<p>This is the text of paragraph {number}, which has a few more words.</p>" for number in range(9)
)
HEAD = """<meta property="article:published_time" content="2014-05-06 07:30">
<meta name="author" content="Ann Lee"><meta property="article:tag" content="ferries">"""


def metadata_of(head: str) -> Article:
    page = place([layout("<p>text</p>", head=head)])[0]
    fields = Fields(page, [0], Pattern("", "article", 0.0, 0, ()))
    return Article(url="", title="", text="text", **fields.metadata())


@pytest.mark.parametrize(
    ("name", "is_shown"),
    [("example-logo-600x60.png", False), ("logo.jpg", False), ("new-logo-of-acme.png", True)],
)
def test_the_logo_of_the_site_is_no_main_image(name: str, *, is_shown: bool) -> None:
    """The name of its file has the word, and nothing else but the site's name; another image comes then."""
    images = f"http://example.com/{name}", "/a.jpg"
    head = "".join(f'<meta property="og:image" content="{image}">' for image in images)
    assert metadata_of(head).main_image == f"http://example.com/{name if is_shown else 'a.jpg'}"


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2014-05-06", "2014-05-06"),
        ("20140506", "2014-05-06"),
        (" 2014/5/6 ", "2014-05-06"),
        ("2014-05-06T07:30Z", "2014-05-06T07:30:00+00:00"),
        ("2014-05-06T07:30:59.123456789+0200", "2014-05-06T07:30:59+02:00"),
        ("2014-05-06 7:30:59 UTC", "2014-05-06T07:30:59+00:00"),
        ("2014-05-06T07:30:00", "2014-05-06T07:30:00"),
        ("Tue, 06 May 2014 07:30:00 +0100", "2014-05-06T07:30:00+01:00"),
        ("2014-13-06", None),
        ("99999-01-01", None),
        ("1492-10-12", None),
        ("2014-05-06T25:00:00Z", None),
        ("2014-05-06T07:30:00+99:00", None),
        ("2014", None),
        ("05.06.2014", None),
        ("May 6, 2014", None),
        ("２０１４-05-06", None),
        ("yesterday", None),
        ("2" * 1_000_000, None),
    ],
)
def test_times(text: str, time: str | None) -> None:
    """ISO 8601 and the form of mails are read, as exact as they are; other forms are guesses."""
    assert iso_time(text) == time


def test_what_an_article_shows_beyond_what_is_stated() -> None:
    """The first picture and the films of the text count, after those that are stated."""
    shown = "<p><img src=/seal.jpg></p><iframe src=https://www.youtube.com/embed/abc></iframe>"
    film = '<meta property="og:video" content="https://www.youtube.com/embed/abc">'
    image = '<meta property="og:image" content="/stated.jpg">'
    for head, picture in (("", "seal.jpg"), (film + image, "stated.jpg")):
        body = TEXT.replace("</p>", f"</p>{shown}", 1)
        page = f"<html><head>{head}</head><body><div>{body}</div></body></html>".encode()
        options = ExtractOptions(metadata=True, html=True)
        article = extract(Page("http://a.example/2014/one", page), None, options)
        assert article is not None
        assert article.main_image == f"http://a.example/{picture}"
        assert article.videos == ("https://www.youtube.com/embed/abc",)


@given(
    st.text(max_size=70)
    | st.datetimes().map(str)
    | st.from_regex(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d[Z+-]\d{0,4}")
)
def test_any_text(text: str) -> None:
    """No text is an error; a time is read as itself again."""
    found = iso_time(text)
    assert found is None or iso_time(found) == found


def test_a_time_and_its_text() -> None:
    """The first text that is a time counts."""
    found = metadata_of('<meta name="dc.date" content="soon">' + HEAD)
    assert (found.date_published, found.date_published_raw) == ("2014-05-06T07:30:00", "2014-05-06 07:30")
    found = metadata_of('<meta name="date" content="soon">')
    assert (found.date_published, found.date_published_raw) == (None, None)


def test_on_request() -> None:
    """An article has its metadata unless nobody wants them; its item has them in plain types."""
    page = Page("http://a.example/1", f"<html><head>{HEAD}<body>{TEXT}".encode())
    without = extract(page, PatternSet({}), ExtractOptions(fallback=True, metadata=False))
    article = extract(page, PatternSet({}), ExtractOptions(fallback=True))
    assert without is not None
    assert article is not None
    assert (without.authors, without.tags, without.date) == ((), (), None)
    assert (article.authors[0].name, article.date) == ("Ann Lee", "2014-05-06")
    only_day = extract(page, PatternSet({}), ExtractOptions(fallback=True, metadata=False, date=True))
    assert only_day is not None
    assert (only_day.date, only_day.date_published) == ("2014-05-06", None)
    item = ArticleItem.from_article(article)
    assert (item.authors, item.tags) == ([{"name": "Ann Lee", "url": None}], ["ferries"])
    assert (item.description, item.videos, item.comment_count) == (None, None, None)
    assert all(ArticleItem.from_article(without)[name] is None for name in METADATA_FIELDS)


@pytest.mark.parametrize(
    ("head", "line", "day"),
    [
        (HEAD, "", "2014-05-06"),
        ('<meta name="date" content="2014-05-06T23:30:00-07:00">', "", "2014-05-06"),
        ("", "<p>7 May 2015</p>", "2015-05-07"),
        ("", "", None),
    ],
)
def test_the_day_is_that_of_the_time_of_publication(head: str, line: str, day: str | None) -> None:
    """It needs no option, also if a line shows it; with the option ``date`` it needs no other metadata."""
    text = TEXT.replace("</h1>", f"</h1>{line}")
    page = Page("http://a.example/1", f"<html><head>{head}<body>{text}".encode())
    assert extract(page).date == day
    assert extract(page, options=ExtractOptions(date=True, metadata=False)).date == day
    assert extract(page, options=ExtractOptions(metadata=False)).date is None
    assert extract(page, options=ExtractOptions(metadata=False, comments=True)).date is None


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("A title of some length - The Gull News", "The Gull News"),
        ("The Gull | A title of some length", "The Gull"),
        ("A title of some length - Harbour Notes", "Harbour Notes"),
        ("A title of some length - 2026", None),
        ("A title of some length", None),
        ("A title of some length - what the gull of the harbour saw from the roof of the old house", None),
    ],
)
def test_the_name_of_the_site_beside_the_title(title: str, name: str | None) -> None:
    """It is what the head has beside the title alone, or whatever has the name of the url's host in it."""
    page = Page("http://gull.example/1", f"<html><head><title>{title}</title></head>{TEXT}".encode())
    article = extract(page)
    assert article is not None
    assert article.site_name == name


def test_topics_for_search_engines() -> None:
    """They stand in for topics that the page neither states nor shows."""
    head = '<meta name="news_keywords" content="seals, boats">'
    for shown, tags in (
        ("", ("seals", "boats")),
        ('<p><a rel="tag" href="/t/1">Ferries</a></p>', ("Ferries",)),
    ):
        article = extract(Page("http://a.example/1", f"<html><head>{head}</head>{TEXT}{shown}".encode()))
        assert article is not None
        assert article.tags == tags


def test_numbers_behind_topics() -> None:
    """A number in an element of its own, at the end of a topic's link, counts the topic's articles."""
    links = "".join(f'<a rel="tag" href="/t/{n}">{n} seals <b>({n}0)</b></a> ' for n in (1, 2))
    tags = f'<p>{links}<a rel="tag" href="/t/3">Area 51</a></p>'
    article = extract(Page("http://a.example/1", f"<html>{TEXT}{tags}".encode()))
    assert article is not None
    assert article.tags == ("1 seals", "2 seals", "Area 51")


def test_topics_that_a_known_site_shows_without_a_place() -> None:
    """Too few pages have topics to learn their place; those that a page marks are its topics."""

    def page(number: int) -> Page:
        title = f"{number} boats {'in the harbour' if number % 2 else 'on the coast'}"
        text = f"<p>{f'Boat {number} came to the harbour {number} times in the night. ' * 9}</p>" * 3
        topics = "".join(
            f"<a href='/tag/{name}-{number}/'>{name} {number}</a> " for name in ("Boat", "Coast")
        )
        text += f"<p>{topics}</p>" if number > 17 else ""
        body = f"<title>{title}</title><main><h1>{title}</h1>{text}</main>"
        return Page(f"http://a.example/{number}.html", body.encode())

    patterns = learn([page(number) for number in range(20)])
    article = extract(page(30), patterns)
    assert article is not None
    assert article.pattern
    assert article.tags == ("Boat 30", "Coast 30")


_GERMAN = "Das Boot kam in der Nacht in den Hafen, und niemand wusste, woher es kam und was es wohl trug. "
_ENGLISH = "The boat came to the harbour in the night, and nobody knew what it had, or whose it was. "


@pytest.mark.parametrize(
    ("stated", "text", "language"),
    [
        ("", _GERMAN, "de"),
        ("en-US", _GERMAN, "de"),
        ("", _ENGLISH, "en"),
        ("en-US", _ENGLISH, "en-US"),
        ("fr", _GERMAN, "fr"),
        ("en", "Boot. ", "en"),
    ],
)
def test_the_language_of_a_page_that_is_read_alone(stated: str, text: str, language: str) -> None:
    """The text tells it where the page states none, or English without one of the usual English words."""
    pytest.importorskip("py3langid", reason="the extra language is not installed")
    body = f"<html lang='{stated}'><title>Boat</title><h1>Boat</h1>{f'<p>{text}{text}</p>' * 4}"
    article = extract(Page("http://a.example/boat.html", body.encode()))
    assert article is not None
    assert article.language == language


_CLOUD = "".join(f'<a rel="tag" href="/tag/{number}/">Topic {number}</a> ' for number in range(40))


@pytest.mark.parametrize(
    ("before", "inside", "after"),
    [
        ("", "", "<p>Tagged: %s</p>"),
        ("", "Tags: %s</p><p>", ""),
        ("<h1>Harbour</h1><p>Tags: %s</p>", "", '<div><a rel="tag" href="/tag/o/">Other</a></div>'),
        (f"<div>{_CLOUD}</div><h1>Harbour</h1>", "", "<p>%s</p>"),
        ('<ul><li><a href="/tag/menu/">Menu</a></li></ul><h1>Harbour</h1>', "", "<p>%s</p>"),
        ("", f'We wrote about <a href="/tag/x/">ferries</a>{" and so on" * 9}.', "<p>%s</p>"),
        (
            '<h1>Harbour</h1><p><a href="/tag/x/">All</a> <a href="/tag/y/">other topics</a></p>',
            "",
            "<p>%s</p>",
        ),
    ],
)
def test_topics_next_to_the_text(before: str, inside: str, after: str) -> None:
    """The element nearest to the text counts, but no cloud, no menu, and no link in a sentence."""
    topics = '<a rel="tag" href="/tag/boats/">Boats</a>, <a rel="tag" href="/tag/coast/">Coast</a>'
    text = f"<p>{'The boat came to the harbour in the night. ' * 9}</p>"
    parts = [one.replace("%s", topics) for one in (before or "<h1>Harbour</h1>", inside, after)]
    body = f"<title>Harbour</title>{parts[0]}<div>{text}<p>{parts[1]}</p>{text}</div>{parts[2]}"
    article = extract(Page("http://a.example/harbour.html", body.encode()))
    assert article is not None
    assert article.tags == ("Boats", "Coast")
