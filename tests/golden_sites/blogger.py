"""A diary in Blogger's classic layout: month archives, labels and the front page show posts in full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from .site import Site
from .texts import NAMES, Prose, read_grammar

_ARTICLES, _LATER = 24, 8
_HOST = "http://diary.example"
_LABELS = ("allotment", "trains", "choir", "weather")
_GRAMMAR = read_grammar(
    NAMES,
    """
crop: leeks | broad beans | sweet peas | rhubarb | courgettes | radishes | onions | gooseberries | potatoes
crop: lettuces | tomatoes | blackcurrants
animal: slugs | pigeons | the badgers | the foxes | blackbirds | the neighbour's cats | two hedgehogs
animal: rabbits | the herons
line: the branch line | the 7.14 | the slow train | the replacement bus | the night train | the ferry train
song: the Fauré | the sea shanty | that madrigal | the second carol | the Bruckner | the new piece
friend: my sister | {first} | old Mr {last} | Mrs {last} | my neighbour {first} | my uncle | Aunt {first}
weather: sleet | fog | a wind that took my hat | sunshine at last | thin rain | the first frost | thunder
food: rhubarb cake | a pot of soup | cold toast | plum jam | cheese scones | half a pie | ginger biscuits
feeling: quietly proud | tired in a good way | a bit foolish | ten years younger | rather cross | hopeful
when: this morning | last {day} | on the way home | after the rehearsal | before breakfast | around noon
sentence: I planted out the {crop} {when}, and by tea time {animal} had found them.
sentence: {friend} brought {food} to the allotment and would not hear of payment.
sentence: Somebody had left {food} on the seat of {line}, with a note that said "please".
sentence: We had {weather} in {place} {when}, so the {crop} will have to wait.
sentence: {line} stopped outside {place} for {number} minutes and nobody told us why.
sentence: At choir we sang {song} {number} times, and it got slower every time.
sentence: {friend} says that {animal} never eat {crop}, but I have seen it with my own eyes.
sentence: I came home {feeling} and went to bed at {number}. | Tomorrow I shall try again with {crop}.
sentence: There was {weather} over {place}, and I sat by the window of {line} feeling {feeling}.
sentence: The tenors could not agree about {song}, which left the rest of us {feeling}.
sentence: {when} I met {friend} at the station in {place}, of all places.
sentence: I have kept a diary for {number} years now, and {day}s are always the shortest entries.
sentence: My knees tell me that {weather} is coming, and they are right more often than the radio.
sentence: If anybody knows what to do with {number} pounds of {crop}, write to me.
sentence: It is the sort of {day} on which even {animal} stay indoors.
sentence: The conductor wants {song} by heart before Easter; {friend} laughed out loud.
title: {crop} and other worries | {weather} in {place} | On {line} to {place} | {song}, again | {animal}!
title: What {friend} said about {crop} | {number} pounds of {crop} | A {day} in {place} | Not {song} again
title: A letter from {place} | {food} for {number}
thing: {number} rows of {crop} | a ticket to {place} | a hat for {weather} | {food} for the {day} train
thing: the score of {song} | a net against {animal}
remark: This made my {day}. | We had {weather} in {place} as well! | I would try nets against {animal}.
remark: Greetings from {place}, where {animal} ate everything. | {song} is not as hard as it looks.
remark: You should write a book about {line}. | My mother grew {crop} all her life and swore by soot.
remark: I laughed so much about {friend}. More please. | Do you have the recipe for {food}?
remark: Same here on {line} {when}, {number} minutes of nothing. | Welcome back, I missed your {day}s.
nick: {first} | {first} {last} | {last}{year} | Anonymous | the other {first} | Granny {last}
year: 54 | 61 | 68 | 77 | 83
""",
)


@dataclass(frozen=True)
class _Post:
    number: int
    title: str
    lines: tuple[str, ...]
    body: str
    day: datetime
    labels: tuple[str, ...]
    comments: tuple[tuple[str, str, datetime], ...]

    @property
    def path(self) -> str:
        words = "".join(c if c.isalnum() else " " for c in self.title.lower()).split()
        return f"{self.day:%Y/%m}/{'-'.join(words)[:38].strip('-')}.html"


def _clock(time: datetime) -> str:
    return f"{time.hour % 12 or 12}:{time:%M %p}"


def _write(number: int, title: str) -> _Post:
    prose = Prose(_GRAMMAR, f"diary/{number}")
    chance = prose.chance
    lines = [prose.paragraph(1, 5) for _ in range(chance.randint(1, 4))]
    texts = list(lines)
    if number % 4 == 1:
        picture = f"{_HOST}/pictures/{chance.randrange(10**8)}.jpg"
        texts[0] = (
            f'<a onblur="try {{parent.deselectBloggerImageGracefully();}} catch(e) {{}}" href="{picture}">'
            f'<img style="float:left; margin:0 10px 10px 0;" src="{picture}" border="0" alt="" /></a>'
            f"{texts[0]}"
        )
    body = "<br /><br />".join(texts)
    if number % 7 == 4:
        body = "<div><br /></div>".join(f"<div>{text}</div>" for text in texts)
    if number % 5 == 2:
        things = prose.several("thing", 3, 5)
        body += f"<br /><ul>{''.join(f'<li>{thing}</li>' for thing in things)}</ul>"
        lines += things
    if number % 5 == 3:
        said, after = prose.tell("sentence"), prose.tell("sentence")
        body += f"<br /><br /><blockquote>{said}</blockquote>{after}"
        lines += [said, after]
    day = datetime(2007, 1, 4, 9, 30) + timedelta(days=6 * number, minutes=chance.randrange(700))
    later = [day + timedelta(minutes=chance.randrange(20, 9000)) for _ in range(chance.randint(2, 12))]
    comments = [(prose.tell("nick"), prose.paragraph(1, 3, "remark"), time) for time in sorted(later)]
    return _Post(
        number=number,
        title=title,
        lines=tuple(lines),
        body=body,
        day=day,
        labels=tuple(chance.sample(_LABELS, chance.randint(1, 2))),
        comments=tuple(comments if number % 3 else ()),
    )


def _hentry(post: _Post) -> str:
    """Return a post as all pages show it: alone on its own, and among others on lists."""
    link = f"{_HOST}/{post.path}"
    labels = ",\n".join(
        f"<a href='{_HOST}/search/label/{label}' rel='tag'>{label}</a>" for label in post.labels
    )
    return f"""
<h2 class='date-header'>{post.day:%A, %B} {post.day.day}, {post.day.year}</h2>
<div class='post hentry uncustomized-post-template'>
<a name='{7 * 10**15 + post.number * 977}'></a>
<h3 class='post-title entry-title'>
<a href='{link}'>{post.title}</a>
</h3>
<div class='post-header-line-1'></div>
<div class='post-body entry-content'>
<p>{post.body}</p>
<div style='clear: both;'></div>
</div>
<div class='post-footer'>
<div class='post-footer-line post-footer-line-1'>
<span class='post-author vcard'>
Posted by
<span class='fn'>Harriet</span>
</span>
<span class='post-timestamp'>
at
<a class='timestamp-link' href='{link}' rel='bookmark' title='permanent link'><abbr class='published' \
title='{post.day.isoformat()}'>{_clock(post.day)}</abbr></a>
</span>
<span class='post-comment-link'>
<a class='comment-link' href='{link}#comments'>{len(post.comments)} comments</a>
</span>
<span class='post-icons'></span>
</div>
<div class='post-footer-line post-footer-line-2'><span class='post-labels'>
Labels:
{labels}
</span>
</div>
<div class='post-footer-line post-footer-line-3'></div>
</div>
</div>
"""


def _comments(post: _Post) -> str:
    link = f"{_HOST}/{post.path}"
    block = "".join(
        f"""
<dt class='comment-author' id='c{n}{post.number}04471'>
<a name='c{n}{post.number}04471'></a>
<a href='http://www.profiles.example/{post.number}{n}' rel='nofollow'>{who}</a>
said...
</dt>
<dd class='comment-body'>
<p>{text}</p>
</dd>
<dd class='comment-footer'>
<span class='comment-timestamp'>
<a href='{link}#c{n}{post.number}04471' title='comment permalink'>
{time:%B} {time.day}, {time.year} {_clock(time)}
</a>
</span>
</dd>"""
        for n, (who, text, time) in enumerate(post.comments)
    )
    return f"""
<div class='comments' id='comments'>
<a name='comments'></a>
<h4>
{len(post.comments)}
comments:
</h4>
<dl id='comments-block'>{block}
</dl>
<p class='comment-footer'>
<a href='http://www.profiles.example/comment.g?postID={post.number}'>Post a Comment</a>
</p>
<div id='backlinks-container'>
<div id='Blog1_backlinks-container'>
</div>
</div>
</div>
"""


def _sidebar(posts: Sequence[_Post]) -> str:
    months: dict[str, list[_Post]] = {}
    for post in reversed(posts):
        months.setdefault(f"{post.day:%Y_%m}", []).append(post)
    archive = "".join(
        f"<li class='archivedate collapsed'><a class='toggle' href='javascript:void(0)'>►</a> "
        f"<a class='post-count-link' href='{_HOST}/{month}_01_archive.html'>{found[0].day:%B}</a> "
        f"<span class='post-count' dir='ltr'>({len(found)})</span></li>\n"
        for month, found in months.items()
    )
    recent = "".join(f"<li><a href='{_HOST}/{post.path}'>{post.title}</a></li>\n" for post in posts[-8:])
    labels = "".join(
        f"<li><a dir='ltr' href='{_HOST}/search/label/{label}'>{label}</a> <span dir='ltr'>"
        f"({sum(label in post.labels for post in posts)})</span></li>\n"
        for label in _LABELS
    )
    about = "I have an allotment, a season ticket and an alto voice."
    boxes = {
        "Profile": ("About Me", f"<dl class='profile-datablock'><dd class='profile-data'>{about}</dd></dl>"),
        "BlogArchive": ("Blog Archive", f"<div id='ArchiveList'><ul class='hierarchy'>{archive}</ul></div>"),
        "LinkList": ("Last week", f"<ul>{recent}</ul>"),
        "Label": ("Labels", f"<ul>{labels}</ul>"),
    }
    return "".join(
        f"<div class='widget {kind}' id='{kind}1'>\n<h2>{head}</h2>\n<div class='widget-content'>\n{inner}\n"
        f"<div class='clear'></div>\n</div>\n</div>\n"
        for kind, (head, inner) in boxes.items()
    )


def _page(title: str, main: str, pager: Sequence[tuple[str, str]], sidebar: str) -> str:
    links = "".join(
        f"<span id='blog-pager-{text.split()[0].lower()}-link'>\n<a class='blog-pager-link' href='{link}'>"
        f"{text}</a>\n</span>\n"
        for text, link in pager
    )
    return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN">
<html xmlns='http://www.w3.org/1999/xhtml'>
<head>
<meta content='text/html; charset=UTF-8' http-equiv='Content-Type'/>
<meta content='blogger' name='generator'/>
<title>{title}</title>
</head>
<body>
<div id='outer-wrapper'><div id='wrap2'>
<span id='skiplinks' style='display:none;'><a href='#main'>skip to main </a>
<a href='#sidebar'>skip to sidebar</a></span>
<div id='header-wrapper'>
<div class='header section' id='header'><div class='widget Header' id='Header1'>
<div id='header-inner'>
<div class='titlewrapper'>
<h1 class='title'><a href='{_HOST}/'>Leeks and Late Trains</a></h1>
</div>
<div class='descriptionwrapper'>
<p class='description'><span>Notes from plot 17 and from platform 2</span></p>
</div>
</div>
</div></div>
</div>
<div id='content-wrapper'>
<div id='main-wrapper'>
<div class='main section' id='main'><div class='widget Blog' id='Blog1'>
<div class='blog-posts hfeed'>
{main}
</div>
<div class='blog-pager' id='blog-pager'>
{links}<a class='home-link' href='{_HOST}/'>Home</a>
</div>
<div class='clear'></div>
<div class='blog-feeds'>
<div class='feed-links'>
Subscribe to:
<a class='feed-link' href='{_HOST}/feeds/posts/default' rel='alternate'>Posts (Atom)</a>
</div>
</div>
</div></div>
</div>
<div id='sidebar-wrapper'>
<div class='sidebar section' id='sidebar'>
{sidebar}</div>
</div>
<div class='clear'>&nbsp;</div>
</div>
<div id='footer-wrapper'>
<div class='footer section' id='footer'></div>
</div>
</div></div>
</body>
</html>
"""


def blogger() -> Site:
    """A post looks the same on its own page and among others on lists; some have up to twelve comments."""
    site = Site("diary.example")
    titles = Prose(_GRAMMAR, "diary/titles")
    posts = [_write(number, titles.tell("title")) for number in range(_ARTICLES + _LATER)]
    sidebar = _sidebar(posts)
    for n, post in enumerate(posts):
        pager = [("Newer Post", posts[n + 1])] if n + 1 < len(posts) else []
        pager += [("Older Post", posts[n - 1])] if n else []
        links = [(text, f"{_HOST}/{other.path}") for text, other in pager]
        page = _page(f"Leeks and Late Trains: {post.title}", _hentry(post) + _comments(post), links, sidebar)
        site.add(post.path, page, post.title, post.lines, later=n >= _ARTICLES)

    def add_list(path: str, title: str, chosen: Sequence[_Post], *, later: bool = False) -> None:
        main = "".join(map(_hentry, reversed(chosen)))
        site.add(path, _page(title, main, [("Older Posts", f"{_HOST}/{path}?old")], sidebar), later=later)

    add_list("", "Leeks and Late Trains", posts[-7:])
    months = sorted({f"{post.day:%Y_%m}" for post in posts})
    for n, month in enumerate(months):
        chosen = [post for post in posts if f"{post.day:%Y_%m}" == month]
        add_list(
            f"{month}_01_archive.html",
            f"Leeks and Late Trains: {chosen[0].day:%B %Y}",
            chosen,
            later=n % 2 > 0,
        )
    for n, label in enumerate(_LABELS):
        chosen = [post for post in posts if label in post.labels][-6:]
        add_list(f"search/label/{label}", f"Leeks and Late Trains: {label}", chosen, later=n % 2 > 0)
    return site
