"""The images of an article, and the addresses that it links to."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape, unescape
from urllib.parse import quote

from ..html.instead import PICTURE, tags_from
from ..html.markup import Base, attributes_of, plain_text
from ..html.tags import TEXT_TAGS, loads_later
from ..html.text import UNSEEN, fold
from ..site.main_text import container_on
from ..site.paths import last_step, tag_of, under_any
from ..site.placed import PlacedLayout
from ..site.subtrees import any_in
from ..values import ArticleImage, Image, Markup, Pattern, Step

# --- Find the absolute urls of a page's links and images, including lazily loaded images
#
# Choose the images of a page that belong to its article, and give their captions (path layouts).

_HREF = ' href="'
_LINKS = ("http://", "https://", "mailto:")
_IMAGES = ("http://", "https://")
#: A url in a srcset, and the width or density that may follow it.
_CANDIDATE, _SIZE = re.compile(r"[^\s,]\S*"), re.compile(r"([0-9]+(?:\.[0-9]+)?)[wx]")
_UNSEEN = re.compile(f"[{UNSEEN}]")
#: An image of this width or height counts visits and shows nothing.
_PIXELS = {"0", "1", "2", "0px", "1px", "2px"}
#: What the class of an image says if a script loads it later, and the end of a drawing's address.
_LAZY, _DRAWING = (
    re.compile(r"(?:^|[\s_-])lazy", re.IGNORECASE),
    re.compile(r"\.(?:gif|svg)(?:[?#]|$)", re.IGNORECASE),
)
#: Bound: so many tags behind an image are searched for a ``noscript``.
_NEAR = 10
#: Bound: largest number of pieces of markup between the beginning of a ``picture`` and its image.
_PICTURE_SIZE = 100


def href_of(tag: str) -> str:
    """Return the ``href`` of a start tag; empty if it has none. Cost: a tenth of reading all attributes."""
    begin = tag.find(_HREF) + len(_HREF)
    return plain_text(tag[begin : tag.find('"', begin)]) if begin >= len(_HREF) else ""


def absolute(href: str, base: Base, schemes: tuple[str, ...] = _LINKS) -> str:
    """Return a target as an absolute url; empty if it leads nowhere or its scheme is not allowed."""
    if not href:
        return ""
    if href.startswith(schemes) and href.isprintable() and "[" not in href:
        return href.strip()  # it is absolute already, and joining urls takes longer than all else here
    target = base.joined(href.strip())
    if not target.isascii():  # in a text nobody sees these, and they go; a target keeps them
        target = _UNSEEN.sub(lambda found: quote(found[0]), target)
    return target if target.lower().startswith(schemes) else ""


def image_tag(pieces: Sequence[str], number: int, base: Base) -> str:
    """Return an image as clean HTML; empty if it shows nothing.

    :param pieces: the page as pieces of markup.
    :param number: index of the piece with the image's tag.
    :param base: the base of relative urls.
    """
    source, image = image_source(pieces, number, base), attributes_of(pieces[number])
    if not source or _PIXELS & {image.get("width"), image.get("height")}:
        return ""
    return f'<img src="{escape(source)}" alt="{escape(fold(image.get("alt", "")))}">'


#: What may stand beside the sources of a ``picture``: their ends, and comments.
_IN_PICTURE = ("/source>", "!")


def image_source(pieces: Sequence[str], number: int, base: Base) -> str:
    """Return the url of an image; empty if it has none.

    The url that a script would load (``data-src`` and the like) comes first, since ``src`` is then a
    placeholder. Then comes that of a ``noscript`` behind the image, for readers without scripts. Then come
    ``src``, and the largest candidate of a ``srcset``: the image's own, or that of a ``source`` in its
    ``picture``; in the other order if the ``src`` is only there to be replaced.
    """
    candidates = (absolute(value, base, _IMAGES) for value in _sources(pieces, number))
    return next(filter(None, candidates), "")


def _sources(pieces: Sequence[str], number: int) -> Iterator[str]:
    image = attributes_of(pieces[number])
    around = [image, *_sources_of_picture(pieces, number)]
    yield from _loaded_later(around)
    fallback = _fallback(pieces, number)
    if fallback is not None and _shows_picture(own := attributes_of(pieces[fallback])):
        yield from _loaded_later([own])
        yield own.get("src", "")
        yield _largest(own.get("srcset", ""))
    sets = [_largest(attributes["srcset"]) for attributes in around if attributes.get("srcset")]
    sets += [value for name, value in image.items() if name.startswith("data-") and PICTURE.search(value)]
    source = image.get("src", "")
    yield from (*sets, source) if _is_replaced(image, sets) else (source, *sets)


def _loaded_later(elements: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """Yield the addresses that elements have for a script, those of single pictures first."""
    found = [(name, value) for one in elements for name, value in one.items() if loads_later(name)]
    yield from (value for name, value in found if not name.endswith("srcset"))
    yield from (_largest(value) for name, value in found if name.endswith("srcset"))


def _is_replaced(image: Mapping[str, str], sets: Sequence[str]) -> bool:
    """Return whether the ``src`` of an image is a placeholder: by its class, or a drawing for a photo."""
    if _LAZY.search(image.get("class", "")):
        return True
    return _DRAWING.search(image.get("src", "")) is not None and not any(map(_DRAWING.search, sets))


def _shows_picture(image: Mapping[str, str]) -> bool:
    """Return whether an image shows something, and does not only count visits."""
    return not _PIXELS & {image.get("width"), image.get("height")} and "none" not in image.get("style", "")


def _fallback(pieces: Sequence[str], number: int) -> int | None:
    """Return the piece of the image in the ``noscript`` behind an ``img``; None: there is none."""
    if not pieces[number].startswith("img "):
        return None
    inside, left = False, _NEAR
    for at, tag, text in tags_from(pieces, number):
        name = tag.partition(" ")[0]
        if inside and name == "img":
            return at
        inside = inside or name == "noscript"
        left -= tag != ""
        if not left or (text.strip() and not inside) or (inside and name == "/noscript"):
            break
        if at > number and tag and tag[0] != "/" and not inside:
            break
    return None


def _sources_of_picture(pieces: Sequence[str], number: int) -> Iterator[dict[str, str]]:
    """Yield the attributes of each ``source`` before an image in its ``picture``, which has one image."""
    found = []
    for begin in range(number - 1, max(-1, number - _PICTURE_SIZE), -1):
        piece = pieces[begin]
        if piece.startswith("source "):
            found.append(piece)
        elif piece.startswith(("picture>", "picture ")):
            yield from map(attributes_of, reversed(found))
            return
        elif not piece.startswith(_IN_PICTURE):
            return


def _largest(srcset: str) -> str:
    return max(_candidates(srcset), key=lambda candidate: candidate[0], default=(0.0, ""))[1]


def _candidates(srcset: str) -> Iterator[tuple[float, str]]:
    """Yield the size and the url of each candidate of a ``srcset``.

    Source: HTML Standard, parsing a srcset attribute. Cost: linear in its length.
    """
    at = 0
    while found := _CANDIDATE.search(srcset, at):
        url = found[0].rstrip(",")
        end = srcset.find(",", found.end()) if url == found[0] else found.end()
        at = end if end >= 0 else len(srcset)
        size = _SIZE.fullmatch(srcset[found.end() : at].strip())
        yield float(size[1]) if size else 1.0, url


# --- Choose the images of a page that belong to its article (path layouts)

_PICTURE = re.compile(r"\.(?:avif|gif|jpe?g|png|webp)(?:[?#]|$)", re.IGNORECASE)


def article_images(page: PlacedLayout, pattern: Pattern, main: Sequence[int]) -> list[int]:
    """Return the indexes of the images between blocks that belong to the main text.

    They stand in the element that holds all main text. They do not stand in an
    excluded part, in a list of teasers, or beside text that was left out, like a
    portrait by a byline. An image with a link to something other than a picture counts
    only in a paragraph or figure: elsewhere it is a button or an advertisement.

    A gallery is a list like one of teasers, but its entries have no links except to pictures. It may stand
    behind the text, in the pattern's container.
    """
    markup = page.layout.markup
    if markup is None or not markup.images or not main:
        return []
    holder, excluded = _holder(page, main), under_any(pattern.excluded)
    inside, behind = range(holder, page.ends[holder]), _behind(page, pattern, holder)
    gallery = _Gallery(page, markup, behind)
    found = [
        (index, image.node)
        for index, image in enumerate(markup.images)
        if (image.node in inside or (image.node in behind and gallery.shows(image)))
        and (not page.repeated[image.node] or gallery.has(image.node))
        and _shows(page.paths[image.node], image.link)
        and not excluded(page.paths[image.node])
    ]
    if not found:
        return []
    blocks = page.layout.blocks
    texts = sorted([block.node for block in blocks])
    mains = sorted([blocks[index].node for index in main])
    # leave out an image in an element that has text, if none of the text is main text
    return [
        index
        for index, node in found
        if any_in(mains, node, page.ends[node]) or not any_in(texts, node, page.ends[node])
    ]


def _holder(page: PlacedLayout, main: Sequence[int]) -> int:
    """Return the innermost element of the template that holds all main text."""
    parents, blocks = page.layout.parents, page.layout.blocks
    nodes = {blocks[index].node for index in main}
    first, last = min(nodes), max(nodes)
    holder = first
    while not holder <= last < page.ends[holder]:
        holder = parents[holder]
    while holder > 0 and last_step(page.paths[holder]) in TEXT_TAGS:
        holder = parents[holder]
    return holder


def _behind(page: PlacedLayout, pattern: Pattern, holder: int) -> range:
    """Return the nodes of the pattern's container behind the element that holds all main text."""
    container = container_on(page, pattern.container) if pattern.container else None
    if container is None or not container <= holder < page.ends[container]:
        return range(0)
    return range(page.ends[holder], page.ends[container])


class _Gallery:
    """Tells entries of a gallery from teasers and comments, which are repeated records with links too.

    :param behind: the nodes behind the text, among which there may be one.
    """

    def __init__(self, page: PlacedLayout, markup: Markup, behind: range) -> None:
        self._page = page
        self._known: dict[int, bool] = {}
        #: The node of each image that links to a picture.
        self._pictures = sorted(image.node for image in markup.images if _is_picture(image.link))
        self._is_behind = sum(image.node in behind and self._may_show(image) for image in markup.images) > 1

    def shows(self, image: Image) -> bool:
        """Return whether an image behind the text is one of a gallery's: a link to a picture, or a figure."""
        return self._is_behind and self._may_show(image)

    def _may_show(self, image: Image) -> bool:
        is_figure = tag_of(self._page.paths[image.node]) == "figure"
        return _is_picture(image.link) or (is_figure and not image.link)

    def has(self, node: int) -> bool:
        """Return whether all links of the repeated record in which a node stands lead to pictures.

        Cost: one look at each node of the record, once.
        """
        page, record = self._page, node
        while page.repeated[page.layout.parents[record]]:
            record = page.layout.parents[record]
        if record not in self._known:
            end = page.ends[record]
            pictures = bisect_left(self._pictures, end) - bisect_left(self._pictures, record)
            self._known[record] = 0 < pictures == sum(page.layout.links[record:end])
        return self._known[record]


def _is_picture(link: str | None) -> bool:
    return bool(link and _PICTURE.search(link))


def _shows(path: str, link: str | None) -> bool:
    """Return whether an image at a path belongs to the text, and is not a button or an advertisement."""
    return tag_of(path) in ("p", "figure") or not link or _is_picture(link)


# --- Give the images of an article with their captions

#: The class of a caption, or of an element with an image and its caption: ``wp-caption-text``.
_CAPTION = re.compile(r"(?:^|[-_])captions?(?:[-_]|$)", re.IGNORECASE)
#: A caption stands in an element around the image, at most so many levels up, that has at most so many
#: elements; it has at most so many characters, and so many images of a figure have it.
_LEVELS, _LARGEST, _LONGEST_CAPTION, _MOST_SHARED = 4, 50, 1_000, 20
#: An image in the HTML of an article.
_TAG = re.compile(r'<img src="([^"]*)" alt="([^"]*)">')


def pictures(page: PlacedLayout, images: Sequence[int], html: str) -> tuple[ArticleImage, ...]:
    """Return the images in the HTML of an article with their captions, each url once.

    :param images: indexes of those that stand between blocks: of them, captions are looked for.
    :param html: the article, as :func:`~scrapy_webstemmer.article.article_html.render` gives it.

    Cost: a search in the HTML, and a look at the elements around each image.
    """
    if "<img " not in html:
        return ()
    markup = page.layout.markup
    assert markup is not None  # noqa: S101 - only markup has images
    found, base = _Captions(page, markup), Base(markup)
    captions: dict[str, str] = {}
    for index in images:
        if caption := found.of(markup.images[index].node):
            captions.setdefault(image_source(markup.pieces, markup.images[index].piece, base), caption)
    alts: dict[str, str] = {}
    for source, alt in _TAG.findall(html):
        alts.setdefault(unescape(source), unescape(alt))
    return tuple(ArticleImage(url, alt or None, captions.get(url)) for url, alt in alts.items())


class _Captions:
    """The captions of a page's images: each a ``figcaption``, or an element that has the class of one.

    Only a ``figure`` may have one caption for several images.
    """

    def __init__(self, page: PlacedLayout, markup: Markup) -> None:
        self._page = page
        #: The nodes of all images on the page, sorted.
        self._images = sorted([image.node for image in markup.images])
        #: The blocks in the order of their nodes, and these nodes.
        blocks = page.layout.blocks
        self._order = sorted(range(len(blocks)), key=lambda number: blocks[number].node)
        self._nodes = [blocks[number].node for number in self._order]
        #: For the elements that are captions their text, and how many images have it.
        self._texts: dict[int, str] = {}
        self._uses: Counter[int] = Counter()

    def of(self, node: int) -> str:
        """Return the caption of an image, given its node; empty: it has none, or a long one.

        Cost: a look at some elements around the image.
        """
        page, layout = self._page, self._page.layout
        for _ in range(_LEVELS):
            end, is_figure = page.ends[node], layout.steps[node].tag == "figure"
            several = bisect_left(self._images, end) - bisect_left(self._images, node) > 1
            if node <= 0 or end - node > _LARGEST or (several and not is_figure):
                break
            caption = next((one for one in range(node, end) if _is_caption(layout.steps[one])), None)
            if caption is not None:
                self._uses[caption] += 1
                return self._text(caption) if self._uses[caption] <= _MOST_SHARED else ""
            if is_figure:
                break
            node = layout.parents[node]
        return ""

    def _text(self, caption: int) -> str:
        if caption not in self._texts:
            first = bisect_left(self._nodes, caption)
            own = self._order[first : bisect_left(self._nodes, self._page.ends[caption])]
            text = " ".join(self._page.layout.blocks[number].text for number in sorted(own))
            self._texts[caption] = text if len(text) <= _LONGEST_CAPTION else ""
        return self._texts[caption]


@lru_cache(maxsize=1 << 12)
def _is_caption(step: Step) -> bool:
    return step.tag == "figcaption" or any(map(_CAPTION.search, step.classes))
