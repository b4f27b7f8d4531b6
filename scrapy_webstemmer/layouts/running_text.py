"""Find the elements in which an author's text runs, and the texts there that only look like boilerplate.

What an author puts between paragraphs is part of the article: lists with links, an introduction that many
posts share, a heading that recurs. Only what stands on nearly every page comes from the template.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from .boilerplate import BoilerplateKey, keys_of
from .paths import coarse, is_under
from .placed import PlacedLayout

#: An element holds running text on a page if more than this share of the container's new text outside links
#: is directly in it ...
_MUCH = 0.3
#: ... and on the template if this is so on at least this share of its pages.
_PAGES = 0.5
#: A recurring text is the template's if it is on at least this share of the pages.
_NEARLY_ALL = 0.9


def running_elements(pages: Sequence[PlacedLayout], container: str) -> set[str]:
    """Return the paths of the elements in a container that directly hold much of its text, on most pages.

    Cost: linear in the number of blocks.
    """
    counts: Counter[str] = Counter()
    for page in pages:
        held: Counter[str] = Counter()
        inside = {path: is_under(path, container) for path in set(page.places)}
        for block, path, boilerplate in zip(page.layout.blocks, page.places, page.boilerplate, strict=True):
            if not boilerplate and inside[path] and not page.repeated[block.node]:
                held[coarse(path)] += block.plain
        whole = held.total()
        counts.update(element for element, plain in held.items() if plain > _MUCH * whole)
    return {element for element, count in counts.items() if count >= _PAGES * len(pages)}


def author_texts(pages: Sequence[PlacedLayout], container: str) -> set[BoilerplateKey]:
    """Return texts that count as boilerplate, but are the author's, since only some pages have them."""
    elements = running_elements(pages, container)
    counts = Counter(key for page in pages for key in set(_recurring(page, elements).values()))
    return {key for key, count in counts.items() if count < _NEARLY_ALL * len(pages)}


def with_author_texts(pages: Iterable[PlacedLayout], texts: Collection[BoilerplateKey]) -> list[PlacedLayout]:
    """Return pages on which some texts are no boilerplate."""
    elements = {coarse(path) for path, _ in texts}
    found = []
    for page in pages:
        spared = {number for number, key in _recurring(page, elements).items() if key in texts}
        flags = (known and number not in spared for number, known in enumerate(page.boilerplate))
        found.append(replace(page, boilerplate=tuple(flags)) if spared else page)
    return found


def _recurring(page: PlacedLayout, elements: Collection[str]) -> dict[int, BoilerplateKey]:
    """Return the boilerplate directly in some elements: the numbers of its blocks, with their keys."""
    numbers = [
        number
        for number, (path, boilerplate) in enumerate(zip(page.places, page.boilerplate, strict=True))
        if boilerplate and coarse(path) in elements
    ]
    texts, places = [page.layout.blocks[n].text for n in numbers], [page.places[n] for n in numbers]
    return dict(zip(numbers, keys_of(texts, places, page.title), strict=True))
