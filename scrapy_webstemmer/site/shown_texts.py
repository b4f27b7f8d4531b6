"""Find texts that a page shows for other pages.

Lists show posts, whole or their beginnings, often at the path that posts have on their own pages. What
counts pages would take a post that three lists show for boilerplate. And some sites show the next story, with
all of its text, below an article. This file is compiled where there is a C compiler, as ``weighing.py`` is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..page.tags import HEADINGS
from ..page.text import boilerplate_key
from ..values import Layout, Step
from .subtrees import Columns, innermost
from .weighing import PARAGRAPH, names_page

#: A page with so many headings that lead to other pages, each above a part of its own, shows these pages.
_SHOWN_PAGES = 2


def shown_texts(layout: Layout, ends: Sequence[int]) -> dict[int, str]:
    """Return for each block that a page shows for another page the heading that leads there.

    It stands in a part of the page in which no other heading leads to a page.

    :param ends: for each node the index after the last node in it.

    Cost: a look at each block; a pass over the nodes of pages that show others.
    """
    heads: dict[int, str] = {}
    for block in layout.blocks:
        if not block.plain and (node := innermost(layout, block.node, HEADINGS)):
            heads.setdefault(node, boilerplate_key(block.text))
    if len(set(heads.values())) < _SHOWN_PAGES:
        return {}
    nodes = _parts_of(layout, ends, heads)
    return {index: name for index, block in enumerate(layout.blocks) if (name := nodes[block.node])}


def _parts_of(layout: Layout, ends: Sequence[int], heads: Mapping[int, str]) -> list[str]:
    """Return for each node the only one of some headings in the part of the page in which it stands; or "".

    The part is the largest element around the heading without another one of them. If the headings are
    siblings, it is what stands between one and the next.
    """
    inside = [""] * len(layout.steps)
    order = sorted(heads)
    for before, head, after in zip([0, *order], order, [*order[1:], len(inside)], strict=False):
        part = head
        while (up := layout.parents[part]) > 0 and (up > before or head == order[0]) and ends[up] <= after:
            part = up
        end = ends[part]
        if part == head and after < ends[layout.parents[head]]:
            end = after
        inside[part:end] = [heads[head]] * (end - part)
    return inside


def find_stories(layout: Layout, columns: Columns, boilerplate: bytes, title: str) -> list[int]:
    """Return the nodes of the other stories of a site that a page shows below its own title and text.

    Such a part has a name, and begins with a heading that leads to another page; or it is an ``article`` with
    a heading like that of the page. Some sites show the text of their next story in full, so it is no record
    of a list. Cost: a look at each block, and at its headings.

    :param title: the title of the page as its site sees it; if it is empty or not shown, nothing is found.
    """
    blocks, steps, element = layout.blocks, layout.steps, layout.title_element
    parents, ends, leads = columns.parents, columns.ends, columns.leads
    nodes, weights, plains = columns.nodes, columns.weights, columns.plains
    stories: list[int] = []
    most, lower = len(element), title.lower()
    shown = last = -1  # the node that shows the title, and that of the new text before
    end, begun = 0, False
    for index in range(len(nodes) if title else 0):
        node = nodes[index]
        before = last
        if not boilerplate[index]:
            last = node
        if node < end:
            continue
        step = steps[node]
        parent, heading = parents[node], step.tag in HEADINGS
        titled = False
        if (heading or plains[index]) and weights[index] <= most:
            block = blocks[index]
            text = block.text
            titled = names_page(text, title, element) or (heading and text.lower() == lower)
        if titled:
            shown = node
        elif not heading:
            begun = begun or (shown >= 0 and last == node and plains[index] >= PARAGRAPH)
        elif begun:
            top = steps[shown]
            leading = not plains[index] and (
                leads[node + 1] > leads[node] or leads[parent + 1] > leads[parent]
            )
            if not leading and step.tag != top.tag:
                continue
            named = False
            while before < parents[node] and shown < parents[node]:
                node = parents[node]
                step = steps[node]
                named = named or step.tag == "article"
            named = named or (leading and bool(step.id or step.classes))
            if named and _is_text_below(steps, columns, index, ends[node]):
                stories.append(node)
                end = ends[node]
    return stories


def heads_of(layout: Layout, ends: Sequence[int], stories: Sequence[int]) -> dict[int, str]:
    """Return for each block of some other stories the heading with which its story begins."""
    heads: dict[int, str] = {}
    for story in stories:
        inside = [index for index, block in enumerate(layout.blocks) if story <= block.node < ends[story]]
        heads.update(dict.fromkeys(inside, boilerplate_key(layout.blocks[inside[0]].text)))
    return heads


def _is_text_below(steps: Sequence[Step], columns: Columns, heading: int, end: int) -> bool:
    """Return whether several paragraphs are below a heading, before the next one and before a node.

    A picture with a caption and a link may have one, and stand in a row of such: they are the author's.
    """
    nodes, plains = columns.nodes, columns.plains
    paragraphs, index = 0, heading + 1
    while index < len(nodes) and nodes[index] < end and paragraphs < 2:
        step = steps[nodes[index]]
        if step.tag in HEADINGS:
            break
        paragraphs += plains[index] >= PARAGRAPH
        index += 1
    return paragraphs == 2
