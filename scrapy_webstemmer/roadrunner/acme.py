"""ACME: make a union-free expression more general, until it accepts another page as well.

Source: V. Crescenzi, G. Mecca, P. Merialdo, RoadRunner: Towards Automatic Data Extraction from Large Web
Sites (VLDB 2001). The expression begins with one page, and is made more general with each further page that
it does not accept:

- Two different texts in the same place, a string mismatch, become a field.
- Different tags are a tag mismatch. An iterator solves it, if there is one. The last token of a repeated
  part, the square, stands just before the mismatch (the terminal tag). A candidate reaches from the mismatch
  to the next terminal tag, on the page or in the expression. It is matched backwards with what stands above.
- Otherwise the mismatching tag is searched for on the other side. What stands before it there is optional.
- Mismatches within a square are solved in the same way. If nothing solves a mismatch, the page is rejected.

The search through the solutions may take exponential time. The authors bound the number of candidates of a
mismatch and the backtracking; as they do, only the nearest candidates are tried. The numbers are ours, and so
is the rest:

- A square and an optional part are whole elements side by side. So the regions are always well-formed, and
  sequences of siblings are compared instead of the whole page.
- If nothing solves a mismatch, the next candidate of an earlier one is tried, but only within an element, and
  a place that has failed is not tried again. All work for a page has a bound, and so has the depth of the
  elements and of the mismatches within mismatches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..trees.layout_trees import TEXT
from .union_free import ANY, FIELD, GROUP_NAMES, OPTIONAL, REPEATED, Part

_TEXT_NAMES = frozenset({TEXT, FIELD})

#: So many candidates for a square on either side, and for an optional part, are tried.
_FAN_OUT = 4
#: A candidate has at most so many siblings.
_FARTHEST = 40
#: Elements around an element, mismatches before it among its siblings, and squares around it, in all.
_DEEPEST_MERGE = 120
#: Steps to make an expression more general with a page.
MOST_STEPS = 100_000


_FIELD = Part(FIELD)


def _group(parts: Sequence[Part], *, optional: bool, repeated: bool) -> Part:
    """Return a group. A group of a single group is one group."""
    if len(parts) == 1 and parts[0].name in GROUP_NAMES:
        name, parts = parts[0].name, parts[0].parts
        optional, repeated = optional or name != REPEATED, repeated or name != OPTIONAL
    return Part((ANY if optional else REPEATED) if repeated else OPTIONAL, "", tuple(parts))


class _Merged(NamedTuple):
    """A more general sequence, and the number in the page's sequence of the first part after what it took."""

    parts: list[Part]
    end: int


class _Pair(NamedTuple):
    """Two sequences that are matched.

    :param whole: see :meth:`_Acme.merge`.
    :param failed: where nothing solved a mismatch. It is not tried again, whatever stands before it.
    """

    ours: Sequence[Part]
    theirs: Sequence[Part]
    whole: bool
    failed: set[tuple[int, int]]


class _StepsError(Exception):
    """There are no steps left."""


def generalize(expression: Part, page: Part, steps: int = MOST_STEPS) -> tuple[Part | None, int]:
    """Return an expression that accepts all that an expression accepts, and a page; and the steps it took.

    :param page: a page, or another expression.
    :param steps: how many steps it may take. If they are not enough, no expression is found.
    :return: None instead of an expression that is not found.

    Cost: linear in the parts, if the tags are the same, and always bounded by the steps.
    """
    acme = _Acme(steps)
    try:
        merged = acme.merge([expression], [page], 0)
    except _StepsError:
        return None, steps
    return (merged.parts[0] if merged and len(merged.parts) == 1 else None), steps - acme.left


class _Acme:
    """Matches the sequences of an expression with those of a page, in a bounded number of steps."""

    def __init__(self, steps: int) -> None:
        self.left = steps
        #: What two elements gave. The elements are kept, so that their ids are theirs alone.
        self._pairs: dict[tuple[int, int], tuple[Part, Part, Part | None]] = {}

    def _spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise _StepsError

    def merge(
        self, ours: Sequence[Part], theirs: Sequence[Part], depth: int, start: int = 0, *, whole: bool = True
    ) -> _Merged | None:
        """Return a sequence that accepts what two sequences accept; None if none is found.

        :param start: where the second one begins.
        :param whole: whether it ends where both sequences do; if not, where the first one does.
        """
        return self._go_on(_Pair(ours, theirs, whole, set()), (0, start), [], depth)

    def _go_on(self, pair: _Pair, at: tuple[int, int], done: list[Part], depth: int) -> _Merged | None:
        """Return the sequence for two sequences, given what was found for the parts before."""
        if depth > _DEEPEST_MERGE:
            return None
        ours, theirs = pair.ours, pair.theirs
        i, j = at
        while i < len(ours) or (pair.whole and j < len(theirs)):
            self._spend(1)
            step = self._step(ours, i, theirs, j, depth) if i < len(ours) else None
            if step is None:
                return self._mismatch(pair, (i, j), done, depth)
            part, i, j = step
            done.append(part)
        return _Merged(done, j)

    def _step(
        self, ours: Sequence[Part], i: int, theirs: Sequence[Part], j: int, depth: int
    ) -> tuple[Part, int, int] | None:
        """Return the part that stands for the next parts of both, and what comes after; None: a mismatch."""
        part, other = ours[i], theirs[j] if j < len(theirs) else None
        if other is not None and other.name in GROUP_NAMES:
            if part.name in GROUP_NAMES and (body := self.merge(part.parts, other.parts, depth + 1)):
                group = _group([part], optional=other.name != REPEATED, repeated=other.name != OPTIONAL)
                return group._replace(parts=tuple(body.parts)), i + 1, j + 1
            if part.name not in GROUP_NAMES:
                taken, end = self._take(other, ours, i, depth)
                return None if end == i and other.name == REPEATED else (taken, end, j + 1)
        if part.name in GROUP_NAMES:
            taken, end = self._take(part, theirs, j, depth)
            return None if end == j and part.name == REPEATED else (taken, i + 1, end)
        if other is None or not _alike(part, other):
            return None
        if part.name in _TEXT_NAMES:
            return (part if part == other else _FIELD), i + 1, j + 1
        if (id(part), id(other)) not in self._pairs:
            below = self.merge(part.parts, other.parts, depth + 1)
            merged = below and Part(part.name, "", tuple(below.parts))
            self._pairs[id(part), id(other)] = part, other, merged
        merged = self._pairs[id(part), id(other)][2]
        return merged and (merged, i + 1, j + 1)

    def _take(self, group: Part, parts: Sequence[Part], at: int, depth: int) -> tuple[Part, int]:
        """Return a group that takes as much of a sequence as it can, and where it ends."""
        body, start = group.parts, at
        while at < len(parts) and _may_begin(body, parts[at]) and (at == start or group.name != OPTIONAL):
            merged = self.merge(body, parts, depth + 1, at, whole=False)
            if merged is None or merged.end == at:
                break
            body, at = tuple(merged.parts), merged.end
        return group._replace(parts=body), at

    def _mismatch(self, pair: _Pair, at: tuple[int, int], done: list[Part], depth: int) -> _Merged | None:
        """Solve a mismatch, and go on; None if nothing solves it."""
        if at in pair.failed:
            return None
        for solution, after in self._solutions(pair, at, done, depth):
            self._spend(len(done) // 64)  # a copy of the parts before
            if merged := self._go_on(pair, after, solution, depth + 1):
                return merged
        pair.failed.add(at)
        return None

    def _solutions(
        self, pair: _Pair, at: tuple[int, int], done: list[Part], depth: int
    ) -> Iterator[tuple[list[Part], tuple[int, int]]]:
        """Yield what may stand for all parts up to a mismatch and behind it, and what comes after."""
        ours, theirs = pair.ours, pair.theirs
        i, j = at
        for square, end in self._squares(theirs, j, done, depth):
            yield square, (i, end)
        for square, end in self._squares(ours, i, done, depth):
            yield square, (end, j)
        self._spend(_FARTHEST)
        for ours_end, theirs_end in _optionals(pair, i, j):
            missing = [*ours[i:ours_end], *theirs[j:theirs_end]]
            yield [*done, _group(missing, optional=True, repeated=False)], (ours_end, theirs_end)

    def _squares(
        self, parts: Sequence[Part], start: int, done: list[Part], depth: int
    ) -> Iterator[tuple[list[Part], int]]:
        """Yield sequences whose last part is an iterator over what follows a mismatch, and where it ends."""
        for end in _ends(parts, start, done):
            if repeated := self._square(done, parts[start:end], depth):
                group, after = self._take(repeated[-1], parts, end, depth)
                yield [*repeated[:-1], group], after

    def _square(self, done: Sequence[Part], square: Sequence[Part], depth: int) -> list[Part] | None:
        """Return a sequence that ends in an iterator: a square, and what it matches above it, backwards."""
        self._spend(len(done) + len(square))
        last = done[-1]
        if last.name in (REPEATED, ANY) and (merged := self.merge(last.parts, square, depth + 1)):
            return [*done[:-1], last._replace(parts=tuple(merged.parts))]
        above, body, end = _flipped(done), _flipped(square), 0
        while end < len(above) and _alike(body[0], above[end]):
            merged = self.merge(body, above, depth + 1, end, whole=False)
            if merged is None or merged.end == end:
                break
            body, end = merged.parts, merged.end
        if not end:
            return None
        return [*done[: len(done) - end], _group(_flipped(body), optional=False, repeated=True)]


def _alike(part: Part, other: Part) -> bool:
    """Return whether two parts may be the same token."""
    return part.name == other.name or {part.name, other.name} <= _TEXT_NAMES


def _may_begin(body: Sequence[Part], part: Part) -> bool:
    return body[0].name in GROUP_NAMES or part.name in GROUP_NAMES or _alike(body[0], part)


def _flipped(parts: Sequence[Part]) -> list[Part]:
    """Return a sequence backwards; what is in its elements stays as it is."""
    return [
        part._replace(parts=tuple(_flipped(part.parts))) if part.name in GROUP_NAMES else part
        for part in reversed(parts)
    ]


def _ends(parts: Sequence[Part], start: int, done: Sequence[Part]) -> list[int]:
    """Return the ends of the nearest candidates for a square: behind the next terminal tags."""
    if not done:
        return []
    terminal = _last(done[-1])
    if terminal.name in _TEXT_NAMES:
        return []
    near = range(start, min(len(parts), start + _FARTHEST))
    return [end + 1 for end in near if _last(parts[end]).name == terminal.name][:_FAN_OUT]


def _last(part: Part) -> Part:
    while part.name in GROUP_NAMES and part.parts:
        part = part.parts[-1]
    return part


def _optionals(pair: _Pair, i: int, j: int) -> list[tuple[int, int]]:
    """Return the ends of the nearest optional parts, each on one side."""
    ours, theirs = pair.ours, pair.theirs
    if j == len(theirs):
        return [(len(ours), j)] if pair.whole else []
    if i == len(ours):
        return [(i, len(theirs))]
    ends: list[tuple[int, int]] = []
    for far in range(1, _FARTHEST):
        if i + far < len(ours) and _alike(ours[i + far], theirs[j]):
            ends.append((i + far, j))
        if j + far < len(theirs) and _alike(ours[i], theirs[j + far]):
            ends.append((i, j + far))
    return ends[:_FAN_OUT]
