"""The pieces of a page's tree, as those ask for them who look for marks, hidden parts and inline tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from html import escape

from .instead import tags_from
from .lines import NOTHING, SHOWN, is_inline, short_tag
from .marks import MOST_INNER
from .markup import attributes_of, name_of, plain_text
from .shown import aims, tells


class TreePieces:
    """The pieces of a page's tree, for lines and marks. They are split when the first is asked for."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._pieces = pieces

    def inline(self, first: int, end: int) -> list[tuple[str, str]]:
        """Return for the pieces from one up to another the tag in its short form, and the text."""
        return [(_short(tag), escape(plain_text(text), quote=False)) for tag, text in self._split[first:end]]

    def marked(self, needles: Mapping[str, tuple[bytes, ...]], first: int, end: int) -> list[tuple[int, str]]:
        """Return the pieces, from one up to another, whose start tag has one of some bytes.

        Each with its index and its tag.

        :param needles: the bytes by the name of the element; "" for all elements.
        """
        wanted = {name: [part.decode() for part in parts] for name, parts in needles.items()}
        return [
            (number, self._pieces[number].partition(">")[0])
            for number, (tag, _) in enumerate(self._split[first:end], first)
            if tag[:1] != "/"
            and any(part in tag for part in (*wanted.get(name_of(tag), ()), *wanted.get("", ())))
        ]

    def told(self) -> list[tuple[int, int, str]]:
        """Return the elements that may tell something about what is shown, see ``shown.py``."""
        telling, ends = list[tuple[int, str]](), dict[int, int]()
        inside = list[int]()  # the elements that are open in one that tells something, and itself
        for number, (tag, _) in enumerate(self._split):
            if inside:
                if tag[:1] == "/":
                    ends[inside.pop()] = number
                    continue
                if tag[-1:] != "/" and tag[:1] != "!":
                    inside.append(number)
            if number and tells(tag):
                telling.append((number, tag))
                if not inside and tag[-1:] != "/":
                    inside.append(number)
        return [(number, ends.get(number, number), tag) for number, tag in telling]

    def aiming(self) -> list[str]:
        """Return the start tags that may name another element on their page."""
        return [tag for tag, _ in self._split if aims(tag)]

    def around(self, first: int, end: int) -> list[tuple[str, str]]:
        """Return the tag and the text of the pieces from one up to another."""
        return self._split[first:end]

    def size_of(self, first: int, end: int) -> int:
        """Return the number of characters of the texts of the pieces from one up to another."""
        return sum(len(text) for _, text in self._split[first:end])

    def end_of(self, number: int) -> int:
        """Return the index of the end tag of an element; its own, if it has no content.

        The end of a long element is not looked for: it is somewhere behind the index that is returned.
        """
        split, depth = self._split, 0
        tag = split[number][0]
        name = tag.partition(" ")[0]
        if tag[-1:] == "/":
            return number
        end = min(number + MOST_INNER + 1, len(split))
        for at in range(number, end):
            other = split[at][0]
            if other.partition(" ")[0] == name and other[-1:] != "/":
                depth += 1
            elif other == f"/{name}":
                depth -= 1
                if not depth:
                    return at
        return end

    @cached_property
    def _split(self) -> list[tuple[str, str]]:
        """The tag and the text of each piece; nothing for the tags of comments and of empty elements."""
        split: list[tuple[str, str]] = []
        for _, tag, text in tags_from(self._pieces, 0):
            if not tag:
                split.append((NOTHING, text))
            elif split and not split[-1][1] and _is_closed(split[-1][0], tag):
                split[-1] = f"{split[-1][0]}/", ""
                split.append((f"{tag[1:]}/", text))
            else:
                split.append((tag, text))
        return split


def _is_closed(tag: str, by: str) -> bool:
    """Return whether a start tag is closed by the tag behind it."""
    return by[:1] == "/" and tag[-1:] != "/" and tag.partition(" ")[0] == by[1:]


@lru_cache(maxsize=1 << 13)
def _short(tag: str) -> str:
    if tag == NOTHING or tag[-1:] == "/":
        return NOTHING
    name = name_of(tag)
    if not is_inline(name):
        return ""
    if tag[:1] == "/":
        return f"</{name}>"
    attributes = attributes_of(tag)
    return short_tag(name, *map(attributes.get, SHOWN))
