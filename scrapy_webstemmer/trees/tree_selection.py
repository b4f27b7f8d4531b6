"""Choose which elements of a page become nodes of its layout tree.

Source: News Ripper (Jasselette and Vanderwhale 2005), the table of elements of HTML 4.01. Addition: the
elements of today's HTML, in the same spirit. What has content of its own and is a part of the layout is
kept. What only marks a few words of a text is ignored. What no reader sees is removed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from ..errors import OptionError

#: The elements that are kept whatever the selection is.
ALWAYS = frozenset({"html", "head", "body"})


class Fate(Enum):
    """What becomes of an element: a node; or only its content stays; or it vanishes with its content."""

    KEEP = "keep"
    IGNORE = "ignore"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Group:
    """Some elements that have one switch.

    :param elements: their names.
    :param start: their fate in the default selection.
    :param off: their fate if the switch is off. If it is on, they are kept.
    """

    elements: frozenset[str]
    start: Fate
    off: Fate


def _groups(rows: str) -> dict[str, Group]:
    """Read a table with the columns name, fate in the default selection, fate if it is off, elements."""
    groups = {}
    for row in rows.strip().splitlines():
        name, start, off, *elements = row.split()
        groups[name] = Group(frozenset(elements or [name]), Fate(start), Fate(off))
    return groups


#: The groups of HTML 4.01, as published. A group without elements is the element of its name.
CLASSIC_GROUPS: Mapping[str, Group] = _groups("""
    tables      keep   remove  table
    row-groups  keep   ignore  thead tbody tfoot col colgroup
    rows        keep   ignore  tr
    cells       keep   ignore  td th
    caption     keep   remove
    lists       keep   remove  ul ol
    items       keep   ignore  li
    definitions keep   remove  dl
    terms       keep   ignore  dt dd
    menus       keep   remove  dir menu
    object      keep   remove
    img         keep   remove
    applet      keep   remove
    iframe      keep   remove
    params      remove remove  param map area
    title       keep   remove
    meta        remove remove
    links       remove remove  style link
    address     remove remove
    base        remove remove
    p           keep   ignore
    q           ignore ignore
    pre         ignore ignore
    ins         ignore ignore
    br          remove remove
    del         remove remove
    a           ignore ignore
    span        ignore ignore
    bdo         ignore ignore
    div         keep   ignore
    blockquote  keep   ignore
    hr          keep   remove
    headings    keep   ignore  h1 h2 h3 h4 h5 h6
    phrases     ignore ignore  em strong cite dfn code samp kbd var abbr acronym
    fonts       ignore ignore  font basefont sup sub tt i b big small strike s u
    forms       keep   remove  form input select optgroup option textarea button label fieldset legend isindex
    scripts     remove remove  script noscript
    frames      keep   remove  frameset frame noframes
""")

#: The groups of the elements that came later.
_LATER_GROUPS = _groups("""
    sections    keep   ignore  section article main header footer aside nav hgroup search
    figures     keep   remove  figure
    figcaption  keep   remove
    details     keep   ignore  details summary
    dialog      keep   remove
    picture     keep   ignore
    media       keep   remove  video audio embed canvas
    sources     remove remove  source track
    drawings    remove remove  svg math
    template    remove remove
    controls    keep   remove  datalist output meter progress
    words       ignore ignore  time mark data bdi ruby rb wbr slot
    readings    remove remove  rt rtc rp
    """)

GROUPS: Mapping[str, Group] = {**CLASSIC_GROUPS, **_LATER_GROUPS}

_STARTS = ("default", "all", "none")


@dataclass(frozen=True, slots=True)
class Selection:
    """The fate of each element.

    :param fates: the fates of the elements that have one. Any other element is ignored.
    """

    fates: Mapping[str, Fate]

    def fate(self, tag: str) -> Fate:
        """Return the fate of an element."""
        return Fate.KEEP if tag in ALWAYS else self.fates.get(tag, Fate.IGNORE)

    @classmethod
    def of(cls, switches: Mapping[str, bool], *, classic: bool = False) -> Selection:
        """Return the default selection, with some switches on or off.

        :param switches: names of groups, and whether each is on.
        :raises OptionError: there is no such group.
        """
        groups = CLASSIC_GROUPS if classic else GROUPS
        for name in switches:
            if name not in groups:
                raise OptionError("selection", name, f"must be one of {', '.join(sorted(groups))}")
        fates = {}
        for name, group in groups.items():
            fate = group.start
            if name in switches:
                fate = Fate.KEEP if switches[name] else group.off
            fates.update(dict.fromkeys(group.elements, fate))
        return cls(fates)

    @classmethod
    def read(cls, words: str, *, classic: bool = False) -> Selection:
        """Return the selection that some words describe.

        :param words: ``default``, ``all`` or ``none`` first, or none of them for ``default``. Then names of
            groups: ``+name`` or ``name`` switches a group on, ``-name`` switches it off. Between words there
            is white space or a comma.
        :raises OptionError: a word is not valid.

        >>> Selection.read("none tables rows cells").fate("li")
        <Fate.IGNORE: 'ignore'>
        >>> Selection.read("+span, -lists").fate("ul")
        <Fate.REMOVE: 'remove'>
        """
        names = words.replace(",", " ").split()
        start = names.pop(0) if names[:1] and names[0] in _STARTS else "default"
        groups = CLASSIC_GROUPS if classic else GROUPS
        switches = {} if start == "default" else dict.fromkeys(groups, start == "all")
        named = {(name[1:] if name[0] in "+-" else name): name[0] != "-" for name in names}
        return cls.of(switches | named, classic=classic)
