from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_markup import READABLE
from path_pages import layout, place, words

from scrapy_webstemmer.page.text import weight
from scrapy_webstemmer.site.own_title import (
    _MOST_SHOWN,
    TitleEvidence,
    _elements,
    _title_key,
    _weights,
    candidates_of,
    own_title,
)
from scrapy_webstemmer.site.paths import OG_TITLE, TITLE_ELEMENT
from scrapy_webstemmer.site.placed import PlacedLayout

TEXT = f"<p>{words(0, 60)}.</p>"
#: A title in a link to another page.
LINKED = '<h1><a href="/start">All about the coast and its boats</a></h1>'


def page_of(body: str, title: str = "", og: str = "", url: str = "") -> PlacedLayout:
    head = f'<meta property="og:title" content="{og}">' if og else ""
    made = layout(body, title=title, head=head)
    (page,) = place([replace(made, url=url or made.url)])
    return page


def title_of(body: str, title: str = "", og: str = "", url: str = "") -> tuple[str, str]:
    return own_title(page_of(body, title, og, url), "body/div")


def test_there_is_a_weight_for_each_piece_of_evidence() -> None:
    """The file of the weights has a number for each field of the evidence."""
    assert len(_weights()) == len(TitleEvidence._fields)


def test_the_only_heading_of_its_level_is_the_title() -> None:
    """The heading above the text wins over a head that is written for search engines."""
    body = f"<h1>How the seals came home to the harbour</h1>{TEXT}<h2>Where they were</h2>"
    assert title_of(body, "Seals came home | Gazette") == (
        "How the seals came home to the harbour",
        "body/h1",
    )


def test_a_heading_of_a_lower_level_is_the_title_if_there_is_no_higher_one() -> None:
    """The highest level that the page has is asked for, not the first one of HTML."""
    body = f"<h3>How the seals came home</h3><h4>By Ann</h4>{TEXT}"
    assert title_of(body, "Seals came home | Gazette") == ("How the seals came home", "body/h3")


@pytest.mark.parametrize(
    "heading",
    ["<h1>Example</h1>", "<h1>EX-AMPLE</h1>", "<h1>Example.com</h1>", LINKED],
    ids=["name", "name written differently", "domain", "link"],
)
def test_a_heading_of_the_site_is_no_title(heading: str) -> None:
    """The site's name, and a link to another page, do not name the page, however large they are."""
    body = f"{heading}<h2>The ferry is late again</h2>{TEXT}"
    assert title_of(body, "The ferry is late again - Example")[0] == "The ferry is late again"


#: A name of a site that is much longer than a title, and that the url does not have.
NAME = "A Long Guide to the Boats and Ropes of All Harbours"


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (f"<h1>{NAME}</h1><h2>Strand rope</h2>", "Strand rope"),
        (f"<h1>{NAME.replace('All ', '')}</h1><h2>Strand rope</h2>", "Strand rope"),
        (f"<h2>Strand rope</h2><h1>{NAME}</h1>", NAME),
    ],
    ids=["name", "nearly the name", "kicker"],
)
def test_what_stands_behind_the_title_in_the_head_is_the_site_if_it_stands_above_it(
    shown: str, expected: str
) -> None:
    """A long name of a site, in the heading above that of the page, does not outweigh a short title."""
    assert title_of(shown + TEXT, f"Strand rope - {NAME}")[0] == expected


@pytest.mark.parametrize("sign", ["_", ":", "-"])
def test_a_heading_with_the_beginning_of_the_head_is_the_title(sign: str) -> None:
    """In scripts without spaces there are none around the signs between the parts of a title, either."""
    body = (
        f"<h2>海辺の毎日を伝える小さな港町の新しい新聞</h2><div><h3>古い渡し船がまた遅れた</h3>{TEXT}</div>"
    )
    assert title_of(body, f"古い渡し船がまた遅れた{sign}Harbour日報")[0] == "古い渡し船がまた遅れた"
    assert title_of(f"<h2>Sea</h2>{TEXT}", f"Sea{sign}bird news of May")[0] == f"Sea{sign}bird news of May"


def test_signs_between_parts_in_scripts_without_spaces() -> None:
    """An underscore beside such a script, and a hyphen in it, end a part of a title."""
    for head in ("古い渡し船がまた遅れた_港日報", "古い渡し船がまた遅れた-港日報"):
        assert title_of(TEXT, head)[0] == "古い渡し船がまた遅れた"
    for head in ("古い渡し船のIT-技術", "Snake_case in Python"):
        assert title_of(TEXT, head)[0] == head


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("The ferry is late again | News | Gazette", "The ferry is late again"),
        ("News | The ferry is late again | Gazette", "The ferry is late again"),
        ("The ferry is late again | Part two | Gazette", "The ferry is late again | Part two"),
        ("Boats | News | Gazette", "Boats | News"),
    ],
    ids=["behind", "before", "no link", "short"],
)
def test_a_title_of_the_head_comes_without_topics_that_the_page_has_as_links(
    title: str, expected: str
) -> None:
    """A link with the same text tells that a short part of the head's title is a topic of the menu."""
    page = page_of(f'<ul><li><a href="/news">News</a></li></ul>{TEXT}', title, url="http://example.com/1")
    assert own_title(page, "body/div")[0] == expected


def test_a_bracket_belongs_to_what_it_closes() -> None:
    """It is no break between a title and the site's name."""
    assert (
        title_of(TEXT, "海が荒れて船が出ない（毎朝新聞） - 港のニュース")[0]
        == "海が荒れて船が出ない（毎朝新聞）"
    )


def test_the_last_step_of_a_trail_has_the_title_without_its_sign() -> None:
    """A trail to the page may be the first that shows its title."""
    trail = "<ul><li>Boats</li><li>► <a href=/1>The ferry is late again</a></li></ul>"
    assert title_of(f"{trail}<h2>The ferry is late again</h2>{TEXT}", "The ferry is late again")[0][0] == "T"


def test_a_heading_below_the_text_is_no_title() -> None:
    """A heading counts up to the longest text: what follows is about other pages."""
    body = f"<div><p>{words(1, 20)}</p>{TEXT}</div><h1>Our newsletter about seals</h1>"
    assert title_of(body, "The ferry is late again")[0] == "The ferry is late again"


def test_the_title_element_loses_what_the_site_adds() -> None:
    """Without a heading the title is the part with which the title element begins; no hyphen ends it."""
    assert title_of(TEXT, "A half-price ferry | Gazette") == ("A half-price ferry", TITLE_ELEMENT)
    assert title_of(TEXT, "A half-price ferry") == ("A half-price ferry", TITLE_ELEMENT)


def test_og_title_tells_which_part_is_the_title() -> None:
    """Two sources that agree outweigh the place in the title element."""
    assert title_of(TEXT, "Gazette: The ferry is late", "The ferry is late")[0] == "The ferry is late"
    assert title_of(TEXT, "", "The ferry is late") == ("The ferry is late", OG_TITLE)


def test_the_url_tells_which_part_is_the_title() -> None:
    """The last step of the path often has the words of the title."""
    title = "Coast and harbour news - The ferry is late again"
    found = [
        title_of(TEXT, title, url=f"http://example.com/{name}/")[0]
        for name in ("the-ferry-is-late-again", "coast-and-harbour-news")
    ]
    assert found == ["The ferry is late again", "Coast and harbour news"]


def test_a_text_that_the_head_has_is_the_title_without_being_a_heading() -> None:
    """Old pages have no headings: a bold line with a part of the title element is the title."""
    body = f"<div><div>The ferry is late</div><b>By Ann</b></div>{TEXT}"
    assert title_of(body, "The ferry is late - Gazette") == ("The ferry is late", "body/div/div")


def test_a_stated_headline_is_the_title_if_the_head_has_the_name_of_the_site() -> None:
    """Any line may show it; a headline that the page does not show is none."""
    for shown, title in (("The seals are home", "The seals are home"), ("Seals", "Gazette")):
        data = (
            '<script type="application/ld+json">{"@type":"Article","headline":"The seals are home"}</script>'
        )
        page = page_of(f"{data}<div class=top>{shown}</div>{TEXT}", "Gazette", url="http://gazette.example/7")
        assert own_title(page, "body/div")[0] == title


def test_what_is_set_apart_in_a_heading_is_left_out() -> None:
    """A date in the heading, in an element of its own, is no part of the title."""
    body = f"<h1>The ferry is late <small>14 May 2014</small></h1>{TEXT}"
    assert title_of(body, "The ferry is late - Gazette") == ("The ferry is late", "body/h1")


@pytest.mark.parametrize("heading", ["<div>{}</div><div>{}</div>", "<span>{}</span><div>{}</div>"])
def test_a_topic_in_the_heading_is_left_out(heading: str) -> None:
    """Each may be an element of its own, as a line."""
    body = f"<h1>{heading.format('Shipping', 'The ferry is late')}</h1>{TEXT}"
    assert title_of(body, "The ferry is late - Gazette")[0] == "The ferry is late"


@pytest.mark.parametrize("rest", ["<small>{}</small>", "<br><span>{}</span>"])
def test_a_subtitle_in_the_heading_is_left_out(rest: str) -> None:
    """It may be longer than the title."""
    body = f"<h1>The ferry is late{rest.format('Ice on the river stops all boats')}</h1>{TEXT}"
    assert title_of(body, "The ferry is late - Gazette") == ("The ferry is late", "body/h1")


def test_boilerplate_is_no_title() -> None:
    """What other pages of the site have, too, does not name this one."""
    page = page_of(f"<h1>Seals and other animals</h1><h2>The ferry is late</h2>{TEXT}")
    page = replace(page, boilerplate=(True, *page.boilerplate[1:]))
    assert own_title(page, "body") == ("The ferry is late", "body/h2")


def test_what_the_site_adds_may_be_known() -> None:
    """The title element without the site's affixes begins with itself."""
    page = replace(page_of(TEXT, "Gazette: The ferry is late"), title="The ferry is late")
    assert own_title(page, "body") == ("The ferry is late", TITLE_ELEMENT)


def test_the_title_of_the_head_in_a_heading() -> None:
    """It loses the site's name: behind a bar if that names the host, elsewhere if the affixes are known."""
    url = "http://www.gazette.example/1"
    barred, dashed = ("The ferry is late | The Gazette", "The ferry is late - The Gazette")
    assert title_of(f"<h1>{barred}</h1>{TEXT}", barred, url=url) == ("The ferry is late", "body/h1")
    other = "The ferry is late | Ice and storms"
    assert title_of(f"<h1>{other}</h1>{TEXT}", other, url=url) == (other, "body/h1")
    page = page_of(f"<h1>{dashed}</h1>{TEXT}", dashed, url=url)
    assert own_title(page, "body/div")[0] == dashed
    assert own_title(page, "body/div", ((), (" - The Gazette",))) == ("The ferry is late", "body/h1")


def test_a_title_may_have_no_letters() -> None:
    """Signs are a title, too; a page with nothing has none."""
    assert title_of(TEXT, "???") == ("???", TITLE_ELEMENT)
    assert title_of(TEXT) == ("", "")
    assert title_of("", "The ferry is late - Gazette")[0] == "The ferry is late"


def test_the_number_of_candidates_is_bounded() -> None:
    """A page with thousands of headings before its text costs no more than one with some hundred."""
    headings = "".join(f"<h2>{words(number, 6)} {number}</h2>" for number in range(3 * _MOST_SHOWN))
    title = " | ".join(f"part {number}" for number in range(100))
    assert len(candidates_of(page_of(headings + TEXT, title, title), "body")) <= 1.5 * _MOST_SHOWN


@given(
    st.text(st.characters(exclude_characters="<>&", exclude_categories=["Cs", "Cc"])),
    st.text(st.characters(exclude_characters="<>&", exclude_categories=["Cs", "Cc"])),
)
def test_any_head(title: str, heading: str) -> None:
    """The title is a line of the page, and a page whose head has a title always gets one."""
    page = page_of(f"<h1>{heading}</h1>{TEXT}", title)
    found, place = own_title(page, "body")
    assert found == found.strip()
    assert bool(found) == bool(place) == bool(page.title or len(page.layout.blocks) > 1)


@given(st.lists(st.sampled_from(READABLE), max_size=12).map("".join), st.data())
def test_a_text_is_compared_with_the_head_if_it_is_as_long(markup: str, data: st.DataObject) -> None:
    """Of the texts that are no headings none is lost that has the words of a title in the head."""
    page = page_of(markup)
    every = _elements(page, range(10_000))
    head = {_title_key(text) for *_, text in every if data.draw(st.booleans())} | {"head"}
    found = _elements(page, {weight(key) for key in head})
    assert [one for one in every if one[1] or _title_key(one[3]) in head] == [
        one for one in found if one[1] or _title_key(one[3]) in head
    ]


@given(st.text())
def test_the_key_of_a_text_has_its_letters_and_digits(text: str) -> None:
    """The words of a text have as many significant characters as the text."""
    assert weight(_title_key(text)) == weight(text)


def test_a_line_in_the_element_of_the_text_may_be_the_title() -> None:
    """It stands above a line break there."""
    body = f"<div>Seals are back<br>May 6<hr>{words(0, 90)}.</div>"
    assert title_of(body, "Seals are back - The Seal Gazette") == ("Seals are back", "body/div")
