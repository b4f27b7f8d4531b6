"""Markdown says no more than the HTML that it was made of, whatever the text of a page looks like."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def fragments() -> ModuleType:
    """Return the module that makes fragments."""
    path = Path(__file__).with_name("fragments.py")
    spec = importlib.util.spec_from_file_location("fuzzing_fragments", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.once
def test_random_fragments(fragments: ModuleType) -> None:
    """Of many fragments no renderer makes an element or attribute that the article's HTML has not."""
    for number in range(150):
        fragments.check_fragment(fragments.fragment((), random.Random(f"11 {number}")))


@pytest.mark.parametrize(
    ("clean", "rendered", "more"),
    [
        ("<p>a</p>", "<p>a</p>", []),
        ("<ul><li><b>a</b></li></ul>", "<ul><li><p><strong>a</strong></p></li></ul>", []),
        ("<p>&lt;img src=x&gt;</p>", "<p><img src=x onerror=y></p>", ["img", "img src x", "img onerror y"]),
        ("<img src='a'>", "<img src='a'><img src='a'>", ["img src a"]),
        ("<a href='http://a/'>b</a>", "<a href='http://a/c'>b</a>", ["a href http://a/c"]),
        ("<p>http://a/</p>", "<p><a href='http://a/'>http://a/</a></p>", []),
        ("<p>a</p>", "<p>a</p><!-- b --><script>c</script>", ["comment", "script"]),
    ],
)
def test_what_is_added_is_found(fragments: ModuleType, clean: str, rendered: str, more: list[str]) -> None:
    """The comparison of rendered Markdown with HTML sees what the former has more."""
    assert fragments.added(clean, rendered) == more
