"""The calibration's regression finds what separates right from wrong, and its plot is an SVG file."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from calibration_fit import fit, fit_unmatched
from calibration_plot import draw


def test_the_telling_factor_gets_the_larger_exponent() -> None:
    """The factor on which right and wrong depend gets more weight, and sure articles are right."""
    values = [{"telling": a / 20, "idle": b / 4} for a in range(1, 21) for b in range(1, 5)]
    right = [row["telling"] > 0.5 for row in values]
    odds, exponents = fit(values, right, [1.0] * len(values))
    assert exponents["telling"] > 1 > exponents["idle"]
    scores = [
        odds * row["telling"] ** exponents["telling"] * row["idle"] ** exponents["idle"] for row in values
    ]
    sure = [hit for score, hit in zip(scores, right, strict=True) if score / (1 + score) >= 0.9]
    assert sure
    assert sum(sure) >= 0.98 * len(sure)


def test_pages_that_no_pattern_fits_have_odds_of_their_own() -> None:
    """Where pages with a confidence of .3 are right and others wrong, the odds grow faster than before."""
    values = [0.3] * 50 + [0.02] * 50
    odds, power = fit_unmatched(values, [True] * 48 + [False] * 50 + [True] * 2, [1.0] * 100)
    likely, unlikely = (odds * (value / (1 - value)) ** power for value in (0.3, 0.02))
    assert likely / (1 + likely) > 0.9
    assert unlikely / (1 + unlikely) < 0.1
    assert power > 1


def test_the_plot_counts_articles(tmp_path: Path) -> None:
    """Each bar has its number of articles above it; a confidence of 1 belongs to the last bar."""
    path = tmp_path / "calibration.svg"
    draw(path, [(0.95, True), (1.0, True), (0.95, False), (0.42, True)])
    texts = [element.text for element in ET.parse(path).iter("{http://www.w3.org/2000/svg}text")]
    assert texts.count("3") == 1
    assert texts.count("1") == 1
    assert texts.count("0") == 8
