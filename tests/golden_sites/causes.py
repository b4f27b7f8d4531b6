"""Small sites, each with one reason for which articles are missed or wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from .site import Site
from .texts import NOUNS, Writer


def paragraphs(lines: Sequence[str]) -> str:
    return "".join(f"<p>{escape(line)}</p>\n" for line in lines)


def frame(title: str, main: str, site: str = "The Quay") -> str:
    return (
        f"<!DOCTYPE html><html><head><meta charset=utf-8><title>{escape(title)} - {site}</title></head><body>"
        f'<header class="top"><a href="/">{site}</a><nav class="menu"><ul><li><a href="/town">Town</a></li>'
        f'<li><a href="/sea">Sea</a></li><li><a href="/sport">Sport</a></li></ul></nav></header>'
        f'<main class="page">{main}</main><footer class="foot"><p>{site}, 4 Harbour Row. '
        f"All rights reserved.</p></footer></body></html>"
    )


def story(title: str, body: str, after: str = "") -> str:
    head = f'<h1 class="head">{title}</h1>'
    return frame(title, f'<article class="story">{head}<div class="text">{body}</div>{after}</article>')


def authors_markup() -> Site:
    """Headings, lists, code, quotations, captions and tables that single articles have."""
    site = Site("markup.example")
    for n in range(12):
        writer = Writer(site.host, n)
        title, lines = writer.title(), writer.paragraphs(3)
        more = [writer.sentence(), writer.sentence()]
        parts = [
            f"<h2>{more[0]}</h2><p>{more[1]}</p>",
            f"<ul><li>{more[0]}</li><li>{more[1]}</li></ul>",
            f"<blockquote><p>{more[0]}</p><p>{more[1]}</p></blockquote>",
            f"<pre><code>{more[0]}\n{more[1]}</code></pre>",
            f"<figure><img src=x><figcaption>{more[0]}</figcaption></figure><div>{more[1]}</div>",
            f"<table><tr><th>{more[0]}</th><td>{more[1]}</td></tr></table>",
        ]
        body = paragraphs(lines[:2]) + parts[n % 6] + paragraphs(lines[2:])
        site.add(f"{n}.html", story(title, body), title, [*lines[:2], *more, *lines[2:]])
    return site


def share_bar() -> Site:
    """Share buttons and a call for subscriptions between the paragraphs."""
    site = Site("share.example")
    for n in range(8):
        writer = Writer(site.host, n)
        title, lines = writer.title(), writer.paragraphs()
        bar = f'<div class="share"><p>Share this</p><p>{n * 13} readers did</p><a href="/s?{n}">X</a></div>'
        call = "<p>Do you like what you read? Become a member of the Quay.</p>"
        body = paragraphs(lines[:2]) + call + paragraphs(lines[2:]) + bar
        site.add(f"{n}.html", story(title, body), title, lines)
    return site


def comments() -> Site:
    """Comments that have more text than many posts; some posts have none."""
    site = Site("comments.example")
    each = '<li class="comment"><div class="who"><a href="#c{0}">user{0}</a></div><p>{1}</p></li>'
    for n in range(10):
        writer = Writer(site.host, n)
        title, lines = writer.title(), writer.paragraphs(2)
        count = (0, 3, 1, 4, 6)[n % 5]
        found = "".join(each.format(i, writer.paragraph(3)) for i in range(count))
        below = f'<section class="comments"><h3>{count} comments</h3><ol>{found}</ol></section>'
        site.add(f"{n}.html", story(title, paragraphs(lines), below), title, lines)
    return site


def advertisements() -> Site:
    """Four advertisements. Each article has one of them, so none is on all articles."""
    site = Site("ads.example")
    ads = [Writer("ads", n).paragraph(2) for n in range(4)]
    for n in range(16):
        writer = Writer(site.host, n)
        title, lines = writer.title(), writer.paragraphs()
        ad = f'<div class="box"><p>{ads[n % 4]}</p></div>'
        site.add(f"{n}.html", story(title, paragraphs(lines[:2]) + ad + paragraphs(lines[2:])), title, lines)
    return site


def _teasers(written: Sequence[tuple[str, str, str]]) -> str:
    return "".join(
        f'<div class="entry"><h2><a href="/{path}">{title}</a></h2><p>{lead}</p></div>'
        for path, title, lead in written
    )


def index_pages() -> Site:
    """Section and tag pages beside the articles. Two tags have a single article."""
    site = Site("index.example")
    written = []
    for n in range(30):
        writer = Writer(site.host, n)
        title, lines = writer.title(), writer.paragraphs()
        site.add(f"{n}.html", story(title, paragraphs(lines)), title, lines)
        written.append((f"{n}.html", title, lines[0]))
    for n in range(6):
        entries = _teasers(written[n * 5 : n * 5 + (5 if n < 4 else 1)])
        site.add(f"tag/{n}", frame(f"Tag {NOUNS[n]}", f'<h1 class="head">Tag {NOUNS[n]}</h1>{entries}'))
    return site


def redesigns() -> Site:
    """Pages of three designs of one site."""
    site = Site("redesign.example")
    designs: list[Callable[[str, str], str]] = [
        story,
        lambda title, body: frame(title, f'<div id="all"><h2>{title}</h2><div id="text">{body}</div></div>'),
        lambda title, body: (
            f"<html><title>{title} - The Quay</title><body><div class=left>Town Sea Sport</div>"
            f"<div class=right><h3 class=big>{title}</h3>{body}</div></body></html>"
        ),
    ]
    for n in range(15):
        writer = Writer(site.host, n)
        title, lines = writer.title(), writer.paragraphs()
        site.add(f"{n}.html", designs[n % 3](title, paragraphs(lines)), title, lines)
    return site


def byline() -> Site:
    """Title and byline in elements that look the same."""
    site = Site("byline.example")
    for n in range(8):
        writer = Writer(site.host, n)
        title, lines = writer.title(), writer.paragraphs()
        who = f"by {writer.chance.choice(NOUNS).capitalize()} {writer.chance.choice(NOUNS).capitalize()}"
        head = f"<div class=head><div>{title}</div><div>{who}</div></div>"
        site.add(f"{n}.html", frame(title, f"{head}<div class=text>{paragraphs(lines)}</div>"), title, lines)
    return site


def tables() -> Site:
    """The page is a table of tables without classes: a column of links and a column of text."""
    site = Site("tables.example")
    menu = "".join(f'<tr><td><a href="/{name}">{name}</a></td></tr>' for name in ("town", "sea", "sport"))
    for n in range(10):
        writer = Writer(site.host, n)
        title, lines = writer.title(), writer.paragraphs()
        text = "<br><br>".join(f"<font size=2>{line}</font>" for line in lines)
        site.add(
            f"{n}.html",
            f"<html><head><title>The Quay: {title}</title></head><body><table><tr><td width=120>"
            f"<table>{menu}</table></td><td><h2>{title}</h2><font size=2>{text}</font></td></tr>"
            f"<tr><td colspan=2><center>The Quay, 4 Harbour Row</center></td></tr></table></body></html>",
            title,
            lines,
        )
    return site


def japanese() -> Site:
    """A page in Japanese. Only its head declares the charset."""
    site = Site("japanese.example")
    for n in range(8):
        writer = Writer(site.host, n)
        title = writer.japanese().rstrip("。")
        lines = ["".join(writer.japanese() for _ in range(4)) for _ in range(3)]
        html = story(title, paragraphs(lines)).replace("charset=utf-8", "charset=Shift_JIS")
        html = html.replace("The Quay", "港の新聞").replace("All rights reserved", "無断転載を禁じます")
        site.add(f"{n}.html", html, title, lines, encoding="shift_jis")
    return site


def numbered() -> Site:
    """Each post has a number in its id and class, both in its article and on the pages that list it."""
    site = Site("numbered.example")
    posts = []
    for n in range(30):
        writer = Writer(site.host, n)
        title, lines = writer.title(), writer.paragraphs()
        head = f'<h2><a href="/{n}.html">{title}</a></h2>'
        post = f'<article id="post-{n}" class="post-{n} post">{head}{{}}</article>'
        site.add(f"{n}.html", frame(title, post.format(paragraphs(lines))), title, lines)
        posts.append(post.format(f"<p>{writer.sentence()}</p>"))
    for n in range(6):
        site.add(f"page/{n}", frame(f"Page {n}", "".join(posts[n * 5 : n * 5 + 5])))
    return site


def read_more() -> Site:
    """Pages whose `title` element is only the site's name. Most links between them say "Read more"."""
    site = Site("more.example")
    writers = [Writer(site.host, n) for n in range(4)]
    titles = [writer.title() for writer in writers]
    for n, writer in enumerate(writers):
        lines = writer.paragraphs()
        others = "".join(
            f'<li><a href="/{other}.html">Read more</a></li>' for other in range(4) if other != n
        )
        below = f'<div class="more"><ul>{others}</ul><a href="/1.html">{titles[1]}</a></div>'
        body = f'<h1 class="head">{titles[n]}</h1><div class="text">{paragraphs(lines)}</div>{below}'
        page = frame("", f'<article class="story">{body}</article>').replace(" - The Quay", "The Quay")
        site.add(f"{n}.html", page, titles[n], lines)
    return site


def repeated_paragraph() -> Site:
    """The article has one paragraph twice."""
    site = Site("repeated.example")
    for n in range(8):
        writer = Writer(site.host, n)
        title, lines = writer.title(), writer.paragraphs()
        again = f'<div class="print">{paragraphs(lines[:1])}</div>'
        site.add(f"{n}.html", story(title, paragraphs(lines) + again), title, lines)
    return site


def three_pages() -> Site:
    """The site has only three articles."""
    site = Site("three.example")
    for n in range(3):
        writer = Writer(site.host, n)
        title, lines = writer.title(), writer.paragraphs(3 + n)
        site.add(f"{n}.html", story(title, paragraphs(lines)), title, lines)
    return site


def first_paragraph_above() -> Site:
    """The first paragraph beside the title, with the byline between it and the text."""
    site = Site("above.example")
    for n in range(10):
        writer = Writer(site.host, n)
        title, lines = writer.title(), [writer.paragraph(6), *writer.paragraphs(7)]
        head = (
            f'<header><h1 class="head">{title}</h1><div class="first">{paragraphs(lines[:1])}</div></header>'
        )
        by = f'<p class="by">By {NOUNS[n].title()} Hale</p><div class="text">{paragraphs(lines[1:])}</div>'
        site.add(f"{n}.html", frame(title, f'<article class="story">{head}{by}</article>'), title, lines)
    return site


def recipes() -> Site:
    """Headings, a line below one, and the head of a table are the same in all recipes; a call is, too."""
    site = Site("recipes.example")
    for n in range(10):
        writer = Writer(site.host, n)
        title, lines = writer.title(), writer.paragraphs(4)
        topic = ("Soups", "Cakes", "Salads")[n % 3]
        cells = [(NOUNS[n + k], str(10 * n + k)) for k in range(3)]
        rows = "".join(f"<tr><td>{name}</td><td>{grams}</td></tr>" for name, grams in cells)
        body = (
            f"{paragraphs(lines[:2])}<p>Write to us what you cook.</p>{paragraphs(lines[2:3])}"
            f"<h2>Ingredients</h2><p>For four.</p><table><tr><td>What</td><td>Grams</td></tr>{rows}</table>"
            f"<h2>Method</h2>"
            f"{paragraphs(lines[3:])}"
        )
        page = story(title, body).replace('"head">', f'"head"><span class="topic">{topic}</span> ')
        table = ["What", "Grams", *(text for pair in cells for text in pair)]
        expected = [*lines[:3], "Ingredients", "For four.", *table, "Method", *lines[3:]]
        site.add(f"{n}.html", page, title, expected)
    return site


CAUSES: tuple[Callable[[], Site], ...] = (
    authors_markup,
    share_bar,
    first_paragraph_above,
    recipes,
    comments,
    advertisements,
    index_pages,
    redesigns,
    byline,
    tables,
    japanese,
    numbered,
    read_more,
    repeated_paragraph,
    three_pages,
)
