"""What the parser's tags mean for the layout.

Source of the classic sets: Webstemmer 0.7.1. The sets for today add the
sectioning and grouping elements of HTML, and take inline tags out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .text import fold, fold_ascii, fold_paragraph, weights, word_weights

__all__ = ["CLASSIC", "HEADINGS", "PLAIN", "TEXT_TAGS", "TODAY", "TagRules"]

HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())

#: Tags of running text: how an author marks up what is written, not where the template puts it.
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
    :param skipped: tags that are skipped with all that is in them.
    :param cut: tags that end a block and are no step; all other tags are transparent.
    :param from_body: walk the body only; else everything, ``title`` included, up to the last block tag.
    :param hides: pass over block-level elements with the attribute ``hidden``, but for those that a search in
        the page may reveal (``until-found``).
    :param min_weight: significant characters below which a block is dropped.
    :param drop_caps: a one-letter ``alt`` at a block's start is text.
    :param passes_empty: a block-level element without content is as if it were not there.
    :param attributes: what of an element's attributes tells what it looks like: an id, and classes.
    :param fold: a block's text as it is kept, given what stands in the source; ``pre`` keeps its lines.
    :param weigh: the numbers of significant characters of such texts.
    """

    block: frozenset[str]
    skipped: frozenset[str]
    cut: frozenset[str]
    from_body: bool
    hides: bool
    min_weight: int
    drop_caps: bool
    passes_empty: bool
    attributes: Callable[[Mapping[str, str]], tuple[str, tuple[str, ...]]]
    fold: Callable[[str], str]
    weigh: Callable[[Sequence[str]], list[int]]


def _id_and_classes(attributes: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    # the name of a form was its id before there were any; for libxml2 it still is where the page is XHTML
    name = attributes.get("id", attributes.get("name", ""))
    return name.strip(), tuple(attributes.get("class", "").split())


_TELLING = ("align", "class", "colspan", "id", "rowspan", "valign")


def _telling(attributes: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """Return all attributes that told something in 2009, as one string, and no classes."""
    found = "".join(f":{key}={attributes[key]}" for key in _TELLING if key in attributes)
    return found.lower().encode("ascii", "replace").decode("ascii"), ()


TODAY = TagRules(
    block=(TEXT_TAGS | _GROUPS) - {"thead", "tbody", "tfoot"},
    skipped=frozenset(
        "script style noscript template svg math textarea select option datalist button iframe object embed "
        "noembed noframes audio video canvas head rp rt".split()
    ),
    cut=frozenset({"br", "hr"}),
    from_body=True,
    hides=True,
    min_weight=1,
    drop_caps=False,
    passes_empty=False,
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
    attributes=_telling,
    fold=fold_ascii,
    weigh=word_weights,
)

#: For text without tags: every tag that breaks the line, and all text but what is none to a reader.
PLAIN = TagRules(
    block=TODAY.block,
    skipped=frozenset("head title style script template select datalist svg iframe noembed".split()),
    cut=TODAY.cut,
    from_body=True,
    hides=False,
    min_weight=0,
    drop_caps=False,
    passes_empty=False,
    attributes=_id_and_classes,
    fold=fold_paragraph,
    weigh=weights,
)
