"""The thresholds of template detection: defaults of the paper, and errors for invalid values."""

from __future__ import annotations

from typing import Any

import pytest

from scrapy_webstemmer import OptionError
from scrapy_webstemmer.segments.segment_tables import SegmentOptions


def test_defaults_are_those_of_the_paper() -> None:
    """A segment on five pages is template; so is a block with more than .7 of its text in such segments."""
    options = SegmentOptions()
    assert (options.template_frequency, options.template_ratio) == (5, 0.7)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("template_frequency", 0),
        ("template_frequency", True),
        ("lifetime", 1.5),
        ("longest", 0),
        ("enough_pages", "50"),
        ("template_ratio", 1.1),
        ("template_ratio", float("nan")),
        ("template_ratio", None),
    ],
)
def test_bad_value_is_named(name: str, value: Any) -> None:
    """An invalid value gives an error that names the option."""
    with pytest.raises(OptionError, match=name):
        SegmentOptions(**{name: value})
