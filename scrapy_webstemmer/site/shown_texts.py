"""Find texts that a page shows for other pages.

Lists show posts, whole or their beginnings, often at the path that posts have on their own pages. What
counts pages would take a post that three lists show for boilerplate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..page.tags import HEADINGS
from ..page.text import boilerplate_key
from ..values import Layout

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
        if not block.plain and (node := _heading_of(layout, block.node)) is not None:
            heads.setdefault(node, boilerplate_key(block.text))
    if len(set(heads.values())) < _SHOWN_PAGES:
        return {}
    nodes = _parts_of(layout, ends, heads)
    return {index: name for index, block in enumerate(layout.blocks) if (name := nodes[block.node])}


def _heading_of(layout: Layout, node: int) -> int | None:
    """Return the heading that a block is, or stands in; None: it does not."""
    while node > 0:
        if layout.steps[node].tag in HEADINGS:
            return node
        node = layout.parents[node]
    return None


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
