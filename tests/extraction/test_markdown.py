from __future__ import annotations

from html import escape

import mistune
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from scrapy_webstemmer.extraction import html_tree as markdown_tree
from scrapy_webstemmer.extraction.markdown import as_markdown, document, heading


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<h2>Head</h2><p>One</p><p>Two</p>", "## Head\n\nOne\n\nTwo"),
        ("<p>one<br>two</p>", "one  \ntwo"),
        ("<blockquote><p>a</p><p>b</p></blockquote><p>c</p>", "> a\n>\n> b\n\nc"),
        ("<dl><dt>term</dt><dd>what it means</dd></dl>", "term\n:   what it means"),
        (
            '<figure><img src="http://e.org/a b(1).jpg" alt="A [seal]"><figcaption>1</figcaption></figure>',
            "![A \\[seal\\]](http://e.org/a%20b%281%29.jpg)\n\n1",
        ),
        ("<p>H<sub>2</sub>O</p>", "H<sub>2</sub>O"),
        ("", ""),
    ],
)
def test_running_text(html: str, markdown: str) -> None:
    """Headings, paragraphs, breaks, quotations, terms and images are written in Markdown."""
    assert as_markdown(html) == markdown


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<ul><li>a<ul><li>b<ol><li>c</li><li>d</li></ol></li></ul></li><li>e</li></ul><p>f</p>",
         "- a\n  - b\n    1. c\n    2. d\n- e\n\nf"),
        ("<ul><li><p>a</p><p>b</p></li><li>c</li></ul>", "- a\n\n  b\n- c"),
        ("<ol><li>a<pre>x\n y</pre></li></ol>", "1. a\n\n   ```\n   x\n    y\n   ```"),
    ],
)  # fmt: skip
def test_lists(html: str, markdown: str) -> None:
    """Nested lists, and paragraphs and code in items, are indented under their item."""
    assert as_markdown(html) == markdown


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table>",
         "| a | b |\n| --- | --- |\n| c | d |"),
        ("<table><caption>Prices</caption><tr><td>a</td><td>b|c</td></tr><tr><td>d<br>e</td><td></td></tr></table>",
         "Prices\n\n| a | b\\|c |\n| --- | --- |\n| d e |  |"),
        ("<table><tr><td><p>a</p><p>b</p></td><td><code>x|y</code></td></tr></table>",
         "| a b | `x\\|y` |\n| --- | --- |"),
    ],
)  # fmt: skip
def test_tables(html: str, markdown: str) -> None:
    """The first row is the head. Cells stay on one line, and bars in cells are escaped."""
    assert as_markdown(html) == markdown


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<pre>if x:\n    y &lt; *1*\n\n\n\nelse</pre><p>z</p>",
         "```\nif x:\n    y < *1*\n\n\n\nelse\n```\n\nz"),
        ("<pre><code>```\nb\n\n\n\nc\n```</code></pre>", "````\n```\nb\n\n\n\nc\n```\n````"),
        ("<p><code>a_b*</code> and <code>c`d</code></p>", "`a_b*` and ``c`d``"),
    ],
)  # fmt: skip
def test_code(html: str, markdown: str) -> None:
    """Code keeps its lines and characters, in a fence that nothing in the code ends."""
    assert as_markdown(html).replace("`` c`d ``", "``c`d``") == markdown


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ('<p><a href="http://e.example/a_(b)?c=1&amp;d=2">see [this]</a></p>',
         "[see \\[this\\]](http://e.example/a_%28b%29?c=1&d=2)"),
        ("<p>a<em> b </em>c <b>d</b>e <i></i>.</p>", "a *b* c **d**e ."),
        ("<p>*a* _b_ `c` &lt;d&gt; &amp;amp; [e](f)</p>",
         "\\*a\\* \\_b\\_ \\`c\\` \\<d> \\&amp; \\[e\\](f)"),
        ("<p>In 2012. C++ &amp; more - a = b | c &gt; d, 3 &lt; 4, ~80% of file_name.py, AT&amp;T #1</p>",
         "In 2012. C++ & more - a = b | c > d, 3 < 4, ~80% of file_name.py, AT&T #1"),
        ("<h2>1. A - b + c</h2><ul><li>2. d<p>- e</p></li></ul>", "## 1. A - b + c\n\n- 2\\. d\n\n  \\- e"),
        ("<p>a &amp;<u>amp;</u> &lt;<u>b&gt;</u> _<u>c</u>_ d~<u>~e~</u></p>",
         "a \\&amp; \\<b> \\_c\\_ d\\~\\~e\\~"),
        ("<p># a</p><p>1. b</p><p>- c</p><p>+ d</p>", "\\# a\n\n1\\. b\n\n\\- c\n\n\\+ d"),
    ],
)  # fmt: skip
def test_signs_that_are_text(html: str, markdown: str) -> None:
    """Brackets in links, spaces in emphasis, and the author's Markdown characters stay as they are."""
    assert as_markdown(html) == markdown


@given(st.lists(st.text("*_`~<>&#+-=|!:;.)(/[]\\1a ").map(str.strip).filter(bool), min_size=1, max_size=3))
def test_all_signs_are_text(lines: list[str]) -> None:
    """Whatever lines a paragraph has, a renderer shows these lines and nothing else."""
    markdown = as_markdown(f"<p>{'<br>'.join(map(escape, lines))}</p>")
    opened, text, closed = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    assert (opened.type, closed.type) == ("paragraph_open", "paragraph_close")
    assert text.children is not None
    assert {part.type for part in text.children} <= {"text", "hardbreak", "text_special"}
    shown = "".join(part.content or "\n" for part in text.children)
    assert shown == "\n".join(" ".join(line.split()) for line in lines)


ACTIVE = "<img src=x onerror=alert(1)>"
TEXT = escape(ACTIVE)


@pytest.mark.parametrize(
    "html",
    [
        f"<p><a href='http://e.example/\\'>a</a><code>{TEXT}</code></p>",
        f"<ul><li><pre>a&#13;{TEXT}</pre></li></ul>",
        f"<blockquote><pre>a&#13;{TEXT}</pre></blockquote>",
        f"<dl><dt>a</dt><dd><pre>b&#13;{TEXT}</pre></dd></dl>",
        f"<ul><li>a<ol start='7'><li>b<pre>c&#13;\n{TEXT}</pre></li></ol></li></ul>",
        f"<p><code>a</code><code>`{TEXT}</code><kbd>`</kbd></p>",
        f"<p>www.<code>{TEXT}</code> http://e.example/<b>`</b><code>{TEXT}</code></p>",
        f"<p>http://e.example/{TEXT} www.e.example{TEXT}</p>",
        f"<p><del>a<s><del>~~b</del></s></del></p><p>{TEXT}</p><pre>~~~\n{TEXT}</pre>",
        f"<p><del><code>~~</code> <code>{TEXT}</code></del></p>",
        f"<p>!<a href='http://e.example/'>{TEXT}</a><img src='http://e.example/`' alt='{TEXT}'></p>",
        f"<table><tr><td><code>|{TEXT}</code></td><td>{TEXT}|</td></tr></table>",
        f"<table><tr><td>a</td><td><pre>b\n\n{TEXT}</pre></td></tr></table>",
    ],
)
def test_text_stays_text_where_a_renderer_lets_html_through(html: str) -> None:
    """Whatever stands beside a text that looks like HTML, no element comes of it."""
    for render in (
        MarkdownIt("commonmark", {"html": True}).render,
        MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render,
        mistune.create_markdown(escape=False),
        mistune.create_markdown(escape=False, plugins=["table", "strikethrough", "url"]),
    ):
        rendered = str(render(as_markdown(html)))
        assert "onerror" in rendered
        assert "<img src=x" not in rendered.replace(escape(TEXT), "")
        assert rendered.count("<img") == html.count("<img")


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p><code>a</code><kbd>b`</kbd> <i>c</i><i>d</i></p>", "`` ab` `` *cd*"),
        ("<p><b>a <b>b</b></b><del>c<s>d</s></del></p>", "**a b**~~cd~~"),
        ("<p><b>a<br></b>b <code>c </code>d</p>", "**a**  \nb `c` d"),
        ("<p>1<u>. a</u><br>#<u> b</u><br>-<u> c</u><br>---</p>", "1\\. a  \n\\# b  \n\\- c  \n\\---"),
        ("<p><em>a </em><strong><em>b</em></strong><em>. c</em></p>", "*a* ***b**. c*"),
        ("<p><b>a</b><em><b>b</b></em><b>c</b></p>", "**a*b*c**"),
        ("<p><b>a</b>b<b>, c.</b>d <b>“e”</b> f</p>", "**a**b, **c**.d **“e”** f"),
        ("<p>これは<b>「強調」</b>です</p>", "これは「**強調**」です"),
        ("<p>a<b>.</b>b <b><a href='http://e.example/'>c</a>.</b>d</p>", "a.b **[c](http://e.example/).**d"),
        ("<p>a!<a href='http://e.example/'>b</a></p>", "a\\![b](http://e.example/)"),
        ("<p><a href='http://e.example/a_b'>http://e.example/a_b</a></p>", "<http://e.example/a_b>"),
        ("<p><a href='http://e.example\\a?\\b&amp;lt;'>c</a></p>", "[c](http://e.example/a?%5Cb&amp;lt;)"),
    ],
)
def test_what_stands_beside_each_other(html: str, markdown: str) -> None:
    """Markup is written by what stands around it, so that it means the same as in the HTML."""
    assert as_markdown(html) == markdown


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td><pre>1\n2\n3\n4</pre></td><td><pre>if x:\n    y\n\nz</pre></td></tr></table>",
        "<table><tr><td><p>1</p>2</td><td><pre><code>if x:\n    y\n\nz</code></pre></td></tr></table>",
        "<table><tr><td>1</td><td><pre>if x:</pre></td></tr>"
        "<tr><td>2</td><td><pre>    y\n\nz</pre></td></tr></table>",
        "<table><tr><td><pre>if x:<br>    y <br><br>z</pre></td></tr></table>",
    ],
)
def test_a_listing_in_a_table(html: str) -> None:
    """A listing keeps its lines in a table, and a column of line numbers is no part of it."""
    assert as_markdown(html) == "```\nif x:\n    y\n\nz\n```"


def test_numbers_beside_text_are_no_line_numbers() -> None:
    """A table with numbers in the first column and code in a line is a table."""
    row = "<tr><td>1</td><td><code>a</code></td></tr>"
    assert as_markdown(f"<table>{row}{row}</table>") == "| 1 | `a` |\n| --- | --- |\n| 1 | `a` |"


def test_a_table_in_a_table() -> None:
    """The outer table lays out the page: the contents of its cells come one after the other."""
    inner = "<table><tr><td>a</td><td>b</td></tr></table>"
    html = f"<table><caption>c</caption><tr><td><p>d</p><p>e</p></td><td>{inner}f</td></tr></table>"
    assert as_markdown(html) == "c\n\nd\n\ne\n\n| a | b |\n| --- | --- |\n\nf"
    assert as_markdown("<table><tr><td><p>a</p><p>b</p></td></tr></table>") == "a\n\nb"


def test_line_breaks_in_a_listing() -> None:
    """A ``br`` ends a line of a listing as a line break does, and leaves no space behind."""
    assert as_markdown("<pre>a<br>  b <br>c<ul><li>d</li></ul></pre>") == "```\na\n  b\nc\nd\n```"


def test_what_is_nested_too_deep_comes_as_paragraphs() -> None:
    """Thousands of nested quotations are not an error, and no text is lost."""
    deep = "<blockquote>" * 3000 + "<p>a * <b>b</b></p>" + "</blockquote>" * 3000
    assert as_markdown(deep).split() == ["a", "\\*", "b"]


def test_heading() -> None:
    """A title is a heading of the first level, with its characters escaped. An empty title gives nothing."""
    assert (heading("A <b> & *c*"), heading("")) == ("# A \\<b> & \\*c\\*", "")


def test_headings_are_below_the_title() -> None:
    """From the first heading of the first level on, those of a text are one level lower."""
    assert document("A", "<h2>b</h2><h1>c</h1><h2>d</h2>") == "# A\n\n## b\n\n## c\n\n### d"
    assert document("A", "<h1>b</h1><p>c</p><h2>d</h2><h6>e</h6>") == "# A\n\n## b\n\nc\n\n### d\n\n###### e"
    assert document("A", "<h2>b</h2>") == "# A\n\n## b"
    assert document("", "<h1>b</h1>") == "# b"


def test_listings_in_listings_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of listings in each other only the outermost is read, however many there are."""
    read: list[object] = []
    lines = markdown_tree._lines
    monkeypatch.setattr(markdown_tree, "_lines", lambda element: read.append(element) or lines(element))
    assert as_markdown("<pre>a" * 50 + "</pre>" * 50) == "\n".join(["```", *"a" * 50, "```"])
    assert len(read) == 1
