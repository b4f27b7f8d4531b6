"""Make the files that the examples of the documentation expect in their working folder."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

PAGE = """<!DOCTYPE html>
<html><head><title>{title} - The Example News</title></head>
<body><div id="banner">The Example News, every morning</div>
<div class="story"><h1>{title}</h1>
<p>{first}</p>
<p>{second}</p></div>
<div id="footer">Copyright The Example News, all rights reserved</div></body></html>
"""
WORDS = (
    "amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "heron", "islet", "jetty", "knoll",
    "lotus", "maple", "nadir", "onyx", "perch", "quill", "raven", "sedge", "thorn", "umber",
    "viola", "willow", "yarrow",
)  # fmt: skip


def story(number: int) -> tuple[str, str, bytes]:
    """Return a story's title, text and page; everything else on the page is the same for all stories."""
    choice = random.Random(number)
    title, first, second = (" ".join(choice.sample(WORDS, length)).capitalize() for length in (5, 14, 18))
    page = PAGE.format(title=title, first=first, second=second)
    return title, f"{first}\n{second}", page.encode()


@pytest.fixture
def news_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Make a working folder of stored pages and a later one, ``new.html``; return its title and text."""
    (tmp_path / "pages").mkdir()
    for number in range(20):
        (tmp_path / "pages" / f"{number}.html").write_bytes(story(number)[2])
    title, text, page = story(20)
    (tmp_path / "new.html").write_bytes(page)
    monkeypatch.chdir(tmp_path)
    return title, text
