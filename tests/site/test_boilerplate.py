from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from path_pages import placed, words
from tree_pages import TEXTS, layouts

from scrapy_webstemmer.page.text import boilerplate_key
from scrapy_webstemmer.site.boilerplate import BoilerplateTexts, boilerplate_texts, keys_of
from scrapy_webstemmer.values import Layout


def boilerplate_on(
    *bodies: str, share: float = 0.02, least: int = 3, title: str = ""
) -> set[tuple[str, str]]:
    pages = [(page.layout, page.places, title, {}) for page in placed(*bodies)]
    return set(boilerplate_texts(pages, share, least))


def test_a_text_on_enough_pages_is_boilerplate() -> None:
    """A text at one path of three pages is boilerplate, of two it is not; a page counts once."""
    assert boilerplate_on("<p>Imprint</p>", "<p>Imprint</p>", "<p>Imprint</p>") == {("body/p", "imprint")}
    assert boilerplate_on("<p>Imprint</p><p>Imprint</p>", "<p>Imprint</p>") == set()


def test_the_share_of_pages_counts_on_large_sites() -> None:
    """If the wanted share of the pages is more than the least number of pages, the share counts."""
    bodies = ["<p>Imprint</p>"] * 3 + ["<div>other</div>"] * 7
    assert boilerplate_on(*bodies, share=0.3) >= {("body/p", "imprint")}
    assert ("body/p", "imprint") not in boilerplate_on(*bodies, share=0.31)


def test_numbers_in_boilerplate_are_folded() -> None:
    """Texts that differ in their digits are the same boilerplate; different numbers alone are not."""
    found = boilerplate_on(*(f"<p>{n} comments</p><b>{n}</b>" for n in range(3)))
    assert found == {("body/p", "0 comments")}


def test_the_same_text_at_another_path_is_another_text() -> None:
    """A text is counted together with its path."""
    assert boilerplate_on("<p>Imprint</p>", "<div>Imprint</div>", "<h1>Imprint</h1>") == set()


def test_recurring_text_among_varying_text_is_the_authors() -> None:
    """A phrase that recurs on some pages stays if most texts at its path differ."""
    bodies = [f"<p>{words(n)}</p>" for n in range(10)]
    bodies[:3] = [f"<p>To upgrade:</p>{body}" for body in bodies[:3]]
    assert boilerplate_on(*bodies) == set()


def test_text_that_most_pages_have_is_boilerplate_among_varying_text() -> None:
    """A phrase on more than half of the pages with its element is boilerplate, whatever else is there."""
    bodies = [f"<p>{words(n)}</p>" for n in range(10)]
    for n in range(6):
        bodies[n] += "<p>All rights reserved</p>"
    assert boilerplate_on(*bodies) == {("body/p", "all rights reserved")}
    assert boilerplate_on(*bodies[1:], bodies[9]) == set()


def test_pages_are_counted_by_the_element_of_the_template() -> None:
    """A text in a rare tag is the author's: it is counted against all pages with the element around it."""
    bodies = [f'<div class="post"><p>{words(n)}</p></div>' for n in range(10)]
    for n in range(3):
        bodies[n] = f'<div class="post"><ul><li>Short answer</li><li>{words(n)}</li></ul></div>'
    assert boilerplate_on(*bodies) == set()


def test_a_path_of_which_most_recurs_is_boilerplate() -> None:
    """If more than half of the text at a path recurs, all recurring texts there are boilerplate."""
    ads = ["Buy our honey and our wax", "Get the printed issue now"]

    def boilerplate_ads(recurring: int) -> set[str]:
        own = [f"{words(n, 3)[:17]} {words(n + 300, 3)[:8]}" for n in range(12)]
        bodies = [
            f"<div>{words(n)}</div><h3>{ads[n % 2] if n < recurring else own[n]}</h3>" for n in range(12)
        ]
        return {text for path, text in boilerplate_on(*bodies) if path == "body/h3"}

    assert boilerplate_ads(8) == {ad.lower() for ad in ads}
    assert boilerplate_ads(6) == set()


def repeated(lists: int, paragraphs: int, articles: int = 30) -> set[str]:
    """Return the boilerplate of a site where some lists repeat all articles in full."""
    told = [[f"{words(9 * n + k, 14)}." for k in range(paragraphs)] for n in range(articles)]
    bodies = ["".join(f"<p>{text}</p>" for text in one) for one in told]
    bodies += ["".join(bodies)] * lists
    return {text for _, text in boilerplate_on(*bodies)}


def test_articles_that_lists_repeat_are_no_boilerplate() -> None:
    """Paragraphs that recur, since lists repeat their articles, are the authors', however many lists."""
    assert repeated(lists=2, paragraphs=2) == set()
    assert repeated(lists=6, paragraphs=2) == set()


@pytest.mark.parametrize(("authors", "is_boilerplate"), [(3, True), (12, False)])
def test_notes_that_a_list_shows_whole(authors: int, is_boilerplate: bool) -> None:
    """On a small site, a note is on its own page and on the list; what is said of an author is on several."""
    notes = [f"<p>{words(9 * n, 14)}.</p>" for n in range(12)]
    bodies = [f"{note}<h4>{words(99 + 9 * (n % authors), 14)}</h4>" for n, note in enumerate(notes)]
    found = boilerplate_on(*bodies, "".join(notes), least=2)
    assert not [text for path, text in found if path == "body/p"]
    assert bool(found) is is_boilerplate


def test_articles_below_the_ones_before_them_are_no_boilerplate() -> None:
    """On a small site whose pages go on with the next two articles, every paragraph is on three pages."""
    told = ["".join(f"<p>{words(9 * n + k, 14)}.</p>" for k in range(4)) for n in range(20)]
    bodies = [told[n] + told[(n + 1) % 20] + told[(n + 2) % 20] for n in range(20)]
    assert not {path for path, _ in boilerplate_on(*bodies)} & {"body/p"}


@pytest.mark.parametrize(
    ("line", "is_data"),
    [
        ("<p>The shares closed at {} euros.</p>", True),
        ("<p>The meeting was called to order by the chair at 7:{} p.m.</p>", True),
        ("<p>This was last seen at 7:{} p.m.</p>", False),
        ("<p>The shares closed at {}</p>", False),
        ("<p class='count'>Readers opened this {} times.</p>", False),
        ("<p>Readers opened this <a href='/'>{} times</a>.</p>", False),
        ("<p>Last change of the page on {} May 2024.</p>", False),
        ("<p>You have read 2 articles for {} euros.</p>", False),
    ],
)
def test_sentences_that_differ_in_their_numbers_are_no_boilerplate(line: str, *, is_data: bool) -> None:
    """Reports of shares are alike but for their data. Counts, days, and what does not differ are none."""
    values = [9] * 12 if "You have" in line else range(10, 22)
    bodies = [line.format(value) + f"<p>{words(n, 14)}</p>" for n, value in enumerate(values)]
    assert bool(boilerplate_on(*bodies)) is not is_data
    assert bool(boilerplate_on(*bodies[:2], least=2)) is not is_data


def test_few_paragraphs_that_recur_are_boilerplate() -> None:
    """Fewer than five paragraphs that recur at a path are boilerplate, and so are short texts that recur."""
    long, short = "a line of some length about the county, longer than sixty characters", "a short line"
    for text, few, boilerplate in ((long, 4, True), (long, 5, False), (short, 5, True)):
        bodies = [f"<p>{words(n)}</p>" for n in range(90)]
        lines = [f"<h4>{words(100 + 9 * n, 3)} {text}</h4>" for n in range(few)]
        for n, line in enumerate(lines):
            bodies[n] += line
            bodies[n + few] += line
        bodies[-1] += "".join(lines)
        assert bool(boilerplate_on(*bodies)) is boilerplate


def test_lines_around_the_title_are_boilerplate() -> None:
    """A line with each page's own title in it counts as the same text on all pages."""
    titles = [words(n, 4) for n in range(3)]
    pages = [
        (page.layout, page.places, title, {})
        for page, title in zip(placed(*(f"<p>Comments on {one}:</p>" for one in titles)), titles, strict=True)
    ]
    assert boilerplate_texts(pages, 0.02, 3) == {("body/p", "comments on \0:")}
    assert boilerplate_on(*(f"<p>Comments on {one}:</p>" for one in titles)) == set()


def test_a_label_that_recurs_before_other_pages_is_boilerplate() -> None:
    """Between texts, a line is the template's if a few pages have its label, with a link to a page each."""
    line = "<p>{}<a href='{}'>{}</a></p>"

    def flagged(label: str, target: str = "/{}.html", behind: str = "<p>A last word</p>") -> int:
        texts = [
            f"<div><p>{words(90 * n, 30)}</p>"
            + line.format(label if n < 3 else words(9 * n, 3) + ": ", target.format(n), words(n, 8))
            + f"{behind}</div><div>Printed</div>"
            for n in range(12)
        ]
        pages = placed(*texts, titles=[words(40 * n, 5) for n in range(12)])
        return sum(page.boilerplate[1] for page in pages)

    assert flagged("Read also: ") == flagged("ALSO READ | ") == flagged("Läs mer: «") == 3
    assert flagged("We saw ") == 0  # no sign ends it
    assert flagged("Source: ", target="https://press.example/{}") == 0
    assert flagged("Source: ", behind="") == 0  # at the foot of the text
    assert flagged("SEE ALSO ") == 3  # capitals need no sign
    lists = "<ul><li>Boats and nets</li></ul>", "<h2>The boats</h2>"
    assert [flagged("Read also: ", behind=behind) for behind in lists] == [3, 3]


def test_a_label_may_stand_in_its_link() -> None:
    """What it is, the texts tell between which it stands; then it is the template's wherever it stands."""
    label = "<p><a href='/{}.html'>{} {}</a></p>"

    def flagged(label: str, first: str) -> list[bool]:
        lines = [label.format(n, first if n < 3 else words(9 * n, 1), words(n, 8)) for n in range(12)]
        bodies = [
            f"<div><p>{words(90 * n, 30)}</p>{line}<p>{words(90 * n + 40, 30)}</p></div>"
            for n, line in enumerate(lines)
        ]
        bodies.append(f"<h1>Boats</h1><div>{lines[0]}<p>{words(7, 30)}</p></div><p>Printed</p>")
        pages = placed(*bodies, titles=[words(40 * n, 5) for n in range(13)])
        return [any(page.boilerplate[:2]) for page in pages]

    for first in ("Read also:", "अधिक पढ़ें -", "延伸阅读：", "Lire aussi |"):
        assert flagged(label, first) == [True] * 3 + [False] * 9 + [True]
    assert not any(flagged(label, "Read also"))


def test_a_title_alone_is_no_line_around_it() -> None:
    """A text with hardly more than the title keeps it; so does a text with a short title in it by chance."""
    (page,) = placed("<h1>What we saw there.</h1><p>An egg in every egg cup</p>")
    for title in ("What we saw there", "egg"):
        keys = list(keys_of([block.text for block in page.layout.blocks], page.places, title))
        assert keys == [("body/h1", "what we saw there."), ("body/p", "an egg in every egg cup")]


@given(
    st.lists(layouts(), max_size=4),
    st.sets(st.tuples(st.sampled_from(["a", "b", "c"]), st.sampled_from([*TEXTS, "Comments on \0"]))),
)
def test_boilerplate_is_found_by_its_key(pages: list[Layout], boilerplate: set[tuple[str, str]]) -> None:
    """A block is boilerplate if the key of its text at its path is."""
    keys = {(path, boilerplate_key(text)) for path, text in boilerplate}
    texts = BoilerplateTexts(keys)
    for page in pages:
        paths = ["abcd"[node % 4] for node in range(len(page.steps))]
        places = [paths[block.node] for block in page.blocks]
        blocks = [block.text for block in page.blocks]
        wanted = [key in keys for key in keys_of(blocks, places, page.title_element)]
        assert list(texts.among(page, places, page.title_element)) == wanted


@given(st.text())
def test_how_a_folded_text_begins(text: str) -> None:
    """A folded text begins with the folded first letter of the text, unless that is a digit."""
    assert boilerplate_key(text)[:1] == text[:1].lower()[:1] or text[:1].isdecimal()
