"""The body of an article as HTML: in today's elements, or in those of the nineties."""

from __future__ import annotations

import re
from html import escape

from .stories import Part, Story
from .words import WORDS

__all__ = ["body_html"]


def _inline(line: str, link: str) -> str:
    """Return a line as HTML: ``*emphasised*`` and ``[[linked]]`` (to an earlier article)."""
    html = re.sub(r"\*(.+?)\*", r"<em>\1</em>", escape(line, quote=False))
    return re.sub(r"\[\[(.+?)\]\]", rf'<a href="{link}">\1</a>', html)


def _items(part: Part, link: str) -> str:
    items = "".join(f"<li>{_inline(line, link)}</li>" for line in part.lines)
    return f"<{part.kind}>{items}</{part.kind}>"


def _rows(part: Part, heads: str) -> str:
    """Return a table's rows; ``heads`` is the element of the cells of the first one."""
    rows = [part.lines[i : i + part.number] for i in range(0, len(part.lines), part.number)]
    names = [heads] + ["td"] * (len(rows) - 1)
    return "\n".join(
        "<tr>" + "".join(f"<{name}>{escape(cell)}</{name}>" for cell in row) + "</tr>"
        for name, row in zip(names, rows, strict=True)
    )


def _modern(part: Part, link: str) -> str:
    text = _inline(part.lines[0], link)
    if part.kind in ("ul", "ol"):
        return _items(part, link)
    if part.kind == "quote":
        return f"<blockquote><p>{text}</p><footer>{escape(part.lines[1])}</footer></blockquote>"
    if part.kind == "figure":
        image = f'<img src="/static/picture-{part.number}.svg" alt="" width="640" loading="lazy">'
        return f"<figure>{image}<figcaption>{text}</figcaption></figure>"
    if part.kind == "code":
        return "<pre><code>" + "\n".join(escape(line, quote=False) for line in part.lines) + "</code></pre>"
    if part.kind == "table":
        return f'<div class="table-wrap"><table>\n{_rows(part, "th")}\n</table></div>'
    return f"<{part.kind}>{text}</{part.kind}>"


def _nineties(part: Part, link: str) -> str:
    text = _inline(part.lines[0], link)
    if part.kind in ("h2", "h3"):
        return f'<p class="subhead"><b>{text}</b></p>'
    if part.kind == "quote":
        return f"<blockquote>{text}<br><small>{escape(part.lines[1])}</small></blockquote>"
    if part.kind == "figure":
        image = f'<img src="/static/picture-{part.number}.svg" alt="" width="240" border="0">'
        rows = f'<tr><td>{image}</td></tr><tr><td class="caption">{text}</td></tr>'
        return f'<table class="photo" align="right" width="250">{rows}</table>'
    if part.kind == "table":
        return f'<table border="1" cellpadding="3">\n{_rows(part, "td")}\n</table>'
    return _modern(part, link)


def _relaunched(part: Part, link: str) -> str:
    text = _inline(part.lines[0], link)
    if part.kind in ("h2", "h3"):
        return f'<div class="c-heading"><{part.kind}><span>{text}</span></{part.kind}></div>'
    if part.kind == "quote":
        cite = escape(part.lines[1])
        return f'<div class="c-quote"><q>{text}</q><div class="c-quote__source">{cite}</div></div>'
    if part.kind == "figure":
        image = f'<picture><img src="/static/picture-{part.number}.svg" alt="" width="720"></picture>'
        return f'<div class="c-image">{image}<div class="c-image__caption">{text}</div></div>'
    if part.kind == "p":
        return f'<div class="c-text"><p>{text}</p></div>'
    if part.kind == "table":
        return f'<div class="c-table"><table><tbody>\n{_rows(part, "td")}\n</tbody></table></div>'
    return f'<div class="c-{part.kind}">{_modern(part, link)}</div>'


def _ad(story: Story, turn: int, style: str) -> str:
    words = WORDS[story.language]
    ads = words["ads"]
    text, label = escape(ads[(story.number + turn) % len(ads)]), words.labels["advertisement"]
    if style == "relaunch":
        return f'<aside class="c-slot" data-slot="{turn}"><em>{label}</em><span>{text}</span></aside>'
    if style == "news":
        return f'<div class="ad" id="ad-{turn}"><span class="ad-label">{label}</span><p>{text}</p></div>'
    if style == "blog":
        return f'<div class="promo"><p><small>{label}</small></p><p>{text}</p></div>'
    return f'<table class="adbox" width="100%"><tr><td><small>{label}</small><br>{text}</td></tr></table>'


def _inline_related(story: Story, other: Story, style: str) -> str:
    label = WORDS[story.language].labels["inline_related"]
    link = f'<a href="{other.path}">{escape(other.title)}</a>'
    if style == "relaunch":
        return f'<nav class="c-context"><span>{label}</span>{link}</nav>'
    return f'<aside class="inline-related"><strong>{label}</strong> {link}</aside>'


#: How the parts of a body are drawn, if not in today's elements.
DRAW = {"bulletin": _nineties, "relaunch": _relaunched}


def body_html(story: Story, earlier: Story, style: str) -> str:
    """Return a story's body with advertisements between its paragraphs.

    :param earlier: what it links to.
    :param style: the name of its department's templates.
    """
    draw = DRAW.get(style, _modern)
    html = []
    for number, part in enumerate(story.parts):
        html.append(draw(part, earlier.path))
        if number in (2, 7) and (story.number + number) % 3:
            html.append(_ad(story, number, style))
        if number == 3 and story.department == "news" and story.number % 3 == 0:
            html.append(_inline_related(story, earlier, style))
    return "\n".join(html)
