"""Small pages of parts that articles have, in any order: titles, bylines, days, texts, lists, comments.

Each part means something by itself; what two of them mean together, nobody has thought of.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

__all__ = ["small_page"]

_TEXT = (
    "The ferry between the islands was stopped on Tuesday after a storm had damaged the quay, the port said.",
    "Nobody knows when it will run again.",
    "Die Fähre fährt seit Dienstag nicht mehr, sagte Ann Lee, weil der Sturm den Anleger beschädigt hat.",
    "島々を結ぶフェリーは火曜日から止まっている。港によると、嵐で桟橋が壊れたという。",
    "توقفت العبارة بين الجزر يوم الثلاثاء بعد عاصفة ألحقت أضرارا بالرصيف، وفقا لما ذكره الميناء.",
)  # fmt: skip
_LINES = (
    "Ferry stopped", "By Ann Lee", "Ann Lee", "Von Ann Lee und Bob Day", "文／李安", "Written by",
    "Reviewed by Bob Day, MD", "BERGEN, March 4, 2026 - ", "March 4, 2026", "4. März 2026, 10:20 Uhr",
    "2026年3月4日", "3 hours ago", "Published: 03/04/2026 | Updated: 3/5/26",
    "Posted on March 4 by Ann Lee in News", "Tags: ferry, islands", "3 comments", "Share", "Read more",
    "Read also:", "Advertisement", "Photo: Bob Day", "© 2026 The Example News", "Home > News > Ferry",
    "12:30", "1", "The Example News", "Ferry stopped | The Example News",
)  # fmt: skip
_LD = '<script type=application/ld+json>{{{{"@type": "NewsArticle", {}}}}}</script>'
_PARTS = (
    "<h1>{line}</h1>", "<h1>Ferry stopped</h1>", "<h2>{line}</h2>", "<h3><a href=/{number}>{line}</a></h3>",
    "<p>{text}</p>", "<p>{text}</p>", "<p>{text} {text}</p>", "<p>{line}</p>", "<p>{line}{text}</p>",
    "<p>{text}<br>{line}</p>", "{text}", "{line}<br>", "<div>{line}</div>", "<div>{text}</div>",
    "<span>{line}</span> <span>{line}</span>", "<p class=byline>{line}</p>",
    "<a rel=author href=/a>{line}</a>", "<time datetime=2026-03-0{day}>{line}</time>", "<time>{line}</time>",
    "<p><b>{line}</b></p>", "<p><em>{line}</em> {text}</p>",
    "<ul><li>{line}<li><a href=/{number}>{line}</a><li>{text}</ul>", "<ol><li>{text}<li>{text}</ol>",
    "<dl><dt>{line}<dd>{text}</dl>", "<table><tr><th>{line}<td>{line}<tr><td>{line}<td>{text}</table>",
    "<blockquote>{text}<cite>{line}</cite></blockquote>", "<pre>{text}</pre>",
    "<figure><img src=/{number}.jpg alt='{line}'><figcaption>{line}</figcaption></figure>",
    "<img src=/{number}.jpg>", "<hr>", "<br>", "<p><a href=/{number}>{line}</a></p>",
    "<p>{text} <a href=/{number}>{line}</a></p>", "<a rel=tag href=/t/{number}>{line}</a>",
    "<div class=comment id=c{number}><b>{line}</b><time>{line}</time><p>{text}</p></div>",
    "<article><h2><a href=/{number}>{line}</a></h2><p>{text}</p><p>{line}</p></article>",
    "<p itemprop=articleBody>{text}</p>", "<div itemscope itemtype=https://schema.org/NewsArticle>",
    "<i itemprop={field}>{line}</i>", "<div hidden>{text}</div>", "<nav>{line}</nav>", "<div>",
    "<div class='{name}'>", "<div id={name}>", "</div>", "</div>", "<article>", "</article>", "<main>",
    "</main>", "<section>", "</section>", "<header>", "</header>", "<footer>", "</footer>", "<aside>",
    "</aside>", "<form><input>", "</form>", "<button>{line}</button>", "<details><summary>{line}</summary>",
    _LD.format('"headline": "{line}", "author": "{line}", "datePublished": "2026-03-0{day}"'),
    _LD.format('"articleBody": "{text}", "author": [{{"name": "{line}"}}, null, 1]'),
)  # fmt: skip
_HEAD = (
    "<title>Ferry stopped</title>", "<title>{line}</title>", "<title>{line} | The Example News</title>",
    "<meta property=og:title content='{line}'>", "<meta name=author content='{line}'>",
    "<meta property=article:published_time content=2026-03-0{day}>",
    "<meta property=og:site_name content='{line}'>", "<meta property=og:type content=article>",
    "<meta name=keywords content='{line}, {line}'>", "<link rel=canonical href=/{number}>", "<base href=/>",
)  # fmt: skip
_NAMES = (
    "byline", "author", "post-body", "article-text", "comments", "related", "date", "tags", "sidebar",
    "entry", "title", "teaser", "ad", "share", "caption", "breadcrumbs", "newsletter", "paywall",
    "author-box", "lead", "widget",
)  # fmt: skip
_FIELDS = (
    "headline",
    "author",
    "datePublished",
    "dateModified",
    "keywords",
    "name",
    "description",
    "comment",
)
#: A page has so many parts, as powers of two.
_SMALLEST, _LARGEST = 0, 6


def small_page(inputs: Sequence[bytes], chance: random.Random) -> bytes:
    """Return a page of random parts, in UTF-8."""
    head = chance.choices(_HEAD, k=chance.randrange(4))
    body = chance.choices(_PARTS, k=int(2 ** chance.uniform(_SMALLEST, _LARGEST)))
    return f"<html><head>{_filled(head, chance)}</head><body>{_filled(body, chance)}</body></html>".encode()


def _filled(parts: Sequence[str], chance: random.Random) -> str:
    """Return parts, each with texts and names of its own."""
    return "\n".join(
        part.format(
            line=chance.choice(_LINES),
            text=" ".join(chance.choices(_TEXT, k=chance.choice((1, 1, 1, 3)))),
            name=chance.choice(_NAMES),
            field=chance.choice(_FIELDS),
            day=chance.randrange(1, 10),
            number=chance.randrange(20),
        )
        for part in parts
    )
