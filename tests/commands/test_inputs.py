"""Reading the inputs of a command, with a progress bar."""

from __future__ import annotations

import threading
from pathlib import Path

from news_pages import articles

from scrapy_webstemmer.commands.inputs import open_inputs, progress
from scrapy_webstemmer.storage import SqliteLearningSet


def test_progress_has_no_thread(tmp_path: Path) -> None:
    """While pages are read there is only one thread, so that worker processes can be forked."""
    pages = articles("press.example", 2, "press")
    with SqliteLearningSet(tmp_path / "set.sqlite") as learning_set:
        for page in pages:
            learning_set.add_page(page)
    before = threading.active_count()
    with open_inputs([str(tmp_path / "set.sqlite")]) as sources, progress(sources, "reading") as read:
        assert {page.url for page in read} == {page.url for page in pages}
        assert threading.active_count() == before
