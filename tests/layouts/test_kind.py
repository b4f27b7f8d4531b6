"""A page's own evidence that it is an article or a list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from path_pages import layout, place, placed, words
from tree_pages import layouts

from scrapy_webstemmer.layouts.kind import (
    MOST_ODDS,
    Signs,
    lead_share,
    new_blocks,
    own_odds,
    signs_of,
)
from scrapy_webstemmer.layouts.placed import PlacedLayout
from scrapy_webstemmer.values.layouts import Layout

ROOT = "body/div#c"
ENTRY = '<h2><a href="{0}">{1}</a></h2><p>{2}</p>'


def page_of(body: str, title: str = "") -> PlacedLayout:
    return place([layout(body, 7, title)], vocabulary_pages=1)[0]


def seen(body: str, title_path: str = "", title: str = "") -> Signs:
    """Return the signs of a page; its main text are all paragraphs in the container."""
    page = page_of(body, title)
    main = [number for number, path in enumerate(page.places) if path.startswith(ROOT) and path[-2:] == "/p"]
    return signs_of(page, ROOT, main, title_path)


def article(text: str) -> str:
    return f'<h1>{words(1, 4)}</h1><div id="c">{text}</div>'


def entry(number: int, target: str = "") -> str:
    return ENTRY.format(target or f"/{number}", words(number, 5), words(number + 100, 30))


def listing(*numbers: int) -> str:
    return f'<div id="c">{"".join(map(entry, numbers))}</div>'


def test_an_article_shows_its_title_and_text() -> None:
    """If an unlinked title stands above text without links, all signs are those of an article."""
    signs = seen(article(f"<p>{words(2, 400)}</p>"), "body/h1")
    assert signs == Signs(under_headline=0, under_nothing=0, titled=1, text=1, headlines=0)
    assert own_odds(signs) > 2


def test_headings_of_an_article_are_no_headlines() -> None:
    """Sections under headings without links are no evidence against an article."""
    sections = "".join(f"<h2>{words(n, 3)}</h2><p>{words(n, 90)}</p>" for n in range(3))
    signs = seen(article(sections), "body/h1")
    assert (signs.under_headline, signs.under_nothing, signs.headlines) == (0, 0, 0)
    assert own_odds(signs) > 2


def test_a_list_shows_the_headlines_of_others() -> None:
    """Headings that link to other pages, each above some text, make a list."""
    signs = seen(listing(1, 2, 3, 4))
    assert (signs.under_headline, signs.titled, signs.headlines) == (1, 0, 4 / 6)
    assert own_odds(signs) == -MOST_ODDS


@pytest.mark.parametrize("heading", ["", "<h1>About seals</h1>"])
def test_a_list_of_a_single_entry(heading: str) -> None:
    """A tag page with one entry has no records, but its text stands under another page's headline."""
    signs = seen(heading + listing(5), "body/h1")
    assert (signs.under_headline, signs.headlines) == (1, 1 / 3)
    assert signs.titled == bool(heading)
    assert own_odds(signs) < -1


def test_further_pages_under_an_article_are_not_its_headlines() -> None:
    """Headlines count from the last heading above the main text to its end; those outside do not."""
    more = listing(5, 6, 7).replace('id="c"', 'id="more"')
    signs = seen(more.replace("more", "top") + article(f"<p>{words(2, 400)}</p>") + more, "body/h1")
    assert (signs.under_headline, signs.headlines) == (0, 0)


def test_text_under_no_heading_at_all() -> None:
    """On a page without headings, the text stands under nothing."""
    signs = seen(f'<div id="c"><p>{words(2, 400)}</p></div>')
    assert (signs.under_headline, signs.under_nothing, signs.titled) == (0, 1, 0)


@pytest.mark.parametrize("target", ["/007", "http://www.example.com/007/", "?replytocom=1", "#top"])
def test_a_title_that_links_to_its_own_page_is_its_title(target: str) -> None:
    """A heading that links to the page itself is not a headline of another page."""
    signs = seen(f'<div id="c">{entry(5, target)}</div>', f"{ROOT}/h2")
    assert (signs.under_headline, signs.titled, signs.headlines) == (0, 1, 0)
    assert own_odds(signs) > 1


@pytest.mark.parametrize("title", ["{}", "Gazette: {} - May 5"])
def test_a_title_that_links_to_where_the_page_stood_before(title: str) -> None:
    """A heading with the page's own title is not a headline of another page, wherever it leads."""
    page = f'<div id="c">{entry(5, "/before/5.html")}</div>'
    signs = seen(page, f"{ROOT}/h2", title.format(words(5, 5)))
    assert (signs.under_headline, signs.titled, signs.headlines) == (0, 1, 0)
    assert seen(page, f"{ROOT}/h2", words(6, 5)).under_headline == 1


def test_a_short_text_of_the_title_element_may_be_another_headline() -> None:
    """A text of less than ten characters may be part of a longer title element by chance."""
    page = '<div id="c"><h2><a href="/5">Seals</a></h2><p>text</p></div>'
    assert seen(page, title="Tag: Seals - Gazette").headlines == 1 / 3
    assert seen(page, title="Seals").headlines == 0


@pytest.mark.parametrize(
    ("heading", "leads"),
    [
        ('<h2><a href="/5">Seals return</a></h2>', True),
        ('<a href="/5"><h2>Seals return</h2></a>', True),
        ('<div><a href="/5"><h2>Seals return</h2></a></div>', True),
        ('<h2>Today <a href="/5">seals return</a></h2>', False),
        ('<h2><a href="/5">abc</a></h2>', False),
        ('<h2><a href="http://other.example/5">Seals return</a></h2>', False),
        ('<h2><a name="x">Seals return</a></h2>', False),
        ('<div><a href="/5">Seals return</a></div>', False),
    ],
)
def test_what_is_a_headline(heading: str, leads: bool) -> None:
    """A headline is a heading with all its text in a link to another page of the site, in or around it."""
    signs = seen(f'<h1>{words(1, 4)}</h1><div id="c">{heading}<p>{words(6, 60)}</p></div>')
    assert signs.under_headline == leads
    assert signs.headlines == (1 / 3 if leads else 0)


def test_headlines_that_several_lists_have_count_by_their_texts() -> None:
    """A recurring headline is boilerplate, but in or beside the container it is still a headline."""
    pages = placed(*(f'{listing(5)}<h3><a href="/x">Imprint and terms</a></h3><p>{n}</p>' for n in range(4)))
    main = [1]
    assert pages[0].boilerplate[0]
    assert signs_of(pages[0], ROOT, main, "").under_headline == 1


def test_text_is_what_stands_outside_links() -> None:
    """Longer main text outside links is stronger evidence for an article, up to 1,500 characters."""
    lengths = (0, 10, 100, 1_000, 1_500, 5_000)
    texts = [
        seen(article(f'<p>{"m" * length} <a href="http://b.example">{"n" * 2_000}</a></p>')).text
        for length in lengths
    ]
    assert texts == sorted(texts)
    assert (texts[0], texts[-2:]) == (0, [1, 1])
    assert 0 < texts[1] < texts[2] < texts[3] < 1


def test_text_that_leads_on_is_none_of_an_articles() -> None:
    """Text in records that lead to other pages is no evidence for an article, however long it is."""
    page = placed(f'<div id="c">{teasers(3)}<p>{"o" * 10}</p></div>')[0]
    assert signs_of(page, ROOT, [0, 1, 2], "").text == 0
    assert signs_of(page, ROOT, [0, 1, 2, 3], "").text == signs_of(page, ROOT, [3], "").text > 0
    away = placed(f'<div id="c">{teasers(3).replace("/", "http://b.example/", 1)}</div>')[0]
    assert not any(away.leading)
    assert signs_of(away, ROOT, [0, 1, 2], "").text > 0


def test_pages_without_main_text_have_signs() -> None:
    """On a page without main text, all headings of its container count."""
    signs = signs_of(page_of(listing(1, 2)), ROOT, [], "")
    assert (signs.under_headline, signs.under_nothing, signs.text, signs.headlines) == (0, 1, 0, 0.5)


def test_a_page_without_the_container_is_judged_as_a_whole() -> None:
    """If the container is missing, the headlines of the whole page count."""
    page = page_of(listing(1, 2, 3))
    assert (
        signs_of(page, "body/div#other", [], "").headlines == signs_of(page, ROOT, [], "").headlines == 3 / 5
    )


def teasers(count: int) -> str:
    return "".join(f'<div class="t"><a href="/{n}">mmmmm</a>nnnnn</div>' for n in range(count))


def test_leads_are_the_text_in_records_that_lead_on() -> None:
    """The share counts all text of the records inside the container, and nothing outside of it."""
    pages = placed(f'<div id="c">{teasers(3)}<p>{"o" * 10}</p></div>{teasers(3)}', '<div id="c">mm</div>')

    def share(page: PlacedLayout, container: str) -> float:
        return lead_share(page, new_blocks(page, container))

    assert [share(page, ROOT) for page in pages] == [0.75, 0]
    assert [share(page, "body/h1") for page in pages] == [0, 0]


def test_static_text_is_not_counted() -> None:
    """Boilerplate in the container does not count for the share."""
    pages = placed(*(f'<div id="c">{teasers(3).replace("m", name)}<p>Imprint</p></div>' for name in "xyz"))
    assert [lead_share(page, new_blocks(page, ROOT)) for page in pages] == [1, 1, 1]


_SHARE = st.floats(0, 1)


@given(st.builds(Signs, **dict.fromkeys(Signs._fields, _SHARE)))
def test_odds_of_one_page_are_bounded(signs: Signs) -> None:
    """The odds of one page are bounded, and each sign is evidence for one kind, whatever the others are."""
    odds = own_odds(signs)
    assert -MOST_ODDS <= odds <= MOST_ODDS == 4
    for name in ("under_nothing", "titled", "text"):
        assert own_odds(signs._replace(**{name: 1.0})) >= odds >= own_odds(signs._replace(**{name: 0.0}))
    for name in ("under_headline", "headlines"):
        assert own_odds(signs._replace(**{name: 1.0})) <= odds <= own_odds(signs._replace(**{name: 0.0}))


@given(layouts(), st.data())
def test_signs_are_shares(page: Layout, data: st.DataObject) -> None:
    """On any page, each sign is from 0 to 1."""
    (found,) = place([page], vocabulary_pages=1)
    numbers = st.sets(st.integers(0, len(page.blocks) - 1)).map(sorted) if page.blocks else st.just([])
    container, title = (data.draw(st.sampled_from(["", "x", *found.paths])) for _ in range(2))
    signs = signs_of(found, container, data.draw(numbers), title)
    assert all(0 <= sign <= 1 for sign in signs)
