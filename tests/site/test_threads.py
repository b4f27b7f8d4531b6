from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from path_pages import placed, words

from scrapy_webstemmer.site.frames import find_frames, without_frames
from scrapy_webstemmer.site.placed import PlacedLayout
from scrapy_webstemmer.site.threads import (
    find_comments,
    learn_threads,
    with_comments_marked,
    without_comments,
)
from scrapy_webstemmer.values import Frame

TEXT = f"<p>{words(1, 40)}</p>"
COMMENT = '<li id="c{0}"><div>Ada, 12.5.2010 at 10:2{0}</div><p>{1}</p></li>'


def page_of(body: str) -> PlacedLayout:
    return placed(body)[0]


def comments_on(body: str) -> list[list[str]]:
    """Return the texts of the comments after the first block of a page."""
    page = page_of(body)
    found = find_comments(page, [0], range(len(page.layout.blocks)))
    return [[page.layout.blocks[index].text for index in one] for one in found.records] if found else []


def kept_of(body: str) -> list[str]:
    """Return the texts of a page's blocks without its comments."""
    page = page_of(body)
    blocks = page.layout.blocks
    return [blocks[index].text for index in without_comments(page, range(len(blocks)), range(len(blocks)))]


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


def test_a_definition_list() -> None:
    """In a ``dl`` a comment goes from its ``dt`` up to the next one."""
    row = "<dt id=c{0}>Ada</dt><dd>{1}</dd><dd>12.5.2010 at 10:2{0}</dd>"
    found = comments_on(f"{TEXT}<dl>{row.format(1, words(11))}{row.format(2, words(12))}</dl>")
    assert found == [["Ada", words(n + 10), f"12.5.2010 at 10:2{n}"] for n in (1, 2)]
    endless = f"<dl>{'<dd>12.5.2010<p>a</p></dd>' * 5_000}</dl>"
    assert comments_on(TEXT + endless) == []


SINGLE = COMMENT.format(7, words(630))


def test_where_a_site_has_comments_a_single_one_is_found() -> None:
    """Threads on several pages teach where they stand; there a single comment is found, and its answers."""
    whole = "<body><div>{0}</div><div id=comments><ol>{1}</ol></div>"
    rows = ["".join(COMMENT.format(n, words(50 * m + n)) for n in range(2, 4 + m)) for m in range(3)]
    answered = SINGLE.replace("</li>", f"<ul>{COMMENT.format(8, words(731))}</ul></li>")
    lonely = [SINGLE, answered, "<li id=c9><div>12.5.2010</div></li>", ""]
    pages = placed(*(whole.format(TEXT, row) for row in [*rows, *lonely]))
    learned = [(page, find_comments(page, [0], range(len(page.places)))) for page in pages[:3]]
    assert learn_threads([one for one in learned[:2] if one[1]]) == {}
    threads = learn_threads((page, found) for page, found in learned if found)
    assert [*threads.values()] == [("li/div",)]

    def depths(page: PlacedLayout, main: Sequence[int] = (0,)) -> list[int]:
        found = find_comments(page, main, range(len(page.places)), threads)
        return [page.layout.steps[element].tag == "li" for element in found.elements] if found else []

    assert [len(depths(page)) for page in pages[3:]] == [1, 2, 0, 0]
    assert depths(pages[3], [0, 2]) == []  # its text is main text: the author's own dated note


def test_what_holds_the_beginning_of_the_text_is_no_thread() -> None:
    """Lines with a date above and below the text are the article's."""
    around = f'<div id="n1"><div>1.5.2010</div>{TEXT}</div><div id="n2"><div>2.5.2010</div><p>b</p></div>'
    page = page_of(around)
    assert find_comments(page, [1], range(len(page.layout.blocks))) is None


def test_comments_go_though_their_date_lines_are_no_main_text() -> None:
    """What tells comments may stand in a part that is left out; a thread without main text tells nothing."""
    page = page_of(TEXT + thread(2))
    assert without_comments(page, [0, 2, 4], range(5)) == [0]
    assert without_comments(page, [0], range(5)) == [0]


def test_unlike_elements_with_a_time_are_no_comments() -> None:
    """The lengths of films in parts of a text look like times, but the parts have no name in common."""
    film = f'<div class={{}}><div class=f><a href="/v">Film</a> 03:10</div><p>{words(4, 30)}</p></div>'
    parts = [film.format(name) for name in ("head", "rest", "foot")]
    assert comments_on(f"{TEXT}<div>{''.join(parts)}</div>") == []
    assert len(comments_on(f"{TEXT}<div>{film.format('head') * 3}</div>")) == 3


SAYS = "<div class=e><p>Ada, {0} weeks ago <a href='#r'>Reply</a></p><p>{1}</p></div>"
DATED = "<div class=e id=c{0}><div>12.5.2010</div><p>{1}</p></div>"


def marked_on(rows: Sequence[str], text: str = "<div class=text>{}</div>") -> list[int]:
    """Return for pages with some comments, each below a text of its own, how many elements are marked."""
    bodies = [
        f"{text.format(f'<p>{words(1000 + 60 * n, 40)}</p>')}<div class=talk>{row}</div>"
        for n, row in enumerate(rows)
    ]
    pages = with_comments_marked(placed(*bodies))
    return [
        sum("e" in step.classes and flag for step, flag in zip(page.layout.steps, page.repeated, strict=True))
        for page in pages
    ]


@pytest.mark.parametrize("comment", [SAYS, DATED])
def test_comments_are_marked_as_records(comment: str) -> None:
    """Where three pages have several comments below their text, few of them count, too, dated or not."""
    rows = ["".join(comment.format(n, words(90 * p + 9 * n, 40)) for n in range(p + 3)) for p in range(4)]
    single = comment.format(1, words(900, 40))
    assert marked_on([*rows, single, ""]) == [3, 4, 5, 6, 1, 0]
    few = marked_on([*rows[:2], single])
    assert few == [3, 4, 0]  # two pages do not tell


def test_comments_below_hardly_any_text_are_marked() -> None:
    """A page without a paragraph of its own does not hide its comments, where others show what they are."""
    rows = ["".join(DATED.format(n, words(90 * p + 9 * n, 40)) for n in range(3)) for p in range(4)]
    bodies = [f"<div class=text><p>{words(1000 + 60 * p, 40)}</p></div>" for p in range(3)]
    bodies += ["<div class=text><p>Short.</p></div>"]
    pages = placed(*(f"{body}<div class=talk>{row}</div>" for body, row in zip(bodies, rows, strict=True)))
    assert [sum(page.repeated) for page in with_comments_marked(pages)] == [9] * 4


def test_sections_around_the_text_are_no_comments() -> None:
    """A page builder puts all in sections; what holds the text on as many pages is no record elsewhere."""
    section = "<div class=e><p>{0}</p><a href='http://x.example/{1}'>more</a></div>"
    rows = ["".join(section.format(words(90 * p + 30 * n, 25), n) for n in range(3)) for p in range(3)]
    assert marked_on([*rows, section.format(words(900, 30), 1)], "{}") == [3, 3, 3, 1]
    within = marked_on(
        [*rows, section.format(words(900, 30), 1)], "<div class=talk><div class=e>{}</div></div>"
    )
    assert within[3] == 0


@pytest.mark.parametrize("post", [SAYS, DATED])
def test_what_holds_most_of_the_text_is_no_comment(post: str) -> None:
    """Lists show several posts with their days. A line of news above does not hide that one is the text."""
    bar = "<div class=bar><p>{}</p></div><div class=talk>{}</div>"
    lists = ["".join(post.format(n, words(90 * p + 9 * n, 40)) for n in range(3)) for p in range(4)]
    posts = [post.format(n, words(900 + 80 * n, 70)) for n in range(6)]
    pages = placed(*(bar.format(words(2000 + 20 * n, 15), row) for n, row in enumerate([*lists, *posts])))
    assert [any(page.repeated) for page in with_comments_marked(pages)[4:]] == [False] * 6


@given(st.lists(st.sampled_from([TEXT, thread(2), "<p>10:20</p>", "<div id=d1>"]), max_size=6))
def test_any_page_has_records_in_its_thread(parts: Sequence[str]) -> None:
    """On any page, no block is in two comments, all comments stand in the thread, and the rest is kept."""
    page = page_of(f"<p>a</p>{''.join(parts)}")
    numbers = range(len(page.layout.blocks))
    found = find_comments(page, [0], numbers)
    kept = without_comments(page, numbers, numbers)
    assert kept == sorted(kept)
    if found is None:
        assert kept == [*numbers]
        return
    inside = [index for record in found.records for index in record]
    assert len(inside) == len({*inside})
    assert all(found.thread <= page.layout.blocks[n].node < page.ends[found.thread] for n in inside)
    assert kept[0] == 0
    assert not {*inside} & {*kept}


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


def framed(*lines: str, text: str = "<p>{}</p><p>{}</p>", titles: Sequence[str] = ()) -> list[PlacedLayout]:
    """Return pages with a line each at the head of their text, or where ``text`` has ``@``."""
    text = text if "@" in text else "@" + text
    bodies = [
        text.format(words(n, 30), words(n + 300, 30)).replace("@", line) for n, line in enumerate(lines)
    ]
    return placed(*bodies, titles=titles)


def new_on(page: PlacedLayout) -> list[int]:
    """Return the indexes of the blocks that are not boilerplate."""
    return [index for index, known in enumerate(page.boilerplate) if not known]


def frames_of(pages: Sequence[PlacedLayout]) -> tuple[Frame, ...]:
    return find_frames([(page, new_on(page), 0) for page in pages])


def shown_on(page: PlacedLayout, frames: Sequence[Frame]) -> list[str]:
    """Return the texts of a page's blocks without the lines that are filled in."""
    return [page.layout.blocks[index].text for index in without_frames(page, new_on(page), frames)]


OUTER, INNER = "body/article", "body/article/div.text"
NAMES = [words(31 * number, 4) for number in range(30)]


@pytest.mark.parametrize(
    ("line", "frame"),
    [
        ("<p>Posted by {name}</p>", ("posted by", "")),
        ("<p>{name} wrote this</p>", ("", "wrote this")),
        ("<p>Posted by {name} in Example News</p>", ("posted by", "in example news")),
        ("<p>{name} on the {number}.5.2010</p>", ("", "on the 0.0.0")),
        ("<h4>{number} {name}, 2010</h4>", ("", "")),
        ("<p>No. {number}: {name}</p>", ("no. 0", "")),
        (
            "<p>This report was written in {name} {number}, and you can follow the answers to it</p>",
            ("this report was written in", "0, and you can follow the answers to it"),
        ),
        ("<p>Tags: <a href='/{number}'>{long}</a>, <a href='/b'>{long}</a></p>", ("tags", "")),
        ("<p><a href='/'>Home</a> &gt; {name} &gt; {title}</p>", ("home", "\0")),
    ],
)
@pytest.mark.parametrize("text", ["@<p>{}</p><p>{}</p>", "<p>{}</p><p>{}</p>@"])
def test_a_line_that_a_template_fills_in_is_no_text(line: str, frame: tuple[str, str], text: str) -> None:
    """The same words around a name, a day, a number, links or the title, at the head or the foot."""
    titles = [words(31 * n + 9, 14) for n in range(12)]
    lines = [
        line.format(name=NAMES[n], number=n + 10, title=titles[n], long=words(31 * n, 14)) for n in range(12)
    ]
    pages = framed(*lines, text=text, titles=titles)
    found = frames_of(pages)
    assert [one[1:] for one in found] == [frame]
    assert shown_on(pages[0], found) == [words(0, 30), words(300, 30)]


def test_where_the_line_stands_outside_of_the_text_it_says_nothing() -> None:
    """Pages of another layout, whose container has the text without the line, are no exceptions."""
    text = "<article><div class='text'><p>{}</p><p>{}</p></div>@</article>"
    pages = framed(*(f"<p class='by'>Posted by {name}</p>" for name in NAMES[:24]), text=text)
    outer, inner = (page.paths.index(path) for page, path in ((pages[0], OUTER), (pages[0], INNER)))
    whole = [(page, new_on(page), outer) for page in pages[:12]]
    parts = [(page, new_on(page)[:-1], inner) for page in pages[12:]]
    (found,) = find_frames([*whole, *parts])
    assert found.begin == "posted by"
    assert find_frames([*whole, *((page, main, outer) for page, main, _ in parts)]) == ()


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("<p>{name}</p>", "@<p>{}</p><p>{}</p>"),  # nothing is the same
        ("<p>We write that {long}</p>", "@<p>{}</p><p>{}</p>"),  # a sentence
        ("<p>{number} cups</p>", "@<p>{}</p><p>{}</p>"),  # one letter is not enough: digits are folded
        ("<h3>About {name}</h3>", "@<p>{}</p><p>{}</p>"),  # a heading
        ("<p><a href='/{number}'>All about {name}</a></p>", "<p>{}</p><p>{}</p>@"),  # a lone link
        ("<p>Source: <a href='http://example.org/{number}'>{long}</a></p>", "<p>{}</p><p>{}</p>@"),
        ("<p>Asked by {name}</p>", "<p>{}</p>@<p>{}</p>"),  # within the text
    ],
)
def test_what_an_author_writes_stays(line: str, text: str) -> None:
    """A line that is like no other one, a sentence, a heading, a link and a source are the author's."""
    line = line.replace("cups", "c")
    lines = [line.format(name=NAMES[n], number=n + 10, long=words(31 * n, 14)) for n in range(12)]
    assert frames_of(framed(*lines, text=text)) == ()


def test_an_author_has_habits_and_a_template_has_none() -> None:
    """Nine pages without an exception are enough, and 25 with one; two in 30 are a habit."""
    for pages, without, found in ((8, 0, False), (9, 0, True), (24, 1, False), (25, 1, True), (30, 2, False)):
        lines = [f"<p>Posted by {name}</p>" for name in NAMES[: pages - without]]
        lines += [f"<p>{NAMES[number]}</p>" for number in range(without)]
        assert bool(frames_of(framed(*lines))) is found, (pages, without)


def test_a_line_does_not_hide_the_one_behind_it() -> None:
    """Two long lines of the template go; only pages that have text at the path count."""
    line = "<div class='in'>Filed under <a href='/1'>{}</a> and {}</div><div class='by'>By {}</div>"
    pages = framed(*(line.format(words(31 * n, 14), chr(97 + n) * 50, NAMES[n]) for n in range(12)), "")
    found = frames_of(pages)
    assert found == (Frame("body/div.in", "filed under", ""), Frame("body/div.by", "by", ""))
    assert [shown_on(pages[n], found) for n in (0, 12)] == [
        [words(n, 30), words(n + 300, 30)] for n in (0, 12)
    ]


def test_words_of_the_template_end_where_words_end() -> None:
    """A line that begins with a longer word is another one, and so is one at another path."""
    frames = [Frame("body/p", "by", "")]
    page = placed(f"<p>Bystanders saw it</p><h2>By Ann</h2><p>{words(1, 30)}</p><p>By Ann</p>")[0]
    assert shown_on(page, frames) == ["Bystanders saw it", "By Ann", words(1, 30)]


def test_a_text_of_such_lines_alone_stays() -> None:
    """Nothing is left of it otherwise, and a page without a text is no article."""
    assert shown_on(placed("<p>By Ann</p>")[0], [Frame("body/p", "by", "")]) == ["By Ann"]


@given(st.lists(st.sampled_from(["<p>by a b</p>", "<p>by x</p>", "<p>1.2.2010</p>", "<p>z</p>"]), max_size=9))
def test_what_is_found_goes(lines: list[str]) -> None:
    """What was found on a page is a part of it, in its order, and the same each time."""
    page = placed("".join(lines))[0]
    frames = [Frame("body/p", "by", ""), Frame("body/p", "", "")]
    numbers = range(len(page.layout.blocks))
    once = without_frames(page, numbers, frames)
    assert once == sorted(set(once))
    assert set(once) <= set(numbers)
