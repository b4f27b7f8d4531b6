"""Hidden text is none, but for what a control opens, what a script moves, and the main text."""

from __future__ import annotations

import pytest
from two_readings import URL, differences, reading

from scrapy_webstemmer import ExtractOptions, extract, learn
from scrapy_webstemmer.commands.html2txt import plain_lines
from scrapy_webstemmer.page.moved import new_order
from scrapy_webstemmer.page.shown import is_hidden
from scrapy_webstemmer.page.tree_pieces import TreePieces
from scrapy_webstemmer.values import Page

INTRO = "<p>The mill stands on a slow river, and its wheel still turns in spring.</p>"
LONG = "Flour was ground here by night, because the river was higher then. " * 6
HIDING = ["hidden", "style='display:none'", "style='color: red; VISIBILITY : Hidden !important'"]


def texts(html: str) -> list[str]:
    """Return the texts of a page's blocks, which are the same in both readings."""
    page = Page(URL, html.encode())
    assert differences(page) == {}
    return [block.text for block in reading(page)["blocks"]]


def article(body: str) -> str:
    """Return the text of a page that is read by itself."""
    page = Page(URL, f"<html><body><main><h1>The old mill</h1>{body}</main></body></html>".encode())
    found = extract(page, learn([page]), ExtractOptions(fallback=True))
    return found.text if found else ""


# --- What hides an element


@pytest.mark.parametrize("hiding", HIDING)
@pytest.mark.parametrize("tag", ["div", "p", "span", "b", "x-note", "li", "section"])
def test_hidden_elements_of_any_kind_have_no_text(tag: str, hiding: str) -> None:
    """An element that is hidden by an attribute or by its own style is skipped, block-level or not."""
    found = texts(f"<div>a <{tag} {hiding}>8448<i>b</i></{tag}>c</div>")
    assert " ".join(found) in ("a c", "ac")


@pytest.mark.parametrize("tag", ["dialog", "div popover", "p popover=auto"])
def test_what_opens_over_the_page_is_hidden(tag: str) -> None:
    """A dialog that is not open, and a popover, have no text."""
    assert texts(f"<p>a</p><{tag}>8448</{tag.split()[0]}>") == ["a"]
    assert texts("<p>a</p><dialog open>b</dialog>") == ["a", "b"]


def test_hidden_links_are_none() -> None:
    """A link that nobody sees has no text, and its target is still that of a link."""
    page = Page(URL, b"<p>a <a href=/trap style='display: none'>trap</a> c</p>")
    assert texts(page.body.decode()) == ["a c"]
    assert ("/trap", "trap") in reading(page)["targets"]


@pytest.mark.parametrize(
    ("style", "hides"),
    [
        ("display:none", True),
        ("Display:NONE;", True),
        ("color:red;visibility:collapse", True),
        ("display:none;display:block", False),
        ("display:block", False),
        ("content-visibility:hidden", False),
        ("x-display:none", False),
        ("background:url(none)", False),
    ],
)
def test_styles(style: str, hides: bool) -> None:
    """The last declaration of a property counts, and other properties hide nothing."""
    assert is_hidden({"style": style}) == hides


def test_the_html_of_an_article_has_nothing_hidden() -> None:
    """What is hidden within a paragraph is not in its HTML, and what a control opens is."""
    html = f"<p>One <b style='display:none'>x9</b><i>two</i>.</p><h2><button>More</button></h2><p>{LONG}</p>"
    page = Page(URL, f"<main><h1>Mill</h1>{INTRO}{html}</main>".encode())
    found = extract(page, learn([page]), ExtractOptions(fallback=True))
    assert found is not None
    assert "<p>One <i>two</i>.</p><h2>More</h2>" in found.html.replace("\n", "")


def test_formulas_behind_pictures() -> None:
    """A formula is read though it is hidden, where a picture shows it."""
    formula = "<span style='display: none'><math alttext='x^2'><mi>x</mi></math></span><img src=/x.svg>"
    assert "x^2" in "".join(texts(f"<p>Let {formula} hold.</p>"))


# --- What a control opens

PANELS = {
    "a button before it": "<h3><button aria-expanded=false>Q</button></h3><div hidden><p>A</p></div>",
    "a button without a heading": "<button aria-expanded='false'>Q</button><div hidden><p>A</p></div>",
    "a button with an icon": "<h4><button aria-expanded=false>Q<svg></svg></button></h4> <div hidden>A</div>",
    "a heading as a control": "<h3 aria-expanded=false tabindex=0>Q</h3><div hidden>A</div>",
    "a control as a box": "<div role=button aria-expanded=false>Q</div><div style='display:none'>A</div>",
    "a panel in a box": "<h3><button aria-expanded=false>Q</button></h3><div><div hidden>A</div></div>",
    "a term": "<dl><dt><button aria-expanded=false>Q</button></dt><dd hidden>A</dd></dl>",
    "a button that is a heading": "<h3><button>Q</button></h3><div hidden>A</div>",
    "a heading by its role": "<div role=heading aria-level=3><button>Q</button></div><div hidden>A</div>",
    "its id": "<h3><button aria-controls=p1>Q</button></h3><p>x</p><div id=p1 hidden>A</div>",
    "one of its ids": "<h3>Q</h3><button aria-controls='p0 p1'>+</button><p>x</p><div id=p1 hidden>A</div>",
    "a link to it": "<h3><a href='#p1'>Q</a></h3><p>x</p><section id=p1 style='display:none'>A</section>",
    "a target": "<h3><a data-bs-target='#p1'>Q</a></h3><p>x</p><div id=p1 hidden>A</div>",
    "a script": "<h3 onclick='toggle(this)'>Q</h3><div style='display:none'>A</div>",
    "a tab": "<ul><li>Q</ul><p>x</p><div role=tabpanel hidden>A</div>",
    "a search": "<h3>Q</h3><div hidden=until-found>A</div>",
    "details": "<details><summary>Q</summary>A</details>",
    "a class": "<h3 class=h><button data-bs-target='#p1'>Q</button></h3><div id=p1 class=collapse>A</div>",
}


@pytest.mark.parametrize("html", PANELS.values(), ids=PANELS)
def test_panels_and_their_labels_are_text(html: str) -> None:
    """A hidden element that a control opens is text, and so is the label of the control."""
    found = texts(f"<p>a</p>{html}<p>z</p>")
    assert [text for text in found if text not in ("x", "+")] == ["a", "Q", "A", "z"]


@pytest.mark.parametrize(
    "html",
    [
        "<button>Send</button><div hidden>Thank you</div>",
        "<button onclick='send()'>Send</button><div hidden>Thank you</div>",
        "<button aria-expanded=false>Menu</button><nav hidden>Home</nav>",
        "<button aria-controls=m>Ask</button><div id=m role=dialog hidden>Name</div>",
        "<button aria-controls=m>Ask</button><form id=m hidden>Name</form>",
        "<button aria-expanded=false>x</button><p>z</p><div hidden>far</div>",
        "<a href='#'>top</a><div hidden id=''>no</div>",
        "<!-- <button aria-controls=p1> --><div id=p1 hidden>A</div>",
    ],
)
def test_what_is_no_panel(html: str) -> None:
    """Messages, menus, dialogs and forms stay hidden, and so does what no control opens."""
    assert [text for text in texts(f"<p>a</p>{html}") if text not in ("z", "top")] == ["a"]


REST = f"<p>{'The millers took it in turns to watch the stone, and slept on sacks. ' * 2}</p>"


@pytest.mark.parametrize(
    ("html", "is_shown"),
    [
        (f"<div hidden>{REST}</div><button onclick='more()'>More</button>", True),
        (f"<div class=m style='display: none'>{REST}</div><p><a href='#' class=more>More</a></p>", True),
        (REST.replace("<p", "<p hidden") * 2 + "<a href='javascript:void(0)'>More</a>", True),
        (f"<p>{LONG}<span>...</span><span hidden>{REST[3:-4]}</span></p><button>More</button>", True),
        (f"<h2>B</h2><div hidden>{REST}</div><button>More</button>", False),
        (f"<div hidden>{REST}</div><a href='/more'>More</a>", False),
        (f"<div hidden>{REST}</div>", False),
        ("<div hidden><p>Thank you for writing.</p></div><button>Close</button>", False),
        (f"<div hidden><form><p>{REST[3:-4]}</p></form></div><button>Send</button>", False),
    ],
)
def test_the_rest_of_a_text_is_text(html: str, is_shown: bool) -> None:
    """It goes on behind a paragraph, and a control stands behind it, which may open it by a script."""
    assert any("slept on sacks" in text or "Thank" in text for text in texts(f"<p>a</p>{html}")) is is_shown


ANSWERS = ["The flour came by river and by cart.", "It ground for two hundred years."]
SERIES = {
    "buttons that open": "<div><button aria-expanded=false>{q}</button><div class=b><p>{a}</p></div></div>",
    "buttons with a heading": "<button><h3>{q}</h3><span></span></button><div class=closed><p>{a}</p></div>",
    "a class says so": "<button class=accordion>{q}</button><div class=panel><p>{a}</p></div>",
    "a class says so, hidden": "<button class='my-accordion'>{q}</button><div hidden>{a}</div>",
    "headings": "<div class=faq><h3>{q}</h3><div style='display: none'><p>{a}</p></div></div>",
    "headings with an icon": "<h3><a href='#'>{q}</a><i class=icon></i></h3><!-- c --><div hidden>{a}</div>",
    "headings in boxes": "<div class=head><div><h3>{q}</h3></div></div><div class=body hidden>{a}</div>",
    "terms": "<dl><dt>{q}</dt><dd style='display:none'>{a}</dd></dl>",
    "paragraphs": "<p class=toggle><b>{q}</b></p><div class=toggle_content style='display: none'>{a}</div>",
    "details": "<details><summary>{q}</summary><div hidden>{a}</div></details>",
}


@pytest.mark.parametrize("html", SERIES.values(), ids=SERIES)
def test_questions_with_their_answers_are_text(html: str) -> None:
    """Labels and panels side by side are text if there are several, though only their classes open them."""
    first, second = (html.format(q=f"Q{number}", a=answer) for number, answer in enumerate(ANSWERS))
    assert texts(f"<p>a</p>{first}{second}<p>z</p>") == ["a", "Q0", ANSWERS[0], "Q1", ANSWERS[1], "z"]


@pytest.mark.parametrize(
    "html",
    [
        "<p>Q{n}</p><div class=pop hidden>{a}</div>",  # no label
        "<button>Q{n}</button><div hidden>{a}</div>",  # nothing says that it opens something
        "<button class=accordion></button><div hidden>{a}</div>",
        "<button aria-expanded=false>Reply</button><nav>{a}</nav>",
        "<button aria-expanded=false>Reply</button><div><p>{a}</p></div>",  # the same label each time
        "<h3>Q{n}</h3><ul hidden><li><a href=/1>Flour by river and by cart</a></ul>",
        "<h3>Q{n}</h3><div hidden><label><input> Flour by river and by cart</label></div>",
        "<h3><a href=/{n}>Q{n}</a></h3><div class=excerpt hidden>{a}</div>",
        "<h3>Q{n}</h3><div role=dialog hidden>{a}</div>",
        "<h3>Q{n}</h3><div hidden>{n} seats</div>",
        "<h3>Q{n}</h3> text <div hidden>{a}</div>",
        "<div class=step hidden><h3>Q{n}</h3><p>{a}</p></div>",  # one behind the other: no label of the next
    ],
)
def test_what_is_no_series_of_questions(html: str) -> None:
    """Pop-ups, menus, filters, excerpts of other pages and controls of readers' comments are none."""
    pair = "".join(html.format(n=number, a=answer) for number, answer in enumerate(ANSWERS))
    shown = texts(f"<p>a</p>{pair}<p>z</p>")
    assert not {"Reply", "0 seats", "Flour by river and by cart"}.intersection(shown)
    assert ("hidden" not in html) == (ANSWERS[0] in shown)


def test_a_button_does_not_swallow_the_page() -> None:
    """Below an element that is not closed in a button, libxml2 takes all that follows for the button's."""
    story = "".join(f"<p>Part {number}</p>" for number in range(120))
    swallowed = f"<header><button>Menu<div><div></button></header><main>{story}</main>"
    assert texts(f"{swallowed}<p>z</p>")[-121:] == [*(f"Part {number}" for number in range(120)), "z"]
    assert texts("<p>a</p><button>Menu <b>1</b></button>") == ["a"]


@pytest.mark.parametrize(
    "heading", ["<h2>Mill <button>Share</button></h2>", "<h2><button>+</button> Mill</h2>"]
)
def test_buttons_beside_a_heading_are_no_text(heading: str) -> None:
    """A button is the text of a heading only if there is no other."""
    assert texts(heading) == ["Mill"]


def test_an_accordion_in_an_article() -> None:
    """Questions and answers of an article are in its text, in their order."""
    items = "".join(
        f"<h3><button aria-expanded=false>Question {n}?</button></h3>"
        f"<div hidden><p>The answer is {n}.</p></div>"
        for n in ("one", "two", "three")
    )
    found = article(f"{INTRO}<p>{LONG}</p>{items}").split("\n")
    assert [line for line in found if "one" in line or "two" in line or "three" in line] == [
        *(
            f"{word} {n}{end}"
            for n in ("one", "two", "three")
            for word, end in (("Question", "?"), ("The answer is", "."))
        ),
    ]


# --- The main text


@pytest.mark.parametrize("hiding", HIDING)
@pytest.mark.parametrize("tag", ["div", "main", "x-app"])
def test_the_main_text_is_text_though_it_is_hidden(tag: str, hiding: str) -> None:
    """An element with more text than the rest of the page is shown by some script."""
    html = f"<p>Menu</p><{tag} {hiding}><h1>Mill</h1><p>{LONG}</p><i hidden>8448</i></{tag}><p>foot</p>"
    assert texts(html) == ["Menu", "Mill", LONG.strip(), "foot"]


@pytest.mark.parametrize(
    "html",
    [
        f"<x-island><template data-x><p>{LONG}</p></template></x-island>",
        f"<template id=1><div><p>{LONG}</p><template><p>{{x}}</p></template></div></template>",
        f"<x-stream target=m><template><p>{LONG}</p><p hidden>8448</p></template></x-stream>",
    ],
)
def test_the_main_text_is_text_though_it_is_in_a_template(html: str) -> None:
    """A template with more text than the rest of the page is put into it by some script."""
    assert texts(f"<p>Menu</p>{html}<p>foot</p>") == ["Menu", LONG.strip(), "foot"]
    assert texts(f"<p>{2 * LONG}</p>{html}") == [(2 * LONG).strip()]


@pytest.mark.parametrize(
    "html",
    [
        f"<p>{LONG}</p><div style='display:none'>{LONG}</div>",
        "<div style='display:none'>8448</div>",
        f"<div style='display:none'><a href=/x>{LONG}</a></div>",
        f"<div role=dialog style='display:none'>{LONG}</div>",
    ],
)
def test_what_is_not_the_main_text(html: str) -> None:
    """A hidden copy, a number, a menu or a dialog is none, also where a page has nothing else."""
    assert LONG.strip() not in texts(f"<p>Menu</p>{html}")[1:] or html.startswith("<p>")
    assert len(texts(f"<p>Menu</p>{html}")) == 1 + html.startswith("<p>")


# --- What a script moves


def streamed(places: str, parts: str) -> str:
    return f"<body><header>Head</header><main><h1>Mill</h1>{places}</main><footer>Foot</footer>{parts}</body>"


WAITING = "<!--$?--><template id='B:0'></template><p>Loading</p><!--/$-->"
MOVED = {
    "one part": (
        f"<div>{WAITING}</div>",
        '<div hidden id="S:0"><p>one</p><p>two</p></div><script>$RC("B:0","S:0")</script>',
    ),
    "without what stands for it": (
        "<template id=B:a></template>",
        "<div hidden id=S:a>one<p>two</div><script>$RC('B:a','S:a')</script>",
    ),
    "a script elsewhere": (WAITING, "<div hidden id='S:0'><p>one</p><p>two</p></div>"),
    "with a prefix": ("<template id='app-B:1f'></template>", "<div hidden id='app-S:1f'><p>one<p>two</div>"),
    "part in part": (
        WAITING,
        "<div hidden id='S:0'><p>one</p><template id='P:1'></template></div>"
        "<div hidden id='S:1'><p>two</p></div>"
        '<script>$RS("S:1","P:1")</script><script>$RC("B:0","S:0")</script>',
    ),
    "two parts": (
        "<!--$?--><template id='B:0'></template>x1<!--/$-->"
        "<!--$?--><template id='B:1'></template>x2<!--/$-->",
        "<div hidden id='S:1'><p>two</p></div><div hidden id='S:0'><p>one</p></div>",
    ),
    "boundaries in what stands for it": (
        "<!--$?--><template id='B:0'></template><!--$-->x1<!--/$--><!--$!-->x2<!--/$--><!--/$-->",
        "<div hidden id='S:0'><p>one</p><p>two</p></div>",
    ),
    "rows": (
        "<table><tr><td>one</td></tr><template id=P:2></template></table>",
        "<table hidden><tbody id=S:2><tr><td>two</td></tr></tbody></table>",
    ),
    "names of its own": (
        "<template id='place-1'></template>",
        "<section style='display:none' id='text-1'><p>one</p><p>two</p></section>"
        "<script>put('text-1', 'place-1')</script>",
    ),
}


@pytest.mark.parametrize(("places", "parts"), MOVED.values(), ids=MOVED)
def test_parts_are_read_in_their_places(places: str, parts: str) -> None:
    """A hidden part is read at the place of its template, instead of what stands there until it comes."""
    assert texts(streamed(places, parts)) == ["Head", "Mill", "one", "two", "Foot"]


def test_parts_of_pages_of_xhtml() -> None:
    """An empty template has an end tag of its own there, and is a place all the same."""
    doctype = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "xhtml1-strict.dtd">'
    part = "<div hidden id='S:0'>the part</div>"
    for place, shown in ((WAITING, "the part"), ("a <template id='B:0'></template> z", "a the part z")):
        assert texts(doctype + streamed(place, part)) == ["Head", "Mill", shown, "Foot"]


def test_text_around_places_and_parts_stays() -> None:
    """What stands before and behind a place, and behind a part, stays there."""
    place = "before <template id='B:0'></template> behind"
    assert texts(streamed(f"<p>{place}</p>", "<div hidden id='S:0'>the part</div>tail")) == [
        *("Head", "Mill", "before the part behind", "Foot", "tail"),
    ]


@pytest.mark.parametrize(
    "parts",
    [
        "<div id='S:0'>shown</div>",  # it is not hidden
        "<div id='S:1' hidden>part</div>",  # it belongs to another place
        "<div id='S:0' hidden></div>",  # nothing has come
    ],
)
def test_what_is_not_moved(parts: str) -> None:
    """A place without its part shows what stands for it."""
    found = texts(streamed(WAITING, parts))
    assert found[:4] == ["Head", "Mill", "Loading", "Foot"]


def test_templates_of_scripts_are_no_places() -> None:
    """A template with content belongs to a script, and what has its id's number is no part of it."""
    html = "<template id='B:0'><p>{{name}}</p></template>"
    assert texts(streamed(html, "<div hidden id='S:0'>part</div>")) == ["Head", "Mill", "Foot"]


def test_a_chain_of_parts_is_not_followed_for_ever() -> None:
    """Parts in parts are read to a depth that no real page has; then all stays where it is."""
    parts = "".join(f"<div hidden id=S:{n}>t{n}<template id=B:{n + 1}></template></div>" for n in range(400))
    assert texts(streamed("<template id=B:0></template>", parts)) == ["Head", "Mill", "Foot"]
    few = "".join(f"<div hidden id=S:{n}>t{n}<template id=B:{n + 1}></template></div>" for n in range(9))
    assert texts(streamed("<template id=B:0></template>", few))[2] == "".join(f"t{n}" for n in range(9))


def test_a_part_before_its_place_or_in_it() -> None:
    """A part that holds its own place, or stands before it, is left where it is."""
    assert texts("<div hidden id=S:0>x<template id=B:0></template></div><p>a") == ["a"]
    assert texts("<div hidden id=S:0>x</div><p>a<template id=B:0></template>") == ["a"]


def test_an_order_has_every_piece_once() -> None:
    """No piece is lost or comes twice, whatever stands in what."""
    pieces = [
        "body>",
        'template id="B:0"/>',
        "p>",
        'template id="P:1"/>',
        "/p>",
        'div hidden="" id="S:0">x',
        "b>",
    ]
    pieces += ["/b>", "/div>", 'div hidden="" id="S:1">y', "/div>", "/body>"]
    order = new_order(TreePieces(pieces).told(), lambda: pieces)
    assert order is not None
    numbers = [number for begin, end in order for number in range(begin, end)]
    assert sorted(numbers) == [*range(len(pieces))]


def test_links_and_facts_are_those_of_the_source() -> None:
    """What links and other elements state is read in the order of the source."""
    part = "<div hidden id=S:0><a rel=author href=/ann>Ann</a></div>"
    html = streamed("<template id=B:0></template>", f"<a rel=author href=/bob>Bob</a>{part}")
    page = Page(URL, html.encode())
    assert differences(page) == {}


# --- Shadow roots


@pytest.mark.parametrize("mode", ["open", "closed"])
def test_shadow_roots_are_text(mode: str) -> None:
    """A template that is the content of the element around it is read, one in it as well; others are not."""
    inner = f"<x-y><template shadowrootmode={mode}><style>p {{}}</style><p>two</p></template></x-y>"
    html = (
        f"<x-z><template shadowrootmode='{mode}'><p>one</p>{inner}<slot></slot></template><p>three</p></x-z>"
    )
    assert texts(f"{html}<template><p>no</p></template>") == ["one", "two", "three"]
    assert [*plain_lines(Page(URL, html.encode()))] == ["one", "two", "three"]


def test_an_article_in_a_shadow_root() -> None:
    """The text of an article may stand in the shadow root of an element."""
    text = f"<story-text><template shadowrootmode=open>{INTRO}<p>{LONG}</p></template></story-text>"
    assert LONG.strip() in article(text)


@pytest.mark.parametrize("tag", ["article", "main", "my-app", "search"])
@pytest.mark.parametrize(
    "head",
    [
        "<title>A</title>",
        "<meta charset=utf-8>",
        "<head><script>'<nav>'</script><!-- <div> -->",
        "<link rel=x><title>A",
    ],
)
def test_a_body_without_a_tag(head: str, tag: str) -> None:
    """Parsers leave elements in the head that they do not know; browsers begin the body there."""
    head += "</title>" * ("<title>A" in head and "</title>" not in head)
    assert texts(f"{head}<{tag}><p>a</p></{tag}><div>b</div>") == ["a", "b"]


def test_other_heads_stay() -> None:
    """A page with a tag for its body has one, with its classes; one of frames has none."""
    page = Page(URL, b"<head><my-icons></my-icons></head><body class=post><p>a</p></body>")
    assert differences(page) == {}
    assert reading(page)["steps"][0].classes == ("post",)
    assert texts("<title>A</title><frameset><frame src=/a></frameset>") == []


@pytest.mark.parametrize(
    "end", ["</body></html>", "</BODY>\n</HTML >", "</body>", "</html>", "</body></html></body></html>"]
)
def test_what_follows_the_end_of_the_body_is_text(end: str) -> None:
    """Some templates end the page before the text, and browsers show it."""
    assert texts(f"<html><body><div><p>a</p></div>{end} <div><p>b</p></div></body></html>") == ["a", "b"]
    assert texts(f"<p>a</p>{end}<script>var a = '<p>b</p>'</script><p>c</p>{end}") == ["a", "c"]


def test_a_label_that_is_not_seen_hides_its_label_alone() -> None:
    """Drupal says of a field that its label is hidden."""
    label = "<div class='field__label visually-hidden'>Body</div>"
    assert texts(f"<div class='field field--label-visually_hidden'>{label}<p>a</p></div>") == ["a"]


def hidden_address(address: str, key: int = 0x5A) -> str:
    """Return an address as Cloudflare hides it from programs."""
    return bytes([key, *(byte ^ key for byte in address.encode())]).hex()


@pytest.mark.parametrize("tag", ["span class=__cf_email__", "a href=/cdn-cgi/l/email-protection"])
@pytest.mark.parametrize("quote", ['"', "'", ""])
def test_a_hidden_address_is_shown(tag: str, quote: str) -> None:
    """An address of mail is read as the page's script shows it, also in code."""
    hidden = f"{quote}{hidden_address('ann@mill.example')}{quote}"
    element = f"<{tag} data-cfemail={hidden}>[email&#160;protected]</{tag.split()[0]}>"
    assert texts(f"<p>Write to {element} now</p>") == ["Write to ann@mill.example now"]
    assert texts(f"<pre>git@{element}</pre>") == ["git@ann@mill.example"]


@pytest.mark.parametrize(
    "hidden", [hidden_address("no address"), hidden_address("ä@b"), "5a3", "5a", "xyz123"]
)
def test_what_is_no_hidden_address_stays(hidden: str) -> None:
    """Other values of the attribute change nothing."""
    assert texts(f"<p>to <span data-cfemail={hidden}>us</span></p>") == ["to us"]


# --- What a browser moves into slots

ROOT = "<template shadowrootmode=open>"
SLOTS = {
    "between": (f"{ROOT}<p>1</p><slot></slot><p>3</p></template><p>2</p>", ["1", "2", "3", "tail"]),
    "by name": (
        f"{ROOT}<h2><slot name=t>Untitled</slot></h2><slot></slot></template>a<b slot=t>T</b>c",
        ["T", "ac", "tail"],
    ),
    "by name alone": (
        f"{ROOT}<h2><slot name=t></slot></h2></template>a<b slot=t>T</b>c",
        ["T", "ac", "tail"],
    ),
    "filled": (f"{ROOT}<div><slot>Loading</slot></div></template><p>a</p>", ["a", "tail"]),
    "not filled": (f"{ROOT}<p><slot>Nothing</slot></p></template> ", ["Nothing", "tail"]),
    "text alone": (f"{ROOT}<p>1</p><slot>x</slot></template>2", ["1", "2", "tail"]),
    "roots in roots": (
        f"{ROOT}<x-in>{ROOT}<p>1</p><slot></slot></template><slot></slot></x-in></template><p>2</p>",
        ["1", "2", "tail"],
    ),
    "comments": (f"{ROOT}<slot/></template><!-- <slot> --><p>1</p><!-- b -->2", ["1", "2", "tail"]),
    "slots in slots": (
        f"{ROOT}<slot name=a><slot></slot></slot></template><p>x</p><b slot=a>A</b>",
        ["A", "tail"],
    ),
}


@pytest.mark.parametrize(("html", "shown"), SLOTS.values(), ids=SLOTS)
def test_slots_show_what_the_element_holds(html: str, shown: list[str]) -> None:
    """What an element with a shadow root holds is read in the slots, instead of what stands in them."""
    assert texts(f"<x-story>{html}</x-story><p>tail</p>") == shown


def test_controls_in_slots_and_what_they_replace() -> None:
    """A control in a slot opens its panel, and one that is left out does not disturb the others."""
    old, new = ("<button aria-expanded=false>Q</button><div hidden>A</div>" for _ in range(2))
    html = f"<x-story>{ROOT}<slot>{old}<a href='#p1'>x</a></slot></template>{new}</x-story>"
    assert texts(f"{html}<h3><a href='#p2'>B</a></h3><div id=p2 hidden>C</div>") == ["Q", "A", "B", "C"]
