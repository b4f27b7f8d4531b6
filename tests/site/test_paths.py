from __future__ import annotations

import pytest

from scrapy_webstemmer.site.paths import coarse, is_under, last_step, tag_of


@pytest.mark.parametrize(
    ("path", "step", "tag"),
    [("body", "body", "body"), ("body/p.a.b", "p.a.b", "p"), ("body/div#x.y", "div#x.y", "div")],
)
def test_last_step_and_tag(path: str, step: str, tag: str) -> None:
    """The last step is the text after the last slash; its tag is the text before the attributes."""
    assert (last_step(path), tag_of(path)) == (step, tag)


def test_is_under() -> None:
    """A path is under itself and its ancestors, but not under a path that is only a prefix of its text."""
    assert is_under("body/div", "body/div")
    assert is_under("body/div/p", "body/div")
    assert not is_under("body/div2/p", "body/div")
    assert not is_under("body", "body/div")


@pytest.mark.parametrize(
    ("path", "element"),
    [
        ("body/div/ul/li", "body/div"),
        ("body/div/ul.menu/li", "body/div/ul.menu"),
        ("body/div/blockquote/div/p", "body/div/blockquote/div"),
        ("p/p", "p"),
    ],
)
def test_coarse(path: str, element: str) -> None:
    """Bare tags of running text at the end are dropped; tags with attributes and the first step stay."""
    assert coarse(path) == element
