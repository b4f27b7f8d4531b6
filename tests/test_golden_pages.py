"""Pages and their articles as readers get them. A new case is a folder under ``golden/``, without code."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapy_webstemmer import ExtractOptions, Page, extract, learn

FOLDERS = sorted(path.parent for path in Path(__file__).parent.glob("golden/*/page.html"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_text_html_and_markdown(folder: Path) -> None:
    """The article of a page has the text, HTML and Markdown in the files beside the page."""
    page = Page("http://example.com/news/1.html", (folder / "page.html").read_bytes())
    article = extract(page, learn([page]), ExtractOptions(markdown=True))
    assert article is not None
    found = {"text.txt": article.text, "article.html": article.html, "article.md": article.markdown}
    assert found == {name: (folder / name).read_text(encoding="utf-8").rstrip("\n") for name in found}
