"""Find the main text of a page: the element that holds it, and the blocks in it (path layouts).

An article is more than the sections that all pages share: headings, lists, quotes and code stand where the
author put them. One element holds them all: the container. The search goes down from the body, as long as
one child holds nearly all of its parent's mass on most pages. *Mass* is text outside links that is not
boilerplate (:meth:`~.model.PlacedLayout.masses`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from ..page.days import is_date_line
from ..page.tags import HEADINGS, TEXT_TAGS
from ..values import Pattern
from .comment_places import with_comments_marked
from .edges import ends_sentence
from .excluded import excluded_on, part_by_path
from .frames import without_frames
from .paths import above, is_bare, tag_of, under_any
from .placed import PlacedLayout
from .running_texts import paragraphs_beside
from .subtrees import children_of, innermost, mark
from .threads import tags_of, without_comments
from .weighing import blocks_with, descend, new_inside, own_texts

#: A supplementary text that recurs is shorter than this.
_LONG_NAME = 40
#: A section near the title is supplementary text from this DiffScore on. In 2009 it was .5, but dates in one
#: format have most of their characters in common.
_SUPPLEMENTARY = 0.25
#: A section of paragraphs before the container is main text from this DiffScore on, as in 2009, and from this
#: MainScore on. It was 50 in 2009, but the standfirsts of today have up to a hundred characters. Fewer pages
#: do not tell what varies.
_LEAD_DIFF, _LEAD_SCORE, _LEAD_PAGES = 0.5, 150, 3
#: Whatever its tag, a block is a paragraph if it has so many characters outside links, about two lines, and
#: at most so much of it is links, if it ends as a sentence, and if it stands in none of these.
_LEAD_WEIGHT, _LEAD_LINKS = 120, 0.2
_NO_LEADS = frozenset("figure figcaption nav aside form li table details".split())
#: What says what stands beside it, and what stands there.
_LABEL_TAGS, _VALUE_TAGS = frozenset({"th", "dt"}), frozenset({"td", "dd"})
#: The heading of a part counts if at least this share of the part's other text is main text.
_PART_HEADINGS, _PART_SHARE = HEADINGS - {"h1"} | {"summary", "p"}, 0.9


class MainText(NamedTuple):
    """The main text of a page, and how it was chosen.

    :param blocks: the indexes of its blocks, in the order of the page.
    :param node: the element in which it was looked for.
    :param learned: whether this is the pattern's container, and not one by the page's own masses.
    :param excluded: the paths of the parts that do not count.
    :param comments: number of blocks that were left out as readers' comments.
    :param lead: its blocks that stand before that element.
    """

    blocks: Sequence[int]
    node: int
    learned: bool
    excluded: Sequence[str]
    comments: int
    lead: Sequence[int] = ()


def main_text(page: PlacedLayout, pattern: Pattern, title: str) -> MainText:
    """Return the main text of a page.

    It has all blocks in the pattern's container, except boilerplate, the title,
    the parts that the pattern excludes, comments, and repeats. If the page lacks the
    container or has nothing in it, the page's own masses give a container.

    :param title: the path of the title. The title is the first element there.
    """
    node, text = container_on(page, pattern.container), None
    if node is not None:
        text = _text_in(page, node, pattern, pattern.excluded, title)
    if text is None or not text.blocks:
        text = _text_in(page, descend(with_comments_marked([page])[0]), pattern, (), title)
        text = text._replace(learned=False)
    lead = _lead(page, pattern, title, text) if text.blocks else []
    beside = paragraphs_beside(page, text.node, text.blocks, _first_at(page, title))
    return text._replace(blocks=sorted({*lead, *beside, *text.blocks}), lead=lead)


def _lead(page: PlacedLayout, pattern: Pattern, title: str, text: MainText) -> list[int]:
    """Return the paragraphs between the title and the container that are main text, too.

    Some templates put the first paragraph beside the title. A standfirst, which is shorter, is no main text.
    """
    places, blocks = page.places, page.layout.blocks
    first = places.index(title) + 1 if title in places else text.blocks[0]
    above = [index for index in range(first, text.blocks[0]) if blocks[index].node < text.node]
    between = [index for index in above if not (page.boilerplate[index] or page.repeated[blocks[index].node])]
    paragraphs = [index for index in between if _is_paragraph(page, index)]
    if pattern.pages < _LEAD_PAGES:  # what stands above the line with the day says what the text is about
        stamp = max([index for index in above if is_date_line(blocks[index])], default=first)
        return [index for index in paragraphs if index >= stamp]
    between = [index for index in between if tag_of(places[index]) == "p" or index in paragraphs]
    if not between:
        return []  # as on most pages
    excluded = under_any([*pattern.excluded, *pattern.cut])
    leads = {
        feature
        for feature, diff, score, _ in pattern.sections
        if diff >= _LEAD_DIFF and score >= _LEAD_SCORE and not excluded(feature)
    }
    return [index for index in between if places[index] in leads]


def _is_paragraph(page: PlacedLayout, index: int) -> bool:
    """Return whether a block is a paragraph, whatever its tag: some sentences outside links, no caption."""
    layout, block = page.layout, page.layout.blocks[index]
    is_text = (
        block.plain >= _LEAD_WEIGHT
        and block.plain >= (1 - _LEAD_LINKS) * block.weight
        and ends_sentence(block.text)
    )
    return is_text and not page.named[block.node] and not innermost(layout, block.node, _NO_LEADS)


def excluded_blocks(page: PlacedLayout, text: MainText) -> list[tuple[str, int]]:
    """Return for each part that does not count for a main text its path, and the number of its blocks."""
    inside = _inside_text(page, text.node)
    within = [path for block, path in zip(page.layout.blocks, page.places, strict=True) if inside[block.node]]
    part_of = part_by_path(tuple(text.excluded))
    counts = Counter(around for place in within for around in {part_of[place], place, *above(place)})
    return [(path, counts[path]) for path in text.excluded if counts[path]]


#: Why a block is not main text: the site repeats it; it stands elsewhere on the page, in a list that leads to
#: other pages or not; a part does not count; it is a comment or says what is said elsewhere.
TEMPLATE, OUTSIDE, LIST, EXCLUDED, SPARED = "template", "outside", "list", "excluded", "spared"


def left_out(page: PlacedLayout, text: MainText) -> dict[int, tuple[str, str]]:
    """Return for each block that is no main text why, and the path of the part that does not count, if any.

    Cost: a look at each block.
    """
    inside, reasons, main = _inside_text(page, text.node), {}, set(text.blocks)
    part_of = part_by_path(tuple(text.excluded))
    for index, (block, path) in enumerate(zip(page.layout.blocks, page.places, strict=True)):
        if index in main:
            continue
        part = part_of[path]
        if page.boilerplate[index]:
            why = TEMPLATE
        elif not inside[block.node]:
            why = LIST if page.leading[block.node] else OUTSIDE
        else:
            why = EXCLUDED if part else SPARED
        reasons[index] = why, part if why == EXCLUDED else ""
    return reasons


def _text_in(
    page: PlacedLayout, node: int, pattern: Pattern, exclusions: Sequence[str], title: str
) -> MainText:
    inside = _inside_text(page, node)
    # the title is the first element at its path; later elements there are the article's
    title_node = _first_at(page, title)
    new = new_inside(page, inside)
    if title_node >= 0:
        new = _below_title(page, node, title_node, new)
    spared = excluded_on(page, new, exclusions)
    paths = (*spared, *pattern.cut)
    counted = own_texts(page, new, part_by_path(paths), title_node)
    # the date lines of comments may stand in excluded parts, or recur, as digits are folded
    kept = without_comments(page, counted) if counted else counted
    comments = len(counted) - len(kept)
    if pattern.frames and kept:
        kept = without_frames(page, kept, pattern.frames)
    main = sorted([*kept, *_labels_of_cells(page, kept), *_headings_of_parts(page, kept)])
    if pattern.kept:
        main = sorted({*main, *_kept_on(page, pattern, title_node)})
    return MainText(main, node, learned=True, excluded=paths, comments=comments)


def _below_title(page: PlacedLayout, node: int, title: int, new: list[int]) -> list[int]:
    """Return the new blocks in a container without those before the element in it that holds the title.

    If the title stands in the container itself, or if most of the text is above it, all of them stay: an
    author may write above the title. News in a line and the weather stand in an element of their own.
    """
    nodes, plains, branch = page.columns.nodes, page.columns.plains, title
    while (parent := page.layout.parents[branch]) > node:
        branch = parent
    if branch == title:
        return new
    # a text without a tag behind the branch is one of the container
    first = next(index for index, other in enumerate(nodes) if branch <= other < page.ends[branch])
    below = [index for index in new if index >= first]
    most = 2 * sum([plains[index] for index in below]) >= sum([plains[index] for index in new])
    return below if most else new


def _kept_on(page: PlacedLayout, pattern: Pattern, title: int) -> Iterator[int]:
    """Yield the blocks that are main text since a correction says so, whatever the rules say.

    A text that the site repeats is one only if its own path is kept: nobody wants a share bar in a kept part.
    """
    kept, blocks = pattern.kept, page.layout.blocks
    under = under_any(kept)
    cut = under_any([path for path in pattern.cut if under(path)])
    for index, (path, repeated) in enumerate(zip(page.places, page.boilerplate, strict=True)):
        wanted = under(path) and not cut(path) and (path in kept or not repeated)
        if wanted and blocks[index].node != title:
            yield index


def _headings_of_parts(page: PlacedLayout, main: Sequence[int]) -> list[int]:
    """Return the boilerplate headings of parts that are main text: "Ingredients" in a part of its own.

    Such a heading is the first block in the element around it, nearly all else of which is main text.
    """
    blocks, steps, parents = page.layout.blocks, page.layout.steps, page.layout.parents
    if not main:
        return []
    heads = [
        index
        for index in range(main[0] + 1, main[-1])
        if page.boilerplate[index] and steps[blocks[index].node].tag in _PART_HEADINGS
    ]
    chosen, kept = set(main), []
    for index in heads:
        part = range(parents[blocks[index].node], page.ends[parents[blocks[index].node]])
        inside, last = 0, index
        while last + 1 < len(blocks) and blocks[last + 1].node in part:
            last += 1
            inside += blocks[last].weight if last in chosen else 0
        below = sum([blocks[other].weight for other in range(index + 1, last + 1)])
        is_first = not index or blocks[index - 1].node not in part
        if is_first and last < len(blocks) - 1 and below and inside >= _PART_SHARE * below:
            kept.append(index)
    return kept


def _labels_of_cells(page: PlacedLayout, main: Sequence[int]) -> list[int]:
    """Return the boilerplate blocks that say what the cells beside them are: a table's headers, terms."""
    blocks, steps, parents = page.layout.blocks, page.layout.steps, page.layout.parents
    rows = {parents[node] for index in main if steps[node := blocks[index][0]][0] in _VALUE_TAGS}
    if not rows:
        return []
    heads = _head_rows(page, rows)
    return [
        index
        for index, (block, boilerplate) in enumerate(zip(blocks, page.boilerplate, strict=True))
        if boilerplate
        and (row := parents[block.node]) in rows | heads
        and (row in heads or steps[block.node].tag in _LABEL_TAGS)
    ]


def _head_rows(page: PlacedLayout, rows: Collection[int]) -> set[int]:
    """Return the rows that head some rows of a table: each stands just before one, with as many cells."""
    steps, ends = page.layout.steps, page.ends
    heads = set()
    all_rows = [node for node, step in enumerate(steps) if step.tag == "tr"]
    for head, row in pairwise(all_rows):
        if row not in rows or head in rows or ends[head] > row:
            continue
        table, table_below = (innermost(page.layout, node, ("table",)) for node in (head, row))
        if table == table_below:
            cells, below = (sum(1 for _ in children_of(node, ends)) for node in (head, row))
            if cells == below > 1:
                heads.add(head)
    return heads


def _first_at(page: PlacedLayout, path: str) -> int:
    """Return the node of the first block at a path; -1: none is there."""
    return page.layout.blocks[page.places.index(path)].node if path in page.places else -1


def _inside_text(page: PlacedLayout, node: int) -> bytearray:
    """Return for each node whether it stands in the element that holds the text, and in no other story."""
    inside = _inside_parts(page, node)
    for story in page.stories:
        if not story <= node < page.ends[story]:
            inside[story : page.ends[story]] = bytes(page.ends[story] - story)
    return inside


def _inside_parts(page: PlacedLayout, node: int) -> bytearray:
    """Return for each node whether it stands in an element, or in one at the same path.

    Some templates divide the text in two, around a picture or an advertisement. Only elements with an id or a
    class in their name count: others may be anything. If they are no siblings, as the rows of a page builder,
    all that stands in the element around them counts. A ``section`` without a name is a part of a text, as
    those beside it are, and the paragraphs between them.
    """
    inside = page.inside(node)
    path, parents = page.paths[node], page.layout.parents
    has_name = not is_bare(path)
    if (not has_name and tag_of(path) != "section") or page.paths.count(path) == 1:
        return inside
    beside = [other for other, name in enumerate(page.paths) if name == path]
    if not has_name:
        beside = [other for other in children_of(parents[node], page.ends) if _may_be_part(page.paths[other])]
    # a page builder may call all its parts widgets, so it means nothing that some of them are called so
    if not page.named[node]:
        beside = [other for other in beside if not page.repeated[other] or page.named[other]]
    around = parents[node]
    while any(not around <= parents[other] < page.ends[around] for other in beside):
        around = parents[around]
    if around != parents[node]:
        return page.inside(around)
    mark(inside, beside, page.ends)
    return inside


def _may_be_part(path: str) -> bool:
    """Return whether an element beside a ``section`` of a text may be text, too."""
    tag = tag_of(path)
    return is_bare(path) and (tag == "section" or tag in TEXT_TAGS)


def supplementary_blocks(
    page: PlacedLayout, pattern: Pattern, main: Sequence[int], title: str, title_path: str
) -> list[int]:
    """Return the indexes of the supplementary blocks: subtitle, byline, date, caption.

    They stand near the title, or between it and the main text, at paths where text
    differs from page to page. A short text of several articles (an author, a desk)
    counts, though it recurs and may be a link. Other links lead away.

    Source: documentation of Webstemmer, SUB: other sections that vary from page
    to page. Departures: only sections near the title count, since elsewhere on a
    page of today they are teasers of other articles; and the DiffScore may be lower.

    :param main: indexes of the main text's blocks, in the order of the page; at least one.
    :param title: the title. A page that shows it in no block has no supplementary blocks.
    :param title_path: the path of the title.

    The pattern of a single page gives none, since one page does not tell what varies.
    """
    blocks = page.layout.blocks
    shown = blocks_with(blocks, title, _first_at(page, title_path)) if pattern.pages >= 2 else []
    if not shown:
        return []
    region = _around_title(page, shown, main)
    taken = {*main, *shown}
    near = [index for index in region if index not in taken and not page.repeated[blocks[index].node]]
    if not near:
        return []
    places = page.places[region.start : region.stop]
    paths = {page.places[index] for index in near}
    varying = {
        section.feature
        for section in pattern.sections
        if section.feature in paths and section.diff_score >= _SUPPLEMENTARY
    }
    supplementary = []
    for index in near:
        block, path = blocks[index], page.places[index]
        if path not in varying:
            continue
        # the DiffScore of several blocks together says nothing about a single one of them that recurs
        is_name = page.boilerplate[index] and len(block.text) < _LONG_NAME and places.count(path) == 1
        if is_name or (block.plain and not page.boilerplate[index]):
            supplementary.append(index)
    return supplementary


def _around_title(page: PlacedLayout, shown: Sequence[int], main: Sequence[int]) -> range:
    """Return the blocks from the start of the element that holds the title to the main text.

    If several blocks show the title, the last one before the main text counts: the
    others are entries of a menu. If the body holds the title, the range begins with
    the title itself.
    """
    title = max((index for index in shown if index < main[0]), default=shown[0])
    end = next((index for index in main if index > title), title)
    holder = page.layout.parents[page.layout.blocks[title].node]
    if holder <= 0:
        return range(title, end)
    inside = range(holder, page.ends[holder])
    first = title
    while first > 0 and page.layout.blocks[first - 1].node in inside:
        first -= 1
    return range(first, end)


def container_on(page: PlacedLayout, path: str) -> int | None:
    """Return the node of a container on a page. If there are several, the one with the most mass counts."""
    paths = page.paths
    if (count := paths.count(path)) < 2:
        return paths.index(path) if count else None
    nodes = [node for node, other in enumerate(paths) if other == path]
    masses = page.masses()
    return max(nodes, key=lambda node: (masses[node], -node))


#: So many characters of a text, of so many blocks, are read for its language.
_READ_CHARACTERS, _READ_BLOCKS = 1_000, 20


def prose(page: PlacedLayout, main: Sequence[int]) -> str:
    """Return the beginning of a main text without listings: code is in no language that people speak."""
    blocks, places = page.layout.blocks, page.places
    kept = islice((index for index in main if "pre" not in tags_of(places[index])), _READ_BLOCKS)
    return "\n".join(blocks[index].text for index in kept)[:_READ_CHARACTERS]
