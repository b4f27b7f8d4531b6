#!/usr/bin/env python3
"""Serve a corpus of stored pages as a web site on loopback.

    serve_corpus.py [--port N] CORPUS

CORPUS is a folder, or a .tar.xz of one, with gold.jsonl (one JSON object a page: url, file) and pages/. The
page ``https://host/path`` is served at ``http://127.0.0.1:PORT/host/path``. Links to pages of the corpus'
hosts lead to their local urls; links to other hosts do not change. A page that the corpus does not have is
answered with 404. ``http://host:80/`` is the same as ``http://host/``, as for a browser.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import tarfile
import tempfile
import threading
from collections.abc import Iterable
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urljoin, urlsplit

from scrapy_webstemmer.base.urls import link_key

_LINK = re.compile(rb"""(<(?:a|area|base)\b[^>]*?\shref\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)""", re.I)
_USUAL_PORT = re.compile(r"^(http://[^/?#]*(?=:80\b)|https://[^/?#]*(?=:443\b)):\d+(?=[/?#]|$)", re.I)
_BASE = re.compile(rb"""<base\b[^>]*?\shref\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""", re.I)


def unpack(corpus: Path, folder: Path) -> Path:
    """Return the folder that has the corpus' gold.jsonl; an archive is unpacked below ``folder``."""
    if corpus.is_dir():
        return corpus
    folder = folder / corpus.name
    with tarfile.open(corpus) as archive:
        archive.extractall(folder, filter="data")
    return next(path.parent for path in sorted(folder.rglob("gold.jsonl")))


def read_gold(corpus: Path) -> list[dict[str, Any]]:
    """Return the corpus' pages; if a url has several rows, the first one counts."""
    rows: dict[str, dict[str, Any]] = {}
    for line in (corpus / "gold.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        rows.setdefault(row["url"], row)
    return list(rows.values())


class CorpusSite:
    """A corpus as a web site: a context manager that serves it in the background.

    :param corpus: folder with gold.jsonl and pages/.
    :param unpublished: urls that are answered with 404 until ``publish`` is called.
    :param port: where to listen on 127.0.0.1; 0 takes a free port.
    """

    def __init__(self, corpus: Path, unpublished: Iterable[str] = (), port: int = 0) -> None:
        rows = read_gold(corpus)
        self._files = {link_key(row["url"]): corpus / row["file"] for row in rows}
        self._urls = {link_key(row["url"]): row["url"] for row in rows}
        self._hosts = {urlsplit(_without_usual_port(row["url"])).netloc.lower() for row in rows}
        self._unpublished = frozenset(link_key(url) for url in unpublished)
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self.root = f"http://127.0.0.1:{self._server.server_port}/"

    def __enter__(self) -> CorpusSite:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *exc: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()

    def publish(self) -> None:
        """Serve all pages from now on."""
        self._unpublished = frozenset()

    def local(self, url: str) -> str:
        """Return the local url of a page."""
        return self.root + _without_usual_port(url).partition("://")[2]

    def original(self, local: str) -> str | None:
        """Return the url in the corpus of a local url; None if the corpus does not have it."""
        return self._urls.get(self._key(local.removeprefix(self.root)))

    def page(self, path: str) -> bytes | None:
        """Return the page at ``/host/path`` with its links rewritten; None if it is not there (yet)."""
        key = self._key(path.lstrip("/"))
        if key not in self._files or key in self._unpublished:
            return None
        return self.rewrite(self._files[key].read_bytes(), self._urls[key])

    def rewrite(self, body: bytes, url: str) -> bytes:
        """Return a page whose links to the corpus' hosts lead to this server; nothing else changes."""
        found = _BASE.search(body)
        base = urljoin(url, _value(found[1])) if found else url

        def replace(match: re.Match[bytes]) -> bytes:
            target = _join(base, _value(match[2]))
            if target is None or urlsplit(_without_usual_port(target)).netloc.lower() not in self._hosts:
                return match[0]
            return match[1] + b'"' + html.escape(self.local(target)).encode() + b'"'

        return _LINK.sub(replace, body)

    @staticmethod
    def _key(path: str) -> str:
        return link_key("http://" + path)


def _without_usual_port(url: str) -> str:
    """Return a url without the port that its scheme has anyway."""
    return _USUAL_PORT.sub(r"\1", url)


def _value(attribute: bytes) -> str:
    """Return an attribute's value as text. The parts of corpora that matter, links, are UTF-8 or ASCII."""
    raw = attribute.strip(b"\"'")
    return html.unescape(raw.decode("utf-8", "replace")).strip()


def _join(base: str, href: str) -> str | None:
    with suppress(ValueError):
        target = urljoin(base, href)
        if urlsplit(target).scheme in ("http", "https"):
            return target
    return None


def _handler(site: CorpusSite) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = site.page(self.path)
            self.send_response(HTTPStatus.NOT_FOUND if body is None else HTTPStatus.OK)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body or b"")))
            self.end_headers()
            self.wfile.write(body or b"")

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class' name
            """Stay quiet: the crawler's log says it all."""

    return Handler


def main() -> None:
    """Serve until interrupted."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--port", type=int, default=8000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, suppress(KeyboardInterrupt):
        corpus = unpack(args.corpus, Path(folder))
        with CorpusSite(corpus, port=args.port) as site:
            print("\n".join(site.local(row["url"]) for row in read_gold(corpus)[:10]))
            print("interrupt with Ctrl-C", flush=True)
            threading.Event().wait()


if __name__ == "__main__":
    main()
