"""Define the thresholds of incremental template detection."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import OptionError


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentOptions:
    """Options for the detection of templates while pages come in.

    A default is the paper's if it is not marked as ours.

    :param template_frequency: a text segment is template from this document frequency on.
    :param template_ratio: a block is template if more than this share of its text is in such segments.
    :param lifetime: T_b, the number of pages after which a segment that was seen once is forgotten (ours:
        with it, a part of the template on one page in fifty is still found).
    :param longest: N, how many times longer the most frequent segments are remembered (ours).
    :param enough_pages: from this many pages on, a site's template counts as known (ours).
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
