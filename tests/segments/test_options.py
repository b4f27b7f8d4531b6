"""The thresholds of template detection: the paper's by default, and none that cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from scrapy_webstemmer import OptionError, SegmentOptions


def test_defaults_are_those_of_the_paper() -> None:
    """A segment of five pages is template, and a block with more than .7 of its text in such segments."""
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
    """A value that cannot be is refused with its name."""
    with pytest.raises(OptionError, match=name):
        SegmentOptions(**{name: value})
