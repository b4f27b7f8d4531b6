from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

from scrapy_webstemmer.errors import OptionError
from scrapy_webstemmer.trees.tree_selection import ALWAYS, CLASSIC_GROUPS, GROUPS, Fate, Group, Selection

#: The elements of HTML 4.01, less the one that the published table does not name: center.
HTML4 = frozenset(
    "a abbr acronym address applet area b base basefont bdo big blockquote body br button caption cite "
    "code col colgroup dd del dfn dir div dl dt em fieldset font form frame frameset h1 h2 h3 h4 h5 h6 "
    "head hr html i iframe img input ins isindex kbd label legend li link map menu meta noframes "
    "noscript object ol optgroup option p param pre q s samp script select small span strike strong "
    "style sub sup table tbody td textarea tfoot th thead title tr tt u ul var".split()
)


def test_the_classic_groups_are_html_4() -> None:
    """Each element of HTML 4.01 that is not always kept is in one classic group, and no other one is."""
    elements = [one for group in CLASSIC_GROUPS.values() for one in group.elements]
    assert sorted(elements) == sorted(HTML4 - ALWAYS)


def test_no_element_is_in_two_groups() -> None:
    """An element has one switch."""
    elements = [one for group in GROUPS.values() for one in group.elements]
    assert len(elements) == len(set(elements))


@pytest.mark.parametrize(
    ("name", "default", "off"),
    [
        ("tables", "keep", "remove"),
        ("rows", "keep", "ignore"),
        ("img", "keep", "remove"),
        ("params", "remove", "remove"),
        ("title", "keep", "remove"),
        ("meta", "remove", "remove"),
        ("p", "keep", "ignore"),
        ("pre", "ignore", "ignore"),
        ("br", "remove", "remove"),
        ("hr", "keep", "remove"),
        ("headings", "keep", "ignore"),
        ("fonts", "ignore", "ignore"),
        ("forms", "keep", "remove"),
        ("scripts", "remove", "remove"),
        ("sections", "keep", "ignore"),
        ("words", "ignore", "ignore"),
    ],
)
def test_fates(name: str, default: str, off: str) -> None:
    """A group's elements have the published fates: at first, with the switch on, with the switch off."""
    for element in GROUPS[name].elements:
        assert Selection.read("default").fate(element) is Fate(default)
        assert Selection.of({name: True}).fate(element) is Fate.KEEP
        assert Selection.read("all").fate(element) is Fate.KEEP
        assert Selection.of({name: False}).fate(element) is Fate(off)
        assert Selection.read("none").fate(element) is Fate(off)


@pytest.mark.parametrize("words", ["default", "all", "none"])
def test_what_no_switch_is_for(words: str) -> None:
    """The page, its head and its body are always kept; an unknown element is always ignored."""
    selection = Selection.read(words)
    assert {selection.fate(one) for one in ALWAYS} == {Fate.KEEP}
    assert selection.fate("x-unknown") is Fate.IGNORE


def test_classic_knows_no_later_element() -> None:
    """With HTML 4 alone, later elements are unknown, in any selection."""
    assert Selection.read("default", classic=True).fate("article") is Fate.IGNORE
    assert Selection.read("all", classic=True).fate("svg") is Fate.IGNORE
    with pytest.raises(OptionError, match="'sections'"):
        Selection.of({"sections": True}, classic=True)


@pytest.mark.parametrize(
    ("words", "selection"),
    [
        ("", Selection.of({})),
        ("all", Selection.of(dict.fromkeys(GROUPS, True))),
        ("none", Selection.of(dict.fromkeys(GROUPS, False))),
        ("default +span, -lists", Selection.of({"span": True, "lists": False})),
        ("none p,div", Selection.of(dict.fromkeys(GROUPS, False) | {"p": True, "div": True})),
        ("all -a", Selection.of(dict.fromkeys(GROUPS, True) | {"a": False})),
    ],
)
def test_words_of_a_selection(words: str, selection: Selection) -> None:
    """A selection is described by a start and names of groups."""
    assert Selection.read(words) == selection


@pytest.mark.parametrize("words", ["li", "+-p", "p all", "-", "default none"])
def test_words_that_are_no_groups(words: str) -> None:
    """A word that is no group is named in the error."""
    with pytest.raises(OptionError, match="selection="):
        Selection.read(words)


def test_a_selection_can_be_sent_to_another_process() -> None:
    """A selection is the same after pickling."""
    selection = Selection.read("all -p")
    assert pickle.loads(pickle.dumps(selection)) == selection


def test_the_groups_are_documented() -> None:
    """The table of docs/constants.md has each group with its elements and fates, in order."""
    page = Path(__file__).resolve().parents[2] / "docs" / "constants.md"
    rows = re.findall(r"^\| `([\w-]+)` \| (.+?) \| (\w+) \| (\w+) \|$", page.read_text("utf-8"), re.MULTILINE)
    found = {
        name: Group(frozenset(re.findall(r"`(\w+)`", elements)), Fate(start), Fate(off))
        for name, elements, start, off in rows
    }
    assert list(found.items()) == list(GROUPS.items())
