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
from ..site.named_parts import COMMENTS, MENUS, METADATA, in_footer, is_in, kind_of
from ..site.placed import PlacedLayout
from ..site.subtrees import indexes_in, innermost
from .field_places import topics_of_line, without_count

#: More topics than this are those of the site.
_MOST_TOPICS = 30
#: A line of topics has at most so many letters beside them.
_LONGEST_LABEL = 40
#: A line with a label stands at most so many blocks before the text, or behind it. A topic in it that is no
#: link has at most so many characters.
_BEFORE, _BEHIND, _LONGEST_TOPIC = 8, 12, 40
_COLON, _BETWEEN = re.compile("[:：]"), re.compile(r"(?<!\s)\s*+[,，、;]\s*+")
_LINK = re.compile(r"<a\b")
#: Where all topics of a site stand, too: in a list with such a name, and in such parts.
_CLOUD = re.compile("tag[-_]?cloud|cloud[-_]?tag", re.IGNORECASE)
_PARTS = frozenset({"footer", "widget"})
#: The kind of an element with topics.
_BOX = "tags"
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
    shown = [
        mark for mark in marks if not _is_in_menu(page, blocks[block_at(page.layout, mark.piece)].node, main)
    ]
    for mark in [mark for mark in shown if mark.stated] or shown:  # others may be all topics of the site
        at = block_at(page.layout, mark.piece)
        beside = blocks[at].plain if at in inside else 0
        if (
            not page.boilerplate[at]
            and beside <= _LONGEST_LABEL
            and is_topic(mark.value)
            and not label_of_topics(mark.value)
        ):
            far = 0 if at in head() else max(main[0] - at, at - main[-1], beside)
            node, around = blocks[at].node, page.layout.parents[blocks[at].node]
            is_item = page.layout.steps[node].tag == "li"  # its class may say which item it is
            topics = groups.setdefault((around, "" if is_item else page.places[at]), {})
            topics.setdefault(without_count(mark.value, line_of(at)), far)
    those = [topics for topics in groups.values() if len(topics) <= _MOST_TOPICS]
    return [*min(those, key=lambda topics: min(topics.values()), default=())]


def _labelled(
    page: PlacedLayout, main: Sequence[int], kinds: Collection[str], line_of: Callable[[int], str]
) -> list[str]:
    """Return the topics in the first line around a text that has a label for them: "Tags: seals, boats".

    :param kinds: for what the label may be, as :func:`~..page.days.label_of_topics` tells it.

    Cost: a look at some lines.
    """
    blocks, parents = page.layout.blocks, page.layout.parents
    for at in _around(page, main):
        text, node = blocks[at].text, blocks[at].node
        if label_of_topics(text) in kinds and not _is_of_others(page, node, main):
            value = "".join(_COLON.split(text, maxsplit=1)[1:]).strip()
            below = blocks[at + 1].node if at + 1 < len(blocks) else 0
            if not value and parents[below] in (node, parents[node]):
                at, value = at + 1, blocks[at + 1].text  # the label has an element of its own
            if _LINK.search(line := line_of(at)):
                return [topic for topic in topics_of_line(line) if not label_of_topics(topic)]
            topics = _BETWEEN.split(value.strip(" .")) if value else []
            return topics if all(is_topic(topic) and len(topic) <= _LONGEST_TOPIC for topic in topics) else []
    return []


def _boxed(page: PlacedLayout, main: Sequence[int], line_of: Callable[[int], str]) -> list[str]:
    """Return the links in the first element around a text that is named ``tags``."""
    blocks, steps, parents = page.layout.blocks, page.layout.steps, page.layout.parents
    for at in _around(page, main):
        box = blocks[at].node
        while box > 0 and kind_of(steps[box]) != _BOX:
            box = parents[box]
        if box > 0 and not _is_of_others(page, box, main):
            lines = indexes_in(page.columns.nodes, box, page.ends[box])
            linked = (line for line in map(line_of, lines) if _LINK.search(line))
            topics = dict.fromkeys(topic for line in linked for topic in topics_of_line(line))
            return [topic for topic in topics if not label_of_topics(topic)][:_MOST_TOPICS]
    return []


def _around(page: PlacedLayout, main: Sequence[int]) -> Iterator[int]:
    """Yield the blocks before and behind a text that may name its topics, and its last one."""
    yield from range(max(0, main[0] - _BEFORE), main[0])
    yield from range(max(main[-1], main[0] + 1), min(main[-1] + _BEHIND + 1, len(page.layout.blocks)))


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
    article = innermost(page.layout, node, ("article", "main"))
    is_own = 0 < article <= text < page.ends[article]
    while node > 0 and (kind := kind_of(steps[node])) not in METADATA:
        if any(map(_CLOUD.search, (steps[node].id, *steps[node].classes))):
            return True
        is_part = kind in MENUS or (kind in _PARTS and page.named[node])
        if not is_own and is_part and not in_footer(page.layout, page.ends, node, text):
            return True
        node = parents[node]
    return False
