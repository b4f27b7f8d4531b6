from __future__ import annotations

import pytest
from path_pages import placed, words

from scrapy_webstemmer.site.main_text import (
    around_parts,
    container_on,
    descend,
    find_container,
    share_containers,
)

MENU = '<div class="menu">Start and contact</div>'


def container(*bodies: str) -> str:
    return find_container(placed(*bodies))


def article(number: int, more: str = "") -> str:
    return f'{MENU}<div class="page"><div class="post"><p>{words(number)}</p>{more}</div></div>'


def test_the_way_leads_to_the_element_that_holds_the_text() -> None:
    """The search goes down while one element holds the varying text, but into no paragraph."""
    assert container(*map(article, range(4))) == "body/div.page/div.post"


@pytest.mark.parametrize("tag", ["p", "li", "pre", "h2"])
def test_what_an_author_writes_is_no_container(tag: str) -> None:
    """A paragraph, an item, preformatted text or a heading is never a container, even if it holds all."""
    assert container(*(f"<div><{tag}>{words(n)}</{tag}></div>" for n in range(4))) == "body/div"


def test_two_elements_that_share_the_text_are_not_gone_into() -> None:
    """If no child holds four fifths, the search stops; without text the container is the body."""
    bodies = [f'<div class="a">{words(n)}</div><div class="b">{words(n + 5)}</div>' for n in range(4)]
    assert container(*bodies) == "body"
    assert container(MENU, MENU, MENU) == "body"


def test_most_pages_decide() -> None:
    """The element must hold the text on seven of ten pages; on the other pages it may hold less."""

    def with_boxes(count: int) -> str:
        box = '<div class="box">{}</div>'
        return container(*(article(n) + (box.format(words(n + 20)) if n < count else "") for n in range(10)))

    assert with_boxes(3) == "body/div.page/div.post"
    assert with_boxes(4) == "body"


def test_the_container_on_a_page_is_the_heaviest_at_its_path() -> None:
    """If a page has several elements at the container's path, the one with the most mass counts."""
    page = placed("<nav>abc</nav><nav>abcdef</nav><nav>ab</nav>")[0]
    assert container_on(page, "body/nav") == 2
    assert container_on(page, "body") == 0
    assert container_on(page, "body/h1") is None


def test_of_equal_elements_the_first_is_the_container() -> None:
    """If two elements have the same mass, the first one is the container."""
    assert container_on(placed("<nav>abc</nav><nav>def</nav>")[0], "body/nav") == 1


def test_a_single_page_is_gone_down_by_its_own_mass() -> None:
    """Without a learned container, the page's own masses lead to an element, never to a link."""
    page = placed(article(1), article(2), article(3))[0]
    assert page.paths[descend(page)] == "body/div.page/div.post"
    assert descend(placed(f"<div>{words(1)}</div><div>{words(2)}</div>")[0]) == 0
    assert descend(placed('<div><a href="/">link</a></div>')[0]) == 0


@pytest.mark.parametrize(("share", "path"), [(70, "body"), (80, "body/div.a")])
def test_descending_a_page_without_the_learned_paths(share: int, path: str) -> None:
    """The search goes into an element with four fifths of the mass around it."""
    page = placed(f'<div class="a">{"m" * share}</div><div class="b">{"n" * (100 - share)}</div>')[0]
    assert page.paths[descend(page)] == path


def test_a_cluster_takes_the_container_of_a_larger_one() -> None:
    """A cluster uses a larger cluster's container if its pages have text in it, else its own."""
    post = '<div id="post"><p>{}</p></div><div id="talk"><p>{}</p></div>'
    few, many = ([post.format(words(n + size), words(n + 50, size)) for n in range(3)] for size in (3, 80))
    other = [f"<div>{words(n)}</div>" for n in range(3)]
    pages = placed(*few, *many, *other, boilerplate_pages=9)
    clusters = [pages[:3], pages[3:6], pages[6:]]
    own = [find_container(one) for one in clusters]
    assert own == ["body/div#post", "body/div#talk", "body/div"]
    assert share_containers(clusters, own) == ["body/div#post", "body/div#post", "body/div"]


def test_a_larger_clusters_container_must_hold_some_text() -> None:
    """A larger cluster's container is not used if it is nearly empty, or if it holds the cluster's own."""
    post = '<div id="post"><p>{}</p></div><div id="talk"><div><p>{}</p></div></div>'
    pages = placed(*(post.format(name * 5, words(n, 80)) for n, name in enumerate("xyz")))
    assert share_containers([pages, pages], ["body/div#post", "body/div#talk"])[1] == "body/div#talk"
    nested = ["body/div#talk", "body/div#talk/div"]
    assert share_containers([pages, pages], nested) == nested


def in_rows(*rows: str) -> str:
    """Return a page whose text stands in one row of the page, or in several."""
    found = "".join(f'<section class="row"><div class="text">{row}</div></section>' for row in rows)
    return f'<div class="page">{found}</div>'


ROW = "body/div.page/section.row/div.text"


def test_a_template_with_text_in_several_rows_has_the_element_around_them() -> None:
    """If some pages spread their text over elements of one kind, what is around these is the container."""
    single = [in_rows(f"<p>{words(n, 30)}</p>") for n in range(8)]
    spread = [in_rows(*(f"<p>{words(n + k, 30)}</p>" for k in (40, 50))) for n in range(2)]
    beside = [in_rows(f"<p>{words(n, 60)}</p>", f"<p>{words(n + 50, 3)}</p>") for n in range(20, 25)]
    pages = placed(*single, *spread, *beside)
    assert around_parts(pages, ROW) == ROW  # most pages with several rows have their text in one of them
    assert around_parts(pages[:10], ROW) == "body/div.page"
    assert around_parts(pages[:9], ROW) == ROW  # a single page may be odd


def test_rows_that_are_records_do_not_spread_a_text() -> None:
    """Lists show several posts at the path of a post: these are not parts of one text."""
    teaser = '<p>{} <a href="/{}">more</a></p>'
    lists = [in_rows(*(teaser.format(words(n + k, 30), n + k) for k in (40, 50, 60))) for n in range(3)]
    pages = placed(*(in_rows(f"<p>{words(n, 30)}</p>") for n in range(8)), *lists)
    assert around_parts(pages, ROW) == ROW
