"""Collect the evidence on whether a page is an article: what its address, its markup and its text say.

An article shows its own title, and text under it. A list (of a tag, a month, a category, the newest pages)
shows the headlines of other pages, each a link to its page. Publishing systems also say in addresses, in
names of classes and in the page's head what a page is. No words of a language are used. Nothing depends on
where the main text was found: a mistake there must not turn an article into a list.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from ..blocks.tags import HEADINGS
from ..layouts.affixes import Affixes
from ..layouts.container import descend
from ..layouts.dates import has_date_line, is_dated
from ..layouts.paths import tag_of
from ..layouts.placed import PlacedLayout
from ..layouts.subtrees import running_totals
from ..layouts.title import title_of
from ..values.layouts import Layout, Step


class Evidence(NamedTuple):
    """The evidence on a page, each value from 0 to 1. A value without another meaning is 1 for yes, 0 for no.

    The page's address:

    :param slug: number n of words in the last part of its path, as n / 10, at most 1.
    :param in_list_folder: a part of its path has a name that publishing systems give to lists (``NAMES``).
    :param dated: it has a date, and does not end with it, as the archive of a month does.
    :param list_page: it is a further page of a list (``page/2``).
    :param number: the last part of its path is a number.
    :param front: its path is empty.

    What its markup states:

    :param og_article: ``og:type`` says article.
    :param og_other: ``og:type`` says something else.
    :param published: a ``meta`` element has a time of publication.
    :param post: its address in WordPress's programming interface is that of a post.
    :param static: such an address is that of a static page.
    :param term: such an address is that of a tag, a category or the like.
    :param embeddable: it can be embedded (oEmbed).
    :param shortlink: it has a short link.
    :param neighbours: it names a next or previous page that is no page of a list.
    :param beside: its links lead to a next or previous page.
    :param typed_article: JSON-LD or microdata says that it is an article.
    :param typed_list: JSON-LD or microdata says that it is a list.
    :param commentable: it has a form or a place for comments.
    :param one_article: it has exactly one ``article`` element.
    :param body_single: the body's classes or id say that it is a single post (``NAMES``).
    :param body_static: they say that it is a static page.
    :param body_list: they say that it is a list.

    What it shows. New text is text that is not boilerplate:

    :param text: new text outside links and lists of other pages, in the element with most of it; logarithmic,
        1 from 1,500 characters on.
    :param paragraphs: text of ``p`` elements outside links; logarithmic, 1 from 22,000 characters on.
    :param linked: share of the new text that is in links.
    :param titled: it shows its title in a block that is not a link to another page.
    :param in_title: the ``title`` element has a text that the page also shows outside links.
    :param title_words: number n of words of its title, as n / 12, at most 1.
    :param named: number n of words of the whole ``title`` element, as n / 12, at most 1.
    :param date_line: a short line has a date.
    :param headlines: number n of headings that lead to other pages, from the last heading above the main text
        to its end, as n / (n + 2).
    :param under_headline: the last heading before the main text leads to another page.
    :param below: number n of headings before the longest new text, as n / (n + 2).
    :param below_headline: the last heading before the longest new text leads to another page.
    """

    slug: float = 0.0
    in_list_folder: float = 0.0
    dated: float = 0.0
    list_page: float = 0.0
    number: float = 0.0
    front: float = 0.0
    og_article: float = 0.0
    og_other: float = 0.0
    published: float = 0.0
    post: float = 0.0
    static: float = 0.0
    term: float = 0.0
    embeddable: float = 0.0
    shortlink: float = 0.0
    neighbours: float = 0.0
    beside: float = 0.0
    typed_article: float = 0.0
    typed_list: float = 0.0
    commentable: float = 0.0
    one_article: float = 0.0
    body_single: float = 0.0
    body_static: float = 0.0
    body_list: float = 0.0
    text: float = 0.0
    paragraphs: float = 0.0
    linked: float = 0.0
    titled: float = 0.0
    in_title: float = 0.0
    title_words: float = 0.0
    named: float = 0.0
    date_line: float = 0.0
    headlines: float = 0.0
    under_headline: float = 0.0
    below: float = 0.0
    below_headline: float = 0.0


#: Names that many publishing systems share, by the place where they stand.
NAMES = {
    # parts of a path that lead to lists
    "folder": frozenset(
        "tag tags category categories cat author authors topic topics archive archives label labels search"
        " section sections user users profile taxonomy series keyword keywords".split()
    ),
    # words in the names of the body's classes and in its id
    "single": frozenset("single singular post article entry item postid".split()),
    "list": frozenset(
        "archive archives blog home category categories tag tags author search paged taxonomy term front"
        " frontpage list index 404 error404".split()
    ),
    # whole classes of the body
    "static": frozenset({"page", "page-template", "page-template-default", "node-type-page"}),
    # ids of the place for comments
    "comments": frozenset({"comments", "respond", "commentform", "comment-form", "disqus_thread"}),
    # types of JSON-LD and microdata
    "article type": frozenset(
        "Article BlogPosting NewsArticle TechArticle ReportageNewsArticle SocialMediaPosting Report Review"
        " Recipe Product Event QAPage PodcastEpisode".split()
    ),
    "list type": frozenset(
        "CollectionPage SearchResultsPage ProfilePage ItemList AboutPage ContactPage ImageGallery".split()
    ),
    # names of ``meta`` elements with a time of publication
    "published": frozenset(
        "article:published_time article.published og:article:published_time date date.created dc.date"
        " dc.date.created dc.date.issued dcterms.created datepublished pubdate publishdate publish-date"
        " sailthru.date parsely-pub-date".split()
    ),
}
#: Values of ``og:type`` that say article.
_OG_ARTICLES = frozenset({"article", "blog", "post", "news"})

_WORDS = re.compile(r"[^\W\d_]+|\d+")
_WITHOUT_SPACES = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
#: Letters of a script without spaces that count as a word.
_LETTERS_A_WORD = 2
_NAME_PARTS = re.compile(r"[-_]")
_ENDING = re.compile(r"\.[A-Za-z]\w{0,4}$")
_DATE_AT_END = re.compile(r"(?:^|/)(?:19[89]|20[0-4])\d(?:(?:/\d\d?){0,2}|[-_]\d\d(?:[-_]\d\d)?)$")
_LIST_PAGE = re.compile(r"(?:^|/)page[/_-]?\d+(?:[/.]|$)")
_DIRECTORY_PAGES = frozenset({"index", "default"})

#: From this weight outside links on, more text does not make an article more likely.
_MUCH = 1_500
_MUCH_IN_PARAGRAPHS = 22_000
#: A headline weighs at least this.
_HEADLINE = 4
#: A part of the ``title`` element with this many characters is the page's title.
_LONG_TITLE = 10
_SHOWN_TITLE = 8
_MOST_WORDS, _MOST_SLUG = 12, 10
#: A heading may stand in a link. An element with more nodes than this is more than a heading.
_AROUND_HEADING = 6


def evidence_of(page: PlacedLayout, affixes: Affixes) -> Evidence:
    """Return the evidence on a page. Cost: some passes over its nodes and blocks, a search for its title."""
    layout = page.layout
    return Evidence(**_of_address(page.url), **_of_markup(layout), **_of_text(page, affixes))


def _of_address(url: str) -> dict[str, float]:
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:  # an invalid address says nothing
        return {}
    parts = [part for part in path.split("/") if part]
    last = _ENDING.sub("", parts[-1]) if parts else ""
    if last in _DIRECTORY_PAGES:
        parts.pop()
        last = parts[-1] if parts else ""
    names = [part.lower() for part in parts]
    return {
        "slug": min(_MOST_SLUG, _count_words(last, numbers=False)) / _MOST_SLUG,
        "in_list_folder": float(not NAMES["folder"].isdisjoint(names)),
        "dated": float(is_dated(url) and not _DATE_AT_END.search("/".join([*parts[:-1], last]))),
        "list_page": float(_LIST_PAGE.search("/".join(names)) is not None),
        "number": float(last.isdigit()),
        "front": float(not parts),
    }


def _count_words(text: str, *, numbers: bool = True) -> int:
    """Return the number of words. In scripts without spaces every two letters count as one."""
    words = sum(numbers or not word.isdigit() for word in _WORDS.findall(text))
    return words if text.isascii() else max(words, len(_WITHOUT_SPACES.findall(text)) // _LETTERS_A_WORD)


def _of_markup(layout: Layout) -> dict[str, float]:
    found = _stated(layout.stated) | _of_body(layout.steps[0])
    articles = sum(step.tag == "article" for step in layout.steps)
    return {
        **found,
        "commentable": float(any(step.id in NAMES["comments"] for step in layout.steps)),
        "one_article": float(articles == 1),
    }


@lru_cache(maxsize=2_000)
def _stated(facts: frozenset[str]) -> dict[str, float]:
    kinds = {fact.partition("=")[2] for fact in facts if fact.startswith("og:type=")}
    types = {fact.partition("=")[2] for fact in facts if fact.startswith("type=")}
    metas = {fact.partition("=")[2] for fact in facts if fact.startswith("meta=")}
    interface = {fact.partition("=")[2] for fact in facts if fact.startswith("api=")}
    article = any(kind in _OG_ARTICLES or kind.startswith("article") for kind in kinds)
    found = {
        "og_article": article,
        "og_other": bool(kinds - {""}) and not article,
        "published": not NAMES["published"].isdisjoint(metas),
        "post": "posts" in interface,
        "static": "pages" in interface,
        "term": bool(interface - {"posts", "pages"}),
        "embeddable": "link=alternate application/json+oembed" in facts,
        "shortlink": "link=shortlink" in facts,
        "neighbours": not facts.isdisjoint({"link=next", "link=prev", "link=previous"}),
        "beside": not facts.isdisjoint({"a=next", "a=prev", "a=previous"}),
        "typed_article": not NAMES["article type"].isdisjoint(types),
        "typed_list": not NAMES["list type"].isdisjoint(types),
    }
    return {name: float(value) for name, value in found.items()}


@lru_cache(maxsize=2_000)
def _of_body(body: Step) -> dict[str, float]:
    names = {name.lower() for name in (*body.classes, body.id) if name}
    words = {word for name in names for word in (name, *_NAME_PARTS.split(name))}
    return {
        "body_single": float(
            not NAMES["single"].isdisjoint(words) and words.isdisjoint({"archive", "blog", "home"})
        ),
        "body_static": float(
            not NAMES["static"].isdisjoint(names) or any(name.startswith("page-id") for name in names)
        ),
        "body_list": float(not NAMES["list"].isdisjoint(words) and "single" not in names),
    }


def _of_text(page: PlacedLayout, affixes: Affixes) -> dict[str, float]:
    blocks, places, boilerplate = page.layout.blocks, page.places, page.boilerplate
    element = page.layout.title_element.lower()
    title, place = title_of(page, (), affixes)
    at = places.index(place) if place in places else None
    headings = [number for number, path in enumerate(places) if tag_of(path) in HEADINGS]
    new = [number for number, known in enumerate(boilerplate) if not known]
    weight = sum(blocks[number].weight for number in new)
    plain = sum(blocks[number].plain for number in new)
    headlines = _Headlines(page)
    in_paragraphs = sum(block.plain for block in blocks if page.layout.steps[block.node].tag == "p")
    return {
        "paragraphs": min(1.0, math.log1p(in_paragraphs) / math.log1p(_MUCH_IN_PARAGRAPHS)),
        "linked": 1 - plain / weight if weight else 1.0,
        "titled": float(at is not None and not headlines.lead_on(at)),
        "in_title": float(
            any(
                block.plain and len(block.text) >= _SHOWN_TITLE and block.text.lower() in element
                for block in blocks
            )
        ),
        "title_words": min(_MOST_WORDS, _count_words(title)) / _MOST_WORDS,
        "named": min(_MOST_WORDS, _count_words(element)) / _MOST_WORDS,
        "date_line": float(has_date_line(page)),
        **_around_text(page, headlines, headings, None if at is None else blocks[at].node),
        **_around_longest(page, headlines, headings, new),
    }


def _around_text(
    page: PlacedLayout, headlines: _Headlines, headings: Sequence[int], title: int | None
) -> dict[str, float]:
    """Return the evidence on the element with most of the page's new text, and on the headings there.

    A headline on several lists is boilerplate. It still counts if it stands near the main text.

    :param title: the node with the page's title; None: the page shows none.
    """
    node = descend(page)
    inside, near = page.inside(node), page.inside(max(page.layout.parents[node], 0))
    blocks = page.layout.blocks
    main = [
        number
        for number, (block, known) in enumerate(zip(blocks, page.boilerplate, strict=True))
        if not known and inside[block.node] and block.node != title
    ]
    told = [n for n in headings if not page.boilerplate[n] or near[blocks[n].node]]
    before = [n for n in told if n <= main[0]] if main else []
    first = before[-1] if before else 0
    span = [n for n in told if first <= n <= main[-1]] if main else told
    leading = sum(map(headlines.lead_on, span))
    plain = sum(blocks[n].plain for n in main if not page.leading[blocks[n].node])
    return {
        "text": min(1.0, math.log1p(plain) / math.log1p(_MUCH)),
        "headlines": leading / (leading + 2),
        "under_headline": float(bool(before) and headlines.lead_on(before[-1])),
    }


def _around_longest(
    page: PlacedLayout, headlines: _Headlines, headings: Collection[int], new: Sequence[int]
) -> dict[str, float]:
    """Return the evidence on the headings before the longest new text that is not a heading."""
    blocks = page.layout.blocks
    among = set(headings)
    longest = max((n for n in new if n not in among), key=lambda n: (blocks[n].plain, -n), default=0)
    before = [n for n in headings if n < longest and not page.boilerplate[n]]
    return {
        "below": len(before) / (len(before) + 2),
        "below_headline": float(bool(before) and headlines.lead_on(before[-1])),
    }


class _Headlines:
    """Tells which blocks of a page are headlines of other pages: all text of such a block is a link there."""

    def __init__(self, page: PlacedLayout) -> None:
        self._layout: Layout = page.layout
        self._ends = page.ends
        self._links = running_totals(page.layout.links)
        self._leads = running_totals(page.layout.leads)
        self._title = page.title

    def _is_own(self, text: str) -> bool:
        """Return whether a text is the page's own title, even if it is a link to an old url of the page."""
        return text == self._title or (len(text) >= _LONG_TITLE and text in self._layout.title_element)

    def lead_on(self, number: int) -> bool:
        """Return whether a block is the headline of another page."""
        block = self._layout.blocks[number]
        if block.plain or block.weight < _HEADLINE or self._is_own(block.text):
            return False
        node, ends = block.node, self._ends
        while node >= 0 and ends[node] - node <= _AROUND_HEADING:
            if self._links[ends[node]] > self._links[node]:
                return self._leads[ends[node]] > self._leads[node]
            node = self._layout.parents[node]
        return node >= 0 and self._layout.leads[node] > 0
