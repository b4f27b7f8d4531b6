"""What a template puts into a text, on a page of whose site nothing is known, or that has something new."""

from __future__ import annotations

from dataclasses import replace

import pytest
from news_pages import article, articles
from path_pages import layout, place, words

from scrapy_webstemmer import Page, PatternSet, extract, learn
from scrapy_webstemmer.site.insets import without_insets

PARTS = [f"<p>{words(number, 60)}.</p>" for number in range(3)]
BOTH = f"{words(0, 60)}.", f"{words(1, 60)}.", f"{words(2, 60)}."


def text_of(body: str, title: str = "The ferry is late", article: float = 0.9) -> list[str]:
    """Return the text of a page, of which everything was taken for main text."""
    (page,) = place([layout(f"<div class=text>{body}</div>", title=title)])
    blocks = page.layout.blocks
    return [blocks[number].text for number in without_insets(page, range(len(blocks)), title, article)]


def among(inset: str) -> str:
    """Return a text with something between its paragraphs."""
    return f"{PARTS[0]}{inset}{''.join(PARTS[1:])}"


@pytest.mark.parametrize(
    "inset",
    [
        "<div class=newsletter-signup><h3>Our letter</h3><p>News each week.</p></div>",
        "<div class=paywall><p>Subscribers read on.</p></div>",
        "<div class=box><p>News each week, free of charge.</p><form action=/go></form></div>",
        "<div class=ad-container><span class=ad-label>Advertisement</span></div>",
        "<div class=related-box><h4>Related</h4><ul><li><a href=/b>The bell</a></li></ul></div>",
        '<div id=toc class=toc><h2>Contents</h2><ul><li><a href="#a">History</a></li></ul></div>',
        "<div class=wide>- Advertisement -</div>",
        "<p>Werbung</p>",
        "<p>Story continues below advertisement</p>",
        "<p>Article continues below this ad</p><div>Ad</div>",
        "<div class=slot><span>La suite après la publicité</span></div>",
        '<p class=button-wrapper><a href="/share">Share</a></p>',
        '<div class=embed><a href="/b/2">Read also: the bell is cracked</a></div>',
        "<div class=box><p>News each week, for free.</p><form class=box-subscribe action=/go></form></div>",
        "<div class=sharedaddy><h3>Like this:</h3><p>Loading</p></div>",
        "<ul class=post-copyright><li>Link: <a href=/b>harbour.example/b</a></li><li>Rights: BY</li></ul>",
        "<div class=license-box><div>The ferry is late</div><div>Ann Lee</div></div>",
        "<div class=author-bio><p>Ann Lee writes about bells.</p></div>",
        "<div id=about-author><h4>Ann Lee</h4><p>She writes about bells.</p></div>",
        "<figure><a href=/b/2><div>The bell</div><div>It is cracked, and rings no more.</div></a></figure>",
        "<div class=a-subscription-wrap><p>News each week.</p></div>",
        "<div id=story-ad-1-wrapper><p>Advertisement</p></div>",
        "<div><h3>More</h3><div><h4><a href=/b/2>The bell is cracked</a></h4></div></div>",
        "<div><p>Read on:</p><ul><li><a href=/b/2>The bell is cracked, and rings no more</a></li></ul></div>",
        "<div><a href=/b/2><h2>The bell</h2><p>It is cracked.</p><p>harbour.example</p></a></div>",
        "<p>Lue myös: <a href=/b/2>The bell is cracked, and rings no more</a></p>",
        "<p><b>Also read | <a href=/b/2>The bell is cracked, and rings no more</a></b></p>",
        "<p>ALSO READ - <a href=/b/2>The bell is cracked, and rings no more</a></p>",
        "<p><b>Related:</b><br><a href=/b/2>The bell is cracked, and rings no more</a></p>",
        "<p class=gull-reading-time__wrapper>About 6 minutes</p>",
        "<p class=nocomments>Comments are closed.</p>",
        "<p class=icon-tooltip>We test what we recommend.</p>",
    ],
)
def test_what_a_template_puts_between_paragraphs_is_no_text(inset: str) -> None:
    """Boxes with a form or a telling name, buttons, lone links, cards and labels are taken out of a text."""
    assert text_of(among(inset)) == [*BOTH]


@pytest.mark.parametrize(
    "part",
    [
        "<div class=paywall><p>{}.</p></div>",
        "<p class=paywall>{}.</p>",
        "<div class=subscription-content><p>{0}.</p><p>{0}.</p><p><a href=/b>A bell</a> {0}.</p></div>",
        "<div id=donations><h2>Donations</h2><p>{}.</p></div>",
        "<ul><li id=share>Share: {}</ul>",
        "<p>Advertising pays after rain</p><p>{}.</p>",
        "<p>La tregua continua ad Aleppo</p><p>{}.</p>",
        "<p>23 | <a href=/b/2>The bell is cracked, and rings no more</a></p><p>{}.</p>",
        "<blockquote><p>{}.</p><footer class=quote__author>Ann Lee</footer></blockquote>",
    ],
)
def test_what_only_seems_to_be_put_in_is_text(part: str) -> None:
    """So are the text behind a paywall, sections and entries with ids from their words, and who is quoted."""
    own = words(7, 30)
    assert sum(own in text for text in text_of(among(part.format(own)))) == part.count("{")


def test_a_line_at_the_end_that_names_another_page_is_no_text() -> None:
    """It stands behind a paragraph: a line below something else may name what that comes from."""
    line = "<p>Read more: <a href=/b/2>The bell is cracked, and rings no more</a></p>"
    assert text_of(f"{''.join(PARTS)}{line}") == [*BOTH]
    assert len(text_of(f"{''.join(PARTS)}<table><tr><td>Tides</td></tr></table>{line}")) == 5
    assert len(text_of(f"{''.join(PARTS)}<p>Tickets: <a href=/t>www.ferry.example/tickets</a></p>")) == 4


@pytest.mark.parametrize("above", ["<h2>Contents</h2>", "<p>On this page:</p>"])
def test_a_list_of_the_headings_below_is_no_text(above: str) -> None:
    """It leads to them, whatever its name is. Other links within a page, and a few headings, stay."""
    heads = [words(number, 3) for number in (70, 80, 90)]
    parts = "".join(f"<h2>{head}</h2>{part}" for head, part in zip(heads, PARTS, strict=True))
    items = [f'<li><a href="#{number}">{head}</a></li>' for number, head in enumerate(heads)]
    whole = [text for pair in zip(heads, BOTH, strict=True) for text in pair]
    assert text_of(f"{above}<ul>{''.join(items)}</ul>{parts}") == whole
    assert len(text_of(f"{above}<ul>{''.join(items[:2])}</ul>{parts}")) == 9


def test_links_back_to_the_top_are_no_text() -> None:
    """Each is a line by itself; a table or a list may have the same links several times."""
    line = '<a href="#top">Back to top</a>'
    assert text_of("".join(f"{part}<p>{line}</p>" for part in PARTS)) == [*BOTH]
    assert text_of(f"{''.join(PARTS)}<ul>{f'<li>{line}</li>' * 3}</ul>").count("Back to top") == 3
    source = '<p><a href="http://wiki.example/sea">Sea</a> <a href="#r1">2</a></p>'
    assert text_of(f"{''.join(PARTS)}{source * 3}").count("Sea 2") == 3


@pytest.mark.parametrize(
    "byline", ["<p>By Ann Lee, 4 May 2026</p>", "<div>Ann Lee</div><div>4 May 2026</div>"]
)
@pytest.mark.parametrize("name", ["Ann Lee", "Bo Roe"])
def test_who_wrote_a_text_is_none_of_it(byline: str, name: str) -> None:
    """A box below the text begins with the name in the byline; who else is presented there is text."""
    box = f"<div class=x><img src=/i><div><b>{name}</b><div>{words(50, 9)}.</div></div></div>"
    body = f"<h1>The ferry is late</h1>{byline}<div class=text>{''.join(PARTS)}{box}</div>"
    article = extract(f"<title>The ferry is late</title><body>{body}", url="https://a.example/ferry/")
    assert (words(50, 9) in article.text) is (name not in byline)


def test_a_heading_beside_a_button_is_text() -> None:
    """A line and links are a box of teasers if the links have more text."""
    assert "The bell" in text_of(among("<div><h3>The bell</h3><p><a href=/b/2>edit</a></p></div>"))


def test_insets_are_a_small_part_of_a_text() -> None:
    """A part with a telling name that holds much of the text is text."""
    body = f"{PARTS[0]}<div class=promo>{PARTS[1]}</div>{PARTS[2]}"
    assert text_of(body) == [*BOTH]


def test_boxes_of_other_pages_may_be_their_text() -> None:
    """On a page that is no article, a box with a form stays."""
    body = among("<div class=box><p>News each week, free of charge.</p><form action=/go></form></div>")
    assert "News each week, free of charge." in text_of(body, article=0.2)


TEASERS = "".join(
    f"<div class=story><h3><a href=/b/{n}>{words(n)}</a></h3><p>Much.</p></div>" for n in range(6, 9)
)


def test_teasers_in_a_box_with_a_name_are_none_where_the_text_is() -> None:
    """They may be more than other boxes, which are a small part of the text."""
    excerpts = TEASERS.replace("Much", words(4, 30))
    assert len(text_of(f"{''.join(PARTS)}<div class=related><h2>Related</h2>{excerpts}</div>")) == 3
    assert len(text_of(f"<p>{words(0, 9)}.</p><div class=related><h2>Related</h2>{excerpts}</div>")) == 8


def test_related_pages_in_the_element_of_the_text_are_none() -> None:
    """Their excerpts may be more than other boxes, too, in a list that an author could have written."""
    items = "".join(f"<li><a href=/b/{n}>{words(n)}</a> <small>{words(n, 25)}.</small>" for n in range(6, 9))
    related = f"<div class=gull-related><h3>Related</h3><ol>{items}</ol></div>"
    assert text_of(f"{''.join(PARTS)}{related}<p>{words(9, 60)}.</p>") == [*BOTH, f"{words(9, 60)}."]
    map_ = f"<div class=map-and-related>{PARTS[0]}{PARTS[1]}</div>"  # it leads nowhere
    assert len(text_of(f"{''.join(PARTS)}{map_}<p>{words(9, 60)}.</p>")) == 6
    promo = related.replace("gull-related", "promo")
    assert len(text_of(f"{''.join(PARTS)}{promo}<p>{words(9, 60)}.</p>")) == 8


def test_the_line_with_the_day_goes_with_the_short_lines_beside_it() -> None:
    """Author, reading time and the day at the head of a text are none of it."""
    head = "<div>Ann Lee</div><div>4 min read</div><div>Mar 19, 2025</div>"
    assert text_of(head + "".join(PARTS)) == [*BOTH]
    assert text_of(f"<p>{words(9, 20)}.</p>{head}{''.join(PARTS)}") == [f"{words(9, 20)}.", *BOTH]


def test_a_short_sentence_with_a_day_is_text() -> None:
    """In ideographs, a sentence is as short as the line with the day."""
    first = "另一媒體也在2009年3月19日報導了渡輪的消息。"
    assert text_of(f"<p>{first}</p>{''.join(PARTS)}") == [first, *BOTH]


def test_several_days_are_the_authors() -> None:
    """A diary keeps its days."""
    body = "".join(f"<div>March {day}, 2025</div>{part}" for day, part in zip((3, 5, 8), PARTS, strict=True))
    assert len(text_of(body)) == 6


def test_a_listing_is_the_authors() -> None:
    """A day in it is none of the page."""
    line = "2025-03-19 08:02 Ann ready"
    assert text_of(f"{PARTS[0]}<pre>{line}</pre>{PARTS[1]}") == [BOTH[0], line, BOTH[1]]


def test_lines_above_the_title_are_no_text() -> None:
    """Where the title stands in the text, what is above it belongs to the page."""
    assert text_of(f"<div>Home</div><div>The ferry is late</div>{''.join(PARTS)}") == [*BOTH]


@pytest.mark.parametrize(("above", "stays"), [("Ctrl K", False), (words(9, 60), True)])
def test_lines_above_a_title_that_is_no_block_of_the_text(above: str, stays: bool) -> None:
    """The title is known where it stands; a paragraph above it is text."""
    title = "The ferry is late"
    (page,) = place([layout(f"<p>{above}</p><h2>{title}</h2>{''.join(PARTS)}", title=title)])
    main = without_insets(page, [0, 2, 3, 4], title, 0.9)
    assert [*main] == ([0, 2, 3, 4] if stays else [2, 3, 4])


@pytest.fixture(scope="module")
def press() -> PatternSet:
    return learn(articles("press.example", 20, "press"))


def _with(page: Page, part: str) -> Page:
    """Return a page with something before the last paragraph of its story."""
    text, end, rest = page.body.partition(b"</div></article>")
    head, begin, last = text.rpartition(b"<p>")
    return replace(page, body=head + part.encode() + begin + last + end + rest)


def test_a_box_where_few_pages_are_known() -> None:
    """A box that only some of them have may be the author's by all that they tell: its name tells more."""
    part = "<aside class=inline-related><h4>Read also</h4><ul><li><a href=/b/2>{}</a></li></ul></aside>"
    *pages, last = articles("press.example", 4, "press")
    learned = learn([*pages, _with(last, part.format(words(1)))])
    page = article("press.example", 99, "press")
    plain, found = extract(page, learned), extract(_with(page, part.format(words(9))), learned)
    assert plain is not None
    assert found is not None
    assert found.text == plain.text


@pytest.mark.parametrize(
    ("line", "stays"),
    [
        ("<p>Advertisement</p>", False),
        ("<h3>Advertising</h3>", True),
        ("<p>Tides</p>", True),
    ],
)
def test_labels_of_advertisements_on_a_known_site(line: str, stays: bool) -> None:
    """Where only some pages have them, their words tell them from lines of the author; not in a heading."""
    pages = articles("press.example", 20, "press")
    learned = learn(page if number % 3 else _with(page, line) for number, page in enumerate(pages))
    page = article("press.example", 99, "press")
    plain, found = extract(page, learned), extract(_with(page, line), learned)
    assert plain is not None
    assert found is not None
    assert (found.text != plain.text) is stays
