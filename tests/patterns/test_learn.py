"""Learn the patterns of one site from its pages (path layouts)."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from news_pages import TEMPLATES, article, articles, indexes, story, story_url

from scrapy_webstemmer import PatternSet, extract, learn
from scrapy_webstemmer.options import LearnOptions
from scrapy_webstemmer.page.parsing import parse
from scrapy_webstemmer.page.walk import layout_of
from scrapy_webstemmer.patterns import make_patterns
from scrapy_webstemmer.patterns.make_patterns import learn_paths
from scrapy_webstemmer.site import model
from scrapy_webstemmer.values import Page, Pattern, Section, SitePatterns
from scrapy_webstemmer.verdict.classifier import MOST_OF_SITE

HOST = "press.example"


def learned(pages: Iterable[Page], **options: Any) -> SitePatterns:
    ordered = sorted(pages, key=lambda page: page.url)
    layouts = [layout_of(page.url, parse(page)) for page in ordered]
    return learn_paths(HOST, layouts, {}, LearnOptions(**options)).site


def by_kind(site: SitePatterns) -> list[tuple[str, int]]:
    """Return the kind and the number of pages of each pattern, in alphabetical order."""
    return sorted((pattern.kind, pattern.pages) for pattern in site.patterns)


def odd(name: str) -> Page:
    """Return a page with a layout of its own."""
    html = f"<body><form id={name}>How {name} pages<br>are made</form></body>"
    return Page(f"http://{HOST}/{name}.html", html.encode())


def listing(number: int) -> Page:
    """Return a list in the template of the articles: linked headlines, each with the start of a text."""
    entry = '<h2><a href="/story/{0}.html">{1}</a></h2><p>{2}</p>'
    first = 5 * number
    told = {n: story(HOST, n) for n in range(first, first + 5)}
    entries = "".join(entry.format(n, one.title, one.paragraphs[0][:90]) for n, one in told.items())
    body = re.sub(
        rb'<h1 class="headline">.*?</h1>(.*?<div class="report-text">).*?</div>',
        lambda m: m.group(1) + entries.encode() + b"</div>",
        article(HOST, number).body,
        flags=re.DOTALL,
    )
    return Page(f"http://{HOST}/tag/{number}.html", body.replace(b"<title>", b"<title>Tag: "), "utf-8")


def test_one_template_is_one_pattern() -> None:
    """Pages of one template form a cluster. Its pattern says where title and text stand."""
    site = learned(articles(HOST, 12))
    (pattern,) = site.patterns
    assert (site.site, site.layout, site.pages, site.clusters) == (HOST, "paths", 12, 1)
    assert (pattern.kind, pattern.pages) == ("article", 12)
    assert pattern.container == "body/main#content/article.report/div.report-text"
    assert pattern.titles[0] == "body/main#content/article.report/h1.headline"
    assert pattern.sections[pattern.title or 0].feature == pattern.titles[0]
    assert site.suffixes == (f" - {HOST}",)
    assert site.boilerplate["body/div.press-foot/p"] == ("printed on recycled paper.",)
    assert site.unused == ()


def test_sections_are_scored() -> None:
    """The text varies and has the largest MainScore. Text that all pages have scores 0."""
    (pattern,) = learned(articles(HOST, 12)).patterns
    sections = {section.feature: section for section in pattern.sections}
    text = sections["body/main#content/article.report/div.report-text/p"]
    foot = sections["body/div.press-foot/p"]
    assert text == max(pattern.sections, key=lambda section: section.main_score)
    assert text.diff_score > 0.5
    assert (foot.diff_score, foot.main_score) == (0.0, 0.0)
    assert list(sections) == sorted(
        sections, key=lambda path: ["menu", "headline", "text", "more", "foot"].index(_part(path))
    )


def _part(path: str) -> str:
    return next(part for part in ("menu", "headline", "text", "more", "foot") if part in path)


def test_profile_is_a_share_of_the_text() -> None:
    """The profile's shares are those of a typical page: they add up to 1."""
    (pattern,) = learned(articles(HOST, 12)).patterns
    assert sum(pattern.profile.values()) == pytest.approx(1, abs=0.01)
    assert max(pattern.profile, key=lambda path: pattern.profile[path]) == pattern.container


def test_names_are_urls_of_typical_pages() -> None:
    """Every pattern has the name of a page of its own, and shows that page's title."""
    pages = [page for i, name in enumerate(TEMPLATES) for page in articles(HOST, 8, name, 20 * i + 1)]
    site = learned(pages)
    names = [pattern.name for pattern in site.patterns]
    assert len(set(names)) == 3
    titles = {story_url(HOST, number): story(HOST, number).title for number in range(1, 60)}
    for pattern in site.patterns:
        assert pattern.sample_url == pattern.name
        assert pattern.sample_title == titles[pattern.name]


def test_redesigns_are_patterns_of_their_own() -> None:
    """Pages of several redesigns give a pattern for each design, with its own container."""
    pages = [page for i, name in enumerate(TEMPLATES) for page in articles(HOST, 4 + i, name, 20 * i + 1)]
    site = learned(pages)
    assert site.clusters == 3
    assert by_kind(site) == [("article", 4), ("article", 5), ("article", 6)]
    assert {pattern.container.rpartition("/")[2] for pattern in site.patterns} == {
        "div.report-text",
        "div.entry",
        "div.told",
    }


def test_patterns_are_sorted_by_score() -> None:
    """The best score comes first, not the largest cluster. A cluster of one page scores 0."""
    site = learned([*articles(HOST, 4, "blog"), article(HOST, 40, "bulletin"), *indexes(HOST, 9)])
    assert [pattern.pages for pattern in site.patterns] == [4, 9, 1]
    scores = [pattern.score for pattern in site.patterns]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] == 0.0


def test_indexes_are_told_from_articles() -> None:
    """Pages that lead to others give index patterns, by their own evidence."""
    site = learned([*articles(HOST, 24), *indexes(HOST, 8)])
    assert by_kind(site) == [("article", 24), ("index", 8)]
    odds = {pattern.kind: pattern.odds for pattern in site.patterns}
    assert odds["article"] > 1 > -1 > odds["index"]


@pytest.mark.parametrize(("of_articles", "of_indexes"), [(1, 1), (3, 2), (20, 8)])
def test_indexes_are_told_on_small_sites_as_well(of_articles: int, of_indexes: int) -> None:
    """Pages show what they are even on the smallest site. With fewer pages, the odds are nearer to 0."""
    site = learned([*articles(HOST, of_articles), *indexes(HOST, of_indexes)])
    assert by_kind(site) == [("article", of_articles), ("index", of_indexes)]
    large = learned([*articles(HOST, 24), *indexes(HOST, 8)])
    sure = {pattern.kind: abs(pattern.odds) for pattern in large.patterns}
    assert all(abs(pattern.odds) <= sure[pattern.kind] for pattern in site.patterns)


def test_a_site_of_indexes_keeps_patterns_of_articles() -> None:
    """If all pages look like index pages, one pattern still has the kind of articles."""
    assert "article" in {pattern.kind for pattern in learned(indexes(HOST, 40)).patterns}


def test_what_addresses_look_like_is_evidence() -> None:
    """The mean odds of the pages are kept for each shape of urls."""
    site = learned([*articles(HOST, 24), *indexes(HOST, 8)])
    assert set(site.shapes) == {f"{HOST}/story/0.html", f"{HOST}/archive/0.html"}
    assert site.shapes[f"{HOST}/story/0.html"] > 1 > -1 > site.shapes[f"{HOST}/archive/0.html"]


def test_odd_pages_are_evidence() -> None:
    """Pages without a pattern count for the odds of their urls, and for those of the site."""
    site = learned([*articles(HOST, 28), odd("imprint"), odd("search")])
    assert by_kind(site) == [("article", 28)]
    assert site.shapes[f"{HOST}/*.html"] < 0
    lists = learned([*articles(HOST, 5), *indexes(HOST, 20)])
    assert lists.odds < 0 < site.odds <= MOST_OF_SITE


def test_articles_and_lists_of_one_template_are_apart() -> None:
    """If articles and lists share a layout, each kind gets a pattern. Both have the odds of the layout."""

    def setting(number: int) -> Page:
        return article(HOST, number) if number <= 20 else listing(number)

    site = learned(map(setting, range(1, 31)))
    assert site.clusters == 1
    assert by_kind(site) == [("article", 20), ("index", 10)]
    assert len({pattern.odds for pattern in site.patterns}) == 1
    kinds = {pattern.kind: pattern for pattern in site.patterns}
    assert kinds["article"].titles[0].endswith("/h1.headline")
    assert kinds["index"].titles[:1] != kinds["article"].titles[:1]
    assert site.shapes[f"{HOST}/story/0.html"] > 1 > -1 > site.shapes[f"{HOST}/tag/0.html"]


@pytest.mark.parametrize(("of_articles", "of_lists"), [(3, 3), (3, 9), (9, 3)])
def test_three_of_both_are_enough(of_articles: int, of_lists: int) -> None:
    """Three articles among lists of their layout are learned apart, and so are three lists among articles."""
    site = learned([*articles(HOST, of_articles), *map(listing, range(20, 20 + of_lists))])
    assert by_kind(site) == [("article", of_articles), ("index", of_lists)]


@pytest.mark.parametrize(("of_articles", "of_lists"), [(10, 2), (2, 10), (10, 0), (0, 10), (1, 0)])
def test_a_few_of_a_kind_stay_with_the_others(of_articles: int, of_lists: int) -> None:
    """With fewer, a layout has one pattern. Its odds tell of what kind most of its pages are."""
    site = learned([*articles(HOST, of_articles), *map(listing, range(20, 20 + of_lists))])
    (pattern,) = site.patterns
    assert pattern.pages == of_articles + of_lists
    assert pattern.odds > 0 if of_articles > of_lists else pattern.odds < 0


def test_if_no_layout_is_of_articles_the_one_most_like_them_is() -> None:
    """On a site of lists the pattern with the highest odds counts as one of articles. Its odds stay."""
    site = learned([*map(listing, range(20, 23)), *indexes(HOST, 12)])
    assert [pattern.kind for pattern in site.patterns].count("article") == 1
    best = max(site.patterns, key=lambda pattern: pattern.odds)
    assert best.kind == "article"
    assert best.odds < 0


@pytest.mark.parametrize("samples", [12, 150])
def test_kinds_do_not_depend_on_the_sample(samples: int) -> None:
    """Each page is judged, not only those that are looked at closely."""
    site = learned([*articles(HOST, 30), *map(listing, range(40, 60))], samples=samples)
    assert by_kind(site) == [("article", 30), ("index", 20)]


def test_anchors_that_lead_to_many_pages_are_no_names() -> None:
    """A text under which three pages are linked to ("Read more") names none. Two pages may share a name."""
    pages = [
        Page(
            page.url,
            re.sub(rb"<title>.*?</title>", b"", page.body).replace(
                b'<div class="report-text">',
                b'<div class="call">Read on %d</div><div class="report-text">' % n,
            ),
            "utf-8",
        )
        for n, page in enumerate(articles(HOST, 8), 1)
    ]
    layouts = [layout_of(page.url, parse(page)) for page in pages]
    headline = "body/main#content/article.report/h1.headline"
    call = "body/main#content/article.report/div.call"

    def best(anchors: dict[str, set[str]]) -> str:
        (pattern,) = learn_paths(HOST, layouts, anchors, LearnOptions()).site.patterns
        return pattern.titles[0]

    urls = [story_url(HOST, n) for n in range(1, 9)]
    assert best({url: {"Read on 5"} for url in urls}) == headline
    assert best({url: {f"Read on {n}"} for n, url in enumerate(urls, 1)}) == call
    assert best({url: {f"Read on {n // 2}"} for n, url in enumerate(urls, 1)}) == call


@pytest.mark.parametrize(("pages", "kept"), [(29, True), (30, False)])
def test_odd_pages_of_large_sites_are_unused(pages: int, kept: bool) -> None:
    """On a small site every page counts. On a large one, a layout of one or two pages gives no pattern."""
    site = learned([*articles(HOST, pages - 2), odd("imprint"), odd("search")])
    assert (min(pattern.pages for pattern in site.patterns) == 2) is kept
    assert [(left.pages, left.sample_url) for left in site.unused] == (
        [] if kept else [(2, f"http://{HOST}/imprint.html")]
    )


def test_a_large_site_of_odd_pages_keeps_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no layout has enough pages, small clusters give patterns."""
    monkeypatch.setattr(make_patterns, "ENOUGH_PAGES", 3)
    monkeypatch.setattr(model, "_VOCABULARY_PAGES", 1)
    site = learned([odd(f"page{chr(97 + number)}") for number in range(6)])
    assert site.clusters > 2
    assert len(site.patterns) == site.clusters


@pytest.mark.parametrize("samples", [1, 2, 5])
def test_samples_bound_what_sections_are_learned_from(samples: int) -> None:
    """With samples, sections come from some of a cluster's pages. The pattern still counts all its pages."""
    pages = [*articles(HOST, 8)]
    names = sorted(pages, key=lambda page: hashlib.sha256(page.url.encode()).digest())
    odd = pages.index(names[-1])
    pages[odd] = Page(pages[odd].url, pages[odd].body.replace(b"recycled", b"waste"), "utf-8")
    (whole,) = learned(pages).patterns
    (sampled,) = learned(pages, samples=samples).patterns
    assert sampled.pages == whole.pages == 8
    assert _foot(whole).diff_score > 0
    assert _foot(sampled).diff_score == (1.0 if samples == 1 else 0.0)


def _foot(pattern: Pattern) -> Section:
    return next(section for section in pattern.sections if section.feature == "body/div.press-foot/p")


def test_attribute_values_of_one_page_are_no_vocabulary() -> None:
    """An attribute value on a single page is not part of the site's vocabulary."""
    pages = [
        Page(page.url, page.body.replace(b"<p>", f'<p id="p{n}" class="v{n}">'.encode()), "utf-8")
        for n, page in enumerate(articles(HOST, 6))
    ]
    site = learned(pages)
    assert not [value for value in site.vocabulary if value.startswith("p")]
    assert site.vocabulary["div.report-text"] == 6


@pytest.mark.parametrize("count", [1, 2, 3])
def test_very_small_sites(count: int) -> None:
    """One page is enough for a pattern."""
    site = learned(articles(HOST, count))
    assert by_kind(site) == [("article", count)]
    assert site.patterns[0].titles


def test_anchors_tell_the_title() -> None:
    """If the title element does not help, the anchor texts show where the title stands."""
    pages = [
        Page(page.url, page.body.replace(story(HOST, n).title.encode(), b"News", 1), "utf-8")
        for n, page in enumerate(articles(HOST, 8), 1)
    ]
    layouts = [layout_of(page.url, parse(page)) for page in pages]
    anchors = {story_url(HOST, n): {story(HOST, n).title} for n in range(1, 9)}
    (pattern,) = learn_paths(HOST, layouts, anchors, LearnOptions()).site.patterns
    assert pattern.titles[0] == "body/main#content/article.report/h1.headline"
    assert layouts[0].title_element == f"News - {HOST}"


def test_a_layout_without_title(monkeypatch: pytest.MonkeyPatch) -> None:
    """A place is not the title's if its text is too unlike the names of the pages."""
    assert learned(articles(HOST, 8)).patterns[0].titles
    monkeypatch.setattr("scrapy_webstemmer.site.titles._LEAST_LIKENESS", 2.0)
    monkeypatch.setattr("scrapy_webstemmer.site.titles._COLUMN_PAGES", 2.0)
    (pattern,) = learned(articles(HOST, 8)).patterns
    assert (pattern.title, pattern.titles) == (None, ())


def test_clusters_with_one_container_are_one_pattern() -> None:
    """On a large site an author's own markup does not give a pattern of its own; on a small one it does."""

    def page(number: int) -> Page:
        one = article(HOST, number)
        wrapped = b'<div class="report-text"><section>%s</section></div>'
        body = re.sub(
            rb'<div class="report-text">(.*?)</div>',
            lambda m: wrapped % m.group(1),
            one.body,
            flags=re.DOTALL,
        )
        assert body != one.body
        return one if number % 3 else replace(one, body=body)

    large, small = (learned(map(page, range(1, count))) for count in (41, 25))
    assert (large.clusters, by_kind(large)) == (2, [("article", 40)])
    assert any(feature.endswith("/*") for feature in large.patterns[0].profile)
    assert by_kind(small) == [("article", 8), ("article", 16)]


@pytest.mark.parametrize(
    "url", ["", "news/1.html", "/news/1.html", "//host.example/1", "?p=1", "#a", "http:///a"]
)
def test_pages_without_a_whole_url(url: str, caplog: pytest.LogCaptureFixture) -> None:
    """Each is named in the log, and counted; what is learned of other sites is the same without it."""
    pages = [*articles("news.example.com", 12), *indexes("news.example.com", 4)]
    learned = learn([*pages, replace(pages[0], url=url)])
    assert f"page skipped: {url or '(no url)'}: its url is not a whole one" in caplog.text
    sites = dict(learned.sites)
    bad = sites.pop("") if "" in sites else sites["host.example"]
    assert [(one.reason, one.pages, one.sample_url) for one in bad.unused] == [("could not be read", 1, url)]
    assert not bad.patterns
    assert sites["example.com"] == learn(pages).sites["example.com"]


def test_what_a_template_fills_in_is_learned_and_left_out() -> None:
    """A byline at the head of the text goes; a pattern file keeps the words around the name."""

    def page(number: int) -> Page:
        signed = f'<div class="report-text"><p>Posted by {story(HOST, number + 50).title[:30]}</p>'.encode()
        plain = article(HOST, number)
        return replace(plain, body=plain.body.replace(b'<div class="report-text">', signed))

    patterns = learn([page(number) for number in range(12)])
    (pattern,) = patterns.sites[HOST].patterns
    assert [frame[1:] for frame in pattern.frames] == [("posted by", "")]
    assert (
        extract(page(20), PatternSet.loads(_saved(patterns))).text
        == extract(article(HOST, 20), patterns).text
    )
    assert "Posted by" in extract(page(20), learn([page(number) for number in range(8)])).text


def test_questions_that_recur_are_the_authors_and_no_frames() -> None:
    """All interviews of a site begin with the same question, and it stays."""
    questions = "Where did you grow up?", "What do you read?", "Who taught you?"
    pages = []
    for number in range(24):
        told = story(HOST, number)
        talk = "".join(map("<p>{}</p><p>{}</p>".format, questions, told.paragraphs))
        html = f"<title>{told.title}</title><h1>{told.title}</h1><div class=body>{talk}</div><p>Copyright</p>"
        pages.append(Page(f"http://{HOST}/talk/{number}.html", html.encode(), "utf-8"))
    (pattern,) = learned(pages).patterns
    assert pattern.container == "body/div.body"
    assert not {*map(str.casefold, questions)}.intersection(
        text for frame in pattern.frames for text in frame
    )


def _saved(patterns: PatternSet) -> bytes:
    stream = io.BytesIO()
    patterns.save(stream)
    return stream.getvalue()
