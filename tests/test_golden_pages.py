"""Pages and what readers get of them: a new case is a folder under ``golden/`` and no code."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapy_webstemmer import ExtractOptions, Page, extract, learn

FOLDERS = sorted(path.parent for path in Path(__file__).parent.glob("golden/*/page.html"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_text_html_and_markdown(folder: Path) -> None:
    """The page's article has the text, HTML and Markdown that stand beside it."""
    page = Page("http://example.com/news/1.html", (folder / "page.html").read_bytes())
    article = extract(page, learn([page]), ExtractOptions(markdown=True))
    assert article is not None
    found = {"text.txt": article.text, "article.html": article.html, "article.md": article.markdown}
    assert found == {name: (folder / name).read_text(encoding="utf-8").rstrip("\n") for name in found}
