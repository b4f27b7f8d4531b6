from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html
from path_pages import layout

from scrapy_webstemmer.extraction.article_html import render
from scrapy_webstemmer.extraction.markdown import as_markdown
from scrapy_webstemmer.fields.image_sources import image_tags
from scrapy_webstemmer.page.text import fold


def rendered(body: str) -> str:
    """Return the HTML of a page with this body, with all its blocks."""
    page = layout(body)
    return render(page, range(len(page.blocks)))


@pytest.mark.parametrize(
    "body",
    [
        "<h2>Head</h2><p>One</p><p>Two</p>",
        "<ul><li>one</li><li>two<ul><li>two a</li></ul></li></ul><ol><li>first</li></ol>",
        "<dl><dt>term</dt><dd>what it means</dd></dl>",
        "<table><caption>Prices</caption><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>",
        "<blockquote><p>One</p><p>Two</p></blockquote><p>Three</p>",
        "<figure><figcaption>A seal</figcaption></figure>",
        "<p>a <em>b <b>c</b></em> d<sub>2</sub></p>",
        '<p>see <a href="http://example.com/x?a=1&amp;b=2">this <i>page</i></a>, please</p>',
        "<p>a &lt; b &amp; c</p>",
        "<pre>if x:\n    y &lt; 1\n\nelse</pre>",
        "<p>one<br>two</p><p>three</p>",
    ],
)
def test_running_text_stays_as_it_is(body: str) -> None:
    """Lists, tables, quotations, inline markup, breaks, code and escaped characters stay as written."""
    assert rendered(body) == body


@pytest.mark.parametrize(
    ("body", "html"),
    [
        ('<div class="x"><section><p class="y" onclick="z()">a</p></section></div>', "<p>a</p>"),
        ("<div>a<p>b</p>c</div>", "<p>a</p><p>b</p><p>c</p>"),
        ("<div>a<br>b</div>", "<p>a<br>b</p>"),
        ("<div>a<br><br>b<br>&nbsp;<br/>c<br>d</div>", "<p>a</p><p>b</p><p>c<br>d</p>"),
        ("<p>a<br><br>b</p><ul><li>c<br><br>d</li></ul>", "<p>a</p><p>b</p><ul><li>c<br>d</li></ul>"),
        ("<p>a <tt>b *</tt></p>", "<p>a <code>b *</code></p>"),
        (
            "<h2 id=a><a href=#a>A <i>b</i></a></h2><h3><a href=/x>c</a></h3>",
            '<h2>A <i>b</i></h2><h3><a href="http://example.com/x">c</a></h3>',
        ),
        (
            "<ul><li><h2>a</h2><p>b</p><ol><li>c</li><li>d</li></ol></ul>",
            "<h2>a</h2><p>b</p><ol><li>c</li><li>d</li></ol>",
        ),
        (
            "<table><tr><td><table><tr><td>a</td><td>b</td></tr></table>",
            "<table><tr><td>a</td><td>b</td></tr></table>",
        ),
        (
            "<ul><li><div>a</div><div>b</div></li><li>c</li></ul>",
            "<ul><li><p>a</p><p>b</p></li><li>c</li></ul>",
        ),
        ("<p>a <span style='x'>b</span> <font color=red>c</font></p>", "<p>a b c</p>"),
        ("<p>a<script>x()</script>b</p>", "<p>ab</p>"),
        (
            "<p>a<img src=/x.png alt='A  &quot;b&quot;' onerror=y() class=z></p>",
            '<p>a<img src="http://example.com/x.png" alt="A &quot;b&quot;"></p>',
        ),
        ("<p>a<img src=javascript:x()><img src=/x.png width=1><img></p>", "<p>a</p>"),
        (
            "<table><tr><td></td><td> </td><td>a</td><td>b</td></tr></table>",
            "<table><tr><td></td><td></td><td>a</td><td>b</td></tr></table>",
        ),
        (
            "<table><tr><td>a</td><th></th><td colspan=2>-</td></tr><tr><td></td></tr></table>",
            '<table><tr><td>a</td><th></th><td colspan="2"></td></tr></table>',
        ),
        (
            "<table><tr><td colspan=2 rowspan=x>a</td></tr></table>",
            '<table><tr><td colspan="2">a</td></tr></table>',
        ),
        ("<ol start=3 class=x><li>a</li></ol>", '<ol start="3"><li>a</li></ol>'),
        ('<p dir="rtl">שלום <b>עולם</b></p>', "<p>שלום <b>עולם</b></p>"),
        ("<p>a&nbsp;b &copy; &#128512;</p>", "<p>a b © 😀</p>"),
        ("<p>  a \n\n b\t</p>", "<p>a b</p>"),
        ("<li>one</li>", "<p>one</p>"),
        ("<div><dd>what</dd><figcaption>seal</figcaption></div>", "<p>what</p><p>seal</p>"),
        ("<p><font>a</font><code>b &gt; c</code></p>", "<p>a<code>b &gt; c</code></p>"),
        ("<div><b><div><p>a</p></div>b</b></div>", "<p>a</p><p><b>b</b></p>"),
        ("<div><p>a</p><i> </i>b<p>c</p><i>d</i> e</div>", "<p>a</p><p>b</p><p>c</p><p><i>d</i> e</p>"),
        ("<p><i>a<span><br>b</span></i>c</p>", "<p><i>a</i><br><i>b</i>c</p>"),
        ("<p>a<!-- <b> --><svg><b>x</b></svg><u>b<span>c</span></u></p>", "<p>a<u>bc</u></p>"),
    ],
)
def test_what_is_no_running_text_goes(body: str, html: str) -> None:
    """Template elements, attributes, styles, and parts without their whole are removed. Their text stays."""
    assert rendered(body) == html


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("/b?c=d#e", "http://example.com/b?c=d#e"),
        (" x.html ", "http://example.com/x.html"),
        ("//other.example/", "http://other.example/"),
        ("#part", "http://example.com/000#part"),
        ("mailto:a@example.com", "mailto:a@example.com"),
        ("HTTPS://example.com/", "HTTPS://example.com/"),
        ("/&quot;&gt;&lt;b", "http://example.com/&quot;&gt;&lt;b"),
    ],
)
def test_links_are_absolute(href: str, target: str) -> None:
    """The target of a link is an absolute url, with HTML's special characters escaped."""
    assert rendered(f'<p><a href="{href}">x</a></p>') == f'<p><a href="{target}">x</a></p>'


@pytest.mark.parametrize(
    "href",
    [
        "javascript:x()",
        " JavaScript:x()",
        "java&#10;script:x()",
        "data:text/html,x",
        "vbscript:x",
        "http://[",
        "",
    ],
)
def test_links_that_run_something_are_dropped(href: str) -> None:
    """A link that is not http or mailto keeps only its text. A broken url is not an error."""
    assert rendered(f'<p>a <a href="{href}" onclick="y()">x</a></p>') == "<p>a x</p>"


def test_images_between_blocks_stand_in_their_elements() -> None:
    """An image that is asked for stands in its figure or a paragraph. Other images leave no trace."""
    page = layout(
        "<p>a</p><figure><img src=/1.png><figcaption>b</figcaption></figure><div><img src=/2.png></div>"
    )
    one, two = (f'<img src="http://example.com/{n}.png" alt="">' for n in (1, 2))
    caption = "<figcaption>b</figcaption></figure>"
    assert render(page, [0, 1], image_tags(page, [0, 1])) == f"<p>a</p><figure>{one}{caption}<p>{two}</p>"
    assert render(page, [0, 1]) == f"<p>a</p><figure>{caption}"


def test_a_heading_in_a_caption_is_the_caption() -> None:
    """Some programs write the title of a picture as a heading, which begins no section."""
    body = (
        "<figure><img src=a.png><figcaption><h4>A seal</h4><p>At noon</p></figcaption></figure><h4>Next</h4>"
    )
    assert rendered(body).endswith("<figcaption>A seal<p>At noon</p></figcaption></figure><h4>Next</h4>")


def test_base_element() -> None:
    """Relative urls are relative to the base that the page states."""
    page = layout('<p><a href="a">a</a><img src="b"></p>', head='<base href="/deep/er/">')
    assert render(page, [0]).replace("http://example.com/deep/er/", "+") == (
        '<p><a href="+a">a</a><img src="+b" alt=""></p>'
    )


def test_blocks_that_were_left_out_leave_no_trace() -> None:
    """If one item of a list is asked for, the list has only this item. No blocks give no HTML."""
    page = layout("<ul><li>one</li><li>two</li></ul><p>three</p>")
    assert render(page, [1]) == "<ul><li>two</li></ul>"
    assert render(page, [0, 2]) == "<ul><li>one</li></ul><p>three</p>"
    assert render(page, []) == ""


def test_an_element_that_goes_on_is_not_opened_again() -> None:
    """Two paragraphs of one quotation share an element. Those of two quotations have two."""
    assert rendered("<blockquote><p>a</p></blockquote><blockquote><p>b</p></blockquote>") == (
        "<blockquote><p>a</p></blockquote><blockquote><p>b</p></blockquote>"
    )


def test_the_page_is_not_changed() -> None:
    """Rendering does not change the tree, so it can be done twice."""
    body = "<p>a <b>b</b></p><pre>c\n d</pre>"
    page = layout(body)
    assert render(page, [0, 1]) == render(page, [0, 1]) == body


_TAGS = st.sampled_from("div p ul li ol blockquote pre table tr td h2 b a em code span br".split())
_TEXTS = st.text(alphabet="ab<>&\"' \n", max_size=6).map(
    lambda text: text.replace("&", "&amp;").replace("<", "&lt;")
)
_BODIES = st.recursive(
    _TEXTS,
    lambda inner: st.tuples(_TAGS, st.lists(inner, max_size=4)).map(
        lambda made: f'<{made[0]} href="/x">{"".join(made[1])}</{made[0]}>'
    ),
    max_leaves=15,
)


class _Balance(HTMLParser):
    """Checks that all elements that are opened are closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@given(_BODIES)
def test_any_page_gives_balanced_html_with_its_text(body: str) -> None:
    """For any page the HTML is balanced, and its text is the text of the blocks."""
    page = layout(body)
    html = render(page, range(len(page.blocks)))
    balance = _Balance()
    balance.feed(html)
    balance.close()
    assert balance.open == []
    text = "".join(lxml_html.fromstring(f"<div>{html}</div>").itertext())
    assert "".join(text.split()) == "".join("".join(block.text for block in page.blocks).split())


@given(_BODIES)
def test_rendered_html_keeps_its_blocks(body: str) -> None:
    """If the HTML is read again, it has the same blocks."""
    page = layout(body)
    again = layout(render(page, range(len(page.blocks))))
    assert [fold(block.text) for block in again.blocks] == [fold(block.text) for block in page.blocks]


@pytest.mark.parametrize(
    ("body", "language"),
    [
        ("<pre><code class=language-python>{}</code></pre>", "python"),
        ("<pre class='hljs lang-js'>{}</pre>", "js"),
        ("<div class='highlight highlight-source-c++ x'><pre>{}</pre></div>", "c++"),
        (
            "<div class='language-ruby rouge'><div class=highlight><pre class=highlight>{}</pre></div></div>",
            "ruby",
        ),
        ("<div class='highlight-sql notranslate'><div class=highlight><pre>{}</pre></div></div>", "sql"),
        ("<pre class='brush: php; toolbar: false'>{}</pre>", "php"),
        ("<pre class=brush:css>{}</pre>", "css"),
        ("<pre data-lang=Go>{}</pre>", "go"),
        ("<pre data-enlighter-language=c#>{}</pre>", "c#"),
        ("<pre class=sourceCode><code class='sourceCode haskell'>{}</code></pre>", "haskell"),
        ("<pre class='src src-elisp'>{}</pre>", "elisp"),
        (
            "<figure class='highlight rust'><table><tr><td class=g><pre>1\n2</pre></td><td><pre>{}</pre></td>"
            "</tr></table></figure>",
            "rust",
        ),
        ("<pre>{}</pre>", ""),
        ("<pre lang=de><code class='language-none'>{}</code></pre>", ""),
        ("<pre class='language-&quot;onclick=x'>{}</pre>", ""),
        ("<div class='language-switcher'>" + "<p>a</p>" * 20 + "<pre>{}</pre></div>", ""),
    ],
)
def test_the_language_of_a_listing(body: str, language: str) -> None:
    """A listing keeps its language, however the page names it, as a class and at its fence."""
    html = rendered(f"<p>One</p>{body.format('if x:')}<p>Two</p>")
    classes = f' class="language-{language}"' if language else ""
    assert f"<pre{classes}>if x:" in html.replace("<code>", "")
    assert ("class" in html) == bool(language)
    assert f"\n```{language}\nif x:" in as_markdown(html).replace("2\n", "")


@pytest.mark.parametrize("between", [1, 200])
def test_blocks_are_the_same_whatever_stands_between(between: int) -> None:
    """Near blocks are read in one go, and blocks that stand far apart one by one."""
    others = "<p><i>left <a href='/out'>out</a></i></p>" * between
    page = layout(f"<p>a <b>b</b></p><div>{others}</div><p><em>c</em> <a href='/d'>d</a></p>")
    html = render(page, [0, len(page.blocks) - 1])
    base = page.url.rpartition("/")[0]
    assert html.replace(base, "") == '<p>a <b>b</b></p><p><em>c</em> <a href="/d">d</a></p>'
