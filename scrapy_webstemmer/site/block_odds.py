"""Tell main text by what pages are like in general, for a page of which no other page of its site is known.

    log odds of a block  =  BASE + a weight for each entry of its evidence + the words around it
    weight               =  (1 - other) * that of articles + other * that of other pages
    expected F1 of some blocks  =  2 * main text expected in them / (their text + main text expected in all)

The evidence is that of ``block_evidence.py``. A word counts once for a block, however many elements around it
have the word in their name. The blocks that are chosen are those with the best expected F1: no threshold is
set by hand, and where much is doubtful, more is taken.

A list's records are its text, and on an article they are teasers: so there are two sets of weights. ``other``
is 0 for what is most likely an article, 1 for what most likely is none or states that it is a product or a
discussion, and between them in proportion.

The weights are those of a logistic regression over the blocks of pages with known texts: pages of many sites,
eight a site, and pages of seven kinds, one a site, from the development set of WCXB (M. Foley, CC BY 4.0).
``tests/benchmarks/fit_blocks.py`` fits them, writes ``block_weights.json``, and shows how good they are on
sites that had no part in it.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate
from typing import NamedTuple

from ..page.facts import OTHER_KINDS
from ..page.tags import HEADINGS
from ..values import Step
from .block_evidence import EVIDENCE, evidence_of_blocks, expected_text, name_words, odds_around
from .placed import PlacedLayout
from .subtrees import indexes_in, innermost

#: What the page's own masses choose stays if the best choice is expected to be better by at most this: it is
#: whole, as an author wrote it.
_MARGIN = 0.02
#: A text that stands twice is taken once, if it has at least so many significant characters, about a sentence
#: or two: names, prices and buttons of a list recur. Measured with 20 to 400 of them on pages alone.
_SENTENCE = 100
#: What asks for consent to cookies is no text, however long it is: the elements of the most usual services,
#: by their ids and classes.
_CONSENT_NAMES = frozenset(
    "onetrust-consent-sdk onetrust-banner-sdk onetrust-pc-sdk CybotCookiebotDialog didomi-host"
    " usercentrics-root qc-cmp2-container iubenda-cs-banner truste-consent-track cookie-law-info-bar"
    " cmplz-cookiebanner-container cky-consent-container cky-modal osano-cm-window".split()
)
#: The log odds of what stands in these.
_NEVER_ODDS = -30.0
#: Bound: an expected F1 is at least this far from 0 and 1.
_LEAST_SHARE = 1e-3
#: A page with this probability of being an article, or a greater one, is read by the weights of articles
#: alone; with at most that one by those of other pages. Measured: no other pair is better.
_SURE_ARTICLE, _NO_ARTICLE = 0.8, 0.5


#: The cells of tables, the terms of lists with what is said of them, and what holds these.
_CELLS, _TERMS, _GROUPS = frozenset({"td", "th"}), frozenset({"dt", "dd"}), frozenset({"table", "dl"})
#: So much of a group must be text, of the blocks of another kind, and of a heading's part. Measured on 1,294
#: single pages with .33 to .75 of a kind: .6 gains most.
_HALF, _MOST, _PART = 0.5, 0.6, 0.9


class BlockWeights(NamedTuple):
    """The weights for pages of one kind.

    :param base: the log odds of a block without evidence.
    :param evidence: for each entry of the evidence the weights of its values.
    :param words: the weight of each word, in the order of :attr:`Weights.words`.
    """

    base: float
    evidence: tuple[tuple[float, ...], ...]
    words: tuple[float, ...]

    def towards(self, others: BlockWeights, share: float) -> BlockWeights:
        """Return weights between these and others.

        :param share: how much the others count, 0 to 1.
        """
        return BlockWeights(
            _between(self.base, others.base, share),
            tuple(
                tuple([_between(*pair, share) for pair in zip(*entries, strict=True)])
                for entries in zip(self.evidence, others.evidence, strict=True)
            ),
            tuple([_between(*pair, share) for pair in zip(self.words, others.words, strict=True)]),
        )


def _between(first: float, second: float, share: float) -> float:
    return first + share * (second - first)


class Weights(NamedTuple):
    """What was fitted.

    :param words: the words that have weights.
    :param articles: the weights for articles.
    :param others: those for other pages.
    :param confidence: the log odds that a text is right: their base, and by what they grow with the log odds
        of the expected F1, and with the logarithm of the probability that the page is an article.
    """

    words: tuple[str, ...]
    articles: BlockWeights
    others: BlockWeights
    confidence: tuple[float, float, float]

    def for_page(self, article: float, stated: frozenset[str]) -> BlockWeights:
        """Return the weights for a page.

        :param article: the probability that it is an article.
        :param stated: what it states about itself.
        """
        if article <= _NO_ARTICLE or not stated.isdisjoint(OTHER_KINDS):
            return self.others
        if article >= _SURE_ARTICLE:
            return self.articles
        return self.articles.towards(self.others, (_SURE_ARTICLE - article) / (_SURE_ARTICLE - _NO_ARTICLE))


class LikelyText(NamedTuple):
    """The blocks that are most likely the main text.

    :param blocks: their indexes, in the order of the page.
    :param expected: the F1 that is expected, 0 to 1.
    :param confidence: the probability that the text is right, 0 to 1.
    """

    blocks: Sequence[int]
    expected: float
    confidence: float


@cache
def load_weights() -> Weights:
    """Return the weights that the package brings."""
    stored = json.loads(files(__package__).joinpath("block_weights.json").read_text(encoding="utf-8"))
    words = stored["words"]
    articles, others = (
        BlockWeights(
            stored["base"][kind],
            tuple([tuple(stored["evidence"][name][kind]) for name in EVIDENCE]),
            tuple([weights[kind] for weights in words.values()]),
        )
        for kind in range(2)
    )
    return Weights((*words,), articles, others, (*stored["confidence"],))


def likely_text(
    page: PlacedLayout,
    main: Sequence[int],
    container: int,
    article: float,
    margin: float = _MARGIN,
    *,
    as_article: bool = False,
) -> LikelyText:
    """Return the most likely main text of a page, by what pages are like in general. Boilerplate is none.

    :param main: the blocks of the main text by the page's own masses, or by a pattern; they may be none.
    :param container: the element that holds it by these.
    :param article: the probability that the page is an article.
    :param margin: ``main`` stays if the best choice is expected to be better by at most this.
    :param as_article: whether the page is read as an article, whatever it is.

    Cost: some passes over blocks and nodes, and a sort of the blocks.
    """
    # a second regression over the blocks around, boosted trees on this evidence, and the rules of learning
    # as evidence were tried, and gained next to nothing
    weights = load_weights()
    base, tables, words = weights.articles if as_article else weights.for_page(article, page.layout.stated)
    rows = evidence_of_blocks(page, main, container)
    around = odds_around(page.layout, base, [*words, _NEVER_ODDS], _telling_words)
    expected = expected_text(page, rows, tables, around)
    best = _best(page, expected)
    if main and (f1 := _f1(page, main, expected)) >= best.expected - margin:
        best = LikelyText(main, f1, 0.0)
    elif not as_article:  # a row may be the layout of a whole page, as on old sites
        best = best._replace(blocks=_whole(page, best.blocks))
    return LikelyText(once(page, best.blocks), best.expected, _confidence(best.expected, article, weights))


def _whole(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the blocks of a text with the others of their kinds that stand between them.

    Blocks are chosen one by one, and a short one is less likely than its like: a table without some rows, or
    answers without their questions, would say what nobody wrote. So a row is whole, and terms have their
    labels; a table is whole if half of its cells are text, and so are lists of terms. Of other blocks most of
    their kind decide.

    Cost: some looks at each block between the first and the last one.
    """
    between = _around(page, main)
    if len(main) == len(between):  # as of most articles
        return main
    blocks, steps, parents, chosen = page.layout.blocks, page.layout.steps, page.layout.parents, set(main)
    kinds = {index: _kind_of(page, index) for index in between}
    rows = {parents[blocks[index].node] for index in main if kinds[index][0] in _GROUPS}
    chosen |= {
        index for index in between if parents[node := blocks[index].node] in rows and steps[node].tag != "dd"
    }
    whole, kept = Counter(kinds.values()), Counter([kinds[index] for index in chosen])
    for index, kind in kinds.items():
        least = _HALF if kind[0] in _GROUPS else _MOST
        if kept[kind] >= least * whole[kind]:
            chosen.add(index)
    return _with_headings(page, sorted(chosen))


def _around(page: PlacedLayout, main: Sequence[int]) -> range:
    """Return the blocks from the first to the last one of a text, with the tables that these stand in."""
    if not main:
        return range(0)
    layout, between = page.layout, [main[0], main[-1]]
    for index in (main[0], main[-1]):
        if table := innermost(layout, layout.blocks[index].node, ("table",)):
            inside = indexes_in(page.columns.nodes, table, page.ends[table])
            between += (*inside[:1], *inside[-1:])  # none, if its cell is a block before the text around it
    return range(min(between), max(between) + 1)


def _kind_of(page: PlacedLayout, index: int) -> tuple[object, ...]:
    """Return what a block has in common with its like: its table or list, or the names around it."""
    layout, block = page.layout, page.layout.blocks[index]
    step = layout.steps[block.node]
    if step.tag in _CELLS:
        return "table", innermost(layout, block.node, ("table",))
    if step.tag in _TERMS:
        terms = innermost(layout, block.node, ("dl",))
        return "dl", layout.steps[terms].classes, layout.steps[max(layout.parents[terms], 0)].classes
    around = layout.steps[max(layout.parents[block.node], 0)]
    is_linked = 2 * block.plain < block.weight
    flags = is_linked, page.named[block.node], page.repeated[block.node]
    return step.tag, step.classes, around.tag, around.classes, *flags


def _with_headings(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the blocks of a text with the headings between them whose parts are text.

    A part goes to the next heading of this level, or of a higher one. Its first text outside links, and
    nearly all of it, is main text.
    """
    blocks, steps, chosen = page.layout.blocks, page.layout.steps, set(main)
    lost = {
        index
        for index in range(main[0], main[-1])
        if index not in chosen and steps[node := blocks[index].node].tag in HEADINGS and not page.named[node]
    }
    if not lost:
        return main
    between = range(main[0], main[-1] + 1)
    plain = [*accumulate([blocks[index].plain for index in between], initial=0)]
    kept = [*accumulate([blocks[index].plain * (index in chosen) for index in between], initial=0)]
    part_ends, first = [len(between)] * len(HEADINGS), main[-1]
    for at in range(len(between) - 1, -1, -1):
        index = between[at]
        if (tag := steps[blocks[index].node].tag) in HEADINGS:
            level = int(tag[1:]) - 1
            begin, end = at + 1, part_ends[level]
            inside, whole = kept[end] - kept[begin], plain[end] - plain[begin]
            if index in lost and first in chosen and first < between.start + end and inside >= _PART * whole:
                chosen.add(index)
            part_ends[level:] = [at] * (len(HEADINGS) - level)
        if blocks[index].plain:
            first = index
    return sorted(chosen)


def once(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the blocks of a text without those that say once more what others have said.

    A page may have its text twice, for small and for large screens; in a forum an answer quotes what it
    answers. A refrain stays: it stands in the same element as before.

    Cost: a look at each block.
    """
    blocks, parents = page.layout.blocks, page.layout.parents
    first: dict[str, int] = {}
    repeats: list[int] = []
    kept: list[int] = []
    repeated = 0
    for index in main:
        node, text, weight, _ = blocks[index]
        holder = parents[node]
        if first.setdefault(text, holder) != holder:
            repeats.append(index)
            repeated += weight
            continue
        if repeated < _SENTENCE:
            kept += repeats
        repeats, repeated = [], 0
        kept.append(index)
    if repeated < _SENTENCE:
        kept += repeats
    return kept if len(kept) < len(main) else main


@lru_cache(maxsize=16_384)
def _telling_words(step: Step) -> tuple[int, ...]:
    """Return the words in an element's name that have a weight: their numbers in the order of the weights.

    What asks for consent has one more.
    """
    numbers = _numbers()
    telling = sorted([numbers[word] for word in name_words(step) if word in numbers])
    asks = step.id in _CONSENT_NAMES or not _CONSENT_NAMES.isdisjoint(step.classes)
    return (*telling, len(numbers)) if asks else tuple(telling)


@cache
def _numbers() -> Mapping[str, int]:
    return {word: number for number, word in enumerate(load_weights().words)}


def _best(page: PlacedLayout, expected: Sequence[float]) -> LikelyText:
    """Return the blocks with the best expected F1.

    :param expected: for each block its weight times the probability that it is main text.
    """
    blocks, whole = page.layout.blocks, sum(expected)
    likeliest = sorted([(-main / blocks[index].weight, index) for index, main in enumerate(expected) if main])
    most = taken = right = 0.0
    best = 0
    for count, (_, index) in enumerate(likeliest, 1):
        taken += blocks[index].weight
        right += expected[index]
        f1 = 2 * right / (taken + whole)
        if f1 > most:
            most, best = f1, count
    return LikelyText(sorted([index for _, index in likeliest[:best]]), most, 0.0)


def _f1(page: PlacedLayout, indexes: Sequence[int], expected: Sequence[float]) -> float:
    """Return the expected F1 of some blocks."""
    taken = sum([page.layout.blocks[index].weight for index in indexes])
    return 2 * sum([expected[index] for index in indexes]) / max(taken + sum(expected), 1)


def _confidence(expected: float, article: float, weights: Weights) -> float:
    base, unit, of_article = weights.confidence
    odds = base + unit * log_odds(expected) + of_article * math.log(max(article, _LEAST_SHARE))
    return 1 / (1 + math.exp(-odds))


def log_odds(share: float, least: float = _LEAST_SHARE) -> float:
    """Return the log odds of an expected F1 or a probability; neither 0 nor 1 is certain.

    :param least: the share is at least this far from both.
    """
    share = min(max(share, least), 1 - least)
    return math.log(share / (1 - share))


def forget() -> None:
    """Forget what is known by the weights: for a fit, which tries others."""
    _telling_words.cache_clear()
    _numbers.cache_clear()
