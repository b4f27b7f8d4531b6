"""Tell which elements of a page are shown: what is hidden, and what a control opens.

An element is hidden by its attribute ``hidden`` or ``popover``, or by ``display: none`` or ``visibility:
hidden`` in its own style; so are templates, and dialogs that are not open. It is text all the same if readers
get to see it: a panel that a control opens; what a script moves into place while the page still comes; what
holds the main text, since some script must show that.

Sources: HTML Standard, the attributes ``hidden`` and ``popover``, ``dialog`` and declarative shadow roots;
WAI-ARIA Authoring Practices (accordion, disclosure, tabs).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ..values import Block
from .markup import attributes_of, name_of, plain_text
from .tags import HEADINGS, PICTURES, VOID
from .text import weight

if TYPE_CHECKING:
    from .scan import Scan
    from .tree_pieces import TreePieces

#: The elements that may tell something about what is shown, in the order of the page: for each the numbers of
#: its first and its last piece, and its start tag.
Told: TypeAlias = Sequence[tuple[int, int, str]]
#: A page's pieces, as both readings have them.
View: TypeAlias = "TreePieces | Scan"


class Fates(NamedTuple):
    """What becomes of some elements, given the number of their first pieces.

    :param hidden: for each hidden element the number of its last piece.
    :param shown: elements of a kind that is never text (``template``, ``button``) but whose text is shown.
    """

    hidden: Mapping[int, int]
    shown: Collection[int]


#: By the rules of 2009 and for text without tags, nothing is hidden.
ALL_SHOWN = Fates({}, ())

_TELLS = re.compile(
    r'^(?:button|template|dialog)(?:[ /]|$)| (?:hidden|popover|onclick|aria-expanded)="'
    r'| style="[^"]*(?:non|hid|coll)',
    re.IGNORECASE,
)
#: What names another element: ids, or a place on the page.
_AIMS = re.compile(r' (?:aria-controls="([^"]*)"|(?:href|data-[^ =]*)="#([^"]*)")')
_DECLARATION = re.compile(r"(?:^|;)\s*(display|visibility)\s*:\s*([a-z-]+)", re.IGNORECASE)
_HIDING = frozenset({("display", "none"), ("visibility", "hidden"), ("visibility", "collapse")})


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
    if attributes.get("hidden", "until-found").strip().lower() != "until-found" or "popover" in attributes:
        return True
    style = attributes.get("style")
    return style is not None and _hides(style)


@lru_cache(maxsize=1 << 10)
def _hides(style: str) -> bool:
    last = {name.lower(): value.lower() for name, value in _DECLARATION.findall(style)}
    return not _HIDING.isdisjoint(last.items())


#: The roles of panels. A dialog, a menu or a message is none.
_PANEL_ROLES = frozenset({"", "group", "region", "tabpanel"})
_NO_PANELS = frozenset({"a", "dialog", "form", "menu", "nav"})
#: A picture that a script shows later is a picture. The others have no text.
_NEVER_HIDDEN = VOID | PICTURES | {"button", "math", "template"}
#: The text of these may stand in a button.
_LABEL_TAGS = HEADINGS | {"dt", "summary"}
#: What the class of a label says, and where a link leads that is none.
_OPENS = re.compile(r'class="[^"]*(?:accordion|collapse|collapsible|faq|question|toggle)', re.IGNORECASE)
_LEADS_AWAY = re.compile(r' href="(?!#|javascript:)')
#: An answer has none of these before its first sentence, which has at least so many letters.
_NO_ANSWERS = frozenset("a button form iframe input label script select style textarea".split())
_LEAST_SENTENCE = 20
#: A button with more tags than this in it has an element that is not closed. libxml2 does not end a button
#: before such an element ends; browsers do, and show what follows.
_SWALLOWS = 200
#: The hidden rest of a text has so many letters at least: messages are shorter. What stands behind it and
#: opens it, if it is no element with ``onclick``, and what may be around that.
_LEAST_REST = 80
_TOGGLE = re.compile(r'button(?! [^>]*type="submit")|a [^>]*href="(?:#!?|javascript:[^"]*)"|[^>]* onclick="')
_AROUND_TOGGLE = frozenset({"br", "div", "p", "span"})
#: At most so many tags are between a control and its panel: ends of elements, icons.
_REACH = 16


def fates_of(told: Told, view: View) -> Fates:
    """Return which elements are hidden, and which buttons and templates are shown.

    A control names its panel (``aria-controls``, or a target within the page), or stands directly before it:
    an element with ``aria-expanded``, one that is no button and has ``onclick``, or a button that is all of a
    heading. Such a button is the label of what follows, and text. So is what a button holds by mistake. A
    template with ``shadowrootmode`` is the content of the element around it. Labels and panels that stand
    side by side several times need no more than that (:func:`_series`), and the rest of a text only a control
    behind it (:func:`_rests`).

    Cost: linear in the number of elements that tell something.
    """
    hidden, panels = dict[int, int](), dict[int, _Meaning]()
    controls = list[tuple[int, int, _Meaning]]()
    shown, opened = set[int](), set[int]()
    buttons = dict[int, tuple[int, str]]()
    for number, end, tag in told:
        meaning = _meaning(tag)
        if meaning.is_hidden and not _holds_formula(number, view):
            hidden[number] = end
            if meaning.may_be_panel:
                panels[number] = meaning
        if meaning.is_shown:
            shown.add(number)
        elif meaning.is_button or meaning.expands:
            controls.append((number, end, meaning))
    for number, end, meaning in controls:
        is_label = meaning.is_button and (end - number > _SWALLOWS or _is_heading(number, end, view))
        if is_label or meaning.expands:
            panel = _panel_behind(end, panels, view) if panels else -1
            opened.add(panel)
            is_label = is_label or (meaning.is_button and panel >= 0)
        if is_label:
            shown.add(number)
        elif meaning.is_button and (meaning.may_label or _holds_heading(number, view)):
            buttons[number] = end, meaning.kind
    named_ids = _named_ids(view) if any(panel.id for panel in panels.values()) else ()
    for number, meaning in panels.items():
        if meaning.is_tab or meaning.id in named_ids:
            opened.add(number)
    closed = {
        number: meaning.kind
        for number, meaning in panels.items()
        if number not in opened and view.size_of(number, hidden[number]) >= _LEAST_SENTENCE
    }
    if len(buttons) > 1 or len(closed) > 1:
        for label, panel in _series(buttons, closed, view):
            opened.add(panel)
            shown.update({label} - {-1})
    opened.update(_rests([number for number in closed if number not in opened], hidden, view))
    return Fates({number: end for number, end in hidden.items() if number not in opened}, shown)


class _Meaning(NamedTuple):
    """What the tag of an element tells.

    :param is_shown: whether it is a template whose content is shown; others are hidden, and are no panels.
    :param expands: whether it says that it opens something.
    :param is_tab: whether it is the panel of a tab.
    :param may_label: whether it may be the label of what is behind it, if it is a button.
    :param kind: its name and its classes.
    """

    is_hidden: bool
    is_shown: bool
    is_button: bool
    expands: bool
    may_be_panel: bool
    is_tab: bool
    id: str
    may_label: bool
    kind: str


@lru_cache(maxsize=1 << 12)
def _meaning(tag: str) -> _Meaning:
    name, attributes = name_of(tag), known_attributes(tag)
    is_shown = name == "template" and "shadowrootmode" in attributes
    is_closed = is_hidden(attributes) or (name == "dialog" and "open" not in attributes)
    return _Meaning(
        is_hidden=is_closed if name not in _NEVER_HIDDEN else name == "template" and not is_shown,
        is_shown=is_shown,
        is_button=name == "button",
        expands="aria-expanded" in attributes or ("onclick" in attributes and name != "button"),
        may_be_panel=name != "template" and _may_be_panel(tag),
        is_tab=attributes.get("role") == "tabpanel",
        id=attributes.get("id", ""),
        may_label="aria-expanded" in attributes or _OPENS.search(tag) is not None,
        kind=f"{name} {attributes.get('class', '')}",
    )


def _may_be_panel(tag: str) -> bool:
    return name_of(tag) not in _NO_PANELS and known_attributes(tag).get("role", "") in _PANEL_ROLES


#: The attributes of a start tag, as of all that tell something.
known_attributes = lru_cache(maxsize=1 << 12)(attributes_of)


def _named_ids(view: View) -> set[str]:
    """Return the ids of the elements that controls and links name on their page."""
    ids = set[str]()
    for controlled, place in _AIMS.findall("".join(view.aiming())):
        ids.update((plain_text(place), *plain_text(controlled).split()))
    return ids - {""}


def _holds_formula(number: int, view: View) -> bool:
    """Return whether an element begins with a formula, without a text before it: a picture shows it."""
    (_, text), *behind = view.around(number, number + 2)
    return not text.strip() and any(name_of(tag) == "math" for tag, _ in behind)


def _holds_heading(number: int, view: View) -> bool:
    """Return whether an element begins with a heading."""
    return any(name_of(tag) in HEADINGS for tag, _ in view.around(number + 1, number + 3))


def _panel_behind(end: int, panels: Collection[int], view: View) -> int:
    """Return the panel that begins behind an element, without a text between them; -1: none does."""
    for number, _, text in _pieces_from(end, 1, view):
        if number > end and number in panels:
            return number
        if weight(plain_text(text)):
            break
    return -1


def _is_heading(number: int, end: int, view: View) -> bool:
    """Return whether a button has all the text of a heading."""
    heading = ""
    for _, tag, text in _pieces_from(number - 1, -1, view):
        if tag[:1] == "/" or weight(plain_text(text)):
            return False
        if name_of(tag) in _LABEL_TAGS or ' role="heading"' in tag:
            heading = f"/{name_of(tag)}"
            break
    for _, tag, text in _pieces_from(end, 1, view):
        if tag == heading:
            return True
        if weight(plain_text(text)):
            break
    return False


class _Pair(NamedTuple):
    """A label and the panel directly behind it.

    :param kind: what both look like.
    :param label: the first piece of a button; -1: the label is text in any case.
    """

    kind: str
    label: int
    text: str
    panel: int


def _labelled_by(number: int, end: int, kind: str, view: View) -> _Pair | None:
    """Return a button with the element behind it; None if a text is between them."""
    for at, tag, text in _pieces_from(end, 1, view):
        if at > end and tag[:1] not in ("!", "/"):
            label = _text_of(view.around(number, end))
            return _Pair(kind + _meaning(tag).kind, number, label, at) if _may_be_panel(tag) else None
        if weight(plain_text(text)):
            break
    return None


def _label_before(panel: int, kind: str, view: View) -> _Pair | None:
    """Return the label that ends before a hidden panel: it is a heading or has one, or its class says so."""
    name, depth, is_label, inside = "", 0, False, list[tuple[str, str]]()
    for _, tag, text in _pieces_from(panel - 1, -1, view):
        if not name and (weight(plain_text(text)) or tag[:1] not in ("!", "/") or tag == "/button"):
            return None
        if tag[:1] == "!":
            continue
        is_end, inner = tag[:1] == "/", name_of(tag)
        if name:
            inside.append((tag, text))
        name = name or inner
        if inner == name and tag[-1:] != "/":
            depth += 1 if is_end else -1
        is_label = is_label or inner in _LABEL_TAGS or _OPENS.search(tag) is not None
        if inner == "a" and _LEADS_AWAY.search(tag):
            return None
        if not depth:
            meaning = _meaning(tag)  # a hidden element is a panel itself
            is_label &= not meaning.is_hidden
            return _Pair(meaning.kind + kind, -1, _text_of(inside[::-1]), panel) if is_label else None
    return None


def _series(
    buttons: Mapping[int, tuple[int, str]], panels: Mapping[int, str], view: View
) -> Iterator[tuple[int, int]]:
    """Yield the labels and the panels that stand side by side several times, as questions and answers do.

    A script opens such panels by their classes. The labels of other buttons are the same each time ("Reply"),
    and what is no answer has no sentence at its beginning, but links or fields.

    :param buttons: the end and the kind of each button that may be a label.
    :param panels: the kind of each panel that is still hidden.
    """
    kinds = Counter([*(kind for _, kind in buttons.values()), *panels.values()])
    pairs = [
        _labelled_by(number, *button, view) for number, button in buttons.items() if kinds[button[1]] > 1
    ]
    pairs += [_label_before(number, kind, view) for number, kind in panels.items() if kinds[kind] > 1]
    series = dict[str, list[_Pair]]()
    for pair in filter(None, pairs):
        series.setdefault(pair.kind, []).append(pair)
    for like in series.values():
        if 1 < len(like) == len({pair.text for pair in like}):
            yield from ((pair.label, pair.panel) for pair in like if _begins_with_sentence(pair.panel, view))


def _rests(closed: Sequence[int], ends: Mapping[int, int], view: View) -> set[int]:
    """Return the hidden elements that go on with a text: a paragraph before them, a control behind them.

    :param closed: the elements, in the order of the page.
    """
    rests = set[int]()
    for number in reversed(closed):
        is_rest = _is_followed(ends[number], rests, view) and _goes_on(number, view)
        if is_rest and _begins_with_sentence(number, view, _LEAST_REST):
            rests.add(number)
    return rests


def _is_followed(end: int, rests: Collection[int], view: View) -> bool:
    """Return whether a control stands directly behind an element, or another part of the rest."""
    for at, tag, text in _pieces_from(end, 1, view):
        if at > end and (at in rests or _TOGGLE.match(tag)):
            return True
        is_other = at > end and tag[:1] not in ("!", "/") and name_of(tag) not in _AROUND_TOGGLE
        if is_other or weight(plain_text(text)):
            break
    return False


def _goes_on(number: int, view: View) -> bool:
    """Return whether an element stands directly behind a ``p`` or a text as long."""
    for _, tag, text in _pieces_from(number - 1, -1, view):
        if tag == "/p" or weight(plain_text(text)):
            return tag == "/p" or len(text) >= _LEAST_REST
    return False


def _begins_with_sentence(number: int, view: View, least: int = _LEAST_SENTENCE) -> bool:
    letters, depth = 0, 0
    for _, tag, text in _pieces_from(number, 1, view):
        is_end = tag[:1] == "/"
        depth += -1 if is_end else tag[-1:] != "/" and tag[:1] != "!"
        if not depth or (not is_end and name_of(tag) in _NO_ANSWERS):
            return False
        letters += weight(plain_text(text))
        if letters >= least:
            return True
    return False


def _text_of(pieces: Sequence[tuple[str, str]]) -> str:
    return plain_text("".join(text for _, text in pieces)).strip()


def _pieces_from(number: int, step: int, view: View) -> Iterator[tuple[int, str, str]]:
    """Yield a piece and those before or behind it, each with its number, its tag and its text."""
    left = _REACH
    while left and number >= 0 and (pieces := view.around(number, number + 1)):
        ((tag, text),) = pieces
        yield number, tag, text
        left -= tag[:1] != "!"
        number += step


#: A hidden element in one that holds the main text is shown with it, if it has more than this share of it.
_MAIN_SHARE = 0.5
#: The main text has at least so many letters, about three sentences: hidden numbers and messages have less.
_LEAST_MAIN = 200


def with_main_text(
    fates: Fates,
    shown: Sequence[Block],
    view: View,
    read_all: Callable[[Collection[int]], tuple[Sequence[Block], Sequence[tuple[int, int]]]],
) -> Fates | None:
    """Return what is hidden, without what holds the main text; None if nothing hidden does.

    The main text is longer than all the rest of a page. So an element that has more text outside links than
    the whole page shows has the main text, unless it is a dialog, a menu or a form.

    :param shown: the blocks that the page shows.
    :param read_all: returns the blocks of the page if nothing is hidden, and their pieces; given the elements
        of a kind that is never text, but whose text counts.

    Cost: ``read_all`` once, if there is much hidden text.
    """
    outer = list[tuple[int, int]]()
    for number, end in fates.hidden.items():
        if not outer or number > outer[-1][1]:
            outer.append((number, end))
    least = max(_LEAST_MAIN, sum(block.plain for block in shown))
    outer = [span for span in outer if view.size_of(*span) > least and _may_be_panel(_tag_at(span[0], view))]
    if not outer:
        return None
    templates = {number for number in fates.hidden if name_of(_tag_at(number, view)) == "template"}
    blocks, spans = read_all({*fates.shown, *templates})
    begins = [first for first, _ in spans]
    sums = [0, *accumulate(block.plain for block in blocks)]

    def text_of(number: int, end: int) -> int:
        return sums[bisect_left(begins, max(end, number + 1))] - sums[bisect_left(begins, number)]

    large = {number: size for number, end in outer if (size := text_of(number, end)) > least}
    if not large:
        return None
    last, need, hidden = -1, 0.0, dict[int, int]()
    for number, end in fates.hidden.items():
        if number in large:
            last, need = end, _MAIN_SHARE * large[number]
        elif number > last or text_of(number, end) <= need:
            hidden[number] = end
    return Fates(hidden, {*fates.shown, *(templates - hidden.keys())})


def _tag_at(number: int, view: View) -> str:
    ((tag, _),) = view.around(number, number + 1)
    return tag
