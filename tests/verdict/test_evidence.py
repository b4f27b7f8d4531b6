"""The evidence on whether a page is an article: what each value means, on small pages."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from path_pages import layout, place, placed, words
from tree_pages import layouts

from scrapy_webstemmer.site.placed import PlacedLayout
from scrapy_webstemmer.values import Layout, Step
from scrapy_webstemmer.verdict.evidence import Evidence, evidence_of

NO_AFFIXES = ((), ())
ENTRY = '<h2><a href="{0}">{1}</a></h2><p>{2}</p>'


def page_of(body: str, title: str = "", head: str = "", url: str = "") -> PlacedLayout:
    """Return a page as the only one of its site; its url is http://example.com/007 if none is given."""
    made = layout(body, 7, title, head)
    return place([replace(made, url=url) if url else made], vocabulary_pages=1)[0]


def seen(body: str = "<p>text</p>", title: str = "", head: str = "", url: str = "") -> Evidence:
    return evidence_of(page_of(body, title, head, url), NO_AFFIXES)


def at(path: str) -> Evidence:
    """Return the evidence of a page with this path."""
    return seen(url=f"http://example.com/{path}")


def article(text: str) -> str:
    return f'<h1>{words(1, 4)}</h1><div id="c">{text}</div>'


def entry(number: int, target: str = "") -> str:
    return ENTRY.format(target or f"/{number}", words(number, 5), words(number + 100, 30))


def listing(*numbers: int, name: str = "c") -> str:
    return f'<div id="{name}">{"".join(map(entry, numbers))}</div>'


# The page's address.


@pytest.mark.parametrize(
    ("path", "count"),
    [
        ("story/the-ferry-is-late.html", 4),
        ("story/the-ferry-is-late/", 4),
        ("story/the-ferry-is-late/index.html", 4),
        ("story/the_ferry_2026-11.php", 2),
        ("a-" * 20, 10),
        ("%E6%B8%A1%E3%81%97%E8%88%B9/", 1),
        ("2026/11/", 0),
        ("?p=7", 0),
        ("", 0),
    ],
)
def test_words_of_an_address(path: str, count: int) -> None:
    """The words of the last part of the path count, without its ending and without numbers, ten at most."""
    assert at(path).slug == count / 10


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("tag/seals/", {"in_list_folder"}),
        ("blog/Category/seals", {"in_list_folder"}),
        ("tagged/seals", set()),
        ("2026/11/22/seals", {"dated"}),
        ("page/2", {"list_page"}),
        ("seals/page-2/", {"list_page"}),
        ("homepage2", set()),
        ("story/4711.html", set()),
        ("index.html", {"front"}),
        ("", {"front"}),
        ("?page=2", {"front"}),
        ("?page=12", {"front"}),
        ("?lang=en", {"front"}),
        ("?p=123", set()),
        ("index.php?topic=1156.0", set()),
    ],
)
def test_what_an_address_tells(path: str, found: set[str]) -> None:
    """Folders of lists, dates, further pages and empty paths without a number are told by the address."""
    evidence = at(path)
    names = ("in_list_folder", "dated", "list_page", "front")
    assert {name for name in names if getattr(evidence, name)} == found


def test_an_invalid_address_tells_what_its_path_tells() -> None:
    """A host that no program can read is no reason not to look at the path."""
    evidence = seen(url="http://[broken/tag/page/2")
    assert (evidence.in_list_folder, evidence.list_page, evidence.front) == (1, 1, 0)
    assert evidence.text > 0


# What the markup states.

API = '<link rel="alternate" href="http://a.example/wp-json/wp/v2/{}/7">'
DATA = '<script type="application/ld+json">{{"@type": "{}"}}</script>'
SOLD = 'itemscope itemtype="https://schema.org/Product"'


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ("", set()),
        ('<meta property="og:type" content="article">', {"og_article"}),
        ('<meta property="og:type" content="article.opinion">', {"og_article"}),
        ('<meta property="og:type" content="website">', {"og_other"}),
        ('<meta property="og:type" content="">', set()),
        ('<meta property="article:published_time" content="2026-11-22">', {"published"}),
        ('<meta name="description" content="Seals">', set()),
        (API.format("posts"), {"post"}),
        (API.format("pages"), {"static"}),
        (API.format("tags"), set()),
        ('<link rel="alternate" type="application/json+oembed" href="/e">', {"embeddable"}),
        ('<link rel="next" href="/story/8">', {"neighbours"}),
        ('<link rel="next" href="/?page=8">', set()),
        (DATA.format("NewsArticle"), {"typed_article"}),
        (DATA.format("DiscussionForumPosting"), {"typed_article"}),
        (DATA.format("CollectionPage"), {"typed_list"}),
        (DATA.format("JobPosting"), {"typed_list"}),
        (DATA.format("Product"), {"sold"}),
        (DATA.format("Offer"), set()),
        ('<meta property="og:type" content="product">', {"og_other", "sold"}),
        ('<meta property="og:type" content="product.group">', {"og_other", "sold"}),
        (DATA.format("Product") + DATA.format("Review"), {"typed_article"}),
        (
            '<meta property="og:type" content="article">' + DATA.format("Product"),
            {"og_article", "typed_article"},
        ),
        (DATA.format("Organization"), set()),
    ],
)
def test_what_the_head_states(head: str, found: set[str]) -> None:
    """Publishing systems state in the head what a page is."""
    evidence = seen(head=head)
    names = Evidence._fields[Evidence._fields.index("og_article") : Evidence._fields.index("text")]
    assert {name for name in names if getattr(evidence, name)} == found


@pytest.mark.parametrize(
    ("body", "name", "value"),
    [
        ('<p><a rel="next" href="/8">Seals</a></p>', "beside", 1),
        ('<p><a rel="nofollow" href="/8">Seals</a></p>', "beside", 0),
        ('<p>text</p><div id="respond">Say something</div>', "commentable", 1),
        ('<p>text</p><div class="respond">Say something</div>', "commentable", 0),
        ("<article><p>text</p></article>", "one_article", 1),
        ("<article><p>text</p></article><article><p>more</p></article>", "one_article", 0),
        ("<p>text</p>", "one_article", 0),
        (f"<div {SOLD}><p>text</p></div>", "sold", 1),
        (f'<div {SOLD}><p>text</p></div><a rel="author" href="/ann">Ann</a>', "sold", 0),
    ],
)
def test_what_the_body_has(body: str, name: str, value: float) -> None:
    """A place for comments, a single article and links to the pages beside it speak for an article.

    What is sold speaks against one, unless an author has written about it.
    """
    assert getattr(seen(body), name) == value


@pytest.mark.parametrize(
    ("classes", "found"),
    [
        ("single single-post postid-7", {"body_single"}),
        ("single-post archive", {"body_list"}),
        ("archive category category-seals", {"body_list"}),
        ("single single-tag", {"body_single"}),
        ("home blog", {"body_list"}),
        ("page page-template-default page-id-7", {"body_static"}),
        ("pages wide", set()),
        ("error404", {"body_list"}),
        ("ipsApp ipsApp_front", set()),
        ("", set()),
    ],
)
def test_names_of_the_body(classes: str, found: set[str]) -> None:
    """Classes of the body name what a page is: a single post, a static page, a list."""
    page = page_of("<p>text</p>")
    body = Step("body", "", tuple(classes.split()))
    page = replace(page, layout=replace(page.layout, steps=(body, *page.layout.steps[1:])))
    evidence = evidence_of(page, NO_AFFIXES)
    names = ("body_single", "body_static", "body_list")
    assert {name for name in names if getattr(evidence, name)} == found


# What it shows.


def test_an_article_shows_its_title_and_text() -> None:
    """An unlinked title above text without links is what an article shows."""
    evidence = seen(article(f"<p>{words(2, 400)}</p>"), words(1, 4))
    assert (evidence.titled, evidence.in_title, evidence.text, evidence.linked) == (1, 1, 1, 0)
    assert (evidence.under_headline, evidence.below_headline) == (0, 0)
    assert (evidence.title_words, evidence.named, evidence.below) == (4 / 12, 4 / 12, 1 / 3)


def test_headings_of_an_article_are_no_headlines() -> None:
    """Sections under headings without links are no evidence against an article."""
    sections = "".join(f"<h2>{words(n, 3)}</h2><p>{words(n, 90)}</p>" for n in range(3))
    evidence = seen(article(sections), words(1, 4))
    assert (evidence.under_headline, evidence.below_headline) == (0, 0)


def test_a_list_shows_the_headlines_of_others() -> None:
    """Headings that link to other pages, each above some text, make a list."""
    evidence = seen(listing(1, 2, 3, 4))
    assert (evidence.titled, evidence.headed) == (0, 0)
    assert (evidence.under_headline, evidence.below_headline) == (1, 1)


def test_the_posts_of_a_discussion_stand_below_names() -> None:
    """Where a page states that it is a discussion, headings with links may be those who wrote the posts."""
    head = '<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>'
    evidence = seen(listing(1, 2, 3, 4), head=head)
    assert (evidence.under_headline, evidence.below_headline) == (0, 0)


@pytest.mark.parametrize("heading", ["", "<h1>About seals</h1>"])
def test_a_list_of_a_single_entry(heading: str) -> None:
    """A tag page with one entry has no records, but its text stands under another page's headline."""
    evidence = seen(heading + listing(5))
    assert (evidence.under_headline, evidence.below_headline) == (1, 1)


def test_further_pages_under_an_article_are_not_its_headlines() -> None:
    """Only the last heading above the text tells what it stands under; those below do not."""
    more = "".join(f'<h2><a href="/{n}">{words(n, 5)}</a></h2>' for n in (5, 6, 7))
    evidence = seen(article(f"<p>{words(2, 400)}</p>") + f'<div id="more">{more}</div>')
    assert (evidence.under_headline, evidence.below_headline) == (0, 0)


@pytest.mark.parametrize("target", ["/007", "http://www.example.com/007/", "?replytocom=1", "#top"])
def test_a_title_that_links_to_its_own_page_is_its_title(target: str) -> None:
    """A heading that links to the page itself is not a headline of another page."""
    evidence = seen(f'<div id="c">{entry(5, target)}</div>', words(5, 5))
    assert (evidence.titled, evidence.under_headline) == (1, 0)


@pytest.mark.parametrize("title", ["{}", "Gazette: {} - May 5"])
def test_a_title_that_links_to_where_the_page_stood_before(title: str) -> None:
    """A heading with the page's own title is not a headline of another page, wherever it leads."""
    body = f'<div id="c">{entry(5, "/before/5.html")}</div>'
    evidence = seen(body, title.format(words(5, 5)))
    assert (evidence.under_headline, evidence.below_headline) == (0, 0)
    assert seen(body, words(6, 5)).under_headline == 1


def test_a_short_text_of_the_title_element_may_be_another_headline() -> None:
    """A text of less than ten characters may be part of a longer title element by chance."""
    body = '<div id="c"><h2><a href="/5">Seals</a></h2><p>text</p></div>'
    assert seen(body, "Tag: Seals - Gazette").under_headline == 1
    assert seen(body, "Seals").under_headline == 0


@pytest.mark.parametrize(
    ("heading", "leads"),
    [
        ('<h2><a href="/5">Seals return</a></h2>', True),
        ('<a href="/5"><h2>Seals return</h2></a>', True),
        ('<div><a href="/5"><h2>Seals return</h2></a></div>', True),
        ('<h2>Today <a href="/5">seals return</a></h2>', False),
        ('<h2><a href="/5">abc</a></h2>', False),
        ('<h2><a href="http://other.example/5">Seals return</a></h2>', False),
        ('<h2><a name="x">Seals return</a></h2>', False),
        ('<div><a href="/5">Seals return</a></div>', False),
    ],
)
def test_what_is_a_headline(heading: str, leads: bool) -> None:
    """A headline is a heading with all its text in a link to another page of the site, in or around it."""
    evidence = seen(f'<h1>{words(1, 4)}</h1><div id="c">{heading}<p>{words(6, 60)}</p></div>')
    assert (evidence.under_headline, evidence.below_headline) == (leads, leads)


def test_headlines_that_several_lists_have_count_by_their_texts() -> None:
    """A recurring headline is boilerplate, but beside the main text it is still a headline."""
    bodies = (f'<div id="c">{entry(5)}<p>{words(n, 40)}</p></div>' for n in range(10, 14))
    page = placed(*bodies)[0]
    assert page.boilerplate[0]
    evidence = evidence_of(page, NO_AFFIXES)
    assert (evidence.under_headline, evidence.below_headline, evidence.below) == (1, 0, 0)


def test_text_is_what_stands_outside_links() -> None:
    """Longer text outside links is stronger evidence for an article, up to 1,500 characters."""
    lengths = (0, 10, 100, 1_000, 1_500, 5_000)
    found = [
        seen(article(f'<p>{"m" * length} <a href="http://b.example">{"n" * 2_000}</a></p>'), words(1, 4))
        for length in lengths
    ]
    texts = [evidence.text for evidence in found]
    assert texts == sorted(texts)
    assert (texts[0], texts[-2:]) == (0, [1, 1])
    assert 0 < texts[1] < texts[2] < texts[3] < 1
    linked = [evidence.linked for evidence in found]
    assert linked == sorted(linked, reverse=True)


@pytest.mark.parametrize("tag", ["p", "div", "h4", "td"])
def test_text_of_paragraphs(tag: str) -> None:
    """Text counts from 60 characters in one piece on, up to 22,000 in all, whatever element it stands in."""
    assert seen(f"<{tag}>{'m' * 59}</{tag}>").paragraphs == 0
    some, more, most = (
        seen(f"<{tag}>{'m' * length}</{tag}><div><p>{'n' * length}</p></div>").paragraphs
        for length in (60, 5_000, 11_000)
    )
    assert 0 < some < more < 1 == most


def test_what_recurs_or_leads_on_is_no_text_of_paragraphs() -> None:
    """Long teasers of other pages do not count, and neither does what all pages of the site have."""
    teasers = "".join(f'<div class="t"><a href="/{n}">mmmmm</a>{"n" * 500}</div>' for n in range(3))
    (page,) = placed(f'<div id="c">{teasers}</div>')
    assert evidence_of(page, NO_AFFIXES).paragraphs == 0
    pages = placed(*(f"<p>{'m' * 500}</p><p>{words(n, 4)}</p>" for n in range(6)))
    assert {evidence_of(page, NO_AFFIXES).paragraphs for page in pages} == {0}


def test_paragraphs_in_elements_of_headings_are_no_headings() -> None:
    """Some authors write all text in headings. One with more than 150 characters is a paragraph."""
    texts = "".join(f"<h4>{words(n, 60)}</h4>" for n in range(3))
    usual = seen(article(texts.replace("h4", "p")), words(1, 4))
    assert seen(article(texts), words(1, 4)) == usual
    assert usual.below == 1 / 3
    short = "".join(f"<h4>{words(n, 8)}</h4>" for n in range(3))
    assert seen(article(f"{short}<p>{words(9, 60)}</p>"), words(1, 4)).below == 4 / 6


@pytest.mark.parametrize(
    ("body", "title", "found"),
    [
        ("<h1>{0}</h1><p>{1}</p>", "{0}", True),
        ("<div>{0}</div><p>{1}</p>", "{0}", True),
        ("<p>{1}</p><h1>{0}</h1>", "{0}", False),
        ("<h1>{0}</h1><p>{1}</p>", "The Gazette", True),
        ("<div>{0}</div><p>{1}</p>", "The Gazette", False),
        ("<h2>{0}</h2><p>{1}</p>", "The Gazette", False),
        ("<p>{1}</p><h1>{0}</h1>", "The Gazette", False),
        ('<h1><a href="/5">{0}</a></h1><p>{1}</p>', "The Gazette", False),
    ],
)
def test_what_stands_above_the_text(body: str, title: str, found: bool) -> None:
    """An article has its title above its text, or its first heading where no text is the title element's."""
    assert seen(body.format(words(1, 4), words(2, 60)), title.format(words(1, 4))).headed == found


def test_a_heading_that_recurs_is_the_sites() -> None:
    """A heading that all pages of the site have above their text is not the heading of any of them."""
    pages = placed(*(f"<h1>The Gazette</h1><p>{words(n, 60)}</p>" for n in range(6)))
    assert {evidence_of(page, NO_AFFIXES).headed for page in pages} == {0}


def test_text_that_leads_on_is_not_an_articles() -> None:
    """Text in records that lead to other pages is no evidence for an article, however long it is."""
    teasers = "".join(f'<div class="t"><a href="/{n}">mmmmm</a>{"n" * 500}</div>' for n in range(3))
    (page,) = placed(f'<div id="c">{teasers}</div>')
    assert any(page.leading)
    assert evidence_of(page, NO_AFFIXES).text == 0
    (away,) = placed(f'<div id="c">{teasers.replace("/", "http://b.example/", 1)}</div>')
    assert not any(away.leading)
    assert evidence_of(away, NO_AFFIXES).text == 1


def test_words_of_a_title() -> None:
    """Words are counted up to twelve; in scripts without spaces every two letters count as one."""
    assert seen("<h1>渡し船が遅れた</h1><p>x</p>", "渡し船が遅れた").named == 3 / 12
    assert seen(title=words(3, 30)).named == 1
    assert seen().named == 0


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("<p>23 September 2014, Ada Quill</p>", True),
        ("<p>2014年9月23日</p>", True),
        ("<p>Since 2014</p>", False),
        (f"<p>{words(1)} on the 23rd of March 2014</p>", False),
        ("".join(f'<div class=t><a href="/{n}">{n}/3/2014</a>{words(n)}</div>' for n in range(1, 5)), False),
    ],
)
def test_lines_with_a_date(line: str, found: bool) -> None:
    """A short line with a date counts; a date in a sentence or in a list of pages does not."""
    assert seen(line).date_line == found


def test_a_page_without_text_has_evidence() -> None:
    """A page without new text has values as well: all of nothing is in links."""
    evidence = seen("<div></div>")
    assert (evidence.text, evidence.paragraphs, evidence.linked, evidence.below) == (0, 0, 1, 0)


def test_nothing_depends_on_the_order_of_other_pages() -> None:
    """The same page among the same other pages has the same evidence."""
    bodies = [article(f"<p>{words(n, 60)}</p>") for n in range(6)]
    layouts_of = [layout(body, n) for n, body in enumerate(bodies)]
    one, other = place(layouts_of), place(layouts_of[::-1])[::-1]
    assert [evidence_of(page, NO_AFFIXES) for page in one] == [
        evidence_of(page, NO_AFFIXES) for page in other
    ]


_FACTS = st.frozensets(
    st.sampled_from(
        [
            *(
                "og:type=article",
                "og:type=website",
                "og:type=",
                "meta=date",
                "api=posts",
                "api=pages",
                "api=tags",
            ),
            *("link=next", "link=shortlink", "link=alternate application/json+oembed", "a=prev", "x", ""),
            *("type=Article", "type=ItemList"),
        ]
    )
)
_URLS = st.sampled_from(
    [
        "http://example.com/",
        "http://example.com/tag/a/page/2",
        "http://[x/",
        "",
        "http://example.com/%ff/a-b-c",
    ]
)


@given(
    layouts(), _FACTS, _URLS, st.lists(st.sampled_from(["single", "archive", "page-id-7", "x"]), max_size=3)
)
def test_evidence_is_from_0_to_1(page: Layout, facts: frozenset[str], url: str, classes: list[str]) -> None:
    """On any page, each value is from 0 to 1."""
    body = Step("body", "", tuple(classes))
    page = replace(page, stated=facts, url=url, steps=(body, *page.steps[1:]))
    (found,) = place([page], vocabulary_pages=1)
    assert all(0 <= value <= 1 for value in evidence_of(found, NO_AFFIXES))
