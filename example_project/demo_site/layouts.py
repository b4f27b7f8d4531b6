"""The pages of articles: the parts that a department's template is filled with."""

from __future__ import annotations

from html import escape

from .body import body_html
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

__all__ = ["story_page"]


def _head(story: Story) -> str:
    """Return meta elements; some blog posts have no og:title."""
    og = f'<meta property="og:title" content="{escape(story.title)}">\n'
    og += '<meta property="og:type" content="article">\n'
    if story.department == "blog" and story.number % 5 == 0:
        og = ""
    return f'{og}<meta name="description" content="{escape(teaser(story))}">'


def _related(story: Story, same: list[Story], style: str) -> str:
    """Return up to four other stories with a tag in common, or else the newest before."""
    others = [other for other in same if other != story]
    older = [other for other in others if other.number < story.number] or others
    alike = [other for other in older if set(other.tags) & set(story.tags)]
    found = (alike + [other for other in older if other not in alike])[: 2 + story.number % 3]
    if style == "relaunch":
        return story_links(found, '<div class="c-more__entry"><strong>{}</strong></div>')
    if style == "bulletin":
        return story_links(found, "&bull; {}<br>")
    if style == "blog":
        return "\n".join(
            f'<div class="related-post"><a href="{other.path}"><img src="/static/picture-{other.picture}.svg"'
            f' alt="{escape(other.title)}" width="160"></a>'
            f'<h4><a href="{other.path}">{escape(other.title)}</a></h4></div>'
            for other in found
        )
    return "\n".join(
        f'<li class="card"><h3><a href="{other.path}">{escape(other.title)}</a></h3>'
        f"<p>{teaser(other)}</p></li>"
        for other in found
    )


def _discussion(story: Story) -> str:
    """Return the comments as the redesigned newspaper shows them."""
    labels, date = WORDS[story.language].labels, long_date(story)
    items = "\n".join(
        f'<div class="c-post" data-post="{comment.number}">'
        f'<div class="c-post__head"><b>{escape(comment.author)}</b> <i>{date}</i></div>'
        f'<div class="c-post__text">{escape(comment.text)}</div></div>'
        for comment in story.comments
    )
    head = f'<div class="c-discussion__head">{len(story.comments)} {labels["comments"]}</div>'
    form = f'<form action="#"><input name="text"><button>{labels["post_comment"]}</button></form>'
    return f'<div class="c-discussion">{head if story.comments else ""}\n{items}\n{form}</div>'


def _comments(story: Story, style: str) -> str:
    if style == "relaunch":
        return _discussion(story)
    labels = WORDS[story.language].labels
    date = long_date(story)
    items = "\n".join(
        f'<li id="comment-{comment.number}" class="comment depth-1">'
        f'<p class="comment-author">{escape(comment.author)} <time>{date}</time></p>'
        f'<div class="comment-text"><p>{escape(comment.text)}</p></div>'
        f'<a class="reply" href="#comment-{comment.number}">{labels["reply"]}</a></li>'
        for comment in story.comments
    )
    shown = f'<h2>{len(story.comments)} {labels["comments"]}</h2>\n<ol class="comment-list">{items}</ol>'
    form = (
        f'<form class="comment-form" action="#"><h3>{labels["write_comment"]}</h3>'
        f'<label>{labels["your_name"]} <input name="author"></label><textarea name="comment"></textarea>'
        f"<button>{labels['post_comment']}</button></form>"
    )
    return f'<section id="comments" class="comments-area">{shown if story.comments else ""}\n{form}</section>'


def _previous_next(story: Story, same: list[Story]) -> str:
    """Return links to the neighbours in the department, ``same`` being newest first."""
    labels, place = WORDS[story.language].labels, same.index(story)
    cell = "<td>{}</td>" if story.department == "bulletin" else '<div class="nav-item">{}</div>'
    neighbours = [("previous", same[place + 1 : place + 2]), ("next", same[max(place - 1, 0) : place])]
    return "\n".join(
        cell.format(f'<span>{labels[name]}:</span> <a href="{other.path}">{escape(other.title)}</a>')
        for name, found in neighbours
        for other in found
    )


def _lead_image(story: Story, style: str) -> str:
    if story.number % 4 == 0:
        return ""
    image = f'<img src="/static/picture-{story.picture}.svg" alt="" width="960" height="450">'
    return f'<div class="{"c-lead" if style == "relaunch" else "lead-image"}">{image}</div>'


def story_page(story: Story, day: int) -> str:
    """Return the page of an article as the site shows it on a day."""
    words, here = WORDS[story.language], in_language(day, story.language)
    same = [other for other in here if other.department == story.department]
    earlier = next((other for other in here if other.number < story.number), here[0])
    style, names = look(story.department, day), words.pairs("tags")
    tags = [(f"/{story.language}/tag/{tag}/", names[tag]) for tag in story.tags]
    main = render(
        f"{style}_story",
        story.language,
        number=1000 + story.number * 7,
        section=story.section,
        section_name=words.pairs(f"sections of {story.department}")[story.section],
        title=escape(story.title, quote=False),
        author=story.author,
        date=story.date.isoformat(),
        long_date=long_date(story),
        minutes=1 + len(story.text) // 900,
        lead_image=_lead_image(story, style),
        body=body_html(story, earlier, style),
        tags=links(tags),
        tag_links=links(tags, "{}").replace("\n", ", "),
        tag_classes=" ".join(f"tag-{tag}" for tag in story.tags),
        related=_related(story, same, style),
        comments=_comments(story, style),
        previous_next=_previous_next(story, same),
    )
    title = escape(head_title(story.department, story.language, story.title), quote=False)
    return frame(story.department, story.language, day, head_title=title, head=_head(story), main=main,
                 body_class=f"single single-post postid-{1000 + story.number * 7}")  # fmt: skip
