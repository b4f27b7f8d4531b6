from __future__ import annotations

from dataclasses import replace

import pytest
from path_pages import placed, words

from scrapy_webstemmer.site.main_text import (
    LIST,
    OUTSIDE,
    left_out,
    main_text,
    supplementary_blocks,
)
from scrapy_webstemmer.site.placed import PlacedLayout
from scrapy_webstemmer.values import Pattern, Section

ROOT = "body/div#c"


def pattern(container: str = ROOT, excluded: tuple[str, ...] = (), *sections: Section) -> Pattern:
    return Pattern("p", "article", 1.0, 5, sections, container=container, excluded=excluded)


def main_on(page: PlacedLayout, found: Pattern, title: str = "") -> list[str]:
    indexes = main_text(page, found, title).blocks
    return [page.layout.blocks[index].text for index in indexes]


def page_of(body: str) -> PlacedLayout:
    return placed(body)[0]


def test_all_blocks_of_the_container_are_main_text() -> None:
    """All blocks in the container come out in order; blocks outside do not."""
    page = page_of('<p>menu</p><div id="c">a<h2>b</h2><ul><li>c</li></ul></div><p>foot</p>')
    assert main_on(page, pattern()) == ["a", "b", "c"]


@pytest.mark.parametrize(
    "place", ["<div class=lead>{}</div>", "<h2 class=lead>{}</h2>", "<blockquote>{}</blockquote>"]
)
def test_the_first_paragraph_may_stand_beside_the_text(place: str) -> None:
    """It has some sentences, whatever its tag. A line, links and a caption are none."""
    lead = f"{words(7, 25)}."
    others = f"<p>{words(8, 5)}.</p><p><a href=/x>{words(9, 25)}.</a></p><figure>{words(10, 25)}.</figure>"
    page = page_of(f'<h1>a</h1>{others}{place.format(lead)}<div id="c"><p>{words(11, 60)}</p></div>')
    learned = Section("body/h1", 1.0, 1.0, 1.0)
    assert main_on(page, replace(pattern(ROOT, (), learned), pages=1), "body/h1")[0] == lead


def test_a_text_in_two_parts_is_one() -> None:
    """A sibling like the container is text, too, if it has an id or class, or is a section, and no teaser."""
    page = page_of('<div class="c"><p>a</p></div><img><div class="c"><p>much longer</p></div><p>foot</p>')
    assert main_on(page, pattern("body/div.c")) == ["a", "much longer"]
    page = page_of("<div><p>a</p></div><div><p>much longer</p></div>")
    assert main_on(page, pattern("body/div")) == ["much longer"]
    sections = "<p>before</p><section><p>a</p></section><p>between</p><section><p>longer</p></section>"
    page = page_of(f'{sections}<p class="tags">sea</p><div><section>b</section></div>')
    assert main_on(page, pattern("body/section")) == ["before", "a", "between", "longer"]
    teaser = '<div class="c"><a href="/{0}">{0}</a><p>{1}</p></div>'
    page = page_of("".join(teaser.format(n, words(n, 9)) for n in range(3)))
    assert len(main_on(page, pattern("body/div.c"))) == 2


def test_the_rows_of_a_page_builder_are_one_text() -> None:
    """If a page has the container in several rows, all that stands in the element around them is its text."""
    row = '<div class="row"><div class="text"><p>{}</p></div></div>'
    between = f"<h2>{words(3)}</h2>"
    rows = f"{row.format(words(1, 60))}{between}{row.format(words(2, 60))}"
    page = page_of(f'<div id="c">{rows}</div><p>beside</p>')
    found = main_on(page, pattern(f"{ROOT}/div.row/div.text"))
    assert found == [words(1, 60), words(3), words(2, 60)]
    teaser = '<div class="row"><div class="text"><p><a href="/{}">{}</a></p></div></div>'
    teasers = "".join(teaser.format(n, words(n, 9)) for n in range(4, 8))
    page = page_of(f'<div id="c">{row.format(words(1, 60))}{teasers}</div>')
    assert main_on(page, pattern(f"{ROOT}/div.row/div.text")) == [words(1, 60)]


def test_a_name_that_the_text_has_says_nothing_of_what_is_beside_it() -> None:
    """The longest of a text's widgets is none by its name; so are the others, at the same path."""
    widget = '<div class="widget"><div class="text"><p>{}</p></div></div>'
    page = page_of(f'<div id="c">{widget.format(words(1, 60))}{widget.format(words(2, 30))}</div>')
    assert [page.named[block.node] for block in page.layout.blocks] == [0, 1]
    assert main_on(page, pattern(f"{ROOT}/div.widget/div.text")) == [words(1, 60), words(2, 30)]


def test_what_stands_above_the_title_in_another_element_is_no_text() -> None:
    """Unless it is most of the text, or the title stands beside it: then the author has written it.

    Below the title a text may stand without a tag.
    """
    own = '<div class="a"><p>line</p><h1>Tides</h1><p>{}</p></div>'
    page = f'<div id="c"><div class="bar"><p>{{}}</p></div>{own}</div>'
    title = f"{ROOT}/div.a/h1"
    for above, below, found in ((10, 20, ["line", 1]), (20, 10, [0, "line", 1])):
        texts = words(1, above), words(40, below)
        assert main_on(page_of(page.format(*texts)), pattern(), title) == [
            texts[one] if isinstance(one, int) else one for one in found
        ]
    page = f'<div id="c"><p>{words(1, 10)}</p><h1>Tides</h1><p>{words(40, 20)}</p></div>'
    assert main_on(page_of(page), pattern(), f"{ROOT}/h1") == [words(1, 10), words(40, 20)]
    page = f'<div id="c"><center><h1>Tides</h1></center>{words(1, 10)}<p>{words(40, 20)}</div>'
    assert main_on(page_of(page), pattern(), f"{ROOT}/center/h1") == [words(1, 10), words(40, 20)]


def test_another_story_is_no_text() -> None:
    """The next story of the site stands below the text, with all of its own."""
    story = f'<h2><a href="/next">{words(70, 5)}</a></h2><p>{words(80, 20)}</p><p>{words(120, 20)}</p>'
    body = f'<h1>Tides of May</h1><div id="c"><p>{words(1, 20)}</p><div class="next">{story}</div></div>'
    page = placed(body, titles=["Tides of May"])[0]
    assert main_on(page, pattern()) == [words(1, 20)]
    found = main_text(page, pattern(), "")
    assert {why for why, _ in left_out(page, found).values()} == {OUTSIDE, LIST}
    # unless it is all that a pattern reads
    assert main_on(page, pattern(f"{ROOT}/div.next"))[1:] == [words(80, 20), words(120, 20)]


def test_the_numbers_of_lines_are_no_text() -> None:
    """A column that counts up beside a listing is left out, in any place; numbers of another kind are not."""
    listing = "<table><tr><td><pre>{}</pre></td><td><pre>a = 9\nb = 8\nc = 7</pre></td></tr></table>"
    for numbers, kept in (
        ("1\n2\n3", []),
        ("98 99 100", []),
        ("7", ["7"]),
        ("1 2 4", ["1 2 4"]),
        ("9" * 5000, None),
    ):
        page = page_of(f'<div id="c"><p>Text</p>{listing.format(numbers)}</div>')
        wanted = [numbers] if kept is None else kept
        assert main_on(page, pattern()) == ["Text", *wanted, "a = 9\nb = 8\nc = 7"]


def test_labels_stay_with_their_values() -> None:
    """Headers and terms that all pages have come out with the cell or the definition beside them."""
    table = "<table><tr><th>Place</th><td>{}</td></tr><tr><th>Opened</th><td>to come</td></tr></table>"
    terms = "<dl><dt>Builder</dt><dd>{}</dd></dl><p>Builder</p>"
    body = '<div id="c">' + table + terms + "</div>"
    pages = placed(*(body.format(words(n, 3), words(n + 50, 3)) for n in range(8)))
    assert main_on(pages[4], pattern()) == ["Place", words(4, 3), "Builder", words(54, 3)]


def test_a_heading_stays_with_its_part() -> None:
    """A heading that all pages have comes out if all else in its own part is main text."""
    part = "<div class=box><h3>{}</h3><ul>{}</ul></div>"
    items = "<li>{}</li><li>{}</li>"
    boxes = part.format("Ingredients", items) + part.format("Share", "<li>by letter</li>")
    body = f'<div id="c"><p>{{}}</p>{boxes}<p>{{}}</p></div>'
    pages = placed(*(body.format(*(words(n + k, 9) for k in (0, 90, 180, 270))) for n in range(8)))
    wanted = [words(4, 9), "Ingredients", words(94, 9), words(184, 9), words(274, 9)]
    assert main_on(pages[4], pattern()) == wanted


def test_a_label_stays_with_its_part() -> None:
    """A recurring line that heads a part, as "Note" a box, stays if the rest is main text."""
    for part in ('<div class="box"><p>Note</p>{}</div>', "<details><summary>Note</summary>{}</details>"):
        box, advert = part.format("<p>{}</p>"), part.format("<p>Buy now</p>").replace("Note", "Advert")
        body = f'<div id="c"><p>{{}}</p>{box}{advert}<p>{{}}</p></div>'
        pages = placed(*(body.format(*(words(n + k, 9) for k in (0, 90, 180))) for n in range(8)))
        assert main_on(pages[4], pattern()) == [words(4, 9), "Note", words(94, 9), words(184, 9)]


def test_title_and_excluded_parts_are_not() -> None:
    """The title is left out, and so is all text in an excluded part, at any depth."""
    parts = '<div class="x"><p>b</p></div><div class="xy">c</div>'
    page = page_of(f'<div id="c"><h1>title</h1><p>a</p>{parts}</div>')
    found = pattern(ROOT, (f"{ROOT}/div.x",))
    assert main_on(page, found, title=f"{ROOT}/h1") == ["a", "c"]


def test_comments_whose_dates_are_excluded_are_found_in_a_spared_part() -> None:
    """In a spared part, comments are found by their date lines, even if these are excluded."""
    said = '<li id="n{0}"><div class="by">Ada, 12.5.2010</div><p>{1}</p></li>'
    thread = "".join(said.format(n, words(n, 20)) for n in range(5, 8))
    page = page_of(f'<div id="c"><p>{words(1, 20)}</p><ol class="x">{thread}</ol></div>')
    item = f"{ROOT}/ol.x/li"
    assert main_on(page, pattern(ROOT, (f"{item}/div.by", f"{item}/p"))) == [words(1, 20)]


def test_comments_whose_dates_recur_are_no_text() -> None:
    """Digits are folded, so each page of a site may have the dates of the comments of the others."""
    rows = "".join(
        f"<dt><a href='/u{n}'>Ann</a> said</dt><dd>{words(n, 20)}</dd><dd>May {n}, 2024 at 10:0{n}</dd>"
        for n in range(2, 5)
    )
    page = page_of(f"<p>{words(1, 60)}</p><dl>{rows}</dl>")
    recurring = bytes("May" in block.text for block in page.layout.blocks)
    assert main_on(replace(page, boilerplate=recurring), pattern()) == [words(1, 60)]


def test_only_the_first_element_at_the_titles_path_is_the_title() -> None:
    """A later heading at the title's path stays; so do paragraphs after a title in a paragraph."""
    page = page_of('<div id="c"><h1>title<br>in two lines</h1><p>a</p><h1>part</h1><p>b</p></div>')
    assert main_on(page, pattern(), title=f"{ROOT}/h1") == ["a", "part", "b"]
    assert main_on(page, pattern(), title=f"{ROOT}/p")[-2:] == ["part", "b"]


def test_static_text_is_not() -> None:
    """Boilerplate in the container is left out."""
    pages = placed(*(f'<div id="c"><p>{words(n)}</p><div>Imprint</div></div>' for n in range(3)))
    assert main_on(pages[1], pattern()) == [words(1)]


def test_a_long_repeat_in_another_element_is_printed_once() -> None:
    """A text of forty characters or more that another element of the template repeats is kept once."""
    again = f'<div class="again"><p>{"n" * 39}</p><p>{"m" * 40}</p></div>'
    page = page_of(f'<div id="c"><p>{"m" * 40}</p><p>{"n" * 39}</p>{again}</div>')
    assert main_on(page, pattern()) == ["m" * 40, "n" * 39, "n" * 39]


def test_a_table_of_contents_does_not_stand_for_the_headings() -> None:
    """A link with the text of a heading is no first copy of it."""
    contents = f'<div class="box"><ul><li><a href="#m">{"m" * 40}</a></li></ul></div>'
    page = page_of(f'<div id="c">{contents}<p>{words(1)}</p><h2>{"m" * 40}</h2><p>{words(9)}</p></div>')
    assert main_on(page, pattern())[-3:] == [words(1), "m" * 40, words(9)]
    page = page_of(f'<div id="c"><p>{words(1)}</p><h2>{"m" * 40}</h2>{contents}</div>')
    assert main_on(page, pattern()) == [words(1), "m" * 40]


def test_short_texts_of_a_copy_are_printed_once() -> None:
    """Some templates have the text twice, for large and for small screens; a short text alone may recur."""
    part = f"<p>{words(1, 20)}</p><p>Gale</p><p>{words(40, 20)}</p><p>Calm</p>"
    page = page_of(
        f'<div id="c">{part}<div class="small">{part}<p>Calm</p><p>Gale {words(80, 20)}</p></div></div>'
    )
    own = [words(1, 20), "Gale", words(40, 20), "Calm"]
    assert main_on(page, pattern()) == [*own, f"Gale {words(80, 20)}"]
    page = page_of(f'<div id="c">{part}<div class="box"><p>Calm</p></div></div>')
    assert main_on(page, pattern()) == [*own, "Calm"]


def test_what_an_author_repeats_stays() -> None:
    """A long line that an author repeats in the same element of the template comes out twice."""
    page = page_of(f'<div id="c"><ul><li>{"m" * 40}</li></ul><h2>n</h2><p>{"m" * 40}</p></div>')
    assert main_on(page, pattern()) == ["m" * 40, "n", "m" * 40]


def test_a_page_without_the_container_is_gone_down() -> None:
    """If the container is missing, empty or not learned, the page's own masses give the main text."""
    page = page_of(f'<div class="menu"><a href="/">menu</a></div><div class="new"><p>{words(1)}</p></div>')
    for container in (ROOT, "body/div.menu", ""):
        found = pattern(container, ("body/div.menu",) if container == "body/div.menu" else ())
        assert main_on(page, found) == [words(1)]


@pytest.mark.parametrize(
    ("first", "count"),
    [
        ("<p class=line>{0}</p><p class=line>{1}</p>", 12),
        ("<p class=note>{0}</p><p class=note>{1}</p>", 10),
        ("<p class=line>{0}</p>", 11),
    ],
)
def test_a_text_goes_on_in_an_element_that_a_button_opens(first: str, count: int) -> None:
    """If its first paragraphs stand beside the element with the others and look like these, they are text."""
    others = "".join(f"<p class=line>{words(number, 60)}</p>" for number in range(2, 12))
    opened = f"<button>Read on</button><div class=rest>{others}</div>"
    body = f"{first.format(words(0, 60), words(1, 60))}{opened}"
    assert len(main_on(page_of(f"<div class=text>{body}</div>"), pattern(""))) == count


def test_paragraphs_beside_a_part_that_holds_most_of_the_text() -> None:
    """They are text if they look like its own, and the title is not there, as it is with a standfirst."""
    first, last = (f"<p>{words(number, 40)}</p>" for number in (1, 2))
    slides = "".join(f"<h3>{words(number, 3)}</h3><p>{words(number, 90)}</p>" for number in range(3, 9))
    for before, after, count in (
        (first, last, 14),
        (first.replace("<p", "<p class=bio"), "<p>short</p>", 12),
    ):
        text = f'<div class="text">{before}<div id="c">{slides}</div>{after}</div>'
        assert len(main_on(page_of(f"<h1>title</h1>{text}"), pattern("body/div.text/div#c"))) == count
    inside = f'<div class="text"><h1>title</h1>{first}<div id="c">{slides}</div></div>'
    found = pattern("body/div.text/div#c")
    assert len(main_on(page_of(inside), found, "body/div.text/h1")) == 12


def test_a_page_without_text_has_no_main_text() -> None:
    """A page with boilerplate alone has no main text."""
    pages = placed(*["<div id=c>Imprint</div>"] * 3)
    assert main_on(pages[0], pattern()) == []


def supplementary_on(page: PlacedLayout, *names: str, main: int = -1, pages: int = 5) -> list[str]:
    """Return the supplementary texts if these sections vary; ``main`` is the block of the main text."""
    found = replace(pattern(ROOT, (), *(Section(f"body/{name}", 0.25, 5.0) for name in names)), pages=pages)
    count = len(page.layout.blocks)
    indexes = supplementary_blocks(page, found, [main % count], "title", "body/h1")
    return [page.layout.blocks[index].text for index in indexes]


HEAD = "div.head"


def test_supplementary_sections() -> None:
    """Varying text near the title is supplementary, except links, records and repeats of the title."""
    comment = '<div class="c">text<a href="#u">user</a></div>'
    page = page_of(
        '<p>news of all kinds</p><div class="menu"><p>title</p></div>'
        '<div class="head"><p class="date">May 5</p><h1>title</h1><h2>title</h2></div>'
        f'<div class="by">by Ann</div><div class="dull">dull</div><div class="tag"><a href="/">tag</a></div>'
        f'{comment * 3}<div id="c"><p>text</p><p>more</p></div>'
    )
    names = ("p", f"{HEAD}/p.date", f"{HEAD}/h1", f"{HEAD}/h2", "div.by", "div.tag", "div.c", "div#c/p")
    assert supplementary_on(page, *names, main=-2) == ["May 5", "by Ann"]


def test_what_comes_after_the_text_began_is_not_supplementary() -> None:
    """Only text before the main text's first block is supplementary: after it are teasers and comments."""
    page = page_of('<h1>title</h1><div class="by">by Ann</div><p>text</p><div class="next">next story</div>')
    assert supplementary_on(page, "div.by", "div.next", main=2) == ["by Ann"]


def test_a_title_in_several_lines_has_neighbours() -> None:
    """All blocks of the element at the title's path are the title."""
    page = page_of('<h1>title<br>in two lines</h1><div class="by">by Ann</div><div id="c"><p>text</p></div>')
    assert supplementary_on(page, "h1", "div.by") == ["by Ann"]


def test_a_name_that_recurs_is_supplementary() -> None:
    """A recurring author counts, even as a link; long boilerplate and one block of several do not."""
    body = (
        '<h1>title</h1><div class="by"><a href="/ann">Ann</a></div><div class="bio">{0}</div>'
        '<div class="x">Share</div><div class="x">May {1}</div><div id="c"><p>text</p></div>'
    )
    pages = placed(*(body.format("m" * 40, "abc"[n]) for n in range(3)))
    assert supplementary_on(pages[0], "div.by", "div.bio", "div.x") == ["Ann", "May a"]


def test_without_evidence_nothing_is_supplementary() -> None:
    """Nothing is supplementary if the pattern has one page, or if no block shows the title."""
    page = page_of('<h1>title</h1><div class="by">by Ann</div><div id="c"><p>text</p></div>')
    assert supplementary_on(page, "div.by") == ["by Ann"]
    assert supplementary_on(page, "div.by", pages=1) == []
    assert supplementary_on(page) == []
    without = page_of('<h2>Title</h2><div class="by">by Ann</div><div id="c"><p>text</p></div>')
    assert supplementary_on(without, "div.by") == []


def test_a_title_in_preformatted_text_is_the_title_once_more() -> None:
    """A text with the title's words is the title, whatever its white space."""
    lines = "<pre>\n   the   title\n</pre>"
    page = page_of(f'<h1>the title</h1><div class="by">by Ann</div>{lines}<div id="c"><p>text</p></div>')
    sections = (Section("body/pre", 0.25, 5.0), Section("body/div.by", 0.25, 5.0))
    found = supplementary_blocks(page, pattern(ROOT, (), *sections), [3], "the title", "body/h1")
    assert [page.layout.blocks[index].text for index in found] == []
    found = supplementary_blocks(page, pattern(ROOT, (), *sections), [3], "the titles", "body/h1")
    assert [page.layout.blocks[index].text for index in found] == ["by Ann", "   the   title"]


def test_what_is_left_when_all_is_excluded() -> None:
    """If the exclusions leave nothing on a page, it is read without them."""
    page = placed(f'<div id="c"><div class="box"><p>{words(1, 30)}</p></div></div>')[0]
    pattern = Pattern("p", "article", 1.0, 9, (), container="body/div#c", excluded=("body/div#c/div.box",))
    repeated = replace(
        page, repeated=bytes([1]) * len(page.paths)
    )  # excluded_on would spare a text outside records
    assert main_text(repeated, pattern, "").blocks == [0]


PULLED = " ".join(words(1, 60).split()[3:12])
