"""Serves a folder on the loopback interface until it is interrupted."""

from __future__ import annotations

import contextlib
import signal
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from typing import Any

__all__ = ["serve"]


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # otherwise the body comes 40 ms after the headers

    def list_directory(self, path: Any) -> None:
        """Say that there is no such page, where others would list the files."""
        self.send_error(404)


class _Server(ThreadingHTTPServer):
    request_queue_size = 128  # of more connections at a time than this, some wait for a second

    def server_bind(self) -> None:
        """Bind without asking for the host's name: where DNS is out of reach that takes long."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.socket.getsockname()[1]


def _stop(*_: object) -> None:
    sys.exit(0)


def serve(folder: Path, port: int = 0) -> None:
    """Serve ``folder`` on 127.0.0.1 and print the url; port 0 takes a free one."""
    handler = partial(_Handler, directory=str(folder))
    with _Server(("127.0.0.1", port), handler) as server:
        signal.signal(signal.SIGTERM, _stop)
        print(f"http://127.0.0.1:{server.server_port}/", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            server.serve_forever()
