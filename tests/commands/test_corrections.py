"""Corrections of patterns: what they change, that they survive learning, and those without a place."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from news_pages import articles, indexes, story

from scrapy_webstemmer import Article, Page, PatternSet, extract, learn
from scrapy_webstemmer.api import explain
from scrapy_webstemmer.errors import PatternFileError
from scrapy_webstemmer.patterns.corrections import corrected, corrected_again
from scrapy_webstemmer.values import Correction, SitePatterns

HOST, SITE = "news.example.com", "example.com"


def with_part(pages: list[Page]) -> list[Page]:
    """Return pages with a part behind their first paragraph that only a person knows to be no text."""
    found = []
    for page in pages:
        number = int(re.findall(r"\d+", page.url)[-1])
        body = page.body.decode().partition("</p>")
        assert body[1]
        words = story(f"reader.{HOST}", number).paragraphs[0][:120]
        part = f"<div class=box><p>A reader of number {number} thought: {words}</p></div>"
        found.append(replace(page, body=f"{body[0]}</p>{part}{body[2]}".encode()))
    return found


@pytest.fixture(scope="module")
def patterns() -> PatternSet:
    return learn([*with_part(articles(HOST, 40)), *indexes(HOST, 10)])


@pytest.fixture(scope="module")
def others() -> list[Page]:
    return with_part(articles(HOST, 20, first=500))


def box_of(site: SitePatterns) -> str:
    (pattern,) = (one for one in site.patterns if one.kind == "article")
    (path,) = {one.feature for one in pattern.sections if "div.box" in one.feature}
    return path.rpartition("/")[0] if path.endswith("/p") else path


def put_right(site: SitePatterns, *corrections: Correction) -> SitePatterns:
    """Return a site with more corrections; they fit."""
    new = replace(site, corrections=(*site.corrections, *corrections))
    assert corrected(new)[1] == []
    return new


def read(pages: list[Page], patterns: PatternSet) -> list[Article | None]:
    return [extract(page, patterns) for page in pages]


def test_a_part_is_left_out(patterns: PatternSet, others: list[Page]) -> None:
    """It is in each article before, and in none after; "keep" undoes it, and so does taking it back."""
    site = patterns.sites[SITE]
    assert all("A reader of number" in one.text for one in read(others, patterns) if one)
    new = put_right(site, Correction("leave out", box_of(site)))
    found = read(others, PatternSet({SITE: new}))
    assert all(found)
    assert not any("A reader of number" in one.text for one in found if one)
    back = put_right(new, Correction("keep", box_of(site)))
    texts = [one and one.text for one in read(others, PatternSet({SITE: back}))]
    assert texts == [one and one.text for one in read(others, patterns)]
    assert read(others, PatternSet({SITE: replace(new, corrections=())})) == read(others, patterns)


def test_a_part_with_most_of_the_text(patterns: PatternSet, others: list[Page]) -> None:
    """Whatever text stands there, it stays out, although no rule would leave it out."""
    site = patterns.sites[SITE]
    new = put_right(site, Correction("leave out", box_of(site)))
    body = others[0].body.decode().replace("A reader", f"{'A reader of number one. ' * 400} A reader")
    article = extract(replace(others[0], body=body.encode()), PatternSet({SITE: new}))
    assert article is not None
    assert "A reader of number" not in article.text


def test_a_part_is_kept_wherever_it_stands(patterns: PatternSet, others: list[Page]) -> None:
    """A byline, which no rule takes for text, is text then; but not the part of it that is left out."""
    site = patterns.sites[SITE]
    result = explain(others[0], patterns)
    assert result.page
    assert result.layout
    blocks = zip(result.layout.blocks, result.page.placed.places, strict=True)
    index, (block, path) = next(
        (index, one)
        for index, one in enumerate(blocks)
        if index not in result.page.parts.main and one[0].text != result.page.parts.title and one[0].plain
    )
    assert result.article
    assert block.text not in result.article.text.split("\n")
    new = put_right(site, Correction("keep", path))
    article = extract(others[0], PatternSet({SITE: new}))
    assert article
    assert block.text in article.text.split("\n")
    assert {*result.article.text.split("\n")} < {*article.text.split("\n")}
    around = put_right(site, Correction("keep", path.rpartition("/")[0]), Correction("leave out", path))
    article = extract(others[0], PatternSet({SITE: around}))
    assert article
    assert block.text not in article.text.split("\n"), index


def test_titles(patterns: PatternSet, others: list[Page]) -> None:
    """A part is the title, and is it no more."""
    site = patterns.sites[SITE]
    (pattern,) = (one for one in site.patterns if one.kind == "article")
    box = next(one.feature for one in pattern.sections if "div.box" in one.feature)
    new = put_right(site, Correction("title", box))
    assert all(one.title.startswith("A reader") for one in read(others, PatternSet({SITE: new})) if one)
    back = put_right(new, Correction("no title", box))
    assert [one.title for one in read(others, PatternSet({SITE: back})) if one] == [
        one.title for one in read(others, patterns) if one
    ]


def test_layouts(patterns: PatternSet, others: list[Page]) -> None:
    """Pages of a layout are articles or not, as somebody says; a layout can be forgotten."""
    site = patterns.sites[SITE]
    (pattern,) = (one for one in site.patterns if one.kind == "article")
    for what, number in (("no article", 0), ("article", len(others))):
        new = PatternSet({SITE: put_right(site, Correction(what, container=pattern.container))})
        assert sum(one is not None for one in read(others, new)) == number
    new = PatternSet({SITE: put_right(site, Correction("forget", container=pattern.container))})
    used = new.in_use(SITE)
    assert used
    assert pattern.name not in {one.name for one in used.patterns}
    assert pattern.name in {one.name for one in new.sites[SITE].patterns}


def test_they_survive_learning(patterns: PatternSet, others: list[Page]) -> None:
    """Learned from other pages of the site, the part stays out; what has no place is kept, with a warning."""
    site = patterns.sites[SITE]
    out, gone = Correction("leave out", box_of(site), date="2026-11-24"), Correction("title", "body/h9")
    old = replace(site, corrections=(out, gone))
    learned = learn([*with_part(articles(HOST, 40, first=100)), *indexes(HOST, 10)]).sites
    found = corrected_again(learned, {SITE: old})[SITE]
    assert found.corrections == (out, gone)
    assert [
        one.kind for one in found.warnings if one.kind not in {w.kind for w in learned[SITE].warnings}
    ] == ["corrections without a place"]
    assert not any("A reader of number" in one.text for one in read(others, PatternSet({SITE: found})) if one)
    assert corrected_again(learned, {}) == learned


def test_another_container(patterns: PatternSet) -> None:
    """A part is corrected by its path if the layout's text is now looked for in another element."""
    site = patterns.sites[SITE]
    moved = Correction("leave out", box_of(site), "body/main#content/article.report/div.gone")
    new, _ = corrected(put_right(site, moved))
    assert [one.cut for one in new.patterns if one.kind == "article"] == [(box_of(site),)]


@pytest.mark.parametrize(
    "correction",
    [
        Correction("leave out", "body/div.nowhere"),
        Correction("leave out"),
        Correction("leave out", "body"),
        Correction("keep", "body/div.nowhere"),
        Correction("title", "body/div.nowhere"),
        Correction("no title", "body/div.nowhere"),
        Correction("article"),
        Correction("forget"),
        Correction("forget", "body/p", "body"),
        Correction("article", container="body/div.nowhere"),
    ],
)
def test_what_fits_nothing_changes_nothing(correction: Correction, patterns: PatternSet) -> None:
    """It is only kept."""
    site = patterns.sites[SITE]
    given = replace(site, corrections=(correction,))
    assert corrected(given) == (given, [correction])


@pytest.mark.parametrize("name", ["patterns.json", "patterns.sqlite"])
def test_they_are_in_the_pattern_file(
    name: str, tmp_path: Path, patterns: PatternSet, others: list[Page]
) -> None:
    """The file has them beside the patterns as they were learned, so they can be taken out of it again."""
    new = put_right(patterns.sites[SITE], Correction("leave out", box_of(patterns.sites[SITE])))
    PatternSet({SITE: new}).save(tmp_path / name)
    found = PatternSet.load(tmp_path / name)
    assert dict(found.sites) == {SITE: new}
    assert read(others, found) == read(others, PatternSet({SITE: new})) != read(others, patterns)


def test_one_that_does_not_exist(patterns: PatternSet) -> None:
    """Written by hand, it is refused; and so is what only corrections give."""
    new = put_right(patterns.sites[SITE], Correction("leave out", box_of(patterns.sites[SITE])))
    file = io.BytesIO()
    PatternSet({SITE: new}).save(file)
    with pytest.raises(PatternFileError, match="a correction cannot be 'remove'; it is one of leave out, "):
        PatternSet.loads(file.getvalue().replace(b'"leave out"', b'"remove"'))
    assert not any(f'"{name}":'.encode() in file.getvalue() for name in ("cut", "kept", "headline"))
    with pytest.raises(PatternFileError, match="Pattern has no 'cut'"):
        PatternSet.loads(file.getvalue().replace(b'"excluded":', b'"cut": [], "excluded":', 1))


def test_analyze_keeps_them(
    run: Callable[..., Any], workdir: Path, write_zip: Callable[..., Path], patterns: PatternSet
) -> None:
    """`scrapy analyze` takes them from the file that it replaces, and names those without a place."""
    path = workdir / "patterns.json"
    out, gone = Correction("leave out", box_of(patterns.sites[SITE])), Correction("title", "body/h9")
    PatternSet({SITE: replace(patterns.sites[SITE], corrections=(out, gone))}).save(path)
    pages = [*with_part(articles(HOST, 40, first=100)), *indexes(HOST, 10)]
    write_zip("crawl.zip", {page.url: page.body for page in pages})
    done = run("analyze", "crawl.zip", "-o", "patterns.json")
    assert done.status == 0
    assert done.err == f"warning: {SITE}: this correction fits no layout any more: title body/h9\n"
    assert "some corrections fit no layout of these 50 pages" in done.out
    assert PatternSet.load(path).sites[SITE].corrections == (out, gone)
    path.write_bytes(b"damaged")
    done = run("analyze", "crawl.zip", "-o", "patterns.json")
    assert done.status == 0
    assert "corrections in the old pattern file are lost" in done.err


def with_meta(pages: list[Page]) -> list[Page]:
    """Return pages with a line behind the text that names authors, day and topics as no rule would know."""
    found = []
    for page in pages:
        number = int(re.findall(r"\d+", page.url)[-1])
        lines = (
            f"<div class=desk><p>Desk of Ann Lee{'' if number % 2 else ' and Bob Roe'}</p></div>"
            f"<div class=when><p>In print {number % 28 + 1}.5.2014</p></div>"
            f"<div class=about><p>About: seals, {'boats' if number % 2 else 'nets'}</p></div>"
        )
        found.append(replace(page, body=page.body.replace(b"</body>", f"{lines}</body>".encode())))
    return found


def test_fields_are_shown_by_parts() -> None:
    """A person says once what parts show; all pages of the layout give it, also when it is learned anew."""
    known, new = (with_meta(articles(HOST, 40, first=first)) for first in (1, 500))
    learned = learn([*known, *indexes(HOST, 10)])
    site = learned.sites[SITE]
    (pattern,) = (one for one in site.patterns if one.kind == "article")
    path = {
        name: next(one.feature for one in pattern.sections if f"div.{name}" in one.feature)
        for name in ("desk", "when", "about")
    }
    said = (
        Correction("authors", path["desk"]),
        Correction("day", path["when"]),
        Correction("topics", path["about"]),
    )
    fixed = PatternSet({SITE: put_right(site, *said)})
    again = PatternSet(corrected_again(learned.sites, fixed.sites))
    stored = io.BytesIO()
    fixed.save(stored)
    for patterns in (fixed, PatternSet.loads(stored.getvalue()), again):
        for page, found in zip(new, read(new, patterns), strict=True):
            number = int(re.findall(r"\d+", page.url)[-1])
            assert found is not None
            names = ["Ann Lee"] if number % 2 else ["Ann Lee", "Bob Roe"]
            assert [one.name.removeprefix("Desk of ") for one in found.authors] == names
            assert found.date == f"2014-05-{number % 28 + 1:02}"
            assert found.tags == ("seals", "boats" if number % 2 else "nets")
    assert all(one and not one.authors and not one.tags for one in read(new, learned))
