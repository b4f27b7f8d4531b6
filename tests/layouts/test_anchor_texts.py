from __future__ import annotations

from scrapy_webstemmer.layouts.anchor_texts import AnchorTexts


def test_texts_under_all_names_of_a_page() -> None:
    """All texts are found that lead to any of the keys under which a page is known, each once."""
    anchors = AnchorTexts()
    for target, text in [("a", "Seals return"), ("b", "Seals"), ("b", "Seals"), ("c", "Geese")]:
        anchors.add(target, text)
    assert anchors.all_to(["a", "b", "unknown"]) == {"Seals return", "Seals"}


def test_texts_that_lead_to_three_pages_say_nothing() -> None:
    """A text that leads to two pages tells something of them; from the third on it does not."""
    anchors = AnchorTexts()
    for target in "aabb":
        anchors.add(target, "Read more")
    assert anchors.telling_to(["a"]) == {"Read more"}
    anchors.add("c", "Read more")
    anchors.add("c", "About c")
    assert anchors.telling_to(["a"]) == frozenset()
    assert anchors.telling_to(["c"]) == {"About c"}
    assert anchors.all_to(["a"]) == {"Read more"}
