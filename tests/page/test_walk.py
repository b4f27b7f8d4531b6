"""The walk from a page's tree to its layout blocks, with the tags of today."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from oracles import is_subsequence, visible_texts

from scrapy_webstemmer.page.parsing import parse
from scrapy_webstemmer.page.tags import CLASSIC, TODAY
from scrapy_webstemmer.page.text import weight
from scrapy_webstemmer.page.walk import layout_of
from scrapy_webstemmer.values import Layout, Page

URL = "http://www.example.com/a/page.html"


def layout(html: str, *, keep_markup: bool = False) -> Layout:
    return layout_of(URL, parse(Page(URL, html.encode())), keep_markup=keep_markup)


def blocks(html: str) -> list[tuple[str, str]]:
    """Return tag and text of each block of a page."""
    found = layout(html)
    return [(found.steps[block.node].tag, block.text) for block in found.blocks]


def test_text_around_a_block_is_two_blocks() -> None:
    """A block ends where a block-level element begins or ends, at any depth."""
    html = "<main>before<div>a<ul><li>b<p>c</p>d</li></ul>e</div>after</main>"
    assert blocks(html) == [
        ("main", "before"),
        ("div", "a"),
        ("li", "b"),
        ("p", "c"),
        ("li", "d"),
        ("div", "e"),
        ("main", "after"),
    ]


def test_inline_tags_are_transparent() -> None:
    """Inline markup, unknown tags and comments do not divide a text."""
    assert blocks("<p>a<b>b</b><i>c <u>d</u></i><x-y>e</x-y><!-- not here -->f</p>") == [("p", "abc def")]


@pytest.mark.parametrize(
    ("element", "text"),
    [
        ("<x-ad><b>Advertisement</b></x-ad><p>c</p>", "Advertisement"),
        ("<x-ad><p>Advertisement</p></x-ad> c", "Advertisement"),
        ("<x-ad><!-- d -->Advertisement</x-ad>\n<!-- e --><x-share>c</x-share>", "Advertisement"),
        ("and <x-ad>e</x-ad><p>c</p>", "and e"),
        ("<x-ad>d</x-ad> and e<p>c</p>", "d and e"),
    ],
)
def test_custom_elements(element: str, text: str) -> None:
    """Those that begin with a block, or are a line alone, are blocks; their name is that of a class."""
    page = layout(f"<div>a<p>b</p>{element}</div>")
    block = page.blocks[2]
    assert block.text == text
    around = {step.classes for step in page.steps}
    assert (("x-ad",) in around) == (text == "Advertisement")


def test_custom_elements_in_headings() -> None:
    """In a heading or a paragraph they are inline, even if they are all that it has."""
    assert blocks("<h1><x-title>a</x-title></h1><p><x-link>b</x-link></p>") == [("h1", "a"), ("p", "b")]


def test_cuts_end_a_block() -> None:
    """br and hr end a block, but are not steps of the path."""
    found = layout("<p>a<br>b<br><br>c</p><div>d<hr>e</div>")
    assert [block.text for block in found.blocks] == ["a", "b", "c", "d", "e"]
    assert [step.tag for step in found.steps] == ["body", "p", "div"]


def test_a_listing_is_one_block() -> None:
    """In a pre element br ends a line, as programs that colour code write it. A line of signs is kept."""
    html = "<pre><span>if (x) {</span><br><span>  run();</span><br><br><span>}</span><br></pre><p>a<br>b</p>"
    assert blocks(html) == [("pre", "if (x) {\n  run();\n\n}"), ("p", "a"), ("p", "b")]


def test_preformatted_text_keeps_its_lines() -> None:
    """Line breaks and indentation stay in a pre element; elsewhere, also after it, white space is folded."""
    html = "<pre>\ndef f():\n    <b>pass</b>  \n</pre><p> more\n\n text </p>"
    assert blocks(html) == [("pre", "def f():\n    pass"), ("p", "more text")]


@pytest.mark.parametrize(
    "tag",
    (
        "script style noscript template svg textarea select button iframe object video canvas noembed "
        "noframes"
    ).split(),
)
def test_skipped_elements_are_skipped_but_for_their_tails(tag: str) -> None:
    """An element without text for readers is skipped with all its content; the text after it is not."""
    assert blocks(f"<div>a <{tag}>b<p>c</p></{tag}>d<p>e</p></div>")[:1] == [("div", "a d")]


@pytest.mark.parametrize("hidden", ["hidden", "hidden=''", "hidden=hidden"])
def test_hidden_elements_are_skipped(hidden: str) -> None:
    """A block-level element with the attribute hidden is skipped with all its content."""
    assert blocks(f"<p>a</p><div {hidden}>b<p>c</p></div>d") == [("p", "a"), ("body", "d")]


def test_what_a_search_in_the_page_reveals_is_text() -> None:
    """An element that is hidden until its text is found is no more hidden than one that is folded."""
    assert blocks("<p>a</p><div hidden=until-found>b</div>") == [("p", "a"), ("div", "b")]


def test_nothing_was_hidden_in_2009() -> None:
    """By the rules of 2009, an attribute hides nothing, nor does a style."""
    page = parse(Page(URL, b"<p hidden>long enough<p style='display:none'>and this as well<p>end"))
    assert [block.text for block in layout_of(URL, page, CLASSIC).blocks][:2] == [
        "long enough",
        "and this as well",
    ]


def test_a_name_is_no_link() -> None:
    """The text behind the name of a place is no link's, though old pages do not end the name."""
    found = layout("<a name=top><h1>Head</h1><p>two <a href=x>three</a></p><p>four</p>")
    assert [(block.text, block.weight - block.plain) for block in found.blocks] == [
        ("Head", 0),
        ("two three", 5),
        ("four", 0),
    ]
    (button,) = layout("<p><a onclick=x()>Enlarge</a></p>").blocks
    assert button.plain == 0


def test_texts_without_significant_characters_are_no_blocks() -> None:
    """Bullets, dashes and white space alone are not a block."""
    assert blocks("<p>—</p><p> \n</p><p>* * *</p><p>&nbsp;</p><p>1</p>") == [("p", "1")]


def test_weights() -> None:
    """A block's weight counts letters, digits and ideographs; those outside links are counted separately."""
    (block,) = layout("<p>See <a href=x>the <b>map</b></a>, 日本!</p>").blocks
    assert (block.weight, block.plain) == (11, 5)


def test_the_same_markup_on_other_pages() -> None:
    """Known markup gets its meaning on each page anew: in code, or in a link to the page itself."""
    pieces = "<div>\n <b>\n x</b></div>\n "
    assert blocks(f"{pieces}<pre>{pieces}</pre>{pieces}") == [("p", "x"), ("div", " x"), ("p", "x")]
    html = f'<p><a href="{URL}">x</a><a href="http://other.org/">x</a></p>'
    other = layout_of("http://other.org/a", parse(Page(URL, html.encode())))
    assert ([*layout(html).leads], [*other.leads]) == ([0, 0], [0, 1])


def test_link_around_blocks() -> None:
    """A link may hold whole blocks: all their text is in the link, and the text after them is not."""
    found = layout("<a href=x><div>linked</div></a><div>free</div>")
    assert [(block.text, block.plain) for block in found.blocks] == [("linked", 0), ("free", 4)]


@pytest.mark.parametrize(
    ("href", "leads"),
    [
        ("other.html", 1),
        ("../other.html?a=1#b", 1),
        ("/", 1),
        ("?page=2", 0),
        ("page.html?replytocom=7", 0),
        ("page.html", 0),
        ("/a/page.html/", 0),
        ("/%61/p%61ge.html", 0),
        ("https://example.com/a/page.html?utm=1", 0),
        ("/a/", 1),
        ("/page.html", 1),
        ("http://www.example.com/other.html", 1),
        ("https://WWW.example.COM/", 1),
        ("//www.example.com/other.html", 1),
        (" \n/other.html", 1),
        ("http://shop.example.com/", 0),
        ("//example.org/www.example.com", 0),
        ("#top", 0),
        ("", 0),
        ("mailto:desk@example.com", 0),
        ("javascript:go('/a')", 0),
        (" JavaScript:go()", 0),
        ("tel:12345", 0),
        ("ms-word:ofe|u|a", 0),
        ("java\tscript:go()", 0),
        ("HTTP://www.example.com/other.html", 1),
        ("HTTP://shop.example.com/", 0),
        ("http://www.example.com/a/page.html#below", 0),
        ("http://www.example.com/other.html#below", 1),
        ("2026/10:30.html", 1),
    ],
)
def test_links_and_leads(href: str, leads: int) -> None:
    """Every link counts for the element that holds it; links to another page of the host are leads."""
    found = layout(f'<div><span><a href="{href}">x</a></span></div>')
    assert [*found.links] == [0, 1]
    assert [*found.leads] == [0, leads]


@pytest.mark.parametrize("href", ["a.jpg", "/big/a.PNG?w=9", "http://pictures.example.com/a.webp"])
def test_a_link_to_a_picture_is_none(href: str) -> None:
    """A picture is no page: a caption below a linked picture does not count as a teaser."""
    found = layout(f'<div><a href="{href}">larger</a></div>')
    assert [*found.links, *found.leads] == [0, 0, 0, 0]
    assert [block.plain for block in found.blocks] == [block.weight for block in found.blocks]


@pytest.mark.parametrize(
    ("link", "links", "plain"),
    [
        ("<a href=y>text</a>", 1, 0),
        ("<a href=y></a>text", 1, 4),  # an empty overlay over a teaser
        ("<a onclick=z>text</a>", 1, 0),
        ("<a id=x class=share>text</a>", 1, 0),
        ("<a name=x>text</a>", 0, 4),
        ("<a name=x class=mark>text</a>", 0, 4),
        ("<a id=x>text</a>", 0, 4),
        ("<a id=x></a>text", 0, 4),
    ],
)
def test_what_only_names_a_place_is_no_link(link: str, links: int, plain: int) -> None:
    """What only names a place is none; what may lead somewhere is one, though it has no target or text."""
    found = layout(f"<div>{link}</div>")
    assert ([*found.links], found.blocks[0].plain) == ([0, links], plain)


@pytest.mark.parametrize(
    "title",
    [
        '<h3><a href="#{0}"><span>Does it float?</span></a></h3>',
        '<h4><a href="">Does it float?</a></h4>',
        '<h3><a href="javascript:void(0)">Does it float?</a></h3>',
        '<div><a class="card-link" data-toggle="collapse" href="#{0}">Does it float?</a></div>',
        '<div><a class="elementor-accordion-title" tabindex="0">Does it float?</a></div>',
    ],
)
def test_a_title_that_opens_its_part_is_no_link(title: str) -> None:
    """A link that only opens what stands below it counts as a heading of the author's."""
    page = layout(title)
    (block,) = page.blocks
    assert (block.text, block.plain, sum(page.links)) == ("Does it float?", block.weight, 0)


@pytest.mark.parametrize(
    "link",
    [
        '<h3><a href="/floats">Does it float?</a></h3>',
        '<h3><a href="https://shop.example.org/">Does it float?</a></h3>',
        '<p><a href="#answer">Does it float?</a></p>',
        '<p><a class="faq" href="/floats">Does it float?</a></p>',
    ],
)
def test_other_titles_and_texts_are_links(link: str) -> None:
    """A title that leads to another page is a link, and so is a text that leads to a place below."""
    page = layout(link)
    assert (sum(page.links), page.blocks[0].plain) == (1, 0)


def test_steps_show_ids_and_classes() -> None:
    """A step has the tag, the stripped id, and the classes in the order of the source."""
    found = layout("<div id=' main ' class=' b  a\n'><P CLASS=x>y</div>")
    assert found.steps == (("body", "", ()), ("div", "main", ("b", "a")), ("p", "", ("x",)))
    assert [*found.parents] == [-1, 0, 1]


def test_head_is_read_apart() -> None:
    """The head's text is not a block; its title and og:title are kept with folded white space."""
    html = (
        "<head><title> One &amp;\n two </title><meta property='og:title' content=' One\ttwo '>"
        "<style>p {}</style></head><body><p>text"
    )
    found = layout(html)
    assert [block.text for block in found.blocks] == ["text"]
    assert (found.title_element, found.og_title) == ("One & two", "One two")


def test_only_the_first_title_counts() -> None:
    """A page's title is its first title element, and its og:title the first one, even if it is empty."""
    head = "<title>a</title><meta name='og:title'><meta property='og:title' content='b'>"
    found = layout(f"<head>{head}</head><p>c</p><svg><title>d</title></svg>")
    assert (found.title_element, found.og_title) == ("a", "")


@pytest.mark.parametrize(
    "html", ["", "   ", "<html></html>", "<!-- a -->", "<frameset><frame src=a></frameset>"]
)
def test_page_without_text_has_no_blocks(html: str) -> None:
    """An empty page gives a layout with a root and nothing in it."""
    found = layout(html)
    assert found.blocks == ()
    assert [*found.parents] == [-1]
    assert (found.title_element, found.og_title) == ("", "")


def test_text_without_markup_is_one_block() -> None:
    """Text that is not HTML is a block, even if it happens to be JSON."""
    assert [block.text for block in layout('{"key": "value"}').blocks] == ['{"key": "value"}']
    assert [block.text for block in layout("no markup").blocks] == ["no markup"]


def test_deep_nesting() -> None:
    """The walk goes down 10,000 nested elements without recursion, as far as the parser keeps them."""
    found = layout("<p>first</p>" + "<div>a" * 10_000)
    assert found.blocks[0].text == "first"
    assert len(found.blocks) > 1000
    assert found.parents[-1] == len(found.parents) - 2


#: ``math`` is read as the formula in it, which is a matter of other tests.
_TAGS = sorted((TODAY.block | TODAY.skipped | TODAY.cut | {"a", "b", "span", "img"}) - {"head", "math"})
_texts = st.text("ab1 \n", max_size=4)


def _element(tag: str, hidden: bool, text: str, children: list[tuple[etree._Element, str]]) -> etree._Element:
    element = etree.Element(tag)
    element.text = text
    if hidden and tag in TODAY.block:
        element.set("hidden", "")
    for child, tail in children:
        element.append(child)
        child.tail = tail
    return element


_hidden = st.integers(0, 7).map(lambda number: number == 7)


def _with_children(children: st.SearchStrategy[list[tuple[etree._Element, str]]]) -> st.SearchStrategy:
    return st.builds(_element, st.sampled_from(_TAGS), _hidden, _texts, children)


_trees = st.lists(
    st.tuples(
        st.recursive(
            _with_children(st.just([])),
            lambda inner: _with_children(st.lists(st.tuples(inner, _texts), max_size=4)),
            max_leaves=12,
        ),
        _texts,
    ),
    max_size=4,
).map(lambda children: _element("body", False, "", children))


@given(_trees)
def test_every_visible_text_is_in_one_block(body: etree._Element) -> None:
    """Each visible text of a page is in one block, in the order of the page, at its nearest block-level tag.

    The comparison ignores white space, since a block may end where white space divides words.
    """
    expected = [(sign, tag) for word, tag in visible_texts(body, TODAY) for sign in word]
    found = layout_of(URL, body)
    tags = [found.steps[block.node].tag for block in found.blocks]
    seen = [(s, tag) for b, tag in zip(found.blocks, tags, strict=True) for s in "".join(b.text.split())]
    assert seen == expected


@given(_trees)
def test_weights_of_any_page(body: etree._Element) -> None:
    """A block's weight is the weight of its text, and its weight outside links is not larger."""
    for block in layout_of(URL, body).blocks:
        assert block.weight == weight(block.text) > 0
        assert 0 <= block.plain <= block.weight


@given(_trees)
def test_parents_come_first(body: etree._Element) -> None:
    """A parent has a lower number than its children, and every block has a node."""
    found = layout_of(URL, body)
    assert all(parent < node for node, parent in enumerate(found.parents))
    assert len(found.steps) == len(found.parents) == len(found.links) == len(found.leads)
    assert all(block.node < len(found.steps) for block in found.blocks)


@given(_trees)
def test_the_tree_is_left_as_it_is(body: etree._Element) -> None:
    """A walk changes nothing in the tree."""
    before = etree.tostring(body)
    layout_of(URL, body, keep_markup=True)
    assert etree.tostring(body) == before


@given(_trees)
def test_markup_goes_with_the_layout(body: etree._Element) -> None:
    """Kept markup does not change the layout; it has the pieces of nodes and blocks."""
    kept = layout_of(URL, body, keep_markup=True)
    assert replace(kept, markup=None) == layout_of(URL, body)
    markup = kept.markup
    assert markup is not None
    assert markup.tree() is body
    tags = [markup.pieces[number].partition(">")[0].partition(" ")[0].strip("/") for number in markup.nodes]
    assert tags == [step.tag for step in kept.steps]
    for block, (first, end) in zip(kept.blocks, markup.blocks, strict=True):
        texts = "".join(piece.partition(">")[2] for piece in markup.pieces[first:end])
        assert is_subsequence("".join(block.text.split()), texts)
        assert markup.nodes[block.node] <= first < end <= len(markup.pieces)


def test_images_between_blocks() -> None:
    """Images of a run without text are kept with their place; those in a block are part of the block."""
    linked = "<a href=/x><img src=3></a>"
    html = f"<p>one <img src=1></p><div><img src=2>{linked} — <hr><img src=4>two</div><img src=5>"
    found = layout(html, keep_markup=True)
    assert found.markup is not None
    assert [(image.before, image.node, image.link) for image in found.markup.images] == [
        (1, 2, None),
        (1, 2, "/x"),
        (2, 0, None),
    ]


def test_signs_that_markup_is_made_of() -> None:
    """Signs of markup in texts, attributes, comments and scripts have the meaning that the parser gives."""
    html = (
        "<div id='a>b' title='<p>'>1 &lt;p> &amp;amp; 2<!-- <p> --><!--> <div>3</div> <!-->4"
        "<script>'<p>' <!-- <div> </script>5<?x <p>6</div>"
    )
    found = layout(html)
    assert [block.text for block in found.blocks] == ["1 <p> &amp; 2", "3", "456"]
    assert found.steps[1].id == "a>b"


XHTML = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'


@pytest.mark.parametrize("doctype", ["", "<!DOCTYPE html>", XHTML])
def test_documents_of_all_types_are_alike(doctype: str) -> None:
    """The document type changes nothing: not scripts, empty elements or breaks, nor the names of forms."""
    html = (
        "<html><body><form name=find class=c>a<br>b<p></p><script>if (a < b) '<script> <p> <!--'</script>c"
        "<style><!-- x --></style><td>d</form><div id=e>e</div>"
    )
    found = layout(doctype + html)
    assert [block.text for block in found.blocks] == ["a", "b", "c", "d", "e"]
    assert found.steps[1] == ("form", "find", ("c",))


@pytest.mark.parametrize(
    "html",
    [
        "<p a<b=1 <c>one</p><p>two</p>",
        "<p<b>one</p<b><p>two",
        "<a<b href=x>one</a><p>two",
        "<p \"x=y 'z=>one</p><p>two",
        "<div><p<div/>one</p><p>two",
    ],
)
def test_names_that_are_none(html: str) -> None:
    """Signs of markup in a tag's or attribute's name may hide their own element, but nothing else."""
    assert [block.text for block in layout(html).blocks][-1].endswith("two")
