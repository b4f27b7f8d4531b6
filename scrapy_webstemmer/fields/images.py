"""Choose the images of a page that belong to its article, with their captions (path layouts)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import unescape

from ..page.markup import Base, attributes_of, markup_of, name_of
from ..page.tags import TEXT_TAGS, loads_later
from ..site.excluded import part_by_path
from ..site.paths import last_step, tag_of
from ..site.placed import PlacedLayout
from ..site.subtrees import any_in, indexes_in, sum_in
from ..values import ArticleImage, Pattern, Step
from .image_sources import absolute, image_source

#: The class of an element about an author or a reader, or of one that calls to do something. WordPress names
#: the author of a post in the post's class, and Elementor any box with a picture so.
_ASIDE = re.compile(
    r"(?:^|[-_])(?:byline|avatars?|bio|contributors?|reviewers?|reactions?|(?<!elementor-)cta"
    r"|authors?(?=$|[-_]+(?:image|avatar|photo|pic|box|bio|info|wrap|block|byline)))(?:[-_]|$)",
    re.IGNORECASE,
)
_WEB = ("http://", "https://")
_PICTURE = re.compile(r"\.(?:avif|gif|jpe?g|png|webp)(?:[?#&]|$)", re.IGNORECASE)


def article_images(page: PlacedLayout, pattern: Pattern, main: Sequence[int], title: str = "") -> list[int]:
    """Return the indexes of the images between blocks that belong to the main text.

    They stand in the element that holds all main text, or lead to it. They do not stand in an
    excluded part, in a list of teasers, or beside text that was left out, like a
    portrait by a byline. An image with a link to something other than a picture counts
    only in a paragraph or figure: elsewhere it is a button or an advertisement.

    A gallery is a list like one of teasers, but its entries have no links except to pictures.

    :param title: the path of the title; empty: the page shows none.
    """
    markup = page.layout.markup
    if markup is None or not markup.images or not main:
        return []
    holder, excluded = _holder(page, main), part_by_path(pattern.excluded)
    inside = range(holder, page.ends[holder])
    leads = _leads(page, main, title, inside)
    linked = sorted([image.node for image in markup.images if _is_picture(image.link)])
    images = [
        (index, image.node)
        for index, image in enumerate(markup.images)
        if (image.node in inside or index in leads)
        and (not page.repeated[image.node] or _is_in_gallery(page, image.node, linked))
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


def _leads(page: PlacedLayout, main: Sequence[int], title: str, inside: range) -> set[int]:
    """Return the images between title and text: large ones that are no buttons, in no link to another page.

    In an ``article`` that holds both, they may stand above the title, too.

    :param title: the path of the title.
    :param inside: the element of the text, whose images count in any case.
    """
    markup, blocks = markup_of(page.layout), page.layout.blocks
    above = page.places.index(title) if title in page.places else main[0]
    if above >= main[0]:
        return set()
    outer = blocks[main[0]].node
    while not outer <= blocks[above].node < page.ends[outer]:
        outer = page.layout.parents[outer]
    first, base = -1 if page.layout.steps[outer].tag == "article" else above, Base(markup)
    return {
        index
        for index, image in enumerate(markup.images)
        if first < image.before <= main[0]
        and image.node not in inside
        and outer <= image.node < page.ends[outer]
        and (image.link is None or _is_picture(image.link))
        and _may_be_main(*image_source(markup.pieces, image.piece, base))
    }


def _has_caption_alone(page: PlacedLayout, node: int, texts: Sequence[int]) -> bool:
    """Return whether the only text in an element around an image is its caption."""
    steps, end = page.layout.steps, page.ends[node]
    if end - node > _LARGEST_FIGURE:
        return False
    caption = next((inner for inner in range(node, end) if _is_caption(steps[inner])), None)
    inside = indexes_in(texts, node, end)
    return caption is not None and len(inside) == len(indexes_in(texts, caption, page.ends[caption]))


def _is_beside(page: PlacedLayout, node: int, mains: Sequence[int]) -> bool:
    """Return whether an image stands beside words that were left out, as a portrait or a call to buy does."""
    for _ in range(_LEVELS):
        if any_in(mains, node, page.ends[node]):
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


def _is_in_gallery(page: PlacedLayout, node: int, linked: Sequence[int]) -> bool:
    """Return whether all links of the repeated record in which a node stands lead to pictures.

    :param linked: the nodes of the images that link to pictures, sorted.
    """
    while page.repeated[page.layout.parents[node]]:
        node = page.layout.parents[node]
    return 0 < len(indexes_in(linked, node, page.ends[node])) == sum_in(page.columns.links, page.ends, node)


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
        if _may_be_main(url, attributes_of(markup.pieces[markup.images[index].piece])):
            return url
    return ""


def _may_be_main(url: str, image: Mapping[str, str]) -> bool:
    """Return whether a picture may stand for an article: it is not known to be small, or to decorate.

    :param image: the attributes of its element.
    """
    sides = [side for name in ("width", "height") if (side := image.get(name, "")).isdecimal()]
    is_large = all(int(side) >= _LEAST_SIDE for side in sides)
    return is_large and bool(_PICTURE.search(url)) and not _DECORATES.search(url)


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
    captions = _captions(page, tags)
    alts: dict[str, tuple[str, str | None]] = {}
    for source, alt in _IMAGE.findall(html):
        alts.setdefault(unescape(source), (unescape(alt), captions.get(source)))
    return tuple(ArticleImage(url, alt or None, caption or None) for url, (alt, caption) in alts.items())


def _captions(page: PlacedLayout, tags: Mapping[int, str]) -> dict[str, str]:
    """Return the captions of images by their urls: each a ``figcaption``, or what has the class of one.

    Cost: a look at some elements around each image, and at each block.
    """
    images = markup_of(page.layout).images
    nodes = sorted([image.node for image in images])
    elements, uses = dict[str, int](), Counter[int]()
    for index, tag in tags.items():
        caption = _caption_of(page, images[index].node, nodes)
        uses[caption] += 1
        if caption and uses[caption] <= _MOST_SHARED:
            elements.setdefault(tag.split('"', 2)[1], caption)
    captions, lines = sorted({*elements.values()}), defaultdict[int, list[str]](list)
    for block in page.layout.blocks if captions else ():
        caption = captions[bisect_right(captions, block.node) - 1]
        if caption <= block.node < page.ends[caption]:
            lines[caption].append(block.text)
    texts = {url: " ".join(lines[caption]) for url, caption in elements.items()}
    return {url: text for url, text in texts.items() if len(text) <= _LONGEST_CAPTION}


def _caption_of(page: PlacedLayout, node: int, images: Sequence[int]) -> int:
    """Return the element with the caption of an image; 0: it has none.

    Only a ``figure`` may have one caption for several images.

    :param images: the nodes of all images on the page, sorted.
    """
    steps, ends = page.layout.steps, page.ends
    for _ in range(_LEVELS):
        end, is_figure = ends[node], steps[node].tag == "figure"
        several = len(indexes_in(images, node, end)) > 1
        if node <= 0 or end - node > _LARGEST_FIGURE or (several and not is_figure):
            break
        caption = next((inner for inner in range(node, end) if _is_caption(steps[inner])), 0)
        if caption or is_figure:
            return caption
        node = page.layout.parents[node]
    return 0


@lru_cache(maxsize=1 << 12)
def _is_caption(step: Step) -> bool:
    return step.tag == "figcaption" or any(map(_CAPTION.search, step.classes))
