"""Text from pages is harmless on a terminal, and fits its width."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.base.terminal import (
    UNLIMITED,
    bar,
    clip,
    display_width,
    fill,
    harmless,
    line_width,
    one_line,
    printable,
    say,
    write,
)


@given(st.text())
def test_printable_text_is_one_line_without_controls(text: str) -> None:
    """Any text becomes printable and one line long, and does not change when it is made so again."""
    shown = printable(text)
    assert shown.isprintable()
    assert len(shown.splitlines()) <= 1
    assert printable(shown) == shown


@given(st.text())
def test_one_line_keeps_all_but_controls(text: str) -> None:
    """White space is folded and control characters are dropped; all else is kept."""
    kept = one_line(text)
    assert len(kept.splitlines()) <= 1
    assert [c for c in text if c.isalnum()] == [c for c in kept if c.isalnum()]


@given(st.text().map(printable), st.integers(min_value=1, max_value=40))
def test_clipped_text_fits(text: str, width: int) -> None:
    """Text is cut to the available columns, and does not change if it fits."""
    clipped = clip(text, width)
    assert display_width(clipped) <= width
    assert (clipped == text) == (display_width(text) <= width)


@pytest.mark.parametrize(
    ("text", "columns"), [("abc", 3), ("新聞", 4), ("e\u0301", 1), ("ｆｕｌｌ", 8), ("", 0), ("ﾊﾝｶｸ", 5 - 1)]
)
def test_width_is_counted_in_columns(text: str, columns: int) -> None:
    """An ideograph takes two columns, a combining mark none."""
    assert display_width(text) == columns
    assert display_width(fill(text, 12)) == 12


@given(st.floats(0, 1), st.integers(1, 60), st.sampled_from(["utf-8", "ascii", "cp437", "no-such"]))
def test_a_bar_fits(share: float, columns: int, encoding: str) -> None:
    """It is as long as its share, at least a mark if there is anything, and can be written."""
    drawn = bar(share, columns, encoding)
    assert len(drawn) <= columns
    assert bool(drawn) == (share > 0)
    assert abs(len(drawn) - share * columns) <= 1
    assert len(bar(1, columns, encoding)) == columns
    if encoding != "no-such":
        drawn.encode(encoding)


def test_lines_are_not_cut_where_there_is_no_terminal() -> None:
    """A file or a pipe gets whole lines."""
    assert line_width(io.StringIO()) == UNLIMITED


def test_a_stream_without_the_character_gets_a_question_mark() -> None:
    """A terminal with another charset causes no error."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii", newline="\n")
    say(stream, "naïve 新聞 \udcff")
    stream.flush()
    assert raw.getvalue() == b"na?ve ?? ?\n"


@given(st.text())
def test_harmless_text_keeps_its_lines(text: str) -> None:
    """Only line breaks are left of all that a terminal obeys."""
    shown = harmless(text)
    assert shown.count("\n") == text.count("\n")
    assert shown.replace("\n", "").isprintable()


@pytest.mark.parametrize("is_terminal", [True, False])
def test_only_a_terminal_is_spared(is_terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file gets what the page has, a terminal only what it can show."""
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: is_terminal)
    write(stream, "a\x1b[2J\n\x9bb\n")
    assert stream.getvalue() == ("a[2J\nb\n" if is_terminal else "a\x1b[2J\n\x9bb\n")
