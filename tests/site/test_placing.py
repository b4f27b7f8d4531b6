"""The compiled functions that place a page in its site give the same as those in Python."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_pages import TEXTS, TITLE, layouts

from scrapy_webstemmer.base.work import compiled
from scrapy_webstemmer.patterns import confidence
from scrapy_webstemmer.site import boilerplate, main_text
from scrapy_webstemmer.site import model as names
from scrapy_webstemmer.site import paths as records
from scrapy_webstemmer.site import templates as similarity
from scrapy_webstemmer.site import titles as title
from scrapy_webstemmer.site.boilerplate import BoilerplateTexts, learn_vocabulary
from scrapy_webstemmer.site.model import PlacedLayout
from scrapy_webstemmer.site.paths import OwnPaths, Paths, ends_of
from scrapy_webstemmer.values import Layout, Step
from scrapy_webstemmer.verdict import evidence

placing: Any = compiled("site.placing")
pytestmark = pytest.mark.skipif(placing is None, reason="the compiled modules are not there")

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
    paths, ends = OwnPaths().of(layout), tuple(ends_of(layout.parents))

    def flags(size: int) -> tuple[bool, ...]:
        return tuple(draw(st.lists(st.booleans(), min_size=size, max_size=size)))

    return PlacedLayout(
        layout,
        paths,
        tuple(paths[block.node] for block in layout.blocks),
        ends,
        flags(len(paths)),
        flags(len(paths)),
        flags(len(layout.blocks)),
        draw(st.sampled_from(["", TITLE, "Imprint", "Page"])),
    )


@given(st.lists(named_layouts(), min_size=1, max_size=3))
def test_paths(drawn: list[Layout]) -> None:
    """Paths are the same, by a vocabulary and by a page's own names, and so are the ends of nodes."""
    for make in (OwnPaths, lambda: Paths(learn_vocabulary(drawn, 1)), lambda: Paths({})):
        one, other = make(), make()
        for layout in drawn:
            assert placing.paths_of(one, layout) == other.of(layout)
    for layout in drawn:
        assert placing.ends_of(layout.parents) == tuple(ends_of(layout.parents))


@settings(max_examples=200)
@given(named_layouts())
def test_records(layout: Layout) -> None:
    """The same nodes are records of the template, and records that lead elsewhere."""
    ends = tuple(ends_of(layout.parents))
    for paths in (OwnPaths().of(layout), Paths({}).of(layout)):
        assert placing.find_records(layout, paths, ends) == tuple(records.find_records(layout, paths, ends))


@given(named_layouts())
def test_named_nodes(layout: Layout) -> None:
    """The same nodes have names that say what they are."""
    ends = tuple(ends_of(layout.parents))
    assert placing.named_nodes(layout, ends) == names.named_nodes(layout, ends)


@settings(max_examples=200)
@given(pages(), st.data())
def test_text(page: PlacedLayout, data: st.DataObject) -> None:
    """The masses of nodes, the container, and the weights of the text are the same."""
    assert placing.masses(page, 0.1) == page.masses(0.1)
    assert placing.descend(page) == main_text.descend(page)
    blocks = range(len(page.layout.blocks))
    at = data.draw(st.sampled_from([None, *blocks]))
    assert placing.weigh_text(page, at) == tuple(evidence._weigh_text(page, at))


@given(pages(), st.sets(st.sampled_from(TEXTS)), st.sampled_from(["", TITLE, "Page"]))
def test_boilerplate(page: PlacedLayout, texts: set[str], own_title: str) -> None:
    """The same blocks are boilerplate."""
    drawn = BoilerplateTexts(
        (path, boilerplate._known_key(boilerplate._without(text, own_title) if own_title else text))
        for path in page.places[::2]
        for text in texts
    )
    found = drawn.among(page.layout, page.places, own_title)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boilerplate, "compiled", lambda name: None)
        assert found == drawn.among(page.layout, page.places, own_title)


@given(pages(), st.booleans())
def test_texts_at_paths(page: PlacedLayout, all_paths: bool) -> None:
    """The first texts at paths, the profile and the short lines are the same."""
    only = None if all_paths else set(page.places[::2])

    def found() -> tuple[object, ...]:
        return (
            [*title._first_texts(page, only).items()],
            [*similarity.profile_of(page).items()],
            evidence.has_date_line(page),
        )

    one = found()
    with pytest.MonkeyPatch.context() as patch:
        for module in (title, similarity, evidence):
            patch.setattr(module, "compiled", lambda name: None)
        assert one == found()
    for most in (0, evidence._DATE_LINE):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(evidence, "_DATE_LINE", most)
            assert placing.short_lines(page, most) == evidence._short_lines(page)


@given(pages(), st.data())
def test_main_text(page: PlacedLayout, data: st.DataObject) -> None:
    """The weights of an article's main text are the same."""
    blocks = range(len(page.layout.blocks))
    main = sorted(data.draw(st.sets(st.sampled_from(blocks), min_size=1))) if blocks else []
    if main:
        assert placing.weigh_main(page, main) == tuple(confidence._weigh_main(page, main))
