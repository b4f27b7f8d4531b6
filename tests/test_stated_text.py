"""The article of a page that shows no text of its own, but states one to programs."""

from __future__ import annotations

import json
from html import escape

import pytest
from path_pages import words

from scrapy_webstemmer import Article, ExtractOptions, Page, PatternSet, extract, learn
from scrapy_webstemmer.api import explain

URL = "http://press.example/2020/lamps.html"
LINES = [words(1, 30), words(2, 30)]
STATED = {
    "@type": "NewsArticle",
    "headline": "Lamps",
    "datePublished": "2020-05-06",
    "author": {"name": "Ann Oak"},
}
SHELL = (
    "<header><a href=/>Press</a></header><main><h1>Lamps</h1><div id=app></div></main>"
    "<footer>Press, 2020</footer>"
)


def extracted(body: str, stated: str, **options: float) -> Article | None:
    data = json.dumps({**STATED, "articleBody": stated})
    html = f'<title>Lamps - Press</title><script type="application/ld+json">{data}</script><body>{body}'
    page = Page(URL, f"<!DOCTYPE html><meta charset=utf-8>{html}".encode())
    return extract(page, learn([page]), ExtractOptions(fallback=True, **options))


@pytest.mark.parametrize("body", [SHELL, "", "<div id=root></div>"])
@pytest.mark.parametrize(
    "stated",
    [
        "\n".join(LINES),
        f"{LINES[0]}\r\n\r\n  {LINES[1]} ",
        f"<p>{LINES[0]}</p><p>{LINES[1]}</p>",
        f"&lt;p&gt;{LINES[0]}&lt;/p&gt;&lt;p&gt;{LINES[1]}&lt;/p&gt;",
        f"{LINES[0]}<br/>{LINES[1]}",
    ],
)
def test_a_text_that_is_only_stated(body: str, stated: str) -> None:
    """A page that shows no text of its own gives the text that it states, with a low confidence."""
    article = extracted(body, stated)
    assert article
    assert (article.title, article.text.split("\n")) == ("Lamps", LINES)
    assert article.html == "".join(f"<p>{line}</p>" for line in LINES)
    assert article.pattern == ""
    assert article.confidence is not None
    assert article.confidence < 0.5
    assert (article.date_published, article.date) == ("2020-05-06", "2020-05-06")
    assert article.authors[0].name == "Ann Oak"


@pytest.mark.parametrize(
    "spare",
    [
        "<noscript><div>{}</div></noscript>",
        "<textarea hidden><p>x</p></textarea><textarea hidden>{}</textarea>",
        '<iframe srcdoc="{}"></iframe>',
    ],
    ids=["noscript", "textarea", "srcdoc"],
)
@pytest.mark.parametrize(("length", "is_text"), [(90, True), (10, False)])
def test_a_text_in_an_element_that_shows_none(spare: str, length: int, is_text: bool) -> None:
    """It counts if it has paragraphs and is longer than a request to switch scripts on."""
    lines = [words(1, length), words(2, length)]
    inside = "".join(f"<p>{line}</p>" for line in lines)
    if "noscript" not in spare:
        inside = escape(inside)
    article = extracted(SHELL.replace("</main>", spare.format(inside) + "</main>"), "")
    assert (article is not None and article.text.split("\n") == lines) is is_text


def test_a_text_in_such_an_element_needs_a_headline_on_a_learned_site() -> None:
    """A page there without text is hardly an article; of an unknown site it may be."""
    lines = "".join(f"<p>{words(number, 90)}</p>" for number in (1, 2))
    page = Page(URL, f"<title>Lamps</title><body><noscript>{lines}</noscript>".encode())
    assert extract(page, learn([page])) is None
    assert extract(page, PatternSet(), ExtractOptions(fallback=True))


def test_a_page_with_a_text_of_its_own() -> None:
    """A text that the page shows is the article's, also if the page states another, or a longer one."""
    own = [words(3, 30), words(4, 30)]
    for body, stated in ((own, LINES), (LINES[:1], [*LINES, *own])):
        article = extracted("<h1>Lamps</h1>" + "".join(f"<p>{line}</p>" for line in body), "\n".join(stated))
        assert article
        assert article.text.split("\n") == body


STATE = {
    "site": {"title": "Press", "about": words(5, 90)},
    "others": [{"title": "Boats", "html": f"<p>{words(6, 90)}</p>"}],
}
FIRST, SECOND, REST = LINES[0].split(" ", 2)
BOLD = [{"text": f"{FIRST} "}, {"text": SECOND, "bold": True}, {"text": f" {REST}"}]
LEAF = {"type": "text", "marks": [{"type": "bold"}]}
LEAVES = [{**LEAF, "text": "A "}, {**LEAF, "text": "b,"}, {**LEAF, "text": f" {REST} "}]
NODES = [{"nodeType": "text", "mode": "normal", "value": text, "data": {}} for text in ("A ", "b, ", REST)]


@pytest.mark.parametrize(
    "text",
    [
        {"html": "".join(f"<p>{line}</p>" for line in LINES)},
        {"summary": LINES[0][:60], "body": "\n".join(LINES)},
        {"content": [{"type": "paragraph", "key": "a-b-c", "text": line} for line in LINES]},
        {"content": {"document": [{"children": BOLD}, {"children": [{"text": LINES[1]}]}]}},
    ],
)
@pytest.mark.parametrize(
    "script",
    [
        '<script id=__DATA__ type="application/json">{}</script>',
        "<script>window.__STATE__ = {}; run(window.__STATE__)</script>",
        "<script>var state = JSON.parse({})</script>",
        "<script>\n\n a = [1,]; var b = {'c': 2}\n window['d'] = {}\n; e = 1</script>",
        "<script>(function() {window.a = window.a || {'b': 1}; const c = {}})()</script>",
    ],
)
def test_a_text_that_is_only_in_the_state_of_a_script(script: str, text: dict[str, object]) -> None:
    """The object with the page's title is the article, not a longer one that a list links to."""
    data = json.dumps({**STATE, "post": {"id": 1, "title": "Lamps &amp; Co", **text}})
    script = script.replace("{}", json.dumps(data) if "parse" in script else data, 1)
    for title in ("Lamps & Co", "Lamps & Co - Press"):
        article = extract(f"<title>{title}</title><div id=app></div>{script}", url=URL)
        assert (article.title, article.text.split("\n")) == ("Lamps & Co", LINES)
        assert article.confidence is not None
        assert article.confidence < 0.5


@pytest.mark.parametrize(
    "pieces", [LEAVES, NODES, [LEAVES[0], {"type": "link", "content": LEAVES[1:2]}, LEAVES[2]]]
)
def test_a_text_in_pieces_with_their_kinds(pieces: list[dict[str, object]]) -> None:
    """The name of a kind or a style is no text, and the pieces of a paragraph are one line."""
    paragraphs = [{"type": "paragraph", "content": pieces}, {"type": "image"}, {"content": pieces}]
    data = json.dumps({"post": {"title": "Lamps", "body": {"type": "doc", "content": paragraphs}}})
    article = extract(f"<title>Lamps</title><script type=application/json>{data}</script>", url=URL)
    assert article.text.split("\n") == [f"A b, {REST}"] * 2


def test_pieces_with_marks_belong_to_one_paragraph() -> None:
    """So it is also where no piece begins or ends with a space: editors give marks to pieces alone."""
    pieces = [{"_type": "span", "marks": [], "text": text} for text in ("Light", "house", "s")]
    body = [{"_type": "block", "children": pieces}, *({"children": [{"text": line}]} for line in LINES)]
    data = json.dumps({"post": {"title": "Lamps", "body": body}})
    article = extract(f"<title>Lamps</title><script type=application/json>{data}</script>", url=URL)
    assert article.text.split("\n") == ["Lighthouses", *LINES]


def test_a_text_in_an_object_as_scripts_write_one() -> None:
    """Its keys have no quotes, and signs of HTML are escaped."""
    body = "".join(f"<p>{line}\\u003C/p>" for line in LINES)
    data = f'{{data:[{{post:{{id:1,title:"Lamps",body:"{body}",tags:[]}}}}],error:null,u:void 0}};'
    article = extract(f"<title>Lamps</title><script>window.__STATE__={data}</script>", url=URL)
    assert article.text.split("\n") == LINES


@pytest.mark.parametrize(
    "state",
    [
        json.dumps({**STATE, "post": {"title": "Harbour", "text": "\n".join(LINES)}}),
        json.dumps({"post": {"title": "Lamps", "text": "x" * 900, "more": "https://a.example/ " * 30}}),
        json.dumps({"post": {"title": "Lamps", "text": 9}})[:-3],
        '{"title": "Lamps", "text": ' + "[" * 9_000 + "]" * 9_000 + "}",
        "[1.5, null]",
        "f(1)",
        "",
    ],
)
def test_a_state_without_the_article(state: str) -> None:
    """Data of other pages, data that is no text, and what is no data give nothing."""
    for script in (f"<script>a = {state}</script>", f"<script type=application/json>{state}</script>"):
        assert extract(f"<title>Lamps</title><div></div>{script}", url=URL).text == ""


POST = json.dumps({"title": "Lamps", "body": "\n".join(LINES), "links": ["https://a.example/b"] * 50})
NUXT = [
    ["Reactive", 1],
    {"post": 2, "long": 6},
    {"id": 900, "title": 3, "body": 4},
    "Lamps",
    "\n".join(LINES),
    7,
    "a" * 2_000,
]

RENDERED = {
    "next": {"title": "Lamps", "id": 1},
    "posts": [
        STATE,
        {"title": {"rendered": "Lamps"}, "content": {"rendered": f"<p>{LINES[0]}<p>{LINES[1]}"}},
    ],
}


@pytest.mark.parametrize(
    "markup",
    [
        f"<script type=application/json>{json.dumps(NUXT)}</script>",
        f"<script type=application/json>{json.dumps([*NUXT, *[{'text': 4}] * 9_000])}</script>",
        f"<script type=application/json>{json.dumps({'status': 200, 'body': POST})}</script>",
        f"<script type=application/json>{json.dumps(RENDERED)}</script>",
        f'<div id=app data-page="{escape(json.dumps({"props": json.loads(POST)}))}"></div>',
        f'<div data-name=Post data-props="{escape(json.dumps({"props": json.loads(POST)}))}"></div>',
        f"<app-post :post='{json.dumps(json.loads(POST))}'></app-post>",
    ],
)
def test_other_ways_to_write_a_state(markup: str) -> None:
    """A state may be a list of texts and of objects that name them, a text in a state, or an attribute."""
    article = extract(f"<title>Lamps</title><p data-page=3>{markup}", url=URL)
    assert (article.title, article.text.split("\n")) == ("Lamps", LINES)


HTML = "".join(f"<p>{line} – ß</p>" for line in LINES)
LINES_OF_HTML = [f"{line} – ß" for line in LINES]
HTML_ROW = f"1f:T{len(HTML.encode()):x},{HTML}"
ELEMENTS = [["$", "p", None, {"children": line}] for line in LINES_OF_HTML]


def flight(*rows: str, size: int = 50) -> str:
    """Return the scripts in which a page has React's rows, cut anywhere."""
    text = "".join(rows)
    pieces = [json.dumps([1, text[at : at + size]]) for at in range(0, len(text), size)]
    begin = "(self.__next_f=self.__next_f||[])"
    scripts = [
        f"{begin}.push([0])",
        *(f"{begin if n else 'self.__next_f'}.push({one})" for n, one in enumerate(pieces)),
    ]
    return "".join(f"<script>{one}</script>" for one in scripts)


@pytest.mark.parametrize(
    "rows",
    [
        # an object, the text of which is in another row
        ('2:["$","$L3",null,{"post":{"title":"Lamps","body":"$1f"},"other":"$1f"}]\n', HTML_ROW),
        (HTML_ROW, json.dumps({"post": {"title": "Lamps", "body": "$1f"}}).join(("4:", "\n")), "5:{\n"),
        # elements
        ("2:" + json.dumps(["$", "div", None, {"children": ELEMENTS}]) + "\n",),
        (
            ':HL["/a.css","style"]\n3:I[4,["5"],"Body"]\n0:',
            json.dumps(
                {
                    "f": [
                        "main",
                        ["$", "$L3", None, {"children": [["$", "h1", "a", {"children": "Lamps"}], ELEMENTS]}],
                    ]
                }
            ),
        ),
        (
            "2:" + json.dumps(["$", "div", None, {"dangerouslySetInnerHTML": {"__html": "$1f"}}]) + "\n",
            HTML_ROW,
        ),
        # a text
        (HTML_ROW, "0:{}\n", "no row"),
    ],
)
def test_a_text_in_the_rows_of_react(rows: tuple[str, ...]) -> None:
    """The article is an object, or what the rows show, without its heading."""
    article = extract(f"<title>Lamps</title><h1>Lamps</h1>{flight(*rows)}", url=URL)
    assert (article.title, article.text.split("\n")) == ("Lamps", LINES_OF_HTML)


@pytest.mark.parametrize(
    "rows",
    [
        '2:["$","nav",null,{"children":' + json.dumps(ELEMENTS) + "}]\n",
        "2:" + json.dumps(["$", "p", None, {"children": " ".join(LINES)}]) + "\n",
        "2:" + '["$","p",null,{"children":' * 900 + json.dumps(" ".join(LINES)) + "}]" * 900,
        "2:" + "[" * 9_000,
        '2:["$"]\n3:["$",{"children":1}]\n4:["$","p",null,{"dangerouslySetInnerHTML":{}}]',
        "3:Tffffffff," + "x" * 999,
        "2:" + " " * 1_000_000 + json.dumps(ELEMENTS),
    ],
)
def test_rows_of_react_without_an_article(rows: str) -> None:
    """Menus, a single line, and what is no data give nothing."""
    assert extract(f"<title>Lamps</title><div></div>{flight(rows, size=10_000)}", url=URL).text == ""


def test_rows_of_react_do_not_grow() -> None:
    """A text that many objects name is read once."""
    rows = [f"1f:T{len(HTML.encode()):x},{HTML}", "2:" + json.dumps([{"html": "$1f"}] * 20_000)]
    assert (
        extract(f"<title>Lamps</title><div></div>{flight(*rows, size=10_000)}", url=URL).text.split("\n")
        == LINES_OF_HTML
    )


def test_a_state_beside_a_text() -> None:
    """A state counts only for a page that shows no text of its own."""
    shown = "".join(f"<p>{words(number, 60)}</p>" for number in range(8))
    state = json.dumps({"title": "Lamps", "text": "only here " * 300})
    article = extract(f"<title>Lamps</title>{shown}<script type=application/json>{state}</script>", url=URL)
    assert "only here" not in article.text


def test_a_summary_is_no_text() -> None:
    """A few words are no article, and an article with too low a confidence does not come out."""
    article = extracted(SHELL, "Lamps burn.")
    assert article is None or article.text != "Lamps burn."
    assert extracted(SHELL, "\n".join(LINES), min_confidence=0.9) is None


def test_what_is_stated_is_escaped() -> None:
    """Signs of markup in a stated text are text."""
    article = extracted(SHELL, f"{LINES[0]} 1 < 2 && <b\n{LINES[1]}")
    assert article
    assert article.html.startswith(f"<p>{LINES[0]} 1 &lt; 2 &amp;&amp; &lt;b</p>")


def test_pages_without_statements() -> None:
    """A page that states nothing gives what it gave before."""
    page = Page(URL, b"<title>Lamps</title><body><div></div>")
    assert explain(page, learn([page]), ExtractOptions(fallback=True)).article is None


@pytest.mark.parametrize("date", [True, False])
def test_a_page_without_a_block_and_without_a_day(date: bool) -> None:
    """What shows nothing at all has no lines in which a day could stand."""
    stated = json.dumps({"@type": "NewsArticle", "articleBody": "\n".join(LINES)})
    page = Page("http://press.example/", f'<script type="application/ld+json">{stated}</script>'.encode())
    for article in (
        extract(page, learn([page]), ExtractOptions(fallback=True, date=date, comments=True)),
        extract(page, options=ExtractOptions(min_confidence=1.0, date=date, comments=True)),
    ):
        assert article is not None
        assert (article.text.split("\n"), article.date, article.comments) == (LINES, None, ())
        assert (article.probability, article.comments_read) == (None, True)
