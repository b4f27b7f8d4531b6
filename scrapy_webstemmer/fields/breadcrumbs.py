"""Read the breadcrumbs that a page shows: the way from the site's front page to the page.

They count where JSON-LD states none. The first of these that a page has, and that gives a way, decides:

1. a ``BreadcrumbList`` of microdata or RDFa, or items of data-vocabulary.org, its forerunner;
2. an element whose label for screen readers says that it has breadcrumbs;
3. an element with this word as its name, its id, a class or a test id.

Sources: schema.org, ``BreadcrumbList``; WAI-ARIA Authoring Practices, breadcrumb.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from html import escape
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from ..page.instead import tags_from
from ..page.json_ld import MOST_IN_LIST
from ..page.marks import MOST_INNER
from ..page.markup import attributes_of, markup_of, name_of, plain_text
from ..page.tags import TODAY
from ..page.text import fold, letters
from ..values import Breadcrumb, Layout, Markup, valid_text

#: What a tag has in it that may begin breadcrumbs. Labels in other languages count on ``nav`` alone.
_NEEDLES = {
    "": (b"crumb", b"Crumb"),
    "nav": (b"riane", b"rotkr", b"igas", b"ercorso", b"ruimelpad", b"uta de", "рошки".encode()),
}
#: More links than this are a menu. The name of a step has at most so many characters.
_MOST_LINKS, _LONGEST_NAME = 15, 250
#: An element with more pieces of markup, or a longer text, has more than breadcrumbs.
_MOST_PIECES, _LONGEST_TEXT = 600, 2_000
#: Bound: so many elements of a kind are looked at.
_MOST_ELEMENTS = 60
#: So many pieces may be between two steps that no element holds together.
_BETWEEN_STEPS = 16
#: So many different ways in elements of one look belong to the entries of a list.
_TEASERS = 3

#: Elements that hold more than breadcrumbs, or are none, whatever they are called.
_NO_WAY = frozenset(
    "html body main article head script style link meta template svg path use symbol form input select button"
    " label img picture h1".split()
)
#: Elements whose text is not the name of a step.
_UNREAD = frozenset("script style template svg select button form input noscript i textarea label".split())
_LISTS, _LINES = frozenset({"ul", "ol", "menu"}), TODAY.block | {"br"}
#: Elements whose label counts.
_LABELLED = frozenset({"nav", "ol", "ul", "div", "section"})

#: The word in a name; other words in names that have it, of a state of the page, or of pages of a list.
_WORD = re.compile(
    r"(?:(?<![a-zA-Z])[bB]|(?<=[a-z])B)read[-_]?[cC]rumbs?(?![a-z])|fil[-_]?(?:d[-_]?)?[aA]riane"
)
_NO_WORD = re.compile(r"\b(?:has|with|no|without|hide|show)[-_]|pagination|popup", re.IGNORECASE)
#: A label in the usual languages of publishing systems.
_LABEL = re.compile(
    r"bread-?crumb|brotkr[uü]m|fil d.ariane|migas|percorso|kruimelpad|ruta de nav|хлебные кр", re.IGNORECASE
)
#: What stands before the first step, or is the heading of all.
_HERE = re.compile(
    r"bread-?crumbs?(?: navigation| trail)?|you are here|sie (?:sind|befinden sich) hier|vous [eê]tes ici"
    r"|usted est[aá] aqu[ií]|sei qui|ti trovi qui|u bent hier|voc[eê] est[aá] aqui|du [eä]r h[eä]r|вы здесь",
    re.IGNORECASE,
)
#: A link that is no step.
_BACK = re.compile(r"(?:go )?back\b|return to\b", re.IGNORECASE)
#: The class of what stands between steps.
_BETWEEN = re.compile(
    r"(?:^|[\s_-])(?:sep|separator|seperator|divider|delimiter|delim|chevron|arrow)(?=\s|$)"
    r"|material-(?:icons|symbols)",
    re.IGNORECASE,
)
_STEP_TAGS = _LISTS | {"nav", "a"}
_CURRENT = re.compile(r"(?:^|[\s_-])(?:active|current)(?=\s|$)", re.IGNORECASE)
#: Signs between steps, and those that a font shows as icons.
_SIGNS = " »›>→/|\\·•∙‣▸▶►❯⟩⇒➔➜➤«‹<" + "".join(map(chr, range(0xE000, 0xF900)))
_DASHES = re.compile("^[-–—] | [-–—]$")
_APART = re.compile(r"\s[»›>→/|\\·•‣▸▶►❯⟩⇒➔➜➤–—-]+\s")
#: The sign before the first text behind the last link, if texts behind it have it between them, too.
_FIRST_SIGN = re.compile(r"[»›>→/|\\]\s")
_FRONT = re.compile(r"https?://[^/?#]*/?", re.IGNORECASE)

#: What states that an element is an item of a list.
_STATES_ITEM = re.compile(
    r"""=["'](?:\w+:)?itemListElement["']|data-vocabulary\.org/Breadcrumb["']|v:Breadcrumb["']"""
)
#: Properties of a list's items, of their names and of their targets, in schema.org and data-vocabulary.org.
_ITEM, _NAMES, _TARGETS = "itemlistelement", frozenset({"name", "title"}), frozenset({"item", "url"})


def shown_breadcrumbs(layout: Layout, address: Callable[[str], str]) -> tuple[Breadcrumb, ...]:
    """Return the breadcrumbs that a page shows; none if it shows none.

    The last step is mostly the page itself, without a link. A way of one step counts, but not if this is the
    front page or the page itself.

    :param address: returns the absolute url that the text of an attribute is; empty: none.

    Cost: a search in the page's tags; a look at what is called breadcrumbs.
    """
    markup = markup_of(layout)
    tagged = markup.marked(_NEEDLES, markup.nodes[0], len(markup.pieces))
    if not tagged:
        return ()
    kinds = [(kind, piece, tag) for piece, tag in tagged if (kind := _kind(tag))]
    alike = Counter(_look(tag) for _, _, tag in kinds)
    for wanted in (_STATED, _LABELLED_SO, _NAMED):
        begins = [(piece, tag) for kind, piece, tag in kinds if kind == wanted][:_MOST_ELEMENTS]
        ways = sorted(_joined(_ways(markup, begins, address)), key=lambda way: len(way[0]) == 1)
        for crumbs, look in ways:
            if len(crumbs) == 1 and (_FRONT.fullmatch(url := crumbs[0].url or "") or url == layout.url):
                continue
            if alike[look] < _TEASERS or len({way for way, other in ways if other == look}) < _TEASERS:
                return crumbs
    return ()


class _Way(NamedTuple):
    """The steps in an element.

    :param begin: the index of its first piece; ``end``: that behind its last one.
    :param look: what elements that are made alike have in common.
    """

    begin: int
    end: int
    crumbs: tuple[Breadcrumb, ...]
    look: str


def _ways(markup: Markup, begins: Iterable[tuple[int, str]], address: Callable[[str], str]) -> Iterator[_Way]:
    """Yield the steps in elements that may be breadcrumbs; of those in each other the outermost."""
    behind = -1
    for piece, tag in begins:
        if piece < behind:
            continue
        begin = _begin(markup, piece, tag)
        end = markup.end_of(begin)  # that of a long element need not be known
        reader = _Reader(markup.pieces[begin : begin + _MOST_PIECES if end - begin > MOST_INNER else end + 1])
        if reader.end and (crumbs := _crumbs(reader, address)):
            behind = begin + reader.end
            yield _Way(begin, behind, crumbs, _look(tag))


def _joined(ways: Iterable[_Way]) -> list[tuple[tuple[Breadcrumb, ...], str]]:
    """Return the ways, and one of single steps that stand side by side, each with its look."""
    joined, last = list[_Way](), None
    for way in ways:
        is_next = last is not None and len(way.crumbs) == 1 and way.begin - last.end <= _BETWEEN_STEPS
        if last is not None and is_next and last.crumbs[-1] != way.crumbs[0]:
            joined[-1] = last._replace(end=way.end, crumbs=last.crumbs + way.crumbs)
        else:
            joined.append(way)
        last = joined[-1] if len(way.crumbs) == 1 else None
    return [(way.crumbs, way.look) for way in joined if _is_way(way.crumbs)]


def _is_way(crumbs: Sequence[Breadcrumb]) -> bool:
    """Return whether steps are a way: some have links."""
    return any(crumb.url for crumb in crumbs) and len(crumbs) <= MOST_IN_LIST


_STATED, _LABELLED_SO, _NAMED = "stated", "labelled", "named"


def _look(tag: str) -> str:
    attributes = attributes_of(tag)
    return " ".join((name_of(tag), attributes.get("class", ""), attributes.get("data-testid", "")))


@lru_cache(maxsize=1 << 11)
def _kind(tag: str) -> str:
    """Return in which way a start tag says that it begins breadcrumbs; empty: in none."""
    name, attributes = name_of(tag), attributes_of(tag)
    if name in _NO_WAY:
        return ""
    types = _types(attributes)
    if "BreadcrumbList" in types or _is_old_item(types):
        return _STATED
    labels = f"{attributes.get('aria-label', '')} {attributes.get('aria-labelledby', '')}"
    if name in _LABELLED and _LABEL.search(labels):
        return _LABELLED_SO
    classes = attributes.get("class", "").split()
    names = (name, attributes.get("id", ""), attributes.get("data-testid", ""), *classes)
    return _NAMED if any(_WORD.search(text) and not _NO_WORD.search(text) for text in names) else ""


def _is_old_item(types: str) -> bool:
    return types.endswith(("data-vocabulary.org/Breadcrumb", "v:Breadcrumb"))


def _begin(markup: Markup, piece: int, tag: str) -> int:
    """Return the first piece of breadcrumbs, given an element in them.

    That of the page itself has a name in a plugin that leaves the element around all to the theme.
    """
    if "breadcrumb_last" not in tag:
        return piece
    first = max(markup.nodes[0], piece - _MOST_PIECES)
    depth, outer = 0, piece
    for at, before, _ in reversed([*tags_from(markup.pieces[first:piece], 0)]):
        if before[:1] == "/":
            depth += 1
        elif before and before[-1:] != "/":
            depth -= 1
            if depth < 0:
                if outer < piece and name_of(before) != "span":
                    break
                depth, outer = 0, first + at
    return outer


class _Open(NamedTuple):
    """What is known of an element that is open.

    :param is_read: whether its text counts.
    :param link: the number of the link that it is in; 0: none.
    :param item: the number of the list's item that it is in; 0: none.
    :param is_name: whether its text is stated as the item's name.
    """

    name: str
    is_read: bool
    link: int
    item: int
    is_name: bool


class _Run(NamedTuple):
    """A text of a link, or between links, with what is known of its element, and the number of its line."""

    text: str
    link: int
    item: int
    is_name: bool
    line: int


class _Reader:
    """The texts and the links in an element.

    :param pieces: the pieces of the page from the element on.
    :ivar end: the number of its pieces; 0: there are too many, or its text is too long.
    :ivar is_stated: whether its items are stated; else they are those of its first list with links.
    :ivar targets: for each link its target; ``labels``: what stands for its text.
    :ivar stated_targets: for each item the target that is stated for it; ``lists``: the number of its list.
    :ivar current: the items of the page itself.
    """

    def __init__(self, pieces: Sequence[str]) -> None:
        self.runs = list[_Run]()
        self.targets, self.labels, self.stated_targets, self.lists = [""], [""], [""], [0]
        self.current = set[int]()
        self.is_stated = _STATES_ITEM.search("<".join(pieces)) is not None
        self.end = self._line = self._list = size = 0
        self._open = [_Open("", True, 0, 0, False)]
        for at, tag, text in tags_from(pieces, 0):
            if tag[:1] == "/":
                self._close(tag[1:])
            elif tag:
                self._start(tag)
            if len(self._open) == 1:
                self.end = at + 1
                break
            size += len(text.strip()) if self._open[-1].is_read else 0
            if size > _LONGEST_TEXT:
                break
            self._add(text)

    def _start(self, tag: str) -> None:
        name, attributes = name_of(tag), attributes_of(tag)
        _, is_read, link, item, is_name = self._open[-1]
        self._line += name in _LINES
        classes, properties = attributes.get("class", ""), _properties(attributes)
        is_read &= name not in _UNREAD
        if name not in _STEP_TAGS and (_BETWEEN.search(classes) or attributes.get("aria-hidden") == "true"):
            is_read = False
        is_read &= name not in _LISTS or not item  # a menu that a step opens
        self._list += name in _LISTS and not item
        if self._is_item(name, attributes):
            item = len(self.stated_targets)
            self.stated_targets.append("")
            self.lists.append(self._list)
        if "aria-current" in attributes or _CURRENT.search(classes):
            self.current.add(item)
        if not properties.isdisjoint(_TARGETS):
            targets = map(attributes.get, ("href", "resource", "content"))
            self.stated_targets[item] = self.stated_targets[item] or next(filter(None, targets), "")
        is_name |= not properties.isdisjoint(_NAMES)
        if name == "a" and is_read and "href" in attributes:
            link = len(self.targets)
            self.targets.append(attributes["href"])
            self.labels.append(attributes.get("aria-label") or attributes.get("title", ""))
        elif name == "img" and link:
            self.labels[link] = self.labels[link] or attributes.get("alt", "")
        if tag[-1:] != "/":
            self._open.append(_Open(name, is_read, link, item, is_name))
        if is_read and (link or name == "meta"):  # a link may have no text
            self._take(_Run(attributes.get("content", ""), link, item, is_name, self._line))

    def _is_item(self, name: str, attributes: dict[str, str]) -> bool:
        if not self.is_stated:
            return name == "li" and len(self._open) > 1 and not self._open[-1].item
        return _ITEM in _properties(attributes) or _is_old_item(_types(attributes))

    def _close(self, name: str) -> None:
        while len(self._open) > 1:
            closed = self._open.pop()
            self._line += closed.name in _LINES
            if closed.name == name:
                break

    def _add(self, text: str) -> None:
        _, is_read, link, item, is_name = self._open[-1]
        if is_read:
            self._take(_Run(plain_text(text), link, item, is_name, self._line))

    def _take(self, run: _Run) -> None:
        last = self.runs[-1] if self.runs else None
        is_same = last is not None and last[1:4] == run[1:4] and (run.link or last.line == run.line)
        if last is not None and is_same:
            self.runs[-1] = last._replace(text=last.text + run.text)
        else:
            self.runs.append(run)


def _is_label(crumb: Breadcrumb) -> bool:
    """Return whether a text is no step: it says what follows, or leads back."""
    if crumb.url:
        return _BACK.match(crumb.name) is not None
    return crumb.name.endswith((":", "：")) or _HERE.fullmatch(crumb.name) is not None


def _types(attributes: dict[str, str]) -> str:
    return f"{attributes.get('itemtype', '')} {attributes.get('typeof', '')}".strip()


def _properties(attributes: dict[str, str]) -> set[str]:
    names = f"{attributes.get('itemprop', '')} {attributes.get('property', '')}"
    return {name.rpartition(":")[2] for name in names.lower().split()}


def _crumbs(reader: _Reader, address: Callable[[str], str]) -> tuple[Breadcrumb, ...]:
    """Return the steps that an element has; none if it has none, or too many links."""
    if len(reader.targets) > _MOST_LINKS + 1:
        return ()
    crumbs = list[Breadcrumb]()
    for name, target in _named_steps(reader):
        if target[:1] == "#" != target:  # a link to a part of the page
            continue
        url = address(escape(target, quote=False)) if target not in ("", "#") else ""
        crumb = Breadcrumb(valid_text(_DASHES.sub("", fold(name).strip(_SIGNS))), url or None)
        if not letters(crumb.name) or len(crumb.name) > _LONGEST_NAME or _is_label(crumb):
            continue
        if "{{" in name or crumb in crumbs[:1]:  # the template of a script; the same once more
            break
        if not crumbs or crumb.name != crumbs[-1].name:
            crumbs.append(crumb)
    return tuple(crumbs)


def _named_steps(reader: _Reader) -> Iterator[tuple[str, str]]:
    """Yield the name and the target of each step, as they stand there."""
    items = dict.fromkeys(run.item for run in reader.runs if run.link and run.item)
    lists = Counter(reader.lists[item] for item in items)
    longest = max(lists, key=lists.__getitem__, default=0)  # the same may stand there for narrow screens, too
    for item, group in groupby(reader.runs, attrgetter("item")):
        runs = [*group]
        if reader.is_stated:
            yield from _stated_steps(reader, runs, item) if item else ()
        elif not lists:
            yield from _steps_of_line(reader, runs)
        elif item and reader.lists[item] == longest:
            yield from _steps_of_item(reader, runs)
            if item in reader.current - {0} and not any(run.link for run in runs):
                break


def _stated_steps(reader: _Reader, runs: Sequence[_Run], item: int) -> Iterator[tuple[str, str]]:
    """Yield the step that a stated item is; its links if it has several, which are items in it."""
    links = [*dict.fromkeys(run.link for run in runs if run.link)]
    if len({reader.targets[link] for link in links}) > 1:
        yield from _steps_of_item(reader, runs)
        return
    texts = [run.text for run in runs if run.is_name] or [run.text for run in runs if run.link or not links]
    link, name = links[0] if links else 0, "".join(texts)
    yield (
        name if letters(name) else reader.labels[link],
        reader.stated_targets[item] or reader.targets[link],
    )


def _steps_of_item(reader: _Reader, runs: Sequence[_Run]) -> Iterator[tuple[str, str]]:
    """Yield the links of a list's item; its text if it has none."""
    if any(run.link for run in runs):
        for link, group in groupby(runs, attrgetter("link")):
            if link:
                yield _link_step(reader, link, (run.text for run in group))
    else:
        yield "".join(run.text for run in runs), ""


def _steps_of_line(reader: _Reader, runs: Sequence[_Run]) -> Iterator[tuple[str, str]]:
    """Yield the links, the texts between signs among them, and the first line behind the last link."""
    last = max((run.link for run in runs), default=0)
    before = 0
    for link, group in groupby(runs, attrgetter("link")):
        texts = [run.text for run in group]
        if link:
            yield _link_step(reader, link, texts)
        elif before == last:
            text = fold(next(filter(letters, texts), ""))
            sign = _FIRST_SIGN.match(text)
            yield from ((part, "") for part in (text[sign.end() :].split(sign[0]) if sign else [text]))
        elif before:
            yield from ((part, "") for part in _APART.split(f" {''.join(texts)} ")[1:-1])
        before = link or before


def _link_step(reader: _Reader, link: int, texts: Iterable[str]) -> tuple[str, str]:
    name = "".join(texts)
    target = reader.targets[link]
    return name if letters(name) or target in ("", "#") else reader.labels[link], target
