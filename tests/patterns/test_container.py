from __future__ import annotations

import pytest
from path_pages import placed, words

from scrapy_webstemmer.patterns.sections import find_container
from scrapy_webstemmer.site.main_text import container_on
from scrapy_webstemmer.site.weighing import descend

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
