"""Find lines that a template fills in, at the head and the foot of a text: "Posted by ANN", a trail, tags.

The words around what is filled in are the same on all pages. What is filled in is a name, a day, a number,
the title, or links to other pages of the site. Authors have habits, too ("Source: ..."), but they break
them now and then; a template does not. Where some pages are made from data, "When: ... Where: ..." is on
all of them. So a line in the text itself is the template's only if it names an author or a time, or links.
A list of nothing but links to other pages of the site is the template's; a lone link may be the author's.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import lgamma, log

from ..page.days import DATED_BY_AUTHORS, is_date_line, is_stamp, says_changed, says_published
from ..page.names import says_who
from ..page.text import weight
from ..values import Frame
from .boilerplate import LINK_MARK, keys_of
from .paths import coarse, tag_of, under_any
from .placed import PlacedLayout
from .weighing import PARAGRAPH

#: A line begins the text or ends it if less new text than this stands before it, or after it. What is filled
#: into a line of the template is shorter, too. Before the line with the day there may be a standfirst.
_FILLED, _STANDFIRST = 60, 200
#: So many words on each side of it are compared.
_MOST_FRAME_WORDS = 30
#: A template fails on this share of its pages: the line is missing, or stands elsewhere.
_ODD_SHARE = 0.02
#: A line is the template's if that is so many times likelier than a habit. Nine pages without an exception
#: are enough. One exception needs 25 pages, and two of them 47.
_LIKELIER = 8
#: The words around what is filled in have at least two letters: a digit alone is at the head of many lists.
_TWO_LETTERS = re.compile(r"(?:[\W\d_]*[^\W\d_]){2}")
#: The title within a line counts as one word.
_WORD_OR_TITLE = re.compile(r"[\w\0]+")

#: What the words of a template's line say.
_SAYINGS = (says_who, says_published, says_changed)

#: A page, and the indexes of some of its blocks.
_Lines = tuple[PlacedLayout, Sequence[int]]


def find_frames(
    read: Sequence[tuple[PlacedLayout, Sequence[int], int]], data: Iterable[str] = ()
) -> tuple[Frame, ...]:
    """Return the lines that templates fill in, at the head and the foot of the main texts of a site's pages.

    A line that is found no longer hides those behind it. Cost: the lines at both ends of the texts, each two
    to four times.

    :param read: pages with the indexes of the blocks of their main texts, in the order of the page, and the
        element in which the text was looked for. A line outside of it says nothing about the others.
    :param data: the paths of elements with data of the articles. Their lines are judged like those beside the
        text's own paragraphs.
    """
    present = Counter[str]()
    whole = {page.paths[node] for page, _, node in read}
    running, in_data = set[str](), under_any(data)
    for page, main, node in read:
        running.update(coarse(page.places[n]) for n in main if page.layout.blocks[n].plain >= PARAGRAPH)
        inside = range(node, page.ends[node])
        blocks = zip(page.layout.blocks, page.places, strict=True)
        present.update({path for block, path in blocks if block.node in inside})
    frames: list[Frame] = []
    while True:
        lines: dict[str, dict[str, tuple[PlacedLayout, list[int]]]] = defaultdict(dict)
        for page, main, _ in read:
            for index, filled in _edges(page, main, frames):
                if not filled:
                    lines[page.places[index]].setdefault(page.url, (page, []))[1].append(index)
        new = [
            _frame_at(
                path,
                [*at_path.values()],
                present[path],
                "" if path in whole else tag_of(path),
                in_text=coarse(path) in running or in_data(path),
            )
            for path, at_path in sorted(lines.items())
        ]
        if not any(new):
            return tuple(frames)
        frames += filter(None, new)


def without_frames(page: PlacedLayout, main: Sequence[int], frames: Sequence[Frame]) -> list[int]:
    """Return the blocks of a main text without the lines at its ends that a template fills in.

    A text of such lines alone stays as it is.
    """
    filled = {index for index, is_filled in _edges(page, main, frames) if is_filled}
    return [index for index in main if index not in filled] or [*main]


def _edges(page: PlacedLayout, main: Sequence[int], frames: Sequence[Frame]) -> Iterator[tuple[int, bool]]:
    """Yield the blocks at both ends of a main text, and for each whether it is a line of the template."""
    for indexes, most in ((main, _STANDFIRST), (main[::-1], _FILLED)):
        passed = 0
        for index in indexes:
            path = page.places[index]
            filled = any(_fits(page, index, frame) for frame in frames if frame.path == path)
            yield index, filled
            passed += 0 if filled else page.layout.blocks[index].plain
            if passed >= most:
                break


def _fits(page: PlacedLayout, index: int, frame: Frame) -> bool:
    """Return whether a block is a line of the template; a lone link is one only in a list of such."""
    block, (_, begin, end) = page.layout.blocks[index], frame
    if begin == LINK_MARK:
        return not block.plain and page.layout.leads[block.node] > 0
    if not (begin or end):
        return is_date_line(block)
    key = _key(page, index)
    filling = key[len(begin) : len(key) - len(end)]
    if not block.plain or begin + filling + end != key or (begin and _WORD_OR_TITLE.match(filling)):
        return False
    outside = block.plain - weight(begin + end) if page.layout.leads[block.node] else _FILLED
    return min(outside, weight(filling)) < _FILLED


def _key(page: PlacedLayout, index: int) -> str:
    return next(keys_of([page.layout.blocks[index].text], [page.places[index]], page.title))[1]


def _frame_at(path: str, lines: Sequence[_Lines], present: int, tag: str, *, in_text: bool) -> Frame | None:
    """Return what the template's line at a path looks like; None: there is none.

    :param lines: the lines at the path that fit no known frame, of each page with some.
    :param present: number of pages with text at the path.
    :param tag: its tag; empty for that of the element that holds the whole text: old pages have it in a cell.
    :param in_text: whether paragraphs of the text stand beside it. There, data of an article (``Where: ...``)
        have the same form on each page, and a day among them is one more of them.
    """
    present = max(len(lines), present)
    if not _is_templates(len(lines), present):
        return None
    links = Frame(path, LINK_MARK, "")
    listed = sum(sum(_fits(page, index, links) for index in indexes) > 1 for page, indexes in lines)
    if _is_templates(listed, present):
        return links
    counts = Counter[tuple[str, str]]()
    for page, indexes in lines:
        counts.update({affix for index in indexes for affix in _affixes(_key(page, index))})
    common = [
        ("", ""),
        *(affix for affix, count in counts.items() if 2 * count > present and _is_templates(count, present)),
    ]
    begins, ends = ({affix[side] for affix in common} for side in (0, 1))
    dated = None
    for _, begin, end in sorted((-len(begin + end), begin, end) for begin in begins for end in ends):
        frame = Frame(path, begin, end)
        fitting = [
            page.layout.blocks[index]
            for page, indexes in lines
            if (index := next((index for index in indexes if _fits(page, index, frame)), -1)) >= 0
        ]
        words = f"{begin} {end}"
        says = any(say(words) for say in _SAYINGS)
        told = not begin + end or (_TWO_LETTERS.match(begin + end) and (says or tag not in DATED_BY_AUTHORS))
        if not (told and _is_templates(len(fitting), present)):
            continue
        linked = sum(block.plain < block.weight for block in fitting)
        if says or not in_text or 2 * linked > len(fitting):
            return frame
        if 2 * sum(is_stamp(block.text) for block in fitting) < len(fitting):
            return None
        dated = dated or frame
    return dated


def _affixes(key: str) -> Iterator[tuple[str, str]]:
    """Yield the beginnings of a text, each with an empty end, and its ends, each with an empty beginning."""
    words = [*_WORD_OR_TITLE.finditer(key)]
    yield from ((key[: word.end()], "") for word in words[:_MOST_FRAME_WORDS])
    yield from (("", key[word.start() :]) for word in words[-_MOST_FRAME_WORDS:])


def _is_templates(count: int, present: int) -> bool:
    """Return whether a template writes what ``count`` of some pages have at a place, and not an author.

    The likelihood of the count under a template, over that under a habit of any strength: each count is as
    likely as any other.
    """
    # where the right texts are known, lines of 97 % of the pages are nearly always the template's, and lines
    # of fewer than 95 % the author's
    odd = present - count
    ways = lgamma(present + 2) - lgamma(count + 1) - lgamma(odd + 1)
    return ways + count * log(1 - _ODD_SHARE) + odd * log(_ODD_SHARE) >= log(_LIKELIER)
