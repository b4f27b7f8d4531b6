"""A golden site: its pages, and what a reader would call their titles and main texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from scrapy_webstemmer.values import Page


@dataclass
class Site:
    """A site's pages, and for each url its title and text, or None if the page is a list of other pages."""

    host: str
    #: The pages to learn from.
    pages: list[Page] = field(default_factory=list)
    #: Pages of the same kinds that are fetched when the site has been learned.
    later: list[Page] = field(default_factory=list)
    #: Pages that readers may call an article or not, for example an imprint, are not in it.
    expected: dict[str, tuple[str, str] | None] = field(default_factory=dict)

    def add(
        self,
        path: str,
        html: str,
        title: str = "",
        lines: Sequence[str] = (),
        *,
        encoding: str = "utf-8",
        later: bool = False,
    ) -> None:
        """Add a page. A page without lines is a list of other pages."""
        page = self._add(path, html, encoding, later)
        self.expected[page.url] = (title, "\n".join(lines)) if lines else None

    def add_unjudged(self, path: str, html: str) -> None:
        """Add a page to learn from. Whether it gives an article makes no difference."""
        self._add(path, html, "utf-8", later=False)

    def _add(self, path: str, html: str, encoding: str, later: bool) -> Page:
        page = Page(url=f"http://{self.host}/{path}", body=html.encode(encoding))
        if any(page.url == other.url for other in self.pages + self.later):
            raise ValueError(f"{page.url} is there already")
        (self.later if later else self.pages).append(page)
        return page
