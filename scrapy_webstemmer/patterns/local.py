"""A page's own evidence, where few pages of its template are known (path layouts).

A template that has seen one page knows little: whether a part of the page is
furniture, and at what depth the main text stands. What it does not know, the
page itself says, by the same rules, as a cluster of one.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ..blocks.vocabulary import Paths, learn_vocabulary
from ..layouts.excluded import find_excluded_on
from ..layouts.paths import last_step, tag_of
from ..layouts.placed import PlacedLayout
from ..layouts.templates import Template
from ..layouts.traits import SiteTraits
from ..options import LearnOptions
from ..values import Layout
from .learn import find_container_of, pattern_of
from .match import Match

__all__ = ["UNLIKE", "match_itself", "with_own_exclusions"]

#: A page that is less like its pattern than this is read by its own evidence.
UNLIKE = 0.4

_OPTIONS = LearnOptions()


def match_itself(layout: Layout, traits: SiteTraits) -> tuple[PlacedLayout, Match]:
    """Return a page and the pattern that it gives alone: nameless, of no page learned from, alike in nothing.

    The page's own attribute values name what the site's vocabulary has no name
    for; static texts and affixes of the site count as always. Cost: some passes
    over the nodes.
    """
    vocabulary = {**learn_vocabulary([layout], 0.0, 1), **traits.vocabulary}
    traits = replace(traits, vocabulary=vocabulary, paths=Paths(vocabulary))
    page = traits.place(layout)
    template = Template([page], find_container_of([page], _OPTIONS))
    pattern = pattern_of(template, traits, {}, _OPTIONS)
    return page, Match(replace(pattern, name="", pages=0), 0.0)


def with_own_exclusions(page: PlacedLayout, match: Match) -> Match:
    """Return a match that excludes also what the page itself tells to be furniture.

    Only parts of the template, by their id or class, that the pattern has not seen:
    of what it has seen it knows more than one page does.
    """
    pattern = match.pattern
    seen = _elements_of(tuple(pattern.profile))
    new = find_excluded_on(page, pattern.container, lambda path: path not in seen and _is_named(path))
    return match._replace(pattern=replace(pattern, excluded=(*pattern.excluded, *new))) if new else match


def _is_named(path: str) -> bool:
    return last_step(path) != tag_of(path)


@lru_cache(maxsize=256)
def _elements_of(features: tuple[str, ...]) -> frozenset[str]:
    """Return the features of a pattern and all that encloses them."""
    found = set(features)
    for feature in features:
        while feature := feature.rpartition("/")[0]:
            found.add(feature)
    return frozenset(found)
