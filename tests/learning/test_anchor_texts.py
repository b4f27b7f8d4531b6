from __future__ import annotations

from scrapy_webstemmer.learning.site_pages import AnchorTexts


def test_texts_under_all_names_of_a_page() -> None:
    """All texts that lead to any key of a page are found, each once."""
    anchors = AnchorTexts()
    for target, text in [("a", "Seals return"), ("b", "Seals"), ("b", "Seals"), ("c", "Geese")]:
        anchors.add(target, text)
    assert anchors.to(["a", "b", "unknown"]) == {"Seals return", "Seals"}
    anchors.add("a", "Seals")
    anchors.add("a", "More")
    assert anchors.to(["a"]) == {"Seals return", "Seals", "More"}


def test_a_text_is_kept_once() -> None:
    """Most links of a site have a text that others have, too: it takes memory once."""
    anchors = AnchorTexts()
    for number in range(3):
        anchors.add(f"{number}", "".join(["Read ", "more"]))
    assert len({id(text) for number in range(3) for text in anchors.to([f"{number}"])}) == 1
