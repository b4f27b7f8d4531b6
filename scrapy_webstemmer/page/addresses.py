"""Tell where links lead: to their own page, to another page of its host, to a picture, or elsewhere.

The path of a target also tells of whom or of what that page is: ``/author/ann-lee/``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias
from urllib.parse import unquote

#: A link: its ``href``, empty if it leads nowhere, None for an ``a`` that only names a place; the host of its
#: target, empty for the host of the link's own page, None if it leads to no other web page; the path
#: (:func:`page_path`, or ``./`` and a relative path); and the query.
Link: TypeAlias = tuple[str | None, str | None, str, str]

#: An ``a`` that leads nowhere.
NOWHERE: Link = ("", None, "", "")
#: An ``a`` with a name and without a target: a place, and no link. An id is a name, too; where there is a
#: class, a script may do something. Old pages do not close it, so it holds all text behind it.
NAME: Link = (None, None, "", "")
#: The path of a link that has only a query.
SAME = "."
_WWW = "www."
#: The end of a path that names a folder, or the file that stands for the folder.
_INDEX = re.compile(r"/(?:index\.\w{3,5})?\Z")
_WEB = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.\-\s]*:", re.IGNORECASE)
#: The end of a path that names a part of a list.
_PAGED = re.compile(r"(?:/page/\d+)?/?(?:index\.\w+)?$")
_WORD = re.compile(r"[^\W_]+")
#: The end of a name that says whose something is.
_POSSESSIVE = re.compile(r"(?:['\u2019]s?|,)$")
#: The attributes of a link that opens a part of its page, and what they say.
OPENS_BY = ("class", "data-toggle", "data-bs-toggle")
_OPENS = re.compile("accordi[ao]n|collapse|collapsible|faq", re.IGNORECASE)
_PICTURE = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|avif|bmp)\Z", re.IGNORECASE)
#: The url of a site's front page; it may say from where a reader comes.
_FRONT = re.compile(
    r"(?:[^/?#]*//[^/?#]*)?/?(?:\?(?:(?:utm_\w+|srsltid|\w+clid)=[^#]*)?)?(?:#.*)?", re.DOTALL
)
#: The url of a machine that others cannot reach, or of none.
_LOCAL = re.compile(r"https?://(?:127\.|0\.0\.0\.0|[^./?#]*(?:[/?#]|$))", re.IGNORECASE)
#: The words of a picture's file that stands for another one until a script loads that, or for none at all;
#: those that say so of a drawing alone; and those that may stand beside them.
_STANDS_FOR = frozenset("placeholder placeholders blank spacer transparent 1x1 lazyload noimage rien".split())
_DRAWING_STANDS_FOR = frozenset("pixel clear clearpixel shim trans empty loading loader noscript".split())
_BESIDE = frozenset(
    "image img images picture photo lazy load ajax default small large thumb thumbnail product post "
    "woocommerce gray grey white black gif jpg jpeg png svg webp".split()
)
_DRAWING = re.compile(r"\.(?:gif|png|svg)\Z", re.IGNORECASE)
_BETWEEN_WORDS = re.compile(r"(?:%20|[\W_])+")
_SIZE_OR_DIGEST = re.compile(r"\d+(?:x\d+)?(?:px|w|h)?|[\da-f]{8,}")
#: A part of an address that a script fills in; others have a number between such brackets.
_FILLED_IN = re.compile(r"(?:\{|%7b)[a-z_.]+(?:\}|%7d)", re.IGNORECASE)
#: The words of the file of a site's logo, and those that may stand beside them.
_LOGOS = frozenset("logo logos logotype sitelogo".split())
#: What the file of a drawing that is the site's has in its name.
_SITES_DRAWING = ("logo", "icon", "brand")


class Address:
    """A page's url, as its links are compared with it.

    :ivar host: the host, without ``www.``.
    :ivar names: the paths of links that lead to the page itself.
    :ivar bare: whether the page's url has no query, and is not the first page of its host.
    """

    def __init__(self, url: str) -> None:
        self.host, path, self._query = split_page(url)
        self.names = (path, SAME, relative_name(_in_folder(url)))
        self.bare = bool(path) and not self._query

    def leads(self, link: Link) -> bool:
        """Return whether a link leads to another page of the host."""
        _, host, path, query = link
        return (host == self.host or host == "") and (path not in self.names or self.differs(query))

    def place(self, link: Link) -> str:
        """Return the place on the page itself to which a link leads; empty: it leads to none."""
        target, host, _, _ = link
        page, sign, place = (target or "").partition("#")
        if not sign or (page and (host not in (self.host, "") or self.leads(link))):
            return ""
        return place or "top"

    def differs(self, query: str) -> bool:
        """Return whether a link to the page's own path, with this query, leads to another page.

        A link that adds to the page's query asks the page itself to do something: to answer a comment.
        """
        if self.bare or query == self._query:
            return False
        return not {*self._query.split("&")} <= {*query.split("&")}


def link_of(attributes: Mapping[str, str]) -> Link:
    """Return the link of an ``a`` element, given its attributes."""
    href = attributes.get("href")
    if href is None:
        is_name = "name" in attributes or ("id" in attributes and "class" not in attributes)
        return NAME if is_name else NOWHERE
    return link_to(href.strip())


def stays(link: Link) -> bool:
    """Return whether a link leads to a place on its own page, or does what a script says.

    In a heading such a link opens the part below it: its text is the heading's.
    """
    target = link[0]
    return target is not None and (target[:1] in ("", "#") or target.startswith("javascript:"))


def opens(link: Link, names: Iterable[str | None]) -> bool:
    """Return whether a link opens a part of its page, by the values of ``OPENS_BY``: a question."""
    return stays(link) and _OPENS.search(" ".join(filter(None, names))) is not None


def leads_to_picture(link: Link) -> bool:
    """Return whether a link leads to a picture, mostly to a larger one than the page shows."""
    path = link[2]
    return "." in path[-5:] and _PICTURE.search(path) is not None


def link_to(href: str) -> Link:
    """Return the link with an ``href``."""
    if not href or href[0] == "#":
        return href, None, "", ""
    if href.startswith(("http://", "https://")) or _WEB.match(href):
        return href, *split_page(href)
    if href[0] != "/" and _SCHEME.match(href):
        return href, None, "", ""
    path, _, query = href.partition("#")[0].partition("?")
    if path[:1] == "/":
        return href, "", page_path(path), query
    return href, "", relative_name(path) if path else SAME, query


def split_page(url: str) -> tuple[str, str, str]:
    """Return host, path and query of a web page's url, in the form in which links are compared.

    >>> split_page("https://www.example.com/a%20b/index.html?page=2#top")
    ('example.com', '/a b', 'page=2')
    """
    address, _, query = url.partition("//")[2].partition("#")[0].partition("?")
    host, _, path = address.partition("/")
    return host.lower().removeprefix(_WWW), page_path(f"/{path}"), query


def is_placeholder(url: str) -> bool:
    """Return whether a url is that of a file which stands for another picture, or for none.

    >>> urls = "/blank.jpg?v=1", "/boat-{width}x.jpg", "/pixel-8.jpg", "/blank-page-syndrome.png"
    >>> [is_placeholder(url) for url in urls]
    [True, True, False, False]
    """
    name = _file_of(url)
    words = {*_BETWEEN_WORDS.split(name)}
    if _FILLED_IN.search(url):
        return True
    telling = words & (_STANDS_FOR | _DRAWING_STANDS_FOR if _DRAWING.search(name) else _STANDS_FOR)
    return bool(telling) and all(map(_SIZE_OR_DIGEST.fullmatch, words - telling - _BESIDE - {""}))


def shows_article(url: str) -> bool:
    """Return whether a url may be that of an article's picture: no placeholder, logo or front page."""
    name = _file_of(url)
    is_sites = name.endswith(".svg") and any(word in name for word in _SITES_DRAWING)
    return not (_FRONT.fullmatch(url) or is_sites or is_placeholder(url))


def is_logo(url: str, site: str) -> bool:
    """Return whether the name of a picture's file says that it is the site's logo, and nothing else.

    :param site: the letters of the site's names.

    >>> is_logo("/img/gull-news-logo-600x60.png", "gullnews"), is_logo("/new-logo-of-acme.png", "gullnews")
    (True, False)
    """
    words = {*_BETWEEN_WORDS.split(_file_of(url))} - _BESIDE - {""}
    names = words - _LOGOS
    return len(names) < len(words) and all(name in site or _SIZE_OR_DIGEST.fullmatch(name) for name in names)


def _file_of(url: str) -> str:
    """Return the name of the file to which a url leads, in lower case."""
    return url.partition("#")[0].partition("?")[0].rpartition("/")[2].lower()


def may_lead(value: object) -> bool:
    """Return whether what a page states as a picture may be its address, and no name of a value."""
    return not isinstance(value, str) or "/" in value or _PICTURE.search(value.strip()) is not None


def may_be_name(url: str, page: str) -> bool:
    """Return whether a url may be the one that a page calls its own.

    Not that of a front page if the page is none, or of a machine that only its builders reach.

    >>> [may_be_name("http://a.example/", f"http://a.example/{end}") for end in ("?srsltid=7", "?p=7")]
    [True, False]
    """
    is_front = _FRONT.fullmatch(url) and not _FRONT.fullmatch(page)
    is_local = _LOCAL.match(url) and not _LOCAL.match(page)
    return bool(url) and not (is_front or is_local)


def has_host_of(url: str, other: str) -> bool:
    """Return whether two urls are of one host.

    >>> has_host_of("http://example.com/a", "https://www.example.com/b")
    True
    """
    return split_page(url)[0] == split_page(other)[0]


def relative_name(path: str) -> str:
    """Return a path relative to the page's folder, in the form in which links are compared.

    >>> relative_name("b%20c.html"), relative_name("./index.html")
    ('./b c.html', './')
    """
    return f"./{page_path('/' + path.removeprefix('./'))[1:]}"


def page_path(path: str) -> str:
    """Return a path in the form in which links are compared: unquoted, without a last slash or index file.

    >>> page_path("/caf%C3%A9/"), page_path("/")
    ('/café', '')
    """
    path = unquote(path) if "%" in path else path
    return _INDEX.sub("", path) if path[-1:] == "/" or "/index." in path else path


def _in_folder(url: str) -> str:
    """Return a page's name in its folder: all after the last slash of its path."""
    return url.partition("//")[2].partition("#")[0].partition("?")[0].partition("/")[2].rpartition("/")[2]


def slug_of(url: str) -> str:
    """Return the last step of a url's path, in lower case."""
    return unquote(url).partition("?")[0].rstrip("/").rpartition("/")[2].lower()


def named_by(url: str, text: str) -> str:
    """Return the part of a link's text that is the name of its target: ``Posts by Ann`` leads to ``/ann/``.

    It is the end of the text, or, of two words and more, any part: ``All of Ann Lee's posts``. Of a name in
    full a target of one word is a part: ``Ann Lee`` leads to ``/lee/``.
    """
    words, slug = text.split(), _WORD.findall(slug_of(url))
    begins = (at for at in range(1, len(words)) if len(slug) > 1 or not words[at - 1][0].isupper())
    ends = (" ".join(words[begin:]) for begin in begins if slug)
    if (name := next((end for end in ends if _WORD.findall(end.lower()) == slug), "")) or len(slug) < 2:
        return name or text
    runs = (" ".join(words[at : at + len(slug)]) for at in range(len(words) - len(slug)))
    names = (_POSSESSIVE.sub("", run) for run in runs)
    return next((name for name in names if _WORD.findall(name.lower()) == slug), text)


def has_name(url: str, name: str) -> bool:
    """Return whether the last step of a url's path has the words of a name, as ``ann-lee`` or ``alee``."""
    slug, words = slug_of(url), [word for word in _WORD.findall(name.lower()) if len(word) > 2]
    return bool(words) and all(word in slug for word in (words[-1:] if slug.isalpha() else words))


def folder_of(target: str) -> str:
    """Return the last folder of a link's target, or the key of its query; empty: neither is there.

    >>> [folder_of(target) for target in ("https://a.example/author/ann/", "/?tag=x", "/a.html")]
    ['author', 'tag', '']
    """
    path, _, query = target.partition("#")[0].partition("?")
    path = path.partition("://")[2].partition("/")[2] if "://" in path else path.lstrip("/")
    folders = _PAGED.sub("", path).rstrip("/").split("/")[:-1]
    word = query.partition("=")[0] if query and not folders else folders[-1] if folders else ""
    return word.lower()
