"""Choose the images of a page that belong to its article, with their captions (path layouts)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from html import unescape

from ..page.markup import Base, attributes_of, markup_of, name_of
from ..page.tags import TEXT_TAGS, loads_later
from ..site.excluded import part_by_path
from ..site.main_text import container_on
from ..site.paths import last_step, tag_of
from ..site.placed import PlacedLayout
from ..site.subtrees import any_in, indexes_in
from ..values import ArticleImage, Image, Markup, Pattern, Step
from .image_sources import absolute

#: The class of an element about an author or a reader, or of one that calls to do something. WordPress names
#: the author of a post in the post's class, and Elementor any box with a picture so.
_ASIDE = re.compile(
    r"(?:^|[-_])(?:byline|avatars?|bio|contributors?|reviewers?|reactions?|(?<!elementor-)cta"
    r"|authors?(?=$|[-_]+(?:image|avatar|photo|pic|box|bio|info|wrap|block|byline)))(?:[-_]|$)",
    re.IGNORECASE,
)
_WEB = ("http://", "https://")
_PICTURE = re.compile(r"\.(?:avif|gif|jpe?g|png|webp)(?:[?#&]|$)", re.IGNORECASE)


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
    holder = _holder(page, main)
    inside, behind = range(holder, page.ends[holder]), _behind(page, pattern, holder)
    excluded, gallery = part_by_path(pattern.excluded), _Gallery(page, markup, behind)
    images = [
        (index, image.node)
        for index, image in enumerate(markup.images)
        if (image.node in inside or gallery.shows(image))
        and (not page.repeated[image.node] or gallery.has(image.node))
        and _shows(page.paths[image.node], image.link)
        and not excluded[page.paths[image.node]]
    ]
    if not images:
        return []
    blocks = page.layout.blocks
    texts = sorted([block.node for block in blocks])
    mains = sorted([blocks[index].node for index in main])
    # leave out an image in an element that has text, if none of the text is main text; but for a caption
    return [
        index
        for index, node in images
        if any_in(mains, node, page.ends[node])
        or (not any_in(texts, node, page.ends[node]) and not _is_beside(page, node, mains))
        or _has_caption_alone(page, node, texts)
    ]


def _has_caption_alone(page: PlacedLayout, node: int, texts: Sequence[int]) -> bool:
    """Return whether an element is a figure whose only text is its ``figcaption``."""
    steps, end = page.layout.steps, page.ends[node]
    if steps[node].tag != "figure":
        return False
    caption = next((inner for inner in range(node, end) if steps[inner].tag == "figcaption"), None)
    inside = indexes_in(texts, node, end)
    return caption is not None and len(inside) == len(indexes_in(texts, caption, page.ends[caption]))


def _is_beside(page: PlacedLayout, node: int, mains: Sequence[int]) -> bool:
    """Return whether an image stands beside words that were left out, as a portrait or a call to buy does."""
    for _ in range(_LEVELS):
        if node <= 0 or any_in(mains, node, page.ends[node]):
            break
        if _is_aside(page.layout.steps[node]):
            return True
        node = page.layout.parents[node]
    return False


@lru_cache(maxsize=1 << 12)
def _is_aside(step: Step) -> bool:
    return any(map(_ASIDE.search, step.classes))


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
    container = container_on(page, pattern.container)
    if container is None or not container <= holder < page.ends[container]:
        return range(0)
    return range(page.ends[holder], page.ends[container])


class _Gallery:
    """Tells entries of a gallery from teasers and comments, which are repeated records with links too.

    :param behind: the nodes behind the text, among which there may be one.
    """

    def __init__(self, page: PlacedLayout, markup: Markup, behind: range) -> None:
        self._page, self._images, self._behind = page, markup.images, behind
        self._known: dict[int, bool] = {}
        self._is_there = sum(image.node in behind and self._may_show(image) for image in markup.images) > 1

    @cached_property
    def _pictures(self) -> list[int]:
        """The node of each image that links to a picture."""
        return sorted(image.node for image in self._images if _is_picture(image.link))

    def shows(self, image: Image) -> bool:
        """Return whether an image is one of a gallery behind the text: a link to a picture, or a figure."""
        return self._is_there and image.node in self._behind and self._may_show(image)

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
            pictures = len(indexes_in(self._pictures, record, end))
            self._known[record] = 0 < pictures == sum(page.layout.links[record:end])
        return self._known[record]


def _is_picture(link: str | None) -> bool:
    return bool(link and _PICTURE.search(link))


def _shows(path: str, link: str | None) -> bool:
    """Return whether an image at a path belongs to the text, and is not a button or an advertisement."""
    return tag_of(path) in ("p", "figure") or not link or _is_picture(link)


#: The class of a caption, or of an element with an image and its caption: ``wp-caption-text``.
_CAPTION = re.compile(r"(?:^|[-_])captions?(?:[-_]|$)", re.IGNORECASE)
#: A caption stands in an element around the image, at most so many levels up, that has at most so many
#: elements; it has at most so many characters, and so many images of a figure have it.
_LEVELS, _LARGEST_FIGURE, _LONGEST_CAPTION, _MOST_SHARED = 4, 50, 1_000, 20
#: An image in the HTML of an article.
_IMAGE = re.compile(r'<img src="([^"]*)" alt="([^"]*)">')


#: The url of a picture that only decorates, or is a person's or a site's; and a drawing's.
_DECORATES = re.compile(
    r"[/_.-](?:icons?|logos?|avatars?|gravatar|badges?|buttons?|flags?|profiles?|authors?|themes?|sprites?|arrows?"
    r"|emoticons?|smile[yi]s?)(?:[/_.-]|$)|\.(?:gif|svg)(?:[?#]|$)",
    re.IGNORECASE,
)
#: Bound: so many pieces of a film or a recording are searched for its source.
_MOST_SOURCES = 10
#: A picture with a smaller side is none of an article as a whole.
_LEAST_SIDE = 120


def first_picture(page: PlacedLayout, tags: Mapping[int, str]) -> str:
    """Return the url of the first picture between blocks that may stand for the article; empty: none does.

    :param tags: the tags of those images, by their indexes.
    """
    markup = markup_of(page.layout)
    for index, tag in tags.items():
        url = unescape(tag.split('"', 2)[1])
        image = attributes_of(markup.pieces[markup.images[index].piece])
        sides = [side for name in ("width", "height") if (side := image.get(name, "")).isdecimal()]
        is_large = all(int(side) >= _LEAST_SIDE for side in sides)
        if is_large and _PICTURE.search(url) and not _DECORATES.search(url):
            return url
    return ""


#: The elements that show films and recordings; the url of a player for either.
_MEDIA = dict.fromkeys(("iframe", "video", "audio"), (b"",))
_PLAYERS = {
    "video": re.compile(
        r"(?:https?:)?//(?:(?:www\.)?youtube(?:-nocookie)?\.com/embed/.|player\.vimeo\.com/video/"
        r"|(?:www\.|geo\.)?dailymotion\.com/(?:embed|player)|player\.twitch\.tv/|fast\.wistia\.net/embed/iframe/"
        r"|rumble\.com/embed/|www\.ted\.com/embed|embed\.ted\.com/|rutube\.ru/play/embed/|vk\.com/video_ext"
        r"|player\.bilibili\.com/|www\.facebook\.com/plugins/video|www\.loom\.com/embed/)",
        re.IGNORECASE,
    ),
    "audio": re.compile(
        r"(?:https?:)?//(?:w\.soundcloud\.com/player|open\.spotify\.com/embed|bandcamp\.com/EmbeddedPlayer"
        r"|embed\.podcasts\.apple\.com/)",
        re.IGNORECASE,
    ),
}


def media_in(page: PlacedLayout, main: Sequence[int]) -> Mapping[str, list[str]]:
    """Return the urls of the films and of the recordings in the element that holds all main text.

    Cost: a look at each tag in it.
    """
    media: dict[str, list[str]] = {"video": [], "audio": []}
    markup = page.layout.markup
    if markup is None or not main:
        return media
    base, holder, pieces = Base(markup), _holder(page, main), markup.pieces
    end = page.ends[holder]
    last = markup.nodes[end] if end < len(markup.nodes) else len(pieces)
    for at, tag in markup.marked(_MEDIA, markup.nodes[holder], last):
        sources, name = _media_sources(tag), name_of(tag)
        if name in media:  # of several forms the first
            inner = (piece for piece in pieces[at + 1 : at + _MOST_SOURCES] if piece.startswith("source "))
            first = sources or next(filter(None, map(_media_sources, inner)), [])
            media[name] += [absolute(url, base, _WEB) for url in first[:1]]
            continue
        for kind, player in _PLAYERS.items():
            media[kind] += [absolute(url, base, _WEB) for url in sources if player.match(url)]
    return {kind: [*dict.fromkeys(filter(None, urls))] for kind, urls in media.items()}


def _media_sources(tag: str) -> list[str]:
    """Return the targets of an element with a film or a recording: its own, and those for scripts."""
    attributes = attributes_of(tag)
    return [url for name, url in attributes.items() if url and (name == "src" or loads_later(name))]


def pictures(page: PlacedLayout, tags: Mapping[int, str], html: str) -> tuple[ArticleImage, ...]:
    """Return the images in the HTML of an article with their captions, each url once.

    :param tags: the tags of those between blocks, by their indexes: of them, captions are looked for.
    :param html: the article, as :func:`~scrapy_webstemmer.extraction.article_html.render` gives it.

    Cost: a search in the HTML, and a look at the elements around each image.
    """
    if "<img " not in html:
        return ()
    captions: dict[str, str] = {}
    if tags:
        every = _Captions(page)
        for index, tag in tags.items():
            if caption := every.of(index):
                captions.setdefault(tag.split('"', 2)[1], caption)
    alts: dict[str, tuple[str, str | None]] = {}
    for source, alt in _IMAGE.findall(html):
        alts.setdefault(unescape(source), (unescape(alt), captions.get(source)))
    return tuple(ArticleImage(url, alt or None, caption) for url, (alt, caption) in alts.items())


class _Captions:
    """The captions of a page's images: each a ``figcaption``, or an element that has the class of one.

    Only a ``figure`` may have one caption for several images.
    """

    def __init__(self, page: PlacedLayout) -> None:
        self._page, self._markup = page, markup_of(page.layout)
        #: The nodes of all images on the page, sorted.
        self._images = sorted([image.node for image in self._markup.images])
        #: For the elements that are captions their text, and how many images have it.
        self._texts: dict[int, str] = {}
        self._uses: Counter[int] = Counter()

    @cached_property
    def _by_node(self) -> list[tuple[int, int]]:
        """The node of each block with the block's index, sorted."""
        return sorted([(block.node, index) for index, block in enumerate(self._page.layout.blocks)])

    def of(self, image: int) -> str:
        """Return the caption of an image, given its index; empty: it has none, or a long one.

        Cost: a look at some elements around the image.
        """
        node = self._markup.images[image].node
        page, layout = self._page, self._page.layout
        for _ in range(_LEVELS):
            end, is_figure = page.ends[node], layout.steps[node].tag == "figure"
            several = len(indexes_in(self._images, node, end)) > 1
            if node <= 0 or end - node > _LARGEST_FIGURE or (several and not is_figure):
                break
            caption = next((inner for inner in range(node, end) if _is_caption(layout.steps[inner])), None)
            if caption is not None:
                self._uses[caption] += 1
                return self._text(caption) if self._uses[caption] <= _MOST_SHARED else ""
            if is_figure:
                break
            node = layout.parents[node]
        return ""

    def _text(self, caption: int) -> str:
        if caption not in self._texts:
            first = bisect_left(self._by_node, (caption, 0))
            behind = bisect_left(self._by_node, (self._page.ends[caption], 0))
            inside = [index for _, index in self._by_node[first:behind]]
            text = " ".join(self._page.layout.blocks[index].text for index in sorted(inside))
            self._texts[caption] = text if len(text) <= _LONGEST_CAPTION else ""
        return self._texts[caption]


@lru_cache(maxsize=1 << 12)
def _is_caption(step: Step) -> bool:
    return step.tag == "figcaption" or any(map(_CAPTION.search, step.classes))
