"""What became of the texts of a page, and of the sections and parts of a layout, and by which rule."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from ..extraction.result import Result
from ..site.excluded import BOILERPLATE, PartEvidence, part_evidence
from ..site.main_text import EXCLUDED, LIST, OUTSIDE, SPARED, TEMPLATE, left_out, supplementary_blocks
from ..site.paths import is_under
from ..site.placed import PlacedLayout
from ..values import Pattern, Section
from .reviewed import BEGINNING, Review, ReviewedLayout

#: What may become of a block, with the words for it.
FATES: Mapping[str, str] = {
    "title": "the title",
    "main": "main text",
    "sub": "supplementary text, such as a byline or a date",
    SPARED: "a comment, a line of the template, or what stands elsewhere as well",
    EXCLUDED: "a part that is left out",
    LIST: "a list that leads to other pages",
    OUTSIDE: "outside the element that holds the text",
    TEMPLATE: "what the site repeats",
}

#: The letters that stand for these, beside the colours.
LETTERS = dict(zip(FATES, "TMSRXLON", strict=True))


class Run(NamedTuple):
    """Blocks of a page that stand one after the other, and of which the same became.

    :param fate: one of :data:`FATES`; empty: nothing is known of it.
    :param part: the path of the part that is left out, if it is; else the path of the first block.
    """

    fate: str
    part: str
    blocks: list[int]


def runs_of(result: Result) -> list[Run]:
    """Return the blocks of a page in runs, in the order of the page."""
    if result.layout is None:
        return []
    fates = _fates(result)
    places = result.page.placed.places if result.page else ()
    runs = []
    for (fate, part), group in groupby(range(len(result.layout.blocks)), lambda n: fates.get(n, ("", ""))):
        blocks = [*group]
        runs.append(Run(fate, part or (places[blocks[0]] if places else ""), blocks))
    return runs


def _fates(result: Result) -> dict[int, tuple[str, str]]:
    """Return for each block what became of it, and the path of the part that is left out and holds it."""
    if result.page is None:
        return {}
    placed, match, (title, place, main, chosen), *_ = result.page
    fates = left_out(placed, chosen) | dict.fromkeys(main, ("main", ""))
    if place in placed.places:
        blocks = placed.layout.blocks
        node = blocks[placed.places.index(place)].node
        titles = (index for index, block in enumerate(blocks) if block.node == node)
        fates |= dict.fromkeys(titles, ("title", ""))
    if main:
        sub = supplementary_blocks(placed, match.pattern, main, title, place)
        fates |= dict.fromkeys(sub, ("sub", ""))
    return fates


class SectionLine(NamedTuple):
    """A section of a layout, with what becomes of it on the layout's pages.

    :param fates: for each fate, how many blocks of the sampled pages have it.
    :param texts: some of its texts.
    :param part: the path of the part that is left out and holds it; empty: there is none.
    """

    section: Section
    pages: int
    fates: Mapping[str, int]
    texts: Sequence[str]
    part: str = ""


#: So many pages of a layout show what becomes of its sections; so many texts of a section are shown.
_PAGES_READ, _TEXTS_SHOWN = 20, 3
#: A part is near the limit if this share of its text more or less would change what becomes of it.
_NEAR_LIMIT = 0.15


class PartLine(NamedTuple):
    """A part of the element that holds the text, and by which rule it is text or is not.

    :param evidence: what speaks against it on some pages.
    :param diff_score: of the layout's section at its path; None: there is none.
    :param rule: the rule that leaves it out; empty: it is not left out.
    """

    path: str
    evidence: PartEvidence
    diff_score: float | None
    rule: str

    @property
    def is_near(self) -> bool:
        """Whether it is text, or is not, by little."""
        return abs(self.evidence.share - BOILERPLATE) < _NEAR_LIMIT


def layout_lines(
    review: Review, name: str, layout: ReviewedLayout
) -> tuple[list[SectionLine], list[PartLine]]:
    """Return the sections of a layout in their order, and the parts of the element that holds its text.

    Cost: that of extracting some pages.
    """
    pattern = layout.pattern
    urls = [row.url for row in review.pages(name) if row.layout == layout.number and not row.reason]
    fates: dict[str, Counter[str]] = defaultdict(Counter)
    texts: dict[str, dict[str, None]] = defaultdict(dict)
    pages: Counter[str] = Counter()
    read: list[PlacedLayout] = []
    for url in urls[:_PAGES_READ]:
        result = review.result(url)
        if result is None or result.page is None:
            continue
        fate_of, placed = _fates(result), result.page.placed
        read.append(placed)
        for index, (block, path) in enumerate(zip(placed.layout.blocks, placed.places, strict=True)):
            fates[path][fate_of.get(index, ("", ""))[0]] += 1
            texts[path].setdefault(block.text[:BEGINNING])
        pages.update({*placed.places})
    excluded = (*pattern.excluded, *pattern.cut)
    sections = [
        SectionLine(
            section,
            pages[section.feature],
            fates[section.feature],
            [*texts[section.feature]][:_TEXTS_SHOWN],
            next((part for part in excluded if is_under(section.feature, part)), ""),
        )
        for section in pattern.sections
    ]
    return sections, part_lines(read, pattern, excluded)


def part_lines(pages: Sequence[PlacedLayout], pattern: Pattern, excluded: Sequence[str]) -> list[PartLine]:
    """Return the parts that are left out, and those that nearly are, those with most text first.

    :param pages: some pages of a layout.
    :param excluded: the paths that do not count there.
    """
    if not pages:
        return []
    scores = {section.feature: section.diff_score for section in pattern.sections}
    lines = (
        PartLine(path, evidence, scores.get(path), _rule(path, evidence, pattern, excluded))
        for path, evidence in part_evidence(pages, pattern.container).items()
    )
    shown = (line for line in lines if line.rule or line.is_near)
    return sorted(shown, key=lambda line: -line.evidence.weight)


def _rule(path: str, evidence: PartEvidence, pattern: Pattern, excluded: Sequence[str]) -> str:
    """Return the rule that leaves out a part; empty: it is not left out, or an element around it is."""
    if path in pattern.cut:
        return "a correction"
    if path not in excluded:
        return ""
    if evidence.share > BOILERPLATE:
        return f"more than {BOILERPLATE:.0%} of its text is repeated, in records or in links"
    return "so it was on the pages that were learned from, or on this page"
