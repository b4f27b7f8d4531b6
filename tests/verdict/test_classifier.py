"""The decision whether a page is an article: its weights, its probability, and what other pages say."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from path_pages import words

from scrapy_webstemmer import extract, learn
from scrapy_webstemmer.base.urls import url_shape
from scrapy_webstemmer.values import Page
from scrapy_webstemmer.verdict import classifier
from scrapy_webstemmer.verdict.classifier import (
    DOUBT,
    MOST_ODDS,
    MOST_OF_SITE,
    NO_CONTEXT,
    SIGNS,
    Context,
    PageOdds,
    own_odds,
    probability,
    signs_of,
    usual_signs,
    weights,
)
from scrapy_webstemmer.verdict.evidence import Evidence

#: What speaks for an article, and what speaks against one, whatever sites the weights were fitted on.
FOR = (
    *(
        "slug",
        "og_article",
        "published",
        "post",
        "typed_article",
        "commentable",
        "one_article",
        "body_single",
    ),
    *("text", "paragraphs", "titled", "headed", "in_title", "title_words", "named", "date_line"),
)
AGAINST = (
    *("in_list_folder", "list_page", "front", "og_other", "static", "typed_list", "sold"),
    *("body_static", "body_list", "linked", "under_headline", "below", "below_headline"),
)

_ODDS = st.floats(-MOST_ODDS, MOST_ODDS)
_SHARE = st.floats(0, 1)
_EVIDENCE = st.builds(Evidence, **dict.fromkeys(Evidence._fields, _SHARE))
_CONTEXTS = st.builds(Context, _ODDS, _ODDS, st.floats(-MOST_ODDS, MOST_OF_SITE), st.floats(-2, 0.5))


def test_everything_has_a_weight() -> None:
    """Each piece of evidence and each value of the context has a weight in the file, and nothing else has."""
    path = Path(classifier.__file__).with_name("weights.json")
    document = json.loads(path.read_text(encoding="utf-8"))
    assert {name: [*part] for name, part in document.items()} == {
        "evidence": ["base", *Evidence._fields],
        "context": ["base", "own", *Context._fields],
    }
    assert weights() == (document["evidence"], document["context"])
    assert all(math.isfinite(weight) for part in weights() for weight in part.values())


def test_weights_are_plausible() -> None:
    """What speaks for an article has a positive weight, and what speaks against one has a negative weight."""
    known = weights().evidence
    assert [name for name in FOR if known[name] <= 0] == []
    assert [name for name in AGAINST if known[name] >= 0] == []
    context = weights().context
    assert min(context["own"], context["shape"], context["layout"]) > 0 > context["site"]


def test_no_single_value_decides() -> None:
    """A page with all other evidence of an article is one, whatever a single value says."""
    article = Evidence(**dict.fromkeys(FOR, 1.0))
    for name in AGAINST:
        assert own_odds(article._replace(**{name: 1.0})) > 0
    for name in FOR:
        assert own_odds(article._replace(**{name: 0.0})) > 0


@given(_EVIDENCE, _SHARE, st.sampled_from(Evidence._fields))
def test_own_odds_follow_each_weight(evidence: Evidence, value: float, name: str) -> None:
    """The odds of one page are bounded. More of a value raises or lowers them as its weight says."""
    odds = own_odds(evidence)
    assert -MOST_ODDS <= odds <= MOST_ODDS == 6
    change = own_odds(evidence._replace(**{name: value})) - odds
    direction = (value - getattr(evidence, name)) * weights().evidence[name]
    assert change * direction >= 0


def test_numbers_of_an_edited_file_are_no_error() -> None:
    """However large the odds of a pattern file are, the result is a probability."""
    assert 0 < probability(0.0, Context(shape=-1e300)) < probability(0.0, Context(shape=1e300)) < 1


def test_a_page_is_doubtful_that_lacks_what_its_sites_articles_have() -> None:
    """Signs that more than two thirds of the pages have which look like articles are those of the site."""
    whole, plain = Evidence(dated=1.0, titled=1.0, one_article=1.0), Evidence(dated=1.0)
    evidence = {f"http://example.com/{n}": whole if n else plain for n in range(10)}
    lists = {f"http://example.com/list/{n}": Evidence(linked=0.5) for n in range(10)}
    own = {**dict.fromkeys(evidence, 2.0), **dict.fromkeys(lists, -2.0)}
    odds = PageOdds(own, [[*evidence], [*lists]], {**evidence, **lists})
    assert odds.signs == {"dated": 1.0, "linked": 1.0, "titled": 0.9, "one_article": 0.9}
    assert [odds.context(url).signs for url in evidence] == pytest.approx([(0.5 - 1.4) / 2] + [0.25] * 9)
    assert [odds.context(url).signs for url in lists] == pytest.approx([(0.5 - 2) / 2] * 10)  # 2 at most
    assert probability(2.0, Context(signs=-0.5)) < probability(2.0) < probability(2.0, Context(signs=0.25))
    assert usual_signs([whole, whole, plain]) == {"dated": 1.0, "linked": 1.0}
    on_many = signs_of(plain, odds.signs, 10**9)
    assert signs_of(plain, odds.signs, 10**9, fits=False) == pytest.approx(on_many / 2)


@given(_EVIDENCE, st.dictionaries(st.sampled_from(SIGNS), st.floats(-1e300, 1e300)), st.integers(0, 10**9))
def test_signs_are_bounded(evidence: Evidence, usual: dict[str, float], pages: int) -> None:
    """Whatever a pattern file says, the signs count at most so much."""
    found = signs_of(evidence, usual, pages)
    assert -2 <= found <= 0.5
    assert signs_of(Evidence(**dict.fromkeys(SIGNS, 1.0))._replace(linked=0.0), usual, pages) >= 0


def test_own_odds_are_a_sum() -> None:
    """The odds are the base and the products of values and weights; no evidence gives the base."""
    known = weights().evidence
    assert own_odds(Evidence()) == known["base"]
    evidence = Evidence(slug=0.5, titled=1, below=0.25)
    expected = known["base"] + known["slug"] / 2 + known["titled"] + known["below"] / 4
    assert own_odds(evidence) == pytest.approx(expected)


@given(_ODDS, _CONTEXTS, _ODDS, st.sampled_from(["own", *Context._fields]))
def test_the_probability_follows_each_weight(own: float, context: Context, value: float, name: str) -> None:
    """It is a probability. More of a value raises or lowers it as its weight says."""
    found = probability(own, context)
    assert 0 < found < 1
    before = {"own": own, **context._asdict()}
    after = before | {name: value}
    changed = probability(after.pop("own"), Context(**after))
    assert (changed - found) * (value - before[name]) * weights().context[name] >= 0


def test_what_the_site_says_outweighs_a_doubtful_page() -> None:
    """A doubtful page is what the pages with the same kind of url and layout are."""
    assert probability(0.0, Context(shape=3.0, layout=3.0)) > 0.5
    assert probability(0.0, Context(shape=-3.0, layout=-3.0)) < 0.1
    assert probability(0.0) == probability(0.0, NO_CONTEXT) == probability(0.0, Context(0.0, 0.0, 0.0))


# What the pages of a site say about each other.


def slow_context(own: Mapping[str, float], layouts: Collection[Collection[str]], url: str) -> Context:
    """Return what the other pages say about a page, by a look at each of them."""

    def mean(urls: Collection[str]) -> float:
        others = [own[other] for other in urls if other != url]
        return sum(others) / (len(others) + DOUBT)

    (beside,) = (urls for urls in layouts if url in urls)
    shape = [other for other in own if url_shape(other) == url_shape(url)]
    return Context(mean(shape), mean(beside), min(MOST_OF_SITE, mean([*own])))


@st.composite
def sites(draw: st.DrawFn) -> tuple[dict[str, float], list[list[str]]]:
    """Draw the odds of some pages by url, and the urls of each layout."""
    paths = st.sampled_from(["tag/{}", "2026/11/{}.html", "{}", "news/{}"])
    urls = [f"http://example.com/{draw(paths)}".format(n) for n in range(draw(st.integers(1, 12)))]
    layouts: dict[int, list[str]] = {}
    for url in urls:
        layouts.setdefault(draw(st.integers(0, 2)), []).append(url)
    return {url: draw(_ODDS) for url in urls}, [*layouts.values()]


@given(sites())
def test_the_context_of_a_page_leaves_the_page_out(site: tuple[dict[str, float], list[list[str]]]) -> None:
    """Each page has the means of the other pages, as a look at each of them gives."""
    own, layouts = site
    odds = PageOdds(own, layouts)
    likely = odds.probabilities()
    for url in own:
        expected = slow_context(own, layouts, url)
        assert odds.context(url) == pytest.approx(expected, abs=1e-9)
        assert likely[url] == pytest.approx(probability(own[url], expected), abs=1e-9)


@given(sites(), st.randoms(use_true_random=False))
def test_the_order_of_the_pages_has_no_part(
    site: tuple[dict[str, float], list[list[str]]], chance: object
) -> None:
    """The same pages in another order give exactly the same odds, contexts and probabilities."""
    own, layouts = site
    shuffled = dict(chance.sample([*own.items()], len(own)))  # type: ignore[attr-defined]
    mixed = [chance.sample(urls, len(urls)) for urls in layouts[::-1]]  # type: ignore[attr-defined]
    one, other = PageOdds(own, layouts), PageOdds(shuffled, mixed)
    assert one.probabilities() == other.probabilities()
    assert (one.of_site(), [*one.by_shape().items()]) == (other.of_site(), [*other.by_shape().items()])
    for urls, again in zip(layouts, mixed[::-1], strict=True):
        assert one.of_layout(urls) == other.of_layout(again)


def test_the_mean_of_some_pages() -> None:
    """The mean is taken as if there were two more pages with 0: of few pages it is nearer to 0."""
    urls = [f"http://example.com/{n}" for n in range(4)]

    def mean(*odds: float) -> float:
        own = dict(zip(urls, odds, strict=False))
        return PageOdds(own, [[*own]]).of_layout([*own])

    assert [mean(3.0), mean(3.0, 3.0), mean(3.0, 3.0, 3.0)] == [1.0, 1.5, 1.8]
    assert mean(4.0, -4.0) == 0
    assert mean(3.0, 3.0, 3.0, 1.0) == pytest.approx(10 / 6, abs=0.001)


def test_a_page_alone_has_no_context() -> None:
    """Of a single page nothing else is known. A further page is told what this one is, with doubt."""
    odds = PageOdds({"http://example.com/1": 3.0}, [["http://example.com/1"]])
    assert odds.context("http://example.com/1") == NO_CONTEXT
    assert (odds.of_site(), odds.by_shape()) == (1.0, {"example.com/0": 1.0})


def test_that_all_pages_are_articles_counts_up_to_a_limit() -> None:
    """The mean of the whole site counts at most 2, since its weight is negative."""
    own = {f"http://example.com/{n}": 6.0 for n in range(100)}
    odds = PageOdds(own, [[*own]])
    assert odds.of_site() == MOST_OF_SITE == 2
    assert {odds.context(url).site for url in own} == {2}


def test_odds_by_the_shape_of_addresses() -> None:
    """Pages whose urls look alike have one mean, whatever the odds of each page."""
    own = {
        "http://example.com/tag/a": -3.0,
        "http://example.com/tag/b": -1.0,
        "http://example.com/2026/11/a.html": 4.0,
        "http://example.com/2025/12/b.html": 2.0,
        "http://example.com/": 1.2,
    }
    assert PageOdds(own, [[*own]]).by_shape() == {
        "example.com/*": 0.4,
        "example.com/0/0/*.html": 1.5,
        "example.com/tag/*": -1.0,
    }


def test_the_most_frequent_shapes_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The url shapes with most pages are kept; of equally frequent ones, the first."""
    monkeypatch.setattr(classifier, "_MOST_SHAPES", 2)
    urls = [
        f"http://example.com/{folder}/{n}"
        for folder, count in zip("cab", (1, 1, 2), strict=True)
        for n in range(count)
    ]
    shapes = PageOdds(dict.fromkeys(urls, 1.0), [urls]).by_shape()
    assert [*shapes] == ["example.com/a/0", "example.com/b/0"]


def test_layouts_that_were_joined_have_the_mean_of_all_their_pages() -> None:
    """A pattern of several layouts has the mean of these layouts, each as often as it has pages."""
    own = {"http://example.com/1": 4.0, "http://example.com/2": 4.0, "http://example.com/3": -3.0}
    odds = PageOdds(own, [["http://example.com/1", "http://example.com/2"], ["http://example.com/3"]])
    assert odds.of_layout([*own]) == pytest.approx((2.0 + 2.0 - 1.0) / 3, abs=0.001)


# A site written by hand: all pages have one title element, and all paragraphs are headings.

DAYS = ("November {} 2025", "October {} 2025")


def by_hand(number: int) -> Page:
    """Return an article without a `p` element, or anything that a publishing system writes."""
    day = DAYS[number % 2].format(number % 28 + 1)
    note = f'<h4 class="mb-5">{words(number + 700, 9)}</h4>' if number % 3 else ""
    text = "".join(f'<h4 class="mt-5">{words(number * 7 + n, 45)}</h4>' for n in range(4))
    more = "".join(
        f'<a href="article{(number + n) % 40}.html"><div class="card"><p>{words(number + n, 4)}</p></div></a>'
        for n in range(1, 4)
    )
    body = f"""<html><head><title>The Post of Our School</title></head><body>
        <div class="nav"><a href="news.html">News</a> <a href="sports.html">Sports</a></div>
        <main><h1 class="t">{words(number, 4)}</h1><h4 class="c">{words(number + 300, 2)}</h4>
        <h4 class="d">{day}</h4>{note}{text}
        <h1 class="more">More In News</h1><div class="grid">{more}</div></main>
        </body></html>"""
    return Page(f"http://example.com/article{number}.html", body.encode())


def section(name: str) -> Page:
    """Return a list of that site."""
    cards = "".join(
        f'<a href="article{n}.html"><div class="card"><p>{words(n, 4)}</p></div></a>' for n in range(40)
    )
    body = f"""<html><head><title>The Post of Our School</title></head><body>
        <div class="nav"><a href="news.html">News</a> <a href="sports.html">Sports</a></div>
        <main><h1>{name}</h1><div class="grid">{cards}</div></main></body></html>"""
    return Page(f"http://example.com/{name}.html", body.encode())


@pytest.mark.parametrize("learned", [4, 15, 36])
def test_articles_with_weak_signs_stay_articles(learned: int) -> None:
    """Articles without any usual sign are articles, however many pages of the site are known."""
    pages = [by_hand(n) for n in range(learned)] + [section(name) for name in ("news", "sports", "life")]
    patterns = learn(pages)
    assert all(extract(by_hand(n), patterns) is not None for n in range(30, 46))
    assert extract(section("culture"), patterns) is None


def test_numbered_names_tell_kinds_apart() -> None:
    """Of pages in one folder, those called after one word and a number are of one kind."""
    own = {f"http://example.com/section{n}.html": -3.0 for n in range(8)}
    own |= {f"http://example.com/article-{n}.html": 2.0 for n in range(8)}
    own |= {f"http://example.com/{name}.html": 0.0 for name in ("about", "top-10-of-2025")}
    shapes = PageOdds(own, [[*own]]).by_shape()
    assert shapes == {
        "example.com/*.html": 0.0,
        "example.com/article-0.html": 1.6,
        "example.com/section0.html": -2.4,
    }
