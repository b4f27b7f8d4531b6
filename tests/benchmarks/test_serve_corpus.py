"""The server of the crawl benchmark maps a corpus to local urls and back."""

from __future__ import annotations

import importlib.util
import json
import sys
import tarfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

HERE = Path(__file__).parent
PAGES = {
    "https://news.example/": b'<a href="/a.html">A</a> <a href=b?x=1&amp;y=2>B</a>',
    "https://news.example/a.html": b"<base href=\"https://news.example/sub/\"><a class=x href='../c/'>C</a>",
    "https://news.example/b?x=1&y=2": b'<a href="https://elsewhere.example/">away</a> \xff\xfe',
    "https://news.example/c/": b'<a name="no-link">text</a> <a href="javascript:x()">j</a> href="/a.html"',
    "https://news.example/caf%C3%A9": '<a href="/café">self</a>'.encode(),
}


@pytest.fixture(scope="module")
def serve_corpus() -> Iterator[ModuleType]:
    """Return the script as a module."""
    spec = importlib.util.spec_from_file_location("serve_corpus", HERE / "serve_corpus.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["serve_corpus"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["serve_corpus"]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Return a folder with a small corpus."""
    (tmp_path / "small" / "pages").mkdir(parents=True)
    with (tmp_path / "small" / "gold.jsonl").open("w", encoding="utf-8") as gold:
        for number, (url, body) in enumerate(PAGES.items()):
            (tmp_path / "small" / "pages" / f"{number}.html").write_bytes(body)
            gold.write(json.dumps({"url": url, "file": f"pages/{number}.html"}) + "\n")
    return tmp_path / "small"


def get(url: str) -> bytes:
    """Return the content of a url."""
    body: bytes = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=10).read()
    return body


def test_every_page_has_a_local_url_and_back(serve_corpus: Any, corpus: Path) -> None:
    """Each page of the corpus is served, and its local url leads back to its own."""
    with serve_corpus.CorpusSite(corpus) as site:
        for url in PAGES:
            assert get(site.local(url))
            assert site.original(site.local(url)) == url
        assert site.original(site.local("https://news.example/missing")) is None


def test_links_to_the_corpus_are_rewritten_and_nothing_else(serve_corpus: Any, corpus: Path) -> None:
    """Relative and absolute links lead to the server, also with a base; other bytes do not change."""
    with serve_corpus.CorpusSite(corpus) as site:
        host = f"{site.root}news.example".encode()
        served = [get(site.local(url)) for url in PAGES]
    assert served == [
        b'<a href="' + host + b'/a.html">A</a> <a href="' + host + b'/b?x=1&amp;y=2">B</a>',
        b'<base href="' + host + b'/sub/"><a class=x href="' + host + b'/c/">C</a>',
        PAGES["https://news.example/b?x=1&y=2"],
        PAGES["https://news.example/c/"],
        b'<a href="' + host + '/café">self</a>'.encode(),
    ]


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://news.example:80/a.html", "news.example/a.html"),
        ("https://news.example:443", "news.example"),
        ("http://news.example:443/", "news.example:443/"),
        ("http://news.example:8080/a?b=http://c.example:80/", "news.example:8080/a?b=http://c.example:80/"),
        ("http://news.example/a:80/", "news.example/a:80/"),
    ],
)
def test_the_usual_port_makes_no_difference(serve_corpus: Any, corpus: Path, url: str, local: str) -> None:
    """A url with the port that its scheme has anyway is the url without it."""
    site = serve_corpus.CorpusSite(corpus)
    site._server.server_close()
    assert site.local(url) == site.root + local


def test_links_with_the_usual_port_lead_to_the_page(serve_corpus: Any, tmp_path: Path) -> None:
    """A page whose own url has the port is the target of a link without it, and the other way round."""
    body = b'<a href="http://news.example/a">A</a> <a href="http://news.example:80/b">B</a>'
    (tmp_path / "a.html").write_bytes(body)
    row = {"url": "http://news.example:80/a", "file": "a.html"}
    (tmp_path / "gold.jsonl").write_text(json.dumps(row), encoding="utf-8")
    with serve_corpus.CorpusSite(tmp_path) as site:
        local = site.local(row["url"])
        links = f'<a href="{site.root}news.example/a">A</a> <a href="{site.root}news.example/b">B</a>'
        assert get(local) == links.encode()
        assert site.original(local) == row["url"]


def test_what_is_not_there_or_not_yet_is_404(serve_corpus: Any, corpus: Path) -> None:
    """A page is missing until it is published; a page that the corpus lacks stays missing."""
    late, missing = "https://news.example/a.html", "https://news.example/missing"
    with serve_corpus.CorpusSite(corpus, unpublished=[late]) as site:
        for url in (late, missing):
            with pytest.raises(urllib.error.HTTPError, match="404") as caught:
                get(site.local(url))
            caught.value.close()
        site.publish()
        assert get(site.local(late))
        with pytest.raises(urllib.error.HTTPError, match="404") as caught:
            get(site.local(missing))
        caught.value.close()


def test_archives_are_unpacked_apart(serve_corpus: Any, corpus: Path, tmp_path: Path) -> None:
    """Two archives in one working folder do not mix."""
    for name in ("one", "two"):
        with tarfile.open(tmp_path / f"{name}.tar.xz", "w:xz") as archive:
            archive.add(corpus, name)
    roots = [serve_corpus.unpack(tmp_path / f"{name}.tar.xz", tmp_path / "work") for name in ("one", "two")]
    assert [root.name for root in roots] == ["one", "two"]
    assert all((root / "gold.jsonl").exists() for root in roots)
