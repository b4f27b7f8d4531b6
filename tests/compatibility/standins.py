"""Servers on loopback that stand in for those that a check cannot run: they answer with the site's pages."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from trial import QuietHandler, Site, listening

_CHARSET = re.compile(rb'charset="?([\w-]+)')


class _Handler(QuietHandler):
    """Answers a POST request whose body is a JSON object that names a url."""

    site: Site

    def do_POST(self) -> None:  # noqa: N802 - the name is that of http.server
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        page = self.site.server.pages.get(urlsplit(asked["url"]).path)
        status, kind, body = self.reply(asked, page)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def reply(self, asked: dict[str, Any], page: Any) -> tuple[int, str, bytes]:
        """Return status, type and body of the answer; the page is None if the site has none."""
        raise NotImplementedError


def _rendered(page: Any) -> str:
    """Return a page as a text, as a browser gives it."""
    declared = _CHARSET.search(page.body)
    return page.body.decode(declared[1].decode() if declared else "utf-8")


class _Splash(_Handler):
    """``render.html`` of Splash."""

    def reply(self, asked: dict[str, Any], page: Any) -> tuple[int, str, bytes]:
        if page is None:
            return 404, "application/json", b'{"error": 404, "type": "RenderError"}'
        return 200, "text/html; charset=utf-8", _rendered(page).encode()


class _ZyteApi(_Handler):
    """``extract`` of Zyte API, for ``browserHtml`` and ``httpResponseBody``."""

    def reply(self, asked: dict[str, Any], page: Any) -> tuple[int, str, bytes]:
        answer = {"url": asked["url"], "statusCode": 200 if page else 404}
        if asked.get("browserHtml"):
            answer["browserHtml"] = _rendered(page) if page else ""
        else:
            kind = page.headers["Content-Type"] if page else "text/html"
            answer["httpResponseBody"] = base64.b64encode(page.body if page else b"").decode()
            answer["httpResponseHeaders"] = [{"name": "content-type", "value": kind}]
        return 200, "application/json", json.dumps(answer).encode()


@contextmanager
def splash(site: Site) -> Iterator[str]:
    """Stand in for a Splash server; give its url."""
    with listening(type("Handler", (_Splash,), {"site": site})) as port:
        yield f"http://127.0.0.1:{port}"


@contextmanager
def zyte_api(site: Site) -> Iterator[str]:
    """Stand in for Zyte API; give its url."""
    with listening(type("Handler", (_ZyteApi,), {"site": site})) as port:
        yield f"http://127.0.0.1:{port}/v1/"
