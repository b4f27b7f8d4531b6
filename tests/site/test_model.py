from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_markup import READABLE
from path_pages import layout, placed, words

from scrapy_webstemmer.site import model as model_module
from scrapy_webstemmer.site.boilerplate import BoilerplateKey, NamedPage, boilerplate_texts
from scrapy_webstemmer.site.model import place_all, place_alone
from scrapy_webstemmer.site.placed import PlacedLayout

TEASER = '<div class="entry"><h2><a href="/{0}">{1}</a></h2><p>{2}</p></div>'


def told(page: PlacedLayout) -> list[object]:
    """Return what a page has, but for its columns, which are those of its layout."""
    return [getattr(page, one.name) for one in fields(page) if one.name != "columns"]


def listing(*numbers: int) -> str:
    return "".join(TEASER.format(n, words(n, 6), words(n + 100, 9)) for n in numbers)


def test_what_a_site_has_in_common() -> None:
    """Recurring classes make paths, recurring text is boilerplate, recurring ends of titles are affixes."""
    titles = ["Seals return", "Geese fly south", "A mill is sold"]
    body = '<div class="post p{0}"><p>{1}</p></div><p class="foot">Page {0}</p>'
    pages = [layout(body.format(n, words(n)), n, f"{title} | Gazette") for n, title in enumerate(titles)]
    model, _ = place_all(pages)
    assert dict(model.vocabulary) == {"div.post": 3, "p.foot": 3}
    assert model.boilerplate.texts == {"body/p.foot": {"page 0"}}
    assert model.affixes == ((), (" | Gazette",))
    page = model.place(layout('<div class="post x"><p>new</p></div><p class="foot">Page 77</p>'))
    assert page.paths == ("body", "body/div.post", "body/div.post/p", "body/p.foot")
    assert [*page.boilerplate] == [0, 1]


def test_a_group_that_leads_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries with a link each lead on; a single entry does not, whatever the site's other pages have."""
    monkeypatch.setattr(model_module, "_VOCABULARY_PAGES", 1)
    pages = [layout(listing(n, n + 1, n + 2), n) for n in range(0, 9, 3)]
    learned, _ = place_all(pages)
    assert all(learned.place(pages[0]).leading[1:])
    assert not any(learned.place(layout(listing(20), 20)).leading)


def test_names_count_however_many_pages_are_known() -> None:
    """A sidebar counts as repeated, but not as leading on, also on a site of more than a hundred pages."""
    pages = [layout(f"<p>{words(n)}</p>", n, keep=False) for n in range(120)]
    model, _ = place_all(pages)
    page = model.place(layout(f'<p>{words(7)}</p><div class="sidebar"><p>{words(8)}</p></div>'))
    assert [*page.repeated] == [0, 0, 1, 1]
    assert not any(page.leading)


def test_a_title_element_that_most_pages_have_names_none() -> None:
    """It is the site's name; but titles may be alike but for a number."""
    bodies = [f"<p>{words(n + 100)}</p>" for n in range(40)]
    for own, name in ((10, ""), (30, "Harbour Gazette")):
        titles = [words(n) if n < own else "Harbour Gazette" for n in range(40)]
        assert placed(*bodies, titles=titles)[-1].title == name
    titles = [f"Minutes of meeting {n}" for n in range(40)]
    assert [page.title for page in placed(*bodies, titles=titles)] == titles


def test_of_few_pages_two_make_a_text_static() -> None:
    """With up to 20 pages, a text on two of them can be boilerplate; of more it must be on three."""
    for count, boilerplate in ((5, True), (20, True), (21, False)):
        foot = '<div class="foot">Published by the county</div>'
        pages = placed(*(f"<p>{words(n)}</p>{foot if n < 2 else ''}" for n in range(count)))
        assert [*pages[0].boilerplate] == [0, boilerplate]


@pytest.mark.parametrize(("sample", "looked_at"), [(True, 5), (False, 12)])
def test_boilerplate_of_a_large_site_is_that_of_a_sample(
    sample: bool, looked_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts are counted on a sample, unless samples are switched off; the model holds for all pages."""
    counted: list[int] = []

    def noted(pages: list[NamedPage], share: float, least: int) -> frozenset[BoilerplateKey]:
        counted.append(len(pages))
        return boilerplate_texts(pages, share, least)

    monkeypatch.setattr(model_module, "_BOILERPLATE_SAMPLE", 5)
    monkeypatch.setattr(model_module, "boilerplate_texts", noted)
    pages = [layout(f"<p>Imprint</p><div>{words(n)}</div>", n) for n in range(12)]
    learned, found = place_all(pages, sample=sample)
    assert counted == [looked_at]
    assert {page.boilerplate for page in found} == {bytes((1, 0))}
    assert [told(learned.place(page)) for page in pages] == [*map(told, found)]


@given(st.lists(st.sampled_from(READABLE), max_size=12).map("".join), st.sampled_from(["", "News | Gazette"]))
def test_a_page_alone_is_placed_as_all_pages_are(markup: str, title: str) -> None:
    """A page of whose site nothing is known is placed as if it were all pages of the site."""
    page = layout(markup, title=title)
    assert told(place_alone(page)) == told(place_all([page])[1][0])
