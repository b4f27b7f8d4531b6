from __future__ import annotations

from collections.abc import Sequence

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


DATED = "<div class=e id=c{0}><div>12.5.2010</div><p>{1}</p></div>"


def marked_on(rows: Sequence[str]) -> list[int]:
    """Return for pages with some comments, each below a text of its own, how many elements are marked."""
    bodies = [
        f"<div class=text><p>{words(1000 + 60 * n, 40)}</p></div><div class=talk>{row}</div>"
        for n, row in enumerate(rows)
    ]
    pages = with_comments_marked(placed(*bodies))
    return [
        sum("e" in step.classes and flag for step, flag in zip(page.layout.steps, page.repeated, strict=True))
        for page in pages
    ]


def test_comments_are_marked_as_records() -> None:
    """Where three pages have several comments below their text, few of them count, too."""
    rows = ["".join(DATED.format(n, words(90 * p + 9 * n, 40)) for n in range(p + 3)) for p in range(4)]
    single = DATED.format(1, words(900, 40))
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
