"""Fixtures that make small sources of pages."""

from __future__ import annotations

import gzip
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

HTML = [("Content-Type", "text/html; charset=utf-8")]

MakeZip = Callable[[Mapping[str, bytes]], Path]


@pytest.fixture
def make_zip(tmp_path: Path) -> MakeZip:
    """Return a function that writes members to a zip file without compression, so that bytes can be found."""

    def make(members: Mapping[str, bytes], name: str = "crawl.zip") -> Path:
        with zipfile.ZipFile(tmp_path / name, "w") as out:
            for member, body in members.items():
                out.writestr(member, body)
        return tmp_path / name

    return make


class WarcMaker:
    """Collects records and writes them to a file. (warcio's own writer leaves temporary files open.)"""

    def __init__(self, path: Path, packed: bool = False) -> None:
        self.path, self._packed, self._records = path, packed, b""

    def add(
        self,
        url: str,
        payload: bytes,
        headers: list[tuple[str, str]] = HTML,
        *,
        status: str = "200 OK",
        kind: str = "response",
    ) -> None:
        head = "".join(f"{name}: {value}\r\n" for name, value in headers)
        block = f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + payload
        start = (
            f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-21T09:00:00Z\r\n"
            f"Content-Type: application/http; msgtype={kind}\r\nContent-Length: {len(block)}\r\n\r\n"
        )
        record = start.encode() + block + b"\r\n\r\n"
        self._records += gzip.compress(record) if self._packed else record

    def write(self) -> Path:
        self.path.write_bytes(self._records)
        return self.path


@pytest.fixture(params=[False, True], ids=["plain", "gzip"])
def warc(request: pytest.FixtureRequest, tmp_path: Path) -> WarcMaker:
    """A maker of a WARC file, once plain and once compressed."""
    return WarcMaker(tmp_path / ("a.warc.gz" if request.param else "a.warc"), packed=request.param)
