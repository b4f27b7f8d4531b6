"""Know which elements of HTML end others, imply others, or have a content of their own kind.

Source: libxml2 2.14, HTMLparser.c, whose trees lxml and Scrapy have. The compiled reading of ``scan.pyx``
nests elements by these tables.
"""

from __future__ import annotations

import re

#: A name has at most this many bytes; what follows does not count.
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
#: Elements that may stand inside a word. Any other element has a space around it, as on the screen.
INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike "
    "strong sub sup time tt u var wbr".split()
)

#: Elements that are written into the HTML of articles, beside links.
KEPT_INLINE = frozenset(
    "abbr b cite code del em i ins kbd mark q s samp small strong sub sup time u var".split()
)

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

_HEADING = "fieldset form li p table"
_PREFORMATTED = "dd dl dt fieldset form li table ul"
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
        **dict.fromkeys("h1 h2 h3 h4 h5 h6".split(), _HEADING),
        "head": "a abbr acronym address b bdo big blockquote body br center cite code dd dfn dir div dl dt "
        "em fieldset font form frameset h1 h2 h3 h4 h5 h6 hr i iframe img kbd li listing map menu ol p pre q "
        "s samp small span strike strong sub sup table tt u ul var xmp",
        "hr": "form",
        "i": "center p td th",
        "legend": "fieldset",
        "li": "li",
        "link": "body frameset",
        "listing": _PREFORMATTED,
        "menu": "dd dl dt form ul",
        "ol": "form",
        "option": "optgroup option",
        "p": "address blockquote body caption center col colgroup dd dir div dl dt fieldset form frameset h1 "
        "h2 h3 h4 h5 h6 head hr li listing menu ol p pre table tbody td tfoot th title tr ul xmp",
        "pre": _PREFORMATTED,
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
        "xmp": _PREFORMATTED,
    }.items()
}

#: All names that the tables have.
NAMES = VOID.union(MODES, PRIORITIES, NO_TEXT, KEPT_INLINE, CLOSED_BY, *CLOSED_BY.values())
