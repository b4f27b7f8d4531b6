from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from path_pages import layout, place, placed, url_of, words

from scrapy_webstemmer.site.affixes import Affixes, strip_affixes
from scrapy_webstemmer.site.paths import OG_TITLE, TITLE_ELEMENT
from scrapy_webstemmer.site.placed import PlacedLayout
from scrapy_webstemmer.site.titles import _Evidence, rank_titles
from scrapy_webstemmer.site.titles import title_of as title_on

NO_AFFIXES: Affixes = ((), ())
SUFFIX: Affixes = ((), (" - Gazette",))
#: Titles of five pages that have few letters in common.
NAMES = ["Seals return", "Geese fly south", "A mill is sold", "The night ferry", "Old maps found"]


def rank(
    pages: Sequence[PlacedLayout],
    anchors: Mapping[str, Collection[str]] | None = None,
    affixes: Affixes = NO_AFFIXES,
) -> tuple[str, ...]:
    return rank_titles([named(page, affixes) for page in pages], anchors or {}, affixes)


def named(page: PlacedLayout, affixes: Affixes) -> PlacedLayout:
    """Return a page as it is on a site with these affixes."""
    return replace(page, title=strip_affixes(page.layout.title_element, affixes)) if page.title else page


def title_of(page: PlacedLayout, places: Sequence[str], affixes: Affixes) -> tuple[str, str]:
    return title_on(named(page, affixes), places, affixes)


def test_the_text_that_other_pages_link_under_is_the_title() -> None:
    """The block most like the anchor texts is the title, not the heading of the section above it."""
    pages = placed(*(f"<h2>News</h2><div>{name}</div><p>{words(n)}</p>" for n, name in enumerate(NAMES)))
    anchors = {url_of(n): [name] for n, name in enumerate(NAMES)}
    assert rank(pages, anchors)[0] == "body/div"


def test_the_best_of_several_anchor_texts_counts() -> None:
    """Further anchor texts of a page, such as "Photographs", do no harm."""
    pages = placed(*(f"<h1>{name}</h1><div>Photographs</div>" for name in NAMES))
    anchors = {url_of(n): ["Photographs by our readers", name.upper()] for n, name in enumerate(NAMES)}
    assert rank(pages, anchors)[0] == "body/h1"


def test_without_witnesses_a_heading_is_the_title() -> None:
    """If no anchor texts and title elements name the pages, a heading is the title, an h1 before others."""
    body = "<div>{0}</div><h3>x {0}</h3><h2>y {0}</h2><h1>{0} z</h1><h4>{0}</h4><p>{0}</p>"
    pages = placed(*(body.format(name) for name in NAMES))
    assert rank(pages) == ("body/h1", "body/h2", "body/h3")
    assert rank(placed(*(f"<div>{name}</div>" for name in NAMES))) == ()


def test_a_heading_that_is_the_same_everywhere_is_no_title_without_witnesses() -> None:
    """The site's name as a heading of all pages is not a title, whatever its level."""
    pages = placed(*(f"<h1>The Gazette</h1><h3>{name}</h3>" for name in NAMES))
    assert rank(pages) == ("body/h3",)


def test_a_title_element_that_all_pages_have_names_none_of_them() -> None:
    """If most title elements are the same, or both of two, they are no evidence."""
    body = "<h2>The Gazette of the harbour</h2><h1>{}</h1>"
    titles = ["The Gazette of the harbour"] * 5
    pages = placed(*(body.format(name) for name in NAMES), titles=titles)
    assert rank(pages) == ("body/h1",)
    two = placed(*(f"<h1>{name}</h1>" for name in NAMES[:2]), titles=titles[:2])
    assert rank(two) == ("body/h1",)
    named = placed(*(f"<div>{name}</div><h1>x {n}</h1>" for n, name in enumerate(NAMES)), titles=NAMES)
    assert rank(named)[0] == "body/div"


def test_title_elements_that_differ_in_numbers_alone_name_no_page() -> None:
    """They are no evidence, however many pages are known: a manual may only number its sections there."""
    sections = [f"Manual of the mill: Section 4.{n}" for n in range(40)]
    pages = placed(*(f"<h2>{words(n, 4)}</h2>" for n in range(40)), titles=sections)
    assert rank(pages) == ("body/h2",)


def test_a_witness_of_some_pages_is_not_outvoted() -> None:
    """On pages with evidence, headings count only by their likeness to it."""
    pages = placed(*(f"<h1>Section {n}</h1><div>{name}</div>" for n, name in enumerate(NAMES)))
    anchors = {url_of(n): [name] for n, name in enumerate(NAMES)}
    assert rank(pages, anchors)[0] == "body/div"


def test_the_title_element_is_evidence() -> None:
    """Without anchors, the title is the block most like the title element without the site's suffix."""
    pages = placed(
        *(f"<div>{name}</div><div class=x>Gazette</div>" for name in NAMES),
        titles=[f"{name} - Gazette" for name in NAMES],
    )
    assert rank(pages, affixes=SUFFIX)[0] == "body/div"


def test_a_block_that_begins_or_ends_the_title_element_is_much_like_it() -> None:
    """If the suffix is not known, a block that begins or ends the title element is preferred."""
    section = "Report from the harbour of the county"
    for title in ("{} in a " + section, section + " with {}"):
        pages = placed(
            *(f"<h2>{section} {n}</h2><div>{name}</div>" for n, name in enumerate(NAMES)),
            titles=[title.format(name) for name in NAMES],
        )
        assert rank(pages)[0] == "body/div"
    short = placed(
        *(f"<h2>{section} {n}</h2><div>{name[:7]}</div>" for n, name in enumerate(NAMES)),
        titles=[f"{name[:7]} in a {section}" for name in NAMES],
    )
    assert rank(short)[0] == "body/h2"


def test_what_the_site_adds_to_its_titles_is_none() -> None:
    """The site's name in the banner is not the title, though the head has it behind each of them."""
    (page,) = placed("<h2>Gazette News</h2><h1>Seals return</h1>", titles=["Seals return - Gazette News"])
    known = _Evidence(named(page, ((), (" - Gazette News",))), ())
    assert known.likeness("Gazette News") < 0.5 < 0.9 < known.likeness("Seals return")
    assert _Evidence(page, ()).likeness("Gazette News") > 0.9  # nobody knows what the site adds


def test_a_block_comes_before_the_head_and_a_heading_before_a_block() -> None:
    """If texts are equal, a heading is the title, else another block, else a text of the head."""
    og = '<meta property="og:title" content="{}">'
    body = "<div>{0}</div><h1>{0}</h1>"
    pages = place([layout(body.format(name), n, name, og.format(name)) for n, name in enumerate(NAMES)])
    assert rank(pages) == ("body/h1", "body/div", OG_TITLE, TITLE_ELEMENT)


def test_the_head_has_titles_that_the_body_lacks() -> None:
    """A page without a title in its body has that of its head, without the site's suffix."""
    pages = placed(*(f"<p>{words(n)}</p>" for n in range(5)), titles=[f"{name} - Gazette" for name in NAMES])
    assert rank(pages, affixes=SUFFIX)[0] == TITLE_ELEMENT
    assert title_of(pages[0], (TITLE_ELEMENT,), SUFFIX) == ("Seals return", TITLE_ELEMENT)


def test_a_text_that_is_the_same_everywhere_is_no_title() -> None:
    """A place with the same text on all pages loses to one with a different text on each."""
    title = "The Gazette of the harbour: {}"
    pages = placed(
        *(f"<h1>The Gazette of the harbour</h1><div>{name}</div>" for name in NAMES),
        titles=[title.format(name) for name in NAMES],
    )
    assert rank(pages)[0] == "body/div"


def test_the_threshold_is_the_mean_likeness(monkeypatch: pytest.MonkeyPatch) -> None:
    """A place on half of the pages has half the likeness."""
    pages = placed(*(f"<h2>{name}</h2>" if n < 2 else "<p>-</p>" for n, name in enumerate(NAMES[:4])))
    anchors = {url_of(n): [name] for n, name in enumerate(NAMES)}
    for least, found in ((0.55, ("body/h2",)), (0.56, ())):
        monkeypatch.setattr("scrapy_webstemmer.site.titles._LEAST_LIKENESS", least)
        assert rank(pages, anchors) == found


def test_at_most_four_places_of_short_texts_are_kept() -> None:
    """At most four places are kept, and none with a text of more than three hundred characters."""
    name = "Seals return to the harbour "
    body = "".join(f"<{tag}>{name}</{tag}>" for tag in ("h1", "h2", "h3", "h4", "h5", "h6"))
    assert len(rank(placed(body, body), {url_of(n): [name] for n in range(2)})) == 4
    long = placed(f"<h1>{name * 11}</h1>", f"<h2>{name * 10}</h2>")
    assert rank(long, {url_of(n): [name * 11] for n in range(2)}) == ("body/h2",)


def test_the_first_element_of_a_path_with_all_its_lines() -> None:
    """A heading of two lines is one title; the next heading at the same path is not part of it."""
    page = placed("<h2>Seals<br>return</h2><h2>Background</h2>")[0]
    assert title_of(page, ("body/h2",), NO_AFFIXES) == ("Seals return", "body/h2")


def test_a_line_behind_another_element_is_not_of_the_first_text() -> None:
    """A bare line may be the title, though controls stand below the text in the same element."""
    body = "<div>{}<p>{}.</p>Share this<br>in a letter</div>"
    pages = placed(*(body.format(NAMES[number], words(number, 3)) for number in range(3)), titles=NAMES[:3])
    assert title_of(pages[0], ("body/div",), NO_AFFIXES) == ("Seals return", "body/div")
    assert title_of(pages[0], (), NO_AFFIXES)[0] == "Seals return"


def test_the_first_place_that_the_page_has() -> None:
    """A page without the best place has its title at the next place."""
    page = placed("<div>Seals return</div>")[0]
    assert title_of(page, ("body/h1", "body/div"), NO_AFFIXES) == ("Seals return", "body/div")
    assert title_of(page, ("body/h1",), NO_AFFIXES) == ("", "")


def test_a_doubtful_title_gives_way_to_what_is_certain() -> None:
    """If the learned place has another text, the block that is like the title element is the title."""
    body = "<h1>Advertisement</h1><h2>Seals return to the bay</h2>"
    page = placed(body, titles=["Seals return to the bay - Gazette"])[0]
    assert title_of(page, ("body/h1",), SUFFIX)[1] == "body/h2"
    assert title_of(page, (), SUFFIX)[1] == "body/h2"
    for other in ("Seals came back in 2009", "Seals return to the north"):
        page = placed(body, titles=[f"{other} - Gazette"])[0]
        assert title_of(page, ("body/h1",), SUFFIX)[1] == "body/h1"


def test_a_title_that_is_like_enough_stays() -> None:
    """A learned title that is half like the title element is not replaced by a more similar block."""
    body = "<h1>Seals return to our old bay</h1><h2>Seals return to the bay</h2>"
    page = placed(body, titles=["Seals return to the bay"])[0]
    assert title_of(page, ("body/h1",), NO_AFFIXES)[1] == "body/h1"


@pytest.mark.parametrize("place_in_head", [TITLE_ELEMENT, OG_TITLE])
def test_a_title_of_the_head_gives_way_to_its_block(place_in_head: str) -> None:
    """If a block has the same text as the title of the head, the block is the title."""
    og = '<meta property="og:title" content="Seals return">'
    pages = place([layout("<div>Seals return</div>", 0, "Seals return", og)], vocabulary_pages=1)
    assert title_of(pages[0], (place_in_head,), NO_AFFIXES) == ("Seals return", "body/div")


def test_the_larger_part_in_the_middle_of_the_title_element() -> None:
    """Between an unknown prefix and suffix, a heading is found if it is most of the title element."""
    name = "Seals return to the harbour of the county"
    page = placed(f"<h4>Gazette.example</h4><h1>{name}</h1>", titles=[f"Gazette.example - {name} - May 5"])[0]
    assert title_of(page, (), NO_AFFIXES)[0] == name
    page = placed("<h1>Seals of May</h1>", titles=["A long name of a county paper - Seals of May - Gazette"])[
        0
    ]
    assert title_of(page, (), NO_AFFIXES)[0] == ""


def test_of_two_parts_of_the_title_element_the_longer_one_is_the_title() -> None:
    """The site's name is not the title, though it is first on the page and ends the title element."""
    page = placed(
        "<h1>The Gazette</h1><h2>Seals return to us</h2>", titles=["Seals return to us - The Gazette"]
    )
    assert title_of(page[0], (TITLE_ELEMENT,), NO_AFFIXES)[0] == "Seals return to us"


WORDS = st.lists(st.sampled_from(["seals", "Seals", "return", "to us", "Gazette"]), min_size=1, max_size=5)
TITLES = WORDS.map(" ".join)


@given(st.lists(st.tuples(st.sampled_from(["h1", "h2", "h3"]), TITLES), min_size=1, max_size=6), TITLES)
def test_the_title_is_that_of_comparing_all_texts(blocks: list[tuple[str, str]], title: str) -> None:
    """The short cuts of the search give the same title as a comparison of all texts."""
    body = "".join(f"<{tag}>{text}</{tag}>" for tag, text in blocks)
    page = place([layout(body, title=f"{title} - Gazette")])[0]
    texts = {f"body/{tag}": text for tag, text in reversed(blocks)}
    order = list(dict.fromkeys(f"body/{tag}" for tag, _ in blocks))
    alike = {path: _Evidence(named(page, SUFFIX), ()).likeness(texts[path]) for path in order}
    for learned in ("body/h1", "body/h2", TITLE_ELEMENT):
        best = max(order, key=lambda path: alike[path])
        if alike.get(learned, 0.0) >= 0.5 or alike[best] < 0.9:
            best = learned if learned in (*order, TITLE_ELEMENT) else ""
        shown = {**texts, TITLE_ELEMENT: title, "": ""}[best]
        assert title_of(page, (learned,), SUFFIX) == (shown, best)


@pytest.mark.parametrize(
    ("heading", "element"),
    [
        ("Net", "Net | The Gazette of the county"),
        ("Bread", "The Gazette of the county – Bread"),
        ("“Wait” for it…", '"Wait" for it... - The Gazette of the county'),
    ],
)
def test_a_heading_up_to_a_separator_is_the_title(heading: str, element: str) -> None:
    """A heading of any length is the title if a separator of the title element stands at its end."""
    page = placed(f"<h2>{heading}</h2><p>{words(1)}</p>", titles=[element])[0]
    assert rank([page])[0] == "body/h2"
    assert title_of(page, (TITLE_ELEMENT,), NO_AFFIXES) == (heading, "body/h2")
    other = placed("<h2>The G</h2>", titles=[element])[0]
    assert title_of(other, (TITLE_ELEMENT,), NO_AFFIXES)[1] == TITLE_ELEMENT


def in_heading(heading: str, element: str = "Seals return to us - Gazette", og: str = "") -> str:
    head = f'<meta property="og:title" content="{og}">'
    page = place([layout(f"<h1>{heading}</h1><p>{words(1, 40)}</p>", title=element, head=head)])[0]
    return title_of(page, ("body/h1",), SUFFIX)[0]


def test_additions_in_a_heading_are_no_title() -> None:
    """A topic before the title, and a date or a sign after it, are left out if the title element has none."""
    for heading in (
        '<span class="topic">Politics</span> Seals return to us',
        "<b>Politics</b>: Seals return to us",
        "Seals return to us <time>12 May 2024</time>",
        "<span>Seals return to us</span><span>2024-05-12</span>",
        'Seals return to us<a href="/print">(print)</a>',
        "Seals return to us <small>Nature</small>",
        "<i>POLITICS</i> <span>Seals  return to us</span>",
    ):
        assert in_heading(heading) == "Seals return to us", heading


def test_a_bar_sets_a_label_apart() -> None:
    """A bar stands beside a label or the site's name; other signs may be the author's."""
    for heading in (
        "Opinion | Seals return to us",
        "Opinion｜Seals return to us",
        "Seals return to us | Nature",
    ):
        assert in_heading(heading) == "Seals return to us"
    for heading in (
        "Part one: Seals return to us",
        "Seals return to us – at last",
        "a | b | Seals return to us",
    ):
        assert in_heading(heading) == heading
    assert in_heading("News | Seals return to us", "News | Seals return to us - Gazette")[:4] == "News"


def test_a_label_before_the_title_is_none_of_it() -> None:
    """A list of facts below the text may have the title with a label."""
    page = place([layout("<ul><li><b>Title:</b> Seals return to us</li></ul>", title="Seals return to us")])[
        0
    ]
    assert title_of(page, ("body/ul/li",), NO_AFFIXES)[0] == "Seals return to us"


def test_the_name_of_the_site_in_the_heading() -> None:
    """What ends the head's titles, and names the host, ends no title, though the heading has it, too."""
    affixes = ((), (" - The Example Gazette", " - part two"))
    for end, title in ((" - The Example Gazette", "The ferry"), (" - part two", "The ferry - part two")):
        body = f"<h1>The ferry{end}</h1><p>{words(1, 20)}</p>"
        page = replace(placed(body, titles=[f"The ferry{end}"])[0], title="The ferry")
        assert title_of(page, ["body/h1"], affixes)[0] == title


def test_what_is_not_set_apart_is_a_part_of_the_title() -> None:
    """The head often has a shorter title, also in both of its places."""
    for heading in ("Seals return to us, and whales", "How seals return to us"):
        assert in_heading(heading) == in_heading(heading, og="Seals return to us") == heading


def test_a_name_in_a_longer_heading_is_not_the_title() -> None:
    """The rest of a heading must not be longer than the title, nor the title a word."""
    assert (
        in_heading("A welcome to all who read The Gazette", "The Gazette")
        == "A welcome to all who read The Gazette"
    )
    assert in_heading("Our Seals", "Seals - Gazette") == "Our Seals"


def test_columns_have_the_title_that_they_share() -> None:
    """All pages of a column have one title, which stands in their heading and in their title element."""
    columns = ["Letters to the editor", "Morning briefing", "Weather"] * 4
    pages = placed(
        *(f"<h1>{name}</h1><p>{words(n, 30)}</p>" for n, name in enumerate(columns)),
        titles=[f"{name} - Gazette" for name in columns],
    )
    places = rank(pages, affixes=SUFFIX)
    assert places == ("body/h1",)
    assert [title_of(page, places, SUFFIX)[0] for page in pages] == columns
    same = placed(
        *(f"<h1>The Gazette</h1><p>{words(n, 30)}</p>" for n in range(9)), titles=["The Gazette"] * 9
    )
    assert rank(same) == ()
