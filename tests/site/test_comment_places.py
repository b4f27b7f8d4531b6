from __future__ import annotations

from collections.abc import Sequence

import pytest
from path_pages import placed, words

from scrapy_webstemmer.site.comment_places import learn_threads, with_comments_marked
from scrapy_webstemmer.site.placed import PlacedLayout
from scrapy_webstemmer.site.threads import find_comments

TEXT = f"<p>{words(1, 40)}</p>"
COMMENT = '<li id="c{0}"><div>Ada, 12.5.2010 at 10:2{0}</div><p>{1}</p></li>'
SINGLE = COMMENT.format(7, words(630))


def test_where_a_site_has_comments_a_single_one_is_found() -> None:
    """Threads on several pages teach where they stand; there a single comment is found, and its answers."""
    whole = "<body><div>{0}</div><div id=comments><ol>{1}</ol></div>"
    rows = ["".join(COMMENT.format(n, words(50 * m + n)) for n in range(2, 4 + m)) for m in range(3)]
    answered = SINGLE.replace("</li>", f"<ul>{COMMENT.format(8, words(731))}</ul></li>")
    lonely = [SINGLE, answered, "<li id=c9><div>12.5.2010</div></li>", ""]
    pages = placed(*(whole.format(TEXT, row) for row in [*rows, *lonely]))
    learned = [(page, find_comments(page, [0])) for page in pages[:3]]
    assert learn_threads([one for one in learned[:2] if one[1]]) == {}
    threads = learn_threads((page, found) for page, found in learned if found)
    assert [*threads.values()] == [("li/div",)]

    def depths(page: PlacedLayout, main: Sequence[int] = (0,)) -> list[int]:
        found = find_comments(page, main, threads)
        return [page.layout.steps[element].tag == "li" for element in found.elements] if found else []

    assert [len(depths(page)) for page in pages[3:]] == [1, 2, 0, 0]
    assert depths(pages[3], [0, 2]) == []  # its text is main text: the author's own dated note


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
    section = "<div class=e><p>{0}</p><a href='http://x.example/{1}'>Box {1}</a></div>"
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
