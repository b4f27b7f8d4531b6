"""The whole site of a day: its pages and pictures, and the truth about its articles."""

from __future__ import annotations

import json
from pathlib import Path

from .frames import encoding_of
from .indexes import index_pages
from .layouts import story_page
from .stories import Story, stories

__all__ = ["build", "truth", "write"]

HERE = Path(__file__).parent

SKY = ("f6bd60", "84a59d", "f28482", "90be6d", "577590", "b5838d", "4d908e", "e9c46a")


def _picture(number: int) -> str:
    """Return a drawing of the sea at one of eight times of day."""
    sun, sea = 90 + number * 60, 150 + number % 3 * 20
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 300" preserveAspectRatio="xMidYMid slice">'
        f'<rect width="640" height="300" fill="#{SKY[number]}"/>'
        f'<circle cx="{sun}" cy="90" r="42" fill="#fff6"/>'
        f'<path d="M0 {sea} Q160 {sea - 30} 320 {sea} T640 {sea} V300 H0Z" fill="#264653aa"/>'
        f'<path d="M0 {sea + 40} Q160 {sea + 70} 320 {sea + 40} T640 {sea + 40} V300 H0Z" fill="#264653"/>'
        "</svg>"
    )


def _encoded(path: str, html: str) -> bytes:
    language, _, rest = path.removeprefix("/").partition("/")
    return html.encode(encoding_of(rest.partition("/")[0], language), "xmlcharrefreplace")


def build(day: int) -> dict[str, bytes]:
    """Return the site as it is on day 1, 2 or 3: address (``/en/news/``) and content of each file."""
    pages = dict(index_pages(day)) | {story.path: story_page(story, day) for story in stories(day)}
    files = {path: _encoded(path, html) for path, html in pages.items()}
    files["/static/site.css"] = (HERE / "site.css").read_bytes()
    files["/robots.txt"] = b"User-agent: *\nDisallow: /admin/\n"
    return files | {f"/static/picture-{n}.svg": _picture(n).encode() for n in range(len(SKY))}


def _record(story: Story) -> dict[str, object]:
    return {"path": story.path, "day": story.day, "layout": story.department, "language": story.language,
            "title": story.title, "text": story.text}  # fmt: skip


def truth(day: int) -> list[dict[str, object]]:
    """Return what is to come out: path, title and main text of each article, and the day it was new."""
    return [_record(story) for story in stories(day)]


def write(folder: Path, day: int) -> None:
    """Write the site into ``folder/www`` and the truth, as JSON lines, into ``folder/truth.jsonl``."""
    for path, content in build(day).items():
        file = folder / "www" / (path.removeprefix("/") + ("index.html" if path.endswith("/") else ""))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in truth(day))
    (folder / "truth.jsonl").write_text("".join(lines), encoding="utf-8")
