"""A board about bicycles and old radios: a thread's first post is the article, its replies are comments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from .site import Site
from .texts import NAMES, Prose, read_grammar

_ARTICLES, _LATER = 20, 6
_BOARDS = {2: "Wheels and brakes", 3: "Valves and dials", 5: "Tools and workshop"}
_GRAMMAR = read_grammar(
    NAMES,
    """
piece: bottom bracket | freewheel | brake caliper | headset | dynamo | hub gear | crank | derailleur | rim
piece: tuning capacitor | output transformer | dial cord | volume control | mains lead | speaker cone
maker: a Raleigh from 19{year} | a Philips of 19{year} | my father's Peugeot | a Saba with green eye
maker: a nameless roadster | a Bush from the attic | a Dawes tourer | a Grundig with a cracked front
part: {piece}
mine: {maker}
year: 38 | 49 | 52 | 55 | 57 | 61 | 64 | 68 | 73 | 79
fault: wobbles under load | hums after {number} minutes | slips in third gear | crackles when it is cold
fault: has seized solid | rattles on cobbles | smells of hot dust | goes silent below {number} megahertz
fault: leaks oil on the carpet | sings at walking pace | drops out whenever I touch it
deed: soaked it overnight | cleaned every contact | swapped the bearings | measured all the voltages
deed: turned it the other way | replaced two capacitors | put {number} drops of oil in | filed down the key
deed: bought a puller | wrapped it in a hot towel | called the shop in {place} | made a wiring plan
doubt: whether the thread is left-handed | which grease is right | if the coil can be rewound
doubt: how tight it should be | where the earth goes | whether {number} volts are normal there
source: the manual of 19{year} | a man at the {place} rally | the shop in {place} | my neighbour {first}
ask: I bought {mine} at the {place} market, and its {part} {fault}.
ask: For {number} weeks now the {part} of {mine} {fault}, and I am running out of ideas.
ask: So far I have {deed}, without any change at all. | Yesterday I {deed}, and now it {fault}.
ask: {source} says one thing about the {part}, {source} the opposite.
ask: I do not know {doubt}, and I would rather ask than break the {part}.
ask: There is no play when the {part} is cold, but after {number} miles or minutes it {fault}.
ask: Now that I have {deed}, can somebody tell me {doubt}? | Photographs of the {part} follow on {day}.
ask: The previous owner seems to have {deed}, judging by the marks on the {piece}.
ask: It would be a pity to scrap {mine} for the sake of one {part}.
ask: Spare parts are no problem, since I have a second {part} from {maker}.
ask: When {first} and I {deed}, the {part} came out with a bang and a lot of rust.
reply: On {maker} I had the same, and in the end the {piece} was only dirty.
reply: You should never have {deed}. The {part} does not forgive that.
reply: Which {part} is it exactly?
reply: {source} is right: it always {fault} until you have {deed}. | I have a spare {part}, call me on {day}.
reply: Try heat first, then patience. I {deed} and it moved after {number} days.
reply: Ask yourself {doubt}. If you know that, the rest is easy. | My {piece} {fault} too, so I am listening.
reply: There is a drawing of the {part} in the manual of 19{year}. | Please measure the {part} again on {day}.
reply: If the {part} {fault}, it is worn. I would look for one from {maker}.
reply: {first} and I {deed}, and {maker} has run like new for {number} years.
title: {part} {fault} | {mine}: {doubt} | How to remove the {part} of {mine} | Help, my {part} {fault}
title: {part} of {mine}, {doubt}? | Strange {part} on {mine}
nick: rusty_{first} | {first}{year} | {last} of {place} | greasemonkey{year} | old_{last} | {first}.{last}
motto: Anything can be mended twice. | Still riding: {maker} | {place} cycling club
motto: Never throw away a {piece}. | 73 de {first} | Proud owner of {number} sheds
""",
)


@dataclass(frozen=True)
class _Post:
    number: int
    who: str
    time: datetime
    lines: tuple[str, ...]
    html: str
    motto: str


@dataclass(frozen=True)
class _Thread:
    number: int
    board: int
    title: str
    posts: tuple[_Post, ...]

    @property
    def path(self) -> str:
        return f"viewtopic.php?f={self.board}&t={self.number}"


def _stamp(time: datetime) -> str:
    return f"{time:%a %b %d, %Y} {time.hour % 12 or 12}:{time:%M} {time:%p}".replace("AM", "am").replace(
        "PM", "pm"
    )


def _write_thread(number: int) -> _Thread:
    prose = Prose(_GRAMMAR, f"board/{number}", topics=("part", "mine"))
    chance = prose.chance
    members = prose.several("nick", 5, 8)
    mottos = {member: prose.tell("motto") if n % 2 else "" for n, member in enumerate(members)}
    time = datetime(2014, 2, 1, 18, 4) + timedelta(days=9 * number)

    def post(place: int, who: str, lines: Sequence[str], before: str = "") -> _Post:
        html = before + "<br>\n<br>\n".join(lines)
        return _Post(1000 + 31 * number + place, who, time, tuple(lines), html, mottos[who])

    question = [prose.paragraph(2, 4, "ask") for _ in range(chance.randint(1, 3))]
    first = post(0, members[0], question)
    if number % 4 == 2:
        tried = prose.several("deed", 3, 4)
        items = "".join(f"<li>{item}</li>" for item in tried)
        end = prose.tell("ask")
        html = f"{first.html}<ul>{items}</ul>\n{end}"
        first = _Post(first.number, first.who, time, (*question, *tried, end), html, first.motto)
    posts = [first]
    for place in range(1, (0, 2, 4, 3, 7, 9)[number % 6] + 1):
        time += timedelta(minutes=chance.randrange(8, 3000))
        quoted = chance.choice(posts) if chance.random() < 0.4 else None
        before = ""
        if quoted:
            before = (
                f"<blockquote><div><cite>{quoted.who} wrote:</cite>{quoted.lines[0]}</div></blockquote>\n"
            )
        lines = [prose.paragraph(1, 3, "reply") for _ in range(chance.randint(1, 2))]
        posts.append(post(place, chance.choice(members), lines, before))
    return _Thread(100 + number, list(_BOARDS)[number % 3], prose.tell("title"), tuple(posts))


def _member(post: _Post) -> str:
    return f'<a href="./memberlist.php?u={post.who}" class="username">{post.who}</a>'


def _post_html(thread: _Thread, post: _Post, place: int) -> str:
    link = f"./viewtopic.php?p={post.number}#p{post.number}"
    subject = thread.title if place == 0 else f"Re: {thread.title}"
    motto = f'<div id="sig{post.number}" class="signature">{post.motto}</div>' if post.motto else ""
    return f"""
<div id="p{post.number}" class="post has-profile bg{2 - place % 2}">
<div class="inner">
<dl class="postprofile" id="profile{post.number}">
<dt class="no-avatar">{_member(post)}</dt>
<dd class="profile-rank">{"Founder" if post.number % 7 == 0 else "Member"}</dd>
<dd class="profile-posts"><strong>Posts:</strong> <a href="./search.php?a={post.who}">\
{post.number % 389}</a></dd>
<dd class="profile-joined"><strong>Joined:</strong> \
{_stamp(datetime(2012, 5, post.number % 27 + 1, 7, 30))}</dd>
</dl>
<div class="postbody">
<div id="post_content{post.number}">
<h3{' class="first"' if place == 0 else ""}><a href="#p{post.number}">{subject}</a></h3>
<ul class="post-buttons"><li><a href="./posting.php?p={post.number}">Quote</a></li></ul>
<p class="author"><a class="unread" href="{link}">Post</a> <span class="responsive-hide">by <strong>\
{_member(post)}</strong> » </span>{_stamp(post.time)}</p>
<div class="content">{post.html}</div>
{motto}
</div>
</div>
<div class="back2top"><a href="#top" class="top" title="Top">Top</a></div>
</div>
</div>
<hr class="divider">
"""


def _page(title: str, crumbs: Sequence[tuple[str, str]], body: str) -> str:
    trail = "".join(
        f'<span class="crumb"><a href="{link}"><span itemprop="title">{text}</span></a></span>'
        for text, link in (("Board index", "./index.php"), *crumbs)
    )
    return f"""<!DOCTYPE html>
<html dir="ltr" lang="en-gb">
<head>
<meta charset="utf-8">
<title>{title} - Spokes and Speakers</title>
</head>
<body id="phpbb" class="nojs notouch section-viewtopic ltr">
<div id="wrap" class="wrap">
<a id="top" class="top-anchor" accesskey="t"></a>
<div id="page-header">
<div class="headerbar" role="banner"><div class="inner"><div id="site-description" class="site-description">
<a id="logo" class="logo" href="./index.php"><span class="site_logo"></span></a>
<h1>Spokes and Speakers</h1>
<p>A board for those who mend bicycles and radios</p>
<p class="skiplink"><a href="#start_here">Skip to content</a></p>
</div></div></div>
<div class="navbar" role="navigation"><div class="inner">
<ul id="nav-main" class="nav-main linklist"><li><a href="./faq.php">FAQ</a></li>
<li><a href="./ucp.php?mode=register">Register</a></li><li><a href="./ucp.php?mode=login">Login</a></li></ul>
<ul id="nav-breadcrumbs" class="nav-breadcrumbs linklist navlinks"><li class="breadcrumbs">{trail}</li></ul>
</div></div>
</div>
<a id="start_here" class="anchor"></a>
<div id="page-body" class="page-body" role="main">
{body}
</div>
<div id="page-footer" class="page-footer" role="contentinfo">
<div class="navbar"><div class="inner"><ul id="nav-footer" class="nav-footer linklist"><li>{trail}</li>
<li>All times are UTC</li><li><a href="./ucp.php?mode=delete_cookies">Delete cookies</a></li></ul></div></div>
<div class="copyright"><p class="footer-row">Powered by a board that we have run since 2012</p></div>
</div>
</div>
</body>
</html>
"""


def _thread_page(thread: _Thread) -> str:
    count = len(thread.posts)
    bar = f"""
<div class="action-bar bar-top">
<div class="action-buttons"><a href="./posting.php?t={thread.number}" class="button" title="Post a reply">\
<span>Post Reply</span></a></div>
<div class="pagination">{count} post{"s" * (count > 1)} • Page <strong>1</strong> of <strong>1</strong></div>
</div>
"""
    posts = "".join(_post_html(thread, post, place) for place, post in enumerate(thread.posts))
    board = f"./viewforum.php?f={thread.board}"
    jump = (
        f'<div class="action-bar actions-jump"><p class="jumpbox-return"><a href="{board}" class="left-box">'
        f"<span>Return to “{_BOARDS[thread.board]}”</span></a></p></div>"
    )
    online = (
        f'<div class="stat-block online-list"><h3>Who is online</h3><p>Users browsing this '
        f"forum: No registered users and {thread.number % 7 + 1} guests</p></div>"
    )
    head = f'<h2 class="topic-title"><a href="./{thread.path}">{thread.title}</a></h2>'
    return _page(thread.title, [(_BOARDS[thread.board], board)], head + bar + posts + bar + jump + online)


def _rows(threads: Sequence[_Thread]) -> str:
    rows = "".join(
        f"""
<li class="row bg{n % 2 + 1}"><dl class="row-item topic_read"><dt title="No unread posts">
<div class="list-inner">
<a href="./{thread.path}" class="topictitle">{thread.title}</a><br>
<div class="topic-poster responsive-hide">by \
{_member(thread.posts[0])} » {_stamp(thread.posts[0].time)}</div></div></dt>
<dd class="posts">{len(thread.posts) - 1} <dfn>Replies</dfn></dd>
<dd class="views">{thread.number * 13 % 900} <dfn>Views</dfn></dd>
<dd class="lastpost"><span><dfn>Last post </dfn>by {_member(thread.posts[-1])}<br>\
{_stamp(thread.posts[-1].time)}</span></dd></dl></li>"""
        for n, thread in enumerate(threads)
    )
    return f"""
<div class="forumbg"><div class="inner">
<ul class="topiclist"><li class="header"><dl class="row-item"><dt><div class="list-inner">Topics</div></dt>
<dd class="posts">Replies</dd><dd class="views">Views</dd>
<dd class="lastpost"><span>Last post</span></dd></dl>
</li></ul>
<ul class="topiclist topics">{rows}</ul>
</div></div>
"""


def forum() -> Site:
    """All posts of a thread have one markup: the first is the article, the others answer and quote it."""
    site = Site("board.example")
    threads = [_write_thread(number) for number in range(_ARTICLES + _LATER)]
    for n, thread in enumerate(threads):
        first = thread.posts[0]
        site.add(thread.path, _thread_page(thread), thread.title, first.lines, later=n >= _ARTICLES)

    def add_list(path: str, title: str, chosen: Sequence[_Thread], *, later: bool) -> None:
        head = f'<h2 class="forum-title"><a href="./{path}">{title}</a></h2>'
        site.add(path, _page(title, [(title, f"./{path}")], head + _rows(chosen)), later=later)

    for board, name in _BOARDS.items():
        found = [thread for thread in reversed(threads) if thread.board == board]
        add_list(f"viewforum.php?f={board}", name, found[:5], later=board == 5)
        add_list(f"viewforum.php?f={board}&start=5", name, found[5:], later=board == 5)
    add_list("search.php?search_id=active_topics", "Active topics", threads[-9:], later=False)
    add_list("search.php?search_id=unanswered", "Unanswered", threads[::6], later=True)
    add_list("search.php?search_id=newposts", "New posts", threads[-5:], later=True)
    for start, (one, other) in enumerate(pairwise(threads[:3])):
        people = sorted({post.who for post in one.posts + other.posts})
        rows = "".join(
            f'<tr><td><a href="./memberlist.php?u={who}">{who}</a></td><td>Member</td></tr>' for who in people
        )
        table = f'<h2 class="solo">Members</h2><table class="table1 memberlist"><tbody>{rows}</tbody></table>'
        site.add_unjudged(f"memberlist.php?start={start * 25}", _page("Members", [], table))
    return site
