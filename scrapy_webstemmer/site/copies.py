"""Find the pages of a site that are one page under several urls, and tell whether an article came before.

A crawl stores a page again for each link that only adds something to its url: ``?share=``, ``?replytocom=``,
a session, ``index.html``. Whatever counts pages would count its text several times, and text that several
pages have looks like boilerplate.

Two pages are copies if they have the same ``title`` element and the same text of their own, at the same tags.
A page's own text is what pages with other titles do not have. Links do not count: lists of related posts
differ each time. So a print version or an AMP page, which has a template of its own, is no copy here. In the
template of its page it is one, and so is an article with more of its comments: under forms of one url, the
first paragraph of their own decides, whatever their titles.

What a site answers to many urls that have nothing in common is no page of theirs: it could not be found, or
asks the reader to log in, or to wait for a check. Such answers are no copies, and no articles.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b

from ..base.samples import drawn
from ..base.urls import link_key
from ..page.text import BoilerplateKeys
from ..values import Layout
from .paths import Paths
from .weighing import PARAGRAPH

#: Two pages are copies if they share at least this much of the own text of the longer one. Forms and counters
#: differ from copy to copy; two articles of one column share a few phrases at most.
_SAME_SHARE = 0.9
#: Answers to many urls share at least this much: they name the request.
SAME_ANSWER = 0.75
#: Bound: so many of the site's pages show what is not a page's own.
_OTHER_PAGES = 30
#: Bound: a page is compared with so many pages that have the same title and the same longest text.
_COMPARED = 20
#: Bound: bytes of a digest: of a hundred million articles, hardly two have the same by chance.
_DIGEST = 10

#: A page has fewer names than this: its own, a number in a query, that of a copy in another section. What
#: pages of so many titles have in their urls names none of them: the path of a program, a language.
_ENOUGH_NAMES = 4
#: What may be in one form of a url, and not in another: ``/amp/5.html``, ``/5/index.html``, ``/5``, ``/5/``,
#: ``//5;jsessionid=e1``.
_FORM_OF_URL = re.compile(
    r"^(?:www|m|mobile|amp)\.|/(?:amp|print|comment-page-\d+|index(?=\.|$))(?=[/.]|$)|;[^/]*|/(?=/)"
    r"|\.(?:amp|x?html?|shtml|php|aspx?|jsp)(?=;|$)|/$"
)
#: What is in a url whose page may call another one its own.
_OTHER_VERSION = re.compile(r"\?|[/.](?:amp|print)(?:/|$)")

#: The texts of a page by number, each with its weight outside links.
_Texts = Mapping[int, int]


def find_copies(layouts: Sequence[Layout]) -> dict[str, str]:
    """Return for the url of each copy the url of the page that it is a copy of: the shortest of its urls.

    :param layouts: a site's pages, sorted by url.

    Cost: a look-up per page. Linear in the blocks of pages that share their title or path with others, and a
    comparison of each of them with at most 20 pages.
    """
    answers = find_answers(layouts)
    copies = _same_pages(layouts, _SAME_SHARE).items()
    same = {url: original for url, original in copies if not {url, original} & answers}
    known = same.keys() | answers
    forms = _same_paths([layout for layout in layouts if layout.url not in known])
    return {url: forms.get(original, original) for url, original in same.items()} | forms


def _same_paths(layouts: Sequence[Layout]) -> dict[str, str]:
    """Return the copies among pages under forms of one url, whatever their titles and their ends.

    The first paragraph of their own is the same: print versions, or an article with more of its comments.
    """
    copies: dict[str, str] = {}
    for group, numbers, common in _grouped(layouts, lambda layout: _path_of(layout.url)):
        if len({layout.title_element for layout in group}) >= _ENOUGH_NAMES:
            continue  # a program makes these pages
        first: dict[object, str] = {}
        for layout in sorted(group, key=lambda layout: (len(layout.url), layout.url)):
            texts = numbers.of(layout)
            telling = (text for text, weight in texts.items() if weight >= PARAGRAPH and text not in common)
            begin = next(telling, None) if common else None
            original = first.setdefault(frozenset(texts) if begin is None else begin, layout.url)
            if original != layout.url:
                copies[layout.url] = original
    return copies


def find_answers(layouts: Sequence[Layout]) -> set[str]:
    """Return the urls of pages that are the same as pages of at least three other names.

    No other page has their title: where many pages have one title, it tells nothing. Cost: as for copies.
    """
    urls: dict[str, list[str]] = defaultdict(list)
    for url, original in _same_pages(layouts, SAME_ANSWER).items():
        urls[original].append(url)
    groups = [[original, *copies] for original, copies in urls.items()]
    groups = [group for group in groups if len(group) >= _ENOUGH_NAMES]
    common = _common_names(layouts) if groups else ()
    answers = {url for group in groups if _have_no_name(group, common) for url in group}
    others = {layout.title_element for layout in layouts if layout.url not in answers} if answers else ()
    return {layout.url for layout in layouts if layout.url in answers and layout.title_element not in others}


def _names_in(url: str) -> tuple[str, list[str]]:
    """Return what may name a url's page: its path, and the parts of its query.

    >>> _names_in("http://a.example/show.php;sid=e1?id=5&lang=en")
    ('a.example/show', ['id=5', 'lang=en'])
    """
    return _path_of(url), [part for part in link_key(url).partition("?")[2].split("&") if part]


def _common_names(layouts: Sequence[Layout]) -> set[str]:
    """Return the paths and parts of queries that pages of several titles have: they name none of them."""
    titles: dict[str, set[str]] = defaultdict(set)
    for layout in layouts:
        path, parts = _names_in(layout.url)
        for name in (path, *parts):
            titles[name].add(layout.title_element)
    return {name for name, having in titles.items() if len(having) >= _ENOUGH_NAMES}


def _have_no_name(urls: Iterable[str], common: Collection[str] = ()) -> bool:
    """Return whether some urls are those of several pages: they share no name.

    The last step of a path names its page in the path of another url, too.

    :param common: names that do not count.

    >>> _have_no_name(["http://a.example/ferry", "http://a.example/ferry/amp", "http://a.example/?p=7"])
    False
    """
    named = list[tuple[set[str], set[str]]]()
    for url in urls:
        path, parts = _names_in(url)
        steps = path.split("/")[1:] or [""]
        telling = {*parts, *([] if path in common else steps[-1:])}.difference(common)
        names = {*steps, *parts}
        if not any(telling & other_names or others & names for others, other_names in named):
            named.append((telling, names))
            if len(named) == _ENOUGH_NAMES:
                return True
    return False


def _same_pages(layouts: Sequence[Layout], share: float) -> dict[str, str]:
    copies: dict[str, str] = {}
    for group, numbers, common in _grouped(layouts, lambda layout: layout.title_element):
        copies |= _copies_among(group, common, numbers, share)
    return copies


def _grouped(
    layouts: Sequence[Layout], name_of: Callable[[Layout], str]
) -> Iterator[tuple[list[Layout], _TextNumbers, Collection[int]]]:
    """Yield the pages that share a name, with the texts that pages with other names have."""
    named: dict[str, list[Layout]] = defaultdict(list)
    for layout in layouts:
        named[name_of(layout)].append(layout)
    groups = {name: group for name, group in named.items() if len(group) > 1}
    if groups:
        numbers = _TextNumbers()
        others = [(name_of(layout), numbers.of(layout)) for layout in drawn(layouts, _OTHER_PAGES)]
        for name, group in groups.items():
            yield group, numbers, {number for other, texts in others if other != name for number in texts}


def _copies_among(
    group: Sequence[Layout], common: Collection[int], numbers: _TextNumbers, share: float
) -> dict[str, str]:
    """Return the copies among pages of one title.

    :param common: the texts of pages with other titles. If there are none, or if a page has no other texts,
        nothing tells what is its own: only pages with the same texts throughout are copies then.
    """
    originals: dict[object, list[tuple[str, _Texts]]] = defaultdict(list)
    copies = {}
    for layout in sorted(group, key=lambda layout: (len(layout.url), layout.url)):
        texts = numbers.of(layout)
        telling = {number: weight for number, weight in texts.items() if weight and number not in common}
        if common and telling:
            alike: object = max(telling, key=lambda number: (telling[number], number))
        else:
            telling, alike = dict(texts), frozenset(texts)
        known = originals[alike]
        same = next((url for url, earlier in known[:_COMPARED] if _are_same(telling, earlier, share)), None)
        if same is None:
            known.append((layout.url, telling))
        else:
            copies[layout.url] = same
    return copies


def _are_same(texts: _Texts, others: _Texts, share: float) -> bool:
    shared = sum(min(weight, others.get(number, 0)) for number, weight in texts.items())
    return shared >= share * max(sum(texts.values()), sum(others.values()))


class _TextNumbers:
    """Numbers texts, so that equal texts below the same tags have one number."""

    def __init__(self) -> None:
        self._paths, self._keys = Paths({}), BoilerplateKeys()
        #: By the hash of the path and the folded text: most texts come once, and would be kept for nothing.
        self._texts: dict[int, int] = {}

    def of(self, layout: Layout) -> _Texts:
        """Return a page's texts. Cost: a look-up per node and block."""
        paths, numbers = self._paths.of(layout), self._texts
        weights: dict[int, int] = {}
        keys = self._keys.of([block.text for block in layout.blocks])
        for block, key in zip(layout.blocks, keys, strict=True):
            number = numbers.setdefault(hash((paths[block.node], key)), len(numbers))
            weights[number] = weights.get(number, 0) + block.plain
        return weights


def content_of(url: str, title: str, text: str) -> bytes:
    """Return a digest of an article's path, title and text: the same for all forms of one url.

    These differ in the query, in slashes, in the ending, in the case of letters, in a session, or in a word
    for a print version or AMP. What reads many pages keeps the digests, about 100 bytes an article, and gives
    each article once. Equal articles under other paths are several: a site may have the same one in two
    sections or languages, and the better url may come later.
    """
    content = f"{_path_of(url)}\0{title}\0{text}"
    return blake2b(content.encode("utf-8", "replace"), digest_size=_DIGEST).digest()


def _path_of(url: str) -> str:
    """Return host and path of a url, the same for all of its forms, in whichever case of letters."""
    return _FORM_OF_URL.sub("", link_key(url).partition("?")[0].lower())


def plain_url(url: str, canonical: str | None) -> str:
    """Return a page's canonical url if it has no query, or is no print version or AMP; else the page's own.

    So an article has the same url whichever of its copies comes first. A canonical url with another path may
    be a mistake of the template, and is not believed.

    >>> plain_url("https://news.example/ferry/?share=x", "https://news.example/ferry/")
    'https://news.example/ferry/'
    """
    if canonical is None or not _OTHER_VERSION.search(url):
        return url
    return canonical if _path_of(url) == _path_of(canonical) else url
