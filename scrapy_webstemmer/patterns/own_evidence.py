"""Read a page by its own evidence: alone, or added to its pattern if few pages of its template are known.

One page of a template shows little: neither which parts of a page are boilerplate, nor at what depth the
main text stands. The page to be read then shows the rest, by the same rules, as a cluster of one page.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from ..base.urls import link_key
from ..site.boilerplate import bare_keys
from ..site.comment_places import with_comments_marked
from ..site.excluded import find_excluded_on
from ..site.main_text import container_on
from ..site.model import HANDFUL, MOST_SINGLE, SiteModel
from ..site.paths import ByPath, Paths, is_bare, is_under
from ..site.placed import PlacedLayout
from ..site.running_texts import author_texts, with_author_texts
from ..site.vocabulary import learn_vocabulary
from ..values import SitePatterns
from .clusters import Template
from .make_patterns import pattern_of
from .match import Match
from .sections import find_container

#: A page that is less like its pattern than this is read by its own evidence, and so is any page of a pattern
#: of one page, if no more than a handful of the site's pages are known.
UNLIKE = 0.4
#: If at most this share of a page's text is new, it is the page that was learned, under another url.
_NEW_SHARE = 0.1
#: A page's own evidence finds its title, and no learned place, if the pattern's pages times the site's are at
#: most this: the pattern's pages teach the place, and the site's what it adds to titles. Measured on 117
#: sites: places of two of five pages give 90 % of the titles, and the evidence 99 %; of two of twelve, 100
#: and 97 %.
_FEW_PAGES = 16


def blended(
    page: PlacedLayout, match: Match, site: SitePatterns, model: SiteModel
) -> tuple[PlacedLayout, Match]:
    """Return a page and its match, with the page's own evidence added, on a site with few known pages."""
    pattern = match.pattern
    is_corrected = any(correction.what in ("title", "no title") for correction in site.corrections)
    if pattern.pages * site.pages <= _FEW_PAGES and not is_corrected:
        pattern = replace(pattern, titles=())
        match = match._replace(pattern=pattern)
    if match.share >= UNLIKE and (pattern.pages > 1 or site.pages > HANDFUL):
        return page, with_own_exclusions(page, match)
    page, alone = match_itself(beside_others(page, site, model), model)
    as_known = replace(
        alone.pattern,
        name=pattern.name,
        pages=pattern.pages,
        titles=pattern.titles,
        headline=pattern.headline,
        places=pattern.places,
    )
    return page, match._replace(pattern=as_known)


def beside_others(page: PlacedLayout, site: SitePatterns, model: SiteModel) -> PlacedLayout:
    """Return a page that is like no pattern with all text marked as boilerplate that its site has elsewhere.

    Its paths are not those of the learned pages, so what is boilerplate at their paths is not found at its
    own: it may be of another design, or have an element more around all. If few pages are known, all text
    counts that one of them has, too, unless this is nearly all text: then it is a learned page under another
    url. A learned page is returned unchanged.
    """
    if any(link_key(page.url) == link_key(pattern.sample_url) for pattern in site.patterns):
        return page
    blocks, learned = page.layout.blocks, model.boilerplate
    if site.pages > MOST_SINGLE:
        flags = learned.among_any(page.layout, page.title, _places_on_articles(site))
        # menus and lists of other pages have the page's title, too
        heads = {block.node for block in blocks if page.layout.steps[block.node].tag == "h1"}
        head = heads.pop() if len(heads) == 1 else -1
        titles = [block.node == head or page.names_page(block.text) for block in blocks]
        known = (flag and not is_title for flag, is_title in zip(flags, titles, strict=True))
        return replace(page, boilerplate=_either(known, page.boilerplate))
    # with the learned pages' texts, by paths without ids and classes
    *flags, same_title = [
        text in learned.texts.get(path, ()) for path, text in bare_keys(page.layout, page.paths)
    ]
    marked = _either(flags, page.boilerplate)
    new = sum(block.plain for block, flag in zip(blocks, marked, strict=True) if not flag)
    same_page = new <= _NEW_SHARE * sum(block.plain for block in blocks)
    return page if same_page else replace(page, boilerplate=marked, title="" if same_title else page.title)


def _either(flags: Iterable[bool], others: Sequence[int]) -> bytes:
    """Return for each block whether one of two flags is set."""
    return bytes([flag or bool(other) for flag, other in zip(flags, others, strict=True)])


def _places_on_articles(site: SitePatterns) -> list[str]:
    """Return the places where articles of a site have text. Those of lists also repeat what articles say."""
    articles = [pattern for pattern in site.patterns if pattern.kind == "article"]
    return [section.feature for pattern in articles for section in pattern.sections]


def with_own_names(page: PlacedLayout, model: SiteModel) -> PlacedLayout:
    """Return a page whose own attribute values count, too, with the boilerplate and the title that it has.

    Without their names, the columns of a page look like records: all of them are bare elements.
    """
    vocabulary = {**learn_vocabulary([page.layout], 1), **model.vocabulary}
    model = replace(model, vocabulary=vocabulary, paths=Paths(vocabulary))
    return replace(model.place(page.layout), boilerplate=page.boilerplate, title=page.title)


def match_itself(page: PlacedLayout, model: SiteModel) -> tuple[PlacedLayout, Match]:
    """Return a page, and its match with the pattern that the page alone gives.

    The pattern has no name and 0 pages, and the match has the share 0. The page's own
    attribute values are added to the site's vocabulary. The site's boilerplate and
    affixes count as always. Cost: some passes over the nodes.
    """
    page = with_comments_marked([with_own_names(page, model)])[0]
    container = find_container([page])
    pages = with_author_texts([page], author_texts([page], container))
    pattern = pattern_of(Template(pages, container))
    page = pages[0]
    return page, Match(replace(pattern, name="", pages=0), 0.0)


def by_own_text(page: PlacedLayout, match: Match, model: SiteModel) -> tuple[PlacedLayout, Match]:
    """Return a page and its match as :func:`match_itself` gives them, with all text in the container as new.

    For a page that its pattern reads badly: a few others may have the same text, and it is the page's all the
    same. What is learned about its fields stays.
    """
    pattern, blocks = match.pattern, page.layout.blocks
    node = container_on(page, pattern.container)
    if node is not None:
        inside, flags = range(node, page.ends[node]), page.boilerplate
        known = [flag and block.node not in inside for flag, block in zip(flags, blocks, strict=True)]
        page = replace(page, boilerplate=bytes(known))
    page, alone = match_itself(page, model)
    return page, alone._replace(pattern=replace(alone.pattern, name=pattern.name, places=pattern.places))


def with_own_exclusions(page: PlacedLayout, match: Match) -> Match:
    """Return a match that also excludes parts that are boilerplate by the page's own evidence.

    Such a part has an id or class of the template, and is not in a section of the
    pattern: about sections the pattern knows more than one page does.
    """
    pattern = match.pattern
    news = _news_beside(tuple([section.feature for section in pattern.sections]), pattern.container)
    new = find_excluded_on(page, pattern.container, news.__getitem__)
    return match._replace(pattern=replace(pattern, excluded=(*pattern.excluded, *new))) if new else match


@lru_cache(maxsize=64)
def _news_beside(features: tuple[str, ...], container: str) -> Mapping[str, bool]:
    """Return for each path, whether it is in the container, has a name, and is not one of a pattern's.

    The answers are kept from page to page.
    """
    ordered = sorted([f"{feature}/" for feature in features])  # what is around them may have endless steps

    def is_new(path: str) -> bool:
        if is_bare(path) or not is_under(path, container):
            return False
        inner = f"{path}/"
        at = bisect_left(ordered, inner)
        return at == len(ordered) or not ordered[at].startswith(inner)

    return ByPath(is_new)
