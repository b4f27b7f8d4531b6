"""What places a page in its site gives the same compiled and as Python reads its file."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from python_only import python_file
from tree_pages import TEXTS, TITLE, layouts

from scrapy_webstemmer.base.compiled import compiled
from scrapy_webstemmer.site.boilerplate import BoilerplateTexts, _known_key, _without_title
from scrapy_webstemmer.site.paths import AllNames, Paths, coarse
from scrapy_webstemmer.site.placed import PlacedLayout
from scrapy_webstemmer.site.vocabulary import learn_vocabulary
from scrapy_webstemmer.values import Layout, Step

NAMES = (
    *("site.subtrees", "site.weighing", "site.records", "site.named_parts", "site.excluded"),
    "site.shown_texts",
)
subtrees, weighing, records, named_parts, excluded, shown_texts = compiled_modules = [*map(compiled, NAMES)]
pytestmark = pytest.mark.skipif(not all(compiled_modules), reason="the compiled modules are not there")
in_python: Any = SimpleNamespace(
    **{name: value for one in NAMES for name, value in vars(python_file(one)).items()}
)

#: Steps that mean something by their names, beside those of other tests.
NAMED = [
    Step("h1", "", ()),
    Step("nav", "", ()),
    Step("div", "comments", ()),
    Step("div", "", ("right-sidebar",)),
    Step("article", "", ("post",)),
    Step("form", "search", ()),
    Step("td", "", ()),
]


@st.composite
def named_layouts(draw: st.DrawFn) -> Layout:
    """Draw a layout, some steps of which have names that mean something."""
    layout = draw(layouts())
    steps = [draw(st.sampled_from([step, step, *NAMED])) for step in layout.steps]
    return replace(layout, steps=(layout.steps[0], *steps[1:]))


@st.composite
def pages(draw: st.DrawFn) -> PlacedLayout:
    """Draw a page that is placed in its site; what the site tells about it is drawn, too."""
    layout = draw(named_layouts())
    paths, ends = AllNames().of(layout), in_python.ends_of(layout.parents)

    def flags(size: int) -> bytes:
        return bytes(draw(st.lists(st.booleans(), min_size=size, max_size=size)))

    return PlacedLayout(
        layout,
        subtrees.columns_of(layout, ends),
        paths,
        tuple(paths[block.node] for block in layout.blocks),
        ends,
        *(flags(len(paths)) for _ in range(3)),
        flags(len(layout.blocks)),
        draw(st.sampled_from(["", TITLE, "Imprint", "Page"])),
    )


@given(st.lists(named_layouts(), min_size=1, max_size=3))
def test_paths(drawn: list[Layout]) -> None:
    """Paths are the same, by a vocabulary and by a page's own names, and so are the ends of nodes."""
    for make in (AllNames, lambda: Paths(learn_vocabulary(drawn, 1)), lambda: Paths({})):
        one, other = make(), make()
        for layout in drawn:
            found = in_python.places_of(layout.steps, layout.parents, ("", other._top), other._intern)
            assert one.of(layout) == in_python.firsts(found)
            assert [kind for _, _, kind in one.places(layout)] == [kind for _, _, kind in found]
    for layout in drawn:
        ends = subtrees.ends_of(layout.parents)
        assert ends == in_python.ends_of(layout.parents)
        columns, other = subtrees.columns_of(layout, ends), in_python.columns_of(layout, ends)
        for name, column in vars(other).items():
            assert [*getattr(columns, name)] == [*column]
        names = tuple(map(str, range(len(ends))))
        assert subtrees.at_blocks(columns, names) == in_python.at_blocks(other, names)


@settings(max_examples=200)
@given(named_layouts())
def test_records(layout: Layout) -> None:
    """The same nodes are records of the template, and records that lead elsewhere."""
    columns = subtrees.columns_of(layout, subtrees.ends_of(layout.parents))
    for paths in (AllNames().of(layout), Paths({}).of(layout)):
        found = in_python.find_records(layout, columns, paths)
        assert tuple(records.find_records(layout, columns, paths)) == tuple(found)


@given(named_layouts())
def test_named_nodes(layout: Layout) -> None:
    """The same nodes have names that say what they are."""
    args = layout, subtrees.columns_of(layout, subtrees.ends_of(layout.parents)), AllNames().places(layout)
    assert named_parts.named_nodes(*args) == in_python.named_nodes(*args)


@given(pages(), st.sampled_from(["", TITLE, *TEXTS]))
def test_stories(page: PlacedLayout, title: str) -> None:
    """The same texts are shown for other pages, and the same parts are other stories."""
    args = page.layout, page.columns, page.boilerplate, title
    assert shown_texts.find_stories(*args) == in_python.find_stories(*args)
    args = page.layout, page.ends
    assert shown_texts.shown_texts(*args) == in_python.shown_texts(*args)


@settings(max_examples=200)
@given(pages(), st.data())
def test_text(page: PlacedLayout, data: st.DataObject) -> None:
    """The masses of nodes, the container, and the weights of the text are the same."""
    assert weighing.masses_of(page) == in_python.masses_of(page)
    container = weighing.descend(page)
    assert container == in_python.descend(page)
    at = data.draw(st.sampled_from([-1, *range(len(page.layout.blocks))]))
    assert weighing.weigh_text(page, at, container) == in_python.weigh_text(page, at, container)


@given(pages(), st.sets(st.sampled_from(TEXTS)), st.sampled_from(["", TITLE, "Page"]))
def test_boilerplate(page: PlacedLayout, texts: set[str], own_title: str) -> None:
    """The same blocks are boilerplate."""
    drawn = BoilerplateTexts(
        (path, _known_key(_without_title(text, own_title) if own_title else text))
        for path in page.places[::2]
        for text in texts
    )
    for without in (_without_title, None):
        args = page.layout.blocks, page.places, own_title, drawn.texts, drawn._begins, _known_key, without
        assert weighing.boilerplate_flags(*args) == in_python.boilerplate_flags(*args)


@given(pages(), st.booleans(), st.integers(0, 50))
def test_texts_at_paths(page: PlacedLayout, all_paths: bool, most: int) -> None:
    """The first texts at paths, the profile and the short lines are the same."""
    only = None if all_paths else set(page.places[::2])
    for name, args in (
        ("first_texts", (only, most)),
        ("weights_by_feature", (all_paths,)),
        ("short_lines", (most,)),
    ):
        one, other = (getattr(module, name)(page, *args) for module in (weighing, in_python))
        assert [*one] == [*other]  # in the same order
        assert one == other


@given(pages(), st.data())
def test_main_text(page: PlacedLayout, data: st.DataObject) -> None:
    """The weights of an article's main text are the same."""
    blocks = range(len(page.layout.blocks))
    main = sorted(data.draw(st.sets(st.sampled_from(blocks), min_size=1))) if blocks else []
    if main:
        assert weighing.weigh_main(page, main) == in_python.weigh_main(page, main)


@given(st.lists(pages(), min_size=1, max_size=4), st.data())
def test_excluded(drawn: list[PlacedLayout], data: st.DataObject) -> None:
    """The same parts of a container are excluded, with the same evidence; and the same text is new in it."""
    container = data.draw(st.sampled_from(sorted({path for page in drawn for path in page.paths})))
    for name in ("find_excluded", "part_evidence"):
        assert getattr(excluded, name)(drawn, container) == getattr(in_python, name)(drawn, container)
    elements = {path: coarse(path) for path in drawn[0].places[::2]}
    found = weighing.plain_by_element(drawn[0], elements)
    assert found == in_python.plain_by_element(drawn[0], elements)
