"""What is read instead of formulas, marks of headings, and texts for screen readers; in both readings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from odd_markup import READ_INSTEAD
from two_readings import URL, differences, is_known, reference

from scrapy_webstemmer.page import instead
from scrapy_webstemmer.values import Page

PLAIN_MARKUP = (
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "text",
    "</span>",
    "<br>",
    "<b>",
    "</b>",
    "<h3>",
    "</h3>",
    "</a>",
)


def read(html: str) -> dict[str, Any]:
    """Return what is read from a page, after a look whether both readings agree."""
    page = Page(URL, f"<!DOCTYPE html><meta charset=utf-8><body>{html}".encode())
    assert differences(page) == {}
    return reference(page)


def texts(html: str) -> list[str]:
    return [block.text for block in read(html)["blocks"]]


@settings(max_examples=400)
@given(st.lists(st.sampled_from((*READ_INSTEAD, *PLAIN_MARKUP)), max_size=14))
def test_any_order(fragments: Sequence[str]) -> None:
    """Such elements in any order, open or closed, are read in the same way by both readings."""
    text = "".join(fragments)
    assume(not is_known(text))
    assert differences(Page(URL, text.encode())) == {}


@pytest.mark.parametrize(
    "formula",
    [
        r"<math><mi>a</mi><mo>=</mo><mn>2</mn></math>",
        r"<math alttext='a=2'><mi>a</mi><mo>=</mo><mn>2</mn></math>",
        r"<math><semantics><mrow><mi>b</mi></mrow><annotation encoding='application/x-tex'>a=2</annotation>"
        "<annotation-xml encoding='MathML-Content'><ci>c</ci></annotation-xml></semantics></math>",
        r"<math alttext='{\displaystyle a=2}'><mi>b</mi></math>",
        r"<span class='katex'><span class='katex-mathml'><math><semantics><mi>a</mi><annotation "
        "encoding='application/x-tex'>a=2</annotation></semantics></math></span><span class='katex-html' "
        "aria-hidden='true'><span class='mord'>a</span><span class='mrel'>=</span></span></span>",
        r"<script type='math/tex'>a=2</script>",
        r"<span class='MathJax_Preview'>a is 2</span><script type='math/tex; mode=display'>a=2</script>",
        r"<span class='MathJax_Preview'></span><span class='MathJax' id='MathJax-Element-1-Frame'><nobr>"
        "<span>a</span></nobr><span class='MJX_Assistive_MathML'><math><mi>a</mi></math></span></span>"
        "<script type='math/tex' id='MathJax-Element-1'>a=2</script>",
        r"<mjx-container class='MathJax' jax='CHTML'><mjx-math data-latex='a=2' aria-hidden='true'><mjx-mi "
        "data-latex='a'>a</mjx-mi></mjx-math><mjx-assistive-mml><math><mi>a</mi></math></mjx-assistive-mml>"
        "</mjx-container>",
        r"<mjx-container class='MathJax'><svg><text>a</text></svg><mjx-assistive-mml><math><mi>a</mi>"
        "<mo>=</mo><mn>2</mn></math></mjx-assistive-mml></mjx-container>",
        r"<span class='mwe-math-element'><span style='display: none;'><math alttext='{\displaystyle a=2}'>"
        "<mi>a</mi></math></span><img src='/a.svg' alt='a=2'></span>",
        r"<span class=m><span><math><mi>a</mi><mo>=</mo><mn>2</mn></math></span>"
        "<span aria-hidden=true>a=2</span></span>",
        r"<span class='eq' data-tex='a=2'>a equals 2</span>",
    ],
)
@pytest.mark.parametrize("around", ["<p>Let {} hold.</p>", "<ul><li>Let <b>{}</b> hold.</ul>"])
def test_a_formula_is_its_source(formula: str, around: str) -> None:
    """A formula is read once: as its source if the page has it, else as its letters."""
    found = read(around.format(formula))
    assert [block.text for block in found["blocks"]] == ["Let a=2 hold."]
    assert found["html"].replace("<b>", "").replace("</b>", "").count("Let a=2 hold.") == 1


@pytest.mark.parametrize(
    ("image", "text"),
    [
        ('<img class=latex src=/latex.php alt="a &lt; 2">', "a < 2"),
        ('<img src="https://latex.codecogs.com/svg.latex?a" alt="a=2"/>', "a=2"),
        ("<img class='wp-smiley x' src=/1f600.png alt=😀>", "😀"),
        ("<img class=emoji src=/1f600.png alt='a face'>", ""),
        ("<img class=latex src=/a.png>", ""),
        ("<img src=/math.png alt='the sum'>", ""),
    ],
)
def test_an_image_of_a_text_is_its_text(image: str, text: str) -> None:
    """A formula or an emoji that an image shows is read in its line; other images are pictures."""
    for line in ("<p>Let {} hold.</p>", "<p>{} Let it hold.</p>", "<p><a href=/b>{}</a> Let it hold.</p>"):
        found = read(line.format(image))
        (block,) = found["blocks"]
        assert block.text.split() == re.sub("<[^>]*>", "", line).format(text).split()
        assert ("<img" in found["html"]) is (not text)


def test_letters_of_a_formula_without_its_source() -> None:
    """Letters of two elements are kept apart; a formula that only its picture states is its picture."""
    assert texts("<p>Is <math><mfrac><mn>1</mn><mn>2</mn></mfrac><mi>x</mi></math> more?</p>") == [
        "Is 1 2 x more?"
    ]
    assert texts("<p>Is <span class=MathJax><b>x</b></span> more?</p>") == ["Is x more?"]
    assert texts("<p>Nothing <math></math> here.</p>") == ["Nothing here."]


def test_a_class_of_formulas_around_paragraphs_is_none() -> None:
    """An element with block-level elements in it is no formula, whatever its class says."""
    page = "<span class=katex><p>Let <math alttext='a=2'></math> hold.</p><p>It holds.</p></span>"
    assert texts(page) == ["Let a=2 hold.", "It holds."]


def test_a_formula_is_escaped() -> None:
    """The source of a formula is text in HTML, whatever signs it has."""
    found = read("<p>Let <i>x</i> <script type='math/tex'>a < b & <b>c</b></script> hold.")
    assert found["html"] == "<p>Let <i>x</i> a &lt; b &amp; &lt;b&gt;c&lt;/b&gt; hold.</p>"


def test_formulas_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Elements within each other that look like formulas cost a look at each tag, not several."""
    looks = []
    formula = instead._Formula

    class Counting(formula):  # type: ignore[misc, valid-type]
        def add(self, *arguments: str) -> None:
            looks.append(arguments)
            super().add(*arguments)

    monkeypatch.setattr(instead, "_Formula", Counting)
    for inner in ("<b>x</b>" * 500, "<b>x</b>" * 500 + "<math alttext=y></math><p>z"):
        looks.clear()
        read("<span class=katex>" * 150 + inner)
        assert len(looks) < 6_000  # two readings, two or three of them by the comparison


@pytest.mark.parametrize(
    "heading",
    [
        "<h2>The wreck<a class=headerlink href=#w>¶</a></h2>",
        "<h2 id=w><a href=#w>#</a> The wreck</h2>",
        "<h2>The wreck<a class=headerlink href='/a/page.html?x=1#w'>¶</a></h2>",
        "<h2 id=w>The wreck <a href='http://www.example.com/a/page.html?x=1#w'>Link</a></h2>",
        "<h3 id=w>The wreck <a href=#w>Link hierher</a></h3>",
        "<section id=größe><h3>The wreck<a href=#gr%C3%B6%C3%9Fe>Lien</a></h3></section>",
        "<h2>The wreck<a href=#w aria-hidden=true>🔗</a></h2>",
        "<h2>The wreck<a class=hash-link href=#w>\u200b</a></h2>",
        "<h2><a href=#w><b>§</b></a>The wreck</h2>",
        "<h2>The wreck<span class=mw-editsection>[<a href=/e>Ändern</a> | <a href=/v>Text</a>]</span></h2>",
        "<h2><span>[<a href=/e>edit</a>]</span> <span id=w>The wreck</span></h2>",
        "<h2>The wreck <a href=/e>[edit]</a></h2>",
        "<h2>The wreck <a class=edit-link href=/e>編集</a></h2>",
        "<div class=x><h2>The wreck</h2><span><span>[</span><a href=/e>edit</a><span>]</span></span></div>",
        "<h2>The wreck<span class=visually-hidden>, section 2</span></h2>",
        "<h2>The wreck</h2><p class=screen-reader-text>A text</p><div class='note sr-only'><p>b</p></div>",
        "<a class=srOnly href=#main>Skip</a><h2>The wr&shy;eck</h2>",
        "<h2>The wr\xade\u2060ck\ufeff&#8203;</h2>",
    ],
)
def test_marks_at_headings(heading: str) -> None:
    """Links of a heading to itself and to its editor, and what only screen readers get, are no text."""
    found = read(f"{heading}<p>The rowers found it.</p>")
    assert [block.text for block in found["blocks"]] == ["The wreck", "The rowers found it."]
    assert re.fullmatch("<(h.)>The wreck</\\1><p>The rowers found it.</p>", found["html"])


def test_numbers_of_lines() -> None:
    """Numbers that programs for listings write before each line are no text."""
    lines = "".join(
        f"<span class={name}> {n}</span>row({n})\n"
        for n, name in enumerate(("linenos", "lnt", "ln", "'linenumber react-line-number'"), 1)
    )
    listing = f"<pre class=line-numbers>{lines}</pre>"
    assert texts(f"{listing}<p class=lineno-p>Rows.</p>") == ["row(1)\nrow(2)\nrow(3)\nrow(4)", "Rows."]
    cells = "<td class='gutter'><pre>1\n2</pre><td class=code><pre>row(1)\nrow(2)</pre>"
    table = f"<table><tr>{cells}</table><div class=gutter>Two rows.</div>"
    assert texts(table) == ["row(1)\nrow(2)", "Two rows."]


def test_what_printers_get_and_who_took_a_picture() -> None:
    """Classes of style sheets say what is printed alone, and those of systems who took a picture."""
    printed = "".join(
        f"<p class='{name}'>Copied.</p>"
        for name in ("print-only", "mt-2 d-none d-print-block", "hidden print:block", "visible-print-block")
    )
    credit = "<div><img src=a.jpg><span class=image-credit>Ann Lee</span></div>"
    caption = "<figcaption>The mill. <span class=credit>Ann Lee</span></figcaption>"
    shown = "<p class='d-none d-sm-block d-print-none'>Wide</p><p class='overflow-hidden print:block'>Box</p>"
    shown += "<p class=credit>By Ann Lee</p>"
    assert texts(printed + credit + caption + shown) == ["The mill.", "Wide", "Box", "By Ann Lee"]


@pytest.mark.parametrize(
    "link",
    [
        "<a href=#r1>↩</a>",
        "<a href=#r1>↩︎</a>",
        "<a href=#r1>^</a>",
        "<a href=#r1>↑<sup>2</sup></a>",
        "<a href=#r1 role=doc-backlink>Jump up</a>",
        "<a href=#r1 class=footnote-backref>zurück</a>",
    ],
)
def test_links_back(link: str) -> None:
    """The link that leads from a footnote back to the text is no text."""
    assert texts(f"<ol><li>The book of lamps. {link}<li>{link} Page 9.</ol>") == [
        "The book of lamps.",
        "Page 9.",
    ]


@pytest.mark.parametrize(
    "html",
    [
        "<h2 id=w><a href=#w>The wreck</a></h2>",
        "<p>The wreck <a href='/b#w'>»</a></p>",
        "<h2><a href=/e>[edit]</a></h2>",
        "<p>Lamps<a href=#n1>1</a>, <a href=#n2>[2]</a>, <a href=#n3>*</a> and <a href=#w>the wreck</a>.</p>",
        "<p>Read <span>[<a href=/p>PDF</a>]</span> now.</p>",
        "<h2>Lamps <span>(<a href=/o>Oona</a>)</span></h2>",
        "<h2>1. <a class=toc-backref href=#id1>The wreck</a></h2>",
        "<p class='not-sr-only focus:sr-only'>The wreck</p>",
        "<p><a href=#w><img src=w.jpg>¶</a> The wreck</p>",
        "<p>می\u200cخواهم क्\u200dष 👩\u200d🚒</p>",
    ],
)
def test_what_is_text(html: str) -> None:
    """Headings that are links, references to footnotes, other links in brackets, and joined letters stay."""
    found = read(html)
    assert [block.text for block in found["blocks"]] == [re.sub("<[^>]*>", "", html).strip()]


def test_texts_of_links() -> None:
    """What only screen readers get is the text of a link if it has no other."""
    links = (
        "<a href=/a>The wreck<span class=sr-only> in a window</span></a>"
        "<a href=/b><img src=b.jpg alt=b><span class=sr-only>The inn</span></a>"
        "<a href=/c>The har&shy;bour</a>"
    )
    assert [text for _, text in read(links)["targets"]] == ["The wreck", "The inn", "The harbour"]


@pytest.mark.parametrize(
    "html",
    [
        "<figure><img class=lazyload src=/blank.gif><noscript><img src=/real.jpg></noscript></figure>",
        "<figure><noscript><img src=/real.jpg></noscript><img src=/blank.gif data-src=/real.jpg></figure>",
        "<figure><div><img src=/blank.gif></div><noscript><img src=/real.jpg></noscript></figure>",
        "<figure><div class=ph></div><noscript><img src=/real.jpg></noscript></figure>",
        "<figure><amp-img src=/real.jpg><noscript><img src=/other.jpg></noscript></amp-img></figure>",
        "<figure data-src=/real.jpg><div class=ph></div></figure>",
        "<figure data-lazy-src=/real.jpg></figure>",
        "<div class=pic data-bg=/real.jpg role=img></div>",
        "<div data-background-image=/real.jpg></div>",
        "<figure data-src=/other><img src=/real.jpg></figure>",
        "<figure><div class=lazy data-original=/real.jpg></div></figure>",
        "<p><span class=lazy data-src=/real.jpg></span></p>",
        "<figure><img src=/blank.gif data-url=/real.jpg></figure>",
        "<figure><picture><source data-srcset='/s.jpg 1x, /real.jpg 2x'><img src=/b.gif></picture></figure>",
        "<figure><picture><source srcset=/real.jpg></picture></figure>",
        "<div><picture class=lazy><!-- b --><source data-srcset='/s.jpg 1x, /real.jpg 2x'></picture></div>",
        "<figure data-image=/real.jpg><div class=ph></div></figure>",
        "<figure><div style='background-image: url(&quot;/real.jpg&quot;)'></div><figcaption>A</figure>",
        "<div class=image style='color:red;background:#fff URL(/real.jpg) no-repeat' role=img></div>",
        """<div><span style="background-image:url('/real.jpg')"></span></div>""",
        "<p><img src='#' data-img-url=/real.jpg></p>",
        "<p><img src=/blank.gif nitro-lazy-src=/real.jpg class=nitro-lazy></p>",
        "<p><img ng-src=/real.jpg></p>",
    ],
)
def test_pictures_that_a_script_loads(html: str) -> None:
    """A picture that a script or a style shows, or that is for readers without scripts, comes once."""
    found = read(f"<p>One.</p>{html}<p>Two.</p>")["html"]
    assert re.findall('<img src="([^"]*)"', found) == ["http://www.example.com/real.jpg"]


def test_pictures_within_a_text() -> None:
    """In a paragraph, too; what only says where a script finds something else is no picture."""
    found = read(
        "<p>One <amp-img src=/a.jpg alt=b><b>x</b></amp-img> two.</p><div data-src=/a data-bg=red>Three</div>"
    )
    assert found["html"] == '<p>One <img src="http://www.example.com/a.jpg" alt="b"> two.</p><p>Three</p>'


def test_backgrounds_of_texts() -> None:
    """A background behind a text is no picture of it, nor is one that a style does not name."""
    html = "<p>One.</p><div style='background:url(/a.jpg)'><p>Two.</p></div>"
    html += "<div style='background:url(#a)'></div>"
    assert read(f"{html}<picture></picture><picture><b></b></picture>")["html"] == "<p>One.</p><p>Two.</p>"


def test_a_gallery_without_scripts() -> None:
    """Each figure has its own picture, whatever stands in the one before it."""
    figure = "<figure><img src=/{0}.jpg></figure><figure><noscript><img src=/{0}b.jpg></noscript></figure>"
    figures = f"{figure.format(1)}{figure.format(2)}"
    assert read(f"<p>One.</p>{figures}<p>Two.</p>")["html"].count("<img") == 4
