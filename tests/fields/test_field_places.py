"""The places of fields that a site's pages teach, and the words for months."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from odd_markup import FRAGMENTS
from path_pages import placed
from path_pages import words as prose_of

from scrapy_webstemmer import ExtractOptions, Page, PatternSet, extract, learn
from scrapy_webstemmer.errors import PatternFileError
from scrapy_webstemmer.fields.field_places import values_in
from scrapy_webstemmer.fields.metadata import prose
from scrapy_webstemmer.page.calendars import may_be_month
from scrapy_webstemmer.values import Announcement, Article, Author

MONTHS = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
NAMES = ["Ann Lee", "Bob O'Neil", "Chen", "Dora & Co", "Émile Zola"]
TOPICS = ["ferries", "seals", "C++", "2014", "a <b> c"]


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def day_of(number: int) -> date:
    return date(2014, 1, 5) + timedelta(days=17 * number)


def words(day: date) -> str:
    return f"{day.day}. {MONTHS[day.month - 1]} {day.year}"


def topics_of(number: int) -> list[str]:
    return [topic for at, topic in enumerate(TOPICS) if (number + 1) >> at & 1]


def page(number: int, head: str = "", line: str = "", foot: str = "") -> Page:
    """Return a page of a site whose articles show their fields in the template's own way."""
    title = f"Story {number} of the harbour and its {'many ' * (number % 4)}boats"
    name, day = NAMES[number % len(NAMES)], day_of(number)
    text = "".join(f"<p>{prose_of((number * 31 + at * 97) % 1000, 40)}.</p>" for at in range(6))
    line = line or f"<p class=meta>von {escaped(name)} | <b>{words(day)}</b> | {number % 7} Kommentare</p>"
    links = "".join(f"<i>#{escaped(topic)}</i> " for topic in topics_of(number))
    foot = foot or f"<div class=about>Themen: {links}</div>"
    body = (
        f"<html lang=en><head><title>{title} - Harbour</title>{head}"
        f"<body><div class=top>Harbour news, {words(date(2020, 2, 3))}</div>"
        f"<div class=story><h1>{title}</h1>{line}{text}{foot}</div><div class=foot>Imprint</div>"
    )
    return Page(f"http://harbour.example/story-{number}", body.encode())


def stating(number: int) -> str:
    name, day = NAMES[number % len(NAMES)], day_of(number).isoformat()
    tags = "".join(f'<meta property="article:tag" content="{escaped(one)}">' for one in topics_of(number))
    return (
        f'<meta name="author" content="{escaped(name)}">'
        f'<meta property="article:published_time" content="{day}">'
        f'<meta name="description" content="News of the harbour">{tags}'
    )


@pytest.fixture(scope="module")
def patterns() -> PatternSet:
    return learn(page(number, stating(number)) for number in range(36))


def fields(page: Page, patterns: PatternSet) -> Article:
    article = extract(page, patterns)
    assert article is not None
    return article


@pytest.mark.parametrize("number", range(40, 50))
def test_a_page_that_states_nothing(number: int, patterns: PatternSet) -> None:
    """Author, day and topics are read where pages that state them show them."""
    found = fields(page(number), patterns)
    assert found.authors == (Author(NAMES[number % len(NAMES)]),)
    assert found.date_published == day_of(number).isoformat()
    assert sorted(found.tags) == sorted(topics_of(number))


def test_the_sites_name_teaches_no_place() -> None:
    """Where pages state the site as their author, its name in the footer is not where they show authors."""
    head = '<meta property="og:site_name" content="Gull News"><meta name="author" content="Gull News">'
    name, line = (
        "<span class=author-name>{}</span>",
        "<p class=meta>{}<span class=date>{}. Mai 2014</span></p>",
    )
    names = [name.format(NAMES[number % 2]) if number % 4 else "" for number in range(36)]
    pages = [page(number, head, line.format(names[number], number % 28 + 1)) for number in range(36)]
    foot = (b"Imprint", b"&copy; Gull News. Imprint")
    *pages, last = (replace(each, body=each.body.replace(*foot)) for each in pages)
    assert fields(last, learn(pages)).authors == (Author("Bob O'Neil"),)


def test_what_feeds_say_teaches_the_places() -> None:
    """Where a few pages are announced, and none states anything, author and day are read on all others."""
    pages = [page(number) for number in range(36)]
    for number in range(0, 36, 3):
        said = Announcement("", day_of(number).isoformat(), (NAMES[number % len(NAMES)],))
        pages[number] = replace(pages[number], announced=said)
    for workers in (1, 2):
        learned = learn(pages, workers=workers)
        found = fields(page(41), learned)
        assert found.authors == (Author(NAMES[41 % len(NAMES)]),)
        assert found.date_published == day_of(41).isoformat()


def test_what_a_feed_says_about_a_page() -> None:
    """It counts where the page states nothing and nothing is learned; what is no name does not."""
    learned = learn(page(number, line="<p>Harbour</p>") for number in range(8))
    said = Announcement("A", "2014-05-06T07:30:00+00:00", ("Ann Lee", "http://a.example/"))
    announced = replace(page(41, line="<p>Harbour</p>"), announced=said)
    assert fields(announced, learned).authors == (Author("Ann Lee"),)
    assert fields(announced, learned).date_published == "2014-05-06T07:30:00+00:00"
    stating_page = replace(page(41, stating(41), line="<p>Harbour</p>"), announced=said)
    assert fields(stating_page, learned).authors == (Author(NAMES[41 % len(NAMES)]),)
    assert fields(stating_page, learned).date_published == day_of(41).isoformat()


def test_what_is_learned_is_in_the_pattern_file(patterns: PatternSet) -> None:
    """Places, words for months, and what all pages state are saved, and read again."""
    (site,) = patterns.sites.values()
    (pattern,) = (one for one in site.patterns if one.kind == "article")
    assert {place.field for place in pattern.places} == {"authors", "tags", "date_published"}
    assert [place.form for place in pattern.places if place.field == "authors"] == ["von {} | <b>"]
    assert site.months.items() <= {name.casefold(): at for at, name in enumerate(MONTHS, 1)}.items()
    assert site.common["description"] == ("News of the harbour",)
    assert {*site.common} <= {"description", "language"}  # these words are of no language
    file = io.BytesIO()
    patterns.save(file)
    assert PatternSet.loads(file.getvalue()) == patterns


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"form": "von {} | <b>"', '"form": "von {} | {}"'),
        ('"form": "von {} | <b>"', '"form": "von"'),
        ('"form": "{day}. {month} {year}"', '"form": "{day}. {month} {month}"'),
        ('"field": "authors"', '"field": "nonsense"'),
        ('"januar": 1', '"januar": 13'),
    ],
)
def test_an_invalid_place(before: str, after: str, patterns: PatternSet) -> None:
    """A place without a valid form, and a month beyond December, are refused."""
    file = io.BytesIO()
    patterns.save(file)
    content = file.getvalue().decode()
    assert before in content
    with pytest.raises(PatternFileError):
        PatternSet.loads(content.replace(before, after))


def test_a_statement_of_the_site(patterns: PatternSet) -> None:
    """What most pages state is the site's, and no description of an article."""
    assert fields(page(41, stating(41)), patterns).description is None
    other = stating(41).replace("News of the harbour", "A boat came in")
    assert fields(page(41, other), patterns).description == "A boat came in"


def test_the_place_is_surer_than_a_statement(patterns: PatternSet) -> None:
    """Where the page shows another author or day than it states, what it shows counts."""
    found = fields(page(42, stating(43)), patterns)
    assert found.authors == (Author(NAMES[42 % len(NAMES)]),)
    assert found.date_published == day_of(42).isoformat()


def test_a_page_without_the_line(patterns: PatternSet) -> None:
    """A page that does not show a field has what it states, or nothing."""
    line, foot = "<p class=meta>-</p>", "<div class=about>-</div>"
    found = fields(page(44, "", line, foot), patterns)
    assert (found.date_published, found.date_published_raw, found.authors) == (None, None, ())
    assert (found.date_modified, found.date_modified_raw) == (None, None)
    found = fields(page(44, stating(44), line, foot), patterns)
    assert (found.authors, found.date_published) == ((Author(NAMES[4]),), day_of(44).isoformat())


def test_an_unknown_month(patterns: PatternSet) -> None:
    """A day whose month no learned page names is not guessed."""
    line = "<p class=meta>von Ann | <b>3. Brumaire 2014</b> | 3 Kommentare</p>"
    found = fields(page(45, "", line), patterns)
    assert (found.authors, found.date_published) == ((Author("Ann"),), None)


def test_hostile_lines(patterns: PatternSet) -> None:
    """Many lines and long ones at a place cost no more than their length, and give no nonsense."""
    line = "<p class=meta>von " + "von {} | " * 10_000 + "</p>"
    assert len(fields(page(46, "", line), patterns).authors) <= 1
    many = "".join(f"<p class=meta>von Nobody {at} | <b>1. Mai 2014</b> | 1</p>" for at in range(2_000))
    assert fields(page(46, "", many), patterns).date_published == "2014-05-01"


def test_other_time_zones(patterns: PatternSet) -> None:
    """A stated time of the evening before the month of the url is that of the page."""
    head = '<meta property="article:published_time" content="2014-04-30T23:30:00Z">'
    line, foot = "<p class=meta>-</p>", "<div class=about>-</div>"
    one = page(48, head, line, foot)
    found = fields(Page("http://harbour.example/2014/05/story-48", one.body), patterns)
    assert found.date_published == "2014-04-30T23:30:00+00:00"
    found = fields(Page("http://harbour.example/2014/06/story-48", one.body), patterns)
    assert found.date_published is None


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=12))
def test_any_markup(patterns: PatternSet, fragments: list[str]) -> None:
    """Whatever stands in the line and below the text, the article comes out."""
    text = "".join(fragments)
    assume("<!--" not in text)
    found = extract(
        page(49, stating(49), f"<div class=meta>{text}</div>", f"<div class=about>{text}</div>"), patterns
    )
    assert found is None or found.text


def test_without_the_fields(patterns: PatternSet) -> None:
    """The other parts of an article are the same with and without its fields."""
    one = page(47)
    with_fields, without = extract(one, patterns), extract(one, patterns, ExtractOptions(metadata=False))
    assert with_fields is not None
    assert without is not None
    assert (without.authors, without.date_published, without.date) == ((), None, None)
    assert (without.title, without.text, without.html) == (
        with_fields.title, with_fields.text, with_fields.html,
    )  # fmt: skip


def test_the_order_of_pages_has_no_part(patterns: PatternSet) -> None:
    """The same pages in another order teach the same."""
    assert learn(page(number, stating(number)) for number in reversed(range(36))) == patterns


def test_the_language_of_the_texts() -> None:
    """A template that states another language than that of the site's texts is corrected."""
    pytest.importorskip("py3langid", reason="the extra language is not installed")
    text = (
        ". El barco llegó al puerto por la noche, y nadie sabía de dónde venía ni qué llevaba a bordo. "
        "Por la mañana ya no estaba, pero la gente siguió hablando de él durante mucho tiempo.</p>"
    )
    pages = [
        Page(one.url, one.body.replace(b".</p>", text.encode()))
        for one in (page(number, stating(number)) for number in range(12))
    ]
    patterns = learn(pages)
    assert [site.languages for site in patterns.sites.values()] == [("es",)]
    assert fields(pages[3], patterns).language == "es"
    right = [Page(one.url, one.body.replace(b"lang=en", b"lang=es-MX")) for one in pages]
    patterns = learn(right)
    assert [site.languages for site in patterns.sites.values()] == [()]
    assert fields(right[3], patterns).language == "es-MX"
    german = (
        ". Das Boot kam in der Nacht in den Hafen, und niemand wusste, woher es kam und was es trug. "
        "Am Morgen war es wieder fort, aber die Leute sprachen noch lange von ihm.</p>"
    )
    half = [Page(one.url, one.body.replace(text.encode(), german.encode())) for one in pages[:6]]
    patterns = learn([*half, *pages[6:]])
    assert [site.languages for site in patterns.sites.values()] == [("de", "es")]
    assert [fields(one, patterns).language for one in (half[3], pages[7])] == ["de", "es"]
    assert [site.common["language"] for site in patterns.sites.values()] == [("en",)]
    none = [Page(one.url, one.body.replace(b" lang=en", b"")) for one in half]
    patterns = learn([*none, *right[6:]])
    assert fields(none[3], patterns).language == "de"
    assert [extract(none[3], known).language for known in (None, learn(none[3:4]))] == ["de", "de"]
    brief = Page(pages[3].url, re.sub(rb"<p>[^<]*</p>", b"<p>Kurz.</p>", half[3].body))
    patterns = learn([*half, *pages[6:]])
    assert fields(brief, patterns).language is None  # what it states is wrong on the others
    short = Page(pages[3].url, b"<h1>Story</h1><div class=story><h1>Story</h1><p>1 2 3 4 5 6 7 8 9</p></div>")
    assert extract(short, patterns) is None or fields(short, patterns).language is None


@given(st.text(max_size=80))
def test_any_line(text: str) -> None:
    """Values are short texts without tags."""
    for value in values_in("by <a>{}</a>", [f"by <a>{text}</a>", text]):
        assert value.strip() == value != ""


def test_words_before_marked_names() -> None:
    """A word with which many different names begin is none of them, in each language of the site."""
    names = [
        f"{first} {last}" for first in ("Ann", "Bob", "Cy", "Dora") for last in ("Lee", "Zola", "O'Neil")
    ]

    def marked(number: int) -> Page:
        label = ("By", "Von:")[number % 2]
        return page(number, line=f"<p><span class=author>{label} {names[number % len(names)]}</span></p>")

    patterns = learn(marked(number) for number in range(40))
    for number in range(40, 48):
        assert fields(marked(number), patterns).authors == (Author(names[number % len(names)]),)


def test_the_author_whom_all_pages_state_is_the_site() -> None:
    """If most articles state the same author, it counts only where a page names nobody else."""

    def made(number: int) -> Page:
        line = (
            f"<p>By {NAMES[number % len(NAMES)]}, {words(day_of(number))}</p>"
            if number % 8
            else "<p>Harbour</p>"
        )
        return page(number, '<meta name="author" content="Harbour Desk">', line)

    patterns = learn(made(number) for number in range(40))
    for number in (40, 41, 42):
        name = NAMES[number % len(NAMES)] if number % 8 else "Harbour Desk"
        assert [one.name for one in fields(made(number), patterns).authors] == [name]


def test_a_box_about_one_of_several_authors() -> None:
    """All authors come out where the line above the text names more than the box below it does."""
    names = [f"{first} {last}" for first in ("Ann", "Cy", "Dora") for last in ("Lee", "Fox", "Cole")]

    def made(number: int) -> Page:
        name, others = names[number % len(names)], "" if number % 6 else " and Bob Zola"
        line = f"<p class=meta>von {name}{others} | <b>{words(day_of(number))}</b></p>"
        foot = f"<div class=about><a class=author href=/u/{number % 9}>{name}</a><p>Likes boats.</p></div>"
        return page(number, f'<meta name="author" content="{name}{others}">', line, foot)

    patterns = learn(made(number) for number in range(40))
    for number, wanted in ((42, ["Dora Lee", "Bob Zola"]), (43, ["Dora Fox"])):
        assert [one.name for one in fields(made(number), patterns).authors] == wanted


def test_the_language_is_not_that_of_code() -> None:
    """Listings do not count for the language; a long text is cut."""
    (one,) = placed(f"<p>uno</p><pre>for (;;)</pre><p>dos</p><p>{'y ' * 2_000}</p>")
    assert prose(one, range(len(one.places))).startswith("uno\ndos\ny y")
    assert len(prose(one, range(len(one.places)))) == 1_000


def dated(number: int, stated: date, shown: date, line: str = "") -> Page:
    """Return a page that states one day, and shows another one in a line."""
    names = "january february march april may june july august september october november december".split()
    words = f"{shown.day} {names[shown.month - 1].title()} {shown.year}"
    head = f'<meta property="article:published_time" content="{stated.isoformat()}">'
    return page(number, head, (line or "<p>{}</p>").format(words))


def test_months_agree_with_what_is_known() -> None:
    """Pages whose stated days are a month behind what they show do not teach another month."""
    days = [day_of(number) for number in range(24)]
    behind = [(day.replace(day=1) - timedelta(days=1)).replace(day=min(day.day, 28)) for day in days]
    learned = learn(dated(number, behind[number], days[number]) for number in range(24))
    site = learned.site_of("http://harbour.example/")
    assert site is not None
    assert all(may_be_month(word, month) for word, month in site.months.items())
    pages = [page(number, line=f"<p>{day.day} {day:%B} {day.year}</p>") for number, day in enumerate(days)]
    assert [fields(one, learned).date_published for one in pages[:3]] in (
        [day.isoformat() for day in days[:3]],
        [None] * 3,
    )


def test_a_day_in_the_head_of_all_pages_is_no_publication() -> None:
    """The same day on all pages is that on which they were fetched."""
    learned = learn(page(number, line="<p>Harbour</p>") for number in range(12))
    assert fields(page(41, line="<p>Harbour</p>"), learned).date_published is None


def test_known_months_need_no_lesson() -> None:
    """A month that no learned page names is read where its language is known."""
    pages = [
        dated(number, day_of(number), day_of(number)) for number in range(36) if day_of(number).month < 7
    ]
    learned = learn(pages)
    shown = date(2016, 11, 9)
    assert fields(dated(99, shown, shown, "<p>{}</p>"), learned).date_published == shown.isoformat()


TEASERS = "".join(
    f'<div class=tease><a href="/story-{at}">Story {at}</a> <span class=author>{name}</span></div>'
    for at, name in enumerate(("Cy Poe", "Dora Roe", "Eve Moe"))
)


@pytest.mark.parametrize("number_of_pages", [1, 2, 12])
@pytest.mark.parametrize("by", ["", "<p class=by>By <b class=author>{}</b></p>", "<p class=by>By {}</p>"])
def test_names_beside_the_article(number_of_pages: int, by: str) -> None:
    """The names of other articles' authors are not those of this one, on few pages as well."""

    def made(number: int) -> Page:
        name = f"{('Ann', 'Bob', 'Gil')[number % 3]} {('Lee', 'Zola')[number % 2]}"
        head = f'<meta name="author" content="{name}">' if number < number_of_pages or not by else ""
        return page(number, head, by.format(name) or "<p>Harbour</p>", foot=f"<aside>{TEASERS}</aside>")

    learned = learn(made(number) for number in range(number_of_pages))
    for number in (0, number_of_pages - 1):
        (author,) = fields(made(number), learned).authors
        assert author.name.split()[0] in ("Ann", "Bob", "Gil")


@pytest.mark.parametrize("label", ["Edited by", "Translated by", "Medically reviewed by", "Photos:"])
def test_who_has_done_something_else_at_the_place_of_authors(label: str) -> None:
    """Lines of one form may name the author, and below somebody of whom their words say something else."""

    def made(number: int) -> Page:
        name = escaped(NAMES[number % len(NAMES)])
        other = f"<p>{label} <a rel=author href=/author/{number % 3}>Cy {'abc'[number % 3]}</a></p>"
        line = f"<p>By <a rel=author href=/author/{number}>{name}</a></p>{other if number % 2 else ''}"
        return page(number, line=f"<div class=by>{line}</div>")

    learned = learn(map(made, range(12)))
    for number in range(20, 24):
        assert [one.name for one in fields(made(number), learned).authors] == [NAMES[number % len(NAMES)]]


@pytest.mark.parametrize(
    "quoted",
    [
        "<blockquote><p>Seals sing.</p><p class=author>{}</p></blockquote>",
        "<div class=next><h4><a href=/b/{0}>Seals of {0}</a></h4><p class=author>By {0}</p></div>",
    ],
)
def test_names_of_others_teach_no_place(quoted: str) -> None:
    """Who wrote what all pages quote, or the article to which they lead, is not their author."""

    def made(number: int) -> Page:
        return page(number, line="<p>Harbour</p>", foot=quoted.format(f"{NAMES[number % 2]} Roe"))

    learned = learn(map(made, range(12)))
    assert not [one for one in learned.sites["harbour.example"].patterns[0].places if one.field == "authors"]
    assert fields(made(20), learned).authors == ()


def test_lines_beside_the_name_are_no_names() -> None:
    """If the items of one list show author, day and the time it takes, no item is told by its place."""

    def made(number: int) -> Page:
        name = NAMES[number % len(NAMES)]
        items = (escaped(name), f"Aug {number % 28 + 1}", f"{number % 7 + 2} min read")
        line = "".join(f"<li><b>{item}</b></li>" for item in items)
        return page(number, f'<meta name="author" content="{escaped(name)}">', f"<ul>{line}</ul>")

    learned = learn(map(made, range(12)))
    for number in range(20, 23):
        assert [one.name for one in fields(made(number), learned).authors] == [NAMES[number % len(NAMES)]]


def test_a_link_that_is_the_same_on_all_pages_is_no_name() -> None:
    """The address of "View all posts" marks it as an author; the byline, which nothing marks, is one."""

    def made(number: int) -> Page:
        name, foot = escaped(NAMES[number % len(NAMES)]), "<p><a href=/author/x>View all posts</a></p>"
        return page(number, line=f"<p class=by>By {name}</p>", foot=foot)

    learned = learn(map(made, range(12)))
    for number in range(20, 23):
        assert [one.name for one in fields(made(number), learned).authors] == [NAMES[number % len(NAMES)]]


def test_names_that_all_pages_have_give_way() -> None:
    """Of two places that are marked on as many pages, the one whose names differ is the author's."""
    top = "<div class=big><b class=author>Cy Poe</b><p>Harbour news</p></div>"

    def made(number: int) -> Page:
        own = page(number, line=f"<p class=by>By <b class=author>{escaped(NAMES[number % 3])}</b></p>")
        return replace(own, body=own.body.replace(b"<div class=top>", f"{top}<div class=top>".encode()))

    learned = learn(map(made, range(12)))
    for number in range(20, 23):
        assert [one.name for one in fields(made(number), learned).authors] == [NAMES[number % 3]]


def test_a_mark_with_a_colon_is_a_label() -> None:
    """The class of a label in front of the name says "author", too."""
    line = "<p class=by><b class=copyright-author-name>本文 作者:</b> <b>{}</b></p>"

    def made(number: int) -> Page:
        return page(number, '<meta name="author" content="Ann Lee">', line.format("Ann Lee"))

    learned = learn(map(made, range(12)))
    assert [one.name for one in fields(made(20), learned).authors] == ["Ann Lee"]


def test_a_menu_of_all_topics_shows_none_of_the_page() -> None:
    """A page's own topics are among all those of the site; a place with all is that of a menu."""
    topics = "ferry seal harbour boat rower wreck lamp tide".split()
    menu = "".join(f"<li><a href=/t><b>{topic}</b><i>3</i></a></li>" for topic in topics)

    def made(number: int) -> Page:
        head = f'<meta property="article:tag" content="{topics[number % 8]}">'
        return page(number, head, foot=f"<ul class=menu>{menu}</ul>")

    learned = learn(map(made, range(24)))
    assert fields(made(29), learned).tags == (topics[29 % 8],)


def test_lines_beside_that_with_the_topic() -> None:
    """Day, section and topic may stand in lines of one kind."""

    def made(number: int) -> Page:
        line = f"<p class=by>{day_of(number)}</p><p class=by>Section: News</p>"
        topic = f"<p class=by>Topic: <a href=/tags/x>{escaped(TOPICS[number % 5])}</a></p>"
        return page(number, line=line + topic, foot="<p class=foot>Harbour</p>")

    learned = learn(map(made, range(24)))
    assert fields(made(29), learned).tags == (TOPICS[29 % 5],)


def test_the_place_of_a_change_gives_way() -> None:
    """Where most pages were never changed, the day of the change is shown as often as the other one."""

    def made(number: int, changed: date, head: str = "") -> Page:
        line = f"<p class=a>Updated: {changed}</p>"
        return page(number, head, line, foot=f"<p class=b>{day_of(number)} Harbour</p>")

    learned = learn(made(number, day_of(number), stating(number)) for number in range(24))
    assert fields(made(30, date(2019, 5, 6)), learned).date_published == day_of(30).isoformat()


@pytest.mark.parametrize("element", ["aside", "div class=right-sidebar"])
def test_names_in_a_sidebar_are_those_of_messages(element: str) -> None:
    """A name that a sidebar marks is no author, though all pages have it, unless they state it."""
    box = f"<{element}><p>Latest: <a class=author href=/a>Ann Lee</a> and more</p></{element.split()[0]}>"

    def boxed(number: int, head: str = "") -> Page:
        own = page(number, head, "<p class=meta>Harbour</p>", "<p>end</p>")
        return replace(own, body=own.body.replace(b"<div class=foot>", f"{box}<div class=foot>".encode()))

    for head, names in (("", ()), ('<meta name="author" content="Ann Lee">', ("Ann Lee",))):
        learned = learn(boxed(number, head) for number in range(12))
        places = [
            one for one in learned.sites["harbour.example"].patterns[0].places if one.field == "authors"
        ]
        assert bool(places) is bool(head)
        assert tuple(one.name for one in fields(boxed(20, head), learned).authors) == names


def test_a_day_beside_the_same_name_above_each_title() -> None:
    """No page states its day, a list has those of others, and the line is the same but for the digits."""
    others = "".join(f"<p>0{day}.02.2020 <a href=/story-{day + 50}>A story</a></p>" for day in range(1, 5))

    def told(number: int) -> Page:
        line = f"<div class=by>Harbour office, {day_of(number):%d.%m.%Y}</div>"
        body = page(number, line=" ").body.replace(b"<h1>", line.encode() + b"<h1>")
        return Page(f"http://harbour.example/story-{number}", body + others.encode())

    known = learn(told(number) for number in range(12))
    assert [fields(told(number), known).date for number in (3, 20)] == [
        day_of(number).isoformat() for number in (3, 20)
    ]


def test_the_day_of_the_fetch_above_each_title() -> None:
    """It is the template's: a header that says what day it is."""

    def told(number: int) -> Page:
        rows = (f"<li><a href=/{n}/{n}>Story {n}</a> <span>{n} May 2020</span>" for n in range(1, 5))
        title, day = f"Story {number} of the harbour and its boats", f"{day_of(number):%d.%m.%Y}"
        head = f"<title>{title}</title><div class=top>Harbour <i>{day}</i></div>"
        body = f"<div class=post><h1>{title}</h1><p>{prose_of(9 * number, 60)}.</p></div>"
        html = f"<body>{head}{body}<ul class=latest>{''.join(rows)}</ul>"
        return Page(f"http://harbour.example/story-{number}", html.encode())

    pages = [told(number) for number in range(10, 24)]
    assert fields(pages[0], learn(pages)).date == day_of(10).isoformat()
    fetched = [replace(page, fetched=f"{day_of(n)}T10:00:00Z") for n, page in enumerate(pages, 10)]
    assert fields(fetched[0], learn(fetched)).date is None


def test_a_day_in_a_list_of_topics() -> None:
    """In a list of links between title and text, the day at the learned place counts."""

    def made(number: int, head: str = "", first: str = "") -> Page:
        links = "".join(f"<li><a href=/t/{at}>{name}</a>" for at, name in enumerate(NAMES, number))
        return page(number, head, f"<ul class=meta><li><b>{words(day_of(number))}</b>{links}</ul>{first}")

    learned = learn(made(number, stating(number)) for number in range(24))
    for number in (40, 41, 42):
        shown = made(number, first=f"<p>{words(date(2010, 3, number - 20))}</p>")
        assert fields(shown, learned).date_published == day_of(number).isoformat()


def test_the_first_of_several_topics() -> None:
    """Where a site shows the first of the topics that its pages state, the others are topics, too."""
    topics = ["Ferries", "Seals", "Boats", "Bells", "Tides"]

    def made(number: int, head: str = "") -> Page:
        topic = topics[number % 5]
        link = f"<a rel=tag href=/tag/{topic}>{topic}</a>"
        return page(number, head, foot=f"<div class=about>{link}</div>")

    def head(number: int) -> str:
        return "".join(
            f'<meta property="article:tag" content="{topics[(number + n) % 5]}">' for n in range(3)
        )

    learned = learn(made(number, head(number)) for number in range(24))
    assert fields(made(46, head(46)), learned).tags == ("Seals", "Boats", "Bells")
    assert fields(made(46), learned).tags == ("Seals",)
    assert fields(made(46, head(48)), learned).tags == ("Seals",)


def test_several_names_in_a_line() -> None:
    """Where some articles have several authors, each of them is read."""
    both = "Ann Lee and Bob Roe"

    def made(number: int, head: str = "") -> Page:
        name = both if number % 4 == 0 else ("Cy Poe", "Dora Moe", "Eve Zola")[number % 3]
        return page(number, head.format(name), f"<p class=meta>by <i>{name}</i> | {number} comments</p>")

    learned = learn(made(number, '<meta name="author" content="{}">') for number in range(24))
    assert [one.name for one in fields(made(44), learned).authors] == ["Ann Lee", "Bob Roe"]
    assert [one.name for one in fields(made(45), learned).authors] == ["Cy Poe"]


def test_a_canonical_url_of_many_pages_is_none() -> None:
    """A url that most articles state as theirs is the template's."""

    def made(number: int, target: str) -> Page:
        return page(number, f'<link rel="canonical" href="{target}">')

    learned = learn(made(number, "/home.html" if number % 2 else f"/story-{number}") for number in range(24))
    assert fields(made(31, "/home.html"), learned).canonical_url is None
    assert fields(made(32, "/story-32"), learned).canonical_url == "http://harbour.example/story-32"


def test_the_month_of_the_url_tells_the_day_from_those_of_other_articles() -> None:
    """Several times are marked on each page; the place of the one in the url's month is learned."""

    def story(number: int) -> Page:
        day, other = day_of(number), day_of(number + 5)
        line, more = (f"<time datetime={at}>{words(at)}</time>" for at in (day, other))
        made = page(number, line="<p>Harbour</p>", foot=f"<div class=on>{line}</div><p class=next>{more}</p>")
        return replace(made, url=f"http://harbour.example/{day:%Y/%m}/story-{number}")

    known = learn(story(number) for number in range(24))
    assert [fields(story(number), known).date for number in range(24, 30)] == [
        day_of(number).isoformat() for number in range(24, 30)
    ]


def test_the_same_topics_on_a_few_pages_are_those_of_the_site() -> None:
    """Two pages with one cloud of all topics do not teach that these are topics of an article."""
    cloud = "".join(f"<a rel=tag href=/tag/{topic}>{topic}</a> " for topic in "abcdef")

    def tagged(number: int) -> Page:
        own = f"<p class=about>In: <a rel=tag href=/tag/t{number}>topic {number}</a></p>"
        return page(number, foot=f"{own if number > 1 else ''}<div class=all>{cloud}</div>")

    assert fields(tagged(7), learn(tagged(number) for number in range(3))).tags == ("topic 7",)


def test_the_heading_of_a_recipe_is_no_author() -> None:
    """Microformats call the name of a recipe ``fn``, as they call that of a person."""

    def recipe(number: int) -> Page:
        one = page(number, line='<p class=meta>by <a class=fn href="/author/cook/">cook</a></p>')
        title = re.search(b"<h1>([^<]*)", one.body)
        assert title is not None
        return replace(one, body=one.body.replace(b"</h1>", b"</h1><h3 class=fn>" + title[1] + b"</h3>"))

    patterns = learn(recipe(number) for number in range(36))
    assert [author.name for author in fields(recipe(40), patterns).authors] == ["cook"]


def test_another_layout_tells_where_authors_stand() -> None:
    """Where too few pages of a layout have a name there, the same place of another layout counts."""

    def story(number: int, *, told: bool, kind: str) -> Page:
        name, title = ("annlee", "bobroe")[number % 2], f"Story {number} of the harbour and its boats"
        text = "".join(f"<p>{prose_of((number * 31 + at * 97) % 1000, 40)}.</p>" for at in range(6))
        line = f"12. Mai 2014 de <b class=author>{name}</b>" if told else "12. Mai 2014"
        html = (
            f"<html><head><title>{title}</title></head><body><p class=meta>{line}</p>"
            f"<div class={kind}><h1 class={kind}-title>{title}</h1><div class={kind}-text>{text}</div></div>"
        )
        return Page(f"http://harbour.example/{kind}-{number}", html.encode())

    stories = [story(number, told=True, kind="story") for number in range(30)]
    reports = [story(number, told=False, kind="report") for number in range(30, 60)]
    last = story(70, told=True, kind="report")
    assert fields(last, learn(reports)).authors == ()
    found = fields(last, learn([*stories, *reports]))
    assert found.pattern in {one.url for one in reports}
    assert found.authors == (Author("annlee"),)
