"""What the examples of the documentation find in their working folder."""

from __future__ import annotations

from pathlib import Path

import pytest

PAGE = """<!DOCTYPE html>
<html><head><title>{title} - The Example News</title></head>
<body><div id="banner">The Example News, every morning</div>
<div class="story"><h1>{title}</h1>
<p>{first} is what the first paragraph of story {number} is about, from its first word to its last.</p>
<p>The second paragraph is about {second}, and says it with words of its own: {words}.</p></div>
<div id="footer">Copyright The Example News, all rights reserved</div></body></html>
"""
FIRSTS = (
    "The harbour",
    "A new bridge",
    "The winter market",
    "A late train",
    "The old library",
    "A school garden",
)
SECONDS = ("money", "the weather", "two brothers", "a lost dog", "the mayor", "next spring")
WORDS = (
    "amber", "basil", "cedar", "delta", "ember", "fjord", "grove", "heron",
    "islet", "jetty", "knoll", "lotus", "maple", "nadir", "onyx", "perch",
)  # fmt: skip


def story(number: int) -> bytes:
    """Return the page of a story; its title and text are its own, the rest is the same on every page."""
    first = FIRSTS[number % len(FIRSTS)]
    second = SECONDS[number // 2 % len(SECONDS)]
    words = " ".join(WORDS[number * step % len(WORDS)] for step in (1, 3, 5, 7, 9, 11))
    title = f"{first} and {second}, part {number}"
    return PAGE.format(title=title, number=number, first=first, second=second, words=words).encode()


@pytest.fixture
def news_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder: stored pages in ``pages/``, and a later one in ``new.html``."""
    (tmp_path / "pages").mkdir()
    for number in range(20):
        (tmp_path / "pages" / f"{number}.html").write_bytes(story(number))
    (tmp_path / "new.html").write_bytes(story(20))
    monkeypatch.chdir(tmp_path)
    return tmp_path
