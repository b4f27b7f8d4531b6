from __future__ import annotations

from path_pages import placed, words

FOOT = '<div class="foot">Imprint and contact</div>'


def test_mass_is_text_outside_links_that_is_not_static() -> None:
    """Links and boilerplate have no mass; an element has the mass of all elements in it."""
    page = placed(
        *(f'<div><p>{name * 5} <a href="/x">link</a></p></div>{FOOT}' for name in ("a", "b", "c")),
    )[0]
    assert dict(zip(page.paths, page.masses(), strict=True)) == {
        "body": 5,
        "body/div": 5,
        "body/div/p": 5,
        "body/div.foot": 0,
    }


def test_a_heading_with_the_title_has_no_mass() -> None:
    """Neither a heading that is little more than the title, nor one that repeats the whole title element."""
    name = "the most beautiful gazette of all seaside towns"
    body = "<h1>{0} - {1}</h1><h2>{0}</h2><p>{2}</p>"
    pages = placed(
        *(
            body.format(title, name, text)
            for title, text in (("Tides", "abc"), ("Dunes", "defg"), ("Surf", "h"))
        ),
        titles=[f"{title} - {name}" for title in ("Tides", "Dunes", "Surf")],
    )
    assert [page.masses()[0] for page in pages] == [3, 4, 1]


def test_text_above_the_headline_has_no_mass() -> None:
    """What stands in other elements above it is the template's, unless most of the text stands there."""
    page = "<div class='bar'><p>{0}</p></div><div class='a'>{2}<h2>Tides</h2><p>{1}</p></div>"
    weights = [
        placed(page.format("a" * above, "b" * below, "c"), titles=["Tides"])[0].masses()
        for above, below in ((40, 50), (60, 50))
    ]
    assert [mass[0] for mass in weights] == [51, 111]
    assert [mass[1] for mass in weights] == [0, 60]
    link = page.replace("Tides", "<a href='/x'>Tides</a>")  # the headline of another page
    assert placed(link.format("a" * 40, "b" * 50, "c"), titles=["Tides"])[0].masses()[0] == 91


def test_paragraphs_stand_below_the_headline() -> None:
    """If some do; else they are what there is."""
    text = "<p>{}</p><h1>Tides</h1><p>{}</p>"
    long, short = words(1, 30), words(2, 3)
    below, above, none = (
        placed(text.format(*both), titles=["Tides"])[0].paragraphs()
        for both in ((long, words(40, 30)), (long, short), (short, short))
    )
    assert (below, above, none) == ([2], [0], [])


def test_text_in_records_has_a_tenth_of_its_mass() -> None:
    """Comments with a link each weigh a tenth."""
    comments = '<div class="c">abcdefghij<a href="#u">user</a></div>' * 3
    page = placed(f"<p>klmno</p>{comments}")[0]
    assert page.masses()[0] == 5 + 30 / 10


def test_inside_is_the_element_and_all_in_it() -> None:
    """A sibling after an element is not inside it, even if it has the same path."""
    page = placed("<div><div><p>a</p></div></div><div><p>b</p></div>")[0]
    assert [*page.inside(1)] == [0, 1, 1, 1, 0, 0]
    assert [*page.inside(4)] == [0, 0, 0, 0, 1, 1]


def test_url() -> None:
    """A placed page knows its url."""
    assert [page.url for page in placed(words(1), words(2))] == [
        "http://example.com/000",
        "http://example.com/001",
    ]
