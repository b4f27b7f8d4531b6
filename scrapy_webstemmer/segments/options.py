"""The thresholds of incremental template detection, named and explained."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import OptionError

__all__ = ["SegmentOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentOptions:
    """How templates are detected while pages come in. Where nothing is said a default is the paper's.

    :param template_frequency: document frequency from which on a text segment is template.
    :param template_ratio: share of a block's text in such segments, above which the block is template.
    :param lifetime: T_b, pages after which a segment that was seen once is forgotten (ours: a
        part of the template that one page in fifty has is still found).
    :param longest: N, how many times longer the most frequent segments are remembered (ours).
    :param enough_pages: pages of a site from which on its articles are held to be of a known template (ours).
    """

    template_frequency: int = 5
    template_ratio: float = 0.7
    lifetime: int = 250
    longest: int = 40
    enough_pages: int = 50

    def __post_init__(self) -> None:
        for name in ("template_frequency", "lifetime", "longest", "enough_pages"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise OptionError(name, value, "must be a whole number from 1 on")
        ratio = self.template_ratio
        if isinstance(ratio, bool) or not isinstance(ratio, int | float) or not 0 <= ratio <= 1:
            raise OptionError("template_ratio", ratio, "must be a number from 0 to 1")
