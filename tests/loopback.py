"""A web server on loopback that answers as a test tells it to, and records the requests."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """The answer that the server sends. If its headers have no Content-Length, the right one is added."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Raw:
    """Bytes that are sent unchanged, before the connection is closed."""

    data: bytes


@dataclass
class Asked:
    """A request: its host, its path and its headers."""

    host: str
    path: str
    headers: dict[str, str]


#: A page's HTML, an answer, or a function that is called for each request and returns one of these.
Content = str | Answer | Raw | Callable[["WebServer"], "str | Answer | Raw"]


def links(*urls: str) -> str:
    """Return a page that links to some urls."""
    return "<title>Page</title>" + "".join(
        f'<p><a href="{url}">Link number {n}</a></p>' for n, url in enumerate(urls)
    )


def redirect(location: str, status: int = 301) -> Answer:
    """Return a redirect."""
    return Answer(status=status, headers={"Location": location})


class WebServer:
    """The server, known as 127.0.0.1 and as localhost.

    :ivar pages: the answers by path; any other path is 404.
    :ivar asked: the requests, in their order.
    :ivar connections: the number of connections.
    :ivar closing: set when the test is over, for answers that wait.
    """

    def __init__(self, port: int) -> None:
        self.port = port
        self.pages: dict[str, Content] = {}
        self.asked: list[Asked] = []
        self.connections = 0
        self.closing = threading.Event()

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        """Return the url of a path."""
        return f"http://{host}:{self.port}{path}"

    def paths(self, host: str | None = None) -> list[str]:
        """Return the paths that were asked for, in the order of the requests, without robots.txt."""
        return [one.path for one in self.asked if one.path != "/robots.txt" and host in (None, one.host)]

    def headers(self, path: str, host: str | None = None) -> dict[str, str]:
        """Return the headers of the only request for a path."""
        (found,) = [one.headers for one in self.asked if one.path == path and host in (None, one.host)]
        return found


class QuietHandler(BaseHTTPRequestHandler):
    """Answers requests with :meth:`answer`, keeps connections open, and writes no log."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # otherwise the body comes 40 ms after the headers

    def do_GET(self) -> None:
        self.answer()

    def answer(self) -> None:
        """Send the answer to a request."""
        raise NotImplementedError

    def log_message(self, *args: Any) -> None:
        pass


class _Handler(QuietHandler):
    site: WebServer

    def setup(self) -> None:
        super().setup()
        self.site.connections += 1

    def answer(self) -> None:
        self.site.asked.append(Asked(self.headers["Host"].partition(":")[0], self.path, dict(self.headers)))
        content = self.site.pages.get(self.path, Answer(b"<h1>Not found</h1>", status=404))
        answer = content(self.site) if callable(content) else content
        if isinstance(answer, Raw):
            self.wfile.write(answer.data)
            self.close_connection = True
            return
        if isinstance(answer, str):
            answer = Answer(answer.encode())
        self.send_response(answer.status)
        length = {} if "Transfer-Encoding" in answer.headers else {"Content-Length": str(len(answer.body))}
        for name, value in {"Content-Type": "text/html; charset=utf-8", **length, **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(answer.body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # with more connections at a time, some would wait for a second

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing about an error: a client that gave up has closed its connection."""


@contextmanager
def listening(handler: type[BaseHTTPRequestHandler]) -> Iterator[int]:
    """Let a handler class answer on a port until the block ends."""
    server = _Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def serve() -> Iterator[WebServer]:
    """Run a server until the block ends."""
    handler = type("Handler", (_Handler,), {})
    with listening(handler) as port:
        handler.site = site = WebServer(port)
        try:
            yield site
        finally:
            site.closing.set()


@contextmanager
def silent(port: int) -> Iterator[None]:
    """Keep a port on which nobody listens any more, or the server of another test might get it."""
    with socket.socket() as kept:
        kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        kept.bind(("127.0.0.1", port))
        yield
