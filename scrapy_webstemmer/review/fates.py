"""What became of the texts of a page, and of the sections and parts of a layout, and by which rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..site.excluded import BOILERPLATE, PartEvidence, part_evidence
from ..site.main_text import EXCLUDED, LIST, OUTSIDE, SPARED, TEMPLATE, left_out, supplementary_blocks
from ..site.paths import is_under
from .reviewed import BEGINNING, Review, ReviewedLayout

if TYPE_CHECKING:
    from ..extraction.result import Result
    from ..site.placed import PlacedLayout
    from ..values import Pattern

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
    found: list[Run] = []
    for index in range(len(result.layout.blocks)):
        fate, part = fates.get(index, ("", ""))
        if not found or (found[-1].fate, fate == EXCLUDED and found[-1].part != part) != (fate, False):
            found.append(Run(fate, part or (places[index] if places else ""), []))
        found[-1].blocks.append(index)
    return found


def _fates(result: Result) -> dict[int, tuple[str, str]]:
    if result.page is None:
        return {}
    placed, match, (title, place, main, chosen), *_ = result.page
    found = left_out(placed, chosen) | dict.fromkeys(main, ("main", ""))
    shown = next((index for index, path in enumerate(placed.places) if path == place), None)
    if shown is not None:
        node = placed.layout.blocks[shown].node
        own = (index for index, block in enumerate(placed.layout.blocks) if block.node == node)
        found |= dict.fromkeys(own, ("title", ""))
    if main:
        sub = supplementary_blocks(placed, match.pattern, main, title, place)
        found |= dict.fromkeys(sub, ("sub", ""))
    return found


class SectionLine(NamedTuple):
    """A section of a layout, with what becomes of it on the layout's pages.

    :param fates: for each fate, how many blocks of the sampled pages have it.
    :param values: some of its texts.
    :param part: the path of the part that is left out and holds it; empty: there is none.
    """

    feature: str
    diff_score: float
    main_score: float
    pages: int
    fates: Mapping[str, int]
    values: Sequence[str]
    part: str = ""


#: So many pages of a layout show what becomes of its sections; so many texts of a section are shown.
_SHOWING, _VALUES = 20, 3
#: A part is near the limit if this share of its text more or less would change what becomes of it.
_NEAR = 0.15


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
        return abs(self.evidence.share - BOILERPLATE) < _NEAR


def layout_lines(
    review: Review, name: str, layout: ReviewedLayout
) -> tuple[list[SectionLine], list[PartLine]]:
    """Return the sections of a layout in their order, and the parts of the element that holds its text.

    Cost: that of extracting some pages.
    """
    pattern = layout.pattern
    own = [row.url for row in review.pages(name) if row.layout == layout.number and not row.reason][:_SHOWING]
    fates: dict[str, Counter[str]] = {}
    values: dict[str, dict[str, None]] = {}
    pages: Counter[str] = Counter()
    read: list[PlacedLayout] = []
    for url in own:
        result = review.result(url)
        if result is None or result.page is None or result.layout is None:
            continue
        known, placed = _fates(result), result.page.placed
        read.append(placed)
        for index, (block, path) in enumerate(zip(result.layout.blocks, placed.places, strict=True)):
            fates.setdefault(path, Counter())[known.get(index, ("", ""))[0]] += 1
            values.setdefault(path, {}).setdefault(block.text[:BEGINNING])
        pages.update({*placed.places})
    out = (*pattern.excluded, *pattern.cut)
    sections = [
        SectionLine(
            one.feature,
            one.diff_score,
            one.main_score,
            pages[one.feature],
            fates.get(one.feature, {}),
            [*values.get(one.feature, {})][:_VALUES],
            next((part for part in out if is_under(one.feature, part)), ""),
        )
        for one in pattern.sections
    ]
    return sections, part_lines(read, pattern, out)


def part_lines(pages: Sequence[PlacedLayout], pattern: Pattern, excluded: Sequence[str]) -> list[PartLine]:
    """Return the parts that are left out, and those that nearly are, those with most text first.

    :param pages: some pages of a layout.
    :param excluded: the paths that do not count there.
    """
    if not pages:
        return []
    scores = {one.feature: one.diff_score for one in pattern.sections}
    found = (
        PartLine(path, one, scores.get(path), _rule(path, one, pattern, excluded))
        for path, one in part_evidence(pages, pattern.container).items()
    )
    return sorted((one for one in found if one.rule or one.is_near), key=lambda one: -one.evidence.weight)


def _rule(path: str, found: PartEvidence, pattern: Pattern, excluded: Sequence[str]) -> str:
    """Return the rule that leaves out a part; empty: it is not left out, or an element around it is."""
    if path in pattern.cut:
        return "a correction"
    if path not in excluded:
        return ""
    if found.share > BOILERPLATE:
        return f"more than {BOILERPLATE:.0%} of its text is repeated, in records or in links"
    return "so it was on the pages that were learned from, or on this page"
