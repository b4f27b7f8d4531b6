from __future__ import annotations

import pytest
from path_pages import words

from scrapy_webstemmer import Article, ExtractOptions, Page, extract
from scrapy_webstemmer.values import Author, Comment

OPTIONS = ExtractOptions(all_kinds=True, comments=True)
LONG = words(70, 30)
CARD = "<p>Member</p><dl><dt>Posts</dt><dd>2,510</dd><dt>Joined</dt><dd>May 4, 2010</dd></dl>"

XENFORO = (
    '<article class="message message--post" data-author="{name}" id="js-post-{n}"><h4><a class="username"'
    f' href="/members/{{n}}/">{{name}}</a></h4>{CARD}<ul><li>'
    f'<time datetime="{{day}}T10:00:00Z">{{day}}</time>'
    '</li><li>#{n}</li></ul><div class="bbWrapper">{text}</div>'
    '<p class="reactions">Ada and 3 others</p></article>'
)
PHPBB = (
    '<div id="p{n}" class="post bg2"><dl class="postprofile"><dt>'
    '<a class="username" href="/u{n}">{name}</a></dt>'
    "<dd>Posts: 25</dd><dd>Joined: Sun Dec 17, 2006 11:18 am</dd></dl><div class=postbody><h3>Re: Seals</h3>"
    '<p class="author"><a href="#p{n}">{day}</a></p><div class="content">{text}</div></div>'
    '<div class="signature">Seals for ever</div></div>'
)
DISCOURSE = (
    '<div itemprop="comment" itemscope itemtype="http://schema.org/Comment"><div class="crawler-post-meta">'
    '<span class="creator" itemprop="author" itemscope itemtype="http://schema.org/Person"><a itemprop="url"'
    ' href="/u/{n}"><span itemprop="name">{name}</span></a></span> '
    '<time datetime="{day}T10:00:00Z">{day}</time>'
    '</div><div class="post" itemprop="text">{text}</div><div itemprop="interactionStatistic" itemscope>'
    "<span>11 Likes</span></div></div>"
)
MYBB = (
    '<div class="post" id="post_{n}"><div class="author_information"><strong><a href="/user-{n}">{name}</a>'
    f"</strong><br>Junior Member</div>{CARD}<div><span>{{day}}</span></div>"
    '<div class="post_body" id="pid_{n}">{text}</div><div>Find Reply</div></div>'
)
FORMS = (XENFORO, PHPBB, DISCOURSE, MYBB)
ROWS = (
    ("ann", "2024-05-06", f"<p>{words(1, 40)}</p>"),
    ("Bob 7", "2024-05-07", "<p>Me too!</p>"),
    ("ann", "2024-05-08", f"<blockquote><p>Bob 7 said:</p><p>Me too!</p></blockquote><p>{LONG}</p>"),
    ("Cy", "2024-05-09", f"<blockquote><p>ann said:</p><p>{LONG}</p></blockquote><p>No.</p>"),
)


def read(body: str) -> Article:
    page = f"<title>Seals in the harbour</title><body><div><h1>Seals in the harbour</h1>{body}</div>"
    article = extract(Page("https://forum.example/t/1", page.encode()), None, OPTIONS)
    assert article is not None
    return article


def posts(form: str) -> str:
    return "".join(
        form.format(n=n, name=name, day=day, text=text) for n, (name, day, text) in enumerate(ROWS)
    )


@pytest.mark.parametrize("form", FORMS)
def test_comments_are_the_posts_behind_the_first(form: str) -> None:
    """Each has its author, its day and its text, and nothing of the card beside it."""
    comments = read(posts(form)).comments
    assert comments is not None
    texts = ["Me too!", f"Bob 7 said:\nMe too!\n{LONG}", f"ann said:\n{LONG}\nNo."]
    assert [(post.author, (post.date or "")[:10], post.text) for post in comments] == [
        (name, day, text) for (name, day, _), text in zip(ROWS[1:], texts, strict=True)
    ]


@pytest.mark.parametrize("form", FORMS)
def test_text_names_who_wrote_each_post(form: str) -> None:
    """Short posts stay, each below its author; a long line that one quotes is said once."""
    lines = read(posts(form)).text.split("\n")
    heads = [line.split(" 2024")[0] for line in lines if line.split(" 2024")[0] in ("ann", "Bob 7", "Cy")]
    assert heads == ["ann", "Bob 7", "ann", "Cy"]
    assert (lines.count(LONG), lines.count("Me too!"), lines[-1]) == (1, 2, "No.")
    assert not any(part in line for line in lines for part in ("Likes", "Member", "2,510", "Joined", "Re:"))


def test_author_of_the_thread_is_that_of_the_first_post() -> None:
    """A line with the class of an author may have the day alone."""
    assert [author.name for author in read(posts(PHPBB)).authors] == ["ann"]


def test_author_of_the_thread_keeps_the_link_to_a_profile() -> None:
    """Who is marked as the author of the first post has the url that the mark has."""
    first = posts(DISCOURSE).replace("schema.org/Comment", "schema.org/DiscussionForumPosting", 1)
    assert read(first.replace('itemprop="comment" ', "", 1)).authors == (
        Author("ann", "https://forum.example/u/0"),
    )


def test_controls_of_quotes_are_no_text() -> None:
    """What opens a long quote is left out."""
    quote = (
        '<blockquote><p>Bob said:</p><p>So?</p><div class="bbCodeBlock-expandLink"><a>Click to expand'
        "</a></div></blockquote>"
    )
    rows = [(n, name, f"{quote}<p>{words(n, 30)}</p>") for n, name in enumerate(("ann", "cy", "dee"))]
    body = "".join(XENFORO.format(n=n, name=name, day="2024-05-06", text=text) for n, name, text in rows)
    text = read(body).text
    assert text.count("So?") == len(rows)
    assert "expand" not in text


def test_comments_on_answers_stand_in_them() -> None:
    """Answers and comments are told by microdata; the box with who signed a post is none."""
    comment = (
        '<li itemprop="comment" itemscope itemtype="https://schema.org/Comment"><div><span itemprop="text">'
        'It works.</span> <div itemprop="author" itemscope itemtype="https://schema.org/Person">'
        '<a itemprop="name">'
        "Dee</a></div></div></li>"
    )
    post = (
        '<div itemscope itemtype="https://schema.org/{0}"><div itemprop="text"><p>{1}</p></div>'
        "<div>edited May 9,"
        ' 2024</div><div itemprop="author" itemscope itemtype="https://schema.org/Person">'
        '<a itemprop="name" href="/u">{2}</a><span>2,505 gold badges</span></div>{3}</div>'
    )
    body = post.format("Question", words(1, 40), "Ann", "") + post.format(
        "Answer", words(90, 40), "Bob", comment
    )
    article = read(f'<div itemscope itemtype="https://schema.org/QAPage">{body}</div>')
    assert article.comments == (
        Comment("Bob", article.comments[0].date, words(90, 40), 0),
        Comment("Dee", article.comments[1].date, "It works.", 1),
    )
    assert article.text == f"{words(1, 40)}\n{words(90, 40)}"


def test_comments_below_an_article_are_none_of_its_text() -> None:
    """The first of them opens no thread."""
    text = "".join(f"<p>{words(n, 60)}</p>" for n in range(100, 500, 60))
    article = read(f"<article>{text}</article><div>{posts(DISCOURSE)}</div>")
    assert [comment.author for comment in article.comments or ()] == [name for name, *_ in ROWS]
    assert "Me too!" not in article.text


def test_cards_of_other_pages_are_no_comments() -> None:
    """Most of each is a long link, whatever stands above its day."""
    card = '<li id="c{0}"><div>Media</div><a href="/{0}/"><p>{1}</p></a><div>Published on May {0}, 2024</div>'
    text = "".join(f"<p>{words(n, 60)}</p>" for n in range(100, 500, 60))
    cards = "".join(card.format(n, words(n, 20)) for n in range(1, 6))
    assert not read(f"<article>{text}</article><ul>{cards}</ul>").comments


def test_a_comment_may_have_a_long_link() -> None:
    """What it says beside the link is more than a name."""
    comment = (
        '<li id="c{0}"><div>Ann Lee</div><div>May {0}, 2024</div><p>I have written about the seals at</p>'
        '<p><a href="http://a.example/{0}">http://a.example/{1}</a></p>'
    )
    text = "".join(f"<p>{words(n, 60)}</p>" for n in range(100, 500, 60))
    comments = "".join(comment.format(n, words(n, 9).replace(" ", "-")) for n in range(1, 4))
    assert len(read(f"<article>{text}</article><ul>{comments}</ul>").comments or ()) == 3


def test_post_above_those_that_markup_says_opens_the_thread() -> None:
    """It stays in the text, and all others are replies to it."""
    article = read(f"<div><p>{words(300, 60)}</p></div><div>{posts(MYBB)}</div>")
    assert [comment.author for comment in article.comments or ()] == [name for name, *_ in ROWS]
    assert words(300, 60) in article.text
