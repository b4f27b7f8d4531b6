"""Read the posts of a thread, and readers' comments, where markup says what is their text.

Microdata states it: an item ``Comment``, ``Answer`` or ``DiscussionForumPosting`` with its ``text``, its
``author`` and its times. Few programs make most forums, and their templates have had the same names for
many years: the text of a post is a ``bbWrapper``, a ``post_body``, the ``content`` of a ``postbody``. All
else in a post is its card: who wrote it, when, with which rank, and what may be done with it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple, TypeVar

from ..page.days import is_date_line, is_stamp
from ..page.marks import AGE, AUTHOR, COMMENTER, PUBLISHED, TIME, Mark, block_at, element_text, marks_in
from ..page.markup import attributes_of, markup_of
from ..page.names import is_name
from ..page.text import fold
from ..values import Layout, Markup
from .placed import PlacedLayout
from .subtrees import any_in
from .weighing import PARAGRAPH

#: Items of microdata that are posts; the first ones are replies, and each stands in an element of its own.
_REPLIES = frozenset({"Comment", "UserComments", "Answer"})
_POSTS = _REPLIES | {"Question", "DiscussionForumPosting", "SocialMediaPosting"}
_FACTS = frozenset(f"type={name}" for name in _POSTS - {"Question"})
#: A comment in one of these is none of the main text.
_QUESTIONS = frozenset({"Question", "Answer"})
_TEXTS = frozenset({"text", "commenttext"})
#: Classes and ids of the text of a post: XenForo 2 and 1, vBulletin 4, MyBB, Flarum, FluxBB, bbPress; of what
#: holds it: phpBB; vBulletin 3, SMF.
_BODIES = frozenset(
    "bbWrapper messageText postcontent post_body Post-body postmsg bbp-reply-content"
    " bbp-topic-content postbody".split()
)
_BODY_ID = re.compile(r"(?:post_message|msg)_\d+")
#: phpBB has the text as the ``content`` in this element; Invision Community says it in ``data-role``.
_POSTBODY, _CONTENT, _ROLE = "postbody", "content", "commentContent"
_BODY_NEEDLES = {
    "": (
        *(quote + b"text" + quote for quote in (b'"', b"'")),
        *(name.encode() for name in ("commentText", _ROLE, "post_message_", "msg_", *_BODIES)),
    )
}
#: Classes of the name of who wrote a post, and attributes with it.
_NAMES = frozenset({"username", "bigusername", "creator", "PostUser-name", "ipsEntry__username"})
#: Classes of elements that begin with that name: SMF, FluxBB, MyBB.
_CARDS = frozenset({"poster", "postleft", "author_information"})
_NAME_ATTRIBUTES = ("data-author", "data-username")
_NAME_NEEDLES = {"": (b"author", b"username", b"creator", b"poster", b"postleft", b"PostUser-name")}
#: Elements in a text that open and close a long quote.
_CONTROLS = frozenset({"bbCodeBlock-expandLink", "bbCodeBlock-shrinkLink", "quoteExpand"})
#: A line with so many significant characters is a quote if it stands in an earlier post, too.
_SENTENCE = 100
#: At least so many posts are a thread, and at least this share of them has an author.
_LEAST_POSTS, _NAMED = 2, 0.5
#: A line with a name, or with a date, has at most so many characters.
_LONGEST_LINE = 120
#: The text of a page is that of its posts if at least this share of it stands in them.
_MOST = 0.5

_Value = TypeVar("_Value")


class Post(NamedTuple):
    """A post, or a reader's comment.

    :param element: the node that holds it.
    :param text: the indexes of the blocks of its text.
    :param author: who wrote it; empty: unknown.
    :param time: when, as markup states it; empty: it does not.
    :param named: the block above its text that names its author; -1: there is none.
    :param dated: the block with its date; -1: there is none.
    :param is_comment: whether it is a comment on a question, or on an answer.
    """

    element: int
    text: Sequence[int]
    author: str = ""
    time: str = ""
    named: int = -1
    dated: int = -1
    is_comment: bool = False


class _Body(NamedTuple):
    """The text of a post.

    :param begin: its first piece; ``end``: the one behind it.
    :param item: the first piece of the item that it is of, of this ``kind``, in one of the kind ``outer``.
    """

    begin: int
    end: int
    blocks: range
    item: int
    kind: str
    outer: str


def marked_posts(page: PlacedLayout, main: Sequence[int]) -> tuple[Post, ...]:
    """Return the posts of a page in its order, if markup says what is their text; none if it does not.

    :param main: the blocks of the main text. Where no names of forums are around it, microdata has the say.

    Cost: a look at the elements around three blocks. Where there may be posts, a search in the page's source;
    if there are some, a look at the elements around them.
    """
    if page.layout.markup is None or not main or not _may_have_posts(page, main):
        return ()
    bodies = _bodies(page)
    if len(bodies) < _LEAST_POSTS:
        return ()
    elements, layout, markup = _elements(page, bodies), page.layout, markup_of(page.layout)
    if elements != sorted(elements):
        return ()  # answers above what they answer
    begin = markup.nodes[elements[0]]
    end = max(markup.end_of(markup.nodes[element]) for element in elements)
    near = range(block_at(layout, begin), min(block_at(layout, end - 1) + 1, len(layout.blocks)))
    pieces = partial(_by_post, page, bodies, elements)
    names = pieces((piece, (piece, tag)) for piece, tag in markup.marked(_NAME_NEEDLES, begin, end))
    marks = pieces((mark.piece, mark) for mark in marks_in(layout, (AUTHOR, COMMENTER, TIME), near))
    authors = [_author(*given, layout) for given in zip(names, marks, strict=True)]
    if sum(map(bool, authors)) < _NAMED * len(authors):
        return ()
    if not all(any(mark.kind in (TIME, PUBLISHED) for mark in held) for held in marks):
        ages = pieces((mark.piece, mark) for mark in marks_in(layout, (AGE,), near))
        marks = [held + aged for held, aged in zip(marks, ages, strict=True)]
    cards = pieces((markup.blocks[index][0], index) for index in near)
    dates = [
        _date(page, held, card, body.blocks[0]) for held, card, body in zip(marks, cards, bodies, strict=True)
    ]
    rows = zip(elements, bodies, authors, dates, cards, strict=True)
    return tuple([_post(page, *row) for row in rows])


def is_thread(page: PlacedLayout, posts: Sequence[Post], main: Sequence[int]) -> bool:
    """Return whether the main text of a page is that of posts, or of another post and replies to it.

    Posts below the text of an article are readers' comments.

    :param main: the blocks of the main text.
    """
    blocks, texts = page.layout.blocks, {index for post in posts for index in post.text}
    inside = sum([blocks[index].weight for index in main if index in texts])
    return inside >= max(_MOST * sum([blocks[index].weight for index in main]), 1)


def begins_thread(page: PlacedLayout, posts: Sequence[Post], main: Sequence[int]) -> bool:
    """Return whether the first post begins a thread: no paragraph of the main text stands above it."""
    return is_thread(page, posts, main) and not _above(page, posts, main)


def _above(page: PlacedLayout, posts: Sequence[Post], main: Sequence[int]) -> list[int]:
    """Return the blocks of a main text above the posts, if a paragraph is among them."""
    blocks = page.layout.blocks
    above = [index for index in main if blocks[index].node < posts[0].element]
    return above if any(blocks[index].plain >= PARAGRAPH for index in above) else []


def thread_text(page: PlacedLayout, main: Sequence[int]) -> Sequence[int]:
    """Return the main text of a thread: all its posts, each below its author and its day.

    Long lines that several posts have stand in the first of them. Comments on questions and answers are left
    out.

    :param main: the blocks of the main text without regard to posts. Another text stays as it is.

    Cost: as :func:`marked_posts`.
    """
    posts = marked_posts(page, main)
    if not posts or not is_thread(page, posts, main):
        return main
    posts = tuple(post for post in posts if not post.is_comment) or posts
    taken = {index for post in posts for index in (post.named, post.dated) if 0 <= index < post.text[0]}
    taken.update(_above(page, posts, main), _once_quoted(page, posts))
    return sorted(taken)


def _once_quoted(page: PlacedLayout, posts: Sequence[Post]) -> Iterator[int]:
    """Yield the blocks of posts without long lines that stand in a post above."""
    blocks, said = page.layout.blocks, set[str]()
    for post in posts:
        yield from (
            index for index in post.text if blocks[index].weight < _SENTENCE or blocks[index].text not in said
        )
        said.update([blocks[index].text for index in post.text])


def _may_have_posts(page: PlacedLayout, main: Sequence[int]) -> bool:
    """Return whether a page states that it has posts, or a name of their texts is around its main text."""
    stated, blocks = page.layout.stated, page.layout.blocks
    if not stated.isdisjoint(_FACTS):
        return True
    for index in {main[0], main[len(main) // 2], main[-1]}:
        node = blocks[index].node
        while node > 0:
            step = page.layout.steps[node]
            if not _BODIES.isdisjoint(step.classes) or (step.id and _BODY_ID.fullmatch(step.id)):
                return True
            node = page.layout.parents[node]
    return False


def _bodies(page: PlacedLayout) -> list[_Body]:
    """Return the texts of posts that markup says, none in another one."""
    markup = markup_of(page.layout)
    spans: list[tuple[int, int]] = []
    for piece, tag in markup.marked(_BODY_NEEDLES, markup.nodes[0], markup.blocks[len(markup.blocks) - 1][1]):
        if (spans and piece < spans[-1][1]) or not _is_body(tag):
            continue
        begin = piece
        if _POSTBODY in _classes(tag):
            inner = markup.marked({"": (_CONTENT.encode(),)}, piece, markup.end_of(piece))
            begin = next((at for at, other in inner if _CONTENT in _classes(other)), -1)
        if begin >= 0:
            spans.append((begin, markup.end_of(begin)))
    if len(spans) < _LEAST_POSTS:
        return []
    items = _items(markup, [begin for begin, _ in spans])
    bodies = []
    for (begin, end), item in zip(spans, items, strict=True):
        first = bisect_left(markup.blocks, (begin, 0))
        if blocks := range(first, bisect_left(markup.blocks, (end, 0))):
            bodies.append(_Body(begin, end, blocks, *item))
    return bodies


def _is_body(tag: str) -> bool:
    """Return whether a start tag is that of the text of a post, or of a ``postbody``."""
    attributes = attributes_of(tag)
    return (
        not _BODIES.isdisjoint(_classes(tag))
        or not _TEXTS.isdisjoint(attributes.get("itemprop", "").lower().split())
        or attributes.get("data-role") == _ROLE
        or _BODY_ID.fullmatch(attributes.get("id", "")) is not None
    )


def _classes(tag: str) -> list[str]:
    return attributes_of(tag).get("class", "").split()


def _items(markup: Markup, pieces: Sequence[int]) -> Iterator[tuple[int, str, str]]:
    """Yield for each of some pieces the innermost item around it: its piece, its type, that of the next."""
    tags = iter(markup.marked({"": (b"itemtype",)}, 0, pieces[-1] + 1))
    around: list[tuple[int, int, str]] = []
    tag = next(tags, None)
    for piece in pieces:
        while tag is not None and tag[0] <= piece:
            kind = attributes_of(tag[1]).get("itemtype", "").rstrip("/").rpartition("/")[2]
            while around and around[-1][1] <= tag[0]:
                around.pop()
            around.append((tag[0], markup.end_of(tag[0]), kind))
            tag = next(tags, None)
        while around and around[-1][1] <= piece:
            around.pop()
        kind, outer = ([item[2] for item in reversed(around[-2:])] + ["", ""])[:2]
        yield around[-1][0] if around else -1, kind, outer


def _elements(page: PlacedLayout, bodies: Sequence[_Body]) -> list[int]:
    """Return for each text the node of its post: its item, or the outermost element without another text."""
    markup, parents, ends = markup_of(page.layout), page.layout.parents, page.ends
    nodes = [page.layout.blocks[body.blocks[0]].node for body in bodies]
    elements = []
    for at, body in enumerate(bodies):
        around = bodies[max(0, at - 1) : at + 2]
        if body.kind in _REPLIES and [other.item for other in around].count(body.item) == 1:
            node = bisect_left(markup.nodes, body.item, 0, len(parents))
            if node < len(parents) and markup.nodes[node] == body.item:
                elements.append(node)
                continue
        node, others = nodes[at], nodes[max(0, at - 1) : at] + nodes[at + 1 : at + 2]
        while parents[node] > 0 and not any_in(others, parents[node], ends[parents[node]]):
            node = parents[node]
        elements.append(node)
    return elements


def _by_post(
    page: PlacedLayout, bodies: Sequence[_Body], elements: Sequence[int], pieces: Iterable[tuple[int, _Value]]
) -> list[list[_Value]]:
    """Return for each post the values of what stands in it, but not in its text, nor in a post inside it.

    :param pieces: values, each with its piece, in the order of the page.
    """
    markup, held = markup_of(page.layout), [list[_Value]() for _ in bodies]
    around: list[tuple[int, int]] = []  # the posts around a piece: their ends, and which they are
    at = 0
    for piece, value in pieces:
        while at < len(elements) and (begin := markup.nodes[elements[at]]) <= piece:
            around.append((markup.end_of(begin), at))
            at += 1
        while around and around[-1][0] <= piece:
            around.pop()
        if around and not bodies[around[-1][1]].begin <= piece < bodies[around[-1][1]].end:
            held[around[-1][1]].append(value)
    return held


def _author(names: Sequence[tuple[int, str]], marks: Sequence[Mark], layout: Layout) -> str:
    """Return who wrote a post: as an attribute says, or microdata, or a class; empty: nothing does.

    :param names: pieces whose tags may have a name, and these tags.
    """
    stated = (attributes_of(tag).get(name, "") for _, tag in names for name in _NAME_ATTRIBUTES)
    classes = [(piece, {*_classes(tag)}) for piece, tag in names]
    named = (element_text(markup_of(layout), piece)[0] for piece, held in classes if held & _NAMES)
    by_card = (layout.blocks[block_at(layout, piece)].text for piece, held in classes if held & _CARDS)
    who = [mark for mark in marks if mark.kind in (AUTHOR, COMMENTER)]
    properties, others = ([mark.value for mark in who if mark.stated is known] for known in (True, False))
    options = map(fold, chain(stated, properties, named, by_card, others))
    return next((name for name in options if is_name(name) and not is_stamp(name)), "")


def _date(page: PlacedLayout, marks: Sequence[Mark], card: Sequence[int], text: int) -> tuple[str, int]:
    """Return the time of a post and the block with it: as a mark says, or the last such line above its text.

    :param card: the blocks of the post beside its text.
    :param text: the first block of this.
    """
    order = (PUBLISHED, TIME, AGE)
    times = [
        (order.index(mark.kind), mark.piece, mark.time) for mark in marks if mark.kind in order and mark.time
    ]
    if times:
        _, piece, time = min(times)
        return time, block_at(page.layout, piece)
    blocks = page.layout.blocks
    above = [index for index in card if index < text and is_date_line(blocks[index])]
    return "", above[-1] if above else -1


def _post(
    page: PlacedLayout, element: int, body: _Body, author: str, date: tuple[str, int], card: Sequence[int]
) -> Post:
    """Return a post.

    :param card: its blocks beside its text.
    """
    blocks, steps = page.layout.blocks, page.layout.steps
    text = [index for index in body.blocks if _CONTROLS.isdisjoint(steps[blocks[index].node].classes)]
    text = text or [*body.blocks]
    named = (
        index
        for index in card
        if author and index < text[0] and len(blocks[index].text) <= _LONGEST_LINE
        if author in fold(blocks[index].text)
    )
    is_comment = body.kind == "Comment" and body.outer in _QUESTIONS
    return Post(element, text, author, date[0], next(named, -1), date[1], is_comment)
