"""What tags mean for layouts, and how parsers nest them.

The rules that divide a page into layout blocks: source of the classic sets is Webstemmer 0.7.1. The sets for
today add the sectioning and grouping elements of HTML, and leave inline tags out.

Which elements end others, imply others, or have a content of their own kind: source is HTMLparser.c of
libxml2 2.14, whose trees lxml and Scrapy have. The compiled reading of ``scan.pyx`` nests elements by these
tables.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ..values import Block, Step
from .text import fold, fold_ascii, fold_paragraph, weights, word_weights

HEADINGS = frozenset("h1 h2 h3 h4 h5 h6".split())
#: Elements whose day, and whose author, are those of what they show.
OF_OTHERS = frozenset({"figcaption", "blockquote"})

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
    :param skipped: tags that are skipped with all their content; if the rules hide, but for formulas.
    :param cut: tags that end a block but are not steps of its path. All other tags are transparent.
    :param classic: as in 2009: walk everything, ``title`` included, up to the last block tag; a one-letter
        ``alt`` at a block's start is text, and block-level elements without content are ignored. Else walk
        the body only.
    :param hides: skip hidden elements, see :mod:`~scrapy_webstemmer.page.shown`; read others as
        :mod:`~scrapy_webstemmer.page.instead` says; a ``div`` can be a paragraph.
    :param min_weight: blocks with fewer significant characters are dropped.
    :param attributes: takes an element's attributes; returns those that tell what it looks like: id, classes.
    :param fold: takes a block's text from the source; returns it as it is kept. ``pre`` keeps its lines.
    :param weigh: takes folded texts; returns the number of significant characters of each.
    """

    block: frozenset[str]
    skipped: frozenset[str]
    cut: frozenset[str]
    classic: bool
    hides: bool
    min_weight: int
    attributes: Callable[[Mapping[str, str]], tuple[str, tuple[str, ...]]]
    fold: Callable[[str], str]
    weigh: Callable[[Sequence[str]], list[int]]


def _id_and_classes(attributes: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    # before ids existed, a form's name was its id; for libxml2 it still is on pages of XHTML
    name = attributes.get("id", attributes.get("name", ""))
    return name.strip(), tuple(attributes.get("class", "").split())


def step_of(name: str, element_id: str, classes: tuple[str, ...]) -> Step:
    """Return what an element looks like. The name of a custom element says what a class says elsewhere.

    >>> step_of("app-teasers", "", ("wide",))
    Step(tag='div', id='', classes=('app-teasers', 'wide'))
    """
    return Step("div", element_id, (name, *classes)) if "-" in name else Step(name, element_id, classes)


_TELLING_NAMES = ("align", "class", "colspan", "id", "rowspan", "valign")


def _telling(attributes: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """Return all telling attributes of 2009 as one string, and no classes."""
    telling = "".join(f":{key}={attributes[key]}" for key in _TELLING_NAMES if key in attributes)
    return telling.lower().encode("ascii", "replace").decode("ascii"), ()


TODAY = TagRules(
    block=(TEXT_TAGS | _GROUPS) - {"thead", "tbody", "tfoot"},
    skipped=frozenset(
        "script style noscript template svg math textarea select option datalist button iframe object "
        "noembed noframes audio video canvas head rp rt".split()
    ),
    cut=frozenset({"br", "hr"}),
    classic=False,
    hides=True,
    min_weight=1,
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
    classic=True,
    hides=False,
    min_weight=5,
    attributes=_telling,
    fold=fold_ascii,
    weigh=word_weights,
)

#: For text without tags: every tag that breaks the line is a block, and all text that readers see is kept.
PLAIN = replace(
    TODAY,
    skipped=frozenset("head title style script template select datalist svg iframe noembed".split()),
    hides=False,
    min_weight=0,
    fold=fold_paragraph,
)

#: How an element is read: as it stands; not at all; as the formula that it has in it; the same, unless a
#: script behind it has the formula, of which it is the picture.
AS_IT_STANDS, NOT_READ, FORMULA, PICTURED = range(4)
#: The attributes that tell this.
ROLE_NAMES = ("class", "type", "role", "data-latex", "data-tex")

_CLASS_TOKEN = re.compile(r"[^ \t\n\r]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])|[_-]+")
#: Classes, with a hyphen between words, of what style sheets keep for screen readers, of the links that lead
#: from a footnote back to the text, of the numbers of the lines of listings (Pygments, Chroma,
#: react-syntax-highlighter, highlight.js), of what only printers get, and of who took a picture. The names
#: are those of usual style sheets and publishing systems. Some say it of the label that an
#: element has in it (Drupal's ``field--label-visually_hidden``).
_UNREAD_CLASS = re.compile(
    r"(?:^|-)(?<!not-)(?<!label-)(?<!title-)(?<!legend-)(?:sr-only|visually-?hidden|hidden-visually|screen-?readers?-(?:text|only)|show-for-sr"
    r"|element-invisible|assistive-text|elementor-screen-only)(?:-focusable)?$"
    r"|(?:^|-)(?:cite|foot-?note|fn)-?back(?:-?(?:link|ref))?$|^reversefootnote$"
    r"|^linenos?$|^lnt?$|^linenumber$|(?:^|-)line-number$|^hljs-ln-n$"
    r"|^print-?only$|^only-print$|^visible-print(?:-block|-inline)?$|^show-for-print$"
    r"|^(?:caption|gallery|image|img|media|photo|picture)-?credit$"
)
#: The classes by which Bootstrap and Tailwind hide something, and show it to printers alone.
_NOT_ON_SCREEN = frozenset({"d-none", "hidden"})
_PRINTED = re.compile(r"(?:d-print-|print:)(?:block|inline|flex|grid|table)")
#: Those of KaTeX, of MathJax and of MediaWiki, around all that shows a formula.
_FORMULA_CLASS = re.compile(r"^(?:katex|mwe-math-element)$")
_PICTURED_CLASS = re.compile(r"^(?:math-?jax(?:-(?:preview|svg|chtml|mathml|plain-?source))?|mjx-chtml)$")


def role_of(
    name: str,
    classes: str | None,
    kind: str | None = None,
    role: str | None = None,
    latex: str | None = None,
    tex: str | None = None,
) -> int:
    """Return how an element is read, given its name and the values of ``ROLE_NAMES``.

    >>> role_of("span", "note sr-only"), role_of("math", None), role_of("span", "sr-only:focus")
    (1, 2, 0)
    """
    if name == "script":
        return FORMULA if kind and kind.strip().lower().startswith("math/tex") else AS_IT_STANDS
    if name in ("math", "mjx-container"):
        return FORMULA
    if name in TODAY.skipped or name in TODAY.cut or name in PICTURES:
        return AS_IT_STANDS
    if latex or tex:
        return FORMULA
    if role == "doc-backlink":
        return NOT_READ
    return role_of_classes(classes, name) if classes else AS_IT_STANDS


def role_by(name: str, attributes: Mapping[str, str]) -> int:
    """Return how an element is read, given its name and its attributes."""
    return role_of(name, *map(attributes.get, ROLE_NAMES))


@lru_cache(maxsize=1 << 12)
def role_of_classes(classes: str, name: str = "") -> int:
    """Return how an element of a usual name is read, by its classes alone, or with its name."""
    if name == "td" and "gutter" in classes.split():  # of other elements, it is the room between columns
        return NOT_READ
    if not _TELLS_ROLE.search(classes.lower()):  # as most
        return AS_IT_STANDS
    names = classes.split()
    if not _NOT_ON_SCREEN.isdisjoint(names) and any(map(_PRINTED.match, names)):
        return NOT_READ
    if name in INLINE and "credit" in names:  # a block with this class may name who wrote the text
        return NOT_READ
    return max(map(_role_of_class, _CLASS_TOKEN.findall(classes)), default=AS_IT_STANDS)


@lru_cache(maxsize=1 << 12)
def _role_of_class(name: str) -> int:
    name = _HUMP.sub("-", name).lower()
    if _UNREAD_CLASS.search(name):
        return NOT_READ
    return (
        FORMULA if _FORMULA_CLASS.search(name) else PICTURED if _PICTURED_CLASS.search(name) else AS_IT_STANDS
    )


#: Each class that tells how its element is read has one of these in it.
_TELLS_ROLE = re.compile(
    r"lineno|line[-_]*number|\blnt?\b|hljs[-_]*ln|only|hidden|reader|show|invisible|assistive|back|footnote"
    "|katex|math|mjx|print|credit"
)
#: Elements that show a picture, besides ``img``; they may have something else in them, for other readers.
PICTURES = frozenset({"amp-img", "amp-anim"})
#: The classes and addresses of images of formulas, the classes of emoji; what each of them has in its tag.
_TEX_CLASS = re.compile("latex|tex|math")
_TEX_URL = re.compile(r"latex\.codecogs\.com|/latex\.php|/mi(?:me|th)tex|chart\?cht=tx")
_EMOJI_CLASS = re.compile("emoji|emoticon|smiley|smilies|wp-smiley")
MAY_BE_TEXT = b"tex", b"math", b"cht=tx", b"emo", b"smil"
#: An emoji is a few signs: people, their colours, and what joins them.
_LONGEST_EMOJI = 16


def text_of_image(attributes: Mapping[str, str]) -> str:
    """Return the text that an image stands for in its line, a formula or an emoji; empty: it is a picture.

    >>> text_of_image({"class": "latex", "alt": "x = 37"}), text_of_image({"class": "emoji", "alt": "a face"})
    ('x = 37', '')
    """
    alt, names = attributes.get("alt", "").strip(), attributes.get("class", "").split()
    if any(map(_TEX_CLASS.fullmatch, names)) or _TEX_URL.search(attributes.get("src", "")):
        return alt
    is_emoji = any(map(_EMOJI_CLASS.fullmatch, names)) and len(alt) <= _LONGEST_EMOJI
    return alt if is_emoji and not any(map(str.isalnum, alt)) else ""


_LAZY = re.compile(
    r"data-(?:[a-z-]*-)?(?:src|original|srcset|bg|background(?:-image)?)|(?:nitro-)?lazy-src(?:set)?|ng-src"
)
_ENDING = r"\.(?:avif|gif|jpe?g|png|webp)"
#: The end of a picture's address.
PICTURE = re.compile(rf"{_ENDING}(?:[?#\s]|$)", re.IGNORECASE)
#: What the tag of an element has whose picture a script or a style shows; and that of a ``figure``.
_PICTURED_IN_TAG = re.compile(
    rf' (?:{_LAZY.pattern})="[^"]| style="[^"]*background(?:-image)?\s*:[^":;(]*url\([^"()]*{_ENDING}',
    re.IGNORECASE,
)
_FIGURED_IN_TAG = re.compile(rf' data-[^ =]+="[^"]*{_ENDING}', re.IGNORECASE)


def loads_later(name: str) -> bool:
    """Return whether an attribute has the address of a picture that a script will load."""
    return "-" in name and _LAZY.fullmatch(name) is not None


def may_be_picture(tag: str) -> bool:
    """Return whether an element may stand for a picture without an ``img``, given its tag."""
    if tag.startswith(("figure ", "div ", "span ")) and _PICTURED_IN_TAG.search(tag):
        return True
    if tag.startswith("figure "):
        return _FIGURED_IN_TAG.search(tag) is not None
    return tag == "picture" or tag.startswith("picture ")


#: A name has at most this many bytes; a character that does not fit in does not count.
LONGEST_NAME = 100
#: How many tags are searched for the text of a link to a place on its own page.
MARK = 16
#: Anchor texts are cut to this many characters: the text of a link around a whole teaser is not a title.
LONGEST_LINK_TEXT = 500
#: The ``alt`` of at most so many images is the text of a link; links that are not closed may hold any number.
MOST_IMAGES = 100
#: Characters that no XML may have: libxml2 writes others for them.
CONTROLS = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f]")

#: Elements without content. Newer ones, such as ``wbr``, stay open as any element does.
VOID = frozenset("area base basefont br col frame hr img input isindex link meta param".split())
#: How the content of an element is read, if not as markup.
MODES = {
    **dict.fromkeys(("iframe", "noembed", "noframes", "style", "xmp"), "rawtext"),
    **dict.fromkeys(("textarea", "title"), "rcdata"),
    "plaintext": "plaintext",
    "script": "script",
}
#: Elements whose text nobody sees.
NO_TEXT = frozenset({"script", "style", "noscript", "template"})
#: The start tag of an element that readers may see, in a page's bytes.
SHOWN_TAG = re.compile(rb"<(?!script|style|noscript|template|link|meta|img|iframe)[a-z]", re.IGNORECASE)
#: Elements that may stand inside a word. Any other element has a space around it, as on the screen.
INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike "
    "strong sub sup time tt u var wbr".split()
)

#: Elements that are written into the HTML of articles, beside links.
KEPT_INLINE = frozenset(
    "abbr b cite code del em i ins kbd mark q s samp small strong sub sup time tt u var".split()
)
#: Those that HTML has no more, and what is written for them.
WRITTEN_AS = {"tt": "code"}
#: So many of them are written around a text. Elements that are not closed would be written for each block.
DEEPEST_INLINE = 10

#: An end tag ends no element of a higher priority than its own.
USUAL_PRIORITY = 100
PRIORITIES = {
    "div": 150,
    "td": 160,
    "th": 160,
    "tr": 170,
    "thead": 180,
    "tbody": 180,
    "tfoot": 180,
    "table": 190,
    "head": 200,
    "body": 200,
    "html": 220,
}

_ENDS_HEADING = "fieldset form li p table"
_ENDS_PREFORMATTED = "dd dl dt fieldset form li table ul"
#: For each element, those that end it where they begin, if it is the innermost one.
CLOSED_BY = {
    old: frozenset(new.split())
    for old, new in {
        "a": "a fieldset table td th",
        "address": "dd dl dt form li ul",
        "b": "center p td th",
        "big": "p",
        "caption": "col colgroup tbody tfoot thead tr",
        "col": "col colgroup tbody tfoot thead tr",
        "colgroup": "colgroup tbody tfoot thead tr",
        "dd": "dt",
        "dir": "dd dl dt form ul",
        "dl": "form li",
        "dt": "dd dl",
        "font": "center td th",
        "form": "form",
        **dict.fromkeys("h1 h2 h3 h4 h5 h6".split(), _ENDS_HEADING),
        "head": "a abbr acronym address b bdo big blockquote body br center cite code dd dfn dir div dl dt "
        "em fieldset font form frameset h1 h2 h3 h4 h5 h6 hr i iframe img kbd li listing map menu ol p pre q "
        "s samp small span strike strong sub sup table tt u ul var xmp",
        "hr": "form",
        "i": "center p td th",
        "legend": "fieldset",
        "li": "li",
        "link": "body frameset",
        "listing": _ENDS_PREFORMATTED,
        "menu": "dd dl dt form ul",
        "ol": "form",
        "option": "optgroup option",
        "p": "address blockquote body caption center col colgroup dd dir div dl dt fieldset form frameset h1 "
        "h2 h3 h4 h5 h6 head hr li listing menu ol p pre table tbody td tfoot th title tr ul xmp",
        "pre": _ENDS_PREFORMATTED,
        "s": "p",
        "script": "noscript",
        "small": "p",
        "span": "td th",
        "strike": "p",
        "style": "body frameset",
        "tbody": "tbody tfoot",
        "td": "tbody td tfoot th tr",
        "tfoot": "tbody",
        "th": "tbody td tfoot th tr",
        "thead": "tbody tfoot",
        "title": "body frameset",
        "tr": "tbody tfoot tr",
        "tt": "p",
        "u": "p td th",
        "ul": "address form menu pre",
        "xmp": _ENDS_PREFORMATTED,
    }.items()
}

#: The elements that end the head of a page where they begin, and those that stand in it.
ENDS_HEAD = CLOSED_BY["head"]
IN_HEAD = frozenset(
    "base basefont bgsound head html link meta noframes noscript script style template title".split()
)
#: All names that the tables have.
NAMES = VOID.union(MODES, PRIORITIES, NO_TEXT, KEPT_INLINE, IN_HEAD, CLOSED_BY, *CLOSED_BY.values())

_DIV, _P = Step("div", "", ()), Step("p", "", ())


def name_paragraphs(steps: list[Step], parents: Sequence[int], blocks: Sequence[Block]) -> None:
    """Make the step of each ``div`` that is a paragraph that of a ``p``: many editors write no other ones.

    It is one if it has text but no block-level element in it, no id, no classes and no name, and if a sibling
    is of the same kind: a ``div`` alone may be what holds the text on other pages. It means what a ``p``
    means: it holds one thing that an author wrote, and says nothing about the template.

    :param steps: the steps of a page's nodes. They are changed.

    Cost: a look at each block.
    """
    end = len(parents)
    bare = {
        node
        for node in [block.node for block in blocks]
        if steps[node] == _DIV and (node + 1 == end or parents[node + 1] != node)
    }
    if len(bare) < 2:  # as on most pages
        return
    siblings = Counter([parents[node] for node in bare])
    for node in bare:
        if siblings[parents[node]] > 1:
            steps[node] = _P
