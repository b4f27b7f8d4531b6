"""Plot the calibration: the share of right articles by confidence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 400" role="img"
     aria-labelledby="title desc" font-family="system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"
     font-size="13" text-anchor="middle">
  <title id="title">Calibration of confidence</title>
  <desc id="desc">For articles by confidence, the share of which the F1 is .9 or more.</desc>
  <rect width="640" height="400" fill="#fff"/>"""
_LEFT, _BOTTOM, _WIDTH, _HEIGHT, _BINS = 60, 340, 560, 300, 10


def draw(path: Path, articles: Sequence[tuple[float, bool]]) -> None:
    """Write an SVG file.

    :param articles: for each article its confidence, and whether it is right.
    """
    lines = [_HEAD]
    for tenth in range(0, 11, 2):
        y = _BOTTOM - _HEIGHT * tenth // 10
        lines.append(f'  <path d="M{_LEFT} {y}h{_WIDTH}" stroke="#ddd"/>')
        lines.append(f'  <text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{tenth / 10:.1f}</text>')
    for number in range(_BINS):
        here = [right for value, right in articles if min(int(value * _BINS), _BINS - 1) == number]
        lines += _bar(number, here)
    lines += [
        f'  <path d="M{_LEFT} {_BOTTOM}l{_WIDTH} -{_HEIGHT}" stroke="#555" stroke-dasharray="4 4"/>',
        f'  <text x="{_LEFT + _WIDTH // 2}" y="385">confidence (above each bar: number of articles)</text>',
        f'  <text transform="translate(18 {_BOTTOM - _HEIGHT // 2}) rotate(-90)">'
        "share with F1 of .9 or more</text>",
        "</svg>",
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _bar(number: int, here: Sequence[bool]) -> list[str]:
    step = _WIDTH // _BINS
    x = _LEFT + number * step
    share = sum(here) / len(here) if here else 0.0
    height = round(_HEIGHT * share)
    fill = "#1f6f8b" if number == _BINS - 1 else "#8fb8c6"
    top = _BOTTOM - height
    return [
        f'  <rect x="{x + 4}" y="{top}" width="{step - 8}" height="{height}" fill="{fill}"/>',
        f'  <text x="{x + step // 2}" y="{top - 6}">{len(here)}</text>',
        f'  <text x="{x + step // 2}" y="{_BOTTOM + 18}">{number / _BINS:.1f}</text>',
    ]
