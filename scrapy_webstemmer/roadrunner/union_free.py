"""Union-free expressions of pages: elements, texts, fields, optional parts and iterators.

Source: V. Crescenzi, G. Mecca, P. Merialdo, RoadRunner: Towards Automatic Data Extraction from Large Web
Sites (VLDB 2001). A page is a sequence of tokens: tags and texts. An expression has such tokens, fields
(``#PCDATA``, here ``$``) that take any text, optional parts ``( )?`` and iterators ``( )+``, but no union.
``acme.py`` makes expressions. To match pages, an expression becomes a program over their tokens. A choice
that has failed at a token is not made there again. So the work is bounded by the product of both lengths, and
it is linear if the tokens decide.

Departures: the tokens are those of the layout tree, so tags of running text are a part of the text. The
authors drop expressions in which an optional part stands beside another one, since pages can be read in
several ways with them. Here the first reading is taken, in which each part takes what it can.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple, TypeAlias

from ..trees.layout_trees import TEXT, Node, Tree

#: A text of the page, whatever it is.
FIELD = "$"
#: The names of groups. What is in them may be missing, or there several times, or both.
OPTIONAL, REPEATED, ANY = "(?)", "(+)", "(*)"
GROUP_NAMES = frozenset({OPTIONAL, REPEATED, ANY})


class Part(NamedTuple):
    """A part of an expression: an element, a text, a field, or a group.

    :param name: the name of an element, or what it is else.
    :param text: the text of a text.
    :param parts: what is in an element, or in a group.
    """

    name: str
    text: str = ""
    parts: tuple[Part, ...] = ()


def part_of(tree: Tree) -> Part:
    """Return a page, or an expression that was written as a tree. Cost: linear in the nodes."""
    parts = [Part(FIELD)] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        below = tuple([parts[child] for child in tree.children[node]])
        parts[node] = Part(tree.names[node], tree.texts[node], below)
    return parts[0]


def tree_of(part: Part) -> Tree:
    """Return an expression as a tree, whose nodes are its parts. Cost: linear in the parts."""
    nodes: list[Node] = []
    todo = [(part, -1)]
    while todo:
        part, parent = todo.pop()
        todo += [(below, len(nodes)) for below in reversed(part.parts)]
        nodes.append((part.name, part.text, parent))
    return Tree.of(nodes)


class _Op(Enum):
    TOKEN = "token"  # noqa: S105 - take this token
    FIELD = "field"  # take a text into this passage
    SPLIT = "split"  # go on, or else jump there
    BACK = "back"  # jump there, or else go on


_Code: TypeAlias = list[tuple[_Op, str | int]]
#: A part whose nodes are not all written yet: where they end, what follows it, and where it may be left out.
_Open: TypeAlias = tuple[int, _Code, int | None]


class Reading(NamedTuple):
    """How an expression accepts a page.

    :param passages: for each passage that takes text, its texts, both in the order of the page.
    :param share: the share of the page's tokens that are the expression's own: tags and constant texts.
    """

    passages: tuple[tuple[str, ...], ...]
    share: float


class Program:
    """An expression, made ready to match pages. It must not be changed.

    :param tree: the expression.

    Paragraphs with nothing but fields that stand side by side, repeated or not, are one passage: an author
    writes as many as the text takes. Any other field is a passage of its own.

    Cost: linear in the parts.
    """

    def __init__(self, tree: Tree) -> None:
        self._code: _Code = []
        passages = _passages(tree)
        opened: list[_Open] = []
        for node, name in enumerate(tree.names):
            self._close(opened, node)
            end, start = node + tree.sizes[node], len(self._code)
            if name in GROUP_NAMES:
                if name != REPEATED:
                    self._code.append((_Op.SPLIT, 0))
                following: _Code = [(_Op.BACK, len(self._code))] if name != OPTIONAL else []
                opened.append((end, following, start if name != REPEATED else None))
            elif name == FIELD:
                self._code.append((_Op.FIELD, passages[node]))
            else:
                self._code.append((_Op.TOKEN, _token(tree, node)))
                opened.append((end, [] if name == TEXT else [(_Op.TOKEN, f">{name}")], None))
        self._close(opened, len(tree))

    def _close(self, opened: list[_Open], node: int) -> None:
        while opened and opened[-1][0] <= node:
            _, following, split = opened.pop()
            self._code += following
            if split is not None:
                self._code[split] = _Op.SPLIT, len(self._code)

    def __len__(self) -> int:
        return len(self._code)

    def read(self, tokens: Sequence[str], most: int) -> tuple[Reading | None, int]:
        """Return how the expression accepts a page, None if it does not; and the steps that it took.

        :param tokens: see :func:`tokens_of`.
        :param most: how many steps it may take. If they are not enough, it took one more.
        """
        code, steps = self._code, 0
        taken: list[tuple[int, str]] = []
        tried: set[tuple[int, int]] = set()
        todo = [(0, 0, 0)]
        while todo:
            at, place, count = todo.pop()
            del taken[count:]
            while at < len(code):
                steps += 1
                if steps > most:
                    return None, steps
                op, operand = code[at]
                if op in (_Op.SPLIT, _Op.BACK):
                    if (at, place) in tried:
                        break
                    tried.add((at, place))
                    first, second = (at + 1, int(operand)) if op is _Op.SPLIT else (int(operand), at + 1)
                    todo.append((second, place, len(taken)))
                    at = first
                    continue
                if place == len(tokens):
                    break
                token = tokens[place]
                if op is _Op.FIELD and token[0] == TEXT[0]:
                    taken.append((int(operand), token))
                elif token != operand:
                    break
                at, place = at + 1, place + 1
            else:
                if place == len(tokens):
                    return Reading(_joined(taken), 1 - len(taken) / max(1, place)), steps
        return None, steps


def tokens_of(tree: Tree) -> list[str]:
    """Return the tokens of a page: a start tag as ``<p``, an end tag as ``>p``, a text as ``#text words``."""
    tokens: list[str] = []
    opened: list[tuple[int, str]] = []
    for node, name in enumerate(tree.names):
        while opened and opened[-1][0] <= node:
            tokens.append(opened.pop()[1])
        tokens.append(_token(tree, node))
        if name != TEXT:
            opened.append((node + tree.sizes[node], f">{name}"))
    return [*tokens, *(end for _, end in reversed(opened))]


def _token(tree: Tree, node: int) -> str:
    name = tree.names[node]
    return f"{TEXT} {tree.texts[node]}" if name == TEXT else f"<{name}"


def _joined(taken: Sequence[tuple[int, str]]) -> tuple[tuple[str, ...], ...]:
    passages: dict[int, list[str]] = {}
    for passage, token in taken:
        passages.setdefault(passage, []).append(token[len(TEXT) + 1 :])
    return tuple(map(tuple, passages.values()))


def _passages(tree: Tree) -> list[int]:
    """Return the number of each node's passage. Only those of fields say something."""
    plain = [False] * len(tree)
    for node in range(len(tree) - 1, -1, -1):
        name, below = tree.names[node], tree.children[node]
        holds = name == "p" or name in GROUP_NAMES
        plain[node] = name == FIELD or (holds and bool(below) and all(plain[child] for child in below))
    numbers = list(range(len(tree)))
    for node, below in enumerate(tree.children):
        before = -1
        for child in below:
            if plain[node]:
                numbers[child] = numbers[node]
            elif plain[child] and before >= 0 and plain[before]:
                numbers[child] = numbers[before]
            before = child
    return numbers
