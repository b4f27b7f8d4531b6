"""Learn patterns from pages, and extract the article of a page."""

from __future__ import annotations

import math
import os
import pickle
import random
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import permutations
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from news_pages import Story, article, articles, index, indexes, story, story_url

from scrapy_webstemmer.api import explain, extract, learn
from scrapy_webstemmer.base.urls import url_shape
from scrapy_webstemmer.errors import PageError, WebstemmerError
from scrapy_webstemmer.options import ExtractOptions, LearnOptions, UrlRule
from scrapy_webstemmer.page.parsing import parse
from scrapy_webstemmer.pattern_files.pattern_file import PatternSet
from scrapy_webstemmer.values import Page
from scrapy_webstemmer.verdict.classifier import own_odds, probability

HOST = "press.example"
#: Three sites, and the template of each.
HOSTS = {"press.example": "press", "blog.example.org": "blog", "bulletin.example.co.uk": "bulletin"}
CLASSIC, PATHS = LearnOptions.classic(min_score=-1), LearnOptions()


def site_pages(host: str) -> list[Page]:
    template = HOSTS[host]
    return [*articles(host, 24, template), *indexes(host, 8, template)]


def linkinfo_of(*hosts: str) -> dict[str, dict[str, int]]:
    return {
        story_url(host, n): {story(host, n).title: 2, "Read more": 5} for host in hosts for n in range(1, 25)
    }


def saved(patterns: PatternSet, path: Path) -> bytes:
    patterns.save(path)
    return path.read_bytes()


def unused(patterns: PatternSet, site: str = HOST) -> list[tuple[str, int, str]]:
    return [tuple(left) for left in patterns.sites[site].unused]  # type: ignore[misc]


@pytest.fixture(scope="module")
def patterns() -> PatternSet:
    return learn(site_pages(HOST))


# What comes out


@pytest.mark.parametrize("host", HOSTS)
def test_new_pages_give_their_articles(host: str) -> None:
    """A page that was not used for learning gives its title and its whole main text."""
    learned = learn(site_pages(host))
    for number in range(100, 110):
        told = story(host, number)
        found = extract(article(host, number, HOSTS[host]), learned)
        assert found is not None
        assert (found.title, found.text) == (told.title, told.text)
        assert found.url == story_url(host, number)
        assert found.pattern in {pattern.name for site in learned.sites.values() for pattern in site.patterns}
        assert 0.9 < found.confidence < 1


def test_classic_options_give_articles() -> None:
    """Layouts of 2009 also give the title and the main text."""
    learned = learn(articles(HOST, 12), options=LearnOptions.classic())
    found = extract(article(HOST, 100), learned, ExtractOptions.classic())
    assert found is not None
    assert found.title == story(HOST, 100).title
    assert found.text == story(HOST, 100).text
    assert learned.sites[HOST].layout == "sequence"


def test_sections_are_the_parts_of_the_article(patterns: PatternSet) -> None:
    """The title comes first, then the blocks of the main text in the order of the page."""
    found = extract(article(HOST, 100), patterns)
    assert found is not None
    told = story(HOST, 100)
    expected = [("title", told.title), *(("main", text) for text in told.paragraphs)]
    assert [(section.kind, section.text) for section in found.sections] == expected


_HOSTILE = """<p id="i" class="c" style="color:red" onclick="run()">Some words in the text of the story
 <a href="../other.html" onmouseover="run()" target="_blank">and a link</a>,
 <a href="javascript:run()">a program</a>, <a href=" JAVASCRIPT:run()">another one</a>,
 <a href="java&#10;script:run()">a third</a>, <a href="data:text/html,x">data</a>,
 <a href="vbscript:x">script</a> &lt;b&gt; &amp;amp; <b id="k" onload="run()">strong words</b>.
 <script>run()</script><style>p {}</style></p><svg onload="run()"><script>run()</script></svg>"""


def test_html_is_clean(patterns: PatternSet) -> None:
    """The article's HTML has no scripts, styles, handlers or ids. Its links are absolute and run nothing."""
    page = article(HOST, 100)
    body = page.body.replace(b'<div class="report-text">', b'<div class="report-text">' + _HOSTILE.encode())
    found = extract(replace(page, body=body), patterns)
    assert found is not None
    root = etree.fromstring(f"<div>{found.html}</div>")
    assert {element.tag for element in root.iter()} <= {"div", "p", "a", "b", "strong", "em"}
    assert {name for element in root.iter() for name in element.keys()} <= {"href"}  # noqa: SIM118
    assert [link.get("href") for link in root.iter("a")] == [f"http://{HOST}/other.html"]
    assert "run()" not in found.html
    assert "".join("".join(root.itertext()).split()) == "".join(found.text.split())
    assert "<b> &amp;" in found.text


def test_a_page_of_another_site_is_read_alone() -> None:
    """With ``fallback``, a page of an unknown site gives its article, and a list gives none."""
    options = ExtractOptions(fallback=True)
    page = article("alone.example", 3)
    found, learned = extract(page, PatternSet({}), options), extract(page, learn([page]), options)
    assert found is not None
    assert learned is not None
    assert (found.title, found.text, found.pattern) == (learned.title, learned.text, "")
    assert extract(index("alone.example", 1, range(1, 9)), PatternSet({}), options) is None


def test_pages_of_other_sites_give_nothing(patterns: PatternSet) -> None:
    """A page is compared only with the patterns of its own site."""
    page = article(HOST, 100)
    assert extract(replace(page, url="http://other.example/story/100.html"), patterns) is None
    assert extract(page, PatternSet()) is None


def test_indexes_give_nothing(patterns: PatternSet) -> None:
    """A page that matches a pattern of index pages is not an article."""
    assert extract(indexes(HOST, 12)[-1], patterns) is None


# What must not change the result


@pytest.mark.parametrize("options", [PATHS, CLASSIC])
@pytest.mark.parametrize("seed", range(3))
def test_order_of_pages_has_no_part(options: LearnOptions, seed: int, tmp_path: Path) -> None:
    """The same pages in any order give the same file, byte for byte."""
    pages = [*site_pages(HOST), *site_pages("blog.example.org")]
    expected = saved(learn(pages, options=options), tmp_path / "1")
    random.Random(seed).shuffle(pages)
    assert saved(learn(iter(pages), options=options), tmp_path / "2") == expected


_PROGRAM = """
import sys
from news_pages import articles, article, indexes
from scrapy_webstemmer import LearnOptions, extract, learn
host = "press.example"
pages = [*articles(host, 12), *articles(host, 12, "blog", 30), *indexes(host, 8)]
trees = [LearnOptions(layout=name) for name in ("tree-edit", "leaves", "roadrunner")]
for options in (LearnOptions(), LearnOptions.classic(min_score=-1), *trees):
    patterns = learn(pages, options=options)
    patterns.save("/dev/stdout")
    print([extract(page, patterns) for page in (*pages, article(host, 100))])
"""


def test_hash_seed_and_process_have_no_part() -> None:
    """Processes with different hash seeds write the same patterns and the same articles."""
    outputs = set()
    for seed in ("0", "12345"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(map(str, sys.path))}
        done = subprocess.run(
            [sys.executable, "-c", _PROGRAM],
            env=environment,
            capture_output=True,
            check=True,
            cwd=Path(__file__).parent,
        )
        outputs.add(done.stdout)
    (output,) = outputs
    assert output.count(b"Article(") > 40


def test_worker_processes_give_the_same(patterns: PatternSet) -> None:
    """Pages, patterns and articles can be sent between processes, as in a Spark or multiprocessing map."""
    pages = articles(HOST, 4, first=100)
    assert pickle.loads(pickle.dumps(patterns)) == patterns
    with ProcessPoolExecutor(1) as pool:
        assert list(pool.map(partial(extract, patterns=patterns), pages)) == [
            extract(p, patterns) for p in pages
        ]


def test_earlier_pages_have_no_part(patterns: PatternSet) -> None:
    """Earlier extractions do not change later ones."""
    pages = [*articles(HOST, 6, first=100), *indexes(HOST, 3)]
    fresh = [extract(page, learn(site_pages(HOST))) for page in pages[:2]]
    found = [extract(page, patterns) for page in pages]
    assert [extract(page, patterns) for page in reversed(pages)] == found[::-1]
    assert found[:2] == fresh


@pytest.mark.parametrize("options", [PATHS, CLASSIC])
@pytest.mark.parametrize("given", [False, True])
def test_mixed_sites_are_learned_apart(options: LearnOptions, given: bool, tmp_path: Path) -> None:
    """Three sites in one learning set give the same articles as each site alone, also through a file."""
    mixed_pages = [page for host in HOSTS for page in site_pages(host)]
    random.Random(1).shuffle(mixed_pages)
    mixed = learn(mixed_pages, linkinfo_of(*HOSTS) if given else None, options)
    mixed.save(tmp_path / "mixed")
    loaded = PatternSet.load(tmp_path / "mixed")
    assert loaded == mixed
    assert len(mixed.sites) == 3
    for host in HOSTS:
        alone = learn(site_pages(host), linkinfo_of(host) if given else None, options)
        (name,) = alone.sites
        assert mixed.sites[name] == alone.sites[name]
        pages = [*site_pages(host), article(host, 100, HOSTS[host])]
        expected = [repr(extract(page, alone)) for page in pages]
        assert [repr(extract(page, mixed)) for page in pages] == expected
        assert [repr(extract(page, loaded)) for page in pages] == expected
        assert expected[-1] != "None"


def _untitled(pages: list[Page]) -> list[Page]:
    """Return the pages without title elements."""
    return [replace(page, body=re.sub(rb"<title>.*?</title>", b"", page.body)) for page in pages]


def test_anchors_are_those_of_the_site_alone() -> None:
    """Anchor texts on another site's pages do not count, nor does the linkinfo of unknown pages."""
    pages = _untitled(articles(HOST, 8))
    links = "".join(
        f'<p><a href="{story_url(HOST, n)}">Printed on recycled paper.</a></p>' for n in range(1, 9)
    )
    other = Page("http://other.example/", f"<body>{links}</body>".encode())
    assert learn([*pages, other]).sites[HOST] == learn(pages).sites[HOST]
    info = linkinfo_of(HOST)
    assert learn(
        pages, {**info, "http://other.example/": {"Home": 1}, f"http://{HOST}/x": {"X": 1}}
    ) == learn(pages, info)


def test_links_to_other_sites_have_no_part() -> None:
    """Links to other sites under an article's title do not make this title a common text."""
    pages = _untitled(articles(HOST, 8))
    away = [
        f'<a href="http://other{n}.example/{number}">{story(HOST, number).title}</a>'
        for n in range(3)
        for number in range(1, 9)
    ]
    linking = Page(f"http://{HOST}/away.html", f"<body><form>{' '.join(away)}</form></body>".encode())
    titles = [p.titles for p in learn([*pages, linking]).sites[HOST].patterns if p.pages == 8]
    assert titles == [p.titles for p in learn(pages).sites[HOST].patterns]
    assert titles[0]


def test_linkinfo_tells_the_title() -> None:
    """Given anchor texts are used. If none are given, they are found in the pages."""
    pages = _untitled(articles(HOST, 12))
    headline = "body/main#content/article.report/h1.headline"
    assert learn(pages, linkinfo_of(HOST)).sites[HOST].patterns[0].titles[:1] == (headline,)
    assert learn(pages).sites[HOST].patterns[0].titles[:1] == (headline,)
    call = {story_url(HOST, n): {f"Called on page {n}": 1} for n in range(1, 13)}
    called = [
        replace(page, body=page.body.replace(b"<p>Printed", b"<h4>Called on page %d</h4><p>Printed" % n))
        for n, page in enumerate(pages, 1)
    ]
    (other,) = {site.patterns[0].titles[0] for site in learn(called, call).sites.values()}
    assert other == "body/div.press-foot/h4"


def test_where_nothing_tells_the_title_it_is_the_heading() -> None:
    """Without title elements and anchors, a heading that differs from page to page is the title."""
    pages = _untitled(articles(HOST, 12))
    learned = learn(pages, {})
    assert learned.sites[HOST].patterns[0].titles == ("body/main#content/article.report/h1.headline",)
    found = extract(*_untitled([article(HOST, 100)]), learned)
    assert found is not None
    assert (found.title, found.text) == (story(HOST, 100).title, story(HOST, 100).text)


def test_aliases_are_names_of_the_page() -> None:
    """An anchor to a url that was redirected to a page counts for the page."""
    pages = [
        replace(page, body=re.sub(rb"(</?)h1", rb"\1div", page.body))
        for page in _untitled(articles(HOST, 12))
    ]
    info = {f"http://{HOST}/go?to={n}": {story(HOST, n).title: 1} for n in range(1, 13)}
    assert learn(pages, info).sites[HOST].patterns[0].titles == ()
    known = [replace(page, aliases=(f"http://{HOST}/go?to={n}",)) for n, page in enumerate(pages, 1)]
    assert learn(known, info).sites[HOST].patterns[0].titles != ()


# Versions of a page


def test_newest_version_counts() -> None:
    """If a page has several versions, the one fetched last is learned from, in any order."""
    pages = articles(HOST, 6)
    old = article(HOST, 3, fetched="2024-05-01T00:00:00Z", told=story(HOST, 90))
    new = article(HOST, 3, fetched="2025-05-01T00:00:00Z")
    undated = article(HOST, 3, told=story(HOST, 91))
    del pages[2]
    expected = learn([*pages, new], {})
    for versions in permutations([old, new, undated]):
        assert learn([*versions, *pages], {}) == expected


def test_one_page_under_two_schemes() -> None:
    """A site that moved to https is learned once, with the same result in either order."""
    pages = articles(HOST, 6)
    moved = [replace(page, url=page.url.replace("http:", "https:")) for page in pages]
    assert learn([*pages, *moved]) == learn([*moved, *pages])
    assert learn([*pages, *moved]).sites[HOST].pages == 6


def test_version_that_cannot_be_read_gives_way() -> None:
    """If the newest version is a binary file, an older one is learned from, in any order."""
    good = article(HOST, 3, fetched="2024-05-01T00:00:00Z")
    bad = Page(good.url, b"%PDF-1.7", fetched="2025-05-01T00:00:00Z")
    older = replace(bad, fetched="2023-05-01T00:00:00Z")
    for versions in permutations([good, bad, older]):
        learned = learn([*versions, *articles(HOST, 2)], {})
        assert learned.sites[HOST].pages == 3
        assert unused(learned) == []


def test_records_of_one_time() -> None:
    """If two records of a page differ only in the body, the same one counts in either order."""
    pages = articles(HOST, 6)
    other = article(HOST, 3, told=story(HOST, 90))
    assert learn([*pages, other], {}) == learn([other, *pages], {})


@pytest.mark.parametrize("encoding", [None, "latin-1"])
def test_versions_that_differ_in_little(encoding: str | None) -> None:
    """If two records of a page differ only in the declared charset, their order does not matter."""
    pages = articles(HOST, 6)
    others = [replace(page, encoding=encoding) for page in pages]
    assert learn([*pages, *others]) == learn([*others, *pages])


# Options


def test_url_rules() -> None:
    """Only pages that the rules accept are used for learning and extraction."""
    rules = (UrlRule("/archive/", accept=False), UrlRule("/story/[0-9]$"), UrlRule(r"/story/1?[0-9]\."))
    learned = learn(site_pages(HOST), options=LearnOptions(url_rules=rules))
    assert learned.sites[HOST].pages == 19
    assert extract(article(HOST, 100), learned) is not None
    assert extract(article(HOST, 100), learned, ExtractOptions(url_rules=rules)) is None
    assert extract(article(HOST, 9), learned, ExtractOptions(url_rules=rules)) is not None
    assert learn(site_pages(HOST), options=LearnOptions(url_rules=(UrlRule("nothing"),))) == PatternSet()


def test_site_may_be_the_host() -> None:
    """Hosts of one domain are one site, unless an option says that each host is a site."""
    hosts = ("www.example.com", "blog.example.com")
    pages = [page for host in hosts for page in articles(host, 6)]
    assert list(learn(pages).sites) == ["example.com"]
    learned = learn(pages, options=LearnOptions(site="host"))
    assert sorted(learned.sites) == sorted(hosts)
    assert extract(article(hosts[0], 100), learned) is not None
    assert extract(article("shop.example.com", 100), learned) is None
    assert extract(article("example.com", 100), learned) is None


def test_host_that_is_its_own_domain() -> None:
    """Patterns of the host ``example.com`` do not serve the domain of the same name."""
    learned = learn(articles("example.com", 6), options=LearnOptions(site="host"))
    assert extract(article("example.com", 100), learned) is not None
    assert extract(article("www.example.com", 100), learned) is None


def test_threshold_and_strict_reach_the_match(patterns: PatternSet) -> None:
    """The options of extraction decide which pages match."""
    lacking = article(HOST, 100)
    lacking = replace(lacking, body=lacking.body.replace(b"Printed on recycled paper.", b""))
    assert extract(lacking, patterns) is not None
    assert extract(lacking, patterns, ExtractOptions(strict=True)) is None
    more = re.sub(rb'class="report', b'class="opinion', article(HOST, 100).body)
    assert extract(replace(lacking, body=more), patterns, ExtractOptions(threshold=1)) is None


def test_a_page_on_which_an_expression_goes_wrong_is_skipped(caplog: Any) -> None:
    """Learning names and counts such a page, extraction raises an error, and other pages are not affected."""
    evil = Page(f"http://{HOST}/evil", f"<div id='{'a' * 60}!'>{'text ' * 99}</div>".encode())
    options = LearnOptions(layout="sequence", mangle="(a|aa)+$", min_score=-1)
    learned = learn([*articles(HOST, 6), evil], options=options)
    assert ("could not be read", 1, evil.url) in unused(learned)
    assert learned.sites[HOST].pages == 6
    assert f"{evil.url}: the regular expression '(a|aa)+$' takes too long" in caplog.text
    with pytest.raises(PageError, match="takes too long"):
        extract(evil, learned)
    rules = (UrlRule("(a|aa)+$"), UrlRule("."))
    slow = replace(evil, url=f"http://{HOST}/{'a' * 60}!")
    with pytest.raises(PageError, match="takes too long"):
        extract(slow, learned, ExtractOptions(url_rules=rules))
    learned = learn([slow, *articles(HOST, 6)], options=LearnOptions(url_rules=rules))
    assert unused(learned) == [("could not be read", 1, slow.url)]


# The tree


@pytest.mark.parametrize("options", [PATHS, CLASSIC])
def test_root_is_used_and_left_as_it_is(options: LearnOptions) -> None:
    """A tree that the caller has parsed gives the same article, and it is not changed."""
    learned = learn(site_pages(HOST), options=options)
    for page in [*articles(HOST, 3, first=100), *indexes(HOST, 1)]:
        root = parse(page)
        before = etree.tostring(root)
        found = extract(page, learned, root=root)
        assert etree.tostring(root) == before
        assert found == extract(page, learned)


def test_a_parsed_page_is_not_parsed_again() -> None:
    """If a tree is given, the body is not read."""
    learned, page = learn(site_pages(HOST)), article(HOST, 100)
    found = extract(replace(page, body=b"%PDF"), learned, root=parse(page))
    assert found == extract(page, learned)
    assert found is not None


# Small and bad learning sets


@pytest.mark.parametrize("options", [PATHS, CLASSIC])
def test_no_pages(options: LearnOptions, tmp_path: Path) -> None:
    """An empty learning set gives an empty pattern file, and nothing matches it."""
    learned = learn([], options=options)
    assert learned == PatternSet()
    saved(learned, tmp_path / "x")
    assert extract(article(HOST, 1), PatternSet.load(tmp_path / "x")) is None


@pytest.mark.parametrize("count", [1, 2])
def test_one_or_two_pages(count: int) -> None:
    """One or two pages are enough to get articles, since every page of a small set counts."""
    learned = learn(articles(HOST, count))
    found = extract(article(HOST, 100), learned)
    assert found is not None
    assert (found.title, found.text) == (story(HOST, 100).title, story(HOST, 100).text)


def test_one_page_of_2009() -> None:
    """With layouts of 2009 a single page gives no pattern. It is unused, with a reason."""
    learned = learn(articles(HOST, 1), options=CLASSIC)
    assert len(learned) == 0
    assert [(pages, url) for _, pages, url in unused(learned)] == [(1, story_url(HOST, 1))]
    assert extract(article(HOST, 100), learned) is None


def test_layouts_of_2009_give_markdown_on_request() -> None:
    """The article also comes as Markdown if the option asks for it."""
    learned = learn(articles(HOST, 12), options=LearnOptions.classic())
    plain = extract(article(HOST, 100), learned, ExtractOptions.classic())
    found = extract(article(HOST, 100), learned, ExtractOptions.classic(markdown=True))
    assert plain is not None
    assert found is not None
    assert plain.markdown is None
    assert found.markdown is not None
    assert found.markdown.startswith(f"# {found.title}\n\n")


_WORDS = b"<p>A few words in a row, and then some more of them.</p>"
_BAD: dict[str, tuple[bytes, str | None]] = {
    "empty body": (b"", None),
    "white space": (b" \n\t ", None),
    "no html": (b'{"words": "in a row"}', None),
    "wrong charset": ("<p>Ein schöner Tag, sagte er, und schloß die Tür.</p>".encode("latin-1"), "utf-8"),
    "wrong utf-16": (_WORDS, "utf-16"),
    "unknown charset": (_WORDS, "x-nobody"),
    "codec that is no charset": (b'<meta charset="base64">' + _WORDS, None),
    "5 MB": (_WORDS[:-4] + b" and more" * 550_000, None),
    "10,000 nested elements": (b"<div>a" * 10_000, None),
    "10,000 nested inline elements": (b"<b><a href=x>b" * 5_000, None),
    "nul bytes": (b"\0" + _WORDS.replace(b" ", b"\0 ") + b"\0" * 99, None),
    "picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)), None),
    "archive": (b"PK\x03\x04\x14\0\0\0\x08\0", None),
    "broken markup": (_WORDS + b"<p <<a href=<>&#xFFFFFFFF;&#xD800;</p></html><![CDATA[<?x>", None),
    "hostile attributes": (b"<div id='a/b#c.d' class='/ @leading x/y'>" + _WORDS + b"</div>", None),
}
_EMPTY = {"empty body", "white space"}
_BEYOND = {"5 MB", "10,000 nested elements", "10,000 nested inline elements"}
_UNREADABLE = {"picture", "archive"} | _BEYOND


def bad_page(name: str) -> Page:
    body, encoding = _BAD[name]
    return Page(f"http://{HOST}/bad.html", body, encoding)


@pytest.mark.parametrize("name", _BAD)
@pytest.mark.parametrize("options", [PATHS, CLASSIC])
def test_bad_page_in_a_learning_set(name: str, options: LearnOptions, tmp_path: Path) -> None:
    """A bad page is learned from or named as unused. The other pages give their articles."""
    learned = learn([bad_page(name), *articles(HOST, 6)], options=options)
    reasons = [reason for reason, _, url in unused(learned) if url == bad_page(name).url]
    if name in _UNREADABLE:
        assert reasons == ["could not be read"]
    elif name in _EMPTY:
        assert reasons == ["no text"]
    elif options is PATHS:
        assert reasons == []
        assert learned.sites[HOST].pages == 7
    found = extract(article(HOST, 100), learned)
    assert found is not None
    assert (found.title, found.text) == (story(HOST, 100).title, story(HOST, 100).text)
    learned.save(tmp_path / "x")
    assert PatternSet.load(tmp_path / "x") == learned


@pytest.mark.parametrize("name", _BAD)
@pytest.mark.parametrize("options", [PATHS, CLASSIC])
def test_bad_page_alone(name: str, options: LearnOptions) -> None:
    """A learning set of one bad page gives nothing, but it does not fail."""
    learned = learn([bad_page(name)], options=options)
    assert list(learned.sites) == [HOST]
    if name in _UNREADABLE | _EMPTY:
        assert learned.sites[HOST].pages == 0
        assert sum(pages for _, pages, _ in unused(learned)) == 1


@pytest.mark.parametrize("name", _BAD)
def test_extraction_from_a_bad_page(name: str, patterns: PatternSet) -> None:
    """A binary page, or one beyond a limit, is a PageError. Any other page gives an article or None."""
    if name in _UNREADABLE:
        with pytest.raises(PageError, match=r"bad\.html"):
            extract(bad_page(name), patterns)
        return
    found = extract(bad_page(name), patterns, ExtractOptions(threshold=0))
    if name in _EMPTY:
        assert found is None
    elif found is not None:
        assert found.text.strip()


def test_a_fault_on_one_page_costs_that_page_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An unforeseen error is logged with its traceback, and its page is counted as unread."""
    from scrapy_webstemmer.learning import page_reading

    def failing(layout: Any, *_: Any) -> None:
        if layout.url.endswith("/1.html"):
            raise RuntimeError("a fault of ours")

    monkeypatch.setattr(page_reading, "check_layout", failing)
    pages = [replace(page, url=f"http://{HOST}/{n}.html") for n, page in enumerate(articles(HOST, 6))]
    assert ("could not be read", 1, f"http://{HOST}/1.html") in unused(learn(pages))
    assert "RuntimeError: a fault of ours" in caplog.text


def test_names_with_a_bracket() -> None:
    """Parsers read a "<" as a part of a name. The text is there all the same."""
    for name in ("he<", "b<", "<"):
        body = f"<div><p>Some <{name}>words <i>here</i></{name}> in a row</div>"
        page = Page("http://example.com/", body.encode())
        found = extract(
            page, PatternSet({}), ExtractOptions(fallback=True, article_threshold=0, min_confidence=0)
        )
        assert found
        assert "words" in found.html
        assert "<script" not in found.html


def test_unread_pages_are_counted_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    """Unreadable pages are named in the log, and counted with one of their urls."""
    bad = [Page(f"http://{HOST}/{name}.pdf", b"%PDF-1.7") for name in ("b", "a")]
    learned = learn([*bad, *articles(HOST, 3), bad[0]])
    assert unused(learned) == [("could not be read", 2, f"http://{HOST}/a.pdf")]
    assert f"http://{HOST}/b.pdf" in caplog.text


@pytest.mark.parametrize(
    "url",
    [
        "",
        "press",
        "http://",
        "http://[broken/",
        "http://press.example:x/",
        "http://press.example/\ud800",
        "\ud800",
    ],
)
def test_odd_urls(url: str, tmp_path: Path) -> None:
    """An invalid url belongs to some site, and stops nothing."""
    pages = [replace(page, url=url + str(n)) for n, page in enumerate(articles(HOST, 4))]
    learned = learn(pages)
    learned.save(tmp_path / "x")
    assert PatternSet.load(tmp_path / "x") == learned
    assert extract(replace(article(HOST, 100), url=url + "0"), learned) is not None


_markup = st.text(st.sampled_from("<>/=\"' &#;!-apbliv0\0\n\ud7ff"), max_size=60)
_charsets = st.none() | st.sampled_from(
    ["utf-8", "utf-16", "utf-7", "shift_jis", "idna", "unicode_escape", "x"]
)


@settings(max_examples=60)
@given(
    bodies=st.lists(_markup.map(lambda text: text.encode()) | st.binary(max_size=40), min_size=1, max_size=4),
    charset=_charsets,
    classic=st.booleans(),
)
@pytest.mark.filterwarnings("ignore:invalid escape sequence:DeprecationWarning")
def test_any_bytes(bodies: list[bytes], charset: str | None, classic: bool) -> None:
    """Learning and extraction raise only the package's own errors, whatever the pages contain."""
    pages = [Page(f"http://{HOST}/{n}", body, charset) for n, body in enumerate(bodies)]
    learned = learn(pages, options=CLASSIC if classic else PATHS)
    assert classic or learned.sites[HOST].pages + sum(n for _, n, _ in unused(learned)) == len(pages)
    for page in pages:
        with suppress(PageError):
            found = extract(page, learned)
            assert found is None or found.url == page.url


def test_all_errors_are_ours() -> None:
    """Every error of the package is a subclass of the one root."""
    from scrapy_webstemmer import errors

    classes = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    assert all(issubclass(kind, WebstemmerError) for kind in classes if issubclass(kind, Exception))
    assert len(classes) >= 5


def test_on_a_site_of_dated_articles_undated_pages_are_less_sure() -> None:
    """If articles have a date in their url, the same page is less probably an article without one."""

    def at(path: str, number: int, told: Story | None = None) -> Page:
        return replace(article(HOST, number, told=told), url=f"http://{HOST}/{path}")

    learned = learn([at(f"2026/{number % 12 + 1:02}/{number}.html", number) for number in range(1, 31)])
    about = Story("Who prints the paper", ("We print it in the harbour on every day of the week.",))
    for told in (about, story(HOST, 31)):
        dated, undated = (explain(at(path, 31, told), learned) for path in ("2026/11/31.html", "31.html"))
        assert dated.probability is not None
        assert undated.probability is not None
        assert dated.probability > undated.probability
        assert dated.article is not None
        assert undated.article is None or undated.article.confidence < dated.article.confidence


# Article or list


def test_a_page_of_a_known_site_that_matches_nothing_gives_an_article_if_it_looks_like_one(
    patterns: PatternSet,
) -> None:
    """It is read by its own evidence, and has no pattern. A list of another design gives nothing."""
    told = story(HOST, 200)
    found = extract(article(HOST, 200, "bulletin"), patterns)
    assert found is not None
    assert (found.title, found.text, found.pattern) == (told.title, told.text, "")
    alike = extract(article(HOST, 200), patterns)
    assert alike is not None
    assert found.confidence < alike.confidence
    for page in (*indexes(HOST, 3, "bulletin"), linked_list(200, "bulletin")):
        assert extract(page, patterns) is None


@pytest.mark.parametrize(
    "options",
    [{"unmatched": False}, {"strict": True}, {"threshold": 0.4}, {"unmatched": False, "fallback": True}],
)
def test_who_wants_a_match_gets_no_page_without(patterns: PatternSet, options: dict[str, Any]) -> None:
    """A page without a match gives no article if the options switch that off, or ask for a match."""
    page = article(HOST, 200, "bulletin")
    assert extract(page, patterns, ExtractOptions(**options)) is None
    assert extract(article(HOST, 200), patterns, ExtractOptions(**options)) is not None


def test_unmatched_pages_may_be_wanted_beside_strict_matches(patterns: PatternSet) -> None:
    """With both options, some pages match strictly, and the others are read by their own evidence."""
    found = extract(
        article(HOST, 200, "bulletin"), patterns, ExtractOptions(strict=True, threshold=0.9, unmatched=True)
    )
    assert found is not None
    assert (found.pattern, found.text) == ("", story(HOST, 200).text)


def linked_list(number: int, template: str = "press") -> Page:
    """Return a list in the template of the articles: linked headlines, each with the start of a text."""
    entry = '<h2><a href="/story/{0}.html">{1}</a></h2><p>{2}</p>'
    told = {n: story(HOST, n) for n in range(5 * number, 5 * number + 5)}
    entries = "".join(entry.format(n, one.title, one.paragraphs[0][:90]) for n, one in told.items())
    page = article(HOST, number, template, told=Story("@title@", ("@text@",)))
    body = re.sub(rb"<(h\d)[^>]*>@title@</\1>", b"", page.body).replace(b"<p>@text@.</p>", b"<p>@text@</p>")
    body = body.replace(b"<p>@text@</p>", entries.encode()).replace(b"@title@", b"Tag %d" % number)
    return Page(f"http://{HOST}/tag/{number}.html", body, "utf-8")


@pytest.mark.parametrize("lists", [0, 2, 10, 40])
def test_articles_and_lists_that_share_a_template_are_told_apart(lists: int) -> None:
    """Each page is decided for itself, whatever most of the template's learned pages were."""
    learned = learn([*articles(HOST, 20), *map(linked_list, range(1, lists + 1))])
    assert learned.sites[HOST].clusters == 1
    for number in range(100, 106):
        found = extract(article(HOST, number), learned)
        assert found is not None
        assert (found.title, found.text) == (story(HOST, number).title, story(HOST, number).text)
        assert extract(linked_list(number), learned) is None


def test_lists_of_whole_posts_are_told_apart_where_urls_tell_nothing() -> None:
    """They have the text of articles at urls like theirs, and nothing else of what the articles show."""

    def page(number: int, title: str, body: str) -> Page:
        menu, foot = (
            '<ul><li><a href="/p/901">News</a><li><a href="/p/902">Sport</a></ul>',
            "<p>The Press.</p>",
        )
        html = f"<title>{title} | The Press</title><body>{menu}{body}{foot}"
        return Page(f"http://{HOST}/p/{number}", html.encode(), encoding="utf-8")

    def text(number: int) -> str:
        return "".join(f"<p>{paragraph}</p>" for paragraph in story(HOST, number).paragraphs)

    def post(number: int) -> Page:
        title = story(HOST, number).title
        body = f'<article><h1>{title}</h1>{text(number)}<div id="comments">Comments</div></article>'
        return page(number, title, body)

    def newest(number: int, count: int) -> Page:
        told = range(10 * number, 10 * number + count)
        whole = "".join(f"<div><h2>{story(HOST, n).title}</h2>{text(n)}</div>" for n in told)
        return page(number, "Newest", whole)

    learned = learn([*map(post, range(100, 130)), *(newest(900 + count, count) for count in range(1, 4))])
    assert extract(post(200), learned) is not None
    for count in range(1, 4):
        found = explain(newest(950 + count, count), learned)
        assert found.verdict is not None
        assert found.verdict.probability < found.verdict.least
        alone = found.verdict.context._replace(signs=0.0)
        assert probability(own_odds(found.verdict.evidence), alone) > found.verdict.least


def test_an_article_like_a_pattern_of_lists_is_read_by_one_of_articles() -> None:
    """A short article gets a pattern of articles, even if it matches a pattern of lists best."""
    learned = learn([*articles(HOST, 20), *map(linked_list, range(1, 31))])
    kinds = {pattern.name: pattern.kind for pattern in learned.sites[HOST].patterns}
    assert sorted(kinds.values()) == ["article", "index"]
    for number in range(100, 110):
        found = extract(article(HOST, number), learned)
        assert found is not None
        assert kinds[found.pattern] == "article"


def test_who_wants_all_gets_lists_as_well(patterns: PatternSet) -> None:
    """The article threshold is the least probability; with 0, all pages give what they have."""
    page, index = article(HOST, 100), linked_list(100)
    found = extract(index, patterns, ExtractOptions(article_threshold=0, min_confidence=0))
    assert found is not None
    assert story(HOST, 500).title in found.text
    assert extract(index, patterns) is None
    assert extract(page, patterns, ExtractOptions(article_threshold=0)) == extract(page, patterns)
    assert extract(page, patterns, ExtractOptions(article_threshold=1)) is None


def test_an_article_below_the_least_confidence_does_not_come_out(patterns: PatternSet) -> None:
    """An article with exactly the least confidence comes out as it is, and one below it does not."""
    pages = (article(HOST, 100), article(HOST, 100, "bulletin"), article("unknown.example", 100))
    for page in pages:
        usual = extract(page, patterns, ExtractOptions(fallback=True))
        assert usual is not None
        assert usual.confidence is not None
        for least, expected in ((usual.confidence, usual), (math.nextafter(usual.confidence, 1), None)):
            assert extract(page, patterns, ExtractOptions(fallback=True, min_confidence=least)) == expected


@pytest.mark.parametrize("layout", ["sequence", "tree-edit", "leaves", "roadrunner"])
def test_an_article_without_a_confidence_always_comes_out(layout: str) -> None:
    """Layouts of 2009 and layout trees give no confidence, so the least one does not concern them."""
    pages = articles(HOST, 6)
    learned = learn(pages, options=LearnOptions(layout=layout))
    found = [extract(page, learned, ExtractOptions(min_confidence=1.0)) for page in pages]
    assert any(found)
    assert {(one.confidence, one.probability) for one in found if one is not None} == {(None, None)}
    assert found == [extract(page, learned) for page in pages]


def test_a_sample_of_a_large_site() -> None:
    """A site with too many pages is learned from a sample, which is the same in any order."""
    pages = [article(HOST, number) for number in range(40)]
    all_of, some = learn(pages), learn(pages, options=LearnOptions(max_pages=12))
    assert all_of.sites[HOST].pages == 40
    assert some.sites[HOST].pages == 12
    assert [(group.reason, group.pages) for group in some.sites[HOST].unused] == [("not in the sample", 28)]
    assert some.sites[HOST].warnings == learn(pages[:12]).sites[HOST].warnings
    assert learn(pages[::-1], options=LearnOptions(max_pages=12)) == some
    assert learn([*pages, *pages], options=LearnOptions(max_pages=12)) == some
    assert extract(pages[0], some) is not None


def test_a_page_that_is_a_list_by_its_url_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """If all pages with urls of a shape are lists, another one is none by its url, however it looks."""
    patterns = learn([*articles(HOST, 30), *indexes(HOST, 8)])
    site, page = patterns.sites[HOST], article(HOST, 31)
    shape = url_shape(page.url)

    def extracted(odds: float, pages: int = site.pages, **options: float) -> bool:
        other = replace(site, shapes={**site.shapes, shape: odds}, pages=pages)
        return extract(page, PatternSet({HOST: other}), ExtractOptions(**options)) is not None

    assert extracted(6.0)
    assert extracted(-4.0, pages=20)  # too few pages to be sure
    reader = MagicMock(side_effect=AssertionError("was read"))
    monkeypatch.setattr("scrapy_webstemmer.page.sources.open_page", reader)
    assert not extracted(-4.0)
    with pytest.raises(AssertionError, match="was read"):
        extracted(-3.0)
    with pytest.raises(AssertionError, match="was read"):
        extracted(-4.0, article_threshold=0.0)
    told = PatternSet({HOST: replace(site, shapes={shape: -4.0})})
    with pytest.raises(AssertionError, match="was read"):
        explain(page, told)  # who asks why is told all
