"""What a page states about its article, in ``meta`` and ``link`` elements and in JSON-LD."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from scrapy_webstemmer.options import Limits
from scrapy_webstemmer.page.sources import open_page
from scrapy_webstemmer.page.statements import _META_NAMES, CHANGED, STATED, Statements
from scrapy_webstemmer.values import Author, Breadcrumb, Page

URL = "http://a.example/news/1"
ANN, BOB = Author("Ann Lee", "http://a.example/ann"), Author("Bob")


def stated(head: str = "", *things: Any, lang: str = "", url: str = URL, title: str = "") -> Statements:
    """Return what a page states, with each of some objects as JSON-LD."""
    scripts = "".join(f'<script type="application/ld+json">{text}</script>' for text in map(as_json, things))
    body = f'<html lang="{lang}"><head>{head}{scripts}</head><body><p>text</body></html>'
    markup = open_page(Page(url, body.encode()), None, Limits()).layout(url).markup
    assert markup is not None
    return Statements(markup, url, title=title)


def as_json(thing: Any) -> str:
    return thing if isinstance(thing, str) else json.dumps(thing)


def meta(**values: str) -> str:
    return "".join(f'<meta property="{k.replace("__", ":")}" content="{v}">' for k, v in values.items())


def article(**values: Any) -> dict[str, Any]:
    return {"@type": "NewsArticle", **values}


@pytest.mark.parametrize(
    "author",
    [
        [{"@type": "Person", "name": "Ann Lee", "url": "/ann"}, "Bob"],
        [{"name": ["Ann Lee"], "url": ["/ann"]}, {"name": "Bob"}, {"name": " bob "}],
        [{"@id": "#ann"}, {"name": "Bob", "url": "javascript:alert(1)"}],
        [{"name": "Ann&#32;Lee", "url": "/ann"}, {"name": "http://bob.example"}, {"name": 7}, None, "Bob"],
    ],
)
def test_authors(author: Any) -> None:
    """They are objects, names or references to other objects. An address and a number are no names."""
    ann = {"@id": "#ann", "@type": "Person", "name": "Ann Lee", "url": "/ann"}
    assert stated("", {"@graph": [ann, article(author=author)]}).authors == (ANN, BOB)


def test_a_script_whose_type_is_in_capitals() -> None:
    """The type of a script is the same in any case of letters."""
    data = json.dumps(article(author="Bob"))
    assert stated(f'<script type="Application/LD+JSON">{data}</script>').authors == (BOB,)


def test_the_author_of_the_page() -> None:
    """The object of the page states the author where that of the article names none, or is not there."""
    ann, page = (
        {"@id": "#ann", "name": "Ann Lee"},
        {"@type": "WebPage", "url": URL, "author": {"@id": "#ann"}},
    )
    for things in ((), (article(author=None),), (article(author={"@type": "Person"}),)):
        assert stated("", page, ann, *things).authors == (Author("Ann Lee"),)
    assert stated("", page, ann, article(author="Bob")).authors == (BOB,)


def test_authors_of_meta() -> None:
    """They count where JSON-LD names none; the address of a profile is no name."""
    head = meta(author="Bob", article__author="https://social.example/ann")
    assert stated(head).authors == (BOB,)
    assert stated(head, article(author="Ann")).authors == (Author("Ann"),)


def test_the_article_of_several() -> None:
    """JSON-LD may describe other articles as well; if none is the page's, nothing is taken from them."""
    own = article(author="Ann", mainEntityOfPage={"@id": f"{URL}/#article"})
    others = [article(author="Bob", url=f"/news/{number}") for number in (2, 3)]
    assert [one.name for one in stated("", [*others, own]).authors] == ["Ann"]
    assert stated("", others).authors == ()
    for url in ("https://www.a.example/news/1/", "http://a.example/news/1"):
        own = article(author="Ann", url=url)
        found = stated("", [*others, own], url="http://a.example/news/1?utm_source=feed")
        assert [one.name for one in found.authors] == ["Ann"]
    assert stated("", {"@type": "Blog", "blogPost": [others[0]]}).authors == ()


def test_the_article_with_the_title_of_the_page() -> None:
    """Of several that name no page it is the one whose headline the ``title`` element has."""
    own, other = article(headline="Seals are home", author="Ann"), article(headline="Storm", author="Bob")
    for things in ((own, other), (other, own)):
        assert [author.name for author in stated("", *things, title="Seals are home | Gull").authors] == [
            "Ann"
        ]
    assert stated("", other, own, title="Gull").authors == (BOB,)


@pytest.mark.parametrize("kind", ["HowTo", "FAQPage", "PodcastEpisode", "VideoObject", "CreativeWork"])
def test_the_only_object_with_an_author(kind: str) -> None:
    """It tells that of the page where no article is stated, but not that of a book; several tell nothing."""
    thing = {"@type": kind, "author": {"0": {"name": "Ann Lee", "url": "/ann"}, "2": {"name": "Bob"}}}
    assert stated("", thing).authors == (ANN, BOB)
    assert stated("", thing, article(headline="Seals")).authors == ()
    assert stated("", thing, thing).authors == ()
    assert stated("", thing | {"@type": "Book"}).authors == ()
    film = thing | {"uploadDate": "2014-05-06"}
    assert stated("", film).published[0] == "2014-05-06"
    assert stated("", film, article(headline="Seals")).published[0] is None


def test_times() -> None:
    """The surest come first, as they stand there. A change is no publication."""
    found = stated(
        meta(article__published_time="2014-05-06", date="2013", article__modified_time="2015-01-01"),
        article(datePublished="2014-05-07", dateModified="2015-01-02"),
        {"@type": "WebPage", "datePublished": "2014-05-08"},
    )
    published = [text for way, text in found.times if way != CHANGED]
    assert published == ["2014-05-06", "2014-05-07", "2014-05-08", "2013"]
    assert found.published == ("2014-05-06", "2014-05-06")
    assert [text for way, text in found.times if way == CHANGED] == ["2015-01-02", "2015-01-01"]
    for way in (1399361400, "1399361400000", "/Date(1399361400000)/"):
        for key in ("datePublished", "dateCreated"):
            assert stated("", article(**{key: way})).published[0] == "2014-05-06T07:30:00+00:00"


@pytest.mark.parametrize(
    "image", ["/a.png", ["/a.png", "/b.png"], {"url": "/a.png"}, {"@id": "#image"}, [{"@id": "#image"}]]
)
def test_the_main_image(image: Any) -> None:
    """JSON-LD has its url, its object, or the name of one, for the article or for the page."""
    named = {"@id": "#image", "contentUrl": "/a.png"}
    page = {"@type": "WebPage", "primaryImageOfPage": image}
    for things in ((article(image=image), named), (article(), page, named)):
        assert stated("", *things).image == "http://a.example/a.png"
    assert stated(meta(og__image="http://a.example/"), article(image=image), named).image[-6:] == "/a.png"


@pytest.mark.parametrize(
    "wrong",
    [
        "com.example.Image@1aa3b0b8",
        "[object Object]",
        "https://s0.wp.com/i/blank.jpg",
        "/img/lazy_placeholder.gif",
        "/img/site-logo.svg",
    ],
)
def test_what_is_no_main_image(wrong: str) -> None:
    """A text that is no address, a placeholder and a site's drawing show nothing."""
    head = meta(og__image=wrong)
    assert stated(head).image == ""
    assert stated(f"{head}{meta(twitter__image='/b.png')}").image == "http://a.example/b.png"


def test_the_logo_of_the_publisher_is_no_main_image() -> None:
    """A template states it as the image of an article that has none."""
    for logo in ({"@type": "ImageObject", "url": "/a.png"}, "/a.png"):
        for image, name in (("/a.png", ""), (["/a.png", "/b.png"], "http://a.example/b.png")):
            assert stated("", article(image=image, publisher={"name": "Gull", "logo": logo})).image == name


def test_a_main_image_that_another_object_holds() -> None:
    """The page names its picture, which stands in the object of its product."""
    name = "http://a.example/news/one/#mainImage"
    product = {"@type": "Product", "image": {"@type": "ImageObject", "@id": name, "url": "/cup.png"}}
    page = {"@type": "WebPage", "primaryImageOfPage": {"@id": name}}
    assert stated("", page, product).image == "http://a.example/cup.png"


def test_other_fields() -> None:
    head = meta(
        og__image="/a.png", og__site_name="The&nbsp;Gazette", description=" Some\n words ", og__video="/v.mp4"
    )
    steps = [{"position": 2, "item": {"@id": "/b", "name": "B"}}, {"position": 1, "name": "A", "item": "/a"}]
    found = stated(
        head + '<link rel="canonical" href="/news/one">',
        article(
            keywords="ferries, boats,ferries",
            inLanguage="pt_br",
            commentCount="12",
            audio={"contentUrl": "/a.ogg"},
        ),
        {"@type": "BreadcrumbList", "itemListElement": steps},
        lang="en",
    )
    assert (found.image, found.site_name, found.description) == (
        "http://a.example/a.png",
        "The Gazette",
        "Some words",
    )
    assert (found.videos, found.audios) == (("http://a.example/v.mp4",), ("http://a.example/a.ogg",))
    assert (found.tags, found.language, found.comment_count) == (("ferries", "boats"), "pt-BR", 12)
    assert found.canonical == "http://a.example/news/one"
    assert found.breadcrumbs == (Breadcrumb("A", "http://a.example/a"), Breadcrumb("B", "http://a.example/b"))


@pytest.mark.parametrize(
    "topics", ["Seals,Old boats", "Seals; Old boats", "Seals、Old boats", ["Seals", "seals", "Old boats"]]
)
def test_topics(topics: str | list[str]) -> None:
    """They are divided if one text has them all, and each comes once."""
    metas = "".join(meta(article__tag=one) for one in ([topics] if isinstance(topics, str) else topics))
    assert stated(metas).tags == stated("", article(keywords=topics)).tags == ("Seals", "Old boats")
    assert stated("", article(keywords="['Seals', 'Old boats']")).tags == ("Seals", "Old boats")
    assert stated("", article(keywords=["Seals", "Newport, Wales"])).tags == ("Seals", "Newport, Wales")
    assert stated(meta(article__tag="/teleport")).tags == ("/teleport",)


def test_keywords() -> None:
    """What is stated for search engines is no topic, but may stand in for those that are not stated."""
    found = stated(meta(news_keywords="seals, boats", dc__subject="_"))
    assert (found.tags, found.keywords) == ((), ("seals, boats",))
    assert stated(meta(news_keywords="seals, boats")).keywords == ("seals", "boats")


def test_names_of_metas() -> None:
    """Each states one field; the rare names of authors count where the usual ones name nobody."""
    names = [name for names in _META_NAMES.values() for name in names]
    assert len(names) == len({*names}) > 250
    assert all(name == name.lower() for name in names)
    assert stated(meta(rbauthors="Ann Lee")).authors == (Author("Ann Lee"),)
    assert stated(meta(author="Bob Roe", rbauthors="Ann Lee")).authors == (Author("Bob Roe"),)
    assert stated(meta(bt__pubDate="2014-05-06")).published == ("2014-05-06", "2014-05-06")
    assert [way for way, _ in stated(meta(last_updated="2014-05-06")).times] == [CHANGED]


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:3000/news/1",
        "http://127.0.0.1/news/1",
        "https:///news/1",
        "http://web/news/1",
    ],
)
def test_a_canonical_url_that_nobody_can_reach(url: str) -> None:
    """The address of the author's machine does not count; another statement may."""
    link = f'<link rel="canonical" href="{url}">'
    assert stated(link).canonical == ""
    assert stated(link + meta(og__url="http://a.example/news/one")).canonical == "http://a.example/news/one"


@pytest.mark.parametrize("value", ["null", "undefined", "None", " undefined "])
def test_what_programs_state_without_a_value(value: str) -> None:
    """It counts as if nothing were stated."""
    head = meta(description=value, og__site_name=value, og__image=value, article__tag=value, author=value)
    found = stated(
        f"{head}<link rel=canonical href='{value}'>", article(headline=value, publisher={"name": value})
    )
    assert (found.description, found.site_name, found.image, found.canonical, found.headline) == ("",) * 5
    assert (found.tags, found.authors) == ((), ())


@pytest.mark.parametrize(
    "publisher", ["The Gull", {"name": "The Gull"}, {"@id": "#gull"}, [{"name": "The Gull"}]]
)
def test_the_name_of_the_site(publisher: Any) -> None:
    """It may be that of the publisher."""
    things = article(publisher=publisher), {"@id": "#gull", "name": "The Gull"}
    assert stated("", *things).site_name == "The Gull"
    assert stated(meta(og__site_name="Gull News"), *things).site_name == "Gull News"


def test_what_is_escaped_twice() -> None:
    """References in texts for readers are read, and tags around a whole description are none of it."""
    twice = "Salt &amp;amp; it&amp;#39;s"
    found = stated(meta(description=twice, og__site_name=twice, article__tag=twice))
    assert (found.description, found.site_name, *found.tags) == ("Salt & it's",) * 3
    assert stated(meta(description="&lt;p>Old &lt;b>boats&lt;/b>&lt;/p>")).description == "Old boats"
    assert stated(meta(description="The &lt;p> element")).description == "The <p> element"
    assert stated("", {"@type": "WebPage", "description": "Old boats"}).description == "Old boats"


@pytest.mark.parametrize(
    ("lang", "head", "tag"),
    [
        ("de", "", "de"),
        ("ZH-hant-tw", "", "zh-Hant-TW"),
        ("", meta(og__locale="en_GB"), "en-GB"),
        (" en ", "", "en"),
        ("en-", "", "en"),
        ("en_US.UTF-8", "", "en-US"),
        ("", '<meta http-equiv="content-language" content="de, en">', "de"),
        ("undefined", meta(og__locale="fr"), "fr"),
        ("{{ lang }}", "", ""),
    ],
)
def test_language(lang: str, head: str, tag: str) -> None:
    """It is written as BCP 47 has it; what is no tag is passed over."""
    assert stated(head, lang=lang).language == tag
    named = {"@type": "Language", "name": "Spanish", "alternateName": "es"}
    assert stated(head, article(inLanguage=named), lang=lang).language == "es"


@pytest.mark.parametrize(
    "wrap", ["<!-- {} -->", "//<![CDATA[\n{}\n//]]>", "/*<![CDATA[*/{}/*]]>*/", "{};", "\n{}\n"]
)
def test_wrapped_json(wrap: str) -> None:
    """JSON-LD may stand in a comment or a section, as in XHTML, and may have line breaks in texts."""
    text = wrap.format('{"@type": "Article", "author": "Ann", "description": "two\nlines"}')
    assert (stated("", text).authors, stated("", text).description) == ((Author("Ann"),), "two lines")


@pytest.mark.parametrize(
    "author",
    [
        [{"@type": "Person", "givenName": "Ann", "familyName": "Lee", "url": "/ann"}, {"name": "By Bob"}],
        [{"name": "<a href='/ann'>Ann Lee</a>", "url": "/ann"}, {"@type": "Role", "author": {"name": "Bob"}}],
        {"@list": [[{"name": {"@value": "by Ann Lee"}, "url": "/ann"}], "Author: Bob"]},
        [{"name": "Ann Lee\0", "url": "/ann"}, {"name": "\ud83dBob"}],
    ],
)
def test_names_as_programs_write_them(author: Any) -> None:
    """Names in parts, with markup, with the word before them, in roles and in lists of lists are names."""
    assert stated("", article(author=author)).authors == (ANN, BOB)
    assert stated("", article(creator=author)).authors == (ANN, BOB)


def test_several_names_in_one() -> None:
    """A text that joins names is several authors, whose address is unknown."""
    both = (Author("Ann Lee"), Author("Bob Roe"))
    assert (
        stated("", article(author={"name": "Ann Lee and Bob Roe", "url": "/both"}), lang="en").authors == both
    )
    assert stated(meta(author="Von Ann Lee und Bob Roe"), lang="de").authors == both


def test_an_article_that_names_no_page() -> None:
    """Of several articles, one without a url is that of the page on which it stands."""
    teaser = article(author="Bob", url="/news/2")
    assert stated("", teaser, article(author="Ann")).authors == (Author("Ann"),)
    assert stated("", teaser, article(author="Ann"), article(author="Cy", url=URL)).authors == (Author("Cy"),)


def test_json_that_is_none() -> None:
    """What templates write in place of valid JSON is read: several objects, escaped quotes, commas."""
    thing = json.dumps(article(author="Ann Lee", datePublished="2014-05-06"))
    for text in (
        f"// <![CDATA[\n{thing}\n// ]]>",
        thing.replace('"', "&quot;"),
        thing.replace("}", ",}"),
        f'{{"@type": "Organization"}}{thing}',
    ):
        found = stated("", text)
        assert (found.authors, found.published[0]) == ((Author("Ann Lee"),), "2014-05-06")


def test_the_address_that_a_page_states_for_others() -> None:
    """It is the canonical url if it is of the same host, or a link says so."""
    for host, url in (("docs-internal.example", ""), ("www.a.example", "http://www.a.example/news/one")):
        assert stated(meta(og__url=f"http://{host}/news/one")).canonical == url
    assert stated('<link rel=canonical href="http://b.example/one">').canonical == "http://b.example/one"


def test_the_canonical_url_of_a_page_is_not_the_front_page() -> None:
    """A template that gives all pages the url of the front page gives none; ``og:url`` may still be right."""
    for target in ("/", "http://a.example", "http://a.example/#top"):
        head = f'<link rel="canonical" href="{target}">'
        assert stated(head).canonical == ""
        assert stated(head + meta(og__url="/news/one")).canonical == "http://a.example/news/one"
    assert stated('<link rel="canonical" href="/?p=7">').canonical == "http://a.example/?p=7"


def test_a_headline_is_that_of_the_article_or_of_a_meta_element() -> None:
    """JSON-LD describes the article; ``meta`` elements for libraries are surer than those for networks."""
    head = meta(twitter__title="Read this!", DC__title="Seals return").replace("DC:", "DC.")
    assert stated(head, article(headline="Seals are back")).headline == "Seals are back"
    assert stated(head).headline == "Seals return"
    assert stated(meta(twitter__title="Seals")).headline == "Seals"
    assert stated("").headline == ""


@pytest.mark.parametrize("key", ["articleBody", "text", "reviewBody"])
def test_a_text_is_stated_under_the_name_of_its_kind(key: str) -> None:
    """A posting has a ``text``, a review a ``reviewBody``, in schema.org."""
    assert stated("", article(**{"description": "short", key: "a long text"})).body == "a long text"
    assert stated("", article(**{"articleBody": "", key: "a long text"})).body == "a long text"
    assert stated("", article(**{key: [7, None]})).body == ""


def test_a_text_in_parts() -> None:
    """A live blog has it in its updates, a recipe in its steps, which may be in sections."""
    updates = [{"@type": "BlogPosting", "headline": "One", "articleBody": text} for text in ("a", "b")]
    live = {"@type": "LiveBlogPosting", "articleBody": "", "liveBlogUpdate": updates}
    assert stated("", live).body == "a\nb"
    steps = [{"@type": "HowToStep", "text": "b"}, {"@type": "HowToStep", "name": "no text"}]
    section = {"@type": "HowToSection", "itemListElement": steps}
    for instructions in (["a", "b"], [{"text": "a"}, section], "a\nb"):
        assert stated("", {"@type": "Recipe", "recipeInstructions": instructions}).body == "a\nb"
    deep: dict[str, Any] = {"text": "a"}
    for _ in range(9):
        deep = {"itemListElement": [deep]}
    assert stated("", {"@type": "Recipe", **deep}).body == ""


def test_the_site_among_the_authors() -> None:
    """It is none beside a person, wherever it stands."""
    press = {"@type": "Organization", "name": "The Gull News"}
    for authors in ([press, {"name": "Bob"}], [{"name": "Bob"}, press]):
        assert stated("", article(author=authors, publisher=press)).authors == (Author("Bob"),)
    assert stated("", article(author=press, publisher=press)).authors == (Author("The Gull News"),)


def test_an_organization_with_two_names() -> None:
    """It is one author, unless a comma stands between its names."""
    office = {"@type": "Organization", "name": "Harbour Research and Coastal Studies"}
    assert [author.name for author in stated("", article(author=office)).authors] == [office["name"]]
    several = {"@type": "NewsMediaOrganization", "name": "Ann Lee, Bob Roe and Cy Poe"}
    assert len(stated("", article(author=several)).authors) == 3


@pytest.mark.parametrize("sign", ["\0", "\x1b", "\ud83d", "\uffff"])
def test_statements_are_valid_texts(sign: str) -> None:
    """Characters that no XML and no UTF-8 can have are left out of every statement."""
    texts = ("headline", "description", "keywords", "inLanguage", "url", "datePublished")
    thing = article(
        author={"name": f"Ann{sign} Lee", "url": f"/a{sign}nn"},
        image=f"/news/a{sign}b",
        **dict.fromkeys(texts, f"a{sign}b"),
    )
    found = stated("", thing)
    assert found.authors == (ANN,)
    assert found.description == "ab"
    assert found.tags == ("ab",)
    assert found.image == "http://a.example/news/ab"


FIELDS = [
    name for name, value in vars(Statements).items() if not name.startswith("_") and not callable(value)
]


@pytest.mark.parametrize(
    "thing",
    [
        "{",
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"@type": "Article", "commentCount": ' + "9" * 10_000 + "}",
        '{"@type": "Article", "author": "' + "a" * 2_000_000 + '"}',
        *[
            {
                "@type": kind,
                **dict.fromkeys(("author", "url", "datePublished", "keywords", "image", "@id"), value),
            }
            for kind in ("Article", ["Article", 1], None, {}, 1)
            for value in (None, 1, True, [], {}, [[]], [{}], {"name": []}, {"@id": {}}, [None], 1e308, "")
        ],
        {"@type": "BreadcrumbList", "itemListElement": [1, None, {"position": "x"}, {"item": 1}]},
        article(
            image="http://[", url="data:text/html,x", author={"name": "A", "url": "//[/"}, commentCount=-1
        ),
    ],
)
def test_hostile_statements(thing: Any) -> None:
    """What has the wrong form is passed over, and the rest counts."""
    assert {"canonical", "authors", "published"} < set(FIELDS)
    found = stated(
        '<meta property="og:title"><meta content="x"><meta name="" content="y"><link rel="canonical">', thing
    )
    values = [
        [one for one in value if one] if isinstance(value, Iterator | tuple) else value
        for name, value in ((name, getattr(found, name)) for name in FIELDS)
    ]
    assert not any(values) or isinstance(thing, dict)
    assert "http://[" not in str(values)
    assert "data:" not in str(values)


def test_many_statements() -> None:
    """Ten thousand authors and objects cost no more than their length, and a bounded number counts."""
    many = article(author=[f"Author {number}" for number in range(10_000)])
    assert len(stated("", many).authors) == 50
    assert len(stated('<meta name="author" content="Ann &amp; Bob">' * 10_000).authors) == 1
    assert stated("", [{"@type": "Thing"}] * 10_000).authors == ()


def test_a_page_whose_layout_is_asked_for_twice() -> None:
    """The same is stated, however often the layout is read."""
    page = Page("http://a.example/1", b"<meta name=author content=Ann><p>text</p>")
    source = open_page(page, None, Limits())
    first, second = (source.layout(page.url).markup for _ in range(2))
    assert first is not None is not second
    assert [*second.stating(STATED)] == [*first.stating(STATED)]
    assert [kind for kind, *_ in second.stating(STATED)] == ["lang", "meta"]


def test_every_way_to_state_a_time_and_authors() -> None:
    """Each has its name; a feed only says what no other does."""
    found = stated(
        '<meta property="article:published_time" content="2014-05-06"><meta name="date" content="2014-05-08">'
        '<meta property="article:modified_time" content="2014-05-09"><meta name="author" content="Bob Roe">',
        article(datePublished="2014-05-07", author="Ann Lee"),
    )
    assert [*found.times] == [
        ("meta", "2014-05-06"),
        ("data", "2014-05-07"),
        ("other meta", "2014-05-08"),
        (CHANGED, "2014-05-09"),
    ]
    assert [(way, authors[0].name) for way, authors in found.author_ways] == [
        ("data", "Ann Lee"),
        ("meta", "Bob Roe"),
    ]
    assert found.authors[0].name == "Ann Lee"


@pytest.mark.parametrize(
    ("head", "names"),
    [
        (
            meta(citation_author="Lee, Ann") + meta(citation_author="van Berg, Bob"),
            ["Ann Lee", "Bob van Berg"],
        ),
        (meta(byl="By Ann Lee and Bob Roe"), ["Ann Lee", "Bob Roe"]),
        (meta(citation_authors="Lee, Ann; van Berg, Bob"), ["Ann Lee", "Bob van Berg"]),
        ('<meta name="eprints.creators_name" content="Lee, Ann">', ["Ann Lee"]),
        (meta(authors="Ann Lee, Bob Roe"), ["Ann Lee", "Bob Roe"]),
        (meta(og__article__author="Ann Lee"), ["Ann Lee"]),
        (meta(twitter__label1="Written by", twitter__data1="Ann Lee"), ["Ann Lee"]),
        (meta(twitter__label1="Reading time", twitter__data1="Two minutes"), []),
        (
            meta(twitter__data1="Two minutes", twitter__label2="Written by", twitter__data2="Ann Lee"),
            ["Ann Lee"],
        ),
        (
            meta(article__author="https://f.example/ann", twitter__label1="Author", twitter__data1="Ann Lee"),
            ["Ann Lee"],
        ),
        (meta(twitter__label1="Written by", twitter__data1="Ann", author="Bob"), ["Bob"]),
    ],
)
def test_other_ways_to_state_authors(head: str, names: list[str]) -> None:
    """Journals state the family name first; a card has a label with its value."""
    assert [one.name for one in stated(head).authors] == names
