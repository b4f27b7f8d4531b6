"""Where links lead, and how urls are compared."""

from __future__ import annotations

import pytest

from scrapy_webstemmer.page.addresses import page_path, split_page


@pytest.mark.parametrize(
    ("path", "compared"),
    [
        ("/", ""),
        ("/index.html", ""),
        ("/a/", "/a"),
        ("/a", "/a"),
        ("/a/index.php", "/a"),
        ("/a/index.x", "/a/index.x"),
        ("/a/reindex.html", "/a/reindex.html"),
        ("/a/index.html/b", "/a/index.html/b"),
        ("/caf%C3%A9/%20", "/caf\u00e9/ "),
        ("/A", "/A"),
    ],
)
def test_how_paths_are_compared(path: str, compared: str) -> None:
    """Quotes, a slash at its end and the index file of its folder do not change a path."""
    assert page_path(path) == compared


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("http://a.com", ("a.com", "", "")),
        ("//WWW.A.com/b/?c=1&d#e", ("a.com", "/b", "c=1&d")),
        ("https://a.com:8000/b#c?d", ("a.com:8000", "/b", "")),
        ("http://a.com?b/c", ("a.com", "", "b/c")),
        ("http://www.wwww.com/index.html", ("wwww.com", "", "")),
        ("no address", ("", "", "")),
    ],
)
def test_parts_of_a_pages_url(url: str, parts: tuple[str, str, str]) -> None:
    """A page's url gives host (lower case, without www), path and query; the fragment is dropped."""
    assert split_page(url) == parts
