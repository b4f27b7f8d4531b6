"""Pages as they were fetched, and the anchor texts that lead to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol


class Linkinfo(Protocol):
    """For each url, the anchor texts under which other pages link to it, with counts; a mapping is one."""

    def items(self) -> Iterable[tuple[str, Mapping[str, int]]]:
        """Return the urls, each with its anchor texts."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it was fetched.

    :param url: the page's absolute url.
    :param body: the page's bytes, after any transfer or content encoding has been undone.
    :param encoding: name of the charset, as the transport declared it; None: find it in the body.
    :param fetched: the time at which it was fetched, as an ISO 8601 string in UTC; None: unknown.
    :param aliases: other urls that lead to this page, such as one that was redirected to it.
    :param name: the page's name in its source, such as a zip member or a file; empty: it has only its url.
    """

    url: str
    body: bytes
    encoding: str | None = None
    fetched: str | None = None
    aliases: tuple[str, ...] = ()
    name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.body, bytes):
            kind = type(self.body).__name__
            raise TypeError(f"the body of a Page must be bytes, not {kind}; Scrapy has them in response.body")
        if not isinstance(self.url, str):
            raise TypeError(f"the url of a Page must be a str, not {type(self.url).__name__}")

    def __repr__(self) -> str:
        """Return the page in a line, without its body."""
        declared = f", encoding={self.encoding!r}" if self.encoding else ""
        return f"<Page {self.url!r}: {len(self.body):,} bytes{declared}>"
