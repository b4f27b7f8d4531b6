"""The pages that lead to articles: fronts, sections, tags, archives; and the about page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from typing import TypeAlias

from .frames import (
    frame,
    head_title,
    in_language,
    links,
    long_date,
    look,
    render,
    story_links,
    teaser,
)
from .stories import Story
from .words import WORDS

__all__ = ["index_pages"]

#: Stories on one page of a list.
A_PAGE = 10

DEPARTMENTS = ("news", "blog", "bulletin")


def _news_item(story: Story) -> str:
    label = WORDS[story.language].labels["read_more"]
    return (
        f'<div class="teaser teaser-{1000 + story.number * 7}"><a href="{story.path}">'
        f'<img src="/static/picture-{story.picture}.svg" alt="{escape(story.title)}" width="160"></a>'
        f'<h2><a href="{story.path}">{escape(story.title, quote=False)}</a></h2>'
        f'<p class="teaser-date">{long_date(story)}</p>'
        f'<p class="teaser-text">{teaser(story)} <a href="{story.path}" class="more">{label}</a></p></div>'
    )


def _relaunch_item(story: Story) -> str:
    """Return a teaser that is a link as a whole."""
    return (
        f'<a class="c-teaser" href="{story.path}"><div class="c-teaser__text">'
        f"<h3>{escape(story.title, quote=False)}</h3><span>{teaser(story)}</span>"
        f"<time>{long_date(story)}</time></div>"
        f'<img class="c-teaser__image" src="/static/picture-{story.picture}.svg" alt="" width="240"></a>'
    )


def _blog_item(story: Story) -> str:
    label = WORDS[story.language].labels["read_more"]
    post = f"post-{1000 + story.number * 7}"
    return (
        f'<article id="{post}" class="{post} post hentry category-{story.section}">'
        f'<header class="entry-header"><h2 class="entry-title"><a href="{story.path}" rel="bookmark">'
        f"{escape(story.title, quote=False)}</a></h2>"
        f'<div class="entry-meta">{long_date(story)}</div></header>'
        f'<div class="entry-summary"><p>{teaser(story)}</p><p><a class="more-link" href="{story.path}">'
        f'{label}<span class="screen-reader-text"> {escape(story.title)}</span></a></p></div></article>'
    )


def _bulletin_item(story: Story) -> str:
    link = f'<a href="{story.path}">{escape(story.title, quote=False)}</a>'
    return f'<tr><td nowrap class="date">{long_date(story)}</td><td>{link}</td></tr>'


Item: TypeAlias = Callable[[Story], str]
ITEMS: dict[str, Item] = {
    "news": _news_item,
    "relaunch": _relaunch_item,
    "blog": _blog_item,
    "bulletin": _bulletin_item,
}


def _items(department: str, day: int, shown: list[Story]) -> str:
    return "\n".join(ITEMS[look(department, day)](story) for story in shown)


def _list_page(department: str, language: str, day: int, heading: str, items: str, pager: str = "") -> str:
    main = render(
        f"{look(department, day)}_list", language, heading=escape(heading), items=items, pager=pager
    )
    title = escape(head_title(department, language, heading))
    return frame(department, language, day, head_title=title, main=main, body_class="archive list")


def _pager(base: str, number: int, count: int, language: str) -> str:
    labels = WORDS[language].labels
    pages = [(labels["newer"], number - 1)] * (number > 1)
    pages += [(str(other), other) for other in range(1, count + 1)]
    pages += [(labels["older"], number + 1)] * (number < count)
    addresses = [(_numbered(base, other), text) for text, other in pages]
    return f'<div class="pager">{links(addresses, "{} ")}</div>' if count > 1 else ""


def _numbered(base: str, number: int) -> str:
    return base if number == 1 else f"{base}page-{number}.html"


def _paged(department: str, language: str, day: int, base: str, heading: str,
           found: list[Story]) -> Iterator[tuple[str, str]]:  # fmt: skip
    """Yield the pages of a list of stories: path and HTML."""
    count = max(1, -(-len(found) // A_PAGE))
    for number in range(1, count + 1):
        shown = found[(number - 1) * A_PAGE : number * A_PAGE]
        items = _items(department, day, shown)
        title = heading if number == 1 else f"{heading} – {WORDS[language].labels['page']} {number}"
        pager = _pager(base, number, count, language)
        yield _numbered(base, number), _list_page(department, language, day, title, items, pager)


def _departments(language: str, day: int) -> Iterator[tuple[str, str]]:
    """Yield the fronts of the departments and of their sections."""
    words, here = WORDS[language], in_language(day, language)
    for department in DEPARTMENTS:
        sections = words.pairs(f"sections of {department}")
        own = [story for story in here if story.department == department]
        base = f"/{language}/{department}/"
        yield from _paged(department, language, day, base, words.labels[department], own)
        for slug, name in sections.items() if len(sections) > 1 else ():
            address = f"{base}category/{slug}/" if department == "blog" else f"{base}{slug}/"
            found = [story for story in own if story.section == slug]
            yield from _paged(department, language, day, address, name, found)


def _tags(language: str, day: int) -> Iterator[tuple[str, str]]:
    words, here = WORDS[language], in_language(day, language)
    for slug, name in words.pairs("tags").items():
        found = [story for story in here if slug in story.tags]
        heading = f"{words.labels['tag']}: {name}"
        yield from _paged("news", language, day, f"/{language}/tag/{slug}/", heading, found)


def _dated(story: Story) -> str:
    return f'<li><span class="date">{long_date(story)}</span> {story_links([story], "{}")}</li>'


def _archives(language: str, day: int) -> Iterator[tuple[str, str]]:
    """Yield a page a month with all its titles, and the page that leads to them."""
    words, here = WORDS[language], in_language(day, language)
    months = sorted({(story.date.year, story.date.month) for story in here}, reverse=True)
    addresses = []
    for year, month in months:
        name = f"{year}年{month}月" if language == "ja" else f"{words['months'][month - 1]} {year}"
        address = f"/{language}/archive/{year}-{month:02}/"
        addresses.append((address, name))
        found = [story for story in here if (story.date.year, story.date.month) == (year, month)]
        items = "\n".join(_dated(story) for story in found)
        heading = f"{words.labels['archive']}: {name}"
        yield address, _list_page("news", language, day, heading, f'<ul class="by-date">\n{items}</ul>')
    items = f'<ul class="months">{links(addresses)}</ul>'
    yield f"/{language}/archive/", _list_page("news", language, day, words.labels["archive"], items)


def _about(language: str, day: int) -> str:
    words = WORDS[language]
    heading = words.labels["about"]
    items = "\n".join(f"<p>{escape(line)}</p>" for line in words["about"])
    main = render(f"{look('news', day)}_about", language, heading=heading, items=items)
    title = head_title("news", language, heading)
    return frame("news", language, day, head_title=title, main=main, body_class="page")


def index_pages(day: int) -> Iterator[tuple[str, str]]:
    """Yield all pages but those of the articles: path and HTML."""
    for language in WORDS:
        here = in_language(day, language)
        front = _items("news", day, here[: A_PAGE + 2])
        latest = WORDS[language].labels["latest"]
        yield f"/{language}/", _list_page("news", language, day, latest, front)
        yield f"/{language}/about/", _about(language, day)
        for pages in (_departments, _tags, _archives):
            yield from pages(language, day)
    both = _items("news", day, [story for language in WORDS for story in in_language(day, language)[:4]])
    yield "/", _list_page("news", "en", day, "Today / 今日", both)
