from __future__ import annotations

from scrapy_webstemmer.learning.site_pages import AnchorTexts


def test_texts_under_all_names_of_a_page() -> None:
    """All texts that lead to any key of a page are found, each once."""
    anchors = AnchorTexts()
    for target, text in [("a", "Seals return"), ("b", "Seals"), ("b", "Seals"), ("c", "Geese")]:
        anchors.add(target, text)
    assert anchors.to(["a", "b", "unknown"]) == {"Seals return", "Seals"}
