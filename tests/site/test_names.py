from __future__ import annotations

from dataclasses import replace

import pytest
from path_pages import layout, placed, words

from scrapy_webstemmer.site.named_parts import named_nodes
from scrapy_webstemmer.site.paths import AllNames
from scrapy_webstemmer.site.subtrees import columns_of, ends_of
from scrapy_webstemmer.values import Layout


def nodes_of(page: Layout) -> list[int]:
    """Return the nodes of a page whose names say that they are not main text."""
    return named_nodes(page, columns_of(page, ends_of(page.parents)), AllNames().places(page))


def named(body: str) -> list[str]:
    """Return tag and classes of the named parts of a page with a text below, in the order of the page."""
    page = layout(f"{body}<p>{words(99, 40)}</p>")
    return [
        ".".join(filter(None, [step.tag, step.id, *step.classes]))
        for step in map(page.steps.__getitem__, nodes_of(page))
    ]


@pytest.mark.parametrize("tag", ["nav", "aside", "footer"])
def test_elements_that_are_no_main_text(tag: str) -> None:
    """The elements nav, aside and footer are parts, even without a class."""
    assert named(f"<div><{tag}><p>a</p></{tag}><p>b</p></div>") == [tag]
    assert named("<dialog open><p>We use cookies</p></dialog>") == ["dialog"]


@pytest.mark.parametrize(
    "attribute",
    [
        'class="comments"',
        'class="comments-area"',
        'class="post-comments"',
        'class="postComments"',
        'class="trackbacks"',
        'class="trackback-url"',
        'class="entry clearfix related_posts"',
        'class="widget42"',
        'id="right-sidebar"',
        'id="Sidebar1"',
        'class="top-nav"',
        'class="top menu"',
        'class="x-ad"',
        'id="cookie-banner"',
        'class="article-paywall"',
        'id="onetrust-banner-sdk"',
        'class="cmpboxWelcome"',
    ],
)
def test_names_whose_first_or_last_word_says_it(attribute: str) -> None:
    """A class or an id names a part by its last or its first word, however its words are joined."""
    assert len(named(f"<div {attribute}><p>a</p></div>")) == 1


@pytest.mark.parametrize(
    "attribute",
    [
        "",
        'class="post"',
        'class="my-comments-of-today"',
        'class="commentary"',
        'class="shareholders"',
        'class="ad-lib"',
        'class="menu-bearer"',
        'class="tools-of-trade"',
        'class="007"',
        'id=""',
    ],
)
def test_names_that_say_nothing(attribute: str) -> None:
    """A word in the middle, a part of a word, and some words at the start of a name are no evidence."""
    assert named(f"<div {attribute}><p>a</p></div>") == []


@pytest.mark.parametrize(
    "name",
    [
        "has-sidebar",
        "no-sidebar",
        "with-sidebar",
        "sidebar-open",
        "comments-open",
        "commentsOpen",
        "hide-comments",
        "sidebar-content",
        "sidebar-layout",
        "related-inner",
    ],
)
def test_states_are_no_names(name: str) -> None:
    """A class for a state of the page, or for an element that is more than the part, does not name a part."""
    assert named(f'<div class="{name}"><p>a</p></div>') == []
    assert named(f'<div class="{name} sidebar"><p>a</p></div>') == [f"div.{name}.sidebar"]


@pytest.mark.parametrize("tag", ["main", "article", "h1", "h2", "h3", "p"])
def test_what_holds_the_text_is_never_a_part(tag: str) -> None:
    """An element that holds a page, its text or a headline is not a part, whatever its name."""
    assert named(f'<{tag} class="comments">a</{tag}>') == []


def test_the_body_is_never_a_part() -> None:
    """The body is not a part, though many systems give it classes for all parts of the page."""
    page = layout("<p>a</p>")
    steps = (page.steps[0]._replace(classes=("widget",)), *page.steps[1:])
    assert nodes_of(replace(page, steps=steps)) == []


def test_what_holds_a_headline_is_no_part() -> None:
    """An element with an h1 is not a part, but may hold parts: it is the page or its article."""
    inner = '<div class="widget"><p>b</p></div>'
    assert named(f'<div class="widget"><div><h1>a</h1></div>{inner}</div>') == ["div.widget"]
    assert named(f'<div class="widget"><h2>a</h2>{inner}</div>') == ["div.widget"] * 2
    assert named(f'<h1>a</h1><div class="widget">{inner}</div>') == ["div.widget"] * 2


def test_what_holds_most_of_the_text_is_no_part() -> None:
    """An element with more than half of the page's text holds the article, unless it is one of comments."""
    long = f"<p>{words(1, 200)}</p>"
    assert named(f'<div class="widget">{long}</div>') == []
    assert named(f"<aside>{long}</aside>") == []
    assert named(f'<div class="comments">{long}</div>') == ["div.comments"]
    assert named(f'<div id="respond">{long}</div><div class="widget">{long}</div>') == [
        "div.respond",
        "div.widget",
    ]


def test_a_page_builder_calls_all_of_its_parts_widgets() -> None:
    """If most text is in several widgets, their name tells nothing; those of a sidebar do not count."""
    widget, text = f'<div class="widget">{words(1, 40)}</div>', f"<p>{words(41, 40)}</p>"
    assert named(widget * 3 + text) == []
    assert named(widget + text * 2) == ["div.widget"]
    assert named(widget * 3 + f'<div class="widget">{text * 6}</div>') == ["div.widget"] * 3
    assert named(f"<aside>{widget * 2}</aside>{text}") == ["aside", "div.widget", "div.widget"]
    comments = f'<div class="comments">{text * 30}</div>'
    assert named(widget * 12 + comments) == ["div.comments"]
    assert named(widget * 2 + text + comments) == ["div.widget", "div.widget", "div.comments"]


def test_named_parts_weigh_as_records_do() -> None:
    """On a site with few pages, a named part counts as repeated, so its text weighs less."""
    body = '<p>{}</p><div class="{}"><p>{}</p></div>'
    part, other = placed(
        body.format(words(1, 40), "sidebar", words(2)),
        body.format(words(3, 40), "column", words(4)),
        vocabulary_pages=9,
    )
    assert [*part.repeated] == [0, 0, 1, 1]
    assert not any(other.repeated)
    assert part.masses()[2] < other.masses()[2] / 5


@pytest.mark.parametrize(
    "inner", ["<p>a</p>", "<h3>a</h3><p>b</p>", "a", "<a href=http://other.example/>a</a> b"]
)
@pytest.mark.parametrize("around", ["<p>b</p>{}<p>c</p>", "<p>b</p>{}<h2>c</h2>", "<ul><li>b</ul>{}<p>c</p>"])
def test_a_note_in_a_text(inner: str, around: str) -> None:
    """An aside between a paragraph and another element of running text is a note, and part of the text."""
    assert named(f"<div>{around.format(f'<aside class=note>{inner}</aside>')}</div>") == []


@pytest.mark.parametrize(
    "body",
    [
        "<p>b</p><aside><p>a</p></aside>",
        "<aside><p>a</p></aside><p>b</p>",
        "<div class=x>b</div><aside><p>a</p></aside><div class=y>c</div>",
        "<p>b</p><aside><ul><li><a href=/1>a</a><li><a href=/2>b</a></ul></aside><p>c</p>",
        "<p>b</p><aside><p>a</p><form>b</form></aside><p>c</p>",
        "<p>b</p><aside class=related><p>a</p></aside><p>c</p>",
        "<p>b</p><aside id=newsletter-widget><p>a</p></aside><p>c</p>",
    ],
)
def test_other_asides(body: str) -> None:
    """A sidebar, a list of other pages, a form and an aside whose names tell something else are no notes."""
    assert len(named(f"<div>{body}</div>")) == 1
