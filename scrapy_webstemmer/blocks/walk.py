"""A page's tree to its layout blocks, in one pass.

The walk is a loop over an explicit stack: pages nest elements deeper than
Python recurses.
"""

from __future__ import annotations

import re
from typing import Any

from ..values import Block, Layout, Step
from .features import word_weight
from .parsing import Element
from .tags import TODAY, TagRules
from .text import fold, fold_ascii, fold_lines, weight

__all__ = ["layout_of"]

_WEB = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.\-\s]*:", re.IGNORECASE)


def layout_of(url: str, root: Element, rules: TagRules = TODAY, keep_elements: bool = False) -> Layout:
    """Return the layout of a parsed page; the tree is left as it is.

    :param keep_elements: keep the elements of the nodes and of the text runs, to render blocks as HTML.

    Cost: one visit an element, one look at each character.
    """
    start = root
    if rules.from_body:
        body = root.find("body") if root.tag == "html" else None
        start = root if body is None else body
    walk = _Walk(url, rules, keep_elements)
    walk.run(start)
    return Layout(
        url=url,
        steps=tuple(walk.steps),
        parents=tuple(walk.parents),
        links=tuple(walk.links),
        leads=tuple(walk.leads),
        blocks=tuple(walk.blocks),
        title_element=_title_element(root),
        og_title=_og_title(root),
        elements=tuple(walk.elements),
        runs=tuple(walk.runs),
        images=tuple(walk.images),
    )


class _Walk:
    """The state of one walk; ``node`` is the innermost open block-level element."""

    def __init__(self, url: str, rules: TagRules, keep_elements: bool) -> None:
        self.page = url.partition("//")[2].partition("#")[0]
        self.host = self.page.partition("/")[0].lower()
        self.rules, self.keep = rules, keep_elements
        self.steps: list[Step] = []
        self.parents: list[int] = []
        self.links: list[int] = []
        self.leads: list[int] = []
        self.blocks: list[Block] = []
        self.elements: list[Element] = []
        self.runs: list[tuple[tuple[str, Element], ...]] = []
        self.images: list[tuple[int, int, Element]] = []
        self.node = -1
        self.linked = 0
        self.preformatted = 0
        self.text: list[str] = []
        self.plain: list[str] = []
        self.run_elements: list[tuple[str, Element]] = []

    def run(self, start: Element) -> None:
        self.open_node(start)
        todo: list[tuple[Element, bool]] = []
        self.add(start.text, start)
        todo.extend((child, True) for child in reversed(start))
        while todo:
            element, entering = todo.pop()
            if entering and self.enter(element):
                if len(element):
                    todo.append((element, False))
                    todo.extend((child, True) for child in reversed(element))
                    continue
            elif entering:  # passed over with all that is in it
                self.add(element.tail, element.getparent())
                continue
            self.leave(element)
        if self.rules.from_body:  # in 2009 what stands after the last block tag was lost
            self.flush()

    def enter(self, element: Element) -> bool:
        """Open an element; False if it is passed over."""
        tag = element.tag
        if not isinstance(tag, str) or tag in self.rules.skipped:
            return False
        if tag in self.rules.block:
            if self.rules.from_body:
                if "hidden" in element.attrib:
                    return False
            elif not len(element) and not element.text:  # in 2009 an element without content cut nothing
                return False
            self.flush()
            self.open_node(element)
            if tag == "pre":
                self.preformatted += 1
        elif tag == "a":
            href = element.get("href")
            self.links[self.node] += not _is_mark(element, href)
            if href is not None and self.leads_on(href):
                self.leads[self.node] += 1
            self.linked += 1
        elif tag in self.rules.cut:
            self.flush()
        elif tag == "img" and self.rules.drop_caps and not self.text and len(element.get("alt", "")) == 1:
            self.add(element.get("alt"), element)
        elif tag == "img" and self.keep:
            self.run_elements.append(("", element))
        self.add(element.text, element)
        return True

    def leave(self, element: Element) -> None:
        tag = element.tag
        if tag in self.rules.block:
            self.flush()
            if tag == "pre":
                self.preformatted -= 1
            self.node = self.parents[self.node]
        elif tag == "a":
            self.linked -= 1
        if element.tail:
            self.add(element.tail, element.getparent() if self.keep else None)

    def leads_on(self, href: str) -> bool:
        """Return whether a link leads to another page of the same host."""
        href = href.strip()
        if _WEB.match(href):
            target = href.partition("//")[2].partition("#")[0]
            return target != self.page and target.partition("/")[0].lower() == self.host
        return bool(href) and href[0] != "#" and not _SCHEME.match(href)

    def open_node(self, element: Element) -> None:
        attrib = element.attrib
        self.steps.append(Step(element.tag, *_attributes(attrib, self.rules)))
        self.parents.append(self.node)
        self.links.append(0)
        self.leads.append(0)
        self.node = len(self.steps) - 1
        if self.keep:
            self.elements.append(element)

    def add(self, text: str | None, element: Element) -> None:
        if not text:
            return
        self.text.append(text)
        if not self.linked:
            self.plain.append(text)
        if self.keep:
            self.run_elements.append((text, element))

    def flush(self) -> None:
        """End the block, if there is one."""
        if not self.text:
            if self.run_elements:
                self.keep_images()
            return
        raw = "".join(self.text)
        if self.rules.from_body:
            text, weigh = fold_lines(raw) if self.preformatted else fold(raw), weight
        else:
            text, weigh = fold_ascii(raw), word_weight
        if text and (significant := weigh(text)) >= self.rules.min_weight:
            all_plain = len(self.plain) == len(self.text)
            plain = significant if all_plain else weigh("".join(self.plain))
            self.blocks.append(Block(self.node, text, significant, plain))
            if self.keep:
                self.runs.append(tuple(self.run_elements))
        elif self.keep:
            self.keep_images()
        self.text, self.plain, self.run_elements = [], [], []

    def keep_images(self) -> None:
        """Keep the images of a run without text as such: their piece of the run is empty."""
        self.images += [(len(self.blocks), self.node, image) for text, image in self.run_elements if not text]
        self.run_elements = []


def _is_mark(element: Element, href: str | None) -> bool:
    """Return whether a link is the sign by which a heading links to itself: a fragment without text."""
    return href is not None and href.startswith("#") and not weight("".join(element.itertext()))


def _attributes(attrib: Any, rules: TagRules) -> tuple[str, tuple[str, ...]]:
    """Return the id and the class tokens (today) or all telling attributes as one string (classic)."""
    if not attrib:
        return "", ()
    if not rules.from_body:
        return _classic_attributes(attrib), ()
    classes = attrib.get("class")
    return attrib.get("id", "").strip(), tuple(classes.split()) if classes else ()


_TELLING = ("align", "class", "colspan", "id", "rowspan", "valign")


def _classic_attributes(attrib: Any) -> str:
    found = "".join(f":{key}={attrib[key]}" for key in _TELLING if key in attrib)
    return found.lower().encode("ascii", "replace").decode("ascii")


def _title_element(root: Element) -> str:
    element = root.find(".//title")
    return "" if element is None else fold("".join(element.itertext()))


def _og_title(root: Element) -> str:
    for meta in root.iterfind(".//head/meta"):
        if "og:title" in (meta.get("property"), meta.get("name")):
            return fold(meta.get("content", ""))
    return ""
