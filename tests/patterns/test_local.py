from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from path_pages import place, words
from tree_pages import layouts

from scrapy_webstemmer.api import extract, learn
from scrapy_webstemmer.options import ExtractOptions
from scrapy_webstemmer.pattern_files.pattern_file import PatternSet
from scrapy_webstemmer.patterns.match import Match
from scrapy_webstemmer.patterns.own_evidence import _news_beside, with_own_exclusions
from scrapy_webstemmer.site.excluded import find_excluded
from scrapy_webstemmer.site.paths import last_step, tag_of
from scrapy_webstemmer.values import Correction, Layout, Page, Pattern, Section

FALLBACK = ExtractOptions(fallback=True)


def page(number: int, body: str, host: str = "example.com") -> Page:
    """Return a page with its title as heading and as title element."""
    title = f"Report {words(number, 4)}"
    html = f"<html><head><title>{title} | Gazette</title></head><body>{body.format(title)}</body></html>"
    return Page(url=f"http://{host}/{number:03}", body=html.encode(), encoding="utf-8")


def post(number: int, more: str = "") -> Page:
    """Return a page of the usual design: a menu, a post, and further content in the post's element."""
    menu = '<div class="box"><a href="/">Home</a> <a href="/about">About</a></div>'
    return page(number, f'{menu}<div id="post"><h1>{{}}</h1><p>{words(number, 80)}</p>{more}</div>')


def old(number: int, host: str = "example.com") -> Page:
    """Return a page of another design."""
    body = (
        f'<table id="old"><tr><td><h2>{{}}</h2><div class="story"><p>{words(number, 80)}</p></div></td></tr>'
    )
    links = '<tr><td><div class="next"><a href="/x">Something else to read</a></div></td></tr></table>'
    return page(number, body + links, host)


def learned(count: int) -> PatternSet:
    return learn([post(number) for number in range(count)])


def test_one_page_teaches_its_template() -> None:
    """After one learned page, another page of its template gives only its title and its text."""
    article = extract(post(7), learned(1))
    assert article is not None
    assert (article.title, article.text) == (f"Report {words(7, 4)}", words(7, 80))


def test_what_few_of_the_patterns_pages_had_is_judged_on_the_page() -> None:
    """If one of three learned pages had a part, the page decides on it. If two had it, the pattern does."""
    box = '<div class="box">{}</div>'
    links = box.format(
        '<a href="//b.example/">Something else to read</a> <a href="//c.example/">Another thing</a>'
    )
    for count, kept in ((1, False), (2, True)):
        pages = [post(n, box.format(words(n + 50, 20)) if n < count else "") for n in range(3)]
        article = extract(post(7, links), learn(pages))
        assert article is not None
        assert ("Another thing" in article.text) == kept


def test_what_two_pages_have_is_boilerplate() -> None:
    """Text that a learned page has, too, is no main text, whatever its classes, if layouts are known once."""
    call = f'<div class="n{{0}}"><p>{words(99, 30)}</p></div>'
    others = [old(2), page(3, f"<ul id=all><li>{words(3, 9)}</ul>"), page(4, f"<dl><dt>{words(4, 9)}</dl>")]
    for count in range(len(others)):
        site = learn([post(1, call.replace("{0}", "1")), *others[:count]])
        article = extract(post(7, call.replace("{0}", "7")), site)
        assert article is not None
        assert article.text == words(7, 80)


def test_what_orders_the_text_of_two_pages_is_the_authors() -> None:
    """The questions of a series stand on the learned page, too."""

    def interview(number: int) -> Page:
        questions = ("What do you see?", "What do you read?", "Whom do you ask?")
        parts = "".join(f"<p>{q}</p><p>{words(number + 20 * at, 30)}</p>" for at, q in enumerate(questions))
        return post(number, parts)

    article = extract(interview(9), learn([interview(1)]))
    assert article is not None
    assert article.text.count("?") == 3


def noted(number: int, text: str, notes: str = "") -> Page:
    """Return a page whose heading has a note of its own below it, and whose text stands in another part."""
    parts = f'<div class="note"><p>{words(number, 12)}</p>{notes}</div>{text}'
    return page(number, f'<div id="post"><h1>{{}}</h1>{parts}</div>')


def test_a_pattern_of_a_few_short_pages_does_not_tell_how_long_a_text_is() -> None:
    """Pages of a reference have a line each, and teach its place. A guide has its text in another one."""
    guide = "".join(f"<p>{words(number, 40)}, {words(number + 1, 9)}.</p>" for number in range(30, 40))
    text = f'<div class="guide">{guide}</div>'
    for count, longest in ((2, True), (12, False)):
        article = extract(noted(50, text), learn([noted(number, "") for number in range(count)]))
        assert article is not None
        assert (article.text.count("\n") >= 9) is longest


def test_the_name_of_the_site_is_no_title() -> None:
    """A title of the only learned page that the next page has, too, is not the next page's title."""
    banner = '<div class="top"><h1>The Gazette of the Harbour</h1></div>'
    home = f"<html><title>The Gazette of the Harbour</title><body>{banner}<p>{words(1, 50)}</p></body></html>"
    article = extract(post(7, banner), learn([Page("http://example.com/", home.encode(), "utf-8")]))
    assert article is not None
    assert article.title == f"Report {words(7, 4)}"


def titled(number: int) -> Page:
    """Return a page whose ``title`` element calls it by another name than its heading."""
    name = words(number, 5)
    head = f"<title>All about {name} | Gazette</title>"
    box = f'<div class="box">Number {number}</div>'
    body = f'<div id="post">{box}<h1>A report: {name} and more</h1><p>{words(number, 80)}</p></div>'
    return Page(f"http://example.com/{number:03}", f"{head}<body>{body}".encode(), "utf-8")


def test_a_place_of_few_pages_is_no_evidence_for_a_title() -> None:
    """If few pages taught where the title stands, the page's own evidence decides; if more did, the place.

    Without a link to any page, the head has the likest titles. It is no evidence for itself.
    """
    for count, linked, title in (
        (1, True, "A report"),
        (4, True, "A report"),
        (5, True, "Number 7"),
        (9, False, "A report"),
    ):
        pages = [titled(number) for number in range(count)]
        linkinfo = {page.url: {f"Number {number}": 1} for number, page in enumerate(pages) if linked}
        article = extract(titled(7), learn(pages, linkinfo))
        assert article is not None
        assert article.title.startswith(title)


def test_a_place_that_somebody_has_chosen_counts_from_one_page_on() -> None:
    """A correction of the title's place, or of what is none, outweighs what the page shows."""
    site = learn([titled(0)]).sites["example.com"]
    for what, path, title in (("title", "div.box", "Number 7"), ("no title", "h1", "All about")):
        correction = Correction(what, f"body/div#post/{path}")
        patterns = PatternSet({"example.com": replace(site, corrections=(correction,))})
        article = extract(titled(7), patterns)
        assert article is not None
        assert article.title.startswith(title)


def test_a_title_element_that_both_pages_have_names_neither() -> None:
    """A title element that the learned page or pages have, too, is not the title."""
    element = "The Gazette of the Harbour | Harbour County"

    def alike(number: int) -> Page:
        body = f"<h2>{words(number, 4)}</h2><p>{words(number, 80)}</p>"
        return Page(f"http://example.com/{number}", f"<title>{element}</title>{body}".encode(), "utf-8")

    for count in (1, 3):
        article = extract(alike(7), learn([alike(number) for number in range(count)]))
        assert article is not None
        assert article.title == words(7, 4)


def test_the_page_that_was_learned_is_not_compared_with_itself() -> None:
    """The only learned page gives its article, under its own url and under another url."""
    first = post(1)
    again = Page("http://example.com/print/1", first.body, "utf-8")
    found = [extract(page, learn([first])) for page in (first, again)]
    assert [article and article.text for article in found] == [words(1, 80)] * 2


def test_a_site_whose_only_page_is_empty_is_read_all_the_same() -> None:
    """If the only learned page has no text, other pages are read by their own evidence."""
    empty = Page("http://example.com/", b"<html><title>moved</title><body></body></html>")
    article = extract(post(7), learn([empty]))
    assert article is not None
    assert (article.title, article.text, article.pattern) == (f"Report {words(7, 4)}", words(7, 80), "")
    assert article.confidence < 0.9


def test_an_unlike_page_of_a_small_site_is_read_by_its_own_evidence() -> None:
    """A page of another design than the learned pages gives its text, with a lower confidence."""
    article, alike = extract(old(7), learned(3)), extract(post(7), learned(3))
    assert article is not None
    assert alike is not None
    assert (article.title, article.text) == (f"Report {words(7, 4)}", words(7, 80))
    assert article.pattern
    assert article.confidence < 0.9 < alike.confidence


def test_new_parts_of_a_page_are_judged_on_it() -> None:
    """A new box of links is left out. A new list without a class is the author's."""
    links = '<a href="//b.example/">Something else to read</a> <a href="//c.example/">Another thing</a>'
    article = extract(post(7, f'<div class="box">{links}</div>'), learned(3))
    assert article is not None
    assert article.text == words(7, 80)
    article = extract(post(7, f"<ul><li>{links}</li></ul>"), learned(3))
    assert article is not None
    assert article.text.endswith("Another thing")


def test_a_page_without_a_pattern_is_read_by_its_own_evidence() -> None:
    """A page without a match on a known site is read by its own evidence, unless that is switched off."""
    patterns = learned(30)
    article = extract(old(7), patterns)
    assert article is not None
    assert (article.pattern, article.title, article.text) == ("", f"Report {words(7, 4)}", words(7, 80))
    alike = extract(post(7), patterns)
    assert alike is not None
    assert article.confidence < 0.9 < alike.confidence
    assert extract(old(7), patterns, ExtractOptions(unmatched=False)) is None


def test_a_page_of_an_unknown_site_gives_an_article_only_if_asked() -> None:
    """A page of a site that was not learned is read by its own evidence only with the option for it."""
    other = old(7, "example.org")
    assert extract(other, learned(3)) is None
    article = extract(other, learned(3), FALLBACK)
    assert article is not None
    assert (article.pattern, article.title) == ("", f"Report {words(7, 4)}")


@given(layouts(), st.data())
def test_what_a_page_adds_to_the_exclusions(layout: Layout, data: st.DataObject) -> None:
    """Parts with an id or class are added if they are neither a section of the pattern nor around one."""
    (page,) = place([layout], vocabulary_pages=1)
    container, *features = data.draw(st.lists(st.sampled_from(page.paths), min_size=1))
    sections = tuple(Section(feature, 0.5, 50.0) for feature in features)
    pattern = Pattern("", "article", 0.0, 1, sections, container=container, excluded=("x",))
    new = tuple(
        path
        for path in find_excluded([page], container)
        if last_step(path) != tag_of(path) and not any(f"{f}/".startswith(f"{path}/") for f in features)
    )
    found = with_own_exclusions(page, Match(pattern, 0.5))
    assert found == Match(replace(pattern, excluded=("x", *new)), 0.5)


def test_paths_of_endless_steps_take_no_memory() -> None:
    """A feature of a pattern file may have as many steps as it likes: what is around it is not kept."""
    endless = "body" + "/a" * 100_000
    news = _news_beside((endless, "body/div.a"), "body")
    assert [news[path] for path in ("body/div.a", "body/div.a/p.b", "body/div", "body/div.b")] == [
        False,
        True,
        False,
        True,
    ]
    assert not news["body/a/a"]


def built(number: int, names: str, more: str = "") -> Page:
    """Return a page of a site whose elements have other names with each build of the site."""
    links = f'<ul class="m{names}"><li><a href="/a">Home of all our news</a><li><a href="/b">Sports</a></ul>'
    claim = f'<p class="c{names}">The oldest paper of the valley says what others leave out.</p>'
    told = f'<div class="t{names}"><p>{words(number, 80)}</p></div>{more}'
    post = f'<div class="p{names}"><h1>{{}}</h1>{told}</div><div class="z{names}">{claim}</div>'
    return page(number, f'<div class="a{names}">{links}{claim}</div>{post}')


def test_what_the_site_says_elsewhere_is_boilerplate_in_another_design() -> None:
    """On a page of another structure, too, a text that all learned pages have at other places is none."""
    site = learn([built(n, "1") for n in range(30)])
    claim = "The oldest paper of the valley says what others leave out."
    body = f"<table><tr><td><b>{{}}</b><p>{words(70, 80)}</p><p>{claim}</p></td></tr></table>"
    article = extract(page(70, body), site, ExtractOptions(min_confidence=0))
    assert article is not None
    assert article.text == words(70, 80)


def test_columns_with_unknown_names_are_no_records() -> None:
    """On a page of another structure, the text is not taken for a record, since its column has a name."""
    offer = f"<p>{words(900, 60)}</p>"
    site = learn([built(n, "1", offer) for n in range(30)])
    side = "".join(f'<div class="{name}"><a href="/{name}">More</a>{offer}</div>' for name in "efg")
    link = '<p><a href="/h">All reports</a></p>'
    body = f'<section>{side}<div class="h"><h2>{{}}</h2><p>{words(70, 80)}</p>{link}</div></section>'
    article = extract(page(70, body), site)
    assert article is not None
    assert words(70, 80) in article.text


def test_the_title_of_a_page_in_another_design_stays() -> None:
    """Other pages have a page's title in their menus; on the page itself it is the title all the same."""
    title = f"Report {words(70, 4)}"
    site = learn([built(n, "1", f'<ul><li><a href="/070">{title}</a></ul>') for n in range(30)])
    body = f"<section><h1>{{}}</h1><div><p>{words(70, 80)}</p></div></section>"
    shown = page(70, body)
    shown = replace(shown, body=shown.body.replace(b"<title>Report", b"<title>All about it: report"))
    article = extract(shown, site)
    assert article is not None
    assert (article.title, article.text) == (title, words(70, 80))
