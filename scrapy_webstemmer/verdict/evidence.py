"""Collect the evidence on whether a page is an article: what its address, its markup and its text say.

An article shows its own title, and text under it. A list (of a tag, a month, a category, the newest pages)
shows the headlines of other pages, each a link to its page. Publishing systems also say in addresses, in
names of classes and in the page's head what a page is. No words of a language are used. Nothing depends on
where the main text was found: a mistake there must not turn an article into a list.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from ..page.days import is_dated, names_day
from ..page.facts import DISCUSSION, PRODUCT, PRODUCTS
from ..site.affixes import Affixes
from ..site.placed import PlacedLayout
from ..site.titles import title_of
from ..site.weighing import count_articles, descend, short_lines, weigh_text
from ..values import Layout, Step


class Evidence(NamedTuple):
    """The evidence on a page, each value from 0 to 1. A value without another meaning is 1 for yes, 0 for no.

    The page's address:

    :param slug: number n of words in the last part of its path, as n / 10, at most 1.
    :param in_list_folder: a part of its path has a name that publishing systems give to lists (``NAMES``).
    :param dated: it has a date, and does not end with it, as the archive of a month does.
    :param list_page: it is a further page of a list (``page/2``).
    :param front: its path is empty, and it has no number of a page.

    What its markup states:

    :param og_article: ``og:type`` says article.
    :param og_other: ``og:type`` says something else.
    :param published: a ``meta`` element has a time of publication.
    :param post: its address in WordPress's programming interface is that of a post.
    :param static: such an address is that of a static page.
    :param embeddable: it can be embedded (oEmbed).
    :param neighbours: it names a next or previous page that is no page of a list.
    :param beside: its links lead to a next or previous page.
    :param typed_article: JSON-LD or microdata says that it is an article.
    :param typed_list: JSON-LD or microdata says that it is a list.
    :param sold: JSON-LD, microdata or ``og:type`` says that one thing or several are sold, and nothing says
        article or names its author: reviews have a product, too.
    :param commentable: it has a form or a place for comments.
    :param one_article: it has exactly one ``article`` element.
    :param body_single: the body's classes or id say that it is a single post (``NAMES``).
    :param body_static: they say that it is a static page.
    :param body_list: they say that it is a list.

    What it shows. New text is text that is not boilerplate:

    :param text: new text outside links and lists of other pages, in the element with most of it; logarithmic,
        1 from 1,500 characters on.
    :param paragraphs: new text outside links in paragraphs, outside lists of other pages. A paragraph has 60
        characters or more in one piece, whatever its element. Logarithmic, 1 from 22,000 characters on.
    :param linked: share of the new text that is in links.
    :param titled: it shows its title in a block that is not a link to another page.
    :param headed: its title stands above the longest new text; if it shows none, its first heading of the
        first level that is new and no link.
    :param in_title: the ``title`` element has a text that the page also shows outside links.
    :param title_words: number n of words of its title, as n / 12, at most 1.
    :param named: number n of words of the whole ``title`` element, as n / 12, at most 1.
    :param date_line: a short line has a date, though other pages may have the same one.
    :param under_headline: the last heading before the main text leads to another page.
    :param below: number n of headings before the longest new text, as n / (n + 2).
    :param below_headline: the last heading before the longest new text leads to another page.
    """

    slug: float = 0.0
    in_list_folder: float = 0.0
    dated: float = 0.0
    list_page: float = 0.0
    front: float = 0.0
    og_article: float = 0.0
    og_other: float = 0.0
    published: float = 0.0
    post: float = 0.0
    static: float = 0.0
    embeddable: float = 0.0
    neighbours: float = 0.0
    beside: float = 0.0
    typed_article: float = 0.0
    typed_list: float = 0.0
    sold: float = 0.0
    commentable: float = 0.0
    one_article: float = 0.0
    body_single: float = 0.0
    body_static: float = 0.0
    body_list: float = 0.0
    text: float = 0.0
    paragraphs: float = 0.0
    linked: float = 0.0
    titled: float = 0.0
    headed: float = 0.0
    in_title: float = 0.0
    title_words: float = 0.0
    named: float = 0.0
    date_line: float = 0.0
    under_headline: float = 0.0
    below: float = 0.0
    below_headline: float = 0.0


#: Words in the names of the classes and the id of a body that says that there is no such page.
_ERRORS = frozenset({"404", "error404"})
#: Names that many publishing systems share, by the place where they stand.
NAMES = {
    # parts of a path that lead to lists
    "folder": frozenset(
        "tag tags category categories cat author authors topic topics archive archives label labels search"
        " section sections user users profile taxonomy series keyword keywords".split()
    ),
    # words in the names of the body's classes and in its id
    "single": frozenset("single singular post article entry item postid".split()),
    "list": _ERRORS.union(
        "archive archives blog home category categories tag tags author search paged taxonomy term front"
        " frontpage list index".split()
    ),
    # whole classes of the body
    "static": frozenset({"page", "page-template", "page-template-default", "node-type-page"}),
    # ids of the place for comments
    "comments": frozenset({"comments", "respond", "commentform", "comment-form", "disqus_thread"}),
    # types of JSON-LD and microdata
    "article type": frozenset(
        "Article BlogPosting NewsArticle TechArticle ReportageNewsArticle SocialMediaPosting Report Review"
        " Recipe Product Event QAPage DiscussionForumPosting PodcastEpisode".split()
    ),
    "list type": frozenset(
        "CollectionPage SearchResultsPage ProfilePage ItemList AboutPage ContactPage ImageGallery"
        " JobPosting".split()
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
#: What says that something is sold, if nothing says article. Services and events have an offer, too.
_SOLD = (PRODUCT | PRODUCTS) - {"type=Offer"}

_WORD_OR_NUMBER = re.compile(r"[^\W\d_]+|\d+")
_WITHOUT_SPACES = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
#: Letters of a script without spaces that count as a word.
_LETTERS_A_WORD = 2
_NAME_PARTS = re.compile(r"[-_]")
_IN_CAMEL_CASE = re.compile("[a-z][A-Z]")
_FILE_ENDING = re.compile(r"\.[A-Za-z]\w{0,4}$")
_DATE_AT_END = re.compile(r"(?:^|/)(?:19[89]|20[0-4])\d(?:(?:/\d\d?){0,2}|[-_]\d\d(?:[-_]\d\d)?)$")
_LIST_PAGE = re.compile(r"(?:^|/)page[/_-]?\d+(?:[/.]|$)")
_DIRECTORY_PAGES = frozenset({"index", "default"})
#: The number of what a program shows at the address of the front page, but no page of a list, and no year.
_NUMBERED = re.compile(
    r"[?&;](?!(?:page|paged|pg|start|offset|year|month|m|y|v)=)[a-z_-]{1,20}=\d\d", re.IGNORECASE
)

#: From this weight outside links on, more text does not make an article more likely.
_LOG_MUCH = math.log1p(1_500)
_LOG_MUCH_IN_PARAGRAPHS = math.log1p(22_000)
_MOST_TITLE_WORDS, _MOST_SLUG_WORDS = 12, 10


def evidence_of(page: PlacedLayout, affixes: Affixes) -> Evidence:
    """Return the evidence on a page. Cost: some passes over its nodes and blocks, a search for its title."""
    layout = page.layout
    return Evidence(*_of_address(page.url), *_of_markup(layout), *_of_text(page, affixes))


# Each of the next three gives its part of the evidence in the order of its fields.


def _of_address(url: str) -> tuple[float, ...]:
    """Return the evidence from ``slug`` to ``front``."""
    path = url.partition("#")[0].partition("?")[0].partition("://")[2].partition("/")[2]
    parts = [part for part in (unquote(path) if "%" in path else path).split("/") if part]
    last = _FILE_ENDING.sub("", parts[-1]) if parts else ""
    if last in _DIRECTORY_PAGES:
        parts.pop()
        last = parts[-1] if parts else ""
    names = [part.lower() for part in parts]
    return (
        min(_MOST_SLUG_WORDS, _count_words(last, numbers=False)) / _MOST_SLUG_WORDS,
        float(not NAMES["folder"].isdisjoint(names)),
        float(is_dated(url) and not _DATE_AT_END.search("/".join([*parts[:-1], last]))),
        float(_LIST_PAGE.search("/".join(names)) is not None),
        float(not parts and not _NUMBERED.search(url)),
    )


def _count_words(text: str, *, numbers: bool = True) -> int:
    """Return the number of words. In scripts without spaces every two letters count as one."""
    words = _WORD_OR_NUMBER.findall(text)
    count = len(words) if numbers else len(words) - sum(map(str.isdigit, words))
    return count if text.isascii() else max(count, len(_WITHOUT_SPACES.findall(text)) // _LETTERS_A_WORD)


def _of_markup(layout: Layout) -> tuple[float, ...]:
    """Return the evidence from ``og_article`` to ``body_list``."""
    articles, commentable = count_articles(layout.steps, NAMES["comments"])
    return (*_stated(layout.stated), float(commentable), float(articles == 1), *_of_body(layout.steps[0]))


@lru_cache(maxsize=2_000)
def _stated(facts: frozenset[str]) -> tuple[float, ...]:
    """Return the evidence from ``og_article`` to ``sold``."""

    def stated(name: str) -> set[str]:
        return {fact.partition("=")[2] for fact in facts if fact.startswith(f"{name}=")}

    kinds, types, metas, interface = map(stated, ("og:type", "type", "meta", "api"))
    article = any(kind in _OG_ARTICLES or kind.startswith("article") for kind in kinds)
    typed = NAMES["article type"] & types
    sold = not (article or "a=author" in facts or typed - {"Product"} or _SOLD.isdisjoint(facts))
    values = (
        article,
        bool(kinds - {""}) and not article,
        not NAMES["published"].isdisjoint(metas),
        "posts" in interface,
        "pages" in interface,
        "link=alternate application/json+oembed" in facts,
        not facts.isdisjoint({"link=next", "link=prev", "link=previous"}),
        not facts.isdisjoint({"a=next", "a=prev", "a=previous"}),
        bool(typed) and not sold,
        not NAMES["list type"].isdisjoint(types),
        sold,
    )
    return tuple(map(float, values))


@lru_cache(maxsize=2_000)
def _of_body(body: Step) -> tuple[float, ...]:
    """Return the evidence from ``body_single`` to ``body_list``."""
    names, words = _names_of(body)
    return (
        float(not NAMES["single"].isdisjoint(words) and words.isdisjoint({"archive", "blog", "home"})),
        float(not NAMES["static"].isdisjoint(names) or any(name.startswith("page-id") for name in names)),
        float(not NAMES["list"].isdisjoint(words) and "single" not in names),
    )


def _names_of(body: Step) -> tuple[set[str], set[str]]:
    """Return the classes and the id of a body, and the words in them."""
    names = {name.lower() for name in (*body.classes, body.id) if name}
    # "ipsApp_front" is the name of a part of a program
    split = [name.lower() for name in (*body.classes, body.id) if not _IN_CAMEL_CASE.search(name)]
    return names, names.union(*map(_NAME_PARTS.split, split))


def is_error_page(layout: Layout) -> bool:
    """Return whether a page says in the names of its body that there is no such page."""
    return not _ERRORS.isdisjoint(_names_of(layout.steps[0])[1])


def _of_text(page: PlacedLayout, affixes: Affixes) -> tuple[float, ...]:
    """Return the evidence from ``text`` to ``below_headline``."""
    title, place = title_of(page, (), affixes)
    at = page.places.index(place) if place in page.places else -1
    seen = TextWeights(*weigh_text(page, at, descend(page)))
    # the posts of a discussion stand below the names of their authors, which lead to these
    alone = DISCUSSION.isdisjoint(page.layout.stated)
    return (
        min(1.0, math.log1p(seen.main) / _LOG_MUCH),
        min(1.0, math.log1p(seen.in_paragraphs) / _LOG_MUCH_IN_PARAGRAPHS),
        1 - seen.outside / seen.weight if seen.weight else 1.0,
        float(at >= 0 and not seen.leads_on),
        float(seen.headed),
        float(seen.in_title),
        min(_MOST_TITLE_WORDS, _count_words(title)) / _MOST_TITLE_WORDS,
        min(_MOST_TITLE_WORDS, _count_words(page.layout.title_element.lower())) / _MOST_TITLE_WORDS,
        float(has_date_line(page)),
        float(seen.under_headline and alone),
        seen.below / (seen.below + 2),
        float(seen.below_headline and alone),
    )


class TextWeights(NamedTuple):
    """What is counted in a page's text. New text is text that is not boilerplate.

    :param in_paragraphs: weight outside links of the new text in paragraphs outside lists of other pages.
    :param weight: weight of the new text.
    :param outside: the same outside links.
    :param in_title: whether the ``title`` element has a text that the page shows outside links.
    :param leads_on: whether the page's title leads to another page.
    :param main: weight outside links, and outside lists of other pages, of the main text: new text in the
        element with most of it.
    :param under_headline: whether the last heading before the main text leads to another page.
    :param below: number of headings before the longest new text that is no heading.
    :param below_headline: whether the last of these leads to another page.
    :param headed: whether the page's title stands before the longest new text; if it shows none, its first
        heading of the first level that is new and no link.
    """

    in_paragraphs: int
    weight: int
    outside: int
    in_title: bool
    leads_on: bool
    main: int
    under_headline: bool
    below: int
    below_headline: bool
    headed: bool


#: A line with an article's date weighs at most this, with a name and a place. A longer text is a sentence.
_DATE_LINE = 40


def has_date_line(page: PlacedLayout) -> bool:
    """Return whether a page has a short line with a date, not in a list of pages.

    Boilerplate counts as well. Its digits are folded, so all days of a month look alike, and the more pages
    are known, the more of their lines would be lost.
    """
    lines = short_lines(page, _DATE_LINE)
    return names_day("\n".join(lines)) and any(map(names_day, lines))  # one search is enough for most pages
