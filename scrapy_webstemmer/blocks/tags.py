"""Define the rules that divide a page into layout blocks: the meaning of each tag for the layout.

Source of the classic sets: Webstemmer 0.7.1. The sets for today add the
sectioning and grouping elements of HTML, and leave inline tags out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .text import fold, fold_ascii, fold_paragraph, weights, word_weights

HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())

#: Tags of running text. An author chooses them; they say nothing about the template.
TEXT_TAGS = HEADINGS | frozenset(
    "p ul ol li dl dt dd pre blockquote figure figcaption address table caption thead tbody tfoot tr th td "
    "details summary".split()
)

_GROUPS = frozenset(
    "article aside center dialog dir div fieldset footer form header hgroup legend main menu nav search "
    "section".split()
)


@dataclass(frozen=True, slots=True)
class TagRules:
    """How a page is divided into layout blocks.

    :param block: tags that begin and end a block and are steps of its path.
    :param skipped: tags that are skipped with all their content.
    :param cut: tags that end a block but are not steps of its path. All other tags are transparent.
    :param from_body: walk the body only; else everything, ``title`` included, up to the last block tag.
    :param hides: skip block-level elements with the attribute ``hidden``, unless its value is
        ``until-found``: a search in the page may reveal those.
    :param min_weight: blocks with fewer significant characters are dropped.
    :param drop_caps: a one-letter ``alt`` at a block's start is text.
    :param passes_empty: ignore block-level elements without content.
    :param paragraphs: a ``div`` can be a paragraph, see :mod:`~scrapy_webstemmer.blocks.paragraphs`.
    :param attributes: takes an element's attributes; returns those that tell what it looks like: id, classes.
    :param fold: takes a block's text from the source; returns it as it is kept. ``pre`` keeps its lines.
    :param weigh: takes folded texts; returns the number of significant characters of each.
    """

    block: frozenset[str]
    skipped: frozenset[str]
    cut: frozenset[str]
    from_body: bool
    hides: bool
    min_weight: int
    drop_caps: bool
    passes_empty: bool
    paragraphs: bool
    attributes: Callable[[Mapping[str, str]], tuple[str, tuple[str, ...]]]
    fold: Callable[[str], str]
    weigh: Callable[[Sequence[str]], list[int]]


def _id_and_classes(attributes: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    # before ids existed, a form's name was its id; for libxml2 it still is on pages of XHTML
    name = attributes.get("id", attributes.get("name", ""))
    return name.strip(), tuple(attributes.get("class", "").split())


_TELLING = ("align", "class", "colspan", "id", "rowspan", "valign")


def _telling(attributes: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """Return all telling attributes of 2009 as one string, and no classes."""
    found = "".join(f":{key}={attributes[key]}" for key in _TELLING if key in attributes)
    return found.lower().encode("ascii", "replace").decode("ascii"), ()


TODAY = TagRules(
    block=(TEXT_TAGS | _GROUPS) - {"thead", "tbody", "tfoot"},
    skipped=frozenset(
        "script style noscript template svg math textarea select option datalist button iframe object "
        "noembed noframes audio video canvas head rp rt".split()
    ),
    cut=frozenset({"br", "hr"}),
    from_body=True,
    hides=True,
    min_weight=1,
    drop_caps=False,
    passes_empty=False,
    paragraphs=True,
    attributes=_id_and_classes,
    fold=fold,
    weigh=weights,
)

CLASSIC = TagRules(
    block=HEADINGS
    | frozenset(
        "title p tr td th dt dd li ul ol dl dir menu pre div center font span blockquote table "
        "address".split()
    ),
    skipped=frozenset({"style", "script", "option"}),
    cut=frozenset({"hr", "br"}),
    from_body=False,
    hides=False,
    min_weight=5,
    drop_caps=True,
    passes_empty=True,
    paragraphs=False,
    attributes=_telling,
    fold=fold_ascii,
    weigh=word_weights,
)

#: For text without tags: every tag that breaks the line is a block, and all text that readers see is kept.
PLAIN = TagRules(
    block=TODAY.block,
    skipped=frozenset("head title style script template select datalist svg iframe noembed".split()),
    cut=TODAY.cut,
    from_body=True,
    hides=False,
    min_weight=0,
    drop_caps=False,
    passes_empty=False,
    paragraphs=False,
    attributes=_id_and_classes,
    fold=fold_paragraph,
    weigh=weights,
)
