"""Join clusters of one template: they differ only in the text of the authors inside one container.

Some tools turn an author's text into sections in sections, or wrap code and lists. Then pages of one
template are as unlike as those of two. But they have the same container, the same place of the title, and
the same parts around them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ..base.samples import drawn
from ..site.paths import is_under
from ..site.placed import PlacedLayout
from ..site.profiles import Profile, folded, mean_profile, profile_of, profile_similarity


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
    templates: Sequence[Template], title_of: Callable[[Template], tuple[str, ...]], threshold: float
) -> list[Template]:
    """Join the clusters that belong to one template; return all templates.

    A cluster belongs to a larger one if three conditions hold. It has the same
    container, or a deeper one in it without ids and classes. Its title is at the same
    place. Both are alike if all text in the container is taken as one feature.
    Templates of articles and of other pages are never joined.

    :param templates: each of one cluster, largest first.
    :param title_of: returns the best place of a template's title, empty if there is none; called several
        times for some templates.
    :param threshold: similarity from which on two are joined, as for the pages of a cluster.

    Cost: a comparison of profiles for each pair whose containers agree.
    """
    joined: list[tuple[Template, Template]] = []  # each with its largest cluster, which gives the title
    for template in templates:
        for number, (larger, largest) in enumerate(joined):
            if (
                template.kind == larger.kind
                and _alike(template, larger, threshold)
                and title_of(template) == title_of(largest)
            ):
                pages = sorted([*larger.pages, *template.pages], key=lambda page: page.url)
                joined[number] = replace(larger, pages=pages, joined=True), largest
                break
        else:
            joined.append((template, template))
    return [template for template, _ in joined]


def _alike(smaller: Template, larger: Template, threshold: float) -> bool:
    """Return whether a template has the container of another, and all parts around it are alike."""
    # if the container is the body, all text folds into it, and nothing is left to compare
    if "/" not in larger.container or not is_under(smaller.container, larger.container):
        return False
    deeper = smaller.container[len(larger.container) :]
    if "." in deeper or "#" in deeper:
        return False
    profiles = [folded(template.profile, larger.container) for template in (smaller, larger)]
    return profile_similarity(*profiles) >= threshold
