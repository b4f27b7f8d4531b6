"""Move what a script moves into place while the page still comes.

A page that comes in parts has an empty template at the place of a part, and the part itself, hidden, behind
the rest. A script names both: ``$RC("B:0", "S:0")``. What stands for the part until then is between the
template and a comment.

A browser itself moves what an element with a declarative shadow root holds into the slots of this root. What
stands in a slot until then is not shown.

Sources: React, ReactDOMFizzServer (its output); DOM Standard, finding slots and slottables.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from .markup import COMMENT_TAG, name_of, plain_text, skip_element
from .shown import Told, is_hidden, known_attributes

#: A template and a part whose ids are named together.
_PAIR = re.compile(r"""["']([^"'\s<>]{1,60})["']\s*,\s*["']([^"'\s<>]{1,60})["']""")
#: The id of a template of React, whose part has the same number.
_TEMPLATE_ID = re.compile(r"(.*)[BP]:(\w+)")
#: Parts in parts in parts; a page with more of them at once is no page of a publishing system.
_MOST_NESTED = 16

#: What makes a template a shadow root.
_ROOT = ' shadowrootmode="'

#: A page in another order: its pieces from one up to another; if both are one, the text of this piece alone.
#: What is not shown is left out.
Order: TypeAlias = Sequence[tuple[int, int]]


def new_order(told: Told, read: Callable[[], Sequence[str]]) -> Order | None:
    """Return the order of a page's pieces with each part in its place; None: it stays as it is.

    Cost: a look at all pieces, if a template without content has an id, or a template is a shadow root.
    """
    templates = [(number == end, tag) for number, end, tag in told if tag[:9] == "template "]
    if any(is_empty and ' id="' in tag for is_empty, tag in templates):
        pieces = read()
        if cuts := _moves(pieces):
            order = _order(cuts, len(pieces), _MOST_NESTED)
            return order if sum(end - begin for begin, end in order) == len(pieces) else None
    if any(_ROOT in tag for _, tag in templates):
        pieces = read()
        if cuts := _Slots(pieces).cuts:
            return _order(cuts, len(pieces), len(pieces))
    return None


def reordered(pieces: Sequence[str], order: Order) -> list[str]:
    """Return pieces in another order."""
    silent = {begin for begin, end in order if begin == end}
    moved: list[str] = []
    for begin, end in order:
        if begin == end:
            moved.append("!---->" + pieces[begin].partition(">")[2])
        else:
            moved += [
                piece.partition(">")[0] + ">" if number in silent else piece
                for number, piece in enumerate(pieces[begin:end], begin)
            ]
    return moved


class _Cut(NamedTuple):
    """Where the pieces do not go on in their order.

    :param stays: what comes there as it is.
    :param parts: what comes then; there may be cuts in it.
    :param behind: the piece with which the pieces go on.
    """

    stays: Order
    parts: Order
    behind: int


class _Parts:
    """What a page has in parts: templates, hidden elements with an id, texts of scripts; in one pass."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self.places, self.parts = dict[str, tuple[int, int]](), dict[str, tuple[int, int]]()
        #: The last piece of a comment that begins a place, and the first of the one that ends it.
        self.ends = dict[int, int]()
        self.scripts = list[str]()
        self._boundaries = list[tuple[int, int]]()
        #: The open elements: the number, the id, the name, and whether it is in a hidden one.
        self._open = list[tuple[int, str, str, bool]]()
        numbered = enumerate(pieces)
        for number, piece in numbered:
            tag, _, text = piece.partition(">")
            if tag[:1] in ("!", "?"):
                last, _ = skip_element(numbered, number, piece, COMMENT_TAG)
                self._comment(piece, number, last)
            elif tag[:1] == "/":
                self._end(number, pieces)
            else:
                self._start(number, tag, text)

    def _start(self, number: int, tag: str, text: str) -> None:
        name, attributes = name_of(tag), known_attributes(tag) if "=" in tag else {}
        html_id = attributes.get("id", "")
        if tag[-1:] == "/":
            if html_id and name == "template":
                self.places.setdefault(html_id, (number, number))
            return
        if name == "script":
            self.scripts.append(text)
        in_hidden = bool(self._open) and self._open[-1][3]
        self._open.append((number, html_id, name, in_hidden or is_hidden(attributes)))

    def _end(self, number: int, pieces: Sequence[str]) -> None:
        if not self._open:
            return
        begin, html_id, name, in_hidden = self._open.pop()
        if html_id and name == "template" and begin == number - 1 and pieces[begin][-1] == ">":
            self.places.setdefault(html_id, (begin, number))
        elif html_id and in_hidden and name != "template":
            self.parts.setdefault(html_id, (begin, number))
        while self._boundaries and self._boundaries[-1][0] > len(self._open):
            self._boundaries.pop()

    def _comment(self, piece: str, number: int, last: int) -> None:
        if piece.startswith("!--$"):
            self._boundaries.append((len(self._open), last))
        elif piece.startswith("!--/$") and self._boundaries and self._boundaries[-1][0] == len(self._open):
            self.ends[self._boundaries.pop()[1]] = number

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the ids of templates and of parts that may belong together."""
        for first, second in _PAIR.findall(plain_text("\n".join(self.scripts))):
            yield first, second
            yield second, first
        for place in self.places:
            if match := _TEMPLATE_ID.fullmatch(place):
                yield place, f"{match[1]}S:{match[2]}"


def _moves(pieces: Sequence[str]) -> dict[int, _Cut]:
    """Return the cuts by which each part changes its place with what stands for it until then."""
    page = _Parts(pieces)
    places, parts, cuts = dict(page.places), dict(page.parts), dict[int, _Cut]()
    for place, part in page.pairs():
        if place in places and part in parts and places[place] < parts[part]:
            (number, empty), (first, end) = places.pop(place), parts.pop(part)
            last = page.ends.get(number - 1, 0) - 1
            # what stands for the part goes up to a comment, and has the text behind the template
            is_replaced = 0 <= last <= first
            last = last if is_replaced else empty
            text = [] if is_replaced else [(empty, empty)]
            inside = [(first + 1, end)] if first + 1 < end else []
            cuts[number] = _Cut([], [(first, first), *inside, *text], last + 1)
            replaced = [(empty + 1, last + 1)] if empty < last else []
            cuts[first] = _Cut([(first, first + 1), (number, empty + 1)], replaced, end)
    return cuts


def _order(cuts: Mapping[int, _Cut], size: int, deepest: int) -> Order:
    """Return the order of the pieces with these cuts; nothing if parts are nested more deeply than that."""
    places, order = sorted(cuts), list[tuple[int, int]]()
    #: What is still to come, the next at the end: pieces from one up to another, and in how many parts.
    todo = [(0, size, 0)]
    while todo:
        begin, end, depth = todo.pop()
        if depth > deepest:
            return []
        at = bisect_left(places, begin)
        place = min(places[at], end) if at < len(places) else end
        if begin < place or begin == end:
            order.append((begin, place))
        if place < end:
            cut = cuts[place]
            order += cut.stays
            todo += [(cut.behind, end, depth)] if cut.behind < end else []
            todo += [(*part, depth + 1) for part in reversed(cut.parts)]
    return order


class _Slots:
    """The slots of a page that are filled; in one pass."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self.cuts = dict[int, _Cut]()
        self._pieces = pieces
        #: The slots of each shadow root that is open, by their names.
        self._roots = list[dict[str, tuple[int, int]]]()
        #: By the first piece of an element: the end and the slots of its shadow root, its children for them.
        self._hosts = dict[int, tuple[int, dict[str, tuple[int, int]], list[tuple[str, int, int]]]]()
        inside = list[tuple[int, str]]()
        numbered = enumerate(pieces)
        for number, piece in numbered:
            tag = piece.partition(">")[0]
            if tag[:1] in ("!", "?"):
                skip_element(numbered, number, piece, COMMENT_TAG)
            elif tag[:1] == "/" and inside:
                self._add(*inside.pop(), number, inside[-1][0] if inside else -1)
            elif tag[-1:] == "/":
                self._add(number, tag, number, inside[-1][0] if inside else -1)
            else:
                inside.append((number, tag))
                if tag[:9] == "template " and _ROOT in tag:
                    self._roots.append({})

    def _add(self, number: int, tag: str, end: int, around: int) -> None:
        """Take an element, given the number of the one around it."""
        if number in self._hosts:
            self._fill(end, *self._hosts.pop(number))
        name = name_of(tag)
        if name == "template" and _ROOT in tag and number < end:
            slots = self._roots.pop()
            if slots:
                self._hosts.setdefault(around, (end, slots, []))
        elif name == "slot" and self._roots:
            self._roots[-1].setdefault(known_attributes(tag).get("name", ""), (number, end))
        if ' slot="' in tag and around in self._hosts:
            self._hosts[around][2].append((known_attributes(tag)["slot"], number, end))

    def _fill(
        self, end: int, root: int, slots: Mapping[str, tuple[int, int]], named: Sequence[tuple[str, int, int]]
    ) -> None:
        """Fill the slots of an element. What has no slot stays behind them, though a browser hides it."""
        parts, rest, at = dict[str, list[tuple[int, int]]](), [(root, root)], root + 1
        for name, first, last in named:
            if name and name in slots:
                parts.setdefault(name, []).append((first, last + 1))
                rest += [(at, first), (last, last)] if at < first else [(last, last)]
                at = last + 1
        rest += [(at, end)] if at < end else []
        if "" in slots and any(begin < to or self._text(begin) for begin, to in rest):
            parts[""], rest = rest, []
        for name, content in parts.items():
            first, last = slots[name]
            self.cuts[first] = _Cut([], [*content, (last, last)], last + 1)
        if parts:
            self.cuts[root] = _Cut([(root, root + 1)], rest, end)

    def _text(self, number: int) -> str:
        return self._pieces[number].partition(">")[2].strip()
