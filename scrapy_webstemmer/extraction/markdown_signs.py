"""Text, code and urls as they are written in Markdown, so that none of their characters is taken for markup.

What a sign means depends on what stands beside it. Two runs of code without a space between them are one, and
some renderers make a link of ``www.`` and all that follows, the backtick of code included. So while a
document is put together, markup is written as marks: characters that no text has. :func:`finished` knows the
whole document, and writes signs for the marks.
"""

from __future__ import annotations

import re
from urllib.parse import quote

#: Marks around a text, before and after it: characters that Unicode keeps for the use of programs.
EMPHASIS, STRONG, DELETED, CODE = "\ufdd0\ufdd1", "\ufdd2\ufdd3", "\ufdd4\ufdd5", "\ufdd6\ufdd7"
#: Around a line of a fenced listing, and around where a link leads.
LINE, TARGET = "\ufdd8\ufdd9", "\ufdda\ufddb"
#: The first sign of an image.
IMAGE_SIGN = "\ufddc"
_RESERVED = re.compile("[\ufdd0-\ufdef]")
_WRITTEN = dict(zip(EMPHASIS + STRONG + DELETED, ("*", "*", "**", "**", "~~", "~~"), strict=True))
_WRITTEN |= {IMAGE_SIGN: "!", **dict.fromkeys(LINE + TARGET, "")}
_MARKS = str.maketrans(_WRITTEN)

#: An end directly before the beginning of the same: both go.
_SEAMS = re.compile("|".join(marks[::-1] for marks in (EMPHASIS, STRONG, DELETED, CODE)))
#: Strong emphasis around the whole of an emphasis that stands beside another one; and the other way round.
_TURNED = [
    (
        re.compile(
            rf"{outer[0]}{inner[0]}([^{EMPHASIS}{STRONG}]*){inner[1]}{outer[1]}(?={inner[0]})"
            rf"|(?<={inner[1]}){outer[0]}{inner[0]}([^{EMPHASIS}{STRONG}]*){inner[1]}{outer[1]}"
        ),
        rf"{inner[0]}{outer[0]}\1\2{outer[1]}{inner[1]}",
    )
    for outer, inner in ((STRONG, EMPHASIS), (EMPHASIS, STRONG))
]
#: What emphasis neither begins nor ends with beside a letter: renderers would take its signs for text.
_PUNCTUATION = " .,;:!?%…'\"’”»«“„‘()·–—-（）「」『』。、，；：！？"
#: What is written as it stands.
_AS_IT_IS = re.compile(
    "(" + "|".join(f"{signs[0]}[^{signs}]*{signs[1]}" for signs in (CODE, LINE, TARGET)) + ")"
)
_SPACES = re.compile(r"(\s+)")
_BLANK_LINES = re.compile(r"\n{3,}")
_IMAGE_MARK = re.compile(r"!(?=\[)")
#: What makes a link of all up to the next white space for some renderers, and the markup that it would take.
_BARE_URL = re.compile(r"(?<=www)\.|:(?=//)", re.IGNORECASE)
_TAKEN = ("\\", "[", IMAGE_SIGN, EMPHASIS[0], STRONG[0], DELETED[0])

_WEB = re.compile(r"https?://", re.IGNORECASE)
#: What would end the target of a link, or be read as something else there.
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0\s\"()<>\[\\\]`|\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_SIGNS = re.compile(r"[\\`*_\[\]<>&#+=|~!:-]|(?<=[0-9])[.)](?=\s)")
_NO_LINK, _AFTER_PATH = re.compile(r"[\s<>\\`|\x00-\x1f\x7f-\x9f]"), re.compile("[?#]")
_BACKTICKS = re.compile("`+")
_ENTITY = re.compile(r"&(?=#?\w+;)")


def source(html: str) -> str:
    """Return HTML without the characters that serve as marks."""
    return _RESERVED.sub("\ufffd", html)


def target(url: str) -> str:
    """Return a url as the target of a link.

    >>> target("http://e.example/a b(1)?c=&lt;"), target("http://e.example\\\\a")
    ('http://e.example/a%20b%281%29?c=&amp;lt;', 'http://e.example/a')
    """
    if _WEB.match(url):  # a backslash in a path is a slash, as browsers have it
        path = _AFTER_PATH.split(url, maxsplit=1)[0]
        url = path.replace("\\", "/") + url[len(path) :]
    safe = _UNSAFE.sub(lambda character: quote(character[0], safe="", errors="replace"), url)
    return _ENTITY.sub("&amp;", safe)


def autolink(url: str) -> str:
    """Return a url as a link that shows it; empty for one that cannot be such a link.

    >>> autolink("http://e.example/a_(b)"), autolink("http://e.example/a>b"), autolink("javascript:x")
    ('<http://e.example/a_(b)>', '<http://e.example/a%3Eb>', '')
    """
    if not _WEB.match(url) or _ENTITY.search(url):
        return ""
    return f"<{target(url)}>" if _NO_LINK.search(url) else f"<{url}>"


def shown_url(url: str) -> str:
    """Return a url as it is shown: as a link if it is one of the web, else as text.

    >>> shown_url("http://e.example/?a=&lt;b"), shown_url("a <b>.html")
    ('[http\\\\://e.example/?a\\\\=\\\\&lt;b](http://e.example/?a=&amp;lt;b)', 'a \\\\<b\\\\>.html')
    """
    text = _SIGNS.sub(r"\\\g<0>", " ".join(url.split()))
    return autolink(url) or (f"[{text}]({target(url)})" if _WEB.match(url) else text)


def finished(text: str) -> str:
    """Return a document with its marks written; empty lines are left in listings only, but for one."""
    text, joined = _BLANK_LINES.sub("\n\n", text), 1
    for beside, turned in _TURNED:  # then what is alike meets
        text = beside.sub(turned, text)
    for marks in (EMPHASIS, STRONG, DELETED):
        if marks[0] in text:
            text = _without_edges(text, *marks)
    while joined:  # where one went, those around it meet
        text, joined = _SEAMS.subn("", text)
    pieces = _AS_IT_IS.split(text)
    before_code = False
    for at in range(len(pieces) - 1, -1, -1):
        piece = pieces[at]
        if at % 2 == 0:
            pieces[at] = _escaped_text(piece, before_code)
            before_code = before_code and not _SPACES.search(piece)
        elif piece[0] == CODE[0]:
            pieces[at], before_code = _backticked(piece[1:-1]), True
    lines = "".join(pieces).split("\n")
    return "\n".join(line[:-2].rstrip() if line.endswith(LINE) else line for line in lines).translate(_MARKS)


def _without_edges(text: str, begin: str, end: str) -> str:
    """Return a document whose emphasis has no punctuation at an edge that stands in a word.

    :param begin, end: the marks of the emphasis.
    """
    inner = text.split(begin)
    for at in range(1, len(inner)):
        if inner[at - 1][-1:].isalnum():
            bare = inner[at].lstrip(_PUNCTUATION)
            inner[at - 1] += inner[at][: len(inner[at]) - len(bare)]
            inner[at] = bare
    outer = begin.join(inner).split(end)
    for at in range(1, len(outer)):
        bare = outer[at - 1].rstrip(_PUNCTUATION)
        if outer[at][:1].isalnum() and bare[-1:].isalnum():
            outer[at] = outer[at - 1][len(bare) :] + outer[at]
            outer[at - 1] = bare
    return end.join(outer).replace(begin + end, "")


def _escaped_text(text: str, before_code: bool) -> str:
    """Return text in which no exclamation mark makes an image of a link, and no url takes markup with it.

    :param before_code: whether code follows, or a link and then code, without white space between them.
    """
    text = _IMAGE_MARK.sub(r"\\!", text)
    if not _BARE_URL.search(text):
        return text
    words = _SPACES.split(text)
    for at, word in enumerate(words):
        is_last = at == len(words) - 1
        end = len(word) if is_last and before_code else 1 + max(map(word.rfind, _TAKEN))
        words[at] = _BARE_URL.sub(r"\\\g<0>", word[:end]) + word[end:]
    return "".join(words)


def _backticked(code: str) -> str:
    """Return code within more backticks than it has in a row."""
    longest = max(map(len, _BACKTICKS.findall(code)), default=0)
    space, fence = " " * bool(longest), "`" * (longest + 1)
    return f"{fence}{space}{code}{space}{fence}"
