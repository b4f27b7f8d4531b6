"""Who wrote an article, where its site has taught no place."""

from __future__ import annotations

from dataclasses import replace

import pytest
from path_pages import layout, place

from scrapy_webstemmer import Page, extract
from scrapy_webstemmer.fields.authors import authors_key, shown_authors
from scrapy_webstemmer.fields.metadata import Fields
from scrapy_webstemmer.fields.surroundings import ABOVE, FOOT, HEAD, OPENING
from scrapy_webstemmer.fields.surroundings import TEXT as TEXT_PART
from scrapy_webstemmer.page.statements import Statements
from scrapy_webstemmer.values import Announcement, FieldPlace, Pattern

TEXT = f"<div><p>{'the text ' * 40}</p><p>{'more text ' * 40}</p></div>"
JSON_LD = '<script type="application/ld+json">{"@type": "Article", "author": "%s"}</script>'
META = '<meta name="author" content="%s">'
SITE = '<meta property="og:site_name" content="The Harbour">'


def authors_of(
    before: str,
    head: str = "",
    after: str = "",
    announced: Announcement | None = None,
    title: str = "Harbour news",
) -> list[str]:
    """Return the authors of a page with a heading, its text, and something behind each."""
    made = replace(
        layout(f"<h1>Harbour news</h1>{before}{TEXT}{after}", title=title, head=head),
        announced=announced,
    )
    page = place([made])[0]
    main = [
        number for number, block in enumerate(made.blocks) if block.text.startswith(("the text", "more text"))
    ]
    fields = Fields(page, main, Pattern("", "article", 0.0, 0, ()), title=page.places[0])
    return [author.name for author in fields.authors]


@pytest.mark.parametrize(
    "line",
    [
        "By Ann Lee",
        "Written by Ann Lee",
        "Posted by Ann Lee on Tuesday, May 6, 2014 | 3 comments",
        "May 6, 2014 - by Ann Lee",
        "<b class=author>View all posts by Ann Lee</b>",
        "<b class=author>Ann Lee - May 6, 2014</b>",
        "By</p><p>Ann Lee",
        "May 6, 2014</p><p>Ann Lee",
        "May 6, 2014<b>Ann Lee</b>",
        "Ann Lee, le 6 mai 2014",
        "Ann Lee on May 6, 2014",
        "Ann Lee | May 6, 2014 | 3 comments",
        "By Ann Lee Updated May 6, 2014",
        "<span itemprop=author>Ann Lee</span>",
        "Author: Ann Lee",
        "Auteur : Ann Lee",
        "Published: May 6, 2014 | Author: Ann Lee",
        "Published on May 6, 2014 by Ann Lee",
        "Text by Ann Lee. Photos by Bob Roe",
        "By Ann Lee, river correspondent",
        "By Ann Lee, River Correspondent",
        "By Ann Lee, River Editor | May 6, 2014",
        "<b class=author>Ann Lee, Staff Writer</b>",
        "<span>By Ann Lee</span><span>River desk</span>",
        "<span>By Ann Lee</span><span>Posted: May 6, 2014</span>",
        "<span>Words: Ann Lee</span> <span>Photography: Bob Roe</span>",
        "By Ann Lee Photos: Bob Roe",
        "Text and photos by Ann Lee",
        "By Ann Lee, Oslo",
        "By Ann Lee, New York",
        "Posted by Ann Lee <a href=#comments>Leave a Comment</a>",
        "By <b>Ann Lee</b> <i>Chief Reporter</i>",
        "<span>Author: Ann Lee</span><span>Date: May 6, 2014</span>",
        "Tuesday, May 6, 2014 | Ann Lee",
        "6 May 2014 / Ann Lee",
        "May 6, 2014 · 4 min · Ann Lee",
        "By Ann Lee, Harbour Times",
        "<b class=author>Ann Lee<br>River desk<br>May 6, 2014</b>",
        "<b class=author><i>Ann Lee</i><i>May 6, 2014</i></b>",
        "<b class=author><i>By</i><i>Ann Lee</i><i>Editor</i></b>",
        "<b class=author><a href=/author/1>Ann Lee</a> <a href=/author/1>See all articles</a></b>",
        "<b>By <i class=writer>Ann Lee</i> Harbour</b>",
        "Ann Lee, 5/6/2014 • 2 min read",
        "Photo by Bob Roe</p><p>By Ann Lee",
        "Fact checked by Bob Roe</p><p>Written by Ann Lee",
        "Sponsored by Bob Roe</p><p>By Ann Lee",
        "<b class=meta-prep-author>Posted on</b> May 6, 2014 by <b class=author>Ann Lee</b>",
        "By Ann Lee Tuesday, May 6, 2014",
        "<a class=author href=/author/lee>Ann Lee</a>",
        "<a class=author href=/author/1>Ann Lee</a> <a class=author href=/author/1>View All</a>",
        "<b class=author>Ann Lee: May 6, 2014</b>",
        "<b class=author>Ann Lee</b></p><p><a href=/author/ann-lee>View Author Page</a>",
        "<b class=author>Ann Lee</b></p><p>Ann writes. Follow <a href=/author/ann-lee>her RSS feed</a>",
    ],
)
def test_a_byline(line: str) -> None:
    """A name counts behind a word for authors, marked, or beside the day; without what stands around it."""
    assert authors_of(f"<p>{line}</p>") == ["Ann Lee"]


@pytest.mark.parametrize(
    ("head", "line"), [("", "<p>By Ann Lee</p>"), (JSON_LD % "Ann Lee", ""), (META % "Ann Lee", "")]
)
@pytest.mark.parametrize(
    "link",
    [
        "<a rel=author href=/author/bob>Bob Roe</a>",
        "<a rel=author href=http://studio.example/>Studio Roe</a>",
        "<b class=author>Bob Roe</b>",
    ],
)
def test_an_author_elsewhere(head: str, line: str, link: str) -> None:
    """Who is marked far from the text wrote another article, or made the site, if anybody else is named."""
    for around in ("<aside><p>{}</p></aside>", "<footer><p>Website by {}</p></footer>", "<div>{}</div>"):
        assert authors_of(line, head, around.format(link)) == ["Ann Lee"]


@pytest.mark.parametrize(
    ("line", "head", "authors"),
    [
        ("Reporting by Ann Lee in Harbour; Editing by Bob Roe", "", ["Ann Lee"]),
        ("Reporting by Ann Lee in Harbour; Editing by Bob Roe", JSON_LD % "Ida Moss", ["Ida Moss"]),
        ("Ann Lee", "", []),
    ],
)
def test_the_last_line_of_a_text_may_be_a_byline(line: str, head: str, authors: list[str]) -> None:
    """It names the authors if nothing else does. A name alone may be that of anybody in the text."""
    sentences = "The seals came back to the harbour in spring, and the boats kept away from them. " * 4
    text = f"<p>{sentences}</p><p>{sentences[::-1].capitalize()}</p><p>{line}</p>"
    body = f"<title>Harbour news</title>{head}<h1>Harbour news</h1><div>{text}</div>"
    assert [author.name for author in extract(body, url="http://a.example/seals/").authors] == authors


@pytest.mark.parametrize(
    ("name", "authors"),
    [
        ("Ana Ruiz Gil de la Vega Ordóñez Soto", 1),
        ("Office of Seals for Boats in Northern Harbours", 1),
        ("Prof. Dr. med. Jana Roth Gil Moss", 1),
        ("Best place for seals in the whole harbour", 0),
    ],
)
@pytest.mark.parametrize("head", [JSON_LD, META])
def test_long_names(name: str, authors: int, head: str) -> None:
    """Programs are told long names of persons and of offices, too. A sentence is none."""
    assert authors_of("", head % name) == [name] * authors


def test_a_site_beside_a_byline() -> None:
    """The site's name that is marked as an author gives way to a name of a person."""
    site = "<p itemprop=author>The Harbour</p>"
    assert authors_of(f"{site}<p>By Ann Lee</p>", SITE) == ["Ann Lee"]
    assert authors_of(site, SITE) == ["The Harbour"]


@pytest.mark.parametrize(
    "line",
    [
        "Written by",
        "<b class=author>Written by</b>",
        "<b class=author>Updated May 6, 2014</b>",
        "<b class=author>Updated by Ann Lee</b>",
        "Edited by Ann Lee",
        "Photo by Ann Lee",
        "Medically reviewed by Ann Lee",
        "Seals by the pier. (Ann Lee/Pictures)",
        "Seals by the sea",
        "Learn faster by doing",
        "Side by side",
        "Seals by Shetland",
        "Harbour News</p><p>May 6, 2014",
        "<b class=author>Harbour news</b>",
        "Ann Lee",
        "Open until May 6, 2014",
        "May 6, 2014 | May 7, 2014 | Ann Lee",
        "May 6, 2014</p><p>Topic: Harbours",
        "Author Ann Lee",
        "Authors:",
        "von am 06.05.2014",
        "<b class=author>xxx</b>",
        "<b class=author>Super User</b>",
        "<b class=author>name, email@a.example</b>",
        "<b class=author>/@ann</b>",
        "港の近くの海 静かなアザラシ</p><p>May 6, 2014",
        "ガジェット・ツール カモメ</p><p>May 6, 2014",
    ],
)
def test_what_is_no_byline(line: str) -> None:
    """A label alone, who changed the text, the title, and any other line are no authors."""
    assert authors_of(f"<p>{line}</p>") == []


@pytest.mark.parametrize(
    "element",
    [
        "<b class=byline>Ann Lee</b>",
        "<b class=article__writer>Ann Lee</b>",
        "<b class=Byline_author__x7Jk2>Ann Lee</b>",
        "<b class=author-info>Ann Lee</b>",
        "<a href=/people/ann-lee>Ann Lee</a>",
        "<a href=/by/alee/>Ann Lee</a>",
    ],
)
def test_somebody_who_may_be_the_author(element: str) -> None:
    """Other classes and folders count at the title, for one who is alone in the element."""
    assert authors_of(f"<p>{element}</p>") == ["Ann Lee"]
    assert authors_of("", after=f"<p>{element}</p>") == []
    assert authors_of(f"<p>{element}</p><p>{element.replace('Ann Lee', 'Bob Roe')}</p>") != ["Bob Roe"]
    assert authors_of(f"<p>{element}</p>", META % "Bob Roe", after="<p>By Bob Roe</p>") == ["Bob Roe"]


@pytest.mark.parametrize(
    "element",
    [
        "<b class=byline>Senior Writer</b>",
        "<b class=author-title>Ann Lee</b>",
        "<b class=byline>Seals by the sea</b>",
        "<b class=author>About the author<br>Ann Lee has seen many seals.</b>",
        "<a href=/people/free-demo>Request Demo</a>",
        "<b class=comment-byline>Ann Lee</b>",
    ],
)
def test_what_only_looks_like_an_author(element: str) -> None:
    """Roles, labels, commenters, and links to anything else are no authors."""
    assert authors_of(f"<p>{element}</p>") == []


@pytest.mark.parametrize("line", ["Ann Lee/Bob Roe", "Ann Lee + Bob Roe", "Ann Lee with Bob Roe"])
def test_two_in_a_byline(line: str) -> None:
    """A sign or a word may join their names."""
    assert authors_of(f"<p>By {line}</p>") == ["Ann Lee", "Bob Roe"]


def test_a_count_of_articles_is_no_name() -> None:
    """It leads to the page of the author, whom another link names."""
    count = "<p><a href=/author/ann>{}</a></p>"
    assert authors_of(
        "<p>May 6, 2014 <a class=fn href=/author/ann>Ann Lee</a></p>", after=count.format("43 Articles")
    ) == ["Ann Lee"]
    assert authors_of("", after=count.format("1,043 Beiträge")) == []


def test_a_byline_in_a_heading() -> None:
    """In a heading a word before authors may mean anything, unless the heading begins with it."""
    assert authors_of("<h2>How seals swim by Shetland</h2>") == []
    assert authors_of("<h2>By Ann Lee</h2>") == authors_of("<h3>Posted by Ann Lee</h3>") == ["Ann Lee"]


def test_a_marked_name_in_a_caption() -> None:
    """Also what is stated of a picture is not said of the article."""
    caption = "<figcaption><p>Seals. <span itemprop=author>Ann Lee</span></p></figcaption>"
    figure = f"<div itemscope itemtype=http://schema.org/Article><figure>{caption}</figure></div>"
    assert authors_of(figure) == []
    assert authors_of(f"{figure}<p>By Bob Roe</p>") == ["Bob Roe"]


@pytest.mark.parametrize("element", ["blockquote", "figure><figcaption"])
def test_a_marked_name_in_a_quotation(element: str) -> None:
    """Who wrote what an article quotes, or took its picture, is not its author, wherever that stands."""
    quoted = f"<{element}><p>Seals sing.</p><p class=author>Cy Poe</p></{element.split('>')[0]}>"
    for after in ("", quoted):
        before = "" if after else quoted
        assert authors_of(before, after=after) == []
        assert authors_of(f"{before}<p>By Bob Roe</p>", after=after) == ["Bob Roe"]


def test_a_name_above_a_teaser() -> None:
    """In a box about the author the name may be a heading; the line of a teaser is none."""
    teaser = "<h4><a href=/b>Seals of the north</a></h4>"
    name = "<{0} class=author-name><a href=/author/ann>Ann Lee</a></{0}>"
    assert authors_of("", after=f"<div>{name.format('h4')}</div>{teaser}") == ["Ann Lee"]
    assert authors_of("", after=f"{teaser}<div>{name.format('p')}</div>") == []


@pytest.mark.parametrize(
    "line",
    [
        "By <a>Ann Lee</a> Fact checked by <a>Bob Roe</a>",
        "Written by <a>Ann Lee</a> | Translated by <a>Bob Roe</a>",
        "<span>By <a>Ann Lee</a></span><span>Edited by <a>Bob Roe</a></span>",
    ],
)
def test_who_has_done_something_else(line: str) -> None:
    """In one line with the author, the words before a marked name say that it is another one's."""
    marked = line.replace("<a>", "<a rel=author href=/author/{}>", 1).replace("<a>", "<a rel=author href=/b>")
    assert authors_of(f"<p>{marked.format('a')}</p>") == ["Ann Lee"]


@pytest.mark.parametrize("names", ["Ann Lee and Bob Roe", "Ann Lee, Bob Roe"])
def test_a_place_behind_several_names(names: str) -> None:
    """It is no part of the last name."""
    assert authors_of(f"<p>By {names}, Oslo</p>") == ["Ann Lee", "Bob Roe"]


def test_a_byline_far_above_the_text() -> None:
    """Between the title and the text there may be many lines, as for sharing."""
    shares = "".join(f"<p>Share {number}</p>" for number in range(15))
    assert authors_of(f"<div><b class=author>Ann Lee</b></div>{shares}") == ["Ann Lee"]


def test_the_site_behind_an_author() -> None:
    """The site is no second author, but may be the only one."""
    assert authors_of("<p>By Ann Lee, The Harbour</p>", SITE) == ["Ann Lee"]
    assert authors_of("", f"{SITE}{META}" % "Ann Lee; The Harbour") == ["Ann Lee"]
    assert authors_of("", f"{SITE}{META}" % "Ann Lee for The Harbour") == ["Ann Lee"]
    assert authors_of("", f"{SITE}{META}" % "Ann Lee - The Harbour") == ["Ann Lee"]
    assert authors_of("<p>By The Harbour</p>", SITE) == ["The Harbour"]
    short = SITE.replace("The Harbour", "TNS")
    assert authors_of("<p>By Ann Lee, TNS</p>", short) == authors_of("", short + META % "Ann Lee, TNS")
    assert authors_of("<p>By Ann Lee, TNS</p>", short) == ["Ann Lee"]
    assert authors_of("<p>By Ann Lee, MD</p>", short) == ["Ann Lee, MD"]


@pytest.mark.parametrize(
    "line",
    [
        "Submitted by sailor on Fri, 25/03/2011 - 19:20",
        "by sailor on 10 July 2014",
        "by sailor | 2014",
        "2014-07-10 by sailor <a class=tag href=/t/sea>deep sea</a>",
    ],
)
def test_a_user_beside_the_day(line: str) -> None:
    """A user has a name with a small letter; words between it and the day, or a link, are no part."""
    assert authors_of(f"<p>{line}</p>") == ["sailor"]


@pytest.mark.parametrize(
    "caption", ["By Ann Lee", "Seals near Lee by Ann Lee", "Ann Lee</figcaption>May 6, 2014"]
)
def test_a_caption(caption: str) -> None:
    """The line below a picture names who took it, or what it shows."""
    figure = f"<figure><img src=1.jpg><figcaption>{caption}</figcaption></figure>"
    assert authors_of(figure) == []
    assert authors_of(f"{figure}<p>By Bob Roe</p>") == ["Bob Roe"]
    assert authors_of(figure, META % "Bob Roe") == ["Bob Roe"]


@pytest.mark.parametrize("name", ["Edith Lee", "Meredith Roe", "Edita Moe"])
def test_a_name_that_looks_like_a_change(name: str) -> None:
    """A name may begin like the word for a change."""
    assert authors_of(f"<p><b class=author>{name}</b></p>") == authors_of(f"<p>By {name}</p>") == [name]


def test_several_bare_names() -> None:
    """A line of names beside the day has all of them; a line with anything else has none."""
    day = "<p>May 6, 2014</p>"
    assert authors_of(f"<p>Ann Lee and Bob Roe</p>{day}") == ["Ann Lee", "Bob Roe"]
    assert authors_of(f"<p>Ann Lee, Bob Roe and the others</p>{day}") == []


@pytest.mark.parametrize(
    ("url", "names"),
    [
        ("/ann-lee", ["Ann Lee"]),
        ("/u/alee", ["Ann Lee"]),
        ("/questions/ask", []),
        ("/c/harbour/9", []),
        ("?page=ann-lee", []),
    ],
)
def test_a_link_beside_the_day(url: str, names: list[str]) -> None:
    """A bare name that is a link counts if the link's url has the name."""
    assert authors_of(f"<p>May 6, 2014</p><p><a href={url}>Ann Lee</a></p>") == names


def test_names_in_the_element_of_the_text() -> None:
    """A bare name beside the day may be the first line of the text's own element."""
    body = f"<h1>Harbour news</h1><h4>Ann Lee</h4><h4>May 6, 2014</h4>{TEXT}"
    page = place([layout(body, title="Harbour news")])[0]
    fields = Fields(page, [1, 3, 4], Pattern("", "article", 0.0, 0, ()), title=page.places[0])
    assert [one.name for one in fields.authors] == ["Ann Lee"]


def test_a_learned_place_with_another_form() -> None:
    """Where enough pages are known, a marked name counts at the authors' place alone, in any form."""
    marked = "<div class=date><p>de <a href=/author/ann>Ann Lee</a></p></div>"
    page = place([layout(f"<h1>Harbour news</h1>{marked}{TEXT}", title="Harbour news")])[0]
    path = page.places[1]
    for known, names in ((path, ["Ann Lee"]), (f"{path}/b", [])):
        places = (FieldPlace("authors", known, "<a rel=author>{}</a>", 10),)
        pattern = Pattern("", "article", 0.0, 10, (), places=places)
        fields = Fields(page, [2, 3], pattern, title=page.places[0])
        assert [one.name for one in fields.authors] == names


def test_who_may_be_the_author_of_a_known_layout() -> None:
    """What may name an author counts if nothing else taught a place of authors."""
    line = "<div class=writer><a href=/staff/1>Ann Lee</a></div>"
    page = place([layout(f"<h1>Harbour news</h1>{line}{TEXT}", title="Harbour news")])[0]
    learned = (FieldPlace("authors", "body/b", "<a rel=author>{}</a>", 10),)
    for places, names in (((), ["Ann Lee"]), (learned, ["Ann Lee"])):
        fields = Fields(
            page, [2, 3], Pattern("", "article", 0.0, 10, (), places=places), title=page.places[0]
        )
        assert [author.name for author in fields.authors] == names


def test_the_place_in_a_reply() -> None:
    """A post below the text shows its own author at the same place."""
    posts = "".join(f"<div><p class=by>By {name}</p>{TEXT}</div>" for name in ("Ann Lee", "Bob Roe"))
    page = place([layout(f"<h1>Harbour news</h1>{posts}", title="Harbour news")])[0]
    assert page.places[1] == page.places[4]
    places = (FieldPlace("authors", page.places[1], "By {}", 10),)
    fields = Fields(page, [2, 3], Pattern("", "article", 0.0, 10, (), places=places), title=page.places[0])
    assert [author.name for author in fields.authors] == ["Ann Lee"]


def test_the_place_in_another_story() -> None:
    """A story below the text shows its own author at the same place."""
    stories = (
        f"<article><h1>{title}</h1><p class=by>By {name}</p>{TEXT}</article>"
        for title, name in (("Harbour news", "Ann Lee"), ("A gale", "Bob Roe"))
    )
    page = place([layout("".join(stories), title="Harbour news")])[0]
    page = replace(page, stories=[page.paths.index("body/article", 2)])
    places = (FieldPlace("authors", page.places[1], "By {}", 10),)
    fields = Fields(page, [2, 3], Pattern("", "article", 0.0, 10, (), places=places), title=page.places[0])
    assert [one.name for one in fields.authors] == ["Ann Lee"]


def test_what_is_stated_and_shown() -> None:
    """Ways that agree are surer than one alone; the site's name counts if no person is shown."""
    byline = "<p>By <a rel=author href=/ann>Ann Lee</a></p>"
    assert authors_of(byline, JSON_LD % "Ann Lee" + META % "admin") == ["Ann Lee"]
    assert authors_of(byline, SITE + META % "The Harbour") == ["Ann Lee"]
    assert authors_of("", SITE + JSON_LD % "The Harbour") == ["The Harbour"]
    assert authors_of("", JSON_LD % "Ann Lee, Bob Roe and Cy Poe") == ["Ann Lee", "Bob Roe", "Cy Poe"]
    assert authors_of("", announced=Announcement("", "", ("Ann Lee",))) == ["Ann Lee"]


@pytest.mark.parametrize("stated", ["The Gull", "admin", "ann@gull.example", "@anngull", "gull42"])
@pytest.mark.parametrize(
    "line", ["By Ann Lee", "<b class=author>Ann Lee</b>", "<i itemprop=author>Ann Lee</i>"]
)
def test_a_person_and_the_site(stated: str, line: str) -> None:
    """A byline counts more than a statement that names the site or a user, but not a name beside the day."""
    for head, title in (
        (JSON_LD % stated, "Harbour news | The Gull"),
        (META % stated, "Harbour news - The Gull"),
    ):
        assert authors_of(f"<p>{line}</p>", head, title=title) == ["Ann Lee"]
        assert authors_of("<p>May 6, 2014</p><p>Local News</p>", head, title=title) == [stated]
    assert authors_of("<p>By Ann Lee</p>", JSON_LD % "Bob Roe", title="Harbour news | The Gull") == [
        "Bob Roe"
    ]


def test_a_site_in_its_logo() -> None:
    """Its learned place gives a site that states itself as the author, if no byline has a person."""
    logo, byline = "<header><p>The Gull</p></header>", "<p>By Ann Lee</p>"
    for line, names in ((byline, ["Ann Lee"]), ("", ["The Gull"])):
        body = f"{logo}<h1>Harbour news</h1>{line}{TEXT}"
        page = place([layout(body, title="Harbour news - The Gull")])[0]
        pattern = Pattern(
            "", "article", 0.0, 10, (), places=(FieldPlace("authors", page.places[0], "{}", 10),)
        )
        fields = Fields(page, [len(page.places) - 2, len(page.places) - 1], pattern, title=page.places[1])
        assert [one.name for one in fields.authors] == names


def test_names_of_a_list() -> None:
    """Several names below the text are those of other articles; one of them may be the stated author's."""
    teasers = "".join(
        f"<section><h3>Story {name}</h3><i class=author>{name}</i><p>{'words ' * 9}</p></section>"
        for name in ("Cy Poe", "Dora Roe", "Eve Moe")
    )
    far = f"{'<p>gap</p>' * 5}{teasers}"
    assert authors_of("", after=far) == []
    assert authors_of("", META % "Dora Roe", after=far) == ["Dora Roe"]
    assert authors_of("", META % "Ann Lee", after=far) == ["Ann Lee"]


def test_a_key_is_that_of_names() -> None:
    """It is the same whatever the case of letters, the signs and their order."""
    assert (
        authors_key(["Ann  Lee", "J. Roe"])
        == authors_key(["j roe", "ANN LEE", "Ann Lee"])
        == "ann lee\nj roe"
    )


def test_days_are_looked_for_only_where_a_bare_name_stands() -> None:
    """Nothing else asks where the day is, which takes a look at all lines around the title."""
    for line, wanted in (("By Ann Lee on May 6, 2014", []), ("Ann Lee", ["Ann Lee"])):
        page = place([layout(f"<h1>Harbour news</h1><p>{line}</p>{TEXT}", title="Harbour news")])[0]
        asked: list[str] = []

        def days(line: str = line, asked: list[str] = asked) -> list[int]:
            asked.append(line)
            return []

        parts = {ABOVE: set[int](), HEAD: {1}, OPENING: set(), TEXT_PART: {2}, FOOT: set()}
        assert page.layout.markup is not None
        stated = Statements(page.layout.markup, page.url)
        found = [*shown_authors(page, parts, (), days, stated)]
        assert asked == wanted
        assert [one.key for one in found] == ([] if wanted else ["ann lee"])


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("記者 王小明 2014年5月6日", "王小明"),
        ("記者王小明／台北報導", "王小明"),
        ("文：山田花子", "山田花子"),
        ("홍길동 기자 2014.05.06", "홍길동"),
        ("作者：王小明 2014-05-06 10:00", "王小明"),
        ("作者：王小明　2014年5月6日", "王小明"),
        ("本报记者 王小明 2014年5月6日", "王小明"),
        ("取材・文／山田太郎", "山田太郎"),
        ("文・山田太郎　2026年3月5日", "山田太郎"),
        ("取材・文 山田太郎", "山田太郎"),
        ("文・写真／山田太郎", "山田太郎"),
        ("文●山田太郎", "山田太郎"),
        ("<span>2014-05-06 10:00</span><span>来源：新报</span><span>作者：王小明</span>", "王小明"),
        ("<span>홍길동 기자</span><span>등록 2014-05-06</span>", "홍길동"),
        ("홍길동 선임기자", "홍길동"),
        ("사진 = 김철수 기자</p><p>홍길동 의학전문기자", "홍길동"),
        ("글 홍길동 기자, 사진 김철수 기자", "홍길동"),
        ("取材・文／山田太郎　写真／佐藤花子", "山田太郎"),
    ],
)
def test_a_byline_without_spaces(line: str, name: str) -> None:
    """The word for an author stands at the name, with a sign or without."""
    assert authors_of(f"<p>{line}</p>", "<meta name=language content=zh>") == [name]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("Автор статьи: Анна Чайка", "Анна Чайка"),
        ("Текст: Анна Чайка", "Анна Чайка"),
        ("Autora del artículo: Ana Ruiz", "Ana Ruiz"),
        ("Autor des Artikels: Jan Roth", "Jan Roth"),
        ("Συντάκτης: Άννα Γλάρου", "Άννα Γλάρου"),
        ("Tác giả: Nguyễn Văn An", "Nguyễn Văn An"),
        ("ผู้เขียน: สมชาย ใจดี", "สมชาย ใจดี"),
        ("लेखक: राहुल शर्मा", "राहुल शर्मा"),
        ("글쓴이: 김철수", "김철수"),
        ("執筆者: 山田太郎", "山田太郎"),
        ("ライター：山田太郎", "山田太郎"),
        ("Автор фото: Анна Чайка", ""),
    ],
)
def test_a_label_up_to_its_colon(line: str, name: str) -> None:
    """The word for an author may stand before others in small letters, up to the colon behind them."""
    assert authors_of(f"<p>{line}</p>") == [name] * bool(name)


def test_a_byline_in_the_text_that_ends_in_a_vowel() -> None:
    """The sign of a vowel is a part of its word: such a line is no sentence."""
    text = "".join(
        f"<p>Paragraph {n} about the harbour and its seals, with much else in it.</p>" for n in range(9)
    )
    body = f"<title>News</title><article><h1>Seals in the harbour</h1><p>ผู้เขียน: สมชาย ใจดี</p>{text}</article>"
    article = extract(Page("http://a.example/seals.html", body.encode()))
    assert article is not None
    assert "สมชาย" in article.text
    assert [author.name for author in article.authors] == ["สมชาย ใจดี"]


def test_words_before_authors_in_greek() -> None:
    """A word counts whatever its letters become in another case."""
    head = '<meta name="language" content="el">'
    assert authors_of("<p>Της Άννας Γλάρου</p>", head) == ["Άννας Γλάρου"]
    assert authors_of("<p>Γράφει η Άννα Γλάρου</p>", head) == ["Άννα Γλάρου"]


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("ar", "<span>بقلم: ليلى منصور</span><span>نشر في: 6 مايو 2014</span>"),
        ("th", "<span>6 พฤษภาคม 2557</span><span>โดย ليلى منصور</span>"),
    ],
)
def test_elements_that_touch_are_apart(language: str, line: str) -> None:
    """In a script without capitals, too, a name ends where its element does."""
    head = f'<meta property="og:locale" content="{language}">'
    assert authors_of(f"<p>{line}</p>", head) == ["ليلى منصور"]


def test_the_footer_of_a_post() -> None:
    """It has the author, whoever keeps the site; the footer of the page has none."""
    line = "<p>Posted by <a rel=author href=/u/ann>Ann Lee</a></p>"
    owner = "<div class=sidebar><p><a rel=author href=/u/bob>Bob Roe</a></p></div>"
    assert authors_of("", after=f"<div class=post-footer>{line}</div>{owner}") == ["Ann Lee"]
    assert authors_of("", after=f"<div class=page-footer>{line}</div>") == ["Ann Lee"]


@pytest.mark.parametrize(
    ("before", "names"),
    [
        ("<p>Ann van der Lee</p><p>May 6, 2014</p>", ["Ann van der Lee"]),
        ("<p>By Ann Lee, RN and Bob Roe, MD</p>", ["Ann Lee, RN", "Bob Roe, MD"]),
        ("<p>Contributors: Ann Lee</p>", ["Ann Lee"]),
        ("<p>Teksti: Ann Lee</p>", ["Ann Lee"]),
        ("<p class=author>✉ Ann Lee</p>", ["Ann Lee"]),
        ("<p>Last Modified</p><p>May 6, 2014</p>", []),
        ("<p>Last Modified | May 6, 2014</p>", []),
        ("<p>Filed Under:</p><p>May 6, 2014</p>", []),
        ("<p>By ops@gull.example</p>", []),
        ("<p>By Ann Lee and Bob Roe</p>", ["Ann Lee", "Bob Roe"]),
        ("<p class=byline>By <b>Ann Lee</b><br>Content Coordinator</p><p>May 6, 2014</p>", ["Ann Lee"]),
        ("<p class=author>Ann María de la Cruz y Roe</p>", ["Ann María de la Cruz y Roe"]),
        ("<p itemprop=author>Ann Lee</p><p itemprop=author>Bob Roe</p>", ["Ann Lee", "Bob Roe"]),
    ],
)
def test_the_names_in_a_line(before: str, names: list[str]) -> None:
    """Particles and degrees are parts of names; labels and addresses are none."""
    assert authors_of(before) == names


def test_words_of_the_text() -> None:
    """What the text has in small letters is rather a topic than a name."""
    line = "<p>%s</p><p>May 6, 2014</p>"
    assert authors_of(line % "Harbour Ferries") == ["Harbour Ferries"]
    assert authors_of(line % "The Text", JSON_LD % "Ann Lee") == ["Ann Lee"]
    assert authors_of(line % "The Text", "", "<p class=author>Ann Lee</p>") == ["Ann Lee"]


@pytest.mark.parametrize("stated", ["", '<meta name="language" content="en">'])
def test_words_in_the_language_of_the_text(stated: str) -> None:
    """Where the page states no language, or a wrong one, bylines are read in that of the text."""
    pytest.importorskip("py3langid", reason="the extra language is not installed")
    text = "Das Boot kam in der Nacht in den Hafen, und niemand wusste, woher es kam und was es trug. " * 3
    body = f"<title>Boot</title>{stated}<h1>Boot</h1><p>von Ann Lee und Bob Roe</p>{f'<p>{text}</p>' * 3}"
    article = extract(Page("http://a.example/boot.html", body.encode()))
    assert article is not None
    assert [one.name for one in article.authors] == ["Ann Lee", "Bob Roe"]


_MICRODATA = '<div itemscope itemtype="https://schema.org/%s"><p itemprop=author>%s</p></div>'


def test_who_began_a_discussion() -> None:
    """Of a discussion it is the author whom microdata states first, if nothing else is stated."""
    asked = "".join(_MICRODATA % pair for pair in (("Question", "ann"), ("Answer", "bob"), ("Answer", "cy")))
    page = '<div itemscope itemtype="https://schema.org/QAPage">'
    assert authors_of(f"{page}{asked}") == ["ann"]
    assert authors_of(page, META % "Eve Poe", after=asked) == ["Eve Poe"]


def test_microdata_of_a_comment() -> None:
    """Who wrote a comment, and when, is nobody who wrote the text, with or without one who did."""
    time = '<time itemprop="dateCreated" datetime="2026-03-09">9 March</time>'
    comment = _MICRODATA % ("Comment", f"Ann Lee {time}")
    article = '<div itemprop=author itemscope><meta itemprop=name content="Bob Roe"></div>'
    assert authors_of("", after=comment) == []
    assert authors_of(article, after=comment) == ["Bob Roe"]
    page = extract(f"<h1>Harbour news</h1>{TEXT}{comment}")
    assert (page.authors, page.date) == ((), None)


def test_microdata_far_from_the_text() -> None:
    """The author whom microdata states before the text counts, wherever that is."""
    far = "<p>a line of its own</p>" * 30
    assert authors_of(f"{_MICRODATA % ('Article', 'Ann Lee')}{far}") == ["Ann Lee"]
    assert authors_of("", after=f"{far}{far}{_MICRODATA % ('Article', 'Ann Lee')}") == []


def test_an_article_that_is_described_twice() -> None:
    """Of several objects of one article the first that says who wrote it, or when, counts."""
    empty = '<script type="application/ld+json">{"@type": "Article", "headline": "Harbour news"}</script>'
    assert authors_of("", empty + JSON_LD % "Ann Lee") == ["Ann Lee"]


def test_a_page_of_one_line() -> None:
    """The first line of a page has none before it, not even the last one, which may have its place."""
    article = extract('<html><body><p>By <a rel=author href="/ann">Ann Lee</a></p></body></html>')
    assert [author.name for author in article.authors] == ["Ann Lee"]


@pytest.mark.parametrize(
    "line",
    [
        "Updated 9 April 2026 Posted 5 March 2025 by Ann Lee",
    ],
)
def test_a_byline_may_come_behind_what_says_something_else(line: str) -> None:
    """Behind the day of a change, or who took the pictures, the line may say who wrote the text."""
    assert authors_of(f"<p>{line}</p>") == ["Ann Lee"]


@pytest.mark.parametrize(
    "line",
    [
        "作者：高橋陽子 来源：港報 点击：12",
        "日期：2014-05-06 作者：高橋陽子 浏览：12",
        "<span>作者：高橋陽子</span> <span>来源：港報</span> <span>2014-05-06</span>",
        "撰文：高橋陽子 摄影：李四光",
        "作者：高橋陽子 译者：李四",
    ],
)
def test_labels_behind_a_name(line: str) -> None:
    """In Chinese, several labels with full-width colons stand in one line; the next one ends the name."""
    assert authors_of(f"<p>{line}</p>") == ["高橋陽子"]


@pytest.mark.parametrize("line", ["Author: Views: 12", "Автор: Дата: 23.05.2013", "作者：浏览次数："])
def test_a_label_without_a_name(line: str) -> None:
    """The next label is nobody's name."""
    assert authors_of(f"<p>{line}</p>") == []


@pytest.mark.parametrize(
    "line",
    [
        "May 6, 2014 in Local News, Sport by Ann Lee",
        "Posted in News by Ann Lee",
        "This entry was posted on Tuesday, May 6th, 2014 at 7:03 pm by Ann Lee and is filed under News.",
        "May 6, 2014, by Ann Lee. Filed under News, Sport.",
        "By Ann Lee Photos by Bob Roe",
        "Written by: Ann Lee Translated by: Bob Roe",
    ],
)
def test_words_before_and_behind_a_byline(line: str) -> None:
    """Categories may stand before the word for the author, other parts behind the name."""
    assert authors_of(f"<p>{line}</p>") == ["Ann Lee"]


def test_a_change_is_no_byline_at_the_end() -> None:
    """Who has changed a page is not its author, though a day stands before."""
    assert authors_of("<p>Last updated on May 6, 2014 for all of the harbour by Ann Lee</p>") == []


def test_the_author_of_a_picture() -> None:
    """A class that begins with a word for pictures or rights tells of whom the picture is."""
    assert authors_of('<p class="media-license"><span class="media-license-author">Ann Lee</span></p>') == []


def test_authors_who_are_stated_for_libraries() -> None:
    """They are all authors, whomever else a line or a box of the page names."""
    names = "Ann Lee", "Bob Roe", "Cy Poe"
    head = "".join(f'<meta name="citation_author" content="{name}">' for name in names)
    assert authors_of("<p class=author>Cy Poe Department</p>", head) == [*names]


@pytest.mark.parametrize("word", ["Reviewed", "Medically reviewed", "Fact-checked"])
def test_who_has_reviewed_a_text(word: str) -> None:
    """Nobody who has checked a text is its author: with a mark, behind a label, or by the role below."""
    assert authors_of(f"<p>{word} by <a class=author href=/ann>Ann Lee</a></p>") == []
    assert authors_of(f"<p>{word} by</p><p>Ann Lee</p>") == []
    assert authors_of("<p>Expert Reviewer</p><p>May 6, 2014</p>") == []


def test_a_list_of_who_did_what() -> None:
    """Each row of it has a label and a name."""
    row = "<div class=row><p>{0} by</p><div><a href=/p/{1}>{2}</a></div><p><a href=/p/{1}>more</a></p></div>"
    rows = row.format("Written", 1, "Ann Lee") + row.format("Fact-checked", 2, "Bob Roe")
    assert authors_of(f"<div>{rows}</div>") == ["Ann Lee"]
