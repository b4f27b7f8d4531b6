"""The type of a page: its evidence, its weights, and pages of each type."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from path_pages import words

from scrapy_webstemmer import ExtractOptions, Page, extract
from scrapy_webstemmer.base.parts import finish
from scrapy_webstemmer.extraction.page_steps import read_alone
from scrapy_webstemmer.page.sources import read_layout
from scrapy_webstemmer.verdict.evidence import Evidence
from scrapy_webstemmer.verdict.page_types import (
    PAGE_TYPES,
    TypeEvidence,
    type_evidence,
    type_probabilities,
    type_weights,
    words_on,
)

ALL = ExtractOptions(all_kinds=True)
NOTHING = TypeEvidence(*[0.0] * len(TypeEvidence._fields))


def evidence_on(html: str, url: str = "http://a.example/") -> TypeEvidence:
    """Return the evidence on the type of a page."""
    layout = finish(read_layout(Page(url, html.encode()), None, ALL.limits))
    page = finish(read_alone(layout, ALL)).page
    assert page is not None
    return type_evidence(page.placed, page.parts.main, Evidence(slug=0.5), 0.5, page.confidence)


def test_the_weights_are_those_of_the_evidence() -> None:
    """There is a weight of each piece of evidence for each type, in their order, and words have some."""
    weights = type_weights()
    assert [*weights.evidence] == [*TypeEvidence._fields]
    assert weights.words
    rows = [weights.base, *weights.evidence.values(), *weights.words.values()]
    assert {len(row) for row in rows} == {len(PAGE_TYPES)}
    assert [*PAGE_TYPES] == sorted(PAGE_TYPES)  # as the regression has them


@given(
    st.lists(st.floats(-20, 20), min_size=len(NOTHING), max_size=len(NOTHING)),
    st.frozensets(st.sampled_from(["none", *type_weights().words])),
)
def test_probabilities_of_all_types_add_up(values: list[float], on_page: frozenset[str]) -> None:
    """Whatever the evidence, each type has a probability, and their sum is 1."""
    found = type_probabilities(TypeEvidence(*values), on_page)
    assert [*found] == [*PAGE_TYPES]
    assert math.isclose(sum(found.values()), 1)
    assert all(0 <= one <= 1 for one in found.values())


@pytest.mark.parametrize(
    ("stated", "name"),
    [
        ("typed_forum", "forum"),
        ("typed_product", "product"),
        ("odds", "article"),
        ("code", "documentation"),
        ("leading", "collection"),
    ],
)
def test_what_speaks_for_a_type(stated: str, name: str) -> None:
    """What a page states as its type, its odds, its code and its records make their type more likely."""
    with_it = NOTHING._replace(**{stated: 2.0})
    assert type_probabilities(with_it, frozenset())[name] > type_probabilities(NOTHING, frozenset())[name]


@pytest.mark.parametrize(
    "text", ["$ 5", "€12", "12 €", "USD 7", "7,50 EUR", "¥100", "100円", "₹ 1.200", "199 kr", "49 zł", "US$5"]
)
def test_a_price_is_known_in_any_currency(text: str) -> None:
    """A sign or a code beside a number is a price."""
    assert evidence_on(f"<h1>A lamp</h1><p>{text}</p>").priced == 1


@pytest.mark.parametrize(
    "text", ["12", "12 pieces", "EURO 2024", "100 krakens", f"It costs $5, {words(1, 12)}"]
)
def test_what_is_no_price(text: str) -> None:
    """A number alone is none, nor is one in a sentence."""
    assert evidence_on(f"<h1>A lamp</h1><p>{text}</p>").priced == 0


def test_evidence_of_a_page() -> None:
    """Each piece of evidence is what its name says."""
    html = (
        '<script type="application/ld+json">{"@type": "Product"}</script><h1>A heading</h1>'
        "<pre>x = 1</pre><dl><dt>One</dt><dd>Two</dd></dl><p>Some text of the page, which is long enough.</p>"
    )
    found = evidence_on(html, "http://a.example/shop/lamps/4711?a=1")
    assert (found.depth, found.numbered, found.slug, found.odds) == (3, 1, 0.5, 0)
    assert (found.typed_product, found.typed_products, found.typed_forum) == (1, 0, 0)
    assert (found.code, found.terms, found.main_linked) == (math.log1p(1), math.log1p(2), 0)
    assert 0 < found.sure < 1
    bare = evidence_on("<p>Some text of the page, which is long enough.</p>", "http://[/")
    assert (bare.depth, bare.numbered, bare.terms, bare.priced, bare.typed_product) == (0, 0, 0, 0, 0)


def test_shares_of_a_list() -> None:
    """Records that lead to other pages are a share of all text."""
    records = "".join(f'<li class="r"><a href="/p/{n}">{words(n, 5)}</a></li>' for n in range(9))
    assert evidence_on(f'<ul class="l">{records}</ul><p>Text</p>').leading > 0.9
    assert evidence_on(f"<p>{words(1, 50)}</p>").leading == 0


def test_words_are_those_of_elements() -> None:
    """Tags, ids and classes are taken apart; what people read is not."""
    layout = finish(
        read_layout(Page("", b'<div id="forumTopic" class="post-body"><p>Other'), None, ALL.limits)
    )
    read = finish(read_alone(layout, ALL)).page
    assert read is not None
    assert words_on(read.placed) == {"div", "p", "forum", "topic", "post", "body"}


def _forum() -> str:
    posts = "".join(
        f'<div class="post" id="post{n}"><a href="/user/{n}">User{n}</a><time>2024-05-0{n}</time>'
        f"<p>{words(n, 40)}</p></div>"
        for n in range(1, 8)
    )
    stated = '<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>'
    return f'{stated}<h1>{words(9, 6)}</h1><div class="topic thread">{posts}</div>'


def _product() -> str:
    stated = '<script type="application/ld+json">{"@type": "Product", "offers": {"@type": "Offer"}}</script>'
    return (
        f'{stated}<h1>Lamp</h1><div class="product"><p class="price">$ 49.00</p><form class="cart"></form>'
        f"<p>{words(4, 40)}</p></div>"
    )


def _collection() -> str:
    records = "".join(
        f'<div class="card"><a href="/p/{n}">{words(n, 4)}</a><span>$ {n}</span></div>' for n in range(20)
    )
    return f'<h1>Lamps</h1><div class="grid">{records}</div>'


@pytest.mark.parametrize(
    ("html", "url", "name"),
    [
        (_forum(), "http://forum.example/t/some-question-about/1234", "forum"),
        (_product(), "http://shop.example/lamp", "product"),
        (_collection(), "http://shop.example/category/lamps", "collection"),
    ],
)
def test_pages_of_types(html: str, url: str, name: str) -> None:
    """A page that is asked for has its type, with a probability."""
    found = extract(html, url=url, options=ALL)
    assert found.page_type == name
    assert found.page_type_confidence is not None
    assert 0.4 < found.page_type_confidence <= 1
