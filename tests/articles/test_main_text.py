from __future__ import annotations

from typing import Any

from path_pages import placed, words

from scrapy_webstemmer.articles.main_text import main_blocks, supplementary_blocks
from scrapy_webstemmer.layouts.placed import PlacedLayout
from scrapy_webstemmer.options import ExtractOptions
from scrapy_webstemmer.values import Pattern, Section

ROOT = "body/div#c"


def pattern(container: str = ROOT, excluded: tuple[str, ...] = (), *sections: Section) -> Pattern:
    return Pattern("p", "article", 1.0, 5, sections, container=container, excluded=excluded)


def main_on(page: PlacedLayout, found: Pattern, title: str = "", **options: Any) -> list[str]:
    indexes = main_blocks(page, found, title, ExtractOptions(**options).for_layout("paths"))
    return [page.layout.blocks[index].text for index in indexes]


def page_of(body: str) -> PlacedLayout:
    return placed(body)[0]


def test_all_blocks_of_the_container_are_main_text() -> None:
    """Whatever an author put into the container comes out in its order; what is outside does not."""
    page = page_of('<p>menu</p><div id="c">a<h2>b</h2><ul><li>c</li></ul></div><p>foot</p>')
    assert main_on(page, pattern()) == ["a", "b", "c"]


def test_title_and_excluded_parts_are_not() -> None:
    """The title and all that stands in an excluded part is left out, at whatever depth."""
    parts = '<div class="x"><p>b</p></div><div class="xy">c</div>'
    page = page_of(f'<div id="c"><h1>title</h1><p>a</p>{parts}</div>')
    found = pattern(ROOT, (f"{ROOT}/div.x",))
    assert main_on(page, found, title=f"{ROOT}/h1") == ["a", "c"]


def test_only_the_first_element_at_the_titles_path_is_the_title() -> None:
    """A heading like the title's within the text stays, and so do paragraphs after a title in a paragraph."""
    page = page_of('<div id="c"><h1>title<br>in two lines</h1><p>a</p><h1>part</h1><p>b</p></div>')
    assert main_on(page, pattern(), title=f"{ROOT}/h1") == ["a", "part", "b"]
    assert main_on(page, pattern(), title=f"{ROOT}/p")[-2:] == ["part", "b"]


def test_static_text_is_not() -> None:
    """Furniture inside the container is left out."""
    pages = placed(*(f'<div id="c"><p>{words(n)}</p><div>Imprint</div></div>' for n in range(3)))
    assert main_on(pages[1], pattern()) == [words(1)]


def test_a_long_repeat_is_printed_once() -> None:
    """A text of forty characters that stands there twice is printed once, a shorter one twice."""
    page = page_of(f'<div id="c"><p>{"m" * 40}</p><p>{"n" * 39}</p><p>{"m" * 40}</p><p>{"n" * 39}</p></div>')
    assert main_on(page, pattern()) == ["m" * 40, "n" * 39, "n" * 39]


def test_a_page_without_the_container_is_gone_down() -> None:
    """Where the container is missing, empty or not learned, the page's own masses lead."""
    page = page_of(f'<div class="menu"><a href="/">menu</a></div><div class="new"><p>{words(1)}</p></div>')
    for container in (ROOT, "body/div.menu", ""):
        found = pattern(container, ("body/div.menu",) if container == "body/div.menu" else ())
        assert main_on(page, found) == [words(1)]


def test_a_page_without_text_has_no_main_text() -> None:
    """Static text alone gives nothing."""
    pages = placed(*["<div id=c>Imprint</div>"] * 3)
    assert main_on(pages[0], pattern()) == []


def test_thresholds_leave_out_sections() -> None:
    """With thresholds, sections that score less are left out; a part that is no section stays."""
    page = page_of('<div id="c"><p>a</p><h2>b</h2><h3>c</h3></div>')
    sections = Section(f"{ROOT}/p", 0.9, 80.0), Section(f"{ROOT}/h2", 0.4, 90.0)
    found = pattern(ROOT, (), *sections)
    assert main_on(page, found) == ["a", "b", "c"]
    assert main_on(page, found, diff_threshold=0.5) == ["a", "c"]
    assert main_on(page, found, main_threshold=85) == ["b", "c"]


def test_supplementary_sections() -> None:
    """Outside the main text, what varies is supplementary: not links, not static, no groups, no title."""
    comment = '<div class="c">text of {0}<a href="#u">user</a></div>'
    body = (
        '<h1>title {0}</h1><div class="by">by {0}</div><div class="dull">dull {0}</div>'
        f'<div class="tag"><a href="/">tag {{0}}</a></div>{comment * 3}'
        '<div id="c"><p>{0}</p></div><div class="foot">Imprint</div>'
    )
    page = placed(*(body.format(name) for name in ("Ann", "Bo", "Cy")), static_pages=3)[0]
    names = ("h1", "div.by", "div.tag", "div.c", "div.foot")
    sections = [Section(f"body/{name}", 0.9, 5.0) for name in names]
    sections += [Section("body/div.dull", 0.4, 5.0)]
    found = supplementary_blocks(page, pattern(ROOT, (), *sections), [], "body/h1")
    assert [page.layout.blocks[index].text for index in found] == ["by Ann"]


def test_main_text_is_not_supplementary() -> None:
    """A block is main text or supplementary; sections that vary too little or have no weight are neither."""
    page = page_of('<div class="by">by Ann</div><div class="on">on Monday</div><div id="c"><p>a</p></div>')
    by, on, text = (Section(f"body/{name}", 0.5, 5.0) for name in ("div.by", "div.on", "div#c/p"))

    def found(*sections: Section) -> list[int]:
        return supplementary_blocks(page, pattern(ROOT, (), *sections), [2], "")

    assert found(by, on, text) == [0, 1]
    assert found(by._replace(diff_score=0.49), on) == [1]
    assert found(by, on._replace(main_score=0.0)) == [0]
