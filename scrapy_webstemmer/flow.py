"""START HERE (placeholder while the core is being built)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from parsel import Selector

from .options import ExtractOptions, LearnOptions
from .patterns.files import PatternSet
from .urls import site_of
from .values import Article, ArticleSection, Linkinfo, Page, Pattern, SitePatterns


def learn(pages: Iterable[Page], linkinfo: Linkinfo | None = None, options: LearnOptions = LearnOptions()) -> PatternSet:
    sites: dict[str, list[Page]] = {}
    for page in pages:
        sites.setdefault(site_of(page.url), []).append(page)
    return PatternSet(
        {
            s: SitePatterns(s, len(p), 1, (Pattern(p[0].url, "article", 100.0, len(p), (), sample_url=p[0].url),))
            for s, p in sites.items()
        }
    )


def extract(
    page: Page, patterns: PatternSet, options: ExtractOptions = ExtractOptions(), *, root: Any = None
) -> Article | None:
    site = patterns.sites.get(site_of(page.url))
    if site is None:
        return None
    sel = Selector(text=page.body.decode(page.encoding or "utf-8", "replace")) if root is None else Selector(root=root)
    title, paragraphs = sel.css("h1::text").get(""), sel.css("p::text").getall()
    if not paragraphs:
        return None
    return Article(page.url, title, "\n".join(paragraphs), "", (ArticleSection("title", title),), site.patterns[0].name, 1.0)
