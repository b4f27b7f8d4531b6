"""Tell of which type a page is, for those who ask for all kinds of pages: an article, a product, and so on.

    score of a type  =  its base + sum over the evidence of its WEIGHT * value + sum over the words of WEIGHT
    probability      =  e to its score, divided by the sum of these over all types

The evidence is what the verdict knows, what the page states, and what its layout shows: code, prices, terms
with their definitions, records that lead to other pages. The words are those in the tags, ids and classes of
the page's elements, each once; nothing is said of words that people read.

The weights are those of a multinomial logistic regression on pages of known types, one a site, from the
development set of WCXB (M. Foley, CC BY 4.0), and on articles of many more sites.
``tests/benchmarks/fit_page_types.py`` fits them, writes ``page_type_weights.json``, and shows how good they
are on sites that had no part in it. WCXB's listings and collections are one type here: nobody could rely on
the difference.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple
from urllib.parse import urlsplit

from ..page.facts import DISCUSSION, PRODUCT, PRODUCTS
from ..site.block_evidence import name_words
from ..site.block_odds import log_odds
from ..site.placed import PlacedLayout
from .classifier import MOST_ODDS
from .evidence import Evidence

#: The types, as pages get them. A collection lists other pages: a shop's goods, a blog's posts, jobs.
PAGE_TYPES = ("article", "collection", "documentation", "forum", "product", "service")


class PageType(NamedTuple):
    """The type of a page: one of :data:`PAGE_TYPES`, and the probability that it is right, 0 to 1."""

    name: str
    probability: float


# Left out, since the loss is lower by less than .002 with it: og:type of an article, dates in urls, comments,
# forms, images that are links, the length of the main text, and its share in headings, paragraphs and lists.
class TypeEvidence(NamedTuple):
    """The evidence on the type of a page. A share is of the text, from 0 to 1; a count n is log(1 + n).

    What the verdict knows:

    :param odds: the log odds that the page is an article, from -6 to 6.
    :param slug, in_list_folder, list_page, typed_article, body_static, text, named: as in :class:`Evidence`.

    What the page states as its type, in JSON-LD, in microdata or as ``og:type``; 1 for yes, 0 for no:

    :param typed_product: a product, or an offer of one.
    :param typed_products: several of them.
    :param typed_forum: a discussion, or a question with its answers.

    What the page shows:

    :param depth: number of parts of its url's path, at most 6.
    :param numbered: a number of three digits or more is in the path: 1, else 0.
    :param code: count of ``pre`` elements.
    :param terms: count of ``dt`` and ``dd`` elements.
    :param priced: a short block names a price, whatever the currency: 1, else 0.
    :param leading: share of all text in records that lead to other pages.
    :param main_linked: share of the main text in links.
    :param sure: the confidence in the main text, 0 to 1.
    """

    odds: float
    slug: float
    in_list_folder: float
    list_page: float
    typed_article: float
    body_static: float
    text: float
    named: float
    typed_product: float
    typed_products: float
    typed_forum: float
    depth: float
    numbered: float
    code: float
    terms: float
    priced: float
    leading: float
    main_linked: float
    sure: float


_OF_VERDICT = TypeEvidence._fields[1 : TypeEvidence._fields.index("typed_product")]
#: What pages state as their type, by the piece of evidence.
_STATED = {"typed_product": PRODUCT, "typed_products": PRODUCTS, "typed_forum": DISCUSSION}
#: A price stands in a block of at most so many characters: in a sentence it need not be that of the page.
_PRICE_LINE = 60
#: The signs of currencies in Unicode, and codes and letters that stand for currencies.
_CURRENCY_SIGN = (
    "[$\u00a2-\u00a5\u058f\u060b\u09f2\u09f3\u0e3f\u17db\u20a0-\u20c0"
    "\ufdfc\ufe69\uff04\uffe0\uffe1\uffe5\uffe6]"
)
_CURRENCY_CODE = (
    "(?:USD|EUR|GBP|CHF|JPY|CNY|RMB|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|INR|kr|z\u0142|K\u010d"
    "|\u5186|\u5143)"
)
_PRICE = re.compile(
    rf"{_CURRENCY_SIGN}\s?\d|\d\s?{_CURRENCY_SIGN}|\b{_CURRENCY_CODE}\s?\d|\d\s?{_CURRENCY_CODE}(?!\w)"
)
_LONG_NUMBER = re.compile(r"\d{3}")
#: The log odds are between minus ``MOST_ODDS`` and it.
_LEAST_PROBABILITY = 1 / (1 + math.exp(MOST_ODDS))
#: Deeper paths tell no more.
_MOST_DEPTH = 6


def type_evidence(
    page: PlacedLayout, main: Sequence[int], evidence: Evidence, probability: float, sure: float
) -> TypeEvidence:
    """Return the evidence on the type of a page.

    :param main: indexes of the blocks of the main text.
    :param evidence: that on whether the page is an article.
    :param probability: the probability that it is one.
    :param sure: the confidence in the main text, 0 to 1.

    Cost: a pass over blocks and nodes.
    """
    layout = page.layout
    blocks = layout.blocks
    whole = sum([block.weight for block in blocks]) or 1
    weight = sum([blocks[number].weight for number in main]) or 1
    tags = [step.tag for step in layout.steps]
    short = [block.text for block in blocks if len(block.text) <= _PRICE_LINE]
    depth, numbered = _of_path(page.url)
    return TypeEvidence(
        odds=log_odds(probability, _LEAST_PROBABILITY),
        **{name: getattr(evidence, name) for name in _OF_VERDICT},
        **{name: float(not facts.isdisjoint(layout.stated)) for name, facts in _STATED.items()},
        depth=depth,
        numbered=numbered,
        code=math.log1p(tags.count("pre")),
        terms=math.log1p(tags.count("dt") + tags.count("dd")),
        priced=float(_PRICE.search("\n".join(short)) is not None),
        leading=sum([block.weight for block in blocks if page.leading[block.node]]) / whole,
        main_linked=1 - sum([blocks[number].plain for number in main]) / weight,
        sure=sure,
    )


def _of_path(url: str) -> tuple[float, float]:
    """Return the depth of a url's path, and whether it has a number."""
    try:
        path = urlsplit(url).path
    except ValueError:  # an invalid address says nothing
        return 0.0, 0.0
    parts = [part for part in path.split("/") if part]
    return float(min(_MOST_DEPTH, len(parts))), float(_LONG_NUMBER.search(path) is not None)


def words_on(page: PlacedLayout) -> frozenset[str]:
    """Return the words in the tags, ids and classes of a page's elements. Cost: a look-up per node."""
    return frozenset().union(*map(name_words, set(page.layout.steps)))


class TypeWeights(NamedTuple):
    """What was fitted: for each type, in their order, its base and the weight of each piece of evidence."""

    base: tuple[float, ...]
    evidence: Mapping[str, tuple[float, ...]]
    words: Mapping[str, tuple[float, ...]]


@cache
def type_weights() -> TypeWeights:
    """Return the weights that the package brings."""
    stored = json.loads(files(__package__).joinpath("page_type_weights.json").read_text(encoding="utf-8"))
    evidence, words = (
        {name: tuple(row) for name, row in stored[part].items()} for part in ("evidence", "words")
    )
    return TypeWeights(tuple(stored["base"]), evidence, words)


def type_probabilities(evidence: TypeEvidence, words: frozenset[str]) -> dict[str, float]:
    """Return the probability of each type; their sum is 1."""
    base, weights, word_weights = type_weights()
    rows = [base, *(word_weights[word] for word in sorted(words & word_weights.keys()))]
    for name, value in evidence._asdict().items():
        if value:
            rows.append(tuple(value * weight for weight in weights[name]))
    scores = [math.fsum(column) for column in zip(*rows, strict=True)]
    most = max(scores)
    shares = [math.exp(score - most) for score in scores]
    return dict(zip(PAGE_TYPES, [share / sum(shares) for share in shares], strict=True))


def page_type(
    page: PlacedLayout, main: Sequence[int], evidence: Evidence, probability: float, sure: float
) -> PageType:
    """Return the type of a page; the parameters are those of :func:`type_evidence`."""
    likely = type_probabilities(type_evidence(page, main, evidence, probability, sure), words_on(page))
    return PageType(*max(likely.items(), key=lambda item: item[1]))
