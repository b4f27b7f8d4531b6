"""Make text from pages harmless for a terminal, and fit it to the terminal's width."""

from __future__ import annotations

import re
import shutil
import textwrap
import unicodedata
from typing import TextIO

#: The width of a line where there is no terminal: practically no limit.
UNLIMITED = 100_000

_LINE_BREAKS = re.compile(r"(?<! ) *[\t-\r\x1c-\x1f\x85\u2028\u2029][ \t-\r\x1c-\x1f\x85\u2028\u2029]*")
_LOGIN = re.compile(r"(?<=://)([^\s/@:]*+:)[^\s/@]++@")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")  # except white space


def one_line(text: str) -> str:
    """Return a text on one line, without control characters; all else is kept, even no-break spaces."""
    return _LINE_BREAKS.sub(" ", _CONTROLS.sub("", text)).strip()


def printable(text: str) -> str:
    """Return a text that is safe to show: on one line, without escapes, marks of text direction, passwords.

    >>> printable("http://ann:secret@news.example/\\x1b\\n401 for ann:secret@news.example")
    'http://ann:…@news.example/ 401 for ann:…@news.example'
    """
    shown = "".join(char for char in text if char.isprintable() or char.isspace())
    line = " ".join(one_line(shown).split())
    for login in _LOGIN.finditer(line) if "@" in line else ():
        line = line.replace(login[0], f"{login[1]}…@")
    return line


def harmless(text: str) -> str:
    """Return a text without the characters that a terminal obeys; lines stay lines, other white space spaces.

    >>> harmless("a\\x1b[2J\\tb\\n\\x9bc")
    'a[2J b\\nc'
    """
    if text.isprintable():
        return text
    kept = (char if char.isprintable() or char == "\n" else " " if char.isspace() else "" for char in text)
    return "".join(kept)


def write(stream: TextIO, text: str) -> None:
    """Write a text; a terminal gets none of the characters that it would obey."""
    stream.write(harmless(text) if stream.isatty() else text)


def display_width(text: str) -> int:
    """Return how many columns of a terminal a printable text takes."""
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def clip(text: str, width: int) -> str:
    """Return a printable text cut to a number of columns; an ellipsis shows that something is missing."""
    if display_width(text) <= width:
        return text
    kept, used = [], 1  # the ellipsis
    for char in text:
        used += _columns(char)
        if used > width:
            break
        kept.append(char)
    return "".join(kept).rstrip() + "…"


def fill(text: str, width: int) -> str:
    """Return a printable text cut or padded to a number of columns."""
    text = clip(text, width)
    return text + " " * (width - display_width(text))


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """Return a printable text in lines of so many characters; a word that is longer has a line of its own.

    :param indent: what all lines but the first begin with.

    >>> wrap("  one two three", 9, "    ")
    ['  one two', '    three']
    """
    return textwrap.wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


#: From nothing to a full block, in eighths.
_EIGHTHS = " \u258f\u258e\u258d\u258c\u258b\u258a\u2589\u2588"


def bar(share: float, columns: int, encoding: str) -> str:
    """Return a bar for a share from 0 to 1: of blocks if the encoding has them, else of number signs.

    A share of 1 takes all columns. The smallest one that is not 0 is still seen.

    >>> bar(.5, 8, "ascii"), bar(.01, 8, "ascii"), bar(0, 8, "ascii")
    ('####', '#', '')
    """
    try:
        _EIGHTHS.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return "#" * (max(1, round(share * columns)) if share else 0)
    eighths = max(1, round(share * columns * 8)) if share else 0
    return _EIGHTHS[-1] * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def line_width(stream: TextIO) -> int:
    """Return how many columns a line on this stream may have: the terminal's, or no limit."""
    return max(40, shutil.get_terminal_size().columns) if stream.isatty() else UNLIMITED


def say(stream: TextIO, line: str = "") -> None:
    """Write a line; a character that the stream's encoding lacks becomes a question mark."""
    encoding = stream.encoding or "utf-8"
    stream.write(line.encode(encoding, "replace").decode(encoding) + "\n")
