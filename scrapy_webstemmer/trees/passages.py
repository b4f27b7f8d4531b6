"""Tell which of a page's passages are its text and its title.

Source: Reis and others 2004, step 4. The text is the longest passage, if it has more than 100 words. The
title is the passage of 1 to 20 words with the largest quotient: the number of words that it shares with the
text, divided by how many passages away from the text it stands.

What the paper leaves open: each different word counts once, in any case. Of equal passages the first one
wins. A passage that shares no word with the text is no title. Words stand between white space, so that
pages in a script without spaces give no article.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

#: The text must have more words than this.
MORE_WORDS = 100
#: The most words of a title.
LONGEST_TITLE = 20


class LabelledPassages(NamedTuple):
    """Title and text of a page; the title is empty if there is none. The text has one item for each leaf."""

    title: str
    text: tuple[str, ...]


def label_passages(passages: Sequence[Sequence[str]]) -> LabelledPassages | None:
    """Return title and text of a page; None if no passage is long enough.

    :param passages: the texts that each wildcard takes, in the order of the page.

    Cost: linear in the words.
    """
    words = [" ".join(texts).casefold().split() for texts in passages]
    longest = max(range(len(words)), key=lambda number: (len(words[number]), -number), default=None)
    if longest is None or len(words[longest]) <= MORE_WORDS:
        return None
    body = set(words[longest])
    best, title = 0.0, ""
    for number, found in enumerate(words):
        if number != longest and 1 <= len(found) <= LONGEST_TITLE:
            score = len(body.intersection(found)) / abs(number - longest)
            if score > best:
                best, title = score, " ".join(passages[number])
    return LabelledPassages(title, tuple(passages[longest]))
