"""Find parts of a page by names that most sites share: elements of HTML, and classes of publishing systems.

This evidence does not come from the site. Text in such parts weighs less, as in repeated records. The table
has only names that many systems share, and no words of any language: programs choose the names of classes,
and readers do not see them. This file is compiled where there is a C compiler, as ``weighing.py`` is.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from ..page.tags import HEADINGS, TEXT_TAGS
from ..values import Layout, Step
from .subtrees import ZERO, Columns, Place, innermost

#: An element with more than this share of the page's text holds the article, whatever its name is.
_MOST_TEXT = 0.5
#: A page is built of widgets, too, if they hold more than this share of the text outside other named parts.
_NEARLY_ALL = 0.9

#: Elements that are not main text by their definition in HTML.
_PART_TAGS = frozenset({"nav", "aside", "footer", "dialog"})
#: Those that an author may write.
NOTES = frozenset({"aside", "footer"})
#: A note in a text has none of these in it.
_NO_NOTE = frozenset({"form", "nav"})
#: Elements that hold a page or its text, whatever their ids and classes are.
WHOLES = frozenset({"html", "body", "main", "article", "h1", "h2", "h3", "p"})

#: Elements of running text whose ids are places in it, and made of their words; classes may tell more.
_ITEMS = TEXT_TAGS - {"ul", "ol", "dl", "table"}

#: Names of readers' comments, which may be longer than the article.
COMMENTS = frozenset("comment comments commentlist respond disqus".split())
#: Names of what stands beside an article, and is not about it.
SIDEBARS = frozenset({"aside", "sidebar"})
#: Where all topics of a site may stand.
MENUS = SIDEBARS | {"nav", "navigation", "menu"}
#: Names of the line with day, author and topics of an article.
METADATA = frozenset({"meta", "postmeta", "postmetadata", "submitted"})
#: Words that tell what an element is, if they are the last of its name: ``post-comments``, ``right-sidebar``.
_KIND_WORDS = (
    COMMENTS
    | METADATA
    | frozenset(
        "sidebar related share sharing social addthis sharedaddy sharethis trackback trackbacks"
        " breadcrumb breadcrumbs nav navigation pagination pager menu footer tags widget newsletter"
        " ad ads advert advertisement promo promos sponsored toolbar tools"
        " cookie cookies consent gdpr paywall subscribe signup bio".split()
    )
)
#: Words that tell it as the first word, too: ``comments-area``, ``related-posts``.
_FIRST_WORDS = _KIND_WORDS - {"nav", "menu", "ad", "tools", "footer", "bio", *METADATA}
#: Kinds of parts that are no text, wherever they stand.
INSETS = frozenset(
    "newsletter subscribe signup paywall cookie cookies consent gdpr ad ads advert advertisement promo promos"
    " sponsored share sharing sharedaddy sharethis addthis social related bio".split()
)
#: Names of what stands before a text that only subscribers get. Some publishers name this text so.
WALLS = frozenset("paywall subscribe subscription subscriptions signup".split())
#: Such a text has paragraphs of so many characters; with links, so many of them: what asks to pay is shorter.
_WALLED_PARAGRAPH, _WALLED_PARAGRAPHS, _SENTENCE_ENDS = 80, 3, frozenset('.!?。！？…”"')
#: A name with one of these words anywhere is that of a usual program that asks for a reader's consent.
_CONSENT = frozenset(
    "axeptio borlabs cky cmpbox cmplz cybot didomi iubenda klaro onetrust osano tarteaucitron termly"
    " truste trustarc usercentrics".split()
)
#: With one of these words, a name tells a state of the page, or means more than the part.
STATES = frozenset("has with without no hide show open closed off on content body inner layout code".split())
#: Behind one of these words, those of the next line are no text, whatever else is in the name:
#: ``td_block_related_posts``, ``wp-block-latest-posts__list``.
_OTHERS = frozenset({"related", "latest", "recent"})
_RELATED = frozenset("post posts article articles story stories news".split())
#: The name of what page builders place on a page, the text of an article as well.
_WIDGET = "widget"
#: Words in the name of an article's own footer.
_ARTICLE_WORDS = frozenset("post entry article story".split())

#: A word behind a digit is a part of a hash: ``e1e566ad``.
NAME_WORD, CASE_BREAK = re.compile(r"(?<![a-z\d])[a-z]+"), re.compile(r"(?<=[a-z])(?=[A-Z])")

_UUID = re.compile(r"[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}")
_ID_WORD = re.compile(r"[^\W_]+")
#: Bound: the heading from which an id comes has at most so many characters.
_LONGEST_ID_HEADING = 200


def named_nodes(layout: Layout, columns: Columns, places: list[Place]) -> list[int]:
    """Return the nodes whose names say that they are not main text.

    A name proves nothing if the element holds an ``h1``, or more than half of the page's text outside links.
    Only comments may be longer than the article. A note among paragraphs belongs to the text, too, though it
    stands in an ``aside``, and so does a section of a text whose id comes from its heading.

    :param places: what the site's paths have for each node; the third value is its :func:`kind_of`.

    Cost: a look at each node.
    """
    steps, ends, named = layout.steps, columns.ends, []
    for node, place in enumerate(places):
        if place[2]:
            named.append(node)
    if not named:
        return []
    nodes, plains, size = columns.nodes, columns.plains, len(steps)
    headed, totals = ZERO * (size + 1), ZERO * (size + 1)
    for index in range(len(nodes)):
        totals[nodes[index] + 1] += plains[index]
    for node, step in enumerate(steps):
        totals[node + 1] += totals[node]
        headed[node + 1] = headed[node] + (step.tag == "h1")
    most, parts = _MOST_TEXT * totals[size], []
    built = _is_built(named, places, ends, totals, most)
    known: dict[int, bool] = {}
    for node in named:
        end = ends[node]
        if headed[end] > headed[node]:
            continue
        place = places[node]
        kind = place[2]
        if built and kind == _WIDGET:
            continue
        weight = totals[end] - totals[node]
        if (kind in COMMENTS or weight <= most or _has_article(layout, ends, totals, node)) and not (
            (kind in NOTES and is_note(layout, end, node))
            or (kind in WALLS and is_walled_text(layout, columns, node))
            or (steps[node].id and _is_section(layout, columns, node, known))
        ):
            parts.append(node)
    return parts


def _has_article(layout: Layout, ends: Sequence[int], totals: Sequence[int], node: int) -> bool:
    """Return whether a page has an only ``article``, which has text, and stands beside an element."""
    articles = [other for other, step in enumerate(layout.steps) if step.tag == "article"]
    if not articles:
        return False
    article = articles[0]
    end = ends[article]
    is_apart = end <= node or ends[node] <= article
    return is_apart and articles[len(articles) - 1] < end and totals[end] > totals[article]


def _is_built(
    named: list[int], places: list[Place], ends: Sequence[int], totals: Sequence[int], most: float
) -> bool:
    """Return whether a page is built of widgets: most of its text is in them, and not in one of them.

    Page builders call all that they place so. Widgets in other parts, such as a sidebar, do not count. Below
    a short text there may be long comments: then nearly all text outside other parts is in widgets.
    """
    count, held, until, whole = 0, 0, 0, totals[len(ends)]
    for node in named:
        end = ends[node]
        if node < until:
            continue
        place = places[node]
        weight = totals[end] - totals[node]
        if place[2] == _WIDGET:
            if weight > most:
                return False
            count += 1
            held += weight
        else:
            whole -= weight
        until = end
    return held > most or (count > 1 and held > _NEARLY_ALL * whole)


def is_note(layout: Layout, end: int, node: int) -> bool:
    """Return whether an ``aside`` is a note in a running text, or a ``footer`` says whom a text quotes.

    :param end: the index after the last node in it.

    A note stands between a paragraph and another element of running text. It has no form, leads to no other
    page of its host, and its names do not say that it is something else. Cost: a look at each element in it.
    """
    steps, parents = layout.steps, layout.parents
    if steps[node].tag == "footer":
        return steps[parents[node]].tag == "blockquote"
    if any(map(named_kind, (steps[node].id, *steps[node].classes))):
        return False
    return _is_in_text(layout, end, node)


def _is_in_text(layout: Layout, end: int, node: int) -> bool:
    """Return whether an element stands in running text, and has no form, nor a link to another page."""
    steps, parents = layout.steps, layout.parents
    before, parent = node - 1, parents[node]
    while before > parent and parents[before] != parent:
        before = parents[before]
    if before <= parent or end >= len(steps) or parents[end] != parent:
        return False
    around = {steps[before].tag, steps[end].tag}
    if "p" not in around or not around <= TEXT_TAGS:
        return False
    return not any(layout.leads[inner] or steps[inner].tag in _NO_NOTE for inner in range(node, end))


def is_walled_text(layout: Layout, columns: Columns, node: int) -> bool:
    """Return whether an element that is named after a paywall has the text behind it.

    What asks to pay is short, has a form, or leads to one. Cost: a look at each element and block in it.
    """
    end, paragraphs = columns.ends[node], 0
    if any(step.tag == "form" for step in layout.steps[node:end]):
        return False
    index = bisect_left(columns.nodes, node)
    while index < len(columns.nodes) and columns.nodes[index] < end:
        text = layout.blocks[index].text
        paragraphs += columns.plains[index] >= _WALLED_PARAGRAPH and text[-1:] in _SENTENCE_ENDS
        index += 1
    is_linked = columns.links[end] > columns.links[node]
    return paragraphs >= (_WALLED_PARAGRAPHS if is_linked else 1)


def _is_section(layout: Layout, columns: Columns, node: int, known: dict[int, bool]) -> bool:
    """Return whether an element is a section of a text: its id alone names it, and comes from its heading.

    Programs for documentation write ``<section id="related-work"><h2>Related work</h2>``. A template may do
    so, too, but then the element around it or one beside it has no such id that is of no kind, and it does
    not stand in running text. Tables have no heading, and old templates are made of them: one in running text
    is the author's.

    :param known: for elements, whether they or their children have such an id; what is found is added.
    """
    step, parent = layout.steps[node], columns.parents[node]
    is_table = step.tag == "table"
    if step.tag in _PART_TAGS or parent < 0 or not (is_table or is_headed(layout, columns, node)):
        return False
    for name in step.classes:
        if named_kind(name):
            return False
    has_section = known.get(parent)
    if has_section is None:
        has_section = known[parent] = _has_section(layout, columns, parent)
    return (has_section and not is_table) or _is_in_text(layout, columns.ends[node], node)


def _has_section(layout: Layout, columns: Columns, parent: int) -> bool:
    """Return whether an element or one of its children has an id of no kind that comes from its heading."""
    steps, ends, node = layout.steps, columns.ends, parent
    while node < ends[parent]:
        step = steps[node]
        if step.id and not kind_of(step) and is_headed(layout, columns, node):
            return True
        node = parent + 1 if node == parent else ends[node]
    return False


def is_headed(layout: Layout, columns: Columns, node: int) -> bool:
    """Return whether an element begins with a heading that has the words of the element's id, in order."""
    nodes, steps = columns.nodes, layout.steps
    index = bisect_left(nodes, node)
    if index == len(nodes) or nodes[index] >= columns.ends[node]:
        return False
    step = steps[nodes[index]]
    text = layout.blocks[index].text
    if step.tag not in HEADINGS or len(text) > _LONGEST_ID_HEADING:
        return False
    step = steps[node]
    name, heading = "-".join(_ID_WORD.findall(step.id.lower())), "-".join(_ID_WORD.findall(text.lower()))
    return bool(name) and f"-{name}-" in f"-{heading}-"


@lru_cache(maxsize=20_000)
def kind_of(step: Step) -> str:
    """Return the word that tells what an element is; empty if nothing tells that it is not main text."""
    if step.tag in WHOLES:
        return ""
    if step.tag in _PART_TAGS:
        return step.tag
    names = step.classes if step.tag in _ITEMS else (step.id, *step.classes)
    return next(filter(None, map(named_kind, names)), "")


@lru_cache(maxsize=16_384)
def named_kind(name: str) -> str:
    """Return the word of an id or a class that names a part that is not main text; empty if there is none.

    >>> [named_kind(name) for name in ("comments-area", "postComments", "has-sidebar", "element-0243ad1")]
    ['comments', 'comments', '', '']
    >>> named_kind("block-78989f35-0b45-4333-ad27-6f4288edac35")
    ''
    """
    words = NAME_WORD.findall(_UUID.sub("", CASE_BREAK.sub(" ", name).lower()))
    if not words or not STATES.isdisjoint(words):
        return ""
    if words[-1] in _KIND_WORDS:
        return str(words[-1])
    if not _CONSENT.isdisjoint(words):
        return "consent"
    if any(word in _OTHERS and behind in _RELATED for word, behind in pairwise(words)):
        return "related"
    # a "social-embed" is a post that the text quotes
    return str(words[0]) if words[0] in _FIRST_WORDS and "embed" not in words else ""


def is_in(kinds: frozenset[str], layout: Layout, node: int) -> bool:
    """Return whether an element is one of some kinds, or stands in one. Cost: a look-up per ancestor."""
    while node > 0:
        if kind_of(layout.steps[node]) in kinds:
            return True
        node = layout.parents[node]
    return False


def in_footer(layout: Layout, ends: Sequence[int], node: int, text: int) -> bool:
    """Return whether an element stands in the footer of an article, and in no other named part inside it.

    Such a footer is named after the article (``post-footer``), or stands in the same ``article`` as the text.
    Others are those of the page.

    :param ends: for each node, the index after the last node in it.
    :param text: the element of a block of the main text.

    Cost: a look-up per ancestor.
    """
    steps, parents = layout.steps, layout.parents
    while node > 0 and not (kind := kind_of(steps[node])):
        node = parents[node]
    if node <= 0 or kind != "footer":
        return False
    step = steps[node]
    if not _ARTICLE_WORDS.isdisjoint(NAME_WORD.findall(" ".join([step.id, *step.classes]).lower())):
        return True
    article = innermost(layout, node, ("article",))
    return 0 < article <= text < ends[article]
