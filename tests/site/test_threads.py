from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from path_pages import layout, place, placed, words

from scrapy_webstemmer import Page, extract, learn
from scrapy_webstemmer.site.placed import PlacedLayout
from scrapy_webstemmer.site.threads import blocks_of, find_comments, without_comments

TEXT = f"<p>{words(1, 40)}</p>"
COMMENT = '<li id="c{0}"><div>Ada, 12.5.2010 at 10:2{0}</div><p>{1}</p></li>'


def page_of(body: str) -> PlacedLayout:
    return placed(body)[0]


def comments_on(body: str) -> list[list[str]]:
    """Return the texts of the comments after the first block of a page."""
    page = page_of(body)
    found = find_comments(page, [0])
    records = blocks_of(page, found.elements) if found else []
    return [[page.layout.blocks[index].text for index in one] for one in records]


def kept_of(body: str) -> list[str]:
    """Return the texts of a page's blocks without its comments."""
    page = page_of(body)
    blocks = page.layout.blocks
    return [blocks[index].text for index in without_comments(page, range(len(blocks)))]


def thread(count: int) -> str:
    return f"<ol>{''.join(COMMENT.format(n, words(10 + n)) for n in range(count))}</ol>"


def test_a_comment_is_who_wrote_when_and_what() -> None:
    """A record has the line with the date and all text beside it, in the order of the page."""
    assert comments_on(TEXT + thread(2)) == [
        ["Ada, 12.5.2010 at 10:20", words(10)],
        ["Ada, 12.5.2010 at 10:21", words(11)],
    ]


def test_answers_are_comments_of_their_own() -> None:
    """An answer inside another comment is a comment of its own, at any depth."""
    answer = COMMENT.format(2, words(12))
    first = COMMENT.format(1, words(11)).replace("</li>", f"<ul>{answer}</ul></li>")
    found = comments_on(f"{TEXT}<ol>{first}{COMMENT.format(3, words(13))}</ol>")
    assert [record[1] for record in found] == [words(11), words(12), words(13)]


def test_the_text_goes_without_its_comments() -> None:
    """The thread is left out with the heading right above it; text after it stays."""
    assert kept_of(f"{TEXT}<h2>part</h2><p>b</p>{thread(3)}<p>c</p>") == [words(1, 40), "part", "b", "c"]
    assert kept_of(f"{TEXT}<h2>3 Responses</h2>{thread(3)}") == [words(1, 40)]
    assert kept_of(f"<h2>title</h2>{thread(3)}") == ["title"]


@pytest.mark.parametrize(
    "part",
    [
        thread(1),
        f"<div><h3>12.5.2010</h3><p>{words(2)}</p></div><div><h3>13.5.2010</h3><p>{words(3)}</p></div>",
        f"<table><tr id=r1><td>12.5.2010<td>{words(2)}<tr id=r2><td>13.5.2010<td>{words(3)}</table>",
        f"<ul><li>12.5.2010: {words(2)}<li>13.5.2010: {words(3)}</ul>",
        "<div class=e><i>12.5.2010</i><p>a</p></div><div class=e><i>13.5.2010</i><p>b</p></div>",
        '<ul><li><div>12.5.2010</div><a href="/a">a</a><li><div>13.5.2010</div><a href="/b">b</a></ul>',
    ],
    ids=["single", "headings", "table", "list", "nothing of its own", "links alone"],
)
def test_what_an_author_dates_is_no_comment(part: str) -> None:
    """A single comment is text; so are dated headings and tables, and records without a mark of their own."""
    assert comments_on(TEXT + part) == []
    assert len(kept_of(TEXT + part)) == len(page_of(TEXT + part).layout.blocks)


def test_a_live_blog_has_no_comments() -> None:
    """The dated posts of a page that states that it is a live blog are its text."""
    head = '<script type="application/ld+json">{"@type": "LiveBlogPosting"}</script>'
    (page,) = place([layout(TEXT + thread(3), head=head)])
    everything = range(len(page.layout.blocks))
    assert without_comments(page, everything) == [*everything]


@pytest.mark.parametrize(
    ("name", "time", "are_comments"),
    [
        ("", "14:1{0}", False),
        ("<h3>" + words(70, 6) + "</h3>", "14:1{0}", False),
        ("<h3>Ada lost</h3>", "14:1{0} GMT", False),
        ("<h3>{0} boats are lost</h3>", "12.5.2010 14:1{0}", True),
        ("<b>Ada</b>", "14:1{0}", True),
        ("", "Ada Lee, 14:1{0}", True),
        ("", "12.5.2010 14:1{0}", True),
    ],
)
def test_entries_of_a_live_ticker_are_text(name: str, time: str, are_comments: bool) -> None:
    """They have the time of day alone, and a heading. Comments tell their day, or who wrote them."""
    entry = f"<div id=e{{0}}><div>{time}</div>{name}<p>{{1}}</p><p>Link</p></div>"
    entries = [entry.format(n, words(n + 10, 30)).replace("Ada", "Ada" + "ab"[n % 2]) for n in range(4)]
    found = comments_on(f"{TEXT}<div>{''.join(entries)}</div>")
    assert len(found) == 4 * are_comments


def test_a_definition_list() -> None:
    """In a ``dl`` a comment goes from its ``dt`` up to the next one."""
    row = "<dt id=c{0}>Ada</dt><dd>{1}</dd><dd>12.5.2010 at 10:2{0}</dd>"
    found = comments_on(f"{TEXT}<dl>{row.format(1, words(11))}{row.format(2, words(12))}</dl>")
    assert found == [["Ada", words(n + 10), f"12.5.2010 at 10:2{n}"] for n in (1, 2)]
    endless = f"<dl>{'<dd>12.5.2010<p>a</p></dd>' * 5_000}</dl>"
    assert comments_on(TEXT + endless) == []


def test_what_holds_the_beginning_of_the_text_is_no_thread() -> None:
    """Lines with a date above and below the text are the article's."""
    around = f'<div id="n1"><div>1.5.2010</div>{TEXT}</div><div id="n2"><div>2.5.2010</div><p>b</p></div>'
    page = page_of(around)
    assert find_comments(page, [1]) is None


def test_comments_go_though_their_date_lines_are_no_main_text() -> None:
    """What tells comments may stand in a part that is left out; a thread without main text tells nothing."""
    page = page_of(TEXT + thread(2))
    assert without_comments(page, [0, 2, 4]) == [0]
    assert without_comments(page, [0]) == [0]


def test_a_timeline_between_paragraphs_is_text() -> None:
    """A note behind comments is no further text; two paragraphs are."""
    for behind, kept in ((TEXT, [0, 5]), (TEXT * 2, [*range(7)])):
        page = page_of(TEXT + thread(2) + behind)
        numbers = range(len(page.layout.blocks))
        assert without_comments(page, numbers) == kept


@given(st.lists(st.sampled_from([TEXT, thread(2), "<p>10:20</p>", "<div id=d1>"]), max_size=6))
def test_any_page_has_records_in_its_thread(parts: Sequence[str]) -> None:
    """On any page, no block is in two comments, all comments stand in the thread, and the rest is kept.

    If paragraphs stand behind the thread, they may all be one text.
    """
    page = page_of(f"<p>a</p>{''.join(parts)}")
    numbers = range(len(page.layout.blocks))
    found = find_comments(page, [0])
    kept = without_comments(page, numbers)
    assert kept == sorted(kept)
    if found is None:
        assert kept == [*numbers]
        return
    inside = [index for record in blocks_of(page, found.elements) for index in record]
    assert len(inside) == len({*inside})
    assert all(found.thread <= page.layout.blocks[n].node < page.ends[found.thread] for n in inside)
    assert kept[0] == 0
    goes_on = parts[parts.index(thread(2)) :].count(TEXT) > 1
    assert not {*inside} & {*kept} or (goes_on and kept == [*numbers])


def post(number: int, kind: str = "bg1") -> str:
    """Return a post of a discussion, with its writer and its date above the text."""
    return (
        f'<div id="p{number}" class="post {kind}"><h3>Re</h3><p class="by">Ada, 12.5.2010 at 10:2{number}</p>'
        f'<div class="says"><p>{words(20 + number, 20)}</p></div><a href="/user/{number}">Ada</a></div>'
    )


def test_the_first_post_of_a_discussion_is_the_text() -> None:
    """The other posts are its comments, whatever else their classes are, and lines above its date go too."""
    posts = post(1) + post(2, "bg2") + post(3)
    assert kept_of(f"<div>{posts}</div>") == [words(21, 20)]


def test_a_date_above_the_main_text() -> None:
    """The line with the date of the first post may stand before all main text."""
    page = page_of(f"<h2>title</h2><div>{post(1)}{post(2)}{post(3)}</div>")
    blocks = page.layout.blocks
    main = [index for index, block in enumerate(blocks) if block.text == words(21, 20)]
    found = find_comments(page, main)
    assert found is not None
    assert found.opening
    records = blocks_of(page, found.elements)
    assert [blocks[record[-2]].text for record in records] == [words(22, 20), words(23, 20)]


def test_a_date_below_the_text_of_the_first_post() -> None:
    """The first post keeps its text if its date stands below it."""
    posts = "".join(
        f'<div id="p{n}" class="post"><p>{words(20 + n, 20)}</p>'
        f'<p class="by">Ada, 12.5.2010 at 10:2{n}</p></div>'
        for n in (1, 2, 3)
    )
    assert kept_of(f"<div>{posts}</div>")[0] == words(21, 20)
    assert words(22, 20) not in kept_of(f"<div>{posts}</div>")


def test_dated_sections_of_an_article_stay() -> None:
    """Records without a number or without a common class are an author's sections."""
    sections = "".join(post(n).replace(f' id="p{n}"', "") for n in (1, 2, 3))
    assert len(kept_of(f"<div>{sections}</div>")) == 12
    sections = "".join(post(n).replace('class="post bg1"', f'class="post{n}"') for n in (1, 2, 3))
    assert len(kept_of(f"<div>{sections}</div>")) == 12


def test_an_article_that_follows_is_another_one() -> None:
    """Where readers scroll on to the next article, the text ends with that of the page."""
    text = "<p>The ferry to the islands sails again, and the harbour is full of boats and gulls.</p>" * 4
    other = "<p>The geese on the green worry the council, which has had no goose herd since May.</p>" * 3
    first = f"<article><h1>Ferry</h1><p>By Ann Lee, 5 March 2026</p>{text}</article>"
    body = f"<title>Ferry</title><main>{first}<article><h1>Geese</h1>{other}</article></main>"
    page = Page("https://gulls.example/2026/03/05/ferry", body.encode())
    for patterns in (None, learn([page])):
        article = extract(page, patterns)
        assert article is not None
        assert "geese" not in article.text
        assert "ferry" in article.text
