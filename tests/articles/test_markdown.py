from __future__ import annotations

import pytest

from scrapy_webstemmer.articles.markdown import as_markdown, heading


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
         "\\*a\\* \\_b\\_ \\`c\\` \\<d\\> \\&amp; \\[e\\](f)"),
        ("<p># a</p><p>1. b</p><p>- c</p><p>+ d</p>", "\\# a\n\n1\\. b\n\n\\- c\n\n\\+ d"),
    ],
)  # fmt: skip
def test_signs_that_are_text(html: str, markdown: str) -> None:
    """Brackets in links, spaces in emphasis, and the author's Markdown characters stay as they are."""
    assert as_markdown(html) == markdown


def test_what_is_nested_too_deep_comes_as_paragraphs() -> None:
    """Thousands of nested quotations are not an error, and no text is lost."""
    deep = "<blockquote>" * 3000 + "<p>a * <b>b</b></p>" + "</blockquote>" * 3000
    assert as_markdown(deep).split() == ["a", "\\*", "b"]


def test_heading() -> None:
    """A title is a heading of the first level, with its characters escaped. An empty title gives nothing."""
    assert (heading("A <b> & *c*"), heading("")) == ("# A \\<b\\> \\& \\*c\\*", "")
