"""Tell which elements of a page are shown: what is hidden, what a control opens, what a script moves.

An element is hidden by its attribute ``hidden``, or by ``display: none`` or ``visibility: hidden`` in its own
style. It is text all the same if readers get to see it: a panel that a control opens; what a script moves
into place while the page still comes; what holds the main text, since some script must show that.

Sources: HTML Standard, the attribute ``hidden`` and declarative shadow roots; WAI-ARIA Authoring Practices
(accordion, disclosure, tabs); React, ReactDOMFizzServer (its output).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple, Protocol, TypeAlias

from ..values import Block
from .markup import COMMENT_TAG, attributes_of, plain_text, skip_element
from .tags import HEADINGS, PICTURES, VOID
from .text import weight

#: The elements that may tell something about what is shown, in the order of the page: for each the numbers of
#: its first and its last piece, and its start tag.
Told: TypeAlias = Sequence[tuple[int, int, str]]


class View(Protocol):
    """A page's pieces, as both readings have them."""

    def told(self) -> Told:
        """Return the elements for which ``tells`` is true; there may be others among them."""

    def aiming(self) -> Sequence[str]:
        """Return the start tags for which ``aims`` is true; there may be others among them."""

    def around(self, first: int, end: int) -> Sequence[tuple[str, str]]:
        """Return the tag and the text of the pieces from one up to another; a comment's begins with "!"."""

    def size_of(self, first: int, end: int) -> int:
        """Return the number of characters of the texts of the pieces from one up to another, or more."""


class Fates(NamedTuple):
    """What becomes of some elements, given the number of their first pieces.

    :param hidden: for each hidden element the number of its last piece.
    :param shown: elements of a kind that is never text (``template``, ``button``) but whose text is shown.
    """

    hidden: Mapping[int, int]
    shown: Collection[int]


#: By the rules of 2009 and for text without tags, nothing is hidden.
ALL_SHOWN = Fates({}, ())

# --- Tell whether an element is hidden, by its own attributes

_TELLS = re.compile(
    r'^(?:button|template)(?:[ /]|$)| (?:hidden|aria-expanded)="| style="[^"]*(?:non|hid|coll)', re.IGNORECASE
)
#: The tags of a page without any of these tell nothing.
_WORDS = (' hidden="', "<button", "<template", "display", "visibility")
_AIMS = re.compile(r' (?:aria-controls="|(?:href|data-[^ =]*)="#)')
_DECLARATION = re.compile(r"(?:^|;)\s*(display|visibility)\s*:\s*([a-z-]+)", re.IGNORECASE)
_UNSEEN = frozenset({("display", "none"), ("visibility", "hidden"), ("visibility", "collapse")})


def may_tell(text: str) -> bool:
    """Return whether a page may have elements that tell something about what is shown, given its markup."""
    lowered = text.lower()
    return any(word in lowered for word in _WORDS)


@lru_cache(maxsize=1 << 13)
def tells(tag: str) -> bool:
    """Return whether an element may tell something about what is shown: it may be hidden, or be a control."""
    return _TELLS.search(tag) is not None


def aims(tag: str) -> bool:
    """Return whether an element may name another one on its page."""
    return _AIMS.search(tag) is not None


def is_hidden(attributes: Mapping[str, str]) -> bool:
    """Return whether an element is hidden, but not only until a search in the page finds its text.

    >>> [is_hidden({"style": style}) for style in ("color:red; DISPLAY : none", "display:none;display:block")]
    [True, False]
    """
    if attributes.get("hidden", "until-found").strip().lower() != "until-found":
        return True
    style = attributes.get("style")
    return style is not None and _hides(style)


@lru_cache(maxsize=1 << 10)
def _hides(style: str) -> bool:
    last = {name.lower(): value.lower() for name, value in _DECLARATION.findall(style)}
    return not _UNSEEN.isdisjoint(last.items())


# --- Tell which hidden elements a control opens

#: The roles of panels. A dialog, a menu or a message is none.
_PANEL_ROLES = frozenset({"", "group", "region", "tabpanel"})
_NO_PANELS = frozenset({"a", "dialog", "form", "menu", "nav"})
#: A picture that a script shows later is a picture. The others have no text.
_NEVER_HIDDEN = VOID | PICTURES | {"button", "math", "template"}
#: The text of these may stand in a button.
_LABELLED = HEADINGS | {"dt"}
#: At most so many tags are between a control and its panel: ends of elements, icons.
_NEAR = 16


def fates(told: Told, view: View) -> Fates:
    """Return which elements are hidden, and which buttons and templates are shown.

    A control names its panel (``aria-controls``, or a target within the page), or stands directly before it:
    an element with ``aria-expanded``, or a button that is all of a heading. Such a button is the label of
    what follows, and text. A template with ``shadowrootmode`` is the content of the element around it.

    Cost: linear in the number of elements that tell something.
    """
    hidden, panels = dict[int, int](), dict[int, _Meaning]()
    controls = list[tuple[int, int, _Meaning]]()
    shown, opened = set[int](), set[int]()
    for number, end, tag in told:
        meaning = _meaning(tag)
        if meaning is None:
            continue
        if meaning.is_hidden and not _holds_formula(number, view):
            hidden[number] = end
            if meaning.may_be_panel:
                panels[number] = meaning
        if meaning.is_shown:
            shown.add(number)
        elif meaning.is_button or meaning.expands:
            controls.append((number, end, meaning))
    for number, end, meaning in controls:
        is_label = meaning.is_button and _is_heading(number, end, view)
        if is_label or meaning.expands:
            panel = _behind(end, panels, view) if panels else -1
            opened.add(panel)
            is_label = is_label or (meaning.is_button and panel >= 0)
        if is_label:
            shown.add(number)
    names = _named(view) if any(panel.id is not None for panel in panels.values()) else ()
    for number, meaning in panels.items():
        if meaning.is_tab or (meaning.id or "") in names:
            opened.add(number)
    return Fates({number: end for number, end in hidden.items() if number not in opened}, shown)


class _Meaning(NamedTuple):
    """What the tag of an element tells.

    :param is_shown: whether it is a template whose content is shown.
    :param expands: whether it says that it opens something.
    :param is_tab: whether it is the panel of a tab.
    """

    is_hidden: bool
    is_shown: bool
    is_button: bool
    expands: bool
    may_be_panel: bool
    is_tab: bool
    id: str | None


@lru_cache(maxsize=1 << 12)
def _meaning(tag: str) -> _Meaning | None:
    """Return what a tag tells; None: nothing."""
    name, attributes = _name_of(tag), attributes_of(tag)
    found = _Meaning(
        is_hidden=name not in _NEVER_HIDDEN and is_hidden(attributes),
        is_shown=name == "template" and "shadowrootmode" in attributes,
        is_button=name == "button",
        expands=name != "template" and "aria-expanded" in attributes,
        may_be_panel=_may_be_panel(name, attributes),
        is_tab=attributes.get("role") == "tabpanel",
        id=attributes.get("id"),
    )
    return found if found.is_hidden or found.is_shown or found.is_button or found.expands else None


def _may_be_panel(name: str, attributes: Mapping[str, str]) -> bool:
    return name not in _NO_PANELS and attributes.get("role", "") in _PANEL_ROLES


def _name_of(tag: str) -> str:
    return tag.rstrip("/").partition(" ")[0]


@lru_cache(maxsize=1 << 12)
def _attributes(tag: str) -> Mapping[str, str]:
    return attributes_of(tag)


def _named(view: View) -> set[str]:
    """Return the ids of the elements that controls and links name on their page."""
    found = set[str]()
    for attributes in map(attributes_of, view.aiming()):
        found.update(attributes.get("aria-controls", "").split())
        for name, value in attributes.items():
            if value[:1] == "#" and (name == "href" or name.startswith("data-")):
                found.add(value[1:])
    return found - {""}


def _holds_formula(number: int, view: View) -> bool:
    """Return whether an element begins with a formula, without a text before it: a picture shows it."""
    if any(_name_of(tag) == "math" for tag, _ in view.around(number + 1, number + 2)):
        ((_, text),) = view.around(number, number + 1)
        return not text.strip()
    return False


def _behind(end: int, panels: Collection[int], view: View) -> int:
    """Return the panel that begins behind an element, without a text between them; -1: none does."""
    for number, _, text in _near(end, 1, view):
        if number > end and number in panels:
            return number
        if weight(plain_text(text)):
            break
    return -1


def _is_heading(number: int, end: int, view: View) -> bool:
    """Return whether a button has all the text of a heading."""
    heading = ""
    for _, tag, text in _near(number - 1, -1, view):
        if tag[:1] == "/" or weight(plain_text(text)):
            return False
        if _name_of(tag) in _LABELLED or _attributes(tag).get("role") == "heading":
            heading = f"/{_name_of(tag)}"
            break
    for _, tag, text in _near(end, 1, view):
        if tag == heading:
            return True
        if weight(plain_text(text)):
            break
    return False


def _near(number: int, step: int, view: View) -> Iterator[tuple[int, str, str]]:
    """Yield a piece and those before or behind it, each with its number, its tag and its text."""
    left = _NEAR
    while left and number >= 0 and (pieces := view.around(number, number + 1)):
        ((tag, text),) = pieces
        yield number, tag, text
        left -= tag[:1] != "!"
        number += step


# --- Tell whether hidden elements hold the main text: then a script must show them

#: A hidden element in one that holds the main text is shown with it, if it has more than this share of it.
_MOST = 0.5
#: The main text has at least so many letters, about three sentences: hidden numbers and messages have less.
_LEAST = 200


def with_main_text(
    found: Fates,
    shown: Sequence[Block],
    view: View,
    read_all: Callable[[], tuple[Sequence[Block], Sequence[tuple[int, int]]]],
) -> Fates | None:
    """Return what is hidden, without what holds the main text; None if nothing hidden does.

    The main text is longer than all the rest of a page. So an element that has more text outside links than
    the whole page shows has the main text, unless it is a dialog, a menu or a form.

    :param shown: the blocks that the page shows.
    :param read_all: returns the blocks of the page if nothing is hidden, and their pieces.

    Cost: ``read_all`` once, if there is much hidden text.
    """
    outer = list[tuple[int, int]]()
    for number, end in found.hidden.items():
        if not outer or number > outer[-1][1]:
            outer.append((number, end))
    outer = [one for one in outer if view.size_of(*one) > _LEAST]
    if not outer:
        return None
    least = max(_LEAST, sum(block.plain for block in shown))
    outer = [one for one in outer if view.size_of(*one) > least and _may_hold_text(one[0], view)]
    if not outer:
        return None
    blocks, spans = read_all()
    begins = [first for first, _ in spans]
    sums = [0, *accumulate(block.plain for block in blocks)]

    def text_of(number: int, end: int) -> int:
        return sums[bisect_left(begins, max(end, number + 1))] - sums[bisect_left(begins, number)]

    large = {number: own for number, end in outer if (own := text_of(number, end)) > least}
    if not large:
        return None
    last, need, hidden = -1, 0.0, dict[int, int]()
    for number, end in found.hidden.items():
        if number in large:
            last, need = end, _MOST * large[number]
        elif number > last or text_of(number, end) <= need:
            hidden[number] = end
    return Fates(hidden, found.shown)


def _may_hold_text(number: int, view: View) -> bool:
    ((tag, _),) = view.around(number, number + 1)
    return _may_be_panel(_name_of(tag), _attributes(tag))


# --- Move what a script moves into place while the page still comes
#
# A page that comes in parts has an empty template at the place of a part, and the part itself, hidden, behind
# the rest. A script names both: ``$RC("B:0", "S:0")``. What stands for the part until then is between the
# template and a comment.

#: A template and a part whose ids are named together.
_PAIR = re.compile(r"""["']([^"'\s<>]{1,60})["']\s*,\s*["']([^"'\s<>]{1,60})["']""")
#: The id of a template of React, whose part has the same number.
_PLACE = re.compile(r"(.*)[BP]:(\w+)")
#: Parts in parts in parts; a page with more of them at once is no page of a publishing system.
_MOST_NESTED = 16

#: A page in another order: its pieces from one up to another; if both are one, the text of this piece alone.
Order: TypeAlias = Sequence[tuple[int, int]]


def new_order(told: Told, read: Callable[[], Sequence[str]]) -> Order | None:
    """Return the order of a page's pieces with each part in its place; None: it stays as it is.

    Cost: a look at all pieces, if a template without content has an id.
    """
    if not any(number == end and tag[:9] == "template " and ' id="' in tag for number, end, tag in told):
        return None
    pieces = read()
    moves = _moves(pieces)
    return _order(moves, len(pieces)) if moves else None


def reordered(pieces: Sequence[str], order: Order) -> list[str]:
    """Return pieces in another order."""
    silent = {begin for begin, end in order if begin == end}
    found: list[str] = []
    for begin, end in order:
        if begin == end:
            found.append("!---->" + pieces[begin].partition(">")[2])
        else:
            found += pieces[begin:end]
            found[begin - end :] = [
                piece.partition(">")[0] + ">" if number in silent else piece
                for number, piece in enumerate(pieces[begin:end], begin)
            ]
    return found


class _Move(NamedTuple):
    """A part, from its first to its last piece, and its place: a template, with what stands for the part.

    :param place: the first piece of the template; ``empty`` is its last one, in XHTML an end tag of its own.
    :param last: the last piece of what stands for the part, with the text behind it; -1: nothing does.
    """

    place: int
    empty: int
    last: int
    first: int
    end: int


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
        rest = enumerate(pieces)
        for number, piece in rest:
            tag, _, text = piece.partition(">")
            if tag[:1] in ("!", "?"):
                last, _ = skip_element(rest, number, piece, COMMENT_TAG)
                self._comment(piece, number, last)
            elif tag[:1] == "/":
                self._end(number, pieces)
            else:
                self._start(number, tag, text)

    def _start(self, number: int, tag: str, text: str) -> None:
        name, attributes = _name_of(tag), _attributes(tag) if "=" in tag else {}
        own = attributes.get("id", "")
        if tag[-1:] == "/":
            if own and name == "template":
                self.places.setdefault(own, (number, number))
            return
        if name == "script":
            self.scripts.append(text)
        in_hidden = bool(self._open) and self._open[-1][3]
        self._open.append((number, own, name, in_hidden or is_hidden(attributes)))

    def _end(self, number: int, pieces: Sequence[str]) -> None:
        if not self._open:
            return
        begin, own, name, in_hidden = self._open.pop()
        if own and name == "template" and begin == number - 1 and pieces[begin][-1] == ">":
            self.places.setdefault(own, (begin, number))
        elif own and in_hidden and name != "template":
            self.parts.setdefault(own, (begin, number))
        while self._boundaries and self._boundaries[-1][0] > len(self._open):
            self._boundaries.pop()

    def _comment(self, piece: str, number: int, last: int) -> None:
        if piece.startswith("!--$"):
            self._boundaries.append((len(self._open), last))
        elif piece.startswith("!--/$") and self._boundaries and self._boundaries[-1][0] == len(self._open):
            self.ends[self._boundaries.pop()[1]] = number

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the ids of templates and of parts that may belong together."""
        for one, other in _PAIR.findall(plain_text("\n".join(self.scripts))):
            yield one, other
            yield other, one
        for place in self.places:
            if found := _PLACE.fullmatch(place):
                yield place, f"{found[1]}S:{found[2]}"


def _moves(pieces: Sequence[str]) -> list[_Move]:
    found = _Parts(pieces)
    places, parts, moves = dict(found.places), dict(found.parts), list[_Move]()
    for place, part in found.pairs():
        if place in places and part in parts and places[place] < parts[part]:
            (number, empty), (first, end) = places.pop(place), parts.pop(part)
            last = found.ends.get(number - 1, 0) - 1
            moves.append(_Move(number, empty, -1 if last > first else last, first, end))
    return moves


def _order(moves: Sequence[_Move], size: int) -> Order | None:
    """Return the order in which each part changes its place with what stands there; None if it is none."""
    cuts = {move.place: move for move in moves} | {move.first: move for move in moves}
    places = sorted(cuts)
    order = list[tuple[int, int]]()
    #: What is still to come, the next at the end: pieces from one up to another, and in how many parts.
    rest = [(0, size, 0)]
    while rest:
        begin, end, depth = rest.pop()
        if depth > _MOST_NESTED:
            return None
        at = bisect_left(places, begin)
        cut = min(places[at], end) if at < len(places) else end
        if begin < cut or begin == end:
            order.append((begin, cut))
        if cut == end:
            continue
        move = cuts[cut]
        last = max(move.last, move.empty)
        if cut == move.place:
            text, part = (move.first, move.first), (move.first + 1, move.end)
            after = (move.empty, move.empty) if move.last < 0 else None
            behind = (last + 1, end)
        else:
            order += [(cut, cut + 1), (move.place, move.empty + 1)]
            text, part, after, behind = None, (move.empty + 1, last + 1), None, (move.end, end)
        rest += [(*behind, depth)] if behind[0] < end else []
        rest += [(*after, depth)] if after else []
        rest += [(*part, depth + 1)] if part[0] < part[1] else []
        rest += [(*text, depth)] if text else []
    return order if sum(end - begin for begin, end in order) == size else None
