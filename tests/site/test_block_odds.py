"""The main text by what pages are like in general: the evidence of a page's blocks, and the best choice."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from odd_markup import READABLE
from path_pages import layout, place, placed, words
from python_only import python_file

from scrapy_webstemmer.site import block_evidence, block_odds
from scrapy_webstemmer.site.block_evidence import EVIDENCE, evidence_of_blocks, name_words
from scrapy_webstemmer.site.block_odds import likely_text, load_weights
from scrapy_webstemmer.site.placed import PlacedLayout
from scrapy_webstemmer.site.weighing import descend
from scrapy_webstemmer.values import Step

MENU = (
    "<nav class=menu><ul>" + "".join(f"<li><a href=/{n}>Part {n}</a></li>" for n in range(9)) + "</ul></nav>"
)


def paragraphs(first: int, count: int) -> str:
    return "".join(f"<p>{words(number, 30)}, and so on.</p>" for number in range(first, first + count))


def text_of(page: PlacedLayout, article: float = 0.9) -> list[str]:
    """Return the likely main text of a page."""
    found = likely_text(page, (), descend(page), article)
    return [page.layout.blocks[number].text for number in found.blocks]


def test_the_weights_fit_the_evidence() -> None:
    """Each value of each entry has a weight, and all of them are numbers that decide nothing alone."""
    weights = load_weights()
    for own in (weights.articles, weights.others):
        assert [len(one) for one in own.evidence] == [*EVIDENCE.values()]
        numbers = [own.base, *own.words, *(one for row in own.evidence for one in row)]
        assert all(math.isfinite(one) and abs(one) < 5 for one in numbers)
        words_with = dict(zip(weights.words, own.words, strict=True))
        assert words_with["footer"] < 0 < words_with["article"]
    assert len(weights.words) > 100


@given(st.floats(0, 1))
def test_the_weights_are_between_those_of_articles_and_of_others(article: float) -> None:
    """What is surely an article has the weights of articles, what is surely none those of others."""
    weights = load_weights()
    own = weights.for_page(article, frozenset())
    low, high = weights.others, weights.articles
    if article >= 0.8 or article <= 0.5:
        assert own == (high if article >= 0.8 else low)
    for found, *ends in zip(own.words, low.words, high.words, strict=True):
        assert min(ends) - 1e-9 <= found <= max(ends) + 1e-9
    assert weights.for_page(0.65, frozenset()).base == pytest.approx((low.base + high.base) / 2)
    assert weights.for_page(article, frozenset({"type=QAPage"})) == low


def test_the_records_of_a_list_are_its_text() -> None:
    """Teasers that lead to other pages are the text of a page that is no article."""
    records = "".join(
        f"<div class=card><h3><a href=/{n}>{words(n, 5)}</a></h3><p>{words(n + 50, 12)}.</p></div>"
        for n in range(12)
    )
    (page,) = placed(f"{MENU}<main><h1>All goods</h1><div class=cards>{records}</div></main>")
    text = text_of(page, 0.05)
    assert sum(one.endswith(".") for one in text) == 12
    assert not any(one.startswith("Part ") for one in text)


def test_a_page_may_be_read_as_an_article_whatever_it_is() -> None:
    """On a known site articles alone are asked for: teasers are no text of theirs."""
    (page,) = placed(f"{MENU}<main><h1>All goods</h1>{paragraphs(0, 4)}</main>")
    found = [likely_text(page, (), descend(page), odds, as_article=True) for odds in (0.1, 0.9)]
    assert found[0].expected == found[1].expected
    assert found[0].blocks == found[1].blocks


def test_a_text_that_stands_twice_is_taken_once() -> None:
    """A page may have its text for small and for large screens."""
    text = f"<h2>{words(3, 2)}</h2>{paragraphs(0, 6)}"
    (page,) = placed(f"{MENU}<main><div class=small>{text}</div><div class=large>{text}</div></main>")
    found = text_of(page)
    assert len(found) == len({*found}) >= 6


def test_a_refrain_and_short_texts_stay() -> None:
    """What recurs in its own element was meant so; names and prices of a list are too short to tell."""
    verse = f"<p>{words(7, 30)}, and so on.</p>"
    (page,) = placed(f"<article class=post>{paragraphs(0, 3)}{verse}{paragraphs(4, 2)}{verse}</article>")
    blocks = range(len(page.layout.blocks))
    assert block_odds.once(page, blocks) is blocks
    (page,) = placed("<ul><li><p>In stock</p></li><li><p>In stock</p></li></ul>")
    assert block_odds.once(page, range(2)) == range(2)


def test_a_writer_in_a_forum_quotes_others() -> None:
    """A quotation of what another post says is left out."""
    verse, quote = (
        f"<p>{words(7, 30)}, and so on.</p>",
        f"<blockquote><p>{words(7, 30)}, and so on.</p></blockquote>",
    )
    (page,) = placed(f"<div class=post>{verse}</div><div class=post>{quote}{paragraphs(4, 2)}</div>")
    assert [*block_odds.once(page, range(4))] == [0, 2, 3]


@given(st.lists(st.sampled_from(READABLE), max_size=12).map("".join))
def test_once_leaves_each_text(markup: str) -> None:
    """Each text of a page is left at least once, and in order."""
    (page,) = place([layout(markup * 2)])
    blocks = page.layout.blocks
    left = block_odds.once(page, range(len(blocks)))
    assert [*left] == sorted({*left})
    assert {blocks[number].text for number in left} == {block.text for block in blocks}


def test_a_row_with_some_text_is_text_as_a_whole() -> None:
    """Cells beside a chosen one are text, too, and so are the terms of a list; others are not."""
    rows = "<table><tr><th>Lamp</th><td>{}</td><td>7</td></tr></table><dl><dt>By</dt><dd>{}</dd></dl>"
    rows = rows.format(words(20, 9), words(40, 9))
    body = f"<p>{words(1, 9)}</p>{rows}<div>Share</div><p>{words(60, 9)}</p>"
    (page,) = place([layout(body)])
    texts = [block.text for block in page.layout.blocks]
    chosen = [number for number, text in enumerate(texts) if len(text) > 9]
    assert len(chosen) == 4
    found = [texts[number] for number in block_odds._whole(page, chosen)]
    assert found == [text for text in texts if text != "Share"]
    assert [texts[number] for number in block_odds._whole(page, chosen[1:2])] == texts[1:4]


def kept_with(body: str, lost: str) -> list[str]:
    """Return the lines of a text, of which those with a word in them were lost at first."""
    (page,) = place([layout(body)])
    texts = [block.text for block in page.layout.blocks]
    whole = block_odds._whole(page, [number for number, text in enumerate(texts) if lost not in text])
    return [texts[number] for number in whole]


@pytest.mark.parametrize(
    ("label", "count"),
    [
        ("<h6 class=name>{}</h6>", 5),
        ("<div class=name>{}</div>", 5),
        ("<div class=name><a href=/{}>{}</a></div>", 4),  # others of its kind are no links
    ],
)
def test_most_of_a_kind_bring_the_others(label: str, count: int) -> None:
    """What looks as most lines that are text do is text, too; a link among them is another kind."""
    labels = [*(f"<div class=name>Part {name}</div>" for name in "abcd"), label.format("Size", "Size")]
    if "h6" in label:
        labels = [line.replace("<div", "<h6").replace("</div>", "</h6>") for line in labels]
    pairs = "".join(f"{line}<p>{words(20 * at, 9)}</p>" for at, line in enumerate(labels))
    found = kept_with(f"<p>{words(1, 9)}</p>{pairs}<p>{words(60, 9)}</p>", "Size")
    assert sum("Part" in text or "Size" in text for text in found) == count


@pytest.mark.parametrize(("rows", "count"), [(5, 9), (2, 4)])
def test_a_table_is_whole_if_half_of_it_is_text(rows: int, count: int) -> None:
    """Its header, and rows at its end, belong to it."""
    cells = "".join(f"<tr><td>Lamp {n}</td><td>Glass</td></tr>" for n in range(rows))
    lost = "".join(f"<tr><td>No {n}</td><td>No</td></tr>" for n in range(3))
    head = "<tr><th>No name</th></tr>"
    found = kept_with(f"<p>{words(1, 9)}</p><div>No</div><table>{head}{cells}{lost}</table>", "No")
    assert found.count("Glass") == rows
    assert sum("No" in text for text in found) == (7 if count == 9 else 0)


@pytest.mark.parametrize(("kept", "count"), [(2, 4), (1, 1)])
def test_a_list_of_terms_is_whole(kept: int, count: int) -> None:
    """With half of its values it has the others."""
    values = "".join(
        f"<dd>{text}</dd>" for text in ["Lamp", "Glass"][:kept] + ["No a", "No b", "No c"][: 4 - kept]
    )
    found = kept_with(f"<p>{words(1, 9)}</p><dl>{values}</dl><p>{words(60, 9)}</p>", "No")
    assert len(found) == 2 + count


@pytest.mark.parametrize(("below", "count"), [("<p>{}</p>", 1), ("<div>No text</div><p>{}</p>", 0)])
def test_a_heading_stays_above_its_text(below: str, count: int) -> None:
    """If the part below it is text, so is the heading, in whatever element it stands."""
    part = f"<h3 class=x><a href=/lamp>No lamps</a></h3>{below.format(words(20, 9))}<h3>Other</h3>"
    found = kept_with(f"<p>{words(1, 9)}</p>{part}<p>{words(60, 9)}</p>", "No")
    assert found.count("No lamps") == count


def test_rows_are_whole_on_pages_of_unknown_sites_alone() -> None:
    """What is read as an article may be an old page whose rows are its layout."""
    rows = "".join(f"<tr><th>Lamp</th><td>{words(20 * n, 60)}, and so on.</td></tr>" for n in range(4))
    (page,) = place([layout(f"{paragraphs(0, 6)}<table>{rows}</table>{paragraphs(60, 6)}")])
    for as_article, heads in ((False, 4), (True, 0)):
        found = likely_text(page, (), descend(page), 0.9, as_article=as_article)
        assert [page.layout.blocks[number].text for number in found.blocks].count("Lamp") == heads


def test_a_dialog_on_consent_is_no_text() -> None:
    """What asks for consent is left out, though it is longer than the text."""
    asks = f'<div id="onetrust-consent-sdk"><div class="ot-text">{paragraphs(20, 20)}</div></div>'
    (page,) = placed(f"{MENU}<main>{paragraphs(0, 3)}</main>{asks}")
    assert text_of(page) == [f"{words(number, 30)}, and so on." for number in range(3)]


@given(st.lists(st.sampled_from(READABLE), max_size=12).map("".join))
def test_rows_have_values_that_have_weights(markup: str) -> None:
    """Whatever a page is: its blocks have rows of known values, and a choice that is a part of them."""
    (page,) = place([layout(markup)])
    for main, container in (((), 0), (range(len(page.layout.blocks)), descend(page))):
        rows = evidence_of_blocks(page, main, container)
        assert len(rows) == len(page.layout.blocks)
        assert all(
            0 <= value < size for row in rows for value, size in zip(row, EVIDENCE.values(), strict=True)
        )
        found = likely_text(page, main, container, 0.5)
        assert [*found.blocks] == sorted({*found.blocks})
        assert {*found.blocks} <= {*range(len(rows))}
        assert 0 <= found.expected <= 1
        assert 0 <= found.confidence <= 1


def test_all_sections_of_a_list_of_advice_are_the_text() -> None:
    """A text in ten sections is read whole, though its sections are like records, each with a link."""
    sections = "".join(
        f"<div class=step><h2>Step {words(n, 3)}</h2>{paragraphs(10 * n, 2)}<a href=/shop/{n}>See</a></div>"
        for n in range(10)
    )
    (page,) = placed(f"{MENU}<main><h1>Ten steps</h1><div class=steps>{sections}</div></main>")
    text = text_of(page)
    assert sum(one.endswith("and so on.") for one in text) == 20
    assert not any(one.startswith("Part ") for one in text)


def test_a_menu_and_a_footer_are_no_text() -> None:
    """What stands around the text is left out, also if it is long."""
    footer = f"<footer class=site-footer>{paragraphs(50, 2)}</footer>"
    (page,) = placed(f"{MENU}<article class=post>{paragraphs(0, 6)}</article>{footer}")
    assert text_of(page) == [f"{words(number, 30)}, and so on." for number in range(6)]


def test_a_text_that_the_site_repeats_is_none() -> None:
    """Boilerplate is left out, whatever it looks like."""
    body = f"<article class=post>{paragraphs(0, 6)}</article>"
    (page,) = placed(body)
    flags = bytes((1, *[0] * (len(page.layout.blocks) - 1)))
    known = PlacedLayout(
        **{name: getattr(page, name) for name in PlacedLayout.__slots__} | {"boilerplate": flags}
    )
    assert text_of(known) == text_of(page)[1:]


@pytest.mark.parametrize("seed", range(4))
def test_no_other_choice_has_a_better_expected_f1(seed: int) -> None:
    """The choice is the best of all subsets of the blocks."""
    (page,) = placed(
        f"<nav><a href=/a>One</a></nav>{paragraphs(seed, 3)}<div class=more>{paragraphs(9, 2)}</div>"
    )
    count = len(page.layout.blocks)
    expected = [
        block.weight * ((number * 7 + seed * 3) % 10) / 10 for number, block in enumerate(page.layout.blocks)
    ]
    best = block_odds._best(page, expected)
    assert best.expected == pytest.approx(block_odds._f1(page, best.blocks, expected))
    for size in range(1, count + 1):
        for subset in combinations(range(count), size):
            assert block_odds._f1(page, subset, expected) <= best.expected + 1e-9


def test_the_confidence_grows_with_both() -> None:
    """A text is surer right the better the expected F1 is, and the likelier the page is an article."""
    (clear,) = placed(f"{MENU}<article class=post>{paragraphs(0, 9)}</article>")
    (doubtful,) = placed(f"{MENU}<div>{words(1, 4)}</div><div>{words(2, 5)}</div>")
    sure, unsure = (likely_text(page, (), descend(page), 0.9).confidence for page in (clear, doubtful))
    assert sure > 0.8 > unsure
    assert likely_text(clear, (), descend(clear), 0.1).confidence < sure


@given(st.lists(st.sampled_from(["post-body", "postBody", "post", "body", "x", "1"]), max_size=4))
def test_words_of_names(classes: list[str]) -> None:
    """Words are in lower case, with two letters or more, and a name in two cases has two of them."""
    words_found = name_words(Step("div", "", tuple(classes)))
    assert words_found <= {"div", "post", "body"}
    assert ("body" in words_found) == any("ody" in one for one in classes)


def test_the_page_itself_has_no_words() -> None:
    """Names of the root and of the body are those of all blocks."""
    assert name_words(Step("body", "single", ("post",))) == frozenset()


@given(st.lists(st.sampled_from(READABLE), max_size=12).map("".join))
def test_the_words_around_a_block_count_once_each(markup: str) -> None:
    """The log odds of each node are the base and the weights of all words around it; compiled or not."""
    (page,) = place([layout(markup)])
    weights, parents = load_weights(), page.layout.parents
    base, _, own = weights.articles
    known = dict(zip(weights.words, own, strict=True))
    args = page.layout, base, [*own, -30.0], block_odds._telling_words
    found = block_evidence.odds_around(*args)
    assert found == python_file("site.block_evidence").odds_around(*args)
    around: list[frozenset[str]] = []
    for step, parent, odds in zip(page.layout.steps, parents, found, strict=True):
        around.append(name_words(step) | (around[parent] if parent >= 0 else frozenset()))
        assert odds == pytest.approx(base + sum(known.get(word, 0.0) for word in around[-1]))


@given(st.lists(st.sampled_from(READABLE), max_size=12).map("".join), st.data())
def test_expected_text(markup: str, data: st.DataObject) -> None:
    """A block is expected to be main text by the sum of all that speaks for it; boilerplate is none."""
    (page,) = place([layout(markup)])
    size, tables = len(page.layout.blocks), load_weights().articles.evidence
    flags = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
    page, rows = replace(page, boilerplate=bytes(flags)), evidence_of_blocks(page, (), 0)
    around = data.draw(st.lists(st.floats(-99, 99), min_size=len(page.paths), max_size=len(page.paths)))
    found = block_evidence.expected_text(page, rows, tables, around)
    assert found == python_file("site.block_evidence").expected_text(page, rows, tables, around)
    for block, row, is_known, own in zip(page.layout.blocks, rows, flags, found, strict=True):
        odds = around[block.node] + sum(table[value] for table, value in zip(tables, row, strict=True))
        odds = min(30, max(-30, odds))
        assert own == pytest.approx(0 if is_known else block.weight / (1 + math.exp(-odds)))
