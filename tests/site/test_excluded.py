from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from path_pages import place, placed, words
from tree_pages import layouts

from scrapy_webstemmer.site.excluded import (
    find_excluded,
    find_excluded_on,
    part_evidence,
)
from scrapy_webstemmer.values import Layout

PAGES = 10


def excluded(*parts: object, pages: int = PAGES) -> tuple[str, ...]:
    """Return the excluded paths of articles with further parts: texts, or functions of the page's number."""

    def body(number: int) -> str:
        more = "".join(part if isinstance(part, str) else part(number) for part in parts)  # type: ignore[operator]
        paragraphs = "".join(f"<p>{words(number * 5 + i, 20)}</p>" for i in range(5))
        return f'<div id="c">{paragraphs}{more}</div>'

    site = placed(*map(body, range(pages)))
    return find_excluded(site, "body/div#c")


def test_nothing_is_excluded_from_plain_text() -> None:
    """An author's own headings, lists and quotations stay."""
    assert (
        excluded(
            lambda n: f"<h2>{words(n)}</h2>",
            lambda n: f"<ul><li>{words(2 * n + 20)}</li><li>{words(2 * n + 21)}</li></ul>",
            lambda n: f'<div class="box"><blockquote><p>{words(n + 3)}</p></blockquote></div>',
        )
        == ()
    )


def test_static_parts_are_excluded() -> None:
    """A part with more than two fifths of boilerplate is excluded as a whole, and named once."""
    share = '<div class="pass"><div class="label">Share this</div><div class="n">{}</div></div>'
    assert excluded(lambda n: share.format(words(n * 111, 3)[:12])) == ("body/div#c/div.pass",)
    assert excluded(lambda n: share.format(words(n * 111, 3))) == ("body/div#c/div.pass/div.label",)


def test_parts_in_links_are_excluded() -> None:
    """An element of the template with mostly links is excluded, but no bare list in running text."""
    see_also = '<a href="/{0}">see {1}</a>'
    found = excluded(
        lambda n: f'<div class="tags">filed {see_also.format(n, words(n))}</div>',
        lambda n: f"<ul><li>{see_also.format(n, words(n + 1))}</li></ul>",
    )
    assert found == ("body/div#c/div.tags",)


def test_a_table_in_running_text_is_the_authors() -> None:
    """A table with names that are links has figures, too, whatever its class. One of links is no text."""
    row = "<tr><td><a href='/{0}'>{1}</a></td><td>{2}</td></tr>"
    table = "<figure class=wide><table class=stats><tr><th>Name<th>Goals</tr>{}</table></figure>"
    rows = [
        lambda n, cell=cell: row.format(n, words(n + 30, 3), cell)
        for cell in ("{n} goals", "<a href='/'>goals</a>")
    ]
    assert [excluded(lambda n, r=r: table.format(r(n) * 3)) for r in rows] == [
        (),
        ("body/div#c/figure.wide",),
    ]


def test_text_with_some_links_stays() -> None:
    """A part with less than two fifths of links is main text."""
    assert excluded(lambda n: f'<div class="box">{words(n)} <a href="/">link</a></div>') == ()


def test_bare_paragraphs_in_links_are_the_authors() -> None:
    """A bare paragraph or heading is not judged by itself, even if it is all link."""
    assert excluded(lambda n: f'<p><a href="/{n}">{words(n)}</a></p>') == ()
    assert excluded(lambda n: f'<h2><a href="/{n}">{words(n)}</a></h2>') == ()


def test_records_with_links_are_excluded() -> None:
    """Comments, each with a link and more text of its own, are not main text."""
    comment = '<div class="comment">{} <a href="#{}">reply</a></div>'
    found = excluded(lambda n: "".join(comment.format(words(n * 3 + i + 100, 6), i) for i in range(3)))
    assert found == ("body/div#c/div.comment",)


def test_items_with_links_are_the_authors() -> None:
    """In list items only the text in links counts as boilerplate: a list of references is main text."""
    item = '<li class="ref">{} <a href="/{}">text</a></li>'
    items = [item.format(words(i, 6), i) for i in range(3 * PAGES)]
    assert excluded(lambda n: f"<ol>{''.join(items[3 * n : 3 * n + 3])}</ol>") == ()


def test_items_in_a_part_with_a_telling_name_are_no_main_text() -> None:
    """Related pages with excerpts are not the author's, though few of their words are links."""
    item = '<li>{} <a href="/{}">text</a></li>'
    items = [item.format(words(i, 6), i) for i in range(3 * PAGES)]

    def part(name: str) -> tuple[str, ...]:
        return excluded(lambda n: f'<div class="{name}"><ol>{"".join(items[3 * n : 3 * n + 3])}</ol></div>')

    assert part("gull-related") == ("body/div#c/div.gull-related",)
    assert part("gull") == part("recipe-meta") == ()


def test_parts_that_recur_on_a_few_pages_are_the_authors() -> None:
    """A list of prices, some of which other articles have, too, is main text."""
    prices = "<ul><li>{}</li><li>{}</li></ul>"
    found = excluded(
        lambda n: f'<div class="row">{prices.format(words(300 + n % 5, 6), words(n + 500, 7))}</div>'
    )
    assert found == ()


def test_texts_that_take_turns_are_no_main_text() -> None:
    """A part is excluded if each of its whole texts is on two pages on average, as advertisements are."""
    box = '<div class="box"><small>Advertisement</small><p>{}</p></div>'
    assert excluded(lambda n: box.format(words(n % 5))) == ("body/div#c/div.box",)
    entries = '<div class="box"><p>{}</p><p>{}</p></div>'
    assert excluded(lambda n: entries.format(words(n % 5), words(n + 60))) == ()


def test_a_box_about_another_page_is_no_main_text() -> None:
    """A part with a name whose heading leads to another page is about that page, whatever it says."""
    link = '<a href="/{0}">{1}</a>'
    for heading in ("<a href='/{0}'><h4>{1}</h4></a>", f"<h4>{link}</h4>", f"<div><h4>{link}</h4></div>"):
        box = f'<div class="card">{heading}<p>{{2}}</p></div>'
        found = excluded(lambda n, box=box: box.format(n + 70, words(n + 80, 4), words(n + 90, 20)))
        assert found == ("body/div#c/div.card",)
    # the author's own heading, and one that leads elsewhere
    assert (
        excluded(lambda n: f"<h4>{link.format(n + 70, words(n + 80, 4))}</h4><p>{words(n + 90, 20)}</p>")
        == ()
    )
    other = '<div class="card"><h4><a href="https://b.example/{}">{}</a></h4><p>{}</p></div>'
    assert excluded(lambda n: other.format(n, words(n + 80, 4), words(n + 90, 20))) == ()


def test_texts_around_a_part_say_nothing_about_it() -> None:
    """An element whose own few texts take turns stays if another one with text of its own stands in it."""
    box = '<div class="box"><small>{}</small><div class="post"><p>{}</p></div></div>'
    assert excluded(lambda n: box.format(words(n % 3, 3), words(n + 60, 20))) == ()
    assert excluded(lambda n: box.format(words(n % 3, 3), words(n % 5 + 60, 20))) == ("body/div#c/div.box",)


def test_on_large_sites_boilerplate_texts_are_many() -> None:
    """A part with one of many boilerplate texts is excluded, though each is on few pages."""
    ads = [f"Buy {words(n + 300, 5)} here" for n in range(14)]
    assert excluded(lambda n: f'<div class="spot">{ads[n % 14]}</div>', pages=42) == ("body/div#c/div.spot",)


def test_most_pages_with_a_part_decide() -> None:
    """A part that is boilerplate on six of ten pages is excluded; on five of ten it is not."""

    def part(bad: int) -> tuple[str, ...]:
        link = '<a href="/{0}">{1}</a>'
        return excluded(
            lambda n: f'<div class="x">{link.format(n, words(n)) if n < bad else words(n)}</div>',
        )

    assert part(6) == ("body/div#c/div.x",)
    assert part(5) == ()


def test_a_part_of_one_page_is_not_judged() -> None:
    """A part on one page alone is not judged, unless the cluster has only this page."""

    def link(n: int) -> str:
        return f'<div class="x"><a href="/">{words(n)}</a></div>' if n == 0 else ""

    assert excluded(link) == ()
    assert excluded(link, pages=1) == ("body/div#c/div.x",)


def test_what_holds_much_of_the_text_is_no_boilerplate() -> None:
    """A part with more than three tenths of the container's mass stays, whatever else is in it."""

    def part(n: int) -> str:
        links = f'<a href="/{n}">{words(n + 50, 60)}</a>'
        return f'<div class="x">{words(n + 100, 60)}</div>'.replace("</div>", f"{links}</div>")

    assert excluded(part) == ()
    assert excluded(part, lambda n: f"<p>{words(n + 200, 90)}</p>") == ("body/div#c/div.x",)


def test_outside_the_container_nothing_is_excluded() -> None:
    """Paths outside the container are not judged."""
    pages = placed(*(f'<div id="c"><p>{words(n)}</p></div><div class="menu">Menu</div>' for n in range(4)))
    assert find_excluded(pages, "body/div#c") == ()


def test_headings_in_the_container_are_the_authors() -> None:
    """Recurring headings directly in the container stay, with or without classes; elsewhere they do not."""
    heading = '<h2 class="anchor">{}</h2>'
    few = [heading.format(name) for name in ("Methods", "Events")]
    assert excluded(lambda n: few[n % 2]) == ()
    assert excluded(lambda n: f'<div class="kicker">{few[n % 2]}</div>') == ("body/div#c/div.kicker",)
    inner = [f"<p class=x>{words(n, 60)}</p>{few[n % 2]}<p class=x>{words(n + 50, 60)}</p>" for n in range(9)]
    pages = placed(*(f'<div class="in">{text}</div><div class="other">{words(7)}</div>' for text in inner))
    assert find_excluded(pages, "body") == ("body/div.other",)


def test_preformatted_text_is_the_authors() -> None:
    """The same two commands below many articles are main text."""
    assert excluded(lambda n: f'<pre class="code">{("install", "update")[n % 2]}</pre>') == ()


def test_lists_in_lists_are_the_authors() -> None:
    """A list of links within an item is judged only together with the item's own list."""
    links = '<ul><li><a href="/{}">{}</a></li></ul>'
    assert excluded(lambda n: f"<ul><li>{words(n)} {links.format(n, words(n + 1, 3))}</li></ul>") == ()


def test_a_record_around_the_container_says_nothing_about_its_parts() -> None:
    """A page builder makes three sections with links of a page; the quotation in one of them is main text."""
    section = '<section class="s"><a href="/{0}">More</a>{1}</section>'
    quoting = '<div id="c"><p>{}</p><blockquote class="quote">{}</blockquote></div>'
    pages = placed(
        *(
            "".join(
                section.format(
                    3 * n + k,
                    quoting.format(words(n, 40), words(n + 50, 15))
                    if k == 1
                    else f"<p>{words(n + k + 90, 40)}</p>",
                )
                for k in range(3)
            )
            for n in range(4)
        )
    )
    container = "body/section.s/div#c"
    assert all(page.repeated[page.paths.index(container)] for page in pages)
    assert find_excluded(pages, container) == ()


def test_a_record_at_the_path_of_the_container_says_nothing_about_it() -> None:
    """A line of tags may have the path of the container; the parts in this are judged as ever."""
    card = '<div class="card"><a href="/{0}">{0}</a><p>{1}</p></div>'
    own = '<div id="c"><p>{}</p>{}</div><div id="c">tags</div>'
    bodies = (
        own.format(
            words(7000 + 90 * n, 60), "".join(card.format(4 * n + m, words(99 * n + m, 9)) for m in range(4))
        )
        for n in range(3)
    )
    pages = [page.with_repeated([len(page.paths) - 1]) for page in placed(*bodies)]
    assert find_excluded(pages, "body/div#c") == ("body/div#c/div.card",)


def test_many_comments_are_excluded_however_heavy_they_are() -> None:
    """Repeated records with links are excluded however large their mass is, beside a post of any length."""
    comment = '<div class="comment"><a href="/u/{0}">Name</a><p>{1}</p></div>'
    pages = []
    for n in range(4):
        said = "".join(comment.format(k, words(100 + 30 * n + k, 40)) for k in range(20))
        pages.append(f'<div id="c"><p>{words(n, 60)}</p><div class="all">{said}</div></div>')
    assert find_excluded(placed(*pages), "body/div#c") == ("body/div#c/div.all",)


@given(layouts(), st.data())
def test_of_a_single_page_what_is_new(layout: Layout, data: st.DataObject) -> None:
    """On one page the same paths are found as in a cluster of this page, as far as they are new."""
    (page,) = place([layout], vocabulary_pages=1)
    container = data.draw(st.sampled_from(page.paths))
    wanted = data.draw(st.sets(st.sampled_from(page.paths)))
    found = find_excluded([page], container)
    assert find_excluded_on(page, container, wanted.__contains__) == tuple(p for p in found if p in wanted)


@given(st.lists(layouts(), min_size=1, max_size=4))
def test_the_evidence_explains_what_is_excluded(pages: list[Layout]) -> None:
    """What is excluded has more than the limit against it on most pages."""
    site = place(pages)
    for container in {path for page in site for path in page.paths}:
        found = part_evidence(site, container)
        for path in find_excluded(site, container):
            assert found[path].refused >= 0.6 * found[path].pages
        for one in found.values():
            assert 0 <= one.share <= 1 + 1e-9
            assert 0 <= one.refused <= one.pages <= len(site)
            assert one.weight > 0
