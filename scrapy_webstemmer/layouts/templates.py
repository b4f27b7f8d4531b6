"""Templates: clusters that differ only in what their authors wrote inside of one container.

Where a tool turns an author's text into sections in sections, or wraps code and
lists, pages of one template are as unlike as those of two. They have the same
container, the same place of the title, and the same parts around them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .paths import is_under
from .placed import PlacedLayout
from .similarity import folded, mean_profile, profile_of, profile_similarity

__all__ = ["Template", "join_templates"]


class Template(NamedTuple):
    """The pages of one template.

    :param pages: sorted by url.
    :param container: path of the element that holds the main text.
    :param joined: whether several clusters were joined: then what stands in the container is one feature.
    """

    pages: Sequence[PlacedLayout]
    container: str
    joined: bool = False

    def profile(self) -> dict[str, float]:
        """Return what a typical page looks like."""
        profiles = [profile_of(page) for page in self.pages]
        if self.joined:
            profiles = [folded(profile, self.container) for profile in profiles]
        return mean_profile(profiles)


def join_templates(
    templates: Sequence[Template],
    title_of: Callable[[Sequence[PlacedLayout]], tuple[str, ...]],
    is_index: Callable[[Template], bool],
    threshold: float,
) -> list[Template]:
    """Return the templates with those joined that are one.

    One belongs to a larger one if it has the same container, or one deeper in it
    that no attribute names; if its title is at the same place; and if it is alike
    when all that stands in the container is taken as one feature. Index pages and
    articles are never one.

    :param templates: a cluster each, largest first.
    :param title_of: the place of the title on a template's pages, if there is one.
    :param is_index: whether a template's pages mostly lead to others.
    :param threshold: similarity from which on two are one, as for the pages of a cluster.

    Cost: a comparison of profiles for each pair whose containers agree.
    """
    found: list[Template] = []
    for own in templates:
        same = (n for n, other in enumerate(found) if _same(own, other, title_of, threshold))
        number = next((n for n in same if is_index(own) == is_index(found[n])), None)
        if number is None:
            found.append(own)
        else:
            other = found[number]
            joined = sorted([*other.pages, *own.pages], key=lambda page: page.url)
            found[number] = Template(joined, other.container, joined=True)
    return found


def _same(
    own: Template,
    other: Template,
    title_of: Callable[[Sequence[PlacedLayout]], tuple[str, ...]],
    threshold: float,
) -> bool:
    # what folds into the body is all there is: nothing would be left to compare
    if "/" not in other.container or not is_under(own.container, other.container):
        return False
    deeper = own.container[len(other.container) :]
    if "." in deeper or "#" in deeper:
        return False
    profiles = [folded(template.profile(), other.container) for template in (own, other)]
    return profile_similarity(*profiles) >= threshold and title_of(own.pages) == title_of(other.pages)
