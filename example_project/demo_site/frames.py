"""What the pages of a department share: head, navigation, sidebar and footer around their ``main``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from .stories import Story, stories
from .words import WORDS

__all__ = [
    "encoding_of",
    "frame",
    "head_title",
    "in_language",
    "links",
    "long_date",
    "look",
    "render",
    "story_links",
    "teaser",
]

TEMPLATES = Path(__file__).with_name("templates")

#: How the links of menus are laid out, where they are not items of a list.
MENU_ITEMS = {"bulletin": "{}<br>", "relaunch": '<span class="c-bar__entry">{}</span>'}


@lru_cache
def _template(name: str) -> Template:
    return Template((TEMPLATES / f"{name}.html").read_text(encoding="utf-8"))


def render(template: str, language: str, **values: Any) -> str:
    """Return a template filled with values and with the language's words, ``$l_name`` each."""
    labels = {f"l_{name}": text for name, text in WORDS[language].labels.items()}
    return _template(template).substitute(values, lang=language, **labels)


def look(department: str, day: int) -> str:
    """Return the name of the templates of a department: the newspaper is redesigned on day 3."""
    return "relaunch" if department == "news" and day >= 3 else department


def in_language(day: int, language: str) -> list[Story]:
    """Return the stories of one language, newest first."""
    return [story for story in reversed(stories(day)) if story.language == language]


def long_date(story: Story) -> str:
    """Return a story's date as its readers write it."""
    date = story.date
    if story.language == "ja":
        return f"{date.year}年{date.month}月{date.day}日"
    return f"{date.day} {WORDS['en']['months'][date.month - 1]} {date.year}"


def teaser(story: Story) -> str:
    """Return the beginning of a story's text."""
    length = 60 if story.language == "ja" else 130
    text = story.parts[0].text
    return escape(text if len(text) <= length else text[:length].rstrip() + "…", quote=False)


def links(items: Iterable[tuple[str, str]], pattern: str = "<li>{}</li>") -> str:
    """Return links to (address, text) pairs, each laid out by the pattern."""
    return "\n".join(pattern.format(f'<a href="{href}">{escape(text)}</a>') for href, text in items)


def story_links(found: Iterable[Story], pattern: str = "<li>{}</li>") -> str:
    """Return links to stories under their titles."""
    return links(((story.path, story.title) for story in found), pattern)


def _menu(language: str) -> list[tuple[str, str]]:
    labels, other = WORDS[language].labels, "en" if language == "ja" else "ja"
    names = ("news", "blog", "bulletin", "archive", "about")
    return [
        (f"/{language}/", labels["home"]),
        *((f"/{language}/{name}/", labels[name]) for name in names),
        (f"/{other}/", labels["other_language"]),
    ]


def frame(department: str, language: str, day: int, **values: str) -> str:
    """Return a whole page: what all pages of a department share, around ``main``."""
    words, here, style = WORDS[language], in_language(day, language), look(department, day)
    item = MENU_ITEMS.get(style, "<li>{}</li>")
    categories = [
        (f"/{language}/blog/category/{slug}/", name) for slug, name in words.pairs("sections of blog").items()
    ]
    popular = [story for story in here if story.number % 7 == 1]
    own = [story for story in here if story.department == department]
    defaults = {
        "menu": links(_menu(language), item),
        "footer_links": links(_menu(language)[1:6], "{} " if style == "bulletin" else item),
        "most_read": story_links(popular[:5], item),
        "recent": story_links(own[:5], item),
        "categories": links(categories),
        "ads": "\n".join(f'<div class="sidead">{escape(text)}</div>' for text in words["ads"][:2]),
        "charset": encoding_of(department, language),
        "body_class": "",
        "head": "",
    }
    return render(style, language, **(defaults | values))


def encoding_of(department: str, language: str) -> str:
    """Return the charset of a page: the old Japanese pages never moved to UTF-8."""
    return "Shift_JIS" if (department, language) == ("bulletin", "ja") else "utf-8"


def head_title(department: str, language: str, title: str) -> str:
    """Return what stands in ``<title>``: the site's name after the page's, or in some parts before it."""
    labels = WORDS[language].labels
    site = labels["site"]
    if department == "news":
        return f"{site} | {title}" if language == "ja" else f"{title} | {site}"
    name = f"{site} {labels[department]}"
    return f"{name}: {title}" if (department, language) == ("bulletin", "en") else f"{title} – {name}"
