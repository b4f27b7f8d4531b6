"""Read the topics of an article near its text: marked ones, those of a line with a label, or its categories.

Many sites give an article both topics and a category or two, others categories alone. So categories count
where a page has no topics. What a sidebar, a menu or a cloud has are the topics of the site.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence

from ..page.days import CATEGORIES, KEYWORDS, TOPICS, label_of_topics
from ..page.marks import CATEGORY, TOPIC, Mark, block_at
from ..page.names import is_topic
from ..page.text import TAG, fold, letters
from ..site.named_parts import COMMENTS, MENUS, METADATA, in_footer, is_in, kind_of
from ..site.placed import PlacedLayout
from ..site.subtrees import indexes_in, innermost
from .field_places import topics_of_line, without_count

#: A line of topics has at most so many letters beside them.
_LONGEST_LABEL = 40
#: A line with a label stands at most so many blocks before the text, or behind it, and an element with topics
#: behind it. A topic in a line that is no link has at most so many characters.
_BEFORE, _BEHIND, _BOX_BEHIND, _LONGEST_TOPIC = 8, 24, 12, 40
_COLON, _BETWEEN = re.compile("[:：]"), re.compile(r"(?<!\s)\s*+[,，、;]\s*+")
_LINK = re.compile(r"<a\b")
#: Where all topics of a site stand, too: in a list with such a name, and in such parts.
_CLOUD = re.compile("tag[-_]?cloud|cloud[-_]?tag", re.IGNORECASE)
_WIDGET = frozenset({"widget"})
_PARTS = MENUS | {"footer"}
#: The kind of an element with topics.
_BOX = "tags"
#: A list below a label has at most so many topics, of so many words: others are the topics of the site, or
#: titles. So many elements are around it.
_MOST_BELOW, _MOST_WORDS, _AROUND_LIST = 10, 5, 4
#: The headings of which one says that a ``header`` is that of the article, and no bar of the site.
_TITLES = frozenset({"h1", "h2"})
#: The category of what is in none, in the usual languages of publishing systems.
_NO_CATEGORY = re.compile(
    r"(?i)un-?categori[sz]ed|non class[eé]|sin categor[ií]a|sem categoria|senza categoria|geen categorie"
    r"|[ou]kategori[sz]er\w+|(?:brak|bez) kategori\w+|nezařazen[eé]|без рубрики|kategorisiz|未分[类類]|미분류"
)


def topics_near(
    page: PlacedLayout,
    main: Sequence[int],
    head: Callable[[], Collection[int]],
    marks_of: Callable[[str], Sequence[Mark]],
    line_of: Callable[[int], str],
) -> list[str]:
    """Return the topics of an article that its page shows around the text, but no categories.

    :param main: the blocks of the main text.
    :param head: returns the blocks around the title that may show what is about the article.
    :param marks_of: returns the marks of a kind near the text.
    :param line_of: returns a block's line.

    Cost: a search for marks, and a look at some lines.
    """
    return (
        _marked(page, main, head, marks_of(TOPIC), line_of)
        or _labelled(page, main, (TOPICS, KEYWORDS), line_of)
        or _boxed(page, main, line_of)
    )


def categories_near(
    page: PlacedLayout,
    main: Sequence[int],
    head: Callable[[], Collection[int]],
    marks_of: Callable[[str], Sequence[Mark]],
    line_of: Callable[[int], str],
) -> list[str]:
    """Return the categories of an article as :func:`topics_near` does; a list of them is a menu."""
    blocks, leading = page.layout.blocks, page.leading
    single = [
        mark
        for mark in marks_of(CATEGORY)
        if mark.stated or not leading[blocks[block_at(page.layout, mark.piece)].node]
    ]
    names = _marked(page, main, head, single, line_of) or _labelled(page, main, (CATEGORIES,), line_of)
    return [*filter(is_category, names)]


def _marked(
    page: PlacedLayout,
    main: Sequence[int],
    head: Callable[[], Collection[int]],
    marks: Sequence[Mark],
    line_of: Callable[[int], str],
) -> list[str]:
    """Return the topics of the element next to the text that has some; others are those of the site."""
    groups = dict[object, dict[str, int]]()
    blocks, inside = page.layout.blocks, {*main}
    placed = ((mark, block_at(page.layout, mark.piece)) for mark in marks)
    shown = [(mark, at) for mark, at in placed if not _is_in_menu(page, blocks[at].node, main)]
    # others may be all topics of the site
    for mark, at in [(mark, at) for mark, at in shown if mark.stated] or shown:
        beside = blocks[at].plain if at in inside else 0
        if not page.boilerplate[at] and beside <= _LONGEST_LABEL and is_topic(mark.value):
            far = 0 if at in head() else max(main[0] - at, at - main[-1], beside)
            node, around = blocks[at].node, page.layout.parents[blocks[at].node]
            is_item = page.layout.steps[node].tag == "li"  # its class may say which item it is
            topics = groups.setdefault((around, "" if is_item else page.places[at]), {})
            topics.setdefault(without_count(mark.value, line_of(at)), far)
    return [*min(groups.values(), key=lambda topics: min(topics.values()), default=())]


def _labelled(
    page: PlacedLayout, main: Sequence[int], kinds: Collection[str], line_of: Callable[[int], str]
) -> list[str]:
    """Return the topics in the first line around a text that has a label for them: "Tags: seals, boats".

    :param kinds: for what the label may be, as :func:`~..page.days.label_of_topics` tells it.

    Cost: a look at some lines.
    """
    blocks, parents = page.layout.blocks, page.layout.parents
    for at in _around(page, main, _BEHIND):
        node, line, weight, plain = blocks[at]
        if plain < weight and 0 < plain <= _LONGEST_LABEL:  # a label without a colon, and links
            before = fold(TAG.sub("", line_of(at).partition("<a")[0]))
            if len(letters(before)) == plain:
                line = f"{before.rstrip(':：')}: {line}"
        if label_of_topics(line) in kinds and not _is_of_others(page, node, main):
            value = "".join(_COLON.split(line, maxsplit=1)[1:]).strip()
            if not value and (names := _below(page, at, line_of)):
                return names
            below = blocks[at + 1].node if at + 1 < len(blocks) else 0
            if not value and parents[below] in (node, parents[node]):
                at, value = at + 1, blocks[at + 1].text  # the label has an element of its own
            if _LINK.search(line := line_of(at)):
                return topics_of_line(line)
            topics = _BETWEEN.split(value.strip(" .")) if value else []
            return topics if all(is_topic(topic) and len(topic) <= _LONGEST_TOPIC for topic in topics) else []
    return []


def _below(page: PlacedLayout, label: int, line_of: Callable[[int], str]) -> list[str]:
    """Return the links in the element behind a label, if it has nothing else: a list, or a cloud."""
    blocks, parents = page.layout.blocks, page.layout.parents
    node = blocks[label].node
    beside = {node, parents[node]}
    box = blocks[label + 1].node if label + 1 < len(blocks) else 0
    for _ in range(_AROUND_LIST):
        if box <= node or parents[box] in beside:
            break
        box = parents[box]
    at = indexes_in(page.columns.nodes, box, page.ends[box]) if parents[box] in beside else range(0)
    if any(blocks[index].plain for index in at):
        return []
    linked = [*map(line_of, at[: _MOST_BELOW + 1])]
    topics = [without_count(topic, line) for line in linked for topic in topics_of_line(line)]
    are_short = all(topic.count(" ") < _MOST_WORDS for topic in topics)
    return topics if are_short and len(topics) <= _MOST_BELOW else []


def _boxed(page: PlacedLayout, main: Sequence[int], line_of: Callable[[int], str]) -> list[str]:
    """Return the links in the first element around a text that is named ``tags``."""
    blocks, steps, parents = page.layout.blocks, page.layout.steps, page.layout.parents
    for at in _around(page, main, _BOX_BEHIND):
        box = blocks[at].node
        while box > 0 and kind_of(steps[box]) != _BOX:
            box = parents[box]
        if box > 0 and not _is_of_others(page, box, main):
            lines = indexes_in(page.columns.nodes, box, page.ends[box])
            linked = (line for line in map(line_of, lines) if _LINK.search(line))
            return [*dict.fromkeys(topic for line in linked for topic in topics_of_line(line))]
    return []


def _around(page: PlacedLayout, main: Sequence[int], behind: int) -> Iterator[int]:
    """Yield the blocks before and behind a text that may name its topics, and its last one."""
    yield from range(max(0, main[0] - _BEFORE), main[0])
    yield from range(max(main[-1], main[0] + 1), min(main[-1] + behind + 1, len(page.layout.blocks)))


def _is_of_others(page: PlacedLayout, node: int, main: Sequence[int]) -> bool:
    """Return whether an element is in a list of other pages, in a menu, or in a comment."""
    return bool(page.leading[node]) or _is_in_menu(page, node, main) or is_in(COMMENTS, page.layout, node)


def is_category(name: str) -> bool:
    """Return whether a name is that of a category, and not of what is in none.

    >>> is_category("Harbour"), is_category("Uncategorized")
    (True, False)
    """
    return not _NO_CATEGORY.fullmatch(name)


def _is_in_menu(page: PlacedLayout, node: int, main: Sequence[int]) -> bool:
    """Return whether an element is in a part of the page that has the topics of the site.

    What stands in one ``article`` or ``main`` with the text is about it, but for a cloud.
    """
    steps, parents, text = page.layout.steps, page.layout.parents, page.layout.blocks[main[-1]].node
    article = _holder(page, node)
    is_own = 0 < article <= text < page.ends[article]
    first = page.layout.blocks[main[0]].node
    # of a page builder all is a widget
    parts = _PARTS if is_in(_WIDGET, page.layout, first) else _PARTS | _WIDGET
    # what holds the whole text is no such part, whatever its name is
    while node > 0 and not (node <= first and text < page.ends[node]):
        if (kind := kind_of(steps[node])) in METADATA:
            return False
        if any(map(_CLOUD.search, (steps[node].id, *steps[node].classes))):
            return True
        is_part = kind in parts or (steps[node].tag == "header" and not _has_title(page, node))
        if not is_own and is_part and not in_footer(page.layout, page.ends, node, text):
            return True
        node = parents[node]
    return False


def _holder(page: PlacedLayout, node: int) -> int:
    """Return the ``article`` or ``main`` in which an element stands; 0, or less: in none."""
    return innermost(page.layout, node, ("article", "main"))


def _has_title(page: PlacedLayout, node: int) -> bool:
    return any(step.tag in _TITLES for step in page.layout.steps[node : page.ends[node]])
