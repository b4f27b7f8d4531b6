"""A log of very short posts, some a picture and a line, amid much furniture; archives show ten in full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from .site import Site
from .texts import NAMES, Prose, read_grammar

_ARTICLES, _LATER = 30, 10
_TAGS = (
    "harbour fog cranes rust gulls ropes night ferry snow bridges ladders doors signs shadows bicycles cats "
    "stairs windows boats nets rain neon tiles chimneys market"
).split()
_GRAMMAR = read_grammar(
    NAMES,
    """
sight: crane | ferry | gull on a post | blue door | row of nets | lamp | signal box | wall of tiles | ladder
sight: boat without a name | pair of boots | chimney | rope as thick as an arm | neon fish | cat | wet bench
light: fog | low sun | the blue hour | thin snow | the light of one lamp | steam | drizzle | moonlight
spot: behind the fish hall | on pier {number} | under the swing bridge | at the end of Rope Street
spot: opposite the customs house | by the old dry dock | near the ferry steps | on the {place} road
hour: before six | at noon | on {day} evening | just before the rain | after the last ferry | at low tide
sound: a radio | somebody whistling | the chain ferry | two dogs | a choir rehearsing | nothing at all
sentence: A {sight} {spot}, {hour}. | I waited {number} minutes for the {sight} to move, and it did not.
sentence: You could hear {sound} through {light}. | {light} {spot}, and a {sight} in the middle of it.
sentence: {first} says the {sight} has been there since the flood. | Tomorrow it will be gone.
sentence: Nobody looks at the {sight} {spot}, which is why I did. | I walked past it {number} times today.
sentence: I had film for {number} more pictures and spent all of them on a {sight}.
sentence: They are going to pull it down in spring, {first} heard. | It smelled of tar and of {place}.
line: {sight}, {hour}. | {light} {spot}. | {spot}, {hour}. | A {sight} in {light}.
line: {number} of them, {spot}. | {sight} and {sight}, {hour}.
title: {sight} | {light}, {hour} | {spot} | {sight} in {light} | {number} times {sight} | Not a {sight}
title: {day}, {light} | {sound}
""",
)


@dataclass(frozen=True)
class _Post:
    number: int
    title: str
    lines: tuple[str, ...]
    body: str
    day: date
    tags: tuple[str, ...]

    @property
    def path(self) -> str:
        words = "".join(c if c.isalnum() else " " for c in self.title.lower()).split()
        return f"{self.day:%Y/%m/%d}/{'-'.join(words)}/"


def _write(number: int, title: str) -> _Post:
    prose = Prose(_GRAMMAR, f"photo/{number}")
    chance = prose.chance
    picture = f'<p><img src="/pictures/{chance.randrange(10**6)}.jpg" alt="" width="640" height="427"></p>\n'
    lines: list[str]
    if number % 3 == 0:
        lines = [" ".join(prose.several("line", 1, 2))]
    elif number % 3 == 1:
        lines = [prose.paragraph(2, 4)]
    else:
        picture = "" if number % 2 else picture
        lines = [prose.paragraph(1, 2), prose.paragraph(1, 2)]
        if len(" ".join(lines).split()) < 10:
            lines[1] += f" {prose.tell('sentence')}"
    body = picture + "".join(f"<p>{line}</p>\n" for line in lines)
    day = date(2011, 2, 3) + timedelta(days=3 * number)
    return _Post(number, title, tuple(lines), body, day, tuple(chance.sample(_TAGS, 3)))


def _entry(post: _Post) -> str:
    """Return a post as its own page and the archives show it."""
    tags = " ".join(f'<a href="/tag/{tag}/" rel="tag">#{tag}</a>' for tag in post.tags)
    return f"""
<div class="entry" id="entry-{post.number + 70}">
<div class="entry-date"><span class="d">{post.day.day}</span> <span class="m">{post.day:%b}</span></div>
<h2 class="entry-title"><a href="/{post.path}">{post.title}</a></h2>
<div class="entry-body">
{post.body}</div>
<div class="entry-tags">{tags}</div>
<div class="entry-actions"><a href="/{post.path}#notes">{post.number * 7 % 31} notes</a> ·
<a href="/{post.path}?like">Like</a> · <a href="/{post.path}?reblog">Reblog</a></div>
</div>
"""


def _furniture(posts: Sequence[_Post]) -> tuple[str, str]:
    """Return what stands before and after the posts of every page."""
    menu = "".join(
        f'<li><a href="/{name.lower().replace(" ", "-")}/">{name}</a></li>\n'
        for name in ("Home", "Archive", "Random", "Series", "Cameras", "Prints", "About", "Ask me", "Imprint")
    )
    recent = "".join(f'<li><a href="/{post.path}">{post.title}</a></li>\n' for post in posts[-10:])
    cloud = " ".join(
        f'<a href="/tag/{tag}/" class="size{n * 5 % 7}" title="{n + 2} posts">{tag}</a>'
        for n, tag in enumerate(_TAGS)
    )
    blogs = "".join(
        f'<li><a href="http://{name.replace(" ", "")}.example/">{name.title()}</a></li>\n'
        for name in ("grain and fog", "slow shutter", "pier eleven", "the other harbour", "salt print")
    )
    months = "".join(
        f'<li><a href="/2011/{month:02}/">{date(2011, month, 1):%B} 2011</a></li>\n' for month in range(2, 6)
    )
    days = "".join(f"<td>{day}</td>" + "</tr><tr>" * (day % 7 == 0) for day in range(1, 31))
    about = (
        "I live above a chandler's shop and take one picture a day with whatever camera works. "
        "Everything here was seen within an hour's walk of the ferry. Prints on request, silence on Sundays."
    )
    top = (
        f'<div id="banner"><h1><a href="/">Low Tide Log</a></h1>'
        f"<p>One picture a day, more or less</p></div>\n"
        f'<ul id="menu">{menu}</ul>\n'
    )
    side = f"""<div id="side">
<div class="box"><h3>About</h3><p>{about}</p></div>
<div class="box"><h3>Recent posts</h3><ul>{recent}</ul></div>
<div class="box"><h3>Tags</h3><p class="cloud">{cloud}</p></div>
<div class="box"><h3>Calendar</h3><table class="calendar"><tr>{days}</tr></table></div>
<div class="box"><h3>Months</h3><ul>{months}</ul></div>
<div class="box"><h3>Others</h3><ul>{blogs}</ul></div>
</div>
<div id="bottom"><p>© 2011 Low Tide Log. Please ask before you use a picture.</p></div>
"""
    return top, side


def photo_log() -> Site:
    """Posts of 10 to 60 words in more furniture than text; lists show ten such posts in the same markup."""
    site = Site("tide.example")
    titles = Prose(_GRAMMAR, "photo/titles")
    posts = [_write(number, titles.tell("title")) for number in range(_ARTICLES + _LATER)]
    top, side = _furniture(posts)

    def page(title: str, main: str) -> str:
        return (
            f'<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>{title}</title></head>\n<body>\n'
            f'<div id="container">\n{top}<div id="posts">{main}</div>\n{side}</div>\n</body></html>\n'
        )

    def add_list(path: str, title: str, chosen: Sequence[_Post], *, later: bool) -> None:
        older = f'<div class="pager"><a href="/{path}older/">Older posts</a></div>'
        main = "".join(map(_entry, reversed(chosen)))
        site.add(path, page(title, main + older), later=later)

    for n, post in enumerate(posts):
        pager = '<div class="pager">'
        if n:
            pager += f'<a href="/{posts[n - 1].path}">Previous</a> '
        if n + 1 < len(posts):
            pager += f'<a href="/{posts[n + 1].path}">Next</a>'
        html = page(f"{post.title} | Low Tide Log", f"{_entry(post)}{pager}</div>")
        site.add(post.path, html, post.title, post.lines, later=n >= _ARTICLES)
    add_list("", "Low Tide Log", posts[-10:], later=False)
    for n in range(4):
        add_list(f"page/{n + 2}/", "Low Tide Log", posts[n * 10 : n * 10 + 10], later=n % 2 > 0)
    for month in range(2, 6):
        chosen = [post for post in posts if post.day.month == month]
        add_list(
            f"2011/{month:02}/",
            f"{date(2011, month, 1):%B 2011} | Low Tide Log",
            chosen[:10],
            later=month > 4,
        )
    tags = [tag for tag in _TAGS if sum(tag in post.tags for post in posts) >= 5][:4]
    for n, tag in enumerate(tags):
        chosen = [post for post in posts if tag in post.tags]
        add_list(f"tag/{tag}/", f"{tag} | Low Tide Log", chosen, later=n % 2 > 0)
    return site
