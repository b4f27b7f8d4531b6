"""The views of a review: what they show, and that nothing of a stranger's page gets out of its frame."""

from __future__ import annotations

import http.client
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hostile_pages import HOSTILE
from hypothesis import given
from hypothesis import strategies as st
from lxml import html
from news_pages import article, articles, indexes, story
from odd_markup import FRAGMENTS

from scrapy_webstemmer import LearnOptions, Page, PatternSet, learn
from scrapy_webstemmer.plugin.review import View, h, text_of, to_html
from scrapy_webstemmer.plugin.review.fixes import change_of
from scrapy_webstemmer.plugin.review.reviewed import FATES, LETTERS, Change, Review, runs_of
from scrapy_webstemmer.plugin.review.server import ReviewServer, link_of
from scrapy_webstemmer.plugin.review.views import view_html
from scrapy_webstemmer.storage import SqliteLearningSet
from scrapy_webstemmer.values import Correction

HOST = "news.example.com"


@pytest.fixture(scope="module")
def review(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Review]:
    patterns = learn([*articles(HOST, 40), *indexes(HOST, 10)])
    with SqliteLearningSet(tmp_path_factory.mktemp("review") / "pages.sqlite") as stored, stored.together():
        for page in (*articles(HOST, 30, first=500), *indexes(HOST, 5)):
            stored.add_page(page)
        stored.add_page(replace(article(HOST, 501), url=f"http://{HOST}/copy.html"))
        stored.add_page(Page(f"http://{HOST}/odd.html", b"<p>short"))
        yield Review(patterns, stored)


def shown(review: Review, view: View) -> Any:
    written = view_html(review, view, link_of)
    assert written is not None
    return html.fromstring(written)


def test_sites(review: Review) -> None:
    """A line a site, with a search and a bar of shares in words."""
    page = shown(review, View())
    (row,) = page.xpath("//table[@id='rows']/tbody/tr")
    assert row.xpath("string(td[1])") == "example.com"
    assert [cell.text for cell in row.xpath("td[@class='number']")] == ["37", "40", "10", "0"]
    assert "40 in layouts of articles" in row.xpath("string(.//@aria-label)")
    assert page.xpath("//label//input[@type='search']")


def test_a_site(review: Review) -> None:
    """Its layouts are cards; its pages come in the order in which they are worth a look."""
    page = shown(review, View("site", "example.com"))
    assert len(page.xpath("//div[@class='cards']/article")) == len(
        review.patterns.sites["example.com"].patterns
    )
    rows = page.xpath("//caption[starts-with(., 'Pages, those')]/../tbody/tr")
    assert len(rows) == 37
    assert {row.xpath("string(td[1])") for row in rows[:2]} == {
        f"http://{HOST}/copy.html",
        article(HOST, 501).url,
    }
    assert rows[0].xpath("string(td[7])") == "same text as another page"
    assert rows[-1].xpath("string(td[7])").startswith("no article: ")


def test_a_layout(review: Review) -> None:
    """Each section says what becomes of it."""
    page = shown(review, View("layout", "example.com", 1))
    rows = page.xpath("//caption[starts-with(., 'Its sections')]/../tbody/tr")
    fates = {row.xpath("string(td[1])"): row.xpath("td[5]//b/text()") for row in rows}
    pattern = review.patterns.sites["example.com"].patterns[0]
    assert fates[next(path for path in pattern.titles if path in fates)] == ["T"]
    assert any("M" in one for path, one in fates.items() if path.startswith(pattern.container))


def test_a_page(review: Review) -> None:
    """Each block stands in the frame once, with its letter; the article is beside it."""
    url = article(HOST, 503).url
    page = shown(review, View("page", url=url))
    (frame,) = page.xpath("//iframe")
    assert frame.get("sandbox") == ""
    inside = html.fromstring(frame.get("srcdoc"))
    letters = inside.xpath("//div[contains(@class, 'run')]/b/text()")
    assert {"T", "M"} <= set(letters)
    result = review.result(url)
    assert result is not None
    assert result.article is not None
    for line in result.article.text.split("\n"):
        assert line in " ".join(inside.xpath("//div[contains(@class, ' main')]//text()"))
    assert result.article.text.split("\n") == page.xpath("//div[@class='text']/p/text()")
    runs = runs_of(result)
    assert [index for run in runs for index in run.blocks] == [*range(len(result.layout.blocks))]  # type: ignore[union-attr]
    assert {run.fate for run in runs} <= FATES.keys()


def test_the_texts_of_a_page(review: Review) -> None:
    """Each run has a row with its letter and its scores; the other layouts say what they would give."""
    url = article(HOST, 503).url
    page = shown(review, View("page", url=url))
    result = review.result(url)
    assert result is not None
    rows = page.xpath("//caption[.='What became of its texts']/../tbody/tr")
    assert [row.xpath("string(td[1]//b)") for row in rows] == [
        LETTERS.get(run.fate, "") for run in runs_of(result)
    ]
    assert {"0.00", "1.00"} & {row.xpath("string(td[4])") for row in rows}
    others = page.xpath("//caption[.='In the other layouts']/../tbody/tr")
    assert len(others) == len(review.patterns.sites["example.com"].patterns) - 1


def test_the_rules_of_a_layout(tmp_path: Path) -> None:
    """A part that is left out says by which rule, and how much of its text speaks against it."""
    pages = with_links(articles(HOST, 40))
    with SqliteLearningSet(tmp_path / "linked.sqlite") as stored, stored.together():
        for page in pages:
            stored.add_page(page)
        own = Review(learn([*pages, *indexes(HOST, 10)]), stored)
        page = shown(own, View("layout", "example.com", 1))
        (row,) = page.xpath(
            "//caption[.='Parts that are left out, or nearly are']/../tbody/tr[td[9]!='none']"
        )
        assert row.xpath("string(td[1])").endswith("/div.more")
        assert [row.xpath(f"string(td[{n}])") for n in range(3, 7)] == ["0%", "0%", "0%", "100%"]
        assert row.xpath("string(td[8])") == "20 of 20"
        assert row.xpath("string(td[9])").startswith("more than 40% of its text is ")
        sections = page.xpath("//caption[starts-with(., 'Its sections')]/../tbody/tr")
        found = {one.xpath("string(td[1])"): one.xpath("string(td[5]/p)") for one in sections}
        assert {path.rpartition("/div.more")[2] for path, rule in found.items() if rule} == {""}


def with_links(pages: list[Page]) -> list[Page]:
    """Return pages with links to others in a part behind the first paragraph."""
    found = []
    for page in pages:
        number = int(re.findall(r"\d+", page.url)[-1])
        titles = (story(f"more.{HOST}", n).title for n in range(number * 4, number * 4 + 4))
        links = "".join(f"<a href=/story/{n}.html>{title}</a> " for n, title in enumerate(titles))
        begin, end, rest = page.body.decode().partition("</p>")
        found.append(replace(page, body=f"{begin}{end}<div class=more>{links}</div>{rest}".encode()))
    return found


def test_three_windows(review: Review) -> None:
    """Each text stands in the tree, as text and in the source, and leads from one to the next."""
    url = article(HOST, 503).url
    page = shown(review, View("windows", url=url))
    result = review.result(url)
    assert result is not None
    assert result.layout is not None
    names = page.xpath("//section[@class='window']/h2/text()")
    assert names == ["Tree", "Text", "Source"]
    for number, block in enumerate(result.layout.blocks):
        tree, text, source = (
            one.xpath(f".//li[@data-n='{number}']") for one in page.xpath("//section[@class='window']")
        )
        assert tree[0].xpath("string(a)") == block.text[:300]
        assert text[0].xpath("string(a)") == block.text
        assert block.text.split()[0] in " ".join(one.text_content() for one in source)
        hrefs = [one[0].xpath("a/@href") for one in (tree, text, source)]
        assert hrefs == [[f"#b{number}"], [f"#s{number}"], [f"#t{number}"]]
        assert [one[0].get("id") for one in (tree, text, source)] == [
            f"t{number}",
            f"b{number}",
            f"s{number}",
        ]


@pytest.mark.parametrize("layout", ["sequence", "tree-edit", "leaves"])
def test_other_layouts(layout: Any, tmp_path: Path) -> None:
    """Their pages are shown as well; what became of their blocks is not known."""
    pages = [*articles(HOST, 12), *indexes(HOST, 4)]
    with SqliteLearningSet(tmp_path / "pages.sqlite") as stored:
        for page in pages:
            stored.add_page(page)
        other = Review(learn(pages, options=LearnOptions(layout=layout)), stored)
        site = next(iter(other.patterns.sites))
        views = [View(), View("site", site), View("layout", site, 1)]
        views += [View(kind, url=pages[0].url) for kind in ("page", "windows")]
        for view in views:
            shown(other, view)


@pytest.mark.parametrize(
    "view",
    [
        View("site", "other.example"),
        View("layout", "example.com", 0),
        View("layout", "example.com", 99),
        View("layout", "other.example", 1),
        View("page", url="http://news.example.com/missing"),
        View("page"),
        View("page", url=article(HOST, 503).url, what="before"),
        View("windows", url="http://news.example.com/missing"),
        View("changes"),
        View("nonsense"),
    ],
)
def test_what_is_not_there(view: View, review: Review) -> None:
    """There is no such view."""
    assert view_html(review, view, link_of) is None


# --- hostile pages


def check_is_harmless(written: str, script: str = "") -> None:
    """Check a view: nothing runs but our script, nothing loads, leads away or is styled by a page."""
    page = html.fromstring(written)
    (frame,) = page.xpath("//iframe") or [None]
    documents = [page] if frame is None else [page, html.fromstring(frame.get("srcdoc"))]
    for document in documents:
        elements = [one for one in document.iter() if isinstance(one.tag, str)]
        names = {one.tag for one in elements}
        assert not names & {
            "object",
            "embed",
            "form",
            "link",
            "base",
            "img",
            "video",
            "audio",
            "math",
            "template",
        }
        assert len(document.xpath("//style")) == 1
        assert [one.text for one in document.xpath("//script")] == ([script] if script else [])
        assert not document.xpath("//iframe[not(@sandbox)]")
        for one in elements:
            assert not [
                name for name in one.attrib if name.startswith("on") or name in ("style", "src", "action")
            ]
            address = one.get("href", "?")
            assert address.startswith(("?", "#"))
        metas = [one.get("http-equiv") for one in document.xpath("//meta[@http-equiv]")]
        assert metas == ["Content-Security-Policy"]
    if frame is not None:
        assert not documents[1].xpath("//a[@href] | //input | //button")


@pytest.mark.parametrize("body", HOSTILE)
def test_hostile_pages(body: str, review: Review) -> None:
    """Of no page anything runs, loads or leads away, in its frame or around it."""
    good = article(HOST, 600)
    inside = good.body.decode().replace("<p>", f"<p>{body}</p><p>", 1)
    for number, text in enumerate((body, inside)):
        url = f"http://{HOST}/hostile-{number}.html"
        review.stored.add_page(Page(url, text.encode()))
        written = view_html(review, View("page", url=url), link_of)
        assert written is not None
        check_is_harmless(written)
        check_windows(review, url)


def check_windows(review: Review, url: str) -> None:
    """Check the view of a page in three windows."""
    written = view_html(review, View("windows", url=url), link_of)
    assert written is not None
    check_is_harmless(written, text_of("windows.js") if 'class="window"' in written else "")


@given(st.lists(st.sampled_from([*FRAGMENTS, *HOSTILE[:20]]), max_size=8))
def test_any_markup(review: Review, parts: list[str]) -> None:
    """Whatever a page has, its view is harmless."""
    url = f"http://{HOST}/any.html"
    review.stored.add_page(Page(url, "".join(parts).encode("utf-8", "replace")))
    written = view_html(review, View("page", url=url), link_of)
    assert written is not None
    check_is_harmless(written)
    check_windows(review, url)


@given(st.text(), st.text())
def test_elements(text: str, value: str) -> None:
    """Text and attributes come out as what they are, but for characters that no page may have."""
    written = to_html(h("p", [text, None, [h("b", "x"), text]], title=value, hidden=False))
    back = html.fromstring(written)
    assert back.tag == "p"
    assert [one.tag for one in back] == ["b"]
    assert set(back.attrib) == {"title"}


# --- the server


@pytest.fixture
def server(review: Review) -> Iterator[ReviewServer]:
    with ReviewServer(review) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(server: ReviewServer, path: str, method: str = "GET", **headers: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
    connection.putrequest(method, path, skip_host="Host" in headers)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    return connection.getresponse()


def test_the_server_answers(server: ReviewServer) -> None:
    """It gives views, and says what it has not."""
    path = urlsplit(server.url).path
    for query in ("", "?kind=site&site=example.com", "?kind=layout&site=example.com&number=1"):
        answer = ask(server, path + query)
        assert answer.status == 200
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert b"example.com" in answer.read()
    for query in ("?kind=layout&site=example.com&layout=9e9", "?kind=page&url=%ff%00", "?kind=%3Cscript%3E"):
        assert ask(server, path + query).status == 404
    assert server.server_address[0] == "127.0.0.1"


def test_the_server_is_for_its_user_alone(server: ReviewServer) -> None:
    """Without the word, by another name, or from another page's script it gives nothing."""
    path = urlsplit(server.url).path
    for asked, headers in (
        ("/", {}),
        ("/x/", {}),
        (path, {"Host": "evil.example"}),
        (path, {"Host": f"evil.example:{server.server_port}"}),
        (path, {"Origin": "http://evil.example"}),
        (path, {"Origin": "null"}),
    ):
        answer = ask(server, asked, **headers)
        assert answer.status == 403
        assert b"example.com" not in answer.read()
    for headers in ({}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
        assert ask(server, path, "POST", **headers).status == 403
    assert ask(server, path, "PUT").status == 501
    assert ask(server, path, Origin=f"http://localhost:{server.server_port}").status == 200


def test_an_error_of_ours(server: ReviewServer, monkeypatch: pytest.MonkeyPatch, caplog: Any) -> None:
    """It costs one view, and the log has it."""
    monkeypatch.setattr("scrapy_webstemmer.plugin.review.server.view_html", lambda *_: 1 / 0)
    assert ask(server, urlsplit(server.url).path).status == 500
    assert "ZeroDivisionError" in caplog.text


# --- corrections


@pytest.fixture
def editable(tmp_path: Path, review: Review) -> Review:
    """Return a review whose pattern file may be corrected."""
    path = tmp_path / "patterns.json"
    review.patterns.save(path)
    return Review(PatternSet.load(path), review.stored, path=path)


def buttons(page: Any) -> list[str]:
    return [one.text for one in page.xpath(".//button")]


def test_only_a_pattern_file_can_be_corrected(review: Review, editable: Review) -> None:
    """Files that were written, and layouts of 2009, have no buttons."""
    view = View("layout", "example.com", 1)
    assert buttons(shown(review, view)) == []
    assert {"Its pages are no articles", "Forget this layout", "Leave out: it is no text"} <= {
        *buttons(shown(editable, view))
    }
    trial = View("trial", "example.com", 1, what="no article")
    assert view_html(review, trial, link_of) is None


def test_a_trial_changes_nothing(editable: Review) -> None:
    """It says how many pages would change, and how."""
    assert editable.path is not None
    before = editable.path.read_bytes()
    page = shown(editable, View("trial", "example.com", 1, what="no article"))
    assert re.match(r"It changes 3\d of \d+ pages", page.xpath("string(//p[@id='changed'])"))
    rows = page.xpath("//table/tbody/tr")
    assert {row.xpath("string(td[2])") for row in rows} == {"article lost"}
    assert buttons(page) == ["Save"]
    page = shown(editable, View("trial", "example.com", 1, what="title", path="body/h9"))
    assert page.xpath("string(//p[@id='changed'])") == "It fits no layout."
    assert buttons(page) == []
    assert editable.path.read_bytes() == before


def test_a_page_is_put_right(editable: Review) -> None:
    """Beside each text of a page are the buttons that correct its layout."""
    page = shown(editable, View("page", url=article(HOST, 503).url))
    rows = page.xpath("//caption[.='What became of its texts']/../tbody/tr")
    of = {row.xpath("string(td[1]//b)"): buttons(row) for row in rows}
    assert of["T"] == ["It is not the title"]
    assert of["M"] == ["Leave out: it is no text", "It is the title"]
    assert {one for letter in of.keys() - {"T", "M", ""} for one in of[letter]} == {"Keep: it is text"}
    (form,) = (one for row in rows for one in row.xpath(".//form[button='It is not the title']"))
    values = {one.get("name"): one.get("value") for one in form.xpath(".//input")}
    assert values["site"] == "example.com"
    trial = View("trial", values["site"], int(values["number"]), what="no title", path=values["path"])
    assert "It changes" in shown(editable, trial).xpath("string(//p[@id='changed'])")


def test_a_correction_is_taken_back(editable: Review) -> None:
    """Its site has a button for it; what it would change is shown first."""
    assert editable.path is not None
    correction = Correction(
        "no article", container=editable.patterns.sites["example.com"].patterns[0].container
    )
    editable.correct("example.com", Change(correction))
    (row,) = shown(editable, View("site", "example.com")).xpath("//caption[.='Corrections']/../tbody/tr")
    assert buttons(row) == ["Take back"]
    back = View("take back", "example.com", 1)
    assert re.match(r"It changes 3\d of \d+ pages", shown(editable, back).xpath("string(//p[@id='changed'])"))
    change = change_of(editable, back)
    assert change is not None
    editable.correct("example.com", change)
    assert PatternSet.load(editable.path).sites["example.com"].corrections == ()
    assert view_html(editable, back, link_of) is None


def test_the_same_correction_twice(editable: Review) -> None:
    """It is kept once, with the later day."""
    first = Correction("no title", "body/h1", "body", "2026-01-01")
    second = first._replace(date="2026-02-02")
    assert Change(second).over([first]) == (second,)
    assert Change(first, taken_back=True).over([second]) == ()


@pytest.mark.parametrize(
    "view",
    [
        View("take back", "example.com", 1),
        View("take back", "example.com"),
        View("trial", "example.com", 1),
        View("trial", "example.com", 1, what="remove", path="body"),
        View("trial", "example.com", 1, what="forget", path="body"),
        View("trial", "example.com", 1, what="title"),
        View("trial", "example.com", 9, what="forget"),
        View("trial", "other.example", 1, what="forget"),
        View("layout", "example.com", 1, what="forget"),
    ],
)
def test_what_is_no_correction(view: View, editable: Review) -> None:
    """It is neither shown nor saved."""
    assert change_of(editable, view) is None
    if view.kind in ("trial", "take back"):
        assert view_html(editable, view, link_of) is None


@pytest.mark.parametrize("name", ["patterns.json", "patterns.sqlite"])
def test_a_correction_is_saved(name: str, editable: Review, tmp_path: Path) -> None:
    """The file has it with its day, a copy of the old file stands beside it, and the views show it."""
    path = tmp_path / name
    editable.patterns.save(path)
    own = Review(PatternSet.load(path), editable.stored, path=path)
    assert own.pages("example.com")[0].reason == ""
    with ReviewServer(own) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        place = f"{urlsplit(server.url).path}?kind=trial&site=example.com&number=1&what=no+article"
        mine = f"http://127.0.0.1:{server.server_port}"
        assert ask(server, place, "POST", Origin="http://evil.example").status == 403
        answer = ask(server, place, "POST", Origin=mine)
        assert answer.status == 303
        assert ask(server, str(answer.headers["Location"])).status == 200
        assert ask(server, place.replace("no+article", "remove"), "POST", Origin=mine).status == 404
        path.write_bytes(b"damaged")
        assert ask(server, place, "POST", Origin=mine).status == 500
        server.shutdown()
        thread.join()
    (correction,) = own.patterns.sites["example.com"].corrections
    assert (correction.what, correction.date) == ("no article", datetime.now(UTC).date().isoformat())
    copies = [one for one in tmp_path.glob(f"{name}.*.before") if PatternSet.load(one) == editable.patterns]
    assert len(copies) == 1
    assert "no article" in view_html(own, View("site", "example.com"), link_of)  # type: ignore[operator]
