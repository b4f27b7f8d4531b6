"""The parts of a layout: sections with their scores, and templates that belong together."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import fmean
from typing import TypeVar

from ..base.sequences import Words, common_length, common_words
from ..base.urls import drawn
from ..values import Section
from .clusters import Profile, folded, mean_profile, profile_of, profile_similarity
from .model import PlacedLayout
from .paths import is_under

# --- Compute the DiffScore and MainScore of a cluster's sections
#
# Source: documentation of Webstemmer, scores. Departures: if a section has more pairs of texts than
# ``max_pairs``, a sample of them is compared, drawn the same way every time. Path layouts use an estimate:
# there a score shows what varies, and is not a threshold for the main text.

MAX_PAIRS = 200

#: An estimate compares the first characters of this many texts.
_FEW, _OPENING = 15, 500

Text = TypeVar("Text", bound=Sized)


def diff_score(
    texts: Sequence[Text],
    max_pairs: int = MAX_PAIRS,
    common: Callable[[Text, Text], int] = common_length,  # type: ignore[assignment]
) -> float:
    """Return how much a section's texts differ from page to page, from 0 (the same) to 1.

    :param common: returns the length that two texts have in common.

    It is the sum over pairs of W(a) + W(b) - 2 |MCS(a, b)|, over the sum of W(a) + W(b).
    For a section of a single page it is 1.

    Cost: one comparison per pair, at most ``max_pairs``; equal texts cost nothing.
    """
    if len(texts) < 2:
        return 1.0
    different = total = 0
    for a, b in _pairs(texts, max_pairs):
        length = len(a) + len(b)
        total += length
        if a != b:
            different += length - 2 * common(a, b)
    return different / total if total else 0.0


def estimated_diff_score(texts: Sequence[str]) -> float:
    """Return an estimate of :func:`diff_score`, at a hundredth of its cost.

    The words in the first 500 characters of fifteen texts are compared, the same fifteen every time.
    """
    if len(texts) < 2:
        return 1.0
    if all(text == texts[0] for text in texts):
        return 0.0
    draw = random.Random(len(texts))  # noqa: S311 - a sample, not a secret; the same in every run
    sample = draw.sample(texts, _FEW) if len(texts) > _FEW else texts
    return diff_score([Words(text[:_OPENING]) for text in sample], common=common_words)


def main_score(diff: float, plain: int, pages: int) -> float:
    """Return DiffScore times the mean weight outside links over all of the cluster's pages.

    :param plain: the section's weight outside links, summed over all pages.
    """
    return diff * plain / pages if pages else 0.0


def _pairs(texts: Sequence[Text], max_pairs: int) -> Iterator[tuple[Text, Text]]:
    count = len(texts)
    if count * (count - 1) // 2 <= max_pairs:
        for i in range(count):
            for j in range(i):
                yield texts[i], texts[j]
        return
    draw = random.Random(count)  # noqa: S311 - a sample, not a secret; the same in every run
    for _ in range(max_pairs):
        i, j = draw.sample(range(count), 2)
        yield texts[i], texts[j]


# --- Find the sections of a cluster with path layouts: the blocks that its pages have at one path
#
# A path names its place, so all blocks at one path are a section. (In layouts of 2009 a section is a part of
# the common sequence: ``classic/patterns_2009.py``.)


@dataclass(slots=True)
class _Occurrences:
    """The blocks at one path: for each page with the path its text and its position; the sums of weights."""

    texts: list[str] = field(default_factory=list)
    positions: list[float] = field(default_factory=list)
    plain: int = 0
    weight: int = 0


#: A section must be on at least this share of a cluster's pages.
_SUPPORT = 0.5


def find_sections(pages: Sequence[PlacedLayout]) -> tuple[Section, ...]:
    """Return the sections of a cluster, in the order of its pages, with their scores.

    Cost: linear in the number of blocks, and at most 100 comparisons of texts per section.
    """
    found: dict[str, _Occurrences] = defaultdict(_Occurrences)
    for page in pages:
        _add_page(page, found)
    kept = [(path, seen) for path, seen in found.items() if len(seen.texts) >= _SUPPORT * len(pages)]
    kept.sort(key=lambda item: (fmean(item[1].positions), item[0]))
    return tuple(_scored(path, seen, len(pages)) for path, seen in kept)


def _add_page(page: PlacedLayout, found: dict[str, _Occurrences]) -> None:
    blocks, paths = page.layout.blocks, page.paths
    here: dict[str, list[str]] = {}
    for index, (node, text, weight, plain) in enumerate(blocks):
        path = paths[node]
        seen = found[path]
        seen.plain += plain
        seen.weight += weight
        if path in here:
            here[path].append(text)
        else:
            here[path] = [text]
            seen.positions.append(index / len(blocks))
    for path, texts in here.items():
        found[path].texts.append(texts[0] if len(texts) == 1 else "\n".join(texts))


def _scored(path: str, seen: _Occurrences, pages: int) -> Section:
    diff = estimated_diff_score(seen.texts)
    main = main_score(diff, seen.plain, pages)
    return Section(path, round(diff, 4), round(main, 2), round(seen.weight / pages, 2))


# --- Join clusters of one template: they differ only in the text of the authors inside one container
#
# Some tools turn an author's text into sections in sections, or wrap code and lists. Then pages of one
# template are as unlike as those of two. But they have the same container, the same place of the title, and
# the same parts around them.


@dataclass(frozen=True)
class Template:
    """The pages of one template, and properties of them that are computed once, on demand.

    :param pages: the pages, sorted by url.
    :param container: path of the element that holds the main text.
    :param kind: whether they are articles (``article``) or lists and other pages (``index``).
    :param joined: whether several clusters were joined; then all text in the container is one feature.
    :param samples: how many of the pages are looked at closely; 0: all.
    :param profiles: the known profiles of pages, by url.
    """

    pages: Sequence[PlacedLayout]
    container: str
    kind: str = "article"
    joined: bool = False
    samples: int = 0
    profiles: Mapping[str, Profile] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def sample(self) -> Sequence[PlacedLayout]:
        """The pages that are looked at closely."""
        return drawn(self.pages, self.samples)

    @cached_property
    def profile(self) -> dict[str, float]:
        """The profile of a typical page."""
        profiles = [self.profiles.get(page.url) or profile_of(page) for page in self.sample]
        if self.joined:
            profiles = [folded(profile, self.container) for profile in profiles]
        return mean_profile(profiles)


def join_templates(
    templates: Sequence[Template],
    title_of: Callable[[Template], tuple[str, ...]],
    threshold: float,
) -> list[Template]:
    """Join the clusters that belong to one template; return all templates.

    A cluster belongs to a larger one if three conditions hold. It has the same
    container, or a deeper one in it without ids and classes. Its title is at the same
    place. Both are alike if all text in the container is taken as one feature.
    Templates of articles and of other pages are never joined.

    :param templates: each of one cluster, largest first.
    :param title_of: returns the place of a template's title, empty if there is none; called several times
        for some templates.
    :param threshold: similarity from which on two are joined, as for the pages of a cluster.

    Cost: a comparison of profiles for each pair whose containers agree.
    """
    found: dict[int, Template] = {}  # by the number of the largest cluster, which gives the title for all
    for number, own in enumerate(templates):
        same = (
            n
            for n, other in found.items()
            if own.kind == other.kind
            and _alike(own, other, threshold)
            and title_of(own) == title_of(templates[n])
        )
        larger = next(same, None)
        if larger is None:
            found[number] = own
        else:
            other = found[larger]
            joined = sorted([*other.pages, *own.pages], key=lambda page: page.url)
            found[larger] = replace(other, pages=joined, joined=True)
    return list(found.values())


def _alike(own: Template, other: Template, threshold: float) -> bool:
    """Return whether a template has the container of another, and all parts around it are alike."""
    # if the container is the body, all text folds into it, and nothing is left to compare
    if "/" not in other.container or not is_under(own.container, other.container):
        return False
    deeper = own.container[len(other.container) :]
    if "." in deeper or "#" in deeper:
        return False
    profiles = [folded(template.profile, other.container) for template in (own, other)]
    return profile_similarity(*profiles) >= threshold
