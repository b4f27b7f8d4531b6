"""Make small pages as path layouts, placed in the site that they form."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from unittest import mock

from scrapy_webstemmer.page.parsing import parse
from scrapy_webstemmer.page.walk import layout_of
from scrapy_webstemmer.site import model
from scrapy_webstemmer.site.model import place_all
from scrapy_webstemmer.site.placed import PlacedLayout
from scrapy_webstemmer.values import Layout, Page


def url_of(number: int) -> str:
    """Return the url of a page."""
    return f"http://example.com/{number:03}"


def layout(body: str, number: int = 0, title: str = "", head: str = "", keep: bool = True) -> Layout:
    """Return the layout of a page with this body."""
    html = f"<html><head><title>{title}</title>{head}</head><body>{body}</body></html>"
    page = Page(url=url_of(number), body=html.encode(), encoding="utf-8")
    return layout_of(page.url, parse(page), keep_markup=keep)


def full_paths(page: Layout) -> tuple[str, ...]:
    """Return for each node a path with all its attributes."""
    found: list[str] = []
    for step, parent in zip(page.steps, page.parents, strict=True):
        name = ".".join([step.tag, *step.classes])
        found.append(f"{found[parent]}/{name}" if parent >= 0 else name)
    return tuple(found)


def place(layouts: Sequence[Layout], **pages: int) -> list[PlacedLayout]:
    """Return the layouts, placed in the site that they form.

    :param pages: changed constants of the module: ``vocabulary_pages``, ``boilerplate_pages``.
    """
    changed = {f"_{name.upper()}": count for name, count in pages.items()}
    with mock.patch.multiple(model, **changed) if changed else contextlib.nullcontext():
        return place_all(layouts)[1]


def placed(*bodies: str, titles: Sequence[str] = (), **pages: int) -> list[PlacedLayout]:
    """Return pages with these bodies as one site. By default every class and id counts."""
    made = [
        layout(body, number, titles[number] if titles else "", keep=False)
        for number, body in enumerate(bodies)
    ]
    return place(made, **{"vocabulary_pages": 1} | pages)


def words(number: int, count: int = 12) -> str:
    """Return a different text for each number, without digits."""
    names = ["alder", "birch", "cedar", "dogwood", "elm", "fir", "ginkgo", "hazel", "iris", "juniper"]
    start = [names[int(digit)] for digit in f"{number:03}"]
    return " ".join([*start, *(names[(number * 7 + i * (number + 3)) % 10] for i in range(count - 3))])
